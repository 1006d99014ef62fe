//! Writing what an audit found: certificate and report first, then standard output.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::audit::checkpoint;
use crate::audit::plan::{Plan, Shard};
use crate::audit::run::RunState;
use crate::audit::verdict::Verdict;
use crate::certificate::words::verdict_sentence;
use crate::certificate::{AuditResult, Certificate};
use crate::cli::screen::{self, Style};
use crate::cli::tool::{self, Started};
use crate::file::lock::PathLock;
use crate::file::{self, Access};
use crate::math::decimal::thousands;
use crate::presentation::audit::page::page_of;
use crate::presentation::audit::table::tables;
use crate::presentation::audit::{csv, outcome};
use crate::report;
use crate::report::page::Page;
use crate::report::summary::summary;
use crate::session::folder::{
    CERTIFICATE, CertificateText, REPORT, ResultFolder, ResultFolderError, check_writable, write_results,
};
use crate::text::could_not_say::CouldNotSay;
use crate::text::exit::Exit;

/// Where results go.
#[derive(Args, Debug, Clone)]
pub struct Output {
    /// Write certificate.json and report.html here. Default: a new directory audit-HASH.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write every count table and all p-values as CSV files into DIR, with a README.txt of their layout.
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// Print the outcome as one JSON object on standard output and nothing else there.
    #[arg(long)]
    pub json: bool,
    /// No progress bar, and one line only: the verdict and whose decks they are.
    #[arg(long)]
    pub quiet: bool,
    /// Print every p-value, the smallest first, before the verdict.
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    pub table: bool,
}

impl Output {
    /// Takes the folder for this run, and refuses before a long run what would be refused after it: a folder that
    /// another run is to fill or that cannot be written, another certificate in its place, tables of another audit.
    ///
    /// # Errors
    /// [`CouldNotSay`] naming what stands there.
    pub fn take_room(&self, plan_sha256: &str) -> Result<Option<ResultFolder>, CouldNotSay> {
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

    /// Writes certificate and report, prints the outcome, and says how it ended.
    ///
    /// # Errors
    /// [`CouldNotSay`]: what could not be written. No certificate is left half-written.
    pub fn publish(&self, result: AuditResult, started: &Started) -> Result<Exit, CouldNotSay> {
        let certificate = Output::certificate(result);
        let text = CertificateText::of(&certificate);
        let folder = self.folder(&text);
        let page = write_into(&folder, &certificate, &text, started)?;
        let tables =
            |()| self.csv.as_ref().map_or(Ok(()), |folder| write_tables(folder, &certificate.result));
        self.print(&folder, &certificate.result, &page).and_then(tables).map_err(|CouldNotSay(reason)| {
            let advice = "The certificate and the report are whole";
            CouldNotSay(format!("{reason} {advice}: {}.", folder.join(CERTIFICATE).display()))
        })?;
        Ok(exit_of(certificate.result.verdict))
    }

    /// Writes certificate and report and prints nothing.
    ///
    /// # Errors
    /// [`CouldNotSay`]: what could not be written.
    pub fn write(&self, certificate: &Certificate, started: &Started) -> Result<(), CouldNotSay> {
        let text = CertificateText::of(certificate);
        write_into(&self.folder(&text), certificate, &text, started).map(drop)
    }

    /// Results into this folder, and nothing printed.
    pub fn quietly(folder: PathBuf) -> Output {
        Output { out: Some(folder), csv: None, json: false, quiet: true, table: false }
    }

    /// A result with the program that made it.
    pub fn certificate(result: AuditResult) -> Certificate {
        Certificate { result, tool: tool::describe() }
    }

    fn folder(&self, certificate: &CertificateText) -> PathBuf {
        let by_hash = || PathBuf::from(format!("audit-{}", &certificate.sha256[..16]));
        self.out.clone().unwrap_or_else(by_hash)
    }

    fn print(&self, folder: &Path, result: &AuditResult, page: &Page) -> Result<(), CouldNotSay> {
        if self.json {
            return say(&format!("{}\n", outcome::json(folder, result)));
        }
        if self.quiet {
            return say(&format!("{} Source: {}.\n", verdict_sentence(result), result.source));
        }
        if self.table {
            say(&tables(result))?;
        }
        let files = [CERTIFICATE, REPORT].map(|name| folder.join(name).display().to_string());
        say_verdict(result.verdict, &summary(page, &files))
    }

    /// Writes a finished shard; it has no verdict of its own.
    ///
    /// # Errors
    /// [`CouldNotSay`]: what could not be written.
    pub fn publish_shard(&self, plan: &Plan, shard: Shard, standing: &RunState) -> Result<Exit, CouldNotSay> {
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
        let decks = standing.evidence.decks();
        if self.json {
            let outcome = json!({
                "shard": format!("{index}/{count}"), "decks": decks, "file": path, "plan_sha256": plan.sha256(),
            });
            say(&format!("{outcome}\n"))?;
        } else {
            say(&format!(
                "Counted {} decks, shard {index} of {count}; a shard has no verdict. Written: {}.\n\
                 Next, with all {count} shards: deckproof merge {}\n",
                thousands(decks),
                path.display(),
                folder.join("shard-*.tally").display()
            ))?;
        }
        Ok(Exit::Passed)
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
    let run = started.run(&text.sha256);
    let mut page = None;
    let lay_out = || html.write(page.insert(page_of(certificate, &run)));
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

/// 0 pass, 1 fail or investigate, 2 inconclusive.
pub fn exit_of(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Pass => Exit::Passed,
        Verdict::Investigate | Verdict::Fail => Exit::Refused,
        Verdict::Inconclusive => Exit::CouldNotSay,
    }
}

/// Writes to standard output.
///
/// # Errors
/// [`CouldNotSay`].
pub fn say(text: &str) -> Result<(), CouldNotSay> {
    screen::say(text).map_err(unsaid)
}

/// Writes sentences to standard output.
///
/// # Errors
/// [`CouldNotSay`].
pub fn say_sentences(text: &str) -> Result<(), CouldNotSay> {
    screen::say_sentences(text).map_err(unsaid)
}

/// Writes a text that begins with the verdict's word, which is coloured where the terminal has colours.
///
/// # Errors
/// [`CouldNotSay`].
fn say_verdict(verdict: Verdict, text: &str) -> Result<(), CouldNotSay> {
    let word = verdict.name().to_uppercase();
    let Some(rest) = text.strip_prefix(&word).filter(|_| screen::has_colours()) else { return say(text) };
    let style = match verdict {
        Verdict::Pass => Style::Good,
        Verdict::Fail => Style::Bad,
        Verdict::Investigate | Verdict::Inconclusive => Style::Unsure,
    };
    screen::say_styled(style, &word, rest).map_err(unsaid)
}

fn unsaid(error: io::Error) -> CouldNotSay {
    CouldNotSay::new(format!("standard output: {error}"), "")
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
