// Fisher-Yates downward on the interpreter's Math.random. Arguments: calls before, decks.
const [calls, decks] = process.argv.slice(2).map(Number);
for (let call = 0; call < calls; call++) Math.random();
const lines = [];
for (let hand = 0; hand < decks; hand++) {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  for (let i = 51; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  lines.push(deck.join(" "));
}
console.log(lines.join("\n"));
