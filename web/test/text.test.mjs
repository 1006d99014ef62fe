// What the text says and no vector holds.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Refusal, Unreadable, readEntries, verify } from "../dist/index.js";
import { readJson } from "../dist/json.js";
import { fromBase64, utf8 } from "../dist/bytes.js";

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

test("what holds no key of a bundle is not judged", () => assert.throws(() => verify(utf8("{}")), Unreadable));

test("saved entries: another open entry is E_COMMITTED, the same shows the opening", () => {
  const b = named("selective, seat 1: players, community card");
  const saved = readEntries(`${b.deck_entry}\n${b.open_entry}`);
  const a = verify(utf8(JSON.stringify(b)), { saved });
  assert.equal(a.verdict, "accepted");
  const other = readEntries(b.open_entry.replace("stud-hi", "stud-8b"));
  const r = verify(utf8(JSON.stringify(b)), { saved: other });
  assert.deepEqual([r.code, r.claims[0].subject], ["E_COMMITTED", "opening-fixed"]);
});
