//! Bets on each table by itself, joined by weights that are fixed before its first day.

use serde::{Deserialize, Serialize};

use crate::monitoring::by_table::{TableCounts, TablesSeen};
use crate::monitoring::drift::families::Families;
use crate::monitoring::drift::family::{Bets, OtherTable};
use crate::monitoring::drift::process::Shape;
use deckproof_stats::math::dirichlet::ln_sum_exp;

/// What is bet on at a table, with equal parts of its stake, whether it is counted or not.
const FAMILIES: [Bets; 4] = [Bets::SeatWins, Bets::LowWins, Bets::BringIn, Bets::Places];

/// The bets on all tables. Tables that come on one day share `1/(b(b+1))` of the stake if b − 1 days brought some before;
/// what is left holds its value for those that are to come.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableBets {
    /// Days that brought new tables.
    days_with_new: u32,
    tables: Vec<OwnTable>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnTable {
    name: String,
    /// b, and with how many tables it shares.
    since: u32,
    shared_by: u32,
    families: Families,
}

impl OwnTable {
    fn ln_weight(&self) -> f64 {
        let since = f64::from(self.since);
        -libm::log(since * (since + 1.0) * f64::from(self.shared_by))
    }

    fn ln_evidence(&self) -> f64 {
        self.families.ln_mean(FAMILIES.len())
    }
}

/// The counts of a family at a table, if it has some.
fn counts(family: Bets, counts: &TableCounts) -> Option<(Shape, &[u64])> {
    let own = match family {
        Bets::SeatWins => &counts.wins,
        Bets::LowWins => &counts.low_wins,
        Bets::BringIn => &counts.bring_in,
        Bets::Places => &counts.top,
        _ => return None,
    };
    (own.len() > 1).then(|| (Shape::of_tables(1, own.len()), own.as_slice()))
}

impl TableBets {
    /// Adds the counts of a day. A table without decks that day stands still.
    ///
    /// # Errors
    /// [`OtherTable`] if a table has other seats than before; nothing is added then.
    pub fn add_day(&mut self, day: &TablesSeen) -> Result<(), OtherTable> {
        for (name, seen) in day {
            let Some(own) = self.tables.iter().find(|own| own.name == *name) else { continue };
            for family in FAMILIES {
                let found = counts(family, seen).map(|(shape, _)| own.families.check(family, shape));
                found.transpose()?;
            }
        }
        let new: Vec<&String> =
            day.keys().filter(|name| !self.tables.iter().any(|own| own.name == **name)).collect();
        if !new.is_empty() {
            self.days_with_new += 1;
        }
        let (since, shared_by) = (self.days_with_new, new.len() as u32);
        let begun =
            |name: &String| OwnTable { name: name.clone(), since, shared_by, families: Families::default() };
        self.tables.extend(new.into_iter().map(begun));
        for own in &mut self.tables {
            let Some(seen) = day.get(&own.name) else { continue };
            for family in FAMILIES {
                let Some((shape, counts)) = counts(family, seen) else { continue };
                own.families.add_day(family, shape, counts);
            }
        }
        Ok(())
    }

    /// The logarithm of the evidence of all tables.
    pub fn ln_evidence(&self) -> f64 {
        let to_come = 1.0 / f64::from(self.days_with_new + 1);
        let own = self.tables.iter().map(|own| own.ln_weight() + own.ln_evidence());
        ln_sum_exp(own.chain([libm::log(to_come)]))
    }

    /// How many tables.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The table with the most evidence, what of it, and how much by itself; nothing below 1 in 1.
    pub fn strongest(&self) -> Option<(&str, Bets, f64)> {
        let own = self.tables.iter().max_by(|a, b| a.ln_evidence().total_cmp(&b.ln_evidence()))?;
        let (_, family) = own.families.strongest()?;
        (own.ln_evidence() > 0.0).then_some((own.name.as_str(), family, own.ln_evidence()))
    }

    /// Whether what was read back can have been written.
    pub fn is_sound(&self) -> bool {
        let is_sound = |own: &OwnTable| {
            (1..=self.days_with_new).contains(&own.since)
                && own.shared_by >= 1
                && own.families.are_sound(&FAMILIES)
        };
        self.tables.iter().all(is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::drift::process::Process;
    use deckproof_deck::card::DECK_CARDS;

    fn seen(names: &[(&str, [u64; 3])]) -> TablesSeen {
        let of = |(name, wins): &(&str, [u64; 3])| {
            let decks = wins.iter().sum();
            ((*name).to_owned(), TableCounts { decks, wins: wins.to_vec(), ..TableCounts::default() })
        };
        names.iter().map(of).collect()
    }

    /// Weights 1/4 and 1/4 of the first day, 1/6 of the second; 1/3 is to come.
    #[test]
    fn weights_are_fixed_on_the_first_day_of_a_table_and_sum_to_one() {
        let mut bets = TableBets::default();
        assert_eq!(bets.ln_evidence(), 0.0, "the whole stake is to come");
        bets.add_day(&seen(&[("a", [0; 3]), ("b", [0; 3])])).expect("new tables");
        bets.add_day(&seen(&[("b", [0; 3]), ("c", [0; 3])])).expect("a new table");
        let weights: Vec<f64> = bets.tables.iter().map(|own| libm::exp(own.ln_weight())).collect();
        for (found, wanted) in weights.iter().zip([0.25, 0.25, 1.0 / 6.0]) {
            assert!((found - wanted).abs() < 1e-12, "{weights:?}");
        }
        assert!(bets.ln_evidence().abs() < 1e-12, "nothing was counted: {}", bets.ln_evidence());
        // A fault of one table: its own evidence by hand, the others hold their stake.
        let mut process = Process::new(Shape::of_tables(1, 3));
        for _ in 0..2 {
            process.add_day(&[0; 3]);
        }
        for _ in 0..30 {
            bets.add_day(&seen(&[("b", [5_300, 4_850, 4_850])])).expect("the same seats");
            process.add_day(&[5_300, 4_850, 4_850]);
        }
        let own = (libm::exp(process.ln_evidence()) + 3.0) / 4.0;
        let wanted = 0.75 + 0.25 * own;
        assert!(
            (libm::exp(bets.ln_evidence()) / wanted - 1.0).abs() < 1e-9,
            "{}, {wanted}",
            libm::exp(bets.ln_evidence())
        );
        assert!(wanted > 1e6, "{wanted}");
        let (name, family, _) = bets.strongest().expect("there is evidence");
        assert_eq!((name, family), ("b", Bets::SeatWins));
        let text = serde_json::to_string(&bets).expect("plain data");
        let again: TableBets = serde_json::from_str(&text).expect("what was written");
        assert!(again.is_sound() && again.ln_evidence() == bets.ln_evidence());
    }

    #[test]
    fn a_table_with_other_seats_is_another_table() {
        let mut bets = TableBets::default();
        bets.add_day(&seen(&[("a", [1, 2, 3])])).expect("a new table");
        let before = bets.clone();
        let mut other = seen(&[("a", [1, 2, 3]), ("b", [1, 2, 3])]);
        other.get_mut("a").expect("it is there").wins.push(4);
        assert!(bets.add_day(&other).is_err());
        assert_eq!(bets, before);
    }

    #[test]
    fn the_top_card_is_bet_on_too() {
        let mut bets = TableBets::default();
        let mut top = vec![1_000; DECK_CARDS];
        top[51] = 2_000;
        let counts = TableCounts { decks: 53_000, top, ..TableCounts::default() };
        bets.add_day(&TablesSeen::from([("a".to_owned(), counts)])).expect("a new table");
        assert_eq!(bets.strongest().map(|(name, family, _)| (name, family)), Some(("a", Bets::Places)));
    }
}
