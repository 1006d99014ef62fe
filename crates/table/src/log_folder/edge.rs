//! The right edge of the tree: the tiles that are not full, by level.

use crate::log_folder::layout::TILE_WIDTH;
use deckproof_deck::commitment::digest::{Digest, tree_root};

/// The last tile of each level, without the full ones.
#[derive(Clone, Default)]
pub(super) struct Edge {
    size: u64,
    levels: Vec<Vec<Digest>>,
}

impl Edge {
    /// The edge of a tree of this size, by level; an empty list where the last tile is full.
    pub fn of(size: u64, levels: Vec<Vec<Digest>>) -> Edge {
        Edge { size, levels }
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// The hashes of a level that are in no full tile.
    pub fn level(&self, level: usize) -> &[Digest] {
        self.levels.get(level).map_or(&[], Vec::as_slice)
    }

    /// The tiles that are not full and not empty.
    pub fn partial(&self) -> impl Iterator<Item = (u32, &[Digest])> {
        let levels = self.levels.iter().enumerate().filter(|(_, hashes)| !hashes.is_empty());
        levels.map(|(level, hashes)| (level as u32, hashes.as_slice()))
    }

    /// Adds a leaf; every tile that gets full by it is handed over with its level and index.
    pub fn push<E>(
        &mut self,
        leaf: Digest,
        mut full: impl FnMut(u32, u64, &[Digest]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.size += 1;
        let (mut node, mut level, mut tiles) = (leaf, 0, self.size);
        loop {
            if self.levels.len() <= level {
                self.levels.push(Vec::with_capacity(TILE_WIDTH as usize));
            }
            let hashes = &mut self.levels[level];
            hashes.push(node);
            if (hashes.len() as u64) < TILE_WIDTH {
                return Ok(());
            }
            tiles /= TILE_WIDTH;
            full(level as u32, tiles - 1, hashes)?;
            node = tree_root(hashes);
            hashes.clear();
            level += 1;
        }
    }

    /// The root of the whole tree. At each level the hashes, and after them what the lower levels leave
    /// over, which is less than one of them, are the leaves of a tree of the same shape.
    pub fn root(&self) -> Digest {
        let mut rest: Option<Digest> = None;
        for hashes in self.levels.iter().filter(|hashes| !hashes.is_empty()) {
            let nodes: Vec<Digest> = hashes.iter().copied().chain(rest).collect();
            rest = Some(tree_root(&nodes));
        }
        rest.unwrap_or_else(|| Digest::of(b""))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use deckproof_deck::commitment::digest::leaf_hash;
    use deckproof_verify::log::tree::Frontier;

    #[test]
    fn edges_have_the_root_of_the_frontier_across_two_levels_of_tiles() {
        let (mut edge, mut frontier) = (Edge::default(), Frontier::default());
        let mut tiles = Vec::new();
        assert_eq!(edge.root(), frontier.root());
        for number in 0..66_100u32 {
            let leaf = leaf_hash(&number.to_string());
            let Ok(()) = edge.push(leaf, |level, index, hashes| {
                assert_eq!(hashes.len(), 256);
                tiles.push((level, index));
                Ok::<(), Infallible>(())
            });
            frontier.push(leaf);
            if number % 97 == 0 || number % 256 < 2 || number > 65_500 {
                assert_eq!(edge.root(), frontier.root(), "{number}");
            }
        }
        let wanted: Vec<(u32, u64)> =
            (0..256).map(|tile| (0, tile)).chain([(1, 0), (0, 256), (0, 257)]).collect();
        assert_eq!(tiles, wanted);
    }
}
