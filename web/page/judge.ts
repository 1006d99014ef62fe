// From what was remembered and stated to what the verifier is given.

import { timeOfRound } from "../src/beacon.js";
import { type Answer, type Given, type Hand, counterpart, handOf, hashesOf } from "../src/bundle.js";
import { type Bytes, fromBase64, toHex, utf8 } from "../src/bytes.js";
import { type Entry, readSaved } from "../src/entry.js";
import type { Seed } from "../src/form.js";
import { readProof, readTrust } from "../src/note.js";
import { type Notes, verifyAll } from "../src/together.js";
import { included, leafHash } from "../src/tree.js";
import type { Item } from "./memory.js";

export interface Bundle { name: string; bytes: Bytes }
export interface Statement { seen: Map<number, string>; seed: Seed | null }

/** What decides the sentences beside the answer itself. */
export interface Judged extends Notes {
  answers: (Answer | null)[];
  /** What was had before that ties the deck, and the opening, of each hand, by the hash of its deck entry. */
  deck: Map<string, Item>; opening: Map<string, Item>;
  /** Remembered roots and entries that no bundle here is about, and receipts that lead to no entry of one. */
  others: Item[];
}

/** Which hand something ties. */
export const keyOf = (h: Hand): string => toHex(leafHash(h.deck.text));

/** What of a text of entries can come from before a hand: nothing of a hand whose end is there too, no opening whose cut is. */
export function ahead(text: string): string {
  const entries = readSaved(text);
  const hash = (e: Entry): string => toHex(leafHash(e.text));
  const named = (kinds: string[]): string[] => entries.flatMap((e) => (kinds.includes(e.kind) ? ("open" in e ? [e.open] : "deck" in e ? [e.deck] : []) : []));
  const ended = named(["close", "void"]);
  const cut = named(["cut"]);
  const over = entries.flatMap((e) => (e.kind === "open" && ended.includes(hash(e)) ? [e.deck] : [])).concat(ended);
  const stays = (e: Entry): boolean => (e.kind === "deck" ? !over.includes(hash(e)) : e.kind === "open" && !over.includes(e.deck) && !cut.includes(hash(e)));
  return entries.filter(stays).map((e) => e.text).join("\n");
}

/** Whether a receipt leads to its own root from one of these entries. */
function fits(text: string, entries: (Entry | null)[]): boolean {
  try {
    const { index, path, note } = readProof(text, "");
    const [, size, root] = note.split("\n");
    return entries.some((e) => e !== null && included(leafHash(e.text), index, BigInt(size!), path, fromBase64(root!)!));
  } catch {
    return false;
  }
}

/** Under a beacon, an opening that was remembered when its round was due shows nothing of the cut, only its deck. */
const late = (h: Hand, at: number | null): boolean => at !== null && h.open.beacon !== null && BigInt(Math.floor(at / 1000)) >= timeOfRound(h.open.beacon.round);

export function judge(bundles: Bundle[], items: Item[], stated: Statement): Judged {
  const hands = bundles.map((b) => handOf(b.bytes)).filter((h) => h !== null);
  const given: Given & { texts: Entry[][]; savedHashes: string[]; saved: Entry[] } = { texts: [], savedHashes: [], saved: [], receipts: [] };
  const out: Judged = { answers: [], why: [], unused: [], deck: new Map(), opening: new Map(), others: [] };
  const better = (a: Item | undefined, b: Item): Item => (a === undefined || (b.at !== null && (a.at === null || b.at < a.at)) ? b : a);
  const ties = (i: Item, h: Hand | undefined, open: boolean): void => {
    if (h === undefined) return;
    for (const m of open ? [out.deck, out.opening] : [out.deck]) m.set(keyOf(h), better(m.get(keyOf(h)), i));
  };
  for (const i of items) {
    const once = i.at === null;
    if (i.what === "trust") given.trust = readTrust(utf8(i.text));
    else if (i.what === "root") {
      const ofOpen = (h: Hand): boolean => hashesOf(h.open).includes(i.text);
      const of = hands.find((h) => h.deck.deck === i.text || hashesOf(h.deck).includes(i.text) || ofOpen(h));
      const isOpen = of !== undefined && ofOpen(of);
      if (of !== undefined || once) given.savedHashes.push(isOpen && late(of, i.at) ? of.open.deck : i.text);
      else out.others.push(i);
      ties(i, of, isOpen && !late(of, i.at));
    } else if (i.what === "entries") {
      const entries = readSaved(i.text);
      const mine = (e: Entry): Hand | undefined => hands.find((h) => counterpart(h, e, stated.seed) !== undefined);
      if (once || entries.some(mine)) given.texts.push(entries);
      else out.others.push(i);
      for (const e of entries) {
        const h = mine(e);
        const same = h !== undefined && counterpart(h, e, stated.seed)?.text === e.text;
        if (same && e.kind === "open" && late(h, i.at)) given.savedHashes.push(h.open.deck);
        else given.saved.push(e);
        if (same && (e.kind === "deck" || e.kind === "open")) ties(i, h, e.kind === "open" && !late(h, i.at));
      }
    }
  }
  const receipts = items.filter((i) => i.what === "receipt");
  // A receipt of what was saved for a hand counts where the hand has another entry in its place.
  const own = hands.flatMap((h) => [h.deck, h.open, h.cut, h.end, ...given.texts.flat().filter((e) => counterpart(h, e, stated.seed) !== undefined)]);
  const isOwn = (r: Item): boolean => r.at === null || fits(r.text, own);
  const used = receipts.filter(isOwn);
  out.others.push(...receipts.filter((r) => !isOwn(r)));
  const named = used.map((r, i) => ({ name: `${i + 1}. ${/^index .*$/m.exec(r.text)?.[0] ?? ""}`, text: r.text }));
  if (given.trust) given.receipts = named;
  // No key of its log is known.
  else out.unused.push(...named.filter((_, i) => used[i]!.at === null).map((r) => r.name));
  if (stated.seen.size > 0) given.seen = stated.seen;
  given.mySeed = stated.seed;
  out.answers = verifyAll(bundles.map((b) => b.bytes), given, out);
  return out;
}

