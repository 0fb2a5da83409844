import { type Clock, failure, type Random } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import {
  type Hello,
  helloBytes,
  newNonce,
  parseHello,
  proofBytes,
  proofLength,
  proves,
  type Self,
  type Side,
} from './hello.ts';
import type { Link } from './link.ts';
import type { WireLimits } from './settings.ts';
import { webSocketSize } from './traffic.ts';

/** The result of a handshake: both sides have proven their keys. */
export interface Handshake {
  readonly hello: Hello;
  /** Bytes of upgrade, hello and proof with WebSocket framing. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Milliseconds from our hello to the proof that answers it. */
  readonly roundTripMs: number;
}

export interface HandshakeOptions {
  readonly self: Self;
  readonly side: Side;
  readonly limits: WireLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
}

/** Rejects with WIRE_TIMEOUT once a handshake has taken too long, unless `signal` aborts before. */
export async function handshakeOverdue(
  clock: Clock,
  { handshakeSeconds: seconds }: WireLimits,
  where: string,
  signal: AbortSignal,
): Promise<never> {
  await clock.sleep(seconds * 1000, signal);
  throw failure(wireErrors.WIRE_TIMEOUT, { where, seconds });
}

/**
 * Exchange hellos and proofs on a fresh link. Messages after the peer's proof stay queued on the link. Throws
 * WIRE_HANDSHAKE, WIRE_TIMEOUT, WIRE_LOST, the link's fault, or the signal's reason; the link is then closed.
 */
export async function shakeHands(link: Link, options: HandshakeOptions): Promise<Handshake> {
  const { clock, limits, signal } = options;
  const timer = new AbortController();
  const overdue = handshakeOverdue(clock, limits, link.where, timer.signal);
  const broken = link.broken.then((error) => {
    throw error;
  });
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true, signal: timer.signal });
  });
  try {
    return await Promise.race([converse(link, options), overdue, broken, aborted]);
  } catch (error) {
    // A peer that fails the handshake gets no orderly close.
    link.terminate();
    throw error;
  } finally {
    timer.abort();
    for (const promise of [overdue, broken, aborted]) promise.catch(() => {});
  }
}

function converse(link: Link, { self, side, limits, random, clock }: HandshakeOptions): Promise<Handshake> {
  const sent = helloBytes(self, limits, newNonce(random));
  link.send(sent);
  const sentAt = clock.now();
  return new Promise((resolve, reject) => {
    let received: { bytes: Uint8Array; hello: Hello } | undefined;
    link.onMessage((bytes) => {
      try {
        if (!received) {
          received = { bytes: new Uint8Array(bytes), hello: parseHello(bytes, link.where) };
          link.send(proofBytes(self.identity, side, sent, received.bytes));
          return;
        }
        link.hold();
        if (bytes.length !== proofLength || !proves(received.hello.peer, side, bytes, sent, received.bytes))
          throw failure(wireErrors.WIRE_HANDSHAKE, {
            where: link.where,
            reason: 'it did not prove that it holds its key',
          });
        const size = (length: number) => webSocketSize(length, link.masksReceived);
        resolve({
          hello: received.hello,
          sentBytes: link.bytesWritten,
          receivedBytes: link.upgradeReceived + size(received.bytes.length) + size(proofLength),
          roundTripMs: clock.now() - sentAt,
        });
      } catch (error) {
        link.onMessage(() => {});
        reject(error);
      }
    });
  });
}
