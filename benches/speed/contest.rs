//! A paired benchmark: contestants take turns, and ratios are medians over the rounds.

use rustix::time::{ClockId, clock_gettime};

/// Decks a turn.
pub const DECKS: usize = 4096;

/// Rounds; the first is thrown away.
const ROUNDS: usize = 101;

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

    /// All turns of all rounds.
    pub fn run(&mut self) {
        for _ in 0..ROUNDS {
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
