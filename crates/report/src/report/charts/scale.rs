//! A linear scale from values to view-box units, with round tick values.

/// Values `low..=high` on units `from..=to` (`from > to` turns the axis round).
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale; an empty range of values is widened to one unit.
    pub(super) fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        Scale { low, high, from, to }
    }

    /// The place of a value; values outside stay at the border.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// Round values 1, 2 or 5 times a power of ten apart, at most `count_max` steps.
    pub(super) fn ticks(&self, count_max: u32) -> Vec<f64> {
        let step = round_step((self.high - self.low) / f64::from(count_max));
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|tick| tick as f64 * step).collect()
    }
}

/// The smallest of 1, 2, 5, 10, … that is at least `rough`.
fn round_step(rough: f64) -> f64 {
    let power = libm::pow(10f64, libm::log10(rough).floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&step| rough <= step).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Scale::new((0.0, 97.0), (0.0, 1.0)).ticks(5), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(Scale::new((-3.0, 3.0), (0.0, 1.0)).ticks(6), [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn values_map_linearly_and_stay_inside() {
        let scale = Scale::new((0.0, 10.0), (100.0, 0.0));
        assert_eq!([0.0, 5.0, 10.0, 99.0].map(|value| scale.at(value)), [100.0, 50.0, 0.0, 0.0]);
    }

    #[test]
    fn an_empty_range_still_has_a_scale() {
        assert_eq!(Scale::new((4.0, 4.0), (0.0, 10.0)).at(4.0), 0.0);
    }
}
