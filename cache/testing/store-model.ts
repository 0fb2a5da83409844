import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EntryStore, PurgeTarget } from '../storage/model/entry.ts';
import { isCovered } from '../storage/model/purge-effect.ts';
import { bytesIn, bytesOf, headOf, put } from './storage.ts';

/** The actions on a store, as data. Keys are few, so that actions meet. */
export type Action =
  | {
      readonly do: 'put';
      readonly key: number;
      readonly variant: number;
      readonly size: number;
      readonly tags: string[];
    }
  | { readonly do: 'head' | 'remove' | 'invalidate'; readonly key: number }
  | { readonly do: 'purge'; readonly target: PurgeTarget; readonly soft: boolean }
  | { readonly do: 'flush' | 'again' };

const keys = ['http://a/', 'http://a/1', 'http://a/12', 'http://b/1', 'http://b/', 'ftp://a/1', 'http://a'];
const sizes = [0, 1, 300, 17_000, 65_536, 65_537, 140_000, 300_000];

const key = fc.nat(keys.length - 1);
const tag = fc.constantFrom('red', 'green', 'blue');
const target: fc.Arbitrary<PurgeTarget> = fc.oneof(
  key.map((at) => ({ url: keys[at] as string })),
  fc
    .constantFrom('http://a/', 'http://a/1', 'http://a', 'http', 'ftp://a/', 'x')
    .map((prefix) => ({ prefix })),
  tag.map((one) => ({ tag: one })),
  fc.constant({ all: true as const }),
);

export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      key,
      variant: fc.nat(2),
      size: fc.constantFrom(...sizes),
      tags: fc.array(tag, { maxLength: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('head' as const, 'remove' as const, 'invalidate' as const),
      key,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('purge' as const), target, soft: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('flush' as const, 'again' as const) }) },
);

interface Known {
  readonly key: string;
  readonly selecting: string;
  readonly content: Buffer;
  readonly mark: string;
  readonly standing: 'as stored' | 'stale' | 'outdated';
  readonly tags: readonly string[];
}

/** A plain list that does what a store should. */
export class Model {
  entries: Known[] = [];
  /** Every response that was ever under a key: content and mark of its head. */
  readonly ever = new Set<string>();
  #count = 0;

  static nameOf({ key: own, selecting, mark, content }: Omit<Known, 'standing' | 'tags'>): string {
    return `${own} ${selecting} ${mark} ${content.length} ${content.subarray(0, 32).toString('hex')}`;
  }

  /** Do one action on both; the store is not opened again here. */
  async run(store: EntryStore, one: Action): Promise<void> {
    if (one.do === 'put') await this.#put(store, one);
    else if (one.do === 'purge') {
      const { target: purged, soft } = one;
      const count = await store.purge(purged, { soft });
      const met = this.entries.filter((entry) => isCovered(purged, entry));
      assert.equal(count, met.length, JSON.stringify(one));
      this.entries = soft
        ? this.entries.map((entry) =>
            met.includes(entry) && entry.standing === 'as stored' ? { ...entry, standing: 'stale' } : entry,
          )
        : this.entries.filter((entry) => !met.includes(entry));
    } else if (one.do === 'invalidate') {
      const own = keys[one.key] as string;
      const met = this.entries.filter((entry) => entry.key === own);
      assert.equal(await store.invalidate(own), met.length);
      this.entries = this.entries.map((entry) =>
        met.includes(entry) ? { ...entry, standing: 'outdated' } : entry,
      );
    } else if (one.do === 'flush') await store.flush();
    else if (one.do === 'head' || one.do === 'remove')
      await this.#change(store, keys[one.key] as string, one.do);
  }

  async #put(store: EntryStore, { key: at, variant, size, tags }: Action & { do: 'put' }): Promise<void> {
    const [own, serial] = [keys[at] as string, ++this.#count];
    const selecting = variant === 0 ? [] : ['accept', String(variant)];
    const content = bytesOf(serial, size);
    const mark = String(serial);
    const head = headOf(own, { at: serial, selecting, mark });
    assert.ok(await put(store, own, content, { head, tags }));
    this.entries = this.entries.filter(
      (entry) => entry.key !== own || entry.selecting !== selecting.join('='),
    );
    const known = { key: own, selecting: selecting.join('='), content, mark };
    this.entries.push({ ...known, standing: 'as stored', tags });
    this.ever.add(Model.nameOf(known));
  }

  /** Another head for the entry received last under a key, or none. */
  async #change(store: EntryStore, own: string, what: 'head' | 'remove'): Promise<void> {
    const [entry] = await store.variants(own);
    if (entry === undefined) return;
    const selecting = entry.head.selecting.join('=');
    const at = this.entries.findIndex((known) => known.key === own && known.selecting === selecting);
    const known = this.entries[at] as Known;
    if (what === 'remove') {
      store.remove(entry);
      this.entries.splice(at, 1);
      return;
    }
    const serial = ++this.#count;
    const mark = String(serial);
    const { selecting: fields } = entry.head;
    assert.ok(store.updateHead(entry, headOf(own, { at: serial, selecting: [...fields], mark })));
    const updated: Known = { ...known, mark, standing: 'as stored' };
    this.entries[at] = updated;
    this.ever.add(Model.nameOf(updated));
  }

  /** The contents of a store, in the model's form; `read` handles a content that throws. */
  static async holdings(store: EntryStore, onError?: (error: unknown) => void): Promise<Known[]> {
    const found: Known[] = [];
    for (const own of keys)
      for (const entry of await store.variants(own)) {
        try {
          found.push({
            key: own,
            selecting: entry.head.selecting.join('='),
            content: await bytesIn(store.read(entry)),
            mark: (entry.head.fields[1] as string).slice(1, -1),
            standing: entry.invalidated
              ? 'outdated'
              : entry.staleSinceMs === undefined
                ? 'as stored'
                : 'stale',
            tags: entry.tags,
          });
        } catch (error) {
          if (onError === undefined) throw error;
          onError(error);
        }
      }
    return found;
  }

  /** That a store holds this and nothing else. */
  async check(store: EntryStore): Promise<void> {
    const order = (a: Known, b: Known) => Model.nameOf(a).localeCompare(Model.nameOf(b));
    const plain = ({ content, tags, ...rest }: Known) => ({
      ...rest,
      tags: [...new Set(tags)],
      content: content.toString('latin1'),
    });
    const found = await Model.holdings(store);
    assert.deepEqual(found.sort(order).map(plain), [...this.entries].sort(order).map(plain));
    const { entries, contentBytes } = store.statistics();
    assert.equal(entries, this.entries.length);
    assert.equal(
      contentBytes,
      this.entries.reduce((sum, { content }) => sum + content.length, 0),
    );
    const listed: string[] = [];
    for await (const own of store.keys()) listed.push(own);
    assert.deepEqual(listed.sort(), [...new Set(this.entries.map((entry) => entry.key))].sort());
    for (const own of keys) assert.equal(store.has(own), listed.includes(own), own);
  }
}
