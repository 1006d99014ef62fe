//! Pictures as inline SVG: coloured by the page's CSS variables, each with its text alternative.

pub(super) mod heat_map;
pub(super) mod histogram;
pub(super) mod p_values;

mod scale;

use crate::report::escape;

/// A picture and what to print under it.
pub(super) struct Picture {
    /// Its heading.
    pub(super) title: String,
    /// A whole `<svg>` element.
    pub(super) svg: String,
    /// The caption, as plain text.
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
    /// Its name, for readers who hear the page.
    title: &'a str,
    /// What is seen, in numbers.
    description: &'a str,
}

impl Frame<'_> {
    /// The picture with its text alternative as the Accessible Rich Internet Applications 1.2 graphics
    /// roles ask for it.
    fn around(&self, body: &str) -> String {
        let Frame { id, kind, width, height, .. } = self;
        let (title, description) = (escape::html(self.title), escape::html(self.description));
        let (width, height) = (at(*width), at(*height));
        format!(
            "<svg class=\"{kind}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-title\" aria-describedby=\"{id}-text\">\
             <title id=\"{id}-title\">{title}</title><desc id=\"{id}-text\">{description}</desc>\
             {body}</svg>"
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

/// A straight line.
fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(at);
    format!("<path class=\"{class}\" d=\"M{x1} {y1}L{x2} {y2}\"/>")
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
