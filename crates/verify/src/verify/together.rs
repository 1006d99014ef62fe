//! Several bundles judged together: what they say of one hand must be one hand.

use std::collections::{BTreeMap, BTreeSet};

use crate::verify::Accepted;
use deckproof_deck::card::Card;
use deckproof_deck::commitment::digest::Digest;

/// The exact texts of the entries in a bundle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
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

impl EntryTexts {
    /// The entry that is proven as this one.
    pub fn proven_as(&self, entry: &str) -> Option<&str> {
        match entry {
            "deck" => Some(&self.deck),
            "open" => Some(&self.open),
            "cut" => self.cut.as_deref(),
            _ => Some(&self.end),
        }
    }
}

/// A bundle of a hand of which another one says something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Its place among those judged.
    pub own: usize,
    /// The place of the other one.
    pub other: usize,
    /// The first entry that differs: `deck`, `open`, `cut` or `end`.
    pub entry: &'static str,
    /// The first line in which it differs, in the own and in the other.
    pub lines: [String; 2],
    /// The log has what the own says where they differ, and nothing shows that it has what the other says.
    pub is_proven: bool,
    /// The log has both.
    pub is_log_at_fault: bool,
    /// The decks differ, and the hand was dealt without a log, so that the two may be of two days.
    pub may_be_other_day: bool,
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

/// Compares all bundles of each hand: for each that differs from another the worst conflict. Nobody can have committed to two decks
/// of one hand, opened it twice, cut it twice or ended it twice and be honest; but nobody signs a bundle, and a holder of one can
/// write another. So where the log has what one says, and not what the other says, that one stays. `proven` are the entries of
/// each bundle that are proven to be in the trusted log.
pub fn conflicts(bundles: &[&Accepted], proven: &[BTreeSet<&'static str>]) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    for places in by_hand(bundles).values() {
        // What the proofs of one bundle show, they show for all with the same entries.
        let mut tellings: BTreeMap<&EntryTexts, (Vec<usize>, BTreeSet<&'static str>)> = BTreeMap::new();
        for &place in places {
            let (own, in_log) = tellings.entry(&bundles[place].texts).or_default();
            own.push(place);
            in_log.extend(&proven[place]);
        }
        for (texts, (owns, in_log)) in &tellings {
            let compare =
                |(other_texts, (others, other_in_log)): (&&EntryTexts, &(Vec<usize>, BTreeSet<_>))| {
                    let differing = differing(texts, other_texts);
                    let (entry, lines) = differing.first()?.clone();
                    let has = |in_log| differing.iter().all(|(entry, _)| is_in_log(entry, in_log));
                    let (has_own, has_other) = (has(in_log), has(other_in_log));
                    let (is_proven, is_log_at_fault) = (has_own && !has_other, has_own && has_other);
                    let is_without_log = bundles[owns[0]].hand.is_without_log();
                    Some(Conflict {
                        own: owns[0],
                        other: others[0],
                        entry,
                        lines,
                        is_proven,
                        is_log_at_fault,
                        may_be_other_day: is_without_log && entry == "deck" && !is_proven && !is_log_at_fault,
                    })
                };
            let found = tellings
                .iter()
                .filter_map(compare)
                .min_by_key(|conflict| (conflict.is_proven, conflict.may_be_other_day));
            conflicts.extend(owns.iter().filter_map(|&own| Some(Conflict { own, ..found.clone()? })));
        }
    }
    conflicts
}

/// Whether the log has this entry of a bundle: itself, or one that names it by its hash.
fn is_in_log(entry: &str, proven: &BTreeSet<&str>) -> bool {
    let by: &[&str] = match entry {
        "deck" => &["deck", "open", "cut", "close", "void"],
        "open" => &["open", "cut", "close"],
        "cut" => &["cut"],
        _ => &["close", "void"],
    };
    by.iter().any(|kind| proven.contains(kind))
}

/// Bundles of two hands that have a salt in common, at one secret position: the place of each, and that of the first other one. The salts of a
/// hand come from its key, so that one key made both hands.
pub fn of_one_key(bundles: &[&Accepted]) -> Vec<(usize, usize)> {
    let name = |place: usize| {
        let hand = &bundles[place].hand;
        (&hand.origin, &hand.table, hand.hand)
    };
    let mut places: BTreeMap<(usize, Digest), Vec<usize>> = BTreeMap::new();
    for (place, bundle) in bundles.iter().enumerate() {
        for (&position, &hash) in &bundle.salt_hashes {
            places.entry((position, hash)).or_default().push(place);
        }
    }
    let other = |own: usize| {
        let shared =
            bundles[own].salt_hashes.iter().flat_map(|(&position, &hash)| &places[&(position, hash)]);
        shared.copied().filter(|&other| name(other) != name(own)).min()
    };
    (0..bundles.len()).filter_map(|own| Some((own, other(own)?))).collect()
}

/// The entries that differ, and the first line where each does.
fn differing(one: &EntryTexts, other: &EntryTexts) -> Vec<(&'static str, [String; 2])> {
    let cut = |texts: &EntryTexts| texts.cut.clone().unwrap_or_else(|| "no cut entry".to_owned());
    let pairs = [
        ("deck", &one.deck, &other.deck),
        ("open", &one.open, &other.open),
        ("cut", &cut(one), &cut(other)),
        ("end", &one.end, &other.end),
    ];
    let differing = pairs.into_iter().filter(|(_, one, other)| one != other);
    differing.map(|(entry, one, other)| (entry, first_difference(one, other))).collect()
}

fn first_difference(one: &str, other: &str) -> [String; 2] {
    let (mut ones, mut others) = (one.lines(), other.lines());
    loop {
        match (ones.next(), others.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => return [a, b].map(|line| line.unwrap_or("nothing").to_owned()),
        }
    }
}

/// Everything that bundles of one hand open, by dealt position. Bundles without a conflict open the same
/// leaves of the same root, so no card of one can contradict another.
pub fn opened(bundles: &[&Accepted]) -> BTreeMap<u8, Card> {
    bundles.iter().flat_map(|bundle| bundle.opened.iter().map(|(&at, &card)| (at, card))).collect()
}
