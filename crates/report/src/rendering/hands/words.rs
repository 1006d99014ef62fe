//! Published hands in plain sentences.

use askama::Template;

use crate::rendering::hands::HandsFindings;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::hands::between::Between;
use deckproof_audit::hands::collection::Collection;
use deckproof_audit::hands::description::WHY_NOT_JUDGED;
use deckproof_audit::hands::judgement::{HANDS_MIN, HandsJudgement, HandsTest, LEVEL, Method};
use deckproof_deck::text::decimal::{self, thousands};
use deckproof_stud::stud::record::StudGame;
use deckproof_verify::claim::ClaimSubject;

/// Exhibits of more rows than this are for `--json`.
const ROWS_MAX: usize = 13;

/// Notices of one kind beyond this are for `--json`.
const NOTICES_MAX: usize = 20;

/// Tells everything.
pub fn print(findings: &HandsFindings) -> String {
    let HandsFindings { collection, judgement, .. } = findings;
    let template = HandsTemplate { findings, collection, judgement };
    template.render().expect("a String takes every text and no value can fail")
}

#[derive(Template)]
#[template(path = "hands.txt", config = "src/report/templates/askama.toml", whitespace = "preserve")]
struct HandsTemplate<'a> {
    findings: &'a HandsFindings,
    collection: &'a Collection,
    judgement: &'a HandsJudgement,
}

impl HandsTemplate<'_> {
    fn hands(&self, count: u64) -> String {
        if count == 1 { "1 hand".to_owned() } else { format!("{} hands", thousands(count)) }
    }

    /// Sentences on single hands.
    fn notices(&self) -> Vec<String> {
        let own = self.collection;
        let not_read = own.unread.iter().map(|unread| format!("Not read: {unread}."));
        let again = own.again.iter().map(|again| format!("Found again, counted once: {again}."));
        let impossible = own.impossible.iter().map(|(hand, card)| {
            format!("Impossible: {hand} holds {card} twice. The record was changed, or the deck was none of 52 cards.")
        });
        let wrong = own.records.iter().filter_map(|record| {
            let (found, wanted) = record.wrong_bring_in()?;
            let number = &record.number;
            Some(format!(
                "Against the rules: in hand {number} seat {found} brought it in, the lowest door card lay at seat {wanted}."
            ))
        });
        let mut notices = shortened(not_read, "that were not read");
        notices.extend(shortened(again, "that were found again"));
        notices.extend(shortened(impossible, "that are impossible"));
        notices.extend(shortened(wrong, "against the rules"));
        notices
    }

    fn of_game(&self, game: StudGame) -> String {
        let own = self.collection.records.iter().filter(|record| record.game == game);
        format!("{} of {}", thousands(own.count() as u64), game.name())
    }

    fn method(&self, test: &HandsTest) -> String {
        match test.method {
            Method::MonteCarlo(count) => {
                format!("exact test against {} Monte Carlo samples of a fair deal", thousands(count))
            }
            Method::ChiSquared(freedom) => format!("χ² of {freedom} degrees of freedom"),
            Method::Poisson(mean) if mean < 0.01 => format!("Poisson distribution of mean {mean:.1e}"),
            Method::Poisson(mean) => format!("Poisson distribution of mean {mean:.2}"),
        }
    }

    /// Pairs of hands that may be of one deck.
    fn alike(&self) -> Vec<[String; 2]> {
        Between::named(&self.collection.records)
    }

    fn streets(&self, counts: &[u64]) -> String {
        let streets = (3..).zip(counts).map(|(street, count)| format!("street {street} {count}"));
        streets.collect::<Vec<_>>().join(", ")
    }

    fn verdict(&self) -> &'static str {
        let claims = &self.findings.claims;
        match (Verdict::of(claims), claims.shows(ClaimSubject::NoDeparture)) {
            (Verdict::Fail, _) => "Refused: a hand holds a card twice.",
            (Verdict::Investigate, _) => {
                "Investigate: these hands are unlikely under a fair deal, or they were picked, or exported twice. Ask for all hands of a longer time."
            }
            (Verdict::Pass, _) => "Passed: nothing was found in the hands that were read.",
            (Verdict::Inconclusive, true) => {
                "Nothing was found, but some hands cannot be read, and those may be the ones that matter: this says nothing."
            }
            (Verdict::Inconclusive, false) => "Nothing was found, and there is not enough to say more.",
        }
    }
}

/// The first lines of one kind, and how many there are more.
fn shortened(lines: impl Iterator<Item = String>, what: &str) -> Vec<String> {
    let mut lines: Vec<String> = lines.collect();
    let more = lines.len().saturating_sub(NOTICES_MAX);
    lines.truncate(NOTICES_MAX);
    if more > 0 {
        lines.push(format!("And {} more {what}: --json names them all.", thousands(more as u64)));
    }
    lines
}
