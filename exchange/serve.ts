import {
  admissible,
  ChangeHistory,
  candidates,
  type Epoch,
  type Handle,
  type Marker,
  namedElements,
  type Scheme,
  type ShortId,
  type Source,
  type SourceSnapshot,
  type SourceState,
  sameBytes,
  schemeNamed,
  sendVector,
  sound,
  usualLink,
  type VectorElement,
  type VectorScheme,
  type Want,
} from '../awareness/index.ts';
import { type Clock, failure } from '../kernel/index.ts';
import type { ServerId } from '../soif/index.ts';
import type { Channel, ChannelHandler, LinkMeasures, Message, Peer, Session } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { collectServed } from './events.ts';
import { bad } from './fields.ts';
import { filterFrom, viewIn } from './filter.ts';
import { questionBytes, readGet } from './get-question.ts';
import { KeyAnnouncements } from './key-announcements.ts';
import type { Keyring } from './keyring.ts';
import { projection } from './part-items.ts';
import { type PathSender, sendPaths } from './paths.ts';
import { type ReceivedAsk, readAsk } from './request-message.ts';
import { maxSnapshotMs } from './settings.ts';
import { encodeSourceState, epochTag } from './state-codec.ts';
import { StoreChannel } from './store-dialogue.ts';
import { Transcript } from './transcript.ts';

/** Answers a message that opens a channel. */
export type Verb = (channel: Channel, message: Message, peer: Peer, session: Session) => Promise<void>;

export interface Served {
  readonly source: Source;
  /** The view of that name as a source of its own; throws when there is none. */
  readonly view?: (name: string) => Source;
  readonly serverId: ServerId;
  /** Signs as that server. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
  readonly clock: Clock;
  /** Keys of the publishers whose objects are passed on. */
  readonly keyring?: Pick<Keyring, 'keyOf' | 'successionOf'>;
  /** Whether the source is being filled for the first time: an absent object then means nothing. */
  readonly filling?: () => boolean;
  /** The link between this server and a client; as measured by the session when absent. */
  readonly linkTo?: (session: Session) => Pick<LinkMeasures, 'roundTripMs' | 'bytesPerSecond'>;
  /** The servers through which objects have come, for a server that passes on objects of others. */
  readonly pathsOf?: PathSender['pathsOf'];
  /** Called with the state that each client has learned, when an answer ended in full. */
  readonly learned?: (client: Peer, state: SourceState) => void;
}

/** The form of objects that a client requested by name: each whole, in no order. */
export const byName: VectorScheme = {
  name: 'asked',
  describe: 'objects that a client named',
  refines: 'nothing',
  selects: 'newest',
  compresses: 'record',
  forgets: 'lazily',
};

/** The client's marker under the store's epoch, or under none when it is of another life. */
function markerIn(state: SourceState, { marker }: ReceivedAsk): Marker | undefined {
  if (marker === undefined) return undefined;
  const same = sameBytes(marker.tag, epochTag(state.epoch));
  return { epoch: same ? state.epoch : ('' as Epoch), lsn: marker.lsn };
}

/** Min bytes of a session before compression from which its compression is measured. */
const minDecoded = 65_536;
/** The compression of summaries, until it is measured. */
const usualCompression = 0.45;

/** This end's knowledge of the link to a client and of the data on it. */
function known({ linkTo }: Served, { meanBytes }: Source, session: Session, history: ChangeHistory) {
  const { roundTripMs, bytesPerSecond = usualLink.bytesPerSecond } = linkTo?.(session) ?? session.measures;
  const { sentBytes, sentDecodedBytes } = session.traffic;
  const compression = sentDecodedBytes < minDecoded ? usualCompression : sentBytes / sentDecodedBytes;
  return {
    link: { roundTripMs, bytesPerSecond },
    objectsPerNumber: history.objectsPerNumber,
    ...(meanBytes === undefined ? {} : { objectBytes: meanBytes * compression }),
  };
}

/** The quickest scheme that loses nothing for this client, or the one it requires. */
function chooseScheme(
  source: Source,
  state: SourceState,
  ask: ReceivedAsk,
  given: ReturnType<typeof known>,
): Scheme {
  const marker = markerIn(state, ask);
  const refusal = (scheme: Scheme) =>
    sound(scheme, source.model) ?? admissible(scheme, state, marker, ask.held, true);
  if (ask.scheme !== undefined) {
    const scheme = schemeNamed(ask.scheme);
    const reason = scheme === undefined ? 'it is unknown here' : refusal(scheme)?.reason;
    if (scheme === undefined || reason !== undefined)
      throw failure(exchangeErrors.EXCHANGE_SCHEME, { scheme: ask.scheme, reason: reason ?? '' });
    return scheme;
  }
  const asker = { marker, held: ask.held, want: ask.want.kind };
  const best = candidates(source.model, state, asker, { ...given, unnamed: true })[0]?.scheme;
  if (best === undefined)
    throw failure(exchangeErrors.EXCHANGE_SCHEME, { scheme: 'any', reason: 'none is sound for this store' });
  return best;
}

/** Whether the client already equals the source: same life, same LSN, same set. */
function isCurrent(state: SourceState, ask: ReceivedAsk): boolean {
  return (
    markerIn(state, ask)?.epoch === state.epoch &&
    ask.marker?.lsn === state.lsn &&
    ask.held === state.count &&
    sameBytes(ask.fingerprint, state.fingerprint)
  );
}

/** Break off an answer that holds its snapshot for too long, for example because its reader never takes it. */
function limitAnswer(clock: Clock, channel: Channel): Disposable {
  const done = new AbortController();
  clock.sleep(maxSnapshotMs, done.signal).then(
    () => channel.abort(failure(exchangeErrors.EXCHANGE_CUT, { source: 'this server' })),
    () => undefined,
  );
  return { [Symbol.dispose]: () => done.abort() };
}

const projected = (want: Want) => (want.kind === 'attributes' ? projection(want.names) : undefined);

/** The scheme that a client expects when the store names none. */
export function expectedScheme(ask: {
  readonly scheme?: string | undefined;
  readonly sketch?: unknown;
}): Scheme {
  return schemeNamed(ask.scheme ?? (ask.sketch === undefined ? 'log' : 'sketch')) as Scheme;
}

/** The objects that the client wants: everything, a view, or those of its filter. */
async function sourceFor({ source, view }: Served, { filter }: Pick<ReceivedAsk, 'filter'>): Promise<Source> {
  if (filter === undefined) return source;
  const name = viewIn(filter);
  if (name !== undefined && view !== undefined) return view(name);
  if (source.filtered === undefined)
    throw failure(exchangeErrors.EXCHANGE_FILTER, { filter: filter.slice(0, 200) });
  return source.filtered(filterFrom(filter));
}

const speakerOn = (channel: Channel, { serverId, sign, keyring }: Served) => ({
  ...{ channel, serverId, sign },
  introductions: new KeyAnnouncements(keyring, serverId),
});

async function answer(
  served: Served,
  history: ChangeHistory,
  channel: Channel,
  message: Message,
  session: Session,
): Promise<void> {
  const { peer } = session;
  const started = served.clock.now();
  const ask = readAsk(message);
  const source = await sourceFor(served, ask);
  const now = await source.state();
  if (ask.scheme === undefined && isCurrent(now, ask)) {
    await channel.send({ type: 'same' }, { end: true });
    served.learned?.(peer, now);
    return;
  }
  // A client of an earlier life of the store would forget all objects that are not in it yet.
  if (served.filling?.() === true && ask.held > 0 && markerIn(now, ask)?.epoch !== now.epoch)
    throw failure(exchangeErrors.EXCHANGE_FILLING, { objects: now.count, held: ask.held });
  const scheme = chooseScheme(source, now, ask, known(served, source, session, history));
  await using snapshot = await source.snapshot({ sketch: scheme.refines === 'sketch' });
  using _limit = limitAnswer(served.clock, channel);
  const { state } = snapshot;
  const sameLife = markerIn(state, ask)?.epoch === state.epoch;
  const dialogue = new StoreChannel({
    ...speakerOn(channel, served),
    transcript: new Transcript(message.q as Uint8Array),
    scheme,
    expected: expectedScheme(ask).name === scheme.name,
    state,
    sameLife,
    withdrawals: message.withdrawals === true,
    project: projected(ask.want),
  });
  const { held, want, after } = ask;
  const since = sameLife ? (ask.marker?.lsn ?? 0) : 0;
  const sketch = sameLife ? ask.sketch : undefined;
  // A client that named no scheme has said everything: a scheme with questions must be requested.
  if (scheme.refines !== 'nothing' && ask.scheme === undefined)
    await dialogue.say({ kind: 'unsuited', differences: 0, sums: (await snapshot.summary())?.sums.encode() });
  else {
    await sendVector(scheme, snapshot, { since, held, want, after, sketch }, dialogue);
    // A client that may speak last is read to its end: leaving before would have to be reported as a fault.
    if (scheme.refines !== 'nothing' && (await channel.receive()) !== undefined)
      bad('ask', 'goes on after its answer has ended');
  }
  if (dialogue.complete) served.learned?.(peer, state);
  // Of a part of the objects the log shows less.
  const inFull = dialogue.complete && source === served.source && since > 0;
  if (inFull && scheme.refines === 'nothing' && scheme.selects === 'later-numbers')
    history.record(state.lsn - since, dialogue.elements);
  collectServed.publish({
    client: peer.serverId,
    scheme: scheme.name,
    elements: dialogue.elements,
    lsn: state.lsn,
    ms: served.clock.now() - started,
  });
}

/** The deletions of named objects that publishers have signed. */
async function* withdrawnElements(snapshot: SourceSnapshot, names: readonly (Handle | ShortId)[]) {
  const handles = names.filter((name) => typeof name === 'string');
  const changes = (await snapshot.withdrawn?.(handles)) ?? [];
  yield changes.map((change): VectorElement => ({ kind: 'record', change }));
}

async function get(served: Served, channel: Channel, message: Message): Promise<void> {
  const question = readGet(message);
  const { names, attributes, bare, withdrawn = false } = question;
  // Short ids are those of the set that was sent to the client.
  const source = await sourceFor(served, question);
  await using snapshot = await source.snapshot();
  using _limit = limitAnswer(served.clock, channel);
  const dialogue = new StoreChannel({
    ...speakerOn(channel, served),
    transcript: new Transcript(questionBytes(question)),
    scheme: byName,
    expected: true,
    state: snapshot.state,
    sameLife: true,
    withdrawals: withdrawn,
    project: attributes.length === 0 ? undefined : projection(attributes),
  });
  await dialogue.sayVector(namedElements(snapshot, names, bare));
  if (withdrawn) await dialogue.sayVector(withdrawnElements(snapshot, names));
  await dialogue.say({ kind: 'end' });
}

/** Hint at changes, of a view that the client names, until it ends; changes meanwhile share a hint. */
async function subscribe(served: Served, channel: Channel, { filter }: Message): Promise<void> {
  // With another filter hints are about the whole source: to judge each change would cost more than a round.
  const isView = typeof filter === 'string' && viewIn(filter) !== undefined;
  const source = isView ? await sourceFor(served, { filter }) : served.source;
  let wake: (() => void) | undefined;
  let pending = false;
  let over = false;
  const stop = source.onChange(() => {
    pending = true;
    wake?.();
  });
  const end = () => {
    over = true;
    wake?.();
  };
  channel.receive().then(end, end);
  try {
    for (;;) {
      if (!pending && !over)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (over) return;
      pending = false;
      await channel.send({ type: 'hint', s: encodeSourceState(await source.state(), true) });
    }
  } finally {
    stop();
  }
}

/** The verbs of a source: ask, get, subscribe, and paths where objects are passed on. */
export function sourceVerbs(served: Served): Readonly<Record<string, Verb>> {
  const history = new ChangeHistory();
  const { pathsOf, serverId, sign } = served;
  return {
    ...(pathsOf && {
      paths: async (channel, message, peer) => {
        using _limit = limitAnswer(served.clock, channel);
        await sendPaths({ pathsOf, serverId, sign }, channel, message, peer, async (filter) =>
          (await sourceFor(served, { filter })).snapshot(),
        );
      },
    }),
    ask: (channel, message, _peer, session) => answer(served, history, channel, message, session),
    get: (channel, message) => get(served, channel, message),
    subscribe: (channel, message) => subscribe(served, channel, message),
  };
}

/** A channel handler that answers these verbs and refuses others. */
export function answerVerbs(verbs: Readonly<Record<string, Verb>>): ChannelHandler {
  return async (channel, message, session) => {
    const verb = Object.hasOwn(verbs, message.type) ? verbs[message.type] : undefined;
    if (verb === undefined) throw failure(exchangeErrors.EXCHANGE_VERB, { verb: message.type });
    await verb(channel, message, session.peer, session);
  };
}
