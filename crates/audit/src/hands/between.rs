//! What published hands show of each other: two hands of one deck, and door cards that come again from the hand before.
//!
//! With n seats there are 52!/(52 − n)! ways to deal n door cards. Two tables may deal one deck from other seats on, so that
//! the order counts from the lowest door card: n ways are one. Where the record keepers of both hands sat at the same place
//! from there, their two down cards count too, in C(52 − n, 2) sets.

use std::collections::HashMap;
use std::hash::Hash;

use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_stud::stud::record::Record;

/// Most seats of a table.
pub const SEATS_MAX: usize = 8;

/// Fewer known cards say nothing: by chance alone, one of 44,200 pairs of hands has three door cards alike.
const CARDS_MIN: usize = 4;

/// Pairs that are named.
const NAMED_MAX: usize = 5;

/// The counts. Of each number of seats, the first are pairs of hands by their door cards, the second those by the door
/// cards and the down cards of the record keeper.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Between {
    /// Pairs that were compared, by the number of seats.
    pub compared: [[u64; 2]; SEATS_MAX + 1],
    /// Pairs that have these cards alike.
    pub alike: [[u64; 2]; SEATS_MAX + 1],
    /// Hands that follow another one.
    pub following: u64,
    /// The sum over them of their seats times the seats of the hand before.
    pub chances: u64,
    /// Their door cards that were door cards of the hand before.
    pub carried: u64,
}

/// What is compared of one hand: its door cards from the lowest on, and where its keeper sat from there, with the down cards.
type Shown = (Vec<Card>, Option<(usize, [Card; 2])>);

fn shown(record: &Record) -> Option<Shown> {
    let (mut doors, lowest) = (record.doors()?, record.lowest_door()?);
    doors.rotate_left(lowest);
    let keeper = record.seats.iter().enumerate().find_map(|(place, seat)| {
        let [first, second, _] = seat.first_three?;
        let from_lowest = (place + doors.len() - lowest) % doors.len();
        Some((from_lowest, [first.min(second), first.max(second)]))
    });
    Some((doors, keeper))
}

/// `C(n, 2)`, or nothing where that is no number of pairs.
fn pairs(hands: u64) -> Option<u64> {
    hands.checked_mul(hands.saturating_sub(1)).map(|ordered| ordered / 2)
}

/// How many pairs have one key.
fn pairs_of<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> u64 {
    let mut counts = HashMap::<K, u64>::new();
    keys.for_each(|key| *counts.entry(key).or_default() += 1);
    counts.into_values().filter_map(pairs).sum()
}

/// Whether so many seats are compared by the door cards alone, or with two more cards.
fn is_compared(seats: usize, with_down: bool) -> bool {
    seats > 1 && seats + 2 * usize::from(with_down) >= CARDS_MIN
}

impl Between {
    /// How many integers [`Between::counts`] has.
    pub const COUNTS: usize = 4 * (SEATS_MAX + 1) + 3;

    /// Compares the records with each other.
    pub fn of(records: &[Record]) -> Between {
        let all: Vec<Shown> = records.iter().filter_map(shown).collect();
        let mut between = Between::default();
        for seats in 2..=SEATS_MAX {
            let own = || all.iter().filter(|(doors, _)| doors.len() == seats);
            let kept =
                || own().filter_map(|(doors, keeper)| keeper.as_ref().map(|(at, down)| (doors, at, down)));
            let with_down = pairs_of(kept().map(|(_, at, _)| at));
            between.compared[seats][1] = with_down;
            between.alike[seats][1] = pairs_of(kept());
            if is_compared(seats, false) {
                between.compared[seats][0] = pairs_of(own().map(|_| ())) - with_down;
                let by_down = pairs_of(kept().map(|(doors, at, _)| (doors, at)));
                between.alike[seats][0] = pairs_of(own().map(|(doors, _)| doors)) - by_down;
            }
        }
        for two in all.windows(2) {
            let [before, doors] = [&two[0].0, &two[1].0];
            between.following += 1;
            between.chances += (before.len() * doors.len()) as u64;
            between.carried += doors.iter().filter(|door| before.contains(door)).count() as u64;
        }
        between
    }

    /// The first pairs of hands with all compared cards alike, by what their records call them.
    pub fn named(records: &[Record]) -> Vec<[String; 2]> {
        let (mut seen, mut named) = (HashMap::<Vec<Card>, Vec<(usize, Shown)>>::new(), Vec::new());
        for (place, record) in records.iter().enumerate() {
            let Some((doors, keeper)) = shown(record) else { continue };
            let earlier = seen.entry(doors.clone()).or_default();
            let is_alike = |(_, (_, other)): &&(usize, Shown)| match (keeper, other) {
                (Some((at, down)), Some((of, others))) if at == *of => down == *others,
                _ => is_compared(doors.len(), false),
            };
            let pair = earlier.iter().find(is_alike).map(|(of, _)| [*of, place]);
            named.extend(pair.map(|pair| pair.map(|place| records[place].number.clone())));
            if named.len() == NAMED_MAX {
                break;
            }
            earlier.push((place, (doors, keeper)));
        }
        named
    }

    /// Pairs that were compared.
    pub fn pairs(&self) -> u64 {
        self.compared.iter().flatten().sum()
    }

    /// Pairs that have all compared cards alike, and how many fair decks would have.
    pub fn repeats(&self) -> (u64, f64) {
        let expected = |seats: usize, with_down: usize| {
            let ordered: f64 = (0..seats).map(|card| (DECK_CARDS - card) as f64).product();
            let left = (DECK_CARDS - seats) as f64;
            let down = if with_down == 1 { left * (left - 1.0) / 2.0 } else { 1.0 };
            self.compared[seats][with_down] as f64 * seats as f64 / (ordered * down)
        };
        let sum = (2..=SEATS_MAX).map(|seats| expected(seats, 0) + expected(seats, 1)).sum();
        (self.alike.iter().flatten().sum(), sum)
    }

    /// How many door cards of the hand before the hands are expected to have.
    pub fn carried_expected(&self) -> f64 {
        self.chances as f64 / DECK_CARDS as f64
    }

    /// All its integers in the order in which a certificate has them.
    pub fn counts(&self) -> Vec<u64> {
        let tables = self.compared.iter().chain(&self.alike).flatten().copied();
        tables.chain([self.following, self.chances, self.carried]).collect()
    }

    /// The counts of so many hands by the number of seats, or nothing if no hands have them.
    pub fn from_counts(counts: &[u64], hands: &[u64; SEATS_MAX + 1]) -> Option<Between> {
        let (tables, rest) = counts.split_at_checked(4 * (SEATS_MAX + 1))?;
        let &[following, chances, carried] = rest else { return None };
        let table =
            |first: usize| std::array::from_fn(|seats| [0, 1].map(|with| tables[first + 2 * seats + with]));
        let between =
            Between { compared: table(0), alike: table(2 * (SEATS_MAX + 1)), following, chances, carried };
        for (seats, &hands) in hands.iter().enumerate() {
            let [doors, with_down] = between.compared[seats];
            let all = doors.checked_add(with_down)?;
            let is_sound = match (is_compared(seats, false), is_compared(seats, true)) {
                (true, _) => all == pairs(hands)?,
                (false, true) => doors == 0 && with_down <= pairs(hands)?,
                (false, false) => all == 0,
            };
            let is_within =
                between.alike[seats].iter().zip([doors, with_down]).all(|(alike, of)| *alike <= of);
            if !is_sound || !is_within {
                return None;
            }
        }
        let hands: u64 = hands.iter().sum();
        let most = (SEATS_MAX * SEATS_MAX) as u64;
        let is_sound = following == hands.saturating_sub(1)
            && chances <= following.checked_mul(most)?
            && carried <= chances.min(following.checked_mul(SEATS_MAX as u64)?);
        is_sound.then_some(between)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_stud::stud::record::{SeatRecord, StudGame};

    /// A hand with these door cards; the first seat with down cards kept it.
    fn hand(doors: &[&str], keeper: Option<(usize, [&str; 2])>) -> Record {
        let card = |text: &str| text.parse::<Card>().expect("a card");
        let mut seats: Vec<SeatRecord> = (1..=doors.len() as u8).map(SeatRecord::new).collect();
        seats.iter_mut().zip(doors).for_each(|(seat, door)| seat.up.push(Some(card(door))));
        if let Some((place, [first, second])) = keeper {
            seats[place].first_three = Some([card(first), card(second), card(doors[place])]);
        }
        let (number, game, exporter) = (doors.concat(), StudGame::High, keeper.map(|(place, _)| place));
        Record { number, game, small: 4, big: 8, decimals: 2, seats, brought_in: None, exporter }
    }

    #[test]
    fn hands_are_alike_from_the_lowest_door_card_on() {
        let of = |hands: &[Record]| Between::of(hands).repeats();
        let four = hand(&["Kd", "2c", "7h", "As"], None);
        let turned = hand(&["7h", "As", "Kd", "2c"], None);
        let mirrored = hand(&["2c", "Kd", "As", "7h"], None);
        // 52·51·50·49/4 ways of four door cards, and three pairs.
        let (alike, expected) = of(&[four.clone(), turned.clone(), mirrored]);
        assert_eq!(alike, 1);
        assert!((expected - 3.0 * 4.0 / 6_497_400.0).abs() < 1e-18, "{expected}");
        assert_eq!(
            Between::named(&[four.clone(), turned.clone()]),
            [["Kd2c7hAs", "7hAsKd2c"].map(str::to_owned)]
        );
        // The keepers sat one place before the lowest door card, and one of them had other down cards.
        let kept = |down| hand(&["Kd", "2c", "7h", "As"], Some((0, down)));
        let other = |down| hand(&["7h", "As", "Kd", "2c"], Some((2, down)));
        let (alike, expected) = of(&[kept(["3c", "3d"]), other(["3d", "3c"])]);
        assert_eq!(alike, 1);
        assert!((expected - 4.0 / 6_497_400.0 / 1_128.0).abs() < 1e-21, "{expected}");
        assert_eq!(of(&[kept(["3c", "3d"]), other(["3c", "3h"])]).0, 0);
        assert!(Between::named(&[kept(["3c", "3d"]), other(["3c", "3h"])]).is_empty());
        // At other places, their down cards are no cards of one place.
        assert_eq!(of(&[kept(["3c", "3d"]), hand(&["Kd", "2c", "7h", "As"], Some((2, ["9c", "9d"])))]).0, 1);
        // Three door cards say nothing.
        let three = hand(&["Kd", "2c", "7h"], None);
        assert_eq!(of(&[three.clone(), three]), (0, 0.0));
    }

    #[test]
    fn door_cards_of_the_hand_before_are_counted() {
        let between = Between::of(&[
            hand(&["Kd", "2c", "7h"], None),
            hand(&["7h", "Kd"], None),
            hand(&["As", "Kd", "3c", "4c"], None),
        ]);
        assert_eq!((between.following, between.chances, between.carried), (2, 6 + 8, 2 + 1));
        assert!((between.carried_expected() - 14.0 / 52.0).abs() < 1e-15);
    }
}
