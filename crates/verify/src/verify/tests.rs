//! What the crate says by itself, with and without the reader of hand histories.

use serde_json::Value;

use super::*;
use crate::verify::findings::HistoryFinding;

/// What is no hand of Poker Hand History stays hashed, and the finding says why, in every build. The bundles are another program's,
/// `fixtures/README.md`.
#[test]
fn a_history_that_is_not_read_is_hashed_only() {
    let text = include_str!("../../../../fixtures/protocol.json");
    let vectors: Value = serde_json::from_str(text).expect("the vectors are JSON");
    let rows = vectors["positive"].as_array().expect("rows").iter();
    let rows: Vec<&Value> = rows.filter(|row| row["bundle"]["history"].is_string()).collect();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let accepted = verify_bundle(row["bundle"].to_string().as_bytes(), None, &Statements::default());
        let Some(HistoryFinding::HashedOnly { why }) = accepted.expect("accepted").findings.history else {
            panic!("{} has a history", row["name"]);
        };
        let reads = cfg!(feature = "histories");
        let wanted =
            if reads { "the text is no Poker Hand History" } else { "this build reads no hand histories" };
        assert_eq!(why, wanted);
    }
}
