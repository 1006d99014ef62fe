//! Scope, item, sampling, environment and methods of a laboratory report, in French.

use crate::document::words::fr::number;
use crate::document::words::method::MethodWords;

pub(super) const WORDS: MethodWords = MethodWords {
    scope: "Portée et limites",
    scope_text: |items, audits| {
        let items = number(items);
        let audits = number(audits);
        format!(
            "Objets examinés, chaque réalisation séparément\u{a0}: {items}. Audits, tous figés avant le premier jeu de cartes\u{a0}: {audits}."
        )
    },
    scope_caption: "Ce qui a été examiné de chaque objet",
    tables: "De mains distribuées",
    raw_words: "Mots bruts",
    taken_caption: "Par qui et comment les jeux de cartes ont été prélevés",
    planned_repeat: "Répétition prévue",
    plans_note: "De jeux de cartes enregistrés, les tables lisent des parties successives du fichier tant qu’il dure, et une répétition due lit les jeux de cartes suivants\u{202f}; les parties de plusieurs audits peuvent se chevaucher.",
    limits: "Ce que ce rapport ne montre pas",
    limit_all: "Il n’est pas possible d’éprouver tous les scénarios\u{202f}; ce que les statistiques détectent, et à partir de combien de jeux de cartes, figure dans la section des méthodes et dans le tableau de puissance.",
    limit_predict: "Si l’ordre des cartes peut être prédit\u{a0}: un bon générateur dont la clé est connue réussit tous les tests statistiques.",
    limit_table: "Si les jeux de cartes distribués à une table sont ceux de l’objet d’essai\u{202f}; cela demande des engagements avant chaque main et leur vérification après.",
    limit_outside: "Ce qui se passe hors du jeu de cartes\u{a0}: qui voit les cartes, qui joue ensemble, quelles mains ont été annulées.",
    limit_begun: "Combien de fois une campagne a été commencée avant celle-ci. Chaque plan figé a une autre empreinte de campagne, même pour les mêmes objets et fichiers. Une empreinte qu’un tiers a conservée avec sa date montre que cette campagne était figée à ce moment\u{202f}; combien d’autres l’étaient, seul peut le compter qui reçoit tous les dépôts.",
    limit_supplied: "Si les jeux de cartes enregistrés sont tous les jeux de cartes distribués, dans leur ordre.",
    references: "Références",
    references_caption: "Normes dont les tests ont été exécutés",
    references_note: "Les noms des tests et des textes, en anglais, sont ceux que le programme connaît\u{202f}; aucun texte n’est cité. Lorsqu’un texte dit chaque position, chaque carte ou chaque paire, toutes sont jugées ensemble à son niveau (Bonferroni)\u{a0}: à 99\u{202f}%, l’une des 1\u{202f}326 paires de positions d’un mélange équitable manquerait presque toujours un niveau qui lui serait propre. Une édition non vérifiée est à compléter par le laboratoire.",
    named_tests: "Tests nommés",
    beyond: "Également demandé, mais hors de portée des statistiques de jeux de cartes",
    edition: "Édition et date",
    address: "Adresse de la copie",
    edition_as_of: |edition, day| {
        let gap = if edition.is_empty() { "" } else { "\u{202f}; " };
        format!("{edition}{gap}texte au {day}")
    },
    edition_unverified: "édition non vérifiée",
    no_text_found: "aucun texte trouvé qui demande une statistique",
    text_not_read: "texte non lu",
    no_test_named: "statistiques par des tests généralement acceptés\u{202f}; aucun test ni niveau nommé",
    no_level: |tests| format!("à titre d’exemple, sans niveau\u{a0}: {tests}"),
    item_section: "Objet d’essai",
    id: "Identifiant dans ce rapport",
    name: "Nom",
    version: "Version",
    serial: "Numéro de série",
    condition: "État à la réception",
    maker: "Fabricant",
    platform: "Plateforme et configuration",
    description: "Comment il mélange",
    source: "Source des jeux de cartes, telle que nommée par le programme",
    files_caption: |id| format!("Fichiers de l’objet {id}"),
    files_more: |count, name| {
        let count = number(count);
        format!("{count} autres fichiers figurent dans {name}.")
    },
    files_none: |id| format!("Aucun fichier de l’objet {id} n’a été listé."),
    path: "Chemin",
    bytes: "Octets",
    declarations: "Déclarations du client",
    declarations_note: "Les déclarations sont celles du client\u{202f}; rien ici ne les vérifie.",
    no_declarations: "Le client n’a fait aucune déclaration.",
    declared_in_rows: |rows| {
        format!(
            "Ce que le client déclare de chaque exigence figure, sans vérification, aux lignes correspondantes du tableau des exigences\u{a0}: {rows}."
        )
    },
    about: "À propos de",
    words: "Déclaration",
    about_build: "version",
    about_changes: "changements",
    about_seeding: "graines",
    about_reseeding: "réensemencement",
    about_secrecy: "confidentialité",
    about_monitoring: "surveillance",
    about_other: "autre",
    review: "Code source et conception",
    review_text: "La revue du code source ne fait pas partie de ce programme. Ce que des personnes ont constaté figure aux lignes R2 à R4 et R9 du tableau des exigences.",
    certified_text: "Les jeux de cartes de la source audit sont ceux du mélange spécifié dans PROTOCOL.md du programme\u{a0}: ChaCha20 (RFC 8439) avec une clé par jeu de cartes, et tirages de Fisher–Yates avec rejet, de sorte que chaque tirage est exactement uniforme si les mots le sont.",
    sampling: "Échantillonnage et collecte des données",
    taken_by: "Jeux de cartes prélevés par",
    by_laboratory: "le laboratoire",
    by_customer: "le client",
    method: "Méthode",
    custody: "Chaîne de possession",
    plan_text: "Le plan de chaque audit a été figé et haché avant le tout premier jeu de cartes. Il nomme la source, le nombre de jeux de cartes, les statistiques avec leurs versions, les niveaux et l’unique répétition.",
    plan_keys: "Les clés neuves ont été produites par le système d’exploitation au moment de figer le plan\u{202f}; elles y figurent et sont publiques, afin que chacun puisse reproduire ces jeux de cartes.",
    blocks_text: |decks| {
        let decks = number(decks);
        format!(
            "Les jeux de cartes sont comptés par segments de {decks}\u{202f}; les statistiques d’un jeu de cartes au suivant recommencent à chaque segment. Aucun jeu de cartes n’est omis."
        )
    },
    plans_caption: "Audits, tels que figés",
    audit: "Audit",
    planned: "Jeux de cartes prévus",
    plan_hash: "SHA-256 du plan",
    all_decks: "tous",
    environment: "Environnement et programme",
    machine: "Machine",
    system: "Système d’exploitation",
    conditions: "Autres conditions",
    tool: "Programme qui a écrit ce rapport",
    tool_counted: "Programme qui a compté",
    tool_text: |version, commit| format!("deckproof {version}, révision {commit}"),
    executable: "SHA-256 de l’exécutable",
    no_influence: "Les résultats ne dépendent ni du nombre de fils d’exécution, ni du processeur, ni des interruptions.",
    methods: "Méthodes",
    methods_text: "Chaque audit est un ensemble de statistiques de test dont la loi sous l’hypothèse nulle est exacte ou majorée\u{202f}; l’hypothèse nulle est que les jeux de cartes sont indépendants et que tous les ordres possibles des 52 cartes sont équiprobables. Les valeurs p sont bilatérales. Les statistiques sont groupées en familles qui se partagent le niveau de signification à parts égales\u{202f}; dans une famille, ce niveau est partagé entre toutes les valeurs p prévues (Holm, 1979).",
    uncertainty: "Les jeux de cartes, les cartes et les mots sont dénombrés exactement\u{a0}: ces effectifs n’ont pas d’incertitude de mesure. Ce que le hasard laisse ouvert dans une valeur p est donné par les risques de la déclaration de conformité\u{202f}; la colonne tail de p-values.csv dit de chacune si elle est exacte, majorée ou approchée.",
    statistics_caption: "Définition de chaque statistique",
    statistics_note: "Les noms de parties (total, max-cell, each-seat…) sont ceux de p-values.csv. Les titres d’ouvrages restent dans leur langue.",
    statistic: "Statistique (identifiant, version)",
    null: "Hypothèse nulle",
    formula: "Formule et source",
    least: "Jeux de cartes au minimum",
};
