import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import {
  type FtpAccess,
  type FtpAskOptions,
  type FtpEntry,
  fetchErrors,
  ftpErrors,
  ftpName,
  ftpSegment,
  isMissing,
  objectCacheErrors,
} from '../../../fetch/index.ts';
import { type Clock, type GarnerError, isGarnerError, systemClock } from '../../../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import type { ScopeRule, ScopeRun } from '../scope-rule.ts';
import { abridged, tooLargeRule, unread } from '../web/large-documents.ts';
import { UrlSet } from '../web/url-set.ts';
import { readLsLr } from './ls-lr.ts';

export interface FtpEnumeratorOptions {
  /** The root's URL is a folder's: ftp://host/pub/. */
  readonly rule: ScopeRule;
  readonly client: FtpAccess;
  /** Max size of a file that is read; 64 MiB when absent. */
  readonly maxBytes?: number;
  /** Whether a ready-made listing of everything in the root (ls-lR, ls-lR.gz) is used; true when absent. */
  readonly lsLr?: boolean;
  readonly clock?: Clock;
}

interface Found {
  readonly url: string;
  readonly depth: number;
  readonly from: string;
  readonly entry: FtpEntry;
}

/** A ready-made listing of everything. */
interface ReadyListing {
  readonly url: string;
  readonly text: string;
}

type FilesByUrl = ReadonlyMap<string, FtpEntry>;

const maxDepth = 64;
/** Max listings in memory while files missing in a ready-made listing are looked up. */
const heldFolders = 100;
const maxFolders = 1_000_000;
const maxLsLrBytes = 256 * 1024 * 1024;
/** After this many broken files or invalid listings in a row, the server counts as unreachable. */
const maxSilence = 5;
/** Listed dates have minutes and no zone: a younger file may change without a visible difference. */
const racyMs = 2 * 24 * 3600 * 1000;

/**
 * Enumerates the files below a folder of an FTP server, folder by folder, each in the order of its names. A file with
 * unchanged size and date is not fetched. Links are not followed, hidden names left out.
 */
export class FtpEnumerator implements Enumerator {
  readonly #options: FtpEnumeratorOptions;
  readonly #root: string;
  readonly #maxBytes: number;

  constructor(options: FtpEnumeratorOptions) {
    this.#options = options;
    const { href } = new URL(options.rule.root.url);
    this.#root = href.endsWith('/') ? href : `${href}/`;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const scope = this.#options.rule.begin();
    let silent = 0;
    for await (const found of this.#walk(memory, scope, signal)) {
      if ('kind' in found) {
        yield found;
        continue;
      }
      const item = await this.#look(found, memory, scope, signal);
      yield item;
      silent = item.kind === 'failed' && isBroken(item.error) ? silent + 1 : 0;
      if (item.kind === 'failed' && silent >= maxSilence) throw item.error;
    }
  }

  covers(url: string): boolean {
    return url.startsWith(this.#root);
  }

  async decide(url: string): Promise<ScopeVerdict> {
    if (!url.startsWith(this.#root)) return { url, included: false, rule: `it is not below ${this.#root}` };
    const names = url.slice(this.#root.length).split('/');
    if (names.some((name) => name.startsWith('.'))) return { url, included: false, rule: hiddenRule };
    return this.#options.rule.verdict(url);
  }

  async *#walk(
    memory: EnumerationMemory,
    scope: ScopeRun,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Found | Enumerated> {
    const { client, rule, lsLr = true } = this.#options;
    const waiting = [{ url: this.#root, depth: 0 }];
    let senseless = 0;
    for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
      signal?.throwIfAborted();
      const { url, depth } = folder;
      let entries: readonly FtpEntry[];
      try {
        entries = await client.list(url, this.#asking(signal));
      } catch (error) {
        // A too long or invalid listing is a fault of that folder, unless many folders in a row have one.
        senseless = isGarnerError(error, ftpErrors.FETCH_FTP_SPEECH) ? senseless + 1 : 0;
        const isOfFolder = isAnswer(error) || (senseless > 0 && senseless < maxSilence);
        // If the root cannot be listed or the server stops answering, nothing is known of its files.
        if (depth === 0 || !isOfFolder || !isGarnerError(error)) throw error;
        yield* this.#unlisted(url, depth, error, memory);
        continue;
      }
      senseless = 0;
      const listing = depth === 0 && lsLr ? await this.#lsLr(entries, signal) : undefined;
      if (listing !== undefined) return yield* this.#listedAndKnown(listing, memory, signal);
      const folders: { url: string; depth: number }[] = [];
      for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const here = `${url}${ftpSegment(entry.name)}`;
        const met = { url: here, depth: depth + 1, discoveredFrom: url };
        const left = entry.name.startsWith('.') ? hiddenRule : leftOut[entry.kind];
        if (left !== undefined) yield { ...met, kind: 'skipped', rule: left };
        else if (entry.kind === 'file') yield { url: here, depth: depth + 1, from: url, entry };
        else {
          // Its files are one step deeper.
          const refusal =
            depth + 1 > maxDepth ? { rule: `deeper than ${maxDepth} folders` } : scope.enters(depth + 2);
          if (refusal) yield { ...met, url: `${here}/`, kind: 'skipped', ...refusal };
          else folders.push({ url: `${here}/`, depth: depth + 1 });
        }
      }
      const room = maxFolders - waiting.length;
      for (const { url: left, depth: steps } of folders.slice(room))
        yield {
          url: left,
          depth: steps,
          kind: 'skipped',
          rule: `no more than ${maxFolders} folders`,
          limit: true,
        };
      const kept = folders.slice(0, room);
      if (rule.root.search === 'depth') waiting.unshift(...kept);
      else waiting.push(...kept);
    }
  }

  /** A folder that cannot be listed: its known files are not deleted, unless the folder itself is. */
  async *#unlisted(
    url: string,
    depth: number,
    error: GarnerError,
    memory: EnumerationMemory,
  ): AsyncGenerator<Enumerated> {
    if (isGarnerError(error, ftpErrors.FETCH_FTP_REFUSED) && isMissing(error))
      yield { url, depth, kind: 'gone', reason: error.message };
    else {
      yield { url, depth, kind: 'failed', error };
      for await (const known of memory.known?.(url) ?? []) yield { url: known, depth, kind: 'failed', error };
    }
  }

  /** The text of a readable ready-made listing of everything, if there is one. */
  async #lsLr(
    entries: readonly FtpEntry[],
    signal: AbortSignal | undefined,
  ): Promise<ReadyListing | undefined> {
    for (const name of ['ls-lR.gz', 'ls-lR']) {
      if (!entries.some((entry) => entry.name === name && entry.kind === 'file')) continue;
      const url = `${this.#root}${name}`;
      try {
        const options = { maxBytes: maxLsLrBytes, ...this.#asking(signal) };
        const bytes = Buffer.from(await this.#options.client.read(url, options));
        const plain = name.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: maxLsLrBytes }) : bytes;
        const text = plain.toString('latin1');
        // An empty listing is being written now.
        if (readLsLr(text).next().done !== true) return { url, text };
      } catch (error) {
        signal?.throwIfAborted();
        // If the listing cannot be read, the folders can be.
        if (isGarnerError(error) && isBroken(error)) throw error;
      }
    }
    return undefined;
  }

  /** Request options for files and folders of this root. */
  #asking(signal: AbortSignal | undefined): FtpAskOptions {
    return { minDelayMs: (this.#options.rule.root.delaySeconds ?? 0) * 1000, signal };
  }

  /**
   * The files of a ready-made listing, then the known files that it lacks. The listing may be old or incomplete, so the
   * folders of these files are listed before a file counts as deleted.
   */
  async *#listedAndKnown(
    listing: ReadyListing,
    memory: EnumerationMemory,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Found | Enumerated> {
    const met = new UrlSet();
    for (const found of this.#listed(listing)) {
      met.add(found.url);
      yield found;
    }
    const folders = new Map<string, FilesByUrl | GarnerError>();
    for await (const known of memory.known?.(this.#root) ?? []) {
      if (met.has(known)) continue;
      const from = known.slice(0, known.lastIndexOf('/') + 1);
      const depth = known.slice(this.#root.length).split('/').length;
      const files = folders.get(from) ?? (await this.#filesOf(from, signal));
      if (folders.size >= heldFolders) folders.clear();
      folders.set(from, files);
      const entry = files instanceof Error ? undefined : files.get(known);
      if (files instanceof Error) yield { url: known, depth, kind: 'failed', error: files };
      else if (entry !== undefined) yield { url: known, depth, from, entry };
    }
  }

  /** The files of a folder, or the reason why it cannot be listed. Throws when the server is unreachable. */
  async #filesOf(url: string, signal: AbortSignal | undefined): Promise<FilesByUrl | GarnerError> {
    try {
      const entries = await this.#options.client.list(url, this.#asking(signal));
      const files = entries.filter(({ kind }) => kind === 'file');
      return new Map(files.map((entry) => [`${url}${ftpSegment(entry.name)}`, entry]));
    } catch (error) {
      if (!isAnswer(error)) throw error;
      return isGarnerError(error, ftpErrors.FETCH_FTP_REFUSED) && isMissing(error) ? new Map() : error;
    }
  }

  *#listed({ url, text }: ReadyListing): Generator<Found | Enumerated> {
    for (const { path, entry } of readLsLr(text)) {
      const here = `${this.#root}${path.map(ftpSegment).join('/')}`;
      if (here === url) continue;
      if (path.some((name) => name.startsWith('.')))
        yield { url: here, depth: path.length, discoveredFrom: url, kind: 'skipped', rule: hiddenRule };
      else yield { url: here, depth: path.length, from: url, entry };
    }
  }

  /** The item of one file. */
  async #look(
    { url, depth, from, entry }: Found,
    memory: EnumerationMemory,
    scope: ScopeRun,
    signal: AbortSignal | undefined,
  ): Promise<Enumerated> {
    const { client, clock = systemClock } = this.#options;
    const met = { url, depth, discoveredFrom: from };
    const refusal = await scope.admit(url, depth);
    if (refusal) return { ...met, kind: 'skipped', ...refusal };
    try {
      const known = await memory.recall(url);
      const state = `${entry.size.toString(36)} ${entry.listed}`;
      const racy = entry.modified === undefined && isRecent(entry.listed, clock.now());
      const [before, exact] = known?.stamp?.split('|') ?? [];
      if (before === state) {
        const now = racy ? await client.modified(url, this.#asking(signal)) : undefined;
        if (!racy || (now !== undefined && String(now) === exact))
          return { ...met, kind: 'unchanged', remember: known ?? {} };
      }
      if (entry.size > this.#maxBytes) {
        const document = abridged(url, ftpName(entry.name), unread(entry.size));
        const { md5 } = document;
        const dated = entry.modified === undefined ? document : { ...document, lastModified: entry.modified };
        return { ...met, kind: 'document', document: dated, remember: { md5, stamp: `${state}|` } };
      }
      const options = { maxBytes: this.#maxBytes, ...this.#asking(signal) };
      const { bytes, modified = entry.modified } =
        entry.modified === undefined
          ? await client.readDated(url, options)
          : { bytes: await client.read(url, options) };
      const md5 = createHash('md5').update(bytes).digest('hex');
      const remember = { md5, stamp: `${state}|${modified ?? ''}` };
      if (known?.md5 === md5) return { ...met, kind: 'unchanged', remember, readBytes: bytes.length };
      const name = ftpName(entry.name);
      const document = { url, name, bytes, md5, ...(modified !== undefined && { lastModified: modified }) };
      return { ...met, kind: 'document', document, remember };
    } catch (error) {
      signal?.throwIfAborted();
      if (!isGarnerError(error)) throw error;
      if (isGarnerError(error, fetchErrors.FETCH_TOO_LARGE))
        return { ...met, kind: 'skipped', rule: tooLargeRule(this.#maxBytes) };
      if (isGarnerError(error, ftpErrors.FETCH_FTP_REFUSED))
        // A file that its folder just listed exists, although the server refuses it.
        return isMissing(error) && !from.endsWith('/')
          ? { ...met, kind: 'gone', reason: 'the server has no such file' }
          : { ...met, kind: 'skipped', rule: 'the server does not allow it' };
      return { ...met, kind: 'failed', error };
    }
  }
}

const hiddenRule = 'its name begins with a dot';

const leftOut: Readonly<Record<FtpEntry['kind'], string | undefined>> = {
  file: undefined,
  folder: undefined,
  link: 'symbolic link',
  other: 'not a regular file',
};

/** Whether a listed date may lie within the last days: one with a time and no year is of the last half year. */
function isRecent(listed: string, nowMs: number): boolean {
  const { month, day } = /^(?<month>[A-Za-z]{3}) (?<day>\d{1,2}) \d/.exec(listed)?.groups ?? {};
  if (month === undefined || / \d{4}$/.test(listed)) return month === undefined;
  const year = new Date(nowMs).getUTCFullYear();
  return [year - 1, year, year + 1].some((guess) => {
    const ms = Date.parse(`${day} ${month} ${guess} 12:00 UTC`);
    return Number.isNaN(ms) || Math.abs(nowMs - ms) < racyMs;
  });
}

/** Whether the server refused one file or folder, or is busy. */
function isAnswer(error: unknown): error is GarnerError {
  return isGarnerError(error, ftpErrors.FETCH_FTP_REFUSED) || isGarnerError(error, ftpErrors.FETCH_FTP_BUSY);
}

/** Whether the connection is at fault and not the file. */
function isBroken(error: GarnerError): boolean {
  const { FETCH_UNREACHABLE, FETCH_REFUSED, FETCH_TIMEOUT, FETCH_INTERRUPTED } = fetchErrors;
  const kinds = [FETCH_UNREACHABLE, FETCH_REFUSED, FETCH_TIMEOUT, FETCH_INTERRUPTED];
  const { FETCH_CACHE_SILENT, FETCH_CACHE_REFUSED } = objectCacheErrors;
  const { FETCH_FTP_BOUNCE, FETCH_FTP_LOGIN } = ftpErrors;
  return [...kinds, FETCH_FTP_BOUNCE, FETCH_FTP_LOGIN, FETCH_CACHE_SILENT, FETCH_CACHE_REFUSED].some((kind) =>
    isGarnerError(error, kind),
  );
}
