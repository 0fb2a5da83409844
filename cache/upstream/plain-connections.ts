import { PlainConnection, type PlainOrder, type PlainReply } from './plain-connection.ts';
import type { Target } from './upstream-target.ts';

/** Times in milliseconds. */
export interface PlainConnectionsOptions {
  readonly connectTimeoutMs: number;
  /** How long an idle connection is kept for the next request. */
  readonly keptMs: number;
  /** Max connections to one host and port, including those handed over. */
  readonly perHost: number;
  /** How many connections to a place are left besides Node's. */
  readonly room: (target: Target) => number;
}

/** To one place. */
const maxIdle = 64;
/** Requests that go to Node after a place gave an answer that only Node can read. */
const leftToNode = 100;
const maxPlaces = 4096;
/** A server may close a connection earlier than it states by this much. */
const closingMs = 1000;

interface Place {
  readonly idle: PlainConnection[];
  connections: number;
  toNode: number;
}

/** Connections to origins that are read without Node's parser; idle ones are kept for a while. */
export class PlainConnections {
  readonly #options: PlainConnectionsOptions;
  readonly #places = new Map<string, Place>();
  readonly #all = new Set<PlainConnection>();

  constructor(options: PlainConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Send a request to a place; undefined when Node must send it instead, because no more connections are
   * permitted or its answers cannot be read here. Rejects with the errors of `order`.
   */
  ask(target: Target, order: PlainOrder): Promise<PlainReply> | undefined {
    const key = `${target.host}:${target.port}`;
    const place = this.#placeOf(key);
    if (place.toNode > 0) {
      place.toNode -= 1;
      return undefined;
    }
    const connection = place.idle.pop() ?? this.#open(key, place, target, order);
    return connection?.ask(order);
  }

  /** This place gives answers that only Node can read. */
  isUnusual(target: Target): void {
    const place = this.#placeOf(`${target.host}:${target.port}`);
    place.toNode = leftToNode;
    for (const connection of place.idle.splice(0)) connection.close();
  }

  /** Connections to a place, including those handed over that are not closed yet. */
  countTo({ host, port }: Target): number {
    return this.#places.get(`${host}:${port}`)?.connections ?? 0;
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #placeOf(key: string): Place {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    if (this.#places.size >= maxPlaces) {
      for (const [other, { connections }] of this.#places) {
        if (connections > 0) continue;
        this.#places.delete(other);
        break;
      }
    }
    const place: Place = { idle: [], connections: 0, toNode: 0 };
    this.#places.set(key, place);
    return place;
  }

  #open(key: string, place: Place, target: Target, order: PlainOrder): PlainConnection | undefined {
    const { host, port, lookup } = target;
    const { perHost, room } = this.#options;
    if (place.connections >= Math.min(perHost, room(target))) return undefined;
    const connection = new PlainConnection(
      { host, port, lookup, noDelay: true },
      {
        free: (keptSeconds) => this.#keep(place, connection, keptSeconds),
        left: () => {
          this.#all.delete(connection);
          place.connections -= 1;
          const at = place.idle.indexOf(connection);
          if (at !== -1) place.idle.splice(at, 1);
          if (place.connections === 0 && place.toNode === 0 && this.#places.get(key) === place)
            this.#places.delete(key);
        },
      },
    );
    connection.connectWithin(this.#options.connectTimeoutMs, order);
    place.connections += 1;
    this.#all.add(connection);
    return connection;
  }

  #keep(place: Place, connection: PlainConnection, keptSeconds: number | undefined): void {
    const kept = Math.min(this.#options.keptMs, (keptSeconds ?? Infinity) * 1000 - closingMs);
    if (kept <= 0 || place.idle.length >= maxIdle) connection.close();
    else {
      place.idle.push(connection);
      connection.rest(kept);
    }
  }
}
