import { callControl, controlCaller } from '../../http/index.ts';
import { callRoutes, type RouteCall } from '../command/call-routes.ts';
import { dataPath } from '../command/common-options.ts';
import { orInterrupted } from '../command/interrupt.ts';
import { openOrAsk } from '../command/open-or-ask.ts';
import type { Run } from '../command/verb.ts';
import { brokerSources } from '../config/source-filters.ts';
import { administeredRoutes, openAdministration } from './serving/open-administration.ts';
import { openBroker } from './serving/open-broker.ts';

/** The caller on this machine's command line. */
export const localCaller = { name: controlCaller, scopes: ['admin'] } as const;

/**
 * Administer a Broker: the serving process through its control door, or else the data itself. `collects` lets the data's
 * Broker connect to its sources; `creates` makes a missing data folder.
 */
export async function administer<Answer>(
  run: Run,
  call: Pick<RouteCall, 'method' | 'path' | 'json'>,
  { collects = false, creates = false } = {},
): Promise<Answer> {
  const { args, cwd, signal } = run;
  const data = dataPath(cwd, args.required('data'), 'broker');
  const config = await run.config();
  const answer = await openOrAsk(
    data,
    async () => {
      await using opened = await openBroker(data, brokerSources(config), config, { create: creates });
      using administration = await openAdministration(opened.broker);
      if (collects) opened.broker.start();
      const routes = administeredRoutes(administration);
      const answer = await orInterrupted(
        callRoutes(routes, { ...call, caller: localCaller, signal }),
        signal,
      );
      if (collects) await orInterrupted(opened.settled(), signal);
      return answer;
    },
    (door) =>
      callControl(door, call.path, {
        ...(call.method !== undefined && { method: call.method }),
        ...(call.json !== undefined && { json: call.json }),
        signal,
      }),
  );
  return answer as Answer;
}

/** A source, name or id as one part of a path. */
export const inPath = (text: string): string => encodeURIComponent(text);
