//! Where the tiles lie (c2sp.org/tlog-tiles).

use deckproof_deck::commitment::digest::Digest;

/// Hashes of a full tile, and entries of a full bundle.
pub const TILE_WIDTH: u64 = 256;

/// Levels of tiles a tree of fewer than 2^63 leaves can have.
pub(super) const LEVELS: u32 = 8;

/// What a tile holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Tree hashes: at level L each is the root of 256^L leaves.
    Hashes(u32),
    /// Entries, each after its length in two bytes.
    Entries,
}

/// `tile/<L>/<N>[.p/<W>]`, or `tile/entries/…`, relative to the log's folder.
pub(super) fn path(kind: Kind, index: u64, width: u64) -> String {
    let mut path = folder(kind, index);
    if width < TILE_WIDTH {
        path += &format!(".p/{width}");
    }
    path
}

fn folder(kind: Kind, index: u64) -> String {
    let mut name = format!("{:03}", index % 1000);
    let mut rest = index / 1000;
    while rest > 0 {
        name = format!("x{:03}/{name}", rest % 1000);
        rest /= 1000;
    }
    match kind {
        Kind::Hashes(level) => format!("tile/{level}/{name}"),
        Kind::Entries => format!("tile/entries/{name}"),
    }
}

/// The folder of a tile's partial forms.
pub(super) fn partial_folder(kind: Kind, index: u64) -> String {
    folder(kind, index) + ".p"
}

/// How many hashes a level has in a tree of this size.
pub(super) fn shifted(size: u64, level: u32) -> u64 {
    size >> (8 * level)
}

/// The tile in which a level ends.
pub(super) fn tile_of(size: u64, level: u32) -> u64 {
    shifted(size, level) / TILE_WIDTH
}

/// How many hashes that tile has.
pub(super) fn width_of(size: u64, level: u32) -> u64 {
    shifted(size, level) % TILE_WIDTH
}

/// Hashes as the bytes of a tile.
pub(super) fn bytes(hashes: &[Digest]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| *hash.bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of c2sp.org/tlog-tiles.
    #[test]
    fn paths_are_those_of_the_specification() {
        assert_eq!(path(Kind::Hashes(0), 1_234_067, 256), "tile/0/x001/x234/067");
        assert_eq!(path(Kind::Entries, 0, 1), "tile/entries/000.p/1");
        assert_eq!(path(Kind::Hashes(5), 999, 255), "tile/5/999.p/255");
        assert_eq!(path(Kind::Entries, 1000, 256), "tile/entries/x001/000");
        let widths: Vec<(u64, u64)> =
            (0..3).map(|level| (tile_of(70_000, level), width_of(70_000, level))).collect();
        assert_eq!(widths, [(273, 112), (1, 17), (0, 1)]);
        assert_eq!([width_of(256, 0), width_of(256, 1)], [0, 1]);
    }
}
