import { brokerRoutes } from '../../broker/index.ts';
import { callControl } from '../../http/index.ts';
import { callRoutes } from '../command/call-routes.ts';
import { orInterrupted } from '../command/interrupt.ts';
import { openOrAsk, settingFlags } from '../command/open-or-ask.ts';
import type { Run } from '../command/verb.ts';
import { brokerSources } from '../config/source-filters.ts';
import { administeredData, localCaller } from './administer.ts';
import { openBroker } from './serving/open-broker.ts';

/** Ask a Broker for one object as JSON. Throws BROKER_NO_OBJECT. */
export async function askObject(run: Run, oid: string): Promise<unknown> {
  return askBroker(run, `/objects/${encodeURIComponent(oid.slice(0, 100))}`);
}

/** Call a Broker's API: over HTTP when a process holds its store, else on the store itself. */
export function askBroker(run: Run, path: string): Promise<unknown> {
  return withBroker(run, (ask) => ask(path));
}

/** The same for several calls, one after the other, to one Broker. */
export async function withBroker<Result>(
  run: Run,
  talk: (ask: (path: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const { data } = await administeredData(run);
  const config = await run.config();
  return openOrAsk(
    data,
    async () => {
      await using opened = await openBroker(data, brokerSources(config), config, { create: false });
      await orInterrupted(opened.broker.indexer.reached(opened.broker.folder.store.lsn), run.signal);
      const routes = brokerRoutes(opened.broker);
      const call = { caller: localCaller, signal: run.signal };
      return await talk((path) => orInterrupted(callRoutes(routes, { ...call, path }), run.signal));
    },
    (door) => talk((path) => callControl(door, path, { signal: run.signal })),
    settingFlags(config),
  );
}
