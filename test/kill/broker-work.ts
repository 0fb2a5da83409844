import type { Random } from '../../kernel/index.ts';
import type { StoreOperation } from '../../store/index.ts';
import type { SyntheticSource } from '../synthetic-source.ts';
import type { ServerProcess } from './server-process.ts';

const pages = 150;
const words = 120;
const maxWords = 250;
const maxViews = 6;

/** The view with a webhook in every test. */
export const watched = { name: 'watched', query: 'word1 OR word2 OR word3' };

/** The known state of an order to a Broker about a view. */
type Order = 'asked' | 'done';

/** Work for a Broker that is to be killed: its source changes, operators delete, merge, add and remove views. */
export class BrokerWork {
  /** Ordered views by name; `removed` is `done` after the answer to their removal. */
  readonly views = new Map<string, { added: Order; removed?: Order }>();
  /** Number of started orders of each kind. */
  readonly counts = { change: 0, remove: 0, reindex: 0, compact: 0, view: 0, unview: 0 };
  readonly #source: SyntheticSource;
  readonly #broker: ServerProcess;
  readonly #random: Random;
  readonly #receiver: string;
  #names = 0;

  constructor(source: SyntheticSource, broker: ServerProcess, receiver: string, random: Random) {
    this.#source = source;
    this.#broker = broker;
    this.#receiver = receiver;
    this.#random = random;
  }

  /** Define the watched view and its webhook. */
  async watch(): Promise<void> {
    await this.#addView(watched.name, watched.query);
  }

  /** Work until it is stopped; a missing answer of a killed Broker is no fault. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#broker.ready().catch(() => undefined);
    while (!signal.aborted && this.#broker.isRunning)
      await this.#one().catch(async (error) => {
        if (isRefusal(error) || (await this.#broker.isDying(signal))) return;
        throw error;
      });
  }

  async #one(): Promise<void> {
    const roll = this.#random.next();
    if (roll < 0.5) return this.#change();
    if (roll < 0.75) return this.#remove();
    if (roll < 0.8) return this.#order('reindex', '/control/reindex');
    if (roll < 0.84) return this.#order('compact', '/control/compact');
    const there = [...this.views].filter(([name, { removed }]) => name !== watched.name && !removed);
    if (there.length < maxViews && roll < 0.93) return this.#addView(`view-${this.#names++}`, this.#word());
    const name = there[this.#below(there.length)]?.[0];
    if (name !== undefined) await this.#removeView(name);
  }

  async #change(): Promise<void> {
    this.counts.change++;
    const operations = Array.from({ length: 1 + this.#below(40) }, (): StoreOperation => {
      const n = this.#below(pages);
      if (this.#random.next() < 0.2) return { kind: 'delete', oid: this.#source.oid(n) };
      return this.#source.put(n, Array.from({ length: this.#below(maxWords) }, () => this.#word()).join(' '));
    });
    await this.#source.store.apply(operations);
    // Hints announce the change too; the order for a round is answered when its changes are searchable.
    if (this.#random.next() < 0.7) await this.#broker.ask('/control/collect', 'POST');
  }

  /** Delete by an operator; some earlier deleted objects come back. */
  async #remove(): Promise<void> {
    this.counts.remove++;
    if (this.#random.next() < 0.5) {
      const { blocked } = (await this.#broker.ask('/control/blocked?limit=20')) as {
        readonly blocked: readonly { readonly oid: string }[];
      };
      for (const { oid } of blocked) await this.#broker.ask(`/control/blocked/${oid}`, 'DELETE');
    }
    const oids = Array.from({ length: 1 + this.#below(30) }, () => this.#source.oid(this.#below(pages)));
    const forGood = this.#random.next() < 0.5;
    await this.#broker.ask('/control/deletions', 'POST', {
      oids,
      reason: 'requested',
      dryRun: false,
      forGood,
    });
  }

  async #order(what: 'reindex' | 'compact', path: string): Promise<void> {
    this.counts[what]++;
    await this.#broker.ask(path, 'POST');
  }

  async #addView(name: string, query: string): Promise<void> {
    this.counts.view++;
    const view: { added: Order } = { added: 'asked' };
    this.views.set(name, view);
    await this.#broker.ask(`/views/${name}`, 'PUT', { query });
    view.added = 'done';
    await this.#broker.ask(`/views/${name}/webhooks`, 'POST', { url: this.#receiver });
  }

  async #removeView(name: string): Promise<void> {
    this.counts.unview++;
    const view = this.views.get(name);
    if (view === undefined) return;
    view.removed = 'asked';
    await this.#broker.ask(`/views/${name}`, 'DELETE');
    view.removed = 'done';
  }

  #word(): string {
    return `word${this.#below(words)}`;
  }

  #below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }
}

/** Whether the Broker refused the order for now. */
const isRefusal = (error: unknown) => / (404|409) /.test(String(error));
