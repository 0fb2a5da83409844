import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, opendir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { failure } from '../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from './enumerator.ts';
import { gathererErrors } from './errors.ts';

export interface FolderOptions {
  /** Absolute path of the folder. */
  readonly root: string;
  /** URL of the folder, ending in `/`. */
  readonly baseUrl: string;
  /** Whether names that begin with a dot are gathered. */
  readonly hidden: boolean;
  readonly maxBytesPerDocument: number;
}

/** Folders in folders deeper than this are left out, loudly. */
const maxDepth = 64;

/** Files looked at together; opening more at once only fills memory. */
const lookahead = 16;

/** The URL of a path below a folder: each segment is percent-encoded. */
export function urlOf(baseUrl: string, root: string, path: string): string {
  const segments = relative(root, path).split(sep).map(encodeURIComponent);
  return baseUrl + segments.join('/');
}

/** The path below the folder that a URL stands for, or undefined when it stands outside. */
export function pathOf(baseUrl: string, root: string, url: string): string | undefined {
  if (!url.startsWith(baseUrl)) return undefined;
  try {
    const segments = url.slice(baseUrl.length).split('/').map(decodeURIComponent);
    if (segments.some((segment) => segment === '..' || segment === '.' || /[/\0]/.test(segment)))
      return undefined;
    return join(root, ...segments);
  } catch {
    return undefined;
  }
}

function stampOf(stats: BigIntStats): string {
  return [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino].map((part) => part.toString(36)).join('.');
}

function unreadable(path: string, cause: unknown) {
  return failure(gathererErrors.GATHERER_UNREADABLE, { path, reason: (cause as Error).message }, cause);
}

/** Enumerates a folder: every regular file below it, depth first in name order, under its URL. */
export class FolderEnumerator implements Enumerator {
  readonly #options: FolderOptions;

  constructor(options: FolderOptions) {
    this.#options = { ...options, root: resolve(options.root) };
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const unread: Extract<Enumerated, { kind: 'failed' }>[] = [];
    for await (const item of this.#readAhead(memory, signal)) {
      if (item.kind === 'failed' && item.url.endsWith('/')) unread.push(item);
      yield item;
    }
    if (unread.length === 0 || memory.known === undefined) return;
    // What was found below a folder that cannot be read now is not gone.
    for await (const url of memory.known()) {
      const folder = unread.find((failed) => url.startsWith(failed.url));
      if (folder !== undefined) yield { ...folder, url };
    }
  }

  async *#readAhead(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const pending: Promise<Enumerated | undefined>[] = [];
    for await (const path of this.#walk(this.#options.root, 0, signal)) {
      pending.push(typeof path === 'string' ? this.look(path, memory) : Promise.resolve(path));
      // Errors become items: a promise that waits in the list never rejects.
      if (pending.length < lookahead) continue;
      const item = await pending.shift();
      if (item !== undefined) yield item;
    }
    for (const last of pending) {
      const item = await last;
      if (item !== undefined) yield item;
    }
  }

  /** Whether a URL stands for a file that is gathered, and the rule that says so. */
  async decide(url: string): Promise<ScopeVerdict> {
    const { baseUrl, root } = this.#options;
    const verdict = (included: boolean, rule: string): ScopeVerdict => ({ url, included, rule });
    const path = pathOf(baseUrl, root, url);
    if (path === undefined) return verdict(false, `it is not below ${baseUrl}`);
    const rule = this.#hiddenRule(path);
    if (rule !== undefined) return verdict(false, rule);
    const item = await this.look(path, { recall: async () => undefined });
    if (item === undefined) return verdict(false, `${path} is not a file`);
    if (item.kind === 'document') return verdict(true, `${path} is a file below the folder`);
    if (item.kind === 'skipped') return verdict(false, item.rule);
    if (item.kind === 'failed') return verdict(false, item.error.message);
    return verdict(false, `there is no file ${path}`);
  }

  /** One path: the file's document, or what became of it. Undefined for folders and hidden names. */
  async look(path: string, memory: EnumerationMemory): Promise<Enumerated | undefined> {
    const { baseUrl, root, maxBytesPerDocument } = this.#options;
    const url = urlOf(baseUrl, root, path);
    const met = { url, depth: relative(root, path).split(sep).length };
    if (this.#hiddenRule(path) !== undefined) return undefined;
    try {
      const link = await lstat(path, { bigint: true });
      if (link.isSymbolicLink()) {
        const target = await realpath(path);
        const inside = target.startsWith(`${await realpath(root)}${sep}`);
        if (!inside) return { ...met, kind: 'skipped', rule: 'symbolic link out of the folder' };
      }
      const stats = await stat(path, { bigint: true });
      if (stats.isDirectory())
        return link.isSymbolicLink()
          ? { ...met, kind: 'skipped', rule: 'symbolic link to a folder' }
          : undefined;
      if (!stats.isFile()) return { ...met, kind: 'skipped', rule: 'not a regular file' };
      if (stats.size > BigInt(maxBytesPerDocument))
        return { ...met, kind: 'skipped', rule: `larger than ${maxBytesPerDocument} bytes` };
      const stamp = stampOf(stats);
      const known = await memory.recall(url);
      if (known?.stamp === stamp) return { ...met, kind: 'unchanged', remember: known };
      const bytes = await readFile(path);
      const md5 = createHash('md5').update(bytes).digest('hex');
      const remember = { stamp, md5 };
      if (known?.md5 === md5) return { ...met, kind: 'unchanged', remember };
      const document = { url, name: basename(path), bytes, md5, lastModified: Number(stats.mtimeMs / 1000n) };
      return { ...met, kind: 'document', document, remember };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR')
        return { ...met, kind: 'gone', reason: 'there is no such file' };
      return { ...met, kind: 'failed', error: unreadable(path, error) };
    }
  }

  #hiddenRule(path: string): string | undefined {
    if (this.#options.hidden) return undefined;
    const hidden = relative(this.#options.root, path)
      .split(sep)
      .some((segment) => segment.startsWith('.'));
    return hidden ? 'its name begins with a dot (gatherer.hidden)' : undefined;
  }

  /** Paths of files in order; folders that cannot be read come as items. Links to folders are not followed. */
  async *#walk(folder: string, depth: number, signal?: AbortSignal): AsyncIterable<string | Enumerated> {
    const { baseUrl, root } = this.#options;
    const url = () => (folder === root ? baseUrl : `${urlOf(baseUrl, root, folder)}/`);
    if (depth > maxDepth) {
      yield { url: url(), depth, kind: 'skipped', rule: `deeper than ${maxDepth} folders` };
      return;
    }
    const entries: { name: string; folder: boolean }[] = [];
    try {
      for await (const entry of await opendir(folder)) {
        if (!this.#options.hidden && entry.name.startsWith('.')) continue;
        entries.push({ name: entry.name, folder: entry.isDirectory() });
      }
    } catch (error) {
      // Nothing is known of a site whose root cannot be read, least of all that its documents are gone.
      if (folder === root) throw unreadable(folder, error);
      yield { url: url(), depth, kind: 'failed', error: unreadable(folder, error) };
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      signal?.throwIfAborted();
      const path = join(folder, entry.name);
      if (entry.folder) yield* this.#walk(path, depth + 1, signal);
      else yield path;
    }
  }
}
