//! Who is told of a day: metrics, JUnit, an incident and the command on alarm.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::monitoring::check::CheckResult;
use crate::monitoring::day::DayLine;
use crate::monitoring::exports::{
    self, DayStatus, INCIDENT_FORMAT, Incident, JUNIT_HEAD, METRICS_HEAD, Notification,
};
use crate::monitoring::store::REPORT_FILE;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::{Access, write_atomic};

/// What a message says of a day whose row was added.
pub const RECORDED: &str = "The day itself is recorded.";

/// What it says where none was.
pub const NOT_RECORDED: &str = "The day is not recorded.";

/// A program on alarm that has not ended by then is stopped: it must not hold up the nights that follow.
const ALARM_WAIT: Duration = Duration::from_secs(300);

/// How often it is asked whether it has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// Writes the files that all shufflers of the configuration share.
pub fn write_voices(
    metrics: Option<&Path>,
    junit: Option<&Path>,
    days: &[DayStatus],
) -> Result<(), CouldNotSay> {
    let write = |key: &str, path: Option<&Path>, head: &str, text: String| {
        let Some(path) = path else { return Ok(()) };
        let written = check_voice(path, head).and_then(|()| {
            let written = write_atomic(path, text.as_bytes(), Access::Public);
            written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
        });
        written.map_err(|fault| CouldNotSay::new(format!("{key}: {fault}"), "What the days say is above."))
    };
    write("metrics", metrics, METRICS_HEAD, exports::metrics(days))?;
    write("junit", junit, JUNIT_HEAD, exports::junit(days))
}

/// That a file is not there, is empty, or is an earlier one of a night, which begins so: nothing else is overwritten.
///
/// # Errors
/// What it is.
pub fn check_voice(path: &Path, head: &str) -> Result<(), String> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(found) if found.is_file() => {}
        _ => return Err(format!("{path:?} is no regular file, wanted another one")),
    }
    let mut begins = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(head.len() as u64).read_to_end(&mut begins));
    match read {
        Ok(0) => Ok(()),
        Ok(_) if begins == head.as_bytes() => Ok(()),
        _ => Err(format!("{path:?} is there, and no night wrote it; wanted another file")),
    }
}

/// What the programs are called with.
#[derive(Clone, Copy)]
pub struct DayNotice<'a> {
    /// The day.
    pub line: &'a DayLine,
    /// Its mail.
    pub mail: &'a str,
    /// Whether a stop is active, of this day or of an earlier one.
    pub is_stopped: bool,
    /// [`RECORDED`] or [`NOT_RECORDED`].
    pub in_record: &'static str,
}

impl DayNotice<'_> {
    /// Of the day, or a stop that is active.
    fn result(&self) -> CheckResult {
        if self.is_stopped { CheckResult::Refused } else { self.line.result() }
    }
}

/// Runs the program of every day, and on a day that is no pass, or while a stop is active, the one on alarm, which get what
/// happened in their environment, and writes the incident. Gives what of it did not go well, in sentences.
pub fn tell(
    folder: &Path,
    place: &str,
    day: &DayNotice,
    on_day: &[String],
    on_alarm: &[String],
) -> Vec<String> {
    let DayNotice { line, mail, in_record, .. } = *day;
    let mut faults = Vec::new();
    let report = folder.join(place).join(REPORT_FILE);
    if let Some(Err(status)) = run(on_day, day, &report, ALARM_WAIT) {
        faults.push(format!("on_day: {:?}: {status}", on_day[0]));
    }
    if day.result() == CheckResult::Passed {
        return faults;
    }
    let notified = run(on_alarm, day, &report, ALARM_WAIT).map(|ended| {
        if let Err(status) = &ended {
            faults.push(format!("on_alarm: {:?}: {status}; perhaps nobody was notified", on_alarm[0]));
        }
        let (Ok(status) | Err(status)) = ended;
        Notification { command: on_alarm.to_vec(), status }
    });
    if line.result() == CheckResult::Passed {
        // The incident of the stop is that of its own day.
        return faults;
    }
    let incident = Incident {
        format: INCIDENT_FORMAT,
        name: &line.name,
        day: &line.day,
        when: line.checked.as_deref().unwrap_or(&line.day),
        result: line.result(),
        what: line.checks.iter().filter(|check| check.result > CheckResult::Passed).collect(),
        mail: mail.lines().collect(),
        told: notified,
    };
    let path = folder.join(format!("incident-{place}.json"));
    let json = serde_json::to_string_pretty(&incident).expect("an incident is plain data");
    if let Err(error) = write_atomic(&path, format!("{json}\n").as_bytes(), Access::Public) {
        faults.push(format!("{} cannot be written: {error}. {in_record}", path.display()));
    }
    faults
}

/// Runs a command, if there is one, and gives its status, as an error if it is none of success. Never a shell: names of files and
/// tables are data, not commands.
fn run(command: &[String], day: &DayNotice, report: &Path, wait: Duration) -> Option<Result<String, String>> {
    let (program, words) = command.split_first()?;
    let child = Command::new(program)
        .args(words)
        .env("DECKPROOF_NAME", &day.line.name)
        .env("DECKPROOF_DAY", &day.line.day)
        .env("DECKPROOF_RESULT", day.result().machine_words())
        .env("DECKPROOF_MAIL", day.mail)
        .env("DECKPROOF_REPORT", report)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return Some(Err(format!("could not be run: {error}"))),
    };
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Some(Ok(status.to_string())),
            Ok(Some(status)) => return Some(Err(status.to_string())),
            Err(error) => return Some(Err(format!("could not be waited for: {error}"))),
            Ok(None) if begun.elapsed() >= wait => {
                // It may end by itself just now, and that is all we want of it.
                let _ = child.kill().and_then(|()| child.wait().map(drop));
                return Some(Err(format!("did not end within {} s and was stopped", wait.as_secs())));
            }
            Ok(None) => std::thread::sleep(PAUSE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_on_alarm_that_fails_hangs_or_is_not_there_is_told() {
        let line = DayLine::of_failure("2026-11-22", "a", "0", "no disk", "");
        let day = DayNotice { line: &line, mail: "mail", is_stopped: false, in_record: RECORDED };
        let ran = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            run(&words, &day, Path::new("report.json"), Duration::from_millis(300)).expect("a command")
        };
        assert!(ran(&["true"]).is_ok());
        for (words, status) in [
            (&["sh", "-c", "exit 3"][..], "exit status: 3"),
            (&["sleep", "60"], "did not end within 0 s and was stopped"),
            (&["no-such-alarm"], "could not be run: "),
        ] {
            let fault = ran(words).expect_err("it did not go well");
            assert!(fault.starts_with(status), "{fault}");
        }
    }

    #[test]
    fn an_incident_that_cannot_be_written_says_whether_the_day_is_recorded() {
        let line = DayLine::of_failure("2026-11-22", "a", "0", "no disk", "");
        let fault = |in_record| {
            let day = DayNotice { line: &line, mail: "mail", is_stopped: false, in_record };
            tell(Path::new("no-such-folder"), "a", &day, &[], &[]).join(" ")
        };
        assert!(fault(RECORDED).ends_with("The day itself is recorded."));
        assert!(fault(NOT_RECORDED).ends_with("The day is not recorded."));
    }
}
