//! An audit of one file inside a web page: `FILE RULES PLAYERS [SETTING=VALUE]…` in, certificate, report and summary out.
//!
//! `web/audit.html` runs it in a worker, with the dropped file in a folder that exists in memory alone. It prints
//! `progress COUNTED TOTAL` while it counts, then what the program prints, writes `certificate.json` and `report.html`,
//! and ends with the exit code of `deckproof audit`.

use std::env;
use std::fs;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use deckproof_audit::certificate::{Certificate, Tool};
use deckproof_audit::session::folder::{CERTIFICATE, CertificateText, REPORT};
use deckproof_audit::session::options::{PlanOptions, TableOptions};
use deckproof_audit::session::request::AuditRequest;
use deckproof_audit::session::{Watch, ask::ReadySession};
use deckproof_audit::source::named::NamedSource;
use deckproof_audit::source::settings::Settings;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_report::document::words::Language;
use deckproof_report::output::Started;
use deckproof_report::rendering::audit::Beginning;
use deckproof_report::rendering::audit::page::page_of;
use deckproof_report::report;
use deckproof_report::report::summary::summary;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match audit(&arguments) {
        Ok(exit) => exit.into(),
        Err(CouldNotSay(reason)) => {
            println!("{reason}");
            Exit::CouldNotSay.into()
        }
    }
}

fn audit(arguments: &[String]) -> Result<Exit, CouldNotSay> {
    let request = request(arguments)?;
    let started = started().reading(request.source.files());
    let ReadySession { mut session, sentences } =
        request.ask(None, None, &|sentence| println!("{sentence}"))?;
    sentences.iter().for_each(|sentence| println!("{sentence}"));
    let progress = Progress { total: session.decks_to_count().into(), counted: AtomicU64::new(0) };
    let result = session.answer(1, &progress)?;
    result.check_held_once()?;
    let started = started.believing(session.left_open(result.decks()));
    let started = started.with_extreme_deck(session.extreme_deck(&result));
    session.end()?;
    publish(&Certificate { result, tool: tool() }, &started)
}

/// What the page passes: the file, the table, and settings of the source.
fn request(arguments: &[String]) -> Result<AuditRequest, CouldNotSay> {
    let [file, rules, players, settings @ ..] = arguments else {
        return Err(CouldNotSay::new(
            "found too few arguments",
            "Wanted FILE RULES PLAYERS [SETTING=VALUE]…",
        ));
    };
    let wanted = |_| CouldNotSay::new(format!("found {players:?} players"), "Wanted 2 to 8.");
    let table = TableOptions { rules: Some(rules.clone()), players: Some(players.parse().map_err(wanted)?) };
    let pairs = settings.iter().filter_map(|setting| setting.split_once('='));
    let settings = pairs.fold(Settings::none(), |all, (name, value)| all.with(name, value));
    let options = PlanOptions { table, ..PlanOptions::default() };
    Ok(AuditRequest { source: NamedSource { source: Some(file.into()), settings }, options, plan: None })
}

fn publish(certificate: &Certificate, started: &Started) -> Result<Exit, CouldNotSay> {
    let text = CertificateText::of(certificate);
    let page = page_of(certificate, &started.run(&text.sha256), started.language.words());
    let html = report::all().iter().find(|format| format.name() == "html").expect("HTML is in the list");
    write(CERTIFICATE, &certificate.to_json())?;
    write(REPORT, &html.write(&page))?;
    print!("{}", summary(&page, &[CERTIFICATE.to_owned(), REPORT.to_owned()]));
    Ok(certificate.result.claims(true).exit())
}

fn write(name: &str, text: &str) -> Result<(), CouldNotSay> {
    fs::write(name, text).map_err(|error| CouldNotSay::new(format!("{name} cannot be written: {error}"), ""))
}

/// The page hashed this program when it was built.
fn tool() -> Tool {
    let executable_sha256 = env::var("EXECUTABLE_SHA256").unwrap_or_else(|_| "unknown".to_owned());
    Tool { version: env!("CARGO_PKG_VERSION").to_owned(), commit: "unknown".to_owned(), executable_sha256 }
}

fn started() -> Started {
    let clock = Instant::now();
    Started {
        time: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        beginning: Beginning::Audit,
        machine: "a browser's page (WebAssembly), 1 processor".to_owned(),
        files: Vec::new(),
        bad_record: None,
        extreme_deck: None,
        believed: Vec::new(),
        language: Language::English,
        seconds: Box::new(move || clock.elapsed().as_secs_f64()),
    }
}

/// Prints how many decks are counted.
struct Progress {
    total: Total,
    counted: AtomicU64,
}

/// How many decks there are; the repeat has other decks.
struct Total(AtomicU64);

impl From<Option<u64>> for Total {
    fn from(decks: Option<u64>) -> Total {
        Total(AtomicU64::new(decks.unwrap_or(0)))
    }
}

impl Watch for Progress {
    fn counted(&self, decks: u64) {
        let counted = self.counted.fetch_add(decks, Ordering::Relaxed) + decks;
        println!("progress {counted} {}", self.total.0.load(Ordering::Relaxed));
    }

    fn repeat_begins(&self, decks: u64) {
        self.counted.store(0, Ordering::Relaxed);
        self.total.0.store(decks, Ordering::Relaxed);
    }
}
