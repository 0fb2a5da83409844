import type { SitePage } from '../../http/index.ts';
import type { EffectiveConfig } from '../config/config.ts';

const search: SitePage = { href: './', name: 'Search' };
const status: SitePage = { href: 'status', name: 'Status' };
const administration: SitePage = { href: 'admin', name: 'Administration' };

const own = {
  broker: [search, status, administration],
  cache: [status, { href: 'metrics', name: 'Metrics' }, { href: 'openapi.json', name: 'API' }],
  gatherer: [
    { href: './', name: 'Gatherer' },
    { href: 'annotate', name: 'Annotate' },
  ],
  registry: [
    { href: './', name: 'Servers' },
    { href: 'topology', name: 'Topology' },
    { href: 'register', name: 'Add a server' },
    status,
    administration,
  ],
} as const satisfies Readonly<Record<string, readonly SitePage[]>>;

/** The navigation of a server: its own pages, then the Registry where it registers. */
export function sitePages(role: keyof typeof own, config: EffectiveConfig): readonly SitePage[] {
  const registry = URL.parse(config.list('server.registry')[0] ?? '');
  if (registry === null || !/^https?:$/.test(registry.protocol)) return own[role];
  return [...own[role], { href: registry.href, name: 'Registry' }];
}
