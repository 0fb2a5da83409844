import type { Keyring } from '../../exchange/index.ts';
import type { Fetch } from '../../fetch/index.ts';
import { type Clock, Nap, RecentMap } from '../../kernel/index.ts';
import { ProofBook, type ProofState, siteOf } from '../../publication/index.ts';
import type { ServerId } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { Directory, ListedServer } from '../directory.ts';
import { directoryFailed } from '../events.ts';

export interface AddressProofsOptions {
  readonly directory: Pick<Directory, 'list' | 'upToDate'>;
  readonly store: Pick<ObjectStore, 'onChange'>;
  readonly keyring: Pick<Keyring, 'keyOf'>;
  /** Strangers named the addresses, so this client refuses private ones; it ends a request after ten seconds. */
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** A server that claims its own address and those that it gathers. */
type Claimant = Pick<ListedServer, 'url' | 'serverId' | 'unsigned'> & { readonly roots?: readonly string[] };

const maxSites = 50_000;
/** Sites that wait at a time; further ones come in the next pass. */
const maxWaiting = 1000;
const lanes = 8;
/** Max sites that are asked for one server. */
const maxSitesOfServer = 16;
/** Between two passes: registrations of this time are looked at together. */
const gapMs = 1000;
const lookMs = 60_000;

/** Asks the sites of the registered servers whether they name them. A registration never waits for that. */
export class AddressProofs implements AsyncDisposable {
  readonly #options: AddressProofsOptions;
  readonly #book: ProofBook;
  /** Claims whose sites have been asked since they were made. */
  readonly #seen = new RecentMap<string, true>(maxSites);
  /** Keys of the servers that some site names, base64url. */
  readonly #keys = new RecentMap<ServerId, string>(maxSites);
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;

  constructor(options: AddressProofsOptions) {
    this.#options = options;
    this.#book = new ProofBook({ fetch: options.fetch, clock: options.clock, maxSites });
    this.#done = this.#keep();
  }

  /** Proved when every site of a server names it; undefined for one that signed nothing. */
  stateOf(server: Claimant): ProofState | undefined {
    if (server.unsigned === true) return undefined;
    const { serverId: id } = server;
    const states = claimsOf(server).map((url) => this.#book.stateOf(url, { id, key: this.#keys.get(id) }));
    if (states.includes('unproved')) return 'unproved';
    return states.includes('unchecked') || sitesOf(server).length > maxSitesOfServer ? 'unchecked' : 'proved';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#done;
  }

  async #keep(): Promise<void> {
    const { store, clock } = this.#options;
    const { signal } = this.#abort;
    const nap = new Nap(clock, signal);
    let isChanged = true;
    const stop = store.onChange(() => {
      isChanged = true;
      nap.wake();
    });
    while (!signal.aborted) {
      isChanged = false;
      await this.#pass().catch((error) => {
        if (!signal.aborted) directoryFailed.publish({ error });
      });
      await clock.sleep(gapMs, signal).catch(() => undefined);
      if (!isChanged) await nap.sleep(lookMs);
    }
    stop();
  }

  /** Ask the sites that are due: for each server one, so that none with many sites delays the others. */
  async #pass(): Promise<void> {
    const { directory } = this.#options;
    const { signal } = this.#abort;
    await directory.upToDate();
    const servers = directory.list().filter(({ unsigned }) => unsigned !== true);
    const waiting = new Map<string, boolean>();
    for (const server of servers) {
      if (waiting.size >= maxWaiting) break;
      const site = sitesOf(server)
        .slice(0, maxSitesOfServer)
        .find((one) => !waiting.has(one) && this.#book.isDue(one, this.#isNew(server, one)));
      if (site !== undefined) waiting.set(site, this.#isNew(server, site));
    }
    const queue = [...waiting];
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let next = queue.shift(); next !== undefined && !signal.aborted; next = queue.shift())
          await this.#book.look(next[0], { isNew: next[1], signal });
      }),
    );
    for (const server of servers) await this.#note(server, waiting);
  }

  /** Whether a server has claimed an address of this site since the site was asked. */
  #isNew(server: Claimant, site: string): boolean {
    return claimsOf(server).some(
      (url) => siteOf(url) === site && this.#seen.get(claim(server, url)) === undefined,
    );
  }

  /** Remember what was asked for a server, and the key of one that a site names. */
  async #note(server: Claimant, asked: ReadonlyMap<string, boolean>): Promise<void> {
    const { serverId } = server;
    let isNamed = false;
    for (const url of claimsOf(server)) {
      const site = siteOf(url);
      if (site === undefined) continue;
      if (asked.has(site)) this.#seen.set(claim(server, url), true);
      const isUnknown = asked.has(site) || this.#keys.get(serverId) === undefined;
      isNamed ||= isUnknown && this.#book.namedBy(site).some(({ id }) => id === serverId);
    }
    const key = isNamed ? await this.#options.keyring.keyOf(serverId) : undefined;
    if (key !== undefined) this.#keys.set(serverId, Buffer.from(key).toString('base64url'));
  }
}

const claimsOf = ({ url, roots = [] }: Claimant): readonly string[] => [url, ...roots];

/** The sites of a server's claims, its own first. */
const sitesOf = (server: Claimant): readonly string[] => [
  ...new Set(claimsOf(server).flatMap((url) => siteOf(url) ?? [])),
];

const claim = ({ serverId }: Claimant, url: string) => `${serverId} ${url}`;
