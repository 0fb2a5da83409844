import { type Change, handleOf, type Noted, type Replica, withApply } from '../../awareness/index.ts';
import { TaskQueue } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';
import { type Database, type DataFolder, type ObjectStore, type Write, within } from '../../store/index.ts';

/** The record of an object that is kept out although a source offers it. */
export interface Block {
  readonly oid: Oid;
  readonly url: string;
  /** Whether changed versions stay out too. If not, a change or deletion at the source ends the block. */
  readonly isForGood: boolean;
  readonly reason: string;
  readonly by: string;
  /** Seconds since 1970. */
  readonly at: number;
}

interface Row extends Block {
  /** Base64url of the digest of the deleted version. */
  readonly digest: string;
}

const countKey = Buffer.from('n');
const pendingKey = Buffer.from('p');
const endingKey = Buffer.from('e');
const rowKey = (oid: string) => Buffer.from(`o${oid}`);
const parse = (value: Uint8Array) => JSON.parse(Buffer.from(value).toString()) as Row;
const text = (value: unknown) => Buffer.from(JSON.stringify(value));
const oidsIn = (value: Uint8Array) => JSON.parse(Buffer.from(value).toString()) as Oid[];

type Offered = Pick<ObjectStore, 'describe' | 'isOffered'>;

/**
 * Objects that were deleted by hand and are not taken from a source again: the deleted version, or any. A
 * source's copy still lists such an object, so that both sides agree and nothing is requested again. The list
 * and the store are two databases: ids of objects being deleted are held as pending, those of ending blocks
 * as ending, and the next start completes both. A block whose lifting was cut short remains.
 */
export class BlockList {
  readonly #rows: Database;
  #count: number;
  /** One at a time: a round must not bring an object back between its block and its deletion. */
  readonly #turns = new TaskQueue();

  private constructor(rows: Database, count: number) {
    this.#rows = rows;
    this.#count = count;
  }

  /** `remove` deletes objects from the store. Work that a crash cut short is completed now. */
  static async open(
    database: Database,
    store: Offered,
    remove: (oids: readonly Oid[]) => Promise<void>,
  ): Promise<BlockList> {
    const rows = within(database, 'block');
    const [count, pending, ending] = await rows.getMany([countKey, pendingKey, endingKey]);
    if (pending !== undefined) {
      await remove(oidsIn(pending));
      await rows.batch([{ type: 'del', key: pendingKey }]);
    }
    const list = new BlockList(rows, count === undefined ? 0 : Number(Buffer.from(count).toString()));
    if (ending !== undefined) await list.#end(oidsIn(ending), store);
    return list;
  }

  get count(): number {
    return this.#count;
  }

  /** Block and delete these objects without a round in between: all of them, even after a crash. */
  delete(
    blocks: readonly (Block & { readonly digest: Uint8Array })[],
    remove: (oids: readonly Oid[]) => Promise<void>,
  ): Promise<void> {
    return this.#turns.run(async () => {
      const oids = blocks.map(({ oid }) => oid);
      const known = await this.#rows.getMany(oids.map(rowKey));
      const count = this.#count + known.filter((row) => row === undefined).length;
      const writes = blocks.map(
        ({ digest, ...block }): Write => ({
          ...{ type: 'put', key: rowKey(block.oid) },
          value: text({ ...block, digest: Buffer.from(digest).toString('base64url') }),
        }),
      );
      const marks: Write[] = [
        { type: 'put', key: countKey, value: text(count) },
        { type: 'put', key: pendingKey, value: text(oids) },
      ];
      await this.#rows.batch([...writes, ...marks], { sync: true });
      this.#count = count;
      await remove(oids);
      await this.#rows.batch([{ type: 'del', key: pendingKey }]);
    });
  }

  /** Blocks in the order of their objects' ids, after this one. */
  async list(limit: number, after?: string): Promise<readonly Block[]> {
    const found: Block[] = [];
    const from = after === undefined ? { gte: rowKey('') } : { gt: rowKey(after) };
    for await (const [, value] of this.#rows.entries({ ...from, lt: Buffer.from('p'), limit })) {
      const { digest: _, ...block } = parse(value);
      found.push(block);
    }
    return found;
  }

  async get(oid: string): Promise<Block | undefined> {
    const value = await this.#rows.get(rowKey(oid));
    if (value === undefined) return undefined;
    const { digest: _, ...block } = parse(value);
    return block;
  }

  /** End a block; `unlearn` lets the sources offer the object again. Resolves to false without a block. */
  lift(oid: Oid, unlearn: (oids: readonly Oid[]) => Promise<void>): Promise<boolean> {
    return this.#turns.run(async () => {
      if ((await this.#rows.get(rowKey(oid))) === undefined) return false;
      // In this order a crash in between leaves a block that can be lifted again.
      await unlearn([oid]);
      await this.#forget([oid], true);
      return true;
    });
  }

  /** Whether this version of an object is blocked. */
  async keepsOut(oid: Oid, digest: Uint8Array): Promise<boolean> {
    const value = this.#count === 0 ? undefined : await this.#rows.get(rowKey(oid));
    if (value === undefined) return false;
    const block = parse(value);
    return block.isForGood || block.digest === Buffer.from(digest).toString('base64url');
  }

  async blocked(oids: readonly Oid[]): Promise<ReadonlySet<Oid>> {
    if (this.#count === 0) return new Set();
    const rows = await this.#rows.getMany(oids.map(rowKey));
    return new Set(oids.filter((_, i) => rows[i] !== undefined));
  }

  /**
   * A source's copy that stores no content of blocked objects. Their refreshes are left out: one that is later than a
   * withdrawal would have the object compared and requested again, only to be kept out again.
   */
  guard(replica: Replica, store: Offered): Replica {
    return withApply(replica, (changes, marker) =>
      this.#turns.run(async () => {
        if (this.#count === 0) return replica.apply(changes, marker);
        const { passed, changed, deleted } = await this.#sifted(changes);
        const ending = [...changed, ...deleted];
        if (ending.length > 0)
          await this.#rows.batch([{ type: 'put', key: endingKey, value: text(ending) }], { sync: true });
        await replica.apply(passed, marker);
        if (ending.length > 0) await this.#end(ending, store);
      }),
    );
  }

  /** End the blocks of those objects that are stored again or no longer offered. */
  async #end(oids: readonly Oid[], store: Offered): Promise<void> {
    const known = await this.#rows.getMany(oids.map(rowKey));
    const ended: Oid[] = [];
    for (const [at, oid] of oids.entries()) {
      if (known[at] === undefined) continue;
      // Another source may still offer it: in a ring of Brokers each hears of the other's deletion.
      if ((await store.describe(oid)) !== undefined || !(await store.isOffered(oid))) ended.push(oid);
    }
    await this.#forget(ended, false, endingKey);
  }

  async #sifted(changes: readonly (Change | Noted)[]): Promise<{
    readonly passed: readonly (Change | Noted)[];
    /** Blocked only in the version before. */
    readonly changed: ReadonlySet<Oid>;
    /** Blocked in one version, and deleted at this source. */
    readonly deleted: ReadonlySet<Oid>;
  }> {
    const offered = changes.flatMap((change) => {
      if (change.kind === 'put') return [change.object.oid];
      if (change.kind === 'refresh') return [change.refresh.oid];
      return change.kind === 'delete' ? [change.oid] : [];
    });
    const rows = await this.#rows.getMany(offered.map(rowKey));
    const blocks = new Map<Oid, Row>();
    for (const value of rows) {
      const row = value === undefined ? undefined : parse(value);
      if (row !== undefined) blocks.set(row.oid, row);
    }
    const [changed, deleted] = [new Set<Oid>(), new Set<Oid>()];
    const wanted = changes.filter((change) => change.kind !== 'refresh' || !blocks.has(change.refresh.oid));
    const passed = wanted.map((change): Change | Noted => {
      if (change.kind === 'delete' && blocks.get(change.oid)?.isForGood === false) {
        changed.delete(change.oid);
        deleted.add(change.oid);
      }
      if (change.kind !== 'put') return change;
      const { oid, digest } = change.object;
      const block = blocks.get(oid);
      if (block === undefined) return change;
      // Listed by its whole digest, against which a refresh is checked.
      if (block.isForGood || block.digest === Buffer.from(digest).toString('base64url'))
        return { kind: 'note', lsn: change.lsn, oid, handle: handleOf(oid), signature: digest };
      deleted.delete(oid);
      changed.add(oid);
      return change;
    });
    return { passed, changed, deleted };
  }

  /** Remove blocks, and with them a mark. */
  async #forget(oids: readonly Oid[], sync: boolean, mark?: Buffer): Promise<void> {
    const count = this.#count - oids.length;
    const keys = [...oids.map(rowKey), ...(mark === undefined ? [] : [mark])];
    const deleted = keys.map((key): Write => ({ type: 'del', key }));
    await this.#rows.batch([...deleted, { type: 'put', key: countKey, value: text(count) }], { sync });
    this.#count = count;
  }
}

/** Delete objects and leave tombstones. The sources' copies still list them. */
export async function deleteObjects({ store }: DataFolder, oids: readonly Oid[]): Promise<void> {
  await store.apply(
    oids.map((oid) => ({ kind: 'delete', oid })),
    { sync: true },
  );
}
