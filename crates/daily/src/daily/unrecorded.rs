//! A day of which no row is added: its mail, its incident, and whoever is told.

use crate::daily::host::Host;
use crate::daily::job::{DayEnd, DayJob};
use crate::monitoring::alerts::{DayNotice, NOT_RECORDED};
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::day::DayLine;
use crate::monitoring::judge::CHAIN;
use crate::monitoring::mail::{self, Repair, store_refused};
use crate::monitoring::store::{StoreError, free_place};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_report::output::Started;

impl DayJob {
    /// A store that was changed is a contradiction; one that cannot be read says nothing. Somebody is told of both.
    pub(super) fn refuse(&self, error: StoreError, started: &Started, host: &Host) -> DayEnd {
        let StoreError::Changed(fault) = error else {
            let repair = match &error {
                StoreError::Behind(_) => Repair::PutBack,
                StoreError::Absent(_) => Repair::Folder,
                error if error.is_damage() => Repair::Restore,
                _ => Repair::RunAgain,
            };
            let CouldNotSay(reason) = cannot_append(&error);
            return self.unrecorded(reason, repair, started, host);
        };
        let mail = store_refused(&self.config.name, &self.day.date, &fault, self.steps.language.words());
        let line = self.line_of_none(CheckResult::Refused, &fault, started);
        self.tell_of_none(&line, &mail, host);
        DayEnd::of(line, mail, None, None, &[])
    }

    /// A day of which no row was added.
    pub(super) fn unrecorded(
        &self,
        reason: String,
        repair: Repair,
        started: &Started,
        host: &Host,
    ) -> DayEnd {
        let words = self.steps.language.words();
        let mail = mail::unrecorded(&self.config.name, &self.day.date, &reason, repair, words);
        let line = self.line_of_none(CheckResult::CouldNotSay, &reason, started);
        self.tell_of_none(&line, &mail, host);
        DayEnd { fault: Some(CouldNotSay(reason)), ..DayEnd::of(line, mail, None, None, &[]) }
    }

    /// A row that is not recorded: of a changed record it would make the change look old.
    fn line_of_none(&self, result: CheckResult, fault: &str, started: &Started) -> DayLine {
        let version = env!("CARGO_PKG_VERSION");
        let mut line = DayLine::of_failure(&self.day.date, &self.config.name, version, fault, "");
        line.overall = Some(result);
        line.checks = vec![DayCheck::new(CHAIN, result, fault)];
        line.checked = Some(started.time.clone());
        line
    }

    fn tell_of_none(&self, line: &DayLine, mail: &str, host: &Host) {
        let place = free_place(&self.folder, &self.day.date);
        let is_stopped = line.result() == CheckResult::Refused;
        let unsent = self.tell(&place, &DayNotice { line, mail, is_stopped, in_record: NOT_RECORDED });
        unsent.iter().for_each(|fault| (host.warn)(&format!("deckproof: {fault}")));
    }
}

pub(super) fn cannot_append(error: &StoreError) -> CouldNotSay {
    CouldNotSay::new(error, NOT_RECORDED)
}
