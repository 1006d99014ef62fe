//! Results, conformity and annexes of a laboratory report, in French.

use crate::document::words::fr::number;
use crate::document::words::result::ResultWords;

pub(super) const WORDS: ResultWords = ResultWords {
    raw: "Résultats\u{a0}: sortie brute",
    raw_none: "Aucune sortie brute n’a été examinée\u{a0}: non évalué ici. deckproof stream écrit mots et bits du générateur certifié pour d’autres programmes.",
    raw_text: |id, words, p, verdict| {
        let words = number(words);
        format!(
            "Objet {id}\u{a0}: {words} mots de 32 bits\u{202f}; valeur p de famille {p} sur cinq tests\u{202f}; hypothèse nulle\u{a0}: bits indépendants et équilibrés\u{202f}; verdict\u{a0}: {verdict}."
        )
    },
    raw_caption: |id| format!("Tests de la sortie brute de {id}"),
    raw_health: |run, window| {
        let run = number(run);
        let window = number(window);
        format!(
            "Plus longue suite d’octets égaux\u{a0}: {run}\u{202f}; plus grand nombre du premier octet dans une fenêtre de 512 octets\u{a0}: {window} (comptages de SP 800-90B, 4.4.1 et 4.4.2\u{202f}; sur la sortie d’un générateur ils ne montrent que des défauts grossiers)."
        )
    },
    raw_ones: "bits à 1 parmi tous les bits",
    raw_changes: "changements d’un bit au suivant",
    raw_differences: "bits à 1 dans le ou exclusif de mots voisins",
    raw_places: "bits à 1 à la plus singulière des 32 positions de bit",
    raw_repeated: |id, p| {
        format!(
            "La sortie brute de {id} avait au premier examen une valeur p de famille de {p}, inférieure à 0,01\u{202f}; selon la règle de décision, les mots suivants, quatre fois plus nombreux, ont été jugés une seule fois et décident."
        )
    },
    raw_bytes: "octets, χ² de Pearson à 255 degrés de liberté",
    test: "Test statistique",
    count: "Comptage ou score",
    of: "Sur",
    outcomes: "Résultats\u{a0}: jeux de cartes mélangés",
    outcomes_caption: "Audits de jeux de cartes",
    stud: "Résultats\u{a0}: mains distribuées",
    stud_none: "Aucun usage n’est nommé dans le projet\u{a0}: les mains ne sont pas évaluées ici.",
    stud_text: |tables| {
        let tables = number(tables);
        format!(
            "Tables où des mains ont été distribuées, tous les joueurs jusqu’à la dernière carte\u{a0}: {tables}. Chacune a été auditée séparément, sur ses propres jeux de cartes lorsque la source le permet."
        )
    },
    stud_caption: "Audits de mains distribuées",
    table: "Table",
    players: |rules, players| {
        let players = number(players);
        format!("{rules}, {players} joueurs")
    },
    rules: "Les règles, telles que le programme les connaît (PROTOCOL.md, section 8\u{202f}; aucun texte n’est cité)\u{a0}:",
    rules_stud_hi: "stud-hi\u{a0}: stud à sept cartes, la main haute gagne. Aucune carte n’est brûlée. Lorsqu’il ne reste pas assez de cartes au septième tour, une carte commune sert à tous.",
    rules_stud_8b: "stud-8b\u{a0}: stud à sept cartes, pot partagé entre la main haute et la main basse (8 ou mieux). Aucune carte n’est brûlée. Lorsqu’il ne reste pas assez de cartes au septième tour, une carte commune sert à tous.",
    rules_espacejeux: "espacejeux\u{a0}: stud à sept cartes selon les règles publiées par Loto-Québec, la main haute gagne. Une carte est brûlée avant chacun des tours 4 à 7. Lorsqu’il ne reste pas assez de cartes au septième tour, les cartes brûlées et non distribuées sont mélangées de nouveau.",
    river_shared: |tables| {
        format!(
            "Il ne reste pas assez de cartes, et une carte commune est comptée dans chaque main\u{a0}: {tables}."
        )
    },
    river_reshuffled: |tables| {
        format!(
            "Il ne reste pas assez de cartes, et les dernières proviennent d’un autre mélange, qui n’a pas été examiné\u{a0}: {tables}. Les mains y ont été jugées sur leurs six premières cartes, et ce que seule la dernière carte décide n’a pas été jugé."
        )
    },
    first_look: "Premier examen",
    repeat: "Répétition",
    p_values: "Nombre de valeurs p",
    family_p: "Valeur p de famille",
    smallest: "Plus petite valeur p",
    no_repeat: "sans objet",
    repeated: |id, first, p, repeat| {
        let first = number(first);
        let repeat = number(repeat);
        format!(
            "{id}\u{a0}: le premier examen, sur {first} jeux de cartes, avait une valeur p de famille de {p}, inférieure à 0,01\u{202f}; selon la règle de décision, les {repeat} jeux de cartes suivants ont été jugés une seule fois et décident. Les nombres de ce tableau sont les leurs."
        )
    },
    p_note: "Valeur p de famille\u{a0}: la plus petite valeur p de chaque famille multipliée par le nombre prévu pour la famille, et la plus petite d’entre elles multipliée par le nombre de familles. La plus petite de nombreuses valeurs p est petite par le seul hasard.",
    all_p: |id| format!("Toutes les valeurs p de l’audit {id}"),
    proof: |text| format!("Preuve, dans les termes du programme\u{a0}: {text}"),
    standards_caption: |id| format!("Chaque test nommé par une norme, dans l’audit {id}"),
    standards_note: "La valeur p est la plus petite de celles qui répondent au nom, multipliée par leur nombre. Elle est comparée au niveau de signification de la norme divisé par son nombre de tests.",
    named: "Norme",
    answers: "Valeurs p correspondantes",
    unpredictable: "Imprévisibilité et graines",
    unpredictable_text: "Les statistiques de jeux de cartes ne disent rien de l’imprévisibilité. Les lignes R9 à R13 du tableau des exigences disent ce qui a été constaté et par qui\u{202f}; là où personne n’a rien constaté, ce n’est pas évalué ici.",
    unpredictable_recovered: "Le générateur d’un audit a été retrouvé à partir de ses jeux de cartes (ligne R9)\u{a0}: ce qu’il distribuera ensuite est connu. Que ses jeux de cartes réussissent ou non d’autres statistiques ne dit rien de l’imprévisibilité. Les lignes R10 à R13 du tableau des exigences disent ce qui a été constaté d’autre et par qui.",
    seed_shown: |ids, decks, share, bits| {
        let decks = number(decks);
        format!(
            "{ids}\u{a0}: aucun jeu de cartes ne se répète parmi {decks} jeux de cartes{share}, ce qui montre un espace de graines de plus de {bits} bits à 99\u{202f}%, pour des graines tirées indépendamment et uniformément. Aucun nombre de jeux de cartes ne pourrait montrer ainsi les 225,6 bits d’un jeu de cartes."
        )
    },
    seed_silent: |ids, decks, share| {
        let decks = number(decks);
        format!(
            "{ids}\u{a0}: aucun jeu de cartes ne se répète parmi {decks} jeux de cartes{share}, ce qui ne dit rien de l’espace des graines. Aucun nombre de jeux de cartes ne pourrait montrer ainsi les 225,6 bits d’un jeu de cartes."
        )
    },
    seed_repeated: |ids, pairs, decks, share| {
        let (pairs, decks) = (number(pairs), number(decks));
        format!(
            "{ids}\u{a0}: paires de jeux de cartes égaux parmi {decks} jeux de cartes{share}\u{a0}: {pairs}. C’est une preuve que les jeux de cartes ne sont pas indépendants."
        )
    },
    seed_share: |share| format!(" (seule une fraction q = 1/{share} des empreintes a été gardée)"),
    controls: "Contrôles d’exploitation",
    controls_text: "Les lignes R14 à R22 du tableau des exigences concernent l’exploitation. Cette campagne a examiné des jeux de cartes, des fichiers et des clés, non l’exploitation d’une table\u{202f}; les éléments donnés par des personnes figurent à ces lignes.",
    conformity: "Déclaration de conformité",
    conformity_text: "La déclaration de conformité est le tableau des normes du résumé. Elle se rapporte aux résultats des sections sur les jeux de cartes mélangés et les mains distribuées.",
    rule: "Règle de décision",
    rule_text: "Rejeté\u{a0}: une preuve (un enregistrement qui n’est pas un jeu de cartes, un jeu de cartes répété), ou une valeur p de famille inférieure à 0,000001, calculée sur les valeurs p qui reposent sur une loi exacte, une borne démontrée ou de grands effectifs attendus. À examiner\u{a0}: une valeur p de famille inférieure à 0,01\u{202f}; les jeux de cartes suivants de la même source, quatre fois plus nombreux, sont alors jugés une seule fois par les mêmes statistiques\u{a0}: au-dessous de 0,01, ou avec une preuve, rejeté, sinon réussi. Non concluant\u{a0}: moins de 1\u{202f}000 jeux de cartes et rien trouvé. Réussi\u{a0}: tout le reste. La sortie brute est jugée par la même règle, les mots tenant lieu de jeux de cartes, et non concluante en dessous de 100\u{202f}000 mots.",
    level_note: "Une norme est jugée à son propre niveau de signification et ne change jamais le verdict d’un audit\u{202f}; une norme non satisfaite figure sur la première page. L’exigence sur les statistiques (R5) n’est pas satisfaite lorsqu’une norme ne l’est pas, bien que toutes les normes de tous les objets se partagent leurs niveaux à parts égales (Bonferroni). Le risque qu’un mélange parfait ne réussisse pas les tests d’une norme ne dépasse guère ce niveau\u{a0}: 1\u{202f}% au niveau de confiance de 99\u{202f}%, 5\u{202f}% à celui de 95\u{202f}%.",
    false_reject: "Risque de rejeter un mélange parfait",
    false_reject_text: |audits, final_risk, first_risk| {
        let audits = number(audits);
        format!(
            "Pour un audit, ou une sortie brute, avec sa répétition, au plus 1,01 sur 10\u{202f}000\u{202f}; pour tous ensemble, au plus {final_risk} (audits et sorties brutes\u{a0}: {audits}). Ne pas réussir au premier examen\u{a0}: pour tous ensemble, au plus {first_risk}."
        )
    },
    false_accept: "Risque d’accepter un mélange défectueux",
    power_measured: |id, detected, dealers, decks, seeds| {
        let seeds = number(seeds);
        let detected = number(detected);
        let dealers = number(dealers);
        let decks = number(decks);
        format!(
            "Audit {id}\u{a0}: puissance mesurée pour ce plan\u{a0}: avec {decks} jeux de cartes, {detected} des {dealers} mélangeurs défectueux ont été rejetés avec chaque graine essayée (graines pour chacun\u{a0}: au moins {seeds})."
        )
    },
    power_other: |id, detected, dealers, decks, seeds| {
        let seeds = number(seeds);
        let detected = number(detected);
        let dealers = number(dealers);
        let decks = number(decks);
        format!(
            "Audit {id}\u{a0}: puissance mesurée avec d’autres versions de certaines statistiques\u{a0}: là, avec {decks} jeux de cartes, {detected} des {dealers} mélangeurs défectueux ont été rejetés avec chaque graine essayée (graines pour chacun\u{a0}: au moins {seeds})."
        )
    },
    power_not: |ids| {
        format!(
            "La puissance n’a pas été mesurée pour les plans de\u{a0}: {ids}. Le nombre de mélangeurs défectueux qu’ils accepteraient n’est pas connu."
        )
    },
    opinions: "Avis et interprétations",
    no_opinions: "Aucun n’est donné.",
    opinion_of: |by, text| format!("{by} – {text}"),
    deviations: "Ajouts, écarts et exclusions",
    no_deviations: "Le laboratoire n’en signale aucun. Une répétition demandée par la règle de décision est rapportée sous les tableaux de résultats\u{202f}; ce qui s’est produit d’autre pendant la campagne figure parmi les observations ouvertes.",
    external: "Résultats de prestataires externes",
    no_external: "Aucun n’est joint.",
    external_caption: "Résultats de tiers, tels que reçus",
    external_note: "Le laboratoire les reprend\u{202f}; ce programme ne les a pas produits.",
    provider: "Prestataire",
    of_what: "Portant sur",
    made: "Fait le",
    file: "Fichier",
    plan_annex: "Plan figé",
    plan_annex_text: "Le plan entier figure dans plan.toml et plan.json. Son empreinte\u{a0}:",
    p_annex: "Toutes les valeurs p par famille",
    p_annex_text: |rows| {
        let rows = number(rows);
        format!(
            "Chaque valeur p ({rows} au total) figure dans p-values.csv, avec sa statistique, son score et la nature de sa probabilité de queue (tail)\u{202f}; voici la plus petite de chaque famille. Une famille a pu être prévue avec plus de valeurs p que ses données n’en permettent\u{202f}; celles-là ont aussi leur part du niveau."
        )
    },
    family: "Famille",
    statistic_id: "Statistique et partie",
    planned: "Prévues",
    had: "Obtenues",
    adjusted: "La plus petite × prévues",
    p_caption: |id| format!("Familles de l’audit {id}"),
    power_annex: "Puissance",
    power_of: |id, seeds, decks_max| {
        let seeds = number(seeds);
        let decks_max = number(decks_max);
        format!(
            "Puissance de l’audit {id}\u{202f}; graines pour chaque mélangeur\u{a0}: au moins {seeds}\u{202f}; jeux de cartes\u{a0}: au plus {decks_max}. Ce qui n’est pas détecté ici peut l’être avec davantage de jeux de cartes."
        )
    },
    power_caption: "Mélangeurs défectueux et nombre de jeux de cartes qui les détecte avec chaque graine",
    power_note: "Dans les termes du programme, en anglais. Le tableau de chaque plan figure dans power.csv.",
    dealer: "Mélangeur",
    mechanism: "Son défaut",
    needed: "Jeux de cartes nécessaires",
    not_detected: "non détecté",
    no_power: "Aucune puissance n’a été mesurée pour ces plans\u{a0}: non évalué ici. deckproof power la mesure.",
    calibration: "Étalonnage",
    calibration_text: "L’étalonnage des valeurs p sur des jeux de cartes équitables n’a pas été répété dans cette campagne au-delà de l’autotest\u{202f}; deckproof calibrate l’effectue.",
    selftest: "Autotest du programme",
    selftest_caption: "Contrôles de l’autotest",
    selftest_note: "Les constats sont dans les termes du programme, en anglais. Le fichier est selftest.json.",
    selftest_claim: super::selftest::claim,
    selftest_found: |found| format!("en anglais\u{a0}: {found}"),
    claim: "Énoncé",
    found: "Constat",
    yes: "réussi",
    no: "échoué",
    vectors: "Vecteurs de test",
    vectors_text: "Les premiers jeux de cartes de chaque clé publiée figurent dans vectors.csv avec les mots qui les ont produits, afin que le passage des mots aux cartes puisse être vérifié à la main.",
    vectors_none: "Aucune clé de cette campagne n’est publique\u{a0}: il n’y a pas de vecteurs.",
    reproduce: "Reproduction",
    reproduce_text: "Une autre personne reproduit les nombres avec ce seul dossier (reproduce.md)\u{a0}:",
    inputs: "Fichiers du dossier",
    inputs_caption: "Fichiers dont le rapport est tiré",
    inputs_note: "Tout le reste du dossier en découle\u{202f}; SHA256SUMS contient l’empreinte de chaque fichier.",
    sheet_caption: "Tableaux qui en découlent",
    sheet_omitted: "counts.csv n’est pas joint au dossier, selon le souhait du projet\u{202f}; son empreinte figure aussi dans omitted.sha256.",
    revisions: "Révisions",
    no_revisions: "Ceci est la première émission.",
    revision: "Révision",
    reason: "Ce qui est modifié, et pourquoi",
    changes: "Lignes modifiées du projet",
    previous: "SHA-256 de SHA256SUMS de la révision précédente",
    replaces: |report, revision| {
        let revision = number(revision);
        format!("Ce rapport remplace la révision {revision} du rapport {report}.")
    },
};
