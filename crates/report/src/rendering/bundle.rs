//! The result of a bundle in plain words, and as JSON.

pub mod head;
pub mod picture;

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::document::words::BundleWords;
use crate::document::words::Words;
use crate::rendering::bundle::head::{headline, opening_fixed, opening_shown};
use crate::rendering::bundle::picture::face_in;
use deckproof_deck::commitment::digest::leaf_hash;
use deckproof_stud::stud::deal::DealtCard;
use deckproof_stud::stud::seat::Seat;
use deckproof_verify::claim::{Claim, ClaimState, ClaimSubject, Claims, Headline, Otherwise, Party, Witness};
use deckproof_verify::log::entry::Mix;
use deckproof_verify::verify::Accepted;
use deckproof_verify::verify::claims::{HandEvidence, claims};
use deckproof_verify::verify::findings::{Findings, HistoryFinding, Shown, Unchecked};

/// The ruling on the history in one word, for a program.
fn played(finding: Option<&HistoryFinding>) -> &'static str {
    match finding {
        Some(HistoryFinding::Bound { verdict, .. }) => verdict,
        Some(HistoryFinding::HashedOnly { .. }) | None => "not judged",
    }
}

/// What a bundle shows, as the members of a JSON object.
pub fn accepted_json(accepted: &Accepted, claims: &Claims) -> Map<String, Value> {
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
        "verdict": verdict_word(claims.headline()),
        "code": null,
        "message": null,
        "claims": claims,
        "fixed_by": fixed_by(claims),
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

/// A head in one word, for programs.
pub fn verdict_word(headline: Headline) -> &'static str {
    match headline {
        Headline::Accepted => "accepted",
        Headline::Partly => "deck fixed",
        Headline::Consistent => "consistent",
        Headline::Refused => "refused",
    }
}

/// What shows that the deck was fixed before the hand.
fn fixed_by(claims: &Claims) -> Option<&'static str> {
    let deck = claims.of(ClaimSubject::DeckFixed).filter(|deck| deck.is_shown())?;
    match deck.witness {
        Some(Witness::Receipt { .. }) => Some("receipts"),
        Some(Witness::Quorum { .. }) => Some("log proofs"),
        _ => Some("saved commitment"),
    }
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
pub fn explain(accepted: &Accepted, evidence: &HandEvidence, cards: &[String], words: &Words) -> String {
    let (hand, own) = (&accepted.hand, &words.bundle);
    let claims = claims(accepted, evidence);
    let mut text = format!("{}.\n", headline(accepted, evidence, &claims, words));
    let mut line = |label: &str, sentence: String| {
        writeln!(text, "  {label:<14} {sentence}").expect("a string takes every line");
    };
    let entry = leaf_hash(&accepted.texts.deck).to_string();
    line(own.commitment, own.commitment_is(&entry, &hand.deck.to_string()));
    let (number, table, origin) = (hand.hand.to_string(), hand.table.to_string(), hand.origin.to_string());
    let (rules, seats) = (accepted.rules.name, accepted.seats.to_string());
    line(own.hand, own.hand_is(&number, &table, &origin, rules, &seats, hand.mix.name()));
    for (place, card) in cards.iter().enumerate() {
        line(if place == 0 { own.cards } else { "" }, card.clone());
    }
    for (label, sentence) in shown_lines(accepted, &claims, words) {
        line(label, sentence);
    }
    writeln!(text, "  {}", own.not_checked).expect("a string takes every line");
    for sentence in not_shown(accepted, &claims, words) {
        writeln!(text, "    - {sentence}").expect("a string takes every line");
    }
    text.push_str(&to_ask_for(accepted, &claims, words));
    text
}

/// What is shown, a label and a sentence a line.
fn shown_lines(accepted: &Accepted, claims: &Claims, words: &Words) -> Vec<(&'static str, String)> {
    let (findings, own) = (&accepted.findings, &words.bundle);
    let permutation = match findings.permutation {
        Shown::Proven => own.all_cards.to_owned(),
        _ => own.some_cards(findings.openings as u64),
    };
    // Who is dealt a card hangs on who folded before it.
    let deal_order = match findings.deal_order {
        Shown::Proven if claims.shows(ClaimSubject::EndFixed) => own.in_order,
        Shown::Proven => own.in_order_stated,
        _ if accepted.is_closed => own.none_dealt,
        _ => own.voided,
    };
    let shown =
        |shown: Shown, proven: &str, not: &str| if shown == Shown::Proven { proven } else { not }.to_owned();
    let mut lines = vec![
        (own.permutation, permutation),
        (own.derivation, shown(findings.derivation, own.derived, own.not_derived)),
        (own.deal_order, deal_order.to_owned()),
        (own.seen_cards, seen_cards(accepted, words)),
        (own.log, logged(findings, words)),
    ];
    lines.extend(before_sentence(accepted, claims, words).map(|sentence| (own.before, sentence)));
    lines.extend(opening_sentence(accepted, claims, words).map(|sentence| (own.opening, sentence)));
    lines.extend(rules_sentence(claims, words).map(|sentence| (own.opening, sentence)));
    lines.push((own.grinding, grinding(accepted, claims, words).to_owned()));
    lines.push((own.players, players(accepted, words)));
    lines.extend(ending(accepted, claims, words).map(|sentence| (own.ending, sentence)));
    lines.extend(findings.history.as_ref().map(|finding| (own.history, history(finding, claims, words))));
    lines
}

/// What is not shown, or is somebody's word, a sentence each.
fn not_shown(accepted: &Accepted, claims: &Claims, words: &Words) -> Vec<String> {
    let own = &words.bundle;
    let is_claimed =
        |subject| claims.of(subject).is_some_and(|claim| matches!(claim.state, ClaimState::Claimed { .. }));
    let opening = claims.of(ClaimSubject::OpeningFixed).filter(|opening| !opening.is_shown());
    let mut sentences: Vec<String> = Vec::new();
    sentences.extend(opening.map(|opening| opening_unshown(accepted, opening, words)));
    let rules = claims.of(ClaimSubject::RulesFixed).filter(|rules| !rules.is_shown());
    sentences.extend(rules.map(|_| own.rules_unshown.to_owned()));
    sentences.extend(is_claimed(ClaimSubject::EndFixed).then(|| match void_reason(accepted) {
        Some(reason) => own.void_claimed(reason),
        None => own.ending_claimed.to_owned(),
    }));
    sentences.extend(is_claimed(ClaimSubject::OneLog).then(|| own.log_not_shared.to_owned()));
    sentences.extend(accepted.not_checked.iter().flat_map(|what| unchecked(*what, accepted, words)));
    let may_be_chosen = |order: &Claim| order.otherwise.contains(&Otherwise::VoidedHands);
    let order = claims.of(ClaimSubject::OrderNotChosen).filter(|order| may_be_chosen(order));
    sentences.extend(order.map(|_| own.voids_unchecked.to_owned()));
    sentences
}

fn opening_unshown(accepted: &Accepted, opening: &Claim, words: &Words) -> String {
    let own = &words.bundle;
    for otherwise in &opening.otherwise {
        if let Otherwise::LateProof { seen, known } = otherwise {
            return own.opening_late(&utc(*seen), &utc(*known));
        }
    }
    if accepted.beacon_due.is_some() { own.opening_unshown_beacon } else { own.opening_unshown }.to_owned()
}

fn opening_sentence(accepted: &Accepted, claims: &Claims, words: &Words) -> Option<String> {
    let opening = claims.of(ClaimSubject::OpeningFixed).filter(|opening| opening.is_shown())?;
    Some(if accepted.is_cut {
        opening_fixed(accepted, opening, words)
    } else {
        words.bundle.opening_uncut(opening_shown(accepted, Some(opening), words))
    })
}

/// That the opening of a hand without a cut was there before it, and on what that hangs: the head speaks of the deck alone.
fn rules_sentence(claims: &Claims, words: &Words) -> Option<String> {
    let own = &words.bundle;
    let rules = claims.of(ClaimSubject::RulesFixed).filter(|rules| rules.is_shown())?;
    Some(match &rules.witness {
        Some(Witness::Receipt { name }) => own.rules_receipt(name),
        Some(Witness::Quorum { time }) => own.rules_quorum(&utc(*time)),
        _ => own.rules_saved.to_owned(),
    })
}

/// Why a hand was voided, in the operator's word; nothing of one that was closed.
fn void_reason(accepted: &Accepted) -> Option<&str> {
    let reason = accepted.texts.end.lines().find_map(|line| line.strip_prefix("reason "));
    reason.filter(|_| !accepted.is_closed)
}

/// How it is shown which end the hand had.
fn ending(accepted: &Accepted, claims: &Claims, words: &Words) -> Option<String> {
    let own = &words.bundle;
    let end = claims.of(ClaimSubject::EndFixed).filter(|end| end.is_shown())?;
    Some(match (end.witness.as_ref(), void_reason(accepted)) {
        (Some(Witness::Quorum { .. }), None) => own.ending_quorum.to_owned(),
        (Some(Witness::Quorum { .. }), Some(reason)) => own.void_quorum(reason),
        (Some(Witness::Log), None) => own.ending_logged.to_owned(),
        (Some(Witness::Log), Some(reason)) => own.void_logged(reason),
        (_, None) => own.ending_saved.to_owned(),
        (_, Some(reason)) => own.void_saved(reason),
    })
}

/// What nobody looked at, a sentence for each seat where it is of seats.
fn unchecked(what: Unchecked, accepted: &Accepted, words: &Words) -> Vec<String> {
    let own = &words.bundle;
    let down = accepted.down_hidden();
    let sentence = match what {
        Unchecked::DownCards if !down.is_empty() => {
            let closed = |(seat, count): &(Seat, usize)| own.down_closed(&seat.to_string(), *count as u64);
            return down.iter().map(closed).collect();
        }
        Unchecked::Origin => own.origin_unchecked,
        Unchecked::LogProofs => own.log_unchecked,
        Unchecked::BeaconSignature => own.beacon_unchecked,
        Unchecked::HistoryAbsent => own.history_absent,
        Unchecked::HistoryContent => own.history_content,
        Unchecked::HistoryBets => own.history_bets,
        Unchecked::CommunityCardSeats => own.community_seats,
        Unchecked::FaceUpCards => own.up_unchecked,
        Unchecked::DownCards => own.down_unchecked,
        Unchecked::OtherOpen => own.other_open,
    };
    vec![sentence.to_owned()]
}

/// What would show more, and whom to ask for it.
fn to_ask_for(accepted: &Accepted, claims: &Claims, words: &Words) -> String {
    let (own, mut asked) = (&words.bundle, Vec::new());
    let deck = claims.of(ClaimSubject::DeckFixed).expect("every hand claims its deck");
    if !deck.is_shown() {
        asked.extend([own.ask_before, if is_logged(deck) { own.ask_witnesses } else { own.ask_proofs }]);
    }
    if deck.otherwise.contains(&Otherwise::EndNotProven) {
        asked.push(own.ask_end_proof);
    }
    if claims.headline() == Headline::Partly {
        asked.push(own.ask_opening);
    }
    if accepted.findings.derivation != Shown::Proven {
        asked.push(own.ask_full);
    }
    if accepted.hand.mix == Mix::None {
        asked.push(own.ask_cut);
    }
    if asked.is_empty() {
        return String::new();
    }
    format!("  {}\n    - {}\n", own.ask_for, asked.join("\n    - "))
}

fn seen_cards(accepted: &Accepted, words: &Words) -> String {
    let own = &words.bundle;
    if accepted.seen.is_empty() {
        return own.none_seen.to_owned();
    }
    let places = accepted.seen.iter().map(|(at, line)| seen_card(accepted, *at, line, words));
    let places = words.series(&places.collect::<Vec<_>>());
    match accepted.stated.seen {
        Some(Party::Player) => own.seen_match(accepted.findings.seen_cards as u64, &places),
        _ => own.seen_file(&places),
    }
}

fn seen_card(accepted: &Accepted, position: u8, line: &Option<DealtCard>, words: &Words) -> String {
    let own = &words.bundle;
    let card = accepted.opened.get(&position).map(|card| card.to_string()).unwrap_or_default();
    let card = format!("{position} {card}");
    let Some(line) = line else { return own.not_dealt(&card) };
    let to = line.seat.map_or(own.no_seat.to_owned(), |seat| own.seat(&seat.to_string()));
    own.dealt(&card, &to, u64::from(line.street.number()), face_in(line.face, words))
}

fn logged(findings: &Findings, words: &Words) -> String {
    let own = &words.bundle;
    match (&findings.logged, findings.log_view) {
        (Some(entries), Some(view)) if entries.is_empty() => own.none_logged(log_view(view, words)),
        (Some(entries), Some(view)) => own.logged(&entries.join(", "), log_view(view, words)),
        _ => own.proofs_unchecked.to_owned(),
    }
}

fn log_view(view: &str, words: &Words) -> &'static str {
    let own = &words.bundle;
    match view {
        "one checkpoint" => own.view_one,
        "several, witnessed" => own.view_witnessed,
        "several, not tied" => own.view_not_tied,
        _ => own.view_none,
    }
}

/// Whether the log has something to say of the time before.
fn is_logged(deck: &Claim) -> bool {
    matches!(deck.witness, Some(Witness::Quorum { .. } | Witness::Log))
}

/// What the log proofs say of the time before the first card, and no more.
fn before_sentence(accepted: &Accepted, claims: &Claims, words: &Words) -> Option<String> {
    let own = &words.bundle;
    let deck = claims.of(ClaimSubject::DeckFixed).filter(|deck| is_logged(deck))?;
    let places = accepted.proven.iter().map(|proven| own.place_in_log(proven.entry, proven.index));
    let places = places.collect::<Vec<_>>().join(", ");
    // What a receipt alone shows is in the head.
    if places.is_empty() {
        return None;
    }
    let is_end_seen = accepted
        .proven
        .iter()
        .any(|proven| ["close", "void"].contains(&proven.entry) && proven.quorum_time.is_some());
    Some(match (&deck.witness, deck.is_shown()) {
        (Some(Witness::Quorum { time }), true) if is_end_seen => {
            own.before_seen_open(&places, &utc(*time), *time)
        }
        (Some(Witness::Quorum { time }), true) => own.before_seen(&places, &utc(*time), *time),
        (Some(Witness::Quorum { time }), false) if deck.otherwise.contains(&Otherwise::EndNotProven) => {
            own.before_no_end(&places, &utc(*time), *time)
        }
        (Some(Witness::Quorum { time }), false) => own.before_end(&places, &utc(*time), *time),
        _ => own.before_nothing(&places),
    })
}

/// A time as people read it.
pub fn utc(seconds: u64) -> String {
    i64::try_from(seconds).ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok()).map_or_else(
        || "a time out of range".to_owned(),
        |time| time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
    )
}

fn grinding(accepted: &Accepted, claims: &Claims, words: &Words) -> &'static str {
    let own = &words.bundle;
    let is_shown = claims.shows(ClaimSubject::OrderNotChosen);
    match accepted.hand.mix {
        _ if !accepted.is_cut => own.not_cut,
        Mix::None => own.grinding_none,
        Mix::Players if is_shown => own.grinding_players,
        Mix::Players => own.grinding_players_claimed,
        Mix::Beacon if is_shown => own.grinding_beacon,
        Mix::Beacon => own.grinding_claimed,
    }
}

fn players(accepted: &Accepted, words: &Words) -> String {
    let (own, players) = (&words.bundle, &accepted.findings.players);
    let committed: Vec<String> = players.committed.iter().map(u8::to_string).collect();
    let who = if committed.is_empty() {
        own.no_seed.to_owned()
    } else {
        own.seeds(committed.len() as u64, &committed.join(", "))
    };
    match (accepted.is_cut, accepted.stated.seed) {
        // Where nobody committed there is nothing of the reader's to check.
        _ if committed.is_empty() => format!("{who}."),
        (false, Some(Party::Player)) => own.own_committed(&who),
        (false, _) => own.own_not_cut(&who),
        (true, Some(Party::Player)) => own.own_checked(&who),
        (true, Some(_)) => own.own_file(&who),
        (true, None) => own.own_unchecked(&who),
    }
}

fn history(finding: &HistoryFinding, claims: &Claims, words: &Words) -> String {
    let own = &words.bundle;
    match finding {
        HistoryFinding::HashedOnly { why } => own.history_hashed(why),
        HistoryFinding::Bound {
            verdict,
            cards_compared,
            cards_not_opened,
            cards_filled,
            readings_bound,
            readings_stated,
            open_points,
            ..
        } => {
            let some = |count: usize, sentence: fn(&BundleWords, u64) -> String| match count {
                0 => String::new(),
                _ => sentence(own, count as u64),
            };
            let hidden = some(*cards_not_opened, BundleWords::history_hidden);
            let filled = some(*cards_filled, BundleWords::history_filled);
            let listed = |readings: &[String], sentence: fn(&BundleWords, &str) -> String| match readings {
                [] => String::new(),
                _ => sentence(own, &readings.join(", ")),
            };
            let is_before =
                claims.shows(ClaimSubject::OpeningFixed) || claims.shows(ClaimSubject::RulesFixed);
            let read_as =
                if is_before { BundleWords::history_fixed } else { BundleWords::history_fixed_when };
            let fixed = listed(readings_bound, read_as);
            let stated = listed(readings_stated, BundleWords::history_stated);
            let play = match *verdict {
                "legal" => own.history_legal.to_owned(),
                _ => own.history_open(&open_points.join(" ")),
            };
            let bound = format!("{}{hidden}", own.history_bound(*cards_compared as u64));
            let text = own.history_all(&bound, &play);
            format!("{}.{filled}{fixed}{stated}", text.trim_end_matches('.'))
        }
    }
}
