//! A customer's raw words from a file: whole words of one width and byte order, and nothing that is packed or a text.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::project::raw::{RawCounts, Walk};
use crate::project::settings::supplied::ByteOrder;
use deckproof_deck::text::decimal::{counted, thousands};

/// Bytes that are read at once, a multiple of every word.
const CHUNK_BYTES: usize = 1 << 16;

/// Most bytes that are counted.
const BYTES_MAX: u64 = 1 << 38;

/// Bytes at the beginning that show a text: random bytes are all of them letters, digits and signs once in 10^26 times.
const TEXT_BYTES: usize = 64;

/// How packed files begin, and what unpacks them.
const PACKED: [(&[u8], &str); 5] = [
    (b"\x1f\x8b\x08", "gzip -dc"),
    (b"\x28\xb5\x2f\xfd", "zstd -dc"),
    (b"\xfd7zXZ\0", "xz -dc"),
    (b"BZh", "bzip2 -dc"),
    (b"PK\x03\x04", "unzip -p"),
];

/// How wide the words are, and which of their bytes comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordLayout {
    /// 8, 16, 32 or 64.
    pub bits: u64,
    /// Their bytes in the file.
    pub order: ByteOrder,
}

/// The words of a file, counted.
pub struct CustomerWords {
    /// Their counts.
    pub counts: RawCounts,
    /// SHA-256 of the file.
    pub sha256: String,
}

/// Why words cannot be counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WordsError {
    /// The file cannot be read on.
    #[error("byte {}: {error}", thousands(*offset))]
    Io {
        /// Where.
        offset: u64,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The last word is not whole.
    #[error("byte {}: found {}, wanted the {wanted} bytes of a word: after {} the length, {} bytes, is no multiple of {wanted}",
        thousands(*offset), counted(*found, "byte", "bytes"), counted(*words, "word", "words"), thousands(offset + found))]
    Torn {
        /// Where it begins.
        offset: u64,
        /// Whole words before it.
        words: u64,
        /// Bytes of it.
        found: u64,
        /// Bytes of a word.
        wanted: u64,
    },
    /// A text.
    #[error("byte 0: found a text, wanted the bytes of words")]
    Text,
    /// A packed file, whose bytes are those of the packer.
    #[error("byte 0: found the first bytes of a packed file, wanted the bytes of words")]
    Packed {
        /// The command that unpacks it.
        unpacker: &'static str,
    },
    /// More than is counted.
    #[error("byte {}: found more, wanted at most so many", thousands(BYTES_MAX))]
    TooLong,
    /// A width that no word here has.
    #[error("found words of {0} bits, wanted 8, 16, 32 or 64")]
    Width(u64),
}

/// Opens a file that has an end; none where it is a device, a pipe or a folder.
///
/// # Errors
/// The operating system's.
pub fn open(path: &Path) -> io::Result<Option<File>> {
    let file = File::open(path)?;
    Ok(file.metadata()?.is_file().then_some(file))
}

/// SHA-256 of a file to its end.
///
/// # Errors
/// [`WordsError`].
pub fn sha256_of(input: impl Read) -> Result<String, WordsError> {
    each_chunk(input, |_, _| Ok(()))
}

/// Reads a file to its end, each chunk with the place where it begins, and gives the SHA-256 of all.
fn each_chunk(
    mut input: impl Read,
    mut see: impl FnMut(&[u8], u64) -> Result<(), WordsError>,
) -> Result<String, WordsError> {
    let (mut sha256, mut chunk, mut offset) = (Sha256::new(), Vec::new(), 0);
    loop {
        chunk.clear();
        let read = input.by_ref().take(CHUNK_BYTES as u64).read_to_end(&mut chunk);
        let begin = offset;
        offset += chunk.len() as u64;
        read.map_err(|error| WordsError::Io { offset, error })?;
        see(&chunk, begin)?;
        sha256.update(&chunk);
        if chunk.len() < CHUNK_BYTES {
            return Ok(base16ct::lower::encode_string(&sha256.finalize()));
        }
        if offset >= BYTES_MAX {
            return Err(WordsError::TooLong);
        }
    }
}

/// Counts the words of a file to its end.
///
/// # Errors
/// [`WordsError`].
pub fn count(input: impl Read, layout: WordLayout) -> Result<CustomerWords, WordsError> {
    match layout.bits {
        8 => count_as::<8>(input, layout.order),
        16 => count_as::<16>(input, layout.order),
        32 => count_as::<32>(input, layout.order),
        64 => count_as::<64>(input, layout.order),
        bits => Err(WordsError::Width(bits)),
    }
}

fn count_as<const BITS: usize>(input: impl Read, order: ByteOrder) -> Result<CustomerWords, WordsError> {
    let (mut counts, mut walk) = (RawCounts::none(BITS), Walk::default());
    let sha256 = each_chunk(input, |read, offset| {
        if offset == 0 {
            check_raw(read)?;
        }
        let words = read.chunks_exact(BITS / 8);
        let found = words.remainder().len() as u64;
        words.for_each(|word| counts.add::<BITS>(&mut walk, number(word, order), order));
        if found == 0 {
            return Ok(());
        }
        let (offset, wanted) = (offset + read.len() as u64 - found, BITS as u64 / 8);
        Err(WordsError::Torn { offset, words: counts.words, found, wanted })
    })?;
    Ok(CustomerWords { counts, sha256 })
}

/// Text and packed bytes are not the words that a generator gave, and would be judged as if they were.
fn check_raw(first: &[u8]) -> Result<(), WordsError> {
    if let Some((_, unpacker)) = PACKED.iter().find(|(magic, _)| first.starts_with(magic)) {
        return Err(WordsError::Packed { unpacker });
    }
    let begin = &first[..first.len().min(TEXT_BYTES)];
    let is_text = begin.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    if is_text && !begin.is_empty() { Err(WordsError::Text) } else { Ok(()) }
}

fn number(bytes: &[u8], order: ByteOrder) -> u64 {
    let shifted = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    match order {
        ByteOrder::Big => bytes.iter().fold(0, shifted),
        ByteOrder::Little => bytes.iter().rev().fold(0, shifted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXTURE: &str = include_str!("../../../../../fixtures/words/counts.csv");

    /// Bytes of SHA-256 of 0, 1, 2, … in decimal, the same that `fixtures/words/counts.py` counts.
    fn hashed(bytes: usize) -> Vec<u8> {
        (0..).flat_map(|number: u64| Sha256::digest(number.to_string())).take(bytes).collect()
    }

    fn layout(name: &str) -> WordLayout {
        let (bits, order) = name[1..].split_once(' ').expect("a width and an order");
        let order = if order == "little" { ByteOrder::Little } else { ByteOrder::Big };
        WordLayout { bits: bits.parse().expect("a width"), order }
    }

    /// Five counts, five p-values and the two health counts by NumPy and SciPy.
    #[test]
    fn counts_are_those_of_numpy_in_every_width_and_order() {
        let mut rows = 0;
        for line in FIXTURE.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let (length, wanted) = (cells[1].parse().expect("bytes"), &cells[2..]);
            let words = count(&hashed(length)[..], layout(cells[0])).expect("whole words");
            let tests = words.counts.tests();
            let numbers = [
                words.counts.words,
                tests[0].count,
                tests[1].count,
                tests[2].count,
                tests[3].count,
                words.counts.oddest_place() as u64,
                words.counts.longest_run,
                words.counts.most_in_window,
            ];
            assert_eq!(numbers.map(|number| number.to_string()), wanted[..8], "{line}");
            assert_eq!(words.sha256, wanted[8]);
            let score: f64 = wanted[9].parse().expect("a score");
            assert!((tests[4].score / score - 1.0).abs() < 1e-9, "{line}: {}", tests[4].score);
            assert_eq!(wanted[10..].len(), tests.len());
            for (test, p_value) in tests.iter().zip(&wanted[10..]) {
                let p_value: f64 = p_value.parse().expect("a p-value");
                assert!((test.p_value / p_value - 1.0).abs() < 1e-6, "{line}: {test:?}");
            }
            rows += 1;
        }
        assert_eq!(rows, 14);
    }

    fn refused(bytes: &[u8], bits: u64) -> String {
        let layout = WordLayout { bits, order: ByteOrder::Little };
        count(bytes, layout).map(|_| ()).expect_err("refused").to_string()
    }

    #[test]
    fn a_torn_word_is_named_with_its_place_and_the_words_before_it() {
        let torn = "byte 8,000: found 3 bytes, wanted the 8 bytes of a word: after 1,000 words the length, 8,003 bytes, \
                    is no multiple of 8";
        assert_eq!(refused(&hashed(8_003), 64), torn);
        // In a chunk behind the first one, too.
        let torn = refused(&hashed(CHUNK_BYTES + 1), 32);
        assert!(
            torn.starts_with("byte 65,536: found 1 byte, wanted the 4 bytes of a word: after 16,384 words")
        );
        assert_eq!(refused(&hashed(9), 24), "found words of 24 bits, wanted 8, 16, 32 or 64");
    }

    #[test]
    fn texts_and_packed_files_are_no_words() {
        assert_eq!(refused(b"3499211612\n581869302\n", 8), "byte 0: found a text, wanted the bytes of words");
        for (magic, _) in PACKED {
            let file = [magic, &hashed(1_000)].concat();
            assert!(refused(&file, 8).contains("a packed file"), "{magic:?}");
        }
    }

    #[test]
    fn a_fault_of_the_disk_is_reported_with_its_place() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let layout = WordLayout { bits: 32, order: ByteOrder::Big };
        let error = count(hashed(1_000)[..].chain(Broken), layout).map(|_| ()).expect_err("refused");
        assert_eq!(error.to_string(), "byte 1,000: the disk is gone");
    }
}
