//! How many hands a second a service deals, and how long a call takes, beside the bare rate of `fdatasync` on the same disk.
//!
//!     cargo run --release -p deckproof-serve --features http --example load -- FOLDER TABLES SECONDS
//!
//! Every hand is dealt to six seats up to the river: commit, open, five streets, close.
//!
//!     … --example load -- SOCKET TABLES SECONDS HANDS_A_SECOND PID
//!
//! calls a service that runs, at a steady rate, and says each minute how it does and what memory the process has.
//!
//!     … --example load -- FOLDER one HANDS
//!
//! deals so many hands of one table in this process, whose calls wait in a row, and says what memory that takes and how quickly the
//! first bundle and the last are read.
//!
//!     … --features http,deckproof-verify/beacon --example load -- FOLDER mixes HANDS
//!
//! says how long a hand takes from its opening to its first card. Players' seeds and the value of the beacon are there at once:
//! what people and the round take comes on top.

use std::error::Error;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use deckproof_deck::commitment::cut::seed_commitment;
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::HandContext;
use deckproof_serve::calls::read;
use deckproof_serve::door::http::{DoorKeeping, serve};
use deckproof_serve::door::listen::{Closing, Listening};
use deckproof_serve::door::public::PublicPages;
use deckproof_serve::service::{CallAnswer, Service, ServiceSettings};
use deckproof_table::log_folder::Log;
use deckproof_verify::log::vkey::{KeyKind, Signer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

type Failed = Box<dyn Error + Send + Sync>;

const ORIGIN: &str = "load.example/log1";

/// Makes the calls of one table.
enum Caller {
    /// To a service of this process.
    InProcess(Arc<Service>),
    /// Over HTTP, by a connection of its own: what was read of its last answer.
    Http(UnixStream, Vec<u8>),
}

/// The calls of one hand; the first three members of each are put before these.
const HAND: [(&str, &str); 8] = [
    ("commit", "\"mix\":\"none\""),
    ("open", "\"rules\":\"stud-hi\",\"seats\":[1,2,3,4,5,6]"),
    ("street", "\"live\":[1,2,3,4,5,6]"),
    ("street", "\"live\":[1,2,3,4,5,6]"),
    ("street", "\"live\":[1,2,3,4,5,6]"),
    ("street", "\"live\":[1,2,3,4,5,6]"),
    ("street", "\"live\":[1,2,3,4,5,6]"),
    ("close", "\"shown_down\":[1,2]"),
];

impl Caller {
    async fn over_http(socket: &Path) -> Result<Caller, Failed> {
        Ok(Caller::Http(UnixStream::connect(socket).await?, Vec::new()))
    }

    /// Makes a call and waits for its answer.
    async fn call(&mut self, kind: &str, body: &str) -> Result<Vec<u8>, Failed> {
        match self {
            Caller::InProcess(service) => {
                let (sender, receiver) = oneshot::channel();
                let reply = Box::new(move |answer| drop(sender.send(answer)));
                service.call(read::named(kind, body.as_bytes())?, reply);
                Ok(receiver.await??.as_bytes().to_vec())
            }
            Caller::Http(stream, read) => {
                let request = format!(
                    "POST /v1/{kind} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                );
                stream.write_all(request.as_bytes()).await?;
                read.clear();
                loop {
                    if stream.read_buf(read).await? == 0 {
                        return Err("the connection broke".into());
                    }
                    if let Some(begin) = whole_answer(read)? {
                        let answer = read[begin..].to_vec();
                        return if read.starts_with(b"HTTP/1.1 200") {
                            Ok(answer)
                        } else {
                            Err(String::from_utf8_lossy(&answer).into_owned().into())
                        };
                    }
                }
            }
        }
    }
}

/// Where the body of an answer begins, once it is whole.
fn whole_answer(read: &[u8]) -> Result<Option<usize>, Failed> {
    let Some(head) = read.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
    let text = std::str::from_utf8(&read[..head])?.to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.ok_or("an answer without a length")?.parse()?;
    Ok((read.len() == head + 4 + length).then_some(head + 4))
}

/// The hand that a table waits for.
async fn first_hand(name: &str, caller: &mut Caller) -> Result<u64, Failed> {
    let Ok(status) = caller.call("status", &format!("{{\"table\":\"{name}\"}}")).await else { return Ok(1) };
    let status = String::from_utf8(status)?;
    let ended = status.split("\"ended\":").nth(1).and_then(|rest| rest.split(',').next());
    Ok(ended.and_then(|ended| ended.parse::<u64>().ok()).map_or(1, |ended| ended + 1))
}

/// Deals one hand, and hands over how many microseconds each call took; small numbers, for what is kept here is no memory of
/// the service.
async fn hand(name: &str, number: u64, caller: &mut Caller, took: &mut Vec<u32>) -> Result<(), Failed> {
    for (step, (kind, members)) in HAND.iter().enumerate() {
        let body = format!("{{\"table\":\"{name}\",\"hand\":{number},\"step\":{},{members}}}", step + 1);
        let begin = Instant::now();
        caller.call(kind, &body).await?;
        took.push(u32::try_from(begin.elapsed().as_micros())?);
    }
    Ok(())
}

/// One table until the time is over.
async fn table(name: String, until: Instant, mut caller: Caller) -> Result<Vec<u32>, Failed> {
    let mut took = Vec::new();
    let first = first_hand(&name, &mut caller).await?;
    for number in first.. {
        if Instant::now() >= until {
            break;
        }
        hand(&name, number, &mut caller, &mut took).await?;
    }
    Ok(took)
}

/// Parts of measured times, in milliseconds of microseconds: the half, the longest.
fn parts(took: &mut [u32]) -> impl Fn(f64) -> f64 {
    took.sort_unstable();
    |of| {
        let at = (took.len().saturating_sub(1) as f64 * of) as usize;
        f64::from(took.get(at).copied().unwrap_or(0)) / 1000.0
    }
}

/// All callers share one thread, as those of a poker server may.
fn runtime() -> Result<Runtime, Failed> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

/// Seconds of CPU of this process, service and callers together.
fn cpu_seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// All tables at once; over HTTP where there is a socket.
fn load(
    name: &str,
    (tables, seconds): (usize, u64),
    service: &Arc<Service>,
    socket: Option<&Path>,
) -> Result<(), Failed> {
    let (begin, cpu) = (Instant::now(), cpu_seconds());
    let until = begin + Duration::from_secs(seconds);
    let took = runtime()?.block_on(async {
        let mut tasks = Vec::new();
        for number in 0..tables {
            let caller = match socket {
                Some(socket) => Caller::over_http(socket).await?,
                None => Caller::InProcess(Arc::clone(service)),
            };
            tasks.push(tokio::spawn(table(format!("{name}-{number}"), until, caller)));
        }
        let mut took = Vec::new();
        for task in tasks {
            took.extend(task.await??);
        }
        Ok::<_, Failed>(took)
    });
    let mut took = took?;
    let hands = took.len() / HAND.len();
    let passed = begin.elapsed().as_secs_f64();
    let cpu = (cpu_seconds() - cpu) * 1000.0 / hands as f64;
    let calls = took.len() as f64;
    let part = parts(&mut took);
    println!(
        "{name}: {tables} tables, {:.0} hands a second, {:.0} calls a second; a call takes p50 {:.2} ms, p95 {:.2} ms, p99 {:.2} ms, the longest {:.0} ms; {cpu:.2} ms of CPU a hand",
        hands as f64 / passed,
        calls / passed,
        part(0.5),
        part(0.95),
        part(0.99),
        part(1.0)
    );
    Ok(())
}

/// How long the bundle of a hand takes, the first and the last one of a table, and the memory of the process.
fn memory_and_bundles(service: &Service, table: &str) -> Result<(), Failed> {
    let status = service.wait(read::named("status", format!("{{\"table\":\"{table}\"}}").as_bytes())?)?;
    let ended = status.split("\"ended\":").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or("1");
    for hand in ["1", ended] {
        let body = format!("{{\"table\":\"{table}\",\"hand\":{hand},\"seat\":4}}");
        let mut took = Vec::new();
        for _ in 0..50 {
            let begin = Instant::now();
            service.wait(read::named("bundle", body.as_bytes())?)?;
            took.push(begin.elapsed());
        }
        took.sort_unstable();
        println!("bundle of hand {hand}: p50 {:.2} ms", took[25].as_secs_f64() * 1000.0);
    }
    println!("{}", status_line("self", "VmRSS"));
    Ok(())
}

/// Hands whose calls are sent before those of the hand before them are answered.
const AHEAD: u64 = 4;

/// A short hand: all but two fold on third street.
const SHORT_HAND: [(&str, &str); 4] = [HAND[0], HAND[1], HAND[2], ("close", "\"shown_down\":[]")];

/// Many hands of one table.
fn one_table(service: &Service, hands: u64) -> Result<(), Failed> {
    let (sender, answers) = mpsc::channel();
    let cpu = cpu_seconds();
    for number in 1..=hands + AHEAD {
        for (step, (kind, members)) in SHORT_HAND.iter().enumerate().filter(|_| number <= hands) {
            let body = format!("{{\"table\":\"one\",\"hand\":{number},\"step\":{},{members}}}", step + 1);
            let sender = sender.clone();
            let reply = move |answer: CallAnswer| drop(sender.send(answer.map(drop)));
            service.call(read::named(kind, body.as_bytes())?, Box::new(reply));
        }
        for _ in SHORT_HAND.iter().filter(|_| number > AHEAD) {
            answers.recv()??;
        }
        if number % 50_000 == 0 {
            println!("{number} hands, {:.0} s of CPU, {}", cpu_seconds() - cpu, status_line("self", "VmRSS"));
        }
    }
    memory_and_bundles(service, "one")
}

/// 4,096 bytes appended and synced, again and again.
fn bare_sync(folder: &Path) -> Result<(), Failed> {
    let mut file = File::create(folder.join("bare"))?;
    let mut took = Vec::new();
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(2) {
        let one = Instant::now();
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        took.push(one.elapsed().as_secs_f64() * 1000.0);
    }
    took.sort_unstable_by(f64::total_cmp);
    let part = |of: f64| took[((took.len() - 1) as f64 * of) as usize];
    println!(
        "bare fdatasync: {:.0} a second; p50 {:.2} ms, p99 {:.2} ms",
        took.len() as f64 / 2.0,
        part(0.5),
        part(0.99)
    );
    Ok(())
}

/// A table at a steady rate; how many microseconds each call took goes to whoever counts.
async fn steady_table(
    name: String,
    (begin, until): (Instant, Instant),
    every: Duration,
    mut caller: Caller,
    sender: mpsc::Sender<Vec<u32>>,
) -> Result<(), Failed> {
    let first = first_hand(&name, &mut caller).await?;
    for number in 0_u32.. {
        let due = begin + every * number;
        if due >= until {
            break;
        }
        tokio::time::sleep_until(due.into()).await;
        let mut times = Vec::with_capacity(HAND.len());
        hand(&name, first + u64::from(number), &mut caller, &mut times).await?;
        sender.send(times)?;
    }
    Ok(())
}

/// All tables at a steady rate.
fn steady_tables(
    socket: &Path,
    (tables, every): (u32, Duration),
    (begin, until): (Instant, Instant),
    sender: mpsc::Sender<Vec<u32>>,
) -> Result<(), Failed> {
    runtime()?.block_on(async {
        let mut tasks = Vec::new();
        for number in 0..tables {
            let caller = Caller::over_http(socket).await?;
            let begin = begin + every * number / tables;
            let name = format!("soak-{number}");
            tasks.push(tokio::spawn(steady_table(name, (begin, until), every, caller, sender.clone())));
        }
        for task in tasks {
            task.await??;
        }
        Ok(())
    })
}

/// A line of `/proc/PID/status`.
fn status_line(pid: &str, name: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().find(|line| line.starts_with(name)).unwrap_or("gone").replace('\t', " ")
}

fn soak(socket: &Path, tables: u32, seconds: u64, hands_a_second: f64, pid: &str) -> Result<(), Failed> {
    let begin = Instant::now();
    let until = begin + Duration::from_secs(seconds);
    let every = Duration::from_secs_f64(f64::from(tables) / hands_a_second);
    let (sender, receiver) = mpsc::channel();
    let place = socket.to_owned();
    let dealing = thread::spawn(move || steady_tables(&place, (tables, every), (begin, until), sender));
    let mut hands_total = 0;
    for minute in 1_u64.. {
        let end = begin + Duration::from_secs(60 * minute);
        let (mut hands, mut took, mut is_over) = (0, Vec::new(), false);
        while Instant::now() < end {
            match receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(times) => {
                    hands += 1;
                    took.extend(times);
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    is_over = true;
                    break;
                }
            }
        }
        hands_total += hands;
        let part = parts(&mut took);
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        println!(
            "minute {minute}: {hands} hands, {hands_total} so far; p50 {:.1} ms, p99 {:.1} ms, the longest {:.0} ms; {}; load {}",
            part(0.5),
            part(0.99),
            part(1.0),
            status_line(pid, "VmRSS"),
            load.split(' ').next().unwrap_or("")
        );
        if is_over {
            break;
        }
    }
    dealing.join().map_err(|_| "a table panicked")?
}

/// Round 1000 of quicknet, as drand published it.
const SIGNATURE: &str =
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

/// The calls of a hand by name, each with what it carries beside its place.
fn calls(table: &str, hand: u64, mix: &str) -> Vec<(&'static str, String)> {
    let mut open = "\"rules\":\"stud-hi\",\"seats\":[1,2,3,4,5,6]".to_owned();
    let mut cut = None;
    match mix {
        "players" => {
            let context = HandContext::new(ORIGIN, table, hand, mix);
            let seed = |seat: u8| Digest::of(format!("seed {table} {hand} {seat}"));
            let list = |of: &dyn Fn(u8) -> Digest| {
                (1..=6).map(|seat| format!("\"{seat}\":\"{}\"", of(seat))).collect::<Vec<_>>().join(",")
            };
            let commits = list(&|seat| seed_commitment(&context, seat, &seed(seat)));
            open += &format!(",\"commits\":{{{commits}}}");
            cut = Some(format!("\"seeds\":{{{}}}", list(&seed)));
        }
        "beacon" => {
            open += ",\"round\":1000";
            cut = Some(format!("\"signature\":\"{SIGNATURE}\""));
        }
        _ => {}
    }
    let street = || ("street", "\"live\":[1,2,3,4,5,6]".to_owned());
    let begin = [("commit", format!("\"mix\":\"{mix}\"")), ("open", open)];
    let streets = [street(), street(), street(), street(), street()];
    let end = [("close", "\"shown_down\":[1,2]".to_owned())];
    begin.into_iter().chain(cut.map(|cut| ("cut", cut))).chain(streets).chain(end).collect()
}

/// Microseconds from the call `open` to the answer of the first `street`, for each hand of a table.
fn openings(service: &Service, name: &str, mix: &str, hands: u64) -> Result<Vec<u32>, Failed> {
    let mut took = Vec::new();
    for hand in 1..=hands {
        let (mut begin, mut is_dealt) = (Instant::now(), false);
        for (step, (kind, members)) in calls(name, hand, mix).into_iter().enumerate() {
            let body = format!("{{\"table\":\"{name}\",\"hand\":{hand},\"step\":{},{members}}}", step + 1);
            if kind == "open" {
                begin = Instant::now();
            }
            service.wait(read::named(kind, body.as_bytes())?)?;
            if kind == "street" && !is_dealt {
                took.push(u32::try_from(begin.elapsed().as_micros())?);
                is_dealt = true;
            }
        }
    }
    Ok(took)
}

/// How long a hand takes from its opening to its first card, under each mix, at one table and at a hundred.
fn mixes(service: &Arc<Service>, hands: u64) -> Result<(), Failed> {
    for mix in ["none", "players", "beacon"] {
        for tables in [1, 100] {
            let begun = (0..tables).map(|number| {
                let (service, name) = (Arc::clone(service), format!("{mix}-{tables}-{number}"));
                thread::spawn(move || openings(&service, &name, mix, hands))
            });
            let mut took = Vec::new();
            for thread in begun.collect::<Vec<_>>() {
                took.extend(thread.join().map_err(|_| "a table panicked")??);
            }
            let part = parts(&mut took);
            println!(
                "{mix}, {tables} tables, {} hands: p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms",
                tables * hands,
                part(0.5),
                part(0.95),
                part(0.99)
            );
        }
    }
    Ok(())
}

fn main() -> Result<(), Failed> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [socket, tables, seconds, rate, pid] = &words[..] {
        return soak(Path::new(socket), tables.parse()?, seconds.parse()?, rate.parse()?, pid);
    }
    let [folder, tables, seconds] = &words[..] else { return Err("wanted FOLDER TABLES SECONDS".into()) };
    let folder = Path::new(folder);
    fs::create_dir_all(folder)?;
    bare_sync(folder)?;
    let signer = || Signer::from_seed(ORIGIN, KeyKind::Log, &[7; 32]);
    Log::init(&folder.join("log"), &signer()?)?;
    let service = Arc::new(Service::start(ServiceSettings {
        rate_max: u32::MAX,
        ..ServiceSettings::new(folder.to_owned(), folder.join("log.key"), signer()?)
    })?);
    match &tables[..] {
        "one" => return one_table(&service, seconds.parse()?),
        "mixes" => return mixes(&service, seconds.parse()?),
        _ => {}
    }
    let (tables, seconds) = (tables.parse()?, seconds.parse()?);
    for _ in 0..2 {
        load("in-process", (tables, seconds), &service, None)?;
        memory_and_bundles(&service, "in-process-0")?;
    }
    let socket = folder.join("socket");
    let keeping = DoorKeeping {
        listening: Listening::Socket(socket.clone()),
        token: None,
        connections_max: 10_000,
        pages: PublicPages { verify: b"", worker: b"", openapi: b"", address: None },
        closing: Closing::default(),
    };
    let (ready, is_ready) = mpsc::channel();
    let served = Arc::clone(&service);
    let door = move || serve(served, keeping, |_| ready.send(()).unwrap_or_default());
    thread::Builder::new().name("door".to_owned()).spawn(door)?;
    is_ready.recv()?;
    load("http", (tables, seconds), &service, Some(&socket))?;
    bare_sync(folder)?;
    print!(
        "{}",
        service
            .meters()
            .text(false)
            .lines()
            .filter(|line| line.contains("sync_seconds_"))
            .fold(String::new(), |text, line| text + line + "\n")
    );
    Ok(())
}
