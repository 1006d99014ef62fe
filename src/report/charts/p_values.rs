//! All p-values in order of size against the line of independent uniform ones.

use crate::report::charts::scale::Scale;
use crate::report::charts::{Frame, Picture, dots, label, line};
use crate::report::numbers;

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = HEIGHT - 52.0;
/// Nothing smaller is drawn: the smallest normal double.
const EXPONENT_MIN: f64 = -307.0;

/// Draws both pictures, the plain one and the one that magnifies small p-values.
pub(in crate::report) fn draw(p_values: &[f64], level: f64) -> Vec<Picture> {
    let mut sorted: Vec<f64> = p_values.iter().copied().filter(|p| !p.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() { Vec::new() } else { vec![plain(&sorted), magnified(&sorted, level)] }
}

/// Each p-value with the one expected at its rank, the middle of its share of 0..1.
fn ranked(sorted: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    sorted.iter().enumerate().map(|(rank, &p)| ((rank as f64 + 0.5) / sorted.len() as f64, p))
}

fn plain(sorted: &[f64]) -> Picture {
    let horizontal = Scale::new((0.0, 1.0), (LEFT, RIGHT));
    let vertical = Scale::new((0.0, 1.0), (BOTTOM, TOP));
    let mut body = String::new();
    for tick in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
        let (x, y, text) = (horizontal.at(tick), vertical.at(tick), numbers::decimal(tick, 1));
        body.push_str(&line("grid", (LEFT, y), (RIGHT, y)));
        body.push_str(&label("tick end", LEFT - 5.0, y + 4.0, &text));
        body.push_str(&label("tick middle", x, BOTTOM + 16.0, &text));
    }
    body.push_str(&line("null", (LEFT, BOTTOM), (RIGHT, TOP)));
    let points: Vec<(f64, f64)> = ranked(sorted).map(|(x, p)| (horizontal.at(x), vertical.at(p))).collect();
    body.push_str(&axes(&points));
    let below = |limit: f64| sorted.iter().filter(|&&p| p <= limit).count() as u64;
    let caption = format!(
        "The {} p-values of this run, sorted. {} are 0.1 or less, {} are 0.5 or less. Independent p-values of a \
         fair shuffle scatter about the line; these share the same decks, and proven bounds are larger than they \
         need be, so points above the line mean nothing and points far below it are the ones to look at.",
        numbers::grouped(sorted.len() as u64),
        numbers::grouped(below(0.1)),
        numbers::grouped(below(0.5)),
    );
    let title = "Sorted p-values against the uniform line";
    let frame =
        Frame { id: "p-values", kind: "plot", width: WIDTH, height: HEIGHT, title, description: &caption };
    Picture { svg: frame.around(&body), caption, kind: "half" }
}

fn magnified(sorted: &[f64], level: f64) -> Picture {
    let exponent = |p: f64| if p <= 0.0 { EXPONENT_MIN } else { p.log10().max(EXPONENT_MIN) };
    let lowest = exponent(sorted[0]).min(-3.0).floor();
    let first = exponent(0.5 / sorted.len() as f64);
    let horizontal = Scale::new((first.floor().min(-1.0), 0.0), (LEFT, RIGHT));
    let vertical = Scale::new((lowest, 0.0), (BOTTOM, TOP));
    let mut body = String::new();
    for tick in vertical.ticks(6) {
        body.push_str(&line("grid", (LEFT, vertical.at(tick)), (RIGHT, vertical.at(tick))));
        body.push_str(&label("tick end", LEFT - 5.0, vertical.at(tick) + 4.0, &power(tick)));
    }
    for tick in horizontal.ticks(4).into_iter().filter(|tick| tick.fract().abs() <= 0.0) {
        body.push_str(&label("tick middle", horizontal.at(tick), BOTTOM + 16.0, &power(tick)));
    }
    let each = exponent(level / sorted.len() as f64);
    body.push_str(&line("limit", (LEFT, vertical.at(each)), (RIGHT, vertical.at(each))));
    let start = (horizontal.at(first), vertical.at(first));
    body.push_str(&line("null", start, (RIGHT, TOP)));
    let points: Vec<(f64, f64)> =
        ranked(sorted).map(|(x, p)| (horizontal.at(exponent(x)), vertical.at(exponent(p)))).collect();
    body.push_str(&axes(&points));
    let caption = format!(
        "The same p-values, the small ones magnified: each step of the scale is a power of ten. The smallest of \
         {} is {}. The dashed line marks {}, the level {} shared equally among all of them, for orientation: the \
         verdict shares it by the rule below.",
        numbers::grouped(sorted.len() as u64),
        numbers::p_value(sorted[0]),
        numbers::p_value(level / sorted.len() as f64),
        level,
    );
    let title = "Sorted p-values against the uniform line, magnified";
    let frame = Frame {
        id: "p-values-small",
        kind: "plot",
        width: WIDTH,
        height: HEIGHT,
        title,
        description: &caption,
    };
    Picture { svg: frame.around(&body), caption, kind: "half" }
}

/// The points and the names of both axes.
fn axes(points: &[(f64, f64)]) -> String {
    let middle = (TOP + BOTTOM) / 2.0;
    [
        line("rule", (LEFT, BOTTOM), (RIGHT, BOTTOM)),
        format!("<path class=\"point\" d=\"{}\"/>", dots(points)),
        label("axis middle", (LEFT + RIGHT) / 2.0, BOTTOM + 38.0, "expected p-value at this rank, if uniform"),
        format!(
            "<text class=\"axis middle\" transform=\"translate(15 {middle}) rotate(-90)\">p-value found</text>"
        ),
    ]
    .concat()
}

/// `0.01`, `10⁻⁶`.
fn power(exponent: f64) -> String {
    match exponent {
        small if small < -3.5 => numbers::p_value(10f64.powf(small))
            .split_once("× ")
            .map_or_else(String::new, |(_, p)| p.to_string()),
        large => format!("{:.*}", (-large).max(0.0) as usize, 10f64.powf(large)),
    }
}
