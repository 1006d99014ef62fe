//! Decks of a day that were there before, and whether the file explains it: a file that only grew, hands that two exports
//! hold, a copy of another shuffler's file. What a file explains is no evidence against a shuffler, and is no pass either.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use jiff::tz::TimeZone;

use crate::monitoring::explained::Explained;
use crate::monitoring::known::day::{Day, KEY_BYTES, key_text};
use crate::monitoring::known::files::Again;
use crate::monitoring::known::overlap::{
    has_record_numbers, has_time, ids_are_numbers, ids_begin_anew, ids_name_no_hands,
};
use crate::monitoring::record_times::{are_dealt_anew, are_of_day};
use deckproof_audit::source::FileEnd;
use deckproof_deck::text::decimal::{counted, thousands};

/// Decks that are named.
const NAMED_MAX: usize = 3;

/// An earlier day, of this shuffler or another, and how many decks of it are here again.
#[derive(Default)]
struct Earlier {
    /// Under the id that they had.
    same: u64,
    /// Under another one.
    other: u64,
    /// Where one of the two has no id.
    unnamed: u64,
    /// Those of the last two whose own time is of that day, and before this one; and those of the first.
    early: u64,
    early_same: u64,
    /// The lowest and highest place.
    places: Option<(u64, u64)>,
    /// The deck at the highest one.
    last_key: [u8; KEY_BYTES],
    /// The first of those that the ids do not explain.
    named: Vec<u64>,
}

impl Earlier {
    fn all(&self) -> u64 {
        self.same + self.other + self.unnamed
    }
}

/// What is known of an earlier day.
pub struct EarlierDay<'a> {
    /// Its date.
    pub date: &'a str,
    /// How many decks it had.
    pub decks: u64,
    /// The name of the other shuffler, if it is not of this one.
    pub whose: Option<&'a str>,
    /// Whether its file is byte for byte the file of this day.
    pub is_same_file: bool,
    /// The fingerprint of its last deck, where its row has it.
    pub last_deck: Option<&'a String>,
    /// Whether some of its hands were outside it, or nobody knows: they may be of the day after it.
    pub has_outside: bool,
    /// The times of its first hands, where its row has them.
    pub first_times: &'a [u64],
}

/// What the repeats of a day are told of.
pub struct Today<'a> {
    /// The day.
    pub day: &'a Day,
    /// What gave the decks, where that is no file.
    pub program: Option<&'a str>,
    /// From when to when it is, and the time zone of times that have none.
    pub span: (&'a Range<u64>, &'a TimeZone),
    /// Tells of the day of a shuffler and a row.
    pub of: &'a dyn Fn(usize, u32) -> EarlierDay<'a>,
}

/// Decks that were there before.
#[derive(Default)]
pub struct Repeats {
    /// By the place of the shuffler, 0 for this one, and the row.
    earlier: BTreeMap<(usize, u32), Earlier>,
    /// Decks of each file that were there before.
    by_file: BTreeMap<usize, u64>,
    /// Decks of this day that were there before, however many rows have them.
    places: HashSet<u64>,
    /// Pairs of this day that are one deck, and have one id or not.
    pairs: u64,
    pairs_of_one_id: u64,
    named_pairs: Vec<(u64, u64)>,
    /// The lowest and highest first places of pairs without ids, and how far all of them are apart: 0 where they are not the same.
    block: Option<(u64, u64, u64)>,
}

/// What the repeats are.
pub enum Meaning {
    /// There are none.
    Nothing,
    /// The file explains them: what it is, and what to do.
    Explained(Explained),
    /// Nothing explains them.
    Proof(String),
}

impl Repeats {
    /// Adds a deck of this day that a row of a shuffler has; `id` is that of the hand today, 0 for none, and `is_early` says
    /// whether its time is of that earlier day, and before this one.
    pub fn add(&mut self, whose: usize, again: Again, (id, is_early): (u32, bool), files: &[FileEnd]) {
        let earlier = self.earlier.entry((whose, again.row)).or_default();
        let is_named = id != 0 && again.id != 0;
        let is_explained = is_named && id == again.id;
        match (is_explained, is_named) {
            (true, _) => earlier.same += 1,
            (false, true) => earlier.other += 1,
            (false, false) => earlier.unnamed += 1,
        }
        let place = again.place;
        if is_explained {
            earlier.early_same += u64::from(is_early);
        } else {
            lowest(&mut earlier.named, place);
            earlier.early += u64::from(is_early);
        }
        if earlier.places.is_none_or(|(_, high)| high < place) {
            earlier.last_key = again.key;
        }
        earlier.places =
            Some(earlier.places.map_or((place, place), |(low, high)| (low.min(place), high.max(place))));
        if self.places.insert(place) {
            *self.by_file.entry(files.partition_point(|file| file.end <= place)).or_default() += 1;
        }
    }

    /// Adds two places of this day that have one deck.
    pub fn add_pair(&mut self, first: u64, second: u64, ids: Option<(u32, u32)>) {
        self.pairs += 1;
        if ids.is_none_or(|ids| ids == (0, 0)) {
            let apart = second - first;
            let (low, high, before) = self.block.unwrap_or((first, first, apart));
            self.block = Some((low.min(first), high.max(first), if before == apart { apart } else { 0 }));
        }
        match ids {
            Some((one, other)) if one == other && one != 0 => self.pairs_of_one_id += 1,
            _ => lowest(&mut self.named_pairs, (first, second)),
        }
    }

    /// How many decks of earlier days are here again.
    fn all(&self) -> u64 {
        self.places.len() as u64
    }

    /// What they mean.
    pub fn meaning(&self, today: &Today) -> Meaning {
        if self.all() == 0 && self.pairs == 0 {
            return Meaning::Nothing;
        }
        let unexplained: Vec<String> = self.unexplained(today);
        if unexplained.is_empty() {
            let anew = self.dealt_anew(today);
            return anew.map_or_else(|| Meaning::Explained(self.by_ids(today)), Meaning::Proof);
        }
        // Records that say by their own times that they are of the earlier day are no hands of this one, whatever their ids.
        let is_early = |earlier: &Earlier| earlier.early == earlier.other + earlier.unnamed;
        if self.pairs == self.pairs_of_one_id && self.earlier.values().all(is_early) {
            return Meaning::Explained(self.by_times(today));
        }
        if let Some(explained) = self.by_copy(today) {
            return Meaning::Explained(explained);
        }
        // Another pair within the day, or a deck under another id, is explained by no file.
        if self.pairs > self.pairs_of_one_id {
            return Meaning::Proof(self.listed(unexplained));
        }
        let has_others = self.earlier.values().any(|earlier| earlier.other > 0);
        let by_files = (!has_others).then(|| self.by_files(today)).flatten();
        match by_files.or_else(|| self.by_overlap(today)) {
            Some(explained) => Meaning::Explained(explained),
            None => Meaning::Proof(self.listed(unexplained)),
        }
    }

    /// Repeats that no id explains, the first of them by their names.
    fn unexplained(&self, Today { day, of, .. }: &Today) -> Vec<String> {
        let time = |at: u64| day.marks().and_then(|marks| marks.time(at)).filter(|time| !time.is_empty());
        let has_id = |at: u64| day.marks().is_some_and(|marks| marks.id(at).is_some());
        let pair = |&(a, b): &(u64, u64)| {
            let has_one_time = time(a).is_some_and(|own| time(b) == Some(own));
            let join =
                if has_one_time { ", at one time, as an export gives that joins two tables" } else { "" };
            format!("{} and {} of this day are one deck{join}", day.label(a), bare(&day.label(b)))
        };
        let mut named: Vec<String> = self.named_pairs.iter().map(pair).collect();
        for (&(whose, row), earlier) in &self.earlier {
            let EarlierDay { date, whose, .. } = of(whose, row);
            for &place in &earlier.named {
                let label = day.label(place);
                named.push(match whose {
                    Some(name) => format!("{label} of this day is one that {name} dealt ({date})"),
                    None if earlier.other > 0 => {
                        let other = if has_id(place) { "under another id" } else { "at another time" };
                        format!("{label} of this day is a deck of row {row} ({date}) {other}")
                    }
                    None => format!("{label} of this day is one of row {row} ({date})"),
                });
            }
        }
        named
    }

    fn listed(&self, named: Vec<String>) -> String {
        let unexplained: u64 = self.earlier.values().map(|earlier| earlier.other + earlier.unnamed).sum();
        let all = unexplained + self.pairs - self.pairs_of_one_id;
        let shown = named.len().min(NAMED_MAX);
        let more = match all.saturating_sub(shown as u64) {
            0 => String::new(),
            more => format!("; and {} more", thousands(more)),
        };
        format!("{}{more}", named[..shown].join("; "))
    }

    /// That hands of an earlier day were dealt again, under ids that begin again each day: their times are of this one.
    fn dealt_anew(&self, Today { day, span, of, .. }: &Today) -> Option<String> {
        let (&(whose, row), earlier) = self.earlier.iter().max_by_key(|(_, earlier)| earlier.same)?;
        let (hands, is_own) = (self.all(), self.earlier.keys().all(|(whose, _)| *whose == 0));
        let (EarlierDay { date, first_times, has_outside, .. }, marks) = (of(whose, row), day.marks()?);
        let (low, high) = earlier.places.filter(|_| self.pairs == 0 && is_own && earlier.same == hands)?;
        let is_beginning = (low, high + 1) == (0, hands);
        let has_no_names = ids_name_no_hands(day);
        let how = if is_beginning && are_dealt_anew(marks, hands, first_times, *span) {
            "at another pace than on that day, as no old export has them: they were dealt again (a fixed seed). A query that takes the decks \
             by the id alone, from a table that still holds those of that day, gives the same"
        } else if 2 * hands < day.decks()
            && (ids_are_numbers(day, day.decks()) || !has_outside && has_no_names)
            && are_of_day(marks, self.places.iter().copied(), *span)
        {
            "among decks that are new, as no old export has them: they were dealt again (a fixed seed, a saved state)"
        } else {
            return None;
        };
        let ids = if has_no_names { "each of which many hands have" } else { "which begin again each day" };
        let time = |place: u64| marks.time(place).unwrap_or_default();
        Some(format!(
            "{} that row {row} ({date}) has, with the same ids ({}), {ids}, and with times of this day ({} to {}) {how}",
            counted(hands, "hand is here again", "hands are here again"),
            range(day, (low, high)),
            time(low),
            time(high)
        ))
    }

    /// That the same hands are here again, each under its id.
    fn by_ids(&self, Today { day, program, of, span }: &Today) -> Explained {
        let Some((&(whose, row), earlier)) = self.earlier.iter().max_by_key(|(_, earlier)| earlier.all())
        else {
            return format!(
                "{} here more than once, each time with the same id and the same deck; export every hand once and run this day \
                 again",
                if self.pairs == 1 {
                    "a hand is".to_owned()
                } else {
                    format!("{} hands are", thousands(self.pairs))
                }
            )
            .into();
        };
        let EarlierDay { date, whose, has_outside, .. } = of(whose, row);
        let (low, high) = earlier.places.unwrap_or_default();
        let range = range(day, (low, high));
        let hands = counted(self.all(), "hand is here again", "hands are here again");
        // Times that are not all of the earlier day, and ids that begin again each day, tell no hands of two days apart.
        let (is_dated, has_numbers) = (has_time(day, low), ids_are_numbers(day, self.all()));
        let is_early = is_dated && self.earlier.values().all(|earlier| earlier.early_same == earlier.same);
        let tell_no_days = || has_numbers || ids_begin_anew(day) || ids_name_no_hands(day);
        let may_be_dealt = if is_dated { !is_early } else { tell_no_days() };
        let is_of_day =
            day.marks().is_some_and(|marks| are_of_day(marks, self.places.iter().copied(), *span));
        if whose.is_none() && is_dated && is_of_day {
            let time = |place: u64| day.marks().and_then(|marks| marks.time(place)).unwrap_or_default();
            let export = program.unwrap_or("the export");
            let beyond = if has_outside {
                "; or the decks of that day went on into this one, and these are of both: leave them out"
            } else {
                ""
            };
            return Explained::or_dealt(format!(
                "{hands} that row {row} ({date}) has, with the same ids ({range}) and with times of this day ({} to {}): either the shuffler \
                 dealt the same decks again (a fixed seed, a saved state): then stop dealing; or {export} gives decks of that day another \
                 time, as where it takes them by an id that came again, or writes its own times: let it give each hand with its own deck and \
                 time{beyond}, and run this day again",
                time(low),
                time(high)
            ));
        }
        match (whose, program) {
            (None, Some(program)) => Explained::or_dealt(format!(
                "{hands} that row {row} ({date}) has, with the same ids ({range}): {program} reads out hands of that day, or a dealer that was \
                 set back dealt them again. Look at their times: if they are of that day, let it give the hands of the day alone, and run this \
                 day again; if they are of this day, stop dealing"
            )),
            (Some(name), _) if has_numbers => Explained::held_again(
                &format!("{hands} that {name} had ({date}), with the same ids ({range})"),
                "two shufflers read one export: name the one of each as its source and run this day again",
            ),
            (Some(name), _) => format!(
                "{hands} that {name} had ({date}), with the same ids ({range}): two shufflers read one export; name the one of \
                 each as its source and run this day again"
            )
            .into(),
            (None, None) if is_early => format!(
                "{hands} that row {row} ({date}) has, with the same ids ({range}) and with times of before this day: the exports overlap. A \
                 dealer whose clock and decks were set back gives the same. Leave those hands out, or set append_only = true for a file that \
                 only grows, and run this day again"
            )
            .into(),
            (None, None) => {
                let sentence = format!(
                    "{hands} that row {row} ({date}) has, with the same ids ({range}): the exports overlap, or a dealer that was set back \
                     dealt them again. Look at their times: if they are of that day, leave those hands out, or set append_only = true for a \
                     file that only grows, and run this day again; if they are of this day, stop"
                );
                if may_be_dealt { Explained::or_dealt(sentence + " dealing") } else { sentence.into() }
            }
        }
    }

    /// That hands of earlier days are here again with times of before this day, under other ids.
    fn by_times(&self, Today { day, of, .. }: &Today) -> Explained {
        let early = self.earlier.iter().filter(|(_, earlier)| earlier.early > 0);
        let hands = early.clone().map(|(_, earlier)| earlier.early).sum();
        let rows = early.map(|(&(whose, row), _)| format!("row {row} ({})", of(whose, row).date));
        let first = self.earlier.values().filter_map(|earlier| earlier.named.first()).min().copied();
        let has_ids = first.is_some_and(|first| day.marks().is_some_and(|marks| marks.id(first).is_some()));
        let (ids, otherwise) =
            if has_ids { ("under other ids and ", " and writes its ids otherwise") } else { ("", "") };
        format!(
            "{} that {} has, {ids}with times of before this day, the first {}, as an export gives that begins too early{otherwise}. A dealer whose \
             clock and decks were set back gives the same. Leave those hands out and run this day again",
            counted(hands, "hand is here again", "hands are here again"),
            rows.collect::<Vec<_>>().join(" and "),
            day.label(first.unwrap_or_default())
        )
        .into()
    }

    /// That two decks or more stand there again right behind themselves, as in a copy that broke off and was resumed too early.
    fn by_copy(&self, Today { day, .. }: &Today) -> Option<Explained> {
        let (low, high, apart) = self.block.filter(|_| self.earlier.is_empty())?;
        let is_block = self.pairs >= 2 && [apart, high + 1 - low] == [self.pairs; 2];
        is_block.then(|| {
            let [first, last, again, end] =
                [low, high, low + apart, high + apart].map(|at| thousands(at + 1));
            Explained::held_again(
                &format!(
                    "of {} decks the {first} to {last} are there again as {again} to {end}",
                    thousands(day.decks())
                ),
                "a copy broke off and was resumed too early: copy the file anew and run this day again",
            )
        })
    }

    /// That the day begins or ends with the last decks of an earlier one.
    fn by_overlap(&self, today: &Today) -> Option<Explained> {
        let mut earlier = self.earlier.iter();
        let (&(whose, row), own) = earlier.next().filter(|_| self.earlier.len() == 1 && self.pairs == 0)?;
        let EarlierDay { date, last_deck, .. } = (today.of)(whose, row);
        // Its first or last decks, two or more and no other, are of that day, and the last of them is its last one. The order of the
        // others is not remembered.
        let (decks, (low, high)) = (self.all(), own.places?);
        let (begins, ends) = (low == 0, high + 1 == today.day.decks());
        let is_block = decks >= 2 && high + 1 - low == decks && (begins || ends);
        let is_last = whose == 0 && last_deck.is_some_and(|last| *last == key_text(&own.last_key));
        let are_hands = own.other > 0 && !has_record_numbers(today.day, decks);
        let decks = thousands(decks);
        (is_block && is_last && !are_hands).then(|| {
            if begins {
                let first =
                    format!("the first {decks} decks are of row {row} ({date}), number {decks} is the last one of it");
                return Explained::begun_early(&first, today.program);
            }
            let last = format!("the last {decks} decks are those with which row {row} ({date}) ends");
            match today.program {
                Some(program) => Explained::given_again(program, &format!("ended as before: {last}")),
                None => Explained::held_again(
                    &last,
                    "the file was written over the longer one of that day and has its end: copy it anew and run this day again",
                ),
            }
        })
    }

    /// That whole earlier days are here again, as in a file that grew, a folder, or a copy of another shuffler's file.
    fn by_files(&self, Today { day, program, of, .. }: &Today) -> Option<Explained> {
        let days: Vec<(u32, EarlierDay, &Earlier)> =
            self.earlier.iter().map(|(&(whose, row), earlier)| (row, of(whose, row), earlier)).collect();
        if let Some((_, EarlierDay { date, whose: Some(name), .. }, _)) =
            days.iter().find(|(_, day, _)| day.whose.is_some())
        {
            let is_copy = |(_, day, _): &(u32, EarlierDay, &Earlier)| day.whose.is_none() || day.is_same_file;
            return days.iter().all(is_copy).then(|| {
                Explained::held_again(
                    &format!("the file is byte for byte the one of {name} ({date})"),
                    "two shufflers read copies of one export: name the one of each as its source and run this day again",
                )
            });
        }
        let is_whole = days.iter().all(|(_, day, earlier)| earlier.all() >= day.decks);
        let (row, EarlierDay { date, .. }, _) = days.last()?;
        let all = self.all();
        let highest =
            self.earlier.values().filter_map(|earlier| earlier.places).map(|(_, high)| high).max()?;
        // One deck alone is no file.
        let is_only = all == day.decks() && all > 1;
        if !is_whole && !is_only {
            return None;
        }
        let decks = counted(all, "deck", "decks");
        let what = match days.len() {
            1 if !is_whole => format!("{decks} of row {row} ({date})"),
            1 => format!("all {decks} of row {row} ({date})"),
            many if !is_whole => format!("{decks} of {many} rows, the last of {date}"),
            many => format!("all {decks} of {many} rows, the last of {date}"),
        };
        let begins = all == highest + 1;
        if let Some(program) = program {
            let how = if all < day.decks() { "began with" } else { "gave no deck beside" };
            return begins.then(|| Explained::given_again(program, &format!("{how} {what}")));
        }
        if begins && all < day.decks() {
            return Some(Explained::held_again(
                &format!("the file begins with {what}"),
                "it is a file that grows: set append_only = true, and each night goes on after the last record",
            ));
        }
        let lowest = self.earlier.values().filter_map(|earlier| earlier.places).map(|(low, _)| low).min()?;
        if days.len() == 1 && day.files().len() < 2 && lowest > 0 && lowest + all == day.decks() {
            return Some(Explained::held_again(
                &format!("the file ends with {what}"),
                "it was joined to the one of this day: give that alone and run this day again",
            ));
        }
        if is_only {
            return Some(Explained::held_again(
                &format!("the file holds no deck beside {what}"),
                "it is an old export, whole or in part, or in another order: give the one of this day and run this day again",
            ));
        }
        let files = day.files();
        let starts = std::iter::once(0).chain(files.iter().map(|file| file.end));
        let are_whole_files = files.len() > 1
            && starts.zip(files).enumerate().all(|(place, (start, file))| {
                [0, file.end - start].contains(&self.by_file.get(&place).copied().unwrap_or(0))
            });
        are_whole_files.then(|| {
            let (own, all) = (thousands(self.by_file.len() as u64), thousands(files.len() as u64));
            Explained::held_again(
                &format!("{own} of {all} files hold {what}"),
                "they were read before: name the files of the day ({date} in their names), or set append_only = true where new files \
                 come after the old ones",
            )
        })
    }
}

/// The hands of a range of places.
fn range(day: &Day, (low, high): (u64, u64)) -> String {
    if low == high { day.label(low) } else { format!("{} to {}", day.label(low), bare(&day.label(high))) }
}

/// Keeps the lowest of what is to be named.
fn lowest<T: Ord>(named: &mut Vec<T>, own: T) {
    let at = named.partition_point(|other| *other < own);
    named.insert(at, own);
    named.truncate(NAMED_MAX);
}

/// A label without the word that stands before it already.
fn bare(label: &str) -> &str {
    ["hand ", "deck "].iter().find_map(|word| label.strip_prefix(word)).unwrap_or(label)
}
