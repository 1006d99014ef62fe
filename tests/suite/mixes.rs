//! Hands that players' seeds or a beacon round cut, dealt and verified as a user does.

use deckproof::log::entry::Entry;
use serde_json::{Value, json};

use crate::common::dealt::bundle_all;
use crate::common::lab::Lab;
use crate::common::vectors::VECTORS;

/// A player's seed for a hand: its file, and the commitment to it.
fn seed(lab: &Lab, hand: &str, seat: &str) -> (String, String) {
    let file = format!("seed-{hand}-{seat}");
    let base = ["seed", "--table", "T", "--hand", hand, "--seat", seat, "--out", &file];
    // A seed for another log makes the hand void, and the player is blamed for it: none is taken for granted.
    let output = lab.run(&base);
    assert!(output.code == 2 && output.warns("--origin") && !lab.exists(&file), "{output}");
    let arguments = [&base[..], &["--origin", "localhost/log1"]].concat();
    let output = lab.run(&arguments).ends(0);
    output.must_warn("save the hand's open entry");
    let kept = lab.text(&file);
    assert!(!output.to_string().contains(kept.trim()), "the seed is printed");
    assert_eq!(lab.run(&arguments).code, 2, "a seed is not overwritten");
    (file, output.out.trim().to_owned())
}

#[test]
fn the_players_seeds_cut_the_deck_and_each_can_check_it() {
    let lab = Lab::new();
    let [(first, one), (second, two)] = ["2", "5"].map(|seat| seed(&lab, "1", seat));
    let given = [format!("2:@{first}"), format!("5:@{second}")];
    let deal =
        ["deal", "--table", "T", "--hands", "1", "--out", "out", "--seats", "1,2,5", "--mix", "players"];
    let more = ["--seed-commit", &one, "--seed-commit", &two, "--seed", &given[1], "--seed", &given[0]];
    lab.run(&[&deal[..], &more].concat()).ends(0);
    bundle_all(&lab, "out");
    let bundle = "out/hand-1/seat-2.json";
    lab.run(&["verify", "--my-seed", &given[0], bundle]).ends(0).must_print("your own seed entered the cut");
    // The number of a seat may be typed wrong: that convicts nobody. Another seed does.
    let output = lab.run(&["verify", "--my-seed", &format!("2:@{second}"), bundle]).ends(2);
    output.must_warn("what --my-seed states is the seed of seat 5: state it for the seat where you sat");
    let output = lab.run(&["verify", "--my-seed", &format!("2:{}", "7".repeat(64)), bundle]).ends(1);
    output.must_print("E_MY_SEED").must_print("It rests on your word");
    let output = lab.run(&["verify", "--my-seed", &format!("1:{}", "7".repeat(64)), bundle]).ends(1);
    output.must_tell("no seed entered the cut for seat 1; if it is of another hand, or was mistyped, this is no contradiction");
    // The line that `seed` prints, and one digit of the seed.
    lab.run(&["verify", "--my-seed", &one, bundle])
        .ends(2)
        .must_warn("is the commitment to a seed, which seed prints");
    let typed = lab.text(&first);
    let typed = format!("2:{}{}", if typed.starts_with('7') { "8" } else { "7" }, &typed.trim()[1..]);
    lab.run(&["verify", "--my-seed", &typed, bundle]).ends(2).must_warn("differs in 1 of 64 digits");
    let seed = lab.text(&first);
    let (one, rest) = seed.trim().split_at(1);
    let output = lab.run(&["verify", "--my-seed", &format!("2:{rest}{one}"), bundle]).ends(2);
    output.must_warn("of 64 digits from the one that entered for its seat, and one digit more or less makes them agree. No other seed comes so near");
    // The secret order is cut: the first card is not that of the hand key.
    let full = lab.json("out/hand-1/full-reveal.json");
    let deck = lab.run(&["deck", "--hand-key", full["hand_key"].as_str().expect("a key")]);
    let line = lab.run(&["verify", "--json", "out/hand-1/full-reveal.json"]).json();
    let order: Vec<&str> = (0..52).filter_map(|at| line["opened"][at.to_string()].as_str()).collect();
    assert!(order.len() == 52 && order.join(" ") != deck.out.trim(), "{deck}");
    assert_eq!(line["findings"]["anti_grinding"], "players");
}

#[test]
fn a_seed_that_does_not_come_or_is_another_one_makes_the_hand_void() {
    let lab = Lab::new();
    let deal = |hand: &str, more: &[&str]| {
        let begun = if hand == "1" { &[][..] } else { &["--continue"][..] };
        let base =
            ["deal", "--table", "T", "--hands", "1", "--out", "out", "--seats", "1,2,5", "--mix", "players"];
        lab.run(&[&base[..], more, begun].concat())
    };
    let (_, commit) = seed(&lab, "1", "2");
    let output = deal("1", &["--seed-commit", &commit, "--seed", "2:@absent"]).ends(2);
    output.must_warn("did not reveal").must_warn("voided");
    let (_, commit) = seed(&lab, "2", "2");
    let (other, _) = seed(&lab, "2", "5");
    deal("2", &["--seed-commit", &commit, "--seed", &format!("2:@{other}")]).ends(2);
    let entries = lab.text("out/public/entries.txt");
    assert!(
        entries.contains("reason seed-missing\n") && entries.contains("reason seed-wrong\n"),
        "{entries}"
    );
    bundle_all(&lab, "out");
    let full = "out/hand-1/full-reveal.json";
    let output = lab.run(&["verify", full]).ends(0);
    let head = output.out.lines().next().expect("a line");
    assert!(head.ends_with("before the hand; the hand was voided (seed-missing)."), "{head}");
    output.must_print("That the hand was voided, and why (seed-missing)");
    // What was never cut was fixed before no cut, and nobody folded.
    let output = lab.run(&["verify", full, "--committed", "out/public/entries.txt"]).ends(0);
    output.must_print("A void, the one you saved. Its reason, seed-missing,");
    output.must_print("The deck was never cut, and its opening is the one you saved.");
    output
        .must_not_print("Fixed before its cut")
        .must_not_print("who folded")
        .must_not_print("seeds in its cut");
    // The seed that made the hand void does not fit its commitment; the one that was committed to does.
    let full = "out/hand-2/full-reveal.json";
    let state = |seed: &str| {
        let opened = ["--opened", "out/hand-2/open.txt", "--require", "accepted", "--my-seed"];
        lab.run(&[&["verify", full][..], &opened, &[&format!("2:@{seed}")]].concat())
    };
    let output = state("seed-2-2").ends(0);
    output
        .must_print(": accepted: its deck is the one")
        .must_print("the seed that you state is the one of its seat. The deck was not cut.");
    state("seed-2-5").ends(2).must_warn(
        "is not the seed to which its seat committed in the open entry. The hand was voided because",
    );
    let output = lab.run(&["verify", full, "--my-seed", &format!("5:{}", "7".repeat(64))]).ends(1);
    output
        .must_tell("E_MY_SEED")
        .must_tell("the open entry has no seed for seat 5")
        .must_tell("It rests on your word");
    for wrong in [&["--seed-commit", "9:00"][..], &[], &["--seed-commit", &commit, "--round", "5"]] {
        assert_eq!(deal("3", wrong).code, 2, "{wrong:?}");
    }
    assert_eq!(lab.text("out/public/entries.txt"), entries);
}

/// A real round of drand quicknet, from the hands of the independent program.
pub fn real_round() -> Value {
    let hands = VECTORS["hands"].as_array().expect("a list");
    let hand = hands.iter().find(|hand| hand["mix"] == "beacon").expect("a hand of mix beacon");
    let Ok(Entry::Cut(cut)) = Entry::parse(hand["entries"]["cut"].as_str().expect("a text")) else {
        panic!("a cut entry")
    };
    let value = cut.beacon.expect("a value");
    let signature: String = value.signature.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "round": value.round, "randomness": value.randomness.to_string(), "signature": signature })
}

#[test]
fn a_beacon_round_cuts_the_deck_or_the_hand_is_void() {
    let lab = Lab::new();
    let value = real_round();
    let round = value["round"].to_string();
    let base = ["deal", "--table", "T", "--hands", "1", "--out", "out", "--seats", "1,2", "--mix", "beacon"];
    let cut = ["--round", &round, "--beacon", "round.json"];
    lab.write("round.json", value.to_string());
    let output = lab.run(&[&base[..], &cut].concat());
    assert!(output.code == 2 && output.warns("this round is out") && !lab.exists("out"), "{output}");
    lab.run(&[&base[..], &cut, &["--not-for-production"]].concat()).ends(0);
    // A round that never comes, and one whose signature is another one's.
    let again = ["--continue", "--not-for-production"];
    let mut forged = value.clone();
    let signature = value["signature"].as_str().expect("a text");
    forged["signature"] = json!(format!(
        "{}{}",
        &signature[..90],
        if signature.ends_with("000000") { "111111" } else { "000000" }
    ));
    let mut other = value.clone();
    other["round"] = json!(value["round"].as_u64().expect("a number") + 1);
    let rows = [
        (String::new(), "has no value", "beacon-missing"),
        (other.to_string(), "not that of the announced round", "beacon-wrong"),
        (forged.to_string(), "a signature that is not the network's", "beacon-false"),
    ];
    for (content, words, reason) in rows {
        lab.write("round.json", content);
        lab.run(&[&base[..], &cut, &again].concat()).ends(2).must_warn(words);
        let entries = lab.text("out/public/entries.txt");
        assert_eq!(entries.matches(&format!("reason {reason}\n")).count(), 1, "{entries}");
    }
    bundle_all(&lab, "out");
    let line = lab.run(&["verify", "--json", "out/hand-1/seat-1.json"]).ends(0).json();
    assert_eq!(line["findings"]["anti_grinding"], "beacon claimed");
}
