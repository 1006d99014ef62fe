//! Two sets of decks side by side, from the command line.

use crate::common::lab::{Lab, words};
use crate::common::schema::check_valid;

/// Fair decks for money and for play, and those of a flawed dealer.
fn samples() -> Lab {
    let lab = Lab::new();
    for (file, source) in [
        ("real.txt", &format!("audit:{:064x}", 3)[..]),
        ("play.txt", &format!("audit:{:064x}", 4)),
        ("odd.txt", "flawed:sattolo"),
    ] {
        let decks = lab.run(&["stream", "--decks", "1500", "--as", "cards", "--source", source]);
        lab.write(file, decks.out);
    }
    lab
}

#[test]
fn fair_sets_pass_and_a_flawed_one_is_told_from_them() {
    let lab = samples();
    let output = lab.run(&["compare", "real.txt", "play.txt"]).ends(0);
    for sentence in [
        "PASS: no difference was found between 1,500 decks A and 1,500 decks B (family p-value ",
        "A: real.txt, recorded decks in format cards, all 1,500 records, SHA-256 ",
        "null hypothesis: all decks are independent and A and B have one distribution",
        "Not shown: that either set is fair",
        "Not shown: that no deck of one set is in the other cut, turned over or with other suits",
    ] {
        output.must_print(sentence);
    }
    output.must_not_print("spread over many answers");
    let output = lab.run(&["compare", "real.txt", "odd.txt", "--rules", "stud-8b", "--players", "4"]);
    // No answer is named as what differs where chance explains that one.
    let differences: Vec<&str> = output.out.lines().filter(|line| line.contains("(99 % interval ")).collect();
    assert!(!differences.is_empty(), "{output}");
    for line in differences {
        let ends = line.split("interval ").nth(1).and_then(|rest| rest.split(')').next()).expect("two ends");
        let holds_zero = ends.starts_with('−') && ends.contains(" to +");
        assert_eq!(line.contains("spread over many answers"), holds_zero, "{line}");
    }
    assert_eq!(output.code, 1, "{output}");
    output.must_print("decks B do not have one distribution (family p-value ");
    output.must_print("Not shown: why they differ: ");
    output.must_print("cycles of the deck: 1: ").must_print("100.000 % of B");
}

#[test]
fn certificates_are_compared_and_what_is_believed_of_them_is_said() {
    let lab = samples();
    for (file, out) in [("real.txt", "real"), ("play.txt", "play")] {
        lab.run(&["audit", "--without", "recovered-generator", "--source", file, "--out", out, "--quiet"]);
    }
    let mut files = lab.run(&["compare", "real.txt", "play.txt", "--json"]).json();
    let certificates = ["compare", "real/certificate.json", "play/certificate.json", "--json"];
    let mut certificates = lab.run(&certificates).ends(0).json();
    check_valid("compare", &files);
    check_valid("compare", &certificates);
    assert_eq!(certificates["not_shown"].as_array().map(Vec::len), Some(5));
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
    let altered = lab.text("play/certificate.json").replacen("\"decks\":1500", "\"decks\":1501", 1);
    lab.write("play/certificate.json", altered);
    let output = lab.run(&["compare", "real.txt", "play/certificate.json"]).ends(1);
    output.must_print("play/certificate.json: the certificate is refused: ");
}

#[test]
fn the_same_decks_other_tables_and_no_decks_are_exit_2() {
    let lab = samples();
    lab.run(&["compare", "real.txt", "real.txt"]).ends(2).must_warn("both sets are the same decks");
    lab.run(&words("audit --without recovered-generator --source play.txt --out play --quiet"));
    let output = lab.run(&["compare", "real.txt", "play/certificate.json", "--players", "5"]).ends(2);
    assert!(
        output
            .err
            .contains("found hands dealt at stud-hi, 5 players and at stud-hi, 6 players, wanted one table"),
        "{output}"
    );
    lab.run(&["compare", "real.txt", "none.txt"]).ends(2);
    // Other bytes, and the same decks: of certificates their counts tell.
    lab.write("copy.txt", format!("# a copy\n{}", lab.text("play.txt")));
    lab.run(&["audit", "--tiers", "core", "--source", "copy.txt", "--out", "copy", "--quiet"]);
    let output = lab.run(&["compare", "play/certificate.json", "copy/certificate.json"]).ends(2);
    output.must_warn("found the same counts in both sets").must_not_print("no difference");
    let core = lab.run(&["compare", "real.txt", "copy/certificate.json"]);
    let left = core.flat();
    let left = left
        .split("what only one of the two audits counted, or neither: ")
        .nth(1)
        .expect("what was not compared");
    assert!(left.split('.').next().is_some_and(|names| names.contains("winner")), "{core}");
    lab.write("few.txt", lab.text("play.txt").lines().take(900).collect::<Vec<_>>().join("\n") + "\n");
    lab.run(&["compare", "real.txt", "few.txt"]).ends(2).must_print("INCONCLUSIVE");
}

/// Statistics of two samples say nothing of sets that have decks in common, and so does the verdict.
#[test]
fn decks_that_stand_in_both_sets_are_told_and_nothing_else_is() {
    let lab = samples();
    let (real, play) = (lab.text("real.txt"), lab.text("play.txt"));
    let copied = real.lines().nth(41).expect("a deck");
    let mixed: Vec<&str> = play.lines().take(1_200).chain([copied]).chain(play.lines().skip(1_200)).collect();
    lab.write("mixed.txt", mixed.join("\n") + "\n");
    let output = lab.run(&["compare", "real.txt", "mixed.txt"]).ends(2);
    let words = output.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = "INCONCLUSIVE: 1 deck is in both sets, such as deck 42 of A, which is deck 1,201 of B";
    assert!(words.contains(wanted), "{output}");
    assert!(!words.contains("What differs most"), "{output}");
    let output = lab.run(&["compare", "real.txt", "mixed.txt", "--json"]);
    let outcome = output.ends(2).json();
    check_valid("compare", &outcome);
    assert_eq!(outcome["verdict"], "inconclusive");
    assert_eq!(outcome["shared"], serde_json::json!({ "decks": 1, "halvings": 0, "first": [41, 1_200] }));
}

/// Two aces that never lie beside each other are no question of cycles, places or hands.
#[test]
fn a_card_that_never_follows_another_is_a_difference() {
    let lab = Lab::new();
    let decks =
        |seed: &str| lab.run(&["stream", "--decks", "12000", "--as", "cards", "--seed", seed]).ends(0).out;
    let never = |deck: &&str| !deck.contains("As Ah") && !deck.contains("Ah As");
    let (fair, other) = (decks("fair"), decks("other"));
    lab.write("fair.txt", fair.lines().take(9_000).map(|deck| deck.to_owned() + "\n").collect::<String>());
    lab.write(
        "never.txt",
        other.lines().filter(never).take(9_000).map(|deck| deck.to_owned() + "\n").collect::<String>(),
    );
    lab.write("whole.txt", other.lines().take(9_000).map(|deck| deck.to_owned() + "\n").collect::<String>());
    let alike = lab.run(&["compare", "fair.txt", "whole.txt"]).ends(0);
    alike.must_print("in how often one card follows another");
    alike.must_print("Not shown: how far they differ in what this comparison does not put side by side: ");
    // About 9,000/52 decks of one set, and none of the other: (1/2)^173, times 2,756 cells and two sides.
    let told = lab.run(&["compare", "fair.txt", "never.txt"]).ends(1);
    told.must_print("decks B do not have one distribution");
    told.must_print("the card As follows Ah").must_print("0.000 % of B");
}

/// The same decks as cards and as numbers that count suit by suit: no deck of one is recognised in the other, and that is named.
#[test]
fn numbers_that_may_count_otherwise_are_named_where_decks_are_looked_for() {
    let lab = samples();
    let real = lab.text("real.txt");
    let numbers = |by_suit: bool, text: &str| {
        let number = |card: &str| {
            let [rank, suit] = [("23456789TJQKA", 0..1), ("cdhs", 1..2)]
                .map(|(letters, at)| letters.find(&card[at]).expect("a letter of a card"));
            (if by_suit { 13 * suit + rank } else { 4 * rank + suit } + 1).to_string()
        };
        let line = |line: &str| line.split_whitespace().map(number).collect::<Vec<_>>().join(" ") + "\n";
        text.lines().map(line).collect::<String>()
    };
    lab.write("by_suit.txt", numbers(true, &real));
    lab.write("by_rank.txt", numbers(false, &lab.text("play.txt")));
    let assumed = "Not shown: that no deck is in both sets, however its cards were written: the numbers of B were taken as \
                   4·rank + suit (2c 2d 2h 2s 3c … As), which is assumed. If they are 13·suit + rank (";
    for other in ["by_suit.txt", "by_rank.txt"] {
        let output = lab.run(&["compare", "real.txt", other]).ends(0);
        assert!(output.flat().contains(assumed), "{output}");
        assert!(output.flat().contains("compare again with --numbering suit-rank."), "{output}");
        let outcome = lab.run(&["compare", "real.txt", other, "--json"]).ends(0).json();
        check_valid("compare", &outcome);
        let not_shown = outcome["not_shown"].as_array().expect("sentences");
        assert!(
            not_shown.iter().any(|text| text.as_str().is_some_and(|text| assumed.contains(&text[..60]))),
            "{outcome}"
        );
    }
    // With the numbering that the sentence names the copy is found.
    let stated = ["compare", "real.txt", "by_suit.txt", "--numbering", "suit-rank"];
    let output = lab.run(&stated).ends(2);
    output.must_tell("INCONCLUSIVE: 1,500 decks are in both sets").must_not_print("is assumed");
    let output = lab.run(&["compare", "real.txt", "by_rank.txt", "--numbering", "rank-suit"]).ends(0);
    output.must_not_print("is assumed");
    let output = lab.run(&["compare", "by_suit.txt", "by_rank.txt"]).ends(0);
    output.must_tell("the numbers of both were taken as 4·rank + suit");
    let output = lab.run(&["compare", "real.txt", "play.txt"]).ends(0);
    output.must_not_print("is assumed");
    // Neither does the audit of such records say more than it checked, nor who judges it again.
    let audit = ["audit", "--tiers", "stud", "--source", "by_suit.txt", "--out", "numbers"];
    let unchecked = "Not checked: that the numbers of the cards are 4·rank + suit (2c 2d 2h 2s 3c … As): records of numbers do not show it";
    lab.run(&audit).must_tell(unchecked);
    lab.run(&["verify", "numbers/certificate.json"]).ends(0).must_tell(unchecked);
}
