//! The lab's sample (cut and choose, PROTOCOL.md, section 10): which opened hands are revealed in full.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::log_folder::key_files::read_text;
use deckproof_deck::commitment::digest::{Digest, parse_hex};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::excerpt;
use deckproof_verify::log::beacon;
use deckproof_verify::log::scan::report::OpenedHand;
use deckproof_verify::log::tree::TreeHead;

/// Seconds between the quorum time of a checkpoint and the round that draws, so that nobody knows the
/// round when the checkpoint becomes final.
const DELAY: u64 = 30;

/// The quicknet round that draws: the first that is due 30 s after the quorum time, or later.
pub fn round(quorum_time: u64) -> u64 {
    beacon::first_round_at(quorum_time.saturating_add(DELAY))
}

/// `u64be(H("deckproof/v1 audit-sample" ‖ R ‖ B ‖ h)[0..8]) mod m = 0`: whether the hand whose deck entry
/// has the leaf hash h is drawn, one in m.
///
/// # Panics
/// If m is 0.
pub fn is_drawn(root: &Digest, beacon: &Digest, deck: &Digest, one_in: u64) -> bool {
    assert!(one_in > 0, "one in 0 is no sample");
    let hash = Sha256::new_with_prefix("deckproof/v1 audit-sample")
        .chain_update(root.bytes())
        .chain_update(beacon.bytes())
        .chain_update(deck.bytes())
        .finalize();
    let (first, _) = hash.split_first_chunk::<8>().expect("a hash has 32 bytes");
    u64::from_be_bytes(*first) % one_in == 0
}

/// The hands that the lab sees in full, of those that were opened under a tree: all that were voided, and one in `one_in`.
///
/// # Panics
/// If `one_in` is 0.
pub fn drawn<'a>(
    opened: &'a [OpenedHand],
    tree: &TreeHead,
    round: &Round,
    one_in: u64,
) -> Vec<&'a OpenedHand> {
    let is_chosen =
        |hand: &&OpenedHand| hand.is_voided || is_drawn(&tree.root, &round.randomness, &hand.deck, one_in);
    opened.iter().filter(is_chosen).collect()
}

/// A round of the beacon whose signature was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// Its number.
    pub number: u64,
    /// Its value.
    pub randomness: Digest,
}

/// Reads a round, `ROUND:SIGNATURE` or the file of drand's JSON, and checks that the network signed it, where this build can.
///
/// # Errors
/// [`CouldNotSay`]: it cannot be read, or the network did not sign it.
pub fn read_round(given: &str) -> Result<Round, CouldNotSay> {
    let usage = |message: String| CouldNotSay(format!("--beacon: {message}"));
    let inline = given
        .split_once(':')
        .and_then(|(round, signature)| Some((round.parse::<u64>().ok()?, signature.to_owned())));
    let (number, signature) = match inline {
        Some(inline) => inline,
        None => from_json(&read_text(given.as_ref(), 1 << 16)?).ok_or_else(|| {
            usage(format!("{given}: found neither drand's JSON with round and signature nor ROUND:SIGNATURE"))
        })?,
    };
    let bytes: [u8; 48] = parse_hex(&signature).ok_or_else(|| {
        let letters = signature.chars().count();
        usage(format!(
            "found a signature of {letters} letters, {:?}, wanted 96 lower-case hexadecimal digits",
            excerpt(&signature, 20)
        ))
    })?;
    if number == 0 || number >= 1 << 53 {
        return Err(usage(format!("found round {number}, wanted 1 or more")));
    }
    if !beacon::is_signed(number, &bytes) {
        return Err(usage(format!("drand quicknet did not sign this for round {number}")));
    }
    Ok(Round { number, randomness: beacon::randomness(&bytes) })
}

fn from_json(text: &str) -> Option<(u64, String)> {
    let json: Value = serde_json::from_str(text).ok()?;
    Some((json.get("round")?.as_u64()?, json.get("signature")?.as_str()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Round 1000 of quicknet, as drand publishes it.
    const SIGNATURE: &str =
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

    #[test]
    fn a_round_is_read_as_typed_and_as_drand_gives_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("round.json");
        let json = format!("{{\"round\": 1000, \"randomness\": \"\", \"signature\": \"{SIGNATURE}\"}}");
        std::fs::write(&path, json).expect("a file");
        let typed = read_round(&format!("1000:{SIGNATURE}")).expect("the network signed it");
        assert_eq!(
            typed.randomness.to_string(),
            "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
        );
        assert_eq!(read_round(&path.display().to_string()).expect("the same"), typed);
        for (given, wanted) in [
            (format!("0:{SIGNATURE}"), "found round 0"),
            ("1000:00".to_owned(), "96 lower-case hexadecimal digits"),
        ] {
            let error = read_round(&given).expect_err(wanted).to_string();
            assert!(error.starts_with("--beacon: ") && error.contains(wanted), "{error}");
        }
        if beacon::CHECKS_SIGNATURES {
            let error = read_round(&format!("1001:{SIGNATURE}")).expect_err("another round").to_string();
            assert!(error.ends_with("did not sign this for round 1001"), "{error}");
        }
    }

    #[test]
    fn voided_hands_are_drawn_whatever_the_beacon_says() {
        let hand = |number: u64, is_voided| OpenedHand {
            table: "T-1".to_owned(),
            hand: number,
            deck: Digest::of(number.to_string()),
            is_voided,
            is_ended: true,
        };
        let opened: Vec<OpenedHand> = (1..=400).map(|number| hand(number, number % 100 == 0)).collect();
        let tree = TreeHead { size: 400, root: Digest::of("a root") };
        let round = Round { number: 1, randomness: Digest::of("a value") };
        let numbers = |one_in| -> Vec<u64> {
            drawn(&opened, &tree, &round, one_in).iter().map(|hand| hand.hand).collect()
        };
        assert_eq!(numbers(1).len(), 400);
        assert_eq!(numbers(u64::MAX), [100, 200, 300, 400]);
        let tenth = numbers(10);
        assert!((20..=70).contains(&tenth.len()) && [100, 200, 300, 400].iter().all(|n| tenth.contains(n)));
    }
}
