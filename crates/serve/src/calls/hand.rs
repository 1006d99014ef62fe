//! One hand as its calls move it on: the table's state machine, and nothing that touches a disk.

use deckproof_deck::card::Card;
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_deck::key::HandKey;
use deckproof_stud::stud::betting::action::Action;
use deckproof_stud::stud::deal::{DealtCard, Face};
use deckproof_stud::stud::history::phh;
use deckproof_stud::stud::seat::{Seat, Seats};
use deckproof_table::table::mix::{AnnouncedHand, Announcement, Revealed};
use deckproof_table::table::partial_deck::PartDeck;
use deckproof_table::table::restore::EndedHand;
use deckproof_table::table::{CommittedHand, OpenHand, TableName};
use deckproof_verify::log::beacon::CheckedRounds;
use deckproof_verify::log::entry::{BeaconValue, Entry, Mix};
use deckproof_verify::verify::{Statements, verify_bundle};

use crate::calls::fault::{CallFault, CallFaultKind};
use crate::calls::{MoveKind, Opening};

/// How far a hand is. No `Debug`: it holds what the hand hides.
enum Stage {
    Committed(Box<CommittedHand>),
    Announced(Box<AnnouncedHand>, Option<u64>),
    Open(Box<OpenHand>),
    Ended(EndedHand),
    /// A call was refused half-way: the hand is made again from its calls.
    Lost,
}

/// A hand between two calls.
pub struct Hand {
    stage: Stage,
    mix: Mix,
    streets: u8,
    /// Who was dealt the last street.
    live: Vec<Seat>,
    events: u64,
    /// Who plays, once the hand is opened.
    seats: Option<Seats>,
}

/// What a call led to.
pub enum Happened {
    /// An entry for the log, with the transcript where the hand is closed.
    Entry {
        /// `deck`, `open`, `cut`, `close` or `void`.
        kind: &'static str,
        /// Its exact text.
        text: String,
        /// The transcript of a hand that was closed.
        transcript: Option<String>,
    },
    /// Cards of a street, 3 to 7; of what is left of a hand without the burned ones.
    Cards(u8, Vec<(DealtCard, Option<Card>)>),
    /// Something was noted: how often so far.
    Noted(u64),
}

impl Happened {
    /// The text for the log, if there is one.
    pub fn entry(&self) -> Option<&str> {
        match self {
            Happened::Entry { text, .. } => Some(text),
            _ => None,
        }
    }

    fn of_entry(kind: &'static str, text: &str) -> Happened {
        Happened::Entry { kind, text: text.to_owned(), transcript: None }
    }
}

fn unfit(message: impl Into<String>) -> CallFault {
    CallFaultKind::Unfit.fault(message)
}

fn out_of_turn(message: &str) -> CallFault {
    CallFaultKind::OutOfTurn.fault(message)
}

impl Hand {
    /// The first call of a hand, which must be `commit`; the key is the one drawn for it.
    ///
    /// # Errors
    /// [`CallFault`] of another call.
    pub fn begin(
        name: &TableName,
        number: u64,
        kind: &MoveKind,
        key: HandKey,
    ) -> Result<(Hand, Happened), CallFault> {
        let MoveKind::Commit { mix, deck } = kind else { return Err(no_commit(kind)) };
        Ok(Hand::of(CommittedHand::of(name, number, *mix, key, deck.as_ref()), *mix))
    }

    /// The first call once more, on what is left of a hand.
    ///
    /// # Errors
    /// [`CallFault`]: another call.
    pub fn begin_again(
        name: &TableName,
        number: u64,
        kind: &MoveKind,
        part: PartDeck,
    ) -> Result<(Hand, Happened), CallFault> {
        let MoveKind::Commit { mix, .. } = kind else { return Err(no_commit(kind)) };
        Ok(Hand::of(CommittedHand::of_part(name, number, *mix, part), *mix))
    }

    fn of(hand: CommittedHand, mix: Mix) -> (Hand, Happened) {
        let happened = Happened::of_entry("deck", hand.deck_entry());
        let stage = Stage::Committed(Box::new(hand));
        (Hand { stage, mix, streets: 0, live: Vec::new(), events: 0, seats: None }, happened)
    }

    /// The next call.
    ///
    /// # Errors
    /// [`CallFault`]; the hand is as it was, or [`Hand::is_lost`].
    pub fn apply(&mut self, kind: &MoveKind, rounds: &mut CheckedRounds) -> Result<Happened, CallFault> {
        match kind {
            MoveKind::Commit { .. } => Err(out_of_turn("the deck of this hand is committed")),
            MoveKind::Open(opening) => self.open(opening),
            MoveKind::Cut { seeds, signature } => self.cut(seeds, *signature, rounds),
            MoveKind::Street { live } => self.street(live),
            MoveKind::Event { .. } if self.is_ended() => Err(out_of_turn("the hand has ended")),
            MoveKind::Event { .. } => {
                self.events += 1;
                Ok(Happened::Noted(self.events))
            }
            MoveKind::Close { shown_down, history } => self.close(shown_down, history.clone()),
            MoveKind::Void { reason } => self.void(reason),
        }
    }

    /// Whether the hand has to be made again from its calls.
    pub fn is_lost(&self) -> bool {
        matches!(self.stage, Stage::Lost)
    }

    /// Whether nothing but its deck is fixed.
    pub fn is_committed(&self) -> bool {
        matches!(self.stage, Stage::Committed(_))
    }

    /// That the seat of an event plays this hand. Events that were noted earlier are left as they are.
    pub fn check_event(&self, kind: &MoveKind) -> Result<(), CallFault> {
        match (kind, &self.seats) {
            (MoveKind::Event { seat, .. }, Some(seats)) if !seats.has(*seat) => {
                Err(unfit(format!("\"seat\": found {seat}, wanted a seat that plays this hand")))
            }
            _ => Ok(()),
        }
    }

    fn is_ended(&self) -> bool {
        matches!(self.stage, Stage::Ended(_))
    }

    /// `committed`, `opened`, `in play`, `closed` or `voided`.
    pub fn stage_name(&self) -> &'static str {
        match &self.stage {
            Stage::Committed(_) => "committed",
            Stage::Announced(..) => "opened",
            Stage::Open(_) => "in play",
            Stage::Ended(EndedHand::Closed(..)) => "closed",
            Stage::Ended(EndedHand::Voided(_)) => "voided",
            Stage::Lost => "refused",
        }
    }

    /// What a player keeps before the first card: the deck root; while seeds or the beacon are awaited the hash of the
    /// open entry, which ties the deck as well. Once a card was dealt it would be too late, and there is nothing.
    pub fn kept_before(&self) -> Option<Digest> {
        let deck_entry = match &self.stage {
            Stage::Committed(hand) => hand.deck_entry(),
            Stage::Announced(hand, _) => return Some(leaf_hash(hand.open_entry())),
            Stage::Open(hand) if self.streets == 0 => hand.deck_entry(),
            _ => return None,
        };
        match Entry::parse(deck_entry) {
            Ok(Entry::Deck(entry)) => Some(entry.deck),
            _ => None,
        }
    }

    /// The hand after its end, if it has ended.
    pub fn ended(self) -> Option<EndedHand> {
        match self.stage {
            Stage::Ended(hand) => Some(hand),
            _ => None,
        }
    }

    fn take(&mut self) -> Stage {
        std::mem::replace(&mut self.stage, Stage::Lost)
    }

    fn open(&mut self, opening: &Opening) -> Result<Happened, CallFault> {
        if !matches!(self.stage, Stage::Committed(_)) {
            return Err(out_of_turn("the hand was opened before"));
        }
        let seats = Seats::new(opening.seats.clone()).map_err(|error| unfit(error.to_string()))?;
        for (key, own) in [("commits", &opening.commits), ("seeds", &opening.seeds)] {
            if let Some((seat, _)) = own.iter().find(|(seat, _)| !seats.has(*seat)) {
                return Err(unfit(format!("{key:?}: found seat {seat}, wanted seats that play this hand")));
            }
        }
        let announcement = announcement(self.mix, opening)?;
        let Stage::Committed(hand) = self.take() else { unreachable!("looked at above") };
        let announced = hand.announce(opening.rules, &opening.readings, &seats, &announcement);
        let happened = Happened::of_entry("open", announced.open_entry());
        self.seats = Some(seats);
        self.stage = match self.mix {
            Mix::None => Stage::Open(Box::new(announced.cut(&Revealed::default()))),
            _ => Stage::Announced(Box::new(announced), opening.round),
        };
        Ok(happened)
    }

    fn cut(
        &mut self,
        seeds: &[(Seat, Digest)],
        signature: Option<[u8; 48]>,
        rounds: &mut CheckedRounds,
    ) -> Result<Happened, CallFault> {
        let Stage::Announced(announced, round) = &self.stage else {
            return Err(out_of_turn("this hand is not waiting for a cut"));
        };
        let beacon = round.zip(signature).map(|(round, signature)| BeaconValue {
            round,
            randomness: Digest::of(signature),
            signature,
        });
        if signature.is_some() != round.is_some() || (round.is_some() && !seeds.is_empty()) {
            let signature = if signature.is_some() { "a signature" } else { "no signature" };
            return Err(unfit(format!(
                "under mix {}: found {} in \"seeds\" and {signature}, wanted {}",
                self.mix.name(),
                seeds.len(),
                if round.is_some() { "\"signature\" alone" } else { "\"seeds\" alone" }
            )));
        }
        // Its player would believe that the seed cut the deck.
        if let Some((seat, _)) = seeds.iter().find(|(seat, _)| !announced.has_committed(*seat)) {
            return Err(unfit(format!("seat {seat} gives a seed and committed to none in the open entry")));
        }
        let revealed = Revealed { seeds: seeds.to_vec(), beacon };
        let Stage::Announced(announced, round) = self.take() else { unreachable!("looked at above") };
        let open = match announced.try_cut(&revealed, rounds) {
            Ok(open) => open,
            Err((announced, error)) => {
                self.stage = Stage::Announced(announced, round);
                return Err(unfit(error.to_string()));
            }
        };
        let happened = Happened::of_entry("cut", open.cut_entry().expect("this mix has a cut"));
        self.stage = Stage::Open(Box::new(open));
        Ok(happened)
    }

    fn street(&mut self, live: &[Seat]) -> Result<Happened, CallFault> {
        let Stage::Open(open) = &mut self.stage else {
            return Err(out_of_turn("cards are dealt after open, or after cut where the mix has one"));
        };
        let cards = open.deal_street_again(live).map_err(|error| unfit(error.to_string()))?;
        if cards.iter().any(|(line, card)| card.is_none() && line.face != Face::Burn) {
            return Err(unfit("what is left of this hand lacks a card that was dealt"));
        }
        self.streets += 1;
        self.live = live.to_vec();
        Ok(Happened::Cards(self.streets + 2, cards))
    }

    fn close(&mut self, shown_down: &[Seat], history: Option<String>) -> Result<Happened, CallFault> {
        if !matches!(self.stage, Stage::Open(_)) {
            return Err(out_of_turn("only a hand in play is closed"));
        }
        // Bundles open the down cards of these seats to everybody: nobody sees those of a seat that folded.
        if let Some(seat) = shown_down.iter().find(|seat| !self.live.contains(seat)) {
            return Err(unfit(format!("seat {seat} cannot show down: it was not dealt the last street")));
        }
        let Stage::Open(open) = self.take() else { unreachable!("looked at above") };
        let has_history = history.is_some();
        let dealt = open.close(history);
        // Of what is left of a hand the history was checked while the hand was whole.
        if has_history && !dealt.is_part() {
            // What every verifier will refuse does not go into the log.
            let checked = verify_bundle(dealt.full_bundle().as_bytes(), None, &Statements::default());
            checked.map_err(|refusal| {
                unfit(format!(
                    "the history is refused ({}, {}): {}",
                    refusal.code, refusal.place, refusal.message
                ))
            })?;
        }
        let (text, transcript) = (dealt.close_entry().to_owned(), Some(dealt.transcript().to_owned()));
        self.stage = Stage::Ended(EndedHand::Closed(Box::new(dealt), shown_down.to_vec()));
        Ok(Happened::Entry { kind: "close", text, transcript })
    }

    /// That the history names no down card of a seat that does not show down, for the bundle of every seat carries it. Hands that were
    /// closed earlier are left as they are.
    pub fn check_hidden(&mut self) -> Result<(), CallFault> {
        let Stage::Ended(EndedHand::Closed(dealt, shown_down)) = &self.stage else { return Ok(()) };
        let named = cards_named(dealt.history().unwrap_or_default());
        let hidden_seat = |(line, card): (DealtCard, Card)| {
            let seat = line.seat.filter(|seat| line.face == Face::Down && !shown_down.contains(seat));
            seat.filter(|_| named.contains(&card))
        };
        let Some(seat) = dealt.dealt_cards().find_map(hidden_seat) else { return Ok(()) };
        self.stage = Stage::Lost;
        Err(unfit(format!(
            "the history names a down card of seat {seat}, which does not show down, and the bundle of every seat carries the history: write ?? \
             for the down cards of this seat, or name it in shown_down"
        )))
    }

    fn void(&mut self, reason: &str) -> Result<Happened, CallFault> {
        if self.is_ended() {
            return Err(out_of_turn("the hand has ended"));
        }
        let voided = match self.take() {
            Stage::Committed(hand) => hand.void(reason),
            Stage::Announced(hand, _) => hand.void(reason),
            Stage::Open(hand) => hand.void(reason),
            _ => unreachable!("looked at above"),
        };
        let happened = Happened::of_entry("void", voided.void_entry());
        self.stage = Stage::Ended(EndedHand::Voided(Box::new(voided)));
        Ok(happened)
    }
}

/// The cards that a history names as dealt or shown; none of a text that is no history.
fn cards_named(history: &str) -> Vec<Card> {
    let hands = phh::parse_file(history).unwrap_or_default();
    let lines = hands.into_iter().filter_map(|(_, hand)| hand.ok()).flat_map(|hand| hand.lines);
    let named = lines.flat_map(|line| match line.action {
        Action::DealHole { cards, .. } | Action::DealBoard { cards } | Action::Show { cards, .. } => cards,
        _ => Vec::new(),
    });
    named.flatten().collect()
}

fn no_commit(kind: &MoveKind) -> CallFault {
    out_of_turn(&format!("found {}, wanted commit: the first step of a hand", kind.name()))
}

/// What the open entry announces, if it goes with the mix.
fn announcement(mix: Mix, opening: &Opening) -> Result<Announcement, CallFault> {
    let Opening { commits, seeds, round, .. } = opening;
    match (mix, commits.is_empty(), seeds.is_empty(), round) {
        (Mix::None, true, true, None) => Ok(Announcement::None),
        (Mix::Players, false, true, None) => Ok(Announcement::Players(commits.clone())),
        (Mix::Beacon, true, _, Some(round)) => {
            Ok(Announcement::Beacon { round: *round, seeds: seeds.clone() })
        }
        (mix, ..) => {
            let wanted = match mix {
                Mix::None => "no commits, seeds or round",
                Mix::Players => "commits, and no seeds or round",
                Mix::Beacon => "a round, perhaps seeds, and no commits",
            };
            let round = round.map_or("none".to_owned(), |round| round.to_string());
            let (mix, commits, seeds) = (mix.name(), commits.len(), seeds.len());
            Err(unfit(format!(
                "under mix {mix}: found {commits} in \"commits\", {seeds} in \"seeds\" and the round {round}, wanted {wanted}"
            )))
        }
    }
}
