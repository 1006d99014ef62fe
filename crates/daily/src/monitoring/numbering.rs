//! How the cards of a day are written: a deck of an earlier day is known again only where both were taken for the same cards.

use std::path::Path;

use crate::monitoring::rows::counting;
use crate::monitoring::store::{Store, result_of};
use deckproof_audit::source::format::Numbering;
use deckproof_audit::source::record::SourceRecord;

/// What a person should know of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NumberingNote {
    /// It is not as on the day before: this is for the mail.
    Changed(String),
    /// How the numbers count is assumed, as the reader of the file warns of it on every day.
    Assumed(String),
}

/// How numbers were taken for cards: `Some(None)` where the records name the cards, `None` where they are no records.
fn of(source: &SourceRecord) -> Option<Option<Numbering>> {
    source.text("format").ok().map(|_| Numbering::of(source))
}

fn words(numbering: Option<Numbering>) -> String {
    numbering.map_or("cards".to_owned(), |numbering| format!("numbers taken as {}", numbering.words()))
}

/// How the cards of a day are written, beside those of the last row before it that judged decks.
pub fn of_day(store: &Store, folder: &Path, source: &SourceRecord, is_stated: bool) -> Option<NumberingNote> {
    let last = counting(store.days()).rfind(|(_, line)| line.certificate.is_some());
    // A certificate that cannot be read is a fault of the record, which has a step of its own.
    let before =
        last.and_then(|(row, line)| Some((row, line.day.as_str(), result_of(folder, line).ok()?.source)));
    note(source, is_stated, before.as_ref().map(|(row, date, source)| (*row, *date, source)))
}

/// That the cards of a day are written otherwise than those of a row before it, or how their numbers count where that is assumed.
fn note(
    source: &SourceRecord,
    is_stated: bool,
    before: Option<(usize, &str, &SourceRecord)>,
) -> Option<NumberingNote> {
    let own = of(source)?;
    let assumed = if own.is_some() && !is_stated { ", which is assumed (numbering)" } else { "" };
    let earlier = before.and_then(|(row, date, source)| Some((row, date, of(source)?)));
    if let Some((row, date, other)) = earlier.filter(|(.., other)| *other != own) {
        return Some(NumberingNote::Changed(format!(
            "row {row} ({date}) has {}, and this day has {}{assumed}: if either counts otherwise, a deck of that day or of one \
             before it is not known again, and whether one was dealt again is not shown",
            words(other),
            words(own)
        )));
    }
    let numbering = own.filter(|_| !is_stated)?;
    let text = format!("{}{assumed}: ranks, suits and hands depend on it", words(Some(numbering)));
    Some(NumberingNote::Assumed(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_way_to_write_cards_and_an_assumed_one_are_named() {
        let record = |format: &str, numbering: &str| {
            SourceRecord::new("recorded").with("format", format).with("numbering", numbering)
        };
        let (cards, numbers) = (record("cards", "rank-suit"), record("indices", "rank-suit"));
        let (bytes, by_suit) = (record("raw", "rank-suit"), record("indices", "suit-rank"));
        fn before(source: &SourceRecord) -> Option<(usize, &str, &SourceRecord)> {
            Some((7, "2026-11-05", source))
        }
        for (source, is_stated, earlier, wanted) in [
            (&cards, false, None, None),
            (&cards, false, before(&cards), None),
            (&numbers, true, None, None),
            (&numbers, true, before(&bytes), None),
            (&numbers, false, None, Some((false, "4·rank + suit (2c 2d 2h 2s 3c … As), which is assumed"))),
            (&numbers, false, before(&bytes), Some((false, "which is assumed (numbering)"))),
            (
                &numbers,
                false,
                before(&cards),
                Some((true, "row 7 (2026-11-05) has cards, and this day has numbers")),
            ),
            (
                &cards,
                false,
                before(&numbers),
                Some((true, "and this day has cards: if either counts otherwise")),
            ),
            (
                &by_suit,
                true,
                before(&numbers),
                Some((true, "and this day has numbers taken as 13·suit + rank")),
            ),
        ] {
            let found = note(source, is_stated, earlier);
            let found = found.map(|note| match note {
                NumberingNote::Changed(text) => (true, text),
                NumberingNote::Assumed(text) => (false, text),
            });
            let is_wanted = match (&found, wanted) {
                (None, None) => true,
                (Some((is_change, text)), Some((is_change_wanted, part))) => {
                    *is_change == is_change_wanted && text.contains(part)
                }
                _ => false,
            };
            assert!(is_wanted, "{source:?} {earlier:?}: {found:?}");
        }
        assert_eq!(note(&SourceRecord::new("chain"), false, before(&cards)), None);
    }
}
