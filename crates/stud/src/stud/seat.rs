//! Seats at a table, and the order in which they are served.

use std::fmt;

/// A seat number 1..8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The seat of this number, if it is 1..8.
    pub fn new(number: u8) -> Option<Seat> {
        (1..=8).contains(&number).then_some(Seat(number))
    }

    /// Reads one digit 1..8.
    pub fn parse(text: &str) -> Option<Seat> {
        match text.as_bytes() {
            [digit @ b'1'..=b'8'] => Some(Seat(digit - b'0')),
            _ => None,
        }
    }

    /// 1..8.
    pub fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The seats of a hand, clockwise from the dealer's left: 2 to 8 of them, a rotation of an ascending list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seats(Vec<Seat>);

/// Letters of a seat that is none.
const FOUND_MAX: usize = 20;

/// Why a list of seats cannot play a hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SeatsError(pub(crate) String);

impl Seats {
    /// Seats in dealing order.
    ///
    /// # Errors
    /// [`SeatsError`].
    pub fn new(seats: Vec<Seat>) -> Result<Seats, SeatsError> {
        if !(2..=8).contains(&seats.len()) {
            return Err(SeatsError(format!("found {} seats, wanted 2 to 8", seats.len())));
        }
        // Round the table once, the number falls exactly once: where the list was rotated.
        let next = seats.iter().cycle().skip(1);
        let falls = seats.iter().zip(next).filter(|(seat, next)| next <= seat).count();
        if falls != 1 {
            return Err(SeatsError(format!(
                "seats {} are not clockwise from the dealer's left, wanted an order such as 4,5,7,1,2, each seat once",
                Seats(seats)
            )));
        }
        Ok(Seats(seats))
    }

    /// Reads `4,5,7,1,2`.
    ///
    /// # Errors
    /// [`SeatsError`].
    pub fn parse(text: &str) -> Result<Seats, SeatsError> {
        let seat = |text: &str| {
            Seat::parse(text).ok_or_else(|| {
                let found: String = text.chars().take(FOUND_MAX).collect();
                SeatsError(format!(
                    "found {found:?}, which is no seat 1 to 8, wanted seats such as 4,5,7,1,2"
                ))
            })
        };
        Seats::new(text.split(',').map(seat).collect::<Result<_, _>>()?)
    }

    /// The seats in dealing order.
    pub fn in_order(&self) -> &[Seat] {
        &self.0
    }

    /// Whether this seat plays the hand.
    pub fn has(&self, seat: Seat) -> bool {
        self.0.contains(&seat)
    }
}

impl fmt::Display for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(Seat::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_of_an_ascending_list_print_and_parse_back() {
        for text in ["1,2", "2,1", "4,5,7,8,1,2", "1,2,3,4,5,6,7,8", "8,1,2,3,4,5,6,7"] {
            assert_eq!(Seats::parse(text).map(|seats| seats.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn what_is_no_seat_is_repeated() {
        let refusal = |text: &str| Seats::parse(text).expect_err("no seats").to_string();
        assert_eq!(refusal("1,x,9"), "found \"x\", which is no seat 1 to 8, wanted seats such as 4,5,7,1,2");
        assert_eq!(refusal("1,2,9"), "found \"9\", which is no seat 1 to 8, wanted seats such as 4,5,7,1,2");
        assert!(refusal(&"1".repeat(99)).len() < 100);
    }

    #[test]
    fn other_lists_of_seats_are_refused() {
        for text in
            ["", "1", "1,1", "2,8,5", "3,6,5,8", "0,1", "1,9", "01,2", "1, 2", "1,2,", "1,2,3,4,5,6,7,8,1"]
        {
            assert!(Seats::parse(text).is_err(), "{text:?}");
        }
    }
}
