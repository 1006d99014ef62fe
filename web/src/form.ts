// Step 1: the form of a bundle (section 11).

import { type Bytes, isHex, utf8 } from "./bytes.js";
import { type Json, readJson } from "./json.js";
import { unquoted } from "./note.js";
import { type Why, fail, failTag } from "./refusal.js";

export interface Seed { seat: number; seed: string }
export interface Form {
  void: boolean;
  deck: string; open: string; cut: string | null; end: string;
  transcript: string; history: string | null; // "" and null in the void form
  handKey: string | null; leaves: Json[];
  seen: Map<number, string>; mySeed: Seed | null;
  proofs: Map<string, string>;
}

const CLOSE_KEYS = ["format", "deck_entry", "open_entry", "cut_entry", "close_entry", "transcript", "history", "hand_key", "leaves", "seen", "my_seed", "proofs"];
const VOID_KEYS = ["format", "deck_entry", "open_entry", "cut_entry", "void_entry", "hand_key", "leaves", "proofs"];
const TAG = "deckproof/v1 reveal";
const LEAF_KEYS = ["card", "salt", "hash"];

/** Keys that only a bundle has, beside `format`. */
const OWN_KEYS = ["format", "deck_entry", "open_entry", "close_entry", "void_entry", "hand_key", "leaves", "my_seed"];

/** The object that a text holds (section 12, Input), without a byte order mark before it, marks of a mail that quotes it, and what is behind it; the text where it holds none, or perhaps two. */
export function carried(bytes: Bytes): Bytes {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/^\ufeff/, "");
  } catch {
    return bytes;
  }
  if (/^[ \t\r\n]*>/.test(text)) text = unquoted(text);
  const start = /^[ \t\r\n]*/.exec(text)![0].length;
  const end = text[start] === "{" ? start + endOf(text.slice(start)) : start;
  return end === start || text.includes("{", end) ? bytes : utf8(text.slice(start, end));
}

/** Why a text is not judged (section 12, Input), by the key of a sentence; null where it is. */
export function unjudged(bytes: Bytes): Why | null {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(carried(bytes)).replace(/^[ \t\r\n]*/, "");
  const end = text.startsWith("{") ? endOf(text) : 0;
  // Cut off; or it may be two, as where it was pasted twice; or what begins its keys is no quotation mark of JSON.
  if (end === 0 || text.includes("{", end) || !/^\{[ \t\r\n]*["}]/.test(text)) return "file";
  let has = (key: string): boolean => text.includes(`"${key}"`);
  let tag = text.includes(TAG);
  try {
    const json = readJson(carried(bytes));
    has = (key) => json.t === "object" && json.v.has(key);
    tag = false;
  } catch {
    // No JSON: what it was meant to be, its words tell.
  }
  // What the server of an operator answers names its hand so; its entries have the names of a bundle's.
  if (!tag && !has("format") && has("table") && has("hand")) return "answer";
  return tag || OWN_KEYS.some(has) ? null : "file";
}

/** Where the outermost object of the text ends; 0 where it does not. */
function endOf(text: string): number {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === "\\") i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i + 1;
  }
  return 0;
}

const bad = (what: string): never => fail("E_FORMAT", what);

function keysOf(v: Json, allowed: string[], place: string): Map<string, Json> {
  if (v.t !== "object") return bad(`${place} is no object`);
  for (const key of v.v.keys()) if (!allowed.includes(key)) bad(`unknown key in ${place}`);
  return v.v;
}

const text = (v: Json, place: string): string => (v.t === "string" ? v.v : bad(`${place} is no string`));

function readSeen(v: Json): Map<number, string> {
  if (v.t !== "object") return bad("seen is no object");
  const seen = new Map<number, string>();
  for (const [key, card] of v.v) {
    if (!/^(?:0|[1-9][0-9]?)$/.test(key) || Number(key) > 51) bad("a key of seen is no position");
    seen.set(Number(key), text(card, "seen"));
  }
  return seen;
}

function readSeed(v: Json): Seed {
  const m = keysOf(v, ["seat", "seed"], "my_seed");
  const seat = m.get("seat");
  const seed = m.get("seed");
  if (seat?.t !== "number" || !/^[1-8]$/.test(seat.v) || seed?.t !== "string") return bad("my_seed");
  return { seat: Number(seat.v), seed: seed.v };
}

export function readForm(bytes: Bytes): Form {
  const json = readJson(bytes);
  const format = json.t === "object" ? json.v.get("format") : undefined;
  // Another version may have other keys.
  if (format?.t === "string" && format.v !== TAG) failTag("E_FORMAT", "format", format.v, /^deckproof\/v(?:[2-9]|[1-9]\d+) reveal$/);
  const isVoid = json.t === "object" && json.v.has("void_entry");
  const m = keysOf(json, isVoid ? VOID_KEYS : CLOSE_KEYS, "the bundle");
  const end = isVoid ? "void" : "close";
  if (format?.t !== "string") bad("format");
  const optional = (key: string): string | null => (m.has(key) ? text(m.get(key)!, key) : null);
  const [deck, open, cut, last] = ["deck", "open", "cut", end].map((k) => optional(`${k}_entry`));
  const transcript = optional("transcript");
  const history = optional("history");
  const handKey = optional("hand_key");

  const leavesValue = m.get("leaves");
  if (leavesValue !== undefined && leavesValue.t !== "array") bad("leaves is no array");
  if ((handKey !== null) === (leavesValue !== undefined)) bad("hand_key or leaves, one of them");
  const leaves = leavesValue?.t === "array" ? leavesValue.v : [];
  for (const leaf of leaves) if (leaf.t === "object") keysOf(leaf, LEAF_KEYS, "a leaf");
  const seen = m.has("seen") ? readSeen(m.get("seen")!) : new Map<number, string>();
  const mySeed = m.has("my_seed") ? readSeed(m.get("my_seed")!) : null;
  const proofs = new Map<string, string>();
  if (m.has("proofs"))
    for (const [kind, v] of keysOf(m.get("proofs")!, ["deck", "open", "cut", end], "proofs")) {
      if (!m.has(`${kind}_entry`)) bad("a proof without its entry");
      proofs.set(kind, text(v, "a proof"));
    }

  const missing = (key: string): never => fail("E_MISSING", key);
  const form: Form = {
    void: isVoid,
    deck: deck ?? missing("deck_entry"), open: open ?? missing("open_entry"), cut: cut ?? null, end: last ?? missing(`${end}_entry`),
    transcript: transcript ?? (isVoid ? "" : missing("transcript")), history, handKey, leaves, seen, mySeed, proofs,
  };

  if (handKey !== null && !isHex(handKey, 32)) fail("E_HEX", "hand_key");
  if (mySeed !== null && !isHex(mySeed.seed, 32)) fail("E_HEX", "my_seed");
  for (const leaf of leaves)
    if (leaf.t === "object")
      for (const key of ["salt", "hash"]) {
        const v = leaf.v.get(key);
        if (v?.t === "string" && !isHex(v.v, 32)) fail("E_HEX", `${key} in leaves`);
      }
  return form;
}
