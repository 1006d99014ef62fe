//! `deckproof manifest`: lists the files of a shuffler with their hashes, signs the list, and checks it later.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::{CliError, failed, print, write};
use crate::verification;
use crate::verification::manifest::{counted, read};
use deckproof_audit::manifest::Manifest;
use deckproof_audit::manifest::signature::{self, NAMESPACE, Signers};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{Access, sha256};

#[derive(Args)]
#[command(
    after_help = "The list is what sha256sum writes, so `sha256sum -c FILE` checks it too; signatures are those of \
    ssh-keygen -Y, and keys stay with OpenSSH or its agent.\n\n\
    Examples:\n  \
    deckproof manifest make --out shuffler.manifest bin lib table.toml\n  \
    deckproof manifest sign shuffler.manifest --key ~/.ssh/id_ed25519\n  \
    deckproof manifest check shuffler.manifest --signers allowed_signers --identity lab@example.org"
)]
pub(super) struct ManifestArguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List files, and folders with everything in them.
    Make(Make),
    /// Sign a list with ssh-keygen; the signature is written beside it as FILE.sig.
    Sign(Sign),
    /// Compare the files with a list: a changed, missing or new file is named with what was listed and what is there.
    Check(Check),
}

#[derive(Args)]
struct Make {
    /// Executables, libraries, configurations, rule sets: paths relative to the base.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Where the list is written; a file that is there is not overwritten.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The folder that paths are relative to.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    base: PathBuf,
}

#[derive(Args)]
struct Sign {
    /// The list.
    manifest: PathBuf,
    /// A private key of OpenSSH, or a public one whose private part an agent holds.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
}

#[derive(Args)]
struct Check {
    /// The list.
    manifest: PathBuf,
    /// The folder that paths are relative to.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    base: PathBuf,
    /// Who may sign: a file of allowed signers as ssh-keygen(1) describes it. Without it the signature is not checked.
    #[arg(long, value_name = "FILE", requires = "identity")]
    signers: Option<PathBuf>,
    /// Who signed, as the file of allowed signers names him.
    #[arg(long, value_name = "NAME", requires = "signers")]
    identity: Option<String>,
}

pub(super) fn run(arguments: &ManifestArguments) -> Result<Exit, CliError> {
    match &arguments.action {
        Action::Make(make) => run_make(make),
        Action::Sign(sign) => run_sign(sign),
        Action::Check(check) => run_check(check),
    }
}

fn say(line: &str) -> Result<(), CliError> {
    print(&format!("{line}\n"))
}

fn run_make(make: &Make) -> Result<Exit, CliError> {
    let out = &make.out;
    if out.exists() {
        return Err(CliError::Problem(format!(
            "{}: the file is there; a list is made once, so choose another name",
            out.display()
        )));
    }
    let manifest = Manifest::of(&make.base, &make.paths).map_err(failed)?;
    let text = manifest.to_string();
    write(out, text.as_bytes(), Access::Public)?;
    say(&format!("{} lists {}.", out.display(), counted(&manifest)))?;
    say(&format!("SHA-256 of the list: {}.", sha256(text.as_bytes())))?;
    Ok(Exit::Passed)
}

fn run_sign(sign: &Sign) -> Result<Exit, CliError> {
    read(&sign.manifest)?;
    let signature = signature::file_of(&sign.manifest);
    if signature.exists() {
        return Err(CliError::Problem(format!(
            "{}: the signature is there; move it away to sign again",
            signature.display()
        )));
    }
    let status = signature::sign(&sign.manifest, &sign.key).map_err(failed)?;
    if !status.success() {
        return Err(CliError::Problem(format!("ssh-keygen did not sign ({status}); its answer is above")));
    }
    say(&format!("{} holds the signature, of the namespace {NAMESPACE}.", signature.display()))?;
    Ok(Exit::Passed)
}

fn run_check(check: &Check) -> Result<Exit, CliError> {
    let signers = check.signers.clone().zip(check.identity.clone());
    let signers = signers.map(|(file, identity)| Signers { file, identity, on: None });
    let say = |line: &str| say(line).map_err(|error| CouldNotSay(error.to_string()));
    Ok(verification::manifest::check(&check.manifest, &check.base, signers.as_ref(), &say)?)
}
