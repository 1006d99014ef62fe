// Entries of the log (section 6).

import { decimal, isHex, utf8 } from "./bytes.js";
import { Refusal, fail, failTag } from "./refusal.js";

export interface SeatValue { seat: number; value: string }
export interface DeckEntry { kind: "deck"; text: string; origin: string; table: string; hand: string; mix: "none" | "beacon" | "players"; deck: string }
export interface OpenEntry {
  kind: "open"; text: string; deck: string; rules: "stud-hi" | "stud-8b" | "espacejeux"; seats: number[];
  seeds: SeatValue[]; commits: SeatValue[]; beacon: { chain: string; round: bigint } | null;
}
export interface CutEntry {
  kind: "cut"; text: string; open: string; seeds: SeatValue[];
  beacon: { round: bigint; randomness: string; signature: string } | null;
}
export interface CloseEntry { kind: "close"; text: string; open: string; dealt: number; transcript: string; history: string | null }
export interface VoidEntry { kind: "void"; text: string; deck: string; reason: string }
export interface UnsealEntry { kind: "unseal"; text: string; origin: string; table: string; hand: string; time: bigint; holders: [string, string]; reason: string }
export type Entry = DeckEntry | OpenEntry | CutEntry | CloseEntry | VoidEntry | UnsealEntry;
export type Kind = Entry["kind"];

export const KINDS: readonly Kind[] = ["deck", "open", "cut", "close", "void", "unseal"];
const VERSION = "deckproof/v1 ";
const ORIGIN = /^[a-z0-9][a-z0-9.-]{0,62}(?:\/[A-Za-z0-9._~-]{1,62}){0,4}$/;
const TABLE = /^[A-Za-z0-9._-]{1,64}$/;
const WORD = /^[a-z0-9-]{1,32}$/;
const READING = /^[a-z0-9_]{1,32}=[a-z0-9_]{1,32}$/;
const UNSEAL = /^time (.+)\nholder (age1[02-9ac-hj-np-z]{58})\nholder (?!\2)(age1[02-9ac-hj-np-z]{58})\nreason (?! )([ -~]{1,200})(?<! )$/;
const MAX_BYTES = 4096;
const COUNT = 2n ** 53n; // hand and round lie below

/** Reads an entry that must be of one of these kinds; E_ENTRY_VERSION, E_ENTRY_KIND, E_ENTRY. */
export function readEntry(text: string, kinds: readonly Kind[], place: string): Entry {
  if (!text.startsWith(VERSION)) failTag("E_ENTRY_VERSION", place, text, /^deckproof\/v(?:[2-9]|[1-9]\d+) /);
  const kind = text.split("\n", 1)[0]!.slice(VERSION.length);
  if (!kinds.includes(kind as Kind)) fail("E_ENTRY_KIND", place);
  const bad = (what: string): never => fail("E_ENTRY", `${place}: ${what}`);
  if (utf8(text).length > MAX_BYTES) bad("over 4,096 bytes");
  if (!text.endsWith("\n")) bad("no final line feed");
  const lines = text.slice(0, -1).split("\n").slice(1);
  let at = 0;

  const next = (word: string): boolean => lines[at] !== undefined && lines[at]!.startsWith(`${word} `);
  const field = (word: string): string => (next(word) ? lines[at++]!.slice(word.length + 1) : bad(word));
  const matching = (word: string, test: (v: string) => boolean): string => {
    const v = field(word);
    return test(v) ? v : bad(word);
  };
  const like = (word: string, form: RegExp): string => matching(word, (v) => form.test(v));
  const hex = (word: string): string => matching(word, (v) => isHex(v, 32));
  const count = (v: string | undefined): bigint => {
    const n = decimal(v ?? "", COUNT);
    return n === null || n === 0n ? bad("number") : n;
  };
  const hand = (): { origin: string; table: string; hand: string } => ({
    origin: like("origin", ORIGIN),
    table: like("table", TABLE),
    hand: String(count(field("hand"))),
  });
  const seatLines = (word: string, seats: number[] | null): SeatValue[] => {
    const out: SeatValue[] = [];
    while (next(word)) {
      const [seat, value, ...more] = field(word).split(" ");
      if (!/^[1-8]$/.test(seat!) || value === undefined || more.length > 0 || !isHex(value, 32)) bad(word);
      const s = Number(seat);
      if (out.length > 0 && out[out.length - 1]!.seat >= s) bad(`${word} not ascending`);
      if (seats !== null && !seats.includes(s)) bad(`${word} of another seat`);
      out.push({ seat: s, value: value! });
    }
    return out;
  };
  const end = <T extends Entry>(e: T): T => (at === lines.length ? e : bad("a line too many"));

  switch (kind as Kind) {
    case "deck": {
      const place = hand();
      const mix = like("mix", /^(?:none|beacon|players)$/) as DeckEntry["mix"];
      return end({ kind: "deck", text, ...place, mix, deck: hex("deck") });
    }
    case "open": {
      const deck = hex("deck");
      const rules = like("rules", /^(?:stud-hi|stud-8b|espacejeux)$/) as OpenEntry["rules"];
      // To the protocol the readings of the rules are words; each name is higher than the one before.
      if (next("readings")) {
        let last = "";
        const pairs = field("readings").split(",");
        for (const pair of pairs) {
          const name = pair.split("=")[0]!;
          if (pairs.length > 32 || !READING.test(pair) || name <= last) bad("readings");
          last = name;
        }
      }
      const seats = like("seats", /^[1-8](?:,[1-8]){1,7}$/).split(",").map(Number);
      const drops = seats.filter((s, i) => s >= seats[(i + 1) % seats.length]!).length;
      if (drops !== 1) bad("not clockwise");
      const seeds = seatLines("seed", seats);
      const commits = seatLines("commit", seats);
      let beacon: OpenEntry["beacon"] = null;
      if (next("beacon")) {
        const [chain, round, ...more] = field("beacon").split(" ");
        if (!isHex(chain!, 32) || more.length > 0) bad("beacon");
        beacon = { chain: chain!, round: count(round) };
      }
      return end({ kind: "open", text, deck, rules, seats, seeds, commits, beacon });
    }
    case "cut": {
      const open = hex("open");
      const seeds = seatLines("seed", null);
      let beacon: CutEntry["beacon"] = null;
      if (next("beacon")) {
        const [round, randomness, signature, ...more] = field("beacon").split(" ");
        if (!isHex(randomness ?? "", 32) || !isHex(signature ?? "", 48) || more.length > 0) bad("beacon");
        beacon = { round: count(round), randomness: randomness!, signature: signature! };
      }
      return end({ kind: "cut", text, open, seeds, beacon });
    }
    case "close": {
      const open = hex("open");
      const dealt = Number(matching("dealt", (v) => decimal(v, 53n) !== null));
      const transcript = hex("transcript");
      const history = next("history") ? hex("history") : null;
      return end({ kind: "close", text, open, dealt, transcript, history });
    }
    case "void": {
      const deck = hex("deck");
      return end({ kind: "void", text, deck, reason: like("reason", WORD) });
    }
    case "unseal": {
      const place = hand();
      const [, time, first, second, reason] = UNSEAL.exec(lines.slice(at).join("\n")) ?? bad("unseal");
      return { kind: "unseal", text, ...place, time: count(time), holders: [first!, second!], reason: reason! };
    }
  }
}

/** 64 digits: alone, as the last line of a deck entry has them, as sha256sum prints them, or in groups. */
export const readDigits = (t: string): string | null =>
  (/^\s*(?:deck )?([0-9a-f]{64})(?: [ *].*)?\s*$/i.exec(t) ?? /^(?:0x)?([0-9a-f]{64})$/i.exec(t.replace(/[\s:]/g, "")))?.[1]!.toLowerCase() ?? null;

/** The digits of a note that holds them once, or several times the same, beside no entry, no JSON and no other long digits. */
export function notedDigits(t: string): string | null {
  const own = /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/i.exec(t)?.[0].toLowerCase();
  return readDigits(t) ?? (own !== undefined && !/deckproof\/|[{}]|[0-9a-f]{16}/.test(t.toLowerCase().replaceAll(own, "")) ? own : null);
}

/** What a player saved: what is no entry is left out, and several empty lines may stand behind an entry. */
export function readSaved(text: string): Entry[] {
  return text.split(/^(?=deckproof\/v1 )/m).flatMap((one) => {
    try {
      return [readEntry(one.replace(/\n*$/, "\n"), KINDS, "saved")];
    } catch (e) {
      if (e instanceof Refusal) return [];
      throw e;
    }
  });
}

/** A file of entries: one after another, an empty line may stand behind each. */
export function readEntries(text: string): Entry[] {
  const out: Entry[] = [];
  let rest = text;
  while (rest !== "") {
    const next = rest.indexOf("\ndeckproof/v1 ", 1);
    let one = next < 0 ? rest : rest.slice(0, next + 1);
    rest = next < 0 ? "" : rest.slice(next + 1);
    if (one.endsWith("\n\n")) one = one.slice(0, -1);
    out.push(readEntry(one, KINDS, `entry ${out.length + 1}`));
  }
  return out;
}
