import type {
  AuditEntry,
  Block,
  DeletionReport,
  ListedSource,
  LiveSetting,
  RecentLine,
  Statistics,
} from '../broker/index.ts';
import type { Caller } from '../http/index.ts';
import type { Application } from '../registry/index.ts';

import type { ListedToken, ListedView } from './admin-orders-view.ts';

/** One request of the page to the administration API. */
export interface AdminCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
}

/** The administration API with the scopes of the session's token; in one process without a socket. */
export type AdminApi = (
  call: AdminCall & { readonly caller: Caller; readonly signal: AbortSignal },
) => Promise<{ readonly status: number; readonly json: unknown }>;

/** The data of the page; a part that the caller may not see is absent. */
export interface AdminParts {
  readonly sources?: readonly ListedSource[];
  readonly settings?: readonly LiveSetting[];
  readonly statistics?: Statistics;
  readonly blocked?: { readonly total: number; readonly blocked: readonly Block[] };
  readonly entries?: readonly AuditEntry[];
  readonly lines?: readonly RecentLine[];
  readonly tokens?: readonly ListedToken[];
  readonly views?: readonly ListedView[];
  /** Of a Registry. */
  readonly applications?: readonly Application[];
}

/** The result of the last button; shown once, on the next page. */
export interface AdminNews {
  readonly said?: string;
  readonly fault?: string;
  /** The dry run of a deletion, and the values of its form. */
  readonly look?: {
    readonly report: DeletionReport;
    readonly query: string;
    readonly reason: string;
    readonly forGood: boolean;
  };
}

const parts = [
  '/control/sources',
  '/control/settings',
  '/control/statistics',
  '/control/blocked?limit=50',
  '/control/audit?limit=30',
  '/control/log?limit=20',
  '/control/applications',
  '/control/tokens',
  '/views?limit=50',
] as const;

/** Request all data of the page. */
export async function askParts(api: AdminApi, caller: Caller, signal: AbortSignal): Promise<AdminParts> {
  const ask = (path: string) => api({ method: 'GET', path, caller, signal });
  const answers = await Promise.all(parts.map(ask));
  const [sources, settings, statistics, blocked, audit, log, applications, tokens, views] = answers.map(
    ({ status, json }) => (status === 200 ? json : undefined),
  );
  return {
    ...(sources as Pick<AdminParts, 'sources'> | undefined),
    ...(settings as Pick<AdminParts, 'settings'> | undefined),
    ...(statistics !== undefined && { statistics: statistics as Statistics }),
    ...(blocked !== undefined && { blocked: blocked as NonNullable<AdminParts['blocked']> }),
    ...(audit as Pick<AdminParts, 'entries'> | undefined),
    ...(log as Pick<AdminParts, 'lines'> | undefined),
    ...(applications as Pick<AdminParts, 'applications'> | undefined),
    ...(tokens as Pick<AdminParts, 'tokens'> | undefined),
    ...(views !== undefined && {
      views: await withWebhooks((views as Required<Pick<AdminParts, 'views'>>).views, ask),
    }),
  };
}

/** Views with their webhooks, where the caller may see those. */
function withWebhooks(
  views: readonly ListedView[],
  ask: (path: string) => ReturnType<AdminApi>,
): Promise<readonly ListedView[]> {
  return Promise.all(
    views.map(async (view) => {
      const { status, json } = await ask(`/views/${encodeURIComponent(view.name)}/webhooks`);
      return status === 200 ? { ...view, ...(json as Pick<ListedView, 'webhooks'>) } : view;
    }),
  );
}
