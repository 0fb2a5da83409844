import { type Change, handleOf, type Noted, type Replica, withApply } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import { type Database, type ObjectStore, type Write, within } from '../../store/index.ts';

/** Why an object that a source offers is not here. */
export interface Block {
  readonly oid: Oid;
  readonly url: string;
  /** Whether changed versions stay out too; else the block ends when the object changes or goes at its source. */
  readonly isForGood: boolean;
  readonly reason: string;
  readonly by: string;
  /** Seconds since 1970. */
  readonly at: number;
}

interface Row extends Block {
  /** Base64url of the digest that was deleted. */
  readonly digest: string;
}

const countKey = Buffer.from('n');
const pendingKey = Buffer.from('p');
const endingKey = Buffer.from('e');
const rowKey = (oid: string) => Buffer.from(`o${oid}`);
const parse = (value: Uint8Array) => JSON.parse(Buffer.from(value).toString()) as Row;
const text = (value: unknown) => Buffer.from(JSON.stringify(value));
const oidsIn = (value: Uint8Array) => JSON.parse(Buffer.from(value).toString()) as Oid[];

/** What is asked of the objects themselves. */
type Offered = Pick<ObjectStore, 'describe' | 'isOffered'>;

/**
 * What was deleted by hand and is not taken from a source again: the version that was deleted, or any. A source's copy
 * goes on to list such an object under the digest that the source has, so that both sides agree and nothing is asked
 * for again and again; only its content is not kept.
 *
 * The list and the store are two databases, and a crash may come between. While objects are deleted the list has their
 * ids as pending, and the next start deletes them; while blocks end with a change or deletion of their objects, it has
 * theirs as ending, and the next start looks what became of the objects. A block that was to be lifted still stands, and
 * can be lifted again.
 */
export class BlockList {
  readonly #rows: Database;
  #count: number;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(rows: Database, count: number) {
    this.#rows = rows;
    this.#count = count;
  }

  /** `remove` deletes objects from the store: what a crash left half done is finished now. */
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

  /** Block these objects and delete them, so that no round comes between; all of them or, after a crash, at the next start. */
  delete(
    blocks: readonly (Block & { readonly digest: Uint8Array })[],
    remove: (oids: readonly Oid[]) => Promise<void>,
  ): Promise<void> {
    return this.#exclusively(async () => {
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

  /** End the block of an object; `unlearn` lets its sources tell of it again. Resolves to false when there was none. */
  lift(oid: Oid, unlearn: (oids: readonly Oid[]) => Promise<void>): Promise<boolean> {
    return this.#exclusively(async () => {
      if ((await this.#rows.get(rowKey(oid))) === undefined) return false;
      // In this order a crash in between leaves a block that can be lifted again.
      await unlearn([oid]);
      await this.#forget([oid], true);
      return true;
    });
  }

  /** Of these objects those that are blocked. */
  async blocked(oids: readonly Oid[]): Promise<ReadonlySet<Oid>> {
    if (this.#count === 0) return new Set();
    const rows = await this.#rows.getMany(oids.map(rowKey));
    return new Set(oids.filter((_, i) => rows[i] !== undefined));
  }

  /** A source's copy that takes no blocked object's content. */
  guard(replica: Replica, store: Offered): Replica {
    return withApply(replica, (changes, marker) =>
      this.#exclusively(async () => {
        if (this.#count === 0) return replica.apply(changes, marker);
        const { kept, changed, gone } = await this.#sifted(changes);
        const ending = [...changed, ...gone];
        if (ending.length > 0)
          await this.#rows.batch([{ type: 'put', key: endingKey, value: text(ending) }], { sync: true });
        await replica.apply(kept, marker);
        if (ending.length > 0) await this.#end(ending, store);
      }),
    );
  }

  /** Of these blocks end those whose objects are here again, or are offered no more. */
  async #end(oids: readonly Oid[], store: Offered): Promise<void> {
    const known = await this.#rows.getMany(oids.map(rowKey));
    const ended: Oid[] = [];
    for (const [at, oid] of oids.entries()) {
      if (known[at] === undefined) continue;
      // Another source may offer it still: in a ring of Brokers each hears of the other's deletion.
      if ((await store.describe(oid)) !== undefined || !(await store.isOffered(oid))) ended.push(oid);
    }
    await this.#forget(ended, false, endingKey);
  }

  async #sifted(changes: readonly (Change | Noted)[]): Promise<{
    readonly kept: readonly (Change | Noted)[];
    /** Blocked in the version before only. */
    readonly changed: ReadonlySet<Oid>;
    /** Blocked in one version, and deleted at this source. */
    readonly gone: ReadonlySet<Oid>;
  }> {
    const told = changes.flatMap((change) =>
      change.kind === 'put' ? [change.object.oid] : change.kind === 'delete' ? [change.oid] : [],
    );
    const rows = await this.#rows.getMany(told.map(rowKey));
    const blocks = new Map<Oid, Row>();
    for (const value of rows) {
      const row = value === undefined ? undefined : parse(value);
      if (row !== undefined) blocks.set(row.oid, row);
    }
    const [changed, gone] = [new Set<Oid>(), new Set<Oid>()];
    const kept = changes.map((change): Change | Noted => {
      if (change.kind === 'delete' && blocks.get(change.oid)?.isForGood === false) {
        changed.delete(change.oid);
        gone.add(change.oid);
      }
      if (change.kind !== 'put') return change;
      const { oid, digest } = change.object;
      const block = blocks.get(oid);
      if (block === undefined) return change;
      // Listed by its whole digest: a refresh is checked against that.
      if (block.isForGood || block.digest === Buffer.from(digest).toString('base64url'))
        return { kind: 'note', lsn: change.lsn, oid, handle: handleOf(oid), signature: digest };
      gone.delete(oid);
      changed.add(oid);
      return change;
    });
    return { kept, changed, gone };
  }

  /** Forget blocks, and a mark with them. */
  async #forget(oids: readonly Oid[], sync: boolean, mark?: Buffer): Promise<void> {
    const count = this.#count - oids.length;
    const keys = [...oids.map(rowKey), ...(mark === undefined ? [] : [mark])];
    const gone = keys.map((key): Write => ({ type: 'del', key }));
    await this.#rows.batch([...gone, { type: 'put', key: countKey, value: text(count) }], { sync });
    this.#count = count;
  }

  /** One at a time: a round must not bring an object back between its block and its deletion. */
  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
