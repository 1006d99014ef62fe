//! Bit planes: how often each value is in a row of many blocks, by minterms and popcounts.

use bytemuck::cast;

use deckproof_deck::deck::block::{BLOCK_HANDS, EMPTY_LANE, Row};

/// Blocks whose bits fill a byte.
const GROUP: usize = 8;

/// Groups that are counted together.
const GROUPS: usize = 8;

/// Most blocks counted together: 64.
pub(in crate::battery) const BLOCKS: usize = GROUP * GROUPS;

/// A row as words of eight bytes.
type Words = [u64; BLOCK_HANDS / 8];

/// Where the low three bits and the high three bits of the values of one row are what: a value is the
/// conjunction of one of each.
#[derive(Default)]
pub(in crate::battery) struct Minterms {
    pub(super) low: [Bits; 8],
    pub(super) high: [Bits; 8],
}

/// A bit for each of 64 values of 64 blocks.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Bits(pub(super) [Row; GROUPS]);

impl Default for Bits {
    fn default() -> Bits {
        Bits([[0; BLOCK_HANDS]; GROUPS])
    }
}

impl Minterms {
    /// Takes one row of each of at most 64 blocks, as many in each call. Bits 6 and 7 of the values are not
    /// looked at.
    #[inline(always)]
    pub(super) fn read<Block>(&mut self, blocks: &[Block], row_of: impl Fn(&Block) -> &Row) {
        // Groups without blocks have no bit at all, whatever was read before.
        let groups = blocks.len().div_ceil(GROUP);
        self.low.iter_mut().for_each(|bits| bits.0[groups..].fill([0; BLOCK_HANDS]));
        for (group, blocks) in blocks.chunks(GROUP).enumerate().take(GROUPS) {
            let mut rows = [cast::<Row, Words>([EMPTY_LANE; BLOCK_HANDS]); GROUP];
            for (row, block) in rows.iter_mut().zip(blocks) {
                *row = cast(*row_of(block));
            }
            let (low, high) = minterms(&rows);
            for (bits, words) in self.low.iter_mut().zip(low) {
                bits.0[group] = cast(words);
            }
            for (bits, words) in self.high.iter_mut().zip(high) {
                bits.0[group] = cast(words);
            }
        }
    }

    /// How often the value, below 63, was read; blocks that are missing are of value 63.
    #[inline(always)]
    pub(super) fn count(&self, value: usize) -> u64 {
        let [even, odd] = self.count_by_lane(value);
        even + odd
    }

    /// The same in even and in odd lanes.
    #[inline(always)]
    pub(super) fn count_by_lane(&self, value: usize) -> [u64; 2] {
        both(&self.low[value % 8].0, &self.high[value / 8].0)
    }
}

/// Transposes the 8×8 bits that stand behind one another in eight rows, so that bit k of plane b is bit b of
/// row k (delta swaps: Warren 2012, "Hacker's Delight", section 7-3), and multiplies the planes out.
///
/// One loop over the words with nothing but single words inside: arrays of rows would be taken apart.
#[inline(always)]
fn minterms(rows: &[Words; GROUP]) -> ([Words; 8], [Words; 8]) {
    let mut low: [Words; 8] = Default::default();
    let mut high: [Words; 8] = Default::default();
    for word in 0..BLOCK_HANDS / 8 {
        let [a, b, c, d, e, f, g, h] = std::array::from_fn(|row| rows[row][word]);
        let [(a, e), (b, f), (c, g), (d, h)] =
            [(a, e), (b, f), (c, g), (d, h)].map(|pair| exchange(pair, 4, 0x0f0f_0f0f_0f0f_0f0f));
        let [(a, c), (b, d), (e, _), (f, _)] =
            [(a, c), (b, d), (e, g), (f, h)].map(|pair| exchange(pair, 2, 0x3333_3333_3333_3333));
        let [(a, b), (c, d), (e, f)] =
            [(a, b), (c, d), (e, f)].map(|pair| exchange(pair, 1, 0x5555_5555_5555_5555));
        for (value, product) in products(a, b, c).into_iter().enumerate() {
            low[value][word] = product;
        }
        for (value, product) in products(d, e, f).into_iter().enumerate() {
            high[value][word] = product;
        }
    }
    (low, high)
}

#[inline(always)]
fn exchange((front, behind): (u64, u64), step: u32, kept: u64) -> (u64, u64) {
    let changed = (front >> step ^ behind) & kept;
    (front ^ changed << step, behind ^ changed)
}

/// Where three planes, the lowest first, spell 0, 1, …, 7.
#[inline(always)]
fn products(ones: u64, twos: u64, fours: u64) -> [u64; 8] {
    let [zero, one, two, three] = [!(ones | twos), ones & !twos, twos & !ones, ones & twos];
    [
        zero & !fours,
        one & !fours,
        two & !fours,
        three & !fours,
        zero & fours,
        one & fours,
        two & fours,
        three & fours,
    ]
}

/// How often both hold, in even and in odd lanes. Bits are counted byte by byte: eight groups make at most 64 a byte.
#[inline(always)]
fn both(low: &[Row; GROUPS], high: &[Row; GROUPS]) -> [u64; 2] {
    let mut sums = [0u8; BLOCK_HANDS];
    for (low, high) in low.iter().zip(high) {
        for lane in 0..BLOCK_HANDS {
            sums[lane] += (low[lane] & high[lane]).count_ones() as u8;
        }
    }
    totals(cast(sums))
}

/// The sums of the even and of the odd bytes, each byte at most 64: sums of two bytes side by side, then one
/// product that adds them in its highest quarter.
#[inline(always)]
fn totals(words: Words) -> [u64; 2] {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let (mut even, mut odd) = (0, 0);
    for word in words.map(u64::from_le) {
        even += word & EVEN;
        odd += word >> 8 & EVEN;
    }
    [even, odd].map(|sums: u64| sums.wrapping_mul(0x0001_0001_0001_0001) >> 48)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The way of processors without byte permutes, whatever this one takes.
    #[test]
    fn values_are_counted_whatever_was_read_before() {
        let mut minterms = Minterms::default();
        for blocks in [64, 3, 17, 0, 9] {
            let value = |block: usize, lane: usize| (5 * block + 3 * lane + block * lane) % 64;
            let rows: Vec<Row> =
                (0..blocks).map(|block| std::array::from_fn(|lane| value(block, lane) as u8)).collect();
            minterms.read(&rows, |row| row);
            for wanted in 0..63 {
                let lanes = |first: usize| {
                    let own = rows.iter().flat_map(move |row| row.iter().skip(first).step_by(2));
                    own.filter(|&&value| usize::from(value) == wanted).count() as u64
                };
                let found = [minterms.count_by_lane(wanted), [minterms.count(wanted), 0]];
                assert_eq!(
                    found,
                    [[lanes(0), lanes(1)], [lanes(0) + lanes(1), 0]],
                    "{wanted} in {blocks} blocks"
                );
            }
        }
    }
}
