import type { Readable } from 'node:stream';
import type { FileInfo } from 'basic-ftp';
import { type Clock, failure, type GarnerError, isGarnerError, systemClock } from '../../kernel/index.ts';
import {
  AddressGuard,
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  HostGates,
  isLoopbackHost,
} from '../client/index.ts';
import { fetchErrors } from '../errors.ts';
import type { FileClientOptions } from './client-options.ts';
import { ftpErrors } from './errors.ts';
import { FtpContent } from './ftp-content.ts';
import { wholeResponse } from './ftp-response.ts';
import { FtpSession } from './ftp-session.ts';
import { type FtpPlace, ftpPlace } from './ftp-urls.ts';

/** The options of an `FtpClient`. Durations in milliseconds. */
export interface FtpClientOptions extends FileClientOptions {
  /** User and password for a URL; anonymous where it gives none. */
  readonly credentials?: (url: string) => FtpLogin | undefined;
  /** Connections to one server at once, 1 when absent, and to all together, 16 when absent. */
  readonly perServer?: number;
  readonly connections?: number;
  /** How long an unused connection stays open, 20 s when absent; 0 closes it after each file. */
  readonly keepMs?: number;
  readonly maxListingBytes?: number;
}

/** Options of one file or folder. */
export interface FtpAskOptions {
  /** Min milliseconds since the request before, where that is more than the client's own delay. */
  readonly minDelayMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** User and password for this request, instead of those of the client. */
  readonly login?: FtpLogin | undefined;
}

/** The user of an FTP server; neither field holds a line break. */
export interface FtpLogin {
  readonly user: string;
  readonly password: string;
}

/** One name in a folder. */
export interface FtpEntry {
  /** The server's bytes, one character each; `ftpName` makes it readable and `ftpSegment` a part of a URL. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly size: number;
  /** Seconds since 1970, where the server gives the exact time (MLSD). */
  readonly modified?: number;
  /** The date as listed, single-spaced: `Nov 21 10:20`, or an exact one. */
  readonly listed: string;
}

export interface FtpReadOptions extends FtpAskOptions {
  readonly maxBytes?: number;
}

/** A file that was read. */
export interface FtpFile {
  readonly bytes: Uint8Array;
  /** Seconds since 1970. */
  readonly modified: number | undefined;
}

/** A file that is being read. */
export interface FtpOpened {
  readonly content: Readable;
  /** Seconds since 1970. */
  readonly modified: number | undefined;
  /** In bytes; the content has this length or fails. */
  readonly size: number | undefined;
}

const defaults = {
  perServer: 1,
  connections: 16,
  delayMs: 1000,
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 1_800_000,
  keepMs: 20_000,
  maxBytes: 64 * 1024 * 1024,
  maxListingBytes: 8 * 1024 * 1024,
};

const anonymous: FtpLogin = { user: 'anonymous', password: 'anonymous@' };

interface Line {
  session: FtpSession | undefined;
  /** The present use of the connection ends before the next begins. */
  ending: Promise<unknown>;
  waiting: number;
  idle: AbortController | undefined;
}

/** Reads FTP servers (RFC 959, 2428, 3659) in passive mode, usually by one connection to each. */
export class FtpClient implements AsyncDisposable {
  /** A file by its ftp: URL; see `Fetch`. Reply 550 is status 404, any other permanent refusal 403. */
  readonly fetch: Fetch = (request) => this.#fetch(request);
  readonly #options: typeof defaults & FtpClientOptions;
  readonly #clock: Clock;
  readonly #guard: AddressGuard;
  readonly #gates: HostGates;
  readonly #lines = new Map<string, Line>();
  readonly #closing = new AbortController();
  readonly #counts = { connections: 0, listings: 0, files: 0, bytes: 0 };

  constructor(options: FtpClientOptions = {}) {
    this.#options = { ...defaults, ...options };
    this.#clock = options.clock ?? systemClock;
    this.#guard = new AddressGuard(options.allowHosts ?? [], options.lookup);
    this.#gates = new HostGates(this.#clock, this.#options.connections, options.rate);
  }

  /** Totals so far; as many connections as files mean that no connection was used twice. */
  get counts(): Readonly<{ connections: number; listings: number; files: number; bytes: number }> {
    return { ...this.#counts };
  }

  /** The entries of the folder at an ftp: URL. Throws FETCH_*: _FTP_REFUSED for good, _FTP_BUSY for now. */
  async list(url: string, options: FtpAskOptions = {}): Promise<readonly FtpEntry[]> {
    const place = ftpPlace(url);
    const files = await this.#use(url, place, options, (session, ending) =>
      session.list(url, place.path, ending),
    );
    this.#counts.listings += 1;
    return files.flatMap((file) => entryOf(file) ?? []);
  }

  /** Seconds since 1970 of the file's last change, where the server gives it. */
  modified(url: string, options: FtpAskOptions = {}): Promise<number | undefined> {
    const place = ftpPlace(url);
    return this.#use(url, place, options, (session, ending) => session.modified(url, place.path, ending));
  }

  /** The file at an ftp: URL, whole. Throws FETCH_*; FETCH_TOO_LARGE beyond `maxBytes`. */
  async read(url: string, options: FtpReadOptions = {}): Promise<Uint8Array> {
    return (await this.#read(url, options, false)).bytes;
  }

  /** The same with its date, seconds since 1970, where the server gives one. */
  readDated(url: string, options: FtpReadOptions = {}): Promise<FtpFile> {
    return this.#read(url, options, true);
  }

  /** The file at an ftp: URL as a stream, which must be read to its end or destroyed. Fails with FETCH_*. */
  async open(url: string, options: FtpAskOptions = {}): Promise<FtpOpened> {
    const place = ftpPlace(url);
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    const content = new FtpContent(url, stop);
    let facts: Omit<FtpOpened, 'content'> = { modified: undefined, size: undefined };
    const reading = this.#use(url, place, { ...options, signal }, async (session, ending) => {
      // A second try would start from the beginning in the middle of the content.
      content.throwIfBegun();
      const modified = await session.modified(url, place.path, ending);
      const size = await session.size(url, place.path, ending);
      facts = { modified, size };
      content.expect(size);
      await session.stream(url, place.path, content, ending);
    });
    reading.then(
      () => content.finish(),
      (error: unknown) => content.fail(error),
    );
    await content.begun;
    this.#counts.files += 1;
    return { ...facts, content };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(failure(fetchErrors.FETCH_CLOSED, { url: 'an FTP file' }));
    for (const line of this.#lines.values()) {
      line.idle?.abort();
      line.session?.close();
      await line.ending.catch(() => undefined);
      line.session?.close();
    }
    this.#lines.clear();
  }

  async #read(url: string, options: FtpReadOptions, dated: boolean): Promise<FtpFile> {
    const place = ftpPlace(url);
    const { maxBytes = this.#options.maxBytes } = options;
    const file = await this.#use(url, place, options, async (session, ending) => {
      const modified = dated ? await session.modified(url, place.path, ending) : undefined;
      return { bytes: await session.read(url, place.path, maxBytes, ending), modified };
    });
    this.#counts.files += 1;
    this.#counts.bytes += file.bytes.length;
    return file;
  }

  async #fetch(request: FetchRequest): Promise<FetchResponse> {
    const { url, method, lastModified, maxBytes, minDelayMs, signal } = request;
    const asking = { minDelayMs, signal };
    const dated = (modified: number | undefined) =>
      modified === undefined ? {} : { lastModified: modified };
    if (lastModified !== undefined || method === 'HEAD') {
      const modified = await this.modified(url, asking);
      if (modified !== undefined && modified === lastModified)
        return wholeResponse(url, 304, dated(modified));
      if (method === 'HEAD') return wholeResponse(url, 200, dated(modified));
    }
    try {
      const bound = maxBytes === undefined ? {} : { maxBytes };
      const { bytes: body, modified } = await this.readDated(url, { ...asking, ...bound });
      return wholeResponse(url, 200, { ...dated(modified), body });
    } catch (error) {
      if (!isGarnerError(error, ftpErrors.FETCH_FTP_REFUSED)) throw error;
      const status = isMissing(error) ? 404 : 403;
      return wholeResponse(url, status, {});
    }
  }

  /** Run a task on the one connection to a server, after the tasks before it. */
  async #use<Result>(
    url: string,
    place: FtpPlace,
    { minDelayMs = 0, signal, login }: FtpAskOptions,
    work: (session: FtpSession, ending: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const ending = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    ending.throwIfAborted();
    const { user, password } = login ?? this.#options.credentials?.(url) ?? anonymous;
    if (/[\0\r\n]/.test(user + password))
      throw failure(ftpErrors.FETCH_FTP_LOGIN, { host: place.hostname, why: 'they hold a line break' });
    // A name without its password opens no connection of somebody else.
    const key = this.#lineTo(JSON.stringify([place.hostname, place.port, user, password]));
    const line: Line = this.#lines.get(key) ?? {
      session: undefined,
      ending: Promise.resolve(),
      waiting: 0,
      idle: undefined,
    };
    // Used last, closed last.
    this.#lines.delete(key);
    this.#lines.set(key, line);
    line.waiting += 1;
    const result = line.ending.then(async () => {
      line.idle?.abort();
      const delayMs = Math.max(isLoopbackHost(place.hostname) ? 0 : this.#options.delayMs, minDelayMs);
      const leave = await this.#gates.enter(
        place.hostname,
        { delayMs, perHost: this.#options.perServer },
        ending,
      );
      try {
        return await this.#attempt(line, { ...place, user, password }, ending, work);
      } finally {
        leave();
      }
    });
    line.ending = result
      .catch(() => undefined)
      .then(() => {
        line.waiting -= 1;
        if (line.waiting === 0) this.#rest(key, line);
      });
    return result;
  }

  /** The connection to a server with the shortest queue. */
  #lineTo(server: string): string {
    const keys = Array.from({ length: this.#options.perServer }, (_, at) => `${server} ${at}`);
    const waiting = (key: string) => this.#lines.get(key)?.waiting ?? 0;
    return keys.reduce((best, key) => (waiting(key) < waiting(best) ? key : best));
  }

  async #attempt<Result>(
    line: Line,
    login: FtpPlace & FtpLogin,
    ending: AbortSignal,
    work: (session: FtpSession, ending: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (line.session !== undefined && !line.session.closed) {
      try {
        return await work(line.session, ending);
      } catch (error) {
        // A server may have closed an idle connection: try once more on a new one.
        if (!isGarnerError(error, fetchErrors.FETCH_INTERRUPTED)) throw error;
        line.session.close();
      }
    }
    line.session = undefined;
    this.#counts.connections += 1;
    line.session = await FtpSession.open(
      { ...this.#options, ...login, guard: this.#guard, clock: this.#clock },
      ending,
    );
    return work(line.session, ending);
  }

  /** The connection is unused: close it after a while, and at once when there are too many. */
  #rest(key: string, line: Line): void {
    const drop = () => {
      if (line.waiting > 0) return;
      line.session?.close();
      if (this.#lines.get(key) === line) this.#lines.delete(key);
    };
    if (this.#options.keepMs === 0 || line.session?.closed !== false) {
      drop();
      return;
    }
    line.idle = new AbortController();
    this.#clock.sleep(this.#options.keepMs, line.idle.signal).then(drop, () => undefined);
    for (const [other, { waiting, session, idle }] of this.#lines) {
      if (this.#lines.size <= this.#options.connections) break;
      if (waiting > 0) continue;
      idle?.abort();
      session?.close();
      this.#lines.delete(other);
    }
  }
}

/** Whether a refusal may mean that there is no such file or folder: only reply 550 does (RFC 959 4.2.2). */
export function isMissing({ data }: GarnerError): boolean {
  return typeof data === 'object' && data !== null && 'code' in data && data.code === 550;
}

/** An entry of a listing, or undefined for a name that no server may list. */
function entryOf(file: FileInfo): FtpEntry | undefined {
  const { name, size, modifiedAt, rawModifiedAt } = file;
  if (name === '' || name === '.' || name === '..' || /[/\0\r\n]/.test(name)) return undefined;
  const ms = modifiedAt?.getTime() ?? Number.NaN;
  return {
    name,
    kind: file.isDirectory ? 'folder' : file.isSymbolicLink ? 'link' : file.isFile ? 'file' : 'other',
    size: Number.isSafeInteger(size) && size >= 0 ? size : 0,
    ...(Number.isFinite(ms) && ms >= 0 && { modified: Math.floor(ms / 1000) }),
    listed: (rawModifiedAt ?? '').replace(/\s+/g, ' ').slice(0, 40),
  };
}
