import type { Source } from '../awareness/index.ts';
import { type Clock, failure, type Random } from '../kernel/index.ts';
import type { Session } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { pushFailed, type RoundReport } from './events.ts';
import { bytesField, countField, unexpected } from './fields.ts';
import type { Verb } from './serve.ts';
import { decodeSourceState, encodeSourceState } from './state-codec.ts';

// The push model (awareness paper, section 4): the store speaks first. It opens the session and says that it has
// changed; the client then learns over that session as it would over its own. What is lost is said again, and
// learning twice is learning once, so nothing needs a queue: the latest state stands for all before it.

/**
 * The client's answer to a store that pushes: `learn` runs a round over the session, or throws EXCHANGE_PUSH for a
 * store that it did not expect.
 */
export function pushVerb(learn: (session: Session) => Promise<RoundReport>): Verb {
  return async (channel, message, _peer, session) => {
    decodeSourceState(bytesField(message.s, 'push', 's'), 'push', undefined);
    const { lsn } = await learn(session);
    await channel.send({ type: 'pushed', lsn }, { end: true });
  };
}

export interface PushOptions {
  readonly source: Source;
  /** A session to the client that answers the verbs of the source (`sourceVerbs`). */
  readonly open: (signal: AbortSignal) => Promise<Session>;
  /** The client's name in reports. */
  readonly client: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

const [firstRetryMs, lastRetryMs] = [1000, 5 * 60_000];

/** Tell one client of every change until the signal aborts; resolves then. A client that is away is tried again. */
export async function pushChanges(options: PushOptions): Promise<void> {
  const { clock, random, signal, client } = options;
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      await using session = await options.open(signal);
      await pushOver(session, options, () => {
        retryMs = firstRetryMs;
      });
    } catch (error) {
      if (signal.aborted) return;
      pushFailed.publish({ client, error: error instanceof Error ? error.message : String(error) });
    }
    await clock.sleep(retryMs * (0.5 + random.next()), signal).catch(() => undefined);
    retryMs = Math.min(lastRetryMs, retryMs * 2);
  }
}

async function pushOver(
  session: Session,
  { source, signal, client }: PushOptions,
  pushed: () => void,
): Promise<void> {
  let changed = true;
  let wake: (() => void) | undefined;
  const stop = source.onChange(() => {
    changed = true;
    wake?.();
  });
  let over = false;
  const end = () => {
    over = true;
    wake?.();
  };
  signal.addEventListener('abort', end, { once: true });
  void session.closed.then(end);
  try {
    for (;;) {
      while (!changed && !over)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
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
      countField(answer.lsn, 'pushed', 'lsn');
      pushed();
    }
  } finally {
    stop();
    signal.removeEventListener('abort', end);
  }
}
