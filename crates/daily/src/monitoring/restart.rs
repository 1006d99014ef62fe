//! Restarts of the operator's own shuffler: a program that is started again and again, many at once, never gives the same
//! first output twice, unless it starts from the time or from a fixed state.

use std::collections::HashMap;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::monitoring::check::DayCheck;
use deckproof_deck::text::decimal::thousands;
use deckproof_files::file::read_stream_limited;

/// The name of the step.
pub const NAME: &str = "restarts";

/// Starts where nobody says how many.
pub const STARTS: usize = 1_000;

/// Started at one moment, so that a clock of milliseconds shows them the same time.
const AT_ONCE: usize = 16;

/// The beginning of an output that is compared: at least one deck in any format.
const BYTES: u64 = 512;

/// Fewer bytes are no deck.
const BYTES_MIN: usize = 34;

/// Outputs that differ in fewer bytes, such as a number of a process or a time in an error, are no decks either.
const DIFFERING_MIN: usize = 20;

/// A program that gives nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a program so often and compares what each start gives first.
pub fn check(words: &str, starts: usize) -> DayCheck {
    match first_outputs("the shuffler", words, starts, BYTES) {
        Ok(outputs) => judge(words, &outputs),
        Err(reason) => DayCheck::could_not_say(NAME, reason),
    }
}

fn judge(words: &str, outputs: &[Vec<u8>]) -> DayCheck {
    let starts = thousands(outputs.len() as u64);
    if let Some(place) = outputs.iter().position(|output| output.len() < BYTES_MIN) {
        let found = outputs[place].len();
        let reason = format!("start {} of {words:?} gave {found} bytes, wanted a deck", place + 1);
        return DayCheck::could_not_say(NAME, reason);
    }
    if let Some(bytes) = differing(outputs).filter(|bytes| (1..DIFFERING_MIN).contains(bytes)) {
        let reason =
            format!("{starts} starts of {words:?} differ in no more than {bytes} bytes, wanted decks");
        return DayCheck::could_not_say(NAME, reason);
    }
    let mut first: HashMap<&[u8], usize> = HashMap::new();
    let mut again = Vec::new();
    for (place, output) in outputs.iter().enumerate() {
        match first.get(output.as_slice()) {
            Some(&earlier) => again.push((earlier, place)),
            None => drop(first.insert(output, place)),
        }
    }
    match again.first() {
        Some(&(a, b)) => {
            let fault = format!(
                "{} of {starts} starts of {words:?} gave the first output of an earlier one (starts {} and {}): it starts from \
                 the time or a fixed state",
                thousands(again.len() as u64),
                a + 1,
                b + 1
            );
            DayCheck::stop(NAME, fault)
        }
        None => {
            let evidence =
                format!("{starts} starts of {words:?}, {AT_ONCE} at once, no two equal first outputs");
            DayCheck::passed(NAME, evidence)
        }
    }
}

/// How many bytes lie between what all outputs begin with and what all end with, of the longest one.
fn differing(outputs: &[Vec<u8>]) -> Option<usize> {
    let (first, others) = outputs.split_first()?;
    fn shared<'a>(a: impl Iterator<Item = &'a u8>, b: impl Iterator<Item = &'a u8>) -> usize {
        a.zip(b).take_while(|(a, b)| a == b).count()
    }
    let begin = others.iter().map(|other| shared(first.iter(), other.iter())).min()?;
    let end =
        others.iter().map(|other| shared(first[begin..].iter().rev(), other[begin..].iter().rev())).min()?;
    outputs.iter().map(|output| output.len() - begin - end).max()
}

/// So many bytes that a program gives first, of each of so many starts.
///
/// # Errors
/// What happened, in one clause; `what` names the program in it.
pub(super) fn first_outputs(
    what: &str,
    words: &str,
    starts: usize,
    bytes: u64,
) -> Result<Vec<Vec<u8>>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{what} {words:?}: {error}");
    let split = shell_words::split(words).map_err(|error| failed(&error))?;
    let (program, rest) = split.split_first().ok_or_else(|| failed(&"no program"))?;
    let mut outputs = Vec::new();
    while outputs.len() < starts {
        let many = AT_ONCE.min(starts - outputs.len());
        let start = |_| {
            let mut command = Command::new(program);
            command.args(rest).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
        };
        let children: Result<Vec<Child>, _> = (0..many).map(start).collect();
        let mut children = children.map_err(|error| failed(&error))?;
        let read = read_all(&mut children, bytes);
        // One that never ends is stopped when it has given enough; the status of one that ended by itself stays.
        let end = |child: &mut Child| child.kill().and(child.wait()).ok().and_then(|end| end.code());
        let codes: Vec<Option<i32>> = children.iter_mut().map(end).collect();
        let read = read.map_err(|error| failed(&error))?;
        let ended = read.iter().zip(codes).filter(|(output, _)| (output.len() as u64) < bytes);
        if let Some(code) = ended.filter_map(|(_, code)| code).find(|code| *code != 0) {
            return Err(failed(&format!("it ended with exit status {code}")));
        }
        outputs.extend(read);
    }
    Ok(outputs)
}

/// The beginnings of the outputs, in the order of the starts.
fn read_all(children: &mut [Child], bytes: u64) -> Result<Vec<Vec<u8>>, String> {
    let (sender, receiver) = mpsc::channel();
    for (place, child) in children.iter_mut().enumerate() {
        let output = child.stdout.take().expect("it is piped").take(bytes);
        let sender = sender.clone();
        std::thread::spawn(move || {
            // Nobody receives where patience ended first.
            let _ = sender.send((place, read_stream_limited(output, bytes)));
        });
    }
    let mut outputs = vec![Vec::new(); children.len()];
    for _ in 0..children.len() {
        let received = receiver.recv_timeout(PATIENCE);
        let (place, read) = received.map_err(|_| format!("nothing came for {} s", PATIENCE.as_secs()))?;
        outputs[place] = read.map_err(|error| error.to_string())?;
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::check::CheckResult;

    #[test]
    fn the_first_two_starts_that_gave_the_same_are_named() {
        let outputs = |bytes: &[u8]| bytes.iter().map(|&byte| vec![byte; BYTES_MIN]).collect::<Vec<_>>();
        assert_eq!(judge("a", &outputs(b"abc")).result, CheckResult::Passed);
        let found = judge("a", &outputs(b"abcbca"));
        assert_eq!(found.result, CheckResult::Refused);
        assert!(
            found.evidence.starts_with(
                "3 of 6 starts of \"a\" gave the first output of an earlier one (starts 2 and 4)"
            )
        );
        // Nor is an error with the number of its process, or the time.
        let failed =
            |n: u32| format!("2026-11-22 04:05:06.{n:03} [{}]: no such key, nothing is dealt\n", 4_190 + n);
        let errors: Vec<Vec<u8>> = (1..20).map(|n| failed(n).into_bytes()).collect();
        let found = judge("a", &errors);
        assert_eq!(
            (found.result, found.evidence.as_str()),
            (CheckResult::CouldNotSay, "19 starts of \"a\" differ in no more than 8 bytes, wanted decks")
        );
        // A start without a deck is no answer, even beside two that are equal.
        let short = [outputs(b"aa"), vec![vec![b'b'; BYTES_MIN - 1]]].concat();
        let found = judge("a", &short);
        assert_eq!(
            (found.result, found.evidence.as_str()),
            (CheckResult::CouldNotSay, "start 3 of \"a\" gave 33 bytes, wanted a deck")
        );
    }

    #[test]
    fn a_program_that_starts_from_the_second_or_a_fixed_state_is_named() {
        let found = check("sh -c 'head -c 64 /dev/urandom'", 20);
        assert_eq!(found.result, CheckResult::Passed, "{}", found.evidence);
        let found = check("sh -c 'date +%Y-%m-%dT%H:%M | sha256sum'", 20);
        assert!(
            found.result == CheckResult::Refused && found.evidence.contains("starts from the time"),
            "{}",
            found.evidence
        );
        let found = check("sh -c 'echo short'", 2);
        assert!(found.evidence.contains("gave 6 bytes, wanted a deck"), "{}", found.evidence);
        // The same error at every start is no fixed state.
        let found = check("sh -c 'echo the configuration of the shuffler is not there; exit 3'", 2);
        assert!(
            found.result == CheckResult::CouldNotSay
                && found.evidence.ends_with("it ended with exit status 3"),
            "{}",
            found.evidence
        );
        for words in ["no-such-program", "", "'"] {
            assert_eq!(check(words, 2).result, CheckResult::CouldNotSay, "{words}");
        }
    }
}
