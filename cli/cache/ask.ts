import { callControl } from '../../http/index.ts';
import { localCaller } from '../broker/administer.ts';
import { callRoutes, type RouteCall } from '../command/call-routes.ts';
import { dataPath } from '../command/common-options.ts';
import { orInterrupted } from '../command/interrupt.ts';
import { openOrAsk, settingFlags } from '../command/open-or-ask.ts';
import type { Run } from '../command/verb.ts';
import { withIdleCache } from './open-cache.ts';

/** Query a cache: the serving process through its control door, or else the data itself. */
export async function askCache<Answer>(
  run: Run,
  { path: asked, ...call }: Pick<RouteCall, 'method' | 'path' | 'json'>,
): Promise<Answer> {
  const { args, cwd, signal } = run;
  const path = dataPath(cwd, args.required('data'), 'cache');
  const config = await run.config();
  const answer = await openOrAsk(
    path,
    () =>
      withIdleCache(path, config, (routes) =>
        orInterrupted(callRoutes(routes, { ...call, path: asked, caller: localCaller, signal }), signal),
      ),
    (door) => callControl(door, asked, { ...call, signal }),
    settingFlags(config),
  );
  return answer as Answer;
}
