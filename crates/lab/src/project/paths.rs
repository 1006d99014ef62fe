//! The paths of a project, wherever the program runs.

use std::path::{Path, PathBuf};

use crate::project::settings::Project;
use deckproof_deck::text::could_not_say::CouldNotSay;

/// Paths beside that of the project, as they were typed.
#[derive(Clone, Copy, Debug)]
pub struct TypedPaths<'a> {
    /// The folder of the package.
    pub out: Option<&'a Path>,
    /// A frozen project to be carried out.
    pub plan: Option<&'a Path>,
    /// The package that is amended.
    pub amend: Option<&'a Path>,
    /// The key that signs.
    pub sign_key: Option<&'a Path>,
}

/// The paths that were typed, wherever the program runs later.
pub struct ProjectPaths {
    /// The folder of the project, to which every path in it is relative.
    pub project_folder: PathBuf,
    /// The folder of the package.
    pub out: PathBuf,
    /// A frozen project to be carried out.
    pub plan: Option<PathBuf>,
    /// The package that is amended.
    pub amend: Option<PathBuf>,
    /// The key that signs.
    pub sign_key: Option<PathBuf>,
}

impl ProjectPaths {
    /// The paths of a project; the package goes beside it where no folder is named.
    ///
    /// # Errors
    /// [`CouldNotSay`]: the working folder is gone.
    pub fn of(
        typed: &TypedPaths,
        project_path: &Path,
        project: &Project,
    ) -> Result<ProjectPaths, CouldNotSay> {
        let whole = |path: &Path| {
            std::path::absolute(path)
                .map_err(|error| CouldNotSay::new(format!("{}: {error}", path.display()), ""))
        };
        let may_be = |path: Option<&Path>| path.map(whole).transpose();
        let project_path = whole(project_path)?;
        let project_folder = project_path.parent().unwrap_or(Path::new("/")).to_owned();
        let name = project.report.number.replace(['/', ' '], "-");
        let out = match typed.out {
            Some(out) => whole(out)?,
            None => project_folder.join(format!("report-{name}")),
        };
        Ok(ProjectPaths {
            project_folder,
            out,
            plan: may_be(typed.plan)?,
            amend: may_be(typed.amend)?,
            sign_key: may_be(typed.sign_key)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::settings::EXAMPLE;

    #[test]
    fn a_package_lies_beside_its_project_and_every_path_is_whole() {
        let mut project = Project::parse(EXAMPLE).expect("it works as it stands");
        project.report.number = "A/7 b".to_owned();
        let typed = TypedPaths { out: None, plan: Some(Path::new("plan.toml")), amend: None, sign_key: None };
        let paths = ProjectPaths::of(&typed, Path::new("/lab/one/project.toml"), &project).expect("whole");
        assert_eq!(paths.out, Path::new("/lab/one/report-A-7-b"));
        assert_eq!(paths.project_folder, Path::new("/lab/one"));
        assert!(paths.plan.is_some_and(|plan| plan.is_absolute()) && paths.amend.is_none());
        let typed = TypedPaths { out: Some(Path::new("here")), ..typed };
        let paths = ProjectPaths::of(&typed, Path::new("project.toml"), &project).expect("whole");
        assert!(paths.out.is_absolute() && paths.out.ends_with("here") && paths.project_folder.is_absolute());
    }
}
