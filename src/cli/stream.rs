//! `deckproof stream`: decks, words, bits and commitments on standard output, and their SHA-256 on standard error.

use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};

use crate::cli::CliError;
use crate::cli::audit::options::parse_decks;
use crate::cli::interrupt;
use crate::cli::screen::{self, warn};
use crate::cli::source::TypedSource;
use deckproof_audit::collection::written::{CollectionRequest, HashedStream, Stopped, write};
use deckproof_audit::collection::{BitForm, DeckForm, WordForm};
use deckproof_audit::source::ask::Opened;
use deckproof_audit::source::list::CATALOGUE;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::thousands;
use deckproof_deck::text::exit::Exit;

/// Bytes that are gathered before they are written and hashed.
const BUFFER_BYTES: usize = 1 << 16;

#[derive(Args)]
#[command(
    after_help = "Words are those that the certified shuffle reads, deck after deck, rejected ones included; bytes are \
    the words with the least significant byte first, and bits those of the bytes, the most significant first. \
    PROTOCOL.md, section 3, has how words become cards.\n\n\
    Examples:\n  \
    deckproof stream --decks 1e6 --as numbers > decks.txt\n  \
    deckproof stream --words | dieharder -g 200 -a\n  \
    deckproof stream --pairs 100 --source audit:@key.txt > pairs.csv\n  \
    deckproof stream --commit 1000 --seed 'table 9' > commitments.csv"
)]
pub(super) struct StreamArguments {
    #[command(flatten)]
    what: What,
    /// How they are written: decks as indices (0 to 51), numbers (1 to 52), cards or bytes [default: indices]; words as
    /// bytes, decimal or hexadecimal [default: bytes]; bits as characters (0 and 1) or bytes [default: characters].
    #[arg(long = "as", value_name = "FORM", conflicts_with_all = ["pairs", "commit"])]
    form: Option<Form>,
    /// Where the decks come from, as `audit` reads it. Words, bits, pairs and deck roots are known of the certified shuffle only.
    #[command(flatten)]
    source: TypedSource,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct What {
    /// So many decks: final outcomes.
    #[arg(long, value_name = "N", value_parser = parse_decks)]
    decks: Option<u64>,
    /// So many 32-bit words of the generator: raw output. Without a number they never end, until the reader has enough.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = ENDLESS, value_parser = parse_count)]
    words: Option<u64>,
    /// So many bits of the generator: raw output.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    bits: Option<u64>,
    /// So many decks, each beside the words that made it: a table with a header.
    #[arg(long, value_name = "N", value_parser = parse_decks)]
    pairs: Option<u64>,
    /// So many decks, each beside the deck root that commits to it: a table with a header. The roots are those of hands 0, 1, …
    /// of table `stream` of the log `audit`, mix none.
    #[arg(long, value_name = "N", value_parser = parse_decks)]
    commit: Option<u64>,
}

/// The word for no number, which nobody types.
const ENDLESS: &str = "endless";

fn parse_count(text: &str) -> Result<u64, String> {
    if text == ENDLESS {
        return Ok(u64::MAX);
    }
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

fn wanted(arguments: &StreamArguments) -> Result<CollectionRequest, CliError> {
    let form = arguments.form;
    let not_of = |what: &str, forms: &str| {
        let name = form.and_then(|form| form.to_possible_value());
        let name = name.as_ref().map_or("", |value| value.get_name());
        CliError::Problem(format!("--as {name}: {what} are written as {forms}"))
    };
    match arguments.what {
        What { decks: Some(count), .. } => match form {
            None | Some(Form::Indices) => Ok(CollectionRequest::Decks(count, DeckForm::Indices)),
            Some(Form::Numbers) => Ok(CollectionRequest::Decks(count, DeckForm::Numbers)),
            Some(Form::Cards) => Ok(CollectionRequest::Decks(count, DeckForm::Cards)),
            Some(Form::Bytes) => Ok(CollectionRequest::Decks(count, DeckForm::Bytes)),
            Some(_) => Err(not_of("decks", "indices, numbers, cards or bytes")),
        },
        What { words: Some(count), .. } => match form {
            None | Some(Form::Bytes) => Ok(CollectionRequest::Words(count, WordForm::Bytes)),
            Some(Form::Decimal) => Ok(CollectionRequest::Words(count, WordForm::Decimal)),
            Some(Form::Hexadecimal) => Ok(CollectionRequest::Words(count, WordForm::Hexadecimal)),
            Some(_) => Err(not_of("words", "bytes, decimal or hexadecimal")),
        },
        What { bits: Some(count), .. } => match form {
            None | Some(Form::Characters) => Ok(CollectionRequest::Bits(count, BitForm::Characters)),
            Some(Form::Bytes) => Ok(CollectionRequest::Bits(count, BitForm::Bytes)),
            Some(_) => Err(not_of("bits", "characters or bytes")),
        },
        What { pairs: Some(count), .. } => Ok(CollectionRequest::Pairs(count)),
        What { commit: Some(count), .. } => Ok(CollectionRequest::Commitments(count)),
        _ => Err(CliError::Problem("give one of --decks, --words, --bits, --pairs and --commit".to_owned())),
    }
}

pub(super) fn run(arguments: &StreamArguments) -> Result<Exit, CliError> {
    interrupt::end_programs();
    let wanted = wanted(arguments)?;
    let mut opened = open(arguments, &wanted)?;
    for sentence in &opened.sentences {
        warn(sentence);
    }
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, HashedStream::new(screen::bytes()));
    let written = write(&mut out, &wanted, &mut opened).and_then(|()| Ok(out.flush()?));
    // What a reader that went away did not take is not written a second time.
    let (counted, _) = out.into_parts();
    let reader_left = match written {
        Ok(()) => false,
        Err(Stopped::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => true,
        Err(Stopped::Output(error)) => return Err(CliError::Output(error)),
        Err(stopped) => return Err(CouldNotSay::new(&stopped, advice(&stopped)).into()),
    };
    let (bytes, sha256) = counted.finish();
    let source = CATALOGUE.words(&opened.record);
    let bytes = thousands(bytes);
    warn(&if arguments.what.words == Some(u64::MAX) {
        format!(
            "The reader has taken what it wanted of words without an end: it was given {bytes} bytes, SHA-256 {sha256}, of {source}."
        )
    } else if reader_left {
        format!(
            "The reader stopped before the end: it was given {bytes} bytes of {}, SHA-256 {sha256}, of {source}.",
            wanted.words()
        )
    } else {
        format!("Written: {}, {bytes} bytes, SHA-256 {sha256}, of {source}.", wanted.words())
    });
    Ok(Exit::Passed)
}

fn open(arguments: &StreamArguments, wanted: &CollectionRequest) -> Result<Opened, CliError> {
    let asked = arguments.source.0.ask()?;
    if let Some(warning) = asked.warning() {
        warn(warning);
    }
    let opened = asked.open(Some(wanted.decks()))?;
    if opened.record.kind() == "audit" && arguments.source.0.source.is_none() {
        warn(if opened.record.text("seed").is_ok() {
            "Anybody who knows the text of --seed knows every deck: never deal hands with its key."
        } else {
            "The key is fresh and is below: it is public from now on, so never deal hands with it."
        });
    }
    Ok(opened)
}

/// What else can be asked for.
fn advice(stopped: &Stopped) -> &'static str {
    match stopped {
        Stopped::Ended { .. } => "Ask for fewer.",
        Stopped::NoKey => {
            "Words, bits, pairs and deck roots are those of the certified shuffle: --source audit or audit:KEY."
        }
        Stopped::Source(_) | Stopped::Output(_) => "",
    }
}
