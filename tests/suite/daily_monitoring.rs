//! What monitoring programs read of the daily check: rules and metrics by Prometheus' own tool, a line for Nagios, a dashboard.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::lab::{Lab, deck, index_line, lines};
use crate::common::running::Running;
use serde_json::Value;

const BASE: &str =
    "name = \"T\"\nfolder = \"days\"\ntiers = \"core\"\nfresh_decks = 0\nsource = \"{date}.csv\"\n";

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/monitoring").join(name)
}

fn export(lab: &Lab, date: &str, first: u64) {
    lab.write(&format!("{date}.csv"), lines(first..first + 1_000));
}

/// A program that is not installed is named, so that nobody takes its silence for a pass.
fn promtool(arguments: &[&str], input: Option<&[u8]>) -> Option<(bool, String)> {
    let mut command = Command::new("promtool");
    command.args(arguments).stdin(std::process::Stdio::piped());
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        println!("skipped: promtool is not installed");
        return None;
    };
    if let Some(bytes) = input {
        let mut pipe = child.stdin.take().expect("piped");
        std::io::Write::write_all(&mut pipe, bytes).expect("it reads");
    }
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("it ends");
    let printed = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&printed).into_owned()))
}

#[test]
fn prometheus_accepts_rules_and_metrics_and_the_rules_alarm_when_they_should() {
    let rules = example("rules.yml");
    let rules = rules.to_str().expect("a path");
    let Some((is_sound, output)) = promtool(&["check", "rules", rules], None) else { return };
    assert!(is_sound && output.contains("5 rules found"), "{output}");
    let tests = example("rules_test.yml");
    let (is_sound, output) =
        promtool(&["test", "rules", tests.to_str().expect("a path")], None).expect("it is there");
    assert!(is_sound, "{output}");
    let lab = Lab::new();
    lab.write("daily.toml", format!("{BASE}metrics = \"daily.prom\"\n"));
    export(&lab, "2026-11-01", 1);
    lab.night("2026-11-01", &[]).ends(0);
    let text = lab.read("daily.prom");
    let (_, output) = promtool(&["check", "metrics"], Some(&text)).expect("it is there");
    assert!(!output.contains("error"), "{output}");
}

/// Every metric of the rules and of the dashboard is one that the program writes.
#[test]
fn rules_and_dashboard_ask_for_metrics_that_are_written() {
    let lab = Lab::new();
    lab.write("daily.toml", format!("{BASE}metrics = \"daily.prom\"\n"));
    export(&lab, "2026-11-01", 1);
    lab.night("2026-11-01", &[]).ends(0);
    let written = lab.text("daily.prom");
    assert!(written.contains("deckproof_daily_result{shuffler=\"T\",result=\"pass\"} 1\n"), "{written}");
    for name in ["rules.yml", "dashboard.json"] {
        let text = std::fs::read_to_string(example(name)).expect("it is there");
        let metrics: Vec<&str> = text
            .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .filter(|word| word.starts_with("deckproof_daily_"))
            .collect();
        assert!(metrics.len() >= 5, "{name}");
        for metric in metrics {
            assert!(written.contains(&format!("# TYPE {metric} gauge\n")), "{name}: {metric}");
        }
    }
    let dashboard: Value =
        serde_json::from_slice(&std::fs::read(example("dashboard.json")).expect("it is there"))
            .expect("JSON");
    assert_eq!(dashboard["panels"].as_array().map(Vec::len), Some(6));
}

#[test]
fn nagios_gets_a_line_and_its_own_statuses() {
    let lab = Lab::new();
    lab.write("daily.toml", BASE);
    let nagios = |more: &[&str]| {
        let output = lab.run(&[&["history", "days", "--nagios"], more].concat());
        (output.code, output.out)
    };
    // A look at the days ends as the last of them did, or with 1 while a stop is active.
    let looks = |code: i32| {
        for look in [&["history", "days"][..], &["history", "days", "--json"], &["history", "days", "--csv"]]
        {
            assert_eq!(lab.run(look).code, code, "{look:?}");
        }
        assert_eq!(lab.run(&["history", "days", "--html", "h.html"]).code, code);
        assert_eq!(lab.run(&["history", "days", "--verify"]).code, 0, "the record is as it was written");
    };
    export(&lab, "2026-11-01", 1);
    lab.night("2026-11-01", &[]).ends(0);
    looks(0);
    let (code, out) = nagios(&[]);
    assert!(code == 0 && out.starts_with("DECKPROOF OK - T, 2026-11-01: passed, row 1, "), "{code} {out}");
    assert!(out.contains(" | decks=1000 age_hours="), "{out}");
    let run = |date: &str| lab.night(date, &[]).code;
    assert_eq!(run("2026-11-02"), 2, "no file");
    looks(2);
    let (code, out) = nagios(&[]);
    assert!(code == 3 && out.starts_with("DECKPROOF UNKNOWN"), "{code} {out}");
    lab.write("2026-11-03.csv", index_line(&deck(5_000)).repeat(1_000));
    assert_eq!(run("2026-11-03"), 1);
    looks(1);
    let (code, out) = nagios(&["--hours", "48"]);
    assert!(code == 2 && out.starts_with("DECKPROOF CRITICAL"), "{code} {out}");
    assert!(out.contains("active stop of 2026-11-03"), "{out}");
    // A day of fair decks does not end it: a deck that came up again is proof.
    export(&lab, "2026-11-04", 9_000);
    let output = lab.night("2026-11-04", &[]).ends(1);
    for (day, step) in [(4, "drift"), (3, "live output")] {
        output.line(&format!(
            "Stop of 2026-11-0{day}, active: {step}. It ends by history --release (repaired) or --void."
        ));
    }
    looks(1);
}

#[test]
fn a_program_is_run_on_every_day_and_another_on_alarm() {
    let lab = Lab::new();
    let shell = |file: &str| {
        format!("[\"sh\", \"-c\", \"echo $DECKPROOF_DAY $DECKPROOF_RESULT $DECKPROOF_REPORT >> {file}\"]")
    };
    lab.write("daily.toml", format!("{BASE}on_day = {}\non_alarm = {}\n", shell("every"), shell("alarm")));
    export(&lab, "2026-11-01", 1);
    lab.night("2026-11-01", &[]).ends(0);
    lab.night("2026-11-02", &[]).ends(2);
    let every = lab.text("every");
    assert_eq!(
        every,
        "2026-11-01 passed days/2026-11-01/report.json\n2026-11-02 could not say days/2026-11-02/report.json\n"
    );
    assert!(lab.exists("days/2026-11-01/report.json"));
    assert_eq!(lab.text("alarm").lines().count(), 1);
}

/// A node exporter that reads one folder and listens on this machine alone.
struct NodeExporter {
    // Killed where the value goes.
    _program: Running,
    address: String,
}

impl NodeExporter {
    /// `None` where it is not installed, which is told by its name.
    fn start(lab: &Lab, folder: &str) -> Option<NodeExporter> {
        let names = ["prometheus-node-exporter", "node_exporter"];
        let log = lab.path("exporter.log");
        let start = |name: &&str| {
            let mut command = Command::new(name);
            command.args([
                "--collector.disable-defaults",
                "--collector.textfile",
                "--web.listen-address=127.0.0.1:0",
            ]);
            command.arg(format!("--collector.textfile.directory={folder}"));
            command.stderr(std::fs::File::create(&log).expect("writable")).spawn().ok()
        };
        let Some(mut child) = names.iter().find_map(start) else {
            println!("skipped: neither {} nor {} is installed", names[0], names[1]);
            return None;
        };
        loop {
            let output = std::fs::read_to_string(&log).expect("readable");
            let address = output.split_once("address=127.0.0.1:").and_then(|(_, rest)| rest.split_once('\n'));
            if let Some((port, _)) = address {
                let address = format!("127.0.0.1:{port}");
                return Some(NodeExporter { _program: Running(child), address });
            }
            assert!(child.try_wait().expect("a child").is_none(), "{output}");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    fn metrics(&self) -> String {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(b"GET /metrics HTTP/1.0\r\n\r\n").expect("it reads");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a text");
        text
    }
}

/// The name and the labels of a metric, these in the order of their names, as the exporter writes them.
fn series(line: &str) -> String {
    let name = line.rsplit_once(' ').map_or(line, |(name, _)| name);
    let Some((name, labels)) = name.split_once('{') else { return name.to_owned() };
    let mut labels: Vec<&str> = labels.trim_end_matches('}').split(',').collect();
    labels.sort_unstable();
    format!("{name} {}", labels.join(" "))
}

#[test]
fn a_node_exporter_hands_on_every_metric_of_a_day() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("textfiles")).expect("writable");
    let Some(exporter) = NodeExporter::start(&lab, &lab.path("textfiles")) else { return };
    lab.write("daily.toml", format!("{BASE}metrics = \"textfiles/daily.prom\"\n"));
    export(&lab, "2026-11-01", 1);
    for code in [0, 2] {
        let day = if code == 0 { "2026-11-01" } else { "2026-11-02" };
        assert_eq!(lab.night(day, &[]).code, code);
        let text = lab.text("textfiles/daily.prom");
        let handed_on = exporter.metrics();
        assert!(handed_on.contains("\nnode_textfile_scrape_error 0\n"), "{handed_on}");
        let metrics: Vec<String> = text.lines().filter(|line| !line.starts_with('#')).map(series).collect();
        assert!(!metrics.is_empty(), "{text}");
        for metric in metrics {
            assert!(handed_on.lines().any(|line| series(line) == metric), "{metric}: {handed_on}");
        }
    }
}
