import {
  type Handle,
  handleOf,
  type Marker,
  type ObjectPath,
  type PathBook,
  type PathVerdict,
  pathVerdict,
  type SentPath,
  type SourceSnapshot,
  sameBytes,
} from '../awareness/index.ts';
import { failure, isGarnerError } from '../kernel/index.ts';
import { type ServerId, verifier } from '../soif/index.ts';
import { type Channel, type Message, type Peer, type Session, wireErrors } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { bytesField, unexpected } from './fields.ts';
import { type FilterSpec, filterText } from './filter.ts';
import {
  decodePaths,
  encodePaths,
  type PathFields,
  type PathItem,
  pathsMessage,
  pathsQuestionBytes,
  pathsStep,
  readPathsQuestion,
} from './path-codec.ts';
import { decodeSourceState, encodeSourceState, epochTag } from './state-codec.ts';
import { Transcript } from './transcript.ts';

// The servers through which objects have come. Paths are sent beside the objects: the set that both sides compare
// is the same for any path, and a Gatherer's objects have no path behind them.

export interface PathSender {
  readonly serverId: ServerId;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
  readonly pathsOf: (oids: Iterable<ObjectPath['oid']>) => Promise<readonly (ObjectPath | undefined)[]>;
}

/** Handles of the present objects that changed after an LSN, some hundreds at once. */
async function* changedHandles(snapshot: SourceSnapshot, since: number): AsyncIterable<readonly Handle[]> {
  let handles: Handle[] = [];
  for await (const change of snapshot.notesSince(since)) {
    if (change.kind === 'delete') continue;
    handles.push(change.kind === 'note' ? change.handle : handleOf(change.refresh.oid));
    if (handles.length < pathsStep) continue;
    yield handles;
    handles = [];
  }
  if (handles.length > 0) yield handles;
}

/** Answer `paths`: the servers through which the objects that changed after the client's marker have come. */
export async function sendPaths(
  sender: PathSender,
  channel: Channel,
  message: Message,
  peer: Peer,
  open: (filter: string | undefined) => Promise<SourceSnapshot>,
): Promise<void> {
  const question = readPathsQuestion(message);
  await using snapshot = await open(question.filter);
  const { state } = snapshot;
  const sameLife = question.tag !== undefined && sameBytes(question.tag, epochTag(state.epoch));
  const since = sameLife ? question.since : 0;
  const transcript = new Transcript(pathsQuestionBytes(question));
  const say = async (fields: { readonly s?: Uint8Array } & Partial<PathFields>, end: boolean) => {
    const said = transcript.say([fields.s, fields.servers, fields.of, end]);
    await channel.send({ type: 'paths', ...fields, sig: sender.sign(said) }, { end });
  };
  await say({ s: encodeSourceState(state, true) }, false);
  for await (const handles of changedHandles(snapshot, since)) {
    const entries = await snapshot.find(handles);
    const found = await sender.pathsOf(entries.flatMap((entry) => (entry === undefined ? [] : [entry.oid])));
    const items: PathItem[] = [];
    for (const object of found) {
      if (object === undefined) continue;
      // A client at its first full pass assumes the usual path.
      const isUsual = object.isUsual && !object.path.includes(peer.serverId);
      if (isUsual && since === 0) continue;
      items.push({ handle: handleOf(object.oid), path: isUsual ? [] : object.path });
    }
    if (items.length > 0) await say(encodePaths(items), false);
  }
  await say({}, true);
}

export interface CollectPathsOptions {
  readonly session: Session;
  readonly book: PathBook;
  readonly self: ServerId;
  /** How far the objects themselves were learned. */
  readonly marker: Marker;
  /** Number of objects in the copy: paths of other objects are limited. */
  readonly held: number;
  readonly filter?: FilterSpec;
  readonly name: string;
  readonly signal?: AbortSignal;
  /** Max paths of objects that are not in the copy; a million when absent. */
  readonly maxOthers?: number;
}

/** Max paths of objects that are not in the copy: those of objects that came since the last round. */
const maxOtherPaths = 1_000_000;

/**
 * Learn the paths of a source's objects that changed since the last call. Resolves to how many objects are now
 * wanted and not held: another round learns them. A source without paths sends none. Throws EXCHANGE_CUT,
 * EXCHANGE_UNSIGNED,
 * EXCHANGE_MESSAGE, or the wire's errors.
 */
export async function collectPaths(options: CollectPathsOptions): Promise<number> {
  const { session, book, self, marker, held, filter, name, signal, maxOthers = maxOtherPaths } = options;
  const known = (await book.state()).marker;
  const sameLife = known?.epoch === marker.epoch;
  if (sameLife && known.lsn >= marker.lsn) return 0;
  const question = {
    tag: sameLife ? epochTag(marker.epoch) : undefined,
    since: sameLife ? known.lsn : 0,
    filter: filter && filterText(filter),
  };
  const transcript = new Transcript(pathsQuestionBytes(question));
  const signed = verifier(session.peer.publicKey);
  await using channel = await session.open(pathsMessage(question), { end: true, ...(signal && { signal }) });
  let lacking = 0;
  let begun = false;
  let received = 0;
  try {
    for (;;) {
      const message = await channel.receive(signal);
      if (message === undefined) break;
      if (message.type !== 'paths') throw unexpected(message);
      const field = (key: 's' | 'servers' | 'of') =>
        message[key] === undefined ? undefined : bytesField(message[key], 'paths', key);
      const last = message.s === undefined && message.of === undefined;
      const said = transcript.say([field('s'), field('servers'), field('of'), last]);
      if (!signed(said, bytesField(message.sig, 'paths', 'sig', 64)))
        throw failure(exchangeErrors.EXCHANGE_UNSIGNED, { source: name });
      if (!begun) {
        const state = decodeSourceState(bytesField(message.s, 'paths', 's'), 'paths', undefined);
        // The source changed its life or fell behind since it sent its objects: the next round corrects that.
        if (state.epoch !== marker.epoch || state.lsn < marker.lsn) return lacking;
        begun = true;
        if (!sameLife) await book.begin();
      } else if (!last && message.of === undefined) throw unexpected(message);
      if (last) return lacking + (await book.finish(marker));
      const items = decodePaths(message, session.peer.serverId);
      received += items.length;
      if (received > held + maxOthers || (items.length === 0 && message.of !== undefined))
        throw unexpected(message);
      if (items.length > 0) lacking += await book.learn(items.map((item) => sentPath(item, self)));
    }
  } catch (error) {
    if (!begun && isUnknownVerb(error)) return 0;
    throw error;
  }
  throw failure(exchangeErrors.EXCHANGE_CUT, { source: name });
}

function sentPath({ handle, path }: PathItem, self: ServerId): SentPath {
  if (path.length === 0) return { handle, path: 'usual', verdict: 'taken' };
  const verdict: PathVerdict = pathVerdict(path, self);
  return { handle, path, verdict };
}

function isUnknownVerb(error: unknown): boolean {
  if (!isGarnerError(error, wireErrors.WIRE_REMOTE)) return false;
  return (error.data as { readonly code?: unknown }).code === exchangeErrors.EXCHANGE_VERB.code;
}
