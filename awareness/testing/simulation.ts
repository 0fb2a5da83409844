import { createHash } from 'node:crypto';
import type { Oid } from '../../soif/index.ts';
import { learn, type Request, sendVector, Unsuited } from '../engine.ts';
import { elementId, SetFingerprint } from '../fingerprint.ts';
import { bytesOfHandle, type Epoch, type Handle, handleOf, signatureOf } from '../handle.ts';
import { OrderedArray } from '../ordered-array.ts';
import { latestStamp, type OrderedView, type Placed, signatureSum } from '../ordered-view.ts';
import type {
  ClientDialogue,
  ClientStatement,
  StoreDialogue,
  StoreStatement,
  VectorElement,
} from '../protocol-messages.ts';
import type { Replica } from '../replica.ts';
import type { GroupScheme, Scheme } from '../scheme.ts';
import { SetSummary } from '../set-summary.ts';
import { type ShortId, shortIdOf } from '../short-id.ts';
import { Sketch } from '../sketch.ts';
import { sketchOpening } from '../sketch-refinement.ts';
import type {
  Change,
  Entry,
  Noted,
  PublishedObject,
  SourceSnapshot,
  SourceState,
  StoreModel,
} from '../source.ts';
import { nameOf } from './names.ts';
import { each, Pipe } from './pipe.ts';

// Stores and clients in memory, of every kind in the paper, run by the engine that servers run.

export const epoch = Buffer.alloc(12, 1).toString('base64url') as Epoch;

const digestOf = (content: string) => createHash('sha256').update(content).digest();
const byHandle = (a: Oid, b: Oid) => (handleOf(a) < handleOf(b) ? -1 : 1);

/** One object of a store or a client. */
export interface Held {
  readonly content: string;
  readonly stamp: number;
}

function stampBytes(stamp: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(stamp));
  return bytes;
}

/** The objects of one side in the order of a group scheme. */
export function viewOf(objects: ReadonlyMap<Oid, Held>, scheme: GroupScheme): OrderedView {
  const placed = [...objects].map(([oid, { content, stamp }]): Placed => {
    const handle = handleOf(oid);
    return {
      handle,
      position: scheme.order === 'stamp' ? String(stamp).padStart(3, '0') + handle : handle,
      signature: scheme.compresses === 'signatures' ? signatureOf(digestOf(content)) : stampBytes(stamp),
    };
  });
  return new OrderedArray(placed, () =>
    scheme.compresses === 'signatures' ? signatureSum(epoch) : latestStamp(),
  );
}

function summaryOf(objects: ReadonlyMap<Oid, Held>, cells: number): SetSummary {
  const summary = new SetSummary(new Sketch(cells));
  for (const [oid, { content }] of objects) summary.add(idOf(oid, content));
  return summary;
}

function idOf(oid: Oid, content: string): ShortId {
  return shortIdOf(bytesOfHandle(handleOf(oid)), elementId(epoch, oid, digestOf(content)));
}

function finder(objects: ReadonlyMap<Oid, Held>): (name: Handle | ShortId) => Oid | undefined {
  const found = new Map<Handle | ShortId, Oid>();
  for (const [oid, { content }] of objects) {
    found.set(handleOf(oid), oid);
    found.set(idOf(oid, content), oid);
  }
  return (name) => found.get(name);
}

function publishedAs(oid: Oid, { content, stamp }: Held): PublishedObject {
  return {
    oid,
    digest: digestOf(content),
    body: Buffer.from(content),
    updatedAt: stamp,
    publisher: 'p' as PublishedObject['publisher'],
    signature: new Uint8Array(64),
  };
}

interface Logged {
  readonly oid: Oid;
  readonly lsn: number;
  readonly stamp: number;
  readonly gone: boolean;
}

/** A store that has exactly the properties of its model. */
export class SimulatedStore {
  readonly model: StoreModel;
  readonly objects = new Map<Oid, Held>();
  readonly cells: number;
  #lsn = 0;
  #horizon = 0;
  readonly #log = new Map<Oid, Logged>();

  constructor(model: StoreModel, cells = 1024) {
    this.model = model;
    this.cells = cells;
  }

  get lsn(): number {
    return this.#lsn;
  }

  put(oid: Oid, content: string, stamp: number): void {
    this.objects.set(oid, { content, stamp });
    this.#note({ oid, lsn: ++this.#lsn, stamp, gone: false });
  }

  delete(oid: Oid, stamp: number): void {
    if (!this.objects.delete(oid)) return;
    this.#note({ oid, lsn: ++this.#lsn, stamp, gone: true });
  }

  /** Discard every tombstone (Tcut). */
  forgetTombstones(): void {
    for (const [oid, { gone }] of this.#log) if (gone) this.#log.delete(oid);
    this.#horizon = this.#lsn;
  }

  #note(row: Logged): void {
    this.#log.delete(row.oid);
    if (!row.gone || this.model.tombstones) this.#log.set(row.oid, row);
  }

  state(): SourceState {
    const fingerprint = new SetFingerprint();
    for (const [oid, { content }] of this.objects) fingerprint.add(elementId(epoch, oid, digestOf(content)));
    return {
      epoch,
      lsn: this.#lsn,
      horizon: this.#horizon,
      count: this.objects.size,
      fingerprint: fingerprint.digest(),
    };
  }

  /** The latest timestamp of all objects and tombstones. */
  get latestStamp(): number {
    return Math.max(0, ...[...this.#log.values()].map(({ stamp }) => stamp));
  }

  snapshot(): SourceSnapshot {
    const objects = new Map(this.objects);
    const log = [...this.#log.values()];
    const { model, cells } = this;
    const state = this.state();
    const find = finder(objects);
    const entry = (oid: Oid): Entry => {
      const lsn = log.find((row) => row.oid === oid)?.lsn ?? 0;
      return { oid, lsn, contentLsn: lsn, digest: digestOf(objects.get(oid)?.content ?? '') };
    };
    const change = ({ oid, gone }: Logged, at: number): Change =>
      gone
        ? { kind: 'delete', lsn: at, oid }
        : { kind: 'put', lsn: at, object: publishedAs(oid, objects.get(oid) as Held) };
    const newest = async function* (count: number) {
      const rows = log.toSorted((a, b) => b.lsn - a.lsn).filter((row) => !row.gone);
      for (const row of rows.slice(0, Math.max(0, count))) yield change(row, row.lsn) as Put;
    };
    return {
      state,
      changesSince: async function* (marker, by = 'number') {
        const at = (row: Logged) => (by === 'stamp' ? row.stamp : row.lsn);
        for (const row of log.filter((row) => at(row) > marker).sort((a, b) => at(a) - at(b)))
          if (!row.gone || model.tombstones) yield change(row, at(row));
      },
      notesSince: async function* (marker, by) {
        for await (const each of this.changesSince(marker, by))
          yield each.kind === 'put' ? noteOf(each) : each;
      },
      newest,
      newestNotes: async function* (count) {
        for await (const each of newest(count)) yield noteOf(each);
      },
      scan: async function* (after) {
        for (const oid of [...objects.keys()].sort(byHandle))
          if (after === undefined || byHandle(oid, after) > 0) yield entry(oid);
      },
      get: async (oid) => {
        const held = objects.get(oid);
        return held && publishedAs(oid, held);
      },
      find: async (names) => names.map((name) => find(name)).map((oid) => oid && entry(oid)),
      summary: async () => summaryOf(objects, cells),
      ordered: async (scheme) => viewOf(objects, scheme),
      [Symbol.asyncDispose]: async () => {},
    };
  }
}

type Put = Change & { readonly kind: 'put' };

const noteOf = ({ lsn, object }: Put): Noted => ({
  kind: 'note',
  lsn,
  handle: handleOf(object.oid),
  signature: signatureOf(object.digest),
});

/** The result of one run of a scheme. */
export interface Run {
  readonly learned: readonly string[];
  readonly forgotten: readonly string[];
  /** Statements of groups as the store said them. */
  readonly statements: readonly StoreStatement[];
  readonly unsuited: boolean;
}

/** A client that holds objects and its marker, and executes its lessons. */
export class SimulatedClient {
  readonly objects = new Map<Oid, Held>();
  readonly cells: number;
  marker = 0;
  stampMarker = 0;

  constructor(cells = 1024) {
    this.cells = cells;
  }

  replica(): Replica {
    const { objects, cells } = this;
    return {
      state: async () => ({
        marker: { epoch, lsn: this.marker },
        count: objects.size,
        fingerprint: this.fingerprint(),
      }),
      scan: async function* (after): AsyncIterable<Entry> {
        for (const oid of [...objects.keys()].sort(byHandle))
          if (after === undefined || byHandle(oid, after) > 0)
            yield { oid, lsn: 0, contentLsn: 0, digest: digestOf(objects.get(oid)?.content ?? '') };
      },
      digests: async (oids) =>
        oids.map((oid) => {
          const held = objects.get(oid);
          return held && digestOf(held.content);
        }),
      bodies: async (oids) =>
        oids.map((oid) => {
          const held = objects.get(oid);
          return held && Buffer.from(held.content);
        }),
      find: async (names) =>
        names
          .map(finder(objects))
          .map(
            (oid) => oid && { oid, lsn: 0, contentLsn: 0, digest: digestOf(objects.get(oid)?.content ?? '') },
          ),
      summary: async () => summaryOf(objects, cells),
      ordered: async (scheme) => viewOf(objects, scheme),
      apply: async () => {},
    };
  }

  fingerprint(): Uint8Array {
    const fingerprint = new SetFingerprint();
    for (const [oid, { content }] of this.objects) fingerprint.add(elementId(epoch, oid, digestOf(content)));
    return fingerprint.digest();
  }

  /** Run a scheme once; `cut` stops it after so many lessons, as a broken link does. */
  async run(
    scheme: Scheme,
    store: SimulatedStore,
    {
      cut = Number.POSITIVE_INFINITY,
      differences,
    }: { readonly cut?: number; readonly differences?: number } = {},
  ): Promise<Run> {
    const snapshot = store.snapshot();
    const replica = this.replica();
    const stamps = scheme.refines === 'nothing' && scheme.selects === 'later-stamps';
    const latest = store.latestStamp;
    const request: Request = {
      since: stamps ? this.stampMarker : this.marker,
      held: this.objects.size,
      want: { kind: 'objects' },
      sketch: sketchOpening((await replica.summary()) as SetSummary, differences),
    };
    const before = new Map(this.objects);
    const [ours, theirs] = [new Pipe<ClientStatement>(), new Pipe<StoreStatement>()];
    const said: StoreStatement[] = [];
    const storeSide: StoreDialogue = {
      say: async (statement) => {
        said.push(statement);
        theirs.push(statement);
      },
      sayVector: async (elements) => {
        const all: VectorElement[] = [];
        for await (const list of elements) all.push(...list);
        theirs.push({ kind: 'vector', elements: all });
      },
      hear: () => ours.next(),
    };
    const clientSide: ClientDialogue = {
      say: async (statement) => ours.push(statement),
      hear: async () => {
        const statement = await theirs.next();
        if (statement === undefined) throw new Error('the store has left');
        return statement;
      },
    };
    const sending = sendVector(scheme, snapshot, request, storeSide).finally(() => theirs.end());
    const find = finder(before);
    let done = 0;
    let unsuited = false;
    const doomed: (Handle | ShortId)[] = [];
    const fetchNow = async (names: readonly (Handle | ShortId)[]): Promise<void> => {
      for (const entry of await snapshot.find(names)) {
        const object = entry && (await snapshot.get(entry.oid));
        if (object !== undefined)
          this.objects.set(object.oid, {
            content: Buffer.from(object.body).toString(),
            stamp: object.updatedAt,
          });
      }
    };
    try {
      const lessons = learn(
        scheme,
        replica,
        { ...request, epoch, count: snapshot.state.count },
        clientSide,
        async (handles) => {
          await fetchNow(handles);
          if (scheme.refines !== 'groups') return [];
          const placed: Placed[] = [];
          for await (const each of viewOf(this.objects, scheme).entries({}))
            if (handles.includes(each.handle)) placed.push(each);
          return placed;
        },
      );
      for await (const lesson of each(lessons)) {
        if (++done > cut) break;
        if (lesson.kind === 'apply' && lesson.change.kind === 'put') {
          const { object } = lesson.change;
          this.objects.set(object.oid, {
            content: Buffer.from(object.body).toString(),
            stamp: object.updatedAt,
          });
        } else if (lesson.kind === 'apply' && lesson.change.kind === 'delete')
          this.objects.delete(lesson.change.oid);
        else if (lesson.kind === 'fetch') await fetchNow([lesson.object]);
        else if (lesson.kind === 'forget') doomed.push(lesson.object);
      }
    } catch (error) {
      if (!(error instanceof Unsuited)) throw error;
      unsuited = true;
    } finally {
      ours.end();
      await sending;
    }
    for (const name of doomed) {
      const oid = find(name);
      const old = oid && before.get(oid);
      // A version that has been replaced meanwhile was already forgotten.
      if (oid !== undefined && old?.content === this.objects.get(oid)?.content) this.objects.delete(oid);
    }
    if (done <= cut && !unsuited) {
      this.marker = snapshot.state.lsn;
      this.stampMarker = latest;
    }
    const changed = [...this.objects].filter(([oid, held]) => before.get(oid)?.content !== held.content);
    const lost = [...before].filter(([oid, held]) => this.objects.get(oid)?.content !== held.content);
    return {
      learned: changed.map(([oid]) => nameOf(oid)),
      forgotten: lost.map(([oid]) => nameOf(oid)),
      statements: said,
      unsuited,
    };
  }
}
