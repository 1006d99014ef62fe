//! Reads a log of deckproof as `siglog`, a log server of its own, reads its logs: the signed checkpoint, the
//! hash tiles, the entries, and the consistency proof that it makes from our tiles.
//! `cargo run -- LOG VKEY REQUEST` from this folder, where REQUEST is what `deckproof log prove --from N LOG`
//! printed; it prints what it proved, and ends with an error otherwise. `run.sh` does all of it, and has the
//! witness of that server cosign the log over the loopback.

use std::error::Error;
use std::fs;

use siglog::checkpoint::CosignedCheckpoint;
use siglog::merkle::generate_consistency_proof_simple;
use siglog::merkle::proof::compute_subtree_hash;
use siglog::storage::TileStorage;
use siglog::types::{PartialSize, TileIndex};
use siglog::witness::{AddCheckpointRequest, CheckpointVerifier, LogConfig};
use sigstore_merkle::hash_leaf;

/// Entries of a bundle.
const WIDTH: u64 = 256;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [log, vkey, request] = &words[..] else {
        return Err("wanted the folder of a log, its vkey and the file of a request".into());
    };
    let storage = TileStorage::new_fs(log)?;
    let text = storage.read_checkpoint().await?.ok_or("there is no checkpoint")?;
    let checkpoint = CosignedCheckpoint::from_text(text.as_str()?)?;
    let origin = checkpoint.checkpoint.origin.as_str().to_owned();
    CheckpointVerifier::new(LogConfig::new(origin.clone(), vkey)?).verify(&checkpoint)?;
    let size = checkpoint.checkpoint.size.value();
    println!("checkpoint of {origin}: {size} entries, signed by the log");

    let root = compute_subtree_hash(&storage, 0, size, size).await?;
    assert_eq!(root, checkpoint.checkpoint.root_hash, "the hash tiles have another root");
    println!("hash tiles: the root is that of the checkpoint");

    let mut entries = 0;
    for bundle in 0..size.div_ceil(WIDTH) {
        let held = (size - bundle * WIDTH).min(WIDTH);
        let partial = PartialSize::new(u8::try_from(held % WIDTH)?);
        let own = storage.read_entry_bundle(TileIndex::new(bundle), partial).await?;
        for entry in own.ok_or("an entry bundle is missing")?.entries {
            let leaf = compute_subtree_hash(&storage, entries, entries + 1, size).await?;
            assert_eq!(hash_leaf(entry.as_bytes()), leaf, "entry {entries} is not the one in the tiles");
            entries += 1;
        }
    }
    assert_eq!(entries, size);
    println!("entries: all {entries} hash to their leaves");

    let request = AddCheckpointRequest::from_ascii(&fs::read_to_string(request)?)?;
    let own = generate_consistency_proof_simple(&storage, request.old_size, size).await?;
    let ours: Vec<String> = printed(&request);
    let theirs: Vec<String> = own.iter().map(|hash| format!("{hash:?}")).collect();
    assert_eq!(ours, theirs, "the consistency proofs differ");
    println!("consistency: its proof from {} to {size} is ours, {} hashes", request.old_size, own.len());
    Ok(())
}

fn printed(request: &AddCheckpointRequest) -> Vec<String> {
    request.proof.hashes().iter().map(|hash| format!("{hash:?}")).collect()
}
