//! A deck of which some cards are opened and of the others the leaves alone are known: what is left of a hand once its key
//! was taken away. Its holder hands out what each seat may see, and cannot open one card more.

use zeroize::Zeroizing;

use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_deck::commitment::digest::{Digest, parse_hex, tree_root};
use deckproof_deck::commitment::{Salt, SecretDeck, leaf};
use deckproof_deck::key::HandContext;

/// Hexadecimal digits of a leaf or a salt.
const HEX_DIGITS: usize = 64;

/// A leaf that is opened, or not.
enum PartLeaf {
    Opened { card: Card, salt: Salt },
    Hidden(Digest),
}

/// 52 leaves in secret order, some of them opened.
///
/// No `Debug`, `Display` or `Clone`; its salts are wiped when dropped.
pub struct PartDeck {
    leaves: Vec<PartLeaf>,
}

impl PartDeck {
    /// What is left of a deck if these secret places stay opened.
    pub fn of(secret: &SecretDeck, is_opened: impl Fn(usize) -> bool) -> PartDeck {
        let leaf = |place| {
            if is_opened(place) {
                PartLeaf::Opened { card: secret.card(place), salt: copy(secret.salt(place)) }
            } else {
                PartLeaf::Hidden(secret.leaf(place))
            }
        };
        PartDeck { leaves: (0..DECK_CARDS).map(leaf).collect() }
    }

    /// One word a leaf: its hash, or the card and its salt.
    pub fn print(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::with_capacity(DECK_CARDS * (HEX_DIGITS + 3)));
        for leaf in &self.leaves {
            if !text.is_empty() {
                text.push(' ');
            }
            match leaf {
                PartLeaf::Hidden(hash) => text.push_str(&hash.to_string()),
                PartLeaf::Opened { card, salt } => {
                    text.push_str(&card.to_string());
                    text.push_str(&salt.disclose());
                }
            }
        }
        text
    }

    /// Reads what [`PartDeck::print`] wrote.
    pub fn parse(text: &str) -> Option<PartDeck> {
        let leaves: Vec<PartLeaf> = text.split(' ').map(parse_leaf).collect::<Option<_>>()?;
        (leaves.len() == DECK_CARDS).then_some(PartDeck { leaves })
    }

    /// The card at a secret place, if it is opened.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn card(&self, place: usize) -> Option<Card> {
        match &self.leaves[place] {
            PartLeaf::Opened { card, .. } => Some(*card),
            PartLeaf::Hidden(_) => None,
        }
    }

    /// The salt of a secret place, if it is opened.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn salt(&self, place: usize) -> Option<&Salt> {
        match &self.leaves[place] {
            PartLeaf::Opened { salt, .. } => Some(salt),
            PartLeaf::Hidden(_) => None,
        }
    }

    /// What a secret place commits to.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn leaf(&self, context: &HandContext, place: usize) -> Digest {
        match &self.leaves[place] {
            PartLeaf::Opened { card, salt } => leaf(context, place, *card, salt),
            PartLeaf::Hidden(hash) => *hash,
        }
    }

    /// The deck root.
    pub fn root(&self, context: &HandContext) -> Digest {
        let leaves: Vec<Digest> = (0..DECK_CARDS).map(|place| self.leaf(context, place)).collect();
        tree_root(&leaves)
    }
}

fn copy(salt: &Salt) -> Salt {
    let digits = salt.disclose();
    Salt::from_bytes(parse_hex(&digits).expect("a salt is printed as its digits"))
}

fn parse_leaf(word: &str) -> Option<PartLeaf> {
    if word.len() == HEX_DIGITS {
        return Digest::from_hex(word).map(PartLeaf::Hidden);
    }
    let (card, salt) = word.split_at_checked(2)?;
    Some(PartLeaf::Opened { card: card.parse().ok()?, salt: Salt::from_bytes(parse_hex(salt)?) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::key::HandKey;

    #[test]
    fn what_is_left_has_the_same_root_and_no_other_card() {
        let key = HandKey::from_bytes([7; 32]);
        let context = HandContext::new("stud.example/log1", "T-1", 1, "none");
        let secret = SecretDeck::new(&key, &context);
        let part = PartDeck::of(&secret, |place| place % 3 == 0);
        let text = part.print();
        let read = PartDeck::parse(&text).expect("it was printed");
        assert_eq!(read.root(&context), secret.root());
        assert_eq!(*read.print(), *text);
        for place in 0..DECK_CARDS {
            let salt = secret.salt(place).disclose();
            let is_opened = place % 3 == 0;
            assert_eq!(read.card(place), is_opened.then(|| secret.card(place)), "place {place}");
            assert_eq!(text.contains(&salt[..]), is_opened, "place {place}");
        }
    }

    #[test]
    fn what_is_no_part_of_a_deck_is_not_read() {
        let key = HandKey::from_bytes([7; 32]);
        let context = HandContext::new("stud.example/log1", "T-1", 1, "none");
        let text = PartDeck::of(&SecretDeck::new(&key, &context), |place| place < 9).print();
        let one_less = text.rsplit_once(' ').expect("52 words").0.to_owned();
        for wrong in [
            String::new(),
            one_less,
            format!("{} ", *text),
            text.replacen("a", "A", 1),
            format!("Z{}", &text[1..]),
        ] {
            assert!(PartDeck::parse(&wrong).is_none(), "{wrong}");
        }
    }
}
