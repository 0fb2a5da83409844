import type { Lsn } from '../awareness/index.ts';
import { type Clock, isGarnerError } from '../kernel/index.ts';
import { attributeText, decodeObject, type Oid, type ServerId } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { equalShare, fingerprintAttribute } from './content-fingerprint.ts';
import { Coverage, type Covered } from './coverage.ts';
import type { ServerType } from './description.ts';
import { readDescription, type ServerDescription } from './description.ts';
import { directoryFailed } from './events.ts';

/** A server in the directory. */
export interface ListedServer extends ServerDescription {
  readonly id: Oid;
  readonly serverId: ServerId;
  /** The last renewal of its lease; seconds since 1970. */
  readonly updatedAt: number;
  /** Late: no renewal came in the time of its Refresh-Rate. */
  readonly state: 'live' | 'late';
}

/** A server that reads from an address already. */
export interface GatheredBy extends Omit<Covered, 'id' | 'relation'> {
  readonly relation: Covered['relation'] | 'alike';
  /** For `alike`: the estimated share of equal contents, 0 to 1. */
  readonly share?: number;
  readonly server: ListedServer;
}

/** A server with much of the same contents. */
export interface Alike {
  /** The estimated share of equal contents in all contents of both, 0 to 1. */
  readonly share: number;
  readonly server: ListedServer;
}

const minShare = 0.5;

type Row = Omit<ListedServer, 'state'>;

type FollowedStore = Pick<ObjectStore, 'onChange' | 'snapshot' | 'lsn'>;

/** The servers of a Registry's store, in memory: it follows the store's log. */
export class Directory implements AsyncDisposable {
  readonly #store: FollowedStore;
  readonly #clock: Clock;
  readonly #rows = new Map<Oid, Row>();
  readonly #coverage = new Coverage();
  readonly #fingerprints = new Map<Oid, string>();
  readonly #stop: () => void;
  #lsn: Lsn = 0;
  #running: Promise<void> | undefined;
  #again = false;
  #isClosed = false;

  private constructor(store: FollowedStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#stop = store.onChange(() => this.#wake());
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

  /**
   * The leased servers that gather or collect from the host of an address, the closest first, and those with much of the
   * contents of the server at that address.
   */
  gathered(address: string): readonly GatheredBy[] {
    const now = this.#clock.now() / 1000;
    const near = this.#coverage.of(address).flatMap(({ id, ...how }) => {
      const row = this.#rows.get(id);
      return row !== undefined && isLeased(row, now) ? [{ ...how, server: listed(row, now) }] : [];
    });
    const at = this.find(URL.parse(address.replace(/^ws/, 'http'))?.href ?? address);
    const alike = at === undefined ? [] : this.alike(at.id);
    return [
      ...near,
      ...alike.map(({ share, server }) => ({ relation: 'alike' as const, place: address, share, server })),
    ];
  }

  /** The other leased servers whose contents are for half or more those of a server; the closest first. */
  alike(id: Oid): readonly Alike[] {
    const own = this.#fingerprints.get(id);
    const now = this.#clock.now() / 1000;
    if (own === undefined) return [];
    const found: Alike[] = [];
    for (const [other, fingerprint] of this.#fingerprints) {
      const row = this.#rows.get(other);
      if (other === id || row === undefined || !isLeased(row, now)) continue;
      const share = equalShare(own, fingerprint);
      if (share >= minShare) found.push({ share, server: listed(row, now) });
    }
    return found.sort((a, b) => b.share - a.share);
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
      this.#coverage.clear();
      this.#fingerprints.clear();
      this.#lsn = 0;
    }
    for await (const change of snapshot.changesSince(this.#lsn)) {
      if (change.kind === 'delete') this.#remove(change.oid);
      else if (change.kind === 'refresh') this.#renew(change.refresh.oid, change.refresh.updatedAt);
      else this.#put(change.object.oid, change.object);
    }
    this.#lsn = lsn;
  }

  #renew(id: Oid, updatedAt: number): void {
    const row = this.#rows.get(id);
    if (row !== undefined) this.#rows.set(id, { ...row, updatedAt });
  }

  #put(
    id: Oid,
    object: { readonly body: Uint8Array; readonly publisher: ServerId; readonly updatedAt: number },
  ): void {
    try {
      const { publisher: serverId, updatedAt } = object;
      const description = decodeObject(object.body);
      this.#rows.set(id, { ...readDescription(description), id, serverId, updatedAt });
      this.#coverage.put(id, description);
      const fingerprint = attributeText(description, fingerprintAttribute);
      if (fingerprint === undefined) this.#fingerprints.delete(id);
      else this.#fingerprints.set(id, fingerprint);
    } catch (error) {
      // Another Registry may list what this one does not: such a server is left out.
      if (!isGarnerError(error)) throw error;
      this.#remove(id);
    }
  }

  #remove(id: Oid): void {
    this.#rows.delete(id);
    this.#coverage.delete(id);
    this.#fingerprints.delete(id);
  }
}

/** A renewal may be half a Refresh-Rate late: networks and timers are not exact. */
const lateFactor = 1.5;

const isLeased = ({ updatedAt, ttlSeconds }: Row, now: number) => now < updatedAt + ttlSeconds;

function listed(row: Row, now: number): ListedServer {
  return { ...row, state: now < row.updatedAt + row.refreshSeconds * lateFactor ? 'live' : 'late' };
}
