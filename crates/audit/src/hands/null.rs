//! The distributions of the counts under a fair deal, exact for every number of seats and added over all of them.

use crate::hands::between::SEATS_MAX;
use crate::hands::census::{CLASSES, Census, SETS_OF_THREE};
use deckproof_deck::card::DECK_CARDS;
use deckproof_stats::math::distribution::Distribution;

/// What is judged, in the order of the scores.
pub const PARTS: usize = 6;

/// The scores of a census: door cards by card, rank and suit; bring-in by place and card; first three cards.
pub type Scores = [f64; PARTS];

/// The expectations that belong to the sizes of a census. They depend on how many hands of how many seats
/// there are and on no card, so a monte_carlo shares them.
pub struct Null {
    /// Door cards in all.
    doors: f64,
    /// `Σ n(52 − n)/51` over the hands, n the seats dealt in.
    spread: f64,
    /// For every number of seats: cells of the lowest card, as the first card behind each, and expectations.
    lowest: Vec<Cells>,
    /// Whether the places of this number of seats are counted.
    places: [bool; SEATS_MAX + 1],
    /// Cells of the first three cards.
    classes: Cells,
}

/// Neighbouring values joined, and what each cell expects.
struct Cells {
    ends: Vec<usize>,
    expected: Vec<f64>,
}

impl Cells {
    /// Joins neighbours until each cell expects `least`; the rest joins the last.
    fn joined(expectations: &[f64], least: f64) -> Cells {
        let (mut ends, mut expected, mut sum) = (Vec::new(), Vec::new(), 0.0);
        for (value, expectation) in expectations.iter().enumerate() {
            sum += expectation;
            if sum >= least {
                ends.push(value + 1);
                expected.push(std::mem::take(&mut sum));
            }
        }
        match (ends.last_mut(), expected.last_mut()) {
            (Some(end), Some(last)) => {
                *end = expectations.len();
                *last += sum;
            }
            _ => {
                ends.push(expectations.len());
                expected.push(sum);
            }
        }
        Cells { ends, expected }
    }

    fn freedom(&self) -> f64 {
        self.ends.len() as f64 - 1.0
    }

    /// `Σ (O − E)²/E` (Pearson 1900); one cell says nothing.
    fn pearson(&self, counts: &[u64]) -> f64 {
        if self.ends.len() < 2 {
            return 0.0;
        }
        let mut begin = 0;
        let cells = self.ends.iter().zip(&self.expected).map(|(&end, expected)| {
            let observed: u64 = counts[begin..end].iter().sum();
            begin = end;
            (observed as f64 - expected).powi(2) / expected
        });
        cells.sum()
    }
}

impl Null {
    /// The expectations of a census: cells joined until each expects `least`, and numbers of seats left out
    /// of the places if a place expects less than `least_of_a_place`.
    pub fn new(census: &Census, least: f64, least_of_a_place: f64) -> Null {
        let sum = |weight: &dyn Fn(f64) -> f64| -> f64 {
            (0u8..)
                .zip(&census.groups)
                .map(|(seats, group)| group.hands as f64 * weight(f64::from(seats)))
                .sum()
        };
        let cards = DECK_CARDS as f64;
        let lowest = census.groups.iter().enumerate().map(|(seats, group)| match seats {
            0 => Cells::joined(&[0.0], least),
            _ => {
                let distribution = lowest_distribution(seats);
                let expected: Vec<f64> =
                    distribution.points().iter().map(|p| p * group.hands as f64).collect();
                Cells::joined(&expected, least)
            }
        });
        let exporters = census.exporters() as f64;
        Null {
            doors: sum(&|seats| seats),
            spread: sum(&|seats| seats * (cards - seats) / (cards - 1.0)),
            lowest: lowest.collect(),
            places: std::array::from_fn(|seats| {
                let hands = census.groups[seats].hands;
                seats > 1 && hands > 0 && hands as f64 >= least_of_a_place * seats as f64
            }),
            classes: Cells::joined(
                &CLASSES.map(|(_, count)| exporters * count as f64 / SETS_OF_THREE as f64),
                least,
            ),
        }
    }

    /// Degrees of freedom of every score.
    pub fn freedom(&self) -> Scores {
        let places =
            (0..=SEATS_MAX).filter(|&seats| self.places[seats]).map(|seats| seats as f64 - 1.0).sum();
        let lowest = self.lowest.iter().map(Cells::freedom).sum();
        [51.0, 12.0, 3.0, places, lowest, self.classes.freedom()]
    }

    /// The scores of a census of these sizes.
    pub fn scores(&self, census: &Census) -> Scores {
        let doors = census.doors();
        let by = |cells: usize, cell: &dyn Fn(usize) -> usize| {
            let mut counts = [0u64; DECK_CARDS];
            doors.iter().enumerate().for_each(|(card, count)| counts[cell(card)] += count);
            self.of_doors(&counts[..cells])
        };
        let places = (0..=SEATS_MAX).filter(|&seats| self.places[seats]).map(|seats| {
            let group = &census.groups[seats];
            let expected = group.hands as f64 / seats as f64;
            group.places[..seats]
                .iter()
                .map(|&count| (count as f64 - expected).powi(2) / expected)
                .sum::<f64>()
        });
        let lowest =
            self.lowest.iter().zip(&census.groups).map(|(cells, group)| cells.pearson(&group.lowest));
        [
            by(DECK_CARDS, &|card| card),
            by(13, &|card| card / 4),
            by(4, &|card| card % 4),
            places.sum(),
            lowest.sum(),
            self.classes.pearson(&census.classes),
        ]
    }

    /// `Σ (O − E)²/(V/k)` over k kinds of cards: a hand's n door cards are drawn without replacement, so their
    /// counts have the covariance n(52 − n)/51 · (I − J/k)/k, and those of independent hands add. The score has
    /// mean k − 1 exactly, whatever numbers of seats are mixed.
    fn of_doors(&self, counts: &[u64]) -> f64 {
        let kinds = counts.len() as f64;
        if self.spread == 0.0 {
            return 0.0;
        }
        let expected = self.doors / kinds;
        let squares: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2)).sum();
        squares / (self.spread / kinds)
    }
}

/// `C(51 − i, n − 1)/C(52, n)`: the lowest of n door cards is card i. Each card is less likely than the one
/// before by `(52 − i − n)/(51 − i)`.
pub fn lowest_distribution(seats: usize) -> Distribution {
    let mut point = seats as f64 / DECK_CARDS as f64;
    let points = (0..=DECK_CARDS - seats).map(|card| {
        let here = point;
        point *= (DECK_CARDS - card - seats) as f64 / (DECK_CARDS - 1 - card).max(1) as f64;
        here
    });
    Distribution::new(0, points.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::card::Card;

    /// The project's exact table of the bring-in, made by an independent program.
    #[test]
    fn the_lowest_card_has_its_exact_distribution() {
        for row in include_str!("../../../../fixtures/rank/bring_in_card.csv").lines().skip(1) {
            let row: Vec<&str> = row.split(',').collect();
            let card: Card = row[0].parse().expect("a card");
            for (seats, count) in (2usize..).zip(&row[1..]) {
                let count: f64 = count.parse().expect("a count");
                let sets: f64 = (0..seats).map(|i| (52 - i) as f64 / (i + 1) as f64).product();
                let found = lowest_distribution(seats).point(u64::from(card.index()));
                assert!((found - count / sets).abs() < 1e-15, "{card} of {seats}: {found}");
            }
        }
    }

    /// All 22,100 sets of three doors and all 1,326 of two, once each: the mean of every score is its freedom,
    /// also when hands of two and of three seats are added.
    #[test]
    fn scores_of_all_deals_have_their_freedom_as_mean() {
        let mut pairs = Vec::new();
        let mut triples = Vec::new();
        for a in 0u8..52 {
            for b in 0..a {
                pairs.push(vec![a, b]);
                (0..b).for_each(|c| triples.push(vec![c, a, b]));
            }
        }
        let mut first = Census::new();
        first.count_doors(&pairs[0]);
        first.count_doors(&triples[0]);
        let null = Null::new(&first, 0.0, 0.0);
        // Deviations of independent hands are uncorrelated, so the mean score of a pair and a triple is the sum
        // of the mean squares of each.
        let own = |doors: &Vec<u8>| {
            let mut census = Census::new();
            census.count_doors(doors);
            (Null::new(&census, 0.0, 0.0).scores(&census), Null::new(&census, 0.0, 0.0).spread)
        };
        let mut sums = [0.0; 3];
        for deals in [&pairs, &triples] {
            let weight = own(&deals[0]).1 / null.spread / deals.len() as f64;
            for deal in deals {
                let (scores, _) = own(deal);
                (0..3).for_each(|part| sums[part] += scores[part] * weight);
            }
        }
        for (sum, freedom) in sums.iter().zip(null.freedom()) {
            assert!((sum - freedom).abs() < 1e-9, "{sum} {freedom}");
        }
    }
}
