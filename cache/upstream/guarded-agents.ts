import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Duplex } from 'node:stream';

// Whatever comes on a connection on which nothing was asked would be taken for the answer to what is asked next.
function close(this: Duplex): void {
  this.destroy();
}

/** Whether a connection is kept, as Node wants to know and its types do not say; one that is kept is listened to. */
function listening(kept: unknown, socket: Duplex): undefined {
  if (kept === true) socket.on('data', close);
  return kept as undefined;
}

type Reuse = Parameters<Agent['reuseSocket']>;

/** Connections over TCP that are given up when their server speaks out of turn. */
export class GuardedAgent extends Agent {
  /** Connections to a place, used and kept. */
  countTo({ host, port }: { readonly host: string; readonly port: number }): number {
    const name = this.getName({ host, port });
    return (this.sockets[name]?.length ?? 0) + (this.freeSockets[name]?.length ?? 0);
  }

  override keepSocketAlive(socket: Duplex): undefined {
    return listening(super.keepSocketAlive(socket), socket);
  }

  override reuseSocket(...[socket, request]: Reuse): void {
    socket.off('data', close);
    super.reuseSocket(socket, request);
  }
}

/** The same over TLS. */
export class WatchfulTlsAgent extends TlsAgent {
  override keepSocketAlive(socket: Duplex): undefined {
    return listening(super.keepSocketAlive(socket), socket);
  }

  override reuseSocket(...[socket, request]: Reuse): void {
    socket.off('data', close);
    super.reuseSocket(socket, request);
  }
}
