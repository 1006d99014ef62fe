//! Counts of what does not depend on betting, by the number of seats dealt in.

use crate::hands::between::{Between, SEATS_MAX};
use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_stud::stud::record::Record;

/// Classes of the first three cards, the rare ones first so that pooling joins them.
pub const CLASSES: [(&str, u64); 6] = [
    // Exact counts of the 22,100 sets of three cards; they are checked against the project's table in a test.
    ("three of a kind", 52),
    ("three to a straight flush", 48),
    ("three to a straight", 720),
    ("three to a flush", 1096),
    ("a pair", 3744),
    ("none of these", 16440),
];

/// Sets of three cards.
pub const SETS_OF_THREE: u64 = 22_100;

/// Hands of one number of seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// How many hands.
    pub hands: u64,
    /// How often each card was a door card.
    pub doors: [u64; DECK_CARDS],
    /// How often the lowest door card lay at each place, in the order of the record.
    pub places: [u64; SEATS_MAX],
    /// How often each card was the lowest door card.
    pub lowest: [u64; DECK_CARDS],
}

/// The counts of a collection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    /// By the number of seats dealt in, 0 to 8.
    pub groups: [Group; SEATS_MAX + 1],
    /// First three cards of record keepers, by class.
    pub classes: [u64; CLASSES.len()],
    /// What the hands show of each other.
    pub between: Between,
    /// Hands with a door card that the record does not show.
    pub doors_unknown: u64,
}

const EMPTY: Group =
    Group { hands: 0, doors: [0; DECK_CARDS], places: [0; SEATS_MAX], lowest: [0; DECK_CARDS] };

/// The integers of one number of seats.
const GROUP_COUNTS: usize = DECK_CARDS + SEATS_MAX + DECK_CARDS;

impl Group {
    /// Hands of so many seats with these integers: as many door cards as seats, one of them the lowest, and no card
    /// twice in a hand.
    fn from_counts(seats: usize, counts: &[u64]) -> Option<Group> {
        let (doors, rest) = counts.split_at_checked(DECK_CARDS)?;
        let (places, lowest) = rest.split_at_checked(SEATS_MAX)?;
        let sum = |counts: &[u64]| counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
        let hands = sum(places)?;
        let is_sound = sum(lowest)? == hands
            && sum(doors)? == hands.checked_mul(seats as u64)?
            && places.iter().skip(seats).all(|&count| count == 0)
            && lowest.iter().zip(doors).all(|(lowest, door)| lowest <= door && *door <= hands);
        let group = Group {
            hands,
            doors: doors.try_into().ok()?,
            places: places.try_into().ok()?,
            lowest: lowest.try_into().ok()?,
        };
        is_sound.then_some(group)
    }
}

impl Census {
    /// Nothing counted.
    pub fn new() -> Census {
        Census {
            groups: [const { EMPTY }; SEATS_MAX + 1],
            classes: [0; CLASSES.len()],
            between: Between::default(),
            doors_unknown: 0,
        }
    }

    /// Counts records.
    pub fn of(records: &[Record]) -> Census {
        let mut census = Census { between: Between::of(records), ..Census::new() };
        for record in records {
            let cards =
                record.doors().map(|doors| doors.iter().map(|card| card.index()).collect::<Vec<u8>>());
            match cards {
                Some(doors) => census.count_doors(&doors),
                None => census.doors_unknown += 1,
            }
            for three in record.seats.iter().filter_map(|seat| seat.first_three) {
                census.count_three(three.map(Card::index));
            }
        }
        census
    }

    /// Counts the door cards of one hand.
    pub(super) fn count_doors(&mut self, doors: &[u8]) {
        let group = &mut self.groups[doors.len()];
        group.hands += 1;
        let (mut place, mut lowest) = (0, u8::MAX);
        for (at, &door) in doors.iter().enumerate() {
            group.doors[usize::from(door)] += 1;
            // The numbers of cards are in the order of the bring-in.
            (place, lowest) = if door < lowest { (at, door) } else { (place, lowest) };
        }
        group.places[place] += 1;
        group.lowest[usize::from(lowest)] += 1;
    }

    /// Counts the first three cards of a record keeper.
    pub(super) fn count_three(&mut self, cards: [u8; 3]) {
        self.classes[class_of(cards)] += 1;
    }

    /// Hands whose door cards are all known.
    pub fn hands(&self) -> u64 {
        self.groups.iter().map(|group| group.hands).sum()
    }

    /// How many integers [`Census::counts`] has.
    pub const COUNTS: usize = (SEATS_MAX + 1) * GROUP_COUNTS + CLASSES.len() + Between::COUNTS;

    /// All its integers in the order in which a certificate has them.
    pub fn counts(&self) -> Vec<u64> {
        let of_group = |group: &Group| [&group.doors[..], &group.places, &group.lowest].concat();
        self.groups.iter().flat_map(of_group).chain(self.classes).chain(self.between.counts()).collect()
    }

    /// A census of these integers, or `None` if no hands have them.
    pub fn from_counts(counts: &[u64], doors_unknown: u64) -> Option<Census> {
        let (groups, rest) = counts.split_at_checked((SEATS_MAX + 1) * GROUP_COUNTS)?;
        let (classes, between) = rest.split_at_checked(CLASSES.len())?;
        let mut census = Census { doors_unknown, classes: classes.try_into().ok()?, ..Census::new() };
        for (seats, counts) in groups.chunks(GROUP_COUNTS).enumerate() {
            census.groups[seats] = Group::from_counts(seats, counts)?;
        }
        let hands = census.groups.each_ref().map(|group| group.hands);
        census.between = Between::from_counts(between, &hands)?;
        let total = |mut counts: std::slice::Iter<u64>| counts.try_fold(0u64, |sum, &n| sum.checked_add(n));
        (total(counts.iter())? <= i64::MAX as u64).then_some(census)
    }

    /// How often each card was a door card.
    pub fn doors(&self) -> [u64; DECK_CARDS] {
        std::array::from_fn(|card| self.groups.iter().map(|group| group.doors[card]).sum())
    }

    /// Record keepers whose first three cards are known.
    pub fn exporters(&self) -> u64 {
        self.classes.iter().sum()
    }
}

impl Default for Census {
    fn default() -> Census {
        Census::new()
    }
}

/// The place in [`CLASSES`] of three cards.
pub fn class_of(cards: [u8; 3]) -> usize {
    let mut ranks = cards.map(|card| card / 4);
    ranks.sort_unstable();
    let [low, middle, high] = ranks;
    let is_flush = cards.iter().all(|card| card % 4 == cards[0] % 4);
    // The ace ends the highest straight and begins the lowest.
    let is_straight = (middle == low + 1 && high == middle + 1) || ranks == [0, 1, 12];
    match (low == middle, middle == high) {
        (true, true) => 0,
        (true, false) | (false, true) => 4,
        _ if is_flush && is_straight => 1,
        _ if is_straight => 2,
        _ if is_flush => 3,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_three_is_in_one_class() {
        let mut counts = [0; CLASSES.len()];
        for a in 0..52 {
            for b in 0..a {
                (0..b).for_each(|c| counts[class_of([a, b, c])] += 1);
            }
        }
        assert_eq!(counts, CLASSES.map(|(_, count)| count));
        assert_eq!(counts.iter().sum::<u64>(), SETS_OF_THREE);
    }

    #[test]
    fn the_ace_begins_and_ends_straights_and_does_not_join_them() {
        let class = |cards: [&str; 3]| {
            CLASSES[class_of(cards.map(|text| text.parse::<Card>().expect("a card").index()))].0
        };
        assert_eq!(class(["Ah", "2c", "3d"]), "three to a straight");
        assert_eq!(class(["Qh", "Ah", "Kh"]), "three to a straight flush");
        assert_eq!(class(["Kh", "Ac", "2d"]), "none of these");
        assert_eq!(class(["9s", "2s", "Js"]), "three to a flush");
        assert_eq!(class(["9s", "2s", "9d"]), "a pair");
        assert_eq!(class(["9s", "9h", "9d"]), "three of a kind");
    }

    #[test]
    fn integers_come_back_and_those_of_no_hands_are_refused() {
        let mut census = Census::new();
        census.count_doors(&[3, 17, 50]);
        census.count_doors(&[44, 2, 9, 51, 30]);
        census.count_three([1, 2, 3]);
        // One hand follows the other: three seats and five, and a door card of both.
        census.between = Between { following: 1, chances: 15, carried: 1, ..Between::default() };
        let counts = census.counts();
        assert_eq!(counts.len(), Census::COUNTS);
        let (classes, last) = ((SEATS_MAX + 1) * GROUP_COUNTS, Census::COUNTS - 2);
        assert_eq!(Census::from_counts(&counts, 0), Some(census));
        // Every single integer one more or huge, but the classes and the last two, which only have an upper bound.
        let free = |place: &usize| (classes..classes + CLASSES.len()).contains(place) || *place >= last;
        for place in (0..Census::COUNTS).filter(|place| !free(place)) {
            for more in [1, u64::MAX / 2] {
                let mut other = counts.clone();
                other[place] += more;
                assert_eq!(Census::from_counts(&other, 0), None, "{place}");
            }
        }
        assert_eq!(Census::from_counts(&counts[1..], 0), None);
    }

    #[test]
    fn the_lowest_door_card_brings_it_in() {
        let mut census = Census::new();
        let card = |text: &str| text.parse::<Card>().expect("a card").index();
        census.count_doors(&[card("Kd"), card("5h"), card("5d"), card("As")]);
        let group = &census.groups[4];
        assert_eq!((group.hands, group.places[2], group.lowest[usize::from(card("5d"))]), (1, 1, 1));
        assert_eq!(census.doors().iter().sum::<u64>(), 4);
    }
}
