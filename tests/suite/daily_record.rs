//! The record of days: whatever is edited, taken out or put back in its folder is named, by `history --verify` or by the list of
//! rows that is kept elsewhere.

use crate::common::lab::{Lab, Output, lines};

/// Three nights, the second of which asks for nothing and says nothing: its file is too short.
fn three_nights() -> Lab {
    let lab = Lab::new();
    lab.write(
        "daily.toml",
        "name = \"T\"\nfolder = \"days\"\nsource = \"{date}.csv\"\ntiers = \"core\"\nfresh_decks = 0\nkept_rows = \"elsewhere/rows\"\n",
    );
    std::fs::create_dir(lab.path("elsewhere")).expect("a folder");
    for (day, decks, code) in [("2026-10-01", 1_500, 0), ("2026-10-02", 100, 2), ("2026-10-03", 1_500, 0)] {
        let output = night(&lab, day, decks);
        assert_eq!(output.code, code, "{day}: {output}");
    }
    lab
}

fn night(lab: &Lab, date: &str, decks: u64) -> Output {
    let first = 10_000 * date[8..].parse::<u64>().expect("a day");
    lab.write(&format!("{date}.csv"), lines(first..first + decks));
    lab.night(date, &[])
}

/// What `--verify` says after something was done in the folder of the days, which is then put back.
fn after(lab: &Lab, change: &str) -> Output {
    lab.shell("cp -a days kept").ends(0);
    let changed = lab.shell(&format!("set -e; cd days; {change}"));
    assert_eq!(changed.code, 0, "{change}: {changed}");
    let output = lab.run(&["history", "days", "--verify"]);
    lab.shell("rm -r days && mv kept days").ends(0);
    output
}

/// What a bad sector, a power cut or a restored backup does to a record in the folder of the days, and what names it.
const ACCIDENTS: [(&str, &str); 12] = [
    ("rm 2026-10-01/report.json", "2026-10-01/report.json: the file is gone that row 2 names"),
    (": > 2026-10-01/report.json", "2026-10-01/report.json: the report is cut or empty"),
    ("truncate -s -9 2026-10-03/report.json", "2026-10-03/report.json: the report is cut or empty"),
    ("head -c 2000000 /dev/zero > 2026-10-03/report.json", "2026-10-03/report.json"),
    ("rm incident-2026-10-02.json", "incident-2026-10-02.json: the file is gone that row 3 names"),
    ("truncate -s 20 incident-2026-10-02.json", "incident-2026-10-02.json: the file is not whole"),
    ("truncate -s -100 2026-10-01/certificate.json.gz", "row 1: 2026-10-01/certificate.json: the compressed"),
    (": > 2026-10-01/certificate.json.gz", "row 1: 2026-10-01/certificate.json: the compressed"),
    (
        "truncate -s 5000 2026-10-03/certificate.json",
        "row 3: 2026-10-03/certificate.json: the certificate is not",
    ),
    (": > daily.db", "daily.db has 0 bytes, and there is the folder of 2026-10-03"),
    ("rm -r known", "is gone: it has the decks of earlier days"),
    ("for f in known/*; do truncate -s -16 $f; done", "is not the file that the last row names"),
];

#[test]
fn what_an_accident_damages_accuses_nobody_and_the_check_of_the_configuration_says_the_same() {
    let lab = three_nights();
    lab.write("2026-10-04.csv", lines(40_000..41_500));
    lab.shell("cp -a days kept").ends(0);
    let gone = [("rm daily.db", "daily.db is gone, and there is the folder of 2026-10-03")];
    for (change, output) in ACCIDENTS.into_iter().chain(gone) {
        lab.shell(&format!("rm -r days; cp -a kept days; cd days; {change}")).ends(0);
        lab.night("2026-10-04", &["--check-config"]).refused().must_warn(output);
        let night = lab.night("2026-10-04", &[]).ends(2);
        night.must_begin(
            "T, 2026-10-04: COULD NOT SAY, the record of earlier days is damaged or was changed\n",
        );
        night.must_tell(output);
        night.must_tell("damaged or changed; restore it from a backup");
        night.must_not_print("who could write");
        // What is put back is gone on with, by the file of the same night.
        lab.shell("rm -r days; cp -a kept days").ends(0);
    }
    lab.night("2026-10-04", &[]).ends(0);
}

/// The known decks of a room whose backup has them not: two people let them begin anew, and no night is silent about it.
#[test]
fn known_decks_that_no_backup_has_begin_anew_by_two_people_and_are_named_from_then_on() {
    let lab = three_nights();
    let give_up = |more: &[&str]| {
        let typed = ["history", "days", "--lost", "--reason", "bad sector", "--by", "A. Smith"];
        lab.run(&[&typed, more].concat())
    };
    let two = &["--by", "B. Jones"][..];
    give_up(two).refused().must_warn("the known decks are whole");
    lab.shell("truncate -s -8 days/known/*").ends(0);
    night(&lab, "2026-10-04", 1_500)
        .ends(2)
        .must_tell("let two people give up what is lost (history --lost)");
    give_up(&[]).refused().must_warn("wanted two different ones");
    give_up(two).ends(0).must_print("Row 4: known decks until row 3 (known/rows-");
    lab.night("2026-10-04", &["--check-config"]).ends(0);
    let output = lab.night("2026-10-04", &["--steps"]).ends(0);
    output.must_tell("Changed: known decks until row 3 (known/rows-");
    output.must_tell("given up as lost by A. Smith and B. Jones: bad sector");
    let since = "none of them among 0 of earlier days, by 96 bits of SHA-256; those until 2026-10-03 are lost (row 4)";
    output.must_print(since);
    // Decks of before the loss are not found, those of after it are.
    let output = night(&lab, "2026-10-05", 1_500).ends(0);
    output.must_not_print("Changed");
    lab.write("2026-10-06.csv", lines(10_000..11_000) + &lines(40_000..40_500));
    let output = lab.night("2026-10-06", &["--steps"]).ends(1);
    output.must_tell("deck 1,001 of this day is one of row 5 (2026-10-04)");
    output.must_tell("of 1,500 decks and 3,000 of earlier days; those until 2026-10-03 are lost (row 4) and not looked for");
    lab.run(&["history", "days"]).must_tell("given up as lost by A. Smith and B. Jones: bad sector");
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
        let output = lab.run(look).ends(0);
        output.must_print(told);
        output.must_print("\n  incident-2026-10-04");
        output.must_print("2026-10-01/report.json: the file was edited");
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
    for (change, output) in [
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
            "echo {} > incident-2026-10-02.json",
            "incident-2026-10-02.json: the file was edited: it is not the one that row 3 names",
        ),
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
        assert!(after.code == 1 && after.prints(output), "{change}: {after}");
    }
    for (change, output) in ACCIDENTS {
        let after = after(&lab, change);
        assert!(after.code == 2 && after.warns(output), "{change}: {after}");
    }
    // A page that was taken away is no contradiction, and is said.
    after(&lab, "rm 2026-10-01/report.html").ends(0).must_print("Pages that are not there: 1.");
}

#[test]
fn days_cut_off_the_end_and_a_folder_put_back_are_seen_beside_the_list_of_rows() {
    let lab = three_nights();
    assert_eq!(lab.text("elsewhere/rows").lines().count(), 3);
    lab.shell("cp -a days old").ends(0);
    let output = night(&lab, "2026-10-04", 1_500);
    assert!(output.code == 0, "{output}");
    let with_list = ["history", "days", "--verify", "--kept-rows", "elsewhere/rows"];
    lab.run(&with_list).ends(0).must_print("Rows that were kept elsewhere and are still there: 4.");
    // The whole folder as it was a day ago: by itself it is sound, and the list has one row more.
    lab.shell("mv days new && mv old days").ends(0);
    lab.run(&["history", "days", "--verify"]).ends(0);
    let gone = "row 4 (2026-10-04) is in elsewhere/rows and not in the record, which ends at row 3: an older backup was restored, or \
                rows were taken out";
    lab.run(&with_list).ends(2).must_warn(gone);
    let output = night(&lab, "2026-10-05", 1_500).ends(2);
    output.must_begin(
        "T, 2026-10-05: COULD NOT SAY, the record was restored from a backup, or rolled back\nDeal no hand. ",
    );
    output.must_tell(gone);
    lab.night("2026-10-05", &["--check-config"]).refused().must_warn(gone);
    assert!(lab.text("days/incident-2026-10-05.json").contains(gone));
    // Written anew from the same exports, in the place of the record and beside the list.
    lab.shell("rm -r days; cp elsewhere/rows rows").ends(0);
    let output = night(&lab, "2026-10-01", 1_500).ends(2);
    let absent = "rows 1 to 4 (2026-10-01 to 2026-10-04) are in elsewhere/rows, and days has no record: folder is mistyped or was moved";
    output.must_tell(absent);
    lab.night("2026-10-01", &["--check-config"]).refused().must_warn(absent);
    assert!(!lab.exists("days"), "nothing is made there");
    lab.shell("mv elsewhere/rows kept").ends(0);
    night(&lab, "2026-10-01", 1_500).ends(0);
    lab.shell("mv kept elsewhere/rows").ends(0);
    let output = night(&lab, "2026-10-02", 1_500).ends(1);
    output.must_tell("row 1 (2026-10-01) is another one than in elsewhere/rows: the record was written anew");
    assert_eq!(lab.read("elsewhere/rows"), lab.read("rows"), "the list stays as it was");
    // A list that is not there, or none at all, says nothing, and is said.
    lab.shell("rm -rf days elsewhere/rows; mv new days").ends(0);
    night(&lab, "2026-10-05", 1_500).ends(2).must_print("elsewhere/rows is not there");
    night(&lab, "2026-10-06", 1_500).ends(0);
    lab.write("elsewhere/rows", "no list\n");
    night(&lab, "2026-10-07", 1_500).ends(2).must_print("elsewhere/rows: line 1");
    assert_eq!(lab.read("elsewhere/rows"), b"no list\n");
}

/// The disk is lost, the backup is two nights old, the list is elsewhere: nobody is accused and nothing is added, until two people
/// give the rows up; then they stay named in the rows and in the list.
#[test]
fn after_a_lost_disk_the_rows_that_no_backup_has_are_given_up_by_two_people_and_stay_named() {
    let lab = three_nights();
    lab.shell("cp -a days backup").ends(0);
    night(&lab, "2026-10-04", 1_500).ends(0);
    night(&lab, "2026-10-05", 1_500).ends(0);
    let list = lab.text("elsewhere/rows");
    // Nor does the backup say where the list is: the night after it does.
    lab.shell("rm -r days && cp -a backup days && rm days/kept_rows.path").ends(0);
    let gone = "rows 4 to 5 (2026-10-04 to 2026-10-05) are in ";
    night(&lab, "2026-10-06", 1_500).ends(2).must_tell(gone);
    let state = |what: &str, more: &[&str]| {
        let people = ["--by", "A. Smith", "--by", "B. Jones", "--reason", "disk lost"];
        lab.run(&[&["history", "days", what][..], more, &people].concat())
    };
    for (what, more) in [("--release", &[][..]), ("--void", &["3"]), ("--correct", &["3"])] {
        let output = state(what, more).refused();
        output.must_warn(gone);
        output.must_warn("Nothing was added. Put the newest record back; if there is none, two people give the rows up (history --lost).");
    }
    assert_eq!(lab.run(&["history", "days", "--json"]).out.lines().count(), 3);
    let output = state("--lost", &["--kept-rows", "elsewhere/rows"]).ends(0);
    let hash = |number: usize| row_of(&list, number)[2..14].to_owned();
    let named = format!("row 4 of 2026-10-04 ({}), row 5 of 2026-10-05 ({})", hash(4), hash(5));
    output.must_print(&format!("Row 4: {named} given up as lost by A. Smith and B. Jones: disk lost"));
    state("--lost", &["--kept-rows", "elsewhere/rows"]).refused().must_warn("nothing of the record is lost");
    // The nights go on, each names the lost rows, and so does the list.
    for (date, row) in [("2026-10-04", 5), ("2026-10-06", 6)] {
        lab.night(date, &["--check-config"]).ends(0);
        let output = lab.night(date, &["--steps"]).ends(0);
        assert_eq!(output.prints("\nChanged: "), row == 5, "{output}");
        output.must_print(&format!("; 2 rows lost, by the list that had them: {named}"));
        let now = lab.text("elsewhere/rows");
        let lost = format!("{}\nlost {}\nlost {}\n4:", row_of(&list, 3), row_of(&list, 4), row_of(&list, 5));
        assert!(now.contains(&lost) && now.lines().count() == row + 2, "{now}");
    }
    // A lost row does not stand for the one that has its number now.
    lab.shell("cp elsewhere/rows rows && sed -i '/^5:/d' elsewhere/rows").ends(0);
    lab.night("2026-10-07", &["--check-config"])
        .must_print("of the 6 rows, and row 5, which a night writes there, is missing");
    lab.shell("mv rows elsewhere/rows").ends(0);
    // The record of before is behind this list, too.
    lab.shell("rm -r days && cp -a backup days").ends(0);
    night(&lab, "2026-10-07", 1_500)
        .ends(2)
        .must_tell(gone.replace("to 5", "to 6").split(" (").next().expect("words"));
}

fn row_of(list: &str, number: usize) -> &str {
    list.lines().nth(number - 1).expect("a row")
}

/// A list that was emptied or cut is as bad as none.
#[test]
fn a_list_of_rows_that_was_cut_is_named_and_is_no_pass() {
    let lab = three_nights();
    lab.shell("cp -a days kept && cp elsewhere/rows rows").ends(0);
    for (change, first) in [
        (": > elsewhere/rows", 1),
        ("head -n 2 rows > elsewhere/rows", 3),
        ("tail -n 1 rows > elsewhere/rows", 1),
        ("sed -i 2d elsewhere/rows", 2),
    ] {
        lab.shell(&format!("rm -r days; cp -a kept days; cp rows elsewhere/rows; {change}")).ends(0);
        let cut = format!("of the 3 rows, and row {first}, which a night writes there, is missing");
        let checked = lab.night("2026-10-04", &["--check-config"]);
        night(&lab, "2026-10-04", 1_500).ends(2).must_tell(&cut);
        checked.ends(0).must_print(&cut);
        night(&lab, "2026-10-05", 1_500).ends(0);
    }
    // What people state is written there by the night after it.
    lab.shell("rm -r days; cp -a kept days; cp rows elsewhere/rows").ends(0);
    lab.run(&["history", "days", "--correct", "3", "--by", "A", "--reason", "b"]).ends(0);
    night(&lab, "2026-10-04", 1_500).ends(0);
    // What is no file takes no list.
    let config = lab.text("daily.toml").replace("elsewhere/rows", "elsewhere/none");
    lab.write("daily.toml", config);
    lab.shell("mkfifo elsewhere/none").ends(0);
    night(&lab, "2026-10-05", 1_500).ends(2).must_tell("elsewhere/none: found no regular file");
    lab.shell("test -p elsewhere/none").ends(0);
}
