// The sentences of the page: same keys and placeholders in both languages, none missing, none too many.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { readWords } from "../build.mjs";

const [en, fr] = ["en", "fr"].map(readWords);
const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");

test("same keys, in the same order", () => assert.deepEqual(Object.keys(fr), Object.keys(en)));

test("same placeholders", () => {
  const places = (t) => [...t.matchAll(/\{\w*\}/g)].map((m) => m[0]).sort();
  for (const key of Object.keys(en)) assert.deepEqual(places(fr[key]), places(en[key]), key);
});

test("every code of section 15 that a bundle can get has a sentence, and none other", async () => {
  const text = read("../../PROTOCOL.md");
  const codes = [...text.matchAll(/^\| <a id="(E_\w+)"><\/a>`E_\w+` \| ([^|]+) \|/gm)].filter((m) => m[2].trim() !== "S").map((m) => m[1]).filter((c) => c !== "E_HISTORY");
  assert.ok(codes.length > 35, String(codes.length));
  const { groupOf } = await page();
  const used = new Set(codes.map((c) => `code.${groupOf(c)}`));
  assert.deepEqual([...used].sort(), Object.keys(en).filter((k) => k.startsWith("code.")).sort());
});

test("every key is used by the page", () => {
  const code = readdirSync(new URL("../page/", import.meta.url)).filter((f) => f.endsWith(".ts")).map((f) => read(`../page/${f}`)).join("\n") + read("../build.mjs");
  const families = /^(code|rank|suit|mix|v|h|n\.chosen|s\.chosen|s\.deck|s\.opening|s\.rules|s\.end|x)\./;
  for (const key of Object.keys(en)) if (!families.test(key) && !/^col\d$/.test(key)) assert.ok(code.includes(`"${key}"`) || code.includes(`words.en.${key}`), key);
});

test("plain words", () => {
  for (const [key, text] of Object.entries(en)) assert.doesNotMatch(text, /\b(told|said|asked|wished|whoever|stands|TODO)\b/i, key);
});

/** The sentences of the page, bundled for Node.js. */
async function page() {
  const { build } = await import("esbuild");
  const out = await build({ entryPoints: [new URL("../page/sentences.ts", import.meta.url).pathname], bundle: true, write: false, format: "esm", platform: "neutral", mainFields: ["module", "main"] });
  return import(`data:text/javascript;base64,${Buffer.from(out.outputFiles[0].text).toString("base64")}`);
}
