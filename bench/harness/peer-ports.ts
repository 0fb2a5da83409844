import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 15_000;
const pollMs = 20;

/** Ports that every peer takes: one of them knows none above 30,000. */
const [firstPort, lastPort] = [20_000, 29_999];

/** A port of this machine that nobody listens at now; servers that take none of the system's choosing need one. */
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

/** Wait until something listens at a port. */
export async function untilListening(port: number): Promise<void> {
  for (let waited = 0; ; waited += pollMs) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    if (waited > patienceMs) throw new Error(`nobody listens at port ${port}`);
    await sleep(pollMs);
  }
}
