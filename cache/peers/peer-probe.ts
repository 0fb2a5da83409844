import { connect } from 'node:net';
import type { Clock } from '../../kernel/index.ts';
import type { Peer } from './peer.ts';

/** Whether a peer answers over HTTP; aborts with the signal. */
export type PeerProbe = (
  place: { readonly host: string; readonly port: number },
  signal: AbortSignal,
) => Promise<boolean>;

const answerMs = 5_000;
const firstWaitMs = 1_000;
const maxWaitMs = 30_000;

/** Any answer will do, including an error. The request is for the peer itself (RFC 9110 9.3.7). */
const question = (authority: string) =>
  `OPTIONS * HTTP/1.1\r\nHost: ${authority}\r\nMax-Forwards: 0\r\nConnection: close\r\n\r\n`;

/** Send a request over a new connection: the system accepts connections even for a hung process. */
export const reachable: PeerProbe = ({ host, port }, signal) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, signal });
    const end = (found: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(found);
    };
    const timer = setTimeout(() => end(false), answerMs);
    let head = '';
    socket.once('connect', () =>
      socket.write(question(`${host.includes(':') ? `[${host}]` : host}:${port}`)),
    );
    socket.on('data', (bytes: Buffer) => {
      head += bytes.toString('latin1', 0, 8);
      if (head.length >= 5) end(head.startsWith('HTTP/'));
    });
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });

/** Probe a failed peer, so that no client has to: until it answers again, or the signal aborts. */
export async function awaitReachable(
  peer: Peer,
  options: { readonly reachable: PeerProbe; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, signal } = options;
  for (let waitMs = firstWaitMs; peer.down && !signal.aborted; waitMs = Math.min(maxWaitMs, waitMs * 2)) {
    await clock.sleep(waitMs, signal).catch(() => {});
    if (signal.aborted) return;
    if (await options.reachable(peer.config, signal)) peer.reached();
  }
}
