//! A source as it is named: a text and the settings beside it, before anybody looks whether there is such a source.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::source::ask::Source;
use crate::source::format::Numbering;
use crate::source::list::{CATALOGUE, SOURCE_DEFAULT, ask_planned};
use crate::source::record::SourceRecord;
use crate::source::settings::Settings;
use deckproof_deck::text::could_not_say::CouldNotSay;

/// A source by its name. Its text is in no `Debug`: it may hold a key.
#[derive(Clone, Default)]
pub struct NamedSource {
    /// What names it; the default of [`SOURCE_DEFAULT`] where nothing does.
    pub source: Option<OsString>,
    /// The settings beside it.
    pub settings: Settings,
}

impl std::fmt::Debug for NamedSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NamedSource").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl NamedSource {
    /// The source that is named.
    ///
    /// # Errors
    /// [`CouldNotSay`] with the spellings there are.
    pub fn ask(&self) -> Result<Box<dyn Source>, CouldNotSay> {
        let text = self.source.as_deref().unwrap_or(OsStr::new(SOURCE_DEFAULT));
        Ok(CATALOGUE.ask(text, &self.settings)?)
    }

    /// That there is such a source and that it takes these settings. A file that is not there yet is taken for a text.
    ///
    /// # Errors
    /// [`CouldNotSay`] with what was wanted.
    pub fn check(&self) -> Result<(), CouldNotSay> {
        let text = self.source.as_deref().unwrap_or(OsStr::new(SOURCE_DEFAULT));
        let name = text.to_string_lossy();
        if name.strip_prefix("table:").is_some_and(|path| !Path::new(path).exists()) {
            // What a table holds is asked for when it is there.
            return Ok(());
        }
        let is_later = name.contains(['.', '/']) && !name.contains(':') && !Path::new(text).exists();
        let named = match (is_later, self.settings.text("format")) {
            (false, _) => text.to_owned(),
            (true, Some("raw")) => format!("raw:{name}").into(),
            (true, _) => format!("csv:{name}").into(),
        };
        let mut alone = self.settings.clone();
        alone.more.clear();
        Ok(CATALOGUE.ask(&named, &alone).map(drop)?)
    }

    /// The names of the files that are named, without their folders.
    pub fn files(&self) -> Vec<String> {
        let name_of = |source: &OsString| {
            let text = source.to_string_lossy();
            let bare =
                ["csv:", "raw:", "parquet:", "table:"].iter().find_map(|prefix| text.strip_prefix(prefix));
            let path = bare.map_or(Path::new(source), Path::new);
            path.file_name().filter(|_| path.exists()).map(|name| name.to_string_lossy().into_owned())
        };
        self.source.iter().chain(&self.settings.more).filter_map(name_of).collect()
    }

    /// The source of a plan, supplied if its decks must be.
    ///
    /// # Errors
    /// [`CouldNotSay`] for a source that is missing or cannot be parsed.
    pub fn ask_planned(&self, record: &SourceRecord) -> Result<Box<dyn Source>, CouldNotSay> {
        Ok(ask_planned(self.source.as_deref(), &self.settings, record)?)
    }

    /// Beside a plan the source may have no setting but where its decks are.
    ///
    /// # Errors
    /// [`CouldNotSay`] naming the options.
    pub fn check_beside_plan(&self) -> Result<(), CouldNotSay> {
        // How long a stream may be silent says nothing of its decks.
        let given: Vec<&str> = self.settings.names().filter(|name| *name != "timeout").collect();
        if given.is_empty() {
            return Ok(());
        }
        let options: Vec<String> = given.iter().map(|name| format!("--{}", name.replace('_', "-"))).collect();
        Err(CouldNotSay::new(
            format!("{} cannot be used with --plan", options.join(" ")),
            "Leave it out: the plan says it, or write a new plan with deckproof plan.",
        ))
    }

    /// How numbers name cards.
    ///
    /// # Errors
    /// [`CouldNotSay`]: no such numbering.
    pub fn numbering(&self) -> Result<Numbering, CouldNotSay> {
        Ok(self.settings.value("numbering")?.unwrap_or(Numbering::RankSuit))
    }
}
