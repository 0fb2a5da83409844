import { ByteView } from '../../bytes/index.ts';

/** A record of a workbook stream (MS-XLS section 2.1.4) with the parts that continue it. */
export interface ExcelRecord {
  readonly type: number;
  readonly parts: readonly ByteView[];
}

const continues = 0x3c;

/** The records of a stream in order; a record cut short is the last. */
export function* excelRecords(bytes: Uint8Array): Generator<ExcelRecord> {
  const view = new ByteView(bytes, true);
  let at = 0;
  while (at + 4 <= view.length) {
    const type = view.u16(at);
    const parts: ByteView[] = [];
    do {
      const length = view.u16(at + 2);
      parts.push(view.part(at + 4, at + 4 + length));
      at += 4 + length;
    } while (at + 4 <= view.length && view.u16(at) === continues);
    yield { type, parts };
  }
}

/** A record's strings; one may continue in the next part, which begins with the width of its letters. */
export class ExcelStrings {
  readonly #parts: readonly ByteView[];
  #part = 0;
  #at: number;

  constructor(parts: readonly ByteView[], at: number) {
    this.#parts = parts;
    this.#at = at;
  }

  /** The next string with a length of two bytes; throws RangeError at the end. */
  next(): string {
    const length = this.#number(2);
    const flags = this.#number(1);
    const runs = (flags & 8) !== 0 ? this.#number(2) : 0;
    const extra = (flags & 4) !== 0 ? this.#number(4) : 0;
    const text = this.#letters(length, (flags & 1) !== 0);
    this.#skip(4 * runs + extra);
    return text;
  }

  #view(): ByteView {
    for (;;) {
      const view = this.#parts[this.#part];
      if (view === undefined) throw new RangeError('strings end');
      if (this.#at < view.length) return view;
      this.#part++;
      this.#at = 0;
    }
  }

  #number(bytes: number): number {
    let value = 0;
    for (let at = 0; at < bytes; at++) value += this.#view().u8(this.#at++) * 2 ** (8 * at);
    return value;
  }

  #letters(length: number, wide: boolean): string {
    let text = '';
    let left = length;
    let two = wide;
    while (left > 0) {
      const before = this.#part;
      const view = this.#view();
      if (this.#part !== before) two = (view.u8(this.#at++) & 1) !== 0;
      const width = two ? 2 : 1;
      const count = Math.min(left, Math.floor((view.length - this.#at) / width));
      if (count === 0) {
        this.#at = view.length;
        continue;
      }
      const end = this.#at + count * width;
      text += two ? view.utf16(this.#at, end) : view.latin1(this.#at, end);
      this.#at = end;
      left -= count;
    }
    return text;
  }

  #skip(bytes: number): void {
    for (let left = bytes; left > 0; ) {
      const view = this.#view();
      const step = Math.min(left, view.length - this.#at);
      this.#at += step;
      left -= step;
    }
  }
}
