//! Which statistics answer to each kind of test: lists of beginnings of p-value ids.

/// Cards at places, cells and totals.
pub(super) const CHI_SQUARE: &[&str] =
    &["deck.card-place", "deck.digits-down.total", "deck.digits-ways.bag-total"];

/// Cards, ranks and suits place by place and pooled over the first places.
pub(super) const TOTAL_DISTRIBUTION: &[&str] = &[
    "deck.card-place.total",
    "deck.card-place.rank-place",
    "deck.card-place.suit-place",
    "deck.card-place.first-21-cards",
    "deck.card-place.first-21-ranks",
    "deck.card-place.first-21-suits",
    "deck.card-place.first-49-cards",
    "deck.card-place.first-49-ranks",
    "deck.card-place.first-49-suits",
];

/// The number of times each card came to each place, and each index to each draw.
pub(super) const FREQUENCY: &[&str] =
    &["deck.card-place", "deck.digits-down.total", "deck.digits-down.each-base", "deck.digits-ways"];

/// The number of times each card came to each place.
pub(super) const PER_PLACE: &[&str] = &["deck.card-place"];

/// Runs of rising and falling cards, and what counts them in another way.
pub(super) const RUNS: &[&str] = &[
    "deck.runs",
    "deck.rising-sequences",
    "deck.monotone",
    "deck.longest-run",
    "deck.one-place.wald-wolfowitz",
];

/// Orders of whole decks.
pub(super) const PERMUTATION: &[&str] = &[
    "deck.cycles", "deck.inversions", "deck.parity", "deck.longest-cycle", "deck.exceedances",
    "deck.footrule", "deck.records", "deck.first-cards", "deck.seat-suits",
];

/// The longest rising and falling subsequences; lowest, middle and highest of the first seven cards; order patterns
/// of neighbouring places.
pub(super) const ORDER_STATISTIC: &[&str] = &[
    "deck.monotone",
    "deck.neighbours.lowest-mean",
    "deck.neighbours.middle-mean",
    "deck.neighbours.highest-mean",
    "deck.first-cards",
];

/// Which card follows which.
pub(super) const ADJACENCY: &[&str] = &["deck.adjacency", "deck.successions"];

/// Places of one deck against each other.
pub(super) const INTERPLAY: &[&str] =
    &["deck.place-pairs", "deck.first-three", "deck.neighbours.suit-mean", "deck.neighbours.rank-mean"];

/// Each deck against the one before it.
pub(super) const SERIAL: &[&str] = &[
    "relative.card-place",
    "relative.adjacency",
    "relative.cycles",
    "relative.inversions",
    "relative.rising-sequences",
    "relative.successions",
    "deck.one-place.serial-correlation",
    "deck.matches",
    "deck.lags",
    "deck.rotation",
    "deck.digits-down.moves-total",
    "deck.digits-down.moves-each-base",
];

/// Cards that stay among the first places from one deck to the next.
pub(super) const OVERLAPS: &[&str] = &["relative.overlaps"];

/// How long one place waits for a card.
pub(super) const GAP: &[&str] = &["deck.one-place.gap"];

/// How long one place takes to show every card.
pub(super) const COUPON_COLLECTOR: &[&str] = &["deck.one-place.coupon-collector"];

/// Equal ranks among five of one place's cards.
pub(super) const POKER: &[&str] = &["deck.one-place.poker"];

/// Waves and linear relations in the numbers a dealer must have drawn.
pub(super) const SPECTRAL: &[&str] = &["deck.spectral", "deck.linear-complexity"];

/// Even and odd decks, first and second halves against each other.
pub(super) const SUBSEQUENCES: &[&str] = &["deck.even-odd", "deck.halves"];

/// Decks that came before.
pub(super) const DUPLICATES: &[&str] = &[
    "deck.duplicates",
    "deck.duplicates-turned",
    "deck.duplicates-inverse",
    "deck.duplicates-ranks",
    "deck.duplicates-suits",
    "deck.duplicates-top-half",
    "deck.duplicates-lower-half",
];

/// Rare events: equal beginnings, equal spacings, rare hands.
pub(super) const POISSON: &[&str] = &["deck.collisions", "deck.birthday-spacings", "deck.rare-hands"];

/// Distribution functions, point by point.
pub(super) const KOLMOGOROV_SMIRNOV: &[&str] = &["deck.kolmogorov-smirnov"];

/// What seats hold at the showdown.
pub(super) const HANDS: &[&str] =
    &["deck.high-category", "deck.low-hand", "deck.joint-hand", "deck.seat-cards", "deck.seat-repeats"];
