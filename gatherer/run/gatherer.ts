import { createHash } from 'node:crypto';
import { type Clock, failure, TaskQueue } from '../../kernel/index.ts';
import { decodeObject, type Oid, type SummaryObject } from '../../soif/index.ts';
import type { DataFolder } from '../../store/index.ts';
import {
  type Annotation,
  type AnnotationChange,
  type AnnotationImport,
  type AnnotationOutcome,
  type AnnotationStore,
  Annotations,
  changedAnnotation,
  type ImportedRecord,
  versionOf,
} from '../annotate/index.ts';
import {
  type Enumerated,
  type EnumerationMemory,
  type Enumerator,
  everyRoot,
  type FolderUpdate,
} from '../enumerate/index.ts';
import { gathererErrors } from '../errors.ts';
import { type RunReport, runFinished } from '../events.ts';
import type { DocumentProcessor, PipelinePlan } from '../pipeline/index.ts';
import {
  type FetchStore,
  Production,
  type ProviderCounts,
  type RunCounts,
  RunRecorder,
  SeenSet,
  type Stamp,
  Tally,
} from '../publish/index.ts';
import { checkGatherer, type GathererCheck, type GathererCheckOptions, openRows } from './gatherer-check.ts';
import type { LoadBudget } from './load-budget.ts';
import { type PageReader, ProductStreams } from './product-streams.ts';
import { knownDocument, type LookupContext } from './url-lookup.ts';
import { type WhyReport, whyReport } from './why.ts';

export interface GathererOptions {
  readonly folder: DataFolder;
  /** One for each RootNode. */
  readonly enumerators: (pages: PageReader) => readonly Enumerator[];
  readonly clock: Clock;
  readonly name: string;
  readonly host: string;
  readonly version: string;
  /** How documents become summaries; when it changes, all are read again. */
  readonly plan: PipelinePlan;
  /** Carries the plan out. */
  readonly processor: DocumentProcessor;
  /** The URL under which a document is published; its own when absent. */
  readonly published?: (url: string) => string;
  readonly ttlSeconds: number;
  readonly refreshSeconds: number;
  /** Max annotated documents; a million when absent. */
  readonly maxAnnotations?: number;
  /** Answers of web servers by status, counted since the client was made; absent if nothing is fetched. */
  readonly answers?: () => RunCounts;
  /** Counts of local mappings, in the same way. */
  readonly mapped?: () => ProviderCounts['mapped'];
  /** Max load of runs and updates; no limit when absent. */
  readonly budget?: LoadBudget;
}

/** Max time between two writes of an update, so that changed files become searchable while others are read. */
const updateWriteMs = 250;

/** Result of changing an annotation, and the current annotation; null when there is none. */
export interface Annotated {
  readonly outcome: AnnotationOutcome;
  readonly annotation: Annotation | null;
}

/** Gathers roots into the production store. Runs exclude each other; annotations change between documents. */
export class Gatherer {
  readonly options: GathererOptions;
  /** People's annotations, shown in the summaries. */
  readonly annotations: Annotations;
  readonly #fetchStore: FetchStore;
  readonly #production: Production;
  readonly #recorder: RunRecorder;
  readonly #enumerators: readonly Enumerator[];
  readonly #streams: ProductStreams;
  readonly #actions = new TaskQueue();
  /** Steps of a run: an annotation waits for a step, not for the whole run. */
  readonly #steps = new TaskQueue();

  private constructor(options: GathererOptions, fetchStore: FetchStore, annotations: AnnotationStore) {
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
      annotated: (object) => this.annotations.applyTo(object),
      syncAnnotations: () => annotations.flush(),
    });
    const { plan, processor, published } = options;
    const parts = [version, plan];
    const profile = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
    this.#recorder = new RunRecorder({
      fetchStore,
      production: this.#production,
      profile,
      bounds: JSON.stringify(processor.bounds),
      stamp: this.#stamp,
      published: published ?? ((url) => url),
      gathered: (stored) => this.annotations.gathered(stored),
      annotated: (object) => this.annotations.applyTo(object),
    });
    this.annotations = new Annotations(annotations, {
      edit: (url, edit) => this.#steps.run(() => this.#recorder.edit(url, edit)),
    });
    this.#streams = new ProductStreams(processor);
    this.#enumerators = options.enumerators(this.#streams.reader);
  }

  /** Make a Gatherer over an opened data folder, which the caller closes. */
  static async open(options: GathererOptions): Promise<Gatherer> {
    const { folder, maxAnnotations } = options;
    const limits = maxAnnotations === undefined ? {} : { maxAnnotations };
    const { fetchStore, annotations } = await openRows(folder, limits);
    const gatherer = new Gatherer(options, fetchStore, annotations);
    await gatherer.annotations.resume();
    return gatherer;
  }

  /** The memory for enumerators: rows whose summaries are still in the store. */
  get memory(): EnumerationMemory {
    return this.#memory();
  }

  #memory(into?: { readonly tally: Tally; readonly seen: SeenSet }): EnumerationMemory {
    return {
      recall: (url) => this.#recorder.recollection.recall(url),
      inOrder: (prefix) => this.#recorder.recollection.inOrder(prefix, into),
      known: (prefix) => this.#recorder.recollection.known(prefix),
    };
  }

  /** Whether a run has ended since this data folder was made. */
  get filled(): boolean {
    return this.#fetchStore.filled;
  }

  /**
   * Enumerate every root and bring the production store up to date. An abort ends the run; its results so far are kept.
   * The report names an unreadable root and is not complete then. Throws errors of the store, and those of an
   * enumerator when no root could be read; the next run does the rest.
   */
  run(signal?: AbortSignal): Promise<RunReport> {
    return this.#actions.run(async () => {
      const { clock, folder, budget } = this.options;
      const started = clock.now();
      const before = this.#counts();
      budget?.begin();
      const tally = new Tally();
      const seen = new SeenSet();
      await this.#wholly(() => this.#steps.run(() => this.#recorder.restamp()));
      using _ = this.#recorder.recollection.begin();
      await this.#wholly(async () => {
        try {
          // If several documents have one published URL, the first has it: then every item must be yielded in order.
          const inTurn = this.#enumerators.length > 1 && this.options.published !== undefined;
          const memory = inTurn ? this.memory : this.#memory({ tally, seen });
          await this.#takeAll(everyRoot(this.#enumerators, memory, signal), tally, seen, signal);
        } catch (error) {
          if (signal?.aborted !== true) throw error;
          tally.incomplete();
        }
        await this.#steps.run(() => this.#recorder.write());
        if (tally.complete) {
          await this.#steps.run(() => this.#recorder.deleteUnseen(seen, tally));
          await this.#steps.run(() => this.#recorder.deleteUnvouched(tally));
        }
        await this.#steps.run(() => this.#recorder.nameOthers(tally));
      });
      await this.#steps.run(() => this.#fetchStore.noteReason(tally.reasons.all, tally));
      if (signal?.aborted !== true) await this.#steps.run(() => this.#fetchStore.noteFilled());
      await this.options.processor.rest();
      await folder.store.flush();
      if (tally.complete) await this.#steps.run(() => this.#recorder.recollection.noteMatch());
      await folder.store.expire();
      await folder.store.flush();
      const report = tally.report({
        ms: clock.now() - started,
        objects: folder.store.count,
        counts: [before, this.#counts()],
      });
      runFinished.publish(report);
      return report;
    });
  }

  /** Check the data against itself, and repair it on request. */
  check(options: Omit<GathererCheckOptions, 'clock'>): Promise<GathererCheck> {
    const { folder, clock } = this.options;
    return this.#actions.run(() => checkGatherer(folder, this.#fetchStore, { ...options, clock }));
  }

  /** Resolve when no run or step is in progress. */
  async idle(): Promise<void> {
    await this.#actions.ended();
    await this.#steps.ended();
  }

  /** Remove expired summaries, and tombstones older than `tombstoneSeconds`. */
  clean(tombstoneSeconds: number): Promise<void> {
    return this.#actions.run(async () => {
      await this.options.folder.store.expire();
      await this.options.folder.store.forgetTombstones(tombstoneSeconds);
    });
  }

  /**
   * Bring single documents up to date, for example after a watched file has changed. `begin` is called when runs and
   * updates before it have ended. Known documents below the URLs in `below` that are not yielded are deleted. After
   * `hurry` aborts, it does not wait for the load budget. Resolves to whether every item could be read; throws like
   * `run`.
   */
  update(begin: () => FolderUpdate, hurry?: AbortSignal): Promise<boolean> {
    return this.#actions.run(async () => {
      const { items, below } = begin();
      this.options.budget?.begin();
      const tally = new Tally();
      const seen = new SeenSet();
      using _ = this.#recorder.recollection.begin();
      await this.#wholly(async () => {
        await this.#takeAll(items, tally, seen, undefined, hurry);
        await this.#steps.run(async () => {
          await this.#recorder.write();
          for (const prefix of below)
            if (tally.complete) await this.#recorder.deleteUnseen(seen, tally, prefix);
        });
      });
      return tally.complete;
    });
  }

  /**
   * Change the annotation of the document published under a URL. Its stored object shows it at once, with a new
   * Update-Time and signature; the document is not read again. The annotation of a document not yet gathered waits.
   * Throws ANNOTATION_* like `annotationOf`, ANNOTATION_FULL, and ANNOTATION_CHANGED after a concurrent change.
   */
  async annotate(url: string, change: AnnotationChange): Promise<Annotated> {
    const { annotations } = this;
    const held = await annotations.get(url);
    const at = Math.floor(this.options.clock.now() / 1000);
    const wanted = changedAnnotation(url, held, change, at);
    if (wanted === undefined)
      return held === undefined
        ? { outcome: 'unchanged', annotation: null }
        : { outcome: await annotations.remove(url, versionOf(held)), annotation: null };
    const outcome = await annotations.set(wanted, versionOf(held));
    return { outcome, annotation: (await annotations.get(url)) ?? null };
  }

  /** Remove the annotation of a URL: the gathered values return. Throws ANNOTATION_MISSING. */
  removeAnnotation(url: string): Promise<AnnotationOutcome> {
    return this.annotations.remove(url);
  }

  /** Merge imported records into the annotations; refused ones are reported. */
  importAnnotations(records: readonly ImportedRecord[]): Promise<AnnotationImport> {
    const at = Math.floor(this.options.clock.now() / 1000);
    return this.annotations.take(records.map((record) => ({ author: '', at, ...record })));
  }

  /** Everything known of a URL: the rule that decides, and the last run's result. Throws GATHERER_NO_URL. */
  async why(url: string, signal?: AbortSignal): Promise<WhyReport> {
    if (!URL.canParse(url)) throw failure(gathererErrors.GATHERER_NO_URL, { text: url.slice(0, 200) });
    const { store } = this.options.folder;
    return whyReport(url, { ...this.#lookup, store, oid: (at) => this.#production.oid(at) }, signal);
  }

  /** The summary object for a URL, read or published, however it is spelled. Throws GATHERER_UNKNOWN_URL. */
  async show(url: string): Promise<SummaryObject> {
    const [at, row] = (await knownDocument(url, this.#lookup)) ?? [url];
    const stored = (await this.stored(url)) ?? (await this.stored(row?.as ?? at));
    if (stored === undefined) throw failure(gathererErrors.GATHERER_UNKNOWN_URL, { url: url.slice(0, 200) });
    return stored;
  }

  /** The summary object for a URL, or undefined. */
  stored(url: string): Promise<SummaryObject | undefined> {
    return this.#production.stored(url);
  }

  /** The summary object of an OID, or undefined. */
  async summary(oid: Oid): Promise<SummaryObject | undefined> {
    const stored = await this.options.folder.store.get(oid);
    return stored === undefined ? undefined : decodeObject(stored.body);
  }

  get #stamp(): Stamp {
    const { name, host, ttlSeconds, refreshSeconds } = this.options;
    return { name, host, ttlSeconds, refreshSeconds };
  }

  get #lookup(): LookupContext {
    const { published } = this.options;
    return { enumerators: this.#enumerators, fetchStore: this.#fetchStore, ...(published && { published }) };
  }

  /** Store the items of an enumerator, in order; the processor works on documents ahead, up to its width. */
  async #takeAll(
    items: AsyncIterable<Enumerated>,
    tally: Tally,
    seen: SeenSet,
    signal?: AbortSignal,
    hurry = signal,
  ): Promise<void> {
    const { budget, clock } = this.options;
    const ahead: Enumerated[] = [];
    let wroteAt = clock.now();
    this.#streams.signal = signal;
    const take = (item: Enumerated) =>
      this.#steps.run(async () => {
        if (item.kind === 'document') {
          const stream = this.#streams.of(item.document);
          try {
            await this.#recorder.document(item, stream, tally, seen);
          } finally {
            await this.#streams.close(stream);
          }
        } else await this.#recorder.other(item, tally, seen);
        // An update cannot be interrupted: its first files must not wait for its last one.
        const isLate = signal === undefined && clock.now() - wroteAt >= updateWriteMs;
        if (!this.#recorder.full && !isLate) return;
        await this.#recorder.write();
        wroteAt = clock.now();
      });
    try {
      for await (const item of items) {
        ahead.push(item);
        if (item.kind === 'document') this.#streams.of(item.document).start();
        if (ahead.length > this.options.processor.width) await take(ahead.shift() as Enumerated);
        // Between two steps, so that annotating and collecting do not wait too.
        const paid = budget?.spend(bytesReadFor(item), hurry);
        if (paid !== undefined) await (signal === undefined ? paid.catch(() => undefined) : paid);
      }
    } catch (error) {
      // Items before an error are valid.
      if (signal?.aborted !== true) for (const item of ahead) await take(item).catch(() => undefined);
      throw error;
    }
    for (const item of ahead) await take(item);
  }

  #counts(): ProviderCounts {
    const { answers, mapped, budget } = this.options;
    return {
      answers: answers?.() ?? {},
      mapped: mapped?.() ?? { local: 0, network: {} },
      waited: budget?.waitedMs ?? {},
    };
  }

  /** Do work that ends in a write; after an error, noted rows are written if possible. */
  async #wholly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.#steps.run(() => this.#recorder.rescue(error));
      throw error;
    } finally {
      await this.#streams.closeAll();
    }
  }
}

function bytesReadFor(item: Enumerated): number {
  if (item.kind === 'document') return item.document.bytes.length;
  return item.kind === 'unchanged' ? (item.readBytes ?? 0) : 0;
}
