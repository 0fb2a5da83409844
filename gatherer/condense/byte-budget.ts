const encoder = new TextEncoder();

/** Hands out bytes of UTF-8 for the values of one summary until there are none. */
export class TextRoom {
  #left: number;
  /** Whether something did not fit. */
  cut = false;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Parts on lines of their own, as many as fit; the one that does not is cut at a character. */
  lines(parts: readonly string[]): string {
    const kept: string[] = [];
    for (const part of parts) {
      const separator = kept.length === 0 ? 0 : 1;
      const bytes = Buffer.byteLength(part) + separator;
      if (bytes <= this.#left) {
        kept.push(part);
        this.#left -= bytes;
        continue;
      }
      this.cut = true;
      const room = Math.max(0, this.#left - separator);
      const rest = part.slice(0, encoder.encodeInto(part, new Uint8Array(room)).read);
      this.#left = 0;
      if (rest !== '') kept.push(rest);
      break;
    }
    return kept.join('\n');
  }
}
