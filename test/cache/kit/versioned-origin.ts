import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object of the origin: its number decides how it is sent, its version decides its content. */
export interface Version {
  readonly number: number;
  readonly version: number;
}

// No bytes, few bytes, a little more than one piece, a separate file.
const lengths = [700, 0, 4000, 1, 66_000, 20_000, 300_000, 9000];

/** Bytes that no other object or version has, except for an empty object. */
export function contentOf({ number, version }: Version): Buffer {
  const length = lengths[number % lengths.length] ?? 0;
  const content = Buffer.alloc(length);
  let state = (Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(version + 1, 0x85ebca6b)) | 1;
  for (let at = 0; at + 4 <= length; at += 4) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    content.writeInt32LE(state, at);
  }
  if (length > 0) content[length - 1] = version & 255;
  return content;
}

const pathPattern = /^\/(?:even|odd)\/(\d+)$/;

/** The path of an object: below `/even/` or `/odd/`. */
export const pathOf = (number: number) => `/${number % 2 === 0 ? 'even' : 'odd'}/${number}`;

/** The surrogate keys of an object. */
export const tagsOf = (number: number): readonly string[] => ['all', `fifth-${number % 5}`];

/** The object and version of an ETag of the origin; undefined for another ETag. */
export function versionOf(etag: string | undefined): Version | undefined {
  const [, number, version] = /^"(\d+)-(\d+)"$/.exec(etag ?? '') ?? [];
  return version === undefined ? undefined : { number: Number(number), version: Number(version) };
}

const lasting = { 'Cache-Control': 'max-age=3600' };

interface VersionedOriginOptions {
  /** Fields of an object besides its ETag and surrogate keys, in place of an hour of freshness. */
  readonly fieldsOf?: (number: number) => Readonly<Record<string, string>>;
  /** Delay of an answer after its version is decided; absent: none. */
  readonly slowMs?: () => number;
}

/**
 * An origin whose objects change: PUT makes a new version, GET names its version in the ETag, conditional requests
 * are answered. Every third object is sent in chunks.
 */
export class VersionedOrigin implements AsyncDisposable {
  readonly #server: Server;
  readonly #versions = new Map<number, number>();
  readonly #fieldsOf: (number: number) => Readonly<Record<string, string>>;
  readonly #slowMs: () => number;
  /** Received requests, by method and path. */
  readonly asked = new Map<string, number>();

  private constructor({ fieldsOf = () => lasting, slowMs = () => 0 }: VersionedOriginOptions) {
    this.#fieldsOf = fieldsOf;
    this.#slowMs = slowMs;
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      request.resume();
      this.#answer(request, response);
    });
  }

  static async open(options: VersionedOriginOptions = {}): Promise<VersionedOrigin> {
    const origin = new VersionedOrigin(options);
    await new Promise<void>((resolve) => origin.#server.listen(0, '127.0.0.1', resolve));
    return origin;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  version(number: number): number {
    return this.#versions.get(number) ?? 0;
  }

  /** Make a new version without a notification. */
  change(number: number): number {
    const version = this.version(number) + 1;
    this.#versions.set(number, version);
    return version;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    const key = `${method} ${url}`;
    this.asked.set(key, (this.asked.get(key) ?? 0) + 1);
    const number = Number(pathPattern.exec(url)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) {
      response.writeHead(404).end();
      return;
    }
    if (method === 'PUT') {
      const version = this.change(number);
      response.writeHead(200, { 'X-Version': String(version), 'Content-Length': '0' }).end();
      return;
    }
    const version = this.version(number);
    const slowMs = this.#slowMs();
    if (slowMs === 0) this.#give(request, response, { number, version });
    else setTimeout(() => this.#give(request, response, { number, version }), slowMs);
  }

  #give(request: IncomingMessage, response: ServerResponse, { number, version }: Version): void {
    const { method = '', headers } = request;
    const etag = `"${number}-${version}"`;
    const head = {
      ...this.#fieldsOf(number),
      ETag: etag,
      'Surrogate-Key': tagsOf(number).join(' '),
    };
    const known = (headers['if-none-match'] ?? '').split(/\s*,\s*/);
    if (known.includes(etag)) {
      response.writeHead(304, head).end();
      return;
    }
    const content = contentOf({ number, version });
    if (number % 3 === 0) response.writeHead(200, head);
    else response.writeHead(200, { ...head, 'Content-Length': String(content.length) });
    response.end(method === 'HEAD' ? undefined : content);
  }
}
