//! A hand in words, street by street, as a person would read it.

use std::fmt::Write;

use deckproof_deck::text::visible;
use deckproof_stud::stud::betting::action::{Action, MaybeCard};
use deckproof_stud::stud::betting::{Game, cards_text};
use deckproof_stud::stud::board::Board;
use deckproof_stud::stud::card_set::CardSet;
use deckproof_stud::stud::deal::Street;
use deckproof_stud::stud::history::History;
use deckproof_stud::stud::judge::RuledHand;
use deckproof_stud::stud::low::Low8;
use deckproof_stud::stud::play::Contest;
use deckproof_stud::stud::rank::High;

/// Tells the hand under the readings the judgement shows, up to its end or the refused action.
pub fn tell(history: &History, judgement: &RuledHand) -> String {
    let shown = &judgement.run.game;
    let mut text = String::new();
    opening(&mut text, history, judgement);
    let Ok(mut game) = Game::new(shown.rules(), *shown.readings(), shown.stakes().clone()) else {
        return text;
    };
    let mut last_street = 0;
    for line in &history.lines {
        let before = game.clone();
        if game.apply(&line.action).is_err() {
            break;
        }
        if !before.is_dealing() || matches!(line.action, Action::Show { .. } | Action::Muck { .. }) {
            action(&mut text, history, &before, &game, &line.action);
        }
        let street = before.street().number();
        let dealt = before.is_dealing() && (game.street() != before.street() || !game.is_dealing());
        if dealt && street != last_street {
            last_street = street;
            boards(&mut text, history, &game, street);
        }
    }
    text
}

/// Chips that were there before the hand and are not after it.
fn missing(history: &History, judgement: &RuledHand) -> String {
    match judgement.chips_missing {
        0 => String::new(),
        chips => {
            format!("Chips are missing: {} fewer after the hand than before it. ", history.amount_text(chips))
        }
    }
}

/// Line 1: the game and its amounts, and before anything is read chips that are missing.
fn opening(text: &mut String, history: &History, judgement: &RuledHand) {
    let game = &judgement.run.game;
    let stakes = game.stakes();
    let amount = |amount| history.amount_text(amount);
    let _ = writeln!(
        text,
        "{}{} players, {} by {}{}: limits {} and {}, bring-in {}.",
        missing(history, judgement),
        game.players().len(),
        visible(&history.variant),
        game.rules().name,
        if judgement.houses.is_empty() { "" } else { ", for the record names no house" },
        amount(stakes.small),
        amount(stakes.big),
        amount(stakes.bring_in)
    );
    for (place, stack) in stakes.stacks.iter().enumerate() {
        let stack = stack.map_or("unknown chips".to_owned(), |stack| format!("{} chips", amount(stack)));
        let _ = writeln!(
            text,
            "  {:<4} {stack}, ante {}",
            history.player_name(place),
            amount(history.ante(place))
        );
    }
}

const STREETS: [&str; 5] =
    ["Third street", "Fourth street", "Fifth street", "Sixth street", "Seventh street"];

/// `Ah 7c ??`, as people write cards.
fn spaced(cards: &[MaybeCard]) -> String {
    cards.iter().map(|card| cards_text(&[*card])).collect::<Vec<_>>().join(" ")
}

/// The street's heading: the pot, every live player's cards with the down cards in brackets, and
/// who acts.
fn boards(text: &mut String, history: &History, game: &Game, street: u8) {
    let name = STREETS[usize::from(street - 3).min(4)];
    let _ = writeln!(text, "\n{name}, pot {}.", history.amount_text(game.pot_total()));
    if let Some(card) = game.community() {
        let _ = writeln!(text, "  community card {}", cards_text(&[card]));
    }
    let live = game.players().iter().enumerate().filter(|(_, player)| player.is_live());
    for (place, player) in live {
        let down = &player.cards[..player.cards.len().min(2)];
        let last = player.cards.get(6..).unwrap_or_default();
        let known: Option<Vec<_>> = player.visible().iter().copied().collect();
        let shows = known.filter(|cards| cards.len() > 1);
        let shows = shows.map_or(String::new(), |cards| format!(" shows {}", Board::of(CardSet::of(&cards))));
        let _ = writeln!(
            text,
            "  {:<4} [{}] {}{}{shows}",
            history.player_name(place),
            spaced(down),
            spaced(player.visible()),
            if last.is_empty() { String::new() } else { format!(" [{}]", spaced(last)) },
        );
    }
    let _ = match game.to_act() {
        Some(first) => writeln!(text, "  {}", first_word(history, game, first, street)),
        None => writeln!(text, "  Nobody can bet."),
    };
}

/// Who begins, and why.
fn first_word(history: &History, game: &Game, first: usize, street: u8) -> String {
    let name = history.player_name(first);
    let player = &game.players()[first];
    let has_hidden = game.players().iter().any(|player| player.is_live() && player.visible().contains(&None));
    match player.visible() {
        [Some(door)] if street == 3 && !has_hidden => {
            let lowest = game.players().iter().filter(|player| player.is_live());
            let lowest = lowest.filter_map(|player| player.visible().first().copied().flatten()).min();
            if lowest == Some(*door) {
                format!("{name} acts first: {door} is the card that brings it in.")
            } else {
                format!("{name} acts first: the lowest card is all-in, and the turn passes on.")
            }
        }
        _ if has_hidden => format!("{name} acts first, as far as the cards are known."),
        _ if street == 3 => format!("{name} acts first."),
        _ => format!("{name} acts first, with the best board."),
    }
}

fn action(text: &mut String, history: &History, before: &Game, after: &Game, action: &Action) {
    let Some(player) = action.player() else { return };
    let amount = |amount| history.amount_text(amount);
    let (was, is) = (&before.players()[player], &after.players()[player]);
    let paid = chips_put_in(before, after, player, action);
    let highest = before.players().iter().map(|player| player.bet).max().unwrap_or(0);
    let third = before.street() == Street::Third;
    let deed = match action {
        Action::BringIn { .. } => {
            format!("brings it in for {}", amount(before.stakes().bring_in.min(was.stack)))
        }
        Action::CheckOrCall { .. } if was.bet == highest => "checks".to_owned(),
        Action::CheckOrCall { .. } => format!("calls {}", amount((highest - was.bet).min(was.stack))),
        Action::BetTo { amount: to, .. } if third && highest == 0 => {
            format!("brings it in at once for {}", amount(*to))
        }
        Action::BetTo { amount: to, .. } if highest == 0 => format!("bets {}", amount(*to)),
        Action::BetTo { amount: to, .. } if third && highest < before.stakes().small => {
            format!("completes to {}", amount(*to))
        }
        Action::BetTo { amount: to, .. } => format!("raises to {}", amount(*to)),
        Action::Fold { .. } => "folds".to_owned(),
        Action::Show { .. } => format!("shows {}{}", spaced(&is.cards), hand_name(after, player)),
        Action::Muck { .. } => "mucks".to_owned(),
        Action::TimeOut { .. } if is.timed_out => {
            "runs out of time and is all-in with what is in the pot".to_owned()
        }
        Action::TimeOut { .. } => "runs out of time and folds".to_owned(),
        Action::DealHole { .. } | Action::DealBoard { .. } | Action::Nothing => return,
    };
    let all_in = if paid > 0 && paid == was.stack { " and is all-in" } else { "" };
    let _ = writeln!(text, "  {} {deed}{all_in}.", history.player_name(player));
    returned(text, history, before, after, (player, paid));
}

/// Chips this action puts in front of the player. When it ends the round, the bets are gone already.
fn chips_put_in(before: &Game, after: &Game, player: usize, action: &Action) -> u64 {
    let was = &before.players()[player];
    let highest = before.players().iter().map(|player| player.bet).max().unwrap_or(0);
    match action {
        Action::BringIn { .. } => before.stakes().bring_in.min(was.stack),
        Action::CheckOrCall { .. } => highest.saturating_sub(was.bet).min(was.stack),
        Action::BetTo { amount, .. } => amount.saturating_sub(was.bet).min(was.stack),
        _ => was.stack.saturating_sub(after.players()[player].stack),
    }
}

/// A bet that nobody matched goes back when the round ends.
fn returned(text: &mut String, history: &History, before: &Game, after: &Game, by: (usize, u64)) {
    for (place, (was, is)) in before.players().iter().zip(after.players()).enumerate() {
        let put_in = if place == by.0 { by.1 } else { 0 };
        let back = (is.stack + put_in).saturating_sub(was.stack);
        if back > 0 {
            let (name, back) = (history.player_name(place), history.amount_text(back));
            let _ = writeln!(text, "  {back} that nobody called go back to {name}.");
        }
    }
}

/// `: pair of nines, …`, where the whole hand is known.
fn hand_name(game: &Game, player: usize) -> String {
    let cards = game.players()[player].cards.iter().copied().chain(game.community());
    let cards: Option<Vec<_>> = cards.collect();
    let Some(cards) = cards.filter(|cards| cards.len() == 7) else { return String::new() };
    let set = CardSet::of(&cards);
    let low = match game.rules().play.contest {
        Contest::HighLow8 => Low8::best(set).map_or("; no low".to_owned(), |low| format!("; low {low}")),
        _ => String::new(),
    };
    format!(": {}{low}", High::best(set))
}
