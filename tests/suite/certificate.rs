//! `deckproof verify certificate.json`: what was altered is refused and named.

use crate::common::lab::{KEY, Lab, Output, deck, index_line, lines, one_twice, sha256, words};
use deckproof::audit::verdict::Families;
use deckproof::certificate::look::{Look, Turn};
use deckproof::certificate::rejudge::rejudge;
use deckproof::certificate::{AuditResult, Certificate};
use serde_json::{Value, json};

/// The JSON pointers of all leaves.
pub fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            let key = key.replace('~', "~0").replace('/', "~1");
            leaves(value, &format!("{path}/{key}"), found);
        }),
        Value::Array(values) => {
            let entries = values.iter().enumerate();
            entries.for_each(|(place, value)| leaves(value, &format!("{path}/{place}"), found));
        }
        _ => found.push(path.to_owned()),
    }
}

fn altered(leaf: &Value) -> Value {
    match leaf {
        Value::Null => json!(7),
        Value::Bool(value) => json!(!value),
        Value::Number(number) => match number.as_u64() {
            Some(u64::MAX) => json!(0),
            Some(number) => json!(number + 1),
            None => json!(number.as_f64().expect("a float") * 1.001 + 1e-9),
        },
        Value::String(text) => match text.as_str() {
            "pass" => json!("inconclusive"),
            "fail" => json!("pass"),
            _ => json!(format!("{text}1")),
        },
        _ => unreachable!("not a leaf"),
    }
}

/// Whether a certificate would be believed.
fn is_accepted(certificate: Value) -> bool {
    serde_json::from_value::<Certificate>(certificate).is_ok_and(|read| rejudge(&read.result).is_ok())
}

/// Every single altered leaf of `result` must be refused.
fn check_leaves(certificate: &Value, unchecked: &[&str]) {
    assert!(is_accepted(certificate.clone()), "the certificate as it was written");
    let mut found = Vec::new();
    leaves(&certificate["result"], "/result", &mut found);
    let believed: Vec<&String> = found
        .iter()
        .filter(|path| {
            let mut other = certificate.clone();
            let leaf = other.pointer_mut(path).expect("it was found there");
            *leaf = altered(leaf);
            is_accepted(other)
        })
        .collect();
    assert_eq!(believed, unchecked, "altered and believed, of {} leaves", found.len());
}

/// Of one statistic and the search for equal decks: all records have one form, and judging many again for each leaf takes long.
fn audit(lab: &Lab, source: &str, decks: &str, out: &str) -> Value {
    audit_by(lab, ["--statistics", "cycles,duplicates"], source, decks, out)
}

fn audit_by(lab: &Lab, what: [&str; 2], source: &str, decks: &str, out: &str) -> Value {
    let question = ["audit", "--source", source, "--decks", decks, "--out", out];
    lab.run(&[&question[..], &what].concat()).ends_in(&[0, 1]);
    lab.certificate(out)
}

#[test]
fn every_altered_leaf_of_a_pass_is_refused() {
    let lab = Lab::new();
    check_leaves(&audit(&lab, &format!("audit:{KEY}"), "2000", "a"), &[]);
}

/// What is packed is altered count by count: some of every tally, spread over all of it.
#[test]
fn every_altered_count_is_refused() {
    let lab = Lab::new();
    let certificate = audit_by(&lab, ["--tiers", "core"], &format!("audit:{KEY}"), "2000", "a");
    let read: Certificate = serde_json::from_value(certificate).expect("a certificate");
    let tallies = read.result.first.tallies.iter().map(|tally| tally.counts.len()).enumerate();
    for (tally, cells) in tallies {
        for cell in (0..cells).step_by(cells.div_ceil(5)) {
            let mut result = read.result.clone();
            let counts = &mut result.first.tallies[tally].counts;
            counts[cell] = counts[cell].wrapping_add(1);
            assert!(rejudge(&result).is_err(), "count {cell} of tally {tally}");
        }
    }
}

/// How many p-values share the level stands in the plan, and how many there are is fixed by the number of decks: the emptiest and the most
/// crowded counts there are, of a dealer that deals one deck for ever, have as many as those of a perfect shuffle.
#[test]
fn the_p_values_of_a_plan_follow_from_its_decks_and_never_from_its_counts() {
    let lab = Lab::new();
    for (decks, flawed) in [("150", &["stuck", "sattolo"][..]), ("1100", &["stuck"])] {
        let families = |source: &str, out: String| {
            // The search for a generator takes most of the time, and any number of decks feeds it.
            let line =
                format!("audit --without recovered-generator --source {source} --decks {decks} --out {out}");
            let output = lab.run(&words(&line)).ends_in(&[0, 1, 2]);
            assert!(output.err.is_empty(), "{output}");
            let read =
                Certificate::read(&lab.read(&format!("{out}/certificate.json"))).expect("a certificate");
            let (plan, look) = (read.result.plan, read.result.first);
            assert!(!look.tallies.is_empty(), "{source} deals decks");
            let mut found = Families::new();
            look.statistics.iter().for_each(|record| *found.entry(record.family.clone()).or_default() += 1);
            let is_planned = |(family, found): (&String, &u64)| plan.families.get(family) >= Some(found);
            assert!(found.iter().all(is_planned), "{found:?} of {:?}", plan.families);
            // Histograms that few decks do not fill are planned and missing; at 1,100 decks they are few.
            let (planned, held) = (plan.families.values().sum::<u64>(), found.values().sum::<u64>());
            assert!(decks == "150" || held * 10 >= planned * 9, "{held} of {planned}");
            let ids: Vec<String> = look.statistics.into_iter().map(|record| record.id).collect();
            (plan.families, ids)
        };
        let fair = families(&format!("audit:{KEY}"), format!("fair-{decks}"));
        assert!(fair.0.len() > 25 && fair.1.len() > 400, "{} {}", fair.0.len(), fair.1.len());
        for flawed in flawed {
            let found = families(&format!("flawed:{flawed}:1"), format!("{flawed}-{decks}"));
            let more: Vec<&String> = found.1.iter().filter(|id| !fair.1.contains(id)).collect();
            let fewer: Vec<&String> = fair.1.iter().filter(|id| !found.1.contains(id)).collect();
            assert_eq!((&more[..], &fewer[..]), (&[][..], &[][..]), "{flawed}, {decks} decks");
            assert_eq!(found.0, fair.0, "{flawed}, {decks} decks");
        }
    }
}

/// A certificate whose white space is another is the same certificate, and its report names the file by its own hash.
#[test]
fn a_certificate_laid_out_otherwise_says_the_same() {
    let lab = Lab::new();
    let value = audit(&lab, &format!("audit:{KEY}"), "2000", "a");
    let other = serde_json::to_string_pretty(&value).expect("it was JSON");
    lab.write("other.json", &other);
    let (own, same) = (lab.run(&["verify", "a/certificate.json"]), lab.run(&["verify", "other.json"]));
    assert_eq!((same.code, same.out.replace("other.json", "a/certificate.json")), (own.code, own.out));
    let page = lab.run(&["report", "--format", "md", "other.json"]).out;
    let sha256 = deckproof::file::sha256(other.as_bytes());
    assert!(page.contains(&sha256), "{sha256}: {page}");
}

/// A person reads the first page of it; the counts come last. That of the million decks of the default audit fits a mail, with room for a
/// subject and a longer source: four times the decks spread a count at most twice as far, which takes one bit more, 5/32 of a byte in base 85.
#[test]
fn a_certificate_of_all_tiers_is_small_and_begins_with_what_is_asked_first() {
    let lab = Lab::new();
    lab.run(&["audit", "--source", &format!("audit:{KEY}"), "--decks", "250000", "--out", "a"]).ends(0);
    let text = lab.text("a/certificate.json");
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} is not there"));
    let order = [
        "\"verdict\":\"pass\"", "\"source\":", "\"plan\":{\n", "\"families\":", "\"parts\":", "\"tallies\":",
    ];
    assert!(order.map(place).is_sorted(), "{:?}", order.map(place));
    let page = text.lines().take(60).collect::<Vec<_>>().join("\n");
    assert!(page.contains("\"verdict\"") && page.contains("\"statistics\"") && page.len() < 8_000, "{page}");
    let read = Certificate::read(text.as_bytes()).expect("a certificate");
    let counts: usize = read.result.first.tallies.iter().map(|tally| tally.counts.len()).sum();
    let of_a_million = text.len() + counts * 5 / 32;
    assert!((330_000..398_000).contains(&of_a_million), "{of_a_million} bytes");
    assert_eq!(read.to_json(), text, "one certificate has one text");
    assert_eq!(rejudge(&read.result), Ok(()));
}

#[test]
fn every_altered_leaf_of_a_fail_is_refused() {
    let lab = Lab::new();
    check_leaves(&audit(&lab, "flawed:repeats", "3000", "a"), &[]);
    let lines: Vec<String> = (1..=9).map(|n| index_line(&deck(n))).collect();
    let joker = deck(10).map(|card| if card == 7 { 77 } else { card });
    for (name, broken) in
        [("short", deck(10)[..51].to_vec()), ("joker", joker.to_vec()), ("twice", one_twice().to_vec())]
    {
        lab.write(name, lines.concat() + &index_line(&broken) + &lines.concat());
        check_leaves(&audit(&lab, &format!("csv:{name}"), "19", &format!("{name}.out")), &[]);
    }
}

#[test]
fn the_hash_of_a_stream_is_the_one_thing_that_takes_the_stream() {
    let lab = Lab::new();
    lab.write("decks", lines(1..=1200));
    let source = format!("cmd:cat {}", lab.path("decks"));
    let mut certificate = audit(&lab, &source, "1200", "a");
    check_leaves(&certificate, &["/result/source/sha256"]);
    certificate["result"]["source"]["sha256"] = json!("0".repeat(64));
    lab.write("other.json", certificate.to_string());
    let found = sha256(&lab.read("decks"));
    check_other_decks(&lab, "other.json", &source, &[&found, &"0".repeat(64)]);
}

/// Other decks than those of the certificate say nothing about it: neither those of a random program, nor another file, nor the same
/// decks with commas. The same bytes with other counts refuse it.
#[test]
fn other_decks_of_a_stream_contradict_nothing_and_its_own_do() {
    let lab = Lab::new();
    lab.write("decks", lines(1..=1200));
    lab.write("other", lines(2..=1201));
    lab.write("commas", lines(1..=1200).replace(' ', ","));
    lab.run(&words("plan --source - --format indices --decks 1200 --tiers core --out plan.toml")).ends(0);
    for (name, out) in [("decks", "a"), ("other", "b")] {
        lab.run(&["audit", "--plan", "plan.toml", "--source", name, "--out", out]).ends(0);
    }
    let [wanted, other, commas] = ["decks", "other", "commas"].map(|name| sha256(&lab.read(name)));
    for source in ["csv:other", "cmd:cat other"] {
        check_other_decks(&lab, "a/certificate.json", source, &[&other, &wanted]);
    }
    check_other_decks(&lab, "a/certificate.json", "csv:commas", &[&commas, &wanted]);
    lab.run(&["verify", "a/certificate.json", "--rerun", "--source", "cmd:cat decks"]).ends(0);
    let mut swapped = lab.certificate("b");
    swapped["result"]["source"] = lab.certificate("a")["result"]["source"].clone();
    lab.write("swapped.json", swapped.to_string());
    let output = lab.run(&["verify", "swapped.json", "--rerun", "--source", "csv:decks"]).ends(1);
    assert!(output.prints("REFUSED, and no verdict of it counts") && output.prints("tallies"), "{output}");
}

/// Exit 2, without a verdict: the SHA-256 that was found and the one that was wanted.
fn check_other_decks(lab: &Lab, certificate: &str, source: &str, named: &[&str; 2]) {
    let output = lab.run(&["verify", certificate, "--rerun", "--source", source]).ends(2);
    let [found, wanted] = named;
    let warned = output.warns(&format!("found a stream with SHA-256 \"{found}\", wanted \"{wanted}\""));
    assert!(
        output.out.is_empty() && warned && output.warns("says nothing about the certificate"),
        "{output}"
    );
}

/// Writes copies of a certificate, each with one field altered or added, and judges them all.
fn judged(lab: &Lab, certificate: &Value, rows: &[(&str, Value, &str)]) -> Output {
    let files: Vec<String> = (0..rows.len()).map(|row| format!("{row}.json")).collect();
    for (file, (path, value, _)) in files.iter().zip(rows) {
        let mut other = certificate.clone();
        match (other.pointer_mut(path), path.rsplit_once('/')) {
            (Some(field), _) => *field = value.clone(),
            (None, Some((object, field))) => {
                other.pointer_mut(object).expect("it is there")[field] = value.clone();
            }
            (None, None) => unreachable!("a path has a bar"),
        }
        lab.write(file, other.to_string());
    }
    lab.run(&["verify"].into_iter().chain(files.iter().map(String::as_str)).collect::<Vec<_>>())
}

#[test]
fn a_refusal_names_what_was_altered() {
    let lab = Lab::new();
    let mut certificate = audit(&lab, &format!("audit:{KEY}"), "2000", "a");
    let p_value = certificate["result"]["first"]["statistics"][0]["parts"][0][3].as_f64().expect("a number");
    let rows = [
        ("/result/verdict", json!("investigate"), "verdict"),
        ("/result/first/decks", json!(2001), "decks"),
        ("/result/plan_sha256", json!("00"), "plan_sha256"),
        ("/result/plan/decks", json!(2001), "plan"),
        ("/result/plan/level", json!(0.5), "levels"),
        ("/result/plan/decks_min", json!(1), "levels"),
        ("/result/plan/statistics/0/views", json!(["deck"]), "families"),
        ("/result/plan/families/cycles", json!(1), "families"),
        ("/result/plan/repeat/families/cycles", json!(1), "repeat"),
        ("/result/plan/statistics/0/views", json!([]), "views"),
        ("/result/source", json!({"kind": "os"}), "source"),
        ("/result/first/statistics/0/parts/0/3", json!(p_value / 2.0), "p_value"),
        ("/result/first/family_p_value", json!(0.9), "family_p_value"),
        ("/result/first/duplicates", json!([]), "duplicates"),
        ("/result/first/duplicates/0/halvings", json!(1), "duplicates"),
        ("/result/rule", json!("Pass."), "rule"),
        ("/result/first/proofs", json!(["Record 3 is not a deck: found 51 cards, wanted 52."]), "proofs"),
    ];
    let output = judged(&lab, &certificate, &rows).ends(1);
    for (row, (path, _, named)) in rows.iter().enumerate() {
        let refused = format!("{row}.json: REFUSED, and no verdict of it counts");
        let line = output.out.lines().find(|line| line.starts_with(&refused));
        assert!(line.is_some_and(|line| line.contains(named)), "{path}: {output}");
    }
    let output = lab.run(&["verify", "--json", "0.json"]).ends(1).json();
    assert_eq!((&output["verdict"], &output["code"]), (&json!("refused"), &json!("E_CERTIFICATE")));
    // What another version of the program may well understand is not refused: nothing is said about it. Sentences are those of another
    // build only where another build is named.
    certificate["tool"]["commit"] = json!("1f2e3d");
    let rows = [
        ("/result/format", json!("deckproof/certificate/v9"), "certificate/v9"),
        ("/result/plan/format", json!("deckproof/plan/v9"), "plan/v9"),
        ("/result/plan/statistics/0/version", json!(99), "the plan has version 99"),
        ("/result/plan/statistics/0/id", json!("tea-leaves"), "tea-leaves"),
        ("/result/plan/sketches/0/version", json!(9), "the plan has version 9"),
        ("/result/plan/source", json!({"kind": "lava-lamps"}), "lava-lamps"),
        (
            "/result/plan/source/room",
            json!("7"),
            "a field \"room\" that this version of deckproof does not know",
        ),
        ("/result/rule", json!("Pass: what is not bad."), "the field rule says"),
    ];
    let output = judged(&lab, &certificate, &rows).ends(2);
    for (row, (path, _, named)) in rows.iter().enumerate() {
        let line = output.err.lines().find(|line| line.starts_with(&format!("deckproof: {row}.json: ")));
        assert!(line.is_some_and(|line| line.contains(named)), "{path}: {output}");
        output.must_print(&format!("{row}.json: could not be judged.\n"));
    }
    lab.write("other.json", certificate.to_string());
    assert_eq!(lab.run(&["verify", "other.json"]).code, 0, "another tool may say the same");
}

/// A certificate of a plan with one deck more, whose hash is that of the changed plan.
#[test]
fn forgeries_that_agree_with_themselves_are_refused() {
    let lab = Lab::new();
    let certificate = audit(&lab, &format!("audit:{KEY}"), "2000", "a");
    let read = |certificate: &Value| -> Certificate {
        serde_json::from_value(certificate.clone()).expect("a certificate")
    };
    let mut more = read(&certificate);
    more.result.plan.decks = Some(1_000_000_000);
    more.result.plan_sha256 = more.result.plan.sha256();
    assert!(rejudge(&more.result).is_err(), "the plan has more decks than were counted");
    // Without its duplicates, and all that follows from them, a stuck shuffler would look better.
    let mut fewer = read(&certificate);
    fewer.result.first.duplicates.clear();
    let (plan, tallies) = (&fewer.result.plan, fewer.result.first.tallies.clone());
    let look = Look::of_integers(plan, Turn::First, fewer.result.first.decks, tallies, Vec::new());
    let computed = AuditResult::of_looks(plan, fewer.result.source.clone(), look, None, None);
    assert!(rejudge(&computed).is_err(), "the duplicates are missing");
    // The certified shuffle cannot deal a record that is no deck.
    let plan = &more.result.plan;
    let proof = "Record 4 is not a deck: found 51 cards, wanted 52.".to_owned();
    let look = Look::of_bad_record(plan, Turn::First, 3, proof);
    let rejected = AuditResult::of_looks(plan, plan.source.clone(), look, None, None);
    assert!(rejudge(&rejected).is_err());
}

#[test]
fn what_is_no_certificate_is_told_without_a_verdict() {
    let lab = Lab::new();
    let certificate = audit(&lab, &format!("audit:{KEY}"), "2000", "a");
    let good = certificate.to_string();
    let replaced = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let cases = [
        good[..good.len() / 2].to_owned(),
        good[..30].to_owned(),
        good[..good.len() - 1].to_owned(),
        format!("{good}{good}"),
        replaced("\"decks\":2000", "\"decks\":1e400"),
        replaced("\"decks\":2000", "\"decks\":2000.0"),
        replaced("\"decks\":2000", "\"decks\":-1"),
        replaced("\"decks\":2000", "\"decks\":99999999999999999999999999"),
        replaced("\"decks\":2000", "\"decks\":\"2000\""),
        replaced("\"decks\":2000", "\"decks\":[]"),
        replaced("\"decks\":2000", "\"decks\":2000,\"decks\":2000"),
        replaced("\"decks\":2000", "\"decks\":2000,\"more\":1"),
        replaced("\"verdict\":\"pass\"", "\"verdict\":\"perfect\""),
        replaced("\"tool\":{", "\"tool\":{\"more\":1,"),
        replaced("\"tool\":{", "\"tool\":null,\"x\":{"),
        "{\"result\":null}".to_owned(),
        "{\"result\":{}}".to_owned(),
        format!("{{\"result\":{}", "[".repeat(100_000)),
    ];
    for text in cases {
        lab.write("bad.json", &text);
        let output = lab.run(&["verify", "bad.json"]);
        let start: String = text.chars().take(60).collect();
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{start}: {output}");
        assert!(output.warns("bad.json") && !output.warns("panicked"), "{start}: {output}");
    }
}

#[test]
fn unknown_fields_of_a_source_without_fields_are_refused() {
    let lab = Lab::new();
    let certificate = audit(&lab, "os", "1000", "a");
    for part in ["/result/source", "/result/plan/source"] {
        let mut other = certificate.clone();
        other.pointer_mut(part).expect("it is there")["more"] = json!(1);
        lab.write("other.json", other.to_string());
        assert_ne!(lab.run(&["verify", "other.json"]).code, 0, "{part}");
    }
}

#[test]
fn huge_integers_in_the_tallies_do_not_panic() {
    let lab = Lab::new();
    let certificate = audit_by(&lab, ["--tiers", "core"], &format!("audit:{KEY}"), "2000", "a");
    let read: Certificate = serde_json::from_value(certificate.clone()).expect("a certificate");
    for tally in 0..read.result.first.tallies.len() {
        for huge in [u64::MAX, u64::MAX / 2 + 1, 1 << 53] {
            let mut result = read.result.clone();
            result.first.tallies[tally].counts.fill(huge);
            assert!(rejudge(&result).is_err(), "tally {tally}, all {huge}");
        }
    }
    for huge in [u64::MAX, 1 << 53] {
        let mut other = certificate.clone();
        for part in ["kept", "distinct", "pairs"] {
            other["result"]["first"]["duplicates"][0][part] = json!(huge);
        }
        assert!(!is_accepted(other));
    }
}

#[test]
fn several_files_are_judged_one_by_one() {
    let lab = Lab::new();
    audit(&lab, &format!("audit:{KEY}"), "2000", "good");
    audit(&lab, "flawed:stuck", "2000", "bad");
    lab.write("cut", &lab.read("good/certificate.json")[..100]);
    let files = ["good/certificate.json", "bad/certificate.json", "cut"];
    let verify = |files: &[&str]| lab.run(&[&["verify", "--json"], files].concat());
    let output = verify(&files);
    assert_eq!(output.code, 1, "a refusal beats what cannot be said");
    let lines: Vec<Value> =
        output.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let names: Vec<&str> = lines.iter().filter_map(|line| line["file"].as_str()).collect();
    assert_eq!(names, files);
    assert_eq!(lines[2]["verdict"], Value::Null, "a line for the one that says nothing, too");
    assert_eq!(lines[0]["verdict"], "consistent");
    assert_eq!(
        (&lines[1]["verdict"], &lines[1]["certificate_verdict"]),
        (&json!("consistent"), &json!("fail"))
    );
    verify(&[files[0], files[2]]).ends(2);
    verify(&[files[0]]).ends(0);
    lab.run_with(&["verify", "-"], &lab.read(files[0])).ends(0);
}

/// Nothing but a hand is ever accepted, and what contradicts itself is no certificate among others.
#[test]
fn a_certificate_is_never_accepted_and_a_refused_one_is_counted_as_such() {
    let lab = Lab::new();
    audit(&lab, &format!("audit:{KEY}"), "1000", "a");
    let text = lab.text("a/certificate.json");
    lab.write("altered.json", text.replace("\"decks\":1000", "\"decks\":1001"));
    let output = lab.run(&["verify", "a/certificate.json", "altered.json"]).ends(1);
    output.must_print("altered.json: REFUSED");
    let totals = "2 files, 0 hands: 1 consistent certificate or package, 1 refused.\n";
    assert!(output.out.ends_with(totals), "{output}");
    let output = lab.run(&["verify", "--require", "accepted", "a/certificate.json"]).ends(2);
    output.must_warn("it is no bundle of a hand");
    lab.run(&["verify", "--require", "accepted", "altered.json"]).ends(1);
}

#[test]
fn tallies_of_another_key_are_caught_by_running_again_and_only_so() {
    let lab = Lab::new();
    let own = audit(&lab, &format!("audit:{KEY}"), "2000", "own");
    let mut swapped = audit(&lab, &format!("audit:{}", KEY.replace('0', "3")), "2000", "other");
    for part in ["plan", "plan_sha256", "source"] {
        swapped["result"][part] = own["result"][part].clone();
    }
    lab.write("swapped.json", swapped.to_string());
    lab.run(&["verify", "swapped.json"]).must_print("is consistent");
    let output = lab.run(&["verify", "--rerun", "swapped.json"]).ends(1);
    output.must_print("REFUSED, and no verdict of it counts").must_print("tallies");
    lab.run(&["verify", "--rerun", "own/certificate.json"]).ends(0);
}

#[test]
fn recorded_decks_are_run_again_only_with_the_same_file() {
    let lab = Lab::new();
    let lines = |from: u64| lines(from..from + 1200);
    lab.write("decks.csv", lines(1));
    lab.write("same.csv", lines(1));
    lab.write("other.csv", lines(2));
    audit(&lab, "csv:decks.csv", "1100", "a");
    let rerun = |more: &[&str]| lab.run(&[&["verify", "--rerun", "a/certificate.json"], more].concat());
    rerun(&["--source", "csv:same.csv"]).ends(0);
    for more in
        [&[][..], &["--source", "csv:other.csv"], &["--source", "csv:missing.csv"], &["--source", "os"]]
    {
        let output = rerun(more);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{more:?}: {output}");
    }
    audit(&lab, &format!("audit:{KEY}"), "1000", "key");
    let output = lab.run(&["verify", "--rerun", "--source", "csv:same.csv", "key/certificate.json"]);
    assert_eq!((output.code, output.out.as_str()), (2, ""), "the certificate names its source: {output}");
    lab.run(&["verify", "--source", "csv:same.csv", "key/certificate.json"]).ends(2);
}

/// Two start orders, one the reverse of the other, have means as far off on either side: the last bit of a logarithm decides which is shown,
/// and C libraries round it differently. The static program and the one for Windows gave this sign.
#[test]
fn a_tie_is_decided_alike_on_every_system() {
    let lab = Lab::new();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/samples/export.csv");
    lab.run(&["audit", sample, "--statistics", "start-orders", "--out", "out", "--quiet"]).ends(0);
    let certificate = lab.certificate("out");
    let statistics = certificate["result"]["first"]["statistics"].as_array().expect("a list");
    let own = statistics.iter().find(|own| own["id"] == "deck.start-orders").expect("it ran");
    let mean = own["parts"].as_array().expect("parts").iter().find(|part| part[0] == "rising-mean");
    assert_eq!(mean.expect("a part")[2], 1.48966);
}
