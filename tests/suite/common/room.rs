//! A room whose tables `deckproof serve` keeps, and a poker server that calls it line by line.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use deckproof::commitment::cut::seed_commitment;
use deckproof::commitment::digest::Digest;
use deckproof::key::HandContext;
use serde_json::{Value, json};

use crate::common::folder::files;
use crate::common::lab::{Lab, Output};

/// The log of every room.
pub const ORIGIN: &str = "stud.example/log1";

/// A folder with a log, its key, a trust file, and perhaps a service.
pub struct Room {
    pub lab: Lab,
}

/// A running service and its two pipes.
pub struct Served {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Room {
    /// A room before its first hand.
    pub fn new() -> Room {
        let room = Room { lab: Lab::new() };
        let init =
            ["log", "init", "room/log", "--origin", ORIGIN, "--key", "log.key", "--trust", "trust.json"];
        room.run(&init).ends(0);
        room
    }

    /// A file of the room.
    pub fn path(&self, name: &str) -> PathBuf {
        self.lab.path(name).into()
    }

    /// The program, typed in the folder of the room.
    pub fn command(&self, words: &[&str]) -> Command {
        self.lab.command(words)
    }

    /// What the program says.
    pub fn run(&self, words: &[&str]) -> Output {
        self.lab.run(words)
    }

    /// The whole log as an auditor reads it, from its public files alone.
    pub fn scan(&self, more: &[&str]) -> Output {
        self.run(&[&["log", "scan", "room/log", "--trust", "trust.json"], more].concat()).ends(0)
    }

    /// The service on two pipes.
    pub fn serve(&self, more: &[&str]) -> Served {
        let words = [&["serve", "room", "--log-key", "log.key", "--lines"], more].concat();
        Served::start(&mut self.command(&words))
    }

    /// Every file below a folder, with its bytes.
    pub fn files(&self, below: &str) -> Vec<(PathBuf, Vec<u8>)> {
        // A socket holds nothing.
        let files = files(&self.path(below)).into_iter().filter(|path| path.is_file());
        files.map(|path| (path.clone(), fs::read(path).expect("readable"))).collect()
    }

    /// The keys of all hands, as the journal holds them.
    pub fn hand_keys(&self) -> Vec<String> {
        let mut keys = Vec::new();
        for (_, bytes) in self.files("room/secret/journal") {
            let text = String::from_utf8_lossy(&bytes);
            let after = text.split("\"key\":\"").skip(1).filter_map(|rest| rest.get(..64));
            keys.extend(after.filter(|key| !key.contains('"')).map(str::to_owned));
        }
        keys
    }
}

impl Served {
    /// Starts a service whose pipes are ours.
    pub fn start(command: &mut Command) -> Served {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        Served { child, input, output: BufReader::new(output) }
    }

    /// One call and its answer.
    pub fn try_ask(&mut self, line: &str) -> io::Result<String> {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").and_then(|()| input.flush())?;
        let mut answer = String::new();
        match self.output.read_line(&mut answer)? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the service is gone")),
            _ => Ok(answer),
        }
    }

    /// One call and its answer, of a service that lives.
    pub fn ask(&mut self, line: &str) -> String {
        self.try_ask(line).expect("the service lives")
    }

    /// One call that must be carried out.
    pub fn done(&mut self, call: &Value) -> Value {
        let answer: Value = serde_json::from_str(&self.ask(&call.to_string())).expect("JSON");
        assert!(answer.get("error").is_none(), "{call}: {answer}");
        answer
    }

    /// Calls that must all be carried out, and their answers.
    pub fn play(&mut self, calls: &[Value]) -> Vec<Value> {
        calls.iter().map(|call| self.done(call)).collect()
    }

    /// Calls that were answered before are answered with the same bytes.
    pub fn check_again(&mut self, made: &[(Value, String)]) {
        for (call, answer) in made {
            assert_eq!(self.ask(&call.to_string()), *answer, "{call}");
        }
    }

    /// The word of a call that must be refused.
    pub fn refused(&mut self, call: &Value) -> String {
        let answer: Value = serde_json::from_str(&self.ask(&call.to_string())).expect("JSON");
        answer["error"].as_str().unwrap_or_else(|| panic!("{call}: {answer}")).to_owned()
    }

    /// Kills it as a power cut would, as far as a process can be.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// The process, to be killed by another thread.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the input; then all that the service said on standard error, and its exit code.
    pub fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        let output = self.child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// A call with its place: this step of this hand.
pub fn at(table: &str, number: u64, step: u64, mut call: Value) -> Value {
    for (key, value) in [("table", json!(table)), ("hand", json!(number)), ("step", json!(step))] {
        call[key] = value;
    }
    call
}

/// The call for the bundle of a hand of the table T-1: that of a seat, or the full one.
pub fn bundle(number: u64, seat: Option<u8>) -> Value {
    match seat {
        Some(seat) => json!({ "call": "bundle", "table": "T-1", "hand": number, "seat": seat }),
        None => json!({ "call": "bundle", "table": "T-1", "hand": number, "full": true }),
    }
}

/// The calls of one hand, each complete; the seeds come from the hand's number.
pub fn hand(table: &str, number: u64, rules: &str, mix: &str, deck: Option<&[String]>) -> Vec<Value> {
    let seed = |seat: u8| Digest::of(format!("seed {table} {number} {seat}"));
    let context = HandContext::new(ORIGIN, table, number, mix);
    let commit = |seat: u8| seed_commitment(&context, seat, &seed(seat)).to_string();
    let commits = json!({ "2": commit(2), "5": commit(5) });
    let mut calls = vec![json!({ "call": "commit", "mix": mix })];
    if let Some(deck) = deck {
        calls[0]["deck"] = json!(deck);
    }
    calls.push(json!({ "call": "open", "rules": rules, "seats": [4, 5, 7, 2] }));
    if mix == "players" {
        calls[1]["commits"] = commits;
        calls.push(json!({ "call": "cut", "seeds": { "2": seed(2).to_string(), "5": seed(5).to_string() } }));
    }
    for live in [json!([4, 5, 7, 2]), json!([4, 5, 2]), json!([5, 2])] {
        calls.push(json!({ "call": "street", "live": live }));
        calls.push(json!({ "call": "event", "seat": 5, "what": "time-out", "at": 1_800_000_000 + number }));
    }
    calls.push(json!({ "call": "close", "shown_down": [5] }));
    (1..).zip(calls).map(|(step, call)| at(table, number, step, call)).collect()
}
