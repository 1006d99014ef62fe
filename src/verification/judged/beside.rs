//! What is held beside bundles: what the player saved, receipts, proofs of other bundles, and what other files tell of the hand.

use std::collections::{BTreeMap, BTreeSet};

use crate::verification::fault::BundleFault;
use crate::verification::judged::{FileVerdict, JudgedFile, JudgedFiles, OneKey, SoundBundle, shifted};
use crate::verification::plan::line_of;
use crate::verification::references::Given;
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_verify::claim::Party;
use deckproof_verify::log::entry::{DeckEntry, Mix};
use deckproof_verify::log::receipt::Receipt;
use deckproof_verify::log::refusal::{Code, Refusal};
use deckproof_verify::verify::before::{self, COMMITTED, HandDigits, HandEntry, Saved, SavedFault};
use deckproof_verify::verify::claims::{HandEvidence, gave_seed_or_needs_none};
use deckproof_verify::verify::proofs::HeldProofs;
use deckproof_verify::verify::receipts::{self, ReceiptFault};
use deckproof_verify::verify::together::{self, Conflict, DIFFERENT, conflicts};
use deckproof_verify::verify::{Accepted, ProvenEntry};

impl JudgedFiles {
    /// Whether what was saved holds an entry of the hand of any of the bundles.
    fn are_of_a_hand(&self, saved: &[Saved]) -> bool {
        let of_hand = |sound: &SoundBundle| {
            before::compare(saved, &sound.bundle, true).map_or(true, |found| found.compared > 0)
        };
        self.sound().into_iter().any(|(_, sound)| of_hand(sound))
    }

    /// The hashes of the plans of the certificates, which may be what was kept.
    fn plans(&self) -> impl Iterator<Item = &String> {
        self.files.iter().filter_map(|file| match &file.verdict {
            FileVerdict::Certificate(checked) => checked.plan_sha256.as_ref(),
            _ => None,
        })
    }

    /// Compares every entry of every bundle with those that the player saved.
    pub(super) fn compare_saved(&mut self, given: &Given, is_alone: bool) {
        if given.committed.is_empty() && given.opened.is_empty() {
            return;
        }
        // What is declared are openings; the decks beside them say of which hands they are.
        let (opened, decks): (Vec<Saved>, Vec<Saved>) =
            given.opened.iter().cloned().partition(Saved::is_opening);
        let committed: Vec<Saved> = given.saved().cloned().chain(decks).collect();
        let opened = &opened;
        let texts = given.committed.iter().map(|(name, saved)| (format!("--committed {name}"), saved));
        let texts = texts.chain([("--opened".to_owned(), opened)]).filter(|(_, saved)| !saved.is_empty());
        let texts: Vec<(String, &Vec<Saved>)> = texts.collect();
        if !is_alone {
            let is_of_plan = |one: &Saved| match one {
                Saved::Hash(digits) => self.plans().any(|sha256| *sha256 == digits.to_string()),
                Saved::Entry(..) => false,
            };
            let fits = |saved: &[Saved]| {
                saved.iter().any(is_of_plan)
                    || self.sound().iter().any(|(_, sound)| before::fits(saved, &sound.bundle))
            };
            let none = texts.iter().filter(|(_, saved)| !fits(saved));
            self.fitting_none = none.map(|(option, _)| option.clone()).collect();
        }
        let is_foreign = |saved: &[Saved]| is_alone && !self.are_of_a_hand(saved);
        let all = [&committed[..], opened].concat();
        let foreign = texts.into_iter().find(|(_, saved)| is_foreign(saved));
        let foreign = foreign.map(|(option, saved)| (option, before::names_other_hand(saved, &all)));
        for file in &mut self.files {
            let FileVerdict::Bundle(sound) = &mut file.verdict else { continue };
            if let Some(fault) = differs_from_log(&sound.bundle, &all, given) {
                file.verdict = FileVerdict::Refused(fault);
                continue;
            }
            // Digits beside a text of another hand, or of another day, may be of that one.
            let convicts = is_alone && foreign.is_none() && !before::has_other_day(&all, &sound.bundle);
            let (elsewhere, committed): (Vec<Saved>, Vec<Saved>) =
                committed.iter().cloned().partition(|one| before::is_of_other_text(one, &all, &sound.bundle));
            let compare = |saved: &[Saved]| before::compare(saved, &sound.bundle, convicts);
            let (saved, declared) = match (compare(&committed), compare(opened)) {
                (Ok(saved), Ok(declared)) => (saved, declared),
                (saved, declared) => {
                    let faults = saved.err().into_iter().chain(declared.err());
                    let fault = faults.reduce(SavedFault::or).expect("one of them is a fault");
                    file.verdict = match fault {
                        SavedFault::Differs { entry, is_hash } => {
                            FileVerdict::Refused(differs(&sound.bundle, entry, Kept::unsigned(is_hash)))
                        }
                        slip => FileVerdict::Unreadable(slipped(&file.name, &sound.bundle, slip)),
                    };
                    continue;
                }
            };
            if convicts && let [Saved::Hash(digits), ..] = elsewhere[..] {
                let message = format!(
                    "{}: the 64 digits {digits} that you gave are a hash of another text that you gave, which is of another hand: they say \
                     nothing of this one",
                    file.name
                );
                file.verdict = FileVerdict::Unreadable(message);
                continue;
            }
            if let Some((option, names_other)) = &foreign {
                file.verdict =
                    FileVerdict::Unreadable(of_no_hand(&file.name, &sound.bundle, option, *names_other));
                continue;
            }
            if declared.is_open_saved && !gave_seed_or_needs_none(&sound.bundle) {
                file.verdict = FileVerdict::Unreadable(opened_without_seed(&file.name));
                continue;
            }
            sound.evidence.saved = saved;
            sound.evidence.is_opened_declared = declared.is_open_saved;
        }
    }

    /// Looks for the entries of every bundle in the receipts that the player saved.
    pub(super) fn compare_receipts(&mut self, given: &Given, is_alone: bool) {
        let Some(trust) = given.trust.as_ref().filter(|_| !given.receipts.is_empty()) else { return };
        for file in &mut self.files {
            let FileVerdict::Bundle(sound) = &mut file.verdict else { continue };
            match receipts::compare(&sound.bundle, &given.receipts, trust) {
                Err(ReceiptFault::Unusable(refusal)) => {
                    file.verdict = FileVerdict::Unreadable(unusable(&file.name, &refusal))
                }
                Err(ReceiptFault::Forked(refusal)) => file.verdict = FileVerdict::Refused(refusal.into()),
                Ok(receipted) => sound.evidence.receipts = receipted,
            }
        }
        let fits = |(name, receipt): &(String, Receipt)| {
            let of_plan = |sha256: &String| receipt.check(&leaf_hash(&line_of(sha256)), trust, name).is_ok();
            let of_hand = |(_, sound): &(usize, &SoundBundle)| {
                sound.evidence.receipts.iter().any(|(own, _)| own == name)
            };
            self.plans().any(of_plan) || self.sound().iter().any(of_hand)
        };
        let none: Vec<&(String, Receipt)> = given.receipts.iter().filter(|one| !fits(one)).collect();
        if !is_alone {
            self.fitting_none.extend(none.iter().map(|(name, _)| format!("--receipt {name}")));
            return;
        }
        let Some((receipt, Receipt { index, .. })) = none.first() else { return };
        for JudgedFile { name, verdict, .. } in &mut self.files {
            if let FileVerdict::Bundle(sound) = verdict {
                *verdict = FileVerdict::Unreadable(of_no_entry(name, &sound.bundle.hand, receipt, *index));
            }
        }
    }

    /// What the log proofs of one bundle show, they show for all bundles of its hand, whose entries are the same.
    pub(super) fn share_proofs(&mut self) {
        let sound = self.sound();
        let bundles: Vec<&Accepted> = sound.iter().map(|(_, sound)| &sound.bundle).collect();
        let mut shared: Vec<(usize, Vec<ProvenEntry>)> = Vec::new();
        for places in together::by_hand(&bundles).values() {
            shared.extend(places.iter().map(|&own| {
                let mut evidence = HandEvidence::default();
                let others = places.iter().filter(|place| **place != own);
                others.for_each(|&other| evidence.share(bundles[own], bundles[other]));
                (sound[own].0, evidence.proven)
            }));
        }
        for (place, proven) in shared {
            if let FileVerdict::Bundle(sound) = &mut self.files[place].verdict {
                sound.evidence.proven = proven;
            }
        }
    }

    /// Files of two hands that one hand key made. Neither is refused: who has a full reveal can write another hand with its key, and nobody signs
    /// a bundle.
    pub(super) fn compare_keys(&mut self) {
        let sound = self.sound();
        let bundles: Vec<&Accepted> = sound.iter().map(|(_, sound)| &sound.bundle).collect();
        let is_logged = |place: usize| {
            let SoundBundle { bundle, evidence, .. } = sound[place].1;
            let receipted = evidence.receipts.iter().map(|(_, proven)| proven);
            !bundle.proven.is_empty() || receipted.chain(&evidence.proven).next().is_some()
        };
        let found = together::of_one_key(&bundles).into_iter().map(|(own, other)| {
            let file = self.files[sound[other].0].name.clone();
            let hand = bundles[other].hand.clone();
            (sound[own].0, OneKey { file, hand, is_logged: is_logged(own) && is_logged(other) })
        });
        for (place, one_key) in found.collect::<Vec<_>>() {
            if let FileVerdict::Bundle(sound) = &mut self.files[place].verdict {
                sound.one_key = Some(one_key);
            }
        }
    }

    /// Files whose proofs rest on two trees of one log that have one size and two roots, or that prove one entry at two places of the log:
    /// each is refused, whatever hands they are of.
    pub(super) fn compare_logs(&mut self) {
        let sound = self.sound();
        // All proofs are of the log of the trust file.
        let all = || {
            let proofs = |(place, sound): &'_ (usize, &SoundBundle)| {
                sound.bundle.proven.iter().map(|proven| (*place, *proven)).collect::<Vec<_>>()
            };
            sound.iter().flat_map(proofs)
        };
        let mut roots: BTreeMap<u64, BTreeMap<Digest, (usize, ProvenEntry)>> = BTreeMap::new();
        for (place, proven) in all() {
            roots.entry(proven.tree.size).or_default().entry(proven.tree.root).or_insert((place, proven));
        }
        let mut forks: Vec<(usize, BundleFault)> = Vec::new();
        for (own, proven) in all() {
            let other = roots[&proven.tree.size].iter().find(|(root, _)| **root != proven.tree.root);
            let Some((_, (other, other_proven))) = other else { continue };
            let place = format!("proof of {}", proven.entry);
            let message = format!(
                "its checkpoint of size {} has another root than that of the proof of {} in {}: the log signed both, so it is forked",
                proven.tree.size, other_proven.entry, self.files[*other].name
            );
            forks.push((own, BundleFault::new(Code::ProofRoot.name(), place, message)));
        }
        forks.extend(self.moved_entries());
        for (own, fault) in forks {
            self.files[own].verdict = FileVerdict::Refused(fault);
        }
    }

    /// Files of which the log has an entry at two places, or at a place where it has another one too: it takes each once and moves none.
    fn moved_entries(&self) -> Vec<(usize, BundleFault)> {
        let mut all: Vec<(usize, &str, &str, ProvenEntry)> = Vec::new();
        for (file, sound) in self.sound() {
            let texts = &sound.bundle.texts;
            let own = sound.bundle.proven.iter().map(|proven| (self.files[file].name.as_str(), *proven));
            let receipts = sound.evidence.receipts.iter().map(|(name, proven)| (name.as_str(), *proven));
            let entries = own
                .chain(receipts)
                .filter_map(|(name, own)| Some((file, name, texts.proven_as(own.entry)?, own)));
            all.extend(entries);
        }
        let mut places: BTreeMap<&str, BTreeMap<u64, &str>> = BTreeMap::new();
        let mut entries: BTreeMap<u64, BTreeMap<&str, (&str, &str)>> = BTreeMap::new();
        for (_, name, text, ProvenEntry { entry, index, .. }) in &all {
            places.entry(text).or_default().entry(*index).or_insert(name);
            entries.entry(*index).or_default().entry(text).or_insert((name, entry));
        }
        let mut faults = Vec::new();
        for (file, name, text, ProvenEntry { entry, index, .. }) in &all {
            let moved = places[text].iter().find(|(there, _)| *there != index);
            let replaced = entries[index].iter().find(|(there, _)| *there != text);
            let message = match (moved, replaced) {
                (Some((there, other)), _) => format!(
                    "{name} proves it as entry {index} of the log, {other} as entry {there}: the log holds it twice, or is forked"
                ),
                (None, Some((_, (other, there)))) => format!(
                    "{name} proves it as entry {index} of the log, {other} another entry ({there}) at the same place: the log signed both, so it is forked"
                ),
                (None, None) => continue,
            };
            let fault = BundleFault::new(Code::ProofRoot.name(), format!("proof of {entry}"), message);
            faults.push((*file, fault));
        }
        faults
    }

    /// Of two files that tell one hand differently both are refused, unless the log has what one of them says.
    pub(super) fn compare_hands(&mut self) {
        let sound = self.sound();
        let bundles: Vec<&Accepted> = sound.iter().map(|(_, sound)| &sound.bundle).collect();
        let proven = |(_, sound): &(usize, &SoundBundle)| {
            let receipts = sound.evidence.receipts.iter().map(|(_, proven)| proven);
            sound.bundle.proven.iter().chain(receipts).map(|proven| proven.entry).collect()
        };
        let proven: Vec<BTreeSet<&'static str>> = sound.iter().map(proven).collect();
        let conflicts = conflicts(&bundles, &proven).into_iter().map(|conflict| Conflict {
            own: sound[conflict.own].0,
            other: sound[conflict.other].0,
            ..conflict
        });
        for Conflict { own, other, entry, lines: [one, two], is_proven, is_log_at_fault, may_be_other_day } in
            conflicts.collect::<Vec<_>>()
        {
            let other = self.files[other].name.clone();
            let file = &mut self.files[own];
            let FileVerdict::Bundle(sound) = &mut file.verdict else { continue };
            if is_proven {
                sound.differs_from = Some(other);
                continue;
            }
            if may_be_other_day {
                file.verdict = FileVerdict::Unreadable(format!(
                    "{}: it was not judged beside {other}, for it has {one:?} in its deck entry, and that {two:?}. {WITHOUT_LOG}. Give one \
                     alone to have it judged. If both were given out for one hand, they are two decks of it.",
                    file.name
                ));
                continue;
            }
            let kind = if entry == "end" { "close or void" } else { entry };
            let place = format!("{kind} entry of {} and {other}", file.name);
            let message = format!(
                "{} has {one:?} in its {kind} entry, {other} has {two:?}{}{}",
                file.name,
                if is_log_at_fault {
                    ". Both are proven to be in the log, which takes one of a hand"
                } else {
                    ". Anybody who has one of them can write the other: proofs of the log settle which it holds"
                },
                without_log(&sound.bundle.hand)
            );
            file.verdict = FileVerdict::Refused(BundleFault::new(DIFFERENT, place, message));
        }
    }
}

/// That a name tells hands without a log from no others.
const WITHOUT_LOG: &str = "Hands that were dealt without a log, or for a trial, are all of localhost: these may be of two days or two programs";

fn without_log(hand: &DeckEntry) -> String {
    if hand.is_without_log() { format!(". {WITHOUT_LOG}") } else { String::new() }
}

/// The statement "I gave my seed after this entry" of somebody who states no seed.
fn opened_without_seed(name: &str) -> String {
    format!(
        "{name}: --opened says that you gave your seed after you held this opening, and no seed is stated: add --my-seed SEAT:@FILE, one bundle \
         a call. If none of the seeds in its cut is yours, anybody who knows them could try openings until the cut pleased, and no statement of \
         yours rules that out; an opening that you only kept goes with --committed."
    )
}

/// What was saved of which nothing is an entry of the hand. Only a deck entry says of which hand it is.
fn of_no_hand(name: &str, bundle: &Accepted, option: &str, names_other: bool) -> String {
    let DeckEntry { hand, table, origin, .. } = &bundle.hand;
    if names_other {
        return format!(
            "{name}: what {option} gives names another hand than this one, {hand} at table {table} of {origin}"
        );
    }
    let seed = if bundle.hand.mix == Mix::Players && bundle.own_seat.is_none() {
        ", and so does your own seed (--my-seed) of an opening that has your commitment"
    } else {
        ""
    };
    format!(
        "{name}: it was not judged, for what {option} gives names another deck or opening than hand {hand} at table {table} of {origin} has here, and \
         nothing tells of which hand that is. It is of another hand, it was changed since you saved it, or another deck or opening was published \
         for this hand. The deck entry that belongs to it, given with it, says which{seed}. Without it the rest is judged."
    )
}

/// A receipt that nobody can use: it was damaged, or it is of another log.
fn unusable(name: &str, refusal: &Refusal) -> String {
    let Refusal { code, place, message, .. } = refusal;
    format!(
        "{name}: it was not judged, for a receipt cannot be used ({}): {place}: {message}. It was damaged, or it is of another log \
         than the trust file; that says nothing of this hand. Leave it out, or give the whole one.",
        code.name()
    )
}

/// A receipt that the log signed, and that proves no entry of the hand: it does not say of which it is.
fn of_no_entry(name: &str, hand: &DeckEntry, receipt: &str, index: u64) -> String {
    format!(
        "{name}: it was not judged, for the receipt {receipt} proves no entry of hand {} at table {}. It is of another hand, it was altered when it \
         was saved, or another entry was logged for this hand: entry {index} of the log, counted from 0, says which. Without the receipt the \
         rest is judged.",
        hand.hand, hand.table
    )
}

/// What was saved that says nothing of the hand.
fn slipped(name: &str, bundle: &Accepted, slip: SavedFault) -> String {
    match slip {
        // No other deck or opening can have digits so near.
        SavedFault::Miscopied { own, digits } => format!(
            "{name}: {digits} of the 64 digits that you gave differ from {own} of this hand{}. No other deck comes so near: they were copied \
             wrongly, by you or where you read them. Compare them with what you saw before the hand.",
            shifted(digits)
        ),
        SavedFault::Alike { own, digits } => format!(
            "{name}: {digits} of the 64 digits of {own} of this hand are found in those that you gave, in place or in groups of eight. That is no \
             chance: they were read or copied wrongly, or somebody made two decks alike on purpose, which takes some 2^67 tries. Compare them \
             digit by digit with what you saw before the hand: if they are what you saw, this is another deck."
        ),
        SavedFault::OtherDay(root) => format!(
            "{name}: it was not judged, for its deck root is {}, and you gave {root}. {WITHOUT_LOG}. If you saved that for this very hand, the \
             deck is another one.",
            bundle.hand.deck
        ),
        SavedFault::OfOther(own) => format!(
            "{name}: it was not judged, for 64 digits that you gave are {} of this hand, neither its deck root nor a hash of its deck or open entry. \
             Give these, for they were there before. If those digits were shown to you as the deck root, the deck is another one.",
            digits_words(own)
        ),
        SavedFault::Differs { entry, is_hash } => differs(bundle, entry, Kept::unsigned(is_hash)).message,
    }
}

/// What digits are that are in a hand under another name.
fn digits_words(own: HandDigits) -> String {
    match own {
        HandDigits::Cut => "a hash of the cut entry".to_owned(),
        HandDigits::End => "a hash of the close or void entry".to_owned(),
        HandDigits::Commitment(seat) => format!("the commitment of seat {seat}, in the open entry"),
        HandDigits::Seed(seat) => format!("the seed of seat {seat}, in the cut entry"),
        HandDigits::Randomness => "the value of the beacon, in the cut entry".to_owned(),
        HandDigits::Transcript => "the hash of the transcript, in the close entry".to_owned(),
        HandDigits::History => "the hash of the hand history, in the close entry".to_owned(),
    }
}

/// A bundle that holds another entry than the player saved, where a receipt proves the saved one: the log signed that.
fn differs_from_log(bundle: &Accepted, saved: &[Saved], given: &Given) -> Option<BundleFault> {
    let trust = given.trust.as_ref()?;
    let (entry, (name, receipt)) = before::differing(saved, bundle)
        .find_map(|(entry, leaf)| Some((entry, receipts::proving(&leaf, &given.receipts, trust)?)))?;
    let proofs: Vec<&'static str> = bundle.proven.iter().map(|proven| proven.entry).collect();
    let unsigned = Some(HeldProofs { held: proofs.clone(), in_log: Some(proofs) });
    let receipt = Some((name.clone(), receipt.index));
    Some(BundleFault { receipt, unsigned, ..differs(bundle, entry, Kept::Signed) })
}

/// How an entry was saved that a bundle has otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// As 64 digits, which may be of any hand.
    Digits,
    /// As a text, which names its hand and may have been altered since.
    Text,
    /// As a text that the log signed.
    Signed,
}

impl Kept {
    fn unsigned(is_hash: bool) -> Kept {
        if is_hash { Kept::Digits } else { Kept::Text }
    }
}

/// A bundle that holds another entry than the player saved. Nobody signed what was saved, but the log where a receipt proves it.
fn differs(bundle: &Accepted, kind: HandEntry, kept: Kept) -> BundleFault {
    let (entry, root) = (leaf_hash(&bundle.texts.deck), bundle.hand.deck);
    let message = match kind {
        HandEntry::Deck => {
            let saved = if kept == Kept::Digits {
                "what you saved is neither. If you saved it for another hand, mistyped it, or took a seed for it, this is no contradiction: compare the hand, the table and the day first"
            } else {
                "you saved another one for this hand"
            };
            format!("it was committed as deck entry {entry}, deck root {root}; {saved}")
        }
        _ => {
            let altered = "; if that text was typed or altered since, this is no contradiction";
            let altered = if kept == Kept::Signed { "" } else { altered };
            format!("it holds another {} than the one you saved for this hand{altered}", kind.place())
        }
    };
    let fault = BundleFault::new(COMMITTED, kind.place().to_owned(), message);
    BundleFault { by: (kept != Kept::Signed).then_some(Party::Player), ..fault }
}
