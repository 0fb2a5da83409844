import type { Clock } from '../../kernel/index.ts';
import type { Oid, ServerId } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { Directory } from '../directory.ts';

export interface WaitingOptions {
  readonly store: Pick<ObjectStore, 'describe' | 'partitions' | 'replica' | 'unlearn'>;
  readonly directory: Pick<Directory, 'countSigned' | 'has'>;
  readonly clock: Clock;
  /** Max descriptions of one server id. */
  readonly maxOfServer: number;
}

/** Descriptions that are remembered one by one. */
const maxWaiting = 10_000;
/** Min time between two requests for everything that is not here: most of it may be refused again. */
const lookMs = 3_600_000;
const stepSize = 256;

/** Descriptions of other Registries that this one did not take, and takes later: when there is room, or at their time. */
export class WaitingDescriptions {
  readonly #options: WaitingOptions;
  /** With the server id, where its bound counts. */
  readonly #waiting = new Map<Oid, ServerId | undefined>();
  /** Whether more wait than are remembered; after a start nobody knows. */
  #hasMore = true;
  #nextLook = 0;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  /** Ask for it when there is room; `server` where that has a bound of its own. */
  add(oid: Oid, server: ServerId | undefined): void {
    if (this.#waiting.size < maxWaiting) this.#waiting.set(oid, server);
    else this.#hasMore = true;
  }

  /** Ask for what is not here once more, later. */
  addLater(): void {
    this.#hasMore = true;
  }

  /** Let the next rounds with their Registries bring again what fits in the room. */
  async release(room: number): Promise<void> {
    if (room <= 0) return;
    const { store, clock } = this.#options;
    const fitting = this.#take(room);
    if (fitting.length > 0) return store.unlearn(fitting);
    if (!this.#hasMore || clock.now() < this.#nextLook) return;
    this.#hasMore = false;
    this.#nextLook = clock.now() + lookMs;
    for (const name of store.partitions.keys()) await this.#releaseAll(name);
  }

  #take(room: number): readonly Oid[] {
    const { directory, maxOfServer } = this.#options;
    const counts = new Map<ServerId, number>();
    const taken: Oid[] = [];
    for (const [oid, server] of this.#waiting) {
      if (taken.length >= room) break;
      if (server !== undefined && !directory.has(oid)) {
        const count = counts.get(server) ?? directory.countSigned(server);
        if (count >= maxOfServer) continue;
        counts.set(server, count + 1);
      }
      // Before it is asked for: it may be refused again meanwhile.
      this.#waiting.delete(oid);
      if (!directory.has(oid)) taken.push(oid);
    }
    return taken;
  }

  /** Everything that the copy of a Registry lists and that is not here. */
  async #releaseAll(name: string): Promise<void> {
    const { store } = this.#options;
    let absent: Oid[] = [];
    for await (const { oid } of (await store.replica(name)).scan()) {
      if ((await store.describe(oid)) === undefined) absent.push(oid);
      if (absent.length < stepSize) continue;
      await store.unlearn(absent);
      absent = [];
    }
    await store.unlearn(absent);
  }
}
