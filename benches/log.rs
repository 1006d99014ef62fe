//! Speed of the log on one core, and its ratio to hashing the same bytes: committing, logging and syncing
//! hands, scanning them, verifying bundles with proofs. `cargo bench --bench log [hands]`

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use deckproof::commitment::digest::leaf_hash;
use deckproof::key::{DayKey, HandContext};
use deckproof::log::scan::{Scan, ScanRules};
use deckproof::log::trust::Trust;
use deckproof::log::vkey::{KeyKind, Signer};
use deckproof::log_folder::reader::LogReader;
use deckproof::log_folder::{Log, LogError};
use deckproof::stud::rules::RuleSet;
use deckproof::stud::seat::Seats;
use deckproof::table::{DealtHand, Table, TableName};
use deckproof::verify::{Statements, verify_bundle};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

const ORIGIN: &str = "stud.example/log1";

/// Hands that are made durable together.
const GROUP: usize = 1000;

/// Wall seconds, and CPU seconds of this process, since a moment.
struct Stopwatch(Instant, f64);

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch(Instant::now(), cpu_seconds())
    }

    fn say(&self, what: &str, number: usize, limit: &str) -> f64 {
        let (wall, cpu) = (self.0.elapsed().as_secs_f64(), cpu_seconds() - self.1);
        println!("{what:<52}{number:>10}  {wall:>8.2} s  {cpu:>8.2} s of CPU  {limit}");
        cpu
    }
}

/// The name of the processor, where the system tells it.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|pair| pair.1));
    format!("processor: {}", name.unwrap_or("unknown"))
}

/// The memory of this process, in MB, where the system tells it.
fn memory_megabytes() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok())
        .map_or(0, |kilobytes| kilobytes / 1024)
}

fn main() {
    let hands: usize = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(100_000);
    let folder = tempfile::tempdir_in(".").expect("the folder is writable");
    let path = folder.path().join("log");
    let signer = Signer::from_seed(ORIGIN, KeyKind::Log, &[7; 32]).expect("a name");
    println!("{}", processor());
    println!("{:<52}{:>10}  {:>10}", "", "number", "wall");

    // What a hand costs before the log: keys, shuffle, 52 salted leaves, entries.
    let watch = Stopwatch::start();
    let day = DayKey::from_bytes([9; 32]);
    let mut chain = day.chain(ORIGIN, "T-1", 1);
    for number in 1..=hands as u64 {
        let context = HandContext::new(ORIGIN, "T-1", number, "none");
        let key = chain.hand_key(&context);
        black_box(deckproof::commitment::SecretDeck::new(&key, &context).root());
        chain = chain.next();
    }
    let committing = watch.say("hands committed, nothing logged", hands, "");

    let entries = dealt_entries(hands);
    let watch = Stopwatch::start();
    for entry in &entries {
        black_box(leaf_hash(entry));
    }
    let hashing = watch.say("entries hashed, nothing else", entries.len(), "");

    let watch = Stopwatch::start();
    Log::init(&path, &signer).expect("a new log");
    let mut log = Log::open(&path).expect("a log");
    for group in entries.chunks(3 * GROUP) {
        for entry in group {
            log.append(entry).expect("an entry");
        }
        log.publish(&signer).expect("it is written");
    }
    drop(log);
    let logging = watch.say("entries logged, published and synced in groups", entries.len(), "");
    println!(
        "  together {:.2} s of CPU (limit 5 s for 100,000 hands); logging is {:.1} times the bare hashing",
        committing + logging,
        logging / hashing
    );

    let watch = Stopwatch::start();
    let reader = LogReader::open(&path).expect("a log");
    let (origin, earlier) = (ORIGIN.to_owned(), vec![reader.checkpoint().tree]);
    let mut scan = Scan::frugal(ScanRules { origin, is_live: false, earlier });
    let before = memory_megabytes();
    reader.walk::<LogError>(|entry| Ok(scan.entry(entry).expect("sound"))).expect("readable");
    let memory = memory_megabytes().saturating_sub(before);
    assert_eq!(scan.finish().expect("sound").closed, hands as u64);
    watch.say("entries scanned", entries.len(), "(limit 10 s for 1,000,000)");
    println!("  the scan took {memory} MB of memory more");

    let bundles = proven_bundles(&reader, 1000.min(hands));
    let trust = json!({ "origin": ORIGIN, "log": [signer.vkey().to_string()], "witness": [], "quorum": 1 });
    let trust = Trust::parse(trust.to_string().as_bytes()).expect("a trust file");
    let watch = Stopwatch::start();
    for bundle in &bundles {
        let accepted = verify_bundle(bundle, Some(&trust), &Statements::default()).expect("sound");
        assert_eq!(accepted.findings.logged.map(|logged| logged.len()), Some(3));
    }
    watch.say("bundles verified with their proofs", bundles.len(), "(limit 1 s for 1,000)");
    fs::remove_dir_all(&path).expect("it is ours");
}

fn deal(count: usize, mut each: impl FnMut(&DealtHand)) {
    let name = TableName::new(ORIGIN, "T-1").expect("a name");
    let mut table = Table::begin(name, DayKey::from_bytes([9; 32]), 1).expect("a table");
    let seats = Seats::parse("1,2,3,4").expect("seats");
    for _ in 0..count {
        let (hand, next) = table.commit();
        let mut open = hand.open(RuleSet::ALL[0], &seats);
        open.deal_street(seats.in_order()).expect("third street");
        each(&open.close(None));
        table = next;
    }
}

fn dealt_entries(hands: usize) -> Vec<String> {
    let mut entries = Vec::with_capacity(3 * hands);
    deal(hands, |hand| {
        entries.extend([hand.deck_entry(), hand.open_entry(), hand.close_entry()].map(str::to_owned));
    });
    entries
}

/// Full reveals with a receipt for each entry.
fn proven_bundles(reader: &LogReader, hands: usize) -> Vec<Vec<u8>> {
    let mut bundles = Vec::with_capacity(hands);
    deal(hands, |hand| {
        let mut bundle: Value = serde_json::from_str(&hand.full_bundle()).expect("JSON");
        let first = 3 * bundles.len() as u64;
        let receipt = |index| reader.receipt(index).expect("a receipt").to_string();
        bundle["proofs"] =
            json!({ "deck": receipt(first), "open": receipt(first + 1), "close": receipt(first + 2) });
        bundles.push(bundle.to_string().into_bytes());
    });
    bundles
}
