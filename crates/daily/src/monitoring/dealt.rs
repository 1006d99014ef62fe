//! Dealt cards: the hands of the day by the cards that were really dealt, where no whole decks are exported or beside them.

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
use deckproof_audit::hands::judgement::HANDS_MIN;
use deckproof_deck::text::decimal::{counted, p_value, thousands};
use deckproof_files::file::sha256;

/// The name of the step.
pub const NAME: &str = "dealt cards";

/// Judges the hands of the day, at its levels.
pub fn check(paths: &[PathBuf], earlier: &[DayLine], date: &str) -> (DayCheck, Option<DealtSeen>) {
    let silent = |reason: String| (DayCheck::new(NAME, CheckResult::CouldNotSay, reason), None);
    if let Some(missing) = paths.iter().find(|path| !Path::new(path).exists()) {
        return silent(format!("{}: the file is not there", missing.display()));
    }
    let hands = match read_dealt(paths) {
        Ok(hands) => hands,
        Err(error) => return silent(error.to_string()),
    };
    let seen = DealtSeen { hands: hands.hands.len() as u64, sha256: sha256(cards(&hands.hands)) };
    let is_same = |line: &DayLine| line.day != date && line.dealt.as_ref() == Some(&seen);
    if let Some((row, line)) = counting(earlier).find(|(_, line)| is_same(line)) {
        return silent(format!("{NOTHING_NEW}: these are the hands of row {row} ({})", line.day));
    }
    let check = judged(&hands, earlier, date);
    let is_judged = check.result != CheckResult::CouldNotSay;
    (check, is_judged.then_some(seen))
}

fn judged(hands: &DealtHands, earlier: &[DayLine], date: &str) -> DayCheck {
    if let Some((place, card)) = hands.impossible.first() {
        let evidence = format!("{place}: the card {card} was dealt twice, which no deck holds");
        return DayCheck::new(NAME, CheckResult::Refused, evidence);
    }
    let judgement = judge(hands);
    if let Some([earlier, hand]) = judgement.repeated.named.first() {
        let evidence = format!(
            "{hand} has the first cards of {earlier}: a deck was dealt again, or the export holds a hand twice"
        );
        return DayCheck::new(NAME, CheckResult::Refused, evidence);
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
    let open = open_question(earlier, NAME, date);
    let asked = if open.is_some() { Occasion::AfterQuestion } else { Occasion::Daily };
    // Every bet is a proven bound, which may convict.
    let result = weigh(PValues { family: p, convicting: p }, asked);
    let unread = match hands.unread.first() {
        None => String::new(),
        Some(first) => format!("; {} cannot be read, the first: {first}", thousands(hands.unread_total)),
    };
    match result {
        CheckResult::Passed if many < HANDS_MIN => {
            let few = format!("too few, wanted {}: {sentence}{unread}", counted(HANDS_MIN, "hand", "hands"));
            DayCheck::new(NAME, CheckResult::CouldNotSay, few)
        }
        CheckResult::Passed if judgement.repeated.across > 0 => {
            let overlap = "hands of one file are in another, or a deck was dealt again";
            DayCheck::new(NAME, CheckResult::CouldNotSay, format!("{overlap}: {sentence}{unread}"))
        }
        CheckResult::Passed if hands.unread_total > 0 => {
            DayCheck::new(NAME, CheckResult::CouldNotSay, format!("{sentence}{unread}"))
        }
        result => DayCheck::new(NAME, result, format!("{sentence}{unread}")),
    }
}

fn cards(hands: &[OrderedHand]) -> String {
    let hand = |hand: &OrderedHand| {
        let cards: String = hand.cards.iter().map(|dealt| format!("{}{} ", dealt.card, dealt.seat)).collect();
        format!("{}: {cards}\n", hand.number)
    };
    hands.iter().map(hand).collect()
}
