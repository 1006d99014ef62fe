//! The last segment read again: tables, hands under way, and what the log may have lost.

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use crate::calls::hand::Hand;
use crate::journal::record::{KeptStep, Line};
use crate::service::steps::copy;
use crate::service::tables::{Playing, ServedTable};
use crate::service::unsynced::QuietFiles;
use crate::service::{ServiceError, log_folder};
use deckproof_table::log_folder::Log;
use deckproof_table::log_folder::files::{Files, in_folder};
use deckproof_table::table::TableName;
use deckproof_verify::log::beacon::CheckedRounds;
use deckproof_verify::log::checkpoint::Checkpoint;
use deckproof_verify::log::tree::TreeHead;
use deckproof_verify::log::vkey::Signer;

/// What the journal says while it is read.
pub struct JournalReplay {
    /// The tables by name.
    pub tables: HashMap<String, ServedTable>,
    /// The log, its files, and its tree when the segment began.
    pub log: Option<(Log, Rc<QuietFiles>, TreeHead)>,
    /// The tree that the last step names.
    pub last_tree: Option<TreeHead>,
    /// Hands that ended in this segment: table, number, and where the last step lies.
    pub ended: Vec<(String, u64, u64)>,
    /// The checkpoint that lies in the log, which the journal must lead to.
    pub shown: Option<TreeHead>,
    /// The key of the log.
    pub signer: Arc<Signer>,
    /// The folder of the service.
    pub folder: PathBuf,
}

/// Journal and log do not belong together.
pub fn unfit(problem: impl Into<String>) -> ServiceError {
    ServiceError::Unfit(problem.into())
}

impl JournalReplay {
    /// Takes the next line.
    pub fn line(&mut self, offset: u64, line: Line) -> Result<(), ServiceError> {
        match line {
            Line::Base { origin, tree } => self.base(&origin, tree),
            Line::Table { table, ended } => {
                self.place(&table)?.ended = ended;
                Ok(())
            }
            Line::Step(step) => self.step(offset, *step),
            Line::Entry { index, tree, text } => {
                self.last_tree = Some(tree);
                self.logged(offset, Some(index), Some(&text))
            }
        }
    }

    fn base(&mut self, origin: &str, tree: TreeHead) -> Result<(), ServiceError> {
        if origin != self.signer.name() {
            return Err(unfit(format!(
                "the journal is of the log {origin:?}, the key of {:?}",
                self.signer.name()
            )));
        }
        let note = self.signer.sign(&Checkpoint { origin: origin.to_owned(), tree }.to_string());
        let files = Rc::new(QuietFiles::of(in_folder(&log_folder(&self.folder)), note.to_string()));
        let shown = self.shown.map_or(0, |shown| shown.size);
        let log = Log::open_files(Rc::clone(&files) as Rc<dyn Files>).map_err(|error| match error {
            // The journal has only the entries from here on.
            _ if shown < tree.size => unfit(format!(
                "log/ holds {shown} entries, and the journal goes on after {}: log/ is cut or an older copy. Put the newest copy of it back",
                tree.size
            )),
            error => error.into(),
        })?;
        self.log = Some((log, files, tree));
        self.last_tree = Some(tree);
        self.check_shown(tree)
    }

    /// The checkpoint that was shown is one the journal leads to.
    fn check_shown(&self, tree: TreeHead) -> Result<(), ServiceError> {
        match self.shown {
            Some(shown) if shown.size == tree.size && shown.root != tree.root => {
                Err(unfit("the checkpoint of the log is not the one that the journal leads to"))
            }
            _ => Ok(()),
        }
    }

    fn place(&mut self, table: &str) -> Result<&mut ServedTable, ServiceError> {
        let name = TableName::new(self.signer.name(), table).map_err(|error| unfit(error.to_string()))?;
        Ok(self.tables.entry(table.to_owned()).or_insert_with(|| ServedTable::new(name)))
    }

    fn step(&mut self, offset: u64, step: KeptStep) -> Result<(), ServiceError> {
        let table = step.step.place.table.clone();
        let broken = |problem: &str| unfit(format!("the journal, byte {offset}: {problem}"));
        // A hand that was under way when the segment began brings older trees along.
        if self.last_tree.is_none_or(|last| last.size < step.tree.size) {
            self.last_tree = Some(step.tree);
        }
        let place = self.place(&table)?;
        if let Some(playing) = &mut place.playing
            && playing.is_seen(&step)
        {
            playing.steps.pop();
            playing.steps.push(step);
            playing.last = offset;
            return Ok(());
        }
        let happened = match &mut place.playing {
            None => {
                let number = place.ended + 1;
                let key = step.key.as_ref().map(copy).ok_or_else(|| broken("no key"))?;
                let begun = Hand::begin(&place.name, number, &step.step.kind, key);
                let (hand, happened) = begun.map_err(|fault| broken(&fault.message))?;
                place.playing = Some(Playing::new(number, hand));
                happened
            }
            Some(playing) => playing
                .hand
                .apply(&step.step.kind, &mut CheckedRounds::trusting())
                .map_err(|fault| broken(&fault.message))?,
        };
        let playing = place.playing.as_mut().expect("it was begun above, or before");
        let is_place =
            step.step.place.hand == playing.number && step.step.place.step == playing.steps.len() as u64 + 1;
        let (is_end, index, number) = (step.step.kind.is_end(), step.index, playing.number);
        playing.steps.push(step);
        playing.last = offset;
        if is_end {
            place.ended = number;
            place.playing = None;
            self.ended.push((table, number, offset));
        }
        if !is_place {
            return Err(broken("a step in another place"));
        }
        self.logged(offset, index, happened.entry())
    }

    fn logged(&mut self, offset: u64, index: Option<u64>, entry: Option<&str>) -> Result<(), ServiceError> {
        self.entry(index, entry).map_err(|problem| match problem {
            Some(error) => error,
            None => {
                unfit(format!("the journal, byte {offset}: an entry that is not the next one of the log"))
            }
        })
    }

    /// Adds what the log may have lost.
    fn entry(&mut self, index: Option<u64>, entry: Option<&str>) -> Result<(), Option<ServiceError>> {
        let (index, text) = match (index, entry) {
            (None, None) => return Ok(()),
            (Some(index), Some(text)) => (index, text),
            _ => return Err(None),
        };
        let Some((log, _, base)) = &mut self.log else { return Err(None) };
        if index < base.size {
            return Ok(());
        }
        if index != log.size() {
            return Err(None);
        }
        log.append(text).map_err(|error| Some(error.into()))?;
        match self.shown {
            Some(shown) if shown.size == index + 1 => {
                let tree = log.tree_with([]);
                self.check_shown(tree).map_err(Some)
            }
            _ => Ok(()),
        }
    }
}
