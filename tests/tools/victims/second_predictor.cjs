// Prints four decks of Math.random as "deck …", and the fifth as npm's js-randomness-predictor names it from the first six
// numbers of it, as "next …". That package knows nothing of the cache of 64 numbers, so that 52 calls come before: the
// fifth deck then lies in one cache. NODE_PATH must lead to the package.
const predictor = require("js-randomness-predictor");

function deal(next) {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  for (let i = 51; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck.join(" ");
}

(async () => {
  for (let call = 52 + 64 * Number(process.argv[2] ?? 0); call > 0; call--) Math.random();
  for (let hand = 0; hand < 4; hand++) console.log("deck " + deal(Math.random));
  const numbers = Array.from({ length: 6 }, Math.random);
  const other = predictor.node([...numbers]);
  while (numbers.length < 51) numbers.push(await other.predictNext());
  console.log("next " + deal(() => numbers.shift()));
  process.exit(0);
})();
