//! What `deckproof certify` says on the screen, in French.

use crate::document::words::campaign::CampaignWords;
use crate::document::words::fr::number;

pub(super) const WORDS: CampaignWords = CampaignWords {
    frozen: |audits, sha256, plan| {
        format!("Plan figé (audits\u{a0}: {}), SHA-256 de la campagne {sha256}, dans {plan}.", number(audits))
    },
    nothing_drawn: "Rien n’a été tiré. La même commande sans --plan-only exécute la campagne. Un dépôt de cette empreinte montre que cette campagne était alors figée\u{202f}; combien d’autres l’ont été, seul le sait qui reçoit tous les dépôts.",
    runs: |place, all, id| {
        format!("{} de {}\u{a0}: {id}, tous les jeux de cartes.", number(place), number(all))
    },
    runs_decks: |place, all, id, decks| {
        format!("{} de {}\u{a0}: {id}, jeux de cartes\u{a0}: {}.", number(place), number(all), number(decks))
    },
    audit: |id, verdict, decks, p_value, p_values| {
        let (decks, p_values) = (number(decks), number(p_values));
        format!(
            "{id}\u{a0}: {verdict}, jeux de cartes\u{a0}: {decks}, valeur p de famille {p_value} sur {p_values} valeurs p."
        )
    },
    raw: |item, verdict, words, p_value| {
        let words = number(words);
        format!(
            "{item}.raw\u{a0}: {verdict}, {words} mots de 32 bits, valeur p de famille {p_value} sur 5 valeurs p\u{202f}; hypothèse nulle\u{a0}: bits indépendants et équilibrés."
        )
    },
    ended: |headline, audits, not_passed, revision| {
        let (audits, not_passed, revision) = (number(audits), number(not_passed), number(revision));
        format!(
            "{headline} (audits\u{a0}: {audits}, dont non réussis\u{a0}: {not_passed}), révision {revision}\u{202f}; hypothèse nulle de \
             chaque audit\u{a0}: les jeux de cartes sont indépendants et chaque ordre est également probable."
        )
    },
    selftest_failed: "L’autotest de ce programme a échoué\u{a0}: voir selftest.json. Ses résultats ne sont pas fiables.",
    written: |files, folder| format!("Fichiers écrits\u{a0}: {}, dans {folder}.", number(files)),
    no_pdf: "Pas de report.pdf\u{a0}: cette version n’écrit pas de PDF (cargo build --release --features pdf, Rust 1.92 ou plus récent, en fait une qui en écrit)\u{202f}; report.html s’imprime depuis tout navigateur.",
    finished: |folder| format!("Le dossier {folder} est achevé\u{a0}: rien n’en a été réécrit."),
    packed: |file, bytes| format!("Archivé\u{a0}: {file}, {} octets.", number(bytes)),
    signed: |file, namespace| format!("Signé\u{a0}: {file}, espace de noms {namespace}."),
    not_signed: |namespace, file| {
        format!("Non signé. Pour signer\u{a0}: ssh-keygen -Y sign -n {namespace} -f KEY {file}")
    },
};
