//! The work of a campaign: audits, raw output, selftest, attachments; each is there whole, or is made.

use std::fs;
use std::path::Path;

use crate::campaign::folder::{PackageFolder, WORK};
use crate::campaign::frozen::{Asked, Frozen, FrozenAudit, FrozenRaw, asked};
use crate::campaign::package::FILE_BYTES_MAX;
use crate::campaign::package::files::sha256;
use crate::campaign::package::inputs::{
    amendments_text, certificate_name, external_name, raw_name, selftest_text,
};
use crate::campaign::project::Project;
use crate::campaign::raw;
use crate::campaign::run::{self, examine};
use crate::certificate::Certificate;
use crate::cli::audit::progress::Progress;
use crate::cli::certify::Arguments;
use crate::cli::{screen, tool};
use crate::external;
use crate::file::read_limited;
use crate::key::AuditKey;
use crate::math::decimal::thousands;
use crate::presentation::laboratory::page_names;
use crate::text::could_not_say::CouldNotSay;

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
        arguments: &Arguments,
    ) -> Result<(), CouldNotSay> {
        self.attach(project)?;
        let threads = tool::threads(arguments.threads);
        let (asked, all) = (asked(project), frozen.audits.len());
        for (place, (asked, audit)) in asked.iter().zip(&frozen.audits).enumerate() {
            if self.has(&certificate_name(&audit.id)) {
                continue;
            }
            if !arguments.quiet {
                let decks = audit.plan.decks.map_or("all".to_owned(), thousands);
                screen::warn(&format!(
                    "{} of {all}: {}, {decks} decks, {}",
                    place + 1,
                    audit.id,
                    audit.plan.extent()
                ));
            }
            self.audit(asked, audit, threads, arguments.quiet)?;
        }
        for asked in frozen.raw.iter().filter(|asked| !self.has(&raw_name(&asked.item))) {
            self.raw(asked)?;
        }
        if !self.has("selftest.json") {
            self.write(
                "selftest.json",
                selftest_text(&examine(frozen.selftest, tool::describe(), threads)?).as_bytes(),
            )?;
        }
        if !self.has("amendments.json") {
            self.write("amendments.json", amendments_text(&[]).as_bytes())?;
        }
        self.write_runs(&self.runs(tool::describe(), page_names())?)?;
        self.write("project.toml", text.as_bytes())
    }

    /// Takes a copy of every result of others, before hours are spent on a campaign that one of them would end.
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

    /// One audit, from its checkpoint on. The certificate is there before the checkpoint goes.
    fn audit(
        &self,
        asked: &Asked,
        audit: &FrozenAudit,
        threads: usize,
        is_quiet: bool,
    ) -> Result<(), CouldNotSay> {
        let resumes = audit.plan.source.abilities().resume.is_ok();
        let work = |ending: &str| self.path.join(WORK).join(format!("{}.{ending}", audit.id));
        let begun = work("begun");
        if !resumes {
            // What cannot go on begins again, on other decks perhaps: the report says how often.
            if begun.exists() {
                let mut runs = self.runs(tool::describe(), page_names())?;
                *runs.aborted.entry(audit.id.clone()).or_default() += 1;
                self.write_runs(&runs)?;
            }
            self.write(&format!("{WORK}/{}.begun", audit.id), b"")?;
        }
        let mut session = run::begin(asked, audit, Some(&work("checkpoint")))?;
        let progress = Progress::start(&session, is_quiet);
        let answered = session.answer(threads, &progress);
        progress.end();
        let result = answered.map_err(|error| {
            let CouldNotSay(text) = error.into();
            CouldNotSay(format!("{}: {text}", audit.id))
        })?;
        let certificate = Certificate { result, tool: tool::describe() };
        self.write(&certificate_name(&audit.id), certificate.to_json().as_bytes())?;
        if resumes {
            return session.end().map_err(CouldNotSay::from);
        }
        fs::remove_file(&begun).map_err(|error| CouldNotSay::new(format!("{}: {error}", begun.display()), ""))
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

/// SHA-256 of the bytes of a file of the package.
pub(super) fn sha256_of(folder: &Path, name: &str) -> Result<String, CouldNotSay> {
    let path = folder.join(name);
    let bytes = read_limited(&path, FILE_BYTES_MAX)
        .map_err(|error| CouldNotSay::new(format!("{}: {error}", path.display()), ""))?;
    Ok(sha256(&bytes))
}
