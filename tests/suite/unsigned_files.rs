//! What is said of files that are refused beside what was saved.

use crate::common::lab::Lab;
use crate::player_check::{deal, verify};

/// With a file that is refused nothing is compared, which speaks neither for nor against what was saved.
#[test]
fn what_was_saved_beside_refused_files_alone_was_compared_with_nothing() {
    let lab = Lab::new();
    deal(&lab, "a", &["--hands", "1", "--seats", "1,2"]);
    lab.write("bad.json", lab.text("a/hand-1/seat-1.json").replacen("dealt ", "dealt 1", 1));
    let said = verify(&lab, &["--committed", "a/hand-1/deck.txt", "bad.json"]).ends(1);
    said.must_warn("What --committed a/hand-1/deck.txt gives was compared with nothing")
        .must_not_warn("fits none");
}
