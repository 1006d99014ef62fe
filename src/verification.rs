//! What is handed in, judged: bundles, certificates and report packages, one by one and together, and what is stated of them.
//!
//! Files are read, nothing is written or printed. The words are those of [`deckproof_report::rendering`].

pub(crate) mod case;
pub(crate) mod certificate;
pub(crate) mod compared;
pub(crate) mod document;
pub(crate) mod hands;
pub(crate) mod judged;
mod kind;
pub(crate) mod manifest;
pub(crate) mod package;
pub mod pairs;
mod plan;
mod prediction;
mod recount;
pub(crate) mod references;
pub(crate) mod replay;
pub(crate) mod statements;

mod fault;
mod folder;
mod messages;

use deckproof_audit::certificate::Tool;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_report::document::words::Words;
use deckproof_report::rendering::audit::checked::{CODE, refused};
use deckproof_verify::claim::Claims;
use deckproof_verify::claim::counted::contradictory;

/// What to do with a certificate that another version of this program understands.
const OTHER_VERSION: &str =
    "This says nothing about the certificate: judge it with the version of deckproof that it names.";

/// The same of a hand or a log.
pub(crate) const OTHER_VERSION_OF_HAND: &str =
    "This says nothing about it: judge it with a version of deckproof that knows it.";

/// The program that judges.
#[derive(Clone, Copy)]
pub struct Inspector<'a> {
    /// As certificates name it.
    pub tool: &'a dyn Fn() -> Tool,
    /// The time of the clock, in POSIX seconds.
    pub now: u64,
    /// How many threads count what is counted again.
    pub threads: usize,
}

impl Inspector<'_> {
    /// Whether a certificate is this program's own.
    pub fn is_own(&self, tool: &Tool) -> bool {
        (self.tool)() == *tool
    }
}

/// Whether the whole run is to be reproduced.
pub struct Rerun<'a> {
    /// Whether it is.
    pub is_wanted: bool,
    /// Decks that are supplied again, as `--source` takes them: `SOURCE`, or `ITEM=SOURCE` of a package.
    pub sources: &'a [String],
}

impl<'a> Rerun<'a> {
    /// The one source of a certificate, which has no items.
    pub fn one_source(&self) -> Result<Option<&'a str>, CouldNotSay> {
        match self.sources {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            _ => Err(CouldNotSay::new(
                "found several --source beside a certificate of one audit",
                "Several, each as ITEM=SOURCE, are for a report package.",
            )),
        }
    }
}

/// What the check found, for text and JSON alike.
pub struct Checked {
    /// 0 consistent and pass, 1 inconsistent or not a pass, 2 inconclusive.
    pub exit: Exit,
    /// Sentences.
    pub text: String,
    /// The same for programs.
    pub json: serde_json::Value,
    /// The SHA-256 of its plan, with which what was saved may be compared.
    pub plan_sha256: Option<String>,
}

impl Checked {
    /// What was found, with the exit status of its claims: there is no other.
    fn of(claims: &Claims, text: String, json: serde_json::Value) -> Checked {
        Checked { exit: claims.exit(), text, json, plan_sha256: None }
    }

    /// The same, of a plan.
    fn of_plan(self, sha256: &str) -> Checked {
        Checked { plan_sha256: Some(sha256.to_owned()), ..self }
    }

    /// Whether it contradicts itself or its decks, so that no verdict of it counts.
    fn is_refused(&self) -> bool {
        self.json["verdict"] == "refused"
    }

    /// A certificate that contradicts itself or its decks.
    fn contradictory(name: &str, inconsistency: &str, words: &Words) -> Checked {
        let claims = contradictory(CODE, inconsistency);
        let (text, json) = refused(name, inconsistency, &claims, words);
        Checked::of(&claims, text, json)
    }
}
