//! Rank masks to strength without a branch: the same lines serve one hand and sixty-four.

/// Where the category of a strength begins.
pub(super) const KIND_SHIFT: u32 = 26;
/// Where the leading ranks of a strength begin.
pub(super) const LEADING_SHIFT: u32 = 13;

/// Ranks by how often they occur in a set of cards.
pub(in crate::stud) struct Multiples {
    /// Ranks that occur at all.
    pub any: u32,
    /// Ranks that occur exactly twice.
    pub pairs: u32,
    /// Ranks that occur exactly three times.
    pub trips: u32,
    /// Ranks that occur four times.
    pub quads: u32,
}

/// Sorts the ranks of four suits by how often they occur.
#[inline(always)]
pub(in crate::stud) fn multiples([c, d, h, s]: [u32; 4]) -> Multiples {
    let odd = c ^ d ^ h ^ s;
    let quads = c & d & h & s;
    let twice = (c & d) | (h & s) | ((c | d) & (h | s));
    Multiples { any: c | d | h | s, pairs: twice & !odd & !quads, trips: twice & odd, quads }
}

/// The strength of the best five by pairs, trips and quads alone; `spare` is the number of cards
/// above five.
///
/// A hand has one leading set (quads, the higher trips, up to two pairs) and kickers; whichever
/// category wins, exactly `spare` low kickers fall away, so no kicker has to be counted.
#[inline(always)]
pub(super) fn multiple_value(of: &Multiples, spare: u32) -> u32 {
    let third_pair = without_lowest(without_lowest(of.pairs)) != 0;
    let pairs = if third_pair { without_lowest(of.pairs) } else { of.pairs };
    let lower_trips = without_lowest(of.trips);
    let trips = if lower_trips != 0 { lower_trips } else { of.trips };
    let filling = (of.trips ^ trips) | of.pairs;
    let full = (trips != 0) & (filling != 0);
    let two_pair = without_lowest(pairs) != 0;

    let upper = if trips != 0 { trips } else { pairs };
    let leading = if of.quads != 0 { of.quads } else { upper };
    let by_pairs = u32::from(pairs != 0) + u32::from(two_pair);
    let by_trips = if full { 6 } else { 3 };
    let kind = if trips != 0 { by_trips } else { by_pairs };
    let kind = if of.quads != 0 { 7 } else { kind };
    let one_kicker = (of.quads != 0) | full | ((trips == 0) & two_pair);
    let others = if full { filling } else { of.any ^ leading };
    let kickers = if one_kicker { highest(others) } else { without_lowest_of(others, spare) };
    kind << KIND_SHIFT | leading << LEADING_SHIFT | kickers
}

/// The strength of the best five when the flush suit (five or more cards, or 0) and straights count too.
#[inline(always)]
pub(super) fn high_value(of: &Multiples, flush: u32, spare: u32) -> u32 {
    let flush_bottoms = straight_bottoms(flush);
    let bottoms = if flush_bottoms != 0 { flush_bottoms } else { straight_bottoms(of.any) };
    let kind = if flush_bottoms != 0 { 8 } else { 4 };
    let top = highest(bottoms) << 3;
    let straight = if bottoms != 0 { kind << KIND_SHIFT | top << LEADING_SHIFT } else { 0 };
    multiple_value(of, spare).max(straight).max(flush_value(flush, spare))
}

/// The strength of a flush, 0 without one.
#[inline(always)]
fn flush_value(flush: u32, spare: u32) -> u32 {
    if flush != 0 { 5 << KIND_SHIFT | top_five(flush, spare) } else { 0 }
}

/// Where straights begin, bit 0 being the ace below the two.
#[inline(always)]
pub(super) fn straight_bottoms(ranks: u32) -> u32 {
    let ranks = ranks << 1 | ranks >> 12;
    let twos = ranks & ranks >> 1;
    twos & twos >> 2 & ranks >> 4
}

/// The five highest ranks of five to `5 + spare`.
#[inline(always)]
fn top_five(ranks: u32, spare: u32) -> u32 {
    let mut kept = ranks;
    for _ in 0..spare {
        kept = if kept.count_ones() > 5 { without_lowest(kept) } else { kept };
    }
    kept
}

/// The highest bit alone, or 0; by smearing, which vector units without a leading-zero count also do.
#[inline(always)]
fn highest(bits: u32) -> u32 {
    let mut smeared = bits;
    smeared |= smeared >> 1;
    smeared |= smeared >> 2;
    smeared |= smeared >> 4;
    smeared |= smeared >> 8;
    smeared ^ smeared >> 1
}

/// All bits but the lowest.
#[inline(always)]
pub(in crate::stud) fn without_lowest(bits: u32) -> u32 {
    bits & bits.wrapping_sub(1)
}

/// All bits but the `count` lowest; `count` is at most 2.
#[inline(always)]
fn without_lowest_of(bits: u32, count: u32) -> u32 {
    let once = if count > 0 { without_lowest(bits) } else { bits };
    if count > 1 { without_lowest(once) } else { once }
}
