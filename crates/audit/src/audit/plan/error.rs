//! Why a plan cannot be run by this program.

use crate::source::record::RecordError;
use deckproof_stats::battery::catalogue::Unknown;

/// Why a plan cannot be run by this program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Another format.
    #[error("the plan has format {found:?}, wanted {wanted:?}")]
    Format {
        /// What it says.
        found: String,
        /// The one of this program.
        wanted: &'static str,
    },
    /// A start order that is none.
    #[error("the start order of the plan is not 52 cards in another order than 2c 2d … As: {0}")]
    StartOrder(String),
    /// A source that could not exist.
    #[error("{0}")]
    Source(RecordError),
    /// A statistic in a version that this program does not have.
    #[error("this program knows version {} of {id}, the plan has version {wanted}", versions_text(known))]
    Version {
        /// Which statistic or sketch.
        id: String,
        /// The versions here, the newest first.
        known: Vec<u32>,
        /// The plan's.
        wanted: u32,
    },
    /// A statistic that this program does not have at all.
    #[error("this program knows no statistic {0}, which the plan names; dealt hands need a table")]
    Unknown(String),
    /// A name that is there twice.
    #[error("the plan names {0} twice")]
    Twice(String),
    /// Views on which a statistic means nothing.
    #[error("the plan shows {0} other views than it has, or in another order")]
    Views(String),
    /// A plan under which nothing runs.
    #[error("the plan runs nothing")]
    Empty,
    /// A plan that contradicts itself, or one with other levels than any version of this program has.
    #[error("the plan names other {0} than follow from it")]
    Other(&'static str),
}

impl PlanError {
    /// Whether another version of this program may well run the plan: nothing is then wrong with it.
    pub fn is_of_another_version(&self) -> bool {
        match self {
            PlanError::Format { .. } | PlanError::Version { .. } | PlanError::Unknown(_) => true,
            PlanError::Source(error) => {
                matches!(error, RecordError::Kind { .. } | RecordError::Unknown { .. })
            }
            _ => false,
        }
    }
}

impl From<Unknown> for PlanError {
    fn from(unknown: Unknown) -> PlanError {
        match unknown {
            Unknown::Version { id, found, known } => PlanError::Version { id, known, wanted: found },
            Unknown::Id { id } => PlanError::Unknown(id),
        }
    }
}

fn versions_text(known: &[u32]) -> String {
    known.iter().map(u32::to_string).collect::<Vec<_>>().join(" or ")
}
