import { createHash } from 'node:crypto';
import type { Lsn } from '../../awareness/index.ts';
import { type Oid, oidOf, type ServerId } from '../../soif/index.ts';
import { type Database, type LoggedChange, type ObjectStore, type Write, within } from '../../store/index.ts';

export interface DuplicateWatchOptions {
  readonly store: ObjectStore;
  /** Keeps what is known; other things may be in it. */
  readonly database: Database;
  /** Told what went wrong while the store was followed; its next change tries again. */
  readonly onFault: (error: unknown) => void;
  /** URLs that are listed at the most; when half of them are gone, those that were passed over are looked for. */
  readonly maxUrls?: number;
}

/** How far the log was followed, and how many URLs were found until then. */
interface Progress {
  readonly epoch: string;
  readonly lsn: Lsn;
  readonly urls: number;
  /** URLs that several Gatherers have were passed over, since as many were listed as may be. */
  readonly skipped: boolean;
}

/** Gatherers of one host that its URLs are looked for under. */
const maxPublishers = 64;

/** Hosts whose Gatherers are in memory; of others they are read. */
const hostsInMemory = 4096;

const usuallyMostUrls = 100_000;

/** Changes between two writes of how far the log was followed. */
const changesAtOnce = 512;

const md5 = (text: string) => createHash('md5').update(text).digest();
const keys = {
  progress: Buffer.from('p'),
  publisher: (host: string, id: ServerId) =>
    Buffer.concat([Buffer.from('h'), md5(host), Buffer.from(id, 'base64url')]),
  publishersOf: (host: string) => {
    const prefix = Buffer.concat([Buffer.from('h'), md5(host)]);
    return { gte: prefix, lt: Buffer.concat([prefix, Buffer.alloc(17, 0xff)]), limit: maxPublishers };
  },
  url: (url: string) => Buffer.concat([Buffer.from('u'), md5(url)]),
  urls: { gte: Buffer.from('u'), lt: Buffer.from('v') },
};

/** Where a key of a publisher has its id: behind the letter and the host's hash. */
const idAt = 17;

const hostOf = (url: string) => URL.parse(url)?.host ?? '';

/**
 * Knows which URLs several Gatherers have summarised, as after one was set up anew under another id. It follows the
 * store's log: a changed URL is looked for under the other Gatherers of its host, since ids of objects are made of both.
 * What it knows is on disk: per host its Gatherers, and the URLs found.
 */
export class DuplicateWatch implements AsyncDisposable {
  readonly #store: ObjectStore;
  readonly #rows: Database;
  readonly #publishers = new Map<string, readonly ServerId[]>();
  readonly #onFault: (error: unknown) => void;
  readonly #abort = new AbortController();
  readonly #stop: () => void;
  readonly #maxUrls: number;
  #progress: Progress;
  /** What the last run ended with, when it was cut off. */
  #fault: { readonly error: unknown } | undefined;
  #running: Promise<void> | undefined;
  #again = false;

  private constructor(
    { store, database, onFault, maxUrls = usuallyMostUrls }: DuplicateWatchOptions,
    progress: Progress,
  ) {
    this.#maxUrls = maxUrls;
    this.#store = store;
    this.#onFault = onFault;
    this.#rows = within(database, 'duplicates');
    this.#progress = progress;
    this.#stop = store.onChange(() => this.#wake());
  }

  /** Follow a store from where it was followed to; another life of it, or one that has forgotten deletions, anew. */
  static async open(options: DuplicateWatchOptions): Promise<DuplicateWatch> {
    const { store, database } = options;
    const { epoch, horizon, lsn } = await store.state();
    const anew: Progress = { epoch, lsn: 0, urls: 0, skipped: false };
    const row = await within(database, 'duplicates').get(keys.progress);
    const known = row === undefined ? anew : (JSON.parse(Buffer.from(row).toString()) as Progress);
    // Without a row there may be others, left by a clearing that was cut off.
    const goesOn = row !== undefined && known.epoch === epoch && known.lsn >= horizon && known.lsn <= lsn;
    const watch = new DuplicateWatch(options, goesOn ? known : anew);
    if (!goesOn) await watch.#clear();
    watch.#wake();
    return watch;
  }

  /** URLs that several Gatherers have summarised, as far as the log was followed. */
  get count(): number {
    return this.#progress.urls;
  }

  /** Whether URLs that several Gatherers have are not among those found, since there are too many. */
  get isCut(): boolean {
    return this.#progress.skipped;
  }

  /** Resolves when everything up to now was looked at; throws what kept it from that. */
  async upToDate(signal?: AbortSignal): Promise<void> {
    const { lsn } = this.#store;
    while (this.#progress.lsn < lsn && !this.#abort.signal.aborted) {
      signal?.throwIfAborted();
      this.#wake();
      await this.#running;
      if (this.#fault !== undefined) throw this.#fault.error;
    }
  }

  /** The URLs that were found; one of them may have ceased to be one since. */
  async *urls(): AsyncIterable<string> {
    for await (const [, value] of this.#rows.entries(keys.urls)) yield Buffer.from(value).toString();
  }

  /** The objects of a URL by the Gatherers of its host. */
  async objectsOf(url: string): Promise<readonly { readonly oid: Oid; readonly publisher: ServerId }[]> {
    const publishers = await this.#publishersOf(hostOf(url));
    const named = publishers.map((publisher) => ({ publisher, oid: oidOf(publisher, url) }));
    const here = await Promise.all(named.map(({ oid }) => this.#store.describe(oid)));
    return named.filter((_, at) => here[at] !== undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    this.#stop();
    await this.#running;
  }

  #wake(): void {
    this.#again = true;
    if (this.#abort.signal.aborted) return;
    this.#running ??= this.#follow().finally(() => {
      this.#running = undefined;
    });
  }

  async #follow(): Promise<void> {
    while (this.#again && !this.#abort.signal.aborted) {
      this.#again = false;
      this.#fault = undefined;
      try {
        await this.#catchUp();
      } catch (error) {
        // The next change tries again.
        this.#fault = { error };
        if (!this.#abort.signal.aborted) this.#onFault(error);
      }
    }
  }

  async #catchUp(): Promise<void> {
    await using snapshot = await this.#store.snapshot();
    let changes: LoggedChange[] = [];
    for await (const rows of snapshot.log(this.#progress.lsn)) {
      if (this.#abort.signal.aborted) return;
      changes.push(...rows);
      if (changes.length < changesAtOnce) continue;
      await this.#look(changes, (changes.at(-1) as LoggedChange).lsn);
      changes = [];
    }
    // The log may end before the store's LSN, where tombstones were forgotten.
    await this.#look(changes, snapshot.state.lsn);
    const { skipped, urls } = this.#progress;
    if (!skipped || urls > this.#maxUrls / 2) return;
    // Once more from the beginning: what is listed stays so, what was passed over has room now.
    await this.#write([], { ...this.#progress, lsn: 0, skipped: false });
    this.#again = true;
  }

  async #look(changes: readonly LoggedChange[], lsn: Lsn): Promise<void> {
    const writes: Write[] = [];
    const urls = new Set<string>();
    for (const { row, meta } of changes) {
      const url = meta?.url ?? (row.kind === 'delete' ? row.url : undefined);
      if (url === undefined || url === '') continue;
      if (meta !== undefined) await this.#meet(hostOf(url), meta.publisher);
      if ((await this.#publishersOf(hostOf(url))).length > 1) urls.add(url);
    }
    let { urls: count, skipped } = this.#progress;
    for (const url of urls) {
      const key = keys.url(url);
      const [isListed, objects] = await Promise.all([this.#rows.get(key), this.objectsOf(url)]);
      const isDuplicate = objects.length > 1;
      if (isDuplicate === (isListed !== undefined)) continue;
      if (isDuplicate && count >= this.#maxUrls) {
        skipped = true;
        continue;
      }
      count += isDuplicate ? 1 : -1;
      writes.push(isDuplicate ? { type: 'put', key, value: Buffer.from(url) } : { type: 'del', key });
    }
    await this.#write(writes, { ...this.#progress, lsn, urls: count, skipped });
  }

  async #write(writes: Write[], progress: Progress): Promise<void> {
    writes.push({ type: 'put', key: keys.progress, value: Buffer.from(JSON.stringify(progress)) });
    await this.#rows.batch(writes);
    this.#progress = progress;
  }

  async #publishersOf(host: string): Promise<readonly ServerId[]> {
    const known = this.#publishers.get(host);
    if (known !== undefined) return known;
    const found: ServerId[] = [];
    for await (const key of this.#rows.keys(keys.publishersOf(host)))
      found.push(Buffer.from(key.subarray(idAt)).toString('base64url') as ServerId);
    // Whoever met another Gatherer of the host meanwhile knows more than was read.
    const newer = this.#publishers.get(host);
    if (newer !== undefined) return newer;
    if (this.#publishers.size >= hostsInMemory) this.#publishers.clear();
    this.#publishers.set(host, found);
    return found;
  }

  /** Note that a Gatherer has objects of a host. */
  async #meet(host: string, publisher: ServerId): Promise<void> {
    const known = await this.#publishersOf(host);
    if (known.includes(publisher) || known.length >= maxPublishers) return;
    await this.#rows.batch([{ type: 'put', key: keys.publisher(host, publisher), value: new Uint8Array() }]);
    this.#publishers.set(host, [...known, publisher]);
  }

  async #clear(): Promise<void> {
    let writes: Write[] = [];
    for await (const key of this.#rows.keys()) {
      writes.push({ type: 'del', key });
      if (writes.length < changesAtOnce) continue;
      await this.#rows.batch(writes);
      writes = [];
    }
    await this.#rows.batch(writes);
  }
}
