//! How often each value is in a row of many blocks: bit planes, minterms, population counts.

#[cfg(target_arch = "x86_64")]
pub(super) mod wide;

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::battery::kernel::planes::{BLOCKS, Minterms};
use deckproof_deck::deck::block::{EMPTY_LANE, Row};

/// Values of cards and symbols, in eights.
pub(in crate::battery) const VALUES: usize = 56;

/// The most values that are counted: all but what an empty lane holds.
const VALUES_MAX: usize = EMPTY_LANE as usize;

/// Adds how often each value, from 0, is in one row of each of at most 64 blocks; as many values as there are counts,
/// at most 63. Others are skipped. What stood in `minterms` before does not matter: they are room that serves many rows.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni",
    "x86_64+avx512f+avx512bw+avx512vl+avx512bitalg",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub(in crate::battery) fn value_counts<Block>(
    minterms: &mut Minterms,
    blocks: &[Block],
    row_of: impl Fn(&Block) -> &Row,
    counts: &mut [u64],
) {
    assert!(
        blocks.len() <= BLOCKS && counts.len() <= VALUES_MAX,
        "at most 64 blocks and 63 values at a time"
    );
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => wide::value_counts(minterms, blocks, row_of, counts),
        _ => {
            minterms.read(blocks, row_of);
            counts.iter_mut().enumerate().for_each(|(value, count)| *count += minterms.count(value));
        }
    }
}

/// The same of even and of odd lanes apart.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni",
    "x86_64+avx512f+avx512bw+avx512vl+avx512bitalg",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub(super) fn value_counts_by_lane<Block>(
    minterms: &mut Minterms,
    blocks: &[Block],
    row_of: impl Fn(&Block) -> &Row,
    even: &mut [u64; VALUES],
    odd: &mut [u64; VALUES],
) {
    assert!(blocks.len() <= BLOCKS, "at most 64 blocks at a time");
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => wide::value_counts_by_lane(minterms, blocks, row_of, even, odd),
        _ => {
            minterms.read(blocks, row_of);
            for (value, (even, odd)) in even.iter_mut().zip(odd).enumerate() {
                let counted = minterms.count_by_lane(value);
                *even += counted[0];
                *odd += counted[1];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::deck::block::BLOCK_HANDS;

    #[test]
    fn values_below_the_number_of_counts_are_counted_and_no_others() {
        // What was read before, of more blocks or of fewer, does not show.
        let mut minterms = Minterms::default();
        for (blocks, values) in [(64, 63), (9, 53), (63, 56), (8, 52), (7, 8), (1, 1), (0, 56), (64, 56)] {
            let value = |block: usize, lane: usize| (31 * block * block + 7 * lane + block * lane) % 64;
            let rows: Vec<Row> =
                (0..blocks).map(|block| std::array::from_fn(|lane| value(block, lane) as u8)).collect();
            let mut counts: Vec<u64> = (0..values as u64).collect();
            let mut expected = counts.clone();
            value_counts(&mut minterms, &rows, |row: &Row| row, &mut counts);
            for value in
                rows.iter().flatten().map(|&value| usize::from(value)).filter(|&value| value < values)
            {
                expected[value] += 1;
            }
            assert_eq!(counts, expected, "{blocks} blocks, {values} values");
        }
        let mut counts = [0; VALUES_MAX];
        value_counts(&mut minterms, &[[EMPTY_LANE; BLOCK_HANDS]], |row: &Row| row, &mut counts);
        assert_eq!(counts, [0; VALUES_MAX]);
    }
}
