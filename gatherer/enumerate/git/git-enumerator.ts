import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { ftpName, ftpSegment } from '../../../fetch/index.ts';
import { type Clock, failure, systemClock } from '../../../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import { rootErrors } from '../root-errors.ts';
import type { ScopeRule, ScopeRun } from '../scope-rule.ts';
import { abridged, unread } from '../web/large-documents.ts';
import { GitRepository, type TreeEntry } from './git-repository.ts';

export interface GitEnumeratorOptions {
  /** A work tree or a bare repository on this machine. */
  readonly path: string;
  /** A branch, tag or commit; HEAD when absent. */
  readonly revision?: string;
  /** Prefix of the files' URLs, such as https://example.org/repository/blob/main/. */
  readonly baseUrl?: string;
  /** Whether names that begin with a dot are gathered. */
  readonly hidden?: boolean;
  readonly rule?: ScopeRule;
  /** Max size of a file that is read; 64 MiB when absent. */
  readonly maxBytes?: number;
  readonly clock?: Clock;
}

interface Wanted {
  readonly entry: TreeEntry;
  readonly size: number;
  readonly url: string;
}

/** Files of one pass over the history and one `cat-file`. */
const batchFiles = 5000;

/** Enumerates the files of one git revision, dated by their last commits; an unchanged blob is not read. */
export class GitEnumerator implements Enumerator {
  readonly #options: GitEnumeratorOptions;
  readonly #path: string;
  readonly #base: string;
  readonly #maxBytes: number;

  constructor(options: GitEnumeratorOptions) {
    this.#options = options;
    this.#path = resolve(options.path);
    const base = options.baseUrl ?? `git+file://${this.#path.split('/').map(encodeURIComponent).join('/')}/`;
    this.#base = base.endsWith('/') ? base : `${base}/`;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const { revision = 'HEAD', rule, clock = systemClock } = this.#options;
    const repository = new GitRepository({ path: this.#path, clock, signal });
    const commit = await repository.commit(revision);
    const scope = rule?.begin();
    let batch: Wanted[] = [];
    for await (const entry of repository.tree(commit)) {
      signal?.throwIfAborted();
      const url = `${this.#base}${entry.path.split('/').map(ftpSegment).join('/')}`;
      const item = await this.#look(url, entry, memory, scope);
      if (item !== undefined) yield item;
      else batch.push({ entry, url, size: entry.size ?? 0 });
      if (batch.length < batchFiles) continue;
      yield* this.#read(repository, commit, batch, memory);
      batch = [];
    }
    yield* this.#read(repository, commit, batch, memory);
  }

  covers(url: string): boolean {
    return url.startsWith(this.#base);
  }

  async decide(url: string): Promise<ScopeVerdict> {
    const { revision = 'HEAD', rule, hidden = false } = this.#options;
    if (!url.startsWith(this.#base)) return { url, included: false, rule: `it is not below ${this.#base}` };
    if (!hidden && isHidden(url.slice(this.#base.length))) return { url, included: false, rule: hiddenRule };
    const verdict = rule?.pathVerdict(url);
    if (verdict && !verdict.included) return verdict;
    return { url, included: true, rule: `a file of ${this.#path} at ${revision}, if it exists` };
  }

  /** The item of a file that needs no reading; undefined when the file must be read. */
  async #look(
    url: string,
    { path, mode, oid, size }: TreeEntry,
    memory: EnumerationMemory,
    scope: ScopeRun | undefined,
  ): Promise<Enumerated | undefined> {
    const depth = path.split('/').length;
    const met = { url, depth };
    if (mode === '160000') return { ...met, kind: 'skipped', rule: 'submodule' };
    if (mode === '120000') return { ...met, kind: 'skipped', rule: 'symbolic link' };
    if (size === undefined) return { ...met, kind: 'skipped', rule: 'not a regular file' };
    if (this.#options.hidden !== true && isHidden(path)) return { ...met, kind: 'skipped', rule: hiddenRule };
    const refusal = scope && (await scope.admit(url, depth));
    if (refusal) return { ...met, kind: 'skipped', ...refusal };
    const known = await memory.recall(url);
    if (known?.stamp === oid) return { ...met, kind: 'unchanged', remember: known };
    if (size <= this.#maxBytes) return undefined;
    const document = abridged(url, ftpName(basename(path)), unread(size));
    return { ...met, kind: 'document', document, remember: { md5: document.md5, stamp: oid } };
  }

  async *#read(
    repository: GitRepository,
    commit: string,
    batch: readonly Wanted[],
    memory: EnumerationMemory,
  ): AsyncGenerator<Enumerated> {
    if (batch.length === 0) return;
    const times = await repository.changeTimes(commit, new Set(batch.map(({ entry }) => entry.path)));
    const blobs = repository.blobs(batch.map(({ entry, size }) => ({ oid: entry.oid, size })));
    let at = 0;
    for await (const bytes of blobs) {
      const { entry, url } = batch[at++] as Wanted;
      const met = { url, depth: entry.path.split('/').length };
      if (bytes === undefined) {
        const error = failure(rootErrors.GATHERER_GIT, {
          path: this.#path,
          why: `it lacks the blob ${entry.oid}`,
        });
        yield { ...met, kind: 'failed', error };
        continue;
      }
      const md5 = createHash('md5').update(bytes).digest('hex');
      const remember = { md5, stamp: entry.oid };
      if ((await memory.recall(url))?.md5 === md5) {
        yield { ...met, kind: 'unchanged', remember, readBytes: bytes.length };
        continue;
      }
      const lastModified = times.get(entry.path);
      const name = ftpName(basename(entry.path));
      const document = { url, name, bytes, md5, ...(lastModified !== undefined && { lastModified }) };
      yield { ...met, kind: 'document', document, remember };
    }
  }
}

const hiddenRule = 'its name begins with a dot';

function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}
