import { createHash } from 'node:crypto';
import { type Clock, failure } from '../../kernel/index.ts';
import type { DocumentInput } from '../../readers/document/index.ts';
import { decodeObject, type Oid, type SummaryObject } from '../../soif/index.ts';
import type { DataFolder } from '../../store/index.ts';
import {
  type Annotation,
  type AnnotationChange,
  type AnnotationImport,
  type AnnotationOutcome,
  AnnotationStore,
  Annotations,
  changedAnnotation,
  type ImportedRecord,
  versionOf,
} from '../annotate/index.ts';
import { type Enumerated, type EnumerationMemory, type Enumerator, everyRoot } from '../enumerate/index.ts';
import { gathererErrors } from '../errors.ts';
import { type RunReport, runFinished } from '../events.ts';
import { type DocumentProcessor, type PipelinePlan, ProductStream } from '../pipeline/index.ts';
import {
  FetchStore,
  Production,
  type ProviderCounts,
  type RunCounts,
  RunRecorder,
  SeenSet,
  Tally,
} from '../publish/index.ts';
import type { LoadBudget } from './load-budget.ts';
import { knownDocument, type LookupContext } from './url-lookup.ts';
import { type WhyReport, whyReport } from './why.ts';

export interface GathererOptions {
  readonly folder: DataFolder;
  /** One for each RootNode; `linksOf` gives the links of a document that is summarised anyway. */
  readonly enumerators: (
    linksOf: (document: DocumentInput) => Promise<readonly string[]>,
  ) => readonly Enumerator[];
  readonly clock: Clock;
  readonly name: string;
  readonly host: string;
  readonly version: string;
  /** How documents become summaries; when it or the processor's bounds change, all are read anew. */
  readonly plan: PipelinePlan;
  /** What carries the plan out. */
  readonly processor: DocumentProcessor;
  /** The URL under which a document is published; its own when absent. */
  readonly published?: (url: string) => string;
  readonly ttlSeconds: number;
  readonly refreshSeconds: number;
  /** How many documents may be annotated; a million when absent. */
  readonly maxAnnotations?: number;
  /** Answers of web servers by status, counted since the client was made; left out where nothing is fetched. */
  readonly answers?: () => RunCounts;
  /** What local mappings did, counted in the same way. */
  readonly mapped?: () => ProviderCounts['mapped'];
  /** How much load runs and updates may be; no limit when absent. */
  readonly budget?: LoadBudget;
}

/** What a change of an annotation led to, and what the annotation says now; null when there is none any more. */
export interface Annotated {
  readonly outcome: AnnotationOutcome;
  readonly annotation: Annotation | null;
}

/**
 * Gathers its roots into the production store of a data folder: enumerate, recognise, select, summarise, put. MD5
 * and validators decide what changed; an unchanged document is not read again, one that is no longer there is
 * deleted. Runs and single updates take turns; annotations are changed between two documents.
 */
export class Gatherer {
  readonly options: GathererOptions;
  /** What people write about documents, shown in their summaries. */
  readonly annotations: Annotations;
  readonly #fetchStore: FetchStore;
  readonly #production: Production;
  readonly #keeping: RunRecorder;
  readonly #enumerators: readonly Enumerator[];
  /** A document is processed once, whether its links or its products are asked for first. */
  readonly #streams = new WeakMap<DocumentInput, ProductStream>();
  /** Those that are begun and not read to their end: each may hold a thread. */
  readonly #begun = new Set<ProductStream>();
  /** Of the run under way. */
  #signal: AbortSignal | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #step: Promise<unknown> = Promise.resolve();

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
    const parts = [version, name, host, ttlSeconds, refreshSeconds, plan, processor.bounds];
    const profile = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
    const production = this.#production;
    this.#keeping = new RunRecorder({
      fetchStore,
      production,
      profile,
      published: published ?? ((url) => url),
    });
    this.annotations = new Annotations(annotations, {
      edit: (url, edit) => this.#inStep(() => this.#keeping.edit(url, edit)),
    });
    this.#enumerators = options.enumerators(async (document) => {
      const first = await this.#stream(document).begin();
      return first?.kind === 'summary' && first.part === '' ? first.summary.links : [];
    });
  }

  /** Make a Gatherer over an opened data folder, which stays the caller's to close. */
  static async open(options: GathererOptions): Promise<Gatherer> {
    const { folder, maxAnnotations } = options;
    const fetchStore = await FetchStore.open(await folder.database('fetch'));
    const annotations = await AnnotationStore.open(
      await folder.database('annotations'),
      maxAnnotations === undefined ? {} : { maxAnnotations },
    );
    const gatherer = new Gatherer(options, fetchStore, annotations);
    await gatherer.annotations.resume();
    return gatherer;
  }

  /** What enumerators may ask: rows that still lead to what the store holds. */
  get memory(): EnumerationMemory {
    return this.#memory();
  }

  #memory(into?: { readonly tally: Tally; readonly seen: SeenSet }): EnumerationMemory {
    return {
      recall: (url) => this.#keeping.recollection.recall(url),
      inOrder: (prefix) => this.#keeping.recollection.inOrder(prefix, into),
      known: (prefix) => this.#keeping.recollection.known(prefix),
    };
  }

  /** Whether a run has ended since this data folder was made. */
  get filled(): boolean {
    return this.#fetchStore.filled;
  }

  /**
   * Enumerate every root and bring the production store up to date. An abort ends the run; what was done is kept.
   * A root that cannot be read is named in the report, which is not complete then. Throws what the store throws, and
   * what an enumerator throws when no root could be read: then what was written stands, and the next run does the rest.
   */
  run(signal?: AbortSignal): Promise<RunReport> {
    return this.#exclusively(async () => {
      const { clock, folder, budget } = this.options;
      const started = clock.now();
      const before = this.#counts();
      budget?.begin();
      const tally = new Tally();
      const seen = new SeenSet();
      using _ = this.#keeping.recollection.begin();
      await this.#wholly(async () => {
        try {
          // Of several roots' documents at one address the first has it: there everything is told in its turn.
          const inTurn = this.#enumerators.length > 1 && this.options.published !== undefined;
          const memory = inTurn ? this.memory : this.#memory({ tally, seen });
          await this.#takeAll(everyRoot(this.#enumerators, memory, signal), tally, seen, signal);
        } catch (error) {
          if (signal?.aborted !== true) throw error;
          tally.incomplete();
        }
        await this.#inStep(() => this.#keeping.write());
        if (tally.complete) await this.#inStep(() => this.#keeping.deleteUnseen(seen, tally));
      });
      await this.#inStep(() => this.#fetchStore.noteReason(tally.told.reasons, tally));
      if (signal?.aborted !== true) await this.#inStep(() => this.#fetchStore.noteFilled());
      await this.options.processor.rest();
      await folder.store.flush();
      if (tally.complete) await this.#inStep(() => this.#keeping.recollection.noteMatch());
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

  /** Resolve when nothing is under way. */
  async idle(): Promise<void> {
    await this.#turn;
    await this.#step;
  }

  /** Forget summaries that have expired and tombstones older than `tombstoneSeconds`. */
  clean(tombstoneSeconds: number): Promise<void> {
    return this.#exclusively(async () => {
      await this.options.folder.store.expire();
      await this.options.folder.store.forgetTombstones(tombstoneSeconds);
    });
  }

  /**
   * Bring single documents up to date, as when a watched file has changed. Of what is known below the URLs in `below`
   * whatever is not told of is deleted. Once `hurry` aborts, the load budget is waited for no longer. Resolves to whether
   * all of it could be told of; throws as `run` does.
   */
  update(
    items: AsyncIterable<Enumerated>,
    below: readonly string[] = [],
    hurry?: AbortSignal,
  ): Promise<boolean> {
    return this.#exclusively(async () => {
      this.options.budget?.begin();
      const tally = new Tally();
      const seen = new SeenSet();
      using _ = this.#keeping.recollection.begin();
      await this.#wholly(async () => {
        await this.#takeAll(items, tally, seen, undefined, hurry);
        await this.#inStep(async () => {
          await this.#keeping.write();
          for (const prefix of below)
            if (tally.complete) await this.#keeping.deleteUnseen(seen, tally, prefix);
        });
      });
      return tally.complete;
    });
  }

  /**
   * Change what is annotated of the document published under a URL; its stored object shows it at once, with a new
   * Update-Time and signature, and the document is not read again. An annotation of what was not gathered yet waits.
   * Throws ANNOTATION_* as `annotationOf` does, ANNOTATION_FULL, and ANNOTATION_CHANGED when somebody else was quicker.
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

  /** Remove what is annotated of a URL: the gathered values come back. Throws ANNOTATION_MISSING. */
  removeAnnotation(url: string): Promise<AnnotationOutcome> {
    return this.annotations.remove(url);
  }

  /** Lay records, as an importer reads them, over what is annotated; those that are refused are told. */
  importAnnotations(records: readonly ImportedRecord[]): Promise<AnnotationImport> {
    const at = Math.floor(this.options.clock.now() / 1000);
    return this.annotations.take(records.map((record) => ({ author: '', at, ...record })));
  }

  /**
   * What is known of a URL, under which a document is read or published: the rule that includes or excludes it, and what
   * the last run made of it. Throws GATHERER_NO_URL.
   */
  async why(asked: string, signal?: AbortSignal): Promise<WhyReport> {
    if (!URL.canParse(asked)) throw failure(gathererErrors.GATHERER_NO_URL, { text: asked.slice(0, 200) });
    const { store } = this.options.folder;
    return whyReport(asked, { ...this.#asked, store, oid: (url) => this.#production.oid(url) }, signal);
  }

  /** The summary object for a URL, read or published, however it is spelled. Throws GATHERER_UNKNOWN_URL. */
  async show(url: string): Promise<SummaryObject> {
    const [at, row] = (await knownDocument(url, this.#asked)) ?? [url];
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

  get #asked(): LookupContext {
    const { published } = this.options;
    return {
      enumerators: this.#enumerators,
      fetchStore: this.#fetchStore,
      ...(published && { published }),
    };
  }

  #stream(document: DocumentInput): ProductStream {
    let stream = this.#streams.get(document);
    if (stream === undefined) {
      stream = new ProductStream(this.options.processor.process(document, this.#signal));
      this.#streams.set(document, stream);
      this.#begun.add(stream);
    }
    return stream;
  }

  async #close(stream: ProductStream): Promise<void> {
    this.#begun.delete(stream);
    await stream.close();
  }

  /** Keep what an enumerator tells, in its order; documents are worked on ahead, as many as the processor takes. */
  async #takeAll(
    items: AsyncIterable<Enumerated>,
    tally: Tally,
    seen: SeenSet,
    signal?: AbortSignal,
    hurry = signal,
  ): Promise<void> {
    const { budget } = this.options;
    const ahead: Enumerated[] = [];
    this.#signal = signal;
    const take = (item: Enumerated) =>
      this.#inStep(async () => {
        if (item.kind === 'document') {
          const stream = this.#stream(item.document);
          try {
            await this.#keeping.document(item, stream, tally, seen);
          } finally {
            await this.#close(stream);
          }
        } else await this.#keeping.other(item, tally, seen);
        if (this.#keeping.full) await this.#keeping.write();
      });
    try {
      for await (const item of items) {
        ahead.push(item);
        if (item.kind === 'document') this.#stream(item.document).start();
        if (ahead.length > this.options.processor.width) await take(ahead.shift() as Enumerated);
        // Between two steps, so that whoever annotates or collects does not wait as well.
        const paid = budget?.spend(bytesReadFor(item), hurry);
        if (paid !== undefined) await (signal === undefined ? paid.catch(() => undefined) : paid);
      }
    } catch (error) {
      // What was told before an error stands.
      if (signal?.aborted !== true) for (const item of ahead) await take(item).catch(() => undefined);
      throw error;
    }
    for (const item of ahead) await take(item);
  }

  /** What nobody reads any more, as after an abort, holds no thread. */
  async #closeAll(): Promise<void> {
    await Promise.all(Array.from(this.#begun, (stream) => this.#close(stream)));
  }

  #counts(): ProviderCounts {
    const { answers, mapped, budget } = this.options;
    return {
      answers: answers?.() ?? {},
      mapped: mapped?.() ?? { local: 0, network: {} },
      waited: budget?.waitedMs ?? {},
    };
  }

  /** Do what ends in a write; after an error what was noted is written if that can be. */
  async #wholly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.#inStep(() => this.#keeping.rescue(error));
      throw error;
    } finally {
      await this.#closeAll();
    }
  }

  /** A turn of a run's single steps: what a person writes does not wait until a whole site has been walked. */
  #inStep<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#step.then(work);
    this.#step = result.catch(() => undefined);
    return result;
  }

  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

function bytesReadFor(item: Enumerated): number {
  if (item.kind === 'document') return item.document.bytes.length;
  return item.kind === 'unchanged' ? (item.readBytes ?? 0) : 0;
}
