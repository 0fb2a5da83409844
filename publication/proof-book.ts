import type { Fetch } from '../fetch/index.ts';
import { isLoopbackHost } from '../fetch/index.ts';
import { type Clock, RecentMap } from '../kernel/index.ts';
import { fetchProof, isNamed, type NamedServer, type ProofState } from './prefix-proof.ts';

export interface ProofBookOptions {
  /** Its addresses are strangers': it refuses private ones, and ends a request after ten seconds. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly maxSites: number;
}

interface Look {
  /** The last answer; undefined where the site has never answered. */
  readonly answer: readonly NamedServer[] | undefined;
  /** When the last request began; milliseconds since 1970. */
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

  /**
   * When looking at a site requests its document again, in milliseconds since 1970. A document that was requested before
   * `since`, the time of a new claim, is too old.
   */
  dueAt(site: string, since = 0): number {
    const look = this.#looks.get(site);
    const freshUntil = look === undefined || look.at < since ? 0 : look.at + freshMs;
    return Math.max(freshUntil, (this.#hosts.get(hostOf(site)) ?? -hostMs) + hostMs);
  }

  /** Whether looking at a site would request its document now. */
  isDue(site: string, since?: number): boolean {
    return this.#options.clock.now() >= this.dueAt(site, since);
  }

  /** Whether the site of an address names this server with this key, as far as is known. */
  stateOf(url: string, server: { readonly id: string; readonly key: string }): ProofState {
    const parsed = URL.parse(url);
    const answer = parsed === null ? undefined : this.answerOf(parsed.origin);
    if (parsed === null || answer === undefined) return 'unchecked';
    return isNamed(answer, server, [parsed.href]) ? 'proved' : 'unproved';
  }

  /** The last answer of a site, the same array until it answers again; undefined for one that has never answered. */
  answerOf(site: string): readonly NamedServer[] | undefined {
    return this.#looks.get(site)?.answer;
  }

  /** Request the document of a site where that is due. Never throws for a site that does not answer. */
  look(
    site: string,
    { since, signal }: { readonly since?: number; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const running = this.#running.get(site);
    if (running !== undefined) return running;
    if (!this.isDue(site, since)) return Promise.resolve();
    const looking = this.#look(site, signal).finally(() => this.#running.delete(site));
    this.#running.set(site, looking);
    return looking;
  }

  async #look(site: string, signal: AbortSignal | undefined): Promise<void> {
    const { fetch, clock } = this.#options;
    const at = clock.now();
    this.#hosts.set(hostOf(site), at);
    const answer = await fetchProof(site, { fetch, signal });
    // A site that is silent for a while has not taken back what it said.
    this.#looks.set(site, { answer: answer ?? this.answerOf(site), at });
  }
}

/** The host that a request burdens: on this machine each port is a server of its own. */
function hostOf(site: string): string {
  const { hostname, host } = new URL(site);
  return isLoopbackHost(hostname) ? host : hostname;
}
