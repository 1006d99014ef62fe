// A poker server in Node.js 20 without an engine: every hand is dealt to the river.
//
//     node table.mjs 127.0.0.1:7001 token.txt T-3 100
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [address, tokenFile, table, hands] = process.argv.slice(2);
const headers = { "Content-Type": "application/json", Authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };

// The same call until it is answered: a service that was away comes back.
async function ask(name, body) {
  for (;;) {
    try {
      const answer = await fetch(`http://${address}/v1/${name}`, { method: "POST", headers, body: JSON.stringify(body) });
      const read = await answer.json();
      if (answer.status !== 429 && answer.status !== 503) return { status: answer.status, ...read };
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    }
    await sleep(200);
  }
}

async function call(place, name, fields) {
  place.step += 1;
  const answer = await ask(name, { ...place, ...fields });
  if (answer.status !== 200) throw new Error(`${name}: ${answer.error}: ${answer.message}`);
  return answer;
}

const at = await ask("status", { table });
let hand = 1;
if (at.status === 200) {
  if (at.next.step > 1) await ask("void", { table, ...at.next, reason: "server-restarted" });
  hand = at.next.step > 1 ? at.next.hand + 1 : at.next.hand;
}
for (const last = hand + Number(hands); hand < last; hand += 1) {
  const place = { table, hand, step: 0 };
  const seats = [1, 3, 4, 8];
  await call(place, "commit", { mix: "none" });
  await call(place, "open", { rules: "stud-8b", seats });
  for (let street = 3; street <= 7; street += 1) {
    const dealt = await call(place, "street", { live: seats });
    // dealt.own["3"] goes to seat 3 and to nobody else; dealt.public goes to all.
    if (dealt.street !== street) throw new Error(`street ${dealt.street}`);
  }
  await call(place, "close", { shown_down: [1, 3] });
}
