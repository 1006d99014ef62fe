//! Main pot and side pots from what everybody paid.

/// Chips that the same players contest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pot {
    /// Chips in it.
    pub amount: u64,
    /// The players still in who paid their share, in the order of the seats.
    pub eligible: Vec<usize>,
}

/// Cuts what was paid into pots: `dead` chips everybody contests (antes), `paid` by every player and
/// who is still `live`. Neighbouring layers with the same players are one pot; chips above what any
/// live player paid stay in the pot below.
pub fn pots(dead: u64, paid: &[u64], live: &[bool]) -> Vec<Pot> {
    let mut levels: Vec<u64> = paid.to_vec();
    levels.sort_unstable();
    levels.dedup();
    let mut pots: Vec<Pot> = Vec::new();
    let (mut carried, mut below) = (dead, 0);
    for level in levels {
        let payers = paid.iter().filter(|&&amount| amount >= level).count() as u64;
        let amount = carried + payers * (level - below);
        (carried, below) = (0, level);
        let eligible: Vec<usize> =
            (0..paid.len()).filter(|&player| live[player] && paid[player] >= level).collect();
        match pots.last_mut() {
            Some(last) if last.eligible == eligible || eligible.is_empty() => last.amount += amount,
            _ if amount > 0 => pots.push(Pot { amount, eligible }),
            _ => {}
        }
    }
    pots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dead: u64, paid: &[u64], live: &[bool], wanted: &[(u64, &[usize])]) {
        let wanted: Vec<Pot> =
            wanted.iter().map(|&(amount, who)| Pot { amount, eligible: who.to_vec() }).collect();
        assert_eq!(pots(dead, paid, live), wanted, "{dead} {paid:?} {live:?}");
    }

    #[test]
    fn an_all_in_player_contests_only_what_was_matched() {
        check(4, &[10, 10, 10, 10], &[true; 4], &[(44, &[0, 1, 2, 3])]);
        check(4, &[3, 10, 10, 10], &[true; 4], &[(16, &[0, 1, 2, 3]), (21, &[1, 2, 3])]);
        check(
            0,
            &[50, 100, 200, 200, 200, 100],
            &[true; 6],
            &[(300, &[0, 1, 2, 3, 4, 5]), (250, &[1, 2, 3, 4, 5]), (300, &[2, 3, 4])],
        );
    }

    #[test]
    fn chips_of_folded_players_stay_in_the_pots_they_paid_for() {
        check(0, &[7, 10, 10], &[false, true, true], &[(27, &[1, 2])]);
        check(0, &[7, 3, 10, 10], &[false, true, true, true], &[(12, &[1, 2, 3]), (18, &[2, 3])]);
        check(5, &[0, 0, 0], &[true, false, true], &[(5, &[0, 2])]);
        check(0, &[5, 9, 5], &[true, false, true], &[(19, &[0, 2])]);
    }
}
