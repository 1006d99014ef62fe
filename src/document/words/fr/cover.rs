//! The first page and the summary of a laboratory report, in French.

use crate::document::words::cover::CoverWords;
use crate::document::words::fr::number;

pub(super) const WORDS: CoverWords = CoverWords {
    title: "Rapport d’essai\u{a0}: mélange de cartes et générateur de nombres aléatoires, stud à sept cartes",
    pass: "TESTS RÉUSSIS",
    investigate: "À EXAMINER",
    fail: "REJETÉ",
    inconclusive: "NON CONCLUANT",
    pass_small: "réussi",
    investigate_small: "à examiner",
    fail_small: "rejeté",
    inconclusive_small: "non concluant",
    pass_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Rien n’a été trouvé qui contredise un mélange uniforme et des jeux indépendants (audits\u{a0}: {audits}\u{202f}; jeux au total\u{a0}: {decks}). Cela ne vaut que pour les jeux examinés\u{202f}; ce n’est pas une preuve que le jeu suivant soit imprévisible."
        )
    },
    investigate_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Une observation s’explique difficilement par le hasard\u{202f}; c’est une question et non une preuve (audits\u{a0}: {audits}\u{202f}; jeux au total\u{a0}: {decks})."
        )
    },
    fail_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Un audit au moins a trouvé des jeux, ou des mots de la sortie brute, qui ne sont pas ceux d’une source équitable (audits\u{a0}: {audits}\u{202f}; jeux au total\u{a0}: {decks}). Le résumé indique lequel."
        )
    },
    inconclusive_sentence: |decks, audits| {
        let decks = number(decks);
        let audits = number(audits);
        format!(
            "Rien n’a été trouvé, mais un audit au moins disposait de trop peu de données pour conclure (audits\u{a0}: {audits}\u{202f}; jeux au total\u{a0}: {decks})."
        )
    },
    validity: "Validité",
    recertify: "Ce qui y met fin",
    recertify_text: "Toute modification d’un fichier listé dans la section sur l’objet soumis à l’essai, de sa configuration, ou de l’origine de ses graines.",
    jurisdictions: "Juridictions",
    root: "SHA-256 de la campagne",
    only_items: "Les résultats ne se rapportent qu’aux objets soumis à l’essai, tels que décrits dans ce rapport.",
    as_received: "Les jeux ont été fournis par le client\u{a0}: les résultats s’appliquent à l’échantillon tel que reçu.",
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
    operator: "Exploitant",
    received: "Objet reçu le",
    sampled: "Jeux prélevés",
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
    decks: "Jeux",
    verdict: "Verdict",
    files_root: "SHA-256 de la liste des fichiers",
    observations: "Observations ouvertes",
    none_open: "Aucune.",
    selftest_failed: "L’autotest du programme a échoué\u{202f}; les résultats du programme ne sont pas fiables.",
    began_again: |id, times| {
        let times = number(times);
        format!(
            "L’audit {id} a été recommencé depuis le début ({times} fois), sa source ne pouvant être reprise\u{202f}; il a alors vu d’autres jeux."
        )
    },
    repeat_missing: |id| {
        format!("La répétition due dans l’audit {id} n’a pas eu lieu\u{a0}: le flux s’est terminé.")
    },
    audit_not_passed: |id, verdict| format!("L’audit {id} conclut\u{a0}: {verdict}."),
    raw_not_passed: |id, verdict| format!("La sortie brute de {id} conclut\u{a0}: {verdict}."),
    standard_not_met: |id, name| {
        format!("{name}, objet {id}\u{a0}: les tests ne sont pas réussis au niveau de la norme.")
    },
    standard_not_assessed: |id, name, reason| {
        format!(
            "{name}, objet {id}\u{a0}: les tests ne sont pas tous évalués\u{202f}; dans les termes du programme, en anglais\u{a0}: {reason}"
        )
    },
    external_disagrees: |file| {
        format!(
            "Les résultats externes de {file} contredisent le verdict\u{202f}; aucun des deux ne l’emporte sur l’autre."
        )
    },
    files_missing: |id| {
        format!(
            "Aucun fichier de l’objet {id} n’a été listé\u{a0}: le rapport n’identifie pas ce qui a produit les jeux."
        )
    },
    rows_open: |count| {
        let count = number(count);
        format!("Parmi les 24 exigences R1 à R24, non évaluées ici\u{a0}: {count}.")
    },
};
