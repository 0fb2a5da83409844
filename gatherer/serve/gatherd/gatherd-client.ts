import { connect, type Socket } from 'node:net';
import { type Clock, failure, isGarnerError } from '../../../kernel/index.ts';
import { LineConnection } from '../../../line-protocol/index.ts';
import { parseSoif, type SummaryObject } from '../../../soif/index.ts';
import { gatherdErrors } from './errors.ts';
import { gzipMember } from './gzip-member.ts';

export interface GatherdAddress {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** Max time without data from the server. */
  readonly idleSeconds?: number;
  readonly signal?: AbortSignal;
}

const LF = 10;
const TAB = 9;
const maxLine = 16 * 1024;
const chunkBytes = 64 * 1024;
const defaultIdleSeconds = 120;

const status = /^(\d{3})\b[ \t-]*(.*?)[\r\n]*$/;
const begins = /^[04]00$/;
const ends = /^[04]99$/;

/** A client of gatherd (Harvest's `gather`): one connection, one command at a time. */
export class GatherdClient implements AsyncDisposable {
  /** The server's greeting. */
  readonly greeting: string;
  readonly #socket: Socket;
  readonly #connection: LineConnection;
  #busy = false;

  private constructor(socket: Socket, connection: LineConnection, greeting: string) {
    this.#socket = socket;
    this.#connection = connection;
    this.greeting = greeting;
  }

  /** Connect to a server and read its greeting. Throws GATHERD_UNREACHABLE, GATHERD_PROTOCOL and GATHERD_REFUSED. */
  static async connect(address: GatherdAddress): Promise<GatherdClient> {
    const { host, port, clock, idleSeconds = defaultIdleSeconds, signal } = address;
    const socket = connect({ host, port, noDelay: true, ...(signal && { signal }) });
    const connection = new LineConnection(socket, clock, idleSeconds);
    try {
      const line = await connection.until([LF], maxLine);
      if (line === undefined) throw failure(gatherdErrors.GATHERD_PROTOCOL, { problem: 'it sends nothing' });
      const [, code = '', text = ''] = status.exec(line.toString('latin1')) ?? [];
      if (ends.test(code)) throw refused('the connection', text);
      if (!begins.test(code) || !/^HELLO\b/i.test(text))
        throw failure(gatherdErrors.GATHERD_PROTOCOL, { problem: 'it does not greet' });
      return new GatherdClient(socket, connection, text);
    } catch (error) {
      socket.destroy();
      signal?.throwIfAborted();
      if (isGarnerError(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw failure(gatherdErrors.GATHERD_UNREACHABLE, { address: host, port, reason }, error);
    }
  }

  /** Greet; resolves to the server's answer. */
  hello(name: string): Promise<string> {
    return this.#line(`HELLO ${name}`);
  }

  /** Compress the following transfers. Throws GATHERD_REFUSED when the server cannot. */
  async compress(): Promise<void> {
    await this.#line('SET compression');
  }

  /** The list of commands, for people. */
  async help(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#transfer('HELP')) chunks.push(chunk);
    return Buffer.concat(chunks).toString('latin1');
  }

  /** The Gatherer's description of itself. Throws GATHERD_REFUSED when there is none. */
  info(): Promise<SummaryObject> {
    return this.#one('INFO');
  }

  /** One object by its identifier. Throws GATHERD_REFUSED when there is none. */
  object(id: string): Promise<SummaryObject> {
    return this.#one(`SEND-OBJECT ${id}`);
  }

  /** The changes since a time in seconds since 1970, everything for 0, as SOIF text in sections. */
  updates(since: number): AsyncIterable<Uint8Array> {
    return this.#transfer(`SEND-UPDATE ${since}`);
  }

  /** Send QUIT and close. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (!this.#busy && !this.#socket.destroyed) await this.#connection.send('QUIT\n');
    } catch {
      // It is closed already.
    }
    this.#socket.destroySoon();
  }

  async #one(command: string): Promise<SummaryObject> {
    let found: SummaryObject | undefined;
    for await (const { object } of parseSoif(this.#transfer(command))) found ??= object;
    if (found === undefined) throw failure(gatherdErrors.GATHERD_PROTOCOL, { problem: 'it sent no object' });
    return found;
  }

  async #line(command: string): Promise<string> {
    await this.#send(command);
    try {
      const [code, text] = await this.#status();
      if (!begins.test(code)) throw refused(command, text);
      return text;
    } finally {
      this.#busy = false;
    }
  }

  async *#transfer(command: string): AsyncGenerator<Uint8Array, void, undefined> {
    await this.#send(command);
    let whole = false;
    try {
      const [code, text] = await this.#status();
      if (ends.test(code)) {
        whole = true;
        throw refused(command, text);
      }
      if (!begins.test(code))
        throw failure(gatherdErrors.GATHERD_PROTOCOL, { problem: `it answers ${code}` });
      const first = await this.#connection.some(1);
      if (first !== undefined) this.#connection.unread(first);
      // An uncompressed answer cannot be mistaken for gzip, because SOIF is text.
      if (first?.[0] === 0x1f) yield* gzipMember(this.#connection);
      yield* this.#plain();
      whole = true;
    } finally {
      this.#busy = false;
      // The rest of an unread transfer would precede the next answer.
      if (!whole) this.#socket.destroy();
    }
  }

  /** Data up to its end line; values are read by their size. */
  async *#plain(): AsyncGenerator<Uint8Array, void, undefined> {
    let fresh = true;
    for (;;) {
      const piece = await this.#connection.until([LF, TAB], maxLine);
      if (piece === undefined) throw cut();
      const text = fresh ? piece.toString('latin1') : '';
      const [, code = ''] = status.exec(text) ?? [];
      if (ends.test(code)) {
        if (piece.at(-1) === TAB) await this.#connection.until([LF], maxLine);
        return;
      }
      const isStatus = begins.test(code) && piece.at(-1) === LF;
      if (!isStatus) yield piece;
      fresh = piece.at(-1) === LF;
      const size = /^\s*[^\s{}]{1,300}\{(\d{1,15})\}:\t$/.exec(text)?.[1];
      if (size !== undefined) yield* this.#value(Number(size));
    }
  }

  async *#value(size: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (let left = size; left > 0; ) {
      const part = await this.#connection.some(Math.min(left, chunkBytes));
      if (part === undefined) throw cut();
      left -= part.length;
      yield part;
    }
  }

  async #status(): Promise<readonly [code: string, text: string]> {
    const line = await this.#connection.until([LF], maxLine);
    if (line === undefined) throw cut();
    const match = status.exec(line.toString('latin1'));
    if (match === null)
      throw failure(gatherdErrors.GATHERD_PROTOCOL, { problem: 'it answers without a code' });
    return [match[1] as string, match[2] as string];
  }

  async #send(command: string): Promise<void> {
    if (this.#busy) throw new TypeError('a gatherd connection carries one command at a time');
    if (/[\r\n]/.test(command)) throw new TypeError('a command is one line');
    this.#busy = true;
    try {
      await this.#connection.send(`${command}\n`);
    } catch (error) {
      this.#busy = false;
      throw failure(gatherdErrors.GATHERD_PROTOCOL, { problem: 'it has closed the connection' }, error);
    }
  }
}

function refused(command: string, answer: string) {
  return failure(gatherdErrors.GATHERD_REFUSED, {
    command: command.split(' ')[0] ?? command,
    answer: answer.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 300),
  });
}

const cut = () => failure(gatherdErrors.GATHERD_PROTOCOL, { problem: 'it broke off' });
