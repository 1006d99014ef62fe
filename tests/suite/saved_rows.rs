//! What a player saved beside a bundle, row by row: entries, receipts, and the head that comes of them.

use std::collections::BTreeSet;
use std::slice;

use deckproof::claim::{Headline, Party};
use deckproof::commitment::SecretDeck;
use deckproof::commitment::digest::{Digest, leaf_hash};
use deckproof::document::words::Language;
use deckproof::key::{HandContext, HandKey};
use deckproof::log::entry::Entry;
use deckproof::log::receipt::Receipt;
use deckproof::rendering::bundle::head::{headline, lacking};
use deckproof::stud::deal::Face;
use deckproof::stud::seat::Seat;
use deckproof::verify::before::{HandDigits, HandEntry, Saved, SavedDeck, SavedEntries, SavedFault, compare};
use deckproof::verify::claims::{HandEvidence, claims};
use deckproof::verify::receipts::{self, ReceiptFault, Receipted};
use deckproof::verify::together::conflicts;
use deckproof::verify::{Accepted, ProvenEntry, Statements, verify_bundle};
use serde_json::Value;

use crate::common::lab::{Lab, Output, json_lines};
use crate::common::vectors::{VECTORS, digest, text, trust, vector};
use crate::hand_claims::{ASKED, honest, proven};

const PLAYERS: &str = "cut whose shuffle rejects a word";

/// The same bundle, of whose cut the verifying player states a seed.
const OWN_SEED: &str = "own seed";

fn none() -> Result<SavedEntries, HandEntry> {
    Ok(SavedEntries::default())
}

fn one() -> SavedEntries {
    SavedEntries { compared: 1, ..SavedEntries::default() }
}

/// The text with another value in its first line of this name.
fn with(text: &str, name: &str, value: &str) -> String {
    let is_line = |line: &&str| line.starts_with(&format!("{name} "));
    let line = text.lines().find(is_line).unwrap_or_else(|| panic!("{name} in {text}"));
    text.replacen(line, &format!("{name} {value}"), 1)
}

#[test]
fn an_entry_is_compared_with_that_of_its_hand_and_with_no_other() {
    let bundle = honest(PLAYERS);
    let texts = &bundle.texts;
    let (deck, open, end) = (&texts.deck, &texts.open, &texts.end);
    let cut = texts.cut.as_ref().expect("a cut");
    let other = &Digest::of("other").to_string();
    let void = format!("deckproof/v1 void\ndeck {}\nreason crash\n", leaf_hash(deck));
    let elsewhere = |entry: &str| with(entry, "deck", other);
    let rows = [
        (deck.clone(), Ok(SavedEntries { deck: Some(SavedDeck::Entry), ..one() })),
        (elsewhere(deck), Err(HandEntry::Deck)),
        (with(&elsewhere(deck), "origin", "stud.example/log2"), none()),
        (with(&elsewhere(deck), "table", "T-0043"), none()),
        (with(&elsewhere(deck), "hand", "4"), none()),
        (open.clone(), Ok(SavedEntries { is_open_saved: true, ..one() })),
        (with(open, "rules", "stud-hi"), Err(HandEntry::Open)),
        (elsewhere(open), none()),
        (cut.clone(), Ok(one())),
        (with(cut, "seed", &format!("1 {other}")), Err(HandEntry::Cut)),
        (with(cut, "open", other), none()),
        (end.clone(), Ok(SavedEntries { is_end_saved: true, ..one() })),
        (with(end, "dealt", "13"), Err(HandEntry::End)),
        (with(end, "open", other), none()),
        (void.clone(), Err(HandEntry::End)),
        (elsewhere(&void), none()),
    ];
    for (text, wanted) in rows {
        let read = Saved::read(&text);
        assert_eq!(read.len(), 1, "{text}");
        for is_alone in [true, false] {
            let wanted = wanted.map_err(|entry| SavedFault::Differs { entry, is_hash: false });
            assert_eq!(compare(&read, &bundle, is_alone), wanted, "{text}");
        }
    }
    assert!(Saved::read(&format!("copy of {deck}")).is_empty(), "an entry begins a line");
}

#[test]
fn a_bare_hash_convicts_a_hand_alone_and_confirms_among_several() {
    let bundle = honest(PLAYERS);
    let entry = &bundle.texts.deck;
    // As a shell prints it: coreutils sha256sum of deck.txt.
    let shell = Digest::of(entry);
    let hashes =
        [bundle.hand.deck, leaf_hash(entry), shell, Digest::of("other")].map(|hash| hash.to_string());
    let [root, leaf, shell, other] = hashes.map(|hash| Saved::read(&hash).remove(0));
    let of = |deck, compared| Ok(SavedEntries { compared, deck, ..SavedEntries::default() });
    let hash = Some(SavedDeck::Hash);
    for one in [root.clone(), leaf, shell] {
        assert_eq!(compare(slice::from_ref(&one), &bundle, true), of(hash, 1));
        assert_eq!(compare(&[one], &bundle, false), of(hash, 1));
    }
    let differs = Err(SavedFault::Differs { entry: HandEntry::Deck, is_hash: true });
    assert_eq!(compare(slice::from_ref(&other), &bundle, true), differs);
    // What the entries of the hand bind under another name can have been taken for the root.
    let end = Saved::Hash(leaf_hash(&bundle.texts.end));
    assert_eq!(compare(slice::from_ref(&end), &bundle, true), Err(SavedFault::OfOther(HandDigits::End)));
    assert_eq!(compare(&[end, other.clone()], &bundle, true), differs);
    let transcript =
        bundle.texts.end.lines().find_map(|line| line.strip_prefix("transcript ")).expect("a line");
    let taken = |digits: &str| compare(&Saved::read(digits), &bundle, true);
    assert_eq!(taken(transcript), Err(SavedFault::OfOther(HandDigits::Transcript)));
    let value = |text: &str, line: &str| {
        text.lines().find_map(|own| own.strip_prefix(line)).expect("a line").to_owned()
    };
    let cut = bundle.texts.cut.as_ref().expect("a cut");
    let seat = Seat::new(1).expect("a seat");
    assert_eq!(taken(&value(cut, "seed 1 ")), Err(SavedFault::OfOther(HandDigits::Seed(seat))));
    let commit = value(&bundle.texts.open, "commit 1 ");
    assert_eq!(taken(&commit), Err(SavedFault::OfOther(HandDigits::Commitment(seat))));
    // Digits that were copied wrongly are a slip, and hide no contradiction beside them, in either order.
    let digits = bundle.hand.deck.to_string();
    let last = if digits.ends_with('0') { '1' } else { '0' };
    let slip = Saved::read(&format!("{}{last}", &digits[..63])).remove(0);
    let miscopied = Err(SavedFault::Miscopied { own: bundle.hand.deck, digits: 1 });
    assert_eq!(compare(slice::from_ref(&slip), &bundle, true), miscopied);
    // Groups of eight in another order are all there; 2 · 8 of the digits are the fourth and the last group.
    let groups = |order: [usize; 8]| order.map(|group| &digits[8 * group..][..8]).concat();
    let turned = Saved::read(&groups([2, 3, 0, 1, 6, 7, 4, 5])).remove(0);
    let alike = Err(SavedFault::Alike { own: bundle.hand.deck, digits: 64 });
    assert_eq!(compare(slice::from_ref(&turned), &bundle, true), alike);
    assert_eq!(compare(&[turned, other.clone()], &bundle, true), differs);
    let two = Saved::read(&groups([3; 8]).replacen(&groups([3; 8])[..8], &digits[56..], 1)).remove(0);
    assert_eq!(compare(&[two], &bundle, true), differs);
    assert_eq!(compare(slice::from_ref(&slip), &bundle, false), of(None, 1));
    let in_entry = |change: &dyn Fn(&str) -> String| compare(&Saved::read(&change(entry)), &bundle, true);
    let slipped = format!("{}{last}", &digits[..63]);
    assert_eq!(in_entry(&|entry| entry.replace(&digits, &slipped)), miscopied);
    let differs_too = Err(SavedFault::Differs { entry: HandEntry::Deck, is_hash: false });
    let changed = |entry: &str| with(&entry.replace(&digits, &slipped), "mix", "beacon");
    assert_eq!(in_entry(&changed), differs_too);
    for both in [[slip.clone(), other.clone()], [other.clone(), slip]] {
        assert_eq!(compare(&both, &bundle, true), differs);
    }
    assert_eq!(compare(&[other], &bundle, false), of(None, 1));
    // A hash may be that of the opening, of which the text says more too.
    let open = &bundle.texts.open;
    let (text, leaf) = (Saved::read(open).remove(0), Saved::read(&leaf_hash(open).to_string()).remove(0));
    for (kept, is_open_hash) in [
        (vec![leaf.clone()], true),
        (vec![text.clone()], false),
        (vec![leaf.clone(), text.clone()], false),
        (vec![text, leaf], false),
    ] {
        let compared = kept.len();
        let wanted = SavedEntries { compared, is_open_saved: true, is_open_hash, ..SavedEntries::default() };
        assert_eq!(compare(&kept, &bundle, true), Ok(wanted), "{kept:?}");
    }
    // The text of the entry says more than its hash, in either order.
    let text = Saved::read(entry).remove(0);
    for both in [[text.clone(), root.clone()], [root, text]] {
        assert_eq!(compare(&both, &bundle, true), of(Some(SavedDeck::Entry), 2));
    }
}

/// A bundle of the vectors with and without its proofs, and these as receipts.
fn logged(name: &str) -> [(Accepted, Vec<(String, Receipt)>); 2] {
    let mut bundle = vector(name).clone();
    let of = |(kind, proof): (&String, &Value)| {
        let receipt = Receipt::parse(proof.as_str().expect("a text")).expect("a receipt");
        (kind.clone(), receipt)
    };
    let kept: Vec<_> = bundle["proofs"].as_object().expect("proofs").iter().map(of).collect();
    let judge = |bundle: &Value| {
        let text = bundle.to_string();
        verify_bundle(text.as_bytes(), Some(&trust(None)), &Statements::default()).expect("it is honest")
    };
    let whole = judge(&bundle);
    bundle.as_object_mut().expect("an object").remove("proofs");
    [(whole, kept.clone()), (judge(&bundle), kept)]
}

/// Receipts go one way, proofs of a bundle another one: they must show the same.
#[test]
fn the_receipts_of_a_hand_show_what_the_same_proofs_in_its_bundle_show() {
    for name in ["full reveal: players, stud-hi, community card", "void form: beacon, cut and proofs"] {
        let [(whole, kept), (bare, _)] = logged(name);
        let wanted: Vec<Receipted> =
            whole.proven.iter().map(|proven| (proven.entry.to_owned(), *proven)).collect();
        assert!(wanted.len() == 4 && wanted.iter().any(|(_, proven)| proven.quorum_time.is_some()), "{name}");
        for bundle in [&whole, &bare] {
            let found = receipts::compare(bundle, &kept, &trust(None));
            assert_eq!(found, Ok(wanted.clone()), "{name}");
        }
    }
}

#[test]
fn receipts_of_another_hand_prove_nothing_and_of_a_forked_log_refuse() {
    let name = "full reveal: players, stud-hi, community card";
    let [(whole, kept), (bare, _)] = logged(name);
    let [(_, other), _] = logged("full reveal: none, stud-hi");
    let proving = |bundle: &Accepted, receipts: &[(String, Receipt)]| {
        receipts::compare(bundle, receipts, &trust(None)).map(|found| found.len())
    };
    assert_eq!(proving(&bare, &other), Ok(0));
    // Damaged in saving, or of another log: nothing is said of the hand.
    let damaged = |from: &str, to: &str| {
        let mut own = kept[..1].to_vec();
        assert!(own[0].1.note.contains(from));
        own[0].1.note = own[0].1.note.replace(from, to);
        proving(&bare, &own)
    };
    for (from, to, code) in [
        ("\u{2014}", "-", "E_NOTE"),
        ("\n\n", "\n0\n\n", "E_NOTE_SIG"),
        ("log1 ", "log2 ", "E_NOTE_UNSIGNED"),
    ] {
        let fault = damaged(from, to).expect_err("it is damaged");
        assert!(
            matches!(&fault, ReceiptFault::Unusable(refusal) if refusal.code.name() == code),
            "{fault:?}"
        );
    }
    // Two vectors whose checkpoints of size 2 differ: as if one log had signed both.
    let [(forked, first), (unlogged, _)] = logged("void form: beacon, cut and proofs");
    let [(_, second), _] = logged("beacon: cosigned one second before the round");
    assert_eq!(first[0].1.note.lines().nth(1), second[0].1.note.lines().nth(1), "one size");
    let fork = |receipts: &[(String, Receipt)], bundle: &Accepted| {
        let fault = receipts::compare(bundle, receipts, &trust(None)).expect_err("a fork");
        let ReceiptFault::Forked(refusal) = fault else { panic!("the log signed both: {fault:?}") };
        assert!(refusal.message.contains("so it is forked"), "{}", refusal.message);
    };
    fork(&second[..1], &forked);
    fork(&[first[0].clone(), ("other".to_owned(), second[0].1.clone())], &unlogged);
    assert_eq!(proving(&unlogged, &second[..1]), Ok(0));
    assert_eq!(proving(&whole, &kept), Ok(4));
}

/// The head names the conditions that the reader alone can know, and the reason why nothing is shown.
#[test]
fn the_head_says_what_was_shown_and_on_what_it_hangs() {
    const NONE: &str = "full reveal: none, stud-hi";
    const BEACON: &str = "open cosigned after the beacon round";
    let saved = |deck, is_open_saved, is_end_saved| HandEvidence {
        saved: SavedEntries { deck, is_open_saved, is_end_saved, ..one() },
        ..ASKED
    };
    let proofs = |proven: &[ProvenEntry]| HandEvidence { proven: proven.to_vec(), ..ASKED };
    let receipt = |proof: ProvenEntry, proven: &[ProvenEntry]| HandEvidence {
        receipts: vec![("r.proof".to_owned(), proof)],
        ..proofs(proven)
    };
    let declared = HandEvidence { is_opened_declared: true, ..ASKED };
    let (deck, open) =
        (|size, time| proven("deck", 2, size, time), |size, time| proven("open", 3, size, time));
    let (cut, end) = (proven("cut", 6, 12, None), proven("close", 9, 12, None));
    let entry = Some(SavedDeck::Entry);
    let due = honest(BEACON).beacon_due.expect("a beacon");
    // 60 and `due` in POSIX seconds; the words are those of crates/report/src/document/words/en.toml.
    let early = "1970-01-01 00:01:00";
    let unshown = "could not say whether its deck was fixed before the hand: ";
    let in_log = "its deck is proven to be in the log you trust, but ";
    let rows = [
        (
            NONE,
            saved(entry, false, false),
            "accepted, if you saved its commitment before the hand: its deck is the one".to_owned(),
        ),
        (
            NONE,
            saved(entry, false, true),
            "accepted, if you saved its commitment before the hand (what".to_owned(),
        ),
        (NONE, proofs(&[deck(9, Some(60)), end]), format!("accepted, if your first card came after {early}")),
        (
            NONE,
            proofs(&[deck(9, Some(60)), end]),
            ": a quorum of your witnesses had seen its deck".to_owned(),
        ),
        (
            NONE,
            receipt(deck(9, None), &[end]),
            "accepted, if you had its receipt before the hand: a receipt you saved shows its deck".to_owned(),
        ),
        (
            PLAYERS,
            saved(entry, true, false),
            "accepted, if one of the seeds in its cut is yours and you saved its opening before you gave"
                .to_owned(),
        ),
        (
            OWN_SEED,
            saved(entry, true, false),
            "accepted, if you saved its opening before you gave".to_owned(),
        ),
        (PLAYERS, saved(entry, true, false), "commitment you saved, and its opening is the one".to_owned()),
        (
            OWN_SEED,
            declared.clone(),
            "accepted: its deck is the one whose commitment you saved, and its".to_owned(),
        ),
        (OWN_SEED, declared.clone(), "is the one you say you held before your seed".to_owned()),
        (PLAYERS, declared.clone(), "when the cut was fixed is not shown".to_owned()),
        (PLAYERS, proofs(&[open(5, Some(60)), cut, end]), format!("and you gave your seed after {early}")),
        (PLAYERS, proofs(&[open(5, Some(60)), cut, end]), "had seen its opening before its cut".to_owned()),
        (
            PLAYERS,
            receipt(open(5, None), &[cut, end]),
            "is yours and you had the receipt r.proof before you".to_owned(),
        ),
        (PLAYERS, receipt(open(5, None), &[cut, end]), "a receipt shows its opening in the log".to_owned()),
        (
            PLAYERS,
            saved(entry, false, true),
            "before the hand, if you saved its commitment before".to_owned(),
        ),
        (BEACON, saved(entry, true, false), "accepted, if you saved its opening before 20".to_owned()),
        (BEACON, proofs(&[open(5, Some(due - 1)), end]), "before the round of its beacon was due".to_owned()),
        (NONE, proofs(&[]), format!("{unshown}nothing proves")),
        (NONE, proofs(&[deck(10, Some(60)), end]), format!("{unshown}{in_log}at the first time")),
        (NONE, receipt(deck(10, None), &[end]), format!("{unshown}the receipt you gave was made")),
        (NONE, proofs(&[deck(5, Some(60))]), format!("{unshown}{in_log}not that it came")),
        (NONE, receipt(deck(5, None), &[]), format!("{unshown}a receipt shows its deck")),
        (NONE, proofs(&[deck(5, None), end]), format!("{unshown}{in_log}no quorum")),
        (NONE, HandEvidence::default(), "consistent with itself".to_owned()),
    ];
    for (name, evidence, wanted) in rows {
        let mut bundle = honest(if name == OWN_SEED { PLAYERS } else { name });
        if name == OWN_SEED {
            bundle.stated.seed = Some(Party::Player);
        }
        let claims = claims(&bundle, &evidence);
        let head = headline(&bundle, &evidence, &claims, Language::English.words());
        assert!(head.contains(&wanted), "{head}\nwanted {wanted}");
        assert_eq!(head.starts_with("accepted"), claims.headline() == Headline::Accepted, "{head}");
        let has_condition = wanted.starts_with("accepted: ");
        assert!(!has_condition || !head.contains(", if "), "{head}");
        assert!(name != BEACON || !head.contains("you gave your seed"), "{head}");
        // A deck that is fixed hangs on no seed.
        assert!(claims.headline() == Headline::Accepted || !head.contains("in its cut is yours"), "{head}");
    }
}

/// Nobody is told to save an opening that decides nothing.
#[test]
fn what_lacks_is_what_the_head_needs_and_is_not_shown() {
    let lacks = |name: &str| {
        let bundle = honest(name);
        lacking("f", &bundle, &claims(&bundle, &ASKED), Language::English.words())
    };
    let none = lacks("full reveal: none, stud-hi");
    assert!(none.contains("that its deck was fixed before the hand") && !none.contains("opening"), "{none}");
    assert!(lacks(PLAYERS).contains("that its opening, which decides the cut"), "{}", lacks(PLAYERS));
}

/// Each bundle of a hand that is told twice has a conflict, with its own line. The log decides only where it has all in which a
/// bundle differs, and not all of the other's.
#[test]
fn every_bundle_of_a_hand_that_is_told_twice_has_a_conflict() {
    let base = honest("full reveal: none, stud-hi");
    let other = |line: &str| {
        let mut own = base.clone();
        own.texts.end.push_str(line);
        own
    };
    let (same, b, c) = (base.clone(), other("b\n"), other("c\n"));
    let bundles = [&base, &same, &b, &c];
    let found = |proven: [&[&'static str]; 4]| {
        let proven = proven.map(|kinds| kinds.iter().copied().collect());
        let mut found: Vec<_> = conflicts(&bundles, &proven)
            .into_iter()
            .map(|own| (own.own, own.entry, own.lines[0].clone(), own.is_proven))
            .collect();
        found.sort();
        found
    };
    let row = |own, line: &str, is_proven| (own, "end", line.to_owned(), is_proven);
    let all = |proven: [bool; 4]| {
        let lines = ["nothing", "nothing", "b", "c"];
        (0..4).map(|own| row(own, lines[own], proven[own])).collect::<Vec<_>>()
    };
    assert_eq!(found([&[]; 4]), all([false; 4]));
    // The deck entry says nothing of the end, and the proof of one bundle is that of all with the same entries.
    assert_eq!(found([&["deck", "open"], &[], &[], &[]]), all([false; 4]));
    assert_eq!(found([&["close"], &[], &[], &[]]), all([true, true, false, false]));
    // Two ends in one log are the operator's own contradiction.
    assert_eq!(found([&["close"], &[], &["close"], &[]]), all([false; 4]));
    assert!(conflicts(&[&base, &same], &[BTreeSet::new(), BTreeSet::new()]).is_empty());
}

/// Files of one folder, and what `verify` prints of some of them.
struct Files(Lab);

impl Files {
    fn write(&self, name: &str, content: &str) -> String {
        self.0.write(name, content);
        name.to_owned()
    }

    /// A bundle of the vectors with the proofs of these entries alone.
    fn bundle(&self, name: &str, vector_name: &str, proofs: &[&str]) -> String {
        let mut bundle = vector(vector_name).clone();
        bundle["proofs"].as_object_mut().expect("proofs").retain(|kind, _| proofs.contains(&&kind[..]));
        if proofs.is_empty() {
            bundle.as_object_mut().expect("an object").remove("proofs");
        }
        self.write(name, &bundle.to_string())
    }

    /// Exit code, verdicts, and the states of one claim.
    fn judge(&self, more: &[&str], subject: &str) -> (i32, Vec<String>, Vec<String>) {
        let output = self.verify(&[&["--json"][..], more].concat());
        let lines = json_lines(&output);
        let state = |line: &Value| {
            let claims = line["claims"].as_array().expect("claims");
            let claim = claims.iter().find(|claim| claim["subject"] == subject);
            claim.map_or("none", |claim| claim["state"].as_str().expect("a state")).to_owned()
        };
        let verdict = |line: &Value| line["verdict"].as_str().expect("a verdict").to_owned();
        (output.code, lines.iter().map(verdict).collect(), lines.iter().map(state).collect())
    }

    fn verify(&self, more: &[&str]) -> Output {
        self.write("trust.json", &VECTORS["trust"].to_string());
        self.0.run(&[&["verify", "--trust", "trust.json"][..], more].concat())
    }
}

#[test]
fn what_is_held_of_one_hand_counts_for_all_its_bundles_and_for_no_other_hand() {
    const NONE: &str = "full reveal: none, stud-hi";
    const SEAT: &str = "selective, seat 7: none, stud-hi";
    const OTHER: &str = "full reveal: none, espacejeux, 7-7-7-7 reshuffle";
    let files = Files(Lab::new());
    let judge = |more: &[&str]| files.judge(more, "deck-fixed");
    let all = ["deck", "open", "close"];
    let [whole, seat, bare] = [(NONE, &all[..]), (SEAT, &[]), (OTHER, &[])]
        .map(|(name, proofs)| files.bundle(&format!("{}.json", Digest::of(name)), name, proofs));
    let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
    let (shown, unseen) = ("shown", "not-looked-at");
    // Proofs of one file hold for the other one of the hand.
    let accepted = texts(&["accepted", "accepted"]);
    assert_eq!(judge(&[&whole, &seat]), (0, accepted, texts(&[shown, shown])));
    // They say nothing of another hand, nor do a receipt and a hash.
    let mixed = (2, texts(&["accepted", "consistent"]), texts(&[shown, unseen]));
    assert_eq!(judge(&[&whole, &bare]), mixed);
    let kept = files.write("kept.proof", vector(NONE)["proofs"]["deck"].as_str().expect("a proof"));
    assert_eq!(judge(&["--receipt", &kept, &whole, &bare]), mixed);
    let root = honest(NONE).hand.deck.to_string();
    let root = files.write("root", &root);
    assert_eq!(judge(&["--committed", &root, &whole, &bare]), mixed);
    // The end is proven in one file, deck and opening in the other one: together they show the order.
    let [start, end] = [("start.json", NONE, &all[..2]), ("end.json", SEAT, &all[2..])]
        .map(|(file, name, proofs)| files.bundle(file, name, proofs));
    let output = files.verify(&[&end, &start]);
    let together = output.out.split("Together: ").nth(1).unwrap_or_default();
    assert!(output.code == 0 && together.starts_with("accepted, if your first card came after"), "{output}");
    // With a file that is refused there is no one picture.
    let spoilt = vector(SEAT).to_string().replacen("rules stud-hi", "rules stud-8b", 1);
    let spoilt = files.write("spoilt.json", &spoilt);
    let output = files.verify(&[&whole, &seat, &spoilt]).ends(1);
    output.must_not_print("Together: ").must_print("2 accepted, 1 refused");
}

/// The log signed what a receipt proves: a refusal by it is nobody's unsigned word.
#[test]
fn a_saved_text_that_a_receipt_proves_is_the_word_of_the_log() {
    let files = Files(Lab::new());
    let closed = vector("full reveal: players, stud-hi, community card");
    let voided = vector("void form: players, no cut, for another reason").to_string();
    let voided = files.write("voided.json", &voided);
    let saved = files.write("saved.txt", text(&closed["close_entry"]));
    let [end, deck] =
        ["close", "deck"].map(|kind| files.write(&format!("{kind}.proof"), text(&closed["proofs"][kind])));
    let player = serde_json::json!({ "kind": "person", "party": "player" });
    let log = serde_json::json!({ "kind": "receipt", "name": "close.proof" });
    for (receipts, witness, words) in [
        (&[][..], &player, "It rests on your word, which nobody signed"),
        // Of the same hand, and not of that text.
        (&["--receipt", &deck], &player, "It rests on your word, which nobody signed"),
        (
            &["--receipt", &deck, "--receipt", &end],
            &log,
            "It rests on the log's word, not on yours alone: the receipt close.proof",
        ),
    ] {
        let given = [&["--committed", &saved, &voided][..], receipts].concat();
        let line = files.verify(&[&["--json"], &given[..]].concat()).ends(1).json();
        assert_eq!(
            (&line["code"], &line["claims"][0]["witness"]),
            (&"E_COMMITTED".into(), witness),
            "{line}"
        );
        files.verify(&given).ends(1).must_print(words);
    }
}

/// The bundle of the next hand, made with the hand key of this one.
fn of_same_key(bundle: &Value) -> Value {
    let mut next = bundle.clone();
    let deck = text(&bundle["deck_entry"]);
    let Ok(Entry::Deck(hand)) = Entry::parse(deck) else { panic!("{deck}") };
    let context = HandContext::new(&hand.origin, &hand.table, hand.hand + 1, hand.mix.name());
    let key = HandKey::from_bytes(*digest(&bundle["hand_key"]).bytes());
    let root = SecretDeck::new(&key, &context).root().to_string();
    let deck = with(&with(deck, "hand", &(hand.hand + 1).to_string()), "deck", &root);
    let open = with(text(&bundle["open_entry"]), "deck", &leaf_hash(&deck).to_string());
    let end = with(text(&bundle["close_entry"]), "open", &leaf_hash(&open).to_string());
    next.as_object_mut().expect("an object").remove("proofs");
    for (name, entry) in [("deck_entry", deck), ("open_entry", open), ("close_entry", end)] {
        next[name] = entry.into();
    }
    next
}

/// PROTOCOL.md, section 4: a hand key opens one hand.
#[test]
fn two_hands_of_one_key_are_named_and_none_is_refused() {
    const FULL: &str = "full reveal: none, stud-hi";
    let files = Files(Lab::new());
    let [full, other] = [FULL, "full reveal: none, espacejeux, 7-7-7-7 reshuffle"].map(vector);
    let own = files.write("own.json", &full.to_string());
    let seat = files.write("seat.json", &vector("selective, seat 7: none, stud-hi").to_string());
    let next = files.write("next.json", &of_same_key(full).to_string());
    let other = files.write("other.json", &other.to_string());
    let words = "One hand key made this hand and hand ";
    // Of one hand, and of two hands with two keys.
    for honest in [[&own, &seat], [&own, &other]] {
        files.0.run(&["verify", honest[0], honest[1]]).ends(0).must_not_print(words);
    }
    // A file of one seat opens some salts.
    for one in [&own, &seat] {
        let output = files.0.run(&["verify", one, &next]).ends(0);
        assert_eq!(output.out.matches(words).count(), 2, "{output}");
        let lines = json_lines(&files.0.run(&["verify", "--json", one, &next]));
        assert_eq!([&lines[0]["one_key_with"], &lines[1]["one_key_with"]], [&next[..], &one[..]]);
    }
    let saved = [own.as_str(), &next].map(|name| text(&files.0.json(name)["deck_entry"]).to_owned());
    let saved = files.write("saved.txt", &saved.join("\n"));
    let all = ["verify", "--require", "accepted", "--committed", &saved];
    files.0.run(&[&all[..], &[&own]].concat()).ends(0);
    let output = files.0.run(&[&all[..], &[&own, &next]].concat()).ends(2);
    output.must_warn("own.json cannot be accepted: one hand key made it and the hand in next.json.");
}

#[test]
fn an_opening_of_another_hand_is_no_answer_and_cards_seen_at_a_seat_are_the_players_word() {
    let files = Files(Lab::new());
    let bundle = files.write("bundle.json", &vector(PLAYERS).to_string());
    let other = honest("full reveal: players, stud-hi, community card");
    let opened = files.write("opened", &other.texts.open);
    let output = files.verify(&["--opened", &opened, &bundle]);
    assert!(
        output.code == 2 && output.out.is_empty() && output.warns("nothing tells of which hand that is"),
        "{output}"
    );
    let full = "full reveal: none, stud-hi";
    let dealt = honest(full);
    let line = dealt.transcript.iter().find(|line| line.face == Face::Up).expect("an up card");
    let card = dealt.opened[&line.position];
    let seen = format!("seat {}: {card} up", line.seat.expect("a seat").number());
    let bundle = files.bundle("full.json", full, &[]);
    assert_eq!(files.judge(&["--seen", &seen, &bundle], "seen-cards").2, ["shown"]);
    assert_eq!(files.judge(&[&bundle], "seen-cards").2, ["not-looked-at"]);
}
