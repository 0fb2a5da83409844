import type { AnnotatedObjects } from './annotations/index.ts';
import { partUrl } from './document-pipeline.ts';
import type { Enumerated, OrderedRecall, Remembered } from './enumerator.ts';
import { gathererFault } from './events.ts';
import { dueOf, type FetchRow, remembered, type Vouch, vouchOf } from './fetch-row.ts';
import type { FetchStore, UnreadRow } from './fetch-store.ts';
import { type Product, ruleAgainst } from './product.ts';
import type { Produced, Production, Touched } from './production.ts';
import { RowSweep } from './row-sweep.ts';
import type { Seen } from './seen.ts';
import type { Tally } from './tally.ts';

export interface KeepingOptions {
  readonly fetchStore: FetchStore;
  readonly production: Production;
  /** Says how summaries are made; rows of another profile count as unknown. */
  readonly profile: string;
  /** The URL under which a document is published. */
  readonly published: (url: string) => string;
}

/** So many documents are kept for one that is told of. */
const keptPerTold = 64;

type Met<Kind extends Enumerated['kind']> = Extract<Enumerated, { kind: Kind }>;

/**
 * Keeps what a run finds: summaries in the production store, and in the fetch store a row for each URL and for each
 * part of a document, so that an unchanged document is not read again and a vanished one is noticed.
 */
export class Keeping {
  readonly #options: KeepingOptions;
  /** Rows as they were handed out: an enumerator that hands one back has nothing new to remember. */
  #recalled = new WeakSet<Remembered>();
  /** Whether rows are known to lead to what the store holds without a look at it. */
  #trusted = false;
  /** Whether no row was met that leads elsewhere and stays as it is. */
  #sound = true;

  constructor(options: KeepingOptions) {
    this.#options = options;
  }

  /** A run or an update begins; it ends with the disposal. Nobody else writes to the store meanwhile. */
  begin(): Disposable {
    const { fetchStore, production } = this.#options;
    this.#trusted = production.settled && fetchStore.matches(production.state);
    this.#sound = true;
    return {
      [Symbol.dispose]: () => {
        this.#trusted = false;
        this.#recalled = new WeakSet();
      },
    };
  }

  /**
   * Note, after a whole run, that every row has been compared with the store, so that the next run need not. What the
   * store holds must be safe on disk by now.
   */
  async noteMatch(): Promise<void> {
    const { fetchStore, production } = this.#options;
    if (this.#sound && production.settled) await fetchStore.noteMatch(production.state);
  }

  /** The row of a URL if it still leads to what the store holds. */
  async recall(url: string): Promise<FetchRow | undefined> {
    const row = await this.#options.fetchStore.recall(url);
    return row !== undefined && (await this.#holds(url, row)) ? this.#handOut(row) : undefined;
  }

  /**
   * The same for URLs below `prefix` that are asked for in their order: one sweep over the rows. With `into` a document
   * that is kept is counted there and need not be told of.
   */
  inOrder(prefix: string, into?: { readonly tally: Tally; readonly seen: Seen }): OrderedRecall {
    const sweep = new RowSweep(this.#options.fetchStore.rowBatches(prefix));
    let last: FetchRow | undefined;
    let kept = 0;
    const trusted = (row: FetchRow) => {
      last = row;
      return row;
    };
    const found = (unread: UnreadRow | undefined) => {
      last = undefined;
      if (unread === undefined) return undefined;
      const row = unread.row();
      if (this.#isTrusted(row)) return trusted(row);
      return this.#holds(unread.url, row).then((holds) => (holds ? row : undefined));
    };
    return {
      recall: (url) => {
        const unread = sweep.find(url);
        return unread instanceof Promise ? unread.then(found) : found(unread);
      },
      keep: (url, remembered) => {
        const row = remembered as FetchRow;
        const isKnown = remembered === last && this.#isAsKnown(row);
        if (isKnown) this.#recalled.add(row);
        // Now and then one goes the long way, on which a run can be stopped or slowed down.
        if (!isKnown || into === undefined || ++kept % keptPerTold === 0) return false;
        into.seen.add(row.ordinal);
        into.tally.done(url, 'unchanged');
        return true;
      },
      [Symbol.asyncDispose]: () => sweep[Symbol.asyncDispose](),
    };
  }

  /** Every document that has a summary, or parts that have. */
  async *known(prefix?: string): AsyncIterable<string> {
    for await (const [url, row] of this.#options.fetchStore.rows(prefix))
      if (row.part === undefined && (row.digest !== undefined || row.parts !== undefined)) yield url;
  }

  /** Keep a document's products as they come. */
  async document(
    item: Met<'document'>,
    products: AsyncIterable<Product>,
    tally: Tally,
    seen: Seen,
  ): Promise<void> {
    const { url, document, remember } = item;
    const { fetchStore, production } = this.#options;
    const row = await fetchStore.recall(url);
    tally.read(document.bytes.length);
    let own: Produced | undefined;
    let parts = 0;
    for await (const product of products) {
      const at = partUrl(url, product.part);
      const rule = ruleAgainst(product);
      if (product.kind === 'refused') tally.refuse(at, product.code, product.reason);
      else if (rule !== undefined) await this.#leaveOut(at, rule, tally, seen);
      else if (product.kind === 'summary') {
        const as = partUrl(this.#options.published(url), product.part);
        const { outcome, ...produced } = await production.put(as, product.summary);
        tally.done(at, outcome);
        if (product.part === '') own = produced;
        else {
          parts++;
          this.#note(at, await fetchStore.recall(at), {}, { part: true, ...produced, as }, seen);
        }
      }
      // The document's own summary comes last, and its row is not noted yet.
      if (product.part !== '' && production.full) await this.write();
    }
    // It had a summary of its own, and is only a wrapper now.
    const before = own === undefined ? await fetchStore.recall(url) : undefined;
    if (before?.digest !== undefined) {
      production.delete(before.as ?? url);
      tally.done(url, 'deleted');
    }
    const as = this.#options.published(url);
    const vouch = { ...own, as };
    if (parts > 0) {
      // Its row says that nothing has changed only once all its parts are on disk.
      this.#note(url, row, {}, vouch, seen);
      await this.write();
    }
    if (parts > 0 || row?.parts !== undefined) await this.#dropParts(url, seen, tally);
    const noted = parts > 0 || own === undefined ? await fetchStore.recall(url) : row;
    this.#note(url, noted, remember, { ...vouch, ...(parts > 0 && { parts }) }, seen);
  }

  /** Keep anything else that an enumerator says of a URL. */
  async other(item: Exclude<Enumerated, { kind: 'document' }>, tally: Tally, seen: Seen): Promise<void> {
    const { url } = item;
    if (item.kind === 'unchanged' && this.#recalled.has(item.remember)) {
      const row = item.remember as FetchRow;
      if (this.#isAsKnown(row)) {
        seen.add(row.ordinal);
        return tally.done(url, 'unchanged');
      }
    }
    const { fetchStore, production } = this.#options;
    const row = await fetchStore.recall(url);
    switch (item.kind) {
      case 'unchanged': {
        if (row?.parts !== undefined) await this.#stillThere(url, seen, tally);
        const touched =
          row?.digest !== undefined || row?.parts === undefined
            ? await this.#touch(url, row ?? {})
            : undefined;
        this.#note(url, row, item.remember, { ...row, ...dueOf(touched ?? {}) }, seen);
        if (touched !== undefined) tally.done(url, touched.outcome);
        return;
      }
      case 'failed':
        if (row !== undefined) {
          seen.add(row.ordinal);
          if (!(await this.#holds(url, row))) this.#sound = false;
        }
        if (row?.parts !== undefined) for await (const [, part] of this.#parts(url)) seen.add(part.ordinal);
        return item.whole === true ? tally.failWhole(url, item.error) : tally.fail(url, item.error.message);
      case 'gone':
        if (item.discoveredFrom !== undefined) tally.gone(url, item.reason, item.discoveredFrom);
        break;
      case 'skipped':
        tally.skip(url, item.rule, item);
        break;
      case 'double':
        tally.skip(url, 'the same bytes as a shorter address');
        break;
    }
    // What is left is no document of its own: a summary of it goes.
    if (row?.parts !== undefined) await this.#dropParts(url, undefined, tally);
    if (row?.digest !== undefined) {
      production.delete(row.as ?? url);
      if (item.kind === 'skipped') tally.drop(url, item.rule);
      else tally.done(url, 'deleted');
    }
    const remember = 'remember' in item ? item.remember : undefined;
    if (remember !== undefined) this.#note(url, row, remember, {}, seen);
    else if (row !== undefined) fetchStore.forget(url);
  }

  /**
   * Change the stored object of a published URL as `edit` says. The row that leads to it follows, so that the next run
   * does not read its document; nothing else may keep anything meanwhile.
   */
  async edit(url: string, edit: Parameters<AnnotatedObjects['edit']>[1]): Promise<void> {
    const { fetchStore, production } = this.#options;
    // What is noted of it is to be changed too.
    await this.write();
    try {
      const edited = await edit(await production.stored(url));
      if (edited.kind === 'keep') return;
      const found = await fetchStore.publishedAs(url);
      const before = await production.digest(url);
      if (edited.kind === 'put') {
        const produced = await production.replace(edited.object);
        // A row that led to something else vouches for what was never stored: its document is to be read.
        if (found !== undefined && found[1].digest === before) {
          const [at, { refresh: _, ...row }] = found;
          fetchStore.remember(at, { ...row, ...produced }, found[1]);
        }
      } else if (found !== undefined) await this.#distrust(...found);
      // Its annotation is synced too, and would not be shown again.
      await this.write({ sync: true });
    } catch (error) {
      await this.rescue(error);
      throw error;
    }
  }

  /** Delete what a whole run, below `prefix` if one is given, has not met. */
  async deleteUnseen(seen: Seen, tally: Tally, prefix?: string): Promise<void> {
    const { fetchStore, production } = this.#options;
    // Nothing was written, and as many rows were met as there are.
    if (prefix === undefined && fetchStore.matches(production.state) && seen.size === fetchStore.count)
      return;
    for await (const [url, row] of fetchStore.rows(prefix)) {
      if (seen.has(row.ordinal)) continue;
      this.#forget(url, row, tally);
      if (this.#options.production.full) await this.write();
    }
    await this.write();
  }

  /** Write what was noted. A kill in between leaves no summary without a row, by which a run finds what is gone. */
  async write(how: { readonly sync?: boolean } = {}): Promise<void> {
    const { fetchStore, production } = this.#options;
    await fetchStore.writeVouching();
    await production.write(how);
    await fetchStore.writeOthers();
  }

  /** Whether enough has gathered to be written. */
  get full(): boolean {
    return this.#options.production.full;
  }

  /**
   * What follows an error: what was noted is written all the same. If that fails too, or was the error, it is
   * forgotten, for the next run to find anew: kept, it would grow with each run that fails.
   */
  async rescue(error: unknown): Promise<void> {
    this.#trusted = false;
    this.#sound = false;
    try {
      await this.write();
    } catch (second) {
      this.#options.production.discard();
      this.#options.fetchStore.discard();
      if (second !== error)
        gathererFault.publish({ where: 'keeping what was gathered before an error', error: second });
    }
  }

  /** Whether a row still leads to what the store holds, and so do those of its parts. */
  async #holds(url: string, row: FetchRow): Promise<boolean> {
    const { production, profile: current } = this.#options;
    const { profile, digest, as, parts } = row;
    if (profile !== current) return false;
    if (this.#trusted) return true;
    if (digest !== undefined && digest !== (await production.digest(as ?? url))) return false;
    if (parts === undefined) return true;
    for await (const [at, part] of this.#parts(url)) if (!(await this.#holds(at, part))) return false;
    return true;
  }

  #isTrusted({ profile }: FetchRow): boolean {
    return this.#trusted && profile === this.#options.profile;
  }

  #handOut(row: FetchRow): FetchRow {
    this.#recalled.add(row);
    return row;
  }

  /** Whether a row says that nothing is to be done. */
  #isAsKnown({ due, digest, parts }: FetchRow): boolean {
    if (!this.#trusted || parts !== undefined) return false;
    return digest === undefined || (due !== undefined && !this.#options.production.isDue(due));
  }

  /** Refresh what a row leads to when its time has come. */
  async #touch(url: string, { as, refresh, due }: Partial<FetchRow>): Promise<Touched> {
    const { production } = this.#options;
    if (this.#trusted && due !== undefined && !production.isDue(due)) return { outcome: 'unchanged', due };
    return production.touch(as ?? url, refresh);
  }

  async #leaveOut(url: string, rule: string, tally: Tally, seen: Seen): Promise<void> {
    const row = await this.#options.fetchStore.recall(url);
    tally.skip(url, rule);
    if (row?.digest === undefined) return;
    this.#options.production.delete(row.as ?? url);
    tally.drop(url, rule);
    if (row.part !== undefined) this.#options.fetchStore.forget(url);
    else this.#note(url, row, {}, {}, seen);
  }

  /** Note a row in place of `row` unless that says the same: an unchanged site writes nothing. */
  #note(url: string, row: FetchRow | undefined, remember: Remembered, vouch: Vouch, seen: Seen): void {
    const { fetchStore, production, profile } = this.#options;
    const { digest, as } = vouch;
    // Published elsewhere than before: what stood there goes.
    if (row?.digest !== undefined && digest !== undefined && (row.as ?? url) !== (as ?? url))
      production.delete(row.as ?? url);
    const { as: _, ...elsewhere } = vouchOf(vouch);
    const own = as === undefined || as === url ? elsewhere : { ...elsewhere, as };
    const fresh = { ...remembered(remember), profile, ...own };
    if (row !== undefined) {
      const { ordinal, ...known } = row;
      if (
        JSON.stringify({ ...remembered(known), profile: known.profile, ...vouchOf(known) }) ===
        JSON.stringify(fresh)
      ) {
        seen.add(ordinal);
        return;
      }
    }
    seen.add(fetchStore.remember(url, fresh, row));
  }

  /** Have a document read in the next run; of one that lies inside another, that other. */
  async #distrust(url: string, row: FetchRow): Promise<void> {
    const { fetchStore } = this.#options;
    const outer = url.replace(/#.*$/s, '');
    const whole = row.part === undefined ? undefined : await fetchStore.recall(outer);
    // Rows stay: without one nobody would notice that the document is gone.
    fetchStore.remember(url, { ...row, profile: '' }, row);
    if (whole !== undefined) fetchStore.remember(outer, { ...whole, profile: '' }, whole);
  }

  /** The rows of a document's parts. */
  async *#parts(url: string): AsyncIterable<readonly [string, FetchRow]> {
    for await (const [at, row] of this.#options.fetchStore.rows(`${url}#`))
      if (row.part !== undefined) yield [at, row];
  }

  async #stillThere(url: string, seen: Seen, tally: Tally): Promise<void> {
    for await (const [at, row] of this.#parts(url)) {
      const touched = await this.#touch(at, row);
      if (touched.due === row.due) seen.add(row.ordinal);
      else this.#note(at, row, {}, { ...row, ...dueOf(touched) }, seen);
      tally.done(at, touched.outcome);
      if (this.full) await this.write();
    }
  }

  /** Delete the parts that are not among `seen`; all of them when there is none. */
  async #dropParts(url: string, seen: Seen | undefined, tally: Tally): Promise<void> {
    await this.write();
    for await (const [at, row] of this.#parts(url)) {
      if (seen?.has(row.ordinal)) continue;
      this.#forget(at, row, tally);
      if (this.full) await this.write();
    }
  }

  #forget(url: string, row: FetchRow, tally: Tally): void {
    this.#options.fetchStore.forget(url);
    if (row.digest === undefined) return;
    this.#options.production.delete(row.as ?? url);
    tally.done(url, 'deleted');
  }
}
