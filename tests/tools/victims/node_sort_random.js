// One shuffled deck of 52 a line: node_sort_random.js CALLS DECKS. Sorted with a comparator that guesses.
const [calls, decks] = process.argv.slice(2).map(Number);
for (let i = 0; i < calls; i++) Math.random();
for (let n = 0; n < decks; n++) {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  console.log(deck.sort(() => Math.random() - 0.5).join(' '));
}
