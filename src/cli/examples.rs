//! Worked examples, three at the end of every `--help`.

/// A command and its examples: what is typed, and what it does.
type Examples = (&'static str, [(&'static str, &'static str); 3]);

const EXAMPLES: &[Examples] = &[
    (
        "audit",
        [
            ("deckproof audit --source export.csv", "judges all decks of an export"),
            (
                "deckproof audit --source export.csv --records 9001.. --players 7",
                "only what was added since, dealt to seven",
            ),
            (
                "deckproof audit --source 'cmd:./shuffler --decks' --decks 1e6 --timeout 30s",
                "a program that prints decks",
            ),
        ],
    ),
    (
        "plan",
        [
            (
                "deckproof plan --decks 1e6 --out plan.toml",
                "freezes an audit of a million decks before any is dealt",
            ),
            ("deckproof plan --source export.csv --tiers core", "says what the decks of this file can show"),
            (
                "deckproof plan --source - --format cards --decks 20000",
                "decks that do not exist yet; audit --plan takes their file",
            ),
        ],
    ),
    (
        "merge",
        [
            ("deckproof merge audit-1f-shards/shard-*.tally", "adds all shards of one plan"),
            ("deckproof merge --out whole a.tally b.tally", "and writes to the folder whole"),
            ("deckproof merge --json a.tally b.tally", "prints the outcome for programs"),
        ],
    ),
    (
        "daily",
        [
            (
                "deckproof daily --config daily.toml",
                "audits what the configuration names and prints the mail",
            ),
            ("deckproof daily --config /etc/deckproof/table-1.toml", "paths in it begin at /etc/deckproof"),
            ("deckproof daily --config daily.toml | mail -s shuffler ops@stud.example", "sends it"),
        ],
    ),
    (
        "history",
        [
            ("deckproof history integrity", "every day with what it said"),
            ("deckproof history integrity --csv > days.csv", "for a spreadsheet"),
            (
                "deckproof history integrity --verify --kept 12:e3b0c44298fc",
                "and row 12 as an old mail has it",
            ),
        ],
    ),
    (
        "deal",
        [
            (
                "deckproof deal --table T-1 --hands 2 --rules stud-hi --seats 1,2,4,5 --out hands",
                "deals two hands",
            ),
            ("deckproof deal --table T-1 --hands 8 --rules stud-8b --seats 1-6 --out hands", "six players"),
            ("deckproof deal --continue --table T-1 --hands 2 --out hands", "goes on at the same table"),
        ],
    ),
    (
        "log",
        [
            ("deckproof log init log --origin stud.example/log1 --key log.key", "a new log with its key"),
            (
                "deckproof log append log --key log.key hands/public/entries.txt",
                "takes the entries of a table in",
            ),
            ("deckproof log scan log --trust trust.json", "reads it all and names every fault"),
        ],
    ),
    (
        "compare",
        [
            ("deckproof compare real.txt play.txt", "decks for money against decks for play"),
            ("deckproof compare before.csv after.csv --players 7", "before and after a release, seven seats"),
            (
                "deckproof compare table-1/certificate.json table-2/certificate.json",
                "two audits, in a moment",
            ),
        ],
    ),
    (
        "bundle",
        [
            ("deckproof bundle hands --hand 1 --seat 4", "what the player in seat 4 may see"),
            ("deckproof bundle hands --hand 1 --full", "all 52 cards, for an arbiter"),
            ("deckproof bundle hands --hand 1-20", "everything of twenty hands"),
        ],
    ),
    (
        "seed",
        [
            (
                "deckproof seed --table T-1 --hand 7 --seat 4 --out seed.txt",
                "draws it; send the commitment before the hand",
            ),
            (
                "deckproof seed --origin stud.example/log1 --table T-1 --hand 7 --seat 4 --out seed.txt",
                "for a named log",
            ),
            ("deckproof seed --table T-2 --hand 1 --seat 1 --out mine.txt", "another table"),
        ],
    ),
    (
        "verify",
        [
            ("deckproof verify hands/hand-1/seat-4.json", "a bundle of one hand"),
            (
                "deckproof verify --committed entries.txt --seen 'seat 4: 7h Ks down, 2c up' seat-4.json",
                "with what you saved and saw",
            ),
            (
                "deckproof verify certificate.json --rerun",
                "judges a certificate again and counts the decks again",
            ),
        ],
    ),
    (
        "report",
        [
            ("deckproof report certificate.json --out report.html", "the page of the audit"),
            ("deckproof report certificate.json --format md", "as text for a terminal or a repository"),
            ("deckproof report certificate.json --format csv --out tables", "every p-value as a table"),
        ],
    ),
    (
        "power",
        [
            ("deckproof power --dealers sattolo,riffle-7 --decks-max 10000", "two dealers, quickly"),
            ("deckproof power --tiers core --seeds 20 --state power.json", "the core tier, in pieces"),
            ("deckproof power --tiers stud --rules stud-8b --players 6 --dealers action-hands", "at a table"),
        ],
    ),
    (
        "calibrate",
        [
            ("deckproof calibrate --runs 100 --sizes 100,1000", "a short one"),
            (
                "deckproof calibrate --runs 1000 --state calibration.json --out reports",
                "a long one that may be interrupted",
            ),
            (
                "deckproof calibrate --tiers stud --rules espacejeux --players 6 --runs 500",
                "the statistics of hands",
            ),
        ],
    ),
    (
        "selftest",
        [
            ("deckproof selftest", "known answers, distributions, calibration, flawed dealers"),
            ("deckproof selftest --json", "the same for programs"),
            ("deckproof selftest --out selftest", "with its certificate in a folder"),
        ],
    ),
    (
        "deck",
        [
            ("deckproof deck --audit-key @key.txt --index 7", "the eighth deck of an audit"),
            ("deckproof deck --hand-key @hand.txt --json", "of a hand that was opened"),
            (
                "deckproof deck --day-key - --origin stud.example/log1 --table T-1 --hand 7 --mix none",
                "of a day",
            ),
        ],
    ),
    (
        "rank",
        [
            ("deckproof rank 'As Ks 9h 9d 4c 3c 2s'", "one hand"),
            ("deckproof rank --json 'As Ks 9h 9d 4c'", "for programs"),
            ("deckproof rank < hands.txt", "one hand a line"),
        ],
    ),
    (
        "hands",
        [
            ("deckproof hands HandHistory.txt", "the export of a room"),
            ("deckproof hands wsop/*.phh", "Poker Hand History files"),
            ("deckproof hands --json HandHistory.txt", "for programs"),
        ],
    ),
    (
        "replay",
        [
            ("deckproof replay hand.phh", "by the rules that the variant names"),
            ("deckproof replay --rules espacejeux hand.phh", "by another rule set"),
            ("deckproof replay --reading mucked_hand=gives_up hand.phh", "with an open point answered"),
        ],
    ),
    (
        "completions",
        [
            ("deckproof completions bash > ~/.local/share/bash-completion/completions/deckproof", "for bash"),
            ("deckproof completions zsh > _deckproof", "for zsh"),
            ("deckproof completions fish > deckproof.fish", "for fish"),
        ],
    ),
];

/// The examples of a command as they stand in its help; nothing for a command that has none.
pub(super) fn of(command: &str) -> String {
    let Some((_, examples)) = EXAMPLES.iter().find(|(name, _)| *name == command) else {
        return String::new();
    };
    let lines: String = examples.iter().map(|(typed, does)| format!("  {typed}\n      {does}\n")).collect();
    format!("Examples:\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{command, parse};

    #[test]
    fn every_command_has_examples_and_each_can_be_typed() {
        for command in command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = command.get_name();
            let own_help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let is_here = EXAMPLES.iter().any(|(own, _)| *own == name);
            assert!(is_here || own_help.contains("Examples:"), "{name}");
        }
        for (name, examples) in EXAMPLES {
            for (typed, _) in examples {
                // What follows a pipe or an arrow is the shell's.
                let own = typed.split([' ']).take_while(|word| !["|", "<", ">"].contains(word));
                let own = own.collect::<Vec<_>>().join(" ");
                let words = shell_words::split(&own).expect("words");
                assert_eq!(words[1], *name, "{typed}");
                let parsed = parse(words.into_iter().map(Into::into));
                assert!(
                    parsed.is_ok(),
                    "{typed}: {}",
                    parsed.err().map(|e| e.to_string()).unwrap_or_default()
                );
            }
        }
    }
}
