import type { Oid } from '../soif/index.ts';
import { learnGroups, sendGroups } from './dist-uni-aware.ts';
import { type Epoch, type Handle, handleBytes, handleOf, type Lsn, signatureOf } from './handle.ts';
import type { Placed } from './ordered-view.ts';
import type { ClientDialogue, StoreDialogue, VectorElement, Want } from './protocol-messages.ts';
import type { LearningStep, Replica } from './replica.ts';
import type { Scheme } from './scheme.ts';
import type { ShortId } from './short-id.ts';
import { cellBytes } from './sketch.ts';
import { findDifference, type SketchOpening, sendCells } from './sketch-refinement.ts';
import type { Entry, SourceSnapshot } from './source.ts';
import { learnFrom, learningStepOf, vectorOf } from './uni-aware.ts';

/** A client's description of itself in its request. */
export interface Request {
  /** Sequence number or timestamp up to which the client has learned. */
  readonly since: Lsn;
  readonly held: number;
  readonly want: Want;
  /** Resumes a vector in handle order. */
  readonly after?: Oid | undefined;
  readonly sketch?: SketchOpening | undefined;
}

/** Max short ids in one look-up, and objects in one read. */
const lookedUp = 512;
const readTogether = 32;

/** The store's elements of a difference in the wanted form, and the names of the client's own elements. */
async function* differenceElements(
  snapshot: SourceSnapshot,
  difference: readonly ShortId[],
  want: Want,
): AsyncIterable<readonly VectorElement[]> {
  // Neighbours are read together.
  const ordered = [...difference].sort((a, b) => a - b);
  const bare = want.kind === 'handles';
  const together = bare ? lookedUp : readTogether;
  for (let at = 0; at < ordered.length; at += together) {
    const ids = ordered.slice(at, at + together);
    const elements: VectorElement[] = [];
    for (const [i, entry] of (await snapshot.find(ids)).entries()) {
      if (entry === undefined) elements.push({ kind: 'short', id: ids[i] as ShortId, gone: true });
      else elements.push(bare ? bareElementOf(entry) : await elementOf(snapshot, entry));
    }
    yield elements;
  }
}

function bareElementOf({ oid, digest }: Entry): VectorElement {
  return { kind: 'described', handle: handleOf(oid), signature: signatureOf(digest), gone: false };
}

/** An object of the store as an element: whole, or, if it was deleted meanwhile, its handle and signature. */
async function elementOf(snapshot: SourceSnapshot, entry: Entry): Promise<VectorElement> {
  const object = await snapshot.get(entry.oid);
  if (object === undefined) return bareElementOf(entry);
  return { kind: 'record', change: { kind: 'put', lsn: entry.lsn, object } };
}

/** The store's objects with these names as elements: whole, or `bare`, their handles and signatures. */
export async function* namedElements(
  snapshot: SourceSnapshot,
  names: readonly (Handle | ShortId)[],
  bare: boolean,
): AsyncIterable<readonly VectorElement[]> {
  const found = (await snapshot.find(names)).filter((entry) => entry !== undefined);
  if (bare) yield found.map(bareElementOf);
  else for (const entry of found) yield [await elementOf(snapshot, entry)];
}

/** The store's side of one run of a scheme; ends with `end`, or with `unsuited` when another scheme is needed. */
export async function sendVector(
  scheme: Scheme,
  snapshot: SourceSnapshot,
  request: Request,
  dialogue: StoreDialogue,
): Promise<void> {
  const unsuited = () => dialogue.say({ kind: 'unsuited', differences: snapshot.state.count });
  if (scheme.refines === 'groups') {
    const view = await snapshot.ordered(scheme);
    if (view === undefined) return unsuited();
    return sendGroups(scheme, view, dialogue);
  }
  if (scheme.refines === 'sketch') {
    const own = await snapshot.summary();
    if (own === undefined) return unsuited();
    const difference = await findDifference(own, request.sketch, dialogue);
    if (difference === undefined) return;
    await dialogue.sayVector(differenceElements(snapshot, difference, request.want));
  } else {
    const lacks = snapshot.state.count - request.held;
    await dialogue.sayVector(vectorOf(scheme, snapshot, { ...request, lacks }));
  }
  await dialogue.say({ kind: 'end' });
}

/** The scheme cannot send the difference, estimated at `differences`; `sums` are those of the store's set. */
export class Unsuited extends Error {
  readonly differences: number;
  readonly sums: Uint8Array | undefined;

  constructor(differences: number, sums?: Uint8Array) {
    super(`the scheme cannot send some ${differences} differences`);
    this.differences = differences;
    this.sums = sums;
  }
}

/**
 * The client's side: lists of lessons; `count` is the number of the store's objects. Throws Unsuited when another
 * scheme is needed, and the dialogue's error when it was cut; lessons yielded before are valid.
 */
export async function* learn(
  scheme: Scheme,
  replica: Replica,
  request: Request & { readonly epoch: Epoch; readonly count: number },
  dialogue: ClientDialogue,
  learnNow: (handles: readonly Handle[]) => Promise<readonly Placed[]>,
): AsyncIterable<readonly LearningStep[]> {
  if (scheme.refines === 'groups') {
    const view = await replica.ordered(scheme, request.epoch);
    if (view === undefined) throw new Unsuited(request.held);
    // Splitting down to single objects takes fewer groups than twice the objects; empty groups add to that.
    const maxGroups = 1000 + 8 * (request.count + request.held);
    yield* learnGroups(scheme, view, dialogue, {
      ...{ learn: learnNow, handleLength: handleBytes, bare: request.want.kind === 'handles' },
      maxGroups,
    });
    return;
  }
  const elements = vectorIn(scheme, replica, dialogue, request);
  if (scheme.refines === 'nothing') yield* learnFrom(scheme, elements, replica, request);
  else for await (const list of elements) yield list.map((element) => learningStepOf(element, request.want));
}

/** The elements of the store's statements; its questions are answered in between. */
async function* vectorIn(
  scheme: Scheme,
  replica: Replica,
  dialogue: ClientDialogue,
  request: Request,
): AsyncIterable<readonly VectorElement[]> {
  let sent = (request.sketch?.cells.length ?? 0) / cellBytes;
  for (;;) {
    const statement = await dialogue.hear();
    if (statement.kind === 'end') return;
    if (statement.kind === 'unsuited') throw new Unsuited(statement.differences);
    if (statement.kind === 'vector') yield statement.elements;
    else if (statement.kind === 'cells' && scheme.refines === 'sketch') {
      const summary = await replica.summary();
      if (summary === undefined || statement.needed <= sent) throw new Unsuited(request.held);
      await sendCells(summary, sent, statement.needed, dialogue, request.sketch === undefined && sent === 0);
      sent = statement.needed;
    } else throw new TypeError(`${statement.kind} was not expected in a vector`);
  }
}
