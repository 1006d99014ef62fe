//! Where each field of a test report stands, ISO/IEC 17025, 7.8.2.1 a to p, and whether it is filled in.

use crate::campaign::content::{Said, annex, table};
use crate::campaign::project::people::Role;
use deckproof_report::document::{Column, Section, Value};

/// Whether what belongs to a field was said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Filled,
    Partly,
    Empty,
}

impl State {
    /// What several texts say together; a blank one says nothing.
    fn of(texts: &[Option<&str>]) -> State {
        let said = texts.iter().flatten().filter(|text| !text.trim().is_empty()).count();
        State::of_parts(&[said == texts.len(), said > 0])
    }

    /// Whether all of it is there, or any.
    fn of_parts(parts: &[bool]) -> State {
        match (parts.iter().all(|part| *part), parts.contains(&true)) {
            (true, _) => State::Filled,
            (false, true) => State::Partly,
            (false, false) => State::Empty,
        }
    }
}

pub(super) fn section(said: &Said) -> Section {
    let (w, m, r, c) = (&said.words.demand, &said.words.method, &said.words.result, &said.words.cover);
    let first_page = || w.first_page.to_owned();
    let rows = [
        ("a", w.iso_a, first_page(), State::Filled),
        ("b", w.iso_b, first_page(), laboratory(said)),
        ("c", w.iso_c, first_page(), locations(said)),
        ("d", w.iso_d, w.every_page.to_owned(), State::Filled),
        ("e", w.iso_e, first_page(), customer(said)),
        // Statistics and program are named by the program; editions of standards are for the laboratory.
        ("f", w.iso_f, said.words.series(&[m.methods, m.references, m.environment]), State::Partly),
        ("g", w.iso_g, said.words.series(&[m.item_section, m.environment]), items(said)),
        ("h", w.iso_h, first_page(), received(said)),
        ("i", w.iso_i, first_page(), dates(&[said.inputs.project.report.performed_from.is_some()])),
        ("j", w.iso_j, first_page(), dates(&[said.inputs.project.report.issued.is_some()])),
        ("k", w.iso_k, said.words.series(&[m.sampling, r.plan_annex]), sampling(said)),
        ("l", w.iso_l, first_page(), State::Filled),
        ("m", w.iso_m, said.words.series(&[r.raw, r.outcomes, r.stud, r.p_annex]), State::Filled),
        ("n", w.iso_n, said.words.series(&[r.deviations, c.observations]), State::Filled),
        ("o", w.iso_o, first_page(), authorised(said)),
        ("p", w.iso_p, r.external.to_owned(), State::Filled),
    ];
    let rows = rows.map(|(letter, content, place, state)| {
        let state = match state {
            State::Filled => w.iso_filled,
            State::Partly => w.iso_partly,
            State::Empty => w.iso_empty,
        };
        [letter, content, &place, state].map(Value::text).to_vec()
    });
    let columns = vec![
        Column::words(w.letter, 1),
        Column::words(w.content, 5),
        Column::words(w.place, 5),
        Column::words(w.iso_state, 3),
    ];
    let rows = table(w.iso_caption, columns, rows.to_vec(), w.iso_note);
    annex("iso-17025", w.iso_section, vec![rows])
}

fn laboratory(said: &Said) -> State {
    let own = &said.inputs.project.laboratory;
    State::of(&[own.name.as_deref(), own.address.as_deref()])
}

fn locations(said: &Said) -> State {
    let own = &said.inputs.project.laboratory.locations;
    State::of_parts(&[own.iter().any(|place| !place.trim().is_empty())])
}

fn customer(said: &Said) -> State {
    let own = &said.inputs.project.customer;
    State::of(&[own.name.as_deref(), own.contact.as_deref()])
}

/// Description, identification by a list of files, condition.
fn items(said: &Said) -> State {
    let own = said.inputs.project.item.iter().flat_map(|item| {
        let facts = said.facts.items.iter().find(|facts| facts.item == item.id);
        let files = facts.and_then(|facts| facts.manifest_sha256.as_deref());
        [item.name.as_deref(), item.description.as_deref(), item.condition.as_deref(), files]
    });
    State::of(&own.collect::<Vec<_>>())
}

fn received(said: &Said) -> State {
    let own = &said.inputs.project.report;
    dates(&[own.received.is_some(), own.sampled_from.is_some()])
}

fn dates(are_said: &[bool]) -> State {
    State::of_parts(are_said)
}

/// The plan stands in any report; by whom and how decks were taken is said by people.
fn sampling(said: &Said) -> State {
    let project = &said.inputs.project;
    let mut parts = vec![true];
    for own in project.item.iter().map(|item| project.sampling_of(item)) {
        let has_method = own.method.as_deref().is_some_and(|method| !method.trim().is_empty());
        parts.extend([own.by.is_some(), has_method]);
    }
    State::of_parts(&parts)
}

/// Somebody with a name authorises; the signature itself is set on paper or beside the file.
fn authorised(said: &Said) -> State {
    let mut people = said.inputs.project.person.iter().filter(|person| person.role == Role::Authoriser);
    let is_named = people.any(|person| person.name.as_deref().is_some_and(|name| !name.trim().is_empty()));
    State::of_parts(&[is_named])
}
