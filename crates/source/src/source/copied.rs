//! The rows of `COPY … FROM stdin` in a dump of PostgreSQL, or of `INSERT` in one of MySQL or MariaDB, as a table with commas.

use std::io::{self, BufRead, BufReader, Read};

use crate::source::pieces::{self, Input, begins};

/// How a dump begins, with the programs that write one: pg_dump and pg_dumpall, mysqldump, and mariadb-dump since 2024 and before.
const DUMPS: [&[u8]; 4] = [
    b"--\n-- PostgreSQL database",
    b"-- MySQL dump",
    b"/*M!999999\\- enable the sandbox mode",
    b"-- MariaDB dump",
];

/// How rows begin there that are no COPY's, and what stands before the first of them.
const INSERT: &[u8] = b"INSERT INTO ";
const VALUES: &[u8] = b" VALUES";

/// How the last line of such a dump begins, where the first is there.
const COMPLETED: &[u8] = b"-- Dump completed";

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
        has_inserts: false,
        is_whole: true,
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
        return if COPY.starts_with(head) { None } else { Some(false) };
    }
    match head.last() {
        Some(b'\n') => Some(table_of(head).is_some()),
        _ if head.len() as u64 > LINE_BYTES_MAX => Some(false),
        _ => None,
    }
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
    /// Whether the dump is one of MySQL or MariaDB, whose rows are those of INSERT.
    has_inserts: bool,
    /// Whether the last line of such a dump was there, or none is wanted.
    is_whole: bool,
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
                    return Err(fault(format!(
                        "found the end of the text among the rows of {name}, wanted a line \\.: the dump was cut off"
                    )));
                }
                (None, true) if !self.is_whole => {
                    return Err(fault("found the end of the text, wanted a line \"-- Dump completed\" before it: the dump was cut off".to_owned()));
                }
                (Some(_), false) if line.trim_ascii_end() == END_OF_ROWS => {}
                (Some(inside), false) => self.take_row(inside, &line)?,
                (None, _) if self.has_inserts && line.starts_with(INSERT) => {
                    self.read_statement(&mut line)?;
                    self.take_insert(&line)?;
                }
                (None, _)
                    if self.has_inserts && (line.starts_with(b"INSERT") || line.starts_with(b"REPLACE")) =>
                {
                    return Err(fault("found rows of another statement, wanted those of INSERT INTO: dump the table again by mysqldump without --insert-ignore and --replace".to_owned()));
                }
                (None, _) if line.starts_with(INSERT) => {
                    return Err(fault(
                        "found rows of an INSERT beside those of a COPY, wanted one form: dump the table again by pg_dump --table"
                            .to_owned(),
                    ));
                }
                (None, _) => {
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
            fault(format!("found a row of {name} that has no end, wanted whole rows: the dump was cut off"))
        })?;
        if let Some(names) = columns {
            if let Some(other) = self.table.replace(name.clone()) {
                return Err(fault(format!(
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
        while is_open && !statement.trim_ascii_end().ends_with(b");") && statement.len() < STATEMENT_BYTES_MAX
        {
            is_open = (&mut self.input).take(LINE_BYTES_MAX).read_until(b'\n', statement)? > 0;
        }
        Ok(())
    }

    /// The rows of one INSERT.
    fn take_insert(&mut self, line: &[u8]) -> io::Result<()> {
        let (name, rows) = inserted(line).ok_or_else(|| {
            fault(
                "found an INSERT that is not rows of values to its end, wanted it as mysqldump writes it, and whole"
                    .to_owned(),
            )
        })?;
        if let Some(other) = self.table.replace(name.clone()).filter(|other| *other != name) {
            return Err(fault(format!(
                "found rows of two tables, {other} and {name}, wanted one: mysqldump DATABASE TABLE"
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

/// The table of an INSERT and its rows; MariaDB begins a line with each of these.
fn inserted(statement: &[u8]) -> Option<(String, Rows)> {
    let at = statement.windows(VALUES.len()).position(|window| window == VALUES)?;
    let name = std::str::from_utf8(&statement[INSERT.len()..at]).ok()?.replace('`', "");
    let (mut rows, mut rest) = (Vec::new(), &statement[at + VALUES.len()..]);
    loop {
        let mut row = Vec::new();
        // What stands before the first value of a row, and before each of the others.
        let mut before = b'(';
        rest = rest.trim_ascii_start();
        while let Some(text) = rest.strip_prefix(&[before]) {
            let (cell, after) = value(text)?;
            row.push(cell);
            (rest, before) = (after, b',');
        }
        rest = rest.strip_prefix(b")").filter(|_| !row.is_empty())?;
        rows.push(row);
        match rest.strip_prefix(b",") {
            Some(more) => rest = more,
            None => return (rest.trim_ascii_end() == b";").then_some((name, rows)),
        }
    }
}

/// A value as MySQL writes it (manual of MySQL 8, "String Literals"), without quotes and escapes, NULL empty; and what follows it.
fn value(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let text = text.strip_prefix(b"_binary ").unwrap_or(text);
    let Some(mut rest) = text.strip_prefix(b"'") else {
        let (bare, rest) =
            text.split_at(text.iter().position(|byte| b",)".contains(byte)).filter(|&end| end > 0)?);
        return Some((if bare == b"NULL" { Vec::new() } else { bare.to_vec() }, rest));
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

/// What stands for the letter behind a backslash in both databases.
fn unescaped_byte(letter: u8) -> u8 {
    match letter {
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'r' => b'\r',
        other => other,
    }
}

fn fault(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn table(text: &str) -> io::Result<String> {
        let (mut input, is_dump) = rows(Box::new(Cursor::new(text.to_owned().into_bytes())))?;
        let mut read = String::new();
        input.read_to_string(&mut read)?;
        assert_eq!(is_dump, text.starts_with("COPY ") || text.starts_with("--"), "{text}");
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
