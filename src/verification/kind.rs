//! What a file is, before anybody judges it: a bundle, a certificate, or something for another command.

use std::borrow::Cow;

use deckproof_audit::certificate::LIMITS;
use deckproof_deck::json::outermost_keys;
use deckproof_deck::text::carried::{MARK, unquoted};

/// Who judges a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A reveal bundle, honest or not.
    Bundle,
    /// A certificate of an audit.
    Certificate,
    /// A generator that `deckproof predict` recovered.
    Prediction,
    /// Neither: what it seems to be, and what to do with it.
    Foreign(&'static str),
}

/// Keys that no other JSON of ours has.
const BUNDLE_KEYS: [&str; 7] =
    ["deck_entry", "open_entry", "close_entry", "void_entry", "hand_key", "leaves", "my_seed"];

/// What was pasted twice.
const TWICE: &str = "another object begins behind the bundle (E_FORMAT), as where it was pasted twice; save one alone, from its first { to its last }";

/// What another program wrote in the place of quotation marks or spaces.
const NO_QUOTATION: &str = "its { is followed by no quotation mark of JSON: a program wrote others in their place, as mails and web pages have them; take the file \
                            as it was given";

/// What to do with a hand history.
const REPLAY: &str = "this is a hand history; deckproof replay judges one hand, deckproof hands a collection";

/// How other files begin, and what to do with them.
const BEGINNINGS: [(&str, &str); 10] = [
    ("<", "this is a web page, no bundle; save the file itself, not the page that shows it"),
    ("deckproof/v1 transcript", "this is a transcript, which names no cards; ask for the bundle of the hand"),
    (
        "deckproof/v1 void",
        "this is the end of a voided hand, and its reason is the operator's word; players of it get no bundle. Compare deck.txt and open.txt \
         with what you saved; deckproof log scan says whether they and the void are in the log",
    ),
    (
        "deckproof/v1 ",
        "this is a log entry; give a deck entry with --committed, beside the bundle of its hand",
    ),
    (
        "c2sp.org/tlog-proof",
        "this is a receipt of the log; give it with --receipt, beside the bundle of its hand",
    ),
    ("PokerStars ", REPLAY),
    ("variant", REPLAY),
    ("%PDF", "this is a PDF document, no bundle; ask for the JSON file"),
    ("PK", "this is a ZIP archive, and no package in a file on the disk; unpack it first"),
    ("\u{1f}", "this is a compressed file; unpack it first"),
];

/// What the bytes are, by their beginning and their keys.
pub fn kind_of(bytes: &[u8]) -> FileKind {
    let bytes = carried(bytes);
    let text = bytes.trim_ascii();
    if text.is_empty() {
        return FileKind::Foreign("the file is empty; ask for it again");
    }
    match outermost_keys(text, LIMITS) {
        Ok(keys) => kind_of_keys(&keys.iter().map(|key| &key[..]).collect::<Vec<_>>()),
        Err(_) => kind_of_text(text),
    }
}

/// The object that a file holds, without a byte order mark before it, the marks of a mail that quotes it, and what is behind it, such as the
/// foot of the mail; the file as it is where it holds none, or perhaps two.
pub fn carried(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Cow::Borrowed(bytes) };
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let object = if text.trim_start_matches(SPACE).starts_with('>') {
        // What went by mail is no secret, so that this copy is not wiped.
        object_of(&unquoted(text)).map(|object| Cow::Owned(object.as_bytes().to_vec()))
    } else {
        object_of(text).map(|object| Cow::Borrowed(object.as_bytes()))
    };
    object.unwrap_or(Cow::Borrowed(bytes))
}

/// The object with which a text begins; nothing where another one may begin behind it.
fn object_of(text: &str) -> Option<&str> {
    let object = text.trim_start_matches(SPACE);
    let behind = object.starts_with('{').then(|| behind_object(object.as_bytes())).flatten()?;
    (!behind.contains(&b'{')).then(|| &object[..object.len() - behind.len()])
}

/// White space of JSON.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

fn kind_of_keys(keys: &[&str]) -> FileKind {
    let has = |key: &str| keys.contains(&key);
    if has("recovered") && has("cards_known") {
        return FileKind::Prediction;
    }
    if has("facts") && has("document") {
        return FileKind::Foreign(
            "this is the data of a laboratory report; give deckproof verify the folder or the ZIP file of its package",
        );
    }
    // A hand is named so in every answer, whose entries have the names of those in a bundle.
    if has("table") && has("hand") && !has("format") {
        return FileKind::Foreign(answer_words(&has));
    }
    if BUNDLE_KEYS.iter().any(|key| has(key)) || has("format") {
        return FileKind::Bundle;
    }
    if has("result") {
        return FileKind::Certificate;
    }
    FileKind::Foreign(if has("quorum") && has("witness") {
        "this is a trust file; give it with --trust, beside a bundle"
    } else if has("verdict") {
        "this is what deckproof verify printed; give it the bundle itself"
    } else if has("bundle") {
        BUNDLE_INSIDE
    } else {
        "this is JSON, but neither a reveal bundle nor the certificate of an audit; ask for the file again"
    })
}

/// The answer of a service to a call for a bundle.
const BUNDLE_INSIDE: &str =
    "this is the answer of a service; give what its key \"bundle\" holds, a text, in a file of its own";

/// What the answer of a service is, by its keys, and what to give in its place.
fn answer_words(has: &dyn Fn(&str) -> bool) -> &'static str {
    if has("voided") && has("entries") {
        "this is the answer of a service for a voided hand, which has no bundle; compare its entries with those from before the hand \
         (docs/serve.md, Void a hand)"
    } else if has("bundle") {
        BUNDLE_INSIDE
    } else if has("error") {
        "this is a refusal of a service, which says nothing of the hand; ask the operator for the bundle"
    } else if has("receipt") {
        "this is the answer of a service to a call of the poker server; give the bundle of the hand, and beside it what its key \"receipt\" \
         holds, a text, in a file of its own with --receipt"
    } else {
        "this is the answer of a service to a call of the poker server; ask the operator for the bundle of the hand"
    }
}

/// What is behind the object with which a text begins; nothing where it does not end in it.
fn behind_object(text: &[u8]) -> Option<&[u8]> {
    let (mut depth, mut is_text, mut is_escaped) = (0u64, false, false);
    for (place, byte) in text.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(&text[place + 1..]),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What is not JSON: cut off, or something else.
fn kind_of_text(text: &[u8]) -> FileKind {
    let holds = |word: &str| text.windows(word.len()).any(|window| window == word.as_bytes());
    if text.starts_with(b"{") {
        let rest = text[1..].trim_ascii_start();
        let begins = |key: &&[u8]| rest.starts_with(key);
        if [&b"\"result\""[..], b"\"tool\""].iter().any(begins) {
            return FileKind::Certificate;
        }
        let Some(behind) = behind_object(text) else {
            return FileKind::Foreign("the file is cut off; ask for it again");
        };
        if !text[1..].trim_ascii_start().starts_with(b"\"") && !text[1..].trim_ascii_start().starts_with(b"}")
        {
            return FileKind::Foreign(NO_QUOTATION);
        }
        return if holds("deckproof/v1 reveal")
            || BUNDLE_KEYS.iter().chain(["format"].iter()).any(|key| holds(&format!("\"{key}\"")))
        {
            // It is whole and says that it is a bundle, so what else is wrong with it was made so.
            if behind.contains(&b'{') { FileKind::Foreign(TWICE) } else { FileKind::Bundle }
        } else {
            FileKind::Foreign("this is no JSON that can be read; ask for the file again")
        };
    }
    // A colour of crates/report/src/report/templates/style.css.
    if text.starts_with(b"<") && holds("--investigate-paper") {
        return FileKind::Foreign(
            "this is the page of a report, which holds no counts; give the folder or the ZIP file of its package, or its certificate.json",
        );
    }
    let known = BEGINNINGS.iter().find(|(beginning, _)| text.starts_with(beginning.as_bytes()));
    FileKind::Foreign(match known {
        Some((_, words)) => words,
        None if holds("\n\n\u{2014} ") => {
            "this is a signed checkpoint of a log; deckproof log scan --old takes it, or log cosign with its proof"
        }
        None if holds("deckproof/v1 reveal") => {
            "it holds a bundle behind other text, as of a mail; save the bundle alone, from its first { to its last }"
        }
        None if holds("variant =") || holds("\nactions =") => REPLAY,
        None => "this is neither a reveal bundle nor the certificate of an audit; ask for the file again",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, words: &str) {
        match kind_of(text.as_bytes()) {
            FileKind::Foreign(found) => assert!(found.contains(words), "{text}: {found}"),
            kind => panic!("{text}: {kind:?}"),
        }
    }

    #[test]
    fn foreign_files_are_named_with_what_to_do() {
        check("", "empty");
        check(" \n", "empty");
        check("<!DOCTYPE html><html></html>", "web page");
        check("deckproof/v1 deck\norigin a\n", "--committed");
        check("deckproof/v1 void\ndeck 00\nreason crash\n", "the end of a voided hand");
        check("deckproof/v1 transcript\n0 1 3 d\n", "transcript");
        check("c2sp.org/tlog-proof@v1\nindex 3\n", "--receipt");
        check("variant = 'F7S'\nantes = [1]\n", "deckproof replay");
        check("# a hand\nvariant = 'F7S'\n", "deckproof replay");
        check("PokerStars Hand #1:", "deckproof replay");
        check("{\"format\": \"deckproof/v1 reveal\", \"deck_ent", "cut off");
        check("{\"origin\":\"a\",\"log\":[],\"witness\":[],\"quorum\":1}", "--trust");
        check("{\"bundle\":\"{}\"}", "its key \"bundle\"");
        // Answers of a service, as docs/serve.md has them: some have keys of a bundle.
        let answer = |rest: &str| format!("{{\"table\":\"T-1\",\"hand\":1,{rest}}}");
        check(
            &answer("\"step\":1,\"deck_entry\":\"deckproof/v1 deck\",\"index\":0,\"receipt\":\"\""),
            "with --receipt",
        );
        check(&answer("\"close_entry\":\"\",\"transcript\":\"\""), "ask the operator for the bundle");
        check(&answer("\"bundle\":\"{\\\"format\\\":1}\",\"link\":\"#\""), "its key \"bundle\"");
        check(&answer("\"voided\":\"crash\",\"entries\":{},\"proofs\":{}"), "a voided hand");
        check(&answer("\"error\":\"unknown\",\"message\":\"\""), "a refusal of a service");
        check("Hi,\n> {\"format\": \"deckproof/v1 reveal\"}\n> variant = 1", "behind other text");
        check("{}", "neither");
        check("[1, 2]", "neither");
        for bundle in ["{\"format\": \"deckproof/v1 reveal\"}", "{\"leaves\": [1,]}"] {
            for between in ["", "\r\n", " \u{feff} ", "\n--\nfoot\n"] {
                check(&format!("{bundle}{between}{bundle}\n"), "pasted twice");
            }
        }
        // Written by another program.
        for text in
            ["{\u{201d}format\u{201d}: 1, \"leaves\"}", "{&quot;leaves&quot;: 1}", "{\u{a0}\"leaves\": 1}"]
        {
            check(text, "no quotation mark of JSON");
        }
        check("\u{feff}{\"origin\":\"a\",\"log\":[],\"witness\":[],\"quorum\":1}", "--trust");
        check("\u{1f}\u{8b}", "compressed");
        check("stud.example/log1\n3\nAAAA\n\n\u{2014} stud.example/log1 AAAA\n", "signed checkpoint");
        check("seven cards", "neither");
    }

    #[test]
    fn bundles_and_certificates_go_to_their_judges() {
        for text in [
            "{\"deck_entry\":1}",
            "{\"fornat\":1,\"leaves\":2}",
            "{\"leaves\":[], \"result\":1}",
            "{\"format\":1}",
            "{\"format\":1,\"table\":1,\"hand\":1}",
            "{\"hand\":1,\"leaves\":2}",
        ] {
            assert_eq!(kind_of(text.as_bytes()), FileKind::Bundle, "{text}");
        }
        // What follows a whole object makes no other file of it, unless it is an object too.
        for broken in [
            "{\"format\": \"deckproof/v1 reveal\", \"leaves\": [1,], }",
            "{\"format\": \"deckproof/v1 reveal\", \"a\": \"}\"} x",
            &format!("{{\"format\":{}{}}}", "[".repeat(41), "]".repeat(41)),
            "{\"hand_key\":}",
            "\u{feff}{\"format\": \"deckproof/v1 reveal\"}",
            "> {\"format\":\n>  1}\n> --\n> foot",
        ] {
            assert_eq!(kind_of(broken.as_bytes()), FileKind::Bundle, "{broken}");
        }
        assert_ne!(kind_of(b"{\"format\": \"deckproof/v1 reveal\", \"a\": \"}"), FileKind::Bundle);
        for text in ["{\"result\":1}", "{ \"tool\": x"] {
            assert_eq!(kind_of(text.as_bytes()), FileKind::Certificate, "{text}");
        }
        let prediction = b"{\"format\":\"deckproof/prediction/v2\",\"cards_known\":52,\"recovered\":[]}";
        assert_eq!(kind_of(prediction), FileKind::Prediction);
    }
}
