import { indexed, sourceState } from '../../../broker/events.ts';
import { type Broker, type SourceStatus, StoreCounts } from '../../../broker/index.ts';
import {
  CollectionSample,
  type DescribedAttribute,
  type LinkState,
  serverAttributes as names,
  printCounts,
  printLinks,
  publicAddress,
  type ServerLink,
  StoreFingerprint,
} from '../../../registry/index.ts';
import { serverOf } from '../../../store/index.ts';
import type { Registered } from '../../server/registering.ts';
import { BrokerSummary } from './broker-summary.ts';

/**
 * What a Broker says of itself where it registers. Counting costs a facet query, and nothing while nothing changed; the
 * words of its index are read at most once in `everyMs`.
 */
export function registeredBroker(broker: Broker, everyMs: number): Registered {
  const { folder, engine } = broker;
  const counts = new StoreCounts(broker);
  const sample = new CollectionSample(folder.store);
  const fingerprint = new StoreFingerprint(folder.store);
  const summary = new BrokerSummary({ engine, bytes: () => folder.store.bodyBytes, everyMs });
  return {
    type: 'BROKER',
    objects: () => folder.store.count,
    attributes: async () => {
      const [{ type }, { topic, changedAt }] = await Promise.all([counts.facets(), sample.get()]);
      const languages = [...engine.languages].sort((a, b) => b[1] - a[1]);
      return [
        [names.bytes, String(folder.store.bodyBytes)],
        [names.types, printCounts(type)],
        [names.languages, printCounts(languages.map(([value, count]) => ({ value, count })))],
        [names.topic, topic.join(', ')],
        [names.changed, changedAt === undefined ? '' : String(changedAt)],
        [names.engine, engine.name],
        [names.contentSummary, await summary.text()],
        [names.contentFingerprint, await fingerprint.read()],
      ];
    },
    links: () => freeFigures(broker),
    onChange: (changed) => {
      const stop = onSourceState(changed);
      // A new Broker has collected and indexed long before its first renewal.
      const stopFirst = indexed.subscribe(({ behind }) => {
        if (behind > 0) return;
        stopFirst();
        changed();
      });
      return () => {
        stopFirst();
        stop();
      };
    },
    keyring: broker.keyring,
    close: () => summary[Symbol.asyncDispose](),
  };
}

/** The backlog of the index, and the sources as links; of a Registry too. */
export function freeFigures({ collector, folder, indexer }: Broker): readonly DescribedAttribute[] {
  return [
    [names.backlog, String(Math.max(0, folder.store.lsn - indexer.lsn))],
    [names.collectsFrom, printLinks(collector.status.flatMap(linkOf))],
  ];
}

/** Calls back when the state of a source has changed. */
export const onSourceState = (changed: () => void) => sourceState.subscribe(changed);

const stateOf = ({ state, lastLearnedAt }: SourceStatus): LinkState => {
  if (state === 'ok' || state === 'full') return 'live';
  return state === 'down' || (state === 'waiting' && lastLearnedAt !== null) ? 'broken' : 'late';
};

function linkOf(source: SourceStatus): readonly ServerLink[] {
  const serverId = source.serverId === null ? undefined : serverOf(source.serverId);
  const url = publicAddress(source.url) ?? '-';
  if (url === '-' && serverId === undefined) return [];
  return [{ state: stateOf(source), url, ...(serverId !== undefined && { serverId }) }];
}
