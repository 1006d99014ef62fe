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
        beyond: "chaque permutation et combinaison du jeu, 25 CFR 547.14(b)(1)\u{202f}; imprévisibilité, 547.14(c)\u{202f}; non-répétabilité, 547.14(d)",
        tests: &[],
    },
    StandardText {
        id: "State statutes",
        name: "Lois d’États",
        clause: "W. Va. Code § 29-22B-909\u{202f}; S.D. Admin. R. 48:02:08:02\u{202f}; 11 VAC 20-20-510\u{202f}; 15.1.7.13 NMAC\u{a0}: chaque position et chaque paire de positions",
        beyond: "aucune influence extérieure à l’appareil, 15.1.7.13.B(5) NMAC",
        tests: &[],
    },
    StandardText {
        id: "AGCO",
        name: "CAJO (AGCO)",
        clause: "Commission des alcools et des jeux de l’Ontario, cGaming Minimum Technical Standards, 21.1.2",
        beyond: "indépendance, chances égales et imprévisibilité, 21.1.1\u{202f}; tous les résultats, 21.1.3\u{202f}; régularités, 21.1.4\u{202f}; aucune influence des mises, 21.1.5\u{202f}; graines, 21.1.6 et 21.1.7\u{202f}; interruption et panne, 21.1.8 et 21.1.9\u{202f}; protection, 21.1.10",
        tests: &[],
    },
    StandardText {
        id: "New Zealand",
        name: "Nouvelle-Zélande",
        clause: "New Zealand Gazette 2003, nº 56, 3.14.4\u{202f}; le texte ne nomme aucun niveau de confiance, 99\u{202f}% est utilisé ici",
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
            ("Boards", "Cartes découvertes"),
            ("River of a four-flush", "Dernière carte d’un tirage à la couleur"),
            ("Winners", "Gagnants"),
            ("Second-best hand", "Deuxième meilleure main"),
        ],
    },
    StandardText {
        id: "UK Gambling Commission",
        name: "UK Gambling Commission (Royaume-Uni)",
        clause: "Remote gambling and software technical standards, RTS 7",
        beyond: "",
        tests: &[],
    },
    StandardText { id: "ANJ", name: "ANJ (France)", clause: "ET2", beyond: "", tests: &[] },
    StandardText { id: "Québec", name: "Québec", clause: "", beyond: "", tests: &[] },
    StandardText {
        id: "New Jersey",
        name: "New Jersey (États-Unis)",
        clause: "N.J. Admin. Code § 13:69E-1.28G(b)3",
        beyond: "",
        tests: &[],
    },
    StandardText {
        id: "Nevada",
        name: "Nevada (États-Unis)",
        clause: "Nevada Gaming Commission Regulation 14, 14.040 et 14.050",
        beyond: "",
        tests: &[],
    },
];
