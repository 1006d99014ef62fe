//! The rows of `COPY … FROM stdin` in a dump of PostgreSQL, or of `INSERT` in one of MySQL, MariaDB or SQLite or alone, as a table with
//! commas.

use std::io::{self, BufRead, BufReader, Read};

use crate::source::pieces::{self, Input, begins, invalid};
use crate::source::spelling::{CARDS_MAX, cards_in};
use crate::source::text::Letters;

/// How a dump begins, with the programs that write one: pg_dump and pg_dumpall, mysqldump, and mariadb-dump since 2024 and before.
const DUMPS: [&[u8]; 4] = [
    b"--\n-- PostgreSQL database",
    b"-- MySQL dump",
    b"/*M!999999\\- enable the sandbox mode",
    b"-- MariaDB dump",
];

/// How rows begin there that are no COPY's, and what comes before the first of them.
const INSERT: &[u8] = b"INSERT INTO ";
const VALUES: &[u8] = b"VALUES";

/// How texts begin that come to such rows, beside these themselves.
const PREAMBLES: [&[u8]; 9] =
    [b"--", b"/*", b"PRAGMA ", b"BEGIN", b"START TRANSACTION", b"SET ", b"USE ", b"CREATE ", b"DROP "];

/// Bytes within which they come to them.
const PREAMBLE_BYTES_MAX: usize = 1 << 16;

/// How the last line of such a dump begins, where the first is there.
const COMPLETED: &[u8] = b"-- Dump completed";

/// And how the first and the last line of one of PostgreSQL do.
const POSTGRES: &[u8] = b"-- PostgreSQL database";

/// How its data begins, and a piece of a dump may.
const COPY: &[u8] = b"COPY ";

/// What ends the command before the rows.
const FROM_STDIN: &str = " FROM stdin;";

/// What ends the rows.
const END_OF_ROWS: &[u8] = b"\\.";

/// No row with a deck is longer.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// And no INSERT of a dump, which has as many bytes as a server takes at once.
const STATEMENT_BYTES_MAX: usize = 1 << 24;

/// The same input, and whether it is such a dump, whose rows then come as a table.
///
/// # Errors
/// The input's.
pub(super) fn rows(input: Input) -> io::Result<(Input, bool)> {
    let (is_dump, input) = begins(input, is_dump)?;
    if !is_dump {
        return Ok((input, false));
    }
    let mut copied = Copied {
        input: BufReader::new(input),
        lines: Vec::new(),
        inside: None,
        table: None,
        columns: None,
        letters: Letters::new(),
        is_postgres: false,
        has_inserts: false,
        is_whole: true,
        is_committed: true,
    };
    Ok((pieces::input(move || copied.next_lines()), true))
}

/// Whether a text that begins so is a dump; `None` while that is open.
fn is_dump(head: &[u8]) -> Option<bool> {
    if DUMPS.iter().any(|dump| head.starts_with(dump)) {
        return Some(true);
    }
    if DUMPS.iter().any(|dump| dump.starts_with(head)) {
        return None;
    }
    if !head.starts_with(COPY) {
        return if COPY.starts_with(head) { None } else { is_of_inserts(head) };
    }
    match head.last() {
        Some(b'\n') => Some(table_of(head).is_some()),
        _ if head.len() as u64 > LINE_BYTES_MAX => Some(false),
        _ => None,
    }
}

/// Whether a text that begins so comes to rows of INSERT; `None` while that is open.
fn is_of_inserts(head: &[u8]) -> Option<bool> {
    let may_begin = |words: &[u8]| begins_as(head, words) || begins_as(words, head);
    if !may_begin(INSERT) && !PREAMBLES.into_iter().any(may_begin) {
        return Some(false);
    }
    let line = head.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    if begins_as(line, INSERT) { Some(true) } else { (head.len() > PREAMBLE_BYTES_MAX).then_some(false) }
}

/// Whether a text begins with words, in letters of either case.
fn begins_as(text: &[u8], words: &[u8]) -> bool {
    text.get(..words.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(words))
}

/// The name of a table and its columns, if a line says that its rows follow.
fn table_of(line: &[u8]) -> Option<(String, Vec<String>)> {
    let line = std::str::from_utf8(line).ok()?.trim_end();
    let (name, columns) = line.strip_prefix("COPY ")?.strip_suffix(FROM_STDIN)?.split_once(" (")?;
    let columns = columns.strip_suffix(')')?.split(", ");
    let bare = |column: &str| column.trim_matches('"').replace("\"\"", "\"");
    Some((name.to_owned(), columns.map(bare).collect()))
}

struct Copied {
    input: BufReader<Input>,
    /// Lines of the table that are not given away yet.
    lines: Vec<u8>,
    /// The table whose rows come now, and the names of its columns as long as it has none.
    inside: Option<(String, Option<Vec<String>>)>,
    /// The table that has rows.
    table: Option<String>,
    /// The columns that an INSERT names.
    columns: Option<Vec<String>>,
    letters: Letters,
    is_postgres: bool,
    /// Whether the rows are those of INSERT.
    has_inserts: bool,
    /// Whether the last line of a dump of them was there, or none is wanted.
    is_whole: bool,
    /// Whether a transaction that was begun has ended.
    is_committed: bool,
}

impl Copied {
    /// Some lines, none at the end.
    fn next_lines(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        let mut has_ended = false;
        while self.lines.is_empty() && !has_ended {
            line.clear();
            has_ended = (&mut self.input).take(LINE_BYTES_MAX).read_until(b'\n', &mut line)? == 0;
            match (self.inside.take(), has_ended) {
                (Some((name, _)), true) => {
                    return Err(invalid(format!(
                        "found the end of the text among the rows of {name}, wanted a line \\.: the dump was cut off"
                    )));
                }
                (None, true) if !self.is_whole || !self.is_committed => {
                    let last = match (self.is_whole, self.is_postgres) {
                        (true, _) => "COMMIT;",
                        (false, true) => "-- PostgreSQL database dump complete",
                        (false, false) => "-- Dump completed",
                    };
                    return Err(invalid(format!(
                        "found the end of the text, wanted a line \"{last}\" before it: the dump was cut off"
                    )));
                }
                (Some(_), false) if line.trim_ascii_end() == END_OF_ROWS => {}
                (Some(inside), false) => self.take_row(inside, &line)?,
                (None, _) if (self.has_inserts || self.table.is_none()) && begins_as(&line, INSERT) => {
                    self.is_whole &= self.has_inserts || !self.is_postgres;
                    self.has_inserts = true;
                    self.read_statement(&mut line)?;
                    self.take_insert(&line)?;
                }
                (None, _) if self.has_inserts && is_other_insert(&line) => {
                    return Err(invalid(
                        "found rows of another statement, wanted those of INSERT INTO: dump the table again by mysqldump without --insert-ignore and --replace",
                    ));
                }
                (None, _) if begins_as(&line, INSERT) => {
                    return Err(invalid(
                        "found rows of an INSERT beside those of a COPY, wanted one form: dump the table again by pg_dump --table",
                    ));
                }
                (None, _) => {
                    let cards = cards_in(&line, &self.letters);
                    if cards >= CARDS_MAX {
                        return Err(invalid(format!(
                            "found {cards} cards in a line that is no row, wanted every deck in a row of one table"
                        )));
                    }
                    self.is_postgres |= line.starts_with(POSTGRES);
                    self.is_whole |=
                        line.starts_with(POSTGRES) && line.trim_ascii_end().ends_with(b"complete");
                    let begins_transaction = |words| begins_as(&line, words);
                    self.is_committed &=
                        ![&b"BEGIN"[..], b"START TRANSACTION"].into_iter().any(begins_transaction);
                    self.is_committed |= begins_as(&line, b"COMMIT");
                    let begins = DUMPS[1..].iter().any(|dump| line.starts_with(dump));
                    self.has_inserts |= begins;
                    self.is_whole = line.starts_with(COMPLETED) || self.is_whole && !begins;
                    self.inside = table_of(&line).map(|(name, columns)| (name, Some(columns)));
                }
            }
        }
        Ok(std::mem::take(&mut self.lines))
    }

    fn take_row(&mut self, (name, columns): (String, Option<Vec<String>>), line: &[u8]) -> io::Result<()> {
        let line = line.strip_suffix(b"\n").ok_or_else(|| {
            invalid(format!("found a row of {name} that has no end, wanted whole rows: the dump was cut off"))
        })?;
        if let Some(names) = columns {
            if let Some(other) = self.table.replace(name.clone()) {
                return Err(invalid(format!(
                    "found rows of two tables, {other} and {name}, wanted one: pg_dump --table={name}"
                )));
            }
            self.push_row(names.iter().map(|name| name.clone().into_bytes()));
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.push_row(line.split(|&byte| byte == b'\t').map(unescaped));
        self.inside = Some((name, None));
        Ok(())
    }

    /// Reads on to the end of a statement. No string of a dump has a line feed in it.
    fn read_statement(&mut self, statement: &mut Vec<u8>) -> io::Result<()> {
        let mut is_open = true;
        let has_ended = |statement: &[u8]| {
            let rows = statement.trim_ascii_end().strip_suffix(b";");
            rows.is_some_and(|rows| rows.trim_ascii_end().ends_with(b")"))
        };
        while is_open && !has_ended(statement) && statement.len() < STATEMENT_BYTES_MAX {
            is_open = (&mut self.input).take(LINE_BYTES_MAX).read_until(b'\n', statement)? > 0;
        }
        Ok(())
    }

    /// The rows of one INSERT.
    fn take_insert(&mut self, line: &[u8]) -> io::Result<()> {
        let (name, columns, rows) = inserted(line).ok_or_else(|| {
            invalid(
                "found an INSERT that is not rows of values to its end, wanted it as mysqldump writes it, and whole",
            )
        })?;
        let is_first = self.table.is_none();
        if let Some(other) = self.table.replace(name.clone()).filter(|other| *other != name) {
            return Err(invalid(format!(
                "found rows of two tables, {other} and {name}, wanted one: mysqldump DATABASE TABLE"
            )));
        }
        if is_first {
            columns
                .iter()
                .for_each(|names| self.push_row(names.iter().map(|name| name.clone().into_bytes())));
            self.columns = columns;
        } else if columns != self.columns {
            return Err(invalid(format!(
                "found an INSERT that names other columns of {name}, wanted the same in each"
            )));
        }
        rows.into_iter().for_each(|cells| self.push_row(cells.into_iter()));
        Ok(())
    }

    fn push_row(&mut self, cells: impl Iterator<Item = Vec<u8>>) {
        for (place, cell) in cells.enumerate() {
            self.lines.extend_from_slice(if place > 0 { b",\"" } else { b"\"" });
            for byte in cell {
                self.lines.extend_from_slice(if byte == b'"' { b"\"" } else { b"" });
                self.lines.push(byte);
            }
            self.lines.push(b'"');
        }
        self.lines.push(b'\n');
    }
}

/// The rows of values of an INSERT.
type Rows = Vec<Vec<Vec<u8>>>;

/// Whether a line begins with rows that would replace others or be left out.
fn is_other_insert(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    begins_as(line, b"INSERT") || begins_as(line, b"REPLACE")
}

/// The table of an INSERT, the columns if it names them, and its rows; MariaDB begins a line with each of these.
fn inserted(statement: &[u8]) -> Option<(String, Option<Vec<String>>, Rows)> {
    let is_word = |window: &[u8]| window[0].is_ascii_whitespace() && window[1..].eq_ignore_ascii_case(VALUES);
    let at = statement.windows(1 + VALUES.len()).position(is_word)? + 1;
    let into = std::str::from_utf8(&statement[INSERT.len()..at]).ok()?.replace(['`', '"', '[', ']'], "");
    let (name, columns) = match into.split_once('(') {
        Some((name, columns)) => (name, Some(columns.trim().strip_suffix(')')?)),
        None => (into.as_str(), None),
    };
    let name = name.trim().to_owned();
    let columns = columns.map(|columns| columns.split(',').map(|column| column.trim().to_owned()).collect());
    let (mut rows, mut rest) = (Vec::new(), &statement[at + VALUES.len()..]);
    loop {
        let mut row = Vec::new();
        // What comes before the first value of a row, and before each of the others.
        let mut before = b'(';
        rest = rest.trim_ascii_start();
        while let Some(text) = rest.trim_ascii_start().strip_prefix(&[before]) {
            let (cell, after) = value(text.trim_ascii_start())?;
            row.push(cell);
            (rest, before) = (after, b',');
        }
        rest = rest.trim_ascii_start().strip_prefix(b")").filter(|_| !row.is_empty())?;
        rows.push(row);
        match rest.trim_ascii_start().strip_prefix(b",") {
            Some(more) => rest = more,
            None => return (rest.trim_ascii() == b";").then_some((name, columns, rows)),
        }
    }
}

/// A value as MySQL writes it (manual of MySQL 8, "String Literals"), without quotes and escapes, NULL empty; and what follows it.
fn value(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let text = text.strip_prefix(b"_binary ").unwrap_or(text);
    // Digits of bytes, as SQLite writes them.
    let text = if begins_as(text, b"X'") { &text[1..] } else { text };
    let Some(mut rest) = text.strip_prefix(b"'") else {
        let (bare, rest) =
            text.split_at(text.iter().position(|byte| b",)".contains(byte)).filter(|&end| end > 0)?);
        let bare = bare.trim_ascii();
        return Some((if bare.eq_ignore_ascii_case(b"NULL") { Vec::new() } else { bare.to_vec() }, rest));
    };
    let mut own = Vec::new();
    loop {
        let (byte, after) = match *rest {
            [b'\\', escaped, ref after @ ..] => (unescaped_byte(escaped), after),
            [b'\'', b'\'', ref after @ ..] => (b'\'', after),
            [b'\'', ref after @ ..] => return Some((own, after)),
            [byte, ref after @ ..] => (byte, after),
            [] => return None,
        };
        own.push(byte);
        rest = after;
    }
}

/// A field as PostgreSQL writes it (documentation of COPY, "Text Format"), without its escapes; NULL is empty.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let (mut text, mut bytes) = (Vec::new(), field.iter());
    if field == b"\\N" {
        return text;
    }
    while let Some(&byte) = bytes.next() {
        text.push(match byte {
            b'\\' => match bytes.next() {
                Some(b'v') => 11,
                Some(b'f') => 12,
                Some(&other) => unescaped_byte(other),
                None => b'\\',
            },
            other => other,
        });
    }
    text
}

/// What the letter behind a backslash means in both databases.
fn unescaped_byte(letter: u8) -> u8 {
    match letter {
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'r' => b'\r',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn table(text: &str) -> io::Result<String> {
        let (mut input, is_dump) = rows(Box::new(Cursor::new(text.to_owned().into_bytes())))?;
        let mut read = String::new();
        input.read_to_string(&mut read)?;
        assert!(is_dump, "{text}");
        Ok(read)
    }

    #[test]
    fn no_row_is_passed_over() {
        let text = "COPY a (id) FROM stdin;\n1\n\\.\n\nINSERT INTO a VALUES (2);\n";
        assert!(table(text).is_err_and(|error| error.to_string().contains("INSERT beside")));
    }

    #[test]
    fn rows_come_with_their_names_and_without_escapes() {
        let dump = "--\n-- PostgreSQL database dump\n--\n\nSET x = 0;\n\
                    COPY public.empty (id) FROM stdin;\n\\.\n\n\
                    COPY public.hands (id, \"Deck\", note) FROM stdin;\n1\t\\\\x0033\ta \"b\"\\n\n2\t\\N\t\n\\.\n\nSELECT 1;\n";
        let expected = "\"id\",\"Deck\",\"note\"\n\"1\",\"\\x0033\",\"a \"\"b\"\"\n\"\n\"2\",\"\",\"\"\n";
        assert_eq!(table(dump).ok().as_deref(), Some(expected));
        let rows = &dump[dump.find("COPY public.hands").expect("it is there")..];
        assert_eq!(table(rows).ok().as_deref(), Some(expected));
        for other in ["-- a remark\n1\n", "COPY the deck\n1\n", "--", "As Kd\n"] {
            let (mut input, is_dump) = super::rows(Box::new(other.as_bytes())).expect("readable");
            let mut read = String::new();
            input.read_to_string(&mut read).expect("text");
            assert!(!is_dump && read == other);
        }
    }

    #[test]
    fn rows_of_inserts_come_one_a_line_or_are_refused() {
        let begin = "-- MySQL dump 10.13  Distrib 8.0.35, for Linux (x86_64)\n--\nCREATE TABLE `hands` (\n  `deck` text\n);\n";
        let rows = "INSERT INTO `hands` VALUES (1,'it''s \\'a\\'\\n, (b)',NULL),(2,'',-0.5);\nINSERT INTO `hands` VALUES (3,');',4);\n";
        let expected = "\"1\",\"it's 'a'\n, (b)\",\"\"\n\"2\",\"\",\"-0.5\"\n\"3\",\");\",\"4\"\n";
        let cut = table(&format!("{begin}{rows}"));
        assert!(cut.is_err_and(|error| error.to_string().contains("the dump was cut off")));
        let table =
            |text: &str| table(&format!("{begin}{text}UNLOCK TABLES;\n-- Dump completed on 2026-11-22\n"));
        assert_eq!(table(rows).ok().as_deref(), Some(expected));
        let of_mariadb = rows.replace("VALUES ", "VALUES\n").replace("),(", "),\n(");
        assert_eq!(table(&of_mariadb).ok().as_deref(), Some(expected));
        for (text, says) in [
            ("INSERT INTO `hands` VALUES (1,'a\n", "to its end"),
            ("INSERT INTO `hands` VALUES (1,'a') (2,'b');\n", "to its end"),
            ("INSERT INTO `hands` VALUES (1,'a'),();\n", "to its end"),
            ("INSERT INTO `hands` VALUES (1,'a'),\n", "to its end"),
            ("REPLACE INTO `hands` VALUES (1,'a');\n", "those of INSERT INTO"),
            (&format!("{rows}INSERT INTO `seats` VALUES (1);\n"), "two tables, hands and seats"),
        ] {
            assert!(table(text).is_err_and(|error| error.to_string().contains(says)), "{text}");
        }
    }

    #[test]
    fn statements_alone_are_rows_with_the_names_that_they_have() {
        let expected = "\"1\",\"As, \"\"x\"\"\"\n\"2\",\"\"\n";
        let named = format!("\"id\",\"deck\"\n{expected}");
        for (text, expected) in [
            ("INSERT INTO hands VALUES (1,'As, \"x\"'),(2,NULL);\n", expected),
            ("insert into hands values (1, 'As, \"x\"');\ninsert into hands values (2 , null);\n", expected),
            ("INSERT INTO `hands` (`id`, `deck`) VALUES\n  (1, 'As, \"x\"'),\n  (2, NULL)\n;\n", &named),
            ("INSERT INTO [hands] ([id], [deck])\nVALUES (1, X'As, \"x\"'), (2, NULL);\n", &named),
            (
                "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE hands (\n  id integer, deck text);\n\
                 INSERT INTO \"hands\" VALUES(1,'As, \"x\"');\nINSERT INTO hands VALUES(2,NULL);\nCOMMIT;\n",
                expected,
            ),
            (
                "--\n-- PostgreSQL database dump\n--\n\nINSERT INTO hands (id, deck) VALUES (1, 'As, \"x\"');\n\
                 INSERT INTO hands (id, deck) VALUES (2, NULL);\n\n--\n-- PostgreSQL database dump complete\n--\n",
                &named,
            ),
        ] {
            assert_eq!(table(text).ok().as_deref(), Some(expected), "{text}");
        }
        let deck = "2c3c4c5c6c7c8c9cTcJcQcKcAc2d3d4d5d6d7d8d9dTdJdQdKdAd";
        for (text, says) in [
            ("-- x\nBEGIN;\nINSERT INTO hands VALUES (1);\n", "wanted a line \"COMMIT;\""),
            (
                "--\n-- PostgreSQL database dump\n--\nINSERT INTO hands VALUES (1);\n",
                "database dump complete",
            ),
            ("INSERT INTO a (b) VALUES (1);\nINSERT INTO a VALUES (1);\n", "names other columns of a"),
            ("INSERT INTO a VALUES (1);\nREPLACE INTO a VALUES (1);\n", "those of INSERT INTO"),
            (
                &format!("INSERT INTO a VALUES (1);\nUPDATE a SET deck = '{deck}';\n"),
                "26 cards in a line that is no row",
            ),
        ] {
            assert!(table(text).is_err_and(|error| error.to_string().contains(says)), "{text}");
        }
    }

    #[test]
    fn a_dump_that_was_cut_off_or_holds_two_tables_is_refused() {
        let rows = "COPY a (id) FROM stdin;\n1\n2\n";
        for (text, says) in [
            (rows.to_owned(), "cut off"),
            (rows.trim_end().to_owned(), "cut off"),
            (format!("{rows}\\.\nCOPY b (id) FROM stdin;\n1\n\\.\n"), "pg_dump --table=b"),
        ] {
            assert!(table(&text).is_err_and(|error| error.to_string().contains(says)), "{text}");
        }
    }
}
