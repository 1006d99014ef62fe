//! The work of a project: audits, raw output, selftest, attachments; each is there whole, or is made.

use std::fs;
use std::io;
use std::path::Path;

use crate::external;
use crate::project::folder::{PackageFolder, WORK, cannot_write};
use crate::project::frozen::{Asked, Frozen, FrozenAudit, FrozenRaw, asked};
use crate::project::package::FILE_BYTES_MAX;
use crate::project::package::inputs::{
    amendments_text, certificate_name, external_name, raw_name, selftest_text,
};
use crate::project::raw;
use crate::project::run::{self, examine};
use crate::project::settings::Project;
use crate::project::supplied_decks::gzip::packed;
use crate::project::supplied_decks::{is_gone, kept_name};
use deckproof_audit::certificate::{AuditResult, Certificate, Tool};
use deckproof_audit::session::{Session, SessionError, Watch};
use deckproof_deck::key::AuditKey;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::read_limited;

/// The program that carries a project out.
pub struct CertifyProgram<'a> {
    /// As certificates name it.
    pub tool: &'a dyn Fn() -> Tool,
    /// How many threads count.
    pub threads: usize,
    /// The names of the pages that it writes.
    pub pages: Vec<String>,
    /// Gets a line before each audit.
    pub tell: &'a dyn Fn(&str),
    /// Whoever listens to an audit, until it ends.
    pub watch: &'a dyn Fn(&Session) -> Box<dyn Watch>,
}

impl PackageFolder {
    /// Does what is not done yet.
    ///
    /// # Errors
    /// [`CouldNotSay`]: whatever keeps an audit from its end.
    pub fn carry_out(
        &self,
        project: &Project,
        text: &str,
        frozen: &Frozen,
        by: &CertifyProgram,
    ) -> Result<(), CouldNotSay> {
        self.attach(project)?;
        let said = &project.language.words().campaign;
        let (asked, all) = (asked(project), frozen.audits.len() as u64);
        for (place, (asked, audit)) in asked.iter().zip(&frozen.audits).enumerate() {
            if self.has(&certificate_name(&audit.id)) {
                continue;
            }
            let place = place as u64 + 1;
            (by.tell)(&match audit.plan.decks {
                Some(decks) => said.runs_decks(place, all, &audit.id, decks),
                None => said.runs(place, all, &audit.id),
            });
            self.audit(asked, audit, by)?;
        }
        for asked in frozen.raw.iter().filter(|asked| !self.has(&raw_name(&asked.item))) {
            self.raw(asked)?;
        }
        if !self.has("selftest.json") {
            self.write(
                "selftest.json",
                selftest_text(&examine(frozen.selftest, (by.tool)(), by.threads)?).as_bytes(),
            )?;
        }
        if !self.has("amendments.json") {
            self.write("amendments.json", amendments_text(&[]).as_bytes())?;
        }
        self.write_runs(&self.runs((by.tool)(), by.pages.clone())?)?;
        self.write("project.toml", text.as_bytes())
    }

    /// Takes a copy of every result of others, before hours are spent on a project that one of them would end.
    fn attach(&self, project: &Project) -> Result<(), CouldNotSay> {
        for own in &project.external {
            let (name, path) = (external_name(own.name()), Path::new(&own.file));
            if !path.exists() && self.has(&name) {
                continue;
            }
            let failed = |error: &dyn std::fmt::Display| {
                CouldNotSay::new(format!("{}: {error}", path.display()), "Nothing was drawn.")
            };
            let bytes = read_limited(path, FILE_BYTES_MAX).map_err(|error| failed(&error))?;
            if let Some(program) = own.program {
                external::read(program, &bytes).map_err(|error| failed(&error))?;
            }
            self.write(&name, &bytes)?;
        }
        Ok(())
    }

    /// One audit, from its checkpoint on. The certificate is there before the checkpoint goes. What cannot go on, or goes
    /// on with other decks, begins again: the report says how often.
    fn audit(&self, asked: &Asked, audit: &FrozenAudit, by: &CertifyProgram) -> Result<(), CouldNotSay> {
        let work = |ending: &str| self.path.join(WORK).join(format!("{}.{ending}", audit.id));
        let (begun, checkpoint, decks) = (work("begun"), work("checkpoint"), work("decks"));
        let keep = asked.item.keep_stream.then_some(decks.as_path());
        let resumes = audit.plan.source.abilities().resume.is_ok();
        let was_begun = begun.exists();
        self.write(&format!("{WORK}/{}.begun", audit.id), b"")?;
        let mut session = run::begin(asked, audit, Some(&checkpoint), keep)?;
        let is_new = session.decks_counted() == 0 && !session.is_in_repeat();
        // A source with a key gives the same decks again, wherever it begins.
        if was_begun && is_new && is_gone(&audit.plan.source) {
            self.count_aborted(audit, by)?;
        }
        let mut answered = answer(&mut session, by);
        if answered.as_ref().is_err_and(SessionError::is_of_other_stream) {
            drop(session);
            remove(&checkpoint)?;
            self.count_aborted(audit, by)?;
            session = run::begin(asked, audit, Some(&checkpoint), keep)?;
            answered = answer(&mut session, by);
        }
        let result = answered.map_err(|error| {
            let CouldNotSay(text) = error.into();
            CouldNotSay(format!("{}: {text}", audit.id))
        })?;
        if let Some(path) = keep {
            let packed = packed(path).map_err(|error| cannot_write(path, &error))?;
            self.write(&kept_name(&audit.id), &packed)?;
        }
        let certificate = Certificate { result, tool: (by.tool)() };
        self.write(&certificate_name(&audit.id), certificate.to_json().as_bytes())?;
        remove(&decks)?;
        remove(&begun)?;
        if resumes { session.end().map_err(CouldNotSay::from) } else { Ok(()) }
    }

    fn count_aborted(&self, audit: &FrozenAudit, by: &CertifyProgram) -> Result<(), CouldNotSay> {
        let mut runs = self.runs((by.tool)(), by.pages.clone())?;
        *runs.aborted.entry(audit.id.clone()).or_default() += 1;
        self.write_runs(&runs)
    }

    fn raw(&self, asked: &FrozenRaw) -> Result<(), CouldNotSay> {
        let key: AuditKey = asked
            .key
            .parse()
            .map_err(|error| CouldNotSay::new(format!("the raw output of {}: {error}", asked.item), ""))?;
        let record = raw::count(asked, &key);
        self.write(&raw_name(&asked.item), record.to_json().as_bytes())
    }
}

/// Counts an audit, listened to.
fn answer(session: &mut Session, by: &CertifyProgram) -> Result<AuditResult, SessionError> {
    let watch = (by.watch)(session);
    session.answer(by.threads, watch.as_ref())
}

/// Takes a file away, if it is there.
fn remove(path: &Path) -> Result<(), CouldNotSay> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(path, &error)),
        _ => Ok(()),
    }
}
