//! Packages whose decks a program deals: it says how it writes them, is the listed one, and begins again where it was killed.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::common::lab::Lab;
use crate::common::package::certify;
use crate::laboratory_sources::{head, item, next};

/// A program says nothing of how its decks are written before it runs; where that is to be said in a project is told.
#[test]
fn a_program_without_a_format_is_refused_with_the_line_that_lacks() {
    let lab = Lab::new();
    let text = head() + &item("loose", next(&lab, "indices", 1_000), 1_000, "");
    lab.write("project.toml", text);
    let output = certify(&lab, &["--out", "out"]);
    assert!(output.code == 2 && !lab.exists("n"), "{output}");
    for words in ["the source of the item loose", "settings = { format = \"indices\" }", "Nothing was run."] {
        output.must_warn(words);
    }
}

/// Decks of another version of the listed program are not those of the item, also where the listed one is put back.
#[test]
fn decks_of_a_program_that_changed_are_not_kept() {
    let lab = Lab::new();
    next(&lab, "indices", 1_000);
    let listed = "[ -f change ] && echo '# another version' >> deal.sh\nexec sh next.sh\n";
    lab.write("deal.sh", listed);
    let own = item("main", "cmd:sh deal.sh", 1_000, "settings = { format = \"indices\" }\n");
    lab.write("project.toml", head() + &own.replace("\"project.toml\"", "\"deal.sh\""));
    certify(&lab, &["--out", "out", "--plan-only"]).ends(0);
    lab.write("deal.sh", listed.replace("[ -f", "[ -e"));
    let output = certify(&lab, &["--out", "out"]).ends(2);
    output.must_warn("the files of the item main: ").must_warn("Nothing was drawn.");
    assert!(!lab.exists("n"), "the program was not started");
    // It changes while it deals.
    lab.write("deal.sh", listed);
    lab.write("change", "");
    let output = certify(&lab, &["--out", "out"]).ends(2);
    output.must_warn("the files of the item main: ").must_warn("Its decks were thrown away.");
    assert!(lab.exists("n") && !lab.exists("out/certificates/main.decks.json"), "{output}");
    fs::remove_file(lab.path("change")).expect("it is there");
    lab.write("deal.sh", listed);
    certify(&lab, &["--out", "out"]).ends(0);
    assert!(lab.text("out/report.html").contains("begun again from the start (1 times)"));
}

/// A program cannot go on where it was killed: the audit begins again on other decks, and the report says so.
#[test]
fn a_killed_campaign_on_a_program_goes_on_and_says_so() {
    let lab = Lab::new();
    let settings = "settings = { format = \"raw\" }\n";
    let source = next(&lab, "bytes", 700_000);
    lab.write("project.toml", format!("{}{}", head(), item("main", source, 140_000, settings)));
    let mut child =
        lab.command(&["certify", "--project", "project.toml", "--out", "out"]).spawn().expect("it runs");
    let checkpoint = lab.path("out/.work/main.decks.checkpoint");
    let length = || Path::new(&checkpoint).metadata().map_or(0, |about| about.len());
    for _ in 0..60_000 {
        // The checkpoint lies there from the first round on, so that the campaign has begun to draw.
        if length() > 0 || child.try_wait().expect("a child").is_some() {
            break;
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("a child");
    assert_eq!(child.wait().expect("a child").code(), None, "it was killed inside the audit");
    let output = certify(&lab, &["--out", "out"]);
    assert!(output.code == 0 || output.code == 1, "{output}");
    let report = lab.json("out/report.json");
    assert_eq!(report["facts"]["audits"][0]["aborted_runs"], 1);
    let kinds: Vec<&str> = report["facts"]["observations"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|own| own["kind"].as_str())
        .collect();
    assert!(kinds.contains(&"began-again"), "{kinds:?}");
}
