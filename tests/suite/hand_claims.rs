//! What is claimed of a hand: no more than what is bound, and by whom.

use deckproof::claim::{ClaimGap, ClaimState, ClaimSubject, Headline, Otherwise, Party, Witness};
use deckproof::commitment::digest::Digest;
use deckproof::log::tree::TreeHead;
use deckproof::verify::claims::{HandEvidence, claims};
use deckproof::verify::{Accepted, ProvenEntry, Statements, verify_bundle};

use crate::common::dealt::bundle_all;
use crate::common::lab::{KEY, Lab, Output, deckproof, json_lines};
use crate::common::schema::check_valid;
use crate::common::vectors::{VECTORS, vector};

/// An honest bundle of the vectors, judged without a trust file.
pub fn honest(name: &str) -> Accepted {
    let mut bundle = vector(name).clone();
    bundle.as_object_mut().expect("an object").remove("proofs");
    verify_bundle(bundle.to_string().as_bytes(), None, &Statements::default()).expect("it is honest")
}

pub fn proven(entry: &'static str, index: u64, size: u64, quorum_time: Option<u64>) -> ProvenEntry {
    ProvenEntry { entry, index, tree: TreeHead { size, root: Digest::of(size.to_string()) }, quorum_time }
}

/// What the log proves of a hand: its headline, and the state of one claim.
fn judged(
    bundle: &Accepted,
    evidence: &HandEvidence,
    subject: ClaimSubject,
) -> (Headline, ClaimState, Option<Witness>) {
    let claims = claims(bundle, evidence);
    let claim = claims.of(subject).expect("it is claimed").clone();
    (claims.headline(), claim.state, claim.witness)
}

pub const ASKED: HandEvidence = HandEvidence {
    saved: deckproof::verify::before::SavedEntries {
        compared: 0,
        deck: None,
        is_open_saved: false,
        is_open_hash: false,
        is_end_saved: false,
    },
    is_opened_declared: false,
    receipts: Vec::new(),
    has_trust: true,
    proven: Vec::new(),
};

#[test]
fn the_end_in_a_tree_is_the_end_of_what_its_proof_shows() {
    let shown = |time| (Headline::Accepted, ClaimState::Shown, Some(Witness::Quorum { time }));
    let claimed = |witness| (Headline::Consistent, ClaimState::Claimed { by: Party::Log }, Some(witness));
    let seen = |time| claimed(Witness::Quorum { time });
    // Sizes of the trees of deck and open, times at which a quorum had seen them; the end at place 9, and whether it is proven.
    let rows = [
        ([10, 10], [Some(60), Some(70)], true, seen(60)),
        ([9, 9], [Some(60), Some(70)], true, shown(60)),
        // The open entry names its deck, so that either of them is enough, and the earlier time counts.
        ([10, 5], [Some(60), Some(70)], true, shown(70)),
        ([5, 10], [Some(60), Some(70)], true, shown(60)),
        ([9, 9], [None, Some(70)], true, shown(70)),
        ([9, 9], [None, None], true, claimed(Witness::Log)),
        // Leaving out the proof of the end shows no more than having it.
        ([9, 9], [Some(60), Some(70)], false, seen(60)),
    ];
    for ([deck, open], [deck_time, open_time], is_end_proven, wanted) in rows {
        let mut bundle = honest("full reveal: none, stud-hi");
        bundle.proven = vec![proven("deck", 2, deck, deck_time), proven("open", 3, open, open_time)];
        bundle.proven.extend(is_end_proven.then(|| proven("close", 9, 12, Some(80))));
        assert_eq!(judged(&bundle, &ASKED, ClaimSubject::DeckFixed), wanted, "{deck} {open} {is_end_proven}");
    }
}

/// What the log has of another deck proves nothing of this one.
#[test]
fn proofs_of_another_bundle_count_for_entries_that_both_hold() {
    let own = honest("full reveal: none, stud-hi");
    let mut other = own.clone();
    other.proven = vec![proven("deck", 2, 5, Some(60)), proven("close", 9, 12, Some(80))];
    let shared = |other: &Accepted| {
        let mut evidence = ASKED;
        evidence.share(&own, other);
        evidence.proven.iter().map(|proven| proven.entry).collect::<Vec<_>>()
    };
    assert_eq!(shared(&other), ["deck", "close"]);
    other.texts.deck = other.texts.deck.replace("hand 1\n", "hand 2\n");
    assert_ne!(other.texts.deck, own.texts.deck);
    assert_eq!(shared(&other), ["close"]);
}

/// A receipt that was fetched after the hand has the end in its tree: it shows nothing of before.
#[test]
fn a_receipt_whose_tree_holds_the_end_shows_nothing_of_before() {
    let mut bundle = honest("full reveal: none, stud-hi");
    let receipt =
        |size| HandEvidence { receipts: vec![("r".to_owned(), proven("deck", 2, size, None))], ..ASKED };
    let judge = |bundle: &Accepted, size| judged(bundle, &receipt(size), ClaimSubject::DeckFixed);
    // Without a proof of the end nobody knows whether it is in the tree.
    assert_eq!(judge(&bundle, 5).0, Headline::Consistent);
    bundle.proven = vec![proven("close", 9, 12, None)];
    let kept = Some(Witness::Receipt { name: "r".to_owned() });
    assert_eq!(judge(&bundle, 9), (Headline::Accepted, ClaimState::Shown, kept));
    assert_eq!(judge(&bundle, 10).0, Headline::Consistent);
    let claims = claims(&bundle, &receipt(10));
    let deck = claims.of(ClaimSubject::DeckFixed).expect("it is claimed");
    assert_eq!(deck.otherwise, [Otherwise::LateTree]);
}

/// Under players the opening decides the cut: whoever knows the other seeds can try openings over an old deck root.
#[test]
fn a_deck_alone_does_not_show_when_the_cut_was_fixed() {
    let bundle = honest("cut whose shuffle rejects a word");
    let mut evidence = ASKED;
    evidence.saved.deck = Some(deckproof::verify::before::SavedDeck::Entry);
    let judge = |evidence: &HandEvidence| judged(&bundle, evidence, ClaimSubject::OpeningFixed);
    assert_eq!(judge(&evidence).0, Headline::Partly);
    // A receipt of the opening whose tree holds the cut was made when the seeds were known.
    let receipt = |size| ("r".to_owned(), proven("open", 3, size, None));
    let log = |size| HandEvidence {
        receipts: vec![receipt(size)],
        proven: vec![proven("cut", 6, 12, None), proven("close", 9, 12, None)],
        ..evidence.clone()
    };
    assert_eq!(judge(&log(7)).0, Headline::Partly);
    assert_eq!(judge(&log(6)).0, Headline::Accepted);
    let saved = HandEvidence {
        saved: deckproof::verify::before::SavedEntries { is_open_saved: true, ..evidence.saved },
        ..ASKED
    };
    assert_eq!(judge(&saved).2, Some(Witness::Saved { is_entry: true }));
    let declared = HandEvidence { is_opened_declared: true, ..ASKED };
    // The file states a seed in the player's name, and nobody repeats it.
    assert_eq!(judge(&declared).0, Headline::Partly);
    let mut bundle = bundle.clone();
    bundle.stated.seed = Some(Party::Player);
    assert_eq!(
        judged(&bundle, &declared, ClaimSubject::OpeningFixed),
        (Headline::Accepted, ClaimState::Shown, Some(Witness::Person { party: Party::Player }))
    );
}

/// A proof shows "not later than": a late one, which anybody can make, convicts nobody; of several the earliest counts.
#[test]
fn a_late_proof_of_the_opening_is_no_evidence_and_the_earliest_counts() {
    let mut bundle = honest("open cosigned after the beacon round");
    let due = bundle.beacon_due.expect("a beacon");
    let late = proven("open", 3, 5, Some(due));
    bundle.proven = vec![proven("deck", 2, 5, Some(due - 9)), late, proven("close", 9, 12, Some(due + 60))];
    let claims_of = |evidence: &HandEvidence| claims(&bundle, evidence);
    let found = claims_of(&ASKED);
    assert_eq!(found.headline(), Headline::Partly);
    let opening = found.of(ClaimSubject::OpeningFixed).expect("it is claimed");
    assert_eq!(opening.otherwise, [Otherwise::LateProof { seen: due, known: due }]);
    let early = ("r".to_owned(), proven("open", 3, 4, Some(due - 1)));
    let found = claims_of(&HandEvidence { receipts: vec![early.clone()], ..ASKED });
    assert_eq!(found.headline(), Headline::Accepted);
    // The open entry names its deck, and nothing is dealt before the cut: with the opening the deck is fixed, end proven or not.
    bundle.proven.clear();
    let found = claims(&bundle, &HandEvidence { receipts: vec![early], ..ASKED });
    assert_eq!(found.headline(), Headline::Accepted);
    assert!(found.shows(ClaimSubject::DeckFixed));
}

#[test]
fn what_the_file_says_of_cards_and_seed_is_the_words_of_the_file() {
    let bundle = honest("cut whose shuffle rejects a word");
    let found = claims(&bundle, &ASKED);
    let seed = found.of(ClaimSubject::OwnSeed).expect("a seed").state.clone();
    assert_eq!(seed, ClaimState::Claimed { by: Party::File });
    assert_ne!(found.of(ClaimSubject::OrderNotChosen).expect("claimed").state, ClaimState::Shown);
}

#[test]
fn a_void_hand_whose_seeds_never_came_was_not_cut() {
    let bundle = honest("void form: beacon, no cut, so no dealt position is known");
    let found = claims(&bundle, &ASKED);
    let state = |subject| found.of(subject).expect("claimed").state.clone();
    assert_eq!(state(ClaimSubject::OrderNotChosen), ClaimState::NotLookedAt { why: ClaimGap::Voided });
    assert_eq!(state(ClaimSubject::BeaconSigned), ClaimState::NotLookedAt { why: ClaimGap::Voided });
}

/// A hand of the public test key that seeds of seats 2 and 5 cut.
struct Hand {
    lab: Lab,
    entries: Vec<String>,
}

impl Hand {
    fn deal(seeds: [&str; 2]) -> Hand {
        let lab = Lab::new();
        let commits = [("2", seeds[0]), ("5", seeds[1])].map(|(seat, seed)| {
            let seed = seed.repeat(32);
            lab.write(&format!("seed-{seat}"), &seed);
            commitment(seat, &seed)
        });
        let arguments = [
            "deal", "--table", "T", "--hands", "1", "--out", "out", "--seats", "1,2,5", "--mix", "players",
            "--day-key", KEY, "--not-for-production", "--seed-commit", &commits[0], "--seed-commit",
            &commits[1], "--seed", "2:@seed-2", "--seed", "5:@seed-5",
        ];
        lab.run(&arguments).ends(0);
        bundle_all(&lab, "out");
        let all = lab.text("out/public/entries.txt");
        let entries = all.split("\n\n").map(|entry| format!("{}\n", entry.trim_matches('\n'))).collect();
        Hand { lab, entries }
    }

    /// A file with this content, to be named from other folders too.
    fn write(&self, name: &str, content: &str) -> String {
        self.lab.write(name, content);
        self.lab.path(name)
    }

    fn entry(&self, kind: &str) -> &str {
        let first = format!("deckproof/v1 {kind}\n");
        self.entries.iter().find(|entry| entry.starts_with(&first)).expect("such an entry")
    }

    fn bundle(&self) -> String {
        self.lab.path("out/hand-1/seat-2.json")
    }

    fn verify(&self, more: &[&str]) -> Output {
        deckproof(&[&["verify", &self.bundle()][..], more].concat())
    }
}

/// `SEAT:COMMITMENT` of a seed of hand 1 at table T of the origin that `deal` takes by default.
fn commitment(seat: &str, seed: &str) -> String {
    let context = deckproof::key::HandContext::new(DEFAULT_ORIGIN, "T", 1, "players");
    let seed = Digest::from_hex(seed).expect("64 digits");
    let number = seat.parse().expect("a seat");
    format!("{seat}:{}", deckproof::commitment::cut::seed_commitment(&context, number, &seed))
}

const DEFAULT_ORIGIN: &str = "localhost/log1";

#[test]
fn an_operator_who_tries_a_friends_seeds_over_an_old_deck_is_not_accepted() {
    // One deck, two openings: the friend in seat 5 was given another seed, and the same player's seed of seat 2 entered both.
    let [first, second] = ["ab", "ac"].map(|friend| Hand::deal(["cd", friend]));
    assert_eq!(first.entry("deck"), second.entry("deck"), "the deck root is old");
    let deck = first.write("deck", first.entry("deck"));
    let seed = format!("2:@{}", second.lab.path("seed-2"));
    let output = second.verify(&["--committed", &deck, "--my-seed", &seed]).ends(0);
    let head = output.out.lines().next().expect("a line");
    assert!(
        head.ends_with("its deck was fixed before the hand, if you saved its commitment before the hand; when the cut was fixed is not shown."),
        "{head}"
    );
    output.must_not_print("accepted");
    second.verify(&["--committed", &deck, "--require", "accepted"]).ends(2);
    // Who saved the opening before giving a seed finds the exchange.
    let opened = first.write("open", first.entry("open"));
    for option in ["--opened", "--committed"] {
        let output = second.verify(&[option, &opened]);
        assert!(
            output.code == 1 && output.prints("E_COMMITTED") && output.prints("open entry"),
            "{option}: {output}"
        );
        assert!(output.prints("your word, which nobody signed"), "{option}: {output}");
    }
    let opened = second.write("open", second.entry("open"));
    let output = second.verify(&["--opened", &opened, "--my-seed", &seed, "--require", "accepted"]).ends(0);
    output.must_print(": accepted: its deck is the one");
    output.must_print("nobody chose the order in play");
    output.must_print("    - Whether earlier hands were voided until an order pleased: ");
    let hash = deckproof::commitment::digest::leaf_hash(second.entry("open")).to_string();
    let output = second.verify(&["--committed", &hash]);
    assert!(
        output.code == 0
            && output
                .prints("accepted, if one of the seeds in its cut is yours and you saved its opening before"),
        "{output}"
    );
    let output = second.verify(&["--committed", &opened, "--my-seed", &seed]);
    output.must_print("accepted, if you saved its opening before you gave your seed: ");
}

/// Seat 1 gave no seed: whoever knows those of seats 2 and 5 tries openings, whatever seat 1 held.
#[test]
fn an_opening_held_by_somebody_who_states_no_seed_is_refused_as_a_statement() {
    let hand = Hand::deal(["cd", "ab"]);
    let open = hand.write("open", hand.entry("open"));
    let seat_1 = hand.lab.path("out/hand-1/seat-1.json");
    for more in [&["--opened", &open][..], &["--opened", &open, "--require", "accepted"]] {
        let output = deckproof(&[&["verify", &seat_1][..], more].concat()).ends(2);
        output.must_not_print("accepted");
        output.must_warn("add --my-seed SEAT:@FILE").must_warn("none of the seeds in its cut is yours");
    }
    let output = deckproof(&["verify", &seat_1, "--committed", &open]).ends(0);
    output.must_print("if one of the seeds in its cut is yours and you saved");
}

/// Who states a seed says where he sat.
#[test]
fn a_file_of_another_seat_names_the_down_cards_of_the_seat_whose_seed_is_stated() {
    let hand = Hand::deal(["cd", "ab"]);
    let (open, seed) = (hand.write("open", hand.entry("open")), format!("2:@{}", hand.lab.path("seed-2")));
    let given = ["--committed", &open, "--my-seed", &seed, "--require", "accepted"];
    hand.verify(&given).ends(0).must_not_print("down card");
    let other = hand.lab.path("out/hand-1/seat-1.json");
    let output = deckproof(&[&["verify", &other][..], &given].concat()).ends(2);
    // Nobody folds: seat 2 has two down cards of third street and one of seventh.
    output.must_print("; 3 down cards of seat 2 are not opened in it.");
    output.must_print("    - Down cards of seat 2 that are not opened: 3.");
}

/// A line below the head is no stronger than the head: on what it hangs stands in it too.
#[test]
fn the_lines_below_the_head_say_on_what_they_hang() {
    let hand = Hand::deal(["cd", "ab"]);
    let open = hand.write("open", hand.entry("open"));
    let all = hand.lab.path("out/public/entries.txt");
    let seed = format!("2:@{}", hand.lab.path("seed-2"));
    let check = |more: &[&str], label: &str, wanted: &str| {
        let output = hand.verify(more);
        let line =
            output.out.lines().find_map(|line| line.trim_start().strip_prefix(label)).map(str::trim_start);
        assert!(output.code == 0 && line == Some(wanted), "{more:?}: {output}");
    };
    let saved = "Fixed before its cut, and its opening is the one you saved, if ";
    let before_seed = "you saved its opening before you gave your seed.";
    let own_seed = format!("{saved}one of the seeds in its cut is yours and {before_seed}");
    check(&["--committed", &open], "Opening", &own_seed);
    check(&["--committed", &open, "--my-seed", &seed], "Opening", &format!("{saved}{before_seed}"));
    let stated = "Fixed before its cut, and its opening is the one you say you held before your seed was given or the beacon's round was due.";
    check(&["--opened", &open, "--my-seed", &seed], "Opening", stated);
    // Who folded when decides who is dealt the next card.
    let in_order = "the cards left the deck in order, each to the right seat.";
    let with_folds =
        format!("Proven with the folds that the file states, which are the operator's word: {in_order}");
    check(&["--committed", &open], "Deal order", &with_folds);
    let fixed = format!(
        "Proven for the folds that the end of the hand fixes: {in_order} Whether these folds were made, those at the table know."
    );
    check(&["--committed", &all], "Deal order", &fixed);
}

/// A script that ends with 2 says which claim lacks, and what would have shown it.
#[test]
fn what_is_not_accepted_says_what_lacks_and_what_to_save_next_time() {
    let hand = Hand::deal(["cd", "ab"]);
    let output = hand.verify(&["--require", "accepted", "--quiet"]).ends(2);
    for words in [
        "not accepted, though --trust or --require accepted requires it (exit code 2). Missing: anything that shows that its deck",
        "that its deck was fixed before the hand; that its opening, which decides the cut, was fixed before the seeds were known",
        "Next time save the deck entry of the hand",
        "Next time save the open entry of the hand before you give your seed",
    ] {
        output.must_warn(words);
    }
    let deck = hand.write("deck", hand.entry("deck"));
    let output = hand.verify(&["--require", "accepted", "--committed", &deck]).ends(2);
    output.must_not_warn("Next time save the deck entry");
    let output = hand.verify(&["--committed", &deck]);
    assert!(output.code == 0 && output.err.is_empty(), "{output}");
}

#[test]
fn every_saved_entry_is_compared_and_an_end_that_nobody_saved_is_a_claim() {
    let hand = Hand::deal(["cd", "ab"]);
    let open = hand.write("open", hand.entry("open"));
    hand.verify(&["--committed", &open]).ends(0).must_print("it is the operator's word");
    let all = hand.lab.path("out/public/entries.txt");
    let output = hand.verify(&["--committed", &all]).ends(0);
    output.must_print("It is the one you saved");
    output.must_print("(what you gave holds the end of the hand too)");
    // Another end, another cut, a void: each is found behind a deck and an opening that are the same.
    let close = hand.entry("close").replace("dealt 21", "dealt 20");
    let void =
        format!("deckproof/v1 void\n{}\nreason operator\n", hand.entry("open").lines().nth(1).expect("deck"));
    let forged = [
        ("cut entry", hand.entry("cut").replace("seed 5 ab", "seed 5 ac")),
        ("close or void entry", close),
        ("close or void entry", void),
    ];
    for (place, other) in forged {
        assert!(!hand.entries.contains(&other), "{place}: nothing was forged");
        let saved = hand.write("saved", &format!("{}\n{}\n{other}", hand.entry("deck"), hand.entry("open")));
        hand.verify(&["--committed", &saved]).ends(1).must_print("E_COMMITTED").must_print(place);
    }
}

#[test]
fn quiet_prints_one_line_that_says_what_was_shown() {
    let hand = Hand::deal(["cd", "ab"]);
    let output = hand.verify(&["--quiet"]);
    assert_eq!((output.code, output.out.lines().count()), (0, 1), "{output}");
    output.must_print("consistent with itself");
    let deck = hand.write("deck", hand.entry("deck"));
    let output = hand.verify(&["--quiet", "--committed", &deck]);
    assert!(
        output.out.lines().count() == 1 && output.prints("when the cut was fixed is not shown"),
        "{output}"
    );
}

#[test]
fn what_the_player_saw_is_his_word_and_the_file_says_so_of_its_own() {
    let hand = Hand::deal(["cd", "ab"]);
    let line = hand.verify(&["--json"]).json();
    let (at, card) = line["opened"].as_object().expect("cards").iter().next().expect("one");
    let mut bundle = hand.lab.json("out/hand-1/seat-2.json");
    bundle["seen"] = serde_json::json!({ at.as_str(): card });
    bundle["my_seed"] = serde_json::json!({ "seat": 5, "seed": "ab".repeat(32) });
    let path = hand.write("said.json", &bundle.to_string());
    let output = deckproof(&["verify", &path]).ends(0);
    output.must_print("The file says that its player saw these").must_not_print("1 match");
    output.must_print("the file says which seed was yours").must_not_print("your own seed entered");
    let seen = format!("--seen={at}={}", card.as_str().expect("a card"));
    deckproof(&["verify", &path, &seen]).must_print("1 match");
    let other = if card == "2c" { "2d" } else { "2c" };
    let output = hand.verify(&[&format!("--seen={at}={other}")]).ends(1);
    output.must_print("your word, which nobody signed");
    // The same contradiction inside the file is the file's.
    bundle["seen"] = serde_json::json!({ at.as_str(): other });
    let path = hand.write("said.json", &bundle.to_string());
    deckproof(&["verify", &path]).ends(1).must_print("E_SEEN").must_not_print("your word");
    // Where the player states the same, his word is tried first, and nobody signed it.
    bundle["my_seed"] = serde_json::json!({ "seat": 5, "seed": "cc".repeat(32) });
    let both = hand.write("both.json", &bundle.to_string());
    let seed = format!("--my-seed=5:{}", "cc".repeat(32));
    for (stated, code) in [(format!("--seen={at}={other}"), "E_SEEN"), (seed, "E_MY_SEED")] {
        let path = if code == "E_SEEN" { &path } else { &both };
        deckproof(&["verify", path, &stated])
            .ends(1)
            .must_print(code)
            .must_print("your word, which nobody signed");
        let line = deckproof(&["verify", "--json", path, &stated]).json();
        assert_eq!(
            line["claims"][0]["witness"],
            serde_json::json!({ "kind": "person", "party": "player" }),
            "{code}"
        );
        let line = deckproof(&["verify", "--json", path]).json();
        assert_eq!(line["claims"][0]["witness"]["kind"], "computation", "{code}");
        assert!(line["place"].as_str().is_some_and(|place| place.ends_with(" of the file")), "{line}");
    }
}

/// A bundle with proofs, judged without a trust file, keeps the schema too.
#[test]
fn json_of_every_vector_keeps_its_schema_with_and_without_a_trust_file() {
    let lab = Lab::new();
    lab.write("trust.json", VECTORS["trust"].to_string());
    let mut files = Vec::new();
    for section in ["positive", "negative"] {
        for (number, case) in VECTORS[section].as_array().expect("a list").iter().enumerate() {
            let Some(bundle) = case.get("bundle").filter(|bundle| bundle.is_object()) else { continue };
            let file = format!("{section}-{number}.json");
            lab.write(&file, bundle.to_string());
            files.push(file);
        }
    }
    assert!(files.len() > 150, "{} files", files.len());
    let files: Vec<&str> = files.iter().map(|file| &file[..]).collect();
    for more in [&[][..], &["--trust", "trust.json"]] {
        let output = lab.run(&[&["verify", "--json"][..], more, &files].concat());
        assert!(output.out.lines().count() == files.len(), "{}", output.err);
        json_lines(&output).iter().for_each(|line| check_valid("verify", line));
    }
}

/// RFC 8032, section 5.1.3, and the eight points of small order (Chalkias, Garillot, Nikolaenko: Taming the many EdDSAs, 2020, table 6): under
/// such a key every text has a signature, and a second encoding of a point would be a second key.
#[test]
fn keys_of_small_order_and_second_encodings_are_no_keys() {
    use deckproof::log::vkey::Vkey;
    use sha2::{Digest as _, Sha256};
    let vkey = |hex: &str| {
        let key: Vec<u8> =
            (0..32).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).expect("hex")).collect();
        let hash = Sha256::new().chain_update("log").chain_update([b'\n', 1]).chain_update(&key).finalize();
        let id: String = hash[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        let typed: Vec<u8> = std::iter::once(1).chain(key).collect();
        format!("log+{id}+{}", <base64ct::Base64 as base64ct::Encoding>::encode_string(&typed))
    };
    let (zeros, ones) = ("00".repeat(31), "ff".repeat(30));
    let weak = [
        format!("01{zeros}"),
        format!("00{zeros}"),
        format!("{}80", "00".repeat(31)),
        format!("ec{ones}7f"),
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a".to_owned(),
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa".to_owned(),
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05".to_owned(),
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85".to_owned(),
    ];
    // y + p of points with y from 3 to 18 that exist: second encodings of points of large order.
    let second = (0xf0u8..=0xff).map(|low| format!("{low:02x}{ones}7f"));
    for hex in weak.into_iter().chain(second) {
        assert!(Vkey::parse(&vkey(&hex)).is_err(), "{hex}");
    }
    // The base point has y = 4/5 and order l: a key like any other.
    assert!(Vkey::parse(&vkey(&format!("58{}", "66".repeat(31)))).is_ok());
}

/// PROTOCOL.md, section 12: a file that was cut off says nothing of a hand.
#[test]
fn what_is_no_json_is_no_verdict_and_broken_json_of_a_bundle_is_refused() {
    let lab = Lab::new();
    let check = |content: &str, code: i32| {
        lab.write("file", content);
        assert_eq!(lab.run(&["verify", "file"]).code, code, "{content}");
    };
    check("", 2);
    check("{\"format\": \"deckproof/v1 reveal\", \"deck_ent", 2);
    check("{\"format\": \"deckproof/v1 reveal\", \"leaves\": [1,], }", 1);
    check("{\"deck_entry\": 1}", 1);
}
