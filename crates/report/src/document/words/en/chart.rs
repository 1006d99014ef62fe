//! Figures in English.

use crate::document::figure::Axis;
use crate::document::words::chart::ChartWords;
use crate::document::words::en::number;

pub(super) const WORDS: ChartWords = ChartWords {
    axis: |axis| axis_noun(axis).to_owned(),
    zero_is_the_top: |noun| format!("{noun} (0 is the top)"),
    end: "end",
    end_of_deck: "end of the deck",
    too_few_too_many: "too few ← standard deviations → too many",
    cell: |row, column, seen, deviations| {
        format!("{row}, {column}: {seen} seen ({deviations} standard deviations)")
    },
    heat_map_title: |name, side| format!("{name}: heat map of {side} × {side} cells", side = number(side)),
    cells_should: |cells, expected, deviation| {
        format!("Each of {} cells should hold {expected} decks, give or take {deviation}.", number(cells))
    },
    cells_beyond: |two, three, fair| {
        let (two, three) = (number(two), number(three));
        format!("{two} cells lie more than 2 standard deviations from that, {three} more than 3{fair}.")
    },
    beyond_fair: "; in a fair shuffle about 1 cell in 22 and 1 in 370 do",
    furthest_cells: |cells| format!("Furthest off: {cells}."),
    diagonal: "The diagonal is blank: no card follows itself.",
    from_to: |first, last| format!("{first} to {last}"),
    fair_shuffle: "a fair shuffle",
    normal_curve: "the normal curve",
    values: "values",
    cells: "cells",
    deviations_from_expected: "standard deviations from the expected count",
    histogram_title: |name, axis| format!("{name}: seen and expected, by {axis}"),
    seen: |unit| format!("seen ({unit})"),
    expected: |null| format!("expected: {null}"),
    bar_differences: "difference of each bar, in standard deviations",
    total: |total, unit| format!("{} {unit}.", number(total)),
    most_often: |bar, seen, expected| {
        format!("Most often {bar}: {} seen, {expected} expected.", number(seen))
    },
    outermost_bars: "Cells further off than 4 standard deviations stand in the outermost bars.",
    not_drawn: |below, above, seen, expected| {
        let seen = number(seen);
        format!(
            "Not drawn, because too rare to be visible: below {below} or above {above}, {seen} seen, {expected} expected."
        )
    },
    furthest_bar: |bar, seen, expected, deviations| {
        let seen = number(seen);
        format!(
            "Of the bars that expect at least 5, {bar} is furthest off: {seen} seen, {expected} expected ({deviations} standard \
             deviations)."
        )
    },
    expected_p_value: "expected p-value at this rank, if uniform",
    p_value_found: "p-value found",
    p_values_title: "Sorted p-values against the uniform line",
    p_values_caption: |all, tenth, half| {
        format!(
            "The {} p-values of this run, sorted. {} are 0.1 or less, {} are 0.5 or less. Independent p-values of a \
             fair shuffle scatter about the straight line; these share the same decks, and proven bounds are larger than they \
             need be, so points above the line are no cause for concern and points far below it are the ones to look at.",
            number(all),
            number(tenth),
            number(half),
        )
    },
    magnified_title: "Sorted p-values against the uniform line, magnified",
    magnified_caption: |all, smallest, each, level| {
        format!(
            "The same p-values, the small ones magnified: each step of the scale is a power of ten. The smallest of \
             {} is {smallest}. The dashed line marks {each}, the level {level} shared equally among all of them, for \
             orientation: the verdict shares it by the rule below.",
            number(all),
        )
    },
    on_the_edge: |count| format!("On the lower edge: {} of 1e-20 or less.", number(count)),
    power_title: |name| format!("{name}: share of audits that reject, by number of decks"),
    power_decks: "decks in one audit",
    power_share: "share rejected",
    power_caption: |shufflers, decks, detected| {
        format!(
            "{} flawed shufflers. The dashed line marks the {} decks of this plan; with so many, or fewer, at least half \
             of the audits rejected {detected} of them.",
            number(shufflers),
            number(decks),
        )
    },
    this_plan: "this plan",
};

fn axis_noun(axis: Axis) -> &'static str {
    match axis {
        Axis::Card => "card",
        Axis::Place => "place",
        Axis::NextPlace => "place in the following deck",
        Axis::NextCard => "card in the following deck",
        Axis::CardThatFollows => "card that follows",
        Axis::PlaceThatFollows => "place that follows",
        Axis::NextPlaceThatFollows => "place in the following deck that follows",
        Axis::NextCardThatFollows => "card in the following deck that follows",
    }
}
