import type { Duplex } from 'node:stream';

export interface TunnelLimits {
  /** Max time without bytes from either side, in milliseconds. */
  readonly tunnelIdleMs: number;
  /** Max duration, in milliseconds. */
  readonly tunnelMaxMs: number;
  /** Max bytes in both directions together. */
  readonly tunnelMaxBytes: number;
}

/**
 * Carry bytes both ways until both sides have ended, one breaks, or a limit is reached. Each side may end its
 * half first, and backpressure works both ways. Resolves with the carried bytes when both are closed.
 */
export function carry(one: Duplex, other: Duplex, limits: TunnelLimits): Promise<number> {
  // A closed connection would emit no further event.
  if (one.destroyed || other.destroyed) {
    one.destroy();
    other.destroy();
    return Promise.resolve(0);
  }
  return new Promise((resolve) => {
    let bytes = 0;
    let open = 2;
    let idle = setTimeout(() => end(), limits.tunnelIdleMs);
    const whole = setTimeout(() => end(), limits.tunnelMaxMs);
    const end = () => {
      one.destroy();
      other.destroy();
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      idle = idle.refresh();
      if (bytes > limits.tunnelMaxBytes) end();
    };
    for (const side of [one, other]) {
      side.on('data', count);
      side.on('error', end);
      side.once('close', () => {
        open -= 1;
        // The other side still gets the remaining bytes, but its own have no recipient.
        const left = side === one ? other : one;
        if (!side.readableEnded) left.destroy();
        if (open > 0) return;
        clearTimeout(idle);
        clearTimeout(whole);
        resolve(bytes);
      });
    }
    one.pipe(other);
    other.pipe(one);
  });
}

/**
 * Call `disconnected` when a client that waits for its tunnel disconnects: it closes its connection, or ends it without
 * having sent bytes for the tunnel. At once when it has disconnected already. Returns a function that ends the watch.
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
