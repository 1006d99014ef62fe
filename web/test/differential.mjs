// Alters bundles with a fixed seed, has both programs judge them, and compares.
// usage: DECKPROOF=path node test/differential.mjs [N] [SEED]
// With FLIPPED=1 every field of every accepted vector has one bit turned round, and N says nothing.
// With RECORD=file (and PART=k/m) what the first implementation says is only written down, with RECORDED=file,… it is read from there.

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ed25519 } from "@noble/curves/ed25519.js";
import { Unreadable, plain, readEntry, readSaved, readTrust, toJson, verify, verifyAll } from "../dist/index.js";
import { H, be, concat, fromHex, toHex, utf8 } from "../dist/bytes.js";
import { NO_CUT, cutSeed, timeOfRound } from "../dist/beacon.js";
import { cardNumber, cardText, handContext, shuffle } from "../dist/shuffle.js";
import { cardLeaf, deckOfKey, leafHash, node, root } from "../dist/tree.js";
import { reshuffleSeed } from "../dist/transcript.js";

const vectors = JSON.parse(readFileSync(new URL("../../fixtures/protocol.json", import.meta.url), "utf8"));

// A generator that is the same everywhere (mulberry32).
function generator(seed) {
  let a = seed >>> 0;
  const word = () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (n) => word() % n;
  return { word, below, chance: (p) => word() / 2 ** 32 < p, pick: (list) => list[below(list.length)], hex: (n) => Array.from({ length: n }, () => below(256).toString(16).padStart(2, "0")).join("") };
}

// A log of the test's own, with keys that are no secret.
const b64 = (bytes) => Buffer.from(bytes).toString("base64");
const signer = (name, type) => {
  const secret = H(`differential test ${name} ${type}`);
  const key = concat([type], ed25519.getPublicKey(secret));
  const id = H(name, [10], key).slice(0, 4);
  return { name, id, secret, vkey: `${name}+${toHex(id)}+${b64(key)}` };
};
const ORIGIN = vectors.trust.origin;
const LOG = signer(ORIGIN, 1);
const WITNESSES = ["w1.example", "w2.example", "w3.example"].map((n) => signer(n, 4));
const OWN_TRUST = { origin: ORIGIN, log: [LOG.vkey], witness: WITNESSES.map((w) => w.vkey), quorum: 2 };
const line = (s, signature) => `\u2014 ${s.name} ${b64(concat(s.id, signature))}\n`;
const cosign = (w, time, text) => line(w, concat(be(time, 8), ed25519.sign(utf8(`cosignature/v1\ntime ${time}\n${text}`), w.secret)));

function path(leaves, index) {
  if (leaves.length === 1) return [];
  let k = 1;
  while (2 * k < leaves.length) k *= 2;
  return index < k ? [...path(leaves.slice(0, k), index), root(leaves.slice(k))] : [...path(leaves.slice(k), index - k), root(leaves.slice(0, k))];
}

/** A log that holds the entries of one hand, with checkpoints between them; gives proofs of them. */
function makeLog(g, entries, round) {
  const kinds = Object.keys(entries);
  const order = kinds.slice();
  if (g.chance(0.08)) order.sort(() => g.below(3) - 1);
  const leaves = [];
  const at = {};
  const cuts = [];
  const filler = () => {
    for (let i = g.below(3); i > 0; i--) leaves.push(H("filler", g.hex(8)));
  };
  for (const k of order) {
    filler();
    at[k] = leaves.length;
    leaves.push(leafHash(entries[k]));
    filler();
    cuts.push(leaves.length);
  }
  const base = round === null ? 1700000000n : timeOfRound(round) - 2n;
  const heads = cuts.filter((_, i) => i === cuts.length - 1 || g.chance(0.7)).map((size, n) => {
    const r = g.chance(0.02) ? H("fork", g.hex(4)) : root(leaves.slice(0, size));
    const text = `${ORIGIN}\n${size}\n${b64(r)}\n`;
    const time = () => (g.chance(0.04) ? 0n : base + BigInt(g.below(4)) + BigInt(n) * BigInt(g.below(3)));
    let note = line(LOG, ed25519.sign(utf8(text), LOG.secret));
    const count = g.pick([0, 1, 2, 2, 2, 3, 3]);
    for (const w of WITNESSES.slice(0, count)) note += cosign(w, time(), text);
    if (g.chance(0.1)) note += cosign(g.pick(WITNESSES), time(), text);
    return { size, note: `${text}\n${note}` };
  });
  return {
    kinds,
    proof(kind) {
      const fit = heads.filter((h) => h.size > at[kind]);
      const head = fit.length > 0 ? g.pick(fit) : heads[heads.length - 1];
      const p = path(leaves.slice(0, head.size), Math.min(at[kind], head.size - 1));
      return `c2sp.org/tlog-proof@v1\nindex ${at[kind]}\n${p.map((h) => `${b64(h)}\n`).join("")}\n${head.note}`;
    },
  };
}

const clone = (x) => JSON.parse(JSON.stringify(x));
const setLine = (text, word, value) => text.replace(new RegExp(`^${word} .*$`, "m"), `${word} ${value}`);
const endOf = (b) => (b.void_entry !== undefined ? "void_entry" : "close_entry");

/** Names another table and computes everything behind it again, so that the bundle is sound (or its fault stays alone). */
function rebuild(b, table) {
  const deck0 = readEntry(b.deck_entry, ["deck"], "deck");
  const old = handContext(deck0);
  if (table !== null) b.deck_entry = setLine(b.deck_entry, "table", table);
  const deck = readEntry(b.deck_entry, ["deck"], "deck");
  const ctx = handContext(deck);
  void old;
  let leaves;
  if (b.hand_key) leaves = deckOfKey(fromHex(b.hand_key), ctx).leaves;
  else leaves = b.leaves.map((l, p) => (l.hash ? fromHex(l.hash) : cardLeaf(ctx, p, cardNumber(l.card), fromHex(l.salt))));
  b.deck_entry = setLine(b.deck_entry, "deck", toHex(root(leaves)));
  b.open_entry = setLine(b.open_entry, "deck", toHex(leafHash(b.deck_entry)));
  for (const [, seat, seed] of (b.cut_entry ?? "").matchAll(/^seed (\d) ([0-9a-f]{64})$/gm))
    b.open_entry = b.open_entry.replace(new RegExp(`^commit ${seat} .*$`, "m"), `commit ${seat} ${toHex(H("deckproof/v1 seed-commit", ctx, [Number(seat)], fromHex(seed)))}`);
  relink(b);
}

const relink = (b) => {
  const deckLeaf = leafHash(b.deck_entry);
  b.open_entry = setLine(b.open_entry, "deck", toHex(deckLeaf));
  const openLeaf = leafHash(b.open_entry);
  if (b.cut_entry) b.cut_entry = setLine(b.cut_entry, "open", toHex(openLeaf));
  if (b.void_entry) b.void_entry = setLine(b.void_entry, "deck", toHex(deckLeaf));
  if (!b.close_entry) return;
  reshuffle(b, deckLeaf, openLeaf);
  b.close_entry = setLine(b.close_entry, "open", toHex(openLeaf));
  rehash(b);
};

const rehash = (b) => {
  b.close_entry = setLine(b.close_entry, "transcript", toHex(H(b.transcript)));
  const dealt = new Set(b.transcript.split("\n").slice(1, -1).map((l) => l.split(" ")[0])).size;
  b.close_entry = setLine(b.close_entry, "dealt", String(Math.min(dealt, 52)));
};

/** Deals seventh street again from the pool, if it was. */
function reshuffle(b, deckLeaf, openLeaf) {
  const lines = b.transcript.split("\n").slice(1, -1).map((l) => l.split(" "));
  const start = lines.findIndex((l) => l[2] === "7");
  if (start < 0 || !/^rules espacejeux$/m.test(b.open_entry) || lines[start][3] === "b") return;
  const deck = readEntry(b.deck_entry, ["deck"], "");
  const open = readEntry(b.open_entry, ["open"], "");
  const cut = b.cut_entry ? readEntry(b.cut_entry, ["cut"], "") : null;
  const seed = deck.mix === "none" ? NO_CUT : cutSeed(deckLeaf, openLeaf, deck.mix === "beacon" ? open.seeds : (cut?.seeds ?? []), cut?.beacon?.randomness ?? null);
  const held = new Set(lines.slice(0, start).filter((l) => l[3] !== "b").map((l) => Number(l[0])));
  const pool = Array.from({ length: 52 }, (_, p) => p).filter((p) => !held.has(p));
  const order = shuffle(pool.length, reshuffleSeed(deckLeaf, openLeaf, seed));
  lines.slice(start).forEach((l, k) => (l[0] = String(pool[order[k]] ?? 0)));
  b.transcript = `deckproof/v1 transcript\n${lines.map((l) => `${l.join(" ")}\n`).join("")}`;
}

// The bundles that alterations start from. Those of two hand keys only; no byte strings.
const BASES = vectors.positive.filter((c) => c.bundle).map((c) => ({ bundle: c.bundle, trust: c.trust ?? vectors.trust }));
const ROUNDS = vectors.positive.flatMap((c) => [...(c.bundle?.cut_entry ?? "").matchAll(/^beacon (\d+) (\S+) (\S+)$/gm)].map((m) => m.slice(1)));

function everyString(v, out = [], holder = null, key = null) {
  if (typeof v === "string") out.push([holder, key]);
  else if (v && typeof v === "object") for (const k of Object.keys(v)) everyString(v[k], out, v, k);
  return out;
}

function flip(g, s) {
  if (s === "") return "x";
  const i = g.below(s.length);
  const c = String.fromCharCode(s.charCodeAt(i) ^ (1 << g.below(g.chance(0.9) ? 7 : 8)));
  return s.slice(0, i) + c + s.slice(i + 1);
}

const TOKENS = ["0", "1", "7", "8", "9", "52", "51", "53", "01", "-1", "4294967296", "9007199254740991", "9007199254740992", "9223372036854775807", "9223372036854775808", "18446744073709551616", "none", "beacon", "players", "stud-hi", "stud-8b", "espacejeux", "", "é", "u", "d", "b", "c", "1,2", "8,1,2", "2,1", "3,5,8,1"];

function editLines(g, s) {
  const lines = s.split("\n");
  const i = g.below(lines.length);
  const kind = g.below(8);
  if (kind === 0) lines.splice(i, 1);
  else if (kind === 1) lines.splice(i, 0, lines[i]);
  else if (kind === 2) [lines[i], lines[g.below(lines.length)]] = [lines[g.below(lines.length)], lines[i]];
  else if (kind === 3) lines[i] += g.pick([" ", "\r", " x", "\t", "\u00a0"]);
  else if (kind === 4) lines[i] = flip(g, lines[i]);
  else {
    const t = lines[i].split(" ");
    const j = g.below(t.length);
    t[j] = g.chance(0.5) ? g.pick(TOKENS) : /^\d+$/.test(t[j]) ? String(Math.max(0, Number(t[j]) + g.pick([-1, 1, 2, 8]))) : g.pick(TOKENS);
    lines[i] = t.join(" ");
  }
  return lines.join("\n");
}

const VALUES = [null, true, 0, 7, -1, 1.5, "", "x", "7h", [], {}, [null], { x: 1 }, "00", { card: "7h" }, { hash: "00" }];

/** One alteration of the JSON value. */
function alter(g, b, bases) {
  try {
    alterValue(g, b, bases);
  } catch { /* a value in which nothing can be set */ }
}

function alterValue(g, b, bases) {
  const kind = g.below(13);
  const strings = everyString(b);
  if (strings.length === 0) return;
  const [holder, key] = g.pick(strings);
  const top = g.pick(Object.keys(b));
  if (kind <= 1) holder[key] = flip(g, holder[key]);
  else if (kind === 2) b[top] = clone(g.pick(bases).bundle[top] ?? b[top]);
  else if (kind === 3) delete b[top];
  else if (kind === 4) holder[key] = g.pick(VALUES);
  else if (kind === 5) b[top] = g.pick(VALUES);
  else if (kind === 6) {
    const from = g.pick(bases).bundle;
    const k = g.pick(Object.keys(from));
    b[k] = clone(from[k]);
  } else if (kind === 7 && b.leaves?.length) {
    const l = g.pick(b.leaves) ?? {};
    const what = g.below(7);
    if (what === 0) b.leaves.splice(g.below(b.leaves.length), 1);
    else if (what === 1) b.leaves.push(clone(l));
    else if (what === 2) b.leaves[g.below(b.leaves.length)] = g.pick(VALUES);
    else if (what === 3) l.card = g.pick(["7h", "As", "1h", "ah", "7H", "10h", ""]);
    else if (what === 4) delete l[g.pick(Object.keys(l))];
    else if (what === 5) l[g.pick(["card", "salt", "hash", "x"])] = g.pick(["7h", g.hex(32), 4, null, g.hex(31)]);
    else b.leaves[g.below(b.leaves.length)] = clone(l);
  } else if (kind === 8) b.seen = { ...(typeof b.seen === "object" ? b.seen : {}), [g.pick(["0", "3", "12", "51", "52", "07", "x"])]: g.pick(["7h", "As", "2c", "1h", 3]) };
  else if (kind === 9) b.my_seed = g.pick([{ seat: 1, seed: g.hex(32) }, { seat: 9, seed: g.hex(32) }, { seat: 2 }, { seat: 3, seed: "zz" }, null, { seat: 4, seed: g.hex(32) }]);
  else {
    const texts = ["deck_entry", "open_entry", "cut_entry", "close_entry", "void_entry", "transcript"].filter((k) => typeof b[k] === "string");
    const all = [...texts.map((k) => [b, k]), ...Object.keys(b.proofs ?? {}).filter((k) => typeof b.proofs[k] === "string").map((k) => [b.proofs, k])];
    if (all.length > 0) {
      const [h, k] = g.pick(all);
      h[k] = editLines(g, h[k]);
    }
  }
}

/** One alteration of the text. */
function alterText(g, s) {
  const i = g.below(s.length);
  switch (g.below(7)) {
    case 0: return s.slice(0, i);
    case 1: return s.slice(0, i) + g.pick(['"', "}", "{", ",", " ", "\\u0041", "\\ud800", "\u0000", "1", "\ufeff", "[", "x"]) + s.slice(i);
    case 2: return s.slice(0, i) + s.slice(i + 1);
    case 3: return flip(g, s);
    case 4: return s + g.pick([" ", "\n", "x", "{}", "\u0000", "\ufeff"]);
    case 5: {
      const keys = [...s.matchAll(/"(\w+)":/g)];
      const m = g.pick(keys);
      return `${s.slice(0, m.index)}"${m[1]}":${g.pick(['"x"', "1", "{}", "null"])},${s.slice(m.index)}`;
    }
    default: return s.replace(/"seat":\d/, `"seat":${g.pick(["4.0", "1e0", "01", "-1", '"4"', "4 ", "0", "9", "NaN"])}`);
  }
}

const NAMES = Array.from({ length: 33 }, (_, i) => `r${String(i).padStart(2, "0")}=x`);
const READINGS = ["odd_chip=card_then_suit", "a=b,b=c", "a=b,a_b=c,b=d", "a=b,a1=c", "a1=b,a=c", "a=b,a=c", "b=c,a=b", "a=b,", ",a=b", "a", "", "=b", "a=", "A=b", "a-b=c", "a=b c", "a=b=c", `${"a".repeat(32)}=${"0".repeat(32)}`, `${"a".repeat(33)}=b`, `a=${"b".repeat(33)}`, NAMES.slice(1).join(), NAMES.join()];

/** A fault of depth: an entry or transcript changes, and what stands behind it is computed again. */
function deep(g, b) {
  const edit = (k) => {
    if (typeof b[k] === "string") b[k] = editLines(g, b[k]);
  };
  switch (g.below(9)) {
    case 0: edit("open_entry"); relink(b); break;
    case 8: b.open_entry = b.open_entry.replace(/^(rules .*)(\nreadings .*)?$/m, `$1\nreadings ${g.pick(READINGS)}`); relink(b); break;
    case 1: edit("cut_entry"); break;
    case 2: edit("close_entry"); break;
    case 3: case 4: if (b.close_entry) { for (let i = g.pick([1, 1, 2, 3]); i > 0; i--) edit("transcript"); rehash(b); } break;
    case 5:
      if (b.close_entry) { // cut the transcript off, or change a rule
        const lines = b.transcript.split("\n").slice(0, -1);
        b.transcript = `${lines.slice(0, 1 + g.below(lines.length)).join("\n")}\n`;
        rehash(b);
      }
      break;
    case 6: b.open_entry = setLine(b.open_entry, "rules", g.pick(["stud-hi", "stud-8b", "espacejeux"])); relink(b); break;
    default:
      if (b.cut_entry && /^beacon/m.test(b.cut_entry)) {
        const [round, randomness, signature] = g.pick(ROUNDS);
        b.cut_entry = setLine(b.cut_entry, "beacon", g.chance(0.7) ? `${round} ${randomness} ${signature}` : (() => {
          const s = g.chance(0.5) ? flip(g, signature).toLowerCase().replace(/[^0-9a-f]/g, "0") : g.hex(48);
          return `${round} ${toHex(H(fromHex(s)))} ${s}`;
        })());
        if (g.chance(0.7)) { b.open_entry = b.open_entry.replace(/^(beacon \S+) .*$/m, `$1 ${round}`); relink(b); }
      } else if (b.cut_entry) edit("cut_entry");
      else { edit("deck_entry"); relink(b); }
  }
}

const entriesOf = (b) => {
  const out = { deck: b.deck_entry, open: b.open_entry };
  if (b.cut_entry) out.cut = b.cut_entry;
  out[endOf(b).slice(0, -6)] = b[endOf(b)];
  return out;
};
const roundOf = (b) => {
  const m = /^beacon \S{64} (\d{1,16})$/m.exec(b.open_entry ?? "");
  return m ? BigInt(m[1]) : null;
};

/** Sets of bundles that share their options: { options, given, files: [text] }. */
function* groups(seed) {
  const g = generator(seed);
  let n = 0;
  const fresh = () => {
    const b = clone(g.pick(BASES).bundle);
    rebuild(b, `F-${n++}`);
    return b;
  };
  for (;;) {
    // Altered vectors with their own trust file, or none.
    const trust = g.chance(0.8) ? vectors.trust : g.chance(0.5) ? g.pick(BASES).trust : null;
    const files = [];
    for (let i = 0; i < 150; i++) {
      const b = clone(g.pick(BASES).bundle);
      if (g.chance(0.9)) for (let k = g.pick([1, 1, 1, 2, 3]); k > 0; k--) alter(g, b, BASES);
      let s = JSON.stringify(b);
      if (g.chance(0.2)) s = alterText(g, s);
      files.push(s);
    }
    yield { trust, files };

    // Deep faults, everything behind them computed again, without proofs.
    const deeper = [];
    for (let i = 0; i < 150; i++) {
      const b = fresh();
      delete b.proofs;
      try { deep(g, b); } catch { /* an entry that nothing can be computed from */ }
      if (g.chance(0.15)) alter(g, b, BASES);
      deeper.push(JSON.stringify(b));
    }
    yield { trust: g.chance(0.5) ? vectors.trust : null, files: deeper };

    // Hands of the test's own log, with what a player saved and states.
    for (let hands = 0; hands < 8; hands++) {
      const b = fresh();
      const log = makeLog(g, entriesOf(b), roundOf(b));
      const options = { trust: g.chance(0.9) ? { ...OWN_TRUST, quorum: g.pick([2, 2, 2, 1, 3, 0]) } : null };
      const kinds = log.kinds;
      const noise = (s) => (g.chance(0.06) ? (g.chance(0.5) ? flip(g, s) : editLines(g, s)) : s);
      if (options.trust && g.chance(0.5)) options.receipts = Array.from({ length: g.pick([1, 1, 2, 3]) }, () => noise(log.proof(g.pick(g.chance(0.85) ? ["deck", "open"] : kinds))));
      if (g.chance(0.3)) {
        const what = g.below(10);
        const e = entriesOf(b);
        if (what === 0) options.committed = /^deck (.*)$/m.exec(b.deck_entry.slice(20))[1];
        else if (what === 1) options.committed = toHex(leafHash(b.deck_entry));
        else if (what === 2) options.committed = g.chance(0.5) ? toHex(leafHash(b.open_entry)) : g.hex(32);
        else options.committed = kinds.filter(() => g.chance(0.5)).map((k) => (g.chance(0.1) ? e[k].replace(/^(dealt|reason|mix|rules) .*$/m, (m, w) => `${w} ${{ dealt: "3", reason: "other", mix: "none", rules: "stud-8b" }[w]}`) : e[k])).join(g.pick(["", "\n"]));
        if (options.committed === "") delete options.committed;
      }
      if (g.chance(0.2)) options.opened = g.chance(0.9) ? b.open_entry : b.open_entry.replace(/^rules .*$/m, "rules stud-8b");
      const answer = verify(utf8(JSON.stringify({ ...b, proofs: undefined })));
      if (g.chance(0.3) && answer.opened) {
        const cards = Object.entries(answer.opened).filter(() => g.chance(g.pick([0.1, 0.5, 1])));
        if (g.chance(0.1)) cards.push([String(g.below(52)), cardText(g.below(52))]);
        options.seen = [...new Map(cards)].map(([p, c]) => `${p}=${c}`).join(",");
        if (options.seen === "") delete options.seen;
      }
      if (g.chance(0.3)) {
        const seeds = [...`${b.open_entry}${b.cut_entry ?? ""}`.matchAll(/^seed (\d) (\S+)$/gm)];
        options.seed = seeds.length > 0 && g.chance(0.9) ? `${g.pick(seeds)[1]}:${g.pick(seeds)[2]}` : `${1 + g.below(8)}:${g.hex(32)}`;
        if (seeds.length > 0 && g.chance(0.7)) { const s = g.pick(seeds); options.seed = `${s[1]}:${s[2]}`; }
      }
      const variants = [];
      for (let i = 0; i < 24; i++) {
        const v = clone(b);
        const some = kinds.filter(() => g.chance(0.7));
        if (some.length > 0) v.proofs = Object.fromEntries(some.map((k) => [k, noise(log.proof(k))]));
        else delete v.proofs;
        if (g.chance(0.1)) delete v.seen;
        if (g.chance(0.1)) delete v.my_seed;
        if (g.chance(0.08)) { if (g.chance(0.5)) delete v.history; else v.history = "changed"; }
        if (g.chance(0.1)) alter(g, v, BASES);
        variants.push(JSON.stringify(v));
      }
      yield { ...options, files: variants };

      // Several bundles of one hand in one call, perhaps with another entry in one of them.
      const several = variants.slice(0, 2 + g.below(3)).map((t) => {
        if (!g.chance(0.2)) return t;
        const v = clone(b);
        try { if (g.chance(0.3) && v.cut_entry) { delete v.cut_entry; relink(v); } else deep(g, v); } catch { /* as above */ }
        return JSON.stringify(v);
      });
      yield { ...options, several: true, files: several };
    }
  }
}

/** The arguments of a call; the files they name stand in `folder`. */
function argumentsOf(options, folder, n) {
  const write = (name, text) => {
    writeFileSync(join(folder, `${n}-${name}`), text);
    return `${n}-${name}`;
  };
  const args = [];
  if (options.trust) args.push("--trust", write("trust.json", JSON.stringify(options.trust)));
  if (options.committed) args.push("--committed", /^[0-9a-f]{64}$/.test(options.committed) ? options.committed : write("saved.txt", options.committed));
  if (options.opened) args.push("--opened", write("opened.txt", options.opened));
  (options.receipts ?? []).forEach((r, i) => args.push("--receipt", write(`receipt-${i}.txt`, r)));
  if (options.seen) args.push("--seen", options.seen);
  if (options.seed) args.push("--my-seed", options.seed);
  return args;
}

/** The calls of the run: what each is given, and its files. */
export function* calls(total, seed) {
  let n = 0;
  let left = total;
  for (const { files, several, ...options } of groups(seed)) {
    // What a player states is about one hand. Otherwise one bundle of a hand in each call, except where several are wanted.
    const rounds = several ? [{ files }] : [];
    if (!several)
      for (const text of new Set(files)) {
        let key = null;
        try {
          const b = JSON.parse(text);
          key = /\norigin (.*)\ntable (.*)\nhand (.*)\n/.exec(b.deck_entry)?.slice(1).join(" ") ?? null;
        } catch { /* broken */ }
        const into = (options.seen || options.seed ? undefined : rounds.find((r) => key === null || !r.hands.has(key))) ?? (rounds.push({ hands: new Set(), files: [] }), rounds[rounds.length - 1]);
        if (key !== null) into.hands.add(key);
        into.files.push(text);
      }
    for (const r of rounds) {
      if (left <= 0) return;
      const some = r.files.slice(0, left);
      left -= some.length;
      yield { n: n++, options, files: some };
    }
  }
}

/** Every number, and every line of every text, of every accepted bundle of the vectors, one after another with one bit turned round. */
export function* flipped(seed) {
  const g = generator(seed);
  let n = 0;
  for (const { bundle, trust } of vectors.positive.filter((c) => c.bundle)) {
    const whole = JSON.stringify(bundle);
    const paths = [];
    const walk = (x, path) => (typeof x === "object" && x !== null ? Object.keys(x).forEach((k) => walk(x[k], [...path, k])) : paths.push(path));
    walk(bundle, []);
    const made = function* (value) {
      if (typeof value !== "string") yield typeof value === "number" ? value ^ (1 << g.below(6)) : !value;
      else {
        const lines = value.split("\n");
        for (const [i, l] of lines.entries()) {
          if (l === "") continue;
          const at = g.below(l.length);
          const bit = String.fromCharCode(l.charCodeAt(at) ^ (1 << g.below(7)));
          yield [...lines.slice(0, i), l.slice(0, at) + bit + l.slice(at + 1), ...lines.slice(i + 1)].join("\n");
        }
      }
    };
    for (const path of paths) {
      const at = (x) => path.slice(0, -1).reduce((own, k) => own[k], x);
      const [key] = path.slice(-1);
      for (const value of made(at(bundle)[key])) {
        const changed = JSON.parse(whole);
        at(changed)[key] = value;
        yield { n: n++, options: { trust: trust ?? vectors.trust }, files: [JSON.stringify(changed)] };
      }
    }
  }
}

/** What the first implementation says of a call. */
function ask(program, folder, { n, options, files }) {
  const args = argumentsOf(options, folder, n);
  const names = files.map((text, i) => {
    writeFileSync(join(folder, `${n}-${i}.json`), text);
    return `${n}-${i}.json`;
  });
  const out = spawnSync(program, ["verify", "--json", ...args, ...names], { encoding: "utf8", maxBuffer: 1 << 29, cwd: folder });
  for (const f of readdirSync(folder)) if (f.startsWith(`${n}-`)) rmSync(join(folder, f));
  return { n, args, names, status: out.status, lines: out.stdout.split("\n").filter((l) => l.startsWith("{")), stderr: out.stderr.slice(0, 300) };
}

const recorded = (files) => new Map(files.filter((f) => existsSync(f)).flatMap((f) => readFileSync(f, "utf8").split("\n").slice(0, -1).map((l) => JSON.parse(l)).map((r) => [r.n, r])));

/** Writes what the first implementation says, of each call or of a share of them (PART=k/m), so that it need not be asked twice. */
export function record(program, total, seed, file, [part, parts]) {
  const folder = mkdtempSync(join(tmpdir(), "differential-"));
  const known = recorded([file]);
  let done = 0;
  for (const c of calls(total, seed)) if (c.n % parts === part) {
    if (known.has(c.n)) { done += c.files.length; continue; }
    appendFileSync(file, `${JSON.stringify(ask(program, folder, c))}\n`);
    done += c.files.length;
    if (c.n % 50 === part) console.log(`${new Date().toISOString()} call ${c.n}, ${done} bundles`);
  }
  console.log(`finished: ${done} bundles`);
  rmSync(folder, { recursive: true });
}

function givenOf(options) {
  const given = { saved: [], savedHashes: [], opened: [], texts: [], receipts: (options.receipts ?? []).map((text, i) => ({ name: `receipt-${i}.txt`, text: plain(text) })) };
  if (options.trust) given.trust = readTrust(utf8(JSON.stringify(options.trust)));
  if (options.committed) {
    if (/^[0-9a-f]{64}$/.test(options.committed)) given.savedHashes.push(options.committed);
    else given.texts.push((given.saved = readSaved(options.committed)));
  }
  if (options.opened) given.texts.push((given.opened = readSaved(options.opened)));
  if (options.seen) given.seen = new Map(options.seen.split(",").map((x) => [Number(x.split("=")[0]), x.split("=")[1]]));
  if (options.seed) given.mySeed = { seat: Number(options.seed[0]), seed: options.seed.slice(2) };
  return given;
}

const view = (a) => ({
  verdict: a.verdict, code: a.code,
  claims: a.claims.map((c) => {
    const witness = Object.entries(c.witness ?? {}).sort().map(([k, v]) => `${k}=${v}`.replace(/^name=\d+-/, "name=")).join(" ");
    return [c.subject, c.state, c.by ?? "", c.why ?? "", c.code ?? "", witness, c.needed].join(" | ");
  }),
});

/** A history is not replayed here: the claim `play`, and E_HISTORY, which comes after all other checks. */
const allowed = (mine, other) => mine !== null && other?.code === "E_HISTORY" && mine.code === null;
const withoutPlay = (x) => x && { ...x, claims: x.claims.filter((c) => !c.startsWith("play |")) };

/** Compares both; `reference` gives what the first implementation says of a call, or null to leave the call out. */
export function compare(reference, asked) {
  const result = { compared: 0, calls: 0, codes: {}, verdicts: {}, unreadable: 0, history: 0, differences: [] };
  const count = (table, key) => (table[key] = (table[key] ?? 0) + 1);
  for (const call of asked) {
    const { options, files } = call;
    const said = reference(call);
    if (said === null) continue;
    let mine;
    try {
      if ((options.seen || options.seed) && files.length > 1) throw new Unreadable("one bundle");
      mine = verifyAll(files.map(utf8), givenOf(options));
    } catch (e) {
      if (!(e instanceof Unreadable)) throw e;
      mine = files.map(() => null);
    }
    const theirs = new Map(said.lines.map((l) => JSON.parse(l)).map((j) => [j.file ?? said.names[0], j]));
    result.calls++;
    files.forEach((text, i) => {
      const j = theirs.get(said.names[i]);
      const other = j === undefined || !Array.isArray(j.claims) || !j.verdict || j.verdict === "unreadable" ? null : view(j);
      const m = mine[i] === null ? null : view(JSON.parse(toJson(mine[i])));
      result.compared++;
      if (m === null) result.unreadable++;
      else {
        count(result.verdicts, m.verdict);
        if (m.code) count(result.codes, m.code);
      }
      if (allowed(m, other)) result.history++;
      else if (JSON.stringify(withoutPlay(m)) !== JSON.stringify(withoutPlay(other)))
        result.differences.push({ call, i, mine: m && { ...m, place: mine[i].place }, other: other && { ...other, message: j.message }, said: other ? undefined : (j ? JSON.stringify(j).slice(0, 200) : said.stderr), args: said.args, text });
    });
  }
  return result;
}

/** Compares with an executable. */
export function run(program, asked) {
  const folder = mkdtempSync(join(tmpdir(), "differential-"));
  try {
    return compare((call) => ask(program, folder, call), asked);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function report(r, seed, seconds) {
  const kinds = {};
  for (const d of r.differences) {
    const claims = d.mine && d.other && d.mine.code === d.other.code ? ` ${d.mine.claims.filter((c) => !d.other.claims.includes(c)).join(" ; ")} <> ${d.other.claims.filter((c) => !d.mine.claims.includes(c)).join(" ; ")}` : "";
    const name = (x) => (x ? (x.code ?? x.verdict) : "unreadable");
    (kinds[`${name(d.mine)} <> ${name(d.other)}${claims.replaceAll(/time=\d+/g, "time=N")}`] ??= []).push(d);
  }
  const { differences, ...numbers } = r;
  let out = `${JSON.stringify({ seed, seconds, ...numbers, differences: differences.length }, null, 1)}\n`;
  for (const [k, list] of Object.entries(kinds).sort((a, b) => b[1].length - a[1].length)) {
    const d = list[0];
    out += `${list.length} × ${k}\n    call ${d.call.n} file ${d.i} ${d.args.join(" ")}\n    ${d.mine?.place} | ${d.other?.message ?? d.said}\n`;
  }
  return out;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const total = Number(process.argv[2] ?? 2000);
  const seed = Number(process.argv[3] ?? 1);
  const program = process.env.DECKPROOF ?? "deckproof";
  const started = Date.now();
  if (process.env.RECORD) record(program, total, seed, process.env.RECORD, (process.env.PART ?? "0/1").split("/").map(Number));
  else {
    const known = process.env.RECORDED && recorded(process.env.RECORDED.split(","));
    const asked = process.env.FLIPPED ? flipped(seed) : calls(total, seed);
    const r = known ? compare((call) => known.get(call.n) ?? null, asked) : run(program, asked);
    console.log(report(r, seed, Math.round((Date.now() - started) / 1000)));
    if (process.env.DUMP) writeFileSync(process.env.DUMP, JSON.stringify(r.differences));
  }
}
