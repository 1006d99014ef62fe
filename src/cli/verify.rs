//! `deckproof verify`: bundles and certificates, judged one by one and together, and explained.

use std::path::PathBuf;

use clap::Args;

use crate::cli::CliError;
use crate::cli::screen;
use crate::cli::tool;
use crate::verification::Rerun;
use crate::verification::judged::judge_all;
use crate::verification::references::JudgedBy;
use crate::verification::statements::{GivenByPlayer, saved, statements};
use deckproof_audit::manifest::signature::Signers;
use deckproof_deck::key::secret::Secret;
use deckproof_deck::text::date::Date;
use deckproof_deck::text::exit::Exit;
use deckproof_report::document::words::Language;

#[derive(Args)]
#[command(after_help = "\
Exit codes: 0 accepted, or consistent where nothing was given to show more; 1 refused (a contradiction was found); 2 could not say (usage, unreadable input; with --trust or --require accepted, a bundle that is not accepted, and with --require accepted a certificate or package). A script that pays on a bundle uses --require accepted.
A certificate or package that is consistent ends as its verdict does: 0 pass, 1 fail or not met, 2 inconclusive or an incomplete report, 3 investigate; its first line then says \"verdict FAIL; the certificate is consistent\". One that contradicts itself or its decks ends with 1 too, and its first line begins with REFUSED (\"verdict\": \"refused\" in JSON): then no verdict of it counts.
A hand history that contradicts its cards or its rule text is refused (1). One whose ruling depends leaves the file accepted, for its cards are as committed: the first line says so, and \"played\" in JSON is \"depends\"; deckproof replay ends with 2 there.
A bundle is accepted if it is shown that its deck was fixed before the hand, and, where players or a beacon cut it, that its opening was fixed before seeds or beacon were known: by entries you saved (--committed, --opened), receipts (--receipt), or log proofs under --trust in which a quorum of witnesses saw them before the end and before the cut. With the deck alone its verdict in JSON is \"deck fixed\".
PROTOCOL.md specifies the bundle and every check; its section 15 explains the codes E_….")]
pub(super) struct VerifyArguments {
    /// Reveal bundles, certificates of audits, and report packages as folders or ZIP files; of another folder every bundle and certificate; - is standard input. Bundles of one hand are judged together.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What you saved before the hand: its deck.txt, a file of entries, or 64 hexadecimal digits (the deck root, or the hash of the deck or open entry, as the log has it or as sha256sum prints it). Of a certificate or a package: the SHA-256 of its plan or campaign, which you had before the decks were dealt.
    #[arg(long, value_name = "FILE|HEX")]
    committed: Vec<String>,
    /// The open entry, or a file of entries with it, that you held before you gave your seed (state it with --my-seed), or before the round of its beacon was due: that it was so is your statement.
    #[arg(long, value_name = "FILE")]
    opened: Vec<PathBuf>,
    /// A receipt of the log that you saved before the hand (tlog-proof), of its deck entry or its open entry; needs --trust. Of a certificate or a package: of the log entry that is the SHA-256 of its plan or campaign, 64 digits and a line feed.
    #[arg(long, value_name = "FILE", requires = "trust")]
    receipt: Vec<PathBuf>,
    /// The log you trust: a JSON file with origin, log, witness and quorum.
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
    /// What a bundle must be for exit code 0: with `accepted`, a bundle that does not show that its deck, and the opening that decides its cut, were fixed before the hand ends with 2, and so does whatever is no bundle of a hand.
    #[arg(long, value_name = "accepted", value_parser = ["accepted"])]
    require: Option<String>,
    /// One JSON object a file, one a line; of a file that could not be judged with a verdict of null.
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Of the sentences that are printed; JSON is the same in every language.
    #[arg(long, value_name = Language::codes("|"), default_value = "en", value_parser = tool::language, conflicts_with = "json")]
    pub language: Language,
    /// One line a file, with what was shown of it; what is refused in full.
    #[arg(long)]
    quiet: bool,
    /// Cards you saw at the table: 'seat 4: 7h Ks down, 2c up', or by dealt position 0=7h,12=As.
    #[arg(long, value_name = "CARDS")]
    seen: Vec<String>,
    /// The seed you gave, with your seat: SEAT:@FILE, SEAT:- for standard input, or SEAT:HEX, which other users of this machine can see.
    #[arg(long, value_name = "SEAT:SEED")]
    my_seed: Option<Secret>,
    /// For a certificate or a package: deal and count everything again. A bundle is always recomputed in full.
    #[arg(long)]
    rerun: bool,
    /// With --rerun, where decks must be supplied again: csv:FILE, raw:FILE, cmd:'PROGRAM ARGS' or -. For a package with
    /// several such items ITEM=SOURCE, once for each.
    #[arg(long, value_name = "SOURCE", requires = "rerun")]
    source: Vec<String>,
    /// For a package: who may sign, a file of allowed signers as ssh-keygen(1) describes it. Without it the signature is not checked.
    #[arg(long, value_name = "FILE", requires = "identity")]
    signers: Option<PathBuf>,
    /// Who signed, as the file of allowed signers names him.
    #[arg(long, value_name = "NAME", requires = "signers")]
    identity: Option<String>,
    /// The day on which it was signed, as you know it (2026-11-22): a key that has expired since was valid then.
    #[arg(long, value_name = "DATE", requires = "signers")]
    signed_on: Option<Date>,
}

/// Judges the files.
pub(super) fn run(arguments: &VerifyArguments) -> Result<Exit, CliError> {
    let given = GivenByPlayer {
        files: &arguments.files,
        committed: &arguments.committed,
        opened: &arguments.opened,
        receipts: &arguments.receipt,
        trust: arguments.trust.as_deref(),
        seen: &arguments.seen,
        own_seed: arguments.my_seed.as_ref(),
    };
    let wanted = JudgedBy {
        saved: saved(&given)?,
        is_acceptance_required: arguments.require.is_some(),
        statements: statements(&given)?,
        rerun: Rerun { is_wanted: arguments.rerun, sources: &arguments.source },
        signers: arguments.signers.clone().zip(arguments.identity.clone()).map(|(file, identity)| Signers {
            file,
            identity,
            on: arguments.signed_on,
        }),
        words: arguments.language.words(),
        by: tool::inspector(),
    };
    let judged = judge_all(&arguments.files, &wanted);
    match (arguments.json, arguments.quiet) {
        (true, _) => screen::say(&judged.json_lines()),
        (false, true) => screen::say_sentences(&judged.lines(wanted.words)),
        (false, false) => screen::say_sentences(&judged.report(wanted.words)),
    }
    .map_err(CliError::Output)?;
    let unreadable = judged.unreadable().map(|problem| wanted.words.bundle.problem(problem));
    let lacking = judged.lacking(wanted.words);
    let fitting_none = judged.fitting_none(wanted.words);
    for problem in unreadable.chain(judged.left_alone(wanted.words)).chain(fitting_none).chain(lacking) {
        screen::warn(&format!("deckproof: {problem}"));
    }
    Ok(judged.exit())
}
