import type { HttpClient } from '../../fetch/index.ts';
import { publicationOf, publish } from '../../publication/index.ts';
import { identityFrom, newIdentitySecret, summaryObject } from '../../soif/index.ts';

/** A server that registers once, with a lease longer than a test. */
export interface Described {
  readonly type: string;
  readonly url: string;
  readonly name: string;
  readonly objects?: number;
  readonly attributes?: readonly (readonly [string, string])[];
}

/** Register a server that has every mandatory attribute of its type. */
export async function register(registry: string, client: HttpClient, server: Described): Promise<void> {
  const updatedAt = Math.floor(Date.now() / 1000);
  const object = summaryObject(
    server.url,
    [
      ['Title', server.name],
      ['Type', server.type],
      ['Gatherer-Name', server.name],
      ['Gatherer-Host', new URL(server.url).hostname],
      ['Gatherer-Port', '80'],
      ['Gatherer-Version', 'garner/test'],
      ['Software-Version', 'garner/test'],
      ...(server.objects === undefined ? [] : [['Objects', server.objects] as const]),
      ...(server.attributes ?? []),
      ['Refresh-Rate', 600],
      ['Time-to-Live', 3600],
      ['Update-Time', updatedAt],
    ],
    server.type,
  );
  const identity = identityFrom(newIdentitySecret());
  await publish(registry, publicationOf(identity, object, { updatedAt }), client);
}
