//! `predict --seeds` and `predict --around`: every seed of one seeding, resumable, or those that a clock may have given.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use deckproof_predict::budget::Budget;
use deckproof_predict::deck::Observation;
use deckproof_predict::model::{Model, NotRecovered, Recovered, Scope};
use deckproof_predict::search::Report;
use deckproof_predict::seeds::SeedSearch;
use deckproof_predict::seeds::list::SEED_SEARCHES;
use deckproof_predict::seeds::progress::Progress;
use deckproof_predict::seeds::times::Around;

use crate::cli::predict::one_of;
use crate::cli::screen;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::{Access, read_text_limited, write_atomic};

/// Bytes of a state at most.
const STATE_BYTES_MAX: u64 = 4_096;

/// `2026-11-24T10:00:00Z`, or seconds since 1970.
pub(super) fn parse_moment(text: &str) -> Result<u64, String> {
    let wrong = || "write a time such as 2026-11-24T10:00:00Z, or seconds since 1970".to_owned();
    match text.parse::<u64>() {
        Ok(seconds) => Ok(seconds),
        Err(_) => {
            let time: jiff::Timestamp = text.parse().map_err(|_| wrong())?;
            u64::try_from(time.as_second()).map_err(|_| wrong())
        }
    }
}

/// What a search of seeds looks at, and where it puts down how far it is.
pub(super) struct Request<'a> {
    pub(super) seen: &'a Observation,
    pub(super) scope: &'a Scope,
    pub(super) state: Option<&'a PathBuf>,
    /// Calls between the seed and the first draw at most.
    pub(super) calls: u64,
}

/// Every seed of one seeding.
///
/// # Errors
/// [`CouldNotSay`]: a name that is none, or a state that is unreadable or of another search.
pub(super) fn all(request: &Request, name: &str, budget: &Budget) -> Result<Report, CouldNotSay> {
    let names: Vec<&'static str> = SEED_SEARCHES.iter().map(|search| search.name).collect();
    let name = one_of(&names, name)?;
    let search = SEED_SEARCHES.iter().find(|search| search.name == name).expect("a name of the list");
    let Request { seen, scope, state, .. } = *request;
    let mut progress = begun(request, search)?;
    let (began, before) = (Instant::now(), progress.tried);
    let mut found = None;
    while found.is_none() && !progress.is_done() && !budget.is_spent() {
        found = progress.step(search, seen, scope, budget);
        if let Some(path) = state {
            keep(path, &progress)?;
        }
        let rate = (progress.tried - before) as f64 / began.elapsed().as_secs_f64();
        show(&format!("{:.1} % of all seeds, {:.1} million a second", percent(&progress), rate / 1e6));
    }
    let recovered = found.and_then(|found| Recovered::new(search.name, found));
    let tried = NotRecovered {
        is_cut_short: !progress.is_done(),
        ..vain(search, scope, progress.tried - before, began.elapsed())
    };
    Ok(report(recovered, vec![tried]))
}

/// Seeds of clocks around a time, of every seeding, likeliest first.
pub(super) fn around(request: &Request, around: Around, budget: &Budget) -> Report {
    let Request { seen, scope, .. } = *request;
    let mut tried: Vec<NotRecovered> =
        SEED_SEARCHES.iter().map(|search| vain(search, scope, 0, Duration::ZERO)).collect();
    for kind in 0..around.kinds().len() {
        for (search, own) in SEED_SEARCHES.iter().zip(&mut tried) {
            let (name, seeds) = around.kinds().into_iter().nth(kind).expect("a kind of the list");
            show(&format!("{}: {name}", search.name));
            let counted = Budget::new(budget.left(), budget.stop());
            let found = match request.calls {
                0 => search.these(seen, scope, seeds, &counted),
                calls => search.called(seen, scope, seeds, calls as usize, &counted),
            };
            own.states += counted.counted();
            own.seconds += counted.elapsed().as_secs_f64();
            own.is_cut_short |= counted.is_spent();
            if let Some(recovered) = found.and_then(|found| Recovered::new(search.name, found)) {
                return report(Some(recovered), Vec::new());
            }
        }
    }
    report(None, tried)
}

fn report(recovered: Option<Recovered>, tried: Vec<NotRecovered>) -> Report {
    let not_recovered = if recovered.is_some() { Vec::new() } else { tried };
    Report { recovered: recovered.into_iter().collect(), not_recovered, left_out: Vec::new() }
}

fn vain(search: &SeedSearch, scope: &Scope, states: u64, time: Duration) -> NotRecovered {
    NotRecovered {
        model: search.name,
        assumed: search.about().assumed,
        windows: 1,
        starts: scope.pairs().count() as u64,
        states,
        seconds: time.as_secs_f64(),
        is_cut_short: false,
    }
}

/// The progress of a state file, or none yet.
fn begun(request: &Request, search: &SeedSearch) -> Result<Progress, CouldNotSay> {
    let new = Progress::new(search, request.seen, request.scope, request.calls);
    let Some(path) = request.state.filter(|path| path.exists()) else { return Ok(new) };
    let refusal = |error: String| CouldNotSay::new(format!("{}: {error}", path.display()), "");
    let text = read_text_limited(path, STATE_BYTES_MAX).map_err(|error| refusal(error.to_string()))?;
    let progress: Progress = serde_json::from_str(&text).map_err(|error| refusal(error.to_string()))?;
    if progress.calls == request.calls && progress.is_of(search, request.seen, request.scope) {
        Ok(progress)
    } else {
        Err(CouldNotSay::new(
            format!("{} is the state of another search", path.display()),
            "Give the same records, --know, --seeds and --calls as before, or another file.",
        ))
    }
}

fn keep(path: &Path, progress: &Progress) -> Result<(), CouldNotSay> {
    let json = serde_json::to_string_pretty(progress).expect("strings and numbers are JSON");
    let written = write_atomic(path, format!("{json}\n").as_bytes(), Access::Public);
    written.map_err(|error| CouldNotSay::new(format!("{}: {error}", path.display()), ""))
}

fn percent(progress: &Progress) -> f64 {
    100.0 * progress.tried as f64 / progress.all as f64
}

/// A line on standard error; where it is closed nobody reads it.
fn show(line: &str) {
    _ = writeln!(screen::err(), "{line}");
}
