//! Decks of a package that come from programs and files: counted once a draw, supplied by item, kept, and judged as one family.

use std::path::Path;
use std::sync::OnceLock;

use deckproof::audit::verdict::Verdict;
use deckproof::battery::View;
use deckproof::project::facts::Facts;
use deckproof::project::frozen::Frozen;
use deckproof::project::package::inputs::Inputs;
use deckproof::project::supplied_decks::gzip::{packed, unpacked};

use crate::common::lab::{KEY, Lab, binary, deck, index_line, lines};
use crate::common::package::{
    FILLED, certify, cover, inputs as inputs_of, package_of, report, section, without_pages, write_package,
};
use crate::repeat::{DECKS, suspect_then_fair};

/// A program that gives other decks whenever it is started: those of the next of a hundred keys.
pub fn next(lab: &Lab, form: &str, decks: u64) -> &'static str {
    let key = &KEY[..62];
    let script = format!(
        "n=$(cat n 2>/dev/null || echo 10); echo $((n + 1)) > n\nexec {} stream --source audit:{key}$n --as {form} --decks {decks}\n",
        binary().display()
    );
    lab.write("next.sh", script);
    "cmd:sh next.sh"
}

pub fn item(id: &str, source: &str, decks: u64, more: &str) -> String {
    let output = format!(
        "name = \"{id}\"\ncondition = \"As received.\"\ndescription = \"It shuffles.\"\nfiles = [\"project.toml\"]\n"
    );
    format!(
        "[[item]]\nid = \"{id}\"\n{output}source = \"{source}\"\ndecks = {decks}\ntiers = [\"core\"]\n{more}"
    )
}

/// Everything of a project but its items.
pub fn head() -> String {
    let fixed = "format = \"deckproof/project/v1\"\nlanguage = \"en\"\nselftest = \"known-answers\"\n[report]\nnumber = \"T-1\"\n";
    format!("{fixed}issued = \"2024-11-22\"\n{FILLED}")
}

/// Whoever lists the customer's export, a copy of it or his words as the files of an item names nothing that shuffled.
#[test]
fn files_that_hold_the_decks_themselves_identify_no_item() {
    let lab = Lab::new();
    let decks = lines(1..=1_000);
    lab.write("exports/1.csv", &decks[..decks.len() / 2]);
    lab.write("exports/2.csv", &decks[decks.len() / 2..]);
    for name in ["decks.csv", "copy.csv"] {
        lab.write(name, &decks);
    }
    lab.write("capture.bin", (0..4_000u32).map(|n| (n * n % 251 + 1) as u8).collect::<Vec<u8>>());
    lab.write("shuffler", "the shuffler\n");
    lab.write("empty", "");
    let made = |source: &str, files: &str, more: &str, out: &str| {
        let own = item("main", source, 1_000, more).replace("\"project.toml\"", files);
        lab.write("project.toml", head() + &own);
        let output = certify(&lab, &["--out", out]);
        (output, lab.run(&["verify", out]))
    };
    let words = "words = { file = \"capture.bin\" }\n";
    for (source, files, more, out) in [
        ("csv:decks.csv", "\"decks.csv\"", "", "own"),
        ("decks.csv", "\"./decks.csv\"", "", "bare"),
        ("csv:./exports/../decks.csv", "\"copy.csv\"", "", "copied"),
        ("csv:exports", "\"exports/2.csv\"", "", "folder"),
        ("csv:decks.csv", "\"capture.bin\", \"decks.csv\"", words, "words"),
        ("csv:decks.csv", "\"empty\", \"decks.csv\"", "", "nothing"),
    ] {
        let (output, verified) = made(source, files, more, out);
        let alone = "Every listed file of the item main is empty, or is one whose decks";
        for text in [&output.out, &verified.out] {
            assert!(text.contains(alone) && text.contains("item.files"), "{out}: {text}{output}");
        }
        let facts = &report(&lab, out)["facts"];
        // Bytes that repeat are no random words; everywhere else the tests passed.
        if more.is_empty() {
            assert_eq!((output.code, verified.code), (2, 2), "{out}: {output}");
            assert_eq!(facts["headline"], "incomplete", "{out}");
        }
    }
    let (output, verified) = made("csv:decks.csv", "\"decks.csv\", \"shuffler\"", "", "both");
    assert_eq!((output.code, verified.code), (0, 0), "{output}");
}

/// One export for two items examines one shuffler at most: by its bytes before anything is counted, and by its integers where the
/// bytes were written anew. Two parts or two columns of one file are two samples.
#[test]
fn the_same_decks_for_two_items_give_no_report() {
    let lab = Lab::new();
    let decks = lines(1..=1_000);
    for name in ["a.txt", "b.txt"] {
        lab.write(name, &decks);
    }
    lab.write("c.txt", decks.replace(' ', ","));
    lab.write("long.txt", lines(1..=2_000));
    let columns = decks.lines().zip(lines(2_001..=3_000).lines().map(str::to_owned).collect::<Vec<_>>());
    let columns: String = columns.map(|(one, two)| format!("{one},{two}\n")).collect();
    lab.write("columns.csv", format!("one_deck,two_deck\n{columns}"));
    let made = |(first, more): (&str, &str), (second, other): (&str, &str), out: &str| {
        lab.write(
            "project.toml",
            head() + &item("main", first, 1_000, more) + &item("second", second, 1_000, other),
        );
        certify(&lab, &["--out", out])
    };
    let records = |range: &str| format!("settings = {{ records = \"{range}\" }}\n");
    let (early, late) = (records("1..1000"), records("1001..2000"));
    for (first, second, out) in [
        (("csv:a.txt", ""), ("csv:b.txt", ""), "copy"),
        (("csv:a.txt", ""), ("a.txt", ""), "twice"),
        (("csv:long.txt", early.as_str()), ("csv:long.txt", ""), "overlap"),
    ] {
        let output = made(first, second, out);
        let (one, two) = (first.0.trim_start_matches("csv:"), second.0.trim_start_matches("csv:"));
        let wanted =
            format!("the items main and second have the same decks: {one} and {two} have the SHA-256 ");
        assert!(
            output.code == 2 && output.warns(&wanted) && output.warns("No report was written"),
            "{output}"
        );
        assert!(!lab.exists(&format!("{out}/plan.toml")), "{output}");
    }
    let output = made(("csv:a.txt", ""), ("csv:c.txt", ""), "commas");
    let wanted = "a.txt and c.txt gave the same integers in the audits main.decks and second.decks";
    assert!(output.code == 2 && output.warns(wanted) && !lab.exists("commas/report.json"), "{output}");
    made(("csv:long.txt", &early), ("csv:long.txt", &late), "parts").ends(0);
    let column = |name: &str| format!("settings = {{ deck_column = \"{name}\" }}\n");
    let (one, two) = (column("one_deck"), column("two_deck"));
    made(("csv:columns.csv", &one), ("csv:columns.csv", &two), "columns").ends(0);
}

/// Records that the project leaves out are named wherever the sample is: the result is not theirs.
#[test]
fn a_part_of_the_records_is_called_a_part_on_the_first_page_and_where_the_sample_is_described() {
    let lab = Lab::new();
    lab.write("d.txt", lines(1..=3_000));
    let rows =
        (1..=1_000).map(|n| format!("{n},{}", index_line(&deck(n))) + if n % 200 == 0 { "x,\n" } else { "" });
    lab.write("e.csv", String::from("id,deck\n") + &rows.collect::<String>());
    let made = |source: &str, decks: u64, more: &str, out: &str| {
        let text =
            head().replace("by = \"laboratory\"", "by = \"customer\"") + &item("main", source, decks, more);
        lab.write("project.toml", text + "[package]\nvolumes = true\n");
        let output = certify(&lab, &["--out", out, "--quiet"]).ends(0);
        let verified = lab.run(&["verify", out]).ends(0);
        let report = report(&lab, out);
        let section = |id: &str| section(&report, id).to_string();
        let certificate = lab.text(&format!("{out}/certificate.html"));
        (
            [output.out, verified.out, cover(&report), section("summary"), section("sampling"), certificate],
            section("premises"),
        )
    };
    let part = "records of its file were examined, records";
    for (decks, more, wanted, out) in [
        (
            1_000,
            "settings = { records = \"2001..\" }\n",
            "1,000 of the 3,000 records of its file were examined, records 2,001 to 3,000.",
            "named",
        ),
        (2_000, "", "2,000 of the 3,000 records of its file were examined, records 1 to 2,000.", "first"),
    ] {
        let (texts, premises) = made("csv:d.txt", decks, more, out);
        for text in &texts {
            assert!(
                text.contains(wanted) && text.contains("does not apply to the other records"),
                "{out}: {text}"
            );
            assert!(
                !text.contains("No deck is left out") && !text.contains("apply to the sample as received"),
                "{text}"
            );
        }
        assert!(
            texts[2].contains("the examined records of the sample as received")
                && !premises.contains("customer"),
            "{premises}"
        );
    }
    let (texts, _) = made("csv:e.csv", 1_000, "settings = { empty_deck = \"skip:5%\" }\n", "empty");
    for text in &texts {
        assert!(
            text.contains("records without a deck were passed over") && text.contains("(main.decks: 5)"),
            "{text}"
        );
        assert!(!text.contains(part), "{text}");
    }
    let (texts, premises) = made("csv:d.txt", 3_000, "", "whole");
    assert!(texts.iter().all(|text| !text.contains(part) && !text.contains("passed over")), "{texts:?}");
    assert!(
        texts[2].contains("apply to the sample as received") && premises.contains("customer"),
        "{premises}"
    );
}

/// Three items: a random program, one whose decks are kept, and a file of 3,000 decks.
fn several() -> &'static Lab {
    static LAB: OnceLock<Lab> = OnceLock::new();
    LAB.get_or_init(|| {
        let lab = Lab::new();
        let settings = "settings = { format = \"indices\" }\n";
        let mut text = head();
        let program = next(&lab, "indices", 6_000);
        text += &item("loose", program, 1_000, settings);
        text += &item("kept", program, 1_000, &format!("{settings}keep_stream = true\n"));
        text += &item("file", "csv:decks.csv", 1_000, "");
        text += "[[usage]]\nrules = [\"stud-hi\"]\nplayers = [7]\ndecks = 1000\n";
        lab.write("project.toml", text);
        lab.write("decks.csv", lines(1..=3_000));
        certify(&lab, &["--out", "out"]).ends(0);
        lab
    })
}

fn inputs(lab: &Lab) -> Inputs {
    inputs_of(package_of(lab, "out"))
}

#[test]
fn decks_are_counted_once_a_draw() {
    let facts = Facts::of(&inputs(several()));
    let first: u64 = facts.audits.iter().map(|own| own.decks_first + own.decks_repeat.unwrap_or(0)).sum();
    let of = |id: &str| facts.items.iter().find(|own| own.item == id).expect("an item").decks;
    let drawn = |id: &str| -> u64 {
        let own = facts.audits.iter().filter(|own| own.item == id);
        own.map(|own| own.decks_first + own.decks_repeat.unwrap_or(0)).sum()
    };
    // Each start of a program draws; the tables of a file read other records than the audit of decks.
    assert_eq!((of("loose"), of("kept")), (drawn("loose"), drawn("kept")));
    assert!(of("loose") >= 2_000 && of("file") >= 2_000 && of("file") <= 3_000);
    assert!(facts.decks <= first);
    // A table that reads what the audit of decks read draws nothing more.
    let mut inputs = inputs(several());
    for audit in &mut inputs.certificates {
        if audit.result.source.kind() == "recorded" {
            audit.result.source = serde_json::from_value(serde_json::json!({
                "kind": "recorded", "sha256": "0".repeat(64), "format": "indices", "numbering": "rank-suit", "file_records": 3000
            })).expect("a record");
        }
    }
    let file = Facts::of(&inputs).items.iter().find(|own| own.item == "file").expect("an item").decks;
    assert!(file < 2_000 || file == 5_000, "{file}");
}

#[test]
fn each_item_is_supplied_by_its_name_and_what_is_random_is_not_refused() {
    let lab = several();
    // Nothing supplied: what the package keeps is counted again, and the rest is awaited.
    let output = lab.run(&["verify", "--rerun", "out"]).ends(2);
    output.must_print("must be supplied with --source: ");
    output.must_print("that the package keeps, every integer the same");
    // One source for two items is not guessed at.
    let output = lab.run(&["verify", "--rerun", "--source", "csv:decks.csv", "out"]).ends(2);
    output.must_warn("Wanted ITEM=SOURCE for each of loose, file");
    let output = lab.run(&["verify", "--rerun", "--source", "other=csv:decks.csv", "out"]).ends(2);
    output.must_warn("found --source for \"other\"");
    let loose = "loose=cmd:sh next.sh";
    let output =
        lab.run(&["verify", "--rerun", "--source", "file=csv:decks.csv", "--source", loose, "out"]).ends(2);
    output.must_not_print("refused");
    let wanted = "whose program gave other decks this time: loose.decks, loose.stud-hi.7.";
    output.must_print(wanted);
}

/// Decks that the package keeps are as strong as their integers: one that is exchanged is seen.
#[test]
fn a_kept_deck_that_was_exchanged_is_refused() {
    let mut inputs = inputs(several());
    let lab = Lab::new();
    lab.write("decks", {
        let mut decks = unpacked(&inputs.kept["decks/kept.decks.raw.gz"]).expect("gzip");
        assert_eq!(decks.len(), 52_000);
        decks.swap(0, 1);
        decks
    });
    let exchanged = packed(Path::new(&lab.path("decks"))).expect("it is packed");
    inputs.kept.insert("decks/kept.decks.raw.gz".to_owned(), exchanged);
    write_package(&lab, &without_pages(inputs));
    assert_eq!(lab.run(&["verify", "out"]).code, 0, "it holds together");
    lab.run(&["verify", "--rerun", "out"]).ends(1).must_print("certificates/kept.decks.json: counted again");
}

fn frozen(lab: &Lab, out: &str) -> Frozen {
    let text = lab.text(&format!("{out}/plan.toml"));
    Frozen::parse(&text).expect("it is sound")
}

fn part(frozen: &Frozen, id: &str) -> (Option<String>, Option<String>, Option<u64>) {
    let audit = frozen.audits.iter().find(|own| own.id == id).expect("an audit");
    let own = |name: &str| audit.plan.source.shown(name);
    (own("first_record"), own("last_record"), audit.plan.repeat.as_ref().map(|repeat| repeat.decks))
}

/// Tables read successive parts of a file, and the repeat is planned from what follows.
#[test]
fn tables_of_a_file_read_successive_parts_and_the_rest_repeats() {
    let lab = Lab::new();
    lab.write("decks.csv", lines(1..=4_000));
    let usage = "[[usage]]\nrules = [\"stud-hi\"]\nplayers = [2, 3, 4]\ndecks = 500\n";
    lab.write("project.toml", format!("{}{}{usage}", head(), item("main", "csv:decks.csv", 1_000, "")));
    let output = certify(&lab, &["--out", "out", "--plan-only"]).ends(0);
    let own = frozen(&lab, "out");
    let wanted = |first: u64, last: u64, repeat| (Some(first.to_string()), Some(last.to_string()), repeat);
    // What no first look reads is said, and so is what a repeat would read of it; no record is read twice.
    for words in [
        "main: no first look reads 1,500 of the 4,000 records of its file.",
        "main: repeats that are due read 1,500 of them.",
    ] {
        output.must_print(words);
    }
    output.must_not_print("more than one audit");
    // Of 4,000 records: four times as many, or what is left.
    assert_eq!(part(&own, "main.decks"), wanted(1, 1_000, Some(3_000)));
    assert_eq!(part(&own, "main.stud-hi.2"), wanted(1_001, 1_500, Some(2_000)));
    assert_eq!(part(&own, "main.stud-hi.3"), wanted(1_501, 2_000, Some(2_000)));
    assert_eq!(part(&own, "main.stud-hi.4"), wanted(2_001, 2_500, Some(1_500)));
    // Nobody chooses among records: a campaign that reads others is of no project.
    let mut other = own.clone();
    other.audits.swap(1, 2);
    let project = deckproof::project::settings::Project::parse(&lab.text("project.toml"));
    assert!(other.check_against(project.as_ref().expect("sound")).is_err());
    // A file that is too short for all is begun anew, and what limits the records leaves no rest.
    let usage = usage.replace("500", "2500");
    lab.write("project.toml", format!("{}{}{usage}", head(), item("main", "csv:decks.csv", 1_000, "")));
    let output = certify(&lab, &["--out", "short", "--plan-only"]).ends(0);
    for words in [
        "main: more than one audit reads 2,500 of the 4,000 records of its file. The file is too short for all audits",
        "main: no first look reads 1,500 of the 4,000 records of its file.",
    ] {
        output.must_print(words);
    }
    assert_eq!(part(&frozen(&lab, "short"), "main.stud-hi.2"), wanted(1, 2_500, None));
    let limited = item("main", "csv:decks.csv", 1_000, "settings = { records = \"1..2000\" }\n");
    lab.write("project.toml", format!("{}{limited}", head()));
    certify(&lab, &["--out", "limited", "--plan-only"]).ends(0);
    assert_eq!(part(&frozen(&lab, "limited"), "main.decks"), wanted(1, 1_000, None));
}

/// Sums of cards by place, counted here from bytes: how often each of 52 cards lay in each of 52 places, in order of size.
fn cells(records: &[u8]) -> Vec<u64> {
    let mut cells = vec![0; 52 * 52];
    for deck in records.chunks_exact(52) {
        deck.iter().enumerate().for_each(|(place, card)| cells[place * 52 + usize::from(*card)] += 1);
    }
    cells.sort_unstable();
    cells
}

/// The repeat is not planned alone: it is counted, of the records that follow those of the first look and of no others.
#[test]
fn a_repeat_of_recorded_decks_is_counted_from_the_rest_of_the_file() {
    let bytes = suspect_then_fair().read("decks.raw");
    let lab = Lab::new();
    lab.write("decks.raw", &bytes);
    lab.write("project.toml", format!("{}{}", head(), item("main", "raw:decks.raw", DECKS, "")));
    let output = certify(&lab, &["--out", "out"]);
    // The first look asks, the repeat finds nothing, and 500 decks in all are too few to pass.
    assert_eq!(output.code, 2, "{output}");
    // A question that was asked is passed over nowhere: the screen and the first page name the repeat that decided.
    let decided = "The audit main.decks was decided by its declared repeat: the first look at 100 decks gave investigate";
    let cover = cover(&report(&lab, "out"));
    let again = lab.run(&["verify", "out"]);
    for (place, text) in [("certify", &output.out), ("the first page", &cover), ("verify", &again.out)] {
        assert!(text.contains(decided) && text.contains("the repeat on the next 400"), "{place}: {text}");
    }
    let inputs = inputs(&lab);
    let result = &inputs.certificates[0].result;
    let repeat = result.repeat.as_ref().expect("it was counted");
    assert_eq!((result.first.verdict, repeat.verdict), (Verdict::Investigate, Verdict::Pass));
    assert_eq!((repeat.first_deck, repeat.decks), (DECKS, 4 * DECKS));
    let (first, rest) = bytes.split_at(52 * DECKS as usize);
    for (look, records) in [(&result.first, first), (repeat, rest)] {
        let mut tallies = look.tallies.iter();
        let tally =
            tallies.find(|tally| tally.id == "card-place" && tally.view == View::Deck).expect("a core test");
        let mut counts = tally.counts.clone();
        counts.sort_unstable();
        assert_eq!(counts, cells(records));
    }
    // With the rest gone there is nothing to repeat from, and the question stays open.
    lab.write("decks.raw", first);
    certify(&lab, &["--out", "alone"]).ends(3);
}

/// One audit of several that says investigate by itself is what chance gives; the first page says so, and the verdict is that
/// of all of them.
#[test]
fn one_of_several_recorded_audits_is_judged_among_all() {
    let mut inputs = inputs(several());
    let count = inputs.certificates.len();
    for certificate in &mut inputs.certificates {
        let result = &mut certificate.result;
        (result.verdict, result.repeat, result.repeat_missing) = (Verdict::Pass, None, None);
        (result.plan.repeat, result.first.family_p_value) = (None, 0.5);
    }
    let mut alone = |p_value: f64| {
        let result = &mut inputs.certificates[count - 1].result;
        (result.verdict, result.first.family_p_value) = (Verdict::Investigate, p_value);
        Facts::of(&inputs)
    };
    let facts = alone(0.009);
    let own = facts.audits.last().expect("an audit");
    assert_eq!(
        (own.verdict, own.verdict_in_family, facts.verdict),
        (Verdict::Investigate, Verdict::Pass, Verdict::Pass)
    );
    assert!((own.adjusted_p_value - 0.009 * count as f64).abs() < 1e-12);
    assert_eq!((facts.family.alone, facts.family.tests), (1, count as u64));
    let note = deckproof::project::content::observed::alone(
        &facts,
        deckproof::document::words::Language::English.words(),
    );
    assert!(note.expect("one says so").contains("6\u{a0}% of all campaigns"), "1 - 0.99^6 = 5.85 %");
    let facts = alone(0.000_9);
    assert_eq!(facts.verdict, Verdict::Investigate);
}

/// The example says in a comment what to change for a customer's file; who does that and nothing else has a report.
#[test]
fn the_example_becomes_one_of_a_customers_file_by_what_it_says() {
    let lab = Lab::new();
    lab.write("export.csv", lines(1..=1_000));
    let example = lab.run(&["certify", "--example"]).out;
    let (mut text, usage) = (example.clone(), example.find("\n[[usage]]").expect("tables"));
    let end = usage + example[usage..].find("\n\n").expect("another section follows");
    text.replace_range(usage..end, "");
    let says = "change four things: source = \"csv:export.csv\", decks = as many as the file has, raw_words = 0, and take out\n# [[usage]]";
    assert!(example.contains(says));
    for (from, to) in [
        ("source = \"audit\"\n", "source = \"csv:export.csv\"\n"),
        ("decks = 20_000", "decks = 1_000"),
        ("raw_words = 200_000", "raw_words = 0"),
        // These two are for the test alone, which has a second and not a minute.
        ("tiers = [\"core\", \"deep\"]", "tiers = [\"core\"]"),
        ("selftest = \"full\"", "selftest = \"known-answers\""),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    lab.write("project.toml", text);
    certify(&lab, &["--out", "out"]).ends(2).must_print("TESTS PASSED, REPORT INCOMPLETE: 1 audit");
}
