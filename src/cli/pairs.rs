//! `deckproof pairs FILE`: whether words give the decks that lie beside them, replayed word by word.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use deckproof_predict::start::Start;
use deckproof_predict::way::{Loop, WAYS, Way};

use crate::cli::audit::publish::say;
use crate::cli::screen::{self, shown};
use crate::verification::pairs::ReplayMethod;
use crate::verification::pairs::examined::{ExaminedPairs, examine, lengths};
use crate::verification::pairs::scaling::Scaling;
use deckproof_deck::card::Card;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::{counted, thousands};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::input::read_input;
use deckproof_lab::project::settings::supplied::PairsFile;
use deckproof_lab::project::supplied::pairs::PairsFault;

/// Most bytes of a file of pairs: some 300,000 decks.
const PAIRS_BYTES_MAX: u64 = 1 << 28;

/// Decks that are named by themselves on the screen.
const LINES_MAX: usize = 10;

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 all decks are given by their words; 1 a deck is not, or two different ones have the same words; 2 could not say \
        (usage, unreadable input, no method that is known here)."
)]
pub struct PairsArguments {
    /// A table: words and deck, or a name, words and deck, as `stream --pairs` writes it; `-` is standard input.
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// How a word becomes a draw below n, as --list names it. Default: all of them are tried.
    #[arg(long, value_name = "NAME")]
    scaling: Option<String>,
    /// How draws shuffle the deck, as --list names it. Default: all of them are tried.
    #[arg(long = "loop", value_name = "NAME")]
    way: Option<String>,
    /// The order of the new deck, such as ranks-cdhs (2c 2d 2h 2s 3c …), suits-shdc-ace-low, new-pack or previous (the deck before is
    /// shuffled on). Default: the usual ones are tried.
    #[arg(long, value_name = "NAME")]
    start: Option<String>,
    /// How many bits a word has. Default: the fewest of 8, 15, 16, 24, 31, 32, 48, 53 and 64 that hold the largest word.
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(8..=64))]
    bits: Option<u32>,
    /// Print a line for each deck.
    #[arg(long)]
    each: bool,
    /// Print one JSON object; with --each it has all decks that are not given.
    #[arg(long, conflicts_with = "list")]
    json: bool,
    /// Print the names of all scalings, loops and usual start orders.
    #[arg(long)]
    list: bool,
}

pub fn run(arguments: &PairsArguments) -> Result<Exit, CouldNotSay> {
    let Some(path) = arguments.file.as_deref().filter(|_| !arguments.list) else {
        return say(&list(arguments.bits)).map(|()| Exit::Passed);
    };
    let bytes = read_input(path, PAIRS_BYTES_MAX)?;
    let asked = PairsFile {
        file: shown(path),
        scaling: arguments.scaling.clone(),
        way: arguments.way.clone(),
        start: arguments.start.clone(),
        bits: arguments.bits,
    };
    let examined = examine(&asked, &bytes)?;
    let is_given = examined.is_given();
    let (style, exit) =
        if is_given { (screen::Style::Good, Exit::Passed) } else { (screen::Style::Bad, Exit::Refused) };
    if arguments.json {
        let faults_max = if arguments.each { usize::MAX } else { LINES_MAX };
        let record = examined.record(&asked, faults_max);
        say(&format!("{}\n", serde_json::to_string(&record).expect("it is plain data")))?;
        return Ok(exit);
    }
    let head = head(path, &examined);
    let details = details(arguments, &examined);
    let word = if is_given { "AGREES" } else { "DIFFERS" };
    screen::say_report(style, word, &format!("{word}: {head}\n\n{details}"))
        .map_err(|error| CouldNotSay::new(format!("standard output: {error}"), ""))?;
    Ok(exit)
}

fn head(path: &Path, examined: &ExaminedPairs) -> String {
    let ExaminedPairs { best, records, twice, .. } = examined;
    let (all, wrong) = (records.len() as u64, best.contradictions().count() as u64);
    let (are, them) = if wrong == 1 { ("is", "it") } else { ("are", "them") };
    let mut head = match wrong {
        0 => format!(
            "the words of {} give {}, each word used once, in the order of the file, and none left.",
            shown(path),
            counted(best.given() as u64, "deck", "decks")
        ),
        _ => format!(
            "{} of {} of {} {are} not given by the words beside {them}, by the method below.",
            thousands(wrong),
            counted(all, "deck", "decks"),
            shown(path)
        ),
    };
    if let Some((first, second)) = twice {
        let _ = write!(head, " Lines {first} and {second} have the same words and different decks.");
    }
    head
}

fn details(arguments: &PairsArguments, examined: &ExaminedPairs) -> String {
    let ExaminedPairs { bits, best, also, records, sha256, .. } = examined;
    let bits = *bits;
    let method = best.method;
    let words: u64 = records.iter().map(|record| record.words.len() as u64).sum();
    let mut text = lines(arguments, examined);
    let _ = writeln!(
        text,
        "Scaling: {}, {}; b = {bits}{}.\nLoop: {}, {}{}.\nNew deck: {}.",
        method.scaling.name(),
        method.scaling.formula(),
        if arguments.bits.is_none() { ", by the largest word" } else { "" },
        method.way.name(),
        loop_text(method.way),
        if method.has_draw_of_one { "; a word is drawn for n = 1 too" } else { "" },
        start_text(method.start),
    );
    if !also.is_empty() {
        let names: Vec<String> = also.iter().take(LINES_MAX).map(|other| name(*other, method)).collect();
        let more = also.len().saturating_sub(LINES_MAX);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let _ =
            writeln!(text, "Also given by: {}{more}; these words cannot tell them apart.", names.join("; "));
    }
    let these = if also.is_empty() {
        "this scaling"
    } else {
        "this scaling, or by one of the others that give them,"
    };
    text += &match examined.unevenness() {
        None => "Draws by this scaling are exactly uniform if the words are.\n".to_owned(),
        Some((words, own)) => {
            let bound = words as f64 / 2f64.powi(own as i32);
            format!(
                "Draws by {these} are not exactly uniform even if the words are: no number has a chance that differs from 1/n by more than \
                 {bound:.1e} of it ({words}/2^{own}).\n"
            )
        }
    };
    let _ = writeln!(
        text,
        "Read: {}, {}, {} a deck, SHA-256 {sha256}.",
        counted(records.len() as u64, "deck", "decks"),
        counted(words, "word", "words"),
        lengths(records),
    );
    if best.answers.iter().any(Option::is_none) {
        text += "The first deck was not examined: the deck before it, from which it was shuffled, is not in the file.\n";
    }
    if !examined.is_given() {
        text += "What else would explain it: words that the export put beside another deck, numbers that it left out or rounded, or a method that \
                 changed within the file.\n";
    }
    text + "Not shown: that these words are all that the generator gave, in the order in which it gave them; that the decks of the file are those \
            that were dealt; that the program in use has this method; and that the words are random (deckproof words).\n"
}

/// What is said of single decks: of those that are not given, or of each.
fn lines(arguments: &PairsArguments, examined: &ExaminedPairs) -> String {
    let mut text = String::new();
    let answers = examined.best.answers.iter().zip(&examined.records);
    let all: Vec<String> = answers
        .filter_map(|(answer, record)| {
            let sentence = match answer {
                Some(Ok(())) if arguments.each => "these words give this deck by this method".to_owned(),
                Some(Err(fault)) => contradiction(fault),
                None if arguments.each => "not examined".to_owned(),
                _ => return None,
            };
            Some(format!("line {}: {sentence}\n", record.line))
        })
        .collect();
    let shown = if arguments.each { all.len() } else { LINES_MAX };
    all.iter().take(shown).for_each(|line| text += line);
    if all.len() > shown {
        let _ = writeln!(text, "and {} more (--each prints all).", thousands((all.len() - shown) as u64));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn contradiction(fault: &PairsFault) -> String {
    match fault {
        PairsFault::Draw { draw, range, by_words, by_deck, place, card_by_words, card, places, .. } => {
            format!(
                "draw {draw}, a number below {range}: the words give {by_words}, the deck needs {by_deck}; place {place}: found {card}, wanted \
                 {card_by_words} by the words ({places} of 52 places differ)"
            )
        }
        PairsFault::Short { draw: 52.., words, .. } => {
            format!("found {}, wanted one more, for the range 1", counted(*words, "word", "words"))
        }
        PairsFault::Short { draw, words, .. } => {
            format!("found {}, wanted another for draw {draw}", counted(*words, "word", "words"))
        }
        PairsFault::Left { taken, words, .. } => {
            format!("the first {taken} words give this deck; found {words}, wanted no word that is not used")
        }
    }
}

/// In what another method differs.
fn name(method: ReplayMethod, best: ReplayMethod) -> String {
    let mut parts = Vec::new();
    if method.scaling != best.scaling {
        parts.push(format!("scaling {}", method.scaling.name()));
    }
    if method.way != best.way {
        parts.push(format!("loop {}", method.way.name()));
    }
    if method.has_draw_of_one != best.has_draw_of_one {
        parts.push("another use of the word for n = 1".to_owned());
    }
    if method.start != best.start {
        parts.push(format!("new deck {}", method.start.name()));
    }
    parts.join(", ")
}

fn loop_text(way: Way) -> String {
    let text = match way.of {
        Loop::Down => "for i = 51, …, 1 swap places i and draw(i + 1) (Durstenfeld 1964)",
        Loop::Up => "for i = 0, …, 50 swap places i and i + draw(52 − i)",
        Loop::Bag => "remove card draw(left) from a bag kept in order (Lehmer 1960)",
        Loop::InsideOut => "for i = 1, …, 51 swap places i and draw(i + 1), as std::shuffle does",
        Loop::UpBackwards => "for i = 50, …, 0 swap places i and i + draw(52 − i)",
        Loop::FreePlace => "put the next card into free place draw(left)",
        Loop::Insert => "for i = 1, …, 51 insert card i at place draw(i + 1)",
        Loop::Keys | Loop::Compared | Loop::ComparedBack => "sorted",
    };
    let end = if way.from_end { "; dealt from the last card to the first" } else { "" };
    format!("{text}{end}")
}

/// The first cards of a new deck, in its order.
fn start_text(start: Start) -> String {
    let Some(numbers) = start.numbers(None) else {
        return format!("{}, the deck of the line before", start.name());
    };
    let card_at = |place: u8| {
        let index = numbers.iter().position(|number| *number == place)?;
        Card::from_index(index as u8).map(|card| card.to_string())
    };
    let cards: Vec<String> = (0..5).filter_map(card_at).collect();
    format!("{}, {} …", start.name(), cards.join(" "))
}

fn list(bits: Option<u32>) -> String {
    let mut text = "Scalings of a word w of b bits to a draw below n".to_owned();
    let scalings = match bits {
        Some(bits) => {
            let _ = writeln!(text, ", b = {bits}:");
            Scaling::all(bits)
        }
        None => {
            text += " (--bits lists those of one width):\n";
            std::iter::once(Scaling::Certified).chain(Scaling::all(u64::BITS)).collect()
        }
    };
    for scaling in scalings {
        let _ = writeln!(text, "  {:<20}{}", scaling.name(), scaling.formula());
    }
    text += "\nLoops, places from 0:\n";
    for way in WAYS {
        let _ = writeln!(text, "  {:<23}{}", way.name(), loop_text(way));
    }
    text += "\nUsual orders of a new deck:\n";
    for start in Start::usual() {
        let _ = writeln!(text, "  {}", start_text(start));
    }
    text
}
