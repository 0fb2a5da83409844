import {
  type Copy,
  exact,
  isFields,
  list,
  readHit,
  readSearchAnswer,
  type SearchAnswer,
  type SearchHit,
  text,
} from './client/answers.ts';

/** A server as the Registry's page shows it: every text fit to be shown. */
export interface ShownServer {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly name: string;
  readonly description: string;
  readonly administrator: string;
  readonly location: string;
  readonly objects: number | null;
  readonly state: 'live' | 'late';
  /** The Registry lists it for somebody else, and it has not answered yet. */
  readonly isUnreached: boolean;
  readonly updatedAt: number;
  /** What is known of the server's claim to its address: unsigned, proved, unproved or unchecked. */
  readonly claim: string;
}

/** A Broker that a federated search asked. */
export interface AskedBroker {
  readonly url: string;
  readonly name: string;
  readonly total: number;
  /** Why hits of it are missing; empty when none are. */
  readonly error: string;
}

/** A Broker that a federated search did not ask. */
export interface OmittedBroker {
  readonly url: string;
  readonly name: string;
  readonly why: string;
}

/** A hit of one Broker or of several; its copies (`also`) are those of all. */
export interface FederatedHit {
  readonly hit: SearchHit;
  readonly broker: string;
  /** The other Brokers that have it. */
  readonly alsoAt: readonly string[];
}

/** The hit of another Broker for the same document. */
const copyAt = (value: unknown): (Copy & { readonly broker: string }) | undefined => {
  if (!isFields(value) || exact(value.broker) === '') return undefined;
  const [url, broker] = [exact(value.url), exact(value.broker)];
  return { oid: exact(value.oid), url, broker, source: '', sourceName: '' };
};

/** What `GET /federated` answered. */
export interface FederatedAnswer {
  readonly answer: SearchAnswer;
  readonly hits: readonly FederatedHit[];
  readonly brokers: readonly AskedBroker[];
  /** The total is that of `answered` of the `asked` Brokers. */
  readonly coverage: { readonly answered: number; readonly asked: number };
  /** The first of `omittedTotal`. */
  readonly omitted: readonly OmittedBroker[];
  readonly omittedTotal: number;
}

const maxServers = 10_000;
const maxBrokers = 100;

const number = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : 0);

/** Servers of a directory, and the number of all of them. */
export interface ShownServers {
  readonly total: number;
  readonly servers: readonly ShownServer[];
}

/** Read what `GET /servers` answered; undefined when it is no such answer. */
export function readServers(json: unknown): ShownServers | undefined {
  if (!isFields(json) || !Array.isArray(json.servers)) return undefined;
  const servers = list(json.servers, maxServers, (server): ShownServer | undefined => {
    if (!isFields(server) || exact(server.url) === '') return undefined;
    return {
      ...{ id: exact(server.id), url: exact(server.url), type: text(server.type, 40) },
      name: text(server.name, 80) || text(server.url, 80),
      description: text(server.description, 500),
      administrator: text(server.administrator, 200),
      location: text(server.location, 200),
      objects: typeof server.objects === 'number' ? number(server.objects) : null,
      state: server.state === 'late' ? 'late' : 'live',
      ...{ isUnreached: server.unreached === true, updatedAt: number(server.updatedAt) },
      claim: server.unsigned === true ? 'unsigned' : text(server.proof, 40),
    };
  });
  return { servers, total: Math.max(servers.length, number(json.total)) };
}

const named = ({ name, title }: Readonly<Record<string, unknown>>) => ({
  url: exact(name),
  name: text(title, 80) || text(name, 80),
});

/** Read what `GET /federated` answered; undefined when it is no such answer. */
export function readFederated(json: unknown): FederatedAnswer | undefined {
  const answer = readSearchAnswer(json);
  if (answer === undefined || !isFields(json)) return undefined;
  const coverage = isFields(json.coverage) ? json.coverage : {};
  return {
    answer,
    hits: list(json.hits, 100, (entry): FederatedHit | undefined => {
      const hit = readHit(entry);
      if (hit === undefined || !isFields(entry)) return undefined;
      const copies = list(entry.alsoAt, maxBrokers, copyAt);
      // A Broker with a false digest must not hide the address that another one has.
      const elsewhere = copies.filter(({ url }) => url !== '' && url !== hit.url);
      const also = [...hit.also, ...elsewhere];
      return {
        hit: { ...hit, also, alsoTotal: hit.alsoTotal + elsewhere.length },
        broker: exact(entry.broker),
        alsoAt: copies.map(({ broker }) => broker),
      };
    }),
    brokers: list(json.brokers, maxBrokers, (broker): AskedBroker | undefined => {
      if (!isFields(broker) || exact(broker.name) === '') return undefined;
      return { ...named(broker), total: number(broker.total), error: text(broker.error, 300) };
    }),
    coverage: { answered: number(coverage.answered), asked: number(coverage.asked) },
    omitted: list(json.omitted, maxBrokers, (broker): OmittedBroker | undefined =>
      isFields(broker) ? { ...named(broker), why: text(broker.why, 300) } : undefined,
    ),
    omittedTotal: number(json.omittedTotal),
  };
}
