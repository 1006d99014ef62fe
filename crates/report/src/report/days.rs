//! The days of a shuffler as pages: how evidence and p-values went, and every step of a day.

use std::fmt::Write;

use askama::Template;

use crate::report::escape;
use deckproof_deck::text::named::named;

named! {
    /// What a day says, in the colours of verdicts.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum DayResult {
        /// Nothing was found.
        Passed = "passed",
        /// A question.
        Investigate = "investigate",
        /// Stop.
        Refused = "stop",
        /// No result.
        CouldNotSay = "could not say",
        /// No day, but what somebody states of one.
        Correction = "correction",
    }
    /// In words.
    pub fn words;
}

impl DayResult {
    fn class(self) -> &'static str {
        match self {
            DayResult::Passed => "pass",
            DayResult::Investigate => "investigate",
            DayResult::Refused => "fail",
            DayResult::CouldNotSay | DayResult::Correction => "inconclusive",
        }
    }
}

/// One row of the record.
#[derive(Clone, PartialEq, Debug)]
pub struct DayRow {
    /// The number of the row.
    pub row: usize,
    /// The date.
    pub day: String,
    /// What all its steps say together.
    pub result: DayResult,
    /// How many decks were judged.
    pub decks: String,
    /// The family p-value of the decks, and as it is printed.
    pub p_value: Option<(f64, String)>,
    /// The common logarithm of the evidence over all days until then, and in words.
    pub evidence: Option<(f64, String)>,
    /// The first step that did not pass.
    pub finding: String,
}

/// One step of a day.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepRow {
    /// Its name.
    pub name: String,
    /// What it says, in words.
    pub says: String,
    /// Whether it passed, or was not asked for.
    pub is_quiet: bool,
    /// What it rests on.
    pub evidence: String,
}

/// A picture's frame.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 26.0;

/// The p-value at which a day asks a question, 1/3650, as a power of ten.
const QUESTION_POWER: f64 = 3.562;

/// More powers of ten are drawn as so many.
const POWERS_MAX: f64 = 12.0;

/// A vertical scale of powers of ten.
struct Powers {
    top: f64,
}

impl Powers {
    fn y(&self, power: f64) -> f64 {
        let part = (power / self.top).clamp(0.0, 1.0);
        HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)
    }
}

fn x(place: usize, days: usize) -> f64 {
    LEFT + (place as f64 + 0.5) / days.max(1) as f64 * (WIDTH - LEFT - RIGHT)
}

/// The record as a page of its own.
pub fn history_page(name: &str, days: &[DayRow], sound: &str) -> String {
    let pictures = [evidence_picture(days), p_value_picture(days)];
    page(format!("Daily checks of {name}"), Body::History { days, sound, pictures })
}

/// The days of one of several shufflers.
pub struct Shuffler {
    /// What it is called.
    pub name: String,
    /// Its days.
    pub days: Vec<DayRow>,
    /// What is active, or that nothing is.
    pub state: String,
    /// Whether a stop is active.
    pub is_stopped: bool,
    /// Whether the record is as it was written.
    pub sound: String,
}

impl Shuffler {
    fn last(&self) -> Option<&DayRow> {
        self.days.iter().rev().find(|day| day.result != DayResult::Correction)
    }

    /// How its row looks: a stop that is active is seen whatever the last day was.
    fn class(&self, last: DayResult) -> &'static str {
        if self.is_stopped { DayResult::Refused } else { last }.class()
    }
}

/// Several shufflers in one page: the last day of each, then every day of each.
pub fn overview_page(shufflers: &[Shuffler]) -> String {
    page("Daily checks".to_owned(), Body::Overview(shufflers))
}

/// The report of a day's decks with the steps of the day at its head; nothing if the page is none of this program.
pub fn with_day(report: &str, name: &str, day: &str, steps: &[StepRow]) -> Option<String> {
    let title = escape::html(&format!("{name}, {day}"));
    let (before, after) = report.split_once("<main>\n")?;
    let steps = StepsTemplate { steps }.render().expect("a String takes every text and no value can fail");
    let more = "<p>This page is of the decks of the day; its verdict is that of one audit. All steps together give the result of the day.</p>\n";
    Some(format!("{before}<main>\n<h2>The day: {title}</h2>\n{more}{steps}\n{after}"))
}

/// A day with all its steps, its mail, and the pages of its audits where they stand beside it.
pub fn day_page(
    (name, day): (&str, &str),
    result: DayResult,
    mail: &str,
    steps: &[StepRow],
    links: &[(&str, &str)],
) -> String {
    page(format!("{name}, {day}"), Body::Day { result, mail: mail.trim_end(), steps, links })
}

/// A page of days.
#[derive(Template)]
#[template(path = "days.html", config = "src/report/templates/askama.toml", whitespace = "preserve")]
struct DaysTemplate<'a> {
    title: String,
    body: Body<'a>,
}

/// Its content.
enum Body<'a> {
    History { days: &'a [DayRow], sound: &'a str, pictures: [String; 2] },
    Overview(&'a [Shuffler]),
    Day { result: DayResult, mail: &'a str, steps: &'a [StepRow], links: &'a [(&'a str, &'a str)] },
}

fn page(title: String, body: Body) -> String {
    DaysTemplate { title, body }.render().expect("a String takes every text and no value can fail")
}

/// The steps of a day, as a table.
#[derive(Template)]
#[template(path = "steps.html", config = "src/report/templates/askama.toml")]
struct StepsTemplate<'a> {
    steps: &'a [StepRow],
}

/// The evidence over all days, with both alarms.
fn evidence_picture(days: &[DayRow]) -> String {
    let power = |day: &DayRow| day.evidence.as_ref().map(|(power, _)| *power);
    let highest = days.iter().filter_map(power).fold(0.0, f64::max);
    let scale = Powers { top: highest.clamp(7.0, POWERS_MAX) };
    let points: Vec<String> = (days.iter().enumerate())
        .filter_map(|(place, day)| Some((place, power(day)?)))
        .map(|(place, power)| format!("{:.1} {:.1}", x(place, days.len()), scale.y(power)))
        .collect();
    let mut body = String::new();
    for (power, words) in [(3.0, "investigate"), (6.0, "stop")] {
        body += &alarm(scale.y(power), words);
    }
    if !points.is_empty() {
        let _ = write!(body, "<path class=\"line\" d=\"M{}\"/>", points.join("L"));
        // A line of one point is none.
        for point in points.iter().take(if points.len() == 1 { 1 } else { 0 }) {
            let (x, y) = point.split_once(' ').unwrap_or_default();
            let _ = write!(body, "<circle class=\"pass\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>");
        }
    }
    let caption = format!(
        "Evidence against the shuffler over all days, as powers of ten; below 1 it is drawn as 0, above 10^{POWERS_MAX:.0} as that. Alarms at 1,000 \
         (investigate) and 1,000,000 (stop). Days with a value: {}.",
        points.len()
    );
    figure(
        "evidence",
        "Evidence",
        &frame("evidence", &scale, days, &body, |power| format!("10^{power:.0}")),
        &caption,
    )
}

/// The family p-value of every day.
fn p_value_picture(days: &[DayRow]) -> String {
    let power = |day: &DayRow| day.p_value.as_ref().map(|(p_value, _)| -libm::log10(p_value.max(1e-300)));
    let highest = days.iter().filter_map(power).fold(0.0, f64::max);
    let scale = Powers { top: highest.clamp(4.0, POWERS_MAX) };
    let mut body = alarm(scale.y(QUESTION_POWER), "1 in 3,650, a question");
    let mut drawn = 0;
    for (place, day) in days.iter().enumerate() {
        let Some(power) = power(day) else { continue };
        drawn += 1;
        let _ = write!(
            body,
            "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\"/>",
            day.result.class(),
            x(place, days.len()),
            scale.y(power)
        );
    }
    let caption = format!(
        "Family p-value of the decks of each day, null: fair shuffle; higher is smaller, below 10^-{POWERS_MAX:.0} is drawn as that. One fair day in ten years \
         lies above the line. Days with one: {drawn} of {}.",
        days.len()
    );
    let picture = frame("p-values", &scale, days, &body, |power| match power {
        0.0 => "1".to_owned(),
        power => format!("10^-{power:.0}"),
    });
    figure("p-values", "Family p-values", &picture, &caption)
}

/// A line from which on something is reported.
fn alarm(y: f64, words: &str) -> String {
    let (right, above) = (WIDTH - RIGHT, y - 4.0);
    format!(
        "<path class=\"alarm\" d=\"M{LEFT} {y:.1}H{right}\"/><text x=\"{right}\" y=\"{above:.1}\" text-anchor=\"end\">{words}</text>"
    )
}

/// Axes with powers of ten, and the first and the last day.
fn frame(id: &str, scale: &Powers, days: &[DayRow], body: &str, label: impl Fn(f64) -> String) -> String {
    let base = HEIGHT - BOTTOM;
    let mut axes = format!("<path class=\"axis\" d=\"M{LEFT} {TOP}V{base}H{}\"/>", WIDTH - RIGHT);
    let step = if scale.top > 8.0 { 2 } else { 1 };
    for power in (0..=scale.top as u32).step_by(step) {
        let y = scale.y(f64::from(power)) + 4.0;
        let _ = write!(
            axes,
            "<text x=\"{}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            label(f64::from(power))
        );
    }
    let date = |day: Option<&DayRow>| day.map_or_else(String::new, |day| escape::html(&day.day));
    let y = HEIGHT - 8.0;
    let _ = write!(
        axes,
        "<text x=\"{LEFT}\" y=\"{y}\">{}</text><text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{}</text>",
        date(days.first()),
        WIDTH - RIGHT,
        date(days.last())
    );
    format!(
        "<svg class=\"trend\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-labelledby=\"{id}-title\" aria-describedby=\"{id}-text\">{axes}{body}</svg>"
    )
}

fn figure(id: &str, title: &str, svg: &str, caption: &str) -> String {
    format!(
        "<figure>\n<p class=\"name\" id=\"{id}-title\">{title}</p>\n{svg}\n<figcaption id=\"{id}-text\">{caption}</figcaption>\n</figure>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(row: usize, power: f64, p_value: f64, result: DayResult) -> DayRow {
        DayRow {
            row,
            day: format!("2026-11-{row:02}"),
            result,
            decks: "1,000".to_owned(),
            p_value: Some((p_value, p_value.to_string())),
            evidence: Some((power, "1 in <b>".to_owned())),
            finding: "a & b".to_owned(),
        }
    }

    fn body(page: &str) -> &str {
        page.strip_prefix("<!DOCTYPE html>\n").expect("it is HTML")
    }

    /// Heights by hand: 182 units for seven powers, base at 194.
    #[test]
    fn the_page_is_xml_and_its_points_lie_where_they_should() {
        let days = [
            day(1, 0.0, 1.0, DayResult::Passed),
            day(2, 3.5, 0.01, DayResult::Investigate),
            day(3, 40.0, 0.0, DayResult::Refused),
        ];
        let page = history_page("T <1>", &days, "sound");
        let xml = roxmltree::Document::parse(body(&page)).unwrap_or_else(|error| panic!("{error}: {page}"));
        let line = xml.descendants().find(|node| node.attribute("class") == Some("line")).expect("a line");
        // Twelve powers at most: 3.5 of 12 is 53.1 above the base.
        assert_eq!(line.attribute("d"), Some("M198.3 194.0L475.0 140.9L751.7 12.0"));
        let dots = xml.descendants().filter(|node| node.has_tag_name("circle")).count();
        assert_eq!(dots, 3);
        let rows: Vec<_> = xml.descendants().filter(|node| node.has_tag_name("tr")).collect();
        assert_eq!((rows.len(), rows[1].attribute("class")), (4, Some("fail")), "the newest first");
        assert!(page.contains("T &lt;1&gt;") && page.contains("a &amp; b") && !page.contains("<b>"));
        assert!(roxmltree::Document::parse(body(&history_page("empty", &[], ""))).is_ok());
    }

    #[test]
    fn the_report_of_the_decks_begins_with_the_steps_of_the_day() {
        let step = StepRow {
            name: "chain".to_owned(),
            says: "passed".to_owned(),
            is_quiet: true,
            evidence: "<script>".to_owned(),
        };
        let report =
            with_day("<body>\n<main>\n<h1>PASS</h1>\n</main>\n</body>\n", "T <1>", "2026-11-01", &[step]);
        let report = report.expect("it has a main part");
        let xml = roxmltree::Document::parse(&report).unwrap_or_else(|error| panic!("{error}: {report}"));
        let rows = xml.descendants().filter(|node| node.has_tag_name("tr")).count();
        assert_eq!(rows, 2);
        assert!(report.contains("&lt;script&gt;") && report.contains("T &lt;1&gt;, 2026-11-01"), "{report}");
        assert!(report.find("chain").expect("a step") < report.find("PASS").expect("the verdict"));
        assert_eq!(with_day("<html/>", "T", "2026-11-01", &[]), None);
    }

    #[test]
    fn a_day_shows_every_step_and_escapes_what_it_rests_on() {
        let step = |name: &str, is_quiet| StepRow {
            name: name.to_owned(),
            says: "refused".to_owned(),
            is_quiet,
            evidence: "<script>".to_owned(),
        };
        let page = day_page(
            ("T", "2026-11-01"),
            DayResult::Refused,
            "a\nb <c>\n",
            &[step("chain", true), step("drift", false)],
            &[("report.html", "The decks")],
        );
        let xml = roxmltree::Document::parse(body(&page)).unwrap_or_else(|error| panic!("{error}: {page}"));
        let says = xml.descendants().filter(|node| node.attribute("class") == Some("says")).count();
        let links: Vec<_> = xml.descendants().filter_map(|node| node.attribute("href")).collect();
        assert_eq!((says, links), (1, vec!["report.html"]));
        // Red on a stop, and one column where the screen is narrow.
        assert!(page.contains("<h1 class=\"day fail\">T, 2026-11-01: stop</h1>"), "{page}");
        assert!(page.contains("@media (max-width: 40rem) { .steps thead"), "{page}");
        assert!(!page.contains("<script>") && page.contains("b &lt;c&gt;"));
    }
}
