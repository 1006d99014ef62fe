// Sentences of the page, from words/en.txt and words/fr.txt.

export type Fill = Record<string, string | number>;
export type Words = Record<string, string>;
export type Say = (key: string, fill?: Fill) => string;

/** Looks sentences up and fills in what is in braces. */
export const sayer =
  (words: Words): Say =>
  (key, fill = {}) =>
    (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(fill[name] ?? ""));
