//! What a ruling says beside its word: the points it hangs on, and what the reader should know.

use crate::stud::betting::refusal::Infraction;
use crate::stud::betting::{PlayerState, name};
use crate::stud::history::History;
use crate::stud::judge::SmallestChip;
use crate::stud::judge::run::{Run, tells_the_end};
use crate::stud::judge::search::Search;
use crate::stud::judge::structure::{self, BringIn};
use crate::stud::play::{AnteAmount, BigLimit, BringInAmount};
use crate::stud::readings::Reading;
use crate::stud::rules::RuleSet;
use deckproof_deck::text::excerpt;

/// What a reading decides, as the rest of a sentence "the text does not say …".
fn question(reading: Reading) -> &'static str {
    match reading {
        Reading::CompletionCounts => "whether completing the bring-in is a bet or one of the raises",
        Reading::OpenPairRaise => "whether an open pair lets players raise by the big limit, or only open",
        Reading::ShortageWhen => "what is dealt when cards run short with fewer than eight players",
        Reading::CommunityCountsForFirst => "whether the community card counts for who acts first",
        Reading::OddChip => "to whom a chip goes that cannot be split",
        Reading::OddChipCards => "whether five or seven cards decide about the odd chip",
        Reading::SeveralOddChips => {
            "whether several odd chips go one each to the winners, or all to the first"
        }
        Reading::TieFirst => "who acts first among equal boards",
        Reading::TimeoutMoneyIncludesAnte => "whether the ante is money in the pot when time runs out",
        Reading::MaxRaises => "how many raises a round has",
        Reading::HeadsUpUncapped => "whether two players alone may raise without end",
        Reading::ShortAllIn => "what an all-in below the full bet or raise does",
        Reading::LowAllIn => {
            "who brings it in when the lowest card is all-in, and whether that player may fold"
        }
        Reading::StreetLimits => "on which streets the small and the big limit are bet",
        Reading::ShortAnte => "what a player short of the ante contests",
        Reading::DealOrder => "in which order cards are dealt",
        Reading::MuckedHand => "whether a hand thrown away at the showdown gives up what it would have won",
        Reading::TimeOuts => "that the time ran out: that is the record's word alone",
        Reading::Rake => "that chips may be taken from a pot",
    }
}

/// What the ruling hangs on, a sentence each.
pub(super) fn open_points(
    history: &History,
    rules: &RuleSet,
    found: &Search,
    smallest_chip: SmallestChip,
) -> Vec<String> {
    let shown = found.shown();
    let mut points: Vec<String> =
        found.relevant.iter().filter_map(|&reading| point(rules, found, reading)).collect();
    let is_split = points.is_empty() && found.runs.iter().any(|(_, run)| run.refused.is_some());
    if is_split {
        let names: Vec<&str> = found.relevant.iter().map(|reading| reading.name()).collect();
        points.push(format!("Only some values of {} together accept the hand.", names.join(" and ")));
    }
    points.extend(shown.game.doubts().iter().map(|doubt| sentence(doubt)));
    let stops_early = found.stops_early();
    if stops_early && !tells_the_end(history) {
        points.push("The record ends before the hand does, and gives no pot to anybody.".to_owned());
    } else if let Some(undecided) = shown.undecided.as_ref().filter(|_| stops_early || points.is_empty()) {
        points.push(format!("The pots cannot be given out: {undecided}."));
    }
    let chip = history.amount_text(shown.game.stakes().odd_chip_unit);
    if smallest_chip == SmallestChip::FromFinalStacks {
        points.push(format!(
            "The record does not state its smallest chip: chips of {chip} accept the hand, smaller ones refuse it."
        ));
    }
    if let BringIn::RoundedTo { unit } = structure::bring_in(history, rules, shown.game.stakes()) {
        points.push(format!(
            "The record does not state its smallest chip: with chips of {} the bring-in of {} is half the small limit, rounded.",
            history.amount_text(unit),
            history.amount_text(shown.game.stakes().bring_in)
        ));
    }
    points
}

/// One reading the hand hangs on: what accepts it, what refuses it and why.
fn point(rules: &RuleSet, found: &Search, reading: Reading) -> Option<String> {
    let mut parts = Vec::new();
    let mut is_open = false;
    for value in reading.values() {
        let runs: Vec<&Run> = found.with_value(reading, value).collect();
        let accepting = runs.iter().find(|run| run.refused.is_none());
        let decided = runs.iter().find(|run| run.refused.is_none() && found.is_decided(run));
        let text = match (decided, accepting, runs.first().and_then(|run| run.refused.as_ref())) {
            (Some(_), ..) => "accepts the hand".to_owned(),
            (_, Some(run), _) => {
                let why = run.undecided.as_ref().map(ToString::to_string);
                let why = why.or_else(|| run.game.doubts().first().cloned());
                format!("leaves it open ({})", why.unwrap_or_else(|| "not enough is recorded".to_owned()))
            }
            (_, _, Some((line, broken))) => {
                let place =
                    line.as_ref().map_or("the end".to_owned(), |line| format!("action {}", line.number));
                format!("refuses it ({place}: {})", broken.rule.sentence())
            }
            _ => continue,
        };
        is_open |= decided.is_none();
        parts.push(format!("{}={value} {text}", reading.name()));
    }
    is_open.then(|| {
        format!("The text of {} does not say {}: {}.", rules.name, question(reading), parts.join(", "))
    })
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// What the reader should know of the record and its amounts.
pub(super) fn about_the_record(
    history: &History,
    rules: &'static RuleSet,
    run: &Run,
    stated: &[(Reading, String)],
    broken: &[Infraction],
) -> Vec<String> {
    let mut notes: Vec<String> = stated
        .iter()
        .map(|(reading, value)| {
            format!(
                "The record states {}={value}; the text of {} leaves that open.",
                reading.name(),
                rules.name
            )
        })
        .collect();
    notes.extend(about_the_text(history, rules));
    let ignored = history.readings.iter().filter(|(reading, _)| !reading.may_be_stated());
    notes.extend(ignored.map(|(reading, value)| {
        format!(
            "The record states {}={value}, which is not its own to state; it was not followed.",
            reading.name()
        )
    }));
    let skipped = usize::from(run.refused.as_ref().is_none_or(|(line, _)| line.is_none()));
    notes.extend(
        broken
            .iter()
            .skip(skipped)
            .map(|broken| format!("Refused as well: {}; allowed: {}.", broken.found, broken.allowed)),
    );
    if history.decimals > 0 && (run.refused.is_some() || !run.game.doubts().is_empty()) {
        notes.push(format!("Amounts below are counted in units of {}.", history.amount_text(1)));
    }
    notes.extend(about_the_amounts(history, rules, run));
    notes
}

/// Whose choice the rule text is, where several could be meant.
fn about_the_text(history: &History, rules: &RuleSet) -> Option<String> {
    let others = RuleSet::ALL.iter().filter(|other| other.play.phh_variant == rules.play.phh_variant);
    match &history.ruleset {
        Some(named) if named != rules.name => Some(format!(
            "The record names another rule text, {}; it is judged by {}.",
            excerpt(named, RULE_TEXT_LETTERS_MAX),
            rules.name
        )),
        Some(_) if others.count() > 1 => Some(format!(
            "That {} is its rule text, the record says; --rules judges it by another.",
            rules.name
        )),
        _ if history.variant != rules.play.phh_variant => Some(format!(
            "The record is of variant {}; {} plays {}.",
            history.variant, rules.name, rules.play.phh_variant
        )),
        _ => None,
    }
}

/// Letters of the name of a rule text that are shown.
const RULE_TEXT_LETTERS_MAX: usize = 24;

fn about_the_amounts(history: &History, rules: &RuleSet, run: &Run) -> Vec<String> {
    let (stakes, text) = (run.game.stakes(), |amount| history.amount_text(amount));
    let mut notes = Vec::new();
    let ante = stakes.antes.iter().copied().max().unwrap_or(0);
    if ante > 0 && rules.play.ante == AnteAmount::AboutAFifth && ante.checked_mul(5) != Some(stakes.small) {
        let (ante, small) = (text(ante), text(stakes.small));
        notes.push(format!(
            "The ante is {ante} with a small limit of {small}; the text of {} says about a fifth.",
            rules.name
        ));
    }
    let (limits, text_is_silent) = (&history.stakes, rules.play.big_limit == BigLimit::Unstated);
    // A big limit below the small one is refused.
    if text_is_silent && limits.big >= limits.small && Some(limits.big) != limits.small.checked_mul(2) {
        let (small, big) = (text(limits.small), text(limits.big));
        notes.push(format!(
            "The limits are {small} and {big}; the text of {} does not fix the big limit.",
            rules.name
        ));
    }
    if rules.play.bring_in == BringInAmount::Explicit && stakes.bring_in == stakes.small {
        notes.push("The bring-in is the whole small limit, so there is nothing to complete.".to_owned());
    }
    if let BringIn::Rounded { unit } = structure::bring_in(history, rules, stakes) {
        notes.push(format!(
            "Half of the small limit {} falls between two chips of {}; the bring-in of {} is rounded {}.",
            text(stakes.small),
            text(unit),
            text(stakes.bring_in),
            if stakes.bring_in.saturating_mul(2) > stakes.small { "up" } else { "down" }
        ));
    }
    if structure::has_short_ante(history) {
        let value = run.game.readings().value(Reading::ShortAnte);
        let contests = match value {
            "all_antes" => "all antes",
            _ => "only as much of every ante as it paid",
        };
        notes.push(format!("A stack is below the ante; that player contests {contests}."));
    }
    notes
}

/// What a reading refuses that the text leaves open, where the fault that is shown is another, which none explains.
pub(super) fn refused_earlier(rules: &RuleSet, found: &Search) -> Option<String> {
    let ((by_default, first), shown) = (&found.runs[0], found.shown().game.readings());
    let (line, broken) = first.refused.as_ref()?;
    let other = found.relevant.iter().filter(|&&reading| by_default.value(reading) != shown.value(reading));
    let by: Vec<String> =
        other.map(|&reading| format!("{}={}", reading.name(), by_default.value(reading))).collect();
    let line = line.as_ref().filter(|_| !by.is_empty())?;
    Some(format!(
        "By {}, which the text of {} leaves open, action {} is refused already ({}).",
        by.join(" and "),
        rules.name,
        line.number,
        broken.rule.sentence()
    ))
}

/// What the reader should know of the pots: a rake, and chips that hang on a reading.
pub(super) fn about_the_pots(history: &History, found: &Search) -> Vec<String> {
    let shown = found.shown();
    let mut notes = Vec::new();
    let hides = |player: &PlayerState| player.visible().contains(&None);
    if shown.game.players().iter().any(hides) && shown.game.doubts().is_empty() {
        notes.push("The record hides up cards; whatever they are, the same players act first.".to_owned());
    }
    if shown.rake > 0 {
        notes.push(format!(
            "Chips missing at the end: {}. They are judged as a rake, taken from the pots.",
            history.amount_text(shown.rake)
        ));
    }
    for &reading in found.relevant.iter().filter(|reading| is_of_odd_chips(**reading)) {
        let says = |value: &&'static str| {
            let run = found.with_value(reading, value).find(|run| run.undecided.is_none())?;
            let awards = run.pots.iter().flat_map(|pot| &pot.awards);
            let mut lucky: Vec<String> =
                awards.flat_map(|award| &award.odd_chips).map(|&player| name(player)).collect();
            lucky.dedup();
            Some(format!("{}={value} gives it to {}", reading.name(), lucky.join(", ")))
        };
        let parts: Vec<String> = reading.values().iter().filter_map(says).collect();
        notes.push(format!("Who gets the odd chip hangs on a reading: {}.", parts.join("; ")));
    }
    notes
}

fn is_of_odd_chips(reading: Reading) -> bool {
    matches!(reading, Reading::OddChip | Reading::OddChipCards | Reading::SeveralOddChips)
}
