//! The report to an auditor on a log that is in order: what became of its decks, and what that does not show.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use deckproof_deck::text::decimal::{counted, thousands};
use deckproof_verify::claim::{Claim, ClaimGap, ClaimSubject, Claims, Headline, Otherwise, Party, Witness};
use deckproof_verify::log::entry::UnsealEntry;
use deckproof_verify::log::scan::report::{Report, TableDecks};
use deckproof_verify::log::witnessed::Witnessed;

/// Rows that are listed of one kind, such as tables with their voids; the rest are counted.
const ROWS_LISTED: usize = 20;

/// What an auditor gave with a log.
pub struct ScanAsked {
    /// How many earlier checkpoints.
    pub earlier: usize,
    /// Whether there was a trust file.
    pub is_trusted: bool,
    /// Whether the log is still growing.
    pub is_live: bool,
    /// How much he lets pass.
    pub limits: ScanLimits,
}

/// Above what the exit code is 1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ScanLimits {
    /// The largest share of voided decks among those of a table that ended.
    pub voids: Option<f64>,
    /// The largest number of decks of the whole log that were neither opened nor voided.
    pub unused: Option<u64>,
}

impl ScanLimits {
    /// What is above the limits, a sentence each without its end; nothing if all is within them.
    pub fn exceeded(&self, report: &Report) -> Vec<String> {
        let mut exceeded = Vec::new();
        if let Some(share_max) = self.voids {
            for (table, decks) in &report.tables {
                if decks.unplayed_share().is_some_and(|share| share > share_max) {
                    let impossible = match decks.closed_impossibly {
                        0 => String::new(),
                        hands => format!(" and closed {} as no hand ends", thousands(hands)),
                    };
                    exceeded.push(format!(
                        "table {table} voided {}{impossible}, more than the share {share_max} of --max-voids",
                        share(decks)
                    ));
                }
            }
        }
        let unused = report.decks().unused;
        if let Some(unused_max) = self.unused.filter(|unused_max| unused > *unused_max) {
            exceeded.push(format!(
                "{} neither opened nor voided, more than the {unused_max} of --max-unused",
                counted(unused, "deck was", "decks were")
            ));
        }
        exceeded
    }
}

/// What a log that is in order shows, and what it does not. Voided and unused decks are those among which an operator could have
/// chosen: above a limit that the auditor set they count against him.
pub fn scan_claims(asked: &ScanAsked, witnessed: &Witnessed, report: &Report) -> Claims {
    let (choice, decks) = (ClaimSubject::DecksNotChosen, report.decks());
    let not_chosen = match asked.limits.exceeded(report).first() {
        Some(exceeded) => Claim::contradicted(choice, ABOVE_LIMITS, exceeded),
        None if decks.voided() + decks.unused > 0 => Claim::claimed(choice, Party::Operator),
        None => Claim::not_looked_at(choice, ClaimGap::NotByTheseData),
    };
    let (signature, one_log) = (ClaimSubject::Signature, ClaimSubject::OneLog);
    let (signed, shared) = match (asked.is_trusted, witnessed.quorum_time) {
        (false, _) => (
            Claim::not_looked_at(signature, ClaimGap::NoTrustFile),
            Claim::not_looked_at(one_log, ClaimGap::NoTrustFile),
        ),
        (true, Some(time)) => (
            Claim::shown(signature, Witness::Log),
            Claim::shown(one_log, Witness::Quorum { time }).or(Otherwise::WitnessesNotIndependent),
        ),
        (true, None) => (
            Claim::shown(signature, Witness::Log),
            Claim::claimed(one_log, Party::Log).by(Witness::Log).or(Otherwise::ForkedLog),
        ),
    };
    let whole = Claim::shown(ClaimSubject::WholeLog, Witness::Computation);
    let all_dealt = Claim::not_looked_at(ClaimSubject::DecksOfTheTable, ClaimGap::NotByTheseData);
    Claims::new(vec![whole, signed, shared, not_chosen, all_dealt], &[ClaimSubject::WholeLog])
}

/// The verdict of a log that is in order and above a limit, for programs.
const ABOVE_LIMITS: &str = "above the limits";

/// `54 of 60 decks that ended (0.900)`.
fn share(decks: &TableDecks) -> String {
    let share = decks.voided_share().unwrap_or(0.0);
    let ended = counted(decks.ended(), "deck", "decks");
    format!("{} of {ended} that ended ({share:.3})", thousands(decks.voided()))
}

/// A log in order, for programs.
pub fn in_order_json(asked: &ScanAsked, witnessed: &Witnessed, report: &Report) -> Value {
    let tree = &report.tree;
    let (exceeded, claims) = (asked.limits.exceeded(report), scan_claims(asked, witnessed, report));
    let tables: Map<String, Value> =
        report.tables.iter().map(|(name, decks)| (name.clone(), table_json(decks))).collect();
    let unsealed: Vec<Value> = report.unsealed.iter().map(unsealed_json).collect();
    json!({
        "verdict": if claims.headline() == Headline::Accepted { "in order" } else { ABOVE_LIMITS },
        "claims": claims,
        "code": null, "origin": witnessed.checkpoint.origin, "size": tree.size,
        "root": tree.root.to_string(),
        "closed": report.closed, "voids": report.voids, "unused": report.unused, "running": report.running,
        "tables": tables, "unsealed": unsealed, "exceeded": exceeded, "live": asked.is_live,
        "earlier": asked.earlier, "signature": if asked.is_trusted { "checked" } else { "not checked" },
        "quorum_time": witnessed.quorum_time,
    })
}

fn table_json(decks: &TableDecks) -> Value {
    json!({
        "closed": decks.closed, "voided_opened": decks.voided_opened,
        "voided_unopened": decks.voided_unopened, "voided_known": decks.voided_known,
        "voided_share": decks.voided_share(), "unused": decks.unused, "closed_impossibly": decks.closed_impossibly,
    })
}

fn unsealed_json(unseal: &UnsealEntry) -> Value {
    json!({
        "table": unseal.table, "hand": unseal.hand, "time": unseal.time, "holders": unseal.holders,
        "reason": unseal.reason,
    })
}

/// A log in order in sentences, by the name of its folder.
pub fn in_order(name: &str, asked: &ScanAsked, witnessed: &Witnessed, report: &Report) -> String {
    let decks = report.decks();
    let mut text = headline(name, asked, witnessed, report);
    let mut line = |name: &str, value: &str| {
        writeln!(text, "  {name:<16}{value}").expect("a string takes every line");
    };
    for exceeded in asked.limits.exceeded(report) {
        line("Above a limit", &format!("{exceeded}."));
    }
    line("Root", &report.tree.root.to_string());
    line("Hands", &hands(&decks, report.running));
    if decks.closed_impossibly > 0 {
        line(
            "Impossible",
            &format!(
                "{} a number of dealt cards with which no hand of its rules and seats ends. A bundle of such a hand is refused (E_DEALT), and \
                 --max-voids counts it as voided.",
                counted(decks.closed_impossibly, "closed hand names", "closed hands name")
            ),
        );
    }
    rows("Voided", &voids(report), ["table", "tables"]).iter().for_each(|(name, row)| line(name, row));
    if let Some(sentence) = known(&decks) {
        line("Known decks", &sentence);
    }
    let unused = unused(report);
    rows("Unused decks", &unused, ["table", "tables"]).iter().for_each(|(name, row)| line(name, row));
    if !report.unsealed.is_empty() {
        let unsealed: Vec<String> = report.unsealed.iter().map(unsealed).collect();
        let number = counted(unsealed.len() as u64, "entry says", "entries say");
        line(
            "Vault",
            &format!(
                "{number} that two people opened a hand that had ended. No key signs such an entry: who, when and why is the word of the operator."
            ),
        );
        rows("", &unsealed, ["opening", "openings"]).iter().for_each(|(name, row)| line(name, row));
    }
    line("Earlier trees", &earlier(asked.earlier));
    line("Signed", &signed(asked, witnessed));
    line("Not shown", not_shown(&decks));
    text
}

/// What was shown of the entries, and how many decks were not played.
fn headline(name: &str, asked: &ScanAsked, witnessed: &Witnessed, report: &Report) -> String {
    let decks = report.decks();
    let mut parts = vec![format!(
        "{name}: whole and in order, {} of {}",
        counted(report.tree.size, "entry", "entries"),
        witnessed.checkpoint.origin
    )];
    if decks.voided() > 0 {
        parts.push(format!("{} were voided", share(&decks)));
    }
    if decks.closed_impossibly > 0 {
        parts.push(format!(
            "{} closed as no hand ends",
            counted(decks.closed_impossibly, "hand was", "hands were")
        ));
    }
    if decks.unused > 0 {
        let so_far = if asked.is_live { " so far" } else { "" };
        parts.push(format!(
            "{} of {} neither opened nor voided{so_far}",
            counted(decks.unused, "deck", "decks"),
            counted(report.unused.len() as u64, "table", "tables")
        ));
    }
    format!("{}.\n", parts.join("; "))
}

fn hands(decks: &TableDecks, running: u64) -> String {
    format!(
        "{} closed, {} voided after {} opened, {running} running.",
        thousands(decks.closed),
        thousands(decks.voided_opened),
        if decks.voided_opened == 1 { "it was" } else { "they were" }
    )
}

/// The tables that voided most of their decks, with the reasons.
fn voids(report: &Report) -> Vec<String> {
    let mut tables: Vec<(&String, &TableDecks)> =
        report.tables.iter().filter(|(_, decks)| decks.voided() > 0).collect();
    let order = |decks: &TableDecks| (decks.voided_share().unwrap_or(0.0), decks.voided());
    tables.sort_by(|a, b| order(b.1).partial_cmp(&order(a.1)).expect("shares are numbers"));
    let row = |(table, decks): (&String, &TableDecks)| {
        let reasons = report.voids.get(table).into_iter().flatten();
        let of = |number: u64| number as f64 / decks.ended() as f64;
        let reasons: Vec<String> = reasons
            .map(|(reason, &number)| format!("{reason} {} ({:.3})", thousands(number), of(number)))
            .collect();
        let unopened = match decks.voided_unopened {
            0 => String::new(),
            number => {
                format!("; {}", counted(number, "deck before it was opened", "decks before they were opened"))
            }
        };
        format!("{table} {}: {}{unopened}.", share(decks), reasons.join(", "))
    };
    tables.into_iter().map(row).collect()
}

/// The tables with most decks left.
fn unused(report: &Report) -> Vec<String> {
    let mut tables: Vec<(&String, &u64)> = report.unused.iter().collect();
    tables.sort_by(|a, b| b.1.cmp(a.1));
    tables.into_iter().map(|(table, number)| format!("{table} {}.", thousands(*number))).collect()
}

/// Who opened which hand, when and why.
fn unsealed(unseal: &UnsealEntry) -> String {
    let UnsealEntry { table, hand, time, holders: [first, second], reason, .. } = unseal;
    format!("{table} hand {hand} at POSIX time {time} by {first} and {second}: {reason}")
}

/// The first rows, the first of them with the name, and how many more there are.
fn rows<'a>(name: &'a str, all: &[String], [one, several]: [&str; 2]) -> Vec<(&'a str, String)> {
    let mut rows: Vec<String> = all.iter().take(ROWS_LISTED).cloned().collect();
    if all.is_empty() {
        rows.push("none.".to_owned());
    }
    if all.len() > ROWS_LISTED {
        let more =
            counted((all.len() - ROWS_LISTED) as u64, &format!("more {one}"), &format!("more {several}"));
        rows.push(format!("and {more}, which --json lists."));
    }
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    names.zip(rows).collect()
}

/// Which voided decks the operator knew for certain.
fn known(decks: &TableDecks) -> Option<String> {
    let (voided, known) = (decks.voided(), decks.voided_known);
    let why = "under mix none he knows every deck, under the others each whose whole cut is logged";
    let unseen = |which| {
        format!("whether he knew {which}, from seeds or a beacon value that he did not log, is not shown")
    };
    match known {
        _ if voided == 0 => None,
        0 => Some(format!(
            "the operator had logged no cut of a deck that he voided; {}.",
            unseen("any of them")
        )),
        _ if known == voided => Some(format!("the operator knew each deck that he voided: {why}.")),
        _ => Some(format!(
            "the operator knew {} of the {} decks that he voided: {why}; {}.",
            thousands(known),
            thousands(voided),
            unseen("the others")
        )),
    }
}

fn earlier(given: usize) -> String {
    match given {
        0 => "none given: whether an earlier log was rewritten is not checked (--old FILE).".to_owned(),
        1 => "1 given, and this log begins with it.".to_owned(),
        several => format!("{several} given, and this log begins with each of them."),
    }
}

fn signed(asked: &ScanAsked, witnessed: &Witnessed) -> String {
    match (asked.is_trusted, witnessed.quorum_time) {
        (false, _) => "not checked: no trust file was given (--trust FILE).".to_owned(),
        (true, Some(time)) => format!("by the log, and by a quorum of witnesses at POSIX time {time}."),
        (true, None) => {
            "by the log alone: without a quorum of witnesses others may have been shown another log."
                .to_owned()
        }
    }
}

fn not_shown(decks: &TableDecks) -> &'static str {
    match decks.voided() + decks.unused {
        0 => "that the hands in the log are all that were dealt.",
        _ => {
            "why decks were voided or left, for the reasons are the operator's words, and so that he did not choose \
             among decks; that the hands in the log are all that were dealt."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(tables: &[(&str, TableDecks)]) -> Report {
        let tables = tables.iter().map(|(name, decks)| ((*name).to_owned(), *decks)).collect();
        Report { tables, ..Report::default() }
    }

    #[test]
    fn limits_are_of_each_table_and_exceeded_above_them_alone() {
        let voided = |closed, voided| TableDecks { closed, voided_opened: voided, ..TableDecks::default() };
        let report = report(&[("A", voided(9, 1)), ("B", voided(4, 1)), ("C", TableDecks::default())]);
        let exceeded = |voids| ScanLimits { voids: Some(voids), unused: None }.exceeded(&report);
        assert!(exceeded(0.2).is_empty());
        let above = exceeded(0.19);
        let row = "table B voided 1 of 5 decks that ended (0.200), more than the share 0.19";
        assert!(above.len() == 1 && above[0].starts_with(row), "{above:?}");
        assert_eq!(exceeded(0.0).len(), 2);
        assert!(ScanLimits::default().exceeded(&report).is_empty());
    }

    /// A deck that is voided before it is opened was looked at as well.
    #[test]
    fn decks_voided_unopened_count_and_unused_ones_have_their_own_limit() {
        let shopped = TableDecks { closed: 1, voided_unopened: 3, unused: 2, ..TableDecks::default() };
        let report = report(&[("A", shopped)]);
        assert_eq!(ScanLimits { voids: Some(0.5), unused: Some(2) }.exceeded(&report).len(), 1);
        let exceeded = ScanLimits { voids: Some(0.75), unused: Some(1) }.exceeded(&report);
        assert!(exceeded.len() == 1 && exceeded[0].contains("2 decks were neither"), "{exceeded:?}");
    }
}
