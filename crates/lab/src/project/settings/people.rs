//! What people say: laboratory, customer, persons, declarations, evidence. Nothing here is computed, and nothing is checked.

use serde::{Deserialize, Serialize};

use crate::external::ExternalTool;
use deckproof_deck::text::date::Date;

/// Who tests (ISO/IEC 17025, 7.8.2.1 b and c).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Laboratory {
    /// Its name.
    pub name: Option<String>,
    /// Its address.
    pub address: Option<String>,
    /// The number of its accreditation.
    pub accreditation: Option<String>,
    /// Who accredited it.
    pub accreditation_body: Option<String>,
    /// Which of these tests the scope of the accreditation covers.
    pub scope: Option<String>,
    /// Where the tests were performed.
    #[serde(default)]
    pub locations: Vec<String>,
    /// Telephone, mail, person.
    pub contact: Option<String>,
    /// A PNG file, its mark above the title.
    pub logo: Option<String>,
}

impl Laboratory {
    /// The file of its mark, if it has one.
    pub fn logo(&self) -> Option<&str> {
        self.logo.as_deref().filter(|file| !file.trim().is_empty())
    }
}

/// For whom the tests are made.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Customer {
    /// Its name.
    pub name: Option<String>,
    /// Its address.
    pub address: Option<String>,
    /// Telephone, mail, person.
    pub contact: Option<String>,
    /// Who operates the item.
    pub operator: Option<String>,
}

/// Somebody who answers for the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// What for.
    pub role: Role,
    /// The name.
    pub name: Option<String>,
    /// The function.
    pub title: Option<String>,
}

/// What somebody answers for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Performed the tests.
    Tester,
    /// Reviewed them.
    Reviewer,
    /// Authorises the report.
    Authoriser,
}

/// How the decks were come by (7.8.2.1 k, 7.8.5).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// Who took them.
    pub by: Option<SampledBy>,
    /// How, and what was left out.
    pub method: Option<String>,
    /// How they came to the laboratory.
    pub custody: Option<String>,
}

/// Who took the decks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SampledBy {
    /// The laboratory.
    Laboratory,
    /// The customer: the results are then those of the sample as received.
    Customer,
}

/// Where the tests ran.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// The machine.
    pub machine: Option<String>,
    /// Its operating system.
    pub system: Option<String>,
    /// Whatever else has an influence.
    pub conditions: Option<String>,
}

/// What the customer declares; nothing checks it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// DeclarationAbout what.
    pub about: DeclarationAbout,
    /// The words.
    pub text: String,
}

/// What a declaration is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeclarationAbout {
    /// Whether the tested build is the production build.
    Build,
    /// Changes since the last certification.
    Changes,
    /// Where seeds come from.
    Seeding,
    /// When the generator is seeded again.
    Reseeding,
    /// Who can see seeds and undealt cards.
    Secrecy,
    /// What happens when a check fails.
    Monitoring,
    /// Anything else.
    Other,
}

/// RowEvidence for one of the rows R1 to R24 that no statistic shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowEvidence {
    /// `R1` to `R24`.
    pub row: String,
    /// Of which items; of all, if none is named.
    #[serde(default)]
    pub items: Vec<String>,
    /// Whose finding it is.
    pub by: FoundBy,
    /// Whether it shows that the requirement is met.
    pub finding: RowFinding,
    /// What was found, where it is written down, and when.
    pub text: String,
}

/// Whose finding a piece of evidence is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoundBy {
    /// The laboratory's own.
    Laboratory,
    /// The customer says so.
    Customer,
    /// Another provider's (7.8.2.1 p).
    External,
}

/// What a piece of evidence shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowFinding {
    /// The requirement is met.
    Met,
    /// It is not.
    NotMet,
    /// It does not apply.
    NotApplicable,
}

impl RowEvidence {
    /// Whether it is about an item.
    pub fn is_of(&self, item: &str) -> bool {
        self.items.is_empty() || self.items.iter().any(|own| own == item)
    }

    pub(super) fn check(&self, items: &[&str]) -> Result<(), (&'static str, String)> {
        if !(1..=24).any(|row| self.row == format!("R{row}")) {
            return Err(("row", format!("found {:?}, wanted R1 to R24", self.row)));
        }
        match self.items.iter().find(|id| !items.contains(&id.as_str())) {
            Some(id) => Err(("items", format!("found {id:?}, wanted the id of an [[item]]"))),
            None => Ok(()),
        }
    }
}

/// An addition, deviation or exclusion (7.8.2.1 n).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// What, and why.
    pub text: String,
}

/// An opinion or interpretation (7.8.7).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    /// Whose.
    pub by: Option<String>,
    /// On what it rests, and what is thought.
    pub text: String,
}

/// A result of others (7.8.2.1 p), attached as it was received.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct External {
    /// Who made it.
    pub provider: Option<String>,
    /// What it is of, such as raw output of the item main.
    pub of: Option<String>,
    /// The day it was made.
    pub made: Option<Date>,
    /// The program that printed it, whose results are then read and listed; none for any other document.
    pub program: Option<ExternalTool>,
    /// The file, which the package holds a copy of.
    pub file: String,
}

impl External {
    /// Its name in the package.
    pub fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }

    pub(super) fn check(&self, before: &[External]) -> Result<(), (&'static str, String)> {
        let name = self.name();
        let is_own = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.starts_with('.') || name.len() > 80 || !name.chars().all(is_own) {
            let problem = format!("found the file name {name:?}, wanted letters, digits, - _ and dots");
            return Err(("file", problem));
        }
        if before.iter().any(|other| other.name() == name) {
            Err(("file", format!("found two files named {name:?}, wanted another name for each")))
        } else {
            Ok(())
        }
    }
}
