//! A hand opened again with what came out of the vault: checked against the log before anything of it is shown.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::calls::MoveKind;
use crate::calls::fault::CallFault;
use crate::calls::hand::{Hand, Happened};
use crate::journal::record::KeptStep;
use crate::service::ended_hands::{Past, PastHand, PastHands};
use crate::service::engine::{Engine, Parts};
use crate::service::{ServiceError, log_folder, ownership};
use deckproof_deck::text::visible;
use deckproof_table::log_folder::LogError;
use deckproof_table::log_folder::reader::LogReader;
use deckproof_table::table::TableName;
use deckproof_vault::vault::secrets::VaultedHand;
use deckproof_vault::vault::{Vault, VaultError, holders::Identities};
use deckproof_verify::log::beacon::CheckedRounds;
use deckproof_verify::log::entry::UnsealEntry;
use deckproof_verify::log::vkey::Signer;
use deckproof_verify::verify::{Statements, verify_bundle};

/// Why a hand is not opened. Holds nothing secret.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The vault.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The hand.
    #[error(transparent)]
    Hand(#[from] CallFault),
    /// It is not in the vault.
    #[error("{0}")]
    NotThere(String),
    /// What came out of the vault does not open what the log committed to.
    #[error("{0}")]
    Contradiction(String),
}

impl OpeningError {
    /// Whether the vault contradicts the log. A key that does not fit and a share that is damaged contradict nothing.
    pub fn is_refusal(&self) -> bool {
        matches!(self, OpeningError::Contradiction(_))
    }
}

/// A hand whose 52 cards can be opened, and as the log has it.
///
/// No `Debug`, `Display` or `Clone`.
pub struct VaultOpening {
    /// The full reveal.
    pub bundle: Zeroizing<String>,
    /// What the log is to hold of this opening.
    pub unseal: UnsealEntry,
}

/// Opens a hand with the keys of two people, at a time and for a reason.
///
/// # Errors
/// [`OpeningError`]; nothing is written in any case.
pub fn open_hand(
    folder: &Path,
    (table, hand): (&str, u64),
    people: &[Identities; 2],
    (time, reason): (u64, &str),
) -> Result<VaultOpening, OpeningError> {
    let (vault, log) = (Vault::of(folder), LogReader::open(&log_folder(folder))?);
    let ended = PastHands::of(folder).get(table, hand)?;
    let not_there = |why: &str| OpeningError::NotThere(format!("hand {hand} at table {table} {why}"));
    if ended.rest.is_none() {
        return Err(not_there("is not in the vault yet: the service that dealt it still opens it"));
    }
    if vault.is_removed(ended.segment)? {
        return Err(not_there("cannot be opened any more: its shares were removed for good"));
    }
    let opened = vault.open(ended.segment, people)?;
    let secret = opened.secrets.take(table, hand);
    let secret = secret.ok_or_else(|| {
        OpeningError::NotThere(format!("the shares open other hands, wanted hand {hand} at table {table}"))
    })?;
    let bundle = whole_bundle(&log, ended, secret)?;
    let unseal = UnsealEntry {
        origin: log.checkpoint().origin.clone(),
        table: table.to_owned(),
        hand,
        time,
        holders: opened.holders,
        reason: reason.to_owned(),
    };
    Ok(VaultOpening { bundle, unseal })
}

/// Puts an opening into the log of a folder on which no service runs, and returns its place there.
///
/// # Errors
/// [`ServiceError`]; also of a folder on which a service runs, and of a copy.
pub fn append_unseal(
    folder: &Path,
    key_path: &Path,
    signer: Signer,
    unseal: UnsealEntry,
) -> Result<u64, ServiceError> {
    let lock = ownership::lock(folder)?;
    let signer = Arc::new(signer);
    let parts = Parts {
        folder: folder.to_owned(),
        key_path: key_path.to_owned(),
        past: Past::of(folder, Arc::clone(&signer)),
        signer,
        meters: Arc::default(),
        showing: Arc::default(),
        // One entry begins no segment.
        segment_bytes: u64::MAX / 2,
        // Hands that ended wait for the service.
        vault: None,
    };
    let mut engine = Engine::open(&parts, None)?;
    let index = engine.log_size();
    let appended = engine.unseal(unseal)?;
    engine.note_signed(true)?;
    drop(lock);
    appended.map(|_| index).map_err(|fault| ServiceError::Unfit(fault.message))
}

/// The full reveal, if every entry that the secret leads to is the one in the log.
fn whole_bundle(
    log: &LogReader,
    ended: PastHand,
    secret: VaultedHand,
) -> Result<Zeroizing<String>, OpeningError> {
    let VaultedHand { table, hand, key, deck } = secret;
    let PastHand { mut steps, .. } = ended;
    let name = TableName::new(&log.checkpoint().origin, &table)
        .map_err(|error| OpeningError::NotThere(error.to_string()))?;
    let lost = || OpeningError::NotThere(format!("hand {hand} at table {table}: its first call is missing"));
    let Some(KeptStep { step: first, .. }) = steps.first_mut() else { return Err(lost()) };
    let MoveKind::Commit { deck: own, .. } = &mut first.kind else { return Err(lost()) };
    *own = deck;
    let (mut played, mut happened) = Hand::begin(&name, hand, &first.kind, key)?;
    let mut proofs = BTreeMap::new();
    for (number, step) in steps.iter().enumerate() {
        if number > 0 {
            happened = played.apply(&step.step.kind, &mut CheckedRounds::trusting())?;
        }
        let Happened::Entry { kind, text, .. } = &happened else { continue };
        let Some(index) = step.index else { continue };
        if log.entry(index)? != *text {
            let problem = format!(
                "what the vault holds of hand {hand} at table {table} leads to another {kind} entry than the one with \
                 index {index} in the log"
            );
            return Err(OpeningError::Contradiction(problem));
        }
        proofs.insert(*kind, receipt(log, step)?);
    }
    let bundle = played.ended().and_then(|hand| hand.with_proofs(proofs).full_bundle());
    let bundle = bundle.ok_or_else(|| {
        OpeningError::NotThere(format!(
            "hand {hand} at table {table} was voided before it was opened: nothing of it is shown"
        ))
    })?;
    match verify_bundle(bundle.as_bytes(), None, &Statements::default()) {
        Ok(_) => Ok(bundle),
        Err(refusal) => {
            let message = visible(&refusal.message).into_owned();
            Err(OpeningError::Contradiction(format!("{}, {}: {message}", refusal.code, refusal.place)))
        }
    }
}

/// The proof of the entry of a step, under the checkpoint that witnesses saw where they saw it.
///
/// # Errors
/// [`LogError`].
pub fn receipt(log: &LogReader, step: &KeptStep) -> Result<String, LogError> {
    let index = step.index.ok_or(LogError::Missing)?;
    let receipt = match &step.seen {
        Some(note) => log.under(note)?.receipt(index),
        None => log.receipt(index),
    };
    Ok(receipt?.to_string())
}
