//! Several bundles judged together: what they say of one hand must be one hand.

use std::collections::BTreeMap;

use crate::verify::Accepted;
use deckproof_deck::card::Card;

/// The exact texts of the entries in a bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryTexts {
    /// The deck entry.
    pub deck: String,
    /// The open entry.
    pub open: String,
    /// The cut entry, if there is one.
    pub cut: Option<String>,
    /// The close or void entry.
    pub end: String,
}

/// Two bundles of one hand that cannot both be true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The place of one of them among those judged.
    pub first: usize,
    /// The place of the other one.
    pub second: usize,
    /// The first entry that differs: `deck`, `open`, `cut` or `end`.
    pub entry: &'static str,
    /// The first line in which it differs, in one and in the other.
    pub lines: [String; 2],
}

/// The code of such a refusal; the protocol, which judges one bundle, has none.
pub const DIFFERENT: &str = "E_DIFFERENT";

/// Bundles by the hand they are of: the log, the table and the number.
pub fn by_hand<'a>(bundles: &[&'a Accepted]) -> BTreeMap<(&'a str, &'a str, u64), Vec<usize>> {
    let mut hands: BTreeMap<(&str, &str, u64), Vec<usize>> = BTreeMap::new();
    for (place, bundle) in bundles.iter().enumerate() {
        let hand = &bundle.hand;
        hands.entry((&hand.origin, &hand.table, hand.hand)).or_default().push(place);
    }
    hands
}

/// Compares all bundles of each hand, so that each that differs from another has a conflict. Nobody can have committed to two decks of one
/// hand, opened it twice, cut it twice or ended it twice and be honest.
pub fn conflicts(bundles: &[&Accepted]) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    for places in by_hand(bundles).values() {
        let [first, rest @ ..] = &places[..] else { continue };
        let compare = |second: &usize| {
            let (entry, lines) = difference(&bundles[*first].texts, &bundles[*second].texts)?;
            Some(Conflict { first: *first, second: *second, entry, lines })
        };
        let differing: Vec<Conflict> = rest.iter().filter_map(compare).collect();
        // What agrees with the first one differs from the others as that does.
        let agreeing = differing.first().map(|other| {
            let is_same = |place: &&usize| differing.iter().all(|own| own.second != **place);
            let differs = |place: &usize| Conflict { first: *place, ..other.clone() };
            rest.iter().filter(is_same).map(differs).collect::<Vec<_>>()
        });
        conflicts.extend(agreeing.into_iter().flatten());
        conflicts.extend(differing);
    }
    conflicts
}

/// The first entry that differs, and the line where it does.
fn difference(one: &EntryTexts, other: &EntryTexts) -> Option<(&'static str, [String; 2])> {
    let absent = || "no cut entry".to_owned();
    let pairs = [
        ("deck", one.deck.clone(), other.deck.clone()),
        ("open", one.open.clone(), other.open.clone()),
        ("cut", one.cut.clone().unwrap_or_else(absent), other.cut.clone().unwrap_or_else(absent)),
        ("end", one.end.clone(), other.end.clone()),
    ];
    let (entry, one, other) = pairs.into_iter().find(|(_, one, other)| one != other)?;
    let (mut ones, mut others) = (one.lines(), other.lines());
    loop {
        match (ones.next(), others.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => {
                let line = |text: Option<&str>| text.unwrap_or("nothing").to_owned();
                return Some((entry, [line(a), line(b)]));
            }
        }
    }
}

/// Everything that bundles of one hand open, by dealt position. Bundles without a conflict open the same
/// leaves of the same root, so no card of one can contradict another.
pub fn opened(bundles: &[&Accepted]) -> BTreeMap<u8, Card> {
    bundles.iter().flat_map(|bundle| bundle.opened.iter().map(|(&at, &card)| (at, card))).collect()
}
