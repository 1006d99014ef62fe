//! A table deals what an independent program dealt from the same day key, byte for byte.

use deckproof::commitment::SecretDeck;
use deckproof::commitment::digest::parse_hex;
use deckproof::deck::Deck;
use deckproof::key::{DayKey, HandContext, HandKey};
use deckproof::log::entry::{Entry, Mix};
use deckproof::stud::deal::{Face, Street};
use deckproof::stud::readings::Reading;
use deckproof::stud::rules::RuleSet;
use deckproof::stud::seat::{Seat, Seats};
use deckproof::stud::transcript;
use deckproof::table::mix::{Announcement, Revealed};
use deckproof::table::{CommittedHand, DealtHand, Table, TableName, deal_hand};
use deckproof::verify::findings::{Findings, Shown};
use deckproof::verify::{Statements, verify_bundle};
use serde_json::Value;

use crate::common::vectors::{VECTORS, text};

/// The committed deck of a published hand, reached from the published day key.
fn commit(hand: &Value) -> CommittedHand {
    let kdf = &VECTORS["kdf"];
    let mut chains = kdf["more"].as_array().expect("a list").iter().chain([kdf]);
    let chain = chains.find(|chain| chain["table"] == hand["table"]).expect("its chain is published");
    let name = TableName::new(text(&chain["origin"]), text(&chain["table"])).expect("names");
    let day_key = DayKey::from_bytes(parse_hex(text(&chain["day_key"])).expect("hex"));
    let mut table =
        Table::begin(name, day_key, chain["first_hand"].as_u64().expect("a number")).expect("a table");
    loop {
        let is_this = Some(table.next_hand()) == hand["hand"].as_u64();
        let mix = Mix::named(text(&hand["mix"])).expect("a mix");
        let (committed, next) = table.commit_for(mix);
        if is_this {
            return committed;
        }
        table = next;
    }
}

/// Who was served on each street; a community card serves sixth street's seats.
fn streets(seats: &Seats, published: &str) -> Vec<Vec<Seat>> {
    let lines = transcript::parse(published).expect("a transcript");
    let mut streets = vec![seats.in_order().to_vec()];
    for street in &Street::ALL[1..] {
        let of_street: Vec<_> = lines.iter().filter(|line| line.street == *street).collect();
        if of_street.iter().any(|line| line.face == Face::Community) {
            streets.push(streets.last().expect("third street").clone());
        } else if !of_street.is_empty() {
            streets.push(of_street.iter().filter_map(|line| line.seat).collect());
        }
    }
    streets
}

fn deal(hand: &Value) -> DealtHand {
    let rules = RuleSet::named(text(&hand["rules"])).expect("a rule set");
    let numbers: Vec<String> =
        hand["seats"].as_array().expect("a list").iter().map(Value::to_string).collect();
    let seats = Seats::parse(&numbers.join(",")).expect("seats");
    let streets = streets(&seats, text(&hand["transcript"]));
    let announced = commit(hand).announce(rules, &readings(hand), &seats, &announcement(hand));
    let mut open = announced.cut(&revealed(hand));
    for live in &streets {
        open.deal_street(live).expect("the published hand is legal");
    }
    open.close(hand["history"].as_str().map(str::to_owned))
}

/// What the published open entry binds.
fn readings(hand: &Value) -> Vec<(Reading, String)> {
    let Ok(Entry::Open(open)) = Entry::parse(text(&hand["entries"]["open"])) else { panic!("an open entry") };
    let reading = |name: &str| Reading::named(name).expect("a reading");
    open.readings.iter().map(|(name, value)| (reading(name), value.clone())).collect()
}

/// What the published open entry announces.
fn announcement(hand: &Value) -> Announcement {
    let Ok(Entry::Open(open)) = Entry::parse(text(&hand["entries"]["open"])) else { panic!("an open entry") };
    match (text(&hand["mix"]), open.beacon) {
        ("players", None) => Announcement::Players(open.commits),
        ("beacon", Some(beacon)) => Announcement::Beacon { round: beacon.round, seeds: open.seeds },
        _ => Announcement::None,
    }
}

/// What the published cut entry reveals.
fn revealed(hand: &Value) -> Revealed {
    match hand["entries"]["cut"].as_str().map(Entry::parse) {
        Some(Ok(Entry::Cut(cut))) => Revealed { seeds: cut.seeds, beacon: cut.beacon },
        _ => Revealed::default(),
    }
}

/// The published hands that were closed, of every mix.
fn hands() -> Vec<&'static Value> {
    let hands = VECTORS["hands"].as_array().expect("a list").iter();
    let hands: Vec<&Value> = hands.filter(|hand| hand["entries"]["close"].is_string()).collect();
    for mix in ["none", "players", "beacon"] {
        assert!(hands.iter().any(|hand| hand["mix"] == mix), "no hand of mix {mix}");
    }
    hands
}

#[test]
fn entries_and_transcripts_are_those_of_the_independent_program() {
    for hand in hands() {
        let dealt = deal(hand);
        assert_eq!(dealt.deck_entry(), text(&hand["entries"]["deck"]));
        assert_eq!(dealt.open_entry(), text(&hand["entries"]["open"]));
        assert_eq!(dealt.cut_entry(), hand["entries"]["cut"].as_str());
        assert_eq!(dealt.transcript(), text(&hand["transcript"]));
        assert_eq!(dealt.close_entry(), text(&hand["entries"]["close"]));
    }
}

/// The published bundle without what only a player or a log adds.
fn as_an_operator_writes_it(bundle: &Value) -> Value {
    let mut bundle = bundle.clone();
    for key in ["seen", "my_seed", "proofs"] {
        bundle.as_object_mut().expect("an object").shift_remove(key);
    }
    bundle
}

/// The seats whose down cards a published bundle opens.
fn shown_down(published: &Value, hand: &Value) -> Vec<Seat> {
    let lines = transcript::parse(text(&published["transcript"])).expect("a transcript");
    // perm[i] is the secret place of dealt position i.
    let place = |position: u8| hand["perm"][usize::from(position)].as_u64().expect("a place") as usize;
    let is_opened = |position: u8| published["leaves"][place(position)].get("card").is_some();
    let down = lines.iter().filter(|line| line.face == Face::Down && is_opened(line.position));
    down.filter_map(|line| line.seat).collect()
}

#[test]
fn bundles_are_those_of_the_independent_program() {
    let (mut full, mut selective) = (0, 0);
    for case in VECTORS["positive"].as_array().expect("a list") {
        let hand = hands().into_iter().find(|hand| {
            case["bundle"]["deck_entry"] == hand["entries"]["deck"]
                && case["bundle"]["close_entry"] == hand["entries"]["close"]
        });
        let Some(hand) = hand else { continue };
        let published = as_an_operator_writes_it(&case["bundle"]);
        let dealt = deal(hand);
        let bundle = match text(&case["name"]).strip_prefix("selective, seat ") {
            None if published.get("hand_key").is_none() => continue,
            None => {
                full += 1;
                dealt.full_bundle()
            }
            Some(rest) => {
                selective += 1;
                let seat = Seat::parse(&rest[..1]).expect("a seat");
                dealt.seat_bundle(seat, &shown_down(&published, hand))
            }
        };
        let mut found: Value = serde_json::from_str(&bundle).expect("JSON");
        if published.get("history").is_none() {
            // A bundle may leave the history out; this table hands it along.
            found.as_object_mut().expect("an object").shift_remove("history");
        }
        for (key, value) in published.as_object().expect("an object") {
            assert_eq!(found[key], *value, "{}", case["name"]);
        }
        assert_eq!(found.as_object().map(|o| o.len()), published.as_object().map(|o| o.len()));
    }
    assert!(full >= 2 && selective >= 2, "{full} full, {selective} selective bundles compared");
}

/// Deals a hand in which every seat stays to the river and verifies all its bundles.
fn check_to_the_river(rules: &'static RuleSet, seats: &str) {
    let name = TableName::new("stud.example/log1", "T-1").expect("names");
    let table = Table::begin(name, DayKey::from_bytes([9; 32]), 1).expect("a table");
    let seats = Seats::parse(seats).expect("seats");
    let streets = vec![seats.in_order().to_vec(); 5];
    let hand = deal_hand(table.commit().0, rules, &seats, &streets).expect("it is legal");
    let own = Statements::default();
    let full = verify_bundle(hand.full_bundle().as_bytes(), None, &own).expect("it is honest");
    assert_eq!((full.findings.permutation, full.findings.derivation), (Shown::Proven, Shown::Proven));
    for &seat in seats.in_order() {
        let accepted =
            verify_bundle(hand.seat_bundle(seat, &[]).as_bytes(), None, &own).expect("it is honest");
        let lines = transcript::parse(hand.transcript()).expect("a transcript");
        let shown = lines.iter().filter(|line| line.face != Face::Burn);
        let mut shown: Vec<u8> = shown
            .filter(|line| line.face != Face::Down || line.seat == Some(seat))
            .map(|line| line.position)
            .collect();
        shown.sort_unstable();
        let opened: Vec<u8> = accepted.opened.keys().copied().collect();
        assert_eq!(opened, shown, "{} {seat}", rules.name);
        assert!(accepted.opened.iter().all(|(position, card)| full.opened[position] == *card));
    }
}

#[test]
fn every_seat_is_shown_its_own_cards_and_the_open_ones_only() {
    for rules in RuleSet::ALL {
        for seats in ["1,2", "4,5,7,8,1,2", "2,3,4,5,6,7,8", "8,1,2,3,4,5,6,7"] {
            check_to_the_river(rules, seats);
        }
    }
}

/// A hand under mix none with the deck of another generator, whose salts come from a hand key all the same.
fn committed_elsewhere(deck: &Deck) -> CommittedHand {
    let name = TableName::new("stud.example/log1", "T-1").expect("names");
    CommittedHand::of(&name, 1, Mix::None, HandKey::from_bytes([6; 32]), Some(deck))
}

#[test]
fn a_deck_made_elsewhere_is_opened_by_its_leaves_and_nothing_else_is_different() {
    let own = Statements::default();
    let key = HandKey::from_bytes([6; 32]);
    let name = TableName::new("stud.example/log1", "T-1").expect("names");
    for rules in RuleSet::ALL {
        let seats = Seats::parse("2,3,5").expect("seats");
        let streets = vec![seats.in_order().to_vec(); 3];
        // The same deck, known to be that of the key and not known to be.
        let context = HandContext::new("stud.example/log1", "T-1", 1, "none");
        let deck = SecretDeck::new(&key, &context).deck();
        let elsewhere = deal_hand(committed_elsewhere(&deck), rules, &seats, &streets).expect("legal");
        let derived = CommittedHand::of(&name, 1, Mix::None, HandKey::from_bytes([6; 32]), None);
        let derived = deal_hand(derived, rules, &seats, &streets).expect("legal");
        let verified = |text: &str| verify_bundle(text.as_bytes(), None, &own).expect("it is honest");
        let (full, with_key) = (verified(&elsewhere.full_bundle()), verified(&derived.full_bundle()));
        assert!(!elsewhere.full_bundle().contains(&*key.disclose()));
        assert_eq!((full.findings.permutation, full.findings.derivation), (Shown::Proven, Shown::NotShown));
        assert_eq!(Findings { derivation: Shown::Proven, ..full.findings.clone() }, with_key.findings);
        assert_eq!((full.opened.len(), &full.opened), (52, &with_key.opened));
        for &seat in seats.in_order() {
            assert_eq!(*elsewhere.seat_bundle(seat, &[]), *derived.seat_bundle(seat, &[]));
        }
        let voided = committed_elsewhere(&Deck::in_order()).open(rules, &seats).void("misdeal");
        let voided = verified(&voided.full_bundle().expect("it was opened"));
        assert_eq!(voided.findings.derivation, Shown::NotShown);
        assert_eq!(
            voided.opened.values().copied().collect::<Vec<_>>(),
            Deck::in_order().cards().collect::<Vec<_>>()
        );
    }
}

/// Alters every byte of a bundle in turn, in two ways; nothing may pass, and nothing may panic.
fn check_every_byte_counts(bundle: &str) {
    let own = Statements::default();
    assert!(verify_bundle(bundle.as_bytes(), None, &own).is_ok());
    for place in 0..bundle.trim_end().len() {
        for change in [0x01, 0x20] {
            let mut bytes = bundle.as_bytes().to_vec();
            bytes[place] ^= change;
            let verdict = verify_bundle(&bytes, None, &own);
            assert!(verdict.is_err(), "byte {place} xor {change:#x} passes: {:?}", bytes[place] as char);
        }
    }
}

#[test]
fn no_byte_of_a_bundle_can_be_altered() {
    let name = TableName::new("stud.example/log1", "T-1").expect("names");
    let table = Table::begin(name, DayKey::from_bytes([5; 32]), 1).expect("a table");
    let seats = Seats::parse("2,3,5").expect("seats");
    let rules = RuleSet::named("espacejeux").expect("a rule set");
    let streets = [3, 3, 2].map(|count| seats.in_order()[..count].to_vec());
    let hand = deal_hand(table.commit().0, rules, &seats, &streets).expect("legal");
    check_every_byte_counts(&hand.full_bundle());
    check_every_byte_counts(&hand.seat_bundle(seats.in_order()[1], &[]));
    let elsewhere = committed_elsewhere(&Deck::in_order());
    let hand = deal_hand(elsewhere, rules, &seats, &streets).expect("legal");
    check_every_byte_counts(&hand.full_bundle());
}
