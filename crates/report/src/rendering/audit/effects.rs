//! How large an effect is, and how small a one so many decks can show, in sentences.

use deckproof_audit::certificate::effects::{CellLimits, CellSight, Effect};
use deckproof_stats::math::decimal::{thousands, times};

/// How large the effect is that a statistic saw.
pub fn effect_sentence(effect: Effect) -> String {
    match effect {
        Effect::Cell { count, decks, expected, percent, interval: [low, high], cells } => format!(
            "Effect: the strongest cell has {} of {} decks where {} are expected, {} % (99 % interval {} to {} %, the choice among {} cells allowed for).",
            thousands(count),
            thousands(decks),
            rounded(expected),
            signed(percent),
            signed(low),
            signed(high),
            thousands(cells)
        ),
        Effect::Mean { shift, interval: [low, high] } => format!(
            "Effect: the mean is off by {shift:+.4} standard deviations of one deck (99 % interval {low:+.4} to {high:+.4})."
        ),
        Effect::Squares { times: ratio, interval: None } => format!(
            "Effect: the squared departures of its cells sum to {} times what chance gives, which is too even.",
            times(ratio)
        ),
        Effect::Squares { times: ratio, interval: Some([low, high]) } => format!(
            "Effect: the squared departures of its cells sum to {} times what chance gives (99 % interval {} to {}).",
            times(ratio),
            times(low),
            times(high)
        ),
    }
}

/// How far a cell of card × place must be off before so many decks question or convict.
pub fn sight_sentence(sight: CellSight) -> String {
    let CellSight { decks, questioned, convicted } = sight;
    let (decks, from) = (thousands(decks), limits(convicted));
    let said = match questioned {
        None => format!("convicts if it is seen there {from} off its expected number"),
        Some(questioned) => format!(
            "is questioned if it is seen there {} off its expected number, and convicts from {from}",
            limits(questioned)
        ),
    };
    let but_for = match convicted.below {
        Some(_) => "",
        None => " A card that never comes there does not convict.",
    };
    format!(
        "With {decks} decks, one card at one place {said}. A true fault of that size is found every second time.{but_for}"
    )
}

fn limits(limits: CellLimits) -> String {
    let above = rounded(limits.above);
    limits.below.map_or_else(|| format!("+{above} %"), |below| format!("+{above} % or −{} %", rounded(below)))
}

fn signed(per_cent: f64) -> String {
    let text = rounded(per_cent.abs());
    format!("{}{text}", if per_cent < 0.0 { "−" } else { "+" })
}

/// With about three digits.
fn rounded(value: f64) -> String {
    match value {
        value if value >= 1_000.0 => thousands(value.round() as u64),
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_told_with_its_interval() {
        for (effect, words) in [
            (
                Effect::Cell {
                    count: 250,
                    decks: 10_000,
                    expected: 192.3,
                    percent: 30.0,
                    interval: [-4.26, 71.49],
                    cells: 2_704,
                },
                "Effect: the strongest cell has 250 of 10,000 decks where 192 are expected, +30.0 % (99 % interval −4.26 to +71.5 %, the choice among \
                 2,704 cells allowed for).",
            ),
            (
                Effect::Mean { shift: -0.2, interval: [-0.285_86, -0.114_14] },
                "Effect: the mean is off by -0.2000 standard deviations of one deck (99 % interval -0.2859 to -0.1141).",
            ),
            (
                Effect::Squares { times: 2.0, interval: Some([1.881, 2.129]) },
                "Effect: the squared departures of its cells sum to 2.000 times what chance gives (99 % interval 1.881 to 2.129).",
            ),
        ] {
            assert_eq!(effect_sentence(effect), words);
        }
    }

    #[test]
    fn a_limit_is_told_to_be_what_is_seen() {
        let [low, high] = [40.0, 50.0].map(|above| CellLimits { above, below: Some(above) });
        let sight = CellSight { decks: 20_000, questioned: Some(low), convicted: high };
        let first = sight_sentence(sight);
        assert!(
            first.contains("is questioned if it is seen there +")
                && first.contains(" % or −")
                && first.contains("every second time"),
            "{first}"
        );
        let repeat = sight_sentence(CellSight { questioned: None, ..sight });
        assert!(
            repeat.contains("convicts if it is seen there +")
                && repeat.contains(" % or −")
                && repeat.contains("every second time"),
            "{repeat}"
        );
    }
}
