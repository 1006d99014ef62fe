//! A histogram with the distribution a fair shuffle would give drawn over it.

use std::f64::consts::PI;

use crate::document::words::Words;
use crate::report::charts::heat_map::{Cell, NORMAL_EXPECTED_MIN, Table};
use crate::report::charts::scale::Scale;
use crate::report::charts::{Frame, Picture, at, dots, label, line, rectangle, segment, strokes, through};

const WIDTH: f64 = 460.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = WIDTH - 10.0;
const BARS_TOP: f64 = 30.0;
const BARS_BOTTOM: f64 = 200.0;
/// The strip under the bars: differences in standard deviations.
const STRIP_TOP: f64 = 250.0;
const STRIP_BOTTOM: f64 = 320.0;
/// More bars than this are thinner than a finger on a phone is patient; neighbours are pooled.
const BARS_MAX: usize = 48;
/// A bar below this share of the highest cannot be seen; such tails are cut off and described in words.
const VISIBLE_SHARE: f64 = 0.002;
/// Below this expectation a difference in standard deviations misleads (Cochran 1954, section 4).
const STRIP_EXPECTED_MIN: f64 = 5.0;

/// A histogram to be drawn.
pub(in crate::report) struct Bars {
    words: &'static Words,
    axis: String,
    bars: Vec<Bar>,
    /// What the line over the bars is.
    null: &'static str,
    /// Independent observations have a standard deviation per bar; cells of a table do not.
    has_strip: bool,
    /// What is counted.
    unit: &'static str,
}

/// Values `first..=last` pooled into one bar.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    first: f64,
    last: f64,
    observed: u64,
    expected: f64,
}

impl Bar {
    fn name(&self, words: &Words) -> String {
        if self.first < self.last {
            words.chart.range(&value(self.first, words), &value(self.last, words))
        } else {
            value(self.first, words)
        }
    }
}

/// A value on the axis, to a tenth; whole numbers without decimals.
fn value(x: f64, words: &Words) -> String {
    let text = words.decimal(x, 1);
    text.strip_suffix(&format!("{}0", words.numbers.mark)).map_or(text.clone(), str::to_string)
}

impl Bars {
    /// The histogram of a statistic; `None` if the exhibit is torn or empty.
    pub(in crate::report) fn of_values(
        words: &'static Words,
        axis: &str,
        values: &[f64],
        observed: &[u64],
        expected: &[f64],
    ) -> Option<Bars> {
        let is_whole = values.len() == observed.len() && values.len() == expected.len();
        let bar = |((&value, &observed), &expected)| Bar { first: value, last: value, observed, expected };
        let bars: Vec<Bar> = values.iter().zip(observed).zip(expected).map(bar).collect();
        let has_something = bars.iter().any(|bar| bar.observed > 0 || bar.expected > 0.0);
        let axis = words.histogram_axis(axis).to_owned();
        let null = words.chart.fair_shuffle;
        // A deck, a pair of decks or a hand gives a value; of some statistics not every deck does.
        let unit = words.chart.values;
        (is_whole && has_something).then_some(Bars { words, axis, bars, null, has_strip: true, unit })
    }

    /// How often the cells of a table lie how far from their expectation; `None` where the counts are
    /// too small for the normal curve.
    pub(in crate::report) fn of_residuals(table: &Table) -> Option<Bars> {
        if !(table.is_drawable() && NORMAL_EXPECTED_MIN <= table.expected) {
            return None;
        }
        let cells: Vec<Cell> = table.cells().collect();
        // Bars of whole counts: a width in standard deviations would beat against the lattice of counts.
        let width = (table.deviation / 2.0).round().max(1.0);
        let reach = (4.0 * table.deviation / width).ceil() as i64;
        let mut bars: Vec<Bar> = (-reach..=reach)
            .map(|step| {
                let z = step as f64 * width / table.deviation;
                let density = libm::exp(-z * z / 2.0) / (2.0 * PI).sqrt();
                let expected = cells.len() as f64 * density * width / table.deviation;
                Bar { first: z, last: z, observed: 0, expected }
            })
            .collect();
        for cell in &cells {
            let step = (cell.residual * table.deviation / width).round() as i64;
            bars[(step.clamp(-reach, reach) + reach) as usize].observed += 1;
        }
        let words = table.words;
        let axis = words.chart.deviations_from_expected.to_string();
        let (null, unit) = (words.chart.normal_curve, words.chart.cells);
        Some(Bars { words, axis, bars, null, has_strip: false, unit })
    }
}

/// Draws the histogram; `name` is the test's, `id` unique on the page.
pub(in crate::report) fn draw(histogram: &Bars, id: &str, name: &str) -> Picture {
    let pooled = pool(&histogram.bars);
    // Cells far off are gathered in the outermost bars, which are drawn however low they are.
    let shown = if histogram.has_strip { visible(&pooled) } else { &pooled };
    let caption = caption(histogram, &pooled, shown);
    let title = histogram.words.chart.histogram_title(name, &histogram.axis);
    let height = if histogram.has_strip { STRIP_BOTTOM + 24.0 } else { BARS_BOTTOM + 44.0 };
    let frame = Frame { id, kind: "plot", width: WIDTH, height };
    let total: u64 = pooled.iter().map(|bar| bar.observed).sum();
    let mut body = bars(histogram, shown);
    if histogram.has_strip {
        body.push_str(&strip(shown, total as f64, histogram.words));
    }
    Picture { id: id.to_string(), svg: frame.around(&body), title, caption, kind: "half" }
}

/// Joins neighbours until at most [`BARS_MAX`] visible bars are left.
fn pool(bars: &[Bar]) -> Vec<Bar> {
    let group = visible(bars).len().div_ceil(BARS_MAX).max(1);
    let join = |bars: &[Bar]| Bar {
        first: bars[0].first,
        last: bars[bars.len() - 1].last,
        observed: bars.iter().map(|bar| bar.observed).sum(),
        expected: bars.iter().map(|bar| bar.expected).sum(),
    };
    bars.chunks(group).map(join).collect()
}

/// The bars between the first and the last that can be seen.
fn visible(bars: &[Bar]) -> &[Bar] {
    let limit = VISIBLE_SHARE * highest(bars);
    let is_visible = |bar: &Bar| limit <= bar.expected.max(bar.observed as f64);
    let first = bars.iter().position(is_visible).unwrap_or(0);
    let last = bars.iter().rposition(is_visible).map_or(bars.len(), |last| last + 1);
    &bars[first..last]
}

fn highest(bars: &[Bar]) -> f64 {
    bars.iter().map(|bar| bar.expected.max(bar.observed as f64)).fold(0.0, f64::max)
}

/// The horizontal middle of each bar, and the width of one.
fn columns(bars: &[Bar]) -> (Vec<f64>, f64) {
    let width = (RIGHT - LEFT) / bars.len() as f64;
    ((0..bars.len()).map(|place| LEFT + width * (place as f64 + 0.5)).collect(), width)
}

fn bars(histogram: &Bars, shown: &[Bar]) -> String {
    let vertical = Scale::new((0.0, 1.05 * highest(shown)), (BARS_BOTTOM, BARS_TOP));
    let (middles, width) = columns(shown);
    let (mut body, mut grid) = (String::new(), String::new());
    for tick in vertical.ticks(4) {
        let y = vertical.at(tick);
        grid.push_str(&segment((LEFT, y), (RIGHT, y)));
        body.push_str(&label("tick end", LEFT - 5.0, y + 4.0, &value(tick, histogram.words)));
    }
    body.push_str(&strokes("grid", &grid));
    let bar = |(bar, &middle): (&Bar, &f64)| {
        upright(middle, BARS_BOTTOM, vertical.at(bar.observed as f64) - BARS_BOTTOM)
    };
    let path: String = shown.iter().zip(&middles).map(bar).collect();
    body.push_str(&uprights("bars", 0.84 * width, &path));
    let null: Vec<(f64, f64)> =
        shown.iter().zip(&middles).map(|(bar, &middle)| (middle, vertical.at(bar.expected))).collect();
    body.push_str(&format!("<path class=\"null\" d=\"{}\"/>", through(&null)));
    body.push_str(&format!("<path class=\"nulldot\" d=\"{}\"/>", dots(&null)));
    body.push_str(&value_labels(shown, &middles, width, histogram.words));
    body.push_str(&label("axis middle", (LEFT + RIGHT) / 2.0, BARS_BOTTOM + 33.0, &histogram.axis));
    body + &legend(histogram)
}

/// A bar as part of a path of [`uprights`].
fn upright(x: f64, y: f64, height: f64) -> String {
    format!("M{} {}v{}", at(x), at(y), at(height))
}

/// Bars as the strokes of one path: half as long as their outlines.
fn uprights(class: &str, width: f64, path: &str) -> String {
    format!("<path class=\"{class}\" stroke-width=\"{}\" d=\"{path}\"/>", at(width))
}

/// Values under the bars, so many that they do not touch.
fn value_labels(shown: &[Bar], middles: &[f64], width: f64, words: &Words) -> String {
    let places = if shown.iter().any(|bar| bar.first < bar.last) {
        round_places(shown, words)
    } else {
        bar_places(shown, middles, width, words)
    };
    let (mut body, mut grid) = (String::new(), String::new());
    for (x, text) in places {
        grid.push_str(&segment((x, BARS_BOTTOM), (x, BARS_BOTTOM + 4.0)));
        body.push_str(&label("tick middle", x, BARS_BOTTOM + 16.0, &text));
    }
    body + &strokes("grid", &grid) + &line("rule", (LEFT, BARS_BOTTOM), (RIGHT, BARS_BOTTOM))
}

/// Round values under pooled bars, whose own names would be crooked.
fn round_places(shown: &[Bar], words: &Words) -> Vec<(f64, String)> {
    let horizontal = Scale::new((shown[0].first, shown[shown.len() - 1].last), (LEFT, RIGHT));
    horizontal.ticks(6).into_iter().map(|tick| (horizontal.at(tick), value(tick, words))).collect()
}

/// The values of the bars themselves; the middle one is named, so that a symmetric histogram has
/// symmetric labels.
fn bar_places(shown: &[Bar], middles: &[f64], width: f64, words: &Words) -> Vec<(f64, String)> {
    const LABEL_WIDTH: f64 = 40.0;
    let every = (LABEL_WIDTH / width).ceil().max(1.0) as usize;
    let named = shown.iter().zip(middles).skip((shown.len() / 2) % every).step_by(every);
    named.map(|(bar, &middle)| (middle, value(bar.first, words))).collect()
}

fn legend(histogram: &Bars) -> String {
    let box_at = rectangle(LEFT, 7.0, 12.0, 12.0);
    let line_at = (LEFT + 160.0, 13.0);
    [
        format!("<path class=\"bar\" d=\"{box_at}\"/>"),
        label("tick", LEFT + 18.0, 17.0, &histogram.words.chart.seen(histogram.unit)),
        line("null", line_at, (line_at.0 + 24.0, line_at.1)),
        format!("<path class=\"nulldot\" d=\"{}\"/>", dots(&[(line_at.0 + 12.0, line_at.1)])),
        label("tick", line_at.0 + 30.0, 17.0, &histogram.words.chart.expected(histogram.null)),
    ]
    .concat()
}

/// Difference of a bar in standard deviations: each of `total` decks falls into the bar or not.
fn difference(bar: &Bar, total: f64) -> Option<f64> {
    let variance = bar.expected * (1.0 - bar.expected / total);
    let is_normal = STRIP_EXPECTED_MIN <= bar.expected && 0.0 < variance;
    is_normal.then(|| (bar.observed as f64 - bar.expected) / variance.sqrt())
}

fn strip(shown: &[Bar], total: f64, words: &Words) -> String {
    let differences: Vec<Option<f64>> = shown.iter().map(|bar| difference(bar, total)).collect();
    let reach = differences.iter().flatten().fold(3.0, |reach: f64, z| reach.max(z.abs()));
    let vertical = Scale::new((-reach, reach), (STRIP_BOTTOM, STRIP_TOP));
    let (middles, width) = columns(shown);
    let mut body = String::new();
    let tick = if reach <= 5.0 { 2.0 } else { reach.floor() };
    for tick in [-tick, 0.0, tick] {
        let y = vertical.at(tick);
        body.push_str(&line(if tick == 0.0 { "rule" } else { "grid" }, (LEFT, y), (RIGHT, y)));
        let sign = if tick > 0.0 { "+" } else { "" };
        let text = format!("{sign}{}", words.decimal(tick, 0));
        body.push_str(&label("tick end", LEFT - 5.0, y + 4.0, &text));
    }
    let mut path = String::new();
    for (z, middle) in differences.iter().zip(&middles) {
        let Some(z) = z else { continue };
        let (top, bottom) = (vertical.at(z.max(0.0)), vertical.at(z.min(0.0)));
        path.push_str(&upright(*middle, top, bottom - top));
    }
    body.push_str(&uprights("off", 0.6 * width, &path));
    body + &label("axis middle", (LEFT + RIGHT) / 2.0, STRIP_BOTTOM + 17.0, words.chart.bar_differences)
}

/// What is seen, in numbers: for the caption and as the text alternative.
fn caption(histogram: &Bars, pooled: &[Bar], shown: &[Bar]) -> String {
    let (words, chart) = (histogram.words, &histogram.words.chart);
    let total: u64 = pooled.iter().map(|bar| bar.observed).sum();
    let mut text = chart.total(total, histogram.unit);
    if let Some(top) = shown.iter().max_by_key(|bar| bar.observed) {
        let expected = words.decimal(top.expected, 1);
        text.push_str(&format!(" {}", chart.most_often(&top.name(words), top.observed, &expected)));
    }
    if histogram.has_strip {
        text.push_str(&furthest(shown, total as f64, words));
    } else {
        text.push_str(&format!(" {}", chart.outermost_bars));
    }
    let observed_shown: u64 = shown.iter().map(|bar| bar.observed).sum();
    let expected = |bars: &[Bar]| bars.iter().map(|bar| bar.expected).sum::<f64>();
    if shown.len() < pooled.len() {
        let (below, above) = (value(shown[0].first, words), value(shown[shown.len() - 1].last, words));
        let expected = words.decimal((expected(pooled) - expected(shown)).max(0.0), 1);
        let seen = total - observed_shown;
        text.push_str(&format!(" {}", chart.not_drawn(&below, &above, seen, &expected)));
    }
    text
}

fn furthest(shown: &[Bar], total: f64, words: &Words) -> String {
    let differing = shown.iter().filter_map(|bar| difference(bar, total).map(|z| (bar, z)));
    match differing.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) {
        None => String::new(),
        Some((bar, z)) => {
            let (expected, deviations) = (words.decimal(bar.expected, 1), words.standard_deviations(z));
            let sentence = words.chart.furthest_bar(&bar.name(words), bar.observed, &expected, &deviations);
            format!(" {sentence}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::words::Language;

    fn bar(value: f64, observed: u64, expected: f64) -> Bar {
        Bar { first: value, last: value, observed, expected }
    }

    #[test]
    fn invisible_tails_are_cut_and_one_seen_value_keeps_the_tail() {
        let mut bars: Vec<Bar> = (0..20).map(|value| bar(f64::from(value), 0, 0.0)).collect();
        bars[9] = bar(9.0, 1000, 990.0);
        assert_eq!(visible(&bars).len(), 1);
        bars[15].observed = 2;
        assert_eq!(visible(&bars).len(), 7);
    }

    #[test]
    fn pooling_loses_no_deck() {
        let bars: Vec<Bar> = (0..1327).map(|value| bar(f64::from(value), 7, 6.5)).collect();
        let pooled = pool(&bars);
        assert!(pooled.len() <= BARS_MAX);
        assert_eq!(pooled.iter().map(|bar| bar.observed).sum::<u64>(), 7 * 1327);
        assert_eq!((pooled[0].first, pooled[pooled.len() - 1].last), (0.0, 1326.0));
    }

    #[test]
    fn bars_are_as_high_as_their_counts() {
        let (values, observed, expected) = ([0.0, 1.0], [100, 200], [150.0, 150.0]);
        let histogram = Bars::of_values(Language::English.words(), "x", &values, &observed, &expected);
        let picture =
            bars(&histogram.expect("the exhibit is whole"), &[bar(0.0, 100, 150.0), bar(1.0, 200, 150.0)]);
        // 170 units stand for 1.05·200.
        assert!(picture.contains("v-81M") && picture.contains("v-161.9\""), "{picture}");
    }

    #[test]
    fn a_torn_exhibit_is_not_drawn() {
        assert!(Bars::of_values(Language::English.words(), "x", &[1.0, 2.0], &[1], &[1.0, 1.0]).is_none());
        assert!(Bars::of_values(Language::English.words(), "x", &[], &[], &[]).is_none());
    }
}
