//! The command line: what was typed, what it means, and the exit code.

mod audit;
mod bundle;
mod calibrate;
mod certify;
mod compare;
mod daily;
mod deal;
mod deck;
pub mod defect;
mod dispute;
mod examples;
mod hands;
mod history;
mod inbox;
mod interrupt;
mod log;
mod manifest;
mod manual;
mod page;
mod pairs;
mod plan;
mod power;
mod predict;
pub mod private;
mod rank;
mod replay;
mod report;
pub mod screen;
mod seed;
mod selftest;
mod serve;
mod source;
mod stream;
mod subject;
mod tool;
mod vault;
mod verify;
mod words;

use std::fmt::Display;
use std::io;
use std::path::Path;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::input::FileError;
use deckproof_files::file::{Access, write_atomic};
use deckproof_report::document::words::Language;

/// At the end of every help.
const EXIT_CODES: &str = "Exit codes: 0 passed, accepted or done; 1 refused (fail, stop, a contradiction); \
    2 could not say (usage, unreadable input, too little data); 3 investigate (a question, not a finding).";

/// Version of the package and the commit it was built from.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("DECKPROOF_COMMIT"), ")");

/// Shuffle certification and RNG audit for Seven-Card Stud.
#[derive(Parser)]
#[command(name = "deckproof", version = VERSION)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Audit a shuffler: exact statistics over millions of decks, a certificate, a report and a verdict.
    Audit(audit::AuditArguments),
    /// Write down what will be audited before any data: source, decks, statistics, levels, repeat, and their hash.
    Plan(plan::PlanArguments),
    /// Carry out the project of a laboratory: every audit of every item and table, and the package that is signed.
    Certify(certify::CertifyArguments),
    /// Add the shards of one audit to one certificate.
    Merge(audit::MergeArguments),
    /// Check a shuffler every day: new decks, earlier days, files, noise, log, hands, drift; a short mail.
    Daily(daily::DailyArguments),
    /// The days of a shuffler as a table, JSON or CSV, and whether their record is as it was written.
    History(history::HistoryArguments),
    /// The reports that operators sent to a laboratory: who reported, whose rows do not follow each other, who is silent.
    Inbox(inbox::InboxArguments),
    /// Deal hands under a commitment: log entries and transcripts for everybody, keys for the operator.
    Deal(Box<deal::DealArguments>),
    /// Deal committed hands for a poker server, which calls it for every hand over HTTP or JSON lines.
    Serve(serve::ServeArguments),
    /// Open a hand that ended with the keys of two people, or remove what opens old ones.
    Vault(vault::VaultArguments),
    /// Pack what an arbiter needs of one hand into one signed file, or check such a file.
    Dispute(dispute::DisputeArguments),
    /// Keep, prove, witness and audit the public log of hands.
    Log(log::LogArguments),
    /// Write the bundles of hands that were dealt: what a seat may see, or everything for an arbiter.
    Bundle(bundle::BundleArguments),
    /// Write the page for players: one file that checks a hand in a browser, without a network.
    Page(page::PageArguments),
    /// Draw a seed for the cut of a hand, and print the commitment to it for the operator.
    Seed(seed::SeedArguments),
    /// Check reveal bundles and audit certificates, and say what they show.
    Verify(verify::VerifyArguments),
    /// Make the report of a certificate again: HTML, Markdown or CSV.
    Report(report::ReportArguments),
    /// Measure how many decks the battery needs to catch each flawed dealer.
    Power(power::PowerArguments),
    /// Check that p-values on fair decks lie as they should.
    Calibrate(calibrate::CalibrateArguments),
    /// Examine this program: known answers, exact distributions, calibration, flawed dealers; ends in a certificate.
    Selftest(selftest::SelftestArguments),
    /// Write decks (final outcomes), or the words and bits behind them (raw output), to standard output for other tests.
    Stream(stream::StreamArguments),
    /// Count the raw words of any generator (bytes of 8, 16, 32 or 64 bits a word), and say whether their bits are fair.
    Words(words::WordsArguments),
    /// Make decks again from the words beside them, word by word, and say whether these words give these decks: the review of scaling
    /// and mapping.
    Pairs(pairs::PairsArguments),
    /// Test whether two sets of decks have one distribution: play money and real money, before and after a release.
    Compare(compare::CompareArguments),
    /// Try to recover the generator behind decks and deal on from it: the next decks, or what was tried in vain.
    Predict(predict::PredictArguments),
    /// List the files of a shuffler with their hashes, sign the list, and check it later.
    Manifest(manifest::ManifestArguments),
    /// Print the deck a key leads to, top card first: the arbiter's calculator.
    ///
    /// For the mixes beacon and players this is the secret order, before the public cut.
    Deck(deck::DeckArguments),
    /// Name the best high hand and the 8-or-better low of five to seven cards.
    Rank(rank::RankArguments),
    /// Read published hands (exports of PokerStars and Full Tilt, Poker Hand History), describe them, and judge what betting has no part in.
    Hands(hands::HandsArguments),
    /// Play recorded hands through, print them street by street, and judge them.
    Replay(replay::ReplayArguments),
    /// Print the script that completes commands and options in a shell.
    Completions(manual::Completions),
    /// Write the manual pages into a folder.
    #[command(hide = true)]
    Man(manual::Man),
}

/// Why the program could not say anything: exit code 2. Holds nothing secret.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Whole sentences that say what is wrong, and what to type or to do.
    #[error("{0}")]
    Problem(String),
    /// Standard output is gone.
    #[error("standard output: {0}")]
    Output(io::Error),
}

impl<E: Into<CouldNotSay>> From<E> for CliError {
    fn from(reason: E) -> CliError {
        CliError::Problem(reason.into().0)
    }
}

impl CliError {
    /// Whether there is nobody to tell it to: the reader of standard output went away in the middle, as `head` does.
    pub fn is_gone_reader(&self) -> bool {
        matches!(self, CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    fn file(path: &Path, error: io::Error) -> CliError {
        FileError::new(path, error).into()
    }
}

/// The whole command line: every help, also that of each command, ends with the exit codes, and a long one with
/// worked examples before them.
pub fn command() -> clap::Command {
    let with_codes = |command: clap::Command| {
        let help = match command.get_after_help().map(ToString::to_string) {
            // A command that tells its own is clearer than the common line.
            Some(help) if help.contains("Exit codes") => help,
            Some(help) => format!("{help}\n\n{EXIT_CODES}"),
            None => EXIT_CODES.to_owned(),
        };
        let long = format!("{}\n{help}", examples::of(command.get_name()));
        command.after_help(help).after_long_help(long.trim_start().to_owned())
    };
    with_codes(Cli::command()).mut_subcommands(with_codes)
}

/// Understands what was typed.
///
/// # Errors
/// What `clap` has to say: an error, the help or the version.
pub fn parse(words: impl IntoIterator<Item = std::ffi::OsString>) -> Result<Cli, clap::Error> {
    let words: Vec<std::ffi::OsString> = words.into_iter().collect();
    if words.get(1).is_some_and(|word| word == "audit") {
        tool::describe_soon();
    }
    let mut command = command();
    // It measures this machine, which nobody else waits for.
    if words.iter().any(|word| word == "--version") {
        command = command.long_version(tool::long_version());
    }
    let matches = command.try_get_matches_from(words)?;
    Cli::from_arg_matches(&matches)
}

/// What has to outlive a power cut wants the names of its files durable, for which Windows has no call: a service, whose
/// answers a table deals by, does not begin there; what a person writes by hand is written, with a warning.
fn check_durable(command: &Command) -> Result<(), CliError> {
    const PROBLEM: &str = "this system has no call that makes the names of new files durable";
    match command {
        _ if cfg!(unix) => Ok(()),
        Command::Serve(_) => Err(CliError::Problem(format!(
            "{PROBLEM}, so a power cut could take a hand that was dealt: run the service on Linux"
        ))),
        Command::Deal(_) | Command::Log(_) | Command::Vault(_) | Command::Daily(_) => {
            screen::warn(&format!("deckproof: {PROBLEM}: a power cut can take what this command writes"));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Runs what was typed.
///
/// # Errors
/// [`CliError`]: exit code 2.
pub fn run(cli: &Cli) -> Result<Exit, CliError> {
    check_durable(&cli.command)?;
    match &cli.command {
        Command::Audit(arguments) => marked(audit::audit(arguments), arguments.output.language),
        Command::Plan(arguments) => Ok(plan::plan(arguments)?),
        Command::Certify(arguments) => Ok(certify::certify(arguments)?),
        Command::Merge(arguments) => marked(audit::merge(arguments), arguments.output.language),
        Command::Daily(arguments) => Ok(daily::daily(arguments)?),
        Command::History(arguments) => history::run(arguments),
        Command::Inbox(arguments) => Ok(inbox::run(arguments)?),
        Command::Deal(arguments) => deal::run(arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Vault(arguments) => vault::run(arguments),
        Command::Dispute(arguments) => dispute::run(arguments),
        Command::Log(arguments) => log::run(arguments),
        Command::Bundle(arguments) => bundle::run(arguments),
        Command::Page(arguments) => page::run(arguments),
        Command::Seed(arguments) => seed::run(arguments),
        Command::Verify(arguments) => marked(verify::run(arguments), arguments.language),
        Command::Report(arguments) => marked(report::run(arguments), arguments.language),
        Command::Power(arguments) => Ok(power::power(arguments)?),
        Command::Calibrate(arguments) => Ok(calibrate::calibrate_all(arguments)?),
        Command::Selftest(arguments) => Ok(selftest::selftest(arguments)?),
        Command::Stream(arguments) => stream::run(arguments),
        Command::Words(arguments) => Ok(words::run(arguments)?),
        Command::Pairs(arguments) => Ok(pairs::run(arguments)?),
        Command::Compare(arguments) => marked(compare::run(arguments), arguments.language),
        Command::Predict(arguments) => Ok(predict::run(arguments)?),
        Command::Manifest(arguments) => manifest::run(arguments),
        Command::Deck(arguments) => deck::run(arguments),
        Command::Rank(arguments) => rank::run(arguments),
        Command::Hands(arguments) => hands::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Completions(arguments) => manual::completions(arguments),
        Command::Man(arguments) => manual::man(arguments),
    }
}

/// What nothing could be said for, in the words of the program, which are said to be English where another language was chosen.
fn marked<E: Into<CliError>>(answered: Result<Exit, E>, language: Language) -> Result<Exit, CliError> {
    answered.map_err(|error| match error.into() {
        error @ CliError::Output(_) => error,
        error if language == Language::English => error,
        error => CouldNotSay(language.words().bundle.problem(&error.to_string())).into(),
    })
}

/// Writes a file, whole or not at all.
fn write(path: &Path, bytes: &[u8], access: Access) -> Result<(), CliError> {
    write_atomic(path, bytes, access).map_err(|error| CliError::file(path, error))
}

/// That a file is still to be made: nothing may lie where it is to lie.
fn check_new(path: &Path) -> Result<(), CliError> {
    match std::fs::symlink_metadata(path) {
        Ok(_) => Err(CliError::Problem(format!("{}: found a file, wanted a new one", path.display()))),
        Err(_) => Ok(()),
    }
}

/// All that a command has to say, on standard output.
fn print(text: &str) -> Result<(), CliError> {
    screen::say(text).map_err(CliError::Output)
}

/// All that a command has to say that did what it was asked.
fn done(text: &str) -> Result<Exit, CliError> {
    print(text).map(|()| Exit::Passed)
}

/// That something failed, in its own words.
fn failed(error: impl Display) -> CliError {
    CliError::Problem(error.to_string())
}

/// Why nothing can be concluded, for programs (`schemas/refusal.schema.json`).
pub fn refusal(reason: &str) -> String {
    let object = serde_json::json!({
        "format": "deckproof/refusal/v1",
        "result": "could not say",
        "reason": reason.trim_end(),
        "exit_code": 2,
    });
    format!("{object}\n")
}

/// Fewest hexadecimal digits in a row that may be a key, or most of one.
const KEY_DIGITS_MIN: usize = 24;

/// A message about arguments without what may be a key that was typed in the wrong place.
pub fn without_keys(message: &str) -> String {
    let mut shown = String::new();
    let mut rest = message;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_hexdigit()) {
        let (before, digits) = rest.split_at(start);
        let end = digits.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(digits.len());
        let (run, after) = digits.split_at(end);
        shown += before;
        shown += if run.len() < KEY_DIGITS_MIN { run } else { "(hexadecimal digits, not repeated here)" };
        rest = after;
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_cut_out_of_messages_and_words_are_not() {
        let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
        let message = format!("error: unexpected argument '{key}' found; see --decks {}, added", &key[..24]);
        let shown = without_keys(&message);
        assert!(!shown.contains(&key[..8]), "{shown}");
        assert!(shown.starts_with("error: unexpected argument '(hexa") && shown.ends_with(", added"));
        assert_eq!(without_keys("a faded cabbage 1000000"), "a faded cabbage 1000000");
    }
}
