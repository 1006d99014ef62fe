//! Another test program, run on words: an executable and its arguments, no shell, a time limit, and its output kept.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::external::BYTES_MAX;
use deckproof_audit::source::group::ProgramGroup;

/// How often a program is asked whether it has ended.
const PAUSE: Duration = Duration::from_millis(50);

/// Bytes of messages beside the results that are kept.
const MESSAGES_MAX: usize = 4_096;

/// Words that are written to a program at once.
const CHUNK_WORDS: usize = 1 << 12;

/// What a program reads on its standard input.
pub enum ProgramInput<'a> {
    /// Words of 32 bits, the least significant byte first, for as long as it reads.
    Words(Box<dyn Iterator<Item = u32> + Send + 'a>),
    /// A file to its end.
    File(fs::File),
}

/// A program that has run.
pub struct ProgramRun {
    /// How it ended; none where it was stopped at its time limit.
    pub status: Option<ExitStatus>,
    /// How long it ran.
    pub seconds: u64,
    /// How many bytes it took; some of the last may have been in the pipe when it ended.
    pub bytes_given: u64,
    /// What it wrote to its standard output.
    pub output: Vec<u8>,
    /// Whether it wrote more than is kept.
    pub is_cut: bool,
    /// The beginning of what it wrote to its standard error.
    pub messages: Vec<u8>,
}

/// Runs an executable to its end, or to its time limit: then it is ended with all that it has started.
///
/// # Errors
/// The operating system's: it does not start, or cannot be waited for.
pub fn run(
    executable: &Path,
    arguments: &[String],
    input: ProgramInput,
    time_limit: Duration,
) -> io::Result<ProgramRun> {
    let begin = Instant::now();
    let mut command = Command::new(executable);
    command.args(arguments).env("LC_ALL", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let group = ProgramGroup::of(&child);
    let (mut stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        let feeder = scope.spawn(move || stdin.as_mut().map_or(0, |pipe| feed(pipe, input)));
        let output = scope.spawn(move || keep(stdout, BYTES_MAX));
        let messages = scope.spawn(move || keep(stderr, MESSAGES_MAX));
        let is_silent = || output.is_finished() && messages.is_finished();
        let status = wait(&mut child, group, &is_silent, begin + time_limit)?;
        let seconds = begin.elapsed().as_secs();
        let joined = "it only reads and writes a pipe";
        let (output, is_cut) = output.join().expect(joined)?;
        let (messages, _) = messages.join().expect(joined)?;
        let bytes_given = feeder.join().expect(joined);
        Ok(ProgramRun { status, seconds, bytes_given, output, is_cut, messages })
    })
}

/// Waits until the program and all that it started have closed their output, and then for its end.
fn wait(
    child: &mut Child,
    group: ProgramGroup,
    is_silent: &dyn Fn() -> bool,
    end: Instant,
) -> io::Result<Option<ExitStatus>> {
    loop {
        // The group's number is its own for as long as the program was not waited for.
        if is_silent()
            && let Some(status) = child.try_wait()?
        {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            group.end();
            // What has ended already cannot be stopped, and that is all we want of it.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}

/// Writes words until the program wants no more. A pipe that breaks is how it says so.
fn feed(pipe: &mut impl Write, input: ProgramInput) -> u64 {
    let mut given = 0;
    match input {
        ProgramInput::Words(mut words) => loop {
            let chunk: Vec<u8> = words.by_ref().take(CHUNK_WORDS).flat_map(u32::to_le_bytes).collect();
            if chunk.is_empty() || pipe.write_all(&chunk).is_err() {
                return given;
            }
            given += chunk.len() as u64;
        },
        ProgramInput::File(mut file) => {
            let mut chunk = vec![0; CHUNK_WORDS * 4];
            while let Ok(length @ 1..) = file.read(&mut chunk) {
                if pipe.write_all(&chunk[..length]).is_err() {
                    break;
                }
                given += length as u64;
            }
            given
        }
    }
}

/// Reads to the end and keeps the beginning: a program that waits for a full pipe would never end.
fn keep(stream: Option<impl Read>, bytes_max: usize) -> io::Result<(Vec<u8>, bool)> {
    let mut kept = Vec::new();
    let Some(mut stream) = stream else { return Ok((kept, false)) };
    stream.by_ref().take(bytes_max as u64).read_to_end(&mut kept)?;
    Ok((kept, io::copy(&mut stream, &mut io::sink())? > 0))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(line: &str, input: ProgramInput, seconds: u64) -> ProgramRun {
        let arguments = ["-c".to_owned(), line.to_owned()];
        run(Path::new("/bin/sh"), &arguments, input, Duration::from_secs(seconds)).expect("it starts")
    }

    fn endless() -> ProgramInput<'static> {
        ProgramInput::Words(Box::new(0..))
    }

    #[test]
    fn a_program_reads_words_until_it_has_enough() {
        // 0, 1, 2 as words of 32 bits, the least significant byte first.
        let own = shell("head -c 12 | od -An -v -tx1; echo beside >&2; exit 3", endless(), 60);
        assert_eq!(own.status.and_then(|status| status.code()), Some(3));
        let text = String::from_utf8(own.output).expect("text");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words.join(" "), "00 00 00 00 01 00 00 00 02 00 00 00");
        assert_eq!(own.messages, b"beside\n");
        assert!(own.bytes_given >= 12 && !own.is_cut);
    }

    /// A program that never ends is ended, and so is what it has started, which holds the pipes.
    #[test]
    fn a_program_is_ended_at_its_time_limit_with_all_that_it_started() {
        let begin = Instant::now();
        let own = shell("echo begun; sleep 600 & sleep 600", endless(), 1);
        assert!(own.status.is_none() && begin.elapsed() < Duration::from_secs(60));
        assert_eq!(own.output, b"begun\n");
    }

    #[test]
    fn more_output_than_is_kept_is_read_and_reported() {
        let words = ProgramInput::Words(Box::new(std::iter::empty()));
        let own = shell("head -c 20000000 /dev/zero", words, 60);
        assert!(own.is_cut && own.output.len() == BYTES_MAX && own.status.is_some());
    }
}
