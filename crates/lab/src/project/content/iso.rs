//! Where each field of a test report is, ISO/IEC 17025, 7.8.2.1 a to p, and whether it is filled in.

use crate::project::content::{Basis, annex, table_of_rows};
use crate::project::facts::fields::{FieldState, ReportField, fields};
use deckproof_report::document::words::Words;
use deckproof_report::document::{Column, Section, Value};

pub(super) fn section(basis: &Basis) -> Section {
    let (w, m, r, c) = (&basis.words.demand, &basis.words.method, &basis.words.result, &basis.words.cover);
    let first_page = || w.first_page.to_owned();
    let people = fields(basis.inputs);
    let of = |letter: char| {
        let own = people.iter().find(|own| own.letter == letter);
        own.map_or(FieldState::Filled, ReportField::state)
    };
    let rows = [
        ('a', first_page(), FieldState::Filled),
        ('b', first_page(), of('b')),
        ('c', first_page(), of('c')),
        ('d', w.every_page.to_owned(), FieldState::Filled),
        ('e', first_page(), of('e')),
        // Statistics and program are named by the program; editions of standards are for the laboratory.
        ('f', basis.words.series(&[m.methods, m.references, m.environment]), FieldState::Partly),
        ('g', basis.words.series(&[m.item_section, m.environment]), of('g')),
        ('h', first_page(), of('h')),
        ('i', first_page(), of('i')),
        ('j', first_page(), of('j')),
        ('k', basis.words.series(&[m.sampling, r.plan_annex]), of('k')),
        ('l', first_page(), FieldState::Filled),
        ('m', basis.words.series(&[r.raw, r.outcomes, r.stud, r.p_annex]), FieldState::Filled),
        ('n', basis.words.series(&[r.deviations, c.observations]), FieldState::Filled),
        ('o', first_page(), of('o')),
        ('p', r.external.to_owned(), FieldState::Filled),
    ];
    let rows = rows.map(|(letter, place, state)| {
        let state = match state {
            FieldState::Filled => w.iso_filled,
            FieldState::Partly => w.iso_partly,
            FieldState::Empty => w.iso_empty,
        };
        [&letter.to_string(), content(basis.words, letter), &place, state].map(Value::text).to_vec()
    });
    let columns = vec![
        Column::words(w.letter, 1),
        Column::words(w.content, 5),
        Column::words(w.place, 5),
        Column::words(w.iso_state, 3),
    ];
    let rows = table_of_rows(w.iso_caption, columns, rows.to_vec(), w.iso_note);
    annex("iso-17025", w.iso_section, vec![rows])
}

/// What belongs into a field, in short.
pub(super) fn content(words: &Words, letter: char) -> &'static str {
    let w = &words.demand;
    let all = [
        w.iso_a, w.iso_b, w.iso_c, w.iso_d, w.iso_e, w.iso_f, w.iso_g, w.iso_h, w.iso_i, w.iso_j, w.iso_k,
        w.iso_l, w.iso_m, w.iso_n, w.iso_o, w.iso_p,
    ];
    ('a'..='p').zip(all).find(|(own, _)| *own == letter).map_or("", |(_, content)| content)
}
