//! Strict reading of JSON: what two readers could understand differently is refused.

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

/// Values may be nested this deep; enough for every format here, and no input exhausts the stack.
const DEPTH_MAX: usize = 32;

impl Json {
    /// Reads one JSON value (RFC 8259) in UTF-8 without byte order mark and with nothing after it.
    /// Duplicate keys, lone surrogates and numbers such as `NaN` or `01` are refused.
    ///
    /// # Errors
    /// [`JsonError`] names the first byte that is wrong.
    pub fn parse(bytes: &[u8]) -> Result<Json, JsonError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| JsonError { offset: error.valid_up_to(), problem: "not UTF-8" })?;
        let mut reader = Reader { text, offset: 0 };
        reader.skip_space();
        let value = reader.value(0)?;
        reader.skip_space();
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(reader.error("something follows the JSON value")),
        }
    }

    /// The value of a key of an object.
    pub fn member(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|member| member.0 == key).map(|member| &member.1),
            _ => None,
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

struct Reader<'a> {
    text: &'a str,
    offset: usize,
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

    fn value(&mut self, depth: usize) -> Result<Json, JsonError> {
        if depth > DEPTH_MAX {
            return Err(self.error("values are nested too deep"));
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => self.string().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Json, JsonError> {
        let words = [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))];
        let rest = &self.text[self.offset..];
        let found = words.into_iter().find(|(word, _)| rest.starts_with(word));
        let (word, value) = found.ok_or_else(|| self.error("no JSON value"))?;
        self.offset += word.len();
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<Json, JsonError> {
        let mut members: Vec<(String, Json)> = Vec::new();
        self.take(b'{', "no object")?;
        while self.peek() != Some(b'}') {
            if !members.is_empty() {
                self.take(b',', "no comma between two members")?;
            }
            let start = self.offset;
            let key = self.string()?;
            if members.iter().any(|member| member.0 == key) {
                return Err(JsonError { offset: start, problem: "a key that stood before" });
            }
            self.take(b':', "no colon after a key")?;
            members.push((key, self.value(depth + 1)?));
            self.skip_space();
        }
        self.offset += 1;
        Ok(Json::Object(members))
    }

    fn list(&mut self, depth: usize) -> Result<Json, JsonError> {
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
        Ok(Json::List(values))
    }

    fn number(&mut self) -> Result<Json, JsonError> {
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
        Ok(Json::Number(self.text[start..self.offset].to_owned()))
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
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_were_written() {
        let json = Json::parse(
            b" {\"a\" : [ 1, -0.5e+3 ,true,null ], \"\\u0062\":\"\\ud83c\\udca1\\n\\/\", \"c\":{}} \n",
        );
        let json = json.expect("it is JSON");
        let number = |text: &str| Json::Number(text.to_owned());
        let list = Json::List(vec![number("1"), number("-0.5e+3"), Json::Bool(true), Json::Null]);
        assert_eq!(json.member("a"), Some(&list));
        assert_eq!(json.member("b").and_then(Json::text), Some("🂡\n/"));
        assert_eq!(json.member("c"), Some(&Json::Object(Vec::new())));
    }

    fn check_refused(text: &[u8], offset: usize) {
        let shown = String::from_utf8_lossy(text);
        assert_eq!(Json::parse(text).map_err(|error| error.offset), Err(offset), "{shown}");
    }

    #[test]
    fn what_readers_understand_differently_is_refused_with_its_place() {
        check_refused(b"\xef\xbb\xbf{}", 0);
        check_refused(b"{\"a\":1,\"a\":1}", 7);
        check_refused(b"{\"a\":1,\"\\u0061\":1}", 7);
        check_refused(b"\"\\ud800\"", 7);
        check_refused(b"\"\\udc00\"", 7);
        check_refused(b"\"\\ud800\\u0041\"", 13);
        check_refused(b"[NaN]", 1);
        check_refused(b"[-Infinity]", 2);
        check_refused(b"01", 1);
        check_refused(b"1.", 2);
        check_refused(b"+1", 0);
        check_refused(b"{} {}", 3);
        check_refused(b"[1,]", 3);
        check_refused(b"{\"a\":1,}", 7);
        check_refused(b"\"\xff\"", 1);
        check_refused(b"\"a\nb\"", 2);
        check_refused(b"\"\\x\"", 2);
        check_refused(b"\"\\u+041\"", 3);
        check_refused(b"", 0);
        check_refused(b"{\"a\"", 4);
        check_refused(b"[", 1);
        check_refused(b"\"abc", 4);
        check_refused(&[b'['; 100], DEPTH_MAX + 1);
    }
}
