import type { Oid } from '../../soif/index.ts';
import type { ServerLink } from '../descriptions/index.ts';

/** Where a server reads from. */
export interface Places {
  readonly roots: readonly string[];
  readonly collectsFrom: readonly Pick<ServerLink, 'url'>[];
}

/** How a listed server and an address are related, best first. */
export const relations = ['covers', 'collects', 'below', 'same host'] as const;
export type Relation = (typeof relations)[number];

/** One place that a server reads from. */
interface Place {
  readonly kind: 'root' | 'source';
  readonly url: string;
  readonly path: string;
}

export interface Covered {
  readonly id: Oid;
  readonly relation: Relation;
  /** The root or source of that server, as it describes it. */
  readonly place: string;
}

/** The servers that gather or collect from a host, found without a look at the others. */
export class Coverage {
  readonly #byHost = new Map<string, Map<Oid, Place[]>>();
  readonly #hosts = new Map<Oid, readonly string[]>();

  /** Take a description in the place of the one with the same id. */
  put(id: Oid, places: Places): void {
    this.delete(id);
    const hosts = new Set<string>();
    for (const { host, ...place } of placesOf(places)) {
      const servers = this.#byHost.get(host) ?? new Map<Oid, Place[]>();
      this.#byHost.set(host, servers);
      const own = servers.get(id);
      if (own === undefined) servers.set(id, [place]);
      else own.push(place);
      hosts.add(host);
    }
    if (hosts.size > 0) this.#hosts.set(id, [...hosts]);
  }

  delete(id: Oid): void {
    for (const host of this.#hosts.get(id) ?? []) {
      const servers = this.#byHost.get(host);
      servers?.delete(id);
      if (servers?.size === 0) this.#byHost.delete(host);
    }
    this.#hosts.delete(id);
  }

  clear(): void {
    this.#byHost.clear();
    this.#hosts.clear();
  }

  /** Each server with something of the address's host, with its closest place; best first. */
  of(address: string): readonly Covered[] {
    const asked = hostAndPath(address);
    if (asked === undefined) return [];
    const found: Covered[] = [];
    for (const [id, places] of this.#byHost.get(asked.host) ?? []) {
      const best = closest(places, asked.path);
      if (best !== undefined) found.push({ id, ...best });
    }
    return found.sort((a, b) => rankOf(a) - rankOf(b) || b.place.length - a.place.length);
  }
}

type Closest = Omit<Covered, 'id'>;

const rankOf = ({ relation }: Closest) => relations.indexOf(relation);

/** The first of the places that are closest to a path. */
function closest(places: readonly Place[], asked: string): Closest | undefined {
  let best: Closest | undefined;
  for (const place of places) {
    const relation = relationOf(place, asked);
    if (relation === undefined) continue;
    const found = { relation, place: place.url };
    if (best === undefined || rankOf(found) < rankOf(best)) best = found;
    if (relation === 'covers') break;
  }
  return best;
}

function relationOf({ kind, path }: Place, asked: string): Relation | undefined {
  // A source is one server: another path of its host is another server.
  if (kind === 'source') return path === asked ? 'collects' : undefined;
  if (asked.startsWith(path)) return 'covers';
  return path.startsWith(asked) ? 'below' : 'same host';
}

function placesOf({ roots, collectsFrom }: Places): readonly (Place & { readonly host: string })[] {
  return [
    ...roots.map((url) => ({ kind: 'root' as const, url })),
    ...collectsFrom.map(({ url }) => ({ kind: 'source' as const, url })),
  ].flatMap((place) => {
    const at = hostAndPath(place.url);
    return at === undefined ? [] : [{ ...place, ...at }];
  });
}

/** The host with its port, and the folder; the scheme does not matter, for a site has the same pages by both. */
function hostAndPath(address: string): { readonly host: string; readonly path: string } | undefined {
  const url = URL.parse(address);
  if (url === null || url.host === '') return undefined;
  const { host, pathname } = url;
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  // `/docs` is a folder, `/docs/index.html` lies in one.
  const path = last === '' ? pathname : last.includes('.') ? pathname.slice(0, -last.length) : `${pathname}/`;
  return { host, path };
}
