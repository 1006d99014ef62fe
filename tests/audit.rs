//! `deckproof audit` as a hostile user meets it: sources, formats, outputs, exit codes.

#[path = "audit/lab.rs"]
mod lab;

use std::fs;
use std::io::Read;
use std::process::Stdio;

use lab::{KEY, Lab, card_line, deck, index_line};
use serde_json::Value;

/// Decks, one a line, of which number `bad` (from 1) is replaced.
fn lines_with(decks: u64, bad: u64, replaced: &str) -> String {
    (1..=decks).map(|n| if n == bad { format!("{replaced}\n") } else { index_line(&deck(n)) }).collect()
}

fn repeated(n: u64) -> Vec<u8> {
    let mut numbers = deck(n).to_vec();
    numbers[7] = numbers[3];
    numbers
}

fn short(n: u64) -> Vec<u8> {
    deck(n)[..51].to_vec()
}

fn joker(n: u64) -> Vec<u8> {
    let mut numbers = deck(n).to_vec();
    numbers[51] = 52;
    numbers
}

fn text(numbers: &[u8]) -> String {
    index_line(numbers).trim_end().to_owned()
}

#[test]
fn a_pass_writes_certificate_and_report_and_prints_one_object() {
    let lab = Lab::new();
    let said =
        lab.run(&["audit", "--source", &format!("audit:{KEY}"), "--decks", "2e3", "--json", "--out", "a"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let outcome: Value = serde_json::from_str(&said.out).expect("one JSON object and nothing else");
    assert_eq!(said.out.lines().count(), 1);
    assert_eq!((&outcome["verdict"], &outcome["decks"]), (&Value::from("pass"), &Value::from(2000)));
    for field in ["id", "family", "score", "p_value", "tail"] {
        assert!(!outcome["statistics"][0][field].is_null(), "{field}");
    }
    assert_eq!(said.err, "", "no progress bar where there is no terminal");
    assert!(lab.read("a/report.html").starts_with(b"<!"));
    let certificate = lab.certificate("a");
    assert_eq!(certificate["result"]["source"]["key"], KEY);
    assert_eq!(certificate["tool"]["executable_sha256"].as_str().map(str::len), Some(64));
    assert_eq!(lab.run(&["verify", "a/certificate.json"]).code, 0);
}

#[test]
fn a_fresh_key_is_recorded_and_the_folder_is_named_by_the_hash() {
    let lab = Lab::new();
    let said = lab.run(&["audit", "--decks", "1000", "--json"]);
    assert!([0, 1].contains(&said.code), "{}", said.err);
    let outcome: Value = serde_json::from_str(&said.out).expect("JSON");
    let path = outcome["certificate"].as_str().expect("a path").to_owned();
    let hash = lab::sha256(&lab.read(&path));
    assert_eq!(path, format!("audit-{}/certificate.json", &hash[..16]));
    let certificate: Value = serde_json::from_slice(&lab.read(&path)).expect("JSON");
    let key = certificate["result"]["source"]["key"].as_str().expect("a key").to_owned();
    // The recorded key gives the same bytes again, in the same default folder.
    let again = lab.run(&["audit", "--source", &format!("audit:{key}"), "--decks", "1000", "--json"]);
    assert_eq!(again.out, said.out);
    assert_eq!(lab.files().len(), 1, "{:?}", lab.files());
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let lab = Lab::new();
    lab.write("decks.csv", lines_with(70_000, 0, ""));
    for (name, source) in [("audit", format!("audit:{KEY}")), ("csv", "csv:decks.csv".to_owned())] {
        let bytes = ["1", "2", "3"].map(|threads| {
            let out = format!("{name}-{threads}");
            lab.run(&["audit", "--source", &source, "--decks", "70000", "--threads", threads, "--out", &out]);
            lab.read(&format!("{out}/certificate.json"))
        });
        assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2], "{name}");
    }
}

#[test]
fn every_way_of_writing_the_same_decks_gives_the_same_tallies() {
    let lab = Lab::new();
    let decks: Vec<[u8; 52]> = (1..=1500).map(deck).collect();
    let join = |line: fn(&[u8]) -> String| decks.iter().map(|deck| line(deck)).collect::<String>();
    let suit_rank = |deck: &[u8]| -> Vec<u8> { deck.iter().map(|card| card % 4 * 13 + card / 4).collect() };
    lab.write("blank", join(index_line));
    lab.write("comma", join(index_line).replace(' ', ","));
    lab.write("crlf", join(index_line).replace('\n', "\r\n"));
    lab.write("cards", join(card_line));
    lab.write("cards-comma", join(card_line).replace(' ', ", "));
    lab.write("ten", join(card_line).replace('T', "10"));
    lab.write("raw", decks.concat());
    lab.write("suit", decks.iter().map(|deck| index_line(&suit_rank(deck))).collect::<String>());
    lab.write("raw-suit", decks.iter().flat_map(|deck| suit_rank(deck)).collect::<Vec<u8>>());
    let tallies = |name: &str, arguments: &[&str], stdin: &[u8]| {
        let out = format!("{name}.out");
        let said = lab.run_with(&[&["audit", "--out", &out], arguments].concat(), stdin);
        assert!([0, 1].contains(&said.code), "{name}: {}", said.err);
        let result = &lab.certificate(&out)["result"];
        assert_eq!(result["first"]["decks"], 1500, "{name}");
        assert!(!result.to_string().contains(&lab.path("")), "{name}: a path in the certificate");
        (result["first"]["tallies"].clone(), result["first"]["duplicates"].clone())
    };
    let expected = tallies("blank", &["--source", "csv:blank"], b"");
    for name in ["comma", "crlf", "cards", "cards-comma", "ten"] {
        assert_eq!(tallies(name, &["--source", &format!("csv:{}", lab.path(name))], b""), expected, "{name}");
    }
    let stdin = lab.read("blank");
    let raw = lab.read("raw");
    let suit = ["--numbering", "suit-rank"];
    assert_eq!(tallies("raw", &["--source", "raw:raw"], b""), expected);
    assert_eq!(tallies("suit", &[&["--source", "csv:suit"], &suit[..]].concat(), b""), expected);
    assert_eq!(tallies("raw-suit", &[&["--source", "raw:raw-suit"], &suit[..]].concat(), b""), expected);
    assert_eq!(tallies("stdin", &["--source", "-"], &stdin), expected);
    assert_eq!(tallies("stdin-indices", &["--source", "-", "--format", "indices"], &stdin), expected);
    assert_eq!(tallies("stdin-raw", &["--source", "-", "--format", "raw"], &raw), expected);
    let command = format!("cmd:cat {}", lab.path("cards"));
    assert_eq!(tallies("cmd", &["--source", &command, "--decks", "1500"], b""), expected);
    // The wrong numbering of the same bytes is another question with another answer.
    assert_ne!(tallies("wrong", &[&["--source", "csv:blank"], &suit[..]].concat(), b""), expected);
}

#[test]
fn the_reader_says_what_it_took_the_file_for_and_quiet_does_not() {
    let lab = Lab::new();
    lab.write("decks.csv", lines_with(1100, 0, "").replace(' ', ","));
    let said = lab.run(&["audit", "--source", "csv:decks.csv"]);
    assert!(said.err.contains("read as indices") && said.err.contains("commas"), "{}", said.err);
    assert_eq!(lab.run(&["audit", "--source", "csv:decks.csv", "--quiet"]).err, "");
}

#[test]
fn exactly_the_decks_asked_for_are_judged_and_fewer_is_an_error() {
    let lab = Lab::new();
    let stream = lines_with(1200, 0, "");
    lab.write("decks", &stream);
    for source in ["csv:decks".to_owned(), "-".to_owned(), format!("cmd:cat {}", lab.path("decks"))] {
        let ask = |decks: &str, out: &str| {
            lab.run_with(&["audit", "--source", &source, "--decks", decks, "--out", out], stream.as_bytes())
        };
        let said = ask("1000", "enough");
        assert!([0, 1].contains(&said.code), "{source}: {}", said.err);
        assert_eq!(lab.certificate("enough")["result"]["first"]["decks"], 1000, "{source}");
        lab.remove("enough");
        check_says_nothing(&lab, &ask("1201", "few"), "1200", "few");
    }
}

#[test]
fn a_program_that_never_ends_is_closed_after_its_decks() {
    let lab = Lab::new();
    lab.write("forever.sh", "while :; do cat decks; done\n");
    lab.write("decks", lines_with(1500, 0, ""));
    let said = lab.run(&["audit", "--source", "cmd:sh forever.sh", "--decks", "1400", "--out", "a"]);
    assert!([0, 1].contains(&said.code), "{}", said.err);
    assert_eq!(lab.certificate("a")["result"]["first"]["decks"], 1400);
}

#[test]
fn chain_needs_its_table_and_records_its_start() {
    let lab = Lab::new();
    let source = format!("chain:{KEY}");
    let said = lab.run(&["audit", "--source", &source, "--decks", "1000"]);
    check_says_nothing(&lab, &said, "--origin and --table", "");
    let place = ["--origin", "casino.example/log", "--table", "T-1", "--first-hand", "5"];
    let said =
        lab.run(&[&["audit", "--source", &source, "--decks", "1000", "--out", "a"], &place[..]].concat());
    assert!([0, 1].contains(&said.code), "{}", said.err);
    let source = &lab.certificate("a")["result"]["source"];
    assert_eq!((&source["table"], &source["first_hand"]), (&Value::from("T-1"), &Value::from(5)));
    let again = lab.run(&["verify", "--rerun", "a/certificate.json"]);
    assert_eq!(again.code, said.code, "{}{}", again.out, again.err);
}

#[test]
fn operating_system_keys_cannot_be_had_again() {
    let lab = Lab::new();
    for more in [["--checkpoint", "c"], ["--shard", "1/2"]] {
        let said =
            lab.run(&[&["audit", "--source", "os", "--decks", "1000", "--out", "a"], &more[..]].concat());
        check_says_nothing(&lab, &said, "operating-system keys", "a");
    }
    let said = lab.run(&["audit", "--source", "os", "--decks", "1000", "--out", "a"]);
    let again = lab.run(&["verify", "a/certificate.json"]);
    assert_eq!(again.code, said.code, "{}", again.out);
    let rerun = lab.run(&["verify", "--rerun", "a/certificate.json"]);
    assert_eq!((rerun.code, rerun.out.as_str()), (2, ""));
}

/// A run that could not say: exit 2, nothing on standard output, no certificate.
fn check_says_nothing(lab: &Lab, said: &lab::Said, named: &str, out: &str) {
    assert_eq!(said.code, 2, "{}{}", said.out, said.err);
    assert_eq!(said.out, "", "{}", said.err);
    assert!(said.err.contains(named), "{named:?} is not in {:?}", said.err);
    assert!(!said.err.contains("panicked"), "{}", said.err);
    assert!(!lab.files().iter().any(|file| file.ends_with("certificate.json")), "{:?}", lab.files());
    if !out.is_empty() {
        assert!(!lab.exists(out), "{out} is left behind");
    }
}

#[test]
fn a_later_record_that_is_no_deck_is_proof_and_a_first_one_is_not() {
    for (broken, named) in [
        (repeated as fn(u64) -> Vec<u8>, "stands at place 3 and again at place 7"),
        (short, "found 51 cards"),
        (joker, "place 51 holds 52"),
    ] {
        let lab = Lab::new();
        let later = lines_with(9, 5, &text(&broken(5)));
        let first = lines_with(9, 1, &text(&broken(1)));
        lab.write("later", &later);
        lab.write("first", &first);
        let command = |name: &str| format!("cmd:cat {}", lab.path(name));
        let mut results = Vec::new();
        for (kind, source) in
            [("csv", "csv:later".to_owned()), ("stdin", "-".to_owned()), ("cmd", command("later"))]
        {
            let arguments = ["audit", "--source", &source, "--json", "--decks", "9", "--out", kind];
            let said = lab.run_with(&arguments, later.as_bytes());
            assert_eq!(said.code, 1, "{kind}: {}{}", said.out, said.err);
            let outcome: Value = serde_json::from_str(&said.out).expect("JSON");
            assert_eq!(outcome["verdict"], "fail");
            let proof = outcome["proofs"][0].as_str().expect("a proof");
            assert!(proof.contains("ecord 5") && proof.contains(named), "{proof}");
            let verified = lab.run(&["verify", &format!("{kind}/certificate.json")]);
            assert_eq!(verified.code, 1, "{}{}", verified.out, verified.err);
            assert!(
                verified.out.contains("is consistent") && verified.out.contains("FAIL"),
                "{}",
                verified.out
            );
            results.push(lab.certificate(kind)["result"]["first"]["proofs"].clone());
        }
        // The proof is of the records, not of where they are kept.
        assert!(results.iter().all(|proofs| proofs == &results[0]), "{results:?}");
        for kind in ["csv", "stdin", "cmd"] {
            lab.remove(kind);
        }
        for source in ["csv:first".to_owned(), "-".to_owned(), command("first")] {
            let arguments = ["audit", "--source", &source, "--decks", "9", "--out", "a"];
            check_says_nothing(&lab, &lab.run_with(&arguments, first.as_bytes()), "format", "a");
        }
    }
}

#[test]
fn a_bad_record_is_proof_again_when_it_is_read_again() {
    let lab = Lab::new();
    lab.write("one.csv", lines_with(9, 5, &text(&repeated(5))));
    fs::copy(lab.path("one.csv"), lab.path("two.csv")).expect("copied");
    assert_eq!(lab.run(&["audit", "--source", "csv:one.csv", "--out", "a"]).code, 1);
    let rerun = ["verify", "--rerun", "--source", "csv:two.csv", "a/certificate.json"];
    let said = lab.run(&rerun);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("is consistent"), "{}{}", said.out, said.err);
}

#[test]
fn the_first_bad_record_is_named_on_any_number_of_threads() {
    let lab = Lab::new();
    let mut lines: Vec<String> = (1..=140_000).map(|n| index_line(&deck(n))).collect();
    for bad in [66_001, 130_001] {
        lines[bad - 1] = index_line(&joker(bad as u64));
    }
    lab.write("decks", lines.concat());
    let proofs = ["1", "2", "3"].map(|threads| {
        let said =
            lab.run(&["audit", "--source", "csv:decks", "--threads", threads, "--json", "--out", threads]);
        assert_eq!(said.code, 1, "{}", said.err);
        lab.read(&format!("{threads}/certificate.json"))
    });
    assert!(proofs[0] == proofs[1] && proofs[1] == proofs[2]);
    assert_eq!(lab.certificate("1")["result"]["first"]["decks"], 66_000);
}

#[test]
fn broken_input_says_nothing_about_the_shuffler() {
    let lab = Lab::new();
    let whole = lines_with(9, 0, "");
    lab.write("torn", &whole[..whole.len() - 9]);
    lab.write("torn.raw", &[deck(1), deck(2)].concat()[..100]);
    lab.write("empty", "");
    lab.write("words", "what is this\n");
    lab.write("half.sh", "cat whole; exit 3\n");
    lab.write("whole", &whole);
    fs::create_dir(lab.path("folder")).expect("made");
    for (source, named) in [
        ("csv:torn", "record 9"),
        ("raw:torn.raw", "record 2"),
        ("csv:empty", "empty"),
        ("raw:empty", "empty"),
        ("csv:missing", "missing"),
        ("csv:folder", "folder"),
        ("raw:folder", "folder"),
        ("csv:words", "record 1"),
        ("cmd:sh half.sh", "9 complete decks"),
        ("cmd:false", "0 complete decks"),
        ("cmd:true", "0 complete decks"),
        ("cmd:", "no word"),
        ("cmd:no-such-program-here", "no-such-program-here"),
        ("cmd:'unclosed", "unclosed"),
    ] {
        let mut arguments = vec!["audit", "--source", source, "--out", "a", "--json"];
        if source.starts_with("cmd") {
            arguments.extend(["--decks", "20"]);
        }
        let said = lab.run(&arguments);
        check_says_nothing(&lab, &said, "", "a");
        assert!(
            said.err.to_lowercase().contains(named) || named == "empty" && said.err.contains("no "),
            "{source}: {}",
            said.err
        );
    }
    check_says_nothing(&lab, &lab.run_with(&["audit", "--source", "-"], b""), "standard input", "");
    let torn = lab.read("torn");
    check_says_nothing(&lab, &lab.run_with(&["audit", "--source", "-"], &torn), "record 9", "");
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
        (&["--table", "T-1"], "chain:KEY"),
    ] {
        let said = lab.run(&[&["audit", "--out", "a"], arguments].concat());
        check_says_nothing(&lab, &said, named, "a");
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
        let said = lab.run(&["audit", "--source", &source, "--decks", "1000", "--out", "a"]);
        check_says_nothing(&lab, &said, "", "a");
        assert!(!said.err.contains(secret) && !said.err.contains(&KEY[1..20]), "{source}: {}", said.err);
    }
    let same = ["audit:@good.key", "audit:-", &format!("audit:{}", KEY.to_uppercase())].map(|source| {
        let said =
            lab.run_with(&["audit", "--source", source, "--decks", "1000", "--out", "b"], KEY.as_bytes());
        assert!([0, 1].contains(&said.code), "{source}: {}", said.err);
        lab.read("b/certificate.json")
    });
    assert!(same[0] == same[1] && same[1] == same[2]);
}

#[test]
fn another_certificate_is_never_overwritten() {
    let lab = Lab::new();
    let ask = |key: &str, decks: &str| {
        lab.run(&["audit", "--source", &format!("audit:{key}"), "--decks", decks, "--out", "a"])
    };
    assert_eq!(ask(KEY, "2000").code, 0);
    let before = lab.read("a/certificate.json");
    // Refused before counting: a trillion decks would take days.
    let other = ask(&KEY.replace('0', "1"), "1e12");
    assert_eq!((other.code, other.out.as_str()), (2, ""));
    assert!(other.err.contains("not overwritten"), "{}", other.err);
    assert_eq!(ask(KEY, "2000").code, 0, "the same question is welcome");
    assert_eq!(lab.read("a/certificate.json"), before);
    // A stream is known only when it has been read; its plan is that of another stream.
    for (key, code) in [(1, 0), (1000, 2)] {
        let stream: String = (key..key + 1100).map(|n| index_line(&deck(n))).collect();
        let said = lab.run_with(&["audit", "--source", "-", "--out", "s"], stream.as_bytes());
        assert_eq!(said.code, code, "{}", said.err);
    }
    lab.write("b", "a file in the place of the folder");
    let said = lab.run(&["audit", "--decks", "1e12", "--out", "b"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
}

#[test]
fn a_full_disk_leaves_no_certificate() {
    let lab = Lab::new();
    let audit = format!("{} audit --source audit:{KEY} --decks 1000 --out a", lab::binary().display());
    // 8 blocks of 512 or 1,024 bytes: neither report nor certificate fits.
    let said = lab.shell(&format!("ulimit -f 8; trap '' XFSZ; {audit}"));
    check_says_nothing(&lab, &said, "cannot be written", "a");
}

#[test]
fn standard_output_that_is_full_or_gone_is_told() {
    let lab = Lab::new();
    let audit = |out: &str| {
        format!("{} audit --source audit:{KEY} --decks 1000 --out {out}", lab::binary().display())
    };
    let full = lab.shell(&format!("{} > /dev/full", audit("a")));
    assert_eq!(full.code, 2, "{}", full.err);
    assert!(full.err.contains("standard output") && full.err.contains("a/certificate.json"), "{}", full.err);
    assert_eq!(lab.run(&["verify", "a/certificate.json"]).code, 0, "the certificate is whole");
    let mut child = std::process::Command::new(lab::binary())
        .args(["audit", "--source", &format!("audit:{KEY}"), "--decks", "1000", "--out", "b"])
        .current_dir(lab.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let mut told = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut told).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(2), "{told}");
    assert!(!told.contains("panicked"), "{told}");
    let both = lab.shell(&format!("{} > /dev/full 2> /dev/full", audit("c")));
    assert_eq!(both.code, 2);
}

#[test]
fn flawed_dealers_are_caught_and_their_certificates_hold() {
    let lab = Lab::new();
    for (name, code) in [("certified", 0), ("stuck", 1), ("sattolo", 1), ("joker", 1), ("naive-swap:3", 1)] {
        let decks = if name == "naive-swap:3" { "20000" } else { "3000" };
        let source = format!("flawed:{name}");
        let said = lab.run(&["audit", "--source", &source, "--decks", decks, "--out", name]);
        assert_eq!(said.code, code, "{name}: {}{}", said.out, said.err);
        let path = format!("{name}/certificate.json");
        let again = lab.run(&["verify", "--rerun", &path]);
        assert_eq!(again.code, code, "{name}: {}{}", again.out, again.err);
        assert!(again.out.contains("is consistent"), "{name}: {}", again.out);
    }
}

#[test]
fn tiers_in_any_order_are_one_question() {
    let lab = Lab::new();
    let bytes = ["core,deep", "deep,core", "core,deep,core"].map(|tiers| {
        let source = format!("audit:{KEY}");
        let said =
            lab.run(&["audit", "--source", &source, "--decks", "1000", "--tiers", tiers, "--out", tiers]);
        assert!([0, 1].contains(&said.code), "{}", said.err);
        let path = format!("{tiers}/certificate.json");
        assert_eq!(lab.run(&["verify", &path]).code, said.code);
        lab.read(&path)
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

#[test]
fn too_few_decks_are_inconclusive() {
    let lab = Lab::new();
    let said =
        lab.run(&["audit", "--source", &format!("audit:{KEY}"), "--decks", "10", "--json", "--out", "a"]);
    assert_eq!(said.code, 2, "{}", said.err);
    let outcome: Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(outcome["verdict"], "inconclusive");
    assert_eq!(lab.run(&["verify", "a/certificate.json"]).code, 2);
}
