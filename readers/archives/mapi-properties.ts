import { type ByteView, beforeZero } from '../bytes/index.ts';
import { decodeText } from '../charsets/index.ts';

const maxProperties = 20_000;
const maxValues = 1000;

/** Properties by their numbers (MS-OXPROPS). */
const names: ReadonlyMap<number, string> = new Map([
  [0x001a, 'messageClass'],
  [0x0037, 'subject'],
  [0x0039, 'sent'],
  [0x0c1a, 'senderName'],
  [0x0c1f, 'senderAddress'],
  [0x0e03, 'cc'],
  [0x0e04, 'to'],
  [0x1000, 'body'],
  [0x1009, 'rtf'],
  [0x1013, 'html'],
  [0x1035, 'messageId'],
  [0x3001, 'displayName'],
  [0x3008, 'modified'],
  [0x3701, 'data'],
  [0x3704, 'shortName'],
  [0x3707, 'longName'],
  [0x3fde, 'codePage'],
]);

const Type = { object: 0x0d, text8: 0x1e, text16: 0x1f, time: 0x40, binary: 0x102 } as const;
const several = 0x1000;
const fixedBytes: ReadonlyMap<number, number> = new Map([
  [0x01, 0],
  [0x02, 4],
  [0x03, 4],
  [0x04, 4],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x0a, 4],
  [0x0b, 4],
  [0x14, 8],
  [Type.time, 8],
  [0x48, 16],
]);
const variable: ReadonlySet<number> = new Set([Type.object, Type.text8, Type.text16, Type.binary]);
// An object's data begin with the identifier of its interface.
const interfaceBytes = 16;

interface Value {
  readonly type: number;
  readonly parts: readonly ByteView[];
}

/** The properties of a message or an attachment. */
export class MapiProperties {
  /** Names that the message gives its categories. */
  readonly keywords: readonly string[];
  readonly cut: boolean;
  readonly #values: ReadonlyMap<string, Value>;
  readonly #charset: string | undefined;

  constructor(
    values: ReadonlyMap<string, Value>,
    keywords: readonly string[],
    cut: boolean,
    charset: string | undefined,
  ) {
    this.#values = values;
    this.keywords = keywords;
    this.cut = cut;
    this.#charset = charset;
  }

  text(name: string): string | undefined {
    const [type, part] = this.#first(name);
    return (part && beforeZero(textOf(type, part, this.#charset)).trim()) || undefined;
  }

  bytes(name: string): Uint8Array | undefined {
    const [type, part] = this.#first(name);
    if (part === undefined || part.length === 0) return undefined;
    return type === Type.text16 ? Buffer.from(textOf(type, part, this.#charset)) : part.bytes;
  }

  /** The bytes of an object without its identifier. */
  object(name: string): Uint8Array | undefined {
    const [type, part] = this.#first(name);
    return type === Type.object ? part?.slice(interfaceBytes, part.length) : part?.bytes;
  }

  /** Milliseconds since 1970. */
  time(name: string): number | undefined {
    const [type, part] = this.#first(name);
    if (type !== Type.time || part === undefined || part.length < 8) return undefined;
    const ms = part.fileTime(0);
    return ms > 0 && ms < 253_402_300_800_000 ? ms : undefined;
  }

  get codePage(): number | undefined {
    const [, part] = this.#first('codePage');
    return part === undefined || part.length < 4 ? undefined : part.u32(0);
  }

  #first(name: string): readonly [type?: number, part?: ByteView | undefined] {
    const value = this.#values.get(name);
    return value === undefined ? [] : [value.type, value.parts[0]];
  }
}

/** Reads a list of properties as TNEF stores it (MS-OXTNEF 2.1.3.4); an unknown type ends it. */
export class MapiReader {
  readonly #view: ByteView;
  readonly #charset: string | undefined;
  #at = 4;

  /** `charset`: of texts that are not Unicode, where known. */
  constructor(view: ByteView, charset: string | undefined) {
    this.#view = view;
    this.#charset = charset;
  }

  read(): MapiProperties {
    const values = new Map<string, Value>();
    const keywords: string[] = [];
    let cut = false;
    try {
      const count = this.#view.u32(0);
      for (let number = 0; number < Math.min(count, maxProperties); number++) {
        const type = this.#view.u16(this.#at);
        const id = this.#view.u16(this.#at + 2);
        this.#at += 4;
        const own = id >= 0x8000 ? this.#name() : undefined;
        const value = this.#value(type);
        const name = names.get(id);
        if (own === 'Keywords')
          keywords.push(...value.parts.map((part) => beforeZero(textOf(value.type, part, this.#charset))));
        else if (name !== undefined && !values.has(name)) values.set(name, value);
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      cut = true;
    }
    return new MapiProperties(values, keywords, cut, this.#charset);
  }

  /** The name of a named property; undefined for one with a number. */
  #name(): string | undefined {
    const kind = this.#view.u32(this.#at + 16);
    this.#at += 24;
    if (kind !== 1) return undefined;
    const length = this.#view.u32(this.#at - 4);
    const name = beforeZero(this.#view.utf16(this.#at, this.#at + Math.min(length, 512), true));
    this.#at += padded(length);
    return name;
  }

  #value(written: number): Value {
    const type = written & ~several;
    const isList = (written & several) !== 0;
    const size = fixedBytes.get(type);
    const isVariable = variable.has(type);
    if (size === undefined && !isVariable) throw new RangeError('unknown type of property');
    const count = isList || isVariable ? this.#u32() : 1;
    const parts: ByteView[] = [];
    for (let number = 0; number < count; number++) {
      const length = isVariable ? this.#u32() : (size ?? 0);
      if (this.#at + length > this.#view.length) throw new RangeError('it breaks off');
      if (parts.length < maxValues) parts.push(this.#view.part(this.#at, this.#at + length, true));
      // Values without bytes cost time too.
      else if (length === 0 && !isVariable) break;
      this.#at += padded(length);
    }
    return { type, parts };
  }

  #u32(): number {
    const value = this.#view.u32(this.#at);
    this.#at += 4;
    return value;
  }
}

function textOf(type: number | undefined, part: ByteView, charset: string | undefined): string {
  return type === Type.text16 ? part.utf16(0, part.length, true) : decodeText(part.bytes, charset);
}

const padded = (length: number) => (length + 3) & ~3;
