import {
  type Replica,
  type ReplicaState,
  type SketchOpening,
  schemeNamed,
  sketchOpening,
  type Want,
} from '../awareness/index.ts';
import { verifier as keyVerifier } from '../soif/index.ts';
import type { Channel } from '../wire/index.ts';
import { ClientChannel } from './client-dialogue.ts';
import type { CollectOptions } from './collect-options.ts';
import { filterText } from './filter.ts';
import type { Asking } from './next-scheme.ts';
import { askMessage, type CollectRequest } from './request-message.ts';
import { expectedScheme } from './serve.ts';
import { Transcript } from './transcript.ts';
import type { ProvenanceVerifier } from './verify.ts';

/** The beginning of the copy's sketch, where one is stored and the scheme uses it. */
export async function openingFor(
  replica: Replica,
  { scheme, differences, doubtful }: Asking,
  { marker }: ReplicaState,
): Promise<SketchOpening | undefined> {
  if (scheme === undefined || marker === undefined || schemeNamed(scheme)?.refines !== 'sketch')
    return undefined;
  const summary = await replica.summary();
  return summary && sketchOpening(summary, differences, doubtful);
}

/**
 * Whether the client is sent withdrawals: one that learns handles alone holds no objects. A source of garner 0.2
 * ignores the question, and its deletions come without their signatures.
 */
export const knowsWithdrawals = ({ known }: Replica, want: Want | undefined): boolean =>
  known !== undefined && want?.kind !== 'handles';

/** Send a request: the caller disposes of the channel; the dialogue runs over it. */
export async function openQuestion(
  {
    session,
    replica,
    name,
    filter,
    signal,
  }: Pick<CollectOptions, 'session' | 'replica' | 'name' | 'filter' | 'signal'>,
  verifier: ProvenanceVerifier,
  question: Omit<CollectRequest, 'filter'>,
): Promise<{ readonly channel: Channel; readonly dialogue: ClientChannel }> {
  const { scheme, marker } = question;
  const asking = askMessage({ ...question, filter: filter && filterText(filter) });
  const message = knowsWithdrawals(replica, question.want) ? { ...asking, withdrawals: true } : asking;
  // Only a client that names a scheme can be asked questions.
  const end = scheme === undefined || schemeNamed(scheme)?.refines === 'nothing';
  const channel = await session.open(message, { end, ...(signal && { signal }) });
  const dialogue = new ClientChannel({
    ...{ channel, source: name, replica, verifier, signal },
    transcript: new Transcript(message.q as Uint8Array),
    signedByStore: keyVerifier(session.peer.publicKey),
    speaker: session.peer.serverId,
    epoch: marker?.epoch,
    expected: expectedScheme(question),
  });
  return { channel, dialogue };
}
