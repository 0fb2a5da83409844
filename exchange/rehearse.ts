import { schemeNamed, Unsuited, withApply } from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import type { CollectOptions } from './collect-options.ts';
import { exchangeErrors } from './errors.ts';
import type { RoundReport } from './events.ts';
import { openingFor, openQuestion } from './open-request.ts';
import { SchemeRun } from './scheme-run.ts';
import { ProvenanceVerifier } from './verify.ts';

/** The would-be result and cost of a scheme, WebSocket framing included, requests for single objects not. */
export interface Rehearsal
  extends Pick<RoundReport, 'learned' | 'forgotten' | 'rounds' | 'bytesUp' | 'bytesDown' | 'ms'> {
  /** The scheme gave up: the difference was too large for it. */
  readonly unsuited: boolean;
}

/** Run one scheme, storing nothing. Throws the errors of `collect`, and EXCHANGE_SCHEME if refused. */
export async function rehearse(
  options: Omit<CollectOptions, 'want' | 'deleteGuard' | 'scheme'> & { readonly scheme: string },
): Promise<Rehearsal> {
  const { session, clock } = options;
  const scheme = schemeNamed(options.scheme);
  if (scheme === undefined)
    throw failure(exchangeErrors.EXCHANGE_SCHEME, { scheme: options.scheme, reason: 'it is unknown here' });
  const replica = withApply(options.replica, async () => undefined);
  const before = await replica.state();
  const { marker, count: held, fingerprint } = before;
  const asking = { scheme: scheme.name, differences: options.differences };
  const sketch = await openingFor(replica, asking, before);
  const want = { kind: 'handles' } as const;
  const [sent, received, started] = [session.traffic.sentBytes, session.traffic.receivedBytes, clock.now()];
  const verifier = new ProvenanceVerifier(options.keyring);
  const question = { marker, held, fingerprint, want, scheme: scheme.name, sketch };
  const opened = await openQuestion({ ...options, replica }, verifier, question);
  await using channel = opened.channel;
  const { dialogue } = opened;
  const begun = await dialogue.begin();
  let [learned, forgotten, unsuited] = [0, 0, false];
  if (begun !== undefined) {
    // The guard allows all deletions, because none is executed.
    const all = { ...options, replica, want, deleteGuard: 1 };
    const run = new SchemeRun(all, dialogue, begun, before, verifier);
    const sameLife = marker?.epoch === begun.state.epoch;
    try {
      await run.run({ since: marker?.lsn ?? 0, held, want, sketch: sameLife ? sketch : undefined });
      await channel.end();
    } catch (error) {
      if (!(error instanceof Unsuited)) throw error;
      unsuited = true;
    }
    [learned, forgotten] = [run.learned, run.forgotten];
  }
  return {
    ...{ learned, forgotten, unsuited, rounds: dialogue.rounds },
    bytesUp: session.traffic.sentBytes - sent,
    bytesDown: session.traffic.receivedBytes - received,
    ms: clock.now() - started,
  };
}
