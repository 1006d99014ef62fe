//! The rows of `COPY … FROM stdin` in a dump of PostgreSQL, as a table with commas.

use std::io::{self, BufRead, BufReader, Read};

use crate::source::pieces::{self, Input, begins};

/// How a dump begins, with the programs that write one: pg_dump and pg_dumpall.
const DUMP: &[u8] = b"--\n-- PostgreSQL database";

/// How its data begins, and a piece of a dump may.
const COPY: &[u8] = b"COPY ";

/// What ends the command before the rows.
const FROM_STDIN: &str = " FROM stdin;";

/// What ends the rows.
const END_OF_ROWS: &[u8] = b"\\.";

/// No row with a deck is longer.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// The same input, and whether it is such a dump, whose rows then come as a table.
///
/// # Errors
/// The input's.
pub(super) fn rows(input: Input) -> io::Result<(Input, bool)> {
    let (is_dump, input) = begins(input, is_dump)?;
    if !is_dump {
        return Ok((input, false));
    }
    let mut copied = Copied { input: BufReader::new(input), lines: Vec::new(), inside: None, table: None };
    Ok((pieces::input(move || copied.next_lines()), true))
}

/// Whether a text that begins so is a dump; `None` while that is open.
fn is_dump(head: &[u8]) -> Option<bool> {
    if DUMP.starts_with(head) {
        return (head == DUMP).then_some(true);
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
                (Some(_), false) if line.trim_ascii_end() == END_OF_ROWS => {}
                (Some(inside), false) => self.take_row(inside, &line)?,
                (None, _) if line.starts_with(b"INSERT INTO ") => {
                    return Err(fault(
                        "found rows of an INSERT beside those of a COPY, wanted one form: dump the table again by pg_dump --table"
                            .to_owned(),
                    ));
                }
                (None, _) => self.inside = table_of(&line).map(|(name, columns)| (name, Some(columns))),
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

/// A field as PostgreSQL writes it (documentation of COPY, "Text Format"), without its escapes; NULL is empty.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let (mut text, mut bytes) = (Vec::new(), field.iter());
    if field == b"\\N" {
        return text;
    }
    while let Some(&byte) = bytes.next() {
        text.push(match byte {
            b'\\' => match bytes.next() {
                Some(b'b') => 8,
                Some(b't') => b'\t',
                Some(b'n') => b'\n',
                Some(b'v') => 11,
                Some(b'f') => 12,
                Some(b'r') => b'\r',
                Some(&other) => other,
                None => b'\\',
            },
            other => other,
        });
    }
    text
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
        assert_eq!(is_dump, text.starts_with("COPY ") || text.starts_with("--\n"), "{text}");
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
