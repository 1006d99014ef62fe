//! `docs/recipes.md`, typed word for word where the programs it names are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::lab::{Lab, Output, card_line, deck, words};
use crate::common::running::Running;

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

/// Types a line in the folder, with the program under test in the path. An audit is asked for less, and read the same.
fn typed(lab: &Lab, line: &str, more: &[(&str, &str)]) -> Output {
    let line = line.replace("deckproof audit ", "deckproof audit --tiers core ");
    lab.typed(&format!("set -e; {line}"), more)
}

/// The counts of the one audit in the folder, which goes.
fn counts(lab: &Lab, output: &Output) -> serde_json::Value {
    assert!([0, 1, 2].contains(&output.code) && !output.out.is_empty(), "{output}");
    let is_audit =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("audit-"));
    let mut folders =
        fs::read_dir(lab.path("")).expect("readable").filter_map(|entry| Some(entry.ok()?.path()));
    let folder = folders.find(is_audit).unwrap_or_else(|| panic!("no audit: {output}"));
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
    typed(&lab, "sqlite3 poker.db < rows.sql", &[]).ends(0);
    assert!(counts(&lab, &typed(&lab, &recipes("SQLite")[0], &[])) == plain);
    // A query that fails is no short night.
    let output = typed(&lab, &recipes("SQLite")[0].replace("FROM hands", "FROM hnads"), &[]).ends(2);
    output.must_warn("found 0 complete decks");
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
    typed(&lab, "xz -c plain.txt > export.csv.xz", &[]).ends(0);
    assert!(counts(&lab, &typed(&lab, &recipes("xz, bzip2, lz4")[0], &[])) == plain);
    typed(&lab, "deckproof audit export.csv.xz", &[]).ends(2).must_warn("cmd:'xz -dc export.csv.xz'");
}

#[test]
fn a_recorded_dump_of_kafka_is_read_as_the_recipe_says() {
    let lab = Lab::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples");
    let export = fs::read_to_string(samples.join("export.csv")).expect("a sample");
    let messages = fs::read_to_string(samples.join("kafka.jsonl")).expect("a sample");
    // The messages are the first hands of the export: a table of as many has the same decks.
    let head = messages.lines().count() + 1;
    lab.write("head.csv", export.lines().take(head).map(|line| format!("{line}\n")).collect::<String>());
    lab.write("kafka.jsonl", &messages);
    let table = counts(&lab, &typed(&lab, "deckproof audit head.csv", &[]));
    let line = recipes("Kafka")[1].clone();
    assert!(counts(&lab, &typed(&lab, &line, &[])) == table, "{line}");
}

/// A broker in memory, which lives as long as its one producer.
struct Broker {
    // Killed where the value goes.
    _producer: Running,
    address: String,
}

impl Broker {
    fn start(lab: &Lab, messages: &str) -> Broker {
        let log = fs::File::create(lab.path("broker.log")).expect("writable");
        let words = words("-P -X test.mock.num.brokers=1 -X linger.ms=1 -b none -t hands -p 0 -d mock");
        let mut producer = Command::new("kcat")
            .args(words)
            .stdin(std::process::Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("it was just there");
        let input = producer.stdin.as_mut().expect("piped");
        // The last of what it reads waits for more.
        std::io::Write::write_all(input, messages.repeat(2).as_bytes()).expect("it reads");
        let address = loop {
            let output = lab.text("broker.log");
            if let Some((_, rest)) = output.split_once("bootstrap.servers=") {
                break rest.split_whitespace().next().unwrap_or_default().to_owned();
            }
            assert!(producer.try_wait().expect("a child").is_none(), "{output}");
            std::thread::sleep(std::time::Duration::from_millis(20));
        };
        Broker { _producer: Running(producer), address }
    }
}

#[test]
fn kafka_is_read_as_the_recipe_says() {
    if Command::new("kcat").arg("-V").output().is_err() {
        return eprintln!("skipped: kafka_is_read_as_the_recipe_says: kcat is not installed");
    }
    let lab = Lab::new();
    let plain = plain(&lab);
    let messages = lines(|n, cards| format!(r#"{{"id":{n},"deck":"{cards}"}}"#));
    let broker = Broker::start(&lab, &messages);
    // Messages may still be on their way: so many are waited for in the place of the end.
    let line = recipes("Kafka")[0]
        .replace("broker:9092", &broker.address)
        .replace("-C -e", &format!("-C -c {DECKS}"));
    assert!(counts(&lab, &typed(&lab, &line, &[])) == plain, "{line}");
}

#[test]
fn parquet_by_duckdb_is_read_as_the_recipe_says() {
    let lab = Lab::new();
    let folder = format!("{}:{}", lab.path(""), std::env::var("PATH").unwrap_or_default());
    if !is_there("duckdb") {
        // The library of Python is the same engine; its program is written here in three lines.
        let program = "#!/usr/bin/env python3\nimport sys, duckdb\n\
            result = duckdb.sql(sys.argv[-1])\nresult is None or result.write_csv('/dev/stdout')\n";
        lab.write("duckdb", program);
        typed(&lab, "chmod +x duckdb", &[]).ends(0);
    }
    let typed_here = |line: &str| typed(&lab, &format!("PATH='{folder}':$PATH; {line}"), &[]);
    if typed_here("duckdb -csv -c 'SELECT 1'").code != 0 {
        return eprintln!(
            "skipped: parquet_by_duckdb_is_read_as_the_recipe_says: neither duckdb nor its library of Python is installed"
        );
    }
    let plain = plain(&lab);
    let rows = lines(|n, cards| format!("{n},{cards}"));
    lab.write("rows.csv", format!("id,deck\n{rows}"));
    let write = "mkdir hands; duckdb -csv -c \"COPY (FROM read_csv('rows.csv', delim = ',', all_varchar = true) ORDER BY id::INT) TO 'hands/1.parquet' (COMPRESSION zstd)\"";
    typed_here(write).ends(0);
    let line =
        recipes("S3, with DuckDB")[0].replace("s3://bucket/", "").replace("ORDER BY id", "ORDER BY id::INT");
    assert!(counts(&lab, &typed_here(&line)) == plain, "{line}");
    // The file itself, with pages by Zstandard.
    let output = typed_here("deckproof audit hands/1.parquet --id-column id");
    assert!(counts(&lab, &output) == plain, "{output}");
}

/// A server of MariaDB that listens on a socket in a scratch folder and nowhere else.
struct MariaDb(Running);

impl MariaDb {
    /// `None` where it is not installed.
    fn start(lab: &Lab) -> Option<MariaDb> {
        let (data, socket) = (lab.path("data"), lab.path("mysql.sock"));
        let quiet = |program: &str| {
            let mut command = Command::new(program);
            command
                .stdin(std::process::Stdio::null())
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null());
            command
        };
        let install = ["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"];
        let is_made = quiet("mariadb-install-db").args(install).arg(format!("--datadir={data}")).status();
        is_made.ok().filter(std::process::ExitStatus::success)?;
        let words =
            ["--no-defaults", "--user=root", "--skip-networking", "--innodb-flush-log-at-trx-commit=0"];
        let server = quiet("mariadbd")
            .args(words)
            .args([format!("--datadir={data}"), format!("--socket={socket}")])
            .spawn();
        let mut server = MariaDb(Running(server.ok()?));
        // What the client finds in its home is said last.
        lab.write(".my.cnf", format!("[client]\nsocket={socket}\nuser=root\n"));
        while typed(lab, "mysql --execute 'SELECT 1'", &[("HOME", &lab.path(""))]).code != 0 {
            if server.0.0.try_wait().expect("a child").is_some() {
                return None;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        Some(server)
    }
}

#[test]
fn mariadb_is_read_as_the_recipe_says() {
    let lab = Lab::new();
    let Some(_server) = MariaDb::start(&lab) else {
        return eprintln!("skipped: mariadb_is_read_as_the_recipe_says: no server of MariaDB can be started");
    };
    let plain = plain(&lab);
    let hexadecimal = |n: u64| deck(n).iter().map(|card| format!("{card:02x}")).collect::<String>();
    let rows = lines(|n, _| format!("INSERT INTO hands VALUES ({n}, X'{}');", hexadecimal(n)));
    lab.write("rows.sql", format!("CREATE DATABASE poker;USE poker;CREATE TABLE hands (id INT PRIMARY KEY, deck BINARY(52));BEGIN;\n{rows}COMMIT;\n"));
    let home = lab.path("");
    let environment = [("HOME", home.as_str())];
    typed(&lab, "mysql < rows.sql", &environment).ends(0);
    let line = recipes("MySQL, MariaDB")[0].clone();
    assert!(counts(&lab, &typed(&lab, &line, &environment)) == plain, "{line}");
    let output = typed(&lab, &line.replace("FROM hands", "FROM hnads"), &environment);
    assert!(output.code == 2, "{output}");
}

/// What `journalctl` reads is a journal, which another program of systemd makes of a text.
#[test]
fn a_journal_is_read_as_the_recipe_says() {
    let maker = "/lib/systemd/systemd-journal-remote";
    if !Path::new(maker).exists() || !is_there("journalctl") {
        return eprintln!(
            "skipped: a_journal_is_read_as_the_recipe_says: systemd-journal-remote or journalctl is not installed"
        );
    }
    let lab = Lab::new();
    let plain = plain(&lab);
    let entry = |n: u64, cards: &str| {
        let cards = cards.replace(' ', "");
        format!(
            "__REALTIME_TIMESTAMP={}\n__MONOTONIC_TIMESTAMP={n}\n_BOOT_ID=00112233445566778899aabbccddeeff\n_SYSTEMD_UNIT=shuffler.service\nMESSAGE=hand {n} deck={cards} ok\n",
            1_795_000_000_000_000 + n * 1_000_000
        )
    };
    lab.write("export", lines(entry));
    typed(&lab, &format!("{maker} --output=shuffler.journal export"), &[]).ends(0);
    let line = recipes("A log, journald")[1]
        .replace("journalctl", "journalctl --file=shuffler.journal")
        .replace(" --since=yesterday --until=today", "");
    assert!(counts(&lab, &typed(&lab, &line, &[])) == plain, "{line}");
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
        let prefix: Vec<String> = if is_root {
            ["runuser", "-u", "postgres", "--"].map(str::to_owned).into()
        } else {
            vec!["env".to_owned()]
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
    run("createdb poker").ends(0);
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
        run("psql -q -v ON_ERROR_STOP=1 -f rows.sql poker").ends(0);
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
    run("psql -q -v ON_ERROR_STOP=1 -f rows.sql poker").ends(0);
    assert!(counts(&lab, &run(&recipes("PostgreSQL")[2])) == plain);
    // Without its order such a table is not guessed at, and a server that goes away is no short night.
    run(&recipes("PostgreSQL")[2]
        .replace("hand_id, position'", "card'")
        .replace("hand_id, position poker", ""))
    .ends(2);
    let output =
        run(&recipes("PostgreSQL")[0].replace("SELECT id, dealt_at, deck", "SELECT id, 1/(id-150), deck"));
    assert!(output.code == 2, "{output}");
}
