//! `deckproof serve` over HTTP: the socket and the port, the token, what GET reads, and what the schema promises.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::process::Command;

use deckproof::commitment::digest::Digest;
use deckproof::stud::readings::Reading;
use deckproof::stud::rules::RuleSet;
use serde_json::{Value, json};

use crate::common::peer::{Answered, answer, exchange, peer, request};
use crate::common::room::{ORIGIN, Room, at, bundle, hand};
use crate::common::running::Service;

const TOKEN: &str = "a-token-of-enough-letters";

fn serve(room: &Room, more: &[&str]) -> Service {
    let words = [&["serve", "room", "--log-key", "log.key"], more].concat();
    Service::start(&mut room.command(&words))
}

const JSON: &str = "Content-Type: application/json\r\n";

fn ask(room: &Room, bytes: &[u8]) -> Answered {
    exchange(UnixStream::connect(room.path("room/socket")).expect("it listens"), bytes)
}

/// A call over the socket, whose name is put into the path.
fn call(room: &Room, call: &Value) -> Answered {
    let mut body = call.clone();
    let name = body.as_object_mut().expect("an object").shift_remove("call").expect("a name");
    ask(room, &request("POST", &format!("/v1/{}", name.as_str().expect("a name")), JSON, &body.to_string()))
}

fn get(room: &Room, path: &str) -> Answered {
    ask(room, &request("GET", path, "", ""))
}

#[test]
fn a_hand_is_dealt_over_the_socket_and_everybody_reads_the_log() {
    let room = Room::new();
    let _service = serve(&room, &[]);
    let socket = fs::symlink_metadata(room.path("room/socket")).expect("it is there");
    assert!(socket.file_type().is_socket() && socket.permissions().mode() & 0o777 == 0o600);
    let mut texts = Vec::new();
    for step in hand("T-1", 1, "stud-8b", "players", None) {
        let answered = call(&room, &step);
        assert_eq!(answered.0, 200, "{}", answered.text());
        assert_eq!(call(&room, &step).2, answered.2);
        texts.push(answered);
    }
    let own = call(&room, &bundle(1, Some(4)));
    room.lab.write("seat-4.json", own.json()["bundle"].as_str().expect("a bundle"));
    room.lab.write("deck.proof", texts[0].json()["receipt"].as_str().expect("a receipt"));
    room.run(&["verify", "seat-4.json", "--trust", "trust.json", "--receipt", "deck.proof"]).ends_in(&[0, 2]);

    let Answered(status, head, body) = get(&room, "/log/checkpoint");
    assert!(status == 200 && head.contains("content-type: text/plain"), "{head}");
    assert_eq!(body, fs::read(room.path("room/log/checkpoint")).expect("readable"));
    assert_eq!(get(&room, "/log/tile/entries/000.p/4").0, 200);
    assert_eq!(get(&room, "/log/tile/0/000.p/4").2.len(), 4 * 32);
    let receipt = get(&room, "/receipt/3").text();
    assert!(receipt.starts_with("c2sp.org/tlog-proof@v1\nindex 3\n"), "{receipt}");
    assert_eq!((get(&room, "/health").0, get(&room, "/receipt/4").0), (200, 404));
    let Answered(status, _, body) = get(&room, "/verify.html");
    assert!(status == 200 && body == include_bytes!("../../web/verify.html"));
    let Answered(status, head, body) = get(&room, "/sw.js");
    assert!(status == 200 && head.contains("content-type: text/javascript"), "{head}");
    assert_eq!(body, include_bytes!("../../web/sw.js"));
    let metrics = get(&room, "/metrics").text();
    assert!(
        metrics.ends_with("# EOF\n") && metrics.contains("deckproof_hands_total{end=\"closed\"} 1\n"),
        "{metrics}"
    );
}

/// The library that reads heads answers what is none by itself, before a call is known; docs/serve.md says that it has no body.
#[test]
fn what_is_no_head_is_refused_without_a_body_and_nobody_else_waits() {
    let room = Room::new();
    let _service = serve(&room, &[]);
    let lines: String = (0..101).map(|line| format!("x{line}: 1\r\n")).collect();
    let long = "a".repeat(17_000);
    for (head, status) in [
        ("NONSENSE\r\n\r\n".to_owned(), 400),
        ("GET /health HTTP/1.1\r\nno colon\r\n\r\n".to_owned(), 400),
        ("POST /v1/status HTTP/1.1\r\nContent-Length: x\r\n\r\n".to_owned(), 400),
        (format!("GET /health HTTP/1.1\r\n{lines}\r\n"), 431),
        (format!("GET /health HTTP/1.1\r\nx: {long}\r\n\r\n"), 431),
    ] {
        let Answered(found, answered, body) = ask(&room, head.as_bytes());
        assert!(found == status && answered.contains("connection: close"), "{found} {answered}");
        assert_eq!(body, b"");
    }
    assert_eq!(get(&room, "/health").0, 200);
}

/// A witness that holds another tree is no outage: each hand that is dealt on makes a fork longer.
#[test]
fn a_witness_that_accuses_the_log_turns_its_health_red() {
    let room = Room::new();
    let init = ["log", "cosign", "--init", "witness.example/w1", "--key", "w1.key", "--trust", "trust.json"];
    room.run(&init).ends(0);
    let (place, _asked) = peer(vec![answer("422", "", "another tree"); 4]);
    let _service = serve(&room, &["--trust", "trust.json", "--witness", &place, "--wait", "2s"]);
    let steps = hand("T-1", 1, "stud-hi", "none", None);
    assert_eq!((call(&room, &steps[0]).0, get(&room, "/health").0), (200, 200));
    assert_eq!(call(&room, &steps[1]).0, 200);
    let health = get(&room, "/health");
    let accused = format!("witness {place} says that this log was rolled back");
    assert!(health.0 == 503 && health.text().contains(&accused), "{}", health.text());
}

/// SIGTERM ends a service as `systemctl stop` does: exit 0, and the next one goes on in the same hand.
#[test]
fn a_service_that_is_stopped_ends_with_0_and_the_next_one_goes_on() {
    let room = Room::new();
    let steps = hand("T-1", 1, "stud-hi", "none", None);
    let mut service = serve(&room, &[]);
    let first = call(&room, &steps[0]);
    assert_eq!(first.0, 200);
    let id = service.program.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().is_ok_and(|status| status.success()));
    assert_eq!(service.program.0.wait().expect("it ends").code(), Some(0));
    let _service = serve(&room, &[]);
    assert_eq!(call(&room, &steps[0]).2, first.2);
    assert_eq!(call(&room, &steps[1]).0, 200);
}

#[test]
fn nothing_secret_is_read_by_any_get_and_no_other_path_leads_anywhere() {
    let room = Room::new();
    let _service = serve(&room, &[]);
    let mut secrets: Vec<String> = Vec::new();
    for step in hand("T-1", 1, "stud-hi", "none", None) {
        assert_eq!(call(&room, &step).0, 200);
    }
    secrets.extend(room.hand_keys());
    let own = call(&room, &bundle(1, Some(4))).json();
    let own: Value = serde_json::from_str(own["bundle"].as_str().expect("a bundle")).expect("JSON");
    let leaves = own["leaves"].as_array().expect("leaves").iter();
    secrets.extend(leaves.filter_map(|leaf| Some(leaf["salt"].as_str()?.to_owned())));
    secrets.push(room.lab.text("log.key").trim().to_owned());
    assert!(secrets.len() > 10);
    let mut paths: Vec<String> =
        ["/health", "/metrics", "/openapi.json", "/log/checkpoint", "/receipt/0"].map(str::to_owned).into();
    for (file, _) in room.files("room") {
        let below = file.strip_prefix(room.path("room")).expect("below it").display().to_string();
        paths.extend([
            format!("/{below}"),
            format!("/log/{below}"),
            format!("/log/../{below}"),
            format!("/log/%2e%2e/{below}"),
        ]);
    }
    paths.extend(
        ["/log/", "/log/tile/0/../../../secret/journal/00000001", "//room", "/log/tile/", "/v1/status", "/"]
            .map(str::to_owned),
    );
    for path in &paths {
        let answered = get(&room, path);
        let (status, text) = (answered.0, answered.text());
        assert!(!secrets.iter().any(|secret| text.contains(secret)), "{path}");
        let is_open = ["/health", "/metrics", "/openapi.json", "/receipt/0"].contains(&path.as_str());
        let is_log = path.starts_with("/log/checkpoint") || path.starts_with("/log/tile/");
        assert_eq!(
            status == 200,
            is_open || (is_log && !path.contains("..") && path != "/log/tile/" && !path.contains(".lock")),
            "{path}: {status}"
        );
    }
}

#[test]
fn requests_that_are_no_calls_are_refused_by_the_status_of_their_fault() {
    let room = Room::new();
    let _service = serve(&room, &[]);
    let status = "{\"table\":\"T-1\"}";
    for (method, path, heads, body, wanted) in [
        ("POST", "/v1/status", JSON, status, 404),
        ("POST", "/v1/status", "Content-Type: Application/JSON; charset=utf-8\r\n", status, 404),
        ("POST", "/v1/status", "", status, 400),
        ("POST", "/v1/status", "Content-Type: text/plain\r\n", status, 400),
        ("POST", "/v1/status?x=1", JSON, status, 400),
        ("POST", "/v1/shuffle", JSON, status, 404),
        ("POST", "/v1/status", JSON, "{\"table\":\"T-1\",\"more\":1}", 400),
        ("POST", "/v1/status", JSON, &" ".repeat(70_000), 413),
        ("POST", "/health", "", "", 405),
        ("DELETE", "/v1/status", JSON, "", 405),
    ] {
        let answered = ask(&room, &request(method, path, heads, body));
        assert_eq!(answered.0, wanted, "{method} {path}: {}", answered.text());
        assert!(answered.json()["error"].is_string());
    }
    let steps = hand("T-1", 1, "stud-hi", "none", None);
    assert_eq!(call(&room, &steps[0]).0, 200);
    let mut other = steps[0].clone();
    other["mix"] = json!("players");
    assert_eq!((call(&room, &other).0, call(&room, &steps[3]).0), (409, 409));
    // A client that sends all before it reads gets its answer too.
    let mut whole = UnixStream::connect(room.path("room/socket")).expect("it listens");
    let long = request("POST", "/v1/status", JSON, &" ".repeat(2_000_000));
    whole.write_all(&long).expect("it takes the whole call");
    assert_eq!(exchange(whole, b"").0, 413);
    // Seats 4, 5, 7 and 2 play.
    assert_eq!(call(&room, &steps[1]).0, 200);
    let event = |seat: u8| {
        call(&room, &at("T-1", 1, 3, json!({ "call": "event", "seat": seat, "what": "time-out", "at": 1 }))).0
    };
    assert_eq!((event(3), event(5)), (422, 200));
    // A head that never ends is cut off, and nothing else waits for it.
    let mut open = UnixStream::connect(room.path("room/socket")).expect("it listens");
    open.write_all(b"POST /v1/status HTTP/1.1\r\nHost: x\r\n").expect("it takes it");
    let long = format!("GET /health HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(40_000));
    assert!(matches!(ask(&room, long.as_bytes()).0, 400..=499));
    assert_eq!(get(&room, "/health").0, 200);
}

#[test]
fn a_port_is_of_this_machine_and_asks_for_the_token() {
    let room = Room::new();
    room.lab.write("token.txt", format!("{TOKEN}\n"));
    room.lab.write("short.txt", "short\n");
    for (listen, token) in [("0.0.0.0:0", "token.txt"), ("127.0.0.1:0", "short.txt")] {
        let words = ["serve", "room", "--log-key", "log.key", "--listen", listen, "--token", token];
        room.run(&words).ends(2);
    }
    let service = serve(&room, &["--listen", "127.0.0.1:0", "--token", "token.txt"]);
    let address = service.place.strip_prefix("http://").expect("an address").to_owned();
    let send = |heads: &str| {
        let bytes = request("POST", "/v1/status", &format!("{JSON}{heads}"), "{\"table\":\"T-1\"}");
        exchange(TcpStream::connect(&address).expect("it listens"), &bytes)
    };
    let (none, wrong) = (send(""), send("Authorization: Bearer another-token-of-letters\r\n"));
    assert_eq!((none.0, wrong.0), (401, 401));
    assert!(!wrong.text().contains(TOKEN));
    for scheme in ["Bearer", "bearer"] {
        assert_eq!(send(&format!("Authorization: {scheme} {TOKEN}\r\n")).0, 404);
    }
    let health =
        exchange(TcpStream::connect(&address).expect("it listens"), &request("GET", "/health", "", ""));
    assert_eq!(health.0, 200);
}

#[test]
fn the_table_shows_a_qr_code_of_the_root_until_the_first_card_and_of_no_other_hand() {
    let room = Room::new();
    let service = serve(&room, &["--page", "https://stud.example/verify.html"]);
    let title = |path: &str| {
        let answered = get(&room, path);
        let Answered(status, head, _) = &answered;
        assert_eq!(*status == 200, head.contains("content-type: image/svg+xml"), "{head}");
        let text = answered.text();
        let title = text.split("<title>https://stud.example/verify.html#").nth(1);
        title.and_then(|rest| rest.split('<').next()).map(str::to_owned)
    };
    let (root, open) = ("/tables/T-1/hands/1/root.svg", Digest::from_hex);
    assert_eq!(title(root), None);
    let calls = hand("T-1", 1, "stud-hi", "players", None);
    let entry =
        |answered: &Answered, kind: &str| answered.json()[kind].as_str().expect("an entry").to_owned();
    let deck_entry = entry(&call(&room, &calls[0]), "deck_entry");
    let deck = deck_entry.lines().find_map(|line| line.strip_prefix("deck ")).expect("a root").to_owned();
    assert_eq!(title(root).as_deref(), Some(&*deck));
    for other in [
        "/tables/T-1/hands/2/root.svg",
        "/tables/T-1/hands/01/root.svg",
        "/tables/T-2/hands/1/root.svg",
        "/tables/T-1/hands/1/root",
    ] {
        assert_eq!(title(other), None, "{other}");
    }
    // While seeds are awaited: the hash of the open entry (RFC 6962, section 2.1), which ties both.
    let open_entry = entry(&call(&room, &calls[1]), "open_entry");
    let shown = title(root).expect("a code");
    assert_eq!(open(&shown), Some(Digest::of([&[0], open_entry.as_bytes()].concat())));
    drop(service);
    let _service = serve(&room, &["--page", "https://stud.example/verify.html"]);
    assert_eq!(title(root), Some(shown), "also after a restart");
    assert_eq!(call(&room, &calls[2]).0, 200);
    assert_eq!(title(root), Some(deck));
    assert_eq!(call(&room, &calls[3]).0, 200);
    assert_eq!(title(root), None, "too late");
}

#[test]
fn the_seed_of_a_seat_that_did_not_commit_is_refused_and_the_hand_still_waits() {
    let room = Room::new();
    let _service = serve(&room, &[]);
    let calls = hand("T-1", 1, "stud-hi", "players", None);
    assert!(calls[..2].iter().all(|step| call(&room, step).0 == 200));
    let mut more = calls[2].clone();
    more["seeds"]["4"] = more["seeds"]["5"].clone();
    let refused = call(&room, &more);
    assert!(refused.0 == 422 && refused.text().contains("seat 4 gives a seed"), "{}", refused.text());
    assert_eq!(call(&room, &calls[2]).0, 200);
}

/// The members a schema allows.
fn members(schemas: &Value, name: &str) -> BTreeSet<String> {
    let schema = &schemas[name];
    assert_eq!(schema["additionalProperties"], false, "{name}");
    schema["properties"].as_object().unwrap_or_else(|| panic!("{name}")).keys().cloned().collect()
}

#[test]
fn calls_and_answers_keep_the_schema_that_clients_are_generated_from() {
    let schema: Value = serde_json::from_str(include_str!("../../schemas/serve.openapi.json")).expect("JSON");
    let schemas = &schema["components"]["schemas"];
    let room = Room::new();
    let _service = serve(&room, &[]);
    let mut named: BTreeSet<String> = BTreeSet::new();
    let mut calls = hand("T-1", 1, "stud-hi", "players", None);
    calls.push(at("T-1", 2, 1, json!({ "call": "commit", "mix": "none" })));
    calls.push(at("T-1", 2, 2, json!({ "call": "void", "reason": "x" })));
    calls.push(json!({ "call": "status", "table": "T-1" }));
    calls.push(json!({ "call": "receipt", "table": "T-1", "hand": 1, "entry": "close" }));
    let entry = format!(
        "deckproof/v1 unseal\norigin {ORIGIN}\ntable T-1\nhand 1\ntime 1764180000\nholder age1{}\nholder age1{}\nreason x\n",
        "q".repeat(58),
        "p".repeat(58)
    );
    calls.push(json!({ "call": "unseal", "entry": entry }));
    for step in &calls {
        let name = step["call"].as_str().expect("a name");
        let capital = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        let allowed = members(schemas, &capital);
        assert!(
            step.as_object().expect("an object").keys().all(|key| key == "call" || allowed.contains(key))
        );
        let answered = call(&room, step);
        assert_eq!(answered.0, 200, "{step}: {}", answered.text());
        let answered = answered.json();
        let keys: BTreeSet<String> = answered.as_object().expect("an object").keys().cloned().collect();
        assert_eq!(keys, members(schemas, &format!("{capital}Answer")), "{name}");
        assert!(schema["paths"][format!("/v1/{name}")]["post"].is_object());
        named.insert(name.to_owned());
        // Every key but the optional ones is needed, and no other is taken.
        for key in schemas[&capital]["required"].as_array().expect("a list") {
            let mut less = step.clone();
            less.as_object_mut().expect("an object").shift_remove(key.as_str().expect("a key"));
            assert_eq!(call(&room, &less).0, 400, "{name} without {key}");
        }
    }
    let paths = schema["paths"].as_object().expect("an object").keys();
    let in_schema: BTreeSet<String> =
        paths.filter_map(|path| Some(path.strip_prefix("/v1/")?.to_owned())).collect();
    named.insert("bundle".to_owned());
    assert_eq!(named, in_schema);
    assert_eq!(get(&room, "/openapi.json").json(), schema);
}

#[test]
fn the_schema_lists_the_readings_that_each_rule_text_leaves_to_the_table() {
    let schema: Value = serde_json::from_str(include_str!("../../schemas/serve.openapi.json")).expect("JSON");
    let open = &schema["components"]["schemas"]["Open"];
    let parts = open["allOf"].as_array().expect("a part for each rule text");
    assert_eq!(parts.len(), RuleSet::ALL.len());
    for (part, rules) in parts.iter().zip(RuleSet::ALL) {
        assert_eq!(part["if"]["properties"]["rules"]["const"], rules.name);
        let left = || Reading::ALL.iter().filter(|reading| rules.play.leaves_to_the_table(**reading));
        let names: Vec<&str> = left().map(|reading| reading.name()).collect();
        let listed = &part["then"]["properties"]["readings"]["propertyNames"]["enum"];
        assert_eq!(*listed, json!(names), "{}", rules.name);
        for reading in left() {
            let values = &open["properties"]["readings"]["properties"][reading.name()]["enum"];
            assert_eq!(*values, json!(reading.values()), "{}", reading.name());
        }
    }
}
