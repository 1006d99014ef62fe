//! Raw output of a generator: the words behind decks, counted and judged by exact distributions. In a project they are those of
//! the certified generator; [`customer`] reads those of any other from a file.
//!
//! The bits are independent and fair under the null, so that each count is binomial: ones among all bits; changes from
//! one bit to the next; ones in the exclusive or of neighbouring words; ones at each of the bits of a word; and the 256 bytes have Pearson's
//! χ² with 255 degrees of freedom. The counts of the health tests of SP 800-90B, 4.4.1 and 4.4.2, stand beside them. This is a check of
//! the collector and of gross faults; what a regulator calls raw-output tests is made by other programs on the words that
//! `deckproof stream` writes.

pub mod customer;

use serde::{Deserialize, Serialize};

use crate::project::frozen::FrozenRaw;
use crate::project::settings::supplied::ByteOrder;
use deckproof_audit::audit::verdict::{
    Families, Finding, Rule, Verdict, families_of, final_verdict, judge, judge_repeat,
};
use deckproof_audit::collection::words;
use deckproof_deck::key::AuditKey;
use deckproof_stats::battery::Tail;
use deckproof_stats::math::{binomial, bonferroni, chi_squared};

/// The version of the record.
pub const RAW_FORMAT: &str = "deckproof/raw-output/v1";

/// As for decks: family p-values below this are not a pass.
const LEVEL: f64 = 0.01;
/// Family p-values below this are a fail at once.
const LEVEL_FAIL: f64 = 1e-6;
/// Fewer words of 32 bits than this, or as many bits in other words, are too few for a pass.
pub const WORDS_MIN: u64 = 100_000;
/// Bits of a word of the certified generator.
const WORD_BITS: usize = 32;
/// Bits that are enough for a pass.
const BITS_MIN: u64 = WORDS_MIN * WORD_BITS as u64;
/// So many words in which a bit is never set show that it is none: by chance once in 2^64 times.
const FILLED_WORDS_MIN: u64 = 64;
/// Bits of the numbers that languages and devices give, where words are wider: rand(), nextInt(), random(), fractions.
const FILLED_BITS: [usize; 11] = [15, 16, 24, 30, 31, 32, 48, 52, 53, 62, 63];
/// How many times the words of the first look the repeat has.
const REPEAT_FACTOR: u64 = 4;
/// Window of the adaptive proportion test on bytes (SP 800-90B, 4.4.2).
const WINDOW: usize = 512;

/// The counts of an item's raw output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawRecord {
    /// [`RAW_FORMAT`].
    pub format: String,
    /// The item.
    pub item: String,
    /// The audit key.
    pub key: String,
    /// From the first word on.
    pub first: RawCounts,
    /// The next words, if the first look asks for a repeat.
    pub repeat: Option<RawCounts>,
}

/// What is counted of some words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawCounts {
    /// How many words; of 32 bits in a project.
    pub words: u64,
    /// Ones at each bit of a word, the least significant first.
    pub ones: Vec<u64>,
    /// Neighbouring bits that differ, words one after the other, the most significant bit of each byte first; bytes as they
    /// stand in the file, in a project the least significant byte of each word first.
    pub changes: u64,
    /// Ones in the exclusive or of each word with the next.
    pub ones_of_differences: u64,
    /// How often each byte came.
    pub bytes: Vec<u64>,
    /// The longest run of equal bytes.
    pub longest_run: u64,
    /// The most of the first byte in any window of 512 bytes.
    pub most_in_window: u64,
}

/// One p-value of raw output.
#[derive(Clone, PartialEq, Debug)]
pub struct RawTest {
    /// Its id in tables.
    pub id: &'static str,
    /// What it counts, and of how many.
    pub count: u64,
    /// How many it could be; 0 where the score is no count.
    pub of: u64,
    /// The score, where it is no count.
    pub score: f64,
    /// Two-sided p-value.
    pub p_value: f64,
    /// How far it can be trusted.
    pub tail: Tail,
}

/// What the raw output of an item says.
pub struct RawJudgement {
    /// The verdict: that of the repeat, if there was one.
    pub verdict: Verdict,
    /// The family p-value of the look that decides.
    pub family_p_value: f64,
    /// The tests of the look that decides.
    pub tests: Vec<RawTest>,
}

/// Counts the raw output of an item, with the repeat where the first look asks for it.
pub fn count(asked: &FrozenRaw, key: &AuditKey) -> RawRecord {
    let mut all = words(key);
    let first = RawCounts::of(all.by_ref().take(asked.words as usize));
    let is_asked = first.judge().verdict == Verdict::Investigate;
    let repeat = is_asked.then(|| RawCounts::of(all.take((asked.words * REPEAT_FACTOR) as usize)));
    RawRecord {
        format: RAW_FORMAT.to_owned(),
        item: asked.item.clone(),
        key: asked.key.clone(),
        first,
        repeat,
    }
}

impl RawRecord {
    /// What contradicts itself, or is not what was asked; `None` for a sound record.
    pub fn fault(&self, asked: &FrozenRaw) -> Option<String> {
        if self.format != RAW_FORMAT || self.key != asked.key || self.item != asked.item {
            return Some("it is not of this item, key or format".to_owned());
        }
        let looks = [(Some(&self.first), asked.words), (self.repeat.as_ref(), asked.words * REPEAT_FACTOR)];
        for (counts, wanted) in looks {
            if let Some(fault) = counts.and_then(|counts| counts.fault(wanted, WORD_BITS as u64)) {
                return Some(fault);
            }
        }
        let is_asked = self.first.judge().verdict == Verdict::Investigate;
        (is_asked != self.repeat.is_some())
            .then(|| "a repeat is due exactly where the first look says investigate".to_owned())
    }

    /// Judges it.
    pub fn judge(&self) -> RawJudgement {
        let first = self.first.judge();
        let Some(repeat) = &self.repeat else { return first };
        let tests = repeat.tests();
        let (findings, families) = findings(&tests);
        let judgement = judge_repeat(LEVEL, false, &findings, &families);
        let verdict = final_verdict(first.verdict, Some(judgement.verdict), self.words() >= WORDS_MIN);
        RawJudgement { verdict, family_p_value: judgement.family_p_value, tests }
    }

    /// The family p-value of the first look.
    pub fn first_look_p_value(&self) -> f64 {
        self.first.judge().family_p_value
    }

    /// The family p-value of the first look, where a repeat decides.
    pub fn first_family_p_value(&self) -> Option<f64> {
        self.repeat.as_ref().map(|_| self.first_look_p_value())
    }

    /// How many words were counted.
    pub fn words(&self) -> u64 {
        self.first.words + self.repeat.as_ref().map_or(0, |repeat| repeat.words)
    }
}

/// Each test is a family of its own.
fn findings(tests: &[RawTest]) -> (Vec<Finding>, Families) {
    let finding = |test: &RawTest| {
        let p_value_convicting = if test.tail.may_convict() { test.p_value } else { 1.0 };
        Finding { family: test.id, p_value: test.p_value, p_value_convicting }
    };
    let findings: Vec<Finding> = tests.iter().map(finding).collect();
    let families = families_of(&findings);
    (findings, families)
}

impl RawCounts {
    fn of(words: impl Iterator<Item = u32>) -> RawCounts {
        let (mut counts, mut walk) = (RawCounts::none(WORD_BITS), Walk::default());
        words.for_each(|word| counts.add::<WORD_BITS>(&mut walk, u64::from(word), ByteOrder::Little));
        counts
    }

    /// Of no word of so many bits.
    fn none(word_bits: usize) -> RawCounts {
        RawCounts {
            words: 0,
            ones: vec![0; word_bits],
            changes: 0,
            ones_of_differences: 0,
            bytes: vec![0; 256],
            longest_run: 0,
            most_in_window: 0,
        }
    }

    /// Counts one word more, of 8, 16, 32 or 64 bits.
    #[inline]
    fn add<const BITS: usize>(&mut self, walk: &mut Walk, word: u64, order: ByteOrder) {
        self.words += 1;
        self.ones.iter_mut().zip(0..BITS).for_each(|(ones, bit)| *ones += word >> bit & 1);
        if let Some(before) = walk.word.replace(word) {
            self.ones_of_differences += u64::from((word ^ before).count_ones());
        }
        // As a stream of bits: bytes in their order, bits of a byte from the most significant.
        let stream = match order {
            ByteOrder::Little => word.swap_bytes() >> (u64::BITS as usize - BITS),
            ByteOrder::Big => word,
        };
        let within = u64::MAX >> (u64::BITS as usize - BITS) >> 1;
        self.changes += u64::from(((stream ^ stream >> 1) & within).count_ones());
        if let Some(last) = walk.bit.replace(stream & 1) {
            self.changes += u64::from(last != stream >> (BITS - 1));
        }
        (0..BITS).step_by(8).rev().for_each(|shift| walk.step((stream >> shift) as u8, self));
    }

    /// Bits of a word.
    pub fn word_bits(&self) -> u64 {
        self.ones.len() as u64
    }

    /// How many bits were counted.
    pub fn bits(&self) -> u64 {
        self.words * self.word_bits()
    }

    /// What one look at them says.
    pub fn judge(&self) -> RawJudgement {
        let tests = self.tests();
        let (findings, families) = findings(&tests);
        let rule = Rule { level: LEVEL, level_fail: LEVEL_FAIL, decks_min: BITS_MIN };
        let judgement = judge(&rule, false, self.bits(), &findings, &families);
        let verdict = match self.filled() {
            // Numbers of fewer bits are no fault of a generator, and counts of whole words say nothing of them.
            Some(ones) if FILLED_BITS.contains(&ones.len()) && self.filled_p_value(&ones) >= LEVEL_FAIL => {
                Verdict::Inconclusive
            }
            _ => judgement.verdict,
        };
        RawJudgement { verdict, family_p_value: judgement.family_p_value, tests }
    }

    /// How many bits of a word are filled, where those at one end of it never are.
    pub fn filled_bits(&self) -> Option<u64> {
        self.filled().map(|ones| ones.len() as u64)
    }

    /// Ones at each bit that is filled, where those at one end of a word, in its byte order or the other, never are.
    fn filled(&self) -> Option<Vec<u64>> {
        let width = self.ones.len();
        let other = (0..width).map(|place| self.ones[width - 8 - place / 8 * 8 + place % 8]);
        let of_order = |ones: Vec<u64>| {
            let is_set = |ones: &u64| *ones > 0;
            let (first, end) = (ones.iter().position(is_set)?, ones.iter().rposition(is_set)? + 1);
            ((first == 0) != (end == width)).then(|| ones[first..end].to_vec())
        };
        let found = of_order(self.ones.clone()).or_else(|| of_order(other.collect()));
        found.filter(|_| self.words >= FILLED_WORDS_MIN)
    }

    /// Ones, ones of differences and the oddest place, counted over the filled bits of a word: what is wrong there is no matter of width.
    fn filled_p_value(&self, filled: &[u64]) -> f64 {
        let bits = filled.len() as u64;
        let p_value = |of: u64, count: u64| binomial::p_value(of, 0.5, count);
        let places = filled.iter().map(|&ones| p_value(self.words, ones));
        let ones = p_value(self.words * bits, self.ones.iter().sum());
        let differences = p_value((self.words - 1) * bits, self.ones_of_differences);
        bonferroni(3.0, ones.min(differences).min(bonferroni(bits as f64, places.fold(1.0, f64::min))))
    }

    /// What contradicts so many words of so many bits.
    pub(super) fn fault(&self, wanted: u64, word_bits: u64) -> Option<String> {
        let Some(bits) = self.words.checked_mul(word_bits) else {
            return Some(format!("words is not of {wanted} words"));
        };
        let is_counted = |ones: &[u64]| ones.len() as u64 == word_bits;
        let sums = [
            ("words", self.words == wanted),
            ("ones", is_counted(&self.ones) && self.ones.iter().all(|&ones| ones <= self.words)),
            ("changes", self.changes < bits.max(1)),
            ("ones_of_differences", self.ones_of_differences <= bits),
            ("bytes", self.bytes.len() == 256 && checked_sum(&self.bytes) == Some(bits / 8)),
            ("longest_run", self.longest_run <= bits / 8),
            ("most_in_window", self.most_in_window <= WINDOW as u64),
        ];
        if let Some((name, _)) = sums.into_iter().find(|(_, is_sound)| !is_sound) {
            return Some(format!("{name} is not of {wanted} words"));
        }
        // Bytes and bits are two counts of the same words.
        let by_bytes: u64 = (0u32..).zip(&self.bytes).map(|(byte, n)| u64::from(byte.count_ones()) * n).sum();
        (checked_sum(&self.ones) != Some(by_bytes)).then(|| "ones and bytes count other bits".to_owned())
    }

    /// The bit whose number of ones is the farthest from half of the words; the least significant is 0.
    pub fn oddest_place(&self) -> usize {
        let distance = |&place: &usize| (2 * self.ones[place]).abs_diff(self.words);
        (0..self.ones.len()).rev().max_by_key(distance).unwrap_or(0)
    }

    /// The tests, whichever way they end.
    pub fn tests(&self) -> Vec<RawTest> {
        let (bits, word_bits) = (self.bits(), self.word_bits());
        if self.words < 2 {
            return Vec::new();
        }
        let exact = |id, count, of| RawTest {
            id,
            count,
            of,
            score: count as f64,
            p_value: binomial::p_value(of, 0.5, count),
            tail: Tail::Exact,
        };
        let ones: u64 = self.ones.iter().sum();
        let worst = self.ones[self.oddest_place()];
        let expected = (bits / 8) as f64 / 256.0;
        let score: f64 = self.bytes.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
        vec![
            exact("ones", ones, bits),
            exact("changes", self.changes, bits - 1),
            exact("differences", self.ones_of_differences, bits - word_bits),
            RawTest {
                id: "bit-places",
                count: worst,
                of: self.words,
                score: worst as f64,
                p_value: bonferroni(word_bits as f64, binomial::p_value(self.words, 0.5, worst)),
                tail: Tail::Bound,
            },
            RawTest {
                id: "bytes",
                count: 0,
                of: 0,
                score,
                p_value: chi_squared::p_value(255.0, score),
                tail: if expected >= 1000.0 { Tail::LargeExpectations } else { Tail::Asymptotic },
            },
        ]
    }
}

fn checked_sum(counts: &[u64]) -> Option<u64> {
    counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count))
}

/// What must be remembered from one byte to the next.
#[derive(Default)]
struct Walk {
    word: Option<u64>,
    bit: Option<u64>,
    byte: u8,
    run: u64,
    window: usize,
    window_byte: u8,
    in_window: u64,
}

impl Walk {
    fn step(&mut self, byte: u8, counts: &mut RawCounts) {
        counts.bytes[usize::from(byte)] += 1;
        self.run = if self.run > 0 && self.byte == byte { self.run + 1 } else { 1 };
        self.byte = byte;
        counts.longest_run = counts.longest_run.max(self.run);
        if self.window == 0 {
            (self.window_byte, self.in_window) = (byte, 0);
        }
        self.in_window += u64::from(byte == self.window_byte);
        self.window = (self.window + 1) % WINDOW;
        if self.window == 0 {
            counts.most_in_window = counts.most_in_window.max(self.in_window);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// The same counts from a text of zeros and ones, the slow way.
    fn check_by_text(words: &[u32]) {
        let counts = RawCounts::of(words.iter().copied());
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let text: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
        let changes = text.as_bytes().windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        assert_eq!(counts.changes, changes);
        assert_eq!(counts.ones.iter().sum::<u64>(), text.matches('1').count() as u64);
        let differing =
            words.windows(2).map(|pair| format!("{:b}", pair[0] ^ pair[1]).matches('1').count() as u64);
        assert_eq!(counts.ones_of_differences, differing.sum::<u64>());
        let longest = bytes.chunk_by(|a, b| a == b).map(|run| run.len() as u64).max();
        assert_eq!(Some(counts.longest_run), longest);
        let in_window = |window: &[u8]| window.iter().filter(|&&byte| byte == window[0]).count() as u64;
        assert_eq!(counts.most_in_window, bytes.chunks_exact(WINDOW).map(in_window).max().unwrap_or(0));
        assert_eq!(counts.fault(words.len() as u64, 32), None);
    }

    #[test]
    fn counts_are_those_of_the_text_of_bits() {
        let mut generator = ChaCha20Rng::seed_from_u64(5);
        for length in [1, 2, 127, 128, 129, 1_000] {
            let words: Vec<u32> = (0..length).map(|_| generator.next_u32()).collect();
            check_by_text(&words);
            // Long runs of equal bytes.
            check_by_text(&words.iter().map(|word| word & 0x0101_0000).collect::<Vec<_>>());
        }
    }

    /// The five p-values of words, by the same order as in tables.
    fn p_values(words: impl Iterator<Item = u32>) -> Vec<f64> {
        RawCounts::of(words).tests().iter().map(|test| test.p_value).collect()
    }

    #[test]
    fn each_test_sees_its_own_fault_and_a_fair_generator_has_none() {
        let fair = |seed| {
            let mut generator = ChaCha20Rng::seed_from_u64(seed);
            (0..200_000).map(move |_| generator.next_u32())
        };
        assert!(p_values(fair(1)).iter().all(|&p| p > 1e-4), "{:?}", p_values(fair(1)));
        let check = |test: usize, words: Vec<u32>| {
            let found = p_values(words.into_iter());
            assert!(found[test] < 1e-9, "{found:?}");
        };
        // A clear bit is set once in sixteen times.
        let once = |word: u32| word >> 3 & word >> 7 & word >> 11 & word >> 13 & 0x1111_1111;
        check(0, fair(2).map(|word| word | once(word)).collect());
        // Of two equal neighbours the second is turned, once in eight times.
        let equal = |word: u32| !(word ^ word >> 1) & word >> 9 & word >> 17 & word >> 21 & 0x1111_1111;
        check(1, fair(6).map(|word| word ^ equal(word) << 1).collect());
        // Each word is the one before it with an eighth of its bits turned.
        let walk = |last: &mut u32, word: u32| {
            *last ^= word & word >> 7 & word >> 5;
            Some(*last)
        };
        check(2, fair(3).scan(0, walk).collect());
        // One place of 32 has too few ones.
        check(3, fair(4).map(|word| word & !(1 << 9 & word >> 4 & word << 3)).collect());
        // The first byte of a word is never 7.
        let turned = |word: u32| word & 0xff == 7;
        check(4, fair(5).map(|word| if turned(word) { word ^ 1 } else { word }).collect());
    }

    #[test]
    fn a_record_that_contradicts_itself_is_found() {
        let asked = FrozenRaw { item: "main".to_owned(), key: "00".repeat(32), words: 1_000 };
        let key = AuditKey::from_bytes([0; 32]);
        let record = count(&asked, &key);
        assert_eq!(record.fault(&asked), None);
        let text = serde_json::to_string(&record).expect("plain data");
        assert_eq!(serde_json::from_str::<RawRecord>(&text).expect("what was written"), record);
        let spoil = |change: &dyn Fn(&mut RawRecord)| {
            let mut record = record.clone();
            change(&mut record);
            assert!(record.fault(&asked).is_some(), "{record:?}");
        };
        spoil(&|record| record.first.ones[3] += 1);
        spoil(&|record| record.first.bytes[3] += 1);
        spoil(&|record| record.first.words += 1);
        spoil(&|record| record.first.most_in_window = 513);
        spoil(&|record| record.repeat = Some(record.first.clone()));
        spoil(&|record| record.key.replace_range(..1, "1"));
        spoil(&|record| record.item.push('x'));
    }
}
