//! A hand and the calls that led to it: the same calls lead to the same answers, at any time.

use std::collections::BTreeMap;

use serde_json::json;
use zeroize::Zeroizing;

use crate::calls::answer::{self, LoggedEntry};
use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::hand::{Hand, Happened};
use crate::calls::{LookKind, Move, MoveKind};
use crate::journal::record::KeptStep;
use crate::journal::remains::HandRest;
use crate::service::CallAnswer;
use crate::service::receipts::{Receipts, kept};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::key::HandKey;
use deckproof_stud::stud::seat::Seat;
use deckproof_table::table::link;
use deckproof_table::table::restore::EndedHand;
use deckproof_table::table::{DealtHand, TableName, VoidedHand};
use deckproof_verify::log::beacon::CheckedRounds;
use deckproof_verify::log::entry::Entry;

/// The calls of one hand, in their order.
pub struct HandSteps<'a> {
    /// What reads the log.
    pub receipts: &'a Receipts,
    /// The table.
    pub table: &'a str,
    /// The hand.
    pub hand: u64,
    /// Its calls.
    pub steps: &'a [KeptStep],
    /// What is left of the hand, if its key is in the vault.
    pub rest: Option<&'a HandRest>,
}

/// The key of a hand once more.
pub fn copy(key: &HandKey) -> HandKey {
    HandKey::from_bytes(*key.bytes())
}

/// The hand after these calls, and what the last one led to. Signatures of the beacon were checked when they were carried out.
///
/// # Errors
/// [`CallFault`] if they do not fit together.
pub fn replay(
    name: &TableName,
    hand: u64,
    steps: &[KeptStep],
    rest: Option<&HandRest>,
) -> Result<(Hand, Happened), CallFault> {
    let [first, others @ ..] = steps else { return Err(kept("it has no first step")) };
    let (mut played, mut happened) = match rest {
        None => {
            let key = first.key.as_ref().ok_or_else(|| kept("it has no key"))?;
            Hand::begin(name, hand, &first.step.kind, copy(key))?
        }
        Some(rest) => {
            let part = rest.part().ok_or_else(|| kept("its leaves are none"))?;
            Hand::begin_again(name, hand, &first.step.kind, part)?
        }
    };
    for step in others {
        happened = played.apply(&step.step.kind, &mut CheckedRounds::trusting())?;
    }
    Ok((played, happened))
}

impl HandSteps<'_> {
    fn name(&self) -> Result<TableName, CallFault> {
        TableName::new(self.receipts.origin(), self.table).map_err(kept)
    }

    /// The answer that a call was given when it was carried out.
    ///
    /// # Errors
    /// [`CallFault`]: another call stands in its place.
    pub fn again(&self, step: &Move) -> CallAnswer {
        let number = step.place.step as usize;
        let found = number.checked_sub(1).and_then(|index| self.steps.get(index));
        match found {
            Some(found) if self.is_same(&found.step, step)? => {
                let (_, happened) = replay(&self.name()?, self.hand, &self.steps[..number], self.rest)?;
                let logged = self.logged(found)?;
                Ok(answer::moved(&step.place, &happened, logged.as_ref()))
            }
            Some(_) => Err(CallFaultKind::OtherCall.fault("another call was carried out in this place")),
            None => Err(CallFaultKind::OutOfTurn.fault("the hand has ended, and has no such step")),
        }
    }

    /// Whether a call is the one that was carried out. Of a deck that was made elsewhere and is in the vault, the cards that
    /// were dealt are compared, for the others are not known here.
    fn is_same(&self, found: &Move, step: &Move) -> Result<bool, CallFault> {
        let (Some(rest), MoveKind::Commit { mix, deck }) = (self.rest, &step.kind) else {
            return Ok(found == step);
        };
        let without = Move { place: step.place.clone(), kind: MoveKind::Commit { mix: *mix, deck: None } };
        if *found != without || deck.is_some() != rest.has_own_deck {
            return Ok(false);
        }
        let Some(deck) = deck else { return Ok(true) };
        let part = rest.part().ok_or_else(|| kept("its leaves are none"))?;
        Ok((0..DECK_CARDS).all(|place| part.card(place).is_none_or(|card| card == deck.card(place))))
    }

    /// Where the log has the entry of a step, proven under the checkpoint it was published with.
    fn logged(&self, step: &KeptStep) -> Result<Option<LoggedEntry>, CallFault> {
        let Some(index) = step.index else { return Ok(None) };
        let reader = match &step.seen {
            Some(note) => self.receipts.under(note)?,
            None => self.receipts.reader(step.tree)?,
        };
        let receipt = reader.receipt(index).map_err(kept)?;
        Ok(Some(LoggedEntry { index, receipt: receipt.to_string() }))
    }

    /// What is looked up.
    pub fn look(&self, kind: &LookKind) -> CallAnswer {
        match kind {
            LookKind::Receipt(entry) => self.receipt(entry),
            LookKind::Bundle { seat, link } => self.bundle(*seat, link.as_deref()),
        }
    }

    /// The receipt of an entry, as it was given out.
    fn receipt(&self, entry: &str) -> CallAnswer {
        let none = || CallFaultKind::Unknown.fault(format!("hand {} has no {entry} entry", self.hand));
        let step = self.steps.iter().find(|step| step.step.kind.entry() == Some(entry));
        let LoggedEntry { index, receipt } = self.logged(step.ok_or_else(none)?)?.ok_or_else(none)?;
        let answer = json!({
            "table": self.table, "hand": self.hand, "entry": entry, "index": index, "receipt": receipt,
        });
        Ok(Zeroizing::new(answer.to_string()))
    }

    /// Proofs of all entries: of an opening that witnesses saw under the checkpoint that they saw, of all others under that of the end.
    fn proofs(&self) -> Result<BTreeMap<&'static str, String>, CallFault> {
        let end = self.steps.last().ok_or_else(|| kept("it has no step"))?;
        let reader = self.receipts.reader(end.tree)?;
        let mut proofs = BTreeMap::new();
        for step in self.steps {
            let Some((index, kind)) = step.index.zip(step.step.kind.entry()) else { continue };
            let seen = step.seen.as_ref().map(|note| self.receipts.under(note)).transpose()?;
            let receipt = seen.as_ref().unwrap_or(&reader).receipt(index);
            proofs.insert(kind, receipt.map_err(kept)?.to_string());
        }
        Ok(proofs)
    }

    /// What is handed out: of a closed hand a bundle, of a voided one its entries, or to an arbiter the void form.
    fn bundle(&self, seat: Option<Seat>, link: Option<&str>) -> CallAnswer {
        let seats = self.steps.iter().find_map(|step| match &step.step.kind {
            MoveKind::Open(opening) => Some(&opening.seats),
            _ => None,
        });
        if let Some(seat) = seat
            && seats.is_some_and(|seats| !seats.contains(&seat))
        {
            return Err(
                CallFaultKind::Unknown.fault(format!("hand {} was not dealt to seat {seat}", self.hand))
            );
        }
        if seat.is_none() && self.rest.is_some() {
            return Err(CallFaultKind::Unknown.fault(format!(
                    "what opens hand {} went to the vault: deckproof vault open opens it, with two keys, as long as its shares are kept",
                    self.hand
                ),
            ));
        }
        let (hand, _) = replay(&self.name()?, self.hand, self.steps, self.rest)?;
        let not_ended = || CallFaultKind::OutOfTurn.fault(format!("hand {} has not ended", self.hand));
        match hand.ended().ok_or_else(not_ended)?.with_proofs(self.proofs()?) {
            EndedHand::Closed(dealt, shown_down) => self.closed(&dealt, &shown_down, (seat, link)),
            EndedHand::Voided(voided) => self.voided(&voided, seat),
        }
    }

    fn closed(
        &self,
        dealt: &DealtHand,
        shown_down: &[Seat],
        (seat, link): (Option<Seat>, Option<&str>),
    ) -> CallAnswer {
        let bundle = match seat {
            Some(seat) => dealt.seat_bundle(seat, shown_down),
            None => dealt.full_bundle(),
        };
        let Some(address) = link else { return Ok(self.answer(&bundle)) };
        let link = link::of_bundle(address, bundle.as_bytes()).map_err(kept)?;
        let answer = json!({ "table": self.table, "hand": self.hand, "bundle": &*bundle, "link": link });
        Ok(Zeroizing::new(answer.to_string()))
    }

    fn answer(&self, bundle: &str) -> Zeroizing<String> {
        Zeroizing::new(json!({ "table": self.table, "hand": self.hand, "bundle": bundle }).to_string())
    }

    fn voided(&self, voided: &VoidedHand, seat: Option<Seat>) -> CallAnswer {
        if seat.is_none() {
            let never = || {
                CallFaultKind::Unknown
                    .fault("the hand was voided before it was opened: nothing of it is shown")
            };
            return Ok(self.answer(&voided.full_bundle().ok_or_else(never)?));
        }
        let reason = match Entry::parse(voided.void_entry()) {
            Ok(Entry::Void(void)) => void.reason,
            _ => return Err(kept("its void entry is none")),
        };
        let entries = [
            ("deck", Some(voided.deck_entry())),
            ("open", voided.open_entry()),
            ("cut", voided.cut_entry()),
            ("void", Some(voided.void_entry())),
        ];
        let entries: BTreeMap<&str, &str> =
            entries.into_iter().filter_map(|(kind, text)| Some((kind, text?))).collect();
        let answer = json!({
            "table": self.table, "hand": self.hand, "voided": reason, "entries": entries, "proofs": self.proofs()?,
        });
        Ok(Zeroizing::new(answer.to_string()))
    }
}
