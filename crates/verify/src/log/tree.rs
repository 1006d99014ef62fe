//! The Merkle tree of the log (RFC 6962): roots, inclusion and consistency, made and checked.

use deckproof_deck::commitment::digest::{Digest, node_hash};

/// A proof has at most this many hashes: a tree has fewer than 2^63 leaves.
pub const PROOF_HASHES_MAX: usize = 63;

/// The roots of the perfect subtrees of a growing tree, largest first: all that is needed to go on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Frontier {
    size: u64,
    roots: Vec<Digest>,
}

impl Frontier {
    /// How many leaves there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds a leaf by its hash.
    pub fn push(&mut self, leaf: Digest) {
        let mut node = leaf;
        // Two subtrees of one height join; their number is the number of ones at the size's low end.
        for _ in 0..self.size.trailing_ones() {
            let left = self.roots.pop().expect("every one in the size is a subtree");
            node = node_hash(&left, &node);
        }
        self.roots.push(node);
        self.size += 1;
    }

    /// The root; no leaves give `H("")`.
    pub fn root(&self) -> Digest {
        let mut roots = self.roots.iter().rev();
        let Some(last) = roots.next() else { return Digest::of(b"") };
        roots.fold(*last, |right, left| node_hash(left, &right))
    }
}

/// Where a proof takes the roots of perfect subtrees from: `(height, i)` is the i-th of 2^height leaves.
pub trait Nodes {
    /// Why a node cannot be had.
    type Error;

    /// The root of the leaves `i·2^height .. (i+1)·2^height`.
    ///
    /// # Errors
    /// Whatever keeps the node from being read.
    fn node(&self, height: u32, index: u64) -> Result<Digest, Self::Error>;
}

/// Largest power of two below a size of at least 2.
fn split(size: u64) -> u64 {
    1 << (63 - (size - 1).leading_zeros())
}

/// `MTH(D[start:end])`, where `start` is a multiple of the smallest power of two that is at least its length.
fn range_root<N: Nodes>(nodes: &N, start: u64, end: u64) -> Result<Digest, N::Error> {
    let length = end - start;
    if length.is_power_of_two() {
        return nodes.node(length.trailing_zeros(), start / length);
    }
    let middle = start + split(length);
    Ok(node_hash(&range_root(nodes, start, middle)?, &range_root(nodes, middle, end)?))
}

/// The root of the first `size` leaves.
///
/// # Errors
/// A node that cannot be had.
pub fn root<N: Nodes>(nodes: &N, size: u64) -> Result<Digest, N::Error> {
    if size == 0 { Ok(Digest::of(b"")) } else { range_root(nodes, 0, size) }
}

/// `PATH(m, D[n])` of RFC 6962, section 2.1.1: the leaf's sibling first.
///
/// # Errors
/// A node that cannot be had.
///
/// # Panics
/// If the index is not below the size.
pub fn inclusion_path<N: Nodes>(nodes: &N, index: u64, size: u64) -> Result<Vec<Digest>, N::Error> {
    assert!(index < size, "there is no leaf {index} of {size}");
    let (mut start, mut end, mut path) = (0, size, Vec::new());
    while end - start > 1 {
        let middle = start + split(end - start);
        if index < middle {
            path.push(range_root(nodes, middle, end)?);
            end = middle;
        } else {
            path.push(range_root(nodes, start, middle)?);
            start = middle;
        }
    }
    path.reverse();
    Ok(path)
}

/// `PROOF(m, D[n])` of RFC 6962, section 2.1.2; empty for equal sizes and for an old tree without leaves.
///
/// # Errors
/// A node that cannot be had.
///
/// # Panics
/// If the old tree is larger than the new one.
pub fn consistency_path<N: Nodes>(nodes: &N, old: u64, new: u64) -> Result<Vec<Digest>, N::Error> {
    assert!(old <= new, "no tree of {new} holds one of {old}");
    let (mut start, mut end, mut path) = (0, new, Vec::new());
    if old == 0 {
        return Ok(path);
    }
    while end != old {
        let middle = start + split(end - start);
        if old <= middle {
            path.push(range_root(nodes, middle, end)?);
            end = middle;
        } else {
            path.push(range_root(nodes, start, middle)?);
            start = middle;
        }
    }
    // The verifier knows the old root; of a part of it he needs the root.
    if start > 0 {
        path.push(range_root(nodes, start, end)?);
    }
    path.reverse();
    Ok(path)
}

/// The root a path leads to (RFC 9162, section 2.1.3.2), or `None` if the path does not fit the tree.
pub fn root_of_path(leaf: &Digest, index: u64, size: u64, path: &[Digest]) -> Option<Digest> {
    if index >= size {
        return None;
    }
    let (mut place, mut last, mut node) = (index, size - 1, *leaf);
    for sibling in path {
        if last == 0 {
            return None;
        }
        if place & 1 == 1 || place == last {
            node = node_hash(sibling, &node);
            while place & 1 == 0 && place != 0 {
                (place, last) = (place >> 1, last >> 1);
            }
        } else {
            node = node_hash(&node, sibling);
        }
        (place, last) = (place >> 1, last >> 1);
    }
    (last == 0).then_some(node)
}

/// A tree by its size and root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeHead {
    /// How many leaves.
    pub size: u64,
    /// The root.
    pub root: Digest,
}

impl TreeHead {
    /// The tree without leaves.
    pub fn empty() -> TreeHead {
        TreeHead { size: 0, root: Digest::of(b"") }
    }
}

/// Whether the old tree is the beginning of the new one (RFC 9162, section 2.1.4.2). A tree without
/// leaves is the beginning of every tree; for it and for equal sizes the path is empty.
pub fn is_consistent(old: &TreeHead, new: &TreeHead, path: &[Digest]) -> bool {
    if old.size == 0 || old.size >= new.size {
        let is_same = if old.size == 0 { *old == TreeHead::empty() } else { old == new };
        return is_same && path.is_empty();
    }
    let (mut place, mut last) = (old.size - 1, new.size - 1);
    while place & 1 == 1 {
        (place, last) = (place >> 1, last >> 1);
    }
    let (first, rest) = match path {
        _ if old.size.is_power_of_two() => (old.root, path),
        [first, rest @ ..] => (*first, rest),
        [] => return false,
    };
    let (mut old_root, mut new_root) = (first, first);
    for node in rest {
        if last == 0 {
            return false;
        }
        if place & 1 == 1 || place == last {
            old_root = node_hash(node, &old_root);
            new_root = node_hash(node, &new_root);
            while place & 1 == 0 && place != 0 {
                (place, last) = (place >> 1, last >> 1);
            }
        } else {
            new_root = node_hash(&new_root, node);
        }
        (place, last) = (place >> 1, last >> 1);
    }
    last == 0 && old_root == old.root && new_root == new.root
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use deckproof_deck::commitment::digest::{leaf_hash, tree_root};

    struct Leaves(Vec<Digest>);

    impl Nodes for Leaves {
        type Error = Infallible;

        fn node(&self, height: u32, index: u64) -> Result<Digest, Infallible> {
            let width = 1usize << height;
            Ok(tree_root(&self.0[index as usize * width..(index as usize + 1) * width]))
        }
    }

    fn leaves(number: usize) -> Leaves {
        Leaves((0..number).map(|leaf| leaf_hash(&leaf.to_string())).collect())
    }

    #[test]
    fn frontiers_and_nodes_give_the_tree_hash() {
        let all = leaves(70);
        let mut frontier = Frontier::default();
        for size in 0..=70 {
            let wanted = tree_root(&all.0[..size]);
            assert_eq!(frontier.root(), wanted, "{size}");
            assert_eq!(root(&all, size as u64), Ok(wanted), "{size}");
            if let Some(leaf) = all.0.get(size) {
                frontier.push(*leaf);
            }
        }
    }

    #[test]
    fn paths_lead_to_the_root_and_no_altered_one_does() {
        let all = leaves(33);
        for size in 1..=33u64 {
            let wanted = tree_root(&all.0[..size as usize]);
            for index in 0..size {
                let Ok(path) = inclusion_path(&all, index, size);
                let leaf = &all.0[index as usize];
                assert_eq!(root_of_path(leaf, index, size, &path), Some(wanted), "{index} of {size}");
                assert_ne!(root_of_path(leaf, index ^ 1, size, &path), Some(wanted), "{index} of {size}");
                let longer = [&path[..], &[wanted]].concat();
                assert_eq!(root_of_path(leaf, index, size, &longer), None);
                if let Some((_, shorter)) = path.split_last() {
                    assert_eq!(root_of_path(leaf, index, size, shorter), None);
                }
            }
            assert_eq!(root_of_path(&all.0[0], size, size, &[]), None);
        }
    }

    #[test]
    fn consistency_holds_between_all_sizes_and_for_no_altered_proof() {
        let all = leaves(33);
        let head = |size: u64| TreeHead { size, root: tree_root(&all.0[..size as usize]) };
        for new in 0..=33 {
            for old in 0..=new {
                let Ok(path) = consistency_path(&all, old, new);
                assert!(is_consistent(&head(old), &head(new), &path), "{old} in {new}");
                let forked = TreeHead { size: old, root: Digest::of(b"another") };
                assert!(!is_consistent(&forked, &head(new), &path), "{old} in {new}");
                assert!(!is_consistent(&head(old), &head(new), &[&path[..], &[head(new).root]].concat()));
                for place in 0..path.len() {
                    let mut altered = path.clone();
                    altered[place] = Digest::of(b"another");
                    assert!(!is_consistent(&head(old), &head(new), &altered), "{old} in {new}, {place}");
                    assert!(!is_consistent(&head(old), &head(new), &path[..place]), "{old} in {new}");
                }
                if old < new {
                    assert!(!is_consistent(&head(new), &head(old), &path), "{old} in {new}");
                }
            }
        }
    }
}
