import { connect } from 'node:net';
import type { Clock } from '../../kernel/index.ts';
import type { Peer } from './peer.ts';

/** Whether a peer takes connections; aborts with the signal. */
export type Reachable = (
  place: { readonly host: string; readonly port: number },
  signal: AbortSignal,
) => Promise<boolean>;

const connectMs = 5_000;
const firstWaitMs = 1_000;
const mostWaitMs = 30_000;

/** Connect over TCP and close again. */
export const reachable: Reachable = ({ host, port }, signal) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, signal, timeout: connectMs });
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
    socket.once('close', () => resolve(false));
  });

/** Try a peer that failed, so that no client has to: until it takes connections again, or the signal aborts. */
export async function awaitReachable(
  peer: Peer,
  options: { readonly reachable: Reachable; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, signal } = options;
  for (let waitMs = firstWaitMs; peer.down && !signal.aborted; waitMs = Math.min(mostWaitMs, waitMs * 2)) {
    await clock.sleep(waitMs, signal).catch(() => {});
    if (signal.aborted) return;
    if (await options.reachable(peer.config, signal)) peer.reached();
  }
}
