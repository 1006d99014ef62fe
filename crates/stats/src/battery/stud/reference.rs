//! A reference sample of the certified shuffle, for what has no known distribution: the second-best hand, two seats of a deck.
//!
//! `reference.csv` holds integers only. It is made by `cargo run --release --example stud_reference -- DECKS`, the first
//! so many decks of the audit path under the public key [`KEY`]; anybody can make it again and compare.

use std::sync::OnceLock;

use crate::battery::stud::deals::{Deals, Hands};
use crate::battery::stud::distributions::CATEGORIES;
use crate::battery::stud::leading_ranks;
use crate::battery::stud::parts::normalised;
use crate::battery::stud::table::{River, SEATS_MAX, StudTable};
use deckproof_deck::deck::block::DeckBlock;
use deckproof_stud::stud::rules::{Burn, RuleSet};

/// The audit key of the reference decks; public, so that they can be dealt again.
pub const KEY: [u8; 32] = *b"deckproof stud reference, public";

/// Hands of two seats of one deck, by their categories.
const PAIRS: usize = CATEGORIES * CATEGORIES;

/// Counts of reference decks, at every kind of table that differs in its distribution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// How many decks.
    pub decks: u64,
    /// A row each, with the table it was dealt at.
    rows: Vec<Row>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    players: usize,
    river: River,
    /// Decks by the cell of the second-best hand.
    second_best: Vec<u64>,
    /// Pairs of seats by `10·category + category`.
    pairs: Vec<u64>,
}

impl Reference {
    /// Nothing counted.
    pub fn empty() -> Reference {
        let row = |table: &StudTable| Row {
            players: table.players(),
            river: table.river(),
            second_best: vec![0; leading_ranks::CELLS],
            pairs: vec![0; PAIRS],
        };
        Reference { decks: 0, rows: tables().into_iter().map(row).collect() }
    }

    /// Deals blocks at every table and counts them.
    pub fn observe(&mut self, blocks: &[DeckBlock]) {
        self.decks += blocks.iter().map(|block| block.hands() as u64).sum::<u64>();
        for (row, table) in self.rows.iter_mut().zip(tables()) {
            let hands: Vec<Hands> = blocks.iter().map(|block| Hands::of_block(table, block)).collect();
            let deals = Deals { table, blocks, hands: &hands };
            leading_ranks::count(&deals, &mut row.second_best);
            // Two seats hang together alike whatever the number of others: one table of each river is enough.
            if row.players >= SEATS_MAX - usize::from(row.river == River::Own) {
                count_pairs(&deals, &mut row.pairs);
            }
        }
    }

    /// Adds other decks.
    pub fn merge(&mut self, other: &Reference) {
        self.decks += other.decks;
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            let added = other.second_best.iter().chain(&other.pairs);
            row.second_best
                .iter_mut()
                .chain(&mut row.pairs)
                .zip(added)
                .for_each(|(sum, count)| *sum += count);
        }
    }

    /// The text of the file.
    pub fn to_csv(&self) -> String {
        let list = |counts: &[u64]| counts.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let row = |row: &Row| {
            let (players, river) = (row.players, name_of(row.river));
            let pairs = if row.pairs.iter().any(|&count| count > 0) {
                format!("pairs,{players},{river},{}\n", list(&row.pairs))
            } else {
                String::new()
            };
            format!("second-best,{players},{river},{}\n{pairs}", list(&row.second_best))
        };
        format!("decks,{}\n{}", self.decks, self.rows.iter().map(row).collect::<String>())
    }

    /// Reads the text of the file; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Reference> {
        let mut reference = Reference::empty();
        for line in text.lines() {
            let mut fields = line.split(',');
            let kind = fields.next()?;
            if kind == "decks" {
                reference.decks = fields.next()?.parse().ok()?;
                continue;
            }
            let (players, river) = (fields.next()?.parse::<usize>().ok()?, fields.next()?);
            let counts: Vec<u64> = fields.map(|count| count.parse().ok()).collect::<Option<_>>()?;
            let row = reference
                .rows
                .iter_mut()
                .find(|row| row.players == players && name_of(row.river) == river)?;
            let held = if kind == "pairs" { &mut row.pairs } else { &mut row.second_best };
            *held = Some(counts).filter(|counts| counts.len() == held.len())?;
        }
        Some(reference)
    }
}

/// One table for each number of players and each kind of river.
fn tables() -> Vec<&'static StudTable> {
    let burning = |rules: &RuleSet| rules.burn == Burn::FromFourthStreet;
    let (burns, plain): (Vec<&RuleSet>, Vec<&RuleSet>) =
        RuleSet::ALL.into_iter().partition(|rules| burning(rules));
    let of = |rules: &RuleSet, players| StudTable::of(rules, players).expect("2 to 8 players");
    let plain = (2..=SEATS_MAX).map(|players| of(plain[0], players));
    let reshuffled = (2..=SEATS_MAX).map(|players| of(burns[0], players));
    plain.chain(reshuffled.filter(|table| table.river() == River::Reshuffled)).collect()
}

fn name_of(river: River) -> &'static str {
    match river {
        River::Own => "own",
        River::Shared => "shared",
        River::Reshuffled => "reshuffled",
    }
}

fn count_pairs(deals: &Deals, pairs: &mut [u64]) {
    for (block, hands) in deals.iter() {
        for seat in 1..deals.table.players() {
            for other in 0..seat {
                let rows = hands.category[seat].iter().zip(&hands.category[other]);
                for (&a, &b) in rows.take(block.hands()) {
                    pairs[usize::from(a) * CATEGORIES + usize::from(b)] += 1;
                }
            }
        }
    }
}

fn committed() -> &'static Reference {
    static COMMITTED: OnceLock<Reference> = OnceLock::new();
    COMMITTED.get_or_init(|| Reference::parse(include_str!("reference.csv")).expect("a test reads the file"))
}

/// How many decks the committed reference sample has.
pub fn decks() -> u64 {
    committed().decks
}

/// Decks of the reference sample by the cell of the second-best hand, at tables like this.
pub(super) fn second_best(table: &StudTable) -> &'static [u64] {
    let mut rows = committed().rows.iter();
    let own = rows.find(|row| row.players == table.players() && row.river == table.river());
    &own.expect("every kind of table has a row").second_best
}

/// `P(category i at one seat, j at another of the same deck) − P(i)·P(j)`, symmetric, row by row.
pub(super) fn pair_covariance(river: River) -> &'static [f64] {
    static COVARIANCES: [OnceLock<Vec<f64>>; 3] = [const { OnceLock::new() }; 3];
    COVARIANCES[river as usize].get_or_init(|| {
        let rows = committed().rows.iter().filter(|row| row.river == river);
        let pairs = &rows.max_by_key(|row| row.players).expect("every river has a row").pairs;
        let at = |i: usize, j: usize| pairs[i * CATEGORIES + j] as f64;
        let cells = (0..CATEGORIES).flat_map(|i| (0..CATEGORIES).map(move |j| (i, j)));
        let joint = normalised(cells.map(|(i, j)| at(i, j) + at(j, i)));
        let margin: Vec<f64> = joint.chunks(CATEGORIES).map(|row| row.iter().sum()).collect();
        let cells = joint.iter().enumerate();
        cells.map(|(cell, p)| p - margin[cell / CATEGORIES] * margin[cell % CATEGORIES]).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::distributions::categories;
    use crate::battery::stud::sample;

    fn row(players: usize, river: River) -> &'static Row {
        let mut rows = committed().rows.iter();
        rows.find(|row| row.players == players && row.river == river).expect("every kind of table has a row")
    }

    /// `P(category i at one seat, j at another)` of the project's own sample of 10^8 decks and 21 pairs, by an
    /// independent program.
    fn published_pairs() -> Vec<Vec<f64>> {
        let rows = sample::rows(include_str!("../../../../../fixtures/stud/seat_pair_joint_high_mc.csv"));
        rows.map(|row| row[1..].iter().map(|p| p.parse().expect("a probability")).collect()).collect()
    }

    #[test]
    fn every_deck_of_the_committed_sample_is_in_every_row() {
        assert!(decks() >= 400_000_000, "{}", decks());
        for row in &committed().rows {
            assert_eq!(row.second_best.iter().sum::<u64>(), decks());
            let pairs = row.players as u64 * (row.players as u64 - 1) / 2 * decks();
            assert!([0, pairs].contains(&row.pairs.iter().sum()));
        }
        assert!(
            [(7, River::Own), (8, River::Shared), (8, River::Reshuffled)]
                .into_iter()
                .all(|(players, river)| row(players, river).pairs.iter().any(|&count| count > 0))
        );
    }

    /// The exact distribution of one seat, within six standard deviations of so many decks.
    #[test]
    fn seats_of_the_sample_follow_the_exact_distribution() {
        for table in tables().into_iter().filter(|table| table.players() >= 7) {
            let row = row(table.players(), table.river());
            let total: u64 = row.pairs.iter().sum();
            for (category, p) in categories(table).into_iter().enumerate().filter(|_| total > 0) {
                let of_first = row.pairs[category * CATEGORIES..][..CATEGORIES].iter().sum::<u64>();
                let of_second: u64 = row.pairs.iter().skip(category).step_by(CATEGORIES).sum();
                let seen = (of_first + of_second) as f64 / (2 * total) as f64;
                let deviation = (p * (1.0 - p) / (decks() * row.players as u64) as f64).sqrt();
                assert!((seen - p).abs() < 6.0 * 1.05 * deviation, "{table:?} {category}: {seen} {p}");
            }
        }
    }

    /// The published pairs, within six deviations of both samples; pairs of one deck hang together a little.
    #[test]
    fn pairs_of_seats_agree_with_the_published_sample() {
        let pairs = &row(7, River::Own).pairs;
        let total: u64 = pairs.iter().sum();
        for (i, line) in published_pairs().into_iter().enumerate() {
            for (j, published) in line.into_iter().enumerate() {
                let both = pairs[i * CATEGORIES + j] + pairs[j * CATEGORIES + i];
                let seen = both as f64 / (2 * total) as f64;
                let deviation = (seen.max(published) * (1.0 / 2.1e9 + 1.0 / total as f64)).sqrt();
                assert!(
                    (seen - published).abs() < 6.0 * 2.0 * deviation + 1e-12,
                    "{i} {j}: {seen} {published}"
                );
            }
        }
    }

    /// The correlation of two seats, category by category, of the project's table.
    #[test]
    fn correlations_of_seats_are_the_published_ones() {
        let names =
            ["high_card", "one_pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"];
        let covariance = pair_covariance(River::Own);
        let points = categories(row_table(7));
        for fields in sample::rows(include_str!("../../../../../fixtures/stud/pooled_variance_ratio.csv")) {
            let Some(category) = names.iter().position(|name| *name == fields[0]) else { continue };
            let published: f64 = fields[2].parse().expect("a correlation");
            let p = points[category];
            let found = covariance[category * (CATEGORIES + 1)] / (p * (1.0 - p));
            assert!((found - published).abs() < 2e-4, "{}: {found} {published}", fields[0]);
        }
    }

    fn row_table(players: usize) -> &'static StudTable {
        tables().into_iter().find(|table| table.players() == players).expect("2 to 8 players")
    }

    /// Of two seats the second-best kind is the lower: `P(kind ≥ k)` is that of both, of the published pairs.
    #[test]
    fn the_second_best_of_two_is_the_worse_of_the_published_pairs() {
        let published = published_pairs();
        let counts = &row(2, River::Own).second_best;
        for kind in 1..9 {
            let both: f64 = published[kind..].iter().flat_map(|line| &line[kind..]).sum();
            let seen = counts[13 * kind..].iter().sum::<u64>() as f64 / decks() as f64;
            let deviation = (both * (1.0 / 2.1e9 + 1.0 / decks() as f64)).sqrt();
            assert!((seen - both).abs() < 6.0 * 2.0 * deviation + 1e-12, "{kind}: {seen} {both}");
        }
    }

    #[test]
    fn a_sample_is_counted_in_parts_written_and_read_back() {
        let blocks = sample::blocks(7, 4);
        let (mut whole, mut parts, mut other) = (Reference::empty(), Reference::empty(), Reference::empty());
        whole.observe(&blocks);
        parts.observe(&blocks[..1]);
        other.observe(&blocks[1..]);
        parts.merge(&other);
        assert_eq!((whole.decks, &whole), (256, &parts));
        assert_eq!(Reference::parse(&whole.to_csv()), Some(whole.clone()));
        assert_eq!(Reference::parse(&whole.to_csv().replacen(",0,", ",", 1)), None);
    }
}
