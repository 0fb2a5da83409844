import type { Gatherer, GathererServing } from '../../gatherer/index.ts';
import type { ControlDoor } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { storeErrors } from '../../store/errors.ts';
import { dataPath } from '../command/common-options.ts';
import { openOrAsk, settingFlags } from '../command/open-or-ask.ts';
import type { Run } from '../command/verb.ts';
import { readSite, siteName } from '../config/site.ts';
import { openGatherer } from './open-gatherer.ts';

/** Query a Gatherer: the process that holds its store, or the store itself when no process does. */
export async function askGatherer<Result>(
  run: Run,
  open: (gatherer: Gatherer, serving: GathererServing) => Promise<Result>,
  ask: (door: ControlDoor) => Promise<Result>,
): Promise<Result> {
  const path = dataPath(run.cwd, run.args.required('data'), 'gatherer');
  const site = await readSite(path);
  if (site === undefined) throw failure(storeErrors.STORE_MISSING, { path });
  const config = await run.config();
  return openOrAsk(
    path,
    async () => {
      await using opened = await openGatherer(path, site, config, { heals: false });
      const { gatherer, stream } = opened;
      return await open(gatherer, { gatherer, stream, roots: [siteName(site)] });
    },
    ask,
    settingFlags(config),
  );
}
