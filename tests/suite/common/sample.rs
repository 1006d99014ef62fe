//! A page with realistic contents: counts of really shuffled decks, p-values rounded to look right.

use deckproof::audit::verdict::Verdict;
use deckproof::battery::{Exhibit, Tail, View};
use deckproof::certificate::standards::Conformity;
use deckproof::deck::Deck;
use deckproof::document::words::Language;
use deckproof::power::table::DealerPower;
use deckproof::report::page::{
    Fact, Family, NotRunLine, Page, RequiredTest, StandardRow, StatisticRows, Step, TableRow, Term,
};
use deckproof::shuffle::shuffle_deck;
use sha2::{Digest, Sha256};

/// The decks of the keys SHA-256("sample" ‖ number).
pub fn fair_decks(count: u32) -> Vec<Deck> {
    let key = |number: u32| Sha256::new_with_prefix(b"sample").chain_update(number.to_le_bytes()).finalize();
    (0..count).map(|number| shuffle_deck(&key(number).into())).collect()
}

/// The same decks after one rule was broken: if the top two cards rise, they are exchanged.
pub fn flawed_decks(count: u32) -> Vec<Deck> {
    let mut decks = fair_decks(count);
    for deck in decks.iter_mut().filter(|deck| deck.card(0) < deck.card(1)) {
        deck.swap(0, 1);
    }
    decks
}

/// A page about these decks.
pub fn page(decks: &[Deck], verdict: Verdict) -> Page {
    let relative: Vec<[u8; 52]> = decks.windows(2).map(|pair| relative_deck(&pair[0], &pair[1])).collect();
    let direct: Vec<[u8; 52]> = decks.iter().map(|deck| *deck.indices()).collect();
    let views = [(View::Deck, direct), (View::Relative, relative)];
    Page {
        words: Language::English.words(),
        title: "Audit of the certified shuffle".to_string(),
        made: "deckproof 0.1.0, commit 0123abc. Audit begun 2026-11-22T09:00:00Z (UTC).".to_string(),
        subject: Vec::new(),
        id: "certificate SHA-256 0123456789abcdef…".to_string(),
        verdict,
        verdict_sentence: format!("{} decks of audit:1f2e… were examined by 5 statistics.", decks.len()),
        is_start_stated: false,
        statistics_left_out: [0, 71],
        sizes: Vec::new(),
        not_shown: vec![
            "That nobody knew the cards: statistics cannot see a leaked key.".to_string(),
            "That seeds of 64 bits and more are unpredictable: no number of decks could show it.".to_string(),
            "Anything that happened to the cards after the shuffle.".to_string(),
        ],
        not_shown_short: "whether anybody knew the cards".to_string(),
        next: Vec::new(),
        whose: vec![
            Fact { label: "Source".to_string(), value: "the certified shuffle, audit path".to_string() },
            Fact { label: "Decks".to_string(), value: decks.len().to_string() },
        ],
        proofs: Vec::new(),
        source: "audit:1f2e3d4c5b6a79880102030405060708090a0b0c0d0e0f101112131415161718".to_string(),
        decks: decks.len() as u64,
        family: Some(Family {
            p_value: if verdict == Verdict::Fail { 3.2e-11 } else { 0.43 },
            level: 0.01,
            p_values: 16,
        }),
        decided: None,
        facts: facts(),
        statistics: vec![
            card_place(&views),
            adjacency(&views),
            counted(&views, "cycles", "Cycles", "number of cycles", cycles, stirling()),
            counted(&views, "descents", "Descents", "number of descents", descents, eulerian()),
            counted(&views, "inversions", "Inversions", "number of inversions", inversions, mahonian()),
            duplicates(decks.len() as u64),
        ],
        looks: Vec::new(),
        standards: vec![StandardRow {
            name: "GLI-19".to_string(),
            clause: "the seven tests".to_string(),
            confidence_percent: 99,
            says: Conformity::Met,
            family_p_value: Some(0.31),
            names_run: 6,
            names: 7,
            reason: Some("1 of 7 names did not run: Overlaps test (not built).".to_string()),
            not_assessed: "unpredictability".to_string(),
            tests: vec![
                required("Total distribution or chi-square test", &["card-place"], Some(0.31), "met"),
                required("Overlaps test", &[], None, "not built"),
            ],
        }],
        earlier: None,
        seed_space: Some(
            "No deck came twice: at 99 % confidence the shuffler has more than 2^30.0 seeds, if seeds are drawn \
             independently and uniformly. This can never show the 225.6 bits of a full deck."
                .to_string(),
        ),
        not_run: vec![NotRunLine {
            title: "Linear complexity".to_string(),
            reason: "It needs 1,048,576 decks and got fewer.".to_string(),
        }],
        decision_rule: vec![
            "The plan was fixed and hashed before the first deck was drawn.".to_string(),
            "The level 0.01 is shared equally among the families of statistics, and inside a family among its \
             p-values (Holm)."
                .to_string(),
        ],
        false_reject: "At most 1 audit in 100 of a fair shuffler does not pass at first look.".to_string(),
        false_accept: "It depends on the flaw; the table below names the decks each known flaw needs.".to_string(),
        power: power(),
        repeat: vec![
            Step {
                purpose: "Judge the recorded counts again, in milliseconds:".to_string(),
                command: "deckproof verify certificate.json".to_string(),
            },
            Step {
                purpose: "Draw all decks again and compare:".to_string(),
                command: "deckproof verify --rerun certificate.json".to_string(),
            },
        ],
        glossary: vec![
            Term {
                term: "p-value".to_string(),
                meaning: "How often a fair shuffle gives a result at least as unusual.".to_string(),
            },
            Term {
                term: "Standard deviation".to_string(),
                meaning: "The usual size of chance fluctuations.".to_string(),
            },
        ],
    }
}

fn facts() -> Vec<Fact> {
    let fact = |label: &str, value: &str| Fact { label: label.to_string(), value: value.to_string() };
    vec![
        fact("Tool", "deckproof 0.1.0"),
        fact("Commit", "946016312a8b7c6d5e4f30112233445566778899"),
        fact("Executable (SHA-256)", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
        fact("Plan (SHA-256)", "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"),
        fact("Finished", "2026-11-21 15:02:11 UTC"),
        fact("Instruction set", "AVX2"),
        fact("Duration", "1.9 seconds"),
    ]
}

fn power() -> Vec<DealerPower> {
    let row = |dealer: &str, mechanism: &str, decks| DealerPower {
        dealer: dealer.to_string(),
        mechanism: mechanism.to_string(),
        expected: String::new(),
        decks: vec![decks],
        caught_by: None,
    };
    vec![
        row("Sattolo", "never leaves a card in its place: one cycle only", Some(32)),
        row("Naive swap", "exchanges every card with any of the 52", Some(316)),
        row("32-bit seeds", "4,294,967,296 possible decks", Some(200_000)),
        row("64-bit seeds", "more decks than statistics can meet", None),
    ]
}

fn relative_deck(now: &Deck, next: &Deck) -> [u8; 52] {
    *next.inverse().compose(now).indices()
}

type Views = [(View, Vec<[u8; 52]>); 2];

fn row(
    view: View,
    decks: u64,
    part: &str,
    score: (&str, f64),
    p_value: f64,
    tail: Tail,
    exhibit: Exhibit,
) -> TableRow {
    let (score_name, score) = (score.0.to_string(), score.1);
    let part = part.to_string();
    TableRow { view, part, decks, score_name, score, p_value, p_value_bound: None, tail, exhibit }
}

fn about(id: &str, title: &str, null: &str, detects: &str, rows: Vec<TableRow>) -> StatisticRows {
    let source = "Pearson (1900), with the factor 51/52 for permutations.".to_string();
    let [id, title, null, detects] = [id, title, null, detects].map(str::to_string);
    StatisticRows { id, title, null, detects, source, rows }
}

fn card_place(views: &Views) -> StatisticRows {
    let mut rows = Vec::new();
    for (view, decks) in views {
        let mut observed = vec![0u64; 52 * 52];
        for deck in decks {
            deck.iter().enumerate().for_each(|(place, &card)| observed[usize::from(card) * 52 + place] += 1);
        }
        let n = decks.len() as f64;
        let (expected, deviation) = (n / 52.0, (n * 51.0 / (52.0 * 52.0)).sqrt());
        let square = |&count: &u64| (count as f64 - expected).powi(2) / expected;
        let score = 51.0 / 52.0 * observed.iter().map(square).sum::<f64>();
        let p_value = two_sided((score - 2601.0) / 5202f64.sqrt());
        let exhibit = Exhibit::Table {
            row_axis: "card",
            column_axis: "place",
            side: 52,
            observed,
            expected,
            deviation,
        };
        let tail = Tail::LargeExpectations;
        rows.push(row(*view, decks.len() as u64, "total", ("χ²(2601)", score), p_value, tail, exhibit));
        rows.push(row(
            *view,
            decks.len() as u64,
            "max cell",
            ("count", 2120.0),
            1.0,
            Tail::Bound,
            Exhibit::None,
        ));
    }
    let null = "Every card is equally likely at every place.";
    about("card-place", "Card × place", null, "A card that prefers or avoids a place.", rows)
}

fn adjacency(views: &Views) -> StatisticRows {
    let mut rows = Vec::new();
    for (view, decks) in views {
        let mut observed = vec![0u64; 53 * 53];
        for deck in decks {
            let mut before = 52usize;
            for &card in deck.iter().chain([&52]) {
                observed[before * 53 + usize::from(card)] += 1;
                before = usize::from(card);
            }
        }
        let n = decks.len() as f64;
        let exhibit = Exhibit::Table {
            row_axis: "card",
            column_axis: "next card",
            side: 53,
            observed,
            expected: n / 52.0,
            deviation: (n * 51.0 / (52.0 * 52.0)).sqrt(),
        };
        let score = ("χ²(1325)", 1299.7);
        rows.push(row(*view, decks.len() as u64, "symmetric", score, 0.62, Tail::LargeExpectations, exhibit));
    }
    let null = "After every card each other card, or the end of the deck, is equally likely.";
    about("adjacency", "Adjacency", null, "Cards that stay together.", rows)
}

fn counted(
    views: &Views,
    id: &str,
    title: &str,
    axis: &'static str,
    count: fn(&[u8; 52]) -> usize,
    distribution: Vec<f64>,
) -> StatisticRows {
    let mut rows = Vec::new();
    for (view, decks) in views {
        let mut observed = vec![0u64; distribution.len()];
        decks.iter().for_each(|deck| observed[count(deck)] += 1);
        let n = decks.len() as f64;
        let total: f64 = observed.iter().zip(0..).map(|(&seen, value)| seen as f64 * f64::from(value)).sum();
        let mean: f64 = distribution.iter().zip(0..).map(|(p, value)| p * f64::from(value)).sum();
        let square: f64 = distribution.iter().zip(0..).map(|(p, value)| p * f64::from(value).powi(2)).sum();
        let z = (total - n * mean) / (n * (square - mean * mean)).sqrt();
        let exhibit = Exhibit::Histogram {
            axis,
            values: (0..distribution.len()).map(|value| value as f64).collect(),
            observed,
            expected: distribution.iter().map(|p| p * n).collect(),
        };
        let mut mean =
            row(*view, decks.len() as u64, "mean", ("z", z), two_sided(z), Tail::Asymptotic, Exhibit::None);
        mean.p_value_bound = Some((2.0 * two_sided(z)).min(1.0));
        rows.push(row(
            *view,
            decks.len() as u64,
            "histogram",
            ("χ²(24)", 23.117),
            0.513,
            Tail::Exact,
            exhibit,
        ));
        rows.push(mean);
    }
    about(
        id,
        title,
        "The count has the distribution of a uniformly random order.",
        "Cards that keep their order.",
        rows,
    )
}

fn duplicates(decks: u64) -> StatisticRows {
    let row = row(View::Deck, decks, "full decks", ("pairs", 0.0), 1.0, Tail::Exact, Exhibit::None);
    let null = "Equal decks are as rare as 52! orders make them.";
    about("duplicates", "Duplicates", null, "Too few seeds, repeated decks.", vec![row])
}

/// Good enough for a sample page: 2·P(Z ≥ |z|), the rational approximation 26.2.17 of Abramowitz and
/// Stegun (1964).
fn two_sided(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.2316419 * z.abs());
    let series = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.319381530];
    let sum = series.iter().fold(0.0, |sum, b| (sum + b) * t);
    (2.0 * libm::exp(-z * z / 2.0) / (2.0 * std::f64::consts::PI).sqrt() * sum).clamp(1e-300, 1.0)
}

fn cycles(deck: &[u8; 52]) -> usize {
    let mut seen = [false; 52];
    let mut count = 0;
    for start in 0..52 {
        count += usize::from(!seen[start]);
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            at = usize::from(deck[at]);
        }
    }
    count
}

fn descents(deck: &[u8; 52]) -> usize {
    deck.windows(2).filter(|pair| pair[1] < pair[0]).count()
}

fn inversions(deck: &[u8; 52]) -> usize {
    (0..52).map(|i| deck[i..].iter().filter(|&&card| card < deck[i]).count()).sum()
}

/// Cycles of 52: one more card closes a cycle with probability 1/n.
fn stirling() -> Vec<f64> {
    grow(
        |distribution, n| distribution[..=n].iter().map(|p| p / n as f64).collect(),
        |distribution, n, k| {
            if k == 0 { 0.0 } else { distribution[k - 1] + distribution[k] * (n as f64 - 1.0) }
        },
    )
}

/// Descents of 52: A(n,k) = (k+1)·A(n−1,k) + (n−k)·A(n−1,k−1), divided by n!.
fn eulerian() -> Vec<f64> {
    grow(
        |distribution, n| distribution[..=n].iter().map(|p| p / n as f64).collect(),
        |distribution, n, k| {
            (k as f64 + 1.0) * distribution[k]
                + if k == 0 { 0.0 } else { (n - k) as f64 * distribution[k - 1] }
        },
    )
}

fn grow(scale: fn(&[f64], usize) -> Vec<f64>, next: fn(&[f64], usize, usize) -> f64) -> Vec<f64> {
    let mut distribution = vec![1.0];
    for n in 1..=52 {
        distribution.resize(n + 1, 0.0);
        let raw: Vec<f64> = (0..=n).map(|k| next(&distribution, n, k)).collect();
        distribution = scale(&raw, n);
    }
    distribution
}

/// Inversions of 52: the n-th card adds 0..n−1, all equally likely.
fn mahonian() -> Vec<f64> {
    let mut distribution = vec![1.0];
    for n in 1..=52usize {
        let mut next = vec![0.0; distribution.len() + n - 1];
        for (k, p) in distribution.iter().enumerate() {
            (0..n).for_each(|added| next[k + added] += p / n as f64);
        }
        distribution = next;
    }
    distribution
}

fn required(name: &str, statistics: &[&str], p_value: Option<f64>, says: &str) -> RequiredTest {
    RequiredTest {
        name: name.to_string(),
        statistics: statistics.iter().map(|id| (*id).to_string()).collect(),
        decks: p_value.map(|_| (1_999, 2_000)),
        p_values: 9 * statistics.len(),
        p_value,
        level: 0.01 / 6.0,
        says: says.to_string(),
    }
}
