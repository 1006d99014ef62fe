// Builds verify.html, one file with everything in it, and verify.html.sha256. The same inputs give the same bytes.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { deflateSync } from "fflate";

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const read = (name) => readFileSync(at(name), "utf8");

/** The sentences of one language: key = text, one a line. */
export function readWords(language) {
  const words = {};
  for (const line of read(`words/${language}.txt`).split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, key, text] = /^([\w.]+) = (.+)$/.exec(line) ?? [];
    if (key === undefined || key in words) throw new Error(`words/${language}.txt: ${line}`);
    words[key] = text;
  }
  return words;
}

/** The page shows no message of a library and asks for no kind of error: of `throw new TypeError(…);` stays `throw Error();` (about 8 kB less). Nothing else is changed. */
const MESSAGE = /throw new (?:Error|TypeError|RangeError)\((?:[^;{}]|\$\{[^;{}]*\})*?\);/g;
export const silent = {
  name: "silent",
  setup: (b) => b.onLoad({ filter: /[\\/]@noble[\\/].*\.js$/ }, ({ path }) => ({ contents: readFileSync(path, "utf8").replace(MESSAGE, "throw Error();"), loader: "js" })),
};

/** Four bytes as five characters from # to w, with x for < and y for the backslash: 1 kB less than base64. What `fromBase85` of page/words.ts reads. */
function base85(bytes) {
  let out = "";
  for (let i = 0; i < bytes.length; i += 4) {
    let n = [0, 1, 2, 3].reduce((n, k) => n * 256 + (bytes[i + k] ?? 0), 0);
    const digits = [];
    for (let k = 0; k < 5; k++, n = Math.floor(n / 85)) digits.unshift(String.fromCharCode((n % 85) + 35));
    out += digits.slice(0, Math.min(4, bytes.length - i) + 1).join("");
  }
  return out.replaceAll("<", "x").replaceAll("\\", "y");
}

/** Names inside the libraries and the page, long and frequent, that nothing names as a text: they are shortened (3 kB less). */
export const MANGLED = new RegExp(`^(?:${[
  "mulByNonresidue assertValidity multiplyUnsafe mulUnsafe frobeniusMap calcPairingPrecomputes randomSecretKey fromBigTuple _cyclotomicSquare clearCofactor",
  "fromAffine isTorsionFree toMontgomerySecret toMontgomery allowInfinityPoint NONRESIDUE FP2_NONRESIDUE encodeDST adjustScalarBytes Fp12finalExponentiate",
  "postPrecompute ateLoopSize FROBENIUS_COEFFICIENTS_1 conjugate baseCanBeBlinded Fp4Square pairingBatch wnafPrecomputes shortSignatures millerLoopBatch",
  "publicKeyUncompressed isValidNot0 allowShortKeys xNegative twistType fromBytes toBytes toAffine negate",
  "quorumTime savedHashes mySeed handKey evidence reshuffleSeed untied oneHand receipts anti_grinding claims code commits committed dealt deal_order derivation",
  "facts findings given known logged log_view missing needed openings own_seed permutation place position randomness round saved seeds seen_cards street streets",
  "subject texts transcript trust verdict witness",
].join(" ").replaceAll(" ", "|")})$`);

export const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export async function page() {
  const words = { en: readWords("en"), fr: readWords("fr") };
  const lines = [words.en, words.en, words.fr].flatMap((of, i) => Object.keys(words.en).map((key) => (i === 0 ? key : of[key])));
  // Written by a library in JavaScript: the deflate of Node.js differs from one processor to the next.
  const packed = base85(deflateSync(new TextEncoder().encode(lines.join("\n")), { level: 9, mem: 12 }));
  const out = await build({
    entryPoints: [at("page/main.ts")], bundle: true, minify: true, write: false, format: "iife", target: "es2022", charset: "utf8",
    legalComments: "none", plugins: [silent], mangleProps: MANGLED, define: { WORDS: JSON.stringify(packed) }, absWorkingDir: at("."), logLevel: "warning",
  });
  const script = out.outputFiles[0].text.trimEnd();
  const css = await build({ entryPoints: [at("page/page.css")], minify: true, write: false, charset: "utf8", logLevel: "warning" });
  const style = css.outputFiles[0].text.trimEnd();
  if (/<\/(script|style)|<!--/i.test(script + style)) throw new Error("a text that would end its own element");
  const csp = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; worker-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'`;
  const noscript = `${words.en.noscript} <span lang="fr">${words.fr.noscript}</span>`;
  const notice = "deckproof, MIT OR Apache-2.0. In it noble-hashes, noble-curves and noble-ciphers, MIT License, (c) 2022 Paul Miller (paulmillr.com).";
  const fill = { csp, style, noscript, script, notice, title: words.en.title };
  return read("page/page.html").replace(/\{\{(\w+)\}\}/g, (_, name) => fill[name]);
}

export const sha256 = (text) => createHash("sha256").update(text).digest("hex");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const html = await page();
  writeFileSync(at("verify.html"), html);
  writeFileSync(at("verify.html.sha256"), `${sha256(html)}  verify.html\n`);
  console.log(`verify.html: ${Buffer.byteLength(html)} bytes, SHA-256 ${sha256(html)}`);
}
