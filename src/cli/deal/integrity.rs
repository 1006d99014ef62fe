//! Fail closed: no new hand while the daily check says stop, or is too old to say anything.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use crate::cli::CliError;
use crate::cli::exit::CouldNotSay;
use crate::monitoring::check::CheckResult;
use crate::monitoring::judge::LIVE;
use crate::monitoring::line::DayLine;
use crate::monitoring::store::{Store, StoreError};

#[derive(Args)]
pub(super) struct IntegrityArguments {
    /// The folder of deckproof daily: no hand is dealt while a step that said stop has not passed since, its record was changed, or it is too old.
    #[arg(long, value_name = "FOLDER")]
    daily: Option<PathBuf>,
    /// How old the last result of --daily may be.
    #[arg(long, value_name = "HOURS", default_value_t = 36, requires = "daily", value_parser = clap::value_parser!(u16).range(1..))]
    daily_hours: u16,
}

impl IntegrityArguments {
    /// Why no hand may be dealt.
    ///
    /// # Errors
    /// If the record cannot be read: no hand is dealt then either.
    pub fn stop(&self) -> Result<Option<String>, CliError> {
        let Some(folder) = &self.daily else { return Ok(None) };
        let place = folder.display();
        if !folder.join(crate::monitoring::database::DATABASE_FILE).exists() {
            let advice = "Run deckproof daily first; no hand is dealt before its first result.";
            return Err(
                CouldNotSay::new(format!("--daily {place}: there is no record of days"), advice).into()
            );
        }
        let store = match Store::read(folder) {
            Ok(store) => store,
            Err(StoreError::Changed(fault)) => {
                return Ok(Some(format!("--daily {place}: the record was changed: {fault}")));
            }
            Err(error) => {
                return Err(
                    CouldNotSay::new(format!("--daily {place}: {error}"), "No hand was dealt.").into()
                );
            }
        };
        // A day that could not say anything is no result.
        let last = store.days().iter().rev().find(|day| day.result() != CheckResult::CouldNotSay);
        let Some(last) = last else {
            return Ok(Some(format!("--daily {place}: no day has had a result")));
        };
        if let Some((day, step, evidence)) = standing_stop(store.days()) {
            return Ok(Some(format!("--daily {place}: the day {day} says stop: {step}: {evidence}")));
        }
        let checked = last.checked.as_ref().and_then(|time| time.parse::<Timestamp>().ok());
        let age = checked.map(|time| Timestamp::now().as_second() - time.as_second());
        let limit = i64::from(self.daily_hours) * 3_600;
        match age {
            Some(age) if age <= limit => Ok(None),
            _ => {
                let hours = self.daily_hours;
                Ok(Some(format!(
                    "--daily {place}: the last result, of {}, is older than {hours} hours",
                    last.day
                )))
            }
        }
    }
}

/// A step that said stop and has not passed since: the day, the step and what it rests on.
fn standing_stop(days: &[DayLine]) -> Option<(&str, &str, &str)> {
    let mut latest: BTreeMap<&str, (CheckResult, &str, &str)> = BTreeMap::new();
    for day in days {
        if day.checks.is_empty() && day.result() != CheckResult::CouldNotSay {
            // The first form of the job had one step.
            latest.insert(LIVE, (day.result(), &day.day, day.reason.as_deref().unwrap_or(&day.verdict)));
        }
        // What could not be checked, or is no longer asked for, takes back nothing.
        for check in day
            .checks
            .iter()
            .filter(|check| !matches!(check.result, CheckResult::CouldNotSay | CheckResult::NotSetUp))
        {
            latest.insert(&check.name, (check.result, &day.day, &check.evidence));
        }
    }
    let stop = latest.into_iter().find(|(_, (result, ..))| *result == CheckResult::Refused);
    stop.map(|(step, (_, day, evidence))| (day, step, evidence))
}
