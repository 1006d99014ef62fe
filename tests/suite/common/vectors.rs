//! The vectors of the protocol, which a program that shares no code with the project wrote.

use std::sync::LazyLock;

use deckproof::commitment::digest::Digest;
use deckproof::log::trust::Trust;
use serde_json::Value;

pub static VECTORS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../fixtures/protocol.json")).expect("the fixture is JSON")
});

/// The cases of a section; an empty one would test nothing.
pub fn cases(section: &Value, at_least: usize) -> &[Value] {
    let cases = section.as_array().expect("a section is a list");
    assert!(cases.len() >= at_least, "{} cases", cases.len());
    cases
}

/// The bundle of a sound case.
pub fn vector(name: &str) -> &'static Value {
    let named = |case: &&Value| case["name"] == name;
    &cases(&VECTORS["positive"], 1).iter().find(named).unwrap_or_else(|| panic!("no case {name}"))["bundle"]
}

/// The trust file of a case, or of all that have none.
pub fn trust(case: Option<&Value>) -> Trust {
    let json = case.filter(|trust| !trust.is_null()).unwrap_or(&VECTORS["trust"]);
    Trust::parse(json.to_string().as_bytes()).expect("the vectors hold trust files")
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

pub fn digest(value: &Value) -> Digest {
    Digest::from_hex(text(value)).expect("the fixture holds hex")
}

/// Standard base64, read by another reader than the crate's.
pub fn base64(value: &Value) -> Vec<u8> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = text(value).trim_end_matches('=').chars().map(|c| LETTERS.find(c).expect("base64"));
    let (mut bytes, mut held, mut count) = (Vec::new(), 0usize, 0);
    for six in bits {
        held = held << 6 | six;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((held >> count) as u8);
            held &= (1 << count) - 1;
        }
    }
    bytes
}
