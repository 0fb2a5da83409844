import type { Duplex } from 'node:stream';

/**
 * Call `gone` when a client leaves that waits for its tunnel: closes its connection, or ends it without having said anything
 * that would go through. At once when it has left already. Gives what ends the watch.
 */
export function onDisconnect(client: Duplex, said: Uint8Array, gone: () => void): () => void {
  const isSilent = said.length === 0;
  if (client.destroyed || (isSilent && client.readableEnded)) gone();
  client.once('close', gone);
  if (isSilent) client.once('end', gone);
  return () => {
    client.off('close', gone);
    client.off('end', gone);
  };
}
