// The claims of an answer, and the verdict that follows from them (section 12).

import { timeOfRound } from "./beacon.js";
import { type Given, type Hand, hashesOf } from "./bundle.js";
import type { Kind } from "./entry.js";
import type { Form } from "./form.js";
import { type Proof, overlap } from "./note.js";
import type { Refusal } from "./refusal.js";

export interface Witness { kind: string; time?: bigint; name?: string; party?: string; is_entry?: boolean }
export type State = "shown" | "claimed" | "contradicted" | "not-looked-at";
export interface Claim {
  subject: string; state: State; by?: string; why?: string; code?: string; place?: string; witness?: Witness; needed: boolean;
}

/** A proof of the bundle, or a receipt of the player under its name. */
export interface Evidence extends Proof { kind: Kind; receipt: string | null }

type Value = Omit<Claim, "subject" | "needed">;
const shown = (kind: string, more: Omit<Witness, "kind"> = {}): Value => ({ state: "shown", witness: { kind, ...more } });
const claimed = (by: string, witness?: Witness): Value => (witness ? { state: "claimed", by, witness } : { state: "claimed", by });
const blank = (why: string): Value => ({ state: "not-looked-at", why });
const computed = shown("computation");
const player = shown("person", { party: "player" });
const earliest = (times: bigint[]): bigint => times.reduce((a, b) => (b < a ? b : a));

const SUBJECTS: Record<string, string> = {
  E_SEEN: "seen-cards", E_MY_SEED: "own-seed", E_BEACON_SIG: "beacon-signed", E_DUPLICATE_CARD: "permutation", E_DEAL_SKIP: "deal-order",
  E_DEAL_ORDER: "deal-order", E_UNDEALT_OPENED: "deal-order", E_HISTORY: "play", E_DIFFERENT: "one-opening",
};
/** What the claims of an answer are made of. */
export interface Facts { form: Form; hand: Hand; given: Given; known: boolean; openings: number; evidence: Evidence[] }

const NEEDED = ["deck-fixed", "opening-fixed"];

export function refusedClaim(e: Refusal): Claim {
  const subject = e.subject ?? SUBJECTS[e.code] ?? "form";
  return { subject, state: "contradicted", code: e.code, place: e.place, witness: e.receipt !== undefined ? { kind: "receipt", name: e.receipt } : e.person ? player.witness! : computed.witness!, needed: false };
}

export function verdictOf(claims: Claim[]): "accepted" | "deck fixed" | "consistent" {
  const needed = claims.filter((c) => c.needed);
  if (needed.every((c) => c.state === "shown")) return "accepted";
  return needed.some((c) => c.subject === "deck-fixed" && c.state === "shown") ? "deck fixed" : "consistent";
}

/** before(a; b): what the trees show of entries of kinds `a` before the first proven one of kinds `b`. */
function before(evidence: Evidence[], a: Kind[], b: Kind[], nothing: Value): Value {
  const later = evidence.filter((e) => b.includes(e.kind));
  const end = later.length === 0 ? null : earliest(later.map((e) => e.index));
  const inTime = (time: bigint): boolean => later.every((e) => e.quorumTime === null || time <= e.quorumTime);
  const rows = evidence
    .filter((e) => a.includes(e.kind))
    .map((e): { rank: number; time: bigint | null; value: Value } => {
      const { quorumTime: time, receipt } = e;
      const quorum = time === null ? undefined : { kind: "quorum", time };
      const log = { kind: "log" };
      const row = (rank: number, value: Value): { rank: number; time: bigint | null; value: Value } => ({ rank, time, value });
      const where = end === null ? "unknown" : end >= e.size ? "behind" : "inside";
      if (where === "behind" && time !== null && inTime(time)) return row(1, shown("quorum", { time }));
      if (where === "behind" && receipt !== null) return row(2, shown("receipt", { name: receipt }));
      if (where === "unknown" && (receipt !== null || time !== null)) return row(3, claimed("log", quorum ?? log));
      if (where === "inside" && receipt !== null) return row(4, claimed("log", log));
      if (time !== null) return row(5, claimed("log", quorum));
      return row(6, claimed("log", log));
    });
  rows.sort((x, y) => {
    if (x.rank !== y.rank) return x.rank - y.rank;
    if (x.time === null || y.time === null) return x.time === y.time ? 0 : x.time === null ? 1 : -1;
    return x.time < y.time ? -1 : x.time > y.time ? 1 : 0;
  });
  return rows[0]?.value ?? nothing;
}

export function claimsOf(x: Facts): Claim[] {
  const { form, hand, given, known, evidence } = x;
  const { deck, open, cut, end } = hand;
  const trusted = (given.trust ?? null) !== null;
  const unchecked = form.proofs.size > 0 && !trusted;
  const nothing = blank(trusted ? "no-proof" : "nothing-given");
  const unlessUnchecked = (value: Value): Value => (value.state !== "shown" && unchecked ? blank("no-trust-file") : value);
  const saved = (kind: Kind): boolean => (given.saved ?? []).some((e) => e.kind === kind && e.text === [deck, open, cut, end].find((m) => m?.kind === kind)?.text);
  const declared = (given.opened ?? []).some((e) => e.text === open.text);
  const hashes = given.savedHashes ?? [];
  const statesSeed = (given.mySeed ?? null) !== null;
  const out: Claim[] = [];
  const add = (subject: string, value: Value): void => void out.push({ subject, ...value, needed: NEEDED.includes(subject) });

  add("form", computed);

  const openHash = hashesOf(open).some((h) => hashes.includes(h));
  // By the texts of some entries, by hashes, or by what the log has of them before the end.
  const fixed = (kinds: Kind[], isHash: boolean): Value =>
    declared || kinds.some(saved) ? shown("saved", { is_entry: true })
    : isHash ? shown("saved", { is_entry: false })
    : unlessUnchecked(before(evidence, kinds, [end.kind], nothing));
  let deckFixed = fixed(["deck", "open"], openHash || [deck.deck, ...hashesOf(deck)].some((h) => hashes.includes(h)));

  let openingFixed: Value | null = null;
  if (deck.mix !== "none") {
    const ofOpen = evidence.filter((e) => e.kind === "open");
    const times = ofOpen.map((e) => e.quorumTime).filter((t) => t !== null);
    const cutBefore = before(evidence, ["open"], ["cut"], nothing);
    openingFixed =
      declared && (deck.mix !== "players" || statesSeed) ? player
      : deck.mix === "players" && cutBefore.state === "shown" ? cutBefore
      : deck.mix === "beacon" && times.length > 0 && earliest(times) < timeOfRound(open.beacon!.round) ? shown("quorum", { time: earliest(times) })
      : saved("open") ? shown("saved", { is_entry: true })
      : openHash ? shown("saved", { is_entry: false })
      : unchecked ? blank("no-trust-file")
      : deck.mix === "players" ? cutBefore
      : times.length > 0 ? claimed("operator", { kind: "quorum", time: earliest(times) })
      : ofOpen.length > 0 ? claimed("log", { kind: "log" })
      : nothing;
  }
  const opening = openingFixed?.state === "shown";
  if (opening && deckFixed.state !== "shown") deckFixed = openingFixed!;
  add("deck-fixed", deckFixed);
  if (openingFixed !== null) add("opening-fixed", openingFixed);
  // Nothing is cut: over a deck that was fixed long before, an opening can be made when the cards are known.
  else add("rules-fixed", fixed(["open"], openHash));

  add(
    "order-not-chosen",
    !known ? blank("voided")
    : deck.mix === "none" ? blank("no-cut")
    : deck.mix === "players" ? (opening && statesSeed ? player : claimed("operator"))
    : opening ? computed
    : claimed("operator"),
  );
  if (open.commits.length > 0 || statesSeed || form.mySeed !== null)
    add("own-seed", statesSeed ? player : !known ? blank("voided") : form.mySeed !== null ? claimed("file") : blank("nothing-given"));
  if (deck.mix === "beacon") add("beacon-signed", known ? computed : blank("voided"));

  const seen = given.seen ?? new Map<number, string>();
  const allStated = [...form.seen.keys()].every((p) => seen.has(p));
  add("seen-cards", seen.size > 0 && allStated ? player : form.seen.size > 0 ? claimed("file") : blank("nothing-given"));
  add("permutation", x.openings === 52 ? computed : blank("needs-full-reveal"));
  add("derivation", form.handKey !== null ? computed : blank("needs-full-reveal"));
  add("deal-order", end.kind === "void" ? blank("voided") : end.dealt === 0 ? claimed("operator") : computed);

  const ofEnd = evidence.filter((e) => e.kind === end.kind);
  const endTimes = ofEnd.map((e) => e.quorumTime).filter((t) => t !== null);
  add(
    "end-fixed",
    saved(end.kind) ? shown("saved", { is_entry: true })
    : ofEnd.length === 0 ? claimed("operator")
    : endTimes.length > 0 ? shown("quorum", { time: earliest(endTimes) })
    : shown("log"),
  );
  const allTimes = evidence.map((e) => e.quorumTime).filter((t) => t !== null);
  const all = allTimes.length > 0 && { time: allTimes.reduce((a, b) => (b > a ? b : a)) };
  add(
    "one-log",
    evidence.length === 0 ? blank(unchecked ? "no-trust-file" : "no-proof")
    : !all || allTimes.length < evidence.length ? claimed("log", { kind: "log" })
    : overlap(given.trust!) ? shown("quorum", all)
    : claimed("log", { kind: "quorum", ...all }),
  );
  add("one-opening", blank("needs-log-scan"));
  // A history is hashed and not replayed.
  if (!form.void) add("play", blank(form.history !== null ? "hash-only" : "not-in-file"));
  return out;
}
