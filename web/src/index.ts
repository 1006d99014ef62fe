export { type Answer, type Findings, type Given, type Hand, verify } from "./bundle.js";
export type { Claim, State, Witness } from "./claims.js";
export { type Entry, readEntries, readEntry, readSaved } from "./entry.js";
export { type Trust, plain, readTrust } from "./note.js";
export { Refusal, Unreadable } from "./refusal.js";
export { verifyAll } from "./together.js";
export { MAX_FRAGMENT, isLink, makeLink, readLink } from "./link.js";
export { toJson } from "./print.js";
