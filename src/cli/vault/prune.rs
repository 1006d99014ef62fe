//! `deckproof vault prune`: shares that lie there longer than they need to.

use std::path::PathBuf;

use clap::Args;
use jiff::Span;

use crate::cli::{CliError, done, failed, print, tool};
use deckproof_deck::text::exit::Exit;
use deckproof_vault::vault::Vault;

#[derive(Args)]
pub(super) struct VaultPruneArguments {
    /// The folder of the service.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Remove what lies in the vault longer than this, such as 5y or 90d, by its day in UTC, seen from today or from the newest hands if they are older.
    #[arg(long, value_name = "AGE", value_parser = parse_age)]
    older: Span,
    /// List what would go, and remove nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &VaultPruneArguments) -> Result<Exit, CliError> {
    let vault = Vault::of(&arguments.folder);
    let mut found = vault.segments().map_err(failed)?;
    // A clock that is years ahead takes nothing with it: what is old is older than the newest hands.
    let newest = found.last().map(|(_, index)| index.day);
    let before = tool::day_before(newest, arguments.older).map_err(CliError::Problem)?;
    found.retain(|(_, index)| index.day < before);
    if found.is_empty() {
        return done(&format!("nothing lies in the vault since before {before}; nothing was removed\n"));
    }
    let mut hands = 0;
    for (_, index) in &found {
        for range in &index.hands {
            print(&format!(
                "table {}, hands {} to {}, in the vault since {}\n",
                range.table, range.first, range.last, index.day
            ))?;
            hands += range.last - range.first + 1;
        }
    }
    if arguments.dry_run {
        return done(&format!("these {hands} hands would go, for good; nothing was removed\n"));
    }
    for (segment, _) in found {
        vault.remove(segment).map_err(failed)?;
    }
    done(&format!(
        "what opens these {hands} hands was removed for good: nobody can open them any more, except with a backup of the \
         shares; seats still get their bundles\n"
    ))
}

/// Reads an age of at most a hundred years.
pub(super) fn parse_age(text: &str) -> Result<Span, &'static str> {
    let number = |unit: char, most: i32| {
        let number: i32 = text.strip_suffix(unit)?.parse().ok()?;
        (1..=most).contains(&number).then_some(number)
    };
    let years = number('y', 100).map(|years| Span::new().years(years));
    let days = || number('d', 36_500).map(|days| Span::new().days(days));
    years.or_else(days).ok_or("write an age such as 5y or 90d")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_years_or_days_and_nothing_else() {
        let read = |text| parse_age(text).map(|age| age.to_string());
        assert_eq!((read("5y"), read("90d")), (Ok("P5Y".to_owned()), Ok("P90D".to_owned())));
        for wrong in ["", "5", "0y", "-1d", "101y", "36501d", "5y1d", "5 y", "d", "99999999999d"] {
            assert!(parse_age(wrong).is_err(), "{wrong}");
        }
    }
}
