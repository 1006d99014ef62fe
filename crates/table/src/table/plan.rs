//! What the seats of a hand do, decided beforehand: a script, or chance from a seed.

use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::keystream::Keystream;
use deckproof_stud::stud::betting::Game;
use deckproof_stud::stud::betting::action::Action;
use deckproof_stud::stud::deal::Street;
use deckproof_stud::stud::history::line;
use deckproof_stud::stud::seat::{Seat, Seats};

/// How the seats play their hands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayPlan {
    /// Each action at random among those allowed; the same seed plays the same.
    Random(Digest),
    /// Seats fold from a street on; everybody else checks and calls.
    Folds(Vec<(Street, Seat)>),
    /// These actions in this order, then everybody checks and calls; who mucks does so at the showdown.
    Actions(Vec<Action>),
}

/// A line of a script that cannot be read. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ScriptError {
    /// Where.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

const FOLD: &str = "wanted fold STREET SEATS of this hand, such as fold 4 2,5";

impl PlayPlan {
    /// Reads a script for these seats; `#` begins a remark. Either lines `fold STREET SEATS`, or the
    /// players' actions of a Poker Hand History one a line, where lines that deal cards are passed over.
    ///
    /// # Errors
    /// [`ScriptError`].
    pub fn parse(text: &str, seats: &Seats) -> Result<PlayPlan, ScriptError> {
        let (mut folds, mut actions) = (Vec::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let refused = |problem: &str| ScriptError { line: number, problem: problem.to_owned() };
            let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            match words[..] {
                [] | ["d", ..] => continue,
                ["fold", street, who] => {
                    folds.extend(fold(street, who, seats).ok_or_else(|| refused(FOLD))?);
                }
                ["fold", ..] => return Err(refused(FOLD)),
                _ => {
                    let players = seats.in_order().len();
                    let action =
                        line::parse(line, players, 0).map_err(|error| refused(&error.to_string()))?;
                    if matches!(action, Action::Show { .. }) {
                        return Err(refused("wanted pN pb, pN cc, pN cbr AMOUNT, pN f or pN sm (muck)"));
                    }
                    actions.push(action);
                }
            }
            if !folds.is_empty() && !actions.is_empty() {
                return Err(refused("found folds by street and single actions, wanted one kind"));
            }
        }
        Ok(if actions.is_empty() { PlayPlan::Folds(folds) } else { PlayPlan::Actions(actions) })
    }

    /// Begins a hand.
    pub(super) fn begin(&self, hand: u64) -> Choices<'_> {
        let key = match self {
            PlayPlan::Random(seed) => Digest::of(format!("play of hand {hand}, seed {seed}")),
            PlayPlan::Folds(_) | PlayPlan::Actions(_) => Digest::ZERO,
        };
        Choices { plan: self, keystream: Keystream::new(key.bytes(), 0), done: 0 }
    }
}

fn fold(street: &str, who: &str, seats: &Seats) -> Option<Vec<(Street, Seat)>> {
    let street = Street::ALL.into_iter().find(|known| known.number().to_string() == street)?;
    let seat = |text| Seat::parse(text).filter(|&seat| seats.has(seat)).map(|seat| (street, seat));
    who.split(',').map(seat).collect()
}

/// The choices of one hand.
pub(super) struct Choices<'a> {
    plan: &'a PlayPlan,
    keystream: Keystream,
    /// Actions of the script that were played.
    done: usize,
}

impl Choices<'_> {
    /// What the player to act does; nothing when nobody is to act.
    pub fn next(&mut self, game: &Game, seats: &Seats) -> Option<Action> {
        let player = game.to_act()?;
        let options = game.options();
        match self.plan {
            PlayPlan::Random(_) => Some(self.random(game, options)),
            PlayPlan::Folds(folds) => {
                let seat = seats.in_order()[player];
                let gives_up =
                    folds.iter().any(|&(street, folder)| folder == seat && street <= game.street());
                let fold = options.iter().find(|option| gives_up && matches!(option, Action::Fold { .. }));
                fold.cloned().or_else(|| passive(&options))
            }
            PlayPlan::Actions(actions) => {
                let mut before_showdown =
                    actions.iter().filter(|action| !matches!(action, Action::Muck { .. }));
                let scripted = before_showdown.nth(self.done).cloned();
                self.done += 1;
                match scripted {
                    // Other readers know no full bring-in, so the engine offers it as a bet.
                    Some(Action::BringIn { player: who }) if who == player => passive(&options),
                    None => passive(&options),
                    scripted => scripted,
                }
            }
        }
    }

    /// Whether this player mucks at the showdown: by a script only, for a hand that nobody saw leaves it open
    /// who had the best one.
    pub fn mucks(&mut self, player: usize) -> bool {
        match self.plan {
            PlayPlan::Random(_) | PlayPlan::Folds(_) => false,
            PlayPlan::Actions(actions) => actions.contains(&Action::Muck { player }),
        }
    }

    /// Folds, calls and raises about as loose players would. Nobody folds for nothing.
    fn random(&mut self, game: &Game, options: Vec<Action>) -> Action {
        let bets = game.players().iter().map(|player| player.bet);
        let highest = bets.max().unwrap_or(0);
        let owes = game.to_act().is_some_and(|player| game.players()[player].bet < highest);
        let weight = |option: &Action| match option {
            Action::Fold { .. } if owes => 3,
            Action::Fold { .. } => 0,
            Action::BetTo { .. } => 2,
            _ => 6,
        };
        let total: u32 = options.iter().map(weight).sum();
        // The play needs no exact uniformity, the deck does.
        let mut left = ((u64::from(self.keystream.word()) * u64::from(total)) >> 32) as u32;
        for option in &options {
            match left.checked_sub(weight(option)) {
                Some(rest) => left = rest,
                None => return option.clone(),
            }
        }
        unreachable!("a draw is below the sum of the weights")
    }
}

/// Checks, calls, or posts the bring-in.
fn passive(options: &[Action]) -> Option<Action> {
    let is_passive = |option: &&Action| matches!(option, Action::CheckOrCall { .. } | Action::BringIn { .. });
    options.iter().find(is_passive).or(options.first()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PlayPlan, ScriptError> {
        PlayPlan::parse(text, &Seats::parse("4,6,2").expect("seats"))
    }

    #[test]
    fn scripts_are_folds_by_street_or_actions() {
        let seat = |number| Seat::new(number).expect("a seat");
        let folds = vec![(Street::Third, seat(2)), (Street::Fifth, seat(4)), (Street::Fifth, seat(6))];
        assert_eq!(parse("# two folds\nfold 3 2\n\nfold 5 4,6 # both\n"), Ok(PlayPlan::Folds(folds)));
        assert_eq!(parse(""), Ok(PlayPlan::Folds(Vec::new())));
        let actions = vec![Action::BringIn { player: 0 }, Action::BetTo { player: 1, amount: 100 }];
        assert_eq!(parse("d dh p1 ????7c\np1 pb\np2 cbr 100"), Ok(PlayPlan::Actions(actions)));
    }

    #[test]
    fn other_scripts_are_refused_with_their_line() {
        for (text, line) in [
            ("fold 2 4", 1),
            ("fold 3 5", 1),
            ("fold 3", 1),
            ("\nfold 3 4,", 2),
            ("p1 pb\nfold 3 4", 2),
            ("p4 f", 1),
            ("p1 sm -", 1),
            ("check", 1),
        ] {
            assert_eq!(parse(text).map_err(|error| error.line), Err(line), "{text}");
        }
    }
}
