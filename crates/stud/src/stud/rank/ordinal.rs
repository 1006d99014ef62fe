//! High hands numbered 1 to 7,462 without gaps: for records and for counting.

use std::sync::OnceLock;

use crate::stud::rank::masks::{KIND_SHIFT, LEADING_SHIFT};
use crate::stud::rank::{CLASSES_FIVE, High};

/// Values of one category: `(ranks leading, kickers)` that each category has.
const SHAPES: [(u32, u32); 9] = [(0, 5), (1, 3), (2, 1), (1, 2), (1, 0), (0, 5), (1, 1), (1, 1), (1, 0)];

struct Ordinals {
    /// Index of a rank mask among the masks of as many ranks, ascending.
    place: Vec<u16>,
    /// Where the cells of a category begin, and how many kicker sets it has.
    base: [(usize, usize); 9],
    /// Ordinal of a cell; 0 where no hand is.
    ordinal: Vec<u16>,
}

/// 1 to 7,462.
pub(super) fn of(high: High) -> u16 {
    static ORDINALS: OnceLock<Ordinals> = OnceLock::new();
    let ordinals = ORDINALS.get_or_init(Ordinals::build);
    ordinals.ordinal[ordinals.cell(high)]
}

impl Ordinals {
    fn build() -> Ordinals {
        let mut place = vec![0u16; 1 << 13];
        let mut sizes = [0u16; 14];
        for mask in 0..1u32 << 13 {
            let size = &mut sizes[mask.count_ones() as usize];
            place[mask as usize] = *size;
            *size += 1;
        }
        let mut base = [(0, 0); 9];
        let mut cells = 0;
        for (entry, (leading, kickers)) in base.iter_mut().zip(SHAPES) {
            *entry = (cells, usize::from(sizes[kickers as usize]));
            cells += usize::from(sizes[leading as usize]) * entry.1;
        }
        let mut ordinals = Ordinals { place, base, ordinal: vec![0; cells] };
        let hands = every_hand();
        assert_eq!(hands.len(), CLASSES_FIVE, "the distinct hands of five cards are known");
        for (number, high) in (1..).zip(hands) {
            let cell = ordinals.cell(high);
            ordinals.ordinal[cell] = number;
        }
        ordinals
    }

    fn cell(&self, high: High) -> usize {
        let (base, width) = self.base[high.kind()];
        let leading = usize::from(self.place[high.leading() as usize]);
        let kickers = usize::from(self.place[high.kickers() as usize]);
        base + leading * width + kickers
    }
}

/// Every distinct hand of five cards, the weakest first.
fn every_hand() -> Vec<High> {
    let sets = |size: u32| (0..1u32 << 13).filter(move |mask| mask.count_ones() == size);
    let straights = [1u32 << 12 | 0xf].into_iter().chain((0..9).map(|low| 0x1f << low));
    let is_straight = |mask: u32| straights.clone().any(|straight| straight == mask);
    let mut hands = Vec::with_capacity(CLASSES_FIVE);
    for (kind, (leading, kickers)) in (0u32..).zip(SHAPES) {
        for first in sets(leading) {
            let possible = !matches!(kind, 4 | 8) || first >= 1 << 3;
            let others = sets(kickers).filter(|&second| possible && first & second == 0);
            hands.extend(
                others
                    .filter(|&second| kickers != 5 || !is_straight(second))
                    .map(|second| High(kind << KIND_SHIFT | first << LEADING_SHIFT | second)),
            );
        }
    }
    hands
}
