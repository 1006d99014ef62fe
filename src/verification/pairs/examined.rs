//! A table of words beside decks, examined by the method that is named, or by every one that is known.

use crate::verification::pairs::read::read;
use crate::verification::pairs::scaling::Scaling;
use crate::verification::pairs::{ReplayMethod, Replayed, WordsAndDeck, methods, replay, used_twice};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::{counted, thousands};
use deckproof_deck::text::excerpt;
use deckproof_files::file::sha256;
use deckproof_lab::project::settings::supplied::PairsFile;
use deckproof_lab::project::supplied::name_of;
use deckproof_lab::project::supplied::pairs::{
    FAULTS_MAX, PAIRS_FORMAT, PairsFault, PairsMethod, PairsRecord, PairsVerdict,
};
use deckproof_predict::deck::DECK_CARDS;
use deckproof_predict::start::Start;
use deckproof_predict::way::{WAYS, Way};

/// Widths that words have where nobody says it: the narrowest that holds the largest word.
const WIDTHS: [u32; 9] = [8, 15, 16, 24, 31, 32, 48, 53, 64];

/// What a table shows.
pub struct ExaminedPairs {
    /// Bits of a word.
    pub bits: u32,
    /// The rows.
    pub records: Vec<WordsAndDeck>,
    /// The method that gives the most decks, and what it says of each.
    pub best: Replayed,
    /// Other methods that give as many.
    pub also: Vec<ReplayMethod>,
    /// The lines of two different decks that have the same words.
    pub twice: Option<(usize, usize)>,
    /// SHA-256 of the table.
    pub sha256: String,
}

/// Examines the bytes of a table by what is named of the method.
///
/// # Errors
/// [`CouldNotSay`]: what cannot be read, and decks that no known method gives.
pub fn examine(asked: &PairsFile, bytes: &[u8]) -> Result<ExaminedPairs, CouldNotSay> {
    let name = &asked.file;
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = thousands(error.valid_up_to() as u64);
        CouldNotSay::new(format!("{name}: byte {at}: found no UTF-8, wanted a text"), "")
    })?;
    let records = read(text).map_err(|error| CouldNotSay::new(format!("{name}: {error}"), ""))?;
    if records.is_empty() {
        return Err(CouldNotSay::new(format!("{name}: found no deck, wanted words beside decks"), ""));
    }
    let bits = width(asked.bits, name, &records)?;
    let named = Named::of(asked, bits)?;
    let tried = methods(bits, named.scaling, named.way, named.start);
    let mut replayed = replay(bits, &tried, &records);
    if let Some(other) = by_another_name(bits, &named, &replayed, &records) {
        return Err(misnamed(asked, &named, &replayed, other, &records));
    }
    if replayed.is_empty() && named.is_whole() {
        replayed = nearest(bits, &tried, &records);
    }
    // A single deck that is shuffled from one that is not there can be neither given nor contradicted.
    replayed.retain(|own| own.given() > 0 || own.contradictions().next().is_some());
    if replayed.is_empty() {
        return Err(none(name, &named, &tried, &records, bits));
    }
    let best = replayed.remove(0);
    let twice = used_twice(&records);
    if let (Some(other), None) = (by_others(&best, &replayed), twice) {
        return Err(several(name, &best, other, &records));
    }
    if let (Some(lines), None) = (breaks(&best, &records), twice) {
        return Err(broken(name, &best, &lines, &records));
    }
    if let Some(row) = joined_off(bits, &best, &records) {
        return Err(off(name, row, &records));
    }
    let also =
        replayed.iter().filter(|other| other.given() == best.given()).map(|other| other.method).collect();
    Ok(ExaminedPairs { bits, records, best, also, twice, sha256: sha256(bytes) })
}

/// The method that gives every deck where the one that is named does not: either may be a slip.
fn by_another_name(
    bits: u32,
    named: &Named,
    replayed: &[Replayed],
    records: &[WordsAndDeck],
) -> Option<ReplayMethod> {
    let gives_all = |own: &Replayed| own.given() > 0 && own.contradictions().next().is_none();
    let is_open = named.scaling.is_none() && named.way.is_none() && named.start.is_none();
    if is_open || replayed.iter().any(gives_all) {
        return None;
    }
    let all = replay(bits, &methods(bits, None, None, None), records);
    all.iter().find(|own| gives_all(own)).map(|own| own.method)
}

/// That the decks are given, and not by what was named.
fn misnamed(
    asked: &PairsFile,
    named: &Named,
    replayed: &[Replayed],
    other: ReplayMethod,
    records: &[WordsAndDeck],
) -> CouldNotSay {
    let given = replayed.iter().map(Replayed::given).max().unwrap_or(0) as u64;
    CouldNotSay::new(
        format!(
            "{}: found {} of {} given by the method that is named ({}), and all of them by {}, {}, {}; wanted one method",
            asked.file,
            thousands(given),
            counted(records.len() as u64, "deck", "decks"),
            named.text(),
            other.scaling.name(),
            other.way.name(),
            other.start.name(),
        ),
        "If the name is a slip, name the method as the source code has it. If the source code has the method as named, the program that gave \
         these decks does not follow it: leave the name out, and state that as a finding.",
    )
}

/// m/2^k.
fn share((words, own): (u32, u32)) -> f64 {
    f64::from(words) / 2f64.powi(own as i32)
}

/// Examines a customer's table as a project names it.
///
/// # Errors
/// As [`examine`].
pub fn record_of(asked: &PairsFile, bytes: &[u8]) -> Result<PairsRecord, CouldNotSay> {
    Ok(examine(asked, bytes)?.record(asked, FAULTS_MAX))
}

impl ExaminedPairs {
    /// Whether all decks that could be examined are given, and no two by the same words.
    pub fn is_given(&self) -> bool {
        self.best.contradictions().next().is_none() && self.twice.is_none()
    }

    /// The least even of the methods that give the decks: these words cannot tell which of them it was. `None` where draws of all are
    /// exactly uniform, else as [`Scaling::unevenness`](crate::verification::pairs::scaling::Scaling::unevenness).
    pub fn unevenness(&self) -> Option<(u32, u32)> {
        let all = [self.best.method].into_iter().chain(self.also.iter().copied());
        let all = all.filter_map(|method| method.scaling.unevenness(self.bits));
        all.max_by(|&one, &other| share(one).total_cmp(&share(other)))
    }

    /// The same as plain data, with so many of the decks that are not given.
    pub fn record(&self, asked: &PairsFile, faults_max: usize) -> PairsRecord {
        let method = self.best.method;
        let named = [
            ("scaling", asked.scaling.is_some()),
            ("loop", asked.way.is_some()),
            ("start", asked.start.is_some()),
            ("bits", asked.bits.is_some()),
        ];
        PairsRecord {
            format: PAIRS_FORMAT.to_owned(),
            verdict: if self.is_given() { PairsVerdict::Agrees } else { PairsVerdict::Differs },
            file: name_of(&asked.file),
            sha256: self.sha256.clone(),
            decks: self.records.len() as u64,
            words: self.records.iter().map(|record| record.words.len() as u64).sum(),
            given: self.best.given() as u64,
            not_given: self.best.contradictions().count() as u64,
            not_examined: self.best.answers.iter().filter(|answer| answer.is_none()).count() as u64,
            word_bits: self.bits,
            named: named.into_iter().filter(|(_, is)| *is).map(|(name, _)| name.to_owned()).collect(),
            method: method_of(method),
            also: self.also.iter().copied().map(method_of).collect(),
            unevenness_max: self.unevenness().map(share),
            same_words: self.twice.map(|(first, second)| [first as u64, second as u64]),
            faults: self.best.contradictions().take(faults_max).cloned().collect(),
        }
    }
}

fn method_of(method: ReplayMethod) -> PairsMethod {
    PairsMethod {
        scaling: method.scaling.name(),
        way: method.way.name(),
        draw_of_one: method.has_draw_of_one,
        start: method.start.name(),
    }
}

/// What the names mean.
struct Named {
    scaling: Option<Scaling>,
    way: Option<Way>,
    start: Option<Start>,
}

impl Named {
    fn of(asked: &PairsFile, bits: u32) -> Result<Named, CouldNotSay> {
        let unknown = |option: &str, name: &str, names: Vec<String>| {
            let found = format!("found --{option} {:?}", excerpt(name, 30));
            CouldNotSay::new(found, &format!("Wanted one of {}.", names.join(", ")))
        };
        let scalings = || Scaling::all(bits).into_iter();
        let scaling = asked.scaling.as_deref().map(|name| {
            let wanted = || scalings().map(Scaling::name).collect();
            let option = format!("scaling of words of {bits} bits");
            scalings().find(|scaling| scaling.name() == name).ok_or_else(|| unknown(&option, name, wanted()))
        });
        let way = asked.way.as_deref().map(|name| {
            let wanted = || WAYS.map(Way::name).to_vec();
            WAYS.into_iter().find(|way| way.name() == name).ok_or_else(|| unknown("loop", name, wanted()))
        });
        let start = asked.start.as_deref().map(|name| {
            let wanted = || Start::usual().into_iter().map(Start::name).collect();
            Start::named(name).ok_or_else(|| unknown("start", name, wanted()))
        });
        Ok(Named { scaling: scaling.transpose()?, way: way.transpose()?, start: start.transpose()? })
    }

    /// What is named, as the options have it.
    fn text(&self) -> String {
        let parts = [
            self.scaling.map(|own| format!("scaling {}", own.name())),
            self.way.map(|own| format!("loop {}", own.name())),
            self.start.map(|own| format!("start {}", own.name())),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Whether nothing is left open, so that decks can contradict it by themselves.
    fn is_whole(&self) -> bool {
        self.scaling.is_some() && self.way.is_some() && self.start.is_some()
    }
}

/// How many bits the words have.
fn width(named: Option<u32>, name: &str, records: &[WordsAndDeck]) -> Result<u32, CouldNotSay> {
    let largest = records.iter().flat_map(|record| &record.words).copied().max().unwrap_or(0);
    let needed = u64::BITS - largest.leading_zeros();
    let Some(bits) = named else {
        return Ok(WIDTHS.into_iter().find(|width| *width >= needed).unwrap_or(u64::BITS));
    };
    let is_wide = |word: &u64| u64::BITS - word.leading_zeros() > bits;
    for record in records {
        if let Some(place) = record.words.iter().position(is_wide) {
            let (word, line) = (record.words[place], record.line);
            return Err(CouldNotSay::new(
                format!(
                    "{}: line {line}, word {}: found {word}, wanted a number below 2^{bits}",
                    name,
                    place + 1
                ),
                "--bits says how many bits a word has.",
            ));
        }
    }
    Ok(bits)
}

/// The first deck that the best method does not give, and another method that gives it, where every deck is given by some method.
fn by_others<'a>(best: &Replayed, others: &'a [Replayed]) -> Option<(usize, &'a Replayed)> {
    let is_wrong = |number: &usize| matches!(best.answers[*number], Some(Err(_)));
    let of = |number: usize| others.iter().find(|other| other.gives(number)).map(|other| (number, other));
    let wrong: Option<Vec<_>> = (0..best.answers.len()).filter(is_wrong).map(of).collect();
    wrong?.first().copied()
}

/// That all decks are given, and by no one method.
fn several(
    name: &str,
    best: &Replayed,
    (number, other): (usize, &Replayed),
    records: &[WordsAndDeck],
) -> CouldNotSay {
    let of = |method: ReplayMethod| {
        format!("{}, {}, {}", method.scaling.name(), method.way.name(), method.start.name())
    };
    CouldNotSay::new(
        format!(
            "{name}: found {} of {} given by {}, and the others by other methods, line {} by {}; wanted one method",
            thousands(best.given() as u64),
            counted(records.len() as u64, "deck", "decks"),
            of(best.method),
            records[number].line,
            of(other.method)
        ),
        "If the file holds several tables, or the program began anew or changed, examine each part by itself. A program that is free \
         to choose the method of a deck can choose among decks. --scaling, --loop and --start name the method that is wanted.",
    )
}

/// Of two decks of which one was not shuffled from the other, twelve or more places agree once in 10^9 times (Montmort's matches): then
/// cards were exchanged, and no line is missing.
const PLACES_DIFFER: u64 = DECK_CARDS as u64 - 12;

/// The lines at which a chain of decks that are shuffled on breaks, where it holds before and after each of them and hardly a card lies
/// where it should: a line that is missing there looks the same as another deck.
fn breaks(best: &Replayed, records: &[WordsAndDeck]) -> Option<Vec<usize>> {
    let is_broken = |number: &usize| matches!(best.answers[*number], Some(Err(_)));
    let is_break = |number: &usize| {
        let goes_on = *number + 1 == best.answers.len() || best.gives(number + 1);
        goes_on
            && matches!(best.answers[*number], Some(Err(PairsFault::Draw { places, .. })) if places > PLACES_DIFFER)
    };
    let broken: Vec<usize> = (0..best.answers.len()).filter(is_broken).collect();
    let is_chain = best.method.start == Start::Previous && best.given() > broken.len();
    let lines = broken.iter().map(|number| records[*number].line).collect();
    (is_chain && !broken.is_empty() && broken.iter().all(is_break)).then_some(lines)
}

/// That a chain of decks breaks where a line may be missing.
fn broken(name: &str, best: &Replayed, lines: &[usize], records: &[WordsAndDeck]) -> CouldNotSay {
    let mut shown: Vec<String> = lines.iter().take(5).map(usize::to_string).collect();
    shown.extend((lines.len() > 5).then(|| format!("{} more", lines.len() - 5)));
    CouldNotSay::new(
        format!(
            "{name}: found {} of {} given by the deck before, and the chain broken before line {}; wanted a whole chain",
            thousands(best.given() as u64),
            counted(records.len() as u64, "deck", "decks"),
            shown.join(", ")
        ),
        "Either a line is missing there, or the deck of this line was not shuffled from the one before: the table shows neither. Export it \
         whole, or examine the parts between by themselves.",
    )
}

/// The row, the one before or the one behind, whose words give every deck that its own do not give; the first and the last row may have
/// no such row.
fn joined_off(bits: u32, best: &Replayed, records: &[WordsAndDeck]) -> Option<(&'static str, u64)> {
    let is_wrong = |number: &usize| matches!(best.answers[*number], Some(Err(_)));
    [("before", -1), ("behind", 1)].into_iter().find_map(|(row, step)| {
        let wrong = (0..records.len()).filter(is_wrong);
        let given = wrong.filter_map(|number| {
            let other = records.get(number.checked_add_signed(step)?)?;
            Some(best.method.gives_deck(bits, &other.words, number, records))
        });
        let given: Vec<bool> = given.collect();
        (!given.is_empty() && given.iter().all(|is_given| *is_given)).then_some((row, given.len() as u64))
    })
}

/// That words and decks are joined one row off.
fn off(name: &str, (row, given): (&str, u64), records: &[WordsAndDeck]) -> CouldNotSay {
    CouldNotSay::new(
        format!(
            "{name}: found {} of {} given by the words of the row {row} and not by their own, wanted words beside the deck that they gave",
            thousands(given),
            counted(records.len() as u64, "deck", "decks"),
        ),
        "Join words and decks by the name of the hand, and examine the table again. If the rows are as the program wrote them, state that as a \
         finding.",
    )
}

/// What a method says that was named whole and gives nothing: with the draw of the range 1 where words for it are there.
fn nearest(bits: u32, tried: &[ReplayMethod], records: &[WordsAndDeck]) -> Vec<Replayed> {
    let miscounted = |replayed: &Replayed| {
        replayed.contradictions().filter(|fault| !matches!(fault, PairsFault::Draw { .. })).count()
    };
    let all = tried.iter().map(|method| method.replay_all(bits, records));
    all.min_by_key(miscounted).into_iter().collect()
}

/// That nothing gives the decks, and what to name.
fn none(
    name: &str,
    named: &Named,
    tried: &[ReplayMethod],
    records: &[WordsAndDeck],
    bits: u32,
) -> CouldNotSay {
    let lengths = lengths(records);
    let found = format!(
        "{}: found {}, {lengths} words of {bits} bits each; none of {} methods gives one of the first",
        name,
        counted(records.len() as u64, "deck", "decks"),
        thousands(tried.len() as u64),
    );
    let left = [
        (named.scaling.is_none(), "--scaling"),
        (named.way.is_none(), "--loop"),
        (named.start.is_none(), "--start"),
    ];
    let left: Vec<&str> =
        left.into_iter().filter(|(is_open, _)| *is_open).map(|(_, option)| option).collect();
    let advice = format!(
        "Name what the source says with {} (--list prints the names; --bits where words are wider than the largest shows): then the first draw \
         that differs is named.",
        left.join(", ")
    );
    CouldNotSay::new(found, &advice)
}

/// `51`, or `51 to 60`.
pub fn lengths(records: &[WordsAndDeck]) -> String {
    let lengths = records.iter().map(|record| record.words.len());
    let (least, most) = (lengths.clone().min().unwrap_or(0), lengths.max().unwrap_or(0));
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}
