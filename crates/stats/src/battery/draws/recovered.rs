//! The generator behind the decks, recovered: its next decks are known before they are dealt.
//!
//! Null: no generator of the catalogue deals the decks. A state is fitted to the first decks, deals on, and is compared with the
//! decks that follow; no statistic of the decks enters. The p-value is a proven bound that counts every state of every
//! generator of the catalogue, every way and every start order, tried or not, so that it needs no correction for the search
//! ([`deckproof_predict::bound`]). What is searched is a number of steps, not a time: the same on every machine. The counts
//! keep the state and the decks that it was compared with, so that a judge of them deals from the state again.

use deckproof_predict::catalogue::MODELS;
use deckproof_predict::deck::{Deck as Order, Observation, Record};
use deckproof_predict::first::{Places, RECORDS_MAX, Tried, models_tried, search_first};
use deckproof_predict::recovery::Recovery;

use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells};
use crate::battery::stream;
use crate::battery::tier::Tier;
use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct Recovered;

/// Its id in plans and certificates.
pub const RECOVERED: &str = "recovered-generator";

const ABOUT: About = About {
    id: RECOVERED,
    version: 8,
    tier: Tier::Deep,
    title: "the generator, recovered",
    null: "No generator of the catalogue, in any state, deals these decks in a row.",
    source: "states fitted to the first 456 decks and to seven windows of eight up to deck 65,536 (linear algebra over GF(2) and \
             modulo 2^k, lattices, small seeds) deal the decks that follow; 2^bits × 10^8 dealers × 1/52! a deck, a union bound over all states, tried or not",
    detects: "Generators whose next decks can be computed from a few decks: Math.random, java.util.Random, drand48(), rand().",
    decks_min: 1,
    design: Design { family: Some("linear-complexity"), scope: Scope::Prefix, ..Design::OF_DECKS },
};

const PREDICTED: &str = "predicted";

/// What is known of a dealer whose state is known, and that goes on otherwise; and what earlier proofs state of that.
const ENDS: &str = "its state is known, and dealing on in the same way gives other decks than those after these: it may be seeded anew, make \
                    other calls between, or go on from another start order";
const ENDS_EARLIER: &str = "its state is known, and the decks after these do not follow from it: it is seeded anew, or other calls come between";

/// A proof without what only its words say otherwise than earlier programs of this version did.
pub fn comparable_proof(proof: &str) -> String {
    let proof = proof.replace(ENDS_EARLIER, ENDS).replace(" again 1 decks later", " again 1 deck later");
    match proof.split_once("U of ") {
        // Earlier texts stated that outputs of fewer bits give a double of 53.
        Some((before, after)) => {
            before.to_owned() + after.trim_start_matches(|digit: char| digit.is_ascii_digit())
        }
        None => proof,
    }
}

/// What the search spends, nominal microseconds of one thread.
const WORK: u64 = 3_850_000;

/// Decks that are looked at from the first on; the others of [`RECORDS_MAX`] are windows spread over those that follow.
const FIRST: usize = RECORDS_MAX - WINDOWS * WINDOW;

/// Windows where a release or another file may have begun.
const WINDOWS: usize = 7;

/// Decks of a window.
const WINDOW: usize = 8;

/// A state of 19,937 bits and its names take half of it.
const TEXT_WORDS: usize = 2_048;
const WORD_BYTES: usize = 8;
const DECK_WORDS: usize = DECK_CARDS.div_ceil(WORD_BYTES);

/// Decks; those searched; bytes of the text; the text; the decks searched, where a generator was recovered.
const AT_TEXT: usize = 3;
const AT_DECKS: usize = AT_TEXT + TEXT_WORDS;
const CELLS: usize = AT_DECKS + RECORDS_MAX * DECK_WORDS;

impl Statistic for Recovered {
    about_and_cells!(ABOUT, CELLS);

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        counts[0] += stream::decks_of(blocks);
        let all = counts[0] as usize;
        let lanes =
            blocks.iter().flat_map(|block| (0..block.hands()).map(|lane| *block.deck(lane).indices()));
        let places: Vec<usize> = (0..all.min(RECORDS_MAX)).map(|kept| place_of(kept, all)).collect();
        let is_kept = |(place, _): &(usize, Order)| places.binary_search(place).is_ok();
        let decks: Vec<Order> = lanes.enumerate().filter(is_kept).map(|(_, deck)| deck).collect();
        counts[1] += decks.len() as u64;
        // A deck that comes twice in a row is proof by itself, and no generator's: a search among such takes long.
        if decks.windows(2).any(|pair| pair[0] == pair[1]) {
            return;
        }
        let seen = Observation::of_decks(&decks);
        let middle = windows(decks.len());
        let outcome = search_first(&seen, Places { begun: &[], middle: &middle }, WORK);
        let Some(mut own) = outcome.recovered else { return };
        for &window in &middle {
            let dealt = own.records().last().map_or(0, |last| place_of(last as usize, all));
            let decks = place_of(window, all).saturating_sub(dealt) as u64;
            own.reach(&seen, window, CALLS_OF_DECK * decks);
        }
        let recovery = Recovery::new(&own, own.next_deck(decks.last().copied()).as_slice());
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

    fn left_out(&self, counts: &[u64]) -> Option<String> {
        let is_searched = counts.get(2) == Some(&0) && counts[1] > 0;
        is_searched.then(|| left_out(counts[0] as usize))
    }

    fn reads(&self) -> Vec<(&'static str, u64)> {
        vec![(PREDICTED, RECORDS_MAX as u64)]
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let found = found(counts);
        let bound = found.as_ref().map_or(0.0, |found| found.bound_log10);
        // Smaller numbers than these are not written.
        let p_value = libm::pow(10f64, bound.max(-300.0));
        let decks = found.map_or(0.0, |found| found.decks as f64);
        vec![Outcome::bound(PREDICTED, "decks dealt from one state", decks, p_value)]
    }
}

/// Calls of a deck in what lies between windows, more than any mapping needs: two for each of 51 draws are 102; `getrandbits` of Python,
/// with what it rejects, takes 76 on the average.
const CALLS_OF_DECK: u64 = 128;

/// The first decks of windows among those that are kept, of so many.
fn windows(kept: usize) -> Vec<usize> {
    if kept < RECORDS_MAX { Vec::new() } else { (FIRST..RECORDS_MAX).step_by(WINDOW).collect() }
}

/// The number of a deck that is kept, of a look at so many.
fn place_of(kept: usize, all: usize) -> usize {
    if kept < FIRST || all <= RECORDS_MAX {
        return kept;
    }
    let (window, deck) = ((kept - FIRST) / WINDOW, (kept - FIRST) % WINDOW);
    FIRST + (all - FIRST - WINDOW) * window / (WINDOWS - 1) + deck
}

/// Models that a look at so many decks left out, in words.
fn left_out(decks: usize) -> String {
    let kept = decks.min(RECORDS_MAX);
    let tried = models_tried(kept, Places { begun: &[], middle: &windows(kept) }, WORK);
    let names = |of: fn(&Tried) -> bool| {
        let names: Vec<&str> = tried.iter().filter(|own| of(own)).map(|own| own.model).collect();
        if names.is_empty() { "none".to_owned() } else { names.join("; ") }
    };
    let short = tried.iter().filter(|own| own.is_cut_short()).count();
    format!(
        "models that its stated work did not reach: {}; that need more decks than these: {}; {short} others were not tried with all \
         start orders; deckproof predict searches longer",
        names(Tried::is_left_out),
        names(|own| own.is_starved)
    )
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

/// Above this bound a generator is no proof: a p-value among others. So far below it the level of a fail is passed
/// whatever the families are, as the rule in every certificate says; the proof adds the address.
const PROOF_LOG10: f64 = -12.0;

/// Calls that are dealt again at most when counts are judged: more than the search skips, and a moment's work.
const CALLS_MAX: u64 = 1 << 24;

/// Whether a claim is dealt again in a moment: forged counts may name any number of calls.
fn is_short(recovery: &Recovery) -> bool {
    let of_seed = recovery.seed.as_ref().map_or(0, |(_, _, calls)| *calls);
    let of_run = |run: &[u64; 4]| run[2].saturating_add(run[3].saturating_mul(run[1]));
    let calls = recovery.runs.iter().map(of_run).fold(of_seed, u64::saturating_add);
    calls <= CALLS_MAX && recovery.runs.len() <= RECORDS_MAX
}

impl Found {
    /// The proof with its address, of a look that begins with this deck.
    pub fn proof(&self, first_deck: u64, counts: &[u64]) -> Option<String> {
        let own = &self.recovery;
        let (all, searched) = (*counts.first()?, *counts.get(1)?);
        let first =
            own.runs.first().map_or(0, |run| place_of(run[0] as usize, all as usize)) as u64 + first_deck;
        let fitted = if own.fitted == 1 { "one deck".to_owned() } else { format!("{} decks", own.fitted) };
        let dealt = if self.decks < searched {
            let are = if self.decks == 1 { "is its output" } else { "are its outputs" };
            format!(
                "Of the {searched} decks that were searched {} {are}, card by card; of the others this was not shown: \
                 deckproof predict --decks {all} compares them.",
                self.decks
            )
        } else if searched == 1 {
            "The deck is its output, card by card.".to_owned()
        } else {
            format!("All {searched} decks that were searched are its outputs, card by card.")
        };
        let next =
            self.next.as_ref().map_or_else(String::new, |next| format!(" The deck after these is {next}."));
        // Of a window the last deck is followed by one of another window.
        let place = |kept: u64| place_of(kept as usize, all as usize);
        let end = own.end();
        let is_followed = end < searched && end > 0 && place(end) == place(end - 1) + 1;
        let known = if own.leads_on(is_followed) { "the next cards are known" } else { ENDS };
        (self.bound_log10 <= PROOF_LOG10).then(|| {
            format!(
                "After {fitted} {known}, from record {} on: {}. {dealt}{next}",
                first + 1,
                own.dealer_words()
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
    let is_known =
        MODELS.iter().any(|model| model.name() == recovery.model) && recovery.check_model().is_ok();
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

/// So many bytes, behind which nothing else is.
fn unpacked(words: &[u64], length: usize) -> Option<Vec<u8>> {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let is_whole = length <= bytes.len() && bytes[length..].iter().all(|&byte| byte == 0);
    bytes.truncate(length);
    is_whole.then_some(bytes)
}

#[cfg(test)]
mod tests;
