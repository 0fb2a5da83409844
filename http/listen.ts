import type { Server } from 'node:net';
import { failure } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';
import { requestFailed } from './events.ts';

/** Listen; port 0 takes any free one. Throws HTTP_PORT_IN_USE, HTTP_PORT_DENIED, HTTP_ADDRESS_UNAVAILABLE. */
export async function listen(server: Server, address: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: address, port }, () => {
        server.removeListener('error', reject);
        // Without descriptors a connection cannot be accepted; the next one may be.
        server.on('error', (error) => requestFailed.publish({ method: '', route: 'connection', error }));
        resolve();
      });
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw failure(httpErrors.HTTP_PORT_IN_USE, { address, port }, error);
    if (code === 'EACCES') throw failure(httpErrors.HTTP_PORT_DENIED, { address, port }, error);
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(code)))
      throw failure(httpErrors.HTTP_ADDRESS_UNAVAILABLE, { address, port }, error);
    throw error;
  }
}
