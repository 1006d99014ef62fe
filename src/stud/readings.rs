//! Readings: what a rule text leaves open, as named parameters with defaults.

/// The name of a reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Reading {
    CompletionCounts,
    OpenPairRaise,
    ShortageWhen,
    CommunityCountsForFirst,
    OddChip,
    OddChipCards,
    TieFirst,
    TimeoutMoneyIncludesAnte,
    MaxRaises,
    HeadsUpUncapped,
}

/// What the completion of a bring-in counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum CompletionCounts {
    Bet,
    Raise,
}

/// What may be bet on fourth street when a pair shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OpenPairRaise {
    BigAllowed,
    OpeningOnly,
}

/// When seventh street is served by one community card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ShortageWhen {
    StubBelowLive,
    AllEightLive,
}

/// Who gets the chip that cannot be split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OddChip {
    CardThenSuit,
    LeftOfDealer,
}

/// Which cards of a hand decide the odd chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum OddChipCards {
    Five,
    Seven,
}

/// Who acts first among equal boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum TieFirst {
    LeftOfDealer,
    HighCardSuit,
}

/// A value for every reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Readings {
    pub completion_counts: CompletionCounts,
    pub open_pair_raise: OpenPairRaise,
    pub shortage_when: ShortageWhen,
    pub community_counts_for_first: bool,
    pub odd_chip: OddChip,
    pub odd_chip_cards: OddChipCards,
    pub tie_first: TieFirst,
    pub timeout_money_includes_ante: bool,
    /// Raises a round after the bet.
    pub max_raises: u8,
    pub heads_up_uncapped: bool,
}

/// A text that is no reading.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadingError {
    /// No such name.
    #[error("{found:?} is no reading, wanted one of {}", names())]
    Name {
        /// The name as it stood.
        found: String,
    },
    /// No such value.
    #[error("reading {} has no value {found:?}, wanted {wanted}", .reading.name())]
    Value {
        /// The reading.
        reading: Reading,
        /// The value as it stood.
        found: String,
        /// The values there are.
        wanted: String,
    },
    /// No equals sign.
    #[error("{found:?} is no reading, wanted name=value such as odd_chip=left_of_dealer")]
    Shape {
        /// The text as it stood.
        found: String,
    },
}

fn names() -> String {
    Reading::ALL.map(Reading::name).join(", ")
}

impl Reading {
    /// All readings.
    pub const ALL: [Reading; 10] = [
        Reading::CompletionCounts,
        Reading::OpenPairRaise,
        Reading::ShortageWhen,
        Reading::CommunityCountsForFirst,
        Reading::OddChip,
        Reading::OddChipCards,
        Reading::TieFirst,
        Reading::TimeoutMoneyIncludesAnte,
        Reading::MaxRaises,
        Reading::HeadsUpUncapped,
    ];

    /// The name in records and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Reading::CompletionCounts => "completion_counts",
            Reading::OpenPairRaise => "open_pair_raise",
            Reading::ShortageWhen => "shortage_when",
            Reading::CommunityCountsForFirst => "community_counts_for_first",
            Reading::OddChip => "odd_chip",
            Reading::OddChipCards => "odd_chip_cards",
            Reading::TieFirst => "tie_first",
            Reading::TimeoutMoneyIncludesAnte => "timeout_money_includes_ante",
            Reading::MaxRaises => "max_raises",
            Reading::HeadsUpUncapped => "heads_up_uncapped",
        }
    }

    /// The values by name; none where any small number is one.
    pub fn values(self) -> &'static [&'static str] {
        match self {
            Reading::CompletionCounts => &["bet", "raise"],
            Reading::OpenPairRaise => &["big_allowed", "opening_only"],
            Reading::ShortageWhen => &["stub_below_live", "all_eight_live"],
            Reading::OddChip => &["card_then_suit", "left_of_dealer"],
            Reading::OddChipCards => &["five", "seven"],
            Reading::TieFirst => &["left_of_dealer", "high_card_suit"],
            Reading::CommunityCountsForFirst | Reading::HeadsUpUncapped => &["false", "true"],
            Reading::TimeoutMoneyIncludesAnte => &["true", "false"],
            Reading::MaxRaises => &[],
        }
    }

    /// The reading of this name.
    ///
    /// # Errors
    /// [`ReadingError::Name`].
    pub fn named(name: &str) -> Result<Reading, ReadingError> {
        let found = Reading::ALL.into_iter().find(|reading| reading.name() == name);
        found.ok_or_else(|| ReadingError::Name { found: name.to_owned() })
    }
}

impl Readings {
    /// The value of a reading, by name.
    pub fn value(&self, reading: Reading) -> String {
        let place = match reading {
            Reading::MaxRaises => return self.max_raises.to_string(),
            Reading::CommunityCountsForFirst => return self.community_counts_for_first.to_string(),
            Reading::TimeoutMoneyIncludesAnte => return self.timeout_money_includes_ante.to_string(),
            Reading::HeadsUpUncapped => return self.heads_up_uncapped.to_string(),
            Reading::CompletionCounts => self.completion_counts as usize,
            Reading::OpenPairRaise => self.open_pair_raise as usize,
            Reading::ShortageWhen => self.shortage_when as usize,
            Reading::OddChip => self.odd_chip as usize,
            Reading::OddChipCards => self.odd_chip_cards as usize,
            Reading::TieFirst => self.tie_first as usize,
        };
        reading.values()[place].to_owned()
    }

    /// These readings with one of them changed.
    ///
    /// # Errors
    /// [`ReadingError::Value`].
    pub fn with(mut self, reading: Reading, value: &str) -> Result<Readings, ReadingError> {
        let refused = |wanted: String| ReadingError::Value { reading, found: value.to_owned(), wanted };
        if reading == Reading::MaxRaises {
            self.max_raises = value.parse().map_err(|_| refused("a number 0 to 255".to_owned()))?;
            return Ok(self);
        }
        let place = reading.values().iter().position(|name| *name == value);
        let second = match place {
            Some(place) => place == 1,
            None => return Err(refused(reading.values().join(" or "))),
        };
        match reading {
            Reading::CompletionCounts if second => self.completion_counts = CompletionCounts::Raise,
            Reading::CompletionCounts => self.completion_counts = CompletionCounts::Bet,
            Reading::OpenPairRaise if second => self.open_pair_raise = OpenPairRaise::OpeningOnly,
            Reading::OpenPairRaise => self.open_pair_raise = OpenPairRaise::BigAllowed,
            Reading::ShortageWhen if second => self.shortage_when = ShortageWhen::AllEightLive,
            Reading::ShortageWhen => self.shortage_when = ShortageWhen::StubBelowLive,
            Reading::OddChip if second => self.odd_chip = OddChip::LeftOfDealer,
            Reading::OddChip => self.odd_chip = OddChip::CardThenSuit,
            Reading::OddChipCards if second => self.odd_chip_cards = OddChipCards::Seven,
            Reading::OddChipCards => self.odd_chip_cards = OddChipCards::Five,
            Reading::TieFirst if second => self.tie_first = TieFirst::HighCardSuit,
            Reading::TieFirst => self.tie_first = TieFirst::LeftOfDealer,
            Reading::CommunityCountsForFirst => self.community_counts_for_first = second,
            Reading::HeadsUpUncapped => self.heads_up_uncapped = second,
            Reading::TimeoutMoneyIncludesAnte => self.timeout_money_includes_ante = !second,
            Reading::MaxRaises => {}
        }
        Ok(self)
    }
}

/// Reads `odd_chip=left_of_dealer`.
///
/// # Errors
/// [`ReadingError`].
pub fn parse(text: &str) -> Result<(Reading, String), ReadingError> {
    let (name, value) = text.split_once('=').ok_or_else(|| ReadingError::Shape { found: text.to_owned() })?;
    let reading = Reading::named(name.trim())?;
    DEFAULTS.with(reading, value.trim())?;
    Ok((reading, value.trim().to_owned()))
}

/// The first value of every reading.
pub const DEFAULTS: Readings = Readings {
    completion_counts: CompletionCounts::Bet,
    open_pair_raise: OpenPairRaise::BigAllowed,
    shortage_when: ShortageWhen::StubBelowLive,
    community_counts_for_first: false,
    odd_chip: OddChip::CardThenSuit,
    odd_chip_cards: OddChipCards::Five,
    tie_first: TieFirst::LeftOfDealer,
    timeout_money_includes_ante: true,
    max_raises: 3,
    heads_up_uncapped: false,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_every_reading_is_set_and_told() {
        for reading in Reading::ALL {
            for value in reading.values().iter().rev() {
                let readings = DEFAULTS.with(reading, value).expect("a value");
                assert_eq!(readings.value(reading), *value, "{}", reading.name());
            }
            if let Some(first) = reading.values().first() {
                assert_eq!(DEFAULTS.value(reading), *first, "the first value is the default");
            }
            assert!(DEFAULTS.with(reading, "perhaps").is_err());
        }
        assert_eq!(parse("max_raises=4"), Ok((Reading::MaxRaises, "4".to_owned())));
        for text in ["odd_chip", "odd=five", "odd_chip=five", "max_raises=x"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
