//! Before and after: whether later decks are dealt like earlier ones.
//!
//! Null: two groups of decks have one distribution of card × place. With N_g decks in group g, `(51/52)·Σ_g Σ (O_g
//! − N_g·O/N)²/(N_g/k)` is χ²(51(k − 1)), its mean exact, for the cards (k = 52), the ranks (13) and the suits (4).
//! Nobody knows how long a stream will be, so there are two ways to cut it. `total`, `ranks`, `suits`: the first
//! halves of all segments of 65,536 decks against the second ones, which are before and after of at most 65,536
//! decks. `drift-total`, `drift-ranks`, `drift-suits`: the segments whose number has bit j set against those that
//! have not, the worst of j = 0..=13 by Bonferroni: the highest bit that occurs cuts the whole run into before and
//! after, the others are slower and faster changes. `cell`, `drift-cell`: the most uneven cell, exactly
//! hypergeometric given its decks in all.

use crate::battery::kernel;
use crate::battery::nulls::table;
use crate::battery::outcome::{Outcome, Spread};
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, Segment, Statistic, about_and_cells};
use crate::battery::stream;
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use crate::math::bonferroni;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct Halves;

const ABOUT: About = About {
    id: "halves",
    version: 3,
    tier: Tier::Deep,
    title: "before and after",
    null: "Cards lie at the same places in earlier as in later decks.",
    source: "two-sample Pearson χ² with the factor of a deck: (51/52)·Σ_g Σ (O_g − N_g·O/N)²/(N_g/k) ~ χ²(51(k−1)), \
             k = 52 cards, 13 ranks, 4 suits; halves of segments of 65,536 decks; drift: segments by the bits of their \
             number (Walsh 1923), Bonferroni (1936) over the bits; cell: hypergeometric, given how often it comes",
    detects: "Dealers that change on the way: wear, a change of hands, a generator that runs into a flaw.",
    decks_min: 20,
    design: Design {
        parts: 2 * (CLASSES.len() as u64 + 1),
        label: Label::Card,
        scope: Scope::Segment,
        ..Design::PLAIN
    },
};

const TABLE: usize = kernel::card_place::CELLS;

/// What a card counts as.
type Class = fn(usize) -> usize;

/// Classes of cards, how many there are, and the names of the parts.
const CLASSES: [(Class, usize, &str, &str); 3] = [
    (|card| card, DECK_CARDS, "total", "drift-total"),
    (|card| card / 4, 13, "ranks", "drift-ranks"),
    (|card| card % 4, 4, "suits", "drift-suits"),
];

/// Bits of a segment's number that are looked at: 2^14 segments are 10^9 decks.
const BITS: usize = 14;

/// Decks that the smaller group of a drift holds at least: 19 in each cell of card × place.
const DRIFT_MIN: u64 = 1_000;

impl Statistic for Halves {
    about_and_cells!(ABOUT, (2 + BITS) * TABLE);

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        self.observe_segment(Segment::ONLY, blocks, counts);
    }

    /// `counts[52·card + place]` of the first ⌊n/2⌋ decks of the segment, then of the others, then of all of it once
    /// for every bit that its number has set.
    fn observe_segment(&self, segment: Segment, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let mut halves = vec![0; 2 * TABLE];
        count_halves(blocks, &mut halves);
        let (own, drifts) = counts.split_at_mut(2 * TABLE);
        own.iter_mut().zip(&halves).for_each(|(count, added)| *count += added);
        for (bit, table) in drifts.chunks_mut(TABLE).enumerate() {
            if segment.number >> bit & 1 == 1 {
                let whole =
                    halves[..TABLE].iter().zip(&halves[TABLE..]).map(|(first, second)| first + second);
                table.iter_mut().zip(whole).for_each(|(count, added)| *count += added);
            }
        }
    }

    /// The decks determine how many are in each table.
    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let (decks, margins) = decks_and_margins(counts)?;
        // A relative view has a deck less in every segment, and the same number of segments.
        let is_sound = |segment: u64| (0..BITS).all(|bit| margins[2 + bit] == with_bit(decks, segment, bit));
        [SEGMENT_DECKS, SEGMENT_DECKS - 1].into_iter().any(is_sound).then_some(decks)
    }

    fn decks_in_part(&self, counts: &[u64]) -> Option<u64> {
        let (decks, margins) = decks_and_margins(counts)?;
        margins[2..].iter().all(|&margin| margin <= decks).then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let (first, second) = counts[..2 * TABLE].split_at(TABLE);
        let all: Vec<u64> = first.iter().zip(second).map(|(first, second)| first + second).collect();
        let drifts = counts[2 * TABLE..].chunks(TABLE).map(|set| {
            let unset: Vec<u64> = all.iter().zip(set).map(|(all, set)| all.saturating_sub(*set)).collect();
            [unset, set.to_vec()]
        });
        let drifts: Vec<[Vec<u64>; 2]> =
            drifts.filter(|groups| sizes_of(groups).iter().all(|&size| size >= DRIFT_MIN)).collect();
        let bits = drifts.len() as f64;
        let worst_bit = |outcomes: &mut dyn Iterator<Item = Outcome>| {
            // Of p-values too small for a double the furthest apart is worst.
            let order = |a: &Outcome, b: &Outcome| {
                a.p_value.total_cmp(&b.p_value).then(b.score.abs().total_cmp(&a.score.abs()))
            };
            let worst = outcomes.min_by(order)?;
            let p_value_bound = worst.p_value_bound.map(|bound| bonferroni(bits, bound));
            let p_value = bonferroni(bits, worst.p_value);
            Some(Outcome { p_value, p_value_bound, spread: Spread::Conservative, ..worst })
        };
        let mut outcomes = Vec::new();
        for &(class, classes, part, drift) in &CLASSES {
            let compare = |part, groups: [&[u64]; 2]| {
                let sums = groups.map(|group| table::by_class(group, class, classes));
                table::two_groups(part, [&sums[0], &sums[1]], sizes_of(&groups), classes)
            };
            outcomes.extend(compare(part, [first, second]));
            outcomes.extend(worst_bit(
                &mut drifts.iter().filter_map(|[unset, set]| compare(drift, [unset, set])),
            ));
        }
        outcomes.push(table::most_uneven_cell("cell", [first, second], sizes_of(&[first, second])));
        outcomes.extend(worst_bit(&mut drifts.iter().map(|groups| {
            table::most_uneven_cell("drift-cell", [&groups[0], &groups[1]], sizes_of(groups))
        })));
        outcomes
    }
}

/// Decks of the first `decks` whose segment has a bit of its number set.
fn with_bit(decks: u64, segment: u64, bit: usize) -> u64 {
    let (run, rest) = (segment << bit, decks % (segment << (bit + 1)));
    decks / (2 * run) * run + rest.saturating_sub(run)
}

fn sizes_of<Group: AsRef<[u64]>>(groups: &[Group; 2]) -> [u64; 2] {
    [&groups[0], &groups[1]].map(|group| group.as_ref()[..DECK_CARDS].iter().sum())
}

/// The first ⌊n/2⌋ decks, then the others.
fn count_halves(blocks: &[DeckBlock], counts: &mut [u64]) {
    let (first, second) = counts.split_at_mut(TABLE);
    let mut left = (stream::decks_of(blocks) / 2) as usize;
    let mut whole = 0;
    while let Some(block) = blocks.get(whole).filter(|block| block.hands() <= left) {
        left -= block.hands();
        whole += 1;
    }
    kernel::card_place::card_place(&blocks[..whole], first);
    // The middle runs through this block: few decks, counted one by one.
    if let Some(block) = blocks.get(whole) {
        for (place, row) in block.rows().iter().enumerate() {
            for (lane, &card) in row[..block.hands()].iter().enumerate() {
                let half = if lane < left { &mut *first } else { &mut *second };
                half[DECK_CARDS * usize::from(card) + place] += 1;
            }
        }
        kernel::card_place::card_place(&blocks[whole + 1..], second);
    }
}

/// The decks of both halves, and how many stand in each table.
fn decks_and_margins(counts: &[u64]) -> Option<(u64, Vec<u64>)> {
    let margins = counts.chunks(TABLE).map(|table| table::common_margin(table, DECK_CARDS));
    let margins: Vec<u64> = margins.collect::<Option<_>>()?;
    let decks = margins[0].checked_add(margins[1]).filter(|_| margins[0] <= margins[1])?;
    Some((decks, margins))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{blocks, counts, reversed};
    use crate::math::chi_squared;
    use deckproof_deck::deck::Deck;

    #[test]
    fn a_change_in_the_middle_of_a_block_is_cut_at_the_deck() {
        let mut decks = [[Deck::in_order(); 50], [reversed(); 50]].concat();
        let seen = counts(&Halves, &decks);
        assert!((0..52).all(|card| seen[53 * card] == 50 && seen[TABLE + 51 * (card + 1)] == 50));
        let outcomes = Halves.finish(&seen, 100);
        // 104 cells, each 25 away from its share, in two groups of 50: 51·104·625·(1/50 + 1/50).
        assert!((outcomes[0].score - 132_600.0).abs() < 1e-6, "{}", outcomes[0].score);
        assert!(outcomes[..3].iter().all(|outcome| outcome.p_value < 1e-100));
        // 50 decks of 50 and none of the others: 2·2704 cells and sides, of C(100, 50) ways.
        assert!((outcomes[3].p_value / (5_408.0 / 1.008_913_445_455_641_9e29) - 1.0).abs() < 1e-9);
        // One deck more belongs to the second half.
        decks.push(reversed());
        let seen = counts(&Halves, &decks);
        assert_eq!((seen[0], seen[51], seen[TABLE + 51]), (50, 0, 51));
    }

    /// Cards of one distribution up to a deck number of the run, of another from there on: the drift is seen at the bit that
    /// cuts there, and at it only.
    #[test]
    fn a_change_between_segments_is_seen_whatever_their_number() {
        let segment = |deck: Deck| blocks(&vec![deck; SEGMENT_DECKS as usize]);
        let (early, late) = (segment(Deck::in_order()), segment(reversed()));
        let mut counts = vec![0; Halves.cells()];
        (0..8).for_each(|number| {
            let segment = Segment::new(number, number == 7);
            Halves.observe_segment(segment, if number < 4 { &early } else { &late }, &mut counts)
        });
        let decks = 8 * SEGMENT_DECKS;
        assert_eq!(Halves.decks_in(&counts), Some(decks));
        let outcomes = Halves.finish(&counts, decks);
        let parts: Vec<&str> = outcomes.iter().map(|outcome| outcome.part).collect();
        let classes = ["total", "drift-total", "ranks", "drift-ranks", "suits", "drift-suits"];
        assert_eq!(parts, [&classes[..], &["cell", "drift-cell"]].concat());
        // Every cell that was ever hit: 262,144 decks before, none after.
        assert_eq!((outcomes[6].score, outcomes[7].score.abs().round()), (0.0, 512.0));
        assert_eq!((outcomes[0].score, outcomes[1].p_value < 1e-300), (0.0, true));
        // 104 cells, each half its share away, in two groups of half the decks: 51·104·(N/4)²·(2/N)·2.
        let expected = 51.0 * 104.0 * (decks as f64 / 4.0).powi(2) * 4.0 / decks as f64;
        assert!((outcomes[1].score / expected - 1.0).abs() < 1e-12, "{}", outcomes[1].score);
        // One bit alone is left of three.
        let other_bits: u64 = counts[2 * TABLE..4 * TABLE].chunks(TABLE).map(|table| table[0]).sum();
        assert_eq!(other_bits, 2 * 2 * SEGMENT_DECKS);
        counts[4 * TABLE..][0] += 1;
        assert_eq!(Halves.decks_in(&counts), None);
    }

    /// Three segments are compared by two bits: the worse of two p-values counts twice. Both are worked here from the
    /// definition of the score.
    #[test]
    fn the_worst_of_two_bits_pays_for_both() {
        const DECKS: i64 = 1_040;
        // 20 decks in every cell, and waves that leave rows and columns as they are.
        let waves: [fn(usize, usize) -> i64; 3] = [
            |_, _| 0,
            |card, place| if (card + place) % 2 == 0 { 5 } else { -5 },
            |card, place| if (card / 2 + place) % 2 == 0 { 5 } else { -5 },
        ];
        let cell = |wave: fn(usize, usize) -> i64, at: usize| 20 + wave(at / DECK_CARDS, at % DECK_CARDS);
        let segments = waves.map(|wave| (0..TABLE).map(|at| cell(wave, at) as u64).collect::<Vec<u64>>());
        let mut counts = vec![0; Halves.cells()];
        counts[..TABLE].copy_from_slice(&segments[0]);
        for at in 0..TABLE {
            counts[TABLE + at] = segments[1][at] + segments[2][at];
        }
        counts[2 * TABLE..][..TABLE].copy_from_slice(&segments[1]);
        counts[3 * TABLE..][..TABLE].copy_from_slice(&segments[2]);
        let of_bit = |set: usize| {
            let groups = [set, 3 - set].map(|own| segments[own].iter().map(|&count| count as f64));
            let [set, other] = groups.map(|group| group.collect::<Vec<f64>>());
            let unset: Vec<f64> =
                other.iter().zip(&segments[0]).map(|(own, &first)| own + first as f64).collect();
            let (n_set, n_unset) = (DECKS as f64, 2.0 * DECKS as f64);
            let term = |(a, b): (&f64, &f64)| {
                let share = (a + b) / (n_set + n_unset);
                let of = |own: f64, n: f64| (own - n * share).powi(2) / (n / 52.0);
                of(*a, n_set) + of(*b, n_unset)
            };
            let score = 51.0 / 52.0 * set.iter().zip(&unset).map(term).sum::<f64>();
            chi_squared::p_value(2601.0, score)
        };
        let worst = of_bit(1).min(of_bit(2));
        assert!((1e-4..0.4).contains(&worst), "{worst}");
        let outcomes = Halves.finish(&counts, 3 * DECKS as u64);
        let drift =
            outcomes.iter().find(|outcome| outcome.part == "drift-total").expect("1,040 decks a group");
        assert!((drift.p_value / (2.0 * worst) - 1.0).abs() < 1e-9, "{} for twice {worst}", drift.p_value);
    }

    #[test]
    fn tables_of_bits_hold_as_many_decks_as_counting_gives() {
        for segment in [10, 9] {
            for decks in [0, 1, 9, 10, 11, 20, 55, 160, 163] {
                for bit in 0..4 {
                    let expected = (0..decks).filter(|deck| (deck / segment) >> bit & 1 == 1).count() as u64;
                    assert_eq!(with_bit(decks, segment, bit), expected, "{decks} in {segment}, bit {bit}");
                }
            }
        }
    }
}
