//! `espacejeux`: the text of Loto-Québec's Espacejeux, with burns and a reshuffle.

use crate::stud::play::{AnteAmount, BigLimit, BringInAmount, Contest, OpenPair, Play, ShowdownOrder};
use crate::stud::readings::{DEFAULTS, OddChip, Reading, Readings};
use crate::stud::rules::{Burn, RuleSet, Shortage};

pub(super) const RULES: RuleSet = RuleSet {
    name: "espacejeux",
    burn: Burn::FromFourthStreet,
    shortage: Shortage::Reshuffle,
    play: Play {
        phh_variant: "F7S",
        contest: Contest::High,
        bring_in: BringInAmount::Small,
        big_limit: BigLimit::Unstated,
        ante: AnteAmount::Explicit,
        open_pair: OpenPair::Ignored,
        showdown: ShowdownOrder::LastBettorFirst,
        time_out: None,
        // The text is silent on the odd chip; left of the dealer is assumed.
        readings: Readings { odd_chip: OddChip::LeftOfDealer, ..DEFAULTS },
        open_readings: &[
            Reading::CommunityCountsForFirst,
            Reading::OddChip,
            Reading::OddChipCards,
            Reading::SeveralOddChips,
            Reading::ShortAnte,
            Reading::MaxRaises,
            Reading::HeadsUpUncapped,
            Reading::StreetLimits,
            Reading::ShortAllIn,
            Reading::LowAllIn,
            Reading::MuckedHand,
            Reading::TimeOuts,
            Reading::Rake,
        ],
    },
};
