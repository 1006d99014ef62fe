//! The record of days: whatever is edited, taken out or put back in its folder is named, by `history --verify` or by the list of
//! rows that is kept elsewhere.

use crate::common::lab::{Lab, Said, lines};

/// Three nights, the second of which asks for nothing and says nothing: its file is too short.
fn three_nights() -> Lab {
    let lab = Lab::new();
    lab.write(
        "daily.toml",
        "name = \"T\"\nfolder = \"days\"\nsource = \"{date}.csv\"\ntiers = \"core\"\nfresh_decks = 0\nkept_rows = \"elsewhere/rows\"\n",
    );
    std::fs::create_dir(lab.path("elsewhere")).expect("a folder");
    for (day, decks, code) in [("2026-10-01", 1_500, 0), ("2026-10-02", 100, 2), ("2026-10-03", 1_500, 0)] {
        let said = night(&lab, day, decks);
        assert_eq!(said.code, code, "{day}: {said}");
    }
    lab
}

fn night(lab: &Lab, date: &str, decks: u64) -> Said {
    let first = 10_000 * date[8..].parse::<u64>().expect("a day");
    lab.write(&format!("{date}.csv"), lines(first..first + decks));
    lab.night(date, &[])
}

/// What `--verify` says after something was done in the folder of the days, which is then put back.
fn after(lab: &Lab, change: &str) -> Said {
    lab.shell("cp -a days kept").ends(0);
    let changed = lab.shell(&format!("set -e; cd days; {change}"));
    assert_eq!(changed.code, 0, "{change}: {changed}");
    let said = lab.run(&["history", "days", "--verify"]);
    lab.shell("rm -r days && mv kept days").ends(0);
    said
}

#[test]
fn a_night_that_was_stopped_and_not_recorded_is_told_with_the_record() {
    let lab = three_nights();
    let told = "Nights that were reported and not recorded";
    for look in [&["history", "days"][..], &["history", "days", "--verify"]] {
        lab.run(look).ends(0).must_not_print(told);
    }
    // The night over an edited report is a stop without a row; then the report is put back.
    lab.shell("cp days/2026-10-03/report.json kept.json && echo >> days/2026-10-01/report.json").ends(0);
    night(&lab, "2026-10-04", 1_500).ends(1);
    lab.shell("sed -i '$ d' days/2026-10-01/report.json").ends(0);
    for look in [&["history", "days"][..], &["history", "days", "--verify"]] {
        let said = lab.run(look).ends(0);
        said.must_print(told);
        said.must_print("\n  incident-2026-10-04");
        said.must_print("2026-10-01/report.json: the file was edited");
    }
    // JSON and CSV have the rows and nothing else.
    assert_eq!(lab.run(&["history", "days", "--json"]).out.lines().count(), 3);
}

#[test]
fn every_file_of_a_record_that_is_edited_taken_out_or_exchanged_is_named() {
    let lab = three_nights();
    let sound = lab.run(&["history", "days", "--verify"]).ends(0);
    sound.must_print("certificates 3, pages 6, known decks 3,100, the bets");
    sound.must_print("Not checked: whether days were cut off the end");
    for (change, said) in [
        (
            "sed -i 's/\"decks\": 1500/\"decks\": 1501/' 2026-10-03/report.json",
            "2026-10-03/report.json: the report was edited",
        ),
        (
            "sed -i 's/passed/refused/' 2026-10-01/report.json",
            "2026-10-01/report.json: the report was edited",
        ),
        ("sed -i 's/v3/v1/' 2026-10-03/report.json", "2026-10-03/report.json: the report was edited"),
        ("sed -i 's/v3/v4/' 2026-10-03/report.json", "2026-10-03/report.json: the report was edited"),
        (
            "echo >> 2026-10-01/report.json",
            "2026-10-01/report.json: the file was edited: it is not the one that row 2 names",
        ),
        ("head -c 2000000 /dev/zero > 2026-10-03/report.json", "2026-10-03/report.json"),
        ("rm 2026-10-01/report.json", "2026-10-01/report.json: the file is gone that row 2 names"),
        (
            "cp 2026-10-01/report.json 2026-10-03/report.json",
            "2026-10-03/report.json: it is the report of row 1",
        ),
        (
            "mkdir 2026-10-02-2; cp 2026-10-02/report.json 2026-10-02-2",
            "2026-10-02-2/report.json: it is the report of row 2",
        ),
        ("sed -i 's/PASS/STOP/' 2026-10-01/day.html", "2026-10-01/day.html: the page was edited"),
        ("echo >> 2026-10-03/day.html", "2026-10-03/day.html: the page was edited"),
        ("sed -i 's/1,500/9,500/' 2026-10-01/report.html", "2026-10-01/report.html: the page was edited"),
        (
            "echo a > incident-2026-10-02.json",
            "incident-2026-10-02.json: the file was edited: it is not the one that row 3 names",
        ),
        ("rm incident-2026-10-02.json", "incident-2026-10-02.json: the file is gone that row 3 names"),
        ("rm -r known", "is gone: it has the decks of earlier days"),
        ("for f in known/*; do truncate -s -16 $f; done", "is not the file that the last row names"),
        ("sqlite3 daily.db 'DELETE FROM drift'", "the bets that are kept are not those"),
        (
            "sqlite3 daily.db \"UPDATE drift SET state = replace(state, '0', '1')\"",
            "the bets that are kept are not those",
        ),
        (
            "sqlite3 daily.db \"DROP VIEW days; CREATE VIEW days AS SELECT 'pass' AS verdict\"",
            "daily.db: the view days was changed or taken out",
        ),
    ] {
        let after = after(&lab, change);
        assert!(after.code == 1 && after.prints(said), "{change}: {after}");
    }
    // A page that was taken away is no contradiction, and is said.
    after(&lab, "rm 2026-10-01/report.html").ends(0).must_print("Pages that are not there: 1.");
}

#[test]
fn days_cut_off_the_end_and_a_folder_put_back_are_seen_beside_the_list_of_rows() {
    let lab = three_nights();
    assert_eq!(lab.text("elsewhere/rows").lines().count(), 3);
    lab.shell("cp -a days old").ends(0);
    let said = night(&lab, "2026-10-04", 1_500);
    assert!(said.code == 0, "{said}");
    let with_list = ["history", "days", "--verify", "--kept-rows", "elsewhere/rows"];
    lab.run(&with_list).ends(0).must_print("Rows that were kept elsewhere and are still there: 4.");
    // The whole folder as it was a day ago: by itself it is sound, and the list has one row more.
    lab.shell("mv days new && mv old days").ends(0);
    lab.run(&["history", "days", "--verify"]).ends(0);
    let gone = "row 4 (2026-10-04) is in elsewhere/rows and is gone from the record";
    lab.run(&with_list).ends(1).must_print(gone);
    night(&lab, "2026-10-05", 1_500).ends(1).must_print("STOP");
    assert!(lab.text("days/incident-2026-10-05.json").contains(gone));
    // Written anew from the same exports.
    lab.shell("rm -r days; cp elsewhere/rows rows").ends(0);
    let said = night(&lab, "2026-10-01", 1_500);
    assert!(said.code == 1, "{said}");
    assert_eq!(lab.read("elsewhere/rows"), lab.read("rows"), "the list stays as it was");
    // A list that is not there, or none at all, says nothing, and is said.
    lab.shell("rm -rf days elsewhere/rows; mv new days").ends(0);
    night(&lab, "2026-10-05", 1_500).ends(2).must_print("elsewhere/rows is not there");
    night(&lab, "2026-10-06", 1_500).ends(0);
    lab.write("elsewhere/rows", "no list\n");
    night(&lab, "2026-10-07", 1_500).ends(2).must_print("elsewhere/rows: line 1");
    assert_eq!(lab.read("elsewhere/rows"), b"no list\n");
}
