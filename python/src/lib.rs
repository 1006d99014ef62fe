//! `deckproof_native`: what `import deckproof` calls. `module/deckproof/__init__.py` makes arrays of what people have.

mod certificate;
mod decks;
mod tally;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use deckproof_audit::audit::plan::{Plan, Shard};
use deckproof_audit::certificate::rejudge;
use deckproof_audit::session::options::{PlanOptions, TableOptions};
use deckproof_audit::session::resolved::Repetition;
use deckproof_audit::session::{Session, Unwatched};
use deckproof_audit::source::format::Numbering;
use deckproof_audit::source::record::SourceRecord;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_predict::budget::Budget;
use deckproof_predict::deck::{Gap, Observation, Record};
use deckproof_predict::model::Scope;
use deckproof_predict::recovery::Recovery;
use deckproof_predict::search::{Request, last_deck, search};
use deckproof_report::rendering::audit::checked::consistent_json;
use deckproof_report::rendering::bundle::accepted_json;
use deckproof_report::rendering::prediction::json_of;
use deckproof_report::rendering::prediction::looked::{LookedAt, LookedSource};
use deckproof_report::rendering::ranks::to_json;
use deckproof_stud::stud::low::Low8;
use deckproof_stud::stud::rank::High;
use deckproof_stud::stud::typed::parse;
use deckproof_verify::log::refusal::Code;
use deckproof_verify::verify::before::{self, Saved, SavedFault};
use deckproof_verify::verify::claims::{HandEvidence, claims};
use deckproof_verify::verify::{Statements, verify_bundle};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::{
    Bound, Py, PyAny, PyModule, PyModuleMethods, PyRef, PyResult, Python, pyfunction, pymodule,
    wrap_pyfunction,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::certificate::{MODULE_SHA256, PyCertificate, tool};
use crate::decks::{ArraySource, DeckArray, deck_of, value_error};
use crate::tally::{PyPlan, PyTally, declared_range};

create_exception!(
    deckproof,
    Refused,
    PyValueError,
    "What was handed in contradicts itself, or something held beside it."
);

/// As many as named, or one for each processor.
///
/// # Errors
/// `ValueError`: none, or more than the program takes.
fn threads(named: Option<usize>) -> PyResult<usize> {
    let threads = named.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    if (1..=usize::from(u16::MAX)).contains(&threads) {
        Ok(threads)
    } else {
        Err(value_error(format!("threads: found {threads}, wanted 1 to {}", u16::MAX)))
    }
}

/// How long a signal waits to be seen.
const SIGNAL_WAIT: Duration = Duration::from_millis(50);

/// What Python's handlers of signals raise, such as `KeyboardInterrupt`; called without Python's lock, on the thread that Python called.
///
/// # Errors
/// What they raise.
fn check_signals() -> PyResult<()> {
    Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()))
}

/// Runs on threads of its own: those of a process are not there in what `fork` made of it. A signal that raises, such as that of Ctrl-C, sets `stop`,
/// and is raised when the work has ended by it.
fn on_threads<T: Send>(
    threads: usize,
    stop: &AtomicBool,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(value_error)?;
    std::thread::scope(|scope| {
        let (sender, received) = mpsc::channel();
        let working = scope.spawn(move || sender.send(pool.install(work)));
        let mut signal = Ok(());
        loop {
            match received.recv_timeout(SIGNAL_WAIT) {
                Ok(result) => return signal.and(result),
                Err(RecvTimeoutError::Timeout) if signal.is_ok() => {
                    signal = check_signals();
                    stop.fetch_or(signal.is_err(), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let panic = working.join().expect_err("what sends nothing has panicked");
                    std::panic::resume_unwind(panic)
                }
            }
        }
    })
}

/// What a plan says besides its decks.
fn options(
    (rules, players): (Option<String>, Option<usize>),
    statistics: Option<Vec<String>>,
    numbering: Numbering,
) -> Result<deckproof_audit::session::resolved::ResolvedOptions, CouldNotSay> {
    let table = TableOptions { rules, players };
    let options = PlanOptions { statistics, repetition: Repetition::Off, table, ..PlanOptions::default() };
    options.request(numbering)
}

fn numbering_of(name: &str) -> PyResult<Numbering> {
    name.parse().map_err(|error| value_error(format!("numbering: {error}")))
}

/// The record of a file that holds these bytes, as `deckproof audit --source raw:FILE` makes it; of several, that of several files.
fn record_of(parts: &[(u64, [u8; 32])], numbering: Numbering) -> SourceRecord {
    let sha256: [u8; 32] = match parts {
        [(_, sha256)] => *sha256,
        many => {
            many.iter().fold(Sha256::new(), |hash, (_, sha256)| hash.chain_update(sha256)).finalize().into()
        }
    };
    let (files, decks) = (parts.len() as u64, parts.iter().map(|(decks, _)| decks).sum::<u64>());
    SourceRecord::new("recorded")
        .with("sha256", base16ct::lower::encode_string(&sha256))
        .with("format", "raw")
        .with("numbering", numbering.name())
        .with_some("files", (files > 1).then_some(files))
        .with("file_records", decks)
}

/// SHA-256 and number of the decks of an array.
#[pyfunction]
fn fingerprint(py: Python<'_>, array: Py<PyAny>) -> PyResult<(u64, String)> {
    let array = DeckArray::of(py, array)?;
    let sha256 = py.detach(|| array.sha256())?;
    Ok((array.decks(), base16ct::lower::encode_string(&sha256)))
}

/// The plan of partitions, each by its number of decks and its SHA-256, in order.
#[pyfunction]
#[pyo3(signature = (parts, *, rules = None, players = None, statistics = None, numbering = "rank-suit"))]
fn plan(
    parts: Vec<(u64, String)>,
    rules: Option<String>,
    players: Option<usize>,
    statistics: Option<Vec<String>>,
    numbering: &str,
) -> PyResult<PyPlan> {
    let numbering = numbering_of(numbering)?;
    let hashed = |(decks, hexadecimal): (u64, String)| {
        let mut sha256 = [0; 32];
        match base16ct::lower::decode(&hexadecimal, &mut sha256) {
            Ok(bytes) if bytes.len() == 32 => Ok((decks, sha256)),
            _ => Err(value_error(format!(
                "found {hexadecimal:?}, wanted the 64 hexadecimal digits of a SHA-256"
            ))),
        }
    };
    let parts = parts.into_iter().map(hashed).collect::<PyResult<Vec<_>>>()?;
    let decks = parts.iter().try_fold(0, |sum: u64, (decks, _)| sum.checked_add(*decks));
    let decks = decks.filter(|decks| *decks > 0);
    let decks = decks.ok_or_else(|| value_error("found no deck, or more than 2^64, wanted at least one"))?;
    let request = options((rules, players), statistics, numbering).map_err(value_error)?;
    let plan: Plan = request.plan(record_of(&parts, numbering), Some(decks));
    plan.check().map_err(value_error)?;
    Ok(PyPlan { plan, files: parts })
}

/// The decks of one part of so many, as they are to be declared.
#[pyfunction]
fn part_range(decks: u64, part: u64, parts: u64) -> PyResult<(u64, u64)> {
    declared_range(decks, part, parts)
}

/// Audits an array: the result of `deckproof audit --source raw:FILE` of the same bytes.
#[pyfunction]
#[pyo3(signature = (array, *, rules = None, players = None, statistics = None, numbering = "rank-suit", threads = None))]
fn audit(
    py: Python<'_>,
    array: Py<PyAny>,
    rules: Option<String>,
    players: Option<usize>,
    statistics: Option<Vec<String>>,
    numbering: &str,
    threads: Option<usize>,
) -> PyResult<PyCertificate> {
    let array = DeckArray::of(py, array)?;
    let numbering = numbering_of(numbering)?;
    if array.decks() == 0 {
        return Err(value_error("found no deck, wanted at least one"));
    }
    let threads = crate::threads(threads)?;
    py.detach(|| {
        let (decks, sha256) = (array.decks(), array.sha256()?);
        let request = options((rules, players), statistics, numbering).map_err(value_error)?;
        let plan = request.plan(record_of(&[(decks, sha256)], numbering), Some(decks));
        let stop = Arc::new(AtomicBool::new(false));
        let source = Box::new(ArraySource::new(array, numbering, sha256, Arc::clone(&stop)));
        let mut session = Session::begin(plan, Shard::WHOLE, source, None).map_err(value_error)?;
        // The advice of the program names its options; the sentence before it says what was found.
        let answer = || session.answer(threads, &Unwatched).map_err(value_error);
        on_threads(threads, &stop, answer).and_then(PyCertificate::of)
    })
}

/// Judges a certificate again from its integers: the object that `deckproof verify --json` prints.
#[pyfunction]
fn rejudge_json(py: Python<'_>, certificate: PyRef<'_, PyCertificate>) -> PyResult<String> {
    let own = &certificate.certificate;
    py.detach(|| {
        rejudge::rejudge(&own.result).map_err(|error| {
            if error.is_of_another_version() {
                value_error(error)
            } else {
                Refused::new_err(error.to_string())
            }
        })?;
        Ok(consistent_json(own, &tool(), false, &own.result.claims(false), None).to_string())
    })
}

/// Checks a bundle of a hand: the object that `deckproof verify --json` prints.
#[pyfunction]
#[pyo3(signature = (bundle, committed = None))]
fn verify_json(py: Python<'_>, bundle: &[u8], committed: Option<&str>) -> PyResult<String> {
    py.detach(|| {
        let accepted = verify_bundle(bundle, None, &Statements::default()).map_err(|refusal| {
            // A file that broke off, is another one, or of a later version, contradicts nothing.
            if refusal.code == Code::Format || refusal.is_unknown_version {
                value_error(refusal)
            } else {
                Refused::new_err(refusal.to_string())
            }
        })?;
        let mut evidence = HandEvidence::default();
        if let Some(text) = committed {
            let saved = Saved::noted(text);
            let wanted =
                "wanted the deck entry that you saved before the hand, or 64 lower-case hexadecimal digits";
            if saved.is_empty() {
                return Err(value_error(format!(
                    "committed: found neither an entry of a log nor a hash, {wanted}"
                )));
            }
            evidence.saved = before::compare(&saved, &accepted, true).map_err(|fault| match fault {
                SavedFault::Differs { entry, .. } => Refused::new_err(format!(
                    "{}: the {} of this bundle is not the one that you saved",
                    before::COMMITTED,
                    entry.place()
                )),
                SavedFault::Miscopied { own, digits } => value_error(format!(
                    "committed: {digits} of 64 digits differ from {own} of this bundle: they were copied wrongly"
                )),
                SavedFault::Alike { own, digits } => value_error(format!(
                    "committed: {digits} of the 64 digits of {own} of this bundle are found in it: they were copied wrongly, or two decks were made alike"
                )),
                SavedFault::OtherDay(_) => value_error(
                    "committed: it is none of this hand, and may be of another day: hands without a log are all of localhost".to_owned(),
                ),
                SavedFault::OfOther(_) => value_error(
                    "committed: the digits are in this hand under another name, and are neither its deck root nor a hash of its deck or open entry".to_owned(),
                ),
            })?;
            if evidence.saved.compared == 0 {
                return Err(value_error("committed: nothing in it is an entry of the hand of this bundle"));
            }
        }
        Ok(Value::Object(accepted_json(&accepted, &claims(&accepted, &evidence))).to_string())
    })
}

/// Names a hand of five to seven cards: the object that `deckproof rank --json` prints.
#[pyfunction]
fn rank_json(cards: &str) -> PyResult<String> {
    let cards = parse(cards).map_err(value_error)?;
    Ok(to_json(High::best(cards), Low8::best(cards)).to_string())
}

/// Looks for the generator behind decks: the object that `deckproof predict --json` prints.
#[pyfunction]
#[pyo3(signature = (array, *, seconds = 600.0, next = 10, numbering = "rank-suit"))]
fn predict_json(
    py: Python<'_>,
    array: Py<PyAny>,
    seconds: f64,
    next: usize,
    numbering: &str,
) -> PyResult<String> {
    let array = DeckArray::of(py, array)?;
    let numbering = numbering_of(numbering)?;
    let time = Duration::try_from_secs_f64(seconds).map_err(value_error)?;
    py.detach(|| {
        let mut bytes = Vec::new();
        array.each_chunk(|chunk| bytes.extend(chunk))?;
        let decks = bytes.chunks_exact(52).zip(0..).map(|(deck, number)| deck_of(deck, number, numbering));
        let records =
            decks.map(|deck| deck.map(|deck| Record::whole(deck.indices()))).collect::<Result<Vec<_>, _>>();
        let seen = Observation { records: records.map_err(value_error)?, gap: Gap::default() };
        if seen.records.is_empty() {
            return Err(value_error("found no deck, wanted at least one"));
        }
        let scope = Scope::usual();
        let request = Request { seen: &seen, segments: &[0], scope: &scope, models: &[] };
        let stop = AtomicBool::new(false);
        let budget = Budget::new(Some(time), Some(&stop));
        let report = on_threads(threads(None)?, &stop, || Ok(search(&request, &budget)))?;
        let found = report.recovered.iter();
        let recovered: Vec<Recovery> =
            found.map(|own| Recovery::new(own, &own.next_decks(next, last_deck(own, &seen)))).collect();
        let source = LookedSource {
            files: Vec::new(),
            source: "an array".to_owned(),
            sha256: Some(base16ct::lower::encode_string(&Sha256::digest(&bytes))),
            records: seen.records.len() as u64,
            records_all: Some(seen.records.len() as u64),
            is_part: false,
        };
        let (sources, begins) = (vec![source], Vec::new());
        let looked_at = LookedAt { sources, know: "decks".to_owned(), cards: 52, begins, seeds: None };
        Ok(json_of(&looked_at, &recovered, &report))
    })
}

/// The module's own file, whose hash certificates name.
#[pyfunction]
fn is_module(bytes: &[u8]) {
    let _ = MODULE_SHA256.set(base16ct::lower::encode_string(&Sha256::digest(bytes)));
}

/// What `import deckproof` calls.
#[pymodule]
fn deckproof_native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Refused", module.py().get_type::<Refused>())?;
    module.add_class::<PyCertificate>()?;
    module.add_class::<PyPlan>()?;
    module.add_class::<PyTally>()?;
    module.add_function(wrap_pyfunction!(fingerprint, module)?)?;
    module.add_function(wrap_pyfunction!(plan, module)?)?;
    module.add_function(wrap_pyfunction!(part_range, module)?)?;
    module.add_function(wrap_pyfunction!(audit, module)?)?;
    module.add_function(wrap_pyfunction!(rejudge_json, module)?)?;
    module.add_function(wrap_pyfunction!(verify_json, module)?)?;
    module.add_function(wrap_pyfunction!(rank_json, module)?)?;
    module.add_function(wrap_pyfunction!(predict_json, module)?)?;
    module.add_function(wrap_pyfunction!(is_module, module)?)?;
    Ok(())
}
