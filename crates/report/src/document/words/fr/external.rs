//! Results of other programs in French.

use crate::document::words::external::ExternalWords;
use crate::document::words::fr::number;

pub(super) const WORDS: ExternalWords = ExternalWords {
    about: "Les résultats de cette section sont externes\u{a0}: ils proviennent d’autres programmes et n’ont pas été obtenus par ce \
            programme-ci. Leurs textes ont été lus pour en extraire les valeurs p et l’appréciation de chaque programme\u{202f}; rien \
            n’en a été recalculé, et rien n’en est pris en compte dans le verdict.",
    annex: "Résultats externes, un par un",
    files_caption: "Résultats externes, tels que leurs textes les rapportent",
    program: "Programme",
    version: "Version du programme",
    file: "Fichier",
    sha256: "SHA-256 du texte",
    supplied_by: "Exécuté par",
    date: "Date de l’essai",
    run_on: "Données soumises",
    results: "Résultats",
    suspicious: "Suspects",
    failed: "Échecs",
    says: "Appréciation",
    says_passed: "réussi",
    says_suspicious: "suspect",
    says_failed: "échec",
    not_told: "non précisé",
    unlisted: |count| format!("Résultats que le texte compte sans les énumérer\u{a0}: {}.", number(count)),
    results_caption: |program, file| {
        format!("Externe\u{a0}: tous les résultats que {program} énumère dans {file}")
    },
    test: "Test",
    p_value_printed: "Valeur p telle qu’imprimée",
    p_value_note: "L’hypothèse nulle, la statistique et la taille d’échantillon de chaque test sont celles de son programme\u{202f}; \
                   certains signalent aussi comme inhabituelles les valeurs p proches de 1. Le texte est tel que reçu\u{a0}: une ligne que quelqu’un en a retirée ne se voit pas toujours.",
    beside_caption: "Résultats externes en regard du verdict de cet audit",
    this_audit: "Cet audit",
    agreement: "Aucun résultat externe ne contredit le verdict de cet audit.",
    disagreement: "Des résultats externes contredisent le verdict de cet audit. Aucun des deux ne l’emporte sur l’autre\u{a0}: la cause doit \
                   être trouvée avant de se fier à l’objet d’essai.",
    incompleteness: "Aucun résultat externe ne contredit le verdict de cet audit. Un texte au moins rapporte moins de résultats qu’une \
                     exécution entière de son programme\u{a0}: ce qui manque peut avoir échoué, et ce texte ne concorde avec rien.",
    agrees: "concordant",
    incomplete: "incomplet",
    some_of: |count, whole| format!("{count} sur les {whole} d’une exécution entière"),
    disagrees: "discordant",
};
