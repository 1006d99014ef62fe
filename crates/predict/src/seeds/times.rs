//! Seeds that clocks give: seconds, milliseconds and microseconds in a window around a time, milliseconds of a day, and
//! seconds mixed with the number of a process.

/// A window of times, in seconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Around {
    /// The middle.
    pub seconds: u64,
    /// How far it reaches before and behind.
    pub width: u64,
}

/// Process numbers of Linux as it is set up: below 32,768 on small machines.
const PROCESSES: u64 = 1 << 15;

/// Milliseconds of a day.
const DAY_MILLISECONDS: u64 = 86_400_000;

/// Microseconds are tried this far from the middle at most: ten million seeds a second take a minute.
const MICROSECONDS_WIDTH: u64 = 300;

/// Seconds that are mixed with every process number.
const MIXED_WIDTH: u64 = 600;

impl Around {
    fn seconds(self, width: u64) -> impl Iterator<Item = u64> {
        let width = self.width.min(width);
        self.seconds.saturating_sub(width)..=self.seconds.saturating_add(width)
    }

    /// Every seed, likeliest first.
    pub fn seeds(self) -> impl Iterator<Item = u64> {
        self.kinds().into_iter().flat_map(|(_, seeds)| seeds)
    }

    /// Seeds by what they are made of, likeliest first.
    pub fn kinds(self) -> [(&'static str, Box<dyn Iterator<Item = u64>>); 6] {
        let parts = |width: u64, parts: u64| {
            self.seconds(width).flat_map(move |second| (0..parts).map(move |part| second * parts + part))
        };
        [
            ("seconds", Box::new(self.seconds(u64::MAX))),
            (
                "the low 32 bits of milliseconds",
                Box::new(parts(u64::MAX, 1_000).map(|seed| seed & 0xffff_ffff)),
            ),
            ("milliseconds", Box::new(parts(u64::MAX, 1_000))),
            ("milliseconds of a day", Box::new(0..DAY_MILLISECONDS)),
            ("seconds with process numbers", Box::new(self.mixed())),
            ("microseconds", Box::new(parts(MICROSECONDS_WIDTH, 1_000_000))),
        ]
    }

    /// Seconds and process numbers: added, exclusive or, multiplied, and `time ^ (pid + (pid << 15))` of Perl 4 and its heirs.
    fn mixed(self) -> impl Iterator<Item = u64> {
        self.seconds(MIXED_WIDTH).flat_map(|second| {
            (1..PROCESSES).flat_map(move |process| {
                [second ^ process, second + process, second * process, second ^ (process + (process << 15))]
                    .map(|seed| seed & 0xffff_ffff)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_come_first_and_every_kind_is_there() {
        let around = Around { seconds: 1_700_000_000, width: 2 };
        let first: Vec<u64> = around.seeds().take(5).collect();
        assert_eq!(first, [1_699_999_998, 1_699_999_999, 1_700_000_000, 1_700_000_001, 1_700_000_002]);
        let has = |wanted: u64| around.seeds().any(|seed| seed == wanted);
        assert!(has(1_700_000_001_999) && has(1_700_000_001_999 & 0xffff_ffff) && has(86_399_999));
        assert!(has(1_700_000_000_999_999) && has((1_700_000_001 * 4_321) & 0xffff_ffff));
        assert!(!has(1_700_000_003_000));
    }
}
