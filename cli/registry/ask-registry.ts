import { HttpClient, userAgent } from '../../fetch/index.ts';
import { callControl } from '../../http/index.ts';
import { failure, systemClock, systemRandom } from '../../kernel/index.ts';
import { readHolder } from '../../store/index.ts';
import { dataPath } from '../command/common-options.ts';
import type { Run } from '../command/verb.ts';
import { cliErrors } from '../config/errors.ts';
import { version } from '../config/version.ts';
import { type RegistryCall, registryAnswer } from '../server/registry-answer.ts';

/**
 * Call the API of the Registry at an address. Throws CLI_USAGE for another text, REGISTRY_REFUSED with the Registry's
 * reason, and REGISTRY_REMOTE when the answer is none.
 */
export async function askRegistryAt(
  address: string,
  path: string,
  signal: AbortSignal,
  call: RegistryCall = {},
): Promise<unknown> {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw failure(cliErrors.CLI_USAGE, {
      problem: `${address} is not the address of a Registry`,
      help: 'garner registry list --registry http://127.0.0.1:8502',
    });
  await using client = new HttpClient({
    ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom },
    ...{ allowHosts: [address], delayMs: 0 },
  });
  return await registryAnswer(address, path, call, { fetch: client.fetch, signal });
}

/**
 * Call the API of a Registry: the one of `--registry`, or else the one that serves this machine's data folder. Throws
 * CLI_USAGE when there is neither, REGISTRY_REFUSED with the Registry's reason, and REGISTRY_REMOTE when the answer is none.
 */
export async function askRegistry(run: Run, path: string, call: RegistryCall = {}): Promise<unknown> {
  const { args, cwd, signal } = run;
  const address = args.text('registry');
  if (address !== undefined) return askRegistryAt(address, path, signal, call);
  const holder = await readHolder(dataPath(cwd, args.required('data'), 'registry'));
  if (holder?.address === undefined || holder.token === undefined)
    throw failure(cliErrors.CLI_USAGE, {
      problem: 'no Registry serves this data folder',
      help: 'garner registry serve, or --registry URL for another one',
    });
  const { method, json } = call;
  return callControl({ address: holder.address, token: holder.token }, path, {
    ...(method !== undefined && { method }),
    ...(json !== undefined && { json }),
    signal,
  });
}
