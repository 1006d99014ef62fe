//! What each code of a refusal means to a player.

/// One sentence a code, and who can help.
pub(super) fn sentence(code: &str) -> &'static str {
    match code {
        "E_FORMAT" => "This file is not in the form of a bundle: it was damaged or changed; ask for it again",
        "E_MISSING" => {
            "A part that a bundle of this kind must have is not in the file; ask for a complete one"
        }
        "E_HEX" => "A key, salt or hash in the file is not written as it must be; ask for the file again",
        "E_ENTRY_VERSION" => "An entry was written for another version of the protocol",
        "E_ENTRY_KIND" => "An entry stands where one of another kind belongs",
        "E_ENTRY" => "An entry is not written exactly as the protocol asks, so it is not what was logged",
        "E_ORIGIN" => "The hand is of another log than the one you trust",
        "E_LINK" => "The entries in this file do not belong to one hand",
        "E_MIX" => "What the hand says about its cut does not go with how its deck was committed",
        "E_BEACON_CHAIN" => {
            "The randomness is announced from another network than the one the protocol knows"
        }
        "E_BEACON_ROUND" => "The deck was cut with another beacon round than was announced before the hand",
        "E_BEACON_VALUE" => "The beacon value in this file is not what its signature gives",
        "E_BEACON_SIG" => "The beacon network never signed the value with which the deck was cut",
        "E_SEED_MISSING" => "A player's committed seed was left out; such a hand must be void",
        "E_SEED_COMMIT" => "A player's seed is not the one committed to before the hand",
        "E_MY_SEED" => "The seed you gave did not enter the cut",
        "E_LEAVES" => "The file does not hold the 52 places of a deck",
        "E_CARD" => "The file names a card that does not exist",
        "E_DECK_ROOT" => "The cards in this file are not the ones that were committed before the hand",
        "E_DUPLICATE_CARD" => "One card was committed twice in this deck",
        "E_SEEN" => "A card you saw at the table is not the one that was committed",
        "E_TRANSCRIPT" => "The list of who was dealt which position cannot be read",
        "E_TRANSCRIPT_HASH" => {
            "The list of who was dealt which position is not the one the hand was closed with"
        }
        "E_DEALT" => "The hand was closed with another number of dealt cards than its list has",
        "E_DEAL_SKIP" => "A card of the deck was passed over or dealt again",
        "E_DEAL_ORDER" => "A card went to the wrong seat, on the wrong street or facing the wrong way",
        "E_UNDEALT_OPENED" => "The file opens a card that nobody received, which nobody may know",
        "E_HISTORY_HASH" => "The hand history is not the one the hand was closed with",
        "E_HISTORY" => "The hand history does not tell the hand that was committed and dealt",
        "E_VKEY" => "A key in your trust file cannot be used",
        "E_PROOF" => "A log proof in this file cannot be read; ask for it again",
        "E_NOTE" => "A log proof holds no signed checkpoint; ask for it again",
        "E_NOTE_SIG" => "A signature under a checkpoint of the log is false",
        "E_NOTE_UNSIGNED" => "The log you trust did not sign this checkpoint",
        "E_CKPT" => "What was signed is no checkpoint of a log",
        "E_CKPT_ORIGIN" => "The checkpoint is of another log",
        "E_PROOF_ROOT" => "The entry is not in the log that was signed",
        "E_LOG_ORDER" => {
            "The entries of this hand stand in the log in an order in which no honest hand is played"
        }
        "E_BEACON_LATE" => "The hand was opened only when the beacon's value was already known",
        "E_LOG_ORPHAN" => "An entry of the log belongs to no hand",
        "E_LOG_DUP" => "The log has a second deck, a second opening or a second end of one hand",
        "E_LOG_GAP" => "A hand is missing from the log",
        "E_LOG_SKIP" => "A hand was played while an earlier one of its table had not ended",
        "E_LOG_OPEN" => "A hand was opened and never ended",
        "E_LOG_CONSISTENCY" => "The log was rewritten: an earlier checkpoint does not fit it",
        "E_COMMITTED" => "The deck in this file is not the one whose commitment you saved before the hand",
        "E_DIFFERENT" => "Two files tell one hand differently; at most one of them can be true",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_protocol_has_a_sentence() {
        let protocol = include_str!("../../../PROTOCOL.md");
        let codes: Vec<&str> = protocol
            .split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_'))
            .filter(|word| word.starts_with("E_") && word.len() > 4 && !word.ends_with('_'))
            .collect();
        assert!(codes.len() > 45, "{} codes", codes.len());
        for code in codes {
            assert!(!sentence(code).is_empty(), "{code} has no sentence");
        }
    }
}
