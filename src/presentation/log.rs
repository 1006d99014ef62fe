//! What an auditor is told of a log: that it is sound, and which hands are drawn.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::ledger::beacon;
use crate::ledger::refusal::Refusal;
use crate::ledger::scan::report::{OpenedHand, Report};
use crate::ledger::witnessed::Witnessed;
use crate::math::decimal::counted;

/// What an auditor gave with a log.
pub struct ScanAsked {
    /// How many earlier checkpoints.
    pub earlier: usize,
    /// Whether there was a trust file.
    pub is_trusted: bool,
}

/// A sound log, for programs.
pub fn sound_json(asked: &ScanAsked, witnessed: &Witnessed, report: &Report) -> Value {
    let tree = &report.tree;
    json!({
        "verdict": "sound", "code": null, "origin": witnessed.checkpoint.origin, "size": tree.size,
        "root": tree.root.to_string(),
        "closed": report.closed, "voids": report.voids, "unused": report.unused, "running": report.running,
        "earlier": asked.earlier, "signature": if asked.is_trusted { "checked" } else { "not checked" },
        "quorum_time": witnessed.quorum_time,
    })
}

/// A sound log in sentences, by the name of its folder.
pub fn sound(name: &str, asked: &ScanAsked, witnessed: &Witnessed, report: &Report) -> String {
    let (origin, tree) = (&witnessed.checkpoint.origin, &report.tree);
    let mut text = format!("{name}: sound, {} of {origin}.\n", counted(tree.size, "entry", "entries"));
    let mut line = |name: &str, value: String| {
        writeln!(text, "  {name:<16}{value}").expect("a string takes every line");
    };
    line("Root", tree.root.to_string());
    line("Hands", format!("{} closed, {} running.", report.closed, report.running));
    let voids: Vec<String> = report
        .voids
        .iter()
        .flat_map(|(table, reasons)| {
            reasons.iter().map(move |(why, number)| format!("{table} {number} ({why})"))
        })
        .collect();
    line("Voided", listed(&voids));
    let unused: Vec<String> =
        report.unused.iter().map(|(table, number)| format!("{table} {number}")).collect();
    line("Unused decks", listed(&unused));
    let earlier = match asked.earlier {
        0 => "none given: whether an earlier log was rewritten is not checked (--old FILE).".to_owned(),
        1 => "1 given, and this log begins with it.".to_owned(),
        several => format!("{several} given, and this log begins with each of them."),
    };
    line("Earlier trees", earlier);
    let signed = match (asked.is_trusted, witnessed.quorum_time) {
        (false, _) => "not checked: no trust file was given (--trust FILE).".to_owned(),
        (true, Some(time)) => format!("by the log, and by a quorum of witnesses at POSIX time {time}."),
        (true, None) => {
            "by the log alone: without a quorum of witnesses others may have been shown another log."
                .to_owned()
        }
    };
    line("Signed", signed);
    text
}

fn listed(items: &[String]) -> String {
    if items.is_empty() { "none.".to_owned() } else { format!("{}.", items.join(", ")) }
}

/// A log that is refused, for programs.
pub fn refused_json(refusal: &Refusal) -> Value {
    let (code, place, message) = (refusal.code.name(), &refusal.place, &refusal.message);
    json!({ "verdict": "refused", "code": code, "place": place, "message": message })
}

/// A log that is refused, in sentences.
pub fn refused(refusal: &Refusal) -> String {
    format!(
        "refused, {}.\n  {}: {}.\n  The first failure stops; nothing after it was checked.\n",
        refusal.code, refusal.place, refusal.message
    )
}

/// Hands drawn from a log.
pub struct Draw<'a> {
    /// The round of the beacon that drew them.
    pub round: u64,
    /// One hand in so many.
    pub one_in: u64,
    /// Whether a quorum of witnesses fixed the round.
    pub is_witnessed: bool,
    /// How many opened hands there are.
    pub opened: usize,
    /// Those that were drawn.
    pub drawn: Vec<&'a OpenedHand>,
}

/// The round that will draw, for programs.
pub fn round_json(wanted: Option<u64>) -> Value {
    json!({ "verdict": null, "round": wanted, "witnessed": wanted.is_some() })
}

/// The round that will draw, as a sentence.
pub fn round_to_wait_for(wanted: Option<u64>) -> String {
    match wanted {
        Some(round) => format!(
            "The draw is made by quicknet round {round}, due at POSIX time {}: give it with --beacon.\n",
            beacon::time_of(round)
        ),
        None => {
            "Not witnessed: no quorum cosigned this checkpoint, so the round must have been announced with M; give it with --beacon.\n".to_owned()
        }
    }
}

/// The hands that were drawn, for programs.
pub fn drawn_json(draw: &Draw) -> Value {
    let hands: Vec<Value> = draw
        .drawn
        .iter()
        .map(|hand| {
            json!({
                "table": hand.table, "hand": hand.hand, "deck": hand.deck.to_string(),
                "voided": hand.is_voided, "ended": hand.is_ended,
            })
        })
        .collect();
    json!({
        "verdict": "drawn", "witnessed": draw.is_witnessed, "round": draw.round, "one_in": draw.one_in,
        "opened": draw.opened, "drawn": hands,
    })
}

/// The hands that were drawn, one a line.
pub fn drawn_text(draw: &Draw) -> String {
    let how = match draw.is_witnessed {
        true => "the round was fixed by a quorum of witnesses",
        false => "not witnessed: the round counts only if it was announced with M",
    };
    let (number, Draw { opened, one_in, round, .. }) = (draw.drawn.len(), draw);
    let mut text = format!(
        "{number} of {opened} opened hands are drawn, one in {one_in} and all that were voided, by round {round}; {how}.\n"
    );
    for hand in &draw.drawn {
        let end = match (hand.is_voided, hand.is_ended) {
            (true, _) => ", voided",
            (false, true) => "",
            (false, false) => ", still running: its key is due when it ends",
        };
        text += &format!("  table {} hand {}{end}, deck entry {}\n", hand.table, hand.hand, hand.deck);
    }
    text
}
