//! The protocol against the vectors of an independent program: keystream, shuffle, keys, hands, transcripts.

use deckproof::card::DECK_CARDS;
use deckproof::commitment::cut::{Cut, Randomness, cut_seed, reshuffle_seed, seed_commitment};
use deckproof::commitment::digest::{Digest, leaf_hash};
use deckproof::commitment::{Salt, SecretDeck, leaf};
use deckproof::key::{AuditKey, DayKey, HandContext, HandKey};
use deckproof::keystream::Keystream;
use deckproof::log::entry::{CutEntry, Entry, OpenEntry};
use deckproof::shuffle::{shuffle, shuffle_deck};
use deckproof::stud::deal::{DealtCard, Face, Street, deal};
use deckproof::stud::rules::RuleSet;
use deckproof::stud::seat::{Seat, Seats};
use deckproof::stud::transcript::{self, TranscriptError};
use serde_json::Value;

use crate::common::vectors::{VECTORS, cases, digest, text};

fn bytes32(value: &Value) -> [u8; 32] {
    *digest(value).bytes()
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().expect("a list").iter().map(|n| n.as_u64().expect("a number") as usize).collect()
}

#[test]
fn keystream_gives_the_published_words_and_bytes() {
    for case in cases(&VECTORS["tape"], 6) {
        let (key, lane) = (bytes32(&case["key"]), case["lane"].as_u64().expect("a lane") as u32);
        let mut words = Keystream::new(&key, lane);
        let found: Vec<usize> = (0..20).map(|_| words.word() as usize).collect();
        assert_eq!(found, numbers(&case["words"]), "{key:?} {lane}");
        let mut bytes = [0; 80];
        Keystream::new(&key, lane).fill(&mut bytes);
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, text(&case["bytes"]), "{key:?} {lane}");
    }
}

/// The generator of the crate everybody uses, which is not the one behind our keystream.
#[test]
fn keystream_is_that_of_rand_chacha() {
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    for (key, lane) in
        [([0; 32], 0), ([0; 32], 1), ([0xa5; 32], 0), ([7; 32], 0x8000_0001), ([255; 32], u32::MAX)]
    {
        let mut theirs = ChaCha20Rng::from_seed(key);
        theirs.set_stream(u64::from(lane));
        let mut ours = Keystream::new(&key, lane);
        for word in 0..2_000 {
            assert_eq!(ours.word(), theirs.next_u32(), "word {word} of lane {lane}");
        }
    }
}

#[test]
fn shuffle_gives_the_published_decks_with_their_rejections() {
    let mut rejected: Vec<u64> = Vec::new();
    for case in cases(&VECTORS["shuffle"], 7) {
        assert_eq!(shuffle_deck(&bytes32(&case["seed"])).to_string(), text(&case["deck"]), "{case}");
        rejected.push(case["rejected"].as_u64().expect("a number"));
    }
    assert!(rejected.contains(&1) && rejected.contains(&2), "the vectors hold decks that reject");
}

#[test]
fn shuffle_of_m_gives_the_published_orders() {
    for case in cases(&VECTORS["shuffle_m"], 21) {
        let m = case["m"].as_u64().expect("a number") as usize;
        assert_eq!(shuffle(m, &bytes32(&case["seed"])), numbers(&case["order"]), "{case}");
    }
}

/// Walks one chain of the `kdf` section.
fn check_chain(chain: &Value) {
    let (origin, table) = (text(&chain["origin"]), text(&chain["table"]));
    let first_hand = chain["first_hand"].as_u64().expect("a number");
    let mut key = DayKey::from_bytes(bytes32(&chain["day_key"])).chain(origin, table, first_hand);
    assert_eq!(*key.disclose(), text(&chain["chain_0"]), "CK_first of {table}");
    for step in cases(&chain["steps"], 1) {
        let hand = step["hand"].as_u64().expect("a number");
        let context = HandContext::new(origin, table, hand, text(&step["mix"]));
        assert_eq!(*context.bytes(), bytes32(&step["ctx"]), "ctx of hand {hand}");
        let hand_key = key.hand_key(&context);
        assert_eq!(*hand_key.disclose(), text(&step["hand_key"]), "HK of hand {hand}");
        assert_eq!(SecretDeck::new(&hand_key, &context).deck().to_string(), text(&step["deck"]));
        key = key.next();
        assert_eq!(*key.disclose(), text(&step["chain_next"]), "CK after hand {hand}");
    }
}

#[test]
fn key_chains_are_the_published_ones() {
    check_chain(&VECTORS["kdf"]);
    cases(&VECTORS["kdf"]["more"], 1).iter().for_each(check_chain);
}

#[test]
fn day_key_from_two_sources_is_the_published_one() {
    let case = &VECTORS["kdf"]["two_sources"];
    let key = DayKey::from_two_sources(&bytes32(&case["os32"]), &bytes32(&case["other32"]));
    assert_eq!(*key.disclose(), text(&case["day_key"]));
}

#[test]
fn audit_path_reaches_the_published_hands() {
    let case = &VECTORS["kdf"]["audit"];
    let key = AuditKey::from_bytes(bytes32(&case["audit_key"]));
    for hand in cases(&case["hands"], 3) {
        let hand_key = key.hand_key(text(&hand["i"]).parse().expect("an index"));
        assert_eq!(*hand_key.disclose(), text(&hand["hand_key"]), "{hand}");
        assert_eq!(shuffle_deck(&bytes32(&hand["hand_key"])).to_string(), text(&hand["deck"]), "{hand}");
    }
}

/// The context of a case of the `hands` section.
fn context_of(hand: &Value) -> HandContext {
    let number = hand["hand"].as_u64().expect("a number");
    HandContext::new("stud.example/log1", text(&hand["table"]), number, text(&hand["mix"]))
}

#[test]
fn hands_commit_to_the_published_roots() {
    for hand in cases(&VECTORS["hands"], 11) {
        let context = context_of(hand);
        assert_eq!(*context.bytes(), bytes32(&hand["ctx"]));
        let secret = SecretDeck::new(&HandKey::from_bytes(bytes32(&hand["hand_key"])), &context);
        assert_eq!(secret.deck().to_string(), text(&hand["secret_deck"]));
        for place in [0, 51] {
            assert_eq!(*secret.salt(place).disclose(), text(&hand[format!("salt_{place}")]));
            assert_eq!(secret.leaf(place), digest(&hand[format!("leaf_{place}")]));
            let salt = Salt::from_bytes(bytes32(&hand[format!("salt_{place}")]));
            assert_eq!(leaf(&context, place, secret.card(place), &salt), secret.leaf(place));
        }
        assert_eq!(secret.root(), digest(&hand["deck_root"]));
    }
}

/// The public randomness of a hand, read from its entries.
fn randomness(open: &OpenEntry, cut: &CutEntry) -> Randomness {
    let mut randomness = Randomness { seeds: [Digest::ZERO; 8], beacon: Digest::ZERO };
    for (seat, seed) in open.seeds.iter().chain(&cut.seeds) {
        randomness.seeds[usize::from(seat.number()) - 1] = *seed;
    }
    if let Some(beacon) = &cut.beacon {
        randomness.beacon = beacon.randomness;
    }
    randomness
}

#[test]
fn entries_print_as_they_were_read_and_hash_to_the_published_references() {
    for hand in cases(&VECTORS["hands"], 11) {
        let entries = hand["entries"].as_object().expect("entries");
        for (kind, entry) in entries {
            let parsed = Entry::parse(text(entry)).unwrap_or_else(|error| panic!("{kind}: {error}"));
            assert_eq!(parsed.to_string(), text(entry));
        }
        assert_eq!(leaf_hash(text(&entries["deck"])), digest(&hand["deck_hash"]));
        assert_eq!(leaf_hash(text(&entries["open"])), digest(&hand["open_hash"]));
    }
}

#[test]
fn cuts_give_the_published_order_in_play() {
    let mut cuts = 0;
    for hand in cases(&VECTORS["hands"], 11) {
        let (deck_hash, open_hash) = (digest(&hand["deck_hash"]), digest(&hand["open_hash"]));
        let Ok(Entry::Open(open)) = Entry::parse(text(&hand["entries"]["open"])) else { panic!("{hand}") };
        let cut = match hand["entries"].get("cut") {
            None => Cut::identity(),
            Some(cut) => {
                let Ok(Entry::Cut(cut)) = Entry::parse(text(cut)) else { panic!("{hand}") };
                let seed = cut_seed(&deck_hash, &open_hash, &randomness(&open, &cut));
                assert_eq!(seed, digest(&hand["cut_seed"]));
                cuts += 1;
                let context = context_of(hand);
                for (seat, commit) in &open.commits {
                    let seed = cut.seeds.iter().find(|seed| seed.0 == *seat).expect("a seed");
                    assert_eq!(seed_commitment(&context, seat.number(), &seed.1), *commit);
                }
                Cut::from_seed(&seed)
            }
        };
        let places: Vec<usize> = (0..DECK_CARDS).map(|i| cut.secret_place(i)).collect();
        assert_eq!(places, numbers(&hand["perm"]));
        let context = context_of(hand);
        let secret = SecretDeck::new(&HandKey::from_bytes(bytes32(&hand["hand_key"])), &context);
        let dealt: String = places.iter().map(|&place| secret.card(place).to_string()).collect();
        assert_eq!(dealt, text(&hand["dealt_deck"]));
    }
    assert!(cuts >= 4, "{cuts} hands with a cut");
}

/// A hand of the `hands` or `transcripts` section as the deal needs it.
struct Dealing {
    rules: &'static RuleSet,
    seats: Seats,
    reshuffle_seed: Digest,
}

fn dealing(case: &Value) -> Dealing {
    let seats = numbers(&case["seats"]).iter().map(|&n| Seat::new(n as u8).expect("a seat")).collect();
    Dealing {
        rules: RuleSet::named(text(&case["rules"])).expect("a rule set"),
        seats: Seats::new(seats).expect("seats"),
        reshuffle_seed: reshuffle_seed(
            &digest(&case["deck_hash"]),
            &digest(&case["open_hash"]),
            &digest(&case["cut_seed"]),
        ),
    }
}

/// Who was served on each street, as far as the transcript tells: a community card serves sixth street's seats.
fn streets(seats: &Seats, lines: &[DealtCard]) -> Vec<Vec<Seat>> {
    let mut streets: Vec<Vec<Seat>> = Vec::new();
    for street in Street::ALL {
        let of_street = || lines.iter().filter(move |line| line.street == street);
        if of_street().next().is_none() {
            break;
        }
        let served: Vec<Seat> = of_street().filter_map(|line| line.seat).collect();
        let live = match street {
            Street::Third => seats.in_order().to_vec(),
            _ if of_street().any(|line| line.face == Face::Community) => {
                streets.last().expect("seventh is not first").clone()
            }
            _ => served,
        };
        streets.push(live);
    }
    streets
}

fn check_legal(case: &Value) {
    let Dealing { rules, seats, reshuffle_seed } = dealing(case);
    let published = text(&case["transcript"]);
    let lines = transcript::parse(published).unwrap_or_else(|error| panic!("{error}: {case}"));
    let served = streets(&seats, &lines);
    let dealt =
        deal(rules, &seats, reshuffle_seed.bytes(), &served).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(transcript::print(&dealt), published, "{case}");
    let verdict = transcript::check(rules, &seats, reshuffle_seed.bytes(), &lines);
    assert_eq!(verdict, Ok(()), "{case}");
}

#[test]
fn legal_transcripts_are_regenerated_and_accepted() {
    cases(&VECTORS["transcripts"]["legal"], 169).iter().for_each(check_legal);
    cases(&VECTORS["hands"], 11).iter().for_each(check_legal);
}

fn code(error: &TranscriptError) -> &'static str {
    match error {
        TranscriptError::Grammar { .. } => "E_TRANSCRIPT",
        TranscriptError::Skip { .. } => "E_DEAL_SKIP",
        _ => "E_DEAL_ORDER",
    }
}

#[test]
fn illegal_transcripts_are_refused_with_a_listed_code() {
    for case in cases(&VECTORS["transcripts"]["illegal"], 47) {
        let Dealing { rules, seats, reshuffle_seed } = dealing(case);
        let verdict = transcript::parse(text(&case["transcript"]))
            .and_then(|lines| transcript::check(rules, &seats, reshuffle_seed.bytes(), &lines));
        let error = verdict.err().unwrap_or_else(|| panic!("accepted: {}", case["name"]));
        let listed = case["expect"].as_array().expect("a list").iter().any(|one| one == code(&error));
        assert!(listed, "{}: {error} is {}, wanted {}", case["name"], code(&error), case["expect"]);
    }
}
