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
    stop_until_step: |day, step| format!("L’arrêt du {day} ({step}) dure tant que ce contrôle échoue."),
    stop_until_decks: |day, step| {
        format!("L’arrêt du {day} ({step}) dure tant que de nouveaux jeux n’ont pas réussi.")
    },
    stop_for_good: |day, step| {
        format!(
            "L’arrêt du {day} ({step}) est définitif\u{202f}; réparé, le mélangeur reçoit un nouveau dossier."
        )
    },
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
    next_nothing_new: "Rien à relancer\u{a0}: attendre de nouveaux jeux.",
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
