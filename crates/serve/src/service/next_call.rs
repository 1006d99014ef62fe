//! Whose turn it is: which call a table waits for, and carrying it out.

use std::time::{Duration, Instant};

use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::hand::{Hand, Happened};
use crate::calls::{Move, MoveKind};
use crate::journal::record::KeptStep;
use crate::service::engine::{Engine, Fresh};
use crate::service::steps::{copy, replay};
use crate::service::tables::{Playing, ServedTable, ServiceLimits, WitnessWait};
use deckproof_deck::key::HandKey;
use deckproof_table::table::TableName;
use deckproof_verify::log::beacon::CheckedRounds;
use deckproof_verify::log::tree::TreeHead;

/// Calls of one hand; a hand of eight seats with every street and a time-out at each action has fewer.
const STEPS_MAX: usize = 256;

/// Carries a step out; nothing for one that was carried out before.
pub(super) fn advance(
    engine: &mut Engine,
    step: &Move,
    closed: Option<&str>,
    limits: ServiceLimits,
) -> Result<Option<Fresh>, CallFault> {
    let is_new = !engine.tables.contains_key(&step.place.table);
    if is_new && (step.place.hand != 1 || step.place.step != 1) {
        return Err(CallFaultKind::OutOfTurn.fault(format!(
            "this table is new: found hand {}, step {}, wanted commit, hand 1, step 1",
            step.place.hand, step.place.step
        )));
    }
    if is_new && engine.tables.len() >= limits.tables {
        return Err(CallFaultKind::Busy.fault(format!("there are {} tables already", limits.tables)));
    }
    let is_known = !is_new;
    let mut rounds = std::mem::take(&mut engine.rounds);
    let advanced = match engine.table(&step.place.table) {
        Some(place) => {
            check_rate(place, limits.rate).and_then(|()| advance_at(place, step, closed, &mut rounds))
        }
        None => Err(CallFaultKind::Schema.fault("no name of a table")),
    };
    engine.rounds = rounds;
    if !is_known && !matches!(advanced, Ok(Some(_))) {
        engine.tables.remove(&step.place.table);
    }
    advanced
}

fn check_rate(place: &mut ServedTable, rate: u32) -> Result<(), CallFault> {
    let (second, count) = &mut place.rate;
    if second.elapsed() >= Duration::from_secs(1) {
        (*second, *count) = (Instant::now(), 0);
    }
    *count += 1;
    if *count > rate {
        Err(CallFaultKind::Busy.fault(format!("a table takes {rate} calls a second")))
    } else {
        Ok(())
    }
}

/// The step that a table waits for.
pub(super) fn next_of(place: &ServedTable) -> (u64, u64) {
    match &place.playing {
        Some(playing) => (playing.number, playing.steps.len() as u64 + 1),
        None => (place.ended + 1, 1),
    }
}

fn advance_at(
    place: &mut ServedTable,
    step: &Move,
    closed: Option<&str>,
    rounds: &mut CheckedRounds,
) -> Result<Option<Fresh>, CallFault> {
    let (hand, number) = next_of(place);
    let found = (step.place.hand, step.place.step);
    if found.0 < hand || (found.0 == hand && found.1 < number) {
        return if found.0 > 0 && found.1 > 0 {
            Ok(None)
        } else {
            Err(CallFaultKind::Schema.fault("hands and steps count from 1"))
        };
    }
    if found != (hand, number) {
        let message = format!(
            "found hand {}, step {}, wanted hand {hand}, step {number}: the table waits for it",
            found.0, found.1
        );
        return Err(CallFaultKind::OutOfTurn.fault(message));
    }
    check_witnessed(place, step)?;
    let (key, happened) = match &mut place.playing {
        None => begin(place, step, hand, closed)?,
        Some(playing) if playing.steps.len() >= STEPS_MAX && !step.kind.is_end() => {
            return Err(
                CallFaultKind::Unfit.fault(format!("a hand has at most {STEPS_MAX} steps and its end"))
            );
        }
        // Nobody sits in a hand that is committed alone.
        Some(playing)
            if playing.hand.is_committed() && matches!(step.kind, MoveKind::Open(_)) && closed.is_some() =>
        {
            return Err(none_begins(closed.unwrap_or_default()));
        }
        Some(playing) => (None, apply(&place.name, playing, &step.kind, rounds)?),
    };
    let tree = TreeHead::empty();
    Ok(Some(Fresh {
        step: KeptStep { step: step.clone(), key, index: None, tree, before: None, seen: None },
        happened,
    }))
}

/// No step comes between an opening and what its witnesses say.
fn check_witnessed(place: &ServedTable, step: &Move) -> Result<(), CallFault> {
    match (place.playing.as_ref().map(|playing| playing.wait), &step.kind) {
        (Some(WitnessWait::Awaited), _) => {
            Err(CallFaultKind::Busy.fault("the opening of this hand is with its witnesses"))
        }
        (Some(WitnessWait::Unmet), MoveKind::Void { .. }) => Ok(()),
        (Some(WitnessWait::Unmet), _) => Err(unmet()),
        _ => Ok(()),
    }
}

type Begun = (Option<HandKey>, Happened);

fn begin(place: &mut ServedTable, step: &Move, hand: u64, closed: Option<&str>) -> Result<Begun, CallFault> {
    if let Some(reason) = closed {
        return Err(none_begins(reason));
    }
    let MoveKind::Commit { mix, .. } = &step.kind else {
        return Err(CallFaultKind::OutOfTurn
            .fault(format!("found {}, wanted commit: the first step of a hand", step.kind.name())));
    };
    let key = place.draw_key(*mix).map_err(|error| CallFaultKind::Stopped.fault(error))?;
    let (begun, happened) = Hand::begin(&place.name, hand, &step.kind, copy(&key))?;
    place.playing = Some(Playing::new(hand, begun));
    Ok((Some(key), happened))
}

fn none_begins(reason: &str) -> CallFault {
    CallFaultKind::Stopped.fault(format!("no hand begins: {reason}"))
}

/// A hand that a refused call has spoilt is made again from its steps.
fn apply(
    name: &TableName,
    playing: &mut Playing,
    kind: &MoveKind,
    rounds: &mut CheckedRounds,
) -> Result<Happened, CallFault> {
    playing.hand.check_event(kind)?;
    let applied = playing.hand.apply(kind, rounds);
    let applied = applied.and_then(|happened| playing.hand.check_hidden().map(|()| happened));
    if playing.hand.is_lost() {
        playing.hand = replay(name, playing.number, &playing.steps, None)?.0;
    }
    applied
}

pub(super) fn unmet() -> CallFault {
    CallFaultKind::Stopped.fault("the quorum of witnesses did not cosign the opening: open may be repeated, or the hand voided with the reason witness-missing",
    )
}
