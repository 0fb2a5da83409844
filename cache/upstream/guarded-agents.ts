import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Duplex } from 'node:stream';

// Bytes on an idle connection would be taken for the answer to the next request.
function close(this: Duplex): void {
  this.destroy();
}

/** Passes on whether a connection is kept, which Node expects and its types omit; a kept connection gets a listener. */
function listening(kept: unknown, socket: Duplex): undefined {
  if (kept === true) socket.on('data', close);
  return kept as undefined;
}

type Reuse = Parameters<Agent['reuseSocket']>;

/** TCP connections that are closed when their server sends bytes while idle. */
export class GuardedAgent extends Agent {
  /** Connections to a place, in use and idle. */
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

export class GuardedTlsAgent extends TlsAgent {
  override keepSocketAlive(socket: Duplex): undefined {
    return listening(super.keepSocketAlive(socket), socket);
  }

  override reuseSocket(...[socket, request]: Reuse): void {
    socket.off('data', close);
    super.reuseSocket(socket, request);
  }
}
