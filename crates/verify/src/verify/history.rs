//! Beyond the protocol: a hand history bound to the committed deck, its cards, seats and folds.

use std::collections::{BTreeMap, BTreeSet};

use crate::log::refusal::{Code, Refusal};
use crate::verify::entries::Entries;
use crate::verify::findings::HistoryFinding;
use deckproof_deck::card::Card;
use deckproof_stud::stud::betting::action::{Action, MaybeCard};
use deckproof_stud::stud::betting::refusal::HandRule;
use deckproof_stud::stud::deal::{DealtCard, Face};
use deckproof_stud::stud::history::line::cards as read_cards;
use deckproof_stud::stud::history::phh::{self, PhhError};
use deckproof_stud::stud::history::{History, RecordedAction};
use deckproof_stud::stud::judge::{RuledHand, Ruling, judge, stated_readings};
use deckproof_stud::stud::readings::{self, Reading};
use deckproof_stud::stud::seat::Seat;

/// Binds the history of a closed hand to its deck, its transcript and its rules. Text that is no
/// hand of Poker Hand History stays hashed only.
///
/// The judge refuses a deal that leaves out a player who is still in, or serves one who folded, and a
/// community card that the seats still in do not need. So a legal history that deals the cards of the
/// transcript, all of them and no others, agrees with it also on who folded when.
pub(super) fn bind(
    text: &str,
    entries: &Entries,
    transcript: &[DealtCard],
    opened: &BTreeMap<u8, Card>,
) -> Result<HistoryFinding, Refusal> {
    let history = match read(text) {
        Ok(history) => history,
        Err(error @ PhhError::Variant { .. }) => return Err(refusal("the whole text", error.to_string())),
        Err(error) => return Ok(HistoryFinding::HashedOnly { why: why_not_read(&error) }),
    };
    let Some(history) = history else {
        let why = "the text holds several hands of Poker Hand History, wanted one".to_owned();
        return Ok(HistoryFinding::HashedOnly { why });
    };
    check_names(&history, entries)?;
    let mut binding = Binding::new(&history, entries, transcript, opened);
    binding.check_lines()?;
    binding.check_rest()?;
    binding.check_burns()?;
    let (cards_compared, cards_not_opened) = (binding.compared, binding.not_opened.len());
    let not_opened = binding.not_opened_point();
    let (filled, cards_filled) = binding.filled();
    let bound = match bound_readings(entries) {
        Ok(bound) => bound,
        // Its cards are compared all the same.
        Err(why) => {
            return Ok(HistoryFinding::Bound {
                verdict: Ruling::Depends.id(),
                cards_compared,
                cards_not_opened,
                cards_filled,
                readings_bound: Vec::new(),
                readings_stated: Vec::new(),
                chips_missing: false,
                open_points: not_opened.into_iter().chain([why]).collect(),
            });
        }
    };
    check_readings(&history, entries, &bound)?;
    let mut ruled = check_play(&filled, entries, &bound)?;
    if let Some(point) = not_opened {
        ruled.open_points.push(point);
        ruled.verdict = Ruling::Depends;
    }
    Ok(HistoryFinding::Bound {
        verdict: ruled.verdict.id(),
        cards_compared,
        cards_not_opened,
        cards_filled,
        readings_bound: texts(&bound),
        readings_stated: texts(&ruled.stated),
        chips_missing: ruled.chips_missing > 0,
        open_points: ruled.open_points,
    })
}

fn texts(readings: &[(Reading, String)]) -> Vec<String> {
    readings.iter().map(|(name, value)| format!("{}={value}", name.name())).collect()
}

fn refusal(place: &str, message: impl Into<String>) -> Refusal {
    Refusal::new(Code::History, format!("history, {place}"), message)
}

fn action_place(line: &RecordedAction) -> String {
    format!("action {}", line.number)
}

/// The one hand of a text; nothing where there are several.
fn read(text: &str) -> Result<Option<History>, PhhError> {
    let mut hands = phh::parse_file(text)?;
    match hands.pop() {
        Some((_, hand)) if hands.is_empty() => hand.map(Some),
        _ => Ok(None),
    }
}

fn why_not_read(error: &PhhError) -> String {
    match error {
        // The reader of TOML explains itself over several lines.
        PhhError::Toml(_) | PhhError::Empty => "the text is no Poker Hand History".to_owned(),
        _ => format!("the text is no readable Poker Hand History: {error}"),
    }
}

/// Game, seats, and the fields that name the hand, as far as there are any.
fn check_names(history: &History, entries: &Entries) -> Result<(), Refusal> {
    let (deck, open) = (&entries.deck, &entries.open);
    if history.variant != open.rules.play.phh_variant {
        let (rules, wanted) = (open.rules.name, open.rules.play.phh_variant);
        let message = format!("found {}, the open entry says {rules}, which is {wanted}", history.variant);
        return Err(refusal("field variant", message));
    }
    let seats = open.seats.in_order();
    if history.players_total() != seats.len() {
        let message =
            format!("found {} players, the hand has the seats {}", history.players_total(), open.seats);
        return Err(refusal("the players", message));
    }
    let named = [
        ("_ruleset", history.ruleset.clone().map(|name| vec![name]), vec![open.rules.name.to_owned()]),
        ("_origin", history.field("_origin"), vec![deck.origin.clone()]),
        ("_table", history.field("_table"), vec![deck.table.clone()]),
        ("_hand", history.field("_hand"), vec![deck.hand.to_string()]),
        // The bundles of a hand all hold its open entry.
        ("_bundle", history.field("_bundle"), vec![entries.open_hash.to_string()]),
        ("seats", history.field("seats"), seats.iter().map(Seat::to_string).collect()),
    ];
    for (name, found, wanted) in named {
        if let Some(found) = found.filter(|found| *found != wanted) {
            let message = format!("found {}, the entries say {}", found.join(","), wanted.join(","));
            return Err(refusal(&format!("field {name}"), message));
        }
    }
    Ok(())
}

/// The readings that the open entry binds. Who binds what the text does not leave to a table has not broken the hand, but
/// how it would be judged by that nobody knows: then the reason.
fn bound_readings(entries: &Entries) -> Result<Vec<(Reading, String)>, String> {
    let rules = entries.open.rules;
    let bound = |(name, value): &(String, String)| {
        let reading = readings::parse(&format!("{name}={value}")).map_err(|error| error.to_string())?;
        if rules.play.leaves_to_the_table(reading.0) {
            Ok(reading)
        } else {
            Err(format!("{name}, which {} does not leave to the table", rules.name))
        }
    };
    let all = entries.open.readings.iter().map(bound).collect::<Result<Vec<_>, String>>();
    all.map_err(|why| format!("The open entry binds a reading by which no hand is judged: {why}."))
}

/// What the open entry binds the record may not read otherwise.
fn check_readings(history: &History, entries: &Entries, bound: &[(Reading, String)]) -> Result<(), Refusal> {
    for (reading, value) in stated_readings(history, entries.open.rules) {
        let other = bound.iter().find(|(other, bound)| *other == reading && *bound != value);
        if let Some((_, bound)) = other {
            let name = reading.name();
            let message = format!("found {name}={value}, the open entry binds {name}={bound}");
            return Err(refusal("field _readings", message));
        }
    }
    Ok(())
}

/// The judge's word; an illegal hand is refused.
fn check_play(
    history: &History,
    entries: &Entries,
    bound: &[(Reading, String)],
) -> Result<RuledHand, Refusal> {
    let rules = entries.open.rules;
    let ruled = judge(history, rules, bound).map_err(|error| refusal("the amounts", error.to_string()))?;
    match (ruled.verdict, &ruled.run.refused) {
        (Ruling::Illegal, Some((line, broken))) => {
            let place = match (line, broken.rule) {
                (Some(line), _) => action_place(line),
                (None, HandRule::FinalStacks | HandRule::MuckedWinner) => "the final stacks".to_owned(),
                (None, HandRule::Fields | HandRule::Burns) => "the fields".to_owned(),
                (None, HandRule::Reading) => "field _readings".to_owned(),
                (None, _) => "the amounts".to_owned(),
            };
            Err(refusal(&place, format!("illegal by {}: {broken}", rules.name)))
        }
        _ => Ok(ruled),
    }
}

/// The cards of a history beside those of the transcript.
struct Binding<'a> {
    history: &'a History,
    seats: &'a [Seat],
    /// The transcript's cards of every player, as dealt.
    own: Vec<Vec<DealtCard>>,
    community: Vec<DealtCard>,
    burns: Vec<DealtCard>,
    opened: &'a BTreeMap<u8, Card>,
    /// Cards the history has dealt to every player so far.
    served: Vec<usize>,
    shared: usize,
    /// The action with which a player folded.
    folded: Vec<Option<usize>>,
    compared: usize,
    /// Cards that it deals or shows, and the bundle does not open: nothing binds them to the deck.
    not_opened: BTreeSet<Card>,
}

impl<'a> Binding<'a> {
    fn new(
        history: &'a History,
        entries: &'a Entries,
        transcript: &[DealtCard],
        opened: &'a BTreeMap<u8, Card>,
    ) -> Binding<'a> {
        let seats = entries.open.seats.in_order();
        let of = |wanted: &dyn Fn(&DealtCard) -> bool| -> Vec<DealtCard> {
            transcript.iter().filter(|line| wanted(line)).copied().collect()
        };
        Binding {
            history,
            seats,
            own: seats.iter().map(|&seat| of(&|line| line.seat == Some(seat))).collect(),
            community: of(&|line| line.face == Face::Community),
            burns: of(&|line| line.face == Face::Burn),
            opened,
            served: vec![0; seats.len()],
            shared: 0,
            folded: vec![None; seats.len()],
            compared: 0,
            not_opened: BTreeSet::new(),
        }
    }

    /// `p2 in seat 6`.
    fn name(&self, player: usize) -> String {
        format!("p{} in seat {}", player + 1, self.seats[player])
    }

    /// Every action that moves or shows cards.
    fn check_lines(&mut self) -> Result<(), Refusal> {
        let history = self.history;
        for line in &history.lines {
            match &line.action {
                Action::DealHole { player, cards } => self.deal_hole(line, *player, cards)?,
                Action::DealBoard { cards } => self.deal_board(line, cards)?,
                Action::Show { player, cards } => self.show(line, *player, cards)?,
                Action::Fold { player } => self.folded[*player] = Some(line.number),
                _ => {}
            }
        }
        Ok(())
    }

    fn deal_hole(
        &mut self,
        line: &RecordedAction,
        player: usize,
        cards: &[MaybeCard],
    ) -> Result<(), Refusal> {
        for card in cards {
            let Some(&dealt) = self.own[player].get(self.served[player]) else {
                let count = self.own[player].len();
                let message =
                    format!("{} is dealt more cards than the {count} of the transcript", self.name(player));
                return Err(refusal(&action_place(line), message));
            };
            self.served[player] += 1;
            self.compare(&action_place(line), &dealt, *card)?;
        }
        Ok(())
    }

    fn deal_board(&mut self, line: &RecordedAction, cards: &[MaybeCard]) -> Result<(), Refusal> {
        for card in cards {
            let Some(&dealt) = self.community.get(self.shared) else {
                let message = "a community card that the transcript does not have";
                return Err(refusal(&action_place(line), message));
            };
            self.shared += 1;
            self.compare(&action_place(line), &dealt, *card)?;
        }
        Ok(())
    }

    /// The history with every card it hides that this bundle opens, and how many those are: a record may
    /// not keep from the judge what everybody at this bundle can see.
    fn filled(&self) -> (History, usize) {
        let mut history = self.history.clone();
        let (mut served, mut shared, mut filled) = (vec![0; self.seats.len()], 0, 0);
        let mut fill = |card: &mut MaybeCard, dealt: Option<&DealtCard>| {
            let opened = dealt.and_then(|dealt| self.opened.get(&dealt.position));
            if card.is_none() && opened.is_some() {
                *card = opened.copied();
                filled += 1;
            }
        };
        for line in &mut history.lines {
            match &mut line.action {
                Action::DealHole { player, cards } => {
                    for card in cards {
                        fill(card, self.own[*player].get(served[*player]));
                        served[*player] += 1;
                    }
                }
                Action::DealBoard { cards } => {
                    for card in cards {
                        fill(card, self.community.get(shared));
                        shared += 1;
                    }
                }
                _ => {}
            }
        }
        (history, filled)
    }

    /// A card as the history names it, and the committed one at its position.
    fn compare(&mut self, place: &str, dealt: &DealtCard, card: MaybeCard) -> Result<(), Refusal> {
        let Some(card) = card else { return Ok(()) };
        let position = dealt.position;
        let to = dealt.seat.map_or(String::new(), |seat| format!(", seat {seat}"));
        let at = format!("dealt position {position}{to}, street {}", dealt.street.number());
        match self.opened.get(&position) {
            Some(committed) if *committed == card => self.compared += 1,
            Some(committed) => {
                let message = format!("found {card} at {at}, committed was {committed}");
                return Err(refusal(place, message));
            }
            None => match self.position_of(card) {
                Some(other) => {
                    let message = format!("found {card} at {at}, it was committed at dealt position {other}");
                    return Err(refusal(place, message));
                }
                None => {
                    self.not_opened.insert(card);
                }
            },
        }
        Ok(())
    }

    /// Who wins by such a card wins on the word of the record.
    fn not_opened_point(&self) -> Option<String> {
        let cards: Vec<String> = self.not_opened.iter().map(Card::to_string).collect();
        (!cards.is_empty()).then(|| {
            format!(
                "This file does not open every card that the record names, so nothing shows that the deck has them there: {}.",
                cards.join(" ")
            )
        })
    }

    fn position_of(&self, card: Card) -> Option<u8> {
        self.opened.iter().find(|(_, opened)| **opened == card).map(|(position, _)| *position)
    }

    /// Shown cards may stand in any order, but each is one that was dealt to this player.
    fn show(&mut self, line: &RecordedAction, player: usize, cards: &[MaybeCard]) -> Result<(), Refusal> {
        let dealt = &self.own[player][..self.served[player]];
        let is_own = |position: u8| dealt.iter().any(|own| own.position == position);
        let has_hidden = dealt.iter().any(|own| !self.opened.contains_key(&own.position));
        for card in cards.iter().flatten() {
            let committed = match self.position_of(*card) {
                Some(position) if is_own(position) => continue,
                None if has_hidden => {
                    self.not_opened.insert(*card);
                    continue;
                }
                Some(position) => format!("it was committed at dealt position {position}"),
                None => "all cards of this seat are opened, and it is none of them".to_owned(),
            };
            let message = format!("{} shows {card}, {committed}", self.name(player));
            return Err(refusal(&action_place(line), message));
        }
        Ok(())
    }

    /// Cards of the transcript that the history does not deal.
    fn check_rest(&self) -> Result<(), Refusal> {
        for (player, own) in self.own.iter().enumerate() {
            let Some(next) = own.get(self.served[player]) else { continue };
            let at = format!("dealt position {}, street {}", next.position, next.street.number());
            let (place, deed) = match self.folded[player] {
                Some(number) => (format!("action {number}"), "folds here"),
                None => ("the actions".to_owned(), "gets no more cards"),
            };
            let message = format!("{} {deed}, the transcript gives this seat {at}", self.name(player));
            return Err(refusal(&place, message));
        }
        match self.community.get(self.shared) {
            None => Ok(()),
            Some(card) => {
                let message =
                    format!("the community card of the transcript, position {}, is missing", card.position);
                Err(refusal("the actions", message))
            }
        }
    }

    /// `_burns = ["??", "7h"]`: one text a burned card.
    fn check_burns(&mut self) -> Result<(), Refusal> {
        let Some(texts) = self.history.field("_burns") else { return Ok(()) };
        if texts.len() != self.burns.len() {
            let message = format!("found {} cards, the transcript burns {}", texts.len(), self.burns.len());
            return Err(refusal("field _burns", message));
        }
        for (text, burn) in texts.iter().zip(self.burns.clone()) {
            let refused = || refusal("field _burns", format!("found {text:?}, wanted a card or ??"));
            let cards = read_cards(text).map_err(|_| refused())?;
            let [card] = cards[..] else { return Err(refused()) };
            self.compare("field _burns", &burn, card)?;
        }
        Ok(())
    }
}
