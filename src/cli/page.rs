//! `deckproof page`: the page for players, one file that checks a hand in a browser, and QR codes that lead to it.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::{CliError, print, write};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{self, Access};
use deckproof_serve::door::qr_code::LinkCode;
use deckproof_table::table::link;

/// As the sources below `web` make it; the tests there compare.
pub(super) const PAGE: &[u8] = include_bytes!("../../web/verify.html");

/// Lies beside the page on a server (docs/page.md).
#[cfg(feature = "serve")]
pub(super) const WORKER: &[u8] = include_bytes!("../../web/sw.js");

#[derive(Args)]
pub(super) struct PageArguments {
    /// The file to write: the page, or with --qr an SVG.
    #[arg(long, value_name = "FILE", required_unless_present = "qr")]
    out: Option<PathBuf>,
    /// Draw a link to the page as a QR code instead, on the terminal or into FILE, for a screen at the table before the first card. LINK ends with # and the 64 digits of the deck root.
    #[arg(long, value_name = "LINK")]
    qr: Option<String>,
}

pub(super) fn run(arguments: &PageArguments) -> Result<Exit, CliError> {
    match (&arguments.qr, &arguments.out) {
        (Some(link), out) => draw(link, out.as_deref())?,
        (None, Some(out)) => {
            let sha256 = file::sha256(PAGE);
            write(out, PAGE, Access::Public)?;
            print(&format!("{sha256}  {}\n", out.display()))?;
        }
        (None, None) => unreachable!("clap wants one of them"),
    }
    Ok(Exit::Passed)
}

fn draw(link: &str, out: Option<&Path>) -> Result<(), CliError> {
    let code = check(link).and_then(|()| {
        LinkCode::of(link).ok_or_else(|| {
            format!(
                "{} bytes: a QR code holds 2,331; the bundle of a hand goes into the hand history, as a link",
                link.len()
            )
        })
    });
    let code = code.map_err(|problem| CliError::Problem(format!("--qr: {problem}")))?;
    match out {
        Some(out) => write(out, code.svg().as_bytes(), Access::Public),
        None => print(&code.blocks()),
    }
}

/// A link that the page reads (docs/page.md). A wrong digit at the table would look like a deck that was changed.
fn check(link: &str) -> Result<(), String> {
    let wanted = || "wanted ADDRESS#ROOT, such as https://stud.example/verify.html# and 64 digits".to_owned();
    let (place, fragment) = link.split_once('#').ok_or_else(wanted)?;
    link::address(place)?;
    let is_root =
        fragment.len() == 64 && fragment.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_packed = fragment.strip_prefix("d1.").is_some_and(|text| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    });
    if is_root || is_packed { Ok(()) } else { Err(wanted()) }
}
