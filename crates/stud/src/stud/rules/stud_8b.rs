//! `stud-8b`: the text "Stud à 7 cartes 8 ou mieux", high and low split.

use crate::stud::play::{
    AnteAmount, BigLimit, BringInAmount, Contest, OpenPair, Play, ShowdownOrder, TimeOut,
};
use crate::stud::readings::{DEFAULTS, Reading};
use crate::stud::rules::{Burn, RuleSet, Shortage};

pub(super) const RULES: RuleSet = RuleSet {
    name: "stud-8b",
    burn: Burn::Never,
    shortage: Shortage::CommunityCard,
    play: Play {
        phh_variant: "F7S/8",
        contest: Contest::HighLow8,
        bring_in: BringInAmount::Explicit,
        big_limit: BigLimit::Double,
        ante: AnteAmount::Explicit,
        open_pair: OpenPair::Ignored,
        showdown: ShowdownOrder::Unstated,
        // Ten seconds, then a countdown of twenty; twenty more for who comes back.
        time_out: Some(TimeOut { seconds: 30, reconnected_seconds: 20 }),
        readings: DEFAULTS,
        open_readings: &[
            Reading::CommunityCountsForFirst,
            Reading::OddChip,
            Reading::OddChipCards,
            Reading::SeveralOddChips,
            Reading::TieFirst,
            Reading::TimeoutMoneyIncludesAnte,
            Reading::DealOrder,
            Reading::ShortAllIn,
            Reading::LowAllIn,
            Reading::MuckedHand,
            Reading::TimeOuts,
            Reading::Rake,
        ],
    },
};
