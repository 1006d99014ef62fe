//! `stud-8b`: the text "Stud à 7 cartes 8 ou mieux", high and low split.

use crate::stud::rules::{Burn, RuleSet, Shortage};

pub(super) const RULES: RuleSet =
    RuleSet { name: "stud-8b", burn: Burn::Never, shortage: Shortage::CommunityCard };
