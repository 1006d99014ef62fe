//! The results of an audit put where they belong: certificate and page, tables, shards. Nothing is printed.

pub mod bundles;
pub mod hands;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::document::words::Language;
use crate::rendering::audit::page::page_of;
use crate::rendering::audit::{Beginning, PageRun, csv};
use crate::report;
use crate::report::page::Page;
use deckproof_audit::audit::checkpoint;
use deckproof_audit::audit::plan::{Plan, Shard};
use deckproof_audit::audit::run::RunState;
use deckproof_audit::certificate::{AuditResult, Certificate};
use deckproof_audit::session::extreme::ExtremeDeck;
use deckproof_audit::session::folder::{
    CertificateText, ResultFolder, ResultFolderError, check_writable, write_results,
};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::lock::PathLock;
use deckproof_files::file::{self, Access};

/// When a run began and on what, for its page; never in the certificate.
pub struct Started {
    /// Wall-clock time, UTC.
    pub time: String,
    /// What began then.
    pub beginning: Beginning,
    /// Operating system, processor architecture and number of processors.
    pub machine: String,
    /// The names of the files whose decks are read, without their folders.
    pub files: Vec<String>,
    /// Where the record is that was no deck: file, record, line.
    pub bad_record: Option<String>,
    /// The deck that decided, where it was read again.
    pub extreme_deck: Option<ExtremeDeck>,
    /// What was taken on the word of shards, or what records leave open, a sentence each.
    pub believed: Vec<String>,
    /// The language of its page.
    pub language: Language,
    /// How many seconds ago it began.
    pub seconds: Box<dyn Fn() -> f64>,
}

impl Started {
    /// The same, reading these files.
    pub fn reading(self, files: Vec<String>) -> Started {
        Started { files, ..self }
    }

    /// The same, where a record was no deck.
    pub fn with_bad_record(self, place: Option<&str>) -> Started {
        Started { bad_record: place.map(str::to_owned), ..self }
    }

    /// The same, where one deck decided.
    pub fn with_extreme_deck(self, extreme_deck: Option<ExtremeDeck>) -> Started {
        Started { extreme_deck, ..self }
    }

    /// The same, of which this begins.
    pub fn beginning(self, beginning: Beginning) -> Started {
        Started { beginning, ..self }
    }

    /// The same, with what was not checked.
    pub fn believing(self, believed: Vec<String>) -> Started {
        Started { believed, ..self }
    }

    /// The same, in this language.
    pub fn speaking(self, language: Language) -> Started {
        Started { language, ..self }
    }

    /// The run that ends now with this certificate, for its page.
    pub fn run(&self, certificate_sha256: &str) -> PageRun {
        PageRun::Audited {
            begun: self.time.clone(),
            beginning: self.beginning,
            seconds: (self.seconds)(),
            machine: self.machine.clone(),
            files: self.files.clone(),
            bad_record: self.bad_record.clone(),
            extreme_deck: self.extreme_deck.clone(),
            believed: self.believed.clone(),
            certificate_sha256: certificate_sha256.to_owned(),
        }
    }
}

/// Where results go.
#[derive(Debug, Clone)]
pub struct ResultPlace {
    /// The folder of certificate and page; one named after the certificate's hash where none is given.
    pub out: Option<PathBuf>,
    /// The folder of the tables, if they are wanted.
    pub csv: Option<PathBuf>,
}

/// Results that are on the disk.
pub struct WrittenResults {
    /// The folder.
    pub folder: PathBuf,
    /// What was laid out.
    pub page: Page,
}

impl ResultPlace {
    /// This folder, and no tables.
    pub fn folder(folder: PathBuf) -> ResultPlace {
        ResultPlace { out: Some(folder), csv: None }
    }

    /// Takes the folder for this run, and refuses before a long run what would be refused after it: a folder that
    /// another run is to fill or that cannot be written, another certificate in its place, tables of another audit.
    ///
    /// # Errors
    /// [`CouldNotSay`] naming what is there.
    pub fn take(&self, plan_sha256: &str) -> Result<Option<ResultFolder>, CouldNotSay> {
        if let Some(folder) = &self.csv {
            check_writable(folder).map_err(|error| advised(error, "--csv"))?;
            if fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()) {
                let advice = "Tables of two audits would be mixed; choose another --csv.";
                return Err(CouldNotSay::new(format!("{} is not empty", folder.display()), advice));
            }
        }
        let Some(folder) = &self.out else { return Ok(None) };
        ResultFolder::take(folder, plan_sha256).map(Some).map_err(|error| advised(error, "--out"))
    }

    /// Writes certificate and report.
    ///
    /// # Errors
    /// [`CouldNotSay`]: what could not be written. No certificate is left half-written.
    pub fn write(&self, certificate: &Certificate, started: &Started) -> Result<WrittenResults, CouldNotSay> {
        let text = CertificateText::of(certificate);
        let by_hash = || PathBuf::from(format!("audit-{}", &text.sha256[..16]));
        let folder = self.out.clone().unwrap_or_else(by_hash);
        let page = write_into(&folder, certificate, &text, started)?;
        Ok(WrittenResults { folder, page })
    }

    /// Writes the tables, if they are wanted.
    ///
    /// # Errors
    /// As [`write_tables`].
    pub fn write_tables(&self, result: &AuditResult) -> Result<(), CouldNotSay> {
        self.csv.as_ref().map_or(Ok(()), |folder| write_tables(folder, result))
    }

    /// Writes a finished shard, which has no verdict of its own, and says which file it is.
    ///
    /// # Errors
    /// [`CouldNotSay`]: what could not be written.
    pub fn write_shard(
        &self,
        plan: &Plan,
        shard: Shard,
        standing: &RunState,
    ) -> Result<PathBuf, CouldNotSay> {
        let Shard { index, count } = shard;
        let folder = self
            .out
            .clone()
            .unwrap_or_else(|| PathBuf::from(format!("audit-{}-shards", &plan.sha256()[..16])));
        fs::create_dir_all(&folder).map_err(|error| cannot_write(&folder, &error))?;
        let path = folder.join(format!("shard-{index}-of-{count}.tally"));
        let _turn = PathLock::take(&path).map_err(|error| advised(error.into(), "--out"))?;
        let is_other = checkpoint::read(&path)
            .map_or(true, |saved| saved.is_some_and(|saved| saved.plan != *plan || saved.shard != shard));
        if is_other {
            return Err(CouldNotSay::new(
                format!("{} is not a shard of this audit and is not overwritten", path.display()),
                "Choose another --out.",
            ));
        }
        checkpoint::write(&path, plan, shard, None, standing).map_err(|error| cannot_write(&path, &error))?;
        Ok(path)
    }
}

/// Writes certificate and report into the folder; the page is what was laid out.
fn write_into(
    folder: &Path,
    certificate: &Certificate,
    text: &CertificateText,
    started: &Started,
) -> Result<Page, CouldNotSay> {
    let html = report::all().iter().find(|format| format.name() == "html").expect("HTML is in the list");
    let (run, words) = (started.run(&text.sha256), started.language.words());
    let mut page = None;
    let lay_out = || html.write(page.insert(page_of(certificate, &run, words)));
    write_results(folder, text, lay_out).map_err(|error| advised(error, "--out"))?;
    Ok(page.expect("it was laid out to be written"))
}

/// Writes the tables of an audit into a folder, each whole or not at all.
///
/// # Errors
/// [`CouldNotSay`] naming the file that cannot be written.
pub fn write_tables(folder: &Path, result: &AuditResult) -> Result<(), CouldNotSay> {
    let failed = |path: &Path, error: io::Error| {
        CouldNotSay::new(format!("{} cannot be written: {error}", path.display()), "")
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for sheet in csv::sheets_of(result) {
        let path = folder.join(&sheet.name);
        file::write_atomic(&path, sheet.text.as_bytes(), Access::Public)
            .map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &io::Error) -> CouldNotSay {
    CouldNotSay::new(format!("{} cannot be written: {error}", path.display()), "No certificate was issued.")
}

/// What to do about it; the option names the folder.
fn advised(error: ResultFolderError, option: &str) -> CouldNotSay {
    let advice = match error {
        ResultFolderError::Write { .. } => "No certificate was issued.".to_owned(),
        ResultFolderError::Lock(_) => {
            format!("No certificate was issued: wait until it has ended, or choose another {option}.")
        }
        _ => format!("Choose another {option}."),
    };
    CouldNotSay::new(error, &advice)
}
