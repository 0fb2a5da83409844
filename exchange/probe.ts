import { handleOf, type SourceState } from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import type { Oid } from '../soif/index.ts';
import type { Session } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { bytesField, unexpected } from './fields.ts';
import { type FilterSpec, filterText } from './filter.ts';
import { getMessage } from './get-question.ts';
import { askMessage } from './request-message.ts';
import { decodeSourceState } from './state-codec.ts';

// Requests to a source that teach the client nothing.

interface ProbeOptions {
  readonly session: Session;
  readonly filter?: FilterSpec | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A client that holds nothing and requires a sketch gets the state and then a question for its cells. */
const opening = { marker: undefined, held: 0, fingerprint: new Uint8Array(16), scheme: 'sketch' };

/** The source's state now, its epoch included; costs some 150 bytes. Throws EXCHANGE_CUT, EXCHANGE_MESSAGE. */
export async function probeState({ session, filter, signal }: ProbeOptions): Promise<SourceState> {
  const ask = { ...opening, want: { kind: 'handles' }, filter: filter && filterText(filter) } as const;
  // Disposed at once: the answer ends with the state.
  await using channel = await session.open(askMessage(ask), signal && { signal });
  const message = await channel.receive(signal);
  if (message === undefined) throw failure(exchangeErrors.EXCHANGE_CUT, { source: session.peer.name });
  if (message.type !== 'tell') throw unexpected(message);
  return decodeSourceState(bytesField(message.s, 'tell', 's'), 'tell', undefined);
}

/** Request these objects and discard the answer: its time shows the speed of the link. At most 512 objects. */
export async function probeLink(
  { session, filter, signal }: ProbeOptions,
  oids: readonly Oid[],
): Promise<void> {
  const question = { bare: false, attributes: [], filter: filter && filterText(filter) };
  const message = getMessage({ ...question, names: oids.map(handleOf) });
  await using channel = await session.open(message, { end: true, ...(signal && { signal }) });
  while ((await channel.receive(signal)) !== undefined);
}
