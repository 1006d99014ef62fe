//! Random hands: what the engine offers it accepts, chips are conserved, and histories come back.

use deckproof::card::Card;
use deckproof::stud::betting::Game;
use deckproof::stud::betting::action::Action;
use deckproof::stud::betting::dealing::Served;
use deckproof::stud::betting::stakes::Stakes;
use deckproof::stud::history::line;
use deckproof::stud::history::phh;
use deckproof::stud::history::{History, RecordedAction};
use deckproof::stud::judge::{Ruling, judge};
use deckproof::stud::rules::RuleSet;
use rand::rngs::ChaCha8Rng as Generator;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

fn stakes(generator: &mut Generator, rules: &RuleSet) -> Stakes {
    let players = generator.random_range(2..=8);
    let small = [10, 20, 100][generator.random_range(0..3)];
    let by_text = Stakes::bring_in_of(&rules.play, small, 1).expect("an even small limit");
    let deepest = small * [4, 40][generator.random_range(0..2)];
    Stakes {
        antes: vec![small / 5 * generator.random_range(1..3); players],
        bring_in: by_text.unwrap_or(small / 5),
        small,
        big: 2 * small,
        stacks: (0..players).map(|_| Some(generator.random_range(1..=deepest))).collect(),
        antes_trimmed: true,
        odd_chip_unit: 1,
    }
}

/// Plays a hand to its end: cards from a shuffled deck, actions at random, fewer folds the tighter.
pub fn random_hand(generator: &mut Generator, rules: &'static RuleSet) -> History {
    let stakes = stakes(generator, rules);
    let mut game = Game::new(rules, rules.play.readings, stakes.clone()).expect("stakes");
    let mut deck: Vec<Card> = Card::all().collect();
    deck.shuffle(generator);
    let looseness = generator.random_range(0..8);
    let mut lines = Vec::new();
    let mut shown_all_in = false;
    while !game.is_over() {
        if game.is_all_in() && !std::mem::replace(&mut shown_all_in, true) {
            show_all(&mut game, &mut lines);
        }
        let action = match game.next_served() {
            Some(Served::Player { player, cards }) => Action::DealHole {
                player,
                cards: deck.split_off(deck.len() - cards).into_iter().map(Some).collect(),
            },
            Some(Served::Community) => Action::DealBoard { cards: vec![deck.pop()] },
            None => choose(generator, &game, looseness),
        };
        game.apply(&action).unwrap_or_else(|refusal| panic!("{action:?} was offered: {refusal}"));
        push(&mut lines, action);
    }
    // Whoever showed before seventh street has a down card more to show, unless one card served all.
    if !game.is_folded() && (game.community().is_none() || !shown_all_in) {
        show_all(&mut game, &mut lines);
    }
    let settled = game.settle().expect("all cards are known");
    let finals = game.players().iter().zip(&settled.winnings).map(|(player, won)| Some(player.stack + won));
    let finals: Vec<Option<u64>> = finals.collect();
    let before: u64 = stakes.stacks.iter().flatten().sum();
    assert_eq!(finals.iter().flatten().sum::<u64>(), before, "chips are conserved");
    History {
        variant: rules.play.phh_variant.to_owned(),
        stakes,
        odd_chip_unit_given: false,
        bring_in_given: true,
        winnings: None,
        decimals: 0,
        lines,
        finishing_stacks: Some(finals),
        ruleset: Some(rules.name.to_owned()),
        readings: Vec::new(),
        fields: toml::Table::new(),
    }
}

/// Everybody still in shows, first whom the rules let show first.
fn show_all(game: &mut Game, lines: &mut Vec<RecordedAction>) {
    let first = first_to_show(game);
    let players = 0..game.players().len();
    let others = players.filter(|&player| game.players()[player].is_live() && Some(player) != first);
    let order: Vec<usize> = first.into_iter().chain(others).collect();
    for player in order {
        let action = Action::Show { player, cards: game.players()[player].cards.clone() };
        game.apply(&action).unwrap_or_else(|refusal| panic!("{action:?}: {refusal}"));
        push(lines, action);
    }
}

/// The first live player whom the engine lets show first.
fn first_to_show(game: &Game) -> Option<usize> {
    (0..game.players().len()).find(|&player| {
        let show = Action::Show { player, cards: Vec::new() };
        game.clone().apply(&show).is_ok()
    })
}

fn choose(generator: &mut Generator, game: &Game, looseness: u32) -> Action {
    let mut options = game.options();
    let player = game.to_act().expect("somebody acts");
    let owes = game.players().iter().any(|other| other.bet > game.players()[player].bet);
    options.retain(|option| {
        // Nobody folds for nothing.
        !matches!(option, Action::Fold { .. }) || (owes && generator.random_range(0..8) >= looseness)
    });
    options.swap_remove(generator.random_range(0..options.len()))
}

fn push(lines: &mut Vec<RecordedAction>, action: Action) {
    let text = line::text(&action, 0).expect("an action with a notation");
    lines.push(RecordedAction { number: lines.len() + 1, text, action });
}

#[test]
fn random_hands_are_legal_and_come_back_from_their_histories() {
    let mut hands = Vec::new();
    for rules in RuleSet::ALL {
        let mut generator = Generator::seed_from_u64(11);
        for trial in 0..400 {
            let history = random_hand(&mut generator, rules);
            let text = phh::write(&history);
            let read = phh::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read, history, "{} hand {trial}\n{text}", rules.name);
            let judged = judge(&read, rules, &[]).expect("stakes");
            assert_ne!(judged.verdict, Ruling::Illegal, "{} hand {trial}\n{text}", rules.name);
            assert_eq!(Some(judged.run.stacks), read.finishing_stacks, "{} hand {trial}\n{text}", rules.name);
            hands.push(history);
        }
    }
    let together = phh::write_all(&hands);
    let read = phh::parse_file(&together).expect("tables of hands");
    let read: Vec<History> = read.into_iter().map(|(_, hand)| hand.expect("a hand")).collect();
    assert_eq!(read, hands, "a file of hands keeps their order");
    // For checks with other programs: DECKPROOF_HANDS names a file to write them to.
    if let Some(path) = std::env::var_os("DECKPROOF_HANDS") {
        std::fs::write(path, together).expect("a file that can be written");
    }
}

/// A hand's actions with one of them moved, doubled, dropped or taken from another place.
pub fn spoil(generator: &mut Generator, history: &mut History) {
    let last = history.lines.len() - 1;
    let (a, b) = (generator.random_range(0..=last), generator.random_range(0..=last));
    match generator.random_range(0..5) {
        0 => history.lines.swap(a, b),
        1 => history.lines.insert(a, history.lines[b].clone()),
        2 => drop(history.lines.remove(a)),
        3 => history.lines[a] = history.lines[b].clone(),
        _ => history.lines.truncate(a),
    }
    if history.lines.is_empty() {
        push(&mut history.lines, Action::Nothing);
    }
}

#[test]
fn spoiled_hands_are_judged_without_a_panic_and_make_no_chips() {
    let mut verdicts = [0u32; 3];
    for rules in RuleSet::ALL {
        let mut generator = Generator::seed_from_u64(12);
        for _ in 0..300 {
            let mut history = random_hand(&mut generator, rules);
            history.finishing_stacks = None;
            for _ in 0..generator.random_range(1..4) {
                spoil(&mut generator, &mut history);
            }
            let judged = judge(&history, rules, &[]).expect("stakes");
            verdicts[judged.verdict as usize] += 1;
            let run = &judged.run;
            let chips: u64 = run.stacks.iter().flatten().sum();
            let in_play = if run.pots.is_empty() { run.game.pot_total() } else { 0 };
            let before: u64 = history.stakes.stacks.iter().flatten().sum();
            assert_eq!(chips + in_play, before, "{}", phh::write(&history));
        }
    }
    assert!(verdicts.iter().all(|&count| count > 0), "all verdicts occur: {verdicts:?}");
}
