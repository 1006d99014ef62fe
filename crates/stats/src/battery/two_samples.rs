//! Two sets of decks side by side: whether one distribution dealt both.
//!
//! Null: all decks are independent and alike, whatever their distribution; which set a deck is in is then chance. Of the
//! decks that give one answer to a question ([`List`]) a set has a hypergeometric share: `cell`, the most uneven answer,
//! exact. `shape`: `(N−1)/N·Σ (a√(n₂/n₁) − b√(n₁/n₂))²/(a + b)` over the answers, χ² of their number less one (Pearson
//! 1911), neighbours pooled until the smaller set expects 10; the worst question, by Bonferroni. The table of card × place
//! has `total`, `ranks`, `suits` with the factor 51/52 of a deck, which a fair deck has exactly; that of which card follows which has its cells alone. Of χ² only the upper tail
//! counts: sets that are very much alike do not differ, and few cells are alike to a deck too often for χ² near 0.

use crate::battery::lists::List;
use crate::battery::nulls::table;
use crate::battery::outcome::{Outcome, Spread};
use crate::battery::statistic::Statistic;
use crate::battery::tail::Tail;
use crate::math::multinomial::{EXPECTATION_LARGE, EXPECTATION_MIN};
use crate::math::{bonferroni, chi_squared, hypergeometric};
use deckproof_deck::card::{Card, DECK_CARDS};

/// One answer to one question, and how many decks of each set give it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// Such as `the high hand is won by seat 3`.
    pub words: String,
    /// Decks of the first and of the second set.
    pub decks: [u64; 2],
}

/// What the counts of one statistic say of two sets of decks.
#[derive(Clone, PartialEq, Debug)]
pub struct SideBySide {
    /// The p-values, as in [`Statistic::finish`]; their number hangs on the statistic only.
    pub outcomes: Vec<Outcome>,
    /// The most uneven answer of all.
    pub widest: Share,
    /// Among how many answers it was chosen.
    pub answers: usize,
}

/// The statistic whose table has every card at every place.
const CARD_PLACE: &str = "card-place";

/// The statistic whose table has every card behind every card, and the end of the deck before and behind it.
const ADJACENCY: &str = "adjacency";

/// Whether two sets of decks can be compared by this statistic.
pub fn is_comparable(statistic: &dyn Statistic) -> bool {
    [CARD_PLACE, ADJACENCY].contains(&statistic.about().id) || !statistic.lists().is_empty()
}

/// Compares the counts of a statistic over two sets of decks of these sizes, if they can be compared.
pub fn side_by_side(statistic: &dyn Statistic, counts: [&[u64]; 2], sizes: [u64; 2]) -> Option<SideBySide> {
    if sizes.contains(&0) || !is_comparable(statistic) {
        return None;
    }
    match statistic.about().id {
        CARD_PLACE => Some(of_card_place(counts, sizes)),
        ADJACENCY => Some(of_adjacency(counts, sizes)),
        _ => Some(of_lists(&statistic.lists(), counts, sizes)),
    }
}

fn of_card_place(counts: [&[u64]; 2], sizes: [u64; 2]) -> SideBySide {
    let by_class =
        |class: fn(usize) -> usize, classes: usize| counts.map(|own| table::by_class(own, class, classes));
    let [ranks, suits] = [by_class(|card| card / 4, 13), by_class(|card| card % 4, 4)];
    let two = |part, groups: [&[u64]; 2], classes: usize| {
        let own = table::two_groups(part, groups, sizes, classes).expect("no set is empty");
        let freedom = (classes as f64 - 1.0) * (DECK_CARDS as f64 - 1.0);
        Outcome { p_value: chi_squared::upper(freedom, own.score), ..own }
    };
    let (cell, at) = most_uneven(counts, sizes);
    let (card, place) = (at / DECK_CARDS, at % DECK_CARDS);
    let name = Card::from_index(card as u8).map(|card| card.to_string()).expect("fewer than 52");
    SideBySide {
        outcomes: vec![
            two("total", counts, DECK_CARDS),
            two("ranks", [&ranks[0], &ranks[1]], 13),
            two("suits", [&suits[0], &suits[1]], 4),
            cell,
        ],
        widest: Share {
            words: format!("the card {name} lies in place {place} (the top is 0)"),
            decks: counts.map(|own| own[at]),
        },
        answers: counts[0].len(),
    }
}

/// A deck has one card behind another once or not at all, in one order or the other: of the decks that have it a set has a hypergeometric
/// share. `cell`: one behind the other; `pair`: one beside the other, in any order.
fn of_adjacency(counts: [&[u64]; 2], sizes: [u64; 2]) -> SideBySide {
    const SYMBOLS: usize = DECK_CARDS + 1;
    let behind = (0..SYMBOLS).flat_map(|a| (0..SYMBOLS).map(move |b| [a, b])).filter(|[a, b]| a != b);
    let cells: Vec<[usize; 2]> = behind.collect();
    let pairs: Vec<[usize; 2]> = cells.iter().copied().filter(|[a, b]| a < b).collect();
    let followed = counts.map(|own| cells.iter().map(|[a, b]| own[SYMBOLS * a + b]).collect::<Vec<u64>>());
    let beside = counts.map(|own| {
        pairs.iter().map(|[a, b]| own[SYMBOLS * a + b] + own[SYMBOLS * b + a]).collect::<Vec<u64>>()
    });
    let (cell, at) = most_uneven([&followed[0], &followed[1]], sizes);
    let (pair, _) = most_uneven([&beside[0], &beside[1]], sizes);
    let name = |card: usize| Card::from_index(card as u8).map(|card| card.to_string()).unwrap_or_default();
    let words = match cells[at] {
        [DECK_CARDS, b] => format!("the card {} lies on top", name(b)),
        [a, DECK_CARDS] => format!("the card {} lies at the bottom", name(a)),
        [a, b] => format!("the card {} follows {}", name(b), name(a)),
    };
    SideBySide {
        outcomes: vec![cell, Outcome { part: "pair", ..pair }],
        widest: Share { words, decks: [followed[0][at], followed[1][at]] },
        answers: cells.len(),
    }
}

fn of_lists(lists: &[List], counts: [&[u64]; 2], sizes: [u64; 2]) -> SideBySide {
    let own: Vec<[Vec<u64>; 2]> = lists.iter().map(|list| counts.map(|counts| list.decks(counts))).collect();
    let flat: [Vec<u64>; 2] =
        [0, 1].map(|set| own.iter().flat_map(|list| list[set].iter().copied()).collect());
    let words: Vec<String> = lists
        .iter()
        .flat_map(|list| list.answers.iter().map(|answer| format!("{}: {}", list.name, answer.words)))
        .collect();
    let (cell, at) = most_uneven([&flat[0], &flat[1]], sizes);
    let shapes = own.iter().map(|[a, b]| shape([a, b], sizes));
    let worst = shapes.min_by(|a, b| a.p_value.total_cmp(&b.p_value)).expect("at least one question");
    let spread = if lists.len() > 1 { Spread::Conservative } else { worst.spread };
    let shape = Outcome { p_value: bonferroni(lists.len() as f64, worst.p_value), spread, ..worst };
    SideBySide {
        outcomes: vec![shape, cell],
        widest: Share { words: words[at].clone(), decks: [flat[0][at], flat[1][at]] },
        answers: words.len(),
    }
}

/// The answer whose share is deepest in a tail of its hypergeometric distribution, which answer it is, and Bonferroni over
/// answers and sides.
fn most_uneven(counts: [&[u64]; 2], sizes: [u64; 2]) -> (Outcome, usize) {
    let [first, second] = sizes.map(|size| size as f64);
    let share = first / (first + second);
    let z = |own: u64, all: u64| {
        let all = all as f64;
        if all == 0.0 { 0.0 } else { (own as f64 - share * all) / (all * share * (1.0 - share)).sqrt() }
    };
    let depth = |(&a, &b): (&u64, &u64)| {
        let (lower, upper) = hypergeometric::tails(sizes[0] + sizes[1], a + b, sizes[0], a);
        (lower.min(upper), z(a, a + b))
    };
    let depths = counts[0].iter().zip(counts[1]).map(depth).enumerate();
    // Of tails too small for a double the furthest apart is deepest.
    let order = |a: &(f64, f64), b: &(f64, f64)| a.0.total_cmp(&b.0).then(b.1.abs().total_cmp(&a.1.abs()));
    let (at, (depth, score)) = depths.min_by(|a, b| order(&a.1, &b.1)).expect("at least one answer");
    let outcome = Outcome::bound("cell", "z", score, bonferroni(2.0 * counts[0].len() as f64, depth));
    (outcome, at)
}

/// χ² of one question, answers pooled by what both sets give together, which the null leaves open.
fn shape([a, b]: [&[u64]; 2], sizes: [u64; 2]) -> Outcome {
    let [first, second] = sizes.map(|size| size as f64);
    let decks = first + second;
    let smaller = first.min(second) / decks;
    let pooled = pooled(a.iter().copied().zip(b.iter().copied()), |(a, b)| (a + b) as f64 * smaller);
    let weight = (second / first).sqrt();
    let term = |&(a, b): &(u64, u64)| (a as f64 * weight - b as f64 / weight).powi(2) / (a + b) as f64;
    let score = (decks - 1.0) / decks * pooled.iter().map(term).sum::<f64>();
    let freedom = pooled.len() as f64 - 1.0;
    let is_large = pooled.iter().all(|&(a, b)| (a + b) as f64 * smaller >= EXPECTATION_LARGE);
    // One answer alone says nothing.
    let p_value = if freedom < 1.0 { 1.0 } else { chi_squared::upper(freedom, score) };
    Outcome::smooth("shape", format!("χ²({freedom})"), score, p_value, Tail::large_if(is_large))
}

/// Neighbours joined until they expect enough; what is left at the end joins the last.
fn pooled(
    answers: impl Iterator<Item = (u64, u64)>,
    expected: impl Fn((u64, u64)) -> f64,
) -> Vec<(u64, u64)> {
    let mut pooled: Vec<(u64, u64)> = Vec::new();
    let mut open = (0, 0);
    for (a, b) in answers {
        open = (open.0 + a, open.1 + b);
        if expected(open) >= EXPECTATION_MIN {
            pooled.push(std::mem::take(&mut open));
        }
    }
    match pooled.last_mut() {
        Some(last) => *last = (last.0 + open.0, last.1 + open.1),
        None => pooled.push(open),
    }
    pooled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(answers: usize) -> List {
        List::new("answer", 0..answers, |answer| answer.to_string())
    }

    /// Both parts of one question, and the same from SciPy 1.17 (`chi2_contingency` without correction, `hypergeom`).
    #[test]
    fn one_question_as_another_program_answers_it() {
        let counts = [[120, 80, 100, 50], [260, 190, 170, 130]];
        let own = of_lists(&[list(4)], [&counts[0], &counts[1]], [350, 750]);
        let [shape, cell] = &own.outcomes[..] else { panic!("two parts") };
        assert_eq!(shape.score_name, "χ²(3)");
        assert!((shape.score - 5.345_549_057_829_76).abs() < 1e-12, "{}", shape.score);
        assert!((shape.p_value - 0.148_173_938_331_927_8).abs() < 1e-12, "{}", shape.p_value);
        assert!((cell.p_value - 0.168_877_540_157_635_72).abs() < 1e-12, "{}", cell.p_value);
        assert_eq!(own.widest, Share { words: "answer: 2".to_owned(), decks: [100, 170] });
    }

    /// The worst of two questions counts twice, and the answers of both are chosen among.
    #[test]
    fn the_worst_of_two_questions_pays_for_both() {
        let counts = [[120, 80, 100, 50, 200, 150], [260, 190, 170, 130, 400, 350]];
        let lists = [list(4), List::new("other", 4..6, |answer| answer.to_string())];
        let own = of_lists(&lists, [&counts[0], &counts[1]], [350, 750]);
        assert!((own.outcomes[0].p_value - 2.0 * 0.148_173_938_331_927_8).abs() < 1e-12);
        assert!((own.outcomes[1].p_value - 12.0 / 8.0 * 0.168_877_540_157_635_72).abs() < 1e-12);
        assert_eq!(own.answers, 6);
    }

    #[test]
    fn rare_answers_are_pooled_by_what_the_smaller_set_expects() {
        // Of 100 and 300 decks the smaller set expects a quarter: 9.75, 0.25, 10 and 0.5, 79.5.
        let counts = [[9, 0, 11, 1, 79], [30, 1, 29, 1, 239]];
        let pairs = counts[0].iter().copied().zip(counts[1].iter().copied());
        let pooled = pooled(pairs, |(a, b)| (a + b) as f64 / 4.0);
        assert_eq!(pooled, [(9, 31), (11, 29), (80, 240)]);
        assert_eq!(pooled.iter().map(|(a, b)| a + b).sum::<u64>(), 400);
        // Everything that is too little for two answers is one, which says nothing.
        let own = of_lists(&[list(2)], [&[3, 2], &[1, 4]], [5, 5]);
        assert_eq!((own.outcomes[0].p_value, own.outcomes[0].score_name.as_str()), (1.0, "χ²(0)"));
    }

    /// Equal counts lie at χ² = 0, which two answers of 1,000 decks reach once in 40 times.
    #[test]
    fn sets_that_are_alike_do_not_differ() {
        let own = of_lists(&[list(2)], [&[400, 600], &[400, 600]], [1_000, 1_000]);
        assert_eq!(own.outcomes.iter().map(|own| own.p_value).collect::<Vec<f64>>(), [1.0, 1.0]);
        let table = vec![20; DECK_CARDS * DECK_CARDS];
        let own = of_card_place([&table, &table], [1_040, 1_040]);
        assert!(own.outcomes.iter().all(|own| own.p_value == 1.0));
    }

    /// 385 of 20,020 decks against none: C(20020,385)/C(40040,385), about 2^-385·e^-1.85, twice and times 2,756 cells, is 10^-112.965.
    #[test]
    fn a_card_that_never_follows_another_is_found() {
        const SYMBOLS: usize = DECK_CARDS + 1;
        let table = |decks: u64| -> Vec<u64> {
            let cell = |at: usize| if at / SYMBOLS == at % SYMBOLS { 0 } else { decks / 52 };
            (0..SYMBOLS * SYMBOLS).map(cell).collect()
        };
        let (whole, mut never) = (table(20_020), table(20_020));
        never[SYMBOLS * 50 + 51] = 0;
        let own = of_adjacency([&whole, &never], [20_020, 20_020]);
        assert!((1.08e-113..1.09e-113).contains(&own.outcomes[0].p_value), "{:e}", own.outcomes[0].p_value);
        assert_eq!(own.widest, Share { words: "the card As follows Ah".to_owned(), decks: [385, 0] });
        // The pair in one order alone: 770 against 385 in any.
        assert!((1e-30..1e-20).contains(&own.outcomes[1].p_value), "{:e}", own.outcomes[1].p_value);
        let own = of_adjacency([&whole, &whole], [20_020, 20_020]);
        assert_eq!(own.outcomes.iter().map(|own| own.p_value).collect::<Vec<f64>>(), [1.0, 1.0]);
        let mut top = table(1_040);
        (top[SYMBOLS * 52 + 3], top[SYMBOLS * 3 + 52]) = (120, 20);
        assert_eq!(of_adjacency([&top, &table(1_040)], [1_040; 2]).widest.words, "the card 2s lies on top");
    }

    /// A rare answer in a small set is far from its share in standard deviations and says nothing.
    #[test]
    fn the_deepest_tail_is_chosen_not_the_largest_z() {
        let (outcome, at) = most_uneven([&[1, 300], &[0, 19_000]], [1_000, 100_000]);
        assert_eq!(at, 1);
        assert!(outcome.p_value < 1e-10, "{}", outcome.p_value);
    }
}
