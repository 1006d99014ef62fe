//! Pages of real audits of so many decks, by the statistics that a reader of a page meets first.

use deckproof::audit::plan::{Plan, Shard};
use deckproof::audit::selection::Selection;
use deckproof::battery::Tier;
use deckproof::certificate::{Certificate, Tool};
use deckproof::document::words::Language;
use deckproof::rendering::audit::page::page_of;
use deckproof::rendering::audit::{Beginning, PageRun};
use deckproof::report::page::Page;
use deckproof::session::{Session, Unwatched};
use deckproof::source::flawed;

/// The page about the decks of a dealer of the list, fair or not; that few statistics ran it does not say.
pub fn page(dealer: &str, decks: u64) -> Page {
    let names = ["card-place", "adjacency", "cycles", "inversions", "rising-sequences", "runs", "duplicates"];
    let selection = Selection::of_tiers(&Tier::ALL).only(&names.map(str::to_owned));
    let plan = Plan::of_selection(flawed::record(dealer, 5), Some(decks), &selection).without_repeat();
    let source = plan.source.ask().and_then(|source| source.open(None)).expect("the source is ours").source;
    let mut session = Session::begin(plan, Shard::WHOLE, source, None).expect("a sound plan");
    let result = session.answer(2, &Unwatched).expect("decks are dealt");
    let [version, commit, executable_sha256] = ["0.1.0", "0123abc", "0123456789abcdef"].map(str::to_owned);
    let certificate = Certificate { tool: Tool { version, commit, executable_sha256 }, result };
    let run = PageRun::Audited {
        begun: "2026-11-22T09:00:00Z".to_owned(),
        beginning: Beginning::Audit,
        seconds: 1.9,
        machine: "a machine".to_owned(),
        files: Vec::new(),
        bad_record: None,
        extreme_deck: None,
        believed: Vec::new(),
        certificate_sha256: "0123456789abcdef".repeat(4),
    };
    Page { statistics_left_out: [0, 71], ..page_of(&certificate, &run, Language::English.words()) }
}
