//! Two shares, their holders, and what is refused.

use std::fs;

use super::*;
use crate::vault::holders::NewKey;
use crate::vault::secrets::VaultedHand;
use deckproof_deck::deck::Deck;
use deckproof_deck::key::HandKey;

struct Room {
    folder: tempfile::TempDir,
    vault: Vault,
}

/// Two people and a stranger, with their files.
fn room() -> Room {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a", "b", "c"] {
        let NewKey { file, public } = NewKey::draw();
        fs::write(folder.path().join(format!("{name}.key")), &*file).expect("writable");
        let public = format!("# {name}\n\n{public}\n");
        fs::write(folder.path().join(format!("{name}.txt")), public).expect("writable");
    }
    let vault = Vault::of(folder.path());
    vault.create().expect("writable");
    Room { folder, vault }
}

impl Room {
    fn holders(&self, names: [&str; 2]) -> [Holders; 2] {
        names.map(|name| Holders::read(&self.folder.path().join(name)).expect("holders"))
    }

    fn people(&self, names: [&str; 2]) -> [Identities; 2] {
        names.map(|name| Identities::read(&self.folder.path().join(name)).expect("keys"))
    }

    fn put(&self, segment: u64) {
        self.put_on(segment, "2026-11-26");
    }

    fn put_on(&self, segment: u64, day: &str) {
        let mut secrets = VaultSecrets::default();
        for hand in 7..=9 {
            let deck = (hand == 8).then(Deck::in_order);
            let key = HandKey::from_bytes([hand as u8; 32]);
            secrets.push(VaultedHand { table: "T-1".to_owned(), hand, key, deck });
        }
        let day = day.parse().expect("a day");
        let holders = self.holders(["a.txt", "b.txt"]);
        self.vault.put(segment, &secrets, ("stud.example/log1", day), &holders).expect("writable");
    }

    fn refused(&self, names: [&str; 2]) -> VaultError {
        self.vault.open(1, &self.people(names)).err().expect("it is refused")
    }
}

#[test]
fn two_people_open_what_was_put_in_and_one_of_them_with_anybody_else_opens_nothing() {
    let room = room();
    assert!(!room.vault.holds(1).expect("readable"));
    room.put(1);
    assert!(room.vault.holds(1).expect("readable"));
    for names in [["a.key", "b.key"], ["b.key", "a.key"]] {
        let opened = room.vault.open(1, &room.people(names)).expect("both are there");
        assert_ne!(opened.holders[0], opened.holders[1]);
        let hand = opened.secrets.take("T-1", 8).expect("it was put in");
        assert_eq!((hand.key.bytes(), hand.deck), (&[8; 32], Some(Deck::in_order())));
    }
    for names in
        [["a.key", "a.key"], ["b.key", "b.key"], ["a.key", "c.key"], ["c.key", "b.key"], ["c.key", "c.key"]]
    {
        let error = room.refused(names);
        assert!(matches!(error, VaultError::NoKey(_)), "{names:?}: {error}");
    }
}

#[test]
fn a_share_that_was_altered_swapped_or_taken_from_elsewhere_is_refused() {
    let room = room();
    room.put(1);
    room.put(2);
    let paths = [0, 1].map(|share| room.vault.share_path(1, share));
    let kept = [0, 1].map(|share| fs::read(&paths[share]).expect("readable"));
    for share in 0..2 {
        for place in [0, 30, kept[share].len() / 2, kept[share].len() - 1] {
            let mut bytes = kept[share].clone();
            bytes[place] ^= 1;
            fs::write(&paths[share], &bytes).expect("writable");
            let error = room.refused(["a.key", "b.key"]);
            // A head of another holder is one that no key here opens.
            assert!(
                matches!(error, VaultError::Altered { .. } | VaultError::NoKey(_)),
                "share {share}, byte {place}: {error}"
            );
            assert!(!room.vault.holds(1).expect("readable"), "share {share}, byte {place}");
        }
        fs::write(&paths[share], &kept[share]).expect("writable");
    }
    // The share of another splitting is whole, and opened by its holder.
    fs::copy(room.vault.share_path(2, 0), &paths[0]).expect("writable");
    assert!(matches!(room.refused(["a.key", "b.key"]), VaultError::Mismatch(_)));
    fs::write(&paths[0], &kept[1]).expect("writable");
    fs::write(&paths[1], &kept[0]).expect("writable");
    // Both shares the other way round: XOR does not mind, and nothing is given away.
    let opened = room.vault.open(1, &room.people(["a.key", "b.key"])).expect("both are there");
    assert!(opened.secrets.take("T-1", 7).is_some());
    fs::write(&paths[1], &kept[1]).expect("writable");
    assert!(matches!(room.refused(["a.key", "b.key"]), VaultError::NoKey(_)));
}

#[test]
fn holders_and_keys_are_not_confused_and_no_message_repeats_a_key() {
    let room = room();
    let path = |name: &str| room.folder.path().join(name);
    let key = fs::read_to_string(path("a.key")).expect("readable");
    let secret = key.lines().last().expect("a key");
    let error = Holders::read(&path("a.key")).err().expect("a secret key").to_string();
    assert!(error.contains("a secret key in line 2") && !error.contains(secret), "{error}");
    let error = Identities::read(&path("a.txt")).err().expect("a public key").to_string();
    assert!(error.contains("no key in line 3"), "{error}");
    fs::write(path("torn"), &secret[..40]).expect("writable");
    let error = Identities::read(&path("torn")).err().expect("half a key").to_string();
    assert!(!error.contains(&secret[..30]), "{error}");
    fs::write(path("empty"), "# nobody\n").expect("writable");
    assert!(Holders::read(&path("empty")).is_err() && Identities::read(&path("empty")).is_err());
    let [a, b] = room.holders(["a.txt", "b.txt"]);
    assert_eq!(a.in_common(&b), None);
    let both = [fs::read(path("a.txt")).expect("readable"), fs::read(path("b.txt")).expect("readable")];
    fs::write(path("both"), both.concat()).expect("writable");
    assert!(Holders::read(&path("both")).expect("two").in_common(&b).is_some());
}

#[test]
fn what_lies_here_longer_is_removed_and_stays_known() {
    let room = room();
    room.put(1);
    let found = room.vault.segments().expect("readable");
    assert_eq!((found.len(), found[0].0, found[0].1.hands[0].last), (1, 1, 9));
    assert_eq!(ShareIndex::parse(&found[0].1.print()).as_ref(), Some(&found[0].1));
    room.vault.remove(1).expect("writable");
    assert!(room.vault.is_removed(1).expect("readable"));
    assert!(room.vault.segments().expect("readable").is_empty());
    assert!(room.vault.open(1, &room.people(["a.key", "b.key"])).is_err());
    // The clock was years behind when the third was written.
    room.put_on(2, "2026-11-27");
    room.put_on(3, "2020-01-02");
    let days = room.vault.segments().expect("readable").into_iter().map(|(_, index)| index.day.to_string());
    assert_eq!(days.collect::<Vec<_>>(), ["2026-11-27", "2026-11-27"]);
}
