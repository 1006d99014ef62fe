//! The mail of the daily job in French.

use crate::document::words::fr::number;
use crate::document::words::mail::MailWords;

pub(super) const WORDS: MailWords = MailWords {
    subject: |name, day, said, whose| format!("{name}, {day}\u{a0}: {said}, {whose}"),
    passed: "RÉUSSI",
    investigate: "À EXAMINER",
    stop: "ARRÊT",
    could_not_say: "INDÉTERMINÉ",
    no_deck: "aucun jeu de cartes jugé",
    no_deck_of: |files| format!("{files}\u{a0}: aucun jeu de cartes jugé"),
    beside_stop: |day, whose| format!("l’arrêt du {day} dure, {whose}"),
    stop_until_step: |day, step| {
        format!(
            "Arrêt du {day}, actif\u{a0}: {step}. Il dure tant que ce contrôle échoue\u{202f}; ou history --lift."
        )
    },
    stop_until_decks: |day, step| {
        format!(
            "Arrêt du {day}, actif\u{a0}: {step}. Il dure jusqu’à de nouveaux jeux\u{202f}; ou history --void."
        )
    },
    stop_until_release: |day, step| {
        format!("Arrêt du {day}, actif\u{a0}: {step}. Il cesse par history --release ou --void.")
    },
    of_decks: |decks, what| format!("{} jeux\u{a0}: {what}", number(decks)),
    wrong_files: "un fichier en service n’est pas celui de la liste",
    wrong_restarts: "relancé, le mélangeur a répété un départ antérieur",
    wrong_log: "le journal des mains se contredit",
    wrong_seats: "horloges ou tapis d’une table ne sont pas en ordre",
    wrong_replay: "une main n’est pas celle qui fut engagée",
    wrong_decks: "ce n’est pas un mélange équitable",
    wrong_predicted: "leur générateur a été retrouvé, les cartes suivantes sont connues",
    wrong_record: "un enregistrement n’est pas un jeu de 52 cartes",
    wrong_repeat: "un jeu est revenu",
    wrong_cell: |card, place, found, decks, expected| {
        format!(
            "{card} était la carte {place} dans {} de {} jeux, attendu {}",
            number(found),
            number(decks),
            number(expected)
        )
    },
    wrong_comparison: "un seul mélangeur n’a pas distribué les deux",
    wrong_drift: "sur tous les jours, ce n’est pas un mélange équitable",
    wrong_program: "ce programme échoue à son propre contrôle",
    wrong_noise: "la source de bruit n’est pas saine",
    question: "une question, pas un constat",
    unsaid_export: "l’export ne peut pas être jugé",
    unsaid_changed: "le fichier a été modifié avant ses nouveaux enregistrements",
    unsaid_few: "trop peu de jeux pour un jour",
    unsaid_step: |step| format!("un contrôle n’a pas pu être fait, {step}"),
    judged_before: |row, said| format!("déjà jugé\u{a0}: ligne {}, {said}", number(row)),
    nothing_added_again: "Rien n’a été réexaminé ni ajouté.",
    change: |words| format!("Changement, en anglais\u{a0}: {words}."),
    note: |words| format!("À noter, en anglais\u{a0}: {words}."),
    whose: |whose| format!("Jeux lus\u{a0}: {whose}"),
    level: |p_value, level| format!("{p_value} (un jour interroge dès {level})"),
    decks_of: |decks, source| format!("{} jeux de cartes, source {source}", number(decks)),
    all_passed: |passed| format!("Les {} contrôles sont réussis.", number(passed)),
    some_passed: |passed, missing| {
        format!("Contrôles réussis\u{a0}: {}\u{202f}; non configurés\u{a0}: {missing}.", number(passed))
    },
    and_more: |more| format!(" et {more} de plus"),
    found: |name, evidence| format!("{name}, en anglais\u{a0}: {evidence}"),
    no_reason: "aucune raison n’a été consignée",
    decks_none: "Jeux\u{a0}: aucun jugé aujourd’hui\u{202f}; cela ne dit rien du mélangeur, ni pour ni contre.",
    decks_proof: |verdict, proof| format!("Jeux\u{a0}: {verdict}, preuve, en anglais\u{a0}: {proof}"),
    decks: |verdict, p_value, p_values, decks| {
        let (p_values, decks) = (number(p_values), number(decks));
        format!(
            "Jeux\u{a0}: {verdict}, valeur p de famille {p_value} ({p_values} valeurs p), H0\u{a0}: mélange équitable, n = {decks}"
        )
    },
    evidence_none: "Indices cumulés sur tous les jours\u{a0}: non calculés aujourd’hui.",
    evidence_none_short: "indices cumulés non calculés aujourd’hui.",
    evidence_short: |days, stands| {
        let word = if days == 1 { "jour" } else { "jours" };
        format!("l’indice sur {} {word} {stands}", number(days))
    },
    missing: |days, evidence| format!("Sans résultat\u{a0}: {days}\u{202f}; {evidence}"),
    both: |one, two| format!("{one} et {two}"),
    and_more_days: |more| format!(" et {more} {}", if more == 1 { "autre" } else { "autres" }),
    evidence: |days, stands| {
        let word = if days == 1 { "jour" } else { "jours" };
        format!("Sur {} {word}, l’indice contre le mélangeur {stands}", number(days))
    },
    evidence_proof: "est une preuve\u{a0}: un jeu est revenu",
    evidence_nothing: "est nul",
    evidence_odds: |odds| format!("est de 1 sur {odds}"),
    next_passed: "Rien à faire.",
    next_could_not_say: "Corriger la cause, relancer daily.",
    next_export: "Continuer\u{202f}; fournir le bon fichier, relancer daily.",
    next_export_stopped: "Ne pas continuer\u{202f}; fournir le bon fichier, relancer daily.",
    next_too_few: "Ajouter des jeux à la source, relancer daily.",
    next_told_once: "Remettre ce contrôle ou l’omettre\u{a0}: dit une fois.",
    next_before_the_next: "Corriger la cause avant le jour suivant.",
    next_investigate: "Continuer\u{202f}; le jour suivant tranchera.",
    next_stop: "Arrêter la distribution, tout conserver.",
    row: |row, hash| format!("Ligne {row} {hash}"),
    not_recorded: "le jour n’a pas pu être consigné",
    record_damaged: "le registre des jours précédents est endommagé",
    decks_unrecorded: "Jeux\u{a0}: rien n’est consigné aujourd’hui\u{202f}; cela ne dit rien du mélangeur, ni pour ni contre.",
    restore: "Mettre de côté le dossier endommagé, le restaurer d’une sauvegarde, relancer daily.",
    record_changed: "le registre des jours précédents a été modifié",
    chain: |fault| format!("chaîne, en anglais\u{a0}: {fault}"),
    nothing_added: "Jeux\u{a0}: aucun jugé aujourd’hui\u{202f}; rien n’est ajouté, pour ne pas vieillir la modification.",
    keep_folder: "Garder le dossier tel quel, le comparer aux courriels précédents, chercher qui pouvait y écrire.",
    notice: |line| format!("dans les termes du programme, en anglais\u{a0}: {line}"),
};
