//! The parts: what is bet on, and what has been learned from the hands before.

use crate::hands::dealt::BetPart;
use crate::hands::dealt::before::Before;
use crate::hands::dealt::bets::{Money, ODDS, SEATS, STREETS, TILTS, event, tilted};
use crate::hands::dealt::read::DealtTo;
use deckproof_deck::card::DECK_CARDS;

const RANKS: usize = 13;

/// How many hands' worth of cards a learned bet on cells waits for.
const CELL_PATIENCE: [f64; 4] = [10.0, 100.0, 1_000.0, 10_000.0];

/// The same for the 52 cards.
const CARD_PATIENCE: [f64; 3] = [30.0, 300.0, 3_000.0];

/// Digits of one position: how often each came before.
struct Cells {
    counts: Vec<u64>,
    money: Money,
}

/// How often each card came, and how often it would have by chance.
struct Learned {
    seen: [f64; DECK_CARDS],
    expected: [f64; DECK_CARDS],
    weights: Vec<[f64; DECK_CARDS]>,
    /// What the cards left weigh in this hand.
    left: Vec<f64>,
    money: Money,
}

/// Everything that is bet on.
pub(super) struct Tables {
    positions: Vec<Cells>,
    rank_by_seat: Vec<Money>,
    rank_by_street: Vec<Money>,
    rank_after_fold: Money,
    matches: Vec<Vec<Money>>,
    matches_by_street: Vec<Vec<Money>>,
    matches_of_leader: Vec<Money>,
    rolled_up: Vec<Money>,
    cards: Vec<Learned>,
    before: Before,
}

/// The matches: what a seat holds that the next card may add to.
const MATCHES: [&str; 4] = ["a pair", "a third of a rank", "a third ace", "a fourth of a suit"];

/// Which of them on third street is rolled-up trips.
const THIRD: usize = 1;

/// The ranks that every seat shows.
#[derive(Default)]
struct Boards {
    cards: [u8; SEATS],
    shown: [[u8; RANKS]; SEATS],
}

impl Boards {
    /// The third card of a seat is its door; the last one is dealt down.
    fn show(&mut self, dealt: &DealtTo) {
        let seat = usize::from(dealt.seat);
        self.cards[seat] += 1;
        if self.cards[seat] > 2 && dealt.street < 7 {
            self.shown[seat][usize::from(dealt.card.rank())] += 1;
        }
    }

    /// Of some seats the one that shows most: equal ranks first, then high ones; of equal boards the first seat.
    fn leader(&self, seats: u16) -> Option<usize> {
        let strength = |seat: &usize| {
            let mut ranks: Vec<(u8, usize)> = self.shown[*seat]
                .iter()
                .zip(0..)
                .filter(|(count, _)| **count > 0)
                .map(|(c, r)| (*c, r))
                .collect();
            ranks.sort_unstable_by(|a, b| b.cmp(a));
            ranks
        };
        (1..SEATS).rev().filter(|seat| seats >> seat & 1 == 1).max_by_key(strength)
    }
}

impl Cells {
    fn bet(&mut self, digit: usize) {
        let cells = self.counts.len() as f64;
        let (count, total) = (self.counts[digit] as f64, self.money.cards as f64);
        self.money.pay(|bettor| {
            let patience = CELL_PATIENCE[bettor];
            cells * (patience + count) / (cells * patience + total)
        });
        self.counts[digit] += 1;
    }
}

impl Learned {
    fn new() -> Learned {
        Learned {
            seen: [0.0; DECK_CARDS],
            expected: [0.0; DECK_CARDS],
            weights: vec![[1.0; DECK_CARDS]; CARD_PATIENCE.len()],
            left: vec![DECK_CARDS as f64; CARD_PATIENCE.len()],
            money: Money::of(CARD_PATIENCE.len()),
        }
    }

    fn bet(&mut self, card: usize, left: u64) {
        let cards_left = f64::from(left.count_ones());
        let (weights, sums) = (&self.weights, &self.left);
        self.money.pay(|bettor| weights[bettor][card] * cards_left / sums[bettor]);
        self.seen[card] += 1.0;
        for (place, expected) in self.expected.iter_mut().enumerate() {
            *expected += if left >> place & 1 == 1 { 1.0 / cards_left } else { 0.0 };
        }
    }

    fn take(&mut self, card: usize) {
        for (sum, weights) in self.left.iter_mut().zip(&self.weights) {
            *sum -= weights[card];
        }
    }

    /// What was seen so far is bet to go on.
    fn learn(&mut self) {
        for (bettor, weights) in self.weights.iter_mut().enumerate() {
            for (card, weight) in weights.iter_mut().enumerate() {
                let more = self.seen[card] - self.expected[card];
                *weight = (1.0 + more / (self.expected[card] + CARD_PATIENCE[bettor])).clamp(0.5, 2.0);
            }
            self.left[bettor] = weights.iter().sum();
        }
        self.money.settle();
    }
}

impl Tables {
    pub fn new() -> Tables {
        let cells = |base: usize| Cells { counts: vec![0; base], money: Money::of(CELL_PATIENCE.len()) };
        Tables {
            positions: (2..=DECK_CARDS).rev().map(cells).collect(),
            rank_by_seat: vec![Money::of(TILTS.len()); SEATS],
            rank_by_street: vec![Money::of(TILTS.len()); STREETS],
            rank_after_fold: Money::of(TILTS.len()),
            matches: vec![vec![Money::of(ODDS.len()); SEATS]; MATCHES.len()],
            matches_by_street: vec![vec![Money::of(ODDS.len()); STREETS]; MATCHES.len()],
            matches_of_leader: vec![Money::of(ODDS.len()); MATCHES.len()],
            rolled_up: vec![Money::of(ODDS.len()); SEATS],
            cards: (0..SEATS + STREETS).map(|_| Learned::new()).collect(),
            before: Before::new(),
        }
    }

    /// Bets on the cards of a hand one after the other, each with what was seen before it.
    pub fn add(&mut self, cards: &[DealtTo]) {
        let mut left = u64::MAX >> (64 - DECK_CARDS);
        self.before.add(cards, left);
        let mut held = [0u64; SEATS];
        let (mut streets, mut seats_before, mut leader) = ([0u16; STREETS], 0, None);
        let mut boards = Boards::default();
        for dealt in cards {
            let (card, seat) = (usize::from(dealt.card.index()), usize::from(dealt.seat));
            let street = usize::from(dealt.street - 3);
            if streets[street] == 0 && street > 0 {
                seats_before = streets[street - 1];
                leader = boards.leader(seats_before);
            }
            streets[street] |= 1 << seat;
            if left.count_ones() > 1 {
                self.bet_on_digit(card, left);
                self.bet_on_rank(dealt, left, held, seats_before);
                self.bet_on_matches(dealt, left, held[seat], leader == Some(seat));
                // A seat's cards and a street's cards; those of seat 0 stand for all.
                for table in [0, seat, SEATS + street] {
                    if table > 0 || seat > 0 {
                        self.cards[table].bet(card, left);
                    }
                }
            }
            self.cards.iter_mut().for_each(|learned| learned.take(card));
            left &= !(1 << card);
            held[seat] |= 1 << card;
            boards.show(dealt);
        }
        self.settle();
    }

    fn bet_on_digit(&mut self, card: usize, left: u64) {
        let position = DECK_CARDS - left.count_ones() as usize;
        let digit = (left & ((1 << card) - 1)).count_ones() as usize;
        self.positions[position].bet(digit);
    }

    /// High and low cards: to a seat, on a street, and to a street's seats once somebody has gone.
    fn bet_on_rank(&mut self, dealt: &DealtTo, left: u64, held: [u64; SEATS], seats_before: u16) {
        let sum: u32 =
            (0..RANKS as u32).map(|rank| rank * (left & of_rank(rank as usize)).count_ones()).sum();
        let mean = f64::from(sum) / f64::from(left.count_ones());
        let score = (f64::from(dealt.card.rank()) - mean) / (RANKS - 1) as f64;
        let seat = usize::from(dealt.seat);
        self.rank_by_seat[seat].pay(|bettor| tilted(TILTS[bettor], score));
        self.rank_by_street[usize::from(dealt.street - 3)].pay(|bettor| tilted(TILTS[bettor], score));
        // Somebody had gone before this street: a seat that holds cards got none on the street before.
        let begun = held.iter().filter(|cards| **cards != 0).count() as u32;
        if dealt.street > 4 && seats_before.count_ones() < begun {
            self.rank_after_fold.pay(|bettor| tilted(TILTS[bettor], score));
        }
    }

    fn bet_on_matches(&mut self, dealt: &DealtTo, left: u64, held: u64, is_leader: bool) {
        let (seat, street) = (usize::from(dealt.seat), usize::from(dealt.street - 3));
        if seat == 0 {
            return;
        }
        let holds = |mask: u64| (held & mask).count_ones();
        let ranks = |least: u32| {
            (0..RANKS).map(of_rank).filter(|&mask| holds(mask) >= least).fold(0, |all, mask| all | mask)
        };
        let suits = (0..4).map(of_suit).filter(|&mask| holds(mask) >= 3).fold(0, |all, mask| all | mask);
        let aces = of_rank(RANKS - 1);
        let wanted = [ranks(1), ranks(2), if holds(aces) >= 2 { aces } else { 0 }, suits];
        let has_come = |mask: u64| mask >> dealt.card.index() & 1 == 1;
        for (kind, mask) in wanted.into_iter().enumerate() {
            let (chances, all) = ((mask & left).count_ones(), left.count_ones());
            if chances == 0 || chances == all {
                continue;
            }
            let probability = f64::from(chances) / f64::from(all);
            let pays = |bettor: usize| event(ODDS[bettor], probability, has_come(mask));
            for table in [0, seat] {
                self.matches[kind][table].pay(pays);
            }
            self.matches_by_street[kind][street].pay(pays);
            if kind == THIRD && street == 0 {
                self.rolled_up[seat].pay(pays);
            }
            if is_leader {
                self.matches_of_leader[kind].pay(pays);
            }
        }
    }

    fn settle(&mut self) {
        self.positions.iter_mut().for_each(|cells| cells.money.settle());
        self.cards.iter_mut().for_each(Learned::learn);
        let by_rank = self.rank_by_seat.iter_mut().chain(&mut self.rank_by_street);
        let money = by_rank.chain([&mut self.rank_after_fold]).chain(self.matches.iter_mut().flatten());
        let money = money
            .chain(self.matches_by_street.iter_mut().flatten())
            .chain(&mut self.matches_of_leader)
            .chain(&mut self.rolled_up);
        money.for_each(Money::settle);
    }

    /// The parts on which cards were bet.
    pub fn parts(&self) -> Vec<BetPart> {
        let part = |family, name: String, money: &Money| BetPart {
            family,
            name,
            cards: money.cards,
            most: money.most,
        };
        let to = |seat: usize| if seat == 0 { "all seats".to_owned() } else { format!("seat {seat}") };
        let mut parts = Vec::new();
        for (position, cells) in self.positions.iter().enumerate() {
            parts.push(part("digits", format!("card {} of the hand", position + 1), &cells.money));
        }
        for (seat, money) in self.rank_by_seat.iter().enumerate() {
            let name = if seat == 0 { "cards all seats share".to_owned() } else { to(seat) };
            parts.push(part("ranks", name, money));
        }
        for (street, money) in self.rank_by_street.iter().enumerate() {
            parts.push(part("ranks", format!("street {}", street + 3), money));
        }
        parts.push(part("ranks", "after a fold".to_owned(), &self.rank_after_fold));
        for (kind, seats) in self.matches.iter().enumerate() {
            for (seat, money) in seats.iter().enumerate() {
                parts.push(part("matches", format!("{}, {}", MATCHES[kind], to(seat)), money));
            }
        }
        for (kind, streets) in self.matches_by_street.iter().enumerate() {
            for (street, money) in streets.iter().enumerate() {
                parts.push(part("matches", format!("{}, street {}", MATCHES[kind], street + 3), money));
            }
        }
        for (kind, money) in self.matches_of_leader.iter().enumerate() {
            parts.push(part("matches", format!("{}, the seat that leads on board", MATCHES[kind]), money));
        }
        for (seat, money) in self.rolled_up.iter().enumerate() {
            parts.push(part("matches", format!("rolled-up trips, {}", to(seat)), money));
        }
        for (table, learned) in self.cards.iter().enumerate() {
            let name = if table < SEATS { to(table) } else { format!("street {}", table - SEATS + 3) };
            parts.push(part("cards", name, &learned.money));
        }
        parts.extend(self.before.parts().map(|(name, money)| part("before", name, money)));
        parts.retain(|part| part.cards > 0);
        parts
    }
}

/// The four cards of a rank, as bits by their numbers `4·rank + suit`.
fn of_rank(rank: usize) -> u64 {
    0xf << (4 * rank)
}

/// The thirteen cards of a suit.
fn of_suit(suit: usize) -> u64 {
    0x1_1111_1111_1111 << suit
}
