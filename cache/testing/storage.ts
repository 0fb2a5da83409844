import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import type { StoredHead } from '../rules/stored-head.ts';
import type { Entry, EntryStore, EntryStoreOptions } from '../storage/model/entry.ts';
import { openEntryStore } from '../storage/open-entry-store.ts';

/** A head with its time and selecting fields; `mark` distinguishes it from others. */
export function headOf(
  url: string,
  about: { at?: number; selecting?: string[]; mark?: string } = {},
): StoredHead {
  const { at = 0, selecting = [], mark = '' } = about;
  return {
    ...{ url, status: 200, reason: 'OK', fields: ['ETag', `"${mark}"`, 'X-Odd', '\u00e9\u00ff'], selecting },
    ...{ authorized: false, requestedAtMs: at, receivedAtMs: at },
  };
}

export interface Opening extends Partial<EntryStoreOptions> {
  readonly folder?: string;
}

export function open(opening: Opening = {}): Promise<EntryStore> {
  return openEntryStore({
    ...{ memoryBytes: 2 ** 20, diskBytes: 16 * 2 ** 20, largestEntryBytes: 2 ** 22 },
    ...{ clock: new ManualClock(), random: seededRandom(1) },
    ...opening,
  });
}

export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-cache-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes that nothing else has. */
export function bytesOf(seed: number, length: number): Buffer {
  const random = seededRandom(seed);
  const word = Buffer.from(random.bytes(16));
  const bytes = Buffer.alloc(length, word);
  for (let at = 0; at < length; at += 997) bytes[at] = (at + seed) & 255;
  return bytes;
}

export interface Putting {
  readonly head?: StoredHead;
  readonly tags?: readonly string[];
  readonly chunk?: number;
  readonly length?: number;
}

export async function put(
  store: EntryStore,
  key: string,
  content: Uint8Array,
  { head = headOf(key), tags = [], chunk = 50_000, length }: Putting = {},
): Promise<Entry | undefined> {
  const writer = store.write({ key, head, tags, ...(length !== undefined && { length }) });
  if (writer === undefined) return undefined;
  for (let at = 0; at < content.length; at += chunk)
    if (!(await writer.append(content.subarray(at, at + chunk)))) return undefined;
  return writer.commit();
}

export async function bytesIn(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) {
    assert.ok(piece.length <= 65_536);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export async function contentUnder(store: EntryStore, key: string): Promise<Buffer | undefined> {
  const [entry] = await store.variants(key);
  return entry === undefined ? undefined : bytesIn(store.read(entry));
}
