//! Poker Hand History files (Kim 2024, "Recording and Describing Poker Hands"): TOML, one hand a
//! `.phh` file or one a table of a `.phhs` file.

use toml::{Table, Value};

use crate::stud::betting::action::{Action, Connection};
use crate::stud::betting::stakes::{Stakes, StakesError};
use crate::stud::history::line::{self, LineError};
use crate::stud::history::number::{self, Decimal};
use crate::stud::history::{History, RecordedAction};
use crate::stud::readings::{Reading, ReadingError};
use crate::stud::rules::RuleSet;
use deckproof_deck::text::toml_problem::TomlProblem;

/// Text that is no hand of stud.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PhhError {
    /// Not TOML.
    #[error("no TOML: {0}")]
    Toml(TomlProblem),
    /// No hand in the file.
    #[error("found no hand, wanted a field variant or tables that have one")]
    Empty,
    /// A field that is not there.
    #[error("field {field} is missing")]
    Missing {
        /// The field.
        field: &'static str,
    },
    /// A field of another kind.
    #[error("field {field} holds {found}, wanted {wanted}")]
    Field {
        /// The field.
        field: &'static str,
        /// What is there.
        found: String,
        /// What should.
        wanted: &'static str,
    },
    /// A game that is no stud.
    #[error("variant {found} is not played here, wanted {wanted}")]
    Variant {
        /// The variant as it stood.
        found: String,
        /// The variants there are.
        wanted: String,
    },
    /// An action that cannot be read.
    #[error("action {number}: {error}")]
    Action {
        /// Which action, from 1.
        number: usize,
        /// Why.
        error: LineError,
    },
    /// Amounts no hand can be played for.
    #[error(transparent)]
    Stakes(#[from] StakesError),
    /// A reading that is none.
    #[error(transparent)]
    Reading(#[from] ReadingError),
}

/// Fields this module writes itself, in the order of the specification.
const OWN_FIELDS: [&str; 14] = [
    "variant", "ante_trimming_status", "antes", "bring_in", "small_bet", "big_bet", "starting_stacks",
    "actions", "finishing_stacks", "winnings", "_ruleset", "_readings", "_odd_chip_unit", "_bring_in",
];

/// A hand of a file, by the name of its table (empty in a `.phh` file).
pub type NamedHand = (String, Result<History, PhhError>);

/// Reads all hands of a file, in the order of the file.
///
/// # Errors
/// [`PhhError::Toml`] or [`PhhError::Empty`]; what is wrong with one hand is in its place.
pub fn parse_file(text: &str) -> Result<Vec<NamedHand>, PhhError> {
    let table = table_of(text.trim_start_matches('\u{feff}'))?;
    if table.contains_key("variant") {
        return Ok(vec![(String::new(), from_table(table))]);
    }
    let is_tables = !table.is_empty() && table.values().all(Value::is_table);
    if !is_tables {
        return Err(if table.contains_key("actions") { missing("variant") } else { PhhError::Empty });
    }
    let hands = table.into_iter().filter_map(|(name, value)| match value {
        Value::Table(table) => Some((name, from_table(table))),
        _ => None,
    });
    Ok(hands.collect())
}

/// Reads one hand.
///
/// # Errors
/// [`PhhError`].
pub fn parse(text: &str) -> Result<History, PhhError> {
    from_table(table_of(text)?)
}

fn table_of(text: &str) -> Result<Table, PhhError> {
    text.parse().map_err(|error: toml::de::Error| {
        PhhError::Toml(TomlProblem::of(text, error.span(), error.message()))
    })
}

fn missing(field: &'static str) -> PhhError {
    PhhError::Missing { field }
}

fn from_table(table: Table) -> Result<History, PhhError> {
    let variant = string(&table, "variant")?.ok_or(missing("variant"))?;
    if RuleSet::of_variant(&variant).is_none() {
        let mut wanted: Vec<&str> = RuleSet::ALL.iter().map(|rules| rules.play.phh_variant).collect();
        wanted.dedup();
        return Err(PhhError::Variant { found: variant, wanted: wanted.join(", ") });
    }
    refuse_blinds(&table)?;
    let actions = strings(&table, "actions")?.ok_or(missing("actions"))?;
    let amounts = Amounts::of(&table, &actions)?;
    let ruleset = string(&table, "_ruleset")?;
    let rules = ruleset.as_deref().and_then(RuleSet::named).or_else(|| RuleSet::of_variant(&variant));
    let small = amounts.one("small_bet")?.ok_or(missing("small_bet"))?;
    let unit = amounts.one("_odd_chip_unit")?;
    let full = full_bring_in(&amounts, small, &actions)?;
    let given = full.or(amounts.one("bring_in")?);
    let bring_in = match (given, rules) {
        (Some(bring_in), _) => Some(bring_in),
        (None, Some(rules)) => Stakes::bring_in_of(&rules.play, small, unit.unwrap_or(1))?,
        (None, None) => None,
    };
    let stacks = amounts.many("starting_stacks")?.ok_or(missing("starting_stacks"))?;
    let antes = amounts.many("antes")?.ok_or(missing("antes"))?;
    let antes: Option<Vec<u64>> = antes.into_iter().collect();
    let stakes = Stakes {
        antes: antes.ok_or(missing("antes"))?,
        bring_in: bring_in.ok_or(missing("bring_in"))?,
        small,
        big: amounts.one("big_bet")?.ok_or(missing("big_bet"))?,
        stacks,
        antes_trimmed: boolean(&table, "ante_trimming_status")?.unwrap_or(false),
        odd_chip_unit: unit.unwrap_or(1),
    };
    stakes.check_record()?;
    let decimals = amounts.decimals;
    let players = stakes.stacks.len();
    let mut lines = Vec::new();
    for (number, text) in (1..).zip(actions) {
        let action =
            line::parse(&text, players, decimals).map_err(|error| PhhError::Action { number, error })?;
        lines.push(RecordedAction { number, text, action });
    }
    let lines = with_time_outs(lines, &table, players)?;
    Ok(History {
        variant,
        stakes,
        odd_chip_unit_given: unit.is_some(),
        bring_in_given: given.is_some(),
        decimals,
        lines,
        finishing_stacks: amounts.many("finishing_stacks")?,
        winnings: amounts.many("winnings")?,
        ruleset,
        readings: readings(&table)?,
        fields: table.into_iter().filter(|(name, _)| !OWN_FIELDS.contains(&name.as_str())).collect(),
    })
}

/// Stud has no blinds: chips that a record puts there would be missing from its pots.
fn refuse_blinds(table: &Table) -> Result<(), PhhError> {
    let field = "blinds_or_straddles";
    let Some(value) = table.get(field) else { return Ok(()) };
    let one = std::slice::from_ref(value);
    let is_zero = |value: &Value| matches!(decimal(field, value), Ok(Some(Decimal { digits: 0, .. })));
    if value.as_array().map_or(one, Vec::as_slice).iter().all(is_zero) {
        Ok(())
    } else {
        Err(wrong(field, value, "no blinds: stud has a bring-in"))
    }
}

/// The field `_bring_in`: a bring-in of the whole small limit, which PHH cannot express. It cannot say
/// anything else, and not what an action `pb` posts: that is the field `bring_in`.
fn full_bring_in(amounts: &Amounts<'_>, small: u64, actions: &[String]) -> Result<Option<u64>, PhhError> {
    let Some(full) = amounts.one("_bring_in")? else { return Ok(None) };
    let posts = actions.iter().any(|action| matches!(line::words(action)[..], [_, "pb"]));
    if full != small || posts {
        let wanted = "the small limit, and nobody who posts the smaller bring_in with pb";
        return Err(wrong("_bring_in", &amounts.table["_bring_in"], wanted));
    }
    Ok(Some(full))
}

/// The numbers of a table, scaled to the most decimals any of them has.
struct Amounts<'a> {
    table: &'a Table,
    decimals: u32,
}

/// The fields that hold amounts.
const AMOUNT_FIELDS: [&str; 9] = [
    "antes", "bring_in", "_bring_in", "small_bet", "big_bet", "starting_stacks", "finishing_stacks",
    "winnings", "_odd_chip_unit",
];

impl Amounts<'_> {
    fn of<'a>(table: &'a Table, actions: &[String]) -> Result<Amounts<'a>, PhhError> {
        let mut decimals = 0;
        for field in AMOUNT_FIELDS {
            let Some(value) = table.get(field) else { continue };
            let one = std::slice::from_ref(value);
            for value in value.as_array().map_or(one, Vec::as_slice) {
                if let Some(found) = decimal(field, value)? {
                    decimals = decimals.max(found.decimals);
                }
            }
        }
        let bets = actions.iter().filter_map(|action| match line::words(action)[..] {
            [_, "cbr", amount] => Decimal::parse(amount),
            _ => None,
        });
        let decimals = bets.fold(decimals, |most, bet| most.max(bet.decimals));
        Ok(Amounts { table, decimals })
    }

    fn scaled(&self, field: &'static str, value: &Value) -> Result<Option<u64>, PhhError> {
        let Some(found) = decimal(field, value)? else { return Ok(None) };
        found.scaled(self.decimals).map(Some).ok_or_else(|| wrong(field, value, "a smaller amount"))
    }

    fn one(&self, field: &'static str) -> Result<Option<u64>, PhhError> {
        let Some(value) = self.table.get(field) else { return Ok(None) };
        let amount = self.scaled(field, value)?;
        amount.map(Some).ok_or_else(|| wrong(field, value, "a finite amount"))
    }

    fn many(&self, field: &'static str) -> Result<Option<Vec<Option<u64>>>, PhhError> {
        let Some(value) = self.table.get(field) else { return Ok(None) };
        let values = value.as_array().ok_or_else(|| wrong(field, value, "an array of amounts"))?;
        values.iter().map(|value| self.scaled(field, value)).collect::<Result<_, _>>().map(Some)
    }
}

/// A number; infinity means unknown.
fn decimal(field: &'static str, value: &Value) -> Result<Option<Decimal>, PhhError> {
    let refused = || wrong(field, value, "an amount that is not negative");
    match value {
        Value::Integer(number) => {
            let digits = u64::try_from(*number).map_err(|_| refused())?;
            Ok(Some(Decimal { digits, decimals: 0 }))
        }
        Value::Float(number) if *number == f64::INFINITY => Ok(None),
        // The shortest text of a float is what was written, as long as it is no longer than a float.
        Value::Float(number) => Decimal::parse(&number.to_string()).map(Some).ok_or_else(refused),
        _ => Err(refused()),
    }
}

fn wrong(field: &'static str, found: &Value, wanted: &'static str) -> PhhError {
    PhhError::Field { field, found: found.to_string(), wanted }
}

fn string(table: &Table, field: &'static str) -> Result<Option<String>, PhhError> {
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| wrong(field, value, "a text"));
    table.get(field).map(text).transpose()
}

fn strings(table: &Table, field: &'static str) -> Result<Option<Vec<String>>, PhhError> {
    let Some(value) = table.get(field) else { return Ok(None) };
    let values = value.as_array().ok_or_else(|| wrong(field, value, "an array of texts"))?;
    let texts = values.iter().map(|text| text.as_str().map(str::to_owned));
    texts.collect::<Option<_>>().map(Some).ok_or_else(|| wrong(field, value, "an array of texts"))
}

fn boolean(table: &Table, field: &'static str) -> Result<Option<bool>, PhhError> {
    let truth = |value: &Value| value.as_bool().ok_or_else(|| wrong(field, value, "true or false"));
    table.get(field).map(truth).transpose()
}

/// `_readings = { odd_chip = "left_of_dealer" }`.
fn readings(table: &Table) -> Result<Vec<(Reading, String)>, PhhError> {
    let Some(value) = table.get("_readings") else { return Ok(Vec::new()) };
    let refused = || wrong("_readings", value, "a table of readings and their values");
    let named = value.as_table().ok_or_else(refused)?;
    let pairs = named.iter().map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Ok(crate::stud::readings::parse(&format!("{name}={value}"))?)
    });
    pairs.collect()
}

/// Puts the time-outs of `_timeouts = [{ before = 17, player = 3, seconds = 30.5 }]` before those actions; one
/// behind the last action is before the number after it.
fn with_time_outs(
    lines: Vec<RecordedAction>,
    table: &Table,
    players: usize,
) -> Result<Vec<RecordedAction>, PhhError> {
    let Some(value) = table.get("_timeouts") else { return Ok(lines) };
    let refused = || wrong("_timeouts", value, TIME_OUTS_WANTED);
    let mut time_outs = Vec::new();
    for entry in value.as_array().ok_or_else(refused)? {
        let entry = entry.as_table().ok_or_else(refused)?;
        time_outs.push(time_out(entry, lines.len() + 1, players).ok_or_else(refused)?);
    }
    time_outs.extend(lines);
    // Stable: a time-out stays before the action of its number.
    time_outs.sort_by_key(|line| line.number);
    Ok(time_outs)
}

const TIME_OUTS_WANTED: &str = "tables such as { before = 17, player = 3, seconds = 30.5, reconnected = true }, \
     or disconnected = true where the player never came back";

/// One entry; nothing where it holds anything else than it should.
fn time_out(entry: &Table, last: usize, players: usize) -> Option<RecordedAction> {
    const KEYS: [&str; 5] = ["before", "player", "seconds", "reconnected", "disconnected"];
    if entry.keys().any(|key| !KEYS.contains(&key.as_str())) {
        return None;
    }
    let within = |name: &str, most: usize| {
        let number = entry.get(name)?.as_integer().and_then(|number| usize::try_from(number).ok())?;
        (1..=most).contains(&number).then_some(number)
    };
    let number = within("before", last)?;
    let player = within("player", players)? - 1;
    let milliseconds = match entry.get("seconds") {
        None => None,
        Some(seconds @ (Value::Integer(_) | Value::Float(_))) => {
            Some(Decimal::parse(&seconds.to_string())?.thousandths()?)
        }
        Some(_) => return None,
    };
    let flag = |name: &str| entry.get(name).map_or(Some(false), Value::as_bool);
    let (connection, text) = match (flag("reconnected")?, flag("disconnected")?) {
        (false, false) => (Connection::Kept, "runs out of time"),
        (true, false) => (Connection::Regained, "was cut off, is back and runs out of time"),
        (false, true) => (Connection::Lost, "is cut off and does not come back"),
        (true, true) => return None,
    };
    let text = format!("p{} {text}", player + 1);
    Some(RecordedAction { number, text, action: Action::TimeOut { player, milliseconds, connection } })
}

/// Writes one hand as a `.phh` file.
pub fn write(history: &History) -> String {
    let amount = |amount: u64| number::text(amount, history.decimals);
    let known = |stack: &Option<u64>| stack.map_or("inf".to_owned(), amount);
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let quoted = |text: &str| Value::from(text).to_string();
    let stakes = &history.stakes;
    let actions = history.lines.iter().filter(|line| !matches!(line.action, Action::TimeOut { .. }));
    // Other readers want a bring-in below the small limit. A full one is written as a completion at
    // once, and its amount in a field of ours.
    let is_full = stakes.bring_in == stakes.small && stakes.small > 1;
    let written_bring_in = if is_full { stakes.small / 2 } else { stakes.bring_in };
    let mut fields = vec![
        ("variant", quoted(&history.variant)),
        ("ante_trimming_status", stakes.antes_trimmed.to_string()),
        ("antes", list(stakes.antes.iter().map(|&ante| amount(ante)).collect())),
        ("bring_in", amount(written_bring_in)),
        ("small_bet", amount(stakes.small)),
        ("big_bet", amount(stakes.big)),
        ("starting_stacks", list(stakes.stacks.iter().map(known).collect())),
        ("actions", list(actions.map(|line| quoted(&line.text)).collect())),
    ];
    if let Some(stacks) = &history.finishing_stacks {
        fields.push(("finishing_stacks", list(stacks.iter().map(known).collect())));
    }
    if let Some(winnings) = &history.winnings {
        fields.push(("winnings", list(winnings.iter().map(known).collect())));
    }
    if let Some(ruleset) = &history.ruleset {
        fields.push(("_ruleset", quoted(ruleset)));
    }
    if !history.readings.is_empty() {
        let pairs =
            history.readings.iter().map(|(name, value)| format!("{} = {}", name.name(), quoted(value)));
        fields.push(("_readings", format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))));
    }
    if is_full {
        fields.push(("_bring_in", amount(stakes.bring_in)));
    }
    if history.odd_chip_unit_given {
        fields.push(("_odd_chip_unit", amount(stakes.odd_chip_unit)));
    }
    let own = fields.into_iter().map(|(name, value)| format!("{name} = {value}\n"));
    let others = history.fields.iter().map(|(name, value)| format!("{} = {value}\n", key(name)));
    own.chain(others).collect()
}

/// Writes hands as a `.phhs` file, one numbered table a hand.
pub fn write_all(hands: &[History]) -> String {
    let tables = (1..).zip(hands).map(|(number, hand)| format!("[{number}]\n{}", write(hand)));
    tables.collect::<Vec<String>>().join("\n")
}

/// A key, quoted where it has to be.
fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}
