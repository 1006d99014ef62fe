//! Worked examples, three at the end of every `--help`.

/// For each command its name and a colon, then what is typed and what it does; an empty line ends it.
static EXAMPLES: &str = include_str!("examples.txt");

/// The examples of a command as they stand in its help; nothing for a command that has none.
pub(super) fn of(command: &str) -> String {
    let own = EXAMPLES.split("\n\n").find_map(|section| section.strip_prefix(command)?.strip_prefix(":\n"));
    own.map_or_else(String::new, |lines| format!("Examples:\n{}\n", lines.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{command, parse};

    #[test]
    fn every_command_has_three_examples_and_each_can_be_typed() {
        let mut names = Vec::new();
        for section in EXAMPLES.split("\n\n") {
            let (name, lines) = section.split_once(":\n").expect("a name and its examples");
            let (typed, does): (Vec<&str>, Vec<&str>) =
                lines.lines().partition(|line| line.starts_with("  deckproof "));
            assert!(typed.len() == 3 && does.len() == 3, "{name}");
            assert!(does.iter().all(|line| line.starts_with("      ") && line.len() > 12), "{does:?}");
            for typed in typed {
                // What follows a pipe or an arrow is the shell's.
                let own = typed.split([' ']).take_while(|word| !["|", "<", ">"].contains(word));
                let words = shell_words::split(&own.collect::<Vec<_>>().join(" ")).expect("words");
                assert_eq!(words[1], name, "{typed}");
                let parsed = parse(words.into_iter().map(Into::into));
                let error = parsed.err().map(|error| error.to_string()).unwrap_or_default();
                assert!(error.is_empty(), "{typed}: {error}");
            }
            assert!(of(name).contains(lines.trim_end()), "{name}");
            names.push(name);
        }
        for command in command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let own_help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let name = command.get_name();
            assert!(names.contains(&name) || own_help.contains("Examples:"), "{name}");
            assert_eq!(of(name).is_empty(), !names.contains(&name));
        }
    }
}
