//! Why decks that were there before are no finding: a file explains them, alone or beside a fault of the shuffler. What the
//! explanation leaves open is a fact of it, from which a mail chooses its words.

use std::collections::BTreeMap;

use crate::monitoring::check::{DayCheck, Remark};
use crate::monitoring::day::DayLine;
use crate::monitoring::rows::counting;

/// Why decks say nothing of the shuffler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// What they are, and what to do.
    pub sentence: String,
    /// What that leaves open.
    pub remark: Option<Remark>,
}

impl From<String> for Explained {
    /// The file alone explains them.
    fn from(sentence: String) -> Explained {
        Explained { sentence, remark: None }
    }
}

impl Explained {
    /// A file explains them, and decks that were dealt again as well.
    pub fn or_dealt(sentence: String) -> Explained {
        Explained { sentence, remark: Some(Remark::MayBeDealt) }
    }

    /// Decks of earlier rows that a program gave: it may read them out, or deal them.
    pub fn given_again(program: &str, what: &str) -> Explained {
        Explained::or_dealt(format!(
            "{program} {what}: either it reads out earlier records (a query, a file): let it give those of the day alone, and run this day \
             again; or it deals the same decks at each start (a fixed seed): then stop dealing. Somebody who knows the program can tell"
        ))
    }

    /// Decks of an earlier row in a file without ids and times: why the file may hold them, and that they may be dealt again.
    pub fn held_again(what: &str, why: &str) -> Explained {
        Explained::or_dealt(format!(
            "{what}: either {why}; or the shuffler dealt the same decks again (a fixed seed, a saved state): then stop dealing. Ids of hands \
             (id_column, not numbers of records) and times (time_column) tell the two apart"
        ))
    }

    /// Decks with which an earlier row ends.
    pub fn begun_early(what: &str, program: Option<&str>) -> Explained {
        let begins = program.unwrap_or("the export");
        Explained::or_dealt(format!(
            "{what}: either {begins} begins too early: leave those records out and run this day again; or the shuffler went on from a state \
             that was saved and dealt them again: then stop dealing. Ids of hands (id_column, not numbers of records) and times (time_column) \
             tell the two apart"
        ))
    }

    /// Hands of before a day among its own, by their times.
    pub fn of_before(what: &str, program: Option<&str>) -> Explained {
        let begins = program.unwrap_or("the export");
        format!(
            "{what}, with a time of before this day: {begins} begins too early. A dealer whose clock and decks were set back gives the \
             same. Leave those records out and run this day again"
        )
        .into()
    }

    /// The step that says so.
    pub fn check(&self, step: &str) -> DayCheck {
        DayCheck { remark: self.remark, ..DayCheck::could_not_say(step, self.sentence.as_str()) }
    }
}

/// On how many nights right before this day decks may have been dealt again, by the last row of each, and since which.
pub fn nights_before<'a>(days: &'a [DayLine], date: &str) -> Option<(u64, &'a str)> {
    let rows = counting(days).map(|(_, line)| line).filter(|line| line.day.as_str() < date);
    let nights: BTreeMap<&str, &DayLine> = rows.map(|line| (line.day.as_str(), line)).collect();
    let is_open = |line: &DayLine| line.checks.first().is_some_and(DayCheck::may_be_dealt);
    let open = nights.iter().rev().take_while(|(_, line)| is_open(line));
    open.zip(1..).last().map(|((date, _), nights)| (nights, *date))
}
