import { type Fetch, type RobotsPolicy, withoutUser } from '../../../fetch/index.ts';
import { failure } from '../../../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Remembered } from '../enumerator.ts';
import { enumerationErrors } from '../errors.ts';
import type { ScopeRun } from '../scope-rule.ts';
import { type Reading, readCandidate } from '../web/candidate-reader.ts';
import { crawlDelayMs } from '../web/crawl-limits.ts';
import { FetchWindow } from '../web/fetch-window.ts';
import { isSilence, robotsRefusal } from '../web/site-failure.ts';
import { maxUrlLength, normaliseUrl } from '../web/site-scope.ts';
import { UrlSet } from '../web/url-set.ts';

/** A URL to read, not to expand. */
export interface Leaf {
  readonly url: string;
  readonly depth: number;
  /** The page or list that named it. */
  readonly from?: string;
  /** Last modification according to that page or list, seconds since 1970. */
  readonly modified?: number;
  /** Identifies the present content, according to that list: an equal stamp means unchanged, without a request. */
  readonly stamp?: string;
  /** The stamp only identifies the list: the URL is requested in any case. */
  readonly undated?: boolean;
}

export interface LeafReaderOptions {
  /** Fetches URLs of every scheme of the leaves. */
  readonly fetch: Fetch;
  readonly memory: EnumerationMemory;
  /** Consulted for http(s) URLs; when absent, robots.txt is ignored. */
  readonly robots?: RobotsPolicy;
  readonly maxBytes: number;
  readonly concurrency: number;
  /** Min milliseconds between two requests to one host. */
  readonly delayMs?: number;
  readonly scope?: ScopeRun;
  readonly signal?: AbortSignal | undefined;
}

interface Task extends Leaf {
  readonly via: readonly string[];
}

interface Visit {
  readonly reading: Reading | 'stamped';
  readonly recalled: Remembered | undefined;
}

const maxRedirects = 10;
/** After this many URLs in a row without an answer, a host counts as down. */
const maxSilence = 20;
const readAheadBytes = 64 * 1024 * 1024;

/** One spelling for a URL of any scheme; undefined for none. */
export function leafUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const target = new URL(url);
  if (target.username || target.password) return undefined;
  const normal = normaliseUrl(url);
  if (normal !== undefined) return normal;
  target.hash = '';
  return target.href;
}

/** Reads single URLs, known ones conditionally, and yields an item for each, in the order given. */
export class LeafReader {
  readonly #options: LeafReaderOptions;
  readonly #met = new UrlSet();
  readonly #signal: AbortSignal;
  /** Number of URLs in a row without an answer, by host. */
  readonly #silent = new Map<string, number>();

  constructor(options: LeafReaderOptions) {
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
  }

  /** Whether a URL was yielded. */
  met(url: string): boolean {
    return this.#met.has(leafUrl(url) ?? url);
  }

  /** Yield an item for every leaf, each URL once, redirects within the scope; items pass unchanged. */
  async *read(
    leaves: AsyncIterable<Leaf | Enumerated> | Iterable<Leaf | Enumerated>,
  ): AsyncGenerator<Enumerated> {
    const window = new FetchWindow<Task, Visit>({
      read: (task) => this.#visit(task),
      sizeOf: ({ reading }) =>
        reading !== 'stamped' && reading.kind === 'body' ? reading.document.bytes.length : 0,
      concurrency: this.#options.concurrency,
      maxBytes: readAheadBytes,
    });
    try {
      for await (const leaf of leaves) {
        if ('kind' in leaf) {
          yield leaf;
          continue;
        }
        yield* this.#begin(window, { ...leaf, via: [] });
        while (!window.open) yield* this.#next(window);
      }
      while (!window.empty) yield* this.#next(window);
    } finally {
      await window.settled();
    }
  }

  async *#begin(window: FetchWindow<Task, Visit>, task: Task): AsyncGenerator<Enumerated> {
    this.#signal.throwIfAborted();
    const url = leafUrl(task.url);
    const met = metAs(task);
    if (url === undefined || url.length > maxUrlLength) {
      const rule =
        url === undefined
          ? 'only absolute URLs without password'
          : `no URL longer than ${maxUrlLength} characters`;
      yield { ...met, url: withoutUser(task.url).slice(0, maxUrlLength), kind: 'skipped', rule };
      return;
    }
    if (!this.#met.add(url)) return;
    const refusal = await this.#options.scope?.admit(url, task.depth);
    if (refusal) yield { ...met, url, kind: 'skipped', ...refusal };
    else window.begin({ ...task, url });
  }

  async *#next(window: FetchWindow<Task, Visit>): AsyncGenerator<Enumerated> {
    const next = await window.next();
    if (!next) return;
    const { task, outcome } = next;
    const item = this.#item(task, outcome);
    yield item;
    if (item.kind === 'redirected') {
      const via = [...task.via, task.url];
      // Date and stamp apply to the target document.
      yield* this.#begin(window, { ...task, url: item.to, from: task.from ?? task.url, via });
    }
  }

  async #visit({ url, stamp, undated = false }: Task): Promise<Visit> {
    const { fetch, memory, robots, maxBytes, delayMs = 0 } = this.#options;
    const signal = this.#signal;
    const recalled = await memory.recall(url);
    if (stamp !== undefined && !undated && recalled?.stamp === stamp) return { recalled, reading: 'stamped' };
    const verdict = /^https?:/.test(url) ? await robots?.allowed(url, signal) : undefined;
    const refusal = robotsRefusal(url, verdict);
    if (refusal !== undefined) return { recalled, reading: refusal };
    const { host } = new URL(url);
    const failures = this.#silent.get(host) ?? 0;
    if (failures >= maxSilence) {
      const error = failure(enumerationErrors.GATHERER_SITE_SILENT, { url: host, failures });
      return { recalled, reading: { kind: 'failed', error } };
    }
    const minDelayMs = Math.max(crawlDelayMs(verdict) ?? 0, delayMs);
    const reading = await readCandidate(url, { fetch, maxBytes, known: recalled, minDelayMs, signal });
    if (isSilence(reading)) this.#silent.set(host, failures + 1);
    else this.#silent.delete(host);
    return { recalled, reading };
  }

  #item(task: Task, { reading, recalled }: Visit): Enumerated {
    const met = metAs(task);
    const stamp = task.stamp === undefined ? {} : { stamp: task.stamp };
    if (reading === 'stamped') return { ...met, kind: 'unchanged', remember: recalled ?? stamp };
    switch (reading.kind) {
      case 'body': {
        const { document, validators } = reading;
        const remember = { ...validators, ...stamp, md5: document.md5 };
        if (recalled?.md5 === document.md5)
          return { ...met, kind: 'unchanged', remember, readBytes: document.bytes.length };
        const { lastModified = task.modified } = document;
        const dated = lastModified === undefined ? document : { ...document, lastModified };
        return { ...met, kind: 'document', document: dated, remember };
      }
      case 'same':
        return { ...met, kind: 'unchanged', remember: { ...recalled, ...reading.validators, ...stamp } };
      case 'moved':
        return this.#redirect(task, leafUrl(reading.to) ?? reading.to, reading.status);
      case 'gone':
        return { ...met, kind: 'gone', reason: reading.reason };
      case 'refused':
        return { ...met, kind: 'skipped', rule: reading.rule };
      case 'failed':
        return { ...met, kind: 'failed', error: reading.error };
    }
  }

  #redirect(task: Task, to: string, status: number): Enumerated {
    const trail = [...task.via, task.url];
    if (!trail.includes(to) && trail.length <= maxRedirects)
      return { ...metAs(task), kind: 'redirected', to, status };
    const why = trail.includes(to) ? 'its redirects go in a circle' : `more than ${maxRedirects} redirects`;
    const error = failure(enumerationErrors.GATHERER_REDIRECTS, { url: task.url, why });
    return { ...metAs(task), kind: 'failed', error };
  }
}

function metAs({ url, depth, from }: Leaf) {
  return { url, depth, ...(from !== undefined && { discoveredFrom: from }) };
}
