//! The door over HTTP: socket or port, token, and the pages the program carries.

use std::path::Path;
use std::sync::Arc;

use zeroize::Zeroizing;

use crate::cli::serve::ServeArguments;
use crate::cli::{CliError, interrupt, page, screen};
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{TEXT_BYTES_MAX, own};
use deckproof_serve::door::http::{DoorKeeping, serve};
use deckproof_serve::door::listen::Listening;
use deckproof_serve::door::public::PublicPages;
use deckproof_serve::service::Service;

/// The schema from which clients are generated.
const OPENAPI: &[u8] = include_bytes!("../../../schemas/serve.openapi.json");

/// A shorter token could be guessed.
const TOKEN_LETTERS_MIN: usize = 16;

pub(super) fn run(arguments: &ServeArguments, service: Service) -> Result<Exit, CliError> {
    let keeping = DoorKeeping {
        listening: Listening::of(arguments.listen, arguments.socket.as_deref(), &arguments.folder),
        token: arguments.token.as_deref().map(read_token).transpose()?,
        connections_max: arguments.connections_max as usize,
        pages: PublicPages {
            verify: page::PAGE,
            worker: page::WORKER,
            openapi: OPENAPI,
            // As long as the program runs, like the pages.
            address: arguments.page.clone().map(|address| &*address.leak()),
        },
        closing: interrupt::closing(),
    };
    let ready = |place: &str| screen::warn(&format!("deckproof: answering on {place}"));
    serve(Arc::new(service), keeping, ready).map_err(|error| CliError::Problem(format!("serve: {error}")))?;
    screen::warn(
        "deckproof: ended; what was answered is durable, a call without an answer can be repeated after a start.",
    );
    Ok(Exit::Passed)
}

/// The token in the first line of a file.
pub(in crate::cli) fn read_token(path: &Path) -> Result<Zeroizing<String>, CliError> {
    let text = own::read_text_limited(path, TEXT_BYTES_MAX).map_err(|error| CliError::file(path, error))?;
    let text = Zeroizing::new(text);
    let token = text.lines().next().unwrap_or("").trim();
    let is_header = token.bytes().all(|byte| byte.is_ascii_graphic());
    if token.len() < TOKEN_LETTERS_MIN || !is_header {
        let problem =
            format!("{}: wanted a token of {TOKEN_LETTERS_MIN} or more letters and digits", path.display());
        return Err(CliError::Problem(problem));
    }
    Ok(Zeroizing::new(token.to_owned()))
}
