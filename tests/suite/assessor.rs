//! What an assessor or a regulator asks of a report: what a repeat would hide, by whose rules, with which risk, who said it.

use deckproof::project::frozen::FrozenRaw;
use deckproof::project::raw::{self, RawRecord};

use crate::common::lab::{KEY, Lab};
use crate::common::package::{certify, lab, project, report, rows};

/// The page of a project, whatever its verdict.
fn page(text: &str) -> (Lab, String) {
    let lab = lab(text);
    let output = certify(&lab, &["--out", "out", "--quiet"]);
    assert!(output.code < 2, "{output}");
    let html = lab.text("out/report.html");
    (lab, html)
}

fn small() -> String {
    project(&format!("audit:{KEY}"), 1_000)
}

/// A flawed dealer that 100 decks make suspect and do not convict.
fn suspect() -> String {
    let lab = Lab::new();
    let mut names = (1..60).map(|seed| format!("flawed:riffle-8:{seed}"));
    let is_suspect = |name: &String| {
        let fixed = ["audit", "--tiers", "core", "--json", "--decks", "100", "--no-repeat", "--source"];
        let out = format!("out-{}", name.replace(':', "-"));
        let output = lab.run(&[&fixed[..], &[name, "--out", &out]].concat());
        let outcome = output.json();
        outcome["verdict"] == "investigate"
    };
    names.find(is_suspect).expect("eight riffles are seen at about a hundred decks")
}

/// A table of the repeat alone would hide that the first look had found something.
#[test]
fn a_repeat_is_told_with_what_the_first_look_showed() {
    let (lab, html) = page(&project(&suspect(), 100));
    let report = lab.json("out/report.json");
    assert_eq!(report["facts"]["audits"][0]["decks_repeat"], 400);
    let certificate = lab.json("out/certificates/main.decks.json");
    let first = certificate["result"]["first"]["family_p_value"].as_f64().expect("a number");
    assert!(first < 0.01, "{first}");
    let (_, told) = html
        .split_once("main.decks: the first look at 100 decks had a family p-value of ")
        .expect("the first look is told");
    let (p_value, told) = told.split_once(',').expect("a comma");
    let p_value: f64 = p_value.parse().expect("a number");
    assert!((p_value / first - 1.0).abs() < 0.05, "{p_value} and {first}");
    assert!(told.contains("the next 400 decks were judged once"), "{}", &told[..200]);
    assert!(!page(&small()).1.contains("the first look at"), "none was due");
}

/// The family p-value of a first look of raw output is kept where a repeat decides.
#[test]
fn raw_output_that_was_repeated_keeps_its_first_p_value() {
    let asked = FrozenRaw { item: "main".to_owned(), key: KEY.to_owned(), words: 1_000 };
    let key = KEY.parse().expect("a key");
    let fair: RawRecord = raw::count(&asked, &key);
    assert_eq!(fair.first_family_p_value(), None);
    let mut repeated = fair.clone();
    repeated.repeat = Some(fair.first.clone());
    assert_eq!(repeated.first_family_p_value(), Some(fair.judge().family_p_value));
}

#[test]
fn a_report_says_by_whose_rules_hands_were_dealt_and_what_was_not_judged() {
    let usage = "rules = [\"stud-hi\", \"espacejeux\"]\nplayers = [2, 8]";
    let text = small().replace("rules = [\"stud-hi\"]\nplayers = [7]", usage);
    let (_lab, html) = page(&text);
    for words in [
        "stud-hi: seven-card stud, the high hand wins. No card is burned.",
        "espacejeux: seven-card stud after the rules that Loto-Québec publishes",
        "one community card is counted in every hand: stud-hi, 8 players.",
        "which was not examined: espacejeux, 8 players. There hands were judged by their first six cards",
        "in the words of the program: main.espacejeux.8: ",
    ] {
        assert!(html.contains(words), "{words}");
    }
    assert!(!html.contains("stud-8b: "), "no hands were dealt by these rules");
    let (_lab, html) = page(&text.replace("language = \"en\"", "language = \"fr\""));
    for words in [
        "stud-hi\u{a0}: stud à sept cartes, la main haute gagne. Aucune carte n’est brûlée.",
        "une carte commune est comptée dans chaque main\u{a0}: stud-hi, 8 joueurs.",
        "qui n’a pas été examiné\u{a0}: espacejeux, 8 joueurs. Les mains y ont été jugées sur leurs six premières cartes",
    ] {
        assert!(html.contains(words), "{words}");
    }
}

/// Two audits and one raw output may each end the report with another verdict.
#[test]
fn the_risk_of_a_report_counts_its_raw_output() {
    let (_lab, html) = page(&small());
    assert!(html.contains("audits and raw outputs: 3"), "the raw output counts");
    assert!(html.contains("at most 0.03\u{a0}%") && html.contains("at most 3.00\u{a0}%"));
    let (_lab, html) = page(&project("flawed:fisher-yates-pcg:7", 1_000));
    assert!(html.contains("audits and raw outputs: 2"), "there is no raw output");
}

/// What the customer says of a requirement is a declaration; a report that denies it contradicts itself.
#[test]
fn what_a_customer_says_of_requirements_is_no_missing_declaration() {
    let none = "The customer made no declarations.";
    assert!(page(&small()).1.contains(none));
    let evidence = |row: &str, by: &str| {
        format!("[[evidence]]\nrow = \"{row}\"\nby = \"{by}\"\nfinding = \"met\"\ntext = \"Seen.\"\n")
    };
    let output = [("R2", "customer"), ("R9", "customer"), ("R9", "customer"), ("R16", "laboratory")];
    let text: String = output.iter().map(|(row, by)| evidence(row, by)).collect();
    let (_lab, html) = page(&(small() + &text));
    assert!(!html.contains(none) && html.contains("table of requirements: R2 and R9."));
    let declared = "[[declaration]]\nabout = \"seeding\"\ntext = \"From the kernel.\"\n";
    let (_lab, html) = page(&(small() + &text + declared));
    assert!(html.contains("From the kernel.") && html.contains("table of requirements: R2 and R9."));
}

/// That a package can be recomputed is no verification yet; whoever did verify says so.
#[test]
fn independent_verification_is_met_by_people_alone() {
    let finding = "[[evidence]]\nrow = \"R18\"\nby = \"external\"\nfinding = \"met\"\ntext = \"Recomputed by our own program.\"\n";
    for (text, wanted) in [(small(), "not assessed here"), (small() + finding, "met")] {
        let (lab, _) = page(&text);
        assert_eq!(rows(&report(&lab, "out"), "requirements")[17][2], wanted);
    }
}

/// "Not detected" means nothing without the number of decks that were tried.
#[test]
fn a_table_of_power_says_whose_it_is_and_how_far_it_looked() {
    let (_lab, html) = page(&small());
    let (_, told) = html.split_once("Power of the audit main.").expect("a measured plan");
    assert!(told[..250].contains("; seeds for each dealer: at least "), "{}", &told[..250]);
}
