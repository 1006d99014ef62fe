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

/// Why a list of seats cannot play a hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeatsError {
    /// Something that is no seat number.
    #[error("found a seat that is no number 1 to 8, wanted seats such as 4,5,7,1,2")]
    NoSeat,
    /// Too few or too many.
    #[error("found {found} seats, wanted 2 to 8")]
    Count {
        /// How many there were.
        found: usize,
    },
    /// Not clockwise, or a seat twice.
    #[error(
        "seats {found} are not clockwise from the dealer's left, wanted an order such as 4,5,7,1,2, each seat once"
    )]
    NotClockwise {
        /// The seats as they stood.
        found: String,
    },
}

impl Seats {
    /// Seats in dealing order.
    ///
    /// # Errors
    /// [`SeatsError`].
    pub fn new(seats: Vec<Seat>) -> Result<Seats, SeatsError> {
        if !(2..=8).contains(&seats.len()) {
            return Err(SeatsError::Count { found: seats.len() });
        }
        // Round the table once, the number falls exactly once: where the list was rotated.
        let next = seats.iter().cycle().skip(1);
        let falls = seats.iter().zip(next).filter(|(seat, next)| next <= seat).count();
        if falls != 1 {
            return Err(SeatsError::NotClockwise { found: Seats(seats).to_string() });
        }
        Ok(Seats(seats))
    }

    /// Reads `4,5,7,1,2`.
    ///
    /// # Errors
    /// [`SeatsError`].
    pub fn parse(text: &str) -> Result<Seats, SeatsError> {
        let seats: Option<Vec<Seat>> = text.split(',').map(Seat::parse).collect();
        Seats::new(seats.ok_or(SeatsError::NoSeat)?)
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
    fn other_lists_of_seats_are_refused() {
        for text in
            ["", "1", "1,1", "2,8,5", "3,6,5,8", "0,1", "1,9", "01,2", "1, 2", "1,2,", "1,2,3,4,5,6,7,8,1"]
        {
            assert!(Seats::parse(text).is_err(), "{text:?}");
        }
    }
}
