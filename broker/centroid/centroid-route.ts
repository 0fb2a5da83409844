import type { Route } from '../../http/index.ts';
import { ClientSlots, type Clock, failure } from '../../kernel/index.ts';
import type { ServerId } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';

/** Max centroids that are made at once. */
const atOnce = 4;

export interface CentroidSource {
  readonly store: Pick<ObjectStore, 'snapshot' | 'lsn' | 'epoch'>;
  readonly server: ServerId;
  readonly clock: Clock;
}

/** `GET /centroid`: one at a time for each client, and few at once. */
export function centroidRoute({ store, server, clock }: CentroidSource): Route {
  const slots = new ClientSlots({ max: atOnce, perClient: 1 });
  /** Begins when it is read, so that an unchanged centroid costs nothing. */
  async function* body(client: string, signal: AbortSignal) {
    const slot = slots.enter(client);
    if (typeof slot === 'string') throw failure(brokerErrors.BROKER_CENTROID_BUSY, {});
    using _slot = slot;
    const { centroidText } = await import('./centroid-text.ts');
    for await (const text of centroidText({ store, server, now: clock.now(), signal }))
      yield Buffer.from(text, 'latin1');
  }
  return {
    method: 'GET',
    path: '/centroid',
    summary: 'The words of each attribute by template type, as a WHOIS++ index server reads them (RFC 1913)',
    scope: 'public',
    media: { 'text/plain': { type: 'string' } },
    handle: ({ client = '', signal }) => ({
      headers: {
        'content-type': 'text/plain; charset=iso-8859-1',
        // Weak: the time in its head differs.
        etag: `W/"${store.epoch}-${store.lsn}"`,
      },
      body: body(client, signal),
    }),
  };
}
