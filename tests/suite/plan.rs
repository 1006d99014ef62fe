//! Plans, the list of statistics, start orders and small files, as a user meets them.

use deckproof::battery;
use deckproof::deck::Deck;
use serde_json::Value;

use crate::common::decks::raw;
use crate::common::lab::{Lab, sha256, words};

/// Asserts that the arguments are refused with exit code 2 and these words.
fn check_refused(lab: &Lab, arguments: &[&str], words: &str) {
    let output = lab.run(arguments).ends(2);
    assert!(output.warns(words), "{arguments:?}: {output}");
    assert!(!lab.exists("refused"), "{arguments:?}");
}

#[test]
fn a_plan_is_run_as_it_is_and_only_so() {
    let lab = Lab::new();
    let planned =
        lab.run(&words("plan --source flawed:certified:3 --decks 2000 --tiers core --out plan.toml")).ends(0);
    let toml = lab.text("plan.toml");
    let hash = toml.lines().find_map(|line| line.strip_prefix("plan_sha256 = ")).expect("the hash is there");
    let hash = hash.trim_matches('"');
    assert!(planned.prints(hash) && planned.prints("2,000 decks feed"));

    let output = lab.run(&["audit", "--plan", "plan.toml", "--out", "out", "--json"]);
    assert_eq!(output.json()["plan_sha256"], hash);
    assert_eq!(output.json()["decks"], 2000);
    assert_eq!(lab.certificate("out")["result"]["plan_sha256"], hash);

    let with = |more: &[&'static str]| [&["audit", "--out", "refused", "--plan", "plan.toml"], more].concat();
    check_refused(&lab, &with(&["--decks", "3000"]), "--decks says otherwise");
    check_refused(&lab, &with(&["--tiers", "deep"]), "--tiers says otherwise");
    check_refused(&lab, &with(&["--source", "flawed:sattolo"]), "the source is not that of the plan");
    check_refused(&lab, &with(&["--no-repeat"]), "cannot be used with");
    let edited = toml.replace("decks = 2000", "decks = 2001");
    assert_ne!(edited, toml);
    lab.write("plan.toml", edited);
    check_refused(&lab, &with(&[]), "was changed after it was written");
}

#[test]
fn a_plan_of_recorded_decks_takes_that_file_only() {
    let lab = Lab::new();
    for (name, seed) in [("ours.raw", 1), ("other.raw", 2)] {
        let order = [];
        write_decks(&lab, name, &format!("certified:{seed}"), 1_200, &order);
    }
    let plan = ["plan", "--source", "raw:ours.raw", "--tiers", "core", "--out", "plan.toml"];
    lab.run(&plan).ends(0);
    check_refused(&lab, &["audit", "--plan", "plan.toml", "--out", "refused"], "Supply these decks");
    let other = ["audit", "--plan", "plan.toml", "--source", "raw:other.raw", "--out", "refused"];
    check_refused(&lab, &other, "the source is not that of the plan");
    lab.run(&["audit", "--plan", "plan.toml", "--source", "raw:ours.raw", "--out", "out"]).ends(0);
    // A plan of a program needs to be told the format: it starts nothing.
    check_refused(&lab, &["plan", "--source", "cmd:false"], "Give --format");
}

#[test]
fn a_plan_of_a_program_takes_that_program_only() {
    let lab = Lab::new();
    for (name, seed) in [("ours.raw", 1), ("other.raw", 2)] {
        write_decks(&lab, name, &format!("certified:{seed}"), 1_200, &[]);
    }
    let of = |command: &'static str| ["--source", command, "--format", "raw"];
    let plan =
        [&["plan", "--decks", "1200", "--tiers", "core", "--out", "plan.toml"][..], &of("cmd:cat ours.raw")];
    let planned = lab.run(&plan.concat()).ends(0);
    // printf 'cat\0ours.raw\0' | sha256sum
    let sha256 = "b122fe7060e8de0452f15365079ba7080b42ee393f10f42f390231004ffab8b3";
    assert!(planned.prints(sha256) && lab.text("plan.toml").contains(sha256));
    assert!(!lab.text("plan.toml").contains("ours"), "the words stay out of it");
    let refused = ["audit", "--plan", "plan.toml", "--out", "refused", "--source"];
    for other in ["cmd:cat other.raw", "cmd:cat ./ours.raw", "-"] {
        check_refused(&lab, &[&refused[..], &[other]].concat(), "the program is not that of the plan");
    }
    // Blanks between words are not the program's.
    let ours = ["audit", "--plan", "plan.toml", "--out", "out", "--source", "cmd:cat  ours.raw"];
    lab.run(&ours).ends(0);
    // Who reads the result learns that the plan fixed a command, and what nobody checked.
    for (output, wanted) in [
        (lab.text("out/report.html"), format!("{sha256}; what they run was not checked")),
        (
            lab.run(&["verify", "out/certificate.json"]).flat(),
            format!("{sha256}; what its words run was not checked"),
        ),
    ] {
        assert!(output.contains(&wanted), "{output}");
    }
    // The bytes are what is certified: they may come from elsewhere when they are counted again.
    let again = ["verify", "out/certificate.json", "--rerun", "--source", "cmd:head -c 62400 ours.raw"];
    lab.run(&again).ends(0);
}

/// Format, number and rule are frozen before there are decks; the certificate names the plan and the file.
#[test]
fn decks_that_were_still_to_come_are_audited_by_their_plan_from_a_file() {
    let lab = Lab::new();
    let plan = words("plan --source - --format raw --decks 1200 --tiers core --out plan.toml");
    lab.run(&plan).ends(0);
    write_decks(&lab, "later.raw", "certified:1", 1_200, &[]);
    for (source, out) in [("raw:later.raw", "a"), ("later.raw", "b")] {
        lab.run(&["audit", "--plan", "plan.toml", "--source", source, "--out", out]).ends(0);
    }
    let certificate = lab.certificate("a");
    assert_eq!(certificate["result"]["source"]["sha256"], sha256(&lab.read("later.raw")));
    let hash = certificate["result"]["plan_sha256"].as_str().expect("a hash");
    assert!(lab.text("plan.toml").contains(hash));
    lab.run(&["verify", "a/certificate.json", "--rerun", "--source", "later.raw"]).ends(0);
    write_decks(&lab, "short.raw", "certified:1", 1_100, &[]);
    let short = ["audit", "--plan", "plan.toml", "--source", "short.raw", "--out", "refused"];
    check_refused(&lab, &short, "wanted 1200");
}

#[test]
fn whose_shuffler_it_is_stands_in_the_plan_and_heads_every_page() {
    let lab = Lab::new();
    let subject =
        ["--customer", "Room 7", "--subject", "serial number=0042", "--subject", "taken by=A. M\u{e4}kinen"];
    let plan = ["plan", "--source", "flawed:sattolo:1", "--decks", "1000", "--tiers", "core", "--out"];
    let planned = lab.run(&[&plan[..], &["plan.toml"], &subject].concat()).ends(0);
    let subject_words = "customer: Room 7; serial number: 0042; taken by: A. M\u{e4}kinen";
    planned.must_print(&format!("Subject, as stated: {subject_words}."));
    lab.run(&[&plan[..], &["other.toml"]].concat()).ends(0);
    let hash =
        |name: &str| lab.text(name).lines().find(|line| line.starts_with("plan_sha256")).map(str::to_owned);
    assert!(hash("plan.toml").is_some() && hash("plan.toml") != hash("other.toml"), "the lines are hashed");

    let output = lab.run(&["audit", "--plan", "plan.toml", "--out", "out"]);
    let head = "Subject    Customer: Room 7; Serial number: 0042; Taken by: A. M\u{e4}kinen (as\n           stated).\n";
    output.must_print(head);
    let html = lab.text("out/report.html");
    assert!(html.contains("<dt>Taken by</dt><dd class=\"outside\">A. M\u{e4}kinen</dd>"));
    // The head of every printed page, which is a string of CSS.
    assert!(html.contains("Customer\\3a \\20 Room\\20 7\\3b \\20 Serial\\20 number\\3a \\20 0042"));
    assert!(lab.text("out/certificate.json").contains("A. M\u{e4}kinen"));
    lab.run(&["verify", "out/certificate.json"]).must_print(&format!("nobody checked: {subject_words}."));
    assert_eq!(
        lab.run(&["verify", "out/certificate.json", "--json"]).json()["subject"]["customer"],
        "Room 7"
    );

    let with = |more: &[&'static str]| [&["audit", "--out", "refused", "--plan", "plan.toml"], more].concat();
    check_refused(&lab, &with(&["--customer", "Room 8"]), "--subject or --customer says otherwise");
    let bad = ["audit", "--out", "refused", "--subject"];
    check_refused(&lab, &[&bad[..], &["serial number"]].concat(), "wanted NAME=TEXT");
    check_refused(&lab, &[&bad[..], &["device=a\u{202e}b"]].concat(), "a character that is not shown");
    check_refused(&lab, &[&bad[..], &["customer=a", "--customer", "b"]].concat(), "found it twice");
    let edited = lab.text("plan.toml").replace("Room 7", "Room 8");
    lab.write("plan.toml", edited);
    check_refused(&lab, &with(&[]), "was changed after it was written");
}

/// Writes decks of a flawed dealer as 52 bytes each, as a dealer who starts from `order` would deal them.
fn write_decks(lab: &Lab, file: &str, name: &str, count: u64, order: &[u8]) {
    let renamed = |card: u8| order.get(usize::from(card)).copied().unwrap_or(card);
    lab.write(file, raw(name, count).into_iter().map(renamed).collect::<Vec<u8>>());
}

#[test]
fn a_start_order_undoes_a_dealers_own() {
    let lab = Lab::new();
    // Sattolo's cycles are seen through the places of the start order only.
    let mut order = Deck::in_order();
    (0..51).for_each(|place| order.swap(place, (7 * place + 3) % 52));
    write_decks(&lab, "dealt.raw", "sattolo", 32, order.indices());
    write_decks(&lab, "plain.raw", "sattolo", 32, &[]);
    let cards: Vec<String> = order.cards().map(|card| card.to_string()).collect();
    let lines: Vec<String> = cards.chunks(13).map(|suit| suit.join(" ")).collect();
    lab.write("order.txt", lines.join("\n"));

    let audit = |source: &str, out: &str, more: &[&str]| {
        let fixed = ["audit", "--tiers", "core", "--source", source, "--json", "--out", out];
        lab.run(&[&fixed, more].concat()).json()
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
    assert!(lab.text("relabelled/report.html").contains("Start order of the dealer"));
    let again = ["verify", "relabelled/certificate.json", "--rerun", "--source", "raw:dealt.raw"];
    assert!(lab.run(&again).out.contains("is consistent"));

    lab.write("short.txt", "As Kd");
    let short = ["audit", "--start-order", "short.txt", "--decks", "100", "--out", "refused"];
    check_refused(&lab, &short, "Wanted the 52 cards");
}

/// Seven riffles of 200 decks, of a dealer that numbers cards by suits or by ranks, written in either numbering: whichever
/// it is, the order is judged by the dealer's numbers, and ranks and suits by the cards.
#[test]
fn numbering_and_start_order_blind_nothing() {
    let lab = Lab::new();
    let by_suits: Vec<u8> = (0..52).map(|number| 4 * (number % 13) + number / 13).collect();
    // The dealer begins with 2c 3c 4c …; `cards` are our numbers of its cards, `own` its own numbers of them.
    write_decks(&lab, "cards.raw", "riffle-7", 200, &by_suits);
    write_decks(&lab, "own.raw", "riffle-7", 200, &[]);
    let lines: Vec<String> = by_suits.iter().map(u8::to_string).collect();
    lab.write("order.txt", lines.join(" "));

    let p_values = |source: &str, more: &[&str], out: &str| {
        let fixed = [
            "audit", "--without", "recovered-generator", "--tiers", "core,deep", "--source", source,
            "--json", "--out", out,
        ];
        let outcome = lab.run(&[&fixed, more].concat()).json();
        let p_value = |id: &str| {
            let all = outcome["statistics"].as_array().expect("a list");
            let one = all.iter().find(|one| one["id"] == id).expect("it has run");
            one["p_value"].as_f64().expect("a number")
        };
        ["deck.rising-sequences.mean", "deck.start-orders.rising-mean", "deck.neighbours.suit-mean"]
            .map(p_value)
    };
    let output = p_values("raw:cards.raw", &["--start-order", "order.txt"], "said");
    let numbered = p_values("raw:own.raw", &["--numbering", "suit-rank"], "numbered");
    let unsaid = p_values("raw:cards.raw", &[], "unsaid");
    assert_eq!(output, numbered);
    assert!(output[0] < 1e-20, "{output:?}");
    // Whoever says nothing is not blind either: the usual orders are looked at.
    assert!(unsaid[0] > 1e-6 && unsaid[1] < 1e-20, "{unsaid:?}");
    assert_eq!(output[1..], unsaid[1..]);
    let explicit =
        p_values("raw:own.raw", &["--numbering", "suit-rank", "--start-order", "order.txt"], "both");
    assert_eq!(output[1..], explicit[1..]);
}

/// Somebody who got a fail may leave out what found it: every text of the new verdict names what the plan leaves out.
#[test]
fn what_a_plan_leaves_out_is_named_by_every_text() {
    let lab = Lab::new();
    write_decks(&lab, "fair.raw", "certified:1", 1_200, &[]);
    let audit = |out: &'static str, more: &str| {
        let fixed = words("audit --no-repeat --source raw:fair.raw --out");
        lab.run(&[&fixed[..], &[out], &more.split_whitespace().collect::<Vec<_>>()].concat()).ends(0)
    };
    // The search for a generator takes seconds.
    let without = "--without successions,recovered-generator,adjacency";
    let all = battery::abouts().count();
    let two =
        &format!("3 of the {all} statistics of this program (adjacency, successions, recovered-generator)");
    let output = audit("two", without);
    assert!(output.out.starts_with(&format!("PASS: No fault, by {} of ", all - 3)), "{output}");
    let quiet = audit("quiet", &format!("{without} --quiet"));
    assert!(quiet.prints(&format!("The plan left out {two}.")), "{quiet}");
    let json = audit("json", &format!("{without} --json")).json();
    let named = json["not_shown"]
        .as_array()
        .is_some_and(|all| all.iter().any(|own| own.as_str().is_some_and(|own| own.contains(two.as_str()))));
    assert!(named, "{json}");
    let report = lab.text("two/report.html");
    for text in [
        format!("The plan left out {two}."),
        format!("It does not show what the plan left out: {two}."),
        "Left out of the plan".into(),
    ] {
        assert!(report.contains(&text), "{text}");
    }
    assert!(!report.contains("Every statistic of the plan ran."));
    let page = lab.run(&["report", "two/certificate.json", "--format", "md"]).ends(0);
    page.must_print(&format!("- Left out of the plan: {two}"))
        .must_not_print("Every statistic of the plan ran.");
    let verified = lab.run(&["verify", "two/certificate.json"]).ends(0);
    assert!(verified.prints(&format!("Not checked: what the plan left out: {two}.")), "{verified}");
    let quiet = lab.run(&["verify", "two/certificate.json", "--quiet"]).ends(0);
    assert!(quiet.prints(&format!("The plan left out {two}.")), "{quiet}");
    // Of all but one the first ten, in the order of the list, and how many more.
    let one = audit("one", "--statistics inversions --quiet");
    let first = "card-place, adjacency, cycles, rising-sequences, parity, exceedances, successions, records, runs, longest-cycle";
    let (left, more) = (all - 1, all - 11);
    assert!(
        one.prints(&format!(
            "The plan left out {left} of the {all} statistics of this program ({first} and {more} more)."
        )),
        "{one}"
    );
    // Nothing is said where all of them run.
    audit("all", "").must_print("PASS: No fault was found in the decks examined.").must_not_print("left out");
    lab.run(&["verify", "all/certificate.json"]).ends(0).must_not_print("left out");
    let page = lab.run(&["report", "all/certificate.json", "--format", "md"]).ends(0);
    page.must_not_print("Left out");
}

/// An order that is one of the decks makes one of them a deck that was never shuffled, which fair decks are once in 52!.
#[test]
fn a_start_order_that_is_one_of_the_decks_is_no_fault_of_the_dealer() {
    let lab = Lab::new();
    write_decks(&lab, "fair.raw", "certified:1", 1_200, &[]);
    let decks = std::fs::read(lab.path("fair.raw")).expect("it was written");
    let deck: Vec<u8> = decks[52 * 700..52 * 701].to_vec();
    let rotated: Vec<u8> = (0..52).map(|place| deck[(place + 9) % 52]).collect();
    let mut reversed = rotated.clone();
    reversed.reverse();
    let audit = |order: &[u8], more: &[&str]| {
        let text: Vec<String> = order.iter().map(u8::to_string).collect();
        lab.write("order.txt", text.join(" "));
        let fixed = [
            "audit", "--tiers", "core", "--source", "raw:fair.raw", "--start-order", "order.txt", "--out",
            "out",
        ];
        if lab.exists("out") {
            std::fs::remove_dir_all(lab.path("out")).expect("it is the one before");
        }
        lab.run(&[&fixed[..], more].concat())
    };
    for order in [&deck, &rotated, &reversed] {
        audit(order, &[]).ends(2).must_warn("record 701: its cards lie as in --start-order");
        audit(order, &["--records", "101.."]).ends(2).must_warn("record 701: ");
    }
    audit(&deck, &["--records", "1..700"]).ends_in(&[0, 2]).must_not_warn("its cards lie");
    // Nearly that of a deck: it is judged by it and fails, and all that is said of it names the condition.
    let mut near = deck.clone();
    near.swap(3, 4);
    let output = audit(&near, &["--no-repeat", "--quiet"]);
    assert!(output.code == 1, "{output}");
    let condition = "It was judged by a start order that was stated and not checked: if that was chosen after looking at the decks, fair decks fail by it.";
    assert!(output.prints(condition), "{output}");
    let verified = lab.run(&["verify", "out/certificate.json", "--quiet"]).ends(1);
    assert!(verified.prints(condition), "{verified}");
    let verified = lab.run(&["verify", "out/certificate.json"]).ends(1);
    assert!(verified.prints("can stay unseen, and if it was chosen after looking at the decks, one can be made that is not there"), "{verified}");
}

/// A start order that somebody states moves the places where order, cycles and draws are looked at, so that it can hide what they would find:
/// every text of a pass names it. The order of the numbering is no statement.
#[test]
fn a_pass_names_the_start_order_that_was_stated() {
    let lab = Lab::new();
    write_decks(&lab, "fair.raw", "certified:1", 1_200, &[]);
    let order: Vec<String> = (0..52).rev().map(|number: u8| number.to_string()).collect();
    lab.write("order.txt", order.join(" "));
    let by_suits: Vec<String> =
        (0..52_u8).map(|number| (4 * (number % 13) + number / 13).to_string()).collect();
    lab.write("suits.txt", by_suits.join(" "));
    let fixed = words("audit --tiers core --source raw:fair.raw --out");
    let audit = |out: &'static str, more: &str| {
        lab.run(&[&fixed[..], &[out], &more.split_whitespace().collect::<Vec<_>>()].concat()).ends(0)
    };

    let all = battery::abouts().count();
    let output = audit("stated", "--start-order order.txt");
    assert!(output.out.starts_with(&format!(
        "PASS: No fault, by 6 of {all} statistics and a stated, unchecked start order.\n"
    )));
    let cards = "As Ah Ad Ac Ks";
    let start = format!("Start order of the dealer as stated, not checked: {cards}");
    let screen = output.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(screen.contains(&start) && screen.contains("2s 2h 2d 2c"), "{output}");
    let report = lab.text("stated/report.html");
    for named in [
        &format!("No fault, by 6 of {all} statistics and a stated, unchecked start order."),
        "show no departure from a fair shuffle, judged by a start order that was stated and not checked (",
        &format!("order of the dealer as stated, not checked: {cards}"),
        "It does not show that the dealer starts from the stated order",
    ] {
        assert!(report.contains(named), "{named}");
    }
    let output = lab.run(&["verify", "stated/certificate.json"]).ends(0);
    assert!(output.prints("judged by a start order that was stated and not checked"), "{output}");
    assert!(
        output.prints(&format!("Not checked: that the dealer starts from the stated order, {cards}")),
        "{output}"
    );
    let output = audit("french", "--start-order order.txt --language fr");
    assert!(
        output.prints(&format!("Aucun défaut, selon 6 des {all} statistiques, ordre de départ non vérifié.")),
        "{output}"
    );
    assert!(lab.text("french/report.html").contains("ordre de départ déclaré et non vérifié"));
    let output = audit("one-line", "--start-order order.txt --quiet");
    assert!(output.prints("judged by a start order that was stated and not checked"), "{output}");

    // Numbers by suits, and the order of ranks for a dealer that does not start by them.
    for (more, is_stated) in [
        ("", false),
        ("--numbering suit-rank", false),
        ("--numbering suit-rank --start-order suits.txt", true),
        ("--start-order suits.txt", true),
    ] {
        if lab.exists("other") {
            std::fs::remove_dir_all(lab.path("other")).expect("it is the one before");
        }
        let output = audit("other", more);
        assert_eq!(output.prints("start order"), is_stated, "{more}: {output}");
        assert_eq!(lab.text("other/report.html").contains("as stated, not checked"), is_stated, "{more}");
        let output = lab.run(&["verify", "other/certificate.json"]).ends(0);
        assert_eq!(output.prints("the stated order"), is_stated, "{more}: {output}");
    }
}

#[test]
fn the_list_names_every_statistic_and_every_regulators_name() {
    let lab = Lab::new();
    let list = lab.run(&["audit", "--list", "--json"]).json();
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
    let listed = lab.run(&["audit", "--list"]).out;
    assert!(
        listed.contains("Kolmogorov-Smirnov test: deck.kolmogorov-smirnov") && !listed.contains("not built")
    );

    // Every answer is met by some p-value of a real audit.
    let audit =
        "audit --source flawed:certified:3 --without recovered-generator --decks 10000 --json --out out";
    let outcome = lab.run(&words(&format!("{audit} --rules stud-8b --players 4"))).json();
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
    let lab = Lab::new();
    write_decks(&lab, "few.raw", "certified:5", 8, &[]);
    let audit = words("audit --source raw:few.raw --without recovered-generator --out out");
    let output = lab.run(&audit).ends(2);
    let words = output.out;
    let one = "Audit at least 1,000 decks: with fewer this plan passes no shuffler.";
    let plain = words.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in ["INCONCLUSIVE", "8 decks feed", one] {
        assert!(plain.contains(sentence), "{sentence}: {words}");
    }
    // One number to repeat with; what single statistics take stands in JSON and in the report.
    assert!(!plain.contains("needs 10 decks"), "{words}");
    let output = lab.run(&[&audit[..], &["--json"]].concat());
    let limits = &output.json()["limits"];
    let hungry = limits["statistics_not_fed"].as_array().expect("a list");
    assert!(hungry.iter().any(|one| one["id"] == "deck.adjacency" && one["decks_more"] == 2), "{limits}");
}

#[test]
fn a_plan_runs_what_it_lists_and_claims_no_power_that_was_not_measured() {
    let lab = Lab::new();
    let audit = |more: &[&str], out: &str| {
        let fixed = ["audit", "--source", "flawed:certified:3", "--decks", "2000", "--json", "--out", out];
        lab.run(&[&fixed, more].concat()).json()
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
        lab.run(&["verify", "--rerun", &certificate]).must_print("is consistent");
        // Not one text speaks of what all tiers would catch.
        let report = lab.text(&format!("{out}/report.html"));
        assert!(report.contains("was not measured") && !report.contains("this battery catches"), "{out}");
    }
    assert_eq!(two["limits"]["power"], "not measured");
    assert_eq!(two["limits"]["flawed_dealers_shown"], Value::Array(Vec::new()));
    let planned = lab.run(&["plan", "--decks", "1e6", "--tiers", "core"]).out;
    assert!(planned.contains("was not measured"), "{planned}");

    check_refused(&lab, &["audit", "--statistics", "horoscope", "--out", "refused"], "horoscope");
    let nothing = ["audit", "--statistics", "cycles", "--tiers", "deep", "--out", "refused"];
    check_refused(&lab, &nothing, "wanted some of");
}
