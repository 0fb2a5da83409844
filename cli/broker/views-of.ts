import type { Broker } from '../../broker/index.ts';
import { type ControlCall, callControl } from '../../http/index.ts';
import { dataPath } from '../data-option.ts';
import { openOrAsk } from '../holder.ts';
import { orInterrupted } from '../interrupt.ts';
import { openBroker } from '../open-broker.ts';
import { brokerSources } from '../source-filters.ts';
import type { Run } from '../verb.ts';

/**
 * Do something with a Broker's views: over HTTP, call by call, when a process holds its store, else with the Broker
 * itself, whose views are up to date when `own` is called.
 */
export async function withViews<Result>(
  run: Run,
  own: (broker: Broker) => Promise<Result>,
  ask: (call: (path: string, call?: ControlCall) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const { args, cwd, signal } = run;
  const data = dataPath(cwd, args.required('data'), 'broker');
  const config = await run.config();
  return openOrAsk(
    data,
    async () => {
      await using opened = await openBroker(data, brokerSources(config), config);
      await orInterrupted(opened.broker.views.upToDate(), signal);
      return await orInterrupted(own(opened.broker), signal);
    },
    (door) => ask((path, call = {}) => callControl(door, path, { ...call, signal })),
  );
}

/** The path of a view, or of something of it. */
export function viewPath(name: string, ...rest: readonly string[]): string {
  return ['/views', name, ...rest].map((part, at) => (at === 0 ? part : encodeURIComponent(part))).join('/');
}
