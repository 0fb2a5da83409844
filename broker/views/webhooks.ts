import { type Fetch, readStart } from '../../fetch/index.ts';
import { type Clock, failure, GarnerError, Nap, type Random } from '../../kernel/index.ts';
import type { Database } from '../../store/index.ts';
import { nextChanges } from './change-batch.ts';
import { viewErrors } from './errors.ts';
import { webhookSent } from './events.ts';
import type { Views } from './views.ts';
import { newSecret, signedHeaders, type WebhookMessage } from './webhook-message.ts';
import { type Webhook, WebhookTable } from './webhook-table.ts';

export interface WebhooksOptions {
  readonly views: Views;
  readonly database: Database;
  /** Requests addresses of others, under its rules. Without it, nothing is sent. */
  readonly fetch: Fetch | undefined;
  /** Throws for an address that would not be contacted, as far as its text shows. */
  readonly check: ((url: URL) => void) | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFault?: (error: unknown) => void;
}

/** Max webhooks of one Broker, and of one view. */
export const maxWebhooks = 1000;
export const maxOfView = 8;

/** Max changes in one message. */
export const maxChanges = 100;

/** Max messages in flight. */
const maxSending = 4;

const firstRetryMs = 5000;
const lastRetryMs = 3_600_000;

/** After this many failures, some eleven hours, a webhook is paused. */
export const maxFailures = 20;

/** HTTP 410: the receiver wants no more messages. */
const gone = 410;

const answerBytes = 1024;

/**
 * Sends the changes of views to webhooks. The queue is the view's own log, which survives a crash and has
 * each object once. A message may come twice, never out of order. An unreachable receiver is paused.
 */
export class Webhooks implements AsyncDisposable {
  readonly #options: WebhooksOptions;
  readonly #table: WebhookTable;
  readonly #abort = new AbortController();
  readonly #stops = new Map<string, () => void>();
  /** Webhooks whose view may have changes to send. */
  readonly #dirty = new Set<string>();
  readonly #sending = new Map<string, Promise<void>>();
  readonly #nap: Nap;
  #done: Promise<void> = Promise.resolve();

  private constructor(options: WebhooksOptions, table: WebhookTable) {
    this.#options = options;
    this.#table = table;
    this.#nap = new Nap(options.clock, this.#abort.signal);
  }

  static async open(options: WebhooksOptions): Promise<Webhooks> {
    const table = await WebhookTable.open(options.database);
    for (const { id, view } of table.all()) if (!options.views.has(view)) await table.remove(id);
    return new Webhooks(options, table);
  }

  start(): void {
    for (const webhook of this.#table.all()) this.#watch(webhook);
    this.#done = this.#run().catch((error) => this.#options.onFault?.(error));
  }

  /** Subscribe an address to a view's changes from now on. Throws VIEW_UNKNOWN, VIEW_WEBHOOK. */
  async add(view: string, url: string): Promise<Webhook> {
    const { clock, random, views } = this.#options;
    await views.status(view);
    const bad = (problem: string) => failure(viewErrors.VIEW_WEBHOOK, { url: url.slice(0, 200), problem });
    const parsed = URL.parse(url);
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
      throw bad('it is not an http: or https: address');
    if (parsed.username !== '' || parsed.password !== '') throw bad('it contains a user name or password');
    try {
      this.#options.check?.(parsed);
    } catch (error) {
      throw bad((error as Error).message);
    }
    if (this.#table.size >= maxWebhooks)
      throw bad(`there are already ${maxWebhooks} webhooks, which is the limit`);
    if (this.#table.of(view).length >= maxOfView)
      throw bad(`view ${view} already has ${maxOfView} webhooks, which is the limit`);
    const webhook: Webhook = {
      ...{ id: Buffer.from(random.bytes(12)).toString('base64url'), view, url: parsed.href },
      ...{ secret: newSecret(random), createdAt: Math.floor(clock.now() / 1000), sent: null },
      ...{ state: 'active', failures: 0, nextTryAt: 0, error: null, lastSentAt: null },
    };
    await this.#table.add(webhook);
    this.#watch(webhook);
    return webhook;
  }

  of(view: string): readonly Webhook[] {
    return this.#table.of(view);
  }

  /** Throws VIEW_NO_WEBHOOK. */
  async remove(id: string): Promise<void> {
    this.#get(id);
    this.#stops.get(id)?.();
    this.#stops.delete(id);
    this.#dirty.delete(id);
    await this.#table.remove(id);
  }

  async removeOf(view: string): Promise<void> {
    for (const { id } of this.#table.of(view)) await this.remove(id);
  }

  /** Resume a paused webhook. It is sent the changes of the meantime. Throws VIEW_NO_WEBHOOK. */
  async resume(id: string): Promise<Webhook> {
    this.#get(id);
    const resumed = await this.#table.change(
      id,
      (now) => ({ ...now, state: 'active', failures: 0, nextTryAt: 0, error: null }),
      { sync: true },
    );
    if (resumed === undefined) throw failure(viewErrors.VIEW_NO_WEBHOOK, { webhook: id });
    this.#mark(id);
    return resumed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    for (const stop of this.#stops.values()) stop();
    await this.#done;
    await Promise.all(this.#sending.values());
  }

  #get(id: string): Webhook {
    const webhook = this.#table.find(id);
    if (webhook === undefined) throw failure(viewErrors.VIEW_NO_WEBHOOK, { webhook: id.slice(0, 40) });
    return webhook;
  }

  #watch({ id, view }: Webhook): void {
    const { views } = this.#options;
    if (!views.has(view)) return;
    this.#stops.set(
      id,
      views.source(view).onChange(() => this.#mark(id)),
    );
    this.#mark(id);
  }

  #mark(id: string): void {
    this.#dirty.add(id);
    this.#nap.wake();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      const now = clock.now();
      let next = Number.POSITIVE_INFINITY;
      for (const id of this.#dirty) {
        const webhook = this.#table.find(id);
        if (webhook === undefined || webhook.state === 'paused') this.#dirty.delete(id);
        else if (this.#sending.has(id)) continue;
        else if (webhook.nextTryAt > now) next = Math.min(next, webhook.nextTryAt);
        else if (this.#sending.size < maxSending) this.#send(id);
      }
      await this.#nap.sleep(next - now);
    }
  }

  #send(id: string): void {
    this.#dirty.delete(id);
    const sending = this.#sendNext(id)
      .catch((error) => {
        if (!this.#abort.signal.aborted) this.#options.onFault?.(error);
      })
      .finally(() => {
        this.#sending.delete(id);
        this.#nap.wake();
      });
    this.#sending.set(id, sending);
  }

  /** Send the next message to one webhook: unsent changes, as many as fit. */
  async #sendNext(id: string): Promise<void> {
    const { views } = this.#options;
    const webhook = this.#get(id);
    if (!views.has(webhook.view)) return;
    await using snapshot = await views.source(webhook.view).snapshot();
    if (webhook.sent === null) {
      // Objects from before the subscription are not sent. A snapshot is of a filled view.
      const { epoch, lsn } = snapshot.state;
      await this.#table.change(id, (now) => ({ ...now, sent: { epoch, lsn, known: lsn } }));
      return;
    }
    const { changes, isComplete, more, place } = await nextChanges(snapshot, webhook.sent, maxChanges);
    if (changes.length === 0) {
      if (webhook.sent.lsn !== place.lsn || webhook.sent.epoch !== place.epoch)
        await this.#table.change(id, (now) => ({ ...now, sent: place }));
      return;
    }
    const message = { view: webhook.view, incomplete: !isComplete, more, changes };
    const outcome = await this.#post(webhook, `${id}-${place.epoch}-${place.lsn}`, message);
    await this.#note(id, outcome, place, changes.length);
    if (more || outcome.error !== undefined) this.#mark(id);
  }

  async #post(
    { url, secret }: Webhook,
    id: string,
    message: WebhookMessage,
  ): Promise<{ readonly status: number; readonly error?: string }> {
    const { fetch, clock } = this.#options;
    const { signal } = this.#abort;
    if (fetch === undefined) return { status: 0, error: 'this Broker does not send webhooks' };
    const body = Buffer.from(JSON.stringify(message));
    const headers = signedHeaders(secret, id, Math.floor(clock.now() / 1000), body);
    try {
      await using response = await fetch({
        ...{ url, method: 'POST', headers, body, redirect: 'manual', maxBytes: answerBytes, signal },
      });
      const { status } = response;
      if (status < 200 || status >= 300) return { status, error: `it answered with status ${status}` };
      await readStart(response, answerBytes).catch(() => undefined);
      return { status };
    } catch (error) {
      signal.throwIfAborted();
      return { status: 0, error: error instanceof GarnerError ? error.message : String(error) };
    }
  }

  async #note(
    id: string,
    { status, error }: { readonly status: number; readonly error?: string },
    sent: NonNullable<Webhook['sent']>,
    changes: number,
  ): Promise<void> {
    const { clock, random } = this.#options;
    const now = clock.now();
    const noted = await this.#table.change(id, (webhook): Webhook => {
      if (error === undefined) {
        const lastSentAt = Math.floor(now / 1000);
        return { ...webhook, sent, failures: 0, error: null, nextTryAt: 0, lastSentAt };
      }
      const failures = webhook.failures + 1;
      const waitMs = Math.min(firstRetryMs * 2 ** (failures - 1), lastRetryMs) * (0.5 + 0.5 * random.next());
      const state = status === gone || failures >= maxFailures ? 'paused' : webhook.state;
      return { ...webhook, state, failures, error, nextTryAt: now + waitMs };
    });
    // It may have been removed during the request.
    if (noted === undefined) return;
    const { view, state } = noted;
    webhookSent.publish({ view, webhook: id, changes, status, state, ...(error !== undefined && { error }) });
  }
}
