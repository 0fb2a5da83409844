import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Clock, failure, isGarnerError } from '../../kernel/index.ts';
import { AccessList, type NameLookup } from './access-list.ts';
import type { ClassicSource } from './classic-source.ts';
import { gatherdErrors } from './errors.ts';
import { gatherdFault, gatherdSessionEnded } from './events.ts';
import { GatherdSession } from './gatherd-session.ts';
import { LineConnection } from './line-connection.ts';

export interface GatherdOptions {
  readonly source: ClassicSource;
  /** What the greeting says; a host's or a Gatherer's name. */
  readonly name: string;
  readonly clock: Clock;
  /** 0 takes any free port; who wants none does not open one. */
  readonly port: number;
  /** Address to listen on; 127.0.0.1 when absent. */
  readonly host?: string;
  /** Who may collect and who may not, as `AccessList` reads them; this machine alone when absent. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly maxConnections?: number;
  /** How long a connection may stand still. */
  readonly idleSeconds?: number;
  readonly names?: NameLookup;
}

/** A port that speaks gatherd. Disposing cuts what is under way. */
export interface GatherdServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Connections being served now. */
  readonly connections: number;
}

const defaultConnections = 16;
const defaultIdleSeconds = 120;

/**
 * Open a port that speaks the line protocol of Harvest's gatherd (1.4, 1996), so that Brokers of that time can
 * collect. Only those on the access list come in. Throws GATHERD_PORT when it cannot listen and GATHERD_ACCESS.
 */
export async function serveGatherd(options: GatherdOptions): Promise<GatherdServer> {
  const { source, name, clock, allow = ['loopback'], deny = [], idleSeconds = defaultIdleSeconds } = options;
  const most = options.maxConnections ?? defaultConnections;
  // An empty one would listen on every address.
  const host = options.host || '127.0.0.1';
  const access = new AccessList(allow, deny, options.names);
  const sockets = new Set<Socket>();

  const serve = async (socket: Socket, from: string): Promise<void> => {
    const connection = new LineConnection(socket, clock, idleSeconds);
    const session = new GatherdSession(connection, source, name);
    let reason: string | undefined;
    try {
      if (await access.admits(from)) await session.run();
      else {
        reason = 'not on the access list';
        await session.say('099 - ERROR: you may not collect here');
      }
      await connection.finish();
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
      if (isGarnerError(error, gatherdErrors.GATHERD_LINE)) {
        await session.say(`099 - ERROR: ${error.message}`).catch(() => undefined);
        await connection.finish();
      }
    } finally {
      socket.destroy();
      gatherdSessionEnded.publish({
        from,
        commands: session.commands,
        bytes: connection.sent,
        ...(reason === undefined ? {} : { reason }),
      });
    }
  };

  // A caller that has said all it will say still gets its answers.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const from = socket.remoteAddress ?? '';
    if (sockets.size >= most) {
      socket.on('error', () => undefined);
      socket.end('099 - ERROR: too many are collecting now, come again later\n', () => socket.destroy());
      gatherdSessionEnded.publish({ from, commands: 0, bytes: 0, reason: 'too many connections' });
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serve(socket, from).catch(() => socket.destroy());
  });
  // Those turned away are counted here until they are gone.
  server.maxConnections = most + defaultConnections;
  await listen(server, host, options.port);
  // Such as too many open files at a new connection: those that there are go on.
  server.on('error', (error) => gatherdFault.publish({ command: 'listening', error }));

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
      reject(failure(gatherdErrors.GATHERD_PORT, { address, port, reason: error.message }, error));
    server.once('error', fail);
    server.listen({ host: address, port }, () => {
      server.off('error', fail);
      resolve();
    });
  });
}
