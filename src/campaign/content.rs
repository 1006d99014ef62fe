//! What the report says: the sections of the document, from the project and from what was found.

pub mod reproduce;

use crate::campaign::facts::Facts;
use crate::campaign::package::inputs::Inputs;
use crate::document::{Document, Head, Value};

/// The whole document.
pub fn document(inputs: &Inputs, facts: &Facts) -> Document {
    Document { head: head(inputs, facts), cover: Vec::new(), sections: Vec::new() }
}

fn head(inputs: &Inputs, facts: &Facts) -> Head {
    let project = &inputs.project;
    Head {
        title: project.report.title.clone().unwrap_or_default(),
        report_number: Value::text(&project.report.number),
        revision: facts.revision,
        language: project.language,
        issued: project.report.issued,
        laboratory: Value::said(project.laboratory.name.as_deref()),
        customer: Value::said(project.customer.name.as_deref()),
        item: Value::text(project.item.iter().map(|item| item.title()).collect::<Vec<_>>().join("; ")),
    }
}
