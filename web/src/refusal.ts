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
  ) {
    super(`${code}: ${place}`);
  }
}

/** Input that is not judged: no verdict on a hand (exit status 2). */
export class Unreadable extends Error {}

export function fail(code: string, place: string, subject?: string): never {
  throw new Refusal(code, place, subject);
}

/** A check that fails against the word of the player, or that of the log where a receipt has it. */
export function contradicts(code: string, place: string, subject?: string, receipt?: string): never {
  throw new Refusal(code, place, subject, receipt === undefined, receipt);
}
