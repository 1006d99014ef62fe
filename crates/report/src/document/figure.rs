//! Figures as data: what is drawn, without how.

use serde::{Deserialize, Serialize};

/// A picture with its heading; the caption under it is written from its numbers where it is drawn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Unique in the document, letters, digits and hyphens.
    pub id: String,
    /// What it is about, such as the name of the statistic.
    pub title: String,
    /// What is drawn.
    pub drawing: Drawing,
}

/// The kinds of pictures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Drawing {
    /// A square table of counts as a heat map of standardised residuals.
    HeatMap {
        /// What its rows are.
        rows: Axis,
        /// What its columns are.
        columns: Axis,
        /// Rows, and columns: 52, or 53 with the end of the deck.
        side: usize,
        /// The counts, row by row.
        observed: Vec<u64>,
        /// The expectation of every cell.
        expected: f64,
        /// The standard deviation of every cell.
        deviation: f64,
    },
    /// A histogram with its null.
    Histogram {
        /// What the values are.
        axis: String,
        /// The values.
        values: Vec<f64>,
        /// How often each was seen.
        observed: Vec<u64>,
        /// How often a fair shuffle is expected to give each.
        expected: Vec<f64>,
    },
    /// P-values in order of size against the line of uniform ones.
    PValues {
        /// All of them.
        p_values: Vec<f64>,
        /// The level that they share.
        level: f64,
    },
    /// The share of runs in which flawed shufflers were rejected, by number of decks.
    Power {
        /// One curve a shuffler.
        curves: Vec<PowerCurve>,
        /// The decks of this plan, drawn as a line.
        decks: u64,
    },
}

/// What a row or column of a heat map means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// A card.
    Card,
    /// A place in the deck, 0 on top.
    Place,
    /// The place of the card in the following deck.
    NextPlace,
    /// The card in the following deck.
    NextCard,
    /// The card that follows.
    CardThatFollows,
    /// The place that follows, of the same deck.
    PlaceThatFollows,
    /// The place in the following deck of the card that follows.
    NextPlaceThatFollows,
    /// The card that follows, in the following deck.
    NextCardThatFollows,
}

impl Axis {
    /// Whether it is of what follows a card or a place.
    pub fn is_follower(self) -> bool {
        matches!(
            self,
            Axis::CardThatFollows
                | Axis::PlaceThatFollows
                | Axis::NextPlaceThatFollows
                | Axis::NextCardThatFollows
        )
    }
}

/// How a flawed shuffler is detected.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerCurve {
    /// The shuffler.
    pub name: String,
    /// Decks, and the share of runs that rejected it, 0 to 1.
    pub points: Vec<(u64, f64)>,
}
