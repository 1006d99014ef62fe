//! Days carried out as library calls: no process, no terminal, a clock that stands still.

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tempfile::TempDir;

use crate::daily::host::{AuditOptions, DayAudit, Host, OptionFault};
use crate::daily::job::{Configured, DaysEnd};
use crate::daily::preflight;
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::config::Config;
use crate::monitoring::day::DayLine;
use crate::monitoring::gaming_day::Wanted;
use crate::monitoring::retention::{self, BEGUN};
use crate::monitoring::step_list::{RESULTS, STEPS};
use crate::monitoring::store::Store;
use deckproof_audit::certificate::Tool;
use deckproof_audit::session::options::PlanOptions;
use deckproof_audit::session::request::AuditRequest;
use deckproof_audit::source::named::NamedSource;
use deckproof_deck::text::exit::Exit;
use deckproof_report::document::words::Language;
use deckproof_report::output::Started;
use deckproof_report::rendering::audit::Beginning;
use deckproof_stats::battery::Tier;

/// Decks that are the same whenever they are dealt.
const SOURCE: &str = "audit:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Enough for a verdict.
const DECKS: u64 = 20_000;

/// Source and number of decks; nothing else can be said.
struct Plain;

impl AuditOptions for Plain {
    fn names(&self) -> Vec<String> {
        ["source", "decks"].map(str::to_owned).to_vec()
    }

    fn read(&self, config: &Config) -> Result<DayAudit, OptionFault> {
        let fault =
            |key: &str, problem: &str| OptionFault { key: key.to_owned(), problem: problem.to_owned() };
        let decks = config.values("decks").first().map(|text| text.parse::<u64>()).transpose();
        let source = NamedSource {
            source: config.values("source").first().map(OsString::from),
            settings: Default::default(),
        };
        let options = PlanOptions {
            decks: decks.map_err(|_| fault("decks", "decks: wanted a number"))?,
            tiers: Some(vec![Tier::Core]),
            ..PlanOptions::default()
        };
        Ok(DayAudit { request: AuditRequest { source, options, plan: None }, threads: Some(1) })
    }
}

fn tool() -> Tool {
    Tool { version: "0.0.0".to_owned(), commit: "0".to_owned(), executable_sha256: "0".repeat(64) }
}

fn started() -> Started {
    let (time, machine) = (time(), "a machine".to_owned());
    Started {
        time,
        beginning: Beginning::Audit,
        machine,
        files: Vec::new(),
        bad_record: None,
        extreme_deck: None,
        believed: Vec::new(),
        language: Language::English,
        seconds: Box::new(|| 0.0),
    }
}

fn time() -> String {
    "2026-11-23T04:00:00Z".to_owned()
}

/// A place for a configuration and its days.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a folder"))
    }

    fn days(&self) -> std::path::PathBuf {
        self.0.path().join("days")
    }

    fn configured(&self, date: &str, more: &str) -> Configured {
        let path = self.0.path().join("daily.toml");
        let text = format!(
            "name = \"Table 1\"\nfolder = {:?}\nsource = \"{SOURCE}\"\ndecks = {DECKS}\nfresh_decks = 0\n{more}",
            self.days()
        );
        fs::write(&path, text).expect("writable");
        let now = time().parse().expect("a time");
        Configured::read(&path, &Wanted::Of(date.to_owned()), now, &Plain).expect("it is sound")
    }

    /// Carries out a day; `tool` is asked when its certificate is made.
    fn run(&self, date: &str, tool: &dyn Fn() -> Tool, warn: &dyn Fn(&str)) -> DaysEnd {
        self.configured(date, "").run(&host(tool, warn))
    }

    fn rows(&self) -> Vec<DayLine> {
        Store::read(&self.days()).expect("a sound record").days().to_vec()
    }

    /// Files and folders that a killed job left.
    fn begun(&self) -> Vec<OsString> {
        let names =
            fs::read_dir(self.days()).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        names.filter(|name| name.to_string_lossy().starts_with(BEGUN)).collect()
    }
}

fn host<'a>(tool: &'a dyn Fn() -> Tool, warn: &'a dyn Fn(&str)) -> Host<'a> {
    Host {
        options: &Plain,
        tool,
        threads: 1,
        started: &started,
        time: &time,
        search_path: OsString::new(),
        warn,
    }
}

fn step<'a>(line: &'a DayLine, name: &str) -> &'a DayCheck {
    line.checks.iter().find(|check| check.name == name).expect("every step has its line")
}

/// What stays the same of a day whenever it is carried out.
fn of_row(line: &DayLine) -> (String, Option<f64>, u64, Option<String>) {
    let result = step(line, "fresh evidence").result;
    (result.words().to_owned(), line.family_p_value, line.decks, line.certificate.clone())
}

/// What a row, a mail and a claim say of a step is found by its name: one that is not listed would be claimed as something else.
#[test]
fn every_step_of_a_day_is_listed_in_its_order() {
    let place = Place::new();
    place.run("2026-11-21", &tool, &|_| ());
    let found: Vec<String> = place.rows()[0].checks.iter().map(|check| check.name.clone()).collect();
    let listed = STEPS.map(|step| step.name);
    assert_eq!(found, listed[..listed.len() - 1], "a step of examine.rs is not in step_list.rs");
    assert_eq!(listed.last(), Some(&RESULTS));
}

#[test]
fn a_whole_day_is_one_call_and_its_decks_are_not_new_the_next_day() {
    let place = Place::new();
    let warned = RefCell::new(Vec::new());
    let warn = |text: &str| warned.borrow_mut().push(text.to_owned());
    let first = place.run("2026-11-21", &tool, &warn);
    let line = &first.days[0].line;
    assert_eq!((first.exit, line.result()), (Exit::Passed, CheckResult::Passed), "{}", first.days[0].mail);
    assert_eq!(first.days[0].mail.lines().count(), 5);
    assert_eq!((line.decks, line.checked.as_deref()), (DECKS, Some(&time()[..])));
    for file in ["certificate.json", "report.html", "day.html", "report.json"] {
        assert!(place.days().join("2026-11-21").join(file).exists(), "{file}");
    }
    let again = place.run("2026-11-22", &tool, &warn);
    let line = &again.days[0].line;
    assert_eq!(again.exit, Exit::CouldNotSay);
    assert_eq!(step(line, "fresh evidence").result, CheckResult::CouldNotSay);
    assert_eq!(place.rows().len(), 2);
    assert!(warned.borrow().is_empty(), "{warned:?}");
}

#[test]
fn a_day_that_dies_before_its_row_leaves_none_and_is_carried_out_again() {
    let (place, whole) = (Place::new(), Place::new());
    let asked = Cell::new(0);
    let dies = || -> Tool {
        asked.set(asked.get() + 1);
        panic!("the machine stops where the certificate is made")
    };
    let died = catch_unwind(AssertUnwindSafe(|| place.run("2026-11-21", &dies, &|_| {})));
    assert!(died.is_err() && asked.get() == 1);
    assert!(place.rows().is_empty());
    place.run("2026-11-21", &tool, &|_| {});
    whole.run("2026-11-21", &tool, &|_| {});
    let (rows, wanted) = (place.rows(), whole.rows());
    assert_eq!(rows.len(), 1);
    assert_eq!(of_row(&rows[0]), of_row(&wanted[0]));
    assert!(place.begun().is_empty());
}

#[test]
fn results_whose_row_was_added_get_their_name_from_the_next_day_and_others_go() {
    let place = Place::new();
    place.run("2026-11-21", &tool, &|_| {});
    let own = |name: &str| place.days().join(name);
    // As a job leaves it that is killed after its row, and one that is killed before it.
    fs::rename(own("2026-11-21"), own(&format!("{BEGUN}2026-11-21"))).expect("writable");
    fs::create_dir(own(&format!("{BEGUN}2026-11-22"))).expect("writable");
    place.run("2026-11-22", &tool, &|_| {});
    assert!(retention::is_there(&place.days(), "2026-11-21/certificate.json"));
    assert!(place.begun().is_empty());
}

#[test]
fn a_record_that_was_changed_is_refused_and_gets_no_row() {
    let place = Place::new();
    place.run("2026-11-21", &tool, &|_| {});
    let certificate = place.days().join("2026-11-21/certificate.json");
    fs::write(&certificate, "{}").expect("writable");
    let next = place.run("2026-11-22", &tool, &|_| {});
    assert_eq!(next.exit, Exit::Refused, "{}", next.days[0].mail);
    assert!(!place.days().join("2026-11-22").exists());
}

#[test]
fn a_configuration_is_judged_without_a_command_line() {
    let place = Place::new();
    let more = format!("restart = \"no-such-program\"\nlog = {:?}\n", Path::new("/no/such/log"));
    let configured = place.configured("2026-11-21", &more);
    let faults = preflight::faults(&configured, &host(&tool, &|_| {}));
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 3, "{faults:#?}");
    assert!(faults[0].starts_with("line 7: log: there is no folder"), "{faults:#?}");
    assert!(faults[1].contains("restart: there is no program"), "{faults:#?}");
    assert!(faults[2].contains("the same every day"), "{faults:#?}");
}
