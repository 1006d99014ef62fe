// Builds audit.html, the audit of an export in one page: node audit.mjs PROGRAM.wasm AUDIT.html. The same inputs give the same bytes.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { gzipSync } from "fflate";
import { hash, readWords } from "./build.mjs";

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const [wasm, out] = process.argv.slice(2);
if (out === undefined) throw new Error("wanted: node audit.mjs PROGRAM.wasm AUDIT.html");

const bundle = async (entry, define) => {
  const built = await build({ entryPoints: [at(entry)], bundle: true, minify: true, write: false, format: "iife", target: "es2022", charset: "utf8", legalComments: "none", define, absWorkingDir: at("."), logLevel: "warning" });
  return built.outputFiles[0].text.trimEnd();
};
const program = readFileSync(wasm);
const worker = await bundle("audit/worker.ts", {});
const words = { en: readWords("audit.en"), fr: readWords("audit.fr") };
const script = await bundle("audit/main.ts", {
  WORDS: JSON.stringify(words),
  WORKER: JSON.stringify(worker),
  PROGRAM: JSON.stringify({
    base64: Buffer.from(gzipSync(program, { level: 9, mem: 12, mtime: 0 })).toString("base64"),
    sha256: createHash("sha256").update(program).digest("hex"),
  }),
});
const css = await build({ entryPoints: [at("audit/audit.css")], bundle: true, minify: true, write: false, charset: "utf8", logLevel: "warning" });
const style = css.outputFiles[0].text.trimEnd();
if (/<\/(script|style)|<!--/i.test(script + style)) throw new Error("a text that would end its own element");
// The worker is made of a text of this page; what it loads is nothing.
const csp = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; worker-src blob:; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types worker`;
const noscript = `${words.en.noscript} <span lang="fr">${words.fr.noscript}</span>`;
const notice = "deckproof, MIT OR Apache-2.0. In it browser_wasi_shim, MIT OR Apache-2.0, (c) the Rust project developers, and what THIRD-PARTY.txt of the program names.";
const title = words.en.title;
const fill = { csp, style, noscript, script, notice, title };
writeFileSync(out, readFileSync(at("page/page.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => fill[name]));
const html = readFileSync(out);
console.log(`${out}: ${html.length} bytes, SHA-256 ${createHash("sha256").update(html).digest("hex")}`);
