//! The head, the exit status and the claims of one judgement say the same, in every command that judges counted decks.

use serde_json::Value;

use crate::common::lab::{KEY, Lab, deck, index_line, lines, one_twice};
use crate::common::schema::check_valid;
use crate::hands::thousand;

/// What is claimed of a subject; none is null.
fn claim(judgement: &Value, subject: &str) -> Value {
    check_valid("claims", &judgement["claims"]);
    let claims = judgement["claims"].as_array().expect("a list");
    claims.iter().find(|claim| claim["subject"] == subject).cloned().unwrap_or_default()
}

fn state(judgement: &Value, subject: &str) -> String {
    claim(judgement, subject)["state"].as_str().unwrap_or("no claim").to_owned()
}

/// The head is no better than the weakest claim that is needed: one file that nobody could read takes the pass away.
#[test]
fn published_hands_of_which_some_cannot_be_read_are_no_pass_in_any_form() {
    let lab = Lab::new();
    lab.write("fair.phhs", thousand(false));
    let all = lab.run(&["hands", "--json", "fair.phhs"]);
    assert_eq!((all.code, all.json()["verdict"].as_str()), (0, Some("pass")), "{all}");
    assert_eq!(claim(&all.json(), "all-read")["needed"], true);
    lab.write("note.txt", "PokerStars Hand #7");
    let some = lab.run(&["hands", "--json", "fair.phhs", "note.txt"]);
    let found = some.json();
    assert_eq!((some.code, found["verdict"].as_str()), (2, Some("inconclusive")));
    assert_eq!([state(&found, "no-departure"), state(&found, "all-read")], ["shown", "not-looked-at"]);
    assert_eq!(claim(&found, "all-read")["why"], "unread");
    lab.write("aces.phhs", thousand(true));
    let aces = lab.run(&["hands", "--json", "aces.phhs", "note.txt"]);
    let departure = claim(&aces.json(), "no-departure");
    assert_eq!((aces.code, &departure["code"]), (3, &"investigate".into()), "{departure}");
    let others: Vec<&str> = departure["otherwise"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|own| own["kind"].as_str())
        .collect();
    assert_eq!(others, ["chance", "export"]);
}

#[test]
fn an_audit_its_certificate_and_its_report_rest_on_the_same_claims() {
    let lab = Lab::new();
    lab.write("key", format!("{KEY}\n"));
    for (name, source, decks, code, verdict) in [
        ("good", "audit:@key", "1000", 0, "pass"),
        ("few", "audit:@key", "10", 2, "inconclusive"),
        ("bad", "flawed:sattolo", "1000", 1, "fail"),
    ] {
        let arguments =
            ["audit", "--source", source, "--decks", decks, "--tiers", "core", "--json", "--out", name];
        let audit = lab.run(&arguments);
        let found = audit.json();
        assert_eq!((audit.code, found["verdict"].as_str()), (code, Some(verdict)), "{audit}");
        let departure = match verdict {
            "pass" => "shown",
            "fail" => "contradicted",
            _ => "not-looked-at",
        };
        assert_eq!([state(&found, "no-departure"), state(&found, "counts")], [departure, "shown"]);
        let certificate = format!("{name}/certificate.json");
        for rerun in [false, true] {
            let options = ["verify", "--json", &certificate, "--rerun"];
            let output = lab.run(&options[..3 + usize::from(rerun)]);
            let found = output.json();
            assert_eq!((output.code, found["certificate_verdict"].as_str()), (code, Some(verdict)));
            assert_eq!(state(&found, "no-departure"), departure);
            let counts = if rerun { "shown" } else { "not-looked-at" };
            assert_eq!(
                (state(&found, "counts").as_str(), &claim(&found, "counts")["needed"]),
                (counts, &rerun.into())
            );
        }
        let report = lab.run(&["report", "--format", "md", &certificate]);
        report.must_print(&format!("{}: ", verdict.to_uppercase()));
        // A certificate that says more than its integers: the report is refused as the judgement is.
        let forged = lab.text(&certificate);
        let other = if verdict == "pass" { "fail" } else { "pass" };
        let forged =
            forged.replacen(&format!("\"verdict\":\"{verdict}\""), &format!("\"verdict\":\"{other}\""), 1);
        lab.write("forged.json", forged);
        let output = lab.run(&["verify", "--json", "forged.json"]);
        assert_eq!((output.code, state(&output.json(), "verdict").as_str()), (1, "contradicted"), "{output}");
        lab.run(&["report", "forged.json"]).ends(1);
    }
}

const STEPS: &str = "name = \"Table 1\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\n";

fn day(lab: &Lab, source: &str) -> (i32, Value) {
    lab.write("daily.toml", format!("{STEPS}source = \"{source}\"\ndecks = 1100\n"));
    let output = lab.run(&["daily", "--config", "daily.toml", "--json"]);
    (output.code, output.json())
}

/// The claims of a day are its steps: what passed, what could not be done, and what stops, with its place.
#[test]
fn the_claims_of_a_day_follow_the_day() {
    let lab = Lab::new();
    let lines: String = (1..=1100).map(|n| index_line(&deck(n))).collect();
    lab.write("good.csv", &lines);
    let (code, good) = day(&lab, "csv:good.csv");
    assert_eq!(code, 0, "{good}");
    for subject in ["record-unchanged", "new-decks", "no-departure", "no-drift", "verdict", "counts"] {
        assert_eq!(state(&good, subject), "shown", "{subject}: {good}");
    }
    assert_eq!(state(&good, "decks-of-the-table"), "claimed");
    let seats = claim(&good, "seats-alike");
    assert_eq!((&seats["why"], &seats["needed"]), (&"not-set-up".into(), &false.into()));

    let (code, missing) = day(&lab, "csv:missing.csv");
    assert_eq!(code, 2, "{missing}");
    for subject in ["verdict", "counts", "decks-of-the-table", "decks-not-chosen"] {
        assert_eq!(state(&missing, subject), "no claim", "{subject}: {missing}");
    }
    let live = claim(&missing, "no-departure");
    assert_eq!((&live["why"], &live["needed"]), (&"could-not-be-done".into(), &true.into()), "{missing}");
    assert_eq!(state(&missing, "record-unchanged"), "shown");

    lab.write("bad.csv", lines.replacen(&index_line(&deck(700)), &index_line(&one_twice()), 1));
    let (code, bad) = day(&lab, "csv:bad.csv");
    assert_eq!(code, 1, "{bad}");
    let live = claim(&bad, "no-departure");
    let step =
        bad["day"]["checks"].as_array().expect("steps").iter().find(|step| step["name"] == "live output");
    assert_eq!(
        (&live["code"], &live["place"]),
        (&"stop".into(), &step.expect("the step")["evidence"]),
        "{bad}"
    );
    assert!(live["place"].as_str().expect("a text").contains("ecord 700"), "{live}");
}

/// A day whose report nobody signed is recorded and is no pass: the claims say that something was left undone.
#[test]
fn what_could_not_be_delivered_is_among_the_claims() {
    let lab = Lab::new();
    lab.write("good.csv", lines(1..=1100));
    lab.write("key", "no key of ssh-keygen");
    let config = format!("{STEPS}source = \"csv:good.csv\"\ndecks = 1100\nsign_key = \"key\"\n");
    lab.write("daily.toml", config);
    let output = lab.run(&["daily", "--config", "daily.toml", "--json"]);
    let found = output.json();
    assert_eq!(
        (output.code, claim(&found, "results-written")["why"].as_str()),
        (2, Some("could-not-be-done")),
        "{found}{output}"
    );
    assert_eq!(found["day"]["overall"], "passed");
}

/// What decided is the first thing below the verdict: the test, n, its p-value, that of the family and the level, the null.
#[test]
fn the_screen_begins_with_the_p_value_that_decided() {
    let lab = Lab::new();
    let audit = |source: &str, name: &str| {
        let output =
            lab.run(&["audit", "--source", source, "--decks", "1000", "--tiers", "core", "--out", name]);
        let lines: Vec<String> = output.out.lines().map(str::to_owned).collect();
        (output.code, lines[2..9].join(" ").split_whitespace().collect::<Vec<_>>().join(" "), output.out)
    };
    let (code, first, all) = audit("flawed:sattolo", "bad");
    assert_eq!(code, 1, "{all}");
    for words in [
        "Decided by cycles and fixed points",
        "(n = 1,000): p-value below 1e-300, exact or proven to be no larger.",
        "the level is 0.000001.",
        "Null hypothesis: the decks are independent",
    ] {
        assert!(first.contains(words), "{words}: {all}");
    }
    // It is the one that convicts: the certificate has it with a tail or a bound that may.
    let certificate = lab.certificate("bad");
    let look = &certificate["result"]["first"];
    assert!(look["family_p_value_convicting"].as_f64().is_some_and(|p_value| p_value < 1e-6), "{look}");
    let (code, first, all) = audit(&format!("audit:{KEY}"), "good");
    assert!(code == 0 && !all.contains("Decided by") && !first.contains("Decided"), "{all}");
}

/// Decks that somebody recorded are the table's by the operator's word; those that were drawn here are no table's.
#[test]
fn whose_decks_a_certificate_is_of_follows_from_its_source() {
    let lab = Lab::new();
    lab.write("decks.csv", lines(1..=1_000));
    let drawn = format!("audit:{KEY}");
    for (source, out, state) in [("csv:decks.csv", "a", "claimed"), (&drawn, "b", "not-looked-at")] {
        let audit = ["audit", "--source", source, "--decks", "1000", "--tiers", "core", "--out", out];
        assert_eq!(lab.run(&audit).code, 0, "{source}");
        let found = lab.run(&["verify", "--json", &format!("{out}/certificate.json")]).json();
        let own = claim(&found, "decks-of-the-table");
        assert_eq!((&own["state"], own.get("by").is_some()), (&state.into(), state == "claimed"), "{own}");
    }
}
