//! Strict reading of JSON: what two readers could understand differently is refused.

use std::collections::HashSet;
use std::ops::Deref;

use zeroize::Zeroize;

/// A JSON value as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was spelled, because 4, 4.0 and 4e0 are not the same to a protocol.
    Number(String),
    /// A string, unescaped.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object; keys are distinct after unescaping and stand in the order of the text.
    Object(Vec<(String, Json)>),
}

/// Why bytes are not JSON, or not JSON that everybody reads alike.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {problem}")]
pub struct JsonError {
    /// Where, from 0.
    pub offset: usize,
    /// What is wrong there.
    pub problem: &'static str,
}

/// How much of a format there may be at most. Who reads a format states them, so that no file costs more
/// memory or time than an honest one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Of the whole text.
    pub bytes_max: usize,
    /// Of one object, known and unknown keys together.
    pub members_max: usize,
}

/// Values may be nested this deep; enough for every format here, and no input exhausts the stack.
const DEPTH_MAX: usize = 32;

/// What some programs put before a text that they save.
const BYTE_ORDER_MARK: &str =
    "a byte order mark, wanted the same text without it: a program put it there when it saved the file";

/// A value whose strings are wiped when it is dropped.
pub struct WipedJson(Json);

impl Deref for WipedJson {
    type Target = Json;

    fn deref(&self) -> &Json {
        &self.0
    }
}

impl Drop for WipedJson {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl Json {
    /// Reads one JSON value (RFC 8259) in UTF-8 without byte order mark and with nothing after it.
    /// Duplicate keys, lone surrogates and numbers such as `NaN` or `01` are refused. The work is linear
    /// in the bytes.
    ///
    /// # Errors
    /// [`JsonError`] names the first byte that is wrong, or the first byte or key too many.
    pub fn parse(bytes: &[u8], limits: Limits) -> Result<Json, JsonError> {
        read(bytes, limits, |reader| reader.value(0))
    }

    /// The same of a text that may hold a secret: every string of the value is wiped when it is dropped.
    ///
    /// # Errors
    /// [`JsonError`].
    pub fn parse_secret(bytes: &[u8], limits: Limits) -> Result<WipedJson, JsonError> {
        Json::parse(bytes, limits).map(WipedJson)
    }

    /// Overwrites every string.
    fn wipe(&mut self) {
        match self {
            Json::Null | Json::Bool(_) => {}
            Json::Number(text) | Json::Text(text) => text.zeroize(),
            Json::List(values) => values.iter_mut().for_each(Json::wipe),
            Json::Object(members) => members.iter_mut().for_each(|(_, value)| value.wipe()),
        }
    }

    /// The value of a key of an object.
    pub fn member(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|member| member.0 == key).map(|member| &member.1),
            _ => None,
        }
    }

    /// What it is, for messages that must not repeat it.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "true or false",
            Json::Number(_) => "a number",
            Json::Text(_) => "a string",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }

    /// The string, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Checks all that [`Json::parse`] checks and keeps nothing but the keys of the outermost object (none of
/// another value): for formats of many megabytes, which another reader then turns into their types.
///
/// # Errors
/// As [`Json::parse`].
pub fn outermost_keys(bytes: &[u8], limits: Limits) -> Result<Vec<String>, JsonError> {
    read(bytes, limits, |reader| match reader.peek() {
        Some(b'{') => {
            let members = reader.members::<Nothing>(0)?;
            Ok(members.into_iter().map(|(key, Nothing)| key).collect())
        }
        _ => reader.value::<Nothing>(0).map(|Nothing| Vec::new()),
    })
}

/// Reads the one value there is.
fn read<T>(
    bytes: &[u8],
    limits: Limits,
    value: impl FnOnce(&mut Reader) -> Result<T, JsonError>,
) -> Result<T, JsonError> {
    if bytes.len() > limits.bytes_max {
        return Err(JsonError { offset: limits.bytes_max, problem: "more bytes than this format may have" });
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| JsonError { offset: error.valid_up_to(), problem: "not UTF-8" })?;
    let mut reader = Reader { text, offset: 0, members_max: limits.members_max };
    reader.skip_space();
    let value = value(&mut reader)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.error("something follows the JSON value")),
    }
}

/// What a value becomes while it is read.
trait Build: Sized {
    fn literal(json: Json) -> Self;
    fn number(text: &str) -> Self;
    fn text(text: String) -> Self;
    fn list(values: Vec<Self>) -> Self;
    fn object(members: Vec<(String, Self)>) -> Self;
}

impl Build for Json {
    fn literal(json: Json) -> Json {
        json
    }

    fn number(text: &str) -> Json {
        Json::Number(text.to_owned())
    }

    fn text(text: String) -> Json {
        Json::Text(text)
    }

    fn list(values: Vec<Json>) -> Json {
        Json::List(values)
    }

    fn object(members: Vec<(String, Json)>) -> Json {
        Json::Object(members)
    }
}

/// Nothing is kept of a value: a list of a million of these takes no memory.
struct Nothing;

impl Build for Nothing {
    fn literal(_: Json) -> Nothing {
        Nothing
    }

    fn number(_: &str) -> Nothing {
        Nothing
    }

    fn text(_: String) -> Nothing {
        Nothing
    }

    fn list(_: Vec<Nothing>) -> Nothing {
        Nothing
    }

    fn object(_: Vec<(String, Nothing)>) -> Nothing {
        Nothing
    }
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
    members_max: usize,
}

impl Reader<'_> {
    fn error(&self, problem: &'static str) -> JsonError {
        JsonError { offset: self.offset, problem }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.offset += 1;
        }
    }

    /// Takes this byte and the space around it.
    fn take(&mut self, byte: u8, problem: &'static str) -> Result<(), JsonError> {
        self.skip_space();
        if self.peek() != Some(byte) {
            return Err(self.error(problem));
        }
        self.offset += 1;
        self.skip_space();
        Ok(())
    }

    fn value<V: Build>(&mut self, depth: usize) -> Result<V, JsonError> {
        if depth > DEPTH_MAX {
            return Err(self.error("values are nested too deep"));
        }
        match self.peek() {
            Some(b'{') => self.members(depth).map(V::object),
            Some(b'[') => self.list(depth).map(V::list),
            Some(b'"') => self.string().map(V::text),
            Some(b'-' | b'0'..=b'9') => self.number().map(V::number),
            _ => self.word().map(V::literal),
        }
    }

    fn word(&mut self) -> Result<Json, JsonError> {
        let words = [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))];
        let rest = &self.text[self.offset..];
        let found = words.into_iter().find(|(word, _)| rest.starts_with(word));
        let problem = if rest.starts_with('\u{feff}') { BYTE_ORDER_MARK } else { "no JSON value" };
        let (word, value) = found.ok_or_else(|| self.error(problem))?;
        self.offset += word.len();
        Ok(value)
    }

    fn members<V: Build>(&mut self, depth: usize) -> Result<Vec<(String, V)>, JsonError> {
        let mut members: Vec<(String, V)> = Vec::new();
        let mut keys: HashSet<String> = HashSet::new();
        self.take(b'{', "no object")?;
        while self.peek() != Some(b'}') {
            if !members.is_empty() {
                self.take(b',', "no comma between two members")?;
            }
            let start = self.offset;
            let wrong = |problem| JsonError { offset: start, problem };
            if members.len() == self.members_max {
                return Err(wrong("more keys than an object of this format may have"));
            }
            let key = self.string()?;
            if !keys.insert(key.clone()) {
                return Err(wrong("a key that stood before"));
            }
            self.take(b':', "no colon after a key")?;
            members.push((key, self.value(depth + 1)?));
            self.skip_space();
        }
        self.offset += 1;
        Ok(members)
    }

    fn list<V: Build>(&mut self, depth: usize) -> Result<Vec<V>, JsonError> {
        let mut values = Vec::new();
        self.take(b'[', "no array")?;
        while self.peek() != Some(b']') {
            if !values.is_empty() {
                self.take(b',', "no comma between two values")?;
            }
            values.push(self.value(depth + 1)?);
            self.skip_space();
        }
        self.offset += 1;
        Ok(values)
    }

    fn number(&mut self) -> Result<&str, JsonError> {
        let start = self.offset;
        self.skip_if(b"-");
        if !self.skip_if(b"0") {
            self.digits()?;
        }
        if self.skip_if(b".") {
            self.digits()?;
        }
        if self.skip_if(b"eE") {
            self.skip_if(b"+-");
            self.digits()?;
        }
        Ok(&self.text[start..self.offset])
    }

    fn skip_if(&mut self, bytes: &[u8]) -> bool {
        let found = self.peek().is_some_and(|byte| bytes.contains(&byte));
        self.offset += usize::from(found);
        found
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        if !self.skip_if(b"0123456789") {
            return Err(self.error("no digit"));
        }
        while self.skip_if(b"0123456789") {}
        Ok(())
    }

    fn string(&mut self) -> Result<String, JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.error("no string"));
        }
        self.offset += 1;
        let mut string = String::new();
        loop {
            let letter = self.text[self.offset..].chars().next().ok_or(self.error("a string without end"))?;
            match letter {
                '"' => {
                    self.offset += 1;
                    return Ok(string);
                }
                '\\' => string.push(self.escape()?),
                '\0'..='\u{1f}' => return Err(self.error("a control character in a string")),
                _ => {
                    self.offset += letter.len_utf8();
                    string.push(letter);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        self.offset += 1;
        let letter = match self.peek() {
            Some(b'u') => {
                self.offset += 1;
                return self.unicode_escape();
            }
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err(self.error("an unknown escape")),
        };
        self.offset += 1;
        Ok(letter)
    }

    /// `XXXX`, or `XXXX\uXXXX` for a pair of surrogates (RFC 8259, section 7).
    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let high = self.four_digits()?;
        let code = match high {
            0xd800..0xdc00 => {
                if !self.text[self.offset..].starts_with("\\u") {
                    return Err(self.error("a lone surrogate"));
                }
                self.offset += 2;
                let low = self.four_digits()?;
                if !(0xdc00..0xe000).contains(&low) {
                    return Err(self.error("a lone surrogate"));
                }
                0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
            }
            _ => high,
        };
        // What is left out of `char` are the low surrogates, which came without a high one.
        char::from_u32(code).ok_or(self.error("a lone surrogate"))
    }

    fn four_digits(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.as_bytes().get(self.offset..self.offset + 4);
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.ok_or(self.error("no four hexadecimal digits"))?;
        let code = digits.iter().fold(0, |code, &digit| {
            code * 16 + (digit as char).to_digit(16).expect("it is a hexadecimal digit")
        });
        self.offset += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests;
