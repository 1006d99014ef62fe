//! How large an effect is, and how small a one so many decks can show, in sentences.

use crate::document::words::Words;
use deckproof_audit::certificate::effects::{CellLimits, CellSight, Effect};
use deckproof_deck::text::decimal::{thousands, times};

/// How large the effect is that a statistic saw.
pub fn effect_sentence(effect: Effect, words: &Words) -> String {
    let own = &words.verdict;
    match effect {
        Effect::Cell { count, decks, expected, percent, interval: [low, high], cells } => {
            let [expected, off, low, high] = [rounded(expected), signed(percent), signed(low), signed(high)]
                .map(|text| words.figures(&text));
            own.cell(count, decks, &expected, &off, &words.page.to(&low, &high), cells)
        }
        Effect::Mean { shift, interval: [low, high] } => {
            let [shift, low, high] = [shift, low, high].map(|value| words.figures(&format!("{value:+.4}")));
            own.mean(&shift, &low, &high)
        }
        Effect::Squares { times: ratio, interval } => {
            let figures = |ratio: f64| words.figures(&times(ratio));
            match interval {
                None => own.too_even(&figures(ratio)),
                Some([low, high]) => own.squares(&figures(ratio), &figures(low), &figures(high)),
            }
        }
    }
}

/// How far a cell of card × place must be off before so many decks question or convict.
pub fn sight_sentence(sight: CellSight, words: &Words) -> String {
    let CellSight { decks, questioned, convicted } = sight;
    let own = &words.verdict;
    let limits = |limits: CellLimits| {
        let figures = |value: f64| words.figures(&rounded(value));
        limits.below.filter(|below| *below < 100.0).map_or_else(
            || own.off_above(&figures(limits.above)),
            |below| own.off(&figures(limits.above), &figures(below)),
        )
    };
    let sentence = match questioned {
        None => own.sight_repeat(decks, &limits(convicted)),
        Some(questioned) => own.sight(decks, &limits(questioned), &limits(convicted)),
    };
    // The lowest count that convicts may be 0, which is certain where the card never comes.
    match convicted.below {
        Some(below) if below < 100.0 => sentence,
        Some(_) => format!("{sentence} {}", own.sight_never),
        None => format!("{sentence} {}", own.sight_empty),
    }
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
    use crate::document::words::Language;

    #[test]
    fn an_effect_is_given_with_its_interval() {
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
                "Effect: the mean is off by −0.2000 standard deviations of one deck (99 % interval −0.2859 to −0.1141).",
            ),
            (
                Effect::Squares { times: 2.0, interval: Some([1.881, 2.129]) },
                "Effect: the squared departures of its cells sum to 2.000 times what chance gives (99 % interval 1.881 to 2.129).",
            ),
        ] {
            assert_eq!(effect_sentence(effect, Language::English.words()), words);
        }
    }

    #[test]
    fn a_limit_is_named_as_what_is_seen() {
        let [low, high] = [40.0, 50.0].map(|above| CellLimits { above, below: Some(above) });
        let sight = CellSight { decks: 20_000, questioned: Some(low), convicted: high };
        let words = Language::English.words();
        let first = sight_sentence(sight, words);
        assert!(
            first.contains("leads to INVESTIGATE if it comes +")
                && first.contains(" % or −")
                && first.contains("every second time"),
            "{first}"
        );
        // Where 0 is the lowest count that convicts, a card that never comes is no matter of every second time.
        let empty = CellSight { convicted: CellLimits { below: Some(100.0), ..high }, ..sight };
        let empty = sight_sentence(empty, words);
        assert!(
            empty.contains("to FAIL from +50.0 % on.") && empty.ends_with("always leads to FAIL."),
            "{empty}"
        );
        let repeat = sight_sentence(CellSight { questioned: None, ..sight }, words);
        assert!(
            repeat.contains("leads to FAIL if it comes +")
                && repeat.contains(" % or −")
                && repeat.contains("every second time"),
            "{repeat}"
        );
    }
}
