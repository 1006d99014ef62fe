//! Certificates that another version of the program wrote: named, and never refused.

use serde_json::json;

use crate::common::lab::{KEY, Lab};

/// Written by the program before the present format: nothing is wrong with it, and nothing can be said.
#[test]
fn a_certificate_of_an_older_format_is_named_and_not_refused() {
    let lab = Lab::new();
    let older = json!({"result": {"format": "deckproof/certificate/v4", "plan": {}, "first": {"tallies": [{"counts": [1]}]}}, "tool": {}});
    lab.write("older.json", older.to_string());
    for command in
        [&["verify", "older.json"][..], &["report", "older.json"], &["verify", "--rerun", "older.json"]]
    {
        let output = lab.run(command);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{command:?}: {output}");
        let words =
            "this program knows deckproof/certificate/v6, the certificate is \"deckproof/certificate/v4\"";
        assert!(output.warns(words) && output.warns("This says nothing"), "{command:?}: {output}");
    }
}

/// A later program's certificate: nothing is wrong with it that this program could see.
#[test]
fn a_certificate_of_unknown_versions_is_named_and_not_refused() {
    let lab = Lab::new();
    let source = format!("audit:{KEY}");
    let audit = ["audit", "--tiers", "core", "--source", &source, "--decks", "1000", "--out", "known"];
    lab.run(&audit).ends(0);
    let known = lab.certificate("known").to_string();
    let doctored = |from: &str, to: &str| {
        assert_eq!(known.matches(from).count(), 1, "{from}");
        known.replace(from, to)
    };
    let cases = [
        (
            doctored(r#"{"id":"card-place","version":4"#, r#"{"id":"card-place","version":5"#),
            "this program knows version 4 of card-place, the plan has version 5",
        ),
        (
            doctored(r#"{"id":"duplicates","version":2"#, r#"{"id":"duplicates","version":3"#),
            "this program knows version 2 of duplicates, the plan has version 3",
        ),
        (
            doctored(r#"{"id":"cycles","version""#, r#"{"id":"cycles-of-tomorrow","version""#),
            "this program knows no statistic cycles-of-tomorrow, which the plan names",
        ),
    ];
    for (text, words) in cases {
        lab.write("later.json", text);
        for command in [
            &["verify", "later.json"][..],
            &["verify", "--json", "later.json"],
            &["verify", "--rerun", "later.json"],
            &["report", "later.json"],
            &["report", "--format", "csv", "--out", "tables", "later.json"],
        ] {
            let output = lab.run(command);
            let is_silent = output.out.is_empty() || output.out.starts_with("{\"verdict\":null");
            assert!(output.code == 2 && is_silent, "{command:?}: {output}");
            assert!(output.warns(words) && output.warns("This says nothing"), "{command:?}: {output}");
        }
        let both = lab.run(&["verify", "known/certificate.json", "later.json"]).ends(2);
        both.must_print("later.json: could not be judged.").must_warn(words);
    }
    assert!(!lab.exists("tables"));
}
