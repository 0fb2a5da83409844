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
  isGarnerError(error, cliErrors.CLI_USAGE) ||
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

/** Why a text is no address of a Registry; undefined for one. */
function problemOf(address: string): string | undefined {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address) ?? [];
  if (scheme === undefined) return 'http:// or https:// is missing';
  if (!/^https?$/i.test(scheme)) return `${scheme}:// in place of http:// or https://`;
  if (URL.canParse(address)) return undefined;
  const port = Number(/:(\d+)(?:\/|$)/.exec(address.slice(scheme.length))?.[1] ?? 0);
  return port > 65_535 ? `a port is at most 65535, not ${port}` : 'it cannot be read as a URL';
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
  for (const address of addresses) {
    const why = problemOf(address);
    if (why !== undefined)
      throw failure(cliErrors.CLI_USAGE, {
        problem: `${address.slice(0, 200)} is not the address of a Registry: ${why}`,
        help: 'write it such as --registry http://127.0.0.1:8502',
      });
  }
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

/** The token that is sent to a Registry of `--registry`, where one is set. */
export async function ownToken(run: Run): Promise<Pick<RegistryCall, 'token'>> {
  const token = (await run.config()).text('registry.token');
  return token === '' ? {} : { token };
}

/**
 * Call the API of a Registry: one of `--registry`, or else the one that serves this machine's data folder, or else, to
 * read, one of `server.registry`. Throws CLI_USAGE when there is none, and REGISTRY_REMOTE when the answer is none.
 */
export async function askRegistry(run: Run, path: string, call: RegistryCall = {}): Promise<unknown> {
  const { args, cwd, signal } = run;
  const addresses = args.list('registry');
  if (addresses.length > 0)
    return askRegistryAt(addresses, path, signal, { ...(await ownToken(run)), ...call });
  const holder = await readHolder(dataPath(cwd, args.required('data'), 'registry'));
  if (holder?.address === undefined || holder.token === undefined) {
    const set = (await run.config()).list('server.registry');
    // A decision is made where it was asked for, and nowhere else.
    if (set.length > 0 && call.method !== 'POST' && !path.startsWith('/control/'))
      return askRegistryAt(set, path, signal, call);
    throw failure(cliErrors.CLI_USAGE, {
      problem: 'no Registry serves this data folder',
      help: 'garner registry serve, or --registry URL for another one',
    });
  }
  const { method, json } = call;
  return callControl({ address: holder.address, token: holder.token }, path, {
    ...(method !== undefined && { method }),
    ...(json !== undefined && { json }),
    signal,
  });
}
