import type { Peer } from './peer.ts';

/** Nobody works with more: each miss may ask them all. */
export const maxPeers = 256;

/** The peers there are, found by what is known of them. */
export class PeerSet {
  readonly #byPlace = new Map<string, Peer>();
  #byAddress = new Map<string, readonly Peer[]>();

  /** False when there is one at this host and port already, or no more can be taken. */
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

  /** The one that takes requests at this host and port. */
  at(host: string, port: number): Peer | undefined {
    return this.#byPlace.get(placeOf(host, port));
  }

  /** Those that have this address; several may share a machine. */
  withAddress(address: string): readonly Peer[] {
    return this.#byAddress.get(address) ?? [];
  }

  /** To be called when addresses of a peer were looked up. */
  addressesChanged(): void {
    this.#byAddress = new Map();
    for (const peer of this.all())
      for (const address of peer.addresses)
        this.#byAddress.set(address, [...(this.#byAddress.get(address) ?? []), peer]);
  }

  /**
   * Those that may be used for a host: parents bound to domains only for those. `bound` are the parents that have
   * this host in their domains.
   */
  forHost(host: string): { readonly bound: readonly Peer[]; readonly free: readonly Peer[] } {
    const up = this.all().filter(({ down }) => !down);
    const bound = up.filter(({ role, config }) => role === 'parent' && isBound(host, config.domains));
    const free = up.filter(({ role, config }) => role === 'sibling' || !(config.domains ?? []).length);
    return { bound, free };
  }
}

const placeOf = (host: string, port: number) => `${host.toLowerCase()} ${port}`;

/** Whether a host is in some of the domains: `example.org` and `.example.org` both mean it and all below; `!` takes out. */
function isBound(host: string, domains: readonly string[] = []): boolean {
  const takenOut = domains.some((domain) => domain.startsWith('!') && isIn(host, domain.slice(1)));
  return !takenOut && domains.some((domain) => !domain.startsWith('!') && isIn(host, domain));
}

/** Whether a host is a domain or below it. */
export function isIn(host: string, domain: string): boolean {
  const bare = domain.toLowerCase().replace(/^\.|\.$/g, '');
  const lower = host.toLowerCase().replace(/\.$/, '');
  return bare !== '' && (lower === bare || lower.endsWith(`.${bare}`));
}
