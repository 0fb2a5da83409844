import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Replica } from '../../awareness/index.ts';
import { collect, MemoryKeyring } from '../../exchange/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { ObjectStore, openDatabase } from '../../store/index.ts';
import { type Channel, connect, type Message, type SendOptions, type Session } from '../../wire/index.ts';
import { Server } from '../harness/child.ts';
import { cpuSecondsOf, memoryOf } from '../harness/process-usage.ts';
import { differencesOf, type Kind } from './objects.ts';
import type { AwarenessSourceSays, SourceOrder } from './source.ts';

/** A field `sig` of 64 bytes with its name in a message. */
const signatureFieldBytes = 70;

/** Counts of a session that its traffic does not give. */
class Tally {
  /** Messages to the store, or runs of them, that it answered. */
  rounds = 0;
  /** Bytes of the store's signatures over its messages. */
  signatureBytes = 0;
}

function counted(channel: Channel, tally: Tally): Channel {
  // The message that opened the channel is a request.
  let requested = true;
  const received = (message: Message | undefined): Message | undefined => {
    if (message === undefined) return message;
    if (requested) tally.rounds++;
    requested = false;
    if (message.sig !== undefined) tally.signatureBytes += signatureFieldBytes;
    return message;
  };
  return {
    id: channel.id,
    send: (message: Message, options?: SendOptions) => {
      requested = true;
      return channel.send(message, options);
    },
    end: () => channel.end(),
    abort: (reason) => channel.abort(reason),
    receive: async (signal) => received(await channel.receive(signal)),
    [Symbol.asyncIterator]: async function* () {
      for await (const message of channel) yield received(message) as Message;
    },
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}

/** The same session, with rounds and signatures counted. */
function countedSession(session: Session, tally: Tally): Session {
  return {
    peer: session.peer,
    where: session.where,
    traffic: session.traffic,
    measures: session.measures,
    closed: session.closed,
    open: async (first: Message, options?: SendOptions) => counted(await session.open(first, options), tally),
    close: () => session.close(),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** The cost of one run of a scheme. */
export interface RunCost {
  /** The schemes that ran, in order; none when nothing had changed. */
  readonly schemes: readonly string[];
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly framesUp: number;
  readonly framesDown: number;
  /** Messages of both sides before frames and compression. */
  readonly messageBytes: number;
  readonly signatureBytes: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly sourceCpuSeconds: number;
  readonly clientCpuSeconds: number;
  /** Of the process with the larger peak. */
  readonly peakBytes: number;
}

export interface RunOptions {
  /** Absent: the engine chooses. */
  readonly scheme?: string;
  /** Number of elements in which the sets differ, if the client knows it. */
  readonly differences?: number;
  readonly signal: AbortSignal;
}

/** Max number of objects for one load request: HTTP clients time out. */
const loadStep = 50_000;

/**
 * A process is idle when it uses less CPU than this between two polls. After `maxLooks` polls it is measured
 * anyway.
 */
const idleSeconds = 0.004;
const lookMs = 50;
const maxLooks = 100;

/** Reset the memory peak of a process (Linux). */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** A source in a process of its own and a copy of it in this one, over one session. */
export class AwarenessPair implements AsyncDisposable {
  readonly #folder: string;
  #source: Server<AwarenessSourceSays>;
  #session: Session;
  readonly #copy: ObjectStore;
  readonly #keyring = new MemoryKeyring();
  readonly #partition: string;

  private constructor(
    folder: string,
    source: Server<AwarenessSourceSays>,
    session: Session,
    copy: ObjectStore,
    partition: string,
  ) {
    this.#folder = folder;
    this.#source = source;
    this.#session = session;
    this.#copy = copy;
    this.#partition = partition;
  }

  /** A source of `count` objects; the copy has all of them. */
  static async open(folder: string, count: number, onStep: (step: string) => void): Promise<AwarenessPair> {
    const source = await Server.startProbe<AwarenessSourceSays>(
      'awareness-source',
      [join(folder, 'source')],
      folder,
    );
    const database = await openDatabase(join(folder, 'copy'));
    const copy = await ObjectStore.open(database, { clock: systemClock, random: systemRandom });
    const pair = new AwarenessPair(folder, source, await dial(source.said.port), copy, 'source');
    onStep('the store is filled');
    for (let loaded = 0; loaded < count; loaded += loadStep)
      await pair.#order({ kind: 'load', count: Math.min(count, loaded + loadStep) });
    onStep('the copy is filled');
    await pair.run({ scheme: 'signature', signal: new AbortController().signal });
    await pair.newSession();
    return pair;
  }

  /** Close the session and open a new one. */
  async newSession(): Promise<void> {
    await this.#session.close();
    this.#session = await dial(this.#source.said.port);
  }

  change(how: Kind, u: number): Promise<void> {
    return this.#order({ kind: 'change', how, u });
  }

  /** Undo the source's last change and update the copy, unmeasured. */
  async changeBack(): Promise<void> {
    await this.#order({ kind: 'change-back' });
    await this.catchUp();
  }

  /** Bring the copy up to date. */
  async catchUp(): Promise<void> {
    await this.run({ scheme: 'log', signal: new AbortController().signal });
  }

  /** Run one round; throws when the two sets differ afterwards. */
  async run({ scheme, differences, signal }: RunOptions): Promise<RunCost> {
    const { pid } = this.#source.said;
    const tally = new Tally();
    const session = countedSession(this.#session, tally);
    const replica = await this.#replica();
    const { traffic } = session;
    const passed = () => ({
      ...{ framesUp: traffic.sentFrames, framesDown: traffic.receivedFrames },
      messageBytes: traffic.sentDecodedBytes + traffic.receivedDecodedBytes,
    });
    for (const one of [pid, process.pid]) resetPeak(one);
    // Reading the usage takes CPU of this process too: its own usage is read last before and first after the run.
    const cpuBefore = { source: this.#source.cpuSeconds, client: cpuSecondsOf(process.pid) };
    const before = passed();
    const started = performance.now();
    const report = await collect({
      ...{ session, replica, keyring: this.#keyring, clock: systemClock, name: 'source', signal },
      // A burst of deletions is measured here, so the guard is off.
      ...{ want: { kind: 'handles' }, deleteGuard: 1 },
      ...(scheme === undefined ? {} : { scheme }),
      ...(differences === undefined ? {} : { differences }),
    });
    const seconds = (performance.now() - started) / 1000;
    const cpuAfter = { client: cpuSecondsOf(process.pid), source: this.#source.cpuSeconds };
    const after = passed();
    return {
      ...{ schemes: report.schemes, bytesUp: report.bytesUp, bytesDown: report.bytesDown, seconds },
      framesUp: after.framesUp - before.framesUp,
      framesDown: after.framesDown - before.framesDown,
      messageBytes: after.messageBytes - before.messageBytes,
      ...{ signatureBytes: tally.signatureBytes, rounds: tally.rounds },
      sourceCpuSeconds: cpuAfter.source - cpuBefore.source,
      clientCpuSeconds: cpuAfter.client - cpuBefore.client,
      peakBytes: Math.max(this.#source.memory.peak, memoryOf(process.pid).peak),
    };
  }

  /** Make a change, run a scheme once, and undo the change. */
  async changed(
    how: Kind,
    u: number,
    {
      scheme,
      warm,
      signal,
    }: { readonly scheme?: string; readonly warm?: boolean; readonly signal: AbortSignal },
  ): Promise<RunCost> {
    await this.change(how, u);
    await this.#settled();
    try {
      return await this.run({
        ...(scheme === undefined ? {} : { scheme }),
        ...(warm ? { differences: differencesOf(how, u) } : {}),
        signal,
      });
    } finally {
      await this.changeBack();
    }
  }

  /** Kill the source (SIGKILL), start it again and collect: seconds until its store is open and has answered. */
  async restart(signal: AbortSignal): Promise<number> {
    process.kill(this.#source.said.pid, 'SIGKILL');
    await this.#session.closed;
    await this.#source[Symbol.asyncDispose]();
    this.#source = await Server.startProbe('awareness-source', [join(this.#folder, 'source')], this.#folder);
    this.#session = await dial(this.#source.said.port);
    const { seconds } = await this.run({ scheme: 'sketch', differences: 1, signal });
    return this.#source.said.openSeconds + seconds;
  }

  /** Wait until both databases have merged their files: work left by earlier changes is no part of a run. */
  async #settled(): Promise<void> {
    const used = () => this.#source.cpuSeconds + cpuSecondsOf(process.pid);
    for (let looks = 0; looks < maxLooks; looks++) {
      const before = used();
      await setTimeout(lookMs);
      // About half of the CPU used here is this process reading the usage.
      if (used() - before < idleSeconds) return;
    }
  }

  async #replica(): Promise<Replica> {
    return this.#copy.replica(this.#partition);
  }

  async #order(order: SourceOrder): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.#source.said.port}/`, {
      method: 'POST',
      body: JSON.stringify(order),
    });
    if (!answer.ok) throw new Error(`the source could not ${order.kind}: ${await answer.text()}`);
    await answer.text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.close();
    await this.#copy[Symbol.asyncDispose]();
    await this.#source[Symbol.asyncDispose]();
  }
}

function dial(port: number): Promise<Session> {
  return connect({
    ...{ url: `ws://127.0.0.1:${port}`, identity: identityFrom(newIdentitySecret()), name: 'copy' },
    ...{ role: 'broker', clock: systemClock, random: systemRandom },
  });
}
