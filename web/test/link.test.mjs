// Links that carry a bundle (docs/page.md).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { MAX_FRAGMENT, Unreadable, isLink, makeLink, readLink, verify } from "../dist/index.js";

const sample = readFileSync(new URL("../../fixtures/samples/seat-4.json", import.meta.url));
const of = (bytes) => `#d1.${deflateRawSync(bytes).toString("base64url")}`;
const unreadable = (text) => assert.rejects(readLink(text), Unreadable);

test("a link carries exactly the bytes", async () => {
  const link = await makeLink(sample);
  assert.ok(isLink(link) && link.length < 4096, String(link.length));
  assert.deepEqual(Buffer.from(await readLink(`https://example.org/verify.html${link}`)), sample);
  assert.deepEqual(Buffer.from(await readLink(of(sample))), sample);
  assert.equal(verify(await readLink(link)).verdict, "consistent");
  const all = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.deepEqual(await readLink(await makeLink(all)), all);
});

test("what is no link is not read", async () => {
  const link = await makeLink(sample);
  for (const t of ["", "#", "#d1.", "#d2.AwA", "d1", link.slice(0, -40), `${link}=`, link.replace("d1.", "d1."[0]), `${link}%20x`, "#d1.!!!!"]) await unreadable(t);
  await unreadable("#d1.AwB"); // unused bits of base64url are zero
  assert.deepEqual(await readLink("#d1.AwA"), new Uint8Array(0));
});

test("limits: 1 MiB of text, 131,072 characters of fragment", async () => {
  const zeros = (n) => new Uint8Array(n);
  assert.equal((await readLink(of(zeros(1 << 20)))).length, 1 << 20);
  await unreadable(of(zeros((1 << 20) + 1)));
  await unreadable(of(zeros(90 << 20))); // a bomb of 90 MiB in 120,000 characters
  await unreadable(`#d1.${"A".repeat(MAX_FRAGMENT)}`);
});

test("the command takes a link in place of a file", async () => {
  const run = (...args) => spawnSync(process.execPath, [new URL("../dist/cli.js", import.meta.url).pathname, ...args], { encoding: "utf8" });
  const link = `https://example.org/verify.html${await makeLink(sample)}`;
  assert.deepEqual([run(link).status, run(link).stdout.split("\n")[0]], [0, "link 1: consistent"]);
  assert.equal(run(link.slice(0, -50)).status, 2);
});
