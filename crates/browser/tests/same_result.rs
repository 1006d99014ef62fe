//! The program of the page, run outside it: what it says and writes is what an audit of the same file gives.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use deckproof_audit::certificate::Certificate;
use deckproof_audit::session::Unwatched;
use deckproof_audit::session::options::{PlanOptions, TableOptions};
use deckproof_audit::session::request::AuditRequest;
use deckproof_audit::source::named::NamedSource;
use deckproof_audit::source::settings::Settings;
use tempfile::TempDir;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deckproof-browser"));
    command.args(arguments).current_dir(folder).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it prints UTF-8")
}

#[test]
fn the_certificate_holds_the_result_of_the_same_question_on_three_threads() {
    let folder = TempDir::new().expect("a folder");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/samples/export.csv");
    let file = folder.path().join("export.csv");
    fs::copy(&sample, &file).expect("the sample is there");
    let output = run(folder.path(), &["./export.csv", "stud-8b", "5"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let printed = text(&output.stdout);
    assert!(
        printed.contains("progress 1000 1000\n") && printed.contains("PASS: No fault was found"),
        "{printed}"
    );
    assert!(text(&fs::read(folder.path().join("report.html")).expect("a report")).contains("</html>"));

    let written = fs::read(folder.path().join("certificate.json")).expect("a certificate");
    let written: Certificate = serde_json::from_slice(&written).expect("it is a certificate");
    let table = TableOptions { rules: Some("stud-8b".to_owned()), players: Some(5) };
    let options = PlanOptions { table, ..PlanOptions::default() };
    let source = NamedSource { source: Some(file.into()), settings: Settings::none() };
    let request = AuditRequest { source, options, plan: None };
    let mut session = request.ask(None, None, &|_| ()).expect("it can be asked").session;
    assert_eq!(session.answer(3, &Unwatched).expect("it is answered"), written.result);
}

#[test]
fn what_cannot_be_read_ends_with_2_and_says_why() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("none.csv"), "nothing\nat all\n").expect("writable");
    for (arguments, reason) in [
        (&["./none.csv", "stud-hi", "6"][..], "none.csv"),
        (&["./none.csv", "stud-hi", "many"][..], "found \"many\" players. Wanted 2 to 8."),
        (&["./none.csv"][..], "found too few arguments"),
    ] {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stdout).contains(reason), "{}", text(&output.stdout));
    }
}
