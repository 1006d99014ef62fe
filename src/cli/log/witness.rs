//! `deckproof log witness`: a witness of logs, as a service.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::CliError;
use deckproof_deck::text::exit::Exit;

#[derive(Args)]
pub(super) struct LogWitnessArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Cosign checkpoints that logs send, over HTTP on a socket or port of this machine (c2sp.org/tlog-witness).
    Serve(WitnessServeArguments),
}

#[derive(Args)]
struct WitnessServeArguments {
    /// The folder of the witness: the checkpoint cosigned last of each log, which may be published. Never lose it and never put an older one back.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Your secret key, as deckproof log cosign --init made it.
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The logs you watch: a trust file of each, with its name and keys.
    #[arg(long, value_name = "FILE", required = true)]
    trust: Vec<PathBuf>,
    /// You never cosigned the log of this name: begin its state.
    #[arg(long, value_name = "NAME")]
    first: Vec<String>,
    /// Answer on this socket, which this user alone may open [default: FOLDER/socket].
    #[arg(long, value_name = "FILE", conflicts_with = "listen")]
    socket: Option<PathBuf>,
    /// Answer on this port of this machine, such as 127.0.0.1:7002.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<std::net::SocketAddr>,
    /// Connections at a time.
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    connections_max: u32,
}

pub(super) fn run(arguments: &LogWitnessArguments) -> Result<Exit, CliError> {
    let Command::Serve(arguments) = &arguments.command;
    serve(arguments)
}

#[cfg(feature = "serve")]
fn serve(arguments: &WitnessServeArguments) -> Result<Exit, CliError> {
    use crate::cli::log::cosign::{now, witness_key};
    use crate::cli::{interrupt, screen};
    use deckproof_serve::door::listen::Listening;
    use deckproof_serve::door::witness;
    use deckproof_table::log_folder::key_files::read_trust;
    use deckproof_table::log_folder::witness_server::WitnessDesk;

    let signer = witness_key(&arguments.key)?;
    let trusts = arguments.trust.iter().map(|path| read_trust(path)).collect::<Result<_, _>>()?;
    let desk = WitnessDesk::open(&arguments.folder, signer, trusts, &arguments.first, Box::new(now))?;
    let listening = Listening::of(arguments.listen, arguments.socket.as_deref(), &arguments.folder);
    let closing = interrupt::closing();
    let ready = |place: &str| screen::warn(&format!("deckproof: answering on {place}"));
    let report = |found: &str| screen::warn(&format!("deckproof: {found}"));
    witness::serve(desk, (listening, &closing), arguments.connections_max as usize, ready, report)
        .map_err(|error| CliError::Problem(format!("log witness serve: {error}")))?;
    Ok(Exit::Passed)
}

#[cfg(not(feature = "serve"))]
fn serve(arguments: &WitnessServeArguments) -> Result<Exit, CliError> {
    let _ = arguments;
    Err(CliError::Problem(
        "this build was made without the feature serve, wanted it for a witness over HTTP".to_owned(),
    ))
}
