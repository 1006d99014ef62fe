// The small differential run. It needs the first implementation's executable in $DECKPROOF, or on the path.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { calls, flipped, report, run } from "./differential.mjs";

const program = process.env.DECKPROOF ?? "deckproof";
const missing = spawnSync(program, ["--version"]).status !== 0;

test("2,000 altered bundles", { skip: missing ? "no executable of the first implementation" : false }, () => {
  const r = run(program, calls(2000, 1));
  assert.equal(r.compared, 2000);
  assert.equal(r.differences.length, 0, report(r, 1));
});

test("one bit of every field of every accepted vector", { skip: missing ? "no executable of the first implementation" : false }, () => {
  const r = run(program, flipped(1));
  assert.ok(r.compared > 5000, `${r.compared} lines`);
  assert.equal(r.differences.length, 0, report(r, 1));
});
