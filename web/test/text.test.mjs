// What the text says and no vector holds.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ed25519 } from "@noble/curves/ed25519.js";
import { Refusal, Unreadable, readEntries, readEntry, readSaved, readTrust, verify, verifyAll } from "../dist/index.js";
import { claimsOf } from "../dist/claims.js";
import { deckOfKey, leafHash, root } from "../dist/tree.js";
import { handContext } from "../dist/shuffle.js";
import { readJson } from "../dist/json.js";
import { H, concat, fromBase64, fromHex, toHex, utf8 } from "../dist/bytes.js";

const v = JSON.parse(readFileSync(new URL("../../fixtures/protocol.json", import.meta.url), "utf8"));
const named = (name) => v.positive.find((c) => c.name === name).bundle;
const refuses = (text) => assert.throws(() => readJson(utf8(text)), (e) => e instanceof Refusal && e.code === "E_FORMAT");

test("JSON: limits", () => {
  const keys = (n) => `{${Array.from({ length: n }, (_, i) => `"${i}":0`).join(",")}}`;
  readJson(utf8(keys(64)));
  refuses(keys(65));
  readJson(utf8("[".repeat(32) + "]".repeat(32)));
  refuses("[".repeat(33) + "]".repeat(33));
  for (const t of ["", "{", "[1,]", "01", "+1", "NaN", "'a'", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\u0001\"", "1 2", "\ufeff1"]) refuses(t);
});

test("base64: unused bits and padding", () => {
  assert.equal(fromBase64("AA=="). length, 1);
  for (const t of ["AB==", "AA=", "AA", "A-==", "A===", "=AAA"]) assert.equal(fromBase64(t), null);
});

test("what is not judged", () => {
  const judged = (text) => verifyAll([utf8(text)])[0]?.code ?? null;
  for (const t of ["", "{}", "x", "[]", '{"format":', '{"format":"}', ' "hand_key"', '{"format":{}', '{"format":1}{"format":1}', '{"leaves":}\r\n\ufeff {', '{"seen":}', '{"proofs":{"format":1}}']) assert.equal(judged(t), null, t);
  for (const t of ['{"format":1}', '{"format":1}x', '{"format":1} \ufeff', '\ufeff{"format":1}', '> {"format":1}\n>\n> Sent from a telephone\n', '{"x":"deckproof/v1 reveal",}', '{"leaves":}']) assert.equal(judged(t), "E_FORMAT", t);
});

test("leaves: any shape but card and salt, or hash", () => {
  const b = structuredClone(v.positive.find((c) => c.bundle?.leaves).bundle);
  const code = (leaf) => verify(utf8(JSON.stringify({ ...b, leaves: [leaf, ...b.leaves.slice(1)] }))).code;
  for (const leaf of [null, 1, [], [{ x: 1 }], {}, { card: "7h" }, { hash: { x: 1 } }, { hash: null }]) assert.equal(code(leaf), "E_LEAVES", JSON.stringify(leaf));
  assert.equal(code({ x: 1 }), "E_FORMAT");
  assert.equal(code({ hash: "00" }), "E_HEX");
});

test("what the player gives: unreadable, or of another hand", () => {
  const b = named("selective, seat 1: players, community card");
  const bundle = utf8(JSON.stringify(b));
  const other = b.deck_entry.replace(/^hand .*$/m, "hand 77");
  assert.throws(() => verifyAll([bundle], { receipts: [{ name: "r", text: "" }] }), Unreadable);
  assert.deepEqual(verifyAll([bundle], { texts: [readSaved(other)] }), [null]);
  const mixed = readSaved(`${other}\n\n\nnonsense\n\n${b.deck_entry}\ndeckproof/v1 deck\nbroken\n`.replace("nonsense\n\n", ""));
  assert.equal(mixed.length, 2);
  assert.equal(verifyAll([bundle], { texts: [mixed], saved: mixed })[0].verdict, "deck fixed");
});

test("what fits none of several hands is named, and beside another hand convicts none", () => {
  const [a, b] = ["selective, seat 1: players, community card", "selective, seat 7: none, stud-hi"].map((n) => utf8(JSON.stringify(named(n))));
  const deck = (n) => named(n).deck_entry;
  const unused = (bundles, given) => {
    const notes = { why: [], unused: [] };
    const codes = verifyAll(bundles, given, notes).map((x) => x?.code ?? null);
    return [codes, notes.unused];
  };
  const digits = "0".repeat(64);
  const other = readSaved(deck("selective, seat 7: none, stud-hi").replace(/^hand .*$/m, "hand 77"));
  assert.deepEqual(unused([a], { savedHashes: [digits] }), [["E_COMMITTED"], []]);
  assert.deepEqual(unused([a, b], { savedHashes: [digits] }), [[null, null], [digits]]);
  assert.deepEqual(unused([a, utf8("{")], { savedHashes: [digits] }), [[null, null], [digits]]);
  assert.deepEqual(unused([a, b], { texts: [other], saved: other }), [[null, null], [`deck ${other[0].table} 77`]]);
  const own = readSaved(deck("selective, seat 7: none, stud-hi"));
  assert.deepEqual(unused([a, b], { texts: [own], saved: own, savedHashes: [toHex(leafHash(own[0].text))] }), [[null, null], []]);
  const trust = readTrust(utf8(JSON.stringify(v.trust)));
  const receipt = v.positive.find((x) => x.bundle?.proofs?.deck && !x.trust && x.bundle.deck_entry !== own[0].text && x.bundle.deck_entry !== deck("selective, seat 1: players, community card")).bundle.proofs.deck;
  assert.deepEqual(unused([a, b], { trust, receipts: [{ name: "r", text: receipt }] })[1], ["r"]);
});

test("64 digits: root, deck or open entry; others differ", () => {
  const b = named("selective, seat 1: players, community card");
  const answer = (h, oneHand = true) => verify(utf8(JSON.stringify(b)), { savedHashes: [h], oneHand });
  const fixed = (a) => a.claims.filter((c) => c.needed).map((c) => [c.state, c.witness?.is_entry]);
  assert.deepEqual(fixed(answer(toHex(leafHash(b.deck_entry)))), [["shown", false], ["not-looked-at", undefined]]);
  assert.deepEqual(fixed(answer(toHex(leafHash(b.open_entry)))), [["shown", false], ["shown", false]]);
  // As sha256sum prints them.
  const shell = (text) => createHash("sha256").update(text).digest("hex");
  assert.deepEqual(fixed(answer(shell(b.deck_entry))), [["shown", false], ["not-looked-at", undefined]]);
  assert.deepEqual(fixed(answer(shell(b.open_entry))), [["shown", false], ["shown", false]]);
  const bad = answer("0".repeat(64)).claims[0];
  assert.deepEqual([bad.subject, bad.code, bad.witness.kind, bad.needed], ["deck-fixed", "E_COMMITTED", "person", false]);
  assert.equal(answer("0".repeat(64), false).code, null);
  // 48 of the digits or more: copied wrongly, or made alike: no verdict.
  const root = b.deck_entry.match(/^deck ([0-9a-f]{64})$/m)[1];
  const mistyped = (digits) => root.slice(0, -digits) + [...root.slice(-digits)].map((d) => (d === "0" ? "1" : "0")).join("");
  const verdict = (h) => verifyAll([utf8(JSON.stringify(b))], { savedHashes: [h] })[0]?.code;
  assert.deepEqual([1, 16, 17].map((n) => verdict(mistyped(n))), [undefined, undefined, "E_COMMITTED"]);
  const inEntry = (n) => verifyAll([utf8(JSON.stringify(b))], { saved: readSaved(b.deck_entry.replace(root, mistyped(n))) })[0]?.code;
  assert.deepEqual([1, 16, 17].map(inEntry), [undefined, undefined, "E_COMMITTED"]);
});

test("a quorum shows what was before only in time, and one log only if two quorums share a witness", () => {
  const c = v.positive.find((c) => c.bundle?.close_entry && Object.keys(c.bundle.proofs ?? {}).length > 1);
  const trust = readTrust(utf8(JSON.stringify(v.trust)));
  const { facts } = verify(utf8(JSON.stringify(c.bundle)), { trust });
  const of = (subject, evidence, given = facts.given) => {
    const { state, by, witness } = claimsOf({ ...facts, given, evidence }).find((c) => c.subject === subject);
    return [state, by, witness.time];
  };
  const seen = (kind, index, size, quorumTime) => ({ kind, index, size, root: new Uint8Array(32), quorumTime, receipt: null });
  const pair = (time) => [seen("deck", 2n, 9n, time), seen("close", 9n, 12n, 80n)];
  assert.deepEqual([80n, 81n].map((time) => of("deck-fixed", pair(time))), [["shown", undefined, 80n], ["claimed", "log", 81n]]);
  const apart = { ...facts.given, trust: { ...trust, quorum: 1n } };
  assert.deepEqual(of("one-log", pair(60n)), ["shown", undefined, 80n]);
  assert.deepEqual(of("one-log", pair(60n), apart), ["claimed", "log", 80n]);
});

test("two bundles whose proofs rest on two trees of one size are both refused", () => {
  const trust = readTrust(utf8(JSON.stringify(v.trust)));
  const [one, two] = ["beacon: cosigned one second before the round", "open cosigned after the beacon round"].map((name) => utf8(JSON.stringify(named(name))));
  const codes = (...bundles) => verifyAll(bundles, { trust }).map((a) => a.code);
  assert.deepEqual([codes(one), codes(two), codes(one, one)], [[null], [null], [null, null]]);
  assert.deepEqual(codes(one, two), ["E_PROOF_ROOT", "E_PROOF_ROOT"]);
});

test("one entry at two places of the log refuses both bundles, and a receipt beside a proof", () => {
  const b = v.positive.find((c) => c.bundle?.close_entry && !c.bundle.history).bundle;
  const { origin } = readEntry(b.deck_entry, ["deck"], "deck");
  const secret = new Uint8Array(32).fill(7);
  const key = concat([1], ed25519.getPublicKey(secret));
  const id = H(`${origin}\n`, key).slice(0, 4);
  const b64 = (...bytes) => Buffer.from(concat(...bytes)).toString("base64");
  const trust = readTrust(utf8(JSON.stringify({ origin, log: [`${origin}+${toHex(id)}+${b64(key)}`], witness: [], quorum: 1 })));
  const leaf = leafHash(b.deck_entry);
  const proof = (index, size, root, path) => {
    const text = `${origin}\n${size}\n${b64(root)}\n`;
    return `c2sp.org/tlog-proof@v1\nindex ${index}\n${path.map((h) => `${b64(h)}\n`).join("")}\n${text}\n\u2014 ${origin} ${b64(id, ed25519.sign(utf8(text), secret))}\n`;
  };
  const other = H("another entry");
  // Alone in a tree of one, second in a tree of two: such a log was never only added to.
  const first = proof(0, 1, leaf, []);
  const second = proof(1, 2, H([1], other, leaf), [other]);
  const of = (deck) => utf8(JSON.stringify({ ...b, proofs: { deck } }));
  const codes = (bundles, given = {}) => verifyAll(bundles, { trust, ...given }).map((a) => a.code);
  assert.deepEqual([codes([of(first)]), codes([of(second)]), codes([of(first), of(first)])], [[null], [null], [null, null]]);
  assert.deepEqual(codes([of(first), of(second)]), ["E_PROOF_ROOT", "E_PROOF_ROOT"]);
  assert.deepEqual(codes([of(first)], { receipts: [{ name: "r", text: second }] }), ["E_PROOF_ROOT"]);
});

test("two entries at one place of a log are a fork, whatever the sizes of its trees", () => {
  const trust = { ...v.trust, quorum: BigInt(v.trust.quorum) };
  const proven = v.positive.filter((c) => c.bundle?.proofs?.deck && !c.trust).map((c) => ({ bundle: utf8(JSON.stringify(c.bundle)), deck: c.bundle.deck_entry, evidence: verify(utf8(JSON.stringify(c.bundle)), { trust }).facts.evidence }));
  const of = (key) => (a, b) => a.evidence.some((e) => b.evidence.some((o) => e[key] === o[key]));
  const pairs = proven.flatMap((a) => proven.filter((b) => a.deck !== b.deck && of("index")(a, b) && !of("size")(a, b)).map((b) => [a, b]));
  assert.ok(pairs.length > 0);
  for (const [a, b] of pairs) assert.deepEqual(verifyAll([a.bundle, b.bundle], { trust }).map((x) => x.code), ["E_PROOF_ROOT", "E_PROOF_ROOT"]);
});

test("what the player states by a slip, and a trust file of another log, are no verdict", () => {
  const b = named("selective, seat 1: players, community card");
  const bundle = utf8(JSON.stringify(b));
  const { seat, seed } = b.my_seed;
  const answer = (given) => verifyAll([bundle], given)[0];
  assert.equal(answer({ mySeed: { seat, seed } }).code, null);
  const flip = (d) => (d === "0" ? "1" : "0");
  const commit = b.open_entry.match(/^commit [1-8] ([0-9a-f]{64})$/m)[1];
  for (const slip of [flip(seed[0]) + seed.slice(1), seed[0] + seed.slice(0, -1), commit]) assert.equal(answer({ mySeed: { seat, seed: slip } }), null);
  assert.equal(answer({ mySeed: { seat, seed: "0".repeat(64) } }).code, "E_MY_SEED");
  const hashed = [b.cut_entry, b.close_entry].map((e) => toHex(leafHash(e)));
  for (const h of hashed) assert.equal(answer({ savedHashes: [h] }), null);
  // These a player can have taken for the root; whoever showed other digits could not write them there afterwards.
  for (const [h, line] of [[commit, "commit"], [b.close_entry.match(/^transcript (.*)$/m)[1], "transcript"], [seed, "seed"]]) {
    const notes = { why: [], unused: [] };
    assert.equal(verifyAll([bundle], { savedHashes: [h] }, notes)[0], null);
    assert.deepEqual([notes.why, notes.digits.split(" ")[0]], [["digits"], line]);
  }
  // This could be written there afterwards.
  assert.equal(answer({ savedHashes: [b.leaves.find((l) => l.hash).hash] }).code, "E_COMMITTED");
  // A seat without a seed in the cut.
  const seatless = [1, 2, 3, 4, 5, 6, 7, 8].find((s) => !b.open_entry.includes(`commit ${s} `));
  assert.equal(answer({ mySeed: { seat: seatless, seed: "0".repeat(64) } }).code, "E_MY_SEED");
  assert.equal(answer({ trust: { ...v.trust, quorum: 1n, origin: "other.example/log" } }), null);
  const none = named("full reveal: none, stud-hi");
  assert.equal(verifyAll([utf8(JSON.stringify(none))], { mySeed: { seat, seed } })[0], null);
});

test("one hand in two bundles: a cut that only one holds is E_DIFFERENT", () => {
  const b = v.positive.find((c) => c.bundle?.void_entry && c.bundle.cut_entry).bundle;
  const { cut_entry, proofs, ...rest } = b;
  const one = utf8(JSON.stringify({ ...rest, cut_entry }));
  const two = utf8(JSON.stringify(rest));
  assert.deepEqual(verifyAll([one, two]).map((a) => a.code), ["E_DIFFERENT", "E_DIFFERENT"]);
  assert.deepEqual(verifyAll([one, one]).map((a) => a.code), [null, null]);
});

test("saved entries: another open entry is E_COMMITTED, the same shows the opening", () => {
  const b = named("selective, seat 1: players, community card");
  const saved = readEntries(`${b.deck_entry}\n${b.open_entry}`);
  const a = verify(utf8(JSON.stringify(b)), { saved });
  assert.equal(a.verdict, "accepted");
  const other = readEntries(b.open_entry.replace("stud-hi", "stud-8b"));
  const r = verify(utf8(JSON.stringify(b)), { saved: other });
  assert.deepEqual([r.code, r.claims[0].subject], ["E_COMMITTED", "opening-fixed"]);
});

test("what the player states is tried before what the file states", () => {
  const b = named("selective, seat 1: players, community card");
  const [position] = Object.keys(b.seen);
  const wrong = { ...b, seen: { [position]: b.seen[position] === "As" ? "Ks" : "As" } };
  const kind = (bundle, given) => verify(utf8(JSON.stringify(bundle)), given).claims[0].witness.kind;
  assert.equal(kind(wrong, {}), "computation");
  assert.equal(kind(wrong, { seen: new Map([[Number(position), "1x"]]) }), "person");
  const seed = { seat: b.my_seed.seat, seed: "0".repeat(64) };
  assert.equal(kind({ ...b, my_seed: seed }, {}), "computation");
  assert.equal(kind({ ...b, my_seed: seed }, { mySeed: seed }), "person");
  // The own seed with another seat: the seat was mistyped.
  const seat = b.my_seed.seat === 1 ? 2 : 1;
  assert.deepEqual(verifyAll([utf8(JSON.stringify(b))], { mySeed: { ...b.my_seed, seat } }), [null]);
});

test("an opening is declared by who states a seed of its cut, and is no verdict without", () => {
  const b = structuredClone(named("cut whose shuffle rejects a word"));
  const { seat, seed } = b.my_seed;
  delete b.proofs;
  const opened = readEntries(b.open_entry);
  const answer = (given) => verifyAll([utf8(JSON.stringify(b))], { texts: [opened], opened, ...given })[0];
  assert.equal(answer({}), null);
  assert.equal(answer({ mySeed: { seat, seed } }).verdict, "accepted");
});

test("what the player saved is compared before the receipts", () => {
  const c = v.positive.find((x) => x.name === "selective, seat 1: players, community card");
  const trust = { ...v.trust, quorum: BigInt(v.trust.quorum) };
  const saved = readEntries(c.bundle.open_entry.replace("stud-hi", "stud-8b"));
  const receipts = [{ name: "r", text: v.positive.find((x) => x.bundle?.proofs?.deck && x.bundle.deck_entry !== c.bundle.deck_entry).bundle.proofs.deck }];
  const code = (given) => verify(utf8(JSON.stringify(c.bundle)), { trust, ...given }).code;
  // A receipt does not say of which hand it is: one of no entry of this hand is no verdict, alone or beside another.
  const own = { name: "own", text: v.positive.find((x) => x.bundle?.proofs?.deck && x.bundle.deck_entry === c.bundle.deck_entry).bundle.proofs.deck };
  const bundle = utf8(JSON.stringify(c.bundle));
  const answer = (given, bundles = [bundle]) => verifyAll(bundles, { trust, ...given });
  assert.deepEqual(answer({ receipts }), [null]);
  assert.deepEqual([answer({ receipts: [own] })[0].code, answer({ receipts: [own, ...receipts] })], [null, [null]]);
  assert.deepEqual(answer({ receipts }, [bundle, utf8("{")]).map((a) => a?.code), [null, undefined]);
  assert.equal(code({ receipts, saved }), "E_COMMITTED");
});

test("a saved text that a receipt proves is the word of the log", () => {
  const trust = { ...v.trust, quorum: BigInt(v.trust.quorum) };
  const closed = named("full reveal: players, stud-hi, community card");
  const voided = utf8(JSON.stringify(named("void form: players, no cut, for another reason")));
  const saved = readSaved(closed.close_entry);
  const witness = (...kinds) => verifyAll([voided], { trust, saved, texts: [saved], receipts: kinds.map((k) => ({ name: k, text: closed.proofs[k] })) })[0].claims[0];
  for (const kinds of [[], ["deck"]]) assert.deepEqual(witness(...kinds).witness, { kind: "person", party: "player" });
  const { code, subject, witness: log } = witness("deck", "close");
  assert.deepEqual([code, subject, log], ["E_COMMITTED", "end-fixed", { kind: "receipt", name: "close" }]);
});

test("rules are fixed by what shows the opening before the end, and never by the deck", () => {
  const { facts } = verify(utf8(JSON.stringify({ ...named("full reveal: none, stud-hi"), proofs: undefined })));
  const of = (given, ...evidence) => claimsOf({ ...facts, given, evidence }).find((c) => c.subject === "rules-fixed");
  const seen = (kind, index, size, quorumTime, receipt = null) => ({ kind, index, size, root: new Uint8Array(32), quorumTime, receipt });
  const trust = { ...v.trust, quorum: BigInt(v.trust.quorum) };
  const [deck, end] = [seen("deck", 0n, 1n, 10n), seen("close", 3n, 4n, 50n)];
  const rows = [
    [seen("open", 2n, 4n, 50n), ["claimed", { kind: "quorum", time: 50n }]],
    [seen("open", 1n, 2n, 20n), ["shown", { kind: "quorum", time: 20n }]],
    [seen("open", 1n, 2n, null, "r"), ["shown", { kind: "receipt", name: "r" }]],
  ];
  for (const [open, wanted] of rows) assert.deepEqual([of({ trust }, deck, open, end).state, of({ trust }, deck, open, end).witness], wanted);
  assert.deepEqual(of({ trust }, deck, end).why, "no-proof");
  assert.deepEqual(of({ saved: readSaved(facts.hand.open.text) }).witness, { kind: "saved", is_entry: true });
  assert.equal(of({ saved: readSaved(facts.hand.deck.text) }).why, "nothing-given");
  assert.ok(claimsOf(facts).every((c) => c.subject !== "rules-fixed" || !c.needed));
});

test("a card that the file opens nowhere gives no verdict, one that lies elsewhere refuses", () => {
  const b = { ...named("selective, seat 7: none, stud-hi"), seen: undefined, proofs: undefined };
  const answer = (position, card) => verifyAll([utf8(JSON.stringify(b))], { seen: new Map([[position, card]]) })[0];
  const all = [..."23456789TJQKA"].flatMap((r) => [..."cdhs"].map((s) => r + s));
  // Under mix none a leaf is a dealt position.
  const closed = b.leaves.findIndex((l) => l.hash);
  const open = b.leaves.findIndex((l) => l.card);
  const unknown = all.find((c) => !b.leaves.some((l) => l.card === c));
  assert.equal(answer(closed, unknown), null);
  assert.equal(answer(closed, b.leaves[open].card).code, "E_SEEN");
  assert.equal(answer(open, unknown).code, "E_SEEN");
  assert.equal(answer(open, b.leaves[open].card).code, null);
});

test("two hands of one key are named, and none is refused", () => {
  const b = { ...named("full reveal: none, stud-hi"), proofs: undefined };
  const hex = (text) => toHex(leafHash(text));
  const deck = readEntry(b.deck_entry, ["deck"], "deck");
  const hand = String(Number(deck.hand) + 1);
  const next = b.deck_entry.replace(/^hand .*$/m, `hand ${hand}`).replace(deck.deck, toHex(root(deckOfKey(fromHex(b.hand_key), handContext({ ...deck, hand })).leaves)));
  const open = b.open_entry.replace(/^deck .*$/m, `deck ${hex(next)}`);
  const other = { ...b, deck_entry: next, open_entry: open, close_entry: b.close_entry.replace(/^open .*$/m, `open ${hex(open)}`) };
  const keys = (...bundles) => verifyAll(bundles.map((x) => utf8(JSON.stringify(x)))).map((a) => [a.code, a.oneKey]);
  assert.deepEqual(keys(b, other), [[null, 1], [null, 0]]);
  // A file of one seat opens some salts.
  const seat = { ...named("selective, seat 7: none, stud-hi"), proofs: undefined };
  assert.deepEqual(keys(seat, other), [[null, 1], [null, 0]]);
  assert.deepEqual(keys(seat, b), [[null, undefined], [null, undefined]]);
  assert.deepEqual(keys(b, { ...named("full reveal: none, espacejeux, 7-7-7-7 reshuffle"), proofs: undefined }), [[null, undefined], [null, undefined]]);
});
