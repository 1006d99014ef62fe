// Files and digits as players have them, given to the command.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const at = (name) => new URL(name, import.meta.url).pathname;
const v = JSON.parse(readFileSync(at("../../fixtures/protocol.json"), "utf8"));
const sample = at("../../fixtures/samples/seat-4.json");
const { deck_entry } = JSON.parse(readFileSync(sample, "utf8"));
const root = deck_entry.match(/^deck (.{64})$/m)[1];
const folder = mkdtempSync(join(tmpdir(), "cli-"));
after(() => rmSync(folder, { recursive: true }));
const file = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const run = (...args) => {
  const { status, stdout } = spawnSync(process.execPath, [at("../dist/cli.js"), ...args], { encoding: "utf8" });
  return [status, stdout.split("\n")[0].split(": ")[1]];
};

test("what was saved is taken as it is copied and printed", () => {
  const sum = createHash("sha256").update(deck_entry).digest("hex");
  const saved = [file("no-line-feed", deck_entry.trimEnd()), root.toUpperCase(), ` ${root} `, `deck ${root}`, `0x${root}`, root.match(/../g).join(":"), file("lines", `\ufeff${root.match(/.{16}/g).join("\r\n")}\r\n`), file("sum", `${sum}  deck.txt\n`), file("binary", `${sum} *deck.txt\n`)];
  for (const one of saved) assert.deepEqual(run(sample, "--committed", one), [0, "accepted"], one);
  for (const text of [`${sum}\n${root}\n`, `${sum}x`, `${sum} deck.txt`]) assert.deepEqual(run(sample, "--committed", file("other", text)), [2, undefined], text);
});

test("--opened without an open entry is no answer", () => {
  assert.deepEqual(run(sample, "--opened", file("deck", deck_entry)), [2, undefined]);
});

test("a receipt and a trust file of Windows count as they were", () => {
  const bundle = structuredClone(v.positive.find((c) => c.name === "full reveal: none, stud-hi").bundle);
  const windows = (text) => `\ufeff${text.replaceAll("\n", "\r\n")}`;
  const [proof, trust] = [bundle.proofs.deck, JSON.stringify(v.trust, null, 1)];
  bundle.proofs = { close: bundle.proofs.close };
  const judge = (receipt, trusted) => run(file("bundle.json", JSON.stringify(bundle)), "--trust", file("trust.json", trusted), "--receipt", file("receipt", receipt));
  for (const [r, t] of [[proof, trust], [windows(proof), trust], [proof, windows(trust)]]) assert.deepEqual(judge(r, t), [0, "accepted"]);
  assert.deepEqual(judge(proof.replace("\n\n", "\n\n\r"), trust), [2, undefined]);
  assert.deepEqual(judge(proof, trust.replace(/"quorum": \d+/, '"quorum": -1')), [2, undefined]);
});
