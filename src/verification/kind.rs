//! What a file is, before anybody judges it: a bundle, a certificate, or something for another command.

use deckproof_audit::certificate::LIMITS;
use deckproof_deck::json::outermost_keys;

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
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii();
    if text.is_empty() {
        return FileKind::Foreign("the file is empty; ask for it again");
    }
    match outermost_keys(bytes, LIMITS) {
        Ok(keys) => kind_of_keys(&keys.iter().map(|key| &key[..]).collect::<Vec<_>>()),
        Err(_) => kind_of_text(text),
    }
}

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
    } else if has("voided") && has("entries") {
        "this is the answer of a service for a voided hand, which has no bundle; compare its entries with those from before the hand \
         (docs/serve.md, Void a hand)"
    } else if has("bundle") {
        "this is the answer of a service; give what its key \"bundle\" holds, a text, in a file of its own"
    } else {
        "this is JSON, but neither a reveal bundle nor the certificate of an audit; ask for the file again"
    })
}

/// Whether the object with which a text begins ends in it, whatever follows.
fn is_whole_object(text: &[u8]) -> bool {
    let (mut depth, mut is_text, mut is_escaped) = (0u64, false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' => depth += 1,
            b'}' if depth == 1 => return true,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    false
}

/// What is not JSON: cut off, or something else.
fn kind_of_text(text: &[u8]) -> FileKind {
    let holds = |word: &str| text.windows(word.len()).any(|window| window == word.as_bytes());
    if text.starts_with(b"{") {
        let rest = text[1..].trim_ascii_start();
        let begins = |key: &&[u8]| rest.starts_with(key);
        return if [&b"\"result\""[..], b"\"tool\""].iter().any(begins) {
            FileKind::Certificate
        } else if !is_whole_object(text) {
            FileKind::Foreign("the file is cut off; ask for it again")
        } else if holds("deckproof/v1 reveal")
            || BUNDLE_KEYS.iter().chain(["format"].iter()).any(|key| holds(&format!("\"{key}\"")))
        {
            // It is whole and says that it is a bundle, so what is wrong with it was made so.
            FileKind::Bundle
        } else {
            FileKind::Foreign("this is no JSON that can be read; ask for the file again")
        };
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
            FileKind::Foreign(said) => assert!(said.contains(words), "{text}: {said}"),
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
        check("Hi,\n> {\"format\": \"deckproof/v1 reveal\"}\n> variant = 1", "behind other text");
        check("{}", "neither");
        check("[1, 2]", "neither");
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
        ] {
            assert_eq!(kind_of(text.as_bytes()), FileKind::Bundle, "{text}");
        }
        // What follows a whole object, or a mark before it, makes no other file of it.
        for broken in [
            "{\"format\": \"deckproof/v1 reveal\", \"leaves\": [1,], }",
            "{\"format\": \"deckproof/v1 reveal\", \"a\": \"}\"} x",
            "\u{feff}{\"format\": \"deckproof/v1 reveal\"}",
            &format!("{{\"format\":{}{}}}", "[".repeat(41), "]".repeat(41)),
            "{\"hand_key\":}",
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
