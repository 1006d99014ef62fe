//! What opens the hands of a segment, as one text: a line `HAND KEY DECK TABLE` a hand, the deck `-` where the key leads to it.

use std::collections::BTreeMap;

use zeroize::Zeroizing;

use crate::vault::index::HandRange;
use deckproof_deck::commitment::digest::parse_hex;
use deckproof_deck::deck::Deck;
use deckproof_deck::key::HandKey;

const FIRST_LINE: &str = "deckproof/vault/v1 secrets";

/// What opens one hand.
///
/// No `Debug`, `Display` or `Clone`; its key is wiped when dropped.
pub struct VaultedHand {
    /// The table.
    pub table: String,
    /// The hand.
    pub hand: u64,
    /// Its key.
    pub key: HandKey,
    /// The deck, if it was made elsewhere.
    pub deck: Option<Deck>,
}

/// What opens the hands of a segment.
///
/// No `Debug`, `Display` or `Clone`; its keys are wiped when dropped.
#[derive(Default)]
pub struct VaultSecrets {
    hands: Vec<VaultedHand>,
}

impl VaultSecrets {
    /// Adds a hand.
    pub fn push(&mut self, hand: VaultedHand) {
        self.hands.push(hand);
    }

    /// Takes a hand out of them; the others are wiped.
    pub fn take(self, table: &str, hand: u64) -> Option<VaultedHand> {
        self.hands.into_iter().find(|own| own.hand == hand && own.table == table)
    }

    /// The hands by table, gaps included.
    pub fn ranges(&self) -> Vec<HandRange> {
        let mut tables: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for hand in &self.hands {
            let range = tables.entry(&hand.table).or_insert((hand.hand, hand.hand));
            *range = (range.0.min(hand.hand), range.1.max(hand.hand));
        }
        let ranges = tables.into_iter();
        ranges.map(|(table, (first, last))| HandRange { table: table.to_owned(), first, last }).collect()
    }

    /// The text.
    pub(super) fn print(&self) -> Zeroizing<Vec<u8>> {
        const LINE_BYTES: usize = 21 + 65 + 105 + 65;
        let mut text = Zeroizing::new(String::with_capacity(64 + LINE_BYTES * self.hands.len()));
        text.push_str(FIRST_LINE);
        for VaultedHand { table, hand, key, deck } in &self.hands {
            let deck =
                deck.as_ref().map(|deck| Zeroizing::new(base16ct::lower::encode_string(deck.indices())));
            text.push_str(&format!("\n{hand} "));
            text.push_str(&key.disclose());
            text.push(' ');
            text.push_str(deck.as_ref().map_or("-", |deck| deck.as_str()));
            text.push(' ');
            text.push_str(table);
        }
        text.push('\n');
        Zeroizing::new(text.as_bytes().to_vec())
    }

    /// Reads the text.
    pub(super) fn parse(text: &[u8]) -> Option<VaultSecrets> {
        let text = std::str::from_utf8(text).ok()?.strip_suffix('\n')?;
        let mut lines = text.split('\n');
        if lines.next() != Some(FIRST_LINE) {
            return None;
        }
        let hands: Option<Vec<VaultedHand>> = lines.map(parse_line).collect();
        Some(VaultSecrets { hands: hands? })
    }
}

fn parse_line(line: &str) -> Option<VaultedHand> {
    let mut words = line.splitn(4, ' ');
    let (hand, key) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let deck = match words.next()? {
        "-" => None,
        indices => Some(Deck::try_from(&parse_hex::<52>(indices)?[..]).ok()?),
    };
    Some(VaultedHand { table: words.next()?.to_owned(), hand, key, deck })
}
