//! `deckproof stream`: decks, words and bits on standard output, and their SHA-256 on standard error.

use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};
use sha2::{Digest, Sha256};

use crate::cli::CliError;
use crate::cli::audit::options::parse_decks;
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::screen::{self, warn};
use crate::cli::source::SourceOptions;
use crate::collection::{
    BitForm, DeckForm, PAIRS_HEADER, WordForm, pairs, words, write_bits, write_deck, write_pair, write_word,
};
use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::key::AuditKey;
use crate::math::decimal::thousands;
use crate::source::ask::Opened;
use crate::source::list::CATALOGUE;

/// Bytes that are gathered before they are written and hashed.
const BUFFER_BYTES: usize = 1 << 16;

#[derive(Args)]
#[command(
    after_help = "Words are those that the certified shuffle reads, deck after deck, rejected ones included; bytes are \
    the words with the least significant byte first, and bits those of the bytes, the most significant first. How \
    words become cards stands in PROTOCOL.md, section 3.\n\n\
    Examples:\n  \
    deckproof stream --decks 1e6 --as numbers > decks.txt\n  \
    deckproof stream --words 3e8 | dieharder -g 200 -a\n  \
    deckproof stream --pairs 100 --source audit:@key.txt > pairs.csv"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    what: What,
    /// How they are written: decks as indices (0 to 51), numbers (1 to 52), cards or bytes [default: indices]; words as
    /// bytes, decimal or hexadecimal [default: bytes]; bits as characters (0 and 1) or bytes [default: characters].
    #[arg(long = "as", value_name = "FORM", conflicts_with = "pairs")]
    form: Option<Form>,
    /// Where the decks come from, as `audit` reads it. Words, bits and pairs are known of the certified shuffle only.
    #[command(flatten)]
    source: SourceOptions,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct What {
    /// So many decks: final outcomes.
    #[arg(long, value_name = "N", value_parser = parse_decks)]
    decks: Option<u64>,
    /// So many 32-bit words of the generator: raw output.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    words: Option<u64>,
    /// So many bits of the generator: raw output.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    bits: Option<u64>,
    /// So many decks, each beside the words that made it: a table with a header.
    #[arg(long, value_name = "N", value_parser = parse_decks)]
    pairs: Option<u64>,
}

fn parse_count(text: &str) -> Result<u64, String> {
    parse_decks(text).map_err(|error| error.replace(" of decks", ""))
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Indices,
    Numbers,
    Cards,
    Bytes,
    Decimal,
    Hexadecimal,
    Characters,
}

/// What is written, with its form.
enum Wanted {
    Decks(u64, DeckForm),
    Words(u64, WordForm),
    Bits(u64, BitForm),
    Pairs(u64),
}

impl Wanted {
    fn decks(&self) -> u64 {
        match *self {
            Wanted::Decks(count, _) | Wanted::Pairs(count) => count,
            // The words of a key are drawn from the key itself.
            Wanted::Words(..) | Wanted::Bits(..) => 1,
        }
    }

    /// Number and unit.
    fn words(&self) -> String {
        let (count, unit) = match *self {
            Wanted::Decks(count, _) => (count, "decks"),
            Wanted::Words(count, _) => (count, "words of 32 bits"),
            Wanted::Bits(count, _) => (count, "bits"),
            Wanted::Pairs(count) => (count, "decks with their words"),
        };
        format!("{} {unit}", thousands(count))
    }
}

fn wanted(arguments: &Arguments) -> Result<Wanted, CliError> {
    let form = arguments.form;
    let not_of = |what: &str, forms: &str| {
        let name = form.and_then(|form| form.to_possible_value());
        let name = name.as_ref().map_or("", |value| value.get_name());
        CliError::Usage(format!("--as {name}: {what} are written as {forms}"))
    };
    match arguments.what {
        What { decks: Some(count), .. } => match form {
            None | Some(Form::Indices) => Ok(Wanted::Decks(count, DeckForm::Indices)),
            Some(Form::Numbers) => Ok(Wanted::Decks(count, DeckForm::Numbers)),
            Some(Form::Cards) => Ok(Wanted::Decks(count, DeckForm::Cards)),
            Some(Form::Bytes) => Ok(Wanted::Decks(count, DeckForm::Bytes)),
            Some(_) => Err(not_of("decks", "indices, numbers, cards or bytes")),
        },
        What { words: Some(count), .. } => match form {
            None | Some(Form::Bytes) => Ok(Wanted::Words(count, WordForm::Bytes)),
            Some(Form::Decimal) => Ok(Wanted::Words(count, WordForm::Decimal)),
            Some(Form::Hexadecimal) => Ok(Wanted::Words(count, WordForm::Hexadecimal)),
            Some(_) => Err(not_of("words", "bytes, decimal or hexadecimal")),
        },
        What { bits: Some(count), .. } => match form {
            None | Some(Form::Characters) => Ok(Wanted::Bits(count, BitForm::Characters)),
            Some(Form::Bytes) => Ok(Wanted::Bits(count, BitForm::Bytes)),
            Some(_) => Err(not_of("bits", "characters or bytes")),
        },
        What { pairs: Some(count), .. } => Ok(Wanted::Pairs(count)),
        _ => Err(CliError::Usage("give one of --decks, --words, --bits and --pairs".to_owned())),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let wanted = wanted(arguments)?;
    let mut opened = open(arguments, &wanted)?;
    for sentence in &opened.sentences {
        warn(sentence);
    }
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, Counted::new(screen::bytes()));
    let written = write(&mut out, &wanted, &mut opened).and_then(|()| Ok(out.flush()?));
    // What a reader that went away did not take is not written a second time.
    let (counted, _) = out.into_parts();
    let reader_left = match written {
        Ok(()) => false,
        Err(Stopped::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => true,
        Err(Stopped::Output(error)) => return Err(CliError::Output(error)),
        Err(Stopped::Source(reason)) => return Err(reason.into()),
    };
    let (bytes, sha256) = counted.finish();
    let source = CATALOGUE.words(&opened.record);
    match reader_left {
        false => warn(&format!(
            "Written: {}, {} bytes, SHA-256 {sha256}, of {source}.",
            wanted.words(),
            thousands(bytes)
        )),
        true => warn(&format!(
            "The reader stopped before the end: it was given {} bytes of {}, SHA-256 {sha256}, of {source}.",
            thousands(bytes),
            wanted.words()
        )),
    }
    Ok(Exit::Passed)
}

fn open(arguments: &Arguments, wanted: &Wanted) -> Result<Opened, CliError> {
    let asked = arguments.source.ask()?;
    if let Some(warning) = asked.warning() {
        warn(warning);
    }
    let opened = asked.open(Some(wanted.decks())).map_err(CouldNotSay::from)?;
    if opened.record.kind() == "audit" && arguments.source.source.is_none() {
        warn("The key is fresh and stands below: it is public from now on, so never deal hands with it.");
    }
    Ok(opened)
}

/// Why nothing more is written.
enum Stopped {
    Output(io::Error),
    Source(CouldNotSay),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Stopped {
        Stopped::Output(error)
    }
}

fn write(out: &mut impl Write, wanted: &Wanted, opened: &mut Opened) -> Result<(), Stopped> {
    match *wanted {
        Wanted::Decks(count, form) => write_decks(out, count, form, opened),
        Wanted::Words(count, form) => {
            let key = audit_key(opened)?;
            words(&key).take(count as usize).try_for_each(|word| write_word(out, word, form))?;
            Ok(())
        }
        Wanted::Bits(count, form) => Ok(write_bits(out, &audit_key(opened)?, count, form)?),
        Wanted::Pairs(count) => {
            let key = audit_key(opened)?;
            writeln!(out, "{PAIRS_HEADER}")?;
            pairs(&key).take(count as usize).try_for_each(|pair| write_pair(out, &pair))?;
            Ok(())
        }
    }
}

fn write_decks(out: &mut impl Write, count: u64, form: DeckForm, opened: &mut Opened) -> Result<(), Stopped> {
    let no_more = |error: crate::source::SourceError| Stopped::Source(CouldNotSay::new(error, ""));
    let mut block = DeckBlock::default();
    let mut first = 0;
    while first < count {
        opened.source.fill(first, &mut block).map_err(no_more)?;
        if block.is_empty() {
            let what =
                format!("the source ended after {} decks, wanted {}", thousands(first), thousands(count));
            return Err(Stopped::Source(CouldNotSay::new(what, "Ask for fewer.")));
        }
        let hands = (count - first).min(block.hands() as u64) as usize;
        (0..hands).try_for_each(|lane| write_deck(out, &block.deck(lane), form))?;
        first += BLOCK_HANDS as u64;
    }
    Ok(())
}

/// The key of the certified shuffle's audit path.
fn audit_key(opened: &Opened) -> Result<AuditKey, Stopped> {
    let key = match opened.record.kind() {
        "audit" => opened.record.text("key").ok().and_then(|key| key.parse().ok()),
        _ => None,
    };
    key.ok_or_else(|| {
        Stopped::Source(CouldNotSay::new(
            "the words behind the decks of this source are not known",
            "Words, bits and pairs are those of the certified shuffle: --source audit or audit:KEY.",
        ))
    })
}

/// Counts and hashes what a stream has taken.
struct Counted<W> {
    inner: W,
    bytes: u64,
    sha256: Sha256,
}

impl<W> Counted<W> {
    fn new(inner: W) -> Counted<W> {
        Counted { inner, bytes: 0, sha256: Sha256::new() }
    }

    fn finish(self) -> (u64, String) {
        (self.bytes, base16ct::lower::encode_string(&self.sha256.finalize()))
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.inner.write(bytes)?;
        self.bytes += taken as u64;
        self.sha256.update(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
