import {
  admissible,
  cost,
  type PublishedObject,
  type Scheme,
  type Source,
  type SourceState,
  schemeNamed,
  schemes,
  serveVector,
  sound,
  type VectorElement,
} from '../awareness/index.ts';
import { type Clock, failure } from '../kernel/index.ts';
import { type Oid, oidBytes, type ServerId } from '../soif/index.ts';
import type { Channel, ChannelHandler, Message, Peer } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { collectServed } from './events.ts';
import { Introductions } from './introductions.ts';
import type { Keyring } from './keyring.ts';
import {
  type CollectRequest,
  elementItem,
  objectItem,
  readCollect,
  readOids,
  stateMessage,
} from './messages.ts';
import { packed } from './packing.ts';
import { maxSnapshotMs } from './settings.ts';

/** What answers a message that opens a channel. */
export type Verb = (channel: Channel, message: Message, peer: Peer) => Promise<void>;

/** What is served, and as whom. */
export interface Served {
  readonly source: Source;
  readonly serverId: ServerId;
  readonly clock: Clock;
  /** Keys of those whose objects are passed on. */
  readonly keyring?: Pick<Keyring, 'keyOf'>;
  /** Told what each client has learned, when an answer ended in full. */
  readonly learned?: (client: string, state: SourceState) => void;
}

function overhead(object: PublishedObject): number {
  return object.body.length + 100;
}

function elementBytes(element: VectorElement): number {
  return element.kind === 'record' && element.change.kind === 'put' ? overhead(element.change.object) : 110;
}

function* publishersOf(elements: readonly VectorElement[]): Iterable<ServerId> {
  for (const element of elements) {
    if (element.kind !== 'record') continue;
    if (element.change.kind === 'put') yield element.change.object.publisher;
    else if (element.change.kind === 'refresh') yield element.change.refresh.publisher;
  }
}

/** The cheapest scheme that loses nothing for this client, or the one it insists on. */
function chooseScheme(
  served: Served,
  state: SourceState,
  { marker, held, scheme: wanted }: CollectRequest,
): Scheme {
  if (wanted !== undefined) {
    const scheme = schemeNamed(wanted);
    const refusal =
      scheme === undefined
        ? { reason: 'it is unknown here' }
        : (sound(scheme, served.source.model) ?? admissible(scheme, state, marker, held));
    if (scheme === undefined || refusal !== undefined)
      throw failure(exchangeErrors.EXCHANGE_SCHEME, {
        scheme: wanted,
        reason: refusal?.reason ?? 'it is unknown here',
      });
    return scheme;
  }
  const changes = marker === undefined ? state.count : Math.max(0, state.lsn - marker.lsn);
  const possible = schemes
    .filter((scheme) => sound(scheme, served.source.model) === undefined)
    .filter((scheme) => admissible(scheme, state, marker, held) === undefined)
    .map((scheme) => ({
      scheme,
      bytes: cost(scheme, { count: state.count, changes, objectBytes: 4096 }).bytes,
    }))
    .sort((a, b) => a.bytes - b.bytes);
  const best = possible[0]?.scheme;
  if (best === undefined)
    throw failure(exchangeErrors.EXCHANGE_SCHEME, { scheme: 'any', reason: 'none is sound for this store' });
  return best;
}

const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** Whether the client already equals the source: same life, same LSN, same set. */
function isCurrent(state: SourceState, { marker, held, fingerprint }: CollectRequest): boolean {
  return (
    marker?.epoch === state.epoch &&
    marker.lsn === state.lsn &&
    held === state.count &&
    equal(fingerprint, state.fingerprint)
  );
}

/** Break an answer off that holds its snapshot for too long, as when its reader never takes it. */
function limitAnswer(clock: Clock, channel: Channel): Disposable {
  const done = new AbortController();
  clock.sleep(maxSnapshotMs, done.signal).then(
    () => channel.abort(failure(exchangeErrors.EXCHANGE_CUT, { source: 'this server' })),
    () => undefined,
  );
  return { [Symbol.dispose]: () => done.abort() };
}

async function collect(served: Served, channel: Channel, message: Message, peer: Peer): Promise<void> {
  const started = served.clock.now();
  const request = readCollect(message);
  const now = await served.source.state();
  if (request.scheme === undefined && isCurrent(now, request)) {
    await channel.send({ type: 'same' }, { end: true });
    served.learned?.(peer.serverId, now);
    return;
  }
  await using snapshot = await served.source.snapshot();
  using _limit = limitAnswer(served.clock, channel);
  const { state } = snapshot;
  const diverged =
    request.marker?.epoch === state.epoch && request.marker.lsn === state.lsn && request.scheme === undefined;
  // Same LSN and yet another set: the log has nothing to say, so everything is compared.
  const scheme = diverged
    ? (schemes.find((candidate) => candidate.forgets === 'absence') as Scheme)
    : chooseScheme(served, state, request);
  await channel.send(stateMessage('begin', state, scheme.name));
  const introductions = new Introductions(served.keyring, served.serverId);
  let elements = 0;
  const vector = serveVector(scheme, snapshot, { since: request.marker?.lsn ?? 0, after: request.after });
  for await (const list of packed(vector, elementBytes)) {
    elements += list.length;
    await channel.send({
      type: 'vector',
      items: list.map((element) => elementItem(element, served.serverId)),
      ...(await introductions.of(publishersOf(list))),
    });
  }
  await channel.send({ type: 'done' }, { end: true });
  served.learned?.(peer.serverId, state);
  collectServed.publish({
    client: peer.serverId,
    scheme: scheme.name,
    elements,
    lsn: state.lsn,
    ms: served.clock.now() - started,
  });
}

async function get(served: Served, channel: Channel, message: Message): Promise<void> {
  const missing: Oid[] = [];
  await using snapshot = await served.source.snapshot();
  using _limit = limitAnswer(served.clock, channel);
  const objects = async function* () {
    for (const oid of readOids(message)) {
      const object = await snapshot.get(oid);
      if (object === undefined) missing.push(oid);
      else yield object;
    }
  };
  const introductions = new Introductions(served.keyring, served.serverId);
  for await (const list of packed(objects(), overhead))
    await channel.send({
      type: 'objects',
      items: list.map((object) => objectItem(object, served.serverId)),
      ...(await introductions.of(list.map(({ publisher }) => publisher))),
    });
  await channel.send({ type: 'missing', oids: Buffer.concat(missing.map(oidBytes)) }, { end: true });
}

/** Send a hint after changes until the client ends; changes while one is on its way are one hint. */
async function subscribe(served: Served, channel: Channel): Promise<void> {
  let wake: (() => void) | undefined;
  let pending = false;
  let over = false;
  const stop = served.source.onChange(() => {
    pending = true;
    wake?.();
  });
  const ended = channel.receive().then(
    () => undefined,
    () => undefined,
  );
  void ended.then(() => {
    over = true;
    wake?.();
  });
  try {
    for (;;) {
      if (!pending && !over) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (over) return;
      pending = false;
      await channel.send(stateMessage('hint', await served.source.state()));
    }
  } finally {
    stop();
  }
}

/** The verbs by which a source is learned from: collect, get, subscribe. */
export function sourceVerbs(served: Served): Readonly<Record<string, Verb>> {
  return {
    collect: (channel, message, peer) => collect(served, channel, message, peer),
    get: (channel, message) => get(served, channel, message),
    subscribe: (channel) => subscribe(served, channel),
  };
}

/** A channel handler that answers these verbs and refuses others. */
export function answerVerbs(verbs: Readonly<Record<string, Verb>>): ChannelHandler {
  return async (channel, message, { peer }) => {
    const verb = Object.hasOwn(verbs, message.type) ? verbs[message.type] : undefined;
    if (verb === undefined) throw failure(exchangeErrors.EXCHANGE_VERB, { verb: message.type });
    await verb(channel, message, peer);
  };
}
