//! `deckproof report certificate.json`: the report once more, from the integers of the certificate.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cli::audit::publish::say;
use crate::cli::tool;
use crate::verification::{certificate, document, hands};
use deckproof_audit::certificate::{Certificate, LIMITS};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{self, Access, sha256};
use deckproof_report::document::Document;
use deckproof_report::document::volume;
use deckproof_report::document::words::Language;
use deckproof_report::output::write_tables;
use deckproof_report::rendering::audit::PageRun;
use deckproof_report::rendering::audit::checked::CODE;
use deckproof_report::rendering::audit::page::page_of;
use deckproof_report::rendering::hands::certificate as words;
use deckproof_report::rendering::hands::document::document as hands_document;
use deckproof_report::report::{self, paper};
use deckproof_verify::claim::counted::contradictory;

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// One page for any browser, with pictures; it loads nothing from elsewhere.
    Html,
    /// Markdown without pictures; of a laboratory report with the front matter of Pandoc, for word processors.
    Md,
    /// A folder of count tables and p-values as comma-separated text.
    Csv,
    /// A laboratory report as PDF/UA-1 and PDF/A-2a; only in builds with the feature pdf.
    Pdf,
}

/// A volume of a laboratory report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Volume {
    /// What is signed.
    Certificate,
    /// All the rest.
    Annexes,
}

#[derive(Args, Debug)]
pub struct ReportArguments {
    /// A certificate that deckproof audit or merge wrote, or the report.json of a laboratory report.
    certificate: PathBuf,
    /// How to write it.
    #[arg(long, value_enum, default_value = "html")]
    format: Format,
    /// Of a laboratory report: only the certificate (cover, summary, premises, conformity), or only its annexes.
    #[arg(long, value_enum, value_name = "VOLUME")]
    volume: Option<Volume>,
    /// Of the report of an audit, html and md; a laboratory report has the language of its project.
    #[arg(long, value_name = Language::codes("|"), default_value = "en", value_parser = tool::language)]
    pub language: Language,
    /// Where to write it: a file that is not there yet, for csv a folder. Default: standard output.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

/// Writes the report of a certificate that is consistent; any other is refused.
pub fn run(arguments: &ReportArguments) -> Result<Exit, CouldNotSay> {
    let path = &arguments.certificate;
    let bytes = read(path)?;
    let is_of_hands = certificate::is_of_hands(&bytes);
    if arguments.language != Language::English && (is_of_hands || document::is_document(&bytes)) {
        let reason = "--language is for the certificate of an audit";
        return Err(CouldNotSay::new(reason, "A laboratory report has the language of its project."));
    }
    if is_of_hands {
        return report_hands(arguments, &bytes);
    }
    if document::is_document(&bytes) {
        return report_document(arguments, &bytes);
    }
    if arguments.volume.is_some() {
        let reason = "the report of one audit has no volumes";
        return Err(CouldNotSay::new(reason, "--volume is for the report.json of deckproof certify."));
    }
    if arguments.format == Format::Pdf {
        let reason = "the report of one audit has no PDF";
        return Err(CouldNotSay::new(reason, "Write HTML and print it from a browser."));
    }
    let (certificate, judged) = certificate::judged(&path.display().to_string(), &bytes, &tool::describe())?;
    if let Err(inconsistency) = judged {
        let own = &arguments.language.words().certificate;
        say(&(own.not_reported(&path.display().to_string(), &inconsistency.to_string()) + "\n"))?;
        return Ok(contradictory(CODE, &inconsistency.to_string()).exit());
    }
    if arguments.format == Format::Csv {
        let Some(folder) = &arguments.out else {
            return Err(CouldNotSay::new("csv is several files", "Give a folder with --out DIR."));
        };
        if fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()) {
            let advice = "Tables of two audits would be mixed; choose another --out.";
            return Err(CouldNotSay::new(format!("{} is not empty", folder.display()), advice));
        }
        write_tables(folder, &certificate.result)?;
        return Ok(Exit::Passed);
    }
    let time = tool::time_utc();
    let run = PageRun::Again { time, certificate_sha256: sha256(&bytes) };
    publish(arguments, &text_of(arguments, &certificate, &run))
}

/// Published hands: a page of words, or a document that is set as a laboratory report is.
fn report_hands(arguments: &ReportArguments, bytes: &[u8]) -> Result<Exit, CouldNotSay> {
    let (certificate, is_own) =
        hands::sound(&arguments.certificate.display().to_string(), bytes, &tool::inspector())?;
    match arguments.format {
        Format::Md => publish(arguments, &words::markdown(&certificate, is_own)),
        Format::Html | Format::Pdf => set(arguments, &hands_document(&certificate, is_own)),
        Format::Csv => {
            let reason = "a certificate of published hands has no tables as CSV";
            Err(CouldNotSay::new(reason, "Give --format html, md or pdf."))
        }
    }
}

/// A laboratory report is set again from its data; whether the data are true is for `verify` to say.
fn report_document(arguments: &ReportArguments, bytes: &[u8]) -> Result<Exit, CouldNotSay> {
    let whole = document::read(&arguments.certificate.display().to_string(), bytes)?;
    match arguments.volume {
        None => set(arguments, &whole),
        Some(Volume::Certificate) => set(arguments, &volume::certificate(&whole, None)),
        Some(Volume::Annexes) => set(arguments, &volume::annexes(&whole)),
    }
}

/// Writes a document as HTML, Markdown or PDF.
fn set(arguments: &ReportArguments, document: &Document) -> Result<Exit, CouldNotSay> {
    match (arguments.format, &arguments.out) {
        (Format::Html, _) => publish(arguments, &paper::html(document)),
        (Format::Md, _) => publish(arguments, &paper::markdown(document)),
        (Format::Pdf, Some(out)) => write_new(out, &document::pdf(document)?),
        (Format::Pdf, None) => {
            Err(CouldNotSay::new("a PDF is no text for a terminal", "Give a file with --out FILE."))
        }
        (Format::Csv, _) => {
            let reason = "a laboratory report is written as html, md or pdf";
            Err(CouldNotSay::new(reason, "Choose another --format."))
        }
    }
}

fn publish(arguments: &ReportArguments, text: &str) -> Result<Exit, CouldNotSay> {
    match &arguments.out {
        None => say(text).map(|()| Exit::Passed),
        Some(out) => write_new(out, text.as_bytes()),
    }
}

fn write_new(out: &Path, bytes: &[u8]) -> Result<Exit, CouldNotSay> {
    if out.exists() {
        let advice = "Choose another --out.";
        return Err(CouldNotSay::new(format!("{} exists and is not overwritten", out.display()), advice));
    }
    file::write_atomic(out, bytes, Access::Public)
        .map_err(|error| CouldNotSay::new(format!("{}: {error}", out.display()), ""))?;
    Ok(Exit::Passed)
}

fn text_of(arguments: &ReportArguments, certificate: &Certificate, run: &PageRun) -> String {
    let name = if arguments.format == Format::Md { "md" } else { "html" };
    let format = report::all().iter().find(|format| format.name() == name).expect("both are in the list");
    format.write(&page_of(certificate, run, arguments.language.words()))
}

fn read(path: &Path) -> Result<Vec<u8>, CouldNotSay> {
    let mut bytes = Vec::new();
    // One byte more than the limit shows that there is more.
    File::open(path)
        .and_then(|file| file.take(LIMITS.bytes_max as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| CouldNotSay::new(format!("{}: {error}", path.display()), ""))?;
    Ok(bytes)
}
