import { type AskedBy, searchesTogether, searchParameters, type TogetherAnswer } from '../../broker/index.ts';
import { HttpClient, userAgent } from '../../fetch/index.ts';
import { failure, systemClock } from '../../kernel/index.ts';
import type { Run } from '../command/verb.ts';
import { cliErrors } from '../config/errors.ts';
import { version } from '../config/version.ts';
import { withBroker } from './ask-broker.ts';

const maxBrokers = 16;

/** Search this Broker and those at other addresses as one; the parameters are those of the API's search. */
export async function searchWith(
  run: Run,
  addresses: readonly string[],
  parameters: URLSearchParams,
): Promise<TogetherAnswer> {
  const wrong = addresses.find((address) => !/^https?:$/.test(URL.parse(address)?.protocol ?? ''));
  if (wrong !== undefined || addresses.length > maxBrokers)
    throw failure(cliErrors.CLI_USAGE, {
      problem:
        wrong === undefined ? `more than ${maxBrokers} addresses` : `${wrong} is not the address of a Broker`,
      help: 'garner broker search WORD --with http://127.0.0.1:8501',
    });
  const { askAt, brokerBehind, searchTogether } = await searchesTogether();
  await using http = new HttpClient({
    userAgent: userAgent(version(), ''),
    allowHosts: addresses,
    delayMs: 0,
  });
  const limit = Number(parameters.get('limit'));
  const offset = Number(parameters.get('offset'));
  const asked = new URLSearchParams(parameters);
  // Each Broker is queried page by page, so the maximum of one page is no bound here.
  for (const name of ['limit', 'offset']) asked.delete(name);
  return await withBroker(run, (ask) =>
    searchTogether(
      [
        brokerBehind('this Broker', ask),
        ...addresses.map((address) =>
          brokerBehind(address, askAt(address, http.fetch, { clock: systemClock, signal: run.signal })),
        ),
      ],
      { ...searchParameters(askedBy(asked)), limit, offset },
    ),
  );
}

function askedBy(parameters: URLSearchParams): AskedBy {
  const names = [...new Set(parameters.keys())];
  return {
    query: Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])),
    queries: Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])),
  };
}
