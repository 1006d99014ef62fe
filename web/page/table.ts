// The cards of a hand, seat by seat and street by street.

import type { Answer } from "../src/bundle.js";
import { readTranscript } from "../src/transcript.js";
import { el } from "./dom.js";
import type { Say } from "./words.js";

export interface Placed { position: number; face: "d" | "u" | "c" | "b"; card: string | null; back: boolean }
export interface Layout {
  seats: { seat: number; streets: Placed[][] }[]; // streets 3 to 7
  board: Placed[]; burned: Placed[][];
  /** Whether a burned or undealt card was shuffled in again on seventh street. */
  reshuffled: boolean; last: number;
}

export function layout(a: Answer): Layout {
  const lines = readTranscript(a.facts!.form.transcript);
  const order = a.hand!.open.seats;
  const first7 = lines.findIndex((l) => l.street === 7);
  const burnedBefore = new Set(lines.slice(0, Math.max(first7, 0)).filter((l) => l.face === "b").map((l) => l.position));
  const reshuffled = a.hand!.open.rules === "espacejeux" && first7 >= 0 && lines[first7]!.face !== "b";
  const placed = lines.map((l) => ({ ...l, card: a.opened![l.position] ?? null, back: l.street === 7 && burnedBefore.has(l.position) }));
  const on = (street: number, test: (l: (typeof placed)[number]) => boolean): Placed[] => placed.filter((l) => l.street === street && test(l));
  const streets = [3, 4, 5, 6, 7];
  return {
    seats: order.map((seat) => ({ seat, streets: streets.map((s) => on(s, (l) => l.seat === seat)) })),
    board: on(7, (l) => l.face === "c"),
    burned: streets.map((s) => on(s, (l) => l.face === "b")),
    reshuffled, last: Math.max(0, ...lines.map((l) => l.street)),
  };
}

const SUITS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };
export function cardName(card: string, say: Say): string {
  const [r, s] = [card[0]!, card[1]!];
  const rank = r === "T" ? "10" : /\d/.test(r) ? r : say(`rank.${r}`);
  return say("card", { rank, suit: say(`suit.${s}`) });
}

function draw(p: Placed, say: Say): HTMLElement {
  const burn = p.face === "b";
  const label = p.card === null ? say(burn ? "burn" : p.face === "d" ? "hidden" : "unopened") : `${cardName(p.card, say)}, ${say(p.face === "d" ? "down" : burn ? "burned" : "up")}`;
  const more = p.back ? `, ${say("back")}` : "";
  const kind = p.card === null ? "hid" : /[dh]/.test(p.card[1]!) ? "red" : "blk";
  const box = el("span", { role: "img", "aria-label": label + more, title: label + more, class: `card ${kind}${p.face === "d" ? " dn" : ""}${p.back ? " bk" : ""}` });
  if (p.card !== null) box.append(el("b", {}, p.card[0] === "T" ? "10" : p.card[0]!), el("i", {}, SUITS[p.card[1]!]!));
  return box;
}

export function drawTable(t: Layout, say: Say): HTMLElement {
  const cell = (list: Placed[], gone: boolean): HTMLElement =>
    el("td", { role: "cell" }, ...(list.length > 0 ? list.map((p) => draw(p, say)) : [gone ? el("span", { class: "gone", title: say("gone") }, el("span", { class: "sr" }, say("gone")), "–") : null]));
  const row = (name: string, cells: HTMLElement[]): HTMLElement => el("tr", { role: "row" }, el("th", { role: "rowheader", scope: "row" }, name), ...cells);
  const body = el("tbody", { role: "rowgroup" });
  for (const { seat, streets } of t.seats) body.append(row(say("seat", { n: seat }), streets.map((s, i) => cell(s, i + 3 <= t.last && !(i === 4 && t.board.length > 0)))));
  if (t.board.length > 0) body.append(row(say("board"), [3, 4, 5, 6, 7].map((s) => cell(s === 7 ? t.board : [], false))));
  if (t.burned.some((b) => b.length > 0)) body.append(row(say("burned"), t.burned.map((b) => cell(b, false))));
  const head = el("tr", { role: "row" }, el("td", { role: "cell" }), ...[3, 4, 5, 6, 7].map((s) => el("th", { role: "columnheader", scope: "col" }, say(`col${s}`))));
  return el("div", { class: "felt" }, el("table", { role: "table", "aria-label": say("cards") }, el("thead", { role: "rowgroup" }, head), body));
}
