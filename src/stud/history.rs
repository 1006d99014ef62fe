//! Hand histories: a hand as a record tells it, in Poker Hand History files and in exports of poker rooms.

pub mod line;
pub mod number;
pub mod own_fields;
pub mod phh;
pub mod pokerstars;

use crate::stud::betting::action::Action;
use crate::stud::betting::stakes::Stakes;
use crate::stud::readings::Reading;

/// One hand of a record. Amounts are counted in units of `10^-decimals`.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// The variant of the record: `F7S`, `F7S/8`, `FR`.
    pub variant: String,
    /// The amounts.
    pub stakes: Stakes,
    /// Whether the record states the smallest chip.
    pub odd_chip_unit_given: bool,
    /// Whether the record states the bring-in; otherwise the rule text has to.
    pub bring_in_given: bool,
    /// Decimals of the amounts.
    pub decimals: u32,
    /// What was done, in order.
    pub lines: Vec<RecordedAction>,
    /// Chips after the hand, if recorded.
    pub finishing_stacks: Option<Vec<Option<u64>>>,
    /// Chips every player got out of the pots, if recorded.
    pub winnings: Option<Vec<Option<u64>>>,
    /// Our field `_ruleset`.
    pub ruleset: Option<String>,
    /// Our field `_readings`.
    pub readings: Vec<(Reading, String)>,
    /// All other fields, kept as they stood.
    pub fields: toml::Table,
}

/// One action and how the record wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedAction {
    /// Which of the record's actions, from 1; a time-out has the number of the action after it.
    pub number: usize,
    /// As it stood.
    pub text: String,
    /// What it means.
    pub action: Action,
}

impl History {
    /// How many players.
    pub fn players_total(&self) -> usize {
        self.stakes.stacks.len()
    }

    /// The name of a player: `p3`, or with the name in the record `p3 (Ada)`. A name comes from outside:
    /// what does not print, turns the line or ends it, and brackets, stand as `?`.
    pub fn player_name(&self, player: usize) -> String {
        let names = self.fields.get("players").and_then(toml::Value::as_array);
        match names.and_then(|names| names.get(player)).and_then(toml::Value::as_str) {
            Some(name) if !name.is_empty() => format!("p{} ({})", player + 1, printable_name(name)),
            _ => format!("p{}", player + 1),
        }
    }

    /// The ante a player owes. With two players the antes are given the other way round
    /// (Poker Hand History, section "Required Fields": forced bets are reversed heads-up).
    pub fn ante(&self, player: usize) -> u64 {
        self.stakes.ante_owed(player)
    }

    /// An amount as the record writes amounts.
    pub fn amount_text(&self, amount: u64) -> String {
        number::text(amount, self.decimals)
    }

    /// What an own field of the record says, as text; a list has one text an item.
    pub fn field(&self, name: &str) -> Option<Vec<String>> {
        let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let value = self.fields.get(name)?;
        let one = std::slice::from_ref(value);
        Some(value.as_array().map_or(one, Vec::as_slice).iter().map(text).collect())
    }
}

/// Letters of a name that are shown.
const NAME_LETTERS_MAX: usize = 24;

/// A name as it may stand in a line of ours: letters, digits, blanks and plain signs, no more than a few.
fn printable_name(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || " -_.'".contains(letter);
    let mut plain: String = name
        .chars()
        .take(NAME_LETTERS_MAX)
        .map(|letter| if is_plain(letter) { letter } else { '?' })
        .collect();
    if name.chars().nth(NAME_LETTERS_MAX).is_some() {
        plain.push('…');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_name_and_no_verdict() {
        assert_eq!(printable_name("Ada-Béatrice O'Neil"), "Ada-Béatrice O'Neil");
        let forged = "x)\n\nLegal by stud-8b.\u{1b}[2J\u{202e}";
        assert_eq!(printable_name(forged), "x???Legal by stud-8b.?…?".replace("…?", "?2J?").as_str());
        assert_eq!(printable_name(&"a".repeat(30)), format!("{}…", "a".repeat(24)));
    }
}
