import type { Marker, SketchOpening, Want } from '../awareness/index.ts';
import { cellBytes, estimateBytes } from '../awareness/index.ts';
import { type Oid, oidBytes, oidFromBytes } from '../soif/index.ts';
import type { Message } from '../wire/index.ts';
import { ByteReader, ByteWriter } from './byte-reader.ts';
import { bad, bytesField, listField } from './fields.ts';
import { epochTag, epochTagBytes } from './state-codec.ts';

/** What a client asks with: its marker, what it holds, what it wants, and a scheme when it insists on one. */
export interface Ask {
  readonly marker: Marker | undefined;
  readonly held: number;
  readonly fingerprint: Uint8Array;
  readonly want: Want;
  /** Canonical text of the filter; everything without. */
  readonly filter?: string | undefined;
  readonly scheme?: string | undefined;
  readonly after?: Oid | undefined;
  readonly sketch?: SketchOpening | undefined;
}

/** The same as it arrives: of the epoch only its beginning. */
export interface ReceivedAsk extends Omit<Ask, 'marker'> {
  readonly marker: { readonly tag: Uint8Array; readonly lsn: number } | undefined;
}

const flags = { marker: 1, handles: 2, attributes: 4 } as const;

/** Most cells in a request; more are asked for. */
const mostCells = 16_384;
const mostAttributes = 64;

export function askMessage({ marker, held, fingerprint, want, filter, scheme, after, sketch }: Ask): Message {
  const writer = new ByteWriter().byte(
    (marker === undefined ? 0 : flags.marker) |
      (want.kind === 'handles' ? flags.handles : want.kind === 'attributes' ? flags.attributes : 0),
  );
  if (marker !== undefined) writer.bytes(epochTag(marker.epoch)).number(marker.lsn);
  return {
    type: 'ask',
    q: writer.number(held).bytes(fingerprint).finish(),
    ...(want.kind === 'attributes' ? { attributes: [...want.names] } : {}),
    ...(filter === undefined ? {} : { filter }),
    ...(scheme === undefined ? {} : { by: scheme }),
    ...(after === undefined ? {} : { after: oidBytes(after) }),
    ...(sketch === undefined ? {} : { cells: sketch.cells, ...(sketch.sums && { sums: sketch.sums }) }),
  };
}

export function readAsk({ type, ...fields }: Message): ReceivedAsk {
  const reader = new ByteReader(bytesField(fields.q, type, 'q'), type);
  const set = reader.byte();
  const marker =
    (set & flags.marker) === 0 ? undefined : { tag: reader.bytes(epochTagBytes), lsn: reader.number() };
  const [held, fingerprint] = [reader.number(), reader.bytes(16)];
  reader.end();
  if (fields.by !== undefined && typeof fields.by !== 'string') bad(type, 'has no valid scheme');
  if (fields.filter !== undefined && typeof fields.filter !== 'string') bad(type, 'has no valid filter');
  return {
    marker,
    held,
    fingerprint,
    want: wantOf(set, fields.attributes, type),
    filter: fields.filter as string | undefined,
    scheme: fields.by as string | undefined,
    after: fields.after === undefined ? undefined : oidFromBytes(bytesField(fields.after, type, 'after', 32)),
    sketch: openingOf(fields, type),
  };
}

function wantOf(set: number, attributes: unknown, type: string): Want {
  if ((set & flags.handles) !== 0) return { kind: 'handles' };
  if ((set & flags.attributes) === 0) return { kind: 'objects' };
  const names = listField(attributes, type, 'attributes');
  if (names.length === 0 || names.length > mostAttributes || !names.every((name) => typeof name === 'string'))
    bad(type, 'has no valid attributes');
  return { kind: 'attributes', names: names as string[] };
}

function openingOf(fields: Readonly<Record<string, unknown>>, type: string): SketchOpening | undefined {
  if (fields.cells === undefined) return undefined;
  const cells = bytesField(fields.cells, type, 'cells');
  if (cells.length % cellBytes !== 0 || cells.length > mostCells * cellBytes) bad(type, 'has no valid cells');
  return {
    cells,
    sums: fields.sums === undefined ? undefined : bytesField(fields.sums, type, 'sums', estimateBytes),
  };
}
