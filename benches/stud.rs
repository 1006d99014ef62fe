//! Dealt hands in ratios of one run: certified shuffle, eight seats dealt, ranked high and low and counted, against
//! `rand` with the evaluator crate `aya_poker`.

#[path = "speed/contest.rs"]
mod contest;

use std::hint::black_box;

use aya_poker::base::{Card as TheirCard, Hand};
use deckproof::audit::evidence::Counter;
use deckproof::audit::selection::Selection;
use deckproof::battery::stud::at_table;
use deckproof::battery::stud::deals::{Deals, Hands};
use deckproof::battery::stud::table::StudTable;
use deckproof::battery::{Segment, Statistic};
use deckproof::card::Card;
use deckproof::shuffle::lanes::instruction_set;
use deckproof::stud::rules::RuleSet;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;

use crate::contest::{Contest, DECKS, Dealer, KEY};

const PEER: &str = "rand, dealt and ranked by aya_poker";

fn main() {
    let table = StudTable::of(RuleSet::ALL[0], 8).expect("eight play");
    let selection: &'static [&'static dyn Statistic] = at_table(table).collect::<Vec<_>>().leak();
    let whole = Box::leak(Box::new(Selection::of_tiers(&[]).at_table(Some(table))));
    let mut contest = Contest::default();
    enter_peer(&mut contest, table);
    let mut dealer = Dealer::default();
    contest.enter("shuffle", move || {
        black_box(dealer.deal());
    });
    let mut dealer = Dealer::default();
    contest.enter("shuffle, deal and rank", move || {
        for block in dealer.deal() {
            black_box(Hands::of_block(table, block));
        }
    });
    let mut dealer = Dealer::default();
    let mut counts: Vec<Vec<u64>> = selection.iter().map(|statistic| vec![0; statistic.cells()]).collect();
    contest.enter("shuffle, deal, rank and count", move || {
        let blocks = dealer.deal();
        let hands: Vec<Hands> = blocks.iter().map(|block| Hands::of_block(table, block)).collect();
        let deals = Deals { table, blocks, hands: &hands };
        for (statistic, counts) in selection.iter().zip(&mut counts) {
            statistic.seated().expect("it counts dealt hands").observe_dealt(&deals, counts);
        }
        black_box(&counts);
    });
    let (mut dealer, mut counter) = (Dealer::default(), Counter::new(whole));
    contest.enter("tier stud as the program runs it", move || {
        let blocks = dealer.deal();
        counter.count_segment(Segment::new(3, false), blocks);
        black_box(&counter.evidence);
    });
    let names: Vec<String> =
        selection.iter().map(|statistic| format!("  {}", statistic.about().id)).collect();
    for (name, statistic) in names.iter().zip(selection) {
        let blocks = Dealer::default().deal().to_vec();
        let hands: Vec<Hands> = blocks.iter().map(|block| Hands::of_block(table, block)).collect();
        let mut counts = vec![0; statistic.cells()];
        contest.enter(name.clone(), move || {
            let deals = Deals { table, blocks: &blocks, hands: &hands };
            statistic.seated().expect("it counts dealt hands").observe_dealt(&deals, black_box(&mut counts));
        });
    }
    contest.run();
    println!("lanes run with: {}", instruction_set());
    println!("\n{:40} {:>9} {:>12} {:>24}", "eight seats", "ns/deal", "M deals/s", "times rand + aya_poker");
    let totals = [
        "shuffle",
        "shuffle, deal and rank",
        "shuffle, deal, rank and count",
        "tier stud as the program runs it",
    ];
    for name in [PEER].into_iter().chain(totals) {
        let nanoseconds = contest.nanoseconds(name);
        println!(
            "{name:40} {nanoseconds:9.1} {:12.2} {:24.2}",
            1e3 / nanoseconds,
            contest.speedup(name, PEER)
        );
    }
    println!("\ncounting alone, ns/deal");
    names.iter().for_each(|name| println!("{name:40} {:9.1}", contest.nanoseconds(name)));
}

/// What a Rust programmer would write: shuffle, deal to eight seats, rank each high and low.
fn enter_peer(contest: &mut Contest, table: &'static StudTable) {
    let card = |index: u8| Card::from_index(index).expect("below 52").to_string().parse::<TheirCard>();
    let cards: Vec<TheirCard> =
        (0..52).map(|index| card(index).expect("a card of the other crate")).collect();
    let mut stream = ChaCha20Rng::from_seed(KEY);
    contest.enter(PEER, move || {
        for _ in 0..DECKS {
            let mut deck: [u8; 52] = std::array::from_fn(|place| place as u8);
            deck.shuffle(&mut stream);
            for seat in 0..table.players() {
                let own =
                    table.places(seat).iter().map(|&place| &cards[usize::from(deck[usize::from(place)])]);
                let hand: Hand = own.collect();
                black_box(aya_poker::poker_rank(&hand));
                black_box(aya_poker::ace_five_rank(&hand).to_lo_8_rank());
            }
        }
    });
}
