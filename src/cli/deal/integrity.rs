//! Fail closed: no new hand while the daily check says stop, or is too old to say anything.

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use crate::cli::CliError;
use crate::monitoring::permission::{Clock, refusal};
use crate::monitoring::store::{Store, StoreError};
use crate::text::could_not_say::CouldNotSay;

#[derive(Args)]
pub(super) struct IntegrityArguments {
    /// The folder of deckproof daily: no hand is dealt while a step that said stop has not passed since, its record was changed, or it is too old.
    #[arg(long, value_name = "FOLDER")]
    daily: Option<PathBuf>,
    /// How old the end of the last day with a result may be, where it was still running when it was checked, that moment.
    #[arg(long, value_name = "HOURS", default_value_t = 36, requires = "daily", value_parser = clap::value_parser!(u32).range(1..))]
    daily_hours: u32,
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
        let clock = Clock {
            now: Timestamp::now().as_second(),
            seconds: |text: &str| text.parse::<Timestamp>().ok().map(Timestamp::as_second),
            age_max: i64::from(self.daily_hours) * 3_600,
        };
        Ok(refusal(store.days(), &clock).map(|why| format!("--daily {place}: {why}")))
    }
}
