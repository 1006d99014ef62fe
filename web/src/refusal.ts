// A check that failed: its code (section 15), and where.

export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly place: string,
    readonly subject?: string,
    /** Rests on what the player states or saved. */
    readonly person = false,
    /** Rests on the log, by this receipt of what the player saved. */
    readonly receipt?: string,
    /** Why it is no verdict on the hand. */
    readonly why?: Why,
  ) {
    super(`${code}: ${place}`);
  }
}

/** The key of the sentence that says why there is no verdict. */
export type Why = "file" | "answer" | "version" | "receipt" | "future" | "digits";

/** Input that is not judged: no verdict on a hand (exit status 2). */
export class Unreadable extends Error {
  constructor(
    message: string,
    readonly why: Why = "file",
  ) {
    super(message);
  }
}

export function fail(code: string, place: string, subject?: string): never {
  throw new Refusal(code, place, subject);
}

/** A line that is not the tag of its format; the pattern is that of other versions of it, of which nothing is known here. */
export function failTag(code: string, place: string, line: string, others: RegExp): never {
  throw new Refusal(code, place, undefined, false, undefined, others.test(line) ? "version" : undefined);
}

/** A check that fails against the word of the player, or that of the log where a receipt has it. */
export function contradicts(code: string, place: string, subject?: string, receipt?: string): never {
  throw new Refusal(code, place, subject, receipt === undefined, receipt);
}
