//! Words beside the decks that they gave: each deck made again from its words, in their order, by a named method.
//!
//! A method is a scaling of words to draws, a loop that the draws shuffle by, and the order of the new deck. Loops, start
//! orders and most scalings are those that `predict` undoes; the rest of the scalings are here.

use std::collections::HashMap;

use deckproof_deck::card::Card;
use deckproof_deck::text::excerpt;
use deckproof_predict::deck::{DECK_CARDS, DRAWS, Deck};
use deckproof_predict::generator::Generator;
use deckproof_predict::mapping::{MAPPINGS, Mapping};
use deckproof_predict::start::Start;
use deckproof_predict::way::{Draws, Loop, WAYS, Way, inverse};
use deckproof_stats::math::decimal::counted;

/// Records on which a method is looked for that nobody named.
const RECORDS_SEARCHED: usize = 20;

/// No draw: what is expected where a replay is to stop.
const NO_DRAW: u8 = u8::MAX;

/// Ranges drawn from one word by the certified shuffle have a product of at most so many (PROTOCOL.md, section 3).
const BATCH_PRODUCT_MAX: u64 = 1 << 19;

/// Bits above which a double rounds `U·n`, so that it is not the integer's.
const ROUNDED_BITS_MIN: u32 = 47;

/// A deck and the words that are said to have given it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordsAndDeck {
    /// Its line in the file.
    pub line: usize,
    /// The words in their order.
    pub words: Vec<u64>,
    /// The deck, the first card dealt first; cards are numbered 4·rank + suit.
    pub deck: Deck,
}

/// How words become draws below n. `b` is the number of bits of a word w.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scaling {
    /// `⌊w·n / 2^b⌋`, which is `⌊U·n⌋`.
    MultiplyShift,
    /// Lemire (2019): the same, and another word while `w·n mod 2^b < 2^b mod n`.
    Lemire,
    /// `w mod n`, and another word while w is no less than the largest multiple of n.
    ModuloBelow,
    /// `w mod n`, and another word while `w < 2^b mod n`: `arc4random_uniform`.
    ModuloFrom,
    /// The certified shuffle: several draws from a word, with rejection.
    Certified,
    /// One that `predict` undoes.
    Undone(Mapping),
}

/// One way from words to a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayMethod {
    /// From words to draws.
    pub scaling: Scaling,
    /// From draws to a deck.
    pub way: Way,
    /// Whether a word is drawn for the range 1 too, which moves no card.
    pub has_draw_of_one: bool,
    /// How the cards lie before.
    pub start: Start,
}

/// Why words do not give a deck. Draws and words are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contradiction {
    /// A draw is another one.
    Draw {
        /// Which.
        draw: usize,
        /// Below what it is drawn.
        range: u8,
        /// What the words give.
        by_words: u8,
        /// What the deck shows.
        by_deck: u8,
        /// The first place of the deck, from 1, with another card.
        place: usize,
        /// The card that the words give there.
        card_by_words: u8,
        /// The card that lies there.
        card: u8,
        /// How many places have another card.
        places: usize,
    },
    /// The words end before the deck is shuffled.
    Short {
        /// The draw that wants another word.
        draw: usize,
        /// How many words there are.
        words: usize,
    },
    /// Words are left.
    Left {
        /// How many make the deck.
        taken: usize,
        /// How many there are.
        words: usize,
    },
}

/// What one method says of all records.
pub struct Replayed {
    /// The method.
    pub method: ReplayMethod,
    /// Each record's answer; none where it cannot be asked, as of the first one by the start order `previous`.
    pub answers: Vec<Option<Result<(), Contradiction>>>,
}

impl Replayed {
    /// How many records the method gives.
    pub fn given(&self) -> usize {
        self.answers.iter().filter(|answer| matches!(answer, Some(Ok(())))).count()
    }

    /// The records that it does not give.
    pub fn contradictions(&self) -> impl Iterator<Item = (usize, &Contradiction)> {
        self.answers
            .iter()
            .enumerate()
            .filter_map(|(record, answer)| answer.as_ref()?.as_ref().err().map(|fault| (record, fault)))
    }
}

impl Scaling {
    /// All of them for words of so many bits.
    pub fn all(bits: u32) -> Vec<Scaling> {
        let own = [Scaling::MultiplyShift, Scaling::Lemire, Scaling::ModuloBelow, Scaling::ModuloFrom];
        let certified = (bits == 32).then_some(Scaling::Certified);
        let undone = MAPPINGS.iter().filter(|mapping| is_of_width(**mapping, bits));
        own.into_iter().chain(certified).chain(undone.map(|mapping| Scaling::Undone(*mapping))).collect()
    }

    /// What it is called.
    pub fn name(self) -> String {
        match self {
            Scaling::MultiplyShift => "multiply-shift".to_owned(),
            Scaling::Lemire => "lemire".to_owned(),
            Scaling::ModuloBelow => "modulo-reject-high".to_owned(),
            Scaling::ModuloFrom => "modulo-reject-low".to_owned(),
            Scaling::Certified => "certified".to_owned(),
            Scaling::Undone(mapping) => mapping.name(),
        }
    }

    /// Its formula.
    pub fn formula(self) -> String {
        match self {
            Scaling::MultiplyShift => "⌊w·n / 2^b⌋, which is ⌊U·n⌋ of U = w / 2^b".to_owned(),
            Scaling::Lemire => {
                "⌊w·n / 2^b⌋, another word while w·n mod 2^b < 2^b mod n (Lemire 2019)".to_owned()
            }
            Scaling::ModuloBelow => "w mod n, another word while w ≥ 2^b − (2^b mod n)".to_owned(),
            Scaling::ModuloFrom => {
                "w mod n, another word while w < 2^b mod n (arc4random_uniform)".to_owned()
            }
            Scaling::Certified => {
                "several draws from a word of 32 bits by multiplication, with rejection (PROTOCOL.md, section 3)"
                    .to_owned()
            }
            Scaling::Undone(mapping) => match mapping {
                Mapping::Float { bits } => format!("⌊U·n⌋ in doubles, U the leading {bits} bits"),
                Mapping::FloatLow { bits } => format!("⌊U·n⌋ in doubles, U the lowest {bits} bits"),
                Mapping::FloatOfTwo { first, second } => {
                    format!("⌊U·n⌋ in doubles, U the leading {first} bits of a word and {second} of the next")
                }
                Mapping::Modulo { drop: 0 } => "w mod n".to_owned(),
                Mapping::Modulo { drop } => format!("⌊w / 2^{drop}⌋ mod n"),
                Mapping::Masked { drop: 0 } => {
                    "the low bits that n − 1 fills, another word while they are n or more".to_owned()
                }
                Mapping::Masked { drop } => format!("the same of ⌊w / 2^{drop}⌋"),
                Mapping::TopBits => {
                    "as many leading bits as n has, another word while they are n or more".to_owned()
                }
                Mapping::TopBitsToOne => "the same, and after the draws a bit until it is 0, as random.sample of Python".to_owned(),
                Mapping::NextInt => "nextInt(n) of java.util.Random on the leading 31 bits".to_owned(),
                Mapping::Pairs => {
                    "std::shuffle of libstdc++, two draws from a word, g++ 11 and later".to_owned()
                }
                Mapping::PairsDivided => {
                    "std::shuffle of libstdc++, two draws from a word, before g++ 11".to_owned()
                }
            },
        }
    }

    /// Where no word is rejected: m and k, so that no draw has a chance that differs from 1/n by more than m/2^k of it; `None` where
    /// draws are exactly uniform. k is the bits of U or of the number that is divided, of which a draw owns one value more or less
    /// than 2^k/n, and one more where doubles round.
    pub fn unevenness(self, bits: u32) -> Option<(u32, u32)> {
        let cards = DECK_CARDS as u32;
        match self {
            Scaling::MultiplyShift => Some((cards, bits)),
            Scaling::Undone(mapping) => match mapping {
                Mapping::Float { bits: own } | Mapping::FloatLow { bits: own } => {
                    Some((2 * cards, own.min(bits)))
                }
                Mapping::FloatOfTwo { first, second } => Some((2 * cards, first + second)),
                Mapping::Modulo { drop } => Some((cards, bits - drop)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a draw of the range 1 takes exactly one word, or two, and a loop may make it.
    fn may_draw_one(self) -> bool {
        !matches!(
            self,
            Scaling::Certified
                | Scaling::Undone(
                    Mapping::Masked { .. }
                        | Mapping::TopBits
                        | Mapping::TopBitsToOne
                        | Mapping::Pairs
                        | Mapping::PairsDivided
                )
        )
    }

    /// Words of a draw without rejection.
    fn words_each(self) -> usize {
        if matches!(self, Scaling::Undone(Mapping::FloatOfTwo { .. })) { 2 } else { 1 }
    }

    /// The draws of these words, and how many were taken until the draw before `end` was made. Behind the last word others
    /// follow that nobody gave, so that the number taken says that they were too few.
    fn draws(self, bits: u32, words: &[u64], ranges: &Draws, end: usize) -> (Draws, usize) {
        let most = u64::MAX >> (u64::BITS - bits);
        let mut taken = 0;
        let mut next = || {
            taken += 1;
            let beyond = (taken as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - bits);
            words.get(taken - 1).copied().unwrap_or(beyond)
        };
        let mut draws = [NO_DRAW; DRAWS];
        match self {
            Scaling::Undone(mapping) => {
                let mut expected = [None; DRAWS];
                if end < DRAWS {
                    expected[end - 1] = Some(NO_DRAW);
                }
                let generator = generator_of(bits, most);
                draws = mapping.draws(&generator, &mut next, ranges, &expected).unwrap_or(draws);
            }
            Scaling::Certified => certified(&mut next, &mut draws[..end]),
            _ => {
                let two_b = u128::from(most) + 1;
                for (draw, n) in draws[..end].iter_mut().zip(ranges) {
                    let n = u128::from(*n);
                    *draw = loop {
                        let word = u128::from(next());
                        let (high, low, residue) = (word * n / two_b, word * n % two_b, word % n);
                        match self {
                            Scaling::MultiplyShift => break high,
                            Scaling::Lemire if low >= two_b % n => break high,
                            Scaling::ModuloBelow if word < two_b - two_b % n => break residue,
                            Scaling::ModuloFrom if word >= two_b % n => break residue,
                            _ => {}
                        }
                    } as u8;
                }
            }
        }
        (draws, taken)
    }
}

/// Whether words of so many bits can be scaled so, and not as another scaling does.
fn is_of_width(mapping: Mapping, bits: u32) -> bool {
    match mapping {
        Mapping::Float { bits: own } => own < bits || own == bits && bits >= ROUNDED_BITS_MIN,
        Mapping::FloatLow { bits: own } => own < bits,
        Mapping::FloatOfTwo { first, second } => first.max(second) <= bits,
        Mapping::Modulo { drop } | Mapping::Masked { drop } => drop + 6 <= bits,
        Mapping::NextInt => bits >= 31,
        Mapping::TopBits | Mapping::TopBitsToOne => true,
        // The product of two ranges has twelve bits.
        Mapping::Pairs | Mapping::PairsDivided => bits >= 15,
    }
}

/// Words as the outputs of a generator, of which nothing but the width is asked.
fn generator_of(bits: u32, most: u64) -> Generator {
    Generator {
        name: "words",
        source: "a file",
        words: 0,
        word_bits: bits,
        state_bits: 0.0,
        min: 0,
        max: most,
        is_linear: false,
        has_counter: false,
        next: |_| 0,
    }
}

/// PROTOCOL.md, section 3, by one division of `w·b` where the shuffle itself multiplies draw by draw.
fn certified(next: &mut impl FnMut() -> u64, draws: &mut [u8]) {
    let (mut n, mut at) = (DECK_CARDS as u64, 0);
    while n >= 2 && at < draws.len() {
        let (mut product, mut length) = (1, 0);
        while n - length >= 2 && product * (n - length) <= BATCH_PRODUCT_MAX {
            product *= n - length;
            length += 1;
        }
        let mut tuple = loop {
            let wide = next() * product;
            if wide % (1 << 32) >= (1 << 32) % product {
                break wide >> 32;
            }
        };
        // The first draw is the most significant digit.
        for range in n + 1 - length..=n {
            if let Some(draw) = draws.get_mut(at + (n - range) as usize) {
                *draw = (tuple % range) as u8;
            }
            tuple /= range;
        }
        n -= length;
        at += length as usize;
    }
}

impl ReplayMethod {
    /// What it says of a record; none where it cannot say.
    fn replay(
        self,
        bits: u32,
        record: &WordsAndDeck,
        previous: Option<&Deck>,
    ) -> Option<Result<(), Contradiction>> {
        let numbers = self.start.numbers(previous)?;
        Some(self.replay_from(bits, record, &numbers))
    }

    fn replay_from(self, bits: u32, record: &WordsAndDeck, numbers: &Deck) -> Result<(), Contradiction> {
        let ranges = self.way.ranges();
        let of_one = if self.has_draw_of_one { self.scaling.words_each() } else { 0 };
        // A loop that begins at the range 2 would begin with the range 1.
        let before = if ranges[0] == 2 { of_one } else { 0 };
        let words = record.words.get(before..).unwrap_or(&[]);
        let (draws, taken) = self.scaling.draws(bits, words, &ranges, DRAWS);
        let wanted = taken + of_one;
        let dealt = self.way.undo(&record.deck.map(|card| numbers[usize::from(card)]));
        let known = |draw: usize| self.scaling.draws(bits, words, &ranges, draw).1 <= words.len();
        let differing = (0..DRAWS).find(|draw| draws[*draw] != dealt[*draw]);
        let Some(draw) = differing.filter(|draw| known(draw + 1)) else {
            return match wanted {
                _ if wanted > record.words.len() => {
                    let draw = (1..=DRAWS).find(|draw| !known(*draw)).unwrap_or(DRAWS + 1);
                    Err(Contradiction::Short { draw, words: record.words.len() })
                }
                _ if wanted < record.words.len() => {
                    Err(Contradiction::Left { taken: wanted, words: record.words.len() })
                }
                _ => Ok(()),
            };
        };
        let cards = inverse(numbers);
        let by_words = self.way.deal(&draws.map(|draw| draw.min(DECK_CARDS as u8 - 1)));
        let by_words = by_words.map(|number| cards[usize::from(number)]);
        let differs = |place: &usize| by_words[*place] != record.deck[*place];
        let place = (0..DECK_CARDS).find(differs).unwrap_or(0);
        Err(Contradiction::Draw {
            draw: draw + 1,
            range: ranges[draw],
            by_words: draws[draw],
            by_deck: dealt[draw],
            place: place + 1,
            card_by_words: by_words[place],
            card: record.deck[place],
            places: (0..DECK_CARDS).filter(differs).count(),
        })
    }

    /// All records.
    pub fn replay_all(self, bits: u32, records: &[WordsAndDeck]) -> Replayed {
        let answer = |number: usize| {
            let previous = number.checked_sub(1).map(|before| &records[before].deck);
            self.replay(bits, &records[number], previous)
        };
        Replayed { method: self, answers: (0..records.len()).map(answer).collect() }
    }
}

/// All methods for words of so many bits of which the scaling, the loop and the start order are these, where they are named.
pub fn methods(
    bits: u32,
    scaling: Option<Scaling>,
    way: Option<Way>,
    start: Option<Start>,
) -> Vec<ReplayMethod> {
    let scalings = scaling.map_or_else(|| Scaling::all(bits), |scaling| vec![scaling]);
    let ways = way.map_or(WAYS.to_vec(), |way| vec![way]);
    let starts = start.map_or_else(Start::usual, |start| vec![start]);
    let mut methods = Vec::new();
    for scaling in scalings {
        for way in &ways {
            for has_draw_of_one in [false, true] {
                let is_odd = has_draw_of_one && !scaling.may_draw_one();
                // The batches of the certified shuffle are those of the loop downward.
                if is_odd || scaling == Scaling::Certified && way.of != Loop::Down {
                    continue;
                }
                let method =
                    |start: &Start| ReplayMethod { scaling, way: *way, has_draw_of_one, start: *start };
                methods.extend(starts.iter().map(method));
            }
        }
    }
    methods
}

/// What the methods say that give some record of the first ones, the best first; nothing where none does.
pub fn replay(bits: u32, methods: &[ReplayMethod], records: &[WordsAndDeck]) -> Vec<Replayed> {
    for number in 0..records.len().min(RECORDS_SEARCHED) {
        let previous = number.checked_sub(1).map(|before| &records[before].deck);
        let gives =
            |method: &&ReplayMethod| matches!(method.replay(bits, &records[number], previous), Some(Ok(())));
        let mut replayed: Vec<Replayed> =
            methods.iter().filter(gives).map(|method| method.replay_all(bits, records)).collect();
        if !replayed.is_empty() {
            replayed.sort_by_key(|replayed| std::cmp::Reverse(replayed.given()));
            return replayed;
        }
    }
    Vec::new()
}

/// The lines of the first two records that have the same words.
pub fn used_twice(records: &[WordsAndDeck]) -> Option<(usize, usize)> {
    let mut seen: HashMap<&[u64], usize> = HashMap::new();
    records.iter().find_map(|record| Some((seen.insert(&record.words, record.line)?, record.line)))
}

/// Why a text holds no words beside decks.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: found {found}, wanted {wanted}")]
pub struct PairsError {
    line: usize,
    found: String,
    wanted: &'static str,
}

/// Reads rows of a table: words and deck, or a name, words and deck, separated by commas, semicolons or tabs; a first line without
/// numbers is a header. Words are decimal, or hexadecimal behind `0x`; a deck is 52 numbers from 0 or from 1, or 52 cards.
///
/// # Errors
/// [`PairsError`] with the line.
pub fn read(text: &str) -> Result<Vec<WordsAndDeck>, PairsError> {
    let (mut records, mut seen) = (Vec::new(), HashMap::new());
    for (line, row) in (1..).zip(text.lines()) {
        let is_header = line == 1 && !row.contains(|letter: char| letter.is_ascii_digit());
        if is_header || row.trim().is_empty() {
            continue;
        }
        let error = |found: String, wanted| PairsError { line, found, wanted };
        // An export may hold a line twice by mistake, which would look like numbers that were used twice.
        if let Some(before) = seen.insert(row.trim(), line) {
            return Err(error(format!("line {before} again"), "each deck once"));
        }
        let fields: Vec<&str> =
            row.split([',', ';', '\t']).map(|field| field.trim().trim_matches('"')).collect();
        let ([words, deck] | [_, words, deck]) = fields[..] else {
            let found = counted(fields.len() as u64, "field", "fields");
            return Err(error(
                found,
                "words and deck, or a name, words and deck, with commas between and blanks within",
            ));
        };
        let words = words.split_whitespace().enumerate().map(|(place, word)| {
            let number = match word.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16),
                None => word.parse(),
            };
            number.map_err(|_| {
                let word = excerpt(word, 24);
                error(format!("{word:?} as word {}", place + 1), "a whole number below 2^64")
            })
        });
        let words = words.collect::<Result<Vec<u64>, PairsError>>()?;
        let deck = read_deck(deck)
            .map_err(|found| error(found, "52 different cards, or numbers from 0 or from 1"))?;
        records.push(WordsAndDeck { line, words, deck });
    }
    Ok(records)
}

fn read_deck(text: &str) -> Result<Deck, String> {
    let cards: Vec<&str> = text.split_whitespace().collect();
    if cards.len() != DECK_CARDS {
        return Err(format!("a deck of {}", counted(cards.len() as u64, "card", "cards")));
    }
    let is_numbers = cards.iter().all(|card| card.parse::<u8>().is_ok());
    let first = u8::from(is_numbers && !cards.contains(&"0"));
    let mut deck = [0; DECK_CARDS];
    let mut seen = 0u64;
    for (place, (own, card)) in deck.iter_mut().zip(cards).enumerate() {
        let index = match is_numbers {
            true => card.parse::<u8>().ok().and_then(|number| number.checked_sub(first)),
            false => card.parse::<Card>().ok().map(Card::index),
        };
        let found = || format!("{:?} as card {}", excerpt(card, 12), place + 1);
        *own = index
            .filter(|index| usize::from(*index) < DECK_CARDS && seen >> index & 1 == 0)
            .ok_or_else(found)?;
        seen |= 1 << *own;
    }
    Ok(deck)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The draw of a word below n; `None` where another word is taken instead.
    fn drawn(scaling: Scaling, bits: u32, word: u64, n: u8) -> Option<u8> {
        let mut ranges = WAYS[0].ranges();
        ranges[0] = n;
        let is_taken = scaling.draws(bits, &[word], &ranges, 1).1 == 1;
        is_taken.then(|| scaling.draws(bits, &[word], &ranges, DRAWS).0[0])
    }

    /// Every word of so many bits once: how often each draw comes is as even as is said of the scaling.
    fn check_evenness(scaling: Scaling, bits: u32, n: u8) {
        let mut counts = vec![0u64; usize::from(n)];
        (0..1u64 << bits)
            .filter_map(|word| drawn(scaling, bits, word, n))
            .for_each(|draw| counts[usize::from(draw)] += 1);
        let name = scaling.name();
        match scaling.unevenness(bits) {
            None => assert!(counts.iter().all(|count| *count == counts[0]), "{name}, {n}: {counts:?}"),
            Some((most, own)) => {
                let off = |count: &u64| (count * u64::from(n)).abs_diff(1 << bits) << own;
                assert!(
                    counts.iter().all(|count| off(count) <= u64::from(most) << bits),
                    "{name}, {n}: {counts:?}"
                );
                assert_eq!(counts.iter().sum::<u64>(), 1 << bits, "{name} rejects");
            }
        }
    }

    #[test]
    fn scalings_are_as_even_as_is_said() {
        let of_bytes = Scaling::all(8);
        assert_eq!(of_bytes.len(), 8);
        for scaling in of_bytes {
            (2..=52).for_each(|n| check_evenness(scaling, 8, n));
        }
        let of_15_bits = [Mapping::Pairs, Mapping::PairsDivided].map(Scaling::Undone);
        of_15_bits.iter().for_each(|scaling| [3, 52].iter().for_each(|n| check_evenness(*scaling, 15, *n)));
        [3, 52].iter().for_each(|n| check_evenness(Scaling::Undone(Mapping::Float { bits: 15 }), 16, *n));
    }

    /// A rejection begins exactly where the formula says: by hand, 256 = 4·52 + 48.
    #[test]
    fn the_first_and_last_words_that_are_kept_are_those_of_the_formula() {
        let kept = |scaling, word| drawn(scaling, 8, word, 52);
        assert_eq!((kept(Scaling::ModuloBelow, 207), kept(Scaling::ModuloBelow, 208)), (Some(51), None));
        assert_eq!((kept(Scaling::ModuloFrom, 47), kept(Scaling::ModuloFrom, 48)), (None, Some(48)));
        // 52·55 mod 256 is 44, and 52·60 mod 256 is 48.
        assert_eq!((kept(Scaling::Lemire, 55), kept(Scaling::Lemire, 60)), (None, Some(12)));
    }
}
