//! `deckproof predict`: generators that are recovered from decks, those that are not, and certificates.

use std::fmt::Write as _;

use deckproof::dealers::TestDealer;

use crate::common::lab::{KEY, Lab, Output};

/// Decks of xorshift32 (13, 17, 5), shuffled downward by the leading bits, calls between decks as given: written here a second time.
pub fn xorshift_decks(decks: usize, calls: usize) -> String {
    let mut word = 0x9e37_79b9u32;
    let mut next = || {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        u64::from(word)
    };
    let mut text = String::new();
    for _ in 0..decks {
        let mut deck: Vec<u64> = (0..52).collect();
        for place in (1..52).rev() {
            deck.swap(place, ((next() * (place as u64 + 1)) >> 32) as usize);
        }
        (0..calls).for_each(|_| _ = next());
        let cards: Vec<String> = deck.iter().map(u64::to_string).collect();
        writeln!(text, "{}", cards.join(" ")).expect("a string takes everything");
    }
    text
}

fn predict(lab: &Lab, arguments: &[&str]) -> Output {
    lab.run(&[&["predict"], arguments].concat())
}

#[test]
fn a_generator_is_recovered_and_the_next_deck_is_the_one_that_comes() {
    let lab = Lab::new();
    let all = xorshift_decks(6, 3);
    let lines: Vec<&str> = all.lines().collect();
    lab.write("decks.txt", lines[..5].join("\n") + "\n");
    let source = ["--source", "decks.txt", "--models", "xorshift32", "--json", "--certificate", "c.json"];
    let output = predict(&lab, &source).ends(1);
    let json = output.json();
    let letters = |number: &str| {
        let number: usize = number.parse().expect("a card");
        format!("{}{}", b"23456789TJQKA"[number / 4] as char, b"cdhs"[number % 4] as char)
    };
    let wanted: Vec<String> = lines[5].split(' ').map(letters).collect();
    assert_eq!(json["recovered"][0]["next"][0], wanted.join(" "), "{output}");

    // The certificate holds for these records and for no others.
    let check = ["--source", "decks.txt", "--check", "c.json"];
    predict(&lab, &check).ends(1);
    let mut other = lines[..5].to_vec();
    other.swap(1, 2);
    lab.write("decks.txt", other.join("\n") + "\n");
    predict(&lab, &check).ends(2).must_print("record 2 is another one");
    // Too few records are told, and both outputs name the model.
    lab.write("decks.txt", lines[..3].join("\n") + "\n");
    predict(&lab, &check).ends(2).must_print("found 3 records, wanted those up to number 5");
    lab.write("decks.txt", lines.join("\n") + "\n");
    predict(&lab, &check).ends(1).must_print("The state of xorshift32, Fisher–Yates downward");
    let json = predict(&lab, &[&check[..], &["--json"]].concat()).ends(1).json();
    assert_eq!(
        (&json["holds"], &json["states"][0]["records"], &json["records"]),
        (&true.into(), &5.into(), &6.into())
    );
}

#[test]
fn fair_decks_are_not_recovered_and_no_word_says_more() {
    let lab = Lab::new();
    let key = &format!("audit:{KEY}");
    let output =
        predict(&lab, &["--source", key, "--decks", "20", "--models", "xorshift32,V8 Math.random"]).ends(0);
    output.must_print("NOT RECOVERED").must_print("takes for granted");
    output.must_not_print("unpredictable").must_not_print("p-value");
    output.must_print("picks the best of several honest decks");
}

/// The two decks that a program dealt after the seed 1700000123: `crates/predict/fixtures/seeded.csv`.
fn seeded(lab: &Lab, program: &str) {
    let rows = include_str!("../../crates/predict/fixtures/seeded.csv").lines();
    let own = rows.filter_map(|line| line.split_once(',')).filter(|(name, _)| *name == program);
    let text: String = own.map(|(_, deck)| format!("{deck}\n")).collect();
    lab.write("seeded.txt", text);
}

#[test]
fn every_seed_is_searched_from_where_a_state_ends() {
    let lab = Lab::new();
    seeded(&lab, "php shuffle");
    let of = |name| ["--source", "seeded.txt", "--seeds", name, "--state", "s.json", "--budget", "600s"];
    let stopped = [&of("NumPy")[..6], &["--budget", "1s"]].concat();
    predict(&lab, &stopped).ends(0).must_print("cut short by the budget");
    // As if all seeds below 1,700,000,000 had been tried.
    let state = lab.text("s.json");
    let mut state: serde_json::Value = serde_json::from_str(&state).expect("one object");
    assert_eq!(state["all"], 1u64 << 32);
    state["tried"] = 1_700_000_000u64.into();
    lab.write("s.json", state.to_string());
    predict(&lab, &of("NumPy")).ends(1).must_print("Its seed is 1700000123 (init_genrand)");
    // The same state belongs to no other seeding and to no other records.
    predict(&lab, &of("Python random")).ends(2);
    seeded(&lab, "ruby shuffle");
    predict(&lab, &of("NumPy")).ends(2);
}

#[test]
fn seeds_of_a_clock_are_searched_around_a_time() {
    let lab = Lab::new();
    seeded(&lab, "python shuffle");
    // 1700000123 is 22:15:23 of that day.
    let around = ["--source", "seeded.txt", "--around", "2023-11-14T22:15:00Z", "--within", "60s"];
    predict(&lab, &around).ends(1).must_print("Its seed is 1700000123 (python)");
    let elsewhere =
        ["--source", "seeded.txt", "--around", "1000", "--within", "5s", "--calls", "1", "--budget", "1s"];
    predict(&lab, &elsewhere).ends(0).must_print(
        "Tried instead of the models: seeds of a clock from 1970-01-01 00:16:35 UTC to 1970-01-01 00:16:45 UTC, at most 1 call before",
    );
    assert!(predict(&lab, &[&around[..3], &["noon"]].concat()).code == 2);
}

#[test]
fn a_misspelt_model_is_refused_with_the_names_near_it() {
    let lab = Lab::new();
    lab.write("decks.txt", xorshift_decks(1, 0));
    predict(&lab, &["--source", "decks.txt", "--models", "xorshit32"]).ends(2).must_warn("xorshift32");
}

#[test]
fn one_record_is_enough_where_it_overdetermines_the_state_and_the_text_says_so() {
    let lab = Lab::new();
    lab.write("decks.txt", xorshift_decks(1, 0));
    let output = predict(&lab, &["--source", "decks.txt", "--models", "xorshift32"]).ends(1);
    // 225.6 bits of a deck, less 32 of the state, 26.6 of 10^8 dealers, and 2.6 for one run of (1 + 2.6 + 1 + 1) bits.
    output.must_print("One record was enough because it overdetermines the state by 158 bits.");
    // Its outputs have 32 bits, whatever a double holds.
    output.must_print("⌊U·n⌋ with U of 32 bits");
}

#[test]
fn what_one_player_sees_is_enough_where_the_deck_is_dealt_as_it_is_shuffled() {
    let lab = Lab::new();
    // Dealt from the end of the array, as pop() does: cards are fixed in the order in which they are dealt.
    let turned = |line: &str| line.split(' ').rev().collect::<Vec<_>>().join(" ") + "\n";
    let text: String = xorshift_decks(8, 0).lines().map(turned).collect();
    lab.write("decks.txt", text);
    let seat = ["--source", "decks.txt", "--models", "xorshift32", "--know", "seat:2/6"];
    predict(&lab, &seat).ends(1).must_print("It deals 8 of the 8 records looked at");
}

/// State in, records out: `verify` needs the file alone, and believes none that claims more than its state deals.
#[test]
fn the_certificate_of_a_recovery_is_dealt_again_and_a_forged_one_is_refused() {
    let lab = Lab::new();
    lab.write("decks.txt", xorshift_decks(5, 3));
    let source = ["--source", "decks.txt", "--models", "xorshift32", "--certificate", "c.json"];
    predict(&lab, &source).ends(1);
    let output = lab.run(&["verify", "c.json"]).ends(1);
    output.must_print("deals 5 of the records in it").must_print("It says that it comes from 5 records.");
    // That it holds all that was read is nobody's to show.
    let claims = lab.run(&["verify", "c.json", "--json"]).json()["claims"].to_string();
    assert!(!claims.contains("all-read"), "{claims}");

    let honest = lab.text("c.json");
    let check_refused = |what: &str, forge: &dyn Fn(&mut serde_json::Value)| {
        let mut json: serde_json::Value = serde_json::from_str(&honest).expect("one object");
        forge(&mut json);
        lab.write("forged.json", json.to_string());
        let output = lab.run(&["verify", "forged.json"]);
        assert!(
            output.code == 1 && output.prints(": REFUSED, and no verdict of it counts: "),
            "{what}: {output}"
        );
    };
    check_refused("another state", &|json| json["recovered"][0]["state"] = "1".into());
    check_refused("a state that does not move", &|json| json["recovered"][0]["state"] = "0".into());
    check_refused("more records than it deals", &|json| json["recovered"][0]["runs"][0][1] = 6.into());
    check_refused("calls without end", &|json| json["recovered"][0]["runs"][0][3] = u64::MAX.into());
    check_refused("a bound that is too small", &|json| json["recovered"][0]["bound_log10"] = (-900.0).into());
    check_refused("a model of another generator", &|json| {
        json["recovered"][0]["model"] = "xorshift64".into()
    });
    check_refused("a model of nobody", &|json| json["recovered"][0]["model"] = "Java SecureRandom".into());
    check_refused("a fit of no record", &|json| json["recovered"][0]["fitted"] = 0.into());
    check_refused("fewer records than it holds", &|json| json["records"] = 3.into());
    check_refused("another next deck", &|json| {
        let second = json["recovered"][0]["next"][1].clone();
        json["recovered"][0]["next"][0] = second;
    });
    check_refused("another record", &|json| {
        let second = json["known"][1].clone();
        json["known"][0] = second;
    });
    check_refused("records that are none", &|json| json["known"][2] = "As As".into());
}

/// A second file and a release that is named are searched as the first record is.
#[test]
fn files_and_releases_are_searched_by_themselves() {
    let lab = Lab::new();
    let fair = |name: &str, program: &str| {
        seeded(&lab, program);
        lab.write(name, lab.read("seeded.txt"));
    };
    fair("first.txt", "python shuffle");
    lab.write("second.txt", xorshift_decks(4, 0));
    let output = predict(&lab, &["first.txt", "second.txt", "--models", "xorshift32"]).ends(1);
    output.must_print("from record 3 on").must_print("It deals 4 of the 6 records looked at");
    output
        .must_print("Records 1 to 2: first.txt, ")
        .must_print("Not shown to be dealt by it: record 1 to 2.");

    let all = lab.text("first.txt") + &xorshift_decks(4, 0);
    lab.write("all.txt", all);
    let output = predict(&lab, &["all.txt", "--models", "xorshift32", "--begins", "3"]).ends(1);
    output.must_print("from record 3 on");
}

/// `crates/predict/fixtures/seeded.csv`: the decks of R began right after the seed; the second one is 1 deck of unknown calls on.
#[test]
fn calls_between_the_seed_and_the_first_record_are_tried() {
    let lab = Lab::new();
    seeded(&lab, "r sample");
    let decks = lab.text("seeded.txt");
    let second = decks.lines().nth(1).expect("two decks");
    lab.write("second.txt", format!("{second}\n"));
    let around = ["second.txt", "--around", "1700000120", "--within", "5s", "--calls", "200"];
    predict(&lab, &around).ends(1).must_print("Its seed is 1700000123 (r)");
    predict(&lab, &[&around[..5], &["--calls", "20", "--budget", "2s"]].concat()).ends(0);
}

/// Node.js dealt six decks and Java two: an audit of so few fails with the next deck in it; one of as many fair ones says what it
/// did not try.
#[test]
fn an_audit_of_a_few_decks_fails_with_a_proof_or_says_what_it_left_out() {
    let lab = Lab::new();
    let audit = |arguments: &[&str]| {
        let mut output = lab.run(&[&["audit"], arguments].concat());
        // Sentences are wrapped on a screen.
        output.out = output.out.split_whitespace().collect::<Vec<_>>().join(" ");
        output
    };
    let node: Vec<&str> = include_str!("../../crates/predict/fixtures/node20.txt").lines().collect();
    lab.write("node.txt", node[..6].join("\n") + "\n");
    let output = audit(&["node.txt", "--out", "node"]).ends(1);
    output.must_print("After one deck the next cards are known, from record 1 on");
    output.must_print("V8 Math.random, Fisher–Yates downward");

    // A dealer that is seeded anew for each deck: each is known, and none leads to the next.
    let java = TestDealer::named("java-random").expect("it is in the list");
    let anew = |seed: u64| java.deals(seed).order(0).map(|card| card.to_string()).join(" ") + "\n";
    lab.write("anew.txt", (1..=40).map(anew).collect::<String>());
    let output = audit(&["anew.txt", "--out", "anew"]).ends(1);
    output.must_print(
        "dealing on in the same way gives other decks than those after these: it may be seeded anew",
    );
    output.must_not_print("the next cards are known");

    let key = &format!("audit:{KEY}");
    let output = audit(&["--source", key, "--decks", "64", "--out", "fair", "--json"]);
    let json = output.json();
    let left_out = json["not_run"].as_array().expect("a list");
    let own = left_out.iter().find(|own| own["id"] == "deck.recovered-generator").expect("what was left out");
    assert!(own["reason"].as_str().is_some_and(|reason| reason.contains("musl rand() % n")), "{own}");
    for file in ["certificate.json", "report.html"] {
        let text = lab.text(&format!("fair/{file}"));
        assert!(text.contains("models that its stated work did not reach"), "{file}");
        assert!(!text.contains("unpredictable"), "{file}");
    }
}

/// Names that hold commas, one and two of them; and one that is none is refused with the part that is.
#[test]
fn models_whose_names_hold_commas_can_be_named() {
    let lab = Lab::new();
    lab.write("decks.txt", xorshift_decks(5, 3));
    let tried = |models: &str| {
        let output = predict(&lab, &["decks.txt", "--models", models, "--budget", "5s", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&output.out).unwrap_or_default();
        let names = |list: &str| json[list].as_array().map_or(0, Vec::len);
        (output.code, names("recovered"), names("not_recovered") + names("left_out"))
    };
    assert_eq!(tried("drand48, Perl rand"), (0, 0, 1));
    assert_eq!(tried("Small seeds of all seedings, calls before,xorshift32"), (1, 1, 0));
    assert_eq!(tried("drand48, Perl rand, drand48, Perl rand, sorted by keys"), (0, 0, 2));
    assert_eq!(tried("drand48, Perl").0, 2);
}

/// So many decks of a fair shuffler as numbers, a line each.
fn fair(decks: u64) -> String {
    let dealer = TestDealer::named("certified").expect("it is in the list");
    let line = |seed: u64| dealer.deals(seed).order(0).map(|card| card.to_string()).join(" ") + "\n";
    (1..=decks).map(line).collect()
}

/// What was not read is not spoken of: how many of how many is in every output, and a beginning outside is refused.
#[test]
fn records_that_were_not_read_are_named_and_nothing_is_said_of_them() {
    let lab = Lab::new();
    lab.write("late.txt", fair(12) + &xorshift_decks(10, 0));
    let late = ["late.txt", "--models", "xorshift32"];
    let with = |more: &[&str]| predict(&lab, &[&late[..], more].concat());
    let part = with(&["--decks", "12", "--know", "dealt:51"]).ends(0);
    part.must_begin("NOT RECOVERED from 12 of 22 records by the models below.\nLooked at: late.txt, recorded decks in format indices, 12 of 22 records, number 1 to 12; the rest was not looked at, SHA-256 ");
    part.must_print("Of each record 51 of 52 cards were used (--know dealt:51).");
    let json = with(&["--decks", "12", "--json"]).ends(0).json();
    let source = &json["looked_at"]["sources"][0];
    assert_eq!((&source["records"], &source["records_all"]), (&12.into(), &22.into()), "{json}");
    with(&["--decks", "12", "--begins", "13"])
        .ends(2)
        .must_warn("found --begins 13, wanted one of the 12 records read");
    // As many as there are.
    let whole = with(&["--decks", "100", "--certificate", "c.json"]).ends(1);
    whole
        .must_print("It deals 10 of the 22 records looked at")
        .must_print("Not shown to be dealt by it: record 1 to 12.");
    with(&["--begins", "13"])
        .ends(1)
        .must_print("from record 13 on")
        .must_print("Searched as first records too: 13 (--begins).");
    assert_eq!(
        lab.json("c.json")["looked_at"]["sources"][0]["sha256"],
        crate::common::lab::sha256(&lab.read("late.txt"))
    );

    // The last eight records are a window, as of an audit.
    lab.write("tail.txt", fair(392) + &xorshift_decks(8, 0));
    predict(&lab, &["tail.txt", "--models", "xorshift32"])
        .ends(1)
        .must_print("It deals 8 of the 400 records looked at");

    // Each file has its share.
    lab.write("fair.txt", fair(12));
    lab.write("weak.txt", xorshift_decks(10, 0));
    let both = predict(&lab, &["fair.txt", "weak.txt", "--models", "xorshift32", "--decks", "12"]).ends(1);
    both.must_print("from record 7 on").must_print("It deals 6 of the 12 records looked at");
    both.must_print("Records 7 to 12: weak.txt, recorded decks in format indices, 6 of 10 records, ");

    // A program is not read to its end, and may write fewer.
    let program = |decks: &str| {
        predict(&lab, &["--source", "cmd:cat late.txt", "--models", "xorshift32", "--decks", decks])
    };
    let cut = program("12").ends(0);
    cut.must_begin("NOT RECOVERED from the first 12 records")
        .must_print("what follows them was not looked at");
    cut.must_not_warn("read to its end");
    program("100").ends(1).must_print("of the 22 records looked at");
}

/// A state that deals the first records is not the state behind those after them, nor behind one between.
#[test]
fn records_that_the_state_does_not_deal_are_named() {
    let lab = Lab::new();
    let weak = xorshift_decks(6, 0);
    lab.write("early.txt", weak.clone() + &fair(5));
    let early = predict(&lab, &["early.txt", "--models", "xorshift32"]).ends(1);
    early.must_begin("RECOVERED: after 1 deck, from record 1 to record 6, the next cards are known");
    early
        .must_print("It deals 6 of the 11 records looked at, 5 of them")
        .must_print("Not shown to be dealt by it: record 7 to 11.");
    early.must_print("none of the records that follow is shown to be one:");

    let mut lines: Vec<String> = weak.lines().map(str::to_owned).collect();
    let mut cards: Vec<&str> = weak.lines().nth(3).expect("six").split(' ').collect();
    cards.swap(0, 1);
    lines[3] = cards.join(" ");
    lab.write("changed.txt", lines.join("\n") + "\n");
    let changed = predict(&lab, &["changed.txt", "--models", "xorshift32"]).ends(1);
    changed
        .must_print("from record 1 on")
        .must_print("It deals 5 of the 6 records looked at")
        .must_print("Not shown to be dealt by it: record 4.");
}
