//! The scan of a whole log: order, gaps, second openings, unfinished hands, forks (PROTOCOL.md, section 12).

#[doc(hidden)]
pub mod report;
mod table;

use std::collections::HashMap;

use crate::log::beacon::CheckedRounds;
use crate::log::entry::{
    CloseEntry, CutEntry, DeckEntry, Entry, EntryError, Mix, OpenEntry, UnsealEntry, VERSION, VoidEntry,
};
use crate::log::mix;
use crate::log::refusal::{Code, Refusal};
use crate::log::scan::report::{OpenedHand, Report};
use crate::log::scan::table::{Hand, Running, Table};
use crate::log::tree::{Frontier, TreeHead};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_stud::stud::deal::ends;

/// What a log is scanned for, besides itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScanRules {
    /// The log.
    pub origin: String,
    /// Whether the log is still growing, so that each table may have a hand that runs.
    pub is_live: bool,
    /// Trees that were seen earlier.
    pub earlier: Vec<TreeHead>,
}

/// Where a hand is: its table and its place there.
#[derive(Clone, Copy)]
struct HandPlace {
    table: usize,
    hand: u64,
}

/// A scan in progress: entries go in one by one, in log order.
pub struct Scan {
    rules: ScanRules,
    /// Whether what has ended is forgotten.
    is_frugal: bool,
    tree: Frontier,
    names: HashMap<String, usize>,
    tables: Vec<Table>,
    decks: HashMap<Digest, HandPlace>,
    opens: HashMap<Digest, HandPlace>,
    opened: Vec<OpenedHand>,
    unsealed: Vec<UnsealEntry>,
    closed: u64,
    /// Beacon values the network signed: tables share rounds.
    rounds: CheckedRounds,
    voids: HashMap<(usize, String), u64>,
    /// With how many cards hands end, by rule set and number of seats.
    ends: HashMap<(&'static str, usize), u64>,
    /// The first close entry of a hand whose mix needs a cut that had not come.
    closed_without_cut: Option<u64>,
    /// The first earlier tree that this log does not begin with.
    fork: Option<TreeHead>,
}

impl Scan {
    /// A scan of a log of which nothing has been read.
    pub fn new(mut rules: ScanRules) -> Scan {
        rules.earlier.sort_by_key(|tree| tree.size);
        let mut scan = Scan {
            rules,
            is_frugal: false,
            tree: Frontier::default(),
            names: HashMap::new(),
            tables: Vec::new(),
            decks: HashMap::new(),
            opens: HashMap::new(),
            opened: Vec::new(),
            unsealed: Vec::new(),
            closed: 0,
            rounds: CheckedRounds::default(),
            voids: HashMap::new(),
            ends: HashMap::new(),
            closed_without_cut: None,
            fork: None,
        };
        scan.compare_with_earlier();
        scan
    }

    /// A scan that forgets hands when they have ended, so that its memory does not grow with the log; the
    /// report is without the list of opened hands. What names an ended hand is then `E_LOG_ORPHAN`; a scan that
    /// remembers gives such an entry its code.
    pub fn frugal(rules: ScanRules) -> Scan {
        Scan { is_frugal: true, ..Scan::new(rules) }
    }

    /// Takes signatures of the beacon unchecked from here on, or checks them again.
    pub fn trust_signatures(&mut self, is_trusting: bool) {
        self.rounds.trust(is_trusting);
    }

    /// The tree of the entries that have been read.
    pub fn tree(&self) -> TreeHead {
        TreeHead { size: self.tree.size(), root: self.tree.root() }
    }

    /// Reads the next entry.
    ///
    /// # Errors
    /// The first check it fails, with its place.
    pub fn entry(&mut self, text: &str) -> Result<Digest, Refusal> {
        let hash = leaf_hash(text);
        self.judge(text, &hash).map_err(|refusal| Refusal {
            place: format!("entry {} of the log", self.tree.size()),
            ..refusal
        })?;
        Ok(self.pass(text))
    }

    /// Takes the next entry unjudged, for the tree alone.
    pub fn pass(&mut self, text: &str) -> Digest {
        let hash = leaf_hash(text);
        self.tree.push(hash);
        self.compare_with_earlier();
        hash
    }

    fn compare_with_earlier(&mut self) {
        let size = self.tree.size();
        let mut of_this_size = self.rules.earlier.iter().filter(|tree| tree.size == size).peekable();
        if of_this_size.peek().is_some() && self.fork.is_none() {
            let root = self.tree.root();
            self.fork = of_this_size.find(|tree| tree.root != root).copied();
        }
    }

    fn judge(&mut self, text: &str, hash: &Digest) -> Result<(), Refusal> {
        match Entry::parse(text).map_err(entry_refusal)? {
            Entry::Deck(deck) => self.deck(deck, hash),
            Entry::Open(open) => self.open(open, hash),
            Entry::Cut(cut) => self.cut(&cut),
            Entry::Close(close) => self.close(&close),
            Entry::Void(void) => self.void(void),
            Entry::Unseal(unseal) => self.unseal(unseal),
        }
    }

    fn check_origin(&self, found: &str) -> Result<(), Refusal> {
        if found == self.rules.origin {
            Ok(())
        } else {
            Err(refusal(Code::Origin, format!("found the log {found}, this one is {}", self.rules.origin)))
        }
    }

    fn deck(&mut self, deck: DeckEntry, hash: &Digest) -> Result<(), Refusal> {
        self.check_origin(&deck.origin)?;
        let table = match self.names.get(&deck.table) {
            Some(table) => *table,
            None => {
                self.names.insert(deck.table.clone(), self.tables.len());
                self.tables.push(Table::new(&deck.table));
                self.tables.len() - 1
            }
        };
        let place = HandPlace { table, hand: deck.hand };
        let last = self.tables[table].hands_total();
        if deck.hand <= last {
            let again = if self.decks.contains_key(hash) { ", the same entry again" } else { "" };
            let message = format!("a second deck of hand {} of table {}{again}", deck.hand, deck.table);
            return Err(refusal(Code::LogDup, message));
        }
        if deck.hand != last + 1 {
            let message = format!("found hand {} of table {}, wanted {}", deck.hand, deck.table, last + 1);
            return Err(refusal(Code::LogGap, message));
        }
        self.tables[table].add(Hand::new(deck.mix));
        self.decks.insert(*hash, place);
        Ok(())
    }

    fn open(&mut self, open: OpenEntry, hash: &Digest) -> Result<(), Refusal> {
        let place = known(&self.decks, &open.deck, "open", "deck")?;
        let table = &mut self.tables[place.table];
        let hand = table.hand(place.hand);
        if hand.is_opened {
            let again = if self.opens.contains_key(hash) { ", the same entry again" } else { "" };
            let message = format!("a second open of {}{again}", table.name_of(place.hand));
            return Err(refusal(Code::LogDup, message));
        }
        if hand.is_ended {
            let message = format!("an open of {}, which was voided", table.name_of(place.hand));
            return Err(refusal(Code::LogOrder, message));
        }
        table.check_turn(place.hand)?;
        mix::check_open(hand.mix, &open)?;
        mix::check_chain(&open)?;
        let context = table.context(&self.rules.origin, place.hand);
        let opened_at = self.opened.len();
        if !self.is_frugal {
            self.opened.push(OpenedHand {
                table: table.name.clone(),
                hand: place.hand,
                deck: open.deck,
                is_voided: false,
                is_ended: false,
            });
        }
        table.start(
            place.hand,
            Running { open, name: *hash, context, cut: None, opened_at },
            self.tree.size(),
        );
        self.opens.insert(*hash, place);
        Ok(())
    }

    fn cut(&mut self, cut: &CutEntry) -> Result<(), Refusal> {
        let place = known(&self.opens, &cut.open, "cut", "open")?;
        let table = &mut self.tables[place.table];
        let hand = table.hand(place.hand);
        if hand.is_cut {
            return Err(refusal(Code::LogDup, format!("a second cut of {}", table.name_of(place.hand))));
        }
        let name = table.name_of(place.hand);
        let running = match &mut table.running {
            Some(running) if !hand.is_ended => running,
            _ => return Err(refusal(Code::LogOrder, format!("a cut of {name}, which has ended"))),
        };
        mix::check_cut_seats(&running.open, cut)?;
        mix::check_cut(hand.mix, &running.open, cut)?;
        mix::check_beacon(&running.open, cut, &mut self.rounds)?;
        mix::check_commits(&running.context, &running.open, cut)?;
        let is_whole = mix::check_no_seed_missing(&running.open, cut).is_ok();
        running.cut = Some(cut.clone());
        let hand = table.hand_mut(place.hand);
        (hand.is_cut, hand.is_cut_whole) = (true, is_whole);
        Ok(())
    }

    fn close(&mut self, close: &CloseEntry) -> Result<(), Refusal> {
        let place = known(&self.opens, &close.open, "close", "open")?;
        let hand = self.tables[place.table].hand(place.hand);
        let running = self.end(place)?;
        let running = running.expect("an opened hand that has not ended runs");
        match &running.cut {
            Some(cut) => mix::check_no_seed_missing(&running.open, cut)?,
            None if hand.mix != Mix::None => {
                self.closed_without_cut = self.closed_without_cut.or(Some(self.tree.size()));
            }
            None => {}
        }
        self.forget(&running, false);
        // A deck that is given up in this way was no more played than one that is voided.
        if close.dealt == 0 {
            self.tables[place.table].count_voided(hand);
            *self.voids.entry((place.table, NO_CARD.to_owned())).or_default() += 1;
            return Ok(());
        }
        let (rules, seats) = (running.open.rules, running.open.seats.in_order().len());
        let ends = *self.ends.entry((rules.name, seats)).or_insert_with(|| ends(rules, seats));
        self.tables[place.table].count_closed(ends >> close.dealt & 1 == 1);
        self.closed += 1;
        Ok(())
    }

    fn void(&mut self, void: VoidEntry) -> Result<(), Refusal> {
        let place = known(&self.decks, &void.deck, "void", "deck")?;
        let hand = self.tables[place.table].hand(place.hand);
        if let Some(running) = self.end(place)? {
            self.forget(&running, true);
        } else if self.is_frugal {
            self.decks.remove(&void.deck);
        }
        self.tables[place.table].count_voided(hand);
        *self.voids.entry((place.table, void.reason)).or_default() += 1;
        Ok(())
    }

    /// A hand is named by table and number, so that a scan that forgets hands knows which have ended. One hand may be opened
    /// several times.
    fn unseal(&mut self, unseal: UnsealEntry) -> Result<(), Refusal> {
        self.check_origin(&unseal.origin)?;
        let (table, hand) = (&unseal.table, unseal.hand);
        let decks = self.names.get(table).map(|place| &self.tables[*place]);
        let Some(decks) = decks.filter(|decks| hand <= decks.hands_total()) else {
            let message =
                format!("this unseal names hand {hand} of table {table}, which has no earlier deck entry");
            return Err(refusal(Code::LogOrphan, message));
        };
        if !decks.has_ended(hand) {
            let message = format!("an unseal of {}, which has not ended", decks.name_of(hand));
            return Err(refusal(Code::LogOrder, message));
        }
        self.unsealed.push(unseal);
        Ok(())
    }

    /// Writes down that a hand ended, or forgets it.
    fn forget(&mut self, running: &Running, is_voided: bool) {
        if self.is_frugal {
            self.decks.remove(&running.open.deck);
            self.opens.remove(&running.name);
        } else {
            let opened = &mut self.opened[running.opened_at];
            (opened.is_voided, opened.is_ended) = (is_voided, true);
        }
    }

    /// Ends a hand: once, and after every lower hand of its table.
    fn end(&mut self, place: HandPlace) -> Result<Option<Running>, Refusal> {
        let table = &mut self.tables[place.table];
        if table.hand(place.hand).is_ended {
            return Err(refusal(Code::LogDup, format!("a second end of {}", table.name_of(place.hand))));
        }
        table.check_turn(place.hand)?;
        Ok(table.end(place.hand, self.is_frugal))
    }

    /// The findings when the last entry has been read.
    ///
    /// # Errors
    /// `E_MIX`, `E_LOG_OPEN`, `E_LOG_CONSISTENCY`.
    pub fn finish(self) -> Result<Report, Refusal> {
        self.check_cuts()?;
        if !self.rules.is_live {
            let unfinished = self.tables.iter().filter_map(Table::unfinished).min_by_key(|(entry, _)| *entry);
            if let Some((entry, name)) = unfinished {
                let message = format!("{name} was opened here and never ended");
                return Err(Refusal::new(Code::LogOpen, format!("entry {entry} of the log"), message));
            }
        }
        self.check_earlier()?;
        Ok(self.report())
    }

    /// `E_MIX` of a hand that is closed without the cut its mix needs.
    ///
    /// # Errors
    /// The refusal.
    pub fn check_cuts(&self) -> Result<(), Refusal> {
        match self.closed_without_cut {
            None => Ok(()),
            Some(entry) => {
                let message = "a hand is closed, and the cut its mix needs is nowhere";
                Err(Refusal::new(Code::Mix, format!("entry {entry} of the log"), message))
            }
        }
    }

    fn check_earlier(&self) -> Result<(), Refusal> {
        let size = self.tree.size();
        let longer = self.rules.earlier.iter().find(|tree| tree.size > size);
        let message = match (&self.fork, longer) {
            (Some(tree), _) => {
                format!(
                    "a checkpoint of size {} has the root {}, this log has another there",
                    tree.size, tree.root
                )
            }
            (None, Some(tree)) => {
                format!("the log has {size} entries, an earlier checkpoint had {}", tree.size)
            }
            (None, None) => return Ok(()),
        };
        Err(Refusal::new(Code::LogConsistency, "the whole log", message))
    }

    fn report(self) -> Report {
        let tree = self.tree();
        let mut report = Report {
            tree,
            closed: self.closed,
            opened: self.opened,
            unsealed: self.unsealed,
            ..Report::default()
        };
        for ((table, reason), number) in self.voids {
            let name = self.tables[table].name.clone();
            report.voids.entry(name).or_default().insert(reason, number);
        }
        for table in &self.tables {
            if table.unused() > 0 {
                report.unused.insert(table.name.clone(), table.unused());
            }
            report.tables.insert(table.name.clone(), table.decks());
            report.running += u64::from(table.running.is_some());
        }
        report
    }
}

/// The reason of a hand that was closed before a card was dealt; no void entry may have it, for its blanks.
const NO_CARD: &str = "closed without a card";

fn refusal(code: Code, message: String) -> Refusal {
    // The place is put in by the caller, who knows the entry's number.
    Refusal::new(code, "", message)
}

fn known(
    entries: &HashMap<Digest, HandPlace>,
    named: &Digest,
    kind: &str,
    wanted: &str,
) -> Result<HandPlace, Refusal> {
    entries.get(named).copied().ok_or_else(|| {
        refusal(Code::LogOrphan, format!("this {kind} names {named}, which is no earlier {wanted} entry"))
    })
}

/// The code of a text that is no entry.
pub fn entry_refusal(error: EntryError) -> Refusal {
    let code = match &error {
        EntryError::Version { found } => {
            return refusal(Code::EntryVersion, error.to_string()).of_line(found, VERSION);
        }
        EntryError::Kind { .. } => Code::EntryKind,
        _ => Code::Entry,
    };
    refusal(code, error.to_string())
}
