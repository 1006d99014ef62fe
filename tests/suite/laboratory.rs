//! What a laboratory's package says on its first page: whatever speaks against the item, and nothing better than its worst part.

use std::fs;
use std::sync::OnceLock;

use deckproof::certificate::Tool;
use deckproof::project::check::{Fault, check};
use deckproof::project::facts::Facts;
use deckproof::project::facts::observation::{Observation, ReportHeadline};
use deckproof::project::facts::rows::RowStatus;
use deckproof::project::package::SUMS;
use deckproof::project::package::files::PackageFiles;
use deckproof::project::package::inputs::Inputs;
use serde_json::{Value, json};

use crate::common::lab::{KEY, Lab, Output};
use crate::common::package::{
    FILLED, Memory, certify, cover, folder_of, inputs as inputs_of, lab, new_key, package_of, replace,
    report as report_of, rows, section, sign, with_sums, without_pages, write_package,
};

/// One item of which laboratory and customer found something, and one person in three roles.
const PROJECT: &str = "format = \"deckproof/project/v1\"\nlanguage = \"en\"\nselftest = \"known-answers\"\n\
    [report]\nnumber = \"T-1\"\nissued = \"2024-11-22\"\n\
    [[person]]\nrole = \"tester\"\nname = \"A. Smith\"\n[[person]]\nrole = \"reviewer\"\nname = \"a. smith \"\n\
    [[person]]\nrole = \"authoriser\"\nname = \"A. Smith\"\n\
    [[item]]\nid = \"main\"\nsource = \"audit:KEY\"\ndecks = 1000\ntiers = [\"core\"]\n\
    [[evidence]]\nrow = \"R9\"\nby = \"laboratory\"\nfinding = \"not-met\"\ntext = \"The key was computed from 20 decks.\"\n\
    [[evidence]]\nrow = \"R10\"\nby = \"customer\"\nfinding = \"met\"\ntext = \"Same words.\"\n\
    [[evidence]]\nrow = \"R11\"\nby = \"customer\"\nfinding = \"not-met\"\ntext = \"Same words.\"\n";

/// Its package, made once for all tests, and what certify said.
fn made() -> &'static (Lab, i32, String) {
    static MADE: OnceLock<(Lab, i32, String)> = OnceLock::new();
    MADE.get_or_init(|| {
        let lab = lab(&PROJECT.replace("KEY", KEY));
        let output = certify(&lab, &["--out", "out"]);
        (lab, output.code, output.out)
    })
}

fn inputs() -> Inputs {
    inputs_of(package_of(&made().0, "out"))
}

#[test]
fn a_finding_against_the_item_is_on_the_first_page_in_the_facts_and_in_the_exit_status() {
    let (lab, code, out) = made();
    assert_eq!(*code, 1, "{out}");
    assert!(out.contains("main.decks: pass") && out.contains("NOT MET: 1 audit, 0 not passed"), "{out}");
    assert!(out.contains("Requirement R9 is not met"), "{out}");
    let report = report_of(lab, "out");
    let facts = &report["facts"];
    assert_eq!((&facts["verdict"], &facts["headline"]), (&json!("pass"), &json!("not-met")));
    assert_eq!(facts["rows"][8]["against"], json!(["laboratory"]));
    assert_eq!(facts["rows"][10]["against"], json!(["customer"]));
    let cover = cover(&report);
    for words in
        ["NOT MET", "Requirement R9 is not met", "Requirement R11 is not met", "by the customer’s own word"]
    {
        assert!(cover.contains(words), "{words}: {cover}");
    }
    lab.run(&["verify", "out"]).ends(1).must_print("It says: NOT MET").must_print("Requirement R9");
    // The customer's word against himself does not read as his word for himself.
    let rows = rows(&report, "requirements");
    assert!(rows[9][3].starts_with("The customer states, unchecked, met: Same words."), "{:?}", rows[9]);
    assert!(
        rows[10][3].starts_with("The customer himself states that it is NOT met: Same words."),
        "{:?}",
        rows[10]
    );
    assert_eq!([&rows[9][2], &rows[10][2]], ["not assessed here", "not met"]);
    assert!(cover.contains("Open observations, all of them in the summary: "), "{cover}");
    let remarked = facts["observations"].as_array().expect("a list").iter();
    let same = remarked.filter(|own| own["kind"] == "same-person").collect::<Vec<_>>();
    assert_eq!(same.len(), 1);
    assert_eq!(same[0]["roles"], json!(["tester", "reviewer", "authoriser"]));
}

/// Twelve decks that Node.js dealt: the next one is known, and no sentence may say that decks are silent about that.
#[test]
fn a_recovered_generator_is_row_r9_not_met_and_the_sentence_beside_it_says_so() {
    let project =
        PROJECT.replace("source = \"audit:KEY\"\ndecks = 1000", "source = \"node.txt\"\ndecks = 12");
    let project = project.replace("[\"core\"]", "[\"core\", \"deep\"]");
    let (project, _) = project.split_once("[[evidence]]").expect("nobody found anything by hand");
    let lab = lab(project);
    lab.write("node.txt", include_str!("../../crates/predict/fixtures/node20.txt"));
    certify(&lab, &["--out", "out"]).ends(1).must_print("Requirement R9 is not met");
    let report = report_of(&lab, "out");
    assert_eq!(report["facts"]["rows"][8]["campaign"], "not-met", "{}", report["facts"]["rows"][8]);
    let row = &rows(&report, "requirements")[8];
    assert!(
        row[2] == "not met" && row[3].contains("its next cards are known before they are dealt"),
        "{row:?}"
    );
    assert!(cover(&report).contains("Requirement R9 is not met"));
    let text = section(&report, "unpredictability").to_string();
    assert!(text.contains("was recovered from its decks (row R9): what it deals next is known"), "{text}");
    assert!(!text.contains("Statistics of decks say nothing"), "{text}");
    let premise = |report: &Value| {
        let rows = rows(report, "premises");
        let row = rows.into_iter().find(|row| row[0].contains("next deck cannot be computed"));
        row.expect("it is a premise")
    };
    assert!(premise(&report)[1].contains("R9"), "{:?}", premise(&report));
    // Where none was recovered, decks are silent about it, also where a person found a key.
    let other = report_of(&made().0, "out");
    assert_eq!(premise(&other)[1], "shown by nothing in this package");
    let text = section(&other, "unpredictability").to_string();
    assert!(text.contains("Statistics of decks say nothing about unpredictability."), "{text}");
}

/// A headline is a function of the facts, and no better than the worst of them.
#[test]
fn a_program_that_failed_its_selftest_gives_no_verdict() {
    let mut inputs = inputs();
    inputs.project.evidence.clear();
    // Its laboratory, customer and item are not named.
    assert_eq!(Facts::of(&inputs).headline, ReportHeadline::Incomplete);
    inputs.selftest.has_passed = false;
    let facts = Facts::of(&inputs);
    assert_eq!(facts.headline, ReportHeadline::Unreliable);
    assert!(facts.observations.contains(&Observation::SelftestFailed));
}

/// A report that names no laboratory, customer or item is a draft, whatever its audits say.
#[test]
fn a_report_whose_fields_are_empty_is_incomplete_on_its_first_page_and_in_the_exit_status() {
    let against = PROJECT.find("[[evidence]]").expect("it has findings");
    let lab = lab(&PROJECT[..against].replace("KEY", KEY));
    let output = certify(&lab, &["--out", "out"]).ends(2);
    output.must_print("TESTS PASSED, REPORT INCOMPLETE: 1 audit, 0 not passed");
    let letters = "empty or half empty: 7. After each come the keys of the project that say nothing yet: \
                   b (name and address of the laboratory: laboratory.name, laboratory.address); \
                   c (places of the activities: laboratory.locations); ";
    let report = report_of(&lab, "out");
    assert_eq!(report["facts"]["verdict"], "pass");
    let cover = cover(&report);
    for words in ["TESTS PASSED, REPORT INCOMPLETE", "This is a draft", letters] {
        assert!(cover.contains(words), "{words}: {cover}");
    }
    lab.run(&["verify", "out"]).ends(2).must_begin("out: verdict TESTS PASSED, REPORT INCOMPLETE; ");
    // Filled in, it is a report.
    let filled =
        PROJECT[..against].replace("KEY", KEY).replacen("[[person]]", &format!("{FILLED}[[person]]"), 1);
    let item =
        "id = \"main\"\nname = \"A\"\ncondition = \"B\"\ndescription = \"C\"\nfiles = [\"shuffler\"]\n";
    lab.write("project.toml", filled.replacen("id = \"main\"\n", item, 1));
    certify(&lab, &["--out", "whole"]).ends(0).must_print("PASS: 1 audit");
}

/// Evidence for one of two items answers for that one alone; evidence against one is against the row.
#[test]
fn evidence_is_that_of_its_items() {
    let mut inputs = inputs();
    let mut second = inputs.project.item[0].clone();
    second.id = "second".to_owned();
    inputs.project.item.push(second);
    let mut evidence = inputs.project.evidence.swap_remove(0);
    inputs.project.evidence.clear();
    evidence.row = "R2".to_owned();
    evidence.items = vec!["main".to_owned()];
    let row = |inputs: &Inputs| Facts::of(inputs).rows.swap_remove(1);
    inputs.project.evidence.push(evidence.clone());
    assert_eq!(row(&inputs).status, RowStatus::NotMet);
    evidence.finding = serde_json::from_value(json!("met")).expect("a finding");
    inputs.project.evidence[0] = evidence.clone();
    let partly = row(&inputs);
    assert_eq!((partly.status, partly.met_for), (RowStatus::NotAssessed, vec!["main".to_owned()]));
    evidence.items.push("second".to_owned());
    inputs.project.evidence[0] = evidence;
    assert_eq!(row(&inputs).status, RowStatus::Met);
}

/// The package without pages, as another build wrote it.
fn of_another_build() -> PackageFiles {
    let mut inputs = inputs();
    inputs.runs.tool.commit = "another".to_owned();
    without_pages(inputs)
}

fn found(change: &dyn Fn(&mut PackageFiles)) -> Fault {
    let mut files = of_another_build();
    change(&mut files);
    let own = Tool { commit: "of this test".to_owned(), ..inputs().runs.tool };
    check(&Memory(with_sums(files)), &[], &own).err().expect("it is not accepted")
}

/// Of another build only the prose may be another's: a number is the certificate's, or the package is refused.
#[test]
fn numbers_of_another_build_are_compared_with_the_certificates() {
    for (name, from, to) in [
        ("report.json", "\"decks\": 1000", "\"decks\": 9000"),
        ("report.json", "\"verdict\": \"pass\"", "\"verdict\": \"fail\""),
        ("report.json", "\"headline\": \"not-met\"", "\"headline\": \"pass\""),
        ("plan.json", "\"decks\": 1000", "\"decks\": 9000"),
        ("p-values.csv", ",1000,", ",9000,"),
        ("counts.csv", ",0,", ",1,"),
        ("vectors.csv", ",0,", ",1,"),
    ] {
        let fault = found(&|files| replace(files, name, from, to));
        assert!(fault.file == name && !fault.is_of_another_version, "{name}, {from}: {fault}");
    }
    // A p-value beyond the last digits that another order of sums can change.
    let text = String::from_utf8(of_another_build()["p-values.csv"].clone()).expect("UTF-8");
    let p_value = text.lines().nth(1).and_then(|line| line.split(',').nth_back(2)).expect("a row").to_owned();
    let fault = found(&|files| replace(files, "p-values.csv", &p_value, "9.9e-1"));
    assert!(fault.file == "p-values.csv" && !fault.is_of_another_version, "{fault}");
}

/// A package of another build on a disk, signed, and a file of signers whose key has expired since.
fn signed() -> Lab {
    let mut files = of_another_build();
    replace(&mut files, "reproduce.md", "# Reproducing", "# How to reproduce");
    let lab = folder_of(&with_sums(files));
    new_key(&lab, "key");
    sign(&lab, "key", "out/SHA256SUMS");
    let public = lab.text("key.pub");
    lab.write("signers", format!("lab@example.org valid-before=\"20250101\" {public}"));
    lab
}

#[test]
fn sums_and_signature_are_asked_of_every_build_before_anything_else() {
    let lab = signed();
    // Nothing is wrong with it: nothing more can be said by this build, and that says what was seen.
    lab.run(&["verify", "out"]).ends(2).must_warn("Every file has its checksum.");
    // A number and the sum that fits it, below the signature of the other sums.
    let mut files = package_of(&lab, "out");
    files.remove("SHA256SUMS.sig").expect("it was signed");
    replace(&mut files, "reproduce.md", "revision 1", "revision 7");
    let files = with_sums(files);
    lab.write("out/reproduce.md", &files["reproduce.md"]);
    lab.write("out/SHA256SUMS", &files[SUMS]);
    lab.run(&["verify", "out"]).ends(1).must_print("SHA256SUMS.sig");
}

#[test]
fn a_key_that_expired_since_makes_no_forged_report() {
    let lab = signed();
    // By this build, so that there is something to accept; the sums are signed anew.
    let mut inputs = inputs();
    inputs.project.evidence.clear();
    inputs.project_text = inputs.project_text.split("[[evidence]]").next().expect("a beginning").to_owned();
    write_package(&lab, &without_pages(inputs));
    fs::remove_file(lab.path("out/SHA256SUMS.sig")).expect("it was there");
    sign(&lab, "key", "out/SHA256SUMS");
    let verify = |more: &[&str]| {
        let base = ["verify", "--signers", "signers", "--identity", "lab@example.org"];
        lab.run(&[&base[..], more, &["out"]].concat())
    };
    // The claim of the signature, and whether the head needs it.
    let claim = |output: Output| {
        let output = output.json();
        let claims = output["claims"].as_array().expect("claims").iter();
        let own = claims.into_iter().find(|claim| claim["subject"] == "signature").expect("it is told");
        [&own["state"], &own["why"], &own["needed"]].map(Clone::clone)
    };
    let wanted = |state: &str, why: Value, needed: bool| [json!(state), why, json!(needed)];
    assert_eq!(
        claim(lab.run(&["verify", "--json", "out"])),
        wanted("not-looked-at", json!("nothing-given"), false)
    );
    assert_eq!(claim(verify(&["--json"])), wanted("not-looked-at", json!("key-expired"), true));
    assert_eq!(claim(verify(&["--json", "--signed-on", "2024-12-01"])), wanted("shown", Value::Null, true));
    let output = verify(&[]).ends(2);
    output.must_not_print("refused");
    output.must_print("is not valid today, and was on 22 November 2024");
    let output = verify(&["--signed-on", "2024-12-01"]);
    // The day makes it signed; that fields of the report are empty is left.
    assert!(output.code == 2 && output.prints("signed by lab@example.org"), "{output}");
    verify(&["--signed-on", "2025-06-01"]).ends(2).must_warn("key has expired");
}

/// Dates follow each other, and none is still to come.
#[test]
fn dates_are_in_order_and_not_in_the_future() {
    let lab = lab(&PROJECT.replace("KEY", KEY));
    let refused = |dates: &str, wanted: &str| {
        let text = PROJECT.replace("KEY", KEY).replace("issued = \"2024-11-22\"", dates);
        lab.write("project.toml", text);
        let output = certify(&lab, &["--out", "later", "--plan-only"]);
        assert!(output.code == 2 && output.warns(wanted), "{dates}: {output}");
        output
    };
    refused("sampled_from = \"2024-02-02\"\nsampled_to = \"2024-02-01\"", "which is before sampled_from");
    refused("performed_to = \"2024-02-02\"\nissued = \"2024-02-01\"", "which is before performed_to");
    refused("received = \"2024-02-02\"\nperformed_from = \"2024-02-01\"", "which is before received");
    let by_clock = "issued is 2990-01-01, a day that is still to come: by the clock of this machine";
    refused("issued = \"2990-01-01\"", by_clock).must_warn("set it");
    let made = "issued = \"2024-11-22\"\n[[external]]\nmade = \"2024-11-23\"\nfile = \"other.txt\"";
    refused(made, "made: found 2024-11-23, which is after issued, 2024-11-22");
    let made = "[[external]]\nmade = \"2990-01-01\"\nfile = \"other.txt\"";
    refused(made, "made is 2990-01-01, a day that is still to come");
    assert!(!lab.exists("later"));
}

/// A campaign is one of its own whatever its source: only so a deposited hash says which.
#[test]
fn two_campaigns_have_two_hashes_whatever_their_source() {
    let lab = lab(&PROJECT.replace("audit:KEY", "os"));
    let hash = |out: &str| {
        certify(&lab, &["--out", out, "--plan-only"]).ends(0).must_print("how many others were frozen");
        let plan = lab.text(&format!("{out}/plan.toml"));
        plan.lines().next().expect("a line").to_owned()
    };
    let (one, other) = (hash("one"), hash("other"));
    assert!(one.starts_with("campaign_sha256") && one != other, "{one} {other}");
}

/// What stands of each text is data with a source, or says that it was not verified.
#[test]
fn each_text_has_its_edition_and_address_or_says_that_none_was_verified() {
    let rows = rows(&report_of(&made().0, "out"), "references");
    let of =
        |name: &str| rows.iter().find(|row| row[0].contains(name)).unwrap_or_else(|| panic!("no {name}"));
    assert!(of("810a.5")[1].contains("51 Pa.B. 5389") && of("810a.5")[2].contains("pacodeandbulletin.gov"));
    assert!(of("cGaming Minimum Technical Standards")[1].contains("1 December 2018"));
    assert_eq!(of("GLI-19")[1], "edition not verified");
    for (name, words) in [
        ("RTS 7", "no test and no level named"),
        ("ANJ", "text that the makers of the program have not read"),
        ("Québec", "the makers of the program found no text that asks a statistic"),
        ("New Jersey", "without a level: Chi-square; Mono-bit; Runs"),
        ("Nevada", "text that the makers of the program have not read"),
    ] {
        assert!(of(name)[3].contains(words), "{:?}", of(name));
    }
    assert_eq!(of("RTS 7")[1], "2021-12-15; text as of 23 April 2024");
    assert!(of("Nevada")[0].contains("Regulation 14, 14.040") && of("ANJ")[1] == "edition not verified");
    let html = String::from_utf8(made().0.read("out/report.html")).expect("UTF-8");
    assert!(
        html.contains("all of them are judged together at its level (Bonferroni)"),
        "collective readings"
    );
}

/// What the data could contradict, and what is assumed whatever they are, stands in one table; a judgement prints the claims.
#[test]
fn premises_say_what_these_data_could_contradict() {
    let (lab, _, _) = made();
    let rows = rows(&report_of(lab, "out"), "premises");
    let refutable = |words: &str| {
        let row = rows.iter().find(|row| row[0].contains(words));
        row.unwrap_or_else(|| panic!("no {words}"))[2].clone()
    };
    for (words, wanted) in [
        ("verdict follows from the counts", "yes"),
        ("52 different cards", "yes"),
        ("counts are those of the decks", "yes"),
        ("next deck cannot be computed", "partly"),
        ("the one in production, and deals as it does in play", "no (assumed)"),
        ("those of the table", "no (assumed)"),
        ("plan was fixed before", "no (assumed)"),
        ("Nobody chose among several sets of decks", "no (assumed)"),
    ] {
        assert_eq!(refutable(words), wanted, "{words}");
    }
    let output = lab.run(&["verify", "--json", "out"]);
    let json = output.json();
    let claims = json["claims"].as_array().expect("a list");
    let state = |subject: &str| {
        let claim = claims.iter().find(|claim| claim["subject"] == subject);
        claim.unwrap_or_else(|| panic!("no {subject}"))["state"].as_str().expect("a word").to_owned()
    };
    assert_eq!(
        (state("verdict"), state("counts"), state("plan-fixed")),
        ("shown".into(), "not-looked-at".into(), "claimed".into())
    );
    assert_eq!(json["headline"], "not-met");
}
