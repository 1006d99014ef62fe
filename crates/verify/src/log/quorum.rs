//! The quorum: which witnesses must have cosigned one note, and when they had.

/// At least `threshold` of the members; a threshold of 0 is never met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quorum {
    /// How many members it takes.
    pub threshold: u64,
    /// Witnesses, or groups of them; no witness is in two places.
    pub members: Vec<Member>,
}

/// What a quorum counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Member {
    /// A witness by its place in the list of keys.
    Witness(usize),
    /// A group that has cosigned when enough of its members have.
    Group(Quorum),
}

impl Quorum {
    /// So many of a number of witnesses.
    pub fn of(threshold: u64, witnesses: usize) -> Quorum {
        Quorum { threshold, members: (0..witnesses).map(Member::Witness).collect() }
    }

    /// Whether any two sets of witnesses that meet it have one in common: otherwise honest witnesses may have seen two logs.
    pub fn always_overlaps(&self) -> bool {
        let may_differ =
            |member: &&Member| matches!(member, Member::Group(group) if !group.always_overlaps());
        let apart = self.members.len() + self.members.iter().filter(may_differ).count();
        self.threshold.saturating_mul(2) > apart as u64
    }

    /// Whether it is met if all witnesses cosign.
    pub fn can_be_met(&self) -> bool {
        let can = |member: &&Member| !matches!(member, Member::Group(group) if !group.can_be_met());
        (1..=self.members.iter().filter(can).count() as u64).contains(&self.threshold)
    }

    /// The time at which it was met, from the times of the witnesses that count: of a number of
    /// witnesses, the quorum-th earliest. `None` if it is not met.
    pub fn time(&self, cosigned: &[Option<u64>]) -> Option<u64> {
        let mut times: Vec<u64> = self.members.iter().filter_map(|member| member.time(cosigned)).collect();
        times.sort_unstable();
        let last = usize::try_from(self.threshold.checked_sub(1)?).ok()?;
        times.get(last).copied()
    }
}

impl Member {
    fn time(&self, cosigned: &[Option<u64>]) -> Option<u64> {
        match self {
            Member::Witness(place) => cosigned.get(*place).copied().flatten(),
            Member::Group(group) => group.time(cosigned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_that_of_the_last_witness_needed() {
        let cosigned = [Some(30), None, Some(10), Some(20)];
        let time = |threshold| Quorum::of(threshold, 4).time(&cosigned);
        assert_eq!(
            [0, 1, 2, 3, 4, 5, u64::MAX].map(time),
            [None, Some(10), Some(20), Some(30), None, None, None]
        );
    }

    #[test]
    fn a_group_counts_as_one_when_enough_of_it_cosigned() {
        let group = |threshold, places: &[usize]| {
            let members = places.iter().map(|place| Member::Witness(*place)).collect();
            Member::Group(Quorum { threshold, members })
        };
        let quorum = Quorum { threshold: 2, members: vec![group(2, &[0, 1, 2]), group(1, &[3, 4])] };
        assert_eq!(quorum.time(&[Some(5), Some(9), None, None, Some(7)]), Some(9));
        assert_eq!(quorum.time(&[Some(5), Some(6), Some(9), Some(8), None]), Some(8));
        assert_eq!(quorum.time(&[Some(5), Some(6), Some(7), None, None]), None);
        assert_eq!(quorum.time(&[Some(5), None, None, Some(1), Some(1)]), None);
        // 3 and 4 each make their group: two quorums meet in one of 0 to 2 all the same.
        assert!(quorum.always_overlaps());
        let one_of_each = Quorum { threshold: 2, members: vec![group(1, &[0, 1]), group(1, &[3, 4])] };
        assert!(!one_of_each.always_overlaps(), "0 and 3 here, 1 and 4 there");
    }

    /// Two quorums of k among n share a witness where 2k > n.
    #[test]
    fn more_than_half_of_the_witnesses_overlap() {
        let overlap = |threshold, witnesses| Quorum::of(threshold, witnesses).always_overlaps();
        assert_eq!(
            [(1, 1), (1, 2), (2, 3), (2, 4), (3, 4)].map(|(k, n)| overlap(k, n)),
            [true, false, true, false, true]
        );
        assert!(!overlap(0, 2) && !overlap(0, 0), "it is never met");
        let can_be_met = |threshold, witnesses| Quorum::of(threshold, witnesses).can_be_met();
        assert_eq!(
            [(0, 2), (1, 2), (2, 2), (3, 2), (1, 0), (0, 0)].map(|(k, n)| can_be_met(k, n)),
            [false, true, true, false, false, false]
        );
        let group = |threshold| Member::Group(Quorum::of(threshold, 2));
        let of = |members: Vec<Member>| Quorum { threshold: 2, members }.can_be_met();
        assert!(of(vec![group(1), group(2)]) && !of(vec![group(1), group(3)]));
    }
}
