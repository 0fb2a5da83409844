import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Enumerated, EnumerationMemory, Enumerator, Remembered, ScopeVerdict } from '../enumerator.ts';
import { depthRule, urlsRule } from '../scope-rule.ts';
import { abridged } from '../web/large-documents.ts';
import { DiskPace } from './disk-pace.ts';
import { osPath, realPath, realPathSync, shownName } from './file-names.ts';
import { FolderRoot } from './folder-root.ts';
import { pathOf, spelledUrl, urlOf } from './folder-urls.ts';
import { isAbsent, namesBeside, unreadable, type Walked, walkFolder } from './folder-walk.ts';
import type { FolderChanges } from './folder-watcher.ts';
import { isWithin } from './open-within.ts';
import { bytesOfFile, FileReplaced, marked, stampOf } from './regular-file.ts';

export interface FolderOptions {
  /** Absolute path of the folder. */
  readonly root: string;
  /** URL of the folder, ending in `/`. */
  readonly baseUrl: string;
  /** Whether names that begin with a dot are gathered. */
  readonly hidden: boolean;
  readonly maxBytesPerDocument: number;
  /** Max files of one run, in the order of the walk; no limit when absent. */
  readonly maxUrls?: number;
  /** Max steps down to a file: 1 is the files of the root alone. No limit when absent. */
  readonly maxDepth?: number;
  /** Names of these two limits in reports, when they are not settings. */
  readonly limitNames?: { readonly maxUrls?: string; readonly maxDepth?: string };
  /** The rule that leaves a URL out, by its spelling. */
  readonly excluded?: (url: string) => string | undefined;
  /** Whether rules need the names beside a file (gatherer.siblings). */
  readonly siblings?: boolean;
  /** Whether a suddenly empty folder counts as empty. */
  readonly allowEmpty?: boolean;
}

/** Files read concurrently; more would only fill memory. */
const lookahead = 16;

/** Larger files are read in their turn, not ahead: many of them would fill memory. */
const lookaheadBytes = 4n * 1024n * 1024n;

/** Unchanged files between two yields to the event loop. */
const filesPerTurn = 256;

/** Counts of a walk: files, and other items yielded. */
interface Met {
  files: number;
  others: number;
}

/** Options of reading one file. */
interface LookOptions {
  /** A large file is read only after this resolves. */
  readonly turn?: Promise<void>;
  /** As in `Walked`. */
  readonly beside?: readonly string[] | undefined;
  readonly tries?: number;
}

/** One file that is read ahead. */
interface Ahead {
  readonly item: Promise<Enumerated | undefined>;
  /** Starts the reading of a large file. */
  readonly begin?: () => void;
}

/** A file that a limit leaves out. */
function cutBy(rule: string, { url, depth }: Walked): Enumerated {
  return { url, depth, kind: 'skipped', rule, limit: true };
}

/** Enumerates a folder: every regular file below it, depth first in name order, under its URL. */
export class FolderEnumerator implements Enumerator {
  readonly #options: FolderOptions;
  readonly #root: FolderRoot;
  readonly #pace = new DiskPace();

  constructor(options: FolderOptions) {
    this.#options = { ...options, root: resolve(options.root) };
    this.#root = new FolderRoot(this.#options.root, options.baseUrl, options.allowEmpty ?? false, this.#pace);
  }

  /** Whether one added or deleted file can affect others, so that changes need a run over the whole folder. */
  get isCounted(): boolean {
    return this.#options.maxUrls !== undefined || this.#options.siblings === true;
  }

  covers(url: string): boolean {
    return url.startsWith(this.#options.baseUrl);
  }

  spelled(url: string): string | undefined {
    return spelledUrl(this.#options.baseUrl, this.#options.root, url);
  }

  get urlPrefix(): string {
    return this.#options.baseUrl;
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const met = { files: 0, others: 0 };
    yield* this.#filesBelow(this.#options.root, memory, signal, met);
    const doubt = met.files + met.others === 0 ? await this.#root.doubt(memory) : undefined;
    yield doubt === undefined ? await this.#root.item() : this.#root.failed(doubt);
  }

  /**
   * The items of a watch's report: each path, and every file below each folder that was added, deleted or replaced.
   * Known files below `prefixOf` such a folder that are not yielded are deleted, unless an item reports that the whole
   * root failed.
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

  /** The common prefix of the URLs of all files below a folder. */
  prefixOf(folder: string): string {
    const { baseUrl, root } = this.#options;
    return folder === root ? baseUrl : `${urlOf(baseUrl, root, folder)}/`;
  }

  async *#filesBelow(
    folder: string,
    memory: EnumerationMemory,
    signal?: AbortSignal,
    met: Met = { files: 0, others: 0 },
  ): AsyncIterable<Enumerated> {
    const unread: Extract<Enumerated, { kind: 'failed' }>[] = [];
    for await (const item of this.#readAhead(folder, memory, signal, met)) {
      if (item.kind === 'failed' && item.url.endsWith('/')) unread.push(item);
      yield item;
    }
    // Known files below a folder that cannot be read now are not deleted.
    for (const failed of unread)
      for await (const url of memory.known?.(failed.url) ?? []) yield { ...failed, url };
  }

  async *#readAhead(
    folder: string,
    memory: EnumerationMemory,
    signal: AbortSignal | undefined,
    met: Met,
  ): AsyncIterable<Enumerated> {
    await using ordered = memory.inOrder?.(this.prefixOf(folder));
    const pending: Ahead[] = [];
    const next = () => {
      const first = pending.shift();
      first?.begin?.();
      return first?.item;
    };
    for await (const walked of this.#walk(folder, signal)) {
      if ('kind' in walked) {
        met.others++;
        pending.push({ item: Promise.resolve(walked) });
        continue;
      }
      for (const file of walked) {
        // A walk over unchanged files never waits: yield to the event loop at intervals.
        if (++met.files % filesPerTurn === 0) await setImmediate();
        signal?.throwIfAborted();
        const { path, url } = file;
        const cut = this.#excluded(file, met);
        if (cut !== undefined) await ordered?.leaveOut(cut);
        const recalled = cut === undefined ? ordered?.recall(url) : undefined;
        const known = recalled instanceof Promise ? await recalled : recalled;
        const settled = cut ?? this.#unchanged(file, known);
        if (settled?.kind === 'unchanged' && ordered?.keep(url, settled.remember) === true) continue;
        if (settled !== undefined && pending.length === 0) {
          yield settled;
          continue;
        }
        if (settled === undefined) {
          let begin = () => {};
          const turn = new Promise<void>((resolve) => {
            begin = resolve;
          });
          const one = ordered === undefined ? memory : { recall: async () => known };
          pending.push({ item: this.look(path, one, { turn, beside: file.beside }), begin });
        } else pending.push({ item: Promise.resolve(settled) });
        // Errors become items: a promise that waits in the list never rejects.
        if (pending.length < lookahead) continue;
        const item = await next();
        if (item !== undefined) yield item;
      }
    }
    while (pending.length > 0) {
      const item = await next();
      if (item !== undefined) yield item;
    }
  }

  #walk(folder: string, signal?: AbortSignal): ReturnType<typeof walkFolder> {
    const { root, hidden, siblings = false } = this.#options;
    const from = { path: folder, url: this.prefixOf(folder), depth: this.#depthOf(folder) };
    return walkFolder(from, { root, hidden, siblings, pace: this.#pace }, signal);
  }

  /** The item of a file that a rule or a limit leaves out; only files that no rule leaves out count for the limit. */
  #excluded(file: Walked, met: Met): Enumerated | undefined {
    const { maxUrls = Number.POSITIVE_INFINITY, limitNames, excluded } = this.#options;
    const rule = excluded?.(file.url);
    if (rule !== undefined) {
      met.files--;
      met.others++;
      return { url: file.url, depth: file.depth, kind: 'skipped', rule };
    }
    const tooDeep = this.#tooDeep(file);
    if (tooDeep !== undefined || met.files <= maxUrls) return tooDeep;
    return cutBy(urlsRule(maxUrls, limitNames?.maxUrls), file);
  }

  /** The item of an unchanged file, at the cost of one call; undefined when the file must be read. */
  #unchanged({ path, url, depth, beside }: Walked, known: Remembered | undefined): Enumerated | undefined {
    if (known?.stamp === undefined || this.#pace.isSlow) return undefined;
    const stats = this.#pace.timed(() => this.#statsOf(path));
    if (stats === undefined || !stats.isFile() || stampOf(stats, beside) !== known.stamp) return undefined;
    return { url, depth, kind: 'unchanged', remember: known };
  }

  /** The state of a path, or of the target of a link within the folder. */
  #statsOf(path: string): BigIntStats | undefined {
    const link = lstatSync(osPath(path), { bigint: true, throwIfNoEntry: false });
    if (link?.isSymbolicLink() !== true) return link;
    try {
      return isWithin(realPathSync(this.#options.root), realPathSync(path))
        ? statSync(osPath(path), { bigint: true })
        : undefined;
    } catch {
      // The link is broken: `look` handles it.
      return undefined;
    }
  }

  /** The real file of a path, after links, and the rule that leaves it out; no rule when none does. */
  async #target(path: string): Promise<{ readonly real: string; readonly rule?: string | undefined }> {
    const realOf = this.#pace.isSlow ? realPath : realPathSync;
    const [real, root] = [await realOf(path), await realOf(this.#options.root)];
    if (!isWithin(root, real)) return { real, rule: 'symbolic link out of the folder' };
    return { real, rule: this.#hiddenRule(join(this.#options.root, relative(root, real))) };
  }

  /** Whether a URL is that of a gathered file, and the rule that decides. */
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

  /** The item of one path. Undefined for folders and hidden names. */
  async look(
    path: string,
    memory: EnumerationMemory,
    { turn, beside: given, tries = 3 }: LookOptions = {},
  ): Promise<Enumerated | undefined> {
    const { baseUrl, root, maxBytesPerDocument } = this.#options;
    const url = urlOf(baseUrl, root, path);
    const met = { url, depth: this.#depthOf(path) };
    if (this.#hiddenRule(path) !== undefined) return undefined;
    let isLink = false;
    try {
      const link = this.#pace.isSlow
        ? await lstat(osPath(path), { bigint: true })
        : this.#pace.timed(() => lstatSync(osPath(path), { bigint: true }));
      isLink = link.isSymbolicLink();
      if (isLink) {
        const { rule } = await this.#target(path);
        if (rule !== undefined) return { ...met, kind: 'skipped', rule };
      }
      const stats = isLink ? await stat(osPath(path), { bigint: true }) : link;
      if (stats.isDirectory())
        return isLink ? { ...met, kind: 'skipped', rule: 'symbolic link to a folder' } : undefined;
      const excluded = this.#options.excluded?.(url);
      if (excluded !== undefined) return { ...met, kind: 'skipped', rule: excluded };
      const tooDeep = this.#tooDeep({ path, ...met });
      if (tooDeep !== undefined) return tooDeep;
      if (!stats.isFile()) return { ...met, kind: 'skipped', rule: 'not a regular file' };
      const beside = given ?? (this.#options.siblings === true ? await namesBeside(path) : undefined);
      const stamp = stampOf(stats, beside);
      const known = await memory.recall(url);
      if (known?.stamp === stamp) return { ...met, kind: 'unchanged', remember: known };
      if (stats.size > lookaheadBytes) await turn;
      const { real, rule } = await this.#target(path);
      if (rule !== undefined) return { ...met, kind: 'skipped', rule };
      const isTooLarge = stats.size > BigInt(maxBytesPerDocument);
      const bytes = await bytesOfFile({ path, stats, real }, maxBytesPerDocument, this.#pace);
      const name = shownName(basename(path));
      const read = isTooLarge
        ? abridged(url, name, { bytes, head: bytes.length / 2, size: Number(stats.size) })
        : { url, name, bytes, md5: createHash('md5').update(bytes).digest('hex') };
      const { md5 } = read;
      const remember = { stamp, md5 };
      if (known?.md5 === md5 && marked(known.stamp) === marked(stamp))
        return { ...met, kind: 'unchanged', remember, readBytes: bytes.length };
      const lastModified = Number(stats.mtimeMs / 1000n);
      const document = { ...read, lastModified, ...(beside && { siblings: beside }) };
      return { ...met, kind: 'document', document, remember };
    } catch (error) {
      if (error instanceof FileReplaced && tries > 1)
        return this.look(path, memory, { ...(turn && { turn }), tries: tries - 1 });
      if (isAbsent(error)) {
        if (isLink) return { ...met, kind: 'skipped', rule: 'a symbolic link to nothing' };
        return { ...met, kind: 'gone', reason: 'there is no such file' };
      }
      return { ...met, kind: 'failed', error: unreadable(path, error) };
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

  /** Whether there is no file below the root; stops at the first file. */
  async #isEmpty(): Promise<boolean> {
    try {
      for await (const _ of this.#walk(this.#options.root)) return false;
    } catch {
      // A root that cannot be read has no visible file either.
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
}
