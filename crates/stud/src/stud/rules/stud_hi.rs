//! `stud-hi`: the text "STUD-7", high hand only.

use crate::stud::play::{AnteAmount, BigLimit, BringInAmount, Contest, OpenPair, Play, ShowdownOrder};
use crate::stud::readings::{DEFAULTS, OddChip, Reading, Readings};
use crate::stud::rules::{Burn, RuleSet, Shortage};

pub(super) const RULES: RuleSet = RuleSet {
    name: "stud-hi",
    burn: Burn::Never,
    shortage: Shortage::CommunityCard,
    play: Play {
        phh_variant: "F7S",
        contest: Contest::High,
        bring_in: BringInAmount::HalfSmall,
        big_limit: BigLimit::Unstated,
        ante: AnteAmount::AboutAFifth,
        open_pair: OpenPair::BigLimit,
        showdown: ShowdownOrder::Unstated,
        time_out: None,
        // The text is silent on the odd chip; left of the dealer is assumed.
        readings: Readings { odd_chip: OddChip::LeftOfDealer, ..DEFAULTS },
        open_readings: &[
            Reading::CompletionCounts,
            Reading::OpenPairRaise,
            Reading::ShortageWhen,
            Reading::CommunityCountsForFirst,
            Reading::OddChip,
            Reading::OddChipCards,
            Reading::SeveralOddChips,
            Reading::ShortAnte,
            Reading::DealOrder,
            Reading::ShortAllIn,
            Reading::LowAllIn,
            Reading::MuckedHand,
            Reading::TimeOuts,
            Reading::Rake,
        ],
    },
};
