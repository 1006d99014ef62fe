//! Two sets of decks side by side, from the command line.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::common::schema::check_valid;

fn deckproof(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("deckproof").expect("the binary");
    command.current_dir(folder);
    command
}

/// What a command printed, and its exit code.
fn run(folder: &Path, words: &[&str]) -> (String, i32) {
    let output = deckproof(folder).args(words).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    (text + &said, output.status.code().expect("an exit code"))
}

/// Fair decks for money and for play, and those of a flawed dealer.
fn samples() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, source) in [
        ("real.txt", &format!("audit:{:064x}", 3)[..]),
        ("play.txt", &format!("audit:{:064x}", 4)),
        ("odd.txt", "flawed:sattolo"),
    ] {
        let decks = deckproof(folder.path())
            .args(["stream", "--decks", "1500", "--as", "cards", "--source", source])
            .output()
            .expect("it runs");
        fs::write(folder.path().join(file), decks.stdout).expect("a file");
    }
    folder
}

#[test]
fn fair_sets_pass_and_a_flawed_one_is_told_from_them() {
    let folder = samples();
    let (text, code) = run(folder.path(), &["compare", "real.txt", "play.txt"]);
    assert_eq!(code, 0, "{text}");
    for sentence in [
        "PASS: no difference was found between 1,500 decks A and 1,500 decks B (family p-value ",
        "A: real.txt, recorded decks in format cards, all 1,500 records, SHA-256 ",
        "null hypothesis: all decks are independent and A and B have one distribution",
        "Not shown: that either set is fair",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
    assert!(!text.contains("spread over many answers"), "{text}");
    let (text, code) =
        run(folder.path(), &["compare", "real.txt", "odd.txt", "--rules", "stud-8b", "--players", "4"]);
    // No answer is named as what differs where chance explains that one.
    let differences: Vec<&str> = text.lines().filter(|line| line.contains("(99 % interval ")).collect();
    assert!(!differences.is_empty(), "{text}");
    for line in differences {
        let ends = line.split("interval ").nth(1).and_then(|rest| rest.split(')').next()).expect("two ends");
        let holds_zero = ends.starts_with('-') && ends.contains(" to +");
        assert_eq!(line.contains("spread over many answers"), holds_zero, "{line}");
    }
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("decks B do not have one distribution (family p-value "), "{text}");
    assert!(text.contains("Not shown: why they differ: "), "{text}");
    assert!(text.contains("cycles of the deck: 1: ") && text.contains("100.000 % of B"), "{text}");
}

#[test]
fn certificates_are_compared_and_what_is_believed_of_them_is_said() {
    let folder = samples();
    for (file, out) in [("real.txt", "real"), ("play.txt", "play")] {
        run(
            folder.path(),
            &["audit", "--without", "recovered-generator", "--source", file, "--out", out, "--quiet"],
        );
    }
    let of_files = run(folder.path(), &["compare", "real.txt", "play.txt", "--json"]).0;
    let of_files = of_files.lines().find(|line| line.starts_with('{')).expect("an object").to_owned();
    let certificates = ["compare", "real/certificate.json", "play/certificate.json", "--json"];
    let (text, code) = run(folder.path(), &certificates);
    assert_eq!(code, 0, "{text}");
    let [mut files, mut certificates]: [serde_json::Value; 2] =
        [&of_files, &text].map(|text| serde_json::from_str(text).expect("JSON"));
    check_valid("compare", &files);
    check_valid("compare", &certificates);
    assert_eq!(certificates["not_shown"].as_array().map(Vec::len), Some(4));
    // Whether they share decks is seen where the decks of both are read.
    assert_eq!(files["shared"], serde_json::json!({ "decks": 0, "halvings": 0 }));
    assert_eq!(certificates.get("shared"), None);
    files.as_object_mut().expect("an object").remove("shared");
    // Of certificates the counts are believed.
    for (outcome, counts) in [(&mut files, "shown"), (&mut certificates, "not-looked-at")] {
        let claims = outcome["claims"].as_array().expect("claims");
        let of = |subject| claims.iter().find(|claim| claim["subject"] == subject).expect("a claim");
        assert_eq!(
            (&of("no-difference")["state"], &of("counts")["state"]),
            (&"shown".into(), &counts.into())
        );
        outcome["claims"] = serde_json::Value::Null;
        outcome["not_shown"] = serde_json::Value::Null;
        // Of files their names are told, of certificates those of the certificates.
        outcome["sources"] = serde_json::Value::Null;
    }
    assert_eq!(files, certificates);

    // Another integer: the certificate is refused, and nothing is compared.
    let path = folder.path().join("play/certificate.json");
    let altered =
        fs::read_to_string(&path).expect("a certificate").replacen("\"decks\":1500", "\"decks\":1501", 1);
    fs::write(&path, altered).expect("a file");
    let (text, code) = run(folder.path(), &["compare", "real.txt", "play/certificate.json"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("play/certificate.json: the certificate is refused: "), "{text}");
}

#[test]
fn the_same_decks_other_tables_and_no_decks_are_exit_2() {
    let folder = samples();
    let (text, code) = run(folder.path(), &["compare", "real.txt", "real.txt"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("both sets are the same decks"), "{text}");
    run(folder.path(), &["audit", "--source", "play.txt", "--out", "play", "--quiet"]);
    let (text, code) =
        run(folder.path(), &["compare", "real.txt", "play/certificate.json", "--players", "5"]);
    assert_eq!(code, 2, "{text}");
    assert!(
        text.contains("found hands dealt at stud-hi, 5 players and at stud-hi, 6 players, wanted one table"),
        "{text}"
    );
    assert_eq!(run(folder.path(), &["compare", "real.txt", "none.txt"]).1, 2);
    let few = fs::read_to_string(folder.path().join("play.txt")).expect("decks");
    fs::write(folder.path().join("few.txt"), few.lines().take(900).collect::<Vec<_>>().join("\n") + "\n")
        .expect("a file");
    let (text, code) = run(folder.path(), &["compare", "real.txt", "few.txt"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("INCONCLUSIVE"), "{text}");
}

/// Statistics of two samples say nothing of sets that have decks in common, and so does the verdict.
#[test]
fn decks_that_stand_in_both_sets_are_told_and_nothing_else_is() {
    let folder = samples();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("decks");
    let (real, play) = (read("real.txt"), read("play.txt"));
    let copied = real.lines().nth(41).expect("a deck");
    let mixed: Vec<&str> = play.lines().take(1_200).chain([copied]).chain(play.lines().skip(1_200)).collect();
    fs::write(folder.path().join("mixed.txt"), mixed.join("\n") + "\n").expect("a file");
    let (text, code) = run(folder.path(), &["compare", "real.txt", "mixed.txt"]);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(code, 2, "{text}");
    let wanted = "INCONCLUSIVE: 1 deck is in both sets, such as deck 42 of A, which is deck 1,201 of B";
    assert!(words.contains(wanted), "{text}");
    assert!(!words.contains("What differs most"), "{text}");
    let (text, code) = run(folder.path(), &["compare", "real.txt", "mixed.txt", "--json"]);
    let outcome = text.lines().find(|line| line.starts_with('{')).expect("an object");
    let outcome: serde_json::Value = serde_json::from_str(outcome).expect("JSON");
    check_valid("compare", &outcome);
    assert_eq!((code, &outcome["verdict"]), (2, &serde_json::json!("inconclusive")));
    assert_eq!(outcome["shared"], serde_json::json!({ "decks": 1, "halvings": 0, "first": [41, 1_200] }));
}
