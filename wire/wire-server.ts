import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { ClientSlots, clientOf, failure, type Sender } from '../kernel/index.ts';
import { type Authorise, bearerToken } from './bearer-tokens.ts';
import { wireErrors } from './errors.ts';
import { callerRefused } from './events.ts';
import { shakeHands } from './handshake.ts';
import type { Peer } from './hello.ts';
import { defaultInflater } from './inflater.ts';
import { type CountedSocket, Link, subProtocol, webSocketOptions } from './link.ts';
import { type EndOptions, LinkSession, type Session } from './session.ts';
import { type WireLimits, wireLimits } from './settings.ts';

export interface WireServerOptions extends EndOptions {
  /** Every caller may have a session when absent. */
  readonly authorise?: Authorise;
  /** Web origins beside the server's own whose pages may connect. */
  readonly origins?: readonly string[];
  /** Called for each session once its peer is proven. */
  readonly onSession?: (session: Session) => void;
  /** Sessions at once, those in their handshake included; 256 when absent. */
  readonly maxSessions?: number;
  /** Sessions at once with one client address; as many as all when absent. */
  readonly clientSessions?: number;
  /** Whether a proven peer is known: a quarter of the sessions is for known peers alone. Nobody is when absent. */
  readonly known?: (peer: Peer) => boolean;
}

/** The intervals of keep-alive that a session of an unknown peer may be without any channel. */
const idleKeepAlives = 2;

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

interface Slots {
  readonly handshakes: ClientSlots;
  readonly known: ClientSlots;
  readonly unknown: ClientSlots;
}

const closing: Refusal = { status: 503, reason: 'the server is closing' };

/** Takes the WebSocket upgrades of any HTTP server and makes sessions of them. */
export class WireServer implements AsyncDisposable {
  readonly #options: WireServerOptions;
  readonly #limits: WireLimits;
  readonly #webSockets: WebSocketServer;
  readonly #sessions = new Set<Session>();
  readonly #stop = new AbortController();
  readonly #handshakes = new Set<Promise<void>>();
  readonly #maxSessions: number;
  readonly #slots: Slots;

  constructor(options: WireServerOptions) {
    this.#options = options;
    this.#limits = wireLimits(options.limits);
    const { maxSessions: max = 256, clientSessions: perClient = max, known } = options;
    this.#maxSessions = max;
    const unknown = known === undefined ? max : Math.ceil((max * 3) / 4);
    this.#slots = {
      handshakes: new ClientSlots({ max, perClient }),
      known: new ClientSlots({ max, perClient }),
      unknown: new ClientSlots({ max: unknown, perClient }),
    };
    this.#webSockets = new WebSocketServer({
      ...webSocketOptions(this.#limits),
      noServer: true,
      clientTracking: false,
      handleProtocols: () => subProtocol,
    });
  }

  /** Sessions with proven peers. */
  get sessions(): ReadonlySet<Session> {
    return this.#sessions;
  }

  /** Handle an `upgrade` event of an HTTP server; the caller checks the path. Never throws. */
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { client, scheme = schemeOf(request) }: Sender = {
      client: clientOf(request.socket.remoteAddress ?? ''),
    },
  ): void {
    socket.on('error', () => {});
    const refusal = this.#refusal(request, scheme);
    const place = refusal ?? this.#slots.handshakes.enter(client);
    if (typeof place === 'string') {
      const reason = place === 'all' ? 'too many sessions' : 'too many sessions of this address';
      refuse(request, socket, { status: place === 'all' ? 503 : 429, reason });
      return;
    }
    if ('reason' in place) {
      refuse(request, socket, place);
      return;
    }
    // Until the handshake is over, whatever its end.
    socket.once('close', () => place[Symbol.dispose]());
    const caller = { client, handshake: place };
    const authorised = this.#options.authorise?.(bearerToken(request.headers.authorization), client) ?? true;
    if (authorised === true) {
      this.#upgrade(request, socket, head, caller);
      return;
    }
    const judged = Promise.resolve(authorised).then(
      (may) => {
        if (!may) refuse(request, socket, { status: 401, reason: 'a token is needed' });
        else if (this.#stop.signal.aborted) refuse(request, socket, closing);
        else this.#upgrade(request, socket, head, caller);
      },
      () => refuse(request, socket, { status: 503, reason: 'too many wrong tokens are being shown' }),
    );
    this.#await(judged);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, caller: WireCaller): void {
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#await(this.#begin(webSocket, socket, { ...caller, where: whereFrom(request) }));
    });
  }

  #await(handshake: Promise<void>): void {
    this.#handshakes.add(handshake);
    void handshake.finally(() => this.#handshakes.delete(handshake));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the server is closing'));
    await Promise.all(this.#handshakes);
    await Promise.all([...this.#sessions].map((session) => session.close()));
  }

  #refusal({ headers }: IncomingMessage, scheme: string): Refusal | undefined {
    const { origins = [] } = this.#options;
    if (headers['sec-websocket-protocol'] !== subProtocol)
      return { status: 400, reason: `the WebSocket sub-protocol must be ${subProtocol}` };
    const own = `${scheme}://${headers.host}`.toLowerCase();
    if (!originAllowed(headers.origin, own, origins))
      return { status: 403, reason: 'pages of other origins may not connect' };
    if (this.#stop.signal.aborted) return closing;
    if (this.#sessions.size + this.#handshakes.size >= this.#maxSessions)
      return { status: 503, reason: 'too many sessions' };
    return undefined;
  }

  async #begin(
    webSocket: WebSocket,
    socket: Duplex,
    { where, client, handshake: place }: WireCaller & { readonly where: string },
  ): Promise<void> {
    const side = 'acceptor';
    const { clock, random, onChannel, onSession } = this.#options;
    const limits = this.#limits;
    // node:http passes net and tls sockets only.
    const link = new Link(webSocket, socket as unknown as CountedSocket, where, side);
    try {
      const { signal } = this.#stop;
      const handshake = await shakeHands(link, { self: this.#options, side, limits, clock, random, signal });
      const inflater = (this.#options.inflater ?? defaultInflater)();
      const session = new LinkSession(link, handshake, { side, limits, clock, inflater, onChannel });
      const isKnown = this.#options.known?.(session.peer) === true;
      const slot = this.#slots[isKnown ? 'known' : 'unknown'].enter(client);
      place[Symbol.dispose]();
      if (typeof slot === 'string') {
        session.fault(failure(wireErrors.WIRE_BUSY, { where }));
        throw new SessionRefused('too many sessions of unknown servers');
      }
      this.#sessions.add(session);
      void session.closed.then(() => {
        this.#sessions.delete(session);
        slot[Symbol.dispose]();
      });
      if (this.#options.known !== undefined && !isKnown) this.#watchIdle(session);
      onSession?.(session);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      callerRefused.publish({ where, status: 101, reason });
      if (!(error instanceof SessionRefused)) webSocket.terminate();
    }
  }

  /** Close a session once it has been without any channel for so long. */
  #watchIdle(session: LinkSession): void {
    const { clock } = this.#options;
    const over = new AbortController();
    void session.closed.then(() => over.abort());
    const watch = async () => {
      let before = session.channels.begun;
      for (let quiet = 0; quiet < idleKeepAlives; ) {
        await clock.sleep(this.#limits.keepAliveSeconds * 1000, over.signal);
        const { open, begun } = session.channels;
        quiet = open === 0 && begun === before ? quiet + 1 : 0;
        before = begun;
      }
      await session.close();
    };
    // The only rejection is the sleep's, when the session ends.
    watch().catch(() => undefined);
  }
}

/** A peer was refused after its proof; a bye has sent the reason. */
class SessionRefused extends Error {}

/** Whose upgrade it is, and its place among those whose handshake is not over. */
interface WireCaller {
  readonly client: string;
  readonly handshake: Disposable;
}

const schemeOf = ({ socket }: IncomingMessage) => ('encrypted' in socket ? 'https' : 'http');

function whereFrom({ socket }: IncomingMessage): string {
  return `${socket.remoteAddress ?? 'unknown'}:${socket.remotePort ?? 0}`;
}

/** A browser always names the page's origin; other programs name none. `own` is the server's. */
function originAllowed(origin: string | undefined, own: string, allowed: readonly string[]): boolean {
  if (origin === undefined || allowed.includes(origin)) return true;
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;
}

function refuse(request: IncomingMessage, socket: Duplex, { status, reason }: Refusal): void {
  callerRefused.publish({ where: whereFrom(request), status, reason });
  const body = `${reason}\n`;
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
    ...(status === 400 ? [`Sec-WebSocket-Protocol: ${subProtocol}`] : []),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
