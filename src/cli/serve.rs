//! `deckproof serve`: committed hands for a poker server, over HTTP on a socket or port of this machine, or JSON lines.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::cli::deal::integrity::IntegrityArguments;
use crate::cli::{CliError, failed, interrupt, screen, tool};
use deckproof_audit::source::format::parse_time;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::own;
use deckproof_serve::door::lines;
use deckproof_serve::service::{Service, ServiceSettings, VaultSettings, WitnessSettings};
use deckproof_table::log_folder::key_files::read_key;
use deckproof_table::table::link;
use deckproof_vault::vault::holders::Holders;

#[cfg(feature = "serve")]
pub(super) mod http;

#[derive(Args)]
pub(super) struct ServeArguments {
    /// The folder of the service, in which log/ is a log that deckproof log init began; secret/ opens the cards of every hand.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The secret key of the log. FILE.serving beside it says which folder the key serves and how far: a copy or an older state of the folder does not deal.
    #[arg(long, value_name = "FILE")]
    log_key: PathBuf,
    /// Answer JSON lines on standard input and output, one call a line, until the input ends.
    #[arg(long, conflicts_with_all = ["socket", "listen"])]
    lines: bool,
    /// Answer HTTP on this socket, which this user alone may open [default: FOLDER/socket].
    #[arg(long, value_name = "FILE", conflicts_with = "listen")]
    socket: Option<PathBuf>,
    /// Answer HTTP on this port of this machine, such as 127.0.0.1:7001.
    #[arg(long, value_name = "ADDRESS", requires = "token")]
    listen: Option<std::net::SocketAddr>,
    /// A file whose first line every call must bring along as its bearer token: 16 letters or more.
    #[arg(long, value_name = "FILE", conflicts_with = "lines")]
    token: Option<PathBuf>,
    /// The https address where players open the page: /tables/TABLE/hands/NUMBER/root.svg is then a QR code that gives the page the deck root of the hand until its first card.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "lines", value_parser = link::address)]
    page: Option<String>,
    /// Read what has ended and deal nothing; for a copy of a folder.
    #[arg(long)]
    read_only: bool,
    /// Public keys of age, one a line, whose owners hold one of the two shares of what opens a hand: give it twice, for two people. Hands that ended are then opened by both together (deckproof vault), and by the service no more.
    #[arg(long, value_name = "FILE", conflicts_with = "read_only")]
    vault_recipients: Vec<PathBuf>,
    /// How long a hand that ended waits at most until what opens it is in the vault and wiped here.
    #[arg(long, value_name = "TIME", default_value = "10m", requires = "vault_recipients", value_parser = parse_time)]
    vault_every: Duration,
    /// Ask the witness at this address for its cosignature of the checkpoint with each opening before it is answered, such as http://127.0.0.1:7002; several, each with --witness. All tables that wait share one checkpoint.
    #[arg(long, value_name = "ADDRESS", requires = "trust", conflicts_with = "read_only")]
    witness: Vec<String>,
    /// Whose cosignatures count: a trust file with the witnesses' keys and their quorum.
    #[arg(long, value_name = "FILE", requires = "witness")]
    trust: Option<PathBuf>,
    /// How long witnesses are waited for.
    #[arg(long, value_name = "TIME", default_value = "10s", requires = "witness", value_parser = parse_time)]
    wait: Duration,
    /// What follows when the quorum did not cosign an opening by then: go-on deals the hand, and its receipts bear what was given; hold answers stopped, and deals no card until open is repeated with success or the hand is voided.
    #[arg(long, value_name = "POLICY", default_value = "go-on", requires = "witness")]
    outage: Outage,
    /// Tables there may be.
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000)]
    tables_max: usize,
    /// Connections at a time.
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    connections_max: u32,
    /// Calls a second at one table.
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000)]
    rate_max: u32,
    #[command(flatten)]
    integrity: IntegrityArguments,
}

pub(super) fn run(arguments: &ServeArguments) -> Result<Exit, CliError> {
    let service = service(arguments)?;
    if arguments.lines {
        interrupt::end_with(
            "\ndeckproof: interrupted; what was answered is durable, and the same calls go on after a start.",
        );
        lines::serve(&service, io::stdin().lock(), screen::out())
            .map_err(|error| CliError::Problem(format!("standard input: {error}")))?;
        return Ok(Exit::Passed);
    }
    over_http(arguments, service)
}

fn service(arguments: &ServeArguments) -> Result<Service, CliError> {
    let signer = read_key(&arguments.log_key)?;
    if arguments.read_only {
        return Ok(Service::only_reading(&arguments.folder, signer));
    }
    // A restored backup may have lost the rights.
    for path in [&arguments.log_key, &arguments.folder.join("secret")] {
        if own::is_open_to_others(path) {
            let path = path.display();
            screen::warn(&format!("deckproof: {path} is open to others than its owner: chmod go= {path}"));
        }
    }
    let integrity = arguments.integrity.clone();
    let started = Service::start(ServiceSettings {
        // What cannot be read stops as well.
        gate: Box::new(move || integrity.stop().unwrap_or_else(|error| Some(error.to_string()))),
        tables_max: arguments.tables_max,
        rate_max: arguments.rate_max,
        vault: vault(arguments)?,
        witnesses: witnesses(arguments)?,
        ..ServiceSettings::new(arguments.folder.clone(), arguments.log_key.clone(), signer)
    });
    started.map_err(failed)
}

/// What follows when a quorum of witnesses is out of reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Outage {
    /// Hands go on.
    GoOn,
    /// Hands stop before their first card.
    Hold,
}

#[cfg(feature = "net")]
fn witnesses(arguments: &ServeArguments) -> Result<Option<WitnessSettings>, CliError> {
    use crate::cli::log::ask::served_witnesses;
    use deckproof_serve::service::{WitnessOutage, log_folder};
    use deckproof_table::log_folder::key_files::read_trust;

    let Some(trust) = &arguments.trust else { return Ok(None) };
    let log = log_folder(&arguments.folder);
    let ask = served_witnesses(&log, &arguments.witness, read_trust(trust)?, arguments.wait)?;
    let outage = match arguments.outage {
        Outage::GoOn => WitnessOutage::GoOn,
        Outage::Hold => WitnessOutage::Hold,
    };
    Ok(Some(WitnessSettings { ask, outage }))
}

#[cfg(not(feature = "net"))]
fn witnesses(arguments: &ServeArguments) -> Result<Option<WitnessSettings>, CliError> {
    match arguments.trust {
        None => Ok(None),
        Some(_) => {
            Err(CliError::Problem("--witness: this build was made without the feature net".to_owned()))
        }
    }
}

/// Two files for two people: with both keys in one hand there would be no second person.
fn vault(arguments: &ServeArguments) -> Result<Option<VaultSettings>, CliError> {
    let [first, second] = match &arguments.vault_recipients[..] {
        [] => return Ok(None),
        [first, second] => [first, second],
        others => {
            let found = others.len();
            return Err(CliError::Problem(format!(
                "--vault-recipients: found {found} files, wanted two: one for each share of what opens a hand"
            )));
        }
    };
    let read = |path| Holders::read(path).map_err(failed);
    let holders = [read(first)?, read(second)?];
    if let Some(key) = holders[0].in_common(&holders[1]) {
        return Err(CliError::Problem(format!(
            "--vault-recipients: found {key} in both files, wanted two people: its owner would open hands alone"
        )));
    }
    Ok(Some(VaultSettings { holders, every: arguments.vault_every, today: tool::today_utc }))
}

#[cfg(feature = "serve")]
fn over_http(arguments: &ServeArguments, service: Service) -> Result<Exit, CliError> {
    http::run(arguments, service)
}

#[cfg(not(feature = "serve"))]
fn over_http(_arguments: &ServeArguments, _service: Service) -> Result<Exit, CliError> {
    screen::warn("deckproof: this build was made without the feature serve");
    Err(CliError::Problem("wanted --lines: this build answers JSON lines alone".to_owned()))
}
