import { stat } from 'node:fs/promises';
import { callControl, controlCaller } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { storeErrors } from '../../store/errors.ts';
import { callRoutes, type RouteCall } from '../command/call-routes.ts';
import { dataPath } from '../command/common-options.ts';
import { orInterrupted } from '../command/interrupt.ts';
import { openOrAsk, settingFlags } from '../command/open-or-ask.ts';
import type { Run } from '../command/verb.ts';
import { cliErrors } from '../config/errors.ts';
import { brokerSources } from '../config/source-filters.ts';
import { administeredRoutes, openAdministration } from './serving/open-administration.ts';
import { openBroker } from './serving/open-broker.ts';

/** The caller on this machine's command line. */
export const localCaller = { name: controlCaller, scopes: ['admin'] } as const;

/** A server that has the store, tokens and audit of a Broker. */
export type Administered = 'broker' | 'registry';

/** Whether a file or folder exists. */
export const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * The data of the first of these servers that is in the data folder of a command, or else where that of the first one
 * would be. Throws CLI_USAGE where the folder has only a Registry, which is none of them, unless a Broker is made there,
 * and STORE_MISSING where a Registry is wanted and none is there.
 */
export async function administeredData(
  { args, cwd }: Pick<Run, 'args' | 'cwd'>,
  roles: readonly [Administered, ...Administered[]] = ['broker'],
  creates = false,
): Promise<{ readonly data: string; readonly role: Administered }> {
  const folder = args.required('data');
  const at = (role: Administered) => ({ data: dataPath(cwd, folder, role), role });
  for (const role of roles) if (await isThere(at(role).data)) return at(role);
  if (!creates && !roles.includes('registry') && (await isThere(at('registry').data)))
    throw failure(cliErrors.CLI_USAGE, {
      problem: `${folder} has the data of a Registry, and of no Broker`,
      help: 'name the folder of a Broker with --data; garner registry --help lists the commands for a Registry',
    });
  if (!creates && roles[0] === 'registry')
    throw failure(storeErrors.STORE_MISSING, {
      path: at('registry').data,
      cure: 'name the folder of a Registry with --data, or start one there: garner registry serve --data DIR',
    });
  return at(roles[0]);
}

/**
 * Administer a Broker or a Registry: the serving process through its control door, or else the data itself. `collects`
 * lets the data's Broker connect to its sources; `creates` makes a missing data folder.
 */
export async function administer<Answer>(
  run: Run,
  call: Pick<RouteCall, 'method' | 'path' | 'json'>,
  {
    collects = false,
    creates = false,
    heals = creates,
    roles,
    before,
  }: {
    readonly collects?: boolean;
    readonly creates?: boolean;
    /** Make damaged databases again from what can be read. */
    readonly heals?: boolean;
    /** Look at data that no process holds before it is opened; an answer takes the place of the call's. */
    readonly before?: (data: string) => Promise<Answer | undefined>;
    readonly roles?: readonly [Administered, ...Administered[]];
  } = {},
): Promise<Answer> {
  const { signal } = run;
  const { data, role } = await administeredData(run, roles, creates);
  const config = await run.config();
  const answer = await openOrAsk(
    data,
    async () => {
      const early = await before?.(data);
      if (early !== undefined) return early;
      const how = { role, create: creates, heals };
      await using opened = await openBroker(data, brokerSources(config), config, how);
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
    settingFlags(config),
  );
  return answer as Answer;
}

/** A source, name or id as one part of a path. */
export const inPath = (text: string): string => encodeURIComponent(text);
