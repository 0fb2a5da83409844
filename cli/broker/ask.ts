import { brokerRoutes } from '../../broker/index.ts';
import { callControl } from '../../http/index.ts';
import { dataPath } from '../data-option.ts';
import { openOrAsk } from '../holder.ts';
import { orInterrupted } from '../interrupt.ts';
import { openBroker } from '../open-broker.ts';
import { askRoutes } from '../serve-broker.ts';
import type { Run } from '../verb.ts';

/** Ask a Broker's API for something: over HTTP when a process holds its store, else the store itself. */
export async function askBroker(run: Run, path: string): Promise<unknown> {
  const data = dataPath(run.cwd, run.args.required('data'), 'broker');
  const config = await run.config();
  return openOrAsk(
    data,
    async () => {
      await using opened = await openBroker(data, [], config, { create: false });
      await orInterrupted(opened.broker.indexer.reached(opened.broker.folder.store.lsn), run.signal);
      return await askRoutes(brokerRoutes(opened.broker), path);
    },
    (door) => callControl(door, path, { signal: run.signal }),
  );
}
