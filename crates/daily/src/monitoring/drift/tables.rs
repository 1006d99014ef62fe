//! Which counts of a certificate the bets are on, and all of them together.

use serde::{Deserialize, Serialize};

use crate::monitoring::by_table::{TablesSeen, rest_of, without};
use crate::monitoring::drift::by_table::TableBets;
use crate::monitoring::drift::families::Families;
use crate::monitoring::drift::family::{Bets, OtherTable};
use crate::monitoring::drift::process::{DRAWS, P_VALUES, Process, Shape, p_value_counts};
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::{AuditResult, DuplicateRecord, StatisticRecord};
use deckproof_deck::card::DECK_CARDS;
use deckproof_stats::battery::View;
use deckproof_stats::battery::duplicates::EQUAL;
use deckproof_stats::math::bonferroni;
use deckproof_stats::math::dirichlet::ln_sum_exp;

/// The families that are bet on, one observation per deck and table; all have equal parts of the stake, whether they are
/// counted or not.
pub const FAMILIES: [Bets; Bets::ALL.len()] = Bets::ALL;

/// The logarithm of evidence that is no longer a matter of chance: a deck came up again. It is finite, because JSON knows
/// no infinity.
pub const LN_PROOF: f64 = 1e6;

/// The tables of a family among the counts of a look, one after the other, each of equally probable cells.
fn counts_in(family: Bets, look: &Look) -> Option<(Shape, Vec<u64>)> {
    match family {
        Bets::SeatWins | Bets::LowWins => {
            let counts = tally(look, View::Deck, "winner")?;
            let seats = counts.len() / 2 - 1;
            let first = if family == Bets::SeatWins { 0 } else { seats + 1 };
            Some((Shape::of_tables(1, seats), counts[first..first + seats].to_vec()))
        }
        Bets::BringIn => {
            let counts = tally(look, View::Deck, "bring-in")?;
            let seats: Vec<u64> = counts.chunks(DECK_CARDS).map(|own| own.iter().sum()).collect();
            Some((Shape::of_tables(1, seats.len()), seats))
        }
        Bets::Places => Some((SQUARE, by_place(tally(look, View::Deck, "card-place")?))),
        Bets::NextPlaces => Some((SQUARE, by_place(tally(look, View::Relative, "card-place")?))),
        Bets::Lags => p_value_bet(look, |statistic, _| statistic == "lags"),
        Bets::Draws => {
            let counts = tally(look, View::Deck, "digits-down")?;
            Some((DRAWS, counts.get(..DRAWS.cells)?.to_vec()))
        }
        Bets::Moves => {
            p_value_bet(look, |statistic, part| statistic.starts_with("digits-") && part.contains("moves-"))
        }
        Bets::Spacings => p_value_bet(look, |statistic, _| statistic == "birthday-spacings"),
        Bets::Days => Some((P_VALUES, p_value_counts(look.family_p_value_convicting).to_vec())),
    }
}

/// The same of both looks of an audit; of p-values that of the first one alone.
fn counts_of(family: Bets, result: &AuditResult) -> Option<(Shape, Vec<u64>)> {
    let (shape, mut counts) = counts_in(family, &result.first)?;
    let repeat = result.repeat.as_ref().filter(|_| !family.is_p_value());
    if let Some((_, more)) = repeat.and_then(|look| counts_in(family, look)) {
        counts.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
    Some((shape, counts))
}

/// One table of 52 equally probable cells for each of 52 places.
const SQUARE: Shape = Shape::of_tables(DECK_CARDS, DECK_CARDS);

/// The smallest of some p-values that may convict, times their number (Bonferroni 1936); certificates have their counts
/// only sorted, so that no table of them adds up over days.
fn p_value_bet(look: &Look, is_own: impl Fn(&str, &str) -> bool) -> Option<(Shape, Vec<u64>)> {
    let own = look.statistics.iter().filter(|record| {
        let mut words = record.id.splitn(3, '.').skip(1);
        words.next().zip(words.next()).is_some_and(|(statistic, part)| is_own(statistic, part))
    });
    let p_values: Vec<f64> = own.map(convicting).collect();
    let smallest = p_values.iter().copied().reduce(f64::min)?;
    Some((P_VALUES, p_value_counts(bonferroni(p_values.len() as f64, smallest)).to_vec()))
}

/// The p-value that may convict: itself, a proven bound in its stead, or 1.
fn convicting(record: &StatisticRecord) -> f64 {
    if record.tail.may_convict() { record.p_value } else { record.p_value_bound.unwrap_or(1.0) }
}

fn tally<'a>(look: &'a Look, view: View, id: &str) -> Option<&'a [u64]> {
    let found = look.tallies.iter().find(|tally| tally.view == view && tally.id == id)?;
    Some(&found.counts)
}

/// `counts[52·card + place]` with the places as rows.
fn by_place(counts: &[u64]) -> Vec<u64> {
    let column = |place: usize| counts.iter().skip(place).step_by(DECK_CARDS).copied();
    (0..DECK_CARDS).flat_map(column).collect()
}

/// Whether a deck of a look came up twice in it.
fn has_repeat(look: &Look) -> bool {
    let is_deck = |record: &&DuplicateRecord| record.view == View::Deck && record.id == EQUAL.id();
    look.duplicates.iter().filter(is_deck).any(|record| record.pairs > 0)
}

/// All bets against one shuffler: what the next day goes on from.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drift {
    families: Families,
    /// The most the evidence ever was, as a logarithm: an alarm stays one.
    ln_highest: f64,
    /// Bets on each table, where the configuration asks for them: then they have half of the stake.
    #[serde(default, skip_serializing_if = "TableBets::is_empty")]
    tables: TableBets,
    /// Whether a deck ever came up again: of that no shuffler is suspected by chance.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_repeated: bool,
}

impl Drift {
    /// Before the first day.
    pub fn new() -> Drift {
        Drift::default()
    }

    /// Adds a day: the counts of its first look and, where there is one, of the repeat, and those of each table.
    ///
    /// # Errors
    /// [`OtherTable`] if seats or cells are not those of earlier days; nothing is added then.
    pub fn add_day(&mut self, result: &AuditResult, by_table: &TablesSeen) -> Result<(), OtherTable> {
        let counts = |family| counts_of(family, result);
        self.add(counts, by_table, result.looks().any(has_repeat))
    }

    /// Adds what a day has beside a part of it that was added before: the counts of its other decks. That part had its bet on the
    /// p-values of the day and on the step from deck to deck; of the others these do not follow from the two.
    ///
    /// # Errors
    /// As [`Drift::add_day`].
    pub fn add_rest(
        &mut self,
        (result, by_table): (&AuditResult, &TablesSeen),
        (part, part_by_table): (&AuditResult, &TablesSeen),
    ) -> Result<(), OtherTable> {
        let counts = |family: Bets| {
            let (shape, all) = counts_of(family, result).filter(|_| family.adds_deck_by_deck())?;
            let (_, own) = counts_of(family, part).filter(|(own, _)| *own == shape)?;
            Some((shape, without(&all, &own)?))
        };
        self.add(counts, &rest_of(by_table, part_by_table), result.looks().any(has_repeat))
    }

    fn add(
        &mut self,
        counts: impl Fn(Bets) -> Option<(Shape, Vec<u64>)>,
        by_table: &TablesSeen,
        has_repeat: bool,
    ) -> Result<(), OtherTable> {
        let mut days = Vec::new();
        for family in FAMILIES {
            let Some((shape, counts)) = counts(family) else { continue };
            self.families.check(family, shape)?;
            days.push((family, shape, counts));
        }
        self.tables.add_day(by_table)?;
        self.has_repeated |= has_repeat;
        for (family, shape, counts) in days {
            self.families.add_day(family, shape, &counts);
        }
        self.ln_highest = self.ln_highest.max(self.ln_evidence());
        Ok(())
    }

    /// A deck came up again, on this day or since an earlier one.
    pub fn add_repeat(&mut self) {
        self.has_repeated = true;
        self.ln_highest = LN_PROOF;
    }

    /// Whether a deck ever came up again.
    pub fn has_repeated(&self) -> bool {
        self.has_repeated
    }

    /// The logarithm of the evidence: the mean over all families, of which those without counts hold their stake.
    pub fn ln_evidence(&self) -> f64 {
        if self.has_repeated {
            return LN_PROOF;
        }
        let pooled =
            ln_sum_exp(FAMILIES.map(|family| self.ln_evidence_of(family))) - libm::log(FAMILIES.len() as f64);
        if self.tables.is_empty() {
            pooled
        } else {
            ln_sum_exp([pooled, self.tables.ln_evidence()]) - std::f64::consts::LN_2
        }
    }

    /// The bets on each table.
    pub fn tables(&self) -> &TableBets {
        &self.tables
    }

    /// The logarithm of the evidence of one family by itself; 0 of one without counts.
    pub fn ln_evidence_of(&self, family: Bets) -> f64 {
        self.families.of(family).map_or(0.0, Process::ln_evidence)
    }

    /// The logarithm of the most it ever was.
    pub fn ln_highest(&self) -> f64 {
        self.ln_highest
    }

    /// The family with the most evidence, if any has some.
    pub fn strongest(&self) -> Option<Bets> {
        self.families.strongest().and_then(|(ln, family)| (ln > 0.0).then_some(family))
    }

    /// How many days were added: each has one family p-value.
    pub fn days(&self) -> u64 {
        self.families.of(Bets::Days).map_or(0, Process::days)
    }

    /// Whether what was read back can have been written.
    pub fn is_sound(&self) -> bool {
        self.families.are_sound(&FAMILIES) && self.tables.is_sound()
    }
}
