import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { HttpClient } from '../../fetch/index.ts';
import { isGarnerError, systemClock } from '../../kernel/index.ts';
import { publicationOf, publish, withdrawalOf } from '../../publication/index.ts';
import { keyConflict, type Replica, type ServerEntry } from '../../registry/index.ts';
import { type Identity, identityFrom, newIdentitySecret, summaryObject } from '../../soif/index.ts';
import { freePort, startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere, serveHere } from '../commands/command-here.ts';
import { TcpProxy } from '../tcp-proxy.ts';

const token = 'an-admin-token-of-the-test';
const patienceMs = 30_000;

const identity = () => identityFrom(newIdentitySecret());
const now = () => Math.floor(systemClock.now() / 1000);
const urlOf = (name: string) => `https://${name.toLowerCase()}.example/`;

const description = (name: string, text = '', { type = 'BROKER', url = urlOf(name) } = {}) =>
  summaryObject(
    url,
    [
      ['Title', name],
      ['Description', text],
      ['Software-Version', 'test'],
      ['Refresh-Rate', 60],
      ['Time-to-Live', 300],
      ['Update-Time', now()],
    ],
    type,
  );

/** A Registry and those that it collects from. */
class Registry {
  readonly url: string;
  readonly #client: HttpClient;

  constructor(url: string, client: HttpClient) {
    this.url = url;
    this.#client = client;
  }

  async get<Value>(path: string): Promise<Value> {
    return (await (await fetch(new URL(path, this.url))).json()) as Value;
  }

  async servers(): Promise<readonly ServerEntry[]> {
    return (await this.get<{ readonly servers: readonly ServerEntry[] }>('servers')).servers;
  }

  async names(): Promise<readonly string[]> {
    return (await this.servers()).map(({ name }) => name);
  }

  async fingerprint(): Promise<string> {
    return (await this.get<{ readonly fingerprint: string }>('replicas')).fingerprint;
  }

  register(own: Identity, name: string, text = '', updatedAt = now()): Promise<void> {
    return publish(this.url, publicationOf(own, description(name, text), { updatedAt }), this.#client);
  }

  withdraw(own: Identity, name: string, updatedAt = now()): Promise<void> {
    return publish(this.url, withdrawalOf(own, urlOf(name), updatedAt), this.#client);
  }

  /** A round with each source that answers. */
  async collect(): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(new URL('control/collect', this.url), { method: 'POST', headers, body: '{}' });
    await answer.arrayBuffer();
  }
}

/** Look until it is so; each look costs the Registries a request. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const started = performance.now();
  while (!(await holds())) {
    assert.ok(performance.now() - started < patienceMs, what);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Wait until they have the same servers, and these. */
async function same(registries: readonly Registry[], names: readonly string[]): Promise<void> {
  let seen: unknown;
  await until(`${names} everywhere`, async () => {
    seen = await Promise.all(registries.map((one) => one.names()));
    return (seen as string[][]).every((found) => found.join() === names.join());
  }).catch((error) => {
    throw new Error(`${error}: ${JSON.stringify(seen)}`);
  });
  await until('equal fingerprints', async () => {
    const found = await Promise.all(registries.map((one) => one.fingerprint()));
    return new Set(found).size === 1;
  });
}

/** Closed in the order of their opening, the last one first. */
class Opened implements AsyncDisposable {
  readonly #all: AsyncDisposable[] = [];

  keep<One extends AsyncDisposable>(one: One): One {
    this.#all.push(one);
    return one;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#all.reverse()) await one[Symbol.asyncDispose]();
  }
}

test('three Registries register and answer on both sides of a cut, and are equal after it', async () => {
  await using opened = new Opened();
  const folder = opened.keep(await temporaryFolder());
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const client = opened.keep(
    new HttpClient({
      ...{ userAgent: 'test', delayMs: 0, retries: 0 },
      allowHosts: ports.map((port) => `127.0.0.1:${port}`),
    }),
  );
  // All ways to the third one and from it can be cut.
  const inner = opened.keep(await TcpProxy.open(ports[2]));
  const outer = [
    opened.keep(await TcpProxy.open(ports[0])),
    opened.keep(await TcpProxy.open(ports[1])),
  ] as const;
  const proxies = [inner, ...outer];
  const cut = () => {
    for (const proxy of proxies) {
      proxy.cutAfterBoth = 0;
      for (const socket of proxy.upstreams) socket.destroy();
    }
  };
  const heal = () => {
    for (const proxy of proxies) proxy.cutAfterBoth = Number.POSITIVE_INFINITY;
  };
  const direct = (port: number) => `ws://127.0.0.1:${port}/`;
  const collects = [
    [direct(ports[1]), inner.url],
    [direct(ports[0]), inner.url],
    outer.map(({ url }) => url),
  ];
  for (const [at, port] of ports.entries())
    opened.keep(
      await serveHere([
        ...['registry', 'serve', '--port', String(port), '--data', `${folder.path}/${at}`],
        ...['--admin-tokens', token, '--client-rate', '1000', '--name', `R${at}`],
        ...(collects[at] as string[]).flatMap((source) => ['--collect', source]),
      ]),
    );
  const registries = ports.map((port) => new Registry(`http://127.0.0.1:${port}/`, client));
  const [a, b, c] = registries as [Registry, Registry, Registry];
  const rounds = () => Promise.all(registries.map((one) => one.collect()));
  const [harbour, lock, tide, quay, both] = Array.from({ length: 5 }, identity) as [
    ...[Identity, Identity, Identity, Identity, Identity],
  ];
  const start = now();

  await a.register(harbour, 'Harbour', '', start - 10);
  await c.register(lock, 'Lock', '', start - 10);
  await rounds();
  await same(registries, ['Harbour', 'Lock']);

  cut();
  // What was registered at one side is withdrawn at the other one.
  await c.withdraw(harbour, 'Harbour', start - 5);
  await a.register(harbour, 'Harbour', 'changed before it was withdrawn', start - 7);
  await b.register(lock, 'Lock', 'moved', start - 5);
  await a.register(tide, 'Tide');
  await c.register(quay, 'Quay');
  await same([a, b], ['Harbour', 'Lock', 'Tide']);
  await same([c], ['Lock', 'Quay']);
  // One id with two keys: at each side the first one holds.
  const thief = { ...identity(), serverId: both.serverId };
  await a.register(both, 'Both');
  await c.register(thief, 'Both');
  await same([a, b], ['Both', 'Harbour', 'Lock', 'Tide']);
  const conflicts = new Set<string>();
  const stop = keyConflict.subscribe(({ server, url }) => conflicts.add(`${server} ${url}`));

  heal();
  await rounds();
  const all = ['Both', 'Lock', 'Quay', 'Tide'];
  await same([a, b], all);
  await until('all at the third', async () => (await c.names()).join() === all.join());
  assert.deepEqual([...conflicts], [`${both.serverId} ${urlOf('Both')}`]);
  stop();
  const isRefused = (error: unknown) => isGarnerError(error, { code: 'PUBLICATION_FAILED' });
  await assert.rejects(
    b.register(thief, 'Both', '', now() + 1),
    isRefused,
    'the key travels with the description',
  );
  await b.withdraw(both, 'Both', now() + 2);
  await c.withdraw(thief, 'Both', now() + 2);
  await same(registries, ['Lock', 'Quay', 'Tide']);
  assert.ok((await c.servers()).some(({ name, description }) => name === 'Lock' && description === 'moved'));

  // A renewal at one is a renewal everywhere, and what was withdrawn is refused everywhere.
  const renewal = publicationOf(lock, description('Lock', 'moved'), { updatedAt: now(), isUnchanged: true });
  await publish(b.url, renewal, client);
  for (const registry of registries) {
    await until('the renewal', async () =>
      (await registry.servers()).some(({ updatedAt }) => updatedAt === renewal.updatedAt),
    );
    await assert.rejects(registry.register(harbour, 'Harbour', '', start - 6), isRefused);
  }
  await rounds();
  await rounds();
  await same(registries, ['Lock', 'Quay', 'Tide']);
});

test('one Registry of three is killed under load, and no request of the client fails', async () => {
  await using opened = new Opened();
  const folder = opened.keep(await temporaryFolder());
  const ports = [await freePort(), await freePort(), await freePort()];
  const client = opened.keep(
    new HttpClient({
      ...{ userAgent: 'test', delayMs: 0, retries: 0 },
      allowHosts: ports.map((port) => `127.0.0.1:${port}`),
    }),
  );
  const processes = await Promise.all(
    ports.map((port, at) =>
      startServer([
        ...['registry', 'serve', '--port', String(port), '--data', `${folder.path}/${at}`],
        ...ports
          .filter((other) => other !== port)
          .flatMap((other) => ['--collect', `ws://127.0.0.1:${other}/`]),
      ]),
    ),
  );
  for (const process of processes) opened.keep(process);
  const registries = ports.map((port) => new Registry(`http://127.0.0.1:${port}/`, client));
  const [first] = registries as [Registry];
  for (const name of ['Harbour', 'Lock', 'Tide']) await first.register(identity(), name);
  await same(registries, ['Harbour', 'Lock', 'Tide']);

  const addresses = registries.flatMap(({ url }) => ['--registry', url]);
  let done = 0;
  const ask = async () => {
    const listed = await jsonHere<readonly ServerEntry[]>(['registry', 'list', ...addresses]);
    assert.equal(listed.length, 3);
    done++;
  };
  let isKilled = false;
  const load = Array.from({ length: 4 }, async () => {
    for (let n = 0; n < 25; n++) {
      await ask();
      if (done < 20 || isKilled) continue;
      isKilled = true;
      process.kill((processes[0] as { readonly pid: number }).pid, 'SIGKILL');
    }
  });
  await Promise.all(load);
  assert.deepEqual([done, isKilled], [100, true]);

  // A stranger that registers as a Registry at a private address is not connected to.
  let connections = 0;
  const hidden = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  const port = await freePort();
  hidden.listen(port, 'localhost');
  opened.keep({ [Symbol.asyncDispose]: async () => void hidden.close() });
  const [, second] = registries as [Registry, Registry];
  const stranger = description('Stranger', '', { type: 'REGISTRY', url: `http://localhost:${port}/` });
  await publish(second.url, publicationOf(identity(), stranger, { updatedAt: now() }), client);

  // Nobody is led to it, nor to the one that was killed.
  let known: readonly Replica[] = [];
  await until('both are dead', async () => {
    ({ replicas: known } = await second.get<{ readonly replicas: readonly Replica[] }>('replicas'));
    return known.filter(({ state }) => state === 'dead').length === 2;
  });
  assert.deepEqual(
    known.map(({ url, isSelf, isReplica, state }) => [url, isSelf, isReplica, state]),
    [
      [second.url, true, true, 'live'],
      [first.url, false, true, 'dead'],
      [registries[2]?.url, false, true, 'live'],
      [stranger.url, false, false, 'dead'],
    ],
  );
  assert.equal(connections, 0);
  for (let n = 0; n < 20; n++) {
    const answer = await fetch(new URL('replicas/random?path=/servers', second.url), { redirect: 'manual' });
    assert.equal(answer.status, 307);
    assert.ok(['../servers', `${registries[2]?.url}servers`].includes(answer.headers.get('location') ?? ''));
  }
});
