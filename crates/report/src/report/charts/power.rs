//! Power curves: the share of audits that reject each flawed shuffler, by number of decks.

use crate::document::figure::PowerCurve;
use crate::document::words::Words;
use crate::report::charts::scale::Scale;
use crate::report::charts::{Frame, Picture, dots, label, line, through, turned};

const WIDTH: f64 = 660.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 440.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 330.0;
const HEIGHT: f64 = BOTTOM + 52.0;
/// From this share on a shuffler counts as detected.
const DETECTED_SHARE: f64 = 0.5;
/// Room for one name beside the curves.
const NAME_HEIGHT: f64 = 15.0;
/// More curves than names fit beside them cannot be distinguished.
pub(super) const CURVES_MAX: usize = 20;
/// Marks that tell curves apart without colour: dash patterns in turn.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// Draws the curves; only the first [`CURVES_MAX`].
pub(super) fn draw(
    curves: &[PowerCurve],
    decks: u64,
    id: &str,
    name: &str,
    words: &Words,
) -> Option<Picture> {
    let curves = &curves[..curves.len().min(CURVES_MAX)];
    let all = curves.iter().flat_map(|curve| &curve.points).map(|&(decks, _)| exponent(decks));
    let low = all.clone().fold(f64::INFINITY, f64::min).min(exponent(decks)).floor();
    let high = all.fold(f64::NEG_INFINITY, f64::max).max(exponent(decks)).ceil();
    if curves.iter().all(|curve| curve.points.is_empty()) {
        return None;
    }
    let horizontal = Scale::new((low, high), (LEFT, RIGHT));
    let vertical = Scale::new((0.0, 1.0), (BOTTOM, TOP));
    let mut body = frame(&horizontal, &vertical, (low, high), words);
    let here = horizontal.at(exponent(decks));
    body.push_str(&line("limit", (here, BOTTOM), (here, TOP)));
    body.push_str(&label("tick middle", here, TOP - 12.0, words.chart.this_plan));
    body.push_str(&lines(curves, &horizontal, &vertical));
    let frame = Frame { id, kind: "plot", width: WIDTH, height: HEIGHT };
    let detected = curves.iter().filter(|curve| is_detected(curve, decks)).count() as u64;
    Some(Picture {
        id: id.to_string(),
        svg: frame.around(&body),
        title: words.chart.power_title(name),
        caption: words.chart.power_caption(curves.len() as u64, decks, &words.number(detected)),
        kind: "wide",
    })
}

fn exponent(decks: u64) -> f64 {
    libm::log10(decks.max(1) as f64)
}

fn is_detected(curve: &PowerCurve, decks: u64) -> bool {
    curve.points.iter().any(|&(needed, share)| needed <= decks && DETECTED_SHARE <= share)
}

fn frame(horizontal: &Scale, vertical: &Scale, (low, high): (f64, f64), words: &Words) -> String {
    let mut body = String::new();
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = vertical.at(tick);
        body.push_str(&line("grid", (LEFT, y), (RIGHT, y)));
        body.push_str(&label("tick end", LEFT - 5.0, y + 4.0, &words.percent(tick, 0)));
    }
    for power in low as i32..=high as i32 {
        let x = horizontal.at(f64::from(power));
        body.push_str(&line("grid", (x, BOTTOM), (x, BOTTOM + 4.0)));
        body.push_str(&label("tick middle", x, BOTTOM + 16.0, &number_of_decks(power, words)));
    }
    body.push_str(&line("rule", (LEFT, BOTTOM), (RIGHT, BOTTOM)));
    body.push_str(&label("axis middle", (LEFT + RIGHT) / 2.0, BOTTOM + 38.0, words.chart.power_decks));
    body + &turned(13.0, (TOP + BOTTOM) / 2.0, words.chart.power_share)
}

/// `1,000`, and from there on `10⁴`: longer numbers would touch.
fn number_of_decks(power: i32, words: &Words) -> String {
    const RAISED: [&str; 10] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
    match power {
        0..=3 => words.number(10u64.pow(power as u32)),
        _ => format!("10{}", RAISED.get(power as usize).copied().unwrap_or("⁺")),
    }
}

/// Each curve in one of four colours and dash patterns, with a leader to its name at the right.
fn lines(curves: &[PowerCurve], horizontal: &Scale, vertical: &Scale) -> String {
    let mut body = String::new();
    for (place, curve) in curves.iter().enumerate() {
        let points: Vec<(f64, f64)> = curve
            .points
            .iter()
            .map(|&(decks, share)| (horizontal.at(exponent(decks)), vertical.at(share)))
            .collect();
        let class = format!("curve{}", place % 5);
        let dash = match DASHES[place / 5 % DASHES.len()] {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        body.push_str(&format!("<path class=\"{class}\"{dash} d=\"{}\"/>", through(&points)));
        body.push_str(&format!("<path class=\"dot{}\" d=\"{}\"/>", place % 5, dots(&points)));
        let y = TOP + NAME_HEIGHT * place as f64;
        body.push_str(&format!(
            "<path class=\"{class}\"{dash} d=\"{}\"/>",
            through(&[(RIGHT + 14.0, y), (RIGHT + 44.0, y)])
        ));
        let name: String = curve.name.chars().take(30).collect();
        body.push_str(&label("tick", RIGHT + 50.0, y + 4.0, &name));
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::words::Language;

    fn curve(points: &[(u64, f64)]) -> PowerCurve {
        PowerCurve { name: "a<b".to_owned(), points: points.to_vec() }
    }

    #[test]
    fn half_of_the_audits_within_the_plan_are_a_detection() {
        let words = Language::English.words();
        let curves = [curve(&[(100, 0.1), (1_000, 0.5)]), curve(&[(1_000, 0.49), (10_000, 1.0)]), curve(&[])];
        let picture = draw(&curves, 1_000, "power", "Power", words).expect("there are points");
        assert!(picture.caption.contains("rejected 1 of them"), "{}", picture.caption);
        assert!(picture.svg.contains("a&lt;b"), "names are escaped");
        // 100 decks lie at the left, 10,000 at the right, 1,000 in the middle of 60..440; a half between 330 and 34.
        assert!(picture.svg.contains("M60 300.4L250 182\""), "{}", picture.svg);
        assert!(draw(&[curve(&[])], 10, "power", "Power", words).is_none());
    }
}
