import { isNamed, type NamedServer, type ProofState, siteOf } from '../../publication/index.ts';
import type { ServerId } from '../../soif/index.ts';

/** Max sites that are asked for one server. */
const maxSites = 16;

interface Described {
  readonly serverId: ServerId;
  readonly url: string;
  readonly roots: readonly string[];
}

/** The addresses that a server claims at one site. */
interface Claim {
  /** In normal form. */
  readonly urls: readonly string[];
  /** When the last of them was claimed first; milliseconds since 1970. */
  readonly since: number;
  /** The answer of the site that was judged last. */
  answer: readonly NamedServer[] | undefined;
  isNamed: boolean;
}

/** What one description claims: the server's own address and those that it gathers, its own site first. */
export class Claims {
  readonly serverId: ServerId;
  readonly sites: ReadonlyMap<string, Claim>;
  /** Whether all addresses are at these sites. */
  readonly #isWhole: boolean;
  #key: string | undefined;

  /** `before` is what the description claimed until now. */
  constructor({ serverId, url, roots }: Described, now: number, before: Claims | undefined) {
    const urlsAt = new Map<string, string[]>();
    let isWhole = true;
    for (const address of new Set([url, ...roots])) {
      const site = siteOf(address);
      const urls = urlsAt.get(site ?? '');
      if (urls !== undefined) urls.push(address);
      else if (site !== undefined && urlsAt.size < maxSites) urlsAt.set(site, [address]);
      else isWhole = false;
    }
    this.serverId = serverId;
    this.#isWhole = isWhole;
    if (before !== undefined) this.#key = before.#key;
    this.sites = new Map(
      [...urlsAt].map(([site, urls]) => {
        const old = before?.sites.get(site);
        const known = new Set(old?.urls);
        const since = urls.every((one) => known.has(one)) ? (old?.since ?? now) : now;
        return [site, { urls, since, answer: undefined, isNamed: false }] as const;
      }),
    );
  }

  /** The key of the server, base64url; empty for an unknown one. */
  set key(key: string) {
    if (key !== this.#key) for (const claim of this.sites.values()) claim.answer = undefined;
    this.#key = key;
  }

  /** Proved when every site names the server. An answer is judged once. */
  state(answerOf: (site: string) => readonly NamedServer[] | undefined): ProofState {
    const { serverId: id } = this;
    const key = this.#key;
    let state: ProofState = this.#isWhole ? 'proved' : 'unchecked';
    for (const [site, claim] of this.sites) {
      const answer = answerOf(site);
      if (answer === undefined || key === undefined) {
        state = 'unchecked';
        continue;
      }
      if (answer !== claim.answer) claim.isNamed = isNamed(answer, { id, key }, claim.urls);
      claim.answer = answer;
      if (!claim.isNamed) return 'unproved';
    }
    return state;
  }
}
