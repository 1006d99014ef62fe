//! Test programs of others that a campaign is to run itself, on its own words or on a customer's file.

use serde::{Deserialize, Serialize};

use crate::external::ExternalTool;
use crate::project::settings::item::{Fault, Item, check_name};

/// In a command: the path of the customer's file of words.
pub const FILE: &str = "{file}";

/// A day: more than a whole run of any of the known programs takes on usual words.
const TIME_LIMIT_S: u64 = 24 * 60 * 60;

/// A week.
const TIME_LIMIT_MAX_S: u64 = 7 * TIME_LIMIT_S;

/// A program that is to be run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestRun {
    /// A short name for its files: lower-case letters, digits and hyphens.
    pub id: String,
    /// On the words of which item: those of its file, or those of the certified generator.
    pub item: String,
    /// Which program it is, whose results are then read; none for any other, whose output is kept and not read.
    pub program: Option<ExternalTool>,
    /// The executable and its arguments; the usual ones of dieharder and PractRand, if not given.
    #[serde(default)]
    pub command: Vec<String>,
    /// After so many seconds it is stopped.
    #[serde(default = "time_limit_s")]
    pub time_limit_s: u64,
}

fn time_limit_s() -> u64 {
    TIME_LIMIT_S
}

impl TestRun {
    /// The executable and its arguments, on a file of words or on standard input.
    pub fn command(&self, is_of_file: bool) -> Vec<String> {
        let usual: &[&str] = match self.program {
            _ if !self.command.is_empty() => return self.command.clone(),
            Some(ExternalTool::Dieharder) if is_of_file => &["dieharder", "-a", "-g", "201", "-f", FILE],
            Some(ExternalTool::Dieharder) => &["dieharder", "-a", "-g", "200"],
            Some(ExternalTool::PractRand) => &["RNG_test", "stdin32"],
            _ => &[],
        };
        usual.iter().map(|&word| word.to_owned()).collect()
    }

    /// What is wrong with it: the key, and what was found and wanted.
    pub(super) fn check(&self, items: &[Item], before: &[TestRun]) -> Result<(), Fault> {
        check_name(&self.id, "run", before.iter().map(|other| other.id.as_str()))?;
        let Some(item) = items.iter().find(|item| item.id == self.item) else {
            return Err(("item", format!("found {:?}, wanted the id of an [[item]]", self.item)));
        };
        if item.words.is_none() && item.raw_words == 0 {
            let wanted = "wanted raw_words or a file of words at that item";
            return Err(("item", format!("found {:?}, {wanted}", self.item)));
        }
        let command = self.command(item.words.is_some());
        if command.first().is_none_or(|program| program.is_empty()) {
            let wanted = "wanted the executable and its arguments, such as [\"assess\", \"1000000\"]";
            return Err(("command", format!("found none, {wanted}")));
        }
        if item.words.is_none() && command.iter().any(|word| word.contains(FILE)) {
            let wanted = "wanted it only at an item with a file of words; others come on standard input";
            return Err(("command", format!("found {FILE}, {wanted}")));
        }
        if !(1..=TIME_LIMIT_MAX_S).contains(&self.time_limit_s) {
            let found = self.time_limit_s;
            return Err(("time_limit_s", format!("found {found}, wanted 1 to {TIME_LIMIT_MAX_S} seconds")));
        }
        Ok(())
    }
}
