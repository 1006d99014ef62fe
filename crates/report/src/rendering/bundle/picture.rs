//! The opened cards in the words of a player: by seat, street and face.

use std::collections::BTreeMap;

use crate::document::words::{Language, Words};
use deckproof_stud::stud::deal::{Face, Street};
use deckproof_stud::stud::seat::Seat;
use deckproof_verify::verify::Accepted;
use deckproof_verify::verify::seats::{OpenedAt, opened_in_order};

/// A line a seat, the community card, and what is unusual.
pub fn lines(accepted: &Accepted, words: &Words) -> Vec<String> {
    let own = &words.bundle;
    let cards = opened_in_order(&accepted.transcript, &accepted.opened);
    if cards.is_empty() {
        let count = accepted.opened.len();
        return vec![match count {
            0 => own.none_opened.to_owned(),
            _ if accepted.is_closed => own.undealt_opened(count as u64),
            _ => own.voided_opened(count as u64),
        }];
    }
    let mut seats: BTreeMap<Option<Seat>, Vec<OpenedAt>> = BTreeMap::new();
    for card in &cards {
        seats.entry(card.line.seat).or_default().push(*card);
    }
    let mut lines: Vec<String> = accepted
        .seats
        .in_order()
        .iter()
        .filter_map(|seat| Some(own.seat_has(&seat.to_string(), &streets(seats.get(&Some(*seat))?, words))))
        .collect();
    if let Some(shared) = seats.get(&None) {
        lines.push(own.everybody_has(&streets(shared, words)));
    }
    lines.extend(cards.iter().filter_map(|card| came_back(card, words)));
    lines
}

/// `third street, down: 7h Ks, up: 2c; fourth street, up: 9d`.
fn streets(cards: &[OpenedAt], words: &Words) -> String {
    let own = &words.bundle;
    let of_street = |street: Street| {
        let of_face = |face: Face| {
            let cards = cards.iter().filter(|card| card.line.street == street && card.line.face == face);
            let cards: Vec<String> = cards.map(|card| card.card.to_string()).collect();
            (!cards.is_empty()).then(|| own.face_has(face_in(face, words), &cards.join(" ")))
        };
        let faces: Vec<String> =
            [Face::Down, Face::Up, Face::Community].into_iter().filter_map(of_face).collect();
        (!faces.is_empty()).then(|| own.street_has(street_in(street, words), &faces.join(", ")))
    };
    let streets: Vec<String> = Street::ALL.into_iter().filter_map(of_street).collect();
    words.series(&streets)
}

/// Espacejeux shuffles the burned cards in again when too few are left: stated where it happened.
fn came_back(card: &OpenedAt, words: &Words) -> Option<String> {
    let own = &words.bundle;
    let burned = card.burned?;
    let whose = card.line.seat.map_or(own.of_community.to_owned(), |seat| own.of_seat(&seat.to_string()));
    Some(own.came_back(&whose, &card.card.to_string(), street_in(burned, words)))
}

fn street_in(street: Street, words: &Words) -> &'static str {
    let own = &words.bundle;
    match street {
        Street::Third => own.third,
        Street::Fourth => own.fourth,
        Street::Fifth => own.fifth,
        Street::Sixth => own.sixth,
        Street::Seventh => own.seventh,
    }
}

/// A face in the words of a language.
pub fn face_in(face: Face, words: &Words) -> &'static str {
    let own = &words.bundle;
    match face {
        Face::Down => own.down,
        Face::Up => own.up,
        Face::Community => own.community,
        Face::Burn => own.burned,
    }
}

/// A face as the codes of refusals have it.
pub fn face_word(face: Face) -> &'static str {
    face_in(face, Language::English.words())
}
