//! Fail closed: no new hand while the daily check says stop, or is too old to say anything.

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use deckproof_daily::monitoring::gate;
use deckproof_deck::text::could_not_say::CouldNotSay;

#[derive(Args, Clone)]
pub(in crate::cli) struct IntegrityArguments {
    /// The folder of deckproof daily: no hand is dealt while a stop is active, its record was changed, or it is too old.
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
    pub fn stop(&self) -> Result<Option<String>, CouldNotSay> {
        let Some(folder) = &self.daily else { return Ok(None) };
        gate::stop(folder, || Timestamp::now().as_second(), self.daily_hours)
    }
}
