//! The verdict on published hands: eight tests in four families, and what could not be tested.

use crate::audit::verdict::{self, Families, Finding, Rule, Verdict};
use crate::hands::between::SEATS_MAX;
use crate::hands::census::{CLASSES, Census, SETS_OF_THREE};
use crate::hands::monte_carlo::{self, SAMPLES};
use crate::hands::null::{Null, PARTS, lowest_distribution};
use deckproof_deck::card::DECK_CARDS;
use deckproof_stats::math::two_sided;
use deckproof_stats::math::{chi_squared, poisson};

/// Fewer hands than this, with nothing found, say nothing; from here on χ² serves instead of Monte Carlo under the null.
pub const HANDS_MIN: u64 = 1_000;

/// Family p-values below this are not a pass.
pub const LEVEL: f64 = 0.01;

/// χ² wants this many in every cell.
const EXPECTATION_MIN: f64 = 10.0;

/// Monte Carlo under the null is exact for any cells; joining those that expect less keeps one rare card from deciding, and
/// leaves a single hand of some number of seats its three cells.
const EXPECTATION_SAMPLED: f64 = 0.3;

/// What a test is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TestSubject {
    /// The tests that share a third of the level.
    pub family: &'static str,
    /// Its name within the family.
    pub part: &'static str,
    /// What holds if the deal is fair.
    pub null: &'static str,
}

/// The subjects in the order of the scores.
pub const SUBJECTS: [TestSubject; PARTS + 2] = [
    TestSubject {
        family: "door-cards",
        part: "cards",
        null: "the door cards of a hand are any cards of the deck, each as likely",
    },
    TestSubject {
        family: "door-cards",
        part: "ranks",
        null: "the door cards of a hand are any cards of the deck, thirteen ranks of four",
    },
    TestSubject {
        family: "door-cards",
        part: "suits",
        null: "the door cards of a hand are any cards of the deck, four suits of thirteen",
    },
    TestSubject {
        family: "bring-in",
        part: "seat",
        null: "the lowest door card lies at each of the n seats dealt in with probability 1/n",
    },
    TestSubject {
        family: "bring-in",
        part: "card",
        null: "the lowest of n door cards is card i with probability C(51−i, n−1)/C(52, n)",
    },
    TestSubject {
        family: "first-three",
        part: "classes",
        null: "the first three cards of the exporting player are any of 22,100 sets",
    },
    TestSubject {
        family: "between-hands",
        part: "alike",
        null: "two hands of n seats have the same door cards, from the lowest on, with probability n(52−n)!/52!, and the \
            same two down cards, where both exporting players sat at one place from there, with 1/C(52−n, 2)",
    },
    TestSubject {
        family: "between-hands",
        part: "carried-over",
        null: "a door card is any card of the deck, whatever the door cards of the hand before were",
    },
];

impl TestSubject {
    /// Family and part, such as `door-cards.ranks`.
    pub fn id(&self) -> String {
        format!("{}.{}", self.family, self.part)
    }
}

/// How a p-value was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// Against so many Monte Carlo samples of a fair deal.
    MonteCarlo(u64),
    /// By χ² of so many degrees of freedom.
    ChiSquared(f64),
    /// By the Poisson distribution of this mean: rare pairs (Arratia, Goldstein & Gordon 1989). Door cards carried over vary less,
    /// so that its tails bound theirs (Hoeffding 1956; Anderson & Samuels 1967).
    Poisson(f64),
}

/// A count beside its expectation.
#[derive(Clone, PartialEq, Debug)]
pub struct CountRow {
    /// What was counted.
    pub label: String,
    /// How often it was seen.
    pub observed: u64,
    /// How often it is expected.
    pub expected: f64,
}

/// One test that was made.
#[derive(Clone, PartialEq, Debug)]
pub struct HandsTest {
    /// What it is about.
    pub subject: TestSubject,
    /// How its p-value was found.
    pub method: Method,
    /// Hands it rests on.
    pub hands: u64,
    /// `Σ (O − E)²/…`, as the null has it.
    pub score: f64,
    /// Two-sided.
    pub p_value: f64,
    /// With so many hands like these every single cell would expect ten.
    pub hands_for_every_cell: u64,
    /// Counts and expectations.
    pub rows: Vec<CountRow>,
}

/// A test that was not made.
#[derive(Clone, PartialEq, Debug)]
pub struct Untested {
    /// What it would have been about.
    pub subject: TestSubject,
    /// Why not.
    pub reason: String,
}

/// Published hands judged.
#[derive(Clone, PartialEq, Debug)]
pub struct HandsJudgement {
    /// What the statistics say of the hands that were read.
    pub verdict: Verdict,
    /// `min(1, K·min over K families of min(1, m·p))`.
    pub family_p_value: f64,
    /// Hands with all door cards.
    pub hands: u64,
    /// The tests made.
    pub tests: Vec<HandsTest>,
    /// Those not made.
    pub untested: Vec<Untested>,
}

/// Judges a census by some of the tests, of families whose sizes a plan states. A hand that no deck can have dealt is proof by itself.
pub(super) fn judge_some(
    census: &Census,
    has_impossible_hand: bool,
    families: &Families,
    is_made: impl Fn(&TestSubject) -> bool,
) -> HandsJudgement {
    let hands = census.hands();
    let is_large = hands >= HANDS_MIN;
    let least = if is_large { EXPECTATION_MIN } else { EXPECTATION_SAMPLED };
    let null = Null::new(census, least, if is_large { EXPECTATION_MIN } else { 0.0 });
    let (scores, freedom) = (null.scores(census), null.freedom());
    let tails = if is_large {
        let tails =
            |part: usize| match (freedom[part], chi_squared::tails(freedom[part].max(1.0), scores[part])) {
                // Of two cells a tie is no rarity.
                (..2.0, (_, upper)) => (1.0, upper),
                (_, tails) => tails,
            };
        std::array::from_fn(tails)
    } else {
        monte_carlo::tails(census, &null)
    };
    let (mut tests, mut untested) = (Vec::new(), Vec::new());
    let planned = SUBJECTS.into_iter().enumerate().filter(|(_, subject)| is_made(subject));
    for (part, subject) in planned {
        if part >= PARTS {
            match between_hands(subject, census) {
                Ok(test) => tests.push(test),
                Err(reason) => untested.push(Untested { subject, reason }),
            }
            continue;
        }
        if let Some(reason) = why_untested(part, census, freedom[part]) {
            untested.push(Untested { subject, reason });
            continue;
        }
        let (lower, upper) = tails[part];
        tests.push(HandsTest {
            subject,
            method: if is_large { Method::ChiSquared(freedom[part]) } else { Method::MonteCarlo(SAMPLES) },
            hands: if part == FIRST_THREE { census.exporters() } else { hands },
            score: scores[part],
            p_value: two_sided(lower, upper),
            hands_for_every_cell: hands_for_every_cell(part, census),
            rows: rows(part, census),
        });
    }
    // Approximate tails and Monte Carlo never convict at once: only an impossible hand does.
    let finding = |test: &HandsTest| Finding {
        family: test.subject.family,
        p_value: test.p_value,
        p_value_convicting: 1.0,
    };
    let findings: Vec<Finding> = tests.iter().map(finding).collect();
    let rule = Rule { level: LEVEL, level_fail: 1e-6, decks_min: HANDS_MIN };
    let judged = verdict::judge(&rule, has_impossible_hand, hands, &findings, families);
    HandsJudgement { verdict: judged.verdict, family_p_value: judged.family_p_value, hands, tests, untested }
}

const FIRST_THREE: usize = 5;

/// What hands show of each other.
fn between_hands(subject: TestSubject, census: &Census) -> Result<HandsTest, String> {
    let between = &census.between;
    let ((observed, expected), label, reason) = match subject.part {
        "alike" => (between.repeats(), "pairs alike", "no two hands show four cards that can be compared"),
        _ => {
            let carried = (between.carried, between.carried_expected());
            (carried, "door cards of the hand before", "no hand follows another")
        }
    };
    if expected == 0.0 {
        return Err(reason.to_owned());
    }
    let (lower, upper) = poisson::tails(expected, observed);
    Ok(HandsTest {
        subject,
        method: Method::Poisson(expected),
        hands: census.hands(),
        score: observed as f64,
        p_value: two_sided(lower, upper),
        hands_for_every_cell: 0,
        rows: vec![CountRow { label: label.to_owned(), observed, expected }],
    })
}

fn why_untested(part: usize, census: &Census, freedom: f64) -> Option<String> {
    if part == FIRST_THREE && census.exporters() == 0 {
        return Some("no hand names the first three cards of the player who exported it".to_owned());
    }
    if part != FIRST_THREE && census.hands() == 0 {
        return Some("no hand shows all its door cards".to_owned());
    }
    let wanted = hands_for_every_cell(part, census);
    (freedom < 1.0).then(|| format!("too few hands for two cells; {wanted} hands like these fill every cell"))
}

/// Hands of the same mix of seats with which the rarest cell expects [`EXPECTATION_MIN`].
fn hands_for_every_cell(part: usize, census: &Census) -> u64 {
    let hands = census.hands() as f64;
    let doors: u64 = census.doors().iter().sum();
    let seats_mean = doors as f64 / hands.max(1.0);
    let rarest = match part {
        0 => seats_mean / DECK_CARDS as f64,
        1 => seats_mean / 13.0,
        2 => seats_mean / 4.0,
        3 => {
            let group = |seats: usize| census.groups[seats].hands as f64 / hands.max(1.0) / seats as f64;
            (2..=SEATS_MAX).map(group).filter(|share| *share > 0.0).fold(1.0, f64::min)
        }
        4 => {
            lowest_rows(census).iter().map(|row| row.expected).fold(f64::INFINITY, f64::min) / hands.max(1.0)
        }
        _ => CLASSES.iter().map(|class| class.1).min().unwrap_or(1) as f64 / SETS_OF_THREE as f64,
    };
    (EXPECTATION_MIN / rarest.max(1e-9)).ceil() as u64
}

/// The rank of the lowest door card, the high ones joined.
fn lowest_rows(census: &Census) -> Vec<CountRow> {
    let label = |rank: usize| ["2", "3", "4", "5", "6 or higher"][rank].to_owned();
    let mut rows: Vec<CountRow> =
        (0..5).map(|rank| CountRow { label: label(rank), observed: 0, expected: 0.0 }).collect();
    for (seats, group) in census.groups.iter().enumerate().filter(|(_, group)| group.hands > 0) {
        for (card, point) in lowest_distribution(seats).iter() {
            rows[(card as usize / 4).min(4)].expected += point * group.hands as f64;
        }
        for (card, count) in group.lowest.iter().enumerate() {
            rows[(card / 4).min(4)].observed += count;
        }
    }
    rows
}

fn rows(part: usize, census: &Census) -> Vec<CountRow> {
    let doors = census.doors();
    let dealt: u64 = doors.iter().sum();
    let even = |labels: Vec<String>, kind: &dyn Fn(usize) -> usize| -> Vec<CountRow> {
        let expected = dealt as f64 / labels.len() as f64;
        let observed =
            |at: usize| (0..DECK_CARDS).filter(|&card| kind(card) == at).map(|card| doors[card]).sum();
        labels
            .into_iter()
            .enumerate()
            .map(|(at, label)| CountRow { label, observed: observed(at), expected })
            .collect()
    };
    let letters = |text: &str| text.chars().map(String::from).collect::<Vec<String>>();
    match part {
        0 => even(deckproof_deck::card::Card::all().map(|card| card.to_string()).collect(), &|card| card),
        1 => even(letters("23456789TJQKA"), &|card| card / 4),
        2 => even(["clubs", "diamonds", "hearts", "spades"].map(str::to_owned).to_vec(), &|card| card % 4),
        3 => place_rows(census),
        4 => lowest_rows(census),
        _ => {
            let exporters = census.exporters() as f64;
            let classes = CLASSES.iter().zip(census.classes);
            let row = |(&(label, count), observed): (&(&str, u64), u64)| CountRow {
                label: label.to_owned(),
                observed,
                expected: exporters * count as f64 / SETS_OF_THREE as f64,
            };
            classes.map(row).collect()
        }
    }
}

fn place_rows(census: &Census) -> Vec<CountRow> {
    let groups = census.groups.iter().enumerate().skip(2).filter(|(_, group)| group.hands > 0);
    let of_group = groups.flat_map(|(seats, group)| {
        (0..seats).map(move |place| CountRow {
            label: format!("seat {} of {seats}", place + 1),
            observed: group.places[place],
            expected: group.hands as f64 / seats as f64,
        })
    });
    of_group.collect()
}
