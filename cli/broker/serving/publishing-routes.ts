import { type Broker, publishing } from '../../../broker/index.ts';
import type { Route } from '../../../http/index.ts';
import type { EffectiveConfig } from '../../config/config.ts';
import { publishersOf } from '../../config/publishers.ts';
import type { ServerAccess } from '../../server/access.ts';

/** `POST /publish` of a Broker where `broker.publishers` names any; else nothing. Throws CLI_BAD_SETTING. */
export async function publishingRoutes(
  broker: Broker,
  config: EffectiveConfig,
  {
    access,
    refused,
  }: {
    readonly access: ServerAccess;
    /** Records in the audit that a publisher was refused. */
    readonly refused: (who: string | undefined, action: string, note: string) => void;
  },
): Promise<readonly Route[]> {
  const publishers = publishersOf(config);
  if (publishers.length === 0) return [];
  const { openPublishing } = await publishing();
  const route = await openPublishing(broker, {
    publishers,
    maxDocuments: config.count('broker.max-publications'),
    perSecond: config.count('broker.publication-rate'),
    writer: ({ headers, client }) => access.table.callerFor('write', headers.authorization, client),
    refused: ({ who, note }) => refused(who, 'publish', note),
  });
  return [route];
}
