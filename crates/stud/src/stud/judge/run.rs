//! A hand played through under one set of readings, and compared with what its record says of the end.

use crate::stud::betting::action::Action;
use crate::stud::betting::refusal::{HandRule, Infraction};
use crate::stud::betting::stakes::{Stakes, StakesError};
use crate::stud::betting::winners::{PotPart, PotResult, RakeFrom, Settlement, Undecided};
use crate::stud::betting::{Game, PlayerState};
use crate::stud::history::{History, RecordedAction, own_fields};
use crate::stud::readings::{MuckedHand, Rake, Readings, TimeOuts};
use crate::stud::rules::RuleSet;

/// A hand played through under one set of readings.
#[derive(Debug, Clone)]
pub struct Run {
    /// The hand at its end, or before the refused action.
    pub game: Game,
    /// Chips of every player after it; nothing where the stack is unknown.
    pub stacks: Vec<Option<u64>>,
    /// The pots and who got them.
    pub pots: Vec<PotResult>,
    /// Chips that are missing at the end, and are read as a rake.
    pub rake: u64,
    /// Which action was refused, and why; `None` for the line when the final stacks are.
    pub refused: Option<(Option<RecordedAction>, Infraction)>,
    /// Why the pots are not given out.
    pub undecided: Option<Undecided>,
}

/// What is played, apart from the readings.
pub(super) struct AtTable<'a> {
    pub history: &'a History,
    pub rules: &'static RuleSet,
    pub stakes: &'a Stakes,
}

/// Plays a hand through under one set of readings.
pub(super) fn play(table: &AtTable<'_>, readings: Readings) -> Result<Run, StakesError> {
    let history = table.history;
    let mut game = Game::new(table.rules, readings, table.stakes.clone())?;
    for line in &history.lines {
        let is_time_out = matches!(line.action, Action::TimeOut { .. });
        if is_time_out && readings.time_outs == TimeOuts::Ignored {
            continue;
        }
        if let Err(infraction) = game.apply(&line.action) {
            let stacks = stacks(&game, None);
            let refused = Some((Some(line.clone()), infraction));
            return Ok(Run { game, stacks, pots: Vec::new(), rake: 0, refused, undecided: None });
        }
    }
    Ok(ended(history, game))
}

/// The end of a hand whose actions are all accepted.
fn ended(history: &History, game: Game) -> Run {
    let settled = match game.settle() {
        Ok(settled) => settled,
        Err(undecided) => {
            let mut run = run_of(game, None, 0);
            run.undecided = Some(undecided);
            run.refused = wrong_ending(history, &run).map(|infraction| (None, infraction));
            return run;
        }
    };
    let missing = match game.readings().rake {
        Rake::Taken => missing_chips(history, &settled),
        Rake::Nothing => 0,
    };
    let mut first = None;
    for from in [RakeFrom::MainPotFirst, RakeFrom::EveryPot] {
        let Ok(settled) = game.settle_raked(missing, from) else { continue };
        let mut run = run_of(game.clone(), Some(settled), missing);
        run.refused = wrong_ending(history, &run).map(|infraction| (None, infraction));
        if run.refused.is_none() {
            return run;
        }
        first = first.or(Some(run));
    }
    first.unwrap_or_else(|| run_of(game, Some(settled), 0))
}

fn run_of(game: Game, settled: Option<Settlement>, rake: u64) -> Run {
    let stacks = stacks(&game, settled.as_ref().map(|settled| &settled.winnings[..]));
    let pots = settled.map(|settled| settled.pots).unwrap_or_default();
    Run { game, stacks, pots, rake, refused: None, undecided: None }
}

fn stacks(game: &Game, winnings: Option<&[u64]>) -> Vec<Option<u64>> {
    let won = |player: usize| winnings.map_or(0, |winnings| winnings[player]);
    let players = game.players().iter().enumerate();
    players.map(|(place, player)| player.stack_known.then_some(player.stack + won(place))).collect()
}

fn sum(amounts: &[Option<u64>]) -> Option<u64> {
    amounts.iter().try_fold(0u64, |sum, amount| amount.and_then(|chips| sum.checked_add(chips)))
}

/// Whether the record says who won: its final stacks hold all chips again, or it names winnings or pots.
pub(super) fn tells_the_end(history: &History) -> bool {
    let has_won = history.winnings.iter().flatten().flatten().any(|&chips| chips > 0);
    if has_won || history.fields.contains_key("_pots") {
        return true;
    }
    let finals = history.finishing_stacks.as_deref().and_then(sum);
    finals.is_some() && finals == sum(&history.stakes.stacks)
}

/// Chips that were in play before the hand and are not after it, by the stacks of the record.
pub(super) fn chips_missing(history: &History) -> u64 {
    let after = history.finishing_stacks.as_deref().and_then(sum);
    sum(&history.stakes.stacks).zip(after).map_or(0, |(before, after)| before.saturating_sub(after))
}

/// Chips that were in play before the hand and are not after it, by the stacks or by the winnings.
fn missing_chips(history: &History, settled: &Settlement) -> u64 {
    let less = |before: Option<u64>, after: Option<u64>| before?.checked_sub(after?);
    let finals = history.finishing_stacks.as_deref().and_then(sum);
    let by_stacks = less(sum(&history.stakes.stacks), finals);
    let winnings = history.winnings.as_deref().and_then(sum);
    let by_winnings = less(Some(settled.winnings.iter().sum()), winnings);
    by_stacks.or(by_winnings).unwrap_or(0).min(settled.winnings.iter().sum())
}

/// The refusal of an end that is not that of the rules.
fn wrong_ending(history: &History, run: &Run) -> Option<Infraction> {
    wrong_amounts(history, run).or_else(|| mucked_winner(history, run)).or_else(|| wrong_fields(history, run))
}

/// Final stacks or winnings that are not those of the rules.
fn wrong_amounts(history: &History, run: &Run) -> Option<Infraction> {
    let before_the_end = run.undecided == Some(Undecided::Unfinished) && !tells_the_end(history);
    if run.undecided.is_some() && !before_the_end {
        return mucked_and_paid(history, run).or_else(|| more_than_the_pots_hold(history, run));
    }
    let finals = history.finishing_stacks.as_deref();
    let finals = finals.and_then(|found| differ(history, found, &run.stacks, "ends with stacks of"));
    finals.or_else(|| {
        let won = run.undecided.is_none().then(|| winnings(run))?;
        differ(history, history.winnings.as_deref()?, &won, "gives winnings of")
    })
}

/// A contested pot that goes to a hand that was thrown away, where such a hand gives it up.
fn mucked_and_paid(history: &History, run: &Run) -> Option<Infraction> {
    if run.game.readings().mucked_hand != MuckedHand::GivesUp {
        return None;
    }
    let finals = history.finishing_stacks.as_deref()?;
    let pots = run.game.pots();
    let most = |player: usize| -> u64 {
        let alone: u64 = pots.iter().filter(|pot| pot.eligible == [player]).map(|pot| pot.amount).sum();
        run.game.players()[player].stack + alone
    };
    let mucked = |&(_, player): &(usize, &PlayerState)| player.mucked && player.stack_known;
    let players = run.game.players().iter().enumerate().filter(mucked).map(|(player, _)| player);
    let last = |player: usize| finals.get(player).copied().flatten();
    let winner = players.into_iter().find(|&player| last(player) > Some(most(player)))?;
    Some(Infraction {
        rule: HandRule::MuckedWinner,
        found: format!("p{} mucks and is given chips at the end", winner + 1),
        allowed: format!("p{} ends with {}", winner + 1, history.amount_text(most(winner))),
    })
}

/// Chips at the end that no card could have won: a player not in a pot gets nothing of it, nobody ends with
/// fewer chips than were left behind, and no chips come from nowhere.
fn more_than_the_pots_hold(history: &History, run: &Run) -> Option<Infraction> {
    if run.undecided == Some(Undecided::Unfinished) {
        return None;
    }
    let pots = run.game.pots();
    let most = |player: usize| -> u64 {
        pots.iter().filter(|pot| pot.eligible.contains(&player)).map(|pot| pot.amount).sum()
    };
    let total: u64 = pots.iter().map(|pot| pot.amount).sum();
    let players: Vec<&PlayerState> = run.game.players().iter().collect();
    let by_stacks = history.finishing_stacks.iter().flatten().zip(&players);
    let by_stacks: Vec<Option<u64>> = by_stacks
        .map(|(last, player)| last.filter(|_| player.stack_known).map(|last| last.wrapping_sub(player.stack)))
        .collect();
    for won in [Some(&by_stacks), history.winnings.as_ref()].into_iter().flatten() {
        let wrong = won.iter().enumerate().find(|(player, won)| won.is_some_and(|won| won > most(*player)));
        if let Some((player, _)) = wrong {
            let least = history.amount_text(players[player].stack);
            return Some(Infraction {
                rule: HandRule::FinalStacks,
                found: format!("p{} ends with chips that no hidden card could win", player + 1),
                allowed: format!(
                    "{least} behind, and up to {} from the pots",
                    history.amount_text(most(player))
                ),
            });
        }
        if sum(won).is_some_and(|sum| sum > total) {
            return Some(Infraction {
                rule: HandRule::FinalStacks,
                found: "the players win more than the pots hold".to_owned(),
                allowed: format!("{} in all", history.amount_text(total)),
            });
        }
    }
    None
}

/// Chips every player got out of the pots.
fn winnings(run: &Run) -> Vec<Option<u64>> {
    let mut won = vec![0; run.game.players().len()];
    let shares = run.pots.iter().flat_map(|pot| &pot.awards).flat_map(|award| &award.shares);
    shares.for_each(|&(player, chips)| won[player] += chips);
    won.into_iter().map(Some).collect()
}

fn differ(
    history: &History,
    found: &[Option<u64>],
    played: &[Option<u64>],
    says: &str,
) -> Option<Infraction> {
    let agree = found.len() == played.len()
        && found.iter().zip(played).all(|(found, played)| match (found, played) {
            (Some(found), Some(played)) => found == played,
            _ => true,
        });
    let list = |amounts: &[Option<u64>]| {
        let texts =
            amounts.iter().map(|chips| chips.map_or("?".to_owned(), |chips| history.amount_text(chips)));
        texts.collect::<Vec<_>>().join(", ")
    };
    (!agree).then(|| Infraction {
        rule: HandRule::FinalStacks,
        found: format!("the record {says} {}", list(found)),
        allowed: list(played),
    })
}

/// A hand that takes a pot by its cards and was thrown away after it was seen, or by the reading that the best hand
/// wins, where the record does not say that the pot went to it all the same.
fn mucked_winner(history: &History, run: &Run) -> Option<Infraction> {
    let awards = || run.pots.iter().flat_map(|pot| &pot.awards);
    let shown_down = || awards().filter(|award| award.part != PotPart::Uncontested);
    let won = |player: usize| -> u64 {
        let shares = shown_down().flat_map(|award| &award.shares);
        shares.filter(|(winner, _)| *winner == player).map(|(_, chips)| chips).sum()
    };
    let says = |amounts: &Option<Vec<Option<u64>>>, player: usize| {
        amounts.as_ref().is_some_and(|amounts| amounts.get(player).is_some_and(Option::is_some))
    };
    let is_stated = |player: usize| {
        let by_amount = says(&history.finishing_stacks, player) || says(&history.winnings, player);
        by_amount || history.fields.contains_key("_pots")
    };
    let gave_up = |(_, player): &(usize, &PlayerState)| player.mucked || player.taken_back;
    let players = run.game.players().iter().enumerate().filter(gave_up).map(|(player, _)| player);
    let winner = players.into_iter().find(|&player| won(player) > 0 && !is_stated(player))?;
    let chips = history.amount_text(won(winner));
    Some(Infraction {
        rule: HandRule::MuckedWinner,
        found: format!("p{} mucks a hand that wins {chips}", winner + 1),
        allowed: format!("p{} shows and wins {chips}", winner + 1),
    })
}

/// The refusal of own fields that do not agree with the hand.
fn wrong_fields(history: &History, run: &Run) -> Option<Infraction> {
    if let Some((found, allowed)) = own_fields::wrong_burns(history, &run.game) {
        return Some(Infraction { rule: HandRule::Burns, found, allowed });
    }
    let pots = match run.undecided {
        None => own_fields::wrong_pots(history, &run.pots),
        Some(_) => None,
    };
    let wrong =
        pots.or_else(|| own_fields::wrong_dealer(history)).or_else(|| own_fields::wrong_bundle(history));
    wrong.map(|(found, allowed)| Infraction { rule: HandRule::Fields, found, allowed })
}
