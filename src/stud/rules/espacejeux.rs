//! `espacejeux`: the text of Loto-Québec's Espacejeux, with burns and a reshuffle.

use crate::stud::rules::{Burn, RuleSet, Shortage};

pub(super) const RULES: RuleSet =
    RuleSet { name: "espacejeux", burn: Burn::FromFourthStreet, shortage: Shortage::Reshuffle };
