//! What the player says and saved: commitments, the trust file, cards seen, the own seed.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::verification::OTHER_VERSION_OF_HAND;
use crate::verification::references::{Given, PlayerWords};
use deckproof_deck::card::Card;
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_deck::key::secret::Secret;
use deckproof_deck::text::carried::plain;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::excerpt;
use deckproof_files::file::input::FileError;
use deckproof_files::file::read_limited;
use deckproof_stud::stud::seat::Seat;
use deckproof_verify::log::entry::Entry;
use deckproof_verify::log::receipt::{self, Receipt};
use deckproof_verify::log::refusal::is_unknown_version;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::log::witnessed::Witnessed;
use deckproof_verify::verify::before::Saved;
use deckproof_verify::verify::seats::SeenAtSeat;
use deckproof_verify::verify::{OwnSeed, Statements};

/// What a player gives with bundles, as he typed it.
#[derive(Clone, Copy, Default)]
pub struct GivenByPlayer<'a> {
    /// The bundles; `-` is standard input.
    pub files: &'a [PathBuf],
    /// Deck entries or their hashes, or files of entries.
    pub committed: &'a [String],
    /// Files with the open entry that was held before the own seed was given, or before the beacon's round was due.
    pub opened: &'a [PathBuf],
    /// Files of receipts.
    pub receipts: &'a [PathBuf],
    /// The trust file.
    pub trust: Option<&'a Path>,
    /// Cards seen, such as `seat 4: 7h Ks down, 2c up` or `0=7h,12=As`.
    pub seen: &'a [String],
    /// `SEAT:SEED`.
    pub own_seed: Option<&'a Secret>,
}

/// No trust file and no file of saved entries is longer, in bytes.
const SAVED_BYTES_MAX: u64 = 64 << 20;

/// What was saved before the hand, read and parsed.
pub fn saved(given: &GivenByPlayer) -> Result<Given, CouldNotSay> {
    let mut committed = Vec::new();
    for text in given.committed {
        committed.push((text.clone(), read_committed(text)?));
    }
    let receipts: Vec<(String, Receipt)> =
        given.receipts.iter().map(|path| read_receipt(path)).collect::<Result<_, _>>()?;
    let mut opened = Vec::new();
    for path in given.opened {
        opened.extend(read_opened(path)?);
    }
    let trust = given.trust.map(read_trust).transpose()?;
    for ((name, receipt), trust) in
        receipts.iter().flat_map(|own| trust.iter().map(move |trust| (own, trust)))
    {
        Witnessed::parse(&receipt.note, trust, "the receipt").map_err(|refusal| {
            CouldNotSay(format!(
                "--receipt {name}: {} ({}). It was damaged, or it is of another log than the trust file; that says nothing of this hand. Leave it \
                 out, or give the whole one.",
                refusal.message,
                refusal.code.name()
            ))
        })?;
    }
    let trust_name = given.trust.map_or(String::new(), |path| path.display().to_string());
    Ok(Given { committed, opened, receipts, trust, trust_name })
}

/// The openings of a file that holds neither their cut nor their end, for nobody had those before a seed was given, and the decks beside them.
fn read_opened(path: &Path) -> Result<Vec<Saved>, CouldNotSay> {
    let found = read_entries(path)?;
    let later = |open: &Saved| {
        let Saved::Entry(text, entry) = open else { return false };
        let (Entry::Open(open), own) = (&**entry, leaf_hash(text)) else { return false };
        found.iter().any(|saved| match saved {
            Saved::Entry(_, entry) => match &**entry {
                Entry::Cut(cut) => cut.open == own,
                Entry::Close(close) => close.open == own,
                Entry::Void(void) => void.deck == open.deck,
                _ => false,
            },
            Saved::Hash(_) => false,
        })
    };
    let (late, early): (Vec<Saved>, Vec<Saved>) =
        found.iter().filter(|saved| saved.is_opening()).cloned().partition(later);
    match (late.is_empty(), early.is_empty()) {
        (_, false) => {
            let is_deck =
                |saved: &Saved| matches!(saved, Saved::Entry(_, entry) if matches!(**entry, Entry::Deck(_)));
            Ok(early.into_iter().chain(found.into_iter().filter(is_deck)).collect())
        }
        (true, true) => Err(CouldNotSay(format!("--opened {}: found no open entry", path.display()))),
        (false, true) => Err(CouldNotSay(format!(
            "--opened {}: it holds the cut or the end of the hand too, so you did not hold all of it before. Give the entries that you held; what \
             you only kept goes with --committed.",
            path.display()
        ))),
    }
}

/// What was saved in a file; nothing where it holds neither entries nor digits.
fn read_entries(path: &Path) -> Result<Vec<Saved>, CouldNotSay> {
    let bytes = read_limited(path, SAVED_BYTES_MAX).map_err(|error| FileError::new(path, error))?;
    let text = String::from_utf8_lossy(&bytes);
    let found = Saved::noted(&text);
    if found.is_empty() && text.trim_start_matches('\u{feff}').starts_with("c2sp.org/tlog-proof") {
        return Err(CouldNotSay(format!(
            "{}: found a receipt of the log, wanted an entry or 64 hexadecimal digits: give it with --receipt, beside --trust",
            path.display()
        )));
    }
    if found.is_empty()
        && let Some(line) = text.lines().find(|line| is_unknown_version(line, "deckproof/v1 "))
    {
        return Err(CouldNotSay(format!(
            "{}: found {:?}, which is of a version that this program does not know: {OTHER_VERSION_OF_HAND}",
            path.display(),
            excerpt(line, 40)
        )));
    }
    Ok(found)
}

fn read_committed(given: &str) -> Result<Vec<Saved>, CouldNotSay> {
    if let [hash @ Saved::Hash(_)] = &Saved::read(given)[..] {
        return Ok(vec![hash.clone()]);
    }
    let path = Path::new(given);
    if !path.exists()
        && let Some(found) = nearly_digits(&Saved::bare(given))
    {
        return Err(CouldNotSay(format!(
            "--committed {given}: found {found}, wanted 64 hexadecimal digits (0-9, a-f), or a file that holds the deck entry"
        )));
    }
    let found = read_entries(path)?;
    if found.is_empty() {
        Err(CouldNotSay(format!(
            "--committed {given}: found neither an entry of a log nor 64 hexadecimal digits"
        )))
    } else {
        Ok(found)
    }
}

/// What was found in the place of 64 digits; nothing of a text that may be meant otherwise.
fn nearly_digits(text: &str) -> Option<String> {
    let letters = text.chars().count();
    let others: Vec<(usize, char)> =
        text.chars().enumerate().filter(|(_, letter)| !letter.is_ascii_hexdigit()).collect();
    match others.first() {
        None => (letters > 8).then(|| format!("{letters} hexadecimal digits")),
        Some((place, other)) => (letters >= 32 && others.len() * 5 <= letters)
            .then(|| format!("{letters} characters, of which number {} is {other:?}", place + 1)),
    }
}

/// A receipt is a note of at most 64 KiB behind a few hashes.
fn read_receipt(path: &Path) -> Result<(String, Receipt), CouldNotSay> {
    let name = path.display().to_string();
    let bytes = read_limited(path, 1 << 17).map_err(|error| FileError::new(path, error))?;
    let text = plain(&String::from_utf8_lossy(&bytes));
    let (receipt, first) = (Receipt::parse(&text), text.lines().next().unwrap_or(""));
    match receipt {
        Some(receipt) => Ok((name, receipt)),
        None if is_unknown_version(first, receipt::FIRST_LINE) => Err(CouldNotSay(format!(
            "--receipt {name}: found {first:?}, which is of a version that this program does not know: {OTHER_VERSION_OF_HAND}"
        ))),
        None => Err(CouldNotSay(format!(
            "--receipt {name}: found no receipt in the format c2sp.org/tlog-proof@v1"
        ))),
    }
}

/// The log that a reader trusts.
pub fn read_trust(path: &Path) -> Result<Trust, CouldNotSay> {
    let bytes = read_limited(path, 1 << 20).map_err(|error| FileError::new(path, error))?;
    let problem = |error: &dyn fmt::Display| CouldNotSay(format!("--trust {}: {error}", path.display()));
    let trust =
        Trust::parse(plain(&String::from_utf8_lossy(&bytes)).as_bytes()).map_err(|error| problem(&error))?;
    trust.keys().map_err(|error| problem(&error))?;
    Ok(trust)
}

/// What the player says; it is about one hand, so it goes with one bundle.
pub fn statements(given: &GivenByPlayer) -> Result<PlayerWords, CouldNotSay> {
    let usage = |message: &str| CouldNotSay(message.to_owned());
    let reads_stdin = given.files.iter().filter(|file| *file == Path::new("-")).count()
        + usize::from(given.own_seed.is_some_and(own_seed_is_on_stdin));
    if reads_stdin > 1 {
        return Err(usage("standard input can be read once only: give one -"));
    }
    let speaks = !given.seen.is_empty() || given.own_seed.is_some();
    if speaks && given.files.len() > 1 {
        return Err(usage("--seen and --my-seed are about one hand: give one bundle"));
    }
    let own_seeds = given.own_seed.into_iter().map(own_seed).collect::<Result<_, _>>()?;
    let (mut seen, mut at_seats) = (Vec::new(), Vec::new());
    for text in given.seen {
        if text.trim_start().to_ascii_lowercase().starts_with("seat") {
            at_seats.extend(SeenAtSeat::parse_all(text).map_err(|wrong| {
                usage(&format!(
                    "--seen: found {text:?}, where {wrong}; wanted cards such as 'seat 4: 7h Ks down, 2c up', seats apart by ;"
                ))
            })?);
            continue;
        }
        for pair in text.split(',') {
            seen.push(parse_seen(pair).map_err(|wanted| usage(&format!("--seen: {wanted}")))?);
        }
    }
    Ok(PlayerWords { own: Statements { seen: distinct_seen(&seen)?, own_seeds }, at_seats })
}

fn distinct_seen(seen: &[(u8, String)]) -> Result<Vec<(u8, String)>, CouldNotSay> {
    let mut distinct: Vec<(u8, String)> = Vec::new();
    for (position, card) in seen {
        match distinct.iter().find(|other| other.0 == *position) {
            Some((_, other)) if other != card => {
                let message = format!("--seen: position {position} cannot be {other} and {card}");
                return Err(CouldNotSay(message));
            }
            Some(_) => {}
            None => distinct.push((*position, card.clone())),
        }
    }
    Ok(distinct)
}

fn parse_seen(text: &str) -> Result<(u8, String), String> {
    let (position, card) = text.trim().split_once('=').ok_or_else(|| {
        format!(
            "found {text:?}, wanted cards such as 'seat 4: 7h Ks down, 2c up' or POSITION=CARD such as 0=7h"
        )
    })?;
    let known = (0..52u8).find(|number| number.to_string() == position);
    let position =
        known.ok_or_else(|| format!("found {position:?}, wanted a dealt position 0 to 51 before the ="))?;
    let card: Card = card.parse().map_err(|error| format!("{error}"))?;
    Ok((position, card.to_string()))
}

/// Splits `SEAT:SEED`; the text may be secret, so no message repeats it.
fn split_own_seed(argument: &Secret) -> Option<(Seat, Secret)> {
    let Secret::Inline(text) = argument else { return None };
    let (seat, seed) = text.split_once(':')?;
    Some((Seat::parse(seat)?, seed.parse().ok()?))
}

fn own_seed_is_on_stdin(argument: &Secret) -> bool {
    matches!(split_own_seed(argument), Some((_, Secret::Stdin)))
}

fn own_seed(argument: &Secret) -> Result<OwnSeed, CouldNotSay> {
    let usage = |message: &str| CouldNotSay(format!("--my-seed: {message}"));
    let (seat, seed) =
        split_own_seed(argument).ok_or_else(|| usage("wanted SEAT:@FILE, such as 4:@seed.txt"))?;
    let text = seed.text()?;
    let seed = Digest::from_hex(&text.to_ascii_lowercase());
    Ok(OwnSeed { seat, seed: seed.ok_or_else(|| usage("the seed is not 64 hexadecimal digits"))? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(texts: &[&str]) -> Result<PlayerWords, String> {
        let seen: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        statements(&GivenByPlayer { seen: &seen, ..Default::default() }).map_err(|error| error.to_string())
    }

    #[test]
    fn cards_are_seen_at_seats_or_by_position_and_contradict_nothing() {
        let words = seen(&["0=7h,12=As", "0=7h", "seat 4: 7h Ks down, 2c up"]).expect("cards");
        assert_eq!(words.own.seen, [(0, "7h".to_owned()), (12, "As".to_owned())]);
        assert_eq!(words.at_seats.len(), 1);
        let error = |texts: &[&str]| seen(texts).err().expect("not understood");
        assert_eq!(error(&["0=7h", "0=As"]), "--seen: position 0 cannot be 7h and As");
        assert!(error(&["52=7h"]).starts_with("--seen: found \"52\", wanted a dealt position 0 to 51"));
        for (text, wrong) in [
            ("seat four: 7h", "\"four\" is no seat 1 to 8"),
            ("seat 4, 7h up", "\"seat 4, 7h up\" has no colon behind the seat"),
            ("seat 4: 7c Kc", "neither down nor up is behind \"7c Kc\""),
            ("seat 4: 7c down, up", "no card is before \"up\""),
            (
                "seat 4: 7c 1c down",
                "\"1c\" is no card; a card is a rank 2-9, T, J, Q, K, A and a suit c, d, h, s, such as Th or 10h",
            ),
        ] {
            let words = format!("--seen: found {text:?}, where {wrong}; wanted cards such as");
            assert!(error(&[text]).starts_with(&words), "{}", error(&[text]));
        }
        let usual = seen(&["seat 4: 7h Ks down, 2c up"]).expect("cards").at_seats;
        assert_eq!(seen(&["Seat 4: 7H K♠ Down, 2C UP"]).expect("cards").at_seats, usual);
    }

    #[test]
    fn standard_input_is_read_once_and_words_go_with_one_bundle() {
        let refusal = |given: &GivenByPlayer| statements(given).err().expect("refused").to_string();
        let stdin = [PathBuf::from("-")];
        let seed: Secret = "4:-".parse().expect("a seed on standard input");
        let twice = GivenByPlayer { files: &stdin, own_seed: Some(&seed), ..Default::default() };
        assert_eq!(refusal(&twice), "standard input can be read once only: give one -");
        let two = [PathBuf::from("a"), PathBuf::from("b")];
        let seen = ["0=7h".to_owned()];
        let several = GivenByPlayer { files: &two, seen: &seen, ..Default::default() };
        assert!(refusal(&several).ends_with("about one hand: give one bundle"));
        let short: Secret = "4:00ff".parse().expect("a seat and digits");
        let refused = refusal(&GivenByPlayer { own_seed: Some(&short), ..Default::default() });
        assert_eq!(refused, "--my-seed: the seed is not 64 hexadecimal digits");
    }

    #[test]
    fn what_was_saved_is_an_entry_a_hash_or_a_receipt() {
        let digits = "07".repeat(32);
        let given = [digits.clone()];
        let read = saved(&GivenByPlayer { committed: &given, ..Default::default() }).expect("a hash");
        assert_eq!(read.saved().count(), 1);
        let short = [digits[..20].to_owned()];
        let error =
            saved(&GivenByPlayer { committed: &short, ..Default::default() }).err().expect("too short");
        assert!(error.to_string().contains("found 20 hexadecimal digits, wanted 64"), "{error}");
        // As people write them, and slips of the keyboard.
        let grouped = digits.as_bytes().chunks(2).map(|two| String::from_utf8_lossy(two)).collect::<Vec<_>>();
        let read = |text: String| saved(&GivenByPlayer { committed: &[text], ..Default::default() });
        for text in
            [format!("0x{digits}"), grouped.join(":"), format!(" {}\n{}", &digits[..32], &digits[32..])]
        {
            assert_eq!(read(text).expect("a hash").saved().count(), 1);
        }
        let error = read(digits.replacen('0', "O", 1)).err().expect("a letter").to_string();
        assert!(error.contains("found 64 characters, of which number 1 is 'O', wanted 64 hex"), "{error}");
        let error =
            read("no-such-file-of-any-name-at-all.txt".to_owned()).err().expect("no file").to_string();
        assert!(!error.contains("characters"), "{error}");
        let folder = tempfile::tempdir().expect("a folder");
        let receipts = [folder.path().join("receipt")];
        std::fs::write(&receipts[0], "no receipt").expect("a file");
        let error = saved(&GivenByPlayer { receipts: &receipts, ..Default::default() }).err().expect("none");
        assert!(
            error.to_string().ends_with("found no receipt in the format c2sp.org/tlog-proof@v1"),
            "{error}"
        );
    }
}
