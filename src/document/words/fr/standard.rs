//! Standards in French: the names of laws, clauses and tests stay as their texts have them.

use crate::document::words::statistic::StandardText;

pub(super) const TEXTS: &[StandardText] = &[
    StandardText {
        id: "GLI-19",
        name: "GLI-19",
        clause: "GLI-19, les sept tests nommés pour les générateurs de nombres aléatoires",
        beyond: "résistance cryptographique et graines",
        tests: &[],
    },
    StandardText {
        id: "Pennsylvania",
        name: "Pennsylvanie",
        clause: "58 Pa. Code § 810a.5(c)",
        beyond: "résistance cryptographique, 58 Pa. Code § 810a.5(a)",
        tests: &[],
    },
    StandardText {
        id: "25 CFR 547.14",
        name: "25 CFR 547.14",
        clause: "25 CFR 547.14(b)(2)",
        beyond: "imprévisibilité et non-répétabilité, 25 CFR 547.14(a)",
        tests: &[],
    },
    StandardText {
        id: "State statutes",
        name: "Lois d’États",
        clause: "Virginie-Occidentale, Dakota du Sud, Virginie et Nouveau-Mexique\u{a0}: par place et par paire de places",
        beyond: "",
        tests: &[],
    },
    StandardText {
        id: "AGCO",
        name: "CAJO (AGCO)",
        clause: "Commission des alcools et des jeux de l’Ontario, normes du registrateur, 21.1.2",
        beyond: "imprévisibilité et protection des graines, 21.1.1 et 21.1.6",
        tests: &[],
    },
    StandardText {
        id: "New Zealand",
        name: "Nouvelle-Zélande",
        clause: "New Zealand Gazette 2003, no. 56, 3.14.4\u{202f}; le texte ne nomme aucun niveau de confiance, 99\u{202f}% est utilisé ici",
        beyond: "imprévisibilité, tirages en arrière-plan et graines, 3.14.3 à 3.14.10",
        tests: &[],
    },
    StandardText {
        id: "Stud set",
        name: "Tests du stud",
        clause: "mains distribuées à une table\u{202f}; aucun régulateur ne nomme de tests pour elles",
        beyond: "",
        tests: &[
            ("Hands of each seat", "Mains de chaque siège"),
            ("Starting hands", "Mains de départ"),
            ("Bring-in and first to act", "Entrée forcée et premier à parler"),
            ("Boards", "Tableaux exposés"),
            ("River of a four-flush", "Dernière carte d’un tirage à la couleur"),
            ("Winners", "Gagnants"),
            ("Second-best hand", "Deuxième meilleure main"),
        ],
    },
];
