// The transcript of the deal and its rules (section 8).

import { type Bytes, H, decimal } from "./bytes.js";
import { fail, failTag } from "./refusal.js";
import { shuffle } from "./shuffle.js";

export interface Line { position: number; seat: number; street: number; face: "d" | "u" | "c" | "b" }
export interface Table { rules: "stud-hi" | "stud-8b" | "espacejeux"; seats: number[]; reshuffleSeed: Bytes }

export const reshuffleSeed = (deckLeaf: Bytes, openLeaf: Bytes, cut: Bytes): Bytes => H("deckproof/v1 reshuffle", deckLeaf, openLeaf, cut);

export function readTranscript(text: string): Line[] {
  const bad = (at: number): never => fail("E_TRANSCRIPT", `transcript line ${at + 1}`);
  if (!text.endsWith("\n")) bad(0);
  const lines = text.slice(0, -1).split("\n");
  const tag = lines.shift()!;
  if (tag !== "deckproof/v1 transcript") failTag("E_TRANSCRIPT", "transcript line 1", tag, /^deckproof\/v(?:[2-9]|[1-9]\d+) transcript$/);
  return lines.map((line, i) => {
    const [, position, seat, street, face] = /^([0-9]{1,2}) ([0-8]) ([3-7]) ([ducb])$/.exec(line) ?? bad(i + 1);
    if (decimal(position!, 52n) === null) bad(i + 1);
    if ((face === "d" || face === "u") !== (seat !== "0")) bad(i + 1);
    return { position: Number(position), seat: Number(seat), street: Number(street), face: face as Line["face"] };
  });
}

export const distinct = (lines: Line[]): number => new Set(lines.map((l) => l.position)).size;

/** The seats of a street, as far as the lines name them. */
const seatsOf = (lines: Line[], street: number): number =>
  new Set(lines.filter((l) => l.street === street && l.seat !== 0).map((l) => l.seat)).size;

/** How seventh street is dealt: at once, or from a pool of burned and undealt positions. */
function seventh(lines: Line[], table: Table): { start: number; live: number; stub: number; pool: number[] | null } {
  const first = lines.findIndex((l) => l.street === 7);
  const start = first < 0 ? lines.length : first;
  const on7 = lines.filter((l) => l.street === 7);
  const live = on7.some((l) => l.face === "c") ? seatsOf(lines, 6) : on7.filter((l) => l.face !== "b").length;
  const stub = 52 - start;
  if (table.rules !== "espacejeux" || on7.length === 0 || stub >= live + 1) return { start, live, stub, pool: null };
  const before = lines.slice(0, start);
  const held = new Set(before.filter((l) => l.face !== "b").map((l) => l.position));
  return { start, live, stub, pool: Array.from({ length: 52 }, (_, p) => p).filter((p) => !held.has(p)) };
}

/** E_DEAL_SKIP, then E_DEAL_ORDER. */
export function checkDeal(lines: Line[], table: Table): void {
  const { start, live, stub, pool } = seventh(lines, table);
  const order = pool === null ? [] : shuffle(pool.length, table.reshuffleSeed);
  lines.forEach((l, i) => {
    const expected = pool !== null && i >= start ? pool[order[i - start] ?? -1] : i;
    if (l.position !== expected) fail("E_DEAL_SKIP", `transcript line ${i + 2}`);
  });

  let at = 0;
  const bad = (): never => fail("E_DEAL_ORDER", `transcript line ${at + 2}`);
  const is = (seat: number, street: number, face: string): boolean => {
    const l = lines[at];
    return l !== undefined && l.seat === seat && l.street === street && l.face === face;
  };
  const take = (seat: number, street: number, face: string): void => {
    if (!is(seat, street, face)) bad();
    at++;
  };
  const done = (): boolean => at === lines.length;

  if (done()) return;
  for (const face of "ddu") for (const seat of table.seats) take(seat, 3, face);
  let seats = table.seats;
  const round = (street: number, face: string): void => {
    seats = seats.filter((seat) => {
      if (!is(seat, street, face)) return false;
      at++;
      return true;
    });
    if (seats.length < 2) bad();
  };
  for (const street of [4, 5, 6]) {
    if (done()) return;
    if (table.rules === "espacejeux") take(0, street, "b");
    round(street, "u");
  }
  if (done()) return;
  if (is(0, 7, "c")) {
    // The number of players on seventh street is not known: at most all of sixth street.
    const short = table.rules === "espacejeux" ? stub < live + 1 && (pool === null || pool.length < live) : stub < live;
    if (!short) bad();
    at++;
  } else {
    if (table.rules === "espacejeux" && pool === null) take(0, 7, "b");
    else if (table.rules !== "espacejeux" && stub < live) bad();
    else if (pool !== null && pool.length < live) bad();
    round(7, "d");
  }
  if (!done()) bad();
}
