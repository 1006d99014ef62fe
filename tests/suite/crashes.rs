//! No crash loses a hand: three hands at two tables, cut short at every write, sync and rename; without a log, and
//! with one log that both tables share.
//!
//! After the cut the tables start again, and everything they published, logged and kept is examined.
//! `DECKPROOF_CUTS=all cargo test --test suite crashes` cuts the run with the log at every operation too; without
//! it some are taken.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Mutex;

use deckproof::commitment::cut::seed_commitment;
use deckproof::commitment::digest::{Digest, leaf_hash};
use deckproof::key::{DayKey, HandContext};
use deckproof::log::entry::{Entry, Mix};
use deckproof::log::receipt::Receipt;
use deckproof::log::scan::{Scan, ScanRules};
use deckproof::log::vkey::{KeyKind, Signer};
use deckproof::log_folder::reader::LogReader;
use deckproof::log_folder::{Log, LogError};
use deckproof::stud::rules::RuleSet;
use deckproof::stud::seat::{Seat, Seats};
use deckproof::table::durable::{DurableError, DurableTable, StreetError};
use deckproof::table::files::{ENTRIES, HANDS, RECEIPTS, TRANSCRIPTS, history_file, receipt_file};
use deckproof::table::logged::{ReceiptRecord, SignedLog};
use deckproof::table::mix::{Announcement, Revealed};
use deckproof::table::recovery::Restart;
use deckproof::table::restore::{EndedHand, RestoreError};
use deckproof::table::several;
use deckproof::table::{Table, TableName};
use deckproof::verify::{Statements, verify_bundle};

use crate::common::disk::{CUTS, Cut, Disk, LogShim, Shim};

const ORIGIN: &str = "stud.example/log1";

const TABLES: [&str; 2] = ["A", "B"];

const HANDS_EACH: u64 = 3;

/// The disk with the log that both tables share; `None` where they have none.
type SharedLog = Option<Rc<RefCell<Disk>>>;

fn begin(storage: Shim, log: &SharedLog) -> Result<DurableTable<Shim>, DurableError> {
    let name = TableName::new(ORIGIN, storage.table).expect("names");
    let seed = storage.table.as_bytes()[0];
    let table = Table::begin(name, DayKey::from_bytes([seed; 32]), 1).expect("a table");
    DurableTable::begin(storage, table, signed(log))
}

fn resume(storage: Shim, log: &SharedLog) -> Result<(DurableTable<Shim>, Restart), DurableError> {
    DurableTable::resume(storage, signed(log))
}

fn signer() -> Signer {
    Signer::from_seed(ORIGIN, KeyKind::Log, &[7; 32]).expect("a name")
}

/// The log as each table opens it.
fn signed(log: &SharedLog) -> Option<SignedLog> {
    let disk = log.as_ref()?;
    Some(SignedLog::of_files(Rc::new(LogShim(Rc::clone(disk))), signer()))
}

/// A disk that is cut at an operation, with an empty log if one is wanted.
fn disk(cut: Option<(usize, Cut)>, has_log: bool) -> Rc<RefCell<Disk>> {
    let disk = Rc::new(RefCell::new(Disk::default()));
    if has_log {
        Log::init_files(&LogShim(Rc::clone(&disk)), &signer()).expect("nothing fails yet");
        disk.borrow_mut().operations = 0;
    }
    disk.borrow_mut().cut = cut;
    disk
}

fn seats() -> Seats {
    Seats::parse("2,3,5").expect("seats")
}

/// What the players of a hand were shown: cards of this hand were dealt, or it was closed to them.
#[derive(Default)]
struct Disclosed {
    dealt: Vec<u64>,
    closed: Vec<u64>,
    /// Texts that were handed out.
    entries: Vec<String>,
}

/// Deals one hand: odd ones without a mix and with a history, even ones cut by a player's seed; hand 3 is
/// given up after third street.
fn deal(table: &mut DurableTable<Shim>, disclosed: &mut Disclosed) -> Result<(), DurableError> {
    let number = table.next_hand().expect("the table is sound");
    let is_cut = number.is_multiple_of(2);
    let seed = Digest::of("a player's seed");
    let name = table.name().clone();
    let context = HandContext::new(name.origin(), name.table(), number, "players");
    let seat = Seat::new(3).expect("a seat");
    let (announcement, revealed) = if is_cut {
        (
            Announcement::Players(vec![(seat, seed_commitment(&context, 3, &seed))]),
            Revealed { seeds: vec![(seat, seed)], beacon: None },
        )
    } else {
        (Announcement::None, Revealed::default())
    };
    let committed = table.commit(announcement.mix())?;
    disclosed.entries.push(committed.deck_entry().to_owned());
    let rules = RuleSet::named("espacejeux").expect("rules");
    let announced = committed.announce(rules, &[], &seats(), &announcement)?;
    disclosed.entries.push(announced.open_entry().to_owned());
    let mut open = announced.cut(&revealed)?;
    for street in 0..if number == 3 { 1 } else { 3 } {
        let live = &seats().in_order()[..if street < 2 { 3 } else { 2 }].to_vec();
        match open.deal_street(live) {
            Ok(_) => disclosed.dealt.push(number),
            Err(StreetError::Durable(error)) => return Err(error),
            Err(error) => panic!("{error}"),
        }
    }
    if number == 3 {
        let voided = open.void("floor-call")?;
        disclosed.entries.push(voided.void_entry().to_owned());
        return Ok(());
    }
    let dealt = open.close(&[seat], (!is_cut).then(|| format!("history of hand {number}\n")))?;
    disclosed.closed.push(number);
    disclosed.entries.push(dealt.close_entry().to_owned());
    Ok(())
}

/// Deals at both tables in turn until something fails.
fn run(
    disk: &Rc<RefCell<Disk>>,
    log: &SharedLog,
    disclosed: &mut [Disclosed; 2],
) -> Result<(), DurableError> {
    let shim = |table| Shim { disk: Rc::clone(disk), table };
    let mut tables = [begin(shim(TABLES[0]), log)?, begin(shim(TABLES[1]), log)?];
    for _ in 0..HANDS_EACH {
        for (table, disclosed) in tables.iter_mut().zip(disclosed.iter_mut()) {
            deal(table, disclosed)?;
        }
    }
    Ok(())
}

/// Starts a table again, or for the first time if it had not begun.
fn start_again(storage: Shim, log: &SharedLog) -> (DurableTable<Shim>, Restart) {
    match resume(storage.clone(), log) {
        Ok(resumed) => resumed,
        Err(DurableError::NoTable) => {
            (begin(storage, log).expect("a table that never began can begin"), Restart::Clean)
        }
        Err(error) => panic!("the table is wedged: {error}"),
    }
}

/// The entries of a table, by the protocol's own rules: hands without gaps, in order, each ended once.
fn check_sound(storage: &Shim) -> Vec<(u64, Vec<String>)> {
    let text = String::from_utf8(storage.bytes(ENTRIES)).expect("ASCII");
    let mut hands: Vec<(u64, Vec<String>)> = Vec::new();
    let mut rest = text.as_str();
    while let Some((record, after)) = rest.split_once("\n\n") {
        let entry = format!("{record}\n");
        let is_ended = |hand: &(u64, Vec<String>)| {
            matches!(Entry::kind_of(hand.1.last().expect("an entry")), Ok("close" | "void"))
        };
        match Entry::parse(&entry).expect("an entry") {
            Entry::Deck(deck) => {
                assert!(hands.last().is_none_or(is_ended), "a hand is passed over: {text}");
                assert_eq!(deck.hand, hands.len() as u64 + 1, "{text}");
                hands.push((deck.hand, vec![entry]));
            }
            other => {
                let hand = hands.last_mut().expect("a deck");
                assert!(!is_ended(hand), "an ended hand goes on: {text}");
                let names = match &other {
                    Entry::Open(open) => open.deck,
                    Entry::Cut(cut) => cut.open,
                    Entry::Close(close) => close.open,
                    Entry::Void(void) => void.deck,
                    Entry::Deck(_) | Entry::Unseal(_) => unreachable!("no table writes it here"),
                };
                let of = if matches!(other, Entry::Open(_) | Entry::Void(_)) { 0 } else { 1 };
                assert_eq!(names, leaf_hash(&hand.1[of]), "{text}");
                hand.1.push(entry);
            }
        }
        rest = after;
    }
    assert_eq!(rest, "", "a torn entry is left");
    hands
}

/// Every ended hand of a table opens to those who may see it. Many cuts leave the same files: they are opened once.
fn check_opens(storage: &Shim, hands: &[(u64, Vec<String>)], disclosed: &Disclosed) {
    static OPENED: Mutex<BTreeSet<Digest>> = Mutex::new(BTreeSet::new());
    let own = Statements::default();
    let [text, transcripts, records] = [ENTRIES, TRANSCRIPTS, HANDS].map(|file| storage.bytes(file));
    let history = |number: &u64| String::from_utf8(storage.bytes(&history_file(*number))).expect("UTF-8");
    let histories: String = hands.iter().map(|(number, _)| history(number)).collect();
    let shown = format!("{histories} {:?} {:?}", disclosed.dealt, disclosed.closed);
    let files = Digest::of([&text, &transcripts, &records, shown.as_bytes()].concat());
    if OPENED.lock().expect("no holder panics").contains(&files) {
        return;
    }
    for (number, entries) in hands {
        let history = Some(history(number)).filter(|text| !text.is_empty());
        let written = several::find_one(*number, &text[..], &transcripts[..], &records[..]);
        let ended = written.expect("the hand is there").ended(history);
        let is_closed = matches!(Entry::kind_of(entries.last().expect("an end")), Ok("close"));
        assert!(is_closed || !disclosed.closed.contains(number), "hand {number} was closed and is void");
        match ended {
            Ok(EndedHand::Closed(dealt, shown)) => {
                assert!(is_closed);
                verify_bundle(dealt.full_bundle().as_bytes(), None, &own).expect("the full reveal");
                for &seat in seats().in_order() {
                    verify_bundle(dealt.seat_bundle(seat, &shown).as_bytes(), None, &own).expect("a seat");
                }
            }
            Ok(EndedHand::Voided(voided)) => {
                assert!(!is_closed && voided.open_entry().is_some());
                let bundle = voided.full_bundle().expect("it was opened");
                verify_bundle(bundle.as_bytes(), None, &own).expect("the lab's reveal");
            }
            Err(RestoreError::NeverOpened { .. }) => {
                assert!(!is_closed && entries.len() == 2, "{entries:?}");
                assert!(!disclosed.dealt.contains(number), "cards of hand {number} were shown");
            }
            Err(error) => panic!("hand {number} cannot be opened: {error}"),
        }
    }
    OPENED.lock().expect("no holder panics").insert(files);
}

/// Nothing that was handed out is missing from the public entries or stands there in another form.
fn check_kept(storage: &Shim, disclosed: &Disclosed) {
    let text = String::from_utf8(storage.bytes(ENTRIES)).expect("ASCII");
    for entry in &disclosed.entries {
        assert_eq!(text.matches(&format!("{entry}\n")).count(), 1, "{entry}is not there once:\n{text}");
    }
    let names = storage.disk.borrow().names.keys().cloned().collect::<Vec<_>>();
    let left = names.iter().find(|name| name.starts_with(storage.table) && name.ends_with(".tmp"));
    assert_eq!(left, None, "a temporary file is left");
}

/// The log as the auditor finds it: sound, with each entry of the tables once and in their order, and with every
/// tree under which a receipt was handed out as its beginning.
fn check_log(disk: &Rc<RefCell<Disk>>) {
    let reader = LogReader::open_files(Rc::new(LogShim(Rc::clone(disk)))).expect("a log");
    let shims = TABLES.map(|table| Shim { disk: Rc::clone(disk), table });
    let mut earlier = vec![reader.checkpoint().tree];
    for storage in &shims {
        let records = String::from_utf8(storage.bytes(RECEIPTS)).expect("UTF-8");
        for line in records.lines() {
            let record = ReceiptRecord::parse(line).expect("a record");
            let early = reader.under(&record.note).expect("a note");
            earlier.push(early.checkpoint().tree);
            assert!(early.receipt(record.open).is_ok() && early.receipt(record.deck).is_ok(), "{line}");
        }
    }
    let mut scan = Scan::new(ScanRules { origin: ORIGIN.to_owned(), is_live: false, earlier });
    let mut logged: Vec<String> = Vec::new();
    reader
        .walk::<LogError>(|entry| {
            logged.push(entry.to_owned());
            Ok(scan.entry(entry).unwrap_or_else(|refusal| panic!("{}: {}", refusal.code, refusal.message)))
        })
        .expect("readable");
    scan.finish().unwrap_or_else(|refusal| panic!("{}: {}", refusal.code, refusal.message));
    let mut rest = logged.len();
    for storage in &shims {
        let text = String::from_utf8(storage.bytes(ENTRIES)).expect("ASCII");
        let own: Vec<String> = text.split_terminator("\n\n").map(|entry| format!("{entry}\n")).collect();
        let mut from_log = logged.iter().filter(|entry| own.contains(entry));
        assert!(own.iter().all(|entry| from_log.next() == Some(entry)) && from_log.next().is_none());
        rest -= own.len();
    }
    assert_eq!(rest, 0, "the log has entries that no table has");
}

/// Cuts one run short, perhaps also the start after it, and examines both tables and the log.
fn check_cut(at: usize, cut: Cut, again_at: Option<usize>, has_log: bool) -> bool {
    let disk = disk(Some((at, cut)), has_log);
    let open = || has_log.then(|| Rc::clone(&disk));
    let mut disclosed = [Disclosed::default(), Disclosed::default()];
    let is_done = run(&disk, &open(), &mut disclosed).is_ok();
    disk.borrow_mut().restart();
    if let Some(again) = again_at {
        let operations = disk.borrow().operations;
        disk.borrow_mut().cut = Some((operations + again, cut));
        for table in TABLES {
            let _ = resume(Shim { disk: Rc::clone(&disk), table }, &open());
        }
        disk.borrow_mut().restart();
    }
    for (table, disclosed) in TABLES.into_iter().zip(&mut disclosed) {
        let storage = Shim { disk: Rc::clone(&disk), table };
        let (mut resumed, _) = start_again(storage.clone(), &open());
        check_kept(&storage, disclosed);
        // It goes on, whatever happened.
        while resumed.next_hand().expect("sound") <= HANDS_EACH + 1 {
            deal(&mut resumed, disclosed).expect("the disk is sound again");
        }
        let hands = check_sound(&storage);
        assert_eq!(hands.len() as u64, HANDS_EACH + 1);
        check_opens(&storage, &hands, disclosed);
        check_kept(&storage, disclosed);
        drop(resumed);
        let (resumed, restart) = start_again(storage, &open());
        assert_eq!((resumed.next_hand(), restart), (Some(HANDS_EACH + 2), Restart::Clean));
    }
    if has_log {
        check_log(&disk);
    }
    is_done
}

/// Operations of a run that nothing cuts short.
fn operations_total(has_log: bool) -> usize {
    let disk = disk(None, has_log);
    let log = has_log.then(|| Rc::clone(&disk));
    run(&disk, &log, &mut [Disclosed::default(), Disclosed::default()]).expect("nothing fails");
    disk.borrow().operations
}

#[test]
fn a_table_cut_short_at_every_operation_goes_on_and_opens_every_hand() {
    let total = operations_total(false);
    assert!(total > 140, "{total} operations");
    for cut in CUTS {
        for at in 1..=total {
            let is_done = check_cut(at, cut, None, false);
            assert!(!is_done, "operation {at} of {total} was not cut");
        }
        assert!(check_cut(total + 1, cut, None, false));
    }
}

/// Every operation, or one of so many, from a start that differs from cut to cut.
fn sampled(total: usize, nth: usize, cut: Cut) -> impl Iterator<Item = usize> {
    let is_all = std::env::var("DECKPROOF_CUTS").is_ok_and(|value| value == "all");
    let nth = if is_all { 1 } else { nth };
    (1 + cut as usize % nth..=total).step_by(nth)
}

#[test]
fn a_table_with_a_log_cut_short_anywhere_goes_on_and_its_log_is_sound() {
    let total = operations_total(true);
    assert!(total > 400, "{total} operations");
    for cut in CUTS {
        // What is only left for witnesses, or only takes room, may fail without the run; all else may not.
        let done = sampled(total, 17, cut).filter(|&at| check_cut(at, cut, None, true)).count();
        assert!(done * 3 < total / 17 + 10, "{done} runs were not cut");
        assert!(check_cut(total + 1, cut, None, true));
    }
}

#[test]
fn a_table_cut_short_again_while_it_starts_again_goes_on() {
    for (has_log, nth) in [(false, 5), (true, 131)] {
        let total = operations_total(has_log);
        for cut in [Cut::Tear, Cut::Kill, Cut::Power] {
            for at in sampled(total, nth, cut) {
                for again in [1, 2, 4, 7, 12] {
                    check_cut(at, cut, Some(again), has_log);
                }
            }
        }
    }
}

#[test]
fn deck_and_opening_are_durable_in_the_log_with_their_receipts_before_the_first_card() {
    let disk = disk(None, true);
    let storage = Shim { disk: Rc::clone(&disk), table: "A" };
    let mut table = begin(storage.clone(), &Some(Rc::clone(&disk))).expect("it begins");
    for hand in 1..=3 {
        let committed = table.commit(Mix::None).expect("committed");
        let deck = committed.deck_entry().to_owned();
        let rules = RuleSet::named("stud-hi").expect("rules");
        let announced = committed.announce(rules, &[], &seats(), &Announcement::None).expect("announced");
        let open = announced.open_entry().to_owned();
        // The power goes here, before a card: whoever comes finds both entries under the checkpoint.
        let copy = Rc::new(RefCell::new(disk.borrow().clone()));
        copy.borrow_mut().cut = Some((0, Cut::Power));
        copy.borrow_mut().restart();
        let reader = LogReader::open_files(Rc::new(LogShim(Rc::clone(&copy)))).expect("a log");
        let found = Shim { disk: copy, table: "A" };
        for (kind, entry) in [("deck", &deck), ("open", &open)] {
            let receipt = String::from_utf8(found.bytes(&receipt_file(hand, kind))).expect("UTF-8");
            let receipt = Receipt::parse(&receipt).expect("a receipt");
            assert!(receipt.leads_to(&leaf_hash(entry), &reader.checkpoint().tree), "{kind} of hand {hand}");
        }
        assert!(
            found.bytes(&receipt_file(hand - 1, "deck")).is_empty(),
            "older receipts are made when asked for"
        );
        let mut open = announced.cut(&Revealed::default()).expect("cut");
        open.deal_street(seats().in_order()).expect("third street");
        open.close(&[], None).expect("closed");
    }
}

#[test]
fn a_table_does_not_begin_where_its_log_has_other_hands_of_its_name() {
    let disk = disk(None, true);
    let log = Some(Rc::clone(&disk));
    let mut first = begin(Shim { disk: Rc::clone(&disk), table: "A" }, &log).expect("it begins");
    let begin_at = |folder: &'static str, hand: u64| {
        let name = TableName::new(ORIGIN, "A").expect("names");
        let table = Table::begin(name, DayKey::from_bytes([1; 32]), hand).expect("a table");
        DurableTable::begin(Shim { disk: Rc::clone(&disk), table: folder }, table, signed(&log))
    };
    let is_refused =
        |begun: Result<_, DurableError>| matches!(begun, Err(DurableError::LoggedElsewhere { .. }));
    assert!(is_refused(begin_at("C", 2).map(|_| ())), "no hand 1 is in the log");
    let committed = first.commit(Mix::None).expect("committed");
    for hand in [1, 2, 3] {
        assert!(is_refused(begin_at("C", hand).map(|_| ())), "hand 1 has not ended, and {hand} was to begin");
    }
    committed.void("deck-lost").expect("voided");
    assert!(is_refused(begin_at("C", 1).map(|_| ())) && is_refused(begin_at("C", 3).map(|_| ())));
    // The next day, in another folder.
    let mut second = begin_at("C", 2).expect("hand 2 comes next");
    deal(&mut second, &mut Disclosed::default()).expect("nothing fails");
    assert_eq!(signed(&log).expect("a log").reader().expect("a log").checkpoint().tree.size, 6);
}

#[test]
fn a_table_with_a_log_does_not_go_on_without_it_or_with_a_shorter_one() {
    let disk = disk(None, true);
    let storage = Shim { disk: Rc::clone(&disk), table: "A" };
    let mut table = begin(storage.clone(), &Some(Rc::clone(&disk))).expect("it begins");
    for _ in 0..2 {
        deal(&mut table, &mut Disclosed::default()).expect("nothing fails");
    }
    assert_eq!(resume(storage.clone(), &None).err(), Some(DurableError::LogWanted));
    let shorter = self::disk(None, true);
    assert!(matches!(
        resume(storage.clone(), &Some(Rc::clone(&shorter))),
        Err(DurableError::OtherLog { .. })
    ));
    assert!(resume(storage, &Some(Rc::clone(&disk))).is_ok());
    let plain = Shim { disk, table: "B" };
    drop(begin(plain.clone(), &None).expect("it begins"));
    assert_eq!(resume(plain, &Some(Rc::clone(&shorter))).err(), Some(DurableError::NotLogged));
}

#[test]
fn the_chain_has_moved_on_durably_before_the_deck_is_published() {
    let total = operations_total(false);
    for at in 1..=total {
        let disk = disk(Some((at, Cut::Power)), false);
        let _ = run(&disk, &None, &mut [Disclosed::default(), Disclosed::default()]);
        disk.borrow_mut().restart();
        for table in TABLES {
            let storage = Shim { disk: Rc::clone(&disk), table };
            let public = String::from_utf8(storage.bytes(ENTRIES)).expect("ASCII");
            let state = String::from_utf8(storage.bytes("secret/state")).expect("ASCII");
            let committed = public.lines().filter_map(|line| line.strip_prefix("hand ")).next_back();
            let next = state.lines().find_map(|line| line.strip_prefix("hand "));
            let [committed, next] =
                [committed, next].map(|hand| hand.map_or(0, |hand| hand.parse().expect("a number")));
            assert!(committed < next.max(1_u64), "hand {committed} is public, the state says {next}");
        }
    }
}

#[test]
fn mixes_and_reasons_survive_a_crash() {
    let storage = Shim { disk: disk(None, false), table: "A" };
    let mut table = begin(storage.clone(), &None).expect("it begins");
    drop(table.commit(Mix::Players).expect("committed"));
    assert_eq!(table.commit(Mix::None).err(), Some(DurableError::Stopped));
    let (mut table, restart) = start_again(storage.clone(), &None);
    assert_eq!(restart, Restart::Voided { hand: 1, reason: "crash".to_owned() });
    table.commit(Mix::None).expect("committed").void("deck-lost").expect("voided");
    let text = String::from_utf8(storage.bytes(ENTRIES)).expect("ASCII");
    assert!(
        text.contains("mix players") && text.contains("reason crash") && text.contains("reason deck-lost")
    );
    let records = String::from_utf8(storage.bytes(HANDS)).expect("ASCII");
    assert_eq!(records, "1 void - crash\n2 void - deck-lost\n");
}
