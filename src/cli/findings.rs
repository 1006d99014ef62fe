//! The result of a bundle in plain words, and as JSON.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::ledger::refusal::Refusal;
use crate::stud::deal::{DealtCard, Face};
use crate::verify::Accepted;
use crate::verify::findings::{Findings, HistoryFinding, Shown};

/// One line of JSON; the file's name only where there are several.
pub(super) fn to_json(file: Option<&str>, result: &Result<Accepted, Refusal>) -> Value {
    let mut object = Map::new();
    if let Some(file) = file {
        object.insert("file".to_owned(), json!(file));
    }
    let rest = match result {
        Ok(accepted) => accepted_json(accepted),
        Err(refusal) => refused_json(refusal),
    };
    object.extend(rest);
    Value::Object(object)
}

fn accepted_json(accepted: &Accepted) -> Map<String, Value> {
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
        "verdict": "accepted",
        "code": null,
        "message": null,
        "hand": { "origin": hand.origin, "table": hand.table, "hand": hand.hand, "mix": hand.mix.name() },
        "findings": accepted.findings,
        "beacon_signature": accepted.findings.beacon_signature,
        "history": accepted.findings.history,
        "not_checked": not_checked,
        "opened": opened,
        "seen": seen,
    }))
}

fn place_json(line: &DealtCard) -> Value {
    json!([line.seat.map_or(0, |seat| seat.number()), line.street.number(), line.face.letter()])
}

fn refused_json(refusal: &Refusal) -> Map<String, Value> {
    members(json!({
        "verdict": "refused",
        "code": refusal.code.name(),
        "place": refusal.place,
        "message": refusal.message,
        "findings": {},
        "history": null,
        "not_checked": ["everything after the first failure"],
        "opened": {},
        "seen": {},
    }))
}

fn members(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// The result as a paragraph for people.
pub(super) fn explain(result: &Result<Accepted, Refusal>) -> String {
    match result {
        Ok(accepted) => explain_accepted(accepted),
        Err(refusal) => format!(
            "refused, {}.\n  {}: {}.\n  The first failure stops; nothing after it was checked. PROTOCOL.md, section 15, explains the code.\n",
            refusal.code, refusal.place, refusal.message
        ),
    }
}

fn explain_accepted(accepted: &Accepted) -> String {
    let hand = &accepted.hand;
    let mut text = String::from("accepted.\n");
    let mut line = |words: &str, sentence: String| {
        writeln!(text, "  {words:<14} {sentence}").expect("a string takes every line");
    };
    line(
        "Hand",
        format!("{} of table {} of {}, mix {}.", hand.hand, hand.table, hand.origin, hand.mix.name()),
    );
    let findings = &accepted.findings;
    line("Permutation", permutation(findings));
    line("Derivation", derivation(findings.derivation).to_owned());
    line("Deal order", deal_order(findings.deal_order).to_owned());
    line("Seen cards", seen_cards(accepted));
    line("Log", logged(findings));
    line("Anti-grinding", anti_grinding(findings).to_owned());
    line("Players", players(findings));
    if let Some(finding) = &findings.history {
        line("History", history(finding));
    }
    line("Opened", opened(accepted));
    text.push_str("  Not checked\n");
    for what in &accepted.not_checked {
        writeln!(text, "    - {}", what.sentence()).expect("a string takes every line");
    }
    text
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
        return "None stated (--seen 0=7h,…).".to_owned();
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
            "A beacon cut the deck; whether open came before it hangs on log proofs, which were not checked."
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

fn opened(accepted: &Accepted) -> String {
    if accepted.opened.is_empty() {
        return "No dealt position is opened.".to_owned();
    }
    let cards: Vec<String> = accepted.opened.iter().map(|(at, card)| format!("{at} {card}")).collect();
    format!("{} cards by dealt position: {}.", cards.len(), cards.join(", "))
}
