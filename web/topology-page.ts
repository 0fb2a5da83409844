import type { RouteResponse } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import { plainPage } from './page.ts';
import { frameOf, type Site } from './site.ts';
import { readTopology, type ShownTopology } from './topology-data.ts';
import { topologyView } from './topology-view.ts';

export interface TopologyPageOptions extends Site {
  readonly clock?: Clock;
}

/**
 * The page of an answer of `GET /topology`, or that answer when it is none. Its script follows `topology/events` and
 * loads the page again at each change; without a script it has a link for that.
 */
export function topologyPage(options: TopologyPageOptions): (answer: RouteResponse) => RouteResponse {
  const { clock = systemClock } = options;
  const frame = frameOf(options)();
  const drawn = (topology: ShownTopology) =>
    plainPage({
      ...{ ...frame, title: 'Topology', current: 'topology' },
      skip: 'Skip to the topology',
      modules: frame.assets.modules('topology.js'),
      main: topologyView(topology, { registry: frame.name, now: clock.now() / 1000 }),
    });
  // A large picture takes long: readers of one answer of the Registry share it.
  let last: { readonly json: unknown; readonly body: string } | undefined;
  return (answer) => {
    const { json } = answer;
    if (last === undefined || last.json !== json) {
      const topology = readTopology(json);
      if (topology === undefined) return answer;
      last = { json, body: drawn(topology) };
    }
    return {
      headers: { ...answer.headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      body: last.body,
    };
  };
}
