//! Hands that have ended, read from the journal: they change no more, and any thread reads them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::{HandLook, Move};
use crate::journal::places::{LinePlace, Places};
use crate::journal::record::{KeptStep, Line};
use crate::journal::remains::{self, HandRest};
use crate::journal::{read_line, segment_path};
use crate::service::receipts::{Receipts, kept};
use crate::service::steps::HandSteps;
use crate::service::vaulting::each_ended;
use crate::service::{CallAnswer, ServiceError, log_folder};
use deckproof_verify::log::vkey::Signer;

/// Reads what has ended.
#[derive(Clone)]
pub struct Past {
    hands: PastHands,
    receipts: Receipts,
}

/// The hands of a folder that have ended.
#[derive(Clone)]
pub struct PastHands {
    journal: PathBuf,
    places: Places,
}

/// A hand that has ended.
///
/// No `Debug`, `Display` or `Clone`.
pub struct PastHand {
    /// Its calls.
    pub steps: Vec<KeptStep>,
    /// What is left of it, if its key is in the vault.
    pub rest: Option<HandRest>,
    /// The segment in which it ended.
    pub segment: u64,
}

impl Past {
    /// The hands of a folder.
    pub fn of(folder: &Path, signer: Arc<Signer>) -> Past {
        Past { hands: PastHands::of(folder), receipts: Receipts::of(&log_folder(folder), signer) }
    }

    /// Whether a hand has ended.
    pub fn has(&self, table: &str, hand: u64) -> bool {
        self.hands.places.get(table, hand).is_ok_and(|place| place.is_some())
    }

    /// A call that was carried out in a hand that has ended: the same answer again.
    pub fn again(&self, step: &Move) -> CallAnswer {
        let (table, hand) = (&step.place.table, step.place.hand);
        self.view_ended(table, hand, &self.hands.get(table, hand)?).again(step)
    }

    /// What is looked up of a hand that has ended.
    pub fn look(&self, look: &HandLook) -> CallAnswer {
        self.view_ended(&look.table, look.hand, &self.hands.get(&look.table, look.hand)?).look(&look.kind)
    }

    /// The steps of a hand, as whoever holds them.
    pub fn view<'a>(&'a self, table: &'a str, hand: u64, steps: &'a [KeptStep]) -> HandSteps<'a> {
        HandSteps { receipts: &self.receipts, table, hand, steps, rest: None }
    }

    fn view_ended<'a>(&'a self, table: &'a str, hand: u64, ended: &'a PastHand) -> HandSteps<'a> {
        HandSteps { receipts: &self.receipts, table, hand, steps: &ended.steps, rest: ended.rest.as_ref() }
    }
}

impl PastHands {
    /// The hands of a folder.
    pub fn of(folder: &Path) -> PastHands {
        let secret = folder.join("secret");
        PastHands { journal: secret.join("journal"), places: Places::of(&secret.join("places")) }
    }

    /// A hand that has ended.
    pub fn get(&self, table: &str, hand: u64) -> Result<PastHand, CallFault> {
        let place = self.places.get(table, hand).map_err(kept)?;
        let unknown =
            || CallFaultKind::Unknown.fault(format!("table {table} has no hand {hand} that has ended"));
        let place = place.ok_or_else(unknown)?;
        if let Some(left) = self.left(table, hand, place)? {
            return Ok(left);
        }
        match self.whole(table, hand, place) {
            // Since the look above its segment may have gone to the vault.
            Err(fault) => self.left(table, hand, place)?.ok_or(fault),
            whole => whole,
        }
    }

    /// What is left of a hand whose key is in the vault.
    fn left(&self, table: &str, hand: u64, place: LinePlace) -> Result<Option<PastHand>, CallFault> {
        let left = remains::read(&self.journal, place).map_err(kept)?;
        let Some((rest, steps)) = left else { return Ok(None) };
        if steps.iter().all(|step| step.step.place.table == table && step.step.place.hand == hand) {
            Ok(Some(PastHand { steps, rest: Some(rest), segment: place.segment }))
        } else {
            Err(kept("the journal holds another hand there"))
        }
    }

    fn whole(&self, table: &str, hand: u64, place: LinePlace) -> Result<PastHand, CallFault> {
        let LinePlace { segment, offset } = place;
        let (mut steps, mut next) = (Vec::new(), Some(offset));
        while let Some(offset) = next {
            let line = read_line(&self.journal, segment, offset);
            match line.map_err(kept)? {
                Line::Step(step) if step.step.place.table == table && step.step.place.hand == hand => {
                    next = step.before.filter(|before| *before < offset);
                    steps.push(*step);
                }
                _ => return Err(kept("the journal holds another hand there")),
            }
        }
        steps.reverse();
        Ok(PastHand { steps, rest: None, segment })
    }
}

/// Writes again where the hands of all segments before this one ended: the files of places are lost, or older than the journal.
pub fn find_places(journal: &Path, current: u64, places: &Places) -> Result<(), ServiceError> {
    for segment in 1..current {
        let put = |steps: &[KeptStep], offset| match steps.first().map(|step| &step.step.place) {
            Some(of) => places
                .put(&of.table, of.hand, LinePlace { segment, offset })
                .map_err(ServiceError::file(journal)),
            None => Ok(()),
        };
        match remains::offsets(journal, segment)? {
            Some(offsets) => {
                for offset in offsets {
                    let left = remains::read(journal, LinePlace { segment, offset })?;
                    left.map_or(Ok(()), |(_, steps)| put(&steps, offset))?;
                }
            }
            None if segment_path(journal, segment).exists() => {
                each_ended(journal, segment, |ended| put(&ended.steps, ended.offset))?;
            }
            // What ended in it cannot be read; each of these hands says so.
            None => {}
        }
    }
    Ok(())
}
