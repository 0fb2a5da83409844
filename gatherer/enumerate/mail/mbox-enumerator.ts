import { lstat, opendir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type GarnerError, isGarnerError } from '../../../kernel/index.ts';
import { type MboxMessage, mboxStream } from '../../../readers/mail/index.ts';
import { gathererErrors } from '../../errors.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import { realPath } from '../folder/file-names.ts';
import { isAbsent, unreadable } from '../folder/folder-walk.ts';
import { openWithin } from '../folder/open-within.ts';
import type { ScopeRule, ScopeRun } from '../scope-rule.ts';
import { tooLargeRule } from '../web/large-documents.ts';
import { UrlSet } from '../web/url-set.ts';
import { mailFields } from './mail-fields.ts';

export interface MboxEnumeratorOptions {
  /** An mbox file, or a folder of them. */
  readonly path: string;
  /** Prefix of the messages' URLs, before the names of file and message; ends in `/`. */
  readonly baseUrl?: string;
  /** Filters and limits, applied to the URLs made here. */
  readonly rule?: ScopeRule;
  /** Max size of a message that is read; 64 MiB when absent. */
  readonly maxBytes?: number;
}

const maxDepth = 16;
/** Max repeated Message-IDs whose copies are counted. */
const maxCounted = 100_000;

/** The URLs of one file so far. */
interface Met {
  readonly met: UrlSet;
  /** The number of the next copy, by the URL of the first. */
  readonly copies: Map<string, number>;
}

/** A file in a folder of mbox files, or a path that cannot be read. */
type Found = { readonly path: string } | { readonly path: string; readonly error: GarnerError };

/**
 * Enumerates the messages of mbox files, each a document of its own under the URL base/file/message-id. A file with
 * unchanged size and times, under the same options, is not read. In a changed file, a message with an unchanged MD5 is
 * unchanged. Known messages of an unreadable file in a folder have failed; the other files are read.
 */
export class MboxEnumerator implements Enumerator {
  readonly #options: MboxEnumeratorOptions;
  readonly #path: string;
  readonly #base: string;
  readonly #maxBytes: number;

  constructor(options: MboxEnumeratorOptions) {
    this.#options = options;
    this.#path = resolve(options.path);
    const base =
      options.baseUrl ?? `mbox://${this.#path.split('/').slice(0, -1).map(encodeURIComponent).join('/')}/`;
    this.#base = base.endsWith('/') ? base : `${base}/`;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const scope = this.#options.rule?.begin();
    for await (const found of this.#files(this.#path, 0)) {
      signal?.throwIfAborted();
      const met = new UrlSet();
      try {
        if ('error' in found) throw found.error;
        yield* this.#file(found.path, met, memory, scope, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (found.path === this.#path || !isGarnerError(error, gathererErrors.GATHERER_UNREADABLE))
          throw error;
        // A file that was deleted meanwhile has no messages any more.
        if (isAbsent(error.cause)) continue;
        yield* this.#failed(found.path, error, met, memory);
      }
    }
  }

  /** Failure items for a file or folder and its known messages that were not yielded. */
  async *#failed(
    path: string,
    error: GarnerError,
    met: UrlSet,
    memory: EnumerationMemory,
  ): AsyncGenerator<Enumerated> {
    const prefix = this.#prefix(path);
    yield { url: prefix, depth: 0, kind: 'failed', error };
    for await (const url of memory.known?.(prefix) ?? [])
      if (met.add(url)) yield { url, depth: 1, discoveredFrom: prefix, kind: 'failed', error };
  }

  covers(url: string): boolean {
    return url.startsWith(this.#base);
  }

  async decide(url: string): Promise<ScopeVerdict> {
    const { rule } = this.#options;
    if (!url.startsWith(this.#base)) return { url, included: false, rule: `it is not below ${this.#base}` };
    const found = { url, included: true, rule: `a message of ${this.#path}, if it exists` };
    const verdict = rule?.pathVerdict(url);
    return verdict && !verdict.included ? verdict : found;
  }

  /** The files at a path in name order, and unreadable paths. */
  async *#files(path: string, depth: number): AsyncGenerator<Found> {
    const names: string[] = [];
    try {
      // Only the root may be a link.
      const stats = await (depth === 0 ? stat(path) : lstat(path));
      if (stats.isFile()) return yield { path };
      if (!stats.isDirectory() || depth > maxDepth) return;
      for await (const { name } of await opendir(path)) if (!name.startsWith('.')) names.push(name);
    } catch (error) {
      return yield { path, error: unreadable(path, error) };
    }
    for (const name of names.sort()) yield* this.#files(join(path, name), depth + 1);
  }

  #prefix(file: string): string {
    const below = file === this.#path ? basename(file) : file.slice(this.#path.length + 1);
    return `${this.#base}${below.split('/').map(encodeURIComponent).join('/')}/`;
  }

  /** The messages of a file; their URLs are added to `met`. Throws GATHERER_UNREADABLE. */
  async *#file(
    file: string,
    met: UrlSet,
    memory: EnumerationMemory,
    scope: ScopeRun | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Enumerated> {
    const prefix = this.#prefix(file);
    const row = `${prefix}#mbox`;
    await using opened = await realPath(this.#path)
      .then((root) => openWithin(root, file))
      .catch((error: unknown) => {
        throw unreadable(file, error);
      });
    // It became a link out of the folder, or a folder, since it was listed.
    if (opened?.stats.isFile() !== true) return;
    const { size, mtimeNs, ino } = await opened.file.stat({ bigint: true });
    const state = [size, mtimeNs, ino, this.#maxBytes].map((part) => part.toString(36));
    // With other options, the messages of an unchanged file are selected again.
    const stamp = [...state, this.#options.rule?.digest ?? ''].join('.');
    const asBefore = (await memory.recall(row))?.stamp === stamp;
    const before = asBefore ? yield* this.#unchanged(prefix, memory, scope) : undefined;
    if (before !== undefined) return yield sheet(row, before.cut ? '' : stamp);
    let whole = true;
    let messages = 0;
    const copies = new Map<string, number>();
    const stream = opened.file.createReadStream({ highWaterMark: 1024 * 1024, autoClose: false, signal });
    for await (const message of mboxStream(readable(file, stream), this.#maxBytes)) {
      messages += 1;
      const item = await this.#message(prefix, message, memory, scope, { met, copies });
      if (item === undefined) continue;
      if (item.kind === 'skipped' && item.limit) whole = false;
      yield item;
    }
    if (messages === 0 && size > 0n)
      yield { url: prefix, depth: 0, kind: 'skipped', rule: 'it is no mbox file' };
    // A file that was cut by a limit must be read again.
    yield sheet(row, whole ? stamp : '');
  }

  /** Yield the remembered messages of an unchanged file; undefined, and no item, when a row is missing. */
  async *#unchanged(
    prefix: string,
    memory: EnumerationMemory,
    scope: ScopeRun | undefined,
  ): AsyncGenerator<Enumerated, { readonly cut: boolean } | undefined> {
    for await (const url of memory.known?.(prefix) ?? [])
      if ((await memory.recall(url)) === undefined) return undefined;
    let cut = false;
    for await (const url of memory.known?.(prefix) ?? []) {
      const remember = await memory.recall(url);
      if (remember === undefined) continue;
      const item = { url, depth: 1, discoveredFrom: prefix }; // Limits of the run hold for all its files together, read or not.
      const refusal = await scope?.admit(url, 1);
      cut ||= refusal?.limit === true;
      yield refusal ? { ...item, kind: 'skipped', ...refusal } : { ...item, kind: 'unchanged', remember };
    }
    return { cut };
  }

  async #message(
    prefix: string,
    message: MboxMessage,
    memory: EnumerationMemory,
    scope: ScopeRun | undefined,
    { met, copies }: Met,
  ): Promise<Enumerated | undefined> {
    const { bytes, md5, separator } = message;
    const fields = mailFields(bytes ?? new Uint8Array());
    if (fields.internal) return undefined;
    const id = encodeURIComponent(fields.messageId ?? md5);
    const first = `${prefix}${id}`;
    let url = first;
    // A repeated id may be another message or a copy.
    for (let copy = copies.get(first) ?? 2; !met.add(url); copy += 1) {
      url = `${first};${copy}`;
      // The count is stored, so that thousands of one id cost no search each.
      if (copies.size < maxCounted || copies.has(first)) copies.set(first, copy + 1);
    }
    const item = { url, depth: 1, discoveredFrom: prefix };
    const refusal = scope && (await scope.admit(url, 1));
    if (refusal) return { ...item, kind: 'skipped', ...refusal };
    if (fields.deleted) return { ...item, kind: 'skipped', rule: 'the message is marked as deleted' };
    if (bytes === undefined) return { ...item, kind: 'skipped', rule: tooLargeRule(this.#maxBytes) };
    const known = await memory.recall(url);
    if (known?.md5 === md5) return { ...item, kind: 'unchanged', remember: known, readBytes: bytes.length };
    const lastModified = fields.date ?? dateOfSeparator(separator);
    const document = {
      url,
      name: fields.messageId ?? md5,
      bytes,
      md5,
      contentType: 'message/rfc822',
      ...(lastModified !== undefined && { lastModified }),
    };
    return { ...item, kind: 'document', document, remember: { md5 } };
  }
}

/** The item of a file itself, which is no document. */
function sheet(url: string, stamp: string): Enumerated {
  return { url, depth: 0, kind: 'sitemap', remember: { stamp, links: [], sitemaps: [] } };
}

/** The chunks of a file's stream. Throws GATHERER_UNREADABLE for an error of the system. */
async function* readable(file: string, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Seconds since 1970 of the date at the end of a From_ line, which is in UTC (RFC 4155). */
function dateOfSeparator(line: string): number | undefined {
  const found = /([A-Z][a-z]{2}) +(\d{1,2}) +(\d\d:\d\d(?::\d\d)?).{0,20} (\d{4})/.exec(line);
  const ms = Date.parse(found ? `${found[2]} ${found[1]} ${found[4]} ${found[3]} UTC` : '');
  return Number.isFinite(ms) && ms >= 0 ? Math.floor(ms / 1000) : undefined;
}
