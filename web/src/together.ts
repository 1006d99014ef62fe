// Bundles of one hand, judged together: E_DIFFERENT.

import { type Answer, type Hand, refused } from "./bundle.js";
import type { Entry } from "./entry.js";
import { Refusal } from "./refusal.js";

const name = ({ deck }: Hand): string => `${deck.origin} ${deck.table} ${deck.hand}`;
const differ = (a: Entry | null, b: Entry | null): boolean => a !== null && b !== null && a.text !== b.text;

export function together(answers: Answer[]): Answer[] {
  return answers.map((a) => {
    if (a.hand === null) return a;
    const mine = a.hand;
    const other = answers.some(({ hand }) => hand !== null && name(hand) === name(mine) &&
      (differ(hand.deck, mine.deck) || differ(hand.open, mine.open) || differ(hand.cut, mine.cut) || differ(hand.end, mine.end)));
    return other ? refused(new Refusal("E_DIFFERENT", "two bundles of one hand")) : a;
  });
}
