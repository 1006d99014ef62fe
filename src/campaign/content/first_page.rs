//! The first page: what the report is of, the verdict in its box, and who answers for it.

use crate::audit::verdict::Verdict;
use crate::campaign::content::{Said, fact, table};
use crate::campaign::facts::stands;
use crate::campaign::project::people::{Person, Role, SampledBy};
use crate::document::date::Date;
use crate::document::{Block, Column, Head, Value, VerdictBox};

pub(super) fn head(said: &Said) -> Head {
    let project = &said.inputs.project;
    let own = project.report.title.as_deref().filter(|title| !title.trim().is_empty());
    let items: Vec<String> = project.item.iter().map(|item| item.title()).collect();
    Head {
        title: own.unwrap_or(said.words.cover.title).to_owned(),
        report_number: Value::text(&project.report.number),
        revision: said.facts.revision,
        language: project.language,
        issued: project.report.issued,
        laboratory: Value::said(project.laboratory.name.as_deref()),
        customer: Value::said(project.customer.name.as_deref()),
        item: Value::text(said.words.series(&items)),
    }
}

pub(super) fn cover(said: &Said) -> Vec<Block> {
    let words = &said.words.cover;
    let mut blocks = vec![Block::Verdict(verdict(said))];
    if said.facts.revision > 1 {
        let number = &said.inputs.project.report.number;
        blocks
            .push(Block::paragraph((said.words.result.replaces)(number, u64::from(said.facts.revision - 1))));
    }
    blocks.push(Block::Facts(about(said)));
    let mut sentences = vec![words.only_items, words.customer_data, words.only_whole];
    if said.inputs.project.sampling.by == Some(SampledBy::Customer) {
        sentences.insert(1, words.as_received);
    }
    blocks.push(Block::List(sentences.into_iter().map(str::to_owned).collect()));
    blocks.push(signatures(said));
    blocks
}

fn verdict(said: &Said) -> VerdictBox {
    let words = &said.words.cover;
    let decks = said.facts.items.iter().map(|item| item.decks).fold(0, u64::saturating_add);
    let (word, sentence) = match said.facts.verdict {
        Verdict::Pass => (words.pass, words.pass_sentence),
        Verdict::Investigate => (words.investigate, words.investigate_sentence),
        Verdict::Fail => (words.fail, words.fail_sentence),
        Verdict::Inconclusive => (words.inconclusive, words.inconclusive_sentence),
    };
    let stands = stands(said.facts.verdict);
    VerdictBox { stands, word: word.to_owned(), sentence: sentence(decks, said.facts.audits.len() as u64) }
}

fn about(said: &Said) -> Vec<(String, Value)> {
    let (words, project) = (&said.words.cover, &said.inputs.project);
    let (laboratory, customer, report) = (&project.laboratory, &project.customer, &project.report);
    let text = |text: &Option<String>| Value::said(text.as_deref());
    let list = |texts: &[String]| Value::said(Some(said.words.series(texts).as_str()));
    let day = |date: Option<Date>| date.map_or(Value::Empty, |date| Value::text(said.words.date(date)));
    let days = |from: Option<Date>, to: Option<Date>| match (from, to) {
        (Some(from), Some(to)) if from != to => {
            Value::text((words.from_to)(&said.words.date(from), &said.words.date(to)))
        }
        (from, to) => day(from.or(to)),
    };
    let frame = &said.words.frame;
    let of = |who: &str, what: &str| format!("{who} – {what}");
    vec![
        fact(&of(frame.laboratory, words.address), text(&laboratory.address)),
        fact(&of(frame.laboratory, words.contact), text(&laboratory.contact)),
        fact(words.accreditation, text(&laboratory.accreditation)),
        fact(words.accreditation_body, text(&laboratory.accreditation_body)),
        fact(words.accredited_scope, text(&laboratory.scope)),
        fact(words.locations, list(&laboratory.locations)),
        fact(&of(frame.customer, words.address), text(&customer.address)),
        fact(&of(frame.customer, words.contact), text(&customer.contact)),
        fact(words.operator, text(&customer.operator)),
        fact(words.jurisdictions, list(&project.jurisdictions)),
        fact(words.received, day(report.received)),
        fact(words.sampled, days(report.sampled_from, report.sampled_to)),
        fact(words.performed, days(report.performed_from, report.performed_to)),
        fact(words.validity, text(&report.validity)),
        fact(words.recertify, Value::text(words.recertify_text)),
        fact(words.root, Value::hash(&said.facts.campaign_sha256)),
    ]
}

/// A line for everybody who answers; somebody has to authorise the report whoever is named.
fn signatures(said: &Said) -> Block {
    let words = &said.words.cover;
    let people = &said.inputs.project.person;
    let nobody = Person { role: Role::Authoriser, name: None, title: None };
    let has_authoriser = people.iter().any(|person| person.role == Role::Authoriser);
    let people = people.iter().chain((!has_authoriser).then_some(&nobody));
    let rows = people.map(|person| {
        let role = match person.role {
            Role::Tester => words.tester,
            Role::Reviewer => words.reviewer,
            Role::Authoriser => words.authoriser,
        };
        let text = |text: &Option<String>| Value::said(text.as_deref());
        vec![Value::text(role), text(&person.name), text(&person.title), Value::Empty, Value::Empty]
    });
    let columns = vec![
        Column::words(words.role, 3),
        Column::words(words.name, 3),
        Column::words(words.person_title, 2),
        Column::words(words.signature, 3),
        Column::words(words.day, 2),
    ];
    table(words.signatures, columns, rows.collect(), "")
}
