//! Tests that every reader looks for by one name, and the p-value of this program that each of them is.

/// A test by the name that everybody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FamiliarTest {
    /// The name.
    pub name: &'static str,
    /// The p-value: view, statistic and part.
    pub id: &'static str,
}

/// In the order in which they are looked for.
pub static FAMILIAR: [FamiliarTest; 2] = [
    FamiliarTest { name: "chi-square, card × place (positional uniformity)", id: "deck.card-place.total" },
    FamiliarTest {
        // The p-value is that of the most uneven seat, times the seats.
        name: "chi-square, dealt hands by seat (worst seat)",
        id: "deck.high-category.each-seat",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standards::has_statistic;

    #[test]
    fn every_familiar_name_is_a_statistic_of_the_battery() {
        for test in FAMILIAR {
            assert!(has_statistic(test.id), "{}", test.id);
        }
    }
}
