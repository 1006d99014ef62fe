//! Texts that are secret keys: known by how they begin, so that no message repeats what a person named by mistake.

/// How a secret key of a log or a witness begins.
pub const NOTE_KEY: &str = "PRIVATE+KEY+";

/// How a private key of OpenSSH or another program begins.
const PEM: &str = "-----BEGIN ";

/// Hexadecimal digits of a day key, a hand key and a player's seed.
const KEY_DIGITS: usize = 64;

/// Which secret a text is, by its beginning.
pub fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.trim_ascii_start();
    if start.starts_with(NOTE_KEY.as_bytes()) {
        return Some("the secret key of a log or a witness");
    }
    let rest = start.strip_prefix(PEM.as_bytes())?;
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.windows(PRIVATE.len()).any(|word| word == PRIVATE).then_some("a private key")
}

/// What the first line of such a file says.
const PRIVATE: &[u8] = b"PRIVATE KEY-----";

/// The same for a text where no hash or commitment is wanted alone: 64 hexadecimal digits are then a key or a seed.
pub fn kind_of_text(bytes: &[u8]) -> Option<&'static str> {
    let digits = bytes.trim_ascii();
    let is_key = digits.len() == KEY_DIGITS && digits.iter().all(u8::is_ascii_hexdigit);
    kind_of(bytes).or(is_key.then_some("64 hexadecimal digits, as a key or a seed has them"))
}

/// A message in which every secret key of a log or a witness is cut out, whichever way it came there.
pub fn without_note_keys(message: &str) -> String {
    let mut parts = message.split(NOTE_KEY);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_of_key = |letter: char| letter.is_ascii_graphic() && !matches!(letter, '"' | '\'' | '`' | ',');
        let end = part.find(|letter| !is_of_key(letter)).unwrap_or(part.len());
        // The form itself, as a message of what was wanted has it, is no key.
        shown += if part[..end].contains(char::is_lowercase) {
            "(a secret key, not repeated here)"
        } else {
            NOTE_KEY
        };
        shown += if part[..end].contains(char::is_lowercase) { &part[end..] } else { part };
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG_KEY: &str = "PRIVATE+KEY+stud.example/log1+1a2b3c4d+AbCdEfGh";

    #[test]
    fn keys_are_known_by_their_beginning_and_hashes_are_no_keys_but_alone() {
        assert!(kind_of(format!("\n{LOG_KEY}\n").as_bytes()).is_some());
        assert!(kind_of(b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n").is_some());
        assert_eq!(kind_of(b"-----BEGIN PUBLIC KEY-----\n"), None);
        let digits = "0a".repeat(32);
        assert_eq!(kind_of(digits.as_bytes()), None);
        assert!(kind_of_text(format!("{digits}\n").as_bytes()).is_some());
        assert_eq!(kind_of_text(format!("{digits}\n{digits}\n").as_bytes()), None);
        assert_eq!(kind_of_text(b"plan_sha256 = \"0a\"\n"), None);
    }

    #[test]
    fn a_key_is_cut_out_of_a_message_and_its_form_is_not() {
        let shown = without_note_keys(&format!("line 1: found \"{LOG_KEY}\", wanted cards; {LOG_KEY}"));
        let cut = "(a secret key, not repeated here)";
        assert_eq!(shown, format!("line 1: found \"{cut}\", wanted cards; {cut}"));
        let form = "wanted PRIVATE+KEY+NAME+HEX+BASE64 on one line";
        assert_eq!(without_note_keys(form), form);
    }
}
