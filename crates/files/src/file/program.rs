//! Which file the name of a program means.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where an executable is: a name in the folders of `search_path`, a path as it is; none where there is no such file.
pub fn executable(program: &str, search_path: &OsStr) -> Option<PathBuf> {
    if program.contains('/') || Path::new(program).components().count() > 1 {
        return Some(PathBuf::from(program)).filter(|path| is_executable(path));
    }
    let folders = std::env::split_paths(search_path).filter(|_| !program.is_empty());
    folders.map(|folder| folder.join(program)).find(|path| is_executable(path))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_for_and_a_path_is_not() {
        let path = OsStr::new("/nowhere:/bin");
        assert_eq!(executable("sh", path), Some(PathBuf::from("/bin/sh")));
        assert_eq!(executable("/bin/sh", OsStr::new("")), Some(PathBuf::from("/bin/sh")));
        for none in ["", "no-such-program", "./sh", "/bin", "/etc/passwd"] {
            assert_eq!(executable(none, path), None, "{none}");
        }
    }
}
