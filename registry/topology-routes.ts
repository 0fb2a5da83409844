import { eventStream, type Route } from '../http/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { TopologyFeed } from './topology-feed.ts';

/** `GET /topology`, and `GET /topology/events`: the version of it at each change. */
export function topologyRoutes(feed: TopologyFeed, clock: Clock): readonly [topology: Route, events: Route] {
  return [
    {
      method: 'GET',
      path: '/topology',
      summary: 'Who collects from whom, how fresh it is and what is broken',
      scope: 'public',
      handle: () => ({ json: feed.current(), headers: { 'cache-control': 'no-cache' } }),
    },
    {
      method: 'GET',
      path: '/topology/events',
      summary: 'Server-sent events: the version of the topology at each change',
      scope: 'public',
      isStanding: true,
      handle: ({ signal }) => eventStream(feed.versions(signal), { clock }),
    },
  ];
}
