//! The days of a shuffler as a table, JSON, CSV and a page.

use comfy_table::Table;
use serde_json::json;

use crate::monitoring::check::{CheckResult, first_of};
use crate::monitoring::correction::Correction;
use crate::monitoring::day::{DAY_SECONDS, DayLine};
use crate::monitoring::drift::stands_at;
use crate::monitoring::event::{Event, EventKind};
use crate::monitoring::rows::counting;
use crate::monitoring::state::{Change, changes as changes_of, stops};
use crate::monitoring::store::{Pages, Store};
use deckproof_deck::text::decimal::{counted, joint_p_value_small, thousands};
use deckproof_report::rendering::audit::csv::quoted;
use deckproof_report::rendering::columns::columns;
use deckproof_report::report::days::{DayResult, DayRow, Shuffler, history_page, overview_page};

/// The page of all days, with the evidence and the p-values as pictures.
pub fn page(store: &Store) -> String {
    let rows: Vec<DayRow> = store.days().iter().enumerate().map(|(place, day)| day_row(place, day)).collect();
    let name = store.last().map_or("no shuffler yet", |day| day.name.as_str());
    history_page(name, &rows, &format!("{}{}", active(store.days()), rows_sentence(store)))
}

/// Several records in one page.
pub fn overview(stores: &[Store]) -> String {
    let shuffler = |store: &Store| Shuffler {
        name: store.last().map_or_else(|| "no shuffler yet".to_owned(), |day| day.name.clone()),
        days: store.days().iter().enumerate().map(|(place, day)| day_row(place, day)).collect(),
        state: active(store.days()).trim_end().to_owned(),
        is_stopped: !stops(store.days()).is_empty(),
        sound: rows_sentence(store),
    };
    overview_page(&stores.iter().map(shuffler).collect::<Vec<_>>())
}

fn rows_sentence(store: &Store) -> String {
    format!(
        "{}, each with the hash of the one before; the last is {}.",
        counted(store.lines() as u64, "row", "rows"),
        store.last_sha256()
    )
}

fn day_row(place: usize, day: &DayLine) -> DayRow {
    let [_, _, _, decks, p_value, evidence, finding] = cells(place, day);
    DayRow {
        row: place + 1,
        day: day.day.clone(),
        result: if day.is_day() { day_result(day.result()) } else { DayResult::Correction },
        decks,
        p_value: day.family_p_value.map(|own| (own, p_value)),
        evidence: day.drift.as_ref().map(|drift| (drift.ln_evidence / std::f64::consts::LN_10, evidence)),
        finding,
    }
}

/// A result in the colours of a page.
pub(super) fn day_result(result: CheckResult) -> DayResult {
    match result {
        CheckResult::Passed => DayResult::Passed,
        CheckResult::Investigate => DayResult::Investigate,
        CheckResult::Refused => DayResult::Refused,
        CheckResult::CouldNotSay | CheckResult::NotSetUp => DayResult::CouldNotSay,
    }
}

/// What was recomputed of a record beside its rows.
pub struct Sound {
    /// The pages of the days.
    pub pages: Pages,
    /// Decks of earlier days that are remembered.
    pub known: u64,
    /// Rows that were kept elsewhere.
    pub kept: usize,
}

/// That a correction was added as this row.
pub fn corrected(store: &Store, added: usize) -> String {
    let words = store
        .days()
        .last()
        .and_then(|line| line.correction.as_ref())
        .map_or_else(String::new, Correction::words);
    format!(
        "Row {added} is a correction {words}.\nThe row itself stays as it was written: no verdict, no evidence and no stop is changed.\n"
    )
}

/// That an event was added as this row, and what is active after it.
pub fn event_added(store: &Store, added: usize) -> String {
    let event = store.days().last().and_then(|line| line.event.as_ref());
    let words = event.map_or_else(String::new, Event::words);
    let beside = event.map_or_else(String::new, |event| judged_beside(store.days(), event));
    format!("Row {added}: {words}.\n{beside}{}The next mail names it.\n", active(store.days()))
}

/// Rows of the day of a voided one that were judged while that one counted, and did not pass: what they found may rest on it.
fn judged_beside(days: &[DayLine], event: &Event) -> String {
    let Some(voided) = days.get(event.row - 1).filter(|_| event.kind == EventKind::Voided) else {
        return String::new();
    };
    let is_beside = |row: usize, line: &DayLine| {
        row > event.row
            && line.day == voided.day
            && line.certificate.is_some()
            && line.result() != CheckResult::Passed
    };
    let rows = counting(days).filter(|&(row, line)| is_beside(row, line));
    let line = |(row, line): (usize, &DayLine)| {
        format!(
            "Row {row} of the same day was judged while row {} counted, and says {}: if its file is the right one, void it too, and run \
             daily --date {} again.\n",
            event.row,
            line.result().words(),
            line.day
        )
    };
    rows.map(line).collect()
}

/// The active stops, a line each.
pub fn active(days: &[DayLine]) -> String {
    let stops = stops(days);
    if stops.is_empty() {
        "No stop is active.\n".to_owned()
    } else {
        stops
            .iter()
            .map(|stop| {
                format!(
                    "Active: stop of {} (row {}), {}: {}.\n",
                    stop.day, stop.row, stop.step, stop.evidence
                )
            })
            .collect()
    }
}

/// Every change of state, a line each.
pub fn changes(days: &[DayLine]) -> String {
    let changes: Vec<Change> = changes_of(days);
    if changes.is_empty() {
        String::new()
    } else {
        let line = |change: &Change| format!("  row {}: {}\n", change.row, change.words);
        format!("Changes of state:\n{}{}", changes.iter().map(line).collect::<String>(), active(days))
    }
}

/// The last run of the last day: one that is recorded late says nothing of today. Nor does one of a clock that was ahead, as a
/// row shows that was written after it and before its day began.
fn last_day(days: &[DayLine]) -> Option<(usize, &DayLine)> {
    let mut earliest = i64::MAX;
    let in_order = counting(days).rev().filter(|(_, line)| {
        // Of no place on earth a day begins earlier than half a day before that of UTC.
        let has_begun = line.midnight().is_none_or(|midnight| midnight - DAY_SECONDS / 2 <= earliest);
        earliest = line.checked_seconds().map_or(earliest, |checked| earliest.min(checked));
        has_begun
    });
    in_order.max_by(|(row, a), (other, b)| (&a.day, row).cmp(&(&b.day, other)))
}

/// What the record says today: an active stop, or else the last day. Without a day nothing can be said, and nothing yet where
/// people ended the stop of the last one.
pub fn state(days: &[DayLine]) -> CheckResult {
    match (stops(days).is_empty(), last_day(days)) {
        (false, _) => CheckResult::Refused,
        (true, Some((_, day))) if day.result() == CheckResult::Refused => CheckResult::CouldNotSay,
        (true, Some((_, day))) => day.result(),
        (true, None) => CheckResult::CouldNotSay,
    }
}

/// The record as a plugin of Nagios or Icinga: its line and its status, 0 passed, 1 investigate, 2 stop, 3 could not say or no
/// result for longer than so many hours.
pub fn nagios(days: &[DayLine], now: i64, hours_max: i64) -> (String, u8) {
    let Some((row, day)) = last_day(days) else {
        return ("DECKPROOF UNKNOWN - no day yet\n".to_owned(), 3);
    };
    let hours = day.checked_seconds().map(|checked| (now - checked) / 3_600);
    let is_old = hours.is_none_or(|hours| hours > hours_max || hours < 0);
    let (word, code) = match state(days) {
        CheckResult::Refused => ("CRITICAL", 2),
        CheckResult::CouldNotSay | CheckResult::NotSetUp => ("UNKNOWN", 3),
        _ if is_old => ("UNKNOWN", 3),
        CheckResult::Investigate => ("WARNING", 1),
        CheckResult::Passed => ("OK", 0),
    };
    let stop = stops(days)
        .first()
        .map_or_else(String::new, |stop| format!(", active stop of {} ({})", stop.day, stop.step));
    let age = hours.map_or("its time is not known".to_owned(), |hours| format!("{hours} h ago"));
    let line = format!(
        "DECKPROOF {word} - {}, {}: {}, row {row}, {age}{stop} | decks={} age_hours={};{hours_max}\n",
        day.name,
        day.day,
        day.result().words(),
        day.decks,
        hours.unwrap_or(-1)
    );
    (line, code)
}

/// That the record is as it was written, with what cannot be seen in it.
pub fn sound(store: &Store, recomputed: &Sound) -> String {
    let Sound { pages, known, kept } = recomputed;
    let named = store.days().iter().filter(|day| day.certificate.is_some()).count();
    let number = |count: usize| thousands(count as u64);
    let mut text = format!(
        "sound: {}, each with the hash of the one before; the last is {}.\n\
         As they were written: certificates {}, pages {}, known decks {}, the bets.\n\
         Certificates that the stated retention has removed: {}.\n",
        counted(store.lines() as u64, "row", "rows"),
        store.last_sha256(),
        number(named - store.certificates_gone),
        number(pages.same),
        thousands(*known),
        number(store.certificates_gone),
    );
    let missing = [
        ("Pages that are not there", pages.gone),
        ("Rows whose report is not there", pages.rows_without_report),
    ];
    for (what, count) in missing.into_iter().filter(|(_, count)| *count > 0) {
        text += &format!("{what}: {}.\n", number(count));
    }
    text += &match kept {
        0 => "Not checked: whether days were cut off the end, or all rows were written anew, by somebody who has the\n\
              whole folder (--kept ROW:HASH of an old mail, --kept-rows FILE).\n"
            .to_owned(),
        kept => format!("Rows that were kept elsewhere and are still there: {}.\n", number(*kept)),
    };
    text + "Not checked: the incident of the last day, which the next row will name.\n"
}

/// Incidents of nights that have no row.
pub fn unrecorded(incidents: &[String]) -> String {
    match incidents {
        [] => String::new(),
        all => format!(
            "Nights that were reported and not recorded, for nothing is added to a record that was changed or cannot be read:\n  {}\n",
            all.join("\n  ")
        ),
    }
}

/// The days for programs, one JSON object a line.
pub fn json_lines(days: &[DayLine]) -> String {
    let line = |(place, day): (usize, &DayLine)| {
        let result = if day.is_day() { json!(day.result()) } else { json!(day.verdict) };
        format!("{}\n", json!({ "row": place + 1, "result": result, "day": day }))
    };
    days.iter().enumerate().map(line).collect()
}

const HEADER: [&str; 7] =
    ["row", "day", "result", "decks", "family p-value", "evidence", "first step that did not pass"];

fn cells(place: usize, day: &DayLine) -> [String; 7] {
    let failed = first_of(&day.checks, day.result()).filter(|check| check.result > CheckResult::Passed);
    let reason = || day.reason.clone().unwrap_or_default();
    let stated = day.correction.as_ref().map(Correction::words).or(day.event.as_ref().map(Event::words));
    let row = (place + 1).to_string();
    if let Some(stated) = stated {
        let nothing = String::new;
        return [row, day.day.clone(), day.verdict.clone(), nothing(), nothing(), nothing(), stated];
    }
    // The evidence without its verb.
    let evidence = |ln_evidence| stands_at(ln_evidence).replacen("is ", "", 1);
    [
        row,
        day.day.clone(),
        day.result().words().to_owned(),
        thousands(day.decks),
        day.family_p_value.map_or_else(String::new, joint_p_value_small),
        day.drift.as_ref().map_or_else(String::new, |drift| evidence(drift.ln_evidence)),
        failed.map_or_else(reason, |check| format!("{}: {}", check.name, check.evidence)),
    ]
}

/// Letters of a reason in the table; JSON and CSV have it whole.
const REASON_LETTERS: usize = 60;

/// The days as a table for a screen.
pub fn table(days: &[DayLine]) -> Table {
    let rows = days.iter().enumerate().map(|(place, day)| {
        let mut row = cells(place, day);
        row[6] = deckproof_deck::text::excerpt(&row[6], REASON_LETTERS);
        row
    });
    columns(HEADER, rows, [0, 3, 4])
}

/// The days with commas (RFC 4180, but for a line feed alone at the end of a line); reasons are whole.
pub fn csv(days: &[DayLine]) -> String {
    let quoted = |cell: &String| if cell.contains([',', '"', '\n']) { quoted(cell) } else { cell.clone() };
    let line = |cells: &[String]| cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
    let header = HEADER.map(str::to_owned);
    let rows = days.iter().enumerate().map(|(place, day)| {
        let mut row = cells(place, day);
        if day.is_day() {
            row[2] = day.result().machine_words().to_owned();
            row[3] = day.decks.to_string();
        }
        line(&row)
    });
    std::iter::once(line(&header)).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_is_recorded_late_says_nothing_of_today() {
        let day = |date: &str, result| {
            let mut line = DayLine::of_failure(date, "a", "0", "", "");
            line.overall = Some(result);
            line
        };
        let mut days =
            vec![day("2026-11-20", CheckResult::Investigate), day("2026-11-18", CheckResult::Passed)];
        assert_eq!(state(&days), CheckResult::Investigate);
        assert!(nagios(&days, 0, 36).0.contains(", 2026-11-20: "));
        days.push(day("2026-11-20", CheckResult::Passed));
        assert_eq!(state(&days), CheckResult::Passed, "the last run of a day counts");
        // A clock that was 90 days ahead for one night.
        let at =
            |date: &str, result| DayLine { checked: Some(format!("{date}T06:00:00Z")), ..day(date, result) };
        let mut days = vec![at("2027-02-18", CheckResult::CouldNotSay)];
        assert_eq!(state(&days), CheckResult::CouldNotSay);
        days.push(at("2026-11-21", CheckResult::Passed));
        assert_eq!(state(&days), CheckResult::Passed);
        days.push(at("2026-11-22", CheckResult::Investigate));
        assert_eq!(state(&days), CheckResult::Investigate);
        assert!(nagios(&days, 0, 36).0.contains(", 2026-11-22: "));
    }
}
