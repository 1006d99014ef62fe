//! Decks one by one: each in 64 bytes, which is one register of AVX-512, for what byte permutes do at once.
//!
//! The plain functions are the specification; where the processor permutes bytes of a whole register (AVX-512
//! VBMI) the same is done in `vbmi`.

#[cfg(target_arch = "x86_64")]
mod vbmi;

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::card::DECK_CARDS;
use crate::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};

/// Bytes of an order.
pub const ORDER_BYTES: usize = 64;

/// A permutation of 0..64 that leaves 52 to 63 where they are: `order[p]` is the card at place p, or the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Order([u8; ORDER_BYTES]);

impl Order {
    /// Every card at its own place.
    pub const IDENTITY: Order = Order(IDENTITY);

    /// No deck: what an empty lane holds at every place.
    pub const EMPTY: Order = Order([EMPTY_LANE; ORDER_BYTES]);

    /// What a kernel has worked out of orders.
    pub fn of_bytes(bytes: [u8; ORDER_BYTES]) -> Order {
        Order(bytes)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8; ORDER_BYTES] {
        &self.0
    }
}

impl Default for Order {
    fn default() -> Order {
        Order::IDENTITY
    }
}

const IDENTITY: [u8; ORDER_BYTES] = {
    let mut bytes = [0; ORDER_BYTES];
    let mut place = 0;
    while place < ORDER_BYTES {
        bytes[place] = place as u8;
        place += 1;
    }
    bytes
};

/// Whether orders may be quicker than lanes here: where bytes of a whole register can be permuted and compressed. With any
/// other processor the plain functions below would lose against the lanes.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
pub fn are_possible() -> bool {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => true,
        _ => false,
    }
}

/// Decks and their inverses, one for one.
#[derive(Clone, Copy)]
pub struct Decks<'a> {
    /// The decks.
    pub orders: &'a [Order],
    /// The place of every card.
    pub inverses: &'a [Order],
}

/// Appends the decks of a block.
pub fn push_decks(block: &DeckBlock, orders: &mut Vec<Order>) {
    let first = orders.len();
    orders.resize(first + BLOCK_HANDS, Order::IDENTITY);
    let own: &mut [Order; BLOCK_HANDS] = orders[first..].first_chunk_mut().expect("64 were added");
    to_orders(block.rows(), own);
    orders.truncate(first + block.hands());
}

/// Fills `out` with at most 64 decks.
pub fn fill_block(orders: &[Order], out: &mut DeckBlock) {
    out.fill(orders.len(), |rows| to_rows(orders, rows));
}

/// Columns of lanes become orders; empty lanes become anything.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
fn to_orders(rows: &[Row; DECK_CARDS], orders: &mut [Order; BLOCK_HANDS]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => vbmi::to_orders(rows, orders),
        _ => for (lane, order) in orders.iter_mut().enumerate() {
            *order = Order::IDENTITY;
            order.0.iter_mut().zip(rows).for_each(|(card, row)| *card = row[lane]);
        },
    }
}

/// At most 64 orders become columns of lanes: row k holds byte k of each. Lanes without an order are empty.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
pub fn to_rows(orders: &[Order], rows: &mut [Row]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => vbmi::to_rows(orders, rows),
        _ => for (byte, row) in rows.iter_mut().enumerate() {
            *row = [EMPTY_LANE; BLOCK_HANDS];
            row.iter_mut().zip(orders).for_each(|(lane, order)| *lane = order.0[byte]);
        },
    }
}

/// Fills `out` with the inverses `v[c[p]] = p`.
pub fn inverses(orders: &[Order], out: &mut Vec<Order>) {
    out.resize(orders.len(), Order::IDENTITY);
    invert(orders, out);
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
fn invert(orders: &[Order], out: &mut [Order]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => vbmi::invert(orders, out),
        _ => for (order, out) in orders.iter().zip(out) {
            order.0.iter().zip(0u8..).for_each(|(&card, place)| out.0[usize::from(card)] = place);
        },
    }
}

/// The rows of the inverse decks; lanes that hold no deck become anything.
pub(super) fn inverse_rows(rows: &[Row; DECK_CARDS], out: &mut [Row; DECK_CARDS]) {
    let [mut orders, mut inverses] = [[Order::IDENTITY; BLOCK_HANDS]; 2];
    to_orders(rows, &mut orders);
    invert(&orders, &mut inverses);
    to_rows(&inverses, out);
}

/// Fills `out` with `second∘first` of every pair: `out[p] = second[first[p]]`.
pub fn composed(first: &[Order], second: &[Order], out: &mut Vec<Order>) {
    out.resize(first.len().min(second.len()), Order::IDENTITY);
    compose(first, second, out);
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni"
))]
fn compose(first: &[Order], second: &[Order], out: &mut [Order]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl+avx512vbmi+avx512vbmi2+avx512bitalg+avx512vpopcntdq+gfni" => vbmi::compose(first, second, out),
        _ => for ((first, second), out) in first.iter().zip(second).zip(out) {
            *out = Order(first.0.map(|place| second.0[usize::from(place)]));
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::Deck;

    /// Some decks that need not be uniform, only different.
    fn some_blocks(hands: usize) -> Vec<DeckBlock> {
        let (mut blocks, mut deck) =
            (vec![DeckBlock::default(); hands.div_ceil(BLOCK_HANDS)], Deck::in_order());
        for hand in 0..hands {
            blocks[hand / BLOCK_HANDS].push(&deck);
            (1..DECK_CARDS).for_each(|place| deck.swap(place, (7 * place + 5 * hand) % (place + 1)));
        }
        blocks
    }

    fn orders_of(blocks: &[DeckBlock]) -> Vec<Order> {
        let mut orders = Vec::new();
        blocks.iter().for_each(|block| push_decks(block, &mut orders));
        orders
    }

    #[test]
    fn decks_become_orders_and_come_back_with_their_empty_lanes() {
        for hands in [0, 1, 17, 64, 130] {
            let blocks = some_blocks(hands);
            let orders = orders_of(&blocks);
            assert_eq!(orders.len(), hands);
            for (hand, order) in orders.iter().enumerate() {
                let deck = blocks[hand / BLOCK_HANDS].deck(hand % BLOCK_HANDS);
                assert_eq!(order.bytes()[..DECK_CARDS], *deck.indices(), "hand {hand}");
                assert!((52..64).all(|place| order.bytes()[usize::from(place)] == place));
            }
            for (block, own) in blocks.iter().zip(orders.chunks(BLOCK_HANDS)) {
                let mut back = some_blocks(64).remove(0);
                fill_block(own, &mut back);
                assert!(back.rows() == block.rows() && back.hands() == block.hands());
            }
        }
    }

    #[test]
    fn inverses_and_compositions_are_those_of_looking_up() {
        let orders = orders_of(&some_blocks(200));
        let (mut inverse, mut composition) = (Vec::new(), Vec::new());
        inverses(&orders, &mut inverse);
        composed(&orders, &inverse[1..], &mut composition);
        assert_eq!((inverse.len(), composition.len()), (200, 199));
        for (number, order) in orders.iter().enumerate() {
            for (place, &card) in order.bytes().iter().enumerate() {
                assert_eq!(usize::from(inverse[number].bytes()[usize::from(card)]), place);
                if let Some(next) = inverse.get(number + 1) {
                    assert_eq!(composition[number].bytes()[place], next.bytes()[usize::from(card)]);
                }
            }
        }
    }
}
