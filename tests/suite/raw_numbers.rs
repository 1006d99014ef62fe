//! Raw words of other generators and the decks that they gave: what is read, what is refused, and what Python says of both.

use deckproof::card::Card;
use deckproof::project::supplied::pairs::PairsFault;
use deckproof::verification::pairs::read::read;
use deckproof::verification::pairs::scaling::Scaling;
use deckproof::verification::pairs::{ReplayMethod, Replayed, WordsAndDeck, methods, replay};
use deckproof_predict::start::Start;
use deckproof_predict::way::{Way, inverse};
use sha2::{Digest, Sha256};

use crate::common::lab::{Lab, check_says_nothing};

/// 32 pairs by `fixtures/words/pairs.py`.
const PAIRS: &str = include_str!("../../fixtures/words/pairs.csv");

/// A row of the fixture.
struct Row {
    bits: u32,
    method: ReplayMethod,
    record: WordsAndDeck,
}

fn rows() -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let bits = cells[3].parse().expect("a width");
        let scaling = Scaling::all(bits).into_iter().find(|scaling| scaling.name() == cells[0]);
        let method = ReplayMethod {
            scaling: scaling.unwrap_or_else(|| panic!("{line}")),
            way: Way::named(cells[1]).expect("a loop"),
            has_draw_of_one: cells[4] == "of one",
            start: Start::named(cells[2]).expect("a start order"),
        };
        let mut records = read(&format!("{},{}\n", cells[5], cells[6])).expect("a pair");
        Row { bits, method, record: records.remove(0) }
    };
    PAIRS.lines().skip(1).map(row).collect()
}

fn named(row: &Row) -> Vec<ReplayMethod> {
    let ReplayMethod { scaling, way, start, .. } = row.method;
    methods(row.bits, Some(scaling), Some(way), Some(start))
}

fn replayed(row: &Row, record: &WordsAndDeck) -> Replayed {
    row.method.replay_all(row.bits, std::slice::from_ref(record))
}

/// The only contradiction of a record that was spoiled.
fn fault(row: &Row, record: &WordsAndDeck) -> PairsFault {
    let replayed = replayed(row, record);
    replayed.contradictions().next().expect("it differs").clone()
}

#[test]
fn every_scaling_and_loop_gives_the_deck_that_python_dealt() {
    let rows = rows();
    assert_eq!(rows.len(), 33);
    for row in &rows {
        let by_name = replay(row.bits, &named(row), std::slice::from_ref(&row.record));
        assert_eq!(by_name.len(), 1, "{:?}", row.method);
        assert_eq!((by_name[0].method, by_name[0].given()), (row.method, 1));
        // Looked for among all of them, it is found; what else is found gives the same deck by the same words.
        let all = methods(row.bits, None, None, None);
        let found = replay(row.bits, &all, std::slice::from_ref(&row.record));
        assert!(found.iter().any(|found| found.method == row.method), "{:?}", row.method);
        assert!(found.len() < 12, "{:?}: {}", row.method, found.len());
    }
}

#[test]
fn scalings_that_reject_are_told_from_those_that_do_not() {
    let bytes: Vec<Row> = rows().into_iter().filter(|row| row.bits == 8).collect();
    assert_eq!(bytes.len(), 4);
    for row in &bytes {
        assert!(row.record.words.len() > 51, "{:?}: no word of 8 bits was rejected", row.method);
        let found = replay(8, &methods(8, None, None, None), std::slice::from_ref(&row.record));
        let scalings: Vec<String> = found.iter().map(|found| found.method.scaling.name()).collect();
        assert_eq!(scalings, [row.method.scaling.name()]);
    }
}

#[test]
fn two_cards_that_changed_places_are_named() {
    for row in rows() {
        let mut record = row.record.clone();
        record.deck.swap(9, 30);
        let PairsFault::Draw { place, card_by_words, card, places, .. } = fault(&row, &record) else {
            panic!("{:?}", row.method)
        };
        let [first, second] = [9, 30].map(|place| Card::from_index(row.record.deck[place]).expect("a card"));
        let wanted = (10, first.to_string(), second.to_string(), 2);
        assert_eq!((place, card_by_words, card, places), wanted, "{:?}", row.method);
    }
}

/// A deck that differs by one draw, whichever it is, is told from the deck that the words give.
#[test]
fn a_single_draw_that_differs_is_named() {
    for row in rows() {
        let way = row.method.way;
        let numbers = row.method.start.numbers(None).expect("a sorted deck");
        let cards = inverse(&numbers);
        let dealt = way.undo(&row.record.deck.map(|card| numbers[usize::from(card)]));
        for (draw, range) in way.ranges().into_iter().enumerate() {
            let mut other = dealt;
            other[draw] = (dealt[draw] + 1) % range;
            let mut record = row.record.clone();
            record.deck = way.deal(&other).map(|number| cards[usize::from(number)]);
            let PairsFault::Draw { draw: found, range: below, by_words, by_deck, .. } = fault(&row, &record)
            else {
                panic!("{:?}", row.method)
            };
            let wanted = [draw as u8 + 1, range, dealt[draw], other[draw]].map(u64::from);
            assert_eq!([found, below, by_words, by_deck], wanted);
        }
    }
}

#[test]
fn words_that_lack_or_are_left_are_named() {
    for row in rows() {
        let (line, words) = (row.record.line as u64, row.record.words.len() as u64);
        let mut short = row.record.clone();
        short.words.pop();
        let last = if row.method.has_draw_of_one && row.method.way.ranges()[0] == 52 { 52 } else { 51 };
        let lacking = PairsFault::Short { line, draw: last, words: words - 1 };
        assert_eq!(fault(&row, &short), lacking, "{:?}", row.method);
        let mut left = row.record.clone();
        left.words.push(0);
        let unused = PairsFault::Left { line, taken: words, words: words + 1 };
        assert_eq!(fault(&row, &left), unused, "{:?}", row.method);
    }
}

/// Two words that changed places: the numbers were not used in the order in which they came.
#[test]
fn words_in_another_order_do_not_give_the_deck() {
    for row in rows() {
        let mut record = row.record.clone();
        let last = record.words.len() - 3;
        record.words.swap(2, last);
        let all = methods(row.bits, None, None, None);
        assert!(replay(row.bits, &all, &[record]).is_empty(), "{:?}", row.method);
    }
}

#[test]
fn a_table_that_is_none_is_refused_with_its_line() {
    let deck: Vec<String> = (0..52).map(|card: u8| card.to_string()).collect();
    let deck = deck.join(" ");
    let check = |text: &str, wanted: &str| {
        let error = read(text).map(|records| records.len()).expect_err(text).to_string();
        assert!(error.starts_with(wanted), "{error}");
    };
    check("words deck\n5 6\n", "line 2: found 1 field, wanted words and deck");
    check(&format!("5 6,{deck}\n5 -6,{deck}\n"), "line 2: found \"-6\" as word 2, wanted a whole number");
    check("5 6,2 3\n", "line 1: found a deck of 2 cards");
    check(&format!("5 6,{}\n", deck.replace("51", "50")), "line 1: found \"50\" as card 52");
    check(&format!("5 6,{}\n", deck.replace("51", "52")), "line 1: found \"52\" as card 52");
    // From 1, in hexadecimal, with names and quotes.
    let from_one: Vec<String> = (1..=52).map(|card: u8| card.to_string()).collect();
    let text = format!("hand;words;deck\nh-1;\"0xff 10\";{}\n", from_one.join(" "));
    let records = read(&text).expect("a table");
    assert_eq!((records[0].line, &records[0].words[..], records[0].deck[51]), (2, &[255, 10][..], 51));
}

/// A table of `word % n` downward, the deck new where that is said and else shuffled on from the one before.
fn shuffled_on(hands: usize, is_new: impl Fn(usize) -> bool) -> Vec<String> {
    let (mut word, mut deck) = (20_261_128u64, Vec::new());
    let mut lines = vec!["hand,words,deck".to_owned()];
    for hand in 1..=hands {
        if is_new(hand) {
            deck = (0..52).collect();
        }
        let mut words = Vec::new();
        for last in (1..52).rev() {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let own = (word >> 32) as usize;
            words.push(own.to_string());
            deck.swap(last, own % (last + 1));
        }
        let cards: Vec<String> = deck.iter().map(usize::to_string).collect();
        lines.push(format!("{hand},{},{}", words.join(" "), cards.join(" ")));
    }
    lines
}

/// Whoever shuffles on began with a new deck. A missing line looks like another deck (no answer); a new deck within the
/// file is given by a method too, and by no one method with the others.
#[test]
fn decks_that_are_shuffled_on_agree_from_the_new_one_and_a_second_new_one_is_no_difference() {
    let lab = Lab::new();
    let pairs = |lines: &[String]| {
        lab.write("chain.csv", lines.join("\n") + "\n");
        lab.run(&["pairs", "chain.csv"])
    };
    let mut chain = shuffled_on(20, |hand| hand == 1);
    let agrees = pairs(&chain).ends(0);
    agrees.must_begin("AGREES: the words of chain.csv give 20 decks");
    agrees
        .must_print("New deck: previous, the deck of the line before; the first deck from ranks-cdhs, 2c 2d");
    agrees.must_not_print("not examined");
    // Two lines that change places break the chain three times in a row.
    chain.swap(7, 8);
    let turned = pairs(&chain).ends(1);
    turned.must_begin("DIFFERS: 3 of 20 decks of chain.csv are not given");
    turned.must_tell("lines that it left out or put in another order");
    chain.swap(7, 8);
    // An exchange of two cards is no line that is missing.
    let whole = chain[20].clone();
    let (words, deck) = whole.rsplit_once(',').expect("a deck");
    let cards: Vec<&str> = deck.split(' ').collect();
    chain[20] = format!("{words},{} {} {}", cards[1], cards[0], cards[2..].join(" "));
    pairs(&chain).ends(1).must_begin("DIFFERS: 1 of 20 decks of chain.csv is not given");
    chain[20] = whole;
    chain.remove(7);
    let wanted = "chain.csv: found 18 of 19 decks given by the deck before, and the chain broken before line 8; wanted a whole chain";
    check_says_nothing(&lab, &pairs(&chain), wanted, "");

    let mut anew = shuffled_on(20, |hand| [1, 12].contains(&hand));
    let wanted = "chain.csv: found 19 of 20 decks given by modulo-reject-high, down, previous, and the others by other methods, line 13 by \
                  modulo-reject-high, down, ranks-cdhs; wanted one method";
    check_says_nothing(&lab, &pairs(&anew), wanted, "");
    // A deck that no method gives is a difference whatever the others are.
    let (words, deck) = anew[20].rsplit_once(',').expect("a deck");
    let cards: Vec<&str> = deck.split(' ').collect();
    anew[20] = format!("{words},{} {} {}", cards[1], cards[0], cards[2..].join(" "));
    pairs(&anew).ends(1).must_begin("DIFFERS: 2 of 20 decks");
}

/// `word % n` and its forms that reject a few words in 2^32 give the same decks: how even draws are is that of the least even one.
#[test]
fn a_method_that_cannot_be_told_from_a_biased_one_is_not_called_even() {
    let lab = Lab::new();
    let text = shuffled_on(30, |_| true).join("\n") + "\n";
    lab.write("pairs.csv", text);
    let output = lab.run(&["pairs", "pairs.csv"]).ends(0);
    output.must_print("scaling modulo");
    output.must_tell("or by one of the others that give them, are not exactly uniform");
    output.must_print("1.2e-8 of it (52/2^32)");
}

/// The pairs that `stream` writes, as a newcomer would check them, and with one spoiled card.
#[test]
fn pairs_of_the_certified_shuffle_agree_until_one_is_changed() {
    let lab = Lab::new();
    let pairs = lab.run(&["stream", "--pairs", "30", "--seed", "table 9"]).out;
    lab.write("pairs.csv", &pairs);
    let agrees = lab.run(&["pairs", "pairs.csv"]).ends(0);
    agrees.must_begin("AGREES: the words of pairs.csv give 30 decks, each word used once");
    agrees.must_print("Scaling: certified, ");
    agrees.must_print("exactly uniform if the words are");
    let each = lab.run(&["pairs", "pairs.csv", "--each"]);
    assert_eq!(each.out.matches("these words give this deck by this method").count(), 30);

    let lines: Vec<&str> = pairs.lines().collect();
    let (words, deck) = lines[7].rsplit_once(',').expect("a deck");
    let cards: Vec<&str> = deck.split(' ').collect();
    let turned = [&cards[1..2], &cards[..1], &cards[2..]].concat().join(" ");
    lab.write("turned.csv", pairs.replace(lines[7], &format!("{words},{turned}")));
    let differs = lab.run(&["pairs", "turned.csv"]).ends(1);
    differs.must_begin(
        "DIFFERS: 1 of 30 decks of turned.csv is not given by the words beside it, by the method below.",
    );
    differs.must_print("\nline 8: draw ");
    differs.must_print("(2 of 52 places differ)");

    differs.must_print("What else would explain it: words that the export put");

    // Words of another deck.
    let [_, words, _] = lines[3].split(',').collect::<Vec<_>>()[..] else { panic!("a name, words, a deck") };
    let [_, _, deck] = lines[4].split(',').collect::<Vec<_>>()[..] else { panic!("a name, words, a deck") };
    lab.write("twice.csv", format!("{pairs}31,{words},{deck}\n"));
    let twice = lab.run(&["pairs", "twice.csv"]);
    let output = "Lines 4 and 32 have the same words and different decks.";
    assert!(twice.code == 1 && twice.prints(output), "{twice}");
    // A deck that stands twice, under one name or two, may be a slip of the export as well.
    for again in [lines[3].to_owned(), lines[3].replacen("2,", "31,", 1)] {
        lab.write("doubled.csv", format!("{pairs}{again}\n"));
        let doubled = lab.run(&["pairs", "doubled.csv"]);
        let wanted = "doubled.csv: line 32: found the words and the deck of line 4 again, wanted each deck once; if these are two hands";
        check_says_nothing(&lab, &doubled, wanted, "");
    }

    // Another method than the one that was used, named whole and not.
    let whole = ["pairs", "pairs.csv", "--scaling", "modulo", "--loop", "down", "--start", "ranks-cdhs"];
    let slip = "found 0 of 30 decks given by the method that is named (scaling modulo, loop down, start ranks-cdhs), and all of them by certified, down, ";
    check_says_nothing(&lab, &lab.run(&whole), slip, "");
    check_says_nothing(
        &lab,
        &lab.run(&whole[..6]),
        "given by the method that is named (scaling modulo, loop down), and",
        "",
    );
    // Where no method gives all of them, that is an answer about the one that was named.
    let turned = [&["pairs", "turned.csv"], &whole[2..]].concat();
    let output = lab.run(&turned).ends(1);
    output.must_begin("DIFFERS: 30 of 30 decks");
    output.must_tell("a method that the program has otherwise than it is named, or");
    let open = lab.run(&turned[..6]);
    check_says_nothing(&lab, &open, "Name what the source says with --start", "");
    let wrong = lab.run(&["pairs", "pairs.csv", "--scaling", "modulus"]);
    check_says_nothing(&lab, &wrong, "Wanted one of multiply-shift, lemire, ", "");
    let narrow = lab.run(&["pairs", "pairs.csv", "--bits", "16"]);
    check_says_nothing(&lab, &narrow, "pairs.csv: line 2, word 1: found ", "");
}

/// A table whose words were joined one row off says nothing about the method; one deck among them that no row gives does.
#[test]
fn words_that_are_joined_one_row_off_are_no_difference() {
    let lab = Lab::new();
    let rows: Vec<Vec<String>> = shuffled_on(20, |_| true)[1..]
        .iter()
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect();
    let method = ["--scaling", "modulo", "--loop", "down", "--start", "ranks-cdhs"];
    let run = |file: &str, table: &[String]| {
        lab.write(file, table.concat());
        lab.run(&[&["pairs", file], &method[..]].concat())
    };
    // The words of a row stand beside the deck before it: the first deck has no row before.
    let before: Vec<String> =
        rows.windows(2).map(|two| format!("{},{},{}\n", two[0][0], two[1][1], two[0][2])).collect();
    let wanted = "off.csv: found 18 of 19 decks given by the words of the row before and not by their own";
    check_says_nothing(&lab, &run("off.csv", &before), wanted, "");
    // From the tenth row on, the other way round; the words of the last deck are not there.
    let mut behind: Vec<String> = rows.iter().map(|row| row.join(",") + "\n").collect();
    for number in 10..19 {
        behind[number] = format!("{},{},{}\n", rows[number][0], rows[number - 1][1], rows[number][2]);
    }
    behind[9] = format!("{},{},{}\n", rows[9][0], rows[19][1], rows[9][2]);
    behind.pop();
    let wanted = "off.csv: found 9 of 19 decks given by the words of the row behind and not by their own";
    check_says_nothing(&lab, &run("off.csv", &behind), wanted, "");
    let (first, second) = (behind[14].clone(), rows[14][2].clone());
    let turned: Vec<&str> = second.split(' ').rev().collect();
    behind[14] = first.replace(&second, &turned.join(" "));
    run("off.csv", &behind).ends(1).must_begin("DIFFERS: 10 of 19 decks");
}

/// Bytes of SHA-256 of 0, 1, 2, …
fn hashed(bytes: usize) -> Vec<u8> {
    (0..).flat_map(|number: u64| Sha256::digest(number.to_string())).take(bytes).collect()
}

#[test]
fn words_of_a_file_are_counted_and_judged() {
    let lab = Lab::new();
    let fair = hashed(1_200_000);
    lab.write("fair.bin", &fair);
    let output = lab.run(&["words", "fair.bin"]).ends(0);
    // By NumPy and SciPy: fixtures/words/counts.csv.
    for wanted in [
        "PASS: five counts found no fault in these words, family p = ",
        "fair.bin: 300,000 words of 32 bits, little-endian, 1,200,000 bytes, SHA-256 15ddcea135ff",
        "4,798,781 of 9,600,000",
        "p = 0.4316",
        "ones at bit 14, the oddest of 32",
        "χ²(255) = 248.1",
        "p = 0.7821",
    ] {
        output.must_print(wanted);
    }
    let piped = lab.run_with(&["words", "-", "--word", "u64", "--order", "big"], &fair);
    piped.must_print("standard input: 150,000 words of 64 bits, big-endian");
    piped.must_print("ones at bit 22, the oddest of 64");

    // A bit that is stuck, numbers of 31 bits and of 29, and too few.
    let spoil = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = fair.clone();
        bytes.chunks_exact_mut(4).for_each(change);
        lab.write("spoiled.bin", &bytes);
        lab.run(&["words", "spoiled.bin"])
    };
    let stuck = spoil(&|word| word[1] |= 1 << 3).ends(1);
    stuck.must_begin("FAIL: these words are not");
    stuck.must_print("ones at bit 11, the oddest of 32");
    stuck.must_print("Rule out the capture first: another width or byte order than stated");
    let narrow = spoil(&|word| word[3] &= 0x7f).ends(2);
    narrow.must_begin("INCONCLUSIVE: these may be numbers of 31 bits in wider words");
    narrow.must_print("1 of 32 bits are always 0");
    assert_eq!(lab.run(&["words", "spoiled.bin", "--json"]).ends(2).json()["filled_bits"], 31);
    // The same numbers in the other byte order, and one bit further up.
    spoil(&|word| word[0] &= 0x7f).ends(2).must_print("1 of 32 bits are always 0");
    spoil(&|word| word[0] &= 0xfe).ends(2).must_print("1 of 32 bits are always 0");
    // In the middle of a word, in both orders, a bit is stuck.
    spoil(&|word| word[1] &= 0x7f).ends(1).must_not_print("bits are always 0");
    // A fault of the bits that are filled is one in any width, and no language gives numbers of 29 bits.
    let stuck = spoil(&|word| (word[3], word[1]) = (word[3] & 0x7f, word[1] | 1 << 3)).ends(1);
    stuck.must_print("1 of 32 bits are always 0");
    spoil(&|word| word[3] &= 0x1f).ends(1).must_print("3 of 32 bits are always 0");
    lab.run_with(&["words", "-"], &fair[..4_000]).ends(2).must_begin("INCONCLUSIVE: ");
}

#[test]
fn what_is_no_whole_number_of_words_is_refused_with_its_place() {
    let lab = Lab::new();
    let check = |name: &str, bytes: &[u8], wanted: &str| {
        lab.write(name, bytes);
        check_says_nothing(&lab, &lab.run(&["words", name]), wanted, "");
    };
    check(
        "torn.bin",
        &hashed(4_003),
        "torn.bin: byte 4,000: found 3 bytes, wanted the 4 bytes of a word: after 1,000 words",
    );
    check("words.txt", b"3499211612\n581869302\n", "words.txt: byte 0: found a text");
    check(
        "words.gz",
        &[b"\x1f\x8b\x08", &hashed(400)[..]].concat(),
        "Type gzip -dc words.gz | deckproof words -",
    );
    check_says_nothing(
        &lab,
        &lab.run(&["words", "/dev/zero"]),
        "found no regular file, wanted one that ends",
        "",
    );
    check_says_nothing(&lab, &lab.run(&["words", "missing.bin"]), "missing.bin: ", "");
    let moved = lab.run(&["audit", "--source", "words:missing.bin"]);
    check_says_nothing(&lab, &moved, "deckproof words FILE", "");
}
