//! Statistics of dealt hands in French, in the order of the tier.

use crate::document::words::statistic::StatisticText;

pub(super) const TEXTS: &[StatisticText] = &[
    StatisticText {
        id: "high-category",
        title: "catégories hautes par siège",
        null: "Chaque siège reçoit chaque catégorie haute aussi souvent que les ensembles de cartes la contiennent.",
        formula: "dénombrement exact de tous les ensembles de sept (six) cartes\u{202f}; each-seat\u{a0}: χ² de Pearson (1900) regroupé jusqu’à des effectifs attendus de 10, majorant d’Agrawal (2020), Bonferroni (1936) sur les sièges\u{202f}; cell\u{a0}: lois binomiales exactes\u{202f}; pooled\u{a0}: forme quadratique avec la covariance de deux sièges tirée d’un échantillon de référence du mélange certifié\u{202f}; quads\u{a0}: loi binomiale comme si les sièges étaient indépendants (variance erronée de moins de 1\u{202f}%), majorants de Hoeffding (1963), section 5, et de Chernoff (1952)",
    },
    StatisticText {
        id: "low-hand",
        title: "mains basses (8 ou mieux) par siège",
        null: "Chaque siège reçoit une main basse, et chaque sorte de main basse, aussi souvent que les ensembles de cartes la contiennent.",
        formula: "dénombrement exact de tous les ensembles de sept (six) cartes\u{202f}; each-seat\u{a0}: χ² de Pearson (1900), majorant d’Agrawal (2020), Bonferroni (1936) sur les sièges\u{202f}; cell\u{a0}: lois binomiales exactes\u{202f}; qualifiers\u{a0}: loi normale de variance exacte, correction de continuité, majorants de Hoeffding (1963), section 5, et de Chernoff (1952)",
    },
    StatisticText {
        id: "joint-hand",
        title: "catégorie haute et main basse ensemble",
        null: "Le haut et le bas d’une main viennent ensemble aussi souvent que dans les ensembles de cartes.",
        formula: "dénombrement exact de tous les ensembles de sept (six) cartes par catégorie haute et main basse, un siège par jeu de cartes à tour de rôle\u{202f}; χ² de Pearson (1900) regroupé jusqu’à des effectifs attendus de 10, majorant d’Agrawal (2020)",
    },
    StatisticText {
        id: "starting-hand",
        title: "mains de départ de trois cartes",
        null: "Les trois premières cartes de chaque siège sont trois cartes quelconques, et l’une quelconque d’entre elles est la carte exposée.",
        formula: "dénombrement exact de 22\u{202f}100 ensembles\u{202f}; χ² de Pearson (1900), majorant d’Agrawal (2020), Bonferroni (1936) sur les sièges\u{202f}; cell\u{a0}: lois binomiales exactes\u{202f}; split\u{a0}: Bin(paires, 2/3)\u{202f}; paired-seats\u{a0}: loi exacte des sièges d’un jeu de cartes par récurrence sur les rangs, moyenne par point-selle (Lugannani & Rice 1980), majorant de Chernoff (1952)",
    },
    StatisticText {
        id: "bring-in",
        title: "entrée forcée (bring-in) par siège et par carte",
        null: "Chaque siège doit l’entrée forcée aussi souvent, et avec la plus basse d’autant de cartes.",
        formula: "siège\u{a0}: lois binomiales exactes, Bonferroni (1936), et χ² de Pearson (1900), majorant d’Agrawal (2020)\u{202f}; carte\u{a0}: C(51−i, n−1)/C(52, n), moyenne par point-selle (Lugannani & Rice 1980), majorant de Chernoff (1952)",
    },
    StatisticText {
        id: "first-to-act",
        title: "premier à parler au quatrième tour",
        null: "Les deux meilleures cartes découvertes se trouvent aussi souvent à chaque siège, l’égalité revenant à la gauche du donneur.",
        formula: "probabilités exactes que m tableaux soient premiers à égalité\u{202f}; siège\u{a0}: lois binomiales exactes, Bonferroni (1936), et χ² de Pearson (1900), majorant d’Agrawal (2020)\u{202f}; égalités\u{a0}: loi binomiale",
    },
    StatisticText {
        id: "open-pairs",
        title: "paires exposées au quatrième tour",
        null: "Autant de sièges montrent une paire au quatrième tour que deux cartes par siège d’un même jeu de cartes en donnent.",
        formula: "loi exacte de tous les sièges par récurrence sur les rangs\u{202f}; histogramme\u{a0}: χ² de Pearson (1900), majorant d’Agrawal (2020)\u{202f}; moyenne\u{a0}: point-selle (Lugannani & Rice 1980), majorant de Chernoff (1952)\u{202f}; extrême\u{a0}: 1−(1−q)^N, exact",
    },
    StatisticText {
        id: "boards",
        title: "tableaux exposés de deux à quatre cartes",
        null: "Les cartes découvertes d’un siège sont deux, trois ou quatre cartes quelconques.",
        formula: "rangs de m cartes de Π C(4, m_r) façons sur C(52, m), un siège par jeu de cartes à tour de rôle\u{202f}; χ² de Pearson (1900) regroupé jusqu’à des effectifs attendus de 10, majorant d’Agrawal (2020)",
    },
    StatisticText {
        id: "four-flush",
        title: "dernière carte d’un tirage à la couleur",
        null: "Neuf des 46 dernières cartes possibles complètent un tirage à la couleur.",
        formula: "complétées ~ Bin(tirages, 9/46)\u{202f}; tirages ~ Bin(N, 4·C(13,4)·C(39,2)/C(52,6)), tableaux ~ Bin(N, 4·C(13,4)/C(52,4))\u{202f}; chaque siège, le pire par Bonferroni (1936)",
    },
    StatisticText {
        id: "winner",
        title: "gagnant par siège",
        null: "Chaque siège gagne aussi souvent, en haut et en bas\u{202f}; les jeux de cartes où la meilleure main est partagée sont omis.",
        formula: "sièges ~ loi multinomiale à cellules égales sachant le nombre de jeux de cartes à gagnant unique\u{202f}; lois binomiales exactes, Bonferroni (1936), et χ² de Pearson (1900), majorant d’Agrawal (2020)",
    },
    StatisticText {
        id: "place",
        title: "classement à l’abattage par siège",
        null: "Chaque siège est aussi souvent premier, deuxième, … et dernier.",
        formula: "permutation uniforme des sièges\u{a0}: ((n−1)/n)·Σ(O−E)²/E ~ χ²((n−1)²), espérance exacte\u{202f}; cell\u{a0}: lois binomiales exactes, Bonferroni (1936)\u{202f}; mains de même force départagées par une empreinte de l’ordre du jeu de cartes",
    },
    StatisticText {
        id: "win-gaps",
        title: "intervalles entre les gains d’un siège",
        null: "Les gains d’un siège viennent indépendamment, jeu de cartes après jeu de cartes.",
        formula: "(1/n)(1−1/n)^k (Knuth, TAOCP 2, 3.3.2 D), les G premiers intervalles d’un segment\u{202f}; χ² de Pearson (1900), majorant d’Agrawal (2020), Bonferroni (1936) sur les sièges",
    },
    StatisticText {
        id: "seat-cards",
        title: "cartes d’un siège",
        null: "Chaque carte est aussi souvent dans la main de chaque siège.",
        formula: "each-seat, dealt\u{a0}: (51/(52−m))·Σ(O−E)²/E ~ χ²(51) de m cartes, Bonferroni (1936) sur les sièges\u{202f}; total\u{a0}: (51/52)·Σ(O−E)²/E ~ χ²(51·n), espérance exacte\u{202f}; cell\u{a0}: lois binomiales exactes, Bonferroni (1936)",
    },
    StatisticText {
        id: "second-best",
        title: "deuxième meilleure main d’un jeu de cartes",
        null: "La deuxième meilleure main est aussi forte que dans un échantillon de référence du mélange certifié.",
        formula: "deux échantillons\u{a0}: Σ (o√(M/N) − r√(N/M))²/(o + r) ~ χ² des cellules regroupées moins une, M étant les jeux de cartes de l’échantillon de référence\u{202f}; moyenne\u{a0}: z avec la variance de la référence, majorant de Chernoff (1952) des deux échantillons réunis",
    },
    StatisticText {
        id: "door-pairs",
        title: "paires parmi les cartes ouvertes de la troisième rue",
        null: "Deux cartes ouvertes de la troisième rue sont du même rang aussi souvent que dans autant de cartes d’un jeu.",
        formula: "aucune paire parmi n cartes\u{a0}: Π_{i<n} (52 − 4i)/(52 − i)\u{202f}; donnes avec une paire\u{a0}: loi binomiale, exacte",
    },
];
