//! Messages on a log: what was added, that it is refused, which hands are drawn; and whether it is in order.

pub mod scan;

use serde_json::{Value, json};

use deckproof_deck::text::decimal::{counted, thousands};
use deckproof_table::log_folder::additions::Additions;
use deckproof_verify::log::beacon;
use deckproof_verify::log::refusal::Refusal;
use deckproof_verify::log::scan::report::OpenedHand;

/// What was added to a log.
pub fn added(additions: &Additions) -> String {
    let Additions { added, first, present, published } = *additions;
    let number = counted(added, "entry", "entries");
    let there = match present {
        0 => String::new(),
        _ => format!("{} left out, for the log has them already; ", thousands(present)),
    };
    match added {
        0 => format!("0 entries added; {there}the checkpoint has {published}.\n"),
        _ => format!("{number} added from index {first}; {there}the checkpoint has {published}.\n"),
    }
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
    let how = if draw.is_witnessed {
        "a quorum of witnesses fixed the round, if you had this cosigned checkpoint before the round was due"
    } else {
        "not witnessed: the round counts only if it was announced with M"
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
