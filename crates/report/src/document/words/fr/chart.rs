//! Figures in French.

use crate::document::figure::Axis;
use crate::document::words::chart::ChartWords;
use crate::document::words::fr::number;

pub(super) const WORDS: ChartWords = ChartWords {
    axis: |axis| axis_noun(axis).to_owned(),
    zero_is_the_top: |noun| format!("{noun} (0 est le dessus)"),
    end: "fin",
    end_of_deck: "fin du jeu de cartes",
    too_few_too_many: "trop peu ← écarts-types → trop",
    cell: |row, column, seen, deviations| {
        format!("{row}, {column}\u{a0}: {seen} observés ({deviations} écarts-types)")
    },
    heat_map_title: |name, side| {
        format!("{name}\u{a0}: carte thermique de {side}\u{a0}×\u{a0}{side} cellules", side = number(side))
    },
    cells_should: |cells, expected, deviation| {
        let cells = number(cells);
        format!(
            "Chacune des {cells} cellules devrait compter {expected} jeux de cartes, avec un écart-type de {deviation}."
        )
    },
    cells_beyond: |two, three, fair| {
        let (two, three) = (number(two), number(three));
        format!(
            "Cellules qui s’en écartent de plus de 2 écarts-types\u{a0}: {two}\u{202f}; de plus de 3\u{a0}: {three}{fair}."
        )
    },
    beyond_fair: ". Pour un mélange équitable, c’est le cas d’environ 1 cellule sur 22 et 1 sur 370",
    furthest_cells: |cells| format!("Plus grands écarts\u{a0}: {cells}."),
    diagonal: "La diagonale est vide\u{a0}: aucune carte ne se suit elle-même.",
    from_to: |first, last| format!("{first} à {last}"),
    fair_shuffle: "un mélange équitable",
    normal_curve: "la courbe normale",
    values: "valeurs",
    cells: "cellules",
    deviations_from_expected: "écart à l’effectif attendu, en écarts-types",
    histogram_title: |name, axis| format!("{name}\u{a0}: effectifs observés et attendus ({axis})"),
    seen: |unit| format!("observés ({unit})"),
    expected: |null| format!("attendus\u{a0}: {null}"),
    bar_differences: "écart de chaque barre, en écarts-types",
    total: |total, unit| format!("{} {unit}.", number(total)),
    most_often: |bar, seen, expected| {
        format!("Valeur la plus fréquente {bar}\u{a0}: {} observés, {expected} attendus.", number(seen))
    },
    outermost_bars: "Les cellules au-delà de 4 écarts-types sont comptées dans les barres extrêmes.",
    not_drawn: |below, above, seen, expected| {
        let seen = number(seen);
        format!(
            "Non représentés car trop rares pour être visibles\u{a0}: en dessous de {below} ou au-dessus de {above}, {seen} \
             observés, {expected} attendus."
        )
    },
    furthest_bar: |bar, seen, expected, deviations| {
        let seen = number(seen);
        format!(
            "Parmi les barres dont l’effectif attendu est d’au moins 5, la plus éloignée est {bar}\u{a0}: {seen} observés, \
             {expected} attendus ({deviations} écarts-types)."
        )
    },
    expected_p_value: "valeur p attendue à ce rang, si uniforme",
    p_value_found: "valeur p obtenue",
    p_values_title: "Valeurs p triées, comparées à la droite uniforme",
    p_values_caption: |all, tenth, half| {
        format!(
            "Les {} valeurs p de cet examen, triées. {} sont inférieures ou égales à 0,1, {} à 0,5. Les valeurs p \
             indépendantes d’un mélange équitable se dispersent autour de la droite\u{202f}; celles-ci portent sur les mêmes \
             jeux de cartes, et les majorants démontrés sont plus grands que nécessaire\u{a0}: les points situés au-dessus de la droite \
             n’ont rien d’inquiétant, ce sont les points nettement en dessous qu’il faut examiner.",
            number(all),
            number(tenth),
            number(half),
        )
    },
    magnified_title: "Valeurs p triées, comparées à la droite uniforme, échelle agrandie",
    magnified_caption: |all, smallest, each, level| {
        format!(
            "Les mêmes valeurs p, les petites agrandies\u{a0}: chaque pas de l’échelle est une puissance de dix. La plus petite \
             des {} est {smallest}. La ligne tiretée marque {each}, le niveau {level} réparti également entre toutes, à \
             titre indicatif\u{a0}: le verdict le répartit selon la règle de décision.",
            number(all),
        )
    },
    on_the_edge: |count| {
        format!("Sur le bord inférieur\u{a0}: {} inférieures ou égales à 1e-20.", number(count))
    },
    power_title: |name| {
        format!("{name}\u{a0}: proportion d’audits qui rejettent, selon le nombre de jeux de cartes")
    },
    power_decks: "jeux de cartes par audit",
    power_share: "proportion rejetée",
    power_caption: |shufflers, decks, detected| {
        format!(
            "{} mélangeurs défectueux. La ligne tiretée marque les {} jeux de cartes de ce plan\u{202f}; avec ce nombre de jeux de cartes ou moins, \
             au moins la moitié des audits ont rejeté {detected} d’entre eux.",
            number(shufflers),
            number(decks),
        )
    },
    this_plan: "ce plan",
};

fn axis_noun(axis: Axis) -> &'static str {
    match axis {
        Axis::Card => "carte",
        Axis::Place => "position",
        Axis::NextPlace => "position dans le jeu de cartes suivant",
        Axis::NextCard => "carte dans le jeu de cartes suivant",
        Axis::CardThatFollows => "carte qui suit",
        Axis::PlaceThatFollows => "position qui suit",
        Axis::NextPlaceThatFollows => "position qui suit, dans le jeu de cartes suivant",
        Axis::NextCardThatFollows => "carte qui suit, dans le jeu de cartes suivant",
    }
}
