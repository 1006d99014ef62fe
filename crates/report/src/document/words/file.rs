//! A file of words, read whole: every text that the code asks for, and none that it does not.
//!
//! These files are parts of the program: nothing that a user gives leads here, and the tests read each of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use crate::document::words::sentence::{GivenNames, Sentence};

/// A file, and the tables that nobody has asked for yet.
pub struct WordsFile {
    name: &'static str,
    source: &'static str,
    tables: Values,
    faults: Vec<String>,
    /// Between groups of three digits.
    pub group: &'static str,
}

/// One table of it, and the texts that nobody has asked for yet.
pub struct WordsTable<'f> {
    file: &'f mut WordsFile,
    name: String,
    /// The byte of the file at which it starts.
    start: usize,
    /// Nothing where the file lacks the table: that is one fault, not one for each text.
    texts: Option<Values>,
}

/// Values by their names, each with the byte at which its name starts. A table of TOML keeps its order, so that every
/// value that is taken out of it moves all those behind it.
type Values = BTreeMap<&'static str, (usize, DeValue<'static>)>;

impl WordsFile {
    /// A file by its name and its text.
    pub fn open(name: &'static str, source: &'static str) -> Result<WordsFile, Vec<String>> {
        match DeTable::parse(source) {
            Ok(tables) => Ok(WordsFile {
                name,
                source,
                tables: values(tables.into_inner()),
                faults: Vec::new(),
                group: "",
            }),
            Err(error) => Err(vec![format!("{name}: {error}")]),
        }
    }

    /// A table, read by `read`; what that leaves in it is a fault.
    pub fn table<T>(&mut self, name: &str, read: impl FnOnce(&mut WordsTable) -> T) -> T {
        let texts = self.take(name);
        if texts.is_none() {
            self.fault(self.source.len(), name, "found no such table, wanted it");
        }
        let (start, texts) = texts.map_or((0, None), |(start, texts)| (start, Some(texts)));
        let mut table = WordsTable { file: self, name: name.to_owned(), start, texts };
        let own = read(&mut table);
        table.close();
        own
    }

    /// Every table `name.KEY` with its key, read by `read`; none where the file has none.
    pub fn tables<T>(&mut self, name: &str, read: impl Fn(&'static str, &mut WordsTable) -> T) -> Vec<T> {
        let mut all = Vec::new();
        for (key, (start, value)) in self.take(name).unwrap_or_default().1 {
            let name = format!("{name}.{key}");
            let DeValue::Table(texts) = value else {
                self.fault(start, &name, "found a text, wanted a table");
                continue;
            };
            let mut table = WordsTable { file: self, name, start, texts: Some(values(texts)) };
            all.push(read(key, &mut table));
            table.close();
        }
        all
    }

    /// The texts of a table, each with its key; none where the file has no such table.
    pub fn rows(&mut self, name: &str) -> Vec<(&'static str, &'static str)> {
        if self.tables.contains_key(name) { self.table(name, |table| table.rest()) } else { Vec::new() }
    }

    /// Nothing where every table was asked for and nothing was wrong.
    pub fn close(mut self) -> Result<(), Vec<String>> {
        for (key, (start, _)) in std::mem::take(&mut self.tables) {
            self.fault(start, key, "found a table that nothing asks for");
        }
        if self.faults.is_empty() { Ok(()) } else { Err(self.faults) }
    }

    fn take(&mut self, name: &str) -> Option<(usize, Values)> {
        match self.tables.remove(name)? {
            (start, DeValue::Table(texts)) => Some((start, values(texts))),
            _ => None,
        }
    }

    /// Keeps a fault with the line of the byte at which its text starts.
    fn fault(&mut self, start: usize, text: &str, fault: &str) {
        let line = 1 + self.source[..start].matches('\n').count();
        self.faults.push(format!("{}, line {line}: {text}: {fault}", self.name));
    }
}

impl WordsTable<'_> {
    /// A sentence that is given so much. What is wrong with it is kept, and an empty one comes back.
    pub fn sentence(&mut self, field: &str, given: GivenNames) -> Sentence {
        let empty = || Sentence::cut("", &[], "").expect("it has no places and is given nothing");
        let Some((start, text)) = self.take(field) else { return empty() };
        if text.trim().is_empty() {
            self.fault(start, field, "found nothing, wanted a text");
        }
        Sentence::cut(text, given, self.file.group).unwrap_or_else(|fault| {
            self.fault(start, field, &fault);
            empty()
        })
    }

    /// A text without places.
    pub fn plain(&mut self, field: &str) -> &'static str {
        self.sentence(field, &[]).plain()
    }

    /// A text as it is, in which braces mean braces.
    pub fn verbatim(&mut self, field: &str) -> &'static str {
        self.take(field).map_or("", |(_, text)| text)
    }

    /// The texts of a table in this one, each with its key; none where there is no such table.
    pub fn rows(&mut self, name: &str) -> Vec<(&'static str, &'static str)> {
        match self.texts.as_mut().and_then(|texts| texts.remove(name)) {
            None => Vec::new(),
            Some((start, DeValue::Table(texts))) => {
                let name = format!("{}.{name}", self.name);
                WordsTable { file: self.file, name, start, texts: Some(values(texts)) }.rest()
            }
            Some((start, other)) => {
                let fault = format!("found a value of type {}, wanted a table", other.type_str());
                self.fault(start, name, &fault);
                Vec::new()
            }
        }
    }

    /// What is left, each text with its key.
    fn rest(&mut self) -> Vec<(&'static str, &'static str)> {
        let keys: Vec<&'static str> = self.texts.iter().flat_map(|texts| texts.keys().copied()).collect();
        keys.into_iter().map(|key| (key, self.verbatim(key))).collect()
    }

    /// A text with the byte at which it starts. That one is missing is kept, unless the whole table is.
    fn take(&mut self, field: &str) -> Option<(usize, &'static str)> {
        let texts = self.texts.as_mut()?;
        // The English file says behind the name of a sentence what it is given.
        let is_named = |key: &&str| {
            key.strip_prefix(field).is_some_and(|given| given.is_empty() || given.starts_with('('))
        };
        let key = texts.keys().copied().find(is_named);
        match key.and_then(|key| texts.remove(key)) {
            Some((start, DeValue::String(text))) => Some((start, kept(text))),
            Some((start, other)) => {
                let fault = format!("found a value of type {}, wanted a text in quotes", other.type_str());
                self.fault(start, field, &fault);
                None
            }
            None => {
                self.fault(self.start, field, "found no such text, wanted it");
                None
            }
        }
    }

    fn fault(&mut self, start: usize, field: &str, fault: &str) {
        self.file.fault(start, &format!("{}.{field}", self.name), fault);
    }

    fn close(mut self) {
        for (key, (start, _)) in self.texts.take().unwrap_or_default() {
            self.fault(start, key, "found a text that nothing asks for");
        }
    }
}

fn values(table: DeTable<'static>) -> Values {
    let named = table.into_iter();
    named.map(|(key, value)| (kept(key.get_ref().clone()), (key.span().start, value.into_inner()))).collect()
}

/// For as long as the program runs: a language is read once.
fn kept(text: Cow<'static, str>) -> &'static str {
    match text {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => text.leak(),
    }
}
