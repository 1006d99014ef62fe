//! The findings of a bundle in French.

use crate::document::words::bundle::BundleWords;
use crate::document::words::fr::number;

pub(super) const WORDS: BundleWords = BundleWords {
    file: |name, said| format!("{name}\u{a0}: {said}"),
    consistent: "cohérent en lui-même\u{a0}: rien ici ne montre que ce jeu était fixé avant la main",
    saved: "accepté\u{a0}: son jeu est celui dont vous avez conservé l’engagement",
    receipts: "accepté\u{a0}: un reçu que vous avez conservé montre son jeu dans le journal auquel vous vous fiez",
    logged_since: |time| {
        format!(
            "accepté, si votre première carte est venue après le {time}\u{a0}: un quorum de vos témoins avait alors vu son jeu et son ouverture dans le journal"
        )
    },
    unshown_proofs: "indéterminé si ce jeu était fixé avant la main\u{a0}: il n’est pas prouvé que son jeu et son ouverture sont dans le journal auquel vous vous fiez",
    unshown_time: "indéterminé si ce jeu était fixé avant la main\u{a0}: il est prouvé que son jeu et son ouverture sont dans le journal auquel vous vous fiez, \
                   mais aucun quorum de vos témoins ne dit depuis quand",
    unshown_end: "indéterminé si ce jeu était fixé avant la main\u{a0}: il est prouvé que son jeu et son ouverture sont dans le journal auquel vous vous fiez, \
                  mais au premier instant que vos témoins déclarent, la fin de la main y était déjà",
    unshown_no_end: "indéterminé si ce jeu était fixé avant la main\u{a0}: il est prouvé que son jeu et son ouverture sont dans le journal auquel vous vous fiez, \
                     mais non qu’ils y sont venus avant la fin de la main",
    history_depends: "\u{202f}; on ne peut dire sans réserve si la main a été jouée selon les règles, voir Historique",
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
    voided: "Non montrée\u{a0}: la main a été annulée.",
    seen_cards: "Cartes vues",
    none_seen: "Aucune déclarée (option --seen).",
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
            "Dans le journal, {places}. À {time} (temps POSIX {posix}), un quorum de vos témoins y avait vu deck et open\u{202f}; que la fin de la main est venue derrière ce qu’ils ont vu, le journal le dit\u{a0}: si votre première carte est venue plus tard, le jeu était fixé avant elle."
        )
    },
    before_seen_open: |places, time, posix| {
        format!(
            "Dans le journal, {places}. À {time} (temps POSIX {posix}), un quorum de vos témoins y avait vu deck et open, et la fin de la main n’y était pas encore\u{a0}: si votre première carte est venue plus tard, le jeu était fixé avant elle."
        )
    },
    before_end: |places, time, posix| {
        format!(
            "Dans le journal, {places}. Le premier instant qu’un quorum de vos témoins atteste est {time} (temps POSIX {posix}), et la fin de la main y était déjà\u{a0}: ces preuves ne montrent pas que le jeu était fixé avant la première carte\u{202f}; un reçu conservé avant le montre (--receipt)."
        )
    },
    before_no_end: |places, time, posix| {
        format!(
            "Dans le journal, {places}. À {time} (temps POSIX {posix}), un quorum de vos témoins y avait vu deck et open\u{202f}; la place de la fin de la main n’est pas prouvée, elle pouvait donc y être déjà\u{a0}: demander sa preuve."
        )
    },
    grinding: "Choix du jeu",
    grinding_none: "Rien ne l’empêche\u{a0}: l’exploitant seul a fait l’ordre joué (mix none).",
    grinding_players: "Les graines des joueurs ont coupé le jeu après son engagement.",
    grinding_witnessed: "Une balise a coupé le jeu, et un quorum de témoins a vu l’ouverture de la main avant que la balise ne parle.",
    grinding_claimed: "Une balise a coupé le jeu, selon l’exploitant\u{a0}: personne n’atteste que open soit venu avant elle.",
    grinding_unchecked: "Une balise a coupé le jeu, selon l’exploitant\u{202f}; que open soit venu avant elle dépend de preuves du journal, qui n’ont pas été vérifiées.",
    players: "Joueurs",
    no_seed: "Aucun siège n’a engagé de graine",
    seeds: |seats| format!("Les sièges {seats} ont engagé des graines"),
    own_checked: |who| format!("{who}\u{202f}; votre propre graine est entrée dans la coupe."),
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
    history_stated: |points| format!(" Points ouverts qu’il tranche lui-même\u{a0}: {points}."),
    history_all: |bound, play| format!("{bound}\u{202f}; {play}"),
    history_legal: "d’après les mises qu’il rapporte, la main a été jouée selon les règles",
    history_open: |points| {
        format!(
            "si elle a été jouée selon les règles dépend, dans les termes du programme, en anglais\u{a0}: {points}"
        )
    },
    not_checked: "Non vérifié",
    origin_unchecked: "Si c’est le journal auquel vous vous fiez\u{a0}: aucun fichier de confiance n’a été donné (--trust FICHIER).",
    log_unchecked: "Les preuves du journal\u{a0}: sans fichier de confiance, aucune clé du journal n’est connue (--trust FICHIER).",
    beacon_unchecked: "La signature de la valeur de la balise\u{a0}: ce programme n’en compare que l’empreinte (option de compilation beacon).",
    history_absent: "L’historique de la main\u{a0}: l’entrée close en nomme un, qui n’est pas dans le fichier.",
    history_content: "Ce que dit l’historique de la main\u{a0}: seule son empreinte a été comparée.",
    history_bets: "Chaque mise et chaque suivi de l’historique, ses montants, ses délais dépassés et les abandons après lesquels plus aucune carte n’a été distribuée\u{a0}: c’est la parole de l’exploitant. Sont liés les cartes, leur ordre, les sièges et les abandons que montre la liste de distribution.",
    community_seats: "Qui était encore en jeu quand la carte commune a été distribuée\u{a0}: la liste de distribution ne dit pas qui s’est couché au sixième tour.",
    other_open: "Si le même jeu a été ouvert une seconde fois\u{a0}: seul un examen de tout le journal le montre.",
    ask_for: "À demander",
    ask_before: "Avant une main, conservez son entrée deck ou un reçu de celle-ci\u{202f}; donnez-les ici par --committed ou --receipt.",
    ask_proofs: "Demandez des preuves du journal dans le fichier, et vérifiez-les avec --trust.",
    ask_witnesses: "Demander les preuves de deck, open et de la fin, celles de deck et open sous un point de contrôle que vos témoins ont cosigné avant la première carte.",
    ask_full: "Comment le jeu a été fait est montré par la révélation complète, que seul un arbitre peut voir.",
    ask_cut: "Que personne n’a choisi le jeu n’est montré que par des mains coupées par les joueurs ou par une balise (mix players, mix beacon).",
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
    are_consistent: |count| format!("cohérents en eux-mêmes\u{a0}: {count}"),
    are_unshown: |count| format!("sans preuve que le jeu était fixé avant la main\u{a0}: {count}"),
    are_certificates: |count| format!("certificats\u{a0}: {}", number(count)),
    are_refused: |count| format!("refusés\u{a0}: {count}"),
    are_unreadable: |count| format!("non jugés\u{a0}: {count}"),
    depends_of: |count| {
        format!(" Pour {count}, on ne peut dire sans réserve si la main a été jouée selon les règles.")
    },
    refused: |code| format!("refusé, {code}."),
    first_failure: "Le premier défaut arrête tout\u{202f}; rien de ce qui suit n’a été vérifié. PROTOCOL.md, section 15, explique le code.",
};
