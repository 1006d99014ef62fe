//! Plans, the list of statistics, start orders and small files, as a user meets them.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::lab::words;

use assert_cmd::Command;
use deckproof::deck::Deck;
use deckproof::deck::block::DeckBlock;
use deckproof::source::DeckSource;
use deckproof::source::flawed::Flawed;
use serde_json::Value;
use tempfile::TempDir;

fn deckproof(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("deckproof").expect("the program is built");
    command.current_dir(folder.path()).args(arguments).output().expect("the program runs")
}

fn scratch() -> TempDir {
    tempfile::tempdir().expect("a scratch folder can be made")
}

fn text(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&both).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(output)))
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("the file was written")
}

/// Asserts that the arguments are refused with exit code 2 and these words.
fn check_refused(folder: &TempDir, arguments: &[&str], words: &str) {
    let output = deckproof(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output));
    assert!(text(&output).contains(words), "{arguments:?}: {}", text(&output));
    assert!(!folder.path().join("refused").exists(), "{arguments:?}");
}

#[test]
fn a_plan_is_run_as_it_is_and_only_so() {
    let folder = scratch();
    let planned = deckproof(
        &folder,
        &words("plan --source flawed:certified:3 --decks 2000 --tiers core --out plan.toml"),
    );
    assert_eq!(planned.status.code(), Some(0), "{}", text(&planned));
    let toml = read(&folder, "plan.toml");
    let hash = toml.lines().find_map(|line| line.strip_prefix("plan_sha256 = ")).expect("the hash is there");
    let hash = hash.trim_matches('"');
    assert!(text(&planned).contains(hash) && text(&planned).contains("2,000 decks feed"));

    let output = deckproof(&folder, &["audit", "--plan", "plan.toml", "--out", "out", "--json"]);
    assert_eq!(json(&output)["plan_sha256"], hash);
    assert_eq!(json(&output)["decks"], 2000);
    let certificate: Value =
        serde_json::from_str(&read(&folder, "out/certificate.json")).expect("it is JSON");
    assert_eq!(certificate["result"]["plan_sha256"], hash);

    let with = |more: &[&'static str]| [&["audit", "--out", "refused", "--plan", "plan.toml"], more].concat();
    check_refused(&folder, &with(&["--decks", "3000"]), "--decks says otherwise");
    check_refused(&folder, &with(&["--tiers", "deep"]), "--tiers says otherwise");
    check_refused(&folder, &with(&["--source", "flawed:sattolo"]), "the source is not that of the plan");
    check_refused(&folder, &with(&["--no-repeat"]), "cannot be used with");
    let edited = toml.replace("decks = 2000", "decks = 2001");
    assert_ne!(edited, toml);
    fs::write(folder.path().join("plan.toml"), edited).expect("the scratch folder is writable");
    check_refused(&folder, &with(&[]), "was changed after it was written");
}

#[test]
fn a_plan_of_recorded_decks_takes_that_file_only() {
    let folder = scratch();
    for (name, seed) in [("ours.raw", 1), ("other.raw", 2)] {
        let order = [];
        write_decks(&folder.path().join(name), &format!("certified:{seed}"), 1_200, &order);
    }
    let plan = ["plan", "--source", "raw:ours.raw", "--tiers", "core", "--out", "plan.toml"];
    assert_eq!(deckproof(&folder, &plan).status.code(), Some(0));
    check_refused(&folder, &["audit", "--plan", "plan.toml", "--out", "refused"], "Supply these decks");
    let other = ["audit", "--plan", "plan.toml", "--source", "raw:other.raw", "--out", "refused"];
    check_refused(&folder, &other, "the source is not that of the plan");
    let ours = ["audit", "--plan", "plan.toml", "--source", "raw:ours.raw", "--out", "out"];
    let output = deckproof(&folder, &ours);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    // A plan of a program needs to be told the format: it starts nothing.
    check_refused(&folder, &["plan", "--source", "cmd:false"], "Give --format");
}

#[test]
fn a_plan_of_a_program_takes_that_program_only() {
    let folder = scratch();
    for (name, seed) in [("ours.raw", 1), ("other.raw", 2)] {
        write_decks(&folder.path().join(name), &format!("certified:{seed}"), 1_200, &[]);
    }
    let of = |command: &'static str| ["--source", command, "--format", "raw"];
    let plan =
        [&["plan", "--decks", "1200", "--tiers", "core", "--out", "plan.toml"][..], &of("cmd:cat ours.raw")];
    let planned = deckproof(&folder, &plan.concat());
    assert_eq!(planned.status.code(), Some(0), "{}", text(&planned));
    // printf 'cat\0ours.raw\0' | sha256sum
    let sha256 = "b122fe7060e8de0452f15365079ba7080b42ee393f10f42f390231004ffab8b3";
    assert!(text(&planned).contains(sha256) && read(&folder, "plan.toml").contains(sha256));
    assert!(!read(&folder, "plan.toml").contains("ours"), "the words stay out of it");
    let refused = ["audit", "--plan", "plan.toml", "--out", "refused", "--source"];
    for other in ["cmd:cat other.raw", "cmd:cat ./ours.raw", "-"] {
        check_refused(&folder, &[&refused[..], &[other]].concat(), "the program is not that of the plan");
    }
    // Blanks between words are not the program's.
    let ours = ["audit", "--plan", "plan.toml", "--out", "out", "--source", "cmd:cat  ours.raw"];
    let output = deckproof(&folder, &ours);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    // The bytes are what is certified: they may come from elsewhere when they are counted again.
    let again = ["verify", "out/certificate.json", "--rerun", "--source", "cmd:head -c 62400 ours.raw"];
    let output = deckproof(&folder, &again);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

/// Format, number and rule are frozen before there are decks; the certificate names the plan and the file.
#[test]
fn decks_that_were_still_to_come_are_audited_by_their_plan_from_a_file() {
    let folder = scratch();
    let plan = words("plan --source - --format raw --decks 1200 --tiers core --out plan.toml");
    let planned = deckproof(&folder, &plan);
    assert_eq!(planned.status.code(), Some(0), "{}", text(&planned));
    write_decks(&folder.path().join("later.raw"), "certified:1", 1_200, &[]);
    for (source, out) in [("raw:later.raw", "a"), ("later.raw", "b")] {
        let output = deckproof(&folder, &["audit", "--plan", "plan.toml", "--source", source, "--out", out]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    }
    let certificate: Value = serde_json::from_str(&read(&folder, "a/certificate.json")).expect("it is JSON");
    let bytes = fs::read(folder.path().join("later.raw")).expect("it was written");
    assert_eq!(certificate["result"]["source"]["sha256"], crate::common::lab::sha256(&bytes));
    let hash = certificate["result"]["plan_sha256"].as_str().expect("a hash");
    assert!(read(&folder, "plan.toml").contains(hash));
    let again = ["verify", "a/certificate.json", "--rerun", "--source", "later.raw"];
    let output = deckproof(&folder, &again);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    write_decks(&folder.path().join("short.raw"), "certified:1", 1_100, &[]);
    let short = ["audit", "--plan", "plan.toml", "--source", "short.raw", "--out", "refused"];
    check_refused(&folder, &short, "wanted 1200");
}

#[test]
fn whose_shuffler_it_is_stands_in_the_plan_and_heads_every_page() {
    let folder = scratch();
    let subject =
        ["--customer", "Room 7", "--subject", "serial number=0042", "--subject", "taken by=A. M\u{e4}kinen"];
    let plan = ["plan", "--source", "flawed:sattolo:1", "--decks", "1000", "--tiers", "core", "--out"];
    let planned = deckproof(&folder, &[&plan[..], &["plan.toml"], &subject].concat());
    assert_eq!(planned.status.code(), Some(0), "{}", text(&planned));
    let said = "customer: Room 7; serial number: 0042; taken by: A. M\u{e4}kinen";
    assert!(text(&planned).contains(&format!("Subject, as stated: {said}.")), "{}", text(&planned));
    assert_eq!(deckproof(&folder, &[&plan[..], &["other.toml"]].concat()).status.code(), Some(0));
    let hash = |name: &str| {
        read(&folder, name).lines().find(|line| line.starts_with("plan_sha256")).map(str::to_owned)
    };
    assert!(hash("plan.toml").is_some() && hash("plan.toml") != hash("other.toml"), "the lines are hashed");

    let output = deckproof(&folder, &["audit", "--plan", "plan.toml", "--out", "out"]);
    let head = "Subject    Customer: Room 7; Serial number: 0042; Taken by: A. M\u{e4}kinen (as\n           stated).\n";
    assert!(text(&output).contains(head), "{}", text(&output));
    let html = read(&folder, "out/report.html");
    assert!(html.contains("<dt>Taken by</dt><dd class=\"outside\">A. M\u{e4}kinen</dd>"));
    // The head of every printed page, which is a string of CSS.
    assert!(html.contains("Customer\\3a \\20 Room\\20 7\\3b \\20 Serial\\20 number\\3a \\20 0042"));
    assert!(read(&folder, "out/certificate.json").contains("A. M\u{e4}kinen"));
    let verified = deckproof(&folder, &["verify", "out/certificate.json"]);
    assert!(text(&verified).contains(&format!("nobody checked: {said}.")), "{}", text(&verified));
    assert_eq!(
        json(&deckproof(&folder, &["verify", "out/certificate.json", "--json"]))["subject"]["customer"],
        "Room 7"
    );

    let with = |more: &[&'static str]| [&["audit", "--out", "refused", "--plan", "plan.toml"], more].concat();
    check_refused(&folder, &with(&["--customer", "Room 8"]), "--subject or --customer says otherwise");
    let bad = ["audit", "--out", "refused", "--subject"];
    check_refused(&folder, &[&bad[..], &["serial number"]].concat(), "wanted NAME=TEXT");
    check_refused(&folder, &[&bad[..], &["device=a\u{202e}b"]].concat(), "a character that is not shown");
    check_refused(&folder, &[&bad[..], &["customer=a", "--customer", "b"]].concat(), "found it twice");
    let edited = read(&folder, "plan.toml").replace("Room 7", "Room 8");
    fs::write(folder.path().join("plan.toml"), edited).expect("the scratch folder is writable");
    check_refused(&folder, &with(&[]), "was changed after it was written");
}

/// Writes decks of a flawed dealer as 52 bytes each, as a dealer who starts from `order` would deal them.
fn write_decks(path: &Path, name: &str, count: u64, order: &[u8]) {
    let mut source = Flawed::open(name, count).expect("it is in the list");
    let (mut block, mut bytes) = (DeckBlock::default(), Vec::new());
    for first in (0..count).step_by(64) {
        source.fill(first, &mut block).expect("no record is spoilt");
        for lane in 0..block.hands() {
            let deck = block.deck(lane);
            let renamed =
                deck.indices().iter().map(|&card| order.get(usize::from(card)).copied().unwrap_or(card));
            bytes.extend(renamed);
        }
    }
    fs::write(path, bytes).expect("the scratch folder is writable");
}

#[test]
fn a_start_order_undoes_a_dealers_own() {
    let folder = scratch();
    // Sattolo's cycles are seen through the places of the start order only.
    let mut order = Deck::in_order();
    (0..51).for_each(|place| order.swap(place, (7 * place + 3) % 52));
    write_decks(&folder.path().join("dealt.raw"), "sattolo", 32, order.indices());
    write_decks(&folder.path().join("plain.raw"), "sattolo", 32, &[]);
    let cards: Vec<String> = order.cards().map(|card| card.to_string()).collect();
    let lines: Vec<String> = cards.chunks(13).map(|suit| suit.join(" ")).collect();
    fs::write(folder.path().join("order.txt"), lines.join("\n")).expect("the scratch folder is writable");

    let audit = |source: &str, out: &str, more: &[&str]| {
        let fixed = ["audit", "--tiers", "core", "--source", source, "--json", "--out", out];
        json(&deckproof(&folder, &[&fixed, more].concat()))
    };
    let relabelled = audit("raw:dealt.raw", "relabelled", &["--start-order", "order.txt"]);
    let plain = audit("raw:plain.raw", "plain", &[]);
    let dealt = audit("raw:dealt.raw", "dealt", &[]);
    // What asks for the order sees the dealer's numbers, what asks for cards sees the cards.
    let is_of_cards = |id: &str| {
        id.starts_with("deck.card-place")
            || id.starts_with("deck.adjacency")
            || id.starts_with("deck.duplicates")
    };
    let of = |outcome: &Value, wanted: bool| -> Vec<Value> {
        let all = outcome["statistics"].as_array().expect("a list").iter();
        all.filter(|one| one["id"].as_str().is_some_and(|id| is_of_cards(id) == wanted)).cloned().collect()
    };
    assert!(of(&relabelled, true).len() > 10 && of(&relabelled, false).len() > 10);
    assert_eq!(of(&relabelled, false), of(&plain, false));
    assert_eq!(of(&relabelled, true), of(&dealt, true));
    assert_ne!(of(&dealt, false), of(&plain, false));
    assert_ne!(of(&dealt, true), of(&plain, true));
    assert_eq!(relabelled["start_order"], cards.join(" "));
    assert!(read(&folder, "relabelled/report.html").contains("Start order of the dealer"));
    let again = ["verify", "relabelled/certificate.json", "--rerun", "--source", "raw:dealt.raw"];
    assert!(text(&deckproof(&folder, &again)).contains("is consistent"));

    fs::write(folder.path().join("short.txt"), "As Kd").expect("the scratch folder is writable");
    let short = ["audit", "--start-order", "short.txt", "--decks", "100", "--out", "refused"];
    check_refused(&folder, &short, "Wanted the 52 cards");
}

/// Seven riffles of 200 decks, of a dealer that numbers cards by suits or by ranks, written in either numbering: whichever
/// it is, the order is judged by the dealer's numbers, and ranks and suits by the cards.
#[test]
fn numbering_and_start_order_blind_nothing() {
    let folder = scratch();
    let by_suits: Vec<u8> = (0..52).map(|number| 4 * (number % 13) + number / 13).collect();
    // The dealer begins with 2c 3c 4c …; `cards` are our numbers of its cards, `own` its own numbers of them.
    write_decks(&folder.path().join("cards.raw"), "riffle-7", 200, &by_suits);
    write_decks(&folder.path().join("own.raw"), "riffle-7", 200, &[]);
    let lines: Vec<String> = by_suits.iter().map(u8::to_string).collect();
    fs::write(folder.path().join("order.txt"), lines.join(" ")).expect("the scratch folder is writable");

    let p_values = |source: &str, more: &[&str], out: &str| {
        let fixed = [
            "audit", "--without", "recovered-generator", "--tiers", "core,deep", "--source", source,
            "--json", "--out", out,
        ];
        let outcome = json(&deckproof(&folder, &[&fixed, more].concat()));
        let p_value = |id: &str| {
            let all = outcome["statistics"].as_array().expect("a list");
            let one = all.iter().find(|one| one["id"] == id).expect("it has run");
            one["p_value"].as_f64().expect("a number")
        };
        ["deck.rising-sequences.mean", "deck.start-orders.rising-mean", "deck.neighbours.suit-mean"]
            .map(p_value)
    };
    let said = p_values("raw:cards.raw", &["--start-order", "order.txt"], "said");
    let numbered = p_values("raw:own.raw", &["--numbering", "suit-rank"], "numbered");
    let unsaid = p_values("raw:cards.raw", &[], "unsaid");
    assert_eq!(said, numbered);
    assert!(said[0] < 1e-20, "{said:?}");
    // Whoever says nothing is not blind either: the usual orders are looked at.
    assert!(unsaid[0] > 1e-6 && unsaid[1] < 1e-20, "{unsaid:?}");
    assert_eq!(said[1..], unsaid[1..]);
    let explicit =
        p_values("raw:own.raw", &["--numbering", "suit-rank", "--start-order", "order.txt"], "both");
    assert_eq!(said[1..], explicit[1..]);
}

#[test]
fn the_list_names_every_statistic_and_every_regulators_name() {
    let folder = scratch();
    let list = json(&deckproof(&folder, &["audit", "--list", "--json"]));
    let statistics = list["statistics"].as_array().expect("a list");
    for field in ["id", "tier", "family", "title", "null", "detects"] {
        assert!(
            statistics.iter().all(|one| one[field].as_str().is_some_and(|text| !text.is_empty())),
            "{field}"
        );
    }
    let names: Vec<usize> = list["standards"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|standard| standard["tests"].as_array().map(Vec::len))
        .collect();
    assert_eq!(names, [7, 15, 10, 4, 3, 10, 7]);
    let words = text(&deckproof(&folder, &["audit", "--list"]));
    assert!(
        words.contains("Kolmogorov-Smirnov test: deck.kolmogorov-smirnov") && !words.contains("not built")
    );

    // Every answer is met by some p-value of a real audit.
    let mut audit =
        vec!["audit", "--source", "flawed:certified:3", "--decks", "10000", "--json", "--out", "out"];
    audit.extend(["--rules", "stud-8b", "--players", "4"]);
    let outcome = json(&deckproof(&folder, &audit));
    let ids: Vec<&str> = outcome["statistics"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|record| record["id"].as_str())
        .collect();
    for standard in list["standards"].as_array().expect("a list") {
        for answer in standard["tests"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|test| test["statistics"].as_array().cloned().unwrap_or_default())
        {
            let answer = answer.as_str().expect("a text");
            let begins = |id: &&str| {
                id.strip_prefix(answer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            assert!(ids.iter().any(begins), "{answer}");
        }
    }
    assert_eq!(outcome["standards"].as_array().map(Vec::len), Some(7));
}

#[test]
fn a_hundred_decks_get_an_honest_answer() {
    let folder = scratch();
    write_decks(&folder.path().join("few.raw"), "certified:5", 8, &[]);
    let output = deckproof(&folder, &["audit", "--source", "raw:few.raw", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    let words = text(&output);
    let one = "Audit at least 1,000 decks: with fewer this plan passes no shuffler.";
    let plain = words.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in ["INCONCLUSIVE", "8 decks feed", one] {
        assert!(plain.contains(sentence), "{sentence}: {words}");
    }
    // One number to repeat with; what single statistics take stands in JSON and in the report.
    assert!(!plain.contains("needs 10 decks"), "{words}");
    let output = deckproof(&folder, &["audit", "--source", "raw:few.raw", "--out", "out", "--json"]);
    let limits = &json(&output)["limits"];
    let hungry = limits["statistics_not_fed"].as_array().expect("a list");
    assert!(hungry.iter().any(|one| one["id"] == "deck.adjacency" && one["decks_more"] == 2), "{limits}");
}

#[test]
fn a_plan_runs_what_it_lists_and_claims_no_power_that_was_not_measured() {
    let folder = scratch();
    let audit = |more: &[&str], out: &str| {
        let fixed = ["audit", "--source", "flawed:certified:3", "--decks", "2000", "--json", "--out", out];
        json(&deckproof(&folder, &[&fixed, more].concat()))
    };
    let ids = |outcome: &Value| -> Vec<String> {
        let records = outcome["statistics"].as_array().expect("a list").iter();
        let names = records.filter_map(|record| record["id"].as_str()?.split('.').nth(1).map(str::to_owned));
        let mut names: Vec<String> = names.collect();
        names.dedup();
        names.sort();
        names.dedup();
        names
    };
    let two = audit(&["--statistics", "parity,cycles"], "two");
    assert_eq!(ids(&two), ["cycles", "parity"]);
    let all = ids(&audit(&["--tiers", "core"], "core"));
    let fewer = ids(&audit(&["--tiers", "core", "--without", "cycles,duplicates"], "fewer"));
    let rest: Vec<String> = all.into_iter().filter(|id| id != "cycles" && id != "duplicates").collect();
    assert_eq!(fewer, rest);
    for out in ["two", "core", "fewer"] {
        let certificate = format!("{out}/certificate.json");
        let said = deckproof(&folder, &["verify", "--rerun", &certificate]);
        assert!(text(&said).contains("is consistent"), "{}", text(&said));
        // Not one text speaks of what all tiers would catch.
        let report = read(&folder, &format!("{out}/report.html"));
        assert!(report.contains("was not measured") && !report.contains("this battery catches"), "{out}");
    }
    assert_eq!(two["limits"]["power"], "not measured");
    assert_eq!(two["limits"]["flawed_dealers_shown"], Value::Array(Vec::new()));
    let planned = text(&deckproof(&folder, &["plan", "--decks", "1e6", "--tiers", "core"]));
    assert!(planned.contains("was not measured"), "{planned}");

    check_refused(&folder, &["audit", "--statistics", "horoscope", "--out", "refused"], "horoscope");
    let nothing = ["audit", "--statistics", "cycles", "--tiers", "deep", "--out", "refused"];
    check_refused(&folder, &nothing, "wanted some of");
}
