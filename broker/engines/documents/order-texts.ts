import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import { orderKey } from '../index-database/index-keys.ts';
import type { PostingDatabase, PostingRows, PostingWrite } from '../index-database/posting-database.ts';
import type { DocColumns } from './doc-columns.ts';

/** The sort keys of an object. Neither contains the character NUL. */
export interface OrderText {
  readonly title: string;
  readonly url: string;
}

/** Stores the sort keys of docnos. */
export interface OrderTexts {
  /** The writes for new docnos, and for docnos that died; the columns are those after the change. */
  writes(
    added: readonly (readonly [docno: number, text: OrderText])[],
    dead: readonly number[],
    columns: DocColumns,
  ): Promise<PostingWrite[]>;
  /** The texts of docnos (ascending); empty ones for unknown docnos. */
  of(docnos: Uint32Array, rows: PostingRows): Promise<OrderText[]>;
}

const readAtOnce = 1024;
const nothing: OrderText = { title: '', url: '' };

/** A row for each docno, so that a change writes one row. */
export const orderRows: OrderTexts = {
  writes: async (added, dead) => [
    ...added.map(([docno, { title, url }]): PostingWrite => {
      return { type: 'put', key: orderKey(docno), value: Buffer.from(`${title}\0${url}`) };
    }),
    ...dead.map((docno): PostingWrite => ({ type: 'del', key: orderKey(docno) })),
  ],
  of: async (docnos, rows) => {
    const texts: OrderText[] = [];
    for (let at = 0; at < docnos.length; at += readAtOnce) {
      const keys = Array.from(docnos.subarray(at, at + readAtOnce), orderKey);
      for (const value of await rows.getMany(keys)) {
        const [title = '', url = ''] = value === undefined ? [] : Buffer.from(value).toString().split('\0');
        texts.push({ title, url });
      }
    }
    return texts;
  },
};

/** Docnos in one packed row. */
const packedDocnos = 128;
const chunksAtOnce = 64;
/** More than any unpacked row needs, because titles and URLs are cut when they are made. */
const maxUnpacked = 4 * 1024 * 1024;

const chunkOf = (docno: number) => Math.floor(docno / packedDocnos);

function pack(texts: readonly OrderText[]): Uint8Array {
  return deflateRawSync(texts.map(({ title, url }) => `${title}\0${url}`).join('\0'), { level: 9 });
}

function unpack(value: Uint8Array): OrderText[] {
  let all: string;
  try {
    all = inflateRawSync(value, { maxOutputLength: maxUnpacked }).toString();
  } catch (cause) {
    throw failure(engineErrors.ENGINE_DAMAGED, { what: 'titles cannot be read' }, cause);
  }
  const parts = all.split('\0');
  return Array.from({ length: Math.ceil(parts.length / 2) }, (_, index) => ({
    ...{ title: parts[2 * index] ?? '', url: parts[2 * index + 1] ?? '' },
  }));
}

/** Many docnos in a packed row, a sixth of the space. Dead docnos stay until their whole row is dead. */
export function packedOrderTexts(database: PostingDatabase): OrderTexts {
  return {
    writes: async (added, dead, columns) => {
      const chunks = new Map<number, OrderText[]>();
      for (const [docno, text] of added) {
        const number = chunkOf(docno);
        let chunk = chunks.get(number);
        if (chunk === undefined) {
          const stored = await database.get(orderKey(number));
          chunk = stored === undefined ? [] : unpack(stored);
          chunks.set(number, chunk);
        }
        const at = docno % packedDocnos;
        while (chunk.length < at) chunk.push(nothing);
        chunk[at] = text;
      }
      const writes = Array.from(chunks, ([number, texts]): PostingWrite => {
        return { type: 'put', key: orderKey(number), value: pack(texts) };
      });
      for (const number of new Set(dead.map(chunkOf))) {
        const from = number * packedDocnos;
        if (chunks.has(number) || columns.countAlive(from, from + packedDocnos - 1) > 0) continue;
        writes.push({ type: 'del', key: orderKey(number) });
      }
      return writes;
    },
    of: async (docnos, rows) => {
      const texts: OrderText[] = [];
      for (let at = 0; at < docnos.length; ) {
        const numbers: number[] = [];
        let end = at;
        for (; end < docnos.length; end++) {
          const number = chunkOf(docnos[end] as number);
          if (number === numbers.at(-1)) continue;
          if (numbers.length === chunksAtOnce) break;
          numbers.push(number);
        }
        const stored = await rows.getMany(numbers.map(orderKey));
        const chunks = new Map(
          stored.map((value, index) => [numbers[index] as number, value === undefined ? [] : unpack(value)]),
        );
        for (; at < end; at++) {
          const docno = docnos[at] as number;
          texts.push(chunks.get(chunkOf(docno))?.[docno % packedDocnos] ?? nothing);
        }
      }
      return texts;
    },
  };
}
