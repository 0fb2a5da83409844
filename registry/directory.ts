import type { Lsn, PublishedObject } from '../awareness/index.ts';
import { type Clock, isGarnerError } from '../kernel/index.ts';
import type { ProofState } from '../publication/index.ts';
import { decodeObject, type Oid, type ServerId } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { type Covered, Neighbours } from './coverage/index.ts';
import {
  type DescribedAttribute,
  figuresOf,
  isUnreached,
  readDescription,
  type ServerType,
} from './descriptions/index.ts';
import { directoryFailed } from './events.ts';
import {
  endOf,
  isLeased,
  LeaseTimer,
  ListFingerprint,
  lateOf,
  type ServerFilter,
  ServerIndex,
  type ServerRow,
  stateAt,
} from './servers/index.ts';
import { type KnownServer, serverLinks } from './topology/index.ts';

/** A server in the directory. */
export interface ListedServer extends Omit<ServerRow, 'placed'> {
  /** Late: no renewal came in the time of its Refresh-Rate, or it has not been reached yet. */
  readonly state: 'live' | 'late';
  /** Whether the sites of its addresses name it; absent where nobody looked. */
  readonly proof?: ProofState;
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

/** Some of the servers that a filter wants. */
export interface ServerPage {
  readonly servers: readonly ListedServer[];
  /** The number of servers of all pages. */
  readonly total: number;
  /** Where the next page begins; undefined for the last one. */
  readonly next: string | undefined;
}

/** Gets the ids of the descriptions that came, changed or went; a renewal is none of that. */
type DirectoryListener = (described: ReadonlySet<Oid>) => void;

type FollowedStore = Pick<ObjectStore, 'onChange' | 'snapshot' | 'lsn' | 'get'>;

/** The servers of a Registry's store, in memory: it follows the store's log. */
export class Directory implements AsyncDisposable {
  readonly #store: FollowedStore;
  readonly #clock: Clock;
  readonly #rows = new ServerIndex();
  readonly #neighbours = new Neighbours();
  readonly #fingerprint = new ListFingerprint();
  /** Rows that the store has removed because their lease had ended, the oldest first. */
  readonly #broken = new Map<Oid, ServerRow>();
  readonly #listeners = new Set<DirectoryListener>();
  readonly #timer: LeaseTimer;
  readonly #stop: () => void;
  #lsn: Lsn = 0;
  #ended = 0;
  #running: Promise<void> | undefined;
  #again = false;
  #isClosed = false;
  /** Whether the sites of a server name it; set by the part that asks them. */
  proofOf: (row: Pick<ServerRow, 'id'>) => ProofState | undefined = () => undefined;

  private constructor(store: FollowedStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#stop = store.onChange(() => this.#wake());
    this.#timer = new LeaseTimer(clock, () => this.#changed(this.#rows.ids(), new Set()));
  }

  /** Read every server of the store, and follow it from then on. */
  static async open(store: FollowedStore, clock: Clock): Promise<Directory> {
    const directory = new Directory(store, clock);
    await directory.upToDate();
    return directory;
  }

  /** The servers whose lease has not ended, by name, without what their sites say. */
  list(): readonly Omit<ListedServer, 'proof'>[] {
    const { now } = this;
    return [...this.#rows.walk('', [])].flatMap(({ row }) => (isLeased(row, now) ? [shown(row, now)] : []));
  }

  /** Those of a type, the longest registered first. */
  ofType(type: ServerType): readonly ServerRow[] {
    const { now } = this;
    return this.#rows.byAge(type).filter((row) => isLeased(row, now));
  }

  /** A page of servers whose lease has not ended, by name, or by address where `prefix` is given. */
  page(
    { type, state, prefix = '', text = '' }: ServerFilter,
    { limit, after = '' }: { readonly limit: number; readonly after?: string },
  ): ServerPage {
    const { now } = this;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const servers: ListedServer[] = [];
    let total = 0;
    let next: string | undefined;
    let end = '';
    for (const { place, row } of this.#rows.walk(prefix, words)) {
      if ((type !== undefined && row.type !== type) || !isLeased(row, now)) continue;
      if (state !== undefined && stateAt(row, now) !== state) continue;
      total++;
      if (place <= after) continue;
      if (servers.length < limit) {
        servers.push(this.#listed(row, now));
        end = place;
      } else next = end;
    }
    return { servers, total, next };
  }

  /** The Brokers that registered themselves, the longest registered first. */
  brokers(): readonly ServerRow[] {
    return this.ofType('BROKER').filter(({ unsigned }) => unsigned !== true);
  }

  /** The content summary of a Broker at an address; empty for none. */
  summaryAt(url: string): string {
    const { now } = this;
    for (const row of this.#rows.at(url))
      if (row.type === 'BROKER' && isLeased(row, now)) return row.contentSummary;
    return '';
  }

  /** A server by its id, its server id or its address; undefined when it is not listed. */
  find(name: string): ListedServer | undefined {
    const { now } = this;
    for (const row of this.#named(name)) if (isLeased(row, now)) return this.#listed(row, now);
    return undefined;
  }

  /** Every listed server with its links, and those whose lease ended a short time ago. */
  known(): readonly KnownServer[] {
    const { now } = this;
    return [...this.#broken.values(), ...this.#rows.byAge()]
      .filter((row) => now < endOf(row) + rememberedSeconds)
      .map((row) => ({
        ...{ id: row.id, serverId: row.serverId, type: row.type, name: row.name, url: row.url },
        ...{ objects: row.objects, updatedAt: row.updatedAt, unreached: row.unreached === true },
        state: isLeased(row, now) ? stateAt(row, now) : 'broken',
        ...row.placed,
      }));
  }

  /** Call back after each change of the list, also when a server turns late or its lease ends. Returns its end. */
  onChange(listener: DirectoryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Every attribute of a listed server as it signed them, which only its store has. */
  async attributesOf({ id }: Pick<ListedServer, 'id'>): Promise<readonly DescribedAttribute[]> {
    const stored = await this.#store.get(id);
    if (stored === undefined) return [];
    return decodeObject(stored.body).attributes.map(({ name, value }) => [
      name,
      Buffer.from(value).toString(),
    ]);
  }

  /**
   * Up to `limit` leased servers: those that gather or collect from the host of an address, the closest first, then those
   * with much of the contents of the server at that address.
   */
  gathered(address: string, limit: number): readonly GatheredBy[] {
    const near = this.#leased(this.#neighbours.near(address), limit);
    const at = this.find(URL.parse(address.replace(/^ws/, 'http'))?.href ?? address);
    const alike = at === undefined ? [] : this.alike(at.id, limit - near.length);
    return [...near, ...alike.map((other) => ({ relation: 'alike' as const, place: address, ...other }))];
  }

  /** Up to `limit` other leased servers whose contents are for half or more those of a server; the closest first. */
  alike(id: Oid, limit: number): readonly Alike[] {
    return limit > 0 ? this.#leased(this.#neighbours.alike(id), limit) : [];
  }

  /** The first leased ones of what was found, with their servers. */
  #leased<Found extends { readonly id: Oid }>(
    found: readonly Found[],
    limit: number,
  ): readonly (Omit<Found, 'id'> & { readonly server: ListedServer })[] {
    const { now } = this;
    return found
      .flatMap(({ id, ...how }) => {
        const row = this.#rows.get(id);
        return row !== undefined && isLeased(row, now) ? [{ how, row }] : [];
      })
      .slice(0, limit)
      .map(({ how, row }) => ({ ...how, server: this.#listed(row, now) }));
  }

  #listed(row: ServerRow, now: number): ListedServer {
    const proof = this.proofOf(row);
    return { ...shown(row, now), ...(proof !== undefined && { proof }) };
  }

  /** Seconds since 1970, of the clock by which leases end. */
  get now(): number {
    return this.#clock.now() / 1000;
  }

  /** Number of descriptions, with those whose lease has ended and that are not removed yet. */
  get count(): number {
    return this.#rows.count;
  }

  /** Equal in all Registries that have the same descriptions. */
  get fingerprint(): Uint8Array {
    return this.#fingerprint.digest();
  }

  /** Number of descriptions that were removed, as far as the log had them. */
  get ended(): number {
    return this.#ended;
  }

  has(id: Oid): boolean {
    return this.row(id) !== undefined;
  }

  /** A description, also one whose lease has ended and that is not removed yet. */
  row(id: Oid): ServerRow | undefined {
    return this.#rows.get(id);
  }

  /** All descriptions, the longest registered first. */
  ids(): readonly Oid[] {
    return this.#rows.ids();
  }

  /** Number of descriptions of one server id. */
  countOf(server: ServerId): number {
    return this.#rows.idsOf(server).size;
  }

  /** The same without those of servers that have no key, which a Registry lists under its own id. */
  countSigned(server: ServerId): number {
    return this.idsOf(server).filter((id) => this.#rows.get(id)?.unsigned !== true).length;
  }

  /** The descriptions of one server id. */
  idsOf(server: ServerId): readonly Oid[] {
    return [...this.#rows.idsOf(server)];
  }

  /** The server ids under which an address is registered. */
  *publishersOf(url: string): Iterable<ServerId> {
    for (const { serverId } of this.#rows.at(url)) yield serverId;
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
    const [changed, described] = [new Set<Oid>(), new Set<Oid>()];
    // A tombstone that was removed before it was read may have ended a registration.
    if (this.#lsn < horizon) {
      for (const id of this.#rows.ids()) described.add(id);
      this.#rows.clear();
      this.#fingerprint.clear();
      this.#broken.clear();
      this.#neighbours.clear();
      this.#lsn = 0;
    }
    for await (const change of snapshot.changesSince(this.#lsn)) {
      if (change.kind === 'refresh') {
        changed.add(change.refresh.oid);
        this.#rows.renew(change.refresh.oid, change.refresh.updatedAt);
      } else if (change.kind === 'delete') {
        described.add(change.oid);
        this.#ended++;
        this.#remove(change.oid);
      } else {
        described.add(change.object.oid);
        this.#put(change.object.oid, change.object);
      }
    }
    this.#lsn = lsn;
    this.#changed([...changed, ...described], described);
  }

  /** Call the listeners after a change of these servers, and again at their next change by time alone. */
  #changed(ids: readonly Oid[], described: ReadonlySet<Oid>): void {
    if (ids.length === 0 || this.#isClosed) return;
    const { now } = this;
    for (const [id, row] of this.#broken)
      if (now >= endOf(row) + rememberedSeconds || this.#broken.size > maxBroken) this.#broken.delete(id);
      else break;
    for (const id of ids) {
      const row = this.#rows.get(id) ?? this.#broken.get(id);
      const next = row && [lateOf(row), endOf(row), endOf(row) + rememberedSeconds].find((at) => at > now);
      if (next !== undefined) this.#timer.by(next * 1000);
    }
    for (const listener of this.#listeners) listener(described);
  }

  /** A server that signed off is gone; one whose lease ended is remembered for a while. */
  #remove(id: Oid): void {
    const row = this.#rows.get(id);
    this.#rows.delete(id);
    this.#neighbours.delete(id);
    this.#fingerprint.delete(id);
    if (row !== undefined && !isLeased(row, this.now)) this.#broken.set(id, row);
    else this.#broken.delete(id);
  }

  *#named(name: string): Iterable<ServerRow> {
    const row = this.#rows.get(name as Oid);
    if (row !== undefined) yield row;
    for (const id of this.#rows.idsOf(name as ServerId)) yield this.#rows.get(id) as ServerRow;
    yield* this.#rows.at(name);
    // A person leaves out the slash at the end of a host.
    yield* this.#rows.at(URL.parse(name)?.href ?? name);
  }

  #put(id: Oid, object: Pick<PublishedObject, 'body' | 'digest' | 'publisher' | 'updatedAt'>): void {
    try {
      const { publisher: serverId, updatedAt } = object;
      const content = decodeObject(object.body);
      const { attributes = [], ...described } = readDescription(content);
      const figures = figuresOf(attributes);
      const placed = serverLinks({ ...figures, url: described.url });
      const unreached = isUnreached(content, updatedAt) && ({ unreached: true } as const);
      const row = { ...described, ...figures, ...unreached, id, serverId, updatedAt, placed };
      this.#rows.put(row);
      this.#neighbours.put(row);
      this.#fingerprint.put(id, object.digest);
      // A server that is back, under its own id or with a new one at the old address.
      for (const [old, { url, type }] of this.#broken)
        if (old === id || (url === row.url && type === row.type)) this.#broken.delete(old);
    } catch (error) {
      // Another Registry may list what this one does not: such a server is left out.
      if (!isGarnerError(error)) throw error;
      this.#remove(id);
    }
  }
}

/** A server whose lease has ended is shown as broken for this long. */
const rememberedSeconds = 3600;
const maxBroken = 1000;

function shown(row: ServerRow, now: number): Omit<ListedServer, 'proof'> {
  const { placed: _, ...known } = row;
  return { ...known, state: stateAt(row, now) };
}
