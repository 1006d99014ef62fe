//! `deckproof pairs FILE`: whether words give the decks that lie beside them, replayed word by word.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use askama::Template;
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
use deckproof_deck::text::decimal::{self, counted, thousands};
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

impl PairsArguments {
    /// Whether something of the method is named.
    fn is_named(&self) -> bool {
        self.scaling.is_some() || self.way.is_some() || self.start.is_some()
    }
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

#[derive(Template)]
#[template(path = "pairs.txt", config = "src/askama.toml")]
struct DetailsTemplate<'a> {
    arguments: &'a PairsArguments,
    examined: &'a ExaminedPairs,
    words: u64,
}

fn details(arguments: &PairsArguments, examined: &ExaminedPairs) -> String {
    let words = examined.records.iter().map(|record| record.words.len() as u64).sum();
    let template = DetailsTemplate { arguments, examined, words };
    template.render().expect("a String takes every text and no value can fail")
}

/// m/2^k.
fn share(most: u32, own: u32) -> f64 {
    f64::from(most) / 2f64.powi(own as i32)
}

/// Sentences on single decks: on those that are not given, or of each.
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

#[derive(Template)]
#[template(path = "pairs_list.txt", config = "src/askama.toml")]
struct ListTemplate {
    bits: Option<u32>,
    scalings: Vec<Scaling>,
}

fn list(bits: Option<u32>) -> String {
    let scalings = match bits {
        Some(bits) => Scaling::all(bits),
        None => std::iter::once(Scaling::Certified).chain(Scaling::all(u64::BITS)).collect(),
    };
    ListTemplate { bits, scalings }.render().expect("a String takes every text and no value can fail")
}
