// verify.html and the package are what their sources make.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { page, sha256 } from "../build.mjs";

const at = (name) => new URL(`../${name}`, import.meta.url);
const html = readFileSync(at("verify.html"), "utf8");

test("verify.html is what npm run build makes, byte for byte", async () => assert.ok((await page()) === html, "run npm run build and commit verify.html"));

test("its hash is the one beside it, and it is small", () => {
  assert.equal(readFileSync(at("verify.html.sha256"), "utf8"), `${sha256(html)}  verify.html\n`);
  assert.ok(Buffer.byteLength(html) <= 153_000, String(Buffer.byteLength(html)));
});

test("nothing in it leads out, and the policy forbids it", () => {
  assert.match(html, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; worker-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'">/);
  for (const word of ["://", "fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "EventSource", "importScripts", "import(", "eval(", "innerHTML", "@import", "url("]) {
    const found = html.split(word).length - 1;
    assert.equal(found, 0, word);
  }
});

test("docs/page.md has sw.js as it is, and the page asks for nothing else", () => {
  const worker = readFileSync(at("sw.js"), "utf8");
  assert.ok(readFileSync(at("../docs/page.md"), "utf8").includes(`\`\`\`js\n${worker}\`\`\`\n`));
  assert.deepEqual(html.match(/register\([^)]*\)/g), ['register("sw.js",{scope:location.pathname})']);
});

test("npm pack is reproducible and carries no install script", () => {
  const folder = mkdtempSync(join(tmpdir(), "pack-"));
  const pack = (n) => {
    const out = spawnSync("npm", ["pack", "--json", "--pack-destination", join(folder)], { cwd: at(""), encoding: "utf8" });
    assert.equal(out.status, 0, out.stderr);
    const [{ filename, files }] = JSON.parse(out.stdout);
    const bytes = readFileSync(join(folder, filename));
    return { hash: sha256(bytes), files: files.map((f) => f.path), n };
  };
  const [a, b] = [pack(1), pack(2)];
  rmSync(folder, { recursive: true });
  assert.equal(a.hash, b.hash);
  assert.ok(a.files.includes("dist/index.js") && a.files.includes("dist/index.d.ts") && a.files.includes("dist/cli.js"));
  assert.ok(a.files.every((f) => /^(dist\/[\w-]+(\.d)?\.(js|ts)|README\.md|package\.json)$/.test(f)), a.files.join(" "));
  const { scripts, dependencies, sideEffects } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  for (const s of ["preinstall", "install", "postinstall", "prepare"]) assert.equal(scripts[s], undefined);
  assert.deepEqual(Object.keys(dependencies), ["@noble/ciphers", "@noble/curves", "@noble/hashes"]);
  assert.equal(sideEffects, false);
});

test("the packed package alone: its command runs, and its types hold for who imports it", () => {
  const folder = mkdtempSync(join(tmpdir(), "packed-"));
  try {
    const run = (command, ...args) => spawnSync(command, args, { cwd: folder, encoding: "utf8" });
    const [{ filename }] = JSON.parse(spawnSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: at(""), encoding: "utf8" }).stdout);
    const place = join(folder, "node_modules/deckproof-verify");
    mkdirSync(place, { recursive: true });
    assert.equal(run("tar", "xzf", filename, "-C", place, "--strip-components=1").status, 0);
    symlinkSync(at("node_modules/@noble").pathname, join(folder, "node_modules/@noble"));
    const { bin } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    assert.match(readFileSync(join(place, bin["deckproof-verify"]), "utf8"), /^#!\/usr\/bin\/env node\n/); // what npx starts
    const said = run(process.execPath, join(place, bin["deckproof-verify"]), at("../fixtures/samples/seat-4.json").pathname);
    assert.deepEqual([said.status, said.stdout.split("\n")[0].split(": ")[1]], [0, "consistent"], said.stderr);
    writeFileSync(join(folder, "use.mts"), [
      'import { verify, verifyAll, makeLink } from "deckproof-verify";',
      "const verdict: string = verify(new Uint8Array(), {}).verdict;",
      "const link: Promise<string> = makeLink(new Uint8Array());",
      "// @ts-expect-error a text is no bundle",
      'verifyAll("text", {});',
      "console.log(verdict, link);",
    ].join("\n"));
    const checked = run(at("node_modules/.bin/tsc").pathname, "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom", "use.mts");
    assert.equal(checked.status, 0, checked.stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("who takes one function takes no other along", async () => {
  const size = async (what) =>
    (await build({ stdin: { contents: `export { ${what} } from "./dist/index.js"`, resolveDir: at("").pathname }, bundle: true, minify: true, write: false, format: "esm", platform: "browser" })).outputFiles[0].text.length;
  assert.ok((await size("readEntry")) < 6_000);
  assert.ok((await size("makeLink")) < 6_000);
  assert.ok((await size("verify")) > 50_000);
});
