//! Hand histories: a hand as a record tells it, in Poker Hand History files and in exports of poker rooms.

#[doc(hidden)]
pub mod line;
#[doc(hidden)]
pub mod number;
#[doc(hidden)]
pub mod own_fields;
pub mod phh;
pub mod pokerstars;

use crate::stud::betting::action::Action;
use crate::stud::betting::stakes::Stakes;
use crate::stud::readings::Reading;
use deckproof_deck::text::excerpt;

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

    /// The name of a player: `p3`, or with the name in the record `p3 (Ada)`. On one line and
    /// no longer than a name, whatever the record holds.
    pub fn player_name(&self, player: usize) -> String {
        let names = self.fields.get("players").and_then(toml::Value::as_array);
        match names.and_then(|names| names.get(player)).and_then(toml::Value::as_str) {
            Some(name) if !name.is_empty() => {
                format!("p{} ({})", player + 1, excerpt(name, NAME_LETTERS_MAX))
            }
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
