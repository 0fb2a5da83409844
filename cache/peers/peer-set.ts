import type { Peer } from './peer.ts';

/** The max number of peers: each miss may query all of them. */
export const maxPeers = 256;

export class PeerSet {
  readonly #byPlace = new Map<string, Peer>();
  #byAddress = new Map<string, readonly Peer[]>();

  /** False when there is already one at this host and port or of this name, or when there are too many. */
  add(peer: Peer): boolean {
    const place = placeOf(peer.config.host, peer.config.port);
    const named = this.all().some(({ name }) => name === peer.name);
    if (this.#byPlace.has(place) || named || this.#byPlace.size >= maxPeers) return false;
    this.#byPlace.set(place, peer);
    this.addressesChanged();
    return true;
  }

  remove(peer: Peer): void {
    this.#byPlace.delete(placeOf(peer.config.host, peer.config.port));
    this.addressesChanged();
  }

  all(): readonly Peer[] {
    return [...this.#byPlace.values()];
  }

  /** The peer that accepts requests at this host and port. */
  at(host: string, port: number): Peer | undefined {
    return this.#byPlace.get(placeOf(host, port));
  }

  /** The peers with this address; several may share a machine. */
  withAddress(address: string): readonly Peer[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** To be called after a look-up of a peer's addresses. */
  addressesChanged(): void {
    this.#byAddress = new Map();
    for (const peer of this.all())
      for (const address of peer.addresses)
        this.#byAddress.set(address, [...(this.#byAddress.get(address) ?? []), peer]);
  }

  /** The usable peers for a host: `bound` have it in their domains; `free`, those without domains. */
  forHost(host: string): { readonly bound: readonly Peer[]; readonly free: readonly Peer[] } {
    const up = this.all().filter(({ down }) => !down);
    const bound = up.filter(({ role, config }) => role === 'parent' && isBound(host, config.domains));
    const free = up.filter(({ role, config }) => role === 'sibling' || !(config.domains ?? []).length);
    return { bound, free };
  }
}

const placeOf = (host: string, port: number) => `${host.toLowerCase()} ${port}`;

/** Whether a host is in one of the domains, `example.org` or `.example.org`, and in none after `!`. */
function isBound(host: string, domains: readonly string[] = []): boolean {
  const takenOut = domains.some((domain) => domain.startsWith('!') && isIn(host, domain.slice(1)));
  return !takenOut && domains.some((domain) => !domain.startsWith('!') && isIn(host, domain));
}

export function isIn(host: string, domain: string): boolean {
  const bare = domain.toLowerCase().replace(/^\.|\.$/g, '');
  const lower = host.toLowerCase().replace(/\.$/, '');
  return bare !== '' && (lower === bare || lower.endsWith(`.${bare}`));
}
