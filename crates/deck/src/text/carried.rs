//! Texts as mails and other programs pass them on: what these set around a text is taken away, and nothing in it changes.

/// The byte order mark, which a program such as Notepad sets when it saves a file.
pub const MARK: &str = "\u{feff}";

/// Without the marks of a mail that quotes it: `>` at the beginning of a line, as often as they are there, each with one space or none.
pub fn unquoted(text: &str) -> String {
    let bare = |mut line: &'_ str| -> usize {
        let whole = line.len();
        while let Some(rest) = line.strip_prefix('>') {
            line = rest.strip_prefix(' ').unwrap_or(rest);
        }
        whole - line.len()
    };
    let lines: Vec<&str> = text.split('\n').map(|line| &line[bare(line)..]).collect();
    lines.join("\n")
}

/// A text of whole lines as it was: without a byte order mark, carriage returns before line feeds, marks of a mail and empty lines at its ends, with
/// its last line feed. No entry, receipt or trust file has any of these in itself, so that only one text can be meant.
pub fn plain(text: &str) -> String {
    let text = unquoted(&text.strip_prefix(MARK).unwrap_or(text).replace("\r\n", "\n"));
    format!("{}\n", text.trim_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_set_around_a_text_is_taken_away_and_nothing_in_it() {
        let own = "first line\n\n  second > line\n";
        for carried in [
            own.to_owned(),
            own.trim_end().to_owned(),
            format!("{MARK}{own}"),
            format!("\n\n{own}\n"),
            own.replace('\n', "\r\n"),
            format!("{MARK}{}", own.replace('\n', "\r\n")),
            "> first line\n>\n>   second > line\n".to_owned(),
            ">first line\n> \n>   second > line".to_owned(),
            ">> first line\n>> \n> >   second > line\n>>\n".to_owned(),
        ] {
            assert_eq!(plain(&carried), own, "{carried:?}");
        }
        // A carriage return alone, a mark inside and spaces are of the text.
        for other in ["first line\r\n\r second\n", "first\u{feff} line\n", " first line\n", "first line \n"] {
            assert_ne!(plain(other), plain(own), "{other:?}");
        }
    }
}
