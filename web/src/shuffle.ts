// Cards, keystream, shuffle and key derivation (sections 2 to 4).

import { chacha20 } from "@noble/ciphers/chacha.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Bytes, H, be, concat } from "./bytes.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

export const cardText = (card: number): string => RANKS[card >> 2]! + SUITS[card & 3]!;

export function cardNumber(text: string): number | null {
  if (text.length !== 2) return null;
  const rank = RANKS.indexOf(text[0]!);
  const suit = SUITS.indexOf(text[1]!);
  return rank < 0 || suit < 0 ? null : 4 * rank + suit;
}

export function keystream(key: Bytes, lane: number, length: number): Bytes {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(4, lane, true);
  return chacha20(key, nonce, new Uint8Array(length));
}

export function shuffle(m: number, key: Bytes): number[] {
  const a = Array.from({ length: m }, (_, i) => i);
  let stream = keystream(key, 0, 256);
  let at = 0;
  const nextWord = (): number => {
    if (at + 4 > stream.length) stream = keystream(key, 0, 2 * stream.length);
    at += 4;
    return new DataView(stream.buffer, stream.byteOffset).getUint32(at - 4, true);
  };
  let n = m;
  while (n >= 2) {
    const batch: number[] = [];
    let product = 1;
    for (let r = n; r >= 2 && product * r <= 2 ** 19; r--) {
      batch.push(r);
      product *= r;
    }
    let draws: number[];
    let w: number;
    do {
      w = nextWord();
      draws = batch.map((r) => {
        const t = w * r; // below 2^53
        w = t % 2 ** 32;
        return Math.floor(t / 2 ** 32);
      });
    } while (w < 2 ** 32 % product);
    batch.forEach((r, i) => {
      const d = draws[i]!;
      [a[r - 1], a[d]] = [a[d]!, a[r - 1]!];
    });
    n -= batch.length;
  }
  return a;
}

export const kdf = (key: Bytes, label: string, context: Bytes | string): Bytes =>
  hmac(sha256, key, concat(be(1, 4), label, [0], context, be(256, 4)));

export const handContext = (d: { origin: string; table: string; hand: string; mix: string }): Bytes =>
  H(`deckproof/v1 hand-id\n${d.origin}\n${d.table}\n${d.hand}\n${d.mix}\n`);
