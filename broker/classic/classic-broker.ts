import { matchedLines, optionBounds, parseQuery } from '../../query/index.ts';
import { decodeObject } from '../../soif/index.ts';
import type { Broker } from '../broker.ts';
import { brokerFault } from '../events.ts';
import type { ClassicAdministration } from './classic-admin.ts';
import type { ClassicBroker } from './classic-session.ts';
import { classicStream } from './classic-stream.ts';

export type ClassicBrokerOptions = Pick<ClassicAdministration, 'authorise' | 'remove'>;

/** A Broker as its classic port shows it. */
export function classicBroker(broker: Broker, options: ClassicBrokerOptions): ClassicBroker {
  const { folder, queries, collector, indexer, engine } = broker;
  const { store } = folder;
  const matches = (query: string) => queries.matches(query);
  return {
    name: broker.name,
    matches,
    object: async (oid) => {
      const held = await store.get(oid);
      return held === undefined ? undefined : decodeObject(held.body);
    },
    matchedLines: (object, query) =>
      matchedLines(object, parseQuery(query).query, optionBounds.lines, engine.fallback).map(
        ({ text }) => text,
      ),
    stream: (query, since) => classicStream({ store, matches, fallback: engine.fallback }, query, since),
    administration: {
      authorise: options.authorise,
      ...(options.remove && { remove: options.remove }),
      collect: () => {
        collector.collectNow().catch((error) => brokerFault.publish({ where: 'collecting', error }));
      },
      indexChanges: () => indexer.reached(store.lsn),
      indexAnew: () => indexer.rebuild('it was asked for through the classic port'),
      clean: () => broker.forgetExpired(),
      statistics: async () => [
        ['Objects', store.count],
        ['Summary bytes', store.bodyBytes],
        ['Engine', engine.name],
        ['Indexed objects', engine.count],
        ['Changes not indexed', Math.max(0, store.lsn - indexer.lsn)],
        ['Sources', collector.status.length],
        ['Sources that answer', collector.status.filter(({ state }) => state === 'ok').length],
      ],
    },
  };
}
