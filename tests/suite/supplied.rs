//! What a customer hands in beside decks, in a laboratory's package: raw words, and words beside the decks that they gave.

use std::fs;

use deckproof::project::supplied_decks::gzip::packed;

use crate::common::lab::{Lab, Output, lines, sha256};
use crate::common::package::{
    certify, folder_of, inputs, lab, package_of, project, replace, report, with_sums, without_pages,
};

/// Words of 32 bits from SHA-256 of a counter.
fn words(count: usize) -> Vec<u8> {
    let hashes = (0..).map(|number: u64| sha256(number.to_string().as_bytes()));
    let digits: String = hashes.take(count / 8 + 1).collect();
    let bytes = (0..count * 4).map(|place| u8::from_str_radix(&digits[2 * place..2 * place + 2], 16));
    bytes.map(|byte| byte.expect("two digits")).collect()
}

/// A table of words and the decks that `⌊w·n / 2^32⌋` and the loop downward make of them, written here apart from the crate.
fn table(decks: usize) -> String {
    let bytes = words(decks * 51);
    let mut all = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    let mut text = "hand,words,deck\n".to_owned();
    for hand in 1..=decks {
        let mut cards: Vec<usize> = (0..52).collect();
        let own: Vec<u32> = all.by_ref().take(51).collect();
        for (last, word) in (1..52).rev().zip(&own) {
            cards.swap(last, ((u64::from(*word) * (last as u64 + 1)) >> 32) as usize);
        }
        let join = |numbers: Vec<String>| numbers.join(" ");
        let own = join(own.iter().map(u32::to_string).collect());
        text += &format!("{hand},{own},{}\n", join(cards.iter().map(usize::to_string).collect()));
    }
    text
}

/// A project whose item has recorded decks, and what the customer handed in.
pub fn supplied(language: &str, more: &str) -> Lab {
    let project = project("csv:decks.csv", 1_000).replace("\"en\"", &format!("\"{language}\""));
    let (before, after) = project.split_once("[[usage]]").expect("tables follow the item");
    let lab = lab(&format!("{before}{more}[[usage]]{after}"));
    lab.write("decks.csv", lines(0..2_000));
    lab.write("capture.bin", words(200_000));
    lab.write("pairs.csv", table(30));
    lab
}

/// Words and pairs of the item.
pub const BOTH: &str = "words = { file = \"capture.bin\", word = \"u64\", order = \"big\" }\n\
    pairs = { file = \"pairs.csv\", scaling = \"multiply-shift\", loop = \"down\", start = \"ranks-cdhs\", bits = 32 }\n";

fn made(lab: &Lab) -> Output {
    let output = certify(lab, &["--out", "out"]);
    output.must_not_warn("Nothing was");
    output
}

#[test]
fn words_and_decks_of_the_customer_stand_in_the_package_and_are_judged_again() {
    let lab = supplied("en", BOTH);
    let output = made(&lab).ends(0);
    output.must_print("main.words: pass, 100,000 words, of 64 bits, the most significant byte");
    output.must_print("main.pairs: agrees, 30 decks, 0 not given");
    // The same file, counted by the command.
    let typed = lab.run(&["words", "capture.bin", "--word", "u64", "--order", "big", "--json"]);
    let typed = typed.json();
    let kept = lab.json("out/words/main.json");
    for key in ["file", "sha256", "word_bits", "order", "counts"] {
        assert_eq!(typed[key], kept[key], "{key}");
    }
    assert_eq!(lab.read("out/pairs/main.csv"), lab.read("pairs.csv"));
    let facts = &report(&lab, "out")["facts"];
    assert_eq!(facts["raw"][0]["supplied"], "words/main.json");
    assert_eq!(facts["family"]["tests"], 3);
    let page = lab.text("out/report.html");
    for wanted in [
        "words of the customer in capture.bin",
        "oddest of 64 bit places",
        "The laboratory named the method",
        "taken as 4·rank + suit",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    // The customer's files are asked for no more.
    fs::remove_file(lab.path("capture.bin")).expect("it was there");
    let verified = lab.run(&["verify", "out"]).ends(0);
    verified.must_print("Replayed: 30 decks of pairs/main.csv, the same answer.");
    verified.must_print("Not checked: that the counts in words/main.json");
}

/// Whoever may sign writes checksums that fit; what follows from the table and the frozen hashes he cannot change.
#[test]
fn neither_counts_nor_table_nor_answer_can_be_changed() {
    let lab = supplied("en", BOTH);
    made(&lab).ends(0);
    let files = package_of(&lab, "out");
    let check = |name: &str, from: &str, to: &str, wanted: &str| {
        let mut files = files.clone();
        replace(&mut files, name, from, to);
        folder_of(&with_sums(files)).run(&["verify", "out"]).ends(1).must_print(wanted);
    };
    check("words/main.json", "\"longest_run\": ", "\"longest_run\": 4444444", "words/main.json");
    check("words/main.json", "capture.bin", "other.bin", "not of this file");
    check("pairs/main.csv", "\n1,", "\n2,", "not the table whose hash was frozen");
    check("pairs/main.json", "\"given\": 30", "\"given\": 29", "its verdict is not that of its numbers");
    check("project.toml", "\"ranks-cdhs\"", "\"suits-cdhs\"", "plan.toml");
}

/// An answer that the table does not give, with a report that follows from it: only replaying the table shows it.
#[test]
fn an_answer_that_the_table_does_not_give_is_refused() {
    let lab = supplied("en", BOTH);
    made(&lab).ends(0);
    let mut files = package_of(&lab, "out");
    replace(&mut files, "pairs/main.json", "\"words\": 1530", "\"words\": 1531");
    let output = folder_of(&without_pages(inputs(files))).run(&["verify", "out"]).ends(1);
    output.must_print("pairs/main.json: replayed, the table gives another answer");
}

#[test]
fn decks_that_their_words_do_not_give_stand_on_the_first_page() {
    let lab = supplied("fr", BOTH);
    let text = table(30);
    let line = text.lines().nth(7).expect("a deck");
    let (begin, end) = line.rsplit_once(' ').expect("a last card");
    let (begin, before) = begin.rsplit_once(' ').expect("another card");
    lab.write("pairs.csv", text.replace(line, &format!("{begin} {end} {before}")));
    let output = made(&lab).ends(1);
    let wanted = "Par la méthode que le projet nomme, en tout ou en partie (multiply-shift, down, ranks-cdhs), les mots de main ne donnent pas 1 des 30";
    output.must_print(wanted);
    assert!(output.prints("NON CONFORME") || output.prints("NON SATISFAIT"), "{output}");
    let page = lab.text("out/report.html");
    assert!(page.contains("Premiers jeux de cartes de main qui ne sont pas donnés"));
    assert!(page.contains("un nom dans le projet qui n’est pas la méthode du programme"));
    let observations = &report(&lab, "out")["facts"]["observations"];
    assert_eq!(observations[0]["kind"], "pairs-differ", "{observations}");
    let verified = lab.run(&["verify", "--language", "fr", "out"]).ends(1);
    verified.must_print("cohérent");
    verified.must_print("refaits");
}

#[test]
fn a_file_that_cannot_be_used_ends_the_campaign_before_a_deck_is_drawn() {
    let check = |more: &str, spoil: &dyn Fn(&Lab), wanted: &str| {
        let lab = supplied("en", more);
        spoil(&lab);
        certify(&lab, &["--out", "out"]).ends(2).must_warn(wanted);
        assert!(!lab.exists("out/certificates"), "{wanted}");
    };
    let fine = |_: &Lab| {};
    check("words = { file = \"gone.bin\" }\n", &fine, "gone.bin: No such file");
    check("words = { file = \"pairs.csv\" }\n", &fine, "pairs.csv: byte 0: found a text");
    check("words = { file = \".\" }\n", &fine, ".: found no regular file");
    check("words = { file = \"capture.bin\", word = \"u24\" }\n", &fine, "u24");
    let torn = |lab: &Lab| lab.write("capture.bin", &words(20)[..79]);
    check("words = { file = \"capture.bin\" }\n", &torn, "found 3 bytes, wanted the 4 bytes of a word");
    check("pairs = { file = \"decks.csv\" }\n", &fine, "decks.csv: line 1: found 1 field");
    let named = "pairs = { file = \"pairs.csv\", scaling = \"modulo-of-the-moon\" }\n";
    check(named, &fine, "modulo-of-the-moon");
    // A slip of the laboratory is nothing against the customer.
    let slip = BOTH.replace("multiply-shift", "modulo");
    check(
        &slip,
        &fine,
        "given by the method that is named (scaling modulo, loop down, start ranks-cdhs), and all of them by multiply-shift, ",
    );
}

#[test]
fn a_file_that_changed_after_the_plan_was_frozen_is_refused() {
    let lab = supplied("en", BOTH);
    certify(&lab, &["--out", "out", "--plan-only"]).ends(0);
    lab.write("capture.bin", words(199_998));
    let output = certify(&lab, &["--out", "out"]);
    let wanted = "capture.bin: it is another file than the one whose hash was frozen";
    assert!(output.code == 2 && output.warns(wanted), "{output}");
}

/// A next revision has the customer's files from the package.
#[test]
fn a_revision_keeps_what_the_customer_handed_in() {
    let lab = supplied("en", BOTH);
    made(&lab).ends(0);
    for name in ["capture.bin", "pairs.csv"] {
        fs::remove_file(lab.path(name)).expect("it was there");
    }
    let text = lab.text("project.toml");
    lab.write("project.toml", text.replace("A customer", "The customer"));
    certify(&lab, &["--amend", "out", "--reason", "name of the customer", "--out", "out-2"]).ends(0);
    for name in ["words/main.json", "pairs/main.json", "pairs/main.csv"] {
        assert_eq!(lab.read(&format!("out-2/{name}")), lab.read(&format!("out/{name}")), "{name}");
    }
    lab.run(&["verify", "out-2"]).ends(0);
}

/// A copy of the export identifies nothing, packed or not: what it is, is seen where the file is.
#[test]
fn a_packed_copy_of_the_decks_is_no_file_of_an_item() {
    let lab = supplied("en", "");
    let pack = |name: &str| packed(lab.path(name).as_ref()).expect("it is there");
    lab.write("decks.csv.gz", pack("decks.csv"));
    lab.write("shuffler.gz", pack("shuffler"));
    let text = lab.text("project.toml");
    let with = |files: &str, decks: &str| {
        let text = text.replace("files = [\"shuffler\"]", &format!("files = [{files}]"));
        lab.write("project.toml", text.replace("csv:decks.csv", decks));
        let out = format!("{}-{}", files.len(), decks.len());
        (certify(&lab, &["--out", &out, "--plan-only"]), out)
    };
    let gz = "csv:decks.csv.gz";
    for (files, decks) in [("\"decks.csv.gz\"", "csv:decks.csv"), ("\"decks.csv\"", gz)] {
        let (output, out) = with(files, decks);
        let output = output.ends(2);
        output.must_warn("is the file of decks, packed or unpacked, and identifies nothing");
        assert!(!lab.exists(&format!("{out}/plan.toml")), "{output}");
    }
    for files in ["\"decks.csv.gz\", \"shuffler\"", "\"shuffler.gz\"", "\"decks.csv\""] {
        with(files, "csv:decks.csv").0.ends(0);
    }
}
