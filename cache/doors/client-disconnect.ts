import type { Duplex } from 'node:stream';

/**
 * Call `disconnected` when a client that waits for its tunnel disconnects: it closes its connection, or ends it
 * without having sent bytes for the tunnel. At once when it has disconnected already. Returns a function that
 * ends the watch.
 */
export function onDisconnect(client: Duplex, first: Uint8Array, disconnected: () => void): () => void {
  const isSilent = first.length === 0;
  if (client.destroyed || (isSilent && client.readableEnded)) disconnected();
  client.once('close', disconnected);
  if (isSilent) client.once('end', disconnected);
  return () => {
    client.off('close', disconnected);
    client.off('end', disconnected);
  };
}
