import { type JsonSchema, schemas } from '../../http/index.ts';

const { any, choice, count, flag, list, map, number, object, orNull, text, time } = schemas;

const counts = map(count);
const milliseconds = { type: 'number', description: 'milliseconds since 1970' };
const trouble = orNull(
  object({ state: choice('short', 'full', 'failing'), reason: text, what: text, cure: text, since: time }),
);
const percentiles = orNull(object({ p50: number, p99: number }));
const stored = list(object({ url: text, bytes: count, hits: count, status: count }));

const answers = object({
  ...{ since: time, requests: count, outcomes: counts, brokenOff: count, errors: counts },
  ...{ refused: map(any), tunnels: any, hitRatio: orNull(number), byteHitRatio: orNull(number) },
  ...{ bytes: count, bytesFromHere: count },
  latency: object({ fromHere: percentiles, others: percentiles }),
  minutes: list(object({ at: time, requests: count, fromHere: count })),
});

const store = object({
  ...{ entries: count, contentBytes: count, diskBytes: count, diskBudgetBytes: count },
  diskUsableBytes: number,
  disk: object({ state: text, reason: orNull(text), since: orNull(number) }),
  ...{ memoryBytes: count, memoryBudgetBytes: count, evicted: count, damaged: count, refused: count },
  trouble,
});

/** `/status` of a cache. */
export const statusAnswer: JsonSchema = object({
  ...{ role: { const: 'cache' }, name: text, origin: orNull(text), proxy: flag, addresses: list(text) },
  origins: list(object({ host: orNull(text), url: text })),
  ...{ now: time, answers: orNull(answers), store, hottest: stored, largest: stored },
  neighbours: list(
    object(
      {
        ...{ role: choice('parent', 'sibling'), name: text, host: text, port: count, state: text },
        ...{ asked: count, hits: count, misses: count, fetched: count, failed: count },
        digestEntries: count,
      },
      'digestEntries',
    ),
  ),
  children: list(
    object({ name: orNull(text), address: text, requests: count, fromHere: count, lastAt: time }),
  ),
});

const rule = object({ name: text, section: text, sentence: text, advice: orNull(text) });
const lifetime = { lifetimeSeconds: number, from: text };

/** `/why`: the reasons for the answers of a URL. */
export const explanationAnswer: JsonSchema = object({
  url: text,
  entries: list(
    object({
      ...{ status: count, overTls: flag, storedAtMs: milliseconds, ageSeconds: number },
      ...{ lifetimeSeconds: number, lifetimeFrom: text, lifetimeRule: rule },
      ...{ lifetimeOtherwise: orNull(object(lifetime)), invalidated: flag },
      ...{ staleSinceMs: orNull(milliseconds), contentBytes: count, part: any, tags: list(text) },
      ...{ selecting: any, chosen: flag, use: text, rule },
    }),
  ),
  trouble,
  purged: orNull(
    object({ atMs: milliseconds, by: choice('url', 'prefix', 'all'), prefix: orNull(text), soft: flag }),
  ),
  recent: list(
    object({
      ...{ atMs: milliseconds, method: text, url: text, status: count, overTls: flag, outcome: text },
      ...{ rule, storedBy: orNull(rule), detail: orNull(text) },
      ...{ brokenOff: orNull(object({ bytes: count, of: orNull(count) })), error: any },
    }),
  ),
});

/** `/purge`. */
export const purgeAnswer: JsonSchema = object(
  { purged: count, soft: flag, peersReached: count },
  'peersReached',
);
