//! No crash loses a hand: three hands at two tables, cut short at every write, sync and rename.
//!
//! The files of a table live in a simulated disk that knows what is durable and what is only in the memory
//! of the machine. At the k-th operation it fails, tears the write, dies, or the power is cut; then the
//! table starts again, and everything it published and kept is examined.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;

use deckproof::commitment::cut::seed_commitment;
use deckproof::commitment::digest::{Digest, leaf_hash};
use deckproof::key::{DayKey, HandContext};
use deckproof::ledger::entry::{Entry, Mix};
use deckproof::stud::rules::RuleSet;
use deckproof::stud::seat::{Seat, Seats};
use deckproof::table::book::{ENTRIES, HANDS, TRANSCRIPTS, history_file};
use deckproof::table::durable::{DurableError, DurableTable, StreetError};
use deckproof::table::mix::{Announcement, Revealed};
use deckproof::table::recovery::Restart;
use deckproof::table::restore::{EndedHand, RestoreError, WrittenHand};
use deckproof::table::storage::Storage;
use deckproof::table::{Table, TableName};
use deckproof::verify::{Statements, verify_bundle};
use zeroize::Zeroizing;

/// What happens at the chosen operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cut {
    /// It fails and does nothing.
    Fail,
    /// It fails half done.
    Tear,
    /// The process dies before it; what was written stays.
    Kill,
    /// The power goes before it; only what was synced stays.
    Power,
    /// The power goes before it; names and half of what was not synced stay as well.
    PowerHalfWritten,
}

const CUTS: [Cut; 5] = [Cut::Fail, Cut::Tear, Cut::Kill, Cut::Power, Cut::PowerHalfWritten];

/// A file: what is in memory, and what is durable.
#[derive(Clone, Default)]
struct Content {
    bytes: Vec<u8>,
    durable: Vec<u8>,
}

/// A disk: names in memory and durable names, both leading to files.
#[derive(Default)]
struct Disk {
    files: Vec<Content>,
    names: BTreeMap<String, usize>,
    durable_names: BTreeMap<String, usize>,
    operations: usize,
    cut: Option<(usize, Cut)>,
    is_down: bool,
}

impl Disk {
    /// Counts an operation; the chosen one, and all after it, are not done. Says whether to tear it.
    fn step(&mut self) -> io::Result<bool> {
        let error = || io::Error::other("cut short");
        if self.is_down {
            return Err(error());
        }
        self.operations += 1;
        match self.cut {
            Some((at, Cut::Tear)) if at == self.operations => {
                self.is_down = true;
                Ok(true)
            }
            Some((at, _)) if at == self.operations => {
                self.is_down = true;
                Err(error())
            }
            _ => Ok(false),
        }
    }

    /// An operation that is done or not, so that tearing it is failing.
    fn whole_step(&mut self) -> io::Result<()> {
        if self.step()? { Err(io::Error::other("failed")) } else { Ok(()) }
    }

    fn file(&mut self, name: &str) -> io::Result<&mut Content> {
        let at = *self.names.get(name).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        Ok(&mut self.files[at])
    }

    /// What a new process finds.
    fn restart(&mut self) {
        match self.cut {
            Some((_, Cut::Power)) => {
                self.names = self.durable_names.clone();
                self.files.iter_mut().for_each(|file| file.bytes = file.durable.clone());
            }
            Some((_, Cut::PowerHalfWritten)) => {
                for file in &mut self.files {
                    let (synced, written) = (file.durable.len(), file.bytes.len());
                    file.bytes.truncate(synced.min(written) + written.saturating_sub(synced) / 2);
                }
            }
            _ => {}
        }
        self.files.iter_mut().for_each(|file| file.durable = file.bytes.clone());
        self.durable_names = self.names.clone();
        (self.is_down, self.cut) = (false, None);
    }
}

/// A table's folder on the disk.
#[derive(Clone)]
struct Shim {
    disk: Rc<RefCell<Disk>>,
    table: &'static str,
}

impl Shim {
    fn name(&self, file: &str) -> String {
        format!("{}/{file}", self.table)
    }

    fn bytes(&self, file: &str) -> Vec<u8> {
        let mut disk = self.disk.borrow_mut();
        disk.file(&self.name(file)).map(|file| file.bytes.clone()).unwrap_or_default()
    }
}

/// The part of a write that is done.
fn part(bytes: &[u8], is_torn: bool) -> &[u8] {
    if is_torn { &bytes[..bytes.len() / 2] } else { bytes }
}

fn done(is_torn: bool) -> io::Result<()> {
    if is_torn { Err(io::Error::other("torn")) } else { Ok(()) }
}

impl Storage for Shim {
    fn read(&self, file: &str, offset: u64) -> io::Result<Option<Zeroizing<Vec<u8>>>> {
        let mut disk = self.disk.borrow_mut();
        let content = disk.file(&self.name(file)).ok().map(|file| file.bytes.clone());
        Ok(content.map(|bytes| Zeroizing::new(bytes.get(offset as usize..).unwrap_or_default().to_vec())))
    }

    fn length(&self, file: &str) -> io::Result<Option<u64>> {
        Ok(self.disk.borrow_mut().file(&self.name(file)).ok().map(|file| file.bytes.len() as u64))
    }

    fn create(&mut self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let (mut disk, name) = (self.disk.borrow_mut(), self.name(file));
        let is_torn = disk.step()?;
        assert!(!disk.names.contains_key(&name), "{name} is created over a file");
        disk.files.push(Content { bytes: part(bytes, is_torn).to_vec(), durable: Vec::new() });
        let at = disk.files.len() - 1;
        disk.names.insert(name, at);
        done(is_torn)
    }

    fn append(&mut self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        let is_torn = disk.step()?;
        disk.file(&self.name(file))?.bytes.extend_from_slice(part(bytes, is_torn));
        done(is_torn)
    }

    fn overwrite(&mut self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        let is_torn = disk.step()?;
        let bytes = part(bytes, is_torn);
        disk.file(&self.name(file))?.bytes[..bytes.len()].copy_from_slice(bytes);
        done(is_torn)
    }

    fn truncate(&mut self, file: &str, length: u64) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        disk.file(&self.name(file))?.bytes.truncate(length as usize);
        Ok(())
    }

    fn sync(&mut self, file: &str) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        let file = disk.file(&self.name(file))?;
        file.durable = file.bytes.clone();
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        let at = disk.names.remove(&self.name(from)).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        disk.names.insert(self.name(to), at);
        Ok(())
    }

    fn remove(&mut self, file: &str) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        disk.names.remove(&self.name(file)).map(|_| ()).ok_or(io::Error::from(io::ErrorKind::NotFound))
    }

    fn sync_folder(&mut self, folder: &str) -> io::Result<()> {
        let mut disk = self.disk.borrow_mut();
        disk.whole_step()?;
        let below = self.name(folder) + "/";
        let names: BTreeMap<String, usize> = disk.names.clone();
        disk.durable_names.retain(|name, _| !name.starts_with(&below));
        disk.durable_names.extend(names.into_iter().filter(|(name, _)| name.starts_with(&below)));
        Ok(())
    }
}

const TABLES: [&str; 2] = ["A", "B"];

const HANDS_EACH: u64 = 3;

fn begin(storage: Shim) -> Result<DurableTable<Shim>, DurableError> {
    let name = TableName::new("stud.example/log1", storage.table).expect("names");
    let seed = storage.table.as_bytes()[0];
    DurableTable::begin(storage, Table::begin(name, DayKey::from_bytes([seed; 32]), 1).expect("a table"))
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
    let (announcement, revealed) = match is_cut {
        false => (Announcement::None, Revealed::default()),
        true => (
            Announcement::Players(vec![(seat, seed_commitment(&context, 3, &seed))]),
            Revealed { seeds: vec![(seat, seed)], beacon: None },
        ),
    };
    let committed = table.commit(announcement.mix())?;
    disclosed.entries.push(committed.deck_entry().to_owned());
    let rules = RuleSet::named("espacejeux").expect("rules");
    let announced = committed.announce(rules, &seats(), &announcement)?;
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
fn run(disk: &Rc<RefCell<Disk>>, disclosed: &mut [Disclosed; 2]) -> Result<(), DurableError> {
    let shim = |table| Shim { disk: Rc::clone(disk), table };
    let mut tables = [begin(shim(TABLES[0]))?, begin(shim(TABLES[1]))?];
    for _ in 0..HANDS_EACH {
        for (table, disclosed) in tables.iter_mut().zip(disclosed.iter_mut()) {
            deal(table, disclosed)?;
        }
    }
    Ok(())
}

/// Starts a table again, or for the first time if it had not begun.
fn start_again(storage: Shim) -> (DurableTable<Shim>, Restart) {
    match DurableTable::resume(storage.clone()) {
        Ok(resumed) => resumed,
        Err(DurableError::NoTable) => {
            (begin(storage).expect("a table that never began can begin"), Restart::Clean)
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
                    Entry::Deck(_) => unreachable!("it was matched"),
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

/// Every ended hand of a table opens to those who may see it.
fn check_opens(storage: &Shim, hands: &[(u64, Vec<String>)], disclosed: &Disclosed) {
    let own = Statements::default();
    for (number, entries) in hands {
        let [text, transcripts, records] = [ENTRIES, TRANSCRIPTS, HANDS].map(|file| storage.bytes(file));
        let history = String::from_utf8(storage.bytes(&history_file(*number))).expect("UTF-8");
        let history = Some(history).filter(|text| !text.is_empty());
        let written = WrittenHand::find(*number, &text[..], &transcripts[..], &records[..]);
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

/// Cuts one run short, perhaps also the start after it, and examines both tables.
fn check_cut(at: usize, cut: Cut, again_at: Option<usize>) -> bool {
    let disk = Rc::new(RefCell::new(Disk { cut: Some((at, cut)), ..Disk::default() }));
    let mut disclosed = [Disclosed::default(), Disclosed::default()];
    let is_done = run(&disk, &mut disclosed).is_ok();
    disk.borrow_mut().restart();
    if let Some(again) = again_at {
        let operations = disk.borrow().operations;
        disk.borrow_mut().cut = Some((operations + again, cut));
        for table in TABLES {
            let _ = DurableTable::resume(Shim { disk: Rc::clone(&disk), table });
        }
        disk.borrow_mut().restart();
    }
    for (table, disclosed) in TABLES.into_iter().zip(&mut disclosed) {
        let storage = Shim { disk: Rc::clone(&disk), table };
        let (mut resumed, _) = start_again(storage.clone());
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
        let (resumed, restart) = start_again(storage);
        assert_eq!((resumed.next_hand(), restart), (Some(HANDS_EACH + 2), Restart::Clean));
    }
    is_done
}

/// Operations of a run that nothing cuts short.
fn operations_total() -> usize {
    let disk = Rc::new(RefCell::new(Disk::default()));
    let mut disclosed = [Disclosed::default(), Disclosed::default()];
    run(&disk, &mut disclosed).expect("nothing fails");
    disk.borrow().operations
}

#[test]
fn a_table_cut_short_at_every_operation_goes_on_and_opens_every_hand() {
    let total = operations_total();
    assert!(total > 140, "{total} operations");
    for cut in CUTS {
        for at in 1..=total {
            let is_done = check_cut(at, cut, None);
            assert!(!is_done, "operation {at} of {total} was not cut");
        }
        assert!(check_cut(total + 1, cut, None));
    }
}

#[test]
fn a_table_cut_short_again_while_it_starts_again_goes_on() {
    let total = operations_total();
    for cut in [Cut::Tear, Cut::Kill, Cut::Power] {
        for at in (1..=total).step_by(5) {
            for again in [1, 2, 4, 7] {
                check_cut(at, cut, Some(again));
            }
        }
    }
}

#[test]
fn the_chain_has_moved_on_durably_before_the_deck_is_published() {
    let total = operations_total();
    for at in 1..=total {
        let disk = Rc::new(RefCell::new(Disk { cut: Some((at, Cut::Power)), ..Disk::default() }));
        let _ = run(&disk, &mut [Disclosed::default(), Disclosed::default()]);
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
    let disk = Rc::new(RefCell::new(Disk::default()));
    let storage = Shim { disk: Rc::clone(&disk), table: "A" };
    let mut table = begin(storage.clone()).expect("it begins");
    drop(table.commit(Mix::Players).expect("committed"));
    assert_eq!(table.commit(Mix::None).err(), Some(DurableError::Stopped));
    let (mut table, restart) = start_again(storage.clone());
    assert_eq!(restart, Restart::Voided { hand: 1, reason: "crash".to_owned() });
    table.commit(Mix::None).expect("committed").void("deck-lost").expect("voided");
    let text = String::from_utf8(storage.bytes(ENTRIES)).expect("ASCII");
    assert!(
        text.contains("mix players") && text.contains("reason crash") && text.contains("reason deck-lost")
    );
    let records = String::from_utf8(storage.bytes(HANDS)).expect("ASCII");
    assert_eq!(records, "1 void - crash\n2 void - deck-lost\n");
}

#[cfg(unix)]
mod processes {
    //! Real processes: killed, two at once, and a folder that takes no file.

    use std::fs;
    use std::path::Path;
    use std::process::{Child, Command, Output, Stdio};
    use std::thread;
    use std::time::Duration;

    use assert_cmd::cargo::cargo_bin;
    use tempfile::TempDir;

    fn deal(out: &Path, hands: &str, is_begun: bool) -> Command {
        let mut command = Command::new(cargo_bin("deckproof"));
        command.args(["deal", "--table", "T", "--seats", "1,2,3", "--hands", hands, "--out"]).arg(out);
        if is_begun {
            command.arg("--continue");
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn said(output: &Output) -> String {
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// Waits until the table deals, so that a kill hits it at work.
    fn wait_for_hands(out: &Path, child: &mut Child) {
        let length = || fs::metadata(out.join("public/entries.txt")).map_or(0, |file| file.len());
        let before = length();
        for _ in 0..2000 {
            if length() > before + 2000 || child.try_wait().expect("a child").is_some() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_table_that_is_killed_goes_on_and_its_log_is_sound() {
        let folder = TempDir::new().expect("a folder");
        let out = folder.path().join("out");
        for run in 0..6 {
            let mut child =
                deal(&out, "1000000", out.join("secret/state").exists()).spawn().expect("it runs");
            wait_for_hands(&out, &mut child);
            thread::sleep(Duration::from_millis(7 * run));
            child.kill().expect("it deals");
            let output = child.wait_with_output().expect("it is gone");
            assert_eq!(output.status.code(), None, "it was killed, and did not end: {}", said(&output));
        }
        let output = deal(&out, "1", true).output().expect("it runs");
        assert!(output.status.success(), "{}", said(&output));
        let text = fs::read_to_string(out.join("public/entries.txt")).expect("entries");
        let (mut hand, mut kind) = (0, "end");
        for entry in text.split_terminator("\n\n") {
            let (first, _) = entry.split_once('\n').expect("lines");
            let next = first.strip_prefix("deckproof/v1 ").expect("an entry");
            kind = match (kind, next) {
                ("end", "deck") => {
                    hand += 1;
                    assert!(entry.contains(&format!("\nhand {hand}\n")), "hand {hand}: {entry}");
                    "deck"
                }
                ("deck", "open") => "open",
                ("deck" | "open", "void") | ("open", "close") => "end",
                other => panic!("hand {hand}: {other:?}"),
            };
        }
        assert_eq!(kind, "end");
        assert!(hand > 6, "{hand} hands");
        let left = fs::read_dir(out.join("secret")).expect("a folder").count();
        assert_eq!(left, 2, "only the state and the records of hands");
    }

    #[test]
    fn a_second_dealer_at_a_table_is_refused() {
        let folder = TempDir::new().expect("a folder");
        let out = folder.path().join("out");
        let mut first = deal(&out, "1000000", false).spawn().expect("it runs");
        wait_for_hands(&out, &mut first);
        for is_begun in [false, true] {
            let second = deal(&out, "1", is_begun).output().expect("it runs");
            assert_eq!(second.status.code(), Some(2));
            assert!(said(&second).contains("another process deals"), "{}", said(&second));
        }
        first.kill().expect("it deals");
        first.wait().expect("it is gone");
        let third = deal(&out, "1", true).output().expect("it runs");
        assert!(third.status.success(), "{}", said(&third));
    }

    #[test]
    fn a_table_without_a_place_to_write_deals_nothing() {
        let folder = TempDir::new().expect("a folder");
        let out = folder.path().join("out");
        fs::write(&out, "a file").expect("writable");
        let output = deal(&out, "1", false).output().expect("it runs");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
        // The state cannot be replaced by a folder's name, and the hand is not published either.
        let out = folder.path().join("table");
        assert!(deal(&out, "1", false).output().expect("it runs").status.success());
        let entries = fs::read(out.join("public/entries.txt")).expect("entries");
        fs::create_dir(out.join("secret/unfinished.tmp")).expect("writable");
        let output = deal(&out, "1", true).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).contains("unfinished.tmp"), "{}", said(&output));
        assert_eq!(fs::read(out.join("public/entries.txt")).expect("entries"), entries);
    }
}
