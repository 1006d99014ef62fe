//! The findings of a bundle in French.

use crate::document::words::bundle::BundleWords;
use crate::document::words::fr::number;

pub(super) const WORDS: BundleWords = BundleWords {
    file: |name, said| format!("{name}\u{a0}: {said}"),
    consistent: "cohérent en lui-même\u{a0}: rien ici ne montre que ce jeu de cartes était fixé avant la main",
    accepted: |conditions, shows| format!("accepté{conditions}\u{a0}: {shows}"),
    partly: |conditions| {
        format!(
            "son jeu de cartes était fixé avant la main{conditions}\u{202f}; quand la coupe a été fixée n’est pas montré"
        )
    },
    conditions: |all| format!(", si {all}"),
    and: " et si ",
    if_card_after: |time| format!("votre première carte est venue après le {time}"),
    if_saved: "vous avez conservé son engagement avant la main",
    if_receipt: "vous aviez son reçu avant la main",
    if_saved_before: "vous avez conservé son engagement avant la main (ce que vous donnez contient aussi la fin de la main)",
    if_own_seed: "l’une des graines de sa coupe est la vôtre",
    if_opening_saved: "vous avez conservé son ouverture avant de donner votre graine",
    if_opening_saved_by: |time| {
        format!("vous avez conservé son ouverture avant le {time}, échéance du tour de sa balise")
    },
    if_seed_after: |time| format!("vous avez donné votre graine après le {time}"),
    if_receipt_before: |name| format!("vous aviez le reçu {name} avant de donner votre graine"),
    deck_saved: "son jeu de cartes est celui dont vous avez conservé l’engagement",
    deck_receipt: "un reçu que vous avez conservé montre son jeu de cartes dans le journal auquel vous vous fiez",
    deck_quorum: "un quorum de vos témoins avait alors vu son jeu de cartes dans le journal",
    opening_saved: ", et son ouverture est celle que vous avez conservée",
    opening_declared: ", et son ouverture est celle que vous dites avoir eue avant de donner votre graine ou avant l’échéance de la balise",
    opening_receipt: ", et un reçu montre son ouverture dans le journal avant sa coupe",
    opening_quorum: ", et un quorum de vos témoins avait vu son ouverture avant sa coupe",
    opening_quorum_beacon: ", et un quorum de vos témoins avait vu son ouverture avant l’échéance du tour de sa balise",
    unshown_receipt: "indéterminé si ce jeu de cartes était fixé avant la main\u{a0}: un reçu le montre dans le journal auquel vous vous fiez, \
                      mais non qu’il y est venu avant la fin de la main",
    unshown_receipt_late: "indéterminé si ce jeu de cartes était fixé avant la main\u{a0}: le reçu donné a été fait quand \
                           la fin de la main était déjà dans le journal",
    unshown_proofs: "indéterminé si ce jeu de cartes était fixé avant la main\u{a0}: rien ne prouve qu’il est dans le journal auquel vous vous fiez",
    unshown_time: "indéterminé si ce jeu de cartes était fixé avant la main\u{a0}: il est prouvé qu’il est dans le journal auquel vous vous fiez, \
                   mais aucun quorum de vos témoins ne dit depuis quand",
    unshown_end: "indéterminé si ce jeu de cartes était fixé avant la main\u{a0}: il est prouvé qu’il est dans le journal auquel vous vous fiez, \
                  mais au premier instant que vos témoins déclarent, la fin de la main y était déjà",
    unshown_no_end: "indéterminé si ce jeu de cartes était fixé avant la main\u{a0}: il est prouvé qu’il est dans le journal auquel vous vous fiez, \
                     mais non qu’il y est venu avant la fin de la main",
    was_voided: |reason| format!("\u{202f}; la main a été annulée ({reason})"),
    history_depends: "\u{202f}; on ne peut dire sans réserve si la main a été jouée selon les règles, voir Historique",
    history_chips_missing: "\u{202f}; des jetons manquent à la fin de son historique, et on ne peut dire sans réserve si la main a été jouée selon les règles, voir Historique",
    history_not_judged: "\u{202f}; il n’a pas été jugé si la main a été jouée selon les règles",
    commitment: "Engagement",
    commitment_is: |entry, root| format!("entrée deck {entry}, racine du jeu {root}."),
    hand: "Main",
    hand_is: |hand, table, origin, rules, seats, mix| {
        format!("{hand} de la table {table} de {origin}, {rules}, sièges {seats}, coupe {mix}.")
    },
    cards: "Cartes",
    permutation: "Intégralité",
    all_cards: "Prouvée\u{a0}: les 52 cartes sont ouvertes, chacune une fois, comme engagées.",
    some_cards: |count| {
        format!("Non contredite\u{202f}; cartes ouvertes, toutes comme engagées\u{a0}: {}.", number(count))
    },
    derivation: "Dérivation",
    derived: "Prouvée\u{a0}: le jeu est le mélange certifié de sa clé de main.",
    not_derived: "Non montrée\u{a0}: seule la clé de main montre comment le jeu a été fait.",
    deal_order: "Distribution",
    in_order: "Prouvée\u{a0}: les cartes ont quitté le jeu dans l’ordre, chacune vers le bon siège.",
    in_order_stated: "Prouvée avec les abandons que le fichier indique, selon l’opérateur\u{a0}: les cartes ont quitté le jeu dans l’ordre, chacune vers le bon siège.",
    voided: "Non montrée\u{a0}: la main a été annulée.",
    seen_cards: "Cartes vues",
    none_seen: "Aucune déclarée (option --seen).",
    seen_file: |places| {
        format!(
            "Le fichier dit que son joueur a vu\u{a0}: {places}. À répéter (--seen) si vous les avez vues."
        )
    },
    seen_match: |count, places| format!("{count} concordent\u{a0}: {places}."),
    not_dealt: |card| format!("{card}, non distribuée"),
    dealt: |card, to, street, face| format!("{card}, {to}, tour {street}, {face}"),
    no_seat: "aucun siège",
    seat: |seat| format!("siège {seat}"),
    down: "fermée",
    up: "ouverte",
    community: "carte commune",
    burned: "brûlée",
    log: "Journal",
    view_one: "un point de contrôle",
    view_witnessed: "plusieurs points de contrôle, attestés",
    view_not_tied: "plusieurs points de contrôle, non reliés entre eux",
    view_none: "aucune",
    none_logged: |view| {
        format!("Aucune entrée n’est prouvée dans le journal\u{202f}; vue du journal\u{a0}: {view}.")
    },
    logged: |entries, view| {
        format!("Prouvées dans le journal\u{a0}: {entries}\u{202f}; vue du journal\u{a0}: {view}.")
    },
    proofs_unchecked: "Le fichier a des preuves du journal, qui n’ont pas été vérifiées\u{a0}: donner un fichier de confiance (--trust FICHIER).",
    before: "Avant la main",
    place_in_log: |entry, index| format!("{entry} est l’entrée {index}"),
    before_nothing: |places| {
        format!(
            "Dans le journal, {places}. Aucun quorum de témoins ne dit quand elles y sont arrivées\u{a0}: le journal a pu les prendre après la main. Le contraire est montré par un reçu conservé avant votre première carte (--receipt)."
        )
    },
    before_seen: |places, time, posix| {
        format!(
            "Dans le journal, {places}. À {time} (temps POSIX {posix}), un quorum de vos témoins y avait vu ce jeu de cartes\u{202f}; que la fin de la main est venue derrière ce qu’ils ont vu, le journal le dit\u{a0}: si votre première carte est venue plus tard, le jeu était fixé avant elle."
        )
    },
    before_seen_open: |places, time, posix| {
        format!(
            "Dans le journal, {places}. À {time} (temps POSIX {posix}), un quorum de vos témoins y avait vu ce jeu de cartes, et la fin de la main n’y était pas encore\u{a0}: si votre première carte est venue plus tard, le jeu était fixé avant elle."
        )
    },
    before_end: |places, time, posix| {
        format!(
            "Dans le journal, {places}. Le premier instant qu’un quorum de vos témoins atteste est {time} (temps POSIX {posix}), et la fin de la main y était déjà\u{a0}: ces preuves ne montrent pas que le jeu était fixé avant la première carte\u{202f}; un reçu conservé avant le montre (--receipt)."
        )
    },
    before_no_end: |places, time, posix| {
        format!(
            "Dans le journal, {places}. À {time} (temps POSIX {posix}), un quorum de vos témoins y avait vu ce jeu de cartes\u{202f}; la place de la fin de la main n’est pas prouvée, elle pouvait donc y être déjà\u{a0}: demander sa preuve."
        )
    },
    grinding: "Choix du jeu",
    grinding_none: "Rien ne l’empêche\u{a0}: l’opérateur seul a fait l’ordre joué (mix none).",
    grinding_players: "Votre propre graine a coupé le jeu de cartes\u{a0}: personne n’a choisi l’ordre joué, si l’ouverture était fixée avant que vous ne la donniez.",
    grinding_players_claimed: "Les graines des joueurs ont coupé le jeu de cartes, selon l’opérateur\u{a0}: les autres graines peuvent être celles d’amis, qui essaient des ouvertures jusqu’à ce que la coupe convienne, à moins qu’une ouverture fixée avant et votre propre graine ne soient montrées.",
    grinding_beacon: "Une balise a coupé le jeu de cartes\u{a0}: personne n’a choisi l’ordre joué, si l’ouverture était fixée avant l’échéance du tour.",
    grinding_claimed: "Une balise a coupé le jeu de cartes, selon l’opérateur\u{a0}: il n’est pas montré que l’ouverture soit venue avant elle.",
    not_cut: "La main a été annulée avant la coupe\u{a0}: il n’y a pas eu d’ordre joué.",
    opening: "Ouverture",
    opening_is: |how| format!("Fixée avant sa coupe{how}."),
    opening_uncut: |how| format!("Le jeu de cartes n’a jamais été coupé{how}."),
    opening_unshown: "Quand l’ouverture a été fixée, qui décide de la coupe avec les graines\u{a0}: conserver l’entrée open avant de donner sa graine, et la donner ici (--opened).",
    opening_unshown_beacon: "Quand l’ouverture a été fixée, qui décide de la coupe avec la balise\u{a0}: conserver l’entrée open avant l’échéance du tour, et la donner ici (--opened).",
    opening_late: |seen, due| {
        format!(
            "Si l’ouverture est venue avant sa balise\u{a0}: ces preuves ne le montrent pas. Un quorum avait vu l’ouverture à {seen}, et le tour était dû à {due}\u{202f}; une preuve faite plus tard ne montre rien de plus, une preuve antérieure ou un reçu le montrerait."
        )
    },
    ending: "Fin",
    ending_saved: "C’est celle que vous avez conservée\u{a0}: elle fixe qui s’est couché et quand.",
    ending_quorum: "Elle est dans le journal, et un quorum de vos témoins l’a vue\u{a0}: elle fixe qui s’est couché et quand.",
    ending_logged: "Elle est dans le journal, selon le seul journal\u{202f}; d’autres ont pu voir un autre journal.",
    ending_claimed: "Comment la main a fini, et qui s’est couché quand\u{a0}: cette fin n’est ni conservée par vous ni prouvée dans un journal, c’est la parole de l’opérateur.",
    void_saved: |reason| {
        format!(
            "Une annulation, celle que vous avez conservée. Son motif, {reason}, est la parole de l’opérateur."
        )
    },
    void_quorum: |reason| {
        format!(
            "Une annulation, dans le journal, où un quorum de vos témoins l’a vue. Son motif, {reason}, est la parole de l’opérateur."
        )
    },
    void_logged: |reason| {
        format!(
            "Une annulation, dans le journal, selon le seul journal. Son motif, {reason}, est la parole de l’opérateur."
        )
    },
    void_claimed: |reason| {
        format!(
            "Que la main a été annulée, et pourquoi ({reason})\u{a0}: cette entrée d’annulation n’est ni conservée par vous ni prouvée dans un journal, c’est la parole de l’opérateur."
        )
    },
    log_not_shared: "Si chacun a vu le même journal\u{a0}: aucun quorum de témoins n’a vu toutes ces preuves, et d’autres ont pu voir un autre journal.",
    word_unsigned: "Ce refus repose sur votre parole, que personne n’a signée\u{a0}: devant un arbitre, seul compte un reçu du journal, qui l’a signé.",
    players: "Joueurs",
    no_seed: "Aucun siège n’a engagé de graine",
    seeds: |count, seats| match count {
        1 => format!("Le siège {seats} a engagé une graine"),
        _ => format!("Les sièges {seats} ont engagé des graines"),
    },
    own_checked: |who| format!("{who}\u{202f}; votre propre graine est entrée dans la coupe."),
    own_file: |who| {
        format!("{who}\u{202f}; le fichier dit quelle graine était la vôtre\u{a0}: la répéter (--my-seed).")
    },
    own_not_cut: |who| format!("{who}\u{202f}; le jeu de cartes n’a pas été coupé."),
    own_unchecked: |who| format!("{who}\u{202f}; votre propre graine n’a pas été vérifiée."),
    history: "Historique",
    history_hashed: |why| {
        format!(
            "Seule son empreinte a été comparée, son contenu n’est pas vérifié\u{202f}; dans les termes du programme, en anglais\u{a0}: {why}."
        )
    },
    history_bound: |cards| {
        format!(
            "Lié\u{a0}: mêmes sièges et même distribution, cartes comme engagées\u{a0}: {}",
            number(cards)
        )
    },
    history_hidden: |cards| format!(", autres non ouvertes ici\u{a0}: {}", number(cards)),
    history_filled: |cards| {
        format!(
            " Cartes qu’il cache et qui sont ouvertes ici, avec lesquelles il a été jugé\u{a0}: {}.",
            number(cards)
        )
    },
    history_fixed: |points| format!(" Interprétations que fixe son entrée open\u{a0}: {points}."),
    history_stated: |points| {
        format!(
            " Points ouverts qu’il tranche lui-même\u{a0}: {points}\u{202f}; aucune entrée ne fixe ces interprétations avant la main."
        )
    },
    history_all: |bound, play| format!("{bound}\u{202f}; {play}"),
    history_legal: "d’après les mises qu’il rapporte, la main a été jouée selon les règles",
    history_open: |points| {
        format!(
            "si elle a été jouée selon les règles dépend, dans les termes du programme, en anglais\u{a0}: {points}"
        )
    },
    not_checked: "Non montré",
    origin_unchecked: "Si c’est le journal auquel vous vous fiez\u{a0}: aucun fichier de confiance n’a été donné (--trust FICHIER).",
    log_unchecked: "Les preuves du journal\u{a0}: sans fichier de confiance, aucune clé du journal n’est connue (--trust FICHIER).",
    beacon_unchecked: "La signature de la valeur de la balise\u{a0}: ce programme n’en compare que l’empreinte (option de compilation beacon).",
    history_absent: "L’historique de la main\u{a0}: l’entrée close en nomme un, qui n’est pas dans le fichier.",
    history_content: "Ce que dit l’historique de la main\u{a0}: seule son empreinte a été comparée.",
    history_bets: "Chaque mise et chaque suivi de l’historique, ses montants, ses délais dépassés et les abandons après lesquels plus aucune carte n’a été distribuée\u{a0}: c’est la parole de l’opérateur. Sont liés les cartes, leur ordre, les sièges et les abandons que montre la liste de distribution.",
    community_seats: "Qui était encore en jeu quand la carte commune a été distribuée\u{a0}: la liste de distribution ne dit pas qui s’est couché au sixième tour.",
    other_open: "Si le même jeu a été ouvert une seconde fois\u{a0}: seul un examen de tout le journal le montre.",
    ask_for: "À demander",
    ask_before: "Avant une main, conservez son entrée deck ou un reçu de celle-ci\u{202f}; donnez-les ici par --committed ou --receipt.",
    ask_opening: "Avant de donner une graine, conserver l’entrée open\u{202f}; la donner ici (--opened).",
    ask_end_proof: "Demander la preuve de la fin de la main, qui montre qu’elle est venue derrière votre reçu.",
    ask_proofs: "Demandez des preuves du journal dans le fichier, et vérifiez-les avec --trust.",
    ask_witnesses: "Demander les preuves de deck, open et de la fin, celles de deck et open sous un point de contrôle que vos témoins ont cosigné avant la première carte.",
    ask_full: "Comment le jeu a été fait est montré par la clé de main dans la révélation complète, que seul un arbitre peut voir\u{202f}; un jeu fait par un autre générateur n’en a pas.",
    ask_cut: "Que personne n’a choisi le jeu n’est montré que par des mains coupées par les joueurs ou par une balise (mix players, mix beacon).",
    not_accepted: |name, lacks, next| {
        format!(
            "{name}\u{a0}: non accepté, ce que demandent --require accepted et --trust (code de sortie 2). Il manque\u{a0}: {lacks}. {next}"
        )
    },
    not_a_hand: |name| {
        format!(
            "{name}\u{a0}: ce n’est pas le fichier d’une main, et --require accepted en demande un qui soit accepté (code de sortie 2)."
        )
    },
    fits_none: |option| {
        format!(
            "Ce que donne {option} n’est d’aucun des fichiers qui ont pu être jugés\u{a0}: rien n’y a été comparé avec lui."
        )
    },
    lacks_deck: "que son jeu de cartes était fixé avant la main",
    lacks_opening: "que son ouverture, qui décide de la coupe, était fixée avant que les graines ne soient connues",
    lacks_opening_beacon: "que son ouverture, qui décide de la coupe, était fixée avant que la balise ne soit connue",
    next_deck: "La prochaine fois, conserver l’entrée deck de la main, ou son reçu, avant votre première carte, et la donner avec --committed, ou avec --receipt et --trust.",
    next_opening: "La prochaine fois, conserver l’entrée open de la main avant de donner votre graine, et la donner avec --opened, votre graine avec --my-seed.",
    next_opening_beacon: "La prochaine fois, conserver l’entrée open de la main avant l’échéance du tour de sa balise, et la donner avec --opened.",
    none_opened: "Aucune carte distribuée n’est ouverte.",
    voided_opened: |count| {
        format!(
            "Cartes du jeu qui sont ouvertes\u{a0}: {}\u{202f}; la main a été annulée, et personne ne les a reçues.",
            number(count)
        )
    },
    seat_has: |seat, cards| format!("siège {seat}, {cards}"),
    everybody_has: |cards| format!("pour tous, {cards}"),
    street_has: |street, cards| format!("{street} tour, {cards}"),
    face_has: |face, cards| format!("{face}\u{a0}: {cards}"),
    third: "troisième",
    fourth: "quatrième",
    fifth: "cinquième",
    sixth: "sixième",
    seventh: "septième",
    came_back: |whose, card, street| {
        format!(
            "la carte {card} du septième tour, {whose}, avait été brûlée au {street} tour\u{a0}: il restait trop peu de cartes, et les cartes brûlées ont été mélangées de nouveau"
        )
    },
    of_community: "commune à tous",
    of_seat: |seat| format!("du siège {seat}"),
    one_line: |name, headline, hand, cards, root| {
        format!(
            "{name}\u{a0}: {headline}\u{202f}; {hand}, cartes ouvertes\u{a0}: {}, racine du jeu {root}.",
            number(cards)
        )
    },
    hand_of: |hand, table, origin| format!("main {hand} à la table {table} de {origin}"),
    unreadable: |name| format!("{name}\u{a0}: n’a pas pu être jugé."),
    together: |said| format!("Ensemble\u{a0}: {said}"),
    totals: |files, hands, parts| {
        format!("Fichiers\u{a0}: {}, mains\u{a0}: {}\u{a0}: {parts}.", number(files), number(hands))
    },
    are_accepted: |count| format!("acceptés\u{a0}: {count}"),
    are_partly: |count| {
        format!("{count} dont le jeu de cartes était fixé avant la main, sans que la coupe le soit")
    },
    are_consistent: |count| format!("cohérents en eux-mêmes\u{a0}: {count}"),
    are_unshown: |count| format!("sans preuve que le jeu était fixé avant la main\u{a0}: {count}"),
    are_certificates: |count| format!("certificats ou dossiers cohérents\u{a0}: {}", number(count)),
    are_refused: |count| format!("refusés\u{a0}: {count}"),
    are_unreadable: |count| format!("non jugés\u{a0}: {count}"),
    depends_of: |count| {
        format!(" Pour {count}, on ne peut dire sans réserve si la main a été jouée selon les règles.")
    },
    refused: |code| format!("refusé, {code}."),
    own_words: |place, message| {
        format!("dans les termes du programme, en anglais\u{a0}: {place}\u{a0}: {message}")
    },
    problem: |problem| {
        format!("rien n’en est dit\u{202f}; dans les termes du programme, en anglais\u{a0}: {problem}")
    },
    left_alone: |named, more| {
        let more = if more > 0 { format!(" et {more} autres") } else { String::new() };
        format!("pas jugé, car ce n’est ni une donne ni un certificat\u{a0}: {named}{more}")
    },
    first_failure: "Le premier défaut arrête tout\u{202f}; rien de ce qui suit n’a été vérifié. PROTOCOL.md, section 15, explique le code.",
};
