//! Texts that are no strict JSON, limits, and texts that are.

use super::*;

const LIMITS: Limits = Limits { bytes_max: 1 << 20, members_max: 100_000 };

#[test]
fn values_are_read_as_they_were_written() {
    let json = Json::parse(
        b" {\"a\" : [ 1, -0.5e+3 ,true,null ], \"\\u0062\":\"\\ud83c\\udca1\\n\\/\", \"c\":{}} \n",
        LIMITS,
    );
    let json = json.expect("it is JSON");
    let number = |text: &str| Json::Number(text.to_owned());
    let list = Json::List(vec![number("1"), number("-0.5e+3"), Json::Bool(true), Json::Null]);
    assert_eq!(json.member("a"), Some(&list));
    assert_eq!(json.member("b").and_then(Json::text), Some("🂡\n/"));
    assert_eq!(json.member("c"), Some(&Json::Object(Vec::new())));
}

fn check_refused(text: &[u8], offset: usize) {
    let shown = String::from_utf8_lossy(text);
    assert_eq!(Json::parse(text, LIMITS).map_err(|error| error.offset), Err(offset), "{shown}");
    assert_eq!(outermost_keys(text, LIMITS).map_err(|error| error.offset), Err(offset), "{shown}");
}

#[test]
fn what_readers_understand_differently_is_refused_with_its_place() {
    check_refused(b"\xef\xbb\xbf{}", 0);
    let error = Json::parse(b"\xef\xbb\xbf{}", LIMITS).expect_err("JSON has none").to_string();
    assert!(error.contains("byte order mark"), "{error}");
    check_refused(b"{\"a\":1,\"a\":1}", 7);
    check_refused(b"{\"a\":1,\"\\u0061\":1}", 7);
    check_refused(b"\"\\ud800\"", 7);
    check_refused(b"\"\\udc00\"", 7);
    check_refused(b"\"\\ud800\\u0041\"", 13);
    check_refused(b"[NaN]", 1);
    check_refused(b"[-Infinity]", 2);
    check_refused(b"01", 1);
    check_refused(b"1.", 2);
    check_refused(b"+1", 0);
    check_refused(b"{} {}", 3);
    check_refused(b"[1,]", 3);
    check_refused(b"{\"a\":1,}", 7);
    check_refused(b"\"\xff\"", 1);
    check_refused(b"\"a\nb\"", 2);
    check_refused(b"\"\\x\"", 2);
    check_refused(b"\"\\u+041\"", 3);
    check_refused(b"", 0);
    check_refused(b"{\"a\"", 4);
    check_refused(b"[", 1);
    check_refused(b"\"abc", 4);
    check_refused(&[b'['; 100], DEPTH_MAX + 1);
}

#[test]
fn limits_are_reported_with_the_first_byte_or_key_too_many() {
    let check = |text: &[u8], limits: Limits, expected: Result<(), usize>| {
        let found = Json::parse(text, limits).map(|_| ()).map_err(|error| error.offset);
        assert_eq!(found, expected);
        let found = outermost_keys(text, limits).map(|_| ()).map_err(|error| error.offset);
        assert_eq!(found, expected);
    };
    check(b"[1]", Limits { bytes_max: 3, members_max: 0 }, Ok(()));
    check(b"[1]", Limits { bytes_max: 2, members_max: 0 }, Err(2));
    check(br#"{"a":1,"b":{}}"#, Limits { bytes_max: 99, members_max: 2 }, Ok(()));
    check(br#"{"a":1,"b":{}}"#, Limits { bytes_max: 99, members_max: 1 }, Err(7));
    check(br#"[{"a":{"b":1,"c":2}}]"#, Limits { bytes_max: 99, members_max: 1 }, Err(13));
}

#[test]
fn outermost_keys_are_those_of_the_object_and_of_nothing_inside() {
    let keys = |text: &[u8]| outermost_keys(text, LIMITS).expect("it is JSON");
    assert_eq!(keys(br#" {"b":[{"x":1},"\u0061"],"a":{"y":null}} "#), ["b", "a"]);
    assert_eq!(keys(br#"[{"x":1}]"#), [""; 0]);
}

/// 870 kB of this took 41 s when every key was compared with every one before it; a million keys would take hours.
#[test]
fn many_keys_are_read_in_linear_time() {
    let limits = Limits { bytes_max: 64 << 20, members_max: 1_000_000 };
    let members: Vec<String> = (0..limits.members_max).map(|n| format!("\"{n}\":0")).collect();
    let text = format!("{{{}}}", members.join(","));
    assert_eq!(outermost_keys(text.as_bytes(), limits).expect("it is JSON").len(), members.len());
    Json::parse(text.as_bytes(), limits).expect("it is JSON");
    let twice = format!("{},\"7\":0}}", text.trim_end_matches('}'));
    let limits = Limits { members_max: limits.members_max + 1, ..limits };
    let error = Json::parse(twice.as_bytes(), limits).expect_err("a key stands twice");
    assert_eq!((error.offset, error.problem), (text.len(), "a key that stood before"));
}
