//! Decks that stand in two audits of a campaign: none passes, and the first page, the screen and row R10 say which.

use crate::common::lab::{KEY, Lab, Output, binary, lines};
use crate::common::package::{
    FILLED, certify, cover, inputs, package_of, report, rows, with_sums, without_pages, write_package,
};

fn head() -> String {
    format!(
        "format = \"deckproof/project/v1\"\nlanguage = \"en\"\nselftest = \"known-answers\"\nstandards = [\"GLI-19\"]\n\
         [report]\nnumber = \"T-1\"\nissued = \"2024-11-22\"\n{FILLED}"
    )
}

fn item(id: &str, source: &str, more: &str) -> String {
    format!(
        "[[item]]\nid = \"{id}\"\nname = \"{id}\"\ncondition = \"As received.\"\ndescription = \"It shuffles.\"\n\
         files = [\"shuffler.sh\"]\ntiers = [\"core\"]\nsource = \"{source}\"\ndecks = 1000\n{more}"
    )
}

fn tables(players: &str) -> String {
    format!("[[usage]]\nrules = [\"stud-hi\"]\nplayers = [{players}]\ndecks = 1000\n")
}

/// A campaign of this project in the folder `out`.
fn made(lab: &Lab, project: &str) -> Output {
    lab.write("project.toml", head() + project);
    certify(lab, &["--out", "out"])
}

/// A laboratory with a file of decks.
fn with(name: &str, decks: String) -> Lab {
    let lab = Lab::new();
    lab.write("shuffler.sh", "true\n");
    lab.write(name, decks);
    lab
}

fn check_none_found(lab: &Lab) {
    let evidence = rows(&report(lab, "out"), "requirements")[9].concat();
    let wanted = "looked for in each audit and between all audits, and none was found";
    assert!(evidence.contains(wanted), "{evidence}");
}

/// The program deals the decks of one key, whenever it is started.
const FIXED: &str = "cmd:sh shuffler.sh";

fn fixed(lab: &Lab) {
    let program = binary();
    lab.write(
        "shuffler.sh",
        format!("exec {} stream --source audit:{KEY} --as bytes --decks 4000\n", program.display()),
    );
}

#[test]
fn a_program_that_gives_the_same_decks_at_each_start_never_passes() {
    let lab = Lab::new();
    fixed(&lab);
    let alone = item("main", FIXED, "settings = { format = \"raw\" }\n");
    let output = made(&lab, &(alone.clone() + &tables("6, 7"))).ends(2);
    // Three audits of the first 1,000 decks of the stream: 3 pairs.
    let wanted = "Item main: each audit started the program anew, and decks came again: of the audit main.decks, 1,000 also stand in \
                  main.stud-hi.6, deck 1 of the one being deck 1 of the other (further pairs of audits with equal decks: 2). A seed that \
                  is built in or comes again explains that, and so does a program that replays a file.";
    output.must_print(wanted).must_print("INCONCLUSIVE: 3 audits, 0 not passed");
    let own = report(&lab, "out");
    assert!(cover(&own).contains(wanted), "{}", cover(&own));
    assert_eq!(own["facts"]["headline"], "inconclusive");
    assert_eq!(own["facts"]["items"][0]["verdict"], "inconclusive");
    for open in [5, 7, 8, 10, 24] {
        assert_eq!(own["facts"]["rows"][open - 1]["status"], "not-assessed", "R{open}");
    }
    let evidence = rows(&own, "requirements")[9].concat();
    assert!(
        evidence.contains("Decks came again from one audit to another")
            && !evidence.contains("none was found")
    );
    // What the command starts stands where the item is described, with whether it was hashed.
    let document = own["document"].to_string();
    assert!(
        document
            .contains("Listed below: shuffler.sh. Whatever else the command starts or reads was not hashed.")
    );
    assert!(
        lab.text("out/reproduce.md")
            .contains("the SHA-256 is that of the words of the command, and of no file")
    );
    lab.run(&["verify", "out"]).ends(2).must_print(wanted);
    // One audit alone reads no deck twice.
    lab.remove("out");
    made(&lab, &alone).ends(0);
}

#[test]
fn an_export_that_holds_its_decks_three_times_passes_no_more_than_one_audit_of_all_would() {
    let lab = with("three.txt", lines(1..=1_000).repeat(3));
    let output = made(&lab, &(item("main", "csv:three.txt", "") + &tables("6"))).ends(2);
    let wanted = "Item main: decks came again from one audit to another: of the audit main.decks, 1,000 also stand in main.stud-hi.6, \
                  deck 1 of the one being deck 1 of the other (further pairs of audits with equal decks: 0).";
    output.must_print(wanted).must_print("INCONCLUSIVE");
    lab.run(&["audit", "--tiers", "core", "--out", "audit", "three.txt"]).ends(2).must_warn("--id-column");
    let again = lab.run(&["verify", "--rerun", "--source", "csv:three.txt", "out"]);
    again.ends(2).must_print(wanted).must_print("Counted again: 2,000 decks");
    // Whoever takes the finding out of the file of runs is seen where the decks are counted again.
    let mut own = inputs(package_of(&lab, "out"));
    own.runs.between.as_mut().expect("it was looked for").common.clear();
    let forged = Lab::new();
    write_package(&forged, &with_sums(without_pages(own)));
    forged.write("three.txt", lines(1..=1_000).repeat(3));
    forged.run(&["verify", "out"]).ends(0);
    let output = forged.run(&["verify", "--rerun", "--source", "csv:three.txt", "out"]);
    output.ends(1).must_print("runs.json: compared again, other decks stand in two audits");
    // The same records in two audits, which is no repeat: of 2,000 the third of three begins anew.
    let lab = with("whole.txt", lines(1..=2_000));
    made(&lab, &(item("main", "csv:whole.txt", "") + &tables("6, 7"))).ends(0);
    check_none_found(&lab);
}

#[test]
fn two_items_that_have_decks_in_common_are_named_and_pass_nothing() {
    let lab = with("a.txt", lines(1..=1_000));
    // The same decks without the first, and one more.
    lab.write("b.txt", lines(2..=1_001));
    let output = made(&lab, &(item("main", "csv:a.txt", "") + &item("second", "csv:b.txt", ""))).ends(2);
    let wanted = "The items main and second have equal decks: of the audit main.decks, 999 also stand in second.decks, deck 2 of the \
                  one being deck 1 of the other (further pairs of audits with equal decks: 0).";
    output.must_print(wanted).must_print("INCONCLUSIVE");
    let own = report(&lab, "out");
    assert_eq!([0, 1].map(|item| &own["facts"]["items"][item]["verdict"]), ["inconclusive", "inconclusive"]);
}

#[test]
fn an_audit_that_was_counted_anew_beside_others_is_called_not_compared() {
    let lab = with("whole.txt", lines(1..=2_000));
    let project = item("main", "csv:whole.txt", "") + &tables("6");
    made(&lab, &project).ends(0);
    check_none_found(&lab);
    std::fs::remove_file(lab.path("out/SHA256SUMS")).expect("it is there");
    std::fs::remove_file(lab.path("out/certificates/main.decks.json")).expect("it is there");
    let output = made(&lab, &project).ends(2);
    output.must_print("The decks of main.decks were not compared with those of the other audits");
}

#[test]
fn decks_that_no_file_has_are_named_by_their_key() {
    let lab = with("a.txt", lines(1..=1_000));
    let own = item("main", "csv:a.txt", "");
    let output = made(&lab, &own.replace("decks = 1000", "decks = 0")).ends(2);
    output.must_warn("decks: found 0, wanted 1 or more");
    let output = made(&lab, &own.replace("decks = 1000", "decks = 1001")).ends(2);
    output.must_warn("decks of the audit main.decks: found 1001, wanted at most the 1000 records");
}
