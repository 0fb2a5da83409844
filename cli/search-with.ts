import { askAt, brokerBehind, searchTogether, type TogetherAnswer } from '../broker/index.ts';
import { HttpClient, userAgent } from '../fetch/index.ts';
import { failure } from '../kernel/index.ts';
import { askBroker } from './ask-broker.ts';
import { cliErrors } from './errors.ts';
import type { Run } from './verb.ts';
import { version } from './version.ts';

const mostBrokers = 16;

/** Search this Broker and those at other addresses as one; the parameters are those of the API's search. */
export async function searchWith(
  run: Run,
  addresses: readonly string[],
  parameters: URLSearchParams,
): Promise<TogetherAnswer> {
  const wrong = addresses.find((address) => !/^https?:$/.test(URL.parse(address)?.protocol ?? ''));
  if (wrong !== undefined || addresses.length > mostBrokers)
    throw failure(cliErrors.CLI_USAGE, {
      problem:
        wrong === undefined ? `more than ${mostBrokers} addresses` : `${wrong} is no address of a Broker`,
      help: 'garner broker search WORD --with http://127.0.0.1:8501',
    });
  await using http = new HttpClient({
    userAgent: userAgent(version(), ''),
    allowHosts: addresses,
    delayMs: 0,
  });
  const limit = Number(parameters.get('limit'));
  const offset = Number(parameters.get('offset'));
  const q = parameters.get('q') ?? '';
  const brokers = [
    brokerBehind('this Broker', (path) => askBroker(run, path)),
    ...addresses.map((address) => brokerBehind(address, askAt(address, http.fetch, run.signal))),
  ];
  return await searchTogether(brokers, { q, limit, offset, sources: [], types: [] });
}
