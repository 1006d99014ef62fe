// verify.html: takes what a player has, remembers what is seen before a hand, and says what a bundle shows.

import type { Answer } from "../src/bundle.js";
import { toHex, utf8 } from "../src/bytes.js";
import { notedDigits, readSaved } from "../src/entry.js";
import { inflate, isLink, makeLink, readLink } from "../src/link.js";
import { plain, readProof, readTrust } from "../src/note.js";
import { Refusal, Unreadable } from "../src/refusal.js";
import { leafHash } from "../src/tree.js";
import { button, byId, el } from "./dom.js";
import { type Bundle, type Judged, type Statement, ahead, judge } from "./judge.js";
import { type Item, erase, eraseAll, keeps, remember, save, store } from "./memory.js";
import { type Summary, local, summary } from "./sentences.js";
import { type Layout, cardName, drawTable, layout } from "./table.js";
import { type Say, fromBase85, sayer } from "./words.js";

/** Lines, deflated, set when the page is built: the keys of the sentences, the English ones, the French ones. */
declare const WORDS: string;

let lines: string[];
let say: Say;
let bundles: Bundle[] = [];
let once: Item[] = [];
let pending: Item[] = [];
let notice = "";
let stated: Statement = { seen: new Map(), seed: null };

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const list = (title: string, rows: string[], kind: string): HTMLElement | null =>
  rows.length === 0 ? null : el("section", { class: kind }, el("h3", {}, say(title)), el("ul", {}, ...rows.map((r) => el("li", {}, r))));

/** The first sentence of the answer, for eyes and screen readers. */
const focusAnswer = (): void => document.querySelector<HTMLElement>("#answer h2")?.focus();

/** What a text is, or null. */
function itemOf(given: string): Item | null {
  const t = plain(given);
  const hex = notedDigits(t);
  if (hex !== null) return { what: "root", text: hex, at: null };
  try {
    if (t.startsWith("c2sp.org/tlog-proof@v1")) readProof(t, "");
    else if (t.trimStart().startsWith("{")) {
      readTrust(utf8(t));
      return { what: "trust", text: t, at: null };
    }
  } catch {
    return null;
  }
  if (t.startsWith("c2sp.org/")) return { what: "receipt", text: t, at: null };
  const entries = readSaved(t.trim());
  return entries.length > 0 ? { what: "entries", text: entries.map((e) => e.text).join("\n"), at: null } : null;
}

/** What is wrong with a text that may be meant as 64 digits. */
function slip(t: string): string {
  const all = [...t.replace(/[\s:]/g, "")];
  const others = all.flatMap((c, i) => (/[0-9a-f]/i.test(c) ? [] : [`${c} (${i + 1})`]));
  return all.length < 32 || all.length > 96 || others.length * 5 > all.length ? say("give.unknown") : say("give.digits", { n: all.length - others.length, x: others.join(", ") || "\u2013" });
}

/** Takes texts and files, whatever they are; several bundles are judged together. */
async function take(given: Bundle[]): Promise<void> {
  notice = "";
  const found: Bundle[] = [];
  for (const one of given) {
    let { bytes } = one;
    let t = text(bytes);
    const linked = isLink(t) && !t.trimStart().startsWith("{");
    try {
      if (linked) t = text((bytes = await readLink(t)));
    } catch (e) {
      if (!(e instanceof Unreadable)) throw e;
      notice = say("give.link");
      continue;
    }
    const item = itemOf(t);
    // Whose word counts is not for the one who makes the link to say.
    const signed = item?.what === "trust" || item?.what === "receipt";
    if (item !== null && !(linked && signed)) pending.push(item);
    else if (item === null && plain(t).trimStart().startsWith("{")) found.push({ name: one.name, bytes });
    else notice = slip(t);
  }
  if (found.length > 0) {
    bundles = found;
    stated = { seen: new Map(), seed: null };
  }
  draw();
  if (pending.length > 0) byId("pending").focus();
  else if (found.length > 0) focusAnswer();
  else byId("notice").focus();
}

/** The deck roots and hashes that a text is about. */
const about = (i: Item): string[] =>
  i.what === "root" ? [i.text] : i.what === "entries" ? readSaved(i.text).flatMap((e) => [toHex(leafHash(e.text)), ...(e.kind === "deck" || e.kind === "open" || e.kind === "void" ? [e.deck] : [])]) : [];

const nameOf = (i: Item): string => {
  if (i.what === "root") return say("kind.root", { x: i.text });
  if (i.what === "trust") return say("kind.trust", { x: readTrust(utf8(i.text)).origin });
  if (i.what === "receipt") return say("kind.receipt", { x: i.text.split("\n").find((l) => l.startsWith("index ")) ?? "" });
  return say("kind.entries", { x: readSaved(i.text).map((e) => (e.kind === "deck" ? `deck ${e.table} ${e.hand}` : e.kind)).join(", ") });
};

function drawPending(): HTMLElement {
  const box = el("section", { id: "pending", tabindex: "-1", class: "panel" });
  const item = pending[0];
  if (item === undefined) return el("section", { id: "pending", tabindex: "-1", hidden: "" });
  const done = (next: () => void, words: string) => () => {
    next();
    pending.shift();
    notice = words;
    draw();
    if (pending.length > 0) byId("pending").focus();
    else if (bundles.length > 0) focusAnswer();
    else byId("notice").focus();
  };
  const fresh = item.what === "entries" ? ahead(item.text) : item.text;
  const now = (): void => remember({ ...item, text: fresh, at: Date.now() });
  const use = (): void => void once.push(item);
  box.append(el("p", { class: "mono" }, nameOf(item)));
  if (item.what === "trust") box.append(el("p", {}, say("trust.whose")), button(say("trust.use"), done(now, say("when.kept")), { class: "main" }));
  else {
    const tooLate = bundles.length > 0 || about(item).some((h) => store.opened[h] !== undefined);
    box.append(el("h2", {}, say("when")));
    if (tooLate) box.append(el("p", {}, say("when.late")));
    else if (fresh !== item.text) box.append(el("p", {}, say("when.ended")));
    if (!tooLate && fresh !== "") box.append(button(say("when.now"), done(now, say("when.kept")), { class: "main" }));
    box.append(button(say("when.before"), done(use, bundles.length > 0 ? "" : say("when.bundle"))));
  }
  box.append(button(say(item.what === "trust" ? "when.cancel" : "when.after"), done(() => undefined, "")));
  return box;
}

function drawMemory(): HTMLElement {
  const box = el("section", { id: "memory", class: "panel" }, el("h2", {}, say("memory")));
  if (!keeps) box.append(el("p", { class: "untied" }, say("memory.lost")));
  if (store.items.length === 0) box.append(el("p", {}, say("memory.none")));
  const rows = store.items.map((i) => {
    const copied = el("span", { role: "status" });
    const link = async (): Promise<void> => {
      const fragment = i.what === "root" ? `#${i.text}` : await makeLink(utf8(i.text));
      const whole = `${location.href.split("#")[0]!}${fragment}`;
      await navigator.clipboard?.writeText(whole).then(() => copied.replaceChildren(say("copied")), () => undefined);
      if (copied.textContent === "") copied.replaceChildren(el("code", {}, whole));
    };
    return el("li", {}, el("span", { class: "mono" }, say("memory.at", { x: nameOf(i), time: local(i.at ?? 0) })), " ",
      i.what === "root" || i.what === "entries" ? button(say("memory.copy"), () => void link()) : null,
      button(say("memory.erase"), () => {
        erase(i);
        draw();
      }, { "aria-label": `${say("memory.erase")}: ${nameOf(i)}` }), copied);
  });
  if (rows.length > 0) box.append(el("ul", {}, ...rows));
  box.append(el("p", { class: "small" }, say("memory.how")));
  if (rows.length > 0 || Object.keys(store.opened).length > 0)
    box.append(button(say("memory.all"), () => {
      eraseAll();
      draw();
    }));
  return box;
}

const select = (id: string, options: [string, string][]): HTMLSelectElement => el("select", { id }, ...options.map(([v, t]) => el("option", { value: v }, t))) as HTMLSelectElement;
const labelled = (words: string, control: HTMLElement): HTMLElement => el("label", {}, el("span", {}, words), control);

/** What the player states: the cards seen, the own seed. */
function drawStatement(a: Answer | null, t: Layout | null): HTMLElement | null {
  if (bundles.length !== 1) return null;
  const undo = stated.seen.size > 0 || stated.seed !== null ? button(say("mine.undo"), () => state({ seen: new Map(), seed: null })) : null;
  if (a === null || a.hand === null || t === null) return undo && el("section", { class: "mine" }, undo);
  const of = (seat: string): { position: number; card: string }[] =>
    t.seats.filter((s) => String(s.seat) === seat).flatMap((s) => s.streets.flat()).filter((p) => p.card !== null).map((p) => ({ position: p.position, card: p.card! }));
  const down = t.seats.filter((s) => s.streets.flat().some((p) => p.face === "d" && p.card !== null));
  const seat = select("seat", [...down, ...t.seats.filter((s) => !down.includes(s))].map((s) => [String(s.seat), say("seat", { n: s.seat })]));
  const which = select("which", []);
  const deck = [..."AKQJT98765432"].flatMap((r) => [..."shdc"].map((s) => `${r}${s}`));
  const saw = select("saw", deck.map((c) => [c, cardName(c, say)]));
  const closed = el("p", { role: "status" });
  const fill = (): void => {
    which.replaceChildren(...of(seat.value).map((p) => el("option", { value: String(p.position) }, cardName(p.card, say))));
    // What stays closed is compared with nothing, whatever the player saw.
    const n = t.seats.filter((s) => String(s.seat) === seat.value).flatMap((s) => s.streets.flat()).filter((p) => p.card === null).length;
    closed.replaceChildren(n > 0 ? say("mine.closed", { n }) : "");
  };
  seat.addEventListener("change", fill);
  fill();
  const yes = button(say("mine.yes"), () => state({ ...stated, seen: new Map(of(seat.value).map((p) => [p.position, p.card])) }), { class: "main" });
  const no = el("details", {}, el("summary", {}, say("mine.no")), labelled(say("mine.which"), which), labelled(say("mine.saw"), saw),
    button(say("mine.give"), () => state({ ...stated, seen: new Map([[Number(which.value), saw.value]]) })));
  const box = el("section", { class: "mine" }, el("h3", {}, say("mine")), labelled(say("mine.seat"), seat), closed, yes, no);
  if (a.hand.open.commits.length + a.hand.open.seeds.length > 0) {
    const seed = el("input", { id: "seed", autocomplete: "off", spellcheck: "false", maxlength: "64" }) as HTMLInputElement;
    box.append(labelled(say("mine.seed"), seed), button(say("mine.give"), () => {
      const value = seed.value.trim().toLowerCase();
      if (/^[0-9a-f]{64}$/.test(value)) state({ ...stated, seed: { seat: Number(seat.value), seed: value } });
      else seed.focus();
    }));
  }
  if (undo) box.append(undo);
  return box;
}

function state(s: Statement): void {
  stated = s;
  draw();
  focusAnswer();
}

function drawCards(a: Answer, t: Layout): HTMLElement {
  const h = a.hand!;
  const box = el("section", { class: "cards" }, el("h3", {}, say("cards")));
  box.append(el("p", {}, say("hand", { hand: h.deck.hand, table: h.deck.table, origin: h.deck.origin, rules: h.open.rules, mix: say(`mix.${h.deck.mix}`) })));
  if (t.last === 0) box.append(el("p", {}, say("nocards")));
  else box.append(drawTable(t, say), el("p", { class: "small" }, say("legend")));
  const all = [...t.seats.flatMap((s) => s.streets.flat()), ...t.board];
  if (all.some((p) => p.card === null)) box.append(el("p", {}, say("why.hidden")));
  if (t.reshuffled) box.append(el("p", {}, say("why.back")));
  if (t.board.length > 0) box.append(el("p", {}, say("why.common")));
  return box;
}

function drawAnswer(a: Answer | null, at: number, j: Judged): HTMLElement {
  const s: Summary = summary(a, j, say, at);
  const box = el("article", { class: `answer ${s.tone}`, "data-verdict": a?.verdict ?? "unread", "data-code": a?.code ?? "" });
  if (bundles.length > 1) box.append(el("p", { class: "mono" }, bundles[at]!.name));
  box.append(el("h2", { tabindex: "-1" }, el("span", { class: "verdict" }, s.verdict), el("span", { class: "head" }, s.head)));
  if (s.untied) box.append(el("p", { class: "untied" }, say("untied")), button(say("have"), () => byId("paste").focus(), { class: "main" }));
  const t = a?.hand != null && a.hand.end.kind === "close" ? layout(a) : null;
  if (a?.hand?.end.kind === "void") box.append(el("p", {}, say("void", { x: a.hand.end.reason }), " ", say("nobody")));
  if (t !== null) box.append(drawCards(a!, t));
  if (a !== null && a.verdict !== "refused" && j.others.length > 0) box.append(drawOthers(j.others));
  for (const part of [el("div", { class: "lists" }, ...[list("shown", s.shown, "yes"), list("notshown", s.missing, "no"), list("ask", s.ask, "ask"), list("next", s.next, "next")]), drawStatement(a, t)])
    if (part !== null) box.append(part);
  if (a !== null) {
    const facts = [a.code === null ? "" : say("r.code", { code: a.code, place: a.place ?? "" }), a.hand === null ? "" : say("root", { x: a.hand.deck.deck })].filter((x) => x !== "");
    box.append(el("details", {}, el("summary", {}, say("technical")), ...facts.map((f) => el("p", { class: "mono" }, f)),
      ...a.claims.map((c) => el("p", { class: "mono" }, [c.subject, c.state, c.by, c.why, c.witness?.kind].filter(Boolean).join(" · ")))));
  }
  return box;
}

const drawUnread = (head: string): HTMLElement =>
  el("article", { class: "answer bad", "data-verdict": "unread", "data-code": "" }, el("h2", { tabindex: "-1" }, el("span", { class: "verdict" }, say("v.unread")), el("span", { class: "head" }, head)));

function drawOthers(others: Item[]): HTMLElement {
  return el("section", { class: "others" }, el("p", {}, say("other", { n: others.length })), el("ul", {}, ...others.map((i) =>
    el("li", {}, el("span", { class: "mono" }, say("memory.at", { x: nameOf(i), time: local(i.at ?? 0) })), " ", button(say("other.use"), () => {
      once.push({ ...i, at: null });
      draw();
      focusAnswer();
    })))));
}

function drawAnswers(): HTMLElement {
  const box = el("section", { id: "answer", tabindex: "-1" });
  if (bundles.length === 0) return box;
  try {
    const j = judge(bundles, [...store.items.filter((i) => !once.some((o) => o.text === i.text)), ...once], stated);
    if (j.unused.length > 0 && j.answers.some((a) => a?.facts)) box.append(drawUnread(say("unused", { x: j.unused.join("; ") })));
    j.answers.forEach((a, i) => box.append(drawAnswer(a, i, j)));
    // From now on nothing about these decks is seen "before the hand" here.
    for (const a of j.answers) if (a?.hand) for (const h of [a.hand.deck.deck, toHex(leafHash(a.hand.deck.text)), toHex(leafHash(a.hand.open.text))]) store.opened[h] ??= Date.now();
    save();
  } catch (e) {
    if (!(e instanceof Unreadable || e instanceof Refusal)) throw e;
    box.append(drawUnread(say(`h.${e instanceof Unreadable ? e.why : "file"}`)));
  }
  box.append(button(say("give.close"), () => {
    bundles = [];
    once = [];
    stated = { seen: new Map(), seed: null };
    if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
    draw();
    byId("paste").focus();
  }));
  return box;
}

function drawGive(): HTMLElement {
  const area = el("textarea", { id: "paste", rows: "3", spellcheck: "false", autocomplete: "off" }) as HTMLTextAreaElement;
  const read = (): void => void (area.value.trim() !== "" && take([{ name: "paste", bytes: utf8(area.value) }]));
  area.addEventListener("paste", () => setTimeout(read));
  const file = el("input", { type: "file", multiple: "", id: "file", class: "sr" }) as HTMLInputElement;
  file.addEventListener("change", () => void files(file.files));
  const choose = el("label", { for: "file", class: "button" }, say("give.file"));
  return el("section", { class: "panel give" }, el("h2", {}, say(bundles.length > 0 ? "more" : "give")), el("p", {}, say("give.how")), el("p", { id: "notice", role: "status", tabindex: "-1" }, notice),
    labelled(say("give.paste"), area), el("div", {}, button(say("give.read"), read, { class: "main" }), file, choose));
}

async function files(some: FileList | null | undefined): Promise<void> {
  const all = [...(some ?? [])];
  if (all.length > 0) await take(await Promise.all(all.map(async (f) => ({ name: f.name, bytes: new Uint8Array(await f.arrayBuffer()) }))));
}

function draw(): void {
  document.title = say("title");
  const other = document.documentElement.lang === "fr" ? "en" : "fr";
  const header = el("header", {}, el("h1", {}, say("title")), button(say("lang"), () => {
    speak(other);
    store.lang = other;
    save();
    draw();
  }, { lang: other }), el("p", {}, say("local")));
  const main = el("main", {}, drawPending(), drawAnswers(), drawGive(), drawMemory());
  document.body.replaceChildren(header, main, el("footer", {}, el("p", {}, say("page.who")), el("p", {}, say("page.limits"))));
}

function speak(language: string): void {
  document.documentElement.lang = language;
  const n = lines.length / 3;
  const from = language === "fr" ? 2 * n : n;
  say = sayer(Object.fromEntries(lines.slice(0, n).map((key, i) => [key, lines[from + i]!])));
}

async function follow(): Promise<void> {
  const hash = location.hash;
  if (hash.length > 1) await take([{ name: "link", bytes: utf8(hash) }]);
}

async function start(): Promise<void> {
  lines = text(await inflate(fromBase85(WORDS))).split("\n");
  speak(store.lang || (navigator.language.startsWith("fr") ? "fr" : "en"));
  draw();
  addEventListener("hashchange", () => void follow());
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => {
    e.preventDefault();
    const dropped = e.dataTransfer;
    if ((dropped?.files.length ?? 0) > 0) void files(dropped!.files);
    else void take([{ name: "drop", bytes: utf8(dropped?.getData("text") ?? "") }]);
  });
  await follow();
  await keep();
}

/** Where a server has sw.js beside the page, the browser keeps the page for visits without a network. */
async function keep(): Promise<void> {
  try {
    // The policy of the page wants this said; no other script has a name here.
    (globalThis as { trustedTypes?: { createPolicy: (name: string, rules: object) => void } }).trustedTypes?.createPolicy("default", { createScriptURL: () => "sw.js" });
    await navigator.serviceWorker?.register("sw.js", { scope: location.pathname });
  } catch {
    // A file on this device, an address without TLS, a server without sw.js.
  }
}

void start();
