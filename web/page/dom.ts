// Elements are made one by one; no text is ever read as HTML.

type Child = Node | string | null | false;

export function el(tag: string, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElement {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children.filter((c): c is Node | string => c !== null && c !== false));
  return e;
}

export function button(text: string, press: () => void, attributes: Record<string, string> = {}): HTMLElement {
  const b = el("button", { type: "button", ...attributes }, text);
  b.addEventListener("click", press);
  return b;
}

export const byId = (id: string): HTMLElement => document.getElementById(id)!;
