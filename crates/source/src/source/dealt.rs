//! `table:DIR`: the decks of the hands that `deckproof deal` dealt, made again from their keys.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use zeroize::Zeroizing;

use deckproof_deck::key::HandKey;
use deckproof_deck::shuffle::shuffle_hand;

/// Where a table keeps what opens its hands, in its folder.
pub(super) const HANDS_FILE: &str = "secret/hands.txt";

/// No line of a table's file is this long.
const LINE_BYTES_MAX: u64 = 4096;

/// Whether a file is that of a table: only what stands at its place in the folder is read so.
pub(super) fn is_of_table(path: &Path) -> bool {
    path.ends_with(HANDS_FILE)
}

/// `N close KEY …` and `N void KEY …`, line by line, as the 52 numbers of the decks. A hand whose deck was never
/// opened has no key and no deck here; a number that is left out is refused.
pub(super) struct Decks {
    lines: BufReader<File>,
    next_hand: Option<u64>,
    text: Vec<u8>,
    given: usize,
}

impl Decks {
    pub(super) fn new(file: File) -> Decks {
        Decks { lines: BufReader::new(file), next_hand: None, text: Vec::new(), given: 0 }
    }

    /// The next deck that has a key; an empty text at the end.
    fn refill(&mut self) -> io::Result<()> {
        (self.given, self.text) = (0, Vec::new());
        while self.text.is_empty() {
            let mut line = Zeroizing::new(String::new());
            if self.lines.by_ref().take(LINE_BYTES_MAX).read_line(&mut line)? == 0 {
                return Ok(());
            }
            if !line.ends_with('\n') {
                return Err(invalid(
                    "found a line that is torn, wanted one that ends with a line feed".to_owned(),
                ));
            }
            self.text = self.deck(&line).map_err(invalid)?;
        }
        Ok(())
    }

    fn deck(&mut self, line: &str) -> Result<Vec<u8>, String> {
        let mut words = line.split_whitespace();
        let hand: u64 =
            words.next().and_then(|word| word.parse().ok()).ok_or("found a line without a hand")?;
        let wanted = self.next_hand.unwrap_or(hand);
        if hand != wanted {
            return Err(format!("found hand {hand}, wanted hand {wanted}: a hand is missing"));
        }
        self.next_hand = hand.checked_add(1);
        if !matches!(words.next(), Some("close" | "void")) {
            return Err(format!("hand {hand}: found neither close nor void"));
        }
        match words.next() {
            Some("-") => Ok(Vec::new()),
            key => {
                let key = key.and_then(|key| key.parse::<HandKey>().ok());
                let key = key.ok_or_else(|| format!("hand {hand}: found no key"))?;
                let numbers: Vec<String> = shuffle_hand(&key).indices().iter().map(u8::to_string).collect();
                Ok((numbers.join(" ") + "\n").into_bytes())
            }
        }
    }
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl Read for Decks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.text.len() && !buffer.is_empty() {
            self.refill()?;
        }
        let length = (&self.text[self.given..]).read(buffer)?;
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read(text: &str) -> io::Result<String> {
        let mut file = tempfile::tempfile()?;
        file.write_all(text.as_bytes())?;
        std::io::Seek::rewind(&mut file)?;
        let mut decks = String::new();
        Decks::new(file).read_to_string(&mut decks).map(|_| decks)
    }

    #[test]
    fn hands_become_decks_and_a_missing_one_is_named() -> io::Result<()> {
        let key = "07".repeat(32);
        let both = read(&format!("3 close {key} 1,2 -\n4 void - crash\n5 void {key} crash\n"))?;
        let lines: Vec<&str> = both.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[0].split(' ').count()), (2, lines[1], 52));
        for (text, says) in [
            (format!("3 close {key} - -\n5 close {key} - -\n"), "wanted hand 4"),
            (format!("3 close {}g - -\n", &key[1..]), "no key"),
            (format!("3 open {key} - -\n"), "neither close"),
            (format!("3 close {key} - -"), "torn"),
        ] {
            let error = read(&text).expect_err("it is none").to_string();
            assert!(error.contains(says) && !error.contains(&key[..20]), "{error}");
        }
        Ok(())
    }
}
