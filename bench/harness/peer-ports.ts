import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 15_000;
const pollMs = 20;

/** Ports that every peer accepts: one of them accepts none above 30,000. */
const [firstPort, lastPort] = [20_000, 29_999];

/** A free port, for servers that cannot let the system choose one. */
export async function freePort(): Promise<number> {
  for (let port = firstPort; port <= lastPort; port++) {
    const server = createServer();
    const free = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '0.0.0.0', () => resolve(true));
    });
    if (!(await free)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`every port from ${firstPort} to ${lastPort} is taken`);
}

/** Wait until a server listens at a port. */
export async function untilListening(port: number): Promise<void> {
  for (let waited = 0; ; waited += pollMs) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    if (waited > patienceMs) throw new Error(`no server listens at port ${port}`);
    await sleep(pollMs);
  }
}
