// A strict reader of JSON (section 11): no duplicate keys, no lone surrogates, limits of size, keys and depth.

import { fail } from "./refusal.js";

export type Json =
  | { t: "object"; v: Map<string, Json> }
  | { t: "array"; v: Json[] }
  | { t: "string"; v: string }
  | { t: "number"; v: string } // as written
  | { t: "word"; v: string };

const MAX_BYTES = 1 << 20;
const MAX_KEYS = 64;
const MAX_DEPTH = 32;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Record<string, string> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

export function readJson(bytes: Uint8Array): Json {
  if (bytes.length > MAX_BYTES) fail("E_FORMAT", "more than 1 MiB");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    fail("E_FORMAT", "not UTF-8");
  }
  let at = 0;

  const bad = (what: string): never => fail("E_FORMAT", `${what} at ${at}`);
  const space = (): void => {
    while (at < text.length && " \t\n\r".includes(text[at]!)) at++;
  };

  function string(): string {
    at++; // the quotation mark
    let out = "";
    for (;;) {
      PLAIN.lastIndex = at;
      const plain = PLAIN.exec(text)![0];
      out += plain;
      at += plain.length;
      const c = text[at];
      if (c === '"') break;
      if (c !== "\\") bad("broken string");
      const e = text[at + 1] ?? "";
      if (e === "u") {
        const hex = text.slice(at + 2, at + 6);
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) bad("broken escape");
        out += String.fromCharCode(parseInt(hex, 16));
        at += 6;
      } else {
        const plainEscape = Object.hasOwn(ESCAPES, e) ? ESCAPES[e]! : bad("unknown escape");
        out += plainEscape;
        at += 2;
      }
    }
    at++;
    if (!out.isWellFormed()) bad("lone surrogate");
    return out;
  }

  function value(depth: number): Json {
    const c = text[at];
    if (c === "{") {
      if (depth > MAX_DEPTH) bad("nested too deep");
      const v = new Map<string, Json>();
      at++;
      space();
      if (text[at] === "}") at++;
      else
        for (;;) {
          space();
          if (text[at] !== '"') bad("no key");
          const key = string();
          if (v.has(key)) bad("duplicate key");
          space();
          if (text[at] !== ":") bad("no colon");
          at++;
          space();
          v.set(key, value(depth + 1));
          if (v.size > MAX_KEYS) bad("too many keys");
          space();
          const end = text[at];
          at++;
          if (end === "}") break;
          if (end !== ",") bad("broken object");
        }
      return { t: "object", v };
    }
    if (c === "[") {
      if (depth > MAX_DEPTH) bad("nested too deep");
      const v: Json[] = [];
      at++;
      space();
      if (text[at] === "]") at++;
      else
        for (;;) {
          space();
          v.push(value(depth + 1));
          space();
          const end = text[at];
          at++;
          if (end === "]") break;
          if (end !== ",") bad("broken array");
        }
      return { t: "array", v };
    }
    if (c === '"') return { t: "string", v: string() };
    for (const word of ["true", "false", "null"])
      if (text.startsWith(word, at)) {
        at += word.length;
        return { t: "word", v: word };
      }
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text);
    if (number === null) return bad("no value");
    at += number[0].length;
    return { t: "number", v: number[0] };
  }

  space();
  const v = value(1);
  space();
  if (at !== text.length) bad("text after the value");
  return v;
}
