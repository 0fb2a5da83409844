import type { RouteRequest, TokenBook } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import type { Broker } from '../service/index.ts';
import type { AuditTrail } from './audit-trail.ts';
import { SourceOrders } from './source-orders.ts';
import { QueryCounter } from './statistics.ts';
import { StoreCounts } from './store-counts.ts';

/** A log line stored for administration. */
export interface RecentLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: string;
  readonly event: string;
  /** The event's fields as JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The newest lines of the log, newest first. */
export interface RecentLog {
  lines(wanted: {
    readonly limit: number;
    readonly level?: string;
    readonly event?: string;
  }): readonly RecentLine[];
}

/** The operations on a serving Broker (harvest.txt 3.2). Every action is audited before it is done. */
export class Administration implements Disposable {
  readonly broker: Broker;
  readonly audit: AuditTrail;
  readonly tokens: TokenBook;
  readonly log: RecentLog;
  readonly sources: SourceOrders;
  readonly queries = new QueryCounter();
  readonly counts: StoreCounts;
  readonly #underWay = new Set<string>();

  constructor({ broker, audit, tokens, log }: Pick<Administration, 'broker' | 'audit' | 'tokens' | 'log'>) {
    this.broker = broker;
    this.audit = audit;
    this.tokens = tokens;
    this.log = log;
    this.sources = new SourceOrders(broker);
    this.counts = new StoreCounts(broker);
  }

  /** Run an audited action for a caller; `said` makes the note of its result. */
  act<Result>(
    request: Pick<RouteRequest, 'caller'>,
    [action, detail]: readonly [action: string, detail: string],
    work: (who: string) => Promise<Result>,
    said?: (result: Result) => string,
  ): Promise<Result> {
    const who = request.caller?.name ?? 'nobody';
    return this.audit.action({ who, action, detail }, () => work(who), said);
  }

  /** Run a long task of which only one may run at a time. Throws BROKER_UPKEEP_BUSY. */
  async alone<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#underWay.has(what)) throw failure(brokerErrors.BROKER_UPKEEP_BUSY, { what });
    this.#underWay.add(what);
    try {
      return await work();
    } finally {
      this.#underWay.delete(what);
    }
  }

  [Symbol.dispose](): void {
    this.queries[Symbol.dispose]();
  }
}
