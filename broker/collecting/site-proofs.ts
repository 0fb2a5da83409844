import type { Keyring } from '../../exchange/index.ts';
import { type Clock, RecentMap, TaskQueue } from '../../kernel/index.ts';
import { type ProofBook, type ProofState, siteOf } from '../../publication/index.ts';
import type { ServerId } from '../../soif/index.ts';

export interface SiteProofsOptions {
  readonly keyring: Pick<Keyring, 'keyOf'>;
  readonly book: ProofBook;
  readonly clock: Clock;
}

/** An address, and the Gatherer that signed its object. */
interface SiteClaim {
  readonly url: string;
  readonly publisher: ServerId;
}

/** A site of which objects are kept out. */
interface Site {
  objects: number;
  /** Milliseconds since 1970; minus infinity before the first request. */
  askedAt: number;
}

/** The key of a Gatherer, as it was read last. */
interface Key {
  /** Ed25519 public key, base64url. */
  readonly key: string;
  /** When it was read first; milliseconds since 1970. */
  readonly since: number;
  readonly turn: number;
}

interface LookOptions {
  /** A document that was requested before this time is too old; milliseconds since 1970. */
  readonly since?: number;
  readonly signal?: AbortSignal;
}

/** Sites that are asked for one batch of changes; objects of further ones wait for the next look. */
export const sitesOfBatch = 8;
/** Sites that are asked again in one look. */
const sitesOfLook = 64;
/** A site is asked again after this time, whether or not its answer is in memory still. */
const againMs = 3_600_000;
const maxKeys = 1000;
/** Sites whose last answer is kept in memory. */
export const sitesKept = 4000;

/** What sites say of Gatherers, and the turns in which they are asked. */
export class SiteProofs {
  readonly #options: SiteProofsOptions;
  readonly #keys = new RecentMap<ServerId, Key>(maxKeys);
  /** Keys of an earlier turn are read again. */
  #turn = 0;
  /** The sites to ask next come first. */
  readonly #bySite = new Map<string, Site>();
  /** The time of the last request to a site, if it was answered; milliseconds since 1970. */
  readonly #answered = new RecentMap<string, number>(sitesKept);
  readonly #asking = new Set<string>();
  // Batches of several sources would together ask too many sites at once.
  readonly #looks = new TaskQueue();

  constructor(options: SiteProofsOptions) {
    this.#options = options;
  }

  /** Note that one more object of a site is kept out, or one less. */
  count(name: string, by: 1 | -1): void {
    const site = this.#bySite.get(name) ?? { objects: 0, askedAt: Number.NEGATIVE_INFINITY };
    site.objects += by;
    if (site.objects <= 0) this.#bySite.delete(name);
    else this.#bySite.set(name, site);
  }

  /** Whether a request to a site is under way: a look at it then waits for the answer. */
  isAsking(site: string): boolean {
    return this.#asking.has(site);
  }

  /** A key may have been replaced since it was read. */
  readKeysAgain(): void {
    this.#turn++;
  }

  /** Sites to ask again now; the next look begins with others. */
  due(): readonly string[] {
    const { book, clock } = this.#options;
    const now = clock.now();
    const due = new Map<string, Site>();
    for (const [name, site] of this.#bySite) {
      if (now < site.askedAt + againMs || !book.isDue(name)) continue;
      due.set(name, site);
      if (due.size === sitesOfLook) break;
    }
    for (const [name, site] of due) {
      this.#bySite.delete(name);
      this.#bySite.set(name, site);
    }
    return [...due.keys()];
  }

  /** Between two groups of one look, those of others have their turn. */
  async look(sites: readonly string[], options: LookOptions = {}): Promise<void> {
    if (sites.length === 0) return;
    for (let at = 0; at < sites.length && options.signal?.aborted !== true; at += sitesOfBatch) {
      const group = sites.slice(at, at + sitesOfBatch);
      await this.#looks.run(() => Promise.all(group.map((site) => this.#lookAt(site, options))));
    }
    this.readKeysAgain();
  }

  /** Whether the site of an address names the Gatherer with its present key, as far as is known. */
  async stateOf({ url, publisher }: SiteClaim): Promise<ProofState> {
    const key = await this.#keyOf(publisher);
    return key === undefined ? 'unchecked' : this.#options.book.stateOf(url, { id: publisher, key: key.key });
  }

  /** Whether a site's answer is reason to remove what is held of this Gatherer. */
  async isDenied(claim: SiteClaim): Promise<boolean> {
    if ((await this.stateOf(claim)) !== 'unproved') return false;
    // A site that is silent, or was asked before the Gatherer changed its key, may name it by now.
    const answeredAt = this.#answered.get(siteOf(claim.url) ?? '');
    const key = await this.#keyOf(claim.publisher);
    return answeredAt !== undefined && key !== undefined && answeredAt >= key.since;
  }

  async #lookAt(name: string, options: LookOptions): Promise<void> {
    const { book, clock } = this.#options;
    const isAsked = book.isDue(name, options.since);
    const now = clock.now();
    const site = this.#bySite.get(name);
    if (site !== undefined && isAsked) site.askedAt = now;
    const before = book.answerOf(name);
    this.#asking.add(name);
    try {
      await book.look(name, options);
    } catch (error) {
      if (options.signal?.aborted !== true) throw error;
    } finally {
      this.#asking.delete(name);
    }
    if (!isAsked) return;
    if (book.answerOf(name) === before) this.#answered.delete(name);
    else this.#answered.set(name, now);
  }

  async #keyOf(publisher: ServerId): Promise<Key | undefined> {
    const { keyring, clock } = this.#options;
    const known = this.#keys.get(publisher);
    const turn = this.#turn;
    if (known?.turn === turn) return known;
    const bytes = await keyring.keyOf(publisher);
    if (bytes === undefined) return undefined;
    const key = Buffer.from(bytes).toString('base64url');
    const read = { key, since: known?.key === key ? known.since : clock.now(), turn };
    this.#keys.set(publisher, read);
    return read;
  }
}
