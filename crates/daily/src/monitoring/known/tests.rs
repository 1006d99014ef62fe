//! Days that fit into memory and days that do not, crashes, changed files, and what is forgotten.

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;

use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::day::DayLine;
use crate::monitoring::known::day::{Day, key};
use crate::monitoring::known::{FOLDER, Looked, Other, Place, check, tidy};
use crate::monitoring::known_line::KnownLine;
use deckproof_deck::deck::Deck;
use deckproof_deck::key::AuditKey;
use deckproof_deck::shuffle::shuffle_deck;

/// A shuffler whose days are added one after the other.
struct Days {
    folder: TempDir,
    days: Vec<DayLine>,
    held_max: usize,
    decks_max: u64,
    again: Option<&'static str>,
    program: Option<&'static str>,
}

fn deck(number: u64) -> Deck {
    shuffle_deck(AuditKey::from_bytes([5; 32]).hand_key(number).bytes())
}

impl Days {
    fn new(held_max: usize, decks_max: u64) -> Days {
        let folder = TempDir::new().expect("a folder");
        Days { folder, days: Vec::new(), held_max, decks_max, again: None, program: None }
    }

    fn check(&self, decks: &[u64], others: &[Other]) -> (DayCheck, Option<KnownLine>) {
        let looked = self.look(decks, others);
        (looked.check, looked.line)
    }

    fn look(&self, decks: &[u64], others: &[Other]) -> Looked {
        let mut day = Day::holding(&self.folder.path().join(FOLDER), self.held_max);
        decks.iter().zip(0..).for_each(|(&number, place)| day.add(&key(&deck(number)), place));
        let place = Place {
            folder: self.folder.path(),
            days: &self.days,
            decks_max: self.decks_max,
            again: self.again,
            source_sha256: None,
            program: self.program,
            span: (&(0..u64::MAX), &jiff::tz::TimeZone::UTC),
        };
        check(&mut day, &place, others)
    }

    /// A whole day: looked for, added, its row written, the rest tidied.
    fn add(&mut self, decks: impl IntoIterator<Item = u64>) -> DayCheck {
        let decks: Vec<u64> = decks.into_iter().collect();
        let (found, known) = self.check(&decks, &[]);
        let date = format!("2026-{:02}-{:02}", 1 + self.days.len() / 28, 1 + self.days.len() % 28);
        let mut line = DayLine::of_failure(&date, "a", "0", "", "");
        line.known = known;
        self.days.push(line);
        tidy(self.folder.path(), &self.days).expect("tidied");
        found
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path().join(FOLDER)).expect("a folder").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }
}

/// The result, and how what was found begins.
#[track_caller]
fn check_found(found: &DayCheck, result: CheckResult, begins: &str) {
    assert!(
        found.result == result && found.evidence.starts_with(begins),
        "{:?}: {}",
        found.result,
        found.evidence
    );
}

/// A copy that broke off is examined, and the whole file after it, on the same day.
#[test]
fn a_day_that_is_run_again_may_have_the_decks_of_its_first_run() {
    let mut days = Days::new(7, u64::MAX);
    days.add(0..50);
    days.add(100..160);
    // For another day it is a file that grew, which is explained and no pass.
    for (again, wanted) in
        [(Some("2026-01-02"), CheckResult::Passed), (Some("2026-01-01"), CheckResult::CouldNotSay)]
    {
        days.again = again;
        check_found(&days.check(&(100..200).collect::<Vec<u64>>(), &[]).0, wanted, "");
    }
    // Decks of another day that are neither its beginning nor all of it are explained by nothing.
    for decks in [(120..220).collect::<Vec<u64>>(), (300..400).chain(101..160).collect()] {
        days.again = Some("2026-01-03");
        check_found(&days.check(&decks, &[]).0, CheckResult::Refused, "");
    }
    // What it has of the first run it must have whole: a generator that begins again repeats a part.
    days.again = Some("2026-01-02");
    let (found, _) = days.check(&(100..130).chain(300..400).collect::<Vec<u64>>(), &[]);
    let begins = "30 of 60 decks that row 2 had on this day came up again";
    check_found(&found, CheckResult::Refused, begins);
    let (found, _) = days.check(&(100..160).rev().collect::<Vec<u64>>(), &[]);
    check_found(&found, CheckResult::CouldNotSay, "");
    // Most of them are an export of which a hand was cancelled, or are not.
    let (found, _) = days.check(&(100..159).chain(300..400).collect::<Vec<u64>>(), &[]);
    check_found(&found, CheckResult::CouldNotSay, "");
    // Those of another day count, however many of this one came before them.
    days.again = Some("2026-01-02");
    let (found, _) = days.check(&(100..160).chain([49]).collect::<Vec<u64>>(), &[]);
    assert_eq!(found.result, CheckResult::Refused);
    assert!(
        found.evidence.contains("deck 61 of this day is one of row 1 (2026-01-01)"),
        "{}",
        found.evidence
    );
}

/// A file that was joined to itself, or has each line twice, says nothing; the mended one takes its place.
#[test]
fn a_day_that_has_every_deck_twice_is_no_proof_for_ever_and_any_other_repeat_is_one() {
    let once: Vec<u64> = (100..200).collect();
    let halves = [once.clone(), once.clone()].concat();
    let records: Vec<u64> = once.iter().flat_map(|&number| [number, number]).collect();
    let one_more = [halves.clone(), vec![100]].concat();
    let one_less = halves[1..].to_vec();
    let swapped = [once.clone(), once.iter().rev().copied().collect()].concat();
    let three = [once.clone(), halves.clone()].concat();
    let stuck = vec![7; 100];
    for held_max in [7, 1 << 20] {
        let mut days = Days::new(held_max, u64::MAX);
        days.add(0..50);
        for (decks, is_doubled) in [
            (&halves, true),
            (&records, true),
            (&one_more, false),
            (&one_less, false),
            (&swapped, false),
            (&three, false),
            (&stuck, false),
        ] {
            let looked = days.look(decks, &[]);
            let wanted = if is_doubled { CheckResult::CouldNotSay } else { CheckResult::Refused };
            assert_eq!(looked.check.result, wanted);
            assert_eq!(
                (looked.explained.is_some(), looked.has_repeat),
                (is_doubled, !is_doubled),
                "{}",
                looked.check.evidence
            );
            assert_eq!(looked.line.map(|line| line.decks == 0), Some(is_doubled));
        }
    }
}

/// Against a map of all decks, in memory and with parts of seven.
#[test]
fn every_deck_that_comes_again_is_found_and_no_other() {
    for held_max in [7, 1 << 20] {
        let mut days = Days::new(held_max, u64::MAX);
        let mut seen = BTreeMap::new();
        let mut state = 1u64;
        for row in 1..=40u64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let decks: Vec<u64> = (0..10 + state % 50).map(|n| row * 1_000 + n).collect();
            // On every seventh day one deck of an earlier one comes again.
            let old = row % 7 == 0;
            let mut dealt = decks.clone();
            if old {
                dealt[5] = (row - 4) * 1_000 + 3;
            }
            let expected = dealt.iter().position(|number| seen.contains_key(number));
            let found = days.add(dealt.iter().copied());
            seen.extend(dealt.iter().map(|&number| (number, row)));
            match expected {
                None => check_found(&found, CheckResult::Passed, ""),
                Some(place) => {
                    let named = format!("deck {} of this day is one of row {} (", place + 1, row - 4);
                    check_found(&found, CheckResult::Refused, &named);
                }
            }
        }
        let total: u64 = days.days.iter().filter_map(|day| day.known.as_ref()).map(|known| known.decks).sum();
        let last = days.days.last().and_then(|day| day.known.clone()).expect("the last day has files");
        assert_eq!(last.files.iter().map(|file| file.decks).sum::<u64>(), total);
        assert!(last.files.len() <= 8 && days.files().len() == last.files.len(), "{:?}", days.files());
    }
}

#[test]
fn a_deck_twice_on_one_day_and_one_of_another_shuffler_are_named() {
    let mut days = Days::new(4, u64::MAX);
    let found = days.add([1, 2, 3, 4, 5, 6, 2]);
    check_found(&found, CheckResult::Refused, "deck 2 and 7 of this day are one deck; of 7 decks");
    let other = Days::new(4, u64::MAX);
    let others = [Other { name: "B", folder: days.folder.path(), days: &days.days }];
    let (found, _) = other.check(&[100, 101, 6], &others);
    let begins = "deck 3 of this day is one that B dealt (2026-01-01); of 3";
    check_found(&found, CheckResult::Refused, begins);
    let (found, _) = other.check(&[100, 101], &others);
    check_found(&found, CheckResult::Passed, "");
    let words = "none of them among 0 of earlier days and 7 of another shuffler";
    assert!(found.evidence.contains(words), "{}", found.evidence);
}

/// A crash before the row leaves files that no row names; after it, files that were merged.
#[test]
fn files_of_a_crash_go_and_the_day_can_be_run_again() {
    let mut days = Days::new(1 << 20, u64::MAX);
    days.add(0..20);
    let before = days.files();
    let (found, known) = days.check(&[100, 101, 102], &[]);
    assert_eq!((found.result, days.files().len()), (CheckResult::Passed, 2));
    assert!(known.is_some());
    tidy(days.folder.path(), &days.days).expect("tidied");
    assert_eq!(days.files(), before, "the row was never written");
    assert_eq!(days.add([100, 101, 102]).result, CheckResult::Passed);
    fs::write(days.folder.path().join(FOLDER).join("notes.txt"), "mine").expect("written");
    fs::write(days.folder.path().join(FOLDER).join(".part-1-merge"), "half").expect("written");
    tidy(days.folder.path(), &days.days).expect("tidied");
    assert!(
        days.files().contains(&"notes.txt".to_owned()) && !days.files().contains(&".part-1-merge".to_owned())
    );
}

#[test]
fn a_file_that_is_gone_cut_or_changed_is_named_and_convicts_nobody() {
    type Damage = (&'static str, fn(&std::path::Path));
    let damage: [Damage; 4] = [
        ("is gone: it has the decks", |path| fs::remove_file(path).expect("removed")),
        ("is not the file that the last row names", |path| {
            let bytes = fs::read(path).expect("there");
            fs::write(path, &bytes[..bytes.len() - 5]).expect("cut");
        }),
        ("is not the file that the last row names", |path| {
            let bytes = fs::read(path).expect("there");
            fs::write(path, &bytes[16..]).expect("a deck was taken out");
        }),
        ("is not the file that the last row names", |path| {
            let mut bytes = fs::read(path).expect("there");
            bytes[3] ^= 1;
            fs::write(path, bytes).expect("changed");
        }),
    ];
    for (words, damage) in damage {
        let mut days = Days::new(1 << 20, u64::MAX);
        days.add(0..20);
        let path = days.folder.path().join(FOLDER).join(&days.files()[0]);
        let whole = fs::read(&path).expect("there");
        damage(&path);
        let found = days.add(100..110);
        assert!(
            found.result == CheckResult::CouldNotSay && found.evidence.contains(words),
            "{}",
            found.evidence
        );
        fs::write(&path, whole).expect("restored");
        check_found(&days.add(200..210), CheckResult::Passed, "");
    }
}

#[test]
fn the_oldest_decks_are_forgotten_whole_days_at_a_time() {
    let mut days = Days::new(16, 100);
    for day in 0..40 {
        check_found(&days.add(day * 100..day * 100 + 20), CheckResult::Passed, "");
        let known = days.days.last().and_then(|day| day.known.clone()).expect("files");
        let sum: u64 = known.files.iter().map(|file| file.decks).sum();
        assert!(sum <= 140, "day {day}: {sum}");
    }
    // Five days of 20 are remembered; what is older may be.
    let (found, _) = days.check(&[39 * 100, 35 * 100 + 1, 7], &[]);
    assert!(found.evidence.contains("deck 1 of this day is one of row 40"), "{}", found.evidence);
    let found = days.check(&[36 * 100 + 1], &[]).0;
    assert!(found.evidence.contains("row 37 (2026-02-09)"), "{}", found.evidence);
    assert_eq!(days.check(&[7], &[]).0.result, CheckResult::Passed, "row 1 is forgotten");
}
