//! Amendments of a package: what was changed in each revision, why, and what the revision before stated.

use serde::{Deserialize, Serialize};

use crate::project::facts::observation::{Observation, ReportHeadline};
use crate::project::package::fault::Fault;
use crate::project::package::files::pretty;
use crate::project::package::inputs::{KEPT_FORMAT, NOT_AS_WRITTEN, Read, kept};

/// The version of `amendments.json` whose amendments say what the revision before stated.
const AMENDED_FORMAT: &str = "deckproof/kept/v2";

/// A reason, and what it amends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amendment {
    /// The revision that it makes, 2 for the first amendment.
    pub revision: u32,
    /// What was changed, and why.
    pub reason: String,
    /// SHA-256 of the file SHA256SUMS of the revision before.
    pub previous_sha256sums: String,
    /// Lines of the project that were taken away and put in their place.
    pub changes: Vec<String>,
    /// What the revision before stated; earlier versions of this program did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<PreviousRevision>,
}

/// What a revision says of its items, kept for those that follow it: its project and the results of others do not stay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreviousRevision {
    /// Its verdict.
    pub headline: ReportHeadline,
    /// What was against the items, and the standards that were not met.
    pub against: Vec<Observation>,
    /// What its items were called, in the order of the project.
    pub items: Vec<NamedItem>,
    /// Whose decks the customer supplied; earlier versions did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_customer: Option<Vec<String>>,
}

/// What an item is called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedItem {
    /// Its id, which no amendment changes.
    pub item: String,
    /// Name, version, serial number and manufacturer.
    pub name: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AmendmentsFile {
    format: String,
    amendments: Vec<Amendment>,
}

/// The bytes of `amendments.json`.
pub fn amendments_text(amendments: &[Amendment]) -> String {
    pretty(&AmendmentsFile {
        format: amendments_format(amendments).to_owned(),
        amendments: amendments.to_vec(),
    })
}

fn amendments_format(amendments: &[Amendment]) -> &'static str {
    if amendments.iter().any(|own| own.previous.is_some()) { AMENDED_FORMAT } else { KEPT_FORMAT }
}

pub(super) fn read_amendments(read: Read) -> Result<Vec<Amendment>, Fault> {
    let fault = |own: &AmendmentsFile| {
        let numbers = own.amendments.iter().map(|amendment| amendment.revision);
        if !numbers.eq(2..2 + own.amendments.len() as u32) {
            Some("its revisions do not follow each other from 2 on")
        } else if own.amendments.iter().any(|amendment| amendment.reason.trim().is_empty()) {
            Some("found an amendment without a reason")
        } else {
            (own.format != amendments_format(&own.amendments)).then_some(NOT_AS_WRITTEN)
        }
        .map(str::to_owned)
    };
    kept(read, "amendments.json", fault).map(|own: AmendmentsFile| own.amendments)
}
