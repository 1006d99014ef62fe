//! What no record can do by what it claims or keeps back: no field of ours and no hidden card makes a hand legal
//! that is not.

use deckproof::stud::betting::action::Action;
use deckproof::stud::betting::refusal::HandRule;
use deckproof::stud::history::History;
use deckproof::stud::history::phh;
use deckproof::stud::judge::{RuledHand, Ruling, judge};
use deckproof::stud::rules::RuleSet;
use rand::rngs::ChaCha8Rng as Generator;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::common::game::so_far;
use crate::random_hands::{random_hand, spoil};
use crate::rulings;

/// Fields a record may carry, each with values it may claim.
const CLAIMS: [(&str, &[&str]); 10] = [
    ("_odd_chip_unit", &["1", "2", "5", "10", "20", "1000"]),
    ("_bring_in", &["5", "10", "20", "50", "100"]),
    ("_ruleset", &["\"stud-hi\"", "\"stud-8b\"", "\"espacejeux\""]),
    ("_burns", &["[]", "[\"??\"]", "[\"??\", \"??\"]"]),
    ("_dealer", &["1", "8"]),
    ("_pots", &["[]"]),
    ("_hand", &["1"]),
    ("_table", &["\"t1\""]),
    ("_bundle", &["\"00\""]),
    ("_mine", &["true"]),
];

/// A `_readings` of one to three claims.
fn readings(generator: &mut Generator) -> String {
    use deckproof::stud::readings::Reading;
    let mut claims: Vec<String> = Vec::new();
    for _ in 0..generator.random_range(1..4) {
        let reading = Reading::ALL.choose(generator).expect("readings");
        let value = reading.values().choose(generator).expect("values");
        if !claims.iter().any(|claim| claim.starts_with(reading.name())) {
            claims.push(format!("{} = \"{value}\"", reading.name()));
        }
    }
    format!("{{ {} }}", claims.join(", "))
}

/// One to three time-outs.
fn time_outs(generator: &mut Generator, history: &History) -> String {
    let mut entries = Vec::new();
    for _ in 0..generator.random_range(1..4) {
        let before = generator.random_range(1..=history.lines.len());
        let player = generator.random_range(1..=history.players_total());
        let more = ["", ", disconnected = true", ", seconds = 31.5"].choose(generator).expect("three");
        entries.push(format!("{{ before = {before}, player = {player}{more} }}"));
    }
    format!("[{}]", entries.join(", "))
}

/// A hand that was spoiled in its actions or in its final stacks.
fn spoiled(generator: &mut Generator, rules: &'static RuleSet) -> History {
    let mut history = random_hand(generator, rules);
    history.ruleset = None;
    if generator.random_range(0..3) == 0 {
        give_pots_to_others(generator, &mut history, rules);
    } else if generator.random_range(0..3) == 0 {
        for stack in history.finishing_stacks.iter_mut().flatten().flatten() {
            *stack = stack.saturating_add_signed(generator.random_range(-20..=20));
        }
    } else {
        history.finishing_stacks = history.finishing_stacks.filter(|_| generator.random_range(0..2) == 0);
        spoil(generator, &mut history);
    }
    history
}

/// Every pot that several players contest goes to one of them who did not win it.
fn give_pots_to_others(generator: &mut Generator, history: &mut History, rules: &'static RuleSet) {
    let pots = ruled(history, rules).run.pots;
    let Some(stacks) = &mut history.finishing_stacks else { return };
    for pot in pots {
        let shares: Vec<(usize, u64)> = pot.awards.iter().flat_map(|award| award.shares.clone()).collect();
        let has_lost = |player: &usize| shares.iter().all(|(winner, _)| winner != player);
        let losers: Vec<usize> = pot.pot.eligible.iter().copied().filter(has_lost).collect();
        let Some(&lucky) = losers.choose(generator) else { continue };
        for (winner, chips) in shares {
            stacks[winner] = stacks[winner].map(|stack| stack - chips);
            stacks[lucky] = stacks[lucky].map(|stack| stack + chips);
        }
    }
}

fn ruled(history: &History, rules: &'static RuleSet) -> RuledHand {
    judge(history, rules, &[]).expect("amounts that can be played for")
}

#[test]
fn no_field_of_a_record_makes_an_illegal_hand_legal() {
    let (mut tried, mut readable) = (0, 0);
    for rules in RuleSet::ALL {
        let mut generator = Generator::seed_from_u64(15);
        for _ in 0..35 {
            let history = spoiled(&mut generator, rules);
            if ruled(&history, rules).verdict != Ruling::Illegal {
                continue;
            }
            let text = phh::write(&history);
            tried += 1;
            for _ in 0..6 {
                let mut claimed = text.clone();
                let (name, values) = CLAIMS.choose(&mut generator).expect("claims");
                if !claimed.contains(&format!("{name} = ")) {
                    claimed += &format!("{name} = {}\n", values.choose(&mut generator).expect("values"));
                }
                claimed += &format!("_readings = {}\n", readings(&mut generator));
                if generator.random_range(0..2) == 0 {
                    claimed += &format!("_timeouts = {}\n", time_outs(&mut generator, &history));
                }
                // What is not read is not legal either.
                let Ok(claimed_hand) = phh::parse(&claimed) else { continue };
                readable += 1;
                let Ok(ruled) = judge(&claimed_hand, rules, &[]) else { continue };
                assert_ne!(so_far(&ruled), Ruling::Legal, "{}\n{claimed}", rules.name);
            }
        }
    }
    assert!(tried > 30 && readable > 100, "{tried} illegal hands, {readable} claims that are read");
}

/// The places of known cards: which action, which card of it.
fn known_cards(history: &History) -> Vec<(usize, usize)> {
    let cards = |line: usize| match &history.lines[line].action {
        Action::DealHole { cards, .. } | Action::DealBoard { cards } | Action::Show { cards, .. } => {
            &cards[..]
        }
        _ => &[],
    };
    let places =
        (0..history.lines.len()).flat_map(|line| (0..cards(line).len()).map(move |card| (line, card)));
    places.filter(|&(line, card)| cards(line)[card].is_some()).collect()
}

fn hide(history: &mut History, (line, card): (usize, usize)) {
    match &mut history.lines[line].action {
        Action::DealHole { cards, .. } | Action::DealBoard { cards } | Action::Show { cards, .. } => {
            cards[card] = None;
        }
        _ => unreachable!("a place of a card"),
    }
}

/// That one card is in two places, only a record that names both can show; a deck that was committed to shows
/// it anyway.
fn is_about_two_equal_cards(ruled: &RuledHand) -> bool {
    let rule = ruled.run.refused.as_ref().map(|(_, broken)| broken.rule);
    matches!(rule, Some(HandRule::RepeatedCard | HandRule::ShownOther | HandRule::Burns))
}

#[test]
fn hiding_cards_makes_no_hand_legal() {
    let (mut hidden, mut opened_up) = (0, 0);
    for rules in RuleSet::ALL {
        let mut generator = Generator::seed_from_u64(16);
        for _ in 0..45 {
            let history = spoiled(&mut generator, rules);
            let before = ruled(&history, rules);
            if so_far(&before) == Ruling::Legal || is_about_two_equal_cards(&before) {
                continue;
            }
            for _ in 0..4 {
                let mut less = history.clone();
                for _ in 0..generator.random_range(1..5) {
                    if let Some(&place) = known_cards(&less).choose(&mut generator) {
                        hide(&mut less, place);
                    }
                }
                let after = ruled(&less, rules);
                assert_ne!(so_far(&after), Ruling::Legal, "{}\n{}", rules.name, phh::write(&history));
                hidden += 1;
                opened_up += u32::from(after.verdict != before.verdict);
            }
        }
    }
    assert!(hidden > 200 && opened_up > 1, "{hidden} tried, {opened_up} now depend");
}

/// The hands made for the judge that are ruled so, with their rule sets.
fn made(ruling: &[&str]) -> Vec<(String, String, &'static RuleSet)> {
    let hands = rulings::hands().into_iter().filter(|(_, (_, found))| ruling.contains(&&found[..]));
    hands
        .map(|(name, (text, _))| {
            let history = phh::parse(&text).expect("a hand");
            let rules = history.ruleset.as_deref().and_then(RuleSet::named).expect("a rule set");
            (name, text, rules)
        })
        .collect()
}

/// Every single claim a record can make, on every illegal hand that was made for the judge.
#[test]
fn no_single_claim_makes_a_made_hand_legal() {
    use deckproof::stud::readings::Reading;
    let values = |reading: Reading| reading.values().iter().map(move |value| (reading.name(), *value));
    let read: Vec<String> = Reading::ALL
        .iter()
        .copied()
        .flat_map(values)
        .map(|(name, value)| format!("_readings = {{ {name} = \"{value}\" }}"))
        .collect();
    let fields =
        CLAIMS.iter().flat_map(|(name, values)| values.iter().map(move |value| format!("{name} = {value}")));
    let claims: Vec<String> = read.into_iter().chain(fields).collect();
    let mut tried = 0;
    for (name, text, rules) in made(&["illegal"]) {
        let history = phh::parse(&text).expect("a hand");
        let late = (1..=history.lines.len()).flat_map(|before| {
            let players = 1..=history.players_total();
            players.map(move |player| format!("_timeouts = [{{ before = {before}, player = {player} }}]"))
        });
        for claim in claims.iter().cloned().chain(late) {
            let (field, _) = claim.split_once(' ').expect("a field");
            let lines = text.lines().filter(|line| !line.starts_with(&format!("{field} = ")));
            let claimed = format!("{}\n{claim}\n", lines.collect::<Vec<_>>().join("\n"));
            // A field that was there may be what made the hand illegal: then it was taken out, not added.
            if text.contains(&format!("\n{field} = ")) {
                continue;
            }
            let Ok(history) = phh::parse(&claimed) else { continue };
            let Ok(ruled) = judge(&history, rules, &[]) else { continue };
            assert_ne!(so_far(&ruled), Ruling::Legal, "{name}: {claim}");
            tried += 1;
        }
    }
    assert!(tried > 2_000, "{tried} claims");
}

/// Every known card alone, on every hand that is not legal.
#[test]
fn no_hidden_card_makes_a_made_hand_legal() {
    let mut tried = 0;
    for (name, text, rules) in made(&["illegal", "depends"]) {
        let history = phh::parse(&text).expect("a hand");
        if is_about_two_equal_cards(&ruled(&history, rules)) {
            continue;
        }
        for place in known_cards(&history) {
            let mut less = history.clone();
            hide(&mut less, place);
            assert_ne!(so_far(&ruled(&less, rules)), Ruling::Legal, "{name}: {place:?}");
            tried += 1;
        }
    }
    assert!(tried > 300, "{tried} hands with hidden cards");
}
