//! Sorting fingerprints: they are spread evenly, so that digits of their first bits find most of the order.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Values of a digit of eight bits.
const DIGITS: usize = 1 << 8;

/// Below so many entries the passes over the digits cost more than comparing.
const PASSES_MIN: usize = 1 << 10;

/// Sorts entries whose `zeros` highest bits are zero; right for any, fast for those that are spread evenly over the rest.
///
/// One pass in place parts them by the first digit (McIlroy, Bostic and McIlroy 1993, "Engineering Radix
/// Sort"), for a second copy of everything would not fit the memory an audit may take. Each part lies in the
/// cache and is sorted by its next two digits with a copy, on every idle thread: the views fill at different
/// moments, and one would wait for the other. What is still equal then is compared.
pub(super) fn sort(entries: &mut [u128], zeros: u32) {
    let shift = (u128::BITS - 8).saturating_sub(zeros);
    if entries.len() < PASSES_MIN || shift < 16 {
        return entries.sort_unstable();
    }
    // A part that holds far more than its share is not spread, and its copy might not fit.
    let share = entries.len() / 16;
    parts_by_digit(entries, shift)
        .into_par_iter()
        .for_each(|part| if part.len() > share { part.sort_unstable() } else { sort_part(part, shift) });
}

fn digit(entry: u128, shift: u32) -> usize {
    (entry >> shift) as usize % DIGITS
}

/// How many entries have a smaller digit.
fn starts(entries: &[u128], shift: u32) -> [usize; DIGITS] {
    let mut starts = [0; DIGITS];
    for &entry in entries {
        starts[digit(entry, shift)] += 1;
    }
    let mut before = 0;
    for start in &mut starts {
        before += std::mem::replace(start, before);
    }
    starts
}

/// Moves every entry to the part of its digit.
fn parts_by_digit(entries: &mut [u128], shift: u32) -> Vec<&mut [u128]> {
    let starts = starts(entries, shift);
    let end = |part: usize| starts.get(part + 1).copied();
    let mut next = starts;
    for part in 0..DIGITS {
        while next[part] < end(part).unwrap_or(entries.len()) {
            // What lies here goes to its part, what lay there to its own, until one belongs here.
            let mut entry = entries[next[part]];
            while digit(entry, shift) != part {
                let place = &mut next[digit(entry, shift)];
                std::mem::swap(&mut entry, &mut entries[*place]);
                *place += 1;
            }
            entries[next[part]] = entry;
            next[part] += 1;
        }
    }
    let mut rest = entries;
    let sizes = (0..DIGITS).map(|part| end(part).map(|end| end - starts[part]));
    let part_of = |size: Option<usize>| {
        let whole = std::mem::take(&mut rest);
        let (part, behind) = whole.split_at_mut(size.unwrap_or(whole.len()));
        rest = behind;
        part
    };
    sizes.map(part_of).collect()
}

/// Sorts entries that are alike from bit `shift` on.
fn sort_part(part: &mut [u128], shift: u32) {
    if part.len() < PASSES_MIN {
        return part.sort_unstable();
    }
    let mut copy = vec![0; part.len()];
    scatter(part, &mut copy, shift - 16);
    scatter(&copy, part, shift - 8);
    for alike in part.chunk_by_mut(|a, b| a >> (shift - 16) == b >> (shift - 16)) {
        if alike.len() > 1 {
            alike.sort_unstable();
        }
    }
}

/// Sorts by one digit and leaves those of one digit in their order.
fn scatter(from: &[u128], to: &mut [u128], shift: u32) {
    let mut next = starts(from, shift);
    for &entry in from {
        let place = &mut next[digit(entry, shift)];
        to[*place] = entry;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::keystream::Keystream;

    fn entries(seed: u8, n: usize) -> Vec<u128> {
        let mut keystream = Keystream::new(&[seed; 32], 0);
        let mut entry = || (0..4).fold(0u128, |entry, _| entry << 32 | u128::from(keystream.word()));
        (0..n).map(|_| entry()).collect()
    }

    fn check(entries: &[u128], zeros: u32) {
        let (mut sorted, mut wanted) = (entries.to_vec(), entries.to_vec());
        sort(&mut sorted, zeros);
        wanted.sort_unstable();
        assert!(sorted == wanted, "{} entries, {zeros} zeros", entries.len());
    }

    #[test]
    fn sorts_as_comparing_does() {
        for n in [0, 1, 2, 1023, 1024, 5000, 300_000] {
            let entries = entries(1, n);
            for zeros in [0, 1, 7, 96, 104, 105, 111, 120, 127] {
                check(&entries.iter().map(|entry| entry >> zeros).collect::<Vec<_>>(), zeros);
            }
        }
    }

    #[test]
    fn sorts_what_is_not_spread_at_all() {
        let copies = vec![u128::MAX; 5000];
        check(&copies, 0);
        let one_part: Vec<u128> = entries(2, 50_000).iter().map(|entry| entry >> 9 | 0xab << 120).collect();
        check(&one_part, 0);
        let low_bits: Vec<u128> = entries(3, 50_000).iter().map(|entry| entry >> 40).collect();
        check(&low_bits, 0);
        let ascending: Vec<u128> = (0..50_000u128).collect();
        check(&ascending, 0);
    }
}
