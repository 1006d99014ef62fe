//! Every reader of text from outside on damaged input: it refuses or it reads, and never panics or hangs.
//!
//! A plain loop of seeded mutations of a small corpus; `MUTATIONS=1000000 cargo test --release mutated::` makes it long.
//! `fuzz/` has the same readers for a fuzzer that is led by coverage.

use std::io::Cursor;
use std::path::PathBuf;

use deckproof::audit::checkpoint;
use deckproof::audit::plan::{Plan, Shard};
use deckproof::audit::selection::Selection;
use deckproof::battery::Tier;
use deckproof::certificate::look::Look;
use deckproof::certificate::rejudge::rejudge;
use deckproof::certificate::{AuditResult, Certificate, Tool};
use deckproof::deck::block::DeckBlock;
use deckproof::hands::census::Census;
use deckproof::hands::certificate::{HandsCertificate, HandsRead, HandsResult};
use deckproof::hands::plan::HandsPlan;
use deckproof::json::{Json, Limits, outermost_keys};
use deckproof::log::entry::Entry;
use deckproof::log::trust::Trust;
use deckproof::session::{Session, Unwatched};
use deckproof::source::DeckSource;
use deckproof::source::flawed;
use deckproof::source::format::{Format, Numbering, Written};
use deckproof::source::stream::Stream;
use deckproof::stud::history::{phh, pokerstars};
use deckproof::stud::transcript;
use deckproof::verify::{Statements, verify_bundle};
use rand::rngs::ChaCha20Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common::lab::Lab;
use crate::common::vectors::VECTORS;

/// What readers stumble over: numbers at their borders, quotes, escapes, breaks, other scripts.
const TOKENS: [&str; 28] = [
    "0", "-1", "52", "99999999999999999999", "18446744073709551615", "1e308", "0.1", "\"", "\\u", "\\ud800",
    "\u{0}", "\n", "\r\n", "\u{feff}", "♠", "é", "{", "[", "]", "}", ",", " ", "p9", "As", "????", "$",
    "deckproof/v1 ", "= '",
];

/// One damaged text: some bytes flipped, cut, doubled, exchanged with a token or with a piece of another seed.
fn mutate(rng: &mut ChaCha20Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds.choose(rng).expect("a corpus has seeds").clone();
    for _ in 0..rng.random_range(1..5) {
        let (a, b) = (rng.random_range(0..=bytes.len()), rng.random_range(0..=bytes.len()));
        let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 64));
        match rng.random_range(0..7) {
            0 if from < bytes.len() => bytes[from] = rng.random(),
            1 => drop(bytes.drain(from..to)),
            2 => drop(bytes.splice(to..to, bytes[from..to].to_vec())),
            3 => drop(bytes.splice(from..to, TOKENS.choose(rng).expect("tokens").bytes())),
            4 => drop(bytes.splice(from..from, TOKENS.choose(rng).expect("tokens").bytes())),
            5 => bytes.truncate(from),
            _ => {
                let other = seeds.choose(rng).expect("a corpus has seeds");
                let at = rng.random_range(0..=other.len());
                drop(bytes.splice(from..to, other[at..other.len().min(at + 64)].iter().copied()));
            }
        }
    }
    bytes
}

/// Feeds a reader; it says whether it took the input. Some of the damaged inputs must still be taken, and
/// most must not, or the corpus is worth nothing.
fn feed(name: &str, seeds: &[Vec<u8>], share: u64, mut reads: impl FnMut(&[u8]) -> bool) {
    let runs: u64 =
        std::env::var("MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000) / share;
    let mut rng = ChaCha20Rng::seed_from_u64(12);
    for seed in seeds {
        assert!(reads(seed), "{name}: a seed of the corpus is refused: {}", String::from_utf8_lossy(seed));
    }
    let mut taken = 0;
    for _ in 0..runs {
        let input = mutate(&mut rng, seeds);
        taken += u64::from(reads(&input));
    }
    assert!(taken > 0 && taken < runs, "{name}: {taken} of {runs} taken");
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// The seeds that a fuzzer of `fuzz/` begins with.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let files =
        std::fs::read_dir(folder).expect("a folder of seeds").map(|file| file.expect("a file").path());
    // What a run of the fuzzer has found lies beside them.
    let is_seed =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("seed-"));
    files.filter(is_seed).map(|path| std::fs::read(path).expect("readable")).collect()
}

/// A fuzzer that begins with what is refused at its first line never comes far.
#[test]
fn seeds_of_the_fuzzers_are_read() {
    type Reads = fn(&[u8]) -> bool;
    let readers: [(&str, Reads); 7] = [
        ("json", |bytes| Json::parse(bytes, Limits { bytes_max: 1 << 20, members_max: 64 }).is_ok()),
        ("entry", |bytes| {
            let text = text(bytes).expect("a text");
            Entry::parse(text).is_ok() || transcript::parse(text).is_ok()
        }),
        ("bundle", |bytes| verify_bundle(bytes, None, &Statements::default()).is_ok()),
        ("phh", |bytes| {
            let hands = phh::parse_file(text(bytes).expect("a text")).expect("hands");
            !hands.is_empty() && hands.iter().all(|hand| hand.1.is_ok())
        }),
        ("pokerstars", |bytes| !pokerstars::read(text(bytes).expect("a text")).hands.is_empty()),
        ("decks", |bytes| {
            let (first, bytes) = bytes.split_first().expect("a byte that names the format");
            let formats = [None, Some(Format::Raw), Some(Format::Indices), Some(Format::Cards)];
            let written = Written::new(formats[usize::from(first % 4)], Numbering::RankSuit);
            let mut block = DeckBlock::default();
            let stream = Stream::open(Cursor::new(bytes.to_vec()), "seed", &written, None);
            stream.and_then(|mut stream| stream.fill(0, &mut block)).is_ok() && !block.is_empty()
        }),
        ("checkpoint", |body| {
            let whole = [body, &Sha256::digest(body)].concat();
            checkpoint::decode(&PathBuf::from("seed"), &whole).is_ok()
        }),
    ];
    for (name, reads) in readers {
        let seeds = corpus(name);
        assert!(!seeds.is_empty(), "{name}");
        for seed in &seeds {
            assert!(reads(seed), "{name}: a seed is refused: {}", String::from_utf8_lossy(seed));
        }
    }
}

fn bundles() -> Vec<Vec<u8>> {
    let cases = VECTORS["positive"].as_array().expect("a section").iter();
    cases
        .filter_map(|case| case.get("bundle"))
        .map(|bundle| bundle.to_string().into_bytes())
        .take(12)
        .collect()
}

#[test]
fn json_never_panics_and_both_readers_agree() {
    let limits = Limits { bytes_max: 1 << 20, members_max: 64 };
    let mut seeds = bundles();
    seeds.push(br#"{"a":[1,-0.5e+3,true,null,{}],"\u0062":"\ud83c\udca1\n"}"#.to_vec());
    feed("JSON", &seeds, 1, |bytes| {
        let ours = Json::parse(bytes, limits);
        assert_eq!(ours.is_ok(), outermost_keys(bytes, limits).is_ok());
        if ours.is_ok() {
            // What the strict reader takes, the usual one takes too.
            serde_json::from_slice::<Value>(bytes).expect("strict JSON is JSON");
        }
        ours.is_ok()
    });
}

#[test]
fn bundles_and_trust_files_never_panic() {
    let trust = VECTORS["trust"].to_string();
    feed("trust file", &[trust.clone().into_bytes()], 1, |bytes| Trust::parse(bytes).is_ok());
    feed("bundle", &bundles(), 4, |bytes| verify_bundle(bytes, None, &Statements::default()).is_ok());
}

#[test]
fn entries_and_transcripts_print_as_they_were_read() {
    let hands = VECTORS["hands"].as_array().expect("a section");
    let entries = hands.iter().flat_map(|hand| hand["entries"].as_object().expect("entries").values());
    let entries: Vec<Vec<u8>> =
        entries.filter_map(Value::as_str).map(|text| text.as_bytes().to_vec()).collect();
    feed("entry", &entries, 1, |bytes| {
        let Some(entry) = text(bytes).and_then(|text| Entry::parse(text).ok()) else { return false };
        assert_eq!(entry.to_string().as_bytes(), bytes, "reading and printing gives the same bytes");
        true
    });
    let transcripts = hands.iter().filter_map(|hand| hand["transcript"].as_str());
    let transcripts: Vec<Vec<u8>> = transcripts.map(|text| text.as_bytes().to_vec()).collect();
    feed("transcript", &transcripts, 1, |bytes| {
        let Some(cards) = text(bytes).and_then(|text| transcript::parse(text).ok()) else { return false };
        assert_eq!(transcript::print(&cards).as_bytes(), bytes, "reading and printing gives the same bytes");
        true
    });
}

const HAND: &str = "variant = 'F7S'\nantes = [1, 1]\nbring_in = 2\nsmall_bet = 5\nbig_bet = 10\nstarting_stacks = [50, 50]\n\
    players = ['Ada', \"B\\u00e9\"]\nseats = [1, 2]\nactions = ['d dh p1 ????7c', 'd dh p2 ????Kd', 'p1 pb', 'p2 cbr 5', \
    'p1 cc', 'd dh p1 2c', 'd dh p2 3d', 'p2 cc', 'p1 f']\n";

#[test]
fn poker_hand_histories_never_panic() {
    let many = format!("[1]\n{HAND}\n[2]\n{HAND}");
    feed("PHH", &[HAND.as_bytes().to_vec(), many.into_bytes()], 2, |bytes| {
        let Some(hands) = text(bytes).and_then(|text| phh::parse_file(text).ok()) else { return false };
        for history in hands.iter().filter_map(|hand| hand.1.as_ref().ok()) {
            if let Some(rules) = deckproof::stud::rules::RuleSet::of_variant(&history.variant) {
                let _ = deckproof::stud::judge::judge(history, rules, &[]);
            }
        }
        !hands.is_empty()
    });
}

const EXPORT: &str = "PokerStars Game #1000000001:  7 Card Stud Limit ($0.04/$0.08 USD) - 2009/11/05 5:28:22 ET\n\
    Table 'Alcor' 8-max\nSeat 1: ada ($2.00 in chips) \nSeat 2: bo ($1.50 in chips) \nada: posts the ante $0.01\n\
    bo: posts the ante $0.01\n*** 3rd STREET ***\nDealt to ada [2c 7d Kh]\nDealt to bo [3s]\nbo: brings in for $0.02\n\
    ada: raises $0.02 to $0.04\nbo: folds \nUncalled bet ($0.02) returned to ada\nada collected $0.06 from pot\n\
    *** SUMMARY ***\nTotal pot $0.06 | Rake $0 \nSeat 1: ada collected ($0.06)\nSeat 2: bo folded on the 3rd Street\n\n\n";

#[test]
fn exports_of_rooms_never_panic() {
    assert!(pokerstars::is_export(EXPORT));
    feed("export", &[EXPORT.as_bytes().to_vec(), EXPORT.repeat(2).into_bytes()], 1, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        !pokerstars::read(&text).hands.is_empty()
    });
}

#[test]
fn texts_of_decks_never_panic() {
    let row = |names: &dyn Fn(u8) -> String| (0..52).map(names).collect::<Vec<_>>().join(" ") + "\n";
    let numbers = row(&|number| number.to_string());
    let cards = row(&|number| deckproof::card::Card::from_index(number).expect("a card").to_string());
    let seeds = [
        numbers.repeat(3).into_bytes(),
        cards.repeat(3).into_bytes(),
        numbers.replace(' ', ";").into_bytes(),
    ];
    feed("decks", &seeds, 2, |bytes| {
        let formats = [None, Some(Format::Raw), Some(Format::Indices), Some(Format::Cards)];
        let read = |format| {
            let stream = Stream::open(
                Cursor::new(bytes.to_vec()),
                "mutated",
                &Written::new(format, Numbering::RankSuit),
                None,
            );
            let Ok(mut stream) = stream else { return false };
            let mut block = DeckBlock::default();
            stream.fill(0, &mut block).is_ok() && !block.is_empty()
        };
        formats.map(read).contains(&true)
    });
}

/// The checksum at the end is made right again: whoever spoils a checkpoint on purpose does that too.
#[test]
fn checkpoints_never_panic() {
    let lab = Lab::new();
    let shard = ["--shard", "1/2", "--out", "s", "--decks", "3000", "--tiers", "core"];
    lab.run(&[&["audit", "--source", "flawed:sattolo:1"][..], &shard[..]].concat()).ends(0);
    let (path, whole) = (PathBuf::from(lab.path("run")), lab.read("s/shard-1-of-2.tally"));
    let (body, _) = whole.split_last_chunk::<32>().expect("it ends in a checksum");
    feed("checkpoint", &[body.to_vec()], 10, |body| {
        let digest = Sha256::digest(body);
        std::fs::write(&path, [body, &digest].concat()).expect("writable");
        checkpoint::read(&path).is_ok_and(|found| found.is_some())
    });
}

fn tool() -> Tool {
    Tool { version: "0".to_owned(), commit: "0".to_owned(), executable_sha256: "0".to_owned() }
}

/// Whatever is believed says what the seed says.
#[test]
fn certificates_never_panic_and_no_altered_one_is_believed() {
    let ids = ["parity".to_owned(), "cycles".to_owned(), "duplicates".to_owned()];
    let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&ids);
    let plan = Plan::of_selection(flawed::record("sattolo", 1), Some(100), &selection);
    let source = plan.source.ask().and_then(|source| source.open(None)).expect("the source is ours").source;
    let mut session = Session::begin(plan, Shard::WHOLE, source, None).expect("a sound plan");
    let result = session.answer(1, &Unwatched).expect("decks are dealt");
    let seed = Certificate { tool: tool(), result: result.clone() }.to_json().into_bytes();
    feed("certificate", &[seed], 3, |bytes| {
        let Ok(certificate) = Certificate::read(bytes) else { return false };
        let judged = rejudge(&certificate.result);
        if judged.is_ok() {
            // P-values are compared with a tolerance: machines differ in their last digits.
            let exact = |result: &AuditResult| {
                let Look { verdict, decks, tallies, duplicates, proofs, .. } = result.first.clone();
                (result.verdict, verdict, decks, tallies, duplicates, proofs)
            };
            assert!(exact(&certificate.result) == exact(&result), "an altered certificate is believed");
        }
        true
    });
}

#[test]
fn certificates_of_hands_never_panic() {
    let read = HandsRead {
        stud_high: 0,
        stud_8_or_better: 0,
        other_games: 3,
        unread: 0,
        found_again: 0,
        doors_unknown: 0,
    };
    let result = HandsResult::of_census(&HandsPlan::usual(), Vec::new(), read, Vec::new(), &Census::new());
    let seed = HandsCertificate { tool: tool(), result }.to_json().into_bytes();
    feed("certificate of hands", &[seed], 3, |bytes| {
        let Ok(certificate) = HandsCertificate::read(bytes) else { return false };
        let _ = certificate.result.rejudge();
        true
    });
}
