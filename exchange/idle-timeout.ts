import { type Clock, failure } from '../kernel/index.ts';
import type { Channel, Session } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';

export interface SilenceOptions {
  readonly clock: Clock;
  /** Max silence in the middle of a round; 0 is no limit. */
  readonly seconds: number;
}

/** Fewer decoded bytes than this count as silence: a hint or a credit frame is not an answer. */
const minBytes = 1024;

/**
 * A client's session whose calls get EXCHANGE_SILENT when nothing has moved for so long, which the wire
 * cannot detect: a store that hangs still answers pings. Not for channels that are silent by nature, as those
 * of hints.
 */
export function withIdleTimeout(session: Session, { clock, seconds }: SilenceOptions): Session {
  if (seconds <= 0) return session;
  const moved = () => session.traffic.receivedDecodedBytes + session.traffic.sentDecodedBytes;
  /** Resolves when one whole period has passed in silence: a large message on a slow link is not silence. */
  const silence = async (over: AbortSignal): Promise<void> => {
    for (let before = moved(); ; before = moved()) {
      await clock.sleep(seconds * 1000, over);
      if (moved() - before < minBytes) return;
    }
  };
  const within = async <Result>(
    signal: AbortSignal | undefined,
    wait: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const [over, stop] = [new AbortController(), new AbortController()];
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    silence(over.signal).then(
      () => stop.abort(failure(exchangeErrors.EXCHANGE_SILENT, { source: session.peer.name, seconds })),
      () => undefined,
    );
    try {
      return await wait(stop.signal);
    } finally {
      over.abort();
      signal?.removeEventListener('abort', abort);
    }
  };
  const limited = (channel: Channel): Channel => {
    const receive: Channel['receive'] = (signal) => within(signal, (either) => channel.receive(either));
    return {
      id: channel.id,
      send: (message, options) =>
        within(options?.signal, (signal) => channel.send(message, { ...options, signal })),
      end: () => channel.end(),
      abort: (reason) => channel.abort(reason),
      receive,
      async *[Symbol.asyncIterator]() {
        for (let message = await receive(); message; message = await receive()) yield message;
      },
      [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
    };
  };
  return {
    peer: session.peer,
    where: session.where,
    traffic: session.traffic,
    measures: session.measures,
    closed: session.closed,
    open: async (first, options) =>
      limited(await within(options?.signal, (signal) => session.open(first, { ...options, signal }))),
    close: () => session.close(),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}
