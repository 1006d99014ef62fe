#!/usr/bin/env node
// deckproof-verify FILE|LINK… [--trust T] [--committed FILE|HEX] [--opened FILE] [--receipt FILE] [--seen 0=7h,…] [--my-seed SEAT:HEX] [--json]

import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Given } from "./bundle.js";
import { toHex, utf8 } from "./bytes.js";
import { type OpenEntry, notedDigits, readDigits, readSaved } from "./entry.js";
import { isLink, readLink } from "./link.js";
import { plain, readKeys, readTrust } from "./note.js";
import { toJson } from "./print.js";
import { Refusal, Unreadable, type Why } from "./refusal.js";
import { leafHash } from "./tree.js";
import { type Notes, verifyAll } from "./together.js";

const USAGE = "usage: deckproof-verify FILE|LINK… [--trust FILE] [--committed FILE|HEX] [--opened FILE] [--receipt FILE] [--seen 0=7h,…] [--my-seed SEAT:HEX] [--json]";

const WHY: Record<Why, string> = {
  file: "no bundle, one pasted twice, or one whose quotation marks another program wrote; or a trust file of another log, a receipt of no entry of it, digits or a seed mistyped, or --opened without --my-seed",
  receipt: "a receipt proves no entry of it: it is of another hand, was altered, or another entry was logged for this hand; the entry of the log at its index says which",
  future: "its witnesses write that they saw it at a time to come; a clock is wrong, of this computer or theirs",
  digits: "64 digits are in this hand under another name ($), and are neither its deck root nor a hash of its deck or open entry; if they were shown as its root, its deck is another one",
  version: "it is of a version that this program does not know; this says nothing about it: judge it with a program that knows it",
  answer: 'this is the answer of a service, no bundle; give what its key "bundle" holds, a text, in a file of its own; a voided hand has none: compare its entries with those from before the hand',
};

function text(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (e) {
    throw new Unreadable(`${file}: ${(e as Error).message}`);
  }
}

function given(o: Record<string, string | string[] | boolean | undefined>): Given {
  const many = (key: string): string[] => (o[key] as string[] | undefined) ?? [];
  const g: Given = { saved: [], savedHashes: [], opened: [], texts: [], receipts: [] };
  if (typeof o["trust"] === "string") {
    g.trust = readTrust(utf8(plain(text(o["trust"]))));
    try {
      readKeys(g.trust);
    } catch (e) {
      // The trust file is the reader's own, and says nothing of a hand.
      throw e instanceof Refusal ? new Unreadable(e.message) : e;
    }
  }
  for (const c of many("committed")) {
    const typed = readDigits(c);
    const t = typed ?? plain(text(c));
    const saved = typed ?? notedDigits(t);
    if (saved !== null) g.savedHashes!.push(saved);
    else g.texts!.push(readSaved(t));
  }
  g.saved = g.texts!.flat();
  for (const f of many("opened")) {
    const entries = readSaved(plain(text(f)));
    // Nobody held the cut or the end of a hand before giving a seed.
    const later = (o: OpenEntry): boolean =>
      entries.some((e) => (e.kind === "void" && e.deck === o.deck) || ((e.kind === "cut" || e.kind === "close") && e.open === toHex(leafHash(o.text))));
    const openings = entries.filter((e): e is OpenEntry => e.kind === "open");
    const early = openings.filter((o) => !later(o));
    if (early.length === 0) throw new Unreadable(`${f}: no open entry, or one beside the cut or the end of the hand`);
    g.opened!.push(...early);
    // A deck beside them says of which hand they are.
    g.saved.push(...entries.filter((e) => e.kind === "deck"));
  }
  if (g.opened!.length > 0) g.texts!.push(g.opened!);
  for (const f of many("receipt")) g.receipts!.push({ name: f, text: plain(text(f)) });
  if (g.receipts!.length > 0 && !g.trust) throw new Unreadable("--receipt needs --trust");
  if (typeof o["seen"] === "string") {
    g.seen = new Map();
    for (const one of o["seen"].split(",")) {
      const [, position, card] = /^(0|[1-9][0-9]?)=(.*)$/.exec(one) ?? [];
      if (card === undefined || Number(position) > 51 || g.seen.has(Number(position))) throw new Unreadable(`--seen ${one}`);
      g.seen.set(Number(position), card);
    }
  }
  if (typeof o["my-seed"] === "string") {
    const [, seat, seed] = /^([1-8]):([0-9a-f]{64})$/i.exec(o["my-seed"]) ?? [];
    if (seed === undefined) throw new Unreadable("--my-seed SEAT:HEX");
    g.mySeed = { seat: Number(seat), seed: seed.toLowerCase() };
  }
  return g;
}

async function main(): Promise<number> {
  const list = { type: "string", multiple: true } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      trust: { type: "string" }, committed: list, opened: list, receipt: list, seen: { type: "string" }, "my-seed": { type: "string" },
      json: { type: "boolean" }, help: { type: "boolean", short: "h" },
    },
  });
  if (values.help || positionals.length === 0) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const g = given(values);
  if ((g.seen || g.mySeed) && positionals.length > 1) throw new Unreadable("--seen and --my-seed are about one hand: one bundle");
  let status = 0;
  const bundles = await Promise.all(positionals.map((one) => (isLink(one) && !existsSync(one) ? readLink(one) : readFileSync(one))));
  const notes: Notes = { why: [], unused: [] };
  verifyAll(bundles, g, notes).forEach((a, i) => {
    const file = isLink(positionals[i]!) ? `link ${i + 1}` : positionals[i]!;
    if (a === null) {
      console.error(`${file}: not judged: ${WHY[notes.why[i] ?? "file"].replace("$", notes.digits ?? "")}`);
      status ||= 2;
      return;
    }
    const { verdict, code, place, claims, findings, opened, seen } = a;
    const oneKey = a.oneKey === undefined ? {} : { one_key_with: positionals[a.oneKey]! };
    if (values.json) console.log(toJson({ file, verdict, code, place, claims, findings, opened, seen, ...oneKey }));
    else {
      console.log(`${file}: ${verdict}${code === null ? "" : ` ${code} (${place})`}`);
      if (oneKey.one_key_with) console.log(`  one hand key made this hand and that of ${oneKey.one_key_with}`);
      for (const c of claims) console.log(`  ${c.subject}: ${c.state}${c.by ? ` by ${c.by}` : ""}${c.witness ? ` (${c.witness.kind})` : ""}${c.why ? `, ${c.why}` : ""}`);
    }
    if (verdict === "refused") status = 1;
    else if (status !== 1 && g.trust && verdict !== "accepted") status = 2;
  });
  for (const own of notes.unused) {
    console.error(`${own}: compared with nothing, for it fits none of the bundles that were judged and not refused; give the file of its hand alone`);
    status ||= 2;
  }
  return status;
}

try {
  process.exitCode = await main();
} catch (e) {
  console.error(e instanceof Refusal || e instanceof Unreadable || e instanceof Error ? e.message : String(e));
  process.exitCode = 2;
}
