import type { Source } from '../awareness/index.ts';
import { type Clock, failure, isGarnerError, type Random } from '../kernel/index.ts';
import type { Identity } from '../soif/index.ts';
import { type Peer, type Session, wireErrors } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { pushFailed, type RoundReport } from './events.ts';
import { bytesField, countField, unexpected } from './fields.ts';
import type { Verb } from './serve.ts';
import { decodeSourceState, encodeSourceState } from './state-codec.ts';

// The push model (awareness paper, section 4): the store opens the session and announces a change; the client then
// learns over that session as it would over its own. A lost announcement is repeated, and learning twice equals
// learning once, so nothing needs a queue: the latest state replaces all before it.

/** The name of a pushing store as a source of its client, the key included: `push:ID.KEY`. */
export function pushSource({ serverId, publicKey }: PushOptions['self']): string {
  return `push:${serverId}.${Buffer.from(publicKey).toString('base64url')}`;
}

/** EXCHANGE_PUSH for a server that pushes to a client which does not collect from it. */
export function pushRefused(broker: string, self: PushOptions['self']) {
  return { broker, server: self.serverId, source: pushSource(self) };
}

/** Answers a store that pushes: `learn` runs a round, or throws EXCHANGE_PUSH for an unexpected store. */
export function pushVerb(learn: (session: Session) => Promise<Pick<RoundReport, 'lsn'>>): Verb {
  return async (channel, message, _peer, session) => {
    decodeSourceState(bytesField(message.s, 'push', 's'), 'push', undefined);
    const { lsn } = await learn(session);
    await channel.send({ type: 'pushed', lsn }, { end: true });
  };
}

/** The state of one client: a session opened, it has learned up to an LSN, the connection was lost. */
export type PushNews =
  | { readonly kind: 'connected'; readonly peer: Peer }
  | { readonly kind: 'pushed'; readonly lsn: number }
  /** Without an error where the client closed the session in order. */
  | { readonly kind: 'lost'; readonly error: unknown };

export interface PushOptions {
  readonly source: Source;
  /** The owner of the store. */
  readonly self: Pick<Identity, 'serverId' | 'publicKey'>;
  /** Opens a session to the client that answers the verbs of the source (`sourceVerbs`). */
  readonly open: (signal: AbortSignal) => Promise<Session>;
  /** The client's name in reports. */
  readonly client: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Called at each change of state, for status alone. */
  readonly onNews?: (news: PushNews) => void;
}

const [firstRetryMs, lastRetryMs] = [1000, 5 * 60_000];

/** Notify one client of every change until the signal aborts; resolves then. An absent client is tried again. */
export async function pushChanges(options: PushOptions): Promise<void> {
  const { clock, random, signal, client, onNews } = options;
  let retryMs = firstRetryMs;
  let lastFault: string | undefined;
  while (!signal.aborted) {
    try {
      await using session = await options.open(signal);
      onNews?.({ kind: 'connected', peer: session.peer });
      await pushOver(session, options, (lsn) => {
        retryMs = firstRetryMs;
        lastFault = undefined;
        onNews?.({ kind: 'pushed', lsn });
      });
      if (signal.aborted) return;
      onNews?.({ kind: 'lost', error: undefined });
    } catch (thrown) {
      if (signal.aborted) return;
      const error = ownFault(thrown, options);
      onNews?.({ kind: 'lost', error });
      const message = error instanceof Error ? error.message : String(error);
      // A fault that repeats itself is reported once.
      if (message !== lastFault) pushFailed.publish({ client, error: message });
      lastFault = message;
    }
    await clock.sleep(retryMs * (0.5 + random.next()), signal).catch(() => undefined);
    retryMs = Math.min(lastRetryMs, retryMs * 2);
  }
}

/** The client's fault in the terms of the store's owner. */
function ownFault(error: unknown, { client, self }: PushOptions): unknown {
  if (!isGarnerError(error, wireErrors.WIRE_REMOTE)) return error;
  const { code } = error.data as { readonly code?: unknown };
  if (code !== exchangeErrors.EXCHANGE_PUSH.code) return error;
  return failure(exchangeErrors.EXCHANGE_PUSH, pushRefused(client, self), error);
}

async function pushOver(
  session: Session,
  { source, signal, client }: PushOptions,
  pushed: (lsn: number) => void,
): Promise<void> {
  let changed = true;
  let wake: (() => void) | undefined;
  const stop = source.onChange(() => {
    changed = true;
    wake?.();
  });
  let over = false;
  let lost: unknown;
  const end = () => {
    over = true;
    wake?.();
  };
  signal.addEventListener('abort', end, { once: true });
  void session.closed.then((reason) => {
    lost = reason;
    end();
  });
  try {
    for (;;) {
      while (!changed && !over)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (lost !== undefined) throw lost;
      if (over) return;
      changed = false;
      const state = await source.state();
      await using channel = await session.open(
        { type: 'push', s: encodeSourceState(state, true) },
        { end: true, signal },
      );
      const answer = await channel.receive(signal);
      if (answer === undefined) throw failure(exchangeErrors.EXCHANGE_CUT, { source: client });
      if (answer.type !== 'pushed') throw unexpected(answer);
      // The client's own number is that of its filter; only the announced number is known to be learned.
      countField(answer.lsn, 'pushed', 'lsn');
      pushed(state.lsn);
    }
  } finally {
    stop();
    signal.removeEventListener('abort', end);
  }
}
