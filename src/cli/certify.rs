//! `deckproof certify`: the project of a laboratory, carried through to the package that it signs.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::campaign::amend;
use crate::campaign::archive;
use crate::campaign::check::SIGNATURE;
use crate::campaign::folder::{PackageFolder, cannot_write};
use crate::campaign::package::files::PackageFiles;
use crate::campaign::package::{SUMS, whole};
use crate::campaign::project::{EXAMPLE, Project};
use crate::campaign::work::CampaignProgram;
use crate::cli::audit::progress::Progress;
use crate::cli::audit::publish::say;
use crate::cli::{interrupt, screen, tool};
use crate::file::{Access, TEXT_BYTES_MAX, read_limited, read_text_limited, write_atomic};
use crate::manifest::signature;
use crate::math::decimal::{counted, thousands};
use crate::presentation::laboratory::{ended, page_names, renderings};
use crate::session::Watch;
use crate::text::could_not_say::CouldNotSay;
use crate::text::exit::Exit;

/// Arguments of `deckproof certify`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The project (TOML): laboratory, customer, items, sources, tables, people, dates. Paths in it are relative to it.
    #[arg(long, value_name = "FILE", required_unless_present = "example")]
    project: Option<PathBuf>,
    /// Print a project that works as it stands, with every key explained.
    #[arg(long, exclusive = true)]
    example: bool,
    /// The folder of the package. Default: report-NUMBER beside the project. A campaign that was interrupted goes on there.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Carry out exactly this frozen campaign, the plan.toml of a package, instead of freezing a new one: the same keys give the
    /// same bytes.
    #[arg(long, value_name = "FILE", conflicts_with = "amend")]
    plan: Option<PathBuf>,
    /// Freeze the campaign and stop, so that its hash can be deposited before the first deck.
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
    /// What is amended, and why (ISO/IEC 17025, 7.8.8); it stands in the new revision.
    #[arg(long, value_name = "TEXT", requires = "amend")]
    reason: Option<String>,
    /// Write the package, with its signature, as one ZIP file too, beside the folder: the same package gives the same bytes.
    #[arg(long, conflicts_with = "plan_only")]
    zip: bool,
    /// Say only how it ended.
    #[arg(long)]
    quiet: bool,
}

/// Runs `deckproof certify`.
///
/// # Errors
/// [`CouldNotSay`]: a project that cannot be read or carried out.
pub fn certify(arguments: &Arguments) -> Result<Exit, CouldNotSay> {
    let Some(path) = &arguments.project else { return say(EXAMPLE).map(|()| Exit::Passed) };
    let place = path.display();
    let text = read_text_limited(path, TEXT_BYTES_MAX).map_err(|error| {
        CouldNotSay::new(format!("{place}: {error}"), "deckproof certify --example prints one.")
    })?;
    let project = Project::parse(&text).map_err(|error| {
        CouldNotSay::new(
            format!("{place}: {error}"),
            "Nothing was run. deckproof certify --example explains every key.",
        )
    })?;
    let here = Absolute::of(arguments, path, &project)?;
    let folder = PackageFolder::take(&here.out)?;
    if let (Some(previous), Some(reason)) = (&here.amend, &arguments.reason) {
        amend::begin(&folder, previous, reason, &text, (&renderings(), &tool::describe()))?;
    }
    // Every path of a project is relative to it.
    std::env::set_current_dir(&here.project_folder)
        .map_err(|error| CouldNotSay::new(format!("{}: {error}", here.project_folder.display()), ""))?;
    let frozen = folder.freeze(&project, here.plan.as_deref())?;
    if !arguments.quiet {
        let sha256 = frozen.sha256();
        let audits = counted(frozen.audits.len() as u64, "audit", "audits");
        say(&format!(
            "Frozen: {audits}, campaign SHA-256 {sha256}, in {}.\n",
            here.out.join("plan.toml").display()
        ))?;
    }
    if arguments.plan_only {
        return say("Nothing was drawn. The same command without --plan-only carries it out.\n")
            .map(|()| Exit::Passed);
    }
    interrupt::listen(Some(&here.out));
    let program = CampaignProgram {
        tool: &tool::describe,
        threads: tool::threads(arguments.threads),
        pages: page_names(),
        tell: &|line| {
            if !arguments.quiet {
                screen::warn(line);
            }
        },
        watch: &|session| -> Box<dyn Watch> { Box::new(Progress::start(session, arguments.quiet)) },
    };
    folder.carry_out(&project, &text, &frozen, &program)?;
    let inputs = folder.inputs(&project)?;
    let (facts, files) = whole(&inputs, &renderings()).map_err(|error| CouldNotSay::new(error, ""))?;
    folder.publish(&files)?;
    say(&ended(&here.out, &facts, files.len(), arguments.quiet))?;
    sign(&here.out.join(SUMS), here.sign_key.as_deref())?;
    if arguments.zip {
        pack(&here.out, files)?;
    }
    Ok(facts.verdict.into())
}

/// The paths that were typed, wherever the program stands later.
struct Absolute {
    project_folder: PathBuf,
    out: PathBuf,
    plan: Option<PathBuf>,
    amend: Option<PathBuf>,
    sign_key: Option<PathBuf>,
}

impl Absolute {
    fn of(arguments: &Arguments, project_path: &Path, project: &Project) -> Result<Absolute, CouldNotSay> {
        let whole = |path: &Path| {
            std::path::absolute(path)
                .map_err(|error| CouldNotSay::new(format!("{}: {error}", path.display()), ""))
        };
        let may_be = |path: &Option<PathBuf>| path.as_deref().map(whole).transpose();
        let project_path = whole(project_path)?;
        let project_folder = project_path.parent().unwrap_or(Path::new("/")).to_owned();
        let name = project.report.number.replace(['/', ' '], "-");
        let out = match &arguments.out {
            Some(out) => whole(out)?,
            None => project_folder.join(format!("report-{name}")),
        };
        Ok(Absolute {
            project_folder,
            out,
            plan: may_be(&arguments.plan)?,
            amend: may_be(&arguments.amend)?,
            sign_key: may_be(&arguments.sign_key)?,
        })
    }
}

/// The package and its signature, if it has one, as one file beside the folder.
fn pack(out: &Path, mut files: PackageFiles) -> Result<(), CouldNotSay> {
    let failed = |error: &dyn std::fmt::Display| {
        CouldNotSay::new(format!("{}: {error}", out.display()), "The folder is whole.")
    };
    let signature = out.join(SIGNATURE);
    if signature.exists() {
        let bytes = read_limited(&signature, TEXT_BYTES_MAX).map_err(|error| failed(&error))?;
        files.insert(SIGNATURE.to_owned(), bytes);
    }
    let mut name = out.as_os_str().to_owned();
    name.push(".zip");
    let path = PathBuf::from(name);
    let bytes = archive::write(&files).map_err(|error| failed(&error))?;
    write_atomic(&path, &bytes, Access::Public).map_err(|error| cannot_write(&path, &error))?;
    say(&format!("Packed: {}, {} bytes.\n", path.display(), thousands(bytes.len() as u64)))
}

/// Has OpenSSH sign the checksums, or says how.
fn sign(sums: &Path, key: Option<&Path>) -> Result<(), CouldNotSay> {
    let signature = signature::file_of(sums);
    let Some(key) = key else {
        return say(&format!(
            "Not signed. To sign: ssh-keygen -Y sign -n {} -f KEY {}\n",
            signature::NAMESPACE,
            sums.display()
        ));
    };
    let failed = |what: String| CouldNotSay::new(what, "The package is whole, and not signed.");
    let status = signature::sign(sums, key).map_err(|error| failed(error.to_string()))?;
    match status.success() {
        true => {
            say(&format!("Signed: {}, of the namespace {}.\n", signature.display(), signature::NAMESPACE))
        }
        false => Err(failed(format!("ssh-keygen did not sign ({status})"))),
    }
}
