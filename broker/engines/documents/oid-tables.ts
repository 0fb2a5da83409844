import { ByteWriter } from '../../../kernel/index.ts';
import type { Language } from '../../../query/index.ts';
import { type Oid, oidBytes, oidFromBytes } from '../../../soif/index.ts';
import { readerOf } from '../codecs/bit-codec.ts';
import { docnoKey, oidBeginningKey, oidKey, oidRange } from '../index-database/index-keys.ts';
import type { PostingRows, PostingWrite } from '../index-database/posting-database.ts';

/** The index's data under an object's OID. */
export interface IndexedObject {
  readonly docno: number;
  readonly language: Language;
}

/** Docno (4 bytes, big-endian), then the language's code. */
function encodeIndexedObject({ docno, language }: IndexedObject): Uint8Array {
  const value = Buffer.allocUnsafe(4 + language.length);
  value.writeUInt32BE(docno);
  value.write(language, 4, 'latin1');
  return value;
}

export const decodeIndexedObject = (value: Uint8Array): IndexedObject => ({
  docno: new DataView(value.buffer, value.byteOffset).getUint32(0),
  language: Buffer.from(value.buffer, value.byteOffset + 4, value.length - 4).toString('latin1') as Language,
});

export interface KnownOids {
  /** Undefined for an OID that is not indexed. */
  get(oid: Oid): IndexedObject | undefined;
  /** The writes that remove these docnos and add these objects, whose OIDs were all looked up. */
  writes(
    dead: readonly number[],
    added: readonly (readonly [oid: Oid, object: IndexedObject])[],
  ): PostingWrite[];
}

export interface OidTable {
  of(rows: PostingRows, oids: readonly Oid[]): Promise<KnownOids>;
  /** Every indexed OID, in order. `rows` are of one moment. */
  all(rows: PostingRows): AsyncIterable<Oid>;
}

function docnoWrites(
  dead: readonly number[],
  added: readonly (readonly [oid: Oid, object: IndexedObject])[],
): PostingWrite[] {
  const writes = dead.map((docno): PostingWrite => ({ type: 'del', key: docnoKey(docno) }));
  for (const [oid, { docno }] of added)
    writes.push({ type: 'put', key: docnoKey(docno), value: oidBytes(oid) });
  return writes;
}

/** A row for each OID, so that one read finds it. */
export const oidRows: OidTable = {
  of: async (rows, oids) => {
    const stored = oids.length === 0 ? [] : await rows.getMany(oids.map(oidKey));
    const known = new Map<Oid, IndexedObject>();
    for (const [index, value] of stored.entries())
      if (value !== undefined) known.set(oids[index] as Oid, decodeIndexedObject(value));
    return {
      get: (oid) => known.get(oid),
      writes: (dead, added) => {
        const writes = docnoWrites(dead, added);
        const [deadDocnos, stay] = [new Set(dead), new Set(added.map(([oid]) => oid))];
        for (const [oid, { docno }] of known)
          if (deadDocnos.has(docno) && !stay.has(oid)) writes.push({ type: 'del', key: oidKey(oid) });
        for (const [oid, object] of added)
          writes.push({ type: 'put', key: oidKey(oid), value: encodeIndexedObject(object) });
        return writes;
      },
    };
  },
  all: async function* (rows) {
    for await (const key of rows.keys(oidRange)) yield oidFromBytes(key.subarray(1));
  },
};

const readAtOnce = 1024;

function encode(objects: readonly IndexedObject[]): Uint8Array {
  const writer = new ByteWriter();
  for (const { docno, language } of objects) {
    writer.varint(docno);
    writer.varint(language.length);
    writer.bytes(Buffer.from(language, 'latin1'));
  }
  return writer.take();
}

function decode(value: Uint8Array): IndexedObject[] {
  const reader = readerOf(value);
  const objects: IndexedObject[] = [];
  while (!reader.done) {
    const docno = reader.varint();
    const language = Buffer.from(reader.bytes(reader.varint())).toString('latin1') as Language;
    objects.push({ docno, language });
  }
  return objects;
}

const nameOf = (key: Uint8Array) => Buffer.from(key).toString('latin1');

async function oidsOfDocnos(rows: PostingRows, docnos: readonly number[]): Promise<ReadonlyMap<number, Oid>> {
  const oids = new Map<number, Oid>();
  for (let at = 0; at < docnos.length; at += readAtOnce) {
    const part = docnos.slice(at, at + readAtOnce);
    for (const [index, value] of (await rows.getMany(part.map(docnoKey))).entries())
      if (value !== undefined) oids.set(part[index] as number, oidFromBytes(value));
  }
  return oids;
}

/** OIDs by their first bytes. */
class OidsByBeginning implements KnownOids {
  /** Every object, by the first bytes of its OID. */
  readonly #lists: ReadonlyMap<string, readonly IndexedObject[]>;
  readonly #known: ReadonlyMap<Oid, IndexedObject>;

  private constructor(
    lists: ReadonlyMap<string, readonly IndexedObject[]>,
    known: ReadonlyMap<Oid, IndexedObject>,
  ) {
    this.#lists = lists;
    this.#known = known;
  }

  static async of(rows: PostingRows, oids: readonly Oid[]): Promise<OidsByBeginning> {
    const keys = new Map(oids.map((oid) => [nameOf(oidBeginningKey(oid)), oidBeginningKey(oid)]));
    const stored = keys.size === 0 ? [] : await rows.getMany([...keys.values()]);
    const lists = new Map(
      Array.from(keys.keys(), (name, index) => {
        const value = stored[index];
        return [name, value === undefined ? [] : decode(value)] as const;
      }),
    );
    const objects = new Map([...lists.values()].flat().map((object) => [object.docno, object]));
    const known = new Map<Oid, IndexedObject>();
    for (const [docno, oid] of await oidsOfDocnos(rows, [...objects.keys()]))
      known.set(oid, objects.get(docno) as IndexedObject);
    return new OidsByBeginning(lists, known);
  }

  get(oid: Oid): IndexedObject | undefined {
    return this.#known.get(oid);
  }

  writes(
    dead: readonly number[],
    added: readonly (readonly [oid: Oid, object: IndexedObject])[],
  ): PostingWrite[] {
    const deadDocnos = new Set(dead);
    const lists = new Map(
      Array.from(this.#lists, ([name, list]) => [name, list.filter(({ docno }) => !deadDocnos.has(docno))]),
    );
    const writes = docnoWrites(dead, added);
    for (const [oid, object] of added) lists.get(nameOf(oidBeginningKey(oid)))?.push(object);
    for (const [name, list] of lists) {
      const key = Buffer.from(name, 'latin1');
      if (list.length > 0) writes.push({ type: 'put', key, value: encode(list) });
      else if (this.#lists.get(name)?.length !== 0) writes.push({ type: 'del', key });
    }
    return writes;
  }
}

async function* oidsByBeginning(rows: PostingRows): AsyncGenerator<Oid> {
  let lists: (readonly number[])[] = [];
  let count = 0;
  const oids = async () => {
    const found = await oidsOfDocnos(rows, lists.flat());
    return lists.flatMap((list) =>
      list
        .flatMap((docno) => found.get(docno) ?? [])
        .sort((a, b) => Buffer.compare(oidBytes(a), oidBytes(b))),
    );
  };
  for await (const [, value] of rows.entries(oidRange)) {
    const list = decode(value).map(({ docno }) => docno);
    lists.push(list);
    count += list.length;
    if (count < readAtOnce) continue;
    yield* await oids();
    [lists, count] = [[], 0];
  }
  yield* await oids();
}

/** OIDs of docnos are stored whole; docnos of OIDs under the first bytes, which few OIDs share. */
export const packedOids: OidTable = {
  of: (rows, oids) => OidsByBeginning.of(rows, oids),
  all: oidsByBeginning,
};
