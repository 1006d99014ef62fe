//! The opened cards as players speak of them: by seat, street and face.

use std::collections::BTreeMap;

use crate::verify::Accepted;
use deckproof_deck::card::{Card, without_symbols};
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
    /// Reads `seat 4: 7h Ks down, 2c up`, in small letters or large, with letters or symbols of suits; several seats stand apart by `;`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse_all(text: &str) -> Result<Vec<SeenAtSeat>, String> {
        let text: String = without_symbols(text).collect();
        text.split(';').map(SeenAtSeat::parse).collect()
    }

    fn parse(text: &str) -> Result<SeenAtSeat, String> {
        let (seat, groups) =
            text.split_once(':').ok_or_else(|| format!("{:?} has no colon behind the seat", text.trim()))?;
        let seat = seat.trim().to_ascii_lowercase();
        let seat = seat.strip_prefix("seat").unwrap_or(&seat).trim();
        let seat = Seat::parse(seat).ok_or_else(|| format!("{seat:?} is no seat 1 to 8"))?;
        let mut cards = Vec::new();
        for group in groups.split(',') {
            let words: Vec<&str> = group.split_whitespace().collect();
            let faces = [("down", Face::Down), ("up", Face::Up)];
            let is_last = |name: &str| words.last().is_some_and(|last| last.eq_ignore_ascii_case(name));
            let Some((name, face)) = faces.into_iter().find(|(name, _)| is_last(name)) else {
                return Err(format!("neither down nor up is behind {:?}", words.join(" ")));
            };
            if words.len() == 1 {
                return Err(format!("no card is before {name:?}"));
            }
            for card in &words[..words.len() - 1] {
                cards.push((card.parse::<Card>().map_err(|error| error.to_string())?, face));
            }
        }
        Ok(SeenAtSeat { seat, cards })
    }

    /// The dealt positions of these cards.
    ///
    /// # Errors
    /// [`Absent`] for the first that the bundle does not open at this seat; one that may be hidden hides none that is not there.
    pub fn positions(&self, bundle: &Accepted) -> Result<BTreeMap<u8, Card>, Absent> {
        let (mut found, mut hidden) = (BTreeMap::new(), None);
        for &(card, face) in &self.cards {
            let lies_there = |line: &&DealtCard| line.seat == Some(self.seat) && line.face == face;
            let mut lines = bundle.transcript.iter().filter(lies_there);
            let Some(line) = lines.clone().find(|line| bundle.opened.get(&line.position) == Some(&card))
            else {
                // A card that is opened elsewhere did not lie here, whatever is hidden.
                let is_elsewhere = bundle.opened.values().any(|opened| *opened == card);
                let hides = lines.any(|line| !bundle.opened.contains_key(&line.position));
                let absent = Absent { card, face, may_be_hidden: hides && !is_elsewhere };
                if !absent.may_be_hidden {
                    return Err(absent);
                }
                hidden = hidden.or(Some(absent));
                continue;
            };
            found.insert(line.position, card);
        }
        hidden.map_or(Ok(found), Err)
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
