import type { Lsn } from '../awareness/index.ts';
import { type Clock, isGarnerError } from '../kernel/index.ts';
import { decodeObject, type Oid, type ServerId } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import type { ServerType } from './description.ts';
import { readDescription, type ServerDescription } from './description.ts';
import { directoryFailed } from './events.ts';
import { LeaseTimer } from './lease-timer.ts';
import { type ServerLinks, serverLinks } from './server-links.ts';
import type { KnownServer } from './topology.ts';

/** A server in the directory. */
export interface ListedServer extends ServerDescription {
  readonly id: Oid;
  readonly serverId: ServerId;
  /** The last renewal of its lease; seconds since 1970. */
  readonly updatedAt: number;
  /** Late: no renewal came in the time of its Refresh-Rate. */
  readonly state: 'live' | 'late';
}

type Row = Omit<ListedServer, 'state'>;

type FollowedStore = Pick<ObjectStore, 'onChange' | 'snapshot' | 'lsn'>;

/** The servers of a Registry's store, in memory: it follows the store's log. */
export class Directory implements AsyncDisposable {
  readonly #store: FollowedStore;
  readonly #clock: Clock;
  readonly #rows = new Map<Oid, Row>();
  /** Rows that the store has removed because their lease had ended, the oldest first. */
  readonly #ended = new Map<Oid, Row>();
  readonly #links = new Map<Oid, ServerLinks>();
  readonly #listeners = new Set<() => void>();
  readonly #timer: LeaseTimer;
  readonly #stop: () => void;
  #lsn: Lsn = 0;
  #running: Promise<void> | undefined;
  #again = false;
  #isClosed = false;

  private constructor(store: FollowedStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#stop = store.onChange(() => this.#wake());
    this.#timer = new LeaseTimer(clock, () => this.#changed([...this.#links.keys()]));
  }

  /** Read every server of the store, and follow it from then on. */
  static async open(store: FollowedStore, clock: Clock): Promise<Directory> {
    const directory = new Directory(store, clock);
    await directory.upToDate();
    return directory;
  }

  /** The servers whose lease has not ended, by name. */
  list(type?: ServerType): readonly ListedServer[] {
    const now = this.#clock.now() / 1000;
    return [...this.#rows.values()]
      .filter((row) => (type === undefined || row.type === type) && isLeased(row, now))
      .map((row) => listed(row, now))
      .sort((a, b) => (a.name === b.name ? (a.url < b.url ? -1 : 1) : a.name < b.name ? -1 : 1));
  }

  /** A server by its id, its server id or its address; undefined when it is not listed. */
  find(name: string): ListedServer | undefined {
    const now = this.#clock.now() / 1000;
    const row =
      this.#rows.get(name as Oid) ??
      [...this.#rows.values()].find(({ serverId, url }) => serverId === name || url === name);
    return row !== undefined && isLeased(row, now) ? listed(row, now) : undefined;
  }

  /** Every listed server with its links, and those whose lease ended a short time ago. */
  known(): readonly KnownServer[] {
    const now = this.#clock.now() / 1000;
    return [...this.#ended.values(), ...this.#rows.values()]
      .filter((row) => now < endOf(row) + rememberedSeconds)
      .map((row) => ({
        ...(now < endOf(row) ? listed(row, now) : { ...row, state: 'broken' }),
        ...(this.#links.get(row.id) ?? noLinks),
      }));
  }

  /** Call back after each change of the list, also when a server turns late or its lease ends. Returns its end. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get count(): number {
    return this.#rows.size;
  }

  has(id: Oid): boolean {
    return this.#rows.has(id);
  }

  /** Resolves when every change up to now is in the list, or an error was published. */
  async upToDate(): Promise<void> {
    this.#wake();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    this.#timer[Symbol.dispose]();
    await this.#running;
  }

  #wake(): void {
    this.#again = true;
    if (this.#isClosed) return;
    this.#running ??= this.#follow().finally(() => {
      this.#running = undefined;
    });
  }

  async #follow(): Promise<void> {
    while (this.#again && !this.#isClosed) {
      this.#again = false;
      try {
        await this.#catchUp();
      } catch (error) {
        directoryFailed.publish({ error });
      }
    }
  }

  async #catchUp(): Promise<void> {
    await using snapshot = await this.#store.snapshot();
    const { horizon, lsn } = snapshot.state;
    // A tombstone that was removed before it was read may have ended a registration.
    if (this.#lsn < horizon) {
      this.#rows.clear();
      this.#links.clear();
      this.#ended.clear();
      this.#lsn = 0;
    }
    const changed: Oid[] = [];
    for await (const change of snapshot.changesSince(this.#lsn)) {
      if (change.kind === 'delete') changed.push(this.#remove(change.oid));
      else if (change.kind === 'refresh')
        changed.push(this.#renew(change.refresh.oid, change.refresh.updatedAt));
      else changed.push(this.#put(change.object.oid, change.object));
    }
    this.#lsn = lsn;
    this.#changed(changed);
  }

  /** Call the listeners after a change of these servers, and again at their next change by time alone. */
  #changed(ids: readonly Oid[]): void {
    if (ids.length === 0 || this.#isClosed) return;
    const now = this.#clock.now() / 1000;
    for (const [id, row] of this.#ended)
      if (now >= endOf(row) + rememberedSeconds || this.#ended.size > maxEnded) this.#forget(id);
      else break;
    for (const id of ids) {
      const row = this.#rows.get(id) ?? this.#ended.get(id);
      const next = row && [lateOf(row), endOf(row), endOf(row) + rememberedSeconds].find((at) => at > now);
      if (next !== undefined) this.#timer.by(next * 1000);
    }
    for (const listener of this.#listeners) listener();
  }

  #forget(id: Oid): void {
    this.#ended.delete(id);
    if (!this.#rows.has(id)) this.#links.delete(id);
  }

  /** A server that signed off is gone; one whose lease ended is remembered for a while. */
  #remove(id: Oid): Oid {
    const row = this.#rows.get(id);
    this.#rows.delete(id);
    if (row !== undefined && !isLeased(row, this.#clock.now() / 1000)) this.#ended.set(id, row);
    else this.#forget(id);
    return id;
  }

  #renew(id: Oid, updatedAt: number): Oid {
    const row = this.#rows.get(id);
    if (row !== undefined) this.#rows.set(id, { ...row, updatedAt });
    return id;
  }

  #put(
    id: Oid,
    object: { readonly body: Uint8Array; readonly publisher: ServerId; readonly updatedAt: number },
  ): Oid {
    try {
      const { publisher: serverId, updatedAt } = object;
      const decoded = decodeObject(object.body);
      const row = { ...readDescription(decoded), id, serverId, updatedAt };
      this.#rows.set(id, row);
      this.#links.set(id, serverLinks(decoded));
      // A server that is back, under its own id or with a new one at the old address.
      for (const [old, { url, type }] of this.#ended)
        if (old === id || (url === row.url && type === row.type)) this.#forget(old);
    } catch (error) {
      // Another Registry may list what this one does not: such a server is left out.
      if (!isGarnerError(error)) throw error;
      this.#rows.delete(id);
      this.#forget(id);
    }
    return id;
  }
}

/** A renewal may be half a Refresh-Rate late: networks and timers are not exact. */
const lateFactor = 1.5;

/** A server whose lease has ended is shown as broken for this long. */
const rememberedSeconds = 3600;
const maxEnded = 1000;

const noLinks: ServerLinks = { collectsFrom: [], parents: [], roots: [] };

/** When a server is late without another renewal, and when its lease ends; seconds since 1970. */
const lateOf = ({ updatedAt, refreshSeconds }: Row) => updatedAt + refreshSeconds * lateFactor;
const endOf = ({ updatedAt, ttlSeconds }: Row) => updatedAt + ttlSeconds;

const isLeased = (row: Row, now: number) => now < endOf(row);

function listed(row: Row, now: number): ListedServer {
  return { ...row, state: now < lateOf(row) ? 'live' : 'late' };
}
