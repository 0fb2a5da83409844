import { shown } from './client/remote-text.ts';

/** A minute of requests. Times are seconds since 1970. */
export interface ShownMinute {
  readonly at: number;
  readonly requests: number;
  readonly fromHere: number;
}

/** A parent or sibling of the cache. */
export interface ShownNeighbour {
  readonly role: 'parent' | 'sibling';
  readonly name: string;
  /** `up`, `silent`, `dead`, `denying`, `down` or `unknown name`. */
  readonly state: string;
  readonly asked: number;
  readonly hits: number;
  readonly fetched: number;
  readonly failed: number;
  readonly digestEntries: number | undefined;
}

/** A cache that asks this one. */
export interface ShownChild {
  /** Empty for one that does not say. */
  readonly name: string;
  readonly address: string;
  readonly requests: number;
  readonly fromHere: number;
  readonly lastAt: number;
}

/** An origin of an accelerating cache. */
export interface ShownOrigin {
  /** The host that it is for; empty where it is for every host. */
  readonly host: string;
  readonly url: string;
}

/** What is wrong with the disk. */
export interface ShownTrouble {
  /** Whether new responses take the room of old ones; otherwise none is stored. */
  readonly isShort: boolean;
  readonly reason: string;
  readonly what: string;
  readonly cure: string;
  readonly since: number;
}

export interface ShownObject {
  readonly url: string;
  readonly bytes: number;
  readonly hits: number;
}

/** What the status page of a cache shows of `GET /status`. */
export interface CacheDetails {
  readonly name: string;
  readonly origins: readonly ShownOrigin[];
  readonly proxy: boolean;
  readonly entries: number;
  readonly contentBytes: number;
  readonly disk: { readonly bytes: number; readonly budget: number };
  readonly memory: { readonly bytes: number; readonly budget: number };
  readonly trouble: ShownTrouble | undefined;
  readonly evicted: number;
  readonly damaged: number;
  readonly refused: number;
  readonly since: number;
  readonly requests: number;
  /** 0 to 1; undefined before the first answer. */
  readonly hitRatio: number | undefined;
  readonly byteHitRatio: number | undefined;
  readonly outcomes: readonly (readonly [outcome: string, times: number])[];
  /** What doors refused, by the code of the error. */
  readonly turnedAway: readonly (readonly [code: string, times: number])[];
  readonly tunnels: { readonly opened: number; readonly open: number };
  readonly latency: readonly (readonly [what: string, p50: number, p99: number])[];
  /** Oldest first. */
  readonly minutes: readonly ShownMinute[];
  readonly hottest: readonly ShownObject[];
  readonly largest: readonly ShownObject[];
  readonly neighbours: readonly ShownNeighbour[];
  readonly children: readonly ShownChild[];
}

const maxMinutes = 120;
const maxListed = 20;
const maxOutcomes = 40;
const maxNeighbours = 250;
const maxUrlLength = 300;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const amount = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
const ratio = (value: unknown) => (typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined);
const text = (value: unknown, limit = 80) => (typeof value === 'string' ? shown(value, limit) : '');
const list = (value: unknown, max: number): readonly Fields[] =>
  Array.isArray(value) ? value.slice(0, max).map(fieldsOf) : [];

const object = ({ url, bytes, hits }: Fields): ShownObject => ({
  ...{ url: text(url, maxUrlLength), bytes: amount(bytes), hits: amount(hits) },
});

function neighbour(fields: Fields): ShownNeighbour {
  const { role, name, state, asked, hits, fetched, failed, digestEntries } = fields;
  return {
    role: role === 'sibling' ? 'sibling' : 'parent',
    ...{ name: text(name), state: text(state, 20) },
    ...{ asked: amount(asked), hits: amount(hits), fetched: amount(fetched), failed: amount(failed) },
    digestEntries: typeof digestEntries === 'number' ? amount(digestEntries) : undefined,
  };
}

function troubleOf({ state, reason, what, cure, since }: Fields): ShownTrouble | undefined {
  if (typeof reason !== 'string') return undefined;
  const words = { reason: text(reason), what: text(what), cure: text(cure, 120) };
  return { isShort: state === 'short', ...words, since: amount(since) };
}

function latencyOf(latency: Fields): CacheDetails['latency'] {
  return [['from the cache', latency.fromHere] as const, ['others', latency.others] as const].flatMap(
    ([what, value]) => {
      const { p50, p99 } = fieldsOf(value);
      return typeof p50 === 'number' ? [[what, amount(p50), amount(p99)] as const] : [];
    },
  );
}

const counted = (named: Fields): CacheDetails['outcomes'] =>
  Object.entries(named)
    .slice(0, maxOutcomes)
    .map(([name, times]) => [text(name, 30), amount(times)] as const)
    .filter(([, times]) => times > 0);

/** Read what `GET /status` of a cache answered; undefined when it is no such answer. */
export function readCacheStatus(json: unknown): CacheDetails | undefined {
  const fields = fieldsOf(json);
  if (fields.role !== 'cache') return undefined;
  const [answers, store] = [fieldsOf(fields.answers), fieldsOf(fields.store)];
  const tunnels = fieldsOf(answers.tunnels);
  return {
    ...{ name: text(fields.name), proxy: fields.proxy === true },
    origins: list(fields.origins, maxNeighbours).map(({ host, url }) => ({
      ...{ host: text(host, maxUrlLength), url: text(url, maxUrlLength) },
    })),
    ...{ entries: amount(store.entries), contentBytes: amount(store.contentBytes) },
    disk: { bytes: amount(store.diskBytes), budget: amount(store.diskBudgetBytes) },
    memory: { bytes: amount(store.memoryBytes), budget: amount(store.memoryBudgetBytes) },
    trouble: troubleOf(fieldsOf(store.trouble)),
    ...{ evicted: amount(store.evicted), damaged: amount(store.damaged), refused: amount(store.refused) },
    ...{ since: amount(answers.since), requests: amount(answers.requests) },
    ...{ hitRatio: ratio(answers.hitRatio), byteHitRatio: ratio(answers.byteHitRatio) },
    outcomes: counted({
      ...{ ...fieldsOf(answers.outcomes), 'broke off': answers.brokenOff },
      ...fieldsOf(answers.errors),
    }),
    turnedAway: counted(fieldsOf(answers.refused)),
    tunnels: { opened: amount(tunnels.opened), open: amount(tunnels.open) },
    latency: latencyOf(fieldsOf(answers.latency)),
    minutes: list(answers.minutes, maxMinutes).map(({ at, requests, fromHere }) => ({
      ...{ at: amount(at), requests: amount(requests), fromHere: amount(fromHere) },
    })),
    hottest: list(fields.hottest, maxListed)
      .map(object)
      .filter(({ hits }) => hits > 0),
    largest: list(fields.largest, maxListed).map(object),
    neighbours: list(fields.neighbours, maxNeighbours).map(neighbour),
    children: list(fields.children, maxNeighbours).map(({ name, address, requests, fromHere, lastAt }) => ({
      ...{ name: text(name), address: text(address), requests: amount(requests) },
      ...{ fromHere: amount(fromHere), lastAt: amount(lastAt) },
    })),
  };
}
