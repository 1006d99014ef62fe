//! `deckproof inbox`: nothing of what operators sent is believed unchecked, and who is silent is named.

use std::fs;

use serde_json::Value;

use crate::common::lab::{Lab, Output, lines, sha256};
use crate::common::schema::check_valid;

/// Three nights of a shuffler, whose signed reports lie in the inbox of a laboratory.
fn inbox(lab: &Lab) {
    lab.shell("ssh-keygen -q -t ed25519 -N '' -f key && { echo -n 'A namespaces=\"deckproof-manifest\" '; cut -d' ' -f1,2 key.pub; } > signers").ends(0);
    let text = "name = \"T\"\nsource = \"{date}.csv\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nsign_key = \"key\"\n";
    lab.write("daily.toml", text);
    fs::create_dir_all(lab.path("inbox/A")).expect("writable");
    fs::create_dir_all(lab.path("inbox/B")).expect("writable");
    for night in 1..4_u64 {
        let day = format!("2026-10-0{night}");
        lab.write(&format!("{day}.csv"), lines(10_000 * night + 1..10_000 * night + 1_001));
        lab.night(&day, &[]).ends(0);
        for end in ["", ".sig"] {
            let to = lab.path(&format!("inbox/A/{day}.json{end}"));
            fs::copy(lab.path(&format!("days/{day}/report.json{end}")), to).expect("a report");
        }
    }
}

fn read(lab: &Lab, more: &[&str], code: i32) -> Output {
    lab.run(&[&["inbox", "inbox", "--hours", "999999"], more].concat()).ends(code)
}

#[test]
fn who_reported_whose_chain_broke_and_who_is_silent_is_told() {
    let lab = Lab::new();
    inbox(&lab);
    let output = read(&lab, &[], 2);
    output.must_print("A, T: REPORTED, last row 3 of 2026-10-03: passed, which tells of the time until ");
    output.must_print(" h ago; reports of 3 rows\n");
    // Days of long ago that are checked today are no news.
    lab.run(&["inbox", "inbox"]).ends(2).must_print("A, T: SILENT, last row 3 of 2026-10-03: passed");
    output.must_print("B: SILENT, no report of a day\n").must_print("Not checked: signatures");
    fs::remove_dir(lab.path("inbox/B")).expect("it is there");
    let output = read(&lab, &["--signers", "signers"], 0);
    output.must_print("3 signed, 0 without a signature").must_not_print("Not checked: signatures");
    // A report that was not sent leaves its neighbours unbound: no contradiction, and no pass where it lies between two.
    for (row, code, state) in [(2, 2, "COULD NOT SAY"), (1, 0, "REPORTED")] {
        let report = lab.path(&format!("inbox/A/2026-10-0{row}.json"));
        fs::rename(&report, lab.path("kept.json")).expect("it is there");
        let output = read(&lab, &[], code);
        output.must_print(&format!("not known to follow each other: row {row};")).must_print(state);
        fs::rename(lab.path("kept.json"), &report).expect("it is there");
    }
    // Without its signature it is nobody's.
    fs::remove_file(lab.path("inbox/A/2026-10-03.json.sig")).expect("it is there");
    read(&lab, &["--signers", "signers"], 2).must_print("2 signed, 1 without a signature");
    lab.write("inbox/A/note.json", "{}");
    read(&lab, &[], 2).must_print("A: not read: note.json: no report of a day");
    fs::create_dir(lab.path("inbox/C")).expect("writable");
    let all = read(&lab, &["--json", "--signers", "signers"], 2).json();
    check_valid("inbox", &all);
    let states: Vec<_> =
        all["entries"].as_array().expect("a list").iter().map(|entry| &entry["state"]).collect();
    assert_eq!(states, ["REPORTED", "NOT READ", "SILENT"], "{all}");
    let of = &all["entries"][0];
    assert_eq!(
        (&of["last"]["row"], &of["signed"], &of["unsigned"]),
        (&2.into(), &2.into(), &1.into()),
        "{all}"
    );
    assert_eq!((&all["exit_code"], &all["result"]), (&2.into(), &"could not say".into()));
}

#[test]
fn an_edited_report_a_second_version_and_another_signature_are_broken() {
    let lab = Lab::new();
    inbox(&lab);
    fs::remove_dir(lab.path("inbox/B")).expect("it is there");
    let path = lab.path("inbox/A/2026-10-02.json");
    let whole = fs::read_to_string(&path).expect("a report");
    fs::write(&path, whole.replacen("\"decks\": 1000", "\"decks\": 1001", 1)).expect("writable");
    // A gateway of mails changes bytes too: it is the operator's only with their signature.
    for signers in [&[][..], &["--signers", "signers"]] {
        read(&lab, signers, 2).must_print("A: not read: 2026-10-02.json: edited, or written anew by another program: it does not say what row 2 says");
    }
    fs::remove_file(lab.path("inbox/A/2026-10-02.json.sig")).expect("it is there");
    lab.shell("ssh-keygen -q -Y sign -n deckproof-manifest -f key inbox/A/2026-10-02.json").ends(0);
    read(&lab, &["--signers", "signers"], 1).must_print("A: BROKEN, 2026-10-02.json: edited");
    fs::copy(lab.path("days/2026-10-02/report.json.sig"), lab.path("inbox/A/2026-10-02.json.sig"))
        .expect("one");
    fs::write(&path, &whole).expect("writable");
    // The record was begun anew: row 2 is there again, and row 3 names the first one.
    let other = Lab::new();
    inbox(&other);
    let again = other.path("inbox/A/2026-10-02.json");
    fs::copy(&again, &path).expect("writable");
    read(&lab, &[], 2)
        .must_print("A, T: BROKEN, ")
        .must_print("row 3 was not written after row 2 as it was reported");
    // Who put it there under a signature of another report is not shown.
    let output = read(&lab, &["--signers", "signers"], 2);
    output.must_print("A: not read: 2026-10-02.json: the signature is not one on it");
    fs::write(&path, &whole).expect("writable");
    fs::copy(&again, lab.path("inbox/A/again.json")).expect("writable");
    read(&lab, &[], 2).must_print("again.json: row 2 is here in two versions");
    // Anybody can send what nobody signed; and what was signed is BROKEN whoever sends something else.
    let output = read(&lab, &["--signers", "signers"], 2);
    output
        .must_print("REPORTED, last row 3")
        .must_print("3 signed, 1 without a signature")
        .must_not_print("versions");
    fs::copy(other.path("days/2026-10-02/report.json"), lab.path("inbox/A/more.json")).expect("writable");
    lab.shell("ssh-keygen -q -Y sign -n deckproof-manifest -f key inbox/A/more.json").ends(0);
    read(&lab, &["--signers", "signers"], 1)
        .must_print("A, T: BROKEN, ")
        .must_print("row 2 is here in two versions");
    for day in 1..4 {
        fs::remove_file(lab.path(&format!("inbox/A/2026-10-0{day}.json.sig"))).expect("it is there");
    }
    fs::remove_file(lab.path("inbox/A/more.json")).expect("it is there");
    let output = read(&lab, &["--signers", "signers"], 2);
    output.must_print("A, T: SILENT, 0 signed, 4 without a signature\n");
}

#[test]
fn a_report_of_a_day_to_come_is_no_report_of_today() {
    let lab = Lab::new();
    inbox(&lab);
    fs::remove_dir(lab.path("inbox/B")).expect("it is there");
    let path = lab.path("inbox/A/2026-10-03.json");
    let mut report: Value = serde_json::from_slice(&fs::read(&path).expect("a report")).expect("JSON");
    report["day"]["day"] = "2929-10-03".into();
    report["row_sha256"] = sha256(report["day"].to_string().as_bytes()).into();
    fs::write(&path, report.to_string()).expect("writable");
    let output = read(&lab, &[], 2);
    output
        .must_print("A, T: COULD NOT SAY, last row 3 of 2929-10-03: passed")
        .must_print("row 3, of 2929-10-03, checked at ");
    output.must_print("is ahead of this clock");
}
