//! Recorded decks, streams and programs: what is read, what is refused, and where it says the fault is.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use deckproof::deck::Deck;
use deckproof::deck::DeckError;
use deckproof::deck::block::DeckBlock;
use deckproof::source::command::Program;
use deckproof::source::format::{Format, Numbering, Written};
use deckproof::source::recorded::Recorded;
use deckproof::source::stream::Stream;
use deckproof::source::{DeckSource, SourceError};

use crate::common::decks::{read, written};
use crate::common::lab::{Lab, index_line};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// The deck in order, cut after `number` cards and one: a different deck for every number, and none in order.
fn deck(number: usize) -> [u8; 52] {
    std::array::from_fn(|place| ((place + number % 51 + 1) % 52) as u8)
}

fn lines(decks: usize) -> String {
    (0..decks).map(|number| index_line(&deck(number))).collect()
}

fn card_line(number: usize) -> String {
    let deck = Deck::try_from(&deck(number)[..]).expect("a rotation is a deck");
    deck.cards().map(|card| card.to_string()).collect::<Vec<_>>().join(",") + "\n"
}

fn read_stream(bytes: &[u8], format: Option<Format>, wanted: Option<u64>) -> Result<Vec<Deck>, SourceError> {
    read(&mut Stream::open(bytes, "stdin", &Written::new(format, Numbering::RankSuit), wanted)?)
}

/// A file in the folder of a test.
fn file(lab: &Lab, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    lab.write(name, bytes);
    lab.path(name).into()
}

#[test]
fn all_formats_give_the_same_decks() -> Outcome {
    let raw: Vec<u8> = (0..130).flat_map(deck).collect();
    let cards: String = (0..130).map(card_line).collect();
    let tens = cards.replace('T', "10").replace('\n', "\r\n");
    let expected = read_stream(&raw, Some(Format::Raw), None)?;
    assert_eq!(expected.len(), 130);
    assert_eq!(expected[1].indices(), &deck(1));
    assert_eq!(read_stream(lines(130).as_bytes(), None, None)?, expected);
    assert_eq!(read_stream(cards.as_bytes(), None, None)?, expected);
    assert_eq!(read_stream(tens.as_bytes(), Some(Format::Cards), None)?, expected);
    let untidy = format!("\u{feff}{}\r\n \n\n", lines(130).replace(' ', " ;\t").trim_end());
    assert_eq!(read_stream(untidy.as_bytes(), None, None)?, expected);
    Ok(())
}

#[test]
fn suit_rank_numbers_are_converted_in_text_and_raw() -> Outcome {
    let clubs_first: [u8; 52] = std::array::from_fn(|place| place as u8);
    let mut text = Stream::open(
        index_line(&clubs_first).into_bytes().leak() as &[u8],
        "t",
        &Written::new(None, Numbering::SuitRank),
        None,
    )?;
    let mut raw =
        Stream::open(&clubs_first[..], "r", &Written::new(Some(Format::Raw), Numbering::SuitRank), None)?;
    let decks = read(&mut text)?;
    assert!(decks[0].to_string().starts_with("2c3c4c5c"));
    assert_eq!(decks, read(&mut raw)?);
    Ok(())
}

#[test]
fn the_reader_says_what_it_took_the_text_for() -> Outcome {
    let header = (0..52).map(|place| format!("p{place}")).collect::<Vec<_>>().join(",");
    let cards = card_line(0);
    let output = |text: &str, format| {
        Stream::open(text.as_bytes(), "x", &Written::new(format, Numbering::RankSuit), None)
            .map(|s| s.sentence().to_string())
    };
    assert_eq!(output(&cards, None)?, "x was read as cards, one deck a line, separated by commas");
    assert_eq!(
        output(&lines(1), None)?,
        "x was read as indices, one deck a line, separated by spaces, numbers begin at 0, cards numbered 4·rank + suit \
         (2c 2d 2h 2s 3c … As)"
    );
    // What nobody said is told as assumed: all that is said of ranks, suits and hands hangs on it.
    let unsaid = Written { is_numbering_stated: false, ..Written::new(None, Numbering::RankSuit) };
    let text = lines(1);
    let assumed = Stream::open(text.as_bytes(), "x", &unsaid, None)?.sentence().to_string();
    assert!(
        assumed.ends_with(
            "(2c 2d 2h 2s 3c … As), which is assumed: everything about ranks, suits and hands depends on it (--numbering)"
        ),
        "{assumed}"
    );
    assert_eq!(
        output(&format!("{header}\n{cards}"), None)?,
        "x was read as cards, one deck a line, separated by commas; its first line was taken as a header"
    );
    assert_eq!(
        output("\0", Some(Format::Raw))?,
        "x was read as raw, 52 bytes a deck, numbers begin at 0, cards numbered 4·rank + suit (2c 2d 2h 2s 3c … As)"
    );
    Ok(())
}

/// A complete record that is no deck, as the third of the stream.
fn check_third_is_no_deck(third: &str, expected: DeckError) {
    let text = lines(2) + third + "\n" + &lines(1);
    match read_stream(text.as_bytes(), None, None) {
        Err(SourceError::NotADeck { record: 3, place, error }) => {
            assert_eq!((place.as_str(), error), ("stdin, record 3 (line 3)", expected));
        }
        other => panic!("{third:?} gave {other:?}"),
    }
}

#[test]
fn a_record_that_is_no_deck_is_proof_unless_it_is_the_first() {
    let bad = lines(1).replace(" 51", " 52");
    let is_proof =
        |text: String| read_stream(text.as_bytes(), None, None).err().map(|error| error.is_proof());
    assert_eq!(is_proof(bad.clone()), Some(false));
    assert_eq!(is_proof(lines(1) + &bad), Some(true));
    assert_eq!(is_proof(lines(1) + "nothing\n"), Some(false));
}

#[test]
fn complete_records_that_are_no_decks_are_proof() {
    let good = index_line(&std::array::from_fn::<u8, 52, _>(|place| place as u8));
    let good = good.trim_end();
    check_third_is_no_deck(good.trim_end_matches(" 51"), DeckError::Count { found: 51 });
    check_third_is_no_deck(&format!("{good} 7"), DeckError::Count { found: 53 });
    check_third_is_no_deck(&good.replace(" 51", " 52"), DeckError::NoCard { place: 51, found: 52 });
    check_third_is_no_deck(&good.replace(" 9 ", " 1009 "), DeckError::NoCard { place: 9, found: 1009 });
    let card = deckproof::card::Card::from_index(3).expect("3 is a card");
    check_third_is_no_deck(&good.replace(" 40 ", " 3 "), DeckError::Repeated { place: 40, first: 3, card });
}

#[test]
fn bad_raw_records_are_named_with_their_offset() {
    let mut raw: Vec<u8> = (0..3).flat_map(deck).collect();
    raw[52 + 7] = 52;
    match read_stream(&raw, Some(Format::Raw), None) {
        Err(SourceError::NotADeck { record: 2, place, error: DeckError::NoCard { place: 7, found: 52 } }) => {
            assert_eq!(place, "stdin, record 2 (byte 52)");
        }
        other => panic!("{other:?}"),
    }
}

fn check_unreadable(text: impl AsRef<[u8]>, format: Option<Format>, message: &str) {
    match read_stream(text.as_ref(), format, None) {
        Err(error @ SourceError::Unreadable { .. }) => assert_eq!(error.to_string(), message),
        other => panic!("{message:?} wanted, {other:?} found"),
    }
}

#[test]
fn torn_and_unreadable_records_say_nothing_about_the_shuffler() {
    let torn = lines(3);
    let torn = &torn[..torn.len() - 20];
    let line = "52 cards and a line feed";
    check_unreadable(
        torn,
        None,
        &format!(
            "stdin, record 3 (line 3): the text ends in the middle of a line, after 45 cards, wanted {line}"
        ),
    );
    // 52 fields, the last of them cut from 41 to 4: a repeat that the shuffler did not make.
    let mut cut = deck(42).map(|card| card.to_string()).join(" ");
    cut.pop();
    check_unreadable(
        &cut,
        None,
        &format!(
            "stdin, record 1 (line 1): the text ends in the middle of a line, after 52 cards, wanted {line}"
        ),
    );
    let raw: Vec<u8> = (0..2).flat_map(deck).collect();
    check_unreadable(&raw[..60], Some(Format::Raw), "stdin, record 2 (byte 52): 8 bytes, wanted 52 bytes");
    check_unreadable(
        lines(2).replacen("7 8", "7 x8", 1),
        None,
        "stdin, record 1 (line 1): \"x8\" in field 8 of \"1 2 3 4 5 6 7 x8 9 10 11 12 13 14 15 16 …\", wanted a card number 0 to 51",
    );
    check_unreadable(
        card_line(0) + &card_line(0).replace("As", "Xx"),
        None,
        "stdin, record 2 (line 2): \"Xx\" in field 51 of \"2d,2h,2s,3c,3d,3h,3s,4c,4d,4h,4s,5c,5d,5…\", wanted a card such as As or 10h",
    );
    check_unreadable(
        lines(1) + "\n" + &lines(1),
        None,
        "stdin, record 2 (line 2): a blank line between decks, wanted a deck in every line",
    );
    check_unreadable(
        "dear sir",
        None,
        "stdin, record 1 (line 1): \"dear sir\": no deck was found in its first lines, wanted 52 card numbers or cards a \
         line, alone or in a table whose first line may name the columns; a title above it has to go, or to begin with #",
    );
    check_unreadable(
        "1".repeat(1 << 20),
        None,
        "stdin, record 1 (line 1): a line longer than 16384 bytes, wanted 52 cards a line",
    );
    let hands = vec![r#"{"hand":1,"deck":"As"}"#; 1_000].join(",");
    let reads = "stdin, record 1 (line 1): a line longer than 16384 bytes, wanted 52 cards a line (JSON: read are a list of records, \
        an object around the only list, and JSON lines; jq -c '.hands[]' writes the list hands as such lines)";
    for text in [
        format!(r#"{{"meta":[1,2],"hands":[{hands}]}}"#),
        format!(r#"{{"rooms":[{{"n":"a"}},{{"hands":[{hands}]}}]}}"#),
        format!(r#"{{"1":{hands},"2":{hands}}}"#),
    ] {
        check_unreadable(text, None, reads);
    }
}

#[test]
fn a_last_line_without_its_feed_is_a_deck_when_it_is_one() -> Outcome {
    assert_eq!(read_stream(lines(3).trim_end().as_bytes(), None, None)?.len(), 3);
    Ok(())
}

#[test]
fn streams_give_exactly_the_decks_that_were_wanted() -> Outcome {
    let text = lines(130);
    assert_eq!(read_stream(text.as_bytes(), None, Some(128))?.len(), 128);
    assert_eq!(read_stream(text.as_bytes(), None, Some(70))?.len(), 70);
    let short = read_stream(text.as_bytes(), None, Some(131));
    assert!(matches!(short, Err(SourceError::TooFew { found: 130, wanted: 131, .. })), "{short:?}");
    for empty in ["", "\u{feff}"] {
        assert!(matches!(read_stream(empty.as_bytes(), None, None), Err(SourceError::Empty { .. })));
    }
    Ok(())
}

#[test]
fn a_stream_goes_on_after_the_same_prefix_only() -> Outcome {
    let header = (0..52).map(|place| format!("p{place} ")).collect::<String>() + "\n";
    let text = header + &lines(200);
    let open = |text: &'static [u8]| Stream::open(text, "stdin", &written(), None);
    let text: &'static [u8] = text.into_bytes().leak();
    let (mut whole, mut block) = (open(text)?, DeckBlock::default());
    whole.fill(0, &mut block)?;
    let consumed = whole.consumed().expect("a stream says what it has read");
    assert_eq!(consumed.decks, 64);
    let mut resumed = open(text)?;
    resumed.resume(&consumed)?;
    whole.fill(64, &mut block)?;
    let mut again = DeckBlock::default();
    resumed.fill(64, &mut again)?;
    assert_eq!(block.rows(), again.rows());
    assert_eq!(whole.consumed(), resumed.consumed());

    let mut other = text.to_vec();
    other[300] ^= 1;
    let refused = open(other.leak())?.resume(&consumed);
    assert!(matches!(refused, Err(SourceError::OtherStream { .. })), "{refused:?}");
    let refused = open(&text[..2000])?.resume(&consumed);
    assert!(matches!(refused, Err(SourceError::OtherStream { .. })), "{refused:?}");
    Ok(())
}

#[test]
fn files_are_hashed_counted_and_read_at_random() -> Outcome {
    let lab = Lab::new();
    // SHA-256 of 52 bytes 0 to 51, by Python's hashlib.
    let path = file(&lab, "one.raw", std::array::from_fn::<u8, 52, _>(|place| place as u8));
    let (_, facts) = Recorded::open(&path, &Written::new(Some(Format::Raw), Numbering::RankSuit))?;
    let sha256: String = facts.sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(sha256, "c4c6540a15fc140a784056fe6d9e13566fb614ecb2d9ac0331e264c386442acd");
    assert_eq!(facts.decks, 1);

    let decks = 65_536 + 300;
    let text = file(&lab, "decks.csv", lines(decks).replace(' ', ","));
    let raw = file(&lab, "decks.raw", (0..decks).flat_map(deck).collect::<Vec<u8>>());
    for (path, format) in [(text, None), (raw, Some(Format::Raw))] {
        let (mut source, facts) = Recorded::open(&path, &Written::new(format, Numbering::RankSuit))?;
        assert_eq!(facts.decks, decks as u64);
        let mut fork = source.fork().expect("files can be opened again");
        let mut block = DeckBlock::default();
        for first in [65_600u64, 0, 128, 65_536, 65_792] {
            for reader in [&mut source as &mut dyn DeckSource, &mut *fork] {
                reader.fill(first, &mut block)?;
                assert_eq!(block.hands() as u64, (decks as u64 - first).min(64));
                assert_eq!(block.deck(3).indices(), &deck(first as usize + 3), "deck {first} + 3");
            }
        }
    }
    Ok(())
}

#[test]
fn files_know_how_many_decks_they_have() -> Outcome {
    let lab = Lab::new();
    let path = file(&lab, "decks.csv", lines(70));
    let open = || Recorded::open(&path, &written());
    assert_eq!(read(&mut open()?.0.limited(66)?)?.len(), 66);
    let refused = open()?.0.limited(71).err().map(|error| error.to_string());
    assert_eq!(refused.as_deref(), Some("decks.csv: found 70 decks, wanted 71"));
    let empty = file(&lab, "empty.csv", "");
    let refused = Recorded::open(&empty, &written()).err();
    assert!(matches!(refused, Some(SourceError::Empty { .. })), "{refused:?}");
    let torn = file(&lab, "torn.raw", &deck(0)[..51]);
    let refused = Recorded::open(&torn, &Written::new(Some(Format::Raw), Numbering::RankSuit)).err();
    assert!(matches!(refused, Some(SourceError::Unreadable { .. })), "{refused:?}");
    assert!(Recorded::open(Path::new(&lab.path("")), &written()).is_err());
    Ok(())
}

#[test]
fn a_file_that_grows_or_shrinks_under_the_reader_is_refused() -> Outcome {
    let lab = Lab::new();
    let path = file(&lab, "decks.csv", lines(70));
    let mut block = DeckBlock::default();
    let (mut source, _) = Recorded::open(&path, &written())?;
    fs::OpenOptions::new().append(true).open(&path)?.write_all(b"0")?;
    let refused = source.fill(0, &mut block);
    assert!(matches!(refused, Err(SourceError::Changed { .. })), "{refused:?}");
    let (mut source, _) = Recorded::open(&path, &written())?;
    fs::OpenOptions::new().write(true).open(&path)?.set_len(200)?;
    let refused = source.fill(0, &mut block);
    assert!(matches!(refused, Err(SourceError::Changed { .. })), "{refused:?}");
    Ok(())
}

#[cfg(unix)]
fn start(words: &str, wanted: u64) -> Result<Program, SourceError> {
    Program::start(words, &written(), Some(wanted))
}

#[cfg(unix)]
#[test]
fn an_endless_program_is_stopped_after_the_decks_that_were_wanted() -> Outcome {
    let mut program = start(&format!("yes '{}'", lines(1).trim_end()), 1_000)?;
    assert_eq!(read(&mut program)?.len(), 1_000);
    Ok(())
}

#[cfg(unix)]
#[test]
fn programs_that_fail_are_told_with_their_status_and_decks() -> Outcome {
    let lab = Lab::new();
    let path = file(&lab, "decks", lines(70));
    let words = format!("sh -c 'cat \"{}\"; exit 3'", path.display());
    let refused = read(&mut start(&words, 100)?).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.ends_with("ended (exit status: 3): found 70 complete decks, wanted 100"), "{refused}");

    // All that were wanted came: the fault is the end.
    let mut whole = start(&words, 70)?;
    assert_eq!(read(&mut whole)?.len(), 70);
    let refused = (0..100).find_map(|_| whole.check_end().err()).map(|error| error.to_string());
    let wanted = "ended (exit status: 3): found 70 complete decks, wanted 70, and an end without a fault";
    assert!(refused.as_ref().is_some_and(|refused| refused.ends_with(wanted)), "{refused:?}");

    let torn = file(&lab, "torn", &lines(2)[..200]);
    let words = format!("cat '{}'", torn.display());
    let refused = read(&mut start(&words, 100)?).err();
    assert!(matches!(refused, Some(SourceError::Unreadable { .. })), "{refused:?}");
    let words = format!("sh -c 'cat \"{}\"; exit 4'", torn.display());
    let refused = read(&mut start(&words, 100)?).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.ends_with("ended (exit status: 4): found 1 complete decks, wanted 100"), "{refused}");

    let refused = start("false", 100).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("(exit status: 1): found 0"), "{refused}");
    assert!(matches!(start("no-such-program-here", 1).err(), Some(SourceError::Io { .. })));
    assert!(matches!(start("", 1).err(), Some(SourceError::Failed(_))));
    assert!(matches!(start("echo 'open", 1).err(), Some(SourceError::Failed(_))));
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_program_that_deals_no_deck_is_proof_against_it() -> Outcome {
    let words = format!("echo '{}'", lines(2).replacen("51 0 1", "51 51 1", 1));
    let refused = read(&mut start(&words, 2)?).err();
    assert!(matches!(refused, Some(SourceError::NotADeck { record: 2, .. })), "{refused:?}");
    Ok(())
}
