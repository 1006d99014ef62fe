//! Long lines broken between words, for people who read them on a terminal.

/// Columns of a terminal that every reader has.
pub const COLUMNS: usize = 80;

/// Every line that is longer than so many columns, broken between words. A word longer than a line, such as a path or a hash,
/// stays whole, and what is set in keeps its indentation.
pub fn to_columns(text: &str, columns: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| line_to_columns(line, columns)).collect();
    lines.join("\n")
}

fn line_to_columns(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns {
        return line.to_owned();
    }
    let words = line.trim_start_matches([' ', '-']);
    let (start, indentation) =
        (&line[..line.len() - words.len()], line.chars().count() - words.chars().count());
    let (mut broken, mut width) = (start.to_owned(), indentation);
    for (number, word) in words.split([' ', '\t']).filter(|word| !word.is_empty()).enumerate() {
        let letters = word.chars().count();
        if number > 0 && width + 1 + letters > columns {
            broken += &format!("\n{:indentation$}", "");
            width = indentation;
        } else if number > 0 {
            broken.push(' ');
            width += 1;
        }
        broken += word;
        width += letters;
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_and_short_ones_are_left_alone() {
        assert_eq!(to_columns("one two three\nfour  five\n", 10), "one two\nthree\nfour  five\n");
        assert_eq!(to_columns("- one two three four", 11), "- one two\n  three\n  four");
        assert_eq!(to_columns("", 4), "");
        // French has a space before a semicolon, at which no line breaks.
        assert_eq!(to_columns("un deux\u{202f}; trois", 8), "un\ndeux\u{202f};\ntrois");
    }

    #[test]
    fn a_word_longer_than_a_line_stays_whole() {
        let hash = "0123456789abcdef".repeat(4);
        let text = format!("the hash of a/file is {hash} and more");
        assert_eq!(to_columns(&text, 20), format!("the hash of a/file\nis\n{hash}\nand more"));
    }

    #[test]
    fn no_line_of_sentences_is_wider_than_the_terminal() {
        let text = "Décks sét in ♠ order, counted from 1, were réad. ".repeat(9);
        assert!(to_columns(&text, COLUMNS).lines().all(|line| line.chars().count() <= COLUMNS));
    }
}
