//! What a report says where a fair shuffle, an export or a slip of the laboratory would explain it: no more than an audit says.

use deckproof::audit::verdict::Verdict;
use deckproof::battery;
use deckproof::certificate::standards::Conformity;
use deckproof::project::facts::Facts;
use deckproof::project::facts::observation::{Observation, ReportHeadline};
use deckproof::project::facts::rows::RowStatus;

use crate::common::lab::{KEY, Lab, Output, deck, index_line, lines};
use crate::common::package::{
    certify, cover, finished, inputs as inputs_of, package_of, report, section, without_pages,
};
use crate::laboratory_sources::{head, item};

/// What a package says whose first audit has this p-value of one standard, and this verdict by this family p-value.
fn missed(standard: &str, p_value: f64, audit: (Verdict, f64)) -> (Facts, String) {
    let mut inputs = inputs_of(package_of(finished(), "out"));
    inputs.project.standards = vec![standard.to_owned()];
    let result = &mut inputs.certificates[0].result;
    (result.verdict, result.first.family_p_value) = audit;
    let records = result.first.standards.iter_mut().filter(|own| own.name == standard);
    records.for_each(|own| (own.family_p_value, own.verdict) = (Some(p_value), Conformity::NotMet));
    let facts = Facts::of(&inputs);
    let report = serde_json::from_slice(&without_pages(inputs)["report.json"]).expect("JSON");
    (facts, section(&report, "requirements").to_string())
}

/// One fair shuffle in twenty misses a level of 95 %, one in a hundred a level of 99 %: with one standard in the project, too, that
/// is no finding. A question it is from 1 % on, and R5 is not met where an audit fails.
#[test]
fn a_standard_that_a_fair_shuffle_misses_makes_no_report_not_met() {
    use ReportHeadline as Headline;
    use Verdict::{Fail, Investigate, Pass};
    for (standard, p_value, audit, headline, is_question, row) in [
        ("Pennsylvania", 0.03, (Pass, 0.4), Headline::Pass, false, RowStatus::NotAssessed),
        ("Pennsylvania", 0.009, (Pass, 0.4), Headline::Investigate, true, RowStatus::NotAssessed),
        ("GLI-19", 0.009, (Pass, 0.4), Headline::Investigate, true, RowStatus::NotAssessed),
        ("GLI-19", 1e-9, (Pass, 0.02), Headline::Investigate, true, RowStatus::NotAssessed),
        ("GLI-19", 0.009, (Investigate, 0.001), Headline::Investigate, true, RowStatus::NotAssessed),
        // The audit fails by its p-values, and by a proof alone.
        ("GLI-19", 1e-9, (Fail, 1e-8), Headline::Fail, false, RowStatus::NotMet),
        ("GLI-19", 0.009, (Fail, 0.4), Headline::Fail, false, RowStatus::NotAssessed),
    ] {
        let (facts, requirements) = missed(standard, p_value, audit);
        let case = format!("{standard} {p_value} {audit:?}");
        assert_eq!((facts.headline, facts.rows[4].status), (headline, row), "{case}");
        let found = facts.observations.iter().find_map(|own| match own {
            Observation::StandardNotMet { in_family, .. } => Some(*in_family),
            _ => None,
        });
        assert_eq!(found, Some(is_question), "{case}");
        let level = if standard == "GLI-19" { "99\u{a0}%, main" } else { "95\u{a0}%, main" };
        assert!(
            requirements.contains("standard’s own level") && requirements.contains(level),
            "{requirements}"
        );
    }
}

/// A report on recorded decks.
fn recorded(decks: &str, count: usize, source: &str, more: &str) -> (Lab, Output) {
    let lab = Lab::new();
    lab.write("decks.csv", decks);
    lab.write("project.toml", head() + &item("main", source, count as u64, more));
    let output = certify(&lab, &["--out", "out"]);
    (lab, output)
}

/// An export may hold one hand twice, or cut a record: a report says so wherever an audit says it, and names no requirement not met.
#[test]
fn a_slip_that_the_export_may_have_made_stands_wherever_the_verdict_stands() {
    let check = |decks: &str, source: &str, more: &str, wanted: Option<&str>, not_met: &[usize]| {
        let (lab, output) = recorded(decks, decks.lines().count(), source, more);
        let output = output.ends(1);
        let verified = lab.run(&["verify", "out"]).ends(1);
        let report = report(&lab, "out");
        for text in [&output.out, &verified.out, &cover(&report)] {
            for slip in
                ["the export holds it twice", "If the export cut or changed it", "Rule out the export first"]
            {
                assert_eq!(text.contains(slip), wanted == Some(slip), "{slip}: {text}");
            }
        }
        let rows = report["facts"]["rows"].as_array().expect("rows").iter();
        let found: Vec<usize> = rows
            .zip(1..)
            .filter(|(row, number)| row["status"] == "not-met" && [7, 10, 14].contains(number))
            .map(|(_, number)| number)
            .collect();
        assert_eq!(found, not_met, "{source} {more}: {output}");
    };
    let twice = lines(1..=1_000) + &lines(5..=5);
    check(&twice, "csv:decks.csv", "", Some("the export holds it twice"), &[]);
    let ids = twice.lines().zip(1..).map(|(deck, hand)| format!("{hand},{deck}\n"));
    let ids = "hand,deck\n".to_owned() + &ids.collect::<String>();
    let settings = "settings = { id_column = \"hand\" }\n";
    let rest = ids.lines().count() - 1;
    let (lab, output) = recorded(&ids, rest, "csv:decks.csv", settings);
    output.ends(1).must_print("Requirement R10 is not met");
    lab.run(&["verify", "out"]).ends(1).must_print("Rule out the export first");
    let line = index_line(&deck(500));
    let torn = lines(1..=1_000).replace(&line, &format!("{}\n", &line[..line.len() - 7]));
    check(&torn, "csv:decks.csv", "", Some("If the export cut or changed it"), &[]);
    // What this program shuffles itself has no export to blame: 2,000 draws from 2^16 seeds hold some 30 twice.
    check(&lines(1..=2_000), "flawed:seed-16:1", "", None, &[7, 10]);
}

/// A list that is there twice is no finding about a shuffler: no package is made of it, as `audit` makes no certificate.
#[test]
fn an_export_that_holds_each_hand_twice_is_certified_by_nobody() {
    let twice = lines(1..=1_000).repeat(2);
    let (lab, output) = recorded(&twice, 2_000, "csv:decks.csv", "");
    output
        .ends(2)
        .must_warn("main.decks: found each deck of 2,000 records twice, the whole list behind itself");
    assert!(!std::fs::exists(lab.path("out/report.html")).expect("a folder"));
    lab.run(&["certify", "--project", "project.toml", "--out", "out"])
        .ends(2)
        .must_warn("take the copies out");
    // With ids the records tell by themselves, and one hand more is a deck that came again.
    let ids = twice.lines().zip(1..).map(|(deck, hand)| format!("{hand},{deck}\n"));
    let ids = "hand,deck\n".to_owned() + &ids.collect::<String>();
    recorded(&ids, 2_000, "csv:decks.csv", "settings = { id_column = \"hand\" }\n").1.ends(1);
}

/// What was not tested is on the first page, the screen and where the package is judged; a table adds what decks alone lack.
#[test]
fn statistics_and_standards_that_did_not_run_are_on_the_first_page() {
    let lab = Lab::new();
    let all = battery::abouts().count();
    for (more, ran) in [("", 6), ("[[usage]]\nrules = [\"stud-hi\"]\nplayers = [6]\n", 22)] {
        let left = all - ran;
        let text = head().replacen("language", "standards = [\"GLI-19\"]\nlanguage", 1);
        lab.write("project.toml", text + &item("main", &format!("audit:{KEY}"), 1_000, more));
        let out = format!("out-{}", more.len());
        let output = certify(&lab, &["--out", &out]).ends(0);
        let verified = lab.run(&["verify", &out]).ends(0);
        for text in [output.out, verified.out, cover(&report(&lab, &out))] {
            assert!(
                text.contains(&format!("Not run for main: {left} of the {all} statistics of this program (")),
                "{text}"
            );
            assert!(text.contains("GLI-19, item main: "), "{text}");
        }
    }
}

/// Numbers of 31 bits are no fault of a generator, and the counts of whole words say nothing of them.
#[test]
fn words_that_hold_numbers_of_fewer_bits_are_could_not_say() {
    let lab = Lab::new();
    let words = |stuck: u32| {
        let word = |n: u32| {
            let bytes = deckproof::file::sha256(n.to_le_bytes());
            u32::from_str_radix(&bytes[..8], 16).expect("digits") & 0x7fff_ffff | stuck
        };
        (0..100_000).flat_map(|n| word(n).to_le_bytes()).collect::<Vec<u8>>()
    };
    lab.write(
        "project.toml",
        head() + &item("main", &format!("audit:{KEY}"), 1_000, "words = { file = \"w.bin\" }\n"),
    );
    lab.write("w.bin", words(0));
    let output = certify(&lab, &["--out", "out"]).ends(2);
    output.must_print("INCONCLUSIVE: 1 audit");
    let note = "1 of 32 bits are always 0, as in numbers of 31 bits";
    output.must_print(note);
    output.must_not_print("R6");
    lab.run(&["verify", "out"]).ends(2).must_print(note);
    assert!(lab.text("out/report.html").matches(note).count() >= 2, "first page and results");
    // A bit that is stuck below them is a fault.
    lab.write("w.bin", words(1));
    let output = certify(&lab, &["--out", "stuck"]).ends(1);
    output.must_print("Requirement R6 is not met");
    output.must_print(note);
}

/// The plan of recorded decks holds their hash: no laboratory fixed it before them.
#[test]
fn the_plan_of_recorded_decks_is_not_said_to_come_before_them() {
    let after = "so it was made after they were dealt";
    let (lab, output) = recorded(&lines(1..=1_000), 1_000, "csv:decks.csv", "");
    output.ends(0);
    assert!(lab.text("out/report.html").contains(after));
    let claims = lab.run(&["verify", "--json", "out"]).json()["claims"].to_string();
    assert!(claims.contains("\"plan-fixed\",\"state\":\"not-looked-at\""), "{claims}");
    assert!(!finished().text("out/report.html").contains(after));
}

/// Whose decks they were stays on the first page.
#[test]
fn an_amendment_does_not_take_the_customers_decks_in_silence() {
    let (lab, output) = recorded(&lines(1..=1_000), 1_000, "csv:decks.csv", "");
    output.ends(0);
    let amend = |from: &str, by: [&str; 2], out: &str| {
        let text = lab.text("project.toml");
        lab.write(
            "project.toml",
            text.replace(&format!("by = \"{}\"", by[0]), &format!("by = \"{}\"", by[1])),
        );
        certify(&lab, &["--amend", from, "--reason", "typing error", "--out", out]).ends(0)
    };
    let wanted = "stated that the customer supplied the decks of main; revision 3 does not.";
    amend("out", ["laboratory", "customer"], "2").must_not_print("supplied the decks");
    amend("2", ["customer", "laboratory"], "3").must_print(wanted);
    lab.run(&["verify", "3"]).ends(0).must_print(wanted);
    assert!(lab.text("3/report.html").contains(wanted));
}
