//! Nights of a shuffler, and the rows of `reports/daily.md` that they compare or write.

use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::common::lab::{Lab, Output, card_line, deck};

pub(crate) const BASE: &str =
    "name = \"T\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nselftest = false\n";

/// A shuffler whose configuration may be changed from night to night.
pub(crate) struct Room(pub(crate) Lab);

impl Room {
    pub(crate) fn new(more: &str) -> Room {
        let room = Room(Lab::new());
        room.configure(more);
        room
    }

    pub(crate) fn configure(&self, more: &str) {
        self.0.write("daily.toml", format!("{BASE}{more}"));
    }

    pub(crate) fn night(&self, day: u32) -> Output {
        self.0.night(&format!("2026-10-{day:02}"), &[])
    }

    pub(crate) fn passes(&self, day: u32) -> Output {
        self.night(day).ends(0)
    }

    /// A slip: exit status 2, no evidence, no stop; and its row of the report.
    pub(crate) fn slips(&self, day: u32, slip: &str, finding: &str, heals: &str) -> Output {
        let output = self.night(day).ends(2);
        let line = output.line(finding);
        row(slip, &output, &line, heals);
        let history = self.0.run(&["history", "days"]);
        assert!(!history.prints("Active: "), "{slip}: {history}");
        output
    }

    pub(crate) fn stops(&self, day: u32, fault: &str, finding: &str, heals: &str) -> Output {
        let output = self.night(day).ends(1);
        let line = output.line(finding);
        row(fault, &output, &line, heals);
        output
    }

    pub(crate) fn history(&self, more: &[&str]) -> Output {
        self.0.run(&[&["history", "days"], more].concat())
    }
}

/// So much of a finding is in its row.
const LETTERS: usize = 200;

pub(crate) fn row(slip: &str, output: &Output, line: &str, heals: &str) {
    let first = output.out.lines().next().expect("a line");
    let (line, is_cut) = (line.chars().take(LETTERS).collect::<String>(), line.chars().count() > LETTERS);
    let more = if is_cut { "…" } else { "" };
    let row = format!("| {slip} | {} | `{first}` / `{line}{more}` | {heals} |\n", output.code);
    let report = reports_or_write("DECKPROOF_SLIPS", &row);
    assert!(report.is_none_or(|report| report.contains(&row)), "reports/daily.md has not the row {row}");
}

/// The report that holds a row, which the package leaves out, or `None` where the row was added to the file of this variable.
pub(crate) fn reports_or_write(variable: &str, row: &str) -> Option<String> {
    if let Some(path) = std::env::var_os(variable) {
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| std::io::Write::write_all(&mut file, row.as_bytes())).expect("writable");
        return None;
    }
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/daily.md")).ok()
}

/// Hands with ids and the time of the day at which they were dealt, one in ten seconds.
pub(crate) fn hands(day: u32, hands: Range<u64>, decks_from: u64) -> String {
    let first = hands.start;
    let row = |hand: u64| {
        let second = 10 * (hand - first) % 86_400;
        let cards = card_line(&deck(decks_from + hand - first));
        format!(
            "{hand},2026-10-{day:02}T{:02}:{:02}:{:02}Z,{cards}",
            second / 3_600,
            second / 60 % 60,
            second % 60
        )
    };
    "hand,at,cards\n".to_owned() + &hands.map(row).collect::<String>()
}

pub(crate) const NAMED: &str =
    "source = \"{date}.csv\"\nid_column = \"hand\"\ntime_column = \"at\"\ndeck_column = \"cards\"\n";
