//! Messages on hands that were dealt at a table, and on why they were not.

use std::path::Path;

use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_table::table::dealing::DealingError;
use deckproof_table::table::durable::DurableError;
use deckproof_table::table::logged::remembered;
use deckproof_table::table::request::{DealFault, DealOptions, Dealt};

/// Why no hands were dealt into a folder, or they ended early, and what to do.
pub fn fault(folder: &Path, fault: DealFault) -> CouldNotSay {
    match fault {
        DealFault::Asked(reason) => reason,
        DealFault::Ended(DealingError::Stopped(error)) => stopped(folder, &error),
        DealFault::Ended(DealingError::Spent { reason, hand }) => CouldNotSay(format!(
            "{reason}. The deck is spent, and hand {hand} was voided in public/entries.txt; add --continue to go on with hand {}",
            hand + 1
        )),
        DealFault::Ended(error) => CouldNotSay(error.to_string()),
    }
}

/// A table whose files cannot be read or written has stopped; what it began is ended later.
fn stopped(folder: &Path, error: &DurableError) -> CouldNotSay {
    let out = folder.display();
    let remembered = || remembered(folder).map_or("FOLDER".to_owned(), |log| log.display().to_string());
    CouldNotSay(match error {
        DurableError::NoTable => {
            format!("{out}: {error}; leave out --continue to begin one, or choose another folder with --out")
        }
        DurableError::Begun => {
            format!("{out}: {error}; add --continue to go on with it, or choose another folder with --out")
        }
        DurableError::StateGone => format!(
            "{out}: {error}: no hand of this table can be dealt or opened any more; void its last deck, and begin in another folder with --out and --first-hand"
        ),
        DurableError::LogWanted => {
            format!("{out}: {error}; add --log {} and --log-key", remembered())
        }
        DurableError::NotLogged => format!(
            "{out}: {error}; leave out --log to go on without one, or begin another table with --table and --out"
        ),
        DurableError::NotNext(problem) => format!(
            "{out}: {problem}. Two tables of one name write to this log: go on with the one whose hand it has, and begin the other anew with --table and --out; nothing more was disclosed here"
        ),
        DurableError::Ruined(problem) => format!(
            "{out}: {problem}; nothing was dealt, and no entry can mend it: docs/log.md tells how to go on in a new log"
        ),
        DurableError::BehindLog { last, .. } => {
            format!(
                "{out}: {error}; go on in the folder that dealt hand {last}, for this one would deal its cards again"
            )
        }
        DurableError::OtherLog { .. } => format!(
            "{out}: {error}; nothing was dealt and no entry was added, for each would contradict a receipt that players have. Put back the newest \
             state of the log; if that is lost, docs/log.md says how to go on in a new log"
        ),
        DurableError::LoggedElsewhere { last, .. } => {
            let advice = match last {
                None => "a new table begins with hand 1".to_owned(),
                Some(last) if last.is_ended => format!(
                    "go on in the folder of this table with --continue, begin in a new one with --first-hand {}, or give another --table",
                    last.hand + 1
                ),
                Some(last) => format!(
                    "go on in the folder of this table with --continue; if that is lost, void hand {} with deckproof log append first",
                    last.hand
                ),
            };
            format!("{error}; {advice}")
        }
        _ => format!(
            "{out}: {error}; nothing more was disclosed, and --continue ends the hand that was under way"
        ),
    })
}

/// What was dealt, what lies where, and what can be done with it.
pub fn summary(options: &DealOptions, dealt: &Dealt) -> String {
    let &Dealt { first, next, .. } = dealt;
    let (name, origin) = (dealt.name.table(), dealt.name.origin());
    let hands = if next - 1 == first {
        format!("Dealt hand {first}")
    } else {
        format!("Dealt hands {first} to {}", next - 1)
    };
    let key = match (&options.day_key, options.is_resumed) {
        (Some(_), _) => "The day key was given from outside: these hands are not for production.",
        (None, true) => "The table went on from its state.",
        (None, false) => "The day key came from the operating system and was not kept.",
    };
    let history = if dealt.are_played {
        "\n  public/hand-N.phh       For everybody: the hand as played, with the up cards and the hands shown."
    } else {
        ""
    };
    let (logged, proofs) = match &options.log {
        Some(log) => (
            format!(
                "\n  public/hand-{last}.*.proof   For its seats: the receipts of hand {last}, handed out before its first card; those of earlier hands come with their bundles.\n  public/receipts.txt     For everybody: where the log has each hand, and under which checkpoint it was opened.",
                last = next - 1
            ),
            format!("Every entry is in the log {} under a signed checkpoint.\n", log.folder.display()),
        ),
        None => (String::new(), String::new()),
    };
    let seats = if dealt.are_played {
        format!("the next hand's seats {}", dealt.seats)
    } else {
        format!("seats {}", dealt.seats)
    };
    let (rules, out) = (dealt.rules.name, options.out.display());
    format!(
        "{hands} at table {name} of {origin}, rules {rules}, {seats}. {key}\n\
         In {out}:\n  \
         public/entries.txt      For everybody: the log entries of this table; they name no cards.\n  \
         public/transcripts.txt  For everybody: which card went where, without its face.{history}{logged}\n  \
         secret/hands.txt        For the operator alone: it opens every hand dealt here (mode 0600).\n  \
         secret/state            For the operator alone: it opens hand {next} and all later ones (mode 0600).\n\
         {proofs}To hand out what a player may see: deckproof bundle {out} --hand N --seat S\n\
         To check it: deckproof verify FILE…\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_table::table::logged::LastDeck;

    #[test]
    fn a_table_that_cannot_go_on_gets_advice() {
        let refusal = |error: DurableError| fault(Path::new("T-1"), error.into()).to_string();
        assert_eq!(
            refusal(DurableError::Begun),
            "T-1: a table has begun here; add --continue to go on with it, or choose another folder with --out"
        );
        assert!(refusal(DurableError::LogWanted).ends_with("add --log FOLDER and --log-key"));
        let elsewhere = |last| refusal(DurableError::LoggedElsewhere { last, first: 1 });
        let ended = elsewhere(Some(LastDeck { hand: 7, is_ended: true }));
        assert!(ended.contains("begin in a new one with --first-hand 8"), "{ended}");
        let running = elsewhere(Some(LastDeck { hand: 7, is_ended: false }));
        assert!(running.contains("void hand 7 with deckproof log append first"), "{running}");
        assert!(refusal(DurableError::Stopped).ends_with("--continue ends the hand that was under way"));
        let spent = DealingError::Spent { reason: "no seed came".to_owned(), hand: 4 };
        let spent = fault(Path::new("T-1"), DealFault::Ended(spent)).to_string();
        assert!(
            spent.starts_with("no seed came. The deck is spent, and hand 4 was") && spent.ends_with("hand 5")
        );
    }
}
