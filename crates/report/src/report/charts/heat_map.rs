//! A table of counts as a heat map of standardised residuals.

use crate::document::figure::Axis;
use crate::document::words::Words;
use crate::report::charts::{Frame, Picture, at, label, rectangle, turned};
use deckproof_deck::card::{Card, DECK_CARDS};

/// Side of a cell in view-box units.
const CELL: f64 = 10.0;
/// Room for the row labels and the name of the rows.
const LEFT: f64 = 50.0;
/// Room for the column labels and the name of the columns.
const TOP: f64 = 50.0;
/// Room for the legend.
const BOTTOM: f64 = 62.0;
/// The last colour class: residuals of 4.5 and more. Among the 2,704 cells of a fair table the most
/// extreme one is usually near 3.6, so this colour should never be seen.
const CLASS_MAX: i32 = 5;

/// From this expectation on a count may be compared with the normal distribution.
pub(super) const NORMAL_EXPECTED_MIN: f64 = 10.0;

/// A table of counts, and the words that describe it.
pub(in crate::report) struct Table<'a> {
    pub(in crate::report) words: &'static Words,
    pub(in crate::report) rows: Axis,
    pub(in crate::report) columns: Axis,
    pub(in crate::report) side: usize,
    pub(in crate::report) observed: &'a [u64],
    pub(in crate::report) expected: f64,
    pub(in crate::report) deviation: f64,
}

/// One cell that can be filled.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    row: usize,
    column: usize,
    pub(super) observed: u64,
    pub(super) residual: f64,
}

impl Table<'_> {
    /// Whether the table is whole and its residuals are defined.
    pub(in crate::report) fn is_drawable(&self) -> bool {
        self.side > 0 && self.observed.len() == self.side * self.side && self.deviation > 0.0
    }

    /// The cells that can be filled. With a 53rd symbol for the end of the deck the table counts
    /// neighbours, and no card is its own neighbour: its diagonal is empty by nature.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let cell = |(place, &observed): (usize, &u64)| {
            let (row, column) = (place / self.side, place % self.side);
            let residual = (observed as f64 - self.expected) / self.deviation;
            (!self.has_end() || row != column).then_some(Cell { row, column, observed, residual })
        };
        self.observed.iter().enumerate().filter_map(cell)
    }

    /// The cell farthest off of so many decks, in words: `the ace of spades lay on top in 214 of 5,000 decks; 96.2 are
    /// expected (+12.1 standard deviations)`, or `card 7h, place 12: 612 seen (…); 500.0 are expected`.
    pub(in crate::report) fn furthest(&self, decks: u64) -> Option<String> {
        let cell = self.cells().max_by(|a, b| a.residual.abs().total_cmp(&b.residual.abs()))?;
        let (own, expected) = (&self.words.page, self.words.decimal(self.expected, 1));
        let of_cards = (self.rows, self.columns) == (Axis::Card, Axis::Place);
        let Some(card) = card(cell.row).filter(|_| of_cards && self.side == DECK_CARDS) else {
            let text = self.tell(cell);
            let (of_cards, of_places) =
                (own.cell_expected(&text, &expected), own.places_expected(&text, &expected));
            return Some(if self.has_places() { of_places } else { of_cards });
        };
        Some(own.card_lay(
            &own.card_words(card),
            &own.place_words(cell.column),
            cell.observed,
            decks,
            &expected,
            &self.words.standard_deviations(cell.residual),
        ))
    }

    fn has_places(&self) -> bool {
        !is_card(self.rows) || !is_card(self.columns)
    }

    fn has_end(&self) -> bool {
        self.side == DECK_CARDS + 1
    }

    /// `card 7h, place 12: 19,612 seen (+2.8 standard deviations)`.
    fn tell(&self, cell: Cell) -> String {
        let (words, chart) = (self.words, &self.words.chart);
        let name = |axis: Axis, index: usize| match card(index) {
            None => chart.end_of_deck.to_owned(),
            // "The card that follows 2c" would be another one.
            Some(_) if axis.is_follower() => words.about(chart.axis(axis), &name(axis, index, words)),
            Some(_) => format!("{} {}", chart.axis(axis), name(axis, index, words)),
        };
        chart.cell(
            &name(self.rows, cell.row),
            &name(self.columns, cell.column),
            &words.number(cell.observed),
            &words.standard_deviations(cell.residual),
        )
    }
}

/// Whether the rows or columns are cards; all others are places.
fn is_card(axis: Axis) -> bool {
    matches!(axis, Axis::Card | Axis::NextCard | Axis::CardThatFollows | Axis::NextCardThatFollows)
}

/// The name of one row or column.
fn name(axis: Axis, index: usize, words: &Words) -> String {
    match (is_card(axis), card(index)) {
        (_, None) => words.chart.end.to_owned(),
        (true, Some(card)) => card.to_string(),
        (false, Some(_)) => index.to_string(),
    }
}

/// The small label beside every row; for cards the suit, since the rank is printed once for four.
fn fine(axis: Axis, index: usize, words: &Words) -> String {
    match (is_card(axis), card(index)) {
        (true, Some(card)) => card.to_string().split_off(1),
        _ => name(axis, index, words),
    }
}

/// The large labels: where they start, how many rows they span, what they say.
fn coarse(axis: Axis) -> Vec<(usize, usize, String)> {
    let group = |width: usize, from: usize, text: String| (from, width, text);
    let rank = |rank: usize| card(4 * rank).map_or_else(String::new, |card| card.to_string());
    if is_card(axis) {
        (0..13).map(|at| group(4, 4 * at, rank(at).chars().take(1).collect())).collect()
    } else {
        (0..DECK_CARDS).step_by(10).map(|place| group(1, place, place.to_string())).collect()
    }
}

fn card(index: usize) -> Option<Card> {
    u8::try_from(index).ok().and_then(Card::from_index)
}

/// Draws the table; `name` is the test's, `id` unique on the page.
pub(in crate::report) fn draw(table: &Table, id: &str, name: &str) -> Picture {
    let title = table.words.chart.heat_map_title(name, table.side as u64);
    let caption = caption(table);
    let width = LEFT + CELL * table.side as f64 + 10.0;
    let height = TOP + CELL * table.side as f64 + BOTTOM;
    let frame = Frame { id, kind: "heat", width, height };
    let body = [cells(table), row_labels(table), column_labels(table), legend(table)].concat();
    Picture { id: id.to_string(), svg: frame.around(&body), title, caption, kind: "wide" }
}

/// The colour class of a residual: its nearest integer, at most [`CLASS_MAX`] either way.
fn class(residual: f64) -> i32 {
    (residual.round().clamp(f64::from(-CLASS_MAX), f64::from(CLASS_MAX))) as i32
}

/// The name of a class in the style sheet.
fn class_name(class: i32) -> String {
    match class {
        0 => "z".to_string(),
        few if few < 0 => format!("n{}", -few),
        many => format!("p{many}"),
    }
}

/// One path a colour over a ground of the middle colour, in units of cells: a cell is a line as long as it is wide, and
/// neighbours of one colour in a row are one line. This keeps 2,704 cells below 20 kB.
fn cells(table: &Table) -> String {
    let mut paths = vec![String::new(); (2 * CLASS_MAX + 1) as usize];
    let mut open: Option<(Cell, usize)> = None;
    let mut close = |run: Option<(Cell, usize)>| {
        if let Some((first, length)) = run.filter(|(first, _)| class(first.residual) != 0) {
            let path = &mut paths[(class(first.residual) + CLASS_MAX) as usize];
            path.push_str(&format!("M{} {}h{length}", first.column, first.row));
        }
    };
    for cell in table.cells() {
        open = match open {
            Some((first, length))
                if first.row == cell.row
                    && first.column + length == cell.column
                    && class(first.residual) == class(cell.residual) =>
            {
                Some((first, length + 1))
            }
            run => {
                close(run);
                Some((cell, 1))
            }
        };
    }
    close(open);
    let side = table.side as f64 * CELL;
    let mut body = format!("<path class=\"z\" d=\"{}\"/>", rectangle(LEFT, TOP, side, side));
    // A line lies half above and half below its points, hence the half cell.
    let (x, y) = (at(LEFT), at(TOP + CELL / 2.0));
    body.push_str(&format!("<g class=\"cells\" transform=\"translate({x} {y}) scale({})\">", at(CELL)));
    for (path, class) in paths.iter().zip(-CLASS_MAX..).filter(|(path, _)| !path.is_empty()) {
        body.push_str(&format!("<path class=\"{}\" d=\"{path}\"/>", class_name(class)));
    }
    if table.has_end() {
        let diagonal: String = (0..table.side).map(|place| format!("M{place} {place}h1")).collect();
        body.push_str(&format!("<path class=\"none\" d=\"{diagonal}\"/>"));
    }
    body + "</g>" + &signs(table)
}

/// A plus or minus in cells of the last class, for eyes and printers without colour.
fn signs(table: &Table) -> String {
    let mut path = String::new();
    for cell in table.cells().filter(|cell| class(cell.residual).abs() == CLASS_MAX) {
        let (x, y) = corner(cell.row, cell.column);
        path.push_str(&format!("M{} {}h6", at(x + 2.0), at(y + 5.0)));
        if cell.residual > 0.0 {
            path.push_str("m-3 -3v6");
        }
    }
    if path.is_empty() { path } else { format!("<path class=\"sign\" d=\"{path}\"/>") }
}

/// The upper left corner of a cell.
fn corner(row: usize, column: usize) -> (f64, f64) {
    (LEFT + CELL * column as f64, TOP + CELL * row as f64)
}

fn row_labels(table: &Table) -> String {
    let middle = TOP + CELL * table.side as f64 / 2.0;
    let mut body = turned(11.0, middle, &axis_title(table.rows, table.words));
    for index in 0..table.side {
        let y = corner(index, 0).1 + 7.8;
        body.push_str(&label("fine end", LEFT - 3.0, y, &fine(table.rows, index, table.words)));
    }
    for (from, width, text) in coarse(table.rows) {
        let (x, class) =
            if is_card(table.rows) { (LEFT - 14.0, "rank end") } else { (LEFT - 3.0, "coarse end") };
        let y = corner(from, 0).1 + CELL * width as f64 / 2.0 + 5.0;
        body.push_str(&label(class, x, y, &text));
    }
    body
}

fn column_labels(table: &Table) -> String {
    let middle = LEFT + CELL * table.side as f64 / 2.0;
    let mut body = label("axis middle", middle, 13.0, &axis_title(table.columns, table.words));
    for index in 0..table.side {
        let (x, text) = (corner(0, index).0, fine(table.columns, index, table.words));
        match (card(index), is_card(table.columns)) {
            (None, _) => body.push_str(&label("fine", x + 1.0, TOP - 4.0, &text)),
            // Two digits are as wide as a cell: every second number keeps them apart.
            (Some(_), false) if !index.is_multiple_of(2) => {}
            (Some(_), _) => body.push_str(&label("fine middle", x + CELL / 2.0, TOP - 4.0, &text)),
        }
    }
    for (from, width, text) in coarse(table.columns) {
        let (y, class) =
            if is_card(table.columns) { (TOP - 14.0, "rank middle") } else { (TOP - 4.0, "coarse middle") };
        body.push_str(&label(class, corner(0, from).0 + CELL * width as f64 / 2.0, y, &text));
    }
    body
}

/// What the axis counts, and from where.
fn axis_title(axis: Axis, words: &Words) -> String {
    let noun = words.chart.axis(axis);
    if is_card(axis) { noun.to_owned() } else { words.chart.zero_is_the_top(noun) }
}

/// Eleven swatches of one standard deviation each.
fn legend(table: &Table) -> String {
    const SWATCH: f64 = 34.0;
    let middle = LEFT + CELL * table.side as f64 / 2.0;
    let left = middle - SWATCH * (f64::from(CLASS_MAX) + 0.5);
    let top = TOP + CELL * table.side as f64 + 14.0;
    let mut body = String::new();
    for (place, class) in (-CLASS_MAX..=CLASS_MAX).enumerate() {
        let x = left + SWATCH * place as f64;
        let swatch = rectangle(x, top, SWATCH, 12.0);
        body.push_str(&format!("<path class=\"{}\" d=\"{swatch}\"/>", class_name(class)));
        let text = match class {
            -5 => "≤ −5".to_string(),
            5 => "≥ +5".to_string(),
            0 => "0".to_string(),
            class => format!("{}{}", if class > 0 { "+" } else { "−" }, class.abs()),
        };
        body.push_str(&label("tick middle", x + SWATCH / 2.0, top + 25.0, &text));
    }
    body + &label("axis middle", middle, top + 42.0, table.words.chart.too_few_too_many)
}

/// What is seen, in numbers: for the caption and as the text alternative.
fn caption(table: &Table) -> String {
    let mut cells: Vec<Cell> = table.cells().collect();
    let beyond = |limit: f64| cells.iter().filter(|cell| cell.residual.abs() > limit).count() as u64;
    let (two, three) = (beyond(2.0), beyond(3.0));
    let total = cells.len() as u64;
    cells.sort_by(|a, b| b.residual.abs().total_cmp(&a.residual.abs()));
    let furthest: Vec<String> = cells.iter().take(3).map(|&cell| table.tell(cell)).collect();
    let (words, chart) = (table.words, &table.words.chart);
    // The shares of the normal distribution beyond 2 and 3 standard deviations: 4.55 % and 0.270 %.
    let fair = if NORMAL_EXPECTED_MIN <= table.expected { chart.beyond_fair } else { "" };
    let should =
        chart.cells_should(total, &words.decimal(table.expected, 1), &words.decimal(table.deviation, 1));
    let beyond = chart.cells_beyond(two, three, fair);
    let furthest = words.series(&furthest);
    let furthest =
        if table.has_places() { chart.furthest_places(&furthest) } else { chart.furthest_cells(&furthest) };
    let diagonal = if table.has_end() { chart.diagonal } else { "" };
    let codes = if is_card(table.rows) || is_card(table.columns) { chart.card_codes } else { "" };
    let sentences = [should.as_str(), &beyond, &furthest, diagonal, codes];
    sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
}
