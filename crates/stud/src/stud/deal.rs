//! The order of the deal: which position goes to which seat, on which street, facing which way.

use crate::stud::rules::{Burn, RuleSet, Shortage};
use crate::stud::seat::{Seat, Seats};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::shuffle::shuffle;

/// A round of dealing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Street {
    /// Two cards down and one up.
    Third,
    /// One card up.
    Fourth,
    /// One card up.
    Fifth,
    /// One card up.
    Sixth,
    /// One card down.
    Seventh,
}

impl Street {
    /// All streets in order.
    pub const ALL: [Street; 5] =
        [Street::Third, Street::Fourth, Street::Fifth, Street::Sixth, Street::Seventh];

    /// 3..7.
    pub fn number(self) -> u8 {
        self as u8 + 3
    }
}

/// Which way a card lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Face {
    /// Seen by its seat alone.
    Down,
    /// Seen by everybody.
    Up,
    /// Seen by everybody, used by everybody.
    Community,
    /// Seen by nobody.
    Burn,
}

impl Face {
    /// `d`, `u`, `c` or `b`.
    pub fn letter(self) -> char {
        match self {
            Face::Down => 'd',
            Face::Up => 'u',
            Face::Community => 'c',
            Face::Burn => 'b',
        }
    }
}

/// One card leaving the deck, without its face value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DealtCard {
    /// The dealt position 0..51.
    pub position: u8,
    /// Who gets it; nobody gets a burned or a community card.
    pub seat: Option<Seat>,
    /// When.
    pub street: Street,
    /// Which way it lies.
    pub face: Face,
}

/// Why a street cannot be dealt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// All five streets are dealt.
    #[error("seventh street is dealt, no street follows")]
    HandOver,
    /// Nobody plays against one seat.
    #[error("street {} is dealt to {found} seats, wanted at least 2", .street.number())]
    TooFewSeats {
        /// The street to deal.
        street: Street,
        /// How many seats were to be served.
        found: usize,
    },
    /// Somebody is served who is not in the hand, or out of turn.
    #[error("street {} is dealt to seats that are not, in deal order, among those of the street before", .street.number())]
    NotLive {
        /// The street to deal.
        street: Street,
    },
}

/// A hand being dealt, street by street (PROTOCOL.md, section 8).
pub struct DealOrder {
    rules: &'static RuleSet,
    live: Vec<Seat>,
    streets_dealt: usize,
    next_position: u8,
    burned: Vec<u8>,
    reshuffle_seed: [u8; 32],
}

impl DealOrder {
    /// A hand of which no card is dealt yet. The seed is used by a reshuffle only.
    pub fn new(rules: &'static RuleSet, seats: &Seats, reshuffle_seed: &[u8; 32]) -> DealOrder {
        DealOrder {
            rules,
            live: seats.in_order().to_vec(),
            streets_dealt: 0,
            next_position: 0,
            burned: Vec::new(),
            reshuffle_seed: *reshuffle_seed,
        }
    }

    /// Deals the next street to the seats still in, given in deal order; third street serves all seats.
    ///
    /// # Errors
    /// [`DealError`]; then nothing is dealt.
    pub fn deal_street(&mut self, live: &[Seat]) -> Result<Vec<DealtCard>, DealError> {
        let street = *Street::ALL.get(self.streets_dealt).ok_or(DealError::HandOver)?;
        if live.len() < 2 {
            return Err(DealError::TooFewSeats { street, found: live.len() });
        }
        if !is_subsequence(live, &self.live) || (street == Street::Third && live != self.live) {
            return Err(DealError::NotLive { street });
        }
        self.live = live.to_vec();
        self.streets_dealt += 1;
        Ok(match street {
            Street::Third => self.third_street(),
            Street::Seventh if self.is_short() => self.short_street(),
            _ => self.later_street(street),
        })
    }

    fn third_street(&mut self) -> Vec<DealtCard> {
        let faces = [Face::Down, Face::Down, Face::Up];
        faces.into_iter().flat_map(|face| self.round(Street::Third, face)).collect()
    }

    fn later_street(&mut self, street: Street) -> Vec<DealtCard> {
        let mut cards = Vec::new();
        if self.rules.burn == Burn::FromFourthStreet {
            let position = self.take();
            self.burned.push(position);
            cards.push(DealtCard { position, seat: None, street, face: Face::Burn });
        }
        let face = if street == Street::Seventh { Face::Down } else { Face::Up };
        cards.extend(self.round(street, face));
        cards
    }

    fn round(&mut self, street: Street, face: Face) -> Vec<DealtCard> {
        let seats = self.live.clone();
        seats
            .into_iter()
            .map(|seat| DealtCard { position: self.take(), seat: Some(seat), street, face })
            .collect()
    }

    fn take(&mut self) -> u8 {
        let position = self.next_position;
        // Before seventh street, 8 seats and 3 burns take 51 cards, and seventh street asked first.
        assert!(usize::from(position) < DECK_CARDS, "the deck suffices");
        self.next_position += 1;
        position
    }

    fn is_short(&self) -> bool {
        is_short(self.rules, usize::from(self.next_position), self.live.len())
    }

    /// Seventh street when the undealt cards are too few.
    fn short_street(&mut self) -> Vec<DealtCard> {
        let positions = match self.rules.shortage {
            Shortage::CommunityCard => vec![self.next_position],
            Shortage::Reshuffle => reshuffled_pool(&self.burned, self.next_position, &self.reshuffle_seed),
        };
        let street = Street::Seventh;
        if positions.len() < self.live.len() {
            return vec![DealtCard { position: positions[0], seat: None, street, face: Face::Community }];
        }
        let served = positions.into_iter().zip(&self.live);
        served
            .map(|(position, &seat)| DealtCard { position, seat: Some(seat), street, face: Face::Down })
            .collect()
    }
}

/// Whether seventh street runs short: fewer undealt cards than seats and a burn need.
pub fn is_short(rules: &RuleSet, cards_dealt: usize, live: usize) -> bool {
    let burns = usize::from(rules.burn == Burn::FromFourthStreet);
    DECK_CARDS.saturating_sub(cards_dealt) < live + burns
}

/// The numbers of positions, a bit each, with which a hand of so many seats can end: before the first street, or after any, whatever folded
/// when.
pub fn ends(rules: &RuleSet, seats: usize) -> u64 {
    fn follow(rules: &RuleSet, street: u8, live: usize, dealt: usize) -> u64 {
        let burns = usize::from(rules.burn == Burn::FromFourthStreet);
        let next = |served: usize| match street {
            7 => 0,
            // One community card, or burned cards that were counted before and undealt ones.
            6 if is_short(rules, dealt, served) => {
                (dealt..=DECK_CARDS.min(dealt + served)).fold(0, |all, end| all | 1 << end)
            }
            _ => follow(rules, street + 1, served, dealt + burns + served),
        };
        (2..=live).fold(1 << dealt, |all, served| all | next(served))
    }
    1 | follow(rules, 3, seats, 3 * seats)
}

/// `pool[order[k]]` for k = 0, 1, …: every burned and every undealt position, shuffled in public.
pub(super) fn reshuffled_pool(burned: &[u8], next_position: u8, seed: &[u8; 32]) -> Vec<u8> {
    let pool: Vec<u8> = burned.iter().copied().chain(next_position..DECK_CARDS as u8).collect();
    shuffle(pool.len(), seed).into_iter().map(|place| pool[place]).collect()
}

fn is_subsequence(some: &[Seat], all: &[Seat]) -> bool {
    let mut all = all.iter();
    some.iter().all(|seat| all.any(|other| other == seat))
}

/// Deals a whole hand: `streets[0]` holds the seats served on third street, `streets[1]` those on
/// fourth, and so on. A hand may end after any street, also before the first.
///
/// # Errors
/// [`DealError`].
pub fn deal(
    rules: &'static RuleSet,
    seats: &Seats,
    reshuffle_seed: &[u8; 32],
    streets: &[Vec<Seat>],
) -> Result<Vec<DealtCard>, DealError> {
    let mut order = DealOrder::new(rules, seats, reshuffle_seed);
    let mut cards = Vec::new();
    for live in streets {
        cards.extend(order.deal_street(live)?);
    }
    Ok(cards)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(text: &str) -> Vec<Seat> {
        text.split(',').filter_map(Seat::parse).collect()
    }

    fn begin() -> DealOrder {
        let seats = Seats::new(seats("4,6,8,2")).expect("clockwise");
        DealOrder::new(RuleSet::named("stud-hi").expect("a rule set"), &seats, &[0; 32])
    }

    /// Counted by hand: three seats and no burn end with 9 cards and 2 or 3 more a street; two seats with burns take 3 a street; eight
    /// seats end with 24 and never 25, and leave 4 cards for the last street: one for all, or one each for two to four.
    #[test]
    fn a_hand_ends_with_the_cards_of_whole_streets() {
        let bits = |all: &[usize]| all.iter().fold(1u64, |bits, end| bits | 1 << end);
        let of = |rules, seats| ends(RuleSet::named(rules).expect("a rule set"), seats);
        let three: Vec<usize> = (11..=21).chain([9]).collect();
        assert_eq!(of("stud-hi", 3), bits(&three));
        assert_eq!(of("espacejeux", 2), bits(&[6, 9, 12, 15, 18]));
        let eight = of("stud-8b", 8);
        assert_eq!((eight >> 48 & 0b11_1111, eight >> 24 & 0b11), (0b1_1111, 0b01));
    }

    /// Whatever is dealt, street by street, ends with a number that is allowed.
    #[test]
    fn what_is_dealt_ends_as_hands_end() {
        let all = seats("1,2,3,4,5,6,7,8");
        for rules in RuleSet::ALL {
            for folds in 0..7usize.pow(4) {
                let players = 8 - folds % 7;
                let at = |street: u32| players.saturating_sub(folds / 7usize.pow(street) % 7).max(2);
                let mut live = players;
                let streets = (0..4).map(|street| {
                    live = live.min(if street == 0 { players } else { at(street) });
                    all[..live].to_vec()
                });
                let streets: Vec<Vec<Seat>> = streets.chain([all[..2].to_vec()]).collect();
                let seats = Seats::new(all[..players].to_vec()).expect("clockwise");
                for last in 0..=streets.len() {
                    let cards = deal(rules, &seats, &[7; 32], &streets[..last]).expect("it is dealt");
                    let positions: std::collections::BTreeSet<u8> =
                        cards.iter().map(|card| card.position).collect();
                    assert!(
                        ends(rules, players) >> positions.len() & 1 == 1,
                        "{}: {}",
                        rules.name,
                        positions.len()
                    );
                }
            }
        }
    }

    #[test]
    fn third_street_serves_every_seat_in_order() {
        for live in ["4,6,8", "2,4,6,8", "4,6,8,2,4", "4,6,8,1"] {
            assert_eq!(begin().deal_street(&seats(live)), Err(DealError::NotLive { street: Street::Third }));
        }
    }

    #[test]
    fn later_streets_serve_seats_still_in_and_in_order() {
        let refused = Err(DealError::NotLive { street: Street::Fifth });
        let mut order = begin();
        assert_eq!(order.deal_street(&seats("4,6,8,2")).map(|cards| cards.len()), Ok(12));
        assert_eq!(order.deal_street(&seats("4,8,2")).map(|cards| cards.len()), Ok(3));
        for live in ["4,6", "8,4", "4,4", "4,8,2,1"] {
            assert_eq!(order.deal_street(&seats(live)), refused, "{live}");
        }
        assert_eq!(
            order.deal_street(&seats("4")),
            Err(DealError::TooFewSeats { street: Street::Fifth, found: 1 })
        );
        let positions: Vec<u8> =
            order.deal_street(&seats("4,2")).expect("legal").iter().map(|card| card.position).collect();
        assert_eq!(positions, [15, 16], "a refused street takes no card");
    }

    #[test]
    fn nothing_follows_seventh_street() {
        let mut order = begin();
        for _ in Street::ALL {
            order.deal_street(&seats("4,6,8,2")).expect("legal");
        }
        assert_eq!(order.deal_street(&seats("4,6,8,2")), Err(DealError::HandOver));
    }
}
