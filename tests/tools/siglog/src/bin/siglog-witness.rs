//! The witness of `siglog` at an address: its handler, with a fresh key. `cargo run --bin siglog-witness -- ORIGIN VKEY ADDRESS`.

use std::error::Error;
use std::sync::Arc;

use sea_orm::Database;
use sea_orm_migration::MigratorTrait;
use siglog::checkpoint::CheckpointSigner;
use siglog::witness::{LogConfig, Witness, handlers};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [origin, vkey, address] = &words[..] else {
        return Err("wanted the origin of a log, its vkey and an address".into());
    };
    let database = Arc::new(Database::connect(std::env::var("DATABASE_URL")?).await?);
    siglog::migration::Migrator::up(database.as_ref(), None).await?;
    let signer = Arc::new(CheckpointSigner::generate("witness.example/w1"));
    let logs = vec![LogConfig::new(origin.clone(), vkey)?];
    let witness = Arc::new(Witness::new(signer, database, logs));
    let app = axum::Router::new()
        .route("/add-checkpoint", axum::routing::post(handlers::add_checkpoint))
        .route("/health", axum::routing::get(handlers::health))
        .with_state(witness);
    axum::serve(tokio::net::TcpListener::bind(address).await?, app).await?;
    Ok(())
}
