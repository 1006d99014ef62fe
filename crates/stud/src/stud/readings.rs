//! Readings: what a rule text leaves open, as named parameters with defaults.

/// Declares every reading once: its name, its type, and its values, the default first.
macro_rules! readings {
    ($($(#[doc = $doc:literal])* $name:ident: $reading:ident { $($text:literal = $value:ident),+ })+) => {
        /// The name of a reading.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        pub enum Reading { $($(#[doc = $doc])* $reading),+ }

        $(
            $(#[doc = $doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            #[allow(missing_docs)]
            pub enum $reading { $($value),+ }
        )+

        /// A value for every reading.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Readings { $($(#[doc = $doc])* pub $name: $reading),+ }

        impl Reading {
            /// All readings.
            pub const ALL: &'static [Reading] = &[$(Reading::$reading),+];

            /// The name in records and on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Reading::$reading => stringify!($name)),+ }
            }

            /// The values by name, the general default first.
            pub fn values(self) -> &'static [&'static str] {
                match self { $(Reading::$reading => &[$($text),+]),+ }
            }
        }

        impl Readings {
            /// The value of a reading, by name.
            pub fn value(&self, reading: Reading) -> &'static str {
                match reading { $(Reading::$reading => reading.values()[self.$name as usize]),+ }
            }

            /// These readings with one of them changed.
            ///
            /// # Errors
            /// [`ReadingError`].
            pub fn with(mut self, reading: Reading, value: &str) -> Result<Readings, ReadingError> {
                match reading {
                    $(Reading::$reading => self.$name = match value {
                        $($text => $reading::$value,)+
                        _ => return Err(no_value(reading, value)),
                    }),+
                }
                Ok(self)
            }
        }

        /// The first value of every reading.
        pub const DEFAULTS: Readings = Readings { $($name: readings!(@first $reading $($value),+)),+ };
    };
    (@first $reading:ident $first:ident $(, $rest:ident)*) => { $reading::$first };
}

readings! {
    /// What the completion of a bring-in counts as.
    completion_counts: CompletionCounts { "bet" = Bet, "raise" = Raise }
    /// What may be bet on fourth street when a pair shows.
    open_pair_raise: OpenPairRaise { "big_allowed" = BigAllowed, "opening_only" = OpeningOnly }
    /// When seventh street is served by one community card.
    shortage_when: ShortageWhen { "stub_below_live" = StubBelowLive, "all_eight_live" = AllEightLive }
    /// Whether the community card counts for who acts first on seventh street.
    community_counts_for_first: CommunityCountsForFirst { "false" = No, "true" = Yes }
    /// Who gets the chip that cannot be split.
    odd_chip: OddChip { "card_then_suit" = CardThenSuit, "left_of_dealer" = LeftOfDealer }
    /// Which cards of a hand decide the odd chip.
    odd_chip_cards: OddChipCards { "five" = Five, "seven" = Seven }
    /// Whether several chips that cannot be split go one each to the winners in order, or all to the first. No
    /// text says.
    several_odd_chips: SeveralOddChips { "one_each" = OneEach, "all_to_first" = AllToFirst }
    /// Who acts first among equal boards.
    tie_first: TieFirst { "left_of_dealer" = LeftOfDealer, "high_card_suit" = HighCardSuit }
    /// Whether the ante is money in the pot when the clock runs out.
    timeout_money_includes_ante: TimeoutMoneyIncludesAnte { "true" = Yes, "false" = No }
    /// Raises a round after the bet.
    max_raises: MaxRaises { "3" = Three, "any" = Any }
    /// Whether two players alone may raise without end.
    heads_up_uncapped: HeadsUpUncapped { "false" = No, "true" = Yes }
    /// What an all-in below the full bet or raise does. By `full_bets_only` it can be completed to the full
    /// bet and reopens nothing. By `half_a_bet`, half a bet or more counts as a full one (Ciaffone, Robert's
    /// Rules of Poker, "Betting and Raising": "an all-in wager of a half a bet or more is treated as a full bet").
    short_all_in: ShortAllIn { "full_bets_only" = FullBetsOnly, "half_a_bet" = HalfABet }
    /// Who acts first on third street when the lowest card is all-in for the ante: the player on its left, who
    /// has to bring it in or may fold, or the lowest card of those who have chips, who has to bring it in. No text
    /// says; Poker TDA, Recommended Procedure 10, E: "players with chips must bet at least the bring-in or fold".
    low_all_in: LowAllIn {
        "left_brings_in" = LeftBringsIn, "left_may_fold" = LeftMayFold, "next_lowest_brings_in" = NextLowestBringsIn
    }
    /// Whether third and fourth street are of the small limit and later ones of the big one, or any street
    /// of either.
    street_limits: StreetLimits { "small_then_big" = SmallThenBig, "either" = Either }
    /// What a player who cannot pay the whole ante contests.
    short_ante: ShortAnte { "what_it_matched" = WhatItMatched, "all_antes" = AllAntes }
    /// Whether cards are dealt clockwise from the dealer's left.
    deal_order: DealOrder { "clockwise" = Clockwise, "any" = Any }
    /// Whether a hand that is thrown away at the showdown gives up what it would have won.
    mucked_hand: MuckedHand { "gives_up" = GivesUp, "best_hand_wins" = BestHandWins }
    /// Whether the time-outs a record claims happened.
    time_outs: TimeOuts { "believed" = Believed, "ignored" = Ignored }
    /// Whether chips that are missing from the final stacks may be a rake.
    rake: Rake { "taken" = Taken, "none" = Nothing }
}

/// A text that is no reading.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReadingError(pub(crate) String);

fn no_value(reading: Reading, found: &str) -> ReadingError {
    let wanted = reading.values().join(" or ");
    ReadingError(format!("reading {} has no value {found:?}, wanted {wanted}", reading.name()))
}

impl Reading {
    /// The reading of this name.
    ///
    /// # Errors
    /// [`ReadingError`].
    pub fn named(name: &str) -> Result<Reading, ReadingError> {
        let found = Reading::ALL.iter().copied().find(|reading| reading.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Reading::ALL.iter().map(|reading| reading.name()).collect();
            ReadingError(format!("{name:?} is no reading, wanted one of {}", names.join(", ")))
        })
    }

    /// Whether a record may state its own reading. Whether the clock ran out, whether a hand that was
    /// thrown away would have won and whether chips are missing for a good reason is what a judge asks
    /// *about* the record, so only the judge's user answers it.
    pub fn may_be_stated(self) -> bool {
        !matches!(self, Reading::MuckedHand | Reading::TimeOuts | Reading::Rake)
    }
}

/// Reads `odd_chip=left_of_dealer`.
///
/// # Errors
/// [`ReadingError`].
pub fn parse(text: &str) -> Result<(Reading, String), ReadingError> {
    let (name, value) = text.split_once('=').ok_or_else(|| {
        ReadingError(format!("{text:?} is no reading, wanted name=value such as odd_chip=left_of_dealer"))
    })?;
    let reading = Reading::named(name.trim())?;
    DEFAULTS.with(reading, value.trim())?;
    Ok((reading, value.trim().to_owned()))
}

/// These readings with those changed that a table chose.
///
/// # Errors
/// [`ReadingError`].
pub fn chosen(readings: Readings, chosen: &[(Reading, String)]) -> Result<Readings, ReadingError> {
    chosen.iter().try_fold(readings, |readings, (reading, value)| readings.with(*reading, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_every_reading_is_set_and_stated() {
        for &reading in Reading::ALL {
            for value in reading.values().iter().rev() {
                let readings = DEFAULTS.with(reading, value).expect("a value");
                assert_eq!(readings.value(reading), *value, "{}", reading.name());
            }
            assert_eq!(DEFAULTS.value(reading), reading.values()[0], "the first value is the default");
            assert!(DEFAULTS.with(reading, "perhaps").is_err());
        }
        assert_eq!(parse("max_raises=any"), Ok((Reading::MaxRaises, "any".to_owned())));
        for text in ["odd_chip", "odd=five", "odd_chip=five", "max_raises=9"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
