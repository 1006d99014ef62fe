//! The judgement of a report package in French.

use crate::document::words::fr::number;
use crate::document::words::package::PackageWords;

pub(super) const WORDS: PackageWords = PackageWords {
    refused: |name, fault| {
        format!(
            "{name}\u{a0}: le dossier d’essai est refusé\u{202f}; dans les termes du programme, en anglais\u{a0}: {fault}."
        )
    },
    consistent: |name, files, recomputed| {
        format!(
            "{name}\u{a0}: le dossier d’essai est cohérent\u{a0}: {files} fichiers ont leur somme de contrôle, et {recomputed} d’entre eux \
             découlent du projet, du plan, des certificats et des comptages, octet pour octet.",
            files = number(files),
            recomputed = number(recomputed)
        )
    },
    signed_by: |who| format!("Les sommes de contrôle sont signées par {who}."),
    counted_again: |decks| {
        format!(
            "{} jeux de cartes et la sortie brute ont été comptés à nouveau\u{a0}: chaque entier est le même, et l’autotest aussi.",
            number(decks)
        )
    },
    decks_again: |decks| {
        format!(
            "{} jeux de cartes ont été comptés à nouveau\u{a0}: chaque entier est le même, et l’autotest aussi.",
            number(decks)
        )
    },
    says: |verdict, report, revision, audits, decks| {
        format!(
            "Il conclut\u{a0}: {verdict}\u{a0}: rapport {report}, révision {}, audits\u{a0}: {}, jeux de cartes\u{a0}: {}\u{202f}; hypothèse nulle de \
             chaque audit\u{a0}: les jeux sont indépendants et tous les ordres sont équiprobables.",
            number(revision),
            number(audits),
            number(decks)
        )
    },
    campaign: |sha256| format!("SHA-256 de la campagne\u{a0}: {sha256}."),
    not_checked: |what| format!("Non vérifié\u{a0}: {what}"),
    unsigned: "qui l’a établi\u{a0}: il n’a pas de signature.",
    who_signed: "qui l’a signé (--signers FICHIER --identity NOM).",
    integers: "que les entiers sont ceux des sources\u{a0}: des entiers peuvent être inventés, et les juger à nouveau montre seulement que \
               le calcul est juste (--rerun recompte tout).",
    supplied: |audits| {
        format!("ces audits, dont les jeux de cartes doivent être fournis par --source\u{a0}: {audits}.")
    },
    gone: |audits| {
        format!("ces audits, dont personne n’a les jeux de cartes une seconde fois\u{a0}: {audits}.")
    },
    page: |file| {
        format!("{file}, hormis sa somme de contrôle\u{a0}: cette version du programme ne peut pas l’écrire.")
    },
    people: "ce que des personnes y affirment\u{a0}: noms, dates, déclarations, éléments de preuve et avis engagent leurs signataires.",
    first_one: "qu’il est le premier\u{a0}: qui peut signer peut établir un autre dossier, avec d’autres clés ou d’autres mots, tout aussi \
                cohérent. Ce qui les distingue est le SHA-256 de la campagne, déposé avant le premier jeu de cartes.",
};
