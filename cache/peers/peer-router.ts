import type { Clock } from '../../kernel/index.ts';
import type { PeerRouter, Route, RouteResult } from '../requests/index.ts';
import { Fields } from '../rules/index.ts';
import { CarpArray } from './carp.ts';
import type { Peer } from './peer.ts';
import type { PeerRounds } from './peer-rounds.ts';
import { isIn, type PeerSet } from './peer-set.ts';
import { rendezvousOrder } from './rendezvous.ts';

export interface RoutingRules {
  /** Origins cannot be reached from here: every request goes through a parent. */
  readonly neverDirect: boolean;
  /** Without queries: the origin first, parents when it fails. */
  readonly preferDirect: boolean;
  /** Hosts and domains that are nearer than any peer. */
  readonly localDomains: readonly string[];
  /** Texts of URLs, such as `cgi-bin`, that no cache stores: peers are not queried for them. */
  readonly stoplist: readonly string[];
}

type Request = Parameters<PeerRouter['routes']>[0];

/** The number of parents to try after the first one failed. */
const spareParents = 2;
const origin: Route = { to: 'origin' };
const onlyParent = 'only-parent';

/**
 * Chooses the routes of a miss, in this order: a parent bound to the URL's domain; a peer whose digest has
 * it; the first peer that answers with a hit; the parent that first answered with a miss; the parent that a
 * hash of the URL chooses; a parent without queries; the origin. Later routes are for the failure of earlier
 * ones. A parent whose answer cannot change the choice, since no other peer would be queried, gets the
 * request without a query, as long as it is known to be alive.
 */
export class HierarchyRouter implements PeerRouter {
  readonly #set: PeerSet;
  readonly #rounds: PeerRounds;
  readonly #rules: RoutingRules;
  readonly #failed: (peer: Peer) => void;
  readonly #clock: Clock;
  #array: { readonly members: readonly Peer[]; readonly array: CarpArray<Peer> } = {
    members: [],
    array: new CarpArray<Peer>([]),
  };

  /** `failed` is called for each failed request to a peer; it may probe the peer until it recovers. */
  constructor(
    set: PeerSet,
    rounds: PeerRounds,
    rules: RoutingRules,
    { failed, clock }: { readonly failed: (peer: Peer) => void; readonly clock: Clock },
  ) {
    this.#set = set;
    this.#rounds = rounds;
    this.#rules = rules;
    this.#failed = failed;
    this.#clock = clock;
  }

  async routes(request: Request): Promise<readonly Route[]> {
    const { neverDirect, preferDirect, localDomains } = this.#rules;
    if (request.isApart === true && !neverDirect) return [origin];
    const host = hostOf(request.url);
    if (localDomains.some((domain) => isIn(host, domain))) return [origin];
    const { bound, free } = this.#set.forHost(host);
    if (bound.length > 0) return this.#through(bound.map((peer) => routeTo(peer, 'domain')));
    const plain = this.#hierarchical(request);
    if (!neverDirect && (preferDirect || !plain)) return plain ? [origin, ...this.#spare(free)] : [origin];
    const first = plain ? await this.#find(request, free) : undefined;
    if (first !== undefined) {
      const parents = first === origin ? [] : this.#unasked(request.url, free);
      return this.#through([first, ...parents, ...this.#spare(free)]);
    }
    const unasked = this.#unasked(request.url, free);
    if (unasked.length > 0 || !neverDirect) return this.#through(unasked);
    return this.#through(this.#spare(free));
  }

  watch(
    route: Route,
    { url, fields }: Pick<Request, 'url' | 'fields'>,
    giveUp: () => void,
  ): (() => void) | undefined {
    if (route.to === 'origin' || route.because !== onlyParent) return undefined;
    const peer = this.#set.at(route.host, route.port);
    return peer && this.#rounds.watch(peer, url, fields, giveUp);
  }

  outcome(route: Route, result: RouteResult): void {
    if (route.to === 'origin') return;
    const peer = this.#set.at(route.host, route.port);
    peer?.fetched(result, this.#clock.now());
    if (peer && result === 'failed') this.#failed(peer);
  }

  /** Whether another cache may have it at all (RFC 2187 6). */
  #hierarchical({ method, url, fields, isApart, hasContent }: Request): boolean {
    // Content that a peer without the object has read is lost.
    if (isApart === true || hasContent === true) return false;
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (this.#rules.stoplist.some((text) => url.includes(text))) return false;
    return !new Fields(fields).has('authorization');
  }

  /** The route by digests and queries; undefined when they give none. */
  async #find(request: Request, free: readonly Peer[]): Promise<Route | undefined> {
    const { url, fields } = request;
    const renew = wantsRenewal(new Fields(fields));
    const usable = renew ? free.filter(({ role }) => role === 'parent') : free;
    if (!renew) {
      const having = usable.filter(({ digest }) => digest?.has(url)).sort(nearer)[0];
      if (having) return routeTo(having, 'digest-hit');
    }
    const nowMs = this.#clock.now();
    const queried = usable.filter(
      (peer) => peer.config.hash === undefined && peer.digest === undefined && peer.askable(nowMs),
    );
    if (queried.length === 0) return undefined;
    const only = queried.length === 1 ? queried[0] : undefined;
    // Its answer would change nothing: it gets the request in either case.
    if (only?.role === 'parent' && !this.#isLame(only) && this.#rounds.isSure(only))
      return routeTo(only, onlyParent);
    const { peer, because } = await this.#rounds.resolve(queried, url, fields, request.signal);
    if (peer) return routeTo(peer, because === 'icp-hit' && peer.config.htcpPort ? 'htcp-hit' : because);
    return because === 'origin-first' && !this.#rules.neverDirect ? origin : undefined;
  }

  /** Parents that are used without a query. */
  #unasked(url: string, free: readonly Peer[]): readonly Route[] {
    const parents = free.filter(({ role }) => role === 'parent');
    // A parent that is down keeps its place, so that others keep their URLs.
    const array = this.#set.all().filter(({ config }) => config.hash === 'carp');
    const carp = array.length === 0 ? [] : this.#arrayOf(array).order(url);
    const hashed = parents.filter(({ config }) => config.hash === 'rendezvous');
    const others = parents.filter(
      ({ config, digest, speaks }) => config.hash === undefined && (!speaks || digest !== undefined),
    );
    return [
      ...carp.filter((peer) => parents.includes(peer)).map((peer) => routeTo(peer, 'carp')),
      ...rendezvousOrder(url, hashed).map((peer) => routeTo(peer, 'hash')),
      ...others.map((peer) => routeTo(peer, 'default')),
    ];
  }

  /** The weights of an array are computed once for the same members. */
  #arrayOf(members: readonly Peer[]): CarpArray<Peer> {
    const { members: before, array } = this.#array;
    if (before.length === members.length && members.every((peer, at) => peer === before[at])) return array;
    this.#array = { members, array: new CarpArray(members) };
    return this.#array.array;
  }

  /** Other living parents, the nearest first; those that are down only when nothing else is left. */
  #spare(free: readonly Peer[]): readonly Route[] {
    const parents = free.filter(({ role }) => role === 'parent');
    const last = this.#set.all().filter(({ role, config }) => role === 'parent' && !config.domains?.length);
    const any = parents.length > 0 || !this.#rules.neverDirect ? parents : last;
    return [...any]
      .sort(nearer)
      .slice(0, spareParents)
      .map((peer) => routeTo(peer, 'next-parent'));
  }

  /** Each peer once, up to the max number of tries, with the origin at the end when it may be used. */
  #through(routes: readonly Route[]): readonly Route[] {
    const seen = new Set<string>();
    const tried = routes.filter((route) => {
      const key = route.to === 'origin' ? '' : `${route.host} ${route.port}`;
      return seen.has(key) ? false : seen.add(key);
    });
    const max = tried.slice(0, 1 + spareParents);
    if (!this.#rules.neverDirect && !max.includes(origin)) max.push(origin);
    const late = max.filter((route) => this.#comesLate(route));
    return late.length === 0 ? max : [...max.filter((route) => !late.includes(route)), ...late];
  }

  #isLame(peer: Peer): boolean {
    return peer.isLame(this.#clock.now());
  }

  /** A lame parent is used for its hits, and when there is no better one. */
  #comesLate(route: Route): boolean {
    if (route.to !== 'parent' || route.because.endsWith('-hit')) return false;
    const peer = this.#set.at(route.host, route.port);
    return peer !== undefined && this.#isLame(peer);
  }
}

function routeTo(peer: Peer, because: string): Route {
  const { host, port } = peer.config;
  return { to: peer.role, host, port, because };
}

const nearer = (a: Peer, b: Peer) => (a.rttMs ?? 1_000_000) - (b.rttMs ?? 1_000_000);

/** A client that reloads must not get a sibling's copy. */
function wantsRenewal(fields: Fields): boolean {
  const control = fields.get('cache-control');
  if (control === undefined) return /(^|[\s,])no-cache\b/i.test(fields.get('pragma') ?? '');
  return /(^|[\s,])(no-cache|no-store|max-age=0)(?![\w-])/i.test(control);
}

/** The host of a normalised URL, without port and brackets. */
function hostOf(url: string): string {
  const authority = /^[a-z]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  return authority.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
}
