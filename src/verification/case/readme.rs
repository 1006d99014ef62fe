//! The one page of a case: what each file is, what was shown, what was not.

use std::fmt::Write as _;

use serde_json::Value;

use crate::verification::case::{CaseFiles, FOLDERS, HISTORY, JudgedBundle, closed, named};
use deckproof_deck::text::decimal::counted;
use deckproof_deck::text::wrap::{COLUMNS, to_columns};

/// `README.txt`, as it follows from the files of a case.
pub(super) fn readme(files: &CaseFiles, case: &Value, judged: &[JudgedBundle], is_signed: bool) -> String {
    let word = |key: &str| case[key].as_str().unwrap_or_default();
    let mut text =
        format!("Hand {} at table {} of the log {}\n\n", case["hand"], word("table"), word("origin"));
    text.push_str(&match closed(files) {
        Some(close) => format!("The hand was closed after {}.\n", counted(close.dealt.into(), "card", "cards")),
        None => format!(
            "The hand was voided. The reason, \"{}\", is the operator's word. Its players get its entries and no cards.\n",
            word("reason")
        ),
    });
    let (receipts, has_history) = (named(files, FOLDERS[2]).count(), files.contains_key(HISTORY));
    text.push_str("\nWhat is shown\n");
    for bundle in judged {
        // Writing to a string does not fail.
        let _ = writeln!(text, "- {}: {}", bundle.name, bundle.head());
    }
    if judged.is_empty() {
        text.push_str("- There is no bundle in this case, so that no card is shown.\n");
    }
    let _ = writeln!(
        text,
        "- The log of {} entries, as its checkpoint has it, holds the {} entries of the hand at the places that log/*.proof name.",
        case["log"]["size"],
        case["entries"].as_array().map_or(0, Vec::len)
    );
    text.push_str("\nWhat is not shown\n");
    let has_full = judged.iter().any(|bundle| bundle.name.ends_with("full-reveal.json"));
    text.push_str(if has_full {
        "- Nothing of the deck is left out: bundles/full-reveal.json opens all 52 cards. It is confidential.\n"
    } else {
        "- The cards that are not opened here. The service that dealt the hand opens them; where it has a vault, two people do (--identity, twice).\n"
    });
    text.push_str(
        "- When the entries came into the log: only witnesses state a time, and a receipt that a player saved shows that his entry was there before.\n\
         - That the log is the only one: deckproof log scan reads all of it, and witnesses see that others are shown the same.\n\
         - What happened at the table beside the calls in case.json; their times are those of the poker server's clock.\n",
    );
    if receipts > 0 {
        text.push_str(
            "- Since when anybody had the receipts: the one who made the case put them in, and \"you\" in verify/ is that person. A receipt that \
             was made after the hand proves nothing of the time before it.\n",
        );
    }
    text.push_str("- Whether the hand was opened before this case: the unseal entries of the log say so (deckproof log scan).\n");
    if !has_history {
        text.push_str("- How the hand was bet: it has no hand history.\n");
    }
    text.push_str("\nWhat each file is\n");
    let rows = [
        (
            "case.json",
            "the hand, its place in the log, who opened it for this case and why, and what the poker server noted at seats",
        ),
        (
            "bundles/",
            "what each seat may see, each confidential to its player; full-reveal.json, if it is there, opens everything",
        ),
        ("verify/", "what deckproof verify says of each bundle, in words and for programs"),
        (
            "log/",
            "the entries of the hand, byte for byte, a proof of each, and the checkpoint under which they are proven; unseal.txt, if it is there, is the entry that says who opened the hand, when and why",
        ),
        ("receipts/", "receipts that somebody saved, if any were given"),
        ("trust.json", "the log by which the bundles were judged: compare its keys with those that you know"),
        ("transcript.txt", "who received which position, without cards, of a hand that was closed"),
        ("history.phh, ruling.*", "the hand history and what the rules say of it, if there is one"),
        (
            "SHA256SUMS, SHA256SUMS.sig",
            "the checksums of all files, and the signature of the one who made the case",
        ),
    ];
    for (name, what) in rows {
        let _ = writeln!(text, "- {name}: {what}");
    }
    text.push_str("\nHow to check it\n");
    if is_signed {
        let receipts: String =
            (1..=receipts).map(|own| format!(" --receipt receipts/saved-{own}.proof")).collect();
        let _ = writeln!(
            text,
            "deckproof dispute --check CASE.zip --signers FILE --signer NAME judges all of this again. By hand: sha256sum -c SHA256SUMS; \
             ssh-keygen -Y verify -n deckproof-manifest -f FILE -I NAME -s SHA256SUMS.sig < SHA256SUMS; deckproof verify bundles/*.json \
             --trust trust.json{receipts}"
        );
    } else {
        text.push_str(
            "Nobody signed this case: anybody can have made or altered it. deckproof dispute --check CASE.zip judges it again.\n",
        );
    }
    to_columns(&text, COLUMNS)
}
