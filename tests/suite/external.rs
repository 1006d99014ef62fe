//! Texts of other test programs are read for what they say, whole or not at all.
//!
//! `fixtures/external/dieharder-*.txt` were printed by dieharder itself. The other texts follow the formats that the
//! programs' manuals and published runs show; no file of those programs was at hand.

use std::fs;
use std::path::Path;

use deckproof::document::words::Language;
use deckproof::document::{Block, Stands, Value};
use deckproof::external::ExternalSays::{Failed, Passed, Suspicious};
use deckproof::external::ExternalTool::{Dieharder, NistSts, PractRand, TestU01};
use deckproof::external::listing::{Attached, blocks, results};
use deckproof::external::{BYTES_MAX, ExternalResults, ExternalSays, ExternalTool, read};

fn accepted(tool: ExternalTool, text: &str) -> ExternalResults {
    read(tool, text.as_bytes()).expect("the text is one of this program")
}

fn refused(tool: ExternalTool, text: &str) -> String {
    read(tool, text.as_bytes()).expect_err("the text is none of this program").to_string()
}

/// Why a text is refused in which something was written otherwise.
fn spoiled(tool: ExternalTool, text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    refused(tool, &text.replace(from, to))
}

const PRACTRAND: &str = "\
RNG_test using PractRand version 0.95
RNG = RNG_stdin32, seed = unknown
test set = core, folding = standard (32 bit)

rng=RNG_stdin32, seed=unknown
length= 128 megabytes (2^27 bytes), time= 2.4 seconds
  Test Name                         Raw       Processed     Evaluation
  [Low1/32]BCFN(2+2,13-6,T)         R= +12.3  p =  5.4e-6   suspicious
  ...and 116 test result(s) without anomalies

rng=RNG_stdin32, seed=unknown
length= 256 megabytes (2^28 bytes), time= 5.1 seconds
  Test Name                         Raw       Processed     Evaluation
  [Low8/32]Gap-16:B                 R=  -4.1  p =1-1.9e-3   unusual
  DC6-9x1Bytes-1                    R=  +5.0  p = 0.012     unusual
  BRank(12):768(1)                  R=+583.3  p~=  1.2e-176   FAIL !!!!
  ...and 123 test result(s) without anomalies
";

const TESTU01: &str = "\
========= Summary results of SmallCrush =========

 Version:          TestU01 1.2.3
 Generator:        stdin
 Number of statistics:  15
 Total CPU time:   00:00:09.71
 The following tests gave p-values outside [0.001, 0.9990]:
 (eps  means a value < 1.0e-300):
 (eps1 means a value < 1.0e-15):

       Test                          p-value
 ----------------------------------------------
  1  BirthdaySpacings                 eps
  2  Collision                      1 - eps1
  6  MaxOft                          0.9996
  6  MaxOft AD                       2.0e-4
 ----------------------------------------------
 All other tests were passed
";

const STS: &str = "\
------------------------------------------------------------------------------
RESULTS FOR THE UNIFORMITY OF P-VALUES AND THE PROPORTION OF PASSING SEQUENCES
------------------------------------------------------------------------------
   generator is <words.bin>
------------------------------------------------------------------------------
 C1  C2  C3  C4  C5  C6  C7  C8  C9 C10  P-VALUE  PROPORTION  STATISTICAL TEST
------------------------------------------------------------------------------
  8  14  15   8  15   7  11   6   7   9  0.275709     99/100     Frequency
 92   2   1   0   1   1   2   0   0   1  0.000000 *   30/100  *  Runs
  1   1   1   1   1   1   1   1   1   1  0.911413     10/10      CumulativeSums
  0   0   0   0   0   0   0   0   0   0     ----     ------     RandomExcursions

- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
The minimum pass rate for each statistical test with the exception of the
random excursion (variant) test is approximately = 96 for a sample size = 100
";

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/external").join(name);
    fs::read_to_string(path).expect("the fixture is there")
}

/// A result of others as it is attached, of which nobody said more.
fn attached(file: &str, results: ExternalResults) -> Attached {
    Attached { results, file: file.to_owned(), sha256: "a".repeat(64), by: None, of: None, date: None }
}

/// Counted in the texts by `grep -c WEAK`, `FAILED` and `PASSED`.
#[test]
fn dieharder_is_read_as_it_printed() {
    let own = accepted(Dieharder, &fixture("dieharder-own-words.txt"));
    let counts = |found: &ExternalResults| [Passed, Suspicious, Failed].map(|says| found.count_of(says));
    assert_eq!(counts(&own), [4, 1, 0]);
    assert_eq!((own.version.as_deref(), own.about.as_deref()), (Some("3.31.1"), Some("stdin_input_raw")));
    let first = &own.results[0];
    assert_eq!((first.test.as_str(), first.p_value), ("diehard_birthdays 0", Some(0.999_993_05)));
    // Only the row below its head names the generator.
    let (before, after) = ("a|b|c|\n", "\nx|y|z|\n");
    let more = format!("{before}{}{after}", fixture("dieharder-own-words.txt"));
    assert_eq!(accepted(Dieharder, &more).about, own.about);
    let bare = "diehard_runs|   0|    100000|     20|0.5|  PASSED  \n";
    let bare = accepted(Dieharder, &format!("{before}{bare}{after}"));
    assert_eq!(bare.about, None);
    let randu = accepted(Dieharder, &fixture("dieharder-randu.txt"));
    assert_eq!((counts(&randu), randu.says()), ([3, 0, 1], Failed));
}

/// What is attached stands beside the verdict, flagged, and a contradiction is said.
#[test]
fn attached_results_stand_beside_the_verdict() {
    let [calm, randu] = ["dieharder-own-words.txt", "dieharder-randu.txt"]
        .map(|name| attached(name, accepted(Dieharder, &fixture(name))));
    for language in Language::ALL {
        let words = language.words();
        let output = |attached: &[Attached], verdict| {
            serde_json::to_string(&blocks(attached, verdict, "XYZ", words)).expect("plain data")
        };
        assert_eq!(output(&[], Stands::Good), "[]");
        for (attached, verdict, is_contradiction) in [
            (vec![calm.clone()], Stands::Good, false),
            (vec![calm.clone(), randu.clone()], Stands::Good, true),
            (vec![randu.clone()], Stands::Bad, false),
            (vec![randu.clone()], Stands::Open, false),
        ] {
            let text = output(&attached, verdict);
            assert_eq!(
                text.contains(words.external.disagreement),
                is_contradiction,
                "{verdict:?} {}",
                language.code()
            );
            assert_eq!(text.contains(words.external.agreement), !is_contradiction);
            assert!(text.contains(words.external.about));
        }
        let annex = results(std::slice::from_ref(&randu), words);
        assert!(matches!(&annex[..], [Block::Table(table)] if table.rows.len() == 4));
    }
}

/// The rows of a table, as they are read.
fn rows(block: &Block) -> Vec<Vec<String>> {
    let Block::Table(table) = block else { panic!("{block:?} is no table") };
    let cell = |value: &Value| match value {
        Value::Text(text) | Value::Hash(text) => text.clone(),
        Value::Empty => "to be filled in".to_owned(),
    };
    table.rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

#[test]
fn what_is_attached_is_told_column_by_column() {
    let long = Attached {
        results: accepted(PractRand, PRACTRAND),
        file: "a.txt".to_owned(),
        sha256: "a".repeat(64),
        by: Some("Another laboratory".to_owned()),
        of: Some("words of main".to_owned()),
        date: Some("2026-11-01".parse().expect("a day")),
    };
    let short = Attached {
        results: accepted(Dieharder, &fixture("dieharder-own-words.txt")),
        file: "b.txt".to_owned(),
        sha256: "b".repeat(64),
        by: None,
        // Blanks name nothing.
        of: Some("  ".to_owned()),
        date: None,
    };
    let attached = [long, short];
    let run_on = "words of main (length= 256 megabytes (2^28 bytes), time= 5.1 seconds)";
    for (language, day) in [(Language::English, "1 November 2026"), (Language::French, "1er novembre 2026")] {
        let words = language.words();
        let own = &words.external;
        let output = blocks(&attached, Stands::Good, "XYZ", words);
        let [_, files, beside, _] = &output[..] else { panic!("{} blocks", output.len()) };
        let (a, b) = ("a".repeat(64), "b".repeat(64));
        let empty = "to be filled in";
        assert_eq!(
            rows(files),
            [
                ["PractRand", "0.95", run_on, "a.txt", &a, "Another laboratory", day],
                ["dieharder", "3.31.1", "stdin_input_raw", "b.txt", &b, empty, empty],
            ]
        );
        assert_eq!(
            rows(beside),
            [
                [own.this_audit, "XYZ", "", "", "", ""],
                ["PractRand, a.txt", own.says_failed, "126", "2", "1", own.disagrees],
                ["dieharder, b.txt", own.says_suspicious, &own.some_of("5", "114"), "1", "0", own.incomplete],
            ]
        );
        let annex = results(&attached, words);
        assert_eq!(
            rows(&annex[0]),
            [
                ["[Low8/32]Gap-16:B", "1-1.9e-3", own.says_suspicious],
                ["DC6-9x1Bytes-1", "0.012", own.says_suspicious],
                ["BRank(12):768(1)", "1.2e-176", own.says_failed],
            ]
        );
        assert_eq!(rows(&annex[1])[0], ["diehard_birthdays 0", "0.99999305", own.says_suspicious]);
        for (block, has_more) in annex.iter().zip([true, false]) {
            let Block::Table(table) = block else { panic!("{block:?} is no table") };
            assert_eq!(table.note.contains(&own.unlisted(123)), has_more, "{}", table.note);
        }
    }
}

/// A failure contradicts a pass, and nothing unusual at all contradicts a fail; what is only suspicious contradicts neither.
#[test]
fn only_the_opposite_contradicts_a_verdict() {
    // As many lines as dieharder -a prints: a shorter table contradicts no fail, for what is missing may have failed.
    let calm = "diehard_sums|   0|    100000|     20|0.40000000|  PASSED  \n".repeat(113);
    let attached = |says: &str, p: f64| {
        let text = format!("diehard_runs|   0|    100000|     20|{p:.8}|  {says}  \n{calm}");
        attached("a.txt", accepted(Dieharder, &text))
    };
    for (says, p, contradicts) in
        [("PASSED", 0.5, [false, true]), ("WEAK", 0.004, [false, false]), ("FAILED", 0.0, [true, false])]
    {
        let own = attached(says, p);
        assert_eq!(
            [Stands::Good, Stands::Bad].map(|verdict| own.contradicts(verdict)),
            contradicts,
            "{says}"
        );
        assert!(!own.contradicts(Stands::Open), "{says}");
    }
}

/// A battery that stopped early, or whose failed lines somebody took out, agrees with nothing.
#[test]
fn what_is_not_whole_is_said_and_cannot_agree() {
    let failed = "diehard_runs|   0|    100000|     20|0.00000000|  FAILED  \n";
    let table = "diehard_sums|   0|    100000|     20|0.40000000|  PASSED  \n".repeat(113) + failed;
    let whole = accepted(Dieharder, &table);
    assert!(!whole.is_incomplete() && whole.whole() == Some(114));
    let without = accepted(Dieharder, &table.replace(failed, ""));
    assert!(without.is_incomplete() && without.says() == Passed);
    let text = attached("a.txt", without);
    for language in [Language::English, Language::French] {
        let own = &language.words().external;
        let output = blocks(std::slice::from_ref(&text), Stands::Good, "XYZ", language.words());
        assert_eq!(rows(&output[2])[1][5], own.incomplete);
        assert_eq!(output[3], Block::paragraph(own.incompleteness));
    }
    // PractRand writes “...and” only behind what is unusual, and “no anomalies” only without it.
    let block = "length= 128 megabytes (2^27 bytes), time= 2.4 seconds\n";
    for other in [
        "  ...and 116 test result(s) without anomalies\n",
        "  BRank(12):768(1)  R=+1  p~=1e-9  FAIL\n  no anomalies in 117 test result(s)\n",
    ] {
        assert!(read(PractRand, format!("{block}{other}").as_bytes()).is_err(), "{other}");
    }
}

#[test]
fn practrand_is_read_at_its_longest_length() {
    let found = accepted(PractRand, PRACTRAND);
    assert_eq!((found.count(), found.unlisted, found.results.len()), (126, 123, 3));
    assert_eq!(found.version.as_deref(), Some("0.95"));
    assert!(found.about.as_deref().is_some_and(|about| about.contains("256 megabytes")));
    let p_values: Vec<f64> = found.results.iter().filter_map(|result| result.p_value).collect();
    assert_eq!(p_values, [1.0 - 1.9e-3, 0.012, 1.2e-176]);
    assert_eq!(found.says(), Failed);
    let calm = PRACTRAND.split("rng=RNG_stdin32").next().expect("a head").to_owned()
        + "length= 128 megabytes (2^27 bytes), time= 2.4 seconds\n  no anomalies in 117 test result(s)\n";
    let calm = accepted(PractRand, &calm);
    assert_eq!((calm.count(), calm.says()), (117, Passed));
}

#[test]
fn testu01_is_read_from_its_summary() {
    let found = accepted(TestU01, TESTU01);
    assert_eq!((found.count(), found.unlisted), (15, 11));
    assert_eq!((found.count_of(Passed), found.count_of(Failed)), (11, 2));
    let output: Vec<(&str, ExternalSays)> =
        found.results.iter().map(|row| (row.printed.as_str(), row.says)).collect();
    assert_eq!(
        output,
        [("eps", Failed), ("1 - eps1", Failed), ("0.9996", Suspicious), ("2.0e-4", Suspicious)]
    );
    assert_eq!(
        (found.version.as_deref(), found.about.as_deref()),
        (Some("1.2.3"), Some("SmallCrush, stdin"))
    );
    // A report of a test before the summary is no result of it, and neither is a row of another table.
    let long = format!("***\np-value of test           :    0.63\n  3  Gap, r = 0      eps\n\n{TESTU01}");
    assert_eq!(accepted(TestU01, &long).results, found.results);
}

#[test]
fn nist_sts_is_read_with_its_stars() {
    let found = accepted(NistSts, STS);
    let output: Vec<(&str, Option<f64>, ExternalSays)> =
        found.results.iter().map(|row| (row.test.as_str(), row.p_value, row.says)).collect();
    assert_eq!(
        output,
        [
            ("Frequency (99/100)", Some(0.275_709), Passed),
            ("Runs (30/100)", Some(0.0), Failed),
            ("CumulativeSums (10/10)", Some(0.911_413), Passed),
            ("RandomExcursions (------)", None, Suspicious),
        ]
    );
}

#[test]
fn practrand_is_read_in_each_of_its_spellings() {
    let with = |line: &str| {
        PRACTRAND.replace("  DC6-9x1Bytes-1                    R=  +5.0  p = 0.012     unusual", line)
    };
    for (evaluation, says) in [
        ("normal", Passed),
        ("normalish", Passed),
        ("unusual", Suspicious),
        ("mildly suspicious", Suspicious),
        ("suspicious", Suspicious),
        ("very suspicious", Suspicious),
        ("VERY SUSPICIOUS", Suspicious),
        ("FAIL", Failed),
        ("FAIL !!!!!!!!", Failed),
    ] {
        for sign in ["p =", "p=", "p~="] {
            let text = with(&format!("  DC6-9x1Bytes-1  R=  +5.0  {sign} 1.2e-9     {evaluation}"));
            let found = accepted(PractRand, &text);
            let own = &found.results[1];
            assert_eq!((own.p_value, own.says), (Some(1.2e-9), says), "{sign} {evaluation}");
        }
    }
    // Only a count of results is one.
    assert!(refused(PractRand, &PRACTRAND.replace("123 test result(s)", "123 lights")).contains("no count"));
}

#[test]
fn testu01_fails_beyond_its_guide_on_either_side() {
    let says = |printed: &str| {
        let found = accepted(TestU01, &TESTU01.replace("0.9996", printed));
        (found.results[2].says, found.results[2].p_value.expect("a p-value"))
    };
    assert_eq!(says("2.0e-10"), (Suspicious, 2.0e-10));
    assert_eq!(says("0.5e-10"), (Failed, 0.5e-10));
    assert_eq!(says("1 - 2.0e-10"), (Suspicious, 1.0 - 2.0e-10));
    assert_eq!(says("1 - 0.5e-10"), (Failed, 1.0 - 0.5e-10));
    assert_eq!(says("0.99999999999"), (Failed, 0.99999999999));
    assert_eq!((says("eps"), says("eps1")), ((Failed, 1e-300), (Failed, 1e-15)));
    assert_eq!(says("1 - eps1"), (Failed, 1.0 - 1e-15));
}

#[test]
fn testu01_without_anything_to_list_is_whole() {
    let (head, _) = TESTU01.split_once(" The following tests").expect("it lists some");
    let calm = format!("{}\n\n All tests were passed\n", head.replace(" Generator:        stdin\n", ""));
    let found = accepted(TestU01, &calm);
    assert_eq!((found.count(), found.unlisted, found.says()), (15, 15, Passed));
    assert_eq!(found.about.as_deref(), Some("SmallCrush"));
    // A number alone is no row, and one that names no statistics is no summary.
    let found = accepted(TestU01, &TESTU01.replace(" (eps1 ", " 12  34  0.5\n (eps1 "));
    assert_eq!(found.results.len(), 4);
    assert!(refused(TestU01, &TESTU01.replace("statistics:  15", "statistics:  ?")).contains("no number"));
}

#[test]
fn nist_sts_refuses_what_its_table_never_holds() {
    for (from, to) in [
        ("99/100", "ninety/100"),
        ("99/100", "99/all"),
        ("99/100", "99:100"),
        ("     Frequency", ""),
        ("0.275709", "1.275709"),
        ("0.275709", "NaN"),
        // Ten numbers without what they count are a row cut off.
        ("  0.275709     99/100     Frequency", ""),
    ] {
        assert!(spoiled(NistSts, STS, from, to).starts_with("line 8: "), "{to}");
    }
    assert!(spoiled(NistSts, STS, "P-VALUE", "P").contains("no head"));
    // Rows before the head are of another table.
    assert!(accepted(NistSts, &format!("1 2 3 4 5 6 7 8 9 10 0.5 9/10 Other\n{STS}")).results.len() == 4);
    // Either star is a failure.
    let starred = |row: &str| {
        accepted(NistSts, &STS.replace("  0.275709     99/100     Frequency", row)).results[0].says
    };
    assert_eq!(starred("  0.000001 *   99/100     Frequency"), Failed);
    assert_eq!(starred("  0.275709     90/100  *  Frequency"), Failed);
    assert_eq!(starred("  0.275709     0.9900     Frequency"), Passed);
}

#[test]
fn a_p_value_is_a_plain_number_from_zero_to_one() {
    let row = |p: &str| format!("diehard_runs|   0|    100000|     20|{p}|  FAILED  \n");
    for (printed, p_value) in [("0.00000000", 0.0), ("1.00000000", 1.0), ("1.5e-7", 1.5e-7)] {
        let found = accepted(Dieharder, &row(printed));
        assert_eq!((found.results[0].p_value, found.results[0].printed.as_str()), (Some(p_value), printed));
    }
    for printed in ["1.00000001", "-0.0", "-0.5", "+0.5", ".5", "NaN", "inf", "0.5x", "0,5", ""] {
        assert!(refused(Dieharder, &row(printed)).starts_with("line 1: "), "{printed:?}");
    }
    assert!(refused(Dieharder, &row("0.0").replace("|   0|", "| all|")).starts_with("line 1: "));
}

/// A text whose number contradicts its word was not printed so by its program. Levels: startup.c of dieharder 3.31.1 (0.005 and
/// 0.000001, both ends), RNG_test.cpp of PractRand 0.95 (FAIL above 8.5 orders), assess.c of STS 2.1.2 (0.0001).
#[test]
fn a_word_that_its_number_contradicts_is_refused() {
    let check = |tool: ExternalTool, text: &str, is_read: bool| {
        let found = read(tool, text.as_bytes());
        assert_eq!(found.is_ok(), is_read, "{text}: {found:?}");
    };
    for (p, words) in [
        ("0.00000000", &["FAILED"][..]),
        ("0.00000099", &["FAILED"]),
        // Rounding hides on which side it lay.
        ("0.00000100", &["FAILED", "WEAK"]),
        ("0.00000101", &["WEAK"]),
        ("0.00499999", &["WEAK"]),
        ("0.00500000", &["WEAK", "PASSED"]),
        ("0.99500001", &["WEAK"]),
        ("0.50000000", &["PASSED"]),
        ("0.99999950", &["FAILED"]),
    ] {
        for word in ["PASSED", "WEAK", "FAILED"] {
            let text = format!("diehard_runs|   0|    100000|     20|{p}|  {word}  \n");
            check(Dieharder, &text, words.contains(&word));
        }
    }
    for (p, word, is_read) in [
        ("7.5e-664", "unusual", false),
        ("1-7.5e-664", "VERY SUSPICIOUS", false),
        ("7.5e-664", "FAIL !!!!!!!!", true),
        ("0.300", "FAIL", false),
        ("1-1.9e-3", "very suspicious", false),
        ("1-1.9e-3", "unusual", true),
        ("0.300", "normal", true),
    ] {
        check(PractRand, &PRACTRAND.replace("0.012     unusual", &format!("{p}     {word}")), is_read);
    }
    check(NistSts, &STS.replace("0.000000 *", "0.000000  "), false);
    check(NistSts, &STS.replace("0.275709  ", "0.275709 *"), false);
    check(NistSts, &STS.replace("0.275709  ", "0.000099 *"), true);
}

#[test]
fn what_is_longer_than_any_run_is_refused() {
    let row = "diehard_runs|   0|    100000|     20|0.5|  PASSED  \n";
    assert_eq!(accepted(Dieharder, &row.repeat(100_000)).count(), 100_000);
    assert!(refused(Dieharder, &row.repeat(100_001)).starts_with("found 100001 results"));
    let line = format!("{row}{}\n", "x".repeat(4_097));
    assert!(refused(Dieharder, &line).starts_with("line 2: "));
    assert!(accepted(Dieharder, &line.replacen('x', "", 1)).count() == 1);
}

/// A text cut off would look better than its run was.
#[test]
fn a_text_without_its_end_is_refused() {
    let cut =
        |text: &str, mark: &str| text.split(mark).next().expect("there is text before the mark").to_owned();
    let practrand = cut(PRACTRAND, "  ...and 123");
    assert!(refused(PractRand, &practrand).contains("no count of the other results"));
    assert!(refused(TestU01, &cut(TESTU01, " All other")).contains("without its end"));
    assert!(refused(TestU01, &TESTU01.replace("15\n", "3\n")).contains("4 results"));
    assert!(refused(TestU01, &TESTU01.repeat(2)).contains("2 summaries"));
    assert!(refused(NistSts, &cut(STS, "  8  14")).contains("no result"));
    assert!(refused(NistSts, &cut(STS, "  0.911413")).starts_with("line 10: "));
    // A table cut off between two rows, and below the last.
    for mark in [" 92   2", "  1   1   1   1", "- - -"] {
        let sts = cut(STS, mark);
        assert!(refused(NistSts, &sts).contains("without its end"), "{mark}: {sts}");
    }
    assert!(refused(Dieharder, "").contains("no result"));
}

#[test]
fn a_row_that_cannot_be_is_named_with_its_line() {
    assert!(spoiled(TestU01, TESTU01, "0.9996", "perfect").starts_with("line 15: "));
    assert!(spoiled(PractRand, PRACTRAND, "FAIL !!!!", "fine").starts_with("line 16: "));
    let dieharder = "diehard_runs|   0|    100000|     20|0.5|  PASSED  \n";
    assert!(spoiled(Dieharder, dieharder, "PASSED", "GOOD").starts_with("line 1: "));
}

#[test]
fn hostile_texts_stay_small_and_visible() {
    let row = "evil\u{1b}[2J\u{202e}test|   0|       100|      20|0.27645361|  PASSED  \n";
    let found = accepted(Dieharder, row);
    assert!(!found.results[0].test.contains(['\u{1b}', '\u{202e}']), "{:?}", found.results[0].test);
    let line = "x".repeat(100_000);
    let message = refused(Dieharder, &format!("{line}\u{1b}\n"));
    assert!(message.len() < 300 && !message.contains('\u{1b}'), "{}", message.len());
    for tool in ExternalTool::ALL {
        let refused = |bytes: &[u8]| read(tool, bytes).expect_err("no results");
        assert!(refused(&vec![b' '; BYTES_MAX + 1]).starts_with("found more than 16777216 bytes, wanted"));
        assert!(refused(&[b'a', 0xff]).starts_with("found bytes that are not UTF-8 at 1, wanted"));
        // What one program prints is none of the others'.
        let own = [(PractRand, PRACTRAND), (TestU01, TESTU01), (NistSts, STS)];
        for (other, text) in own.into_iter().filter(|(other, _)| *other != tool) {
            assert!(read(tool, text.as_bytes()).is_err(), "{} read as {}", other.name(), tool.name());
        }
    }
}
