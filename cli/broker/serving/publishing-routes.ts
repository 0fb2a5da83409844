import { type AuditTrail, type Broker, publishing } from '../../../broker/index.ts';
import type { Route } from '../../../http/index.ts';
import type { EffectiveConfig } from '../../config/config.ts';
import { publishersOf } from '../../config/publishers.ts';
import type { ServerAccess } from '../../server/access.ts';

/** `POST /publish` of a Broker where `broker.publishers` names any; else nothing. Throws CLI_BAD_SETTING. */
export async function publishingRoutes(
  broker: Broker,
  config: EffectiveConfig,
  { access, audit }: { readonly access: ServerAccess; readonly audit: AuditTrail },
): Promise<readonly Route[]> {
  const publishers = publishersOf(config);
  if (publishers.length === 0) return [];
  const { openPublishing } = await publishing();
  const route = await openPublishing(broker, {
    publishers,
    maxDocuments: config.count('broker.max-publications'),
    perSecond: config.count('broker.publication-rate'),
    writer: ({ headers }) => access.table.callerFor('write', headers.authorization),
    refused: (about) => {
      // Nobody waits for it, and the publication is refused in any case.
      audit.refused({ ...about, action: 'publish' }).catch(() => undefined);
    },
  });
  return [route];
}
