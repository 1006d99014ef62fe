//! The frozen project: every plan with its hash, the keys of the raw output and the hashes of the item's files, fixed
//! before the first deck is drawn.

pub mod apart;
pub mod asked;
pub mod parts;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::project::frozen::asked::{
    Asked, asked, asked_of, part_of, recorded, source_fault, source_of, wanted,
};
use crate::project::frozen::parts::{RecordUse, parts, records_of};
use crate::project::settings::supplied::SuppliedKind;
use crate::project::settings::{Extent, Project};
use deckproof_audit::audit::plan::error::PlanError;
use deckproof_audit::audit::plan::subject::SubjectError;
use deckproof_audit::audit::plan::{Plan, Repeat};
use deckproof_audit::source::ask::AskError;
use deckproof_deck::key::{AuditKey, KeyError};
use deckproof_deck::text::toml_problem::TomlProblem;
use deckproof_files::file::{self, Access};

/// The version of frozen projects.
pub const CAMPAIGN_FORMAT: &str = "deckproof/campaign/v2";

/// The level of all audits of a project together, which they share after Holm.
pub const FAMILY_LEVEL: f64 = 0.01;

/// What is run, fixed before any data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    /// [`CAMPAIGN_FORMAT`].
    pub format: String,
    /// The number of the report.
    pub report: String,
    /// [`Project::question_sha256`].
    pub question_sha256: String,
    /// 32 random bytes, hexadecimal: two projects have two hashes, whatever their sources are.
    pub nonce: String,
    /// [`FAMILY_LEVEL`].
    pub level: f64,
    /// How much of the selftest runs.
    pub selftest: Extent,
    /// The lists of the items' files.
    pub files: Vec<FrozenFiles>,
    /// The raw output.
    pub raw: Vec<FrozenRaw>,
    /// The customer's files of words, and of words beside decks; campaigns without any have the hash that they always had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supplied: Vec<FrozenSupplied>,
    /// The audits, in the order in which they run.
    pub audits: Vec<FrozenAudit>,
}

/// The list of an item's files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenFiles {
    /// The item.
    pub item: String,
    /// SHA-256 of the list.
    pub manifest_sha256: String,
}

/// The raw output of an item's generator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenRaw {
    /// The item.
    pub item: String,
    /// The audit key whose words are counted; no audit of decks uses it.
    pub key: String,
    /// How many words in the first look; the repeat has the next four times as many.
    pub words: u64,
}

/// A file of the customer, as it was before anything of it was counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenSupplied {
    /// The item.
    pub item: String,
    /// What the file holds.
    pub holds: SuppliedKind,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// One audit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenAudit {
    /// Item and use: `main.decks`, `main.stud-hi.6`.
    pub id: String,
    /// The item.
    pub item: String,
    /// SHA-256 of the plan.
    pub plan_sha256: String,
    /// The plan.
    pub plan: Plan,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrozenFile {
    campaign_sha256: String,
    campaign: Frozen,
}

/// Why a project cannot be frozen, or a text is no frozen plan of a project.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FrozenError {
    /// A source that cannot be had.
    #[error("the source of the item {item}: {error}")]
    Source {
        /// Which item.
        item: String,
        /// Why.
        error: AskError,
    },
    /// The operating system gave no key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A number of the report that no plan can take.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// Not TOML, or not of a project.
    #[error("the frozen plan cannot be read: {0}")]
    Text(String),
    /// Of another version of this program; nothing is wrong with it.
    #[error("its format is {0:?}, wanted {CAMPAIGN_FORMAT:?}")]
    Version(String),
    /// A plan in it that this program does not run.
    #[error("the plan of {audit}: {error}")]
    Plan {
        /// Which audit.
        audit: String,
        /// Why.
        error: PlanError,
    },
    /// Other statistics than this version plans, all else being the same.
    #[error("the audit {0} has other statistics than this version of the program plans")]
    Statistics(String),
    /// More decks than the file of an item has.
    #[error("{0}")]
    TooMany(String),
    /// Changed after it was written, not what the project asks, or with what nobody may read.
    #[error("{0}")]
    Wrong(String),
}

impl FrozenError {
    /// What to do about it.
    pub fn advice(&self) -> String {
        match self {
            FrozenError::Source { error, .. } if !error.advice.is_empty() => format!(
                "Nothing was run. {} An option of deckproof audit goes into the settings of the item, such as \
                 settings = {{ format = \"indices\" }}.",
                error.advice
            ),
            FrozenError::TooMany(_) => {
                "Nothing was run. decks of the [[item]] are those of its audit of decks, and decks of a \
                                            [[usage]] those at each of its tables."
                    .to_owned()
            }
            _ => "Nothing was run.".to_owned(),
        }
    }
}

/// That a plan is not what the project asks.
fn of_another(what: String) -> FrozenError {
    FrozenError::Wrong(format!("the frozen plan is of another project: {what}"))
}

/// A plan with the statistics of another one, and the shares of the level that follow from them.
fn with_statistics_of(plan: Plan, other: &Plan) -> Plan {
    let repeat = plan.repeat.map(|own| Repeat {
        families: other
            .repeat
            .as_ref()
            .map_or_else(|| own.families.clone(), |repeat| repeat.families.clone()),
        ..own
    });
    Plan {
        repeat,
        families: other.families.clone(),
        statistics: other.statistics.clone(),
        sketches: other.sketches.clone(),
        ..plan
    }
}

impl Frozen {
    /// Freezes a project: fresh keys are made here, once; the lists of the items' files and the hashes of the customer's files are
    /// taken as they are.
    ///
    /// # Errors
    /// [`FrozenError`].
    pub fn of(
        project: &Project,
        manifests: &[(String, String)],
        supplied: Vec<FrozenSupplied>,
    ) -> Result<Frozen, FrozenError> {
        let number = &project.report.number;
        let freeze = |(asked, part): (Asked, Option<Range<u64>>)| {
            let source = match &part {
                Some(part) => part_of(asked.item, part)?,
                None => source_of(asked.item)?,
            };
            let decks = part.map(|part| part.end - part.start).or(asked.decks);
            let (record, decks) = source.record(decks).map_err(source_fault(asked.item))?;
            if record.access() == Access::OwnerOnly {
                return Err(FrozenError::Wrong(format!(
                    "the source of the item {} has a secret in its record, wanted one that may be published",
                    asked.item.id
                )));
            }
            let plan = asked.plan(number, record, decks)?;
            Ok(FrozenAudit { id: asked.id, item: asked.item.id.clone(), plan_sha256: plan.sha256(), plan })
        };
        let mut audits = Vec::new();
        for item in &project.item {
            let own = asked_of(project, item);
            let parts = match recorded(item)? {
                Some(records) => {
                    let all = records.end - records.start;
                    let over =
                        own.iter().find_map(|own| Some((own, own.decks.filter(|decks| *decks > all)?)));
                    if let Some((own, decks)) = over {
                        return Err(FrozenError::TooMany(format!(
                            "decks of the audit {}: found {decks}, wanted at most the {all} records of the file of its item",
                            own.id
                        )));
                    }
                    parts(&wanted(&own), &records).into_iter().map(Some).collect()
                }
                None => vec![None; own.len()],
            };
            for own in own.into_iter().zip(parts) {
                audits.push(freeze(own)?);
            }
        }
        let with_raw = project.item.iter().filter(|item| item.raw_words > 0);
        let raw = with_raw.map(|item| {
            let key = AuditKey::fresh()?.disclose().as_str().to_owned();
            Ok(FrozenRaw { item: item.id.clone(), key, words: item.raw_words })
        });
        let files = manifests
            .iter()
            .map(|(item, text)| FrozenFiles { item: item.clone(), manifest_sha256: file::sha256(text) });
        Ok(Frozen {
            format: CAMPAIGN_FORMAT.to_owned(),
            report: number.clone(),
            question_sha256: project.question_sha256(),
            nonce: AuditKey::fresh()?.disclose().as_str().to_owned(),
            level: FAMILY_LEVEL,
            selftest: project.selftest,
            files: files.collect(),
            raw: raw.collect::<Result<_, KeyError>>()?,
            supplied,
            audits,
        })
    }

    /// SHA-256 of the project as compact JSON with its fields in the order of this type: what a laboratory deposits
    /// before the first deck.
    pub fn sha256(&self) -> String {
        let text = serde_json::to_string(self).expect("a frozen plan is plain data");
        file::sha256(text)
    }

    /// The bytes of `plan.toml`.
    ///
    /// # Errors
    /// [`FrozenError::Text`]: TOML holds whole numbers up to 2^63 only.
    pub fn to_toml(&self) -> Result<String, FrozenError> {
        let file = FrozenFile { campaign_sha256: self.sha256(), campaign: self.clone() };
        toml::to_string(&file).map_err(|error| FrozenError::Text(error.to_string()))
    }

    /// Reads `plan.toml`, and checks that it is the one that was written and that this program runs its plans.
    ///
    /// # Errors
    /// [`FrozenError`].
    pub fn parse(text: &str) -> Result<Frozen, FrozenError> {
        check_format(text)?;
        let file: FrozenFile = toml::from_str(text).map_err(|error| {
            FrozenError::Text(TomlProblem::of(text, error.span(), error.message()).to_string())
        })?;
        let FrozenFile { campaign_sha256: stated, campaign } = file;
        let found = campaign.sha256();
        if found != stated {
            return Err(FrozenError::Wrong(format!(
                "the frozen plan has SHA-256 {found}, and says it is {stated}: it was changed after it was written"
            )));
        }
        if campaign.to_toml()? != text {
            return Err(FrozenError::Text("it is not written as this program writes it".to_owned()));
        }
        for audit in &campaign.audits {
            let failed = |error| FrozenError::Plan { audit: audit.id.clone(), error };
            audit.plan.check().map_err(failed)?;
            if audit.plan.sha256() != audit.plan_sha256 {
                return Err(of_another(format!(
                    "the hash of the plan of {} is not that of its plan",
                    audit.id
                )));
            }
        }
        Ok(campaign)
    }

    /// Checks that it asks what the project asks, no more and no less: only keys and hashes of sources are its own.
    ///
    /// # Errors
    /// [`FrozenError::Wrong`] naming what differs.
    pub fn check_against(&self, project: &Project) -> Result<(), FrozenError> {
        let other = |what: String| Err(of_another(what));
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if self.nonce.len() != 64 || !self.nonce.bytes().all(is_digit) {
            return other("its nonce is not 64 hexadecimal digits".to_owned());
        }
        if self.level != FAMILY_LEVEL {
            return other(format!("the level of all its audits is {}, wanted {FAMILY_LEVEL}", self.level));
        }
        let own = (&self.report, &self.question_sha256, self.selftest);
        if own != (&project.report.number, &project.question_sha256(), project.selftest) {
            return other(
                "the number of the report, the items, the tables or the numbers of decks".to_owned(),
            );
        }
        let asked = asked(project);
        if asked.len() != self.audits.len() {
            return other(format!("it has {} audits, wanted {}", self.audits.len(), asked.len()));
        }
        for (asked, audit) in asked.iter().zip(&self.audits) {
            let plan = asked.plan(&self.report, audit.plan.source.clone(), audit.plan.decks)?;
            let decks_fit = asked.decks.is_none_or(|decks| audit.plan.decks == Some(decks));
            let with_own = with_statistics_of(plan.clone(), &audit.plan);
            if (&asked.id, &asked.item.id, &with_own) != (&audit.id, &audit.item, &audit.plan) || !decks_fit {
                return other(format!("the audit {}", audit.id));
            }
            if plan != audit.plan {
                return Err(FrozenError::Statistics(audit.id.clone()));
            }
        }
        self.check_parts(project)?;
        let raw = project.item.iter().filter(|item| item.raw_words > 0);
        if !raw.map(|item| (&item.id, item.raw_words)).eq(self.raw.iter().map(|raw| (&raw.item, raw.words))) {
            return other("the raw output".to_owned());
        }
        let supplied = self.supplied.iter().map(|own| (own.item.as_str(), own.holds));
        if !supplied.eq(project.supplied().map(|(item, holds, _)| (item, holds))) {
            return other("the customer's files of words".to_owned());
        }
        let with_files = project.item.iter().filter(|item| !item.files.is_empty());
        if !with_files.map(|item| &item.id).eq(self.files.iter().map(|files| &files.item)) {
            return other("the lists of files".to_owned());
        }
        Ok(())
    }
}

impl Frozen {
    /// How the audits of each item with recorded decks use the records of its file.
    pub fn record_uses(&self) -> Vec<RecordUse> {
        let mut uses: Vec<RecordUse> = Vec::new();
        for audit in &self.audits {
            let all = audit.plan.source.number_if_any("file_records").ok().flatten();
            let (Some(all), false) = (all, uses.iter().any(|own| own.item == audit.item)) else { continue };
            let own = self.audits.iter().filter(|own| own.item == audit.item);
            let read = own.filter_map(|own| {
                let repeat = own.plan.repeat.as_ref().map_or(0, |repeat| repeat.decks);
                records_of(&own.plan.source).map(|part| (part, repeat))
            });
            uses.push(RecordUse::of(&audit.item, all, &read.collect::<Vec<_>>()));
        }
        uses
    }

    /// The items whose decks a program gives, which may give others when it is started again.
    pub fn items_of_programs(&self) -> Vec<&str> {
        let own = self.audits.iter().filter(|audit| audit.plan.source.is_stream());
        let mut items: Vec<&str> = own.map(|audit| audit.item.as_str()).collect();
        items.dedup();
        items
    }

    /// Checks that audits of one file read the parts of it that the rule gives them: nobody chose among records.
    fn check_parts(&self, project: &Project) -> Result<(), FrozenError> {
        for item in &project.item {
            let own: Vec<&FrozenAudit> = self.audits.iter().filter(|audit| audit.item == item.id).collect();
            let read: Option<Vec<Range<u64>>> =
                own.iter().map(|audit| records_of(&audit.plan.source)).collect();
            let (Some(read), Some(first)) = (read, own.first()) else { continue };
            let is_whole = !item.settings.contains_key("records");
            let all = first.plan.source.number_if_any("file_records").ok().flatten().unwrap_or(0);
            let wanted = parts(&wanted(&asked_of(project, item)), &(0..all));
            if is_whole && read != wanted {
                return Err(of_another(format!("the records that the audits of {} read", item.id)));
            }
        }
        Ok(())
    }
}

/// What another version froze may have other fields; its name of the format says so.
fn check_format(text: &str) -> Result<(), FrozenError> {
    let table: Result<toml::Table, _> = toml::from_str(text);
    let found =
        table.ok().and_then(|table| table.get("campaign")?.get("format")?.as_str().map(str::to_owned));
    match found {
        Some(found) if found != CAMPAIGN_FORMAT && found.starts_with(CAMPAIGN_NAME) => {
            Err(FrozenError::Version(found))
        }
        _ => Ok(()),
    }
}

/// What every version of a frozen project is called, before its number.
const CAMPAIGN_NAME: &str = "deckproof/campaign/";
