import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, type Server, startServer, temporaryFolder } from '../commands/command.ts';
import { until } from '../kill/server-process.ts';
import { ask } from './kit/raw-client.ts';
import { contentOf, pathOf, VersionedOrigin } from './kit/versioned-origin.ts';

interface Ready {
  readonly name: string;
  readonly cache: string;
  readonly admin: string;
}

const token = 'of-this-test-alone';

/** A Garner proxy in its own process. */
class Node implements AsyncDisposable {
  readonly #server: Server<Ready>;

  private constructor(server: Server<Ready>) {
    this.#server = server;
  }

  static async start(
    name: string,
    {
      folder,
      origin,
      args,
      port = 0,
    }: { folder: string; origin: string; args: readonly string[]; port?: number },
  ): Promise<Node> {
    const own = [
      '--proxy',
      '--name',
      name,
      '--port',
      String(port),
      '--admin-port',
      '0',
      '--admin-tokens',
      token,
    ];
    const place = ['--data', join(folder, name), '--allow-hosts', new URL(origin).host];
    return new Node(await startServer<Ready>(['cache', 'serve', ...own, ...place, ...args], { cwd: folder }));
  }

  get port(): number {
    return Number(new URL(this.#server.ready.cache).port);
  }

  get parent(): readonly string[] {
    return ['--parent', `127.0.0.1:${this.port}`];
  }

  async purge(target: Readonly<Record<string, unknown>>): Promise<void> {
    const response = await fetch(new URL('purge', this.#server.ready.admin), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(target),
    });
    assert.equal(response.status, 200, await response.text());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

/** The entries of Cache-Status by the name of the cache, the one nearest to the origin first. */
function hops(status: string | undefined): readonly (readonly [name: string, said: string])[] {
  return (status ?? '').split(/, (?=[a-z])/).map((member) => {
    const [name = '', ...said] = member.split('; ');
    return [name, said.join('; ')] as const;
  });
}

/** Three leaves below a regional cache below a top cache, in front of an origin with slow answers. */
class Hierarchy implements AsyncDisposable {
  readonly origin: VersionedOrigin;
  readonly top: Node;
  readonly regional: Node;
  readonly leaves: readonly [Node, Node, Node];
  readonly #opened: readonly AsyncDisposable[];

  private constructor(
    origin: VersionedOrigin,
    { top, regional, leaves }: Pick<Hierarchy, 'top' | 'regional' | 'leaves'>,
    folder: AsyncDisposable,
  ) {
    this.origin = origin;
    this.top = top;
    this.regional = regional;
    this.leaves = leaves;
    this.#opened = [...leaves, regional, top, origin, folder];
  }

  static async open(): Promise<Hierarchy> {
    const folder = await temporaryFolder();
    const origin = await VersionedOrigin.open({
      slowMs: () => 200,
      fieldsOf: (number) => (number === agedNumber ? aged : { 'Cache-Control': 'max-age=3600' }),
    });
    const options = { folder: folder.path, origin: origin.url };
    const top = await Node.start('top', { ...options, args: [] });
    const regional = await Node.start('regional', { ...options, args: top.parent });
    const leaf = (name: string) => Node.start(name, { ...options, args: regional.parent });
    const leaves = await Promise.all([leaf('leaf-a'), leaf('leaf-b'), leaf('leaf-c')]);
    return new Hierarchy(origin, { top, regional, leaves }, folder);
  }

  url(number: number): string {
    return this.origin.url + pathOf(number);
  }

  fetches(number: number): number {
    return this.origin.asked.get(`GET ${pathOf(number)}`) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opened of this.#opened) await opened[Symbol.asyncDispose]();
  }
}

/** An object that was already old on arrival. */
const agedNumber = 40;
const aged = { 'Cache-Control': 'max-age=60, stale-while-revalidate=6000', Age: '100' };

test('three levels of caches', async (t) => {
  await using hierarchy = await Hierarchy.open();
  const { origin, top, regional, leaves } = hierarchy;
  const [first, second, third] = leaves;

  await t.test('a thousand concurrent requests cause one fetch from the origin', async () => {
    const number = 2;
    const content = contentOf({ number, version: 0 }).toString('latin1');
    const received = await Promise.all(
      Array.from({ length: 1000 }, (_, at) => ask((leaves[at % 3] as Node).port, hierarchy.url(number))),
    );
    for (const { status, body } of received) {
      assert.equal(status, 200);
      assert.ok(body === content);
    }
    assert.equal(hierarchy.fetches(number), 1);
  });

  await t.test('RFC 9211 2: each hop adds its own entry', async () => {
    const url = hierarchy.url(7);
    const miss = hops((await ask(first.port, url)).line('cache-status'));
    assert.deepEqual(
      miss.map(([name]) => name),
      ['top', 'regional', 'leaf-a'],
    );
    for (const [name, said] of miss) assert.match(said, /fwd=uri-miss.*stored/, name);
    const beside = hops((await ask(second.port, url)).line('cache-status'));
    assert.match(beside.find(([name]) => name === 'regional')?.[1] ?? '', /^hit/);
    assert.match(beside.at(-1)?.[1] ?? '', /fwd=uri-miss.*detail=parent/);
    const hit = hops((await ask(first.port, url)).line('cache-status'));
    assert.match(hit.at(-1)?.[1] ?? '', /^hit/);
  });

  await t.test(
    'a purge applies to one cache: the cache above it answers, until it is purged too',
    async () => {
      const number = 5;
      const url = hierarchy.url(number);
      await ask(first.port, url);
      origin.change(number);
      await first.purge({ url });
      const old = await ask(first.port, url);
      assert.deepEqual([old.line('etag'), hierarchy.fetches(number)], [`"${number}-0"`, 1]);
      assert.match(hops(old.line('cache-status')).find(([name]) => name === 'regional')?.[1] ?? '', /^hit/);
      await top.purge({ tag: 'fifth-0' });
      await regional.purge({ prefix: `${origin.url}/odd/` });
      await first.purge({ tag: 'fifth-0', soft: true });
      const present = await ask(first.port, url);
      assert.deepEqual([present.line('etag'), hierarchy.fetches(number)], [`"${number}-1"`, 2]);
    },
  );

  await t.test(
    'RFC 9111 4.4: a change through a leaf invalidates the responses at every level on its way',
    async () => {
      const number = 13;
      const url = hierarchy.url(number);
      assert.equal((await ask(third.port, url)).line('etag'), `"${number}-0"`);
      assert.equal((await ask(third.port, url, { method: 'PUT', body: 'new' })).status, 200);
      assert.equal((await ask(third.port, url)).line('etag'), `"${number}-1"`);
      assert.equal((await ask(second.port, url)).line('etag'), `"${number}-1"`);
      // Also when the leaf has no stored response.
      const other = hierarchy.url(14);
      assert.equal((await ask(second.port, other)).line('etag'), '"14-0"');
      assert.equal((await ask(third.port, other, { method: 'PUT', body: 'new' })).status, 200);
      assert.equal((await ask(third.port, other)).line('etag'), '"14-1"');
      assert.equal((await ask(first.port, other)).line('etag'), '"14-1"');
    },
  );

  await t.test(
    'RFC 5861 3: a stale response answers a client while it is validated, but not a child',
    async () => {
      const url = hierarchy.url(agedNumber);
      await ask(first.port, url);
      origin.change(agedNumber);
      // The regional cache and the top cache have the old response, and give it to no child.
      assert.equal((await ask(second.port, url)).line('etag'), `"${agedNumber}-1"`);
      assert.equal(hierarchy.fetches(agedNumber), 2);
      origin.change(agedNumber);
      const stale = await ask(top.port, url);
      assert.equal(stale.line('etag'), `"${agedNumber}-1"`);
      assert.match(hops(stale.line('cache-status')).at(-1)?.[1] ?? '', /^hit; ttl=-/);
      await until(
        'the background validation',
        async () => hierarchy.fetches(agedNumber),
        (fetches) => fetches === 3,
      );
    },
  );
});

const silenceMs = 2000;

/** Accepts connections and datagrams on one port, and never answers. */
async function openBlackHole() {
  let connections = 0;
  let closed = 0;
  const server = createTcpServer((socket) => {
    connections++;
    socket.on('error', () => {});
    socket.resume();
    socket.once('close', () => closed++);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const datagrams = createSocket('udp4');
  datagrams.bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  return {
    peer: `127.0.0.1:${port}`,
    icpPeer: `127.0.0.1:${port}:${datagrams.address().port}`,
    connections: () => connections,
    closed: () => closed,
    [Symbol.asyncDispose]: async () => {
      datagrams.close();
      server.close();
    },
  };
}

test('a parent that refuses costs nothing; when it is back it is used again', async () => {
  await using folder = await temporaryFolder();
  await using origin = await VersionedOrigin.open();
  const port = await freePort();
  const options = { folder: folder.path, origin: origin.url };
  await using leaf = await Node.start('leaf', { ...options, args: ['--parent', `127.0.0.1:${port}`] });
  for (let number = 0; number < 10; number++) {
    const received = await ask(leaf.port, origin.url + pathOf(number));
    assert.equal(received.status, 200);
    assert.doesNotMatch(received.line('cache-status') ?? '', /detail=parent/);
  }
  await using parent = await Node.start('parent', { ...options, port, args: [] });
  let number = 10;
  await until(
    'the parent to be used',
    async () => (await ask(leaf.port, origin.url + pathOf(number++))).line('cache-status') ?? '',
    (status) => status.includes('parent; ') && status.includes('detail=parent'),
  );
  assert.equal(parent.port, port);
});

test('a parent that accepts everything and never answers costs the time-out once', async () => {
  await using folder = await temporaryFolder();
  await using origin = await VersionedOrigin.open();
  await using hole = await openBlackHole();
  const options = { folder: folder.path, origin: origin.url };
  const waits = ['--silence', `${silenceMs}ms`, '--peer-wait', `${silenceMs}ms`];
  const start = (name: string, peer: string) =>
    Node.start(name, { ...options, args: [...waits, '--parent', peer] });
  await using plain = await start('plain', hole.peer);
  await using asking = await start('asking', hole.icpPeer);
  for (const leaf of [plain, asking]) {
    const seen = hole.closed();
    let slow = 0;
    let number = 0;
    const get = async () => {
      const started = performance.now();
      const received = await ask(leaf.port, origin.url + pathOf(number++));
      assert.equal(received.status, 200);
      const ms = performance.now() - started;
      assert.ok(ms < 2 * silenceMs + 2000, `${Math.round(ms)} ms`);
      if (ms > silenceMs * 0.9) slow++;
    };
    await get();
    // A parent without ICP is tried again in the background; accepting connections is no proof that it answers.
    if (leaf === plain)
      await until(
        'it to be tried again',
        async () => get().then(() => hole.closed() - seen),
        (tries) => tries >= 2,
      );
    for (let count = 0; count < 20; count++) await get();
    assert.ok(slow <= 1, `${slow} requests waited`);
  }
});
