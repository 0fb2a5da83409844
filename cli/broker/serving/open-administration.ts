import { join } from 'node:path';
import {
  Administration,
  AuditTrail,
  administrationRoutes,
  auditedRoutes,
  type Broker,
  brokerRoutes,
  type RecentLog,
} from '../../../broker/index.ts';
import { type Route, TokenBook } from '../../../http/index.ts';
import { systemClock, systemRandom } from '../../../kernel/index.ts';
import { readKept, writeKept } from '../../../store/index.ts';

const parts = { clock: systemClock, random: systemRandom };

/** The tokens with names of a Broker's data folder. Throws HTTP_TOKEN_FILE. */
export function openTokenBook(folder: string): Promise<TokenBook> {
  const read = (path: string) => readKept(path, { heals: true });
  return TokenBook.open(join(folder, 'tokens.json'), { ...parts, read, replace: writeKept });
}

/** The administration of an opened Broker; the log is that of the serving process. */
export async function openAdministration(
  broker: Broker,
  { tokens, log = { lines: () => [] } }: { readonly tokens?: TokenBook; readonly log?: RecentLog } = {},
): Promise<Administration> {
  const { path } = broker.folder;
  return new Administration({
    broker,
    log,
    audit: await AuditTrail.open(path, parts),
    tokens: tokens ?? (await openTokenBook(path)),
  });
}

/** All routes of an administered Broker; every change is audited. */
export function administeredRoutes(administration: Administration): readonly Route[] {
  const { broker } = administration;
  return [...auditedRoutes(administration, brokerRoutes(broker)), ...administrationRoutes(administration)];
}
