//! What a day leaves: its results, its row, its report and its mails; in an order that a crash cannot confuse.
//!
//! Results are in a folder of their own until the row that names them is in the store; then the folder gets its name.

use std::fs;
use std::path::{Path, PathBuf};

use crate::daily::decks::{has_ids, judged_check};
use crate::daily::history::day_result;
use crate::daily::host::Host;
use crate::daily::job::{DayEnd, DayJob, Found, io, tidy_known};
use crate::daily::named_files::bare;
use crate::daily::resolved::program;
use crate::daily::unrecorded::cannot_append;
use crate::monitoring::alerts::{DayNotice, RECORDED};
use crate::monitoring::begun_run::{self, BegunRun};
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::claims::overall;
use crate::monitoring::database::DATABASE_FILE;
use crate::monitoring::day::DayLine;
use crate::monitoring::drift::tables::Drift;
use crate::monitoring::explained::nights_before;
use crate::monitoring::gaming_day::{days_before, missing};
use crate::monitoring::judge::{self, DRIFT, FRESH};
use crate::monitoring::kept_rows;
use crate::monitoring::known::{self, DecksAtStake, Looked, Other, Place};
use crate::monitoring::known_line::KnownLine;
use crate::monitoring::mail::Mail;
use crate::monitoring::retention::{self, BEGUN};
use crate::monitoring::rows::counting;
use crate::monitoring::state::{Stop, recent_changes, stops, with_stops};
use crate::monitoring::step_list::RESULTS;
use crate::monitoring::store::{REPORT_FILE, Store, free_place, result_of};
use deckproof_audit::certificate::{AuditResult, Certificate};
use deckproof_audit::manifest::signature;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::thousands;
use deckproof_files::file::{Access, TEXT_BYTES_MAX, own, write_atomic};
use deckproof_report::output::{ResultPlace, Started};
use deckproof_report::report::days::{StepRow, day_page, with_day};

impl DayJob {
    /// Adds the day to the bets, its row to the store, and writes what belongs to it.
    pub(super) fn record(
        &self,
        mut store: Store,
        folder: &Path,
        mut found: Found,
        started: &Started,
        others: &[&DayJob],
        host: &Host,
    ) -> Result<DayEnd, CouldNotSay> {
        let (known, has_repeat, at_stake) = self.judge_again(&store, folder, &mut found, others);
        let drift = self.drift(&store, folder, &mut found, (has_repeat, at_stake))?;
        let place = free_place(folder, &self.day.date);
        let mut line = self.row(&store, (folder, &place), &mut found, known, started, host)?;
        let drift = drift.filter(|_| line.certificate.is_some());
        if let (Some(_), DecksAtStake::BesideRow(row)) = (&drift, at_stake) {
            line.rest_of = Some(row);
        }
        let state = drift.map(|drift| line.set_drift(&drift));
        if let Err(error) = store.append(line.clone(), state.as_deref()) {
            return Err(cannot_append(&error));
        }
        let (date, ended) = (&self.day.date, line.begun.iter().chain(&found.begun).cloned());
        if let Err(error) = begun_run::end(folder, date, &ended.collect::<Vec<_>>()) {
            (host.warn)(&format!("deckproof: begun-{date}.json: {error}"));
        }
        let last_success = self.last_success(store.days());
        let (own, place_begun) = (folder.join(&place), begun(folder, &place));
        // The row is added: what fails from here on is a warning beside the day, and the next run gives a folder its name.
        let named = if place_begun.exists() {
            fs::rename(&place_begun, &own).map_err(|error| io(&own, &error))
        } else {
            Ok(())
        };
        let result = found.decks.live.ok();
        let ended = self.publish(
            &store,
            &place,
            line,
            (result.as_ref(), &found.decks.notes),
            (last_success, named),
            host,
        );
        tidy_known(folder, store.days(), host);
        // Last: a day whose old certificates cannot be packed is recorded and reported all the same.
        if let Err(error) = retention::tidy(folder, store.days()) {
            (host.warn)(&format!("certificates of earlier days: {error}"));
        }
        Ok(ended)
    }

    /// Compares what was found with what lies here by now, from earlier days and from other jobs; its checks follow. Gives what later
    /// days know these decks by, whether one of them came again, and what of them the bets may take.
    fn judge_again(
        &self,
        store: &Store,
        folder: &Path,
        found: &mut Found,
        others: &[&DayJob],
    ) -> (Option<KnownLine>, bool, DecksAtStake) {
        // Another job may have examined the same decks meanwhile.
        let is_named = found.decks.day.as_ref().is_some_and(|day| has_ids(day, true));
        let examined = found.decks.examined.as_ref();
        let examined = examined.map(|examined| if is_named { examined.of_file() } else { examined.clone() });
        if let Some(seen) = examined.and_then(|examined| self.seen_before(store, &examined)) {
            found.checks[0] = seen.check(FRESH);
            found.decks.live = Err(seen.sentence);
        }
        let Looked { check, line: known, has_repeat, at_stake, explained } =
            self.known(store, folder, found, others);
        // The file is put aside with its reason, or stays for what it proves by itself: the reason is then that of this step.
        let check = match (found.decks.judged, &explained) {
            (Some(row), _) => judged_check(store, row, known::NAME),
            (None, Some(explained)) if found.has_proof_of_its_own() => explained.check(known::NAME),
            (None, _) => check,
        };
        found.checks.push(check);
        if let Some(explained) = explained.as_ref().filter(|_| !found.has_proof_of_its_own()) {
            found.set_aside(explained);
        }
        let nights = nights_before(store.days(), &self.day.date).filter(|_| found.checks[0].may_be_dealt());
        if let Some((nights, since)) = nights {
            found.checks[0].evidence += &format!(
                "; it is so on {} nights in a row, since {since}: a file that was put right has other decks",
                thousands(nights + 1)
            );
        }
        (known, has_repeat, at_stake)
    }

    /// The row of the day, with its results written where it names them.
    fn row(
        &self,
        store: &Store,
        (folder, place): (&Path, &str),
        found: &mut Found,
        known: Option<KnownLine>,
        started: &Started,
        host: &Host,
    ) -> Result<DayLine, CouldNotSay> {
        let mut line = match self.write_results(folder, place, found, store, started, host) {
            Ok(line) => line,
            Err(CouldNotSay(reason)) => {
                found.checks.push(DayCheck::could_not_say(RESULTS, reason.as_str()));
                let version = env!("CARGO_PKG_VERSION");
                DayLine::of_failure(&self.day.date, &self.config.name, version, &reason, &store.last_sha256())
            }
        };
        judge::no_longer_set_up(&mut found.checks, store.days());
        line.overall = Some(overall(&found.checks));
        line.checks.clone_from(&found.checks);
        line.window.clone_from(&self.day.window);
        line.checked = Some(started.time.clone());
        line.log.clone_from(&found.log);
        line.hands.clone_from(&found.hands);
        line.seats.clone_from(&found.seats);
        // A day whose results could not be written is run again: its decks must not be known then.
        line.known = if line.certificate.is_some() || found.decks.live.is_err() {
            known
        } else {
            known::kept(store.days())
        };
        line.by_table.clone_from(&found.decks.by_table);
        line.export.clone_from(&found.decks.export);
        line.dealt.clone_from(&found.dealt);
        line.listed.clone_from(&found.listed);
        line.program = Some((host.tool)().commit).filter(|commit| !commit.is_empty());
        if let Some(row) = found.decks.judged {
            line.of_judged(row, &store.days()[row - 1]);
        }
        line.files_before = store.files_of_last(folder);
        let date = &self.day.date;
        let left = begun_run::left(folder, date).map_err(|error| io(folder, &error))?;
        line.begun = left
            .into_iter()
            .filter(|run| is_unended(run, found.begun.as_ref(), store.days(), date))
            .collect();
        line.kept_from = self.steps.keep_certificates_days.and_then(|days| days_before(&self.day.date, days));
        Ok(line)
    }

    /// Writes the list of rows that is kept elsewhere, unless it could not be read: then somebody has to look at it first.
    fn list(&self, store: &Store) -> Result<(), CouldNotSay> {
        match (&self.steps.kept_rows, self.listed(Some(store))) {
            (Some(path), Some(Ok(_))) => kept_rows::write(path, store).map_err(|error| io(path, &error)),
            _ => Ok(()),
        }
    }

    /// Looks for the day's decks among those of earlier days and of the other shufflers.
    fn known(&self, store: &Store, folder: &Path, found: &Found, others: &[&DayJob]) -> Looked {
        let again = (!self.steps.is_append_only).then_some(self.day.date.as_str());
        // Of what a program or a table gives, equal bytes are no copy of a file.
        let is_file = |source: &String| {
            let path = Path::new(bare(source));
            !source.starts_with("table:") && (path.is_file() || path.is_dir())
        };
        let is_export = self.config.values("source").iter().all(is_file);
        let examined = found.decks.examined.as_ref().filter(|_| is_export);
        let source_sha256 = examined.and_then(|examined| examined.source_sha256.as_deref());
        let place = Place {
            folder,
            days: store.days(),
            decks_max: self.steps.known_decks,
            again,
            source_sha256,
            program: program(&self.config),
            span: (&self.day.span, &self.day.zone),
        };
        let Some(day) = found.decks.day.as_ref().filter(|_| found.decks.live.is_ok()) else {
            return match self.steps.known_decks {
                0 => Looked::without(&place, CheckResult::NotSetUp, "known_decks is 0 in the configuration"),
                _ => Looked::without(&place, CheckResult::CouldNotSay, "no new decks were looked for today"),
            };
        };
        let mut stores = Vec::new();
        for job in others.iter().filter(|job| job.folder.join(DATABASE_FILE).exists()) {
            match Store::read(&job.folder) {
                Ok(store) => stores.push((*job, store)),
                Err(error) => {
                    let reason = format!("{}: {error}", job.config.name);
                    return Looked::without(&place, CheckResult::CouldNotSay, &reason);
                }
            }
        }
        let mut others = Vec::new();
        for (job, store) in &stores {
            others.push(Other { name: &job.config.name, folder: &job.folder, days: store.days() });
        }
        known::check(&mut day.day(), &place, &others)
    }

    /// The bets with this day added, and their check.
    fn drift(
        &self,
        store: &Store,
        folder: &Path,
        found: &mut Found,
        (has_repeat, at_stake): (bool, DecksAtStake),
    ) -> Result<Option<Drift>, CouldNotSay> {
        let silent = |reason: String| DayCheck::could_not_say(DRIFT, reason);
        if found.decks.judged.is_some() {
            // These decks were bet on: the evidence stays where it is.
            let drift = store.drift(folder).map_err(|error| cannot_append(&error))?;
            found.checks.push(match drift {
                Ok(drift) => judge::drift(&drift, store.days()),
                Err(reason) => silent(reason),
            });
            return Ok(None);
        }
        let Ok(result) = &found.decks.live else {
            found.checks.push(silent("no decks were added to the evidence today".to_owned()));
            return Ok(None);
        };
        let by_table = &found.decks.by_table;
        let add = |drift: &mut Drift| match at_stake {
            DecksAtStake::All => drift.add_day(result, by_table).map_err(|error| {
                format!("{error}; another table is another shuffler, with a folder of its own")
            }),
            DecksAtStake::BesideRow(row) => {
                let part = &store.days()[row - 1];
                let before = result_of(folder, part).map_err(|error| format!("row {row}: {error}"))?;
                let added = drift.add_rest((result, by_table), (&before, &part.by_table));
                added.map_err(|error| error.to_string())
            }
            DecksAtStake::Nothing => Ok(()),
        };
        let (check, drift) = match store.drift(folder).map_err(|error| cannot_append(&error))? {
            Err(reason) => (silent(reason), None),
            Ok(mut drift) => match add(&mut drift) {
                Ok(()) => {
                    if has_repeat {
                        drift.add_repeat();
                    }
                    (judge::drift(&drift, store.days()), Some(drift))
                }
                Err(reason) => (silent(reason), None),
            },
        };
        found.checks.push(check);
        Ok(drift)
    }

    /// Certificates and reports, and the row that names them.
    fn write_results(
        &self,
        folder: &Path,
        place: &str,
        found: &Found,
        store: &Store,
        started: &Started,
        host: &Host,
    ) -> Result<DayLine, CouldNotSay> {
        let (day, name, previous) = (&self.day.date, &self.config.name, store.last_sha256());
        if let Some(fresh) = &found.fresh {
            let fresh = Certificate { result: fresh.clone(), tool: (host.tool)() };
            ResultPlace::folder(begun(folder, place).join("fresh")).write(&fresh, started)?;
        }
        match &found.decks.live {
            Err(reason) => {
                let first = found.checks.iter().find(|check| check.result > CheckResult::Passed);
                let reason = first.map_or(reason.as_str(), |check| &check.evidence);
                Ok(DayLine::of_failure(day, name, env!("CARGO_PKG_VERSION"), reason, &previous))
            }
            Ok(result) => {
                let certificate = Certificate { result: result.clone(), tool: (host.tool)() };
                let path = format!("{place}/certificate.json");
                let line = DayLine::of_certificate(day, name, &certificate, &path, &previous);
                ResultPlace::folder(begun(folder, place)).write(&certificate, started)?;
                Ok(line)
            }
        }
    }

    /// The report of the day, its signature, the mail, and whoever is told.
    fn publish(
        &self,
        store: &Store,
        place: &str,
        line: DayLine,
        (result, notes): (Option<&AuditResult>, &[String]),
        (last_success, named): (Option<i64>, Result<(), CouldNotSay>),
        host: &Host,
    ) -> DayEnd {
        let own = self.folder.join(place);
        let stops = stops(store.days());
        let mut active = stops.clone();
        active.sort_by_key(|stop| stop.row != store.lines());
        let mail = Mail {
            line: &line,
            result,
            files: &self.files(),
            row: store.lines(),
            row_sha256: &store.last_sha256(),
            report: Some(format!("{place}/{PAGE_FILE}")),
            missing: &self.lately_missing(store.days()),
            stops: &active,
            changes: &recent_changes(store.days()),
            notes,
            nights_before: nights_before(store.days(), &line.day),
            words: self.steps.language.words(),
        }
        .print();
        let written = named.and_then(|()| self.write_report(store, &own, (&line, &stops), &mail));
        // A folder that nothing was written into; one that holds something stays.
        let _ = fs::remove_dir(&own);
        let is_stopped = !stops.is_empty();
        let unsent =
            self.tell(place, &DayNotice { line: &line, mail: &mail, is_stopped, in_record: RECORDED });
        // A stop is told and exits as one, whatever could not be written beside it.
        let unwritten = [written, self.list(store)].into_iter().filter_map(Result::err);
        let faults: Vec<String> = unwritten.map(|CouldNotSay(fault)| fault).chain(unsent).collect();
        faults.iter().for_each(|fault| (host.warn)(&format!("deckproof: {fault}")));
        DayEnd::of(line, mail, last_success, faults.first(), &stops)
    }

    /// Days before this one without a result, as far back as a mail names them.
    fn lately_missing(&self, days: &[DayLine]) -> Vec<String> {
        let from = days_before(&self.day.date, MISSING_DAYS).unwrap_or_default();
        let dates = counting(days).map(|(_, line)| line.day.as_str());
        let without = judge::without_result(days, &missing(dates, &self.day.date));
        without.into_iter().filter(|date| *date >= from && *date < self.day.date).collect()
    }

    /// The pages of the day and its signed report.
    fn write_report(
        &self,
        store: &Store,
        own: &Path,
        (line, stops): (&DayLine, &[Stop]),
        mail: &str,
    ) -> Result<(), CouldNotSay> {
        fs::create_dir_all(own).map_err(|error| io(own, &error))?;
        write_page(own, (line, stops), mail)?;
        let path = own.join(REPORT_FILE);
        store.write_report(own, line.clone()).map_err(|error| io(&path, &error))?;
        if let Some(key) = &self.steps.sign_key {
            let signed = signature::sign(&path, key).map_err(|error| io(key, &error))?;
            if !signed.success() {
                let found = format!("ssh-keygen did not sign {} ({signed})", path.display());
                return Err(CouldNotSay::new(found, RECORDED));
            }
        }
        Ok(())
    }
}

/// Whether a run that was begun left no row: neither this one, nor one whose bytes a row of the day has.
fn is_unended(run: &BegunRun, own: Option<&BegunRun>, days: &[DayLine], date: &str) -> bool {
    let is_row = |line: &DayLine| {
        line.day == date && line.examined.as_ref().is_some_and(|seen| run.is_of(seen.source_sha256.as_ref()))
    };
    Some(run) != own && !days.iter().any(is_row)
}

/// A day without a result is in the mails of so many days; the step of the chain names it for ever.
const MISSING_DAYS: u32 = 30;

/// The report of the day's decks.
const LIVE_PAGE: &str = "report.html";

/// The page of a day, with every step.
const PAGE_FILE: &str = "day.html";

fn write_page(own: &Path, (line, stops): (&DayLine, &[Stop]), mail: &str) -> Result<(), CouldNotSay> {
    let step = |check: &DayCheck| StepRow {
        name: check.name.clone(),
        says: check.result.words().to_owned(),
        is_quiet: check.result <= CheckResult::Passed,
        evidence: format!("{}.", check.evidence),
    };
    let steps: Vec<StepRow> = with_stops(&line.checks, stops).iter().map(step).collect();
    let pages = [(LIVE_PAGE, "The decks of the day: report"), ("fresh/report.html", "Fresh output: report")];
    let pages: Vec<(&str, &str)> = pages.into_iter().filter(|(file, _)| own.join(file).exists()).collect();
    if pages.iter().any(|(file, _)| *file == LIVE_PAGE) {
        let path = own.join(LIVE_PAGE);
        let report = own::read_text_limited(&path, TEXT_BYTES_MAX).map_err(|error| io(&path, &error))?;
        if let Some(report) = with_day(&report, &line.name, &line.day, &steps) {
            write_atomic(&path, report.as_bytes(), Access::Public).map_err(|error| io(&path, &error))?;
        }
    }
    let result = day_result(if stops.is_empty() { line.result() } else { CheckResult::Refused });
    let page = day_page((&line.name, &line.day), result, mail, &steps, &pages);
    let path = own.join(PAGE_FILE);
    write_atomic(&path, page.as_bytes(), Access::Public).map_err(|error| io(&path, &error))
}

/// Where the results of a day stand until its row is added: a crash before leaves nothing that a row should name.
fn begun(folder: &Path, place: &str) -> PathBuf {
    folder.join(format!("{BEGUN}{place}"))
}
