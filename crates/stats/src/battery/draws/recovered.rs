//! The generator behind the decks, recovered: its next decks are known before they are dealt.
//!
//! Null: no generator of the catalogue deals the decks. A state is fitted to the first decks, deals on, and is compared with the
//! decks that follow; no statistic of the decks enters. The p-value is a proven bound that counts every state of every
//! generator of the catalogue, every way and every start order, tried or not, so that it needs no correction for the search
//! ([`deckproof_predict::bound`]). What is searched is a number of steps, not a time: the same on every machine. The counts
//! keep the state and the decks that it was compared with, so that whoever judges them deals from the state again.

use deckproof_predict::catalogue::MODELS;
use deckproof_predict::deck::{Deck as Order, Observation, Record};
use deckproof_predict::first::{RECORDS_MAX, search_first};
use deckproof_predict::recovery::Recovery;

use crate::battery::outcome::{Exhibit, Outcome, Spread};
use crate::battery::statistic::{About, Scope, Statistic};
use crate::battery::stream;
use crate::battery::tail::Tail;
use crate::battery::tier::Tier;
use crate::battery::view::View;
use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct Recovered;

/// Its id in plans and certificates.
pub const RECOVERED: &str = "recovered-generator";

const ABOUT: About = About {
    id: RECOVERED,
    version: 1,
    tier: Tier::Deep,
    title: "the generator, recovered",
    null: "No generator of the catalogue, in any state, deals these decks in a row.",
    source: "states fitted to the first 512 decks (linear algebra over GF(2) and modulo 2^k, lattices, small seeds) deal the decks \
             that follow; 2^bits × 10^8 dealers × 1/52! a deck, a union bound over all states, tried or not",
    detects: "Generators whose next decks can be computed from a few decks: Math.random, java.util.Random, drand48(), rand().",
    decks_min: 1,
};

const PREDICTED: &str = "predicted";

/// What the search spends, nominal microseconds of one thread.
const WORK: u64 = 2_000_000;

/// A state of 19,937 bits and its names take half of it.
const TEXT_WORDS: usize = 2_048;
const WORD_BYTES: usize = 8;
const DECK_WORDS: usize = DECK_CARDS.div_ceil(WORD_BYTES);

/// Decks; those searched; bytes of the text; the text; the decks searched, where a generator was recovered.
const AT_TEXT: usize = 3;
const AT_DECKS: usize = AT_TEXT + TEXT_WORDS;
const CELLS: usize = AT_DECKS + RECORDS_MAX * DECK_WORDS;

impl Statistic for Recovered {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    /// What looks for linear states shares one part of the level.
    fn family(&self) -> &'static str {
        "linear-complexity"
    }

    fn views(&self) -> &'static [View] {
        &[View::Deck]
    }

    fn scope(&self) -> Scope {
        Scope::Prefix
    }

    fn cells(&self) -> usize {
        CELLS
    }

    fn parts(&self, _: u64) -> u64 {
        1
    }

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        counts[0] += stream::decks_of(blocks);
        let lanes =
            blocks.iter().flat_map(|block| (0..block.hands()).map(|lane| *block.deck(lane).indices()));
        let decks: Vec<Order> = lanes.take(RECORDS_MAX).collect();
        counts[1] += decks.len() as u64;
        // A deck that comes twice in a row is proof by itself, and no generator's: a search among such takes long.
        if decks.windows(2).any(|pair| pair[0] == pair[1]) {
            return;
        }
        let outcome = search_first(&Observation::of_decks(&decks), &[], WORK);
        let Some(own) = outcome.recovered else { return };
        let recovery = Recovery::new(&own, &own.next_decks(1, decks.last().copied()));
        let text = serde_json::to_string(&recovery).expect("strings and numbers are JSON");
        // A state too long to be kept is not claimed.
        if text.len() <= TEXT_WORDS * WORD_BYTES {
            counts[2] = text.len() as u64;
            pack(text.as_bytes(), &mut counts[AT_TEXT..AT_DECKS]);
            let kept = counts[AT_DECKS..].chunks_exact_mut(DECK_WORDS);
            kept.zip(&decks).for_each(|(words, deck)| pack(deck, words));
        }
    }

    /// One that claims a generator must hold it and the decks that it deals.
    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let is_searched = counts[1] == counts[0].min(RECORDS_MAX as u64);
        let is_sound = match counts[2] {
            0 => counts[AT_TEXT..].iter().all(|&word| word == 0),
            _ => found(counts).is_some(),
        };
        (is_searched && is_sound).then_some(counts[0])
    }

    fn can_hold(&self, held: u64, decks: u64) -> bool {
        held == decks.min(crate::battery::SEGMENT_DECKS)
    }

    fn reads(&self) -> Vec<(&'static str, u64)> {
        vec![(PREDICTED, RECORDS_MAX as u64)]
    }

    fn finish(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        assert_eq!(counts.len(), CELLS);
        if decks < ABOUT.decks_min {
            return Vec::new();
        }
        let found = found(counts);
        let bound = found.as_ref().map_or(0.0, |found| found.bound_log10);
        vec![Outcome {
            part: PREDICTED,
            score_name: "decks dealt from one state".to_owned(),
            score: found.map_or(0.0, |found| found.decks as f64),
            // Smaller numbers than these are not written.
            p_value: 10f64.powf(bound.max(-300.0)),
            tail: Tail::Bound,
            p_value_bound: None,
            spread: Spread::Conservative,
            exhibit: Exhibit::None,
        }]
    }
}

/// A generator that was recovered, dealt from again and compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The generator in its state.
    pub recovery: Recovery,
    /// Decks of those searched that it deals.
    pub decks: u64,
    /// The next deck, if the decks searched are the last that it is seen to deal.
    pub next: Option<String>,
    bound_log10: f64,
}

/// The name of a way of shuffling in words.
fn way_words(name: &str) -> String {
    let (way, end) = match name.strip_suffix("-from-end") {
        Some(way) => (way, ", dealt from the end"),
        None => (name, ""),
    };
    let way = match way {
        "down" => "Fisher–Yates downward",
        "up" => "Fisher–Yates upward",
        "inside-out" => "Fisher–Yates inside-out",
        "bag" => "cards taken from a bag",
        other => other,
    };
    format!("{way}{end}")
}

/// How an output becomes a draw, in words.
fn mapping_words(name: &str) -> String {
    match name.split_once('-') {
        Some(("float", bits)) => {
            format!("⌊U·n⌋ with U of {} bits", bits.replace("low-", "the low ").replace('-', " and "))
        }
        Some(("next", "int")) => "nextInt(n)".to_owned(),
        Some(("modulo", _)) => "x mod n".to_owned(),
        _ if name == "modulo" => "x mod n".to_owned(),
        _ => name.replace('-', " "),
    }
}

/// Above this bound a generator is no proof: a p-value among others. So far below it the level of a fail is passed
/// whatever the families are, as the rule in every certificate says; the proof adds the address.
const PROOF_LOG10: f64 = -12.0;

/// Calls that are dealt again at most when counts are judged: more than the search skips, and a moment's work.
const CALLS_MAX: u64 = 1 << 22;

/// Whether a claim is dealt again in a moment: whoever writes counts may name any number of calls.
fn is_short(recovery: &Recovery) -> bool {
    let of_seed = recovery.seed.as_ref().map_or(0, |(_, _, calls)| *calls);
    let of_run = |run: &[u64; 4]| run[2].saturating_add(run[3].saturating_mul(run[1]));
    let calls = recovery.runs.iter().map(of_run).fold(of_seed, u64::saturating_add);
    calls <= CALLS_MAX && recovery.runs.len() <= RECORDS_MAX
}

impl Found {
    /// The proof with its address, of a look that begins with this deck.
    pub fn proof(&self, first_deck: u64, searched: u64) -> Option<String> {
        let own = &self.recovery;
        let first = own.runs.first().map_or(0, |run| run[0]) + first_deck;
        let fitted = if own.fitted == 1 { "one deck".to_owned() } else { format!("{} decks", own.fitted) };
        let dealt = match self.decks == searched {
            true => format!("All {searched} decks that were searched are its outputs, card by card."),
            false => format!(
                "Of the {searched} decks that were searched {} are its outputs, card by card.",
                self.decks
            ),
        };
        let next =
            self.next.as_ref().map_or_else(String::new, |next| format!(" The deck after these is {next}."));
        (self.bound_log10 <= PROOF_LOG10).then(|| {
            format!(
                "After {fitted} the next cards are known, from record {} on: {}, {}, {}, start order {}. {dealt}{next}",
                first + 1,
                own.model,
                way_words(&own.way),
                mapping_words(&own.mapping),
                own.start,
            )
        })
    }
}

/// The generator that counts of this statistic hold; nothing where they hold none, or one that does not deal the decks beside it.
pub fn found(counts: &[u64]) -> Option<Found> {
    let length =
        usize::try_from(*counts.get(2)?).ok().filter(|&length| length > 0 && counts.len() == CELLS)?;
    let text = unpacked(&counts[AT_TEXT..AT_DECKS], length)?;
    let mut recovery: Recovery = serde_json::from_slice(&text).ok()?;
    let searched = usize::try_from(counts[1]).ok().filter(|&decks| decks <= RECORDS_MAX)?;
    let (own, rest) = counts[AT_DECKS..].split_at(searched * DECK_WORDS);
    let decks = own.chunks_exact(DECK_WORDS).map(|words| {
        let deck: Order = unpacked(words, DECK_CARDS)?.try_into().ok()?;
        Deck::try_from(&deck[..]).ok().map(|_| deck)
    });
    let decks = decks.collect::<Option<Vec<Order>>>().filter(|_| rest.iter().all(|&word| word == 0))?;
    let records: Vec<Record> = decks.iter().map(Record::whole).collect();
    if !is_short(&recovery) {
        return None;
    }
    let next = std::mem::take(&mut recovery.next).pop();
    let verified = recovery.verify(&records).ok()?;
    let is_known = MODELS.iter().any(|model| model.name() == recovery.model);
    let is_own =
        (recovery.bound_log10 - verified.bound_log10).abs() < 1e-6 && recovery.fitted <= verified.records;
    if !is_known || !is_own {
        return None;
    }
    let next = next.filter(|next| is_next(&recovery, records, next));
    Some(Found { decks: verified.records, bound_log10: verified.bound_log10, next, recovery })
}

/// Whether a deck is the one that the state deals after the last of these.
fn is_next(recovery: &Recovery, mut records: Vec<Record>, next: &str) -> bool {
    let mut longer = recovery.clone();
    let is_last = |run: &&mut [u64; 4]| run[0] + run[1] == records.len() as u64;
    let (Some(run), Some(deck)) = (longer.runs.last_mut().filter(is_last), order_of(next)) else {
        return false;
    };
    run[1] += 1;
    records.push(Record::whole(&deck));
    longer.verify(&records).is_ok()
}

fn order_of(text: &str) -> Option<Order> {
    let cards = text.split(' ').map(|card| card.parse().ok().map(Card::index));
    cards.collect::<Option<Vec<u8>>>()?.try_into().ok()
}

/// Eight bytes a word, the first lowest.
fn pack(bytes: &[u8], words: &mut [u64]) {
    for (word, bytes) in words.iter_mut().zip(bytes.chunks(WORD_BYTES)) {
        let mut own = [0; WORD_BYTES];
        own[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(own);
    }
}

/// So many bytes, behind which nothing else stands.
fn unpacked(words: &[u64], length: usize) -> Option<Vec<u8>> {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let is_whole = length <= bytes.len() && bytes[length..].iter().all(|&byte| byte == 0);
    bytes.truncate(length);
    is_whole.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_dealers::dealers::TestDealer;

    /// `rand()` of Visual C++, `% n`, Fisher–Yates downward: a second program in five lines.
    fn microsoft(decks: usize, mut state: u32) -> Vec<Deck> {
        let mut rand = || {
            state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
            (state >> 16 & 0x7fff) as usize
        };
        let deal = |_| {
            let mut deck = Deck::in_order();
            (1..DECK_CARDS).rev().for_each(|place| deck.swap(place, rand() % (place + 1)));
            deck
        };
        (0..decks).map(deal).collect()
    }

    /// Decks of the certified shuffle.
    fn certified(decks: u64) -> Vec<Deck> {
        let mut deals = TestDealer::named("certified").expect("it is in the list").deals(1);
        (0..decks).map(|number| Deck::try_from(&deals.order(number)[..]).expect("a deck")).collect()
    }

    fn counted(decks: &[Deck]) -> Vec<u64> {
        let mut blocks = vec![DeckBlock::default(); decks.len().div_ceil(64)];
        decks.iter().enumerate().for_each(|(number, deck)| blocks[number / 64].push(deck));
        let mut counts = vec![0; CELLS];
        Recovered.observe(&blocks, &mut counts);
        counts
    }

    #[test]
    fn three_decks_tell_the_fourth() {
        let decks = microsoft(4, 20_261_124);
        let counts = counted(&decks[..3]);
        assert_eq!(Recovered.decks_in(&counts), Some(3));
        let own = found(&counts).expect("it is recovered");
        let next: Vec<String> = decks[3].cards().map(|card| card.to_string()).collect();
        assert_eq!((own.decks, own.next), (3, Some(next.join(" "))));
        let [outcome] = &Recovered.finish(&counts, 3)[..] else { panic!("one part") };
        assert!(outcome.p_value < 1e-60 && outcome.tail == Tail::Bound);
    }

    /// What nobody can deal again is not believed: another deck, another state, a claim without decks.
    #[test]
    fn counts_that_claim_more_than_they_deal_are_refused() {
        let counts = counted(&microsoft(3, 20_261_124));
        let judged = |own: &[u64]| (Recovered.decks_in(own), Recovered.finish(own, 3)[0].p_value);
        let check_refused = |what: &str, spoil: &dyn Fn(&mut Vec<u64>)| {
            let mut own = counts.clone();
            spoil(&mut own);
            assert_eq!(judged(&own), (None, 1.0), "{what}");
        };
        let other = microsoft(1, 5)[0];
        check_refused("another deck", &|own| pack(other.indices(), &mut own[AT_DECKS..][..DECK_WORDS]));
        check_refused("no deck", &|own| own[AT_DECKS] = 0);
        check_refused("another model", &|own| own[AT_TEXT + 3] ^= 1 << 9);
        check_refused("a text cut short", &|own| own[2] -= 1);
        check_refused("fewer decks than it claims", &|own| own[1] = 2);
        // A claim that is taken out altogether is no claim: the recorded decks bring it back.
        let mut empty = counts.clone();
        empty[2..].fill(0);
        assert_eq!(judged(&empty), (Some(3), 1.0));
    }

    /// Equal, unshuffled and cut decks fit a state that does not move: no generator is accused of them.
    #[test]
    fn decks_that_no_generator_dealt_accuse_none() {
        let shuffled = certified(1)[0];
        let mut cut = shuffled;
        let mut next_cut = || {
            cut = Deck::try_from(&[&cut.indices()[1..], &cut.indices()[..1]].concat()[..]).expect("a deck");
            cut
        };
        let cuts: Vec<Deck> = (0..100).map(|_| next_cut()).collect();
        for decks in [vec![Deck::in_order(); 100], vec![shuffled; 100], cuts] {
            assert_eq!(found(&counted(&decks)).map(|own| own.recovery), None);
        }
    }

    /// Judging a certificate takes a moment, whatever it claims.
    #[test]
    fn calls_without_end_are_not_dealt() {
        let mut counts = counted(&microsoft(3, 20_261_124));
        let text = unpacked(&counts[AT_TEXT..AT_DECKS], counts[2] as usize).expect("a text");
        let mut recovery: Recovery = serde_json::from_slice(&text).expect("JSON");
        recovery.runs[0][3] = u64::from(u32::MAX);
        let text = serde_json::to_string(&recovery).expect("JSON");
        counts[2] = text.len() as u64;
        counts[AT_TEXT..AT_DECKS].fill(0);
        pack(text.as_bytes(), &mut counts[AT_TEXT..AT_DECKS]);
        assert!(!is_short(&recovery) && Recovered.decks_in(&counts).is_none());
    }

    #[test]
    fn decks_of_a_good_generator_are_not_claimed() {
        let counts = counted(&certified(600));
        assert_eq!((counts[0], counts[1]), (600, 512));
        assert!(counts[2..].iter().all(|&count| count == 0));
        assert!(Recovered.finish(&counts, 600)[0].p_value >= 1.0);
    }
}
