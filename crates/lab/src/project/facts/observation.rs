//! What a reader must know before he relies on the first page, as values; and the headlines there are.

use serde::{Deserialize, Serialize};

use crate::external::ExternalTool;
use crate::project::settings::people::Role;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_deck::text::exit::Exit;
use deckproof_deck::text::named::named;

/// An open observation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Observation {
    /// An audit did not pass.
    AuditNotPassed {
        /// Which one.
        audit: String,
        /// What it says.
        verdict: Verdict,
    },
    /// An audit or a file of words says investigate by itself, and not among all audits of the package.
    AuditAlone {
        /// Which one.
        audit: String,
    },
    /// The repeat that was due was not had.
    RepeatMissing {
        /// Of which audit.
        audit: String,
    },
    /// No plan of an item runs all statistics of the program.
    PlanLeftOut {
        /// Of which items.
        items: Vec<String>,
        /// Which did not run.
        statistics: Vec<String>,
    },
    /// An audit was begun again from the start.
    BeganAgain {
        /// Which one.
        audit: String,
        /// How often.
        times: u64,
    },
    /// Two audits have decks in common.
    DecksInCommon {
        /// The items of both, once where it is one.
        items: Vec<String>,
        /// Both audits.
        audits: [String; 2],
        /// Whether each started a program anew.
        started_anew: bool,
        /// How many different decks.
        decks: u64,
        /// The first of them: its number in either audit, counted from 1.
        first: [u64; 2],
        /// How many more pairs of audits of these items have some.
        more: u64,
    },
    /// Nobody knows whether decks of these audits stand in others.
    NotCompared {
        /// Which audits.
        audits: Vec<String>,
    },
    /// Raw output did not pass.
    RawNotPassed {
        /// Of which item.
        item: String,
        /// What it says.
        verdict: Verdict,
    },
    /// The bits at one end of a customer's words are never set.
    WordsNotFilled {
        /// Of which item.
        item: String,
        /// Bits of a word.
        word_bits: u64,
        /// Those that are filled.
        bits: u64,
    },
    /// Words do not give the decks beside them.
    PairsDiffer {
        /// Of which item.
        item: String,
        /// How many decks are not given.
        not_given: u64,
        /// Of how many.
        decks: u64,
        /// Whether two different decks have the same words.
        has_same_words: bool,
        /// By which method; earlier builds did not say.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        method: String,
        /// Whether the project names some of it.
        #[serde(default)]
        is_named: bool,
    },
    /// The tests of a standard are not met.
    StandardNotMet {
        /// For which item.
        item: String,
        /// Which standard.
        standard: String,
        /// At which level.
        confidence_percent: u32,
        /// Whether that is so at the level of the package, too, shared among all standards of all items: a question.
        in_family: bool,
    },
    /// Not all tests of a standard are assessed.
    StandardNotAssessed {
        /// For which item.
        item: String,
        /// Which standard.
        standard: String,
        /// How many of its names ran.
        names_run: usize,
        /// How many it has.
        names: usize,
        /// Why, in the words of the program.
        reason: String,
    },
    /// A requirement is not met.
    RowNotMet {
        /// 1 to 24.
        row: usize,
        /// Who speaks against it.
        by: Vec<RowWitness>,
    },
    /// Another program's text tells of failures.
    ExternalFailed {
        /// The file in the package.
        file: String,
        /// The program.
        program: ExternalTool,
        /// How many.
        failed: u64,
        /// Of how many results.
        results: u64,
    },
    /// Another program's text tells of fewer results than a whole run has.
    ExternalIncomplete {
        /// The file in the package.
        file: String,
        /// How many it tells of.
        results: u64,
        /// How many a whole run has.
        whole: u64,
    },
    /// External results contradict the verdict.
    ExternalDisagrees {
        /// The file in the package.
        file: String,
    },
    /// A test program of others did not run to its end, or its output could not be read.
    TestRunOpen {
        /// The name of the run.
        run: String,
        /// The executable.
        program: String,
        /// Why.
        why: TestRunGap,
    },
    /// A test program read a file of words more than once, so that its results are not those of as many words as it used.
    WordsReadAgain {
        /// The name of the run.
        run: String,
        /// How often the file was begun again.
        times: u64,
    },
    /// No file of an item was listed.
    FilesMissing {
        /// Which item.
        item: String,
    },
    /// Every listed file of an item is one whose decks, words or pairs were examined.
    FilesOnlyData {
        /// Which item.
        item: String,
    },
    /// Only a part of the records of an item's file was examined.
    PartExamined {
        /// Which item.
        item: String,
        /// How many of them.
        examined: u64,
        /// How many the file has.
        records: u64,
        /// First and last of each stretch, counted from 1.
        ranges: Vec<[u64; 2]>,
    },
    /// Records without a deck were passed over, as the project allows.
    EmptyPassedOver {
        /// Which item.
        item: String,
        /// In which audits.
        audits: Vec<EmptyRecords>,
    },
    /// The program is not to be relied on.
    SelftestFailed,
    /// One person answers for several things that are to be apart.
    SamePerson {
        /// Who.
        name: String,
        /// For what.
        roles: Vec<Role>,
    },
    /// Fields of ISO/IEC 17025, 7.8.2.1, that only people can fill in and have not.
    FieldsOpen {
        /// Their letters.
        letters: Vec<char>,
        /// Of each, the keys of the project that say nothing yet.
        #[serde(default)]
        keys: Vec<Vec<String>>,
    },
    /// Requirements that are not assessed.
    RowsOpen {
        /// How many.
        count: u64,
    },
}

/// Records without a deck among those that an audit read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmptyRecords {
    /// Which audit.
    pub audit: String,
    /// How many.
    pub records: u64,
}

/// Why a run says less than it was to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum TestRunGap {
    /// The program is not installed.
    NotInstalled,
    /// It was stopped.
    TimeLimit {
        /// After so many seconds.
        seconds: u64,
    },
    /// It ended with another code than 0.
    Code {
        /// Which one.
        code: i32,
    },
    /// A signal ended it.
    Killed,
    /// Its output is none of that program, or longer than is kept.
    Unread,
}

impl Observation {
    /// Whether it speaks against the item, or asks a question of it, so that no first page may pass it over.
    pub fn is_against(&self) -> bool {
        match self {
            Observation::AuditNotPassed { verdict, .. } | Observation::RawNotPassed { verdict, .. } => {
                *verdict != Verdict::Inconclusive
            }
            Observation::StandardNotMet { in_family, .. } => *in_family,
            Observation::RowNotMet { .. }
            | Observation::PairsDiffer { .. }
            | Observation::ExternalFailed { .. } => true,
            _ => false,
        }
    }

    /// Whether two revisions find the same. How many standards share their levels is no finding about one of them, and what
    /// an earlier build did not say of a table is none either.
    pub fn is_same(&self, other: &Observation) -> bool {
        match (self, other) {
            (
                Observation::StandardNotMet { item, standard, confidence_percent, .. },
                Observation::StandardNotMet { item: its, standard: one, confidence_percent: at, .. },
            ) => (item, standard, confidence_percent) == (its, one, at),
            (
                Observation::PairsDiffer { item, not_given, decks, has_same_words, .. },
                Observation::PairsDiffer {
                    item: its, not_given: less, decks: of, has_same_words: same, ..
                },
            ) => (item, not_given, decks, has_same_words) == (its, less, of, same),
            _ => self == other,
        }
    }

    /// Whether it says that a part of the records of a file was not examined.
    pub fn is_of_part(&self) -> bool {
        matches!(self, Observation::PartExamined { .. } | Observation::EmptyPassedOver { .. })
    }

    /// Whether it says that audits had, or may have had, decks that were not their own: then nothing passes.
    pub fn is_of_common_decks(&self) -> bool {
        matches!(self, Observation::DecksInCommon { .. } | Observation::NotCompared { .. })
    }

    /// Whether it is on the first page: what speaks against the item, every standard that is not met at its own level,
    /// though of many some are missed by chance, what was not tested or not to its end, what the report lacks, and what of the sample it
    /// is not about.
    pub fn is_on_first_page(&self) -> bool {
        self.is_against()
            || self.is_of_part()
            || self.is_of_common_decks()
            || matches!(
                self,
                Observation::StandardNotMet { .. }
                    | Observation::WordsNotFilled { .. }
                    | Observation::FieldsOpen { .. }
                    | Observation::FilesOnlyData { .. }
                    | Observation::PlanLeftOut { .. }
                    | Observation::StandardNotAssessed { .. }
                    | Observation::BeganAgain { .. }
                    | Observation::TestRunOpen { .. }
                    | Observation::WordsReadAgain { .. }
                    | Observation::ExternalIncomplete { .. }
            )
    }
}

named! {
    /// The content of the box of the first page.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum ReportHeadline {
        /// Nothing was found against the item by anybody.
        Pass = "pass",
        /// Some audit asks for an investigation.
        Investigate = "investigate",
        /// Some audit, or raw output, fails.
        Fail = "fail",
        /// The statistics passed, and something else speaks against the item.
        NotMet = "not met",
        /// Too little data.
        Inconclusive = "inconclusive",
        /// The tests passed, and the report lacks fields that every report must have.
        Incomplete = "tests passed, report incomplete",
        /// The program failed its selftest: nothing that it says is to be relied on.
        Unreliable = "unreliable",
    }
    /// Its name in JSON and on a terminal.
    pub fn name;
}

impl From<ReportHeadline> for Exit {
    fn from(headline: ReportHeadline) -> Exit {
        match headline {
            ReportHeadline::Pass => Exit::Passed,
            ReportHeadline::Investigate => Exit::Investigate,
            ReportHeadline::Fail | ReportHeadline::NotMet => Exit::Refused,
            ReportHeadline::Inconclusive | ReportHeadline::Incomplete | ReportHeadline::Unreliable => {
                Exit::CouldNotSay
            }
        }
    }
}

/// Who speaks against a requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowWitness {
    /// The integers of this project.
    Campaign,
    /// The laboratory.
    Laboratory,
    /// Another provider.
    External,
    /// The customer, of himself.
    Customer,
}
