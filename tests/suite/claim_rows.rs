//! Each claim of a hand and of a log, row by row: its state, what it rests on, and what else would explain it.

use deckproof::claim::{
    Claim, ClaimGap, ClaimState, ClaimSubject, Claims, Headline, Otherwise, Party, Witness,
};
use deckproof::log::checkpoint::Checkpoint;
use deckproof::log::scan::report::{Report, TableDecks};
use deckproof::log::tree::TreeHead;
use deckproof::log::witnessed::Witnessed;
use deckproof::rendering::log::scan::{ScanAsked, ScanLimits, scan_claims};
use deckproof::text::exit::Exit;
use deckproof::verify::before::{SavedDeck, SavedEntries};
use deckproof::verify::claims::{HandEvidence, claims, refused};
use deckproof::verify::findings::HistoryFinding;
use deckproof::verify::{Accepted, ProvenEntry, SeedSlip, Statements, verify_bundle};

use crate::common::vectors::vector;
use crate::hand_claims::{ASKED, honest, proven};

const NONE: &str = "full reveal: none, stud-hi";
const PLAYERS: &str = "cut whose shuffle rejects a word";
const BEACON: &str = "open cosigned after the beacon round";
const UNDEALT: &str = "hand that was closed before a card was dealt";
const VOID_NONE: &str = "void form: none";
const VOID_PLAYERS: &str = "void form: players, no cut";

fn claim(bundle: &Accepted, evidence: &HandEvidence, subject: ClaimSubject) -> Option<Claim> {
    claims(bundle, evidence).of(subject).cloned()
}

/// Proofs of bundles, and receipts, beside what was asked with a trust file.
fn held(proofs: &[ProvenEntry], receipts: &[(&str, ProvenEntry)]) -> HandEvidence {
    let receipts = receipts.iter().map(|(name, proven)| ((*name).to_owned(), *proven)).collect();
    HandEvidence { proven: proofs.to_vec(), receipts, ..ASKED }
}

fn saved(saved: SavedEntries) -> HandEvidence {
    HandEvidence { saved, ..ASKED }
}

const SAVED_OPEN: SavedEntries =
    SavedEntries { compared: 1, deck: None, is_open_saved: true, is_open_hash: false, is_end_saved: false };

fn by_quorum(subject: ClaimSubject, time: u64) -> Claim {
    Claim::shown(subject, Witness::Quorum { time }).or(Otherwise::WitnessesNotIndependent)
}

fn by_log(subject: ClaimSubject) -> Claim {
    Claim::claimed(subject, Party::Log).by(Witness::Log)
}

fn seen_late(subject: ClaimSubject, time: u64) -> Claim {
    Claim::claimed(subject, Party::Log).by(Witness::Quorum { time })
}

fn by_receipt(subject: ClaimSubject, name: &str) -> Claim {
    Claim::shown(subject, Witness::Receipt { name: name.to_owned() }).or(Otherwise::SavedLater)
}

fn by_player(subject: ClaimSubject) -> Claim {
    Claim::shown(subject, Witness::Person { party: Party::Player })
}

fn as_saved(subject: ClaimSubject, is_entry: bool) -> Claim {
    let claim = Claim::shown(subject, Witness::Saved { is_entry });
    claim.or(Otherwise::SavedLater).or(Otherwise::UnsignedWord)
}

#[test]
fn of_a_deck_the_best_evidence_counts_with_all_that_would_explain_it_otherwise() {
    let subject = ClaimSubject::DeckFixed;
    let deck = |size, time| proven("deck", 2, size, time);
    let end = proven("close", 9, 12, None);
    let late = |claim: Claim| claim.or(Otherwise::LateTree);
    let rows = [
        ("nothing", held(&[], &[]), Claim::not_looked_at(subject, ClaimGap::NoProof)),
        ("nobody says when", held(&[deck(5, None)], &[]), by_log(subject)),
        // An end that was logged twice was there from its first place on.
        (
            "two ends",
            held(&[deck(10, Some(60)), proven("close", 11, 13, None), end], &[]),
            late(seen_late(subject, 60)),
        ),
        // A quorum that met over the smaller tree after another had met over the end.
        (
            "a late quorum",
            held(&[deck(9, Some(81)), proven("close", 9, 12, Some(80))], &[]),
            late(seen_late(subject, 81)),
        ),
        (
            "a quorum in time",
            held(&[deck(9, Some(80)), proven("close", 9, 12, Some(80))], &[]),
            by_quorum(subject, 80),
        ),
        ("a witnessed receipt", held(&[end], &[("r", deck(9, Some(60)))]), by_quorum(subject, 60)),
        (
            "the receipt with a time",
            held(&[], &[("r", deck(5, None)), ("s", deck(6, Some(60)))]),
            seen_late(subject, 60).or(Otherwise::EndNotProven),
        ),
        (
            "a quorum and a receipt",
            held(&[deck(9, Some(60)), end], &[("r", deck(5, None))]),
            by_quorum(subject, 60),
        ),
        (
            "a late proof and a late receipt",
            held(&[deck(10, Some(60)), end], &[("r", deck(10, None))]),
            late(by_log(subject)),
        ),
        (
            "a late receipt and a good one",
            held(&[end], &[("r", deck(10, None)), ("s", deck(9, None))]),
            by_receipt(subject, "s"),
        ),
    ];
    for (what, evidence, wanted) in rows {
        assert_eq!(claim(&honest(NONE), &evidence, subject), Some(wanted), "{what}");
    }
    // A void ends a hand as well, and the cut does not end it.
    let void = held(&[deck(5, Some(60)), proven("void", 9, 12, None)], &[]);
    assert_eq!(claim(&honest(VOID_NONE), &void, subject), Some(by_quorum(subject, 60)));
    let cut = held(&[deck(8, Some(60)), proven("cut", 6, 12, None), end], &[]);
    assert_eq!(claim(&honest(PLAYERS), &cut, subject), Some(by_quorum(subject, 60)));
    for (form, is_entry) in [(SavedDeck::Hash, false), (SavedDeck::Entry, true)] {
        let evidence = saved(SavedEntries { compared: 1, deck: Some(form), ..SavedEntries::default() });
        assert_eq!(claim(&honest(NONE), &evidence, subject), Some(as_saved(subject, is_entry)));
    }
    // Of an opening whose hash was saved the text is there too, where the player declares it.
    for is_opened_declared in [false, true] {
        let kept = saved(SavedEntries { is_open_hash: true, ..SAVED_OPEN });
        let evidence = HandEvidence { is_opened_declared, ..kept };
        assert_eq!(claim(&honest(PLAYERS), &evidence, subject), Some(as_saved(subject, is_opened_declared)));
    }
    let unasked = HandEvidence::default();
    let wanted = Claim::not_looked_at(subject, ClaimGap::NothingGiven);
    assert_eq!(claim(&honest(NONE), &unasked, subject), Some(wanted));
}

#[test]
fn proofs_that_nobody_could_check_are_no_evidence_and_hide_none() {
    let read = |name: &str| {
        let text = vector(name).to_string();
        verify_bundle(text.as_bytes(), None, &Statements::default()).expect("it is honest")
    };
    let bundle = read("selective, seat 1: players, community card");
    for subject in [ClaimSubject::DeckFixed, ClaimSubject::OpeningFixed, ClaimSubject::OneLog] {
        let wanted = Claim::not_looked_at(subject, ClaimGap::NoTrustFile);
        assert_eq!(claim(&bundle, &HandEvidence::default(), subject), Some(wanted));
    }
    let end = proven("close", 9, 12, Some(80));
    let evidence = held(&[proven("deck", 2, 9, Some(60)), end], &[]);
    let wanted = by_quorum(ClaimSubject::DeckFixed, 60);
    assert_eq!(claim(&bundle, &evidence, ClaimSubject::DeckFixed), Some(wanted));
}

#[test]
fn of_an_opening_the_log_counts_before_what_was_saved_and_the_deck_is_not_the_opening() {
    let subject = ClaimSubject::OpeningFixed;
    let no_proof = || Claim::not_looked_at(subject, ClaimGap::NoProof);
    let bundle = honest(PLAYERS);
    let (cut, end) = (proven("cut", 6, 12, None), proven("close", 9, 12, None));
    let deck = held(&[proven("deck", 2, 5, Some(60)), cut, end], &[]);
    assert_eq!(claim(&bundle, &deck, subject), Some(no_proof()));
    let proofs = held(&[proven("open", 3, 5, Some(60)), cut, end], &[]);
    let both = HandEvidence { saved: SAVED_OPEN, ..proofs };
    assert_eq!(claim(&bundle, &both, subject), Some(by_quorum(subject, 60)));
    for is_open_hash in [false, true] {
        let kept = saved(SavedEntries { is_open_hash, ..SAVED_OPEN });
        assert_eq!(claim(&bundle, &kept, subject), Some(as_saved(subject, !is_open_hash)));
    }
    // "I gave my seed after this entry" is said by somebody who states a seed, or it says nothing.
    let declared = HandEvidence { is_opened_declared: true, ..ASKED };
    let word = by_player(subject).or(Otherwise::SavedLater).or(Otherwise::UnsignedWord);
    for seed in [None, Some(Party::File), Some(Party::Player)] {
        let mut bundle = bundle.clone();
        bundle.stated.seed = seed;
        let wanted = if seed == Some(Party::Player) { word.clone() } else { no_proof() };
        assert_eq!(claim(&bundle, &declared, subject), Some(wanted), "{seed:?}");
    }
    assert_eq!(claim(&honest(BEACON), &declared, subject), Some(word));
    // Under a beacon a time alone shows it.
    let bundle = honest(BEACON);
    let due = bundle.beacon_due.expect("a beacon");
    let open = |size, time| proven("open", 3, size, time);
    let rows = [
        (held(&[], &[]), no_proof()),
        (held(&[open(4, None)], &[]), by_log(subject)),
        (held(&[open(5, Some(due - 2))], &[("r", open(4, Some(due - 1)))]), by_quorum(subject, due - 2)),
    ];
    for (evidence, wanted) in rows {
        assert_eq!(claim(&bundle, &evidence, subject), Some(wanted));
    }
    assert_eq!(claim(&honest(NONE), &saved(SAVED_OPEN), subject), None);
}

/// Under a beacon the round alone fixes the opening, and nothing has to be proven of the end: what shows the opening then shows
/// its deck, which it names by hash. A deck that something shows by itself keeps its own witness.
#[test]
fn a_shown_opening_fixes_its_deck_and_takes_no_witness_from_a_deck_that_has_one() {
    let (deck, opening) = (ClaimSubject::DeckFixed, ClaimSubject::OpeningFixed);
    let bundle = honest(BEACON);
    let due = bundle.beacon_due.expect("a beacon");
    let open = |time| proven("open", 3, 4, Some(time));
    let evidence = held(&[open(due - 1)], &[]);
    assert_eq!(claim(&bundle, &evidence, opening), Some(by_quorum(opening, due - 1)));
    assert_eq!(claim(&bundle, &evidence, deck), Some(by_quorum(deck, due - 1)));
    assert_eq!(claims(&bundle, &evidence).headline(), Headline::Accepted);
    let kept = SavedEntries { compared: 1, deck: Some(SavedDeck::Entry), ..SavedEntries::default() };
    let own = HandEvidence { saved: kept, ..held(&[open(due - 1)], &[]) };
    assert_eq!(claim(&bundle, &own, deck), Some(as_saved(deck, true)));
    // An opening that is not shown fixes nothing.
    let late = held(&[open(due)], &[]);
    let not_proven = seen_late(deck, due).or(Otherwise::EndNotProven);
    assert_eq!(claim(&bundle, &late, deck), Some(not_proven));
    assert_eq!(claims(&bundle, &late).headline(), Headline::Consistent);
}

#[test]
fn nobody_chose_the_order_only_if_the_opening_is_fixed_and_the_seed_is_the_players_or_the_beacon_signed() {
    let subject = ClaimSubject::OrderNotChosen;
    let (fixed, open) = (saved(SAVED_OPEN), ASKED);
    let own_word = || Claim::claimed(subject, Party::Operator);
    let friends = || own_word().or(Otherwise::FriendsSeeds);
    let unless_voided = |claim: Claim| claim.or(Otherwise::OtherOpenings).or(Otherwise::VoidedHands);
    let rows = [
        (&fixed, Some(Party::Player), unless_voided(by_player(subject))),
        (&fixed, Some(Party::File), friends()),
        (&fixed, None, friends()),
        (&open, Some(Party::Player), friends()),
    ];
    for (evidence, seed, wanted) in rows {
        let mut bundle = honest(PLAYERS);
        bundle.stated.seed = seed;
        assert_eq!(claim(&bundle, evidence, subject), Some(wanted), "{seed:?}");
    }
    let signed = || unless_voided(Claim::shown(subject, Witness::Computation));
    let rows =
        [(&fixed, "checked", signed()), (&fixed, "not checked", own_word()), (&open, "checked", own_word())];
    for (evidence, signature, wanted) in rows {
        let mut bundle = honest(BEACON);
        bundle.findings.beacon_signature = signature;
        assert_eq!(claim(&bundle, evidence, subject), Some(wanted), "{signature}");
    }
    let wanted = Claim::not_looked_at(subject, ClaimGap::NoCut);
    assert_eq!(claim(&honest(NONE), &fixed, subject), Some(wanted));
}

#[test]
fn seed_and_cards_are_shown_by_the_player_alone_and_the_rest_by_what_the_file_opens() {
    use ClaimSubject::{BeaconSigned, DealOrder, Derivation, OwnSeed, Permutation, SeenCards};
    let shown = |subject| Claim::shown(subject, Witness::Computation);
    let not = |subject, why| Claim::not_looked_at(subject, why);
    let stating = |name: &str, party: Option<Party>| {
        let mut bundle = honest(name);
        (bundle.stated.seen, bundle.stated.seed) = (party, party);
        bundle
    };
    let unsigned = |subject| by_player(subject).or(Otherwise::UnsignedWord);
    let mistaken = by_player(SeenCards).or(Otherwise::PlayersMistake).or(Otherwise::UnsignedWord);
    let selective = "selective, nothing opened";
    let rows = [
        (honest(NONE), OwnSeed, None),
        (stating(PLAYERS, None), OwnSeed, Some(not(OwnSeed, ClaimGap::NothingGiven))),
        (stating(PLAYERS, Some(Party::File)), OwnSeed, Some(Claim::claimed(OwnSeed, Party::File))),
        (stating(PLAYERS, Some(Party::Player)), OwnSeed, Some(unsigned(OwnSeed))),
        (honest(VOID_PLAYERS), OwnSeed, Some(not(OwnSeed, ClaimGap::Voided))),
        (stating(NONE, None), SeenCards, Some(not(SeenCards, ClaimGap::NothingGiven))),
        (stating(NONE, Some(Party::File)), SeenCards, Some(Claim::claimed(SeenCards, Party::File))),
        (stating(NONE, Some(Party::Player)), SeenCards, Some(mistaken)),
        (honest(NONE), BeaconSigned, None),
        (honest(NONE), Permutation, Some(shown(Permutation))),
        (honest(selective), Permutation, Some(not(Permutation, ClaimGap::NeedsFullReveal))),
        (honest(NONE), Derivation, Some(shown(Derivation))),
        (honest(selective), Derivation, Some(not(Derivation, ClaimGap::NeedsFullReveal))),
        (honest(NONE), DealOrder, Some(shown(DealOrder).or(Otherwise::OtherFolds))),
        (honest(VOID_NONE), DealOrder, Some(not(DealOrder, ClaimGap::Voided))),
        (honest(UNDEALT), DealOrder, Some(Claim::claimed(DealOrder, Party::Operator))),
    ];
    for (bundle, subject, wanted) in rows {
        assert_eq!(claim(&bundle, &ASKED, subject), wanted, "{subject:?}");
    }
}

#[test]
fn the_end_is_fixed_by_its_first_witness_and_one_log_is_shown_by_the_last() {
    let (end, log) = (ClaimSubject::EndFixed, ClaimSubject::OneLog);
    let close = |time| proven("close", 9, 12, time);
    let forked = |claim: Claim| claim.or(Otherwise::ForkedLog);
    let in_log = || forked(Claim::shown(end, Witness::Log));
    let deck = proven("deck", 2, 5, Some(60));
    let rows = [
        (
            NONE,
            held(&[], &[]),
            Claim::claimed(end, Party::Operator),
            Claim::not_looked_at(log, ClaimGap::NoProof),
        ),
        (NONE, held(&[deck, close(None)], &[]), in_log(), forked(by_log(log))),
        (
            NONE,
            held(&[deck, close(Some(80))], &[("r", close(Some(70)))]),
            by_quorum(end, 70),
            by_quorum(log, 80),
        ),
        (VOID_NONE, held(&[proven("void", 9, 12, None)], &[]), in_log(), forked(by_log(log))),
    ];
    for (name, evidence, wanted_end, wanted_log) in rows {
        let bundle = honest(name);
        assert_eq!(claim(&bundle, &evidence, end), Some(wanted_end));
        assert_eq!(claim(&bundle, &evidence, log), Some(wanted_log));
    }
    // Quorums without a common witness may have seen two logs.
    let mut apart = honest(NONE);
    apart.may_quorums_differ = true;
    let wanted = forked(Claim::claimed(log, Party::Log).by(Witness::Quorum { time: 80 }));
    assert_eq!(claim(&apart, &held(&[deck, close(Some(80))], &[]), log), Some(wanted));
    let kept = saved(SavedEntries { compared: 1, is_end_saved: true, ..SavedEntries::default() });
    let wanted = Claim::shown(end, Witness::Saved { is_entry: true }).or(Otherwise::UnsignedWord);
    assert_eq!(claim(&honest(NONE), &kept, end), Some(wanted));
    // The end that is fixed fixes the folds by which the cards were dealt.
    let order = ClaimSubject::DealOrder;
    let wanted = Claim::shown(order, Witness::Computation);
    assert_eq!(claim(&honest(NONE), &kept, order), Some(wanted));
}

#[test]
fn a_legal_history_is_the_operators_word_and_the_play_of_a_void_hand_is_no_claim() {
    let subject = ClaimSubject::Play;
    let bound = |verdict| HistoryFinding::Bound {
        verdict,
        cards_compared: 0,
        cards_not_opened: 0,
        cards_filled: 0,
        readings_bound: Vec::new(),
        readings_stated: Vec::new(),
        chips_missing: false,
        open_points: Vec::new(),
    };
    let legal = Claim::claimed(subject, Party::Operator).by(Witness::Computation);
    let gap = |why| Some(Claim::not_looked_at(subject, why));
    let hashed = HistoryFinding::HashedOnly { why: String::new() };
    let rows = [
        (NONE, Some(bound("legal")), Some(legal)),
        (NONE, Some(bound("depends")), gap(ClaimGap::OpenPoint)),
        (NONE, Some(hashed), gap(ClaimGap::HashOnly)),
        (NONE, None, gap(ClaimGap::NotInFile)),
        ("close has a history line, the bundle has no history", None, gap(ClaimGap::NotInFile)),
        (VOID_NONE, None, None),
    ];
    for (name, history, wanted) in rows {
        let mut bundle = honest(name);
        bundle.findings.history = history;
        assert_eq!(claim(&bundle, &ASKED, subject), wanted, "{name}");
    }
}

/// PROTOCOL.md, section 12: over a deck that was seen long before, an opening can be made when its cards are known.
#[test]
fn rules_are_fixed_by_what_shows_the_opening_before_the_end_and_never_by_the_deck() {
    let (subject, bundle) = (ClaimSubject::RulesFixed, honest(NONE));
    let rules = |evidence: &HandEvidence| claim(&bundle, evidence, subject).expect("nothing cuts this hand");
    assert_eq!(claim(&honest(PLAYERS), &ASKED, subject), None);
    let (deck, end) = (proven("deck", 0, 1, Some(10)), proven("close", 3, 4, Some(50)));
    let late = held(&[deck, proven("open", 2, 4, Some(50)), end], &[]);
    let (head, shown) =
        (claims(&bundle, &late).headline(), claims(&bundle, &late).shows(ClaimSubject::DeckFixed));
    assert_eq!((head, shown), (Headline::Accepted, true));
    let late_tree = Claim::claimed(subject, Party::Log).by(Witness::Quorum { time: 50 });
    assert_eq!(rules(&late), late_tree.or(Otherwise::LateTree));
    assert_eq!(rules(&held(&[deck, proven("open", 1, 2, Some(20)), end], &[])), by_quorum(subject, 20));
    let receipt = Claim::shown(subject, Witness::Receipt { name: "r".to_owned() }).or(Otherwise::SavedLater);
    assert_eq!(rules(&held(&[deck, end], &[("r", proven("open", 1, 2, None))])), receipt);
    assert_eq!(rules(&held(&[deck, end], &[])), Claim::not_looked_at(subject, ClaimGap::NoProof));
    let by_text = Claim::shown(subject, Witness::Saved { is_entry: true });
    assert_eq!(rules(&saved(SAVED_OPEN)), by_text.or(Otherwise::SavedLater).or(Otherwise::UnsignedWord));
    let deck = SavedEntries { compared: 1, deck: Some(SavedDeck::Entry), ..SavedEntries::default() };
    assert_eq!(rules(&saved(deck)), Claim::not_looked_at(subject, ClaimGap::NoProof));
}

/// Codes of PROTOCOL.md, section 12, and three of our own.
#[test]
fn a_refusal_contradicts_what_its_code_is_about_and_is_the_players_word_where_he_made_it() {
    let rows = [
        ("E_COMMITTED", "deck entry", ClaimSubject::DeckFixed),
        ("E_COMMITTED", "open entry", ClaimSubject::OpeningFixed),
        ("E_COMMITTED", "cut entry", ClaimSubject::OpeningFixed),
        ("E_COMMITTED", "close or void entry", ClaimSubject::EndFixed),
        ("E_DIFFERENT", "open entry", ClaimSubject::OneOpening),
        ("E_SEEN", "seat 4", ClaimSubject::SeenCards),
        ("E_MY_SEED", "seat 4", ClaimSubject::OwnSeed),
        ("E_BEACON_SIG", "cut", ClaimSubject::BeaconSigned),
        ("E_DUPLICATE_CARD", "leaf 3", ClaimSubject::Permutation),
        ("E_DEAL_SKIP", "line 3", ClaimSubject::DealOrder),
        ("E_DEAL_ORDER", "line 3", ClaimSubject::DealOrder),
        ("E_UNDEALT_OPENED", "leaf 3", ClaimSubject::DealOrder),
        ("E_HISTORY", "line 3", ClaimSubject::Play),
        ("E_FORMAT", "open entry", ClaimSubject::Form),
    ];
    for (code, place, subject) in rows {
        let contradicted = || Claim::contradicted(subject, code, place);
        let of_file = contradicted().by(Witness::Computation);
        assert_eq!(refused(code, place, None).list(), [of_file], "{code}");
        let witness = Witness::Person { party: Party::Player };
        let of_player = contradicted().by(witness).or(Otherwise::PlayersMistake).or(Otherwise::UnsignedWord);
        assert_eq!(refused(code, place, Some(Party::Player)).list(), [of_player], "{code}");
        let state = ClaimState::Contradicted { code: code.to_owned(), place: place.to_owned() };
        assert_eq!(refused(code, place, None).of(subject).expect("its subject").state, state);
    }
}

#[test]
fn of_a_log_in_order_voids_and_unused_decks_are_the_operators_word_and_its_keys_need_a_trust_file() {
    let (choice, signature, log) =
        (ClaimSubject::DecksNotChosen, ClaimSubject::Signature, ClaimSubject::OneLog);
    let decks =
        |voided_opened, unused| TableDecks { closed: 9, voided_opened, unused, ..TableDecks::default() };
    let claims = |decks: TableDecks, is_trusted: bool, quorum_time: Option<u64>| {
        let limits = ScanLimits { voids: None, unused: Some(2) };
        let asked = ScanAsked { earlier: 0, is_trusted, is_live: false, limits };
        let checkpoint = Checkpoint { origin: "log".to_owned(), tree: TreeHead::empty() };
        let tables = [("T".to_owned(), decks)].into_iter().collect();
        let report = Report { tables, ..Report::default() };
        scan_claims(&asked, &Witnessed { checkpoint, quorum_time }, &report)
    };
    let word = || Claim::claimed(choice, Party::Operator);
    let not_shown = Claim::not_looked_at(choice, ClaimGap::NotByTheseData);
    for (decks, wanted) in [(decks(0, 0), not_shown), (decks(1, 0), word()), (decks(0, 1), word())] {
        assert_eq!(claims(decks, true, None).of(choice), Some(&wanted));
    }
    let above = claims(decks(0, 3), true, None).of(choice).expect("it is claimed").state.clone();
    assert!(matches!(above, ClaimState::Contradicted { place, .. } if place.starts_with("3 decks were")));
    let unknown = |subject| Claim::not_looked_at(subject, ClaimGap::NoTrustFile);
    let signed = || Claim::shown(signature, Witness::Log);
    let rows = [
        (false, Some(60), unknown(signature), unknown(log)),
        (true, Some(60), signed(), by_quorum(log, 60)),
        (true, None, signed(), by_log(log).or(Otherwise::ForkedLog)),
    ];
    for (is_trusted, time, wanted, shared) in rows {
        let claims = claims(decks(0, 0), is_trusted, time);
        assert_eq!((claims.of(signature), claims.of(log)), (Some(&wanted), Some(&shared)));
        let needed = [ClaimSubject::WholeLog, signature, log, choice].map(|subject| claims.needs(subject));
        assert_eq!(needed, [true, false, false, false]);
    }
}

/// Who stated a seed by a slip was not compared with the cut: whatever else is shown, the hand is not accepted.
#[test]
fn a_seed_that_was_stated_by_a_slip_leaves_the_hand_open() {
    let saved = SavedEntries { deck: Some(SavedDeck::Entry), ..SAVED_OPEN };
    let evidence = HandEvidence { saved, ..ASKED };
    for (name, slip) in
        [(NONE, SeedSlip::NoCut), (PLAYERS, SeedSlip::Commitment), (BEACON, SeedSlip::Miscopied(3))]
    {
        let mut bundle = honest(name);
        let opening = proven("open", 3, 4, bundle.beacon_due.map(|due| due - 1));
        let evidence = HandEvidence { proven: vec![opening], ..evidence.clone() };
        assert_eq!(claims(&bundle, &evidence).headline(), Headline::Accepted, "{name}");
        bundle.seed_slip = Some(slip);
        let slipped = claims(&bundle, &evidence);
        let wanted = Claim::not_looked_at(ClaimSubject::OwnSeed, ClaimGap::CouldNotBeDone);
        assert_eq!(slipped.of(ClaimSubject::OwnSeed), Some(&wanted));
        assert_eq!((slipped.headline(), slipped.exit()), (Headline::Partly, Exit::CouldNotSay), "{name}");
    }
}

#[test]
fn where_nothing_is_needed_nothing_is_accepted_and_json_tells_what_is_needed() {
    let shown = |subject| Claim::shown(subject, Witness::Computation);
    let list = vec![shown(ClaimSubject::Form), shown(ClaimSubject::Play)];
    assert_eq!(Claims::new(list.clone(), &[]).headline(), Headline::Consistent);
    let json = serde_json::to_value(Claims::new(list, &[ClaimSubject::Play])).expect("plain data");
    assert_eq!([&json[0]["needed"], &json[1]["needed"]], [false, true]);
}
