//! Duplicates: decks that come twice, as they were or in another form, and what their absence says about the seeds.
//!
//! Null: no deck ever repeats (52! orders). Keys are 96-bit fingerprints of one canonical form of a deck: the deck
//! itself; turned so that card 0 lies on top and the lower of its two neighbours next, the same for all cuts and
//! reversals; the lexicographically first of the deck and its inverse. Above a cap only keys below q·2^96 are kept,
//! q halving as needed, so that both members of a pair stay, in any order and any sharding; pairs found and the
//! seed space shown then scale by q. Two independent decks are alike with probability E|class|/52!, which is at
//! most the largest class over 52!: 1, 104, and 2, for an involution is its own inverse and its class is smaller,
//! never larger. Near-copies have keys of a part of the deck: its ranks, its suits, its upper and its lower half,
//! in classes of 4!^13, 13!^4 and 26!.
//!
//! The changed forms are looked for among the decks only. A dealer that changes what it has dealt deals no step
//! between decks again; and steps that come again up to a cut or an inversion, 104 or 2 to a class, come again
//! plainly after at most √104 or √2 times as many decks, which the plain sketch of the relative view sees.

use crate::battery::kernel::by_order;
use crate::battery::kernel::canonical::{equal_or_inverse, turned};
use crate::battery::kernel::fingerprint::{fingerprints, of_rows};
use crate::battery::outcome::Outcome;
use crate::battery::repeats::duplicates::sketch::{Addresses, KEY_BITS, SketchCount};
use crate::battery::statistic::{About, Design};
use crate::battery::tier::Tier;
use crate::battery::view::{Label, View};
use crate::math::gamma::ln_factorial;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::deck::orders::{Decks, Order};
use deckproof_deck::text::decimal::{counted, thousands};

pub mod sketch;
mod sort;

/// The fingerprints of the canonical forms of a block's decks.
type Keys = fn(&DeckBlock, &mut [u128; BLOCK_HANDS]);

/// The same of decks that are shown one by one, some decks at a time.
type KeysOfOrders = fn(Decks, &mut dyn FnMut(&[u128]));

/// When two decks count as the same.
#[derive(Debug)]
pub struct Equivalence {
    /// What looking for such decks is.
    pub about: About,
    /// Distinct keys kept before q halves: 16 bytes each, and a quarter more while they come in.
    pub keys_max: usize,
    /// What such decks are, after "pairs of decks".
    pub words: &'static str,
    /// The most decks that are alike.
    class_max: f64,
    keys: Keys,
    /// Where decks are shown one by one it may be quicker.
    keys_of_orders: Option<KeysOfOrders>,
}

/// All of them share one level; only an inverse asks for the numbers of cards.
const DESIGN: Design = Design { family: Some(FAMILY), label: Label::Card, ..Design::OF_DECKS };

/// Decks that come again as they were; in every tier.
pub static EQUAL: Equivalence = Equivalence {
    about: About {
        id: "duplicates",
        version: 2,
        tier: Tier::Core,
        title: "repeated decks",
        null: "No deck ever comes twice: there are 52! orders.",
        source: "pairs of equal 96-bit fingerprints; P(a pair) ≤ C(N,2)·(1/52! + 2^-96); seed space by the birthday \
                 bound exp(−N²/2S)",
        detects: "Stuck and repeating shufflers, and generators with too few seeds.",
        decks_min: 1,
        design: Design { views: View::PLAIN, ..DESIGN },
    },
    keys_max: 1 << 22,
    words: "equal",
    class_max: 1.0,
    keys: fingerprints,
    keys_of_orders: Some(|decks, visit| by_order::fingerprints(decks.orders, visit)),
};

/// Decks that come again cut, turned over, or both.
static TURNED: Equivalence = Equivalence {
    about: About {
        id: "duplicates-turned",
        version: 2,
        tier: Tier::Deep,
        title: "decks repeated up to a cut or a reversal",
        null: "No deck ever comes twice, not even cut or turned over: there are 52!/104 orders up to both.",
        source: "pairs of equal 96-bit fingerprints of the deck turned to card 0; P(a pair) ≤ \
                 C(N,2)·(104/52! + 2^-96)",
        detects: "Shufflers that cut or turn over a deck they dealt before, however long ago.",
        decks_min: 1,
        design: DESIGN,
    },
    keys_max: CHANGED_KEYS_MAX,
    words: "equal up to a cut or a reversal",
    class_max: 104.0,
    keys: |block, keys| {
        let mut canonical = DeckBlock::default();
        turned(block, &mut canonical);
        fingerprints(&canonical, keys);
    },
    keys_of_orders: Some(|decks, visit| keys_of_forms(decks, by_order::turned, visit)),
};

/// Decks that come again with cards and places exchanged.
static INVERSE: Equivalence = Equivalence {
    about: About {
        id: "duplicates-inverse",
        version: 2,
        tier: Tier::Deep,
        title: "decks repeated up to exchanging cards and places",
        null: "No deck ever comes twice, not even as its inverse.",
        source: "pairs of equal 96-bit fingerprints of the first of deck and inverse in lexicographic order; \
                 P(a pair) ≤ C(N,2)·(2/52! + 2^-96), an involution being alone in its class",
        detects: "Shufflers that apply the inverse of a permutation they used before, however long ago.",
        decks_min: 1,
        design: Design { label: Label::Number, ..DESIGN },
    },
    keys_max: CHANGED_KEYS_MAX,
    words: "equal up to exchanging cards and places",
    class_max: 2.0,
    keys: |block, keys| {
        let mut canonical = DeckBlock::default();
        equal_or_inverse(block, &mut canonical);
        fingerprints(&canonical, keys);
    },
    keys_of_orders: Some(|decks, visit| keys_of_forms(decks, by_order::equal_or_inverse, visit)),
};

/// Decks whose places hold cards of the same ranks as in an earlier one.
static RANKS: Equivalence = Equivalence {
    about: About {
        id: "duplicates-ranks",
        version: 2,
        tier: Tier::Deep,
        title: "decks repeated with other suits",
        null: "No two decks have the same ranks at all places: there are 52!/4!^13 ways.",
        source: "pairs of equal 96-bit fingerprints of the ranks; P(a pair) ≤ C(N,2)·(4!^13/52! + 2^-96)",
        detects: "Shufflers that deal an earlier deck again with its suits renamed or its cards of a rank exchanged.",
        decks_min: 1,
        design: DESIGN,
    },
    keys_max: CHANGED_KEYS_MAX,
    words: "of the same ranks at all places",
    // 24^13.
    class_max: 876_488_338_465_357_824.0,
    keys: |block, keys| mapped(block, keys, |card, _| card >> 2),
    keys_of_orders: None,
};

/// Decks whose places hold cards of the same suits as in an earlier one.
static SUITS: Equivalence = Equivalence {
    about: About {
        id: "duplicates-suits",
        version: 2,
        tier: Tier::Deep,
        title: "decks repeated with other ranks",
        null: "No two decks have the same suits at all places: there are 52!/13!^4 ways.",
        source: "pairs of equal 96-bit fingerprints of the suits; P(a pair) ≤ C(N,2)·(13!^4/52! + 2^-96)",
        detects: "Shufflers that deal an earlier deck again with its ranks renamed or its cards of a suit exchanged.",
        decks_min: 1,
        design: DESIGN,
    },
    keys_max: CHANGED_KEYS_MAX,
    words: "of the same suits at all places",
    // 6,227,020,800^4 = 1.503562e39, rounded up.
    class_max: 1.503_562e39,
    keys: |block, keys| mapped(block, keys, |card, _| card & 3),
    keys_of_orders: None,
};

/// Decks whose first 26 cards are those of an earlier one.
static TOP_HALF: Equivalence = Equivalence {
    about: About {
        id: "duplicates-top-half",
        version: 2,
        tier: Tier::Deep,
        title: "first halves of decks repeated",
        null: "No two decks have the same first 26 cards in order: there are 52!/26! ways.",
        source: "pairs of equal 96-bit fingerprints of the first 26 cards; P(a pair) ≤ C(N,2)·(26!/52! + 2^-96)",
        detects: "Near-copies: an earlier deck of which only the lower half was shuffled again.",
        decks_min: 1,
        design: DESIGN,
    },
    keys_max: CHANGED_KEYS_MAX,
    words: "with the same first 26 cards",
    class_max: HALF_CLASS,
    keys: |block, keys| mapped(block, keys, |card, place| if place < DECK_CARDS / 2 { card } else { 0 }),
    keys_of_orders: None,
};

/// Decks whose last 26 cards are those of an earlier one.
static LOWER_HALF: Equivalence = Equivalence {
    about: About {
        id: "duplicates-lower-half",
        version: 2,
        tier: Tier::Deep,
        title: "last halves of decks repeated",
        null: "No two decks have the same last 26 cards in order: there are 52!/26! ways.",
        source: "pairs of equal 96-bit fingerprints of the last 26 cards; P(a pair) ≤ C(N,2)·(26!/52! + 2^-96)",
        detects: "Near-copies: an earlier deck of which only the upper half was shuffled again.",
        decks_min: 1,
        design: DESIGN,
    },
    keys_max: CHANGED_KEYS_MAX,
    words: "with the same last 26 cards",
    class_max: HALF_CLASS,
    keys: |block, keys| mapped(block, keys, |card, place| if place < DECK_CARDS / 2 { 0 } else { card }),
    keys_of_orders: None,
};

/// 26! = 4.032915e26, rounded up.
const HALF_CLASS: f64 = 4.032_915e26;

/// Fingerprints of what is left of every card at its place.
fn mapped(block: &DeckBlock, keys: &mut [u128; BLOCK_HANDS], left: impl Fn(u8, usize) -> u8) {
    let rows = std::array::from_fn(|place| block.row(place).map(|card| left(card, place)));
    of_rows(&rows, block.hands(), keys);
}

/// The fingerprints of what becomes of every deck.
fn keys_of_forms(decks: Decks, form: fn(Decks, &mut [Order]), visit: &mut dyn FnMut(&[u128])) {
    let mut forms = [Order::EMPTY; BLOCK_HANDS];
    for (orders, inverses) in decks.orders.chunks(BLOCK_HANDS).zip(decks.inverses.chunks(BLOCK_HANDS)) {
        let forms = &mut forms[..orders.len()];
        form(Decks { orders, inverses }, forms);
        by_order::fingerprints(forms, visit);
    }
}

/// All of the first 131,072 decks, 2 MB: a dealer that changes old decks does it again and again, so that a
/// share of them is enough, while the size of seed spaces is measured on plain decks.
const CHANGED_KEYS_MAX: usize = 1 << 17;

/// All of them share the level of one family.
pub const FAMILY: &str = "duplicates";

static ALL: [&Equivalence; 7] = [&EQUAL, &TURNED, &INVERSE, &RANKS, &SUITS, &TOP_HALF, &LOWER_HALF];

/// What is looked for, in the order of certificates.
pub fn all() -> &'static [&'static Equivalence] {
    &ALL
}

/// What is looked for in some tiers; plain copies in any.
pub fn of_tiers(tiers: &[Tier]) -> Vec<&'static Equivalence> {
    let is_wanted = |equivalence: &&Equivalence| {
        equivalence.about.tier == Tier::Core || tiers.contains(&equivalence.about.tier)
    };
    all().iter().copied().filter(is_wanted).collect()
}

impl Equivalence {
    /// Its id in plans and certificates.
    pub fn id(&self) -> &'static str {
        self.about.id
    }

    /// The p-value of the pairs among `decks` decks: 1 if there are none, else the bound
    /// `P(a pair) ≤ C(N,2)·(|class|/52! + 2^-96)`, the second term for unlike decks with one fingerprint.
    pub fn outcome(&self, count: &SketchCount, decks: u64) -> Outcome {
        let n = decks as f64;
        let chance = self.class_max * libm::exp(-ln_factorial(52)) + libm::exp2(-f64::from(KEY_BITS));
        Outcome::bound(
            "pairs",
            "colliding pairs",
            count.pairs as f64,
            if count.pairs == 0 { 1.0 } else { (0.5 * n * (n - 1.0) * chance).min(1.0) },
        )
    }

    /// What pairs prove, if there are any, and where they are.
    pub fn proof(
        &self,
        view: View,
        count: &SketchCount,
        alike: Option<&Addresses>,
        decks: u64,
    ) -> Option<String> {
        let SketchCount { pairs, kept, .. } = count;
        let what = if view == View::Deck { "deck" } else { "step from one deck to the next" };
        let found = if self.class_max > 1.0 {
            format!("A {what} came up again, as it was or changed")
        } else {
            format!("The same {what} came up again")
        };
        let addresses = alike.map_or_else(|| ".".to_owned(), |alike| places(alike, view, decks));
        let noun = if *pairs == 1 { "pair" } else { "pairs" };
        let words = if self.class_max > 1.0 {
            format!("{noun} of decks {}", self.words)
        } else {
            format!("equal {noun}")
        };
        (*pairs > 0).then(|| {
            let (pairs, kept) = (thousands(*pairs), thousands(*kept));
            format!("{found}{addresses} {pairs} {words} among {kept} fingerprints of {KEY_BITS} bits.")
        })
    }
}

/// What decks that are alike have in common, if it is plain, and which they are, counted from 1: the end of a sentence.
fn places(alike: &Addresses, view: View, decks: u64) -> String {
    let Addresses { pairs, keys, apart } = alike;
    let number = |deck: u64| thousands(deck.saturating_add(1));
    let record = |deck: u64| match view {
        View::Deck | View::Inverse => number(deck),
        View::Relative | View::RelativeCards => {
            format!("{} to {}", number(deck), number(deck.saturating_add(1)))
        }
    };
    let one = |&[first, second]: &[u64; 2]| format!("{} and {}", record(first), record(second));
    let named: Vec<String> = pairs.iter().map(one).collect();
    let rest = keys.saturating_sub(named.len() as u64);
    let rest = if rest > 0 { format!(", and {} more", thousands(rest)) } else { String::new() };
    let shift = match apart {
        Some(apart) if *keys > 1 && 2 * *apart == decks && *keys == *apart => {
            ". The second half of the decks is the first half again".to_owned()
        }
        Some(apart) if *keys > 1 => {
            format!(
                ". Each of the {} comes again {} later",
                thousands(*keys),
                counted(*apart, "deck", "decks")
            )
        }
        _ => String::new(),
    };
    // What they have in common comes first: a narrow screen cuts the end off.
    format!("{shift}: {}{rest}, counted from 1.", named.join(", "))
}

/// `2 ln 100`: without a repeat among N draws from S seeds, `exp(−N²/2S) < 1 %` for smaller S.
const SEED_SPACE_DIVISOR: f64 = 9.210_340_371_976_182;

/// Bits of seed space that the absence of pairs shows at 99 %: log2(N²q/9.21), for seeds drawn
/// independently and uniformly. None if there are pairs or too few decks.
pub fn seed_space_bits(count: &SketchCount, decks: u64) -> Option<f64> {
    let bits = 2.0 * libm::log2(decks as f64) - f64::from(count.halvings) - libm::log2(SEED_SPACE_DIVISOR);
    (count.pairs == 0 && bits > 0.0).then_some(bits)
}

/// What the count means, in one or two sentences.
pub fn seed_space_sentence(count: &SketchCount, decks: u64) -> String {
    let among = thousands(decks);
    let share = match count.halvings {
        0 => String::new(),
        halvings => format!(" (fingerprints below a share of q = 1/{} were kept)", exponential(halvings)),
    };
    if count.pairs > 0 {
        return format!(
            "{} pairs of equal decks among {among} decks{share}: that is proof that the decks are not independent.",
            thousands(count.pairs)
        );
    }
    let shown = match seed_space_bits(count, decks) {
        // What is shown is a lower bound: rounded down.
        Some(bits) => format!(
            "No deck repeats among {among} decks{share}, which shows a seed space above {:.1} bits at 99 % \
             for seeds drawn independently and uniformly.",
            (10.0 * bits).floor() / 10.0
        ),
        None => {
            format!("No deck repeats among {among} decks{share}, which says nothing about the seed space.")
        }
    };
    format!("{shown} No number of decks could show all 225.6 bits of a deck this way.")
}

fn exponential(halvings: u32) -> u128 {
    1 << halvings.min(KEY_BITS)
}

#[cfg(test)]
mod tests;
