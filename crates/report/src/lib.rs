//! Results as people and programs read them: documents, pages, tables and sentences, in each language.

pub mod document;
pub mod presentation;
pub mod report;
pub mod results;
