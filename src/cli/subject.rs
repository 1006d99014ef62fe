//! What is examined, for whom and by whom, as it is typed.

use clap::Args;

use crate::audit::plan::subject::Subject;
use crate::text::could_not_say::CouldNotSay;

/// Lines that head every page.
#[derive(Args, Debug, Clone)]
pub struct SubjectOptions {
    /// A line that heads every page, stands in the plan and is hashed with it, such as 'device=Shuffler 7', 'serial
    /// number=0042', 'taken by=A. Smith' or 'taken on=2026-11-22'; once for each line. Nothing checks what it says.
    #[arg(long, value_name = "NAME=TEXT", value_parser = parse_line)]
    subject: Vec<(String, String)>,
    /// For whom the audit is made: the same as --subject customer=TEXT.
    #[arg(long, value_name = "TEXT")]
    customer: Option<String>,
}

/// Reads `NAME=TEXT`.
///
/// # Errors
/// What was found instead.
pub fn parse_line(text: &str) -> Result<(String, String), String> {
    let line = text.split_once('=').map(|(name, text)| (name.trim().to_owned(), text.trim().to_owned()));
    line.ok_or_else(|| format!("found {text:?}, wanted NAME=TEXT, such as 'device=Shuffler 7'"))
}

/// The lines as a subject.
///
/// # Errors
/// [`CouldNotSay`]: a line that no page can take, or one that is there twice.
pub fn subject_of<'a>(lines: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Subject, CouldNotSay> {
    lines
        .into_iter()
        .try_fold(Subject::default(), |subject, (name, text)| subject.with(name, text))
        .map_err(|error| CouldNotSay::new(error, "Say each line once, on one line of plain text."))
}

impl SubjectOptions {
    /// What was typed; nothing was, if it is empty.
    ///
    /// # Errors
    /// [`CouldNotSay`] as in [`subject_of`].
    pub fn subject(&self) -> Result<Subject, CouldNotSay> {
        let customer = self.customer.iter().map(|text| ("customer", text.trim()));
        let lines = self.subject.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        subject_of(customer.chain(lines))
    }

    /// Whether something was typed that a plan does not say.
    ///
    /// # Errors
    /// [`CouldNotSay`] as in [`subject_of`].
    pub fn differs_from(&self, planned: Option<&Subject>) -> Result<bool, CouldNotSay> {
        let typed = self.subject()?;
        Ok(!typed.is_empty() && Some(&typed) != planned)
    }
}
