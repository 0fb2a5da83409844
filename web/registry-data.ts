import {
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

/** What `GET /federated` answered. */
export interface FederatedAnswer {
  readonly answer: SearchAnswer;
  readonly hits: readonly { readonly hit: SearchHit; readonly broker: string }[];
  readonly brokers: readonly AskedBroker[];
}

const maxServers = 10_000;
const maxBrokers = 100;

const number = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : 0);

/** Read what `GET /servers` answered; undefined when it is no such answer. */
export function readServers(json: unknown): readonly ShownServer[] | undefined {
  if (!isFields(json) || !Array.isArray(json.servers)) return undefined;
  return list(json.servers, maxServers, (server): ShownServer | undefined => {
    if (!isFields(server) || exact(server.url) === '') return undefined;
    return {
      ...{ id: exact(server.id), url: exact(server.url), type: text(server.type, 40) },
      name: text(server.name, 80) || text(server.url, 80),
      description: text(server.description, 500),
      administrator: text(server.administrator, 200),
      location: text(server.location, 200),
      objects: typeof server.objects === 'number' ? number(server.objects) : null,
      state: server.state === 'late' ? 'late' : 'live',
      updatedAt: number(server.updatedAt),
      claim: server.unsigned === true ? 'unsigned' : text(server.proof, 40),
    };
  });
}

/** Read what `GET /federated` answered; undefined when it is no such answer. */
export function readFederated(json: unknown): FederatedAnswer | undefined {
  const answer = readSearchAnswer(json);
  if (answer === undefined || !isFields(json)) return undefined;
  return {
    answer,
    hits: list(json.hits, 100, (entry) => {
      const hit = readHit(entry);
      return hit && isFields(entry) ? { hit, broker: exact(entry.broker) } : undefined;
    }),
    brokers: list(json.brokers, maxBrokers, (broker): AskedBroker | undefined => {
      if (!isFields(broker) || exact(broker.name) === '') return undefined;
      return {
        url: exact(broker.name),
        name: text(broker.title, 80) || text(broker.name, 80),
        total: number(broker.total),
        error: text(broker.error, 300),
      };
    }),
  };
}
