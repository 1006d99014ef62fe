//! A hand told street by street, as a person would read it.

use std::fmt::Write;

use crate::stud::betting::action::Action;
use crate::stud::betting::{Game, cards_text};
use crate::stud::board::Board;
use crate::stud::card_set::CardSet;
use crate::stud::deal::Street;
use crate::stud::history::History;
use crate::stud::judge::RuledHand;
use crate::text::visible;

/// Tells the hand under the readings the judgement shows, up to its end or the refused action.
pub(super) fn tell(history: &History, judgement: &RuledHand) -> String {
    let shown = &judgement.run.game;
    let mut text = String::new();
    opening(&mut text, history, shown);
    let Ok(mut game) = Game::new(shown.rules(), *shown.readings(), shown.stakes().clone()) else {
        return text;
    };
    let mut told_street = 0;
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
        if dealt && street != told_street {
            told_street = street;
            boards(&mut text, history, &game, street);
        }
    }
    text
}

fn opening(text: &mut String, history: &History, game: &Game) {
    let stakes = game.stakes();
    let amount = |amount| history.amount_text(amount);
    let _ = writeln!(
        text,
        "{} players, {} by {}: limits {} and {}, bring-in {}.",
        game.players().len(),
        visible(&history.variant),
        game.rules().name,
        amount(stakes.small),
        amount(stakes.big),
        amount(stakes.bring_in)
    );
    for (place, (stack, ante)) in stakes.stacks.iter().zip(&stakes.antes).enumerate() {
        let stack = stack.map_or("unknown chips".to_owned(), |stack| format!("{} chips", amount(stack)));
        let _ = writeln!(text, "  {:<4} {stack}, ante {}", history.player_name(place), amount(*ante));
    }
}

/// The street's heading: the pot, every live player's cards with the down cards in brackets, and
/// who acts.
fn boards(text: &mut String, history: &History, game: &Game, street: u8) {
    let _ = writeln!(text, "\nStreet {street}, pot {}.", history.amount_text(game.pot_total()));
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
            cards_text(down),
            cards_text(player.visible()),
            if last.is_empty() { String::new() } else { format!(" [{}]", cards_text(last)) },
        );
    }
    if let Some(first) = game.to_act() {
        let _ = writeln!(text, "  {} acts first.", history.player_name(first));
    } else {
        let _ = writeln!(text, "  Nobody can bet.");
    }
}

fn action(text: &mut String, history: &History, before: &Game, after: &Game, action: &Action) {
    let Some(player) = action.player() else { return };
    let amount = |amount| history.amount_text(amount);
    let (was, is) = (&before.players()[player], &after.players()[player]);
    let paid = was.stack.saturating_sub(is.stack);
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
        Action::Show { .. } => format!("shows {}", cards_text(&is.cards)),
        Action::Muck { .. } => "mucks".to_owned(),
        Action::TimeOut { .. } if is.timed_out => {
            "runs out of time and is all-in with what is in the pot".to_owned()
        }
        Action::TimeOut { .. } => "runs out of time and folds".to_owned(),
        Action::DealHole { .. } | Action::DealBoard { .. } | Action::Nothing => return,
    };
    let all_in = if paid > 0 && is.stack == 0 { " and is all-in" } else { "" };
    let _ = writeln!(text, "  {} {deed}{all_in}.", history.player_name(player));
}
