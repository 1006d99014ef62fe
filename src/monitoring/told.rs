//! Who is told of a day: metrics, JUnit, an incident and the command on alarm.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::file::{Access, write_atomic};
use crate::monitoring::check::CheckResult;
use crate::monitoring::line::DayLine;
use crate::monitoring::voices::{self, INCIDENT_FORMAT, Incident, Told, ToldBy};
use crate::text::could_not_say::CouldNotSay;

/// Writes the files that all shufflers of the configuration share.
pub fn write_voices(metrics: Option<&Path>, junit: Option<&Path>, told: &[Told]) -> Result<(), CouldNotSay> {
    let write = |path: Option<&Path>, text: &dyn Fn(&[Told]) -> String| match path {
        Some(path) => write_atomic(path, text(told).as_bytes(), Access::Public).map_err(|error| {
            CouldNotSay::new(format!("{}: {error}", path.display()), "The days themselves are recorded.")
        }),
        None => Ok(()),
    };
    write(metrics, &voices::metrics)?;
    write(junit, &voices::junit)
}

/// Runs the command on alarm, which gets what happened in its environment, and writes the incident.
pub fn tell(
    folder: &Path,
    place: &str,
    line: &DayLine,
    mail: &str,
    on_alarm: &[String],
) -> Result<(), CouldNotSay> {
    if line.result() == CheckResult::Passed {
        return Ok(());
    }
    let told = on_alarm.split_first().map(|(program, words)| ToldBy {
        command: on_alarm.to_vec(),
        status: run(program, words, line, mail),
    });
    let incident = Incident {
        format: INCIDENT_FORMAT,
        name: &line.name,
        day: &line.day,
        when: line.checked.as_deref().unwrap_or(&line.day),
        result: line.result(),
        what: line.checks.iter().filter(|check| check.result > CheckResult::Passed).collect(),
        mail: mail.lines().collect(),
        told,
    };
    let path = folder.join(format!("incident-{place}.json"));
    let json = serde_json::to_string_pretty(&incident).expect("an incident is plain data");
    write_atomic(&path, format!("{json}\n").as_bytes(), Access::Public).map_err(|error| {
        CouldNotSay::new(format!("{}: {error}", path.display()), "The day itself is recorded.")
    })
}

/// Never a shell: names of files and tables are data, not commands.
fn run(program: &str, words: &[String], line: &DayLine, mail: &str) -> String {
    let status = Command::new(program)
        .args(words)
        .env("DECKPROOF_NAME", &line.name)
        .env("DECKPROOF_DAY", &line.day)
        .env("DECKPROOF_RESULT", line.result().machine_words())
        .env("DECKPROOF_MAIL", mail)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match status {
        Ok(status) => status.to_string(),
        Err(error) => format!("could not be run: {error}"),
    }
}

/// Removes a folder that nothing was written into.
pub fn tidy(folder: &Path) {
    // One that holds something stays.
    let _ = fs::remove_dir(folder);
}
