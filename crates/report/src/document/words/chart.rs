//! The words of figures: axes, legends and captions.

use crate::document::figure::Axis;
use crate::document::words::words;

words! {
    /// The words of figures.
    ChartWords {
        deviation, deviations,
        axis_card, axis_place, axis_next_place, axis_next_card, axis_card_that_follows,
        axis_place_that_follows, axis_next_place_that_follows, axis_next_card_that_follows,
        zero_is_the_top(noun: text),
        end, end_of_deck, too_few_too_many,
        cell(row: text, column: text, seen: text, deviations: text),
        heat_map_title(name: text, side: number),
        cells_should(cells: number, expected: text, deviation: text),
        cells_beyond(two: number, three: number, fair: text),
        beyond_fair,
        furthest_cells(cells: text),
        furthest_places(cells: text),
        diagonal, card_codes,
        range(first: text, last: text),
        fair_shuffle, normal_curve, values, cells, deviations_from_expected,
        histogram_title(name: text, axis: text),
        seen(unit: text),
        expected(null: text),
        bar_differences,
        total(total: number, unit: text),
        most_often(bar: text, seen: number, expected: text),
        outermost_bars,
        not_drawn(below: text, above: text, seen: number, expected: text),
        furthest_bar(bar: text, seen: number, expected: text, deviations: text),
        expected_p_value, p_value_found, p_values_title,
        p_values_caption(all: number, tenth: number, half: number),
        magnified_title,
        magnified_caption(all: number, smallest: text, each: text, level: text),
        on_the_edge(count: number),
        power_title(name: text),
        power_decks, power_share,
        power_caption(shufflers: number, decks: number, detected: text),
        this_plan,
    }
}

impl ChartWords {
    /// What an axis counts.
    pub fn axis(&self, axis: Axis) -> &'static str {
        match axis {
            Axis::Card => self.axis_card,
            Axis::Place => self.axis_place,
            Axis::NextPlace => self.axis_next_place,
            Axis::NextCard => self.axis_next_card,
            Axis::CardThatFollows => self.axis_card_that_follows,
            Axis::PlaceThatFollows => self.axis_place_that_follows,
            Axis::NextPlaceThatFollows => self.axis_next_place_that_follows,
            Axis::NextCardThatFollows => self.axis_next_card_that_follows,
        }
    }
}
