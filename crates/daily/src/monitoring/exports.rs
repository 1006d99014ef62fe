//! How the day is told to other programs: metrics for a textfile collector, JUnit XML, an incident.

use serde::Serialize;

use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::day::DayLine;

/// One shuffler after its day.
pub struct DayStatus<'a> {
    /// The row of the day.
    pub line: &'a DayLine,
    /// Its steps beside the stops that are active.
    pub checks: &'a [DayCheck],
    /// When a day last passed, in POSIX seconds.
    pub last_success: Option<i64>,
    /// When this day was checked, in POSIX seconds.
    pub checked: i64,
    /// How many stops are active.
    pub stops: usize,
}

/// Results as a label has them.
const RESULTS: [(CheckResult, &str); 4] = [
    (CheckResult::Passed, "pass"),
    (CheckResult::Investigate, "investigate"),
    (CheckResult::Refused, "stop"),
    (CheckResult::CouldNotSay, "could_not_say"),
];

/// One metric: name, what it is, and its value of a shuffler, if it has one.
type Metric = (&'static str, &'static str, fn(&DayStatus) -> Option<f64>);

const METRICS: [Metric; 8] = [
    // First, because an alarm on its age is raised by silence too.
    ("deckproof_daily_last_success_timestamp_seconds", "When the daily check last passed.", |day| {
        day.last_success.map(|time| time as f64)
    }),
    ("deckproof_daily_last_run_timestamp_seconds", "When the daily check last ran.", |day| {
        Some(day.checked as f64)
    }),
    (
        "deckproof_daily_last_success_age_seconds",
        "How long before the last run the check last passed.",
        |day| day.last_success.map(|time| (day.checked - time) as f64),
    ),
    ("deckproof_daily_exit_code", "0 passed, 1 stop, 2 could not say, 3 investigate.", |day| {
        // As the job ends: with 1 while a stop is active.
        let result = if day.stops > 0 { CheckResult::Refused } else { day.line.result() };
        Some(f64::from(result.exit().code()))
    }),
    ("deckproof_daily_active_stops", "Stops that are active.", |day| Some(day.stops as f64)),
    ("deckproof_daily_decks", "Decks that were judged on the last day.", |day| Some(day.line.decks as f64)),
    (
        "deckproof_daily_evidence_log10",
        "Common logarithm of the evidence against the shuffler over all days.",
        |day| day.line.drift.as_ref().map(|drift| drift.ln_evidence / std::f64::consts::LN_10),
    ),
    ("deckproof_daily_checks_failed", "Checks of the last day that did not pass.", |day| {
        Some(day.line.checks.iter().filter(|check| check.result > CheckResult::Passed).count() as f64)
    }),
];

/// How the metrics of a night begin.
pub const METRICS_HEAD: &str = "# TYPE deckproof_daily_";

/// How the test report of a night begins.
pub const JUNIT_HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- deckproof daily -->\n";

/// Text for the textfile collector of the Prometheus node exporter, which is OpenMetrics 1.0 too: gauges, ended by `# EOF`.
pub fn metrics(all: &[DayStatus]) -> String {
    let mut text = String::new();
    for (name, help, value) in METRICS {
        text += &format!("# TYPE {name} gauge\n# HELP {name} {help}\n");
        for day in all {
            if let Some(value) = value(day) {
                text += &format!("{name}{{shuffler=\"{}\"}} {value}\n", label(&day.line.name));
            }
        }
    }
    text += "# TYPE deckproof_daily_result gauge\n# HELP deckproof_daily_result 1 for what the last day says, 0 for the others.\n";
    for day in all {
        for (result, name) in RESULTS {
            let value = u8::from(day.line.result() == result);
            let shuffler = label(&day.line.name);
            text += &format!("deckproof_daily_result{{shuffler=\"{shuffler}\",result=\"{name}\"}} {value}\n");
        }
    }
    text + "# EOF\n"
}

/// A label's value: backslash, quote and line feed are escaped.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// The steps as JUnit XML: stop and investigate are failures, could not say an error, what is not set up is skipped. A stop
/// of an earlier day that is active is a failure of its step.
pub fn junit(all: &[DayStatus]) -> String {
    let mut text = format!("{JUNIT_HEAD}<testsuites>\n");
    for DayStatus { line, checks, .. } in all {
        let number =
            |result: fn(CheckResult) -> bool| checks.iter().filter(|check| result(check.result)).count();
        text += &format!(
            "  <testsuite name=\"{}\" timestamp=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
            xml(&line.name),
            xml(line.checked.as_deref().unwrap_or(&line.day).trim_end_matches('Z')),
            checks.len(),
            number(|result| matches!(result, CheckResult::Refused | CheckResult::Investigate)),
            number(|result| result == CheckResult::CouldNotSay),
            number(|result| result == CheckResult::NotSetUp),
        );
        checks.iter().for_each(|check| text += &case(line, check));
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

fn case(line: &DayLine, check: &DayCheck) -> String {
    let evidence = xml(&check.evidence);
    let inner = match check.result {
        CheckResult::Passed => format!("<system-out>{evidence}</system-out>"),
        CheckResult::NotSetUp => format!("<skipped message=\"{evidence}\"/>"),
        CheckResult::CouldNotSay => format!("<error message=\"{evidence}\"/>"),
        result @ (CheckResult::Investigate | CheckResult::Refused) => {
            format!("<failure type=\"{}\" message=\"{evidence}\"/>", result.machine_words())
        }
    };
    let (class, name) = (xml(&line.name), xml(&check.name));
    format!("    <testcase classname=\"{class}\" name=\"{name}\" time=\"0\">{inner}</testcase>\n")
}

/// Text of an attribute or element (XML 1.0, 2.4); what XML cannot hold at all becomes U+FFFD.
fn xml(text: &str) -> String {
    let letter = |letter: char| match letter {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => "\u{fffd}".to_owned(),
        letter => letter.to_string(),
    };
    text.chars().map(letter).collect()
}

/// The version of [`Incident`].
pub const INCIDENT_FORMAT: &str = "deckproof/incident/v1";

/// A day that did not pass, and who was told.
#[derive(Serialize)]
pub struct Incident<'a> {
    /// [`INCIDENT_FORMAT`].
    pub format: &'static str,
    /// Which shuffler.
    pub name: &'a str,
    /// Which day.
    pub day: &'a str,
    /// When it was found, UTC.
    pub when: &'a str,
    /// What all steps say together.
    pub result: CheckResult,
    /// The steps that did not pass.
    pub what: Vec<&'a DayCheck>,
    /// The five lines of mail.
    pub mail: Vec<&'a str>,
    /// The command that was run, and how it ended; nothing where none is configured.
    pub told: Option<Notification>,
}

/// A command that tells somebody.
#[derive(Serialize)]
pub struct Notification {
    /// The program and its words.
    pub command: Vec<String>,
    /// Its exit status, or why it could not be run.
    pub status: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str) -> DayLine {
        let mut line = DayLine::of_failure("2026-11-22", name, "0", "no disk", "");
        line.checks = vec![
            DayCheck::passed("chain", "3 rows & more"),
            DayCheck::stop("replay", "hand \"3\" <gone>"),
            DayCheck::not_set_up("log", "log"),
        ];
        line.overall = Some(CheckResult::Refused);
        line
    }

    #[test]
    fn metrics_begin_with_the_last_success_and_escape_names() {
        let line = line("a\"b\\c");
        let days = [DayStatus {
            line: &line,
            checks: &line.checks,
            last_success: Some(1_700_000_000),
            checked: 1_700_000_100,
            stops: 1,
        }];
        let text = metrics(&days);
        let first: Vec<&str> = text.lines().take(3).collect();
        assert_eq!(
            first[2],
            "deckproof_daily_last_success_timestamp_seconds{shuffler=\"a\\\"b\\\\c\"} 1700000000"
        );
        assert!(text.contains("deckproof_daily_exit_code{shuffler=\"a\\\"b\\\\c\"} 1\n"), "{text}");
        let is_stop = |result: &str, value: u8| {
            let line =
                format!("deckproof_daily_result{{shuffler=\"a\\\"b\\\\c\",result=\"{result}\"}} {value}\n");
            assert!(text.contains(&line), "{line}{text}");
        };
        is_stop("stop", 1);
        is_stop("pass", 0);
        assert!(text.contains("last_success_age_seconds{shuffler=\"a\\\"b\\\\c\"} 100\n"), "{text}");
        assert!(text.ends_with("# EOF\n") && !text.contains("evidence_log10{"), "{text}");
        // Nothing ever passed: there is no sample, so that an alarm on absence is raised.
        let never = [DayStatus { last_success: None, ..days[0] }];
        assert!(!metrics(&never).contains("success_timestamp_seconds{"));
    }

    #[test]
    fn junit_is_xml_that_says_what_failed() {
        let line = line("a & b");
        let text = junit(&[DayStatus {
            line: &line,
            checks: &line.checks,
            last_success: None,
            checked: 0,
            stops: 1,
        }]);
        let xml = roxmltree::Document::parse(&text).expect("it is XML");
        let of = |tag: &str| xml.descendants().filter(|node| node.has_tag_name(tag)).count();
        assert_eq!((of("testcase"), of("failure"), of("skipped"), of("error")), (3, 1, 1, 0));
        let failure = xml.descendants().find(|node| node.has_tag_name("failure")).expect("one");
        assert_eq!(failure.attribute("message"), Some("hand \"3\" <gone>"));
    }
}
