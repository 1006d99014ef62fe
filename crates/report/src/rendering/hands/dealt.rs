//! `deckproof hands --dealt`: the cards that were really dealt, judged whatever the players did.

use askama::Template;
use serde_json::{Value, json};

use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::hands::dealt::DealtJudgement;
use deckproof_audit::hands::dealt::read::DealtHands;
use deckproof_audit::hands::dealt::repeated::RepeatedHands;
use deckproof_audit::hands::judgement::{HANDS_MIN, LEVEL};
use deckproof_deck::text::decimal::{self, counted, thousands};

/// Faults of more hands than this are counted only.
const FAULTS_SHOWN: usize = 20;

/// What was found, in sentences.
pub fn in_words(dealt: &DealtHands, judgement: &DealtJudgement) -> String {
    let verdict = Verdict::of(&judgement.claims(dealt));
    let unread_more = dealt.unread_total.saturating_sub(FAULTS_SHOWN as u64);
    let template = DealtTemplate { dealt, judgement, verdict, unread_more };
    template.render().expect("a String takes every text and no value can fail")
}

#[derive(Template)]
#[template(path = "hands_dealt.txt", config = "src/report/templates/askama.toml", whitespace = "preserve")]
struct DealtTemplate<'a> {
    dealt: &'a DealtHands,
    judgement: &'a DealtJudgement,
    verdict: Verdict,
    unread_more: u64,
}

/// What came of the search for a generator; never that there is none.
fn generator(judgement: &DealtJudgement) -> String {
    let search = &judgement.search;
    if let Some(own) = &search.recovered {
        return own.proof();
    }
    let left_out = match &search.left_out[..] {
        [] => String::new(),
        names => format!(" Its stated work did not reach {}.", names.join("; ")),
    };
    format!(
        "not recovered from the first hands by the models of deckproof predict; other generators and ways of dealing, and \
         models that need whole decks or more hands, were not tried.{left_out}"
    )
}

/// Hands that came again, or that none did.
fn repeated(own: &RepeatedHands) -> String {
    let short = match own.short {
        0 => String::new(),
        short => format!(" Of {} with fewer cards, several must agree.", counted(short, "hand", "hands")),
    };
    let found = match own.hands {
        0 => format!("no hand has the first {} cards of an earlier one.{short}", own.cards_of_one),
        hands => {
            let pair = |[earlier, hand]: &[String; 2]| format!("{hand} those of {earlier}");
            let named: Vec<String> = own.named.iter().map(pair).collect();
            let more = hands - named.len() as u64;
            let more = if more > 0 { format!(" and {} more", thousands(more)) } else { String::new() };
            let tables = match own.at_other_tables {
                0 => String::new(),
                count => format!(
                    " Of these, {} in another file and cannot be the same: other seats or streets get the cards.",
                    counted(count, "hand is like one", "hands are like those")
                ),
            };
            format!(
                "{} the first {} cards of an earlier one: {}{more}.{tables}",
                counted(hands, "hand has", "hands have"),
                own.cards,
                named.join(", ")
            )
        }
    };
    let across = own.named_across.as_ref().map_or_else(String::new, |[earlier, hand]| {
        format!(
            " {} of another file: {hand} those of {earlier}. Of each only the first was judged. The files overlap, or a deck was dealt again at \
             another table: look up both hands where they were dealt. To judge each file by itself does not answer it.",
            counted(own.across.len() as u64, "hand has those of a hand", "hands have those of hands")
        )
    });
    found + &across
}

/// What a table with betting leaves out, where so many hands show it.
const ENDS_SHOWN: u64 = 500;

/// What of an export makes fair cards look unfair.
const OF_EXPORT: &str = "hands or seats left out by how a hand went, seats numbered by how it went, or cards in another order than \
                         dealt (ORDER BY hand, dealt position)";

/// That nothing ends early, which betting hardly leaves so.
fn ends(judgement: &DealtJudgement) -> String {
    let (hands, seats) = (judgement.hands_ended_early, judgement.seats_ended_early);
    if judgement.hands < ENDS_SHOWN || hands > 0 {
        return String::new();
    }
    let what = if seats == 0 { "seat" } else { "hand" };
    format!(
        " No {what} ends before seventh street: either nobody bets at this table, or what ended early is not in the file. Bets can win on fair cards \
         that were chosen so, and a fault can be hidden."
    )
}

fn meaning(dealt: &DealtHands, judgement: &DealtJudgement) -> String {
    let is_proof =
        !dealt.impossible.is_empty() || judgement.search.recovered.is_some() || judgement.repeated.hands > 0;
    let ends = if is_proof { String::new() } else { ends(judgement) };
    advice(dealt, judgement) + &ends
}

fn advice(dealt: &DealtHands, judgement: &DealtJudgement) -> String {
    match Verdict::of(&judgement.claims(dealt)) {
        Verdict::Fail if !dealt.impossible.is_empty() => {
            "A hand holds a card twice. Look at it at its origin: if the export changed it, export again, and that is no fault of the shuffler."
                .to_owned()
        }
        Verdict::Fail if judgement.search.recovered.is_some() => {
            "The next cards are known before they are dealt: stop the dealer before anybody else reads this.".to_owned()
        }
        Verdict::Fail if judgement.repeated.at_other_tables > 0 => {
            "A deck was dealt at two tables, which cannot be one hand in two files. If hands or their streets are not exported as dealt, export them \
             again. If they are, stop the dealer."
                .to_owned()
        }
        Verdict::Fail if judgement.repeated.hands > 0 => {
            "A deck was dealt again. If both are one hand, the export holds it twice: take it out and judge again. If not, stop the dealer."
                .to_owned()
        }
        Verdict::Fail => format!(
            "Rule out the export first: {OF_EXPORT}. If it is whole, these cards did not come from a fair deal: stop the dealer."
        ),
        Verdict::Investigate => format!(
            "Rule out the export: {OF_EXPORT}. Then judge hands that were dealt after these, and decide by them alone."
        ),
        Verdict::Inconclusive if !judgement.repeated.across.is_empty() && judgement.family_p_value < LEVEL => {
            "These cards are unlikely under a fair deal, and hands that stand in the files more than once explain it as well. Export each \
             hand once, in the order dealt, and judge again."
                .to_owned()
        }
        Verdict::Inconclusive if dealt.unread_total == 0 && !judgement.repeated.across.is_empty() => {
            "Nothing else speaks against these hands. Some are in two files, or their decks were dealt twice, so this is no pass.".to_owned()
        }
        Verdict::Inconclusive if dealt.unread_total > 0 && dealt.shared_numbers == dealt.unread_total => {
            "Hands of two files have the same number. If tables number their hands alike, give each hand a number that no other of all files has (the table \
             before the number). If the files overlap, take the hands out of one. Then judge again."
                .to_owned()
        }
        Verdict::Inconclusive if dealt.unread_total > 0 => {
            "Which hands were not judged may depend on their cards, so that the others are no pass, and what departs in them may be this \
             choice. Export every hand, card by card as dealt (ORDER BY hand, dealt position), and judge again."
                .to_owned()
        }
        Verdict::Inconclusive => {
            format!("Nothing was found, and {} hands are wanted to say that it is so.", thousands(HANDS_MIN))
        }
        Verdict::Pass => {
            "Nothing speaks against these cards. That the file holds every hand and the order dealt is the word of the one who wrote it. Of the hand before, \
             only a card that comes again at its place or to its seat was bet on. Decks dealt twice are seen where both hands begin with the same card: \
             not after a burn, a cut or from the bottom."
                .to_owned()
        }
    }
}

/// The same as JSON.
pub fn to_json(dealt: &DealtHands, judgement: &DealtJudgement) -> Value {
    let impossible: Vec<Value> = dealt
        .impossible
        .iter()
        .map(|(hand, card)| json!({ "hand": hand, "card_twice": card.to_string() }))
        .collect();
    let parts: Vec<Value> = judgement
        .parts
        .iter()
        .map(|part| {
            json!({ "family": part.family, "part": part.name, "cards": part.cards, "p_value": part.p_value() })
        })
        .collect();
    let claims = judgement.claims(dealt);
    json!({
        "verdict": Verdict::of(&claims).name(),
        "meaning": meaning(dealt, judgement),
        "claims": claims,
        "joint_p_value": judgement.family_p_value,
        "level": LEVEL,
        "hands_wanted": HANDS_MIN,
        "hands": judgement.hands,
        "cards": judgement.cards,
        "hands_ended_early": judgement.hands_ended_early,
        "seats_ended_early": judgement.seats_ended_early,
        "null": "every card is any of those not dealt before in its hand, each as likely, whatever the folding",
        "method": "Ville's bound, 1 over the most that bets at fair odds ever were; the joint p-value counts every choice of as many unread hands",
        "voided": dealt.voided,
        "unread": dealt.unread,
        "unread_total": dealt.unread_total,
        "shared_numbers": dealt.shared_numbers,
        "impossible": impossible,
        "parts": parts,
        "recovered": judgement.search.recovered.as_ref().map(|own| {
            json!({ "proof": own.proof(), "first_hand": own.first, "has_burns": own.has_burns, "generator": own.recovery })
        }),
        "generators_left_out": judgement.search.left_out,
        "repeated": {
            "hands": judgement.repeated.hands,
            "cards": judgement.repeated.cards,
            "at_other_tables": judgement.repeated.at_other_tables,
            "named": judgement.repeated.named,
            "in_another_file": judgement.repeated.across.len(),
            "named_in_another_file": judgement.repeated.named_across,
            "cards_of_one": judgement.repeated.cards_of_one,
            "shorter": judgement.repeated.short,
        },
    })
}
