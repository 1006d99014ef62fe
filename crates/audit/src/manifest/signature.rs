//! Signatures of OpenSSH on a list: made and checked by ssh-keygen, so that keys stay with it or its agent.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};

use deckproof_deck::text::date::Date;
use deckproof_files::file::input::read_input;
use deckproof_files::file::temporary::TemporaryFile;

/// What OpenSSH binds a signature to, so that one made for another purpose does not fit.
pub const NAMESPACE: &str = "deckproof-manifest";

/// No file of allowed signers is longer, in bytes.
const SIGNERS_BYTES_MAX: u64 = 1 << 20;

/// Who may sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signers {
    /// A file of allowed signers as ssh-keygen(1) describes it.
    pub file: PathBuf,
    /// Who signed, as that file names him.
    pub identity: String,
    /// The day on which his key must have been valid; today, if none is named.
    pub on: Option<Date>,
}

impl Signers {
    /// Of a good signature by a key that is not known: anybody can make one, and a new key may be missing in the file.
    pub fn other_key(&self, key: &str) -> String {
        let Signers { file, identity, .. } = self;
        format!(
            "the signature is good and by the key {key}, which {} does not name for {identity}",
            file.display()
        )
    }
}

/// What ssh-keygen answers of a signature that is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeygenAnswer {
    /// Its first line, in its own words.
    Line(String),
    /// It wrote nothing, and ended so.
    Ended(String),
}

impl fmt::Display for KeygenAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeygenAnswer::Line(line) => write!(f, "ssh-keygen says \"{line}\""),
            KeygenAnswer::Ended(status) => write!(f, "ssh-keygen ended with {status}"),
        }
    }
}

/// Where the signature of a file is.
pub fn file_of(signed: &Path) -> PathBuf {
    let mut name = signed.as_os_str().to_owned();
    name.push(".sig");
    name.into()
}

/// Has ssh-keygen sign a file with a key; what it says goes to standard error.
///
/// # Errors
/// If ssh-keygen cannot be run.
pub fn sign(path: &Path, key: &Path) -> io::Result<ExitStatus> {
    keygen("sign").arg("-f").arg(key).arg(path).stdout(Stdio::null()).status().map_err(no_ssh_keygen)
}

/// What a signature shows of some bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Signing {
    /// It is one on them, of whom the reader named.
    ByNamed,
    /// It is one on them, of the key with this fingerprint: nobody was named, or this key is not one that they have now.
    ByKey(String),
    /// It is not one on them.
    OnOtherBytes(KeygenAnswer),
    /// It cannot be read, or is of a purpose or a kind of key that ssh-keygen does not accept.
    Unread(KeygenAnswer),
}

/// What the signature in the file beside a file shows of its bytes.
///
/// # Errors
/// If a file is missing, which would look like a false signature, or ssh-keygen cannot be run.
pub fn judge_file(path: &Path, bytes: &[u8], signers: &Signers) -> io::Result<Signing> {
    let signature = file_of(path);
    check_there(&signature)?;
    ask(&signature, bytes, Some(signers))
}

/// As [`judge_file`], with a signature that is in no file, and for readers who name nobody too.
///
/// # Errors
/// As [`judge_file`], and if no temporary file can be written: ssh-keygen reads signatures from files only.
pub fn judge(signature: &[u8], bytes: &[u8], signers: Option<&Signers>) -> io::Result<Signing> {
    ask(TemporaryFile::holding(signature)?.path(), bytes, signers)
}

fn check_there(path: &Path) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    std::fs::metadata(path).map(drop).map_err(named)
}

fn ask(signature: &Path, bytes: &[u8], signers: Option<&Signers>) -> io::Result<Signing> {
    if let Some(signers) = signers {
        check_there(&signers.file)?;
        let mut command = keygen("verify");
        command.args(["-I", &signers.identity, "-f"]).arg(&signers.file);
        if let Some(day) = signers.on {
            // Noon: a key that is valid on a day is valid then in every time zone but its first and last day's.
            let (year, month, day) = (day.year(), day.month(), day.day());
            command.arg(format!("-Overify-time={year:04}{month:02}{day:02}1200"));
        }
        match answer(command.arg("-s").arg(signature), bytes)? {
            Ok(_) => return Ok(Signing::ByNamed),
            Err(answer) => check_signers(signers, &answer)?,
        }
    }
    Ok(match answer(keygen("check-novalidate").arg("-s").arg(signature), bytes)? {
        // Good "deckproof-manifest" signature with ED25519 key SHA256:…
        Ok(line) => Signing::ByKey(line.split_whitespace().last().unwrap_or_default().to_owned()),
        // What sshsig.c says of bytes that were not signed; of a kind of key that it does not know it says something else.
        Err(KeygenAnswer::Line(line)) if line.contains("incorrect signature") => {
            Signing::OnOtherBytes(KeygenAnswer::Line(line))
        }
        Err(answer) => Signing::Unread(answer),
    })
}

fn keygen(action: &str) -> Command {
    let mut command = Command::new("ssh-keygen");
    command.args(["-Y", action, "-n", NAMESPACE]);
    command
}

/// A file of signers that ssh-keygen cannot use, or that does not name who is asked for, says nothing of a signature.
fn check_signers(Signers { file, identity, .. }: &Signers, answer: &KeygenAnswer) -> io::Result<()> {
    let unusable = |problem: String| {
        Err(io::Error::other(format!("{}: {problem}; this says nothing of the signature", file.display())))
    };
    let of_line = |line: &str| Some(line.strip_prefix(&format!("{}:", file.display()))?.to_owned());
    if let KeygenAnswer::Line(line) = answer
        && let Some(problem) = of_line(line)
    {
        return unusable(format!("ssh-keygen says of line {problem}"));
    }
    let text = read_input(file, SIGNERS_BYTES_MAX).map_err(io::Error::other)?;
    let is_named = |line: &str| {
        let principals = line.split_whitespace().next().unwrap_or_default();
        principals.trim_matches('"').split(',').any(|one| one == identity || one.contains(['*', '?', '!']))
    };
    if String::from_utf8_lossy(&text).lines().any(is_named) {
        Ok(())
    } else {
        unusable(format!("found no line for {identity:?}, wanted one, as ssh-keygen(1) describes it"))
    }
}

/// What ssh-keygen prints where it accepts a signature.
fn answer(command: &mut Command, bytes: &[u8]) -> io::Result<Result<String, KeygenAnswer>> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(no_ssh_keygen)?;
    // ssh-keygen may end before it has read all; its answer counts then.
    let _ = child.stdin.take().expect("it is piped").write_all(bytes);
    let output = child.wait_with_output().map_err(no_ssh_keygen)?;
    let printed = || String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(if output.status.success() { Ok(printed()) } else { Err(first_line(&output)) })
}

/// What ssh-keygen says of a signature that is none: the first line of either stream, which versions of it choose differently.
fn first_line(output: &Output) -> KeygenAnswer {
    let lines = [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let first = lines.iter().flat_map(|text| text.lines()).map(str::trim).find(|line| !line.is_empty());
    match first {
        Some(line) => KeygenAnswer::Line(line.trim_end_matches('.').to_owned()),
        None => KeygenAnswer::Ended(output.status.to_string()),
    }
}

fn no_ssh_keygen(error: io::Error) -> io::Error {
    let text = format!("ssh-keygen cannot be run: {error}; it comes with OpenSSH 8.2 or later");
    io::Error::new(error.kind(), text)
}
