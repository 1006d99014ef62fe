//! The findings of a bundle in English.

use crate::document::words::bundle::BundleWords;
use crate::document::words::en::number;
use deckproof_stats::math::decimal::counted;

pub(super) const WORDS: BundleWords = BundleWords {
    file: |name, said| format!("{name}: {said}"),
    consistent: "consistent with itself: nothing here shows that this deck was fixed before the hand",
    accepted: |conditions, shows| format!("accepted{conditions}: {shows}"),
    partly: |conditions| {
        format!("its deck was fixed before the hand{conditions}; when the cut was fixed is not shown")
    },
    conditions: |all| format!(", if {all}"),
    and: " and ",
    if_card_after: |time| format!("your first card came after {time}"),
    if_saved: "you saved its commitment before the hand",
    if_receipt: "you had its receipt before the hand",
    if_saved_before: "you saved its commitment before the hand (what you gave holds the end of the hand too)",
    if_own_seed: "one of the seeds in its cut is yours",
    if_opening_saved: "you saved its opening before you gave your seed",
    if_opening_saved_by: |time| {
        format!("you saved its opening before {time}, when the round of its beacon was due")
    },
    if_seed_after: |time| format!("you gave your seed after {time}"),
    if_receipt_before: |name| format!("you had the receipt {name} before you gave your seed"),
    deck_saved: "its deck is the one whose commitment you saved",
    deck_receipt: "a receipt you saved shows its deck in the log you trust",
    deck_quorum: "a quorum of your witnesses had seen its deck in the log by then",
    opening_saved: ", and its opening is the one you saved",
    opening_declared: ", and its opening is the one you say you held before your seed was given or the beacon's round was due",
    opening_receipt: ", and a receipt shows its opening in the log before its cut",
    opening_quorum: ", and a quorum of your witnesses had seen its opening before its cut",
    opening_quorum_beacon: ", and a quorum of your witnesses had seen its opening before the round of its beacon was due",
    unshown_receipt: "could not say whether its deck was fixed before the hand: a receipt shows its deck in the log you trust, \
                      but not that it came there before the end of the hand did",
    unshown_receipt_late: "could not say whether its deck was fixed before the hand: the receipt you gave was made when \
                           the end of the hand was in the log already",
    unshown_proofs: "could not say whether its deck was fixed before the hand: nothing proves that its deck is in the log you trust",
    unshown_time: "could not say whether its deck was fixed before the hand: its deck is proven to be in the log you trust, \
                   but no quorum of your witnesses says since when",
    unshown_end: "could not say whether its deck was fixed before the hand: its deck is proven to be in the log you trust, \
                  but at the first time your witnesses state, the end of the hand was there already",
    unshown_no_end: "could not say whether its deck was fixed before the hand: its deck is proven to be in the log you trust, \
                     but not that it came there before the end of the hand did",
    was_voided: |reason| format!("; the hand was voided ({reason})"),
    history_depends: "; whether its hand was played by the rules depends, see History",
    history_chips_missing: "; chips are missing at the end of its history, and whether its hand was played by the rules depends, see History",
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
        format!("Not contradicted: {} opened here, as committed.", counted(count, "card is", "cards are"))
    },
    derivation: "Derivation",
    derived: "Proven: the deck is the certified shuffle of its hand key.",
    not_derived: "Not shown: only the hand key shows how the deck was made.",
    deal_order: "Deal order",
    in_order: "Proven: the cards left the deck in order, each to the right seat.",
    in_order_stated: "Proven with the folds that the file states, which are the operator's word: the cards left the deck in order, each to the right seat.",
    voided: "Not shown: the hand was voided.",
    seen_cards: "Seen cards",
    none_seen: "None stated (--seen 'seat 4: 7h Ks down, 2c up').",
    seen_match: |count, places| format!("{count} match: {places}."),
    seen_file: |places| {
        format!("The file says that its player saw these: {places}. Repeat them with --seen if you saw them.")
    },
    not_dealt: |card| format!("{card}, not dealt"),
    dealt: |card, to, street, face| format!("{card}, {to}, street {street}, {face}"),
    no_seat: "no seat",
    seat: |seat| format!("seat {seat}"),
    down: "down",
    up: "up",
    community: "community card",
    burned: "burned",
    log: "Log",
    view_one: "one checkpoint",
    view_witnessed: "several checkpoints, witnessed",
    view_not_tied: "several checkpoints, not tied to each other",
    view_none: "none",
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
            "In the log {places}. At {time} (POSIX time {posix}) a quorum of your witnesses had seen its deck there; that the end of the hand came behind what they saw, the log says: if your first card came later, the deck was fixed before it."
        )
    },
    before_seen_open: |places, time, posix| {
        format!(
            "In the log {places}. At {time} (POSIX time {posix}) a quorum of your witnesses had seen its deck there, and the end of the hand was not there yet: if your first card came later, the deck was fixed before it."
        )
    },
    before_end: |places, time, posix| {
        format!(
            "In the log {places}. The first time a quorum of your witnesses states is {time} (POSIX time {posix}), and the end of the hand was there already: these proofs do not show that the deck was fixed before the first card; a receipt shows it that you saved before (--receipt)."
        )
    },
    before_no_end: |places, time, posix| {
        format!(
            "In the log {places}. At {time} (POSIX time {posix}) a quorum of your witnesses had seen its deck there; where the end of the hand stands is not proven, so that it may have been there already: ask for its proof."
        )
    },
    grinding: "Who chose",
    grinding_none: "The operator alone made the order in play (mix none).",
    grinding_players: "Your own seed cut the deck: nobody chose the order in play, if the opening was fixed before you gave it.",
    grinding_players_claimed: "The players' seeds cut the deck, as the operator claims: the other seeds may be those of friends, who can try openings until the cut pleases, unless an opening that was fixed before and your own seed are shown.",
    grinding_beacon: "A beacon cut the deck: nobody chose the order in play, if the opening was fixed before the round was due.",
    grinding_claimed: "A beacon cut the deck, as the operator claims: that the opening came before it is not shown.",
    not_cut: "The hand was voided before its deck was cut: there was no order in play.",
    opening: "Opening",
    opening_is: |how| format!("Fixed before its cut{how}."),
    opening_uncut: |how| format!("The deck was never cut{how}."),
    opening_unshown: "When the opening was fixed, which together with the seeds decides the cut: save the open entry before you give your seed, and give it here with --opened.",
    opening_unshown_beacon: "When the opening was fixed, which together with the beacon decides the cut: save the open entry before the round is due, and give it here with --opened.",
    opening_late: |seen, due| {
        format!(
            "Whether the opening came before its beacon: these proofs do not show it. A quorum had seen the opening at {seen}, and the round was due at {due}; a proof that was made later shows no more, an earlier one or a receipt would."
        )
    },
    ending: "End",
    ending_saved: "It is the one you saved: who folded when is fixed by it.",
    ending_quorum: "It is in the log, and a quorum of your witnesses saw it: who folded when is fixed by it.",
    ending_logged: "It is in the log, as the log alone says; others may have been shown another log.",
    ending_claimed: "How the hand ended, and who folded when: its end is neither what you saved nor proven to be in a log, so it is the operator's word.",
    void_saved: |reason| format!("A void, the one you saved. Its reason, {reason}, is the operator's word."),
    void_quorum: |reason| {
        format!(
            "A void, in the log, where a quorum of your witnesses saw it. Its reason, {reason}, is the operator's word."
        )
    },
    void_logged: |reason| {
        format!("A void, in the log, as the log alone says. Its reason, {reason}, is the operator's word.")
    },
    void_claimed: |reason| {
        format!(
            "That the hand was voided, and why ({reason}): its void entry is neither what you saved nor proven to be in a log, so it is the operator's word."
        )
    },
    log_not_shared: "Whether everybody was shown the same log: no quorum of witnesses has seen all of these proofs, and others may have been shown another log.",
    word_unsigned: "It rests on your word, which nobody signed: before an arbiter only a receipt of the log counts, for the log signed it.",
    players: "Players",
    no_seed: "No seat committed to a seed",
    seeds: |count, seats| match count {
        1 => format!("Seat {seats} committed to a seed"),
        _ => format!("Seats {seats} committed to seeds"),
    },
    own_checked: |who| format!("{who}; your own seed entered the cut."),
    own_file: |who| format!("{who}; the file says which seed was yours: repeat it with --my-seed."),
    own_not_cut: |who| format!("{who}; the deck was not cut."),
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
    history_fixed: |points| format!(" Read as its open entry binds it: {points}."),
    history_stated: |points| {
        format!(
            " It decides itself what the rule text leaves open: {points}; no entry fixed these readings before the hand."
        )
    },
    history_all: |bound, play| format!("{bound}; {play}"),
    history_legal: "as it tells the bets, the hand was played by the rules",
    history_open: |points| format!("whether it was played by the rules depends. {points}"),
    not_checked: "Not shown",
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
    ask_opening: "Before you give a seed, save the open entry; give it here with --opened.",
    ask_end_proof: "Ask for the proof of the end of the hand, which shows that it came behind your receipt.",
    ask_proofs: "Ask for log proofs in the bundle, and check them with --trust.",
    ask_witnesses: "Ask for proofs of deck, open and end, deck and open under a checkpoint that your witnesses cosigned before the first card.",
    ask_full: "How the deck was made is shown by the hand key in the full reveal, which only an arbiter may see; a deck made by another generator has none.",
    ask_cut: "That nobody chose the deck is shown only by hands that players or a beacon cut (mix players, mix beacon).",
    not_accepted: |name, lacks, next| {
        format!(
            "{name}: not accepted, which --require accepted and --trust call for (exit code 2). What lacks: {lacks}. {next}"
        )
    },
    not_a_hand: |name| {
        format!(
            "{name}: it is no bundle of a hand, and --require accepted calls for one that is accepted (exit code 2)."
        )
    },
    fits_none: |option| {
        format!(
            "What {option} gives fits none of the files that could be judged: nothing in them was compared with it."
        )
    },
    lacks_deck: "that its deck was fixed before the hand",
    lacks_opening: "that its opening, which decides the cut, was fixed before the seeds were known",
    lacks_opening_beacon: "that its opening, which decides the cut, was fixed before the beacon was known",
    next_deck: "Next time save the deck entry of the hand, or its receipt, before your first card, and give it with --committed, or with --receipt and --trust.",
    next_opening: "Next time save the open entry of the hand before you give your seed, and give it with --opened and your seed with --my-seed.",
    next_opening_beacon: "Next time save the open entry of the hand before the round of its beacon is due, and give it with --opened.",
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
    are_partly: |count| {
        format!("{count} with a deck that was fixed before the hand, and a cut of which that is not shown")
    },
    are_consistent: |count| format!("{count} consistent with themselves"),
    are_unshown: |count| format!("{count} without proof that the deck was fixed before the hand"),
    are_certificates: |count| {
        counted(count, "consistent certificate or package", "consistent certificates or packages")
    },
    are_refused: |count| format!("{count} refused"),
    are_unreadable: |count| format!("{count} not judged"),
    depends_of: |count| format!(" Of {count}, whether the hand was played by the rules depends."),
    refused: |code| format!("refused, {code}."),
    own_words: |place, message| format!("{place}: {message}"),
    problem: |problem| problem.to_owned(),
    left_alone: |named, more| {
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("not judged, for it is neither a bundle nor a certificate: {named}{more}")
    },
    first_failure: "The first failure stops; nothing after it was checked. PROTOCOL.md, section 15, explains the code.",
};
