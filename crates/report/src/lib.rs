//! Results as people and programs read them: documents, pages, tables and sentences, in each language.

pub mod document;
pub mod output;
pub mod rendering;
pub mod report;
