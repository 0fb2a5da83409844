import type { Fetch } from '../../fetch/index.ts';
import { alarm, type Clock, failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import { checkedBroker } from './checked-broker.ts';
import { askable, type ChooseBrokers, firstBrokers, type ListedBroker } from './choose-brokers.ts';
import { askAt, brokerBehind } from './remote-broker.ts';
import type { SearchedBroker } from './remote-list.ts';
import { searchTogether, type TogetherAnswer, type TogetherParameters } from './search-together.ts';

export interface FederatedOptions {
  /** The Brokers that are listed now, in the order of their registration. */
  readonly brokers: () => readonly ListedBroker[];
  /** Number of listed Brokers that are not asked because they are unsigned. */
  readonly unsigned?: () => number;
  readonly fetch: Fetch;
  /** Throws for an address that is never queried. */
  readonly check?: (url: URL) => void;
  readonly clock: Clock;
  /** The max deadline of a search, and the usual one. */
  readonly deadlineMs: number;
  /** The first of the list when absent. */
  readonly choose?: ChooseBrokers;
}

/** One search, and its own bounds. */
export interface FederatedSearch {
  readonly parameters: TogetherParameters;
  /** Max Brokers to ask. */
  readonly max: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** An answer of chosen Brokers of a directory. */
export interface FederatedAnswer extends TogetherAnswer {
  /** Brokers that were not asked, at most 100 of `omittedTotal`. */
  readonly omitted: readonly { readonly name: string; readonly title: string; readonly why: string }[];
  readonly omittedTotal: number;
}

/** The share of the deadline for the counts of a query's terms: a Broker without them cannot be ranked. */
const countsShare = 0.4;

/** Max depth of paging: each page asks every Broker for all hits before it. */
const maxDepth = 1000;

/** Max omitted Brokers that an answer names. */
const maxOmitted = 100;

/** So few hits that an honest answer is smaller than the limit; a hit with many lines is large. */
const pageSize = (lines: number) => (lines === 0 ? 50 : Math.max(1, Math.floor(100 / lines)));

/** Search the Brokers of a directory as one; each answers before the deadline or is named without hits. */
export async function searchFederated(
  { brokers, unsigned, fetch, check, clock, choose = firstBrokers }: FederatedOptions,
  { parameters, max, deadlineMs, signal: left }: FederatedSearch,
): Promise<FederatedAnswer> {
  const end = new AbortController();
  const signal = AbortSignal.any([left, end.signal]);
  const behind = ({ url, name, objects }: ListedBroker): SearchedBroker => {
    const why = `it has not answered in ${deadlineMs / 1000} s`;
    const within = async <Answer>(patienceMs: number, ask: (broker: SearchedBroker) => Promise<Answer>) => {
      const asking = askAt(url, fetch, { clock, signal, patienceMs, isStranger: true });
      try {
        return await ask(checkedBroker(brokerBehind(url, asking), objects));
      } catch (error) {
        throw end.signal.aborted ? failure(brokerErrors.BROKER_REMOTE, { address: url, why }) : error;
      }
    };
    return {
      ...{ name: url, title: name },
      statistics: (q) => within(deadlineMs * countsShare, (broker) => broker.statistics(q)),
      search: (search) => within(deadlineMs, (broker) => broker.search(search)),
    };
  };
  await using _alarm = alarm(clock, deadlineMs, () => end.abort());
  const listed = askable(brokers(), check);
  if (listed.chosen.length + listed.omitted.length === 0)
    throw failure(brokerErrors.BROKER_NO_BROKERS, { unsigned: unsigned?.() ?? 0 });
  const { chosen, omitted } = await choose(parameters.q, listed.chosen, max);
  const all = [...listed.omitted, ...omitted];
  const answer = await searchTogether(chosen.slice(0, max).map(behind), parameters, {
    ...{ pageSize, maxDepth, mayAllFail: true },
  });
  return {
    ...answer,
    omitted: all
      .slice(0, maxOmitted)
      .map(({ broker: { url, name }, why }) => ({ name: url, title: name, why })),
    omittedTotal: all.length,
  };
}
