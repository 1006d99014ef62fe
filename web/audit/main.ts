// The page that audits an export of decks: a file in, verdict, report and certificate out. Nothing leaves the machine.

import { button, byId, el } from "../page/dom.js";
import { type Fill, sayer, type Words } from "../page/words.js";
import type { Answer, Job } from "./worker.js";

declare const WORDS: Record<"en" | "fr", Words>;
declare const WORKER: string;
declare const PROGRAM: { base64: string; sha256: string };

const MB = 1 << 20;
/** A file is held in memory twice. */
const MB_MAX = 500;

let language: "en" | "fr" = navigator.language.startsWith("fr") ? "fr" : "en";
let chosen: File | null = null;
let saved: string[] = [];
const say = (key: string, fill?: Fill): string => sayer(WORDS[language])(key, fill);

const unpacked = async (): Promise<ArrayBuffer> => {
  const packed = Uint8Array.from(atob(PROGRAM.base64), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};
let program: Promise<WebAssembly.Module> | null = null;
const policy = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } } }).trustedTypes
  ?.createPolicy("worker", { createScriptURL: (url: string) => url });
const startWorker = (): Worker => {
  const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
  return new Worker(policy ? policy.createScriptURL(url) : url);
};

function link(text: string, bytes: Uint8Array, type: string, name: string | null): HTMLElement {
  const url = URL.createObjectURL(new Blob([bytes as BlobPart], { type }));
  saved.push(url);
  return el("a", { class: "button", href: url, ...(name === null ? { target: "_blank", rel: "noopener" } : { download: name }) }, text);
}

/** By the exit code alone: what the program prints holds names of files. */
function headOf(exit: number): [string, string] {
  if (exit === 0) return ["good", say("pass")];
  if (exit === 1) return ["bad", say("fail")];
  if (exit === 3) return ["half", say("question")];
  return ["open", say("unsure")];
}

function show(answer: Answer): void {
  if ("progress" in answer) {
    const [done, total] = answer.progress;
    const bar = byId("bar") as HTMLProgressElement;
    bar.max = Math.max(total, 1);
    bar.value = done;
    const number = (n: number): string => n.toLocaleString(language);
    byId("count").textContent = say("progress", { done: number(done), total: number(total) });
    return;
  }
  const [tone, head] =
    "error" in answer ? ["bad", say("failed", { x: answer.error })]
    : headOf(answer.exit);
  const files = "error" in answer ? [] : [
    answer.report && link(say("open"), answer.report, "text/html", null),
    answer.report && link(say("report"), answer.report, "text/html", "report.html"),
    answer.certificate && link(say("certificate"), answer.certificate, "application/json", "certificate.json"),
  ].filter((e) => e !== undefined);
  byId("answer").replaceChildren(
    el("section", { class: `answer ${tone}`, tabindex: "-1", id: "verdict" },
      el("h2", { class: "head" }, head),
      "error" in answer ? null : el("pre", { class: "mono", tabindex: "0" }, answer.text),
      el("p", {}, ...files),
      files.length > 0 && el("p", { class: "small" }, say("verify"))),
  );
  byId("verdict").focus();
}

async function audit(): Promise<void> {
  if (chosen === null) return;
  saved.forEach((url) => URL.revokeObjectURL(url));
  saved = [];
  const value = (id: string): string => (byId(id) as HTMLSelectElement).value;
  const [rules, players] = [value("rules"), value("players")];
  if (chosen.size > MB_MAX * MB) {
    byId("answer").replaceChildren(el("p", {}, say("big", { mb: Math.ceil(chosen.size / MB), max: MB_MAX })));
    return;
  }
  const begin = byId("begin") as HTMLButtonElement;
  begin.disabled = true;
  byId("answer").replaceChildren(el("section", { class: "panel" }, el("p", { id: "count", role: "status" }, say("reading")), el("progress", { id: "bar", "aria-labelledby": "count" })));
  try {
    program ??= unpacked().then((bytes) => WebAssembly.compile(bytes));
    const job: Job = { program: await program, sha256: PROGRAM.sha256, name: chosen.name, bytes: await chosen.arrayBuffer(), rules, players };
    const worker = startWorker();
    const answer = await new Promise<Answer>((done) => {
      worker.onerror = (event) => done({ error: event.message });
      worker.onmessage = (event: MessageEvent<Answer>) => ("progress" in event.data ? show(event.data) : done(event.data));
      worker.postMessage(job, [job.bytes]);
    });
    worker.terminate();
    show(answer);
  } catch (error) {
    show({ error: String(error) });
  } finally {
    begin.disabled = false;
  }
}

function choose(file: File | undefined): void {
  if (file === undefined) return;
  chosen = file;
  byId("name").textContent = file.name;
  (byId("begin") as HTMLButtonElement).disabled = false;
}

const select = (id: string, options: string[], value: string): HTMLElement => {
  const s = el("select", { id }, ...options.map((o) => el("option", o === value ? { selected: "" } : {}, o)));
  return el("label", {}, el("span", {}, say(id)), s);
};

function draw(): void {
  document.documentElement.lang = language;
  document.title = say("title");
  const input = el("input", { type: "file", id: "file", class: "hidden" }) as HTMLInputElement;
  input.addEventListener("change", () => choose(input.files?.[0]));
  const begin = button(say("begin"), () => void audit(), { id: "begin", class: "main" });
  (begin as HTMLButtonElement).disabled = chosen === null;
  document.body.replaceChildren(
    el("header", {},
      el("h1", {}, say("title")),
      button(say("lang"), () => { language = language === "en" ? "fr" : "en"; draw(); }, { lang: language === "en" ? "fr" : "en" }),
      el("p", { class: "small" }, say("local"))),
    el("main", {},
      el("section", { class: "panel", id: "give" },
        el("p", {}, say("give")),
        el("p", {}, input, el("label", { for: "file", class: "button" }, say("file")), " ", el("span", { id: "name", class: "mono" }, chosen?.name ?? "")),
        el("div", { class: "lists" }, select("rules", ["stud-hi", "stud-8b", "espacejeux"], "stud-hi"), select("players", ["2", "3", "4", "5", "6", "7", "8"], "6")),
        begin),
      el("div", { id: "answer" })),
  );
}

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  choose(event.dataTransfer?.files[0]);
});
draw();
