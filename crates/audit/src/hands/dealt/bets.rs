//! Money that is bet at fair odds: what a card does to it.

/// Seats 1 to 8, and 0 for a card that all seats share.
pub(super) const SEATS: usize = 9;

/// Streets 3 to 7.
pub(super) const STREETS: usize = 5;

/// Several bettors with different opinions share the money of one part.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Money {
    /// The logarithm of what each has, of 1 that each began with.
    logs: Vec<f64>,
    /// The logarithm of the most that they had together, by the mean.
    pub most: f64,
    /// Cards bet on.
    pub cards: u64,
}

impl Money {
    pub fn of(bettors: usize) -> Money {
        Money { logs: vec![0.0; bettors], most: 0.0, cards: 0 }
    }

    /// A card was dealt: every bettor's money is multiplied by what his bet pays. The mean payment over the cards
    /// that could have come is 1.
    pub fn pay(&mut self, payment: impl Fn(usize) -> f64) {
        self.cards += 1;
        for (bettor, log) in self.logs.iter_mut().enumerate() {
            *log += libm::log(payment(bettor));
        }
    }

    /// The hand is over: the most they had is looked up.
    pub fn settle(&mut self) {
        let highest = self.logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self.logs.iter().map(|log| libm::exp(log - highest)).sum();
        self.most = self.most.max(highest + libm::log(sum / self.logs.len() as f64));
    }
}

/// How strongly a score is bet on: half of them on high cards, half on low ones.
pub(super) const TILTS: [f64; 14] =
    [-0.6, -0.3, -0.12, -0.05, -0.02, -0.01, -0.005, 0.005, 0.01, 0.02, 0.05, 0.12, 0.3, 0.6];

/// What a bet on a score pays; `score` is in −1…1, with mean 0 over the cards left.
pub(super) fn tilted(tilt: f64, score: f64) -> f64 {
    1.0 + tilt * score
}

/// How much more often than by chance an event is bet to come: never, less often, more often.
pub(super) const ODDS: [f64; 12] = [0.0, 0.5, 0.8, 0.95, 0.975, 0.99, 1.01, 1.025, 1.05, 1.25, 2.0, 5.0];

/// What a bet on an event of this probability pays. More than certain is not bet on.
pub(super) fn event(odds: f64, probability: f64, has_come: bool) -> f64 {
    let odds = odds.min(0.99 / probability);
    if has_come { odds } else { (1.0 - odds * probability) / (1.0 - probability) }
}
