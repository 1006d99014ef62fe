//! What is examined, for whom and by whom, as it is typed.

use clap::Args;

/// Lines that head every page.
#[derive(Args, Debug, Clone)]
pub struct SubjectOptions {
    /// A line at the head of every page, which is part of the plan and of its hash, such as 'device=Shuffler 7', 'serial
    /// number=0042', 'taken by=A. Smith' or 'taken on=2026-11-22'; once for each line. Nothing checks what it says.
    #[arg(long, value_name = "NAME=TEXT", value_parser = parse_line)]
    subject: Vec<(String, String)>,
    /// For whom the audit is made: the same as --subject customer=TEXT.
    #[arg(long, value_name = "TEXT")]
    customer: Option<String>,
}

/// Reads `NAME=TEXT`.
pub fn parse_line(text: &str) -> Result<(String, String), String> {
    let line = text.split_once('=').map(|(name, text)| (name.trim().to_owned(), text.trim().to_owned()));
    line.ok_or_else(|| format!("found {text:?}, wanted NAME=TEXT, such as 'device=Shuffler 7'"))
}

impl SubjectOptions {
    /// The lines that were typed.
    pub fn lines(&self) -> Vec<(String, String)> {
        let customer = self.customer.iter().map(|text| ("customer".to_owned(), text.trim().to_owned()));
        customer.chain(self.subject.iter().cloned()).collect()
    }
}
