// audit.html in real browsers, against the program. It is built apart (tests/tools/audit_page.sh) and named by $AUDIT_PAGE; where it, a
// browser or the program is missing, the tests are skipped, by name.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "fflate";
import { BROWSERS } from "./browsers.mjs";

const at = (name) => fileURLToPath(new URL(name, import.meta.url));
const PAGE = process.env.AUDIT_PAGE ?? at("../../target/audit.html");
const PROGRAM = process.env.DECKPROOF;
const missing = !existsSync(PAGE) ? `${PAGE} was not built (tests/tools/audit_page.sh)` : !PROGRAM ? "DECKPROOF names no program" : null;
const SAMPLE = at("../../fixtures/samples/export.csv");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What the program makes of the same file at the same table. */
function native(file, rules, players) {
  const folder = mkdtempSync(join(tmpdir(), "audit-"));
  try {
    let exit = 0;
    try {
      execFileSync(PROGRAM, ["audit", file, "--rules", rules, "--players", players, "--out", join(folder, "out")], { stdio: "ignore" });
    } catch (error) {
      exit = error.status;
    }
    const certificate = join(folder, "out", "certificate.json");
    return { exit, certificate: existsSync(certificate) ? JSON.parse(readFileSync(certificate)) : null };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const b of BROWSERS) {
  const why = missing ?? (b.path === null ? `${b.name} is not installed` : null);
  if (why) console.error(`SKIPPED: the tests of audit.html in ${b.name}: ${why}.`);
  describe(`audit.html in ${b.name}`, { skip: why ?? false }, () => {
    let browser;
    let page;
    let requests = [];
    const url = pathToFileURL(PAGE).href;
    before(async () => {
      browser = await b.launch(b.path);
      page = await (await browser.newContext()).newPage();
      // Its policy lets the page fetch nothing, what it offers to save included: what it makes is kept for the test.
      await page.addInitScript(() => {
        const made = URL.createObjectURL;
        globalThis.offered = new Map();
        URL.createObjectURL = (blob) => {
          const url = made.call(URL, blob);
          globalThis.offered.set(url, blob);
          return url;
        };
      });
      page.setDefaultTimeout(300_000); // a busy machine is no failure
      page.on("request", (r) => void (/^(file|data|blob):/.test(r.url()) || requests.push(r.url())));
      await page.goto(url);
      await page.waitForSelector("main");
    });
    after(() => browser?.close());

    /** Audits a file and gives the text of the answer, and the certificate if there is one. */
    const audited = async (file, rules = "stud-hi", players = "6") => {
      await page.evaluate(() => document.querySelector("#answer").replaceChildren());
      await page.setInputFiles("#file", file);
      await page.selectOption("#rules", rules);
      await page.selectOption("#players", players);
      await page.click("#begin");
      await page.waitForSelector("#verdict");
      return page.evaluate(() => {
        const verdict = document.querySelector("#verdict");
        return { verdict: verdict.textContent, tone: verdict.className, hasCertificate: document.querySelector("a[download='certificate.json']") !== null };
      });
    };
    const offered = (name) => page.evaluate((file) => globalThis.offered.get(document.querySelector(`a[download='${file}']`).href).text(), name);

    test("the certificate is that of the program, byte for byte in its result, at two tables", async () => {
      for (const [rules, players] of [["stud-hi", "6"], ["espacejeux", "5"]]) {
        const answer = await audited(SAMPLE, rules, players);
        const other = native(SAMPLE, rules, players);
        assert.equal(other.exit, 0);
        assert.match(answer.tone, /good/);
        const certificate = JSON.parse(await offered("certificate.json"));
        assert.equal(JSON.stringify(certificate.result), JSON.stringify(other.certificate.result));
        assert.match(certificate.tool.executable_sha256, /^[0-9a-f]{64}$/);
        assert.match(await offered("report.html"), /<h1/);
      }
    });

    test("a packed file, a faulty shuffler, and a file that holds no decks", async () => {
      const folder = mkdtempSync(join(tmpdir(), "decks-"));
      const packed = join(folder, "export.csv.gz");
      writeFileSync(packed, gzipSync(readFileSync(SAMPLE)));
      assert.match((await audited(packed)).verdict, /PASS/);
      // The verdict is not read from what is printed, in which names of files stand.
      const faulty = join(folder, "INCONCLUSIVE.csv");
      writeFileSync(faulty, execFileSync(PROGRAM, ["stream", "--decks", "2000", "--source", "flawed:naive-swap"], { stdio: ["ignore", "pipe", "ignore"] }));
      const answer = await audited(faulty);
      assert.match(answer.tone, /bad/);
      assert.match(answer.verdict, /FAIL/);
      const none = join(folder, "none.csv");
      writeFileSync(none, "nothing\nat all\n");
      const refused = await audited(none);
      assert.match(refused.tone, /open/);
      assert.equal(refused.hasCertificate, false);
      rmSync(folder, { recursive: true });
    });

    test("four widths without a sideways scroll; axe finds nothing, in both languages; no request was made", async () => {
      await audited(SAMPLE);
      await page.evaluate(axe);
      for (const width of [320, 375, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
        if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `audit-${b.name}-${width}.png`), fullPage: true });
      }
      const violations = () => page.evaluate(() => globalThis.axe.run().then((r) => r.violations.map((v) => `${v.id} ${v.nodes[0].failureSummary}`)));
      assert.deepEqual(await violations(), []);
      await page.click("header button");
      assert.equal(await page.evaluate(() => document.documentElement.lang), "fr");
      assert.deepEqual(await violations(), []);
      assert.deepEqual(requests, []);
    });
  });
}
