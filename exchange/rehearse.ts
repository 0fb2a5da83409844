import {
  type Change,
  type Noted,
  type Replica,
  schemeNamed,
  sketchOpening,
  Unsuited,
} from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import { verifier as keyVerifier } from '../soif/index.ts';
import { askMessage } from './ask-message.ts';
import { ClientChannel, type Hearing } from './client-dialogue.ts';
import type { CollectOptions } from './collect-options.ts';
import { exchangeErrors } from './errors.ts';
import { filterText } from './filter.ts';
import { SchemeRun } from './scheme-run.ts';
import { Transcript } from './transcript.ts';
import { ProvenanceVerifier } from './verify.ts';

/** What one run of a scheme would have done and what it cost, WebSocket framing included. */
export interface Rehearsal {
  readonly learned: number;
  readonly forgotten: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  /** Times that the client had to wait for an answer, the requests for single objects left out. */
  readonly rounds: number;
  readonly ms: number;
  /** The scheme gave up: it was not up to the difference. */
  readonly unsuited: boolean;
}

/** A replica that is read and never written. */
function untouched(replica: Replica): Replica {
  return {
    state: () => replica.state(),
    scan: (after) => replica.scan(after),
    digests: (oids) => replica.digests(oids),
    bodies: (oids) => replica.bodies(oids),
    find: (names) => replica.find(names),
    summary: () => replica.summary(),
    ordered: (scheme, epoch) => replica.ordered(scheme, epoch),
    apply: async (_changes: readonly (Change | Noted)[]) => undefined,
  };
}

/**
 * Run one scheme against a source and keep nothing of what it says: only handles and signatures are asked for. Throws
 * EXCHANGE_SCHEME where the source refuses the scheme, and whatever `collect` throws.
 */
export async function rehearse(
  options: Omit<CollectOptions, 'want' | 'deleteGuard' | 'scheme'> & { readonly scheme: string },
): Promise<Rehearsal> {
  const { session, clock, name, signal, filter } = options;
  const scheme = schemeNamed(options.scheme);
  if (scheme === undefined)
    throw failure(exchangeErrors.EXCHANGE_SCHEME, { scheme: options.scheme, reason: 'it is unknown here' });
  const replica = untouched(options.replica);
  const { marker, count: held, fingerprint } = await replica.state();
  const summary = scheme.refines === 'sketch' && marker !== undefined ? await replica.summary() : undefined;
  const sketch = summary && sketchOpening(summary, options.differences);
  const want = { kind: 'handles' } as const;
  const message = askMessage({
    ...{ marker, held, fingerprint, want, scheme: scheme.name, sketch },
    filter: filter && filterText(filter),
  });
  const [sent, received, started] = [session.traffic.sentBytes, session.traffic.receivedBytes, clock.now()];
  const verifier = new ProvenanceVerifier(options.keyring);
  const end = scheme.refines === 'nothing';
  await using channel = await session.open(message, { end, ...(signal && { signal }) });
  const hearing: Hearing = {
    ...{ channel, source: name, replica, verifier, signal },
    transcript: new Transcript(message.q as Uint8Array),
    signedByStore: keyVerifier(session.peer.publicKey),
    speaker: session.peer.serverId,
    epoch: marker?.epoch,
    expected: scheme,
  };
  const dialogue = new ClientChannel(hearing);
  const begun = await dialogue.begin();
  let [learned, forgotten, unsuited] = [0, 0, false];
  if (begun !== undefined) {
    // All that is held may go: nothing of it does.
    const all = { ...options, replica, want, deleteGuard: 1 };
    const run = new SchemeRun(all, dialogue, begun, await replica.state(), verifier);
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
