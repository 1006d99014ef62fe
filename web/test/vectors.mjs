// Every vector of fixtures/protocol.json that a verifier of bundles can be asked, as named checks that run in Node.js and in a browser.

import { verify, verifyAll } from "../dist/index.js";
import { fromBase64, fromHex, toHex } from "../dist/bytes.js";
import { handContext, kdf, cardText, keystream, shuffle } from "../dist/shuffle.js";
import { deckOfKey, leafHash, root } from "../dist/tree.js";
import { checkDeal, distinct, readTranscript, reshuffleSeed } from "../dist/transcript.js";
import { Refusal } from "../dist/refusal.js";
import { readEntry, readSaved } from "../dist/entry.js";

export const bytesOf = (c) => (c.bundle_base64 !== undefined ? fromBase64(c.bundle_base64) : new TextEncoder().encode(c.bundle_text ?? JSON.stringify(c.bundle)));
const trustOf = (v, c) => {
  const t = c.trust ?? v.trust;
  return { ...t, quorum: BigInt(t.quorum) };
};
/** The same values, whatever the order of keys. */
const plain = (x) =>
  typeof x === "object" && x !== null && !Array.isArray(x) ? Object.fromEntries(Object.keys(x).sort().map((k) => [k, plain(x[k])])) : Array.isArray(x) ? x.map(plain) : x;
const same = (found, wanted) => {
  const [f, w] = [found, wanted].map((x) => JSON.stringify(plain(x)));
  if (f !== w) throw new Error(`found ${f}, wanted ${w}`);
};
const among = (found, wanted) => {
  if (!wanted.includes(found)) throw new Error(`found ${found}, wanted one of ${wanted}`);
};
const codeOf = (run) => {
  try {
    run();
  } catch (e) {
    if (e instanceof Refusal) return e.code;
    throw e;
  }
  return null;
};

/** The checks: { name, run }; `run` throws what differs. */
export function cases(v) {
  const out = [];
  const test = (name, run) => out.push({ name, run });
  test("revision", () => same([v.version, v.verification], ["deckproof/v1", 14]));
  // A verifier of bundles reads no whole log, and draws no audit sample.
  const read = ["tape", "shuffle", "shuffle_m", "kdf", "hands", "positive", "negative", "negative_l4", "refused", "transcripts", "trust", "version", "verification", "unseal", "saved", "input"];
  const notRead = ["log", "positive_logs", "negative_logs", "audit_sample", "audit_rounds", "comment"];
  test("every section is read, or is of a whole log", () => same(Object.keys(v).sort(), [...read, ...notRead].sort()));
  for (const c of v.positive)
    test(`positive: ${c.name}`, () => {
      const a = verify(bytesOf(c), { trust: trustOf(v, c) });
      same(a.code, null);
      same(a.findings, c.expect.findings);
      same(a.opened, c.expect.opened);
      if (c.expect.seen) same(a.seen, c.expect.seen);
    });
  for (const c of [...v.negative, ...v.negative_l4]) test(`negative: ${c.name}`, () => same(verify(bytesOf(c), { trust: trustOf(v, c) }).code, c.expect));
  for (const c of v.refused) test(`refused: ${c.name}`, () => among(verify(bytesOf(c), { trust: trustOf(v, c) }).code, c.one_of));

  for (const c of v.saved)
    test(`saved: ${c.name}`, () => {
      const { bundle } = v.positive.find((own) => own.name === c.bundle);
      const held = c.opened ? readSaved(c.opened === true ? bundle.open_entry : c.opened) : [];
      const opened = held.filter((e) => e.kind === "open");
      const savedHashes = [c.digits, ...(c.also ?? [])].filter((h) => h !== undefined);
      const texts = (c.texts ?? []).map(readSaved);
      const bundles = [{ bundle }, v.positive.find((own) => own.name === c.beside)].filter((b) => b);
      const [a] = verifyAll(bundles.map(bytesOf), { savedHashes, opened, saved: [...texts.flat(), ...held.filter((e) => e.kind === "deck")], texts: [...texts, ...opened.map((e) => [e])], mySeed: c.my_seed ?? null });
      same([a?.verdict ?? null, a?.code ?? null], [c.verdict, c.code]);
    });

  for (const c of v.input)
    test(`input: ${c.name}`, () => {
      const of = v.positive.find((own) => own.name === c.of)?.bundle;
      const body = c.text ?? JSON.stringify({ ...of, ...c.put });
      const [a] = verifyAll([new TextEncoder().encode((c.before ?? "") + body + (c.after ?? ""))], c.trust ? { trust: trustOf(v, c.trust === true ? v : c) } : {});
      same([a?.verdict ?? null, a?.code ?? null], [c.verdict, c.code]);
    });

  const table = (c) => ({ rules: c.rules, seats: c.seats, reshuffleSeed: reshuffleSeed(fromHex(c.deck_hash), fromHex(c.open_hash), fromHex(c.cut_seed)) });
  for (const c of v.transcripts.legal)
    test(`legal: ${c.name}`, () => {
      const lines = readTranscript(c.transcript);
      checkDeal(lines, table(c));
      same(distinct(lines), c.dealt);
      if (c.reshuffle) {
        same(toHex(table(c).reshuffleSeed), c.reshuffle.seed);
        same(shuffle(c.reshuffle.pool.length, fromHex(c.reshuffle.seed)), c.reshuffle.order);
      }
    });
  for (const c of v.transcripts.illegal) test(`illegal: ${c.name}`, () => among(codeOf(() => checkDeal(readTranscript(c.transcript), table(c))), c.expect));

  const kinds = ["deck", "open", "cut", "close", "void", "unseal"];
  for (const text of v.unseal.legal)
    test(`unseal: ${text}`, () => {
      const e = readEntry(text, kinds, "entry");
      same(`deckproof/v1 unseal\norigin ${e.origin}\ntable ${e.table}\nhand ${e.hand}\ntime ${e.time}\nholder ${e.holders[0]}\nholder ${e.holders[1]}\nreason ${e.reason}\n`, text);
      // What happened to a hand after its end changes no judgement of it.
      const c = v.positive[0];
      same(verify(bytesOf(c), { trust: trustOf(v, c), saved: [e] }).code, null);
    });
  for (const c of v.unseal.illegal) test(`no unseal: ${c.name}`, () => same(codeOf(() => readEntry(c.text, kinds, "entry")), c.expect));

  test("keystream, shuffle, keys", () => {
    for (const c of v.tape) same(toHex(keystream(fromHex(c.key), c.lane, 80)), c.bytes);
    for (const c of v.shuffle) same(shuffle(52, fromHex(c.seed)).map(cardText).join(""), c.deck);
    for (const c of v.shuffle_m) same(shuffle(c.m, fromHex(c.seed)), c.order);
  });
  for (const c of v.hands)
    test(`hand: ${c.name}`, () => {
      const [, origin, t, hand, mix] = /^.*\norigin (.*)\ntable (.*)\nhand (.*)\nmix (.*)\n/.exec(c.entries[0] ?? c.entries.deck);
      const { cards, leaves } = deckOfKey(fromHex(c.hand_key), handContext({ origin, table: t, hand, mix }));
      same(cards.map(cardText).join(""), c.secret_deck);
      same(toHex(leaves[51]), c.leaf_51);
      same(toHex(root(leaves)), c.deck_root);
      same(toHex(leafHash(c.entries[0] ?? c.entries.deck)), c.deck_hash);
    });
  test("hand keys of a chain", () => {
    const k = v.kdf;
    const first = kdf(fromHex(k.day_key), "deckproof/v1 chain", `${k.origin}\n${k.table}\n${k.first_hand}\n`);
    same(toHex(first), k.chain_0);
  });
  return out;
}

/** The names of the checks that fail, with what differs. */
export const failures = (v) =>
  cases(v).flatMap(({ name, run }) => {
    try {
      run();
      return [];
    } catch (e) {
      return [`${name}: ${e.message}`];
    }
  });
