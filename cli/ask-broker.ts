import { brokerRoutes } from '../broker/index.ts';
import { callControl } from '../http/index.ts';
import { localCaller } from './administer.ts';
import { callRoutes } from './call-routes.ts';
import { dataPath } from './data-option.ts';
import { openOrAsk } from './holder.ts';
import { orInterrupted } from './interrupt.ts';
import { openBroker } from './open-broker.ts';
import { brokerSources } from './source-filters.ts';
import type { Run } from './verb.ts';

/** Ask a Broker for one object as JSON. Throws BROKER_NO_OBJECT. */
export async function askObject(run: Run, oid: string): Promise<unknown> {
  return askBroker(run, `/objects/${encodeURIComponent(oid.slice(0, 100))}`);
}

/** Ask a Broker's API for something: over HTTP when a process holds its store, else the store itself. */
export function askBroker(run: Run, path: string): Promise<unknown> {
  return withBroker(run, (ask) => ask(path));
}

/** The same for several questions, one after the other, to one Broker. */
export async function withBroker<Result>(
  run: Run,
  talk: (ask: (path: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const data = dataPath(run.cwd, run.args.required('data'), 'broker');
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
  );
}
