import type { Caller } from '../../http/index.ts';
import { matchedLines, optionBounds, parseQuery } from '../../query/index.ts';
import { decodeObject } from '../../soif/index.ts';
import type { DeletionReport } from '../administration/index.ts';
import { brokerFault } from '../events.ts';
import type { Broker } from '../service/index.ts';
import type { ClassicBroker } from './classic-session.ts';
import { classicStream } from './classic-stream.ts';

/** A classic port administers by a token, and by the same routes as everybody under that token's name. */
export interface ClassicOrders {
  /** The caller of this token, when it may administer. */
  authorise(password: string): Promise<Caller | undefined>;
  /** Call a route of the administration by POST. */
  order(caller: Caller, path: string, json?: unknown): Promise<unknown>;
}

const deletion = { dryRun: false, reason: 'through the classic port' };

/** Max ids deleted by one request. */
const maxIds = 1000;

export function classicBroker(broker: Broker, { authorise, order }: ClassicOrders): ClassicBroker {
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
      authorise,
      collect: (caller) => {
        order(caller, '/control/collect').catch((error) =>
          brokerFault.publish({ where: 'collecting', error }),
        );
      },
      indexChanges: () => indexer.reached(store.lsn),
      reindex: async (caller) => {
        await order(caller, '/control/reindex');
      },
      clean: async (caller) => {
        const { expired } = (await order(caller, '/control/clean')) as { readonly expired: number };
        return expired;
      },
      removeMatching: async (caller, query) => {
        const report = await order(caller, '/control/deletions', { ...deletion, query });
        return (report as DeletionReport).deleted;
      },
      remove: async (caller, oids) => {
        let deleted = 0;
        for (let from = 0; from < oids.length; from += maxIds) {
          const part = oids.slice(from, from + maxIds);
          const report = await order(caller, '/control/deletions', { ...deletion, oids: part });
          deleted += (report as DeletionReport).deleted;
        }
        return deleted;
      },
      statistics: async () => [
        ['Objects', store.count],
        ['Summary bytes', store.bodyBytes],
        ['Engine', engine.name],
        ['Indexed objects', engine.count],
        ['Changes not indexed', Math.max(0, store.lsn - indexer.lsn)],
        ['Sources', collector.status.length],
        [
          'Sources that answer',
          collector.status.filter(({ state }) => state === 'ok' || state === 'full').length,
        ],
      ],
    },
  };
}
