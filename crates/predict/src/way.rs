//! Ways of shuffling with 51 draws, undone and dealt.
//!
//! Each maps the 52! orders one-to-one onto draws. Places are counted from the first card dealt; cards are numbered by
//! their place in the new deck.

use crate::deck::{DECK_CARDS, DRAWS, Deck, Record};

/// Draws in the order in which they were made.
pub type Draws = [u8; DRAWS];

/// Draws where they are known.
pub type KnownDraws = [Option<u8>; DRAWS];

/// The loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Loop {
    /// `for i in 51..=1 { swap(i, draw(i + 1)) }`: Durstenfeld (1964).
    Down,
    /// `for i in 0..51 { swap(i, i + draw(52 − i)) }`.
    Up,
    /// `remove(draw(left))` from a bag kept in order: Lehmer (1960).
    Bag,
    /// `for i in 1..52 { swap(i, draw(i + 1)) }`: inside out, `std::shuffle`; the inverse of `Down`.
    InsideOut,
    /// `for i in 50..=0 { swap(i, i + draw(52 − i)) }`: the inverse of `Up`.
    UpBackwards,
    /// The next card goes to the `draw(left)`-th free place: the inverse of `Bag`.
    FreePlace,
    /// `insert(draw(i + 1), card i)` for i in 1..52.
    Insert,
    /// Sorted by a number for each card, drawn in the order of the new deck: no draws of a loop.
    Keys,
    /// `sort(() => U - 0.5)` of V8.
    Compared,
    /// `sort(() => 0.5 - U)` of V8.
    ComparedBack,
}

/// A loop, and whether the deck is dealt from the end of the array, as `pop()` does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Way {
    /// How the array is shuffled.
    pub of: Loop,
    /// Whether the last card of the array is dealt first.
    pub from_end: bool,
}

/// All ways, likeliest first: the six that the battery undoes, those dealt from the end, and the rest.
pub const WAYS: [Way; 12] = [
    Way { of: Loop::Down, from_end: false },
    Way { of: Loop::Down, from_end: true },
    Way { of: Loop::InsideOut, from_end: false },
    Way { of: Loop::Up, from_end: false },
    Way { of: Loop::Bag, from_end: false },
    Way { of: Loop::UpBackwards, from_end: false },
    Way { of: Loop::FreePlace, from_end: false },
    Way { of: Loop::Up, from_end: true },
    Way { of: Loop::InsideOut, from_end: true },
    Way { of: Loop::Insert, from_end: false },
    Way { of: Loop::Bag, from_end: true },
    Way { of: Loop::UpBackwards, from_end: true },
];

/// Ways of sorting, which no draws undo: models of their own look for them.
pub const SORTS: [Way; 6] = [
    Way { of: Loop::Keys, from_end: false },
    Way { of: Loop::Keys, from_end: true },
    Way { of: Loop::Compared, from_end: false },
    Way { of: Loop::Compared, from_end: true },
    Way { of: Loop::ComparedBack, from_end: false },
    Way { of: Loop::ComparedBack, from_end: true },
];

impl Way {
    /// What it is called: `down`, `down-from-end`, …
    pub fn name(self) -> String {
        let name = match self.of {
            Loop::Down => "down",
            Loop::Up => "up",
            Loop::Bag => "bag",
            Loop::InsideOut => "inside-out",
            Loop::UpBackwards => "up-backwards",
            Loop::FreePlace => "free-place",
            Loop::Insert => "insert",
            Loop::Keys => "sort-keys",
            Loop::Compared => "sort-compared",
            Loop::ComparedBack => "sort-compared-back",
        };
        format!("{name}{}", if self.from_end { "-from-end" } else { "" })
    }

    /// The way of that name.
    pub fn named(name: &str) -> Option<Way> {
        WAYS.into_iter().chain(SORTS).find(|way| way.name() == name)
    }

    /// Whether it sorts instead of drawing.
    pub fn is_sort(self) -> bool {
        SORTS.contains(&self)
    }

    /// Whether the first cards tell the first draws: the loop fixes them first.
    pub fn shows_first_draws(self) -> bool {
        matches!((self.of, self.from_end), (Loop::Bag | Loop::Up, false) | (Loop::Down, true))
    }

    /// The range of every draw: 52, 51, …, 2 or 2, 3, …, 52.
    pub fn ranges(self) -> Draws {
        std::array::from_fn(|draw| match self.of {
            Loop::InsideOut | Loop::UpBackwards | Loop::Insert => draw as u8 + 2,
            _ => DECK_CARDS as u8 - draw as u8,
        })
    }

    /// The deck that the draws deal, of numbers in the new deck; not of a sort.
    pub fn deal(self, draws: &Draws) -> Deck {
        let mut deck: Deck = std::array::from_fn(|place| place as u8);
        match self.of {
            Loop::Down => (1..52).rev().zip(draws).for_each(|(i, &j)| deck.swap(i, usize::from(j))),
            Loop::InsideOut => (1..52).zip(draws).for_each(|(i, &j)| deck.swap(i, usize::from(j))),
            Loop::Up => (0..51).zip(draws).for_each(|(i, &j)| deck.swap(i, i + usize::from(j))),
            Loop::UpBackwards => {
                (0..51).rev().zip(draws).for_each(|(i, &j)| deck.swap(i, i + usize::from(j)));
            }
            Loop::Bag => deck = from_bag(draws),
            Loop::FreePlace => deck = inverse(&from_bag(draws)),
            Loop::Insert => {
                (1..52).zip(draws).for_each(|(i, &j)| deck[usize::from(j)..=i].rotate_right(1));
            }
            // Dealt in `candidate`, from outputs instead of draws.
            Loop::Keys | Loop::Compared | Loop::ComparedBack => {}
        }
        if self.from_end {
            deck.reverse();
        }
        deck
    }

    /// The draws that dealt a deck; of a sort none.
    pub fn undo(self, deck: &Deck) -> Draws {
        let mut deck = *deck;
        if self.from_end {
            deck.reverse();
        }
        match self.of {
            Loop::Down => undo_down(&deck),
            Loop::Up => undo_up(&deck),
            Loop::Bag => into_bag(&deck),
            Loop::InsideOut => backwards(undo_down(&inverse(&deck))),
            Loop::UpBackwards => backwards(undo_up(&inverse(&deck))),
            Loop::FreePlace => into_bag(&inverse(&deck)),
            Loop::Insert => undo_insert(&deck),
            Loop::Keys | Loop::Compared | Loop::ComparedBack => [0; DRAWS],
        }
    }

    /// The draws that a record tells for sure: all of a whole deck; of first cards those from the first on, where the
    /// loop fixes the first cards first. `numbers[card]` is a card's place in the new deck.
    pub fn known(self, record: &Record, numbers: &Deck) -> KnownDraws {
        if self.is_sort() {
            return [None; DRAWS];
        }
        if let Some(deck) = record.deck() {
            return self.undo(&deck.map(|card| numbers[usize::from(card)])).map(Some);
        }
        let seen: Vec<Option<u8>> =
            record.cards().iter().map(|card| card.map(|card| numbers[usize::from(card)])).collect();
        match (self.of, self.from_end) {
            (Loop::Bag, false) => self.of_first(&seen),
            (Loop::Up, false) => {
                let places = traced(&seen);
                std::array::from_fn(|step| places[step].map(|place| place - step as u8))
            }
            // The same from the other end.
            (Loop::Down, true) => {
                let turned: Vec<Option<u8>> = seen.iter().map(|card| card.map(|card| 51 - card)).collect();
                traced(&turned).map(|place| place.map(|place| 51 - place))
            }
            _ => [None; DRAWS],
        }
    }

    /// Any deck that begins so has these first draws.
    fn of_first(self, seen: &[Option<u8>]) -> KnownDraws {
        let first: Vec<u8> = seen.iter().map_while(|card| *card).collect();
        let whole = self.undo(&completed(&first));
        std::array::from_fn(|draw| (draw < first.len()).then_some(whole[draw]))
    }
}

/// Where the card that step i swaps into place i lay before, of a loop upward. A card lies where the new deck has it until a step
/// reaches that place, and then where this step sent it, so that it is known if the card that took its place was seen.
fn traced(seen: &[Option<u8>]) -> KnownDraws {
    let mut places: KnownDraws = [None; DRAWS];
    for (step, card) in seen.iter().enumerate().take(DRAWS) {
        let mut at = *card;
        while let Some(place) = at.filter(|place| usize::from(*place) < step) {
            at = places[usize::from(place)];
        }
        places[step] = at;
    }
    places
}

/// The other cards behind the first ones.
fn completed(first: &[u8]) -> Deck {
    let seen = first.iter().fold(0u64, |set, card| set | 1 << card);
    let mut cards = first.iter().copied().chain((0..52).filter(|card| seen >> card & 1 == 0));
    std::array::from_fn(|_| cards.next().expect("52 cards"))
}

/// Where every card lies.
pub fn inverse(deck: &Deck) -> Deck {
    let mut places = [0; DECK_CARDS];
    deck.iter().zip(0u8..).for_each(|(&card, place)| places[usize::from(card)] = place);
    places
}

fn backwards(mut draws: Draws) -> Draws {
    draws.reverse();
    draws
}

fn from_bag(draws: &Draws) -> Deck {
    let mut bag: Vec<u8> = (0..52).collect();
    std::array::from_fn(|place| bag.remove(draws.get(place).map_or(0, |&draw| usize::from(draw))))
}

fn into_bag(deck: &Deck) -> Draws {
    let mut seen = 0u64;
    std::array::from_fn(|place| {
        let card = deck[place];
        let draw = card - (seen & ((1 << card) - 1)).count_ones() as u8;
        seen |= 1 << card;
        draw
    })
}

fn undo_down(deck: &Deck) -> Draws {
    let mut array: Deck = std::array::from_fn(|place| place as u8);
    let mut places = array;
    std::array::from_fn(|draw| {
        let i = DRAWS - draw;
        take(&mut array, &mut places, i, deck[i])
    })
}

fn undo_up(deck: &Deck) -> Draws {
    let mut array: Deck = std::array::from_fn(|place| place as u8);
    let mut places = array;
    std::array::from_fn(|i| take(&mut array, &mut places, i, deck[i]) - i as u8)
}

/// Swaps a card into place i; where it lay.
fn take(array: &mut Deck, places: &mut Deck, i: usize, card: u8) -> u8 {
    let j = places[usize::from(card)];
    let other = array[i];
    (array[i], array[usize::from(j)]) = (card, other);
    (places[usize::from(card)], places[usize::from(other)]) = (i as u8, j);
    j
}

fn undo_insert(deck: &Deck) -> Draws {
    let places = inverse(deck);
    // Cards that were there before card i and lie before it now.
    std::array::from_fn(|draw| (0..=draw).filter(|&card| places[card] < places[draw + 1]).count() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some decks that need not be uniform, only different.
    pub(crate) fn some_draws(way: Way, seed: u64) -> Draws {
        let mut state = seed;
        way.ranges().map(|range| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(range)) as u8
        })
    }

    #[test]
    fn every_way_gives_back_the_draws_it_was_dealt_with() {
        for way in WAYS {
            assert_eq!(Way::named(&way.name()), Some(way));
            for seed in 0..50 {
                let draws = some_draws(way, seed);
                assert_eq!(way.undo(&way.deal(&draws)), draws, "{way:?}");
            }
        }
    }

    /// By hand: a draw of 0 each time.
    #[test]
    fn loops_deal_what_they_are_described_as() {
        let zeros = [0; DRAWS];
        let deal = |of, from_end| Way { of, from_end }.deal(&zeros);
        let rotated: Deck = std::array::from_fn(|place| ((place + 1) % 52) as u8);
        assert_eq!(deal(Loop::Down, false), rotated);
        assert_eq!(deal(Loop::Down, true)[..3], [0, 51, 50]);
        assert_eq!(deal(Loop::InsideOut, false), inverse(&rotated));
        assert_eq!(deal(Loop::Insert, false)[..3], [51, 50, 49]);
        assert_eq!(deal(Loop::Up, false)[..3], [0, 1, 2]);
    }

    /// One seat of six: its own cards, and the four cards of every seat that lie open.
    #[test]
    fn what_one_player_sees_tells_draws_for_sure() {
        let numbers: Deck = std::array::from_fn(|card| card as u8);
        for way in WAYS {
            let mut count = 0;
            for seed in 0..50 {
                let draws = some_draws(way, seed);
                let deck = way.deal(&draws);
                let is_seen = |place: usize| place % 6 == 1 || (12..36).contains(&place);
                let seen: Vec<_> = (0..42).map(|place| is_seen(place).then_some(deck[place])).collect();
                let record = Record::of_first_cards(&seen).expect("cards of one deck");
                let known = way.known(&record, &numbers);
                assert!(known.iter().zip(draws).all(|(known, draw)| known.is_none_or(|known| known == draw)));
                count += known.iter().flatten().count();
            }
            let is_traced = matches!((way.of, way.from_end), (Loop::Up, false) | (Loop::Down, true));
            assert!(if is_traced { count > 50 * 10 } else { count == 0 }, "{way:?}: {count}");
        }
    }

    #[test]
    fn first_cards_tell_the_first_draws_where_the_loop_fixes_them_first() {
        let numbers: Deck = std::array::from_fn(|card| card as u8);
        for way in WAYS {
            let draws = some_draws(way, 7);
            let first: Vec<Option<u8>> = way.deal(&draws)[..14].iter().map(|&card| Some(card)).collect();
            let record = Record::of_first_cards(&first).expect("cards of one deck");
            let known = way.known(&record, &numbers);
            let count = known.iter().flatten().count();
            assert!(count == 0 || count == 14, "{way:?}");
            assert!(known.iter().zip(draws).all(|(known, draw)| known.is_none_or(|known| known == draw)));
        }
    }
}
