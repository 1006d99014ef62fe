//! The four views: what the engine counts of each is what plain composition gives, and each sees a dealer
//! that the others miss.

use deckproof::audit::evidence::{Counter, Evidence};
use deckproof::audit::selection::Selection;
use deckproof::battery::{self, Scope, Segment, Statistic, Tier, View};
use deckproof::deck::block::BLOCK_HANDS;
use deckproof::deck::{compose, inverse_of};
use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::common::decks::blocks_of;

type Cards = [u8; 52];

/// `c_t`, `v_{t+1}∘c_t`, `v_t`, `c_{t+1}∘v_t`.
fn plain(view: View, decks: &[Cards]) -> Vec<Cards> {
    let pairs = || decks.windows(2);
    match view {
        View::Deck => decks.to_vec(),
        View::Relative => pairs().map(|pair| compose(&inverse_of(&pair[1]), &pair[0])).collect(),
        View::Inverse => decks.iter().map(inverse_of).collect(),
        View::RelativeCards => pairs().map(|pair| compose(&pair[1], &inverse_of(&pair[0]))).collect(),
    }
}

fn shuffled(rng: &mut ChaCha20Rng) -> Cards {
    let mut deck = std::array::from_fn(|place| place as u8);
    deck.shuffle(rng);
    deck
}

fn counted(selection: &Selection, decks: &[Cards]) -> Evidence {
    let mut counter = Counter::new(selection);
    counter.count_segment(Segment::ONLY, &blocks_of(decks));
    counter.evidence
}

/// Batches of 64 blocks, so that 70 blocks have links inside blocks, between blocks, and between batches.
#[test]
fn every_view_is_what_composition_gives() {
    let mut rng = ChaCha20Rng::seed_from_u64(31);
    let decks: Vec<Cards> = (0..70 * BLOCK_HANDS - 5).map(|_| shuffled(&mut rng)).collect();
    let selection = Selection::of_tiers(&Tier::OF_DECKS);
    let evidence = counted(&selection, &decks);
    assert_eq!(evidence.views.len(), View::ALL.len());
    for found in &evidence.views {
        let decks = plain(found.view, &decks);
        let blocks = blocks_of(&decks);
        assert_eq!(found.decks, decks.len() as u64, "{}", found.view.name());
        for (statistic, counts) in selection.seeing(found.view).zip(&found.counts) {
            // What reads a prefix takes long, and is shown the same as what reads a segment.
            if !matches!(statistic.scope(), Scope::Prefix | Scope::Declared) {
                let mut wanted = vec![0; statistic.cells()];
                match statistic.scope() {
                    Scope::Segment => statistic.observe_segment(Segment::ONLY, &blocks, &mut wanted),
                    Scope::Batch | Scope::Prefix | Scope::Declared => statistic.observe(&blocks, &mut wanted),
                }
                assert!(*counts == wanted, "{} of {}", statistic.about().id, found.view.name());
            }
        }
    }
}

#[test]
fn a_tier_shows_only_its_views() {
    let decks = [std::array::from_fn(|place| place as u8); 3];
    let views = |tiers: &[Tier]| -> Vec<&str> {
        let evidence = counted(&Selection::of_tiers(tiers), &decks);
        evidence.views.iter().map(|view| view.view.name()).collect()
    };
    assert_eq!(views(&[Tier::Core]), ["deck", "relative"]);
    assert_eq!(views(&[Tier::Deep]), ["deck", "relative", "inverse", "relative-cards"]);
}

/// What is kept of a view by card is one batch: nothing that wants more may ask for it.
#[test]
fn views_by_card_are_for_statistics_of_batches() {
    let by_card = |statistic: &&&dyn Statistic| {
        statistic.views().iter().any(|view| [View::Inverse, View::RelativeCards].contains(view))
    };
    let of_batches = |statistic: &&dyn Statistic| statistic.scope() == Scope::Batch;
    assert!(battery::all().iter().filter(by_card).all(of_batches));
    assert!(battery::all().iter().filter(by_card).count() > 10);
}

/// The smallest p-value of a view, Bonferroni over its p-values.
fn p_value(view: View, decks: &[Cards]) -> f64 {
    let mut selection = Selection::of_tiers(&Tier::OF_DECKS);
    // What reads a prefix only, and would take longer than all the rest.
    selection.statistics.retain(|chosen| chosen.statistic.scope() != Scope::Prefix);
    let evidence = counted(&selection, decks);
    let found = evidence.views.iter().find(|found| found.view == view).expect("both tiers show every view");
    let statistics = selection.seeing(view).zip(&found.counts);
    let outcomes: Vec<_> =
        statistics.flat_map(|(statistic, counts)| statistic.finish(counts, found.decks)).collect();
    let smallest = outcomes.iter().map(|outcome| outcome.p_value).fold(1.0, f64::min);
    outcomes.len() as f64 * smallest
}

/// Only `seeing` is below one in a million.
fn check_seen_by(seeing: View, decks: &[Cards]) {
    for view in View::ALL {
        let p_value = p_value(view, decks);
        let is_seen = p_value < 1e-6;
        assert_eq!(is_seen, view == seeing, "{}: {p_value:e}", view.name());
    }
}

/// One deck in twenty is the one before it with its cards renamed by a riffle (Gilbert–Shannon–Reeds) of the names.
#[test]
fn renamed_cards_are_seen_from_card_to_card() {
    let mut rng = ChaCha20Rng::seed_from_u64(32);
    let mut deck = shuffled(&mut rng);
    let mut decks = Vec::new();
    for hand in 0..2_000 {
        if hand % 20 == 7 {
            let halves: [bool; 52] = std::array::from_fn(|_| rng.random());
            let (mut left, mut right) = (0, halves.iter().filter(|&&is_right| !is_right).count() as u8);
            let names = halves.map(|is_right| {
                let next = if is_right { &mut right } else { &mut left };
                *next += 1;
                *next - 1
            });
            deck = compose(&names, &deck);
        } else {
            deck.shuffle(&mut rng);
        }
        decks.push(deck);
    }
    check_seen_by(View::RelativeCards, &decks);
}

/// In one deck of five the card after 2c lies 26 places from it.
#[test]
fn cards_at_a_distance_are_seen_among_the_places() {
    let mut rng = ChaCha20Rng::seed_from_u64(33);
    let decks: Vec<Cards> = (0..20_000)
        .map(|hand| {
            let mut deck = shuffled(&mut rng);
            if hand % 5 == 0 {
                let places = inverse_of(&deck);
                deck.swap(usize::from(places[1]), (usize::from(places[0]) + 26) % 52);
            }
            deck
        })
        .collect();
    check_seen_by(View::Inverse, &decks);
}
