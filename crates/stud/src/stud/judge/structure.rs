//! The amounts of a record beside its rule text: antes, limits, bring-in, smallest chip, readings.

use crate::stud::betting::action::Action;
use crate::stud::betting::refusal::{HandRule, Infraction};
use crate::stud::betting::stakes::Stakes;
use crate::stud::history::History;
use crate::stud::judge::{House, JudgeError};
use crate::stud::play::{BigLimit, BringInAmount};
use crate::stud::readings::Reading;
use crate::stud::rules::RuleSet;

/// The readings the record states of points that its text leaves open. That antes are trimmed is a statement too,
/// where somebody is short of one; that they are not states nothing, for other programs write `false` whatever
/// was played.
pub fn stated_readings(history: &History, rules: &RuleSet) -> Vec<(Reading, String)> {
    let may_state = |reading: &Reading| rules.play.leaves_to_the_table(*reading);
    let mut stated: Vec<(Reading, String)> =
        history.readings.iter().filter(|(reading, _)| may_state(reading)).cloned().collect();
    if history.stakes.antes_trimmed && has_short_ante(history) && may_state(&Reading::ShortAnte) {
        let value = "what_it_matched";
        let earlier = stated.iter().find(|(reading, _)| *reading == Reading::ShortAnte);
        let is_denied = earlier.is_some_and(|(_, other)| other != value);
        stated.retain(|(reading, _)| *reading != Reading::ShortAnte);
        // A record that says both says nothing.
        if !is_denied {
            stated.push((Reading::ShortAnte, value.to_owned()));
        }
    }
    stated
}

/// The readings the record claims of points that are not its own to read.
pub(super) fn claimed_readings<'a>(
    history: &'a History,
    rules: &'static RuleSet,
) -> impl Iterator<Item = &'a (Reading, String)> {
    let by_text = |reading: Reading| rules.play.readings.value(reading);
    let decided = move |reading: &Reading| !rules.play.open_readings.contains(reading);
    history.readings.iter().filter(move |(reading, value)| decided(reading) && by_text(*reading) != value)
}

/// Whether somebody cannot pay the whole ante.
pub(super) fn has_short_ante(history: &History) -> bool {
    let players = history.stakes.stacks.iter().enumerate();
    let most = history.stakes.antes.iter().copied().max().unwrap_or(0);
    players.into_iter().any(|(_, stack)| stack.is_some_and(|stack| stack < most))
}

/// The amounts the hand is played for by this text: those of the record, but a bring-in the text fixes where the
/// record has none, or where it has another one that nobody posted.
pub(super) fn stakes(history: &History, rules: &'static RuleSet) -> Result<Stakes, JudgeError> {
    let mut stakes = history.stakes.clone();
    let posts = history.lines.iter().any(|line| matches!(line.action, Action::BringIn { .. }));
    match rules.play.bring_in {
        // Other readers know no full bring-in: it is recorded as a bet, and their field holds less.
        BringInAmount::Small if !posts || !history.bring_in_given => stakes.bring_in = stakes.small,
        _ if history.bring_in_given => {}
        BringInAmount::Explicit => return Err(JudgeError::BringIn { text: rules.name }),
        _ => {
            let unit = stakes.odd_chip_unit;
            let by_text = Stakes::bring_in_of(&rules.play, stakes.small, unit)?;
            stakes.bring_in = by_text.unwrap_or(stakes.bring_in);
        }
    }
    // Limits that no hand can be played for are refused by name; the hand is played for the nearest there are.
    stakes.bring_in = stakes.bring_in.min(stakes.small);
    stakes.big = stakes.big.max(stakes.small);
    stakes.check()?;
    Ok(stakes)
}

/// What the amounts and the readings of the record break, whatever was played. Where the record names no house,
/// amounts that only the text fixes are left out: see [`supposed`].
pub(super) fn broken(
    history: &History,
    rules: &'static RuleSet,
    stakes: &Stakes,
    house: House,
) -> Vec<Infraction> {
    let claimed = claimed_readings(history, rules).map(|(reading, value)| Infraction {
        rule: HandRule::Reading,
        found: format!("the record reads {}={value}", reading.name()),
        allowed: format!(
            "{}={}, which the text of {} fixes",
            reading.name(),
            rules.play.readings.value(*reading),
            rules.name
        ),
    });
    let of_the_text = |broken: Option<Infraction>| broken.filter(|_| house == House::Named);
    let amounts = [
        other_game(history, rules),
        unequal_antes(history),
        no_ante(history, rules),
        impossible_limits(history, rules, house),
        of_the_text(wrong_big_limit(history, rules)),
        of_the_text(wrong_bring_in(history, rules, stakes)),
        wrong_unit(history),
    ];
    claimed.chain(amounts.into_iter().flatten()).collect()
}

/// Where the record names no house: its amounts that this text would refuse and that another house may state, a
/// sentence each.
pub(super) fn supposed(history: &History, rules: &'static RuleSet, stakes: &Stakes) -> Vec<String> {
    let amounts = [wrong_big_limit(history, rules), wrong_bring_in(history, rules, stakes)];
    let sentence = |broken: Infraction| {
        let by_text = broken.allowed.split(',').next().unwrap_or_default();
        format!(
            "The record names no house, and {}: the text of {}, which has {by_text}, refuses that; a house that \
             states its own amounts accepts it.",
            broken.found, rules.name
        )
    };
    amounts.into_iter().flatten().map(sentence).collect()
}

/// A record that names this text and plays another game than it.
fn other_game(history: &History, rules: &RuleSet) -> Option<Infraction> {
    let wanted = rules.play.phh_variant;
    let claims_it = history.ruleset.as_deref() == Some(rules.name);
    (claims_it && history.variant != wanted).then(|| Infraction {
        rule: HandRule::Fields,
        found: format!("the record is of variant {} and names {}", history.variant, rules.name),
        allowed: format!("{wanted}, which the text of {} plays", rules.name),
    })
}

/// No ante at all: every text has all players pay one.
fn no_ante(history: &History, rules: &RuleSet) -> Option<Infraction> {
    let nobody_owes = history.stakes.antes.iter().all(|&ante| ante == 0);
    nobody_owes.then(|| Infraction {
        rule: HandRule::Antes,
        found: "nobody owes an ante".to_owned(),
        allowed: format!("an ante of every player, by the text of {}", rules.name),
    })
}

/// A bring-in above the small limit, or a big limit below it.
fn impossible_limits(history: &History, rules: &RuleSet, house: House) -> Option<Infraction> {
    let (bring_in, small, big) = (history.stakes.bring_in, history.stakes.small, history.stakes.big);
    let text = |amount| history.amount_text(amount);
    if history.bring_in_given && bring_in > small {
        let found = format!("the bring-in is {}", text(bring_in));
        let allowed = format!("at most the small limit of {}", text(small));
        return Some(Infraction { rule: HandRule::BringInAmount, found, allowed });
    }
    // Where the text fixes the big limit, that rule says it.
    let is_fixed = rules.play.big_limit == BigLimit::Double && house == House::Named;
    (!is_fixed && big < small).then(|| Infraction {
        rule: HandRule::Limits,
        found: format!("the limits are {} and {}", text(small), text(big)),
        allowed: format!("a big limit of at least {}", text(small)),
    })
}

/// Antes that differ, other than by an all-in.
fn unequal_antes(history: &History) -> Option<Infraction> {
    let most = history.stakes.antes.iter().copied().max()?;
    let is_all_in = |player: usize, ante: u64| {
        history.stakes.stacks[player].is_some_and(|stack| stack < most && ante >= stack)
    };
    let players = 0..history.players_total();
    let short = players.into_iter().find(|&player| {
        let ante = history.ante(player);
        ante < most && !is_all_in(player, ante)
    })?;
    Some(Infraction {
        rule: HandRule::Antes,
        found: format!("p{} owes an ante of {}", short + 1, history.amount_text(history.ante(short))),
        allowed: format!(
            "an ante of {}, as of the others, or all the chips there are",
            history.amount_text(most)
        ),
    })
}

fn wrong_big_limit(history: &History, rules: &RuleSet) -> Option<Infraction> {
    let (small, big) = (history.stakes.small, history.stakes.big);
    let is_wrong = rules.play.big_limit == BigLimit::Double && Some(big) != small.checked_mul(2);
    is_wrong.then(|| Infraction {
        rule: HandRule::Limits,
        found: format!("the limits are {} and {}", history.amount_text(small), history.amount_text(big)),
        allowed: format!("a big limit of {}", history.amount_text(small.saturating_mul(2))),
    })
}

fn wrong_bring_in(history: &History, rules: &RuleSet, stakes: &Stakes) -> Option<Infraction> {
    let wanted = match bring_in(history, rules, stakes) {
        BringIn::Wrong { wanted } if history.stakes.bring_in <= stakes.small => wanted,
        _ => return None,
    };
    Some(Infraction {
        rule: HandRule::BringInAmount,
        found: format!("the bring-in is {}", history.amount_text(stakes.bring_in)),
        allowed: format!("{}, by the text of {}", history.amount_text(wanted), rules.name),
    })
}

/// The bring-in of the record beside that of its text.
pub(super) enum BringIn {
    /// What the text says, or the text does not say.
    AsTheText,
    /// Half the small limit lies between two chips of this size, and was rounded.
    Rounded { unit: u64 },
    /// The same, but the record does not say that its chips are so large.
    RoundedTo { unit: u64 },
    /// Another amount than this.
    Wrong { wanted: u64 },
}

pub(super) fn bring_in(history: &History, rules: &RuleSet, stakes: &Stakes) -> BringIn {
    let (small, found) = (stakes.small, stakes.bring_in);
    let is_rounded = |unit: u64| {
        let step = unit.saturating_mul(2);
        !small.is_multiple_of(step) && [small / step * unit, small.div_ceil(step) * unit].contains(&found)
    };
    match rules.play.bring_in {
        BringInAmount::Explicit => BringIn::AsTheText,
        BringInAmount::Small if found == small => BringIn::AsTheText,
        BringInAmount::Small => BringIn::Wrong { wanted: small },
        BringInAmount::HalfSmall if found.checked_mul(2) == Some(small) => BringIn::AsTheText,
        BringInAmount::HalfSmall => {
            let unit = stakes.odd_chip_unit;
            let larger = || units(history).into_iter().find(|&unit| is_rounded(unit));
            match larger() {
                _ if is_rounded(unit) => BringIn::Rounded { unit },
                Some(unit) if !history.odd_chip_unit_given => BringIn::RoundedTo { unit },
                _ => BringIn::Wrong { wanted: small / 2 },
            }
        }
    }
}

/// A smallest chip that the record states and does not count in.
fn wrong_unit(history: &History) -> Option<Infraction> {
    let unit = history.stakes.odd_chip_unit;
    let amount = amounts(history).into_iter().find(|amount| amount % unit != 0)?;
    history.odd_chip_unit_given.then(|| Infraction {
        rule: HandRule::Unit,
        found: format!(
            "the record states chips of {} and has an amount of {}",
            history.amount_text(unit),
            history.amount_text(amount)
        ),
        allowed: "a chip that divides every amount".to_owned(),
    })
}

/// Every amount of a record.
fn amounts(history: &History) -> Vec<u64> {
    let stakes = &history.stakes;
    let ends = [&history.finishing_stacks, &history.winnings];
    let ends = ends.into_iter().flatten().flatten().flatten();
    let bets = history.lines.iter().filter_map(|line| match &line.action {
        Action::BetTo { amount, .. } => Some(amount),
        _ => None,
    });
    let fixed = [stakes.bring_in, stakes.small, stakes.big];
    let listed = stakes.stacks.iter().flatten().chain(&stakes.antes).chain(ends).chain(bets);
    listed.copied().chain(fixed).collect()
}

/// The chips that divide every amount of the record, from the smallest up.
pub(super) fn units(history: &History) -> Vec<u64> {
    let common = amounts(history).into_iter().fold(0, greatest_common_divisor);
    // Real tables have chips of round amounts; of huge numbers only small divisors are looked for.
    let small = (1..=DIVISOR_MAX.min(common)).filter(|divisor| common.is_multiple_of(*divisor));
    let mut units: Vec<u64> = small.flat_map(|divisor| [divisor, common / divisor]).collect();
    units.sort_unstable();
    units.dedup();
    units
}

/// Divisors up to this are tried, and their counterparts.
const DIVISOR_MAX: u64 = 1000;

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
