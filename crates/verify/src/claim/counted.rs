//! What a verdict of statistics rests on: the same of audits, of published hands and of days.

use crate::claim::{Claim, ClaimGap, ClaimSubject, Claims, Otherwise, Party, Witness};

/// Where the counts of a verdict come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountedDecks {
    /// Whether this call read or dealt the decks, and counted them itself.
    pub is_counted_here: bool,
    /// Whether somebody recorded the decks or hands and handed them in.
    pub is_recorded: bool,
}

/// The claims of a verdict that was computed here from counts. Its head needs the verdict and the counts: a certificate that is
/// judged from its integers alone is consistent, and no more.
pub fn counted(from: CountedDecks) -> Claims {
    let counts = ClaimSubject::Counts;
    let not_by_data = |subject| Claim::not_looked_at(subject, ClaimGap::NotByTheseData);
    Claims::new(
        vec![
            Claim::shown(ClaimSubject::Verdict, Witness::Computation),
            match from.is_counted_here {
                true => Claim::shown(counts, Witness::Computation),
                false => Claim::not_looked_at(counts, ClaimGap::NotCountedAgain),
            },
            match from.is_recorded {
                true => Claim::claimed(ClaimSubject::DecksOfTheTable, Party::Operator).or(Otherwise::Export),
                false => not_by_data(ClaimSubject::DecksOfTheTable),
            },
            not_by_data(ClaimSubject::BuildInProduction),
            Claim::not_looked_at(ClaimSubject::PlanFixed, ClaimGap::NothingGiven),
            not_by_data(ClaimSubject::DecksNotChosen),
        ],
        &[ClaimSubject::Verdict, ClaimSubject::Counts],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{ClaimState, Headline};

    #[test]
    fn counts_that_nobody_repeated_give_no_more_than_part() {
        for is_recorded in [false, true] {
            let head = |is_counted_here| counted(CountedDecks { is_counted_here, is_recorded }).headline();
            assert_eq!((head(false), head(true)), (Headline::Partly, Headline::Accepted));
        }
        let claims = counted(CountedDecks { is_counted_here: true, is_recorded: true });
        let decks = claims.of(ClaimSubject::DecksOfTheTable).expect("it is claimed");
        assert_eq!(decks.state, ClaimState::Claimed { by: Party::Operator });
        assert_eq!(decks.otherwise, [Otherwise::Export]);
    }
}
