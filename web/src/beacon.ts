// The public cut and the beacon drand quicknet (section 7).

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { type Bytes, H, be, fromHex, same } from "./bytes.js";

export const QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
const KEY =
  "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
  "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";
const DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

export const timeOfRound = (round: bigint): bigint => 1692803367n + 3n * (round - 1n);

const memo = new Map<string, boolean>();

/** Whether `signature` (48 bytes, hexadecimal) is quicknet's for this round. */
export function beaconSigned(round: bigint, signature: string): boolean {
  const known = `${round} ${signature}`;
  let ok = memo.get(known);
  if (ok === undefined) {
    ok = pairing(round, fromHex(signature));
    if (memo.size > 4096) memo.clear();
    memo.set(known, ok);
  }
  return ok;
}

function pairing(round: bigint, signature: Bytes): boolean {
  try {
    const s = bls12_381.G1.Point.fromBytes(signature);
    if (s.is0() || !same(s.toBytes(true), signature)) return false;
    s.assertValidity();
    if (!s.isTorsionFree()) return false;
    const message = bls12_381.shortSignatures.hash(H(be(round, 8)), DST);
    return bls12_381.shortSignatures.verify(s, message, bls12_381.G2.Point.fromHex(KEY));
  } catch {
    return false;
  }
}

export const NO_CUT: Bytes = new Uint8Array(32);

export function cutSeed(deckLeaf: Bytes, openLeaf: Bytes, seeds: { seat: number; value: string }[], randomness: string | null): Bytes {
  const parts = Array.from({ length: 8 }, (_, i) => {
    const line = seeds.find((s) => s.seat === i + 1);
    return line === undefined ? NO_CUT : fromHex(line.value);
  });
  return H("deckproof/v1 cut", deckLeaf, openLeaf, ...parts, randomness === null ? NO_CUT : fromHex(randomness));
}
