// An answer as sentences. None is stronger than the claims of PROTOCOL.md, section 12.

import { timeOfRound } from "../src/beacon.js";
import type { Answer } from "../src/bundle.js";
import type { Claim } from "../src/claims.js";
import type { Why } from "../src/refusal.js";
import { readTranscript } from "../src/transcript.js";
import { type Judged, keyOf } from "./judge.js";
import type { Item } from "./memory.js";
import type { Say } from "./words.js";

export interface Summary {
  tone: "good" | "half" | "open" | "bad";
  verdict: string; head: string;
  /** Nothing ties the deck to a moment before the hand. */
  untied: boolean;
  shown: string[]; missing: string[]; ask: string[]; next: string[];
}

/** A time of witnesses, in UTC; of this device, in its own zone, which is named. */
export const utc = (seconds: bigint): string => {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? `POSIX ${seconds}` : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
};
export const local = (ms: number): string => {
  const d = new Date(ms);
  const two = (n: number): string => String(n).padStart(2, "0");
  const east = -d.getTimezoneOffset();
  const zone = `UTC${east < 0 ? "\u2212" : "+"}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())} ${zone}`;
};

/** Codes that mean the same to a player. */
const GROUPS: Record<string, string> = {
  file: "FORMAT MISSING HEX LEAVES CARD", entry: "ENTRY ENTRY_VERSION ENTRY_KIND", beacon: "BEACON_CHAIN BEACON_ROUND BEACON_VALUE BEACON_SIG",
  list: "TRANSCRIPT TRANSCRIPT_HASH DEALT", proof: "PROOF NOTE CKPT", log: "ORIGIN NOTE_UNSIGNED CKPT_ORIGIN",
};
export function groupOf(code: string): string {
  const c = code.slice(2);
  return Object.keys(GROUPS).find((g) => GROUPS[g]!.split(" ").includes(c)) ?? c;
}

function refusal(a: Answer, say: Say): Summary {
  const group = groupOf(a.code!);
  const kind = a.claims[0]?.witness?.kind;
  const person = kind === "person";
  const ask = [say(group === "file" || group === "proof" ? "r.again" : group === "log" || group === "VKEY" ? "r.trust" : kind === "receipt" ? "r.signed" : person ? "r.person" : "r.operator")];
  if (person && ask[0] !== say("r.person")) ask.push(say("r.person"));
  const missing = [say("r.first"), ...(ask[0] === say("r.operator") ? [say("r.unsigned")] : [])];
  return { tone: "bad", verdict: say("v.refused"), head: say(`code.${group}`), untied: false, shown: [], missing, ask, next: [] };
}

/** What the player alone knows, on which the answer rests. */
function conditions(deck: Claim, opening: Claim | undefined, j: Judged, a: Answer, say: Say): string[] {
  const out: string[] = [];
  const players = a.hand!.deck.mix === "players";
  const of = opening?.state === "shown" ? opening.witness! : undefined;
  const kept = (i: Item | undefined): i is Item & { at: number } => i?.at != null;
  const [mine, open] = [j.deck, j.opening].map((m) => m.get(keyOf(a.hand!)));
  const w = deck.witness!;
  if (w.kind === "saved") out.push(kept(mine) ? say("if.kept", { time: local(mine.at) }) : say("if.saved"));
  else if (w.kind === "quorum") out.push(say("if.quorum", { time: utc(w.time!) }));
  // Who had the receipt of the opening before the seed had that of the deck, which it names, before the first card.
  else if (!players || of?.kind !== "receipt") out.push(say("if.receipt"));
  const ownSeed = a.claims.find((c) => c.subject === "own-seed");
  const isOwn = ownSeed?.state === "shown";
  if (of && players && a.facts!.known && !isOwn) out.push(say("if.seed"));
  if (players && of?.kind === "receipt") out.push(say("if.seed.receipt"));
  else if (players && of?.kind === "quorum") out.push(say("if.seed.after", { time: utc(of.time!) }));
  else if (of?.kind === "saved") {
    const round = a.hand!.open.beacon?.round;
    if (round === undefined) out.push(kept(open) ? say("if.opened", { time: local(open.at) }) : say("if.open"));
    else if (!kept(open)) out.push(say("if.round", { time: utc(timeOfRound(round)) }));
    else out.push(say("if.clock"));
  }
  return out;
}

/** One row for a claim: what is shown by it, or what is not. */
function row(c: Claim, a: Answer, say: Say): { shown?: string; missing?: string } {
  const kind = c.witness?.kind ?? "";
  const time = c.witness?.time === undefined ? "" : utc(c.witness.time);
  const mix = a.hand!.deck.mix;
  const is = c.state === "shown";
  switch (c.subject) {
    case "form": return { shown: say("s.form") };
    case "deck-fixed": return is ? { shown: say(`s.deck.${kind}`, { time }) } : { missing: say("n.deck") };
    case "opening-fixed": return is ? { shown: say(mix === "beacon" && kind === "quorum" ? "s.opening.round" : `s.opening.${kind}`, { time }) } : { missing: say("n.opening") };
    case "rules-fixed": return is ? { shown: say(`s.rules.${kind}`, { time }) } : { missing: say("n.rules") };
    case "order-not-chosen": return is ? { shown: say(`s.chosen.${mix}`) } : c.why === "voided" ? {} : { missing: say(`n.chosen.${mix}`) };
    case "own-seed": return is ? { shown: say("s.seed") } : c.why === "voided" ? {} : { missing: say(c.by === "file" ? "n.seed.file" : "n.seed") };
    case "beacon-signed": return is ? { shown: say("s.beacon") } : {};
    case "seen-cards": return is ? { shown: say(hidesDown(a).closed.some((s) => s.own) ? "s.seen.part" : "s.seen") } : a.hand!.end.kind === "void" ? {} : { missing: say(c.by === "file" ? "n.seen.file" : "n.seen") };
    case "permutation": return is ? { shown: say("s.permutation") } : { missing: say("n.permutation") };
    case "derivation": return is ? { shown: say("s.derivation") } : { missing: say("n.derivation") };
    case "deal-order": return is ? { shown: say("s.deal") } : { missing: say(c.by === undefined ? "n.deal" : "n.deal.none") };
    case "end-fixed": return is ? { shown: say(`s.end.${kind}`) } : { missing: say("n.end") };
    case "one-log": return is ? { shown: say("s.log", { time }) } : { missing: say(c.why === "no-trust-file" ? "n.unchecked" : "n.log") };
    case "one-opening": return { missing: say("n.again") };
    default: return { missing: say("n.play") };
  }
}

/** Everybody at the table saw these cards, and what was committed in their place nobody can compare. */
const hidesUp = (a: Answer): number =>
  a.hand!.end.kind === "void" ? 0 : readTranscript(a.facts!.form.transcript).filter((l) => (l.face === "u" || l.face === "c") && a.opened![l.position] === undefined).length;

/** Seats of whose down cards some stay closed beside others, or where the player sat, with how many; and whether no seat has all of its own open. */
export function hidesDown(a: Answer): { closed: { seat: number; n: number; own: boolean }[]; none: boolean } {
  if (a.hand!.end.kind === "void") return { closed: [], none: false };
  const lines = readTranscript(a.facts!.form.transcript);
  const { seen, mySeed } = a.facts!.given;
  const seats = a.hand!.open.seats.map((seat) => {
    const down = lines.filter((l) => l.seat === seat && l.face === "d");
    const own = mySeed?.seat === seat || lines.some((l) => l.seat === seat && seen?.has(l.position));
    return { seat, own, all: down.length, n: down.filter((l) => a.opened![l.position] === undefined).length };
  });
  return { closed: seats.filter((s) => s.n > 0 && (s.own || s.n < s.all)), none: lines.length > 0 && seats.every((s) => s.n > 0) };
}

/** No verdict. A file that was damaged is asked for again. */
export const unread = (why: Why, say: Say, { index, time, digits }: Partial<Judged>): Summary =>
  ({ tone: "bad", verdict: say("v.unread"), head: say(`h.${why}`, { n: String(index), time: utc(time ?? 0n), x: digits ?? "" }), untied: false, shown: [], missing: [], ask: why === "file" ? [say("r.again")] : [], next: [] });

export function summary(a: Answer | null, j: Judged, say: Say, at = 0): Summary {
  if (a === null) return unread(j.why[at] ?? "file", say, j);
  if (a.verdict === "refused") return refusal(a, say);
  const claim = (subject: string): Claim | undefined => a.claims.find((c) => c.subject === subject);
  const deck = claim("deck-fixed")!;
  const opening = claim("opening-fixed");
  const mix = a.hand!.deck.mix;
  const rows = a.claims.map((c) => row(c, a, say));
  const shown = rows.flatMap((r) => r.shown ?? []);
  shown.splice(1, 0, say("s.cards", { n: a.findings!.openings }));
  const ask: string[] = [];
  const proofs = a.facts!.form.proofs.size > 0;
  const trusted = (a.facts!.given.trust ?? null) !== null;
  if (!proofs) ask.push(say("a.proofs"));
  if (!trusted) ask.push(say("a.trust"));
  if (claim("derivation")!.state !== "shown") ask.push(say("a.full"));
  const next = [say("x.deck")];
  if (mix !== "none") next.push(say(`x.${mix}`));
  next.push(say("x.note"));
  const up = hidesUp(a);
  const { closed, none } = hidesDown(a);
  const down = closed.length > 0 ? closed.map(({ seat, n }) => say("n.down", { seat, n })) : none ? [say("n.down.none")] : [];
  const order = claim("order-not-chosen")?.state === "shown" ? [say("n.void")] : [];
  const missing = [up > 0 ? [say("n.up")] : [], down, rows.flatMap((r) => r.missing ?? []), order].flat();
  const rest = { untied: false, shown, missing, ask, next };
  const undealt = claim("deal-order")!.by !== undefined;
  const head = (text: string): string => [text, ...(undealt ? [say("nocards")] : []), ...(a.oneKey === undefined ? [] : [say("h.key")]), ...(up > 0 ? [say("h.up", { n: up })] : []), ...closed.map(({ seat, n }) => say("h.down", { seat, n }))].join(" ");
  if (deck.state !== "shown") {
    const logged = deck.state === "claimed";
    return { tone: "open", verdict: say("v.consistent"), head: head(say(logged ? "h.logged" : "h.consistent")), ...rest, untied: true };
  }
  const x = conditions(deck, opening, j, a, say).reduce((p, q) => say("and", { a: p, b: q }));
  const accepted = a.verdict === "accepted";
  return { tone: accepted && up + down.length === 0 && a.oneKey === undefined ? "good" : "half", verdict: say(accepted ? "v.accepted" : "v.fixed"), head: head(say(accepted ? "h.accepted" : "h.fixed", { x })), ...rest };
}
