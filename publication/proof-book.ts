import type { Fetch } from '../fetch/index.ts';
import { isLoopbackHost } from '../fetch/index.ts';
import { type Clock, RecentMap } from '../kernel/index.ts';
import { covers, fetchProof, type NamedServer, type ProofState, siteOf } from './prefix-proof.ts';

export interface ProofBookOptions {
  /** Its addresses are strangers': it refuses private ones, and ends a request after ten seconds. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly maxSites: number;
}

interface Look {
  /** Undefined where the site did not answer. */
  readonly servers: readonly NamedServer[] | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A site is asked again after this time. */
const freshMs = 3_600_000;
/** Between two requests to one host, whatever its ports. */
const hostMs = 60_000;
const maxHosts = 10_000;

/** What sites say of servers, asked for seldom and kept in memory. */
export class ProofBook {
  readonly #options: ProofBookOptions;
  readonly #looks: RecentMap<string, Look>;
  readonly #hosts = new RecentMap<string, number>(maxHosts);
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: ProofBookOptions) {
    this.#options = options;
    this.#looks = new RecentMap(options.maxSites);
  }

  /** Whether looking at a site would request its document now; `isNew`: somebody asks who has not asked before. */
  isDue(site: string, isNew = false): boolean {
    const now = this.#options.clock.now();
    const look = this.#looks.get(site);
    if (!isNew && look !== undefined && now < look.at + freshMs) return false;
    const asked = this.#hosts.get(hostOf(site));
    return asked === undefined || now >= asked + hostMs;
  }

  /** Whether the site of an address names this server with this key, as far as is known. */
  stateOf(url: string, server: { readonly id: string; readonly key: string | undefined }): ProofState {
    const site = siteOf(url);
    const servers = site === undefined ? undefined : this.#looks.get(site)?.servers;
    if (servers === undefined) return 'unchecked';
    const isNamed = servers.some(
      ({ id, key, prefix }) => id === server.id && key === server.key && covers(prefix, url),
    );
    return isNamed ? 'proved' : 'unproved';
  }

  /** The ids that a site names. */
  namedBy(site: string): readonly NamedServer[] {
    return this.#looks.get(site)?.servers ?? [];
  }

  /** Request the document of a site where that is due. Never throws for a site that does not answer. */
  look(
    site: string,
    { isNew = false, signal }: { readonly isNew?: boolean; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const running = this.#running.get(site);
    if (running !== undefined) return running;
    if (!this.isDue(site, isNew)) return Promise.resolve();
    const looking = this.#look(site, signal).finally(() => this.#running.delete(site));
    this.#running.set(site, looking);
    return looking;
  }

  async #look(site: string, signal: AbortSignal | undefined): Promise<void> {
    const { fetch, clock } = this.#options;
    this.#hosts.set(hostOf(site), clock.now());
    const servers = await fetchProof(site, { fetch, signal });
    this.#looks.set(site, { servers, at: clock.now() });
  }
}

/** The host that a request burdens: on this machine each port is a server of its own. */
function hostOf(site: string): string {
  const { hostname, host } = new URL(site);
  return isLoopbackHost(hostname) ? host : hostname;
}
