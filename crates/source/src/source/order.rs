//! Whether records stand in sorted order: by the card of one place, as a file is that somebody sorted by its decks or by a
//! column of a card. Such a file does not hold the decks in the order of their dealing.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;

pub use crate::source::falls::not_shown;
use crate::source::falls::{Falls, Jump};
use crate::source::lines::LinesRead;
use crate::source::marks::Marks;
use crate::source::moment::of_utc;
use crate::source::record::SourceRecord;
use crate::source::start_order::SeenStart;
use crate::source::watched::{Onlooker, seen};
use crate::source::{DeckSource, SourceError};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::text::decimal::counted;

/// So many steps up and none down, or the other way round: fair decks have as many of both. A card that never changes has
/// none, and is no sign of sorting.
const STEPS_MIN: u64 = 30;

/// In how many orders cards are compared: as numbers and as texts, by rank and by suit.
const ORDERS: usize = 8;

/// One place in one order.
#[derive(Clone, Copy)]
struct Column {
    place: usize,
    order: usize,
    up: u64,
    down: u64,
}

impl Column {
    fn is_open(&self) -> bool {
        self.up == 0 || self.down == 0
    }
}

/// What of the order of the records is still possible; shared by all readers.
#[derive(Clone)]
pub struct RecordOrder {
    open: Arc<Mutex<Vec<Column>>>,
    /// What the records are called in messages.
    name: String,
    /// Whether they lie as the start order that was stated, and the number of the first one.
    start: Option<SeenStart>,
    first: u64,
}

impl RecordOrder {
    fn named(name: String) -> RecordOrder {
        let column = |place, order| Column { place, order, up: 0, down: 0 };
        let all = (0..DECK_CARDS).flat_map(|place| (0..ORDERS).map(move |order| column(place, order)));
        RecordOrder { open: Arc::new(Mutex::new(all.collect())), name, start: None, first: 1 }
    }

    /// The source, whose records, the first of this number, are looked at as they are read, also beside a start order that was stated.
    pub fn of(
        source: Box<dyn DeckSource>,
        stated: Option<&Deck>,
        first: u64,
    ) -> (Box<dyn DeckSource>, RecordOrder) {
        let order = RecordOrder::named(match source.files().as_slice() {
            [] => "the stream".to_owned(),
            [file] => file.name.clone(),
            [first, others @ ..] => {
                format!("{} and {}", first.name, counted(others.len() as u64, "other file", "other files"))
            }
        });
        let (source, start) = match stated.map(|stated| SeenStart::of(stated)) {
            Some((onlooker, start)) => (seen(source, onlooker), Some(start)),
            None => (source, None),
        };
        let order = RecordOrder { start, first, ..order };
        let own = order.clone();
        let onlooker: Onlooker = Arc::new(move |_, block: &DeckBlock| own.add(block));
        (seen(source, onlooker), order)
    }

    fn add(&self, block: &DeckBlock) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for lane in 1..block.hands() {
            if open.is_empty() {
                return;
            }
            for column in open.iter_mut() {
                let row = block.row(column.place);
                let [before, after] = [row[lane - 1], row[lane]].map(|card| keys(column.order, card));
                column.up += u64::from(before < after);
                column.down += u64::from(before > after);
            }
            open.retain(Column::is_open);
        }
    }

    /// By the card of which place so many records are sorted, if they are, and whether what they say of themselves falls.
    ///
    /// # Errors
    /// [`SourceError::StartOrder`], [`SourceError::Untimed`], [`SourceError::Sorted`], [`SourceError::NewestFirst`], [`SourceError::OutOfOrder`],
    /// [`SourceError::MonthOrDay`].
    pub fn check(&self, marks: Option<&Marks>, records: u64) -> Result<(), SourceError> {
        self.start.iter().try_for_each(|start| start.check(self.first))?;
        let timed = marks.filter(|marks| marks.has_times()).map(|marks| (marks, Falls::of(marks, records)));
        let untimed =
            timed.as_ref().filter(|(marks, _)| marks.is_timed()).map_or(0, |(_, falls)| falls.untimed);
        if 2 * untimed > records {
            return Err(SourceError::Untimed { name: self.name.clone(), untimed, records });
        }
        if let Some((what, [first, last])) = marks.and_then(|marks| falling(marks, records)) {
            return Err(SourceError::NewestFirst { name: self.name.clone(), what, first, last });
        }
        if let Some((jump, [from, to])) = timed.and_then(|(marks, falls)| falls.jump(marks)) {
            let name = self.name.clone();
            return Err(match jump {
                Jump::Shown(falls) => SourceError::OutOfOrder { name, falls, from, to },
                Jump::WithMonthFirst => {
                    SourceError::MonthOrDay { name, jumping: "month", other: "day", from, to }
                }
                Jump::WithDayFirst => {
                    SourceError::MonthOrDay { name, jumping: "day", other: "month", from, to }
                }
            });
        }
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // What rises as the hands were dealt was not sorted by a card: the shuffler deals it so, and is judged by it.
        let is_as_dealt = || marks.is_some_and(|marks| is_rising(marks, records));
        let sorted =
            open.iter().find(|column| column.up + column.down >= STEPS_MIN).filter(|_| !is_as_dealt());
        sorted.map_or(Ok(()), |column| {
            Err(SourceError::Sorted {
                name: self.name.clone(),
                place: column.place + 1,
                is_ascending: column.down == 0,
            })
        })
    }
}

/// What a source of which so many records were counted leaves open by what it says of itself, in sentences.
pub fn left_open(source: &SourceRecord, marks: Option<&Marks>, records: u64) -> Vec<String> {
    let lines = LinesRead::of(source).and_then(LinesRead::left_open);
    let order = marks.and_then(|marks| not_shown(marks, records));
    let twice = marks.and_then(|marks| marks.hand_twice(records));
    lines.into_iter().chain(order).chain(twice.map(|words| format!("by --id-column, {words}"))).collect()
}

/// The times, or where these do not move the ids, of the first and the last record, if they fall all the way.
fn falling(marks: &Marks, records: u64) -> Option<(&'static str, [String; 2])> {
    let mut falls = [Fall::default(), Fall::default()];
    let (parts, mut record) = (marks.parts(), 0);
    marks.each(records, |id, time| {
        if parts.binary_search(&record).is_ok() {
            falls.iter_mut().for_each(|fall| fall.moment.clear());
        }
        record += 1;
        [time, id].into_iter().zip(&mut falls).for_each(|(own, fall)| fall.add(own))
    });
    // Where times move, ids may fall as they like.
    let [times, ids] = falls;
    let (what, own) = if times.has_risen || times.down > 0 { ("times", times) } else { ("ids", ids) };
    (own.down >= STEPS_MIN && !own.has_risen).then_some((what, [own.first, own.last]))
}

/// Whether the times, or the ids, rise from every record to the next. Ids that count on by one may be the numbers of the rows, which
/// rise however the rows were sorted.
fn is_rising(marks: &Marks, records: u64) -> bool {
    let (mut last, mut rises, mut skips) = ([String::new(), String::new()], [true; 2], false);
    let (parts, mut record) = (marks.parts(), 0);
    marks.each(records, |id, time| {
        if parts.binary_search(&record).is_ok() {
            last.iter_mut().for_each(String::clear);
        }
        record += 1;
        let numbers: [Option<u64>; 2] = [&last[1], id].map(|id| id.parse().ok());
        skips |= !last[1].is_empty() && numbers[0].and_then(|last| last.checked_add(1)) != numbers[1];
        for ((own, last), rises) in [time, id].into_iter().zip(&mut last).zip(&mut rises) {
            let own = moment(own);
            *rises &= (last.len(), last.as_str()) < (own.len(), own.as_str());
            *last = own;
        }
    });
    rises[0] || rises[1] && skips
}

/// A time with an offset from UTC (RFC 3339, or `+02` as PostgreSQL writes it) as a text that is greater the later it is;
/// any other text as it is.
fn moment(text: &str) -> String {
    let digits = |time: Timestamp| format!("{:030}", time.as_nanosecond() - Timestamp::MIN.as_nanosecond());
    of_utc(text).map_or_else(|| text.to_owned(), digits)
}

/// A column from record to record. What is longer is later: digits without zeros before them.
#[derive(Default)]
struct Fall {
    first: String,
    last: String,
    moment: String,
    down: u64,
    has_risen: bool,
}

impl Fall {
    fn add(&mut self, own: &str) {
        if self.has_risen || own.is_empty() {
            return;
        }
        let moment = moment(own);
        if self.first.is_empty() {
            self.first = own.to_owned();
        } else if !self.moment.is_empty() {
            let (before, after) = ((self.moment.len(), &self.moment), (moment.len(), &moment));
            self.has_risen = before < after;
            self.down += u64::from(before > after);
        }
        own.clone_into(&mut self.last);
        self.moment = moment;
    }
}

/// What a card is compared by in an order: its number by rank or by suit, the digits of these counted from 0 or 1, its
/// letters with T or with 10.
fn keys(order: usize, card: u8) -> [u8; 3] {
    let by_suit = 13 * (card % 4) + card / 4;
    let digits = |number: u8| match number {
        0..10 => [b'0' + number, 0, 0],
        _ => [b'0' + number / 10, b'0' + number % 10, 0],
    };
    let letters = |ten: [u8; 2]| {
        let suit = b"cdhs"[usize::from(card % 4)];
        match card / 4 {
            8 if ten[1] == 0 => [ten[0], suit, 0],
            8 => [ten[0], ten[1], suit],
            rank => [b"23456789TJQKA"[usize::from(rank)], suit, 0],
        }
    };
    match order {
        0 => [card, 0, 0],
        1 => [by_suit, 0, 0],
        2 => digits(card),
        3 => digits(by_suit),
        4 => digits(card + 1),
        5 => digits(by_suit + 1),
        6 => letters([b'T', 0]),
        _ => letters([b'1', b'0']),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_dealers::dealers::TestDealer;
    use deckproof_deck::card::Card;

    fn decks(dealer: &str, count: u64) -> Vec<Deck> {
        let mut deals = TestDealer::named(dealer).expect("it is in the list").deals(5);
        (0..count).map(|number| Deck::try_from(&deals.order(number)[..]).expect("a deck")).collect()
    }

    /// Times that rise by a second a hand, of two servers with offsets of their own.
    fn of_two_servers(hand: u64) -> String {
        let (minute, second) = (hand / 60, hand % 60);
        match hand % 2 {
            0 => format!("2026-11-22T04:{minute:02}:{second:02}Z"),
            _ => format!("2026-11-22T06:{minute:02}:{second:02}+02:00"),
        }
    }

    fn order_of(decks: &[Deck]) -> Option<String> {
        order_beside(decks, None)
    }

    fn order_beside(decks: &[Deck], marks: Option<&Marks>) -> Option<String> {
        let order = RecordOrder::named("a.csv".to_owned());
        for decks in decks.chunks(64) {
            let mut block = DeckBlock::default();
            decks.iter().for_each(|deck| block.push(deck));
            order.add(&block);
        }
        order.check(marks, decks.len() as u64).err().map(|error| error.to_string())
    }

    #[test]
    fn files_sorted_by_their_decks_or_by_a_card_are_refused_and_fair_ones_are_not() {
        let letters = |card: u8| Card::from_index(card).expect("a card").to_string();
        let mut decks = decks("certified", 2_000);
        assert_eq!(order_of(&decks), None);
        decks.sort_by_key(|deck| deck.indices().map(letters).join(" "));
        assert!(
            order_of(&decks).is_some_and(|order| order.contains("by their first card, ascending")),
            "{:?}",
            order_of(&decks)
        );
        decks.sort_by_key(|deck| std::cmp::Reverse(deck.indices()[16]));
        assert!(
            order_of(&decks).is_some_and(|order| order.contains("by card 17 from the top, descending")),
            "{:?}",
            order_of(&decks)
        );
        decks.sort_by_key(|deck| deck.indices()[3].to_string());
        assert!(
            order_of(&decks).is_some_and(|order| order.contains("by card 4 from the top, ascending")),
            "{:?}",
            order_of(&decks)
        );
        // Where times or ids rise beside the cards, the dealer deals them so and is judged.
        let beside = |id: &dyn Fn(u64) -> u64, time: &dyn Fn(u64) -> String| {
            let marks = Marks::default();
            (0..2_000).for_each(|hand| marks.push(&id(hand).to_string(), &time(hand)));
            order_beside(&decks, Some(&marks))
        };
        assert_eq!(beside(&|_| 7, &of_two_servers), None);
        assert_eq!(beside(&|hand| 3 * hand, &|_| String::new()), None);
        // Numbers of rows rise however the rows were sorted.
        assert!(beside(&|hand| hand, &|_| String::new()).is_some());
        assert!(beside(&|hand| hand / 2, &|hand| of_two_servers(hand / 2)).is_some());
        // One deck out of its order, and the file is not sorted.
        decks.swap(70, 1_900);
        assert_eq!(order_of(&decks), None);
    }

    #[test]
    fn times_or_ids_that_fall_all_the_way_are_refused() {
        let fall_of = |rows: &mut dyn Iterator<Item = (String, String)>| {
            let marks = Marks::default();
            let records = rows.inspect(|(id, time)| marks.push(id, time)).count();
            let order = RecordOrder::named("a.csv".to_owned());
            order.check(Some(&marks), records as u64).err().map(|error| error.to_string())
        };
        let time = |hand: u64| format!("2026-11-22T04:{:02}:00Z", hand / 2);
        let fallen = fall_of(&mut (9..99).rev().map(|hand| (format!("x{}", hand * 7_919 % 100), time(hand))));
        let wanted = "a.csv: the times fall from record to record, from \"2026-11-22T04:49:00Z\" to \"2026-11-22T04:04:00Z\"";
        assert!(fallen.as_ref().is_some_and(|fall| fall.starts_with(wanted)), "{fallen:?}");
        // Digits are numbers: 99 comes before 100.
        let fallen = fall_of(&mut (90..130).rev().map(|hand| (format!("H{hand}"), String::new())));
        assert!(fallen.as_ref().is_some_and(|fall| fall.contains("the ids fall")), "{fallen:?}");
        assert_eq!(fall_of(&mut (9..99).map(|hand| (format!("H{hand}"), time(hand)))), None);
        // Ids that count down beside times that rise, and beside times that do not move.
        let countdown = |hand: u64| format!("{:04}", 5_000 - hand);
        assert_eq!(fall_of(&mut (9..99).map(|hand| (countdown(hand), time(hand)))), None);
        assert!(fall_of(&mut (9..99).map(|hand| (countdown(hand), time(4)))).is_some());
        // One that is later than the one before, equal ones, and few.
        assert_eq!(fall_of(&mut (9..99).rev().map(|hand| (String::new(), time(hand ^ 32)))), None);
        assert_eq!(fall_of(&mut (9..99).map(|_| ("H1".to_owned(), time(4)))), None);
        assert_eq!(fall_of(&mut (9..39).rev().map(|hand| (format!("{hand:04}"), String::new()))), None);
    }

    /// A dealer whose first card never changes deals no sorted file.
    #[test]
    fn a_card_that_stays_is_no_order() {
        let mut decks = decks("certified", 500);
        for deck in &mut decks {
            let mut cards = *deck.indices();
            let ace = cards.iter().position(|&card| card == 51).expect("it is there");
            cards.swap(0, ace);
            *deck = Deck::try_from(&cards[..]).expect("a deck");
        }
        assert_eq!(order_of(&decks), None);
    }
}
