import { type ReplicaState, type SourceState, sameBytes, Unsuited } from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import type { Session } from '../wire/index.ts';
import type { CollectOptions } from './collect-options.ts';
import { exchangeErrors } from './errors.ts';
import { type RoundReport, roundFinished, withdrawalsRefused } from './events.ts';
import { bytesField, unexpected } from './fields.ts';
import { type FilterSpec, filterText } from './filter.ts';
import { admitPeerKey } from './keyring.ts';
import { type Asking, lastResorts, type NotSent, nextScheme } from './next-scheme.ts';
import { openingFor, openQuestion } from './open-request.ts';
import { withoutRevoked } from './revoked-objects.ts';
import { SchemeRun } from './scheme-run.ts';
import { decodeSourceState } from './state-codec.ts';
import { ProvenanceVerifier } from './verify.ts';

/** Max runs of a round: each of the schemes, and some for a source that changes meanwhile. */
const maxRuns = 6;

/**
 * One round of awareness: learn the objects of the source at the other end of the session that the replica lacks,
 * and forget those that the source no longer has. Objects learned before an error stay, with their marker. It ends
 * only when the fingerprints of both sides agree, or the room for the source is full; another scheme follows one whose
 * result does not.
 * Throws EXCHANGE_CUT, EXCHANGE_UNVERIFIED, EXCHANGE_UNSIGNED, EXCHANGE_KEY, EXCHANGE_RIVAL_KEY,
 * EXCHANGE_DELETE_BURST, EXCHANGE_DIVERGED, or the wire's errors.
 */
export async function collect(options: CollectOptions): Promise<RoundReport> {
  const { session, clock, name } = options;
  const started = clock.now();
  const [sent, received] = [session.traffic.sentBytes, session.traffic.receivedBytes];
  await admitPeerKey(options.keyring, session.peer);
  const verifier = new ProvenanceVerifier(options.keyring);
  try {
    const sound = withoutRevoked(verifier.sifting(options.replica), verifier);
    // After a cut too: the next round would not ask for what is listed.
    const totals = await collectBy({ ...options, replica: sound.replica }, verifier).finally(sound.forget);
    const report: RoundReport = {
      source: name,
      ...totals,
      bytesUp: session.traffic.sentBytes - sent,
      bytesDown: session.traffic.receivedBytes - received,
      ms: clock.now() - started,
    };
    roundFinished.publish(report);
    return report;
  } finally {
    const { refusedWithdrawals } = verifier;
    if (refusedWithdrawals !== undefined) withdrawalsRefused.publish({ source: name, ...refusedWithdrawals });
  }
}

/** Ask by one scheme after the other until both sides agree. */
async function collectBy(
  options: CollectOptions,
  verifier: ProvenanceVerifier,
): Promise<Omit<RoundReport, 'source' | 'bytesUp' | 'bytesDown' | 'ms'>> {
  const { replica, name, room } = options;
  const schemes: string[] = [];
  const totals = { learned: 0, refreshed: 0, forgotten: 0, rounds: 0 };
  let scheme = options.scheme ?? options.resume?.place?.scheme;
  let { differences } = options;
  let doubtful = false;
  let lsn = 0;
  for (;;) {
    const before = await replica.state();
    lsn = before.marker?.lsn ?? 0;
    if (schemes.length >= maxRuns) throw failure(exchangeErrors.EXCHANGE_DIVERGED, { source: name });
    const asking = { scheme, differences, doubtful };
    const outcome = await runOnce(options, asking, before, verifier, schemes, totals);
    if (outcome === 'same') break;
    if ('unsuited' in outcome) {
      const { epoch, lsn: latest, count } = outcome.state;
      // Every change of what is held is known: there is only more of what has no room.
      const isKnown = before.marker?.epoch === epoch && before.marker.lsn === latest;
      if (isKnown && (await room?.isFull(count)) === true) break;
      // Without a requested scheme, the source names the one to request.
      const named = scheme === undefined && outcome.unsuited.differences === 0 ? schemes.pop() : undefined;
      const next = await nextScheme(options, outcome, named, schemes);
      if (next === undefined) throw failure(exchangeErrors.EXCHANGE_DIVERGED, { source: name });
      ({ scheme, differences, doubtful = false } = next);
      continue;
    }
    lsn = outcome.lsn;
    const after = await replica.state();
    if (after.count === outcome.count && sameBytes(after.fingerprint, outcome.fingerprint)) break;
    if ((await room?.isFull(outcome.count)) === true) break;
    // The source's answer was incomplete: a sketch finds the rest, and if that fails everything is compared.
    scheme = schemes.length < 3 ? 'sketch' : lastResorts[schemes.length < 5 ? 0 : 1];
    // Usually these are deletions that the source has forgotten: then the counts show how many.
    const missed = Math.abs(after.count - outcome.count);
    differences = missed === 0 ? undefined : missed;
    doubtful = true;
  }
  return { schemes, ...totals, learned: totals.learned - (room?.leftOut ?? 0), lsn };
}

/** One question and its answer. */
async function runOnce(
  options: CollectOptions,
  asking: Asking,
  before: ReplicaState,
  verifier: ProvenanceVerifier,
  schemes: string[],
  totals: { learned: number; refreshed: number; forgotten: number; rounds: number },
): Promise<'same' | SourceState | NotSent> {
  const { replica, want = { kind: 'objects' } } = options;
  const { marker, count: held, fingerprint } = before;
  const { scheme } = asking;
  const sketch = await openingFor(replica, asking, before);
  // The part that was compared before a cut is unchanged, or the fingerprint will show it.
  const place = options.resume?.place;
  const after =
    place !== undefined && place.epoch === marker?.epoch && place.scheme === scheme ? place.after : undefined;
  const question = { marker, held, fingerprint, want, scheme, sketch, after };
  const opened = await openQuestion(options, verifier, question);
  await using channel = opened.channel;
  const { dialogue } = opened;
  const begun = await dialogue.begin();
  if (begun === undefined) {
    totals.rounds += dialogue.rounds;
    return 'same';
  }
  schemes.push(begun.scheme.name);
  const run = new SchemeRun(options, dialogue, begun, before, verifier);
  const sameLife = marker?.epoch === begun.state.epoch;
  try {
    await run.run({ since: marker?.lsn ?? 0, held, want, sketch: sameLife ? sketch : undefined, after });
    if (options.resume !== undefined) options.resume.place = undefined;
    await channel.end();
    return begun.state;
  } catch (error) {
    if (error instanceof Unsuited) return { unsuited: error, state: begun.state };
    throw error;
  } finally {
    totals.learned += run.learned;
    totals.refreshed += run.refreshed;
    totals.forgotten += run.forgotten;
    totals.rounds += dialogue.rounds + run.requests;
  }
}

/** Call back at each hint that the source, or the wanted view, has changed, until aborted or the session ends. */
export async function watchHints(
  session: Session,
  onHint: (state: SourceState) => void,
  signal?: AbortSignal,
  filter?: FilterSpec,
): Promise<void> {
  const wanted = filter?.view === undefined ? {} : { filter: filterText(filter) };
  await using channel = await session.open({ type: 'subscribe', ...wanted }, signal && { signal });
  for (;;) {
    const message = await channel.receive(signal);
    if (message === undefined) return;
    if (message.type !== 'hint') throw unexpected(message);
    onHint(decodeSourceState(bytesField(message.s, 'hint', 's'), 'hint', undefined));
  }
}
