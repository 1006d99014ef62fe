//! `cmd:'PROGRAM ARGS'`: decks that another program writes to its standard output.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::source::ask::{Abilities, AskError, Opened, Source};
use crate::source::format::{Format, Written};
use crate::source::group::ProgramGroup;
use crate::source::kind;
use crate::source::marks::Marks;
use crate::source::pieces::Input;
use crate::source::record::SourceRecord;
use crate::source::stream::{self, Stream, StreamKind};
use crate::source::{Consumed, DeckSource, SourceError};
use deckproof_deck::deck::block::DeckBlock;

/// How often, and after what pause each, a program is asked whether it has ended.
const LOOKS: u32 = 30;
const PAUSE: Duration = Duration::from_millis(10);

/// The same of one whose output has ended: it has five seconds to say how.
const LOOKS_AT_END: u32 = 500;

/// The refusal where nobody says how many decks are wanted.
pub const TO_ITS_END: &str = "The program is read to its end; --decks takes so many of one that never ends.";

/// The kind, as it is in the list.
pub(super) const COMMAND: StreamKind = StreamKind {
    name: "cmd",
    form: "cmd:'PROGRAM ARGS'",
    ask: |kind, rest, settings| {
        let words = kind::text(kind, rest)?.to_owned();
        check_no_shell(&words)?;
        Ok(Box::new(Asked { words, written: Written::of(settings)? }))
    },
};

/// What only a shell understands is refused: the program would be given it as a plain word.
fn check_no_shell(words: &str) -> Result<(), AskError> {
    let (mut quote, mut escaped) = (None, false);
    let mut strange = None;
    for letter in words.chars() {
        match (letter, quote) {
            _ if escaped => escaped = false,
            ('\\', None | Some('"')) => escaped = true,
            ('\'' | '"', None) => quote = Some(letter),
            (_, Some(open)) if open == letter => quote = None,
            ('|' | '>' | '<' | '$' | '`' | '&' | ';', None) | ('$' | '`', Some('"')) => {
                strange = strange.or(Some(letter))
            }
            _ => {}
        }
    }
    match strange {
        None => Ok(()),
        Some(letter) => Err(AskError::new(
            format!("found {letter:?} in the words of cmd:, and no shell reads them"),
            format!("To have one, write {}.", with_shell(words)),
        )),
    }
}

/// The source with a shell behind it, as it is typed.
fn with_shell(words: &str) -> String {
    if words.contains(['\'', '"', '$', '`', '\\', '!']) {
        format!("cmd:{}", shell_words::quote(&format!("sh -c {}", shell_words::quote(words))))
    } else {
        format!("cmd:\"sh -c '{words}'\"")
    }
}

/// A program that is not started yet.
struct Asked {
    words: String,
    written: Written,
}

impl Source for Asked {
    fn abilities(&self) -> Abilities {
        stream::ABILITIES
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let program = Program::start(&self.words, &self.written, decks)?;
        let record = program.stream.record(&self.written);
        let to_its_end = decks.is_none().then(|| TO_ITS_END.to_owned());
        let sentences =
            program.packed.iter().cloned().chain([program.sentence().to_owned()]).chain(to_its_end).collect();
        Ok(Opened { source: Box::new(program), record, decks, sentences })
    }

    fn record(self: Box<Self>, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), AskError> {
        Ok((stream::planned(&self.written)?, decks))
    }

    fn program_sha256(&self) -> Result<Option<String>, AskError> {
        Ok(Some(sha256(&self.words)?))
    }
}

/// The decks of a running program. Its messages go where ours go. When nobody wants decks any more it is
/// stopped, for a shuffler may run for ever; until then it may be asked to go on.
pub struct Program {
    words: String,
    stream: Stream<Input>,
    running: Running,
    /// How many decks; `None`: all that it writes.
    wanted: Option<u64>,
    /// How its output is packed, in a sentence.
    packed: Option<String>,
}

/// A child that never outlives us.
struct Running {
    child: Child,
    /// Its group, for as long as its number is nobody else's.
    group: Option<ProgramGroup>,
}

impl Running {
    /// How it ended; nothing for one that closed its output and runs on, which is stopped: it could hang for ever.
    fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        for _ in 0..LOOKS_AT_END {
            if let Some(status) = self.look()? {
                return Ok(Some(status));
            }
            std::thread::sleep(PAUSE);
        }
        self.stop();
        Ok(None)
    }

    /// How it ended, if it has.
    fn look(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() {
            self.group = None;
        }
        Ok(status)
    }

    /// Ends whatever the program has started too: a shell in between would go alone, and its shuffler run on.
    fn stop(&mut self) {
        // What has ended already cannot be stopped, and that is all we want of it.
        if let Some(group) = self.group.take() {
            group.end();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Program {
    /// Starts a program. The words are split as a shell would, without a shell. Formats as in
    /// [`Stream::open`]; `None` as `wanted` means to its end.
    ///
    /// # Errors
    /// [`SourceError`]: words that do not split, a program that does not start or writes nothing.
    pub fn start(words: &str, written: &Written, wanted: Option<u64>) -> Result<Program, SourceError> {
        let mut child = spawn(words)?;
        let output = child.stdout.take().expect("the output was opened as a pipe");
        let group = Some(ProgramGroup::of(&child));
        let mut running = Running { child, group };
        let opened = stream::unpacked(stream::timed(output, written), words, written).and_then(|output| {
            let stream = Stream::open_made(output.made, output.input, words, written, wanted)?;
            Ok((stream.of_lines(&output.passed), output.sentence))
        });
        match opened {
            Ok((stream, packed)) => Ok(Program { words: words.into(), stream, running, wanted, packed }),
            Err(SourceError::Empty { .. }) => Err(ended(words, running.end(), 0, wanted)),
            Err(error) => Err(error),
        }
    }

    /// What the output was taken for, in one sentence.
    pub fn sentence(&self) -> &str {
        self.stream.sentence()
    }

    /// What the output was taken for.
    pub fn format(&self) -> Format {
        self.stream.format()
    }

    /// A program that stopped early is reported with its exit status, and so is one that failed in the middle
    /// of a record, because then its failure is the news.
    fn explain(&mut self, error: SourceError) -> SourceError {
        let is_early = matches!(error, SourceError::TooFew { .. });
        let is_torn = matches!(error, SourceError::Unreadable { .. }) && self.stream.has_ended();
        if is_early
            || is_torn
                && !self.running.end().is_ok_and(|status| status.is_some_and(|status| status.success()))
        {
            return ended(&self.words, self.running.end(), self.stream.decks(), self.wanted);
        }
        error
    }

    /// A program that was read to its end has to say that it did not fail: what it wrote may be a part.
    fn check_whole(&mut self) -> Result<(), SourceError> {
        if self.wanted.is_some() || !self.stream.is_over() {
            return Ok(());
        }
        match self.running.end() {
            Ok(Some(status)) if status.success() => Ok(()),
            end => Err(ended(&self.words, end, self.stream.decks(), None)),
        }
    }
}

impl DeckSource for Program {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        let filled = self.stream.fill(first, block);
        filled.map_err(|error| self.explain(error))?;
        self.check_whole()
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        None
    }

    /// The program waits at its pipe until then, and runs on.
    fn go_on(&mut self, decks: u64) -> bool {
        self.wanted = self.wanted.map(|_| decks);
        self.stream.go_on(decks)
    }

    /// A program that writes no more decks has a moment to say how it ended; one that would go on is let be.
    fn check_end(&mut self) -> Result<(), SourceError> {
        self.stream.check_records()?;
        if self.wanted.is_none() {
            return self.check_whole();
        }
        for _ in 0..LOOKS {
            match self.running.look() {
                Ok(Some(status)) if !status.success() => {
                    return Err(ended(&self.words, self.running.end(), self.stream.decks(), self.wanted));
                }
                Ok(None) => std::thread::sleep(PAUSE),
                Ok(Some(_)) => return Ok(()),
                Err(error) => return Err(SourceError::Io { place: self.words.clone(), error }),
            }
        }
        Ok(())
    }

    fn marks(&self) -> Option<Marks> {
        self.stream.marks()
    }

    fn arrivals(&self) -> Option<Arc<AtomicU64>> {
        self.stream.arrivals()
    }

    fn consumed(&self) -> Option<Consumed> {
        self.stream.consumed()
    }

    fn resume(&mut self, consumed: &Consumed) -> Result<(), SourceError> {
        self.stream.resume(consumed)
    }
}

fn split(words: &str) -> Result<Vec<String>, SourceError> {
    let split = shell_words::split(words)
        .map_err(|error| SourceError::Failed(format!("cmd:{words}: {error}, wanted words as in a shell")))?;
    if split.is_empty() {
        Err(SourceError::Failed("cmd: found no word, wanted a program and its arguments".into()))
    } else {
        Ok(split)
    }
}

/// SHA-256 of the words of a command line, each followed by a zero byte: which one was meant, without writing
/// down the paths of a machine. A short line can be found by trying, and a file behind it can be changed.
///
/// # Errors
/// [`SourceError`]: no words, or words that do not split.
pub fn sha256(words: &str) -> Result<String, SourceError> {
    let mut hash = Sha256::new();
    for word in split(words)? {
        hash.update(word);
        hash.update([0]);
    }
    Ok(base16ct::lower::encode_string(&hash.finalize()))
}

fn spawn(words: &str) -> Result<Child, SourceError> {
    let split = split(words)?;
    let (program, arguments) = split.split_first().expect("there is a word");
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map_err(|error| SourceError::Io { place: program.clone(), error })
}

/// The program closed its output: how it ended and how far it came.
fn ended(words: &str, end: io::Result<Option<ExitStatus>>, decks: u64, wanted: Option<u64>) -> SourceError {
    let wanted = match wanted {
        Some(wanted) if decks < wanted => wanted.to_string(),
        Some(wanted) => format!("{wanted}, and an end without a fault"),
        None => "all of them, and an end without a fault".to_owned(),
    };
    match end {
        Ok(None) => SourceError::Failed(format!(
            "the program {words:?} closed its output and ran on: found {decks} complete decks, wanted {wanted}"
        )),
        Ok(Some(status)) => {
            let hint = if status.success() && decks > 0 {
                format!(" (--decks {decks} asks for as many as it gave)")
            } else {
                String::new()
            };
            SourceError::Failed(format!(
                "the program {words:?} ended ({status}): found {decks} complete decks, wanted {wanted}{hint}"
            ))
        }
        Err(error) => SourceError::Io { place: words.into(), error },
    }
}
