import type { Oid, ServerId } from '../../soif/index.ts';
import type { ServerDescription, ServerFigures, ServerType } from '../descriptions/index.ts';
import type { ServerLinks } from '../topology/index.ts';
import { SortedKeys } from './sorted-keys.ts';

/** A registered server, as the store has it. */
export interface ServerRow extends Omit<ServerDescription, 'attributes'>, ServerFigures {
  readonly id: Oid;
  readonly serverId: ServerId;
  /** The last renewal of its lease; seconds since 1970. */
  readonly updatedAt: number;
  /** A Registry lists it for somebody else, and it has not answered yet. */
  readonly unreached?: true;
  readonly placed: ServerLinks;
}

/** Which servers are wanted; all when a field is absent. */
export interface ServerFilter {
  readonly type?: ServerType;
  readonly state?: 'live' | 'late';
  /** The start of the address. */
  readonly prefix?: string;
  /** Words that are all in its name, address, description, administrator, location, software or topic. */
  readonly text?: string;
}

interface Entry {
  row: ServerRow;
  /** Its texts in lower case. */
  readonly text: string;
  readonly nameKey: string;
  readonly urlKey: string;
}

/** The place of a server in an order. */
type Place = string;

const maxNamePart = 80;
const maxUrlPart = 200;

function entryOf(row: ServerRow): Entry {
  const { id, name, url, description, administrator, location, software, topic } = row;
  return {
    row,
    text: [name, url, description, administrator, location, software, topic].join('\n').toLowerCase(),
    nameKey: [name.slice(0, maxNamePart), url.slice(0, maxUrlPart), id].join('\0'),
    urlKey: `${url}\0${id}`,
  };
}

/** Servers by id, type, server id, address and the start of an address: no look-up reads the other servers. */
export class ServerIndex {
  /** In the order in which the servers registered: a changed description keeps its place. */
  readonly #entries = new Map<Oid, Entry>();
  readonly #byServer = new Map<ServerId, Set<Oid>>();
  /** In the same order. */
  readonly #byType = new Map<ServerType, Set<Oid>>();
  readonly #byName = new SortedKeys();
  readonly #byUrl = new SortedKeys();

  get count(): number {
    return this.#entries.size;
  }

  ids(): readonly Oid[] {
    return [...this.#entries.keys()];
  }

  get(id: Oid): ServerRow | undefined {
    return this.#entries.get(id)?.row;
  }

  put(row: ServerRow): void {
    const before = this.#entries.get(row.id);
    if (before !== undefined) this.#leave(before);
    if (before !== undefined && before.row.type !== row.type)
      this.#byType.get(before.row.type)?.delete(row.id);
    const entry = entryOf(row);
    this.#entries.set(row.id, entry);
    this.#byName.add(entry.nameKey);
    this.#byUrl.add(entry.urlKey);
    const own = this.#byServer.get(row.serverId);
    if (own === undefined) this.#byServer.set(row.serverId, new Set([row.id]));
    else own.add(row.id);
    const alike = this.#byType.get(row.type);
    if (alike === undefined) this.#byType.set(row.type, new Set([row.id]));
    else alike.add(row.id);
  }

  renew(id: Oid, updatedAt: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const { unreached: _, ...row } = entry.row;
    entry.row = { ...row, updatedAt };
  }

  delete(id: Oid): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#leave(entry);
    this.#byType.get(entry.row.type)?.delete(id);
  }

  /** Take an entry out of the orders. */
  #leave(entry: Entry): void {
    this.#byName.delete(entry.nameKey);
    this.#byUrl.delete(entry.urlKey);
    const { id, serverId } = entry.row;
    const own = this.#byServer.get(serverId);
    own?.delete(id);
    if (own?.size === 0) this.#byServer.delete(serverId);
  }

  clear(): void {
    this.#entries.clear();
    this.#byServer.clear();
    this.#byType.clear();
    this.#byName.clear();
    this.#byUrl.clear();
  }

  /** All servers, or those of a type, the longest registered first. */
  byAge(type?: ServerType): readonly ServerRow[] {
    if (type === undefined) return Array.from(this.#entries.values(), ({ row }) => row);
    return [...(this.#byType.get(type) ?? [])].flatMap((id) => this.get(id) ?? []);
  }

  /** The descriptions of one server id. */
  idsOf(server: ServerId): ReadonlySet<Oid> {
    return this.#byServer.get(server) ?? new Set();
  }

  /** The servers with this address. */
  *at(url: string): Iterable<ServerRow> {
    for (const { place, row } of this.#walk(this.#byUrl, `${url}\0`)) {
      if (!place.startsWith(`${url}\0`)) return;
      yield row;
    }
  }

  /**
   * The servers by name, or by address where all must begin with `prefix`. `words` in lower case must all be in a
   * server's texts.
   */
  *walk(
    prefix: string,
    words: readonly string[],
  ): Iterable<{ readonly place: Place; readonly row: ServerRow }> {
    const keys = prefix === '' ? this.#byName : this.#byUrl;
    for (const { place, row, text } of this.#walk(keys, prefix)) {
      if (prefix !== '' && !place.startsWith(prefix)) return;
      if (words.every((word) => text.includes(word))) yield { place, row };
    }
  }

  *#walk(
    keys: SortedKeys,
    from: string,
  ): Iterable<{ readonly place: Place; readonly row: ServerRow; readonly text: string }> {
    for (const place of keys.from(from)) {
      const entry = this.#entries.get(place.slice(place.lastIndexOf('\0') + 1) as Oid);
      if (entry !== undefined) yield { place, row: entry.row, text: entry.text };
    }
  }
}
