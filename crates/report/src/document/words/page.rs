//! The words of the first screen of an audit, and of what its page and the screen share.

use crate::document::words::{Words, words};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::standards::Conformity;
use deckproof_deck::card::Card;
use deckproof_stats::battery::duplicates::seed_space_bits;
use deckproof_stats::battery::duplicates::sketch::SketchCount;
use deckproof_stats::battery::stud::table::River;
use deckproof_stats::battery::{Tail, View};

words! {
    /// What the first screen and the page of an audit say.
    PageWords {
        title, kicker,
        made(program: text, begun: text),
        made_resumed(program: text, begun: text),
        made_merged(program: text, begun: text),
        made_again(program: text, time: text),
        id(hash: text),
        pass, pass_start, investigate, fail, inconclusive, first_look, look_first, look_repeat, not_shown_short,
        not_shown_predicted, next_bad_record, next_repeated, next_repeated_log, next_failed,
        next_extreme(decks: number),
        extreme_first(place: text, decks: number),
        next_more(decks: number),
        file, bad_record, extreme_deck, source, command,
        command_words(sha256: text),
        numbers, starts, decks, statistics, plan_hash,
        starts_stated(order: text),
        extent(extent: text, p_values: number),
        extent_at(extent: text, table: text, p_values: number),
        tiers(tiers: text),
        numbers_as(own: text),
        numbers_hang(own: text, option: text, other: text),
        certificate_hash, program, commit, executable, begun, resumed, merged, duration, duration_resumed, duration_merged, machine, start_order, table, hands,
        hands_shared, hands_reshuffled, proof, rule, false_reject, false_reject_alone, step_judge, step_fresh, step_count,
        step_bytes, step_deal, p_value, p_value_meaning, family_p_value, family_meaning, null, null_meaning,
        relative, relative_meaning, inverse, inverse_meaning, tail, tail_meaning, familiar_places,
        familiar_hands, each_deck, deck_to_deck, places_of_cards, card_to_card,
        detects(title: text, view: text, what: text),
        class_lay(class: text, place: text, seen: number, decks: number, expected: text, deviations: text),
        card_lay(card: text, place: text, seen: number, decks: number, expected: text, deviations: text),
        on_top, at_bottom,
        in_place(place: digits),
        card_of(rank: text, suit: text),
        places_expected(cell: text, expected: text),
        cell_expected(cell: text, expected: text),
        bar(axis: text, value: text, seen: number, all: number, expected: text),
        exceedances, ranks, rank, suits,
        sample(decks: number),
        sample_pairs(pairs: number),
        exact, bound, large, asymptotic,
        proven(bound: text),
        proven_most(bound: text),
        none,
        to(first: text, last: text),
        p_is(p_value: text),
        tests_not_met, incomplete, not_run, is_not_built, is_not_run, subject,
        as_stated(subject: text),
        decided_by,
        decided(test: text, decks: number, p_value: text, family: text, level: text),
        decided_convicting(test: text, decks: number, p_value: text, family: text, level: text),
        decided_repeat(test: text),
        look_at, all_tests,
        all_give(p_is: text, p_values: number),
        all_give_null(p_is: text, p_values: number),
        standards,
        standards_say(parts: text),
        pass_missed(standards: number),
        pass_start_missed(standards: number),
        pass_part(ran: number, all: number),
        pass_start_part(ran: number, all: number),
        pass_missed_part(ran: number, all: number, standards: number),
        standard_at(name: text, percent: digits),
        size,
        smallest_screen(decks: number),
        smallest_other(decks: number),
        next, not_shown, files,
        not_checked(what: text),
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
