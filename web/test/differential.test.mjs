// The small differential run. It needs the first implementation's executable in $DECKPROOF, or on the path.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { run } from "./differential.mjs";

const program = process.env.DECKPROOF ?? "deckproof";
const missing = spawnSync(program, ["--version"]).status !== 0;
const shown = (x, subject) => x.claims.some((c) => c.startsWith(`${subject} | shown`));

/** The differences that differential.md explains; every other one fails. */
function explained({ mine, other, args }) {
  if (other === null) return mine.code === "E_FORMAT"; // 1: what is not judged
  if (mine === null) return false;
  if (mine.verdict === "consistent" && other.verdict === "deck fixed") return !shown(other, "deck-fixed") && shown(other, "opening-fixed"); // 2
  if (mine.code === "E_LOG_ORDER") return args.includes("--receipt"); // 3
  if (args.includes("--receipt") && mine.verdict === other.verdict && mine.code === other.code) { // 4
    const rest = (x) => x.claims.filter((c) => !c.startsWith("one-log") && !c.startsWith("play")).join("\n");
    return rest(mine) === rest(other);
  }
  return mine.code === "E_FORMAT" && other.code === "E_LEAVES"; // 5
}

test("2,000 altered bundles", { skip: missing ? "no executable of the first implementation" : false }, () => {
  const r = run(program, 2000, 1);
  assert.equal(r.compared, 2000);
  assert.deepEqual(r.differences.filter((d) => !explained(d)).map((d) => ({ mine: d.mine, other: d.other, args: d.args, file: d.file })), []);
});
