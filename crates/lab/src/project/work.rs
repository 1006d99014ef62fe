//! The work of a project: audits, raw output, selftest, attachments; each is there whole, or is made.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use crate::external;
use crate::external::run::{self as program, ProgramInput};
use crate::project::between::{self, BetweenAudits, Fingerprints};
use crate::project::folder::{PackageFolder, WORK, cannot_write, opened, unusable};
use crate::project::frozen::asked::{Asked, asked};
use crate::project::frozen::{Frozen, FrozenAudit, FrozenRaw};
use crate::project::logo::{self, LOGO};
use crate::project::package::FILE_BYTES_MAX;
use crate::project::package::files::pretty;
use crate::project::package::inputs::amendments::amendments_text;
use crate::project::package::inputs::{certificate_name, external_name, raw_name};
use crate::project::raw::{self, customer};
use crate::project::run::{self, examine};
use crate::project::settings::Project;
use crate::project::settings::run::{FILE, TestRun};
use crate::project::settings::supplied::{PairsFile, SuppliedKind};
use crate::project::supplied::pairs::{PairsRecord, pairs_name, table_name};
use crate::project::supplied::{WordsRecord, layout_of, words_name};
use crate::project::supplied_decks::gzip::packed;
use crate::project::supplied_decks::{is_gone, kept_name};
use crate::project::tested::{RUN_FORMAT, RunEnd, RunRecord, RunWords, output_name, run_name, run_words};
use deckproof_audit::certificate::{AuditResult, Certificate, Tool};
use deckproof_audit::collection;
use deckproof_audit::session::{Session, SessionError, Watch};
use deckproof_deck::key::AuditKey;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::visible_lines;
use deckproof_files::file::program::executable;
use deckproof_files::file::{if_there, read_limited, sha256};

/// What replaying a customer's table gives.
pub type PairsReplay = dyn Fn(&PairsFile, &[u8]) -> Result<PairsRecord, CouldNotSay>;

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
    /// The watcher of an audit, until it ends.
    pub watch: &'a dyn Fn(&Session) -> Box<dyn Watch>,
    /// Folders in which test programs are looked for, as `PATH` has them.
    pub search_path: OsString,
    /// Replays a customer's table of words beside decks; an error says what to name.
    pub replay: &'a PairsReplay,
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
        self.take_supplied(project, frozen, by)?;
        let words = &project.language.words().campaign;
        let (asked, all) = (asked(project), frozen.audits.len() as u64);
        for (place, (asked, audit)) in asked.iter().zip(&frozen.audits).enumerate() {
            if self.has(&certificate_name(&audit.id)) {
                continue;
            }
            let place = place as u64 + 1;
            (by.tell)(&match audit.plan.decks {
                Some(decks) => words.runs_decks(place, all, &audit.id, decks),
                None => words.runs(place, all, &audit.id),
            });
            self.audit(asked, audit, by)?;
        }
        for asked in frozen.raw.iter().filter(|asked| !self.has(&raw_name(&asked.item))) {
            self.raw(asked)?;
        }
        for asked in project.run.iter().filter(|asked| !self.has(&run_name(&asked.id))) {
            self.test(project, frozen, asked, by)?;
        }
        if !self.has("selftest.json") {
            let selftest = examine(frozen.selftest, (by.tool)(), by.threads)?;
            self.write("selftest.json", pretty(&selftest).as_bytes())?;
        }
        if !self.has("amendments.json") {
            self.write("amendments.json", amendments_text(&[]).as_bytes())?;
        }
        let runs = self.runs((by.tool)(), by.pages.clone())?;
        let between = self.between(frozen, runs.between.clone())?;
        self.write_runs(&runs.compared(between))?;
        self.write("project.toml", text.as_bytes())
    }

    /// Takes a copy of every result of others, before hours are spent on a project that one of them would end.
    fn attach(&self, project: &Project) -> Result<(), CouldNotSay> {
        if let Some(file) =
            project.laboratory.logo().filter(|file| Path::new(file).exists() || !self.has(LOGO))
        {
            let bytes = read_limited(Path::new(file), logo::BYTES_MAX).map_err(unusable(&file, NOT_DRAWN))?;
            logo::check(&bytes).map_err(unusable(&file, NOT_DRAWN))?;
            self.write(LOGO, &bytes)?;
        }
        for own in &project.external {
            let (name, path) = (external_name(own.name()), Path::new(&own.file));
            if !path.exists() && self.has(&name) {
                continue;
            }
            let bytes = read_limited(path, FILE_BYTES_MAX).map_err(unusable(&own.file, NOT_DRAWN))?;
            if let Some(program) = own.program {
                external::read(program, &bytes).map_err(unusable(&own.file, NOT_DRAWN))?;
            }
            self.write(&name, &bytes)?;
        }
        Ok(())
    }

    /// Counts the customer's words and replays his decks, before hours are spent on a campaign that cannot read one of them.
    fn take_supplied(
        &self,
        project: &Project,
        frozen: &Frozen,
        by: &CertifyProgram,
    ) -> Result<(), CouldNotSay> {
        let is_frozen = |item: &str, holds: SuppliedKind, file: &str, sha256: &str| {
            let mut own = frozen.supplied.iter();
            let is_it = own.any(|own| (&*own.item, own.holds, &*own.sha256) == (item, holds, sha256));
            is_it.then_some(()).ok_or(OTHER_FILE).map_err(unusable(&file, NOT_DRAWN))
        };
        for item in &project.item {
            if let Some(words) = item.words.as_ref().filter(|_| !self.has(&words_name(&item.id))) {
                let (layout, opened) = (layout_of(words), opened(&words.file, NOT_DRAWN)?);
                let counted = customer::count(opened, layout).map_err(unusable(&words.file, NOT_DRAWN))?;
                is_frozen(&item.id, SuppliedKind::Words, &words.file, &counted.sha256)?;
                let record = WordsRecord::of(&words.file, layout, &counted);
                self.write(&words_name(&item.id), pretty(&record).as_bytes())?;
            }
            if let Some(pairs) = item.pairs.as_ref().filter(|_| !self.has(&pairs_name(&item.id))) {
                let bytes = read_limited(Path::new(&pairs.file), FILE_BYTES_MAX)
                    .map_err(unusable(&pairs.file, NOT_DRAWN))?;
                is_frozen(&item.id, SuppliedKind::Pairs, &pairs.file, &sha256(&bytes))?;
                let record = (by.replay)(pairs, &bytes)?;
                self.write(&table_name(&item.id), &bytes)?;
                self.write(&pairs_name(&item.id), pretty(&record).as_bytes())?;
            }
        }
        Ok(())
    }

    /// Runs a test program of others on the words of an item, and keeps what it wrote.
    fn test(
        &self,
        project: &Project,
        frozen: &Frozen,
        asked: &TestRun,
        by: &CertifyProgram,
    ) -> Result<(), CouldNotSay> {
        let (run, advice) = (format!("the run {}", asked.id), "The same command goes on from here.");
        let item = project.item.iter().find(|item| item.id == asked.item);
        let item = item.expect("the project was read with its items");
        let words =
            run_words(frozen, asked).ok_or("its words were not frozen").map_err(unusable(&run, advice))?;
        let command = asked.command(item.words.is_some());
        let mut record = RunRecord {
            format: RUN_FORMAT.to_owned(),
            id: asked.id.clone(),
            command: command.clone(),
            end: RunEnd::NotInstalled,
            executable_sha256: None,
            words: words.clone(),
            time_limit_s: asked.time_limit_s,
            seconds: 0,
            bytes_given: 0,
            output_sha256: None,
            is_cut: false,
            messages: String::new(),
        };
        let own = &project.language.words().tested;
        let Some(path) = executable(&command[0], &by.search_path) else {
            (by.tell)(&own.not_installed(&asked.id, &command[0]));
            return self.write(&run_name(&asked.id), pretty(&record).as_bytes());
        };
        (by.tell)(&own.runs(&asked.id, &command.join(" "), asked.time_limit_s));
        let file = item.words.as_ref().map(|words| words.file.as_str());
        let key = match &words {
            RunWords::Key(key) => Some(key.parse::<AuditKey>().map_err(unusable(&run, advice))?),
            RunWords::File(_) => None,
        };
        let input = match (&words, file, &key) {
            (_, _, Some(key)) => ProgramInput::Words(Box::new(collection::words(key))),
            (RunWords::File(sha256), Some(file), None) => {
                // It was hashed when the plan was frozen; what is read now has to be the same.
                let read = File::open(file).map_err(unusable(&run, advice))?;
                if customer::sha256_of(read).map_err(unusable(&run, advice))? != *sha256 {
                    return Err(unusable(&file, NOT_DRAWN)(OTHER_FILE));
                }
                ProgramInput::File(File::open(file).map_err(unusable(&run, advice))?)
            }
            _ => return Err(unusable(&run, advice)("its file is not named")),
        };
        let typed = command[1..].iter().map(|word| word.replace(FILE, file.unwrap_or("")));
        let arguments: Vec<String> = typed.collect();
        let executable = File::open(&path).map_err(unusable(&run, advice))?;
        record.executable_sha256 = Some(customer::sha256_of(executable).map_err(unusable(&run, advice))?);
        let limit = Duration::from_secs(asked.time_limit_s);
        let ran = program::run(&path, &arguments, input, limit).map_err(unusable(&run, advice))?;
        record.end = match ran.status.map(|status| status.code()) {
            None => RunEnd::TimeLimit,
            Some(None) => RunEnd::Killed,
            Some(Some(code)) => RunEnd::Ended { code },
        };
        (record.seconds, record.bytes_given, record.is_cut) = (ran.seconds, ran.bytes_given, ran.is_cut);
        record.output_sha256 = Some(sha256(&ran.output));
        record.messages = visible_lines(&String::from_utf8_lossy(&ran.messages)).into_owned();
        self.write(&output_name(&asked.id), &ran.output)?;
        self.write(&run_name(&asked.id), pretty(&record).as_bytes())
    }

    /// One audit, from its checkpoint on. The certificate is there before the checkpoint goes. What cannot go on, or goes
    /// on with other decks, begins again: the report says how often.
    fn audit(&self, asked: &Asked, audit: &FrozenAudit, by: &CertifyProgram) -> Result<(), CouldNotSay> {
        let work = |ending: &str| self.path.join(WORK).join(format!("{}.{ending}", audit.id));
        let (begun, checkpoint, decks) = (work("begun"), work("checkpoint"), work("decks"));
        let keep = asked.item.keep_stream.then_some(decks.as_path());
        let resumes = audit.plan.source.abilities().resume.is_ok();
        self.check_files(
            asked.item,
            "Nothing was drawn. Put the listed files back, or choose another --out.",
        )?;
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
        let result = answered.map_err(run::unanswered(audit))?;
        // Decks of another program are not this item's, also where its files come back later.
        let changed = "Its decks were thrown away. Put the listed files back and type the command again, or choose another --out.";
        // Nothing is certified of records that hold each hand again.
        let once = result.check_held_once().map_err(run::unanswered(audit));
        if let Err(error) = self.check_files(asked.item, changed).and(once) {
            drop(session);
            remove(&checkpoint)?;
            remove(&decks)?;
            return Err(error);
        }
        if let Some(path) = keep {
            let packed = packed(path).map_err(|error| cannot_write(path, &error))?;
            self.write(&kept_name(&audit.id), &packed)?;
        }
        let seen = session.take_seen();
        self.write(&seen_name(&audit.id), &between::written(seen.as_ref()))?;
        let certificate = Certificate { result, tool: (by.tool)() };
        self.write(&certificate_name(&audit.id), certificate.to_json().as_bytes())?;
        remove(&decks)?;
        remove(&begun)?;
        if resumes { session.end().map_err(CouldNotSay::from) } else { Ok(()) }
    }

    /// Which audits have decks in common. Where some were counted by an earlier run that left no fingerprints, what that run
    /// found of those remains.
    fn between(
        &self,
        frozen: &Frozen,
        before: Option<BetweenAudits>,
    ) -> Result<Option<BetweenAudits>, CouldNotSay> {
        let audits = frozen.audits.iter().enumerate().map(|(place, audit)| (place, audit.id.as_str()));
        let counted: Vec<(usize, &str)> = audits.filter(|(_, id)| self.has(&seen_name(id))).collect();
        let is_all = counted.len() == frozen.audits.len();
        if before.is_some() && !is_all || counted.is_empty() {
            let anew: Vec<&str> = counted.iter().map(|(_, id)| *id).collect();
            return Ok(before.map(|before| before.without(&anew)));
        }
        let mut seen = Fingerprints::default();
        for (place, id) in counted {
            let path = self.path.join(seen_name(id));
            seen.read(place, &path).map_err(unusable(&path.display(), "Type the command again."))?;
        }
        Ok(Some(seen.between(frozen)))
    }

    fn count_aborted(&self, audit: &FrozenAudit, by: &CertifyProgram) -> Result<(), CouldNotSay> {
        let mut runs = self.runs((by.tool)(), by.pages.clone())?;
        *runs.aborted.entry(audit.id.clone()).or_default() += 1;
        self.write_runs(&runs)
    }

    fn raw(&self, asked: &FrozenRaw) -> Result<(), CouldNotSay> {
        let what = format!("the raw output of {}", asked.item);
        let key: AuditKey = asked.key.parse().map_err(unusable(&what, ""))?;
        let record = raw::count(asked, &key);
        self.write(&raw_name(&asked.item), pretty(&record).as_bytes())
    }
}

/// Where the fingerprints of an audit stand until all of them are compared.
fn seen_name(audit: &str) -> String {
    format!("{WORK}/{audit}.seen")
}

/// What follows where a file of the customer cannot be used.
const NOT_DRAWN: &str = "Nothing was drawn.";

/// Why a file of the customer is none of this campaign.
const OTHER_FILE: &str = "it is another file than the one whose hash was frozen";

/// Counts an audit, listened to.
fn answer(session: &mut Session, by: &CertifyProgram) -> Result<AuditResult, SessionError> {
    let watch = (by.watch)(session);
    session.answer(by.threads, watch.as_ref())
}

/// Takes a file away, if it is there.
fn remove(path: &Path) -> Result<(), CouldNotSay> {
    if_there(fs::remove_file(path)).map(drop).map_err(|error| cannot_write(path, &error))
}
