// What the page makes of remembered texts, and the head of its answer: never more than the claims.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";
import { readWords } from "../build.mjs";
import { bytesOf } from "./vectors.mjs";

const vectors = JSON.parse(readFileSync(new URL("../../fixtures/protocol.json", import.meta.url), "utf8"));
const out = await build({
  stdin: { contents: 'export * from "./page/judge.ts"; export * from "./page/sentences.ts"; export * from "./page/words.ts";', resolveDir: new URL("..", import.meta.url).pathname, loader: "ts" },
  bundle: true, write: false, format: "esm", platform: "neutral", mainFields: ["module", "main"],
});
const { judge, summary, sayer, local } = await import(`data:text/javascript;base64,${Buffer.from(out.outputFiles[0].text).toString("base64")}`);
const say = sayer(readWords("en"));
const none = { seen: new Map(), seed: null };
const bundle = (c) => ({ name: c.name, bytes: bytesOf(c) });
const root = (c) => /^deck ([0-9a-f]{64})$/m.exec(c.bundle.deck_entry)[1];
const named = (name) => vectors.positive.find((c) => c.name === name);

test("two hands: each has the time at which its own root was remembered", () => {
  const [a, b] = ["selective, seat 7: none, stud-hi", "selective, seat 5: espacejeux 7-7-7-7 reshuffle, mix none"].map(named);
  const times = [Date.UTC(2026, 0, 1), Date.UTC(2026, 5, 1)];
  const items = [a, b].map((c, i) => ({ what: "root", text: root(c), at: times[i] }));
  const j = judge([a, b].map(bundle), items, none);
  j.answers.forEach((x, i) => assert.equal(summary(x, j, say).head, `This deck was fixed before the hand, if your first card came after ${local(times[i])}, when this page remembered it.`));
});

test("what rests on an opening before the seeds names the moment in which the player gave his", () => {
  // Section 12: who knows the seeds can try openings, so one that was logged after they were given shows nothing, though its cut came later still.
  const c = named("selective, seat 1: players, community card");
  const [, seat, seed] = /^seed (\d) (\w+)$/m.exec(c.bundle.cut_entry);
  const told = (deck, opening, own) => {
    const j = judge([bundle(c)], [], own ? { seen: new Map(), seed: { seat: Number(seat), seed } } : none);
    const shown = { "deck-fixed": deck, "opening-fixed": opening, "order-not-chosen": { kind: "person" } };
    for (const x of j.answers[0].claims) if (x.subject in shown) Object.assign(x, { state: "shown", witness: shown[x.subject] });
    return summary({ ...j.answers[0], verdict: "accepted" }, j, say);
  };
  const quorum = (time) => ({ kind: "quorum", time });
  const [receipt, first, second] = [{ kind: "receipt", name: "1" }, quorum(1796000000n), quorum(1796000003n)];
  const rows = [
    [receipt, receipt, "you had the receipt of its opening before you gave your seed"],
    [first, receipt, "your first card came after 2026-11-30 00:53:20 UTC, when witnesses had seen it in the log, and you had the receipt of its opening before you gave your seed"],
    [first, second, "your first card came after 2026-11-30 00:53:20 UTC, when witnesses had seen it in the log, and you gave your seed after 2026-11-30 00:53:23 UTC, when witnesses had seen its opening"],
  ];
  for (const [deck, opening, x] of rows) {
    assert.equal(told(deck, opening, true).head, `This deck was fixed before the hand, if ${x}.`);
    assert.match(told(deck, opening, false).head, / one of the seeds that cut it is yours, and you (had the receipt of its opening before|gave your seed after) /);
  }
  const { shown, missing } = told(first, second, true);
  assert.ok(shown.includes("Witnesses had seen its opening by 2026-11-30 00:53:23 UTC, before its cut was logged."), shown.join("\n"));
  assert.ok(shown.includes("Your seed cut the deck: nobody chose the order in play, if its opening was fixed before you gave it and the log holds no other opening of this hand."), shown.join("\n"));
  // An order that nobody chose may be the first that pleased: section 0.
  const line = "Whether earlier hands were voided until an order pleased: the operator, and those he tells, can know the order before its cut is logged. A scan of the log counts void hands.";
  assert.ok(missing.includes(line), missing.join("\n"));
});

test("down cards that stay closed of the player's own seat, or beside others, are named, and no statement covers them", () => {
  const c = named("selective, seat 7: none, stud-hi");
  const trust = { what: "trust", text: JSON.stringify(c.trust ?? vectors.trust), at: 1 };
  const judged = (leaves, seen) => {
    const j = judge([{ name: "b", bytes: new TextEncoder().encode(JSON.stringify({ ...c.bundle, leaves, seen: undefined })) }], [trust, { what: "root", text: root(c), at: null }], { seen: new Map(seen), seed: null });
    return summary(j.answers[0], j, say);
  };
  // Under mix none a leaf is a dealt position.
  const of = (seat, face) => [...c.bundle.transcript.matchAll(/^(\d+) (\d) \d (\w)$/gm)].filter((m) => m[2] === String(seat) && face.includes(m[3])).map((m) => Number(m[1]));
  const seen = (positions) => positions.map((p) => [p, c.bundle.leaves[p].card]);
  const [first, ...rest] = of(7, "d");
  const whole = judged(c.bundle.leaves, seen([first]));
  assert.deepEqual([whole.tone, whole.shown.includes("The cards you state are the committed ones.")], ["good", true]);
  assert.doesNotMatch(whole.missing.join("\n"), /down cards/);
  // Section 5.
  const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts.map((p) => Buffer.from(p)))).digest();
  const names = ["origin", "table", "hand", "mix"].map((name) => new RegExp(`^${name} (.+)$`, "m").exec(c.bundle.deck_entry)[1]);
  const context = sha(`deckproof/v1 hand-id\n${names.join("\n")}\n`);
  const leaf = ({ card, salt }, p) => sha([0], "deckproof/v1 card", context, [p, 4 * "23456789TJQKA".indexOf(card[0]) + "cdhs".indexOf(card[1])], Buffer.from(salt, "hex")).toString("hex");
  const closing = (positions) => c.bundle.leaves.map((l, p) => (positions.includes(p) ? { hash: leaf(l, p) } : l));
  const part = judged(closing([first]), seen([...rest, ...of(7, "u")]));
  assert.equal(part.tone, "half");
  assert.match(part.head, / Down cards of seat 7 that are not opened in this file: 1\.$/);
  assert.ok(part.missing.includes("Which cards were committed in place of the down cards of seat 7 that are not opened (1). Ask the operator for a file that opens them."));
  assert.ok(part.shown.some((l) => l.startsWith("The cards you state are the committed ones. Others of your seat are not opened")));
  // A seat of whose down cards others are open is named also where nobody says that it is his.
  assert.match(judged(closing([first]), []).head, / Down cards of seat 7 that are not opened in this file: 1\.$/);
  // Other seats were shown down; nobody says that seat 7 is his.
  assert.deepEqual(judged(closing(of(7, "d")), []).tone, "good");
  const nobody = judged(closing([1, 2, 4, 5, 7, 8].flatMap((seat) => of(seat, "d")).filter((p) => c.bundle.leaves[p].card)), []);
  assert.deepEqual([nobody.tone, nobody.missing[0]], ["half", "Which down cards were committed for you: this file opens those of no seat. Ask the operator for the file of your seat."]);
  const own = judged(closing(of(7, "d")), seen(of(7, "u")));
  assert.match(own.head, new RegExp(` Down cards of seat 7 that are not opened in this file: ${of(7, "d").length}\\.$`));
});

test("a remembered receipt of no entry of the hand is named, and is no verdict where it was shown for this hand", () => {
  const c = named("full reveal: none, stud-hi");
  const { proofs } = vectors.positive.find((x) => x.bundle?.proofs?.deck && !x.trust && x.bundle.deck_entry !== c.bundle.deck_entry).bundle;
  const index = /^index (\d+)$/m.exec(proofs.deck)[1];
  const trust = { what: "trust", text: JSON.stringify(vectors.trust), at: 1 };
  const judged = (at, text = proofs.deck) => {
    const receipt = { what: "receipt", text, at };
    const j = judge([bundle(c)], [trust, receipt], none);
    return { j, s: summary(j.answers[0], j, say), receipt };
  };
  const kept = judged(1);
  assert.deepEqual(kept.j.others, [kept.receipt]);
  assert.notEqual(kept.j.answers[0], null);
  const stated = judged(null);
  assert.equal(stated.j.answers[0], null);
  assert.equal(stated.s.head, `Your receipt proves no entry of this hand: it is of another hand, was changed, or another entry of this hand was logged. Entry ${index} of the log, from 0, says which. Keep the receipt: it counts before an arbiter.`);
  for (const at of [1, null]) assert.deepEqual(judged(at, c.bundle.proofs.deck).j.others, []);
});

test("a refusal by what nobody signed says so", () => {
  const refused = (code) => {
    const c = vectors.negative.find((x) => x.expect === code && !/another version|wrong format tag/.test(x.name) && !x.base && (x.bundle || x.bundle_text || x.bundle_base64));
    const j = judge([bundle(c)], [{ what: "trust", text: JSON.stringify(c.trust ?? vectors.trust), at: 1 }], none);
    assert.equal(j.answers[0].code, code);
    return summary(j.answers[0], j, say).missing.some((l) => l.includes("nobody signs such a file"));
  };
  for (const code of ["E_SEED_MISSING", "E_SEED_COMMIT", "E_DEAL_SKIP", "E_DEAL_ORDER", "E_TRANSCRIPT_HASH", "E_DEALT", "E_DECK_ROOT", "E_PROOF_ROOT"]) assert.ok(refused(code), code);
  // Damaged files, and what the player or the trust file may have mixed up, have words of their own.
  for (const code of ["E_FORMAT", "E_PROOF"]) assert.ok(!refused(code), code);
});

test("that a hand was closed without a card is the operator's word", () => {
  const c = named("hand that was closed before a card was dealt");
  const j = judge([bundle(c)], [{ what: "root", text: root(c), at: null }], none);
  const s = summary(j.answers[0], j, say);
  assert.match(s.head, /before your first card\. The operator closed the hand without a card\.$/);
  assert.ok(s.missing.includes("That no card was dealt: that is the operator’s word."));
  assert.ok(!s.shown.some((l) => l.startsWith("Cards left the deck")));
});

test("a time of this device names its zone", () => {
  const zone = process.env.TZ;
  for (const [own, text] of [["America/St_Johns", "2025-12-31 20:30:00 UTC\u221203:30"], ["Asia/Kolkata", "2026-01-01 05:30:00 UTC+05:30"], ["UTC", "2026-01-01 00:00:00 UTC+00:00"]]) {
    process.env.TZ = own;
    assert.equal(local(Date.UTC(2026, 0, 1)), text);
  }
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("every accepted vector: the head, the red line and the colour follow the claims", () => {
  let hiding = 0;
  for (const c of vectors.positive)
    for (const items of [[], [{ what: "trust", text: JSON.stringify(c.trust ?? vectors.trust), at: 1 }], c.bundle ? [{ what: "root", text: root(c), at: null }] : []]) {
      const j = judge([bundle(c)], items, none);
      const [a] = j.answers;
      const s = summary(a, j, say);
      const shown = (subject) => a.claims.some((x) => x.subject === subject && x.state === "shown");
      assert.equal(s.untied, !shown("deck-fixed"), c.name);
      const transcript = c.bundle?.transcript ?? a.facts.form.transcript;
      const closed = [...transcript.matchAll(/^(\d+) \d \d [uc]$/gm)].filter(([, at]) => !(at in a.opened)).length;
      hiding += closed > 0;
      assert.equal(/face up and are not opened in this file: (\d+)\./.exec(s.head)?.[1] ?? "0", String(closed), c.name);
      // By seat: how many down cards it was dealt, and how many of them stay closed.
      const down = new Map();
      for (const [, at, seat] of transcript.matchAll(/^(\d+) (\d) \d d$/gm)) {
        const [all, n] = down.get(seat) ?? [0, 0];
        down.set(seat, [all + 1, n + !(at in a.opened)]);
      }
      const isDownHidden = down.size > 0 && ([...down.values()].every(([, n]) => n > 0) || [...down.values()].some(([all, n]) => n > 0 && n < all));
      const isCompared = closed === 0 && !isDownHidden;
      assert.equal(s.missing.some((l) => /down cards/.test(l)), isDownHidden, c.name);
      assert.equal(s.tone, { accepted: isCompared ? "good" : "half", "deck fixed": "half", consistent: "open" }[a.verdict], c.name);
      assert.equal(/fixed before the hand, if /.test(s.head), shown("deck-fixed"), c.name);
      const lines = [s.verdict, s.head, ...s.shown, ...s.missing, ...s.ask, ...s.next];
      for (const l of lines) assert.doesNotMatch(l, /^[a-z]+\.[a-z.]+$|\{|undefined|null/, `${c.name}: ${l}`);
      assert.ok(s.shown.length > 0 && s.missing.length > 0, c.name);
    }
  assert.ok(hiding > 0, "no vector hides a card that lay face up");
});
