import {
  type Change,
  type Epoch,
  type Handle,
  handleOf,
  type PublishedObject,
  type ShortId,
  type Want,
} from '../awareness/index.ts';
import { verifier as keyVerifier } from '../soif/index.ts';
import { ClientChannel } from './client-dialogue.ts';
import type { CollectOptions } from './collect-options.ts';
import { bad } from './fields.ts';
import { filterText } from './filter.ts';
import { getMessage, questionBytes } from './get-question.ts';
import { byName } from './serve.ts';
import { Transcript } from './transcript.ts';
import type { ProvenanceVerifier } from './verify.ts';

/** The objects that a source sent on request. */
export interface NamedObjects {
  readonly objects: readonly PublishedObject[];
  /** Those of which only handle and signature were wanted. */
  readonly noted: readonly { readonly handle: Handle; readonly signature: Uint8Array }[];
  /** Those that are deleted, with the verified signatures of their publishers. */
  readonly withdrawn: readonly (Change & { readonly kind: 'delete' })[];
}

/** An answer by name belongs to no particular life of the store. */
const noEpoch = '' as Epoch;

/** An object with the requested handle is correct; for short ids the whole set's fingerprint decides in the end. */
function checkAsked(names: readonly (Handle | ShortId)[], { objects, noted, withdrawn }: NamedObjects): void {
  if (!names.every((name) => typeof name === 'string')) return;
  const wanted = new Set<string>(names);
  const whole = [...objects, ...withdrawn].map(({ oid }) => handleOf(oid));
  const sent = [...whole, ...noted.map(({ handle }) => handle)];
  if (sent.some((handle) => !wanted.has(handle))) bad('tell', 'has objects that were not requested');
}

const otherAnswer = (): never => bad('tell', 'answers another question');

/**
 * Request objects by name, at most `maxGet`; names that the source lacks are left out. `withdrawn` requests the
 * signatures of their deletions too.
 */
export async function getByName(
  { session, signal, name, replica, filter, want: usual }: CollectOptions,
  verifier: ProvenanceVerifier,
  names: readonly (Handle | ShortId)[],
  receive: (found: NamedObjects) => Promise<void>,
  want: Want = usual ?? { kind: 'objects' },
  withdrawn = false,
): Promise<void> {
  const bare = want.kind === 'handles';
  const attributes = want.kind === 'attributes' ? want.names : [];
  const question = { names, bare, attributes, filter: filter && filterText(filter), withdrawn };
  await using channel = await session.open(getMessage(question), { end: true, ...(signal && { signal }) });
  const dialogue = new ClientChannel({
    channel,
    source: name,
    replica,
    verifier,
    transcript: new Transcript(questionBytes(question)),
    signedByStore: keyVerifier(session.peer.publicKey),
    speaker: session.peer.serverId,
    epoch: noEpoch,
    expected: byName,
    want,
    withdrawn,
    signal,
  });
  let left = names.length;
  const begun = await dialogue.begin();
  if (begun?.scheme !== byName) otherAnswer();
  for (;;) {
    const statement = await dialogue.hear();
    if (statement.kind === 'end') return;
    if (statement.kind !== 'vector') return otherAnswer();
    const objects: PublishedObject[] = [];
    const noted: { handle: Handle; signature: Uint8Array }[] = [];
    const deleted: (Change & { readonly kind: 'delete' })[] = [];
    let unverified = 0;
    for (const element of statement.elements) {
      if (element.kind === 'record' && element.change.kind === 'put') objects.push(element.change.object);
      else if (element.kind === 'record' && element.change.kind === 'delete') deleted.push(element.change);
      else if (element.kind === 'described' && element.gone) unverified++;
      else if (element.kind === 'described' && element.signature !== undefined)
        noted.push({ handle: element.handle, signature: element.signature });
      else otherAnswer();
    }
    left -= objects.length + noted.length + deleted.length + unverified;
    if (left < 0) bad('tell', 'has objects that were not requested');
    const found = { objects, noted, withdrawn: deleted };
    checkAsked(names, found);
    await receive(found);
  }
}
