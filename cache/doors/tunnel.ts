import type { Duplex } from 'node:stream';

/** What two connections that carry each other's bytes may take. */
export interface TunnelLimits {
  /** How long neither side may say anything, in milliseconds. */
  readonly tunnelIdleMs: number;
  /** How long it may last altogether, in milliseconds. */
  readonly tunnelMaxMs: number;
  /** Bytes in both directions together. */
  readonly tunnelMaxBytes: number;
}

/**
 * Carry bytes both ways until both sides have ended, one breaks, or a limit is reached. Each side may end its half first;
 * neither is read faster than the other takes. Resolves with the bytes carried when both are closed.
 */
export function carry(one: Duplex, other: Duplex, limits: TunnelLimits): Promise<number> {
  // One that is gone already would tell of its end no more.
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
    const heard = (chunk: Buffer) => {
      bytes += chunk.length;
      idle = idle.refresh();
      if (bytes > limits.tunnelMaxBytes) end();
    };
    for (const side of [one, other]) {
      side.on('data', heard);
      side.on('error', end);
      side.once('close', () => {
        open -= 1;
        // What the other side still has to take, it gets; what it says is for nobody.
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
