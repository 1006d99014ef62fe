//! What the selftest of the program checks, in French.

/// Each statement in English, as selftest.json has it, and in French.
const CLAIMS: [(&str, &str); 9] = [
    (
        "The certified shuffle deals the decks of the protocol's test vectors.",
        "Le mélange certifié distribue les jeux de cartes des vecteurs de test du protocole.",
    ),
    (
        "The audit path deals the hands of the protocol's test vectors.",
        "La voie d’audit distribue les mains des vecteurs de test du protocole.",
    ),
    (
        "Every tuple of draws of the certified shuffle owns the same number of words.",
        "À chaque suite de tirages du mélange certifié revient le même nombre de mots.",
    ),
    (
        "The fast lanes deal the same hands as the scalar shuffle.",
        "Les voies rapides distribuent les mêmes mains que le mélange scalaire.",
    ),
    (
        "The exact distributions have the means and variances of their closed forms.",
        "Les lois exactes ont les moyennes et les variances de leurs formules closes.",
    ),
    (
        "Tail probabilities agree with arbitrary precision down to 1e-300.",
        "Les probabilités de queue concordent avec un calcul de précision arbitraire jusqu’à 1e-300.",
    ),
    (
        "P-values on fair decks are as uniform as they claim, and a wrong null is seen.",
        "Les valeurs p de jeux de cartes équitables sont aussi uniformes qu’elles l’affirment, et une hypothèse nulle fausse se voit.",
    ),
    (
        "Flawed dealers are caught with the decks that should suffice.",
        "Les mélangeurs défectueux sont détectés avec le nombre de jeux de cartes qui doit suffire.",
    ),
    ("Dealers without a fault are not rejected.", "Les mélangeurs sans défaut ne sont pas rejetés."),
];

/// A statement in French; one that is not in the list stays in the words of the program, and is marked.
pub(super) fn claim(english: &str) -> String {
    let row = CLAIMS.iter().find(|(own, _)| *own == english);
    row.map_or_else(|| format!("en anglais\u{a0}: {english}"), |(_, french)| (*french).to_owned())
}
