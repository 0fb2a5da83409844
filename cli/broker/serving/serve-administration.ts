import {
  type Administration,
  administrationRoutes,
  auditedRoutes,
  type Broker,
  brokerRoutes,
  type ClassicOrders,
} from '../../../broker/index.ts';
import { type Refusal, type Route, reaches } from '../../../http/index.ts';
import { isGarnerError } from '../../../kernel/index.ts';
import { adminPageRoutes, type Site } from '../../../web/index.ts';
import { askRoutes, callRoutes } from '../../command/call-routes.ts';
import type { EffectiveConfig } from '../../config/config.ts';
import { type ServerAccess, serverAccess } from '../../server/access.ts';
import { RecentLines } from '../../server/recent-lines.ts';
import { openAdministration, openTokenBook } from './open-administration.ts';
import { publishingRoutes } from './publishing-routes.ts';

/** The administration of a listening Broker; disposing ends its statistics and its log. */
export interface ServedAdministration extends Disposable {
  /** The routes of the Broker itself; every change is audited. */
  readonly api: readonly Route[];
  /** The routes of the administration, and of its page. */
  readonly routes: readonly Route[];
  readonly access: ServerAccess;
  readonly refused: (refusal: Refusal) => void;
  /** Record in the audit that a stranger was refused an action. */
  readonly refusedStranger: (action: string, note: string) => void;
  /** Administration through the classic port, by the same routes. */
  readonly classic: ClassicOrders;
  /** `POST /publish` where `broker.publishers` names any; else nothing. */
  readonly publishing: readonly Route[];
}

/** Open the administration of a Broker or a Registry: its routes (`more` are those of its role), their access, and the audit of refused callers. */
export async function serveAdministration(
  broker: Broker,
  config: EffectiveConfig,
  { role, site }: { readonly role: 'broker' | 'registry'; readonly site: Site },
  more: (administration: Administration) => readonly Route[] = () => [],
): Promise<ServedAdministration> {
  const tokens = await openTokenBook(broker.folder.path);
  const access = serverAccess(config, tokens);
  const log = new RecentLines(broker.orders.settings);
  const administration = await openAdministration(broker, { tokens, log });
  const { audit } = administration;
  const refused = (who: string | undefined, action: string, note: string): void => {
    // Nobody waits for it, and the caller is turned away in any case.
    audit.refused({ who, action, note }).catch(() => undefined);
  };
  const routes = [...administrationRoutes(administration), ...more(administration)];
  const api = auditedRoutes(administration, brokerRoutes(broker));
  const page = adminPageRoutes({
    api: (call) => askRoutes([...routes, ...api], call),
    callerWith: (hash) => access.table.callerWith(hash),
    callerOf: (token, client) => access.table.callerOf(token, client),
    loggedIn: (who) =>
      who === undefined
        ? audit.refused({ who, action: 'log in', note: 'no token that may administer' })
        : audit.action({ who, action: 'log in', detail: 'page' }, async () => undefined),
    ...{ ...site, role },
  });
  return {
    api,
    routes: [...routes, ...page],
    access,
    refused: ({ method, route, caller, code }) => refused(caller, `${method} ${route}`, code),
    refusedStranger: (action, note) => refused(undefined, action, note),
    classic: {
      authorise: async (password) => {
        const action = 'classic port';
        const caller = await access.table.callerOf(password, action).catch((error) => {
          refused(undefined, action, isGarnerError(error) ? error.code : 'no password that may administer');
          throw error;
        });
        if (caller !== undefined && reaches(caller.scopes, 'admin')) return caller;
        refused(caller?.name, action, 'no password that may administer');
        return undefined;
      },
      order: (caller, path, json) =>
        callRoutes(routes, { method: 'POST', path, caller, ...(json !== undefined && { json }) }),
    },
    publishing: await publishingRoutes(broker, config, { access, refused }),
    [Symbol.dispose]: () => {
      administration[Symbol.dispose]();
      log[Symbol.dispose]();
    },
  };
}
