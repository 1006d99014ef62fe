//! A committed hand played as a game: dealt street by street to the seats still in, and recorded.

use std::collections::BTreeSet;

use toml::{Table as Fields, Value};

use crate::table::durable::{HandInPlay, StreetError};
use crate::table::plan::{Choices, PlayPlan};
use crate::table::storage::Storage;
use crate::table::{OpenHand, TableName};
use deckproof_deck::commitment::digest::leaf_hash;
use deckproof_stud::stud::betting::Game;
use deckproof_stud::stud::betting::action::{Action, MaybeCard};
use deckproof_stud::stud::betting::refusal::{HandRule, Infraction};
use deckproof_stud::stud::betting::stakes::{Stakes, StakesError};
use deckproof_stud::stud::betting::winners::Undecided;
use deckproof_stud::stud::deal::Face;
use deckproof_stud::stud::history::{History, RecordedAction, line, own_fields, phh};
use deckproof_stud::stud::play::Play;
use deckproof_stud::stud::readings::{self, Reading, Readings};
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::{Seat, Seats};

/// What is played where.
pub struct TableSetting {
    /// The table.
    pub name: TableName,
    /// The rules.
    pub rules: &'static RuleSet,
    /// How points are read that the rules leave open, where it is not by the default.
    pub readings: Vec<(Reading, String)>,
    /// The seats, p1 first.
    pub seats: Seats,
    /// The amounts.
    pub stakes: Stakes,
}

impl TableSetting {
    /// The readings of the text, and those that were chosen.
    fn readings(&self) -> Readings {
        let chosen = readings::chosen(self.rules.play.readings, &self.readings);
        chosen.expect("each reading was read with its value")
    }
}

/// Why a hand cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// Amounts no hand can be played for.
    #[error(transparent)]
    Stakes(#[from] StakesError),
    /// A street that cannot be dealt, or not be written down.
    #[error(transparent)]
    Street(#[from] StreetError),
    /// An action of the script that the rules refuse.
    #[error("hand {hand}: {refusal}")]
    Refused {
        /// The hand.
        hand: u64,
        /// The rule, what was found and what was allowed.
        refusal: Box<Infraction>,
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

impl PlayError {
    /// The reason in the void entry of the hand.
    pub fn void_reason(&self) -> &'static str {
        match self {
            PlayError::Stakes(_) => "stakes-refused",
            PlayError::Street(_) => "deal-refused",
            PlayError::Refused { .. } => "action-refused",
            PlayError::Undecided { .. } => "pots-undecided",
        }
    }
}

/// How a hand was played: its history, and the seats whose hands everybody saw.
pub struct PlayedOut {
    /// The text of its history.
    pub history: String,
    /// The seats whose hands everybody saw.
    pub shown_down: Vec<Seat>,
    /// Chips of each player in seat order after the hand.
    pub stacks: Vec<u64>,
}

/// Plays an opened hand to its end. Seats still in at the end show their cards, except losing hands that
/// the plan mucks; the history names the cards shown and the up cards, and no others.
///
/// # Errors
/// [`PlayError`]; then the hand must be voided.
pub fn play_out<S: Storage>(
    open: &mut HandInPlay<'_, S, OpenHand>,
    setting: &TableSetting,
    plan: &PlayPlan,
) -> Result<PlayedOut, PlayError> {
    let TableSetting { rules, seats, stakes, .. } = setting;
    let game = Game::new(rules, setting.readings(), stakes.clone())?;
    let number = open.number();
    let mut play = Playing { number, open, game, seats, actions: Vec::new(), burns: 0 };
    play.play_out(plan)?;
    let history = play.history(setting)?;
    let shown = |player: &usize| play.game.players()[*player].shown;
    let shown_down = (0..seats.in_order().len()).filter(shown);
    let shown_down = shown_down.map(|player| seats.in_order()[player]).collect();
    let stacks = history.finishing_stacks.iter().flatten().flatten().copied().collect();
    Ok(PlayedOut { history: phh::write(&history), shown_down, stacks })
}

/// A hand being played.
struct Playing<'a, 'table, S> {
    number: u64,
    open: &'a mut HandInPlay<'table, S, OpenHand>,
    game: Game,
    seats: &'a Seats,
    actions: Vec<Action>,
    burns: usize,
}

impl<S: Storage> Playing<'_, '_, S> {
    fn play_out(&mut self, plan: &PlayPlan) -> Result<(), PlayError> {
        let mut choices = plan.begin(self.number);
        let mut is_shown = false;
        while !self.game.is_over() {
            if self.game.is_all_in() && !std::mem::replace(&mut is_shown, true) {
                self.show_all(&BTreeSet::new())?;
            }
            match choices.next(&self.game, self.seats) {
                Some(action) => self.apply(action)?,
                None => self.deal_street()?,
            }
        }
        if self.game.is_folded() {
            return Ok(());
        }
        // Who is all-in has tabled the hand already, and may not take it back.
        if is_shown {
            // There is a down card more to show, unless one card served all.
            let is_served = self.game.community().is_none();
            return if is_served { self.show_all(&BTreeSet::new()) } else { Ok(()) };
        }
        let mucking = self.mucking(&mut choices)?;
        self.show_all(&mucking)
    }

    /// Who throws the hand away. Only losing hands are thrown away here: this dealer sees all cards, and the
    /// rule texts give the pot to the best hand.
    fn mucking(&self, choices: &mut Choices<'_>) -> Result<BTreeSet<usize>, PlayError> {
        let undecided = |undecided| PlayError::Undecided { hand: self.number, undecided };
        let winnings = self.game.settle().map_err(undecided)?.winnings;
        let mut mucking = BTreeSet::new();
        for player in self.live_players() {
            let is_winner = winnings[player] > 0;
            if !choices.mucks(player) {
                continue;
            }
            if is_winner {
                let found = format!("p{} mucks a hand that wins {}", player + 1, winnings[player]);
                let allowed = format!("p{} shows", player + 1);
                let refusal = Box::new(Infraction { rule: HandRule::MuckedWinner, found, allowed });
                return Err(PlayError::Refused { hand: self.number, refusal });
            }
            mucking.insert(player);
        }
        Ok(mucking)
    }

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

    /// Everybody still in shows or mucks, first whom the rules let show first.
    fn show_all(&mut self, mucking: &BTreeSet<usize>) -> Result<(), PlayError> {
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
            self.apply(if mucking.contains(&player) {
                Action::Muck { player }
            } else {
                Action::Show { player, cards }
            })?;
        }
        Ok(())
    }

    fn history(&self, setting: &TableSetting) -> Result<History, PlayError> {
        let settled = self.game.settle();
        let settled = settled.map_err(|undecided| PlayError::Undecided { hand: self.number, undecided })?;
        let players = self.game.players().iter().zip(&settled.winnings);
        let mut fields = self.fields(setting);
        fields.insert("_pots".to_owned(), own_fields::pots(&settled.pots, 0));
        let play = &setting.rules.play;
        Ok(History {
            variant: play.phh_variant.to_owned(),
            stakes: setting.stakes.clone(),
            odd_chip_unit_given: false,
            bring_in_given: true,
            winnings: None,
            decimals: 0,
            lines: self.public_lines(),
            finishing_stacks: Some(players.map(|(player, won)| Some(player.stack + won)).collect()),
            ruleset: Some(setting.rules.name.to_owned()),
            // What the text leaves open is stated, so that the verdict hangs on nothing.
            readings: stated_readings(play, setting.readings()),
            fields,
        })
    }

    /// The actions as everybody saw them: down cards are unknown unless their hand was shown.
    fn public_lines(&self) -> Vec<RecordedAction> {
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
                RecordedAction { number, text, action }
            })
            .collect()
    }

    /// Which hand of which log it is; nobody sees a burned card.
    fn fields(&self, setting: &TableSetting) -> Fields {
        let text = |text: &str| Value::String(text.to_owned());
        let seats = self.seats.in_order().iter().map(|seat| Value::Integer(seat.number().into()));
        let mut fields = Fields::new();
        fields.insert("seats".to_owned(), Value::Array(seats.collect()));
        // p1 sits left of the dealer, so the last player is the first who can be the dealer.
        if let Some(last) = self.seats.in_order().last() {
            fields.insert("_dealer".to_owned(), Value::Integer(last.number().into()));
        }
        fields.insert("_origin".to_owned(), text(setting.name.origin()));
        fields.insert("_table".to_owned(), text(setting.name.table()));
        // Hand numbers end at 2^53 − 1.
        fields.insert("_hand".to_owned(), Value::Integer(self.number as i64));
        // The bundles of a hand hold its history, so the history names them by what they hold besides.
        fields.insert("_bundle".to_owned(), text(&leaf_hash(self.open.open_entry()).to_string()));
        if self.burns > 0 {
            fields.insert("_burns".to_owned(), Value::Array(vec![text("??"); self.burns]));
        }
        fields
    }
}

/// The reading of every point that the text leaves open and a record may state.
fn stated_readings(play: &Play, readings: Readings) -> Vec<(Reading, String)> {
    let open = play.open_readings.iter().copied().filter(|&reading| play.leaves_to_the_table(reading));
    open.map(|reading| (reading, readings.value(reading).to_owned())).collect()
}
