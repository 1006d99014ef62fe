//! What a service has of one hand for a dispute: its entries as the log has them, their proofs, and the bundle of every seat.

use std::collections::BTreeMap;
use std::path::Path;

use zeroize::Zeroizing;

use crate::calls::{MoveKind, SeatEvent};
use crate::service::ended_hands::{PastHand, PastHands};
use crate::service::log_folder;
use crate::service::opening::{OpeningError, receipt};
use crate::service::steps::replay;
use deckproof_stud::stud::seat::Seat;
use deckproof_table::log_folder::reader::LogReader;
use deckproof_table::table::TableName;
use deckproof_table::table::restore::EndedHand;
use deckproof_verify::log::tree::TreeHead;

/// An entry of the hand.
pub struct CaseEntry {
    /// `deck`, `open`, `cut`, `close` or `void`.
    pub kind: &'static str,
    /// Its place in the log.
    pub index: u64,
    /// Its exact text.
    pub text: String,
    /// That it stands there, under the checkpoint of the case.
    pub proof: String,
}

/// What the poker server noted at a seat.
pub struct CaseEvent {
    /// Where.
    pub seat: Seat,
    /// What.
    pub what: SeatEvent,
    /// When, in seconds of its clock.
    pub at: u64,
}

/// A hand that is in dispute. No `Debug`, `Display` or `Clone`: each bundle is confidential to its seat.
pub struct HandCase {
    /// The log.
    pub origin: String,
    /// Its tree.
    pub tree: TreeHead,
    /// Its signed checkpoint.
    pub checkpoint: String,
    /// The entries of the hand, in their order.
    pub entries: Vec<CaseEntry>,
    /// What each seat is handed out; nothing of a voided hand.
    pub bundles: Vec<(Seat, Zeroizing<String>)>,
    /// The transcript of a closed hand.
    pub transcript: Option<String>,
    /// Its hand history, if there was one.
    pub history: Option<String>,
    /// Why the hand was voided, if it was.
    pub voided: Option<String>,
    /// What was noted.
    pub events: Vec<CaseEvent>,
}

/// Gathers what there is of a hand that has ended, under the newest checkpoint of the log.
///
/// # Errors
/// [`OpeningError`].
pub fn case_of(folder: &Path, table: &str, hand: u64) -> Result<HandCase, OpeningError> {
    let log = LogReader::open(&log_folder(folder))?;
    let PastHand { steps, rest, .. } = PastHands::of(folder).get(table, hand)?;
    let origin = log.checkpoint().origin.clone();
    let name = TableName::new(&origin, table).map_err(|error| OpeningError::NotThere(error.to_string()))?;
    let mut entries = Vec::new();
    for step in &steps {
        let Some((index, kind)) = step.index.zip(step.step.kind.entry()) else { continue };
        let (text, proof) = (log.entry(index)?, receipt(&log, step)?);
        entries.push(CaseEntry { kind, index, text, proof });
    }
    let (played, _) = replay(&name, hand, &steps, rest.as_ref())?;
    let proofs: BTreeMap<&'static str, String> =
        entries.iter().map(|entry| (entry.kind, entry.proof.clone())).collect();
    let closed = match played.ended() {
        Some(EndedHand::Closed(dealt, shown_down)) => Some((dealt.with_proofs(proofs), shown_down)),
        _ => None,
    };
    let (mut seats, mut history, mut voided, mut events) = (Vec::new(), None, None, Vec::new());
    for step in steps {
        match step.step.kind {
            MoveKind::Open(opening) => seats = opening.seats,
            MoveKind::Close { history: text, .. } => history = text,
            MoveKind::Void { reason } => voided = Some(reason),
            MoveKind::Event { seat, what, at } => events.push(CaseEvent { seat, what, at }),
            _ => {}
        }
    }
    seats.sort_unstable();
    let bundle = |seat: Seat| closed.as_ref().map(|(dealt, shown)| (seat, dealt.seat_bundle(seat, shown)));
    let bundles: Vec<_> = seats.into_iter().filter_map(bundle).collect();
    let transcript = closed.as_ref().map(|(dealt, _)| dealt.transcript().to_owned());
    Ok(HandCase {
        origin,
        tree: log.checkpoint().tree,
        checkpoint: log.note().to_owned(),
        entries,
        bundles,
        transcript,
        history,
        voided,
        events,
    })
}
