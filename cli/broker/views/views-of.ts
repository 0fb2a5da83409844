import { type ControlCall, callControl } from '../../../http/index.ts';
import { callRoutes } from '../../command/call-routes.ts';
import { orInterrupted } from '../../command/interrupt.ts';
import { openOrAsk, settingFlags } from '../../command/open-or-ask.ts';
import type { Run } from '../../command/verb.ts';
import { brokerSources } from '../../config/source-filters.ts';
import { administeredData, localCaller } from '../administer.ts';
import { administeredRoutes, openAdministration } from '../serving/open-administration.ts';
import { openBroker } from '../serving/open-broker.ts';

/** Make several calls about a Broker's views: over HTTP when a process holds its store, else on the Broker itself. */
export async function withViews<Result>(
  run: Run,
  ask: (call: (path: string, call?: ControlCall) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const { signal } = run;
  const { data } = await administeredData(run);
  const config = await run.config();
  return openOrAsk(
    data,
    async () => {
      await using opened = await openBroker(data, brokerSources(config), config);
      using administration = await openAdministration(opened.broker);
      const routes = administeredRoutes(administration);
      const call = async (path: string, { method, json }: ControlCall = {}) => {
        await opened.broker.views.upToDate();
        const asked = { path, ...(method && { method }), ...(json !== undefined && { json }) };
        return callRoutes(routes, { ...asked, caller: localCaller, signal });
      };
      return await orInterrupted(ask(call), signal);
    },
    (door) => ask((path, call = {}) => callControl(door, path, { ...call, signal })),
    settingFlags(config),
  );
}

/** The path of a view, or of a part of it. */
export function viewPath(name: string, ...rest: readonly string[]): string {
  return ['/views', name, ...rest].map((part, at) => (at === 0 ? part : encodeURIComponent(part))).join('/');
}
