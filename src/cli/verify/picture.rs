//! The opened cards in the words of a player: by seat, street and face.

use std::collections::BTreeMap;

use crate::stud::deal::{Face, Street};
use crate::stud::seat::Seat;
use crate::verify::Accepted;
use crate::verify::seats::{OpenedAt, opened_in_order};

/// A line a seat, the community card, and what is unusual.
pub(super) fn lines(accepted: &Accepted) -> Vec<String> {
    let cards = opened_in_order(&accepted.transcript, &accepted.opened);
    if cards.is_empty() {
        let count = accepted.opened.len();
        return vec![match count {
            0 => "No dealt card is opened.".to_owned(),
            _ => {
                format!("{count} cards of the deck are opened; the hand was voided, so nobody received them.")
            }
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
        .filter_map(|seat| Some(format!("seat {seat}, {}", streets(seats.get(&Some(*seat))?))))
        .collect();
    if let Some(shared) = seats.get(&None) {
        lines.push(format!("for everybody, {}", streets(shared)));
    }
    lines.extend(cards.iter().filter_map(came_back));
    lines
}

/// `third street, down: 7h Ks, up: 2c; fourth street, up: 9d`.
fn streets(cards: &[OpenedAt]) -> String {
    let of_street = |street: Street| {
        let of_face = |face: Face| {
            let cards = cards.iter().filter(|card| card.line.street == street && card.line.face == face);
            let cards: Vec<String> = cards.map(|card| card.card.to_string()).collect();
            (!cards.is_empty()).then(|| format!("{}: {}", face_word(face), cards.join(" ")))
        };
        let faces: Vec<String> =
            [Face::Down, Face::Up, Face::Community].into_iter().filter_map(of_face).collect();
        (!faces.is_empty()).then(|| format!("{} street, {}", street_word(street), faces.join(", ")))
    };
    let streets: Vec<String> = Street::ALL.into_iter().filter_map(of_street).collect();
    streets.join("; ")
}

/// Espacejeux shuffles the burned cards in again when too few are left: said where it happened.
fn came_back(card: &OpenedAt) -> Option<String> {
    let burned = card.burned?;
    let whose = card.line.seat.map_or("the community".to_owned(), |seat| format!("seat {seat}'s"));
    Some(format!(
        "{whose} seventh-street card {} had been burned on {} street: too few cards were left, so the burned ones were shuffled in again",
        card.card,
        street_word(burned)
    ))
}

pub(super) fn street_word(street: Street) -> &'static str {
    match street {
        Street::Third => "third",
        Street::Fourth => "fourth",
        Street::Fifth => "fifth",
        Street::Sixth => "sixth",
        Street::Seventh => "seventh",
    }
}

pub(super) fn face_word(face: Face) -> &'static str {
    match face {
        Face::Down => "down",
        Face::Up => "up",
        Face::Community => "community card",
        Face::Burn => "burned",
    }
}
