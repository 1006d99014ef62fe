//! Parquet files as the text their rows would be: a header, then one line a row, for the reader of tables.

use std::fs::File;
use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};

use crate::source::format::Written;
use crate::source::pieces::{self, Input};
use deckproof_deck::card::DECK_CARDS;

/// Lines that go from thread to thread at once.
const PIECE_ROWS: usize = 256;

/// Pieces that may wait.
const PIECES: usize = 4;

/// The rows of a file as text. They are read in a thread of their own: a file that breaks its reader ends the text
/// with an error, and nothing else.
///
/// # Errors
/// The file is no Parquet file, or has a compression that this build does not read.
pub(super) fn text_of(file: File, written: &Written) -> io::Result<Input> {
    let reader = SerializedFileReader::new(file).map_err(invalid)?;
    let names = names(&reader);
    let deck = written.deck_columns(&names).ok().flatten();
    let header = names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",") + "\n";
    let (sender, receiver) = sync_channel(PIECES);
    thread::spawn(move || send_rows(reader, header, deck.as_deref(), &sender));
    let broke = |_| pieces::invalid("the Parquet file could not be read to its end");
    Ok(pieces::input(move || receiver.recv().map_err(broke)?))
}

fn invalid(error: ParquetError) -> io::Error {
    let text = error.to_string();
    let what = match text.split_once("Disabled feature at compile time: ") {
        Some((_, packing)) => format!(
            "found pages packed by {}, which this program does not unpack, wanted plain pages, snappy, gzip or zstd; write the \
             file again so",
            packing.trim_end_matches('.')
        ),
        None => text,
    };
    pieces::invalid(what)
}

fn names(reader: &SerializedFileReader<File>) -> Vec<String> {
    let schema = reader.metadata().file_metadata().schema();
    schema.get_fields().iter().map(|field| field.name().to_owned()).collect()
}

/// What a thread sends: text, an error, and at the end an empty text, without which the reader broke.
type Piece = io::Result<Vec<u8>>;

fn send_rows(
    reader: SerializedFileReader<File>,
    header: String,
    deck: Option<&[usize]>,
    sender: &SyncSender<Piece>,
) {
    let mut text = header;
    for (number, row) in RowIter::from_file_into(Box::new(reader)).enumerate() {
        match row.map_err(invalid).and_then(|row| line(&row, deck)) {
            Ok(line) => text += &line,
            Err(error) => return drop(sender.send(Err(error))),
        }
        if number % PIECE_ROWS == PIECE_ROWS - 1 && sender.send(Ok(std::mem::take(&mut text).into())).is_err()
        {
            return;
        }
    }
    if !text.is_empty() && sender.send(Ok(text.into())).is_err() {
        return;
    }
    // Nobody listens any more if this fails.
    let _ = sender.send(Ok(Vec::new()));
}

/// A row, whose deck is in these columns where they were given.
fn line(row: &Row, deck: Option<&[usize]>) -> io::Result<String> {
    let cells = row.get_column_iter().enumerate();
    let cells: io::Result<Vec<String>> = cells
        .map(|(at, (name, field))| cell(name, field, deck.is_some_and(|deck| !deck.contains(&at))))
        .collect();
    Ok(cells?.join(",") + "\n")
}

/// A cell; one beside the deck may hold anything, and is distinguished from others.
fn cell(name: &str, field: &Field, is_beside: bool) -> io::Result<String> {
    let strange = |what: &str, text: String| {
        if is_beside {
            return Ok(quoted(&text));
        }
        Err(pieces::invalid(format!(
            "the column {name:?} holds {what}, wanted numbers, text, 52 bytes or a list of numbers; --deck-column names the one that \
             holds the deck, and the others may then hold anything"
        )))
    };
    match field {
        Field::Null => Ok(String::new()),
        Field::Str(text) => Ok(quoted(text)),
        Field::Bytes(bytes) if bytes.len() == DECK_CARDS && bytes.data().iter().all(|&byte| byte <= 52) => {
            Ok(numbers(bytes.data().iter().map(u8::to_string)))
        }
        Field::Bytes(bytes) => match std::str::from_utf8(bytes.data()) {
            Ok(text) => Ok(quoted(text)),
            Err(_) => {
                let digits = bytes.data().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
                strange("bytes that are neither a deck nor text", format!("0x{digits}"))
            }
        },
        Field::ListInternal(list) => Ok(numbers(list.elements().iter().map(|element| match element {
            Field::Str(card) => card.clone(),
            number => number.to_string(),
        }))),
        Field::Group(_) | Field::MapInternal(_) => strange("groups", field.to_string()),
        number => Ok(quoted(&number.to_string())),
    }
}

/// A deck in one cell.
fn numbers(numbers: impl Iterator<Item = String>) -> String {
    quoted(&numbers.collect::<Vec<_>>().join(" "))
}

/// RFC 4180; a line feed inside would end the line of a reader that shows it.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r', ';', '\t', '#']) {
        format!("\"{}\"", text.replace('"', "\"\"").replace(['\n', '\r'], " "))
    } else {
        text.to_owned()
    }
}
