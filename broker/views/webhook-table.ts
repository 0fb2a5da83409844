import { type Database, within } from '../../store/index.ts';

/** A subscription of a view's changes, told to an address. */
export interface Webhook {
  readonly id: string;
  readonly view: string;
  readonly url: string;
  readonly secret: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Up to where in the view's log it has been told; null until the view is filled. */
  readonly told: { readonly epoch: string; readonly lsn: number } | null;
  readonly state: 'active' | 'paused';
  /** Attempts that failed one after the other. */
  readonly failures: number;
  /** Milliseconds since 1970; no attempt is made before. */
  readonly nextTryAt: number;
  /** Of the last attempt that failed; null when the last one did not. */
  readonly error: string | null;
  /** Seconds since 1970. */
  readonly lastToldAt: number | null;
}

const key = (id: string) => Buffer.from(id);

/** The webhooks of a Broker, on disk and in memory. */
export class WebhookTable {
  readonly #rows: Database;
  readonly #webhooks = new Map<string, Webhook>();

  private constructor(database: Database) {
    this.#rows = within(database, 'webhook');
  }

  static async open(database: Database): Promise<WebhookTable> {
    const table = new WebhookTable(database);
    for await (const [, value] of table.#rows.entries()) {
      const webhook = JSON.parse(Buffer.from(value).toString()) as Webhook;
      table.#webhooks.set(webhook.id, webhook);
    }
    return table;
  }

  get size(): number {
    return this.#webhooks.size;
  }

  all(): readonly Webhook[] {
    return [...this.#webhooks.values()];
  }

  of(view: string): readonly Webhook[] {
    return this.all().filter((webhook) => webhook.view === view);
  }

  find(id: string): Webhook | undefined {
    return this.#webhooks.get(id);
  }

  /** Keep a webhook as it is now, in the place of what it was. */
  async put(webhook: Webhook, options: { readonly sync?: boolean } = {}): Promise<void> {
    this.#webhooks.set(webhook.id, webhook);
    const value = Buffer.from(JSON.stringify(webhook));
    await this.#rows.batch([{ type: 'put', key: key(webhook.id), value }], options);
  }

  async remove(id: string): Promise<void> {
    this.#webhooks.delete(id);
    await this.#rows.batch([{ type: 'del', key: key(id) }], { sync: true });
  }
}
