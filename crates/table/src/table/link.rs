//! Links whose fragment carries a bundle, for the players' page (docs/page.md).

use std::io::{self, Write};

use base64ct::{Base64UrlUnpadded, Encoding};
use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Letters of an address at most.
const ADDRESS_MAX: usize = 500;

/// The address of the page: one that a phone opens.
///
/// # Errors
/// What was wanted.
pub fn address(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or("");
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
    if is_plain && !host.is_empty() && !host.starts_with('/') && text.len() <= ADDRESS_MAX {
        Ok(text.to_owned())
    } else {
        Err("wanted the address of the page, such as https://stud.example/verify.html".to_owned())
    }
}

/// The link: one raw DEFLATE stream (RFC 1951) in base64url (RFC 4648, section 5).
///
/// # Errors
/// None is expected: it is written to memory.
pub fn of_bundle(address: &str, bundle: &[u8]) -> io::Result<String> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bundle)?;
    let packed = Base64UrlUnpadded::encode_string(&packed.finish()?);
    Ok(format!("{}#d1.{packed}", address.trim_end_matches('#')))
}
