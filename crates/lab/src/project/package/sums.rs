//! `SHA256SUMS`: what `sha256sum` writes and `sha256sum -c` reads, one line a file, sorted by path, and nothing else.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::project::package::files::PackageFiles;
use deckproof_deck::text::excerpt;
use deckproof_files::file::sha256;

/// Most files of a package.
const FILES_MAX: usize = 4_096;

/// Checksums by path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sums(pub BTreeMap<String, String>);

impl Sums {
    /// The checksums of some files.
    pub fn of(files: &PackageFiles) -> Sums {
        Sums(files.iter().map(|(name, bytes)| (name.clone(), sha256(bytes))).collect())
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, sha256)| writeln!(f, "{sha256}  {name}"))
    }
}

/// Whether a path stays inside the package and can stand on a line.
fn is_inside(name: &str) -> bool {
    let is_own = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.');
    name.len() <= 200 && name.chars().all(is_own) && name.split('/').all(is_part)
}

/// Whether a system or an editor put this file there when somebody opened or packed a folder, unasked: it belongs to no package, and
/// nothing reads it.
pub fn is_of_system(name: &str) -> bool {
    let file = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
    name.starts_with("__MACOSX/")
        || ["._", "~$", ".~lock."].iter().any(|beginning| file.starts_with(beginning))
        || ["~", ":Zone.Identifier"].iter().any(|end| file.ends_with(end))
        || [".DS_Store", "Thumbs.db", "desktop.ini", ".directory"].contains(&file)
}

impl FromStr for Sums {
    type Err = String;

    fn from_str(text: &str) -> Result<Sums, String> {
        let mut sums = BTreeMap::new();
        let wrong = |line: usize, found: &str, wanted: &str| {
            format!("line {line}: found {:?}, wanted {wanted}", excerpt(found, 80))
        };
        for (number, line) in text.lines().enumerate() {
            let is_sha256 = |sha256: &str| {
                sha256.len() == 64 && sha256.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            };
            let pair = line.split_once("  ").filter(|(sha256, name)| is_sha256(sha256) && is_inside(name));
            let wanted = "64 lower-case hexadecimal digits, two blanks and a path inside the package";
            let (sha256, name) = pair.ok_or_else(|| wrong(number + 1, line, wanted))?;
            sums.insert(name.to_owned(), sha256.to_owned());
            if number == FILES_MAX {
                return Err(wrong(number + 1, line, "fewer files"));
            }
        }
        let sums = Sums(sums);
        // Another order, a path twice, a missing last line break: some byte of the text says nothing.
        if sums.to_string() != text {
            return Err(wrong(1, "other lines", "the lines sorted by path, each once"));
        }
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_list_has_one_text() {
        let files: PackageFiles = [("b/c.json", "x"), ("a", "")]
            .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
            .into_iter()
            .collect();
        let text = Sums::of(&files).to_string();
        // SHA-256 of no bytes: FIPS 180-4, examples of NIST.
        assert!(text.starts_with("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n"));
        assert_eq!(text.parse(), Ok(Sums::of(&files)));
        let lines: Vec<&str> = text.lines().collect();
        for wrong in [
            format!("{}\n{}\n", lines[1], lines[0]),
            format!("{}\n{0}\n", lines[0]),
            text.trim_end().to_owned(),
            text.replace("  a", " *a"),
            text.replace("  a", "  ../a"),
            text.replace("  a", "  /a"),
            text.replace("  a", "  a/.b"),
            text.replace("  a", "  a//b"),
            text.replace("  a", "  ä"),
            text.replace("e3b0", "E3B0"),
            text.replace("e3b0", "3b0"),
            text.replace("  a", &format!("  {}", "a".repeat(201))),
            text.to_uppercase(),
        ] {
            assert!(wrong.parse::<Sums>().is_err(), "{wrong}");
        }
        let longest = text.replace("  a", &format!("  {}", "a".repeat(200)));
        assert!(longest.parse::<Sums>().is_ok(), "{longest}");
    }

    #[test]
    fn what_systems_and_editors_leave_is_no_file_of_a_package_and_no_list_can_name_most_of_it() {
        for name in [
            "~$report.html",
            "report.html~",
            "a/.directory",
            ".~lock.report.html#",
            "a/b.json:Zone.Identifier",
            "._a",
            ".DS_Store",
        ] {
            assert!(is_of_system(name) && !is_inside(name), "{name}");
        }
        for name in ["Thumbs.db", "a/desktop.ini", "__MACOSX/a"] {
            assert!(is_of_system(name), "{name}");
        }
        for name in ["report.html", "a~/report.html", "~report.html", ".htaccess", "a:b", "Zone.Identifier"] {
            assert!(!is_of_system(name), "{name}");
        }
    }

    #[test]
    fn a_list_has_an_end() {
        let files = |count: usize| -> PackageFiles {
            (0..count).map(|number| (format!("{number:04}"), Vec::new())).collect()
        };
        assert!(Sums::of(&files(FILES_MAX)).to_string().parse::<Sums>().is_ok());
        let error = Sums::of(&files(FILES_MAX + 1)).to_string().parse::<Sums>().expect_err("too many");
        assert!(error.contains("wanted fewer files"), "{error}");
    }
}
