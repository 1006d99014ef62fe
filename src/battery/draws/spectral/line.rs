//! Draws one after another in a line, and the waves over three of them at lags.

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::phases::{WIDE_DRAWS, phases};
use crate::battery::draws::spectral::places::Places;
use crate::battery::draws::spectral::vectors::{Vector, Vectors, signed_sums, vector};
use crate::battery::stream::{Drawn, base_of};
use crate::deck::block::BLOCK_HANDS;

/// Waves of a pair of lags: the signs of the two earlier draws.
pub(super) const SIGNS: usize = 4;

/// The draws of a stream, deck after deck; those of small bases leave their place empty.
pub(super) struct Line {
    vectors: Vectors,
    places: Places,
    length: usize,
}

impl Line {
    /// Every deck's draws in the order given; a number from 51 on is that without a choice.
    pub(super) fn of(stream: &[Drawn], order: impl Iterator<Item = usize> + Clone) -> Line {
        let table: Vec<[Vector; BLOCK_HANDS]> =
            (0..WIDE_DRAWS).map(|draw| phases(base_of(draw)).map(vector)).collect();
        let vector_of = |block: &Drawn, lane: usize, draw: usize| {
            table.get(draw).map(|vectors| vectors[usize::from(block.of_base(base_of(draw))[lane])])
        };
        let mut draws = Vec::new();
        for block in stream {
            for lane in 0..block.hands() {
                draws.extend(order.clone().map(|draw| vector_of(block, lane, draw)));
            }
        }
        Line::of_draws(&draws)
    }

    /// These, some places empty.
    pub(super) fn of_draws(draws: &[Option<Vector>]) -> Line {
        Line {
            vectors: draws.iter().map(|draw| draw.unwrap_or_default()).collect(),
            places: draws.iter().map(Option::is_some).collect(),
            length: draws.len(),
        }
    }

    /// Reports the waves of a draw plus or minus the one `long - short` after it and the one `long` after it, for
    /// every pair of lags (short, long), numbered from `wave` on.
    pub(super) fn report(
        &self,
        lags: impl IntoIterator<Item = (usize, usize)>,
        wave: usize,
        report: &mut dyn FnMut(Peak),
    ) {
        for ((short, long), first) in lags.into_iter().zip((wave..).step_by(SIGNS)) {
            let behind = self.places.ahead(long).and(&self.places.ahead(long - short));
            let terms = behind.and(&self.places).number();
            let sums = match self.length.checked_sub(long) {
                Some(length) if terms > 0 => {
                    let from = |place: usize| self.vectors.from(place, length);
                    signed_sums(from(long), from(long - short), from(0))
                }
                _ => [[0.0; 2]; SIGNS],
            };
            for (sum, wave) in sums.into_iter().zip(first..) {
                report(Peak::of_sum(sum, terms, wave, 13, 3));
            }
        }
    }
}
