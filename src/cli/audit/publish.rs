//! Saying what an audit found: certificate and report are written first, then standard output.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::cli::screen::{self, Style};
use crate::cli::tool::{self, language};
use deckproof_audit::audit::plan::{Plan, Shard};
use deckproof_audit::audit::run::RunState;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::{AuditResult, Certificate};
use deckproof_audit::session::folder::{CERTIFICATE, REPORT};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::counted;
use deckproof_deck::text::exit::Exit;
use deckproof_report::document::words::{Language, Words};
use deckproof_report::output::{ResultPlace, Started, WrittenResults};
use deckproof_report::rendering::audit::outcome;
use deckproof_report::rendering::audit::table::tables;
use deckproof_report::rendering::audit::verdict::numbering_unchecked;
use deckproof_report::report::page::Page;
use deckproof_report::report::summary::summary;

/// Where results go.
#[derive(Args, Debug, Clone)]
pub struct Output {
    /// Write certificate.json and report.html here. Default: a new directory audit-HASH.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write every count table and all p-values as CSV files into DIR, with a README.txt of their layout.
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// Print the outcome as one JSON object on standard output and nothing else there.
    #[arg(long)]
    pub json: bool,
    /// No progress bar, and one line only: the verdict and whose decks they are.
    #[arg(long)]
    pub quiet: bool,
    /// Print every p-value, the smallest first, before the verdict.
    #[arg(long, conflicts_with_all = ["quiet", "json"])]
    pub table: bool,
    /// Of what is printed and of report.html; certificate and JSON are the same in every language.
    #[arg(long, value_name = Language::codes("|"), default_value = "en", value_parser = language, conflicts_with = "json")]
    pub language: Language,
}

impl Output {
    /// Where what was typed puts them.
    pub fn place(&self) -> ResultPlace {
        ResultPlace { out: self.out.clone(), csv: self.csv.clone() }
    }

    /// Writes certificate and report, prints the outcome, and says how it ended.
    pub fn publish(&self, result: AuditResult, started: &Started) -> Result<Exit, CouldNotSay> {
        let certificate = Certificate { result, tool: tool::describe() };
        let place = self.place();
        let WrittenResults { folder, page } = place.write(&certificate, started)?;
        let tables = |()| place.write_tables(&certificate.result);
        self.print(&folder, &certificate.result, &page, started).and_then(tables).map_err(
            |CouldNotSay(reason)| {
                let advice = "The certificate and the report are whole";
                CouldNotSay(format!("{reason} {advice}: {}.", folder.join(CERTIFICATE).display()))
            },
        )?;
        Ok(certificate.result.claims(true).exit())
    }

    fn print(
        &self,
        folder: &Path,
        result: &AuditResult,
        page: &Page,
        started: &Started,
    ) -> Result<(), CouldNotSay> {
        let (words, extreme) = (page.words, started.extreme_deck.as_ref());
        if self.json {
            return say(&format!("{}\n", outcome::json(folder, result, &started.believed, extreme)));
        }
        let not_checked = started.believed.iter().map(|what| words.page.not_checked(what));
        if self.quiet {
            not_checked.for_each(|sentence| screen::warn(&sentence));
            return say(&outcome::line(
                result,
                &started.files,
                started.bad_record.as_deref(),
                extreme,
                words,
            ));
        }
        if self.table {
            say(&tables(result, words))?;
        }
        let files = [CERTIFICATE, REPORT].map(|name| folder.join(name).display().to_string());
        say_verdict(result.word(), words, &summary(page, &files))?;
        let numbering = numbering_unchecked(result, words).map(|what| words.page.not_checked(&what));
        let mut sentences = not_checked.chain(numbering);
        sentences.try_for_each(|sentence| say_sentences(&(sentence + "\n")))
    }

    /// Writes a finished shard and says where; it has no verdict of its own.
    pub fn publish_shard(&self, plan: &Plan, shard: Shard, standing: &RunState) -> Result<Exit, CouldNotSay> {
        let Shard { index, count } = shard;
        let path = self.place().write_shard(plan, shard, standing)?;
        let decks = standing.evidence.decks();
        if self.json {
            let outcome = json!({
                "shard": format!("{index}/{count}"), "decks": decks, "file": path, "plan_sha256": plan.sha256(),
            });
            say(&format!("{outcome}\n"))?;
        } else {
            say(&format!(
                "Counted {}, shard {index} of {count}; a shard has no verdict. Written: {}.\n\
                 Next, with all {count} shards: deckproof merge {}\n",
                counted(decks, "deck", "decks"),
                path.display(),
                path.with_file_name("shard-*.tally").display()
            ))?;
        }
        Ok(Exit::Passed)
    }
}

/// Writes to standard output.
pub fn say(text: &str) -> Result<(), CouldNotSay> {
    screen::say(text).map_err(unwritten)
}

/// Writes sentences to standard output.
pub fn say_sentences(text: &str) -> Result<(), CouldNotSay> {
    screen::say_sentences(text).map_err(unwritten)
}

/// Writes a text that begins with the verdict's word, which is coloured where the terminal has colours.
pub fn say_verdict(verdict: Verdict, words: &Words, text: &str) -> Result<(), CouldNotSay> {
    let word = words.cover.word(verdict);
    let style = match verdict {
        Verdict::Pass => Style::Good,
        Verdict::Fail => Style::Bad,
        Verdict::Investigate | Verdict::Inconclusive => Style::Unsure,
    };
    screen::say_report(style, word, text).map_err(unwritten)
}

fn unwritten(error: io::Error) -> CouldNotSay {
    CouldNotSay::new(format!("standard output: {error}"), "")
}
