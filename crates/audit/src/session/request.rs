//! What is asked: a source and options, or a plan; whether it can be asked, and the session that answers it.

use std::path::{Path, PathBuf};

use crate::audit::plan::{Plan, Shard};
use crate::audit::plan_file;
use crate::session::ask::{PlanToRun, ReadySession, ask, check_program};
use crate::session::options::PlanOptions;
use crate::session::resolved::{Repetition, ResolvedOptions};
use crate::source::ask::{Source, check_able};
use crate::source::named::NamedSource;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::{TEXT_BYTES_MAX, read_text_limited};

/// What is asked: a source and options, or a plan.
#[derive(Debug, Clone)]
pub struct AuditRequest {
    /// Where the decks come from.
    pub source: NamedSource,
    /// What a plan says besides.
    pub options: PlanOptions,
    /// A file with exactly the plan that is run; the source then only says where its decks are.
    pub plan: Option<PathBuf>,
}

impl AuditRequest {
    /// That this can be asked of its source, without opening it.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a setting that this kind of source does not take, a value that is none, a plan that cannot be read.
    pub fn check(&self) -> Result<(), CouldNotSay> {
        let AuditRequest { source, options, plan } = self;
        match plan {
            Some(plan) => {
                source.check_beside_plan()?;
                options.check_against(&read_plan(plan)?)
            }
            None => {
                source.check()?;
                options.request(source.numbering()?).map(drop)
            }
        }
    }

    /// The session that is asked for, or that of the plan. `warn` gets what should be known before anything is opened.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a source, plan or checkpoint that cannot be had.
    pub fn ask(
        &self,
        part: Option<Shard>,
        checkpoint: Option<&Path>,
        warn: &dyn Fn(&str),
    ) -> Result<ReadySession, CouldNotSay> {
        self.ask_through(part, checkpoint, warn, |source| source)
    }

    /// The same of the source through something that sees its decks.
    ///
    /// # Errors
    /// As [`AuditRequest::ask`].
    pub fn ask_through(
        &self,
        part: Option<Shard>,
        checkpoint: Option<&Path>,
        warn: &dyn Fn(&str),
        through: impl FnOnce(Box<dyn Source>) -> Box<dyn Source>,
    ) -> Result<ReadySession, CouldNotSay> {
        let AuditRequest { source, options, plan } = self;
        let shard = part.unwrap_or(Shard::WHOLE);
        let agreed = plan.as_deref().map(read_plan).transpose()?;
        let choice = match &agreed {
            Some(plan) => {
                source.check_beside_plan()?;
                source.ask_planned(&plan.source)?
            }
            None => source.ask()?,
        };
        if part.is_some() {
            check_able("--shard", choice.abilities().shard)?;
        }
        if agreed.is_none() {
            choice.warning().iter().for_each(|warning| warn(&format!("warning: {warning}")));
        }
        if let Some(plan) = &agreed {
            options.check_against(plan)?;
            check_program(plan, choice.as_ref())?;
            return ask(through(choice), &PlanToRun::Agreed { plan, stream_decks: None }, shard, checkpoint);
        }
        let request = options.request(source.numbering()?)?;
        let repetition = if part.is_some() { Repetition::Off } else { request.repetition };
        let request = ResolvedOptions { repetition, program_sha256: choice.program_sha256()?, ..request };
        ask(through(choice), &PlanToRun::Request(&request), shard, checkpoint)
    }
}

fn read_plan(path: &Path) -> Result<Plan, CouldNotSay> {
    let place = path.display();
    let text = read_text_limited(path, TEXT_BYTES_MAX)
        .map_err(|error| CouldNotSay::new(format!("{place}: {error}"), ""))?;
    plan_file::from_toml(&text).map_err(|error| {
        CouldNotSay::new(
            format!("{place}: {error}"),
            "Nothing was run. Write a new plan with deckproof plan.",
        )
    })
}
