//! One look at some decks: its integers, and everything that follows from them.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::audit::evidence::Evidence;
use crate::audit::plan::Plan;
use crate::audit::verdict::{Families, Finding, Rule, Verdict, judge, judge_repeat};
use crate::certificate::standards::{self, Scarce, StandardRecord};
use crate::certificate::{
    DuplicateRecord, Judged, NotRun, StatisticRecord, TallyRecord, bad_record_opening, six_digits, written,
};
use deckproof_files::file;
use deckproof_stats::battery::duplicates;
use deckproof_stats::battery::duplicates::sketch::SketchCount;
use deckproof_stats::battery::{Outcome, RECOVERED, Statistic, View, found};

/// Which look at a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// From deck 0.
    First,
    /// The one repeat, from this deck on.
    Repeat {
        /// The number of its first deck: how many the first look had.
        first_deck: u64,
    },
}

/// What one look at some decks gave.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// What this look says by itself.
    pub verdict: Verdict,
    /// The number of its first deck.
    pub first_deck: u64,
    /// How many decks were judged.
    pub decks: u64,
    /// The p-value of the whole family, to 6 digits.
    pub family_p_value: f64,
    /// The same over the p-values that may convict.
    pub family_p_value_convicting: f64,
    /// What proves the shuffler wrong whatever the p-values say.
    pub proofs: Vec<String>,
    /// Parts of the plan that did not run or not to the end, and why.
    pub not_run: Vec<NotRun>,
    /// What each regulator's standard says by itself; it never changes the verdict.
    pub standards: Vec<StandardRecord>,
    /// Every p-value.
    #[serde(serialize_with = "written::write_statistics", deserialize_with = "written::read_statistics")]
    pub statistics: Vec<StatisticRecord>,
    /// Looking for repeated decks.
    pub duplicates: Vec<DuplicateRecord>,
    /// SHA-256 of `[duplicates, tallies]` as they stand in the file, as compact JSON, so that no integer changes
    /// unseen, not even one on which no p-value hangs.
    pub integers_sha256: String,
    /// The integers everything above follows from.
    #[serde(serialize_with = "written::write_tallies", deserialize_with = "written::read_tallies")]
    pub tallies: Vec<TallyRecord>,
    #[serde(skip)]
    pub(crate) outcomes: Outcomes,
}

/// What the integers of a look say, worked out once: of a small audit judging them takes as long as counting.
///
/// It follows from the integers, so that no two looks differ by it, and a copy, whose integers may be changed, works it
/// out by itself.
#[derive(Debug, Default)]
pub(crate) struct Outcomes(OnceLock<Vec<Judged>>);

impl Clone for Outcomes {
    fn clone(&self) -> Outcomes {
        Outcomes::default()
    }
}

impl PartialEq for Outcomes {
    fn eq(&self, _: &Outcomes) -> bool {
        true
    }
}

impl Turn {
    /// The number of the look's first deck.
    pub fn first_deck(self) -> u64 {
        match self {
            Turn::First => 0,
            Turn::Repeat { first_deck } => first_deck,
        }
    }

    /// How the plan shares the level of this look.
    fn families(self, plan: &Plan) -> &Families {
        match self {
            Turn::First => &plan.families,
            Turn::Repeat { .. } => plan.repeat.as_ref().map_or(&plan.families, |repeat| &repeat.families),
        }
    }
}

impl Look {
    /// Judges evidence, and keeps its counts: they are megabytes, which a small audit need not copy.
    pub fn of_evidence(plan: &Plan, turn: Turn, evidence: &mut Evidence) -> Look {
        let selection = plan.selection();
        let tallies = evidence.views.iter_mut().flat_map(|view| {
            let (name, decks) = (view.view, view.decks);
            let counts = std::mem::take(&mut view.counts);
            selection.seeing(name).zip(counts).map(move |(statistic, counts)| TallyRecord {
                view: name,
                id: statistic.about().id.to_owned(),
                decks,
                counts: as_kept(statistic, counts),
            })
        });
        let tallies: Vec<TallyRecord> = tallies.collect();
        let duplicates = evidence.views.iter().flat_map(|view| {
            let decks = view.decks + view.earlier;
            view.sketches.iter().map(move |sketch| DuplicateRecord::of_sketch(sketch, view.view, decks))
        });
        let look = Look::of_integers(plan, turn, evidence.decks(), tallies, duplicates.collect());
        assert_eq!(look.unplanned(plan, turn), None, "no statistic has more p-values than it says");
        look
    }

    /// A family with more p-values than the plan gave a share of the level: its name, how many, and how many were planned.
    pub(in crate::certificate) fn unplanned(&self, plan: &Plan, turn: Turn) -> Option<(String, u64, u64)> {
        let mut found = Families::new();
        self.statistics.iter().for_each(|record| *found.entry(record.family.clone()).or_default() += 1);
        let planned = |family: &String| turn.families(plan).get(family).copied().unwrap_or(0);
        let all = found.into_iter().map(|(family, found)| (planned(&family), family, found));
        let mut unplanned = all.filter(|(planned, _, found)| found > planned);
        unplanned.next().map(|(planned, family, found)| (family, found, planned))
    }

    /// Judges counted integers: the same for a fresh run and for a certificate read back.
    pub fn of_integers(
        plan: &Plan,
        turn: Turn,
        decks: u64,
        tallies: Vec<TallyRecord>,
        duplicates: Vec<DuplicateRecord>,
    ) -> Look {
        let (judged, integers_sha256) =
            rayon::join(|| judged(plan, &tallies, &duplicates), || integers_sha256(&duplicates, &tallies));
        let findings: Vec<Finding> = judged.iter().map(Judged::finding).collect();
        let predicted = tallies.iter().filter_map(|tally| predicted(tally, turn.first_deck()));
        let repeated = duplicates.iter().filter_map(proof_of);
        let proofs: Vec<String> = predicted.chain(repeated).collect();
        let rule = Rule { level: plan.level, level_fail: plan.level_fail, decks_min: plan.decks_min };
        let families = turn.families(plan);
        let judgement = match turn {
            Turn::First => judge(&rule, !proofs.is_empty(), decks, &findings, families),
            Turn::Repeat { .. } => {
                let level = plan.repeat.as_ref().map_or(plan.level, |repeat| repeat.level);
                judge_repeat(level, !proofs.is_empty(), &findings, families)
            }
        };
        let statistics: Vec<StatisticRecord> = judged.iter().map(Judged::record).collect();
        Look {
            first_deck: turn.first_deck(),
            decks,
            verdict: judgement.verdict,
            family_p_value: six_digits(judgement.family_p_value),
            family_p_value_convicting: six_digits(judgement.family_p_value_convicting),
            proofs,
            standards: standards::judge_all(&statistics, Scarce::of(decks, plan.decks_min)),
            statistics,
            not_run: not_run(plan, &tallies, &judged),
            integers_sha256,
            duplicates,
            tallies,
            outcomes: Outcomes(OnceLock::from(judged)),
        }
    }

    /// A record that is not a deck ends the audit: no statistic is needed, and none is judged.
    pub fn of_bad_record(plan: &Plan, turn: Turn, decks_before: u64, proof: String) -> Look {
        let mut look = Look::of_integers(plan, turn, decks_before, Vec::new(), Vec::new());
        let reason = "a record that is not a deck ended the audit before the statistics were judged";
        look.verdict = Verdict::Fail;
        look.proofs = vec![proof];
        look.not_run = vec![NotRun { id: "all statistics".to_owned(), reason: reason.to_owned() }];
        look
    }

    /// Whether a record that is not a deck ended it.
    pub fn ends_at_bad_record(&self) -> bool {
        let opening = bad_record_opening(self.first_deck + self.decks);
        self.proofs.iter().any(|proof| proof.starts_with(&opening))
    }

    /// What came up again, each as a proof at the end of [`Look::proofs`], in this order.
    fn repeats(&self) -> impl Iterator<Item = &DuplicateRecord> {
        self.duplicates.iter().filter(|record| proof_of(record).is_some())
    }

    /// Whether a deck came up again, as it was or changed, or the steps between decks.
    pub fn has_repeats(&self) -> bool {
        self.repeats().next().is_some()
    }

    /// Whether decks came up again as they were; not whether turned ones did, or steps between them.
    pub fn has_equal(&self) -> bool {
        self.repeats().any(DuplicateRecord::is_of_equal_decks)
    }

    /// Proofs without those that follow from another: equal decks are equal in every changed form too, and so are the steps
    /// between them.
    pub fn proofs_once(&self) -> impl Iterator<Item = &str> {
        let has_equal = self.has_equal();
        let others = self.proofs.len().saturating_sub(self.repeats().count());
        let follow: Vec<bool> =
            self.repeats().map(|record| has_equal && !record.is_of_equal_decks()).collect();
        let kept = move |&(place, _): &(usize, &String)| {
            place.checked_sub(others).is_none_or(|place| !follow.get(place).is_some_and(|&follows| follows))
        };
        self.proofs.iter().enumerate().filter(kept).map(|(_, proof)| proof.as_str())
    }

    /// Whether the plan wants the repeat after this first look.
    pub fn asks_for_repeat(&self, plan: &Plan) -> bool {
        self.verdict == Verdict::Investigate && plan.repeat.is_some()
    }

    /// Whether a generator was recovered, so that the next cards are known.
    pub fn is_predicted(&self) -> bool {
        self.tallies.iter().any(|tally| predicted(tally, self.first_deck).is_some())
    }

    /// The outcomes with their pictures, as they follow from the tallies of this plan.
    pub fn judged(&self, plan: &Plan) -> &[Judged] {
        self.outcomes.0.get_or_init(|| judged(plan, &self.tallies, &self.duplicates))
    }

    /// The size of the seed space that the absence of repeated decks shows, in words.
    pub fn seed_space_sentence(&self) -> Option<String> {
        let (count, decks) = self.equal_decks()?;
        Some(duplicates::seed_space_sentence(&count, decks))
    }

    /// The count of equal decks, and among how many.
    pub fn equal_decks(&self) -> Option<(SketchCount, u64)> {
        self.equal_record().map(|own| (own.count(), own.decks))
    }

    /// How the look for equal decks ended.
    pub(in crate::certificate) fn equal_record(&self) -> Option<&DuplicateRecord> {
        self.duplicates.iter().find(|record| record.is_of_equal_decks())
    }
}

/// The counts as a certificate keeps them.
pub(in crate::certificate) fn as_kept(statistic: &dyn Statistic, mut counts: Vec<u64>) -> Vec<u64> {
    statistic.keep(&mut counts);
    counts
}

fn integers_sha256(duplicates: &[DuplicateRecord], tallies: &[TallyRecord]) -> String {
    let tallies = written::packed(tallies);
    let text = serde_json::to_string(&(duplicates, tallies)).expect("integers are plain data");
    file::sha256(text)
}

fn judged(plan: &Plan, tallies: &[TallyRecord], duplicates: &[DuplicateRecord]) -> Vec<Judged> {
    let selection = plan.selection();
    let of_tally = |tally: &TallyRecord| {
        let view = tally.view;
        let statistic = selection.seeing(view).find(|statistic| statistic.about().id == tally.id)?;
        let enough = tally.decks >= statistic.about().decks_min;
        let outcomes = if enough { statistic.finish(&tally.counts, tally.decks) } else { Vec::new() };
        let (about, family) = (statistic.about(), statistic.family());
        // Each part says how many decks it read, which may be the first ones only.
        let of_outcome = |outcome: Outcome| {
            let decks = statistic.decks_read(outcome.part, &tally.counts, tally.decks);
            Judged { about, family, view, decks, outcome }
        };
        Some(outcomes.into_iter().map(of_outcome).collect::<Vec<Judged>>())
    };
    let of_duplicates = |record: &DuplicateRecord| {
        let (view, equivalence) = record.looked_for()?;
        let outcome = equivalence.outcome(&record.count(), record.decks);
        Some(Judged {
            about: &equivalence.about,
            family: duplicates::FAMILY,
            view,
            decks: record.decks,
            outcome,
        })
    };
    // A few statistics take most of the time, and that of a small audit; the order stays that of the tallies.
    let counted: Vec<Judged> = tallies.par_iter().filter_map(of_tally).flatten_iter().collect();
    counted.into_iter().chain(duplicates.iter().filter_map(of_duplicates)).collect()
}

/// That the next cards are known, where a generator was recovered.
fn predicted(tally: &TallyRecord, first_deck: u64) -> Option<String> {
    let is_own = tally.view == View::Deck && tally.id == RECOVERED;
    let counts = is_own.then_some(&tally.counts[..])?;
    found(counts)?.proof(first_deck, counts)
}

fn proof_of(record: &DuplicateRecord) -> Option<String> {
    let (view, equivalence) = record.looked_for()?;
    equivalence.proof(view, &record.count(), record.alike.as_ref(), record.decks)
}

fn not_run(plan: &Plan, tallies: &[TallyRecord], judged: &[Judged]) -> Vec<NotRun> {
    let selection = plan.selection();
    let have_run: BTreeSet<(View, &str)> =
        judged.iter().map(|judged| (judged.view, judged.about.id)).collect();
    let of = |tally: &TallyRecord| {
        let statistic = selection.seeing(tally.view).find(|statistic| statistic.about().id == tally.id);
        let reason = if have_run.contains(&(tally.view, tally.id.as_str())) {
            statistic?.left_out(&tally.counts)?
        } else {
            let (needed, got) = (statistic.map_or(0, |statistic| statistic.about().decks_min), tally.decks);
            if got < needed {
                format!("not enough decks: needs {needed}, got {got}")
            } else {
                // What it needs hangs on the rule set and the players.
                format!("not enough decks: {got} fill too few of its cells")
            }
        };
        Some(NotRun { id: format!("{}.{}", tally.view.name(), tally.id), reason })
    };
    tallies.iter().filter_map(of).collect()
}
