//! HandRule sets: plain data, so that the engine never asks for a rule set's name.

mod espacejeux;
mod stud_8b;
mod stud_hi;

use crate::stud::play::Play;

/// What a published rule text says about a hand of seven-card stud.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSet {
    /// The name in an open entry.
    pub name: &'static str,
    /// Cards that leave the deck unseen.
    pub burn: Burn,
    /// What happens when seventh street runs short of cards.
    pub shortage: Shortage,
    /// How the hand is bet and won.
    pub play: Play,
}

/// Cards that leave the deck unseen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Burn {
    /// None.
    Never,
    /// One before each of the streets 4, 5, 6, 7.
    FromFourthStreet,
}

/// What happens when seventh street runs short of cards (PROTOCOL.md, section 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortage {
    /// One community card, face up, serves everybody.
    CommunityCard,
    /// Burned and undealt cards are shuffled; a community card only if these are too few as well.
    Reshuffle,
}

impl RuleSet {
    /// All rule sets; a new one is one file and one line here.
    pub const ALL: [&'static RuleSet; 3] = [&stud_hi::RULES, &stud_8b::RULES, &espacejeux::RULES];

    /// The first rule set that plays this variant of Poker Hand History files.
    pub fn of_variant(variant: &str) -> Option<&'static RuleSet> {
        RuleSet::ALL.into_iter().find(|rules| rules.play.phh_variant == variant)
    }

    /// All rule sets that play this variant.
    pub fn all_of_variant(variant: &str) -> impl Iterator<Item = &'static RuleSet> {
        RuleSet::ALL.into_iter().filter(move |rules| rules.play.phh_variant == variant)
    }

    /// The rule set of this name.
    pub fn named(name: &str) -> Option<&'static RuleSet> {
        RuleSet::ALL.into_iter().find(|rules| rules.name == name)
    }
}
