//! The table of premises in French.

use crate::document::words::premise::PremiseWords;

pub(super) const WORDS: PremiseWords = PremiseWords {
    section: "Prémisses",
    text: "Ce que dit la première page vaut dans la mesure où valent ces prémisses. Des comptages peuvent en contredire certaines\u{202f}; les autres sont supposées, et aucun nombre de jeux de cartes ne montrerait qu’elles sont fausses.",
    caption: "Ce sur quoi repose ce rapport",
    note: "Une prémisse que ces données ne pouvaient contredire vaut ce que vaut celui qui en répond.",
    premise: "Prémisse",
    state: "Dans quelle mesure elle est montrée",
    refutable: "Ces données pouvaient-elles la contredire\u{202f}?",
    yes: "oui",
    partly: "en partie",
    no: "non (supposée)",
    shown: "montrée\u{a0}: calculée à partir de ce dossier",
    by_customer: "la parole du client",
    by_laboratory: "la parole du laboratoire",
    contradicted: |row| format!("contredite, voir {row}"),
    not_counted_again: "compté une fois\u{202f}; deckproof verify --rerun recompte",
    not_by_these_data: "rien dans ce dossier ne la montre",
    verdict: "Le verdict découle des comptages.",
    permutation: "Chaque enregistrement est un jeu de cartes de 52 cartes différentes.",
    counts: "Les comptages sont ceux des jeux de cartes.",
    next_deck_unknown: "Le jeu de cartes suivant ne peut être calculé à partir de ceux qui ont été vus.",
    build_in_production: "Le programme examiné est celui en production, et distribue comme en jeu réel.",
    decks_of_the_table: "Les jeux de cartes examinés sont ceux de la table, tous.",
    plan_fixed: "Le plan était fixé avant que les jeux de cartes soient connus.",
    decks_not_chosen: "Personne n’a choisi parmi plusieurs séries de jeux de cartes, ni parmi plusieurs campagnes.",
};
