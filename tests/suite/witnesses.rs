//! Witnesses over HTTP: served ones that cosign a log, and lost, slow, lying and rolled-back ones.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

use deckproof::log::note::Note;
use deckproof::log::vkey::Signer;
use deckproof::log_folder::Log;
use serde_json::json;

use crate::common::folder::copy;
use crate::common::hands_log::{ORIGIN, hands};
use crate::common::lab::{Lab, Output, check, words};
use crate::common::peer::{Answered, answer, exchange, is_whole, nobody, peer, request};
use crate::common::room::{self, at, bundle, hand};
use crate::common::running::Service;

/// Serves the witness of a name; with `first` it never cosigned the log.
fn serve(lab: &Lab, name: &str, more: &[&str]) -> Service {
    let key = format!("{name}.key");
    let words = ["log", "witness", "serve", name, "--key", &key, "--trust", "trust.json"];
    Service::start(&mut lab.command(&[&words, more].concat()))
}

const PORT: [&str; 2] = ["--listen", "127.0.0.1:0"];

const FIRST: [&str; 4] = ["--listen", "127.0.0.1:0", "--first", ORIGIN];

/// A log of two hands, with witnesses of these names, so many of whom are a quorum.
fn begin(names: &[&str], quorum: u64) -> Lab {
    let lab = Lab::new();
    let init = ["log", "init", "log", "--origin", ORIGIN, "--key", "log.key", "--trust", "trust.json"];
    check(&lab.run(&init), 0, ORIGIN);
    add(&lab, "log", &hands("T-1", 2));
    for name in names {
        let (full, key) = (format!("{name}.example/w"), format!("{name}.key"));
        check(
            &lab.run(&["log", "cosign", "--init", &full, "--key", &key, "--trust", "trust.json"]),
            0,
            &full,
        );
    }
    let mut trust = lab.json("trust.json");
    trust["quorum"] = json!(quorum);
    lab.write("trust.json", trust.to_string());
    lab
}

fn add(lab: &Lab, log: &str, entries: &[String]) {
    lab.write("entries", entries.concat());
    check(&lab.run(&["log", "append", log, "entries", "--key", "log.key"]), 0, "entries added");
}

/// Asks witnesses to cosign the log.
fn ask(lab: &Lab, log: &str, places: &[&str]) -> Output {
    let witnesses: Vec<&str> = places.iter().flat_map(|place| ["--witness", place]).collect();
    lab.run(&[&["log", "checkpoint", log, "--trust", "trust.json", "--wait", "2"], &witnesses[..]].concat())
}

/// The state of a witness.
fn state(lab: &Lab, name: &str) -> String {
    let entries = fs::read_dir(lab.path(name)).expect("a folder").filter_map(Result::ok);
    let mut folders = entries.filter(|entry| entry.path().is_dir());
    folders.next().expect("a log").path().join("checkpoint").display().to_string()
}

#[test]
fn a_log_is_cosigned_by_two_served_witnesses_and_again_when_it_grew() {
    let lab = begin(&["w1", "w2"], 2);
    let (w1, w2) = (serve(&lab, "w1", &FIRST), serve(&lab, "w2", &FIRST));
    let output = ask(&lab, "log", &[&w1.place, &w2.place]);
    check(&output, 0, &format!("witness {}: cosigned by w1.example/w", w1.place));
    assert_eq!(output.out, lab.text("log/checkpoint"), "what it prints is published");
    check(&lab.run(&["log", "scan", "log", "--trust", "trust.json"]), 0, "by a quorum of witnesses");
    // Asked again, they cosign again; the earlier lines stay.
    let again = ask(&lab, "log", &[&w1.place, &w2.place]);
    check(&again, 0, "cosigned by");
    assert_eq!(again.out, output.out);
    // One alone is no quorum, and is not lost.
    add(&lab, "log", &hands("T-1", 4)[6..]);
    let old = fs::read(state(&lab, "w1")).expect("readable");
    let output = ask(&lab, "log", &[&w1.place]);
    check(&output, 2, "the quorum of the trust file has not cosigned");
    output.must_print("\u{2014} w1.example/w ").must_not_print("w2.example/w");
    check(&ask(&lab, "log", &[&w2.place]), 0, "cosigned by w2.example/w");
    // What a monitor reads is what was cosigned, also after a kill.
    drop(w1);
    let w1 = serve(&lab, "w1", &PORT);
    let hash = Path::new(&state(&lab, "w1")).parent().and_then(Path::file_name).expect("a hash").to_owned();
    let path = format!("/{}/checkpoint", hash.to_string_lossy());
    let answered = exchange(tcp(&w1.place), &request("GET", &path, "", ""));
    let (note, published) = (Note::parse(&answered.text()).expect("a note"), lab.text("log/checkpoint"));
    let published = Note::parse(&published).expect("a note");
    let wanted = (200, &published.text, &published.signatures[..2]);
    assert_eq!((answered.0, &note.text, &note.signatures[..]), wanted);
    // Its disk was restored from the day before: it says so by its size, and the proof starts there.
    drop(w1);
    fs::write(state(&lab, "w1"), old).expect("writable");
    let w1 = serve(&lab, "w1", &PORT);
    add(&lab, "log", &hands("T-1", 6)[12..]);
    check(&ask(&lab, "log", &[&w1.place, &w2.place]), 0, "cosigned by w1.example/w");
    check(&lab.run(&["log", "scan", "log", "--trust", "trust.json"]), 0, "by a quorum of witnesses");
    // The file command and the service keep one state.
    lab.write("request", lab.run(&["log", "prove", "log", "--from", "18"]).out);
    drop(w1);
    let path = state(&lab, "w1");
    let cosign = ["log", "cosign", "request", "--trust", "trust.json", "--key", "w1.key", "--state", &path];
    check(&lab.run(&cosign), 0, "w1.example/w");
}

#[test]
fn a_rolled_back_and_a_forked_log_are_refused_by_name_of_what_happened() {
    let lab = begin(&["w1"], 1);
    let w1 = serve(&lab, "w1", &FIRST);
    copy(lab.path("log").as_ref(), lab.path("before").as_ref());
    add(&lab, "log", &hands("T-1", 4)[6..]);
    check(&ask(&lab, "log", &[&w1.place]), 0, "cosigned by");
    let before = fs::read(state(&lab, "w1")).expect("readable");
    let output = ask(&lab, "before", &[&w1.place]);
    check(
        &output,
        1,
        "cosigned a tree of 12 entries, the log has 6: the log was rolled back, or what answered there is wrong",
    );
    output.must_not_print("w1.example/w");
    add(&lab, "before", &hands("T-9", 3));
    check(
        &ask(&lab, "before", &[&w1.place]),
        1,
        "the log was forked, or what answered there is wrong; it signed nothing",
    );
    // Beside another writer nobody is asked, for what a witness gave could not be kept.
    add(&lab, "log", &hands("T-1", 6)[12..]);
    let writer = Log::open(lab.path("log").as_ref()).expect("a log");
    check(&ask(&lab, "log", &[&w1.place]), 2, "log");
    drop(writer);
    assert_eq!(fs::read(state(&lab, "w1")).expect("readable"), before, "what was cosigned stays");
    // Another log of another name.
    let init =
        ["log", "init", "other", "--origin", "stud.example/log2", "--key", "other.key", "--trust", "t2"];
    check(&lab.run(&init), 0, "log2");
    let asked = ["log", "checkpoint", "other", "--trust", "t2", "--witness", &w1.place];
    check(&lab.run(&asked), 2, "it does not watch the log stud.example/log2");
}

fn size(size: &str) -> Vec<u8> {
    answer("409", "Content-Type: text/x.tlog.size\r\n", size)
}

#[test]
fn lost_slow_and_lying_witnesses_are_named_and_what_they_say_is_not_taken() {
    let lab = begin(&["w1", "w2"], 1);
    let signer = |name: &str| {
        let text = lab.text(name);
        Signer::parse(text.trim()).expect("a key")
    };
    let note = Note::parse(&lab.text("log/checkpoint")).expect("a note");
    let other = note.text.replacen("\n6\n", "\n7\n", 1);
    let now = std::time::UNIX_EPOCH.elapsed().expect("after 1970").as_secs();
    let w1 = signer("w1.key");
    let line = |text: &str, time: u64| format!("{}\n", w1.cosign(text, time));
    let good = line(&note.text, now);
    let stranger = Signer::from_seed("w1.example/w", w1.kind(), &[7; 32]).expect("a name");
    let by_stranger = format!("{}\n", stranger.cosign(&note.text, now));
    let published = lab.read("log/checkpoint");
    let nothing = |answers: Vec<Vec<u8>>, code: i32, shown: &str| {
        let (place, _asked) = peer(answers);
        let output = ask(&lab, "log", &[&place]);
        check(&output, code, shown);
        output.must_warn(&place);
        assert!(lab.read("log/checkpoint") == published, "nothing is put on the checkpoint: {shown}");
    };
    let given = |body: &str| answer("200", "", body);
    for (given, shown) in [
        (given(&line(&other, now)), "the cosignature of w1.example/w does not verify"),
        (given(&(good.clone() + &line(&other, now))), "does not verify"),
        (given(&by_stranger), "wanted a cosignature of a witness of the trust file"),
        (given(""), "wanted a cosignature"),
        (given("<html>\u{1b}[2J\u{202e}"), r"<html>\u001b[2J\u202e"),
        (given(&good[..good.len() - 8]), "wanted a cosignature"),
        (given(&line(&note.text, now - 9_000)), "bears the time"),
        (given(&line(&note.text, now + 9_000)), "bears the time"),
        (given(&line(&note.text, 0)), "bears the time 0"),
        (given(&good.repeat(1_000)), "an answer of more than 65536 bytes"),
        (b"HTTP/1.1 200 X\r\nContent-Length: 900\r\n\r\nshort".to_vec(), "no answer"),
        (b"SSH-2.0-OpenSSH\r\n".to_vec(), "no answer"),
        (Vec::new(), "no answer"),
        (format!("HTTP/1.1 200 X\r\nX: {}\r\n\r\n", "x".repeat(100_000)).into_bytes(), "no answer"),
        (answer("403", "", "I do not know you\u{7}"), r"found status 403 (I do not know you\u0007)"),
        (answer("500", "", ""), "found status 500"),
        (size("0\n"), "found status 409 with \"0\""),
        (size("six\n"), "found status 409 with \"six\""),
        (size("03\n"), "wanted the size of the tree it cosigned last"),
        (size("3"), "wanted the size"),
    ] {
        nothing(vec![given], 2, shown);
    }
    let others = vec![size("3\n"), size("2\n"), size("4\n"), size("5\n")];
    nothing(others, 2, "it names another tree with each question");
    nothing(vec![size("99\n")], 1, "cosigned a tree of 99 entries, the log has 6");
    let refused = vec![size("3\n"), answer("422", "", "no")];
    nothing(refused, 1, "refuses the tree of 6 entries as another than it cosigned at 3 (no)");
    // A redirect leads nowhere: whoever it names is not asked.
    let (elsewhere, asked) = peer(vec![answer("200", "", &good)]);
    for status in ["301", "302", "307", "308"] {
        let (place, _asked) =
            peer(vec![answer(status, &format!("Location: {elsewhere}/add-checkpoint\r\n"), "")]);
        check(&ask(&lab, "log", &[&place]), 2, &format!("found status {status}"));
    }
    assert!(asked.try_recv().is_err(), "nobody went there");
    // Lost: nobody listens. Slow: somebody accepts and says nothing.
    let lost = nobody();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let slow = format!("http://{}", listener.local_addr().expect("a port"));
    let output = ask(&lab, "log", &[&lost, &slow]);
    check(&output, 2, &format!("witness {lost}: no answer: "));
    check(&output, 2, &format!("witness {slow}: no answer in time"));
    // Of three, the one that is sound suffices, and the others are named.
    let w2 = serve(&lab, "w2", &FIRST);
    let (liar, _asked) = peer(vec![answer("200", "", &line(&other, now))]);
    let output = ask(&lab, "log", &[&lost, &liar, &w2.place]);
    check(&output, 0, "does not verify");
    output.must_print("\u{2014} w2.example/w ").must_not_print("w1.example/w");
    // A line of a key that nobody named beside a good one is passed over, and what is asked is what the specification has.
    let (place, asked) = peer(vec![size("3\n"), given(&(by_stranger + &good))]);
    check(&ask(&lab, "log", &[&place]), 0, "cosigned by w1.example/w");
    let [first, second] = [(); 2].map(|()| String::from_utf8(asked.recv().expect("asked")).expect("text"));
    assert!(
        first.starts_with("POST /add-checkpoint HTTP/1.1\r\n")
            && first.contains("\r\n\r\nold 0\n\nstud.example/log1\n6\n"),
        "{first}"
    );
    assert!(second.contains("\r\n\r\nold 3\n") && second.contains("=\n\nstud.example/log1\n6\n"), "{second}");
    // What is no address is refused before anybody is asked, and a password in it is not repeated.
    let output = ask(&lab, "log", &["http://operator:secret@w.example"]);
    check(&output, 2, "wanted an address such as");
    output.must_not_warn("secret");
}

fn tcp(place: &str) -> TcpStream {
    TcpStream::connect(place.strip_prefix("http://").expect("a port")).expect("it listens")
}

#[test]
fn a_served_witness_answers_as_the_specification_says_and_is_kept_up_by_nobody() {
    let lab = begin(&["w1"], 1);
    let served = serve(&lab, "w1", &["--first", ORIGIN]);
    let socket = lab.path("w1/socket");
    assert_eq!(fs::metadata(&socket).expect("it is there").permissions().mode() & 0o777, 0o600);
    let ask = |bytes: &[u8]| exchange(UnixStream::connect(&socket).expect("it listens"), bytes);
    // Clients that stop in the middle of a head or a body keep nobody waiting.
    let mut stuck: Vec<UnixStream> = Vec::new();
    for begun in [
        "POST /add-checkpoint HTTP/1.1\r\nHo",
        "POST /add-checkpoint HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\nold 0\n",
    ] {
        let mut stream = UnixStream::connect(&socket).expect("it listens");
        stream.write_all(begun.as_bytes()).expect("it reads");
        stuck.push(stream);
    }
    let asked = lab.run(&["log", "prove", "log", "--from", "0"]).out;
    let post = |body: &str| ask(&request("POST", "/add-checkpoint", "", body));
    for (method, path, body, status) in [
        ("GET", "/add-checkpoint", "", 405),
        ("PUT", "/add-checkpoint", &*asked, 405),
        ("POST", "/add-checkpoint?x", &asked, 404),
        ("POST", "/sign-subtree", &asked, 404),
        ("GET", "/health", "", 200),
        ("GET", "/", "", 404),
        ("GET", "/w1.key", "", 404),
        ("GET", "/../w1.key/checkpoint", "", 404),
        ("GET", "/00/checkpoint", "", 404),
        ("POST", "/add-checkpoint", "", 400),
        ("POST", "/add-checkpoint", &"x".repeat(100_000), 413),
        ("POST", "/add-checkpoint", &asked.replace(ORIGIN, "stud.example/log2"), 404),
        ("POST", "/add-checkpoint", &asked.replacen("\n6\n", "\n5\n", 1), 403),
        ("POST", "/add-checkpoint", &asked.replacen("old 0", "old 3", 1), 409),
    ] {
        let answered = ask(&request(method, path, "", body));
        assert_eq!(answered.0, status, "{method} {path}: {}", answered.text());
        assert!(answered.1.contains("nosniff"), "{}", answered.1);
    }
    let Answered(status, head, body) = post(&asked.replacen("old 0", "old 3", 1));
    assert!(status == 409 && body == b"0\n" && head.contains("content-type: text/x.tlog.size"), "{head}");
    let answered = post(&asked);
    assert_eq!(answered.0, 200, "{}", answered.text());
    lab.write("line", &answered.2);
    let put = ["log", "checkpoint", "log", "--trust", "trust.json", "--cosigned", "line"];
    check(&lab.run(&put), 0, "\u{2014} w1.example/w ");
    // A second service of one folder, a log's key, and a folder that was lost.
    let words = ["log", "witness", "serve", "w1", "--key", "w1.key", "--trust", "trust.json"];
    check(&lab.run(&words), 2, "another run of this program is using it");
    drop(served);
    check(&lab.run(&[&words[..], &["--first", ORIGIN]].concat()), 2, "you have cosigned this log");
    check(
        &lab.run(&["log", "witness", "serve", "new", "--key", "w1.key", "--trust", "trust.json"]),
        2,
        "must not cosign it again",
    );
    check(
        &lab.run(&["log", "witness", "serve", "w1", "--key", "log.key", "--trust", "trust.json"]),
        2,
        "a log's key cannot cosign",
    );
    let outside = lab.run(&[&words[..], &["--listen", "0.0.0.0:0"]].concat());
    check(&outside, 2, "wanted a port of this machine");
}

/// What the state holds is on the disk before the answer: a witness that is killed at once has it.
#[test]
fn what_was_answered_outlives_a_kill() {
    let lab = begin(&["w1"], 1);
    let mut more = &FIRST[..];
    for hands_total in 2..8 {
        let mut w1 = serve(&lab, "w1", more);
        check(&ask(&lab, "log", &[&w1.place]), 0, "cosigned by");
        w1.program.0.kill().expect("it runs");
        more = &PORT;
        let kept = fs::read_to_string(state(&lab, "w1")).expect("readable");
        assert_eq!(kept.lines().nth(1), Some(&*(3 * hands_total).to_string()), "{kept}");
        add(&lab, "log", &hands("T-1", hands_total + 1)[3 * hands_total as usize..]);
    }
}

/// Several tables share a log, and each asks for its own opening: a witness that has seen a later one accuses nobody.
#[test]
fn a_witness_that_has_a_later_checkpoint_of_a_log_that_grew_meanwhile_accuses_nobody() {
    let lab = begin(&["w1"], 1);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let place = format!("http://{}", listener.local_addr().expect("a port"));
    let words = ["log", "checkpoint", "log", "--trust", "trust.json", "--witness", &place];
    let child = lab.command(&words).spawn().expect("it runs");
    let (mut stream, _) = listener.accept().expect("it asks");
    let (mut asked, mut part) = (Vec::new(), [0; 4096]);
    while !is_whole(&asked) {
        let read = stream.read(&mut part).expect("it asks");
        asked.extend(&part[..read]);
    }
    add(&lab, "log", &hands("T-1", 4)[6..]);
    stream.write_all(&size("12\n")).expect("it reads");
    let output = Output::from(child.wait_with_output().expect("it ends")).ends(2);
    output.must_warn("a later checkpoint, of 12 entries").must_not_warn("rolled back");
}

/// A table asks its witnesses for each opening, before the first card; one that is lost is named and does not stop it.
#[test]
fn a_table_asks_its_witnesses_for_each_opening_and_the_bundle_says_when() {
    let lab = begin(&["w1", "w2"], 2);
    fs::remove_dir_all(lab.path("log")).expect("it is there");
    let init = ["log", "init", "log", "--origin", ORIGIN, "--key", "log.key"];
    check(&lab.run(&init), 0, ORIGIN);
    let (w1, w2) = (serve(&lab, "w1", &FIRST), serve(&lab, "w2", &FIRST));
    let deal = |hands: &str, more: &[&str]| {
        let words = [
            "deal", "--table", "T-1", "--hands", hands, "--out", "T-1", "--log", "log", "--log-key",
            "log.key",
        ];
        let asked = ["--trust", "trust.json", "--witness", &w1.place, "--witness", &w2.place];
        lab.run(&[&words[..], &asked, more].concat())
    };
    let output = deal("2", &[]);
    check(&output, 0, "");
    assert!(output.err.is_empty(), "{output}");
    check(&lab.run(&["bundle", "T-1", "--hand", "1-2"]), 0, "");
    for hand in ["1", "2"] {
        let bundle = format!("T-1/hand-{hand}/seat-2.json");
        check(
            &lab.run(&["verify", &bundle, "--trust", "trust.json"]),
            0,
            "accepted, if your first card came after 20",
        );
    }
    let place = w2.place.clone();
    drop(w2);
    let words = words("deal --table T-1 --hands 1 --out T-1 --continue --log log --log-key log.key");
    let output = lab
        .run(&[&words[..], &["--trust", "trust.json", "--witness", &w1.place, "--witness", &place]].concat());
    check(&output, 0, &format!("witness {place}: no answer"));
    check(&output, 0, "the quorum of the trust file did not cosign in time");
    check(
        &lab.run(&["deal", "--table", "T", "--hands", "1", "--out", "T", "--trust", "trust.json"]),
        2,
        "wanted --cosigned FILE or --witness ADDRESS",
    );
}

/// The same for hands of a service: every mix, a witness that is lost, and what is said then.
#[test]
fn a_service_asks_its_witnesses_for_each_opening_and_the_bundle_says_when() {
    let lab = begin(&["w1", "w2"], 2);
    let init = ["log", "init", "room/log", "--origin", ORIGIN, "--key", "served.key"];
    fs::remove_file(lab.path("log.key")).expect("it is there");
    fs::rename(lab.path("trust.json"), lab.path("witnesses.json")).expect("it is there");
    check(&lab.run(&[&init[..], &["--trust", "trust.json"]].concat()), 0, ORIGIN);
    // The witnesses of the other log, under the key of this one.
    let (mut trust, other) = (lab.json("trust.json"), lab.json("witnesses.json"));
    (trust["witness"], trust["quorum"]) = (other["witness"].clone(), json!(2));
    lab.write("trust.json", trust.to_string());
    let (w1, w2) = (serve(&lab, "w1", &FIRST), serve(&lab, "w2", &FIRST));
    let (first, second) = (w1.place.clone(), w2.place.clone());
    let start = |more: &[&str]| {
        let words =
            ["serve", "room", "--log-key", "served.key", "--lines", "--trust", "trust.json", "--wait", "5s"];
        let asked = ["--witness", &first, "--witness", &second];
        room::Served::start(&mut lab.command(&[&words[..], &asked, more].concat()))
    };
    let dealt = |served: &mut room::Served, number: u64, mix: &str, code: i32, shown: &str| {
        served.play(&hand("T-1", number, "stud-hi", mix, None));
        let answer = served.done(&bundle(number, Some(5)));
        lab.write("seat-5.json", answer["bundle"].as_str().expect("a bundle"));
        check(&lab.run(&["verify", "seat-5.json", "--trust", "trust.json"]), code, shown);
    };
    let mut served = start(&[]);
    dealt(&mut served, 1, "none", 0, "accepted, if your first card came after 20");
    dealt(&mut served, 2, "players", 0, "accepted");
    drop(w2);
    dealt(&mut served, 3, "none", 2, "");
    let (code, output) = served.end();
    assert!(code == Some(0) && output.contains(&format!("witness {second}: no answer")), "{output}");
    let mut served = start(&["--outage", "hold"]);
    let calls = hand("T-1", 4, "stud-hi", "players", None);
    served.done(&calls[0]);
    assert_eq!(served.refused(&calls[1]), "stopped");
    // No seed is asked for before the quorum saw the opening.
    assert_eq!(served.refused(&calls[2]), "stopped");
    served.done(&at("T-1", 4, 3, json!({ "call": "void", "reason": "witness-missing" })));
    assert_eq!(served.end().0, Some(0));
    check(&lab.run(&["log", "scan", "room/log", "--trust", "trust.json"]), 0, "witness-missing 1");
    check(&lab.run(&["serve", "room", "--log-key", "served.key", "--witness", &first]), 2, "--trust");
}
