//! Nights whose decks are those of earlier days again, with two explanations of which one is a fault of the shuffler.

use crate::common::lab::{Lab, Said, lines};

const BASE: &str = "name = \"T\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\n";

fn room(more: &str) -> Lab {
    let lab = Lab::new();
    lab.write("daily.toml", format!("{BASE}{more}"));
    lab
}

/// Neither a pass nor a stop: both explanations, what to find out first, and no word of what there is not.
#[track_caller]
fn is_either(said: &Said, found: &str, none_of: &[&str]) {
    assert_eq!(said.code, 2, "{said}");
    said.must_print(": COULD NOT SAY, decks of an earlier day came again\n");
    said.must_print(
        "\nDo not deal on before you know which it is, see below; then run daily --date 2026-10-",
    );
    said.must_tell(found).must_tell(": then stop dealing");
    none_of.iter().for_each(|words| drop(said.must_not_print(words)));
}

/// A shuffler with a seed in its program, or a program that reads out a file: the same bytes.
#[test]
fn a_program_that_gives_the_decks_of_an_earlier_row_may_deal_them_anew() {
    let lab = room("source = \"cmd:cat decks.txt\"\n");
    let night = |day: &str, decks: String| {
        lab.write("decks.txt", decks);
        lab.night(day, &[])
    };
    night("2026-10-01", lines(1..1_201)).ends(0);
    for (decks, found) in [
        (lines(1..1_201), "the program gave the decks of row 1 (2026-10-01, pass) again"),
        (lines(1..1_501), "the program began with all 1,200 decks of row 1 (2026-10-01)"),
        (lines(1..1_101), "the program gave no deck beside 1,100 decks of row 1 (2026-10-01)"),
    ] {
        let said = night("2026-10-02", decks);
        is_either(&said, &format!("{found}: either it reads out"), &["export", "append_only", "Deal on"]);
    }
    // A part of them beside new ones is no record that is read out.
    night("2026-10-03", lines(1..601) + &lines(2_001..2_601)).ends(1).must_print("a deck came up again");
}
