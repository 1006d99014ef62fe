//! A committed hand played as a game: dealt street by street to the seats still in, and recorded.

use toml::{Table as Fields, Value};

use crate::stud::betting::Game;
use crate::stud::betting::action::{Action, MaybeCard};
use crate::stud::betting::refusal::Refusal;
use crate::stud::betting::stakes::{Stakes, StakesError};
use crate::stud::betting::winners::Undecided;
use crate::stud::deal::{DealError, Face};
use crate::stud::history::{History, Line, line, phh};
use crate::stud::rules::RuleSet;
use crate::stud::seat::{Seat, Seats};
use crate::table::plan::Plan;
use crate::table::{CommittedHand, DealtHand, OpenHand, TableName};

/// What is played where.
pub struct Setting {
    /// The table.
    pub name: TableName,
    /// The rules.
    pub rules: &'static RuleSet,
    /// The seats, p1 first.
    pub seats: Seats,
    /// The amounts.
    pub stakes: Stakes,
}

/// A hand that was played to its end.
pub struct PlayedHand {
    /// The hand, closed with its history.
    pub hand: DealtHand,
    /// The seats whose hands everybody saw.
    pub shown_down: Vec<Seat>,
}

/// Why a hand cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// Amounts no hand can be played for.
    #[error(transparent)]
    Stakes(#[from] StakesError),
    /// A street that cannot be dealt.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// An action of the script that the rules refuse.
    #[error("hand {hand}: {refusal}")]
    Refused {
        /// The hand.
        hand: u64,
        /// The rule, what was found and what was allowed.
        refusal: Box<Refusal>,
    },
    /// Pots that nobody won.
    #[error("hand {hand}: {undecided}")]
    Undecided {
        /// The hand.
        hand: u64,
        /// Why.
        undecided: Undecided,
    },
}

/// Plays a committed hand. Every seat still in at the end shows its cards; the history names those and
/// the up cards, and no others.
///
/// # Errors
/// [`PlayError`]; then the deck is spent and its hand must be voided.
pub fn play_hand(committed: CommittedHand, setting: &Setting, plan: &Plan) -> Result<PlayedHand, PlayError> {
    let Setting { rules, seats, stakes, .. } = setting;
    let number = committed.number;
    let game = Game::new(rules, rules.play.readings, stakes.clone())?;
    let mut play =
        Playing { number, open: committed.open(rules, seats), game, seats, actions: Vec::new(), burns: 0 };
    let mut choices = plan.begin(number);
    let mut is_shown = false;
    while !play.game.is_over() {
        if play.game.is_all_in() && !std::mem::replace(&mut is_shown, true) {
            play.show_all()?;
        }
        match choices.next(&play.game, seats) {
            Some(action) => play.apply(action)?,
            None => play.deal_street()?,
        }
    }
    // Who showed before seventh street has a down card more to show, unless one card served all.
    if !play.game.is_folded() && (play.game.community().is_none() || !is_shown) {
        play.show_all()?;
    }
    let history = play.history(setting)?;
    let shown = |player: usize| play.game.players()[player].shown;
    let shown_down = (0..seats.in_order().len()).filter(|&player| shown(player));
    let shown_down = shown_down.map(|player| seats.in_order()[player]).collect();
    Ok(PlayedHand { hand: play.open.close(Some(phh::write(&history))), shown_down })
}

/// A hand being played.
struct Playing<'a> {
    number: u64,
    open: OpenHand,
    game: Game,
    seats: &'a Seats,
    actions: Vec<Action>,
    burns: usize,
}

impl Playing<'_> {
    fn apply(&mut self, action: Action) -> Result<(), PlayError> {
        let refused = |refusal| PlayError::Refused { hand: self.number, refusal: Box::new(refusal) };
        self.game.apply(&action).map_err(refused)?;
        self.actions.push(action);
        Ok(())
    }

    fn live_players(&self) -> Vec<usize> {
        (0..self.game.players().len()).filter(|&player| self.game.players()[player].is_live()).collect()
    }

    fn deal_street(&mut self) -> Result<(), PlayError> {
        let live = self.live_players();
        let seats: Vec<Seat> = live.iter().map(|&player| self.seats.in_order()[player]).collect();
        let dealt = self.open.deal_street(&seats)?;
        self.burns += dealt.iter().filter(|(line, _)| line.face == Face::Burn).count();
        if let Some((_, card)) = dealt.iter().find(|(line, _)| line.face == Face::Community) {
            return self.apply(Action::DealBoard { cards: vec![Some(*card)] });
        }
        for (player, seat) in live.into_iter().zip(seats) {
            let own = dealt.iter().filter(|(line, _)| line.seat == Some(seat));
            let cards = own.map(|(_, card)| Some(*card)).collect();
            self.apply(Action::DealHole { player, cards })?;
        }
        Ok(())
    }

    /// Everybody still in shows, first whom the rules let show first.
    fn show_all(&mut self) -> Result<(), PlayError> {
        let may_begin = |player: &usize| {
            let show = Action::Show { player: *player, cards: Vec::new() };
            self.game.clone().apply(&show).is_ok()
        };
        let mut order = self.live_players();
        if let Some(first) = order.iter().position(may_begin) {
            order.rotate_left(first);
        }
        for player in order {
            let cards = self.game.players()[player].cards.clone();
            self.apply(Action::Show { player, cards })?;
        }
        Ok(())
    }

    fn history(&self, setting: &Setting) -> Result<History, PlayError> {
        let settled = self.game.settle();
        let settled = settled.map_err(|undecided| PlayError::Undecided { hand: self.number, undecided })?;
        let players = self.game.players().iter().zip(&settled.winnings);
        let play = &setting.rules.play;
        Ok(History {
            variant: play.phh_variant.to_owned(),
            stakes: setting.stakes.clone(),
            odd_chip_unit_given: false,
            decimals: 0,
            lines: self.public_lines(),
            finishing_stacks: Some(players.map(|(player, won)| Some(player.stack + won)).collect()),
            ruleset: Some(setting.rules.name.to_owned()),
            // What the text leaves open is stated, so that the verdict hangs on nothing.
            readings: play.open_readings.iter().map(|&open| (open, play.readings.value(open))).collect(),
            fields: self.fields(setting),
        })
    }

    /// The actions as everybody saw them: down cards are unknown unless their hand was shown.
    fn public_lines(&self) -> Vec<Line> {
        let mut served = vec![0; self.game.players().len()];
        let mut public = |action: &Action| match action {
            Action::DealHole { player, cards } => {
                let first = served[*player];
                served[*player] += cards.len();
                let is_public = |place: usize| self.game.players()[*player].shown || (2..6).contains(&place);
                let public = (first..).zip(cards).map(|(place, &card)| card.filter(|_| is_public(place)));
                Action::DealHole { player: *player, cards: public.collect::<Vec<MaybeCard>>() }
            }
            action => action.clone(),
        };
        let actions = self.actions.iter().map(&mut public);
        (1..)
            .zip(actions)
            .map(|(number, action)| {
                let text = line::text(&action, 0).expect("no clock runs out at this table");
                Line { number, text, action }
            })
            .collect()
    }

    /// Which hand of which log it is; nobody sees a burned card.
    fn fields(&self, setting: &Setting) -> Fields {
        let text = |text: &str| Value::String(text.to_owned());
        let seats = self.seats.in_order().iter().map(|seat| Value::Integer(seat.number().into()));
        let mut fields = Fields::new();
        fields.insert("seats".to_owned(), Value::Array(seats.collect()));
        fields.insert("_origin".to_owned(), text(setting.name.origin()));
        fields.insert("_table".to_owned(), text(setting.name.table()));
        // Hand numbers end at 2^53 − 1.
        fields.insert("_hand".to_owned(), Value::Integer(self.number as i64));
        if self.burns > 0 {
            fields.insert("_burns".to_owned(), Value::Array(vec![text("??"); self.burns]));
        }
        fields
    }
}
