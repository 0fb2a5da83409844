import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { failure } from '../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, Remembered, ScopeVerdict } from './enumerator.ts';
import { gathererErrors } from './errors.ts';
import { FolderRoot } from './folder-root.ts';
import { pathOf, urlOf } from './folder-urls.ts';
import type { FolderChanges } from './folder-watcher.ts';
import { depthRule, urlsRule } from './limits.ts';
import { readRegularFile, readRegularFileSync } from './regular-file.ts';

export interface FolderOptions {
  /** Absolute path of the folder. */
  readonly root: string;
  /** URL of the folder, ending in `/`. */
  readonly baseUrl: string;
  /** Whether names that begin with a dot are gathered. */
  readonly hidden: boolean;
  readonly maxBytesPerDocument: number;
  /** Most files of one run, in the order of the walk; no limit when absent. */
  readonly maxUrls?: number;
  /** Most steps down to a file: 1 is the files of the root alone. No limit when absent. */
  readonly maxDepth?: number;
  /** Where these two limits stand, for reports, when that is not in the settings. */
  readonly limitNames?: { readonly maxUrls?: string; readonly maxDepth?: string };
  /** The rule that leaves a URL out, by its spelling. */
  readonly excluded?: (url: string) => string | undefined;
  /** Whether a folder that is suddenly empty is believed. */
  readonly allowEmpty?: boolean;
}

/** Folders in folders deeper than this are left out, loudly. */
const deepest = 64;

/** Files looked at together; opening more at once only fills memory. */
const lookahead = 16;

/** Larger files are read when it is their turn, not ahead: so many of them would fill memory. */
const lookaheadBytes = 4n * 1024n * 1024n;

/** Files up to this size are read at once, in one go, while the disk is quick. */
const smallBytes = 512n * 1024n;

/** Unchanged files between two turns of the event loop. */
const filesPerTurn = 256;

/** Looks at one file that take longer than this, as over a network, are not waited for once there were some. */
const slowMs = 20;
const patience = 8;

/** A file that a walk has come to. */
interface Walked {
  readonly path: string;
  readonly url: string;
  /** Steps down from the root, which is 0 itself. */
  readonly depth: number;
}

/** One file that is looked at ahead. */
interface Ahead {
  readonly item: Promise<Enumerated | undefined>;
  /** Tell it that its turn has come. */
  readonly begin?: () => void;
}

function stampOf(stats: BigIntStats): string {
  return [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].map((part) => part.toString(36)).join('.');
}

function unreadable(path: string, cause: unknown) {
  return failure(gathererErrors.GATHERER_UNREADABLE, { path, reason: (cause as Error).message }, cause);
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Whether bytes of a name were no UTF-8, so that it cannot be opened under what became of them, nor have a URL. */
function isUnspeakable(path: string): boolean {
  return path.includes('\ufffd');
}

const unspeakableRule = 'its name is not UTF-8';

/** A file that a limit leaves out. */
function cutBy(rule: string, { url, depth }: Walked): Enumerated {
  return { url, depth, kind: 'skipped', rule, limit: true };
}

/** Enumerates a folder: every regular file below it, depth first in name order, under its URL. */
export class FolderEnumerator implements Enumerator {
  readonly #options: FolderOptions;
  readonly #root: FolderRoot;
  /** How many looks at a file have taken long. */
  #slowLooks = 0;

  constructor(options: FolderOptions) {
    this.#options = { ...options, root: resolve(options.root) };
    this.#root = new FolderRoot(this.#options.root, options.baseUrl, options.allowEmpty ?? false);
  }

  /** Whether one file that comes or goes lets others out or in, so that changes need a run over the whole folder. */
  get isCounted(): boolean {
    return this.#options.maxUrls !== undefined;
  }

  covers(url: string): boolean {
    return url.startsWith(this.#options.baseUrl);
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    let empty = true;
    for await (const item of this.#filesBelow(this.#options.root, memory, signal)) {
      empty = false;
      yield item;
    }
    const doubt = empty ? await this.#root.doubt(memory) : undefined;
    yield doubt === undefined ? await this.#root.item() : this.#root.failed(doubt);
  }

  /**
   * What a watch told of: each path, and every file below each folder that came, went or was replaced. What is known
   * below `prefixOf` such a folder and not told of is gone, unless an item says that the whole root failed.
   */
  async *changed({ paths, folders }: FolderChanges, memory: EnumerationMemory): AsyncIterable<Enumerated> {
    const { baseUrl, root } = this.#options;
    let believed = false;
    const doubt = async () => {
      const error = believed || !(await this.#isEmpty()) ? undefined : await this.#root.doubt(memory);
      believed = error === undefined;
      return error;
    };
    const error = folders.length > 0 ? await doubt() : undefined;
    if (error !== undefined) return yield this.#root.failed(error);
    for (const path of paths) {
      if (this.#hiddenRule(path) !== undefined) continue;
      const url = urlOf(baseUrl, root, path);
      const item = (await this.look(path, memory)) ?? {
        url,
        depth: 0,
        kind: 'gone',
        reason: 'it is a folder',
      };
      const doubted = item.kind === 'gone' ? await doubt() : undefined;
      if (doubted !== undefined) return yield this.#root.failed(doubted);
      yield item;
    }
    for (const folder of folders) yield* this.#filesBelow(folder, memory);
  }

  /** What the URLs of all files below a folder begin with. */
  prefixOf(folder: string): string {
    const { baseUrl, root } = this.#options;
    return folder === root ? baseUrl : `${urlOf(baseUrl, root, folder)}/`;
  }

  async *#filesBelow(
    folder: string,
    memory: EnumerationMemory,
    signal?: AbortSignal,
  ): AsyncIterable<Enumerated> {
    const unread: Extract<Enumerated, { kind: 'failed' }>[] = [];
    for await (const item of this.#readAhead(folder, memory, signal)) {
      if (item.kind === 'failed' && item.url.endsWith('/')) unread.push(item);
      yield item;
    }
    // What was found below a folder that cannot be read now is not gone.
    for (const failed of unread)
      for await (const url of memory.known?.(failed.url) ?? []) yield { ...failed, url };
  }

  async *#readAhead(
    folder: string,
    memory: EnumerationMemory,
    signal?: AbortSignal,
  ): AsyncIterable<Enumerated> {
    const { maxUrls = Number.POSITIVE_INFINITY, limitNames } = this.#options;
    await using ordered = memory.inOrder?.(this.prefixOf(folder));
    const pending: Ahead[] = [];
    const next = () => {
      const first = pending.shift();
      first?.begin?.();
      return first?.item;
    };
    let files = 0;
    const from = { path: folder, url: this.prefixOf(folder), depth: this.#depthOf(folder) };
    for await (const walked of this.#walk(from, signal)) {
      if ('kind' in walked) {
        pending.push({ item: Promise.resolve(walked) });
        continue;
      }
      // A walk over what has not changed waits for nothing: others get their turn now and then.
      if (++files % filesPerTurn === 0) await setImmediate();
      const { path, url } = walked;
      const cut =
        this.#tooDeep(walked) ??
        (files <= maxUrls ? undefined : cutBy(urlsRule(maxUrls, limitNames?.maxUrls), walked));
      const known = cut === undefined ? await ordered?.recall(url) : undefined;
      const settled = cut ?? this.#unchanged(walked, known);
      if (settled !== undefined && pending.length === 0) {
        yield settled;
        continue;
      }
      const recalled = ordered === undefined ? memory : { recall: async () => known };
      if (settled === undefined) {
        let begin = () => {};
        const turn = new Promise<void>((resolve) => {
          begin = resolve;
        });
        pending.push({ item: this.look(path, recalled, turn), begin });
      } else pending.push({ item: Promise.resolve(settled) });
      // Errors become items: a promise that waits in the list never rejects.
      if (pending.length < lookahead) continue;
      const item = await next();
      if (item !== undefined) yield item;
    }
    while (pending.length > 0) {
      const item = await next();
      if (item !== undefined) yield item;
    }
  }

  /** A file that looks as it did, at the cost of one call; undefined when more must be known. */
  #unchanged({ path, url, depth }: Walked, known: Remembered | undefined): Enumerated | undefined {
    if (known?.stamp === undefined || this.#slow) return undefined;
    const stats = this.#timed(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
    if (stats === undefined || !stats.isFile() || stampOf(stats) !== known.stamp) return undefined;
    if (stats.size > BigInt(this.#options.maxBytesPerDocument)) return undefined;
    return { url, depth, kind: 'unchanged', remember: known };
  }

  /** Whether a URL stands for a file that is gathered, and the rule that says so. */
  async decide(url: string): Promise<ScopeVerdict> {
    const { baseUrl, root } = this.#options;
    const verdict = (included: boolean, rule: string): ScopeVerdict => ({ url, included, rule });
    const path = pathOf(baseUrl, root, url);
    if (path === undefined) return verdict(false, `it is not below ${baseUrl}`);
    const rule = this.#hiddenRule(path) ?? this.#options.excluded?.(url);
    if (rule !== undefined) return verdict(false, rule);
    const item = await this.look(path, { recall: async () => undefined });
    if (item === undefined) return verdict(false, `${path} is not a file`);
    if (item.kind === 'document') return verdict(true, `${path} is a file below the folder`);
    if (item.kind === 'skipped') return verdict(false, item.rule);
    if (item.kind === 'failed') return verdict(false, item.error.message);
    return verdict(false, `there is no file ${path}`);
  }

  /**
   * One path: the file's document, or what became of it. Undefined for folders and hidden names. A large file is read
   * only once `turn` has come.
   */
  async look(
    path: string,
    memory: EnumerationMemory,
    turn: Promise<void> = Promise.resolve(),
  ): Promise<Enumerated | undefined> {
    const { baseUrl, root, maxBytesPerDocument } = this.#options;
    const url = urlOf(baseUrl, root, path);
    const met = { url, depth: this.#depthOf(path) };
    if (this.#hiddenRule(path) !== undefined) return undefined;
    try {
      const link = this.#slow
        ? await lstat(path, { bigint: true })
        : this.#timed(() => lstatSync(path, { bigint: true }));
      if (link.isSymbolicLink()) {
        const target = await realpath(path);
        const inside = target.startsWith(`${await realpath(root)}${sep}`);
        if (!inside) return { ...met, kind: 'skipped', rule: 'symbolic link out of the folder' };
      }
      const stats = link.isSymbolicLink() ? await stat(path, { bigint: true }) : link;
      if (stats.isDirectory())
        return link.isSymbolicLink()
          ? { ...met, kind: 'skipped', rule: 'symbolic link to a folder' }
          : undefined;
      const excluded = this.#options.excluded?.(url);
      if (excluded !== undefined) return { ...met, kind: 'skipped', rule: excluded };
      const tooDeep = this.#tooDeep({ path, ...met });
      if (tooDeep !== undefined) return tooDeep;
      if (!stats.isFile()) return { ...met, kind: 'skipped', rule: 'not a regular file' };
      if (stats.size > BigInt(maxBytesPerDocument))
        return { ...met, kind: 'skipped', rule: `larger than ${maxBytesPerDocument} bytes` };
      const stamp = stampOf(stats);
      const known = await memory.recall(url);
      if (known?.stamp === stamp) return { ...met, kind: 'unchanged', remember: known };
      if (stats.size > lookaheadBytes) await turn;
      const bytes =
        this.#slow || stats.size > smallBytes
          ? await readRegularFile(path, maxBytesPerDocument)
          : this.#timed(() => readRegularFileSync(path, maxBytesPerDocument));
      const md5 = createHash('md5').update(bytes).digest('hex');
      const remember = { stamp, md5 };
      if (known?.md5 === md5) return { ...met, kind: 'unchanged', remember, readBytes: bytes.length };
      const document = { url, name: basename(path), bytes, md5, lastModified: Number(stats.mtimeMs / 1000n) };
      return { ...met, kind: 'document', document, remember };
    } catch (error) {
      if (isAbsent(error)) {
        if (isUnspeakable(path)) return { ...met, kind: 'skipped', rule: unspeakableRule };
        return { ...met, kind: 'gone', reason: 'there is no such file' };
      }
      return { ...met, kind: 'failed', error: unreadable(path, error) };
    }
  }

  get #slow(): boolean {
    return this.#slowLooks >= patience;
  }

  /** Do something at once, and no more when it takes long: a disk far away would hold up everything else. */
  #timed<Result>(work: () => Result): Result {
    const started = performance.now();
    try {
      return work();
    } finally {
      if (performance.now() - started > slowMs) this.#slowLooks++;
    }
  }

  /** Steps down from the root, which is 0 itself. */
  #depthOf(path: string): number {
    const below = relative(this.#options.root, path);
    return below === '' ? 0 : below.split(sep).length;
  }

  #tooDeep(walked: Walked): Enumerated | undefined {
    const { maxDepth = Number.POSITIVE_INFINITY, limitNames } = this.#options;
    return walked.depth > maxDepth ? cutBy(depthRule(maxDepth, limitNames?.maxDepth), walked) : undefined;
  }

  /** Whether there is no file below the root; looks no further than the first. */
  async #isEmpty(): Promise<boolean> {
    try {
      const { root, baseUrl } = this.#options;
      for await (const _ of this.#walk({ path: root, url: baseUrl, depth: 0 })) return false;
    } catch {
      // A root that cannot be read shows no file either.
    }
    return true;
  }

  #hiddenRule(path: string): string | undefined {
    if (this.#options.hidden) return undefined;
    const hidden = relative(this.#options.root, path)
      .split(sep)
      .some((segment) => segment.startsWith('.'));
    return hidden ? 'its name begins with a dot (gatherer.hidden)' : undefined;
  }

  /** The files below a folder in order; folders that cannot be read come as items. Links to folders are not followed. */
  async *#walk(from: Walked, signal?: AbortSignal): AsyncGenerator<Walked | Enumerated, void> {
    // The last of a list comes next.
    const toCome: (Walked & { readonly isFolder: boolean })[] = [{ ...from, isFolder: true }];
    for (let next = toCome.pop(); next !== undefined; next = toCome.pop()) {
      if (!next.isFolder) {
        const rule = this.#options.excluded?.(next.url);
        yield rule === undefined ? next : { url: next.url, depth: next.depth, kind: 'skipped', rule };
        continue;
      }
      signal?.throwIfAborted();
      const entries = await this.#entries(next);
      if ('kind' in entries) yield entries;
      else
        for (let at = entries.length - 1; at >= 0; at--) toCome.push(entries[at] as (typeof toCome)[number]);
    }
  }

  /** What lies in a folder, in the order of the URLs, in which what is remembered of them is read. */
  async #entries(of: Walked): Promise<(Walked & { readonly isFolder: boolean })[] | Enumerated> {
    const { path: folder, url, depth } = of;
    if (depth > deepest) return { url, depth, kind: 'skipped', rule: `deeper than ${deepest} folders` };
    const below = folder.endsWith(sep) ? folder : folder + sep;
    try {
      const found = await readdir(folder, { withFileTypes: true });
      return found
        .filter(({ name }) => this.#options.hidden || !name.startsWith('.'))
        .map((entry) => {
          const isFolder = entry.isDirectory();
          const own = `${url}${encodeURIComponent(entry.name)}${isFolder ? '/' : ''}`;
          return { path: below + entry.name, url: own, depth: depth + 1, isFolder };
        })
        .sort((a, b) => (a.url < b.url ? -1 : 1));
    } catch (error) {
      // Nothing is known of a site whose root cannot be read, least of all that its documents are gone.
      if (folder === this.#options.root) throw unreadable(folder, error);
      // One that is no longer there took its files with it, unless nobody can speak its name.
      if (isAbsent(error) && !isUnspeakable(folder)) return [];
      if (isAbsent(error)) return { url, depth, kind: 'skipped', rule: unspeakableRule };
      return { url, depth, kind: 'failed', error: unreadable(folder, error) };
    }
  }
}
