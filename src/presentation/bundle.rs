//! The result of a bundle in plain words, and as JSON.

pub mod picture;

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::commitment::digest::leaf_hash;
use crate::document::words::Words;
use crate::presentation::bundle::picture::face_in;
use crate::stud::deal::DealtCard;
use crate::verify::Accepted;
use crate::verify::before::{Before, FixedBy, asks_the_log, before_first_card};
use crate::verify::findings::{Findings, HistoryFinding, Shown, Unchecked};

/// What is shown of the time before the hand, as the head of a report.
pub fn headline(accepted: &Accepted, fixed: Option<FixedBy>, words: &Words) -> String {
    let own = &words.bundle;
    match (fixed, before_first_card(accepted)) {
        (Some(FixedBy::Saved), _) => own.saved.to_owned(),
        (Some(FixedBy::Receipts), _) => own.receipts.to_owned(),
        (Some(FixedBy::Logged), Some(Before::Seen { time, .. })) => (own.logged_since)(&utc(time)),
        (_, Some(Before::SeenWithEnd { .. })) => own.unshown_end.to_owned(),
        (_, Some(Before::Seen { .. } | Before::SeenWithoutEnd { .. })) => own.unshown_no_end.to_owned(),
        (_, Some(Before::Nothing)) => own.unshown_time.to_owned(),
        (_, None) if asks_the_log(accepted) => own.unshown_proofs.to_owned(),
        (_, None) => own.consistent.to_owned(),
    }
}

/// What the head of a report adds where the ruling on the history hangs on something: a file may be accepted
/// for its cards while nobody can say whether the bets were by the rules.
pub fn history_headline(finding: Option<&HistoryFinding>, words: &Words) -> &'static str {
    match finding {
        Some(HistoryFinding::Bound { verdict: "depends", .. }) => words.bundle.history_depends,
        Some(HistoryFinding::HashedOnly { .. }) => words.bundle.history_not_judged,
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
pub fn accepted_json(accepted: &Accepted, fixed: Option<FixedBy>) -> Map<String, Value> {
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
pub fn members(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// What a bundle shows, as a paragraph for people; `cards` are the opened ones in the words of a player.
pub fn explain(accepted: &Accepted, fixed: Option<FixedBy>, cards: &[String], words: &Words) -> String {
    let (hand, own) = (&accepted.hand, &words.bundle);
    let played = history_headline(accepted.findings.history.as_ref(), words);
    let mut text = format!("{}{played}.\n", headline(accepted, fixed, words));
    let mut line = |label: &str, sentence: String| {
        writeln!(text, "  {label:<14} {sentence}").expect("a string takes every line");
    };
    let entry = leaf_hash(&accepted.texts.deck).to_string();
    line(own.commitment, (own.commitment_is)(&entry, &hand.deck.to_string()));
    let (number, table, origin) = (hand.hand.to_string(), hand.table.to_string(), hand.origin.to_string());
    let (rules, seats) = (accepted.rules.name, accepted.seats.to_string());
    line(own.hand, (own.hand_is)(&number, &table, &origin, rules, &seats, hand.mix.name()));
    for (place, card) in cards.iter().enumerate() {
        line(if place == 0 { own.cards } else { "" }, card.clone());
    }
    let findings = &accepted.findings;
    let permutation = match findings.permutation {
        Shown::Proven => own.all_cards.to_owned(),
        _ => (own.some_cards)(findings.openings as u64),
    };
    line(own.permutation, permutation);
    let shown =
        |shown: Shown, proven: &str, not: &str| if shown == Shown::Proven { proven } else { not }.to_owned();
    line(own.derivation, shown(findings.derivation, own.derived, own.not_derived));
    line(own.deal_order, shown(findings.deal_order, own.in_order, own.voided));
    line(own.seen_cards, seen_cards(accepted, words));
    line(own.log, logged(findings, words));
    if let Some(before) = before_first_card(accepted) {
        line(own.before, before_sentence(accepted, before, words));
    }
    line(own.grinding, anti_grinding(findings, words).to_owned());
    line(own.players, players(findings, words));
    if let Some(finding) = &findings.history {
        line(own.history, history(finding, words));
    }
    writeln!(text, "  {}", own.not_checked).expect("a string takes every line");
    for what in &accepted.not_checked {
        writeln!(text, "    - {}", unchecked(*what, words)).expect("a string takes every line");
    }
    text.push_str(&to_ask_for(accepted, fixed, words));
    text
}

/// What nobody looked at, as a sentence.
fn unchecked(what: Unchecked, words: &Words) -> &'static str {
    let own = &words.bundle;
    match what {
        Unchecked::Origin => own.origin_unchecked,
        Unchecked::LogProofs => own.log_unchecked,
        Unchecked::BeaconSignature => own.beacon_unchecked,
        Unchecked::HistoryAbsent => own.history_absent,
        Unchecked::HistoryContent => own.history_content,
        Unchecked::HistoryBets => own.history_bets,
        Unchecked::CommunityCardSeats => own.community_seats,
        Unchecked::OtherOpen => own.other_open,
    }
}

/// What would show more, and whom to ask for it.
fn to_ask_for(accepted: &Accepted, fixed: Option<FixedBy>, words: &Words) -> String {
    let (own, mut wishes) = (&words.bundle, Vec::new());
    if fixed.is_none() {
        let has_proofs = before_first_card(accepted).is_some();
        wishes.extend([own.ask_before, if has_proofs { own.ask_witnesses } else { own.ask_proofs }]);
    }
    if accepted.findings.derivation != Shown::Proven {
        wishes.push(own.ask_full);
    }
    if accepted.findings.anti_grinding == Some("none") {
        wishes.push(own.ask_cut);
    }
    if wishes.is_empty() {
        return String::new();
    }
    format!("  {}\n    - {}\n", own.ask_for, wishes.join("\n    - "))
}

fn seen_cards(accepted: &Accepted, words: &Words) -> String {
    let own = &words.bundle;
    if accepted.seen.is_empty() {
        return own.none_seen.to_owned();
    }
    let places = accepted.seen.iter().map(|(at, line)| seen_card(accepted, *at, line, words));
    (own.seen_match)(accepted.findings.seen_cards as u64, &places.collect::<Vec<_>>().join("; "))
}

fn seen_card(accepted: &Accepted, position: u8, line: &Option<DealtCard>, words: &Words) -> String {
    let own = &words.bundle;
    let card = accepted.opened.get(&position).map(|card| card.to_string()).unwrap_or_default();
    let card = format!("{position} {card}");
    let Some(line) = line else { return (own.not_dealt)(&card) };
    let to = line.seat.map_or(own.no_seat.to_owned(), |seat| (own.seat)(&seat.to_string()));
    (own.dealt)(&card, &to, u64::from(line.street.number()), face_in(line.face, words))
}

fn logged(findings: &Findings, words: &Words) -> String {
    let own = &words.bundle;
    match (&findings.logged, findings.log_view) {
        (Some(entries), Some(view)) if entries.is_empty() => (own.none_logged)(view),
        (Some(entries), Some(view)) => (own.logged)(&entries.join(", "), view),
        _ => own.proofs_unchecked.to_owned(),
    }
}

/// What the log proofs say of the time before the first card, and no more.
fn before_sentence(accepted: &Accepted, before: Before, words: &Words) -> String {
    let own = &words.bundle;
    let places = accepted.proven.iter().map(|proven| (own.place_in_log)(proven.entry, proven.index));
    let places = places.collect::<Vec<_>>().join(", ");
    match before {
        Before::Nothing => (own.before_nothing)(&places),
        Before::Seen { time, is_end_seen: true } => (own.before_seen_open)(&places, &utc(time), time),
        Before::Seen { time, is_end_seen: false } => (own.before_seen)(&places, &utc(time), time),
        Before::SeenWithoutEnd { time } => (own.before_no_end)(&places, &utc(time), time),
        Before::SeenWithEnd { time } => (own.before_end)(&places, &utc(time), time),
    }
}

/// A time as people read it.
fn utc(seconds: u64) -> String {
    i64::try_from(seconds).ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok()).map_or_else(
        || "a time out of range".to_owned(),
        |time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
    )
}

fn anti_grinding(findings: &Findings, words: &Words) -> &'static str {
    let own = &words.bundle;
    match findings.anti_grinding {
        Some("none") => own.grinding_none,
        Some("players") => own.grinding_players,
        Some("beacon witnessed") => own.grinding_witnessed,
        Some(_) => own.grinding_claimed,
        None => own.grinding_unchecked,
    }
}

fn players(findings: &Findings, words: &Words) -> String {
    let own = &words.bundle;
    let committed: Vec<String> = findings.players.committed.iter().map(u8::to_string).collect();
    let who = match committed.is_empty() {
        true => own.no_seed.to_owned(),
        false => (own.seeds)(&committed.join(", ")),
    };
    match findings.players.own_seed {
        "checked" => (own.own_checked)(&who),
        _ => (own.own_unchecked)(&who),
    }
}

fn history(finding: &HistoryFinding, words: &Words) -> String {
    let own = &words.bundle;
    match finding {
        HistoryFinding::HashedOnly { why } => (own.history_hashed)(why),
        HistoryFinding::Bound {
            verdict,
            cards_compared,
            cards_not_opened,
            cards_filled,
            readings_stated,
            open_points,
        } => {
            let some = |count: usize, words: fn(u64) -> String| match count {
                0 => String::new(),
                _ => words(count as u64),
            };
            let hidden = some(*cards_not_opened, own.history_hidden);
            let filled = some(*cards_filled, own.history_filled);
            let stated = match readings_stated[..] {
                [] => String::new(),
                _ => (own.history_stated)(&readings_stated.join(", ")),
            };
            let play = match *verdict {
                "legal" => own.history_legal.to_owned(),
                _ => (own.history_open)(&open_points.join(" ")),
            };
            let bound = format!("{}{hidden}", (own.history_bound)(*cards_compared as u64));
            let text = (own.history_all)(&bound, &play);
            format!("{}.{filled}{stated}", text.trim_end_matches('.'))
        }
    }
}
