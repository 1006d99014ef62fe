// verify.html in real browsers. Where one is not installed its tests are skipped, by name.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, afterEach, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { makeLink, readEntry } from "../dist/index.js";
import { toHex, utf8 } from "../dist/bytes.js";
import { leafHash } from "../dist/tree.js";
import { BROWSERS } from "./browsers.mjs";
import { bytesOf } from "./vectors.mjs";

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const PAGE = new URL("../verify.html", import.meta.url).href;
const vectors = JSON.parse(readFileSync(at("../../fixtures/protocol.json"), "utf8"));
const sample = readFileSync(at("../../fixtures/samples/seat-4.json"));
const sampleDeck = readEntry(JSON.parse(sample).deck_entry, ["deck"], "");
const named = (name) => vectors.positive.find((c) => c.name === name).bundle;
const json = (bundle) => utf8(JSON.stringify(bundle));
const WIDTHS = [320, 375, 768, 1280];

async function engine() {
  const out = await build({
    stdin: { contents: 'import { failures, cases } from "./test/vectors.mjs"; globalThis.failures = failures; globalThis.count = (v) => cases(v).length;', resolveDir: at("..") },
    bundle: true, write: false, format: "iife", target: "es2022",
  });
  return out.outputFiles[0].text;
}

/** A server that counts; it serves verify.html and nothing else. */
async function counting() {
  const seen = [];
  const server = createServer((request, response) => {
    seen.push(request.url);
    response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" });
    response.end(request.url === "/verify.html" ? readFileSync(at("../verify.html")) : "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { seen, url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((done) => server.close(done)) };
}

for (const b of BROWSERS) {
  const skip = b.path === null ? `${b.name} is not installed` : false;
  if (skip) console.error(`SKIPPED: the tests of verify.html in ${b.name}, which was not found. Set ${b.name.toUpperCase()} to its path.`);
  describe(`verify.html in ${b.name}`, { skip }, () => {
    let browser;
    let context;
    let page;
    let requests;
    let errors = [];
    before(async () => {
      browser = await b.launch(b.path);
    });
    after(() => browser?.close());
    afterEach(() => {
      const met = errors;
      errors = [];
      assert.deepEqual(met, []);
    });

    /** A fresh profile, the page open in it. */
    const open = async (fragment = "", url = PAGE) => {
      await context?.close();
      context = await browser.newContext();
      context.setDefaultTimeout(120_000); // a busy machine is no failure
      page = await context.newPage();
      requests = [];
      page.on("request", (r) => void (r.url().startsWith(PAGE) || requests.push(r.url())));
      page.on("pageerror", (e) => errors.push(String(e)));
      await page.goto(url + fragment);
      await page.waitForSelector("main");
    };
    const visit = async (bytes) => {
      await page.evaluate((f) => {
        document.querySelector("#answer").replaceChildren();
        if (location.hash === f) dispatchEvent(new Event("hashchange"));
        else location.hash = f;
      }, await makeLink(bytes));
      await page.waitForSelector(".answer");
    };
    const answer = () => page.evaluate(() => {
      const a = document.querySelector(".answer");
      return { verdict: a.dataset.verdict, code: a.dataset.code, head: a.querySelector(".head").textContent, big: a.querySelector(".verdict").textContent, text: a.textContent, untied: a.querySelector(".untied") !== null };
    });
    const paste = async (text) => {
      await page.fill("#paste", text);
      await page.click("text=Read it");
    };
    const trust = async (t) => {
      await paste(JSON.stringify(t));
      await page.click("text=Use it and remember it");
    };

    test("every vector, in its engine", async () => {
      await open();
      await page.evaluate(await engine());
      assert.ok((await page.evaluate((v) => globalThis.count(v), vectors)) > 400);
      assert.deepEqual(await page.evaluate((v) => globalThis.failures(v), vectors), []);
      assert.deepEqual(requests, []);
    });

    test("every bundle of the vectors, through the page as a link", async () => {
      const all = [
        ...vectors.positive.map((c) => ({ c, wanted: [""] })),
        ...[...vectors.negative, ...vectors.negative_l4].map((c) => ({ c, wanted: [c.expect] })),
        ...vectors.refused.map((c) => ({ c, wanted: [...c.one_of, "unread"] })),
      ];
      const byTrust = Map.groupBy ? Map.groupBy(all, (x) => JSON.stringify(x.c.trust ?? vectors.trust)) : all.reduce((m, x) => {
        const k = JSON.stringify(x.c.trust ?? vectors.trust);
        return m.set(k, [...(m.get(k) ?? []), x]);
      }, new Map());
      const wrong = [];
      for (const [t, list] of byTrust) {
        await open();
        await trust(JSON.parse(t));
        const links = await Promise.all(list.map((x) => makeLink(bytesOf(x.c))));
        const found = await page.evaluate(async (fragments) => {
          const out = [];
          for (const f of fragments) {
            document.querySelector("#answer").replaceChildren();
            document.querySelector("#notice").replaceChildren();
            if (location.hash === f) dispatchEvent(new Event("hashchange"));
            else location.hash = f;
            for (let i = 0; document.querySelector(".answer, #notice:not(:empty)") === null && i < 2000; i++) await new Promise((r) => setTimeout(r, 5));
            const a = document.querySelector(".answer");
            out.push(a === null || a.dataset.verdict === "unread" ? "unread" : a.dataset.code);
          }
          return out;
        }, links);
        // The trust file may be the wrong one, or a program saved it otherwise: no verdict.
        const foreign = (x, i) => (found[i] === "" && x.c.name === "byte order mark") || found[i] === "unread" && (/E_ORIGIN|E_NOTE_UNSIGNED/.test(String(x.wanted)) || /^byte order mark$|^a second object|^(wrong format tag|[a-z]+ (entry|file)? ?of another version)$/.test(x.c.name));
        list.forEach((x, i) => foreign(x, i) || x.wanted.includes(found[i]) || wrong.push(`${x.c.name}: ${found[i]}, wanted ${x.wanted}`));
        assert.deepEqual(requests, []);
      }
      assert.equal(wrong.join("\n"), "");
    });

    test("a bundle alone is consistent, with the red line; with a root that the player had, accepted; with another, refused, or without a log no verdict", async () => {
      await open(await makeLink(sample));
      await page.waitForSelector(".answer");
      let a = await answer();
      assert.deepEqual([a.verdict, a.code, a.untied, a.big], ["consistent", "", true, "Consistent with itself"]);
      assert.equal(await page.evaluate(() => document.activeElement.textContent.startsWith("Consistent")), true);

      await paste(sampleDeck.deck);
      assert.equal(await page.isVisible("text=remember it"), false);
      await page.click("text=use it once");
      a = await answer();
      assert.deepEqual([a.verdict, a.untied, a.head], ["accepted", false, "This deck was fixed before the hand, if you had its deck root or entries before your first card."]);

      await paste("0".repeat(64));
      await page.click("text=use it once");
      assert.equal((await answer()).verdict, "unread"); // its log is localhost: the digits may be of another day
      await visit(json(named("selective, seat 1: players, community card")));
      await paste("0".repeat(64));
      await page.click("text=use it once");
      a = await answer();
      assert.deepEqual([a.verdict, a.code], ["refused", "E_COMMITTED"]);
      assert.match(a.text, /your own word, which nobody signed/);
      assert.deepEqual(requests, []);
    });

    test("a root that was remembered before makes a bundle accepted, also after a reload; erased, it does not", async () => {
      await open(`#${sampleDeck.deck}`);
      await page.click("text=remember it");
      await page.reload();
      await page.waitForSelector("#memory li");
      await visit(sample);
      assert.match((await answer()).head, /^This deck was fixed before the hand, if your first card came after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC[+\u2212]\d\d:\d\d, when this page remembered it\.$/);
      await page.click("text=Erase everything");
      assert.equal((await answer()).verdict, "consistent");
      assert.equal(await page.evaluate(() => localStorage.length), 1); // that a bundle of this deck was opened
    });

    test("a root that came after the hand, or nobody knows when, is left out by a button that says so", async () => {
      await open(await makeLink(sample));
      await page.waitForSelector(".answer");
      await paste(sampleDeck.deck);
      await page.click("text=Later, or I do not know");
      assert.deepEqual([(await answer()).verdict, await page.isVisible("#memory li")], ["consistent", false]);
    });

    test("what is shown and what is not follows the cards, before any question", async () => {
      await open(await makeLink(sample));
      await page.waitForSelector(".answer");
      assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll(".answer h3")].map((h) => h.textContent)),
        ["Cards, by seat and street", "Shown", "Not shown", "What to ask for", "Next time", "Were these the cards you saw?"]);
    });

    test("a root that comes after the bundle was opened is not remembered as seen before", async () => {
      await open(await makeLink(sample));
      await page.waitForSelector(".answer");
      await page.click("text=Close this hand");
      await paste(sampleDeck.deck);
      assert.equal(await page.isVisible("text=remember it"), false);
      assert.equal(await page.isVisible("text=no longer remembers"), true);
    });

    test("a root of another hand refuses nothing, unless the player says that it was shown for this one", async () => {
      await open();
      await paste(`Deck root: ${"A".repeat(64)}`);
      await page.click("text=remember it");
      await visit(json(named("selective, seat 1: players, community card")));
      assert.equal((await answer()).verdict, "consistent");
      await page.click("text=This was shown for this hand");
      assert.equal((await answer()).code, "E_COMMITTED");
    });

    test("entries: another deck entry of this hand is refused; the opening counts under a beacon only if it came before the round", async () => {
      const bundle = named("selective, seat 4 with own seed: beacon, stud-8b");
      await open();
      await paste(`${bundle.deck_entry}\n${bundle.open_entry}`);
      await page.click("text=remember it"); // years after the round of 2023
      await visit(json(bundle));
      let a = await answer();
      assert.equal(a.verdict, "deck fixed");
      assert.match(a.head, /When its cut was fixed is not shown\.$/);
      await page.click("text=Close this hand");
      await page.click("text=Erase everything");
      await paste(bundle.open_entry);
      await page.click("text=use it once");
      await visit(json(bundle));
      a = await answer();
      assert.equal(a.verdict, "accepted");
      assert.match(a.head, /you had its opening before 2023-08-23 15:59:24 UTC/);

      await open();
      await paste(bundle.deck_entry.replace(/^deck [0-9a-f]{64}$/m, `deck ${"0".repeat(64)}`));
      await page.click("text=remember it");
      await visit(json(bundle));
      assert.equal((await answer()).code, "E_COMMITTED");
    });

    test("entries with the end of the hand, or an opening with its cut, are not remembered as from before", async () => {
      const bundle = named("selective, seat 1: players, community card");
      await open();
      await paste([bundle.deck_entry, bundle.open_entry, bundle.cut_entry, bundle.close_entry].join("\n"));
      assert.equal(await page.isVisible("#pending >> text=remember it"), false);
      assert.equal(await page.isVisible("text=hold the end of their hands"), true);
      await page.click("text=leave it out");
      await paste([bundle.deck_entry, bundle.open_entry, bundle.cut_entry].join("\n"));
      await page.click("text=remember it");
      await visit(json(bundle));
      assert.equal((await answer()).verdict, "deck fixed");
      await page.click("text=Close this hand");
      await page.click("text=Erase everything");
      await paste([bundle.deck_entry, bundle.open_entry].join("\n"));
      await page.click("text=remember it");
      await visit(json(bundle));
      assert.match((await answer()).head, /you gave your seed after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC[+\u2212]\d\d:\d\d, when this page remembered its opening\.$/);
    });

    test("a receipt needs a trust file, and counts with it", async () => {
      const bundle = named("selective, seat 7: none, stud-hi");
      const { proofs, ...bare } = bundle;
      await open();
      await trust(vectors.trust);
      await paste(proofs.deck);
      await page.click("text=remember it");
      await visit(json({ ...bare, proofs: { close: proofs.close } }));
      assert.match((await answer()).head, /your first card came after 2023-08-23 15:49:25 UTC, when witnesses had seen it/);
      assert.equal((await answer()).verdict, "accepted");
    });

    test("several things at once: each is asked about in turn", async () => {
      const { proofs, ...bare } = named("selective, seat 7: none, stud-hi");
      await open();
      await page.evaluate((texts) => {
        const d = new DataTransfer();
        texts.forEach((t, i) => d.items.add(new File([t], String(i))));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: d, bubbles: true, cancelable: true }));
      }, [JSON.stringify({ ...bare, proofs: { close: proofs.close } }), proofs.deck, JSON.stringify(vectors.trust)]);
      await page.click("text=use it once");
      await page.click("text=Use it and remember it");
      assert.equal((await answer()).verdict, "accepted");
    });

    test("cards: seats, streets, what is hidden, a burned card that comes back", async () => {
      await open(await makeLink(sample));
      await page.waitForSelector("table");
      const labels = (sel) => page.evaluate((s) => [...document.querySelectorAll(s)].map((e) => e.getAttribute("aria-label")), sel);
      const rows = await page.evaluate(() => [...document.querySelectorAll("tbody tr")].map((r) => `${r.querySelector("th").textContent}: ${[...r.querySelectorAll("td")].map((d) => d.querySelectorAll(".card").length).join("")}`));
      assert.deepEqual(rows, ["Seat 1: 31111", "Seat 2: 31111", "Seat 4: 31111", "Seat 5: 31111"]);
      assert.deepEqual((await labels("tbody tr:nth-child(3) .card")).slice(0, 3), ["7 of clubs, dealt face down", "king of clubs, dealt face down", "3 of clubs, face up"]);
      assert.equal((await labels(".hid")).length, 28 - 19);
      assert.ok((await labels(".hid")).every((l) => l === "hidden card, dealt face down"));
      assert.match((await answer()).text, /Why are cards hidden\?/);

      await visit(json(named("selective, seat 6: espacejeux 8-8-8-2, a burned card is dealt out again")));
      assert.match((await answer()).text, /Why can a burned card come back\?/);
      assert.ok((await labels(".bk")).length > 0);
    });

    test("own cards and own seed: stated, wrong, taken back", async () => {
      const bundle = named("selective, seat 1: players, community card");
      const { seen, my_seed, ...bare } = bundle;
      await open(await makeLink(json(bare)));
      await page.waitForSelector(".mine");
      await page.click("text=Yes, all that is shown of my cards");
      assert.match((await answer()).text, /The cards you state are the committed ones\./);
      await page.selectOption("#seat", String(my_seed.seat));
      await page.fill("#seed", my_seed.seed);
      await page.click(".mine > button:has-text('Compare')");
      assert.match((await answer()).text, /The seed you gave entered the cut\./);
      await page.click("text=No, one was different");
      await page.selectOption("#saw", "2c");
      await page.click("details >> text=Compare");
      assert.equal((await answer()).code, "E_SEEN");
      await page.click("text=Take back what I stated");
      assert.equal((await answer()).verdict, "consistent");
    });

    test("files: several at once, dropped or chosen; what is no bundle gets no verdict", async () => {
      await open();
      await page.setInputFiles("#file", at("../../fixtures/samples/seat-4.json"));
      await page.waitForSelector(".answer");
      assert.equal((await answer()).verdict, "consistent");
      const [first, second] = ["selective, seat 1: players, community card", "full reveal: players, stud-hi, community card"].map((n) => JSON.stringify(named(n)));
      await page.evaluate((texts) => {
        const d = new DataTransfer();
        texts.forEach((t, i) => d.items.add(new File([t], `${i}.json`)));
        document.querySelector("#answer").replaceChildren();
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: d, bubbles: true, cancelable: true }));
      }, [first, second]);
      await page.waitForSelector(".answer + .answer");
      assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll(".answer")].map((a) => a.dataset.verdict)), ["consistent", "consistent"]);
      await visit(utf8('{"format":"deckproof/v1 reveal", "deck'));
      assert.equal((await answer()).verdict, "unread");
      await paste("hello");
      assert.match(await page.textContent("#notice"), /The page reads only/);
      await paste(`41 33 O3${"0".repeat(56)}`);
      assert.match(await page.textContent("#notice"), /64 digits, .* Found: 61\. Other characters, with their places: O \(5\)\./);
      await paste("41 33 ".repeat(16));
      assert.equal(await page.isVisible("text=use it once"), true);
    });

    test("keyboard alone: paste a root, remember it, open the bundle", async () => {
      await open();
      const focused = () => page.evaluate(() => document.activeElement === document.body ? "" : document.activeElement.id || document.activeElement.textContent);
      const tabTo = async (what) => {
        for (let i = 0; i < 30 && !(await focused()).includes(what); i++) await page.keyboard.press("Tab");
        assert.ok((await focused()).includes(what), `${what}: ${await focused()}`);
      };
      await tabTo("paste");
      await page.keyboard.insertText(sampleDeck.deck);
      await tabTo("Read it");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#pending h2");
      await tabTo("remember it");
      await page.keyboard.press("Enter");
      await tabTo("paste");
      // Typed key by key, as Firefox is made to, these 6 kB take a minute.
      await page.evaluate((t) => void (document.activeElement.value = t), sample.toString());
      await tabTo("Read it");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".answer");
      assert.equal((await answer()).verdict, "accepted");
      assert.ok((await focused()).startsWith("Accepted"));
    });

    test("four widths without a sideways scroll; axe finds nothing, in both languages", async () => {
      const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
      const bundles = {
        empty: null, consistent: sample,
        burned: json(named("selective, seat 6: espacejeux 8-8-8-2, a burned card is dealt out again")),
        common: json(named("selective, seat 3: espacejeux, community card from the pool")),
        void: json(named("void form: beacon, cut and proofs")),
        refused: bytesOf(vectors.negative.find((c) => c.expect === "E_DECK_ROOT")),
      };
      await open();
      await page.evaluate(axe);
      for (const [name, bytes] of Object.entries(bundles))
        for (const language of ["en", "fr"]) {
          if ((await page.evaluate(() => document.documentElement.lang)) !== language) await page.click("header button");
          if (bytes !== null) await visit(bytes);
          else await page.fill("#paste", "1".repeat(64)).then(() => page.click(".give .main"));
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            const wide = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll(".felt")].map((f) => f.scrollWidth - f.clientWidth)]);
            assert.ok(wide.every((w) => w <= 0), `${name} ${language} ${width}: ${wide}`);
            if (width === 375 || width === 768) continue;
            const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 120)} ${v.nodes[0].failureSummary}`)));
            assert.deepEqual(found, [], `${name} ${language} ${width}`);
          }
          const left = await page.evaluate(() => document.body.innerText.match(/\{\w+\}|\b(?:v|h|n|s|if|code|give|when|x|a|r)\.[a-z]+\b/g));
          assert.equal(left, null);
        }
      assert.deepEqual(requests, []);
    });

    test("dark: axe finds nothing", async () => {
      const dark = await b.launch(b.path, true);
      try {
        const p = await (await dark.newContext({ colorScheme: "dark" })).newPage();
        await p.goto(PAGE + (await makeLink(sample)));
        await p.waitForSelector(".answer");
        assert.equal(await p.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches), true);
        await p.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
        assert.deepEqual(await p.evaluate(() => globalThis.axe.run().then((r) => r.violations.map((v) => `${v.id} ${v.nodes[0].failureSummary}`))), []);
      } finally {
        await dark.close();
      }
    });

    test("when served the page and what lies beside it, nothing after; the policy stops what a changed page would send", async () => {
      const server = await counting();
      try {
        await open(`#${sampleDeck.deck}`, `${server.url}/verify.html`);
        await page.click("text=remember it");
        await context.setOffline?.(true).catch(() => undefined);
        await visit(sample);
        assert.equal((await answer()).verdict, "accepted");
        await context.setOffline?.(false).catch(() => undefined);
        const sent = await page.evaluate(async (url) => {
          const out = [];
          out.push(await fetch(`${url}/fetch`).then(() => "fetched", () => "stopped"));
          out.push(await new Promise((done) => {
            const i = new Image();
            i.onload = i.onerror = () => done("loaded or stopped");
            i.src = `${url}/image`;
          }));
          out.push(navigator.sendBeacon(`${url}/beacon`, "x"));
          return out;
        }, server.url);
        assert.equal(sent[0], "stopped");
        await new Promise((r) => setTimeout(r, 300));
        assert.ok(errors.every((e) => e.includes("Content-Security-Policy")), errors.join("\n"));
        errors = [];
        // sw.js, which this server has not, is looked for beside the page.
        assert.deepEqual(server.seen, ["/verify.html", "/sw.js"]);
        // The same without the page is seen: the count counts.
        await page.goto(`${server.url}/nothing`);
        await page.evaluate((url) => fetch(`${url}/fetch`).catch(() => undefined), server.url);
        assert.ok(server.seen.includes("/fetch"));
        assert.ok(requests.some((r) => r.endsWith("/fetch")));
      } finally {
        await context.close();
        context = undefined;
        await server.close();
      }
    });
  });
}
