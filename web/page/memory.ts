// What this browser remembers: texts that were seen before a hand, with the time, and decks whose bundle was opened.

export type What = "root" | "entries" | "receipt" | "trust";
/** `at` is null for what the player states to have had before, for one answer only. */
export interface Item { what: What; text: string; at: number | null }
interface Store { items: Item[]; opened: Record<string, number>; lang: string }

const KEY = "deckproof";
const MAX_OPENED = 500;
const empty = (): Store => ({ items: [], opened: {}, lang: "" });

function load(): Store {
  try {
    const s = JSON.parse(localStorage.getItem(KEY) ?? "null") as Store | null;
    if (s !== null && Array.isArray(s.items) && typeof s.opened === "object") return s;
  } catch {
    // Storage that is refused or broken counts as empty.
  }
  return empty();
}

export const store = load();
/** Whether the last change was kept. */
export let keeps = true;

export function save(): void {
  const opened = Object.entries(store.opened);
  if (opened.length > MAX_OPENED) store.opened = Object.fromEntries(opened.sort((a, b) => b[1] - a[1]).slice(0, MAX_OPENED));
  try {
    localStorage.setItem(KEY, JSON.stringify(store));
    keeps = true;
  } catch {
    keeps = false;
  }
}

export function remember(item: Item): void {
  // One trust file, and the earliest time of a text.
  if (item.what === "trust") store.items = store.items.filter((i) => i.what !== "trust");
  if (!store.items.some((i) => i.text === item.text)) store.items.push(item);
  save();
}

export function erase(item: Item): void {
  store.items = store.items.filter((i) => i !== item);
  save();
}

export function eraseAll(): void {
  Object.assign(store, empty(), { lang: store.lang });
  try {
    localStorage.removeItem(KEY);
  } catch {
    keeps = false;
  }
}
