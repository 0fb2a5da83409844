import { join } from 'node:path';
import { type HttpServer, type Refusal, serveHttp, TokenBook, TokenTable } from '../../http/index.ts';
import { type Clock, systemClock, systemRandom } from '../../kernel/index.ts';
import { readKept, writeKept } from '../../store/index.ts';
import { Administration } from '../administration/administration.ts';
import { administrationRoutes } from '../administration/administration-routes.ts';
import { AuditTrail } from '../administration/audit-trail.ts';
import { auditedRoutes } from '../administration/audited-routes.ts';
import type { SourceAddress } from '../collecting/source-address.ts';
import { brokerRoutes } from '../routes/routes.ts';
import type { BrokerOptions } from '../service/broker-options.ts';
import { OpenBroker } from './topic.ts';

/** An answer of the API. */
export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every route
  readonly json: any;
}

/** A Broker with its administration behind a real server. */
export class AdministeredBroker implements AsyncDisposable {
  readonly topic: OpenBroker;
  readonly administration: Administration;
  readonly server: HttpServer;
  /** The pending writes about refused callers. */
  readonly refusals: readonly Promise<void>[];

  private constructor(
    topic: OpenBroker,
    administration: Administration,
    server: HttpServer,
    refusals: readonly Promise<void>[],
  ) {
    this.topic = topic;
    this.administration = administration;
    this.server = server;
    this.refusals = refusals;
  }

  static readonly tokens = { read: ['read-token-1'], admin: ['admin-token-1'] };

  static async open(
    path: string,
    sources: readonly (string | SourceAddress)[],
    own: Partial<BrokerOptions> & { readonly clock?: Clock } = {},
  ): Promise<AdministeredBroker> {
    const topic = await OpenBroker.open(path, sources, own);
    const parts = {
      clock: own.clock ?? systemClock,
      random: systemRandom,
      replace: writeKept,
      read: readKept,
    };
    const book = await TokenBook.open(join(path, 'tokens.json'), parts);
    const audit = await AuditTrail.open(path, parts);
    const log = { lines: () => [] };
    const administration = new Administration({ broker: topic.broker, audit, tokens: book, log });
    const refusals: Promise<void>[] = [];
    const server = await serveHttp({
      routes: [
        ...auditedRoutes(administration, brokerRoutes(topic.broker)),
        ...administrationRoutes(administration),
      ],
      tokens: new TokenTable({ ...AdministeredBroker.tokens, book }),
      refused: ({ caller, method, route, code }: Refusal) => {
        refusals.push(audit.refused({ who: caller, action: `${method} ${route}`, note: code }));
      },
      ...{ port: 0, clock: systemClock, title: 'test', version: '0' },
    });
    topic.broker.start();
    return new AdministeredBroker(topic, administration, server, refusals);
  }

  async ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    json?: unknown,
    token: string | null = 'admin-token-1',
  ): Promise<ApiAnswer> {
    const response = await fetch(new URL(path, this.server.url), {
      method,
      headers: { accept: 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return { status: response.status, json: await response.json() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await Promise.all(this.refusals);
    this.administration[Symbol.dispose]();
    await this.topic[Symbol.asyncDispose]();
  }
}
