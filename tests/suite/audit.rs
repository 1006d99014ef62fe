//! `deckproof audit` as a hostile user meets it: questions, keys, outputs, exit codes.

use crate::common::lab;

use crate::common::lab::{KEY, Lab, card_line, check_says_nothing, deck, index_line, lines_with, words};
use serde_json::{Value, json};
use std::io::Read;

#[test]
fn a_pass_writes_certificate_and_report_and_prints_one_object() {
    let lab = Lab::new();
    let line = format!("audit --source audit:{KEY} --without recovered-generator --decks 2e3 --json --out a");
    let output = lab.run(&words(&line)).ends(0);
    let outcome = output.json();
    assert_eq!(output.out.lines().count(), 1);
    assert_eq!((&outcome["verdict"], &outcome["decks"]), (&Value::from("pass"), &Value::from(2000)));
    for field in ["id", "family", "score", "p_value", "tail"] {
        assert!(!outcome["statistics"][0][field].is_null(), "{field}");
    }
    assert_eq!(output.err, "", "no progress bar where there is no terminal");
    assert!(lab.read("a/report.html").starts_with(b"<!"));
    lab.run(&["verify", "a/report.html"])
        .ends(2)
        .must_warn("this is the page of a report")
        .must_warn("certificate.json");
    let certificate = lab.certificate("a");
    assert_eq!(certificate["result"]["source"]["key"], KEY);
    assert_eq!(certificate["tool"]["executable_sha256"].as_str().map(str::len), Some(64));
    lab.run(&["verify", "a/certificate.json"]).ends(0);
}

#[test]
fn a_fresh_key_is_recorded_and_the_folder_is_named_by_the_hash() {
    let lab = Lab::new();
    let output = lab.run(&["audit", "--decks", "1000", "--tiers", "core", "--json"]).ends_in(&[0, 1]);
    let outcome = output.json();
    let path = outcome["certificate"].as_str().expect("a path").to_owned();
    let hash = lab::sha256(&lab.read(&path));
    assert_eq!(path, format!("audit-{}/certificate.json", &hash[..16]));
    let certificate = lab.json(&path);
    let key = certificate["result"]["source"]["key"].as_str().expect("a key").to_owned();
    // The recorded key gives the same bytes again, in the same default folder.
    let line = format!("audit --source audit:{key} --decks 1000 --tiers core --json");
    let again = lab.run(&words(&line));
    assert_eq!(again.out, output.out);
    assert_eq!(lab.files().len(), 1, "{:?}", lab.files());
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let lab = Lab::new();
    lab.write("decks.csv", lines_with(70_000, 0, ""));
    for (name, source) in [("audit", &*format!("audit:{KEY}")), ("csv", "csv:decks.csv")] {
        let bytes = ["1", "3"].map(|threads| {
            let out = format!("{name}-{threads}");
            let audit =
                ["audit", "--source", source, "--decks", "70000", "--threads", threads, "--out", &out];
            lab.run(&[&audit[..], &["--statistics", lab::ONE_OF_EACH_SCOPE]].concat());
            lab.read(&format!("{out}/certificate.json"))
        });
        assert!(bytes[0] == bytes[1], "{name}");
    }
}

#[test]
fn a_program_that_never_ends_is_closed_after_its_decks() {
    let lab = Lab::new();
    lab.write("forever.sh", "while :; do cat decks; done\n");
    lab.write("decks", lines_with(1500, 0, ""));
    lab.run(&["audit", "--source", "cmd:sh forever.sh", "--decks", "1400", "--tiers", "core", "--out", "a"])
        .ends_in(&[0, 1]);
    assert_eq!(lab.certificate("a")["result"]["first"]["decks"], 1400);
}

#[test]
fn chain_needs_its_table_and_records_its_start() {
    let lab = Lab::new();
    let source = format!("chain:{KEY}");
    let output = lab.run(&["audit", "--source", &source, "--decks", "1000", "--not-for-production"]);
    check_says_nothing(&lab, &output, "--origin and --chain-table", "");
    let place = words(
        "--tiers core --not-for-production --origin casino.example/log --chain-table T-1 --first-hand 5",
    );
    let output = lab
        .run(&[&["audit", "--source", &source, "--decks", "1000", "--out", "a"], &place[..]].concat())
        .ends_in(&[0, 1]);
    let source = &lab.certificate("a")["result"]["source"];
    assert_eq!((&source["table"], &source["first_hand"]), (&Value::from("T-1"), &Value::from(5)));
    let again = lab.run(&["verify", "--rerun", "a/certificate.json"]);
    assert_eq!(again.code, output.code, "{again}");
}

#[test]
fn operating_system_keys_cannot_be_had_again() {
    let lab = Lab::new();
    for more in [["--checkpoint", "c"], ["--shard", "1/2"]] {
        let output =
            lab.run(&[&["audit", "--source", "os", "--decks", "1000", "--out", "a"], &more[..]].concat());
        check_says_nothing(&lab, &output, "operating-system keys", "a");
    }
    let output = lab.run(&["audit", "--source", "os", "--decks", "1000", "--tiers", "core", "--out", "a"]);
    let again = lab.run(&["verify", "a/certificate.json"]);
    assert_eq!(again.code, output.code, "{again}");
    lab.run(&["verify", "--rerun", "a/certificate.json"]).refused();
}

#[test]
fn what_cannot_be_asked_is_refused_with_advice() {
    let lab = Lab::new();
    lab.write("decks", lines_with(9, 0, ""));
    for (arguments, named) in [
        (&["--threads", "0"][..], "--threads"),
        (&["--shard", "0/3"], "from 1 to n"),
        (&["--shard", "4/3"], "from 1 to n"),
        (&["--decks", "1.5"], "2.5e9"),
        (&["--decks", "0"], "2^53"),
        (&["--decks", "-1"], "-1"),
        (&["--decks", "1e30"], "2^53"),
        (&["--source", "flawed:sattolow"], "sattolo"),
        (&["--source", "flawed:sattolo:x"], "seed"),
        (&["--source", "csv:decks", "--format", "raw"], "raw:FILE"),
        (&["--source", "raw:decks", "--format", "cards"], "csv:FILE"),
        (&["--source", "csv:decks", "--format", "json"], "cards"),
        (&["--source", "csv:decks", "--numbering", "rank"], "suit-rank"),
        (&["--source", "nothing"], "csv:FILE"),
        (&["--source", ""], "csv:FILE"),
        (&["--shard", "1/3"], "audit:KEY"),
        (&["--source", "-", "--shard", "1/3"], "stream"),
        (&["--source", "cmd:cat decks", "--shard", "1/3"], "stream"),
        (&["--tiers", "fast"], "core"),
        (&["--source", "os", "--format", "raw"], "--format"),
        (&["--source", "flawed:sattolo", "--numbering", "suit-rank"], "--numbering"),
        (&["--source", "csv:decks", "--origin", "a"], "chain:KEY"),
        (&["--chain-table", "T-1"], "chain:KEY"),
    ] {
        let output = lab.run(&[&["audit", "--out", "a"], arguments].concat());
        check_says_nothing(&lab, &output, named, "a");
    }
}

#[test]
fn keys_are_never_repeated() {
    let lab = Lab::new();
    lab.write("short.key", &KEY[..60]);
    lab.write("good.key", format!("{KEY}\n"));
    let secret = "00112233445566778899aabbccddeeff";
    for source in [
        format!("audit:{}", &KEY[1..]),
        format!("audit:{}x", &KEY[1..]),
        format!("chain:{KEY}0"),
        format!("audti:{KEY}"),
        format!("Audit:{KEY}"),
        KEY.to_owned(),
        format!("{KEY}:audit"),
        "audit:@short.key".to_owned(),
        "audit:@missing.key".to_owned(),
        "audit:".to_owned(),
    ] {
        let output = lab.run(&["audit", "--source", &source, "--decks", "1000", "--out", "a"]);
        check_says_nothing(&lab, &output, "", "a");
        assert!(!output.warns(secret) && !output.warns(&KEY[1..20]), "{source}: {output}");
    }
    let same = ["audit:@good.key", "audit:-", &format!("audit:{}", KEY.to_uppercase())].map(|source| {
        let output = lab.run_with(
            &["audit", "--source", source, "--decks", "1000", "--tiers", "core", "--out", "b"],
            KEY.as_bytes(),
        );
        assert!([0, 1].contains(&output.code), "{source}: {output}");
        lab.read("b/certificate.json")
    });
    assert!(same[0] == same[1] && same[1] == same[2]);
}

#[test]
fn another_certificate_is_never_overwritten() {
    let lab = Lab::new();
    let ask = |key: &str, decks: &str| {
        lab.run(&words(&format!("audit --source audit:{key} --decks {decks} --tiers core --out a")))
    };
    ask(KEY, "2000").ends(0);
    let before = lab.read("a/certificate.json");
    // Refused before counting: a trillion decks would take days.
    ask(&KEY.replace('0', "1"), "1e12").refused().must_warn("not overwritten");
    assert_eq!(ask(KEY, "2000").code, 0, "the same question is welcome");
    assert_eq!(lab.read("a/certificate.json"), before);
    // A stream is known only when it has been read; its plan is that of another stream.
    for (key, code) in [(1, 0), (1000, 2)] {
        let stream: String = (key..key + 1100).map(|n| index_line(&deck(n))).collect();
        lab.run_with(&["audit", "--source", "-", "--tiers", "core", "--out", "s"], stream.as_bytes())
            .ends(code);
    }
    lab.write("b", "a file in the place of the folder");
    lab.run(&["audit", "--decks", "1e12", "--out", "b"]).refused();
}

#[test]
fn a_full_disk_leaves_no_certificate() {
    let lab = Lab::new();
    let audit =
        format!("{} audit --source audit:{KEY} --decks 1000 --tiers core --out a", lab::binary().display());
    // 8 blocks of 512 or 1,024 bytes: neither report nor certificate fits.
    let output = lab.shell(&format!("ulimit -f 8; trap '' XFSZ; {audit}"));
    check_says_nothing(&lab, &output, "cannot be written", "a");
}

#[test]
fn standard_output_that_is_full_is_told_and_a_reader_that_is_gone_is_not() {
    let lab = Lab::new();
    let line = |out: &str| format!("audit --source audit:{KEY} --decks 1000 --tiers core --out {out}");
    let audit = |out: &str| format!("{} {}", lab::binary().display(), line(out));
    let full = lab.shell(&format!("{} > /dev/full", audit("a"))).ends(2);
    full.must_warn("standard output").must_warn("a/certificate.json");
    assert_eq!(lab.run(&["verify", "a/certificate.json"]).code, 0, "the certificate is whole");
    let mut child = lab.command(&words(&line("b"))).spawn().expect("it runs");
    drop(child.stdout.take());
    let mut told = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut told).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "the audit passed: {told}");
    assert!(!told.contains("standard output") && !told.contains("panicked"), "{told}");
    assert_eq!(lab.run(&["verify", "b/certificate.json"]).code, 0, "the certificate is whole");
    // A command that prints as it reads stops at once and says nothing; one that refuses still says so by its code.
    let ranks = lab.shell(&format!("yes 'As Ks Qs Js Ts' | {} rank | head -n 1", lab::binary().display()));
    assert_eq!((ranks.out.lines().count(), ranks.err.as_str()), (1, ""), "{ranks}");
    let bad = lab.shell(&format!("sed s/pass/fail/ a/certificate.json > d.json; (sleep 1; exec {} verify d.json; ) | true; echo ${{PIPESTATUS[0]}}", lab::binary().display()));
    assert_eq!((bad.out.trim(), bad.err.as_str()), ("1", ""), "a refusal without a reader");
    lab.shell(&format!("{} > /dev/full 2> /dev/full", audit("c"))).ends(2);
}

#[test]
fn flawed_dealers_are_caught_and_their_certificates_hold() {
    let lab = Lab::new();
    for (name, code) in [("certified", 0), ("stuck", 1), ("sattolo", 1), ("joker", 1), ("naive-swap:3", 1)] {
        let line = format!("audit --tiers core --source flawed:{name} --decks 3000 --out {name}");
        assert_eq!(lab.run(&words(&line)).code, code, "{name}");
        let again = lab.run(&["verify", "--rerun", &format!("{name}/certificate.json")]);
        assert!(again.code == code && again.prints("is consistent"), "{name}: {again}");
    }
}

#[test]
fn tiers_in_any_order_are_one_question() {
    let lab = Lab::new();
    let bytes = ["core,deep", "deep,core", "core,deep,core"].map(|tiers| {
        let source = format!("audit:{KEY}");
        let audit = ["audit", "--source", &source, "--decks", "1000", "--tiers", tiers, "--out", tiers];
        let output = lab.run(&[&audit[..], &["--without", "recovered-generator"]].concat()).ends_in(&[0, 1]);
        let path = format!("{tiers}/certificate.json");
        assert_eq!(lab.run(&["verify", &path]).code, output.code);
        lab.read(&path)
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

#[test]
fn too_few_decks_are_inconclusive() {
    let lab = Lab::new();
    let line = format!("audit --source audit:{KEY} --decks 10 --tiers core --json --out a");
    assert_eq!(lab.run(&words(&line)).ends(2).json()["verdict"], "inconclusive");
    lab.run(&["verify", "a/certificate.json"]).ends(2);
}

#[test]
fn tables_of_two_audits_are_never_mixed_and_folders_are_tried_before_the_run() {
    let lab = Lab::new();
    let source = format!("audit:{KEY}");
    let audit = |csv: &str| {
        let short = ["audit", "--source", &source, "--decks", "1000", "--tiers", "core", "--out", "a"];
        lab.run(&[&short[..], &["--csv", csv]].concat())
    };
    lab.write("file", "");
    check_says_nothing(&lab, &audit("file/sheets"), "cannot be written", "a");
    check_says_nothing(&lab, &audit("."), "not empty", "a");
    // Nobody waits for 10^12 decks to hear it.
    let long = ["audit", "--source", &source, "--decks", "1e12", "--out", "file/a"];
    check_says_nothing(&lab, &lab.run(&long), "file/a", "");
    audit("sheets").ends(0);
    audit("sheets").ends(2).must_warn("not empty");
}

#[test]
fn a_key_in_the_wrong_place_is_not_repeated() {
    let lab = Lab::new();
    for arguments in [vec!["deck", KEY], vec!["audit", "--decks", KEY], vec!["deck", "--index", KEY]] {
        lab.run(&arguments).ends(2).must_not_warn(&KEY[..12]).must_warn("not repeated");
    }
}

/// Whose decks they are and by which plan, however long that is and however much decided.
#[test]
fn the_screen_of_a_fail_names_the_plan_as_that_of_a_pass_does() {
    let lab = Lab::new();
    let biased = |n: u64| {
        let mut numbers = deck(n);
        let ace = numbers.iter().position(|&card| card == 51).expect("it is there");
        numbers.swap(0, if n.is_multiple_of(2) { ace } else { 0 });
        format!("{n},{}", card_line(&numbers))
    };
    let rows: String = (1..=2_000).map(biased).collect();
    lab.write("export-of-the-room-number-seven.csv", format!("hand,deck\n{rows}"));
    let subject = ["device=Shuffler 7", "serial number=0042", "taken by=A. Smith", "taken on=2026-11-22"];
    let subject = subject.into_iter().flat_map(|line| ["--subject", line]);
    let asked = ["audit", "--source", "export-of-the-room-number-seven.csv", "--tiers", "core", "--out", "a"];
    let asked: Vec<&str> =
        asked.into_iter().chain(["--deck-column", "deck", "--customer", "Room 7"]).chain(subject).collect();
    let output = lab.run(&asked).ends(1);
    let plan = lab.certificate("a")["result"]["plan_sha256"].as_str().expect("a hash").to_owned();
    output.must_print(&plan).must_print("Decks      2,000");
    assert!(output.out.lines().count() <= 26, "{output}");
}

/// Of this pass one standard is not met, and whoever judges the certificate is told which, as its own integers have it.
#[test]
fn verify_names_the_standards_that_a_pass_does_not_meet() {
    let lab = Lab::new();
    let audit = ["audit", "--seed", "table 4", "--tiers", "core", "--decks", "1000", "--out", "a"];
    lab.run(&audit).ends(0).must_print("1 standard not met.");
    let certificate = lab.certificate("a");
    let missed: Vec<String> = certificate["result"]["first"]["standards"]
        .as_array()
        .expect("standards")
        .iter()
        .filter(|standard| standard["verdict"] == "not-met")
        .map(|one| format!("{} ({} %)", one["name"].as_str().expect("a name"), one["confidence_percent"]))
        .collect();
    assert_eq!(missed, ["Pennsylvania (95 %)"]);
    let named = "Standards whose tests are not met, each at its own level: Pennsylvania (95 %).";
    for more in [&[][..], &["--quiet"]] {
        lab.run(&[&["verify", "a/certificate.json"], more].concat()).ends(0).must_print(named);
    }
    let output = lab.run(&["verify", "a/certificate.json", "--json"]).ends(0);
    assert_eq!(output.json()["standards_not_met"], json!(["Pennsylvania (95 %)"]));
    lab.run(&["audit", "--seed", "table 5", "--tiers", "core", "--decks", "1000", "--out", "b"]).ends(0);
    lab.run(&["verify", "b/certificate.json"]).ends(0).must_not_print("Standards whose");
}
