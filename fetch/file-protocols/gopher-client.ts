import { connect } from 'node:net';
import { type Clock, failure, GarnerError, systemClock } from '../../kernel/index.ts';
import {
  AddressGuard,
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  HostGates,
  isLoopbackHost,
} from '../client/index.ts';
import { connectFault, faultOf, fetchErrors } from '../errors.ts';
import type { FileClientOptions } from './client-options.ts';
import { gopherErrors } from './errors.ts';
import { wholeResponse } from './ftp-response.ts';
import { type GopherMenu, parseMenu, unstuffText } from './gopher-menu.ts';
import { type GopherPlace, gopherLine, gopherPlace } from './gopher-urls.ts';
import { IdleTimer } from './idle-timer.ts';

const defaults = {
  delayMs: 1000,
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 300_000,
  maxBytes: 64 * 1024 * 1024,
};

/** The options of one request. */
type Asking = Pick<FetchRequest, 'minDelayMs' | 'signal'> & { readonly maxBytes: number };

const maxMenuBytes = 8 * 1024 * 1024;

const contentTypes: Readonly<Record<string, string>> = { h: 'text/html', g: 'image/gif' };

/**
 * Fetches items from Gopher servers (RFC 1436): a connection per item, one line there, the answer until its end
 * back.
 */
export class GopherClient {
  /** An item by its gopher: URL; see `Fetch`. An item for which the server has only an error is status 404. */
  readonly fetch: Fetch = (request) => this.#fetch(request);
  readonly #options: typeof defaults;
  readonly #clock: Clock;
  readonly #guard: AddressGuard;
  readonly #gates: HostGates;

  constructor(options: FileClientOptions = {}) {
    this.#options = { ...defaults, ...options };
    this.#clock = options.clock ?? systemClock;
    this.#guard = new AddressGuard(options.allowHosts ?? [], options.lookup);
    this.#gates = new HostGates(this.#clock, 16, options.rate);
  }

  /** The menu at a gopher: URL. Throws FETCH_*; FETCH_GOPHER_MENU when the answer is not a menu. */
  async menu(url: string, signal?: AbortSignal, minDelayMs?: number): Promise<GopherMenu> {
    const ask = () => this.#ask(url, gopherPlace(url), { maxBytes: maxMenuBytes, minDelayMs, signal });
    // A server at its limit, or busy with this menu, closes at once; an empty menu has its last line.
    let bytes = await ask();
    if (bytes.length === 0) bytes = await ask();
    if (bytes.length === 0)
      throw failure(gopherErrors.FETCH_GOPHER_MENU, { url, why: 'the server closes without an answer' });
    const menu = parseMenu(bytes);
    const said = menu.items.find(({ type }) => type === '3');
    if (said && menu.items.every(({ type }) => type === '3' || type === 'i'))
      throw failure(gopherErrors.FETCH_GOPHER_MENU, {
        url,
        why: `the server says "${said.label.slice(0, 100)}"`,
        isMissing: true,
      });
    if (menu.items.length === 0 && menu.broken > 0)
      throw failure(gopherErrors.FETCH_GOPHER_MENU, { url, why: 'none of its lines is an item' });
    return menu;
  }

  async #fetch({
    url,
    maxBytes = this.#options.maxBytes,
    minDelayMs,
    signal,
  }: FetchRequest): Promise<FetchResponse> {
    const place = gopherPlace(url);
    const bytes = await this.#ask(url, place, { maxBytes, minDelayMs, signal });
    // Instead of a document an error comes as a menu of one line.
    if (place.type !== '1' && isErrorLine(bytes)) return wholeResponse(url, 404, {});
    const body = place.type === '0' ? unstuffText(bytes) : bytes;
    const contentType = contentTypes[place.type];
    return wholeResponse(url, 200, { body, ...(contentType !== undefined && { contentType }) });
  }

  async #ask(
    url: string,
    place: GopherPlace,
    { maxBytes, minDelayMs = 0, signal = new AbortController().signal }: Asking,
  ): Promise<Uint8Array> {
    const { hostname, port } = place;
    this.#guard.checkLiteral(hostname, port);
    const delayMs = Math.max(isLoopbackHost(hostname) ? 0 : this.#options.delayMs, minDelayMs);
    const leave = await this.#gates.enter(hostname, { delayMs, perHost: 2 }, signal);
    try {
      return await this.#exchange(url, place, maxBytes, signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : this.#explain(url, place, error);
    } finally {
      leave();
    }
  }

  #exchange(url: string, place: GopherPlace, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const { connectTimeoutMs, idleTimeoutMs, totalTimeoutMs } = this.#options;
    const { hostname, port } = place;
    const lookup = this.#guard.isTyped(hostname, port) ? this.#guard.openLookup : this.#guard.guardedLookup;
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port, lookup, autoSelectFamily: true });
      const late = (what: string, ms: number) => () =>
        end(failure(fetchErrors.FETCH_TIMEOUT, { url, what, seconds: ms / 1000 }));
      const connecting = new IdleTimer(this.#clock, connectTimeoutMs, late('connecting', connectTimeoutMs));
      const silence = new IdleTimer(
        this.#clock,
        idleTimeoutMs + connectTimeoutMs,
        late('a pause in the answer', idleTimeoutMs),
      );
      const total = new IdleTimer(this.#clock, totalTimeoutMs, late('the answer', totalTimeoutMs));
      const chunks: Buffer[] = [];
      let length = 0;
      const abort = () => end(signal.reason);
      const end = (error?: unknown) => {
        signal.removeEventListener('abort', abort);
        for (const timer of [connecting, silence, total]) timer[Symbol.dispose]();
        socket.destroy();
        if (error === undefined) resolve(Buffer.concat(chunks));
        else reject(error);
      };
      signal.addEventListener('abort', abort, { once: true });
      socket.once('connect', () => {
        connecting[Symbol.dispose]();
        silence.heard();
        socket.write(`${gopherLine(place)}\r\n`, 'latin1');
      });
      socket.on('data', (chunk) => {
        silence.heard();
        length += chunk.length;
        if (length > maxBytes) end(failure(fetchErrors.FETCH_TOO_LARGE, { url, maxBytes }));
        else chunks.push(chunk);
      });
      socket.once('error', end);
      socket.once('end', () => end());
      socket.once('close', () => end());
    });
  }

  #explain(url: string, { hostname, port }: GopherPlace, error: unknown): unknown {
    if (error instanceof GarnerError) return error;
    const unconnected = connectFault(error, hostname, `${hostname}:${port}`);
    if (unconnected !== undefined) return unconnected;
    const { code, why } = faultOf(error);
    if (code === 'ECONNRESET' || code === 'EPIPE')
      return failure(fetchErrors.FETCH_INTERRUPTED, { url, why }, error);
    return failure(fetchErrors.FETCH_UNREACHABLE, { url, why }, error);
  }
}

/** Whether a server said itself that it has no menu of this name. */
export function isMissingMenu({ data }: GarnerError): boolean {
  return typeof data === 'object' && data !== null && 'isMissing' in data;
}

/** Whether an answer is a server's error item: `3`, a text, and the fields of a menu behind it. */
function isErrorLine(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x33 || bytes.length > 4096) return false;
  const { items, broken } = parseMenu(bytes);
  return items.length > 0 && broken === 0 && items.every(({ type }) => type === '3' || type === 'i');
}
