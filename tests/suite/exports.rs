//! Files that an operator really has: every way of writing the same decks gives the same decks and the same counts.

use std::fs;
use std::path::{Path, PathBuf};

use deckproof::deck::block::DeckBlock;
use deckproof::source::format::{Format, Written};
use deckproof::source::list::CATALOGUE;
use deckproof::source::recorded::Recorded;
use deckproof::source::settings::Settings;
use deckproof::source::{DeckSource, SourceError};

use crate::common::decks::{check_ways, decks, opened, read, refusal, written};
use crate::common::lab::{KEY, Lab, Output, card_line, check_says_nothing, deck, index_line, lines};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const DECKS: u64 = 2_000;

/// One line for each deck, by its number from 1.
fn text(line: impl Fn(u64, &[u8]) -> String) -> String {
    (1..=DECKS).map(|n| line(n, &deck(n)) + "\n").collect()
}

fn cards(numbers: &[u8]) -> String {
    card_line(numbers).trim_end().to_owned()
}

fn numbers(numbers: &[u8], first: u8, between: &str) -> String {
    numbers.iter().map(|number| (number + first).to_string()).collect::<Vec<_>>().join(between)
}

fn utf_16(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Packs a file with the tool of its format, which shares nothing with the reader.
fn pack(tool: &str, path: &Path) -> Vec<u8> {
    let output =
        std::process::Command::new(tool).arg("-c").arg(path).output().expect("the tool is installed");
    assert!(output.status.success());
    output.stdout
}

/// The ways to write the decks: the name of the file, and its bytes.
fn files(folder: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let time = |n: u64| format!("2026-11-{:02}T{:02}:00:00Z", 1 + n % 28, n % 24);
    let header = (0..52).map(|place| format!("c{place}")).collect::<Vec<_>>().join(",");
    let columns =
        format!("id,{header},dealt_at\n") + &text(|n, d| format!("{n},{},{}", numbers(d, 0, ","), time(n)));
    let symbols = |d: &[u8]| cards(d).replace('s', "♠").replace('h', "♥").replace('d', "♦").replace('c', "♣");
    let lines = text(|_, d| cards(d));
    fs::write(folder.join("lines"), &lines).expect("writable");
    let mut all = vec![
        ("52 columns with ids and times", columns.into_bytes()),
        (
            "one quoted column",
            text(|n, d| format!("{n};\"{}\";\"a \"\"note\"\"\"", numbers(d, 0, ";"))).into_bytes(),
        ),
        ("glued cards", text(|_, d| cards(d).replace(' ', "")).into_bytes()),
        (
            "glued cards in a column",
            ("when\tdeck\n".to_owned() + &text(|n, d| format!("{}\t{}", time(n), cards(d).replace(' ', ""))))
                .into_bytes(),
        ),
        ("suit symbols", text(|_, d| symbols(d)).into_bytes()),
        ("brackets", text(|_, d| format!("[{}]", numbers(d, 0, ", "))).into_bytes()),
        (
            "comments",
            ("# export of a day\n# second line\n".to_owned()
                + &text(|n, d| {
                    format!("{}{}", if n % 100 == 7 { "# so far so good\n" } else { "" }, numbers(d, 0, " "))
                }))
                .into_bytes(),
        ),
        ("json", text(|n, d| format!("{{\"id\": {n}, \"deck\": [{}]}}", numbers(d, 0, ", "))).into_bytes()),
        (
            "json cards",
            text(|n, d| format!("{{\"cards\": \"{}\", \"at\": \"{}\"}}", cards(d), time(n))).into_bytes(),
        ),
        (
            "json array",
            format!(
                "[{}]",
                (1..=DECKS).map(|n| format!("[{}]", numbers(&deck(n), 0, ","))).collect::<Vec<_>>().join(",")
            )
            .into_bytes(),
        ),
        (
            "json array of objects, over several lines, UTF-16",
            utf_16(&format!(
                "[\r\n{}\r\n]\r\n",
                (1..=DECKS)
                    .map(|n| format!(
                        "  {{\r\n    \"id\": {n},\r\n    \"deck\": [\r\n{}\r\n    ]\r\n  }}",
                        numbers(&deck(n), 0, ",\r\n      ")
                    ))
                    .collect::<Vec<_>>()
                    .join(",\r\n")
            )),
        ),
        (
            "sep= and columns",
            (format!("sep=;\r\nid;{};dealt_at\r\n", header.replace(',', ";"))
                + &text(|n, d| format!("{n};{};{}\r", numbers(d, 0, ";"), time(n))))
                .into_bytes(),
        ),
        (
            "sep= above plain decks",
            ("\"SEP=,\"\n".to_owned() + &text(|_, d| numbers(d, 0, ","))).into_bytes(),
        ),
        ("utf-16", utf_16(&text(|n, d| format!("{n},\"{}\"", symbols(d))))),
        ("1 to 52", text(|_, d| numbers(d, 1, ",")).into_bytes()),
        ("1 to 52 in a table", text(|n, d| format!("{n},{}", numbers(d, 1, " "))).into_bytes()),
    ];
    if cfg!(feature = "compressed") {
        all.push(("gzip", pack("gzip", &folder.join("lines"))));
        all.push(("two members of gzip", {
            let (head, tail) = lines.split_at(lines.len() / 2);
            [head, tail]
                .into_iter()
                .flat_map(|part| {
                    fs::write(folder.join("part"), part).expect("writable");
                    pack("gzip", &folder.join("part"))
                })
                .collect()
        }));
        if std::process::Command::new("zstd").arg("-V").output().is_ok() {
            all.push(("Zstandard", pack("zstd", &folder.join("lines"))));
        }
    }
    all
}

#[test]
fn every_way_to_write_decks_gives_the_same_decks() {
    let folder = tempfile::tempdir().expect("a folder");
    check_ways(files(folder.path()), DECKS);
}

#[test]
fn several_files_and_a_folder_are_read_in_their_order() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name);
    let part = |from: u64, to: u64| lines(from..=to);
    // Written in another order than that of their names, of unequal length.
    fs::write(path("b.csv"), part(701, 1_999))?;
    fs::write(path("c.csv"), part(2_000, 2_000))?;
    fs::write(path("a.csv"), part(1, 700))?;
    fs::write(path(".hidden"), "no deck")?;
    fs::write(path("_SUCCESS"), "")?;
    let expected = decks(1..=DECKS);
    let files: Vec<PathBuf> = ["a.csv", "b.csv", "c.csv"].map(path).into();
    let (mut source, facts) = Recorded::open_all(&files, &written())?;
    assert_eq!((facts.decks, facts.files), (DECKS, 3));
    assert!(read(&mut source)? == expected);
    let mut fork = source.fork().expect("plain files can be opened again");
    let mut block = DeckBlock::default();
    fork.fill(640, &mut block)?;
    assert_eq!((block.deck(59), block.deck(60)), (expected[699], expected[700]));

    let ask = |text: String| CATALOGUE.ask(text.as_ref(), &Settings::none())?.open(None);
    let mut opened = ask(format!("csv:{}", folder.path().display()))?;
    assert!(read(opened.source.as_mut())? == expected);
    let words = opened.record.to_string();
    assert!(words.contains("in 3 files, all 2,000 records"), "{words}");
    // Only names that Spark writes are passed over.
    fs::write(path("_more.csv"), "no deck")?;
    let refused = ask(format!("csv:{}", folder.path().display())).err().map(|error| error.what);
    assert!(refused.as_ref().is_some_and(|what| what.contains("_more.csv")), "{refused:?}");
    fs::remove_file(path("_more.csv"))?;
    // A folder inside that holds nothing is not passed over, and neither is a file that is written otherwise.
    fs::write(path("d.csv"), (1..=9).map(|n| card_line(&deck(n))).collect::<String>())?;
    let refused = ask(format!("csv:{}", folder.path().display())).err().map(|error| error.what);
    assert!(
        refused.as_ref().is_some_and(|what| what.contains("wanted all files written alike")),
        "{refused:?}"
    );
    fs::create_dir(path("e"))?;
    let refused = ask(format!("csv:{}", folder.path().display())).err().map(|error| error.what);
    assert!(refused.as_ref().is_some_and(|what| what.contains("e: found no file in it")), "{refused:?}");
    Ok(())
}

#[test]
fn a_file_that_holds_both_0_and_52_is_refused_with_both_places() {
    let zero = |n: u64| numbers(&deck(n), 0, " ") + "\n";
    let one = |n: u64| numbers(&deck(n), 1, " ") + "\n";
    let error = refusal(&(zero(1) + &zero(2) + &one(3)), &written());
    assert!(matches!(error, SourceError::Unreadable { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "x.csv, record 3 (line 3): the number 52, while record 1 holds 0, wanted numbers 0 to 51 or numbers 1 to 52 \
         in all records: if two exports stand in one file, audit them one by one"
    );
    let error = refusal(&(one(1) + &zero(2)), &written()).to_string();
    assert!(error.contains("record 2 (line 2): the number 0, while record 1 holds 52"), "{error}");
    // A single strange number is a deck with a joker, and proof; so is everything where the number was said.
    let joker = zero(2).replace("51", "52");
    assert!(refusal(&(zero(1) + &joker), &written()).is_proof());
    let output = Written { first_number: Some(0), ..written() };
    assert!(refusal(&(zero(1) + &one(2)), &output).is_proof());
}

/// What was said of the numbers is never overruled by what a table shows.
#[test]
fn a_table_that_begins_otherwise_than_was_said_is_refused() {
    for (shown, output) in [(0, 1), (1, 0)] {
        let table = text(|n, d| format!("{n},\"{}\"", numbers(d, shown, " ")));
        let output = Written { first_number: Some(output), ..written() };
        let error = refusal(&table, &output).to_string();
        assert_eq!(
            error,
            format!(
                "x.csv, record 1 (line 1): numbers that begin at {shown}, a table separated by commas, column 2, wanted \
                 numbers that begin at {}, as --first-number says",
                1 - shown
            )
        );
    }
}

#[test]
fn what_could_be_read_in_two_ways_is_refused_with_both() -> Outcome {
    let two = "before,after\n".to_owned()
        + &text(|n, d| format!("{},{}", cards(&deck(n + 1)).replace(' ', ""), cards(d).replace(' ', "")));
    let error = refusal(&two, &written()).to_string();
    assert!(error.contains("column `before`") && error.contains("column `after`"), "{error}");
    assert!(error.contains("--deck-column"), "{error}");
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("two.csv");
    fs::write(&path, &two)?;
    for column in ["after", "2"] {
        let named = Written { deck_column: Some(column.to_owned()), ..written() };
        let (mut source, _) = Recorded::open(&path, &named)?;
        assert_eq!(read(&mut source)?[0].indices(), &deck(1), "{column}");
    }
    let error = refusal(&two, &Written { deck_column: Some("deck".to_owned()), ..written() }).to_string();
    assert!(error.contains("before, after"), "{error}");
    Ok(())
}

/// The deck of a member and one below another member are two readings, in whatever spelling, unless one of them is named.
#[test]
fn a_second_deck_below_the_members_of_json_is_another_reading() -> Outcome {
    let plain = |d: &[u8]| numbers(d, 0, ",");
    let objects = |d: &[u8]| {
        let suits = ["clubs", "diamonds", "hearts", "spades"];
        let card = |number: &u8| {
            format!("{{\"rank\":{},\"suit\":\"{}\"}}", number / 4 + 2, suits[usize::from(number % 4)])
        };
        d.iter().map(card).collect::<Vec<_>>().join(",")
    };
    let lab = Lab::new();
    for spelled in [&plain as &dyn Fn(&[u8]) -> String, &objects] {
        let two = text(|n, d| {
            let dealt = spelled(&deck(n + 1));
            format!("{{\"id\":{n},\"deck\":[{}],\"dealt\":{{\"deck\":[{dealt}]}}}}", plain(d))
        });
        lab.write("two.jsonl", &two);
        let output = lab.run(&["audit", "two.jsonl", "--out", "a"]);
        check_says_nothing(&lab, &output, "two readings are possible", "a");
        for named in ["member `deck`", "member `dealt.deck`", "--deck-column NAME"] {
            assert!(output.warns(named), "{named}: {output}");
        }
        for (member, first) in [("deck", 1), ("dealt.deck", 2)] {
            let named = Written { deck_column: Some(member.to_owned()), ..written() };
            let (mut source, _) = Recorded::open(Path::new(&lab.path("two.jsonl")), &named)?;
            assert_eq!(read(&mut source)?[0].indices(), &deck(first), "{member}");
        }
    }
    Ok(())
}

/// Where records have several decks, every text names the option that chose one, and that nothing looked for another.
#[test]
fn the_option_that_chose_the_decks_is_named_wherever_the_decks_are() {
    let lab = Lab::new();
    let row = |n: u64, d: &[u8]| format!("{n},{},{}", numbers(d, 0, " "), numbers(&deck(n + 1), 0, " "));
    lab.write("two.csv", "id,deck,dealt_deck\n".to_owned() + &text(row));
    let screen = |output: &Output| output.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let fixed = ["audit", "two.csv", "--tiers", "core", "--out"];
    for (column, out) in [("deck", "a"), ("dealt_deck", "b")] {
        let output = lab.run(&[&fixed[..], &[out, "--deck-column", column]].concat()).ends(0);
        let source = format!("recorded decks in format indices, chosen by --deck-column {column}, all 2,000");
        assert!(screen(&output).contains(&source), "{output}");
        let report = lab.text(&format!("{out}/report.html"));
        let limit = format!("were dealt: --deck-column {column} chose their place in the records");
        assert!(report.contains(&source) && report.contains(&limit), "{column}");
        let certificate = format!("{out}/certificate.json");
        for more in [&[][..], &["--rerun", "--source", "csv:two.csv"]] {
            let output = lab.run(&[&["verify", &certificate][..], more].concat()).ends(0);
            assert!(
                output.prints(&source) && output.prints("Not checked: that the decks that were read"),
                "{output}"
            );
            assert!(output.prints(&limit), "{output}");
        }
    }
    let program = ["--source", "cmd:cat two.csv", "--format", "indices", "--deck-column", "2"];
    let output = lab.run(&[&["audit", "--tiers", "core", "--out", "c"], &program[..]].concat());
    assert!(screen(&output).contains("format indices, chosen by --deck-column 2, SHA-256"));
    lab.write("one.csv", "id,deck\n".to_owned() + &text(|n, d| format!("{n},{}", numbers(d, 0, " "))));
    let output = lab.run(&["audit", "one.csv", "--tiers", "core", "--out", "d"]);
    assert!(
        !output.prints("chosen by") && !lab.text("d/report.html").contains("chose their place"),
        "{output}"
    );
}

#[test]
fn a_refused_line_shows_its_beginning_and_what_reads_it() {
    let shown = |text: &str| refusal(text, &written()).to_string();
    let long = "dear sir, please find enclosed the decks of last week";
    let error = shown(long);
    assert!(error.contains(&long[..39]) && !error.contains("last week"), "{error}");
    assert!(shown("\u{1b}[2Jhello").contains("\\u001b[2Jhello"));
    assert!(shown("PokerStars Hand #1: 7 Card Stud").contains("deckproof hands FILE"));
    assert!(shown("PK\u{3}\u{4}....").contains("export it as CSV"));
    let raw: String = deck(1).iter().map(|&byte| char::from(byte)).collect();
    assert!(shown(&raw.replace(['\n', '#'], "\u{1}")).contains("raw:FILE"));
    let table = "id,deck\n".to_owned() + &text(|n, d| format!("{n},{}", cards(d))).replacen("As", "Xx", 9);
    let marked = Written { id_column: Some("id".to_owned()), ..written() };
    let error = refusal(&table.replacen("Xx", "As", 1), &marked).to_string();
    assert!(error.contains("id 2)") && error.contains("\"Xx\""), "{error}");
}

#[test]
fn a_first_record_that_is_no_deck_is_never_taken_for_a_header() {
    let bad = numbers(&deck(1), 0, ",").replacen("51", "50", 1) + "\n";
    let error = refusal(&(bad + &text(|_, d| numbers(d, 0, ","))), &written());
    assert!(matches!(error, SourceError::NotADeck { record: 1, .. }), "{error}");
}

/// `ts`, a usual name of a column of times, is the ten of spades as well.
#[test]
fn a_word_of_a_header_that_may_be_a_card_names_a_column() {
    let glued = |n: u64| cards(&deck(n)).replace(' ', "");
    let time = |n: u64| format!("2026-11-05T{:02}:{:02}:00Z", n / 60, n % 60);
    let rows = |row: &dyn Fn(u64) -> String| (1..=70).map(|n| row(n) + "\n").collect::<String>();
    let naming = |id: Option<&str>, time: Option<&str>, deck: Option<&str>| Written {
        id_column: id.map(str::to_owned),
        time_column: time.map(str::to_owned),
        deck_column: deck.map(str::to_owned),
        ..written()
    };
    let is_read = |text: &str, written: &Written| {
        let found = opened(text, written).unwrap_or_else(|error| panic!("{text:.40}: {error}"));
        assert!(found == decks(1..=70), "{text:.40}");
    };
    for name in ["ts", "TS", "ac", "as", "th", "qs", "asks"] {
        for between in [",", ";", "\t"] {
            let table = rows(&|n| [n.to_string(), time(n), glued(n)].join(between));
            let text = format!("{}\n{table}", ["hand_id", name, "deck"].join(between));
            is_read(&text, &written());
            is_read(&text, &naming(Some("hand_id"), Some(name), None));
            is_read(&text, &naming(None, None, Some("deck")));
        }
        // The column of the deck itself, with ids or times in seconds before it.
        is_read(&format!("id,{name}\n{}", rows(&|n| format!("{n},{}", glued(n)))), &written());
        let seconds = rows(&|n| format!("H{n},{},{}", 1_762_300_000 + n, glued(n)));
        is_read(&format!("id,{name},deck\n{seconds}"), &naming(Some("id"), Some(name), None));
    }
    // Nothing but such words: a column that an option names is one, and else nobody knows.
    let (two, one) = (rows(&|n| format!("{},{}", time(n), glued(n))), rows(&glued));
    is_read(&format!("ts,as\n{two}"), &naming(None, Some("ts"), Some("as")));
    is_read(&format!("ts\n{one}"), &naming(None, None, Some("ts")));
    let upcards = rows(&|n| format!("{n},{},{}", &glued(n)[..2], glued(n)));
    for (text, wanted) in [
        (format!("ts,as\n{two}"), "record 1 (line 1): \"ts,as\": the first record has 1 card"),
        (format!("ts\n{one}"), "record 1 (line 1): 1 card, wanted 52 cards"),
        (
            format!("hand,as,deck\n{upcards}"),
            "\"hand,as,deck\": a line above the decks, in which \"as\" may be a card or name a column, wanted",
        ),
    ] {
        let error = refusal(&text, &written()).to_string();
        assert!(error.contains(wanted), "{error}");
    }
    is_read(&format!("hand,as,deck\n{upcards}"), &naming(Some("hand"), None, None));
    let stream = format!("hand_id,ts,deck\n{}", rows(&|n| [n.to_string(), time(n), glued(n)].join(",")));
    let lab = Lab::new();
    let asked = ["audit", "--tiers", "core", "--id-column", "hand_id", "--time-column", "ts", "--quiet", "-"];
    lab.run_with(&asked, stream.as_bytes())
        .ends(2)
        .must_print("INCONCLUSIVE: nothing was found, but 70 decks");

    // A first record stays one: without a header, of cards alone, without its deck, with a card that is none.
    is_read(&rows(&|n| format!("T,As,{}", glued(n))), &written());
    is_read(&one, &written());
    is_read(&rows(&|n| cards(&deck(n))), &written());
    let upcards =
        rows(&|n| format!("T{n},{},{}", &glued(n)[..2], if n == 1 { "NULL".to_owned() } else { glued(n) }));
    let error = refusal(&upcards, &written()).to_string();
    assert!(error.contains("the first record has no deck, and a later one has"), "{error}");
    let columns = rows(&|n| cards(&deck(n)).replace(' ', ","));
    let error = refusal(&columns.replacen(&columns[..2], "Xx", 1), &written()).to_string();
    assert!(error.contains("\"Xx\"") && error.contains("record 1 (line 1)"), "{error}");
}

#[test]
fn a_range_is_read_named_and_checked_to_the_end_of_the_file() -> Outcome {
    let lab = Lab::new();
    lab.write("decks.csv", text(|_, d| numbers(d, 0, " ")));
    let ask = |settings: Settings, decks| {
        CATALOGUE.ask(format!("csv:{}", lab.path("decks.csv")).as_ref(), &settings)?.open(decks)
    };
    let mut opened = ask(Settings::none().with("records", "1501.."), None)?;
    let decks = read(opened.source.as_mut())?;
    assert_eq!((decks.len(), decks[0].indices()), (500, &deck(1_501)));
    assert!(
        opened
            .record
            .to_string()
            .contains("500 of 2,000 records, number 1,501 to 2,000; the rest was not looked at")
    );
    assert_eq!(opened.record.check(), Ok(()));
    let opened = ask(Settings::none(), Some(1_200))?;
    assert!(
        opened.record.to_string().contains("1,200 of 2,000 records, number 1 to 1,200"),
        "{}",
        opened.record
    );
    assert!(opened.sentences.iter().any(|sentence| sentence.contains("1,200 of 2,000 records")));
    for (records, decks) in [("2001..", None), ("1..2001", None), ("0..5", None), ("1501..", Some(501))] {
        assert!(ask(Settings::none().with("records", records), decks).is_err(), "{records}");
    }

    // A bad record after the range is named, because the file was read to its end, and nothing is judged by it.
    let bad = index_line(&deck(9)).replacen(" 51", " 50", 1);
    lab.write(
        "decks.csv",
        text(|n, d| if n == 1_900 { bad.trim_end().to_owned() } else { numbers(d, 0, " ") }),
    );
    let mut opened = ask(Settings::none(), Some(1_000))?;
    read(opened.source.as_mut())?;
    opened.source.check_end()?;
    let named = "After the last of them: decks.csv, record 1900 (line 1900): card ";
    assert!(opened.sentences.iter().any(|sentence| sentence.starts_with(named)), "{:?}", opened.sentences);
    Ok(())
}

#[test]
fn a_file_without_a_kind_is_read_as_what_it_is() -> Outcome {
    let lab = Lab::new();
    lab.write("decks", text(|_, d| cards(d)));
    lab.write("bytes", (1..=DECKS).flat_map(deck).collect::<Vec<u8>>());
    for name in ["decks", "bytes"] {
        let mut opened = CATALOGUE.ask(lab.path(name).as_ref(), &Settings::none())?.open(None)?;
        assert_eq!(read(opened.source.as_mut())?[1_999].indices(), &deck(2_000), "{name}");
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_read() -> Outcome {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"d\xffcks"));
    fs::write(&path, text(|_, d| cards(d)))?;
    let named = [b"csv:", path.as_os_str().as_bytes()].concat();
    let opened = CATALOGUE.ask(std::ffi::OsStr::from_bytes(&named), &Settings::none())?.open(None)?;
    assert_eq!(opened.decks, Some(DECKS));
    Ok(())
}

#[test]
fn what_only_a_shell_understands_says_how_to_have_one() {
    let refused = |words: &str| {
        let asked = CATALOGUE.ask(format!("cmd:{words}").as_ref(), &Settings::none());
        asked.err().map(|error| (error.what, error.advice))
    };
    for words in ["cat a | head", "cat a > b", "echo $HOME", "cat \"$HOME/a\"", "a; b", "a `b`"] {
        let (what, advice) = refused(words).expect(words);
        assert!(what.contains("no shell") && advice.contains("sh -c"), "{what} {advice}");
    }
    for words in ["sh -c 'cat a | head'", "echo '$1'", "printf \\|", "cat a"] {
        assert_eq!(refused(words), None, "{words}");
    }
}

#[cfg(feature = "compressed")]
#[test]
fn the_samples_of_an_export_are_the_same_decks_packed_or_not() -> Outcome {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples");
    let open = |name: &str| Recorded::open(&samples.join(name), &written());
    let (mut plain, facts) = open("export.csv")?;
    assert_eq!((facts.decks, facts.format), (1_000, Format::Cards));
    assert!(
        facts.sentences[0].contains("column `deck`; its first line was taken as a header"),
        "{:?}",
        facts.sentences
    );
    let expected = read(&mut plain)?;
    for name in ["export.csv.gz", "export.csv.zst"] {
        let (mut packed, facts) = open(name)?;
        assert!(read(&mut packed)? == expected, "{name}");
        assert!(facts.sentences[0].contains("it is packed"), "{:?}", facts.sentences);
        // A packed file that is damaged is never read as if it were whole.
        let mut bytes = fs::read(samples.join(name))?;
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(name);
        fs::write(&path, &bytes)?;
        assert!(Recorded::open(&path, &written()).is_err(), "{name}");
        fs::write(&path, &bytes[..middle])?;
        let output = Recorded::open(&path, &written()).err().expect("it is cut short").to_string();
        assert!(output.contains("cut short or damaged, wanted it whole"), "{output}");
        assert!(Recorded::open(&path, &written()).is_err(), "{name}");
    }
    Ok(())
}

#[test]
fn the_certificate_of_a_table_has_the_counts_of_the_plain_file() {
    let lab = Lab::new();
    lab.write("plain.csv", text(|_, d| numbers(d, 0, " ")));
    let header = (0..52).map(|place| format!("c{place}")).collect::<Vec<_>>().join(",");
    lab.write("table.csv", format!("id,{header}\n") + &text(|n, d| format!("{n},{}", numbers(d, 1, ","))));
    let counts = |source: &str, out: &str, more: &[&str]| {
        let words = ["audit", "--source", source, "--tiers", "core", "--out", out];
        lab.run(&[&words[..], more].concat()).ends_in(&[0, 1]);
        let result = lab.certificate(out)["result"].clone();
        (result["first"]["tallies"].clone(), result["source"].clone())
    };
    let (plain, _) = counts("csv:plain.csv", "a", &[]);
    let (table, source) = counts("table.csv", "b", &["--columns", "c0..c51", "--id-column", "id"]);
    assert!(plain == table && !plain.is_null());
    assert_eq!((&source["first_number"], &source["file_records"]), (&1.into(), &2_000.into()));
    lab.run(&["verify", "b/certificate.json", "--rerun", "--source", "csv:table.csv"]).ends_in(&[0, 1]);
    let (head, tail) = text(|_, d| numbers(d, 0, " "))
        .lines()
        .map(|line| format!("{line}\n"))
        .enumerate()
        .fold((String::new(), String::new()), |(head, tail), (n, line)| {
            if n < 700 { (head + &line, tail) } else { (head, tail + &line) }
        });
    lab.write("folder/1", &head);
    lab.write("folder/2", &tail);
    let two = counts("csv:folder/1", "two", &["--source", "csv:folder/2"]);
    assert!(two.0 == plain && two.1["files"] == 2);
    assert!(counts("folder", "folder-out", &[]).0 == plain);
    // Each file with separators, columns and a header of its own, packed or not.
    let lines = |text: &str, line: &dyn Fn(usize, &str) -> String| -> String {
        text.lines().enumerate().map(|(n, deck)| line(n, deck) + "\n").collect()
    };
    lab.write("each/1.csv", "id,deck\n".to_owned() + &lines(&head, &|n, deck| format!("{n},{deck}")));
    let second = "deck;room;id\n".to_owned() + &lines(&tail, &|n, deck| format!("{deck};A;{n}"));
    lab.write("each/2.csv", &second);
    assert!(counts("each", "own-out", &[]).0 == plain);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, second.as_bytes()).expect("memory");
    fs::remove_file(lab.path("each/2.csv")).expect("it is there");
    lab.write("each/2.csv.gz", packed.finish().expect("memory"));
    assert!(counts("each", "packed-out", &[]).0 == plain);
    let sample = concat!("parquet:", env!("CARGO_MANIFEST_DIR"), "/fixtures/samples/decks.parquet");
    let (counts, source) = counts(sample, "parquet", &[]);
    assert!(counts == plain && source["file_records"] == 2_000);
    let lab = Lab::new();
    lab.write("plain.csv", text(|_, d| numbers(d, 0, " ")));
    let output = lab.run(&["audit", "--source", "csv:plain.csv", "--columns", "c0..c9", "--out", "c"]);
    check_says_nothing(&lab, &output, "--columns", "c");
}

#[test]
fn a_file_that_is_not_there_is_named_and_a_key_is_not() {
    let lab = Lab::new();
    let output = lab.run(&["audit", "--source", "exports/2026-11-22.csv", "--out", "a"]);
    check_says_nothing(&lab, &output, "no file or folder \"exports/2026-11-22.csv\"", "a");
    let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let output = lab.run(&["audit", "--source", &format!("./{key}"), "--out", "b"]);
    check_says_nothing(&lab, &output, "it may be a key", "b");
    output.must_not_warn("0405");
}

/// What was asked for of a stream of a plan, and a record after the part that is no deck: no text says what is not so.
#[test]
fn how_many_of_how_many_is_said_where_more_stands_there() {
    let lab = Lab::new();
    let lines = text(|_, d| numbers(d, 0, " "));
    let torn: Vec<String> = lines
        .lines()
        .take(1_200)
        .enumerate()
        .map(|(n, line)| match n {
            1_149 => format!(
                "0 0 {}",
                line.split_once(' ').and_then(|(_, rest)| rest.split_once(' ')).expect("52").1
            ),
            _ => line.to_owned(),
        })
        .collect();
    lab.write("torn.txt", torn.join("\n") + "\n");
    let output =
        lab.run(&["audit", "--source", "torn.txt", "--decks", "1000", "--tiers", "core", "--out", "a"]);
    let flat = output.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("1,000 of 1,200 records"), "{}", output.out);
    let wanted = "After the last of them: torn.txt, record 1150 (line 1150): card 2c (0) is at place 0 and again at place 1. It is outside the part";
    assert!(output.code == 0 && output.err.contains(wanted), "{}", output.err);
    lab.run(&["verify", "a/certificate.json"]).ends(0).must_print("the certificate is consistent");
    lab.write("all.txt", lines);
    let plan = [
        "plan", "--source", "-", "--format", "indices", "--decks", "1000", "--tiers", "core", "--out",
        "p.toml",
    ];
    lab.run(&plan).ends(0);
    let output = lab.run(&["audit", "--plan", "p.toml", "--source", "all.txt", "--out", "b"]);
    let flat = output.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("1,000, the first of the stream; what may follow them was not looked at"),
        "{output}"
    );
}

/// A stream is unpacked like a file, and its hash is that of what it holds.
#[test]
fn packed_streams_have_the_counts_of_plain_ones() {
    let lab = Lab::new();
    let plain = text(|_, d| cards(d));
    lab.write("lines", &plain);
    let audit = |out: &str, source: &str, stdin: &[u8]| {
        let words = ["audit", "--tiers", "core", "--decks", "2000", "--out", out, "--source", source];
        let output = lab.run_with(&words, stdin).ends(0);
        (lab.certificate(out)["result"].clone(), output.err)
    };
    let (wanted, _) = audit("plain", "-", plain.as_bytes());
    let lines = lab.path("lines");
    let mut packed = vec![("UTF-16", utf_16(&plain))];
    if cfg!(feature = "compressed") {
        packed.push(("gzip", pack("gzip", Path::new(&lines))));
    }
    for (number, (name, bytes)) in packed.into_iter().enumerate() {
        let (found, output) = audit(&format!("out-{number}"), "-", &bytes);
        assert!(output.contains("standard input: it ") && output.contains(name), "{output}");
        assert_eq!(found["source"], wanted["source"], "{name}");
        assert!(found["first"]["tallies"] == wanted["first"]["tallies"], "{name}");
        lab.write("packed", bytes);
        let (found, _) = audit(&format!("cmd-{number}"), "cmd:cat packed", b"");
        assert!(found["first"]["tallies"] == wanted["first"]["tallies"], "{name}");
    }
    if cfg!(feature = "compressed") {
        lab.write("once", pack("gzip", Path::new(&lines)));
        lab.write("twice.csv.gz", pack("gzip", Path::new(&lab.path("once"))));
        let wanted =
            "twice.csv.gz: found a compressed file within a gzip file, wanted one that is compressed once";
        lab.run(&["audit", "--id-column", "hand_id", "twice.csv.gz"]).ends(2).must_warn(wanted);
    }
}

#[test]
fn the_decks_of_a_dealt_table_are_a_source() {
    let lab = Lab::new();
    let deal =
        ["deal", "--table", "T-1", "--hands", "20", "--rules", "stud-hi", "--seats", "1,2,4", "--out", "t"];
    // A fresh key's 20 decks are questioned once in a hundred runs.
    let key = ["--day-key", KEY, "--not-for-production"];
    lab.run(&[&deal[..], &key].concat()).ends(0);
    let audit = |source: &str, out: &str| {
        let output = lab.run(&["audit", "--source", source, "--tiers", "core", "--out", out]).ends(2);
        (lab.certificate(out)["result"].clone(), output)
    };
    let (table, output) = audit("table:t", "a");
    output.must_warn("before any public cut").must_print("all 20 records");
    assert_eq!(audit("t", "b").0["source"], table["source"]);
    // The full reveals open the same 52 cards of each hand.
    let hands: Vec<String> = (1..=20).map(|hand| hand.to_string()).collect();
    lab.run(&["bundle", "t", "--full", "--hand", &hands.join(",")]).ends(0);
    let decks: String = (1..=20)
        .map(|hand| {
            let file = format!("t/hand-{hand}/full-reveal.json");
            let bundle = lab.json(&file);
            let key = bundle["hand_key"].as_str().expect("a full reveal opens the hand");
            lab.write("key", key);
            let deck = lab.run(&["deck", "--hand-key", "@key", "--json"]);
            let deck = deck.json();
            let cards = deck["deck"].as_array().expect("cards").iter().filter_map(|card| card.as_str());
            cards.collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    lab.write("decks.csv", decks);
    assert!(audit("csv:decks.csv", "c").0["first"]["tallies"] == table["first"]["tallies"]);
    let text = lab.text("t/secret/hands.txt");
    let without_second: String =
        text.lines().filter(|line| !line.starts_with("2 ")).map(|line| format!("{line}\n")).collect();
    lab.write("t/secret/hands.txt", without_second);
    for (source, says) in [("table:t", "wanted hand 2"), ("table:fixtures", "is no table")] {
        let output = lab.run(&["audit", "--source", source, "--out", "d"]);
        assert!(output.code == 2 && output.warns(says) && !lab.exists("d"), "{output}");
    }
}

/// Columns that nobody asked for may hold anything, and name records where one of them was asked for.
#[test]
fn columns_beside_a_named_one_of_a_parquet_file_are_left_alone() -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/parquet/beside.parquet");
    let refused = Recorded::open(&path, &written()).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(
        refused.contains("the column \"hand\" holds bytes") && refused.contains("--deck-column"),
        "{refused}"
    );
    let named = |deck: &str, id: &str| {
        let [deck_column, id_column] = [deck, id].map(|name| Some(name.to_owned()));
        Recorded::open(&path, &Written { deck_column, id_column, ..written() })
    };
    let (mut source, _) = named("deck", "hand")?;
    assert!(read(&mut source)? == decks(1..=100));
    // MD5 of "0", by which the first record is called there.
    let id = source.marks().and_then(|marks| marks.id(0));
    assert_eq!(id.as_deref(), Some("0xcfcd208495d565ef66e7dff9f98764da"));
    for column in ["hand", "digest", "table", "notes"] {
        let refused = named(column, "when").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.contains(&format!("the column {column:?} holds")), "{refused}");
    }
    Ok(())
}

/// Files that pyarrow wrote.
#[test]
fn every_shape_of_a_parquet_file_gives_the_same_decks() -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let expected = decks(1..=100);
    for name in [
        "parquet/columns_from_1",
        "parquet/list",
        "parquet/numbered_columns",
        "parquet/row_a_card",
        "parquet/text",
        "parquet/zstd",
        "samples/decks",
    ] {
        let path = folder.join(format!("{name}.parquet"));
        let (mut source, _) =
            Recorded::open(&path, &written()).map_err(|error| format!("{name}: {error}"))?;
        assert!(read(&mut source)?[..100] == expected, "{name}");
    }
    Ok(())
}
