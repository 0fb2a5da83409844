import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connectFault, fetchErrors, IdleTimer, type TokenBucket } from '../../../fetch/index.ts';
import { type Clock, failure, GarnerError } from '../../../kernel/index.ts';
import { LineReader, tooLong } from '../line-reader.ts';
import { rootErrors } from '../root-errors.ts';

export interface NewsSessionOptions {
  readonly hostname: string;
  readonly port: number;
  /** TLS from the first byte (nntps). */
  readonly tls?: boolean;
  readonly login?: { readonly user: string; readonly password: string } | undefined;
  readonly clock: Clock;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Max time for one answer, a quarter of an hour when absent. */
  readonly totalTimeoutMs?: number;
  /** Max size of an answer, 256 MiB when absent. */
  readonly maxAnswerBytes?: number;
  /** Min milliseconds between two commands after the greeting; none when absent. */
  readonly delayMs?: number;
  /** Rate of commands; no limit when absent. */
  readonly rate?: TokenBucket | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A server's reply to a command: a code of three digits and a text. */
export interface NewsReply {
  readonly code: number;
  readonly text: string;
}

// RFC 3977 3.1 allows 512 bytes; real servers send more.
const maxReply = 4096;
/** Max line of a list, such as an overview with many references. */
const maxListLine = 64 * 1024;

/** One connection to a news server (RFC 3977), one command at a time. */
export class NewsSession implements AsyncDisposable {
  readonly #options: NewsSessionOptions;
  readonly #socket: Socket;
  readonly #reader: LineReader;
  readonly #host: string;
  readonly #abort: () => void;
  #timer: IdleTimer;
  #fault: unknown;
  /** Time of the last command, and bytes of its answer. */
  #sentAt: number;
  #answerBytes = 0;

  private constructor(options: NewsSessionOptions) {
    this.#options = options;
    const { hostname, port, tls = false, clock, connectTimeoutMs = 10_000, signal } = options;
    this.#host = `${hostname}:${port}`;
    this.#sentAt = clock.now();
    signal?.throwIfAborted();
    const place = { host: hostname, port };
    this.#socket = tls ? connectTls({ ...place, servername: hostname }) : connect(place);
    this.#socket.once('error', (error) => {
      this.#fault ??= error;
    });
    this.#timer = new IdleTimer(clock, connectTimeoutMs, () => this.#late('connecting', connectTimeoutMs));
    this.#abort = () => this.#end(signal?.reason);
    signal?.addEventListener('abort', this.#abort, { once: true });
    this.#reader = new LineReader(this.#heard());
  }

  /** Connect, log in if needed, and enter reader mode. Throws FETCH_* or GATHERER_NEWS. */
  static async open(options: NewsSessionOptions): Promise<NewsSession> {
    const session = new NewsSession(options);
    try {
      await session.#greet();
      return session;
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Send a command and read the first line of the reply. Throws GATHERER_NEWS for an invalid reply. */
  async command(line: string): Promise<NewsReply> {
    // A name from a list or a URL must not become a second command.
    if (/[\0\r\n]/.test(line)) throw this.#news('a command may hold no line break');
    this.#throwIfBroken();
    const { login, rate, signal, clock, delayMs = 0 } = this.#options;
    // The server is silent while the command waits here.
    this.#timer.rest();
    const wait = this.#sentAt + delayMs - clock.now();
    if (delayMs > 0 && wait > 0) await clock.sleep(wait, signal);
    await rate?.waitUntil(rate.take(), signal);
    this.#throwIfBroken();
    this.#timer.heard();
    this.#sentAt = clock.now();
    this.#answerBytes = 0;
    this.#socket.write(`${line}\r\n`, 'latin1');
    const reply = await this.#reply();
    if (reply.code !== 480 || login === undefined || line.startsWith('AUTHINFO')) return reply;
    await this.#login(login);
    return this.command(line);
  }

  /** The lines of a multi-line answer without dot-stuffing; too long lines are left out. Read it to its end. */
  async *lines(): AsyncGenerator<string> {
    for (;;) {
      const line = await this.#line(maxListLine);
      if (line === tooLong) continue;
      const text = line.toString('latin1').replace(/\r$/, '');
      if (text === '.') return;
      yield text.startsWith('.') ? text.slice(1) : text;
    }
  }

  /** A multi-line answer as one block without dot-stuffing, lines ended by LF; undefined beyond `maxBytes`. */
  async block(maxBytes: number): Promise<Uint8Array | undefined> {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const line = await this.#line(maxBytes);
      if (line === tooLong) {
        length = maxBytes + 1;
        continue;
      }
      const bare = line.at(-1) === 0x0d ? line.subarray(0, -1) : line;
      if (bare.length === 1 && bare[0] === 0x2e) break;
      const plain = bare[0] === 0x2e ? bare.subarray(1) : bare;
      length += plain.length + 1;
      if (length <= maxBytes) parts.push(plain, newline);
      else parts.length = 0;
    }
    return length > maxBytes ? undefined : Buffer.concat(parts);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer[Symbol.dispose]();
    this.#options.signal?.removeEventListener('abort', this.#abort);
    if (!this.#socket.destroyed) this.#socket.end('QUIT\r\n');
    this.#socket.destroy();
  }

  async #greet(): Promise<void> {
    const { idleTimeoutMs = 30_000, clock, login } = this.#options;
    const { code, text } = await this.#reply();
    this.#timer[Symbol.dispose]();
    this.#timer = new IdleTimer(clock, idleTimeoutMs, () => this.#late('an answer', idleTimeoutMs));
    if (code !== 200 && code !== 201) throw this.#news(`it greets with ${code} ${text}`);
    if (login !== undefined) await this.#login(login);
    // Servers in reader mode already answer with an error.
    await this.command('MODE READER');
  }

  async #login({ user, password }: { readonly user: string; readonly password: string }): Promise<void> {
    const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
    let reply = await this.command(`AUTHINFO USER ${bytes(user)}`);
    if (reply.code === 381) reply = await this.command(`AUTHINFO PASS ${bytes(password)}`);
    if (reply.code !== 281) throw this.#news(`it refuses the user name or password (${reply.code})`);
  }

  async #reply(): Promise<NewsReply> {
    const line = await this.#line(maxReply);
    const found = line === tooLong ? null : /^([1-5]\d\d)(?: (.*))?\r?$/.exec(line.toString('latin1'));
    if (!found) throw this.#end(this.#news('its answer is not NNTP'));
    const reply = { code: Number(found[1]), text: (found[2] ?? '').trim().slice(0, 500) };
    if (reply.code === 400) throw this.#end(this.#news(`it closes the connection (${reply.text})`));
    return reply;
  }

  async #line(maxBytes: number): Promise<Buffer | typeof tooLong> {
    const line = await this.#reader.line(maxBytes);
    this.#throwIfBroken();
    if (line !== undefined) return line;
    throw failure(fetchErrors.FETCH_INTERRUPTED, {
      url: `nntp://${this.#host}/`,
      why: 'the server closed it',
    });
  }

  async *#heard(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#socket) {
        // The server is silent between two commands.
        this.#timer.rest();
        this.#bound((chunk as Uint8Array).length);
        yield chunk as Uint8Array;
        this.#timer.heard();
      }
    } catch (error) {
      this.#fault ??= error;
    }
  }

  /** Abort an answer that is too large or too slow: an endless answer would block a run. */
  #bound(bytes: number): void {
    const { clock, maxAnswerBytes = 256 * 1024 * 1024, totalTimeoutMs = 900_000 } = this.#options;
    this.#answerBytes += bytes;
    if (this.#answerBytes > maxAnswerBytes)
      this.#end(this.#news(`it sends more than ${maxAnswerBytes} bytes for one command`));
    else if (clock.now() - this.#sentAt > totalTimeoutMs) this.#late('an answer', totalTimeoutMs);
  }

  #late(what: string, ms: number): void {
    this.#end(failure(fetchErrors.FETCH_TIMEOUT, { url: `nntp://${this.#host}/`, what, seconds: ms / 1000 }));
  }

  /** Break the connection for a reason, and return the reason. */
  #end(reason: unknown): unknown {
    this.#fault ??= reason;
    this.#socket.destroy();
    return reason;
  }

  #news(why: string): GarnerError {
    return failure(rootErrors.GATHERER_NEWS, { host: this.#host, why });
  }

  #throwIfBroken(): void {
    const fault = this.#fault;
    if (fault === undefined) return;
    const { signal, hostname } = this.#options;
    if (fault instanceof GarnerError || signal?.aborted) throw fault;
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : '';
    const unconnected = connectFault(fault, hostname, this.#host);
    if (unconnected !== undefined) throw unconnected;
    const why = code || String(fault);
    throw failure(fetchErrors.FETCH_UNREACHABLE, { url: `nntp://${this.#host}/`, why }, fault);
  }
}

const newline = Buffer.from('\n');
