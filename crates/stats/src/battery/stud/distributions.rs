//! Exact distributions of dealt hands: sets of cards counted by class, seats of one deck together.

use std::sync::OnceLock;

use crate::battery::stud::parts::normalised;
use crate::battery::stud::table::{HAND_CARDS, River, SEATS_MAX, StudTable};
use crate::math::distribution::Distribution;
use deckproof_stud::stud::low::LOW_CLASSES;

/// High categories.
pub(super) const CATEGORIES: usize = 10;

/// Low strengths, 0 being none.
pub(super) const LOWS: usize = LOW_CLASSES + 1;

/// Sets of seven and of six cards by low strength (a row each) and high category, as
/// [`census`](deckproof_stud::stud::rank::census::census) counts them.
static CENSUS: [&str; 2] = [include_str!("distributions/seven.csv"), include_str!("distributions/six.csv")];

/// The probability of each high category and low strength of a seat: `[category·57 + low]`.
pub(super) fn joint(table: &StudTable) -> &'static [f64] {
    static DISTRIBUTIONS: [OnceLock<Vec<f64>>; 2] = [const { OnceLock::new() }; 2];
    let place = HAND_CARDS - table.cards();
    DISTRIBUTIONS[place].get_or_init(|| {
        let rows = CENSUS[place]
            .lines()
            .map(|line| line.split(',').filter_map(|count| count.parse().ok()).collect());
        let by_low: Vec<Vec<f64>> = rows.collect();
        normalised((0..CATEGORIES).flat_map(|category| by_low.iter().map(move |row| row[category])))
    })
}

/// The probability of each high category of a seat.
pub(super) fn categories(table: &StudTable) -> Vec<f64> {
    joint(table).chunks(LOWS).map(|lows| lows.iter().sum()).collect()
}

/// The probability of each low strength of a seat.
pub(super) fn lows(table: &StudTable) -> Vec<f64> {
    // Row by row, each low in the order of the categories: a step of a row for every number would miss every cache.
    let mut lows = vec![0.0; LOWS];
    for row in joint(table).chunks(LOWS) {
        lows.iter_mut().zip(row).for_each(|(sum, point)| *sum += point);
    }
    lows
}

/// The probability that two seats of one deck both have an 8-or-better low.
///
/// Low rank by low rank: x cards to one seat, y to the other, e to the card they share, in
/// `4!/(x!·y!·e!·(4−x−y−e)!)` ways; the rest of both hands comes from the 20 cards above the eight.
pub(super) fn both_low(river: River) -> f64 {
    let shared = usize::from(river == River::Shared);
    let own = if river == River::Own { HAND_CARDS } else { HAND_CARDS - 1 };
    // Different ranks of either seat, cards of either, and whether the shared card is out: every state has a place.
    let sizes = [6, 6, HAND_CARDS + 1, HAND_CARDS + 1, 2];
    let place_of =
        |state: [usize; 5]| state.iter().zip(sizes).fold(0, |place, (part, size)| size * place + part);
    let state_at = |mut place: usize| {
        let mut state = [0; 5];
        for (part, size) in state.iter_mut().zip(sizes).rev() {
            (*part, place) = (place % size, place / size);
        }
        state
    };
    let mut states = vec![0.0f64; sizes.iter().product()];
    states[0] = 1.0;
    for _ in 0..8 {
        let mut next = vec![0.0; states.len()];
        for (place, weight) in states.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0) {
            let [ranks_a, ranks_b, a, b, out] = state_at(place);
            for (x, y, e) in splits(own - a, own - b, shared - out) {
                let there = |cards: usize| usize::from(cards + e > 0);
                let state = [(ranks_a + there(x)).min(5), (ranks_b + there(y)).min(5), a + x, b + y, out + e];
                next[place_of(state)] += weight * ways(4, &[x, y, e]);
            }
        }
        states = next;
    }
    let (mut both, mut all) = (0.0, 0.0);
    for (place, weight) in states.into_iter().enumerate().filter(|(_, weight)| *weight > 0.0) {
        let [ranks_a, ranks_b, a, b, out] = state_at(place);
        let mass = weight * ways(20, &[own - a, own - b, shared - out]);
        all += mass;
        both += if ranks_a == 5 && ranks_b == 5 { mass } else { 0.0 };
    }
    both / all
}

/// At most four cards of a rank, to three takers who take so many at most.
fn splits(most_x: usize, most_y: usize, most_e: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let all = (0..=4usize).flat_map(|x| (0..=4usize).flat_map(move |y| (0..=1usize).map(move |e| (x, y, e))));
    all.filter(move |&(x, y, e)| x + y + e <= 4 && x <= most_x && y <= most_y && e <= most_e)
}

/// `n!/(k_1!·k_2!⋯(n − Σk)!)`.
fn ways(n: usize, takes: &[usize]) -> f64 {
    let mut left = n;
    let mut product = 1.0;
    for &take in takes {
        product *= (0..take).map(|i| (left - i) as f64 / (i + 1) as f64).product::<f64>();
        left -= take;
    }
    product
}

/// Points of [`paired_seats`] for 2 to 8 players and two or three cards, to the last bit: a small audit does not wait
/// for them. A test works them out rank by rank.
static PAIRED_SEATS: &str = include_str!("distributions/paired_seats.csv");

/// How many seats of `players` hold a pair or better among their first `cards` cards (2 or 3), 0 to all of them.
pub(super) fn paired_seats(players: usize, cards: usize) -> &'static Distribution {
    static DISTRIBUTIONS: [OnceLock<Distribution>; 2 * (SEATS_MAX + 1)] =
        [const { OnceLock::new() }; 2 * (SEATS_MAX + 1)];
    DISTRIBUTIONS[2 * players + cards - 2].get_or_init(|| {
        let own = format!("{players},{cards},");
        let row = PAIRED_SEATS.lines().find_map(|row| row.strip_prefix(&own)).expect("2 to 8 players");
        let points: Vec<f64> = row.split(',').filter_map(|point| point.parse().ok()).collect();
        assert_eq!(points.len(), players + 1, "a point for each number of seats");
        Distribution::new(0, points)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::battery::stud::sample::rows;
    use deckproof_stud::stud::rules::RuleSet;

    fn table(rules: usize, players: usize) -> &'static StudTable {
        StudTable::of(RuleSet::ALL[rules], players).expect("2 to 8 players")
    }

    /// The project's exact counts, made by an independent program.
    #[test]
    fn categories_and_lows_are_those_of_the_exact_counts() {
        let names =
            ["high_card", "one_pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"];
        let names: Vec<&str> =
            names.into_iter().chain(["four_of_a_kind", "straight_flush", "royal_flush"]).collect();
        for (table, columns, sets) in
            [(table(0, 7), [5, 5], 133_784_560.0), (table(2, 8), [3, 4], 20_358_520.0)]
        {
            let distribution = categories(table);
            let mut checked = 0;
            for row in rows(include_str!("../../../../../fixtures/rank/high_categories.csv")) {
                let Some(place) = names.iter().position(|name| *name == row[0]) else { continue };
                let count: f64 = row[columns[0]].parse().expect("a count");
                assert!((distribution[place] - count / sets).abs() < 1e-14, "{}", row[0]);
                checked += 1;
            }
            assert_eq!(checked, 10);
            let distribution = lows(table);
            for row in rows(include_str!("../../../../../fixtures/rank/low_classes.csv")) {
                let place: usize = row[0].parse().expect("a place");
                let strength = if row[1] == "none" { 0 } else { 57 - place };
                let count: f64 = row[columns[1]].parse().expect("a count");
                assert!((distribution[strength] - count / sets).abs() < 1e-14, "{}", row[1]);
            }
        }
    }

    #[test]
    fn the_joint_distribution_of_seven_cards_is_that_of_the_exact_counts() {
        for row in rows(include_str!("../../../../../fixtures/rank/joint_high_low.csv")) {
            let place: usize = row[0].parse().expect("a place");
            let strength = if row[1] == "none" { 0 } else { 57 - place };
            // The columns go from the royal flush down.
            for (category, count) in row[2..].iter().rev().enumerate() {
                let count: f64 = count.parse().expect("a count");
                let p = joint(table(0, 2))[category * LOWS + strength];
                assert!((p - count / 133_784_560.0).abs() < 1e-16, "{row:?}");
            }
        }
    }

    /// Rank by rank its four cards go to seats, which are alike where they hold as many cards and a pair or none; all
    /// terms are positive, so no digits are lost.
    fn paired_seats_by_ranks(players: usize, cards: usize) -> Vec<f64> {
        let mut tables = BTreeMap::from([(seats_in(0, players), 1.0)]);
        for _ in 0..13 {
            let mut next = BTreeMap::new();
            for (seats, weight) in tables {
                deal_rank(&seats, cards, 0, 4, weight, [0; KINDS], &mut next);
            }
            tables = next;
        }
        let full = tables
            .into_iter()
            .filter(|(seats, _)| (0..KINDS).all(|kind| seats[kind] == 0 || kind / 2 == cards));
        let mut points = vec![0.0; players + 1];
        full.for_each(|(seats, weight)| points[usize::from(seats[2 * cards + 1])] += weight);
        normalised(points)
    }

    /// Kinds of seats: twice the cards held, and one more if they hold a pair.
    const KINDS: usize = 8;

    /// How many seats there are of each kind.
    type SeatKinds = [u8; KINDS];

    fn seats_in(kind: usize, seats: usize) -> SeatKinds {
        let mut kinds = [0; KINDS];
        kinds[kind] = seats as u8;
        kinds
    }

    /// Deals at most `left` cards of one rank to the seats of `kind` and above, no seat more than `cards` in all.
    fn deal_rank(
        before: &SeatKinds,
        cards: usize,
        kind: usize,
        left: usize,
        weight: f64,
        after: SeatKinds,
        next: &mut BTreeMap<SeatKinds, f64>,
    ) {
        if kind == KINDS {
            *next.entry(after).or_insert(0.0) += weight;
            return;
        }
        let seats = usize::from(before[kind]);
        let (held, paired) = (kind / 2, kind % 2);
        let room = cards.saturating_sub(held);
        // Seats of this kind that get one, two and three cards of the rank.
        for one in 0..=seats.min(left) {
            for two in 0..=(seats - one).min((left - one) / 2) {
                for three in 0..=(seats - one - two).min((left - one - 2 * two) / 3) {
                    let most =
                        [one, two, three].iter().rposition(|&seats| seats > 0).map_or(0, |place| place + 1);
                    if most > room {
                        continue;
                    }
                    let taken = one + 2 * two + 3 * three;
                    // `left!/(left − taken)!` in order, unordered within a seat.
                    let suits = (0..taken).map(|i| (left - i) as f64).product::<f64>()
                        / (2f64.powi(two as i32) * 6f64.powi(three as i32));
                    let choice = ways(seats, &[one, two, three]) * suits;
                    let mut after = after;
                    after[kind] += (seats - one - two - three) as u8;
                    for (count, gained) in
                        [(one, 1), (two, 2), (three, 3)].into_iter().filter(|(count, _)| *count > 0)
                    {
                        let pair = paired.max(usize::from(gained > 1));
                        after[2 * (held + gained) + pair] += count as u8;
                    }
                    deal_rank(before, cards, kind + 1, left - taken, weight * choice, after, next);
                }
            }
        }
    }

    #[test]
    fn paired_seats_are_those_found_rank_by_rank_to_the_last_bit() {
        let mut table = String::new();
        for (players, cards) in (2..=SEATS_MAX).flat_map(|players| [(players, 2), (players, 3)]) {
            let points: Vec<String> =
                paired_seats_by_ranks(players, cards).iter().map(f64::to_string).collect();
            table += &format!("{players},{cards},{}\n", points.join(","));
        }
        let written: String = PAIRED_SEATS.lines().skip(1).map(|row| format!("{row}\n")).collect();
        assert_eq!(written, table);
    }

    /// P(exactly two of two qualify) of the project's exact table, and the correlation it states; for six own cards,
    /// with and without a seventh that both share, counts of an independent program in whole numbers.
    #[test]
    fn two_seats_are_both_low_as_often_as_exact_counts_say() {
        for (river, both, of) in [
            (River::Own, 529_939_148_096.0, 18_972_164_045_835.0),
            (River::Shared, 4_896_286_016.0, 148_054_791_885.0),
            (River::Reshuffled, 123_336_192.0, 23_165_035_465.0),
        ] {
            let found = both_low(river);
            assert!((found * of / both - 1.0).abs() < 1e-13, "{river:?}: {found}");
        }
        let (both, p) = (both_low(River::Own), 0.183_361_547_849_767);
        assert!((both - 0.027_932_456_561_924_9).abs() < 1e-15, "{both}");
        assert!(((both - p * p) / (p * (1.0 - p)) + 0.037_992_5).abs() < 1e-7);
    }

    /// The project's exact table of fourth street, and three-card hands by hand.
    #[test]
    fn paired_seats_follow_the_exact_tables() {
        for row in rows(include_str!("../../../../../fixtures/stud/open_pairs.csv")) {
            let (players, seats): (usize, u64) =
                (row[0].parse().expect("players"), row[1].parse().expect("seats"));
            let wanted: f64 = row[2].parse().expect("a probability");
            let found = paired_seats(players, 2).point(seats);
            assert!((found / wanted - 1.0).abs() < 1e-10, "{row:?}: {found}");
        }
        // A seat starts with a pair or trips in 3,796 of 22,100 hands (the same table of three-card hands).
        for players in 2..=SEATS_MAX {
            let mean = paired_seats(players, 3).mean();
            assert!((mean - players as f64 * 3_796.0 / 22_100.0).abs() < 1e-12, "{players}: {mean}");
        }
        // Two seats of three, by hand: P(no pair) of the first times that of the second among the other cards,
        // of which three ranks have three left: e₃ of (3, 3, 3, 4 × 10) over C(49, 3).
        let unpaired = (27.0 + 27.0 * 4.0 * 10.0 + 9.0 * 16.0 * 45.0 + 64.0 * 120.0) / 18_424.0;
        let none = (1.0 - 3_796.0 / 22_100.0) * unpaired;
        assert!((paired_seats(2, 3).point(0) - none).abs() < 1e-14);
    }
}
