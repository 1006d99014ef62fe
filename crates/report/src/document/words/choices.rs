//! Which of several texts is printed.

use crate::document::figure::Axis;
use crate::document::words::{
    BundleWords, ChartWords, CoverWords, MethodWords, PageWords, RefusalWords, VerdictWords, Words,
};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::standards::Conformity;
use deckproof_audit::source::format::Numbering;
use deckproof_deck::card::Card;
use deckproof_stats::battery::duplicates::seed_space_bits;
use deckproof_stats::battery::duplicates::sketch::SketchCount;
use deckproof_stats::battery::stud::table::River;
use deckproof_stats::battery::{Tail, View};

impl BundleWords {
    /// Which files are neither bundles nor certificates: the first by name, and how many more.
    pub fn left_alone(&self, named: &str, more: u64) -> String {
        if more == 0 { self.left_all(named) } else { self.left_more(named, more) }
    }
}

impl ChartWords {
    /// What an axis counts.
    pub fn axis(&self, axis: Axis) -> &'static str {
        match axis {
            Axis::Card => self.axis_card,
            Axis::Place => self.axis_place,
            Axis::NextPlace => self.axis_next_place,
            Axis::NextCard => self.axis_next_card,
            Axis::CardThatFollows => self.axis_card_that_follows,
            Axis::PlaceThatFollows => self.axis_place_that_follows,
            Axis::NextPlaceThatFollows => self.axis_next_place_that_follows,
            Axis::NextCardThatFollows => self.axis_next_card_that_follows,
        }
    }
}

impl CoverWords {
    /// The word of a verdict, as it heads a page.
    pub fn word(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Pass => self.pass,
            Verdict::Investigate => self.investigate,
            Verdict::Fail => self.fail,
            Verdict::Inconclusive => self.inconclusive,
        }
    }

    /// The same inside a sentence.
    pub fn small(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Pass => self.pass_small,
            Verdict::Investigate => self.investigate_small,
            Verdict::Fail => self.fail_small,
            Verdict::Inconclusive => self.inconclusive_small,
        }
    }
}

impl MethodWords {
    /// Which text of a standard was read: its edition, where that is known, and its day.
    pub fn text_read(&self, edition: &str, day: &str) -> String {
        if edition.is_empty() { self.text_as_of(day) } else { self.edition_as_of(edition, day) }
    }
}

impl PageWords {
    /// What the word of a verdict means, for readers who meet it first here.
    pub fn meaning(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Pass => self.pass,
            Verdict::Investigate => self.investigate,
            Verdict::Fail => self.fail,
            Verdict::Inconclusive => self.inconclusive,
        }
    }

    /// The view in words.
    pub fn view(&self, view: View) -> &'static str {
        match view {
            View::Deck => self.each_deck,
            View::Relative => self.deck_to_deck,
            View::Inverse => self.places_of_cards,
            View::RelativeCards => self.card_to_card,
        }
    }

    /// `1,000,000 decks` or `999,984 neighbouring pairs`.
    pub fn sample_of(&self, view: View, decks: u64) -> String {
        if view.is_of_pairs() { self.sample_pairs(decks) } else { self.sample(decks) }
    }

    /// A place of a deck.
    pub fn place_words(&self, place: usize) -> String {
        match place {
            0 => self.on_top.to_owned(),
            51 => self.at_bottom.to_owned(),
            place => self.in_place(place as u64),
        }
    }

    /// A card in whole words.
    pub fn card_words(&self, card: Card) -> String {
        let index = usize::from(card.index());
        let name = |names: &'static str, at: usize| names.split(' ').nth(at).unwrap_or_default();
        self.card_of(name(self.rank, index / 4), name(self.suits, index % 4))
    }

    /// What of dealt hands is not judged, because the deck runs short.
    pub fn not_judged(&self, river: River) -> Option<&'static str> {
        match river {
            River::Own => None,
            River::Shared => Some(self.hands_shared),
            River::Reshuffled => Some(self.hands_reshuffled),
        }
    }

    /// Why a required test did not run: of a certificate, in its words.
    pub fn why_not_run<'a>(&self, reason: &'a str) -> &'a str {
        match reason {
            "not built" => self.is_not_built,
            "its statistics did not run" => self.is_not_run,
            other => other,
        }
    }

    /// What a tail means to somebody who wants to rely on the p-value.
    pub fn tail(&self, tail: Tail) -> &'static str {
        match tail {
            Tail::Exact => self.exact,
            Tail::Bound => self.bound,
            Tail::LargeExpectations => self.large,
            Tail::Asymptotic => self.asymptotic,
        }
    }
}

impl Words {
    /// What a standard says.
    pub fn conformity(&self, says: Conformity) -> &'static str {
        match says {
            Conformity::Met => self.cover.tests_met,
            Conformity::NotMet => self.page.tests_not_met,
            Conformity::Incomplete => self.page.incomplete,
            Conformity::NotRun => self.page.not_run,
        }
    }

    /// What the number of equal decks says of the seeds.
    pub fn seed_space(&self, count: &SketchCount, decks: u64) -> String {
        let own = &self.result;
        let share = match count.halvings {
            0 => String::new(),
            halvings => own.seed_share(&libm::exp2(f64::from(halvings)).to_string()),
        };
        match seed_space_bits(count, decks) {
            _ if count.pairs > 0 => own.seed_repeated(count.pairs, decks, &share),
            None => own.seed_silent(decks, &share),
            // What is shown is a lower bound: rounded down.
            Some(bits) => own.seed_shown(decks, &share, &self.decimal((10.0 * bits).floor() / 10.0, 1)),
        }
    }
}

impl RefusalWords {
    /// The sentence of a code; none for a code that no protocol has.
    pub fn sentence(&self, code: &str) -> Option<String> {
        let field = code.to_ascii_lowercase();
        self.samples().into_iter().find(|(own, _)| *own == field).map(|(_, sentence)| sentence)
    }
}

impl VerdictWords {
    /// How the numbers of cards count.
    pub fn numbering(&self, numbering: Numbering) -> &'static str {
        match numbering {
            Numbering::RankSuit => self.rank_suit,
            Numbering::SuitRank => self.suit_rank,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::document::words::Language;

    #[test]
    fn every_code_of_the_protocol_has_a_sentence() {
        let protocol = include_str!("../../../../../PROTOCOL.md");
        let codes: Vec<&str> = protocol
            .split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_'))
            .filter(|word| word.starts_with("E_") && word.len() > 4 && !word.ends_with('_'))
            .collect();
        assert!(codes.len() > 45, "{} codes", codes.len());
        for code in codes {
            for language in Language::ALL {
                let sentence = language.words().refusal.sentence(code);
                assert!(
                    sentence.is_some_and(|words| !words.is_empty()),
                    "{code} has no sentence in {language:?}"
                );
            }
        }
    }
}
