//! A sentence as a file of words writes it: text, and places for what it is given.

use deckproof_deck::text::decimal::thousands;

/// What a sentence is given under a name, as the code declares it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenKind {
    /// Put in as it is.
    Text,
    /// A count, in groups of three digits.
    Number,
    /// A number that counts nothing, such as an index: its digits alone.
    Digits,
}

/// What is put into one place.
#[derive(Clone, Copy, Debug)]
pub enum GivenValue<'a> {
    /// See [`GivenKind::Text`].
    Text(&'a str),
    /// See [`GivenKind::Number`].
    Number(u64),
    /// See [`GivenKind::Digits`].
    Digits(u64),
}

/// The names and kinds of what a sentence is given, in the order of the code.
pub type GivenNames = &'static [(&'static str, GivenKind)];

/// `{files} {files:file|files} in {folder}`, cut at its places once.
#[derive(Debug)]
pub struct Sentence {
    pieces: Vec<Piece>,
    given: GivenNames,
    group: &'static str,
}

#[derive(Debug)]
enum Piece {
    Plain(&'static str),
    /// `{files}`: which of the values.
    Place(usize),
    /// `{files:file|files}`: the first where that value is 1, else the second.
    Forms(usize, &'static str, &'static str),
    /// `{what:}`: left out on purpose.
    Nothing(usize),
}

impl Sentence {
    /// Cuts a text; says what is wrong with it otherwise: a place for something the code does not give, or none for
    /// something that it does. `group` comes between groups of three digits.
    pub fn cut(text: &'static str, given: GivenNames, group: &'static str) -> Result<Sentence, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((plain, place)) = rest.split_once('{') {
            let (place, after) = place.split_once('}').ok_or_else(|| alone(&rest[plain.len()..]))?;
            pieces.extend([Piece::Plain(plain), piece(place, given)?]);
            rest = after;
        }
        pieces.push(Piece::Plain(rest));
        let closes = |piece: &Piece| matches!(piece, Piece::Plain(plain) if plain.contains('}'));
        if pieces.iter().any(closes) {
            return Err(alone("}"));
        }
        let has_place = |own: usize| {
            let of = |piece: &Piece| matches!(piece, Piece::Place(at) | Piece::Forms(at, ..) | Piece::Nothing(at) if *at == own);
            pieces.iter().any(of)
        };
        match (0..given.len()).find(|own| !has_place(*own)) {
            Some(own) => Err(format!("found no place for {{{}}}", given[own].0)),
            None => Ok(Sentence { pieces, given, group }),
        }
    }

    /// The sentence with its values, which the code gives in the order in which it declares them.
    pub fn fill(&self, values: &[GivenValue]) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match *piece {
                Piece::Plain(plain) => text.push_str(plain),
                Piece::Place(at) => match values[at] {
                    GivenValue::Text(own) => text.push_str(own),
                    GivenValue::Number(own) => text.push_str(&thousands(own).replace(',', self.group)),
                    GivenValue::Digits(own) => text.push_str(&own.to_string()),
                },
                Piece::Forms(at, one, other) => {
                    let is_one = matches!(values[at], GivenValue::Number(1) | GivenValue::Digits(1));
                    text.push_str(if is_one { one } else { other });
                }
                Piece::Nothing(_) => {}
            }
        }
        text
    }

    /// The text of a sentence that is given nothing.
    pub fn plain(&self) -> &'static str {
        match self.pieces[..] {
            [Piece::Plain(text)] => text,
            _ => "",
        }
    }

    /// The sentence with the name of each value in its place, and both forms: `‹files› file|files in ‹folder›`. Tests
    /// compare the languages by it.
    pub fn sample(&self) -> String {
        let name = |at: usize| self.given[at].0;
        let pieces = self.pieces.iter().map(|piece| match *piece {
            Piece::Plain(plain) => plain.to_owned(),
            Piece::Place(at) => format!("‹{}›", name(at)),
            Piece::Forms(_, one, other) => format!("{one}|{other}"),
            Piece::Nothing(_) => String::new(),
        });
        pieces.collect()
    }
}

/// A brace without its other one.
fn alone(place: &str) -> String {
    format!("found a brace without its other one at {place:?}")
}

/// What is between two braces.
fn piece(place: &'static str, given: GivenNames) -> Result<Piece, String> {
    let (name, forms) = place.split_once(':').map_or((place, None), |(name, forms)| (name, Some(forms)));
    let Some(at) = given.iter().position(|(own, _)| *own == name) else {
        let names: Vec<String> = given.iter().map(|(own, _)| format!("{{{own}}}")).collect();
        let wanted = if names.is_empty() { "no place at all".to_owned() } else { names.join(", ") };
        return Err(format!("found {{{place}}}, wanted {wanted}"));
    };
    let Some(forms) = forms else { return Ok(Piece::Place(at)) };
    match forms.split_once('|') {
        None if forms.is_empty() => Ok(Piece::Nothing(at)),
        Some((one, other)) if given[at].1 != GivenKind::Text && !other.contains('|') => {
            Ok(Piece::Forms(at, one, other))
        }
        _ => Err(format!("found {{{place}}}, wanted {{NUMBER:one|other}} with the name of a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: GivenNames =
        &[("files", GivenKind::Number), ("folder", GivenKind::Text), ("row", GivenKind::Digits)];

    fn cut(text: &'static str) -> Result<Sentence, String> {
        Sentence::cut(text, GIVEN, "\u{202f}")
    }

    #[test]
    fn values_stand_in_their_places_and_numbers_choose_forms() {
        let sentence = cut("{row}: {files} {files:file|files} in {folder}.").expect("a sentence");
        let fill = |files| {
            sentence.fill(&[GivenValue::Number(files), GivenValue::Text("{row}"), GivenValue::Digits(1_234)])
        };
        // What is put in is not read for places again.
        assert_eq!(fill(1), "1234: 1 file in {row}.");
        assert_eq!(fill(0), "1234: 0 files in {row}.");
        assert_eq!(fill(1_234_567), "1234: 1\u{202f}234\u{202f}567 files in {row}.");
        let short = cut("{files:one file|files}{folder:}{row:}").expect("a sentence");
        assert_eq!(
            short.fill(&[GivenValue::Number(1), GivenValue::Text("f"), GivenValue::Digits(1)]),
            "one file"
        );
        assert_eq!(sentence.sample(), "‹row›: ‹files› file|files in ‹folder›.");
    }

    #[test]
    fn places_that_the_code_does_not_fill_are_refused_and_so_are_values_without_a_place() {
        for (text, fault) in [
            ("{files} {folder}", "found no place for {row}"),
            ("{files} {folder} {rows}", "found {rows}, wanted {files}, {folder}, {row}"),
            ("{files {folder} {row}", "found {files {folder}, wanted {files}, {folder}, {row}"),
            ("{files} {folder} {row", "found a brace without its other one at \"{row\""),
            ("{files} {folder} row}", "found a brace without its other one at \"}\""),
            (
                "{files} {folder:one|other} {row}",
                "found {folder:one|other}, wanted {NUMBER:one|other} with the name of a number",
            ),
            (
                "{files:file} {folder} {row}",
                "found {files:file}, wanted {NUMBER:one|other} with the name of a number",
            ),
            (
                "{files:a|b|c} {folder} {row}",
                "found {files:a|b|c}, wanted {NUMBER:one|other} with the name of a number",
            ),
        ] {
            assert_eq!(cut(text).err().as_deref(), Some(fault), "{text}");
        }
        assert_eq!(
            Sentence::cut("{a}", &[], ",").err().as_deref(),
            Some("found {a}, wanted no place at all")
        );
    }
}
