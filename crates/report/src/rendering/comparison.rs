//! What a comparison says in sentences, and what it does not show.

use crate::document::words::Words;
use crate::rendering::audit::left_out::first_of;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::compare::memory::Memory;
use deckproof_audit::compare::shared::SharedDecks;
use deckproof_audit::compare::{Comparison, DECKS_MIN, UnevenAnswer};
use deckproof_audit::source::format::Numbering;

/// Differences that are printed; the rest is for programs.
const PRINTED: usize = 3;

/// The verdict, with what was tested and how strong it is.
pub fn verdict_sentence(comparison: &Comparison, words: &Words) -> String {
    let (own, [a, b]) = (&words.compare, comparison.decks);
    if let Some(shared) = comparison.shared.as_ref().filter(|shared| shared.decks > 0) {
        return own.shared(&shared_decks(shared, words), a, b);
    }
    if comparison.has_memory() {
        return own.dependent(&dependent_sets(comparison, words), a, b);
    }
    let family = own.family(
        &words.joint_p_value(comparison.family_p_value),
        comparison.p_values.len() as u64,
        comparison.differences.len() as u64,
    );
    match comparison.word() {
        Verdict::Pass => own.pass(a, b, &family),
        Verdict::Investigate => own.investigate(a, b, &family),
        Verdict::Fail => own.fail(a, b, &family),
        Verdict::Inconclusive => own.inconclusive(a, b, &family),
    }
}

/// Whose decks depend on one another.
fn dependent_sets(comparison: &Comparison, words: &Words) -> String {
    let p_is = |p_value: f64| words.is(&words.p_value(p_value));
    let sentence = |set: &str, seen: Memory| {
        let [steps, order, decks] =
            [seen.p_value_of_steps, seen.p_value_of_order, seen.p_value_of_decks].map(p_is);
        words.compare.dependent_set(set, &steps, &order, &decks)
    };
    let sets = ["A", "B"].into_iter().zip(comparison.memory);
    let seen = sets.filter_map(|(set, memory)| Some((set, memory.filter(|memory| memory.is_seen)?)));
    seen.map(|(set, memory)| sentence(set, memory)).collect::<Vec<_>>().join(words.compare.and)
}

/// That decks are in both sets.
fn shared_decks(shared: &SharedDecks, words: &Words) -> String {
    let own = &words.compare;
    let first = shared.first.map_or_else(String::new, |first| {
        let [of_a, of_b] = first.map(|number| number.saturating_add(1));
        own.shared_first(of_a, of_b)
    });
    match shared.halvings {
        0 => own.shared_decks(shared.decks, &first),
        _ => own.shared_at_least(shared.decks, &first),
    }
}

/// Whose decks, the verdict, the answers that differ most, and what was not shown; `believed` names the certificates whose
/// counts were not made again.
pub fn text(comparison: &Comparison, believed: &[String], words: &Words) -> String {
    let own = &words.compare;
    let [a, b] = comparison.sources.each_ref().map(|source| words.verdict.own_words(source));
    let mut lines = vec![own.sets(&a, &b), verdict_sentence(comparison, words)];
    if comparison.decks_shared() == 0 && !comparison.has_memory() {
        lines.push(own.differences.to_owned());
        let printed = comparison.differences.iter().take(PRINTED);
        lines.extend(printed.map(|one| format!("- {}", difference_sentence(comparison, one, words))));
        lines.push(sees(comparison, words));
        lines.extend(not_shown(comparison, believed, words).iter().map(|what| own.not_shown(what)));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn difference_sentence(comparison: &Comparison, difference: &UnevenAnswer, words: &Words) -> String {
    let own = &words.compare;
    let p_values = comparison.p_values.iter().filter(|one| one.family == difference.statistic);
    let strongest = p_values.min_by(|a, b| a.p_value.total_cmp(&b.p_value));
    let strongest = strongest
        .map_or_else(String::new, |one| own.strongest(&one.id, &words.is(&words.p_value(one.p_value))));
    let percent = |set: usize| 100.0 * difference.decks[set] as f64 / comparison.decks[set] as f64;
    let [low, high] = difference.interval;
    let signed = |share: f64| words.figures(&format!("{:+.3}", 100.0 * share));
    let shares = [0, 1].map(|set| words.figures(&format!("{:.3}", percent(set))));
    let points = signed(difference.difference);
    let sentence = own.difference(&strongest, &difference.answer, &shares[0], &shares[1], &points);
    // The interval is one of large sets.
    let is_large = comparison.decks.iter().all(|&decks| decks >= DECKS_MIN);
    let sentence = if is_large {
        own.with_interval(&sentence, &words.page.to(&signed(low), &signed(high)))
    } else {
        sentence
    };
    // What differs may be spread over many answers, of which no one is conspicuous by itself.
    let is_found = matches!(comparison.verdict, Verdict::Investigate | Verdict::Fail);
    if is_found && low <= 0.0 && high >= 0.0 { own.spread(&sentence) } else { sentence }
}

/// How small a difference would have been found.
fn sees(comparison: &Comparison, words: &Words) -> String {
    let own = &words.compare;
    let from = |id: &str| {
        let found = comparison.differences.iter().find(|difference| difference.statistic == id)?;
        Some(match found.found_from_fair(comparison.decks) {
            from if from < 1.0 => own.percent_of_itself(&words.figures(&format!("{:.1}", 100.0 * from))),
            _ => own.more_than_double.to_owned(),
        })
    };
    let winner = from("winner").map(|from| own.winner(&from));
    let place = from("card-place").map(|from| own.card_place(&from));
    let behind = from("adjacency").map(|from| own.adjacency(&from));
    let sights: Vec<String> = [winner, place, behind].into_iter().flatten().collect();
    if sights.is_empty() { own.sees_nothing.to_owned() } else { own.sees(&sights.join(own.and_from)) }
}

/// What nobody may conclude, with what was believed of certificates.
pub fn not_shown(comparison: &Comparison, believed: &[String], words: &Words) -> Vec<String> {
    let own = &words.compare;
    let differs = matches!(comparison.verdict, Verdict::Investigate | Verdict::Fail);
    let why = differs.then(|| own.why.to_owned());
    let not_looked = if comparison.shared.is_none() { own.apart } else { own.changed }.to_owned();
    let not_remembered = comparison.memory.contains(&None).then(|| own.alone.to_owned());
    let left = &comparison.not_compared;
    let left = (!left.is_empty()).then(|| own.not_compared(&left.join(", ")));
    let beside = own.not_side_by_side(&first_of(&comparison.not_side_by_side, words));
    let counts = believed.iter().map(|name| own.counts(name));
    let numbers = numbers_assumed(comparison, words);
    [own.fair.to_owned()]
        .into_iter()
        .chain(why)
        .chain([beside])
        .chain(left)
        .chain(numbers)
        .chain([not_looked])
        .chain(not_remembered)
        .chain(counts)
        .collect()
}

/// That a deck that both sets have may not have been recognised, for nothing showed how the numbers of a set count.
fn numbers_assumed(comparison: &Comparison, words: &Words) -> Vec<String> {
    let own = &words.compare;
    let named = |numbering: Numbering| {
        let other = numbering.other();
        (words.verdict.numbering(numbering), words.verdict.numbering(other), other.name())
    };
    match comparison.numberings {
        [Some(a), Some(b)] if a == b => {
            let (taken, other, _) = named(a);
            vec![own.numbers_of_both(taken, other)]
        }
        numberings => {
            let of_set = |(set, numbering): (&str, Option<Numbering>)| {
                let (taken, other, option) = named(numbering?);
                Some(own.numbers_of(set, taken, other, option))
            };
            ["A", "B"].into_iter().zip(numberings).filter_map(of_set).collect()
        }
    }
}
