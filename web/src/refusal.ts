// A check that failed: its code (section 15), and where.

export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly place: string,
    readonly subject?: string,
    /** Rests on what the player states or saved. */
    readonly person = false,
  ) {
    super(`${code}: ${place}`);
  }
}

/** The key of the sentence that says why there is no verdict. */
export type Why = "file" | "answer";

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

/** A check that fails against the word of the player. */
export function contradicts(code: string, place: string, subject?: string): never {
  throw new Refusal(code, place, subject, true);
}
