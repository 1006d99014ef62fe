//! Dealt cards read: a table with a row a card, or Poker Hand Histories that name every card.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_stud::stud::betting::action::{Action, MaybeCard};
use deckproof_stud::stud::deal::Face;
use deckproof_stud::stud::history::{History, phh};
use deckproof_stud::stud::seat::Seat;
use deckproof_table::table::restore::{EndedHand, RestoreError, WrittenHand};

/// A card and who got it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealtTo {
    /// The card.
    pub card: Card,
    /// Seat 1 to 8, or 0 for a card that all seats share.
    pub seat: u8,
    /// Street 3 to 7.
    pub street: u8,
}

/// The cards of a hand in the order dealt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderedHand {
    /// What the file calls it.
    pub number: String,
    /// Its cards.
    pub cards: Vec<DealtTo>,
}

impl OrderedHand {
    /// Whether it ends before seventh street.
    pub fn ends_early(&self) -> bool {
        self.cards.iter().all(|card| card.street < 7)
    }

    /// Seats of third street that are not dealt in to the end. A shared card on seventh street is for all seats of the sixth.
    pub fn seats_ended_early(&self) -> u64 {
        let seats = |street: u8| {
            let own = self.cards.iter().filter(|card| card.street == street && card.seat > 0);
            own.map(|card| card.seat).collect::<BTreeSet<u8>>().len() as u64
        };
        let is_shared = self.cards.iter().any(|card| card.seat == 0);
        seats(3) - seats(if is_shared { 6 } else { 7 })
    }
}

/// What the files hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DealtHands {
    /// The hands, in the order of the files.
    pub hands: Vec<OrderedHand>,
    /// What cannot be judged, with its place and the reason.
    pub unread: Vec<String>,
    /// How many there are: of more than a thousand, the others are counted only.
    pub unread_total: u64,
    /// Hands that were opened or committed and given up: their cards are not judged.
    pub voided: u64,
    /// Hands that hold a card twice: no deck has it. Those are not among `hands`.
    pub impossible: Vec<(String, Card)>,
    /// Where the hands of each file begin among `hands`.
    pub begun: Vec<usize>,
    /// Hands that are left out because one of an earlier file has their number.
    pub shared_numbers: u64,
    numbers: BTreeMap<String, usize>,
}

/// What of an export alone explains that a hand holds a card twice.
fn export_slip(cards: &[DealtTo]) -> Option<&'static str> {
    let mut last = cards.iter().filter(|dealt| dealt.street == 7);
    let shared = last.next();
    if cards.windows(2).any(|two| two[1].street < two[0].street) {
        Some("its streets go back: the rows of two hands under one number, or not in the order dealt")
    } else if shared
        .is_some_and(|shared| last.clone().count() > 0 && last.all(|dealt| dealt.card == shared.card))
    {
        Some(
            "every seat of seventh street has one card: write a card that all seats share once, with the seat -",
        )
    } else {
        None
    }
}

/// Reasons are kept for so many hands.
const REASONS_MAX: usize = 1_000;

/// Characters of a row that are shown of what was found in it.
const FOUND_SHOWN: usize = 40;

impl DealtHands {
    /// Adds the hands of a file.
    pub fn add(&mut self, file: &str, text: &str) {
        self.begun.push(self.hands.len());
        let first = text.trim_start_matches('\u{feff}').lines().find(|line| !line.trim().is_empty());
        match first.and_then(Columns::of) {
            Some(columns) => self.add_table(file, text, &columns),
            None => self.add_histories(file, text),
        }
    }

    /// Adds the hands of a table as `deckproof deal` wrote it, from its three files; `history` finds the text of a hand's
    /// history. The transcript of each hand must be the one of its close entry.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn add_hands_of_table(
        &mut self,
        folder: &str,
        hands: impl Iterator<Item = Result<(u64, WrittenHand), RestoreError>>,
        mut history: impl FnMut(u64) -> Option<String>,
    ) -> io::Result<()> {
        self.begun.push(self.hands.len());
        for hand in hands {
            let ended = match hand {
                Ok((number, hand)) => hand.ended(history(number)),
                Err(error) => Err(error),
            };
            match ended {
                Ok(EndedHand::Closed(hand, _)) => {
                    let number = format!("hand {}", hand.number());
                    let cards = hand.dealt_cards().filter(|(line, _)| line.face != Face::Burn);
                    let cards = cards.map(|(line, card)| DealtTo {
                        card,
                        seat: line.seat.map_or(0, Seat::number),
                        street: line.street.number(),
                    });
                    let place = format!("{folder}, {number}");
                    self.insert(&place, OrderedHand { number: place.clone(), cards: cards.collect() });
                }
                Ok(EndedHand::Voided(_)) | Err(RestoreError::NeverOpened { .. }) => self.voided += 1,
                // The hand that is under way.
                Err(RestoreError::NotEnded { hand }) => {
                    self.refuse(&format!("{folder}, hand {hand}"), "it has not ended");
                }
                Err(RestoreError::System(error)) => return Err(error),
                Err(error) => self.refuse(folder, &error.to_string()),
            }
        }
        Ok(())
    }

    fn refuse(&mut self, place: &str, reason: &str) {
        self.unread_total += 1;
        if self.unread.len() < REASONS_MAX {
            self.unread.push(format!("{place}: {reason}"));
        }
    }

    /// Rows of one hand stand together, in the order dealt.
    fn add_table(&mut self, file: &str, text: &str, columns: &Columns) {
        let mut hand: Option<(usize, OrderedHand, Option<String>)> = None;
        let rows = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).skip(1);
        for (line, row) in rows {
            let (number, card) = columns.read(row);
            if hand.as_ref().is_none_or(|(_, hand, _)| hand.number != number) {
                self.add_row_hand(file, hand.take());
                hand = Some((line, OrderedHand { number, cards: Vec::new() }, None));
            }
            let (_, open, fault) = hand.as_mut().expect("begun above");
            match card {
                Ok(card) => open.cards.push(card),
                Err(wanted) => {
                    let found: String = row.chars().take(FOUND_SHOWN).collect();
                    fault.get_or_insert_with(|| format!("line {line}: found {found:?}, wanted {wanted}"));
                }
            }
        }
        self.add_row_hand(file, hand);
    }

    fn add_row_hand(&mut self, file: &str, hand: Option<(usize, OrderedHand, Option<String>)>) {
        let Some((line, hand, fault)) = hand else { return };
        let place = format!("{file}, hand {} (from line {line})", hand.number);
        match fault {
            Some(fault) => self.refuse(file, &fault),
            None => self.insert(&place, hand),
        }
    }

    fn add_histories(&mut self, file: &str, text: &str) {
        let wanted =
            "a table whose first line names the columns hand, seat, street, card, or Poker Hand Histories";
        let Ok(hands) = phh::parse_file(text) else {
            let found: String = text.trim_start().chars().take(FOUND_SHOWN).collect();
            return self.refuse(file, &format!("found {found:?} at its beginning, wanted {wanted}"));
        };
        for (table, hand) in hands {
            let place = if table.is_empty() { file.to_owned() } else { format!("{file} [{table}]") };
            match hand.map_err(|error| error.to_string()).and_then(|hand| of_history(&place, &hand)) {
                Ok(hand) => self.insert(&place, hand),
                Err(reason) => self.refuse(&place, &reason),
            }
        }
    }

    fn insert(&mut self, place: &str, hand: OrderedHand) {
        let file = self.begun.len();
        if let Some(&before) = self.numbers.get(&hand.number) {
            if before == file {
                return self
                    .refuse(place, "this hand stood in the files before, or its rows are not together");
            }
            self.shared_numbers += 1;
            return self.refuse(
                place,
                "a hand of an earlier file has this number: the files overlap, or tables share numbers",
            );
        }
        self.numbers.insert(hand.number.clone(), file);
        if let Some(reason) = overfull(&hand.cards) {
            return self.refuse(place, &reason);
        }
        let mut seen = 0u64;
        for dealt in &hand.cards {
            if seen >> dealt.card.index() & 1 == 1 {
                return match export_slip(&hand.cards) {
                    Some(reason) => self.refuse(place, reason),
                    None => self.impossible.push((place.to_owned(), dealt.card)),
                };
            }
            seen |= 1 << dealt.card.index();
        }
        match incomplete(&hand.cards) {
            Some(reason) => self.refuse(place, &reason),
            None => self.hands.push(hand),
        }
    }
}

/// Where the four columns stand, by the names of the first line.
struct Columns {
    separator: char,
    hand: usize,
    seat: usize,
    street: usize,
    card: usize,
}

impl Columns {
    fn of(first: &str) -> Option<Columns> {
        let separator = [',', ';', '\t'].into_iter().find(|&separator| first.contains(separator))?;
        let names: Vec<String> = first.split(separator).map(|name| cell(name).to_ascii_lowercase()).collect();
        let place = |wanted: &str| names.iter().position(|name| name == wanted);
        let [hand, seat, street, card] = ["hand", "seat", "street", "card"].map(place);
        Some(Columns { separator, hand: hand?, seat: seat?, street: street?, card: card? })
    }

    /// The hand's number, and the card or what was wanted in its stead.
    fn read(&self, row: &str) -> (String, Result<DealtTo, &'static str>) {
        let cells: Vec<&str> = row.split(self.separator).map(cell).collect();
        let at = |place: usize| cells.get(place).copied().unwrap_or_default();
        let seat = match at(self.seat) {
            "-" => Some(0),
            text => text.parse().ok().filter(|seat| (1..=8).contains(seat)),
        };
        let street = at(self.street).trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let street = street.parse().ok().filter(|street| (3..=7).contains(street));
        let card = match (at(self.card).parse(), seat, street) {
            (Ok(card), Some(seat), Some(street)) => Ok(DealtTo { card, seat, street }),
            (Err(_), ..) => Err("a card such as Ah: every dealt card, face down or up"),
            (_, None, _) => Err("a seat 1 to 8, or - for a card that all seats share"),
            (_, _, None) => Err("a street 3 to 7"),
        };
        (at(self.hand).to_owned(), card)
    }
}

fn cell(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || letter == '"' || letter == '\u{feff}')
}

/// A history in the order dealt: third street is served one card at a time, whatever the record writes.
fn of_history(place: &str, history: &History) -> Result<OrderedHand, String> {
    let mut served: Vec<(u8, usize, usize, MaybeCard)> = Vec::new();
    let mut dealt = vec![0usize; history.players_total()];
    for (order, line) in history.lines.iter().enumerate() {
        match &line.action {
            Action::DealHole { player, cards } => {
                for &card in cards {
                    let round = dealt[*player];
                    dealt[*player] += 1;
                    // On third street the round decides, later the order of the record.
                    let turn = if round < 3 { round } else { order };
                    served.push((round.saturating_sub(2) as u8 + 3, turn, *player + 1, card));
                }
            }
            Action::DealBoard { cards } => cards.iter().for_each(|&card| served.push((7, order, 0, card))),
            _ => {}
        }
    }
    served.sort_by_key(|&(street, turn, ..)| (street, turn));
    let hidden = "it hides cards; wanted every dealt card, not what one player saw";
    let cards = served.into_iter().map(|(street, _, seat, card)| {
        let card = card.ok_or_else(|| hidden.to_owned())?;
        Ok(DealtTo { card, seat: seat as u8, street })
    });
    let cards: Vec<DealtTo> = cards.collect::<Result<_, String>>()?;
    let number = history.field("_hand").or_else(|| history.field("hand")).map(|number| number.join(" "));
    let table = history.field("_table").or_else(|| history.field("table")).map(|table| table.join(" "));
    let number = match (table, number) {
        (Some(table), Some(number)) => format!("{table} {number}"),
        (None, Some(number)) => number,
        (_, None) => place.to_owned(),
    };
    Ok(OrderedHand { number, cards })
}

/// The cards that a seat gets on a street.
fn each_on(street: u8) -> usize {
    if street == 3 { 3 } else { 1 }
}

/// More cards than a hand deals: two hands under one number, in which a card may come twice.
fn overfull(cards: &[DealtTo]) -> Option<String> {
    let mut counts = BTreeMap::<(u8, u8), usize>::new();
    cards.iter().for_each(|own| *counts.entry((own.street, own.seat)).or_default() += 1);
    let ((street, seat), count) =
        counts.into_iter().find(|((street, _), count)| *count > each_on(*street))?;
    Some(format!(
        "seat {seat} has {count} cards of street {street}, and a hand deals {}: they may be the rows of two hands under one number",
        each_on(street)
    ))
}

/// What is missing of a deal of stud: three cards a seat, then one for each that is still in, in the end one each
/// or one for all. A player's own view is caught here.
fn incomplete(cards: &[DealtTo]) -> Option<String> {
    let mut before: Vec<u8> = Vec::new();
    if cards.len() > DECK_CARDS || cards.windows(2).any(|pair| pair[1].street < pair[0].street) {
        return Some(
            "its cards are not in the order dealt, street by street (ORDER BY hand, dealt position)"
                .to_owned(),
        );
    }
    for street in 3..=7 {
        let mut seats: Vec<u8> =
            cards.iter().filter(|card| card.street == street).map(|card| card.seat).collect();
        seats.sort_unstable();
        let each = each_on(street);
        let mut served = seats.clone();
        served.dedup();
        let is_shared = street == 7 && served == [0];
        if let Some(seat) =
            served.iter().find(|seat| seats.iter().filter(|other| other == seat).count() != each)
        {
            return Some(format!(
                "seat {seat} has not {each} of street {street}; every dealt card must be there"
            ));
        }
        if !is_shared && served.contains(&0) {
            return Some(format!("street {street} has a card that all seats share"));
        }
        if street > 3 && !is_shared && served.iter().any(|seat| !before.contains(seat)) {
            return Some(format!("street {street} serves a seat that the street before does not"));
        }
        if !is_shared {
            before = served;
        }
        if street == 3 && before.len() < 2 {
            return Some("it deals third street to fewer than two seats".to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A card twice is proof, unless the rows show what the export did.
    #[test]
    fn a_card_twice_that_the_export_explains_is_no_proof() {
        // Two seats to fifth street, in the order dealt: three rounds of third street, then a round a street.
        let whole = "1 3 2c,2 3 3c,1 3 4c,2 3 5c,1 3 6c,2 3 7c,1 4 8c,2 4 9c,1 5 Tc,2 5 Jc,1 6 Qc,2 6 Kc";
        let found = |more: &str| {
            let rows = format!("{whole},{more}");
            let rows = rows.split(',').filter(|row| !row.is_empty()).map(|row| row.replace(' ', ","));
            let text = rows.fold("hand,seat,street,card".to_owned(), |text, row| text + "\nA," + &row);
            let mut dealt = DealtHands::default();
            dealt.add("a.csv", &text);
            (dealt.impossible.len(), dealt.unread.concat())
        };
        assert_eq!(found("1 7 Ac,2 7 Ad").0, 0);
        assert_eq!(found("1 7 2c,2 7 Ad").0, 1);
        for (rows, words) in [
            ("1 7 Ac,2 7 Ac", "every seat of seventh street has one card"),
            ("5 3 2c,6 3 As", "its streets go back"),
        ] {
            let (impossible, unread) = found(rows);
            assert!(impossible == 0 && unread.contains(words), "{rows}: {impossible}, {unread}");
        }
    }
}
