//! `stud-hi`: the text "STUD-7", high hand only.

use crate::stud::rules::{Burn, RuleSet, Shortage};

pub(super) const RULES: RuleSet =
    RuleSet { name: "stud-hi", burn: Burn::Never, shortage: Shortage::CommunityCard };
