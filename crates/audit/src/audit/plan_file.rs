//! Plans as files: TOML with the plan's hash, so that an edited plan is known as one.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::audit::plan::Plan;
use crate::audit::plan::error::PlanError;
use deckproof_deck::text::toml_problem::TomlProblem;

/// A plan of decks or of hands.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile<P> {
    plan_sha256: String,
    plan: P,
}

/// Why a text is no plan to be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanFileError {
    /// Not TOML, or not of a plan.
    #[error("the plan cannot be read: {0}")]
    Text(String),
    /// A number that TOML cannot hold.
    #[error("the plan cannot be written: {0}")]
    Write(String),
    /// Changed after it was written.
    #[error("the plan has SHA-256 {found}, and says it is {stated}: it was changed after it was written")]
    Edited {
        /// The hash of what is there.
        found: String,
        /// The hash it was written with.
        stated: String,
    },
    /// Sound, but not of this program.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// The plan as TOML, its hash first.
///
/// # Errors
/// [`PlanFileError::Write`]: TOML holds whole numbers up to 2^63 only.
pub fn to_toml(plan: &Plan) -> Result<String, PlanFileError> {
    written(plan, plan.sha256())
}

/// A plan of this hash as TOML, its hash first.
pub(crate) fn written(plan: &impl Serialize, plan_sha256: String) -> Result<String, PlanFileError> {
    toml::to_string(&PlanFile { plan_sha256, plan }).map_err(|error| PlanFileError::Write(error.to_string()))
}

/// Reads a plan, and checks by its hash that it is the one that was written.
pub(crate) fn read<P: DeserializeOwned>(text: &str, sha256: fn(&P) -> String) -> Result<P, PlanFileError> {
    let file: PlanFile<P> = toml::from_str(text).map_err(|error| {
        PlanFileError::Text(TomlProblem::of(text, error.span(), error.message()).to_string())
    })?;
    let PlanFile { plan_sha256: stated, plan } = file;
    let found = sha256(&plan);
    if found == stated { Ok(plan) } else { Err(PlanFileError::Edited { found, stated }) }
}

/// Reads a plan and checks that it is the one that was written, and that this program runs it.
///
/// # Errors
/// [`PlanFileError`].
pub fn from_toml(text: &str) -> Result<Plan, PlanFileError> {
    let plan = read(text, Plan::sha256)?;
    plan.check()?;
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::format::{Format, Numbering};
    use crate::source::{flawed, os, stream};
    use deckproof_deck::deck::Deck;
    use deckproof_stats::battery::Tier;

    #[test]
    fn a_plan_comes_back_from_its_file() {
        let flawed = flawed::record("sattolo", 7);
        let stream = stream::record(Format::Raw, Numbering::RankSuit);
        let mut order = Deck::in_order();
        order.swap(0, 51);
        let plans = [
            Plan::new(flawed, Some(1_000), &Tier::OF_DECKS),
            Plan::new(stream, None, &[Tier::Core]),
            Plan::new(os::record(), Some(1), &Tier::OF_DECKS).without_repeat().with_start_order(&order),
        ];
        for plan in plans {
            let text = to_toml(&plan).expect("its numbers are small");
            assert_eq!(from_toml(&text), Ok(plan), "{text}");
        }
    }

    #[test]
    fn an_edited_plan_is_known_as_one() {
        let plan = Plan::new(os::record(), Some(1_000), &Tier::OF_DECKS);
        let text = to_toml(&plan).expect("its numbers are small");
        let edited = text.replace("decks = 1000", "decks = 2000");
        assert_ne!(edited, text);
        assert!(matches!(from_toml(&edited), Err(PlanFileError::Edited { .. })));
        let unknown = text.replace("[plan]", "[plan]\nfriendly = true");
        assert!(matches!(from_toml(&unknown), Err(PlanFileError::Text(_))));
        // A hash made to fit does not make this program run other levels.
        let lenient = Plan { level: 0.001, ..plan };
        let text = to_toml(&lenient).expect("its numbers are small");
        assert_eq!(from_toml(&text), Err(PlanFileError::Plan(PlanError::Other("levels"))));
    }
}
