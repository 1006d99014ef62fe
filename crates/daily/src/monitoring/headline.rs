//! The first line of a mail: what is wrong, in one plain sentence, and of how many decks.

use crate::monitoring::check::{CheckResult, DayCheck, first_of};
use crate::monitoring::day::DayLine;
use crate::monitoring::judge::{FRESH, LIVE};
use crate::monitoring::step_list::{RESULTS, is_of_decks, listed};
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::certificate::findings::deciding_p_value;
use deckproof_audit::certificate::look::Look;
use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_report::document::words::MailWords;
use deckproof_report::document::words::Words;
use deckproof_stats::battery::View;
use deckproof_stats::battery::catalogue::abouts;
use deckproof_stats::math::binomial;

/// A card at a place is named where chance explains its count more rarely, the choice among all of them allowed for.
const CELL_LEVEL: f64 = 1e-6;

/// What is wrong with a day that is no pass.
pub(super) fn sentence(line: &DayLine, result: Option<&AuditResult>, words: &Words) -> String {
    let mail = &words.mail;
    let Some(check) = first_of(&line.checks, line.result()) else { return mail.no_deck.to_owned() };
    let what = match line.result() {
        CheckResult::Refused => wrong(check, result, words),
        CheckResult::Investigate => mail.question.to_owned(),
        _ => unsaid(line, check, mail),
    };
    let decks = result.map(AuditResult::decks).filter(|_| is_of_decks(&check.name));
    decks.map_or(what.clone(), |decks| mail.of_decks(decks, &what))
}

fn wrong(check: &DayCheck, result: Option<&AuditResult>, words: &Words) -> String {
    if let Some(result) = result.filter(|_| check.name == LIVE) {
        return wrong_decks(result, words);
    }
    let wrong = listed(&check.name).and_then(|step| step.wrong);
    wrong.map_or_else(|| check.name.clone(), |wrong| wrong(&words.mail).to_owned())
}

fn wrong_decks(result: &AuditResult, all: &Words) -> String {
    let (look, words) = (result.deciding(), &all.mail);
    match look.proofs.first() {
        Some(_) if look.is_predicted() => words.wrong_predicted.to_owned(),
        Some(_) if look.has_repeats() => words.wrong_repeat.to_owned(),
        Some(_) => words.wrong_record.to_owned(),
        None => {
            // What decided: the cell where it is of its test, or decides by itself too.
            let decided = deciding_p_value(result);
            let id = decided.as_ref().and_then(|own| own.id.split('.').nth(1)).unwrap_or_default();
            let level = decided.as_ref().map_or(0.0, |own| own.family_p_value);
            let cell = strongest_cell(look, all).filter(|(p_value, _)| id == CELLS || *p_value <= level);
            let title = abouts().find(|about| about.id == id).map(|about| about.title);
            let title = all.statistic(id).map(|own| own.title).or(title);
            match (cell, title) {
                (Some((_, cell)), _) => cell,
                (None, Some(title)) => words.wrong_by(title),
                (None, None) => words.wrong_decks.to_owned(),
            }
        }
    }
}

/// The statistic of cards by their places.
const CELLS: &str = "card-place";

/// The card that lies at one place most strangely often or rarely, by the exact binomial distribution, with its p-value among all.
fn strongest_cell(look: &Look, all: &Words) -> Option<(f64, String)> {
    let tally = look.tallies.iter().find(|tally| tally.view == View::Deck && tally.id == CELLS)?;
    let expected = look.decks as f64 / DECK_CARDS as f64;
    let away = |count: u64| (count as f64 - expected).abs();
    let cells = tally.counts.iter().copied().enumerate().take(DECK_CARDS * DECK_CARDS);
    let (cell, count) = cells.max_by(|(_, a), (_, b)| away(*a).total_cmp(&away(*b)))?;
    let p_value = binomial::p_value(look.decks, 1.0 / DECK_CARDS as f64, count);
    let p_value = p_value * (DECK_CARDS * DECK_CARDS) as f64;
    let card = Card::from_index((cell / DECK_CARDS) as u8).filter(|_| p_value <= CELL_LEVEL)?;
    let (card, words) = (all.page.card_words(card), &all.mail);
    let place = match cell % DECK_CARDS + 1 {
        1 => words.first_card.to_owned(),
        DECK_CARDS => words.last_card.to_owned(),
        place => words.card_at(place as u64),
    };
    Some((p_value, words.wrong_cell(&card, &place, count, expected.round() as u64)))
}

fn unsaid(line: &DayLine, check: &DayCheck, words: &MailWords) -> String {
    match check.name.as_str() {
        FRESH if check.may_be_dealt() => words.undecided_repeat.to_owned(),
        FRESH if !line.has_judged_decks() => words.undecided_export.to_owned(),
        FRESH => words.undecided_changed.to_owned(),
        LIVE if line.has_judged_decks() => words.undecided_few.to_owned(),
        RESULTS => words.not_recorded.to_owned(),
        step => words.undecided_step(step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitoring::check::Remark;
    use crate::monitoring::mail::Mail;
    use deckproof_report::document::words::Language;

    /// The first line and what to do are chosen by the fact of the step, whatever its words are.
    #[test]
    fn decks_that_may_have_been_dealt_again_are_a_fact_and_no_words() {
        let words = Language::English.words();
        for (remark, evidence, what) in [
            (Some(Remark::MayBeDealt), "found", words.mail.undecided_repeat),
            (None, "then stop dealing", words.mail.undecided_export),
        ] {
            let mut line = DayLine::of_failure("2026-11-22", "Table 1", "0", "no disk", "");
            line.checks = vec![DayCheck { remark, ..DayCheck::could_not_say(FRESH, evidence) }];
            let mail = Mail {
                line: &line,
                result: None,
                files: "",
                row: 1,
                row_sha256: "",
                report: None,
                missing: &[],
                stops: &[],
                changes: &[],
                notes: &[],
                nights_before: None,
                words,
            };
            let text = mail.print();
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines[0].ends_with(what), "{text}");
            let waits = lines[1].starts_with("Do not deal on before you know which it is");
            assert_eq!(waits, remark.is_some(), "{text}");
        }
    }
}
