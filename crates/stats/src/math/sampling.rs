//! Exact distributions of cards drawn without replacement: overlaps, order statistics, neighbours of one kind.

use crate::math::distribution::Distribution;

/// The distribution on first, first + 1, … whose neighbouring probabilities have the given ratio: positive terms
/// only, then scaled to 1.
fn by_ratios(first: u64, last: u64, ratio: impl Fn(f64) -> f64) -> Distribution {
    let mut term = 1.0;
    let mut terms = vec![term];
    for k in first..last {
        term *= ratio(k as f64);
        terms.push(term);
    }
    let total: f64 = terms.iter().sum();
    Distribution::new(first, terms.into_iter().map(|term| term / total).collect())
}

/// How many of `m` marked cards are among `m` drawn of `n`, `2m ≤ n`: `C(m, k)C(n−m, m−k)/C(n, m)`.
pub fn overlap(n: u64, m: u64) -> Distribution {
    let (n, size) = (n as f64, m as f64);
    by_ratios(0, m, |k| (size - k).powi(2) / ((k + 1.0) * (n - 2.0 * size + k + 1.0)))
}

/// The j-th smallest of `m` numbers drawn of 1..=n: `C(x−1, j−1)C(n−x, m−j)/C(n, m)` for x = j..=n−m+j.
pub fn order_statistic(n: u64, m: u64, j: u64) -> Distribution {
    let (from, size, rank) = (n as f64, m as f64, j as f64);
    by_ratios(j, n - m + j, |x| x * (from - x - size + rank) / ((x - rank + 1.0) * (from - x)))
}

/// How many neighbours are of one kind in a random order of `kinds` kinds of `size` cards each, from 0 up to
/// `kinds·(size − 1)`.
///
/// Kind by kind: `size` new cards fall into b blocks, x of them between old neighbours of one kind, in
/// `C(k, x)·C(g − k, b − x)·C(size − 1, b − 1)` ways of `C(g + size − 1, size)`, g the gaps of the old order.
pub fn same_neighbours(kinds: u64, size: u64) -> Distribution {
    let most = (kinds * (size - 1)) as usize;
    let mut points = vec![0.0; most + 1];
    points[size as usize - 1] = 1.0;
    for kind in 1..kinds {
        let gaps = kind * size + 1;
        let mut next = vec![0.0; most + 1];
        for (same, &point) in points.iter().enumerate().filter(|(_, point)| **point > 0.0) {
            for blocks in 1..=size.min(gaps) {
                for split in 0..=blocks.min(same as u64) {
                    let ways = binomial(same as u64, split)
                        * binomial(gaps - same as u64, blocks - split)
                        * binomial(size - 1, blocks - 1)
                        / binomial(gaps + size - 1, size);
                    next[same - split as usize + (size - blocks) as usize] += point * ways;
                }
            }
        }
        points = next;
    }
    let total: f64 = points.iter().sum();
    Distribution::new(0, points.into_iter().map(|point| point / total).collect())
}

/// The longest run of cards of one kind where `kinds` kinds of `size` cards each lie in a uniform order.
///
/// Kind by kind, as above: r runs of the new kind fall into b blocks between `gaps` runs of the old ones, x of them where two
/// runs of one kind still touch. At the end none touch.
pub fn longest_run_of_a_kind(kinds: u64, size: u64) -> Distribution {
    let orders: Vec<f64> = (1..=size).map(|most| orders_of_runs(kinds, size, most)).collect();
    let total: f64 = orders.iter().sum();
    Distribution::new(1, orders.into_iter().map(|orders| orders / total).collect())
}

/// Orders in which the longest run of one kind has so many cards.
fn orders_of_runs(kinds: u64, size: u64, most: u64) -> f64 {
    let cuts = cuts(size, most);
    // By runs, and by those that touch the next one of their kind.
    let room = (kinds * size) as usize + 1;
    let mut orders = vec![vec![[0.0; 2]; room]; room];
    for (runs, &ways) in cuts.iter().enumerate().skip(1) {
        orders[runs][runs - 1] = ways;
    }
    for kind in 1..kinds {
        let mut next = vec![vec![[0.0; 2]; room]; room];
        for (old, touching) in (0..room).flat_map(|old| (0..room).map(move |touching| (old, touching))) {
            if orders[old][touching] == [0.0; 2] {
                continue;
            }
            for (runs, &ways) in cuts.iter().enumerate().skip(1) {
                let both = times(orders[old][touching], ways);
                for blocks in 1..=runs {
                    for split in 0..=blocks.min(touching) {
                        let left = touching - split + runs - blocks;
                        // The last kind leaves none.
                        if kind + 1 == kinds && left > 0 {
                            continue;
                        }
                        let gaps = old + 1 - touching;
                        let places = binomial(touching as u64, split as u64)
                            * binomial(gaps as u64, (blocks - split) as u64)
                            * binomial(runs as u64 - 1, blocks as u64 - 1);
                        let own = &mut next[old + runs][left];
                        *own = [0, 1].map(|long| own[long] + both[long] * places);
                    }
                }
            }
        }
        orders = next;
    }
    orders.iter().map(|of_runs| of_runs[0][1]).sum()
}

/// Ways without and with a longest run.
type Ways = [f64; 2];

/// Both together: with a longest run where either has one.
fn times([short, long]: Ways, [other_short, other_long]: Ways) -> Ways {
    [short * other_short, short * other_long + long * (other_short + other_long)]
}

/// Ways to cut so many cards into each number of runs of at most `most` cards.
fn cuts(size: u64, most: u64) -> Vec<Ways> {
    // By runs and cards.
    let mut cuts = vec![vec![[0.0; 2]; size as usize + 1]; size as usize + 1];
    cuts[0][0] = [1.0, 0.0];
    for runs in 1..cuts.len() {
        for cards in 1..=size as usize {
            for last in 1..=cards.min(most as usize) {
                let is_longest = last as u64 == most;
                let one = [f64::from(u8::from(!is_longest)), f64::from(u8::from(is_longest))];
                let more = times(cuts[runs - 1][cards - last], one);
                let own = &mut cuts[runs][cards];
                *own = [0, 1].map(|long| own[long] + more[long]);
            }
        }
    }
    cuts.into_iter().map(|of_runs| of_runs[size as usize]).collect()
}

/// The most cards of one suit among some of a deck, 13 at most: hands by the cards they have of each suit, `Π C(13, k)`, whole
/// numbers that a double holds.
pub fn most_of_one_suit(cards: usize) -> Distribution {
    // Hands of any cards with at most so many of each suit.
    let within = |most: usize| {
        let mut hands = vec![1.0];
        for _ in 0..4 {
            let mut next = vec![0.0; cards + 1];
            for (held, &ways) in hands.iter().enumerate() {
                for more in 0..=most.min(cards - held) {
                    next[held + more] += ways * binomial(13, more as u64);
                }
            }
            hands = next;
        }
        hands[cards]
    };
    let first = cards.div_ceil(4);
    let hands: Vec<f64> = (first..=cards).map(|most| within(most) - within(most - 1)).collect();
    let total = within(cards);
    Distribution::new(first as u64, hands.into_iter().map(|hands| hands / total).collect())
}

/// `C(n, k)`, exact while it fits a double's 53 bits.
fn binomial(n: u64, k: u64) -> f64 {
    if k > n { 0.0 } else { (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order of the numbers 0..n, by Heap's algorithm.
    fn orders(n: usize, visit: &mut dyn FnMut(&[usize])) {
        fn permute(k: usize, order: &mut [usize], visit: &mut dyn FnMut(&[usize])) {
            if k <= 1 {
                return visit(order);
            }
            for i in 0..k {
                permute(k - 1, order, visit);
                order.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
            }
        }
        let mut order: Vec<usize> = (0..n).collect();
        permute(n, &mut order, visit);
    }

    fn check(distribution: &Distribution, n: usize, measure: impl Fn(&[usize]) -> u64) {
        let mut counts = vec![0u64; distribution.points().len()];
        orders(n, &mut |order| counts[(measure(order) - distribution.first()) as usize] += 1);
        let total: u64 = counts.iter().sum();
        for ((value, point), count) in distribution.iter().zip(counts) {
            assert!((point - count as f64 / total as f64).abs() < 1e-12, "value {value}: {point}");
        }
    }

    #[test]
    fn distributions_are_those_of_all_orders_of_eight_cards() {
        check(&overlap(8, 3), 8, |order| order[..3].iter().filter(|&&card| card < 3).count() as u64);
        for j in 1..=3 {
            check(&order_statistic(8, 3, j), 8, |order| {
                let mut first = order[..3].to_vec();
                first.sort_unstable();
                first[j as usize - 1] as u64 + 1
            });
        }
        for (kinds, size) in [(4, 2), (2, 4)] {
            let same = |pair: &[usize]| pair[0] / size as usize == pair[1] / size as usize;
            check(&same_neighbours(kinds, size), 8, |order| {
                order.windows(2).filter(|p| same(p)).count() as u64
            });
            check(&longest_run_of_a_kind(kinds, size), 8, |order| {
                let is_same = |a: &usize, b: &usize| same(&[*a, *b]);
                order.chunk_by(is_same).map(<[usize]>::len).max().unwrap_or(0) as u64
            });
        }
    }

    #[test]
    fn neighbours_of_a_deck_have_the_known_means() {
        // 51 neighbours, 12/51 of one suit and 3/51 of one rank.
        let (suits, ranks) = (same_neighbours(4, 13), same_neighbours(13, 4));
        assert!((suits.mean() - 12.0).abs() < 1e-11 && (ranks.mean() - 3.0).abs() < 1e-11);
    }

    /// Python, whole numbers, card by card: `f(left, own, run)` orders of the cards that are left.
    #[test]
    fn longest_runs_of_a_deck_are_those_counted_card_by_card() {
        let suits = longest_run_of_a_kind(4, 13);
        let colours = longest_run_of_a_kind(2, 26);
        assert_eq!((suits.points().len(), colours.points().len()), (13, 26));
        for (point, wanted) in [
            (suits.points()[0], 1.181_747_430_960_309_4e-6),
            (suits.points()[2], 0.547_210_910_003_671_6),
            (suits.points()[6], 0.001_775_422_444_190_48),
            (suits.points()[12], 2.519_631_227_124_213_6e-10),
            (colours.points()[0], 4.032_920_463_993_413e-15),
            (colours.points()[4], 0.308_835_591_583_759_8),
            (colours.points()[25], 1.048_559_320_638_287_2e-13),
        ] {
            assert!((point / wanted - 1.0).abs() < 1e-12, "{point} for {wanted}");
        }
    }

    /// Python: products of C(13, k) over all ways to split cards into four suits, over C(52, n).
    #[test]
    fn most_of_one_suit_is_as_rare_as_choices_of_suits() {
        for (cards, first, wanted) in [
            (2, 1, &[0.764_705_882_352_941_1, 0.235_294_117_647_058_83][..]),
            (
                6,
                2,
                &[
                    0.396_265_740_338_688_67,
                    0.489_438_328_522_898_54,
                    0.104_096_957_932_109_02,
                    0.009_861_817_067_252_433,
                    0.000_337_156_139_051_365_2,
                ],
            ),
            (
                8,
                2,
                &[
                    0.049_186_949_525_416_086,
                    0.572_656_607_508_868_5,
                    0.308_516_598_128_613_15,
                    0.062_518_520_821_834_75,
                    0.006_758_759_007_765_919,
                    0.000_355_724_158_303_469_4,
                    6.840_849_198_143_642e-6,
                ],
            ),
        ] {
            let most = most_of_one_suit(cards);
            assert_eq!((most.first(), most.points().len()), (first, wanted.len()));
            for (point, wanted) in most.points().iter().zip(wanted) {
                assert!((point / wanted - 1.0).abs() < 1e-13, "{cards}: {point} for {wanted}");
            }
        }
    }
}
