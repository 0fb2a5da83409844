import { createHash } from 'node:crypto';
import { type Clock, failure } from '../kernel/index.ts';
import { decodeObject, type Oid, type SummaryObject } from '../soif/index.ts';
import type { DataFolder } from '../store/index.ts';
import type { DocumentInput } from './document.ts';
import type { Enumerated, EnumerationMemory, Enumerator, Remembered } from './enumerator.ts';
import { gathererErrors } from './errors.ts';
import { documentDone, type RunReport, runFinished } from './events.ts';
import { type FetchRow, FetchStore } from './fetch-store.ts';
import { type Outcome, Production } from './production.ts';
import { select, type TypeSelection } from './select.ts';
import { summarise } from './summarise.ts';
import type { SummariseOptions, Summary } from './summariser.ts';

export interface GathererOptions {
  readonly folder: DataFolder;
  /** One for each RootNode; `linksOf` gives the links of a document that is summarised anyway. */
  readonly enumerators: (linksOf: (document: DocumentInput) => readonly string[]) => readonly Enumerator[];
  readonly clock: Clock;
  readonly name: string;
  readonly host: string;
  readonly version: string;
  readonly summarise: SummariseOptions;
  readonly selection: TypeSelection;
  readonly ttlSeconds: number;
  readonly refreshSeconds: number;
}

/** Why a URL is or is not in the production store. */
export interface WhyReport {
  readonly url: string;
  readonly included: boolean;
  /** The rule that decided, in words. */
  readonly rule: string;
  /** Times in seconds since 1970. */
  readonly object: { readonly oid: Oid; readonly updatedAt: number; readonly expiresAt: number } | null;
  /** Whether a run has come across it. */
  readonly met: boolean;
  /** The URL under which the same bytes are summarised. */
  readonly sameAs: string | null;
  /** The limit that left it out. */
  readonly skipped: string | null;
}

const listedFailures = 20;
const maxRules = 64;

/** The enumerator's part of a row, in a fixed order. */
function plain(row: Remembered): Remembered {
  const { etag, lastModified, md5, stamp, links, canonicalUrl, sitemaps, lists, skipped } = row;
  const all = { etag, lastModified, md5, stamp, links, canonicalUrl, sitemaps, lists, skipped };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Which documents a run has met, one bit each. */
class Seen {
  #bits = new Uint8Array(1024);

  add(ordinal: number): void {
    const at = ordinal >> 3;
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[at] = (this.#bits[at] as number) | (1 << (ordinal & 7));
  }

  has(ordinal: number): boolean {
    return (((this.#bits[ordinal >> 3] ?? 0) >> (ordinal & 7)) & 1) === 1;
  }
}

/** The running count of one run. */
class Tally {
  readonly counts = { added: 0, changed: 0, refreshed: 0, unchanged: 0, deleted: 0, failed: 0 };
  readonly skipped: Record<string, number> = {};
  readonly failures: { url: string; reason: string }[] = [];
  bytesRead = 0;
  complete = true;

  done(url: string, outcome: Outcome | 'deleted', bytes = 0): void {
    this.counts[outcome]++;
    this.bytesRead += bytes;
    documentDone.publish({ url, outcome, bytes });
  }

  skip(url: string, rule: string): void {
    const known = rule in this.skipped || Object.keys(this.skipped).length < maxRules ? rule : 'other rules';
    this.skipped[known] = (this.skipped[known] ?? 0) + 1;
    documentDone.publish({ url, outcome: 'skipped', bytes: 0, reason: rule });
  }

  fail(url: string, reason: string): void {
    this.counts.failed++;
    if (this.failures.length < listedFailures) this.failures.push({ url, reason });
    documentDone.publish({ url, outcome: 'failed', bytes: 0, reason });
  }
}

/**
 * Gathers its roots into the production store of a data folder: enumerate, recognise, select, summarise, put. MD5
 * and validators decide what changed; an unchanged document is not read again, one that is no longer there is
 * deleted. Runs and single updates take turns.
 */
export class Gatherer {
  readonly options: GathererOptions;
  readonly #fetchStore: FetchStore;
  readonly #production: Production;
  readonly #wanted: (type: string) => boolean;
  /** Says how summaries are made; rows of another profile count as unknown. */
  readonly #profile: string;
  readonly #enumerators: readonly Enumerator[];
  /** A document is summarised once, whether its links or its summary are asked for first. */
  readonly #summaries = new WeakMap<DocumentInput, Summary>();
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(options: GathererOptions, fetchStore: FetchStore) {
    this.options = options;
    this.#fetchStore = fetchStore;
    const { folder, clock, name, host, version, ttlSeconds, refreshSeconds } = options;
    this.#production = new Production({
      store: folder.store,
      identity: folder.identity,
      clock,
      name,
      host,
      version,
      ttlSeconds,
      refreshSeconds,
    });
    this.#wanted = select(options.selection);
    const parts = [version, name, host, ttlSeconds, refreshSeconds, options.summarise, options.selection];
    this.#enumerators = options.enumerators((document) => this.#summary(document).links);
    this.#profile = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
  }

  /** Make a Gatherer over an opened data folder, which stays the caller's to close. */
  static async open(options: GathererOptions): Promise<Gatherer> {
    return new Gatherer(options, await FetchStore.open(await options.folder.database('fetch')));
  }

  /** What enumerators may ask: rows that still lead to what the store holds. */
  get memory(): EnumerationMemory {
    return { recall: (url) => this.#recall(url), known: () => this.#known() };
  }

  /** Enumerate every root and bring the production store up to date. An abort ends the run; what was done is kept. */
  run(signal?: AbortSignal): Promise<RunReport> {
    return this.#exclusively(async () => {
      const started = this.options.clock.now();
      const tally = new Tally();
      const seen = new Seen();
      try {
        for (const enumerator of this.#enumerators) {
          for await (const item of enumerator.enumerate(this.memory, signal)) {
            await this.#take(item, tally, seen);
            if (this.#production.full) await this.#write();
          }
        }
      } catch (error) {
        if (signal?.aborted !== true) throw error;
        tally.complete = false;
      } finally {
        await this.#write();
      }
      if (tally.complete) await this.#deleteUnseen(seen, tally);
      await this.options.folder.store.expire();
      await this.options.folder.store.flush();
      const report: RunReport = {
        ...tally.counts,
        skipped: tally.skipped,
        failures: tally.failures,
        bytesRead: tally.bytesRead,
        ms: this.options.clock.now() - started,
        objects: this.options.folder.store.count,
        complete: tally.complete,
      };
      runFinished.publish(report);
      return report;
    });
  }

  /** Resolve when nothing is under way. */
  async idle(): Promise<void> {
    await this.#turn;
  }

  /** Forget summaries that have expired and tombstones older than `tombstoneSeconds`. */
  clean(tombstoneSeconds: number): Promise<void> {
    return this.#exclusively(async () => {
      await this.options.folder.store.expire();
      await this.options.folder.store.forgetTombstones(tombstoneSeconds);
    });
  }

  /** Bring single documents up to date, as when a watched file has changed. */
  update(items: AsyncIterable<Enumerated>): Promise<void> {
    return this.#exclusively(async () => {
      const tally = new Tally();
      for await (const item of items) {
        await this.#take(item, tally, new Seen());
        if (this.#production.full) await this.#write();
      }
      await this.#write();
    });
  }

  /** What is known of a URL: the rule that includes or excludes it, and what the last run made of it. */
  async why(url: string, signal?: AbortSignal): Promise<WhyReport> {
    const verdicts = await Promise.all(this.#enumerators.map((enumerator) => enumerator.decide(url, signal)));
    const verdict = verdicts.find(({ included }) => included) ?? verdicts[0];
    const at = verdict?.url ?? url;
    const stored = await this.options.folder.store.describe(this.#production.oid(at));
    const row = await this.#fetchStore.recall(at);
    return {
      url: at,
      included: verdict?.included ?? false,
      rule: verdict?.rule ?? 'there is no root',
      object:
        stored === undefined
          ? null
          : { oid: stored.oid, updatedAt: stored.updatedAt, expiresAt: stored.expiresAtMs / 1000 },
      met: row !== undefined,
      sameAs: row?.canonicalUrl ?? null,
      skipped: row?.skipped ?? null,
    };
  }

  /** The summary object for a URL. Throws GATHERER_UNKNOWN_URL. */
  async show(url: string): Promise<SummaryObject> {
    const stored = await this.options.folder.store.get(this.#production.oid(url));
    if (stored === undefined) throw failure(gathererErrors.GATHERER_UNKNOWN_URL, { url: url.slice(0, 200) });
    return decodeObject(stored.body);
  }

  /** The summary object of an OID, or undefined. */
  async summary(oid: Oid): Promise<SummaryObject | undefined> {
    const stored = await this.options.folder.store.get(oid);
    return stored === undefined ? undefined : decodeObject(stored.body);
  }

  async #take(item: Enumerated, tally: Tally, seen: Seen): Promise<void> {
    const { url } = item;
    const row = await this.#fetchStore.recall(url);
    switch (item.kind) {
      case 'document':
        return this.#document(item, tally, seen);
      case 'unchanged':
        seen.add(await this.#remember(url, item.remember, row, row?.digest));
        return tally.done(url, await this.#production.touch(url));
      case 'failed':
        if (row !== undefined) seen.add(row.ordinal);
        return tally.fail(url, item.error.message);
      case 'skipped':
        tally.skip(url, item.rule);
        break;
      case 'double':
        tally.skip(url, 'the same bytes as a shorter address');
        break;
    }
    // What is left is no document of its own: a summary of it goes.
    if (row?.digest !== undefined) {
      this.#production.delete(url);
      tally.done(url, 'deleted');
    }
    const remember = 'remember' in item ? item.remember : undefined;
    if (remember !== undefined) seen.add(await this.#remember(url, remember, row, undefined));
    else if (row !== undefined) this.#fetchStore.forget(url);
  }

  async #document(item: Extract<Enumerated, { kind: 'document' }>, tally: Tally, seen: Seen): Promise<void> {
    const { url, document, remember } = item;
    const row = await this.#fetchStore.recall(url);
    const summary = this.#summary(document);
    tally.bytesRead += document.bytes.length;
    const rule = !this.#wanted(summary.type)
      ? `type ${summary.type} is left out (gatherer.stop, gatherer.allow)`
      : !summary.index
        ? 'the page asks not to be indexed (robots noindex)'
        : undefined;
    if (rule !== undefined) {
      if (row?.digest !== undefined) this.#production.delete(url);
      seen.add(await this.#remember(url, remember, row, undefined));
      return tally.skip(url, rule);
    }
    const { outcome, digest } = await this.#production.put(url, summary);
    seen.add(await this.#remember(url, remember, row, digest));
    tally.done(url, outcome);
  }

  /** Note a row unless it says what is known already: an unchanged site writes nothing. */
  async #remember(
    url: string,
    remember: Remembered,
    row: FetchRow | undefined,
    digest: string | undefined,
  ): Promise<number> {
    const fresh = { ...plain(remember), profile: this.#profile, ...(digest === undefined ? {} : { digest }) };
    const same =
      row !== undefined &&
      row.profile === this.#profile &&
      row.digest === digest &&
      JSON.stringify(plain(row)) === JSON.stringify(plain(remember));
    if (same) return row.ordinal;
    return this.#fetchStore.remember(url, fresh);
  }

  #summary(document: DocumentInput): Summary {
    let summary = this.#summaries.get(document);
    if (summary === undefined) {
      summary = summarise(document, this.options.summarise);
      this.#summaries.set(document, summary);
    }
    return summary;
  }

  async *#known(): AsyncIterable<string> {
    for await (const [url, { digest }] of this.#fetchStore.rows()) if (digest !== undefined) yield url;
  }

  async #deleteUnseen(seen: Seen, tally: Tally): Promise<void> {
    for await (const [url, row] of this.#fetchStore.rows()) {
      if (seen.has(row.ordinal)) continue;
      this.#fetchStore.forget(url);
      if (row.digest !== undefined) {
        this.#production.delete(url);
        tally.done(url, 'deleted');
      }
      if (this.#production.full) await this.#write();
    }
    await this.#write();
  }

  async #recall(url: string): Promise<FetchRow | undefined> {
    const row = await this.#fetchStore.recall(url);
    if (row === undefined || row.profile !== this.#profile) return undefined;
    if (row.digest !== undefined && row.digest !== (await this.#production.digest(url))) return undefined;
    return row;
  }

  /** A kill in between must leave no summary without a row: a run finds by the rows what is no longer there. */
  async #write(): Promise<void> {
    await this.#fetchStore.writeVouching();
    await this.#production.write();
    await this.#fetchStore.writeOthers();
  }

  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
