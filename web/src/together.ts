// Bundles that are judged together: what the player saved, E_DIFFERENT, proofs that several bundles of one hand share.

import { type Answer, type Given, type Hand, counterpart, hashesOf, isWithoutLog, refused, verify } from "./bundle.js";
import { type Bytes, fromHex, same, toHex } from "./bytes.js";
import { type Evidence, claimsOf, verdictOf } from "./claims.js";
import type { Entry } from "./entry.js";
import { type Form, carried, unjudged } from "./form.js";
import { checkProof, readKeys, readProof } from "./note.js";
import { Refusal, Unreadable, type Why } from "./refusal.js";
import { keystream } from "./shuffle.js";

const name = ({ deck }: Hand): string => `${deck.origin} ${deck.table} ${deck.hand}`;
const differ = (a: Entry | null, b: Entry | null): boolean => a?.text !== b?.text;

/** Why bundles are not judged, each in its place; what the player gave that fits none of them; the place in the log that a receipt of no entry names; a time of witnesses that has not come; the line of the hand in which digits are that name neither its deck nor its opening. */
export interface Notes { why: (Why | undefined)[]; unused: string[]; index?: bigint; time?: bigint; digits?: string }

/** Judges bundles together; null for one that is not judged, whose reason comes into `notes`. Throws `Unreadable` if what the player gives cannot be used. */
export function verifyAll(bundles: Bytes[], given: Given = {}, notes: Notes = { why: [], unused: [] }): (Answer | null)[] {
  for (const r of given.receipts ?? [])
    try {
      if (given.trust) checkProof(r.text, [], readKeys(given.trust), new Map(), `receipt ${r.name}`);
      else readProof(r.text, `receipt ${r.name}`);
    } catch (e) {
      if (!(e instanceof Refusal)) throw e;
      // Damaged, or of another log: it says nothing of the hand. That it leads to no entry here is seen below.
      if (e.code !== "E_PROOF_ROOT" && e.code !== "E_VKEY") throw new Unreadable(e.message, e.why);
    }
  const judged = (bytes: Bytes, given: Given, at: number): Answer | null => {
    try {
      const a = verify(carried(bytes), given);
      // The trust file may be of another room, or older than the key of the log.
      const isForeign = a.code === "E_ORIGIN" || a.code === "E_NOTE_UNSIGNED";
      const why = a.why ?? (isForeign ? "file" : a.code === "E_FORMAT" ? unjudged(bytes) : null);
      if (why === null) return a;
      notes.why[at] = why;
    } catch (e) {
      if (!(e instanceof Unreadable)) throw e;
      notes.why[at] = e.why;
      if (e.why === "digits") notes.digits = e.message;
    }
    return null;
  };
  // Beside a bundle that is not sound, or of another hand, what was saved may belong to that one.
  const alone = bundles.map((bytes, i) => judged(bytes, { ...given, saved: [], savedHashes: [], opened: [], receipts: [] }, i));
  // Witnesses whose time has not come, by more than clocks differ: a clock is wrong.
  const limit = (given.now ?? BigInt(Math.floor(Date.now() / 1000))) + 3600n;
  const timely = (answers: (Answer | null)[]): (Answer | null)[] =>
    answers.map((a, i) => {
      const time = a?.claims.find((c) => c.needed && c.witness?.time !== undefined && c.witness.time > limit)?.witness!.time;
      if (time === undefined) return a;
      notes.why[i] = "future";
      notes.time = time;
      return null;
    });
  if (![given.saved, given.savedHashes, given.opened, given.receipts, given.texts].some((own) => own?.length)) return timely(together(alone));
  const hands = alone.map((a) => a?.hand ?? null).filter((h) => h !== null);
  const oneHand = hands.length === bundles.length && new Set(hands.map((h) => name(h) + (isWithoutLog(h) ? h.deck.text : ""))).size <= 1;
  // A text of another hand says nothing, and digits beside it may be of that hand; one of this hand that differs is a contradiction.
  const foreign = oneHand && given.texts?.some((text) => !text.some((e) => hands.some((h) => counterpart(h, e, given.mySeed) !== undefined)));
  const answers = bundles.map((bytes, i) => judged(bytes, { ...given, ...(foreign && { receipts: [] }), oneHand: oneHand && !foreign }, i));
  const fits = (r: { name: string }): boolean => answers.some((a) => a?.facts?.evidence.some((e) => e.receipt === r.name));
  // Beside another hand it convicts none; but its own may not be there, or be exchanged.
  if (!oneHand) {
    const own = hands.flatMap((h) => [h.deck.deck, ...hashesOf(h.deck), ...hashesOf(h.open)]);
    notes.unused.push(
      ...(given.savedHashes ?? []).filter((h) => !own.includes(h)),
      ...(given.texts ?? []).filter((text) => !text.some((e) => hands.some((h) => counterpart(h, e, given.mySeed)))).map((text) => text.map((e) => ("table" in e ? `${e.kind} ${e.table} ${e.hand}` : e.kind)).join(", ")),
      ...(given.receipts ?? []).filter((r) => !fits(r)).map((r) => r.name),
    );
  }
  // A receipt that proves no entry says nothing: it may be of another hand, or another entry was logged for this one.
  const unfit = given.trust && oneHand ? given.receipts?.find((r) => !fits(r)) : undefined;
  if (foreign || unfit)
    return together(
      answers.map((a, i) => {
        if (!a?.facts) return a;
        if (!foreign) {
          notes.why[i] = "receipt";
          notes.index = readProof(unfit!.text, "").index;
        }
        return null;
      }),
    );
  return timely(together(answers));
}

/** The salts of a form with their secret positions: they come from the hand key, and no two hands have one in common. */
const saltsOf = ({ handKey, leaves }: Form): string[] =>
  handKey === null
    ? leaves.flatMap((leaf, p) => {
        const salt = leaf.t === "object" ? leaf.v.get("salt") : null;
        return salt?.t === "string" ? [`${p} ${salt.v}`] : [];
      })
    : (toHex(keystream(fromHex(handKey), 1, 52 * 32)).match(/.{64}/g) ?? []).map((salt, p) => `${p} ${salt}`);

// An entry is in the log if it is proven, or one that names it by its hash.
const PROVEN_BY: [keyof Hand, string][] = [["deck", "deck open cut close void"], ["open", "open cut close"], ["cut", "cut"], ["end", "close void"]];

function together(answers: (Answer | null)[]): (Answer | null)[] {
  const sameHand = (a: Answer): Answer[] => answers.filter((b): b is Answer => b?.hand != null && name(b.hand) === name(a.hand!));
  const differing = (a: Answer, b: Answer): string[] => PROVEN_BY.filter(([k]) => differ(a.hand![k], b.hand![k])).map(([, by]) => by);
  const agreeing = (a: Answer): Answer[] => sameHand(a).filter((b) => !differing(a, b).length);
  // Nobody signs a bundle: where the log has what one says, and not what the other says, that one stays.
  const inLog = (a: Answer, kinds: string[]): boolean =>
    kinds.every((by) => agreeing(a).some((b) => b.facts!.evidence.some((e) => by.includes(e.kind))));
  const refuting = (a: Answer): Answer[] =>
    sameHand(a).filter((b) => {
      const kinds = differing(a, b);
      return kinds.length && (!inLog(a, kinds) || inLog(b, kinds));
    });
  const isOtherDay = (a: Answer, b: Answer): boolean => isWithoutLog(a.hand!) && differ(a.hand!.deck, b.hand!.deck) && !inLog(a, differing(a, b));
  const proofs = answers.flatMap((a) => a?.facts?.evidence.filter((e) => e.receipt === null) ?? []);
  const text = (a: Answer, e: Evidence): string | undefined => [a.hand!.deck, a.hand!.open, a.hand!.cut, a.hand!.end].find((own) => own?.kind === e.kind)?.text;
  // What is proven at a place of the log; two entries there are a fork.
  const places = new Map<bigint, Set<string | undefined>>();
  for (const a of answers)
    for (const e of a?.facts?.evidence ?? []) places.set(e.index, (places.get(e.index) ?? new Set()).add(text(a!, e)));
  // Two roots of one size, or one entry at two places: the log takes each once and moves none.
  const forked = (a: Answer): boolean =>
    a.facts!.evidence.some(
      (e) =>
        places.get(e.index)!.size > 1 ||
        (e.receipt === null && proofs.some((p) => p.size === e.size && !same(p.root, e.root))) ||
        agreeing(a).some((b) => b.facts!.evidence.some((p) => p.kind === e.kind && p.index !== e.index)),
    );
  const salts = answers.map((a) => new Set(answers.length > 1 && a?.facts ? saltsOf(a.facts.form) : []));
  const judged = answers.map((a) => {
    if (a === null || a.facts === null) return a;
    if (forked(a)) return refused(new Refusal("E_PROOF_ROOT", "two proofs"));
    const by = refuting(a);
    if (by.length) return by.every((b) => isOtherDay(a, b)) ? null : refused(new Refusal("E_DIFFERENT", "two bundles"));
    const others = agreeing(a).filter((b) => b !== a);
    // What the proofs of one bundle of a hand show, they show for all of them.
    const shared = others.flatMap((b) => b.facts!.evidence.filter((e) => e.receipt === null));
    const claims = claimsOf({ ...a.facts, evidence: [...a.facts.evidence, ...shared] });
    return { ...a, claims, verdict: verdictOf(claims) };
  });
  // Neither is refused by it: who has the key of a hand can write another hand with it, and nobody signs a bundle.
  return judged.map((a, i) => {
    const oneKey = a?.facts ? judged.findIndex((b, k) => b?.facts && name(b.hand!) !== name(a.hand!) && [...salts[k]!].some((salt) => salts[i]!.has(salt))) : -1;
    return a && oneKey >= 0 ? { ...a, oneKey } : a;
  });
}
