import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Clock, failure, isGarnerError } from '../kernel/index.ts';
import { AccessList, type NameLookup } from './access-list.ts';
import { linesErrors } from './errors.ts';
import { LineConnection } from './line-connection.ts';

/** One connection's conversation, from its first line to its last. */
export interface Conversation {
  /** Converse until either side has said all. Throws when the connection breaks or stands still. */
  run(): Promise<void>;
  /** Say why nothing more is heard: the caller is not let in, or a line of theirs is too long. */
  refuse(reason: string): Promise<void>;
  /** It is over; `reason` is why, when nobody said goodbye. */
  ended(told: { readonly bytes: number; readonly reason?: string }): void;
}

export interface LineServerOptions {
  readonly clock: Clock;
  /** 0 takes any free port. */
  readonly port: number;
  /** Address to listen on; 127.0.0.1 when absent. */
  readonly host?: string;
  /** Who may connect and who may not, as `AccessList` reads them; this machine alone when absent. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly maxConnections?: number;
  /** How long a connection may stand still. */
  readonly idleSeconds?: number;
  readonly names?: NameLookup;
  readonly converse: (connection: LineConnection, from: string) => Conversation;
  /** The line said to whom there is no room for, with its end. */
  readonly busy: string;
  /** What went wrong while listening; those who are connected go on. */
  readonly fault: (error: unknown) => void;
  /** Somebody was turned away. */
  readonly turnedAway: (from: string) => void;
}

/** A port that speaks lines. Disposing cuts what is under way. */
export interface LineServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Connections being served now. */
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
        await conversation.refuse('you may not come in here');
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

  // A caller that has said all it will say still gets its answers.
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
  // Those turned away are counted here until they are gone.
  server.maxConnections = max + defaultConnections;
  await listen(server, host, options.port);
  // Such as too many open files at a new connection: those that there are go on.
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
