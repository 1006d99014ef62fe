//! What a comparison says in sentences, and what it does not show.

use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::compare::shared::SharedDecks;
use deckproof_audit::compare::{Comparison, UnevenAnswer};
use deckproof_stats::math::decimal::{counted, joint_p_value, p_is, p_value, thousands};

/// Differences that are told; the rest is for programs.
const TOLD: usize = 3;

/// The verdict, with what was tested and how strong it is.
pub fn verdict_sentence(comparison: &Comparison) -> String {
    let [first, second] = comparison.decks.map(thousands);
    let families = comparison.differences.len();
    if let Some(shared) = comparison.shared.as_ref().filter(|shared| shared.decks > 0) {
        return format!("INCONCLUSIVE: {}", shared_sentence(shared, [&first, &second]));
    }
    if comparison.has_memory() {
        return format!("INCONCLUSIVE: {}", memory_sentence(comparison));
    }
    let head = match comparison.word() {
        Verdict::Pass => "PASS: no difference was found between",
        Verdict::Investigate => "INVESTIGATE: chance does not easily explain the difference between",
        Verdict::Fail => "FAIL: one shuffler did not deal both of",
        Verdict::Inconclusive => "INCONCLUSIVE: nothing was found, but too few decks are in one of",
    };
    format!(
        "{head} {first} decks A and {second} decks B (family p-value {} over {} in {families} {}; null \
         hypothesis: all decks are independent and A and B have one distribution, whichever it is).",
        joint_p_value(comparison.family_p_value),
        counted(comparison.p_values.len() as u64, "p-value", "p-values"),
        if families == 1 { "family" } else { "families" },
    )
}

/// Whose decks depend on one another, and why nothing is said then.
fn memory_sentence(comparison: &Comparison) -> String {
    let sets = ["A", "B"].into_iter().zip(&comparison.memory);
    let seen = sets.filter_map(|(set, memory)| memory.filter(|own| own.is_seen).map(|own| (set, own)));
    let told: Vec<String> = seen
        .map(|(set, own)| {
            format!(
                "that the decks of {set} are independent of one another does not hold (steps from deck to deck {}, even and odd decks \
                 and both halves {}, the decks themselves {})",
                p_is(own.p_value_of_steps),
                p_is(own.p_value_of_order),
                p_is(own.p_value_of_decks)
            )
        })
        .collect();
    format!(
        "{}. Decks with a memory differ between any two sets more than independent decks do, also where one shuffler dealt both, so \
         that nothing can be said of {} decks A and {} decks B; deckproof audit judges each set by itself.",
        told.join(", and "),
        thousands(comparison.decks[0]),
        thousands(comparison.decks[1])
    )
}

/// That decks stand in both sets, what that can be, and what is to be done.
fn shared_sentence(shared: &SharedDecks, [a, b]: [&str; 2]) -> String {
    let at_least = if shared.halvings > 0 { "at least " } else { "" };
    let (decks, stand) = if shared.decks == 1 { ("deck", "stands") } else { ("decks", "stand") };
    let first = shared.first.map_or_else(String::new, |own| {
        let [of_a, of_b] = own.map(|number| thousands(number.saturating_add(1)));
        format!(", such as deck {of_a} of A, which is deck {of_b} of B")
    });
    format!(
        "{at_least}{} {decks} {stand} in both sets{first} ({a} decks A, {b} decks B). Independent shuffles never deal one deck \
         twice (there are 52! orders): records were copied from one set to the other, or a shuffler deals decks again. Whether one \
         shuffler dealt both cannot be said of such sets: compare decks that each set has by itself, and let deckproof audit \
         judge both sets in one (--source A --source B).",
        thousands(shared.decks)
    )
}

/// Whose decks, the verdict, the answers that differ most, and what was not shown.
pub fn text(comparison: &Comparison, not_checked: &[String]) -> String {
    let [first, second] = &comparison.sources;
    let mut text = format!("A: {first}.\nB: {second}.\n{}\n", verdict_sentence(comparison));
    if comparison.decks_shared() > 0 || comparison.has_memory() {
        return text;
    }
    text += "What differs most, the smallest p-value first:\n";
    for difference in comparison.differences.iter().take(TOLD) {
        text += &format!("- {}\n", difference_sentence(comparison, difference));
    }
    text += &format!("{}\n", sees(comparison));
    for sentence in not_shown(comparison).iter().chain(not_checked) {
        text += &format!("Not shown: {sentence}\n");
    }
    text
}

fn difference_sentence(comparison: &Comparison, difference: &UnevenAnswer) -> String {
    let own = comparison.p_values.iter().filter(|own| own.family == difference.statistic);
    let strongest = own.min_by(|a, b| a.p_value.total_cmp(&b.p_value));
    let strongest = strongest.map_or_else(String::new, |own| {
        let p_value = p_value(own.p_value);
        format!("{}, p {}{p_value}", own.id, if p_value.starts_with("below") { "" } else { "= " })
    });
    let percent = |set: usize| 100.0 * difference.decks[set] as f64 / comparison.decks[set] as f64;
    let [low, high] = difference.interval.map(|end| 100.0 * end);
    // What differs may be spread over many answers, of which no one stands out.
    let is_found = matches!(comparison.verdict, Verdict::Investigate | Verdict::Fail);
    let alone = match is_found && low <= 0.0 && high >= 0.0 {
        true => ", which chance explains: what differs is spread over many answers",
        false => "",
    };
    format!(
        "{strongest}; {}: {:.3} % of A, {:.3} % of B, a difference of {:+.3} points (99 % interval {low:+.3} to \
         {high:+.3}){alone}",
        difference.answer,
        percent(0),
        percent(1),
        100.0 * difference.difference
    )
}

/// How small a difference would have been found.
fn sees(comparison: &Comparison) -> String {
    let of = |id: &str| comparison.differences.iter().find(|difference| difference.statistic == id);
    let told = [("winner", "who wins"), ("card-place", "where one card lies")].into_iter().filter_map(
        |(id, what)| {
            of(id).map(|own| match own.found_from_fair(comparison.decks) {
                from if from < 1.0 => format!("±{:.1} % of itself in {what}", 100.0 * from),
                _ => format!("more than its double in {what}"),
            })
        },
    );
    let told: Vec<String> = told.collect();
    match told.is_empty() {
        true => "The smallest difference that would be found stands in the JSON outcome.".to_owned(),
        false => format!(
            "With these numbers of decks nine differences in ten are found from {}.",
            told.join(", and from ")
        ),
    }
}

/// What nobody may conclude.
pub fn not_shown(comparison: &Comparison) -> Vec<String> {
    let fair = "that either set is fair: a flaw that both share is no difference; `deckproof audit` judges each by itself.";
    let apart =
        "that no deck stands in both sets: common decks make them more alike than their shufflers are.";
    let not_looked = comparison.shared.is_none().then_some(apart);
    let alone =
        "that the decks of either set are independent of one another, which this comparison supposes.";
    let not_asked = comparison.memory.contains(&None).then_some(alone);
    [fair].into_iter().chain(not_looked).chain(not_asked).map(str::to_owned).collect()
}
