//! One line of a hand behind its first: what it says, or that nothing hangs on it.

use crate::stud::history::number::Decimal;
use crate::stud::history::pokerstars::header::amount;
use deckproof_deck::card::Card;

/// The parts of a hand, by the lines that begin them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Section {
    /// Seats and antes.
    Start,
    /// A street; 0 is third street.
    Street(usize),
    /// Hands are shown.
    Showdown,
    /// The room's summary.
    Summary,
}

const SECTIONS: [(&str, Section); 7] = [
    ("*** 3rd STREET ***", Section::Street(0)),
    ("*** 4th STREET ***", Section::Street(1)),
    ("*** 5th STREET ***", Section::Street(2)),
    ("*** 6th STREET ***", Section::Street(3)),
    ("*** RIVER ***", Section::Street(4)),
    ("*** SHOW DOWN ***", Section::Showdown),
    ("*** SUMMARY ***", Section::Summary),
];

/// What a player did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RoomAction {
    Ante(Decimal),
    BringIn(Decimal),
    Fold,
    Check,
    /// A call or a bet of so much more.
    Pay(Decimal),
    RaiseTo(Decimal),
    Show(Vec<Card>),
    /// Mucks, does not show, sits out: nothing is seen.
    Nothing,
}

/// What a line says; players by their place among the names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RoomLine {
    Section(Section),
    /// Seventh street with one card for everybody.
    SharedRiver {
        card: Card,
    },
    /// Cards in brackets: all at once on third street, those before and the new one later.
    Dealt {
        who: usize,
        groups: Vec<Vec<Card>>,
    },
    RoomAction {
        who: usize,
        deed: RoomAction,
    },
    Collected {
        who: usize,
        amount: Decimal,
    },
    Uncalled {
        amount: Decimal,
    },
    Total {
        pot: Decimal,
        rake: Decimal,
    },
    /// Cards that the summary shows.
    Seen {
        who: usize,
        cards: Vec<Card>,
        is_mucked: bool,
    },
    /// Nothing hangs on it.
    Remark,
}

/// What is wrong with a line: what was found, if it is safe to tell, and what was wanted.
pub(super) type LineFault = (Option<String>, &'static str);

/// Lines of the room about the table, by their ends.
const REMARK_ENDS: [&str; 15] = [
    " is sitting out",
    " sits out",
    " has timed out",
    " has timed out while disconnected",
    " has timed out while being disconnected",
    " leaves the table",
    " is connected",
    " is disconnected",
    " has returned",
    " was removed from the table for failing to post",
    " will be allowed to play after the button",
    ": sits out",
    ": is sitting out",
    ": doesn't show hand",
    " (the hand is not shown)",
];

/// Lines of the room about the table, by a part.
const REMARK_PARTS: [&str; 4] =
    [" joins the table at seat #", " finished the tournament", " wins the tournament", " wins the $"];

/// Whole lines of the room.
const REMARKS: [&str; 3] =
    ["Pair on board - a double bet is allowed", "Betting is capped", "No low hand qualified"];

/// Reads a line; `names` are those of the players, and `seats` their seats.
pub(super) fn parse(
    text: &str,
    section: Section,
    names: &[String],
    seats: &[u8],
) -> Result<RoomLine, LineFault> {
    if let Some((_, begun)) = SECTIONS.into_iter().find(|(mark, _)| *mark == text) {
        return Ok(RoomLine::Section(begun));
    }
    // Too few cards for everybody: `*** RIVER *** [6h]`.
    if let Some(rest) = text.strip_prefix("*** RIVER *** [") {
        return match cards(rest.trim_end_matches(']'))?[..] {
            [card] => Ok(RoomLine::SharedRiver { card }),
            _ => Err((None, "one card that all seats share")),
        };
    }
    if text.starts_with("*** ") {
        return Err((None, "the mark of a street, of the showdown or of the summary, and nothing behind it"));
    }
    if let Some(rest) = text.strip_prefix("Dealt to ") {
        return dealt(rest, names);
    }
    if section == Section::Summary {
        return summary(text, names, seats);
    }
    if let Some(rest) = text.strip_prefix("Uncalled bet (") {
        let amount = rest.split(')').next().and_then(amount);
        return amount
            .map(|amount| RoomLine::Uncalled { amount })
            .ok_or((None, "the amount of an uncalled bet"));
    }
    if is_remark(text) {
        return Ok(RoomLine::Remark);
    }
    if let Some((who, rest)) = of_player(text, ": ", names) {
        return deed(rest).map(|deed| RoomLine::RoomAction { who, deed });
    }
    if let Some((who, rest)) = of_player(text, " collected ", names) {
        let amount = rest.split(' ').next().and_then(amount);
        return amount
            .map(|amount| RoomLine::Collected { who, amount })
            .ok_or((None, "an amount that is collected"));
    }
    Err((None, "a line of a stud hand"))
}

fn is_remark(text: &str) -> bool {
    REMARKS.contains(&text)
        || REMARK_ENDS.iter().any(|end| text.ends_with(end))
        || REMARK_PARTS.iter().any(|part| text.contains(part))
        || (text.contains(" said, \"") && text.ends_with('"'))
}

/// The player a line begins with, and what follows `mark`; of two names that fit, the longer.
fn of_player<'a>(text: &'a str, mark: &str, names: &[String]) -> Option<(usize, &'a str)> {
    let fits = |(who, name): (usize, &String)| {
        let rest = text.strip_prefix(name.as_str())?.strip_prefix(mark)?;
        Some((who, rest))
    };
    names.iter().enumerate().filter_map(fits).min_by_key(|(_, rest)| rest.len())
}

fn dealt(text: &str, names: &[String]) -> Result<RoomLine, LineFault> {
    let (who, rest) = of_player(text, " ", names).ok_or((None, "cards dealt to a player of this hand"))?;
    let groups = rest.split("] ").map(|group| {
        let inside = group.strip_prefix('[').ok_or((None, "cards in brackets"))?;
        cards(inside.trim_end_matches(']'))
    });
    Ok(RoomLine::Dealt { who, groups: groups.collect::<Result<_, _>>()? })
}

/// `Ah 3c Ac`.
fn cards(text: &str) -> Result<Vec<Card>, LineFault> {
    let card = |card: &str| card.parse::<Card>().ok().filter(|read| read.to_string() == card);
    let cards: Option<Vec<Card>> = text.split(' ').map(card).collect();
    cards
        .ok_or((Some(format!("[{}]", text.chars().take(24).collect::<String>())), "cards such as [Ah 3c Ac]"))
}

/// The cards of the first brackets of a text.
fn bracketed(text: &str) -> Result<Vec<Card>, LineFault> {
    let inside = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    cards(inside.ok_or((None, "cards in brackets"))?.0)
}

fn deed(text: &str) -> Result<RoomAction, LineFault> {
    let words: Vec<&str> = text.trim_end_matches(" and is all-in").split(' ').collect();
    let paid = |text: &str| amount(text).ok_or((None, "an amount"));
    Ok(match words[..] {
        ["posts", "the", "ante", ante] => RoomAction::Ante(paid(ante)?),
        ["brings", "in", "for", chips] | ["brings", "in", "low", "for", chips] => {
            RoomAction::BringIn(paid(chips)?)
        }
        ["folds", ..] => RoomAction::Fold,
        ["checks"] => RoomAction::Check,
        ["calls", chips] | ["bets", chips] => RoomAction::Pay(paid(chips)?),
        ["raises", _, "to", chips] => RoomAction::RaiseTo(paid(chips)?),
        ["shows", ..] => RoomAction::Show(bracketed(text)?),
        ["mucks", "hand"] | ["doesn't", "show", "hand"] => RoomAction::Nothing,
        _ => {
            return Err((
                None,
                "an action of stud: posts the ante, brings in, folds, checks, calls, bets, raises, shows, mucks",
            ));
        }
    })
}

fn summary(text: &str, names: &[String], seats: &[u8]) -> Result<RoomLine, LineFault> {
    if let Some(rest) = text.strip_prefix("Total pot ") {
        let pot = rest.split(' ').next().and_then(amount);
        let rake = text.split_once("| Rake ").and_then(|(_, rest)| amount(rest.split(' ').next()?));
        let total = pot.zip(rake).map(|(pot, rake)| RoomLine::Total { pot, rake });
        return total.ok_or((None, "the total pot and the rake"));
    }
    let wanted = (None, "a line of the summary: the total pot, or a seat of this hand");
    let (number, rest) =
        text.strip_prefix("Seat ").and_then(|rest| rest.split_once(": ")).ok_or(wanted.clone())?;
    let seat = seats.iter().position(|seat| seat.to_string() == number).ok_or(wanted.clone())?;
    let rest = rest.strip_prefix(names[seat].as_str()).ok_or(wanted)?;
    let seen = |is_mucked| Ok(RoomLine::Seen { who: seat, cards: bracketed(rest)?, is_mucked });
    if rest.starts_with(" showed [") {
        seen(false)
    } else if rest.starts_with(" mucked [") {
        seen(true)
    } else {
        Ok(RoomLine::Remark)
    }
}
