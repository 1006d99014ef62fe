//! The judgement of a report package in French.

use crate::document::words::fr::number;
use crate::document::words::package::PackageWords;

pub(super) const WORDS: PackageWords = PackageWords {
    refused: |name, fault| {
        format!(
            "{name}\u{a0}: REFUSÉ, aucun verdict n’en vaut\u{a0}: le dossier d’essai se contredit\u{a0}: {fault}."
        )
    },
    fault_checksum: |file, _| {
        format!("{file}\u{a0}: le SHA-256 de ce fichier n’est pas celui que donne SHA256SUMS")
    },
    fault_unlisted: |file, _| format!("{file}\u{a0}: ce fichier n’appartient pas au dossier"),
    fault_missing: |file, _| format!("{file}\u{a0}: ce fichier manque, ou n’est pas un fichier simple"),
    fault_derived: |file, _| format!("{file}\u{a0}: ce fichier ne découle pas des certificats et du projet"),
    fault_unsound: |file, _| {
        format!("{file}\u{a0}: ce fichier se contredit, ou contredit un autre fichier du dossier")
    },
    fault_archive: |what| {
        format!(
            "l’archive est faite de sorte que deux programmes puissent y lire deux dossiers\u{202f}; dans les termes du programme, en \
             anglais\u{a0}: {what}"
        )
    },
    consistent: |name, verdict, files, recomputed| {
        format!(
            "{name}\u{a0}: verdict {verdict}\u{202f}; le dossier d’essai est cohérent\u{a0}: {files} fichiers ont leur somme de contrôle, et {recomputed} d’entre eux \
             découlent du projet, du plan, des certificats et des comptages, octet pour octet.",
            files = number(files),
            recomputed = number(recomputed)
        )
    },
    sums_hold: "Chaque fichier a sa somme de contrôle.",
    signed_by: |who| format!("Les sommes de contrôle sont signées par {who}."),
    no_signature: |file, who| format!("{file}\u{a0}: aucune signature trouvée, il en faut une de {who}"),
    other_signature: |file, told| {
        format!("{file}\u{a0}: c’est la signature d’autres sommes de contrôle que celles-ci\u{202f}; {told}")
    },
    not_signed_by: |file, who, told| {
        format!("{file}\u{a0}: ce n’est pas la signature de {who} sur ces sommes de contrôle\u{202f}; {told}")
    },
    expired: |who, day| {
        format!(
            "quand il a été signé\u{a0}: la clé de {who} n’est plus valable aujourd’hui, et l’était le {day}, date d’émission que le \
             rapport indique lui-même. Si vous savez qu’il a été signé un certain jour, donnez --signed-on DATE."
        )
    },
    keygen_said: |line| format!("ssh-keygen répond, en anglais\u{a0}: «\u{a0}{line}\u{a0}»"),
    keygen_ended: |status| format!("ssh-keygen s’est arrêté sans réponse, en anglais\u{a0}: {status}"),
    counted_otherwise: |file, _| format!("{file}\u{a0}: recompté, un nombre au moins en diffère"),
    words_otherwise: |file| format!("{file}\u{a0}: recomptés, les mots de sa clé ont d’autres effectifs"),
    selftest_otherwise: "selftest.json\u{a0}: exécuté de nouveau, l’autotest a constaté autre chose",
    kept_again: |decks| {
        format!(
            "{} jeux de cartes conservés dans le dossier ont été comptés à nouveau\u{a0}: chaque entier est le même.",
            number(decks)
        )
    },
    kept_whose: "que les jeux de cartes conservés dans le dossier sont ceux que le programme a donnés\u{a0}: c’est la parole du laboratoire.",
    other_decks: |audits| {
        format!(
            "ces audits, dont le programme a donné cette fois d’autres jeux de cartes\u{a0}: {audits}. Un programme aléatoire ne peut \
             redonner les mêmes, et rien n’est dit contre les premiers."
        )
    },
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
             chaque audit\u{a0}: les jeux de cartes sont indépendants et tous les ordres sont équiprobables.",
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
    plan_time: "que les plans ont été figés avant les données\u{a0}: le dossier contient le SHA-256 de sa campagne, et seul qui l’a reçu \
                avant peut comparer (--committed, --receipt).",
    people: "ce que des personnes y affirment\u{a0}: noms, dates, déclarations, éléments de preuve et avis engagent leurs signataires.",
    first_one: "qu’il est le premier\u{a0}: qui peut signer peut établir un autre dossier, avec d’autres clés ou d’autres mots, tout aussi \
                cohérent. Un SHA-256 de campagne qu’un autre que le signataire a conservé avec sa date montre que celle-ci était figée à ce \
                moment\u{202f}; combien d’autres l’étaient, seul peut le compter qui reçoit tous les dépôts.",
};
