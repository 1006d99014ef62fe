//! `deckproof compare A B`: whether two sets of decks have one distribution.

use std::ffi::OsString;

use clap::Args;

use crate::cli::audit::options::TableArguments;
use crate::cli::audit::publish::{say, say_sentences};
use crate::cli::source::SourceSettings;
use crate::cli::{screen, tool};
use crate::verification::compared::Comparing;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_report::document::words::Language;

#[derive(Args, Debug)]
pub struct CompareArguments {
    /// The first set: decks as --source of `audit` takes them, or a certificate of `audit`.
    a: OsString,
    /// The second set.
    b: OsString,
    #[command(flatten)]
    settings: SourceSettings,
    /// The table at which the decks of both sets are dealt.
    #[command(flatten)]
    table: TableArguments,
    /// How many threads count. Default: all processors.
    #[arg(long, value_name = "N")]
    threads: Option<u16>,
    /// Print the outcome as one JSON object, with every p-value.
    #[arg(long)]
    json: bool,
    /// Of the sentences that are printed; JSON is the same in every language.
    #[arg(long, value_name = Language::codes("|"), default_value = "en", value_parser = tool::language, conflicts_with = "json")]
    pub language: Language,
}

pub fn run(arguments: &CompareArguments) -> Result<Exit, CouldNotSay> {
    let words = arguments.language.words();
    let comparing = Comparing {
        settings: arguments.settings.settings(),
        table: arguments.table.options(),
        threads: tool::threads(arguments.threads),
        warn: &|sentence| screen::warn(&words.verdict.own_words(sentence)),
        words,
    };
    match comparing.compare([&arguments.a, &arguments.b])? {
        Err(refused) => say_sentences(&refused).map(|()| Exit::Refused),
        Ok(compared) => {
            if arguments.json {
                say(&format!("{}\n", compared.json()))?
            } else {
                say_sentences(&compared.text(words))?
            }
            Ok(compared.claims().exit())
        }
    }
}
