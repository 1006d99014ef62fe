//! The first page: what the report is of, the verdict in its box, and who answers for it.

use base64ct::{Base64, Encoding};

use crate::external::listing::Cells;
use crate::project::content::{Basis, fact, observed, table, text_or_empty};
use crate::project::facts::observation::{Observation, ReportHeadline};
use crate::project::settings::people::{Person, Role};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_deck::text::date::Date;
use deckproof_report::document::{Block, Column, Head, Stands, Value, VerdictBox};

pub(super) fn head(basis: &Basis) -> Head {
    let project = &basis.inputs.project;
    let own = project.report.title.as_deref().filter(|title| !title.trim().is_empty());
    let items: Vec<String> = project.item.iter().map(|item| item.title()).collect();
    Head {
        title: own.unwrap_or(basis.words.cover.title).to_owned(),
        report_number: Value::text(&project.report.number),
        revision: basis.facts.revision,
        language: project.language,
        issued: project.report.issued,
        laboratory: Value::text_or_empty(project.laboratory.name.as_deref()),
        customer: Value::text_or_empty(project.customer.name.as_deref()),
        item: Value::text(basis.words.series(&items)),
        logo: basis.inputs.logo.as_deref().map(Base64::encode_string),
    }
}

pub(super) fn cover(basis: &Basis) -> Vec<Block> {
    let words = &basis.words.cover;
    let mut blocks = vec![Block::Verdict(verdict(basis))];
    blocks.extend(against(basis));
    if basis.facts.revision > 1 {
        let number = &basis.inputs.project.report.number;
        blocks
            .push(Block::paragraph(basis.words.result.replaces(number, u64::from(basis.facts.revision - 1))));
        let revised = observed::revised(basis.inputs, basis.facts, basis.words);
        blocks.extend((!revised.is_empty()).then_some(Block::List(revised)));
    }
    blocks.push(Block::Facts(about(basis)));
    let project = &basis.inputs.project;
    let (part, whole): (Vec<String>, Vec<String>) =
        project.by_customer().map(|item| item.id.clone()).partition(|item| is_in_part(basis, item));
    let mut sentences = vec![words.only_items.to_owned()];
    sentences.extend((!whole.is_empty()).then(|| words.as_received(&basis.words.list(&whole))));
    sentences.extend((!part.is_empty()).then(|| words.part_as_received(&basis.words.list(&part))));
    sentences.extend([words.customer_data, words.only_whole].map(str::to_owned));
    blocks.push(Block::List(sentences));
    blocks.push(signatures(basis));
    blocks
}

/// Whether some records of an item's sample were not examined.
fn is_in_part(basis: &Basis, item: &str) -> bool {
    basis.facts.observations.iter().any(|observation| match observation {
        Observation::PartExamined { item: own, .. } | Observation::EmptyPassedOver { item: own, .. } => {
            own == item
        }
        _ => false,
    })
}

/// What speaks against the item, one by one, and how many observations stay open: nothing of it is left to a later page.
fn against(basis: &Basis) -> Vec<Block> {
    let words = &basis.words.cover;
    let mut sentences = observed::against(basis.inputs, basis.facts, basis.words);
    sentences.push(words.observations_open(basis.facts.observations.len() as u64));
    vec![Block::List(sentences)]
}

fn verdict(basis: &Basis) -> VerdictBox {
    let words = &basis.words.cover;
    let (decks, audits) = (basis.facts.decks, basis.facts.audits.len() as u64);
    let (stands, sentence) = match basis.facts.headline {
        ReportHeadline::Pass => (Stands::Good, words.pass_sentence(decks, audits)),
        ReportHeadline::Investigate => (Stands::Open, words.investigate_sentence(decks, audits)),
        ReportHeadline::Fail => (Stands::Bad, words.fail_sentence(decks, audits)),
        ReportHeadline::NotMet if basis.facts.verdict == Verdict::Pass => {
            (Stands::Bad, words.not_met_sentence(decks, audits))
        }
        ReportHeadline::NotMet => (Stands::Bad, words.not_met_open(decks, audits)),
        ReportHeadline::Inconclusive
            if basis.facts.observations.iter().any(Observation::is_of_common_decks) =>
        {
            (Stands::Open, words.common_sentence(decks, audits))
        }
        ReportHeadline::Inconclusive => (Stands::Open, words.inconclusive_sentence(decks, audits)),
        ReportHeadline::Incomplete => (Stands::Open, words.incomplete_sentence(decks, audits)),
        ReportHeadline::Unreliable => (Stands::Open, words.unreliable_sentence(decks, audits)),
    };
    let word = observed::headline(basis.words, basis.facts.headline).to_owned();
    VerdictBox { stands, word, sentence }
}

fn about(basis: &Basis) -> Vec<(String, Value)> {
    let (words, project) = (&basis.words.cover, &basis.inputs.project);
    let (laboratory, customer, report) = (&project.laboratory, &project.customer, &project.report);
    let list = |texts: &[String]| Value::text_or_empty(Some(basis.words.series(texts).as_str()));
    let days = |from: Option<Date>, to: Option<Date>| match (from, to) {
        (Some(from), Some(to)) if from != to => {
            Value::text(words.range(&basis.words.date(from), &basis.words.date(to)))
        }
        (from, to) => basis.day(from.or(to)),
    };
    let frame = &basis.words.frame;
    let of = |who: &str, what: &str| format!("{who} – {what}");
    vec![
        fact(&of(frame.laboratory, words.address), text_or_empty(&laboratory.address)),
        fact(&of(frame.laboratory, words.contact), text_or_empty(&laboratory.contact)),
        fact(words.accreditation, text_or_empty(&laboratory.accreditation)),
        fact(words.accreditation_body, text_or_empty(&laboratory.accreditation_body)),
        fact(words.accredited_scope, text_or_empty(&laboratory.scope)),
        fact(words.locations, list(&laboratory.locations)),
        fact(&of(frame.customer, words.address), text_or_empty(&customer.address)),
        fact(&of(frame.customer, words.contact), text_or_empty(&customer.contact)),
        fact(words.operator, text_or_empty(&customer.operator)),
        fact(words.jurisdictions, list(&project.jurisdictions)),
        fact(words.received, basis.day(report.received)),
        fact(words.sampled, days(report.sampled_from, report.sampled_to)),
        fact(words.performed, days(report.performed_from, report.performed_to)),
        fact(words.validity, text_or_empty(&report.validity)),
        fact(words.recertify, Value::text(words.recertify_text)),
        fact(words.root, Value::hash(&basis.facts.campaign_sha256)),
    ]
}

/// A line for everybody who answers; somebody has to authorise the report in any case.
fn signatures(basis: &Basis) -> Block {
    let words = &basis.words.cover;
    let people = &basis.inputs.project.person;
    let nobody = Person { role: Role::Authoriser, name: None, title: None };
    let has_authoriser = people.iter().any(|person| person.role == Role::Authoriser);
    let people = people.iter().chain((!has_authoriser).then_some(&nobody));
    let columns: &[Cells<&Person>] = &[
        (Column::words(words.role, 3), &|own| Value::text(observed::role_of(basis.words, own.role))),
        (Column::words(words.name, 3), &|own| text_or_empty(&own.name)),
        (Column::words(words.person_title, 2), &|own| text_or_empty(&own.title)),
        (Column::words(words.signature, 3), &|_| Value::Empty),
        (Column::words(words.day, 2), &|_| Value::Empty),
    ];
    table(words.signatures, columns, people, "")
}
