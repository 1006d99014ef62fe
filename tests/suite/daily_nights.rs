//! Thirty nights of an operator: two slips of the export a week, each kind once, and two real faults. No slip leaves a stop, no fault is
//! missed, and every change of state is in a mail.

use crate::common::lab::{Lab, Output, card_line, deck, deck_with};

const CONFIG: &str = "name = \"Table 9\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nsource = \"{date}.csv\"\n\
    id_column = \"hand\"\ntime_column = \"at\"\ndeck_column = \"cards\"\n";

const NIGHTS: u64 = 30;

/// Hands of a night.
const HANDS: u64 = 1_000;

/// What goes wrong with an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slip {
    NotThere,
    FileOfTheNightBefore,
    JoinedToItself,
    Sorted,
    HandsOfTheEveningBefore,
    AWeekOld,
    ATenth,
}

const SLIPS: [Slip; 7] = [
    Slip::NotThere,
    Slip::FileOfTheNightBefore,
    Slip::JoinedToItself,
    Slip::Sorted,
    Slip::HandsOfTheEveningBefore,
    Slip::AWeekOld,
    Slip::ATenth,
];

/// A real fault of the shuffler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    AceOnTop,
    BeganAgain,
}

fn date(night: u64) -> String {
    let days = [31, 31, 30];
    let (mut month, mut day) = (7, night);
    for length in days {
        if day <= length {
            break;
        }
        (month, day) = (month + 1, day - length);
    }
    format!("2026-{month:02}-{day:02}")
}

/// The rows of a night: id, time, deck.
fn rows(night: u64, fault: Option<Fault>) -> Vec<String> {
    let row = |hand: u64| {
        let number = night * HANDS + hand;
        let cards = match fault {
            Some(Fault::BeganAgain) => deck(3 * HANDS + hand),
            Some(Fault::AceOnTop) if hand.is_multiple_of(10) => deck_with(51, 0, number),
            _ => deck(number),
        };
        let time = format!("{}T{:02}:{:02}:00Z", date(night), hand / 60, hand % 60);
        format!("{number},{time},{}", card_line(&cards))
    };
    (0..HANDS).map(row).collect()
}

fn text(rows: &[String]) -> String {
    "hand,at,cards\n".to_owned() + &rows.concat()
}

/// The export of a night as a slip leaves it.
fn slipped(slip: Slip, night: u64) -> Option<String> {
    let own = rows(night, None);
    Some(match slip {
        Slip::NotThere => return None,
        Slip::FileOfTheNightBefore => text(&rows(night - 1, None)),
        Slip::JoinedToItself => text(&[own.clone(), own].concat()),
        Slip::Sorted => {
            let mut sorted = own;
            sorted.sort_by_key(|row| row.split(',').nth(2).map(str::to_owned));
            text(&sorted)
        }
        Slip::HandsOfTheEveningBefore => text(&[&rows(night - 1, None)[900..], &own[..]].concat()),
        Slip::AWeekOld => text(&rows(night - 7, None)),
        Slip::ATenth => text(&own[..100]),
    })
}

struct Operator {
    lab: Lab,
    mails: String,
}

impl Operator {
    fn night(&mut self, night: u64, export: Option<String>) -> Output {
        let (date, file) = (date(night), format!("{}.csv", date(night)));
        match export {
            Some(text) => self.lab.write(&file, text),
            None => drop(std::fs::remove_file(self.lab.path(&file))),
        }
        let output = self.lab.night(&date, &[]);
        self.mails += &output.flat();
        output
    }

    fn has_stop(&self) -> bool {
        self.lab.run(&["history", "days"]).out.contains("Active: ")
    }
}

#[test]
fn no_slip_leaves_a_stop_no_fault_is_missed_and_every_change_is_in_a_mail() {
    let mut operator = Operator { lab: Lab::new(), mails: String::new() };
    operator.lab.write("daily.toml", CONFIG);
    let (mut slips, mut faults) = (0, 0);
    for night in 1..=NIGHTS {
        let fault = match night {
            18 => Some(Fault::AceOnTop),
            25 => Some(Fault::BeganAgain),
            _ => None,
        };
        // Two nights a week, from the second week on.
        if night > 7 && night % 7 < 2 && fault.is_none() {
            let slip = SLIPS[slips];
            slips += 1;
            let output = operator.night(night, slipped(slip, night));
            assert_eq!(output.code, 2, "night {night}, {slip:?}: {}{}", output.out, output.err);
            let next = output.out.lines().nth(1).expect("what to do");
            assert!(
                next.starts_with(
                    "Deal on if nothing below says stop; mend the file or daily.toml, then run daily --date "
                ),
                "{slip:?}: {next}"
            );
            assert!(!operator.has_stop(), "night {night}, {slip:?}: {output}");
        }
        let output = operator.night(night, Some(text(&rows(night, fault))));
        let Some(fault) = fault else {
            assert_eq!(output.code, 0, "night {night}: {output}");
            continue;
        };
        faults += 1;
        assert!(
            output.code == 1 && operator.has_stop(),
            "night {night}, {fault:?}: {}{}",
            output.out,
            output.err
        );
        let wanted = match fault {
            Fault::AceOnTop => "1,000 decks: the ace of spades was the first card in 1",
            Fault::BeganAgain => "1,000 decks: a deck came up again",
        };
        assert!(output.out.lines().next().expect("a line").contains(wanted), "{output}");
        let people = ["--by", "A. Smith", "--by", "B. Jones", "--reason", "the shuffler was repaired"];
        let released = operator.lab.run(&[&["history", "days", "--release"], &people[..]].concat());
        assert!(released.code == 0 && !operator.has_stop(), "{released}");
    }
    assert_eq!((slips, faults), (SLIPS.len(), 2));
    let history = operator.lab.run(&["history", "days"]).out;
    let changes: Vec<&str> = history
        .lines()
        .filter_map(|line| line.trim().strip_prefix("row ")?.split_once(": "))
        .map(|(_, words)| words)
        .collect();
    assert!(changes.len() >= 4, "{history}");
    for change in changes {
        assert!(operator.mails.contains(&format!("Changed: {change}.")), "{change} is in no mail");
    }
    operator.lab.run(&["history", "days", "--verify"]).ends(0);
}
