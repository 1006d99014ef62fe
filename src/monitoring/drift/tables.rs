//! Which counts of a certificate the bets are on, and all of them together.

use serde::{Deserialize, Serialize};

use crate::battery::View;
use crate::battery::duplicates::EQUAL;
use crate::card::DECK_CARDS;
use crate::certificate::look::Look;
use crate::certificate::{AuditResult, DuplicateRecord};
use crate::math::dirichlet::ln_sum_exp;
use crate::monitoring::drift::process::{P_VALUES, Process, Shape, p_value_counts};

/// The families that are bet on, one observation per deck and table; all have equal parts of the stake, whether they are
/// counted or not.
pub const FAMILIES: [Bets; 6] =
    [Bets::SeatWins, Bets::LowWins, Bets::BringIn, Bets::Places, Bets::NextPlaces, Bets::Days];

/// The logarithm of evidence that is no longer a matter of chance: a deck came up again. It is finite, because JSON knows
/// no infinity.
pub const LN_PROOF: f64 = 1e6;

/// A kind of table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bets {
    /// Which seat wins high, of the decks that one seat wins.
    SeatWins,
    /// Which seat wins low, of the decks whose low one seat wins.
    LowWins,
    /// Which seat brings it in.
    BringIn,
    /// Which card lies at each of the 52 places.
    Places,
    /// Where the card of each place lies in the next deck.
    NextPlaces,
    /// How small the family p-value of each day is that may convict.
    Days,
}

impl Bets {
    /// In words of a mail.
    pub fn words(self) -> &'static str {
        match self {
            Bets::SeatWins => "seats that win",
            Bets::LowWins => "seats that win low",
            Bets::BringIn => "seats that bring it in",
            Bets::Places => "cards at each place",
            Bets::NextPlaces => "places in the next deck",
            Bets::Days => "p-values of the days",
        }
    }

    /// Its tables among the counts of a look, one after the other, each of equally probable cells.
    fn counts(self, look: &Look) -> Option<(Shape, Vec<u64>)> {
        match self {
            Bets::SeatWins | Bets::LowWins => {
                let counts = tally(look, View::Deck, "winner")?;
                let seats = counts.len() / 2 - 1;
                let first = if self == Bets::SeatWins { 0 } else { seats + 1 };
                Some((Shape::of_tables(1, seats), counts[first..first + seats].to_vec()))
            }
            Bets::BringIn => {
                let counts = tally(look, View::Deck, "bring-in")?;
                let seats: Vec<u64> = counts.chunks(DECK_CARDS).map(|own| own.iter().sum()).collect();
                Some((Shape::of_tables(1, seats.len()), seats))
            }
            Bets::Places => Some((SQUARE, by_place(tally(look, View::Deck, "card-place")?))),
            Bets::NextPlaces => Some((SQUARE, by_place(tally(look, View::Relative, "card-place")?))),
            Bets::Days => Some((P_VALUES, p_value_counts(look.family_p_value_convicting).to_vec())),
        }
    }
}

/// One table of 52 equally probable cells for each of 52 places.
const SQUARE: Shape = Shape::of_tables(DECK_CARDS, DECK_CARDS);

fn tally<'a>(look: &'a Look, view: View, id: &str) -> Option<&'a [u64]> {
    let found = look.tallies.iter().find(|tally| tally.view == view && tally.id == id)?;
    Some(&found.counts)
}

/// `counts[52·card + place]` with the places as rows.
fn by_place(counts: &[u64]) -> Vec<u64> {
    let column = |place: usize| counts.iter().skip(place).step_by(DECK_CARDS).copied();
    (0..DECK_CARDS).flat_map(column).collect()
}

fn looks_of(result: &AuditResult) -> impl Iterator<Item = &Look> {
    [Some(&result.first), result.repeat.as_ref()].into_iter().flatten()
}

/// Whether a deck of a look came up twice in it.
fn has_repeat(look: &Look) -> bool {
    let is_deck = |record: &&DuplicateRecord| record.view == View::Deck && record.id == EQUAL.id();
    look.duplicates.iter().filter(is_deck).any(|record| record.pairs > 0)
}

/// Why a day cannot be added.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: found tables of {found} cells, earlier days had {wanted}", family.words())]
pub struct OtherTable {
    family: Bets,
    found: usize,
    wanted: usize,
}

/// The evidence of one family.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    family: Bets,
    process: Process,
}

/// All bets against one shuffler: what the next day goes on from.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drift {
    families: Vec<Own>,
    /// The most the evidence ever was, as a logarithm: an alarm stays one.
    ln_highest: f64,
    /// Whether a deck ever came up again: of that no shuffler is suspected by chance.
    #[serde(default, skip_serializing_if = "is_false")]
    has_repeated: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Drift {
    /// Before the first day.
    pub fn new() -> Drift {
        Drift::default()
    }

    /// Adds a day: the counts of its first look and, where there is one, of the repeat.
    ///
    /// # Errors
    /// [`OtherTable`] if seats or cells are not those of earlier days; nothing is added then.
    pub fn add_day(&mut self, result: &AuditResult) -> Result<(), OtherTable> {
        let mut days = Vec::new();
        for family in FAMILIES {
            let Some((shape, mut counts)) = family.counts(&result.first) else { continue };
            // The p-value of a repeat is asked for only after a small one: it is no fair bet on the next day.
            let repeat = result.repeat.as_ref().filter(|_| family != Bets::Days);
            if let Some((_, more)) = repeat.and_then(|look| family.counts(look)) {
                counts.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
            if let Some(own) = self.of(family).filter(|own| own.process.shape() != shape) {
                let (found, wanted) = (shape.cells, own.process.shape().cells);
                return Err(OtherTable { family, found, wanted });
            }
            days.push((family, shape, counts));
        }
        self.has_repeated |= looks_of(result).any(has_repeat);
        for (family, shape, counts) in days {
            let place = self.families.iter().position(|own| own.family == family).unwrap_or_else(|| {
                self.families.push(Own { family, process: Process::new(shape) });
                self.families.len() - 1
            });
            self.families[place].process.add_day(&counts);
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
        let value = |family: Bets| self.of(family).map_or(0.0, |own| own.process.ln_evidence());
        ln_sum_exp(FAMILIES.map(value)) - (FAMILIES.len() as f64).ln()
    }

    /// The logarithm of the most it ever was.
    pub fn ln_highest(&self) -> f64 {
        self.ln_highest
    }

    /// The family with the most evidence, if any has some.
    pub fn strongest(&self) -> Option<Bets> {
        let own = self
            .families
            .iter()
            .max_by(|a, b| a.process.ln_evidence().total_cmp(&b.process.ln_evidence()))?;
        (own.process.ln_evidence() > 0.0).then_some(own.family)
    }

    /// How many days the family that was counted most often has.
    pub fn days(&self) -> u64 {
        self.families.iter().map(|own| own.process.days()).max().unwrap_or(0)
    }

    /// Whether what was read back can have been written.
    pub fn is_sound(&self) -> bool {
        self.families.iter().all(|own| own.process.is_sound())
    }

    fn of(&self, family: Bets) -> Option<&Own> {
        self.families.iter().find(|own| own.family == family)
    }
}
