//! Certificates of older versions: each is judged by the version it names, whatever is newest.

use crate::audit::evidence::Counter;
use crate::audit::plan::Plan;
use crate::audit::selection::Selection;
use crate::certificate::rejudge::rejudge;
use crate::certificate::{AuditResult, Certificate, Tool};
use crate::source::flawed;
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_stats::battery::catalogue;
use deckproof_stats::battery::{Segment, Statistic};

const DECKS: usize = 150;

/// Decks of which a third are odd, so that the two versions count differently.
fn blocks() -> Vec<DeckBlock> {
    let block = |first: usize| {
        let mut block = DeckBlock::default();
        for number in first..(first + BLOCK_HANDS).min(DECKS) {
            let mut deck = Deck::in_order();
            (0..number % 3 + 1).for_each(|swap| deck.swap(swap, 20 + number % 31));
            block.push(&deck);
        }
        block
    };
    (0..DECKS).step_by(BLOCK_HANDS).map(block).collect()
}

fn audit(version: u32) -> AuditResult {
    audit_by(catalogue::find("parity", version, None).expect("both versions are known to unit tests"))
}

fn audit_by(statistic: &'static dyn Statistic) -> AuditResult {
    let selection = Selection::of_parts(&[statistic], &[]);
    let plan =
        Plan::of_selection(flawed::record("sattolo", 1), Some(DECKS as u64), &selection).without_repeat();
    let mut counter = Counter::new(&selection);
    counter.count_segment(Segment::ONLY, &blocks());
    AuditResult::of_evidence(&plan, plan.source.clone(), counter.evidence)
}

/// Statistics that read the first decks only, and one that reads every second block: 64 decks and 22 of the third.
#[test]
fn parts_say_how_many_decks_they_read() {
    let of = |id: &str| {
        let statistic = catalogue::all().iter().find(|statistic| statistic.about().id == id);
        let result = audit_by(*statistic.expect("it is in the battery"));
        assert_eq!(rejudge(&result), Ok(()), "{id}");
        let of_deck = result.first.statistics.iter().filter(|record| record.id.starts_with("deck."));
        of_deck.map(|record| (record.id.clone(), record.decks)).collect::<Vec<_>>()
    };
    for (id, part, read) in [
        ("spectral", "lags", 64),
        ("spectral", "short", 128),
        ("spectral", "congruential", 150),
        ("spectral", "differences", 150),
        ("drawn-pairs", "lags", 64),
        ("drawn-pairs", "far-lags", 150),
        ("lags", "lag-2", 86),
    ] {
        let name = format!("deck.{id}.{part}");
        let records = of(id);
        let own = records.iter().find(|(id, _)| *id == name).expect("it is fed");
        assert_eq!(own.1, read, "{name}");
    }
}

#[test]
fn a_certificate_is_judged_by_the_version_it_names() {
    let (older, newer) = (audit(0), audit(1));
    assert_ne!(older.first.tallies[0].counts, newer.first.tallies[0].counts);
    assert_eq!(
        older.first.tallies[0].counts.iter().rev().copied().collect::<Vec<_>>(),
        newer.first.tallies[0].counts
    );
    assert_eq!(older.first.statistics[0].p_value, newer.first.statistics[0].p_value);
    assert_eq!(older.first.statistics[0].id, "deck.parity.even-decks");
    assert_eq!((rejudge(&older), rejudge(&newer)), (Ok(()), Ok(())));
    let tool = || Tool { version: "0".to_owned(), commit: "0".to_owned(), executable_sha256: "0".to_owned() };
    let certificate = Certificate { tool: tool(), result: older.clone() };
    let read = Certificate::read(certificate.to_json().as_bytes()).expect("its own text");
    assert_eq!(read, certificate);
    // The counts of one version under the name of the other are not believed.
    let mut swapped = older.clone();
    swapped.plan = newer.plan.clone();
    swapped.plan_sha256 = newer.plan_sha256.clone();
    assert!(rejudge(&swapped).is_err());
    let mut unknown = older;
    unknown.plan.statistics[0].version = 7;
    let error = rejudge(&unknown).expect_err("nobody has version 7");
    assert!(error.is_of_another_version());
    assert_eq!(error.to_string(), "this program knows version 1 or 0 of parity, the plan has version 7");
}
