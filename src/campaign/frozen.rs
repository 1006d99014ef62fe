//! The frozen campaign: every plan with its hash, the keys of the raw output and the hashes of the item's files, fixed
//! before the first deck is drawn.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::audit::plan::Plan;
use crate::audit::plan::error::PlanError;
use crate::audit::plan::names::PlannedTable;
use crate::audit::plan::subject::{Subject, SubjectError};
use crate::audit::selection::Selection;
use crate::battery::Tier;
use crate::campaign::project::item::Item;
use crate::campaign::project::{Extent, Project};
use crate::file::Access;
use crate::key::{AuditKey, KeyError};
use crate::session::request::{AuditRequest, Repetition};
use crate::source::ask::{AskError, Source};
use crate::source::list::CATALOGUE;
use crate::source::record::SourceRecord;

/// The version of frozen campaigns.
pub const CAMPAIGN_FORMAT: &str = "deckproof/campaign/v1";

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
    /// How much of the selftest runs.
    pub selftest: Extent,
    /// The lists of the items' files.
    pub files: Vec<FrozenFiles>,
    /// The raw output.
    pub raw: Vec<FrozenRaw>,
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

/// Why a campaign cannot be frozen, or a text is no frozen campaign of a project.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrozenError {
    /// A source that cannot be had.
    #[error("the source of the item {item}: {error}")]
    Source {
        /// Which item.
        item: String,
        /// Why.
        error: AskError,
    },
    /// A source whose record holds what nobody may read.
    #[error("the source of the item {item} has a secret in its record, wanted one that may be published")]
    Secret {
        /// Which item.
        item: String,
    },
    /// The operating system gave no key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A number of the report that no plan can take.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// Not TOML, or not of a campaign.
    #[error("the frozen plan cannot be read: {0}")]
    Text(String),
    /// Changed after it was written.
    #[error(
        "the frozen plan has SHA-256 {found}, and says it is {said}: it was changed after it was written"
    )]
    Edited {
        /// The hash of what stands there.
        found: String,
        /// The hash it was written with.
        said: String,
    },
    /// A plan in it that this program does not run.
    #[error("the plan of {audit}: {error}")]
    Plan {
        /// Which audit.
        audit: String,
        /// Why.
        error: PlanError,
    },
    /// Not what the project asks.
    #[error("the frozen plan is of another project: {what}")]
    Other {
        /// What differs.
        what: String,
    },
}

/// What an audit of a project is asked, without its source.
pub struct Asked<'a> {
    /// Item and use.
    pub id: String,
    /// The item.
    pub item: &'a Item,
    decks: Option<u64>,
    selection: Selection,
}

/// The audits of a project: the decks of each item, then the hands dealt from them at each table.
pub fn asked(project: &Project) -> Vec<Asked<'_>> {
    project.item.iter().flat_map(|item| asked_of(project, item)).collect()
}

fn asked_of<'a>(project: &'a Project, item: &'a Item) -> Vec<Asked<'a>> {
    let tiers = item.tiers();
    let of_decks = Asked {
        id: format!("{}.decks", item.id),
        item,
        decks: item.decks,
        selection: Selection::of_tiers(&tiers),
    };
    let mut all = vec![of_decks];
    let mut seen = BTreeSet::new();
    for usage in project.usage.iter().filter(|usage| usage.is_of(item)) {
        for table in usage.tables() {
            let id = format!("{}.{}.{}", item.id, table.rules, table.players);
            if seen.insert(id.clone()) {
                all.push(Asked { id, item, decks: usage.decks, selection: of_table(&table) });
            }
        }
    }
    all
}

/// The statistics of the hands that a table deals, and nothing else.
fn of_table(table: &PlannedTable) -> Selection {
    Selection::of_tiers(&[Tier::Stud]).at_table(table.table())
}

impl Asked<'_> {
    /// The source that the project names.
    ///
    /// # Errors
    /// [`FrozenError::Source`].
    pub fn source(&self) -> Result<Box<dyn Source>, FrozenError> {
        source_of(self.item)
    }

    /// The plan on a source of this record.
    fn plan(&self, number: &str, record: SourceRecord, decks: Option<u64>) -> Result<Plan, FrozenError> {
        let subject = Subject::default().with("report", number)?.with("audit", &self.id)?;
        let request = AuditRequest {
            decks: self.decks,
            selection: self.selection.clone(),
            start_order: None,
            repetition: Repetition::Planned,
            program_sha256: source_of(self.item)?.program_sha256().map_err(|error| self.failed(error))?,
            subject,
        };
        Ok(request.plan(record, decks))
    }

    fn failed(&self, error: AskError) -> FrozenError {
        FrozenError::Source { item: self.item.id.clone(), error }
    }
}

fn source_of(item: &Item) -> Result<Box<dyn Source>, FrozenError> {
    let failed = |error| FrozenError::Source { item: item.id.clone(), error };
    CATALOGUE.ask(OsStr::new(&item.source), &item.settings()).map_err(failed)
}

impl Frozen {
    /// Freezes a project: fresh keys are made here, once, and the lists of the items' files are taken as they are.
    ///
    /// # Errors
    /// [`FrozenError`].
    pub fn of(project: &Project, manifests: &[(String, String)]) -> Result<Frozen, FrozenError> {
        let number = &project.report.number;
        let freeze = |asked: Asked| {
            let (record, decks) = asked.source()?.record(asked.decks).map_err(|error| asked.failed(error))?;
            if record.access() == Access::OwnerOnly {
                return Err(FrozenError::Secret { item: asked.item.id.clone() });
            }
            let plan = asked.plan(number, record, decks)?;
            Ok(FrozenAudit { id: asked.id, item: asked.item.id.clone(), plan_sha256: plan.sha256(), plan })
        };
        let audits = asked(project).into_iter().map(freeze).collect::<Result<_, FrozenError>>()?;
        let with_raw = project.item.iter().filter(|item| item.raw_words > 0);
        let raw = with_raw.map(|item| {
            let key = AuditKey::fresh()?.disclose().as_str().to_owned();
            Ok(FrozenRaw { item: item.id.clone(), key, words: item.raw_words })
        });
        let files = manifests.iter().map(|(item, text)| FrozenFiles {
            item: item.clone(),
            manifest_sha256: base16ct::lower::encode_string(&Sha256::digest(text)),
        });
        Ok(Frozen {
            format: CAMPAIGN_FORMAT.to_owned(),
            report: number.clone(),
            question_sha256: project.question_sha256(),
            selftest: project.selftest,
            files: files.collect(),
            raw: raw.collect::<Result<_, KeyError>>()?,
            audits,
        })
    }

    /// SHA-256 of the campaign as compact JSON with its fields in the order of this type: what a laboratory deposits
    /// before the first deck.
    pub fn sha256(&self) -> String {
        let text = serde_json::to_string(self).expect("a campaign is plain data");
        base16ct::lower::encode_string(&Sha256::digest(text))
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
        let file: FrozenFile =
            toml::from_str(text).map_err(|error| FrozenError::Text(error.message().replace('\n', ", ")))?;
        let FrozenFile { campaign_sha256: said, campaign } = file;
        let found = campaign.sha256();
        if found != said {
            return Err(FrozenError::Edited { found, said });
        }
        if campaign.to_toml()? != text {
            return Err(FrozenError::Text("it is not written as this program writes it".to_owned()));
        }
        for audit in &campaign.audits {
            let failed = |error| FrozenError::Plan { audit: audit.id.clone(), error };
            audit.plan.check().map_err(failed)?;
            if audit.plan.sha256() != audit.plan_sha256 {
                let what = format!("the hash of the plan of {} is not that of its plan", audit.id);
                return Err(FrozenError::Other { what });
            }
        }
        Ok(campaign)
    }

    /// Checks that it asks what the project asks, no more and no less: only keys and hashes of sources are its own.
    ///
    /// # Errors
    /// [`FrozenError::Other`] naming what differs.
    pub fn check_against(&self, project: &Project) -> Result<(), FrozenError> {
        let other = |what: String| Err(FrozenError::Other { what });
        if self.format != CAMPAIGN_FORMAT {
            return other(format!("its format is {:?}, wanted {CAMPAIGN_FORMAT:?}", self.format));
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
            if (&asked.id, &asked.item.id, &plan) != (&audit.id, &audit.item, &audit.plan) || !decks_fit {
                return other(format!("the audit {}", audit.id));
            }
        }
        let raw = project.item.iter().filter(|item| item.raw_words > 0);
        if !raw.map(|item| (&item.id, item.raw_words)).eq(self.raw.iter().map(|raw| (&raw.item, raw.words))) {
            return other("the raw output".to_owned());
        }
        let with_files = project.item.iter().filter(|item| !item.files.is_empty());
        if !with_files.map(|item| &item.id).eq(self.files.iter().map(|files| &files.item)) {
            return other("the lists of files".to_owned());
        }
        Ok(())
    }
}
