import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient } from '../../fetch/index.ts';
import { isGarnerError, ManualClock, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { type Database, ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';
import { Views } from './views.ts';
import type { WebhookMessage } from './webhook-message.ts';
import { maxFailures, Webhooks } from './webhooks.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;

function putting(n: number, title: string): StoreOperation {
  const url = `http://example.org/${n}`;
  const object = summaryObject(url, [['Title', title]]);
  const provenance = { digest: digestOf(object), updatedAt: 5000, publisher, signature: new Uint8Array(64) };
  return {
    kind: 'put',
    object: { oid: oidOf(publisher, url), body: encodeObject(object), ...provenance },
    url,
    ttlSeconds: 1_000_000,
  };
}

const deleting = (n: number): StoreOperation => ({
  kind: 'delete',
  oid: oidOf(publisher, `http://example.org/${n}`),
});

interface Received {
  readonly message: WebhookMessage;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** A receiver that answers with these statuses in turn, the last one for ever; 0 breaks the connection. */
class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  statuses: number[] = [200];
  #received: () => void = () => undefined;
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    this.received.push({ message: JSON.parse(body) as WebhookMessage, body, headers: request.headers });
    const status = this.statuses.length > 1 ? this.statuses.shift() : this.statuses[0];
    if (status === 0) request.socket.destroy();
    else response.writeHead(status ?? 200, status === 302 ? { location: '/elsewhere' } : {}).end('thanks');
    this.#received();
  });

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** Until this many messages have come. */
  async count(messages: number): Promise<void> {
    while (this.received.length < messages)
      await new Promise<void>((resolve) => {
        this.#received = resolve;
      });
  }

  get changes(): string[] {
    return this.received.flatMap(({ message }) =>
      message.changes.map(({ kind, title = '' }) => `${kind} ${title}`.trim()),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

class World implements AsyncDisposable {
  readonly clock = new ManualClock(5_000_000);
  readonly receiver = new Receiver();
  readonly path: string;
  store!: ObjectStore;
  views!: Views;
  webhooks!: Webhooks;
  #database!: Database;
  #client!: HttpClient;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<World> {
    const world = new World(await mkdtemp(join(tmpdir(), 'garner-webhooks-')));
    await world.receiver.listen();
    await world.open();
    await world.views.add([{ name: 'foxes', query: 'fox' }]);
    return world;
  }

  async open({ allow = true } = {}): Promise<void> {
    const { clock } = this;
    const random = seededRandom(1);
    this.store = await ObjectStore.open(await openDatabase(join(this.path, 'store')), { clock, random });
    const database = await openDatabase(join(this.path, 'views'));
    this.#database = database;
    this.views = await Views.open({ store: this.store, database, clock, random });
    this.#client = new HttpClient({
      userAgent: 'Garner/test',
      allowHosts: allow ? [this.receiver.url] : [],
      retries: 0,
      delayMs: 0,
    });
    const { fetch, check } = this.#client;
    const { views } = this;
    this.webhooks = await Webhooks.open({ views, database, fetch, check, clock, random });
    this.webhooks.start();
  }

  async close(): Promise<void> {
    await this.webhooks[Symbol.asyncDispose]();
    await this.#client[Symbol.asyncDispose]();
    await this.views[Symbol.asyncDispose]();
    await this.#database[Symbol.asyncDispose]();
    await this.store[Symbol.asyncDispose]();
  }

  /** Subscribe, and wait until existing objects count as known. */
  async subscribe() {
    const webhook = await this.webhooks.add('foxes', this.receiver.url);
    await this.until(() => this.webhooks.of('foxes')[0]?.sent !== null);
    return webhook;
  }

  /** Let work continue until this holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  }

  get webhook() {
    const [webhook] = this.webhooks.of('foxes');
    assert.ok(webhook !== undefined);
    return webhook;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await this.receiver[Symbol.asyncDispose]();
    await rm(this.path, { recursive: true, force: true });
  }
}

test('a webhook is sent objects that enter, change and leave, signed with its secret, and none from before', async () => {
  await using world = await World.make();
  const { store, receiver } = world;
  await store.apply([putting(1, 'old fox')]);
  const { secret, id } = await world.subscribe();
  await store.apply([putting(2, 'new fox'), putting(3, 'owl')]);
  await receiver.count(1);
  await world.until(() => world.webhook.lastSentAt !== null);
  await store.apply([putting(1, 'older fox'), putting(2, 'a hen now')]);
  await receiver.count(2);
  await world.until(() => world.webhook.sent?.lsn === 4);
  await store.apply([deleting(1)]);
  await receiver.count(3);
  assert.deepEqual(receiver.changes, ['insert new fox', 'change older fox', 'delete', 'delete']);
  const ids = new Set<unknown>();
  for (const { body, headers } of receiver.received) {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', key).update(signed).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${expected}`);
    assert.equal(headers['content-type'], 'application/json');
    ids.add(headers['webhook-id']);
  }
  assert.equal(ids.size, 3);
  assert.ok([...ids].every((one) => String(one).startsWith(id)));
});

test('undelivered changes are sent later, after a restart too, in order and each object once', async () => {
  await using world = await World.make();
  const { store, receiver, clock } = world;
  await world.subscribe();
  receiver.statuses = [500, 0, 302, 200];
  await store.apply([putting(1, 'fox')]);
  for (let attempt = 1; attempt <= 3; attempt++) {
    await receiver.count(attempt);
    await world.until(() => world.webhook.failures === attempt);
    assert.ok(world.webhook.nextTryAt > clock.now());
    if (attempt < 3) clock.advance(world.webhook.nextTryAt - clock.now());
  }
  assert.match(world.webhook.error ?? '', /302/);
  const [first, second] = receiver.received;
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'], 'the same message');
  await world.close();
  clock.advance(3_600_000);
  await world.open();
  // Changed again before it was sent: sent once, as new.
  await receiver.count(4);
  await world.until(() => world.webhook.failures === 0);
  await world.store.apply([putting(1, 'grey fox'), putting(2, 'fox'), deleting(2)]);
  await receiver.count(5);
  assert.deepEqual(receiver.changes.slice(3), ['insert fox', 'change grey fox']);
});

test('an unreachable receiver is paused, one that answers 410 at once, and both are sent everything when resumed', async () => {
  await using world = await World.make();
  const { store, receiver, clock } = world;
  const { id } = await world.subscribe();
  receiver.statuses = [503];
  await store.apply([putting(1, 'fox')]);
  for (let attempt = 1; attempt <= maxFailures; attempt++) {
    await world.until(() => world.webhook.failures === attempt);
    clock.advance(Math.max(0, world.webhook.nextTryAt - clock.now()));
  }
  assert.equal(world.webhook.state, 'paused');
  await store.apply([putting(2, 'vulpes fox')]);
  await world.views.upToDate();
  assert.equal(receiver.received.length, maxFailures);
  receiver.statuses = [410];
  await world.webhooks.resume(id);
  await receiver.count(maxFailures + 1);
  await world.until(() => world.webhook.state === 'paused');
  receiver.statuses = [200];
  receiver.received.length = 0;
  await world.webhooks.resume(id);
  await receiver.count(1);
  assert.deepEqual(receiver.changes, ['insert fox', 'insert vulpes fox']);
});

test('many changes travel in messages of bounded length', async () => {
  await using world = await World.make();
  const { store, receiver } = world;
  await world.subscribe();
  receiver.statuses = [500, 200];
  await store.apply(Array.from({ length: 250 }, (_, n) => putting(n, `fox ${n}`)));
  await receiver.count(1);
  await world.until(() => world.webhook.failures === 1);
  world.clock.advance(10_000);
  await world.until(() => world.webhook.sent?.lsn === 250);
  const messages = receiver.received.slice(1).map(({ message }) => message);
  assert.ok(messages.every(({ changes }) => changes.length <= 100));
  assert.deepEqual(
    messages.flatMap(({ changes }) => changes.map(({ title }) => title)).toSorted(),
    Array.from({ length: 250 }, (_, n) => `fox ${n}`).toSorted(),
  );
});

test('a private address that is not allowed is not contacted', async () => {
  await using world = await World.make();
  await world.subscribe();
  await world.close();
  await world.open({ allow: false });
  await world.store.apply([putting(1, 'fox')]);
  await world.until(() => world.webhook.failures === 1);
  assert.match(world.webhook.error ?? '', /private|127\.0\.0\.1/);
  assert.equal(world.receiver.received.length, 0);
  await assert.rejects(world.webhooks.add('foxes', 'http://10.0.0.1/x'), /cannot be a webhook/);
});

test('an invalid address is refused, and a removed webhook is sent nothing', async () => {
  await using world = await World.make();
  const { webhooks, receiver, store } = world;
  const refused = (code: string) => (error: unknown) => isGarnerError(error) && error.code === code;
  for (const url of ['x', 'ftp://example.org/', 'http://me:secret@example.org/'])
    await assert.rejects(webhooks.add('foxes', url), refused('VIEW_WEBHOOK'));
  await assert.rejects(webhooks.add('nobody', receiver.url), refused('VIEW_UNKNOWN'));
  await assert.rejects(webhooks.remove('nothing'), refused('VIEW_NO_WEBHOOK'));
  const { id } = await world.subscribe();
  await webhooks.remove(id);
  await store.apply([putting(1, 'fox')]);
  await world.views.upToDate();
  assert.equal(receiver.received.length, 0);
  for (let n = 0; n < 8; n++) await webhooks.add('foxes', receiver.url);
  await assert.rejects(webhooks.add('foxes', receiver.url), refused('VIEW_WEBHOOK'));
});
