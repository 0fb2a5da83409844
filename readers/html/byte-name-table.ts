const size = 1024;

/** Looks up ASCII names in either case within a text, without cutting them out: it runs per tag. */
export class NameTable<Value> {
  /** Entries by hash; the few with the same hash share a slot. */
  readonly #slots: ({ readonly name: string; readonly value: Value }[] | undefined)[];
  readonly #longest: number;
  readonly size: number;

  /** `entries` by lower-case ASCII name. */
  constructor(entries: readonly (readonly [name: string, value: Value])[]) {
    this.#slots = new Array(size).fill(undefined);
    this.size = entries.length;
    let longest = 0;
    for (const [name, value] of entries) {
      longest = Math.max(longest, name.length);
      const slot = slotOf(name, 0, name.length);
      const taken = this.#slots[slot];
      if (taken === undefined) this.#slots[slot] = [{ name, value }];
      else taken.push({ name, value });
    }
    this.#longest = longest;
  }

  /** The value of the name at `start` up to `end` of `text`, or undefined. */
  find(text: string, start: number, end: number): Value | undefined {
    if (end - start > this.#longest) return undefined;
    const slot = this.#slots[slotOf(text, start, end)];
    if (slot === undefined) return undefined;
    for (const entry of slot) if (matches(entry.name, text, start, end)) return entry.value;
    return undefined;
  }
}

function slotOf(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (text.charCodeAt(at) | 32)) | 0;
  return (hash ^ (hash >>> 10)) & (size - 1);
}

function matches(name: string, text: string, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) {
    const code = text.charCodeAt(start + at);
    const lower = code >= 65 && code <= 90 ? code + 32 : code;
    if (lower !== name.charCodeAt(at)) return false;
  }
  return true;
}
