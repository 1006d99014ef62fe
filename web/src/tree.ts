// Merkle trees of RFC 6962, and the deck as one (section 5).

import { type Bytes, H, same } from "./bytes.js";
import { keystream, shuffle } from "./shuffle.js";

export const leafHash = (text: string): Bytes => H([0], text);

export const node = (left: Bytes, right: Bytes): Bytes => H([1], left, right);

export function root(leaves: Bytes[]): Bytes {
  if (leaves.length === 1) return leaves[0]!;
  let split = 1;
  while (2 * split < leaves.length) split *= 2;
  return node(root(leaves.slice(0, split)), root(leaves.slice(split)));
}

/** Inclusion, RFC 9162 section 2.1.3.2. */
export function included(leaf: Bytes, index: bigint, size: bigint, path: Bytes[], rootHash: Bytes): boolean {
  if (index >= size) return false;
  let fn = index;
  let sn = size - 1n;
  let r = leaf;
  for (const p of path) {
    if (sn === 0n) return false;
    if ((fn & 1n) === 1n || fn === sn) {
      r = node(p, r);
      if ((fn & 1n) === 0n)
        do {
          fn >>= 1n;
          sn >>= 1n;
        } while ((fn & 1n) === 0n && fn !== 0n);
    } else r = node(r, p);
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && same(r, rootHash);
}

export const cardLeaf = (ctx: Bytes, position: number, card: number, salt: Bytes): Bytes =>
  H([0], "deckproof/v1 card", ctx, [position], [card], salt);

/** The secret deck of a hand key, and its leaves. */
export function deckOfKey(handKey: Bytes, ctx: Bytes): { cards: number[]; leaves: Bytes[] } {
  const cards = shuffle(52, handKey);
  const salts = keystream(handKey, 1, 52 * 32);
  return { cards, leaves: cards.map((c, p) => cardLeaf(ctx, p, c, salts.slice(32 * p, 32 * p + 32))) };
}
