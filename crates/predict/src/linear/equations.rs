//! What is known of an output, as sums of its bits.

use crate::mapping::Known;

/// The parity of some bits of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parity {
    /// Which bits.
    pub mask: u64,
    /// Whether an odd number of them is set.
    pub is_odd: bool,
}

/// Bits looked at beyond those that an interval fixes: an interval about a half fixes how its bits differ.
const BITS_BEYOND: u32 = 3;

/// Every sum of bits that what is known determines for sure.
pub fn parities(known: Known) -> Vec<Parity> {
    match known {
        Known::Nothing => Vec::new(),
        Known::Residue { drop, modulus, value } => {
            let bit = |at: u32| Parity { mask: 1 << (drop + at), is_odd: value >> at & 1 == 1 };
            (0..modulus.trailing_zeros()).map(bit).collect()
        }
        Known::Within { top, low, high } => {
            let bits = ((high - low).leading_zeros() + BITS_BEYOND).min(top + 1).min(20);
            let cells = (low >> (64 - bits))..=(high >> (64 - bits));
            let shift = top + 1 - bits;
            let own = affine_hull(cells, bits);
            own.into_iter().map(|parity| Parity { mask: parity.mask << shift, ..parity }).collect()
        }
    }
}

/// The sums that are constant over all cells: what is orthogonal to the differences.
fn affine_hull(mut cells: impl Iterator<Item = u64>, bits: u32) -> Vec<Parity> {
    let Some(first) = cells.next() else { return Vec::new() };
    // Differences, reduced so that each leading bit is in one of them alone.
    let mut span: Vec<u64> = Vec::new();
    for cell in cells {
        let reduced = span.iter().fold(cell ^ first, |rest, own| rest.min(rest ^ own));
        if reduced != 0 {
            let lead = 1 << reduced.ilog2();
            span.iter_mut().filter(|own| **own & lead != 0).for_each(|own| *own ^= reduced);
            span.push(reduced);
            span.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
    let leads = span.iter().fold(0u64, |set, own| set | 1 << own.ilog2());
    let free = (0..bits).filter(|bit| leads >> bit & 1 == 0);
    free.map(|bit| {
        let others = span.iter().filter(|own| **own >> bit & 1 == 1).map(|own| 1u64 << own.ilog2());
        let mask = others.fold(1u64 << bit, |mask, lead| mask | lead);
        Parity { mask, is_odd: (mask & first).count_ones() & 1 == 1 }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: a draw of 0 below 4 is 00…; 1 below 3 lies about a half, which fixes nothing;
    /// within 1/64 of a half six bits are 011111 or 100000: five sums.
    #[test]
    fn intervals_fix_sums_of_bits() {
        let quarter = parities(Known::Within { top: 63, low: 0, high: (1 << 62) - 1 });
        assert_eq!(quarter.len(), 2);
        assert!(quarter.iter().all(|parity| !parity.is_odd && parity.mask.count_ones() == 1));
        let about_half =
            parities(Known::Within { top: 63, low: (1 << 63) - (1 << 58), high: (1 << 63) + (1 << 58) - 1 });
        assert_eq!(about_half.len(), 5);
        for output in [(1u64 << 63) - (1 << 58), (1 << 63) - 1, 1 << 63, (1 << 63) + (1 << 57)] {
            let holds = |parity: &Parity| ((parity.mask & output).count_ones() & 1 == 1) == parity.is_odd;
            assert!(about_half.iter().all(holds), "{output:x}");
        }
    }

    #[test]
    fn residues_fix_the_low_bits_of_even_ranges() {
        let of = |modulus| parities(Known::Residue { drop: 0, modulus, value: 3 }).len();
        assert_eq!((of(51), of(52), of(50), of(48)), (0, 2, 1, 4));
    }
}
