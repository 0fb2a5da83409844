import type { LinkState, ServerType } from '../descriptions/index.ts';
import type { ServerLinks } from './server-links.ts';

/** A server as the topology needs it. */
export interface KnownServer extends ServerLinks {
  readonly id: string;
  readonly serverId: string;
  readonly type: ServerType;
  readonly name: string;
  readonly url: string;
  readonly objects: number | undefined;
  /** Broken: its lease has ended. */
  readonly state: LinkState;
  /** The last renewal of its lease; seconds since 1970. */
  readonly updatedAt: number;
  /** A Registry lists it for somebody else, and it has not answered yet; false when absent. */
  readonly unreached?: boolean;
}

/** A box of the picture: a server, a site that is gathered, or a server that others name and that is not listed. */
export interface TopologyNode {
  readonly id: string;
  readonly type: ServerType | 'PROVIDER' | 'UNLISTED';
  readonly name: string;
  readonly url: string;
  /** Null for what does not register. */
  readonly state: LinkState | null;
  readonly objects: number | null;
  /** Seconds since its last renewal; null for what does not register. */
  readonly age: number | null;
  /** It has not answered yet, so it is late. */
  readonly unreached?: true;
}

/** A line of the picture: objects, or responses of a cache, go from one node to the other. */
export interface TopologyEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'gathers' | 'collects' | 'parent';
  readonly state: LinkState;
  /** Seconds since the server at `to` said so. */
  readonly age: number;
}

/** The nodes of one type that are left out, by state. */
export interface LeftOut {
  readonly type: TopologyNode['type'];
  readonly nodes: number;
  readonly broken: number;
}

export interface Topology {
  readonly nodes: readonly TopologyNode[];
  readonly edges: readonly TopologyEdge[];
  readonly more: readonly LeftOut[];
}

/** Max servers, max nodes of other kinds, and max edges of an answer. */
const maxServers = 800;
const maxOthers = 200;
const maxEdges = 4000;
/** Max nodes of other kinds that are counted. */
const maxCounted = 5000;
/** Max lines of descriptions that are followed for one answer. */
const maxLinks = 50_000;

const severity: Readonly<Record<LinkState, number>> = { live: 0, late: 1, broken: 2 };

const worse = (a: LinkState, b: LinkState): LinkState => (severity[a] >= severity[b] ? a : b);

/** Who collects from whom, the servers in trouble first. Times are in seconds. */
export function topologyOf(servers: readonly KnownServer[], now: number): Topology {
  const sorted = servers.toSorted((a, b) => severity[b.state] - severity[a.state]);
  const shown = sorted.slice(0, maxServers);
  const byId = new Map<string, KnownServer>();
  const byPlace = new Map<string, KnownServer>();
  // Where two servers have one address, the healthy one counts.
  for (const server of sorted) {
    byId.set(server.serverId, server);
    byPlace.set(server.place, server);
  }
  const isShown = new Set(shown.map(({ id }) => id));
  const others = new Map<string, { readonly node: TopologyNode; readonly isShown: boolean }>();
  const edges = new Map<string, TopologyEdge>();
  const age = ({ updatedAt }: KnownServer) => Math.max(0, Math.round(now - updatedAt));

  /** The id of a node that does not register; undefined where there is no room for it. */
  const other = (named: Pick<TopologyNode, 'id' | 'type' | 'name' | 'url'>) => {
    const node = { ...named, state: null, objects: null, age: null };
    if (!others.has(node.id) && others.size < maxCounted)
      others.set(node.id, { node, isShown: others.size < maxOthers });
    return others.get(node.id)?.isShown === true ? node.id : undefined;
  };
  const draw = (from: string | undefined, to: KnownServer, kind: TopologyEdge['kind'], state: LinkState) => {
    const key = `${from} ${to.id} ${kind}`;
    if (from === undefined || from === to.id || (edges.size >= maxEdges && !edges.has(key))) return;
    const before = edges.get(key)?.state ?? 'live';
    edges.set(key, { from, to: to.id, kind, state: worse(before, state), age: age(to) });
  };
  let followed = 0;
  const follow = (to: KnownServer, kind: 'collects' | 'parent') => {
    for (const { url, place, serverId, state } of kind === 'collects' ? to.collectsFrom : to.parents) {
      if (followed++ >= maxLinks) return;
      const source = byId.get(serverId ?? '') ?? byPlace.get(place);
      if (source === undefined) {
        const name = place === '' ? (serverId ?? '') : place;
        draw(
          other({ id: `unlisted:${name}`, type: 'UNLISTED', name, url }),
          to,
          kind,
          worse(state, to.state),
        );
        continue;
      }
      if (!isShown.has(source.id)) continue;
      // The word of a server whose lease ended is old, and so is one from before the source's lease ended.
      const stale = source.state === 'broken' && to.updatedAt <= source.updatedAt ? 'broken' : state;
      draw(source.id, to, kind, worse(stale, to.state));
    }
  };
  for (const server of shown) {
    for (const url of server.roots) {
      if (followed++ >= maxLinks) break;
      const site = { id: `site:${url}`, name: url.split('/')[2] ?? 'files', url };
      draw(other({ ...site, type: 'PROVIDER' }), server, 'gathers', server.state);
    }
    follow(server, 'collects');
    follow(server, 'parent');
  }
  const nodes = shown.map(
    (server): TopologyNode => ({
      ...{ id: server.id, type: server.type, name: server.name, url: server.url, state: server.state },
      ...{ objects: server.objects ?? null, age: age(server) },
      ...(server.unreached === true && { unreached: true }),
    }),
  );
  const rest = [...others.values()];
  const byName = (a: TopologyNode, b: TopologyNode) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return {
    nodes: [...nodes, ...rest.flatMap(({ node, isShown }) => (isShown ? [node] : []))].toSorted(byName),
    edges: [...edges.values()],
    more: leftOut([
      ...sorted.slice(maxServers),
      ...rest.flatMap(({ node, isShown }) => (isShown ? [] : [node])),
    ]),
  };
}

function leftOut(nodes: readonly Pick<TopologyNode, 'type' | 'state'>[]): readonly LeftOut[] {
  const counts = new Map<TopologyNode['type'], { nodes: number; broken: number }>();
  for (const { type, state } of nodes) {
    const count = counts.get(type) ?? { nodes: 0, broken: 0 };
    counts.set(type, { nodes: count.nodes + 1, broken: count.broken + (state === 'broken' ? 1 : 0) });
  }
  return [...counts].map(([type, count]) => ({ type, ...count }));
}
