//! Refusals by what nobody signed: what they say of the operator, and of what was saved.

use crate::common::lab::Lab;
use crate::common::schema::check_valid;
use crate::common::vectors::{VECTORS, cases, vector};
use crate::player_check::{deal, verify};

/// A negative vector in which the log signed two roots of one size.
const FORKED: &str = "two logs of one size: deck and open in one, close in the other";

/// Whoever has a bundle can drop its proofs and write other entries: it convicts nobody whom no proof names.
#[test]
fn a_refusal_by_what_nobody_signed_says_what_shows_whose_it_is() {
    let lab = Lab::new();
    lab.write("trust.json", VECTORS["trust"].to_string());
    let honest = vector("full reveal: players, stud-hi, community card");
    let write = |name: &str, key: &str, text: &str, has_proofs: bool| {
        let mut bundle = honest.clone();
        bundle[key] = text.into();
        if !has_proofs {
            bundle.as_object_mut().expect("an object").shift_remove("proofs");
        }
        lab.write(name, bundle.to_string());
    };
    let cut = honest["cut_entry"].as_str().expect("a text");
    let seed = cut.lines().find(|line| line.starts_with("seed ")).expect("a seed");
    let cut = cut.replacen(&format!("{seed}\n"), "", 1);
    write("seed.json", "cut_entry", &cut, false);
    write("proofs.json", "cut_entry", &cut, true);
    let transcript = honest["transcript"].as_str().expect("a text").replacen("\n0 ", "\n1 ", 1);
    write("transcript.json", "transcript", &transcript, true);
    let trusted = ["--trust", "trust.json"];
    let entries = "deck, open, cut, close";
    let rows: [(&str, &[&str], &str, String); 5] = [
        ("seed.json", &trusted, "E_SEED_MISSING", "and it holds none.".to_owned()),
        ("proofs.json", &[], "E_SEED_MISSING", format!("It holds some ({entries}), at which nobody looked")),
        ("proofs.json", &trusted, "E_SEED_MISSING", format!("({entries}), and not all of them hold.")),
        ("transcript.json", &trusted, "E_TRANSCRIPT_HASH", format!("in the log that you trust: {entries}. ")),
        ("transcript.json", &[], "E_TRANSCRIPT_HASH", format!("It holds some ({entries})")),
    ];
    for (file, more, code, words) in rows {
        let output = verify(&lab, &[more, &[file]].concat()).ends(1);
        output
            .must_print(&format!("refused, {code}"))
            .must_print("  Nobody signs a bundle")
            .must_print(&words);
        let line = verify(&lab, &[&["--json"], more, &[file]].concat()).json();
        check_valid("verify", &line);
        let kinds = line["claims"][0]["otherwise"].as_array().expect("a list");
        assert_eq!(kinds[0]["kind"], "unsigned-file", "{line}");
        let in_log = kinds[0]["in_log"].as_array().map(Vec::len);
        let wanted = if more.is_empty() { None } else { Some(if words.contains("trust: ") { 4 } else { 0 }) };
        assert_eq!(in_log, wanted, "{line}");
    }
    // What was damaged has words of its own, and two roots that the log signed need nobody's word.
    lab.write("damaged.json", honest.to_string().replacen("deckproof/v1 reveal", "deckproof/v1 revea1", 1));
    verify(&lab, &["damaged.json"]).ends(1).must_print("E_FORMAT").must_not_print("Nobody signs");
    let forked = cases(&VECTORS["negative"], 1).iter().find(|case| case["name"] == FORKED).expect("a fork");
    lab.write("forked.json", forked["bundle"].to_string());
    let output = verify(&lab, &[&trusted[..], &["forked.json"]].concat()).ends(1);
    output.must_print("refused, E_PROOF_ROOT").must_not_print("Nobody signs");
}

/// With a file that is refused nothing is compared, which speaks neither for nor against what was saved.
#[test]
fn what_was_saved_beside_refused_files_alone_was_compared_with_nothing() {
    let lab = Lab::new();
    deal(&lab, "a", &["--hands", "1", "--seats", "1,2"]);
    lab.write("bad.json", lab.text("a/hand-1/seat-1.json").replacen("dealt ", "dealt 1", 1));
    let output = verify(&lab, &["--committed", "a/hand-1/deck.txt", "bad.json"]).ends(1);
    output
        .must_warn("No file that was judged can be compared with what --committed a/hand-1/deck.txt gives")
        .must_not_warn("fits none");
}
