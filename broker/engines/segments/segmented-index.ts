import type { Lsn } from '../../../awareness/index.ts';
import { type Language, typeFacet } from '../../../query/index.ts';
import { type Oid, oidFromBytes, type SummaryObject } from '../../../soif/index.ts';
import { DocColumns, type DocRow } from '../documents/doc-columns.ts';
import { DocDetails } from '../documents/doc-details.ts';
import { DocOids } from '../documents/doc-oids.ts';
import { FacetKind, FacetValues } from '../documents/facet-values.ts';
import type { IndexedObject } from '../documents/oid-tables.ts';
import { type OidTable, oidRows, packedOids } from '../documents/oid-tables.ts';
import { orderRows, packedOrderTexts } from '../documents/order-texts.ts';
import { IndexAccess } from '../index-database/index-access.ts';
import { allButState, docnoKey } from '../index-database/index-keys.ts';
import {
  countedLanguages,
  demandDocnos,
  emptyMoment,
  loadMoment,
  momentWrite,
  type Segment,
  type SegmentedMoment,
  withDead,
} from '../index-database/index-state.ts';
import type { PostingDatabase, PostingRows, PostingWrite } from '../index-database/posting-database.ts';
import { deleteRange } from '../index-database/write-batches.ts';
import type { IndexChange } from '../model/search-engine.ts';
import type { ResultParts } from '../results/result-page.ts';
import type { IndexView, SegmentContent } from './segment-content.ts';
import { type BuiltSegment, buildSegment, joinedLengths } from './segment-part.ts';
import { SegmentUpkeep } from './segment-upkeep.ts';

/** One moment of an index: its data in memory, and its rows. */
export interface SegmentedMomentRows extends ResultParts {
  readonly view: IndexView;
}

/** The object of each docno, undefined for a deleted one. */
export async function oidsOf(rows: PostingRows, docnos: Uint32Array): Promise<readonly (Oid | undefined)[]> {
  if (docnos.length === 0) return [];
  const values = await rows.getMany(Array.from(docnos, docnoKey));
  return values.map((value) => value && oidFromBytes(value));
}

/**
 * Objects with numbers (docnos) in segments on an ordered key-value store: the parts of an engine beside its
 * own way of filing words. Every change is one atomic batch with its LSN.
 */
export class SegmentedIndex implements AsyncDisposable {
  readonly database: PostingDatabase;
  /** The data by which results are ordered, counted and folded. */
  readonly details: DocDetails;
  readonly #content: SegmentContent;
  readonly #upkeep: SegmentUpkeep;
  readonly #access = new IndexAccess();
  readonly #oidTable: OidTable;
  #view: IndexView;
  #values: FacetValues;
  #oids = new DocOids();

  private constructor(
    database: PostingDatabase,
    content: SegmentContent,
    view: IndexView,
    values: FacetValues,
  ) {
    this.database = database;
    const isPacked = content.isPacked === true;
    const order = isPacked ? packedOrderTexts(database) : orderRows;
    this.details = new DocDetails(database, content.facetAttributes, order);
    this.#oidTable = isPacked ? packedOids : oidRows;
    this.#content = content;
    this.#view = view;
    this.#values = values;
    this.#upkeep = new SegmentUpkeep({
      ...{ database, content },
      view: () => this.#view,
      update: (change) =>
        this.#access.exclusive(() => this.#commit({ ...this.#view, moment: change(this.#view) }, [])),
      settled: () => this.#access.searchesEnded(),
    });
  }

  /**
   * Open an index, or start an empty one. An index of another layout, or a partly cleared one, is cleared,
   * and so is one with another fallback language than `language`; absent: the one of the index, or English.
   */
  static async open(
    database: PostingDatabase,
    content: SegmentContent,
    language?: Language,
  ): Promise<SegmentedIndex> {
    const loading = [DocColumns.load(database), FacetValues.load(database)] as const;
    // In parallel; but an index that is to be cleared may be incomplete.
    const [stored] = await Promise.all([
      loadMoment(database, content.layout, language),
      Promise.allSettled(loading),
    ]);
    const moment = stored.clearing ? emptyMoment(stored) : stored;
    if (stored.clearing) {
      // Recorded first: a later opening with the former options must not take half an index for a whole one.
      await database.batch([momentWrite({ ...moment, clearing: true })]);
      await clearAll(database, moment);
    }
    const [columns, values] = stored.clearing
      ? [DocColumns.empty, new FacetValues()]
      : await Promise.all(loading);
    // Background work starts after the first answer or change, so that opening is fast.
    return new SegmentedIndex(database, content, { moment, columns }, values);
  }

  get view(): IndexView {
    return this.#view;
  }

  get values(): FacetValues {
    return this.#values;
  }

  apply(changes: readonly IndexChange[], lsn: Lsn): Promise<void> {
    return this.#access.exclusive(async () => {
      this.#upkeep.wake(await this.#index(changes, lsn));
    });
  }

  /** Returns the bytes of the segments that were made. */
  async #index(changes: readonly IndexChange[], lsn: Lsn): Promise<number> {
    const { moment, columns } = this.#view;
    demandDocnos(moment);
    const last = [...new Map(changes.map((change) => [change.oid, change])).values()];
    const writes: PostingWrite[] = [];
    const rows: DocRow[] = [];
    const dead: number[] = [];
    const languages: [Language, 1 | -1][] = [];
    const oids = last.map(({ oid }) => oid);
    const added: [Oid, IndexedObject][] = [];
    const puts = last.filter((change) => change.kind === 'put');
    // Requested first, so that texts are read while the database is.
    const reading = this.#oidTable.of(this.database, oids);
    // A failure is reported below; until then nothing awaits it.
    reading.catch(() => {});
    const built = await this.#built(puts.map(({ object }) => object));
    const spoken = built.flatMap((segment) => segment.languages);
    for (const [index, { oid, object, source }] of puts.entries()) {
      const docno = moment.nextDocno + index;
      const language = spoken[index] as Language;
      languages.push([language, 1]);
      rows.push({
        docno,
        source: this.#values.assign(FacetKind.source, source),
        type: this.#values.assign(FacetKind.type, typeFacet(object)),
      });
      added.push([oid, { docno, language }]);
    }
    const known = await reading;
    for (const oid of oids) {
      const object = known.get(oid);
      if (object === undefined) continue;
      const { docno } = object;
      dead.push(docno);
      languages.push([object.language, -1]);
      rows.push({ docno, source: 0, type: 0 });
    }
    for (const write of known.writes(dead, added)) writes.push(write);
    const segments = withDead(moment.segments, dead);
    let bytes = 0;
    for (const segment of built) {
      const { id, from, languages: own } = segment;
      for (const write of segment.writes) writes.push(write);
      segments.push({ id, from, to: from + own.length - 1, docs: own.length, dead: 0, bytes: segment.bytes });
      bytes += segment.bytes;
    }
    const changed = columns.with(rows);
    const objects = puts.map(({ object }, index) => [moment.nextDocno + index, object] as const);
    const details = await this.details.writes(objects, dead, this.#values, changed.columns);
    const beside = (await this.#content.beside?.(objects, dead)) ?? [];
    for (const write of [...changed.writes, ...details, ...beside, ...this.#values.unsaved])
      writes.push(write);
    const next: SegmentedMoment = {
      ...{ ...moment, lsn, segments, lengths: joinedLengths(moment.lengths, built) },
      languages: countedLanguages(moment.languages, languages),
      count: moment.count - dead.length + puts.length,
      nextDocno: moment.nextDocno + puts.length,
      nextSegment: moment.nextSegment + built.length,
    };
    await this.#commit({ moment: next, columns: changed.columns }, writes);
    this.details.saved();
    this.#values.saved();
    return bytes;
  }

  async #built(objects: readonly SummaryObject[]): Promise<readonly BuiltSegment[]> {
    if (objects.length === 0) return [];
    const { nextSegment: id, nextDocno: from, lengths, fallback } = this.#view.moment;
    const batch = { id, from, objects, lengths, fallback };
    const elsewhere = await this.#content.threads?.build(batch);
    return elsewhere ?? [await buildSegment(this.#content.builder(batch), batch)];
  }

  /** The current index, for as long as the task takes. Changes do not wait. Throws ENGINE_CLOSED. */
  atOneMoment<Result>(task: (moment: SegmentedMomentRows) => Promise<Result>): Promise<Result> {
    const current = () => ({ view: this.#view, values: this.#values, oids: this.#oids });
    const result = this.#access.atOneMoment(this.database, current, (moment, rows) =>
      task({ ...moment, rows, details: this.details.over(rows) }),
    );
    return result.finally(() => this.#upkeep.begin());
  }

  async *oids(): AsyncIterable<Oid> {
    await using rows = this.database.snapshot();
    yield* this.#oidTable.all(rows);
  }

  /** List rows of one moment, however long the reader takes. Changes do not wait. */
  async *listed<Item>(
    list: (rows: PostingRows, segments: readonly Segment[]) => AsyncIterable<Item>,
  ): AsyncGenerator<Item> {
    await using rows = this.database.snapshot();
    const { clearing, segments } = await loadMoment(rows, this.#content.layout, undefined);
    if (!clearing) yield* list(rows, segments);
  }

  async clear(): Promise<void> {
    await this.#upkeep.pausing(() =>
      this.#access.exclusive(async () => {
        const empty = emptyMoment(this.#view.moment);
        // Recorded first, so that a clearing cut short by a crash is completed at the next opening.
        await this.database.batch([momentWrite({ ...empty, clearing: true })]);
        this.#view = { moment: empty, columns: DocColumns.empty };
        this.details.clear();
        this.#values = new FacetValues();
        this.#oids = new DocOids();
        await this.#access.searchesEnded();
        // Only now, because running searches have cached parts of old segments.
        this.#content.forget();
        await clearAll(this.database, empty);
      }),
    );
  }

  /** Wait until no background work is left. */
  settled(): Promise<void> {
    return this.#upkeep.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#access.close()) return;
    await this.#upkeep.stop();
    await this.#access.left();
    await this.#content.threads?.[Symbol.asyncDispose]();
    await this.#upkeep.settleAtEnd();
  }

  /** Read the current rows, perhaps with those of a concurrent change. Throws ENGINE_CLOSED. */
  reading<Result>(task: (moment: SegmentedMomentRows) => Promise<Result>): Promise<Result> {
    const { database: rows, details } = this;
    const moment = { view: this.#view, values: this.#values, oids: this.#oids, rows, details };
    return this.#access.reading(() => task(moment)).finally(() => this.#upkeep.begin());
  }

  /** Write in one batch and make it the current moment. */
  async #commit(next: IndexView, writes: PostingWrite[]): Promise<void> {
    writes.push(momentWrite(next.moment));
    await this.#access.commit(
      () => this.database.batch(writes),
      () => {
        this.#view = next;
      },
    );
  }
}

async function clearAll(database: PostingDatabase, empty: SegmentedMoment): Promise<void> {
  const never = new AbortController().signal;
  for (const range of allButState) await deleteRange(database, range, never);
  await database.batch([momentWrite(empty)]);
}
