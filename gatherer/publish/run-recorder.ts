import { partUrl } from '../../readers/document/index.ts';
import { type SummaryObject, summaryObject } from '../../soif/index.ts';
import type { AnnotatedObjects } from '../annotate/index.ts';
import type { Enumerated, Remembered } from '../enumerate/index.ts';
import { reasonOf } from '../errors.ts';
import { gathererFault } from '../events.ts';
import { type Product, ruleAgainst, summaryNote } from '../pipeline/index.ts';
import { FindingsRecorder, replayFindings } from './document-findings.ts';
import { dueOf, type FetchRow, nextRetry, remembered, type Vouch, vouchOf } from './fetch-row.ts';
import type { FetchStore } from './fetch-store.ts';
import { naming, OtherAddresses, othersField, withOthers } from './other-addresses.ts';
import type { Produced, Production, Touched } from './production.ts';
import { PublishedUrls, sameAddressRule } from './published-urls.ts';
import { restamped, type Stamp } from './restamp.ts';
import type { Tally } from './run-statistics.ts';
import type { SeenSet } from './seen-set.ts';
import { TrustedRows } from './trusted-rows.ts';

export interface RecorderOptions {
  readonly fetchStore: FetchStore;
  readonly production: Production;
  /** Digest of the summarising settings; rows of another profile count as unknown. */
  readonly profile: string;
  /** The bounds of a document's time and memory; a document that failed is read again with others. */
  readonly bounds: string;
  /** What the Gatherer writes about itself into every summary. */
  readonly stamp: Stamp;
  /** The URL under which a document is published. */
  readonly published: (url: string) => string;
  /** A stored object without its annotation, and a gathered one with it; undefined when the record of it is lost. */
  readonly gathered: (stored: SummaryObject) => Promise<SummaryObject | undefined>;
  readonly annotated: (gathered: SummaryObject) => Promise<SummaryObject>;
}

const equalRule = 'the same bytes as another address';
const namedRule = 'another address of a page (rel=canonical, or a parameter that changes nothing)';

type Met<Kind extends Enumerated['kind']> = Extract<Enumerated, { kind: Kind }>;

/**
 * Stores the results of a run: summaries in the production store, and in the fetch store a row for each URL and each
 * part of a document, so that an unchanged document is not read again and a deletion is noticed.
 */
export class RunRecorder {
  readonly #options: RecorderOptions;
  readonly #addresses: PublishedUrls;
  readonly #others = new OtherAddresses();
  /** The rows that enumerators may recall. */
  readonly recollection: TrustedRows;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#addresses = new PublishedUrls(options.fetchStore, options.production);
    this.recollection = new TrustedRows(options);
  }

  /** Store a document's products. */
  async document(
    item: Met<'document'>,
    products: AsyncIterable<Product>,
    tally: Tally,
    seen: SeenSet,
  ): Promise<void> {
    const { url, document, remember } = item;
    const { fetchStore, production } = this.#options;
    const row = await fetchStore.recall(url);
    tally.read(document.bytes.length);
    let own: Produced | undefined;
    let parts = 0;
    let displaced = false;
    let passing = false;
    const others = row?.others;
    this.#checkOthers(url, row);
    const taken = new FindingsRecorder(url, tally);
    for await (const product of products) {
      passing ||= product.passing === true;
      const at = partUrl(url, product.part);
      const as = partUrl(this.#options.published(url), product.part);
      let rule = ruleAgainst(product);
      if (product.kind === 'summary' && rule === undefined && !(await this.#addresses.claim(at, as, seen))) {
        rule = sameAddressRule;
        displaced = true;
      }
      if (product.kind === 'refused') taken.refused(product.part, product.code, product.reason);
      else if (rule !== undefined) {
        taken.left(product.part, rule);
        await this.#leaveOut(at, rule, tally, seen);
      } else if (product.kind === 'summary') {
        const { outcome, ...produced } = await production.put(
          as,
          product.part === '' ? naming(product.summary, others) : product.summary,
        );
        tally.done(at, outcome);
        const lack = product.summary.attributes.find(([name]) => name === summaryNote)?.[1];
        if (lack !== undefined) taken.reduced(product.part, lack);
        if (product.part === '') own = produced;
        else {
          parts++;
          const before = await fetchStore.recall(at);
          await this.#moved(at, before, as);
          const findings = lack === undefined ? {} : { findings: { note: lack.slice(0, 300) } };
          this.#note(at, before, {}, { part: true, ...produced, as, ...findings }, seen);
        }
      }
      // The document's own summary comes last, and its row is not noted yet.
      if (product.part !== '' && production.full) await this.write();
    }
    // It had a summary of its own before and is only a wrapper now.
    const before = own === undefined ? await fetchStore.recall(url) : undefined;
    if (before?.digest !== undefined && (await this.#addresses.release(url, before)))
      tally.done(url, 'deleted');
    const as = this.#options.published(url);
    if (own !== undefined) await this.#moved(url, row, as);
    const { findings } = taken;
    const retried = row?.profile === this.#options.profile ? row.retry : undefined;
    const retry = passing ? { retry: nextRetry(retried, production.now, this.#options.bounds) } : {};
    const named = own === undefined || others === undefined ? {} : { others };
    const vouch = { ...own, as, ...named, ...(findings && { findings }), ...retry };
    if (parts > 0) {
      // Its row may count as unchanged only when all its parts are on disk.
      this.#note(url, row, {}, vouch, seen);
      await this.write();
    }
    if (parts > 0 || row?.parts !== undefined) await this.#dropParts(url, seen, tally);
    const noted = parts > 0 || own === undefined ? await fetchStore.recall(url) : row;
    this.#note(url, noted, remember, { ...vouch, ...(parts > 0 && { parts }) }, seen);
    const kept = displaced ? await fetchStore.recall(url) : undefined;
    if (kept !== undefined) await this.#addresses.distrust(url, kept);
  }

  /** Store any other item of an enumerator. */
  async other(item: Exclude<Enumerated, { kind: 'document' }>, tally: Tally, seen: SeenSet): Promise<void> {
    const { url } = item;
    if (item.kind === 'unchanged' && (item.remember as FetchRow).others !== undefined)
      this.#others.check(url);
    if (item.kind === 'unchanged' && this.recollection.keep(url, item.remember, tally, seen)) return;
    if (item.kind === 'skipped' && this.recollection.isUnknown(item)) return tally.skip(url, item.rule, item);
    const { fetchStore } = this.#options;
    const row = this.recollection.readAhead(url) ?? (await fetchStore.recall(url));
    switch (item.kind) {
      case 'unchanged': {
        if (row !== undefined && row.profile !== this.#options.profile) {
          // Its summary was changed after it was recalled: it stays, and is read in the next run.
          await this.#leave(url, row, seen);
          return tally.done(url, 'unchanged');
        }
        if (row?.parts !== undefined) await this.#stillThere(url, seen, tally);
        const { digest, parts, findings } = row ?? {};
        if (findings !== undefined) replayFindings(url, findings, tally);
        const isOwn = digest !== undefined || (parts === undefined && findings?.left === undefined);
        const touched = isOwn ? await this.#touch(url, row ?? {}) : undefined;
        this.#note(url, row, item.remember, { ...row, ...dueOf(touched ?? {}) }, seen);
        if (touched !== undefined) tally.done(url, touched.outcome);
        return;
      }
      case 'failed':
        if (row !== undefined) await this.#leave(url, row, seen);
        return item.whole === true ? tally.failWhole(url, item.error) : tally.fail(url, reasonOf(item.error));
      case 'gone':
        if (item.discoveredFrom !== undefined) tally.gone(url, item.reason, item.discoveredFrom);
        else tally.reasons.fault(url, item.reason);
        break;
      case 'redirected':
        tally.reasons.fault(url, `it redirects to ${item.to} (status ${item.status})`);
        this.#others.note(url, item.to);
        break;
      case 'skipped':
        tally.skip(url, item.rule, item);
        break;
      case 'double':
        tally.skip(url, item.named === true ? namedRule : equalRule);
        this.#others.note(url, item.of);
        break;
    }
    this.#checkOthers(url, row);
    // The other kinds are no documents of their own: their summary is deleted.
    if (row?.parts !== undefined) await this.#dropParts(url, undefined, tally);
    if (row?.digest !== undefined && (await this.#addresses.release(url, row))) {
      if (item.kind === 'skipped') tally.drop(url, item.rule);
      else tally.done(url, 'deleted');
    }
    const remember = 'remember' in item ? item.remember : undefined;
    if (remember !== undefined) this.#note(url, row, remember, {}, seen);
    else if (row !== undefined) fetchStore.forget(url);
  }

  /** Change the stored object of a published URL and its row. Nothing else may write meanwhile. */
  async edit(url: string, edit: Parameters<AnnotatedObjects['edit']>[1]): Promise<void> {
    const { fetchStore, production } = this.#options;
    // Its noted operations must be written first.
    await this.write();
    try {
      const edited = await edit(await production.stored(url));
      if (edited.kind === 'keep') return;
      const found = await fetchStore.publishedAs(url);
      const before = await production.digest(url);
      if (edited.kind === 'put') {
        const produced = await production.replace(edited.object);
        // A row with another digest belongs to an object that was never stored: its document must be read.
        if (found !== undefined && found[1].digest === before) {
          const [at, { refresh: _, ...row }] = found;
          fetchStore.remember(at, { ...row, ...produced }, found[1]);
        }
      } else if (found !== undefined) await this.#addresses.distrust(...found);
      // Its annotation is synced too, and would not be written again.
      await this.write({ sync: true });
    } catch (error) {
      await this.rescue(error);
      throw error;
    }
  }

  /** Have the objects of a complete run name the other addresses of their pages. */
  async nameOthers({ complete }: { readonly complete: boolean }): Promise<void> {
    const pages = this.#others.take();
    if (!complete || pages.length === 0) return;
    const { fetchStore, published } = this.#options;
    // The objects must be in the store.
    await this.write();
    for (const [url, addresses] of pages) {
      const others = addresses.map(published);
      const row = await fetchStore.recall(url);
      if (row?.digest === undefined || JSON.stringify(row.others ?? []) === JSON.stringify(others)) continue;
      const { others: _, ...rest } = row;
      const [named] = summaryObject(url, othersField(others)).attributes;
      const produced = await this.#changed(row.as ?? url, (plain) => ({
        ...plain,
        attributes: withOthers(plain.attributes, ({ name }) => name, named),
      }));
      if (produced === undefined) await this.#addresses.distrust(url, row);
      else fetchStore.remember(url, { ...rest, ...produced, ...(others.length > 0 && { others }) }, row);
      if (this.full) await this.write();
    }
    await this.write();
  }

  /** Give every stored summary the present stamp, without reading a document. A kill in between loses nothing. */
  async restamp(): Promise<void> {
    const { fetchStore, production, stamp, profile } = this.#options;
    const before = await fetchStore.addStamp(stamp);
    for await (const [url, row] of before.length === 0 ? [] : fetchStore.rows()) {
      // The document of any other row is read anyway.
      if (row.profile !== profile || row.digest === undefined) continue;
      const at = row.as ?? url;
      if (row.digest !== (await production.digest(at))) continue;
      const { refresh: _, ...rest } = row;
      const produced = await this.#changed(at, (plain) => restamped(plain, before, stamp));
      if (produced === undefined) await this.#addresses.distrust(url, row);
      else fetchStore.remember(url, { ...rest, ...produced }, row);
      if (this.full) await this.write();
    }
    await this.write();
    if (before.length > 0) fetchStore.keepStamp(stamp);
  }

  /** Store a changed object; undefined when its document must be read for that. */
  async #changed(
    url: string,
    change: (plain: SummaryObject) => SummaryObject,
  ): Promise<Produced | undefined> {
    const { production, gathered, annotated } = this.#options;
    const stored = await production.stored(url);
    const plain = stored === undefined ? undefined : await gathered(stored);
    return plain === undefined ? undefined : production.replace(await annotated(change(plain)));
  }

  /** Delete the documents that a complete run, below `prefix` if given, has not met. */
  async deleteUnseen(seen: SeenSet, tally: Tally, prefix?: string): Promise<void> {
    const { fetchStore, production } = this.#options;
    // Nothing was written, and the number of met rows is that of all rows.
    if (prefix === undefined && fetchStore.matches(production.state) && seen.size === fetchStore.count)
      return;
    for await (const [url, row] of fetchStore.rows(prefix)) {
      if (seen.has(row.ordinal)) continue;
      await this.#forget(url, row, tally);
      if (this.#options.production.full) await this.write();
    }
    await this.write();
  }

  /** Delete the summaries without a row: damage has hidden the deletion of their documents. */
  async deleteUnvouched(tally: Tally): Promise<void> {
    for await (const url of this.#addresses.unvouched()) {
      await this.#options.production.delete(url);
      tally.done(url, 'deleted');
      if (this.full) await this.write();
    }
    await this.write();
    await this.#options.fetchStore.endDoubt();
  }

  /** Write everything noted. A kill in between leaves no summary without a row, by which runs notice deletions. */
  async write(how: { readonly sync?: boolean } = {}): Promise<void> {
    const { fetchStore, production } = this.#options;
    await fetchStore.writeVouching();
    await production.write(how);
    await fetchStore.writeOthers();
  }

  /** Whether a batch is full. */
  get full(): boolean {
    return this.#options.production.full;
  }

  /** After an error, write everything noted, or discard it: kept, it would grow with each failing run. */
  async rescue(error: unknown): Promise<void> {
    this.recollection.lose();
    this.#others.take();
    try {
      await this.write();
    } catch (second) {
      this.#options.production.discard();
      this.#options.fetchStore.discard();
      if (second !== error)
        gathererFault.publish({ where: 'storing the documents gathered before an error', error: second });
    }
  }

  /** A row and those of its parts stay unchanged. */
  async #leave(url: string, row: FetchRow, seen: SeenSet): Promise<void> {
    seen.add(row.ordinal);
    await this.recollection.stays(url, row);
    if (row.parts === undefined) return;
    for await (const [, part] of this.recollection.parts(url)) seen.add(part.ordinal);
  }

  /** Refresh the summary of a row when it is due. */
  async #touch(url: string, { as, refresh, due }: Partial<FetchRow>): Promise<Touched> {
    const { production } = this.#options;
    if (this.recollection.isTrusted && due !== undefined && !production.isDue(due))
      return { outcome: 'unchanged', due };
    return production.touch(as ?? url, refresh);
  }

  async #leaveOut(url: string, rule: string, tally: Tally, seen: SeenSet): Promise<void> {
    const row = await this.#options.fetchStore.recall(url);
    if (row?.digest === undefined) return;
    if (await this.#addresses.release(url, row)) tally.drop(url, rule);
    if (row.part !== undefined) this.#options.fetchStore.forget(url);
    else this.#note(url, row, {}, {}, seen);
  }

  /** A document with a new published URL releases the previous one. */
  async #moved(url: string, row: FetchRow | undefined, as: string): Promise<void> {
    if (row?.digest !== undefined && (row.as ?? url) !== as) await this.#addresses.release(url, row);
  }

  /** Note a row to replace `row`, unless both are equal: an unchanged site writes nothing. */
  #note(url: string, row: FetchRow | undefined, remember: Remembered, vouch: Vouch, seen: SeenSet): void {
    const { fetchStore, profile } = this.#options;
    const { as } = vouch;
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

  async #stillThere(url: string, seen: SeenSet, tally: Tally): Promise<void> {
    for await (const [at, row] of this.recollection.parts(url)) {
      const touched = await this.#touch(at, row);
      if (touched.due === row.due) seen.add(row.ordinal);
      else this.#note(at, row, {}, { ...row, ...dueOf(touched) }, seen);
      if (row.findings !== undefined) replayFindings(at, row.findings, tally);
      tally.done(at, touched.outcome);
      if (this.full) await this.write();
    }
  }

  /** Delete the parts that are not in `seen`; all of them when it is absent. */
  async #dropParts(url: string, seen: SeenSet | undefined, tally: Tally): Promise<void> {
    await this.write();
    for await (const [at, row] of this.recollection.parts(url)) {
      if (seen?.has(row.ordinal)) continue;
      await this.#forget(at, row, tally);
      if (this.full) await this.write();
    }
  }

  /** The object of this URL, or of the page whose other address it was, may name too many addresses. */
  #checkOthers(url: string, row: FetchRow | undefined): void {
    if (row?.others !== undefined) this.#others.check(url);
    if (row?.canonicalUrl !== undefined) this.#others.check(row.canonicalUrl);
  }

  async #forget(url: string, row: FetchRow, tally: Tally): Promise<void> {
    this.#checkOthers(url, row);
    if (row.digest !== undefined && (await this.#addresses.release(url, row))) tally.done(url, 'deleted');
    this.#options.fetchStore.forget(url);
  }
}
