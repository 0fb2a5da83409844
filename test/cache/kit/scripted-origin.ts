import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ManualClock } from '../../../kernel/index.ts';

/** A line of a message's head. */
export type Line = readonly [name: string, value: string];

/** The origin's reaction to one request. */
export interface Answer {
  /** 200 when absent. */
  readonly status?: number;
  readonly reason?: string;
  /** In this order. A Date of the clock precedes them unless they have one or `date` is false. */
  readonly fields?: readonly Line[];
  readonly date?: false;
  /** A Content-Length is added unless the fields have one; with `chunked` there is none. */
  readonly body?: string;
  readonly chunked?: boolean;
  /** Sent before the response. */
  readonly interim?: readonly { readonly status: number; readonly fields: readonly Line[] }[];
  /** Milliseconds that the clock advances between request and response. */
  readonly takesSeconds?: number;
  /** The answer waits for this. */
  readonly after?: Promise<unknown>;
  /** Bytes to send as they are, instead of a response; then the connection is closed. */
  readonly raw?: string;
  /** The connection is closed without an answer. */
  readonly reset?: boolean;
}

/** A request as received by the origin. */
export interface Asked {
  readonly method: string;
  readonly target: string;
  readonly rawFields: readonly string[];
  readonly content: string;
  /** The lines of a name, joined. */
  line(name: string): string | undefined;
}

/** The answer; a function gets the request. */
export type Step = Answer | ((asked: Asked) => Answer);

/** The lines of a name in a flat list of names and values. */
export function linesOf(rawFields: readonly string[], name: string): string[] {
  const wanted = name.toLowerCase();
  return rawFields.flatMap((value, at) =>
    at % 2 === 1 && rawFields[at - 1]?.toLowerCase() === wanted ? [value] : [],
  );
}

function askedOf(request: IncomingMessage, content: string): Asked {
  const lines = (name: string) => linesOf(request.rawHeaders, name);
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    rawFields: request.rawHeaders,
    content,
    line: (name) => (lines(name).length === 0 ? undefined : lines(name).join(', ')),
  };
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = '';
  message.setEncoding('latin1');
  for await (const piece of message) text += piece;
  return text;
}

const hasNoContent = (status: number) => status === 204 || status === 304;

/** An origin that answers each path by a script, repeats the last step, and records its requests. */
export class ScriptedOrigin implements AsyncDisposable {
  readonly #scripts = new Map<string, readonly Step[]>();
  readonly #asked = new Map<string, Asked[]>();
  readonly #server: Server;
  readonly #clock: ManualClock;

  private constructor(clock: ManualClock) {
    this.#clock = clock;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => request.socket.destroy());
    });
  }

  static async open(clock: ManualClock): Promise<ScriptedOrigin> {
    const origin = new ScriptedOrigin(clock);
    await new Promise<void>((resolve) => origin.#server.listen(0, '127.0.0.1', resolve));
    return origin;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Scheme and authority, without a slash at the end. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Set the answers of a target (path and query). */
  script(target: string, steps: readonly Step[]): void {
    this.#scripts.set(target, steps);
  }

  /** The requests for a target, oldest first. */
  asked(target: string): readonly Asked[] {
    return this.#asked.get(target) ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = askedOf(request, await textOf(request));
    const before = this.#asked.get(asked.target) ?? [];
    this.#asked.set(asked.target, [...before, asked]);
    const steps = this.#scripts.get(asked.target) ?? [{ status: 404 }];
    const step = steps[Math.min(before.length, steps.length - 1)] ?? {};
    const answer = typeof step === 'function' ? step(asked) : step;
    await answer.after;
    if (answer.takesSeconds !== undefined) this.#clock.advance(answer.takesSeconds * 1000);
    const { socket } = request;
    if (answer.reset === true) {
      socket.resetAndDestroy();
      return;
    }
    for (const { status, fields } of answer.interim ?? []) {
      const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      socket.write(`HTTP/1.1 ${status} Interim\r\n${lines}\r\n`, 'latin1');
    }
    if (answer.raw !== undefined) socket.end(answer.raw, 'latin1');
    else this.#write(response, answer, socket);
  }

  #write(response: ServerResponse, answer: Answer, socket: Socket): void {
    const { status = 200, body = '', fields = [], date, chunked } = answer;
    const has = (name: string) => fields.some(([other]) => other.toLowerCase() === name);
    const bytes = Buffer.from(body, 'latin1');
    const head = [
      ...(date === false || has('date') ? [] : ['Date', new Date(this.#clock.now()).toUTCString()]),
      ...fields.flat(),
      ...(chunked === true || has('content-length') || hasNoContent(status)
        ? []
        : ['Content-Length', String(bytes.length)]),
    ];
    response.sendDate = false;
    response.writeHead(status, answer.reason ?? 'Scripted', head);
    // A declared length larger than the content must not leave the cache waiting.
    const declared = fields.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
    if (declared !== undefined && Number(declared) > bytes.length && response.req.method !== 'HEAD')
      response.write(bytes, () => socket.destroy());
    else response.end(hasNoContent(status) ? undefined : bytes);
  }
}
