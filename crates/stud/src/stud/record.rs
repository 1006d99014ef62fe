//! A hand as somebody recorded it: the cards everybody saw, and those of the player who kept the record.

use crate::stud::betting::action::{Action, MaybeCard};
use crate::stud::board;
use crate::stud::card_set::CardSet;
use crate::stud::deal::Street;
use crate::stud::history::History;
use deckproof_deck::card::Card;
use deckproof_deck::text::named::named;

named! {
    /// The games whose records are read.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum StudGame {
        /// Seven-card stud, the best high hand wins.
        High = "stud high",
        /// Seven-card stud, half to the best low of eight or better.
        EightOrBetter = "stud 8 or better",
    }
    /// The game as a player would name it.
    pub fn name;
}

/// One recorded hand. Amounts are whole numbers of `10^-decimals`; players' names are not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What the record calls the hand: the room's number, or the place in its file.
    pub number: String,
    /// What was played.
    pub game: StudGame,
    /// The limit of third and fourth street.
    pub small: u64,
    /// The limit of the later streets.
    pub big: u64,
    /// Decimals of the amounts.
    pub decimals: u32,
    /// The seats that were dealt in, in the order of the record.
    pub seats: Vec<SeatRecord>,
    /// Which of them brought it in, also for the full small limit at once, by place in `seats`.
    pub brought_in: Option<usize>,
    /// Which of them kept the record, by place in `seats`.
    pub exporter: Option<usize>,
}

/// One seat of a recorded hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatRecord {
    /// The number of the seat.
    pub seat: u8,
    /// The up cards of third to sixth street.
    pub up: Vec<MaybeCard>,
    /// The cards of third street, the door last, where the record keeper sat here.
    pub first_three: Option<[Card; 3]>,
    /// The cards seen at the end.
    pub shown: Option<ShownCards>,
    /// On which street the seat folded.
    pub folded: Option<Street>,
    /// What the seat got out of the pots.
    pub won: u64,
}

/// Cards seen at the end of a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownCards {
    /// In the order of the record.
    pub cards: Vec<Card>,
    /// Whether the hand was thrown away and its cards are known all the same.
    pub is_mucked: bool,
}

impl SeatRecord {
    /// A seat without cards.
    pub fn new(seat: u8) -> SeatRecord {
        SeatRecord { seat, up: Vec::new(), first_three: None, shown: None, folded: None, won: 0 }
    }

    /// The known cards, each list without any card twice: the up cards, the first three, those shown.
    fn lists(&self) -> [Vec<Card>; 3] {
        let shown = self.shown.iter().flat_map(|shown| shown.cards.iter().copied());
        let first_three = self.first_three.into_iter().flatten();
        [self.up.iter().copied().flatten().collect(), first_three.collect(), shown.collect()]
    }
}

impl Record {
    /// The first up card of every seat, if all are known.
    pub fn doors(&self) -> Option<Vec<Card>> {
        self.seats.iter().map(|seat| *seat.up.first()?).collect()
    }

    /// Whose door card is the lowest, by place in `seats`.
    pub fn lowest_door(&self) -> Option<usize> {
        board::lowest_card(&self.doors()?)
    }

    /// Somebody else than the lowest door card brought it in: who did, and who should have.
    pub fn wrong_bring_in(&self) -> Option<(u8, u8)> {
        let (found, wanted) = (self.brought_in?, self.lowest_door()?);
        (found != wanted).then(|| (self.seats[found].seat, self.seats[wanted].seat))
    }

    /// A card that two places of the hand hold: no deck has it twice.
    pub fn repeated_card(&self) -> Option<Card> {
        let mut seen = CardSet::EMPTY;
        for seat in &self.seats {
            let lists = seat.lists();
            let own = lists.iter().find_map(|list| first_repeated(CardSet::EMPTY, list));
            let all = CardSet::of(&lists.concat());
            let repeated = own.or_else(|| first_repeated(seen, &all.cards().collect::<Vec<_>>()));
            if repeated.is_some() {
                return repeated;
            }
            seen = all.cards().fold(seen, CardSet::with);
        }
        None
    }

    /// What a Poker Hand History tells; nothing where it is of another game.
    pub fn of_history(number: String, history: &History) -> Option<Record> {
        let game = match &history.variant[..] {
            "F7S" => StudGame::High,
            "F7S/8" => StudGame::EightOrBetter,
            _ => return None,
        };
        let players = history.players_total();
        let named = history.field("seats").unwrap_or_default();
        let seat = |player: usize| {
            let given = named.get(player).and_then(|text| text.parse().ok());
            given.unwrap_or(player as u8 + 1)
        };
        let mut record = Record {
            number,
            game,
            small: history.stakes.small,
            big: history.stakes.big,
            decimals: history.decimals,
            seats: (0..players).map(|player| SeatRecord::new(seat(player))).collect(),
            brought_in: None,
            exporter: None,
        };
        let mut dealt = vec![0usize; players];
        for line in &history.lines {
            record.follow(&line.action, &mut dealt);
        }
        record.settle(history);
        Some(record)
    }

    fn follow(&mut self, action: &Action, dealt: &mut [usize]) {
        match action {
            Action::DealHole { player, cards } => {
                for &card in cards {
                    // Two cards down, four up, one down.
                    if (2..6).contains(&dealt[*player]) {
                        self.seats[*player].up.push(card);
                    }
                    dealt[*player] += 1;
                }
            }
            // A first bet on third street is the bring-in for the full small limit.
            Action::BringIn { player } | Action::BetTo { player, .. } if self.brought_in.is_none() => {
                let is_third = dealt.iter().all(|&cards| cards <= 3);
                self.brought_in = is_third.then_some(*player);
            }
            Action::Fold { player } => {
                let most = dealt.iter().copied().max().unwrap_or(0);
                self.seats[*player].folded = Street::ALL.get(most.saturating_sub(3)).copied();
            }
            Action::Show { player, cards } if !cards.is_empty() => {
                let cards = cards.iter().copied().flatten().collect();
                self.seats[*player].shown = Some(ShownCards { cards, is_mucked: false });
            }
            _ => {}
        }
    }

    /// What a stack grew by; the record says no more about the pots.
    fn settle(&mut self, history: &History) {
        let finals = history.finishing_stacks.iter().flatten();
        for (seat, (before, after)) in self.seats.iter_mut().zip(history.stakes.stacks.iter().zip(finals)) {
            if let (Some(before), Some(after)) = (before, after) {
                seat.won = after.saturating_sub(*before);
            }
        }
    }
}

/// The first card that is in the set already or twice in the list.
fn first_repeated(mut seen: CardSet, cards: &[Card]) -> Option<Card> {
    cards.iter().copied().find(|&card| {
        seen.contains(card) || {
            seen = seen.with(card);
            false
        }
    })
}
