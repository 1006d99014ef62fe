// Byte strings, hexadecimal and base64 (section 1), SHA-256.

import { sha256 } from "@noble/hashes/sha2.js";

export type Bytes = Uint8Array;

const encoder = new TextEncoder();

export const utf8 = (text: string): Bytes => encoder.encode(text);

export function concat(...parts: (Bytes | string | number[])[]): Bytes {
  const list = parts.map((p) => (typeof p === "string" ? utf8(p) : Uint8Array.from(p)));
  const out = new Uint8Array(list.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of list) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}

export const H = (...parts: (Bytes | string | number[])[]): Bytes => sha256(concat(...parts));

export const isHex = (text: string, bytes: number): boolean => text.length === 2 * bytes && /^[0-9a-f]*$/.test(text);

export function fromHex(text: string): Bytes {
  const out = new Uint8Array(text.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return out;
}

export const toHex = (bytes: Bytes): string => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

export const same = (a: Bytes, b: Bytes): boolean => a.length === b.length && a.every((x, i) => x === b[i]);

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** RFC 4648 section 4, padded, unused bits zero; null for anything else. */
export function fromBase64(text: string): Bytes | null {
  if (text.length % 4 !== 0) return null;
  const pad = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const body = text.slice(0, text.length - pad);
  const out = new Uint8Array((text.length / 4) * 3 - pad);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const c of body) {
    const d = ALPHABET.indexOf(c);
    if (d < 0) return null;
    held = ((held << 6) | d) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out[at++] = (held >> bits) & 0xff;
    }
  }
  if ((held & ((1 << bits) - 1)) !== 0) return null;
  return out;
}

/** A decimal number without sign and leading zeros, below `limit`; null for anything else. */
export function decimal(text: string, limit: bigint): bigint | null {
  if (!/^(?:0|[1-9][0-9]{0,19})$/.test(text)) return null;
  const n = BigInt(text);
  return n < limit ? n : null;
}

export function be(n: bigint | number, bytes: number): Bytes {
  const out = new Uint8Array(bytes);
  let rest = BigInt(n);
  for (let i = bytes - 1; i >= 0; i--, rest >>= 8n) out[i] = Number(rest & 0xffn);
  return out;
}

export const readBe = (bytes: Bytes): bigint => bytes.reduce((n, b) => (n << 8n) | BigInt(b), 0n);
