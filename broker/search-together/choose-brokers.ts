import { isLoopbackHost } from '../../fetch/index.ts';

/** A Broker of a directory. */
export interface ListedBroker {
  readonly url: string;
  readonly name: string;
  /** Number of objects in its signed description. */
  readonly objects?: number | undefined;
  readonly state?: 'live' | 'late';
}

export interface OmittedBroker<Listed extends ListedBroker = ListedBroker> {
  readonly broker: Listed;
  readonly why: string;
}

export interface Choice<Listed extends ListedBroker = ListedBroker> {
  readonly chosen: readonly Listed[];
  readonly omitted: readonly OmittedBroker<Listed>[];
}

/** Chooses at most `max` of the listed Brokers for a query. Each of the others is omitted with a reason. */
export type ChooseBrokers = (
  query: string,
  listed: readonly ListedBroker[],
  max: number,
) => Choice | Promise<Choice>;

/** Max Brokers that one search asks. */
export const maxBrokers = 64;

/** Max Brokers of a search that does not say how many. */
export const usualBrokers = 16;

/** Max Brokers at one host name, so that one host cannot take all places. */
const maxOfHost = 4;

/**
 * The Brokers that may be asked: each address once, a few of each host, live ones first, and otherwise in the given
 * order. `check` throws for addresses that are never queried.
 */
export function askable<Listed extends ListedBroker>(
  listed: readonly Listed[],
  check: (url: URL) => void = () => undefined,
): Choice<Listed> {
  const chosen: Listed[] = [];
  const omitted: OmittedBroker<Listed>[] = [];
  const seen = new Set<string>();
  const ofHost = new Map<string, number>();
  const reasonAgainst = ({ url }: Listed): string | undefined => {
    const parsed = URL.parse(url);
    if (parsed === null) return 'its address is not a URL';
    try {
      check(parsed);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    const address = url.endsWith('/') ? url : `${url}/`;
    if (seen.has(address)) return 'another server has registered the same address';
    seen.add(address);
    const { hostname } = parsed;
    const others = ofHost.get(hostname) ?? 0;
    // Brokers of this machine are searched only where the operator has named their ports.
    if (others >= maxOfHost && !isLoopbackHost(hostname))
      return `${maxOfHost} other Brokers at ${hostname} come before it`;
    ofHost.set(hostname, others + 1);
    return undefined;
  };
  for (const broker of [...listed].sort((a, b) => Number(a.state === 'late') - Number(b.state === 'late'))) {
    const why = reasonAgainst(broker);
    if (why === undefined) chosen.push(broker);
    else omitted.push({ broker, why });
  }
  return { chosen, omitted };
}

/** The first Brokers of the list, whatever the query. */
export const firstBrokers: ChooseBrokers = (_, listed, max) => ({
  chosen: listed.slice(0, max),
  omitted: listed.slice(max).map((broker) => ({ broker, why: `the search asks at most ${max} Brokers` })),
});
