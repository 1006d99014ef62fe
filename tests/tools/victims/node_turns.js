// Tables that shuffle at the same time and draw in turn from the interpreter's Math.random, Fisher-Yates downward; the decks of the first
// are printed. Arguments: tables, calls before, decks.
const [tables, calls, decks] = process.argv.slice(2).map(Number);
for (let call = 0; call < calls; call++) Math.random();
const lines = [];
for (let hand = 0; hand < decks; hand++) {
  const all = Array.from({ length: tables }, () => Array.from({ length: 52 }, (_, card) => card));
  for (let i = 51; i > 0; i--) {
    for (const deck of all) {
      const j = Math.floor(Math.random() * (i + 1));
      [deck[i], deck[j]] = [deck[j], deck[i]];
    }
  }
  lines.push(all[0].join(" "));
}
console.log(lines.join("\n"));
