//! A scratch folder in which the binary runs as a user would run it, and decks to feed it.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// An audit key whose first 3,000 decks pass.
pub const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Statistics of batches, of segments, of the first decks and of windows that a plan draws, on all views, and the search for equal decks.
pub const ONE_OF_EACH_SCOPE: &str =
    "card-place,cycles,halves,echoes,spectral-windows,kolmogorov-smirnov,spectral-later,duplicates";

/// The triggers of a record of days, as somebody who took them out can put them back.
pub const TRIGGERS: &str = "CREATE TRIGGER IF NOT EXISTS no_update BEFORE UPDATE ON day \
    BEGIN SELECT RAISE(ABORT, 'rows are never rewritten'); END; \
    CREATE TRIGGER IF NOT EXISTS no_delete BEFORE DELETE ON day \
    BEGIN SELECT RAISE(ABORT, 'rows are never rewritten'); END;";

/// What a run of the program printed, and its exit code.
pub struct Output {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<process::Output> for Output {
    fn from(output: process::Output) -> Output {
        Output {
            code: output.status.code().expect("no signal ended it"),
            out: String::from_utf8(output.stdout).expect("it prints UTF-8"),
            err: String::from_utf8(output.stderr).expect("it prints UTF-8"),
        }
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.out, self.err)
    }
}

impl Output {
    /// The same, of a run that must end with this exit code.
    #[track_caller]
    pub fn ends(self, code: i32) -> Output {
        assert_eq!(self.code, code, "{self}");
        self
    }

    /// The same, of a run that may end with any of these.
    #[track_caller]
    pub fn ends_in(self, codes: &[i32]) -> Output {
        assert!(codes.contains(&self.code), "{}: {self}", self.code);
        self
    }

    /// The same, of a run that must say nothing but why: exit code 2, and standard output is empty.
    #[track_caller]
    pub fn refused(self) -> Output {
        assert_eq!(self.out, "", "{self}");
        self.ends(2)
    }

    #[track_caller]
    fn must(&self, holds: bool, do_what: &str, text: &str) -> &Output {
        assert!(holds, "it must {do_what} {text:?}: {self}");
        self
    }

    /// Standard output must begin so.
    #[track_caller]
    pub fn must_begin(&self, text: &str) -> &Output {
        self.must(self.out.starts_with(text), "begin with", text)
    }

    /// This must stand on standard output.
    #[track_caller]
    pub fn must_print(&self, text: &str) -> &Output {
        self.must(self.prints(text), "print", text)
    }

    #[track_caller]
    pub fn must_not_print(&self, text: &str) -> &Output {
        self.must(!self.prints(text), "not print", text)
    }

    /// This must stand on standard output, perhaps on several lines.
    #[track_caller]
    pub fn must_tell(&self, text: &str) -> &Output {
        let words = self.out.split_whitespace().collect::<Vec<_>>().join(" ");
        self.must(self.flat().contains(text) || words.contains(text), "tell", text)
    }

    /// This must stand on standard error.
    #[track_caller]
    pub fn must_warn(&self, text: &str) -> &Output {
        self.must(self.warns(text), "warn", text)
    }

    #[track_caller]
    pub fn must_not_warn(&self, text: &str) -> &Output {
        self.must(!self.warns(text), "not warn", text)
    }

    /// Whether this stands on standard output.
    pub fn prints(&self, text: &str) -> bool {
        self.out.contains(text)
    }

    /// Whether this stands on standard error.
    pub fn warns(&self, text: &str) -> bool {
        self.err.contains(text)
    }

    /// Standard output, one value of JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// What was printed, with lines that go on below joined again.
    pub fn flat(&self) -> String {
        self.out.replace("\n  ", " ")
    }

    /// The line of a mail that begins so, joined again.
    pub fn line(&self, begins: &str) -> String {
        let flat = self.flat();
        let line = flat.lines().find(|line| line.starts_with(begins));
        line.unwrap_or_else(|| panic!("no line {begins}: {self}")).to_owned()
    }
}

/// The binary under test.
pub fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_deckproof"))
}

/// A command line as its arguments.
pub fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Runs where the tests run.
pub fn deckproof<S: AsRef<OsStr>>(arguments: &[S]) -> Output {
    deckproof_with(arguments, "")
}

/// The same with bytes on standard input.
pub fn deckproof_with<S: AsRef<OsStr>>(arguments: &[S], stdin: impl Into<Vec<u8>>) -> Output {
    let mut command = assert_cmd::Command::new(binary());
    Output::from(command.args(arguments).write_stdin(stdin).output().expect("it runs"))
}

/// Standard output, one value of JSON a line.
pub fn json_lines(output: &Output) -> Vec<Value> {
    output.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// A folder of its own for every test.
pub struct Lab(TempDir);

impl Lab {
    pub fn new() -> Lab {
        Lab(TempDir::new().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).current_dir(self.0.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, b"")
    }

    /// Runs with bytes on standard input, which the program need not read.
    pub fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Output {
        let mut child = self.command(arguments).spawn().expect("it runs");
        let mut pipe = child.stdin.take().expect("piped");
        let bytes = stdin.to_vec();
        let feeder = std::thread::spawn(move || pipe.write_all(&bytes));
        let output = child.wait_with_output().expect("it ends");
        // A program that has what it wants closes the pipe, and the feeder's error says no more.
        let _ = feeder.join().expect("it does not panic");
        Output::from(output)
    }

    /// The daily check of a day, by the configuration in `daily.toml`.
    pub fn night(&self, date: &str, more: &[&str]) -> Output {
        self.run(&[&["daily", "--config", "daily.toml", "--date", date], more].concat())
    }

    pub fn shell(&self, line: &str) -> Output {
        let output = Command::new("bash").args(["-c", line]).current_dir(self.0.path()).output();
        Output::from(output.expect("there is a shell"))
    }

    /// Runs a line as somebody types it who has the program in the path.
    pub fn typed(&self, line: &str, variables: &[(&str, &str)]) -> Output {
        let folder = binary().parent().expect("it lies in a folder").display();
        let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(self.0.path()).env("PATH", path);
        shell.envs(variables.iter().copied()).output().expect("a shell").into()
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(path, bytes).expect("writable");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// How many files and folders are in a folder.
    pub fn count(&self, folder: &str) -> usize {
        fs::read_dir(self.0.path().join(folder)).expect("a folder").count()
    }

    pub fn exists(&self, name: &str) -> bool {
        self.0.path().join(name).exists()
    }

    pub fn remove(&self, name: &str) {
        fs::remove_dir_all(self.0.path().join(name)).expect("it is there");
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn certificate(&self, folder: &str) -> Value {
        self.json(&format!("{folder}/certificate.json"))
    }

    /// Everything at the top of the folder and one below, except scratch inputs: where results can be.
    pub fn files(&self) -> Vec<PathBuf> {
        let folders =
            fs::read_dir(self.0.path()).expect("readable").map(|entry| entry.expect("entry").path());
        let folders = folders.filter(|path| path.join("certificate.json").exists());
        folders.map(|path| path.join("certificate.json")).collect()
    }
}

/// Kills a program at work: one that ended by itself was not killed.
pub fn kill(mut child: Child) {
    child.kill().expect("it can be killed");
    let output = child.wait_with_output().expect("it is gone");
    assert_eq!(output.status.code(), None, "it ended: {}", String::from_utf8_lossy(&output.stderr));
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Deck number `n` of a Fisher-Yates shuffle on SplitMix64 (Steele, Lea and Flood 2014), written here
/// apart from the crate: fair enough for small samples.
pub fn deck(n: u64) -> [u8; 52] {
    let mut state = n.wrapping_mul(0xd134_2543_de82_ef95);
    let mut deck: [u8; 52] = std::array::from_fn(|card| card as u8);
    for last in (1..52).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        deck.swap(last, ((u128::from(word) * (last as u128 + 1)) >> 64) as usize);
    }
    deck
}

/// Deck number `n` with this card and that of a place exchanged.
pub fn deck_with(card: u8, place: usize, n: u64) -> [u8; 52] {
    let mut deck = deck(n);
    let own = deck.iter().position(|&other| other == card).expect("it is there");
    deck.swap(place, own);
    deck
}

/// `51 3 27 …` with its line feed.
pub fn index_line(numbers: &[u8]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
    numbers.join(" ") + "\n"
}

/// No deck: its first card comes twice, and the last one is missing.
pub fn one_twice() -> [u8; 52] {
    std::array::from_fn(|place| place.saturating_sub(1) as u8)
}

/// `As 2d 8s …` with its line feed.
pub fn card_line(numbers: &[u8]) -> String {
    let card = |&number: &u8| {
        let letter = |letters: &[u8], at: u8| char::from(letters[usize::from(at)]);
        format!("{}{}", letter(b"23456789TJQKA", number / 4), letter(b"cdhs", number % 4))
    };
    numbers.iter().map(card).collect::<Vec<_>>().join(" ") + "\n"
}

/// Decks of these numbers, one a line.
pub fn lines(decks: impl IntoIterator<Item = u64>) -> String {
    decks.into_iter().map(|n| index_line(&deck(n))).collect()
}

/// Decks, one a line, of which number `bad` (from 1) is replaced.
pub fn lines_with(decks: u64, bad: u64, replaced: &str) -> String {
    (1..=decks).map(|n| if n == bad { format!("{replaced}\n") } else { index_line(&deck(n)) }).collect()
}

/// A run that ends so and says this, perhaps on several lines; it repeats no key and steers no terminal.
#[track_caller]
pub fn check(output: &Output, code: i32, shown: &str) {
    let both = output.to_string();
    assert_eq!(output.code, code, "{both}");
    let flat = both.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(shown), "{shown:?}: {both}");
    let is_clean = ["PRIVATE+KEY", "panicked", "\u{1b}"].iter().all(|text| !both.contains(text));
    assert!(is_clean, "{both}");
}

/// A run that could not say: exit 2, nothing on standard output but the refusal where JSON is wanted, no certificate.
pub fn check_says_nothing(lab: &Lab, output: &Output, named: &str, out: &str) {
    assert_eq!(output.code, 2, "{output}");
    let is_refusal =
        output.out.starts_with("{\"format\":\"deckproof/refusal/v1\",\"result\":\"could not say\"");
    assert!(output.out.is_empty() || is_refusal, "{output}");
    assert!(output.err.contains(named), "{named:?} is not in {:?}", output.err);
    assert!(!output.err.contains("panicked"), "{output}");
    assert!(!lab.files().iter().any(|file| file.ends_with("certificate.json")), "{:?}", lab.files());
    if !out.is_empty() {
        assert!(!lab.exists(out), "{out} is left behind");
    }
}
