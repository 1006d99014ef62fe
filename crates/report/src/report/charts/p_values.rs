//! All p-values in order of size against the line of independent uniform ones.

use crate::document::words::Words;
use crate::report::charts::scale::Scale;
use crate::report::charts::{Frame, Picture, dots, label, line, turned};

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = HEIGHT - 52.0;
/// Smaller p-values stand on the lower edge: a deeper scale would press the ordinary ones together.
const EXPONENT_MIN: f64 = -20.0;

/// Draws both pictures, the plain one and the one that magnifies small p-values; `id` is unique on the page.
pub(in crate::report) fn draw(p_values: &[f64], level: f64, id: &str, words: &Words) -> Vec<Picture> {
    let mut sorted: Vec<f64> = p_values.iter().copied().filter(|p| !p.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() {
        Vec::new()
    } else {
        vec![plain(&sorted, id, words), magnified(&sorted, level, &format!("{id}-small"), words)]
    }
}

/// Each p-value with the one expected at its rank, the middle of its share of 0..1.
fn ranked(sorted: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    sorted.iter().enumerate().map(|(rank, &p)| ((rank as f64 + 0.5) / sorted.len() as f64, p))
}

fn plain(sorted: &[f64], id: &str, words: &Words) -> Picture {
    let horizontal = Scale::new((0.0, 1.0), (LEFT, RIGHT));
    let vertical = Scale::new((0.0, 1.0), (BOTTOM, TOP));
    let mut body = String::new();
    for tick in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
        let (x, y, text) = (horizontal.at(tick), vertical.at(tick), words.decimal(tick, 1));
        body.push_str(&line("grid", (LEFT, y), (RIGHT, y)));
        body.push_str(&label("tick end", LEFT - 5.0, y + 4.0, &text));
        body.push_str(&label("tick middle", x, BOTTOM + 16.0, &text));
    }
    body.push_str(&line("null", (LEFT, BOTTOM), (RIGHT, TOP)));
    let points: Vec<(f64, f64)> = ranked(sorted).map(|(x, p)| (horizontal.at(x), vertical.at(p))).collect();
    body.push_str(&axes(&points, words));
    let below = |limit: f64| sorted.iter().filter(|&&p| p <= limit).count() as u64;
    let caption = words.chart.p_values_caption(sorted.len() as u64, below(0.1), below(0.5));
    picture(id, words.chart.p_values_title, &body, caption)
}

fn magnified(sorted: &[f64], level: f64, id: &str, words: &Words) -> Picture {
    let exponent = |p: f64| if p <= 0.0 { EXPONENT_MIN } else { libm::log10(p).max(EXPONENT_MIN) };
    let each = exponent(level / sorted.len() as f64);
    let lowest = exponent(sorted[0]).min(each - 0.5).floor();
    let first = exponent(0.5 / sorted.len() as f64);
    let horizontal = Scale::new((first.floor().min(-1.0), 0.0), (LEFT, RIGHT));
    let vertical = Scale::new((lowest, 0.0), (BOTTOM, TOP));
    let mut body = String::new();
    for tick in whole(vertical.ticks(6)) {
        body.push_str(&line("grid", (LEFT, vertical.at(tick)), (RIGHT, vertical.at(tick))));
        body.push_str(&label("tick end", LEFT - 5.0, vertical.at(tick) + 4.0, &power(tick, words)));
    }
    for tick in whole(horizontal.ticks(4)) {
        body.push_str(&label("tick middle", horizontal.at(tick), BOTTOM + 16.0, &power(tick, words)));
    }
    body.push_str(&line("limit", (LEFT, vertical.at(each)), (RIGHT, vertical.at(each))));
    let start = (horizontal.at(first), vertical.at(first));
    body.push_str(&line("null", start, (RIGHT, TOP)));
    let points: Vec<(f64, f64)> =
        ranked(sorted).map(|(x, p)| (horizontal.at(exponent(x)), vertical.at(exponent(p)))).collect();
    body.push_str(&axes(&points, words));
    let edge = match sorted.iter().filter(|&&p| exponent(p) <= EXPONENT_MIN).count() as u64 {
        0 => String::new(),
        count => format!(" {}", words.chart.on_the_edge(count)),
    };
    let count = sorted.len() as u64;
    let caption = words.chart.magnified_caption(
        count,
        &words.p_value(sorted[0]),
        &words.p_value(level / count as f64),
        &words.p_value(level),
    ) + &edge;
    picture(id, words.chart.magnified_title, &body, caption)
}

fn picture(id: &str, title: &str, body: &str, caption: String) -> Picture {
    let frame = Frame { id, kind: "plot", width: WIDTH, height: HEIGHT };
    Picture { id: id.to_string(), svg: frame.around(body), title: title.to_string(), caption, kind: "half" }
}

/// The points and the names of both axes.
fn axes(points: &[(f64, f64)], words: &Words) -> String {
    let middle = (TOP + BOTTOM) / 2.0;
    [
        line("rule", (LEFT, BOTTOM), (RIGHT, BOTTOM)),
        format!("<path class=\"point\" d=\"{}\"/>", dots(points)),
        label("axis middle", (LEFT + RIGHT) / 2.0, BOTTOM + 38.0, words.chart.expected_p_value),
        turned(15.0, middle, words.chart.p_value_found),
    ]
    .concat()
}

/// The ticks that are whole powers of ten.
fn whole(ticks: Vec<f64>) -> impl Iterator<Item = f64> {
    ticks.into_iter().filter(|tick| tick.fract().abs() <= 0.0)
}

/// `0.01`, `1e-6`.
fn power(exponent: f64, words: &Words) -> String {
    match exponent {
        small if small < -3.5 => format!("1e{small}"),
        large => words.decimal(libm::pow(10f64, large), (-large).max(0.0) as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::words::Language;

    #[test]
    fn uniform_p_values_stand_on_the_line() {
        let picture = plain(&[0.25, 0.75], "p-values", Language::English.words());
        // A quarter and three quarters of 380 units to the right and of 304 units up.
        assert!(picture.svg.contains("M161 252h0M351 100h0"), "{}", picture.svg);
    }

    #[test]
    fn the_order_of_the_plan_does_not_matter() {
        let [a, b] = [[0.5, 1e-30, 0.02], [0.02, 0.5, 1e-30]]
            .map(|p| draw(&p, 0.01, "p-values", Language::English.words()));
        for (a, b) in a.iter().zip(&b) {
            assert_eq!(a.svg, b.svg);
        }
        assert!(a[1].caption.contains("On the lower edge: 1 of 1e-20 or less."));
    }
}
