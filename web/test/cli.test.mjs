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
  for (const text of [`${sum} deck.txt`, `> Deck root: ${root}.\n> Good luck\n`, `${root}\r\n${root.toUpperCase()}\r\n`]) assert.deepEqual(run(sample, "--committed", file("note", text)), [0, "accepted"], text);
  for (const text of [`${sum}\n${root}\n`, `${sum}x`, `${sum} ${root.slice(0, 16)}`, deck_entry.replace("\ntable ", "\ntable  ")]) assert.deepEqual(run(sample, "--committed", file("other", text)), [2, undefined], text);
});

test("what another program passed on is read as it was", () => {
  const bundle = structuredClone(v.positive.find((c) => c.name === "full reveal: none, stud-hi").bundle);
  const proof = bundle.proofs.deck;
  bundle.proofs = { close: bundle.proofs.close };
  const whole = JSON.stringify(bundle);
  const trust = file("trust.json", JSON.stringify(v.trust));
  const quoted = (t) => `> ${t.replaceAll("\n", "\n> ")}\n`;
  const windows = (t) => `\ufeff${t.replaceAll("\n", "\r\n")}`;
  for (const deck of [quoted(bundle.deck_entry), windows(bundle.deck_entry), windows(quoted(bundle.deck_entry))]) assert.deepEqual(run(file("b", whole), "--committed", file("deck", deck)), [0, "accepted"], deck);
  for (const r of [quoted(proof), windows(proof), proof.trimEnd(), `\n${proof}\n\n`]) assert.deepEqual(run(file("b", whole), "--trust", trust, "--receipt", file("r", r)), [0, "accepted"], r);
  for (const b of [quoted(whole), windows(whole), `${whole}\n-- \nSent from a telephone\n`]) assert.deepEqual(run(file("b", b), "--committed", file("deck", bundle.deck_entry)), [0, "accepted"], b.slice(0, 40));
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
