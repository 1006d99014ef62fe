//! A paired benchmark: contestants take turns, and ratios are medians over the rounds.

use deckproof::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof::key::AuditKey;
use deckproof::shuffle::lanes::{PreparedAuditKey, audit_block};
use rustix::time::{ClockId, clock_gettime};

/// Decks a turn.
pub const DECKS: usize = 4096;

/// Blocks a turn, as an audit hands them to the statistics.
pub const BLOCKS: usize = DECKS / BLOCK_HANDS;

/// What all of them are dealt from.
pub const KEY: [u8; 32] = [0x5a; 32];

/// Rounds that count; one more before them warms up.
const ROUNDS: usize = 201;

/// The audit path, block after block.
pub struct Dealer {
    key: PreparedAuditKey,
    first: u64,
    blocks: Vec<DeckBlock>,
}

impl Default for Dealer {
    fn default() -> Dealer {
        let key = PreparedAuditKey::new(&AuditKey::from_bytes(KEY));
        Dealer { key, first: 0, blocks: vec![DeckBlock::default(); BLOCKS] }
    }
}

impl Dealer {
    /// The decks of the next turn.
    pub fn deal(&mut self) -> &[DeckBlock] {
        for block in &mut self.blocks {
            audit_block(&self.key, self.first, BLOCK_HANDS, block);
            self.first += BLOCK_HANDS as u64;
        }
        &self.blocks
    }
}

/// Contestants and the nanoseconds per deck of their turns.
#[derive(Default)]
pub struct Contest {
    contestants: Vec<Contestant>,
}

struct Contestant {
    name: String,
    turn: Box<dyn FnMut()>,
    nanoseconds: Vec<f64>,
}

impl Contest {
    /// Adds a contestant whose turn works through [`DECKS`] decks.
    pub fn enter(&mut self, name: impl Into<String>, turn: impl FnMut() + 'static) {
        self.contestants.push(Contestant {
            name: name.into(),
            turn: Box::new(turn),
            nanoseconds: Vec::new(),
        });
    }

    /// All turns of all rounds; only a few where the figures do not matter, as under `cargo test`.
    pub fn run(&mut self) {
        let rounds = if std::env::args().any(|argument| argument == "--bench") { ROUNDS } else { 1 };
        for _ in 0..=rounds {
            for contestant in &mut self.contestants {
                let start = thread_nanoseconds();
                (contestant.turn)();
                contestant.nanoseconds.push((thread_nanoseconds() - start) as f64 / DECKS as f64);
            }
        }
        for contestant in &mut self.contestants {
            contestant.nanoseconds.remove(0);
        }
    }

    /// The median turn, in nanoseconds per deck.
    pub fn nanoseconds(&self, name: &str) -> f64 {
        median(self.turns(name).to_vec())
    }

    /// How many times faster one is than the other: the median of the rounds' ratios.
    pub fn speedup(&self, fast: &str, slow: &str) -> f64 {
        median(self.turns(slow).iter().zip(self.turns(fast)).map(|(slow, fast)| slow / fast).collect())
    }

    fn turns(&self, name: &str) -> &[f64] {
        let found = self.contestants.iter().find(|contestant| contestant.name == name);
        &found.unwrap_or_else(|| panic!("{name} has not entered")).nanoseconds
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// CPU time of this thread: what other programs use meanwhile does not count.
fn thread_nanoseconds() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
