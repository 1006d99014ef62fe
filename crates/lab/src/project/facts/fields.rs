//! The fields of a test report, ISO/IEC 17025, 7.8.2.1 a to p: which of them people have filled in.

use crate::project::facts::ItemFacts;
use crate::project::package::inputs::Inputs;
use crate::project::settings::people::Role;

/// Whether what belongs to a field was said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldState {
    /// All of it.
    Filled,
    /// Some of it.
    Partly,
    /// Nothing.
    Empty,
}

impl FieldState {
    /// What several texts say together; a blank one says nothing.
    fn of(texts: &[Option<&str>]) -> FieldState {
        let said = texts.iter().flatten().filter(|text| !text.trim().is_empty()).count();
        FieldState::of_parts(&[said == texts.len(), said > 0])
    }

    /// Whether all of it is there, or any.
    fn of_parts(parts: &[bool]) -> FieldState {
        match (parts.iter().all(|part| *part), parts.contains(&true)) {
            (true, _) => FieldState::Filled,
            (false, true) => FieldState::Partly,
            (false, false) => FieldState::Empty,
        }
    }
}

/// The fields that only people can fill in, each with its letter. The others the program writes, but for f: editions of
/// standards are for the laboratory to confirm.
pub fn fields(inputs: &Inputs, items_found: &[ItemFacts]) -> [(char, FieldState); 9] {
    let report = &inputs.project.report;
    [
        ('b', laboratory(inputs)),
        ('c', locations(inputs)),
        ('e', customer(inputs)),
        ('g', items(inputs, items_found)),
        ('h', FieldState::of_parts(&[report.received.is_some(), report.sampled_from.is_some()])),
        ('i', FieldState::of_parts(&[report.performed_from.is_some()])),
        ('j', FieldState::of_parts(&[report.issued.is_some()])),
        ('k', sampling(inputs)),
        ('o', authorised(inputs)),
    ]
}

/// The letters of those that are not filled in.
pub fn open(inputs: &Inputs, items_found: &[ItemFacts]) -> Vec<char> {
    let open = fields(inputs, items_found).into_iter().filter(|(_, state)| *state != FieldState::Filled);
    open.map(|(letter, _)| letter).collect()
}

fn laboratory(inputs: &Inputs) -> FieldState {
    let own = &inputs.project.laboratory;
    FieldState::of(&[own.name.as_deref(), own.address.as_deref()])
}

fn locations(inputs: &Inputs) -> FieldState {
    let own = &inputs.project.laboratory.locations;
    FieldState::of_parts(&[own.iter().any(|place| !place.trim().is_empty())])
}

fn customer(inputs: &Inputs) -> FieldState {
    let own = &inputs.project.customer;
    FieldState::of(&[own.name.as_deref(), own.contact.as_deref()])
}

/// Description, identification by a list of files, condition.
fn items(inputs: &Inputs, items_found: &[ItemFacts]) -> FieldState {
    let own = inputs.project.item.iter().flat_map(|item| {
        let facts = items_found.iter().find(|facts| facts.item == item.id);
        let files = facts.and_then(|facts| facts.manifest_sha256.as_deref());
        [item.name.as_deref(), item.description.as_deref(), item.condition.as_deref(), files]
    });
    FieldState::of(&own.collect::<Vec<_>>())
}

/// The plan stands in any report; by whom and how decks were taken is said by people.
fn sampling(inputs: &Inputs) -> FieldState {
    let project = &inputs.project;
    let mut parts = vec![true];
    for own in project.item.iter().map(|item| project.sampling_of(item)) {
        let has_method = own.method.as_deref().is_some_and(|method| !method.trim().is_empty());
        parts.extend([own.by.is_some(), has_method]);
    }
    FieldState::of_parts(&parts)
}

/// Somebody with a name authorises; the signature itself is set on paper or beside the file.
fn authorised(inputs: &Inputs) -> FieldState {
    let mut people = inputs.project.person.iter().filter(|person| person.role == Role::Authoriser);
    let is_named = people.any(|person| person.name.as_deref().is_some_and(|name| !name.trim().is_empty()));
    FieldState::of_parts(&[is_named])
}
