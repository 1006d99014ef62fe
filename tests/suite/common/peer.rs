//! A peer on the loopback that answers what a test tells it: what a witness or a relay could say, true or not.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::Value;

/// A peer that answers each request with what it is told, and hands over what it was asked.
pub fn peer(answers: Vec<Vec<u8>>) -> (String, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let place = format!("http://{}", listener.local_addr().expect("a port"));
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut asked = Vec::new();
            let mut part = [0; 4096];
            while !is_whole(&asked) {
                match stream.read(&mut part) {
                    Ok(read @ 1..) => asked.extend(&part[..read]),
                    _ => break,
                }
            }
            // A client that has read enough may be gone, and nobody may listen to what it asked.
            let _ = stream.write_all(&answer);
            let _ = sender.send(asked);
        }
    });
    (place, receiver)
}

/// An address where nobody listens.
pub fn nobody() -> String {
    let gone = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("a port");
    format!("http://{gone}")
}

/// Whether a request has come with its body.
pub fn is_whole(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length =
        head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.trim().parse().ok());
    body.len() >= length.unwrap_or(0)
}

/// What was answered: status, head, body.
pub struct Answered(pub u16, pub String, pub Vec<u8>);

impl Answered {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.2).expect("JSON")
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.2).into_owned()
    }
}

/// Sends a request, and reads what is answered.
pub fn exchange(mut stream: impl Read + Write, request: &[u8]) -> Answered {
    // A service that refuses early may close before all was sent.
    let _ = stream.write_all(request);
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = stream.read(&mut part) {
        bytes.extend(&part[..read]);
    }
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(bytes[..end].to_vec()).expect("text").to_ascii_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Answered(status, head, bytes[end + 4..].to_vec())
}

pub fn request(method: &str, path: &str, heads: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{heads}Content-Length: {length}\r\n\r\n{body}")
        .into_bytes()
}

/// An answer of HTTP.
pub fn answer(status: &str, heads: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} X\r\nConnection: close\r\n{heads}Content-Length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}
