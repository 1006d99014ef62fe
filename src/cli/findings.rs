//! The result of a bundle in plain words, and as JSON.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::commitment::digest::leaf_hash;
use crate::stud::deal::{DealtCard, Face};
use crate::verify::Accepted;
use crate::verify::before::{Before, FixedBy, before_first_card};
use crate::verify::findings::{Findings, HistoryFinding, Shown};

/// What is shown of the time before the hand, as the head of a report.
pub(super) fn headline(accepted: &Accepted, fixed: Option<FixedBy>) -> &'static str {
    match fixed {
        None => "consistent with itself: nothing here shows that this deck was fixed before the hand",
        Some(FixedBy::Saved) => "accepted: its deck is the one whose commitment you saved",
        Some(FixedBy::Receipts) => "accepted: a receipt you saved shows its deck in the log you trust",
        Some(FixedBy::Logged) => match before_first_card(accepted) {
            Some(Before::Seen { .. }) => {
                "accepted: its deck and its opening are proven to be in the log you trust, and since when"
            }
            _ => {
                "accepted: its deck and its opening are proven to be in the log you trust; that they were there before \
                 the hand, only the log says"
            }
        },
    }
}

/// What the head of a report adds where the ruling on the history hangs on something: a file may be accepted
/// for its cards while nobody can say whether the bets were by the rules.
pub(super) fn history_headline(finding: Option<&HistoryFinding>) -> &'static str {
    match finding {
        Some(HistoryFinding::Bound { verdict: "depends", .. }) => {
            "; whether its hand was played by the rules depends, see History"
        }
        Some(HistoryFinding::HashedOnly { .. }) => {
            "; whether its hand was played by the rules was not judged"
        }
        Some(HistoryFinding::Bound { .. }) | None => "",
    }
}

/// The ruling on the history in one word, for a program.
fn played(finding: Option<&HistoryFinding>) -> &'static str {
    match finding {
        Some(HistoryFinding::Bound { verdict, .. }) => verdict,
        Some(HistoryFinding::HashedOnly { .. }) | None => "not judged",
    }
}

/// What a bundle shows, as the members of a JSON object.
pub(super) fn accepted_json(accepted: &Accepted, fixed: Option<FixedBy>) -> Map<String, Value> {
    let opened: Map<String, Value> =
        accepted.opened.iter().map(|(at, card)| (at.to_string(), json!(card.to_string()))).collect();
    let seen: Map<String, Value> = accepted
        .seen
        .iter()
        .map(|(at, line)| (at.to_string(), json!(line.as_ref().map(place_json))))
        .collect();
    let not_checked: Vec<&str> = accepted.not_checked.iter().map(|what| what.name()).collect();
    let hand = &accepted.hand;
    members(json!({
        "verdict": if fixed.is_some() { "accepted" } else { "consistent" },
        "code": null,
        "message": null,
        "fixed_by": fixed.map(|how| match how {
            FixedBy::Saved => "saved commitment",
            FixedBy::Receipts => "receipts",
            FixedBy::Logged => "log proofs",
        }),
        "proofs": proofs_json(accepted),
        "commitment": { "deck_entry": leaf_hash(&accepted.texts.deck).to_string(), "deck_root": hand.deck.to_string() },
        "hand": { "origin": hand.origin, "table": hand.table, "hand": hand.hand, "mix": hand.mix.name() },
        "findings": accepted.findings,
        "beacon_signature": accepted.findings.beacon_signature,
        "history": accepted.findings.history,
        "played": played(accepted.findings.history.as_ref()),
        "not_checked": not_checked,
        "opened": opened,
        "seen": seen,
    }))
}

/// Where the log has each proven entry, under a tree of which size, and since when for a quorum.
fn proofs_json(accepted: &Accepted) -> Value {
    let proofs = accepted.proven.iter().map(|proven| {
        let place = json!({
            "index": proven.index, "size": proven.tree.size, "root": proven.tree.root.to_string(),
            "quorum_time": proven.quorum_time,
        });
        (proven.entry.to_owned(), place)
    });
    Value::Object(proofs.collect())
}

fn place_json(line: &DealtCard) -> Value {
    json!([line.seat.map_or(0, |seat| seat.number()), line.street.number(), line.face.letter()])
}

/// The members of a JSON object.
pub(super) fn members(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// What a bundle shows, as a paragraph for people; `cards` are the opened ones in the words of a player.
pub(super) fn explain(accepted: &Accepted, fixed: Option<FixedBy>, cards: &[String]) -> String {
    let hand = &accepted.hand;
    let played = history_headline(accepted.findings.history.as_ref());
    let mut text = format!("{}{played}.\n", headline(accepted, fixed));
    let mut line = |words: &str, sentence: String| {
        writeln!(text, "  {words:<14} {sentence}").expect("a string takes every line");
    };
    line("Commitment", format!("deck entry {}, deck root {}.", leaf_hash(&accepted.texts.deck), hand.deck));
    let (rules, seats) = (accepted.rules.name, &accepted.seats);
    line(
        "Hand",
        format!(
            "{} of table {} of {}, {rules}, seats {seats}, mix {}.",
            hand.hand,
            hand.table,
            hand.origin,
            hand.mix.name()
        ),
    );
    for (place, card) in cards.iter().enumerate() {
        line(if place == 0 { "Cards" } else { "" }, card.clone());
    }
    let findings = &accepted.findings;
    line("Permutation", permutation(findings));
    line("Derivation", derivation(findings.derivation).to_owned());
    line("Deal order", deal_order(findings.deal_order).to_owned());
    line("Seen cards", seen_cards(accepted));
    line("Log", logged(findings));
    if let Some(before) = before_first_card(accepted) {
        line("Before it", before_sentence(accepted, before));
    }
    line("Anti-grinding", anti_grinding(findings).to_owned());
    line("Players", players(findings));
    if let Some(finding) = &findings.history {
        line("History", history(finding));
    }
    text.push_str("  Not checked\n");
    for what in &accepted.not_checked {
        writeln!(text, "    - {}", what.sentence()).expect("a string takes every line");
    }
    text.push_str(&to_ask_for(accepted, fixed));
    text
}

/// What would show more, and whom to ask for it.
fn to_ask_for(accepted: &Accepted, fixed: Option<FixedBy>) -> String {
    let mut wishes = Vec::new();
    if fixed.is_none() {
        wishes.push("Before a hand, save its deck entry or a receipt of it; give it here with --committed or --receipt.");
        wishes.push("Ask for log proofs in the bundle, and check them with --trust.");
    }
    if accepted.findings.derivation != Shown::Proven {
        wishes.push("How the deck was made is shown by the full reveal, which only an arbiter may see.");
    }
    if accepted.findings.anti_grinding == Some("none") {
        wishes.push("That nobody chose the deck is shown only by hands that players or a beacon cut (mix players, mix beacon).");
    }
    if wishes.is_empty() {
        return String::new();
    }
    format!("  To ask for\n    - {}\n", wishes.join("\n    - "))
}

fn permutation(findings: &Findings) -> String {
    match findings.permutation {
        Shown::Proven => "Proven: all 52 cards are opened, each once, as committed.".to_owned(),
        _ => format!("Not contradicted by {} openings, all as committed.", findings.openings),
    }
}

fn derivation(shown: Shown) -> &'static str {
    match shown {
        Shown::Proven => "Proven: the deck is the certified shuffle of its hand key.",
        _ => "Not shown: only the hand key shows how the deck was made.",
    }
}

fn deal_order(shown: Shown) -> &'static str {
    match shown {
        Shown::Proven => "Proven: the cards left the deck in order, each to the right seat.",
        _ => "Not shown: the hand was voided.",
    }
}

fn seen_cards(accepted: &Accepted) -> String {
    if accepted.seen.is_empty() {
        return "None stated (--seen 'seat 4: 7h Ks down, 2c up').".to_owned();
    }
    let places: Vec<String> = accepted.seen.iter().map(|(at, line)| seen_card(accepted, *at, line)).collect();
    format!("{} match: {}.", accepted.findings.seen_cards, places.join("; "))
}

fn seen_card(accepted: &Accepted, position: u8, line: &Option<DealtCard>) -> String {
    let card = accepted.opened.get(&position).map(|card| card.to_string()).unwrap_or_default();
    let Some(line) = line else { return format!("{position} {card}, not dealt") };
    let to = line.seat.map_or("no seat".to_owned(), |seat| format!("seat {seat}"));
    let face = match line.face {
        Face::Down => "down",
        Face::Up => "up",
        Face::Community => "community card",
        Face::Burn => "burned",
    };
    format!("{position} {card}, {to}, street {}, {face}", line.street.number())
}

fn logged(findings: &Findings) -> String {
    match (&findings.logged, findings.log_view) {
        (Some(entries), Some(view)) if entries.is_empty() => {
            format!("No entry is proven to be logged; log view: {view}.")
        }
        (Some(entries), Some(view)) => {
            format!("Proven to be logged: {}; log view: {view}.", entries.join(", "))
        }
        _ => {
            "The bundle has log proofs, which were not checked: give a trust file (--trust FILE).".to_owned()
        }
    }
}

/// What the log proofs say of the time before the first card, and no more.
fn before_sentence(accepted: &Accepted, before: Before) -> String {
    let places: Vec<String> =
        accepted.proven.iter().map(|proven| format!("{} is entry {}", proven.entry, proven.index)).collect();
    let places = places.join(", ");
    match before {
        Before::Nothing => format!(
            "In the log {places}. No quorum of witnesses says when they came there: the log could have taken them after the hand. That it had not, a receipt shows that you saved before your first card (--receipt)."
        ),
        Before::Seen { time, is_without_end } => {
            let end = if is_without_end { ", and the end of the hand was not there yet" } else { "" };
            format!(
                "In the log {places}. At {} (POSIX time {time}) a quorum of your witnesses had seen deck and open there{end}: if your first card came later, the deck was fixed before it.",
                utc(time)
            )
        }
        Before::SeenWithEnd { time } => format!(
            "In the log {places}. The first time a quorum of your witnesses states is {} (POSIX time {time}), and the end of the hand was there already: these proofs do not show that the deck was fixed before the first card; a receipt shows it that you saved before (--receipt).",
            utc(time)
        ),
    }
}

/// A time as people read it.
fn utc(seconds: u64) -> String {
    i64::try_from(seconds).ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok()).map_or_else(
        || "a time out of range".to_owned(),
        |time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
    )
}

fn anti_grinding(findings: &Findings) -> &'static str {
    match findings.anti_grinding {
        Some("none") => "None: the operator alone made the order in play (mix none).",
        Some("players") => "The players' own seeds cut the deck after it was committed.",
        Some("beacon witnessed") => {
            "A beacon cut the deck, and a quorum of witnesses saw the hand open before the beacon spoke."
        }
        Some(_) => {
            "A beacon cut the deck, as the operator claims: nobody witnessed that open came before it."
        }
        None => {
            "A beacon cut the deck, as the operator claims; whether open came before it hangs on log proofs, which were not checked."
        }
    }
}

fn players(findings: &Findings) -> String {
    let committed: Vec<String> = findings.players.committed.iter().map(u8::to_string).collect();
    let who = match committed.is_empty() {
        true => "No seat committed to a seed".to_owned(),
        false => format!("The seats {} committed to seeds", committed.join(", ")),
    };
    match findings.players.own_seed {
        "checked" => format!("{who}; your own seed entered the cut."),
        _ => format!("{who}; your own seed was not checked."),
    }
}

fn history(finding: &HistoryFinding) -> String {
    match finding {
        HistoryFinding::HashedOnly { why } => format!("Hashed only, what it says is not checked: {why}."),
        HistoryFinding::Bound {
            verdict,
            cards_compared,
            cards_not_opened,
            cards_filled,
            readings_stated,
            open_points,
        } => {
            let hidden = match cards_not_opened {
                0 => String::new(),
                _ => format!(", {cards_not_opened} more are not opened here"),
            };
            let filled = match cards_filled {
                0 => String::new(),
                _ => format!(" It hides {cards_filled} cards that are opened here; it was judged with them."),
            };
            let stated = match readings_stated[..] {
                [] => String::new(),
                _ => format!(" Open points it reads itself: {}.", readings_stated.join(", ")),
            };
            let play = match *verdict {
                "legal" => "as it tells the bets, the hand was played by the rules".to_owned(),
                _ => format!("whether it was played by the rules depends. {}", open_points.join(" ")),
            };
            let bound =
                format!("Bound: the same seats and deal, {cards_compared} cards as committed{hidden}");
            let text = format!("{bound}; {play}");
            format!("{}.{filled}{stated}", text.trim_end_matches('.'))
        }
    }
}
