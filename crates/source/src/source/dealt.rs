//! `table:DIR`: the decks of the hands that `deckproof deal` dealt, made again from their keys.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::source::pieces::{self, Input, invalid};
use deckproof_deck::commitment::SecretDeck;
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::{HandContext, HandKey};

/// Where a table keeps what opens its hands, in its folder.
pub(super) const HANDS_FILE: &str = "secret/hands.txt";

/// And where its entries are, from there.
const ENTRIES_FILE: &str = "../public/entries.txt";

/// No line of a table's file is this long.
const LINE_BYTES_MAX: u64 = 4096;

/// Whether a file is that of a table: only what is at its place in the folder is read so.
pub(super) fn is_of_table(path: &Path) -> bool {
    path.ends_with(HANDS_FILE)
}

/// The decks of the file of a table at its place in the folder.
///
/// # Errors
/// The entries of the table cannot be read.
pub(super) fn decks(path: &Path, lines: File) -> io::Result<Input> {
    let public = path.parent().unwrap_or(Path::new("")).join(ENTRIES_FILE);
    let ended = Entries::open(&public)?.ended()?;
    let (lines, entries) = (BufReader::new(lines), Entries::open(&public)?);
    let mut decks = Decks { lines, entries, next_hand: None, read: 0, ended };
    Ok(pieces::input(move || decks.next_deck()))
}

/// `N close KEY …` and `N void KEY …`, line by line, as the 52 numbers of the decks, each the one that the deck entry of its hand
/// commits to. A hand whose deck was never opened has no key and no deck here; a number that is left out is refused.
struct Decks {
    lines: BufReader<File>,
    entries: Entries,
    next_hand: Option<u64>,
    /// Hands read, and how many had ended by their entries when the first was read.
    read: u64,
    ended: u64,
}

impl Decks {
    /// The next deck that has a key; an empty text at the end.
    fn next_deck(&mut self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        while text.is_empty() {
            let mut line = Zeroizing::new(String::new());
            if self.lines.by_ref().take(LINE_BYTES_MAX).read_line(&mut line)? == 0 {
                return self.check_end().map(|()| text);
            }
            if !line.ends_with('\n') {
                return Err(invalid("found a line that is torn, wanted one that ends with a line feed"));
            }
            text = self.deck(&line)?;
            self.read += 1;
        }
        Ok(text)
    }

    /// A hand gets its line before its end gets an entry.
    fn check_end(&self) -> io::Result<()> {
        if self.read >= self.ended {
            return Ok(());
        }
        let (read, ended) = (self.read, self.ended);
        Err(invalid(format!(
            "found {read} hands, wanted the {ended} that have ended by the entries of the table"
        )))
    }

    fn deck(&mut self, line: &str) -> io::Result<Vec<u8>> {
        let mut words = line.split_whitespace();
        let hand = words.next().and_then(|word| word.parse().ok());
        let hand: u64 = hand.ok_or_else(|| invalid("found a line without a hand"))?;
        let wanted = self.next_hand.unwrap_or(hand);
        if hand != wanted {
            return Err(invalid(format!("found hand {hand}, wanted hand {wanted}: a hand is missing")));
        }
        self.next_hand = hand.checked_add(1);
        if !matches!(words.next(), Some("close" | "void")) {
            return Err(invalid(format!("hand {hand}: found neither close nor void")));
        }
        let (context, root) = self.entries.next_deck(hand)?;
        match words.next() {
            Some("-") => Ok(Vec::new()),
            key => {
                let key = key.and_then(|key| key.parse::<HandKey>().ok());
                let key = key.ok_or_else(|| invalid(format!("hand {hand}: found no key")))?;
                let deck = SecretDeck::new(&key, &context);
                if deck.root() != root {
                    return Err(invalid(format!(
                        "hand {hand}: found a key that is not that of its deck entry"
                    )));
                }
                let numbers: Vec<String> = deck.deck().indices().iter().map(u8::to_string).collect();
                Ok((numbers.join(" ") + "\n").into_bytes())
            }
        }
    }
}

/// The entries of a table, one after the other with an empty line between.
struct Entries {
    lines: BufReader<File>,
    path: PathBuf,
}

impl Entries {
    fn open(path: &Path) -> io::Result<Entries> {
        let at = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        Ok(Entries { lines: BufReader::new(File::open(path).map_err(at)?), path: path.to_owned() })
    }

    /// The lines of the next entry; none at the end.
    fn next(&mut self) -> io::Result<Vec<String>> {
        let mut entry = Vec::new();
        loop {
            let mut line = String::new();
            let length = self.lines.by_ref().take(LINE_BYTES_MAX).read_line(&mut line)?;
            match line.trim_end() {
                "" if length == 0 || !entry.is_empty() => return Ok(entry),
                "" => {}
                text => entry.push(text.to_owned()),
            }
        }
    }

    /// How many hands have ended.
    fn ended(&mut self) -> io::Result<u64> {
        let mut ended = 0;
        loop {
            match self.next()?.first().map(String::as_str) {
                None => return Ok(ended),
                Some("deckproof/v1 close" | "deckproof/v1 void") => ended += 1,
                Some(_) => {}
            }
        }
    }

    /// What the next deck entry says, which is that of this hand.
    fn next_deck(&mut self, hand: u64) -> io::Result<(HandContext, Digest)> {
        let path = self.path.display().to_string();
        let lacks = || invalid(format!("hand {hand}: found no deck entry of it in {path}"));
        loop {
            let entry = self.next()?;
            match entry.first().map(String::as_str) {
                None => return Err(lacks()),
                Some("deckproof/v1 deck") => {
                    let field =
                        |name| entry.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
                    let number = field("hand").and_then(|number| number.parse().ok());
                    let root = field("deck").and_then(Digest::from_hex);
                    let [Some(origin), Some(table), Some(mix)] = ["origin", "table", "mix"].map(field) else {
                        return Err(lacks());
                    };
                    let root = root.filter(|_| number == Some(hand)).ok_or_else(lacks)?;
                    return Ok((HandContext::new(origin, table, hand, mix), root));
                }
                Some(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The decks of hands of one key, three of them with an entry.
    fn read(text: &str, key: &HandKey) -> io::Result<String> {
        let folder = tempfile::tempdir()?;
        let place = |name: &str| folder.path().join(name);
        ["public", "secret"].iter().try_for_each(|name| std::fs::create_dir(place(name)))?;
        let entry = |hand: u64| {
            let root = SecretDeck::new(key, &HandContext::new("a.example", "T-1", hand, "none")).root();
            let deck = format!(
                "deckproof/v1 deck\norigin a.example\ntable T-1\nhand {hand}\nmix none\ndeck {root}\n"
            );
            format!("{deck}\ndeckproof/v1 close\nopen 00\n\n")
        };
        std::fs::write(place("public/entries.txt"), (3..=5).map(entry).collect::<String>())?;
        std::fs::write(place(HANDS_FILE), text)?;
        io::read_to_string(decks(&place(HANDS_FILE), File::open(place(HANDS_FILE))?)?)
    }

    #[test]
    fn hands_become_decks_and_another_or_a_missing_one_is_named() -> io::Result<()> {
        let key = "07".repeat(32);
        let read = |text: &str| read(text, &key.parse().expect("a key"));
        let both = read(&format!("3 close {key} 1,2 -\n4 void - crash\n5 void {key} crash\n"))?;
        let lines: Vec<&str> = both.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[0].split(' ').count()), (2, lines[1], 52));
        for (text, says) in [
            (format!("3 close {key} - -\n5 close {key} - -\n"), "wanted hand 4"),
            (format!("3 close {}g - -\n", &key[1..]), "no key"),
            (
                format!("3 close {}1 - -\n", &key[1..]),
                "hand 3: found a key that is not that of its deck entry",
            ),
            (format!("4 close {key} - -\n"), "hand 4: found no deck entry"),
            (
                format!("3 close {key} - -\n4 close {key} - -\n"),
                "found 2 hands, wanted the 3 that have ended",
            ),
            (format!("3 open {key} - -\n"), "neither close"),
            (format!("3 close {key} - -"), "torn"),
        ] {
            let error = read(&text).expect_err("it is none").to_string();
            assert!(error.contains(says) && !error.contains(&key[..20]), "{error}");
        }
        Ok(())
    }
}
