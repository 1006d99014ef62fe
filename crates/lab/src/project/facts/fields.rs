//! The fields of a test report, ISO/IEC 17025, 7.8.2.1 a to p: which of them people have filled in.

use crate::project::facts::identity::{ItemFiles, item_files};
use crate::project::package::inputs::Inputs;
use crate::project::settings::item::Item;
use crate::project::settings::people::Role;

/// Whether what belongs to a field is stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldState {
    /// All of it.
    Filled,
    /// Some of it.
    Partly,
    /// Nothing.
    Empty,
}

/// A field that only people can fill in.
pub struct ReportField {
    /// Its letter.
    pub letter: char,
    /// Each key of the project that fills it, and whether it says something.
    keys: Vec<(String, bool)>,
    /// Whether any report has some of it.
    is_begun: bool,
}

impl ReportField {
    /// How much of it is stated.
    pub fn state(&self) -> FieldState {
        let is_begun = self.is_begun || self.keys.iter().any(|(_, is_stated)| *is_stated);
        match (self.missing().is_empty(), is_begun) {
            (true, _) => FieldState::Filled,
            (false, true) => FieldState::Partly,
            (false, false) => FieldState::Empty,
        }
    }

    /// The keys that say nothing yet.
    pub fn missing(&self) -> Vec<String> {
        let mut missing: Vec<String> =
            self.keys.iter().filter(|(_, is_stated)| !is_stated).map(|(key, _)| key.clone()).collect();
        missing.dedup();
        missing
    }
}

/// The fields that only people can fill in. The others the program writes, but for f: editions of standards are for the
/// laboratory to confirm.
pub fn fields(inputs: &Inputs) -> Vec<ReportField> {
    let project = &inputs.project;
    let (report, laboratory, customer) = (&project.report, &project.laboratory, &project.customer);
    let keys = [
        ('b', "laboratory.name", is_stated(&laboratory.name)),
        ('b', "laboratory.address", is_stated(&laboratory.address)),
        ('c', "laboratory.locations", laboratory.locations.iter().any(|place| !place.trim().is_empty())),
        ('e', "customer.name", is_stated(&customer.name)),
        ('e', "customer.contact", is_stated(&customer.contact)),
        ('h', "report.received", report.received.is_some()),
        ('h', "report.sampled_from", report.sampled_from.is_some()),
        ('i', "report.performed_from", report.performed_from.is_some()),
        ('j', "report.issued", report.issued.is_some()),
        ('o', "person.name", has_authoriser(inputs)),
    ];
    let of_letter = |own: &[(char, &str, bool)]| {
        let keys = own.iter().map(|(_, key, is_stated)| ((*key).to_owned(), *is_stated)).collect();
        ReportField { letter: own[0].0, keys, is_begun: false }
    };
    let fields = keys.chunk_by(|one, other| one.0 == other.0).map(of_letter);
    let mut fields: Vec<ReportField> = fields.chain([items(inputs), sampling(inputs)]).collect();
    fields.sort_by_key(|field| field.letter);
    fields
}

/// Those that are not filled in.
pub fn open(inputs: &Inputs) -> Vec<ReportField> {
    fields(inputs).into_iter().filter(|field| field.state() != FieldState::Filled).collect()
}

/// A blank text says nothing.
fn is_stated(text: &Option<String>) -> bool {
    text.as_ref().is_some_and(|text| !text.trim().is_empty())
}

/// What the keys of an item begin with: its id, where there are several.
fn name_of<'a>(inputs: &Inputs, item: &'a Item) -> &'a str {
    if inputs.project.item.len() > 1 { &item.id } else { "item" }
}

/// Description, identification by a list of files, condition. A list of the decks themselves identifies nothing.
fn items(inputs: &Inputs) -> ReportField {
    let keys = inputs.project.item.iter().flat_map(|item| {
        let name = name_of(inputs, item);
        [
            (format!("{name}.name"), is_stated(&item.name)),
            (format!("{name}.description"), is_stated(&item.description)),
            (format!("{name}.condition"), is_stated(&item.condition)),
            (format!("{name}.files"), item_files(inputs, item) == ItemFiles::Some),
        ]
    });
    ReportField { letter: 'g', keys: keys.collect(), is_begun: false }
}

/// The plan is in any report; by whom and how decks were taken, people state.
fn sampling(inputs: &Inputs) -> ReportField {
    let project = &inputs.project;
    let mut keys = Vec::new();
    for item in &project.item {
        let own = project.sampling_of(item);
        let section = match item.sampling {
            Some(_) => format!("{}.sampling", name_of(inputs, item)),
            None => "sampling".to_owned(),
        };
        keys.push((format!("{section}.by"), own.by.is_some()));
        keys.push((format!("{section}.method"), is_stated(&own.method)));
    }
    // Items that share one section lack the same keys.
    keys.sort();
    keys.dedup();
    ReportField { letter: 'k', keys, is_begun: true }
}

/// Whether somebody with a name authorises; the signature itself is set on paper or beside the file.
fn has_authoriser(inputs: &Inputs) -> bool {
    let mut people = inputs.project.person.iter().filter(|person| person.role == Role::Authoriser);
    people.any(|person| is_stated(&person.name))
}
