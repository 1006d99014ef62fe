// One shuffled deck of 52 a line: node_sort_keys.js CALLS DECKS. Each card gets a Math.random() and the cards are sorted by it.
const [calls, decks] = process.argv.slice(2).map(Number);
for (let i = 0; i < calls; i++) Math.random();
for (let n = 0; n < decks; n++) {
  const deck = Array.from({ length: 52 }, (_, card) => ({ card, key: Math.random() }));
  console.log(deck.sort((a, b) => a.key - b.key).map(({ card }) => card).join(' '));
}
