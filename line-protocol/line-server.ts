import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Clock, failure, isGarnerError } from '../kernel/index.ts';
import { AccessList, type NameLookup } from './access-list.ts';
import { linesErrors } from './errors.ts';
import { LineConnection } from './line-connection.ts';

/** One connection's conversation, from its first line to its last. */
export interface Conversation {
  /** Converse until either side ends. Throws when the connection breaks or is idle for too long. */
  run(): Promise<void>;
  /** Send the reason why no more is read: the caller is not allowed, or one of its lines is too long. */
  refuse(reason: string): Promise<void>;
  /** The conversation is over; `reason` says why, unless it ended in order. */
  ended(outcome: { readonly bytes: number; readonly reason?: string }): void;
}

export interface LineServerOptions {
  readonly clock: Clock;
  /** 0 takes any free port. */
  readonly port: number;
  /** Address to listen on; 127.0.0.1 when absent. */
  readonly host?: string;
  /** Clients that may connect or may not, as `AccessList` reads them; this machine alone when absent. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly maxConnections?: number;
  /** How long a connection may be idle. */
  readonly idleSeconds?: number;
  readonly names?: NameLookup;
  readonly converse: (connection: LineConnection, from: string) => Conversation;
  /** The line for a client that exceeds the limit of connections, with its line end. */
  readonly busy: string;
  /** Reports a fault of the listening socket; open connections continue. */
  readonly fault: (error: unknown) => void;
  /** Reports a client that was refused because of the limit. */
  readonly turnedAway: (from: string) => void;
}

/** A port that speaks lines. Disposing cuts the open connections. */
export interface LineServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
}

const defaultConnections = 16;
const defaultIdleSeconds = 120;

/** Open a port for conversations of lines. Throws LINES_PORT when it cannot listen, and LINES_ACCESS. */
export async function serveLines(options: LineServerOptions): Promise<LineServer> {
  const { clock, allow = ['loopback'], deny = [], idleSeconds = defaultIdleSeconds, busy } = options;
  const max = options.maxConnections ?? defaultConnections;
  // An empty one would listen on every address.
  const host = options.host || '127.0.0.1';
  const access = new AccessList(allow, deny, options.names);
  const sockets = new Set<Socket>();

  const serve = async (socket: Socket, from: string): Promise<void> => {
    const connection = new LineConnection(socket, clock, idleSeconds);
    const conversation = options.converse(connection, from);
    let reason: string | undefined;
    try {
      if (await access.admits(from)) await conversation.run();
      else {
        reason = 'not on the access list';
        await conversation.refuse('access denied');
      }
      await connection.finish();
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
      if (isGarnerError(error, linesErrors.LINES_LONG)) {
        await conversation.refuse(error.message).catch(() => undefined);
        await connection.finish();
      }
    } finally {
      socket.destroy();
      conversation.ended({ bytes: connection.sent, ...(reason === undefined ? {} : { reason }) });
    }
  };

  // A client that has ended its input still gets its answers.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const from = socket.remoteAddress ?? '';
    if (sockets.size >= max) {
      socket.on('error', () => undefined);
      socket.end(busy, () => socket.destroy());
      options.turnedAway(from);
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serve(socket, from).catch(() => socket.destroy());
  });
  // Refused clients count here until they are disconnected.
  server.maxConnections = max + defaultConnections;
  await listen(server, host, options.port);
  // For example too many open files at a new connection: open connections continue.
  server.on('error', (error) => options.fault(error));

  let closed: Promise<void> | undefined;
  return {
    host,
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.size;
    },
    [Symbol.asyncDispose]: () => {
      closed ??= new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
      return closed;
    },
  };
}

async function listen(server: Server, address: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(failure(linesErrors.LINES_PORT, { address, port, reason: error.message }, error));
    server.once('error', fail);
    server.listen({ host: address, port }, () => {
      server.off('error', fail);
      resolve();
    });
  });
}
