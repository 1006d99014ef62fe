//! What is said of a call that is not in the schema: the key, what was found there, and what was wanted.

use crate::calls::read::line;

/// What is said of a call.
fn said(call: &str) -> String {
    line(call.as_bytes()).err().expect("it is in no schema").message
}

fn check(call: &str, message: &str) {
    assert_eq!(said(call), message, "{call}");
}

#[test]
fn a_number_is_named_with_what_was_wanted() {
    let whole = "wanted a whole number 0 to 2^53-1";
    for found in ["-1", "4.5", "1e3", "9007199254740992"] {
        let call = format!(r#"{{"call":"receipt","table":"T-1","hand":{found},"entry":"deck"}}"#);
        check(&call, &format!(r#""hand": found {found}, {whole}"#));
    }
    let look = |rest: &str| format!(r#"{{"call":"bundle","table":"T-1","hand":1,{rest}}}"#);
    check(&look(r#""seat":9"#), r#""seat": found 9, wanted a seat 1 to 8"#);
    check(&look(r#""seat":"4""#), &format!(r#""seat": found a string of 1 letter, {whole}"#));
    check(
        &look(r#""seat":4,"full":true"#),
        r#""seat": found 4, "full": found true, wanted either "seat", or "full": true"#,
    );
    let street = |live: &str| format!(r#"{{"call":"street","table":"T-1","hand":1,"step":3,"live":{live}}}"#);
    check(&street("[4,5,0]"), r#""live": found 0, wanted a seat 1 to 8"#);
    check(&street("[4,5,4]"), r#""live": found seat 4 twice, wanted each seat once"#);
    check(&street("4"), r#""live": found 4, wanted a list of seats"#);
    let open = r#"{"call":"open","table":"T-1","hand":1,"step":2,"rules":"stud-hi","seats":[1,2],"round":0}"#;
    check(open, r#""round": found 0, wanted a whole number from 1"#);
}

#[test]
fn a_word_is_repeated_and_what_may_be_a_secret_is_not() {
    let commit = |rest: &str| format!(r#"{{"call":"commit","table":"T-1","hand":1,"step":1,{rest}}}"#);
    check(&commit(r#""mix":"dealer""#), r#""mix": found "dealer", wanted none, players or beacon"#);
    let seed = "0123456789abcdef".repeat(4);
    let mix = format!(r#""mix":"{seed}""#);
    check(&commit(&mix), r#""mix": found a string of 64 letters, wanted none, players or beacon"#);
    let deck = |cards: &str| said(&commit(&format!(r#""mix":"none","deck":[{cards}]"#)));
    let wanted = r#"wanted 52 different cards such as "7h", the top one first"#;
    assert_eq!(deck(r#""7h","8h""#), format!(r#""deck": found 2 cards, {wanted}"#));
    assert_eq!(deck(r#""7h","9x""#), format!(r#""deck": found no card at place 2, {wanted}"#));
    let twice = vec![r#""7h""#; 52].join(",");
    assert_eq!(deck(&twice), format!(r#""deck": found a card twice, {wanted}"#));
    let cut =
        |seeds: &str| said(&format!(r#"{{"call":"cut","table":"T-1","hand":1,"step":3,"seeds":{seeds}}}"#));
    let wanted = "wanted seats 1 to 8, each with 64 lower-case hexadecimal digits";
    let pair = |seat: &str, digits: &str| cut(&format!(r#"{{"{seat}":"{digits}"}}"#));
    assert_eq!(pair("9", &seed), format!(r#""seeds": found the seat "9", {wanted}"#));
    assert_eq!(
        pair("4", &seed[1..]),
        format!(r#""seeds": found a string of 63 letters at seat 4, {wanted}"#)
    );
    let upper =
        format!(r#""seeds": found a string of 64 letters, not all of them such digits at seat 4, {wanted}"#);
    assert_eq!(pair("4", &seed.to_uppercase()), upper);
    assert_eq!(cut("7"), "seeds: found 7, wanted an object");
}
