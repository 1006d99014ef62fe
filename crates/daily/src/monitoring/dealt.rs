//! Dealt cards: the hands of the day by the cards that were really dealt, where no whole decks are exported or beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::day::{DayLine, NOTHING_NEW};
use crate::monitoring::export_line::DealtSeen;
use crate::monitoring::judge::open_question;
use crate::monitoring::levels::{Occasion, PValues, weigh};
use crate::monitoring::rows::counting;
use deckproof_audit::hands::dealt::files::read_dealt;
use deckproof_audit::hands::dealt::judge;
use deckproof_audit::hands::dealt::read::{DealtHands, OrderedHand};
use deckproof_audit::hands::dealt::repeated::CARDS;
use deckproof_audit::hands::judgement::HANDS_MIN;
use deckproof_deck::text::decimal::{counted, p_value, thousands};
use deckproof_files::file::sha256;

/// The name of the step.
pub const NAME: &str = "dealt cards";

/// Hands that the row of a day keeps, those with the lowest fingerprints: of a day of which a tenth is dealt again none of them
/// is in 3 of 100 cases, of half a day in 2 of 10 billion.
const SAMPLE: usize = 32;

/// Judges the hands of the day, at its levels.
pub fn check(paths: &[PathBuf], earlier: &[DayLine], date: &str) -> (DayCheck, Option<DealtSeen>) {
    let silent = |reason: String| (DayCheck::could_not_say(NAME, reason), None);
    if let Some(missing) = paths.iter().find(|path| !Path::new(path).exists()) {
        return silent(format!("{}: the file is not there", missing.display()));
    }
    let hands = match read_dealt(paths) {
        Ok(hands) => hands,
        Err(error) => return silent(error.to_string()),
    };
    let marks: BTreeMap<String, String> = hands.hands.iter().filter_map(mark).collect();
    let sample = marks.iter().take(SAMPLE).map(|(cards, number)| (cards.clone(), number.clone())).collect();
    let seen = DealtSeen { hands: hands.hands.len() as u64, sha256: sha256(cards(&hands.hands)), sample };
    let earlier_dealt = || counting(earlier).filter(|(_, line)| line.day != date);
    let is_same = |line: &DayLine| line.dealt.as_ref().is_some_and(|dealt| dealt.sha256 == seen.sha256);
    if let Some((row, line)) = earlier_dealt().find(|(_, line)| is_same(line)) {
        return silent(format!("{NOTHING_NEW}: these are the hands of row {row} ({})", line.day));
    }
    let mut check = judged(&hands, asked(paths, earlier, date));
    if let Some(again) = dealt_again(&marks, earlier_dealt()) {
        check.evidence = format!("{again}: {}", check.evidence);
        check.result = check.result.max(CheckResult::CouldNotSay);
    }
    let is_judged = check.result != CheckResult::CouldNotSay;
    (check, is_judged.then_some(seen))
}

/// What the hands are asked for. Those of a table's folder are all until now: with them no night is the repeat of an earlier one.
fn asked(paths: &[PathBuf], earlier: &[DayLine], date: &str) -> Occasion {
    let is_new = !paths.iter().any(|path| path.is_dir());
    match open_question(earlier, NAME, date) {
        Some(_) if is_new => Occasion::AfterQuestion,
        _ => Occasion::Daily,
    }
}

fn judged(hands: &DealtHands, asked: Occasion) -> DayCheck {
    if let Some((place, card)) = hands.impossible.first() {
        let evidence = format!("{place}: the card {card} was dealt twice, which no deck holds");
        return DayCheck::stop(NAME, evidence);
    }
    let judgement = judge(hands);
    if let Some([earlier, hand]) = judgement.repeated.named.first() {
        let evidence = format!(
            "{hand} has the first cards of {earlier}: a deck was dealt again, or the export holds a hand twice"
        );
        return DayCheck::stop(NAME, evidence);
    }
    let many = judgement.hands;
    let p = judgement.family_p_value;
    let sentence = format!(
        "{} with {}, family p-value {} over {} bets at fair odds (Ville), null: each card uniform on those left",
        counted(many, "hand", "hands"),
        counted(judgement.cards, "card", "cards"),
        p_value(p),
        thousands(judgement.parts.len() as u64)
    );
    // Every bet is a proven bound, which may convict.
    let result = weigh(PValues { family: p, convicting: p }, asked);
    let unread = match hands.unread.first() {
        None => String::new(),
        Some(first) => format!(
            "; {} cannot be read, and this p-value holds whichever they are; the first: {first}",
            thousands(hands.unread_total)
        ),
    };
    match result {
        CheckResult::Passed if many < HANDS_MIN => {
            let few = format!("too few, wanted {}: {sentence}{unread}", counted(HANDS_MIN, "hand", "hands"));
            DayCheck::could_not_say(NAME, few)
        }
        CheckResult::Passed if !judgement.repeated.across.is_empty() => {
            let overlap = "hands of one file are in another, or a deck was dealt again";
            DayCheck::could_not_say(NAME, format!("{overlap}: {sentence}{unread}"))
        }
        CheckResult::Passed if hands.unread_total > 0 => {
            DayCheck::could_not_say(NAME, format!("{sentence}{unread}"))
        }
        result => DayCheck::new(NAME, result, format!("{sentence}{unread}")),
    }
}

/// The earlier day of which most hands are here under another number. A hand under its own is one of a table, or of an export
/// that overlaps.
fn dealt_again<'a>(
    marks: &BTreeMap<String, String>,
    earlier: impl Iterator<Item = (usize, &'a DayLine)>,
) -> Option<String> {
    let is_again = |(cards, number): &(&String, &String)| marks.get(*cards).is_some_and(|own| own != *number);
    let counted = earlier.filter_map(|(row, line)| {
        let sample = &line.dealt.as_ref()?.sample;
        let again = sample.iter().filter(is_again).count();
        (again > 0).then_some((again, sample.len(), row, &line.day))
    });
    let (again, all, row, day) = counted.max()?;
    Some(format!(
        "{again} of the {all} hands that are remembered of row {row} ({day}) are here under another number: a deck was dealt again, or the \
         export numbers its hands anew"
    ))
}

/// Fingerprints of the first cards of a hand, as many as show its deck, and of its number.
fn mark(hand: &OrderedHand) -> Option<(String, String)> {
    let cards: String =
        hand.cards.first_chunk::<CARDS>()?.iter().map(|dealt| dealt.card.to_string()).collect();
    // The folder of a table stands before the number.
    let number = hand.number.rsplit(", ").next().unwrap_or_default();
    let print = |text: &str, digits: usize| sha256(text)[..digits].to_owned();
    Some((print(&format!("deckproof/v1 known-dealt {cards}"), 24), print(number, 8)))
}

fn cards(hands: &[OrderedHand]) -> String {
    let hand = |hand: &OrderedHand| {
        let cards: String = hand.cards.iter().map(|dealt| format!("{}{} ", dealt.card, dealt.seat)).collect();
        format!("{}: {cards}\n", hand.number)
    };
    hands.iter().map(hand).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_that_are_judged_every_night_repeat_no_question() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("dealt.csv");
        let mut line = DayLine::of_failure("2026-11-20", "a", "0", "", "");
        line.checks = vec![DayCheck::new(NAME, CheckResult::Investigate, "b")];
        let of = |path: &Path, date| asked(&[path.to_owned()], std::slice::from_ref(&line), date);
        assert_eq!(of(&file, "2026-11-21"), Occasion::AfterQuestion);
        assert_eq!(of(&file, "2026-11-20"), Occasion::Daily);
        assert_eq!(of(folder.path(), "2026-11-21"), Occasion::Daily);
    }
}
