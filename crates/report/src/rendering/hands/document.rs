//! The report of published hands as a document, of which HTML and PDF are drawn.

use crate::document::words::Language;
use crate::document::{Block, Column, DataTable, Document, Head, Section, Value, VerdictBox};
use crate::rendering::hands::certificate::{facts, not_checked, null, sentence};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::hands::certificate::{HandsCertificate, HandsResult};
use deckproof_deck::text::decimal::{p_value, thousands};

/// The page of a certificate that is consistent. What only people know is left empty and drawn so.
pub fn document(certificate: &HandsCertificate, is_own_tool: bool) -> Document {
    let result = &certificate.result;
    let facts = facts(certificate, Language::English.words())
        .into_iter()
        .map(|(label, value)| (label.to_owned(), Value::text(value)));
    let not_checked = not_checked(is_own_tool).into_iter().map(|what| format!("Not checked: {what}"));
    let section = |id: &str, title: &str, blocks: Vec<Block>| Section {
        id: id.to_owned(),
        title: title.to_owned(),
        annex: false,
        blocks,
    };
    Document {
        head: head(result),
        cover: vec![Block::Verdict(verdict(result))],
        sections: vec![
            section("read", "What was read", vec![Block::Facts(facts.collect())]),
            section("tests", "Tests", tests(result)),
            section("rule", "Decision rule", vec![Block::paragraph(result.rule.clone())]),
            section("not-checked", "What this does not show", vec![Block::List(not_checked.collect())]),
        ],
    }
}

fn head(result: &HandsResult) -> Head {
    let line = |wanted: &str| {
        let mut lines = result.plan.subject.iter().flat_map(|subject| subject.lines());
        Value::text_or_empty(lines.find(|(name, _)| *name == wanted).map(|(_, text)| text))
    };
    Head {
        title: "Audit of published hands".to_owned(),
        report_number: Value::Empty,
        revision: 1,
        language: Language::English,
        issued: None,
        laboratory: line("laboratory"),
        customer: line("customer"),
        item: Value::text(format!("{} published hands of seven-card stud", thousands(result.hands))),
        logo: None,
    }
}

fn verdict(result: &HandsResult) -> VerdictBox {
    let word = Verdict::of(&result.claims(false));
    VerdictBox {
        stands: word.into(),
        word: word.name().to_uppercase(),
        sentence: sentence(result, Language::English.words()),
    }
}

fn tests(result: &HandsResult) -> Vec<Block> {
    let rows = result.tests.iter().map(|test| {
        let words = [
            test.id.as_str(),
            null(&test.id),
            &thousands(test.hands),
            &test.method.to_string(),
            &test.score.to_string(),
        ];
        words.into_iter().map(Value::text).chain([Value::text(p_value(test.p_value))]).collect()
    });
    let table = DataTable {
        caption: "Every p-value, with its test, null hypothesis and number of hands".to_owned(),
        columns: vec![
            Column::words("test", 3),
            Column::words("null hypothesis", 6),
            Column::numbers("n, hands", 2),
            Column::words("method", 2),
            Column::numbers("score", 2),
            Column::numbers("p-value", 2),
        ],
        rows: rows.collect(),
        note: String::new(),
    };
    let not_run: Vec<String> =
        result.not_run.iter().map(|test| format!("Not run: {} ({}).", test.id, test.reason)).collect();
    let mut blocks = vec![Block::Table(table)];
    if !not_run.is_empty() {
        blocks.push(Block::List(not_run));
    }
    blocks
}
