//! Values that lie exactly on a border, and texts one step beyond it: levels, sizes, forms of the log's files.

use deckproof::audit::verdict::{Finding, Rule, Verdict, families_of, judge, judge_repeat};
use deckproof::log::beacon::{CHECKS_SIGNATURES, CheckedRounds};
use deckproof::log::entry::{ENTRY_BYTES_MAX, Entry, EntryError};
use deckproof::log::note::{NOTE_BYTES_MAX, Note};
use deckproof::log::receipt::Receipt;
use deckproof::log::request::Request;
use deckproof::log::tree::PROOF_HASHES_MAX;
use deckproof::log::trust::Trust;
use deckproof::log::vkey::{KeyKind, Signer};

/// The decision rule says "below": a p-value that is exactly a level is not.
#[test]
fn a_p_value_at_a_level_is_not_below_it() {
    let rule = Rule { level: 0.01, level_fail: 1e-6, decks_min: 1_000 };
    let found = |p_value| vec![Finding { family: "cycles", p_value, p_value_convicting: p_value }];
    let first = |p_value| judge(&rule, false, 5_000, &found(p_value), &families_of(&found(p_value))).verdict;
    assert_eq!(first(0.01), Verdict::Pass);
    assert_eq!(first(0.01_f64.next_down()), Verdict::Investigate);
    assert_eq!(first(1e-6), Verdict::Investigate);
    assert_eq!(first(1e-6_f64.next_down()), Verdict::Fail);
    let repeat = |p_value| judge_repeat(0.01, false, &found(p_value), &families_of(&found(p_value))).verdict;
    assert_eq!(repeat(0.01), Verdict::Pass);
    assert_eq!(repeat(0.01_f64.next_down()), Verdict::Fail);
}

/// What the network did not sign stays unsigned however often it is asked, also under a number that was signed.
#[test]
fn an_unsigned_beacon_value_is_never_kept() {
    // Round 1000 of drand quicknet, as drand publishes it.
    let signature =
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
    let mut bytes = [0; 48];
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&signature[2 * place..2 * place + 2], 16).expect("hexadecimal");
    }
    let mut rounds = CheckedRounds::default();
    for _ in 0..2 {
        assert_eq!(rounds.is_signed(1001, &bytes), !CHECKS_SIGNATURES, "the signature of another round");
        assert!(rounds.is_signed(1000, &bytes));
        let mut other = bytes;
        other[47] ^= 1;
        assert_eq!(rounds.is_signed(1000, &other), !CHECKS_SIGNATURES, "not the signature of this round");
    }
}

#[test]
fn texts_are_too_long_from_one_byte_beyond_the_limit_on() {
    let long = |bytes: usize| format!("deckproof/v1 deck\n{}", "x".repeat(bytes - 18));
    match Entry::parse(&long(ENTRY_BYTES_MAX)) {
        Err(EntryError::Line { found, .. }) => assert_eq!(found, "x".repeat(40), "the line, shortened"),
        other => panic!("{other:?}"),
    }
    let refused = Entry::parse(&long(ENTRY_BYTES_MAX + 1));
    assert_eq!(refused, Err(EntryError::TooLong { found: ENTRY_BYTES_MAX + 1 }));
    let note = |bytes: usize| {
        let end = "\n\n\u{2014} k AAAAAAE=\n";
        "x".repeat(bytes - end.len()) + end
    };
    assert!(Note::parse(&note(NOTE_BYTES_MAX)).is_ok());
    assert_eq!(Note::parse(&note(NOTE_BYTES_MAX + 1)).map_err(|error| error.0), Err("longer than 64 KiB"));
    assert!(Note::parse("a\u{7}\n\n\u{2014} k AAAAAAE=\n").is_err(), "a control character");
}

#[test]
fn a_proof_has_at_most_as_many_hashes_as_a_tree_has_levels() {
    let hash = format!("{}=\n", "A".repeat(43));
    let receipt = |hashes: usize| format!("c2sp.org/tlog-proof@v1\nindex 3\n{}\nnote", hash.repeat(hashes));
    let request = |hashes: usize| format!("old 3\n{}\nnote", hash.repeat(hashes));
    assert!(Receipt::parse(&receipt(PROOF_HASHES_MAX)).is_some());
    assert!(Receipt::parse(&receipt(PROOF_HASHES_MAX + 1)).is_none());
    assert!(Request::parse(&request(PROOF_HASHES_MAX)).is_some());
    assert!(Request::parse(&request(PROOF_HASHES_MAX + 1)).is_none());
    let extra = |text: &str| receipt(1).replace("index 3", &format!("extra {text}\nindex 3"));
    assert!(Receipt::parse(&extra("AAAA")).is_some());
    assert!(Receipt::parse(&extra("not base64")).is_none());
}

#[test]
fn policies_beyond_their_borders_are_refused_with_their_line() {
    let key = |kind, name: &str| Signer::generate(name, kind).expect("random bytes").vkey();
    let log = key(KeyKind::Log, "stud.example/log1");
    let check = |policy: &str, words: &str| {
        let error = Trust::parse(policy.as_bytes()).expect_err("no policy").to_string();
        assert!(error.contains(words), "{policy}: {error}");
    };
    // Two keys of one log are one origin; two logs are not.
    let two = |second| format!("log {log}\nlog {second}\nquorum none\n");
    let same = Trust::parse(two(key(KeyKind::Log, "stud.example/log1")).as_bytes()).expect("one origin");
    assert_eq!(same.origin, "stud.example/log1");
    check(&two(key(KeyKind::Log, "stud.example/log2")), "bear one name");
    check(&format!("log {}\nquorum none\n", key(KeyKind::Log, "Stud")), "is an origin such as");
    check(&format!("log {log}\nquorum none\nquorum none\n"), "line 3: wanted one quorum");
    let witness = key(KeyKind::Witness, "w.example");
    check(
        &format!("log {log}\nwitness none {witness}\nquorum none\n"),
        "line 2: wanted another name than none",
    );
    let names = |count: usize| {
        let lines: String = (0..count).map(|number| format!("witness w{number} {witness}\n")).collect();
        format!("log {log}\n{lines}quorum none\n")
    };
    check(&names(257), "line 258: wanted another name than none, and at most 256 of them");
    let most = Trust::parse(names(256).as_bytes()).map_err(|error| error.to_string());
    assert!(most.is_ok_and(|trust| trust.origin == "stud.example/log1"), "256 names are read");
}
