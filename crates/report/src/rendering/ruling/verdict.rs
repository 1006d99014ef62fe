//! The judgement of a hand in plain words, and as JSON.

use askama::Template;
use serde_json::{Map, Number, Value, json};

use deckproof_stud::stud::betting::winners::{Award, PotPart};
use deckproof_stud::stud::history::History;
use deckproof_stud::stud::judge::{HouseRuling, RuledHand, Ruling, SmallestChip};
use deckproof_stud::stud::readings::Reading;

/// Pots, stacks and the verdict in sentences.
pub fn in_words(history: &History, judgement: &RuledHand) -> String {
    let rules = match judgement.houses[..] {
        [] => judgement.run.game.rules().name.to_owned(),
        _ => judgement.houses.iter().map(|house| house.rules).collect::<Vec<_>>().join(" and by "),
    };
    let template = RulingTemplate { history, judgement, rules };
    template.render().expect("a String takes every text and no value can fail")
}

#[derive(Template)]
#[template(path = "ruling.txt", config = "src/report/templates/askama.toml", whitespace = "preserve")]
struct RulingTemplate<'a> {
    history: &'a History,
    judgement: &'a RuledHand,
    rules: String,
}

/// What no pot is split below, and on whose word.
fn smallest_chip(history: &History, judgement: &RuledHand) -> String {
    let chip = history.amount_text(judgement.run.game.stakes().odd_chip_unit);
    match judgement.smallest_chip {
        SmallestChip::Stated => format!("Smallest chip: {chip}, as the record states."),
        SmallestChip::UnitOfAmounts => format!("Smallest chip: {chip}; the record names none."),
        SmallestChip::FromFinalStacks => {
            format!("Smallest chip: {chip}, the smallest that gives the final stacks; the record names none.")
        }
    }
}

fn odd_chips(history: &History, award: &Award) -> String {
    let lucky: Vec<String> = award.odd_chips.iter().map(|&player| history.player_name(player)).collect();
    match lucky.len() {
        0 => String::new(),
        1 => format!("; the odd chip goes to {}", lucky[0]),
        number if lucky.iter().all(|player| *player == lucky[0]) => {
            format!("; all {number} odd chips go to {}", lucky[0])
        }
        _ => format!("; one odd chip each goes to {}", lucky.join(", ")),
    }
}

fn part_word(part: PotPart) -> &'static str {
    match part {
        PotPart::Uncontested => "uncontested",
        PotPart::High => "high",
        PotPart::Low => "low",
    }
}

fn stack_texts(history: &History, stacks: &[Option<u64>]) -> Vec<String> {
    stacks.iter().map(|stack| stack.map_or("?".to_owned(), |chips| history.amount_text(chips))).collect()
}

/// One line of JSON for a hand that was judged.
pub fn to_json(label: Option<&str>, history: &History, judgement: &RuledHand) -> String {
    let run = &judgement.run;
    let mut object = labelled(label);
    let amount = |amount: u64| amount_json(history, amount);
    let stacks: Vec<Value> = run.stacks.iter().map(|stack| stack.map_or(Value::Null, amount)).collect();
    let pots: Vec<Value> = run
        .pots
        .iter()
        .map(|pot| {
            let eligible: Vec<usize> = pot.pot.eligible.iter().map(|player| player + 1).collect();
            let awards: Vec<Value> = pot.awards.iter().map(|award| award_json(history, award)).collect();
            json!({ "amount": amount(pot.pot.amount), "rake": amount(pot.rake), "eligible": eligible, "awards": awards })
        })
        .collect();
    let rest = json!({
        "verdict": judgement.verdict.id(),
        "rules": run.game.rules().name,
        "stacks": stacks,
        "pots": pots,
        "readings": readings_json(judgement),
        "refusal": refusal_json(judgement),
        "undecided": run.undecided.as_ref().map(ToString::to_string),
        "complete": run.refused.is_none() && run.game.is_over(),
        "odd_chip_unit": amount(run.game.stakes().odd_chip_unit),
        "open_points": judgement.open_points,
        "notes": judgement.notes,
        "chips_missing": amount(judgement.chips_missing),
        "houses": judgement.houses.iter().map(house_json).collect::<Vec<_>>(),
    });
    if let Value::Object(rest) = rest {
        object.extend(rest);
    }
    Value::Object(object).to_string()
}

/// One line of JSON for a hand that cannot be read.
pub fn unreadable(label: Option<&str>, problem: &str) -> String {
    let mut object = labelled(label);
    object.insert("verdict".to_owned(), Value::Null);
    object.insert("error".to_owned(), json!(problem));
    Value::Object(object).to_string()
}

fn labelled(label: Option<&str>) -> Map<String, Value> {
    label.map(|label| ("hand".to_owned(), json!(label))).into_iter().collect()
}

fn house_json(house: &HouseRuling) -> Value {
    json!({ "rules": house.rules, "verdict": house.verdict.id() })
}

fn amount_json(history: &History, amount: u64) -> Value {
    if history.decimals == 0 {
        return json!(amount);
    }
    let number: Option<Number> = history.amount_text(amount).parse().ok().and_then(Number::from_f64);
    number.map_or(Value::Null, Value::Number)
}

fn award_json(history: &History, award: &Award) -> Value {
    let shares: Vec<Value> = award
        .shares
        .iter()
        .map(|&(player, chips)| json!({ "player": player + 1, "amount": amount_json(history, chips) }))
        .collect();
    json!({
        "part": part_word(award.part),
        "amount": amount_json(history, award.amount),
        "hand": award.hand,
        "shares": shares,
        "odd_chips": award.odd_chips.iter().map(|player| player + 1).collect::<Vec<_>>(),
    })
}

/// Every reading with its value; for those the text leaves open, which values accept the hand.
fn readings_json(judgement: &RuledHand) -> Value {
    let readings = judgement.run.game.readings();
    let mut object = Map::new();
    for &reading in Reading::ALL {
        let tried = || judgement.trials.iter().filter(|trial| trial.reading == reading);
        let of = |accepts: bool| -> Vec<&str> {
            tried().filter(|trial| trial.accepts == accepts).map(|trial| trial.value).collect()
        };
        let mut entry = json!({ "value": readings.value(reading), "open": tried().next().is_some() });
        if tried().next().is_some() {
            entry["accept"] = json!(of(true));
            entry["refuse"] = json!(of(false));
        }
        object.insert(reading.name().to_owned(), entry);
    }
    Value::Object(object)
}

fn refusal_json(judgement: &RuledHand) -> Value {
    let Some((line, refusal)) = &judgement.run.refused else { return Value::Null };
    json!({
        "action": line.as_ref().map(|line| line.number),
        "text": line.as_ref().map(|line| line.text.clone()),
        "rule": refusal.rule.id(),
        "rule_text": refusal.rule.sentence(),
        "found": refusal.found,
        "allowed": refusal.allowed,
        "message": refusal.to_string(),
    })
}
