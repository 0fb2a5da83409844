import type { RouteResponse, SitePage } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import { type AssetFolders, Assets, ownAssetFolders } from './assets.ts';
import { plainPage } from './page.ts';
import { readTopology, type ShownTopology } from './topology-data.ts';
import { topologyView } from './topology-view.ts';

export interface TopologyPageOptions {
  /** The name at the top and in the title, which is that of the Registry. */
  readonly title: string;
  readonly assets?: AssetFolders;
  readonly clock?: Clock;
  /** The pages of the server. */
  readonly pages?: readonly SitePage[];
}

/**
 * The page of an answer of `GET /topology`, or that answer when it is none. Its script follows `topology/events` and
 * loads the page again at each change; without a script it has a link for that.
 */
export function topologyPage(options: TopologyPageOptions): (answer: RouteResponse) => RouteResponse {
  const { title, clock = systemClock, pages } = options;
  const assets = new Assets(options.assets ?? ownAssetFolders());
  const drawn = (topology: ShownTopology) =>
    plainPage({
      ...{ name: title, assets, pages, title: 'Topology', current: 'topology' },
      skip: 'Skip to the topology',
      modules: assets.modules('topology.js'),
      main: topologyView(topology, { registry: title, now: clock.now() / 1000 }),
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
