//! Report packages as others hand them on: packed, with results of other programs, and the sample that is published.

use std::fs;
use std::path::Path;
use std::process::Command;

use deckproof::certificate::Tool;
use deckproof::document::Document;
use deckproof::project::archive;
use deckproof::project::check::check;
use deckproof::project::package::files::PackageFiles;
use deckproof::project::package::sums::Sums;
use deckproof::project::package::{Derived, OMITTED, Rendering, SUMS, derived, whole};
use deckproof::report::paper;
use serde_json::Value;

use crate::common::lab::{KEY, Lab, Output};
use crate::common::package::{
    Memory, certify, cover, inputs, lab, package_of, project, read_all, replace, report as report_of,
    with_sums, write_package,
};
use deckproof::file::sha256;

fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/external").join(name)).expect("a fixture")
}

fn made(lab: &Lab, arguments: &[&str]) -> Output {
    certify(lab, arguments).ends(0)
}

#[test]
fn a_package_is_packed_and_verified_as_one_file() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    let output = made(&lab, &["--out", "out", "--zip"]);
    output.must_print("Packed: ").must_print("out.zip");
    let packed = lab.read("out.zip");
    made(&lab, &["--out", "again", "--plan", "out/plan.toml", "--zip", "--quiet"]);
    assert!(lab.read("again.zip") == packed, "one package has one archive");
    let (folder, zip) = (lab.run(&["verify", "out"]), lab.run(&["verify", "out.zip"]));
    assert_eq!((zip.code, zip.out), (0, folder.out.replace("out:", "out.zip:")));

    // A second reader of the format, which finds the same files.
    let python = |script: &str| {
        let status = Command::new("python3").args(["-c", script]).current_dir(lab.path(".")).status();
        assert!(status.expect("python3 is installed").success());
    };
    let script =
        "import sys,zipfile; z=zipfile.ZipFile('out.zip'); assert z.testzip() is None; z.extractall('taken')";
    python(script);
    assert!(package_of(&lab, "taken") == package_of(&lab, "out"));

    let mut own = package_of(&lab, "out");
    let power = own.remove("power.csv").expect("it is there");
    lab.write("removed.zip", archive::write(&own).expect("it is written"));
    let output = lab.run(&["verify", "removed.zip"]).ends(2);
    output.must_warn("removed.zip: power.csv: entity not found. The package is not whole");
    own.extend([("power.csv".to_owned(), power), ("p-values.csv".to_owned(), b"nothing to see\n".to_vec())]);
    lab.write("edited.zip", archive::write(&own).expect("it is written"));
    lab.run(&["verify", "edited.zip"]).ends(1).must_print("counts: p-values.csv: its SHA-256 is");
    lab.write("torn.zip", &packed[..packed.len() / 2]);
    lab.run(&["verify", "torn.zip"]).ends(2).must_warn("it is no ZIP file that can be read");
}

/// A small project with one text of dieharder beside whatever else is attached.
fn with_dieharder(text: &str) -> Lab {
    let external = "[[external]]\nprovider = \"A third laboratory\"\nof = \"words of main\"\nmade = \"2024-11-21\"\n\
                    program = \"dieharder\"\nfile = \"dieharder.txt\"\n[[external]]\n";
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000).replace("[[external]]\n", external));
    lab.write("dieharder.txt", fixture(text));
    lab
}

#[test]
fn results_of_others_are_read_listed_and_set_beside_the_verdict() {
    let calm = with_dieharder("dieharder-own-words.txt");
    made(&calm, &["--out", "out", "--quiet"]);
    let report = report_of(&calm, "out");
    // The fixture: of five results one WEAK and four PASSED, as its lines say.
    let text = String::from_utf8(fixture("dieharder-own-words.txt")).expect("UTF-8");
    let passed = text.matches("PASSED").count() + text.matches("WEAK").count();
    let wanted = serde_json::json!([{
        "file": "external/dieharder.txt", "program": "dieharder", "results": passed, "whole": 114, "failed": 0,
        "says": "suspicious", "contradicts": false
    }]);
    assert_eq!(report["facts"]["external"], wanted);
    let html = calm.text("out/report.html");
    for words in [
        "0.99999305",
        "words of main (stdin_input_raw)",
        "21 November 2024",
        "5 of the 114 of a whole run",
        "this text agrees with nothing",
        "External results, one by one",
        &sha256(text.as_bytes()),
        // The other document is named by its hash only.
        "external/other.txt",
    ] {
        assert!(html.contains(words), "{words}");
    }

    let failing = with_dieharder("dieharder-randu.txt");
    // A battery that failed is on the first page and in the exit status, whatever our own counts say.
    certify(&failing, &["--out", "out", "--quiet"]).ends(1).must_print("NOT MET: 2 audits, 0 not passed");
    let report = report_of(&failing, "out");
    assert_eq!(report["facts"]["headline"], "not-met");
    assert!(cover(&report).contains("external/dieharder.txt tell of failures"));
    assert_eq!(report["facts"]["external"][0]["contradicts"], true);
    let html = failing.text("out/report.html");
    assert!(
        html.contains("The external results in external/dieharder.txt contradict the verdict"),
        "open observations"
    );
    failing.run(&["verify", "out"]).ends(1).must_print("It says: NOT MET");
    // Its text is an input like any other: with checksums that fit, the report still says something else.
    let mut files = package_of(&failing, "out");
    replace(&mut files, "external/dieharder.txt", "0.00000000|  FAILED", "0.50000000|  PASSED");
    fs::remove_dir_all(failing.path("out")).expect("it is there");
    write_package(&failing, &with_sums(files));
    failing.run(&["verify", "out"]).ends(1).must_print("contradicts itself: report.json");
}

#[test]
fn a_text_that_is_not_of_its_program_is_refused_before_anything_is_drawn() {
    let lab = with_dieharder("dieharder-own-words.txt");
    lab.write("dieharder.txt", "PractRand version 0.95\n");
    certify(&lab, &["--out", "out"]).ends(2).must_warn("dieharder.txt: ");
    assert!(!lab.exists("out/certificates"), "nothing was drawn");
    let text = lab.text("project.toml");
    lab.write("project.toml", text.replace("\"dieharder\"", "\"dieharders\""));
    certify(&lab, &["--out", "new"]).ends(2).must_warn("unknown variant `dieharders`");
}

/// A page that this build cannot draw has its checksum and no more, and that is said; a build that can draw it refuses it.
#[test]
fn a_page_that_cannot_be_drawn_here_is_there_and_is_said_to_be_unchecked() {
    let lab = lab(&project(&format!("audit:{KEY}"), 1_000));
    made(&lab, &["--out", "out", "--quiet"]);
    let mut inputs = inputs(package_of(&lab, "out"));
    inputs.runs.pages = vec!["report.html".to_owned(), "report.pdf".to_owned()];
    let html = &|document: &Document| Ok(paper::html(document).into_bytes());
    let pdf = &|_: &Document| Ok(b"%PDF-1.7 of somebody else".to_vec());
    let pages =
        [Rendering { name: "report.html", write: html }, Rendering { name: "report.pdf", write: pdf }];
    let (_, files) = whole(&inputs, &pages).expect("the pages are drawn");
    let verify = |name: &str, files: PackageFiles| {
        lab.write(name, archive::write(&files).expect("it is written"));
        lab.run(&["verify", name])
    };
    let output = verify("foreign.zip", files.clone());
    if paper::WRITES_PDF {
        assert!(output.code == 1 && output.prints("contradicts itself: report.pdf: it is not"), "{output}")
    } else {
        assert!(
            output.code == 0 && output.prints("Not checked: report.pdf, but for its checksum"),
            "{output}"
        )
    }
    let mut without = files.clone();
    without.remove("report.pdf");
    let output = verify("without.zip", with_sums(without)).ends(1);
    output.must_print("contradicts itself: report.pdf: it is missing");
    let mut more = files;
    more.insert("annex.pdf".to_owned(), b"%PDF-1.7".to_vec());
    let output = verify("more.zip", with_sums(more));
    // Whoever can draw the page of somebody else stops there.
    let wanted = if paper::WRITES_PDF { "report.pdf: " } else { "annex.pdf: found a file that no package" };
    assert!(output.code == 1 && output.prints(wanted), "{output}");
}

/// The published sample: whatever does not depend on the words of today's build is what its integers say.
#[test]
fn the_published_sample_follows_from_its_certificates() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let mut files = read_all(&root.join("shuffler"));
    let shelf = Memory(files.clone());
    let inputs = inputs(files.clone());
    // Three rule sets, two to eight players, and the decks themselves.
    let tables: Vec<u64> = inputs
        .certificates
        .iter()
        .filter(|certificate| certificate.result.plan.table.is_some())
        .map(|certificate| certificate.result.first.decks)
        .collect();
    assert!(tables.len() == 21 && tables.iter().all(|&decks| decks == 1_000_000), "{tables:?}");
    assert_eq!(inputs.certificates[0].result.first.decks, 10_000_000);
    let Derived { facts, files: own, omitted } = derived(&inputs, &[]).expect("no page is drawn");
    for name in ["p-values.csv", "vectors.csv", "plan.json", OMITTED] {
        assert!(own[name] == files[name], "{name}");
    }
    assert!(String::from_utf8_lossy(&files[OMITTED]).contains(&sha256(&omitted["counts.csv"])));
    let report: Value = serde_json::from_slice(&files["report.json"]).expect("JSON");
    for field in ["campaign_sha256", "verdict", "items", "raw", "standards", "external"] {
        assert_eq!(report["facts"][field], serde_json::to_value(&facts).expect("JSON")[field], "{field}");
    }
    assert_eq!(report["facts"]["verdict"], "pass");
    let sums: Sums = String::from_utf8_lossy(&files[SUMS]).parse().expect("a list");
    files.remove(SUMS);
    assert_eq!(sums, Sums::of(&files), "every file has its checksum");
    let project = fs::read_to_string(root.join("shuffler.toml")).expect("its project");
    assert_eq!(inputs.project_text, project, "reports/shuffler.toml makes it");
    // A later build may word the report otherwise, and then says so; it never calls the sample false.
    let later = Tool { commit: "of a later build".to_owned(), ..inputs.runs.tool.clone() };
    if let Err(fault) = check(&shelf, &[], &later) {
        let of_words = ["report.json", "reproduce.md", "power.csv"];
        assert!(fault.is_of_another_version && of_words.contains(&&fault.file[..]), "{fault}");
    }
}
