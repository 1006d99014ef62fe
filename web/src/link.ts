// A link whose fragment carries a bundle or entries (docs/page.md).

import { type Bytes, fromBase64 } from "./bytes.js";
import { Unreadable } from "./refusal.js";

/** Characters behind the number sign. */
export const MAX_FRAGMENT = 1 << 17;
const MAX_TEXT = 1 << 20;
const MARK = "d1.";
const PIECE = 1024; // Deflate makes at most 1,032 bytes of one, so that no piece makes much more than 1 MiB.

/** The bytes that a stream gives; `Unreadable` as soon as they are more than a bundle may have. */
async function gather(stream: ReadableStream<Bytes>): Promise<Bytes> {
  const reader = stream.getReader();
  const parts: Bytes[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_TEXT) {
      reader.cancel().catch(() => undefined);
      throw new Unreadable("a link with more than 1 MiB");
    }
    parts.push(value);
  }
  const out = new Uint8Array(length);
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}

function pieces(bytes: Bytes): ReadableStream<Bytes> {
  let at = 0;
  return new ReadableStream<Bytes>({
    pull(c) {
      if (at >= bytes.length) c.close();
      else c.enqueue(bytes.slice(at, (at += PIECE)));
    },
  });
}

const through = (bytes: Bytes, by: CompressionStream | DecompressionStream): Promise<Bytes> =>
  gather(pieces(bytes).pipeThrough(by as unknown as ReadableWritablePair<Bytes, Bytes>));

export async function inflate(packed: Bytes): Promise<Bytes> {
  try {
    return await through(packed, new DecompressionStream("deflate-raw"));
  } catch (e) {
    throw e instanceof Unreadable ? e : new Unreadable("a link that is cut off or damaged");
  }
}

/** The fragment of a text that may be a link: what is behind its first `#`, or all of it. */
const fragmentOf = (text: string): string => text.slice(text.indexOf("#") + 1).trim();

export const isLink = (text: string): boolean => fragmentOf(text).startsWith(MARK);

/** What a link carries: the bytes of a bundle, or of a file of entries. */
export async function readLink(text: string): Promise<Bytes> {
  const fragment = fragmentOf(text);
  const body = fragment.slice(MARK.length);
  if (!fragment.startsWith(MARK) || fragment.length > MAX_FRAGMENT || !/^[A-Za-z0-9_-]+$/.test(body)) throw new Unreadable("no link to a bundle");
  const packed = fromBase64(body.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(body.length / 4) * 4, "="));
  if (packed === null) throw new Unreadable("a link that is cut off or damaged");
  return inflate(packed);
}

/** The fragment for these bytes, `#` included. */
export async function makeLink(bytes: Bytes): Promise<string> {
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const text = btoa(Array.from(packed, (b) => String.fromCharCode(b)).join(""));
  return `#${MARK}${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}
