//! Why an action is refused: the rule, what was found and what was allowed.

use deckproof_deck::text::named::named;

named! {
    /// The rules an action can break.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    pub enum HandRule {
        NoSuchPlayer = "no_such_player",
        DealOrder = "deal_order",
        DealCount = "deal_count",
        Shortage = "shortage",
        RepeatedCard = "repeated_card",
        BettingFirst = "betting_first",
        DealFirst = "deal_first",
        Turn = "turn",
        BringInDue = "bring_in_due",
        NoBringIn = "no_bring_in",
        Amount = "amount",
        Cap = "cap",
        ShortAllIn = "short_all_in",
        Covered = "covered",
        NobodyLeft = "nobody_left",
        ShowdownFirst = "showdown_first",
        ShowdownOrder = "showdown_order",
        ShownOther = "shown_other",
        NoTimeOut = "no_time_out",
        TooEarly = "too_early",
        HandOver = "hand_over",
        FinalStacks = "final_stacks",
        MuckedWinner = "mucked_winner",
        Fields = "fields",
        Antes = "antes",
        Limits = "limits",
        BringInAmount = "bring_in_amount",
        Unit = "odd_chip_unit",
        Reading = "reading",
        Burns = "burns",
    }
    /// The name in records.
    pub fn id;
}

impl HandRule {
    /// The rule in a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            HandRule::NoSuchPlayer => "only players of this hand act",
            HandRule::DealOrder => "cards go to the players still in, clockwise from the dealer's left",
            HandRule::DealCount => "third street is three cards a player, every later street one",
            HandRule::Shortage => "a short seventh street is served as the rule text says",
            HandRule::RepeatedCard => "every card is in the deck once",
            HandRule::BettingFirst => "a street is dealt when the betting before it is over",
            HandRule::DealFirst => "betting begins when the street is dealt",
            HandRule::Turn => "players act in turn, clockwise from the first to act",
            HandRule::BringInDue => "the first to act on third street brings it in or completes",
            HandRule::NoBringIn => "the bring-in is posted once, first on third street",
            HandRule::Amount => "bets and raises are of the limit of the street, or all-in for less",
            HandRule::Cap => "raises of a round are capped",
            HandRule::ShortAllIn => "only a full bet or raise reopens the betting for a player who has acted",
            HandRule::Covered => "a player who has no more than the call can only call",
            HandRule::NobodyLeft => "there is nobody left to bet against",
            HandRule::ShowdownFirst => "hands are shown when the betting is over",
            HandRule::ShowdownOrder => {
                "the last bettor of seventh street shows first, else the first to act on it"
            }
            HandRule::ShownOther => "the cards shown are the cards dealt",
            HandRule::NoTimeOut => "the rule text has no time-out",
            HandRule::TooEarly => "a player has the full time to act",
            HandRule::HandOver => "nothing follows the end of the hand",
            HandRule::FinalStacks => "the pots go to the best hands",
            HandRule::MuckedWinner => "the best hand takes the pot, and once seen it is not given up",
            HandRule::Fields => "the fields of a record say what its actions say",
            HandRule::Antes => "every player pays the same ante, or is all-in for less",
            HandRule::Limits => {
                "the big limit is no smaller than the small limit, and twice it where the rule text says so"
            }
            HandRule::BringInAmount => "the bring-in is of the amount that the rule text fixes",
            HandRule::Unit => "the smallest chip divides every amount of the record",
            HandRule::Reading => "a record reads only what the rule text leaves open",
            HandRule::Burns => "cards are burned where the rule text says so, and are no cards in play",
        }
    }
}

/// An action that a rule refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found}: {}; allowed: {allowed}", .rule.sentence())]
pub struct Infraction {
    /// The rule.
    pub rule: HandRule,
    /// What was found.
    pub found: String,
    /// What was allowed instead.
    pub allowed: String,
}
