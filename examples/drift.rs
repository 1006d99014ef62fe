//! Ten years of days on a computer: `drift HISTORIES` prints how often evidence against a fair shuffler alarms, and after
//! how many days a drift of one seat's wins is found, beside two ways of testing each day.

use std::process::ExitCode;

use deckproof::math::dirichlet::ln_sum_exp;
use deckproof::math::{binomial, chi_squared};
use deckproof::monitoring::check::CheckResult;
use deckproof::monitoring::drift::process::{P_VALUES, Process, Shape, p_value_counts};
use deckproof::monitoring::drift::tables::FAMILIES;
use deckproof::monitoring::drift::{INVESTIGATE, STOP};
use deckproof::monitoring::levels::{Occasion, PValues, QUESTION_REPEAT, weigh};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Ten years.
const DAYS: u64 = 3_650;
/// Days after the beginning of a drift on which it is still looked for.
const LOOKED_FOR: u64 = 1_000;
/// Histories of each drift, at most.
const DRIFTS_MAX: u64 = 200;
/// Hands of a day that one seat wins.
const HANDS: u64 = 1_000_000;
const SEATS: usize = 6;
/// Families of `deckproof daily` that are bets on p-values of their own, beside those of the days: lags, moves, spacings.
const P_VALUE_FAMILIES: usize = 3;
/// Families of `deckproof daily` that hold their stake here: seats, p-values of the days and of three families are bet on.
const IDLE: usize = FAMILIES.len() - 2 - P_VALUE_FAMILIES;
/// A drift of seats is one of so many families that share the p-value of a day.
const SHARED_BY: f64 = 30.0;

/// How one history went: the first day of each kind of alarm, and how many days the daily test alarmed.
struct History {
    ln_highest: f64,
    investigate: Option<u64>,
    stop: Option<u64>,
    daily: Option<u64>,
    bonferroni: Option<u64>,
    daily_alarms: u64,
    days: u64,
    live: Steps,
    fresh: Steps,
}

/// The steps that judge each day by itself, over a history.
#[derive(Clone, Copy, Default)]
struct Steps {
    questions: u64,
    stops: u64,
    /// Stops of the rule p < 10^-6 on a day, or p < 0.01 on it and on its repeat.
    stops_of_plain_rule: u64,
    is_open: bool,
    is_open_by_plain_rule: bool,
}

impl Steps {
    /// Decks of a day that are the repeat of the day before, where that asked a question.
    fn live(&mut self, p_value: f64) {
        self.stops_of_plain_rule +=
            u64::from(p_value < 1e-6 || (self.is_open_by_plain_rule && p_value < QUESTION_REPEAT));
        self.is_open_by_plain_rule = p_value < QUESTION_REPEAT;
        let result = weighed(p_value, if self.is_open { Occasion::AfterQuestion } else { Occasion::Daily });
        self.is_open = result == CheckResult::Investigate;
        self.count(result);
    }

    /// An audit that takes its own repeat on the same day, which then decides.
    fn fresh(&mut self, p_value: f64, again: f64) {
        let is_repeated = p_value < QUESTION_REPEAT;
        self.stops_of_plain_rule += u64::from(p_value < 1e-6 || (is_repeated && again < QUESTION_REPEAT));
        let first = weighed(p_value, Occasion::Daily);
        let is_decided = first == CheckResult::Refused || !is_repeated;
        self.count(if is_decided { first } else { weighed(again, Occasion::OwnRepeat) });
    }

    fn count(&mut self, result: CheckResult) {
        self.stops += u64::from(result == CheckResult::Refused);
        self.questions += u64::from(result == CheckResult::Investigate);
    }
}

fn weighed(p_value: f64, asked: Occasion) -> CheckResult {
    weigh(PValues { family: p_value, convicting: p_value }, asked)
}

fn main() -> ExitCode {
    let Some(histories) = std::env::args().nth(1).and_then(|text| text.parse::<u64>().ok()) else {
        eprintln!("wanted a number of histories");
        return ExitCode::from(2);
    };
    println!(
        "Days of {HANDS} hands at {SEATS} seats, {DAYS} days, {histories} fair histories; ChaCha20, seeds from 0 on.\n"
    );
    let is_sound = fair(histories);
    drifts(histories.min(DRIFTS_MAX));
    if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn fair(histories: u64) -> bool {
    let all = run(histories, 0, 0.0, DAYS, true);
    println!(
        "| evidence on some day at least | of {histories} fair shufflers | at most, on average (Ville) | p-value, binomial, null: at most |\n|---|---|---|---|"
    );
    let mut is_sound = true;
    for odds in [10.0, 20.0, 100.0, INVESTIGATE, STOP] {
        let found = all.iter().filter(|history| history.ln_highest >= libm::log(odds)).count() as u64;
        let p_value = binomial::tails(histories, 1.0 / odds, found).1;
        is_sound &= p_value > 1e-3;
        println!("| {odds} to 1 | {found} | {:.1} | {p_value:.2} |", histories as f64 / odds);
    }
    let alarms: u64 = all.iter().map(|history| history.daily_alarms).sum();
    let years = histories as f64 * DAYS as f64 / 365.0;
    let bonferroni = all.iter().filter(|history| history.bonferroni.is_some()).count();
    println!(
        "\nThe daily test p < 0.01 alarmed {:.2} times a year; p < 0.001/{DAYS} a day in {bonferroni} of the histories.\n",
        alarms as f64 / years
    );
    is_sound & days(&all, years)
}

/// The steps that judge each day by itself.
fn days(all: &[History], years: f64) -> bool {
    println!(
        "| step, each day by itself | questions a year | fair shufflers stopped in ten years | stops a shuffler by p < 0.01 twice or 10^-6 once |\n|---|---|---|---|"
    );
    let mut is_sound = true;
    for (name, of) in
        [("live output", (|one| one.live) as fn(&History) -> Steps), ("fresh output", |one| one.fresh)]
    {
        let sum = |count: fn(&Steps) -> u64| all.iter().map(|one| count(&of(one))).sum::<u64>() as f64;
        let stopped = all.iter().filter(|one| of(one).stops > 0).count() as u64;
        is_sound &= binomial::tails(all.len() as u64, 2e-6, stopped).1 > 1e-3;
        println!(
            "| {name} | {:.2} | {stopped} of {} | {:.2} |",
            sum(|steps| steps.questions) / years,
            all.len(),
            sum(|steps| steps.stops_of_plain_rule) / all.len() as f64
        );
    }
    println!();
    is_sound
}

/// A number above 0 and at most 1.
fn uniform(rng: &mut ChaCha20Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
}

fn drifts(histories: u64) {
    println!(
        "| drift of one seat's wins | from day | evidence 1,000 to 1 | evidence 10^6 to 1 | p < 0.001/{DAYS} a day | p < 0.01 a day | false alarms of p < 0.01 before |\n|---|---|---|---|---|---|---|"
    );
    for percent in [0.1, 0.2, 0.5, 1.0] {
        for start in [0, 1_000, 3_000] {
            let all = run(histories, start, percent / 100.0, DAYS.min(start + LOOKED_FOR), false);
            let median = |of: fn(&History) -> Option<u64>| {
                let mut delays: Vec<u64> =
                    all.iter().map(|history| of(history).map_or(u64::MAX, |day| day - start)).collect();
                delays.sort_unstable();
                match delays[delays.len() / 2] {
                    u64::MAX => format!("not in {}", LOOKED_FOR.min(DAYS - start)),
                    days => format!("{days} days"),
                }
            };
            let before = start as f64 * 0.01;
            println!(
                "| {percent} % | {start} | {} | {} | {} | {} | {before:.0} |",
                median(|history| history.investigate),
                median(|history| history.stop),
                median(|history| history.bonferroni),
                median(|history| history.daily),
            );
        }
    }
    println!(
        "\nMedians of the days from the first drifting one to the alarm, that day included; a drift is looked for during {LOOKED_FOR} days. The evidence is that of `deckproof daily`: seats, p-values of the days and of three other families are five of {} that share the stake.",
        FAMILIES.len()
    );
}

fn run(histories: u64, start: u64, drift: f64, days: u64, to_the_end: bool) -> Vec<History> {
    (0..histories).into_par_iter().map(|seed| history(seed, start, drift, days, to_the_end)).collect()
}

fn history(seed: u64, start: u64, drift: f64, days: u64, to_the_end: bool) -> History {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut process = Process::new(Shape::of_tables(1, SEATS));
    let mut p_values = Process::new(P_VALUES);
    let mut of_families: Vec<Process> = (0..P_VALUE_FAMILIES).map(|_| Process::new(P_VALUES)).collect();
    let mut history = History {
        ln_highest: 0.0,
        investigate: None,
        stop: None,
        daily: None,
        bonferroni: None,
        daily_alarms: 0,
        days,
        live: Steps::default(),
        fresh: Steps::default(),
    };
    for day in 0..days {
        let is_drifting = drift > 0.0 && day >= start;
        let counts = winners(&mut rng, if is_drifting { drift } else { 0.0 });
        process.add_day(&counts);
        let own = daily(&counts);
        // A fair day has the most dangerous p-value there is, a uniform one; the p-value of a drift is shared by other families.
        let of_day = if drift > 0.0 { (own * SHARED_BY).min(1.0) } else { uniform(&mut rng) };
        p_values.add_day(&p_value_counts(of_day));
        if drift == 0.0 {
            history.live.live(of_day);
            history.fresh.fresh(uniform(&mut rng), uniform(&mut rng));
        }
        // What a drift of seats does not move is as dangerous as it can be, too.
        of_families.iter_mut().for_each(|own| own.add_day(&p_value_counts(uniform(&mut rng))));
        let values = [&process, &p_values].into_iter().chain(&of_families).map(Process::ln_evidence);
        let ln = ln_sum_exp(values.chain([0.0; IDLE])) - libm::log(FAMILIES.len() as f64);
        history.ln_highest = history.ln_highest.max(ln);
        // A day counts from 1, so that what is found on its first day took one day.
        let passed = day + 1;
        let first = |found: &mut Option<u64>, is_alarm: bool| {
            if is_alarm && found.is_none() && (is_drifting || drift == 0.0) {
                *found = Some(passed);
            }
        };
        let p_value = own;
        first(&mut history.investigate, ln >= libm::log(INVESTIGATE));
        first(&mut history.stop, ln >= libm::log(STOP));
        first(&mut history.daily, p_value < 0.01);
        first(&mut history.bonferroni, p_value < 0.001 / DAYS as f64);
        history.daily_alarms += u64::from(p_value < 0.01);
        if !to_the_end && history.stop.is_some() && history.daily.is_some() && history.bonferroni.is_some() {
            history.days = passed;
            break;
        }
    }
    history
}

/// Pearson's χ² of one day.
fn daily(counts: &[u64; SEATS]) -> f64 {
    let expected = HANDS as f64 / SEATS as f64;
    let score: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    chi_squared::upper(SEATS as f64 - 1.0, score)
}

/// Winners by seat, multinomial: one binomial after the other. The first seat wins more often by `drift` of its share.
fn winners(rng: &mut ChaCha20Rng, drift: f64) -> [u64; SEATS] {
    let own = (1.0 + drift) / SEATS as f64;
    let others = (1.0 - own) / (SEATS as f64 - 1.0);
    let (mut left, mut rest, mut counts) = (HANDS, 1.0, [0; SEATS]);
    for (seat, count) in counts.iter_mut().enumerate() {
        let p = if seat == 0 { own } else { others };
        *count = if seat == SEATS - 1 { left } else { binomial_draw(rng, left, p / rest) };
        left -= *count;
        rest -= p;
    }
    counts
}

/// A binomial number by inversion, from the mode outwards.
fn binomial_draw(rng: &mut ChaCha20Rng, n: u64, p: f64) -> u64 {
    let uniform = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let mode = ((n + 1) as f64 * p).floor() as u64;
    let (below, above) = binomial::tails(n, p, mode);
    // Both tails hold the mode: what they hold above one is its probability.
    let point = below + above - 1.0;
    let odds = p / (1.0 - p);
    let (mut low, mut high) = (mode, mode);
    let (mut low_point, mut high_point, mut sum) = (point, point, point);
    let mut value = mode;
    while uniform >= sum && (low > 0 || high < n) {
        let up = high_point * odds * (n - high) as f64 / (high + 1) as f64;
        let down = if low == 0 { 0.0 } else { low_point * low as f64 / (odds * (n - low + 1) as f64) };
        if up >= down {
            (high, high_point, value) = (high + 1, up, high + 1);
            sum += up;
        } else {
            (low, low_point, value) = (low - 1, down, low - 1);
            sum += down;
        }
        if up.max(down) < 1e-18 {
            break;
        }
    }
    value
}
