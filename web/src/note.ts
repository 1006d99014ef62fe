// Signed notes, vkeys, checkpoints, proofs of the log and the trust file (section 9).

import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { type Bytes, H, concat, decimal, fromBase64, readBe, same, toHex, utf8 } from "./bytes.js";
import { type Json, readJson } from "./json.js";
import { Refusal, Unreadable, fail, failTag } from "./refusal.js";
import { included } from "./tree.js";

export interface VKey { name: string; id: string; type: number; key: Bytes }
export interface Trust { origin: string; log: string[]; witness: string[]; quorum: bigint }
export interface Keys { origin: string; log: VKey[]; witness: VKey[]; quorum: bigint }

/** Whether any two quorums have a witness in common. */
export const overlap = (t: Trust): boolean => 2n * t.quorum > t.witness.length;

/** What one proof shows: an entry at this index of a tree, and when a quorum had seen it. */
export interface Proof { index: bigint; size: bigint; root: Bytes; quorumTime: bigint | null }

const LIMIT = 2n ** 63n;
const MAX_NOTE = 65536;
const NAME = /^[\x21-\x2a\x2c-\x7e]+$/; // printable ASCII without space and plus

// Ed25519 (RFC 8032), one equation, without the cofactor.
const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
const memo = new Map<string, boolean>();

function point(bytes: Bytes): InstanceType<typeof Point> | null {
  try {
    const p = Point.fromBytes(bytes); // refuses an encoding that is not canonical
    return same(p.toBytes(), bytes) && !p.isSmallOrder() ? p : null;
  } catch {
    return null;
  }
}

const le = (bytes: Bytes): bigint => readBe(Uint8Array.from(bytes).reverse());

export function verifyEd25519(key: Bytes, message: Bytes, signature: Bytes): boolean {
  if (signature.length !== 64) return false;
  const known = `${toHex(key)}${toHex(signature)}${toHex(H(message))}`;
  let ok = memo.get(known);
  if (ok === undefined) {
    ok = equation(key, message, signature);
    if (memo.size > 4096) memo.clear();
    memo.set(known, ok);
  }
  return ok;
}

function equation(key: Bytes, message: Bytes, signature: Bytes): boolean {
  const r = signature.slice(0, 32);
  const s = le(signature.slice(32));
  const a = point(key);
  if (a === null || s >= ORDER) return false;
  const k = le(sha512(concat(r, key, message))) % ORDER;
  const left = s === 0n ? Point.ZERO : Point.BASE.multiplyUnsafe(s);
  const right = k === 0n ? Point.ZERO : a.multiplyUnsafe(k);
  const p = left.subtract(right);
  return !p.isSmallOrder() && same(p.toBytes(), r);
}

const keyId = (name: string, typed: Bytes): string => toHex(H(name, [10], typed).slice(0, 4));

function readVKey(text: string): VKey {
  const bad = (): never => fail("E_VKEY", text);
  const [, name, id, data] = /^([^+]*)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? bad();
  const typed = fromBase64(data!);
  if (!NAME.test(name!) || typed === null || typed.length !== 33 || keyId(name!, typed) !== id) return bad();
  const key = typed.slice(1);
  if (point(key) === null) bad();
  return { name: name!, id: id!, type: typed[0]!, key };
}

/** The keys of a trust file; E_VKEY. */
export function readKeys(trust: Trust): Keys {
  const log = trust.log.map(readVKey);
  const witness = trust.witness.map(readVKey);
  if (log.some((k) => k.type !== 1 || k.name !== trust.origin)) fail("E_VKEY", "log key");
  if (witness.some((k) => k.type !== 4)) fail("E_VKEY", "witness key");
  const all = [...log, ...witness].map((k) => toHex(k.key));
  if (new Set(all).size !== all.length) fail("E_VKEY", "two vkeys of one public key");
  return { origin: trust.origin, log, witness, quorum: trust.quorum };
}

/** Without the marks of a mail that quotes it. */
export const unquoted = (text: string): string => text.replace(/(^|\n)(?:> ?)+/g, "$1");

/** What programs set around a text that a player kept: no entry, receipt or trust file has a byte order mark, a carriage return, a line that begins with >, or an empty line at its ends. */
export const plain = (text: string): string => `${unquoted(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")).replace(/^\n+|\n+$/g, "")}\n`;

export function readTrust(bytes: Bytes): Trust {
  let json: Json;
  try {
    json = readJson(bytes);
  } catch (e) {
    if (e instanceof Refusal) throw new Unreadable(`trust file: ${e.place}`);
    throw e;
  }
  const bad = (): never => {
    throw new Unreadable("trust file: not {origin, log, witness, quorum}");
  };
  if (json.t !== "object" || json.v.size !== 4) return bad();
  const get = json.v;
  const texts = (key: string): string[] => {
    const a = get.get(key);
    if (a?.t !== "array") return bad();
    return a.v.map((x) => (x.t === "string" ? x.v : bad()));
  };
  const origin = get.get("origin");
  const quorum = get.get("quorum");
  if (origin?.t !== "string" || quorum?.t !== "number" || !/^(?:0|[1-9][0-9]{0,17})$/.test(quorum.v)) return bad();
  return { origin: origin.v, log: texts("log"), witness: texts("witness"), quorum: BigInt(quorum.v) };
}

interface Line { name: string; id: string; signature: Bytes }

function readNote(note: string, bad: (what: string) => never): { text: string; lines: Line[] } {
  if (utf8(note).length > MAX_NOTE) bad("more than 65,536 bytes");
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(note)) bad("a control character");
  const gap = note.lastIndexOf("\n\n");
  if (gap < 0 || !note.endsWith("\n")) bad("no signature lines");
  const text = note.slice(0, gap + 1);
  const rest = note.slice(gap + 2);
  if (rest === "") bad("no signature lines");
  const lines = rest.slice(0, -1).split("\n").map((line): Line => {
    const [, name, data] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? bad("signature line");
    const bytes = fromBase64(data!);
    if (!NAME.test(name!) || bytes === null || bytes.length < 5) return bad("signature line");
    return { name: name!, id: toHex(bytes.slice(0, 4)), signature: bytes.slice(4) };
  });
  return { text, lines };
}

/** The time of a cosignature that verifies. */
function cosigned(key: VKey, text: string, signature: Bytes): bigint | null {
  if (signature.length !== 72) return null;
  const time = readBe(signature.slice(0, 8));
  if (time >= LIMIT) return null;
  return verifyEd25519(key.key, utf8(`cosignature/v1\ntime ${time}\n${text}`), signature.slice(8)) ? time : null;
}

/** Reads a tlog-proof; E_PROOF. */
export function readProof(file: string, place: string): { index: bigint; path: Bytes[]; note: string } {
  const badProof = (what: string): never => fail("E_PROOF", `${place}: ${what}`);
  const gap = file.indexOf("\n\n");
  if (gap < 0) badProof("no empty line");
  const head = file.slice(0, gap).split("\n");
  const tag = head.shift()!;
  if (tag !== "c2sp.org/tlog-proof@v1") failTag("E_PROOF", place, tag, /^c2sp\.org\/tlog-proof@v(?:[2-9]|[1-9]\d+)$/);
  if (head[0]?.startsWith("extra ") && fromBase64(head.shift()!.slice(6)) === null) badProof("extra");
  const index = decimal(/^index (.*)$/.exec(head.shift() ?? "")?.[1] ?? "", LIMIT) ?? badProof("index");
  if (head.length > 63) badProof("more than 63 hashes");
  const path = head.map((line) => {
    const h = fromBase64(line);
    return h !== null && h.length === 32 ? h : badProof("hash");
  });
  return { index, path, note: file.slice(gap + 2) };
}

/**
 * Checks a tlog-proof of one of these leaves. `earlier` holds the roots of checkpoints that were met before, by size.
 * E_PROOF, E_NOTE, E_NOTE_SIG, E_NOTE_UNSIGNED, E_CKPT, E_CKPT_ORIGIN, E_PROOF_ROOT.
 */
export function checkProof<K>(file: string, leaves: [K, Bytes | null][], keys: Keys, earlier: Map<bigint, Bytes>, place: string): Proof & { of: K } {
  const { index, path, note } = readProof(file, place);
  const { text, lines } = readNote(note, (what) => fail("E_NOTE", `${place}: ${what}`));
  let signed = false;
  const times = new Map<string, bigint>();
  for (const line of lines) {
    const mine = (k: VKey): boolean => k.name === line.name && k.id === line.id;
    for (const k of keys.log.filter(mine)) {
      if (!verifyEd25519(k.key, utf8(text), line.signature)) fail("E_NOTE_SIG", `${place}: ${line.name}`);
      signed = true;
    }
    for (const k of keys.witness.filter(mine)) {
      const time = cosigned(k, text, line.signature) ?? fail("E_NOTE_SIG", `${place}: ${line.name}`);
      const before = times.get(toHex(k.key));
      if (before === undefined || before < time) times.set(toHex(k.key), time);
    }
  }
  if (!signed) fail("E_NOTE_UNSIGNED", place);

  const [origin, size, rootText, ...more] = text.slice(0, -1).split("\n");
  const n = decimal(size ?? "", LIMIT);
  const root = fromBase64(rootText ?? "");
  if (n === null || root === null || root.length !== 32 || more.length > 0) return fail("E_CKPT", place);
  if (origin !== keys.origin) fail("E_CKPT_ORIGIN", place);
  const found = leaves.find(([, leaf]) => leaf === null || included(leaf, index, n, path, root));
  const other = earlier.get(n);
  if (found === undefined) return fail("E_PROOF_ROOT", place);
  if (other !== undefined && !same(other, root)) fail("E_PROOF_ROOT", place);
  earlier.set(n, root);

  const counted = [...times.values()].filter((t) => t > 0n).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const met = keys.quorum >= 1n && BigInt(counted.length) >= keys.quorum;
  return { of: found[0], index, size: n, root, quorumTime: met ? counted[Number(keys.quorum) - 1]! : null };
}
