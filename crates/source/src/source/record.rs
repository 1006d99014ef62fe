//! What the public record says of a source: its kind and named fields in their order, never a path.

use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// More fields than any kind of source has.
const FIELDS_MAX: usize = 24;

/// Fields that certificates of earlier versions lack, whatever their source was.
const LATER: [&str; 4] = ["lines", "lines_passed_over", "lines_with_cards", "deck_place"];

/// Most bytes of one text of a record.
const TEXT_BYTES_MAX: usize = 1 << 12;

/// A source as plans and certificates name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceRecord {
    kind: String,
    fields: Vec<(String, FieldValue)>,
}

/// The value of a field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FieldValue {
    /// A whole number.
    Number(u64),
    /// A text.
    Text(String),
}

/// Why a record names no source that could exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// No such kind.
    #[error("the source is of the kind {kind:?}, wanted one that this version of deckproof knows")]
    Kind {
        /// What the record says.
        kind: String,
    },
    /// A field that no source of this kind has here.
    #[error("the source {kind:?} has a field {field:?} that this version of deckproof does not know")]
    Unknown {
        /// The kind of the source.
        kind: String,
        /// The field.
        field: String,
    },
    /// A field that is missing, of another type, or there twice.
    #[error("{field} of the source {kind:?}: found {found}, wanted {wanted}")]
    Field {
        /// The kind of the source.
        kind: String,
        /// The field.
        field: String,
        /// What is there.
        found: String,
        /// What could stand there.
        wanted: String,
    },
}

impl From<u64> for FieldValue {
    fn from(number: u64) -> FieldValue {
        FieldValue::Number(number)
    }
}

impl From<&str> for FieldValue {
    fn from(text: &str) -> FieldValue {
        FieldValue::Text(text.to_owned())
    }
}

impl From<String> for FieldValue {
    fn from(text: String) -> FieldValue {
        FieldValue::Text(text)
    }
}

impl SourceRecord {
    /// A record of a kind, without fields.
    pub fn new(kind: &str) -> SourceRecord {
        SourceRecord { kind: kind.to_owned(), fields: Vec::new() }
    }

    /// The same record with one more field.
    pub fn with(mut self, name: &str, value: impl Into<FieldValue>) -> SourceRecord {
        self.fields.push((name.to_owned(), value.into()));
        self
    }

    /// The same record with one more field, if there is a value.
    pub fn with_some(self, name: &str, value: Option<impl Into<FieldValue>>) -> SourceRecord {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The same record with another value of a field it has.
    pub(super) fn replacing(mut self, name: &str, value: &str) -> SourceRecord {
        self.fields.iter_mut().filter(|(own, _)| own == name).for_each(|(_, own)| *own = value.into());
        self
    }

    /// The same record without these fields.
    pub(super) fn without(mut self, names: &[&str]) -> SourceRecord {
        self.fields.retain(|(name, _)| !names.contains(&name.as_str()));
        self
    }

    /// As an earlier program that wrote `other` would have written it: without what that did not tell of its source.
    pub fn as_recorded_by(&self, other: &SourceRecord) -> SourceRecord {
        let absent: Vec<&str> = LATER.into_iter().filter(|name| other.value(name).is_none()).collect();
        self.clone().without(&absent)
    }

    /// How many records of a file follow those that are read; `None` of any other source.
    pub fn records_left(&self) -> Option<u64> {
        let all = self.number_if_any("file_records").ok()??;
        let last = self.number_if_any("last_record").ok()?.unwrap_or(all);
        all.checked_sub(last)
    }

    /// Whether some records of one file are in both.
    pub fn overlaps(&self, other: &SourceRecord) -> bool {
        const RANGE: [&str; 2] = ["first_record", "last_record"];
        let range = |own: &SourceRecord| RANGE.map(|name| own.number_if_any(name).ok().flatten());
        let rest = |own: &SourceRecord| {
            let mut own = own.clone();
            own.fields.retain(|(name, _)| !RANGE.contains(&name.as_str()) && !LATER.contains(&name.as_str()));
            own
        };
        let ([first, last], [other_first, other_last]) = (range(self), range(other));
        let reaches = |first: Option<u64>, last: Option<u64>| first.unwrap_or(1) <= last.unwrap_or(u64::MAX);
        let is_one_file = self.value("sha256").is_some() && rest(self) == rest(other);
        is_one_file && reaches(first, other_last) && reaches(other_first, last)
    }

    /// The kind of source.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    fn value(&self, name: &str) -> Option<&FieldValue> {
        self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// The names of its fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| name.as_str())
    }

    /// A field as text, whatever it holds.
    pub fn shown(&self, name: &str) -> Option<String> {
        match self.value(name)? {
            FieldValue::Number(number) => Some(number.to_string()),
            FieldValue::Text(text) => Some(text.clone()),
        }
    }

    /// A text.
    ///
    /// # Errors
    /// [`RecordError::Field`]: none is there.
    pub fn text(&self, name: &str) -> Result<&str, RecordError> {
        match self.value(name) {
            Some(FieldValue::Text(text)) => Ok(text),
            Some(FieldValue::Number(number)) => Err(self.wrong(name, number, "a text")),
            None => Err(self.wrong(name, "nothing", "a text")),
        }
    }

    /// A whole number.
    ///
    /// # Errors
    /// [`RecordError::Field`]: none is there.
    pub fn number(&self, name: &str) -> Result<u64, RecordError> {
        match self.value(name) {
            Some(FieldValue::Number(number)) => Ok(*number),
            Some(FieldValue::Text(text)) => Err(self.wrong(name, format!("{text:?}"), "a whole number")),
            None => Err(self.wrong(name, "nothing", "a whole number")),
        }
    }

    /// A whole number, if the field is there.
    ///
    /// # Errors
    /// [`RecordError::Field`]: something else is there.
    pub fn number_if_any(&self, name: &str) -> Result<Option<u64>, RecordError> {
        self.value(name).map(|_| self.number(name)).transpose()
    }

    /// Whether it has none but these fields, and each of them once.
    ///
    /// # Errors
    /// [`RecordError`] naming the field.
    pub fn only(&self, known: &[&str]) -> Result<(), RecordError> {
        for (place, name) in self.names().enumerate() {
            if !known.contains(&name) {
                return Err(RecordError::Unknown { kind: self.kind.clone(), field: name.to_owned() });
            }
            if self.names().take(place).any(|before| before == name) {
                return Err(self.wrong(name, "a second one", "one"));
            }
        }
        Ok(())
    }

    /// That a field holds something that no source has.
    pub fn wrong(&self, field: &str, found: impl fmt::Display, wanted: impl fmt::Display) -> RecordError {
        RecordError::Field {
            kind: self.kind.clone(),
            field: field.to_owned(),
            found: found.to_string(),
            wanted: wanted.to_string(),
        }
    }

    /// A field of 64 hexadecimal digits in lower case: a SHA-256 or a key.
    ///
    /// # Errors
    /// [`RecordError::Field`].
    pub(super) fn hexadecimal(&self, name: &str) -> Result<&str, RecordError> {
        let text = self.text(name)?;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == 64 && text.bytes().all(is_digit) {
            Ok(text)
        } else {
            Err(self.wrong(name, format!("{text:?}"), "64 hexadecimal digits in lower case"))
        }
    }
}

impl Serialize for SourceRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1 + self.fields.len()))?;
        map.serialize_entry("kind", &self.kind)?;
        for (name, value) in &self.fields {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for SourceRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SourceRecord, D::Error> {
        deserializer.deserialize_map(RecordVisitor)
    }
}

struct RecordVisitor;

impl<'de> Visitor<'de> for RecordVisitor {
    type Value = SourceRecord;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a source: its kind and fields of it, numbers and texts")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<SourceRecord, M::Error> {
        let (mut kind, mut record) = (None, SourceRecord::new(""));
        while let Some((name, value)) = map.next_entry::<String, FieldValue>()? {
            let is_long = |text: &String| text.len() > TEXT_BYTES_MAX;
            let is_text_long = matches!(&value, FieldValue::Text(text) if is_long(text));
            if is_long(&name) || is_text_long || record.fields.len() == FIELDS_MAX {
                return Err(M::Error::custom("a source with more than a source can have"));
            }
            match (name.as_str(), value) {
                ("kind", FieldValue::Text(text)) if kind.is_none() => kind = Some(text),
                ("kind", _) => return Err(M::Error::custom("a source whose kind is not one text")),
                (_, value) => record = record.with(&name, value),
            }
        }
        Ok(SourceRecord { kind: kind.ok_or_else(|| M::Error::missing_field("kind"))?, ..record })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_from_json_and_toml_in_their_order() {
        let record =
            SourceRecord::new("chain").with("day_key", "00").with("first_hand", 7).with("mix", "none");
        let json = serde_json::to_string(&record).expect("plain data");
        assert_eq!(json, r#"{"kind":"chain","day_key":"00","first_hand":7,"mix":"none"}"#);
        assert_eq!(serde_json::from_str::<SourceRecord>(&json).expect("its own text"), record);
        let toml = toml::to_string(&record).expect("plain data");
        assert_eq!(toml::from_str::<SourceRecord>(&toml).expect("its own text"), record);
    }

    #[test]
    fn parts_of_one_file_overlap_where_they_share_a_record() {
        let part = |sha256: &str, first: Option<u64>, last: Option<u64>| {
            let whole = SourceRecord::new("recorded").with("sha256", sha256).with("file_records", 2_000);
            whole.with_some("first_record", first).with_some("last_record", last)
        };
        let own = part("a", Some(101), Some(1_600));
        for (other, wanted) in [
            (part("a", None, None), true),
            (part("a", Some(1), Some(101)), true),
            (part("a", Some(1), Some(100)), false),
            (part("a", Some(1_600), None), true),
            (part("a", Some(1_601), None), false),
            (part("b", None, None), false),
            // Another column of the file holds other decks.
            (part("a", None, None).with("deck_column", "second"), false),
        ] {
            assert_eq!((own.overlaps(&other), other.overlaps(&own)), (wanted, wanted), "{other:?}");
        }
        let key = SourceRecord::new("chain").with("day_key", "00");
        assert!(!key.overlaps(&key.clone()), "no file");
    }

    #[test]
    fn what_no_record_holds_is_refused() {
        for text in [
            "{}",
            r#"{"kind":7}"#,
            r#"{"kind":"os","kind":"os"}"#,
            r#"{"kind":"os","x":-1}"#,
            r#"{"kind":"os","x":[1]}"#,
            r#"{"kind":"os","x":1.5}"#,
        ] {
            assert!(serde_json::from_str::<SourceRecord>(text).is_err(), "{text}");
        }
        let long = format!(r#"{{"kind":"os","x":"{}"}}"#, "y".repeat(TEXT_BYTES_MAX + 1));
        assert!(serde_json::from_str::<SourceRecord>(&long).is_err());
    }

    #[test]
    fn fields_are_distinguished_by_name_and_type() {
        let record = SourceRecord::new("flawed").with("name", "sattolo").with("seed", 3);
        assert_eq!((record.text("name"), record.number("seed")), (Ok("sattolo"), Ok(3)));
        let text = |error: Result<u64, RecordError>| error.err().map(|error| error.to_string());
        assert_eq!(
            text(record.number("name")).as_deref(),
            Some("name of the source \"flawed\": found \"sattolo\", wanted a whole number")
        );
        assert!(record.only(&["name"]).is_err() && record.only(&["seed", "name"]).is_ok());
        assert!(record.clone().with("seed", 3).only(&["seed", "name"]).is_err());
    }
}
