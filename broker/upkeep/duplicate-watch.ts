import { createHash } from 'node:crypto';
import type { Lsn } from '../../awareness/index.ts';
import { type Oid, oidOf, type ServerId } from '../../soif/index.ts';
import { type Database, type LoggedChange, type ObjectStore, type Write, within } from '../../store/index.ts';

/** A store whose log is followed. */
type FollowedStore = Pick<ObjectStore, 'describe' | 'lsn' | 'onChange' | 'snapshot' | 'state'>;

export interface DuplicateWatchOptions {
  readonly store: FollowedStore;
  /** Stores the known duplicates. It may hold other data too. */
  readonly database: Database;
  /** Receives errors of following the store. The next change tries again. */
  readonly onFault: (error: unknown) => void;
  /** Max URLs listed. When half of them are resolved, skipped ones are searched for again. */
  readonly maxUrls?: number;
}

/** How far the log was followed, and the number of URLs found until then. */
interface Progress {
  readonly epoch: string;
  readonly lsn: Lsn;
  readonly urls: number;
  /** Whether duplicate URLs were skipped, because the list was full. */
  readonly skipped: boolean;
}

/** Max Gatherers of one host under which its URLs are looked up. */
const maxPublishers = 64;

/** Max hosts whose Gatherers are in memory. Those of other hosts are read. */
const hostsInMemory = 4096;

const usualMaxUrls = 100_000;

/** Changes between two writes of the progress. */
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

/** Offset of the id in a publisher's key: after the letter and the host's hash. */
const idAt = 17;

const hostOf = (url: string) => URL.parse(url)?.host ?? '';

/**
 * Finds URLs that several Gatherers have summarised, for example after one was set up again under another id.
 * It follows the store's log: a changed URL is looked up under the other Gatherers of its host, because an
 * object's id is made of both. Its state is on disk: the Gatherers of each host, and the URLs found.
 */
export class DuplicateWatch implements AsyncDisposable {
  readonly #store: FollowedStore;
  readonly #rows: Database;
  readonly #publishers = new Map<string, readonly ServerId[]>();
  readonly #onFault: (error: unknown) => void;
  readonly #abort = new AbortController();
  readonly #stop: () => void;
  readonly #maxUrls: number;
  #progress: Progress;
  /** The error that ended the last run early. */
  #fault: { readonly error: unknown } | undefined;
  #running: Promise<void> | undefined;
  #again = false;

  private constructor(
    { store, database, onFault, maxUrls = usualMaxUrls }: DuplicateWatchOptions,
    progress: Progress,
  ) {
    this.#maxUrls = maxUrls;
    this.#store = store;
    this.#onFault = onFault;
    this.#rows = within(database, 'duplicates');
    this.#progress = progress;
    this.#stop = store.onChange(() => this.#wake());
  }

  /** Resume following a store; start over for another epoch, or after it dropped tombstones. */
  static async open(options: DuplicateWatchOptions): Promise<DuplicateWatch> {
    const { store, database } = options;
    const { epoch, horizon, lsn } = await store.state();
    const fresh: Progress = { epoch, lsn: 0, urls: 0, skipped: false };
    const row = await within(database, 'duplicates').get(keys.progress);
    const known = row === undefined ? fresh : (JSON.parse(Buffer.from(row).toString()) as Progress);
    // Without a row there may be leftovers of a clearing that was cut short.
    const goesOn = row !== undefined && known.epoch === epoch && known.lsn >= horizon && known.lsn <= lsn;
    const watch = new DuplicateWatch(options, goesOn ? known : fresh);
    if (!goesOn) await watch.#clear();
    watch.#wake();
    return watch;
  }

  /** Number of URLs that several Gatherers have summarised, as far as the log was followed. */
  get count(): number {
    return this.#progress.urls;
  }

  /** Whether some duplicate URLs are missing from the list, because there are too many. */
  get isCut(): boolean {
    return this.#progress.skipped;
  }

  /** Resolves when everything up to now was checked. Throws the error that prevented it. */
  async upToDate(signal?: AbortSignal): Promise<void> {
    const { lsn } = this.#store;
    while (this.#progress.lsn < lsn && !this.#abort.signal.aborted) {
      signal?.throwIfAborted();
      this.#wake();
      await this.#running;
      if (this.#fault !== undefined) throw this.#fault.error;
    }
  }

  /** The URLs found. Some may have changed since. */
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
    const { epoch, horizon } = snapshot.state;
    // A tombstone that was removed before it was read may have ended a duplicate.
    const { lsn, urls: listed } = this.#progress;
    if (lsn > 0 && lsn < horizon && listed > 0) {
      await this.#clear();
      this.#progress = { epoch, lsn: 0, urls: 0, skipped: false };
    }
    let changes: LoggedChange[] = [];
    for await (const rows of snapshot.log(this.#progress.lsn)) {
      if (this.#abort.signal.aborted) return;
      changes.push(...rows);
      if (changes.length < changesAtOnce) continue;
      await this.#look(changes, (changes.at(-1) as LoggedChange).lsn);
      changes = [];
    }
    // The log may end before the store's LSN, where tombstones were removed.
    await this.#look(changes, snapshot.state.lsn);
    const { skipped, urls } = this.#progress;
    if (!skipped || urls > this.#maxUrls / 2) return;
    // Start over: listed URLs stay listed, and skipped ones have room now.
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
    // Another Gatherer of the host found meanwhile makes the memory newer than the read.
    const newer = this.#publishers.get(host);
    if (newer !== undefined) return newer;
    if (this.#publishers.size >= hostsInMemory) this.#publishers.clear();
    this.#publishers.set(host, found);
    return found;
  }

  /** Record that a Gatherer has objects of a host. */
  async #meet(host: string, publisher: ServerId): Promise<void> {
    const known = await this.#publishersOf(host);
    if (known.includes(publisher) || known.length >= maxPublishers) return;
    await this.#rows.batch([{ type: 'put', key: keys.publisher(host, publisher), value: new Uint8Array() }]);
    this.#publishers.set(host, [...known, publisher]);
  }

  async #clear(): Promise<void> {
    this.#publishers.clear();
    let writes: Write[] = [];
    for await (const key of this.#rows.keys()) {
      writes.push({ type: 'del', key });
      if (writes.length < changesAtOnce) continue;
      await this.#rows.batch(writes);
      writes = [];
    }
    await this.#rows.batch(writes);
    // A read in flight may have filled it again.
    this.#publishers.clear();
  }
}
