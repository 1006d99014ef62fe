//! The opened cards as players speak of them: by seat, street and face.

use std::collections::BTreeMap;

use crate::verify::Accepted;
use deckproof_deck::card::Card;
use deckproof_stud::stud::deal::{DealtCard, Face, Street};
use deckproof_stud::stud::seat::Seat;

/// What a player saw in front of one seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenAtSeat {
    /// Which seat.
    pub seat: Seat,
    /// The cards, and whether they lay face down.
    pub cards: Vec<(Card, Face)>,
}

impl SeenAtSeat {
    /// Reads `seat 4: 7h Ks down, 2c up`; several seats stand apart by `;`.
    pub fn parse_all(text: &str) -> Option<Vec<SeenAtSeat>> {
        text.split(';').map(SeenAtSeat::parse).collect()
    }

    fn parse(text: &str) -> Option<SeenAtSeat> {
        let (seat, groups) = text.trim().strip_prefix("seat ")?.split_once(':')?;
        let seat = Seat::parse(seat.trim())?;
        let mut cards = Vec::new();
        for group in groups.split(',') {
            let words: Vec<&str> = group.split_whitespace().collect();
            let (face, names) = words.split_last()?;
            let face = match *face {
                "down" => Face::Down,
                "up" => Face::Up,
                _ => return None,
            };
            if names.is_empty() {
                return None;
            }
            for name in names {
                cards.push((name.parse().ok()?, face));
            }
        }
        Some(SeenAtSeat { seat, cards })
    }

    /// The dealt positions of these cards.
    ///
    /// # Errors
    /// [`Absent`] for the first that the bundle does not open at this seat.
    pub fn positions(&self, bundle: &Accepted) -> Result<BTreeMap<u8, Card>, Absent> {
        let mut found = BTreeMap::new();
        for &(card, face) in &self.cards {
            let lies_there = |line: &&DealtCard| line.seat == Some(self.seat) && line.face == face;
            let mut lines = bundle.transcript.iter().filter(lies_there);
            let Some(line) = lines.clone().find(|line| bundle.opened.get(&line.position) == Some(&card))
            else {
                // A card that is opened elsewhere did not lie here, whatever is hidden.
                let is_elsewhere = bundle.opened.values().any(|opened| *opened == card);
                let hides = lines.any(|line| !bundle.opened.contains_key(&line.position));
                return Err(Absent { card, face, may_be_hidden: hides && !is_elsewhere });
            };
            found.insert(line.position, card);
        }
        Ok(found)
    }
}

/// A card that somebody saw and a bundle does not open at that seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Absent {
    /// The card.
    pub card: Card,
    /// How it lay.
    pub face: Face,
    /// It may be one of those that the bundle does not open: then nothing contradicts.
    pub may_be_hidden: bool,
}

/// A card that was opened, and where it went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenedAt {
    /// Its line in the transcript.
    pub line: DealtCard,
    /// The card.
    pub card: Card,
    /// On which street it was burned before, if it came back from the burned cards.
    pub burned: Option<Street>,
}

/// The opened cards in the order they were dealt. A burned card is left out, unless it came back: with too
/// few cards left, Espacejeux shuffles the burned ones in again for seventh street.
pub fn opened_in_order(transcript: &[DealtCard], opened: &BTreeMap<u8, Card>) -> Vec<OpenedAt> {
    let burned = |position: u8| {
        let burn = transcript.iter().find(|line| line.position == position && line.face == Face::Burn);
        burn.map(|line| line.street)
    };
    let dealt = transcript.iter().filter(|line| line.face != Face::Burn);
    dealt
        .filter_map(|line| {
            let card = *opened.get(&line.position)?;
            Some(OpenedAt { line: *line, card, burned: burned(line.position) })
        })
        .collect()
}
