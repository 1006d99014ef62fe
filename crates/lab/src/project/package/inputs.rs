//! What a package keeps because nobody can compute it again: project, plan, certificates, counts, lists, amendments.

pub mod amendments;
mod handed_in;

use std::collections::BTreeMap;
use std::io;
use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::external;
use crate::external::listing::Attached;
use crate::project::between::BetweenAudits;
use crate::project::frozen::{Frozen, FrozenAudit, FrozenError, FrozenFiles, FrozenRaw};
use crate::project::logo::{self, LOGO};
use crate::project::package::fault::{Fault, FaultKind};
use crate::project::package::files::{PackageFiles, pretty};
use crate::project::package::inputs::amendments::{Amendment, amendments_text, read_amendments};
use crate::project::package::inputs::handed_in::{read_supplied, read_tests};
use crate::project::raw::RawRecord;
use crate::project::run;
use crate::project::settings::{Project, ProjectError};
use crate::project::supplied::pairs::{PairsRecord, pairs_name, table_name};
use crate::project::supplied::{WordsRecord, words_name};
use crate::project::supplied_decks::kept_name;
use crate::project::tested::{RunRecord, output_name, run_name};
use deckproof_audit::certificate::rejudge::{Inconsistency, rejudge};
use deckproof_audit::certificate::{Certificate, ReadError, Tool};
use deckproof_audit::manifest::Manifest;
use deckproof_audit::selftest::{
    Check, DRAWS_CLAIM, SELFTEST_FORMAT, SelftestCertificate, draws, known_answers,
};
use deckproof_files::file::sha256;

/// The version of `runs.json`, and of `amendments.json` whose amendments do not say what the revision before stated.
const KEPT_FORMAT: &str = "deckproof/kept/v1";

/// The version of `runs.json` that says which audits have decks in common.
const COMPARED_FORMAT: &str = "deckproof/kept/v2";

/// What happened while the project ran.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runs {
    /// Its version.
    pub format: String,
    /// The program that wrote the report; each certificate names the one that counted.
    pub tool: Tool,
    /// The pages that it wrote, such as `report.html`.
    pub pages: Vec<String>,
    /// How often an audit was begun again from the start, because its source cannot be resumed.
    pub aborted: BTreeMap<String, u64>,
    /// Which audits have decks in common; earlier builds did not look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<BetweenAudits>,
}

impl Runs {
    /// Nothing happened yet.
    pub fn new(tool: Tool, pages: Vec<String>) -> Runs {
        Runs { format: KEPT_FORMAT.to_owned(), tool, pages, aborted: BTreeMap::new(), between: None }
    }

    /// The same with which audits have decks in common, where that was looked for.
    pub fn compared(self, between: Option<BetweenAudits>) -> Runs {
        let format = Runs::format_of(between.as_ref()).to_owned();
        Runs { format, between, ..self }
    }

    fn format_of(between: Option<&BetweenAudits>) -> &'static str {
        if between.is_some() { COMPARED_FORMAT } else { KEPT_FORMAT }
    }
}

/// What cannot be computed again.
pub struct Inputs {
    /// The text of the project.
    pub project_text: String,
    /// What it says.
    pub project: Project,
    /// What was frozen.
    pub frozen: Frozen,
    /// The lists of the items' files, in the order of the frozen project.
    pub manifests: Vec<Manifest>,
    /// The certificates, in the order of the frozen project.
    pub certificates: Vec<Certificate>,
    /// Their texts: a number may be written in more ways than one.
    pub certificate_texts: Vec<String>,
    /// The counts of the raw output, in the order of the frozen project.
    pub raw: Vec<RawRecord>,
    /// The counts of customers' words, in the order of the frozen campaign.
    pub words: Vec<ItemWords>,
    /// What customers' tables of words beside decks showed, in the same order.
    pub pairs: Vec<ItemPairs>,
    /// What the tool found out about itself.
    pub selftest: SelftestCertificate,
    /// The amendments, the first one first.
    pub amendments: Vec<Amendment>,
    /// What happened meanwhile.
    pub runs: Runs,
    /// The mark of the laboratory, where it has one.
    pub logo: Option<Vec<u8>>,
    /// Results of others, as they were received.
    pub external: PackageFiles,
    /// Decks that nobody has a second time, by the names of their files.
    pub kept: PackageFiles,
    /// The test programs that the campaign ran, in the order of the project.
    pub tests: Vec<TestMade>,
    /// Results of known programs, as they tell them: those of others in the order of the project, then those of the campaign's runs.
    pub attached: Vec<Attached>,
}

/// An item and the counts of its words.
pub type ItemWords = (String, WordsRecord);

/// An item, what its table of words beside decks showed, and the table.
pub type ItemPairs = (String, PairsRecord, Vec<u8>);

/// A test program that the campaign ran, or did not find.
pub struct TestMade {
    /// What happened.
    pub record: RunRecord,
    /// What it wrote, where it ran.
    pub output: Option<Vec<u8>>,
    /// Why its results could not be read, where they were to be.
    pub unread: Option<String>,
}

/// Where the certificate of an audit is.
pub fn certificate_name(audit: &str) -> String {
    format!("certificates/{audit}.json")
}

/// Where the counts of an item's raw output stand.
pub fn raw_name(item: &str) -> String {
    format!("raw/{item}.json")
}

/// Where the list of an item's files is.
pub fn manifest_name(item: &str) -> String {
    format!("item/{item}.manifest")
}

/// Where a result of others is.
pub fn external_name(name: &str) -> String {
    format!("external/{name}")
}

/// Gives the bytes of a file of the package.
type Read<'a> = &'a dyn Fn(&str) -> io::Result<Vec<u8>>;

fn unsound(file: &str, fault: impl ToString) -> Fault {
    Fault::new(file, FaultKind::Unsound, fault)
}

fn other_version(file: &str, fault: impl ToString) -> Fault {
    Fault { is_of_another_version: true, ..unsound(file, fault) }
}

fn bytes(read: Read, file: &str) -> Result<Vec<u8>, Fault> {
    read(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Fault::new(file, FaultKind::Missing, error),
        _ => unsound(file, error),
    })
}

fn text(read: Read, file: &str) -> Result<String, Fault> {
    String::from_utf8(bytes(read, file)?).map_err(|error| unsound(file, error))
}

/// What this program wrote into a file: plain data in which `fault` finds nothing, and in no other text than its own.
fn kept<T: DeserializeOwned + Serialize>(
    read: Read,
    file: &str,
    fault: impl FnOnce(&T) -> Option<String>,
) -> Result<T, Fault> {
    let text = text(read, file)?;
    let kept: T = serde_json::from_str(&text).map_err(|error| unsound(file, error))?;
    match fault(&kept) {
        Some(fault) => Err(unsound(file, fault)),
        None if pretty(&kept) != text => Err(unsound(file, NOT_AS_WRITTEN)),
        None => Ok(kept),
    }
}

/// What is wrong with a file that says the same in another text.
const NOT_AS_WRITTEN: &str = "it is not written as this program writes it";

impl Inputs {
    /// Reads everything, each file once, and checks that the files are sound and belong together; `own_commit` is that
    /// of the program that reads.
    ///
    /// # Errors
    /// [`Fault`] naming the first file that is not.
    pub fn read(read: Read, own_commit: &str) -> Result<Inputs, Fault> {
        let project_text = text(read, "project.toml")?;
        let project =
            Project::parse(&project_text).map_err(|error: ProjectError| unsound("project.toml", error))?;
        let frozen = read_frozen(read, &project)?;
        let manifests = read_manifests(read, &frozen)?;
        let (certificates, certificate_texts) = read_certificates(read, &frozen, own_commit)?;
        let raw = read_raw(read, &frozen)?;
        let (words, pairs) = read_supplied(read, &project, &frozen)?;
        let selftest = read_selftest(read, own_commit)?;
        let amendments = read_amendments(read)?;
        let runs = read_runs(read, &frozen)?;
        let external = project.external.iter().map(|external| {
            let name = external_name(external.name());
            bytes(read, &name).map(|bytes| (name, bytes))
        });
        let external = external.collect::<Result<PackageFiles, Fault>>()?;
        let logo = project.laboratory.logo().map(|_| {
            let bytes = bytes(read, LOGO)?;
            logo::check(&bytes).map_err(|fault| unsound(LOGO, fault))?;
            Ok(bytes)
        });
        let logo = logo.transpose()?;
        let mut attached = read_attached(&project, &external, runs.tool.commit == own_commit)?;
        let tests = read_tests(read, &project, &frozen, &runs.tool, &mut attached)?;
        let kept = read_kept(read, &project, &frozen)?;
        Ok(Inputs {
            project_text,
            project,
            frozen,
            manifests,
            certificates,
            certificate_texts,
            raw,
            words,
            pairs,
            selftest,
            amendments,
            runs,
            logo,
            external,
            kept,
            tests,
            attached,
        })
    }

    /// The list of an item's files, where it has some.
    pub fn list_of(&self, item: &str) -> Option<&Manifest> {
        let mut all = self.frozen.files.iter().zip(&self.manifests);
        all.find(|(files, _)| files.item == item).map(|(_, manifest)| manifest)
    }

    /// The audits of an item, or all, each with its certificate.
    pub fn audits<'a>(
        &'a self,
        item: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a FrozenAudit, &'a Certificate)> {
        let all = self.frozen.audits.iter().zip(&self.certificates);
        all.filter(move |(audit, _)| item.is_none_or(|item| audit.item == item))
    }

    /// The revision of the report.
    pub fn revision(&self) -> u32 {
        self.amendments.last().map_or(1, |amendment| amendment.revision)
    }

    /// The counts of customers' words, each with its item.
    pub fn words(&self) -> impl Iterator<Item = (&str, &WordsRecord)> {
        self.words.iter().map(|(item, record)| (item.as_str(), record))
    }

    /// What customers' tables of words beside decks showed, each with its item and the table.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &PairsRecord, &[u8])> {
        self.pairs.iter().map(|(item, record, table)| (item.as_str(), record, table.as_slice()))
    }

    /// The files.
    pub fn files(&self) -> PackageFiles {
        let mut files = self.external.clone();
        files.extend(self.logo.clone().map(|logo| (LOGO.to_owned(), logo)));
        files.extend(self.kept.clone());
        for (item, record) in self.words() {
            files.insert(words_name(item), pretty(record).into_bytes());
        }
        for test in &self.tests {
            let id = &test.record.id;
            files.insert(run_name(id), pretty(&test.record).into_bytes());
            files.extend(test.output.clone().map(|output| (output_name(id), output)));
        }
        for (item, record, table) in self.pairs() {
            files.insert(pairs_name(item), pretty(record).into_bytes());
            files.insert(table_name(item), table.to_owned());
        }
        let mut put = |name: String, text: String| files.insert(name, text.into_bytes());
        put("project.toml".to_owned(), self.project_text.clone());
        put("plan.toml".to_owned(), self.frozen.to_toml().expect("it was written as TOML before"));
        for (own, manifest) in self.frozen.files.iter().zip(&self.manifests) {
            put(manifest_name(&own.item), manifest.to_string());
        }
        for (audit, text) in self.frozen.audits.iter().zip(&self.certificate_texts) {
            put(certificate_name(&audit.id), text.clone());
        }
        for record in &self.raw {
            put(raw_name(&record.item), pretty(record));
        }
        put("selftest.json".to_owned(), pretty(&self.selftest));
        put("amendments.json".to_owned(), amendments_text(&self.amendments));
        put("runs.json".to_owned(), pretty(&self.runs));
        files
    }
}

/// The decks of items that keep theirs.
fn read_kept(read: Read, project: &Project, frozen: &Frozen) -> Result<PackageFiles, Fault> {
    let keeps =
        |audit: &&FrozenAudit| project.item.iter().any(|item| item.id == audit.item && item.keep_stream);
    let kept = frozen.audits.iter().filter(keeps).map(|audit| {
        let name = kept_name(&audit.id);
        bytes(read, &name).map(|bytes| (name, bytes))
    });
    kept.collect()
}

/// The results of known programs; another build may have read more of them.
fn read_attached(
    project: &Project,
    files: &PackageFiles,
    is_own_build: bool,
) -> Result<Vec<Attached>, Fault> {
    let unread = |name: &str, error: String| {
        if is_own_build { unsound(name, error) } else { other_version(name, error) }
    };
    let known = project.external.iter().filter_map(|own| own.program.map(|program| (own, program)));
    let attached = known.map(|(own, program)| {
        let name = external_name(own.name());
        let bytes = &files[&name];
        Ok(Attached {
            results: external::read(program, bytes).map_err(|error| unread(&name, error))?,
            sha256: sha256(bytes),
            file: name,
            by: own.provider.clone(),
            of: own.of.clone(),
            date: own.made,
        })
    });
    attached.collect()
}

fn read_frozen(read: Read, project: &Project) -> Result<Frozen, Fault> {
    let file = "plan.toml";
    let failed = |error: FrozenError| match &error {
        FrozenError::Version { .. } | FrozenError::Statistics { .. } => other_version(file, error),
        FrozenError::Plan { error: own, .. } if own.is_of_another_version() => other_version(file, error),
        _ => unsound(file, error),
    };
    let frozen = Frozen::parse(&text(read, file)?).map_err(failed)?;
    frozen.check_against(project).map_err(failed)?;
    Ok(frozen)
}

fn read_manifests(read: Read, frozen: &Frozen) -> Result<Vec<Manifest>, Fault> {
    let manifest = |own: &FrozenFiles| {
        let file = manifest_name(&own.item);
        let text = text(read, &file)?;
        if sha256(text.as_bytes()) != own.manifest_sha256 {
            return Err(unsound(&file, "it is not the list whose hash was frozen"));
        }
        text.parse::<Manifest>().map_err(|error| unsound(&file, error))
    };
    frozen.files.iter().map(manifest).collect()
}

fn read_certificates(
    read: Read,
    frozen: &Frozen,
    own_commit: &str,
) -> Result<(Vec<Certificate>, Vec<String>), Fault> {
    let certificate = |audit: &FrozenAudit| {
        let file = certificate_name(&audit.id);
        let text = text(read, &file)?;
        let certificate = Certificate::read(text.as_bytes()).map_err(|error| match error {
            ReadError::Format(_) => other_version(&file, error),
            error => unsound(&file, error),
        })?;
        let is_of_another = |error: &Inconsistency| {
            let is_worded_here = certificate.tool.commit == own_commit;
            error.is_of_another_version() || matches!(error, Inconsistency::Words(_)) && !is_worded_here
        };
        if let Some(error) = rejudge(&certificate.result).err().filter(is_of_another) {
            return Err(other_version(&file, error));
        }
        run::check(audit, &certificate.result).map_err(|error| unsound(&file, error))?;
        Ok((certificate, text))
    };
    frozen.audits.iter().map(certificate).collect()
}

fn read_raw(read: Read, frozen: &Frozen) -> Result<Vec<RawRecord>, Fault> {
    let record =
        |asked: &FrozenRaw| kept(read, &raw_name(&asked.item), |record: &RawRecord| record.fault(asked));
    frozen.raw.iter().map(record).collect()
}

fn read_selftest(read: Read, own_commit: &str) -> Result<SelftestCertificate, Fault> {
    let file = "selftest.json";
    let text = text(read, file)?;
    let selftest: SelftestCertificate = serde_json::from_str(&text).map_err(|error| unsound(file, error))?;
    if selftest.format != SELFTEST_FORMAT {
        let found = format!("found the format {:?}, wanted {SELFTEST_FORMAT:?}", selftest.format);
        return Err(other_version(file, found));
    }
    if selftest.has_passed != selftest.checks.iter().all(|check| check.has_passed) {
        return Err(unsound(file, "its verdict is not that of its checks"));
    }
    // What takes no second is found again, whatever this processor calls its instructions; the rest only by running it.
    if !has_known_answers(&selftest.checks) {
        let own = (env!("CARGO_PKG_VERSION"), own_commit);
        let what = "its known answers are not those of this program";
        return Err(if (selftest.tool.version.as_str(), selftest.tool.commit.as_str()) == own {
            unsound(file, what)
        } else {
            other_version(file, what)
        });
    }
    if pretty(&selftest) == text { Ok(selftest) } else { Err(unsound(file, NOT_AS_WRITTEN)) }
}

/// Whether checks begin with the claims of this program that take no second, with the same answers.
fn has_known_answers(checks: &[Check]) -> bool {
    static OWN: LazyLock<Vec<Check>> = LazyLock::new(known_answers);
    static DRAWS: LazyLock<Check> = LazyLock::new(draws);
    // Earlier builds did not count the draws out; who says to have done it says what this program finds.
    let mut counted = checks.iter().filter(|check| check.claim == DRAWS_CLAIM);
    checks.len() >= OWN.len()
        && OWN.iter().zip(checks).all(|(own, check)| is_same_claim(own, check))
        && counted.all(|check| *check == *DRAWS)
}

/// Whether two checks claim the same and end alike; what was found names the processor's instructions.
pub fn is_same_claim(one: &Check, other: &Check) -> bool {
    (&one.claim, one.has_passed) == (&other.claim, other.has_passed)
}

fn read_runs(read: Read, frozen: &Frozen) -> Result<Runs, Fault> {
    kept(read, "runs.json", |runs: &Runs| {
        if !runs.aborted.keys().all(|id| frozen.audits.iter().any(|audit| audit.id == *id)) {
            return Some("it tells of an audit that was not frozen".to_owned());
        }
        let fault = runs.between.as_ref().and_then(|between| between.fault(frozen));
        fault.or_else(|| {
            (runs.format != Runs::format_of(runs.between.as_ref())).then(|| NOT_AS_WRITTEN.to_owned())
        })
    })
}
