import { failure, TaskQueue } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import { type Database, storeErrors, type Write } from '../../store/index.ts';
import { type Annotation, annotationOf, keptTime } from './annotation.ts';
import { annotationErrors } from './errors.ts';
import type { Merge } from './merge.ts';
import { defaultMaxAnnotations } from './settings.ts';

/** A stored merge: the gathered and the merged object, by their digests in hex. */
export interface MergeRecord extends Merge {
  readonly gatheredDigest: string;
  readonly mergedDigest: string;
}

export interface AnnotationStoreOptions {
  /** Max annotations. */
  readonly maxAnnotations?: number;
  /** Writes the second copy of the annotations, if there is one. */
  readonly copy?: (writes: readonly Write[], options: { readonly sync: boolean }) => Promise<void>;
}

// After a kill between a merge and the storing of its object, the previous merge is that of the stored object.
const keptMerges = 2;

interface AnnotationRow {
  readonly fields: readonly Field[];
  readonly author: string;
  readonly at: number;
}

interface MergeRow {
  readonly gathered: string;
  readonly merged: string;
  readonly bases: readonly string[];
  /** Values in base64: they may hold any byte. */
  readonly hidden: readonly (readonly [position: number, name: string, value: string])[];
}

const annotationKey = (url: string) => Buffer.from(`a${url}`);
const mergeKey = (url: string) => Buffer.from(`m${url}`);
const pendingKey = (url: string) => Buffer.from(`p${url}`);
const countKey = Buffer.from('n');
const nothing = new Uint8Array();
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const urlOf = (key: Uint8Array) => Buffer.from(key.subarray(1)).toString();

function read<Row>(value: Uint8Array, what: string): Row {
  try {
    return JSON.parse(Buffer.from(value).toString()) as Row;
  } catch (cause) {
    throw failure(storeErrors.STORE_CORRUPT, { what }, cause);
  }
}

function annotationIn(url: string, value: Uint8Array): Annotation {
  const row = read<AnnotationRow>(value, `an annotation of ${url}`);
  return { url, ...row, at: keptTime(row.at) };
}

/**
 * The annotations of a Gatherer in a database of their own, one row per URL, so that gathering never overwrites them. A
 * second row holds the hidden values of the stored object, so that the annotation can be changed without reading the
 * document. A third row marks an annotation from its change until the object has been stored again.
 */
export class AnnotationStore {
  readonly #database: Database;
  readonly #max: number;
  readonly #copy: AnnotationStoreOptions['copy'];
  #count: number;
  readonly #queue = new TaskQueue();

  private constructor(database: Database, count: number, options: AnnotationStoreOptions) {
    this.#database = database;
    this.#count = count;
    this.#max = options.maxAnnotations ?? defaultMaxAnnotations;
    this.#copy = options.copy;
  }

  /** Open over a database that holds nothing else; the caller closes it. */
  static async open(database: Database, options: AnnotationStoreOptions = {}): Promise<AnnotationStore> {
    const count = await database.get(countKey);
    return new AnnotationStore(database, count === undefined ? 0 : read<number>(count, 'a count'), options);
  }

  get count(): number {
    return this.#count;
  }

  async get(url: string): Promise<Annotation | undefined> {
    const value = await this.#database.get(annotationKey(url));
    return value === undefined ? undefined : annotationIn(url, value);
  }

  /** Store an annotation and mark its URL as pending. Throws ANNOTATION_FULL and as `annotationOf` does. */
  put(annotation: Annotation, { sync = true } = {}): Promise<void> {
    const { url, fields, author, at } = annotationOf(annotation);
    return this.#queue.run(async () => {
      const held = (await this.#database.get(annotationKey(url))) !== undefined;
      if (!held && this.#count >= this.#max)
        throw failure(annotationErrors.ANNOTATION_FULL, { limit: this.#max });
      const value = json({ fields, author, at } satisfies AnnotationRow);
      const writes: Write[] = [
        { type: 'put', key: annotationKey(url), value },
        { type: 'put', key: pendingKey(url), value: nothing },
      ];
      await this.#write(held ? 0 : 1, writes, sync);
    });
  }

  /** Make everything written so far survive a power cut. */
  flush(): Promise<void> {
    return this.#queue.run(() => this.#write(0, [], true));
  }

  /** Delete an annotation and mark its URL as pending; resolves to whether there was one. */
  delete(url: string): Promise<boolean> {
    return this.#queue.run(async () => {
      if ((await this.#database.get(annotationKey(url))) === undefined) return false;
      const writes: Write[] = [
        { type: 'del', key: annotationKey(url) },
        { type: 'put', key: pendingKey(url), value: nothing },
      ];
      await this.#write(-1, writes, true);
      return true;
    });
  }

  /** Annotations in the order of their URLs, after `after`, in a snapshot of the database. */
  async *list(after?: string): AsyncIterable<Annotation> {
    await using snapshot = this.#database.snapshot();
    const range = { gt: annotationKey(after ?? ''), lt: Buffer.from('b') };
    for await (const [key, value] of snapshot.entries(range)) {
      const url = urlOf(key);
      yield annotationIn(url, value);
    }
  }

  /** The recent merges of a URL's annotation, the latest first. */
  async merges(url: string): Promise<readonly MergeRecord[]> {
    const value = await this.#database.get(mergeKey(url));
    if (value === undefined) return [];
    return read<readonly MergeRow[]>(value, `the hidden values of ${url}`).map((row) => ({
      gatheredDigest: row.gathered,
      mergedDigest: row.merged,
      bases: row.bases,
      hidden: row.hidden.map(([position, name, text]) => ({
        position,
        name,
        value: new Uint8Array(Buffer.from(text, 'base64')),
      })),
    }));
  }

  /** Note a merge; call it before the merged object is stored. */
  noteMerge(url: string, record: MergeRecord): Promise<void> {
    return this.#queue.run(async () => {
      const [last, ...before] = await this.merges(url);
      const same = (other: MergeRecord | undefined) =>
        other?.mergedDigest === record.mergedDigest && other.gatheredDigest === record.gatheredDigest;
      if (same(last)) return;
      const others = [last, ...before].filter((other) => other !== undefined && !same(other));
      const kept = [record, ...(others as MergeRecord[])].slice(0, keptMerges);
      await this.#database.batch([{ type: 'put', key: mergeKey(url), value: json(kept.map(mergeRow)) }]);
    });
  }

  /** URLs whose annotation was changed and whose object may not have been stored since. */
  async *pending(): AsyncIterable<string> {
    await using snapshot = this.#database.snapshot();
    for await (const key of snapshot.keys({ gt: pendingKey(''), lt: Buffer.from('q') })) yield urlOf(key);
  }

  /** Whether a URL is among them. */
  async isPending(url: string): Promise<boolean> {
    return (await this.#database.get(pendingKey(url))) !== undefined;
  }

  /** Note that a URL's object was stored with its current annotation, or that there is no such object. */
  settled(url: string): Promise<void> {
    return this.#queue.run(async () => {
      const writes: Write[] = [{ type: 'del', key: pendingKey(url) }];
      if ((await this.#database.get(annotationKey(url))) === undefined)
        writes.push({ type: 'del', key: mergeKey(url) });
      await this.#database.batch(writes);
    });
  }

  /** A person's text is worth a sync: it cannot be gathered again. */
  async #write(more: number, writes: readonly Write[], sync: boolean): Promise<void> {
    const count = this.#count + more;
    // First the copy: after a kill between the two it lacks no row, as rows that it lacks count as deleted.
    await this.#copy?.(writes, { sync });
    await this.#database.batch([...writes, { type: 'put', key: countKey, value: json(count) }], { sync });
    this.#count = count;
  }
}

function mergeRow({ gatheredDigest, mergedDigest, bases, hidden }: MergeRecord): MergeRow {
  return {
    gathered: gatheredDigest,
    merged: mergedDigest,
    bases,
    hidden: hidden.map(({ position, name, value }) => [
      position,
      name,
      Buffer.from(value).toString('base64'),
    ]),
  };
}
