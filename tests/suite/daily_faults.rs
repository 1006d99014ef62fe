//! One fault of each kind, planted into a shuffler that passed the day before: it is caught on its first possible day by the
//! check that names it. The rows stand in `reports/daily.md` as they come out here; with `DECKPROOF_FAULTS=FILE` in the
//! environment they are written to that file instead of being compared.

use std::fs;
use std::sync::OnceLock;

use crate::common::folder::copy;
use crate::common::lab::{Lab, Output, deck, deck_with, index_line, lines, sha256, words};
use crate::common::nights::reports_or_write;

/// A shuffler with everything set up, after a day that passed. It is set up once: that takes longer than a night.
fn shuffler() -> Lab {
    static READY: OnceLock<Lab> = OnceLock::new();
    let lab = Lab::new();
    copy(READY.get_or_init(|| shuffler_with("")).path("").as_ref(), lab.path("").as_ref());
    lab
}

/// The same with more in its configuration, set up anew.
pub(crate) fn shuffler_with(more: &str) -> Lab {
    let lab = Lab::new();
    lab.write("daily.toml", format!("{CONFIG}{more}"));
    lab.write("shuffler.sh", "head -c 64 /dev/urandom");
    lab.write("play-2026-11-01.csv", lines(50_001..51_001));
    lab.write("play-2026-11-02.csv", lines(60_001..61_001));
    let deal = |more: &[&str]| {
        let base = words(
            "deal --table T-1 --hands 3 --out T-1 --log log --log-key log.key --play random --rules stud-8b",
        );
        lab.run(&[&base[..], more].concat()).ends(0);
    };
    lab.run(&words("log init log --origin stud.example/log1 --key log.key --trust trust.json")).ends(0);
    deal(&[]);
    lab.write("bin/shuffler", "an executable");
    lab.write("game.toml", "ante = 5");
    lab.write("noise", noise(1));
    lab.run(&["manifest", "make", "--out", "shuffler.manifest", "bin", "game.toml"]).ends(0);
    export(&lab, 1, 1..=1_000);
    let output = day(&lab, 1).ends(0);
    let finding = output.out.lines().nth(2).expect("five lines");
    assert!(
        finding.starts_with(
            "13 checks passed (2 of this machine); not set up: dates of the hands (time_column)"
        ) || finding
            == "14 checks passed (2 of this machine); not set up: dates of the hands (time_column), dealt cards.",
        "{finding}"
    );
    assert!(lab.text("days/2026-11-01/report.json").contains("a copied key state is refused by the log"));
    deal(&["--continue"]);
    export(&lab, 2, 1_001..=2_000);
    lab
}

fn noise(seed: u64) -> Vec<u8> {
    (0..400).flat_map(|n| deck(1_000_000 * seed + n)).collect()
}

pub(crate) fn export(lab: &Lab, day: u32, decks: std::ops::RangeInclusive<u64>) {
    lab.write(&format!("export-2026-11-{day:02}.csv"), lines(decks));
}

pub(crate) const CONFIG: &str = "name = \"T\"\nfolder = \"days\"\nsource = \"export-{date}.csv\"\ntiers = \"core\"\nfresh_decks = 1000\nmanifest = \"shuffler.manifest\"\n\
    entropy_source = \"noise\"\nentropy_per_sample = 2\nlog = \"log\"\ntrust = \"trust.json\"\ntables = [\"T-1\"]\n\
    restart = \"sh shuffler.sh\"\nrestarts = 20\n\
    on_alarm = [\"sh\", \"-c\", \"printf '%s' \\\"$DECKPROOF_MAIL\\\" > alarm\"]\nmetrics = \"daily.prom\"\njunit = \"daily.xml\"\n";

pub(crate) fn day(lab: &Lab, day: u32) -> Output {
    lab.night(&format!("2026-11-{day:02}"), &[])
}

fn change(path: &str, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("it is there");
    assert!(text.contains(from), "{path} has no {from}");
    fs::write(path, text.replacen(from, to, 1)).expect("writable");
}

/// What is planted before the second day, what its mail says on line 1 and 2, and how it ends.
fn check(fault: &str, plant: impl Fn(&Lab), code: i32, subject: &str, finding: &str) {
    check_in(shuffler(), fault, plant, code, subject, finding);
}

fn check_in(lab: Lab, fault: &str, plant: impl Fn(&Lab), code: i32, subject: &str, finding: &str) {
    plant(&lab);
    let output = day(&lab, 2);
    assert_eq!(output.code, code, "{finding}: {output}");
    let first = output.out.lines().next().expect("a line");
    assert!(first.contains(subject), "{subject}: {output}");
    assert_eq!(lab.exists("days/incident-2026-11-02.json"), code != 0);
    if code != 0 {
        assert_eq!(lab.text("alarm"), output.out, "who is told gets the mail");
        let incident = lab.json("days/incident-2026-11-02.json");
        assert_eq!(incident["told"]["status"], "exit status: 0");
        let metrics = lab.text("daily.prom");
        assert!(
            metrics.contains(&format!("deckproof_daily_exit_code{{shuffler=\"T\"}} {code}\n")),
            "{metrics}"
        );
    }
    row(fault, code, first, &output.line(finding));
}

/// Letters of a finding in the table; the mail has it whole.
const FINDING_LETTERS: usize = 140;

/// The row of the report: compared with the committed one, hashes apart, or written.
fn row(fault: &str, code: i32, first: &str, finding: &str) {
    let step = if code == 0 { "" } else { finding.split(':').next().unwrap_or_default() };
    let finding: String = finding.chars().take(FINDING_LETTERS).collect();
    let row = format!("| {fault} | {code} | {step} | `{first}` / `{finding}` |\n");
    let report = reports_or_write("DECKPROOF_FAULTS", &row);
    let has_row = |report: String| without_hashes(&report).contains(&without_hashes(&row));
    assert!(report.is_none_or(has_row), "reports/daily.md has not the row {row}");
}

/// Eight hexadecimal digits or more in a row become one sign.
fn without_hashes(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_inclusive(|c: char| !c.is_ascii_hexdigit()) {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_hexdigit());
        if digits.len() >= 8 && digits.bytes().any(|byte| byte.is_ascii_digit()) {
            out += &word.replacen(digits, "#", 1)
        } else {
            out += word
        }
    }
    out
}

#[test]
fn without_a_fault_the_second_day_passes() {
    check(
        "none",
        |_| (),
        0,
        "T, 2026-11-02: PASS, export-2026-11-02.csv: indices, all 1,000 records",
        "13 checks passed (2 of this machine); not set up: dates of the hands (time_column)",
    );
}

#[test]
fn files_that_changed_are_named() {
    check(
        "changed executable",
        |lab| lab.write("bin/shuffler", "another"),
        1,
        "STOP",
        "code identity: changed: bin/shuffler",
    );
    check(
        "changed configuration",
        |lab| change(&lab.path("game.toml"), "5", "6"),
        1,
        "STOP",
        "code identity: changed: game.toml",
    );
    check(
        "a file more",
        |lab| lab.write("bin/helper.so", "new"),
        1,
        "STOP",
        "code identity: new: bin/helper.so",
    );
    let gone = |lab: &Lab| fs::remove_file(lab.path("game.toml")).expect("removed");
    check("a file less", gone, 1, "STOP", "code identity: missing: game.toml");
}

#[test]
fn evidence_that_is_not_new_or_not_there_is_no_pass() {
    let stale = |lab: &Lab| lab.write("export-2026-11-02.csv", lab.read("export-2026-11-01.csv"));
    check(
        "stale file",
        stale,
        2,
        "COULD NOT SAY",
        "fresh evidence: nothing new was examined: these are the decks of row 1",
    );
    let dead = |lab: &Lab| fs::remove_file(lab.path("export-2026-11-02.csv")).expect("removed");
    check(
        "copy job that died",
        dead,
        2,
        "COULD NOT SAY",
        "fresh evidence: export-2026-11-02.csv: the file is not there",
    );
}

/// An insider edits a row and gives it the hash that fits.
#[test]
fn an_edited_row_stops_the_day_and_somebody_is_told() {
    let edited = |lab: &Lab| {
        let database = rusqlite::Connection::open(lab.path("days/daily.db")).expect("a database");
        let change = "DROP TRIGGER no_update; UPDATE day SET body = replace(body, '\"pass\"', '\"fail\"')";
        database.execute_batch(change).expect("he can");
    };
    check("edited row", edited, 1, "STOP, the record of earlier days was changed", "chain: row 1 was edited");
}

#[test]
fn a_stuck_noise_source_stops_the_day() {
    let stuck = |lab: &Lab| {
        let mut bytes = noise(2);
        bytes[9_000..9_030].fill(7);
        lab.write("noise", bytes);
    };
    check("stuck noise source", stuck, 1, "STOP", "entropy health: longest run 30 (cut-off 21)");
}

#[test]
fn a_dropped_hand_and_a_changed_one_stop_the_day() {
    // The log is put back to where it stood before the hands of the second day.
    let dropped = |lab: &Lab| {
        lab.run(&words("log init other --origin stud.example/log1 --key other.key --trust other.json"))
            .ends(0);
        fs::remove_dir_all(lab.path("log")).expect("removed");
        fs::rename(lab.path("other"), lab.path("log")).expect("moved");
        fs::rename(lab.path("other.json"), lab.path("trust.json")).expect("moved");
    };
    // A shorter log may be an older copy: the hands of the table show that it is not.
    let lab = shuffler();
    dropped(&lab);
    let output = lab.run(&words("daily --config daily.toml --date 2026-11-02 --steps")).ends(1);
    for words in [
        "STOP, a hand is not the one",
        "replay of hands: T-1 hand ",
        "the log has 0 entries and had 9 on the last day",
    ] {
        output.must_tell(words);
    }
    let changed = |lab: &Lab| lab.write(TRANSCRIPTS, turned(&lab.text(TRANSCRIPTS)));
    check("dealt card changed in the record", changed, 1, "STOP", "replay of hands: T-1 hand 5");
}

const TRANSCRIPTS: &str = "T-1/public/transcripts.txt";

/// A card of hand 5 that was dealt face down is said to have been dealt face up.
fn turned(transcripts: &str) -> String {
    let (before, after) = transcripts.split_once("hand 5\n").expect("hands 1 to 6");
    format!("{before}hand 5\n{}", after.replacen(" d\n", " u\n", 1))
}

/// Other hands do not make right the one that was not as it was committed to; its own file does.
#[test]
fn a_hand_that_is_not_the_committed_one_is_replayed_until_it_is() {
    let lab = shuffler();
    let whole = lab.text(TRANSCRIPTS);
    let changed = turned(&whole);
    lab.write(TRANSCRIPTS, &changed);
    day(&lab, 2).ends(1).line("replay of hands: T-1 hand 5");
    let deal = "deal --table T-1 --hands 3 --out T-1 --log log --log-key log.key --play random --rules stud-8b --continue";
    lab.run(&words(deal)).ends(0);
    export(&lab, 3, 2_001..=3_000);
    day(&lab, 3).ends(1).line("replay of hands: T-1 hand 5");
    lab.write(TRANSCRIPTS, whole + &lab.text(TRANSCRIPTS)[changed.len()..]);
    day(&lab, 3).ends(0).must_tell("(replay of hands) lifted");
}

/// The export of the second day, with another deck in the place of number 900.
fn exchanged(lab: &Lab, other: u64) {
    lab.write("export-2026-11-02.csv", lines((1_001..=2_000).map(|n| if n == 1_900 { other } else { n })));
}

#[test]
fn decks_that_are_not_fair_stop_the_day() {
    let repeated = |lab: &Lab| exchanged(lab, 1_100);
    check("repeated deck within a day", repeated, 1, "STOP", "live output: fail: ");
    // The ace of spades never comes to the first place.
    let biased = |lab: &Lab| {
        let lines = (1_001..=2_000).map(|n| {
            let mut deck = deck(n);
            let place = 1 + usize::try_from(n).expect("small") % 51;
            deck.swap(0, place);
            let ace = deck.iter().position(|&card| card == 51).expect("it is there");
            deck.swap(ace, 51 - usize::try_from(n).expect("small") % 2);
            index_line(&deck)
        });
        lab.write("export-2026-11-02.csv", lines.collect::<String>());
    };
    check("ace of spades kept to two places", biased, 1, "STOP", "live output: FAIL");
}

#[test]
fn a_stuck_generator_and_a_deck_of_an_earlier_day_stop_the_day() {
    let stuck = |lab: &Lab| lab.write("export-2026-11-02.csv", index_line(&deck(1_001)).repeat(1_000));
    check("stuck generator", stuck, 1, "STOP", "live output: fail: ");
    let again = |lab: &Lab| exchanged(lab, 321);
    let named = "known decks: deck 900 of this day is one of row 1 (2026-11-01); of 1,000 decks";
    check("repeated deck of an earlier day", again, 1, "STOP", named);
}

#[test]
fn a_generator_that_starts_from_the_time_stops_the_day() {
    let timed = |lab: &Lab| lab.write("shuffler.sh", "date +%Y | sha256sum");
    check("time-seeded generator", timed, 1, "STOP", "restarts: 19 of 20 starts of \"sh shuffler.sh\" gave");
}

/// The ace of spades comes first three times as often as it should, to players who do not pay for it.
#[test]
fn play_money_that_is_dealt_better_stops_the_day() {
    let better = |lab: &Lab| {
        let lines = (60_001u64..=61_000)
            .map(|n| index_line(&if n % 10 == 0 { deck_with(51, 0, n) } else { deck(n) }));
        lab.write("play-2026-11-02.csv", lines.collect::<String>());
    };
    let found = "comparison: with play-2026-11-02.csv: FAIL";
    let lab = shuffler_with("compare = \"play-{date}.csv\"\n");
    check_in(lab, "play money dealt better", better, 1, "STOP", found);
}

/// The server writes down that it waited 12 seconds of 30: nobody changed a file afterwards.
#[test]
fn one_player_who_is_timed_out_early_stops_the_day() {
    let early = |lab: &Lab| {
        let path = lab.path("T-1/public/hand-5.phh");
        let text = fs::read_to_string(&path).expect("it was played");
        let timed = format!("{text}_timeouts = [{{ before = 10, player = 3, seconds = 12 }}]\n");
        let (old, new) = (sha256(text.as_bytes()), sha256(timed.as_bytes()));
        fs::write(&path, timed).expect("writable");
        change(&lab.path("T-1/secret/hands.txt"), &old, &new);
    };
    check(
        "one player timed out early",
        early,
        1,
        "STOP",
        "seats of the tables: T-1 hand 5: the time of seat",
    );
}

#[test]
fn a_list_of_files_that_another_signed_stops_the_day() {
    if std::process::Command::new("ssh-keygen").arg("-?").output().is_err() {
        println!("skipped: ssh-keygen is not installed");
        return;
    }
    let lab = shuffler();
    let sign = |key: &str| {
        let made = format!("ssh-keygen -q -t ed25519 -N '' -C '' -f {key} && rm -f shuffler.manifest.sig");
        lab.shell(&made).ends(0);
        lab.run(&["manifest", "sign", "shuffler.manifest", "--key", key]).ends(0);
    };
    sign("lab");
    lab.shell("printf 'lab@example.org %s' \"$(cat lab.pub)\" > signers").ends(0);
    let config =
        format!("{CONFIG}signers = \"signers\"\nidentity = \"lab@example.org\"\nsign_key = \"lab\"\n");
    lab.write("daily.toml", config);
    day(&lab, 2).ends(0);
    // The signed report of the day is checked by OpenSSH itself.
    let verified = "ssh-keygen -Y verify -f signers -I lab@example.org -n deckproof-manifest -s days/2026-11-02/report.json.sig < days/2026-11-02/report.json";
    lab.shell(verified).ends(0);
    sign("other");
    export(&lab, 3, 2_001..=3_000);
    let output = day(&lab, 3).ends(1);
    let finding =
        output.line("code identity: the list is not signed by lab@example.org: the signature is good");
    // The key is another one each time.
    let finding = finding.split(": the signature").next().expect("a part");
    row("list of files signed by another", 1, output.out.lines().next().expect("a line"), finding);
}

/// The certificate of a day that was told is gone: a disk explains it as well as a hand.
#[test]
fn a_lost_certificate_is_no_result_and_accuses_nobody() {
    let lost = |lab: &Lab| fs::remove_file(lab.path("days/2026-11-01/certificate.json")).expect("removed");
    let found = "chain: row 1: 2026-11-01/certificate.json: the certificate of 2026-11-01 is gone";
    let subject = "COULD NOT SAY, the record of earlier days is damaged or was changed";
    check("lost certificate", lost, 2, subject, found);
}
