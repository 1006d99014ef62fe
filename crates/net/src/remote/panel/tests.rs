//! A silent witness beside one that answers: what a round waits for, and for how long nobody is asked.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::*;
use deckproof_table::log_folder::Log;
use deckproof_verify::log::note::Note;
use deckproof_verify::log::vkey::{KeyKind, Signer};

const ORIGIN: &str = "stud.example/log1";
const TIME: u64 = 1_795_000_000;

struct Room {
    _folder: tempfile::TempDir,
    log: PathBuf,
    note: String,
    key: Signer,
}

fn room() -> Room {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let signer = Signer::from_seed(ORIGIN, KeyKind::Log, &[7; 32]).expect("a name");
    Log::init(&log, &signer).expect("a new log");
    let note = std::fs::read_to_string(log.join("checkpoint")).expect("readable");
    let key = Signer::from_seed("witness.example/w1", KeyKind::Witness, &[8; 32]).expect("a name");
    Room { _folder: folder, log, note, key }
}

impl Room {
    fn question(&self, wait: Duration) -> PanelQuestion {
        PanelQuestion {
            log: self.log.clone(),
            note: self.note.clone(),
            keys: Arc::new(vec![self.key.vkey()]),
            until: Instant::now() + wait,
            now: || TIME,
        }
    }

    /// A witness that cosigns whatever it is asked, so many times.
    fn cosigning(&self, times: usize) -> Address {
        let note = Note::parse(&self.note).expect("a note");
        let line = self.key.cosign(&note.text, TIME).to_string() + "\n";
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let place = address(&listener);
        thread::spawn(move || {
            for _ in 0..times {
                let (stream, _) = listener.accept().expect("a client");
                reply(stream, &line);
            }
        });
        place
    }
}

fn address(listener: &TcpListener) -> Address {
    Address::parse(&format!("http://{}", listener.local_addr().expect("a port"))).expect("an address")
}

fn reply(mut stream: TcpStream, body: &str) {
    let mut asked = [0; 4096];
    let _ = stream.read(&mut asked);
    let length = body.len();
    let answer = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
    let _ = stream.write_all(answer.as_bytes());
}

/// What happened, in words.
fn ask(panel: &mut WitnessPanel, question: &PanelQuestion, quorum: usize) -> (usize, Vec<&'static str>) {
    let mut news = Vec::new();
    let report = |one: &PanelNews| {
        news.push(match one {
            PanelNews::Failed(_) => "failed",
            PanelNews::LeftOut(..) => "left out",
            PanelNews::Back(_) => "back",
        });
    };
    let lines = panel.ask(question, |lines| lines.len() >= quorum, report);
    (lines.len(), news)
}

/// The wait is an hour: a round that waited for the silent one would not end.
#[test]
fn a_round_ends_with_its_quorum_and_waits_for_nobody_else() {
    let room = room();
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut panel = WitnessPanel::of(vec![address(&silent), room.cosigning(3)]).expect("threads");
    for _ in 0..3 {
        let asked = ask(&mut panel, &room.question(Duration::from_secs(3600)), 1);
        assert_eq!(asked, (1, vec![]));
    }
    assert!(panel.left_out().is_empty(), "nobody waited for it");
}

#[test]
fn a_silent_witness_costs_one_wait_and_is_then_left_out_until_it_answers() {
    let room = room();
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut panel = WitnessPanel::of(vec![address(&silent), room.cosigning(3)]).expect("threads");
    // Longer than what is no silence, so that it does not matter who sees the end of it first: the panel, or who asked.
    let (lines, news) = ask(&mut panel, &room.question(QUICK + Duration::from_millis(500)), 2);
    assert_eq!((lines, news.last()), (1, Some(&"left out")));
    assert_eq!(panel.left_out(), [address(&silent)]);
    // The next round needs it as well, and does not wait an hour for it.
    let (lines, _) = ask(&mut panel, &room.question(Duration::from_secs(3600)), 2);
    assert_eq!(lines, 1);
    // Its time is over, and it answers again.
    let member = &mut panel.members[0];
    let (_, pause) = member.out.expect("it is left out");
    assert_eq!(pause, PAUSE);
    member.out = Some((Instant::now(), pause));
    let line = room.key.cosign(&Note::parse(&room.note).expect("a note").text, TIME).to_string() + "\n";
    let answering = thread::spawn(move || {
        // The question of the first round, which nobody waits for any more, and that of this one.
        for stream in silent.incoming().take(2) {
            reply(stream.expect("a client"), &line);
        }
    });
    let (mut lines, mut all_news) = (0, Vec::new());
    while !all_news.contains(&"back") {
        let (some, news) = ask(&mut panel, &room.question(Duration::from_secs(3600)), 1);
        lines += some;
        all_news.extend(news);
    }
    assert!(lines > 0 && panel.left_out().is_empty());
    drop(panel);
    drop(answering);
}

#[test]
fn each_silence_doubles_the_pause_up_to_the_most_and_a_refusal_is_no_silence() {
    let room = room();
    let gone = address(&TcpListener::bind("127.0.0.1:0").expect("a port"));
    let mut panel = WitnessPanel::of(vec![gone]).expect("threads");
    let (lines, news) = ask(&mut panel, &room.question(Duration::from_secs(3600)), 1);
    assert_eq!((lines, news), (0, vec!["failed"]));
    assert!(panel.left_out().is_empty());
    let mut pauses = Vec::new();
    for _ in 0..6 {
        panel.members[0].out = panel.members[0].out.map(|(_, pause)| (Instant::now(), pause));
        panel.leave_out(0, &mut |_| {});
        pauses.push(panel.members[0].out.expect("it is left out").1.as_secs());
    }
    assert_eq!(pauses, [5, 10, 20, 40, 60, 60]);
}
