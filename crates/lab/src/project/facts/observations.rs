//! What a reader must know before he relies on the first page, as values; and the headlines there are.

use serde::{Deserialize, Serialize};

use crate::external::{ExternalTool, dieharder};
use crate::project::facts::identity::{ItemFiles, item_files};
use crate::project::facts::rows::{RowStatus, RowWitness};
use crate::project::facts::{Conformance, Facts, fields};
use crate::project::package::inputs::Inputs;
use crate::project::settings::people::Role;
use crate::project::supplied::pairs::PairsVerdict;
use crate::project::tested::RunEnd;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_deck::text::exit::Exit;

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
    /// An audit was begun again from the start.
    BeganAgain {
        /// Which one.
        audit: String,
        /// How often.
        times: u64,
    },
    /// Raw output did not pass.
    RawNotPassed {
        /// Of which item.
        item: String,
        /// What it says.
        verdict: Verdict,
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
    },
    /// The tests of a standard are not met.
    StandardNotMet {
        /// For which item.
        item: String,
        /// Which standard.
        standard: String,
        /// At which level.
        confidence_percent: u32,
        /// Whether that is so when all standards of all items share their levels.
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
    /// Whether it speaks against the item, so that no first page may pass it over.
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

    /// Whether it stands on the first page: what speaks against the item, every standard that is not met at its own level,
    /// though of many some are missed by chance, and what the report lacks.
    pub fn is_on_first_page(&self) -> bool {
        self.is_against()
            || matches!(
                self,
                Observation::StandardNotMet { .. }
                    | Observation::FieldsOpen { .. }
                    | Observation::FilesOnlyData { .. }
            )
    }
}

/// What stands in the box of the first page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportHeadline {
    /// Nothing was found against the item by anybody.
    Pass,
    /// Some audit asks for an investigation.
    Investigate,
    /// Some audit, or raw output, fails.
    Fail,
    /// The statistics passed, and something else speaks against the item.
    NotMet,
    /// Too little data.
    Inconclusive,
    /// The tests passed, and the report lacks fields that every report must have.
    Incomplete,
    /// The program failed its selftest: nothing that it says is to be relied on.
    Unreliable,
}

impl ReportHeadline {
    /// Its name in JSON and on a terminal.
    pub fn name(self) -> &'static str {
        match self {
            ReportHeadline::Pass => "pass",
            ReportHeadline::Investigate => "investigate",
            ReportHeadline::Fail => "fail",
            ReportHeadline::NotMet => "not met",
            ReportHeadline::Inconclusive => "inconclusive",
            ReportHeadline::Incomplete => "tests passed, report incomplete",
            ReportHeadline::Unreliable => "unreliable",
        }
    }
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

/// Every observation, what speaks against the item first.
pub fn observations(inputs: &Inputs, facts: &Facts) -> Vec<Observation> {
    let mut all = of_audits(facts);
    all.extend(of_standards(facts));
    all.extend(of_rows(facts));
    all.extend(of_external(facts));
    all.extend(of_runs(inputs));
    all.extend(of_people(inputs));
    all.extend(of_files(inputs));
    if !facts.selftest_passed {
        all.push(Observation::SelftestFailed);
    }
    let open = fields::open(inputs);
    let (letters, keys) = open.iter().map(|field| (field.letter, field.missing())).unzip();
    all.extend((!open.is_empty()).then_some(Observation::FieldsOpen { letters, keys }));
    let count = facts.rows.iter().filter(|row| row.status == RowStatus::NotAssessed).count() as u64;
    all.extend((count > 0).then_some(Observation::RowsOpen { count }));
    all.sort_by_key(|observation| (!observation.is_against(), !observation.is_on_first_page()));
    all
}

fn of_audits(facts: &Facts) -> Vec<Observation> {
    let mut all = Vec::new();
    for own in &facts.audits {
        let audit = own.id.clone();
        if own.verdict_in_family != Verdict::Pass {
            all.push(Observation::AuditNotPassed { audit: audit.clone(), verdict: own.verdict_in_family });
        } else if own.verdict != Verdict::Pass {
            all.push(Observation::AuditAlone { audit: audit.clone() });
        }
        if own.repeat_missing.is_some() {
            all.push(Observation::RepeatMissing { audit: audit.clone() });
        }
        if own.aborted_runs > 0 {
            all.push(Observation::BeganAgain { audit, times: own.aborted_runs });
        }
    }
    let raw = facts.raw.iter().filter(|raw| raw.verdict != Verdict::Pass);
    all.extend(raw.map(|raw| Observation::RawNotPassed { item: raw.item.clone(), verdict: raw.verdict }));
    let alone = facts.raw.iter().filter(|raw| raw.verdict == Verdict::Pass).filter_map(|raw| {
        let file = raw.supplied.clone().filter(|_| raw.family_p_value < facts.family.level)?;
        Some(Observation::AuditAlone { audit: file })
    });
    all.extend(alone);
    let differing = facts.pairs.iter().filter(|pairs| pairs.verdict == PairsVerdict::Differs);
    all.extend(differing.map(|own| {
        let (item, not_given, decks) = (own.item.clone(), own.not_given, own.decks);
        Observation::PairsDiffer { item, not_given, decks, has_same_words: own.has_same_words }
    }));
    all
}

fn of_standards(facts: &Facts) -> Vec<Observation> {
    let all = facts.standards.len();
    let own = facts.standards.iter().filter_map(|own| {
        let (item, standard) = (own.item.clone(), own.standard.clone());
        match (own.conformance, &own.reason) {
            (Conformance::NotMet, _) => {
                let (confidence_percent, in_family) = (own.confidence_percent, own.is_against_among(all));
                Some(Observation::StandardNotMet { item, standard, confidence_percent, in_family })
            }
            (Conformance::NotAssessed, Some(reason)) => {
                let (names_run, names, reason) = (own.names_run, own.names, reason.clone());
                Some(Observation::StandardNotAssessed { item, standard, names_run, names, reason })
            }
            _ => None,
        }
    });
    let mut all: Vec<Observation> = own.collect();
    // A standard of several levels lacks the same tests at each.
    all.dedup();
    all
}

fn of_rows(facts: &Facts) -> impl Iterator<Item = Observation> + '_ {
    let broken = facts.rows.iter().filter(|row| row.status == RowStatus::NotMet);
    broken.map(|row| Observation::RowNotMet { row: row.row, by: row.against.clone() })
}

fn of_external(facts: &Facts) -> Vec<Observation> {
    let mut all = Vec::new();
    for own in &facts.external {
        let (file, results) = (own.file.clone(), own.results);
        if own.failed > 0 {
            let (program, failed) = (own.program, own.failed);
            all.push(Observation::ExternalFailed { file: file.clone(), program, failed, results });
        }
        if let Some(whole) = own.whole.filter(|whole| results < *whole) {
            all.push(Observation::ExternalIncomplete { file: file.clone(), results, whole });
        }
        if own.contradicts {
            all.push(Observation::ExternalDisagrees { file });
        }
    }
    all
}

fn of_runs(inputs: &Inputs) -> Vec<Observation> {
    let mut all = Vec::new();
    for test in &inputs.tests {
        let record = &test.record;
        let (run, program) = (record.id.clone(), record.command.first().cloned().unwrap_or_default());
        let why = match record.end {
            RunEnd::NotInstalled => Some(TestRunGap::NotInstalled),
            RunEnd::TimeLimit => Some(TestRunGap::TimeLimit { seconds: record.time_limit_s }),
            RunEnd::Killed => Some(TestRunGap::Killed),
            RunEnd::Ended { code } if code != 0 => Some(TestRunGap::Code { code }),
            RunEnd::Ended { .. } if test.unread.is_some() || record.is_cut => Some(TestRunGap::Unread),
            RunEnd::Ended { .. } => None,
        };
        all.extend(why.map(|why| Observation::TestRunOpen { run: run.clone(), program, why }));
        let times = dieharder::rewound(&record.messages);
        all.extend(times.map(|times| Observation::WordsReadAgain { run, times }));
    }
    all
}

/// The items of which no file says what made the decks.
fn of_files(inputs: &Inputs) -> impl Iterator<Item = Observation> + '_ {
    inputs.project.item.iter().filter_map(|own| {
        let item = own.id.clone();
        match item_files(inputs, own) {
            ItemFiles::None => Some(Observation::FilesMissing { item }),
            ItemFiles::OnlyData => Some(Observation::FilesOnlyData { item }),
            ItemFiles::Some => None,
        }
    })
}

/// Whoever reviews or authorises his own work is named: a second look was not had.
fn of_people(inputs: &Inputs) -> Vec<Observation> {
    let mut by_name: Vec<(String, Vec<Role>)> = Vec::new();
    for person in &inputs.project.person {
        let Some(name) = person.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) else {
            continue;
        };
        let is_same = |other: &str| other.to_lowercase() == name.to_lowercase();
        match by_name.iter_mut().find(|(other, _)| is_same(other)) {
            Some((_, roles)) if roles.contains(&person.role) => {}
            Some((_, roles)) => roles.push(person.role),
            None => by_name.push((name.to_owned(), vec![person.role])),
        }
    }
    let several = by_name.into_iter().filter(|(_, roles)| roles.len() > 1);
    several.map(|(name, roles)| Observation::SamePerson { name, roles }).collect()
}
