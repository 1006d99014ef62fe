//! What a verdict of statistics rests on: the same of audits, of published hands, of comparisons and of days.

use crate::claim::{Claim, ClaimGap, ClaimSubject, Claims, Otherwise, Party, Witness};

/// Decks or hands that were counted and judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedDecks {
    /// What the statistics say of them.
    pub statistics: Claim,
    /// Whether this call read or dealt them, and counted them itself.
    pub is_counted_here: bool,
    /// Whether somebody recorded them and handed them in.
    pub is_recorded: bool,
    /// How many records could not be read, where a source can have such and is counted all the same.
    pub unread: Option<u64>,
}

/// The claims of a verdict that was computed here from counts. Its head needs the verdict, what the statistics say and that all
/// was read; and the counts, if this call was to count: a certificate that is judged from its integers alone claims no more
/// than what follows from them.
pub fn counted(from: CountedDecks) -> Claims {
    let CountedDecks { statistics, is_counted_here, is_recorded, unread } = from;
    let statistics = if statistics.is_contradicted() && is_recorded {
        statistics.or(Otherwise::Export)
    } else {
        statistics
    };
    let (counts, all_read) = (ClaimSubject::Counts, ClaimSubject::AllRead);
    let mut needed = vec![ClaimSubject::Verdict, statistics.subject];
    let mut claims = vec![Claim::shown(ClaimSubject::Verdict, Witness::Computation), statistics];
    claims.push(if is_counted_here {
        Claim::shown(counts, Witness::Computation)
    } else {
        Claim::not_looked_at(counts, ClaimGap::NotCountedAgain)
    });
    needed.extend(is_counted_here.then_some(counts));
    needed.extend(unread.map(|_| all_read));
    claims.extend(unread.map(|unread| match unread {
        0 => Claim::shown(all_read, Witness::Computation),
        _ => Claim::not_looked_at(all_read, ClaimGap::Unread),
    }));
    claims.extend(of_decks(is_recorded));
    claims.push(not_by_data(ClaimSubject::BuildInProduction));
    Claims::new(claims, &needed)
}

/// What is claimed of decks whatever the statistics say, and what no statistics show.
pub fn of_decks(is_recorded: bool) -> Vec<Claim> {
    vec![
        if is_recorded {
            Claim::claimed(ClaimSubject::DecksOfTheTable, Party::Operator).or(Otherwise::Export)
        } else {
            not_by_data(ClaimSubject::DecksOfTheTable)
        },
        Claim::not_looked_at(ClaimSubject::PlanFixed, ClaimGap::NothingGiven),
        not_by_data(ClaimSubject::DecksNotChosen),
    ]
}

/// The claim of a verdict that does not follow from its counts, or whose counts are not those of the decks.
pub fn contradictory(code: &str, place: &str) -> Claims {
    Claims::new(vec![Claim::contradicted(ClaimSubject::Verdict, code, place)], &[])
}

fn not_by_data(subject: ClaimSubject) -> Claim {
    Claim::not_looked_at(subject, ClaimGap::NotByTheseData)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{ClaimState, Headline};

    fn decks(statistics: Claim) -> CountedDecks {
        CountedDecks { statistics, is_counted_here: true, is_recorded: true, unread: Some(0) }
    }

    /// What statistics can say, with the head that nothing makes better.
    fn statistics() -> [(Claim, Headline); 4] {
        let subject = ClaimSubject::NoDeparture;
        [
            (Claim::shown(subject, Witness::Computation), Headline::Accepted),
            (Claim::contradicted(subject, "fail", "p"), Headline::Refused),
            (Claim::contradicted(subject, "investigate", "p").or(Otherwise::Chance), Headline::Refused),
            (Claim::not_looked_at(subject, ClaimGap::TooFew), Headline::Partly),
        ]
    }

    #[test]
    fn over_all_combinations_the_head_is_that_of_the_weakest_claim() {
        for (statistics, head) in statistics() {
            for is_counted_here in [false, true] {
                for is_recorded in [false, true] {
                    for (unread, all_read) in [(None, true), (Some(0), true), (Some(3), false)] {
                        let statistics = statistics.clone();
                        let claims =
                            counted(CountedDecks { statistics, is_counted_here, is_recorded, unread });
                        let wanted = if all_read { head } else { head.min(Headline::Partly) };
                        assert_eq!(claims.headline(), wanted, "{claims:?}");
                        // What nobody counted is not claimed to be counted.
                        assert_eq!(claims.shows(ClaimSubject::Counts), is_counted_here);
                    }
                }
            }
        }
    }

    #[test]
    fn recorded_decks_are_the_operators_word_and_a_departure_may_be_a_slip_of_the_export() {
        let [passed, failed, ..] = statistics().map(|(statistics, _)| counted(decks(statistics)));
        let table = passed.of(ClaimSubject::DecksOfTheTable).expect("it is claimed");
        assert_eq!(table.state, ClaimState::Claimed { by: Party::Operator });
        assert_eq!(table.otherwise, [Otherwise::Export]);
        let departure = failed.of(ClaimSubject::NoDeparture).expect("it is claimed");
        assert_eq!(departure.otherwise, [Otherwise::Export]);
        // What was drawn here is no export, and where nothing departs there is nothing to explain.
        let [statistics, (fails, _), ..] = statistics();
        let drawn = |statistics| counted(CountedDecks { is_recorded: false, ..decks(statistics) });
        for claims in [passed, drawn(fails), drawn(statistics.0)] {
            let departure = claims.of(ClaimSubject::NoDeparture).expect("it is claimed");
            assert!(departure.otherwise.is_empty(), "{departure:?}");
        }
    }
}
