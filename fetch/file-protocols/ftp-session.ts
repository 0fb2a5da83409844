import { isIP } from 'node:net';
import { Writable } from 'node:stream';
import type { Client, FileInfo, FTPError } from 'basic-ftp';
import { type Clock, failure, GarnerError } from '../../kernel/index.ts';
import type { AddressGuard } from '../client/index.ts';
import { connectFault, faultOf, fetchErrors } from '../errors.ts';
import { ftpErrors } from './errors.ts';
import type { FtpContent } from './ftp-content.ts';
import { IdleTimer } from './idle-timer.ts';

export interface FtpSessionOptions {
  readonly hostname: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly guard: AddressGuard;
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxListingBytes: number;
}

/** Text as the bytes of its UTF-8, one character each: the form of all text on this connection. */
const asBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** Whether the server refused the command, which leaves the connection usable. */
const isRefusal = (error: unknown): error is FTPError => error instanceof Error && error.name === 'FTPError';

/** One control connection, logged in. One command at a time; after any error except a refusal it is closed. */
export class FtpSession {
  readonly #client: Client;
  readonly #options: FtpSessionOptions;
  readonly host: string;
  #home = '/';
  #features: ReadonlySet<string> = new Set();

  private constructor(options: FtpSessionOptions, client: Client) {
    this.#options = options;
    this.host = `${options.hostname}:${options.port}`;
    this.#client = client;
    // Names are bytes: in any encoding, they come back as they were sent.
    this.#client.ftp.encoding = 'latin1';
  }

  /** Connect and log in. Throws FETCH_* without an answer, at a private address, or at a refused login. */
  static async open(options: FtpSessionOptions, signal: AbortSignal): Promise<FtpSession> {
    // Few users gather from FTP servers: the others do not wait for the library.
    const { Client: Library } = await import('basic-ftp');
    // Time is measured here, by the given clock, hence 0.
    const client = new Library(0, {
      allowSeparateTransferHost: false,
      maxListingBytes: options.maxListingBytes,
    });
    const session = new FtpSession(options, client);
    await session.#timed(options.connectTimeoutMs, 'connecting', signal, () => session.#connect());
    return session;
  }

  get closed(): boolean {
    return this.#client.closed;
  }

  close(): void {
    this.#client.close();
  }

  /** The entries of a folder, as the server lists them; `path` as in `FtpPlace`. */
  list(url: string, path: string, signal: AbortSignal): Promise<readonly FileInfo[]> {
    return this.#command(url, 'listing a folder', signal, async (timer) => {
      await this.#client.cd(this.#absolute(path) || '/');
      let bytes = 0;
      this.#client.trackProgress((progress) => {
        if (progress.bytesOverall !== bytes) timer.heard();
        bytes = progress.bytesOverall;
      });
      try {
        return await this.#client.list();
      } finally {
        this.#client.trackProgress();
      }
    });
  }

  /** Seconds since 1970 of the last change (MDTM, RFC 3659), or undefined where the server does not give it. */
  modified(url: string, path: string, signal: AbortSignal): Promise<number | undefined> {
    return this.#command(url, 'asking for a date', signal, async () => {
      if (!this.#features.has('MDTM')) return undefined;
      try {
        const seconds = Math.floor((await this.#client.lastMod(this.#absolute(path))).getTime() / 1000);
        return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
      } catch (error) {
        if (isRefusal(error)) return undefined;
        throw error;
      }
    });
  }

  /** A whole file. Throws FETCH_TOO_LARGE beyond `maxBytes`. */
  read(url: string, path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    return this.#command(url, 'a pause in a file', signal, async (timer) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const sink = new Writable({
        write(chunk: Buffer, _encoding, done) {
          timer.heard();
          length += chunk.length;
          if (length > maxBytes) return done(failure(fetchErrors.FETCH_TOO_LARGE, { url, maxBytes }));
          chunks.push(chunk);
          done();
        },
      });
      await this.#client.downloadTo(sink, this.#absolute(path));
      return Buffer.concat(chunks);
    });
  }

  /** The size of a file in bytes (SIZE, RFC 3659), or undefined where the server does not give it. */
  size(url: string, path: string, signal: AbortSignal): Promise<number | undefined> {
    return this.#command(url, 'asking for a size', signal, async () => {
      if (!this.#features.has('SIZE')) return undefined;
      try {
        const size = await this.#client.size(this.#absolute(path));
        return Number.isSafeInteger(size) && size >= 0 ? size : undefined;
      } catch (error) {
        const isOdd = error instanceof Error && error.message.startsWith("Can't parse response");
        if (isRefusal(error) || isOdd) return undefined;
        throw error;
      }
    });
  }

  /** A file piece by piece; resolves when the server confirms the end. */
  stream(url: string, path: string, content: FtpContent, signal: AbortSignal): Promise<void> {
    return this.#command(url, 'a pause in a file', signal, async (timer) => {
      const sink = new Writable({
        write(chunk: Buffer, _encoding, done) {
          timer.heard();
          // The server is not to blame for a slow reader.
          const goOn = () => {
            timer.heard();
            done();
          };
          if (content.offer(chunk, goOn)) done();
          else timer.rest();
        },
      });
      await this.#client.downloadTo(sink, this.#absolute(path));
    });
  }

  #absolute(path: string): string {
    return path.startsWith('/') ? path : `${this.#home}${path}`;
  }

  async #connect(): Promise<void> {
    const { port, user, password } = this.#options;
    let last: unknown;
    for (const address of await this.#addresses()) {
      try {
        await this.#client.access({ host: address, port, user: asBytes(user), password: asBytes(password) });
        last = undefined;
        break;
      } catch (error) {
        if (isRefusal(error)) {
          this.close();
          const why = error.message.slice(0, 200);
          throw error.code === 530 || error.code === 332 || error.code === 430
            ? failure(ftpErrors.FETCH_FTP_LOGIN, { host: this.host, why }, error)
            : failure(ftpErrors.FETCH_FTP_SPEECH, { host: this.host, why }, error);
        }
        last = error;
      }
    }
    if (last !== undefined) throw last;
    this.#features = new Set((await this.#client.features()).keys());
    // Hidden files are private.
    this.#client.availableListCommands = this.#features.has('MLST') ? ['MLSD', 'LIST'] : ['LIST'];
    const home = await this.#client.pwd();
    this.#home = home.endsWith('/') ? home : `${home}/`;
  }

  /** Allowed addresses, in the resolver's order. */
  async #addresses(): Promise<readonly string[]> {
    const { guard, hostname, port } = this.#options;
    guard.checkLiteral(hostname, port);
    if (isIP(hostname) !== 0) return [hostname];
    const lookup = guard.isTyped(hostname, port) ? guard.openLookup : guard.guardedLookup;
    return new Promise((resolve, reject) => {
      lookup(hostname, { all: true }, (error, answer) => {
        if (error) reject(error);
        else resolve(Array.isArray(answer) ? answer.map(({ address }) => address) : [answer]);
      });
    });
  }

  async #command<Result>(
    url: string,
    what: string,
    signal: AbortSignal,
    work: (timer: IdleTimer) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#timed(this.#options.idleTimeoutMs, what, signal, work, url);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const why = error.message.slice(0, 200);
      if (error.code === 421) throw failure(fetchErrors.FETCH_INTERRUPTED, { url, why }, error);
      const { code } = error;
      // RFC 959 4.2.1: 4yz is a passing fault, which says nothing about the file.
      const kind = code < 500 ? ftpErrors.FETCH_FTP_BUSY : ftpErrors.FETCH_FTP_REFUSED;
      throw failure(kind, { url, code, why }, error);
    }
  }

  /** Run a task within the limits of silence and time and the signal; each of these closes the connection. */
  async #timed<Result>(
    ms: number,
    what: string,
    signal: AbortSignal,
    work: (timer: IdleTimer) => Promise<Result>,
    url = `ftp://${this.host}/`,
  ): Promise<Result> {
    signal.throwIfAborted();
    let ended: unknown;
    let end: (reason: unknown) => void = () => undefined;
    const cut = new Promise<never>((_, reject) => {
      end = (reason) => {
        ended = reason;
        this.close();
        reject(reason);
      };
    });
    cut.catch(() => undefined);
    const abort = () => end(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const { clock, totalTimeoutMs } = this.#options;
    const late = (slow: string, limitMs: number) => () =>
      end(failure(fetchErrors.FETCH_TIMEOUT, { url, what: slow, seconds: limitMs / 1000 }));
    using timer = new IdleTimer(clock, ms, late(what, ms));
    // An occasional byte breaks the silence, and would hold a run for ever.
    using _total = new IdleTimer(clock, totalTimeoutMs, late('the answer', totalTimeoutMs));
    const working = work(timer);
    working.catch(() => undefined);
    try {
      return await Promise.race([working, cut]);
    } catch (error) {
      if (ended !== undefined) throw ended;
      if (isRefusal(error)) throw error;
      this.close();
      throw this.#explain(url, error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** The typed error for an error of a socket, a resolver or the library. */
  #explain(url: string, error: unknown): unknown {
    if (error instanceof GarnerError) return error;
    const { hostname, port } = this.#options;
    const { code, why } = faultOf(error);
    const unconnected = connectFault(error, hostname, `${hostname}:${port}`);
    if (unconnected !== undefined) return unconnected;
    const text = error instanceof Error ? error.message : String(error);
    const bounce = /another host \(([^)]{1,60})\)/.exec(text);
    if (bounce)
      return failure(ftpErrors.FETCH_FTP_BOUNCE, { host: this.host, address: bounce[1] ?? '' }, error);
    if (/only supports MLSD|Can't parse|strategies work|exceeded|too big|maximum/i.test(text))
      return failure(ftpErrors.FETCH_FTP_SPEECH, { host: this.host, why: text.slice(0, 200) }, error);
    if (/unexpectedly|transmission error|ECONNRESET|EPIPE/.test(`${text} ${code}`))
      return failure(fetchErrors.FETCH_INTERRUPTED, { url, why: text.slice(0, 200) }, error);
    return failure(fetchErrors.FETCH_UNREACHABLE, { url, why }, error);
  }
}
