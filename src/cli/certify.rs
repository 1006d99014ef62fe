//! `deckproof certify`: the project of a laboratory, carried through to the package that it signs.

use std::path::PathBuf;

use clap::Args;

use crate::cli::audit::progress::Progress;
use crate::cli::audit::publish::{say, say_sentences};
use crate::cli::{interrupt, screen, tool};
use crate::verification::pairs::examined::record_of;
use deckproof_audit::session::Watch;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{TEXT_BYTES_MAX, read_text_limited};
use deckproof_lab::project::amend;
use deckproof_lab::project::check::SIGNATURE;
use deckproof_lab::project::facts::Facts;
use deckproof_lab::project::finished::finished;
use deckproof_lab::project::folder::PackageFolder;
use deckproof_lab::project::issued::{pack, sign};
use deckproof_lab::project::package::files::PackageFiles;
use deckproof_lab::project::package::{SUMS, whole};
use deckproof_lab::project::paths::{ProjectPaths, TypedPaths};
use deckproof_lab::project::renderings::{begun, ended, page_names, renderings};
use deckproof_lab::project::settings::{EXAMPLE, Project};
use deckproof_lab::project::work::CertifyProgram;
use deckproof_report::document::words::CampaignWords;

#[derive(Args, Debug)]
pub struct CertifyArguments {
    /// The project (TOML): laboratory, customer, items, sources, tables, people, dates. Paths in it are relative to it.
    #[arg(long, value_name = "FILE", required_unless_present = "example")]
    project: Option<PathBuf>,
    /// Print a project that works unchanged, with every key explained.
    #[arg(long, exclusive = true)]
    example: bool,
    /// The folder of the package. Default: report-NUMBER beside the project. A project that was interrupted goes on there.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Carry out exactly this frozen plan, the plan.toml of a package, instead of freezing a new one: the same keys give the
    /// same bytes.
    #[arg(long, value_name = "FILE", conflicts_with = "amend")]
    plan: Option<PathBuf>,
    /// Freeze the plan and stop, so that its hash can be deposited before the first deck.
    #[arg(long, conflicts_with = "amend")]
    plan_only: bool,
    /// How many threads count. Default: one for each processor. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Sign the checksums with ssh-keygen and this key of OpenSSH, or a public one whose private part an agent holds.
    #[arg(long, value_name = "FILE")]
    sign_key: Option<PathBuf>,
    /// Make the next revision of this package: the same certificates, and what the project now says of people, dates and texts.
    #[arg(long, value_name = "PACKAGE", requires = "reason")]
    amend: Option<PathBuf>,
    /// What is amended, and why (ISO/IEC 17025, 7.8.8); the new revision holds it.
    #[arg(long, value_name = "TEXT", requires = "amend")]
    reason: Option<String>,
    /// Write the package, with its signature, as one ZIP file too, beside the folder: the same package gives the same bytes.
    #[arg(long, conflicts_with = "plan_only")]
    zip: bool,
    /// Say only how it ended.
    #[arg(long)]
    quiet: bool,
}

pub fn certify(arguments: &CertifyArguments) -> Result<Exit, CouldNotSay> {
    let Some(path) = &arguments.project else { return say(EXAMPLE).map(|()| Exit::Passed) };
    let place = path.display();
    let text = read_text_limited(path, TEXT_BYTES_MAX).map_err(|error| {
        CouldNotSay::new(
            format!("{place}: {error}"),
            "deckproof certify --example prints a project to begin with.",
        )
    })?;
    let project = Project::parse(&text).map_err(|error| {
        CouldNotSay::new(
            format!("{place}: {error}"),
            "Nothing was run. deckproof certify --example explains every key.",
        )
    })?;
    // Somewhere on earth it may be tomorrow already.
    let last = tool::last_day();
    if let Some((key, day)) = project.later_than(last) {
        return Err(CouldNotSay::new(
            format!(
                "{place}: {key} is {day}, a day that is still to come: by the clock of this machine no place has a later day than {last}"
            ),
            "Nothing was run. Leave the date out until it is known: --amend fills it in. If the clock is wrong, set it.",
        ));
    }
    let typed = TypedPaths {
        out: arguments.out.as_deref(),
        plan: arguments.plan.as_deref(),
        amend: arguments.amend.as_deref(),
        sign_key: arguments.sign_key.as_deref(),
    };
    let here = ProjectPaths::of(&typed, path, &project)?;
    // A signed package is packed, and nothing else.
    let folder = PackageFolder::take(&here.out, arguments.zip && arguments.amend.is_none())?;
    let ended = carry_out(arguments, (&project, &text), &here, &folder);
    if ended.is_err() && arguments.amend.is_some() {
        // A revision draws nothing, so that there is nothing to go on with.
        folder.give_up()?;
    }
    ended
}

/// Makes the package in its folder.
fn carry_out(
    arguments: &CertifyArguments,
    (project, text): (&Project, &str),
    here: &ProjectPaths,
    folder: &PackageFolder,
) -> Result<Exit, CouldNotSay> {
    let words = &project.language.words().campaign;
    if let (Some(previous), Some(reason)) = (&here.amend, &arguments.reason) {
        amend::begin(folder, previous, reason, (project, text), (&renderings(), &tool::describe()))?;
    }
    let own = tool::describe();
    let done = finished(folder, text, &renderings(), &own)?;
    if let Some((facts, files)) = done {
        say_sentences(&format!("{}\n", words.finished(&here.out.display().to_string())))?;
        return hand_out(here, arguments, &facts, (files, words));
    }
    // Every path of a project is relative to it.
    std::env::set_current_dir(&here.project_folder)
        .map_err(|error| CouldNotSay::new(format!("{}: {error}", here.project_folder.display()), ""))?;
    let frozen = folder.freeze(project, here.plan.as_deref())?;
    if !arguments.quiet {
        say_sentences(&begun(&here.out.join("plan.toml"), &frozen, project.language.words()))?;
    }
    if arguments.plan_only {
        return say_sentences(&format!("{}\n", words.nothing_drawn)).map(|()| Exit::Passed);
    }
    interrupt::listen_certify(&here.out, frozen.items_of_programs().join(", "));
    let program = CertifyProgram {
        tool: &tool::describe,
        threads: tool::threads(arguments.threads),
        pages: page_names(project),
        tell: &|line| {
            if !arguments.quiet {
                screen::warn(line);
            }
        },
        watch: &|session| -> Box<dyn Watch> { Box::new(Progress::start(session, arguments.quiet)) },
        search_path: std::env::var_os("PATH").unwrap_or_default(),
        replay: &record_of,
    };
    folder.carry_out(project, text, &frozen, &program)?;
    let inputs = folder.inputs(project, tool::COMMIT)?;
    let (facts, files) = whole(&inputs, &renderings()).map_err(|error| CouldNotSay::new(error, ""))?;
    folder.publish(&files)?;
    say_sentences(&ended(&here.out, &inputs, &facts, files.len(), arguments.quiet))?;
    hand_out(here, arguments, &facts, (files, words))
}

/// Signs and packs what is whole.
fn hand_out(
    here: &ProjectPaths,
    arguments: &CertifyArguments,
    facts: &Facts,
    (files, words): (PackageFiles, &CampaignWords),
) -> Result<Exit, CouldNotSay> {
    let signature = here.out.join(SIGNATURE);
    let signed = if signature.exists() {
        words.signed_before(&signature.display().to_string())
    } else {
        sign(&here.out.join(SUMS), here.sign_key.as_deref(), words)?
    };
    say_sentences(&format!("{signed}\n"))?;
    if arguments.zip {
        say_sentences(&format!("{}\n", pack(&here.out, files, words)?))?;
    }
    Ok(facts.headline.into())
}
