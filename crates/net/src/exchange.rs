//! One exchange over HTTP, limited in bytes and time. No redirect is followed, no proxy is looked for, no cookie is kept.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::http::header::CONTENT_TYPE;

use deckproof_deck::text::excerpt;

/// An address is at most this long, in bytes.
const ADDRESS_BYTES_MAX: usize = 1024;

/// The head of an answer, in bytes.
const HEAD_BYTES_MAX: usize = 16 << 10;

/// Whether this build speaks TLS.
const HAS_TLS: bool = cfg!(feature = "tls");

/// Where somebody answers: `http://` or `https://`, a host, perhaps a port and a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address(String);

/// Why a text is no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not of that form. What is before an @ may be a password, so that the text is not repeated.
    #[error(
        "wanted an address such as http://127.0.0.1:7002 or https://witness.example/w1, without user, ? and #"
    )]
    Form,
    /// This build cannot ask there.
    #[error(
        "this build was made without the feature tls, so that it asks http:// alone: use the executable that is handed out, or build with --features tls"
    )]
    NoTls,
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// [`AddressError`].
    pub fn parse(text: &str) -> Result<Address, AddressError> {
        let plain = text.strip_prefix("http://");
        let rest = plain.or_else(|| text.strip_prefix("https://")).ok_or(AddressError::Form)?;
        let is_plain = rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"@?#\\\"<>{}|^`".contains(&byte));
        let has_host = rest.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '[');
        if !is_plain || !has_host || text.len() > ADDRESS_BYTES_MAX {
            return Err(AddressError::Form);
        }
        if plain.is_some() || HAS_TLS {
            Ok(Address(text.trim_end_matches('/').to_owned()))
        } else {
            Err(AddressError::NoTls)
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What was answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// The status.
    pub status: u16,
    /// The type that the answer says it has.
    pub kind: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Answered {
    /// The beginning of the body, for people.
    pub fn beginning(&self) -> String {
        excerpt(String::from_utf8_lossy(&self.body).trim_end(), 120)
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// The operating system's word.
    #[error("no answer: {0}")]
    Io(io::Error),
    /// The time was up.
    #[error("no answer in time")]
    Slow,
    /// More than is read.
    #[error("an answer of more than {0} bytes")]
    TooLong(usize),
    /// What came is no HTTP, or the host has no address, or it shows no certificate that holds.
    #[error("no answer: {0}")]
    Other(String),
}

/// Asks, and keeps connections open for the next inquiry.
pub struct Caller {
    agent: Agent,
}

/// What is asked: where, until when, and how many bytes are read of an answer.
#[derive(Clone, Copy)]
pub struct Inquiry<'a> {
    /// Whom.
    pub address: &'a Address,
    /// The path behind the address; it begins with a slash.
    pub path: &'a str,
    /// When nobody waits any more.
    pub until: Instant,
    /// Bytes of an answer.
    pub bytes_max: usize,
}

impl Inquiry<'_> {
    fn place(&self) -> String {
        format!("{}{}", self.address, self.path)
    }

    fn left(&self) -> Result<Option<Duration>, ExchangeError> {
        match self.until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(ExchangeError::Slow),
            left => Ok(Some(left)),
        }
    }
}

impl Default for Caller {
    /// A caller without a connection.
    fn default() -> Caller {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .max_response_header_size(HEAD_BYTES_MAX)
            .user_agent(concat!("deckproof/", env!("CARGO_PKG_VERSION")))
            .build();
        Caller { agent: config.new_agent() }
    }
}

impl Caller {
    /// Asks by GET.
    ///
    /// # Errors
    /// [`ExchangeError`].
    pub fn get(&self, inquiry: Inquiry) -> Result<Answered, ExchangeError> {
        let request = self.agent.get(inquiry.place()).config().timeout_global(inquiry.left()?).build();
        read(request.call(), inquiry.bytes_max)
    }

    /// Asks by POST.
    ///
    /// # Errors
    /// [`ExchangeError`].
    pub fn post(&self, inquiry: Inquiry, body: &str) -> Result<Answered, ExchangeError> {
        let request = self.agent.post(inquiry.place()).config().timeout_global(inquiry.left()?).build();
        read(request.content_type("text/plain; charset=utf-8").send(body), inquiry.bytes_max)
    }
}

fn read(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    bytes_max: usize,
) -> Result<Answered, ExchangeError> {
    let fault = |error: ureq::Error| match error {
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::TimedOut => ExchangeError::Slow,
        ureq::Error::Io(error) => ExchangeError::Io(error),
        ureq::Error::Timeout(_) => ExchangeError::Slow,
        ureq::Error::BodyExceedsLimit(_) => ExchangeError::TooLong(bytes_max),
        other => ExchangeError::Other(excerpt(&other.to_string(), 160)),
    };
    let answer = answer.map_err(fault)?;
    let status = answer.status().as_u16();
    let kind =
        answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("").to_owned();
    let body = answer.into_body().into_with_config().limit(bytes_max as u64).read_to_vec().map_err(fault)?;
    Ok(Answered { status, kind, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_no_password() {
        for text in ["http://127.0.0.1:7002", "http://[::1]:7002/w1", "http://w.example/a/b"] {
            assert_eq!(Address::parse(text).expect("an address").to_string(), text);
        }
        assert_eq!(Address::parse("http://w.example/a/").expect("one").to_string(), "http://w.example/a");
        let long = format!("http://{}", "a".repeat(1024));
        for text in [
            "", "w.example", "ftp://w", "http://", "http:///x", "http://u:p@w", "http://w?x", "http://w#x",
            "http://w x", "http://w\u{1b}", "http://w\u{e9}", &long,
        ] {
            assert_eq!(Address::parse(text), Err(AddressError::Form), "{text}");
        }
        let tls = Address::parse("https://w.example");
        assert_eq!(tls.is_ok(), HAS_TLS, "{tls:?}");
    }
}
