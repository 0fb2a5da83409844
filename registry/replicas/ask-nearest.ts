import { alarm, type Clock } from '../../kernel/index.ts';

export interface NearestOptions<Answer> {
  readonly addresses: readonly string[];
  /** Resolves when the server at an address answers. */
  readonly probe: (address: string, signal: AbortSignal) => Promise<unknown>;
  readonly ask: (address: string, signal: AbortSignal) => Promise<Answer>;
  /** The error of the whole, made of those of the addresses that were asked, in that order; empty after the deadline. */
  readonly failed: (errors: readonly unknown[]) => unknown;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** An address that has not answered for this long is not waited for alone. */
const hedgeMs = 3000;

/**
 * Ask the server that answers first, and the next one when it fails or is slow, until one has given an answer. All that
 * takes at most the deadline. A single address is asked at once, without a probe.
 */
export async function askNearest<Answer>(options: NearestOptions<Answer>): Promise<Answer> {
  const { addresses, ask, failed, clock, deadlineMs, signal } = options;
  const [only] = addresses;
  if (only !== undefined && addresses.length === 1) return ask(only, signal);
  const end = new AbortController();
  const stop = () => end.abort(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  await using _alarm = alarm(clock, deadlineMs, () => end.abort(failed([])));
  try {
    return await firstAnswer(options, end.signal, (address) => ask(address, end.signal));
  } finally {
    signal.removeEventListener('abort', stop);
    end.abort();
  }
}

function firstAnswer<Answer>(
  { addresses, probe, failed, clock }: NearestOptions<Answer>,
  signal: AbortSignal,
  ask: (address: string) => Promise<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const errors: unknown[] = [];
    const ready: string[] = [];
    /** No answer to the probe: asked when nothing else is left. */
    const doubtful: string[] = [];
    let probing = addresses.length;
    let asking = 0;
    let isDue = true;
    const next = () => {
      isDue = true;
      if (signal.aborted) return;
      const address = ready.shift() ?? (probing === 0 ? doubtful.shift() : undefined);
      if (address !== undefined) begin(address);
      else if (probing + asking === 0) reject(failed(errors));
    };
    const begin = (address: string) => {
      asking++;
      isDue = false;
      const slow = new AbortController();
      clock.sleep(hedgeMs, slow.signal).then(next, () => undefined);
      ask(address)
        .then(resolve, (error: unknown) => errors.push(error))
        .finally(() => {
          asking--;
          slow.abort();
          next();
        });
    };
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
    for (const address of addresses)
      probe(address, signal)
        .then(
          () => ready.push(address),
          () => doubtful.push(address),
        )
        .finally(() => {
          probing--;
          if (isDue) next();
        });
  });
}
