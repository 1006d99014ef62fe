//! A table: rules and players, and which places of the deck each seat holds when all stay to the river.

use std::sync::OnceLock;

use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::BLOCK_HANDS;
use deckproof_stud::stud::deal::is_short;
use deckproof_stud::stud::rules::{Burn, RuleSet, Shortage};

/// Most seats at a table.
pub const SEATS_MAX: usize = 8;

/// Cards a seat holds after the river.
pub const HAND_CARDS: usize = 7;

/// Where the last card of a hand comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum River {
    /// From the deck, one each.
    Own,
    /// From the deck, one card that all seats share.
    Shared,
    /// From a reshuffle of burned and undealt cards: the deck does not tell it.
    Reshuffled,
}

/// A rule set with a number of players, every seat live to the river: what a deck then deals to whom.
///
/// Seats are counted from 0, the dealer's left, and so are places of the deck.
#[derive(PartialEq, Eq, Debug)]
pub struct StudTable {
    rules: &'static RuleSet,
    players: usize,
    river: River,
    /// Places of each seat: two down, four up, and the river where the deck tells it.
    places: [[u8; HAND_CARDS]; SEATS_MAX],
}

impl StudTable {
    /// The table of a rule set for 2 to 8 players.
    pub fn of(rules: &RuleSet, players: usize) -> Option<&'static StudTable> {
        StudTable::all().iter().find(|table| table.rules == rules && table.players == players)
    }

    /// Every rule set with every number of players.
    pub fn all() -> &'static [StudTable] {
        static TABLES: OnceLock<Vec<StudTable>> = OnceLock::new();
        TABLES.get_or_init(|| {
            let of_rules = |rules| (2..=SEATS_MAX).map(move |players| StudTable::new(rules, players));
            RuleSet::ALL.into_iter().flat_map(of_rules).collect()
        })
    }

    /// The order of the deal (PROTOCOL.md, section 8) when nobody folds.
    fn new(rules: &'static RuleSet, players: usize) -> StudTable {
        let burns = usize::from(rules.burn == Burn::FromFourthStreet);
        let mut places = [[0; HAND_CARDS]; SEATS_MAX];
        let mut next = 0;
        let mut serve = |next: usize, card: usize| {
            for (seat, hand) in places.iter_mut().enumerate().take(players) {
                hand[card] = (next + seat) as u8;
            }
            next + players
        };
        for round in 0..3 {
            next = serve(next, round);
        }
        for street in 3..6 {
            next = serve(next + burns, street);
        }
        let river = match rules.shortage {
            _ if !is_short(rules, next, players) => River::Own,
            Shortage::CommunityCard => River::Shared,
            Shortage::Reshuffle => River::Reshuffled,
        };
        match river {
            River::Own => drop(serve(next + burns, 6)),
            // Nobody reads the river's place of a reshuffle; it names a card that is there.
            River::Shared | River::Reshuffled => places.iter_mut().for_each(|hand| hand[6] = next as u8),
        }
        StudTable { rules, players, river, places }
    }

    /// Its rules.
    pub fn rules(&self) -> &'static RuleSet {
        self.rules
    }

    /// How many play, all of them to the river.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Where the last card comes from.
    pub fn river(&self) -> River {
        self.river
    }

    /// How many cards of a hand the deck tells: seven, or six where the river is reshuffled.
    pub fn cards(&self) -> usize {
        if self.river == River::Reshuffled { HAND_CARDS - 1 } else { HAND_CARDS }
    }

    /// How many cards of a hand no other seat shares.
    pub fn own_cards(&self) -> usize {
        if self.river == River::Own { HAND_CARDS } else { HAND_CARDS - 1 }
    }

    /// How many cards lie in some hand when all is dealt that the deck tells.
    pub fn cards_dealt(&self) -> usize {
        self.players * self.own_cards() + usize::from(self.river == River::Shared)
    }

    /// The places of one seat's cards, as many as the deck tells: two down, the door, three up, the river.
    pub fn places(&self, seat: usize) -> &[u8] {
        &self.places[seat][..self.cards()]
    }

    /// The seat that is looked at in this lane of a block where one deck may give one seat only.
    pub fn turn(&self, lane: usize) -> usize {
        lane % BLOCK_HANDS % self.players
    }

    /// What cannot be judged at this table, as a sentence; `None` where everything can.
    pub fn not_judged(&self) -> Option<&'static str> {
        match self.river {
            River::Own => None,
            River::Shared => Some(
                "With these players the deck runs short: one community card serves all on seventh street, and is \
                 counted in every hand.",
            ),
            River::Reshuffled => Some(
                "With these players the deck runs short: seventh street comes from a reshuffle of burned and undealt \
                 cards, which the deck does not tell. Hands are judged by their first six cards, and what only the \
                 river decides is not judged.",
            ),
        }
    }
}

const _: () =
    assert!(SEATS_MAX * 6 + 3 < DECK_CARDS, "six streets of eight seats and three burns fit a deck");

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_stud::stud::deal::deal;
    use deckproof_stud::stud::seat::{Seat, Seats};

    /// Against the order of the deal that hands are really dealt by.
    #[test]
    fn places_are_those_of_the_deal() {
        assert_eq!(StudTable::all().len(), 21);
        for table in StudTable::all() {
            let seats: Vec<Seat> = (1..=table.players as u8).filter_map(Seat::new).collect();
            let order = Seats::new(seats.clone()).expect("clockwise");
            let [cards, others] = [[0; 32], [1; 32]]
                .map(|seed| deal(table.rules, &order, &seed, &vec![seats.clone(); 5]).expect("a legal deal"));
            for (place, seat) in seats.iter().enumerate() {
                let own = cards.iter().filter(|card| card.seat == Some(*seat) || card.face.letter() == 'c');
                let own: Vec<u8> = own.map(|card| card.position).take(table.cards()).collect();
                assert_eq!(own, table.places(place), "{} {}", table.rules.name, table.players);
            }
            assert_eq!(
                cards == others,
                table.river != River::Reshuffled,
                "only a reshuffle depends on its seed"
            );
            let shares = cards.iter().any(|card| card.face.letter() == 'c');
            assert!(table.river != River::Shared || shares);
            assert!(table.river != River::Own || !shares);
        }
    }

    #[test]
    fn seven_players_with_burns_run_short() {
        let table = |rules, players| {
            StudTable::of(RuleSet::named(rules).expect("a rule set"), players).expect("2 to 8")
        };
        let rivers = |rules| (2..=8).map(|players| table(rules, players).river()).collect::<Vec<_>>();
        assert_eq!(rivers("espacejeux")[4..], [River::Own, River::Reshuffled, River::Reshuffled]);
        for rules in ["stud-hi", "stud-8b"] {
            assert_eq!(rivers(rules)[5..], [River::Own, River::Shared]);
        }
        assert_eq!(StudTable::of(RuleSet::ALL[0], 9), None);
    }
}
