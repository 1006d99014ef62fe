//! A laboratory report in two volumes, and as Markdown for word processors.

use std::process::Command;

use crate::common::lab::{KEY, Lab, sha256};
use crate::common::package::{certify, folder_of, lab, package_of, project, replace, with_sums};

/// What whoever fills in a project could write to forge a page of Markdown.
const HOSTILE: &str =
    "1. A *customer* | $x$ @y [z](http://example.org) `<b>` {#id} --- ^2^ ~~s~~ \\\\ \\\"q\\\"";

fn bound(language: &str) -> Lab {
    let project = project(&format!("audit:{KEY}"), 1_000).replace("\"en\"", &format!("\"{language}\""));
    let lab = lab(&(project.replace("A customer", HOSTILE) + "[package]\nvolumes = true\n"));
    certify(&lab, &["--out", "out", "--quiet"]).ends(0);
    lab
}

/// The titles of the sections of a page, by their ids.
fn ids(page: &str) -> Vec<&str> {
    let sections = page.split("<h2 id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    sections.collect()
}

#[test]
fn the_certificate_is_short_and_names_its_annexes_by_their_hash() {
    let lab = bound("en");
    let [whole, certificate, annexes] =
        ["report", "certificate", "annexes"].map(|name| lab.text(&format!("out/{name}.html")));
    assert_eq!(ids(&certificate), ["summary", "premises", "conformity"]);
    let mut both = [ids(&certificate), ids(&annexes)].concat();
    let mut all = ids(&whole);
    both.sort_unstable();
    all.sort_unstable();
    assert_eq!(both, all);
    for wanted in ["PASS", "Decision rule", "annexes.html", &sha256(&lab.read("out/annexes.html"))] {
        assert!(certificate.contains(wanted), "{wanted}");
    }
    assert!(
        annexes.contains("annexes to the certificate of this report") && !annexes.contains("class=\"verdict")
    );
    // Both are in the checksums, and follow from the rest.
    let sums = lab.text("out/SHA256SUMS");
    for name in ["certificate.html", "certificate.md", "annexes.html"] {
        assert!(sums.contains(&format!("{}  {name}\n", sha256(&lab.read(&format!("out/{name}"))))), "{name}");
    }
    lab.run(&["verify", "out"]).ends(0);
    // As `report` sets them from the data, without the hash of a file that it does not write.
    let again = lab.run(&["report", "out/report.json", "--volume", "annexes"]);
    assert!(again.code == 0 && again.out == annexes, "{again}");
    let again = lab.run(&["report", "out/report.json", "--volume", "certificate"]);
    assert!(again.code == 0 && again.prints("the annexes are not set with it"));
    // Another one of these pages is not accepted, whoever signs.
    let mut files = package_of(&lab, "out");
    replace(&mut files, "certificate.html", ">PASS<", ">PASS!<");
    folder_of(&with_sums(files)).run(&["verify", "out"]).ends(1).must_print("certificate.html");
}

#[test]
fn pandoc_makes_a_document_of_the_markdown_without_a_warning() {
    if Command::new("pandoc").arg("--version").output().is_err() {
        return eprintln!(
            "SKIPPED: pandoc_makes_a_document_of_the_markdown_without_a_warning: pandoc is not installed"
        );
    }
    for language in ["en", "fr"] {
        let lab = bound(language);
        let whole = lab.run(&["report", "out/report.json", "--format", "md"]).ends(0);
        lab.write("report.md", whole.out);
        for (from, to) in [("out/certificate.md", "certificate.docx"), ("report.md", "report.docx")] {
            let mut pandoc = Command::new("pandoc");
            pandoc.args(["--fail-if-warnings", "--from", "markdown", from, "--output", to]);
            let output = pandoc.current_dir(lab.path("")).output().expect("it was just there");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && errors.is_empty(), "{from}: {errors}");
            // Read back: what a person wrote is text, tables are tables.
            let mut plain = Command::new("pandoc");
            plain.args([to, "--to", "plain", "--wrap", "none", "--columns", "400"]).current_dir(lab.path(""));
            let plain = String::from_utf8(plain.output().expect("it runs").stdout).expect("text");
            let hostile =
                "1. A *customer* | $x$ @y [z](http://example.org) `<b>` {#id} --- ^2^ ~~s~~ \\ \"q\"";
            assert!(plain.contains(hostile), "{from}: {}", &plain[..2_000.min(plain.len())]);
            let mut native = Command::new("pandoc");
            native.args([to, "--to", "native"]).current_dir(lab.path(""));
            let native = String::from_utf8(native.output().expect("it runs").stdout).expect("text");
            let tables = if from == "report.md" { 15 } else { 4 };
            assert!(
                native.matches("Table\n").count() + native.matches("Table (").count() >= tables,
                "{from}"
            );
            assert!(!native.contains("Link"), "{from}");
        }
    }
}
