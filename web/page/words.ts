// Sentences of the page, from words/en.txt and words/fr.txt.

export type Fill = Record<string, string | number>;
export type Words = Record<string, string>;
export type Say = (key: string, fill?: Fill) => string;

/** Looks sentences up and fills in what is in braces. */
export const sayer =
  (words: Words): Say =>
  (key, fill = {}) =>
    (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(fill[name] ?? ""));

const digit = (code: number): number => ({ 120: 60, 121: 92 })[code] ?? code;

/** The bytes of the text that build.mjs makes of them. */
export function fromBase85(text: string): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  for (let i = 0; i < text.length; i += 5) {
    let n = 0;
    for (let k = i; k < i + 5; k++) n = n * 85 + (k < text.length ? digit(text.charCodeAt(k)) - 35 : 84);
    // An array of bytes takes each modulo 256.
    out.push(n / 16777216, n / 65536, n / 256, n);
  }
  return Uint8Array.from(out.slice(0, Math.floor((text.length * 4) / 5)));
}
