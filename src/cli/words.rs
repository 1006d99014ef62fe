//! `deckproof words FILE`: the raw words of any generator, counted and judged as `certify` judges those of its own.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::audit::publish::{say, say_verdict};
use crate::cli::screen::shown;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::{joint_p_is, p_is, thousands};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::input::FileError;
use deckproof_lab::project::raw::customer::{self, CustomerWords, WordLayout, WordsError};
use deckproof_lab::project::raw::{RawCounts, RawJudgement, RawTest, WORDS_MIN};
use deckproof_lab::project::settings::supplied::ByteOrder;
use deckproof_lab::project::supplied::WordsRecord;
use deckproof_report::document::words::Language;
use deckproof_stats::battery::Tail;

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 pass; 1 fail; 2 could not say (usage, a torn or unreadable file, fewer bits than 100,000 words of 32 bits \
        have, numbers of 31 bits and the like in wider words); 3 investigate (count more words of the same generator)."
)]
pub struct WordsArguments {
    /// The bytes of the words, one after the other; `-` is standard input.
    file: PathBuf,
    /// The width of a word.
    #[arg(long, value_name = "WIDTH", default_value = "u32")]
    word: Width,
    /// Which byte of a word comes first: the least significant (little) or the most significant (big).
    #[arg(long, value_name = "ORDER", default_value = "little")]
    order: Order,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Width {
    U8 = 8,
    U16 = 16,
    U32 = 32,
    U64 = 64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Order {
    Little,
    Big,
}

impl WordsArguments {
    fn layout(&self) -> WordLayout {
        let order = match self.order {
            Order::Little => ByteOrder::Little,
            Order::Big => ByteOrder::Big,
        };
        WordLayout { bits: self.word as u64, order }
    }
}

pub fn run(arguments: &WordsArguments) -> Result<Exit, CouldNotSay> {
    let path = &arguments.file;
    let layout = arguments.layout();
    let counted = if path == Path::new("-") {
        customer::count(io::stdin().lock(), layout)
    } else {
        customer::count(open(path)?, layout)
    };
    let words = counted.map_err(|error| {
        let advice = advice(&error, path);
        CouldNotSay::new(format!("{}: {error}", shown(path)), &advice)
    })?;
    let judgement = words.counts.judge();
    if arguments.json {
        say(&format!("{}\n", json(path, layout, &words, &judgement)))?
    } else {
        say_verdict(judgement.verdict, Language::English.words(), &text(path, layout, &words))?;
    }
    Ok(match judgement.verdict {
        Verdict::Pass => Exit::Passed,
        Verdict::Fail => Exit::Refused,
        Verdict::Investigate => Exit::Investigate,
        Verdict::Inconclusive => Exit::CouldNotSay,
    })
}

/// A file with an end.
fn open(path: &Path) -> Result<File, CouldNotSay> {
    let failed = |error| CouldNotSay::from(FileError::new(path, error));
    customer::open(path).map_err(failed)?.ok_or_else(|| {
        CouldNotSay::new(
            format!("{}: found no regular file, wanted one that ends", shown(path)),
            &format!("Of a device take a part: head -c 4000000 {} | deckproof words -", shown(path)),
        )
    })
}

/// The counts as a package has them, and what follows.
fn json(path: &Path, layout: WordLayout, words: &CustomerWords, judgement: &RawJudgement) -> Value {
    let record = WordsRecord::of(&shown(path), layout, words);
    let test = |test: &RawTest| {
        let (count, of) = (test.count, test.of);
        json!({
            "id": test.id, "count": (of > 0).then_some(count), "of": (of > 0).then_some(of),
            "chi_squared": (of == 0).then_some(test.score), "p_value": test.p_value, "tail": test.tail.name(),
        })
    };
    let mut object = serde_json::to_value(record).expect("counts are plain data");
    object["verdict"] = json!(judgement.verdict);
    object["family_p_value"] = json!(judgement.family_p_value);
    object["filled_bits"] = json!(words.counts.filled_bits());
    object["tests"] = judgement.tests.iter().map(test).collect();
    object
}

fn advice(error: &WordsError, path: &Path) -> String {
    match error {
        WordsError::Torn { .. } => {
            "Copy the file again, or name the width of its words with --word u8, u16, u32 or u64.".to_owned()
        }
        WordsError::Text => {
            "Numbers in a text have to be written as bytes first, such as Python's struct.pack('<I', number)."
                .to_owned()
        }
        WordsError::Packed { unpacker } => format!("Type {unpacker} {} | deckproof words -", shown(path)),
        _ => String::new(),
    }
}

fn text(path: &Path, layout: WordLayout, words: &CustomerWords) -> String {
    let counts = &words.counts;
    let judgement = counts.judge();
    let order = match layout.order {
        ByteOrder::Little => "little-endian",
        ByteOrder::Big => "big-endian",
    };
    let mut text = format!(
        "{}: {}.\n\n{}: {} words of {} bits{}, {} bytes, SHA-256 {}.\n",
        judgement.verdict.name().to_uppercase(),
        meaning(judgement.verdict, judgement.family_p_value, counts.filled_bits()),
        shown(path),
        thousands(counts.words),
        layout.bits,
        if layout.bits == 8 { String::new() } else { format!(", {order}") },
        thousands(counts.bits() / 8),
        words.sha256,
    );
    let supplied = &Language::English.words().supplied;
    if let Some(bits) = counts.filled_bits() {
        let width = counts.word_bits();
        let _ = writeln!(text, "{}", supplied.not_filled(&shown(path), width, bits, width - bits));
    }
    text += "Null hypothesis: the bits are independent and fair. Each p-value counts both directions.\n\n";
    for test in &judgement.tests {
        let of = match test.of {
            0 => format!("χ²(255) = {:.1}", test.score),
            of => format!("{} of {}", thousands(test.count), thousands(of)),
        };
        let is_capped = test.tail == Tail::Bound && test.p_value >= 1.0;
        let p = if is_capped { "p = 1 (a bound)".to_owned() } else { p_is(test.p_value) };
        let _ = writeln!(text, "  {:<37}  {of:<24} {p}", name(test, counts));
    }
    let _ = writeln!(
        text,
        "\nLongest run of equal bytes: {}; most of the first byte in a window of 512 bytes: {} (SP 800-90B, 4.4.1 and 4.4.2; not judged).",
        thousands(counts.longest_run),
        counts.most_in_window
    );
    if judgement.verdict == Verdict::Fail {
        let _ = writeln!(text, "{}", supplied.captured(&shown(path)));
    }
    text + "Not shown: that these words come from the generator that is named, and what a whole battery sees (dieharder, PractRand, \
            TestU01, NIST STS). Whether decks were made of such words as the source says: deckproof pairs.\n"
}

/// What the family p-value means for words.
fn meaning(verdict: Verdict, family: f64, filled_bits: Option<u64>) -> String {
    let p = joint_p_is(family);
    match verdict {
        Verdict::Inconclusive if filled_bits.is_some() => {
            let bits = filled_bits.unwrap_or(0);
            format!(
                "these may be numbers of {bits} bits in wider words, and counts of whole words say nothing of them; family {p}"
            )
        }
        Verdict::Pass => format!("five counts found no fault in these words, family {p}"),
        Verdict::Investigate => {
            format!("a count is unusual, family {p} (limit 0.01); count more words of the same generator")
        }
        Verdict::Fail => format!("these words are not independent fair bits, family {p} (limit 0.000001)"),
        Verdict::Inconclusive => {
            format!("too few words for a pass, wanted {} bits; family {p}", thousands(WORDS_MIN * 32))
        }
    }
}

fn name(test: &RawTest, counts: &RawCounts) -> String {
    match test.id {
        "ones" => "ones among all bits".to_owned(),
        "changes" => "changes from bit to bit".to_owned(),
        "differences" => "ones in the xor of neighbouring words".to_owned(),
        "bit-places" => {
            format!("ones at bit {}, the oddest of {}", counts.oddest_place(), counts.word_bits())
        }
        _ => "bytes, Pearson's χ²".to_owned(),
    }
}
