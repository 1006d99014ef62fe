// Verification of one bundle, steps 1 to 8 of section 12.

import { NO_CUT, QUICKNET, beaconSigned, cutSeed, timeOfRound } from "./beacon.js";
import { type Bytes, H, fromHex, toHex } from "./bytes.js";
import { type Claim, type Evidence, type Facts, claimsOf, refusedClaim, verdictOf } from "./claims.js";
import { KINDS, type CloseEntry, type CutEntry, type DeckEntry, type Entry, type Kind, type OpenEntry, type VoidEntry, readEntry } from "./entry.js";
import { type Form, type Seed, carried, readForm } from "./form.js";
import type { Json } from "./json.js";
import { type Keys, type Trust, checkProof, overlap, readKeys } from "./note.js";
import { Refusal, Unreadable, type Why, contradicts, fail } from "./refusal.js";
import { cardLeaf, deckOfKey, leafHash, root } from "./tree.js";
import { cardNumber, cardText, handContext, shuffle } from "./shuffle.js";
import { type Line, checkDeal, distinct, readTranscript, reshuffleSeed } from "./transcript.js";

/** What the verifying player states and kept. */
export interface Given {
  trust?: Trust | null;
  seen?: Map<number, string>;
  mySeed?: Seed | null;
  saved?: Entry[];
  savedHashes?: string[];
  opened?: OpenEntry[];
  receipts?: { name: string; text: string }[];
  /** The same as `saved` and `opened`, text by text. */
  texts?: Entry[][];
  /** The clock of the reader, in POSIX seconds. */
  now?: bigint;
  /** Whether all bundles that are judged together are of one hand; else 64 digits may be of another. */
  oneHand?: boolean;
}

export interface Findings {
  permutation: "proven" | "not contradicted"; openings: number; derivation: "proven" | "not shown"; seen_cards: number;
  deal_order: "proven" | "not shown"; logged: string[]; log_view: string; anti_grinding: string;
  players: { committed: number[]; own_seed: string };
}

export interface Answer {
  verdict: "accepted" | "deck fixed" | "consistent" | "refused";
  code: string | null; place: string | null;
  claims: Claim[]; findings: Findings | null; opened: Record<string, string> | null;
  seen: Record<string, [number, number, string] | null> | null;
  hand: Hand | null;
  /** What the claims were made of. */
  facts: Facts | null;
  /** The place of a bundle of another hand that one hand key made with this one. */
  oneKey?: number;
  /** Why it is no verdict on the hand, where it is none. */
  why?: Why | undefined;
}

export interface Hand { deck: DeckEntry; open: OpenEntry; cut: CutEntry | null; end: CloseEntry | VoidEntry }

/** Judges the bytes of a bundle by the steps; what is not judged at all, `verifyAll` tells. */
export function verify(bytes: Bytes, given: Given = {}): Answer {
  try {
    return judge(bytes, given);
  } catch (e) {
    if (!(e instanceof Refusal)) throw e;
    return refused(e);
  }
}

export const refused = (e: Refusal): Answer => ({
  verdict: "refused", code: e.code, place: e.place, claims: [refusedClaim(e)], findings: null, opened: null, seen: null, hand: null, facts: null, why: e.why,
});

function judge(bytes: Bytes, given: Given): Answer {
  const form = readForm(bytes);
  const hand = readHand(form, given.trust ?? null);
  const { deck, open, cut, end } = hand;
  const deckLeaf = leafHash(deck.text);
  const openLeaf = leafHash(open.text);
  const ctx = handContext(deck);
  const slip = isSeedSlip(hand, given.mySeed ?? null);
  const stated = { file: form.mySeed, player: slip ? null : given.mySeed ?? null };

  const known = checkOrder(hand, form.void, stated);
  checkMySeed(hand, stated);
  const seed = deck.mix === "none" ? NO_CUT : cutSeed(deckLeaf, openLeaf, deck.mix === "beacon" ? open.seeds : (cut?.seeds ?? []), cut?.beacon?.randomness ?? null);
  const cards = checkDeck(form, deck, ctx); // by secret position
  const order = !known ? null : deck.mix === "none" ? cards.map((_, i) => i) : shuffle(52, seed);
  const dealt = order === null ? [] : order.map((p) => cards[p]!);

  const seen = checkSeen(form, given, dealt);
  const unopened = [...(given.seen ?? [])].some(([position, text]) => isUnopened(dealt, position, cardNumber(text)));
  const lines = end.kind === "close" ? checkClose(form, end, { rules: open.rules, seats: open.seats, reshuffleSeed: reshuffleSeed(deckLeaf, openLeaf, seed) }, dealt) : [];
  const evidence = checkLog(form, hand, given, slip || unopened);

  const openings = cards.filter((c) => c !== null).length;
  const quorumBefore = (e: Evidence): boolean => e.kind === "open" && e.quorumTime !== null && e.quorumTime < timeOfRound(open.beacon!.round);
  const proofs = evidence.filter((e) => e.receipt === null);
  const heads = new Set(proofs.map((e) => `${e.size} ${toHex(e.root)}`));
  const players = (given.mySeed ?? null) !== null ? "checked" : known && form.mySeed !== null ? "as the file says" : "not checked";
  const findings: Findings = {
    permutation: openings === 52 ? "proven" : "not contradicted", openings,
    derivation: form.handKey !== null ? "proven" : "not shown",
    seen_cards: seen.size,
    deal_order: lines.length === 0 ? "not shown" : "proven",
    logged: proofs.map((e) => e.kind),
    log_view: heads.size === 0 ? "none" : heads.size === 1 ? "one checkpoint" : overlap(given.trust!) && proofs.every((e) => e.quorumTime !== null) ? "several, witnessed" : "several, not tied",
    anti_grinding: deck.mix !== "beacon" ? deck.mix : evidence.some(quorumBefore) ? "beacon witnessed" : "beacon claimed",
    players: { committed: open.commits.map((c) => c.seat), own_seed: players },
  };
  const facts: Facts = { form, hand, given, known, openings, evidence };
  const claims = claimsOf(facts);
  const opened: Record<string, string> = {};
  dealt.forEach((c, i) => {
    if (c !== null) opened[i] = cardText(c);
  });
  const seenLines: Answer["seen"] = {};
  for (const position of [...seen.keys()].sort((a, b) => a - b)) {
    const l = lines.filter((x) => x.position === position).pop();
    seenLines[position] = l === undefined ? null : [l.seat, l.street, l.face];
  }
  return { verdict: verdictOf(claims), code: null, place: null, claims, findings, opened, seen: seenLines, hand, facts };
}

/** Step 2. */
function readHand(form: Form, trust: Trust | null): Hand {
  const one = (text: string, kind: Kind): Entry => readEntry(text, [kind], `${kind} entry`);
  const deck = one(form.deck, "deck") as DeckEntry;
  const open = one(form.open, "open") as OpenEntry;
  const cut = form.cut === null ? null : (one(form.cut, "cut") as CutEntry);
  const end = one(form.end, form.void ? "void" : "close") as CloseEntry | VoidEntry;
  if (!form.void && deck.mix !== "none" && cut === null) fail("E_MISSING", "cut_entry");
  if (trust !== null && deck.origin !== trust.origin) fail("E_ORIGIN", "deck entry");
  const deckLeaf = toHex(leafHash(deck.text));
  const openLeaf = toHex(leafHash(open.text));
  if (open.deck !== deckLeaf) fail("E_LINK", "open entry");
  if (cut !== null && cut.open !== openLeaf) fail("E_LINK", "cut entry");
  if (end.kind === "close" ? end.open !== openLeaf : end.deck !== deckLeaf) fail("E_LINK", `${end.kind} entry`);
  if (cut?.seeds.some((s) => !open.seats.includes(s.seat))) fail("E_ENTRY", "cut entry: a seed of a seat that does not play");
  return { deck, open, cut, end };
}

interface Stated { file: Seed | null; player: Seed | null }

/** Whether the hand has this seed for a seat: by its commitment, which is there before a cut too. */
const isOfSeat = ({ deck, open }: Hand, seat: number, seed: string): boolean =>
  deck.mix === "players"
    ? open.commits.some((c) => c.seat === seat && c.value === toHex(H("deckproof/v1 seed-commit", handContext(deck), [seat], fromHex(seed))))
    : open.seeds.some((s) => s.seat === seat && s.value === seed);

/** Step 3, without the own seed; whether the order in play is known. */
function checkOrder(hand: Hand, isVoid: boolean, stated: Stated): boolean {
  const { deck, open, cut } = hand;
  const mix = (ok: boolean): void => {
    if (!ok) fail("E_MIX", `mix ${deck.mix}`);
  };
  const committed = open.commits.map((c) => c.seat);
  switch (deck.mix) {
    case "none":
      mix(open.seeds.length + open.commits.length === 0 && open.beacon === null && cut === null && stated.file === null);
      return true;
    case "beacon": {
      mix(open.beacon !== null && open.commits.length === 0 && (cut === null || (cut.beacon !== null && cut.seeds.length === 0)));
      if (open.beacon!.chain !== QUICKNET) fail("E_BEACON_CHAIN", "open entry");
      if (cut === null) return false;
      const { round, randomness, signature } = cut.beacon!;
      if (round !== open.beacon!.round) fail("E_BEACON_ROUND", "cut entry");
      if (toHex(H(fromHex(signature))) !== randomness) fail("E_BEACON_VALUE", "cut entry");
      if (!beaconSigned(round, signature)) fail("E_BEACON_SIG", "cut entry");
      return true;
    }
    case "players": {
      mix(committed.length > 0 && open.seeds.length === 0 && open.beacon === null);
      mix(cut === null || (cut.beacon === null && cut.seeds.every((s) => committed.includes(s.seat))));
      const all = cut !== null && cut.seeds.length === committed.length;
      if (!isVoid && !all) fail("E_SEED_MISSING", "cut entry");
      for (const s of cut?.seeds ?? []) if (!isOfSeat(hand, s.seat, s.value)) fail("E_SEED_COMMIT", `seat ${s.seat}`);
      return all;
    }
  }
}

function checkMySeed(hand: Hand, { file, player }: Stated): void {
  const wrong = (s: Seed | null): boolean => s !== null && !isOfSeat(hand, s.seat, s.seed);
  if (wrong(player)) contradicts("E_MY_SEED", `seat ${player!.seat}`);
  if (wrong(file)) fail("E_MY_SEED", `seat ${file!.seat}`);
}

/** Step 4; the card at each secret position, null where it is not opened. */
function checkDeck(form: Form, deck: DeckEntry, ctx: Bytes): (number | null)[] {
  const leads = (leaves: Bytes[]): void => {
    if (toHex(root(leaves)) !== deck.deck) fail("E_DECK_ROOT", "deck entry");
  };
  if (form.handKey !== null) {
    const { cards, leaves } = deckOfKey(fromHex(form.handKey), ctx);
    leads(leaves);
    return cards;
  }
  if (form.leaves.length !== 52) fail("E_LEAVES", "not 52");
  const texts = form.leaves.map((leaf, p) => leafText(leaf) ?? fail("E_LEAVES", `leaf ${p}`));
  const hidden = form.void ? texts.findIndex((t) => "hash" in t) : -1;
  if (hidden !== -1) fail("E_LEAVES", `leaf ${hidden}`);
  const cards = texts.map((t, p) => ("hash" in t ? null : (cardNumber(t.card) ?? fail("E_CARD", `leaf ${p}`))));
  leads(texts.map((t, p) => ("hash" in t ? fromHex(t.hash) : cardLeaf(ctx, p, cards[p]!, fromHex(t.salt)))));
  const opened = cards.filter((c) => c !== null);
  if (new Set(opened).size !== opened.length) fail("E_DUPLICATE_CARD", "leaves");
  return cards;
}

function leafText(leaf: Json): { card: string; salt: string } | { hash: string } | null {
  if (leaf.t !== "object") return null;
  const [card, salt, hash] = ["card", "salt", "hash"].map((k) => leaf.v.get(k));
  if (leaf.v.size === 1 && hash?.t === "string") return { hash: hash.v };
  if (leaf.v.size === 2 && card?.t === "string" && salt?.t === "string") return { card: card.v, salt: salt.v };
  return null;
}

/** Whether nothing can be compared with a card that was seen: neither its position is opened nor, elsewhere, the card. */
const isUnopened = (dealt: (number | null)[], position: number, card: number | null): boolean => card !== null && (dealt[position] ?? null) === null && !dealt.includes(card);

/** Step 5; the cards seen, of the player and of the file, by dealt position. */
function checkSeen(form: Form, given: Given, dealt: (number | null)[]): Map<number, string> {
  const all = new Map<number, string>();
  const check = (seen: Map<number, string>, otherwise: typeof fail): void => {
    for (const [position, text] of seen) {
      const card = cardNumber(text);
      if (card === null || (dealt[position] !== card && !(otherwise === contradicts && isUnopened(dealt, position, card)))) otherwise("E_SEEN", `position ${position}`);
      all.set(position, text);
    }
  };
  check(given.seen ?? new Map<number, string>(), contradicts);
  check(form.seen, fail);
  return all;
}

/** Step 6. */
function checkClose(form: Form, close: CloseEntry, table: Parameters<typeof checkDeal>[1], dealt: (number | null)[]): Line[] {
  const lines = readTranscript(form.transcript);
  if (toHex(H(form.transcript)) !== close.transcript) fail("E_TRANSCRIPT_HASH", "close entry");
  if (distinct(lines) !== close.dealt) fail("E_DEALT", "close entry");
  checkDeal(lines, table);
  const received = new Set(lines.filter((l) => l.face !== "b").map((l) => l.position));
  if (dealt.includes(null))
    dealt.forEach((c, i) => {
      if (c !== null && !received.has(i)) fail("E_UNDEALT_OPENED", `position ${i}`);
    });
  if (form.history !== null && toHex(H(form.history)) !== close.history) fail("E_HISTORY_HASH", "close entry");
  return lines;
}

/** Step 7; what the proofs of the bundle show, then what the player saved, then what the receipts show. */
function checkLog(form: Form, hand: Hand, given: Given, slip: boolean): Evidence[] {
  const saved = (keys?: Keys): void => {
    if (slip) throw new Unreadable("--my-seed or --seen");
    checkSaved(hand, given, form, keys);
  };
  if ((given.trust ?? null) === null) {
    saved();
    return [];
  }
  const keys = readKeys(given.trust!);
  const earlier = new Map<bigint, Bytes>();
  const entries = [hand.deck, hand.open, hand.cut, hand.end].filter((e) => e !== null);
  const out: Evidence[] = [];
  for (const e of entries) {
    const file = form.proofs.get(e.kind);
    if (file === undefined) continue;
    const { of, ...proof } = checkProof<Kind>(file, [[e.kind, leafHash(e.text)]], keys, earlier, `proof of ${e.kind}`);
    out.push({ kind: of, ...proof, receipt: null });
  }
  const rank = (e: Evidence): number => KINDS.indexOf(e.kind);
  for (const a of out)
    for (const b of out) if (rank(a) < rank(b) && a.index >= b.index) fail("E_LOG_ORDER", `${a.kind} and ${b.kind}`);
  saved(keys);
  const leaves = entries.map((e): [Kind, Bytes] => [e.kind, leafHash(e.text)]);
  for (const r of given.receipts ?? []) {
    const { of, ...proof } = checkProof<Kind | null>(r.text, [...leaves, [null, null]], keys, earlier, `receipt ${r.name}`);
    // A receipt does not say of which hand it is.
    if (of !== null) out.push({ kind: of, ...proof, receipt: r.name });
  }
  return out;
}

/** Whether an entry is the own one but for digits of its `deck` line that were copied wrongly. */
const isMiscopied = (e: Entry, mine: Entry, own: string): boolean => (e.kind === "deck" || e.kind === "open") && e.text.replace(e.deck, own) === mine.text && alike(own, e.deck);

/**
 * What an entry that the player saved stands against in this hand: null is none, undefined that it is of another hand. The commitment to
 * which the own seed leads here names the hand of an opening, whatever deck that names.
 */
export function counterpart(hand: Hand, e: Entry, seed: Seed | null | undefined): Entry | null | undefined {
  const { deck, open, cut, end } = hand;
  const deckLeaf = toHex(leafHash(deck.text));
  const openLeaf = toHex(leafHash(open.text));
  switch (e.kind) {
    case "deck": return e.origin === deck.origin && e.table === deck.table && e.hand === deck.hand ? deck : undefined;
    case "open": {
      const committed = open.commits.find((c) => c.seat === seed?.seat && !isWithoutLog(hand));
      return e.deck === deckLeaf || isMiscopied(e, open, deckLeaf) || e.commits.some((c) => c.seat === committed?.seat && c.value === committed.value) ? open : undefined;
    }
    case "cut": return e.open === openLeaf ? cut : undefined;
    case "close": return e.open === openLeaf ? end : undefined;
    case "void": return e.deck === deckLeaf ? end : undefined;
    case "unseal": return undefined; // it comes after the hand
  }
}

const SUBJECT: Partial<Record<Kind, string>> = { deck: "deck-fixed", open: "opening-fixed", cut: "opening-fixed", close: "end-fixed", void: "end-fixed" };

/** That by which the log names an entry, and the SHA-256 of its text, which a shell prints. */
export const hashesOf = (e: Entry): string[] => [toHex(leafHash(e.text)), toHex(H(e.text))];

/** Digits so near to others that they were copied wrongly: in eight places, or with one doubled or left out. */
function near(own: string, typed: string): boolean {
  const first = [...own].findIndex((d, i) => d !== typed[i]);
  const shifted = (a: string, b: string): boolean => a.slice(first + 1) === b.slice(first, -1);
  return [...own].filter((d, i) => d !== typed[i]).length < 9 || shifted(own, typed) || shifted(typed, own);
}

/** Whether 48 of the digits of a hash or more are found in others: in place, or in a group of eight that stands anywhere in them. */
const alike = (own: string, typed: string): boolean =>
  [...own].filter((d, i) => d === typed[i] || typed.includes(own.slice(i & ~7, (i & ~7) + 8))).length > 47;

/** A stated seed that is none of this hand by a slip: under none there is no cut, it is a commitment, of another seat, or copied wrongly; or a wrong seed made the hand void. */
function isSeedSlip(hand: Hand, own: Seed | null): boolean {
  if (own === null) return false;
  const { deck, open, cut, end } = hand;
  const mine = (deck.mix === "players" ? cut?.seeds ?? [] : open.seeds).find((s) => s.seat === own.seat)?.value;
  const mayBeWrong = end.kind === "void" && end.reason === "seed-wrong" && open.commits.some((c) => c.seat === own.seat);
  return (
    deck.mix === "none" || open.commits.some((c) => c.value === own.seed) ||
    (!isOfSeat(hand, own.seat, own.seed) && (open.seats.some((s) => isOfSeat(hand, s, own.seed)) || (mine === undefined ? mayBeWrong : near(mine, own.seed))))
  );
}

/** Hands without a log, or for a trial, are all of localhost: the name tells one day from no other. */
export const isWithoutLog = ({ deck }: Hand): boolean => deck.origin.startsWith("localhost/");

/** Whether a receipt proves this entry in the log of these keys. */
function isProven(receipt: string, e: Entry, keys: Keys): boolean {
  try {
    checkProof(receipt, [[null, leafHash(e.text)]], keys, new Map(), "");
    return true;
  } catch {
    return false;
  }
}

/** Digits of the hand that are none of its deck or opening, each with the name of its line: what is bound by something in the bundle, so that nobody could write it there afterwards. */
function otherDigits({ open, cut, end }: Hand, form: Form): [string, string][] {
  const of = (e: Entry | null): [string, string][] => (e === null ? [] : hashesOf(e).map((h) => [h, `${e.kind} entry`]));
  const seeds = cut?.seeds ?? [];
  const out: [string, string][] = [...of(cut), ...of(end), ...seeds.map((s): [string, string] => [s.value, `seed ${s.seat}`])];
  for (const c of open.commits) if (seeds.some((s) => s.seat === c.seat)) out.push([c.value, `commit ${c.seat}`]);
  if (cut?.beacon) out.push([cut.beacon.randomness, "beacon"]);
  if (end.kind === "close") {
    out.push([end.transcript, "transcript"]);
    if (form.history !== null) out.push([end.history!, "history"]);
  }
  return out;
}

/** What the player saved is compared with each entry of the hand: E_COMMITTED. */
function checkSaved(hand: Hand, given: Given, form: Form, keys?: Keys): void {
  const root = hand.deck.deck;
  const texts = [...(given.saved ?? []), ...(given.opened ?? [])];
  // What the log signed was not copied wrongly, and is nobody's word but its own.
  if (keys && !isWithoutLog(hand))
    for (const e of texts) {
      const mine = counterpart(hand, e, given.mySeed);
      const receipt = mine === undefined || mine?.text === e.text ? undefined : given.receipts?.find((r) => isProven(r.text, e, keys));
      if (receipt) contradicts("E_COMMITTED", `${e.kind} entry`, SUBJECT[e.kind]!, receipt.name);
    }
  let slip = false;
  let day = false;
  for (const e of texts) {
    const mine = counterpart(hand, e, given.mySeed);
    if (mine === undefined || mine?.text === e.text) continue;
    if (mine && isMiscopied(e, mine, e.kind === "deck" ? root : hand.open.deck)) slip = true;
    else if (e.kind === "deck" && isWithoutLog(hand)) day = true;
    else contradicts("E_COMMITTED", `${e.kind} entry`, SUBJECT[e.kind]!);
  }
  const own = [root, ...hashesOf(hand.deck), ...hashesOf(hand.open)];
  const named = new Map(otherDigits(hand, form));
  // The rest is of the hand of its text.
  const others = [...named.keys(), ...texts.flatMap((e) => (e.kind === "deck" ? [e.deck, ...hashesOf(e)] : hashesOf(e)))];
  const wrong = (given.savedHashes ?? []).filter((h) => given.oneHand !== false && !day && !own.includes(h));
  // No chance makes two hashes so alike: the digits were copied wrongly, or two decks were made alike. Without a log they may be of another day.
  if (!wrong.every((h) => isWithoutLog(hand) || others.includes(h) || own.some((o) => alike(o, h)))) contradicts("E_COMMITTED", "64 digits", "deck-fixed");
  const name = wrong.map((h) => named.get(h)).find((n) => n !== undefined);
  if (!slip && !day && name !== undefined) throw new Unreadable(name, "digits");
  if (slip || day || wrong[0]) throw new Unreadable("digits");
  // "I gave my seed after this entry" of somebody who states no seed is no verdict on the hand.
  const declared = given.opened?.some((e) => e.text === hand.open.text) ?? false;
  if (declared && hand.deck.mix === "players" && (given.mySeed ?? null) === null) throw new Unreadable("--opened without --my-seed");
}

/** The hand that a bundle names, as far as its form and its entries can be read. */
export function handOf(bytes: Bytes): Hand | null {
  try {
    return readHand(readForm(carried(bytes)), null);
  } catch (e) {
    if (e instanceof Refusal) return null;
    throw e;
  }
}
