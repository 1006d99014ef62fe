//! A certificate, as Python holds it.

use std::sync::OnceLock;

use deckproof_audit::certificate::{AuditResult, Certificate, Tool};
use deckproof_report::document::words::Language;
use deckproof_report::rendering::audit::verdict::verdict_sentence;
use pyo3::prelude::{PyResult, pyclass, pymethods};

use crate::decks::value_error;

/// SHA-256 of the module's file, which is the program here.
pub static MODULE_SHA256: OnceLock<String> = OnceLock::new();

/// This module, as certificates name what made them.
pub fn tool() -> Tool {
    Tool {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("DECKPROOF_COMMIT").unwrap_or("unknown").to_owned(),
        executable_sha256: MODULE_SHA256.get().cloned().unwrap_or_else(|| "unknown".to_owned()),
    }
}

/// The public record of an audit, from which anybody can judge again.
#[pyclass(name = "Certificate", module = "deckproof", frozen)]
pub struct PyCertificate {
    pub certificate: Certificate,
}

impl PyCertificate {
    /// Of a result that was counted here, unless its records are there again and again, each deck equally often.
    pub fn of(result: AuditResult) -> PyResult<PyCertificate> {
        result.check_held_once().map_err(value_error)?;
        Ok(PyCertificate { certificate: Certificate { tool: tool(), result } })
    }
}

#[pymethods]
impl PyCertificate {
    /// A certificate from the text of its file.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<PyCertificate> {
        Certificate::read(text.as_bytes())
            .map(|certificate| PyCertificate { certificate })
            .map_err(value_error)
    }

    /// The text of `certificate.json`.
    fn to_json(&self) -> String {
        self.certificate.to_json()
    }

    /// `pass`, `fail`, `investigate` or `inconclusive`.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.certificate.result.verdict.name()
    }

    /// The verdict with its p-value, decks and null hypothesis, as a sentence.
    #[getter]
    fn sentence(&self) -> String {
        verdict_sentence(&self.certificate.result, Language::English.words())
    }

    /// How many decks were judged.
    #[getter]
    fn decks(&self) -> u64 {
        self.certificate.result.decks()
    }

    /// The p-value that the verdict rests on, corrected for the number of all.
    #[getter]
    fn family_p_value(&self) -> f64 {
        self.certificate.result.deciding().family_p_value
    }

    /// Every p-value: its id, the decks it saw, the p-value, and how far its tail can be trusted.
    #[getter]
    fn p_values(&self) -> Vec<(String, u64, f64, &'static str)> {
        let rows = &self.certificate.result.deciding().statistics;
        rows.iter().map(|row| (row.id.clone(), row.decks, row.p_value, row.tail.name())).collect()
    }

    /// SHA-256 of the plan.
    #[getter]
    fn plan_sha256(&self) -> String {
        self.certificate.result.plan_sha256.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Certificate: {}>", self.sentence())
    }
}
