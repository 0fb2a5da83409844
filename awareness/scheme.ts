import type { Marker, SourceState, StoreModel } from './source.ts';

/**
 * A way to become aware of a store's changes, as data: the custom functions of UNI-AWARE (awareness paper,
 * section 5) named by what they do. The engine knows these words and no scheme's name.
 */
export interface Scheme {
  readonly name: string;
  /** Store post-selection: what changed after the client's marker, or everything. */
  readonly selects: 'changes' | 'everything';
  /** Compress: what of an object enters the vector. Records are whole; the others are fetched when unknown. */
  readonly compresses: 'record' | 'handle' | 'signature';
  /** How the client learns that an object is gone: it is told, or it no longer sees it. */
  readonly forgets: 'tombstone' | 'absence';
}

/** Why a scheme cannot be used. */
export interface Refusal {
  readonly scheme: string;
  readonly reason: string;
}

/** What a choice between schemes is made from. */
export interface CostInput {
  /** Objects in the source. */
  readonly count: number;
  /** Changes expected, from the marker's distance or a hint. */
  readonly changes: number;
  /** Mean bytes of one object on the wire. */
  readonly objectBytes: number;
}

export interface Cost {
  readonly bytes: number;
  readonly rounds: number;
}

/** Refuse a scheme that could lose a change on a store of this kind (the paper's Limitations, as code). */
export function sound(scheme: Scheme, model: StoreModel): Refusal | undefined {
  const refuse = (reason: string): Refusal => ({ scheme: scheme.name, reason });
  if (scheme.selects === 'changes') {
    if (!model.log && !model.monotoneStamps)
      return refuse('stamps that can go back hide changes from a marker');
    if (scheme.forgets === 'absence')
      return refuse('an object that did not change is absent without being gone');
    if (model.deletes && !model.tombstones)
      return refuse('without tombstones a deletion leaves nothing to learn from');
  }
  if (scheme.selects === 'everything') {
    if (scheme.compresses === 'handle' && model.updates === 'in-place')
      return refuse('a handle alone does not show an update in place');
    if (scheme.forgets === 'tombstone' && model.deletes)
      return refuse('a full vector need not carry tombstones');
  }
  return undefined;
}

/** Refuse a scheme that cannot serve this client now: its marker is missing, stale or older than the store remembers. */
export function admissible(
  scheme: Scheme,
  state: SourceState,
  marker: Marker | undefined,
  held: number,
): Refusal | undefined {
  if (scheme.selects === 'everything') return undefined;
  const refuse = (reason: string): Refusal => ({ scheme: scheme.name, reason });
  // A client that holds nothing cannot miss a deletion: the log from its beginning is the whole store.
  if (held === 0 && (marker === undefined || marker.lsn === 0)) return undefined;
  if (marker === undefined) return refuse('the client has no marker');
  if (marker.epoch !== state.epoch) return refuse('the marker is of another life of the store');
  if (marker.lsn > state.lsn) return refuse('the marker is ahead of the store');
  if (marker.lsn < state.horizon) return refuse('the store has forgotten deletions since the marker');
  return undefined;
}

/** Predicted bytes and rounds; element sizes are those of the frames in exchange. */
export function cost(scheme: Scheme, { count, changes, objectBytes }: CostInput): Cost {
  const listed = scheme.selects === 'everything' ? count : changes;
  const element = { record: objectBytes + 150, handle: 45, signature: 70 }[scheme.compresses];
  const fetched = scheme.compresses === 'record' ? 0 : changes * (objectBytes + 190);
  return { bytes: 60 + listed * element + fetched, rounds: scheme.compresses === 'record' ? 1 : 2 };
}
