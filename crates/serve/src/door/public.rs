//! What everybody may read: the log as tiles, receipts, the players' page, QR codes for it, health and numbers. No path
//! leads to a secret.

use std::path::{Component, Path};

use crate::door::qr_code::LinkCode;
use crate::service::Service;
use deckproof_files::file::own;
use deckproof_table::log_folder::reader::LogReader;

/// A tile or a bundle of entries takes at most 256 times 4,098 bytes.
const FILE_BYTES_MAX: u64 = 2 << 20;

/// Pages that the program carries.
#[derive(Clone, Copy)]
pub struct PublicPages {
    /// The players' page.
    pub verify: &'static [u8],
    /// The script by which a browser keeps it for visits without a network.
    pub worker: &'static [u8],
    /// The schema of the calls.
    pub openapi: &'static [u8],
    /// Where players open the page, for QR codes.
    pub address: Option<&'static str>,
}

/// What a path leads to.
pub(super) struct Found {
    /// The HTTP status.
    pub status: u16,
    /// The kind of text or bytes.
    pub kind: &'static str,
    /// They themselves.
    pub bytes: Vec<u8>,
}

const TEXT: &str = "text/plain; charset=utf-8";

fn found(status: u16, kind: &'static str, bytes: impl Into<Vec<u8>>) -> Found {
    Found { status, kind, bytes: bytes.into() }
}

/// What is read by GET; nothing for a path that leads nowhere.
pub(super) fn get(path: &str, service: &Service, pages: &PublicPages) -> Option<Found> {
    match path {
        "/health" => Some(health(service)),
        "/metrics" => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            Some(found(200, kind, service.meters().text(service.stopped().is_some())))
        }
        "/verify.html" => Some(found(200, "text/html; charset=utf-8", pages.verify)),
        "/sw.js" => Some(found(200, "text/javascript; charset=utf-8", pages.worker)),
        "/openapi.json" => Some(found(200, "application/json", pages.openapi)),
        "/log/checkpoint" => file(service.log(), "checkpoint").map(|bytes| found(200, TEXT, bytes)),
        _ => below(path, service, pages),
    }
}

/// What is found by a number or a name.
fn below(path: &str, service: &Service, pages: &PublicPages) -> Option<Found> {
    if let Some(index) = path.strip_prefix("/receipt/") {
        return receipt(service.log(), index);
    }
    if let Some(hand) = path.strip_prefix("/tables/") {
        return qr_code(hand.strip_suffix("/root.svg")?, service, pages.address?);
    }
    let name = path.strip_prefix("/log/").filter(|name| is_tile(name))?;
    file(service.log(), name).map(|bytes| found(200, "application/octet-stream", bytes))
}

/// The QR code of `TABLE/hands/NUMBER`: a link that gives the page what a player keeps before the first card.
fn qr_code(hand: &str, service: &Service, address: &str) -> Option<Found> {
    let (table, number) = hand.split_once("/hands/")?;
    let kept = service.kept_before(table, decimal(number)?)?;
    let code = LinkCode::of(&format!("{address}#{kept}"))?;
    Some(found(200, "image/svg+xml", code.svg()))
}

/// A number as it is written, and in no other way.
fn decimal(text: &str) -> Option<u64> {
    let digits = text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number: &u64| digits && number.to_string() == text)
}

/// Fails closed: whatever is not known to be well is not well.
fn health(service: &Service) -> Found {
    let accusing = service.meters().accusing();
    match service.stopped() {
        None if !accusing.is_empty() => {
            let lines = accusing
                .iter()
                .map(|place| format!("witness {place} says that this log was rolled back or forked\n"));
            let advice =
                "Stop the tables, and find out which of the two is wrong: each hand makes a fork longer.\n";
            found(503, TEXT, lines.collect::<String>() + advice)
        }
        None => {
            let left_out = service.meters().left_out();
            let lines =
                left_out.iter().map(|place| format!("witness {place} is left out: no answer in time\n"));
            found(200, TEXT, "ok\n".to_owned() + &lines.collect::<String>())
        }
        Some(reason) => found(503, TEXT, format!("stopped: {reason}\n")),
    }
}

/// The receipt of an entry under the checkpoint of now.
fn receipt(log: &Path, index: &str) -> Option<Found> {
    let index = decimal(index)?;
    let receipt = LogReader::open(log).and_then(|reader| reader.receipt(index)).ok()?;
    Some(found(200, TEXT, receipt.to_string()))
}

/// `tile/L/N`, `tile/entries/N`, each perhaps with `.p/W`, as c2sp.org/tlog-tiles spells them: three digits, `x` before all
/// but the last three.
fn is_tile(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("tile/") else { return false };
    let Some((level, number)) = rest.split_once('/') else { return false };
    let is_level =
        level == "entries" || (level.len() == 1 && level.bytes().all(|byte| byte.is_ascii_digit()));
    let (number, is_width) = match number.split_once(".p/") {
        Some((number, width)) => {
            (number, (1..=255).contains(&width.parse().unwrap_or(0)) && !width.starts_with(['0', '+']))
        }
        None => (number, true),
    };
    let parts: Vec<&str> = number.split('/').collect();
    let (last, above) = parts.split_last().expect("splitting gives at least one part");
    let is_three = |part: &str| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    let are_above = above.len() <= 5 && above.iter().all(|part| part.strip_prefix('x').is_some_and(is_three));
    is_level && is_width && is_three(last) && are_above
}

fn file(folder: &Path, name: &str) -> Option<Vec<u8>> {
    // The names were looked at; this holds whatever they will be.
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let path = folder.join(name);
    if !is_plain || own::check_folders(folder, &path).is_err() {
        return None;
    }
    own::read_limited(&path, FILE_BYTES_MAX).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tiles_are_those_of_the_specification_and_no_others() {
        for name in
            ["tile/0/x001/x234/067", "tile/entries/000.p/1", "tile/5/999.p/255", "tile/entries/x001/000"]
        {
            assert!(is_tile(name), "{name}");
        }
        for name in [
            "tile/0/../067",
            "tile/0/67",
            "tile/00/067",
            "tile/entries/000.p/0",
            "tile/entries/000.p/256",
            "tile/entries/000.p/01",
            "tile/entries/000.p/+1",
            "tile/0/x001/",
            "tile/0//067",
            "tile/0/x001",
            "tile/secret/000",
            "../secret/journal/00000001",
            "secret/journal",
            "",
        ] {
            assert!(!is_tile(name), "{name}");
        }
    }
}
