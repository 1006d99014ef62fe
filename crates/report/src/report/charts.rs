//! Pictures as inline SVG: coloured by the page's CSS variables, each with its text alternative.

pub(super) mod heat_map;
pub(super) mod histogram;
pub(super) mod p_values;
#[cfg(feature = "pdf")]
pub(super) mod paint;

mod power;
mod scale;

use crate::document::figure::{Axis, Drawing, Figure};
use crate::document::words::Words;
use crate::report::charts::heat_map::Table;
use crate::report::charts::histogram::Bars;
use crate::report::escape;
use crate::report::page::TableRow;
use deckproof_stats::battery::{Exhibit, View};

/// The table of a row, if it can be drawn; its axes are named by the statistic, which does not know its view.
pub(super) fn table<'a>(row: &'a TableRow, words: &'static Words) -> Option<Table<'a>> {
    let &Exhibit::Table { row_axis, column_axis, side, ref observed, expected, deviation } = &row.exhibit
    else {
        return None;
    };
    let (rows, columns) = (axis(row.view, row_axis), axis(row.view, column_axis));
    let table = Table { words, rows, columns, side, observed, expected, deviation };
    table.is_drawable().then_some(table)
}

/// A relative deck holds, at every place, the place the card has in the following deck; by card, for every card, the
/// card that lies there in the following deck.
pub(super) fn axis(view: View, name: &str) -> Axis {
    match (view, name.contains("card"), name.contains("follows")) {
        (View::Deck, true, true) => Axis::CardThatFollows,
        (View::Deck, true, false) | (View::Inverse | View::RelativeCards, false, _) => Axis::Card,
        (View::Inverse, true, true) => Axis::PlaceThatFollows,
        (View::Deck | View::Relative, false, _) | (View::Inverse, true, false) => Axis::Place,
        (View::Relative, true, true) => Axis::NextPlaceThatFollows,
        (View::Relative, true, false) => Axis::NextPlace,
        (View::RelativeCards, true, true) => Axis::NextCardThatFollows,
        (View::RelativeCards, true, false) => Axis::NextCard,
    }
}

/// A table that can be drawn, and how far its cells lie off where their counts are large enough.
pub(super) fn of_table(table: &Table, id: &str, title: &str) -> Vec<Picture> {
    let bars = Bars::of_residuals(table);
    let bars = bars.map(|bars| histogram::draw(&bars, &format!("{id}-cells"), title));
    std::iter::once(heat_map::draw(table, id, title)).chain(bars).collect()
}

/// The pictures of a figure of a document; none if it has nothing to draw.
pub(super) fn of_figure(figure: &Figure, words: &'static Words) -> Vec<Picture> {
    let (id, title) = (figure.id.as_str(), figure.title.as_str());
    match &figure.drawing {
        &Drawing::HeatMap { rows, columns, side, ref observed, expected, deviation } => {
            let table = Table { words, rows, columns, side, observed, expected, deviation };
            if table.is_drawable() { of_table(&table, id, title) } else { Vec::new() }
        }
        Drawing::Histogram { axis, values, observed, expected } => {
            let bars = Bars::of_values(words, axis, values, observed, expected);
            bars.map(|bars| histogram::draw(&bars, id, title)).into_iter().collect()
        }
        Drawing::PValues { p_values, level } => p_values::draw(p_values, *level, id, words),
        Drawing::Power { curves, decks } => {
            power::draw(curves, *decks, id, title, words).into_iter().collect()
        }
    }
}

/// A picture and what to print above and under it, which is also what is read aloud for it.
pub(super) struct Picture {
    /// Unique on the page: the heading has the id `{id}-title`, the caption `{id}-text`.
    pub(super) id: String,
    /// Its heading.
    pub(super) title: String,
    /// A whole `<svg>` element.
    pub(super) svg: String,
    /// The caption, as plain text: what is seen, in numbers.
    pub(super) caption: String,
    /// The class of the figure around it.
    pub(super) kind: &'static str,
}

/// The frame of a picture, in units of the view box.
struct Frame<'a> {
    /// Unique on the page.
    id: &'a str,
    kind: &'static str,
    width: f64,
    height: f64,
}

impl Frame<'_> {
    /// The picture; heading and caption of its figure are its text alternative, as the Accessible Rich Internet Applications
    /// 1.2 role `img` asks for.
    fn around(&self, body: &str) -> String {
        let Frame { id, kind, width, height } = self;
        let (width, height) = (at(*width), at(*height));
        format!(
            "<svg class=\"{kind}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-title\" aria-describedby=\"{id}-text\">{body}</svg>"
        )
    }
}

/// A coordinate, to a tenth and without idle zeros.
fn at(x: f64) -> String {
    // Most coordinates are whole, and whole numbers are written faster.
    if x.fract() == 0.0 && x.abs() < 1e6 {
        return (x as i32).to_string();
    }
    let text = format!("{x:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// A line of text; `class` names anchor and size.
fn label(class: &str, x: f64, y: f64, text: &str) -> String {
    format!("<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>", at(x), at(y), escape::html(text))
}

/// The name of a vertical axis, turned by a quarter around its middle.
fn turned(x: f64, y: f64, text: &str) -> String {
    let (x, y, text) = (at(x), at(y), escape::html(text));
    format!("<text class=\"axis middle\" transform=\"translate({x} {y}) rotate(-90)\">{text}</text>")
}

/// A straight line.
fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    strokes(class, &segment(from, to))
}

/// Lines of one class.
fn strokes(class: &str, path: &str) -> String {
    format!("<path class=\"{class}\" d=\"{path}\"/>")
}

/// A straight line as part of a path.
fn segment(from: (f64, f64), to: (f64, f64)) -> String {
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(at);
    match (x1 == x2, y1 == y2) {
        (true, _) => format!("M{x1} {y1}V{y2}"),
        (_, true) => format!("M{x1} {y1}H{x2}"),
        _ => format!("M{x1} {y1}L{x2} {y2}"),
    }
}

/// A rectangle as part of a path.
fn rectangle(x: f64, y: f64, width: f64, height: f64) -> String {
    let [x, y, width, height] = [x, y, width, height].map(at);
    format!("M{x} {y}h{width}v{height}h-{width}z")
}

/// A line through points as the data of a path.
fn through(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (place, &(x, y)) in points.iter().enumerate() {
        path.push(if place == 0 { 'M' } else { 'L' });
        path.push_str(&format!("{} {}", at(x), at(y)));
    }
    path
}

/// Dots as the data of one path: with round line caps a line of no length is a dot.
fn dots(points: &[(f64, f64)]) -> String {
    points.iter().map(|&(x, y)| format!("M{} {}h0", at(x), at(y))).collect()
}
