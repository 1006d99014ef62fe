//! A certificate judged again, in French.

use crate::document::words::certificate::CertificateWords;
use crate::document::words::fr::number;

pub(super) const WORDS: CertificateWords = CertificateWords {
    refused: |name, fault| {
        format!(
            "{name}\u{a0}: REFUSÉ, aucun verdict n’en vaut\u{a0}: le certificat se contredit, ou contredit ses jeux de cartes\u{202f}; dans les termes du programme, en anglais\u{a0}: {fault}."
        )
    },
    follows: |name, verdict| {
        format!(
            "{name}\u{a0}: verdict {verdict}\u{202f}; le certificat est cohérent\u{a0}: chaque valeur p et le verdict découlent de ses entiers."
        )
    },
    dealt_again: |name, verdict, decks| {
        format!(
            "{name}\u{a0}: verdict {verdict}\u{202f}; le certificat est cohérent\u{a0}: {} jeux de cartes ont été distribués et comptés à nouveau, et chaque entier est le même.",
            number(decks)
        )
    },
    read_again: |name, verdict, decks| {
        format!(
            "{name}\u{a0}: verdict {verdict}\u{202f}; le certificat est cohérent\u{a0}: {} jeux de cartes ont été lus et comptés à nouveau, et chaque entier est le même.",
            number(decks)
        )
    },
    hands_follow: |name, verdict| {
        format!(
            "{name}\u{a0}: verdict {verdict}\u{202f}; le certificat des mains publiées est cohérent\u{a0}: chaque valeur p et le verdict découlent de ses entiers."
        )
    },
    hands_again: |name, verdict| {
        format!(
            "{name}\u{a0}: verdict {verdict}\u{202f}; le certificat des mains publiées est cohérent\u{a0}: le fichier a été lu et compté à nouveau, et chaque entier est le même."
        )
    },
    subject: |subject| {
        format!("Objet, tel que le plan le nomme et que personne ne l’a vérifié\u{a0}: {subject}.")
    },
    subject_line: |name, text| format!("Objet, tel que le plan le nomme\u{a0}: {name}\u{a0}: {text}."),
    source: |source| format!("Source, dans les termes du programme, en anglais\u{a0}: {source}."),
    decks: |decks, planned| {
        format!("Jeux de cartes\u{a0}: {decks}\u{202f}; demandés par le plan\u{a0}: {}.", number(planned))
    },
    decks_all: |decks| format!("Jeux de cartes\u{a0}: {decks}\u{202f}; demandés par le plan\u{a0}: tous."),
    statistics: |extent, p_values| {
        format!(
            "Valeurs p\u{a0}: {}\u{202f}; tests statistiques, dans les termes du programme, en anglais\u{a0}: {extent}.",
            number(p_values)
        )
    },
    plan: |sha256| format!("SHA-256 du plan\u{a0}: {sha256}."),
    plan_saved: "Plan, fait avant les données, si vous avez conservé son SHA-256 avant la distribution des jeux de cartes\u{a0}: c’est celui que vous donnez.",
    plan_receipt: |receipt, log, index| {
        format!(
            "Plan, fait avant les données, si vous aviez le reçu {receipt} avant la distribution des jeux de cartes\u{a0}: il montre le SHA-256 du plan, entrée {index} du journal {log}."
        )
    },
    plan_quorum: |log, index, time| {
        format!(
            "Plan, fait avant les données, si les jeux de cartes ont été distribués après le {time}\u{a0}: un quorum de vos témoins avait alors vu le SHA-256 du plan, entrée {index} du journal {log}."
        )
    },
    tool: |version, commit| format!("Programme\u{a0}: deckproof {version}, commit {commit}."),
    says: |sentence| format!("Il conclut\u{a0}: {sentence}"),
    outcome: |verdict, decks, p_value, p_values| {
        format!(
            "{verdict}\u{a0}: jeux de cartes jugés\u{a0}: {decks}, valeur p de famille {p_value} (valeurs p\u{a0}: {})\u{202f}; hypothèse nulle\u{a0}: les jeux sont indépendants et tous les ordres sont équiprobables.",
            number(p_values)
        )
    },
    outcome_hands: |verdict, hands, p_value, p_values| {
        format!(
            "{verdict}\u{a0}: mains dont toutes les cartes ouvertes de la troisième rue sont nommées\u{a0}: {hands}, valeur p de famille {p_value} (valeurs p\u{a0}: {})\u{202f}; hypothèse nulle\u{a0}: une donne équitable.",
            number(p_values)
        )
    },
    proof: |proof| format!(" Preuve, dans les termes du programme, en anglais\u{a0}: {proof}"),
    repeated: |decks, p_value| {
        format!(
            " C’est la répétition déclarée\u{202f}; le premier examen ({decks} jeux de cartes) appelait à examiner (valeur p de famille {p_value})."
        )
    },
    file: |bytes, sha256| format!("Fichier\u{a0}: {bytes} octets, SHA-256 {sha256}."),
    hands: |high, eight, other, unread, twice, unnamed| {
        format!(
            "Mains\u{a0}: stud haut {high}, stud 8 ou mieux {eight}, autres jeux {other}, non lues {unread}, venues deux fois {twice}, avec une carte ouverte de la troisième rue non nommée {unnamed}."
        )
    },
    not_checked: |what| format!("Non vérifié\u{a0}: {what}"),
    not_reproducible: |reason| {
        format!(
            "que les entiers sont ceux de la source, ce que personne ne peut vérifier (des entiers peuvent être inventés)\u{202f}; dans les termes du programme, en anglais\u{a0}: {reason}."
        )
    },
    integers: "que les entiers sont ceux de la source\u{a0}: des entiers peuvent être inventés, et les juger à nouveau montre seulement que \
               le calcul est juste (--rerun recompte les jeux).",
    hands_picked: "que les fichiers contiennent toutes les mains, et qu’aucune n’a été choisie pour ses cartes\u{a0}: rien en eux ne le montre.",
    hands_integers: "que les entiers sont ceux des fichiers\u{a0}: des entiers peuvent être inventés (--rerun --source FICHIER recompte).",
    other_tool: "le programme\u{a0}: c’est une autre version que celle que le certificat nomme.",
    plan_time: "que le plan a été fait avant les données\u{a0}: le certificat contient son empreinte SHA-256, et seul qui l’a reçue avant peut \
                comparer.",
};
