import {
  cellBytes,
  estimateBytes,
  type Marker,
  maxSketchLength,
  type SketchOpening,
  type Want,
} from '../awareness/index.ts';
import { type ByteReader, ByteWriter } from '../kernel/index.ts';
import { type Oid, oidBytes, oidFromBytes } from '../soif/index.ts';
import type { Message } from '../wire/index.ts';
import { bad, bytesField, fieldReader } from './fields.ts';
import { epochTag, epochTagBytes } from './state-codec.ts';

/** A client's request: its marker, its copy, the wanted objects, and a scheme when it requires one. */
export interface CollectRequest {
  readonly marker: Marker | undefined;
  readonly held: number;
  readonly fingerprint: Uint8Array;
  readonly want: Want;
  /** Canonical text of the filter; everything when absent. */
  readonly filter?: string | undefined;
  readonly scheme?: string | undefined;
  readonly after?: Oid | undefined;
  readonly sketch?: SketchOpening | undefined;
}

/** The same as received: it has only the beginning of the epoch. */
export interface ReceivedAsk extends Omit<CollectRequest, 'marker'> {
  readonly marker: { readonly tag: Uint8Array; readonly lsn: number } | undefined;
}

const flags = {
  marker: 1,
  handles: 2,
  attributes: 4,
  scheme: 8,
  filter: 16,
  after: 32,
  sums: 64,
  cells: 128,
} as const;

const maxAttributes = 64;
const maxTextBytes = 65_536;

/** The question is one field, which the store signs with its answer: nobody on the way can exchange it. */
export function askMessage({
  marker,
  held,
  fingerprint,
  want,
  filter,
  scheme,
  after,
  sketch,
}: CollectRequest): Message {
  const writer = new ByteWriter().byte(
    (marker === undefined ? 0 : flags.marker) |
      (want.kind === 'handles' ? flags.handles : want.kind === 'attributes' ? flags.attributes : 0) |
      (scheme === undefined ? 0 : flags.scheme) |
      (filter === undefined ? 0 : flags.filter) |
      (after === undefined ? 0 : flags.after) |
      (sketch?.sums === undefined ? 0 : flags.sums) |
      (sketch === undefined ? 0 : flags.cells),
  );
  if (marker !== undefined) writer.bytes(epochTag(marker.epoch)).varint(marker.lsn);
  writer.varint(held).bytes(fingerprint);
  if (want.kind === 'attributes') {
    writer.varint(want.names.length);
    for (const name of want.names) writeText(writer, name);
  }
  if (scheme !== undefined) writeText(writer, scheme);
  if (filter !== undefined) writeText(writer, filter);
  if (after !== undefined) writer.bytes(oidBytes(after));
  if (sketch?.sums !== undefined) writer.bytes(sketch.sums);
  if (sketch !== undefined) writer.varint(sketch.cells.length / cellBytes).bytes(sketch.cells);
  return { type: 'ask', q: writer.take() };
}

export function readAsk({ type, q }: Message): ReceivedAsk {
  const reader = fieldReader(bytesField(q, type, 'q'), type);
  const set = reader.byte();
  const has = (flag: keyof typeof flags) => (set & flags[flag]) !== 0;
  const marker = has('marker') ? { tag: reader.copy(epochTagBytes), lsn: reader.varint() } : undefined;
  const [held, fingerprint] = [reader.varint(), reader.copy(16)];
  if (has('handles') && has('attributes')) bad(type, 'wants two things');
  const want: Want = has('handles')
    ? { kind: 'handles' }
    : has('attributes')
      ? { kind: 'attributes', names: readNames(reader) }
      : { kind: 'objects' };
  const scheme = has('scheme') ? readText(reader) : undefined;
  const filter = has('filter') ? readText(reader) : undefined;
  const after = has('after') ? oidFromBytes(reader.copy(32)) : undefined;
  if (has('sums') && !has('cells')) bad(type, 'has sums without cells');
  const sums = has('sums') ? reader.copy(estimateBytes) : undefined;
  const sketch = has('cells') ? { cells: readCells(reader), sums } : undefined;
  reader.expectEnd();
  return { marker, held, fingerprint, want, scheme, filter, after, sketch };
}

function writeText(writer: ByteWriter, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  writer.varint(bytes.length).bytes(bytes);
}

function readText(reader: ByteReader): string {
  const length = reader.varint();
  if (length > maxTextBytes) reader.fail('has a text that is too long');
  return Buffer.from(reader.copy(length)).toString('utf8');
}

function readNames(reader: ByteReader): string[] {
  const count = reader.varint();
  if (count === 0 || count > maxAttributes) reader.fail('has no valid attributes');
  return Array.from({ length: count }, () => readText(reader));
}

function readCells(reader: ByteReader): Uint8Array {
  const count = reader.varint();
  if (count > maxSketchLength) reader.fail('has no valid cells');
  return reader.copy(count * cellBytes);
}
