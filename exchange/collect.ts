import {
  type Change,
  learnFrom,
  type Marker,
  type Replica,
  type ReplicaState,
  type Scheme,
  type SourceState,
  schemeNamed,
  type VectorElement,
} from '../awareness/index.ts';
import { type Clock, failure } from '../kernel/index.ts';
import type { Oid, ServerId } from '../soif/index.ts';
import type { Channel, Message, Session } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { type RoundReport, roundFinished, roundProgress } from './events.ts';
import type { Keyring } from './keyring.ts';
import {
  collectMessage,
  getMessage,
  type ReceivedElement,
  readKeys,
  readObjectItem,
  readOids,
  readState,
  readVector,
} from './messages.ts';
import { maxGet } from './settings.ts';
import { ProvenanceVerifier } from './verify.ts';

export interface CollectOptions {
  readonly session: Session;
  readonly replica: Replica;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** The source's name in reports. */
  readonly name: string;
  /** Insist on a scheme instead of letting the source choose. */
  readonly scheme?: string;
  /** Part of what is held (0 to 1) that may vanish in a round before each loss is confirmed. */
  readonly deleteGuard: number;
  readonly signal?: AbortSignal;
}

/** Fewer deletions than this are never a burst. */
const smallBurst = 100;

/** The scheme that needs no marker and compares everything: what is left when another's result does not verify. */
const comparison = 'signature';

const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** One run of one scheme: reads the answer on a channel and does what it says to the replica. */
class SchemeRun {
  learned = 0;
  refreshed = 0;
  forgotten = 0;
  readonly #options: CollectOptions;
  readonly #channel: Channel;
  readonly #state: SourceState;
  readonly #scheme: Scheme;
  readonly #before: ReplicaState;
  readonly #verifier: ProvenanceVerifier;
  #wanted: Oid[] = [];
  #doomed: Oid[] = [];
  #complete = false;
  #marker: Marker;

  constructor(
    options: CollectOptions,
    channel: Channel,
    state: SourceState,
    scheme: Scheme,
    before: ReplicaState,
  ) {
    this.#options = options;
    this.#channel = channel;
    this.#state = state;
    this.#scheme = scheme;
    this.#before = before;
    this.#verifier = new ProvenanceVerifier(options.keyring);
    // A vector that is not in LSN order tells nothing about where it stopped: until its end the old marker holds.
    this.#marker = before.marker?.epoch === state.epoch ? before.marker : { epoch: state.epoch, lsn: 0 };
  }

  async run(): Promise<void> {
    const { replica } = this.#options;
    const lessons = learnFrom(this.#scheme, this.#vector(), replica);
    let batch: Change[] = [];
    let bytes = 0;
    const flush = async () => {
      await this.#apply(batch);
      batch = [];
      bytes = 0;
    };
    try {
      for await (const lesson of lessons) {
        if (lesson.kind === 'apply') {
          batch.push(lesson.change);
          bytes += lesson.change.kind === 'put' ? lesson.change.object.body.length : 0;
          if (batch.length >= maxGet || bytes >= 1024 * 1024) await flush();
        } else if (lesson.kind === 'fetch') {
          this.#wanted.push(lesson.oid);
          if (this.#wanted.length >= maxGet / 4) await this.#fetchWanted();
        } else if (lesson.kind === 'forget') {
          this.#doomed.push(lesson.oid);
          if (this.#doomed.length >= maxGet) await this.#forgetDoomed();
        }
      }
      if (!this.#complete) throw failure(exchangeErrors.EXCHANGE_CUT, { source: this.#options.name });
    } catch (error) {
      // What arrived whole is kept, so that a cut costs no more than the message it fell into.
      await flush().catch(() => undefined);
      throw error;
    }
    await flush();
    await this.#fetchWanted();
    await this.#forgetDoomed();
    await replica.apply([], { epoch: this.#state.epoch, lsn: this.#state.lsn });
  }

  /** The vector as the engine wants it: records verified, order checked, and an error when it ends early. */
  async *#vector(): AsyncIterable<VectorElement> {
    let last = '';
    for (;;) {
      const message = await this.#channel.receive(this.#options.signal);
      if (message === undefined) throw failure(exchangeErrors.EXCHANGE_CUT, { source: this.#options.name });
      if (message.type === 'done') {
        this.#complete = true;
        return;
      }
      if (message.type !== 'vector') throw unexpected(message);
      this.#verifier.introduce(readKeys(message));
      for (const element of readVector(message, this.#options.session.peer.serverId)) {
        const at = this.#orderOf(element);
        if (at <= last)
          throw failure(exchangeErrors.EXCHANGE_MESSAGE, { type: 'vector', reason: 'is out of order' });
        last = at;
        if (element.kind !== 'put') yield element;
        else yield { kind: 'record', change: await this.#verified(element) };
      }
    }
  }

  #orderOf(element: ReceivedElement): string {
    const lsn =
      element.kind === 'put' ? element.lsn : element.kind === 'record' ? element.change.lsn : undefined;
    if (this.#scheme.selects === 'changes') {
      const number = lsn ?? (element.kind === 'handle' ? element.lsn : undefined);
      if (number === undefined || number > this.#state.lsn)
        throw failure(exchangeErrors.EXCHANGE_MESSAGE, {
          type: 'vector',
          reason: 'has an LSN beyond its own state',
        });
      return String(number).padStart(16, '0');
    }
    if (lsn !== undefined || element.kind === 'put' || element.kind === 'record')
      throw failure(exchangeErrors.EXCHANGE_MESSAGE, {
        type: 'vector',
        reason: 'mixes records into a comparison',
      });
    // The empty string must sort before every OID.
    return `o${Buffer.from(element.oid, 'base64url').toString('latin1')}`;
  }

  async #verified({ lsn, object }: Extract<ReceivedElement, { kind: 'put' }>): Promise<Change> {
    return { kind: 'put', lsn, object: await this.#verifier.object(object) };
  }

  /** Do a batch of records. Their LSNs are in order, so the marker moves with them: a cut here costs nothing twice. */
  async #apply(changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return;
    const { replica } = this.#options;
    const refreshes = changes.filter((change) => change.kind === 'refresh').map((change) => change.refresh);
    const digests = await replica.digests(refreshes.map(({ oid }) => oid));
    const valid = new Set<Oid>();
    for (const [i, refresh] of refreshes.entries()) {
      const digest = digests[i];
      if (digest !== undefined && (await this.#verifier.refresh(refresh, digest))) valid.add(refresh.oid);
    }
    const kept: Change[] = [];
    for (const change of changes) {
      if (change.kind === 'delete') this.#doomed.push(change.oid);
      else if (change.kind === 'put' || valid.has(change.refresh.oid)) kept.push(change);
    }
    const last = changes.at(-1) as Change;
    const marker = { epoch: this.#state.epoch, lsn: last.lsn };
    // Deletions go first: the marker must not pass them.
    await this.#forgetDoomed();
    await replica.apply(kept, marker);
    this.#marker = marker;
    this.#count(kept);
  }

  async #fetchWanted(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = [];
    for (let i = 0; i < wanted.length; i += maxGet) {
      await this.#get(wanted.slice(i, i + maxGet), async (objects) => {
        const changes = objects.map((object): Change => ({ kind: 'put', lsn: this.#state.lsn, object }));
        await this.#options.replica.apply(changes, this.#marker);
        this.#count(changes);
      });
    }
  }

  async #forgetDoomed(): Promise<void> {
    const doomed = this.#doomed;
    this.#doomed = [];
    if (doomed.length === 0) return;
    const { replica, deleteGuard } = this.#options;
    const limit = Math.max(smallBurst, this.#before.count * deleteGuard);
    if (this.forgotten + doomed.length > limit) await this.#confirmGone(doomed);
    const held = (await replica.digests(doomed)).filter((digest) => digest !== undefined).length;
    await replica.apply(
      doomed.map((oid): Change => ({ kind: 'delete', lsn: this.#state.lsn, oid })),
      this.#marker,
    );
    this.forgotten += held;
  }

  /** A second opinion on a burst of deletions: the source is asked for each of the objects. */
  async #confirmGone(doomed: readonly Oid[]): Promise<void> {
    for (let i = 0; i < doomed.length; i += maxGet) {
      await this.#get(doomed.slice(i, i + maxGet), async (objects) => {
        if (objects.length === 0) return;
        throw failure(exchangeErrors.EXCHANGE_DELETE_BURST, {
          deletes: doomed.length,
          held: this.#before.count,
        });
      });
    }
  }

  async #get(
    oids: readonly Oid[],
    receive: (objects: readonly Extract<Change, { kind: 'put' }>['object'][]) => Promise<void>,
  ): Promise<void> {
    const { session, signal } = this.#options;
    await using channel = await session.open(getMessage(oids), { end: true, ...(signal && { signal }) });
    const asked = new Set(oids);
    for (;;) {
      const message = await channel.receive(signal);
      if (message === undefined) throw failure(exchangeErrors.EXCHANGE_CUT, { source: this.#options.name });
      if (message.type === 'missing') {
        readOids(message);
        return;
      }
      if (message.type !== 'objects' || !Array.isArray(message.items)) throw unexpected(message);
      this.#verifier.introduce(readKeys(message));
      const objects = [];
      for (const item of message.items as unknown[]) {
        const object = await this.#verifier.object(readObjectItem(item, 'objects', session.peer.serverId));
        if (!asked.delete(object.oid))
          throw failure(exchangeErrors.EXCHANGE_MESSAGE, {
            type: 'objects',
            reason: 'has an object that was not asked for',
          });
        objects.push(object);
      }
      await receive(objects);
    }
  }

  #count(changes: readonly Change[]): void {
    for (const change of changes) change.kind === 'put' ? this.learned++ : this.refreshed++;
    roundProgress.publish({ source: this.#options.name, learned: this.learned, count: this.#state.count });
  }
}

function unexpected(message: Message): Error {
  return failure(exchangeErrors.EXCHANGE_MESSAGE, { type: message.type, reason: 'was not expected here' });
}

async function trust(keyring: Keyring, server: ServerId, publicKey: Uint8Array): Promise<void> {
  if (!(await keyring.learn(server, publicKey))) throw failure(exchangeErrors.EXCHANGE_KEY, { server });
}

/**
 * One round of awareness: learn what the source at the other end of the session has that the replica lacks, and
 * forget what it no longer has. Whatever was learned before an error is kept with its marker. Ends only when the
 * fingerprints of both sides agree; a scheme whose result does not is followed by a comparison of everything.
 * Throws EXCHANGE_CUT, EXCHANGE_UNVERIFIED, EXCHANGE_KEY, EXCHANGE_DELETE_BURST, EXCHANGE_DIVERGED, or the wire's errors.
 */
export async function collect(options: CollectOptions): Promise<RoundReport> {
  const { session, replica, clock, name } = options;
  const started = clock.now();
  const [sent, received] = [session.traffic.sentBytes, session.traffic.receivedBytes];
  await trust(options.keyring, session.peer.serverId, session.peer.publicKey);
  const schemes: string[] = [];
  const totals = { learned: 0, refreshed: 0, forgotten: 0 };
  let scheme = options.scheme;
  let lsn = 0;
  for (;;) {
    const before = await replica.state();
    lsn = before.marker?.lsn ?? 0;
    const signal = options.signal && { signal: options.signal };
    await using channel = await session.open(
      collectMessage({
        marker: before.marker,
        held: before.count,
        fingerprint: before.fingerprint,
        scheme,
        after: undefined,
      }),
      { end: true, ...signal },
    );
    const first = await channel.receive(options.signal);
    if (first?.type === 'same') break;
    if (first === undefined) throw failure(exchangeErrors.EXCHANGE_CUT, { source: name });
    if (first.type !== 'begin') throw unexpected(first);
    const state = readState(first);
    const used = typeof first.scheme === 'string' ? schemeNamed(first.scheme) : undefined;
    if (used === undefined) throw unexpected(first);
    schemes.push(used.name);
    const run = new SchemeRun(options, channel, state, used, before);
    try {
      await run.run();
    } finally {
      totals.learned += run.learned;
      totals.refreshed += run.refreshed;
      totals.forgotten += run.forgotten;
    }
    lsn = state.lsn;
    const after = await replica.state();
    if (after.count === state.count && equal(after.fingerprint, state.fingerprint)) break;
    // The source may have moved between a comparison and its fetches: once more, then it is a fault.
    if (schemes.filter((run) => run === comparison).length >= 2)
      throw failure(exchangeErrors.EXCHANGE_DIVERGED, { source: name });
    scheme = comparison;
  }
  const report: RoundReport = {
    source: name,
    schemes,
    ...totals,
    lsn,
    bytesUp: session.traffic.sentBytes - sent,
    bytesDown: session.traffic.receivedBytes - received,
    ms: clock.now() - started,
  };
  roundFinished.publish(report);
  return report;
}

/** Call back at each hint that the source has changed, until the signal aborts or the session ends. */
export async function watchHints(
  session: Session,
  onHint: (state: SourceState) => void,
  signal?: AbortSignal,
): Promise<void> {
  await using channel = await session.open({ type: 'subscribe' }, signal && { signal });
  for (;;) {
    const message = await channel.receive(signal);
    if (message === undefined) return;
    if (message.type !== 'hint') throw unexpected(message);
    onHint(readState(message));
  }
}
