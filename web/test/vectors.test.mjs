// Every vector of fixtures/protocol.json that a verifier of bundles can be asked.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { verify } from "../dist/index.js";
import { fromHex, toHex } from "../dist/bytes.js";
import { handContext, kdf, cardText, keystream, shuffle } from "../dist/shuffle.js";
import { deckOfKey, leafHash, root } from "../dist/tree.js";
import { checkDeal, distinct, readTranscript, reshuffleSeed } from "../dist/transcript.js";
import { Refusal } from "../dist/refusal.js";

const v = JSON.parse(readFileSync(new URL("../../fixtures/protocol.json", import.meta.url), "utf8"));
const bytes = (c) =>
  c.bundle_base64 !== undefined ? Buffer.from(c.bundle_base64, "base64") : new TextEncoder().encode(c.bundle_text ?? JSON.stringify(c.bundle));
const trustOf = (c) => {
  const t = c.trust ?? v.trust;
  return { ...t, quorum: BigInt(t.quorum) };
};

test("revision", () => assert.equal(v.verification, 2));

for (const c of v.positive)
  test(`positive: ${c.name}`, () => {
    const a = verify(bytes(c), { trust: trustOf(c) });
    assert.equal(a.code, null);
    assert.deepEqual(a.findings, c.expect.findings);
    assert.deepEqual(a.opened, c.expect.opened);
    if (c.expect.seen) assert.deepEqual(a.seen, c.expect.seen);
  });
for (const c of [...v.negative, ...v.negative_l4])
  test(`negative: ${c.name}`, () => assert.equal(verify(bytes(c), { trust: trustOf(c) }).code, c.expect));
for (const c of v.refused)
  test(`refused: ${c.name}`, () => assert.ok(c.one_of.includes(verify(bytes(c), { trust: trustOf(c) }).code)));

const table = (c) => ({ rules: c.rules, seats: c.seats, reshuffleSeed: reshuffleSeed(fromHex(c.deck_hash), fromHex(c.open_hash), fromHex(c.cut_seed)) });
for (const c of v.transcripts.legal)
  test(`legal: ${c.name}`, () => {
    const lines = readTranscript(c.transcript);
    checkDeal(lines, table(c));
    assert.equal(distinct(lines), c.dealt);
    if (c.reshuffle) {
      assert.equal(toHex(table(c).reshuffleSeed), c.reshuffle.seed);
      assert.deepEqual(shuffle(c.reshuffle.pool.length, fromHex(c.reshuffle.seed)), c.reshuffle.order);
    }
  });
for (const c of v.transcripts.illegal)
  test(`illegal: ${c.name}`, () =>
    assert.throws(() => checkDeal(readTranscript(c.transcript), table(c)), (e) => e instanceof Refusal && c.expect.includes(e.code)));

test("keystream, shuffle, keys", () => {
  for (const c of v.tape) assert.equal(toHex(keystream(fromHex(c.key), c.lane, 80)), c.bytes);
  for (const c of v.shuffle) assert.equal(shuffle(52, fromHex(c.seed)).map(cardText).join(""), c.deck);
  for (const c of v.shuffle_m) assert.deepEqual(shuffle(c.m, fromHex(c.seed)), c.order);
});
for (const c of v.hands)
  test(`hand: ${c.name}`, () => {
    const [, origin, t, hand, mix] = /^.*\norigin (.*)\ntable (.*)\nhand (.*)\nmix (.*)\n/.exec(c.entries[0] ?? c.entries.deck);
    const { cards, leaves } = deckOfKey(fromHex(c.hand_key), handContext({ origin, table: t, hand, mix }));
    assert.equal(cards.map(cardText).join(""), c.secret_deck);
    assert.equal(toHex(leaves[51]), c.leaf_51);
    assert.equal(toHex(root(leaves)), c.deck_root);
    assert.equal(toHex(leafHash(c.entries[0] ?? c.entries.deck)), c.deck_hash);
  });
test("hand keys of a chain", () => {
  const k = v.kdf;
  const first = kdf(fromHex(k.day_key), "deckproof/v1 chain", `${k.origin}\n${k.table}\n${k.first_hand}\n`);
  assert.equal(toHex(first), k.chain_0);
});
