//! Draws one after another in a line, and the waves over three of them at lags.

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::phases::vectors_of;
use crate::battery::draws::spectral::places::Places;
use crate::battery::draws::spectral::rounded::{Pairs, Scale, THIRDS, Thirds};
use crate::battery::draws::spectral::shared::{Highest, longest_squares};
use crate::battery::draws::spectral::vectors::{Vector, Vectors, signed_sums};
use crate::battery::stream::{Drawn, base_of};

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
        let table = vectors_of(1);
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

    /// Reports what may be the highest of the waves of every pair of lags up to the longest, numbered by the longer and
    /// then the shorter lag, in that order; every other one is lower.
    pub(super) fn report_highest(&self, longest: usize, report: &mut dyn FnMut(Peak)) {
        let ahead: Vec<Places> = (0..=longest).map(|lag| self.places.ahead(lag)).collect();
        let longest = longest.min(self.length);
        let scale = Scale::of(self.length);
        let thirds = Thirds::backwards(self.vectors.from(0, self.length), self.length, longest, scale);
        let (mut highest, mut products) = (Highest::new(scale), Pairs::new(scale));
        let mut found: Vec<Peak> = Vec::new();
        for short in 1..longest {
            // From the first draw that has one `short` before it; longer lags find zeros before the first draw.
            let length = self.length - short;
            let both = ahead[short].and(&ahead[0]);
            products.fill(self.vectors.from(short, length), self.vectors.from(0, length), both.runs());
            for first in (short + 1..=longest).step_by(THIRDS) {
                // The vector `first` before the first product, counted from the end.
                let near = longest_squares(&products, &thirds, self.length - 1 + first - short, scale);
                for (long, near) in (first..=longest).zip(near) {
                    let terms = ahead[long].number_with(&ahead[long - short], &ahead[0]);
                    if terms == 0 || !highest.may_be_passed(near, terms) {
                        continue;
                    }
                    let slices =
                        [long, long - short, 0].map(|place| self.vectors.from(place, self.length - long));
                    let number = SIGNS * ((long - 1) * (long - 2) / 2 + short - 1);
                    let wave = |sign: usize, sum| Some(Peak::of_sum(sum, terms, number + sign, 13, 3));
                    highest.sum(slices, wave, &mut |peak| found.push(peak));
                }
            }
        }
        // Of equal ones the first stays.
        found.sort_unstable_by_key(Peak::wave);
        found.into_iter().for_each(report);
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
