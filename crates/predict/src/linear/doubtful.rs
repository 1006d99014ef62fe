//! Equations that may be wrong, how likely each is, and orders in which the least doubtful tend to come first.

use std::ops::Range;

use crate::candidate::Dealing;
use crate::deck::{DECK_CARDS, Observation};
use crate::linear::equations::Parity;
use crate::linear::keys::{self, DOUBT_MAX, LEVELS};
use crate::mapping::Known;
use crate::way::KnownDraws;

/// Equations that are chosen from, for one unknown.
const POOL: usize = 3;

/// The same of many records: what is not chosen checks what is.
const POOL_MANY: usize = 2;

/// Equations of many records: of the leading two bits, and less doubtful than this.
const LEVELS_MANY: u32 = 2;
const DOUBT_MANY: f64 = 0.04;

/// The power of one over the doubt by which less doubtful draws are favoured: measured, 0 and 0.6 take longer.
const FAVOUR: f64 = 0.3;

/// An equation that may be wrong.
#[derive(Clone, Copy, Debug)]
pub struct Doubtful {
    pub record: usize,
    pub call: usize,
    pub parity: Parity,
    /// How likely it is to be wrong.
    pub doubt: f64,
}

/// The least doubtful equations of the first records, for one way and start.
pub struct Equations {
    pub dealing: Dealing,
    pub first: usize,
    records: usize,
    pub calls: usize,
    /// Those of one draw together, which are wrong together.
    pub chosen: Vec<Vec<Doubtful>>,
}

impl Equations {
    /// Of many records only those that are hardly wrong.
    pub fn new(
        seen: &Observation,
        dealing: Dealing,
        (records, is_many): (usize, bool),
        unknowns: usize,
    ) -> Option<Equations> {
        let first = dealing.first();
        let shown = if dealing.way.is_sort() { None } else { Some(Shown::new(&dealing, is_many)) };
        let (mut all, mut calls) = (Vec::new(), 0);
        for record in first..records {
            let of_calls = match &shown {
                None => keys::doubtful(&dealing.numbers(seen, record)?),
                Some(shown) => shown.of_draws(&dealing.known_draws(seen, record)?),
            };
            calls = of_calls.len();
            for (call, own) in of_calls.into_iter().enumerate() {
                let record = record - first;
                all.extend(own.into_iter().map(|(parity, doubt)| Doubtful { record, call, parity, doubt }));
            }
        }
        all.sort_by(|a, b| a.doubt.total_cmp(&b.doubt));
        let pool = if is_many { POOL_MANY } else { POOL };
        all.truncate(pool * unknowns);
        (all.len() >= unknowns).then_some(Equations { dealing, first, records, calls, chosen: by_draw(&all) })
    }
}

/// What every draw of a loop tells of its call.
struct Shown(Vec<Vec<Vec<(Parity, f64)>>>);

impl Shown {
    fn new(dealing: &Dealing, is_many: bool) -> Shown {
        let (levels, doubt_max) = if is_many { (LEVELS_MANY, DOUBT_MANY) } else { (LEVELS, DOUBT_MAX) };
        let ranges = dealing.way.ranges();
        let mut shown = vec![Vec::new(); ranges.len()];
        for draw in 0..DECK_CARDS as u8 {
            let draws = ranges.map(|range| Some(draw.min(range - 1)));
            let known = dealing.mapping.known(dealing.generator, &ranges, &draws);
            assert_eq!(known.len(), shown.len(), "these mappings take one call for a draw");
            for (own, known) in shown.iter_mut().zip(known) {
                own.push(doubtful(known, levels).filter(|(_, doubt)| *doubt < doubt_max).collect());
            }
        }
        Shown(shown)
    }

    fn of_draws(&self, draws: &KnownDraws) -> Vec<Vec<(Parity, f64)>> {
        let of_draw = |(own, draw): (&Vec<Vec<_>>, &Option<u8>)| {
            draw.map_or(Vec::new(), |draw| own[usize::from(draw)].clone())
        };
        self.0.iter().zip(draws).map(of_draw).collect()
    }
}

fn by_draw(equations: &[Doubtful]) -> Vec<Vec<Doubtful>> {
    let mut sorted = equations.to_vec();
    sorted.sort_by_key(|own| (own.record, own.call));
    sorted.chunk_by(|a, b| (a.record, a.call) == (b.record, b.call)).map(<[_]>::to_vec).collect()
}

/// Sums of two bits, and how likely each is wrong.
fn doubtful(known: Known, levels: u32) -> impl Iterator<Item = (Parity, f64)> {
    let (top, low, high) = match known {
        Known::Within { top, low, high } => (top, low, high),
        _ => (0, 0, u64::MAX),
    };
    let ends = [low, high].map(|end| end as f64 / 2f64.powi(64));
    (1..=levels.min(top)).filter_map(move |level| {
        let [low, high] = ends.map(|end| end * 2f64.powi(level as i32));
        let nearest = ((low + high) / 2.0).round();
        let (below, above) = (nearest - low, high - nearest);
        // The mean distance of what lies between.
        let doubt = if below > 0.0 && above > 0.0 {
            (below * below + above * above) / (2.0 * (below + above))
        } else {
            (above - below).abs() / 2.0
        };
        let parity = Parity { mask: 1 << (top + 1 - level), is_odd: (nearest as u64).is_multiple_of(2) };
        (below < 0.5 && above < 0.5 && doubt < DOUBT_MAX).then_some((parity, doubt))
    })
}

/// The equations of a draw, in an order that changes.
#[derive(Clone)]
pub struct Place {
    key: f64,
    pub rows: Range<usize>,
    /// A power of the greatest doubt.
    favour: f64,
}

impl Equations {
    pub fn order(&self) -> Vec<Place> {
        let mut end = 0;
        let of_draw = |own: &Vec<Doubtful>| {
            end += own.len();
            Place { key: 0.0, rows: end - own.len()..end, favour: libm::pow(most_doubtful(own), FAVOUR) }
        };
        self.chosen.iter().map(of_draw).collect()
    }

    /// One record is held out where there are few.
    pub fn used(&self, seen: &Observation) -> usize {
        self.records.min(seen.records.len() - 1).max(1) - self.first.min(1)
    }
}

fn most_doubtful(equations: &[Doubtful]) -> f64 {
    equations.iter().map(|own| own.doubt).fold(0.0, f64::max)
}

/// A weighted order without replacement (Efraimidis & Spirakis 2006): the weight of a draw is a power of one over its
/// doubt. The dice need
/// not be good, only different.
pub fn shuffle(order: &mut [Place], dice: &mut u64) {
    for own in order.iter_mut() {
        *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let uniform = ((*dice >> 40) as f64 + 0.5) / (1u64 << 24) as f64;
        own.key = -libm::log(uniform) * own.favour;
    }
    order.sort_unstable_by(|a, b| a.key.total_cmp(&b.key));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::xorshift::{XORSHIFT128_PLUS, XORSHIFT128_XOR};
    use crate::mapping::Mapping;
    use crate::way::{Loop, Way};

    /// Equations are wrong as often as they are doubtful, for sums that are cut to 53 bits as for whole ones.
    #[test]
    fn equations_are_wrong_as_often_as_they_are_doubtful() {
        for mapping in [Mapping::FloatLow { bits: 53 }, Mapping::Float { bits: 53 }] {
            let mut states = [[0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]; 2];
            let way = Way { of: Loop::Down, from_end: false };
            // By doubts below 1 %, 2 %, …: how many, how many wrong, and the sum of doubts.
            let mut bins = [(0u32, 0u32, 0.0); 30];
            for _ in 0..4_000 {
                let mut next = || (XORSHIFT128_PLUS.next)(&mut states[0]);
                let draws = mapping.draws(&XORSHIFT128_PLUS, &mut next, &way.ranges(), &[None; 51]);
                let draws = draws.expect("nothing is expected of a draw").map(Some);
                for known in mapping.known(&XORSHIFT128_PLUS, &way.ranges(), &draws) {
                    let output = (XORSHIFT128_XOR.next)(&mut states[1]);
                    for (parity, doubt) in doubtful(known, LEVELS) {
                        let is_odd = (output & parity.mask).count_ones() & 1 == 1;
                        let bin = &mut bins[(doubt * 100.0) as usize];
                        *bin = (bin.0 + 1, bin.1 + u32::from(is_odd != parity.is_odd), bin.2 + doubt);
                    }
                }
            }
            for (count, wrong, doubt) in bins {
                // Five deviations.
                let allowed = 5.0 * (doubt + 1.0).sqrt();
                assert!(
                    (f64::from(wrong) - doubt).abs() < allowed,
                    "{wrong} of {count} wrong, not {doubt:.0}"
                );
            }
        }
    }
}
