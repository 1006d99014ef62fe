//! A stud hand line by line, with every check that shows a misreading.

use crate::stud::card_set::CardSet;
use crate::stud::deal::Street;
use crate::stud::history::number::{self, Decimal};
use crate::stud::history::pokerstars::Fault;
use crate::stud::history::pokerstars::header::{StudHeader, amount};
use crate::stud::history::pokerstars::line::{self, RoomAction, RoomLine, Section};
use crate::stud::record::{Record, SeatRecord, ShownCards};
use deckproof_deck::card::{Card, DECK_CARDS};

/// Reads the lines behind the first; `first` is that one's number.
pub(super) fn read(header: &StudHeader, first: usize, lines: &[(usize, &str)]) -> Result<Record, Fault> {
    let mut hand = Hand::new(header, first);
    for &(number, text) in lines {
        hand.line = number;
        hand.read(text)?;
    }
    hand.finish()
}

/// The same cards at the same places; the two that were dealt down first may stand either way.
fn is_same_hand(one: &[Card], other: &[Card]) -> bool {
    let (first, second) = (one.iter().take(2), other.iter().take(2));
    let down = CardSet::of(&first.copied().collect::<Vec<_>>());
    down == CardSet::of(&second.copied().collect::<Vec<_>>()) && one.get(2..) == other.get(2..)
}

/// A player while the hand is read.
struct Player {
    record: SeatRecord,
    /// All cards the record keeper holds, in the order dealt.
    own: Vec<Card>,
    has_paid_ante: bool,
    /// Chips paid on this street.
    bet: u64,
}

/// A hand being read.
struct Hand<'a> {
    header: &'a StudHeader,
    line: usize,
    section: Section,
    names: Vec<String>,
    seats: Vec<u8>,
    players: Vec<Player>,
    brought_in: Option<usize>,
    exporter: Option<usize>,
    /// The one card of a seventh street for which the deck is too short.
    shared: Option<Card>,
    paid: u64,
    collected: u64,
    total: Option<(u64, u64)>,
}

impl Hand<'_> {
    fn new(header: &StudHeader, first: usize) -> Hand<'_> {
        Hand {
            header,
            line: first,
            section: Section::Start,
            names: Vec::new(),
            seats: Vec::new(),
            players: Vec::new(),
            brought_in: None,
            exporter: None,
            shared: None,
            paid: 0,
            collected: 0,
            total: None,
        }
    }

    fn fault(&self, found: impl Into<String>, wanted: impl Into<String>) -> Fault {
        Fault::new(self.line, found, wanted)
    }

    fn scaled(&self, amount: Decimal) -> Result<u64, Fault> {
        let scaled = amount.scaled(self.header.decimals);
        scaled.ok_or_else(|| self.fault("an amount finer than the stakes", "an amount of the smallest chip"))
    }

    /// Chips and more chips: a file may name any numbers.
    fn sum(&self, chips: u64, more: u64) -> Result<u64, Fault> {
        chips.checked_add(more).ok_or_else(|| self.fault("chips beyond all counting", "amounts of a hand"))
    }

    fn read(&mut self, text: &str) -> Result<(), Fault> {
        if self.section == Section::Start {
            if text.starts_with("Table ") {
                return Ok(());
            }
            if text.starts_with("Seat ") {
                return self.seat(text);
            }
        }
        let line = line::parse(text, self.section, &self.names, &self.seats);
        let line = line.map_err(|(found, wanted)| {
            self.fault(found.unwrap_or_else(|| format!("{:?}", self.without_names(text))), wanted)
        })?;
        match line {
            RoomLine::Section(section) => self.begin(section),
            RoomLine::SharedRiver { card } => self.shared_river(card),
            RoomLine::Dealt { who, groups } => self.dealt(who, groups),
            RoomLine::RoomAction { who, deed } => self.deed(who, deed),
            RoomLine::Collected { who, amount } => {
                let amount = self.scaled(amount)?;
                self.players[who].record.won = self.sum(self.players[who].record.won, amount)?;
                self.collected = self.sum(self.collected, amount)?;
                Ok(())
            }
            RoomLine::Uncalled { amount } => {
                let amount = self.scaled(amount)?;
                let left = self.paid.checked_sub(amount);
                self.paid = left.ok_or_else(|| self.fault("more returned than paid", "an uncalled bet"))?;
                Ok(())
            }
            RoomLine::Total { pot, rake } => {
                self.total = Some((self.scaled(pot)?, self.scaled(rake)?));
                Ok(())
            }
            RoomLine::Seen { who, cards, is_mucked } => self.shown(who, cards, is_mucked),
            RoomLine::Remark => Ok(()),
        }
    }

    /// A line as it may be shown to anybody: players by their seats, and not much of it.
    fn without_names(&self, text: &str) -> String {
        let mut named: Vec<(&String, u8)> = self.names.iter().zip(self.seats.iter().copied()).collect();
        named.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let text = named
            .iter()
            .fold(text.to_owned(), |text, (name, seat)| text.replace(name.as_str(), &format!("seat {seat}")));
        text.chars().take(60).collect()
    }

    /// `Seat 3: NAME ($1.84 in chips)`.
    fn seat(&mut self, text: &str) -> Result<(), Fault> {
        let wanted = "a seat 1 to 8 with its chips, such as Seat 3: NAME ($1.84 in chips)";
        let parsed =
            text.strip_prefix("Seat ").and_then(|rest| rest.split_once(": ")).and_then(|(seat, rest)| {
                let seat: u8 = seat.parse().ok().filter(|seat| (1..=8).contains(seat))?;
                let (before, _) = rest.rsplit_once(" in chips)")?;
                let (name, chips) = before.rsplit_once(" (")?;
                amount(chips)?;
                Some((seat, name.to_owned()))
            });
        let Some((seat, name)) = parsed else { return Err(self.fault("a line about a seat", wanted)) };
        if self.seats.contains(&seat) || self.names.contains(&name) {
            return Err(self.fault(format!("seat {seat} twice, or its player"), "every seat and player once"));
        }
        self.names.push(name);
        self.seats.push(seat);
        let record = SeatRecord::new(seat);
        self.players.push(Player { record, own: Vec::new(), has_paid_ante: false, bet: 0 });
        Ok(())
    }

    fn begin(&mut self, section: Section) -> Result<(), Fault> {
        let follows = match (self.section, section) {
            (Section::Start, Section::Street(0)) => true,
            (Section::Street(before), Section::Street(street)) => street == before + 1,
            (Section::Street(_), Section::Showdown | Section::Summary) => true,
            (Section::Showdown, Section::Summary) => true,
            _ => false,
        };
        if !follows {
            return Err(
                self.fault("a part of the hand out of its order", "streets, showdown and summary in order")
            );
        }
        self.check_street()?;
        self.players.iter_mut().for_each(|player| player.bet = 0);
        self.section = section;
        Ok(())
    }

    /// Too few cards for everybody: one card in the middle is the seventh of every seat still in.
    fn shared_river(&mut self, card: Card) -> Result<(), Fault> {
        self.begin(Section::Street(4))?;
        let holds = |player: &Player| player.record.up.contains(&Some(card)) || player.own.contains(&card);
        if self.players.iter().any(holds) {
            return Err(self.fault(format!("{card} for all seats, which one of them holds"), "another card"));
        }
        if !self.is_river_short() {
            return Err(self.fault("one card for all seats", "a card for each: there are enough"));
        }
        self.shared = Some(card);
        Ok(())
    }

    fn is_live(&self, who: usize) -> bool {
        let player = &self.players[who];
        !player.record.up.is_empty() && player.record.folded.is_none()
    }

    /// Whether the street that ends served everybody who was in it.
    fn check_street(&self) -> Result<(), Fault> {
        let Section::Street(street) = self.section else { return Ok(()) };
        let folded_before = |player: &Player| {
            player.record.folded.is_some_and(|folded| usize::from(folded.number()) < street + 3)
        };
        let served = street.min(3) + 1;
        for player in self.players.iter().filter(|player| player.has_paid_ante && !folded_before(player)) {
            if player.record.up.len() != served {
                let (seat, found) = (player.record.seat, player.record.up.len());
                let found = format!("{found} up cards of seat {seat} at the end of street {}", street + 3);
                return Err(self.fault(found, format!("{served}")));
            }
        }
        let dealt_in = self.players.iter().filter(|player| !player.record.up.is_empty());
        if dealt_in.clone().any(|player| !player.has_paid_ante) || dealt_in.count() < 2 {
            return Err(
                self.fault("cards for seats that paid no ante", "two seats or more, each with its ante")
            );
        }
        let exporter = self.exporter.map(|who| &self.players[who]).filter(|player| !folded_before(player));
        match exporter {
            Some(player) if player.own.len() != street + 3 - usize::from(self.shared.is_some()) => {
                let found =
                    format!("{} cards of the exporting player on street {}", player.own.len(), street + 3);
                Err(self.fault(found, format!("{}", street + 3)))
            }
            _ => Ok(()),
        }
    }

    fn dealt(&mut self, who: usize, groups: Vec<Vec<Card>>) -> Result<(), Fault> {
        let Section::Street(street) = self.section else {
            return Err(self.fault("cards dealt before third street or after the last", "cards on a street"));
        };
        match (street, &groups[..]) {
            (0, [cards]) if self.players[who].record.up.is_empty() => self.third_street(who, cards),
            (1.., [before, new]) if self.is_live(who) => self.later_street(who, street, before, new),
            _ => {
                let seat = self.seats[who];
                Err(self.fault(format!("cards to seat {seat}"), "one deal a street to every seat still in"))
            }
        }
    }

    fn third_street(&mut self, who: usize, cards: &[Card]) -> Result<(), Fault> {
        match *cards {
            [door] => self.players[who].record.up.push(Some(door)),
            [first, second, door] if self.exporter.is_none() => {
                self.exporter = Some(who);
                let player = &mut self.players[who];
                player.record.up.push(Some(door));
                player.record.first_three = Some([first, second, door]);
                player.own = cards.to_vec();
            }
            _ => {
                let found = format!("{} cards to seat {}", cards.len(), self.seats[who]);
                return Err(self.fault(found, "one card, or three for the exporting player alone"));
            }
        }
        Ok(())
    }

    fn later_street(
        &mut self,
        who: usize,
        street: usize,
        before: &[Card],
        new: &[Card],
    ) -> Result<(), Fault> {
        let is_exporter = self.exporter == Some(who);
        let player = &self.players[who];
        let known = if is_exporter {
            player.own.clone()
        } else {
            player.record.up.iter().copied().flatten().collect()
        };
        let (&[card], true) = (new, known == before) else {
            let found =
                format!("cards of seat {} that are not those dealt before and one more", self.seats[who]);
            return Err(self.fault(found, "the cards dealt before, and one new card"));
        };
        if street == 4 && !is_exporter {
            return Err(self.fault("a card of seventh street to another seat", "cards face down"));
        }
        let player = &mut self.players[who];
        if street < 4 {
            player.record.up.push(Some(card));
        }
        if is_exporter {
            player.own.push(card);
        }
        Ok(())
    }

    fn deed(&mut self, who: usize, deed: RoomAction) -> Result<(), Fault> {
        let (seat, is_live) = (self.seats[who], self.is_live(who));
        match deed {
            RoomAction::Ante(ante) if self.section == Section::Start && !self.players[who].has_paid_ante => {
                self.players[who].has_paid_ante = true;
                self.paid = self.sum(self.paid, self.scaled(ante)?)?;
            }
            RoomAction::BringIn(chips)
                if self.section == Section::Street(0) && self.brought_in.is_none() && is_live =>
            {
                self.brought_in = Some(who);
                self.pay(who, chips)?;
            }
            RoomAction::Pay(chips) if is_live => {
                self.note_first_bet(who);
                self.pay(who, chips)?;
            }
            RoomAction::RaiseTo(chips) if is_live => {
                self.note_first_bet(who);
                let more = self.scaled(chips)?.checked_sub(self.players[who].bet);
                let more =
                    more.ok_or_else(|| self.fault(format!("a raise of seat {seat} below its bet"), "more"))?;
                self.put_in(who, more)?;
            }
            RoomAction::Check if is_live => {}
            RoomAction::Fold if is_live => {
                let Section::Street(street) = self.section else {
                    return Err(self.fault(format!("seat {seat} folds after the last street"), "a street"));
                };
                self.players[who].record.folded = Some(Street::ALL[street]);
            }
            RoomAction::Show(cards) if is_live => self.shown(who, cards, false)?,
            RoomAction::Nothing => {}
            _ => {
                return Err(
                    self.fault(format!("an action of seat {seat} out of its place"), "a seat still in")
                );
            }
        }
        Ok(())
    }

    /// The bring-in may be the full small limit at once; the room calls that a bet.
    fn note_first_bet(&mut self, who: usize) {
        if self.section == Section::Street(0) && self.brought_in.is_none() {
            self.brought_in = Some(who);
        }
    }

    fn pay(&mut self, who: usize, chips: Decimal) -> Result<(), Fault> {
        let chips = self.scaled(chips)?;
        self.put_in(who, chips)
    }

    fn put_in(&mut self, who: usize, chips: u64) -> Result<(), Fault> {
        self.players[who].bet = self.sum(self.players[who].bet, chips)?;
        self.paid = self.sum(self.paid, chips)?;
        Ok(())
    }

    /// Shown cards are the up cards where they lay, or a part of the hand that does not deny them.
    fn shown(&mut self, who: usize, cards: Vec<Card>, is_mucked: bool) -> Result<(), Fault> {
        // The shared card is in every hand and is nobody's own.
        let mut cards = cards;
        cards.retain(|&card| self.shared != Some(card));
        let player = &self.players[who];
        let up: Vec<Card> = player.record.up.iter().copied().flatten().collect();
        let is_whole = cards.len() == 7 - usize::from(self.shared.is_some());
        let own = &player.own;
        let agrees = if is_whole {
            cards[2..6] == up[..] && (own.is_empty() || is_same_hand(own, &cards))
        } else {
            cards.len() < 7 && (own.is_empty() || cards.iter().all(|card| own.contains(card)))
        };
        let earlier = player.record.shown.as_ref();
        if !agrees || earlier.is_some_and(|shown| shown.cards != cards) {
            let found = format!("cards shown by seat {} that are not those dealt", self.seats[who]);
            return Err(self.fault(found, "two down cards, the four up cards in their order, and the last"));
        }
        self.players[who].record.shown = Some(ShownCards { cards, is_mucked });
        Ok(())
    }

    fn finish(self) -> Result<Record, Fault> {
        let Some((pot, rake)) = self.total.filter(|_| self.section == Section::Summary) else {
            return Err(self.fault("the end of the hand", "its summary with the total pot and the rake"));
        };
        let (paid, collected) = (self.paid, self.collected);
        if paid != pot || Some(collected) != pot.checked_sub(rake) {
            let text = |chips| number::text(chips, self.header.decimals);
            let [paid, collected, pot, rake] = [paid, collected, pot, rake].map(text);
            let found = format!("actions that pay {paid} and collect {collected}");
            return Err(self.fault(found, format!("a pot of {pot} less a rake of {rake}")));
        }
        self.check_river()?;
        let place = |who: usize| {
            let dealt_in = |&other: &usize| !self.players[other].record.up.is_empty();
            (0..who).filter(dealt_in).count()
        };
        let StudHeader { number, game, small, big, decimals } = self.header.clone();
        let (brought_in, exporter) = (self.brought_in.map(place), self.exporter.map(place));
        let seats = self.players.into_iter().map(|player| player.record);
        let seats: Vec<SeatRecord> = seats.filter(|seat| !seat.up.is_empty()).collect();
        Ok(Record { number, game, small, big, decimals, seats, brought_in, exporter })
    }

    /// A seventh street for which the deck is too short has one card for all.
    fn check_river(&self) -> Result<(), Fault> {
        match self.shared {
            None if self.is_river_short() => {
                Err(self.fault("a card each on seventh street, with too few left", "one card for all seats"))
            }
            _ => Ok(()),
        }
    }

    /// Whether more seats reach seventh street than cards are left.
    fn is_river_short(&self) -> bool {
        let reached = |player: &&Player| player.record.up.len() == 4;
        let folded_before =
            |player: &Player| player.record.folded.is_some_and(|street| street < Street::Seventh);
        let live = self.players.iter().filter(reached).filter(|player| !folded_before(player)).count();
        let down = 2 * self.players.iter().filter(|player| !player.record.up.is_empty()).count();
        let up: usize = self.players.iter().map(|player| player.record.up.len()).sum();
        live > 1 && DECK_CARDS - (down + up).min(DECK_CARDS) < live
    }
}
