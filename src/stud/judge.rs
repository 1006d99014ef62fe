//! Whether a recorded hand was played by the rules, and under which readings.
//!
//! Where the rule texts and PokerKit, the reference reader of the histories, differ, the text decides:
//! each pot is split high and low on its own, also when a hand that lost leaves two pots the same players
//! (text 2); a side pot whose players have no low goes to its high hand (text 2); a pair on fourth street
//! opens the big limit (text 1); a bring-in may be the whole small limit (text 3); a short seventh street
//! is one community card or a reshuffle, never folded cards (all three).

use crate::stud::betting::Game;
use crate::stud::betting::refusal::{Refusal, Rule};
use crate::stud::betting::stakes::{Stakes, StakesError};
use crate::stud::betting::winners::{PotResult, Undecided};
use crate::stud::history::{History, Line, own_fields};
use crate::stud::readings::{Reading, Readings};
use crate::stud::rules::RuleSet;

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Every reading accepts the hand.
    Legal,
    /// No reading accepts it.
    Illegal,
    /// Readings differ, or the record does not show enough.
    Depends,
}

impl Verdict {
    /// The word in records.
    pub fn id(self) -> &'static str {
        match self {
            Verdict::Legal => "legal",
            Verdict::Illegal => "illegal",
            Verdict::Depends => "depends",
        }
    }
}

/// A hand played through under one set of readings.
#[derive(Debug, Clone)]
pub struct Run {
    /// The hand at its end, or before the refused action.
    pub game: Game,
    /// Chips of every player after it; nothing where the stack is unknown.
    pub stacks: Vec<Option<u64>>,
    /// The pots and who got them.
    pub pots: Vec<PotResult>,
    /// Which action was refused, and why; `None` for the line when the final stacks are.
    pub refused: Option<(Option<Line>, Refusal)>,
    /// Why the pots are not given out.
    pub undecided: Option<Undecided>,
}

/// One reading tried, all others at their defaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The reading.
    pub reading: Reading,
    /// Its value.
    pub value: String,
    /// Whether it accepts the hand.
    pub accepts: bool,
    /// The stacks under it.
    pub stacks: Vec<Option<u64>>,
}

/// A hand judged.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The answer.
    pub verdict: Verdict,
    /// The run the answer shows: the first that accepts the hand, else the one by default.
    pub run: Run,
    /// What every open reading says.
    pub trials: Vec<Trial>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// Judges a hand: plays it by the defaults of the rule set and the readings that are fixed, then
/// under every other value of the readings its text leaves open.
///
/// # Errors
/// [`StakesError`].
pub fn judge(
    history: &History,
    rules: &'static RuleSet,
    fixed: &[(Reading, String)],
) -> Result<Judgement, StakesError> {
    let mut notes = structure_notes(history, rules);
    if history.decimals > 0 {
        notes.push(format!("Refusals count amounts in units of {}.", history.amount_text(1)));
    }
    let given = judge_with_unit(history, rules, fixed, &history.stakes)?;
    if accepted(&given) || history.odd_chip_unit_given {
        return Ok(noted(given, notes));
    }
    // A record need not say what the smallest chip is; the final stacks may.
    let unit = common_unit(history);
    if unit > 1 {
        let stakes = Stakes { odd_chip_unit: unit, ..history.stakes.clone() };
        let finer = judge_with_unit(history, rules, fixed, &stakes)?;
        if accepted(&finer) {
            let unit = history.amount_text(unit);
            notes.push(format!("The final stacks are those of a table whose smallest chip is {unit}."));
            return Ok(noted(finer, notes));
        }
    }
    Ok(noted(given, notes))
}

fn noted(mut judgement: Judgement, notes: Vec<String>) -> Judgement {
    judgement.notes.splice(0..0, notes);
    judgement
}

fn accepted(judgement: &Judgement) -> bool {
    judgement.run.refused.is_none()
}

fn judge_with_unit(
    history: &History,
    rules: &'static RuleSet,
    fixed: &[(Reading, String)],
    stakes: &Stakes,
) -> Result<Judgement, StakesError> {
    let mut readings = rules.play.readings;
    for (reading, value) in history.readings.iter().chain(fixed) {
        readings = readings.with(*reading, value).unwrap_or(readings);
    }
    let is_fixed =
        |reading: Reading| history.readings.iter().chain(fixed).any(|(other, _)| *other == reading);
    let open: Vec<Reading> =
        rules.play.open_readings.iter().copied().filter(|&reading| !is_fixed(reading)).collect();
    let run = play(history, rules, readings, stakes)?;
    let mut trials = Vec::new();
    let mut accepting = run.refused.is_none().then(|| run.clone());
    for &reading in &open {
        for value in reading.values() {
            let tried = readings.with(reading, value).unwrap_or(readings);
            let other = if tried == readings { run.clone() } else { play(history, rules, tried, stakes)? };
            trials.push(Trial {
                reading,
                value: (*value).to_owned(),
                accepts: other.refused.is_none(),
                stacks: other.stacks.clone(),
            });
            if accepting.is_none() && other.refused.is_none() {
                accepting = Some(other);
            }
        }
    }
    let mut notes = Vec::new();
    if accepting.is_none()
        && let Some(found) = combination(history, rules, readings, &open, stakes)?
    {
        notes.push("Only several readings together accept the hand.".to_owned());
        accepting = Some(found);
    }
    let all_accept = run.refused.is_none() && trials.iter().all(|trial| trial.accepts);
    let verdict = match &accepting {
        None => Verdict::Illegal,
        Some(shown) if all_accept && is_decided(history, shown) => Verdict::Legal,
        Some(_) => Verdict::Depends,
    };
    let mucked = accepting.as_ref().map(|run| run.game.mucked_winners()).unwrap_or_default();
    notes.extend(mucked.into_iter().map(|player| {
        let name = history.player_name(player);
        format!(
            "{name} mucked a hand that wins chips by its cards; no rule text says whether it gives them up."
        )
    }));
    Ok(Judgement { verdict, run: accepting.unwrap_or(run), trials, notes })
}

/// A record that ends early is judged as far as it goes, unless it tells the stacks of a hand that
/// is over; unknown cards leave the hand open.
fn is_decided(history: &History, run: &Run) -> bool {
    match run.undecided {
        None => run.game.mucked_winners().is_empty(),
        Some(Undecided::Unfinished) => !tells_the_end(history),
        Some(_) => false,
    }
}

/// Whether the final stacks hold all chips again, so that the hand is over.
fn tells_the_end(history: &History) -> bool {
    let sum = |stacks: &[Option<u64>]| {
        stacks.iter().try_fold(0u64, |sum, stack| stack.and_then(|chips| sum.checked_add(chips)))
    };
    let finals = history.finishing_stacks.as_deref().and_then(sum);
    finals.is_some() && finals == sum(&history.stakes.stacks)
}

/// The first combination of values of the open readings that accepts the hand.
fn combination(
    history: &History,
    rules: &'static RuleSet,
    readings: Readings,
    open: &[Reading],
    stakes: &Stakes,
) -> Result<Option<Run>, StakesError> {
    for choice in 0..1u32 << open.len() {
        let chosen = open.iter().enumerate().fold(readings, |readings, (place, &reading)| {
            let values = reading.values();
            let value = values[(choice >> place & 1) as usize % values.len()];
            readings.with(reading, value).unwrap_or(readings)
        });
        let run = play(history, rules, chosen, stakes)?;
        if run.refused.is_none() {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// Plays a hand through under one set of readings.
///
/// # Errors
/// [`StakesError`].
pub fn play(
    history: &History,
    rules: &'static RuleSet,
    readings: Readings,
    stakes: &Stakes,
) -> Result<Run, StakesError> {
    let mut game = Game::new(rules, readings, stakes.clone())?;
    for line in &history.lines {
        if let Err(refusal) = game.apply(&line.action) {
            let stacks = stacks(&game, None);
            let refused = Some((Some(line.clone()), refusal));
            return Ok(Run { game, stacks, pots: Vec::new(), refused, undecided: None });
        }
    }
    let (settled, undecided) = match game.settle() {
        Ok(settled) => (Some(settled), None),
        Err(undecided) => (None, Some(undecided)),
    };
    let stacks = stacks(&game, settled.as_ref().map(|settled| &settled.winnings[..]));
    let mut run = Run { game, stacks, pots: Vec::new(), refused: None, undecided };
    run.pots = settled.map(|settled| settled.pots).unwrap_or_default();
    let refusal = wrong_stacks(history, &run).or_else(|| wrong_fields(history, &run));
    run.refused = refusal.map(|refusal| (None, refusal));
    Ok(run)
}

fn stacks(game: &Game, winnings: Option<&[u64]>) -> Vec<Option<u64>> {
    let won = |player: usize| winnings.map_or(0, |winnings| winnings[player]);
    let players = game.players().iter().enumerate();
    players.map(|(place, player)| player.stack_known.then_some(player.stack + won(place))).collect()
}

/// The refusal of final stacks that are not those of the rules.
fn wrong_stacks(history: &History, run: &Run) -> Option<Refusal> {
    let recorded = history.finishing_stacks.as_ref()?;
    match run.undecided {
        Some(Undecided::Unfinished) if tells_the_end(history) => return None,
        None | Some(Undecided::Unfinished) => {}
        Some(_) => return None,
    }
    let agree = recorded.len() == run.stacks.len()
        && recorded.iter().zip(&run.stacks).all(|(recorded, played)| match (recorded, played) {
            (Some(recorded), Some(played)) => recorded == played,
            _ => true,
        });
    let list = |stacks: &[Option<u64>]| {
        let texts =
            stacks.iter().map(|stack| stack.map_or("?".to_owned(), |chips| history.amount_text(chips)));
        texts.collect::<Vec<_>>().join(", ")
    };
    (!agree).then(|| Refusal {
        rule: Rule::FinalStacks,
        found: format!("the record ends with stacks of {}", list(recorded)),
        allowed: list(&run.stacks),
    })
}

/// The refusal of own fields that do not agree with the hand.
fn wrong_fields(history: &History, run: &Run) -> Option<Refusal> {
    let pots = match run.undecided {
        None => own_fields::wrong_pots(history, &run.pots),
        Some(_) => None,
    };
    let wrong =
        pots.or_else(|| own_fields::wrong_dealer(history)).or_else(|| own_fields::wrong_bundle(history));
    wrong.map(|(found, allowed)| Refusal { rule: Rule::Fields, found, allowed })
}

/// The greatest amount every amount of the record is a multiple of.
fn common_unit(history: &History) -> u64 {
    let stakes = &history.stakes;
    let finals = history.finishing_stacks.iter().flatten().flatten();
    let fixed = [stakes.bring_in, stakes.small, stakes.big];
    let amounts = stakes.stacks.iter().flatten().chain(finals).chain(&stakes.antes).chain(&fixed);
    amounts.fold(0, |unit, &amount| greatest_common_divisor(unit, amount))
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Where the amounts of the record are not those of the text: the record's are played.
fn structure_notes(history: &History, rules: &RuleSet) -> Vec<String> {
    let stakes = &history.stakes;
    let mut notes = Vec::new();
    let by_text = Stakes::bring_in_of(&rules.play, stakes.small, 1).ok().flatten();
    if let Some(by_text) = by_text.filter(|&by_text| by_text != stakes.bring_in) {
        notes.push(format!(
            "The bring-in of the record is {}, by the text of {} it is {}; the record's was played.",
            history.amount_text(stakes.bring_in),
            rules.name,
            history.amount_text(by_text)
        ));
    }
    let short = stakes.stacks.iter().zip(&stakes.antes).any(|(stack, ante)| stack.is_some_and(|s| s < *ante));
    if short {
        notes.push(format!(
            "A stack is below the ante; {}.",
            if stakes.antes_trimmed {
                "the record trims antes, so that player contests only as much of every ante"
            } else {
                "the record does not trim antes, so that player contests all of them"
            }
        ));
    }
    notes
}
