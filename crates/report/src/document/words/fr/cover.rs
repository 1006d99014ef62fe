//! The first page and the summary of a laboratory report, in French.

use crate::document::words::cover::CoverWords;
use crate::document::words::fr::number;

pub(super) const WORDS: CoverWords = CoverWords {
    title: "Rapport d’essai\u{a0}: mélange de cartes et générateur de nombres aléatoires (GNA), stud à sept cartes",
    pass: "TESTS RÉUSSIS",
    investigate: "À EXAMINER",
    fail: "REJETÉ",
    inconclusive: "NON CONCLUANT",
    not_met_headline: "NON SATISFAIT",
    incomplete: "TESTS RÉUSSIS, RAPPORT INCOMPLET",
    unreliable: "NON FIABLE",
    pass_small: "réussi",
    investigate_small: "à examiner",
    fail_small: "rejeté",
    inconclusive_small: "non concluant",
    pass_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Rien n’a été trouvé qui contredise un mélange uniforme et des jeux de cartes indépendants (audits\u{a0}: {audits}\u{202f}; jeux de cartes au total\u{a0}: {decks}). Cela ne vaut que pour les jeux de cartes examinés\u{202f}; ce n’est pas une preuve que le jeu de cartes suivant soit imprévisible."
        )
    },
    investigate_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Une observation s’explique difficilement par le hasard\u{202f}; c’est une question et non une preuve (audits\u{a0}: {audits}\u{202f}; jeux de cartes au total\u{a0}: {decks})."
        )
    },
    fail_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Un audit au moins a trouvé des jeux de cartes, ou des mots de la sortie brute, qui ne sont pas ceux d’une source équitable (audits\u{a0}: {audits}\u{202f}; jeux de cartes au total\u{a0}: {decks}). Le résumé indique lequel."
        )
    },
    inconclusive_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Rien n’a été trouvé, mais un audit au moins disposait de trop peu de données pour conclure (audits\u{a0}: {audits}\u{202f}; jeux de cartes au total\u{a0}: {decks})."
        )
    },
    not_met_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Les audits n’ont rien trouvé contre un mélange uniforme (audits\u{a0}: {audits}\u{202f}; jeux de cartes au total\u{a0}: {decks}), mais d’autres constats parlent contre l’objet d’essai. Chacun est nommé ci-dessous."
        )
    },
    incomplete_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Ceci est un projet de rapport\u{a0}: des champs que tout rapport doit avoir sont vides. Rien n’a été trouvé qui contredise un mélange uniforme et des jeux de cartes indépendants (audits\u{a0}: {audits}\u{202f}; jeux de cartes au total\u{a0}: {decks}). Cela ne vaut que pour les jeux de cartes examinés\u{202f}; ce n’est pas une preuve que le jeu de cartes suivant soit imprévisible."
        )
    },
    unreliable_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "L’autotest du programme a échoué\u{a0}: rien de ce qu’il a compté ou jugé ici n’est fiable (audits\u{a0}: {audits}\u{202f}; jeux de cartes au total\u{a0}: {decks})."
        )
    },
    observations_open: |count| {
        let count = number(count);
        format!("Observations ouvertes, toutes données dans le résumé\u{a0}: {count}.")
    },
    alone_note: |alone, tests, level, chance| {
        let alone = number(alone);
        let tests = number(tests);
        format!(
            "Audits qui, pris seuls, sont à examiner et n’ont pas de répétition\u{a0}: {alone}. Avec autant d’audits sans répétition qu’ici, un mélange équitable en présente au moins un dans {chance} des campagnes, s’ils étaient indépendants. Le verdict est celui des {tests} audits et sorties brutes pris ensemble, au niveau de {level} figé avec le plan (Holm, 1979)."
        )
    },
    validity: "Validité",
    recertify: "Ce qui y met fin",
    recertify_text: "Toute modification d’un fichier listé dans la section sur l’objet d’essai, de sa configuration, ou de l’origine de ses graines.",
    jurisdictions: "Juridictions",
    root: "SHA-256 de la campagne",
    only_items: "Les résultats ne se rapportent qu’aux objets d’essai, tels que décrits dans ce rapport.",
    as_received: |items| {
        format!(
            "Les jeux de cartes de {items} ont été fournis par le client\u{a0}: les résultats s’appliquent à l’échantillon tel que reçu."
        )
    },
    only_whole: "Ce rapport ne peut être reproduit que dans son intégralité, sauf accord écrit du laboratoire.",
    customer_data: "Ce que déclare le client est signalé comme tel\u{202f}; le laboratoire n’en est pas responsable.",
    signatures: "Signatures",
    role: "Fonction exercée",
    name: "Nom",
    person_title: "Qualité",
    signature: "Signature",
    day: "Date",
    tester: "Essais effectués par",
    reviewer: "Revue technique par",
    authoriser: "Autorisé par",
    accreditation: "Accréditation",
    accreditation_body: "Accrédité par",
    accredited_scope: "Essais couverts par la portée d’accréditation",
    address: "Adresse",
    contact: "Contact",
    locations: "Lieux des activités",
    operator: "Opérateur",
    received: "Objet reçu le",
    sampled: "Jeux de cartes prélevés",
    performed: "Essais effectués",
    from_to: |from, to| format!("du {from} au {to}"),
    summary: "Résumé",
    standards_caption: "Tests nommés par les normes, pour chaque objet",
    standards_note: "Le résultat est celui des tests nommés par le texte, à son propre niveau\u{202f}; il ne dit pas que la norme entière est satisfaite. Plusieurs audits d’un même objet se partagent le niveau de signification à parts égales (Bonferroni).",
    standard: "Norme et clause",
    item: "Objet",
    level: "Niveau de confiance",
    audits: "Audits",
    result: "Résultat",
    p_value: "Valeur p",
    tests_met: "tests réussis",
    met: "satisfait",
    not_met: "non satisfait",
    not_applicable: "sans objet",
    not_assessed: "non évalué ici",
    items_caption: "Chaque objet pris séparément",
    decks: "Jeux de cartes",
    verdict: "Verdict",
    files_root: "SHA-256 de la liste des fichiers",
    observations: "Observations ouvertes",
    none_open: "Aucune.",
    selftest_failed: "L’autotest du programme a échoué\u{202f}; les résultats du programme ne sont pas fiables.",
    began_again: |id, times| {
        let times = number(times);
        format!(
            "L’audit {id} a été recommencé depuis le début ({times} fois), sa source ne pouvant être reprise\u{202f}; il a alors vu d’autres jeux de cartes."
        )
    },
    repeat_missing: |id| {
        format!("La répétition due dans l’audit {id} n’a pas eu lieu\u{a0}: le flux s’est terminé.")
    },
    audit_not_passed: |id, verdict| format!("L’audit {id} conclut\u{a0}: {verdict}."),
    raw_not_passed: |id, verdict| format!("La sortie brute de {id} conclut\u{a0}: {verdict}."),
    audit_alone: |id| {
        format!(
            "L’audit {id}, pris seul, est à examiner, n’a pas de répétition, et n’est pas de ceux qui restent quand tous les audits sont jugés ensemble (Holm)."
        )
    },
    standard_not_met: |id, name, level, missed| {
        format!(
            "{name}, objet {id}\u{a0}: les tests ne sont pas réussis au niveau de la norme, {level}. Un mélange parfait le manque par hasard dans au plus {missed} des campagnes."
        )
    },
    row_not_met: |row, what, by| format!("L’exigence {row} n’est pas satisfaite ({what}), {by}."),
    by_campaign: "d’après les comptages de cette campagne",
    by_laboratory: "d’après le constat du laboratoire",
    by_external: "d’après le constat d’un autre prestataire",
    by_customer: "selon le client lui-même",
    external_failed: |file, program, failed, results| {
        let failed = number(failed);
        let results = number(results);
        format!("Les résultats de {program} dans {file} font état d’échecs\u{a0}: {failed} sur {results}.")
    },
    external_incomplete: |file, results, whole| {
        let results = number(results);
        let whole = number(whole);
        format!(
            "Les résultats de {file} sont incomplets\u{a0}: {results} sur les {whole} d’une exécution entière. Ce qui manque peut avoir échoué."
        )
    },
    same_person: |name, roles| {
        format!(
            "Une seule personne, {name}, répond de plusieurs tâches qui gagnent à être séparées\u{a0}: {roles}."
        )
    },
    // The reason is in the words of the program, in English: the table of tests says the same in French.
    standard_not_assessed: |id, name, run, all, _| {
        let run = number(run);
        let all = number(all);
        format!(
            "{name}, objet {id}\u{a0}: non évalué\u{202f}; sur ses {all} tests, {run} ont été exécutés dans chaque audit, et au-dessous de 1\u{202f}000 jeux de cartes aucun n’est réussi."
        )
    },
    external_disagrees: |file| {
        format!(
            "Les résultats externes de {file} contredisent le verdict\u{202f}; aucun des deux ne l’emporte sur l’autre."
        )
    },
    files_missing: |id| {
        format!(
            "Aucun fichier de l’objet {id} n’a été listé\u{a0}: le rapport n’identifie pas ce qui a produit les jeux de cartes."
        )
    },
    fields_open: |count, letters| {
        let count = number(count);
        format!(
            "Incomplet\u{a0}: champs de l’ISO/IEC 17025, 7.8.2.1, que seules des personnes peuvent remplir et qui sont vides ou à demi vides\u{a0}: {count} ({letters}\u{202f}; l’annexe I les nomme et dit où se trouve chacun)."
        )
    },
    decided_by_repeat: |id, first, first_p_value, repeat, repeat_p_value, verdict| {
        let first = number(first);
        let repeat = number(repeat);
        format!(
            "L’audit {id} a été décidé par sa répétition déclarée\u{a0}: le premier examen, de {first} jeux de cartes, était à examiner (valeur p de famille {first_p_value}), la répétition sur les {repeat} suivants est\u{a0}: {verdict} (valeur p de famille {repeat_p_value}\u{202f}; hypothèse nulle des deux\u{a0}: jeux indépendants, tous les ordres équiprobables)."
        )
    },
    rows_open: |count| {
        let count = number(count);
        format!("Parmi les 24 exigences R1 à R24, non évaluées ici\u{a0}: {count}.")
    },
};
