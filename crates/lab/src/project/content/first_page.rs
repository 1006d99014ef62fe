//! The first page: what the report is of, the verdict in its box, and who answers for it.

use base64ct::{Base64, Encoding};

use crate::external::listing::Cells;
use crate::project::content::{Said, fact, observed, table, told};
use crate::project::facts::observation::{Observation, ReportHeadline};
use crate::project::settings::people::{Person, Role};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_deck::text::date::Date;
use deckproof_report::document::{Block, Column, Head, Stands, Value, VerdictBox};

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
        logo: said.inputs.logo.as_deref().map(Base64::encode_string),
    }
}

pub(super) fn cover(said: &Said) -> Vec<Block> {
    let words = &said.words.cover;
    let mut blocks = vec![Block::Verdict(verdict(said))];
    blocks.extend(against(said));
    if said.facts.revision > 1 {
        let number = &said.inputs.project.report.number;
        blocks.push(Block::paragraph(said.words.result.replaces(number, u64::from(said.facts.revision - 1))));
        let revised = observed::revised(said.inputs, said.facts, said.words);
        blocks.extend((!revised.is_empty()).then_some(Block::List(revised)));
    }
    blocks.push(Block::Facts(about(said)));
    let project = &said.inputs.project;
    let (part, whole): (Vec<String>, Vec<String>) =
        project.by_customer().map(|item| item.id.clone()).partition(|item| is_in_part(said, item));
    let mut sentences = vec![words.only_items.to_owned()];
    sentences.extend((!whole.is_empty()).then(|| words.as_received(&said.words.list(&whole))));
    sentences.extend((!part.is_empty()).then(|| words.part_as_received(&said.words.list(&part))));
    sentences.extend([words.customer_data, words.only_whole].map(str::to_owned));
    blocks.push(Block::List(sentences));
    blocks.push(signatures(said));
    blocks
}

/// Whether some records of an item's sample were not examined.
fn is_in_part(said: &Said, item: &str) -> bool {
    said.facts.observations.iter().any(|observation| match observation {
        Observation::PartExamined { item: own, .. } | Observation::EmptyPassedOver { item: own, .. } => {
            own == item
        }
        _ => false,
    })
}

/// What speaks against the item, one by one, and how many observations stay open: nothing of it is left to a later page.
fn against(said: &Said) -> Vec<Block> {
    let words = &said.words.cover;
    let mut sentences = observed::against(said.inputs, said.facts, said.words);
    sentences.push(words.observations_open(said.facts.observations.len() as u64));
    vec![Block::List(sentences)]
}

fn verdict(said: &Said) -> VerdictBox {
    let words = &said.words.cover;
    let (decks, audits) = (said.facts.decks, said.facts.audits.len() as u64);
    let (stands, sentence) = match said.facts.headline {
        ReportHeadline::Pass => (Stands::Good, words.pass_sentence(decks, audits)),
        ReportHeadline::Investigate => (Stands::Open, words.investigate_sentence(decks, audits)),
        ReportHeadline::Fail => (Stands::Bad, words.fail_sentence(decks, audits)),
        ReportHeadline::NotMet if said.facts.verdict == Verdict::Pass => {
            (Stands::Bad, words.not_met_sentence(decks, audits))
        }
        ReportHeadline::NotMet => (Stands::Bad, words.not_met_open(decks, audits)),
        ReportHeadline::Inconclusive
            if said.facts.observations.iter().any(Observation::is_of_common_decks) =>
        {
            (Stands::Open, words.common_sentence(decks, audits))
        }
        ReportHeadline::Inconclusive => (Stands::Open, words.inconclusive_sentence(decks, audits)),
        ReportHeadline::Incomplete => (Stands::Open, words.incomplete_sentence(decks, audits)),
        ReportHeadline::Unreliable => (Stands::Open, words.unreliable_sentence(decks, audits)),
    };
    let word = observed::headline(said.words, said.facts.headline).to_owned();
    VerdictBox { stands, word, sentence }
}

fn about(said: &Said) -> Vec<(String, Value)> {
    let (words, project) = (&said.words.cover, &said.inputs.project);
    let (laboratory, customer, report) = (&project.laboratory, &project.customer, &project.report);
    let list = |texts: &[String]| Value::said(Some(said.words.series(texts).as_str()));
    let days = |from: Option<Date>, to: Option<Date>| match (from, to) {
        (Some(from), Some(to)) if from != to => {
            Value::text(words.range(&said.words.date(from), &said.words.date(to)))
        }
        (from, to) => said.day(from.or(to)),
    };
    let frame = &said.words.frame;
    let of = |who: &str, what: &str| format!("{who} – {what}");
    vec![
        fact(&of(frame.laboratory, words.address), told(&laboratory.address)),
        fact(&of(frame.laboratory, words.contact), told(&laboratory.contact)),
        fact(words.accreditation, told(&laboratory.accreditation)),
        fact(words.accreditation_body, told(&laboratory.accreditation_body)),
        fact(words.accredited_scope, told(&laboratory.scope)),
        fact(words.locations, list(&laboratory.locations)),
        fact(&of(frame.customer, words.address), told(&customer.address)),
        fact(&of(frame.customer, words.contact), told(&customer.contact)),
        fact(words.operator, told(&customer.operator)),
        fact(words.jurisdictions, list(&project.jurisdictions)),
        fact(words.received, said.day(report.received)),
        fact(words.sampled, days(report.sampled_from, report.sampled_to)),
        fact(words.performed, days(report.performed_from, report.performed_to)),
        fact(words.validity, told(&report.validity)),
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
    let columns: &[Cells<&Person>] = &[
        (Column::words(words.role, 3), &|own| Value::text(observed::role_of(said.words, own.role))),
        (Column::words(words.name, 3), &|own| told(&own.name)),
        (Column::words(words.person_title, 2), &|own| told(&own.title)),
        (Column::words(words.signature, 3), &|_| Value::Empty),
        (Column::words(words.day, 2), &|_| Value::Empty),
    ];
    table(words.signatures, columns, people, "")
}
