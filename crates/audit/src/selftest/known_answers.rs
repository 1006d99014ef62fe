//! Known answers of the protocol, compiled in, and the lanes against the scalar shuffle.

use crate::selftest::{Check, DRAWS_CLAIM};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::key::AuditKey;
use deckproof_deck::shuffle::lanes::{PreparedAuditKey, audit_block, instruction_set};
use deckproof_deck::shuffle::{exact, shuffle_deck};

/// Seeds and decks of the project's protocol vectors, made by an independent Python program: no word
/// rejected, one, two.
const SHUFFLES: [(&str, &str); 3] = [
    (
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "KsQc7h8s9cQs7s4sJhQhTdAdTh2s8c3hJc3cTc4c9s2c2d6c9hQd4dAs8hAcJs3s3d4hKh6s9dKd6hKc2h5d5c5s6dAhJd5h7cTs7d8d",
    ),
    (
        "7106556dba7ae33dd9ebc29c7c400d9cff5cc946ab3402cb00000000000020b8",
        "Qs6d4c7cJcAd2hJhAs5d3c6h6c8cQcTc9dTsKdJs2cQh4s8s2sQd8d5h4h8h3d7s4dKcAc3hAhKs7d3s5s9sJd9cTd9hTh5c7hKh6s2d",
    ),
    (
        "7106556dba7ae33dd9ebc29c7c400d9cff5cc946ab3402cb00000000024f6980",
        "KcJc3cAd7h6d9s5hQc7c2cKh9h4d6sThJs5c5d6cQdKs9d9c6h8cTs8hJhQsTdAhAc2d2h3h4c4s3d5sQh7dAs8d7sJd2s4hKdTc8s3s",
    ),
];

/// The audit key of the same vectors.
const AUDIT_KEY: &str = "0dbadbc8d8f9d249f163c6255f41ffebd086a7dc0cb5c86522279551518c4ee4";

/// Some of its hands, with their decks.
const HANDS: [(u64, &str); 3] = [
    (
        0,
        "6s3c3sAc8sJcKd9h5sKsAd4d9d3hJd7d8c9cKcQcKh2s6cJh7c2dThQsQd8hJs5cAs3d5h4hTs5d2h4c2c6hTdAhTc7hQh8d4s7s6d9s",
    ),
    (
        256,
        "KcAhJd4h8cQs7c9sQh3dKs2cAs9d2sQd6s9cJh4c5h8h5d7dKdQc8dTc6h5c6c3hKh2dTs3c9hJc5s3sAd7h4d8sTd4s2hTh7sJsAc6d",
    ),
    (
        1_000_000_000_000,
        "Jh6sTc6h2dJd7c2c7d4s5dKd4d5h6d4h9hJs7h3s6c3hJcAs9dTd8cThAh7s9s2s2hKc5c4cQcKsKhQs3d5sQd9cAcQh8d8h8sTs3cAd",
    ),
];

/// Hands that lanes and scalar code both deal.
const HANDS_COMPARED: u64 = 16_384;

/// The certified shuffle gives the decks of the vectors.
pub(super) fn shuffle() -> Check {
    let dealt = SHUFFLES.map(|(seed, deck)| (seed, shuffle_deck(&bytes(seed)).to_string(), deck));
    let faults = dealt.iter().filter(|(_, found, wanted)| found != wanted);
    Check::new(
        "The certified shuffle deals the decks of the protocol's test vectors.",
        faults.map(|(seed, found, wanted)| format!("seed {seed} deals {found}, wanted {wanted}")).collect(),
        format!("{} seeds, with no, one and two rejected words", SHUFFLES.len()),
    )
}

/// The audit path gives the decks of the vectors.
pub(super) fn audit_path() -> Check {
    let key = AuditKey::from_bytes(bytes(AUDIT_KEY));
    let fault = |(hand, wanted): &(u64, &str)| {
        let found = shuffle_deck(key.hand_key(*hand).bytes()).to_string();
        (found != *wanted).then(|| format!("hand {hand} is {found}, wanted {wanted}"))
    };
    Check::new(
        "The audit path deals the hands of the protocol's test vectors.",
        HANDS.iter().filter_map(fault).collect(),
        format!("{} hands up to number {}", HANDS.len(), HANDS[HANDS.len() - 1].0),
    )
}

/// Every draw of the scalar shuffle, which the specification is, is exactly uniform if the words are.
pub(super) fn draws() -> Check {
    let found = exact::check();
    let counted = match &found {
        Ok(tuples) => format!("{tuples} tuples counted out, and every order of 2 to 8 cards"),
        Err(_) => "the words of every tuple counted".to_owned(),
    };
    Check::new(DRAWS_CLAIM, found.err().into_iter().collect(), counted)
}

/// The 64 lanes give the decks of the scalar shuffle, rejected words included.
pub(super) fn lanes() -> Check {
    let key = AuditKey::from_bytes(bytes(AUDIT_KEY));
    let prepared = PreparedAuditKey::new(&key);
    let mut block = DeckBlock::default();
    let mut differing = Vec::new();
    for first in (0..HANDS_COMPARED).step_by(BLOCK_HANDS) {
        audit_block(&prepared, first, BLOCK_HANDS, &mut block);
        let hands = (0..BLOCK_HANDS)
            .filter(|&lane| block.deck(lane) != shuffle_deck(key.hand_key(first + lane as u64).bytes()));
        differing.extend(hands.map(|lane| format!("hand {} differs", first + lane as u64)));
    }
    differing.truncate(5);
    Check::new(
        "The fast lanes deal the same hands as the scalar shuffle.",
        differing,
        format!("{HANDS_COMPARED} hands compared, lanes run with {}", instruction_set()),
    )
}

fn bytes(hex: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    base16ct::lower::decode(hex, &mut bytes).expect("the constants above are 64 digits");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers_hold() {
        for check in [shuffle(), audit_path(), lanes()] {
            assert!(check.has_passed, "{}", check.found);
        }
    }
}
