import { type Fetch, HttpClient, readBody, userAgent } from '../../fetch/index.ts';
import { callControl } from '../../http/index.ts';
import { failure, isGarnerError, systemClock, systemRandom } from '../../kernel/index.ts';
import { registryErrors } from '../../registry/errors.ts';
import { askNearest } from '../../registry/index.ts';
import { readHolder } from '../../store/index.ts';
import { dataPath } from '../command/common-options.ts';
import type { Run } from '../command/verb.ts';
import { cliErrors } from '../config/errors.ts';
import { version } from '../config/version.ts';

const maxAnswerBytes = 64 * 1024 * 1024;

async function askAt(address: string, path: string, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  const base = address.endsWith('/') ? address : `${address}/`;
  await using response = await fetch({
    ...{ url: new URL(path.slice(1), base).href, maxBytes: maxAnswerBytes, signal },
    headers: { accept: 'application/json' },
  });
  const text = Buffer.from(await readBody(response)).toString();
  const strange = (why: string) => failure(registryErrors.REGISTRY_REMOTE, { address, why });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw strange('its answer is not JSON');
  }
  if (response.status === 200) return json;
  const { error } = (json ?? {}) as { readonly error?: { readonly message?: unknown } };
  throw strange(
    typeof error?.message === 'string' ? error.message.slice(0, 300) : `status ${response.status}`,
  );
}

/** Max time of a question to several Registries. */
const deadlineMs = 10_000;

/** What an answer says of a Registry that has failed, and none of those that are only out of reach. */
const isAnswer = (error: unknown) => isGarnerError(error, registryErrors.REGISTRY_REMOTE);

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
 * Call the API of a Registry. Of several addresses the nearest one is asked, and then the next one where it fails.
 * Throws CLI_USAGE for another text, and REGISTRY_REMOTE.
 */
export async function askRegistryAt(
  addresses: readonly string[],
  path: string,
  signal: AbortSignal,
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
    ...{ addresses, clock: systemClock, deadlineMs, signal },
    probe: (address, ends) => askAt(address, '/health', client.fetch, ends),
    ask: (address, ends) => askAt(address, path, client.fetch, ends),
    failed: (errors) => noneAnswered(addresses, errors),
  });
}

/**
 * Call the API of a Registry: one of `--registry`, or else the one that serves this machine's data folder. Throws
 * CLI_USAGE when there is neither, and REGISTRY_REMOTE when the answer is none.
 */
export async function askRegistry(run: Run, path: string): Promise<unknown> {
  const { args, cwd, signal } = run;
  const addresses = args.list('registry');
  if (addresses.length > 0) return askRegistryAt(addresses, path, signal);
  const holder = await readHolder(dataPath(cwd, args.required('data'), 'registry'));
  if (holder?.address === undefined || holder.token === undefined)
    throw failure(cliErrors.CLI_USAGE, {
      problem: 'no Registry serves this data folder',
      help: 'garner registry serve, or --registry URL for another one',
    });
  return callControl({ address: holder.address, token: holder.token }, path, { signal });
}
