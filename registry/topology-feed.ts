import { createHash } from 'node:crypto';
import { eventStream, type Route, type StateEvent } from '../http/index.ts';
import type { Clock } from '../kernel/index.ts';
import { topologyAnswer } from './answer-schemas.ts';
import type { Directory } from './directory.ts';
import { type Topology, topologyOf } from './topology/index.ts';

/** A topology with a version, which changes with all but the ages. */
export interface TopologyState extends Topology {
  readonly version: string;
}

/** Min time between two drawings, however many servers renew. */
const paceMs = 500;
/** Ages of an answer are no older than this. */
const freshMs = 1000;

/** The topology of a directory, drawn at most every half second for all readers together. */
export class TopologyFeed implements Disposable {
  readonly #directory: Pick<Directory, 'known' | 'onChange'>;
  readonly #clock: Clock;
  readonly #stop: () => void;
  readonly #readers = new Set<() => void>();
  readonly #closed = new AbortController();
  #state: TopologyState | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDirty = true;
  #isWaiting = false;

  constructor(directory: Pick<Directory, 'known' | 'onChange'>, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
    this.#stop = directory.onChange(() => {
      this.#isDirty = true;
      this.#wakeReaders();
    });
  }

  /** The topology now. */
  current(): TopologyState {
    const sinceMs = this.#clock.now() - this.#drawnAt;
    const isDue = this.#isDirty ? sinceMs >= paceMs : sinceMs >= freshMs;
    return this.#state === undefined || isDue ? this.#draw() : this.#state;
  }

  /** The version of the topology, and each later one, until the signal aborts. */
  async *versions(signal: AbortSignal): AsyncGenerator<StateEvent> {
    const ends = AbortSignal.any([signal, this.#closed.signal]);
    for (let seen = ''; !ends.aborted; ) {
      const { version } = this.current();
      if (version === seen) await this.#next(ends);
      else {
        seen = version;
        yield { json: { version } };
      }
    }
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#closed.abort();
  }

  #draw(): TopologyState {
    const now = this.#clock.now();
    this.#isDirty = false;
    this.#drawnAt = now;
    const topology = topologyOf(this.#directory.known(), now / 1000);
    const text = JSON.stringify(topology, (key, value) => (key === 'age' ? undefined : value));
    const version = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    this.#state = { version, ...topology };
    return this.#state;
  }

  /** Wake the readers where there is a change that is not drawn yet, at once or when the pace allows it. */
  #wakeReaders(): void {
    if (!this.#isDirty || this.#readers.size === 0 || this.#isWaiting) return;
    this.#isWaiting = true;
    const waitMs = Math.max(0, this.#drawnAt + paceMs - this.#clock.now());
    this.#clock.sleep(waitMs, this.#closed.signal).then(
      () => {
        this.#isWaiting = false;
        for (const wake of this.#readers) wake();
      },
      () => undefined,
    );
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#readers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#readers.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      // A change may have come when nobody waited for it.
      this.#wakeReaders();
    });
  }
}

/** `GET /topology`, and `GET /topology/events`: the version of it at each change. */
export function topologyRoutes(feed: TopologyFeed, clock: Clock): readonly [topology: Route, events: Route] {
  return [
    {
      method: 'GET',
      path: '/topology',
      summary: 'Who collects from whom, how fresh it is and what is broken',
      scope: 'public',
      response: topologyAnswer,
      handle: () => ({ json: feed.current(), headers: { 'cache-control': 'no-cache' } }),
    },
    {
      method: 'GET',
      path: '/topology/events',
      summary: 'Server-sent events: the version of the topology at each change',
      scope: 'public',
      isStanding: true,
      handle: ({ signal }) => eventStream(feed.versions(signal), { clock }),
    },
  ];
}
