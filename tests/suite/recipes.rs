//! `docs/recipes.md`, typed word for word where the programs it names are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::lab::{Lab, Said, binary, card_line, deck};

const DECKS: u64 = 200;

/// The commands of a section of the recipes, in their order.
fn recipes(section: &str) -> Vec<String> {
    let text = include_str!("../../docs/recipes.md");
    let (_, after) = text.split_once(&format!("\n## {section}")).expect("the section is there");
    let section = after.split("\n## ").next().unwrap_or_default();
    section
        .split("```bash\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

/// Decks one a line, each with what makes a line of it.
fn lines(line: impl Fn(u64, &str) -> String) -> String {
    (1..=DECKS).map(|n| line(n, card_line(&deck(n)).trim_end()) + "\n").collect()
}

/// Types a line in the folder, with the program under test in the path.
fn typed(lab: &Lab, line: &str, more: &[(&str, &str)]) -> Said {
    let folder = binary().parent().expect("it lies in a folder").display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-ec", line]).current_dir(lab.path("")).env("PATH", path).envs(more.iter().copied());
    shell.output().expect("a shell").into()
}

/// The counts of the one audit in the folder, which goes.
fn counts(lab: &Lab, said: &Said) -> serde_json::Value {
    assert!([0, 1, 2].contains(&said.code) && !said.out.is_empty(), "{}{}", said.out, said.err);
    let is_audit =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("audit-"));
    let mut folders =
        fs::read_dir(lab.path("")).expect("readable").filter_map(|entry| Some(entry.ok()?.path()));
    let folder = folders.find(is_audit).unwrap_or_else(|| panic!("no audit: {}{}", said.out, said.err));
    let text = fs::read(folder.join("certificate.json")).expect("a certificate");
    fs::remove_dir_all(folder).expect("writable");
    let certificate: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
    let tallies = certificate["result"]["first"]["tallies"].clone();
    assert!(!tallies.is_null());
    tallies
}

/// What the decks count, read from a plain file.
fn plain(lab: &Lab) -> serde_json::Value {
    lab.write("plain.txt", lines(|_, cards| cards.to_owned()));
    counts(lab, &typed(lab, "deckproof audit plain.txt", &[]))
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn sqlite_is_read_as_the_recipe_says() {
    if !is_there("sqlite3") {
        return eprintln!("skipped: sqlite_is_read_as_the_recipe_says: sqlite3 is not installed");
    }
    let lab = Lab::new();
    let plain = plain(&lab);
    let rows = lines(|n, cards| format!("INSERT INTO hands VALUES ({n}, '{cards}');"));
    lab.write(
        "rows.sql",
        format!("CREATE TABLE hands (id INTEGER PRIMARY KEY, deck TEXT);BEGIN;\n{rows}COMMIT;\n"),
    );
    assert_eq!(typed(&lab, "sqlite3 poker.db < rows.sql", &[]).code, 0);
    assert!(counts(&lab, &typed(&lab, &recipes("SQLite")[0], &[])) == plain);
    // A query that fails is no short night.
    let said = typed(&lab, &recipes("SQLite")[0].replace("FROM hands", "FROM hnads"), &[]);
    assert!(said.code == 2 && said.err.contains("found 0 complete decks"), "{}", said.err);
}

#[test]
fn logs_and_packed_files_are_read_as_the_recipes_say() {
    let lab = Lab::new();
    let plain = plain(&lab);
    lab.write(
        "shuffler.log",
        lines(|n, cards| {
            format!("12:00:{:02} hand {n} deck={} ok\n12:00 seat 4 won", n % 60, cards.replace(' ', ""))
        }),
    );
    assert!(counts(&lab, &typed(&lab, &recipes("A log, journald")[0], &[])) == plain);
    if !is_there("xz") {
        return eprintln!("skipped: logs_and_packed_files_are_read_as_the_recipes_say: xz is not installed");
    }
    assert_eq!(typed(&lab, "xz -c plain.txt > export.csv.xz", &[]).code, 0);
    assert!(counts(&lab, &typed(&lab, &recipes("xz, bzip2, lz4")[0], &[])) == plain);
    let said = typed(&lab, "deckproof audit export.csv.xz", &[]);
    assert!(said.code == 2 && said.err.contains("cmd:'xz -dc export.csv.xz'"), "{}", said.err);
}

/// A server of PostgreSQL that listens on a socket in a scratch folder and nowhere else.
struct Server {
    programs: PathBuf,
    folder: String,
    prefix: Vec<String>,
}

impl Server {
    /// `None` where it is not installed, or may not run: it refuses the superuser.
    fn start(lab: &Lab) -> Option<Server> {
        let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
        let mut programs: Vec<PathBuf> =
            versions.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect();
        programs.sort();
        let programs = programs.into_iter().rfind(|folder| folder.join("initdb").is_file())?;
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout.starts_with(b"0\n"));
        let prefix: Vec<String> = match is_root {
            true => ["runuser", "-u", "postgres", "--"].map(str::to_owned).into(),
            false => vec!["env".to_owned()],
        };
        open_to_all(Path::new(&lab.path("")));
        let server = Server { programs, folder: lab.path("pg"), prefix };
        let is_done = server.run("initdb", &["-A", "trust", "-U", "poker", "-D", &server.folder])
            && server.run(
                "pg_ctl",
                &[
                    "-D",
                    &server.folder,
                    "-l",
                    &format!("{}.log", server.folder),
                    "-w",
                    "-o",
                    &format!("-k '{}' -c listen_addresses= -c fsync=off", lab.path("")),
                    "start",
                ],
            );
        is_done.then_some(server)
    }

    fn run(&self, program: &str, arguments: &[&str]) -> bool {
        let (first, rest) = self.prefix.split_first().expect("a program that starts programs");
        let mut command = Command::new(first);
        command.args(rest).arg(self.programs.join(program)).args(arguments).current_dir("/");
        command
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.run("pg_ctl", &["-D", &self.folder, "-m", "immediate", "stop"]);
    }
}

/// The server runs as another user than the test where that is the superuser.
fn open_to_all(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).expect("its own folder");
}

#[test]
fn postgresql_is_read_as_the_recipes_say() {
    let lab = Lab::new();
    let Some(_server) = Server::start(&lab) else {
        return eprintln!(
            "skipped: postgresql_is_read_as_the_recipes_say: no server of PostgreSQL can be started"
        );
    };
    let plain = plain(&lab);
    let (socket, environment) = (lab.path(""), [("PGUSER", "poker")]);
    let environment = [environment[0], ("PGHOST", socket.trim_end_matches('/'))];
    let run = |line: &str| typed(&lab, line, &environment);
    assert_eq!(run("createdb poker").code, 0);
    let hexadecimal = |n: u64| deck(n).iter().map(|card| format!("{card:02x}")).collect::<String>();
    let cards = |cards: &str| cards.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let objects = |text: &str| {
        let suit = |card: &str| match &card[1..] {
            "c" => "clubs",
            "d" => "diamonds",
            "h" => "hearts",
            _ => "spades",
        };
        let object = |card: &String| {
            format!("{{\"rank\": \"{}\", \"suit\": \"{}\"}}", card[..1].replace('T', "10"), suit(card))
        };
        format!("[{}]", cards(text).iter().map(object).collect::<Vec<_>>().join(", "))
    };
    let numbers = |n: u64| format!("{{{}}}", deck(n).iter().map(u8::to_string).collect::<Vec<_>>().join(","));
    let value = |kind: &str, n: u64, text: &str| match kind {
        "text" => text.to_owned(),
        "bytea" => format!("\\x{}", hexadecimal(n)),
        "smallint[]" => numbers(n),
        "text[]" => format!("{{{}}}", cards(text).join(",")),
        _ => objects(text),
    };
    for kind in ["text", "bytea", "smallint[]", "text[]", "jsonb"] {
        let rows =
            lines(|n, text| format!("INSERT INTO hands VALUES ({n}, now(), '{}');", value(kind, n, text)));
        lab.write("rows.sql", format!("DROP TABLE IF EXISTS hands;CREATE TABLE hands (id integer, dealt_at timestamptz, deck {kind});\nBEGIN;\n{rows}COMMIT;\n"));
        let said = run("psql -q -v ON_ERROR_STOP=1 -f rows.sql poker");
        assert_eq!(said.code, 0, "{}", said.err);
        for line in &recipes("PostgreSQL")[..2] {
            assert!(counts(&lab, &run(line)) == plain, "{kind}: {line}");
        }
    }
    let row = |n: u64, text: &str| {
        let row = |(place, card): (usize, &String)| format!("({n}, {}, '{card}')", place + 1);
        format!(
            "INSERT INTO cards VALUES {};",
            cards(text).iter().enumerate().map(row).collect::<Vec<_>>().join(", ")
        )
    };
    lab.write(
        "rows.sql",
        format!("CREATE TABLE cards (hand_id integer, position integer, card text);\n{}", lines(row)),
    );
    assert_eq!(run("psql -q -v ON_ERROR_STOP=1 -f rows.sql poker").code, 0);
    assert!(counts(&lab, &run(&recipes("PostgreSQL")[2])) == plain);
    // Without its order such a table is not guessed at, and a server that goes away is no short night.
    let said = run(&recipes("PostgreSQL")[2]
        .replace("hand_id, position'", "card'")
        .replace("hand_id, position poker", ""));
    assert_eq!(said.code, 2, "{}{}", said.out, said.err);
    let said =
        run(&recipes("PostgreSQL")[0].replace("SELECT id, dealt_at, deck", "SELECT id, 1/(id-150), deck"));
    assert!(said.code == 2, "{}{}", said.out, said.err);
}
