//! What each code of a refusal means to a player; the fields are the codes of PROTOCOL.md, section 15.

use crate::document::words::words;

words! {
    /// One sentence a code, and who can help.
    RefusalWords {
        e_format, e_missing, e_hex, e_entry_version, e_entry_kind, e_entry, e_origin, e_link, e_mix,
        e_beacon_chain, e_beacon_round, e_beacon_value, e_beacon_sig, e_seed_missing, e_seed_commit,
        e_my_seed, e_leaves, e_card, e_deck_root, e_duplicate_card, e_seen, e_transcript,
        e_transcript_hash, e_dealt, e_deal_skip, e_deal_order, e_undealt_opened, e_history_hash,
        e_history, e_vkey, e_proof, e_note, e_note_sig, e_note_unsigned, e_ckpt, e_ckpt_origin,
        e_proof_root, e_log_order, e_beacon_late, e_log_orphan, e_log_dup, e_log_gap, e_log_skip,
        e_log_open, e_log_consistency, e_committed, e_different,
    }
}

impl RefusalWords {
    /// The sentence of a code; none for a code that no protocol has.
    pub fn sentence(&self, code: &str) -> Option<String> {
        let field = code.to_ascii_lowercase();
        self.samples().into_iter().find(|(own, _)| *own == field).map(|(_, sentence)| sentence)
    }
}

#[cfg(test)]
mod tests {
    use crate::document::words::Language;

    #[test]
    fn every_code_of_the_protocol_has_a_sentence() {
        let protocol = include_str!("../../../../../PROTOCOL.md");
        let codes: Vec<&str> = protocol
            .split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_'))
            .filter(|word| word.starts_with("E_") && word.len() > 4 && !word.ends_with('_'))
            .collect();
        assert!(codes.len() > 45, "{} codes", codes.len());
        for code in codes {
            for language in Language::ALL {
                let sentence = language.words().refusal.sentence(code);
                assert!(
                    sentence.is_some_and(|words| !words.is_empty()),
                    "{code} has no sentence in {language:?}"
                );
            }
        }
    }
}
