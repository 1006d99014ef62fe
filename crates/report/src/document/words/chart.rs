//! The words of figures: axes, legends and captions.

use crate::document::figure::Axis;
use crate::document::words::sample::Sample;
use crate::document::words::words;

words! {
    /// The words of figures.
    ChartWords {
        axis(Axis),
        zero_is_the_top(&str),
        end,
        end_of_deck,
        too_few_too_many,
        cell(&str, &str, &str, &str),
        heat_map_title(&str, u64),
        cells_should(u64, &str, &str),
        cells_beyond(u64, u64, &str),
        beyond_fair,
        furthest_cells(&str),
        diagonal,
        from_to(&str, &str),
        fair_shuffle,
        normal_curve,
        values,
        cells,
        deviations_from_expected,
        histogram_title(&str, &str),
        seen(&str),
        expected(&str),
        bar_differences,
        total(u64, &str),
        most_often(&str, u64, &str),
        outermost_bars,
        not_drawn(&str, &str, u64, &str),
        furthest_bar(&str, u64, &str, &str),
        expected_p_value,
        p_value_found,
        p_values_title,
        p_values_caption(u64, u64, u64),
        magnified_title,
        magnified_caption(u64, &str, &str, &str),
        on_the_edge(u64),
        power_title(&str),
        power_decks,
        power_share,
        power_caption(u64, u64, &str),
        this_plan,
    }
}

impl Sample for Axis {
    fn sample() -> Axis {
        Axis::NextPlace
    }
}
