//! Why an action is refused: the rule, what was found and what was allowed.

use std::fmt;

/// The rules an action can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Rule {
    NoSuchPlayer,
    DealOrder,
    DealCount,
    Shortage,
    RepeatedCard,
    BettingFirst,
    DealFirst,
    Turn,
    BringInDue,
    NoBringIn,
    Amount,
    Cap,
    ShortAllIn,
    Covered,
    NobodyLeft,
    ShowdownFirst,
    ShowdownOrder,
    ShownOther,
    NoTimeOut,
    TooEarly,
    HandOver,
    FinalStacks,
    MuckedWinner,
    Fields,
}

impl Rule {
    /// The name in records.
    pub fn id(self) -> &'static str {
        match self {
            Rule::NoSuchPlayer => "no_such_player",
            Rule::DealOrder => "deal_order",
            Rule::DealCount => "deal_count",
            Rule::Shortage => "shortage",
            Rule::RepeatedCard => "repeated_card",
            Rule::BettingFirst => "betting_first",
            Rule::DealFirst => "deal_first",
            Rule::Turn => "turn",
            Rule::BringInDue => "bring_in_due",
            Rule::NoBringIn => "no_bring_in",
            Rule::Amount => "amount",
            Rule::Cap => "cap",
            Rule::ShortAllIn => "short_all_in",
            Rule::Covered => "covered",
            Rule::NobodyLeft => "nobody_left",
            Rule::ShowdownFirst => "showdown_first",
            Rule::ShowdownOrder => "showdown_order",
            Rule::ShownOther => "shown_other",
            Rule::NoTimeOut => "no_time_out",
            Rule::TooEarly => "too_early",
            Rule::HandOver => "hand_over",
            Rule::FinalStacks => "final_stacks",
            Rule::MuckedWinner => "mucked_winner",
            Rule::Fields => "fields",
        }
    }

    /// The rule in a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Rule::NoSuchPlayer => "only players of this hand act",
            Rule::DealOrder => "cards go to the players still in, clockwise from the dealer's left",
            Rule::DealCount => "third street is three cards a player, every later street one",
            Rule::Shortage => "a short seventh street is served as the rule text says",
            Rule::RepeatedCard => "every card is in the deck once",
            Rule::BettingFirst => "a street is dealt when the betting before it is over",
            Rule::DealFirst => "betting begins when the street is dealt",
            Rule::Turn => "players act in turn, clockwise from the first to act",
            Rule::BringInDue => "the first to act on third street brings it in or completes",
            Rule::NoBringIn => "the bring-in is posted once, first on third street",
            Rule::Amount => "bets and raises are of the limit of the street, or all-in for less",
            Rule::Cap => "raises of a round are capped",
            Rule::ShortAllIn => "an all-in raise below the full raise does not reopen the betting",
            Rule::Covered => "a player who has no more than the call can only call",
            Rule::NobodyLeft => "there is nobody left to bet against",
            Rule::ShowdownFirst => "hands are shown when the betting is over",
            Rule::ShowdownOrder => {
                "the last bettor of seventh street shows first, else the first to act on it"
            }
            Rule::ShownOther => "the cards shown are the cards dealt",
            Rule::NoTimeOut => "the rule text has no time-out",
            Rule::TooEarly => "a player has the full time to act",
            Rule::HandOver => "nothing follows the end of the hand",
            Rule::FinalStacks => "the pots go to the best hands",
            Rule::MuckedWinner => "a hand that wins part of a pot is shown",
            Rule::Fields => "the fields of a record say what its actions say",
        }
    }
}

/// An action that a rule refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The rule.
    pub rule: Rule,
    /// What was found.
    pub found: String,
    /// What was allowed instead.
    pub allowed: String,
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; allowed: {}", self.found, self.rule.sentence(), self.allowed)
    }
}
