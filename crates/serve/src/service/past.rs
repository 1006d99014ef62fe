//! Hands that have ended, read from the journal: they change no more, and any thread reads them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::{LookKind, Move};
use crate::journal::places::{LinePlace, Places};
use crate::journal::read_line;
use crate::journal::record::{KeptStep, Line};
use crate::service::receipts::{Receipts, kept};
use crate::service::steps::HandSteps;
use crate::service::{CallAnswer, log_folder};
use deckproof_verify::ledger::vkey::Signer;

/// Reads what has ended.
#[derive(Clone)]
pub struct Past {
    journal: PathBuf,
    places: Places,
    receipts: Receipts,
}

impl Past {
    /// The hands of a folder.
    pub fn of(folder: &Path, signer: Arc<Signer>) -> Past {
        let secret = folder.join("secret");
        Past {
            journal: secret.join("journal"),
            places: Places::of(&secret.join("places")),
            receipts: Receipts::of(&log_folder(folder), signer),
        }
    }

    /// Whether a hand has ended.
    pub fn has(&self, table: &str, hand: u64) -> bool {
        self.places.get(table, hand).is_ok_and(|place| place.is_some())
    }

    /// A call that was carried out in a hand that has ended: the same answer again.
    ///
    /// # Errors
    /// [`CallFault`].
    pub fn again(&self, step: &Move) -> CallAnswer {
        let steps = self.steps(&step.place.table, step.place.hand)?;
        self.view(&step.place.table, step.place.hand, &steps).again(step)
    }

    /// A call that changes nothing, about a hand that has ended.
    ///
    /// # Errors
    /// [`CallFault`].
    pub fn look(&self, look: &LookKind) -> CallAnswer {
        match look {
            LookKind::Receipt { table, hand, entry } => {
                let steps = self.steps(table, *hand)?;
                self.view(table, *hand, &steps).receipt(entry)
            }
            LookKind::Bundle { table, hand, seat, link } => {
                let steps = self.steps(table, *hand)?;
                self.view(table, *hand, &steps).bundle(*seat, link.as_deref())
            }
            LookKind::Status { .. } => Err(CallFault::new(CallFaultKind::Stopped, "this service only reads")),
        }
    }

    /// The steps of a hand, as whoever holds them.
    pub fn view<'a>(&'a self, table: &'a str, hand: u64, steps: &'a [KeptStep]) -> HandSteps<'a> {
        HandSteps { receipts: &self.receipts, table, hand, steps }
    }

    fn steps(&self, table: &str, hand: u64) -> Result<Vec<KeptStep>, CallFault> {
        let place = self.places.get(table, hand).map_err(|error| kept(&error.to_string()))?;
        let unknown = || {
            CallFault::new(CallFaultKind::Unknown, format!("table {table} has no hand {hand} that has ended"))
        };
        let LinePlace { segment, offset } = place.ok_or_else(unknown)?;
        let (mut steps, mut next) = (Vec::new(), Some(offset));
        while let Some(offset) = next {
            let line = read_line(&self.journal, segment, offset).map_err(|error| kept(&error.to_string()))?;
            match line {
                Line::Step(step) if step.step.place.table == table && step.step.place.hand == hand => {
                    next = step.before.filter(|before| *before < offset);
                    steps.push(*step);
                }
                _ => return Err(kept("the journal holds another hand there")),
            }
        }
        steps.reverse();
        Ok(steps)
    }
}
