//! Text exports of Full Tilt Poker, put into the words of PokerStars line by line, so that one reader reads both.
//!
//! A line that says nothing about the hand (chat, seats taken, seconds left) becomes an empty one, so that the
//! numbers of the lines stay. A line that is not known stays as it is, and the reader names it.

/// How a hand begins; the older form first.
const FIRST_WORDS: [&str; 2] = ["FullTiltPoker Game #", "Full Tilt Poker Game #"];

/// Whether a text looks like such an export.
pub(super) fn is_export(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    FIRST_WORDS.iter().any(|first| text.starts_with(first))
}

/// The games by the room's names, the longer ones first, and the names the reader knows.
const GAMES: [(&str, &str); 4] = [
    ("Stud H/L", "7 Card Stud Hi/Lo Limit"),
    ("Stud Hi/Lo", "7 Card Stud Hi/Lo Limit"),
    ("Stud Hi", "7 Card Stud Limit"),
    ("Razz", "Razz Limit"),
];

/// The marks of streets that are written otherwise.
const MARKS: [(&str, &str); 5] = [
    ("*** 3RD STREET ***", "*** 3rd STREET ***"),
    ("*** 4TH STREET ***", "*** 4th STREET ***"),
    ("*** 5TH STREET ***", "*** 5th STREET ***"),
    ("*** 6TH STREET ***", "*** 6th STREET ***"),
    ("*** 7TH STREET ***", "*** RIVER ***"),
];

/// Remarks on a player that do not change the hand.
const REMARKS: [&str; 12] = [
    " is low with [", " sits down", " stands up", " adds ", " seconds left to act", " is sitting out",
    " has returned", " has been disconnected", " has reconnected", " has timed out", " is feeling ",
    " has requested TIME",
];

/// The text in the words of PokerStars.
pub(super) fn translated(text: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let (mut in_summary, mut in_third) = (false, false);
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.lines() {
        let line = line.trim_start_matches('\u{feff}').trim_end();
        if let Some(first) = header(line) {
            names.clear();
            (in_summary, in_third) = (false, false);
            out.push_str(&first);
        } else if in_summary {
            out.push_str(line);
        } else if let Some((_, mark)) = MARKS.iter().find(|(mark, _)| *mark == line) {
            in_third = *mark == MARKS[0].1;
            out.push_str(mark);
        } else {
            in_summary = line == "*** SUMMARY ***";
            if let Some(seat) = seat(line) {
                names.extend(
                    seat.split_once(": ")
                        .and_then(|(_, rest)| rest.rsplit_once(" ("))
                        .map(|at| at.0.to_owned()),
                );
                out.push_str(&seat);
            } else {
                out.push_str(&line_translated(line, &names, in_third));
            }
        }
        out.push('\n');
    }
    out
}

/// `Full Tilt Poker Game #1: Table T - $2/$4 Ante $0.40 - Limit Stud Hi - 13:14:27 ET - 2010/06/10`.
fn header(line: &str) -> Option<String> {
    let rest = FIRST_WORDS.iter().find_map(|first| line.strip_prefix(first))?;
    let (number, rest) = rest.split_once(':').unwrap_or((rest, ""));
    let Some((_, game)) = GAMES.iter().find(|(name, _)| rest.contains(name)) else {
        return Some(format!("PokerStars Game #{number}: {rest}"));
    };
    // The buy-in of a tournament has no stroke between its amounts.
    let limits = rest.split(" - ").filter_map(|part| part.split(' ').next()).find(|part| is_limits(part));
    Some(format!("PokerStars Game #{number}:  {game} ({})", limits.unwrap_or_default()))
}

fn is_limits(part: &str) -> bool {
    part.contains('/') && part.chars().all(|letter| letter.is_ascii_digit() || "$€£./,".contains(letter))
}

/// `Seat 6: NAME ($43.60), is sitting out`.
fn seat(line: &str) -> Option<String> {
    let line = line.strip_suffix(", is sitting out").unwrap_or(line);
    let chips = line.strip_prefix("Seat ")?.contains(": ").then(|| line.strip_suffix(')'))??;
    Some(format!("{chips} in chips)"))
}

/// A line of the hand; empty where it says nothing about it.
fn line_translated(line: &str, names: &[String], in_third: bool) -> String {
    if let Some(rest) = line.strip_prefix("Uncalled bet of ") {
        return match rest.split_once(" returned to ") {
            Some((amount, name)) => format!("Uncalled bet ({amount}) returned to {name}"),
            None => line.to_owned(),
        };
    }
    if line.starts_with("Dealt to ") {
        // The down cards of third street stand apart from the door.
        return if in_third { line.replacen("] [", " ", 1) } else { line.to_owned() };
    }
    let fits =
        |name: &&String| line.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with([' ', ':']));
    let Some(name) = names.iter().filter(fits).max_by_key(|name| name.len()) else {
        // What others at the table say or do.
        return if is_remark(line) || is_chat(line) { String::new() } else { line.to_owned() };
    };
    let rest = &line[name.len()..];
    match rest.strip_prefix(' ') {
        // A player's name and a colon begin a remark of the player.
        None => String::new(),
        Some(deed) => deed_translated(name, deed)
            .unwrap_or_else(|| if is_remark(rest) { String::new() } else { line.to_owned() }),
    }
}

fn is_remark(text: &str) -> bool {
    REMARKS.iter().any(|remark| text.contains(remark)) || text.ends_with(" seconds left to act")
}

fn is_chat(line: &str) -> bool {
    !line.starts_with("*** ") && line.contains(": ")
}

/// What a player did.
fn deed_translated(name: &str, deed: &str) -> Option<String> {
    let deed = deed.strip_suffix(", and is all in").unwrap_or(deed);
    let words: Vec<&str> = deed.split(' ').collect();
    Some(match words[..] {
        ["antes", ante] => format!("{name}: posts the ante {ante}"),
        ["completes", "it", "to", chips] | ["raises", "to", chips] => format!("{name}: raises - to {chips}"),
        ["mucks"] => format!("{name}: mucks hand"),
        ["brings", "in", "for", _] | ["folds" | "checks"] | ["bets" | "calls", _] | ["shows", ..] => {
            format!("{name}: {deed}")
        }
        ["wins" | "ties", ..] => {
            let (_, amount) = deed.split_once('(')?;
            format!("{name} collected {} from pot", amount.split_once(')')?.0)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_translated_into_the_words_of_the_other_room() {
        let names = ["Ada".to_owned(), "Ada B".to_owned()];
        for (line, wanted) in [
            ("Ada antes $0.40", "Ada: posts the ante $0.40"),
            ("Ada B completes it to $2", "Ada B: raises - to $2"),
            ("Ada raises to $4, and is all in", "Ada: raises - to $4"),
            ("Uncalled bet of $1.50 returned to Ada", "Uncalled bet ($1.50) returned to Ada"),
            ("Ada wins the low pot ($3.10) with 8,5,4,3,A", "Ada collected $3.10 from pot"),
            ("Ada ties for the pot ($3) with a pair of Tens", "Ada collected $3 from pot"),
            ("Ada: folds", ""),
            ("Eve: Ada folds", ""),
            ("Ada has 15 seconds left to act", ""),
            ("5 seconds left to act", ""),
            ("Eve sits down", ""),
            ("Ada is low with [2c]", ""),
            ("Ada wonders", "Ada wonders"),
        ] {
            assert_eq!(line_translated(line, &names, false), wanted, "{line}");
        }
        assert_eq!(line_translated("Dealt to Ada [Ac 9h] [3s]", &names, true), "Dealt to Ada [Ac 9h 3s]");
        assert_eq!(line_translated("Dealt to Ada [3s] [4s]", &names, false), "Dealt to Ada [3s] [4s]");
        assert_eq!(
            seat("Seat 6: Ada (x) ($43.60), is sitting out").as_deref(),
            Some("Seat 6: Ada (x) ($43.60 in chips)")
        );
        let check = |line: &str, wanted: &str| assert_eq!(header(line).as_deref(), Some(wanted));
        check(
            "Full Tilt Poker Game #11: Table F - $2/$4 Ante $0.40 - Limit Stud H/L - 13:14:27 ET - 2010/06/10",
            "PokerStars Game #11:  7 Card Stud Hi/Lo Limit ($2/$4)",
        );
        check(
            "Full Tilt Poker Game #12: $1 + $0.25 Sit & Go (78), Table 1 - 25/50 Ante 5 - Limit Stud Hi - 0:07:45 ET",
            "PokerStars Game #12:  7 Card Stud Limit (25/50)",
        );
    }
}
