//! The hands of several files: each once, other games counted, what cannot be read named.

use std::collections::BTreeMap;

use deckproof_deck::card::Card;
use deckproof_stud::stud::history::phh::{self, PhhError};
use deckproof_stud::stud::history::{History, pokerstars};
use deckproof_stud::stud::record::{Record, SeatRecord};

/// The door cards of a hand by seat, in the order of the record.
type Doors = Vec<(u8, Option<Card>)>;

/// What the files hold.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Collection {
    /// The hands of stud, in the order of the files.
    pub records: Vec<Record>,
    /// Hands of other games, by the name of the game.
    pub others: BTreeMap<String, u64>,
    /// Hands that cannot be read, each with its file, its number and the reason.
    pub unread: Vec<String>,
    /// Hands that stand in the files a second time, with the same door cards; they count once.
    pub again: Vec<String>,
    /// Hands that hold a card twice: file, number and card. Those are not among `records`.
    pub impossible: Vec<(String, Card)>,
    seen: BTreeMap<String, Doors>,
}

impl Collection {
    /// Adds the hands of a file: a text export of PokerStars or Full Tilt Poker, or Poker Hand History.
    pub fn add(&mut self, file: &str, text: &str) {
        if pokerstars::is_export(text) { self.add_export(file, text) } else { self.add_histories(file, text) }
    }

    fn add_export(&mut self, file: &str, text: &str) {
        let export = pokerstars::read(text);
        let room = text.trim_start_matches('\u{feff}').split_whitespace().next().unwrap_or_default();
        self.unread.extend(export.unread.iter().map(|unread| format!("{file}: {unread}")));
        for other in export.others {
            *self.others.entry(other.game).or_default() += 1;
        }
        for record in export.hands {
            let label = format!("{file}: hand {}", record.number);
            self.insert(format!("{room} {}", record.number), label, record);
        }
    }

    fn add_histories(&mut self, file: &str, text: &str) {
        let hands = match phh::parse_file(text) {
            Ok(hands) => hands,
            // The reader of TOML explains itself over several lines.
            Err(PhhError::Toml(_)) => {
                let reason = "found neither an export of PokerStars nor a Poker Hand History";
                return self.unread.push(format!("{file}: {reason}"));
            }
            Err(error) => vec![(String::new(), Err(error))],
        };
        for (table, hand) in hands {
            let place = if table.is_empty() { file.to_owned() } else { format!("{file} [{table}]") };
            match hand {
                Ok(history) => self.add_history(place, &history),
                Err(PhhError::Variant { found, .. }) => *self.others.entry(found).or_default() += 1,
                Err(error) => self.unread.push(format!("{place}: {error}")),
            }
        }
    }

    fn add_history(&mut self, place: String, history: &History) {
        let Some(record) = Record::of_history(place.clone(), history) else {
            *self.others.entry(history.variant.clone()).or_default() += 1;
            return;
        };
        let actions: Vec<&str> = history.lines.iter().map(|line| &line.text[..]).collect();
        let hand =
            ["_origin", "_table", "_hand"].map(|name| history.field(name).unwrap_or_default().concat());
        self.insert(format!("{} {}", hand.join(" "), actions.join(",")), place, record);
    }

    /// Takes a hand in, unless it is there already or no deck can have dealt it.
    fn insert(&mut self, identity: String, label: String, record: Record) {
        let door = |seat: &SeatRecord| (seat.seat, seat.up.first().copied().flatten());
        let doors: Doors = record.seats.iter().map(door).collect();
        let before = self.seen.get(&identity);
        if before.is_some_and(|before| *before != doors) {
            let reason = "a hand before has this number and other door cards: two hands have one number, or one of them was changed";
            return self.unread.push(format!("{label}: {reason}"));
        }
        match record.repeated_card() {
            Some(card) => self.impossible.push((label, card)),
            None if before.is_some() => return self.again.push(label),
            None => self.records.push(record),
        }
        self.seen.insert(identity, doors);
    }

    /// All hands that were found, of whatever game, each once.
    pub fn hands_total(&self) -> usize {
        let others: u64 = self.others.values().sum();
        self.records.len() + self.impossible.len() + self.unread.len() + others as usize
    }
}
