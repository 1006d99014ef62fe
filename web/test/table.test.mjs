// A hand at a table of `deckproof serve`, as a player's phone sees it: the QR code, the page, the hand; and the page without a network.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import jsQR from "jsqr";
import { makeLink } from "../dist/index.js";
import { utf8 } from "../dist/bytes.js";
import { BROWSERS } from "./browsers.mjs";

const program = process.env.DECKPROOF ?? "deckproof";
const missing = spawnSync(program, ["--version"]).status !== 0 ? "no executable of the first implementation" : false;
const TOKEN = "a-token-of-enough-letters";

const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

/** A service in a folder of its own; `stop` ends it, and the folder. */
async function service() {
  const folder = mkdtempSync(join(tmpdir(), "table-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, "token.txt"), TOKEN);
  const init = ["log", "init", "room/log", "--origin", "stud.example/log1", "--key", "log.key", "--trust", "trust.json"];
  const begun = spawnSync(program, init, { cwd: folder, encoding: "utf8" });
  assert.equal(begun.status, 0, begun.stderr);
  const child = spawn(program, ["serve", "room", "--log-key", "log.key", "--listen", `127.0.0.1:${port}`, "--token", "token.txt", "--page", `${url}/verify.html`], { cwd: folder });
  const ended = new Promise((done) => child.once("exit", done));
  await new Promise((done, failed) => {
    child.stderr.once("data", done);
    ended.then((code) => failed(new Error(`the service ended: ${code}`)));
  });
  let step = 0;
  const call = async (name, fields, moves = true) => {
    const body = JSON.stringify({ table: "T-1", hand: 1, ...(moves ? { step: ++step } : {}), ...fields });
    const answer = await fetch(`${url}/v1/${name}`, { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` }, body });
    const said = await answer.json();
    assert.equal(answer.status, 200, JSON.stringify(said));
    return said;
  };
  const stop = async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, call, stop };
}

/** The modules of an SVG as a browser paints them, read by another program. */
async function scanned(page, svg) {
  const bits = await page.evaluate(async (text) => {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 400 });
    const c = canvas.getContext("2d");
    c.drawImage(image, 0, 0, 400, 400);
    return [...c.getImageData(0, 0, 400, 400).data].filter((_, i) => i % 4 === 0).map((v) => (v > 127 ? "1" : "0")).join("");
  }, svg);
  return jsQR(Uint8ClampedArray.from([...bits].flatMap((b) => [255 * b, 255 * b, 255 * b, 255])), 400, 400)?.data;
}

for (const b of BROWSERS) {
  const skip = b.path === null ? `${b.name} is not installed` : missing;
  if (skip) console.error(`SKIPPED: the hand at a table in ${b.name}: ${skip}`);
  describe(`a hand at a table in ${b.name}`, { skip }, () => {
    let browser, page, served;
    const errors = [];
    before(async () => {
      browser = await b.launch(b.path);
      served = await service();
      const context = await browser.newContext({ viewport: { width: 375, height: 700 } });
      context.setDefaultTimeout(120_000);
      page = await context.newPage();
      page.on("pageerror", (e) => errors.push(String(e)));
    });
    after(async () => {
      await browser?.close();
      await served?.stop();
    });
    const answer = async () => {
      await page.waitForSelector(".answer");
      return page.evaluate(() => ({ verdict: document.querySelector(".answer").dataset.verdict, head: document.querySelector(".head").textContent }));
    };
    let bundle;

    test("the code at the table, remembered with its time, makes the hand accepted", async () => {
      const { deck_entry } = await served.call("commit", { mix: "none" });
      const svg = await (await fetch(`${served.url}/tables/T-1/hands/1/root.svg`)).text();
      await page.goto("about:blank");
      const link = await scanned(page, svg);
      assert.equal(link, `${served.url}/verify.html#${/^deck (\w{64})$/m.exec(deck_entry)[1]}`);
      await page.goto(link);
      await page.click("text=Just now, before my first card");
      await page.waitForSelector("#memory li");
      assert.match(await page.textContent("#memory li"), /[0-9a-f]{64}.*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
      // What the page does beside: the browser keeps it.
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

      await served.call("open", { rules: "stud-hi", seats: [1, 2, 4] });
      await served.call("street", { live: [1, 2, 4] });
      assert.equal((await fetch(`${served.url}/tables/T-1/hands/1/root.svg`)).status, 404);
      await served.call("close", { shown_down: [] });
      ({ bundle } = await served.call("bundle", { seat: 4 }, false));
      await page.goto("about:blank");
      await page.goto(`${served.url}/verify.html${await makeLink(utf8(bundle))}`);
      const { verdict, head } = await answer();
      assert.equal(verdict, "accepted");
      assert.match(head, /^This deck was fixed before the hand, if your first card came after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC[+\u2212]\d\d:\d\d, when this page remembered it\.$/);
    });

    test("without a network the page opens again, also another hand's link, and still remembers", async () => {
      await served.stop();
      await assert.rejects(fetch(served.url));
      await page.reload();
      assert.equal((await answer()).verdict, "accepted");
      await page.goto("about:blank");
      await page.goto(`${served.url}/verify.html${await makeLink(readFileSync(new URL("../../fixtures/samples/seat-4.json", import.meta.url)))}`);
      assert.equal((await answer()).verdict, "consistent");
      assert.deepEqual(errors, []);
    });
  });
}
