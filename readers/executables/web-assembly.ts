import { ByteView } from '../bytes/index.ts';
import { type ProgramFacts, type ProgramNames, programNames } from './program-facts.ts';

/** Whether a file begins as a WebAssembly module. */
export function isWebAssembly(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
}

/** Read a WebAssembly module (core specification 5.5): names imported and exported, and its producers. */
export function readWebAssembly(bytes: Uint8Array): ProgramFacts {
  const cursor = new Cursor(new ByteView(bytes, true), 8);
  const names = programNames();
  const notes: string[] = [];
  let producer: string | undefined;
  const texts: Uint8Array[] = [];
  try {
    while (!cursor.ended) {
      const section = cursor.byte();
      const end = cursor.number() + cursor.at;
      // A section is read by itself, so that none runs into the next.
      const body = new Cursor(cursor.file.part(cursor.at, end), 0);
      if (section === 2) readImports(body, names);
      else if (section === 7) readExports(body, names);
      else if (section === 11) texts.push(body.file.bytes);
      else if (section === 0 && body.name() === 'producers') producer = readProducers(body);
      cursor.at = end;
    }
  } catch {
    notes.push('A section could not be read.');
  }
  return {
    format: `WebAssembly ${bytes[4] ?? 1}`,
    machine: 'WebAssembly',
    kind: 'module',
    producer,
    ...names,
    fields: [],
    texts,
    notes,
  };
}

function readImports(cursor: Cursor, { needed, undefinedNames }: ProgramNames): void {
  const count = cursor.number();
  for (let index = 0; index < count; index++) {
    needed.add(cursor.name());
    undefinedNames.add(cursor.name());
    const kind = cursor.byte();
    if (kind === 0) cursor.number();
    else if (kind === 3) cursor.at += 2;
    else {
      if (kind === 1) cursor.byte();
      const limits = cursor.byte();
      cursor.number();
      if ((limits & 1) !== 0) cursor.number();
    }
  }
}

function readExports(cursor: Cursor, { defined }: ProgramNames): void {
  const count = cursor.number();
  for (let index = 0; index < count; index++) {
    defined.add(cursor.name());
    cursor.byte();
    cursor.number();
  }
}

function readProducers(cursor: Cursor): string {
  const found: string[] = [];
  const fields = cursor.number();
  for (let field = 0; field < fields && found.length < 20; field++) {
    cursor.name();
    const values = cursor.number();
    for (let value = 0; value < values && found.length < 20; value++)
      found.push(`${cursor.name()} ${cursor.name()}`);
  }
  return found.join(', ');
}

/** Reads one item after another; every read beyond the end throws RangeError, so that loops end. */
class Cursor {
  readonly file: ByteView;
  at: number;

  constructor(file: ByteView, at: number) {
    this.file = file;
    this.at = at;
  }

  get ended(): boolean {
    return this.at >= this.file.length;
  }

  byte(): number {
    return this.file.u8(this.at++);
  }

  /** An unsigned LEB128 number. */
  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new RangeError('number too long');
  }

  name(): string {
    const length = this.number();
    if (this.at + length > this.file.length) throw new RangeError('name outside the file');
    const text = this.file.utf8(this.at, this.at + length);
    this.at += length;
    return text;
  }
}
