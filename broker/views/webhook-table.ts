import { TaskQueue } from '../../kernel/index.ts';
import { type Database, type Write, within } from '../../store/index.ts';
import type { LogPlace } from './change-batch.ts';

/** A subscription to a view's changes, which are sent to an address. */
export interface Webhook {
  readonly id: string;
  readonly view: string;
  readonly url: string;
  readonly secret: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** The place in the view's log up to which changes were sent; null until the view is filled. */
  readonly sent: LogPlace | null;
  readonly state: 'active' | 'paused';
  /** Consecutive failed attempts. */
  readonly failures: number;
  /** Time of the next attempt; milliseconds since 1970. */
  readonly nextTryAt: number;
  /** Error of the last attempt; null when it succeeded. */
  readonly error: string | null;
  /** Seconds since 1970. */
  readonly lastSentAt: number | null;
}

const key = (id: string) => Buffer.from(id);

/** Read a row. Up to version 0.1 two fields had other names. */
function webhookOf({ told, lastToldAt, ...row }: Row): Webhook {
  return { ...row, sent: row.sent ?? told ?? null, lastSentAt: row.lastSentAt ?? lastToldAt ?? null };
}

interface Row extends Webhook {
  readonly told?: LogPlace | null;
  readonly lastToldAt?: number | null;
}

export class WebhookTable {
  readonly #rows: Database;
  readonly #webhooks = new Map<string, Webhook>();
  readonly #writes = new TaskQueue();

  private constructor(database: Database) {
    this.#rows = within(database, 'webhook');
  }

  static async open(database: Database): Promise<WebhookTable> {
    const table = new WebhookTable(database);
    for await (const [, value] of table.#rows.entries()) {
      const webhook = webhookOf(JSON.parse(Buffer.from(value).toString()));
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

  async add(webhook: Webhook): Promise<void> {
    this.#webhooks.set(webhook.id, webhook);
    try {
      await this.#write(webhook.id, true);
    } catch (error) {
      this.#webhooks.delete(webhook.id);
      throw error;
    }
  }

  /** Apply `change` to a webhook. Resolves to the result, or to undefined when it was removed meanwhile. */
  async change(
    id: string,
    change: (now: Webhook) => Webhook,
    options: { readonly sync?: boolean } = {},
  ): Promise<Webhook | undefined> {
    const now = this.#webhooks.get(id);
    if (now === undefined) return undefined;
    const changed = change(now);
    this.#webhooks.set(id, changed);
    await this.#write(id, options.sync ?? false);
    return changed;
  }

  async remove(id: string): Promise<void> {
    this.#webhooks.delete(id);
    await this.#write(id, true);
  }

  /** Write in sequence, each webhook as it is then, so that no removed one comes back. */
  #write(id: string, sync: boolean): Promise<void> {
    return this.#writes.run(async () => {
      const webhook = this.#webhooks.get(id);
      const row: Write =
        webhook === undefined
          ? { type: 'del', key: key(id) }
          : { type: 'put', key: key(id), value: Buffer.from(JSON.stringify(webhook)) };
      await this.#rows.batch([row], { sync });
    });
  }
}
