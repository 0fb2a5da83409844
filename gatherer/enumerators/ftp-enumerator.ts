import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import {
  type FtpClient,
  type FtpEntry,
  fetchErrors,
  ftpErrors,
  ftpName,
  ftpSegment,
  isMissing,
} from '../../fetch/index.ts';
import { type Clock, type GarnerError, isGarnerError, systemClock } from '../../kernel/index.ts';
import { tooLargeRule } from '../candidate-reader.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import { readLsLr } from './ls-lr.ts';
import type { ScopeRule, ScopeRun } from './scope-rule.ts';

export interface FtpEnumeratorOptions {
  /** The root's URL is a folder's: ftp://host/pub/. */
  readonly rule: ScopeRule;
  readonly client: FtpClient;
  /** Largest file that is read; 64 MiB when absent. */
  readonly maxBytes?: number;
  /** Whether a listing of everything that lies ready in the root (ls-lR, ls-lR.gz) is believed; it is when absent. */
  readonly lsLr?: boolean;
  readonly clock?: Clock;
}

interface Found {
  readonly url: string;
  readonly depth: number;
  readonly from: string;
  readonly entry: FtpEntry;
}

const deepest = 64;
const maxFolders = 1_000_000;
const maxLsLrBytes = 256 * 1024 * 1024;
/** So many files in a row that the server breaks off mean that it is gone. */
const maxSilence = 5;
/** Listed dates have minutes and no zone: what is younger than this may change without looking so. */
const racyMs = 2 * 24 * 3600 * 1000;

/**
 * Enumerates the files below a folder of an FTP server, folder by folder, each in the order of its names. A file of
 * the same size and date as last time is not fetched. Links are not followed, hidden names left out.
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
    for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
      signal?.throwIfAborted();
      const { url, depth } = folder;
      let entries: readonly FtpEntry[];
      try {
        entries = await client.list(url, signal);
      } catch (error) {
        // Nothing is known of a server whose root cannot be listed, or that stops answering.
        if (depth === 0 || !isAnswer(error)) throw error;
        yield* this.#unlisted(url, depth, error, memory);
        continue;
      }
      const listing = depth === 0 && lsLr ? await this.#lsLr(entries, scope, signal) : undefined;
      if (listing !== undefined) {
        yield* this.#listed(listing);
        return;
      }
      const folders: { url: string; depth: number }[] = [];
      for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const here = `${url}${ftpSegment(entry.name)}`;
        const met = { url: here, depth: depth + 1, discoveredFrom: url };
        const left = entry.name.startsWith('.') ? hiddenRule : leftOut[entry.kind];
        if (left !== undefined) yield { ...met, kind: 'skipped', rule: left };
        else if (entry.kind === 'file') yield { url: here, depth: depth + 1, from: url, entry };
        else {
          // The files in it are one step further down.
          const refusal =
            depth + 1 > deepest ? { rule: `deeper than ${deepest} folders` } : scope.enters(depth + 2);
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

  /** A folder that cannot be listed: what was found below it is not gone, unless the folder itself is. */
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

  /** The text of a ready-made listing of everything, when there is one that can be read. */
  async #lsLr(
    entries: readonly FtpEntry[],
    _scope: ScopeRun,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly url: string; readonly text: string } | undefined> {
    for (const name of ['ls-lR.gz', 'ls-lR']) {
      if (!entries.some((entry) => entry.name === name && entry.kind === 'file')) continue;
      const url = `${this.#root}${name}`;
      try {
        const options = { maxBytes: maxLsLrBytes, ...(signal !== undefined && { signal }) };
        const bytes = Buffer.from(await this.#options.client.read(url, options));
        const plain = name.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: maxLsLrBytes }) : bytes;
        return { url, text: plain.toString('latin1') };
      } catch (error) {
        signal?.throwIfAborted();
        // A listing that cannot be read is no loss: the folders can.
        if (isGarnerError(error) && isBroken(error)) throw error;
      }
    }
    return undefined;
  }

  *#listed({ url, text }: { readonly url: string; readonly text: string }): Generator<Found | Enumerated> {
    for (const { path, entry } of readLsLr(text)) {
      const here = `${this.#root}${path.map(ftpSegment).join('/')}`;
      if (here === url) continue;
      if (path.some((name) => name.startsWith('.')))
        yield { url: here, depth: path.length, discoveredFrom: url, kind: 'skipped', rule: hiddenRule };
      else yield { url: here, depth: path.length, from: url, entry };
    }
  }

  /** One file: unchanged, read, or what became of it. */
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
    if (entry.size > this.#maxBytes) return { ...met, kind: 'skipped', rule: tooLargeRule(this.#maxBytes) };
    try {
      const known = await memory.recall(url);
      const looks = `${entry.size.toString(36)} ${entry.listed}`;
      const racy = entry.modified === undefined && isRecent(entry.listed, clock.now());
      const [before, exact] = known?.stamp?.split('|') ?? [];
      if (before === looks) {
        const now = racy ? await client.modified(url, signal) : undefined;
        if (!racy || (now !== undefined && String(now) === exact))
          return { ...met, kind: 'unchanged', remember: known ?? {} };
      }
      const options = { maxBytes: this.#maxBytes, ...(signal && { signal }) };
      const { bytes, modified = entry.modified } =
        entry.modified === undefined
          ? await client.readDated(url, options)
          : { bytes: await client.read(url, options) };
      const md5 = createHash('md5').update(bytes).digest('hex');
      const remember = { md5, stamp: `${looks}|${modified ?? ''}` };
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
        // What its folder listed a moment ago is there, whatever the server says now.
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

/** Whether the server said of one file or folder that it will not, or not now. */
function isAnswer(error: unknown): error is GarnerError {
  return isGarnerError(error, ftpErrors.FETCH_FTP_REFUSED) || isGarnerError(error, ftpErrors.FETCH_FTP_BUSY);
}

/** Whether the connection is at fault and not the file. */
function isBroken(error: GarnerError): boolean {
  const { FETCH_UNREACHABLE, FETCH_REFUSED, FETCH_TIMEOUT, FETCH_INTERRUPTED } = fetchErrors;
  const kinds = [FETCH_UNREACHABLE, FETCH_REFUSED, FETCH_TIMEOUT, FETCH_INTERRUPTED];
  return [...kinds, ftpErrors.FETCH_FTP_BOUNCE, ftpErrors.FETCH_FTP_LOGIN].some((kind) =>
    isGarnerError(error, kind),
  );
}
