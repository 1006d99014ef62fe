//! The findings of a bundle in English.

use crate::document::words::bundle::BundleWords;
use crate::document::words::en::number;
use crate::math::decimal::counted;

pub(super) const WORDS: BundleWords = BundleWords {
    file: |name, said| format!("{name}: {said}"),
    consistent: "consistent with itself: nothing here shows that this deck was fixed before the hand",
    saved: "accepted: its deck is the one whose commitment you saved",
    receipts: "accepted: a receipt you saved shows its deck in the log you trust",
    logged_since: |time| {
        format!(
            "accepted, if your first card came after {time}: a quorum of your witnesses had seen its deck and its opening in the log by then"
        )
    },
    unshown_proofs: "could not say whether its deck was fixed before the hand: it does not prove that its deck and its opening are in the log you trust",
    unshown_time: "could not say whether its deck was fixed before the hand: its deck and its opening are proven to be in the log you trust, \
                   but no quorum of your witnesses says since when",
    unshown_end: "could not say whether its deck was fixed before the hand: its deck and its opening are proven to be in the log you trust, \
                  but at the first time your witnesses state, the end of the hand was there already",
    unshown_no_end: "could not say whether its deck was fixed before the hand: its deck and its opening are proven to be in the log you trust, \
                     but not that they came there before the end of the hand did",
    history_depends: "; whether its hand was played by the rules depends, see History",
    history_not_judged: "; whether its hand was played by the rules was not judged",
    commitment: "Commitment",
    commitment_is: |entry, root| format!("deck entry {entry}, deck root {root}."),
    hand: "Hand",
    hand_is: |hand, table, origin, rules, seats, mix| {
        format!("{hand} of table {table} of {origin}, {rules}, seats {seats}, mix {mix}.")
    },
    cards: "Cards",
    permutation: "Permutation",
    all_cards: "Proven: all 52 cards are opened, each once, as committed.",
    some_cards: |count| {
        format!("Not contradicted by {}, all as committed.", counted(count, "opening", "openings"))
    },
    derivation: "Derivation",
    derived: "Proven: the deck is the certified shuffle of its hand key.",
    not_derived: "Not shown: only the hand key shows how the deck was made.",
    deal_order: "Deal order",
    in_order: "Proven: the cards left the deck in order, each to the right seat.",
    voided: "Not shown: the hand was voided.",
    seen_cards: "Seen cards",
    none_seen: "None stated (--seen 'seat 4: 7h Ks down, 2c up').",
    seen_match: |count, places| format!("{count} match: {places}."),
    not_dealt: |card| format!("{card}, not dealt"),
    dealt: |card, to, street, face| format!("{card}, {to}, street {street}, {face}"),
    no_seat: "no seat",
    seat: |seat| format!("seat {seat}"),
    down: "down",
    up: "up",
    community: "community card",
    burned: "burned",
    log: "Log",
    none_logged: |view| format!("No entry is proven to be logged; log view: {view}."),
    logged: |entries, view| format!("Proven to be logged: {entries}; log view: {view}."),
    proofs_unchecked: "The bundle has log proofs, which were not checked: give a trust file (--trust FILE).",
    before: "Before it",
    place_in_log: |entry, index| format!("{entry} is entry {index}"),
    before_nothing: |places| {
        format!(
            "In the log {places}. No quorum of witnesses says when they came there: the log could have taken them after the hand. That it had not, a receipt shows that you saved before your first card (--receipt)."
        )
    },
    before_seen: |places, time, posix| {
        format!(
            "In the log {places}. At {time} (POSIX time {posix}) a quorum of your witnesses had seen deck and open there; that the end of the hand came behind what they saw, the log says: if your first card came later, the deck was fixed before it."
        )
    },
    before_seen_open: |places, time, posix| {
        format!(
            "In the log {places}. At {time} (POSIX time {posix}) a quorum of your witnesses had seen deck and open there, and the end of the hand was not there yet: if your first card came later, the deck was fixed before it."
        )
    },
    before_end: |places, time, posix| {
        format!(
            "In the log {places}. The first time a quorum of your witnesses states is {time} (POSIX time {posix}), and the end of the hand was there already: these proofs do not show that the deck was fixed before the first card; a receipt shows it that you saved before (--receipt)."
        )
    },
    before_no_end: |places, time, posix| {
        format!(
            "In the log {places}. At {time} (POSIX time {posix}) a quorum of your witnesses had seen deck and open there; where the end of the hand stands is not proven, so that it may have been there already: ask for its proof."
        )
    },
    grinding: "Anti-grinding",
    grinding_none: "None: the operator alone made the order in play (mix none).",
    grinding_players: "The players' own seeds cut the deck after it was committed.",
    grinding_witnessed: "A beacon cut the deck, and a quorum of witnesses saw the hand open before the beacon spoke.",
    grinding_claimed: "A beacon cut the deck, as the operator claims: nobody witnessed that open came before it.",
    grinding_unchecked: "A beacon cut the deck, as the operator claims; whether open came before it hangs on log proofs, which were not checked.",
    players: "Players",
    no_seed: "No seat committed to a seed",
    seeds: |seats| format!("The seats {seats} committed to seeds"),
    own_checked: |who| format!("{who}; your own seed entered the cut."),
    own_unchecked: |who| format!("{who}; your own seed was not checked."),
    history: "History",
    history_hashed: |why| format!("Hashed only, what it says is not checked: {why}."),
    history_bound: |cards| {
        format!("Bound: the same seats and deal, {} as committed", counted(cards, "card", "cards"))
    },
    history_hidden: |cards| format!(", {} not opened here", counted(cards, "more", "more")),
    history_filled: |cards| {
        format!(" Cards it hides that are opened here, with which it was judged: {}.", number(cards))
    },
    history_stated: |points| format!(" Open points it reads itself: {points}."),
    history_all: |bound, play| format!("{bound}; {play}"),
    history_legal: "as it tells the bets, the hand was played by the rules",
    history_open: |points| format!("whether it was played by the rules depends. {points}"),
    not_checked: "Not checked",
    origin_unchecked: "Whether this is the log you trust: no trust file was given (--trust FILE).",
    log_unchecked: "The log proofs in the bundle: without a trust file no key of the log is known (--trust FILE).",
    beacon_unchecked: "The signature of the beacon value: this build compares only its hash (feature beacon).",
    history_absent: "The hand history: the close entry names one, but it is not in the bundle.",
    history_content: "What the hand history says: only its hash was compared.",
    history_bets: "Every bet and call of the hand history, its amounts, its time-outs, and the folds after which no more cards were dealt: they are the operator's word. Bound are the cards, their order, the seats, and the folds that the transcript shows.",
    community_seats: "Who was still in when the community card was dealt: the transcript cannot tell who folded on sixth street.",
    other_open: "Whether the same deck was opened a second time: only a scan of the whole log shows that.",
    ask_for: "To ask for",
    ask_before: "Before a hand, save its deck entry or a receipt of it; give it here with --committed or --receipt.",
    ask_proofs: "Ask for log proofs in the bundle, and check them with --trust.",
    ask_witnesses: "Ask for proofs of deck, open and end, deck and open under a checkpoint that your witnesses cosigned before the first card.",
    ask_full: "How the deck was made is shown by the full reveal, which only an arbiter may see.",
    ask_cut: "That nobody chose the deck is shown only by hands that players or a beacon cut (mix players, mix beacon).",
    none_opened: "No dealt card is opened.",
    voided_opened: |count| {
        format!(
            "Cards of the deck that are opened: {}; the hand was voided, so nobody received them.",
            number(count)
        )
    },
    seat_has: |seat, cards| format!("seat {seat}, {cards}"),
    everybody_has: |cards| format!("for everybody, {cards}"),
    street_has: |street, cards| format!("{street} street, {cards}"),
    face_has: |face, cards| format!("{face}: {cards}"),
    third: "third",
    fourth: "fourth",
    fifth: "fifth",
    sixth: "sixth",
    seventh: "seventh",
    came_back: |whose, card, street| {
        format!(
            "{whose} seventh-street card {card} had been burned on {street} street: too few cards were left, so the burned ones were shuffled in again"
        )
    },
    of_community: "the community",
    of_seat: |seat| format!("seat {seat}'s"),
    one_line: |name, headline, hand, cards, root| {
        format!("{name}: {headline}; {hand}, {} opened, deck root {root}.", counted(cards, "card", "cards"))
    },
    hand_of: |hand, table, origin| format!("hand {hand} at table {table} of {origin}"),
    unreadable: |name| format!("{name}: could not be judged."),
    together: |said| format!("Together: {said}"),
    totals: |files, hands, parts| {
        format!("{}, {}: {parts}.", counted(files, "file", "files"), counted(hands, "hand", "hands"))
    },
    are_accepted: |count| format!("{count} accepted"),
    are_consistent: |count| format!("{count} consistent with themselves"),
    are_unshown: |count| format!("{count} without proof that the deck was fixed before the hand"),
    are_certificates: |count| counted(count, "certificate", "certificates"),
    are_refused: |count| format!("{count} refused"),
    are_unreadable: |count| format!("{count} not judged"),
    depends_of: |count| format!(" Of {count}, whether the hand was played by the rules depends."),
    refused: |code| format!("refused, {code}."),
    first_failure: "The first failure stops; nothing after it was checked. PROTOCOL.md, section 15, explains the code.",
};
