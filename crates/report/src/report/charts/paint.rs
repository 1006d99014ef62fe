//! A picture with presentation attributes in place of classes: what typesets PDF knows no style sheet.

use std::fmt::Write;

/// Ink of text and lines on white paper; as in the light colours of `style.css`.
const INK: &str = "#1b1f24";
const SOFT: &str = "#55606d";
const EDGE: &str = "#d3d8de";

/// The picture, painted for white paper, in this font.
pub(in crate::report) fn painted(svg: &str, font: &str) -> String {
    let kind = if svg.starts_with("<svg class=\"heat\"") { Kind::Heat } else { Kind::Plot };
    let mut out = String::with_capacity(2 * svg.len());
    let mut rest = svg;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let end = rest[at..].find('>').map_or(rest.len(), |end| at + end + 1);
        let (tag, after) = (&rest[at..end], &rest[end..]);
        let classes = classes(tag);
        if classes.contains(&"coarse") {
            // Large labels are for small screens.
            rest = after.split_once("</text>").map_or("", |(_, rest)| rest);
            continue;
        }
        write_tag(&mut out, tag, &classes, kind, font);
        rest = after;
    }
    out + rest
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Heat,
    Plot,
}

fn classes(tag: &str) -> Vec<&str> {
    let value = tag.split_once("class=\"").and_then(|(_, rest)| rest.split_once('"'));
    value.map_or_else(Vec::new, |(value, _)| value.split(' ').collect())
}

/// The tag without what only a page knows, and with its paint.
fn write_tag(out: &mut String, tag: &str, classes: &[&str], kind: Kind, font: &str) {
    let mut plain = tag.to_owned();
    for name in ["class", "role", "aria-labelledby", "aria-describedby"] {
        plain = without(&plain, name);
    }
    let name_end = plain.find([' ', '>', '/']).filter(|&at| at > 0).unwrap_or(plain.len() - 1);
    if plain.starts_with("</") {
        out.push_str(&plain);
        return;
    }
    out.push_str(&plain[..name_end]);
    match &plain[1..name_end] {
        "svg" => {
            let _ = write!(out, " xmlns=\"http://www.w3.org/2000/svg\" font-family=\"{font}\"");
        }
        "text" => out.push_str(&text_paint(classes, kind)),
        _ => classes.iter().for_each(|class| out.push_str(&paint(class))),
    }
    out.push_str(&plain[name_end..]);
}

/// The tag without one attribute.
fn without(tag: &str, name: &str) -> String {
    let Some(from) = tag.find(&format!(" {name}=\"")) else { return tag.to_owned() };
    let value = from + name.len() + 3;
    let to = tag[value..].find('"').map_or(tag.len(), |end| value + end + 1);
    format!("{}{}", &tag[..from], &tag[to..])
}

fn text_paint(classes: &[&str], kind: Kind) -> String {
    let has = |class: &str| classes.contains(&class);
    let size = match kind {
        Kind::Heat if has("fine") => 8,
        Kind::Heat if has("rank") => 11,
        Kind::Heat => 13,
        Kind::Plot => 12,
    };
    let anchor = match (has("middle"), has("end")) {
        (true, _) => " text-anchor=\"middle\"",
        (_, true) => " text-anchor=\"end\"",
        _ => "",
    };
    let fill = if has("tick") || has("fine") { SOFT } else { INK };
    let weight = if has("rank") { " font-weight=\"bold\"" } else { "" };
    format!(" font-size=\"{size}\" fill=\"{fill}\"{anchor}{weight}")
}

/// The attributes of a class; of one that is not known none.
fn paint(class: &str) -> String {
    let stroke =
        |colour: &str, width: &str| format!(" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"");
    let round = |colour: &str, width: &str| stroke(colour, width) + " stroke-linecap=\"round\"";
    match class {
        "grid" => stroke(EDGE, "1"),
        "rule" => stroke(SOFT, "1"),
        "bar" => " fill=\"#7d98ba\"".to_owned(),
        // Their width is in the tag.
        "bars" => " fill=\"none\" stroke=\"#7d98ba\"".to_owned(),
        "off" => " fill=\"none\" stroke=\"#4f6f96\"".to_owned(),
        "null" => stroke("#7a2800", "2"),
        "nulldot" => round("#7a2800", "5"),
        "point" => round("#0b57a4", "6"),
        "limit" => stroke(SOFT, "1.5") + " stroke-dasharray=\"6 5\"",
        "sign" => stroke("#ffffff", "1.4"),
        "cells" => " fill=\"none\" stroke-width=\"1.02\"".to_owned(),
        "none" => " stroke=\"#ffffff\"".to_owned(),
        class => match (residual_colour(class), numbered(class, "curve"), numbered(class, "dot")) {
            (Some(colour), _, _) => format!(" fill=\"{colour}\" stroke=\"{colour}\""),
            (None, Some(colour), _) => stroke(colour, "1.6"),
            (None, None, Some(colour)) => round(colour, "5"),
            (None, None, None) => String::new(),
        },
    }
}

/// The colour of `curve3` or `dot3`.
fn numbered(class: &str, stem: &str) -> Option<&'static str> {
    const COLOURS: [&str; 5] = ["#0b57a4", "#b65308", "#12673a", "#7a2b8a", "#3d4c63"];
    let number: usize = class.strip_prefix(stem)?.parse().ok()?;
    COLOURS.get(number).copied()
}

fn residual_colour(class: &str) -> Option<&'static str> {
    const COLOURS: [(&str, &str); 11] = [
        ("n5", "#08306b"),
        ("n4", "#1f5fa8"),
        ("n3", "#4a90cc"),
        ("n2", "#8dbfe4"),
        ("n1", "#c8dff2"),
        ("z", "#f2f2ef"),
        ("p1", "#fbdcb6"),
        ("p2", "#f5b36b"),
        ("p3", "#e0812a"),
        ("p4", "#b65308"),
        ("p5", "#6f2c02"),
    ];
    COLOURS.iter().find(|(name, _)| *name == class).map(|&(_, colour)| colour)
}
