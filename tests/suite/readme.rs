//! Every command of the README and of the pages in `docs` is typed as it stands, in a copy of the samples, and ends as the
//! page says.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::folder::copy;
use crate::common::lab::binary;

/// What is not run, and why.
const EXCEPTIONS: [(&str, &str); 4] = [
    ("pandoc ", "another program; tests/suite/volumes.rs runs it where it is installed"),
    ("cargo ", "builds or tests this very program"),
    (
        "deckproof certify --project",
        "22 audits of fresh keys, one of which rejects a fair shuffle once in 450 runs",
    ),
    ("deckproof verify report", "the package of the line before"),
];

/// Lines of blocks that are shown and not typed here, and why.
const SHOWN: [(&str, &str); 9] = [
    (
        "deckproof certify --project reports/shuffler.toml",
        "31 million decks and 21 tables; reports/shuffler is its outcome",
    ),
    (
        "deckproof verify reports/shuffler",
        "of the build that drew it; tests/suite/certify.rs verifies packages of this one",
    ),
    ("deckproof verify --rerun reports/shuffler", "31 million decks"),
    ("deckproof predict ", "decks of a weak generator; tests/suite/predict.rs types the same options"),
    ("deckproof verify prediction.json", "what the line before wrote; tests/suite/predict.rs types it"),
    (
        "deckproof report report.json --format pdf",
        "builds with the feature pdf; tests/suite/paper.rs sets the pages",
    ),
    ("pip ", "a network; python/test.sh installs the module"),
    ("python python/examples/dask_audit.py ", "the module and a cluster; python/test.sh runs the example"),
    ("spark-submit ", "the module and a cluster; python/test.sh runs the example"),
];

/// What stands in a block of each language, and who holds it to the program.
const LANGUAGES: [(&str, &str); 7] = [
    ("sh", "typed below"),
    ("bash", "docs/recipes.md, typed by recipes.rs"),
    ("toml", "samples, compared below"),
    ("text", "shown; its commands are listed above"),
    ("python", "docs/python.md; python/test.sh runs the same calls"),
    ("js", "docs/page.md; the tests of web/ run it"),
    ("nginx", "docs/serve.md; a server that no test starts"),
];

/// The fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let opening = format!("\n```{language}\n");
    let parts = text.split(opening.as_str()).skip(1);
    parts.map(|part| part.split("\n```").next().expect("a split has a first part").to_owned()).collect()
}

/// The commands of a block: a line, and those after it while a quotation mark is open.
fn commands(block: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for line in block.lines() {
        match commands.last_mut().filter(|command| command.matches('\'').count() % 2 == 1) {
            Some(command) => *command += &format!("\n{line}"),
            None => commands.push(line.to_owned()),
        }
    }
    commands
}

/// The README and the pages that it names, which are all there are.
fn pages() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("it is there");
    let readme = read("README.md");
    let entries = fs::read_dir(root.join("docs")).expect("readable");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a plain name");
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
    // The contents of the book are no page.
    names.retain(|name| name != "SUMMARY.md");
    names.sort_unstable();
    let mut pages = vec![("README.md".to_owned(), readme)];
    for name in names {
        assert!(pages[0].1.contains(&format!("](docs/{name})")), "the README names no docs/{name}");
        let path = format!("docs/{name}");
        let text = read(&path);
        pages.push((path, text));
    }
    pages
}

#[test]
fn every_link_of_a_page_leads_to_a_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = 0;
    for (page, text) in pages() {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            // A link to a heading leads to its file; that the heading is there, the next test looks.
            let file = target.split('#').next().expect("a split has a first part");
            let path = root.join(&page).parent().expect("a folder").join(file);
            assert!(path.exists(), "{page}: {target}");
            found += 1;
        }
    }
    assert!(found >= 12, "{found} links");
}

#[test]
fn every_heading_that_a_page_links_to_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let anchor = |heading: &str| -> String {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
    };
    for (page, text) in pages() {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for (file, wanted) in targets.filter_map(|target| target.split_once('#')) {
            let path = root.join(&page).parent().expect("a folder").join(file);
            let own =
                if file.is_empty() { text.clone() } else { fs::read_to_string(&path).unwrap_or_default() };
            let headings = own
                .lines()
                .filter(|line| line.starts_with('#'))
                .map(|line| line.trim_start_matches(['#', ' ']));
            let is_named = own.contains(&format!("id=\"{wanted}\""));
            assert!(
                is_named || headings.into_iter().any(|heading| anchor(heading) == wanted),
                "{page}: {file}#{wanted}"
            );
        }
    }
}

/// No block and no command of a page escapes: each is typed, or listed with what types it or why nothing does.
#[test]
fn every_command_that_a_page_shows_is_typed_or_listed() {
    let mut listed = std::collections::BTreeSet::new();
    for (page, text) in pages() {
        let languages = text.lines().filter_map(|line| line.strip_prefix("```"));
        for language in languages.filter(|language| !language.is_empty()) {
            let is_known = LANGUAGES.iter().any(|(known, _)| *known == language);
            assert!(is_known && (language != "bash" || page == "docs/recipes.md"), "{page}: {language}");
        }
        let programs = ["deckproof ", "pip ", "python", "spark-submit ", "kubectl ", "cargo "];
        let lines = blocks(&text, "text").join("\n");
        for line in lines.lines().filter(|line| programs.iter().any(|program| line.starts_with(program))) {
            let own = SHOWN.iter().position(|(beginning, _)| line.starts_with(beginning));
            assert!(own.is_some(), "{page}: {line:?} is neither typed nor listed");
            listed.extend(own);
        }
    }
    assert_eq!(listed.len(), SHOWN.len(), "a line that stands on no page is listed: {listed:?}");
}

/// Options that sentences name beside a command are options of that command.
#[test]
fn options_that_sentences_name_are_there() {
    let program = deckproof::cli::command();
    let mut found = 0;
    for (page, text) in pages().into_iter().filter(|(page, _)| page != "docs/commands.md") {
        for code in text.split('`').skip(1).step_by(2).filter(|code| !code.contains('\n')) {
            let mut words =
                code.split_whitespace().skip_while(|word| *word != "deckproof").skip(1).peekable();
            let mut command = &program;
            while let Some(own) = words.peek().and_then(|word| command.find_subcommand(word)) {
                command = own;
                words.next();
            }
            if std::ptr::eq(command, &program) {
                continue;
            }
            let flags = words.take_while(|word| !["|", ">", "&&", "||"].contains(word));
            for flag in flags.filter_map(|word| word.strip_prefix("--")).filter(|flag| !flag.is_empty()) {
                let flag = flag.split(|letter: char| {
                    !(letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-')
                });
                let flag = flag.into_iter().next().unwrap_or_default();
                let is_there = command.get_arguments().any(|own| own.get_long() == Some(flag));
                let is_of_all = ["help", "version"].contains(&flag);
                assert!(is_there || is_of_all, "{page}: `{code}`: {} has no --{flag}", command.get_name());
                found += 1;
            }
        }
    }
    assert!(found >= 50, "{found} options");
}

/// The book of these pages (mdbook) has each of them once.
#[test]
fn the_book_has_every_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let summary = fs::read_to_string(root.join("docs/SUMMARY.md")).expect("it is there");
    for (page, _) in pages().into_iter().skip(1) {
        let link = format!("]({})", page.trim_start_matches("docs/"));
        assert_eq!(summary.matches(&link).count(), 1, "docs/SUMMARY.md: {page}");
    }
}

#[test]
fn every_command_of_the_pages_can_be_typed_as_it_stands() {
    let run: usize = pages().iter().map(|(page, text)| run_commands(page, text)).sum();
    assert!(run >= 45, "{run} commands were run");
}

/// The ports of a page, each as one that is free here: something else may answer on those that are printed.
fn with_free_ports(text: &str) -> String {
    let free = || std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let held = ["127.0.0.1:7001", "127.0.0.1:7002", "127.0.0.1:7003"].map(|place| (place, free()));
    held.iter().fold(text.to_owned(), |text, (place, free)| {
        text.replace(place, &free.local_addr().expect("bound").to_string())
    })
}

/// Runs the commands of a page in a folder of their own, and says how many they were.
///
/// Of the README the commands are typed as they stand; audits and nights of the other pages are asked for fewer statistics, and say the
/// same of their decks.
fn run_commands(page: &str, text: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["fixtures/samples", "reports/shuffler", "src"] {
        copy(&root.join(name), &folder.path().join(name));
    }
    fs::copy(root.join("PROTOCOL.md"), folder.path().join("PROTOCOL.md")).expect("writable");
    let own = binary().parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(own.to_owned()).chain(std::env::split_paths(&path)));
    let path = path.expect("paths");
    let has_python = Command::new("python3").arg("-V").output().is_ok();
    let mut run = 0;
    let mut text = with_free_ports(text);
    if page != "README.md" {
        let night = folder.path().join("fixtures/samples/daily.toml");
        let asked = fs::read_to_string(&night).expect("a sample") + "tiers = \"core\"\n";
        fs::write(night, asked).expect("writable");
        for (command, rest) in [("audit", "fixtures/"), ("audit", "--source "), ("plan", "--")] {
            let fewer = format!("deckproof {command} --without recovered-generator {rest}");
            text = text.replace(&format!("deckproof {command} {rest}"), &fewer);
        }
    }
    for command in blocks(&text, "sh").iter().flat_map(|block| commands(block)) {
        let is_exception = EXCEPTIONS.iter().any(|(beginning, _)| command.starts_with(beginning));
        if is_exception || (command.starts_with("python3") && !has_python) {
            continue;
        }
        // A pipe ends as its last command does; deckproof may close it early.
        let mut shell = Command::new("bash");
        shell.args(["-c", &command]).current_dir(folder.path()).env("PATH", &path);
        let output = shell.output().expect("there is a shell");
        let printed = [output.stdout, output.stderr].concat();
        // A command that does not end with 0 says so beside it.
        let code = command.split_once("# exit code ").map_or("0", |(_, rest)| &rest[..1]);
        let found = output.status.code().map(|code| code.to_string());
        assert_eq!(found.as_deref(), Some(code), "{page}: {command}\n{}", String::from_utf8_lossy(&printed));
        run += 1;
    }
    run
}

#[test]
fn configurations_in_the_pages_are_those_of_the_samples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let blocks: Vec<String> = pages().iter().flat_map(|(_, text)| blocks(text, "toml")).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let name =
            block.lines().next().and_then(|line| line.strip_prefix("# ")).expect("its name comes first");
        let sample = fs::read_to_string(root.join("fixtures/samples").join(name)).expect("a sample");
        assert_eq!(sample.trim_end(), block, "{name}");
    }
}
