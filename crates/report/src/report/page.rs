//! What a report says, as plain data: every number in it was computed before.

use std::collections::BTreeSet;

use crate::document::words::Words;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::findings::DecidingPValue;
use deckproof_audit::certificate::standards::Conformity;
use deckproof_audit::power::table::DealerPower;
use deckproof_audit::standards::familiar::FAMILIAR;
use deckproof_stats::battery::{Exhibit, Tail, View};

/// A report. Texts are complete sentences unless a field says otherwise; they may hold anything, the
/// formats escape them.
#[derive(Clone, Debug)]
pub struct Page {
    /// The words of its language.
    pub words: &'static Words,
    /// Heading, such as `Audit of the certified shuffle`.
    pub title: String,
    /// By which program and when, for the first page.
    pub made: String,
    /// What is examined, for whom and by whom, as the client states; heads every page.
    pub subject: Vec<Fact>,
    /// What names this report on every page, such as the hash of its certificate.
    pub id: String,
    /// What was found.
    pub verdict: Verdict,
    /// The verdict for a reader who reads nothing else.
    pub verdict_sentence: String,
    /// Whether a pass hangs on a start order that somebody stated.
    pub is_start_stated: bool,
    /// How many statistics of the program the plan leaves out, and how many the program has.
    pub statistics_left_out: [u64; 2],
    /// How large what was found is, and how small a fault would be seen, in whole sentences for a terminal.
    pub sizes: Vec<String>,
    /// What a reader might believe was shown, and was not.
    pub not_shown: Vec<String>,
    /// The same in one sentence, for a terminal.
    pub not_shown_short: String,
    /// What to do next, where something is left to do.
    pub next: Vec<String>,
    /// Whose decks, and how many of how many: source, file, records, numbering, tiers, table.
    pub whose: Vec<Fact>,
    /// Proofs against the shuffler, one sentence each.
    pub proofs: Vec<String>,
    /// Where the decks came from.
    pub source: String,
    /// Decks audited.
    pub decks: u64,
    /// The number the verdict rests on; `None` where nothing could be tested.
    pub family: Option<Family>,
    /// The one p-value that decided, where something was found.
    pub decided: Option<DecidingPValue>,
    /// The facts of the run, in order: version, commit, hashes, key, time, machine, …
    pub facts: Vec<Fact>,
    /// The first look and, if there was one, the repeat; the verdict is that of the last.
    pub looks: Vec<LookRow>,
    /// What each regulator's standard says by itself, at its own level.
    pub standards: Vec<StandardRow>,
    /// The statistics in the order of the plan.
    pub statistics: Vec<StatisticRows>,
    /// What was found before, where a repeat decided.
    pub earlier: Option<Earlier>,
    /// What the absence (or presence) of repeated decks says about the number of seeds.
    pub seed_space: Option<String>,
    /// Statistics of the battery that did not run.
    pub not_run: Vec<NotRunLine>,
    /// How numbers become the verdict, one sentence or paragraph each.
    pub decision_rule: Vec<String>,
    /// The risk of accusing a fair shuffler.
    pub false_reject: String,
    /// The risk of passing a flawed shuffler.
    pub false_accept: String,
    /// Flawed dealers and the decks they need; empty where no power table exists yet.
    pub power: Vec<DealerPower>,
    /// How to repeat the audit.
    pub repeat: Vec<Step>,
    /// The words a first-time reader may not know.
    pub glossary: Vec<Term>,
}

/// The p-value that a reader looks for by a name of his own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FamiliarRow<'a> {
    /// The name that everybody knows.
    pub name: &'static str,
    /// Its place among the statistics.
    pub place: usize,
    /// Its statistic.
    pub statistic: &'a StatisticRows,
    /// Its p-value.
    pub row: &'a TableRow,
}

impl Page {
    /// What the verdict means in a sentence: a pass of all tests together need not meet every standard.
    pub fn meaning(&self) -> String {
        // One standard may have several levels.
        let missed = self.standards.iter().filter(|row| row.says == Conformity::NotMet);
        let missed = missed.map(|row| &row.name).collect::<BTreeSet<_>>().len() as u64;
        let [left, all] = self.statistics_left_out;
        let own = &self.words.page;
        match self.verdict {
            Verdict::Pass if left > 0 && self.is_start_stated => own.pass_start_part(all - left, all),
            Verdict::Pass if left > 0 && missed > 0 => own.pass_missed_part(all - left, all, missed),
            Verdict::Pass if left > 0 => own.pass_part(all - left, all),
            Verdict::Pass if self.is_start_stated && missed > 0 => self.words.page.pass_start_missed(missed),
            Verdict::Pass if self.is_start_stated => self.words.page.pass_start.to_owned(),
            Verdict::Pass if missed > 0 => self.words.page.pass_missed(missed),
            verdict => self.words.page.meaning(verdict).to_owned(),
        }
    }

    /// The tests that everybody knows, as far as they ran.
    pub fn familiar(&self) -> Vec<FamiliarRow<'_>> {
        let names = [self.words.page.familiar_places, self.words.page.familiar_hands];
        let found = |(name, id): (&'static str, &str)| {
            self.statistics.iter().enumerate().find_map(|(place, statistic)| {
                let row = statistic.rows.iter().find(|row| statistic.id_of(row) == id)?;
                Some(FamiliarRow { name, place, statistic, row })
            })
        };
        names.into_iter().zip(FAMILIAR.iter().map(|test| test.id)).filter_map(found).collect()
    }
}

/// The p-value of the whole family of tests.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Family {
    /// Corrected for the number of tests.
    pub p_value: f64,
    /// Below this the verdict is no longer `pass`.
    pub level: f64,
    /// P-values that went into it.
    pub p_values: usize,
}

/// One look at some decks.
#[derive(Clone, PartialEq, Debug)]
pub struct LookRow {
    /// `first look` or `repeat`.
    pub name: String,
    /// The number of its first deck.
    pub first_deck: u64,
    /// How many decks.
    pub decks: u64,
    /// Its family p-value; `None` where nothing could be tested.
    pub family_p_value: Option<f64>,
    /// What it says by itself.
    pub verdict: Verdict,
}

/// A look that did not decide, for an annex.
#[derive(Clone, PartialEq, Debug)]
pub struct Earlier {
    /// Such as `First look`.
    pub name: String,
    /// How many decks.
    pub decks: u64,
    /// Its statistics.
    pub statistics: Vec<StatisticRows>,
    /// What each standard found of it.
    pub standards: Vec<StandardRow>,
    /// What did not run in it.
    pub not_run: Vec<NotRunLine>,
}

/// One regulator's standard at one level.
#[derive(Clone, PartialEq, Debug)]
pub struct StandardRow {
    /// Its name.
    pub name: String,
    /// Where it names its tests.
    pub clause: String,
    /// Confidence in percent.
    pub confidence_percent: u32,
    /// What it says.
    pub says: Conformity,
    /// The p-value of its names that ran.
    pub family_p_value: Option<f64>,
    /// How many of its names ran.
    pub names_run: usize,
    /// How many names it has.
    pub names: usize,
    /// Which names did not run, and why.
    pub reason: Option<String>,
    /// What the same text asks for and was not assessed; empty where it asks for nothing else.
    pub not_assessed: String,
    /// Its required tests in the order of the text.
    pub tests: Vec<RequiredTest>,
}

/// One test that a standard requires, and what answers to it.
#[derive(Clone, PartialEq, Debug)]
pub struct RequiredTest {
    /// The regulator's name.
    pub name: String,
    /// The statistics that answer to it.
    pub statistics: Vec<String>,
    /// The decks they saw, the fewest and the most.
    pub decks: Option<(u64, u64)>,
    /// How many p-values answer to it.
    pub p_values: usize,
    /// The smallest of them times their number.
    pub p_value: Option<f64>,
    /// Below this the test is not met: the standard's level shared by the tests that ran.
    pub level: f64,
    /// `met`, `not met` or why it did not run.
    pub says: String,
}

/// One line of the facts of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// What it is, such as `Plan hash (SHA-256)`.
    pub label: String,
    /// Its value, with its unit.
    pub value: String,
}

impl Fact {
    /// A line.
    pub fn new(label: &str, value: String) -> Fact {
        Fact { label: label.to_owned(), value }
    }
}

/// A text that begins a line.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// One statistic and all its results.
#[derive(Clone, PartialEq, Debug)]
pub struct StatisticRows {
    /// Its id in plans and certificates.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// Its null hypothesis.
    pub null: String,
    /// What kind of fault it sees.
    pub detects: String,
    /// Formula and source.
    pub source: String,
    /// The results, views and parts in order.
    pub rows: Vec<TableRow>,
}

impl StatisticRows {
    /// View, statistic and part of a row, such as `deck.card-place.total`.
    pub fn id_of(&self, row: &TableRow) -> String {
        format!("{}.{}.{}", row.view.name(), self.id, row.part)
    }
}

/// One p-value.
#[derive(Clone, PartialEq, Debug)]
pub struct TableRow {
    /// What it looked at.
    pub view: View,
    /// The part of the statistic.
    pub part: String,
    /// How many decks, or pairs of neighbouring decks in the relative view, went into it.
    pub decks: u64,
    /// What the score is, such as `χ²(2601)`.
    pub score_name: String,
    /// The score.
    pub score: f64,
    /// Two-sided.
    pub p_value: f64,
    /// A proven upper bound where `p_value` is an approximation.
    pub p_value_bound: Option<f64>,
    /// How far it can be trusted.
    pub tail: Tail,
    /// What to draw.
    pub exhibit: Exhibit,
}

impl TableRow {
    /// How far the p-value can be relied upon.
    pub(super) fn trust(&self, words: &Words) -> String {
        match self.p_value_bound.map(|bound| words.p_value(bound)) {
            None => words.page.tail(self.tail).to_owned(),
            Some(tiny) if tiny.starts_with(words.numbers.below) => words.page.proven(&tiny),
            Some(bound) => words.page.proven_most(&bound),
        }
    }
}

/// A statistic that did not run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotRunLine {
    /// What people call it.
    pub title: String,
    /// Why not, such as `needs 26,520 decks, got 1,000`.
    pub reason: String,
}

/// One step of repeating the audit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What the command does.
    pub purpose: String,
    /// The command, to be copied.
    pub command: String,
}

/// A word and its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    /// The word.
    pub term: String,
    /// Its meaning.
    pub meaning: String,
}
