//! What was examined and how: scope, references, item, declarations, sampling, environment, methods.

use std::collections::BTreeMap;
use std::path::Path;

use crate::external::listing::Cells;
use crate::project::content::{Basis, fact, observed, section, table, table_of_rows, text_or_empty};
use crate::project::facts::identity::{base_of, path_of_decks, plain};
use crate::project::facts::{AuditFacts, ItemFacts};
use crate::project::frozen::FrozenAudit;
use crate::project::settings::item::Item;
use crate::project::settings::people::{Declaration, DeclarationAbout, FoundBy, SampledBy, Sampling};
use deckproof_audit::audit::plan::{Plan, SEGMENT_DECKS};
use deckproof_audit::certificate::Tool;
use deckproof_audit::manifest::Identity;
use deckproof_audit::standards::TextReference;
use deckproof_audit::standards::silent::{self, Asks, Silent};
use deckproof_deck::text::date::Date;
use deckproof_report::document::{Block, Column, Section, Value};
use deckproof_report::rendering::audit::page::numbering;
use deckproof_stats::battery::{self, About};

/// Most files of an item that the report itself lists; the list has all.
const FILES_MAX: usize = 60;

pub(super) fn scope(basis: &Basis) -> Section {
    let words = &basis.words.method;
    let (items, audits) = (basis.facts.items.len() as u64, basis.facts.audits.len() as u64);
    let mut limits =
        vec![words.limit_all, words.limit_predict, words.limit_table, words.limit_outside, words.limit_begun];
    if basis.inputs.frozen.audits.iter().any(|audit| audit.plan.source.abilities().is_supplied) {
        limits.push(words.limit_supplied);
    }
    let blocks = vec![
        Block::paragraph(words.scope_text(items, audits)),
        scope_of_items(basis),
        Block::Heading(words.limits.to_owned()),
        Block::List(limits.into_iter().map(str::to_owned).collect()),
    ];
    section("scope", words.scope, blocks)
}

/// What was examined of each item: a report of several says nothing of one that it examined less.
fn scope_of_items(basis: &Basis) -> Block {
    let words = &basis.words.method;
    let audits = |item: &Item| basis.facts.audits.iter().filter(|audit| audit.item == item.id).count();
    let tables = |item: &Item| {
        let is_table = |audit: &&AuditFacts| audit.item == item.id && audit.table.is_some();
        basis.facts.audits.iter().filter(is_table).count()
    };
    let raw =
        |item: &Item| basis.facts.raw.iter().filter(|raw| raw.item == item.id).map(|raw| raw.words).sum();
    let columns: &[Cells<(&Item, &ItemFacts)>] = &[
        (Column::words(basis.words.cover.item, 5), &|(item, _)| Value::text(item.title())),
        (Column::words(words.id, 2), &|(item, _)| Value::text(&item.id)),
        (Column::numbers(basis.words.cover.audits, 2), &|(item, _)| basis.number(audits(item) as u64)),
        (Column::numbers(words.tables, 2), &|(item, _)| basis.number(tables(item) as u64)),
        (Column::numbers(basis.words.cover.decks, 3), &|(_, facts)| basis.number(facts.decks)),
        (Column::numbers(words.raw_words, 3), &|(item, _)| basis.number(raw(item))),
    ];
    let items = basis.inputs.project.item.iter().zip(&basis.facts.items);
    table(words.scope_caption, columns, items, "")
}

pub(super) fn references(basis: &Basis) -> Section {
    let words = &basis.words.method;
    let rows = basis.inputs.project.standards().map(|standard| {
        let tests: Vec<&str> =
            standard.tests.iter().map(|test| basis.words.test(standard.name, test.name)).collect();
        let own = basis.words.standard(standard.name);
        let beyond = match own.map_or(standard.not_assessed, |own| own.beyond) {
            "" => "–",
            beyond => beyond,
        };
        vec![
            Value::text(basis.standard(standard.name, standard.clause)),
            edition(basis, standard.reference),
            addresses(standard.reference),
            Value::text(basis.words.series(&tests)),
            Value::text(beyond),
        ]
    });
    let rows = rows.chain(silent::SILENT.iter().map(|text| silent_row(basis, text)));
    let columns = vec![
        Column::words(basis.words.cover.standard, 3),
        Column::words(words.edition, 2),
        Column::words(words.address, 3),
        Column::words(words.named_tests, 5),
        Column::words(words.beyond, 3),
    ];
    let rows = table_of_rows(words.references_caption, columns, rows.collect(), words.references_note);
    section("references", words.references, vec![rows])
}

/// The edition, and the day up to which the copy that was read is current.
fn edition(basis: &Basis, own: TextReference) -> Value {
    let words = &basis.words.method;
    match own.as_of.parse::<Date>() {
        Ok(day) => Value::text(words.text_read(own.edition, &basis.words.date(day))),
        Err(_) if own == TextReference::NONE => Value::text(own.edition),
        Err(_) => Value::text(words.edition_unverified),
    }
}

fn addresses(own: TextReference) -> Value {
    if own.addresses.is_empty() { Value::text("–") } else { Value::hash(own.addresses.join(" ")) }
}

/// A text that names no test at a level, with what was found of it.
fn silent_row(basis: &Basis, text: &Silent) -> Vec<Value> {
    let words = &basis.words.method;
    let asks = match text.asks {
        Asks::NotFound => words.no_text_found.to_owned(),
        Asks::NotRead => words.text_not_read.to_owned(),
        Asks::Unnamed => words.no_test_named.to_owned(),
        Asks::WithoutLevel(tests) => words.no_level(&basis.words.series(tests)),
    };
    let name = if text.clause.is_empty() {
        basis.words.standard_name(text.name).to_owned()
    } else {
        basis.standard(text.name, text.clause)
    };
    vec![
        Value::text(name),
        edition(basis, text.reference),
        addresses(text.reference),
        Value::text(asks),
        Value::text("–"),
    ]
}

pub(super) fn item(basis: &Basis) -> Section {
    let words = &basis.words.method;
    let mut blocks = Vec::new();
    for item in &basis.inputs.project.item {
        blocks.push(Block::Heading(item.title()));
        blocks.push(Block::Facts(facts_of(basis, item)));
        match basis.inputs.list_of(&item.id) {
            None => blocks.push(Block::paragraph(words.files_none(&item.id))),
            Some(manifest) => {
                blocks.push(files(basis, item, manifest.files()));
                let more = manifest.files().len().saturating_sub(FILES_MAX) as u64;
                if more > 0 {
                    let name = format!("item/{}.manifest", item.id);
                    blocks.push(Block::paragraph(words.files_more(more, &name)));
                }
            }
        }
    }
    section("item", words.item_section, blocks)
}

fn facts_of(basis: &Basis, item: &Item) -> Vec<(String, Value)> {
    let words = &basis.words.method;
    let own = basis.inputs.frozen.audits.iter().find(|audit| audit.item == item.id);
    let source = own.map_or(String::new(), |audit| match audit.plan.source.kind() {
        // Each audit has a key of its own; they stand in the table of plans.
        "audit" => "audit".to_owned(),
        _ => audit.plan.source.to_string(),
    });
    let numbering = own.and_then(|audit| numbering(&audit.plan.source, "settings.numbering =", basis.words));
    let command = own.filter(|audit| audit.plan.program_sha256.is_some()).map(|_| path_of_decks(item));
    let command = command.map(|command| (command, words_listed(basis, item, command)));
    let facts = basis.facts.items.iter().find(|facts| facts.item == item.id);
    let root = facts.and_then(|facts| facts.manifest_sha256.as_ref());
    vec![
        fact(words.id, Value::text(&item.id)),
        fact(words.name, text_or_empty(&item.name)),
        fact(words.version, text_or_empty(&item.version)),
        fact(words.serial, text_or_empty(&item.serial)),
        fact(words.condition, text_or_empty(&item.condition)),
        fact(words.maker, text_or_empty(&item.manufacturer)),
        fact(words.platform, text_or_empty(&item.platform)),
        fact(words.description, text_or_empty(&item.description)),
        fact(words.source, Value::text_or_empty(Some(&source))),
    ]
    .into_iter()
    .chain(command.into_iter().flat_map(|(command, listed)| {
        [fact(basis.words.tested.command, Value::hash(command)), fact(words.started, Value::text(listed))]
    }))
    .chain(numbering.map(|text| fact(basis.words.page.numbers, Value::text(&text))))
    .chain([fact(basis.words.cover.files_root, root.map_or(Value::Empty, Value::hash))])
    .collect()
}

/// Which words of a command name a listed file: no other file that it starts was hashed.
fn words_listed(basis: &Basis, item: &Item, command: &str) -> String {
    let words = &basis.words.method;
    let manifest = basis.inputs.list_of(&item.id);
    let is_listed = |word: &&str| {
        let paths = manifest.into_iter().flat_map(|manifest| manifest.files().keys());
        paths.into_iter().any(|path| plain(&base_of(item).join(path)) == plain(Path::new(word)))
    };
    let names = |letter: char| letter.is_whitespace() || "'\"".contains(letter);
    let own: Vec<String> = command.split(names).filter(is_listed).map(str::to_owned).collect();
    if own.is_empty() {
        words.started_unlisted.to_owned()
    } else {
        words.started_listed(&basis.words.list(&own))
    }
}

fn files(basis: &Basis, item: &Item, files: &BTreeMap<String, Identity>) -> Block {
    let words = &basis.words.method;
    let columns: &[Cells<(&String, &Identity)>] = &[
        (Column::words(words.path, 3), &|(path, _)| Value::hash(*path)),
        (Column::numbers(words.bytes, 2), &|(_, identity)| basis.number(identity.bytes)),
        (Column::words("SHA-256", 5), &|(_, identity)| Value::hash(&identity.sha256)),
        (Column::words("SHA-1", 3), &|(_, identity)| Value::hash(&identity.sha1)),
    ];
    table(words.files_caption(&item.id), columns, files.iter().take(FILES_MAX), "")
}

pub(super) fn declarations(basis: &Basis) -> Section {
    let words = &basis.words.method;
    let all = &basis.inputs.project.declaration;
    let in_rows = declared_in_rows(basis);
    if all.is_empty() {
        let text = in_rows.unwrap_or_else(|| words.no_declarations.to_owned());
        return section("declarations", words.declarations, vec![Block::paragraph(text)]);
    }
    let about = |declaration: &Declaration| match declaration.about {
        DeclarationAbout::Build => words.about_build,
        DeclarationAbout::Changes => words.about_changes,
        DeclarationAbout::Seeding => words.about_seeding,
        DeclarationAbout::Reseeding => words.about_reseeding,
        DeclarationAbout::Secrecy => words.about_secrecy,
        DeclarationAbout::Monitoring => words.about_monitoring,
        DeclarationAbout::Other => words.about_other,
    };
    let columns: &[Cells<&Declaration>] = &[
        (Column::words(words.about, 1), &|own| Value::text(about(own))),
        (Column::words(words.words, 5), &|own| Value::text_or_empty(Some(&own.text))),
    ];
    let mut blocks = vec![table(words.declarations, columns, all, words.declarations_note)];
    blocks.extend(in_rows.map(Block::paragraph));
    section("declarations", words.declarations, blocks)
}

/// The rows of requirements of which the customer says something; that is a declaration, too.
fn declared_in_rows(basis: &Basis) -> Option<String> {
    let own = basis.inputs.project.evidence.iter().filter(|evidence| evidence.by == FoundBy::Customer);
    let mut rows: Vec<String> = own.map(|evidence| evidence.row.clone()).collect();
    rows.dedup();
    (!rows.is_empty()).then(|| basis.words.method.declared_in_rows(&basis.words.list(&rows)))
}

pub(super) fn review(basis: &Basis) -> Section {
    let words = &basis.words.method;
    let mut blocks = vec![Block::paragraph(words.review_text)];
    if basis.inputs.frozen.audits.iter().any(|audit| audit.plan.source.is_certified()) {
        blocks.push(Block::paragraph(words.certified_text));
    }
    section("review", words.review, blocks)
}

pub(super) fn sampling(basis: &Basis) -> Section {
    let words = &basis.words.method;
    let by = |own: &Sampling| match own.by {
        Some(SampledBy::Laboratory) => Value::text(words.by_laboratory),
        Some(SampledBy::Customer) => Value::text(words.by_customer),
        None => Value::Empty,
    };
    let columns: &[Cells<(&Item, &Sampling)>] = &[
        (Column::words(basis.words.cover.item, 2), &|(item, _)| Value::text(&item.id)),
        (Column::words(words.taken_by, 2), &|(_, own)| by(own)),
        (Column::words(words.method, 5), &|(_, own)| text_or_empty(&own.method)),
        (Column::words(words.custody, 4), &|(_, own)| text_or_empty(&own.custody)),
    ];
    let project = &basis.inputs.project;
    let items = project.item.iter().map(|item| (item, project.sampling_of(item)));
    let taken = table(words.taken_caption, columns, items, "");
    let decks = |plan: &Plan| plan.decks.map_or(Value::text(words.all_decks), |decks| basis.number(decks));
    let repeat = |plan: &Plan| match &plan.repeat {
        Some(repeat) => basis.number(repeat.decks),
        None => Value::text("–"),
    };
    let columns: &[Cells<&FrozenAudit>] = &[
        (Column::words(words.audit, 3), &|audit| Value::text(&audit.id)),
        (Column::numbers(words.planned, 2), &|audit| decks(&audit.plan)),
        (Column::numbers(words.planned_repeat, 2), &|audit| repeat(&audit.plan)),
        (Column::words(words.source, 4), &|audit| Value::hash(audit.plan.source.to_string())),
        (Column::words(words.plan_hash, 4), &|audit| Value::hash(&audit.plan_sha256)),
    ];
    // Decks that somebody supplies have no key.
    let is_keyed = basis.inputs.frozen.audits.iter().any(|audit| !audit.plan.source.abilities().is_supplied);
    let mut blocks = vec![taken, Block::paragraph(words.plan_text)];
    blocks.extend(is_keyed.then(|| Block::paragraph(words.plan_keys)));
    blocks.extend([
        Block::paragraph(words.blocks_text(SEGMENT_DECKS)),
        table(words.plans_caption, columns, &basis.inputs.frozen.audits, words.plans_note),
    ]);
    let parts = observed::not_examined(basis.facts, basis.words);
    blocks.extend((!parts.is_empty()).then_some(Block::List(parts)));
    section("sampling", words.sampling, blocks)
}

pub(super) fn environment(basis: &Basis) -> Section {
    let words = &basis.words.method;
    let own = &basis.inputs.project.environment;
    let mut facts = vec![
        fact(words.machine, text_or_empty(&own.machine)),
        fact(words.system, text_or_empty(&own.system)),
        fact(words.conditions, text_or_empty(&own.conditions)),
    ];
    let tool = &basis.inputs.runs.tool;
    facts.extend(facts_of_tool(basis, words.tool, tool));
    // A revision may be written by a later build than the one that counted.
    let mut others: Vec<&Tool> = Vec::new();
    for certificate in &basis.inputs.certificates {
        if certificate.tool != *tool && !others.contains(&&certificate.tool) {
            others.push(&certificate.tool);
        }
    }
    others.into_iter().for_each(|other| facts.extend(facts_of_tool(basis, words.tool_counted, other)));
    let blocks = vec![Block::Facts(facts), Block::paragraph(words.no_influence)];
    section("environment", words.environment, blocks)
}

fn facts_of_tool(basis: &Basis, label: &str, tool: &Tool) -> Vec<(String, Value)> {
    let words = &basis.words.method;
    vec![
        fact(label, Value::text(words.tool_text(&tool.version, &tool.commit))),
        fact(words.executable, Value::hash(&tool.executable_sha256)),
    ]
}

pub(super) fn methods(basis: &Basis) -> Section {
    let words = &basis.words.method;
    let rows = used(basis).into_values().map(|about| {
        let own = basis.words.statistic(about.id);
        let (title, null, formula) =
            own.map_or((about.title, about.null, about.source), |own| (own.title, own.null, own.formula));
        vec![
            Value::text(format!("{title} ({}, {})", about.id, about.version)),
            Value::text(null),
            Value::text(formula),
            basis.number(about.decks_min),
        ]
    });
    let columns = vec![
        Column::words(words.statistic, 6),
        Column::words(words.null, 8),
        Column::words(words.formula, 10),
        Column::numbers(words.least, 3),
    ];
    let blocks = vec![
        Block::paragraph(words.methods_text),
        Block::paragraph(words.uncertainty),
        table_of_rows(words.statistics_caption, columns, rows.collect(), words.statistics_note),
    ];
    section("methods", words.methods, blocks)
}

/// Every statistic that some audit ran, in the order of ids.
fn used(basis: &Basis) -> BTreeMap<&'static str, &'static About> {
    let plans = basis.inputs.frozen.audits.iter().map(|audit| &audit.plan);
    let ids: Vec<&str> = plans
        .flat_map(|plan| {
            let counted = plan.statistics.iter().map(|name| name.id.as_str());
            counted.chain(plan.sketches.iter().map(|name| name.id.as_str()))
        })
        .collect();
    let used = battery::abouts().filter(|about| ids.contains(&about.id));
    used.map(|about| (about.id, about)).collect()
}
