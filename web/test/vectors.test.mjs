// Every vector of fixtures/protocol.json, in Node.js. The browsers run the same checks in page.test.mjs.

import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cases } from "./vectors.mjs";

for (const { name, run } of cases(JSON.parse(readFileSync(new URL("../../fixtures/protocol.json", import.meta.url), "utf8")))) test(name, run);
