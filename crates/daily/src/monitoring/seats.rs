//! Seats: time-outs and disconnections of each seat against its own history, no clock that ran out early, and stacks that go
//! on from hand to hand, from the histories of the day's hands.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::monitoring::check::{CheckResult, DayCheck, StepFault};
use crate::monitoring::replay::{NamedTable, ended_since};
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::text::decimal::{counted, p_value, thousands};
use deckproof_files::file::{TEXT_BYTES_MAX, if_there, own};
use deckproof_stats::math::{bonferroni, hypergeometric};
use deckproof_stud::stud::betting::action::{Action, Connection};
use deckproof_stud::stud::history::{History, phh};
use deckproof_stud::stud::rules::RuleSet;
use deckproof_table::table::files::{HANDS, HandEnd, history_file};

/// The name of the step.
pub const NAME: &str = "seats of the tables";

/// More time-outs than this p-value explains by chance raise a question: once in 270 years of days.
const LEVEL: f64 = 1e-5;

/// What all days until now say of the seats of a table.
pub type SeatsSeen = BTreeMap<String, TableSeen>;

/// The seats of one table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSeen {
    /// The last hand whose history was read.
    pub hand: u64,
    /// By seat.
    pub seats: BTreeMap<String, SeatSeen>,
}

/// One seat of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatSeen {
    /// Hands it played.
    pub hands: u64,
    /// Hands in which its time ran out.
    pub time_outs: u64,
    /// Hands in which its line broke.
    pub disconnections: u64,
    /// Chips after its last hand, and the player's name where the history has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chips: Option<(u64, String)>,
}

/// What one history says of one seat.
struct SeatHand {
    seat: String,
    player: String,
    before: Option<u64>,
    after: Option<u64>,
    has_timed_out: bool,
    was_cut_off: bool,
}

/// What one history says.
struct HandSeen {
    hand: u64,
    seats: Vec<SeatHand>,
    /// A clock that ran out before its time, in words.
    early: Option<String>,
}

/// Reads every history since the day before.
pub fn check(tables: &[NamedTable], before: &SeatsSeen) -> (DayCheck, SeatsSeen) {
    let mut earlier = before.clone();
    for table in tables {
        let own = table.seen(&mut earlier).unwrap_or_default();
        earlier.insert(table.name.clone(), own);
    }
    let mut seen = earlier.clone();
    let (mut read, mut bought_in) = (0, 0);
    for NamedTable { folder, name } in tables {
        let own = seen.entry(name.clone()).or_default();
        let name = folder.display().to_string();
        let all = match histories(folder, own.hand) {
            Ok(all) => all,
            Err(fault) => return (fault.at(&name).check(NAME), before.clone()),
        };
        for hand in all {
            read += 1;
            match own.add(&hand) {
                Ok(added) => bought_in += added,
                Err(fault) => {
                    let fault = StepFault::Refused(format!("{name} hand {}: {fault}", hand.hand));
                    return (fault.check(NAME), before.clone());
                }
            }
        }
    }
    let numbers = format!(
        "{} since the last day, no clock ran out early, stacks go on from hand to hand, {} with chips bought",
        counted(read, "history", "histories"),
        counted(bought_in, "time", "times")
    );
    let check = match too_many(&seen, &earlier) {
        _ if read == 0 => DayCheck::could_not_say(NAME, "no hand since the last day has a history"),
        Some(found) => DayCheck::new(NAME, CheckResult::Investigate, format!("{found}; {numbers}")),
        None => DayCheck::passed(NAME, numbers),
    };
    (check, seen)
}

/// The histories of closed hands after this one, in the order of the hands.
fn histories(table: &Path, after: u64) -> Result<Vec<HandSeen>, StepFault> {
    let closed = closed_since(table, after).map_err(|error| StepFault::unreadable(error).at(HANDS))?;
    closed.par_iter().map(|(hand, hash)| history(table, *hand, hash)).collect()
}

/// Hands that were closed with a history after this one, and its hash.
fn closed_since(table: &Path, after: u64) -> io::Result<Vec<(u64, Digest)>> {
    ended_since(table, after, |record| match record.end {
        HandEnd::Closed { history: Some(hash), .. } => Some((record.hand, hash)),
        _ => None,
    })
}

fn history(table: &Path, hand: u64, hash: &Digest) -> Result<HandSeen, StepFault> {
    let file = history_file(hand);
    let text = if_there(own::read_text_limited(&table.join(&file), TEXT_BYTES_MAX))
        .map_err(|error| StepFault::Unreadable(format!("{file}: {error}")))?
        .ok_or_else(|| StepFault::Refused(format!("{file} is gone: the hand was closed with it")))?;
    if Digest::of(&text) != *hash {
        return Err(StepFault::Refused(format!("{file} is not the history that the hand was closed with")));
    }
    let history = phh::parse(&text).map_err(|error| StepFault::Unreadable(format!("{file}: {error}")))?;
    seen(hand, &history).ok_or_else(|| StepFault::Unreadable(format!("{file}: it does not name its seats")))
}

fn seen(hand: u64, history: &History) -> Option<HandSeen> {
    let names = history.field("seats")?;
    let before = &history.stakes.stacks;
    if names.len() != before.len() {
        return None;
    }
    let players = history.field("players").unwrap_or_default();
    let seats = names.into_iter().zip(before).enumerate().map(|(place, (seat, &before))| SeatHand {
        seat,
        player: players.get(place).cloned().unwrap_or_default(),
        before,
        after: history.finishing_stacks.as_ref().and_then(|stacks| stacks.get(place).copied().flatten()),
        has_timed_out: time_outs(history).any(|(player, ..)| player == place),
        was_cut_off: time_outs(history).any(|(player, _, line)| player == place && line != Connection::Kept),
    });
    Some(HandSeen { hand, seats: seats.collect(), early: early(history) })
}

fn time_outs(history: &History) -> impl Iterator<Item = (usize, Option<u64>, Connection)> {
    history.lines.iter().filter_map(|line| match line.action {
        Action::TimeOut { player, milliseconds, connection } => Some((player, milliseconds, connection)),
        _ => None,
    })
}

/// A clock that ran out before the time the rules grant, where they grant one.
fn early(history: &History) -> Option<String> {
    let rules = RuleSet::named(history.ruleset.as_deref()?)?;
    let clock = rules.play.time_out?;
    time_outs(history).find_map(|(player, milliseconds, connection)| {
        let more = if connection == Connection::Regained { clock.reconnected_seconds } else { 0 };
        let granted = clock.seconds + more;
        let passed = milliseconds.filter(|&passed| passed < 1000 * granted)?;
        let seat = history.field("seats").and_then(|seats| seats.get(player).cloned()).unwrap_or_default();
        Some(format!(
            "the time of seat {seat} ran out after {} of {granted} seconds, which {} grants",
            passed as f64 / 1000.0,
            rules.name
        ))
    })
}

impl TableSeen {
    /// Adds a hand; how many seats had bought chips since their last one.
    fn add(&mut self, hand: &HandSeen) -> Result<u64, String> {
        if let Some(early) = &hand.early {
            return Err(early.clone());
        }
        self.hand = hand.hand;
        let mut bought_in = 0;
        for own in &hand.seats {
            let seat = self.seats.entry(own.seat.clone()).or_default();
            if let Some(((left, player), begins)) = seat.chips.as_ref().zip(own.before) {
                let is_same = *player == own.player;
                // Another player brings other chips; the same one may buy more, and never takes some away.
                if is_same && begins < *left {
                    return Err(format!(
                        "seat {} begins with {} chips, its last hand left {}",
                        own.seat,
                        thousands(begins),
                        thousands(*left)
                    ));
                }
                bought_in += u64::from(begins != *left);
            }
            seat.hands += 1;
            seat.time_outs += u64::from(own.has_timed_out);
            seat.disconnections += u64::from(own.was_cut_off);
            seat.chips = own.after.map(|after| (after, own.player.clone()));
        }
        // Where histories name no players, nobody knows who comes back to a seat that a hand was dealt without.
        for (name, seat) in &mut self.seats {
            let was_dealt = hand.seats.iter().any(|own| own.seat == *name);
            seat.chips = seat.chips.take().filter(|(_, player)| was_dealt || !player.is_empty());
        }
        Ok(bought_in)
    }
}

/// What is counted of a seat, in words and from what was seen.
type CountOf = (&'static str, fn(&SeatSeen) -> u64);

/// Time-outs or disconnections of one seat that are more of today's hands than of all before: hypergeometric, exact if a
/// hand of the seat is as likely to have one on any day; Bonferroni over seats and kinds.
fn too_many(now: &SeatsSeen, before: &SeatsSeen) -> Option<String> {
    let seats: usize = now.values().map(|table| table.seats.len()).sum();
    let kinds: [CountOf; 2] =
        [("ran out of time", |seat| seat.time_outs), ("lost its line", |seat| seat.disconnections)];
    let mut least: Option<(f64, String)> = None;
    for (table, own) in now {
        let earlier = before.get(table);
        for (seat, all) in &own.seats {
            let Some(earlier) = earlier.and_then(|table| table.seats.get(seat)) else { continue };
            let Some(today) = all.hands.checked_sub(earlier.hands).filter(|&hands| hands > 0) else {
                continue;
            };
            for (what, count) in kinds {
                let (sum, old) = (count(all), count(earlier));
                let new = sum.saturating_sub(old);
                let p = hypergeometric::tails(all.hands, sum, today, new).1;
                let p = bonferroni((seats * kinds.len()) as f64, p);
                if p < LEVEL && least.as_ref().is_none_or(|(least, _)| p < *least) {
                    let words = format!(
                        "{table} seat {seat} {what} in {} of today's {} hands, in {} of {} before (hypergeometric test, null: as \
                         often as before, p-value {})",
                        thousands(new),
                        thousands(today),
                        thousands(old),
                        thousands(earlier.hands),
                        p_value(p)
                    );
                    least = Some((p, words));
                }
            }
        }
    }
    least.map(|(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(seats: &[(&str, u64, u64, u64)]) -> SeatsSeen {
        let seats = seats.iter().map(|&(seat, hands, time_outs, disconnections)| {
            (seat.to_owned(), SeatSeen { hands, time_outs, disconnections, chips: None })
        });
        SeatsSeen::from([("T-1".to_owned(), TableSeen { hand: 9, seats: seats.collect() })])
    }

    /// p-value of SciPy 1.14: `hypergeom.sf(29, 2000, 40, 1000) = 6.9e-4` … of 60 in all, 50 today: below 10⁻⁷.
    #[test]
    fn a_seat_that_times_out_more_than_ever_raises_a_question_and_its_neighbour_does_not() {
        let before = table(&[("1", 1_000, 10, 5), ("2", 1_000, 10, 5)]);
        assert_eq!(too_many(&table(&[("1", 2_000, 22, 9), ("2", 2_000, 19, 9)]), &before), None);
        let found =
            too_many(&table(&[("1", 2_000, 60, 9), ("2", 2_000, 20, 9)]), &before).expect("fifty, not ten");
        assert!(
            found.starts_with(
                "T-1 seat 1 ran out of time in 50 of today's 1,000 hands, in 10 of 1,000 before"
            ),
            "{found}"
        );
        let found =
            too_many(&table(&[("1", 2_000, 22, 9), ("2", 2_000, 20, 55)]), &before).expect("fifty, not five");
        assert!(found.starts_with("T-1 seat 2 lost its line in 50"), "{found}");
        assert_eq!(too_many(&table(&[("1", 2_000, 60, 9)]), &SeatsSeen::new()), None, "no history yet");
    }

    fn played(hand: u64, before: u64, after: u64, player: &str) -> HandSeen {
        let seat = SeatHand {
            seat: "1".to_owned(),
            player: player.to_owned(),
            before: Some(before),
            after: Some(after),
            has_timed_out: false,
            was_cut_off: false,
        };
        HandSeen { hand, seats: vec![seat], early: None }
    }

    #[test]
    fn stacks_go_on_grow_by_a_purchase_and_never_shrink_between_hands() {
        let mut own = TableSeen::default();
        assert_eq!(own.add(&played(1, 4_000, 3_800, "Ada")), Ok(0));
        assert_eq!(own.add(&played(2, 3_800, 0, "Ada")), Ok(0));
        assert_eq!(own.add(&played(3, 4_000, 4_400, "Ada")), Ok(1), "she bought in again");
        let fault = own.clone().add(&played(4, 4_399, 4_400, "Ada")).expect_err("a chip is gone");
        assert_eq!(fault, "seat 1 begins with 4,399 chips, its last hand left 4,400");
        assert_eq!(own.add(&played(4, 1_000, 900, "Bob")), Ok(1), "another player");
    }

    #[test]
    fn without_names_whoever_sits_down_again_may_be_another() {
        let elsewhere = |hand| HandSeen { hand, seats: Vec::new(), early: None };
        for (player, is_known) in [("", false), ("Ada", true)] {
            let mut own = TableSeen::default();
            assert_eq!(own.add(&played(1, 4_000, 8_430, player)), Ok(0));
            assert_eq!(own.add(&elsewhere(2)), Ok(0));
            assert_eq!(own.add(&played(3, 4_000, 4_000, player)).is_err(), is_known);
        }
    }

    const TIMED: &str = "variant = 'F7S/8'\nante_trimming_status = true\nantes = [20, 20]\nbring_in = 25\nsmall_bet = 100\nbig_bet = 200\n\
        starting_stacks = [4000, 4000]\nactions = ['d dh p1 2c3c4c', 'd dh p2 5h6h7h', 'p1 pb', 'p2 f']\n_ruleset = 'stud-8b'\nseats = [1, 4]\n";

    #[test]
    fn a_clock_that_ran_out_early_is_named_with_its_seat() {
        let of = |time_outs: &str| {
            let text = format!("{TIMED}_timeouts = [{time_outs}]\n");
            let history = phh::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            let hand = seen(1, &history).expect("it names its seats");
            (hand.early.clone(), hand.seats[1].has_timed_out, hand.seats[1].was_cut_off)
        };
        assert_eq!(of("{ before = 4, player = 2, seconds = 30 }"), (None, true, false));
        let (early, ..) = of("{ before = 4, player = 2, seconds = 29.999 }");
        assert_eq!(
            early.as_deref(),
            Some("the time of seat 4 ran out after 29.999 of 30 seconds, which stud-8b grants")
        );
        // Who was cut off and is back has 20 seconds more.
        let (early, _, cut_off) = of("{ before = 4, player = 2, seconds = 49, reconnected = true }");
        assert!(cut_off && early.is_some_and(|early| early.contains("49 of 50 seconds")));
        assert_eq!(of("{ before = 4, player = 2 }").0, None, "nobody says how long");
        assert_eq!(of(""), (None, false, false));
    }
}
