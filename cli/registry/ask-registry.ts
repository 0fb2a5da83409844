import { HttpClient, userAgent } from '../../fetch/index.ts';
import { callControl } from '../../http/index.ts';
import { failure, isGarnerError, systemClock, systemRandom } from '../../kernel/index.ts';
import { registryErrors } from '../../registry/errors.ts';
import { askNearest } from '../../registry/index.ts';
import { readHolder } from '../../store/index.ts';
import { dataPath } from '../command/common-options.ts';
import type { Run } from '../command/verb.ts';
import { cliErrors } from '../config/errors.ts';
import { version } from '../config/version.ts';
import { type RegistryCall, registryAnswer } from '../server/registry-answer.ts';

/** Max time of a question to several Registries. */
const deadlineMs = 10_000;

/** What an answer says of a Registry that has failed, and none of those that are only out of reach. */
const isAnswer = (error: unknown) =>
  isGarnerError(error, registryErrors.REGISTRY_REFUSED) ||
  isGarnerError(error, registryErrors.REGISTRY_REMOTE);

function noneAnswered(addresses: readonly string[], errors: readonly unknown[]): unknown {
  const why = errors.map((error) => (error instanceof Error ? error.message : String(error))).join('; ');
  return (
    errors.find(isAnswer) ??
    failure(registryErrors.REGISTRY_REMOTE, {
      ...{ address: addresses.join(', '), why: why || `no answer in ${deadlineMs / 1000} seconds` },
    })
  );
}

/**
 * Call the API of a Registry. Of several addresses the nearest one is asked, and then the next one where it fails; the
 * first one gets a POST. Throws CLI_USAGE for another text, REGISTRY_REFUSED with the reason of a Registry, and
 * REGISTRY_REMOTE when none has answered.
 */
export async function askRegistryAt(
  addresses: readonly string[],
  path: string,
  signal: AbortSignal,
  call: RegistryCall = {},
): Promise<unknown> {
  for (const address of addresses)
    if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      throw failure(cliErrors.CLI_USAGE, {
        problem: `${address} is not the address of a Registry`,
        help: 'garner registry list --registry http://127.0.0.1:8502',
      });
  await using client = new HttpClient({
    ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom },
    ...{ allowHosts: addresses, delayMs: 0, ...(addresses.length > 1 && { retries: 0 }) },
  });
  return await askNearest({
    addresses: call.method === 'POST' ? addresses.slice(0, 1) : addresses,
    ...{ clock: systemClock, deadlineMs, signal },
    probe: (address, ends) => registryAnswer(address, '/health', {}, { fetch: client.fetch, signal: ends }),
    ask: (address, ends) => registryAnswer(address, path, call, { fetch: client.fetch, signal: ends }),
    failed: (errors) => noneAnswered(addresses, errors),
  });
}

/**
 * Call the API of a Registry: one of `--registry`, or else the one that serves this machine's data folder. Throws
 * CLI_USAGE when there is neither, and REGISTRY_REMOTE when the answer is none.
 */
export async function askRegistry(run: Run, path: string, call: RegistryCall = {}): Promise<unknown> {
  const { args, cwd, signal } = run;
  const addresses = args.list('registry');
  if (addresses.length > 0) return askRegistryAt(addresses, path, signal, call);
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
